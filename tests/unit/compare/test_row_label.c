/* Tests the names of rows: namesakes of a block get what distinguishes them. */
#include "compare/row_label.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TEXT(string)                                                                               \
    { string, sizeof(string) - 1 }
#define EVENT(...)                                                                                 \
    { .kind = ETI_ENTRY_EVENT, __VA_ARGS__ }

static eti_arena arena;

static const eti_namesakes *find(const eti_profile_block *block) {
    const eti_namesakes *found;
    assert_true(eti__namesakes_find(&found, block, &arena));
    return found;
}

static bool needs_module(const eti_entry *entry, const eti_namesakes *namesakes) {
    eti_row_needs needs = {0};
    eti__needs_add(&needs, entry, namesakes);
    return needs.modules;
}

static int free_all(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static void assert_label(const eti_profile_block *block, size_t entry, const char *expected) {
    eti_buffer out = {0};
    eti__add_entry_label(&out, &block->entries[entry], &find(block)[entry]);
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
        .entries = entries, .n_entries = COUNT_OF(entries), .n_totals = 1};
    const eti_namesakes *found = find(&block);
    assert_label(&block, 0, "add");
    assert_label(&block, 1, "add (a)");
    assert_label(&block, 2, "add (b, m.py:2)");
    assert_label(&block, 3, "add (b, m.py:3)");
    assert_label(&block, 4, "add #4 (c, m.py:4)");
    assert_label(&block, 5, "add #5 (c, m.py:4)");
    assert_label(&block, 6, "add #6 (d)");
    assert_label(&block, 8, "add (m.py:5)");
    assert_label(&block, 9, "add #9");
    assert_label(&block, 10, "mul");
    assert_true(needs_module(&entries[1], &found[1]));
    assert_false(needs_module(&entries[0], &found[0]));   /* a total */
    assert_false(needs_module(&entries[9], &found[9]));   /* of no module */
    assert_false(needs_module(&entries[10], &found[10])); /* alone */
}

/* Labels are compared as they are printed: without folders, and with long texts folded. */
static void labels_differ_as_printed(void **state) {
    (void)state;
#define LONG "a.module.with.a.name.of.many.parts.that.is.too.long.to.be.shown.in.a.sentence.of."
    eti_entry entries[] = {
        EVENT(.name = TEXT("add"), .file = TEXT("/a/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .file = TEXT("/b/m.py"), .line = 1),
        EVENT(.name = TEXT("add"), .file = TEXT("/b/m.py"), .line = 2),
        EVENT(.name = TEXT("mul"), .module = TEXT(LONG "1." LONG)),
        EVENT(.name = TEXT("mul"), .module = TEXT(LONG "2." LONG)),
        EVENT(.name = TEXT("sub"), .module = TEXT(LONG "1." LONG), .file = TEXT("n.py"), .line = 3),
        EVENT(.name = TEXT("sub"), .module = TEXT(LONG "2." LONG), .file = TEXT("n.py"), .line = 4),
        EVENT(.name = TEXT("sub"), .module = TEXT("a")),
    };
    const eti_profile_block block = {.entries = entries, .n_entries = COUNT_OF(entries)};
#define FOLDED "a.module.with.a.name.of.many.parts.that...too.long.to.be.shown.in.a.sentence.of."
    assert_label(&block, 0, "add #1 (m.py:1)");
    assert_label(&block, 1, "add #2 (m.py:1)");
    assert_label(&block, 2, "add (m.py:2)");
    assert_label(&block, 3, "mul #1 (" FOLDED ")");
    assert_label(&block, 4, "mul #2 (" FOLDED ")");
    assert_label(&block, 5, "sub (" FOLDED ", n.py:3)");
    assert_label(&block, 6, "sub (" FOLDED ", n.py:4)");
    assert_label(&block, 7, "sub (a)");
    const eti_namesakes *found = find(&block);
    assert_text(found[0].beside_module, "add #1 (m.py:1)");
    assert_text(found[3].beside_module, "mul #1");
    assert_text(found[5].beside_module, "sub (n.py:3)");
    assert_null(found[7].beside_module.data); /* the module is enough */
}

/* Time is linear in the number of events: each of these has a name of its own, and a module. */
static void many_events_take_little_time(void **state) {
    (void)state;
    enum { N = 200000 };
    eti_entry *entries = calloc(N, sizeof *entries);
    char(*names)[16] = calloc(N, sizeof *names);
    assert_true(entries && names);
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        entries[i] = (eti_entry)EVENT(.name = eti__text_of(names[i]), .module = TEXT("m"));
    }
    const eti_profile_block block = {.entries = entries, .n_entries = N};
    clock_t begin = clock();
    const eti_namesakes *found = find(&block);
    for (int i = 0; i < N; i++)
        assert_false(needs_module(&entries[i], &found[i]));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
    free(entries);
    free(names);
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
    const eti_namesakes *of_base = find(&base), *of_new = find(&new_side);
    eti_diff_row row = {.name = TEXT("add"),
                        .block = TEXT("forward"),
                        .kind = ETI_ENTRY_EVENT,
                        .base = {.entry = &entries[0], .namesakes = &of_base[0]},
                        .new_side = {.entry = &entries[1], .namesakes = &of_new[1]}};
    const char *const expected[] = {"add (b) of forward", "add of forward", "add of forward"};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        eti_buffer out = {0};
        eti__add_row(&out, &row, true);
        assert_text(eti__buffer_text(&out), expected[i]);
        eti_row_needs needs = {0};
        eti__needs_add_row(&needs, &row);
        assert_true(needs.modules == (i == 0));
        eti__buffer_free(&out);
        if (i == 0)
            row.new_side = (eti_row_side){0}; /* removed; the base has no other of its name */
        else
            row.base.namesakes = NULL; /* a group */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(namesakes_differ_by_module_line_or_number, free_all),
        cmocka_unit_test_teardown(labels_differ_as_printed, free_all),
        cmocka_unit_test_teardown(many_events_take_little_time, free_all),
        cmocka_unit_test_teardown(rows_have_the_labels_of_their_entries, free_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
