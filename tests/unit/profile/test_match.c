#include "support.h"

#include "profile/match.h"
#include "profile/profile.h"

/* A side as a text: each item is a letter, its strong key, and what follows it: a digit makes the strong key another
 * one and leaves the weak key as it is; "!" is a delegate's. The work of a letter is that of its lower case. "@n" is the node n
 * of the model, with the letter as kind of kernel; "&n" is the same for what moves data, "%n" for a copy beside the work. The
 * operator of a node is that of the letter's lower case. */
typedef struct side {
    eti_match_item items[256];
    uint32_t n;
} side;

/* Returns the letter of the node. */
static const char *add_node(eti_match_item *item, const char *sign, unsigned letter) {
    unsigned node = (unsigned char)sign[1];
    item->origin = node;
    item->kernel = node << 8 | letter;
    item->op = *sign == '%' ? 0 : node << 8 | (letter | 0x20);
    item->node = *sign == '@' ? node : 0;
    return sign + 1;
}

static side make_side(const char *text) {
    side s = {.n = 0};
    for (const char *at = text; *at;) {
        eti_match_item *item = &s.items[s.n++];
        unsigned letter = (unsigned char)*at++;
        *item = (eti_match_item){.strong = letter, .weak = letter, .work = letter | 0x20};
        for (; strchr("!@&%", *at) || (*at >= '0' && *at <= '9'); at++) {
            if (!*at)
                break;
            if (*at == '!')
                item->is_delegated = true;
            else if (strchr("@&%", *at))
                at = add_node(item, at, letter);
            else
                item->strong += 256u * (unsigned)(*at - '0' + 1);
        }
    }
    return s;
}

/* Compares the matches, each written as its sign and the numbers of its items. */
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
    /* In the middle of identical layers, the neighbours decide. */
    assert_matches("abababab", "abacbabab", "=0:0 =1:1 =2:2 +:3 =3:4 =4:5 =5:6 =6:7 =7:8");
    assert_matches("xay", "xby", "=0:0 -1 +:1 =2:2");
}

/* The graph around it changed, so that its handles differ. */
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
    /* which of the two it is remains unknown */
    assert_matches("abbc", "aBc", "=0:0 -1 -2 +:1 =3:2");
    assert_matches("abxc", "aByc", "=0:0 -2 r1:1 +:2 =3:3");
}

/* More differences than are counted one by one. */
static void very_different_sequences(void **state) {
    (void)state;
    enum { N = 5000 };
    eti_match_item *base = calloc(N, sizeof *base), *new_side = calloc(N, sizeof *new_side);
    assert_true(base && new_side);
    for (uint32_t i = 0; i < N; i++) {
        /* Every second item is unchanged, and two halves change places. */
        uint32_t moved_to = (i + N / 2) % N;
        base[i] = (eti_match_item){.strong = i, .weak = i, .work = ETI_NO_WORK};
        new_side[moved_to] = (eti_match_item){
            .strong = i % 2 ? i : N + i, .weak = i % 2 ? i : N + i, .work = ETI_NO_WORK};
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

/* For any sides, each item is in one match, and ordered matches are in order on both sides. */
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
                eti_match_item *item = &sides[k].items[i];
                *item = (eti_match_item){.strong = weak + 8 * (random >> 8 & 1),
                                         .weak = weak,
                                         .work = random >> 16 & 3,
                                         .is_delegated = random >> 24 & 1};
                if (round % 2) { /* names give the node in most rounds, so that nodes count */
                    item->origin = random >> 12 & 3 ? 1 + weak : 0;
                    item->kernel = item->origin ? item->origin << 2 | (random >> 18 & 1) : 0;
                    item->op = random >> 20 & 3 ? item->origin : 0;
                    item->node = random >> 22 & 1 ? item->op : 0;
                }
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

/* In two exports of one model whose kernels have different names, each layer matches the same layer of the other side. */
static void events_of_one_node_are_a_pair(void **state) {
    (void)state;
    /* float and int8: a conversion is new, a kind of kernel is unchanged though its type is not */
    assert_matches("a1@xb1@yc1@z", "q%va2@xd2@yc2@z", "+:0 =0:1 r1:2 =2:3");
    /* the order differs */
    assert_matches("a@xb@y", "d@yc@x", "r1:0 r0:1");
    /* by number these would be pairs of different layers: one was removed */
    assert_matches("a1@xa2@ya3@z", "a4@ya5@z", "-0 =1:0 =2:1");
    assert_matches("e1@xe2@y", "e3@ye4@w", "-0 =1:0 +:1");
    /* across the boundary of a delegate */
    assert_matches("a@xb@y", "c!@xd!@y", ">0:0 >1:1");
    assert_matches("c!@x", "a@x", "<0:0");
    /* copies for a node, or beside its work, are no counterpart of the work */
    assert_matches("f@x", "p&xg@x", "+:0 r0:1");
    assert_matches("t%xf@x", "g@x", "-0 r1:0");
    /* several on one side: the pair is unknown */
    assert_matches("f@x", "g@xh@x", "-0 +:0 +:1");
    /* the same operator takes precedence */
    assert_matches("r@xF@x", "f!@x", "-0 >1:0");
}

/* After a change of the model its nodes have the names of other nodes. */
static void nodes_that_disagree_do_not_count(void **state) {
    (void)state;
    assert_matches("a@1b@2c@3d@4e1@5", "xa@2b@3c@4d@5e2@6", "+:0 =0:1 =1:2 =2:3 =3:4 =4:5");
    /* one node in ten may differ */
    assert_matches("a@ab@bc@cd@de@ef@fg@gh@hi@ij@jk1@k", "a@ab@bc@cd@de@ef@fg@gh@hi@ij@zk2@l",
                   "=0:0 =1:1 =2:2 =3:3 =4:4 =5:5 =6:6 =7:7 =8:8 =9:9 -10 +:10");
    /* an event without a node is matched as before */
    assert_matches("a1@xb1", "a2@xb2@y", "=0:0 =1:1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_one_node_are_a_pair),
        cmocka_unit_test(nodes_that_disagree_do_not_count),
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
