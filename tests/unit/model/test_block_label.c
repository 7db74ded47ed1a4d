/* Tests the labels of EventBlocks for people. */
#include "support.h"

#include "model/block_label.h"

#define BLOCK(text, input)                                                                         \
    { .name = {text, sizeof(text) - 1}, .bundled_input_index = (input) }

static void assert_labels(eti_event_block *blocks, size_t n, const char *const *expected) {
    eti_blocks all = {.blocks = blocks, .n_blocks = n};
    eti_arena arena = {0};
    assert_true(eti__blocks_label(&all, false, &arena));
    for (size_t i = 0; i < n; i++)
        assert_text(blocks[i].label, expected[i]);
    eti__arena_free(&arena);
}

static void test_a_name_of_its_own_stays(void **state) {
    (void)state;
    eti_event_block blocks[] = {BLOCK("Default", -1), BLOCK("Execute", 3)};
    static const char *const expected[] = {"Default", "Execute"};
    assert_labels(blocks, COUNT_OF(blocks), expected);
    assert_labels(blocks, 0, NULL);
}

static void test_inputs_distinguish_blocks(void **state) {
    (void)state;
    eti_event_block blocks[] = {BLOCK("Execute", 0), BLOCK("Default", -1), BLOCK("Execute", 7)};
    static const char *const expected[] = {"Execute [input 0]", "Default", "Execute [input 7]"};
    assert_labels(blocks, COUNT_OF(blocks), expected);
}

static void test_or_else_their_numbers(void **state) {
    (void)state;
    eti_event_block methods[] = {BLOCK("Execute", -1), BLOCK("Default", -1), BLOCK("Execute", -1)};
    static const char *const numbered[] = {"Execute [0]", "Default", "Execute [1]"};
    assert_labels(methods, COUNT_OF(methods), numbered);
    eti_event_block twice[] = {BLOCK("Execute", 1), BLOCK("Execute", 1), BLOCK("Execute", 2)};
    static const char *const all[] = {"Execute [0]", "Execute [1]", "Execute [2]"};
    assert_labels(twice, COUNT_OF(twice), all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_of_its_own_stays),
        cmocka_unit_test(test_inputs_distinguish_blocks),
        cmocka_unit_test(test_or_else_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
