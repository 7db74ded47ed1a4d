#include "support.h"

#include "profile/match.h"

/* A side as a text: each item is a letter, its strong key, and what follows it: a digit makes the strong key another
 * one and leaves the weak key as it is; "!" is a delegate's. The work of a letter is that of its lower case. */
typedef struct side {
    eti_match_item items[256];
    uint32_t n;
} side;

static side make_side(const char *text) {
    side s = {.n = 0};
    for (const char *at = text; *at;) {
        eti_match_item *item = &s.items[s.n++];
        unsigned letter = (unsigned char)*at++;
        *item = (eti_match_item){letter, letter, letter | 0x20, false};
        for (; *at == '!' || (*at >= '0' && *at <= '9'); at++) {
            if (*at == '!')
                item->is_delegated = true;
            else
                item->strong += 256u * (unsigned)(*at - '0' + 1);
        }
    }
    return s;
}

/* Each match as its sign and the numbers of its items. */
static void assert_matches(const char *base_text, const char *new_text, const char *expected) {
    static const char *const kinds[] = {
        [ETI_MATCH_SAME] = "=",      [ETI_MATCH_RENAMED] = "r",     [ETI_MATCH_MOVED] = "~",
        [ETI_MATCH_DELEGATED] = ">", [ETI_MATCH_UNDELEGATED] = "<", [ETI_MATCH_ADDED] = "+",
        [ETI_MATCH_REMOVED] = "-"};
    side base = make_side(base_text), new_side = make_side(new_text);
    eti_match *matches;
    size_t n;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__match_sides(&matches, &n, (eti_match_side){base.items, base.n},
                               (eti_match_side){new_side.items, new_side.n}, &err));
    char found[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", i ? " " : "",
                                 kinds[matches[i].kind]);
        if (matches[i].base != ETI_NO_ENTRY)
            used += (size_t)snprintf(found + used, sizeof found - used, "%u", matches[i].base);
        if (matches[i].new_side != ETI_NO_ENTRY)
            used += (size_t)snprintf(found + used, sizeof found - used, ":%u", matches[i].new_side);
    }
    assert_string_equal(found, expected);
    free(matches);
}

static void nothing_changed(void **state) {
    (void)state;
    assert_matches("", "", "");
    assert_matches("abc", "abc", "=0:0 =1:1 =2:2");
    assert_matches("aaaa", "aaaa", "=0:0 =1:1 =2:2 =3:3");
}

static void added_and_removed(void **state) {
    (void)state;
    assert_matches("", "ab", "+:0 +:1");
    assert_matches("ab", "", "-0 -1");
    assert_matches("abc", "abxc", "=0:0 =1:1 +:2 =2:3");
    assert_matches("abxc", "abc", "=0:0 =1:1 -2 =3:2");
    assert_matches("abc", "xabc", "+:0 =0:1 =1:2 =2:3");
    assert_matches("abc", "abcx", "=0:0 =1:1 =2:2 +:3");
    /* In the middle of layers that are alike: what is around it tells. */
    assert_matches("abababab", "abacbabab", "=0:0 =1:1 =2:2 +:3 =3:4 =4:5 =5:6 =6:7 =7:8");
    assert_matches("xay", "xby", "=0:0 -1 +:1 =2:2");
}

/* The graph around it changed, so that its handles are others. */
static void weak_keys_are_tried_between_strong_ones(void **state) {
    (void)state;
    assert_matches("ab1c", "ab2c", "=0:0 =1:1 =2:2");
    assert_matches("a1b1c1", "a2xb2c2", "=0:0 +:1 =1:2 =2:3");
    assert_matches("a1a2", "a2a1", "=1:0 ~0:1");
}

static void moved(void **state) {
    (void)state;
    assert_matches("abcd", "bcda", "=1:0 =2:1 =3:2 ~0:3");
    assert_matches("abcd", "dabc", "~3:0 =0:1 =1:2 =2:3");
}

static void through_a_delegates_border(void **state) {
    (void)state;
    assert_matches("abc", "aB!c", "=0:0 >1:1 =2:2");
    assert_matches("aB!c", "abc", "=0:0 <1:1 =2:2");
    assert_matches("abbc", "aB!B!c", "=0:0 >1:1 >2:2 =3:3");
}

static void renamed(void **state) {
    (void)state;
    assert_matches("abc", "aBc", "=0:0 r1:1 =2:2");
    assert_matches("abbc", "aBc", "=0:0 -1 -2 +:1 =3:2"); /* which of the two it is nobody knows */
    assert_matches("abxc", "aByc", "=0:0 -2 r1:1 +:2 =3:3");
}

/* More differences than are counted one by one. */
static void very_different_sequences(void **state) {
    (void)state;
    enum { N = 5000 };
    eti_match_item *base = calloc(N, sizeof *base), *new_side = calloc(N, sizeof *new_side);
    assert_true(base && new_side);
    for (uint32_t i = 0; i < N; i++) {
        /* Every other one is the same, and two halves change places. */
        uint32_t moved_to = (i + N / 2) % N;
        base[i] = (eti_match_item){i, i, ETI_NO_WORK, false};
        new_side[moved_to] =
            (eti_match_item){i % 2 ? i : N + i, i % 2 ? i : N + i, ETI_NO_WORK, false};
    }
    eti_match *matches;
    size_t n, n_of_kind[ETI_MATCH_REMOVED + 1] = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__match_sides(&matches, &n, (eti_match_side){base, N},
                               (eti_match_side){new_side, N}, &err));
    uint32_t next_same = 0;
    for (size_t i = 0; i < n; i++) {
        const eti_match *match = &matches[i];
        n_of_kind[match->kind]++;
        if (match->kind == ETI_MATCH_SAME || match->kind == ETI_MATCH_MOVED)
            assert_int_equal(base[match->base].strong, new_side[match->new_side].strong);
        if (match->kind == ETI_MATCH_SAME) {
            assert_true(match->base >= next_same);
            next_same = match->base + 1;
        }
    }
    assert_int_equal(n_of_kind[ETI_MATCH_SAME], N / 4);
    assert_int_equal(n_of_kind[ETI_MATCH_MOVED], N / 4);
    assert_int_equal(n_of_kind[ETI_MATCH_ADDED], N / 2);
    assert_int_equal(n_of_kind[ETI_MATCH_REMOVED], N / 2);
    free(matches);
    free(base);
    free(new_side);
}

/* Whatever the sides are, each item is in one match, and what is in order is so on both sides. */
static void every_item_is_matched_once(void **state) {
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 2000; round++) {
        side sides[2] = {{.n = 0}, {.n = 0}};
        for (int k = 0; k < 2; k++) {
            random = random * 1664525u + 1013904223u;
            sides[k].n = random >> 26;
            for (uint32_t i = 0; i < sides[k].n; i++) {
                random = random * 1664525u + 1013904223u;
                uint32_t weak = random >> 29;
                sides[k].items[i] = (eti_match_item){weak + 8 * (random >> 8 & 1), weak,
                                                     random >> 16 & 3, random >> 24 & 1};
            }
        }
        eti_match *matches;
        size_t n;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__match_sides(&matches, &n, (eti_match_side){sides[0].items, sides[0].n},
                                   (eti_match_side){sides[1].items, sides[1].n}, &err));
        uint32_t next_new = 0, next_same = 0, n_base = 0;
        bool seen[256] = {false};
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(matches[i].kind == ETI_MATCH_REMOVED,
                             matches[i].new_side == ETI_NO_ENTRY);
            assert_int_equal(matches[i].kind == ETI_MATCH_ADDED, matches[i].base == ETI_NO_ENTRY);
            if (matches[i].new_side != ETI_NO_ENTRY)
                assert_int_equal(matches[i].new_side, next_new++);
            if (matches[i].base != ETI_NO_ENTRY) {
                assert_false(seen[matches[i].base]);
                seen[matches[i].base] = true;
                n_base++;
            }
            if (matches[i].kind == ETI_MATCH_SAME) {
                assert_true(matches[i].base >= next_same);
                next_same = matches[i].base + 1;
            }
        }
        assert_int_equal(next_new, sides[1].n);
        assert_int_equal(n_base, sides[0].n);
        free(matches);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changed),
        cmocka_unit_test(added_and_removed),
        cmocka_unit_test(weak_keys_are_tried_between_strong_ones),
        cmocka_unit_test(moved),
        cmocka_unit_test(through_a_delegates_border),
        cmocka_unit_test(renamed),
        cmocka_unit_test(very_different_sequences),
        cmocka_unit_test(every_item_is_matched_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
