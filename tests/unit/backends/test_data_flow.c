/* Pairs items of two graphs, given as letters: an item fits the same letter, in upper case too, which is the lesser fit. */
#include "support.h"

#include "backends/backends.h"
#include "base/arena.h"

#include <ctype.h>
#include <string.h>

typedef struct letters {
    const char *made, *from;
} letters;

static uint8_t fit(const void *context, uint32_t made, uint32_t from) {
    const letters *of = context;
    char a = of->made[made], b = of->from[from];
    return a == b ? 2 : tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* ==== aligned lists =========================================================================== */

/* Checks the pairs as digits of the second list; '.': none. */
static void check_aligned(const char *made, const char *from, const char *expected) {
    const letters of = {made, from};
    uint32_t n = (uint32_t)strlen(made), found[16];
    char text[17] = "";
    size_t work = 0;
    bool is_cut = false;
    assert_true(eti__align_lists(fit, &of, n, (uint32_t)strlen(from), found, &work, &is_cut));
    for (uint32_t i = 0; i < n; i++)
        text[i] = found[i] == ETI_NO_ITEM ? '.' : (char)('0' + found[i]);
    text[n] = '\0';
    assert_string_equal(text, expected);
    assert_false(is_cut);
    assert_int_equal(work, n * strlen(from));
}

static void as_many_as_possible_are_paired(void **state) {
    (void)state;
    check_aligned("abc", "abc", "012");
    check_aligned("abc", "xbyc", ".13");
    check_aligned("ab", "ba", ".0");
    check_aligned("aab", "ab", "0.1");
    check_aligned("", "ab", "");
    check_aligned("ab", "", "..");
    check_aligned("axbxc", "abc", "0.1.2");
}

static void equal_kinds_come_first(void **state) {
    (void)state;
    check_aligned("a", "Aa", "1");
    check_aligned("a", "A", "0");
    check_aligned("ab", "Aab", "12");
    check_aligned("ab", "aBA", "01"); /* two that fit before one that is equal */
}

/* Lists with more combinations than the limit. */
static void long_lists_are_paired_by_order(void **state) {
    (void)state;
    enum { N = 100000 };
    char *all = malloc(N + 1);
    uint32_t *found = malloc(N * sizeof *found);
    size_t work = 0;
    bool is_cut = false;
    assert_non_null(all);
    assert_non_null(found);
    memset(all, 'a', N);
    all[N] = '\0';
    all[7] = 'b';
    const letters of = {all, all};
    assert_true(eti__align_lists(fit, &of, N, N, found, &work, &is_cut));
    assert_true(is_cut);
    assert_int_equal(found[7], 7);
    assert_int_equal(found[N - 1], N - 1);
    free(all);
    free(found);
}

/* ==== pairs =================================================================================== */

#define MOST 16

typedef struct graph {
    const char *letters;
    const char *edges; /* such as "01 12" */
} graph;

typedef struct session {
    eti_arena arena;
    letters of;
    eti_flow made, from;
    bool is_left_out[MOST];
    size_t work;
    eti_pairs pairs;
} session;

static void make_flow(session *s, eti_flow *out, const graph *of) {
    eti_flow_edge edges[MOST * MOST];
    size_t n = 0;
    for (const char *at = of->edges; *at; at += at[2] ? 3 : 2)
        edges[n++] = (eti_flow_edge){(uint32_t)(at[0] - '0'), (uint32_t)(at[1] - '0')};
    assert_true(eti__flow_make(out, &s->arena, (uint32_t)strlen(of->letters), edges, n));
}

static void begin(session *s, graph made, graph from) {
    *s = (session){.of = {made.letters, from.letters}};
    make_flow(s, &s->made, &made);
    make_flow(s, &s->from, &from);
    s->pairs = (eti_pairs){.made = &s->made,
                           .from = &s->from,
                           .fit = fit,
                           .context = &s->of,
                           .is_left_out = s->is_left_out,
                           .work = &s->work};
    assert_true(eti__pairs_begin(&s->pairs, &s->arena));
}

/* Pairs in order the items whose letters are not "v", "w" or "x". */
static void pair_in_order(session *s) {
    uint32_t made[MOST], from[MOST], n = 0, m = 0;
    for (uint32_t i = 0; i < s->made.n; i++) {
        if (!strchr("vwxV", s->of.made[i]))
            made[n++] = i;
    }
    for (uint32_t i = 0; i < s->from.n; i++) {
        if (!strchr("vwxV", s->of.from[i]))
            from[m++] = i;
    }
    assert_true(eti__pair_in_order(&s->pairs, made, n, from, m));
}

static void check_pairs(session *s, const char *expected) {
    char text[MOST + 1] = "";
    for (uint32_t i = 0; i < s->made.n; i++) {
        uint32_t of = s->pairs.from_of[i];
        text[i] = of == ETI_NO_ITEM ? '.' : (char)('0' + of);
        assert_true(of == ETI_NO_ITEM || s->pairs.made_of[of] == i);
    }
    text[s->made.n] = '\0';
    assert_string_equal(text, expected);
    eti__arena_free(&s->arena);
}

static void known_pairs_split_the_lists(void **state) {
    (void)state;
    session s;
    begin(&s, (graph){"aaa", ""}, (graph){"aaaa", ""});
    eti__pairs_set(&s.pairs, 1, 2, 2);
    pair_in_order(&s);
    check_pairs(&s, "023");
    /* of two pairs that cross, one splits the lists, and both stay */
    begin(&s, (graph){"abcd", ""}, (graph){"cabd", ""});
    eti__pairs_set(&s.pairs, 0, 1, 2);
    eti__pairs_set(&s.pairs, 2, 0, 2);
    pair_in_order(&s);
    check_pairs(&s, "1.03");
}

/* q, k and v: each has a view before it, all with the same name, and they come in another order. */
static void neighbours_decide_among_equals(void **state) {
    (void)state;
    session s;
    begin(&s, (graph){"avvvqkv", "01 02 03 34 25"}, (graph){"avvvqk", "01 02 03 14 25"});
    s.is_left_out[6] = true;
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    assert_int_equal(s.pairs.n_sides[2], 2);
    check_pairs(&s, "032145.");
}

static void views_in_a_row_keep_their_order(void **state) {
    (void)state;
    session s;
    begin(&s, (graph){"avvb", "01 12 23"}, (graph){"avvb", "01 12 23"});
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    check_pairs(&s, "0123");
}

static void one_side_is_enough_at_last(void **state) {
    (void)state;
    session s;
    /* the result is used by b, which has no pair, but in the other graph also by d */
    begin(&s, (graph){"avbd", "01 12 03"}, (graph){"avcd", "01 12 13 03"});
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    assert_int_equal(s.pairs.n_sides[1], 1);
    check_pairs(&s, "01.3");
    /* a node without neighbours is not between them */
    begin(&s, (graph){"av", "01"}, (graph){"av", ""});
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    check_pairs(&s, "0.");
    /* items without any neighbours */
    begin(&s, (graph){"v", ""}, (graph){"wv", ""});
    eti__pair_by_flow(&s.pairs);
    check_pairs(&s, "1");
}

static void equal_names_are_preferred(void **state) {
    (void)state;
    session s;
    begin(&s, (graph){"avb", "01 12"}, (graph){"aVvb", "01 13 02 23"});
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    check_pairs(&s, "023");
}

static void neighbours_are_found_through_items_without_pairs(void **state) {
    (void)state;
    uint32_t near[ETI_MOST_NEIGHBOURS];
    session s;
    begin(&s, (graph){"afb", "01 12"}, (graph){"awxb", "01 12 23"});
    pair_in_order(&s);
    assert_int_equal(eti__pairs_near(&s.pairs, false, 2, ETI_FLOW_BACK, near), 1);
    assert_int_equal(near[0], 0);
    assert_int_equal(eti__pairs_near(&s.pairs, false, 1, ETI_FLOW_AHEAD, near), 1);
    assert_int_equal(near[0], 3);
    assert_int_equal(eti__pairs_near(&s.pairs, false, 0, ETI_FLOW_BACK, near), 0);
    assert_int_equal(eti__pairs_between(&s.pairs, 1, near), 2);
    assert_int_equal(near[0], 1);
    assert_int_equal(near[1], 2);
    check_pairs(&s, "0.3");
}

/* The limit is that of all pairings together. */
static void work_is_limited(void **state) {
    (void)state;
    session s;
    begin(&s, (graph){"avb", "01 12"}, (graph){"avb", "01 12"});
    s.work = (size_t)1 << 26;
    pair_in_order(&s);
    eti__pair_by_flow(&s.pairs);
    assert_true(s.pairs.is_cut);
    check_pairs(&s, "0.2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_possible_are_paired),
        cmocka_unit_test(equal_kinds_come_first),
        cmocka_unit_test(long_lists_are_paired_by_order),
        cmocka_unit_test(known_pairs_split_the_lists),
        cmocka_unit_test(neighbours_decide_among_equals),
        cmocka_unit_test(views_in_a_row_keep_their_order),
        cmocka_unit_test(one_side_is_enough_at_last),
        cmocka_unit_test(equal_names_are_preferred),
        cmocka_unit_test(neighbours_are_found_through_items_without_pairs),
        cmocka_unit_test(work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
