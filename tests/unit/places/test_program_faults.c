#include "inspector_fixture.h"

#include "support.h"

#include "program_builder.h"

#include "seen_fixture.h"

#include "program_files.h"

/* ==== data faults ============================================================================= */
/* Notes about data files that a program does not need, and about weights that are missing. */

#define MOST_FILES 3

/* A program with external weights of 1, 2 ... floats, and data files. */
typedef struct weights {
    const char *const *names;             /* of the weights; NULL: there is no program */
    const char *const *files[MOST_FILES]; /* names in each data file; NULL: no such file */
} weights;

#define WEIGHTS(...) (&(const weights){__VA_ARGS__})
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_NAMES ((const char *const[]){NULL})

/* Writes a data file with these names, which share a segment of 8 bytes after the FlatBuffer and its header. */
static void make_data_file(builder *b, char *file_name, const char *const *names) {
    enum { HEADER = 40, DATA = 8 };
    table_list entries = {0};
    put(b, "01234567", DATA);
    for (; *names; names++)
        add_table(&entries, PUT_TABLE(b, target_slot(put_string(b, *names)), (slot){4, 0, 0}));
    place segment = put_segment(b, 0, DATA);
    place all = put_list(b, &entries), segments = put_tables(b, &segment, 1);
    place root = PUT_TABLE(b, (slot){4, 1, 0}, target_slot(segments), target_slot(all));
    uint64_t metadata = b->size - DATA;
    put_number(b, DATA, 8);
    put_number(b, metadata + HEADER + 8, 8);
    put_number(b, metadata, 8);
    put_number(b, HEADER + 8, 8);
    put_number(b, HEADER, 4);
    put(b, "FH01", 4);
    finish_as(b, root, "FT01", false);
    b->file.name = file_name;
}

static void make_program(program_spec *p, const char *const *names) {
    builder *b = &p->b;
    p->n_operators = 1;
    add_value(p, A_NULL, PUT_TABLE(b, (slot){0}));
    for (int32_t i = 0; names[i]; i++)
        ADD_TENSOR(p, .scalar_type = TYPE_FLOAT, .sizes = I32S(b, i + 1), .is_external = true,
                   .name = names[i]);
    add_call(p, A_KERNEL_CALL, 0, I32S(b, 0));
    finish_program(p);
}

typedef struct expected_note {
    eti_note_kind kind;
    const char *text;
} expected_note;

static void expect_notes_of(const weights *w, const expected_note *expected, size_t n) {
    static char file_names[MOST_FILES][8] = {"a.ptd", "b.ptd", "c.ptd"};
    builder files[MOST_FILES] = {{0}};
    eti_source data[MOST_FILES];
    program_spec p = {.n_operators = 0};
    eti_inputs inputs = {.data = data};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    if (w->names)
        make_program(&p, w->names);
    const eti_source program = {p.b.file.name, p.b.file.data, p.b.file.size};
    if (w->names) {
        inputs.programs = &program;
        inputs.n_programs = 1;
    }
    for (size_t i = 0; i < MOST_FILES && w->files[i]; i++) {
        make_data_file(&files[i], file_names[i], w->files[i]);
        data[inputs.n_data++] = (eti_source){file_names[i], files[i].file.data, files[i].file.size};
    }
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    size_t before = inspector->n_notes;
    assert_ok(eti__data_faults_note(inspector, &err));
    for (size_t i = 0; i < n; i++) {
        assert_true(before + i < inspector->n_notes);
        const eti_note *note = &inspector->notes[before + i];
        assert_text(note->text, expected[i].text);
        assert_int_equal(note->kind, expected[i].kind);
    }
    assert_int_equal(inspector->n_notes - before, n);
    eti_inspector_close(inspector);
    builder_free(&p.b);
    for (size_t i = 0; i < MOST_FILES; i++)
        builder_free(&files[i]);
}

#define expect_notes(w, ...)                                                                       \
    expect_notes_of((w), (const expected_note[]){__VA_ARGS__},                                     \
                    COUNT_OF(((const expected_note[]){__VA_ARGS__})))
#define GOOD(...)                                                                                  \
    { ETI_NOTE_INFO, __VA_ARGS__ }
#define BAD(...)                                                                                   \
    { ETI_NOTE_WARNING, __VA_ARGS__ }

static void programs_with_all_their_weights(void **state) {
    (void)state;
    expect_notes_of(WEIGHTS(.names = NO_NAMES), NULL, 0);
    expect_notes(WEIGHTS(.names = NAMES("v"), .files = {NAMES("v")}),
                 GOOD("a.ptd: a data file with 1 name"));
    expect_notes(WEIGHTS(.names = NAMES("v", "w"), .files = {NAMES("w"), NAMES("x", "v")}),
                 GOOD("a.ptd: a data file with 1 name"), GOOD("b.ptd: a data file with 2 names"));
}

static void data_files_without_a_program(void **state) {
    (void)state;
    expect_notes(WEIGHTS(.files = {NAMES("v")}),
                 GOOD("a.ptd: a data file with 1 name, but no program: give the .pte to check it"));
    expect_notes(
        WEIGHTS(.files = {NAMES("v", "w"), NO_NAMES}),
        GOOD("a.ptd: a data file with 2 names, but no program: give the .pte to check it"),
        GOOD("b.ptd: a data file with 0 names, but no program: give the .pte to check it"));
}

/* Weights have 4 bytes, 8 bytes ... */
static void weights_without_a_data_file(void **state) {
    (void)state;
    expect_notes(WEIGHTS(.names = NAMES("v")),
                 GOOD("test.pte: needs weights with 1 name, 4 B, that are in a data file "
                      "(.ptd): give it to check it"));
    expect_notes(WEIGHTS(.names = NAMES("v", "w")),
                 GOOD("test.pte: needs weights with 2 names, 12 B, that are in a data file "
                      "(.ptd): give it to check it"));
}

static void weights_in_none_of_the_data_files(void **state) {
    (void)state;
    expect_notes(WEIGHTS(.names = NAMES("v", "w"), .files = {NAMES("v")}),
                 GOOD("a.ptd: a data file with 1 name"),
                 BAD("test.pte: needs weights with 1 name, 8 B, that are not in any of the "
                     "data files: give those of its export"));
    expect_notes(WEIGHTS(.names = NAMES("u", "v", "w"), .files = {NAMES("v"), NO_NAMES}),
                 GOOD("a.ptd: a data file with 1 name"), GOOD("b.ptd: a data file with 0 names"),
                 BAD("test.pte: needs weights with 2 names, 16 B, that are not in any of the "
                     "data files: give those of its export"));
}

#define FOREIGN(name, names)                                                                       \
    BAD(name ": a data file with " names ", none of which the program test.pte needs: give the "   \
             "data file of its export")

static void data_files_that_the_program_does_not_need(void **state) {
    (void)state;
    expect_notes(WEIGHTS(.names = NO_NAMES, .files = {NAMES("v")}), FOREIGN("a.ptd", "1 name"));
    expect_notes(WEIGHTS(.names = NAMES("v"), .files = {NAMES("v"), NAMES("w", "x")}),
                 GOOD("a.ptd: a data file with 1 name"), FOREIGN("b.ptd", "2 names"));
    expect_notes(WEIGHTS(.names = NAMES("v"), .files = {NAMES("x"), NAMES("v"), NAMES("y")}),
                 FOREIGN("a.ptd", "1 name"), GOOD("b.ptd: a data file with 1 name"),
                 FOREIGN("c.ptd", "1 name"));
}

static void damaged_data_files_fail(void **state) {
    (void)state;
    char name[] = "a.ptd";
    builder file = {0};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    make_data_file(&file, name, NAMES("v"));
    const eti_source data = {name, file.file.data, file.file.size - 9};
    const eti_inputs inputs = {.data = &data, .n_data = 1};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_fails(eti__data_faults_note(inspector, &err), ETI_ERROR_MALFORMED, "a.ptd");
    eti_inspector_close(inspector);
    builder_free(&file);
}

/* ==== handle notes ============================================================================ */
/* Notes about calls in branches and loops, which the debug_handle_map leaves out. */

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

/* ==== plan faults ============================================================================= */
/* Tests programs whose memory is planned correctly and, after a changed offset, incorrectly. */

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

/* ==== program notes =========================================================================== */
/* Notes about the methods of programs, and about the blocks that ran them. */

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

/* ==== test case faults ======================================================================== */
/* Checks the test cases of an exported program against changed copies of its method. */

#define PATH "testdata/bundled-inputs/bundle.bpte"
#define AGAIN "; bundle the program again (etinspect bundle)"

/* A program, a copy of its method that tests change, and an inspector that receives the notes. */
typedef struct bundled {
    program_file program;
    eti_pte pte;
    eti_pte_plan plan;
    eti_inspector inspector;
} bundled;

static void start(bundled *b) {
    *b = (bundled){.inspector = {.n_programs = 1}};
    open_program(&b->program, PATH, NULL);
    b->pte = b->program.pte;
    assert_int_equal(b->pte.n_plans, 1);
    b->plan = b->pte.plans[0];
    b->pte.plans = &b->plan;
    b->inspector.programs = &b->pte;
}

/* Expects a single note, and frees all. */
static void expect_case_note(bundled *b, eti_note_kind kind, const char *text) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__test_case_faults_note(&b->inspector, &err));
    assert_int_equal(b->inspector.n_notes, 1);
    assert_text(b->inspector.notes[0].text, text);
    assert_int_equal(b->inspector.notes[0].kind, kind);
    free(b->inspector.notes);
    eti__arena_free(&b->inspector.arena);
    close_program(&b->program);
}

#define FAULTS(n) PATH ": 2 test cases with " n " that the runtime rejects or cannot compare: "

static void test_cases_are_counted(void **state) {
    (void)state;
    bundled b;
    start(&b);
    expect_case_note(&b, ETI_NOTE_INFO, PATH ": 2 test cases");
    start(&b);
    b.inspector.n_programs = 0;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__test_case_faults_note(&b.inspector, &err));
    assert_int_equal(b.inspector.n_notes, 0);
    close_program(&b.program);
}

static void each_value_has_one_of_the_method(void **state) {
    (void)state;
    bundled b;
    const int32_t none[] = {-1, -1};
    start(&b);
    b.plan.inputs.n = 0;
    expect_case_note(
        &b, ETI_NOTE_WARNING,
        FAULTS("2 values") "input 0 of test case 0 of forward is too many: the method has "
                           "0, the test case 1, and others" AGAIN);
    start(&b);
    const int32_t outputs[] = {b.plan.outputs.items[0], -1};
    b.plan.outputs = (eti_pte_indices){outputs, 2};
    expect_case_note(
        &b, ETI_NOTE_WARNING,
        FAULTS("2 values") "output 1 of test case 0 of forward is missing: the method has "
                           "2, the test case 1, and others" AGAIN);
    start(&b);
    b.plan.inputs = (eti_pte_indices){none, 2}; /* two faults in each test case */
    expect_case_note(
        &b, ETI_NOTE_WARNING,
        FAULTS("4 values") "input 0 of test case 0 of forward is not of the kind that the "
                           "method expects, and others" AGAIN);
}

static void tensors_are_compared_with_those_of_the_method(void **state) {
    (void)state;
    bundled b;
    start(&b);
    eti_pte_tensor tensor = *eti__pte_tensor_at(&b.plan, b.plan.outputs.items[0]);
    eti_pte_value *values = calloc(b.plan.n_values, sizeof *values);
    assert_non_null(values);
    memcpy(values, b.plan.values, b.plan.n_values * sizeof *values);
    values[b.plan.inputs.items[0]] = (eti_pte_value){.kind = ETI_PTE_INT};
    values[b.plan.outputs.items[0]].of.as_tensor = &tensor;
    tensor.scalar_type = 7;
    b.plan.values = values;
    expect_case_note(
        &b, ETI_NOTE_WARNING,
        FAULTS("4 values") "input 0 of test case 0 of forward is not of the kind that the "
                           "method expects, and others" AGAIN);
    start(&b);
    tensor = *eti__pte_tensor_at(&b.plan, b.plan.inputs.items[0]);
    memcpy(values, b.plan.values, b.plan.n_values * sizeof *values);
    values[b.plan.inputs.items[0]].of.as_tensor = &tensor;
    tensor.scalar_type = 7;
    b.plan.values = values;
    expect_case_note(
        &b, ETI_NOTE_WARNING,
        FAULTS("2 values") "input 0 of test case 0 of forward is not what the method "
                           "expects: expected float64 [1, 8], found float32 [1, 8], and "
                           "others" AGAIN);
    free(values);
}

/* The method counts as one value, whatever its test cases hold. */
static void a_method_must_exist(void **state) {
    (void)state;
    bundled b;
    start(&b);
    b.plan.name = eti__text_of("other");
    expect_case_note(&b, ETI_NOTE_WARNING,
                     FAULTS("1 value") "the program has no method forward" AGAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_with_all_their_weights),
        cmocka_unit_test(data_files_without_a_program),
        cmocka_unit_test(weights_without_a_data_file),
        cmocka_unit_test(weights_in_none_of_the_data_files),
        cmocka_unit_test(data_files_that_the_program_does_not_need),
        cmocka_unit_test(damaged_data_files_fail),
        cmocka_unit_test(calls_without_handles_are_counted),
        cmocka_unit_test(calls_that_ran_are_counted_without_a_program),
        cmocka_unit_test(other_files_give_no_note),
        cmocka_unit_test(correct_plans_are_reported),
        cmocka_unit_test(overlaps_are_named),
        cmocka_unit_test(an_input_is_named_by_its_role),
        cmocka_unit_test(with_a_move_they_are_possible),
        cmocka_unit_test(ends_behind_arenas_are_named),
        cmocka_unit_test(three_are_named_and_the_rest_counted),
        cmocka_unit_test(all_programs_are_examined_once),
        cmocka_unit_test(methods_have_counts),
        cmocka_unit_test(blocks_that_ran_a_method_are_named),
        cmocka_unit_test(the_only_block_is_named),
        cmocka_unit_test(without_a_program_there_is_nothing_to_say),
        cmocka_unit_test(programs_of_exports),
        cmocka_unit_test(test_cases_are_counted),
        cmocka_unit_test(each_value_has_one_of_the_method),
        cmocka_unit_test(tensors_are_compared_with_those_of_the_method),
        cmocka_unit_test(a_method_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
