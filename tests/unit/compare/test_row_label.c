/* Tests the names of rows: namesakes of a block get what distinguishes them. */
#include "base/text.h"
#include "compare/row_label.h"
#include "support.h"

#define TEXT(string)                                                                               \
    { string, sizeof(string) - 1 }
#define EVENT(...)                                                                                 \
    { .kind = ETI_ENTRY_EVENT, __VA_ARGS__ }

static void assert_label(const eti_profile_block *block, size_t entry, bool names_block,
                         const char *expected) {
    eti_buffer out = {0};
    eti__add_entry_label(&out, block, &block->entries[entry], names_block);
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

static void namesakes_differ_by_module_line_or_number(void **state) {
    (void)state;
    eti_entry entries[] = {
        {.kind = ETI_ENTRY_EXECUTE, .name = TEXT("add")},
        EVENT(.name = TEXT("add"), .module = TEXT("a"), .file = TEXT("/x/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .module = TEXT("b"), .file = TEXT("/x/m.py"), .line = 2),
        EVENT(.name = TEXT("add"), .module = TEXT("b"), .file = TEXT("/x/m.py"), .line = 3),
        EVENT(.name = TEXT("add"), .module = TEXT("c"), .file = TEXT("/x/m.py"), .line = 4),
        EVENT(.name = TEXT("add"), .module = TEXT("c"), .file = TEXT("/x/m.py"), .line = 4),
        EVENT(.name = TEXT("add"), .module = TEXT("d")),
        EVENT(.name = TEXT("add"), .module = TEXT("d")),
        EVENT(.name = TEXT("add"), .file = TEXT("m.py"), .line = 5),
        EVENT(.name = TEXT("add")),
        EVENT(.name = TEXT("mul"), .module = TEXT("a"), .file = TEXT("m.py"), .line = 6),
    };
    const eti_profile_block block = {
        .label = TEXT("forward"), .entries = entries, .n_entries = COUNT_OF(entries)};
    assert_label(&block, 0, false, "add");
    assert_label(&block, 1, false, "add (a)");
    assert_label(&block, 2, false, "add (b, m.py:2)");
    assert_label(&block, 3, true, "add (b, m.py:3) of forward");
    assert_label(&block, 4, false, "add #4 (c, m.py:4)");
    assert_label(&block, 5, false, "add #5 (c, m.py:4)");
    assert_label(&block, 6, false, "add #6 (d)");
    assert_label(&block, 8, false, "add (m.py:5)");
    assert_label(&block, 9, false, "add #9");
    assert_label(&block, 10, false, "mul");
    assert_label(&block, 10, true, "mul of forward");
    assert_true(eti__entry_needs_module(&block, &entries[1]));
    assert_false(eti__entry_needs_module(&block, &entries[0]));  /* a total */
    assert_false(eti__entry_needs_module(&block, &entries[9]));  /* of no module */
    assert_false(eti__entry_needs_module(&block, &entries[10])); /* alone */
}

/* The label is that of the side with the name; a group needs none, although it has an entry. */
static void rows_have_the_labels_of_their_entries(void **state) {
    (void)state;
    eti_entry entries[] = {
        EVENT(.name = TEXT("add"), .module = TEXT("a")),
        EVENT(.name = TEXT("add"), .module = TEXT("b")),
        EVENT(.name = TEXT("add"), .module = TEXT("c")),
    };
    const eti_profile_block base = {.entries = entries, .n_entries = 1},
                            new_side = {.entries = entries, .n_entries = 3};
    eti_diff_row row = {.name = TEXT("add"),
                        .block = TEXT("forward"),
                        .kind = ETI_ENTRY_EVENT,
                        .base = {.entry = &entries[0], .block = &base},
                        .new_side = {.entry = &entries[1], .block = &new_side}};
    const char *const expected[] = {"add (b) of forward", "add of forward", "add of forward"};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        eti_buffer out = {0};
        eti__add_row(&out, &row, true);
        assert_text(eti__buffer_text(&out), expected[i]);
        assert_true(eti__row_needs_module(&row) == (i == 0));
        eti__buffer_free(&out);
        if (i == 0)
            row.new_side = (eti_row_side){0}; /* removed; the base has no other of its name */
        else
            row.base.block = NULL; /* a group */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(namesakes_differ_by_module_line_or_number),
        cmocka_unit_test(rows_have_the_labels_of_their_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
