/* Notes about calls in branches and loops, which the debug_handle_map leaves out. */
#include "places/handle_notes.h"

#include "support.h"

#define FOLDER "testdata/control-flow/"
#define REASON                                                                                     \
    " are not in the debug_handle_map of " FOLDER "record.etrecord, so that their events have no " \
    "operator, module or source line: the export records no debug handles inside cond, map, scan " \
    "and while_loop, nor for calls that it adds itself"

enum { DUMP_FILE = 1, RECORD_FILE = 2, PROGRAM_FILE = 4 };

/* Checks that these files give one note, or none if it is NULL. */
static void expect_note(const char *folder, int files, const char *expected) {
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    char paths[3][100];
    static const char *const names[] = {"run.etdp", "record.etrecord", "model.pte"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        snprintf(paths[i], sizeof paths[i], "%s%s", folder, names[i]);
    const eti_source dump = {.path = paths[0]}, record = {.path = paths[1]},
                     program = {.path = paths[2]};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = (files & DUMP_FILE) != 0,
                               .etrecord = files & RECORD_FILE ? &record : NULL,
                               .programs = &program,
                               .n_programs = (files & PROGRAM_FILE) != 0};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    size_t before = inspector->n_notes;
    assert_ok(eti__handles_note(inspector, &err));
    assert_int_equal(inspector->n_notes, before + (expected != NULL));
    if (expected) {
        assert_text(inspector->notes[before].text, expected);
        assert_int_equal(inspector->notes[before].kind, ETI_NOTE_HINT);
    }
    eti_inspector_close(inspector);
}

/* Of 22 instructions, 5 are jumps and moves; the map has the first two and the last three. */
static void calls_without_handles_are_counted(void **state) {
    (void)state;
    static const char of_program[] =
        "method forward: 12 of the 17 calls of kernels and delegates in the program" REASON;
    expect_note(FOLDER, RECORD_FILE | PROGRAM_FILE, of_program);
    expect_note(FOLDER, DUMP_FILE | RECORD_FILE | PROGRAM_FILE, of_program);
}

/* The runtime logs no events of its own operators, such as sym_size. Both branches ran, in two blocks. */
static void calls_that_ran_are_counted_without_a_program(void **state) {
    (void)state;
    expect_note(FOLDER, DUMP_FILE | RECORD_FILE,
                "7 of the 12 calls of kernels and delegates that ran" REASON);
}

static void other_files_give_no_note(void **state) {
    (void)state;
    expect_note(FOLDER, DUMP_FILE | PROGRAM_FILE, NULL);
    expect_note(FOLDER, RECORD_FILE, NULL);
    expect_note("testdata/mlp/", DUMP_FILE | RECORD_FILE | PROGRAM_FILE, NULL);
    expect_note("testdata/dynamic-batch/", DUMP_FILE | RECORD_FILE, NULL);
    expect_note("testdata/xnnpack-conv/", DUMP_FILE | RECORD_FILE | PROGRAM_FILE, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_without_handles_are_counted),
        cmocka_unit_test(calls_that_ran_are_counted_without_a_program),
        cmocka_unit_test(other_files_give_no_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
