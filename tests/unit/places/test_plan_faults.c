/* Tests programs whose memory is planned correctly and, after a changed offset, incorrectly. */
#include "program_builder.h"
#include "support.h"

#include "places/plan_faults.h"

typedef struct fixture {
    program_spec p;
    eti_inspector *inspector;
} fixture;

static int32_t add_planned(fixture *f, uint32_t offset) {
    return ADD_TENSOR(&f->p, .scalar_type = 6, .sizes = I32S(&f->p.b, 4), .is_planned = true,
                      .memory_id = 1, .offset_low = offset);
}

static bool contains(eti_text text, const char *part) {
    return eti__text_contains(text, eti__text_of(part));
}

/* Opens a program whose instructions write three tensors, all of which the last instruction reads. Each has 16 bytes; two
 * lie at 0 and 16, the third at `offset`, in an arena of 48 bytes. */
static void open_chain(fixture *f, uint32_t offset, bool has_move) {
    eti_error err = ETI_ERROR_INIT;
    builder *b = &f->p.b;
    int32_t a = add_planned(f, 0), c = add_planned(f, 16), d = add_planned(f, offset);
    f->p.n_operators = 1;
    f->p.inputs = I32S(b, a);
    f->p.outputs = I32S(b, d);
    f->p.arenas = I64S(b, 0, 48);
    add_call(&f->p, A_KERNEL_CALL, 0, I32S(b, a, a, c, c));
    add_call(&f->p, A_KERNEL_CALL, 0, I32S(b, a, c, d, d));
    if (has_move)
        add_instruction(&f->p, A_MOVE_CALL, d, d);
    finish_program(&f->p);
    const eti_source source = {b->file.name, b->file.data, b->file.size};
    const eti_inputs inputs = {.programs = &source, .n_programs = 1};
    assert_ok(eti__inspector_open(&f->inspector, &inputs, NULL, &err));
    assert_int_equal(f->inspector->n_notes, 0);
    assert_ok(eti__plan_faults_note(f->inspector, &err));
}

static void assert_note(const fixture *f, size_t i, eti_note_kind kind, const char *text) {
    assert_in_range(i, 0, f->inspector->n_notes - 1);
    assert_int_equal(f->inspector->notes[i].kind, kind);
    assert_text(f->inspector->notes[i].text, text);
}

static void end(fixture *f) {
    eti_inspector_close(f->inspector);
    builder_free(&f->p.b);
}

static void correct_plans_are_reported(void **state) {
    (void)state;
    fixture f = {0};
    open_chain(&f, 32, false);
    assert_int_equal(f.inspector->n_notes, 1);
    assert_note(&f, 0, ETI_NOTE_INFO, "test.pte: no tensor is planned over another in use");
    end(&f);
}

static void overlaps_are_named(void **state) {
    (void)state;
    fixture f = {0};
    open_chain(&f, 24, false);
    assert_int_equal(f.inspector->n_notes, 1);
    assert_note(
        &f, 0, ETI_NOTE_WARNING,
        "test.pte: method forward: 1 tensor is planned over others in use: value 2 (aten::add.out, "
        "16 bytes at 24) on value 1 (aten::add.out, 16 bytes at 16) in arena 1 at instruction 1; "
        "results may be wrong: export the program with another memory planner");
    end(&f);
}

static void an_input_is_named_by_its_role(void **state) {
    (void)state;
    fixture f = {0};
    open_chain(&f, 0, false);
    assert_int_equal(f.inspector->n_notes, 1);
    assert_true(contains(f.inspector->notes[0].text, "on value 0 (input, 16 bytes at 0)"));
    end(&f);
}

static void with_a_move_they_are_possible(void **state) {
    (void)state;
    fixture f = {0};
    open_chain(&f, 24, true);
    assert_int_equal(f.inspector->n_notes, 1);
    assert_int_equal(f.inspector->notes[0].kind, ETI_NOTE_INFO);
    assert_true(contains(f.inspector->notes[0].text, "1 tensor is possibly planned over"));
    end(&f);
}

static void ends_behind_arenas_are_named(void **state) {
    (void)state;
    for (int has_move = 0; has_move < 2; has_move++) { /* a fault with and without a move */
        fixture f = {0};
        open_chain(&f, 33, has_move);
        assert_int_equal(f.inspector->n_notes, 1);
        assert_note(&f, 0, ETI_NOTE_WARNING,
                    "test.pte: method forward: 1 tensor extends beyond its arena: value 2 "
                    "(aten::add.out, 16 bytes at 33) in arena 1 of 48 bytes; the method cannot be "
                    "loaded: export the program again");
        end(&f);
    }
}

static void three_are_named_and_the_rest_counted(void **state) {
    (void)state;
    fixture f = {0};
    for (uint32_t i = 0; i < 4; i++)
        add_planned(&f, 100 + 16 * i);
    open_chain(&f, 100, false);
    assert_int_equal(f.inspector->n_notes, 1);
    const eti_text text = f.inspector->notes[0].text;
    assert_true(contains(text, "5 tensors extend beyond their arena: value 0 (unused, "));
    assert_true(contains(text, "value 2 (unused, 16 bytes at 132) in arena 1 of 48 bytes; and 2 "
                               "more; the method"));
    assert_false(contains(text, "value 3"));
    end(&f);
}

static void all_programs_are_examined_once(void **state) {
    eti_error err = ETI_ERROR_INIT;
    (void)state;
    fixture f = {0}, g = {0};
    open_chain(&f, 24, false);
    open_chain(&g, 33, false);
    const eti_source sources[] = {{"a.pte", f.p.b.file.data, f.p.b.file.size},
                                  {"b.pte", g.p.b.file.data, g.p.b.file.size}};
    const eti_inputs inputs = {.programs = sources, .n_programs = 2};
    eti_inspector *both;
    assert_ok(eti__inspector_open(&both, &inputs, NULL, &err));
    for (int i = 0; i < 2; i++) {
        assert_ok(eti_inspector_check_plans(both, &err));
        assert_int_equal(eti_inspector_note_count(both), 4);
    }
    assert_text(eti_inspector_note_text(both, 0),
                "a.pte: a program, method forward with 2 instructions and 0 delegates");
    assert_text(eti_inspector_note_text(both, 1),
                "b.pte: a program, method forward with 2 instructions and 0 delegates");
    assert_memory_equal(eti_inspector_note_text(both, 2).data, "a.pte: method forward: 1 tensor is",
                        34);
    assert_memory_equal(eti_inspector_note_text(both, 3).data,
                        "b.pte: method forward: 1 tensor extends", 39);
    eti_inspector_close(both);
    end(&f);
    end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_plans_are_reported),
        cmocka_unit_test(overlaps_are_named),
        cmocka_unit_test(an_input_is_named_by_its_role),
        cmocka_unit_test(with_a_move_they_are_possible),
        cmocka_unit_test(ends_behind_arenas_are_named),
        cmocka_unit_test(three_are_named_and_the_rest_counted),
        cmocka_unit_test(all_programs_are_examined_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
