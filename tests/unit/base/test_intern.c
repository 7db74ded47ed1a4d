#include "support.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/intern.h"
#include "base/text.h"

#include <errno.h>

/* ==== intern ================================================================================== */
/*
 * Allocations of the library fail on request: the linker redirects realloc() here (--wrap, see mk/tests.mk).
 */

static size_t fail_at; /* the number of the allocation that fails; 0: none */
static size_t n_allocations;

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_realloc(void *block, size_t size) {
    if (++n_allocations != fail_at)
        return __real_realloc(block, size);
    errno = ENOMEM;
    return NULL;
}

/* A key of 12 bytes and its value. */
typedef struct line {
    uint32_t file, line, column;
    double time;
} line;

static const eti_intern_kind line_kind = {.item_size = sizeof(line),
                                          .key_size = 3 * sizeof(uint32_t)};
typedef ETI_INTERN_OF(line) line_table;

static line line_of(uint32_t i) {
    return (line){i % 7, i / 7, 42, i};
}

/* ---- byte keys ------------------------------------------------------------------------------- */

static void keys_are_numbered_in_the_order_of_their_coming(void **state) {
    (void)state;
    line_table lines = {0};
    uint32_t number;
    for (uint32_t i = 0; i < 70000; i++) {
        line new_line = line_of(i);
        assert_false(eti__intern_find(&lines.table, &line_kind, &new_line, &number));
        assert_true(eti__intern_add(&lines.table, &line_kind, &new_line, &number));
        assert_int_equal(number, i);
        assert_int_equal(lines.count, i + 1);
    }
    for (uint32_t i = 0; i < 70000; i++) {
        line known = line_of(i);
        known.time = -1;
        assert_true(eti__intern_find(&lines.table, &line_kind, &known, &number));
        assert_int_equal(number, i);
        assert_true(eti__intern_add(&lines.table, &line_kind, &known, &number));
        assert_int_equal(number, i);
        assert_true(lines.items[i].time == (double)i);
    }
    assert_int_equal(lines.count, 70000);
    eti__intern_free(&lines.table);
}

/* Tables grow when they are two thirds full, arrays when they are full. */
static void nothing_is_lost_around_each_power_of_two(void **state) {
    (void)state;
    for (uint32_t n = 1; n < 300; n++) {
        line_table lines = {0};
        uint32_t number;
        for (uint32_t i = 0; i < n; i++)
            assert_true(eti__intern_add(&lines.table, &line_kind, &(line){i, 0, 0, 0}, &number));
        for (uint32_t i = 0; i < n; i++) {
            assert_true(eti__intern_find(&lines.table, &line_kind, &(line){i, 0, 0, 0}, &number));
            assert_int_equal(number, i);
        }
        assert_false(eti__intern_find(&lines.table, &line_kind, &(line){n, 0, 0, 0}, &number));
        eti__intern_free(&lines.table);
    }
}

static void every_byte_of_a_key_counts(void **state) {
    (void)state;
    line_table lines = {0};
    uint32_t number;
    assert_true(eti__intern_add(&lines.table, &line_kind, &(line){0}, &number));
    for (size_t i = 0; i < sizeof(line); i++) {
        line other = {0};
        ((unsigned char *)&other)[i] = 1;
        bool is_known = eti__intern_find(&lines.table, &line_kind, &other, &number);
        assert_true(is_known == (i >= line_kind.key_size));
    }
    eti__intern_free(&lines.table);
}

static void an_empty_table_finds_nothing(void **state) {
    (void)state;
    line_table lines = {0};
    uint32_t number;
    assert_false(eti__intern_find(&lines.table, &line_kind, &(line){0}, &number));
    eti__intern_free(&lines.table);
    assert_true(eti__intern_add(&lines.table, &line_kind, &(line){1, 2, 3, 4}, &number));
    eti__intern_free(&lines.table);
    assert_int_equal(lines.count, 0);
    assert_false(eti__intern_find(&lines.table, &line_kind, &(line){1, 2, 3, 4}, &number));
    assert_true(eti__intern_add(&lines.table, &line_kind, &(line){5, 6, 7, 8}, &number));
    assert_int_equal(number, 0);
    eti__intern_free(&lines.table);
}

/* ---- other keys ------------------------------------------------------------------------------ */

static uint64_t hash_parity(const void *key, uint64_t seed) {
    return eti__hash_mix(seed, *(const uint32_t *)key % 2);
}

static bool equal_by_ten(const void *key, const void *other) {
    return *(const uint32_t *)key % 10 == *(const uint32_t *)other % 10;
}

/* Ten keys share two hashes. */
static void keys_with_equal_hashes_are_distinguished(void **state) {
    (void)state;
    static const eti_intern_kind kind = {
        .item_size = sizeof(uint32_t), .hash = hash_parity, .is_equal = equal_by_ten};
    ETI_INTERN_OF(uint32_t) digits = {0};
    uint32_t number;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(eti__intern_add(&digits.table, &kind, &i, &number));
        assert_int_equal(number, i % 10);
        assert_int_equal(digits.items[number], i % 10);
    }
    assert_int_equal(digits.count, 10);
    eti__intern_free(&digits.table);
}

static void texts_are_distinguished_by_content(void **state) {
    (void)state;
    eti_text_table texts = {0};
    eti_arena arena = {0};
    char word[] = "relu";
    uint32_t number;
    const eti_text absent = {NULL, 0};
    assert_true(eti__text_table_add(&texts, eti__text_of("add"), NULL, &number));
    assert_true(eti__text_table_add(&texts, eti__text_of(word), &arena, &number));
    assert_int_equal(number, 1);
    assert_true(eti__text_table_add(&texts, absent, NULL, &number));
    assert_true(eti__text_table_add(&texts, eti__text_of(""), NULL, &number));
    assert_int_equal(texts.count, 4);
    memcpy(word, "gelu", 4);
    assert_text(texts.texts[1], "relu");
    assert_true(eti__text_table_find(&texts, eti__text_of("relu"), &number));
    assert_int_equal(number, 1);
    assert_true(eti__text_table_find(&texts, absent, &number));
    assert_int_equal(number, 2);
    assert_false(eti__text_table_find(&texts, eti__text_of(word), &number));
    eti__text_table_free(&texts);
    eti__arena_free(&arena);
}

static void pointers_keep_the_first_number_given(void **state) {
    (void)state;
    static const char things[1000];
    eti_pointer_table table = {0};
    uint32_t number = 0;
    assert_false(eti__pointer_table_find(&table, things, &number));
    for (uint32_t i = 0; i < sizeof things; i++)
        assert_true(eti__pointer_table_add(&table, &things[i], 7 * i));
    for (uint32_t i = 0; i < sizeof things; i++) {
        assert_true(eti__pointer_table_find(&table, &things[i], &number));
        assert_int_equal(number, 7 * i);
    }
    assert_false(eti__pointer_table_find(&table, &table, &number));
    eti__pointer_table_free(&table);
}

static void shared_texts_have_one_number_wherever_they_lie(void **state) {
    (void)state;
    eti_shared_texts shared = {0};
    char twice[] = "mul\0mul";
    uint32_t first, second, again;
    assert_true(eti__shared_texts_add(&shared, (eti_text){twice, 3}, &first));
    assert_true(eti__shared_texts_add(&shared, (eti_text){twice + 4, 3}, &second));
    assert_true(eti__shared_texts_add(&shared, (eti_text){twice + 1, 2}, &again));
    assert_int_equal(first, second);
    assert_int_equal(again, 1);
    assert_int_equal(shared.texts.count, 2);
    twice[0] = 'x';
    assert_true(eti__shared_texts_add(&shared, (eti_text){twice, 3}, &again));
    assert_int_equal(again, first); /* text at a known address is not compared */
    assert_true(eti__shared_texts_add(&shared, eti__text_of(""), &first));
    assert_true(eti__shared_texts_add(&shared, (eti_text){NULL, 0}, &second));
    assert_true(eti__shared_texts_add(&shared, (eti_text){twice, 0}, &again));
    assert_int_equal(first, 2);
    assert_int_equal(second, 3); /* absent */
    assert_int_equal(again, 2);
    eti__shared_texts_free(&shared);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void a_table_without_memory_is_as_before(void **state) {
    (void)state;
    size_t n_failures = 0;
    for (size_t at = 1; at < 100; at++) {
        line_table lines = {0};
        uint32_t number, n_added = 0;
        n_allocations = 0;
        fail_at = at;
        while (n_added < 1000 &&
               eti__intern_add(&lines.table, &line_kind, &(line){n_added, 0, 0, n_added}, &number))
            n_added++;
        n_failures += n_added < 1000;
        assert_int_equal(lines.count, n_added);
        for (uint32_t i = 0; i < 1000; i++)
            assert_true(eti__intern_find(&lines.table, &line_kind, &(line){i, 0, 0, 0}, &number) ==
                        (i < n_added));
        fail_at = 0;
        assert_true(eti__intern_add(&lines.table, &line_kind, &(line){n_added, 0, 0, 5}, &number));
        assert_int_equal(number, n_added);
        assert_true(lines.items[n_added].time == 5);
        eti__intern_free(&lines.table);
    }
    assert_in_range(n_failures, 10, 98);
}

/* ==== prefix tree ============================================================================= */

/* Adds a chain of `n` items below `parent`, starting with the item `first`. */
static uint32_t add_chain(eti_prefix_tree *tree, uint32_t parent, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        assert_true(eti__prefix_tree_add(tree, parent, first + i, &parent));
    return parent;
}

static void a_path_is_there_once(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    uint32_t a, b, again;
    assert_true(eti__prefix_tree_init(&tree));
    assert_true(eti__prefix_tree_add(&tree, ETI_PREFIX_ROOT, 7, &a));
    assert_true(eti__prefix_tree_add(&tree, a, 7, &b));
    assert_true(eti__prefix_tree_add(&tree, ETI_PREFIX_ROOT, 7, &again));
    assert_int_equal(a, again);
    assert_int_not_equal(a, b);
    assert_int_equal(tree.n_nodes, 3);
    assert_int_equal(tree.nodes[b].depth, 2);
    assert_int_equal(tree.nodes[b].item, 7);
    eti__prefix_tree_free(&tree);
}

static void paths_are_cut(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    assert_true(eti__prefix_tree_init(&tree));
    uint32_t end = add_chain(&tree, ETI_PREFIX_ROOT, 0, 1000);
    for (uint32_t depth = 0; depth <= 1000; depth++) {
        uint32_t cut = eti__prefix_tree_cut(&tree, end, depth);
        assert_int_equal(tree.nodes[cut].depth, depth);
        assert_true(depth == 0 || tree.nodes[cut].item == depth - 1);
    }
    assert_int_equal(eti__prefix_tree_cut(&tree, end, UINT32_MAX), end);
    eti__prefix_tree_free(&tree);
}

/* Climbs step by step to the common ancestor. */
static uint32_t slow_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b) {
    while (a != b) {
        if (tree->nodes[a].depth < tree->nodes[b].depth)
            b = tree->nodes[b].parent;
        else
            a = tree->nodes[a].parent;
    }
    return a;
}

static void common_beginnings_are_those_found_step_by_step(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    uint64_t random = 1;
    assert_true(eti__prefix_tree_init(&tree));
    for (uint32_t i = 0; i < 2000; i++) {
        random = eti__hash_mix(random, i);
        uint32_t parent = (uint32_t)(random % tree.n_nodes), node;
        if (i % 3)
            parent = (uint32_t)tree.n_nodes - 1;
        assert_true(eti__prefix_tree_add(&tree, parent, i, &node));
    }
    for (uint32_t i = 0; i < 20000; i++) {
        random = eti__hash_mix(random, i);
        uint32_t a = (uint32_t)(random % tree.n_nodes),
                 b = (uint32_t)((random >> 32) % tree.n_nodes);
        assert_int_equal(eti__prefix_tree_common(&tree, a, b), slow_common(&tree, a, b));
    }
    eti__prefix_tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_numbered_in_the_order_of_their_coming),
        cmocka_unit_test(nothing_is_lost_around_each_power_of_two),
        cmocka_unit_test(every_byte_of_a_key_counts),
        cmocka_unit_test(an_empty_table_finds_nothing),
        cmocka_unit_test(keys_with_equal_hashes_are_distinguished),
        cmocka_unit_test(texts_are_distinguished_by_content),
        cmocka_unit_test(pointers_keep_the_first_number_given),
        cmocka_unit_test(shared_texts_have_one_number_wherever_they_lie),
        cmocka_unit_test(a_table_without_memory_is_as_before),
        cmocka_unit_test(a_path_is_there_once),
        cmocka_unit_test(paths_are_cut),
        cmocka_unit_test(common_beginnings_are_those_found_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
