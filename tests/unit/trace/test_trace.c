/*
 * Traces are read back: a .pftrace must hold the slices, track by track, and Chrome's JSON must not hold anything that
 * viewers misread. The field numbers are those of Perfetto's trace.proto.
 */
#include "report_fixture.h"
#include "report_text.h"
#include "slices_fixture.h"
#include "timed_events.h"

static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;

/* Writes the trace of a dump. */
static eti_buffer trace_of(session *s, place dump, const char *format,
                           const eti_view_options *options) {
    open_session(s, dump, NULL);
    eti_report *report = report_of(s, "trace", options);
    eti_buffer out = write_to_buffer(report, format, NULL);
    eti_report_free(report);
    return out;
}

/* ---- Protocol Buffers ------------------------------------------------------------------------ */

typedef struct field {
    uint32_t number;
    uint64_t value; /* of a number */
    eti_text bytes; /* of bytes */
} field;

static uint64_t take_varint(eti_text *from) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(from->size > 0 && shift < 70);
        uint8_t byte = (uint8_t)*from->data++;
        from->size--;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static bool take_field(eti_text *from, field *out) {
    if (from->size == 0)
        return false;
    uint64_t key = take_varint(from);
    *out = (field){.number = (uint32_t)(key >> 3)};
    size_t size = 8;
    switch (key & 7) {
    case 0:
        out->value = take_varint(from);
        return true;
    case 1:
        break;
    case 2:
        size = (size_t)take_varint(from);
        break;
    default:
        fail_msg("a field of wire type %u", (unsigned)(key & 7));
    }
    assert_true(size <= from->size);
    out->bytes = (eti_text){from->data, size};
    from->data += size;
    from->size -= size;
    return true;
}

/* Returns the field of a message; all zeros if it has none. */
static field field_of(eti_text message, uint32_t number) {
    field found;
    while (take_field(&message, &found)) {
        if (found.number == number)
            return found;
    }
    return (field){0};
}

/* ---- reading a .pftrace ---------------------------------------------------------------------- */

enum { MOST = 64 };

typedef struct reader {
    eti_text names[MOST], tracks[MOST]; /* by id */
    bool is_counter[MOST], processes[MOST];
    uint64_t begins[MOST]; /* start times of the open slices, the outermost first */
    size_t lines[MOST];    /* start of each slice's line */
    uint64_t track;        /* number of the track of these slices */
    size_t n_open, n_packets;
    eti_buffer out;
    eti_buffer others; /* counters and instants: "time|track|value", "time|track|name" */
} reader;

static void read_texts(reader *r, eti_text texts) {
    field of;
    while (take_field(&texts, &of)) {
        uint64_t id = field_of(of.bytes, 1).value;
        if (of.number != 2)
            continue;
        assert_true(id > 0 && id < MOST);
        assert_null(r->names[id].data); /* once */
        r->names[id] = field_of(of.bytes, 2).bytes;
    }
}

/* Fails on a field that is not listed, or that occurs twice. */
static void assert_fields(eti_text message, const char *numbers) {
    uint64_t found = 0;
    field of;
    while (take_field(&message, &of)) {
        assert_true(of.number < 32 && strchr(numbers, (char)('@' + of.number)));
        assert_false(found & UINT64_C(1) << of.number);
        found |= UINT64_C(1) << of.number;
    }
}

static void read_track(reader *r, eti_text track) {
    uint64_t uuid = field_of(track, 1).value;
    assert_true(uuid < MOST);
    assert_fields(track, "ABCDEHLNST");             /* 1 to 5, 8, 12, 14, 19, 20 */
    assert_fields(field_of(track, 4).bytes, "ABE"); /* 1, 2, 5 */
    assert_null(r->tracks[uuid].data);
    r->tracks[uuid] = field_of(track, 8).number ? field_of(track, 2).bytes
                                                : field_of(field_of(track, 4).bytes, 5).bytes;
    r->is_counter[uuid] = field_of(track, 8).number != 0;
    if (r->is_counter[uuid])
        assert_true(r->processes[field_of(track, 5).value]);
    if (field_of(track, 3).number)
        r->processes[uuid] = true;
}

/* Completes the line of the innermost slice, though other lines follow it. */
static void end_line(reader *r, uint64_t end) {
    char text[32];
    assert_true(r->n_open > 0 && r->out.data);
    size_t at = r->lines[--r->n_open];
    size_t size = (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)end);
    while (r->out.data[at] != '\n')
        at++;
    eti__buffer_add(&r->out, text, size);
    memmove(r->out.data + at + size, r->out.data + at, r->out.size - size - at);
    memcpy(r->out.data + at, text, size);
}

static void read_event(reader *r, eti_text event, uint64_t time) {
    uint64_t track = field_of(event, 11).value, type = field_of(event, 9).value;
    assert_true(track < MOST && r->tracks[track].data); /* described before */
    if (type == 3 || type == 4) {
        assert_true(r->n_open == 0 || (type == 3 && track == r->track));
        assert_int_equal(r->is_counter[track], type == 4);
        eti__buffer_printf(&r->others, "%llu|", (unsigned long long)time);
        eti__buffer_add_text(&r->others, r->tracks[track]);
        if (type == 4)
            eti__buffer_printf(&r->others, "|%llu", (unsigned long long)field_of(event, 30).value);
        else
            eti__buffer_add_char(&r->others, '|');
        if (type == 3)
            eti__buffer_add_text(&r->others, r->names[field_of(event, 10).value]);
        eti__buffer_add_char(&r->others, '\n');
        return;
    }
    if (type == 2) {
        assert_int_equal(track, r->track);
        end_line(r, time);
        return;
    }
    assert_int_equal(type, 1);
    assert_true(r->n_open == 0 || (track == r->track && time >= r->begins[r->n_open - 1]));
    r->track = track;
    r->begins[r->n_open] = time;
    r->lines[r->n_open++] = r->out.size;
    eti__buffer_add_text(&r->out, r->tracks[track]);
    eti__buffer_printf(&r->out, "|%zu|", r->n_open - 1);
    eti__buffer_add_text(&r->out, r->names[field_of(event, 10).value]);
    eti__buffer_printf(&r->out, "|%llu-\n", (unsigned long long)time);
}

/* Converts a trace to the lines of slices_fixture.h; `others`, unless NULL, gets the lines of reader.others. */
static eti_buffer read_perfetto(const eti_buffer *trace, eti_buffer *others) {
    reader *r = calloc(1, sizeof *r);
    eti_text rest = eti__buffer_text(trace);
    field of;
    while (take_field(&rest, &of)) {
        assert_int_equal(of.number, 1);
        assert_int_equal(field_of(of.bytes, 10).value, 1);
        assert_int_equal(field_of(of.bytes, 13).value, r->n_packets++ == 0 ? 3 : 2);
        read_texts(r, field_of(of.bytes, 12).bytes);
        if (field_of(of.bytes, 60).number)
            read_track(r, field_of(of.bytes, 60).bytes);
        if (field_of(of.bytes, 11).number)
            read_event(r, field_of(of.bytes, 11).bytes, field_of(of.bytes, 8).value);
    }
    assert_int_equal(r->n_open, 0);
    eti_buffer out = r->out;
    eti__buffer_add_char(&out, '\0');
    eti__buffer_add_char(&r->others, '\0');
    if (others)
        *others = r->others;
    else
        eti__buffer_free(&r->others);
    free(r);
    return out;
}

static void assert_read_back(place (*make)(builder *b), eti_slice_args args) {
    session s = {0};
    eti_view_options options = defaults;
    options.args = args;
    eti_slice_source source;
    eti_buffer expected = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_buffer trace = trace_of(&s, make(&s.b), "perfetto", &options);
    eti_buffer found = read_perfetto(&trace, NULL);
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    write_slices(&expected, &source, NULL);
    eti__buffer_add_char(&expected, '\0');
    assert_string_equal(found.data, expected.data);
    assert_true(found.size > 40);
    eti__buffer_free(&expected);
    eti__buffer_free(&found);
    eti__buffer_free(&trace);
    eti__slice_source_free(&source);
    close_session(&s);
}

static place nested(builder *b) {
    return DUMP(b,
                RUN(b, "Execute", CALL(b, "add", 1, 12, 18), CALL(b, "OPERATOR_CALL", 1, 11, 20),
                    CALL(b, "Method::execute", 0, 10, 50)),
                RUN(b, "Execute", CALL(b, "add", 1, 102, 108),
                    CALL(b, "OPERATOR_CALL", 1, 101, 110),
                    CALL(b, "Method::execute", 0, 100, 140)));
}

/* Adds slices without length at one stamp, which Chrome's form cannot distinguish from nested ones. */
static place without_length(builder *b) {
    return DUMP(b, RUN(b, "Execute", CALL(b, "inner", 1, 10, 20), CALL(b, "outer", 2, 10, 20),
                       CALL(b, "zero a", 3, 30, 30), CALL(b, "zero b", 4, 30, 30),
                       CALL(b, "c", 5, 30, 40), CALL(b, "Method::execute", 0, 10, 50)));
}

static place overlapping(builder *b) {
    return DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, 10, 20), CALL(b, "in b", 2, 22, 28),
                       CALL(b, "b", 4, 15, 30), CALL(b, "Method::execute", 0, 10, 40)));
}

/* The second track appears after slices of the first. */
static place overlapping_later(builder *b) {
    return DUMP(b,
                RUN(b, "Execute", CALL(b, "a", 1, 10, 20), CALL(b, "in b", 2, 22, 28),
                    CALL(b, "b", 4, 21, 30), CALL(b, "Method::execute", 0, 10, 40)),
                RUN(b, "Execute", CALL(b, "a", 1, 110, 120), CALL(b, "in b", 2, 122, 128),
                    CALL(b, "b", 4, 115, 130), CALL(b, "Method::execute", 0, 110, 140)));
}

static place wrapped(builder *b) {
    return DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, 4294967200, 4294967290),
                       CALL(b, "b", 2, 4294967291, 5), CALL(b, "c", 3, 7, 9),
                       CALL(b, "Method::execute", 0, 4294967100, 20)));
}

static void perfetto_holds_the_slices(void **state) {
    (void)state;
    assert_read_back(nested, ETI_ARGS_SHORT);
    assert_read_back(without_length, ETI_ARGS_SHORT);
    assert_read_back(overlapping, ETI_ARGS_SHORT);
    assert_read_back(wrapped, ETI_ARGS_SHORT);
    assert_read_back(overlapping_later, ETI_ARGS_FULL);
}

/* A run with an allocation and a value. */
static place counting(builder *b) {
    place allocators = put_tables(b, PLACES(PUT_TABLE(b, target_slot(put_string(b, "pool")))));
    return DUMP(
        b,
        put_run(b, &(run_spec){.name = "Execute",
                               .allocators = allocators,
                               .events = EVENTS(
                                   b, CALL(b, "add", 1, 12, 18),
                                   put_event(b, 0, put_allocation(b, 1, 100), 0),
                                   LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 5)),
                                   CALL(b, "Method::execute", 0, 10, 50))}),
        put_run(b, &(run_spec){.name = "Execute",
                               .allocators = allocators,
                               .events = EVENTS(
                                   b, CALL(b, "add", 1, 112, 118),
                                   put_event(b, 0, put_allocation(b, 1, 100), 0),
                                   LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, 5)),
                                   CALL(b, "Method::execute", 0, 110, 150))}));
}

static void perfetto_holds_counters_and_instants(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = defaults;
    eti_buffer others;
    options.debug_events = true;
    eti_buffer trace = trace_of(&s, counting(&s.b), "perfetto", &options);
    eti_buffer slices = read_perfetto(&trace, &others);
    assert_string_equal(others.data, "8|debug events|add\n"
                                     "0|run time|40\n"
                                     "8|pool|100\n"
                                     "108|debug events|add\n"
                                     "100|run time|40\n"
                                     "100|pool|0\n"
                                     "108|pool|100\n");
    eti__buffer_free(&others);
    eti__buffer_free(&slices);
    eti__buffer_free(&trace);
    close_session(&s);
}

#define MARK "etcapture mark: level=7"

/* Marks inside an event and after it, one of them on a lane; events that are not marks: one with a length, one without the text
 * of a mark, and one that a delegate logged. */
static place marking(builder *b) {
    return DUMP(
        b, RUN(b, "Execute", CALL(b, "conv", 1, 10, 20),
               TIMED(b, .name = "inside", .instruction_id = SOME(2), .metadata = MARK,
                     .start_time = 15, .end_time = 15),
               TIMED(b, .name = "after", .instruction_id = SOME(3), .metadata = MARK,
                     .start_time = 20, .end_time = 20),
               TIMED(b, .name = "on a lane", .chain_index = SOME((uint32_t)-2),
                     .instruction_id = SOME(0), .metadata = MARK, .start_time = 25, .end_time = 25),
               TIMED(b, .name = "long", .instruction_id = SOME(4), .metadata = MARK,
                     .start_time = 30, .end_time = 31),
               TIMED(b, .name = "zero", .instruction_id = SOME(5), .metadata = "etcapture: level=7",
                     .start_time = 32, .end_time = 32),
               TIMED(b, .delegate_id_str = "node", .instruction_id = SOME(6), .metadata = MARK,
                     .start_time = 33, .end_time = 33),
               CALL(b, "Method::execute", 0, 10, 50)));
}

static void perfetto_holds_marks(void **state) {
    (void)state;
    session s = {0};
    eti_buffer others;
    eti_buffer trace = trace_of(&s, marking(&s.b), "perfetto", &defaults);
    eti_buffer slices = read_perfetto(&trace, &others);
    assert_string_equal(slices.data, "method|0|Execute #0|0-40\n"
                                     "method|1|Method::execute|0-40\n"
                                     "method|2|conv|0-10\n"
                                     "method|2|long|20-21\n"
                                     "method|2|zero|22-22\n"
                                     "delegate (no call)|0|node|23-23\n");
    assert_string_equal(others.data, "5|method|inside\n"
                                     "10|method|after\n"
                                     "15|lane 1|on a lane\n"
                                     "0|run time|40\n"
                                     "5|level|7\n"
                                     "10|level|7\n"
                                     "15|level|7\n"
                                     "20|level|7\n"
                                     "22|level|7\n"
                                     "23|level|7\n");
    eti__buffer_free(&others);
    eti__buffer_free(&slices);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* ---- Chrome's JSON --------------------------------------------------------------------------- */

static void assert_holds(const eti_buffer *trace, const char *part, bool is_there) {
    bool is_found = eti__text_contains(eti__buffer_text(trace), eti__text_of(part));
    if (is_found != is_there)
        fail_msg("%s %s in %.*s", part, is_there ? "is not" : "is", (int)trace->size, trace->data);
}

static size_t place_of(const eti_buffer *trace, const char *part) {
    for (size_t i = 0; i + strlen(part) <= trace->size; i++) {
        if (memcmp(trace->data + i, part, strlen(part)) == 0)
            return i;
    }
    fail_msg("%s is missing", part);
    return 0;
}

/* A wall-clock stamp converted to a double would lose its last digits. */
static void chrome_has_all_digits_of_small_stamps(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    const uint64_t base = UINT64_C(1790000000123456789);
    eti_buffer trace = trace_of(&s,
                                DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, base + 1, base + 1234567),
                                            CALL(b, "Method::execute", 0, base, base + 2000000))),
                                "chrome", &defaults);
    assert_holds(&trace, "\"ts\":0.001,\"dur\":1234.566,\"name\":\"a\"", true);
    assert_holds(&trace, "\"ts\":0.000,\"dur\":2000.000,\"name\":\"Method::execute\"", true);
    assert_holds(&trace, "\"first_stamps\":[\"1790000000123456789\"]", true);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* Viewers separate pairs of B and E beside an X, and lose the parent of a slice that comes first. */
static void chrome_has_complete_slices_only_the_outer_first(void **state) {
    (void)state;
    session s = {0};
    eti_buffer trace = trace_of(&s, without_length(&s.b), "chrome", &defaults);
    assert_holds(&trace, "\"ph\":\"B\"", false);
    assert_holds(&trace, "\"ph\":\"E\"", false);
    assert_true(place_of(&trace, "\"name\":\"Execute #0\"") <
                place_of(&trace, "\"name\":\"Method::execute\""));
    assert_true(place_of(&trace, "\"name\":\"Method::execute\"") <
                place_of(&trace, "\"name\":\"outer\""));
    assert_true(place_of(&trace, "\"name\":\"outer\"") < place_of(&trace, "\"name\":\"inner\""));
    eti__buffer_free(&trace);
    close_session(&s);
}

/* Names come from files: they must neither end a string nor be empty, which viewers report as an error. */
static void chrome_names_are_harmless(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_buffer trace =
        trace_of(&s,
                 DUMP(b, RUN(b, "Execute", CALL(b, "a\"},{\"ph\":\"X\n\x01", 1, 10, 20),
                             CALL(b, "", 2, 21, 22), CALL(b, "\xff\xfe", 3, 23, 24),
                             CALL(b, "Method::execute", 0, 10, 50))),
                 "chrome", &defaults);
    assert_holds(&trace, "\"name\":\"a\\\"},{\\\"ph\\\":\\\"X\\n\\u0001\"", true);
    assert_holds(&trace, "\"name\":\"\"", false);
    assert_holds(&trace, "\xff", false);
    assert_holds(&trace, "\"name\":\"\xef\xbf\xbd", true);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* Slices that partly overlap would be dropped from a common track. */
static void chrome_marks_have_no_length(void **state) {
    (void)state;
    session s = {0};
    eti_buffer trace = trace_of(&s, marking(&s.b), "chrome", &defaults);
    assert_holds(&trace,
                 "{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":1,\"ts\":0.005,\"name\":\"inside\"",
                 true);
    assert_holds(
        &trace, "{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":3,\"ts\":0.015,\"name\":\"on a lane\"",
        true);
    assert_holds(&trace, "\"dur\":0.001,\"name\":\"long\"", true);
    assert_holds(&trace, "\"dur\":0.000,\"name\":\"zero\"", true);
    assert_holds(&trace, "\"dur\":0.000,\"name\":\"node\"", true);
    eti__buffer_free(&trace);
    close_session(&s);
}

static void chrome_gives_overlaps_a_track(void **state) {
    (void)state;
    session s = {0};
    eti_buffer trace = trace_of(&s, overlapping(&s.b), "chrome", &defaults);
    assert_holds(&trace,
                 "\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"method (overlap 2)\"}",
                 true);
    assert_holds(&trace, "\"tid\":1,\"ts\":0.000,\"dur\":0.010,\"name\":\"a\"", true);
    assert_holds(&trace, "\"tid\":2,\"ts\":0.005,\"dur\":0.015,\"name\":\"b\"", true);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* All arguments of a counter are read as separate numbers: no other arguments are written. */
static void chrome_counts(void **state) {
    (void)state;
    session s = {0};
    eti_view_options options = defaults;
    options.debug_events = true;
    eti_buffer trace = trace_of(&s, counting(&s.b), "chrome", &options);
    assert_holds(&trace,
                 "{\"ph\":\"C\",\"pid\":1,\"ts\":0.100,\"name\":\"pool\",\"args\":{\"bytes\":0}}",
                 true);
    assert_holds(&trace,
                 "{\"ph\":\"C\",\"pid\":1,\"ts\":0.000,\"name\":\"run time\",\"args\":{\"ns\":40}}",
                 true);
    assert_holds(&trace,
                 "{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":2,\"ts\":0.008,\"name\":\"add\","
                 "\"cat\":\"debug\",\"args\":{\"run\":0,\"instruction_id\":1,\"value\":\"5\","
                 "\"approximate\":true}}",
                 true);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* ---- repeated names --------------------------------------------------------------------------- */

enum { LONG_NAME = 1 << 20 };

/* Opens a run of `n` events that share a name of a megabyte in the file. */
static place sharing(builder *b, uint32_t n_events) {
    char *name = malloc(LONG_NAME + 1);
    place *events = malloc(n_events * sizeof *events);
    memset(name, 'x', LONG_NAME);
    name[LONG_NAME] = '\0';
    place shared = put_string(b, name);
    for (uint32_t i = 0; i < n_events; i++)
        events[i] = put_event(b,
                              PUT_TABLE(b, target_slot(shared), (slot){4, 0, 0},
                                        (slot){4, i % 100, 0}, (slot){0}, (slot){0}, (slot){0},
                                        (slot){8, 10 + i, 0}, (slot){8, 11 + i, 0}),
                              0, 0);
    place dump = DUMP(
        b, put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n_events)}));
    free(events);
    free(name);
    return dump;
}

/* Perfetto's form has the name once, Chrome's once per slice; more than eight are rejected when the dump is opened. */
static void shared_names_stay_what_they_are(void **state) {
    (void)state;
    session s = {0};
    eti_buffer trace = trace_of(&s, sharing(&s.b, 6), "perfetto", &defaults);
    assert_true(trace.size > LONG_NAME && trace.size < LONG_NAME + 10000);
    eti__buffer_free(&trace);
    close_session(&s);
    trace = trace_of(&s, sharing(&s.b, 6), "chrome", &defaults);
    assert_true(trace.size > (size_t)6 * LONG_NAME && trace.size < (size_t)7 * LONG_NAME);
    eti__buffer_free(&trace);
    close_session(&s);
}

/* Operators, modules and lines come from the ETRecord, which has no such limit: texts made of them are counted before they
 * are made. */
static void texts_are_counted_before_they_are_made(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/mlp/run.etdp"};
    const eti_source record = {.path = "testdata/mlp/record.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    eti_slice_source source;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_fails(eti__slice_source_make(&source, inspector, &defaults, 800, &err), ETI_ERROR_LIMIT,
                 "names are repeated in so many slices that they would take more than 100 bytes");
    eti__slice_source_free(&source);
    eti_inspector_close(inspector);
}

/* Each slice counts, even if one Event stands for many of them. */
static void texts_of_all_slices_are_counted(void **state) {
    (void)state;
    session s = {0};
    eti_slice_source source;
    eti_error err = ETI_ERROR_INIT;
    open_session(&s, nested(&s.b), NULL);
    const uint64_t size = 2 * (strlen("add") + strlen("OPERATOR_CALL") + strlen("Method::execute"));
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, size, &err));
    assert_int_equal(source.n_text, size);
    eti__slice_source_free(&source);
    assert_fails(eti__slice_source_make(&source, s.inspector, &defaults, size - 1, &err),
                 ETI_ERROR_LIMIT, "names are repeated in so many slices that they would take more");
    eti__slice_source_free(&source);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perfetto_holds_the_slices),
        cmocka_unit_test(chrome_has_all_digits_of_small_stamps),
        cmocka_unit_test(chrome_has_complete_slices_only_the_outer_first),
        cmocka_unit_test(chrome_names_are_harmless),
        cmocka_unit_test(chrome_gives_overlaps_a_track),
        cmocka_unit_test(perfetto_holds_counters_and_instants),
        cmocka_unit_test(perfetto_holds_marks),
        cmocka_unit_test(chrome_marks_have_no_length),
        cmocka_unit_test(chrome_counts),
        cmocka_unit_test(shared_names_stay_what_they_are),
        cmocka_unit_test(texts_are_counted_before_they_are_made),
        cmocka_unit_test(texts_of_all_slices_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
