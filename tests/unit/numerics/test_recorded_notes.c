/* Notes about debug buffers of 256 bytes. */
#include "numerics/recorded_notes.h"

#include "inspector_fixture.h"

#define IS_COMPLEX UINT64_C(1000000) /* in place of an offset: of a type that cannot be read */

typedef struct expected_note {
    eti_note_kind kind;
    const char *text;
} expected_note;

/* Expects the notes about floats at these offsets, which each of `n_runs` runs recorded; `bytes` NULL: no debug buffer. */
static void expect_notes_of(size_t n_runs, const uint8_t *bytes, const uint64_t *offsets, size_t n,
                            const expected_note *expected, size_t n_expected) {
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    const eti_source buffer = {"debug.bin", bytes, 256};
    session s = {.options = &undebugged, .debug_buffer = bytes ? &buffer : NULL};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    place tensors[8];
    for (size_t i = 0; i < n; i++)
        tensors[i] =
            offsets[i] == IS_COMPLEX ? TENSOR(b, 9, 0, 1) : TENSOR(b, TYPE_FLOAT, offsets[i], 1);
    place value =
        VALUE(b, .val = SOME(VAL_TENSOR_LIST), .tensor_list = put_tensor_list(b, tensors, n));
    const place run =
        RUN(b, "Execute",
            TIMED(b, .name = "k", .instruction_id = SOME(1), .start_time = 1, .end_time = 2),
            LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value));
    const place runs[] = {run, run};
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, n_runs)), NULL);
    size_t before = s.inspector->n_notes;
    assert_ok(eti__recorded_note(s.inspector, &err));
    assert_int_equal(s.inspector->n_notes - before, n_expected);
    for (size_t i = 0; i < n_expected; i++) {
        const eti_note *note = &s.inspector->notes[before + i];
        assert_int_equal(note->kind, expected[i].kind);
        assert_text(note->text, expected[i].text);
    }
    close_session(&s);
}

static void expect_notes(const uint8_t *bytes, const uint64_t *offsets, size_t n,
                         const expected_note *expected, size_t n_expected) {
    expect_notes_of(1, bytes, offsets, n, expected, n_expected);
}

#define OFFSETS(...)                                                                               \
    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)
#define NOTES(...)                                                                                 \
    (const expected_note[]){__VA_ARGS__},                                                          \
        sizeof((const expected_note[]){__VA_ARGS__}) / sizeof(expected_note)
#define LIE(what)                                                                                  \
    { ETI_NOTE_INFO, what " in the debug buffer" }
#define USED(what)                                                                                 \
    {                                                                                              \
        ETI_NOTE_WARNING, "debug.bin: " what                                                       \
                          " gaps between recorded tensors are not zero, but the runtime writes "   \
                          "zeros there: it does not belong to this ETDump; give the debug buffer " \
                          "written with it"                                                        \
    }

static void tensors_are_counted(void **state) {
    (void)state;
    const uint8_t zeros[256] = {0};
    expect_notes(zeros, OFFSETS(0), NOTES(LIE("1 recorded tensor lies")));
    expect_notes(zeros, OFFSETS(0, 64), NOTES(LIE("2 recorded tensors lie")));
    expect_notes(zeros, NULL, 0,
                 NOTES({ETI_NOTE_HINT,
                        "debug.bin: a debug buffer, but it contains no tensors: turn on logging of "
                        "intermediate outputs, or of program outputs"}));
    expect_notes(NULL, OFFSETS(0, 64), NULL, 0);
    expect_notes_of(2, zeros, OFFSETS(0, 64), NOTES(LIE("4 recorded tensors lie")));
}

static void types_that_cannot_be_read_are_counted(void **state) {
    (void)state;
    const uint8_t zeros[256] = {0};
    expect_notes(
        zeros, OFFSETS(IS_COMPLEX, 0),
        NOTES(LIE("1 recorded tensor lies"),
              {ETI_NOTE_HINT, "1 recorded tensor is of a type whose elements cannot be read"}));
    expect_notes(
        zeros, OFFSETS(IS_COMPLEX, IS_COMPLEX),
        NOTES({ETI_NOTE_HINT, "2 recorded tensors are of a type whose elements cannot be read"}));
}

/* Half of the tensors may lie outside if the debug buffer was cut short. */
static void tensors_outside_are_counted(void **state) {
    (void)state;
    uint8_t used[256];
    memset(used, 1, sizeof used);
    const uint8_t zeros[256] = {0};
    expect_notes(zeros, OFFSETS(0, 253, 252),
                 NOTES({ETI_NOTE_WARNING,
                        "debug.bin: 1 of 3 recorded tensors lie beyond its end at byte 256: it was "
                        "cut short, or does not belong to this ETDump: copy it from the device "
                        "again"}));
    /* The gap between the tensors inside is not examined then. */
    expect_notes(used, OFFSETS(0, 256, 257, 258, 16),
                 NOTES({ETI_NOTE_WARNING,
                        "debug.bin: 3 of 5 recorded tensors lie beyond its end at byte 256: it "
                        "does not belong to this ETDump: give the debug buffer written with it"}));
}

/* A gap has at most 63 bytes. One byte in it that is not zero is enough; more than half of the gaps must have one. */
static void gaps_between_tensors_are_zero(void **state) {
    (void)state;
    uint8_t bytes[256] = {0};
    bytes[0] = bytes[3] = bytes[67] = bytes[70] = 1; /* in tensors */
    expect_notes(bytes, OFFSETS(67, 0), NOTES(LIE("2 recorded tensors lie")));
    for (size_t at = 4; at < 67; at += 62) { /* the first and the last of the gap */
        bytes[at] = 1;
        expect_notes(bytes, OFFSETS(67, 0), NOTES(LIE("2 recorded tensors lie"), USED("1 of 1")));
        expect_notes(bytes, OFFSETS(68, 0), NOTES(LIE("2 recorded tensors lie")));
        bytes[at] = 0;
    }
    memset(bytes, 0, sizeof bytes);
    bytes[10] = 1;
    expect_notes(bytes, OFFSETS(64, 0, 32), NOTES(LIE("3 recorded tensors lie")));
    bytes[70] = 1;
    expect_notes(bytes, OFFSETS(96, 64, 0, 32),
                 NOTES(LIE("4 recorded tensors lie"), USED("2 of 3")));
    /* Tensors that touch or overlap have no gap between them. */
    expect_notes(bytes, OFFSETS(8, 4, 68, 66, 128), NOTES(LIE("5 recorded tensors lie")));
    bytes[13] = bytes[105] = 1;
    expect_notes(bytes, OFFSETS(0, 4, 8, 16), NOTES(LIE("4 recorded tensors lie"), USED("1 of 1")));
    /* A gap after one that is too wide counts. */
    expect_notes(bytes, OFFSETS(0, 100, 110), NOTES(LIE("3 recorded tensors lie"), USED("1 of 1")));
    expect_notes(
        bytes, OFFSETS(IS_COMPLEX, 100, 110),
        NOTES(LIE("2 recorded tensors lie"), USED("1 of 1"),
              {ETI_NOTE_HINT, "1 recorded tensor is of a type whose elements cannot be read"}));
}

/* ---- a debug buffer per ETDump ---------------------------------------------------------------- */

typedef struct recording {
    const uint8_t *bytes; /* 256 */
    uint64_t at[4];       /* offsets of its floats */
    size_t n;
} recording;

/* Expects the notes about an ETDump for each recording, with the debug buffers "0.bin", "1.bin" and so on. */
static void expect_notes_per_buffer(const recording *recordings, size_t n,
                                    const expected_note *expected, size_t n_expected) {
    enum { MOST = 3 };
    static const char *const names[] = {"0.bin", "1.bin", "2.bin"};
    static const eti_options undebugged = {.target_time_scale = ETI_SCALE_MS,
                                           .no_debug_data = true};
    builder dumps[MOST] = {{0}};
    eti_source sources[MOST], buffers[MOST];
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    for (size_t k = 0; k < n; k++) {
        builder *b = &dumps[k];
        place tensors[4];
        for (size_t i = 0; i < recordings[k].n; i++)
            tensors[i] = TENSOR(b, TYPE_FLOAT, recordings[k].at[i], 1);
        place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                            .tensor_list = put_tensor_list(b, tensors, recordings[k].n));
        finish_dump(b,
                    DUMP(b, RUN(b, "Execute",
                                TIMED(b, .name = "k", .instruction_id = SOME(1), .start_time = 1,
                                      .end_time = 2),
                                LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                    true);
        sources[k] = (eti_source){"a.etdp", b->file.data, b->file.size};
        buffers[k] = (eti_source){names[k], recordings[k].bytes, 256};
    }
    const eti_inputs inputs = {.etdumps = sources,
                               .n_etdumps = n,
                               .debug_buffer = &buffers[0],
                               .more_debug_buffers = &buffers[1],
                               .n_more_debug_buffers = n - 1};
    assert_ok(eti__inspector_open(&inspector, &inputs, &undebugged, &err));
    size_t before = inspector->n_notes;
    assert_ok(eti__recorded_note(inspector, &err));
    assert_int_equal(inspector->n_notes - before, n_expected);
    for (size_t i = 0; i < n_expected; i++) {
        assert_int_equal(inspector->notes[before + i].kind, expected[i].kind);
        assert_text(inspector->notes[before + i].text, expected[i].text);
    }
    eti_inspector_close(inspector);
    for (size_t k = 0; k < n; k++)
        builder_free(&dumps[k]);
}

#define USED_IN(name, what)                                                                        \
    {                                                                                              \
        ETI_NOTE_WARNING,                                                                          \
            name ": " what " gaps between recorded tensors are not zero, but the runtime "         \
                 "writes zeros there: it does not belong to this ETDump; give the "                \
                 "debug buffer written with it"                                                    \
    }

/* The file with the faults is named, and the gaps of the others do not count for it. */
static void each_debug_buffer_is_examined(void **state) {
    (void)state;
    uint8_t bad[256];
    memset(bad, 1, sizeof bad);
    const uint8_t clean[256] = {0};
    const expected_note inside[] = {{ETI_NOTE_INFO, "6 recorded tensors lie in the debug buffers"},
                                    USED_IN("1.bin", "1 of 1")};
    recording clean_first[] = {{clean, {0, 32, 64, 96}, 4}, {bad, {0, 32}, 2}};
    expect_notes_per_buffer(clean_first, 2, inside, 2);
    expect_notes_per_buffer((const recording[]){{clean, {0, 32, 64, 96}, 4}, {clean, {0, 32}, 2}},
                            2, inside, 1);
    /* The bytes of the last tensor of one buffer and of the first of the next one are not neighbours. */
    expect_notes_per_buffer((const recording[]){{bad, {0}, 1}, {bad, {32}, 1}}, 2,
                            NOTES({ETI_NOTE_INFO, "2 recorded tensors lie in the debug buffers"}));
    /* In a foreign buffer the gaps are not examined, but in the others they are. */
    expect_notes_per_buffer(
        (const recording[]){{bad, {0, 16}, 2}, {bad, {256, 256, 256, 256}, 4}, {bad, {0}, 0}}, 3,
        NOTES(USED_IN("0.bin", "1 of 1"),
              {ETI_NOTE_WARNING,
               "1.bin: 4 of 4 recorded tensors lie beyond its end at byte 256: it does not belong "
               "to this ETDump: give the debug buffer written with it"},
              {ETI_NOTE_HINT,
               "2.bin: a debug buffer, but it contains no tensors: turn on logging of "
               "intermediate outputs, or of program outputs"}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_counted),
        cmocka_unit_test(types_that_cannot_be_read_are_counted),
        cmocka_unit_test(tensors_outside_are_counted),
        cmocka_unit_test(gaps_between_tensors_are_zero),
        cmocka_unit_test(each_debug_buffer_is_examined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
