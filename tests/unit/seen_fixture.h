/*
 * seen_fixture.h - an inspector opened, and its delegates seen through, on a program with payloads, an ETDump and an ETRecord
 * in memory.
 *
 *     seen s = {0};
 *     builder *b = &s.session.b;
 *     add_payload(&s, NODES(XNODE(TANH, 7)));
 *     open_seen(&s, DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "TanH (NC) #1"), CALL_OF(b, 0))), NULL);
 *     … s.session.inspector …
 *     close_seen(&s);
 */
#ifndef ETI_TESTS_SEEN_FIXTURE_H
#define ETI_TESTS_SEEN_FIXTURE_H

#include "inspector_fixture.h"
#include "payload_builder.h"
#include "program_builder.h"

#include "base/text.h"
#include "model/model.h"
#include "places/places.h"

#define MOST_PAYLOADS 8

typedef struct seen {
    session session;
    program_spec program; /* without instructions there is no program */
    place payloads[MOST_PAYLOADS];
    size_t n_payloads;
} seen;

/* Adds a delegate and a call of it. */
static inline void add_delegate_bytes(seen *s, const char *backend, const void *bytes, size_t n) {
    size_t payload = s->n_payloads++;
    int32_t number = (int32_t)s->program.delegates.n; /* in its method */
    builder *b = &s->program.b;
    assert_true(s->n_payloads <= MOST_PAYLOADS);
    s->payloads[payload] = PUT_TABLE(b, target_slot(put_bytes(b, bytes, n)));
    add_delegate_of(&s->program, backend, false, (uint32_t)payload);
    add_call(&s->program, A_DELEGATE_CALL, number, I32S(b, 0));
}

static inline void add_payload(seen *s, const payload_node *nodes, size_t n) {
    builder payload = {0};
    finish_payload(&payload, nodes, n);
    add_delegate_bytes(s, "XnnpackBackend", payload.file.data, payload.file.size);
    builder_free(&payload);
}

/* Ends a method of the program; the delegates added before it are its own. */
static inline void end_seen_method(seen *s, const char *name) {
    program_spec *p = &s->program;
    if (p->values.n == 0)
        (void)add_value(p, A_NULL, PUT_TABLE(&p->b, (slot){0}));
    end_method(p, name);
}

#define NODES(...)                                                                                 \
    (const payload_node[]){__VA_ARGS__}, COUNT_OF(((const payload_node[]){__VA_ARGS__}))

/* Adds events that a delegate logs in the call that is instruction `id`, and the call itself. */
#define LOGGED_BY(b, id, name)                                                                     \
    TIMED(b, .delegate_id_str = (name), .instruction_id = SOME(id), .start_time = 1, .end_time = 3)
#define CALL_OF(b, id)                                                                             \
    TIMED(b, .name = "DELEGATE_CALL", .instruction_id = SOME(id), .start_time = 1, .end_time = 9)

/* `record` may be NULL. */
static inline eti_status try_seen(seen *s, place dump, const record_spec *record) {
    session *of = &s->session;
    program_spec *p = &s->program;
    finish_dump(&of->b, dump, true);
    if (record)
        make_record(&of->record, record);
    bool has_program = p->instructions.n > 0 || p->methods.n > 0;
    if (has_program) {
        if (p->methods.n == 0)
            end_seen_method(s, "forward");
        p->delegate_data = put_tables(&p->b, s->payloads, s->n_payloads);
        finish_program(p);
    }
    const eti_source etdump = {of->b.file.name, of->b.file.data, of->b.file.size};
    const eti_source etrecord = {of->record.file.name, of->record.file.data, of->record.file.size};
    const eti_source program = {p->b.file.name, p->b.file.data, p->b.file.size};
    const eti_inputs inputs = {.etdumps = &etdump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = has_program ? &program : NULL,
                               .n_programs = has_program};
    return eti__open_seen_through(&of->inspector, &inputs, of->options, &of->err);
}

static inline void open_seen(seen *s, place dump, const record_spec *record) {
    if (try_seen(s, dump, record) != ETI_OK)
        fail_msg("%s", s->session.err.message);
}

static inline void close_seen(seen *s) {
    builder_free(&s->program.b);
    close_session(&s->session);
    *s = (seen){0};
}

static inline const eti_event *event_called(const seen *s, const char *name) {
    return event_named(s->session.inspector, name);
}

/* Checks an event as "exact [7, 8] aten.tanh.default aten.relu.default": attribution, handles, operators. */
#define assert_seen(s, name, expected) assert_seen_at((s), (name), (expected), __FILE__, __LINE__)

static inline void assert_seen_at(const seen *s, const char *name, const char *expected,
                                  const char *file, int line) {
    const eti_event_record *known = event_called(s, name)->known;
    eti_buffer found = {0};
    eti_text attribution = eti__attribution_name(known->attribution);
    eti__buffer_printf(&found, "%.*s [", ETI_TEXT_ARGS(attribution));
    for (size_t i = 0; i < known->handles.n; i++)
        eti__buffer_printf(&found, "%s%lld", i ? ", " : "", (long long)known->handles.handles[i]);
    eti__buffer_add_char(&found, ']');
    for (size_t i = 0; i < known->n_op_types; i++)
        eti__buffer_printf(&found, " %.*s", ETI_TEXT_ARGS(known->op_types[i]));
    assert_text_at(eti__buffer_text(&found), expected, file, line);
    eti__buffer_free(&found);
}

/* Returns the number of notes that contain the text. */
static inline size_t notes_with(const seen *s, const char *part) {
    const eti_inspector *inspector = s->session.inspector;
    size_t n = 0;
    for (size_t i = 0; i < inspector->n_notes; i++)
        n += eti__text_contains(inspector->notes[i].text, eti__text_of(part));
    return n;
}

#endif
