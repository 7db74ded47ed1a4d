/* Notes about data files that a program does not need, and about weights that are missing. */
#include "places/data_faults.h"

#include "inspector_fixture.h"
#include "program_builder.h"

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
                 GOOD("test.pte: needs weights with 1 name, 4 bytes, that are in a data file "
                      "(.ptd): give it to check it"));
    expect_notes(WEIGHTS(.names = NAMES("v", "w")),
                 GOOD("test.pte: needs weights with 2 names, 12 bytes, that are in a data file "
                      "(.ptd): give it to check it"));
}

static void weights_in_none_of_the_data_files(void **state) {
    (void)state;
    expect_notes(WEIGHTS(.names = NAMES("v", "w"), .files = {NAMES("v")}),
                 GOOD("a.ptd: a data file with 1 name"),
                 BAD("test.pte: needs weights with 1 name, 8 bytes, that are not in any of the "
                     "data files: give those of its export"));
    expect_notes(WEIGHTS(.names = NAMES("u", "v", "w"), .files = {NAMES("v"), NO_NAMES}),
                 GOOD("a.ptd: a data file with 1 name"), GOOD("b.ptd: a data file with 0 names"),
                 BAD("test.pte: needs weights with 2 names, 16 bytes, that are not in any of the "
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_with_all_their_weights),
        cmocka_unit_test(data_files_without_a_program),
        cmocka_unit_test(weights_without_a_data_file),
        cmocka_unit_test(weights_in_none_of_the_data_files),
        cmocka_unit_test(data_files_that_the_program_does_not_need),
        cmocka_unit_test(damaged_data_files_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
