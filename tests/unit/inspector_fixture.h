/*
 * inspector_fixture.h - an inspector opened on an ETDump and an ETRecord in memory.
 *
 *     session s = {0};
 *     builder *b = &s.b;
 *     open_session(&s, DUMP(b, …), &(record_spec){.handles = "{\"1\": 1}"});
 *     … s.inspector …
 *     close_session(&s);
 */
#ifndef ETI_TESTS_INSPECTOR_FIXTURE_H
#define ETI_TESTS_INSPECTOR_FIXTURE_H

#include "etdump_builder.h"
#include "model/model.h"
#include "record_builder.h"
#include "support.h"

typedef struct session {
    builder b;
    record_builder record;
    const eti_options *options;     /* NULL: the defaults */
    const eti_source *debug_buffer; /* NULL: none */
    bool unprefixed;
    eti_inspector *inspector;
    eti_error err;
} session;

/* Opens the session. `dump` 0: none; the record is the finished one, if any. */
static inline eti_status try_session(session *s, place dump) {
    if (dump)
        finish_dump(&s->b, dump, !s->unprefixed);
    const eti_source etdump = {s->b.file.name, s->b.file.data, s->b.file.size};
    const eti_source record = {s->record.file.name, s->record.file.data, s->record.file.size};
    const eti_inputs inputs = {.etdumps = &etdump,
                               .n_etdumps = dump ? 1 : 0,
                               .etrecord = s->record.file.data ? &record : NULL,
                               .debug_buffer = s->debug_buffer};
    return eti__inspector_open(&s->inspector, &inputs, s->options, &s->err);
}

static inline void open_session(session *s, place dump, const record_spec *spec) {
    if (spec)
        make_record(&s->record, spec);
    if (try_session(s, dump) != ETI_OK)
        fail_msg("%s", s->err.message);
}

/* Returns the first Event with a name. */
static inline const eti_event *event_named(const eti_inspector *inspector, const char *name) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (eti__text_is(block->events[i].name, name))
                return &block->events[i];
        }
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

static inline void close_session(session *s) {
    eti_inspector_close(s->inspector);
    builder_free(&s->b);
    free_record(&s->record);
    *s = (session){0};
}

#endif
