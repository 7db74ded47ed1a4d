/* Provokes every note once; a dump and a record that fit cause no warning. */
#include "inspector_fixture.h"

/* Returns the number of notes of this kind that contain `part`. */
static size_t count_notes(const session *s, eti_note_kind kind, const char *part) {
    size_t n = 0;
    for (size_t i = 0; i < eti_inspector_note_count(s->inspector); i++) {
        n += eti_inspector_note_kind(s->inspector, i) == kind &&
             eti__text_contains(eti_inspector_note_text(s->inspector, i), eti__text_of(part));
    }
    return n;
}

static void print_notes(const session *s) {
    for (size_t i = 0; i < eti_inspector_note_count(s->inspector); i++) {
        eti_text text = eti_inspector_note_text(s->inspector, i);
        print_error("note: %.*s\n", (int)text.size, text.data);
    }
}

/* Checks that the note occurs once, and is the only warning if it is one. */
static void assert_note(session *s, eti_note_kind kind, const char *part) {
    size_t warnings = count_notes(s, ETI_NOTE_WARNING, "");
    if (count_notes(s, kind, part) != 1 || warnings != (kind == ETI_NOTE_WARNING)) {
        print_notes(s);
        fail_msg("expected once and as the only warning: %s", part);
    }
    close_session(s);
}

#define EDGE_OF_ADD EDGE_PROGRAM(NODE("add", "1", "key,path,type"))
#define FITTING_RECORD                                                                             \
    { .handles = "{\"1\": 1}", .edge = EDGE_OF_ADD }
#define ADD(b) TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(1), .end_time = 5)

static void files_that_fit_have_no_warning(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", ADD(b))), &(record_spec)FITTING_RECORD);
    assert_int_equal(count_notes(&s, ETI_NOTE_WARNING, ""), 0);
    assert_int_equal(count_notes(&s, ETI_NOTE_INFO, "test.etdp: an ETDump with size prefix, 1 run"),
                     1);
    assert_int_equal(count_notes(&s, ETI_NOTE_INFO, "1 event in 1 block"), 1);
    assert_int_equal(count_notes(&s, ETI_NOTE_INFO, "test.etrecord: a graph of 1 operator"), 1);
    assert_int_equal(count_notes(&s, ETI_NOTE_INFO,
                                 "test.etrecord: an ETRecord, method forward with 1 instruction"),
                     1);
    close_session(&s);
}

static void a_dump_without_size_prefix_is_said_to_be_one(void **state) {
    (void)state;
    session s = {.unprefixed = true};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", ADD(b)), RUN(b, "Execute", ADD(b))), NULL);
    assert_note(&s, ETI_NOTE_INFO, "an ETDump without size prefix, 2 runs");
}

static void a_dump_without_runs(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, put_dump(&s.b, (optional){0}, 0), NULL);
    assert_note(&s, ETI_NOTE_WARNING, "test.etdp: contains no run data");
    open_session(&s, put_dump(&s.b, (optional){0}, put_tables(&s.b, NULL, 0)), NULL);
    assert_note(&s, ETI_NOTE_WARNING, "test.etdp: contains no run data");
}

static void runs_without_events(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, put_run(b, &(run_spec){.name = "Execute"})), NULL);
    assert_note(&s, ETI_NOTE_WARNING, "1 run, but no event in it");
}

static void nothing_but_operator_calls(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place call = TIMED(b, .name = "OPERATOR_CALL", .instruction_id = SOME(1));
    open_session(&s, DUMP(b, RUN(b, "Execute", call)), NULL);
    assert_note(&s, ETI_NOTE_WARNING, "all events are OPERATOR_CALL");
}

static void nothing_but_loading(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s, DUMP(b, RUN(b, "Default", TIMED(b, .name = "Method::init", .instruction_id = SOME(0)))),
        NULL);
    assert_note(&s, ETI_NOTE_WARNING, "only loading and whole inferences were traced");
}

static void times_of_a_runtime_without_a_clock(void **state) {
    (void)state;
    session s = {0}, other = {0};
    builder *b = &s.b, *c = &other.b;
    place still = TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(1));
    place timed = TIMED(c, .name = "native_call_add.out", .instruction_id = SOME(1),
                        .start_time = 0, .end_time = 1);
    open_session(&s, DUMP(b, RUN(b, "Execute", still)), NULL);
    assert_note(&s, ETI_NOTE_HINT, "all times are 0");
    open_session(&other, DUMP(c, RUN(c, "Execute", timed)), NULL);
    assert_int_equal(count_notes(&other, ETI_NOTE_HINT, "all times are 0"), 0);
    close_session(&other);
}

static void allocation_events(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", ADD(b), ALLOCATED(b), ALLOCATED(b))), NULL);
    assert_note(&s, ETI_NOTE_INFO, "2 allocation events ignored");
}

static void a_delegate_that_logs_nothing(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place call = TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(1));
    open_session(&s, DUMP(b, RUN(b, "Execute", call)), NULL);
    assert_note(&s, ETI_NOTE_INFO, "the delegate does not log its own operators");
}

static void tensors_without_a_debug_buffer(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        static const float floats[2] = {1, 2};
        const eti_source buffer = {"buffer", floats, sizeof floats};
        session s = {.debug_buffer = given ? &buffer : NULL};
        builder *b = &s.b;
        place tensor = TENSOR(b, TYPE_FLOAT, 0, 2);
        place output =
            VALUE(b, .val = SOME(VAL_TENSOR), .tensor = tensor, .output = put_bool(b, 1));
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute", ADD(b),
                        LOGGED(b, .instruction_id = SOME(1), .value = TENSOR_VALUE(b, tensor)),
                        LOGGED(b, .value = output))),
            NULL);
        if (given) {
            assert_int_equal(count_notes(&s, ETI_NOTE_INFO, "debug_buffer_path"), 0);
            close_session(&s);
        } else {
            assert_note(&s, ETI_NOTE_INFO,
                        "2 recorded tensors without contents, of native_call_add.out: "
                        "give the debug buffer with debug_buffer_path");
        }
    }
}

/* A buffer would not help: the note does not ask for one. */
static void tensors_that_were_not_recorded(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        static const float floats[2] = {1, 2};
        const eti_source buffer = {"buffer", floats, sizeof floats};
        session s = {.debug_buffer = given ? &buffer : NULL};
        builder *b = &s.b;
        place gone = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, -1, 2));
        place empty = TENSOR_VALUE(b, TENSOR(b, TYPE_FLOAT, 0, 0));
        open_session(
            &s,
            DUMP(b, RUN(b, "Execute", ADD(b), LOGGED(b, .instruction_id = SOME(1), .value = gone),
                        LOGGED(b, .instruction_id = SOME(1), .value = empty))),
            NULL);
        assert_int_equal(count_notes(&s, ETI_NOTE_INFO, "debug_buffer_path"), 0);
        assert_note(&s, given ? ETI_NOTE_HINT : ETI_NOTE_INFO,
                    "1 recorded tensor without contents, of native_call_add.out, because the "
                    "recording program had no debug buffer, or a full one");
    }
}

/* Empty tensors need no buffer: the event that made one is not named. Neither is a name twice. */
static void the_events_of_tensors_that_need_the_buffer(void **state) {
    (void)state;
    static const char *const names[] = {"empty", "a", "a", "b", "c"};
    session s = {0};
    builder *b = &s.b;
    place events[10];
    for (int i = 0; i < 5; i++) {
        place tensor = i == 0 ? TENSOR(b, TYPE_FLOAT, -1, 0) : TENSOR(b, TYPE_FLOAT, 64 * i, 2);
        events[2 * i] = TIMED(b, .name = names[i], .instruction_id = SOME(i), .end_time = 5);
        events[2 * i + 1] = LOGGED(b, .instruction_id = SOME(i), .value = TENSOR_VALUE(b, tensor));
    }
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", events[0], events[1], events[2], events[3], events[4],
                             events[5], events[6], events[7], events[8], events[9])),
                 NULL);
    assert_note(&s, ETI_NOTE_INFO,
                "4 recorded tensors without contents, of 4 events (a, b, c and 1 more): give the "
                "debug buffer with debug_buffer_path");
}

/* ---- delegates' time scales ------------------------------------------------------------------ */

static eti_options with_scale(const eti_delegate_time_scale *scale) {
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.delegate_time_scales = scale;
    options.n_delegate_time_scales = 1;
    return options;
}

static void a_time_scale_for_a_backend_that_did_not_run(void **state) {
    (void)state;
    const eti_delegate_time_scale scale = {"Npu", ETI_SCALE_US, 0};
    eti_options options = with_scale(&scale);
    session s = {.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    assert_note(&s, ETI_NOTE_WARNING,
                "no event is delegated to Npu: backends are known only with the ETRecord");
    s = (session){.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), &(record_spec)FITTING_RECORD);
    assert_note(&s, ETI_NOTE_WARNING,
                "no event is delegated to Npu: its delegate time scale is not used");
}

static void cycles_beside_another_scale(void **state) {
    (void)state;
    const eti_delegate_time_scale scale = {NULL, ETI_SCALE_CYCLES, 0};
    eti_options options = with_scale(&scale);
    session s = {.options = &options};
    builder *b = &s.b;
    place delegated = TIMED(b, .instruction_id = SOME(1), .delegate_id_int = SOME(1));
    open_session(&s, DUMP(b, RUN(b, "Execute", delegated)), NULL);
    assert_note(
        &s, ETI_NOTE_WARNING,
        "events of delegates count cycles: the Inspector's table shows these instead of ms");
}

/* ---- the record ------------------------------------------------------------------------------ */

static void a_record_of_another_export(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))),
                 &(record_spec){.handles = "{\"77\": 1}", .edge = EDGE_OF_ADD});
    assert_note(&s, ETI_NOTE_WARNING, "no instruction of the ETDump is in its debug_handle_map");
}

/* Such records are exported for a model that consists of one scan. */
static void a_record_without_instructions(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))),
                 &(record_spec){.handles = "{}", .edge = EDGE_OF_ADD});
    assert_note(&s, ETI_NOTE_WARNING, "its debug_handle_map has no instructions");
}

static void handles_that_are_not_in_the_graph(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))),
                 &(record_spec){.handles = "{\"1\": 99}", .edge = EDGE_OF_ADD});
    assert_note(&s, ETI_NOTE_WARNING, "no debug handle of the events is in its graph");
}

static void kernels_of_other_operators(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = "native_call_mul.out", .instruction_id = SOME(1)),
                             TIMED(b, .name = "native_call_addmm.out", .instruction_id = SOME(1)))),
                 &(record_spec)FITTING_RECORD);
    assert_note(&s, ETI_NOTE_WARNING,
                "2 of 2 kernels that ran do not belong to the operators it lists for them");
}

static void an_empty_record(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), &(record_spec){0});
    assert_note(&s, ETI_NOTE_WARNING, "has neither an edge program nor a debug_handle_map");
}

static void a_record_without_handles(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))),
                 &(record_spec){.edge = EDGE_OF_ADD});
    assert_note(&s, ETI_NOTE_WARNING, "has no debug_handle_map for method forward");
}

static void a_record_without_a_graph(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))),
                 &(record_spec){.handles = "{\"1\": 1}"});
    assert_note(&s, ETI_NOTE_WARNING, "has no edge program for method forward");
}

static void a_delegate_without_a_mapping(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place delegated = TIMED(b, .instruction_id = SOME(1), .delegate_id_int = SOME(1));
    open_session(&s, DUMP(b, RUN(b, "Execute", delegated)), &(record_spec)FITTING_RECORD);
    assert_note(&s, ETI_NOTE_WARNING,
                "no delegate mapping found for 1 delegated event (instruction "
                "id 1): their backend is unknown");
}

/* ---- several methods ------------------------------------------------------------------------- */

static void make_two_methods(session *s) {
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "edge_dialect_exported_program/forward", EDGE_OF_ADD);
    add_member(&s->record, "edge_dialect_exported_program/encode", EDGE_OF_ADD);
    add_member(&s->record, "debug_handle_map",
               "{\"forward\": {\"1\": 1}, \"encode\": {\"1\": 1, \"2\": 1}}");
    add_member(&s->record, "delegate_map",
               "{\"forward\": {\"1\": {\"name\": \"Xnn\", \"delegate_map\": {}}}}");
    finish_record(&s->record);
}

static void a_record_of_several_methods(void **state) {
    (void)state;
    session s = {0};
    make_two_methods(&s);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    /* the only instruction of forward calls a delegate */
    assert_int_equal(count_notes(&s, ETI_NOTE_WARNING, ""), 0);
    assert_int_equal(count_notes(&s, ETI_NOTE_INFO,
                                 "method encode with 2 instructions in its "
                                 "debug_handle_map, whose operators are shown"),
                     1);
    close_session(&s);
}

/* The Inspector opens a record whose maps have several methods if it has only one edge program. */
static void one_method_for_all_that_the_inspector_has(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.no_attribution = true;
    session s = {.options = &options};
    add_member(&s.record, "ETRECORD_V0", "");
    add_member(&s.record, "edge_dialect_exported_program/forward", EDGE_OF_ADD);
    add_member(&s.record, "debug_handle_map",
               "{\"forward\": {\"1\": 1}, \"encode\": {\"1\": 1, \"2\": 1}}");
    finish_record(&s.record);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    assert_int_equal(eti__notes_of_methods(s.inspector, NULL), ETI_OK);
    assert_note(&s, ETI_NOTE_WARNING,
                "has 2 methods, and the ETDump does not record which one ran: showing operators of "
                "forward (choose with method)");
}

static void no_method_for_all_that_the_inspector_lacks(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.no_attribution = true;
    session s = {.options = &options};
    make_two_methods(&s);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    assert_int_equal(eti__notes_of_methods(s.inspector, NULL), ETI_OK);
    assert_int_equal(count_notes(&s, ETI_NOTE_WARNING, ""), 0);
    close_session(&s);
}

static void methods_that_fit_nothing(void **state) {
    (void)state;
    session s = {0};
    make_two_methods(&s);
    place third = TIMED(&s.b, .name = "native_call_add.out", .instruction_id = SOME(3));
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", third)), NULL);
    assert_int_equal(eti__notes_of_methods(s.inspector, NULL), ETI_OK);
    assert_note(&s, ETI_NOTE_WARNING,
                "no method has the instructions of the events of block Execute: it comes from "
                "another export");
}

static void methods_that_fit_alike(void **state) {
    (void)state;
    session s = {0};
    add_member(&s.record, "ETRECORD_V0", "");
    add_member(&s.record, "edge_dialect_exported_program/decode", EDGE_OF_ADD);
    add_member(&s.record, "edge_dialect_exported_program/prefill", EDGE_OF_ADD);
    add_member(&s.record, "debug_handle_map", "{\"decode\": {\"1\": 1}, \"prefill\": {\"1\": 1}}");
    finish_record(&s.record);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    assert_int_equal(eti__notes_of_methods(s.inspector, NULL), ETI_OK);
    assert_note(
        &s, ETI_NOTE_HINT,
        "block Execute: the methods decode, prefill match its instructions equally well, "
        "so the method that ran is unknown: operators and modules are those that all have in "
        "common, and times may be those of several: give the program too, or choose with "
        "method, or label its runs with run_methods");
}

/* Opens runs of one block, which two methods fit and which take these times. */
static void open_times(session *s, const uint64_t *times, size_t n) {
    place runs[16];
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "edge_dialect_exported_program/decode", EDGE_OF_ADD);
    add_member(&s->record, "edge_dialect_exported_program/prefill", EDGE_OF_ADD);
    add_member(&s->record, "debug_handle_map", "{\"decode\": {\"1\": 1}, \"prefill\": {\"1\": 1}}");
    finish_record(&s->record);
    for (size_t i = 0; i < n; i++)
        runs[i] =
            RUN(&s->b, "Execute", ADD(&s->b),
                TIMED(&s->b, .name = "Method::execute", .start_time = 1, .end_time = 1 + times[i]));
    open_session(s, put_dump(&s->b, (optional){0}, put_tables(&s->b, runs, n)), NULL);
    assert_int_equal(eti__notes_of_methods(s->inspector, NULL), ETI_OK);
}

static void two_kinds_of_runs_are_a_hint(void **state) {
    (void)state;
    session s = {0};
    eti_options options = ETI_OPTIONS_DEFAULT;
    static const uint64_t times[] = {900000, 4100000, 910000, 920000, 900000, 930000,
                                     900000, 4150000, 890000, 880000, 900000, 4050000};
    open_times(&s, times, COUNT_OF(times));
    assert_note(&s, ETI_NOTE_HINT,
                "block Execute: its 12 runs take about 4.1 ms (3 runs) or 900 us (9 runs): they "
                "may be runs of several methods (decode, prefill), or one method at two speeds; if "
                "you know which method ran when, label them with run_methods");
    /* The warm-up is left out, unless runs are skipped by number. */
    static const uint64_t slow_start[] = {9000000, 900000, 900000, 900000, 900000, 900000,
                                          4100000, 900000, 900000, 900000, 900000, 4100000};
    s = (session){0};
    open_times(&s, slow_start, COUNT_OF(slow_start));
    assert_note(&s, ETI_NOTE_HINT,
                "its 11 runs after the warm-up take about 4.1 ms (2 runs) or 900 us (9 runs)");
    options.keeps_warm_up = true;
    s = (session){.options = &options};
    open_times(&s, slow_start, COUNT_OF(slow_start));
    assert_note(&s, ETI_NOTE_HINT, "its 12 runs take about 4.1 ms (3 runs) or 900 us (9 runs)");
}

static void one_kind_of_runs_is_no_hint(void **state) {
    (void)state;
    session s = {0};
    static const uint64_t times[] = {900000, 1100000, 910000, 1020000, 900000, 930000,
                                     950000, 4150000, 890000, 880000,  990000, 1050000};
    open_times(&s, times, COUNT_OF(times));
    assert_int_equal(count_notes(&s, ETI_NOTE_HINT, "take about"), 0);
    close_session(&s);
}

static void a_method_that_fits_better(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.no_attribution = true;
    options.method = "forward";
    session s = {.options = &options};
    builder *b = &s.b;
    make_two_methods(&s);
    place second = TIMED(b, .name = "native_call_add.out", .instruction_id = SOME(2));
    open_session(&s, DUMP(b, RUN(b, "Execute", ADD(b), second)), NULL);
    assert_int_equal(eti__notes_of_methods(s.inspector, NULL), ETI_OK);
    assert_note(&s, ETI_NOTE_WARNING,
                "block Execute: method encode matches its instructions better than forward: try "
                "method encode");
}

/* A delegate with an empty map leaves its events without handles; they still fit. */
static void no_method_fits_better_than_itself(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.method = "forward";
    session s = {.options = &options};
    builder *b = &s.b;
    make_two_methods(&s);
    place delegated = TIMED(b, .instruction_id = SOME(1), .delegate_id_str = "conv");
    open_session(&s, DUMP(b, RUN(b, "Execute", ADD(b), delegated)), NULL);
    assert_int_equal(count_notes(&s, ETI_NOTE_WARNING, ""), 0);
    close_session(&s);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void notes_are_one_line_of_utf8(void **state) {
    (void)state;
    static char name[8000];
    memset(name, 'x', sizeof name - 1);
    memcpy(name, "a\nb\033", 4);
    const eti_delegate_time_scale scale = {name, ETI_SCALE_US, 0};
    eti_options options = with_scale(&scale);
    session s = {.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", ADD(&s.b))), NULL);
    for (size_t i = 0; i < eti_inspector_note_count(s.inspector); i++) {
        eti_text text = eti_inspector_note_text(s.inspector, i);
        assert_true(text.size > 0 && text.size < sizeof((eti_error){0}).message);
        assert_int_equal(eti__text_valid_utf8(text), text.size);
        for (size_t c = 0; c < text.size; c++)
            assert_true((unsigned char)text.data[c] >= 0x20);
    }
    assert_note(&s, ETI_NOTE_WARNING, "no event is delegated to a?b?xxx");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_fit_have_no_warning),
        cmocka_unit_test(a_dump_without_size_prefix_is_said_to_be_one),
        cmocka_unit_test(a_dump_without_runs),
        cmocka_unit_test(runs_without_events),
        cmocka_unit_test(nothing_but_operator_calls),
        cmocka_unit_test(nothing_but_loading),
        cmocka_unit_test(times_of_a_runtime_without_a_clock),
        cmocka_unit_test(allocation_events),
        cmocka_unit_test(a_delegate_that_logs_nothing),
        cmocka_unit_test(tensors_without_a_debug_buffer),
        cmocka_unit_test(tensors_that_were_not_recorded),
        cmocka_unit_test(the_events_of_tensors_that_need_the_buffer),
        cmocka_unit_test(a_time_scale_for_a_backend_that_did_not_run),
        cmocka_unit_test(cycles_beside_another_scale),
        cmocka_unit_test(a_record_of_another_export),
        cmocka_unit_test(a_record_without_instructions),
        cmocka_unit_test(handles_that_are_not_in_the_graph),
        cmocka_unit_test(kernels_of_other_operators),
        cmocka_unit_test(an_empty_record),
        cmocka_unit_test(a_record_without_handles),
        cmocka_unit_test(a_record_without_a_graph),
        cmocka_unit_test(a_delegate_without_a_mapping),
        cmocka_unit_test(a_record_of_several_methods),
        cmocka_unit_test(one_method_for_all_that_the_inspector_has),
        cmocka_unit_test(no_method_for_all_that_the_inspector_lacks),
        cmocka_unit_test(methods_that_fit_nothing),
        cmocka_unit_test(methods_that_fit_alike),
        cmocka_unit_test(two_kinds_of_runs_are_a_hint),
        cmocka_unit_test(one_kind_of_runs_is_no_hint),
        cmocka_unit_test(a_method_that_fits_better),
        cmocka_unit_test(no_method_fits_better_than_itself),
        cmocka_unit_test(notes_are_one_line_of_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
