/* Notes about the methods of programs, and about the blocks that ran them. */
#include "places/program_notes.h"

#include "seen_fixture.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefg" /* 59 */

static const eti_note *note_at(const eti_inspector *inspector, size_t i) {
    assert_true(i < inspector->n_notes);
    assert_int_equal(inspector->notes[i].kind, ETI_NOTE_INFO);
    return &inspector->notes[i];
}

static void methods_have_counts(void **state) {
    (void)state;
    seen s = {.program.n_operators = 1};
    program_spec *p = &s.program;
    builder *b = &s.session.b;
    eti_error err = ETI_ERROR_INIT;
    add_delegate_bytes(&s, "Npu", "x", 1);
    end_seen_method(&s, "one");
    add_delegate_bytes(&s, "Npu", "x", 1);
    add_delegate_bytes(&s, "Npu", "y", 1);
    add_call(p, A_KERNEL_CALL, 0, I32S(&p->b, 0));
    end_seen_method(&s, "two");
    end_seen_method(&s, LETTERS "h");
    add_call(p, A_KERNEL_CALL, 0, I32S(&p->b, 0));
    end_seen_method(&s, LETTERS "hi");
    open_seen(&s, DUMP(b, RUN(b, "Default", TIMED(b, .name = "Method::init", .end_time = 2))),
              NULL);
    static const char *const expected[] = {
        "test.pte: a program, method one with 1 instruction and 1 delegate",
        "test.pte: a program, method two with 3 instructions and 2 delegates",
        "test.pte: a program, method " LETTERS "h with 0 instructions and 0 delegates",
        "test.pte: a program, method " LETTERS "h... with 1 instruction and 0 delegates"};
    size_t before = s.session.inspector->n_notes;
    assert_ok(eti__programs_note(s.session.inspector, &err));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_text(note_at(s.session.inspector, before + i)->text, expected[i]);
    assert_int_equal(s.session.inspector->n_notes, before + COUNT_OF(expected));
    close_seen(&s);
}

/* The first block only loads, and the second logged a call that the program does not make. */
static void blocks_that_ran_a_method_are_named(void **state) {
    (void)state;
    seen s = {.program.n_operators = 1};
    builder *b = &s.session.b;
    eti_error err = ETI_ERROR_INIT;
    add_call(&s.program, A_KERNEL_CALL, 0, I32S(&s.program.b, 0));
    end_seen_method(&s, "first");
    add_delegate_bytes(&s, "Npu", "x", 1);
    end_seen_method(&s, LETTERS "hi");
    place add = TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(0), .end_time = 2);
    place mul = TIMED(b, .name = "native_call_mul.out", .instruction_id = SOME(0), .end_time = 2);
    open_seen(&s,
              DUMP(b, RUN(b, "Default", TIMED(b, .name = "Method::init", .end_time = 2)),
                   RUN(b, "Other", mul), RUN(b, "Execute", add),
                   RUN(b, "Execute", LOGGED_BY(b, 0, "anything"), CALL_OF(b, 0))),
              NULL);
    size_t before = s.session.inspector->n_notes;
    assert_ok(eti__programs_note(s.session.inspector, &err));
    assert_int_equal(s.session.inspector->n_notes, before + 4);
    assert_text(note_at(s.session.inspector, before + 2)->text,
                "test.pte: the events of block first match the kernels and delegates that its "
                "method first calls");
    assert_text(note_at(s.session.inspector, before + 3)->text,
                "test.pte: the events of block " LETTERS "hi match the kernels and delegates that "
                "its method " LETTERS "h... calls");
    close_seen(&s);
}

static void the_only_block_is_named(void **state) {
    (void)state;
    seen s = {.program.n_operators = 1};
    builder *b = &s.session.b;
    eti_error err = ETI_ERROR_INIT;
    add_call(&s.program, A_KERNEL_CALL, 0, I32S(&s.program.b, 0));
    place add = TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(0), .end_time = 2);
    open_seen(&s, DUMP(b, RUN(b, "Execute", add)), NULL);
    size_t before = s.session.inspector->n_notes;
    assert_ok(eti__programs_note(s.session.inspector, &err));
    assert_int_equal(s.session.inspector->n_notes, before + 2);
    assert_text(note_at(s.session.inspector, before + 1)->text,
                "test.pte: the events of block Execute match the kernels and delegates that its "
                "method forward calls");
    close_seen(&s);
}

static void without_a_program_there_is_nothing_to_say(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    eti_error err = ETI_ERROR_INIT;
    place add = TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(0), .end_time = 2);
    open_seen(&s, DUMP(b, RUN(b, "Execute", add)), NULL);
    size_t before = s.session.inspector->n_notes;
    assert_ok(eti__programs_note(s.session.inspector, &err));
    assert_int_equal(s.session.inspector->n_notes, before);
    close_seen(&s);
}

/* Files of an export: a bundled program, and one whose method has three chains, of 19, 2 and 1 instructions. */
static void programs_of_exports(void **state) {
    (void)state;
    static const eti_source programs[] = {{.path = "testdata/bundled-inputs/bundle.bpte"},
                                          {.path = "testdata/control-flow-chains/model.pte"}};
    static const char *const expected[] = {
        "testdata/bundled-inputs/bundle.bpte: a bundled program, method forward with 6 "
        "instructions and 0 delegates",
        "testdata/control-flow-chains/model.pte: a program, method forward with 22 instructions "
        "and 0 delegates"};
    const eti_inputs inputs = {.programs = programs, .n_programs = COUNT_OF(programs)};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    size_t before = inspector->n_notes;
    assert_ok(eti__programs_note(inspector, &err));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_text(note_at(inspector, before + i)->text, expected[i]);
    assert_int_equal(inspector->n_notes, before + COUNT_OF(expected));
    eti_inspector_close(inspector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_counts),
        cmocka_unit_test(blocks_that_ran_a_method_are_named),
        cmocka_unit_test(the_only_block_is_named),
        cmocka_unit_test(without_a_program_there_is_nothing_to_say),
        cmocka_unit_test(programs_of_exports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
