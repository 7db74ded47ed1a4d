/* slices_fixture.h - the slices of a session as lines of text. */
#ifndef ETI_TESTS_SLICES_FIXTURE_H
#define ETI_TESTS_SLICES_FIXTURE_H

#include "inspector_fixture.h"

#include "account/account.h"
#include "base/text.h"
#include "model/model.h"
#include "timeline/timeline.h"

static inline void add_slice_line(eti_buffer *out, const eti_slice_source *source,
                                  const eti_slices *slices, const eti_sliced_run *run,
                                  const eti_slice *slice) {
    eti__slice_track_add_name(source, eti__slices_track(slices, slice->track), out);
    eti__buffer_printf(out, "|%u|", (unsigned)slice->depth);
    if (slice->event == ETI_NO_EVENT)
        eti__slice_run_add_name(source, run->run, out);
    else
        eti__buffer_add_text(out, run->block->events[slice->event].name);
    eti__buffer_printf(out, "|%llu-%llu", (unsigned long long)slice->start,
                       (unsigned long long)slice->end);
    if (slice->flow)
        eti__buffer_printf(out, "|%s %llu", slice->flags & ETI_SLICE_FLOW_BEGINS ? "from" : "to",
                           (unsigned long long)slice->flow);
    eti__buffer_add_char(out, '\n');
}

/* Appends a line for each slice: "track|depth|name|start-end". */
static inline void write_slices(eti_buffer *out, const eti_slice_source *source,
                                const bool *is_left_out) {
    eti_error err = ETI_ERROR_INIT;
    eti_slices *slices;
    eti_sliced_run run;
    assert_ok(eti__slices_open(&slices, source, is_left_out, &err));
    for (;;) {
        assert_ok(eti__slices_next(slices, &run, &err));
        if (!run.run)
            break;
        if (!is_left_out)
            assert_int_equal(run.n_slices, run.run->n_slices);
        for (size_t i = 0; i < run.n_slices; i++)
            add_slice_line(out, source, slices, &run, &run.slices[i]);
    }
    eti__slices_close(slices);
    assert_false(out->failed);
}

/* Opens a dump, compares its slices with the expected lines, and closes it. */
static inline void assert_slices_with(session *s, place dump, const record_spec *record,
                                      const eti_view_options *options, const char *expected) {
    eti_slice_source source;
    eti_buffer text = {0};
    eti_error err = ETI_ERROR_INIT;
    open_session(s, dump, record);
    assert_ok(eti__slice_source_make(&source, s->inspector, options, 0, &err));
    write_slices(&text, &source, NULL);
    eti__buffer_add_char(&text, '\0');
    assert_string_equal(text.data, expected);
    eti__buffer_free(&text);
    eti__slice_source_free(&source);
    close_session(s);
}

/* Does the same without an ETRecord. */
static inline void assert_slices_as(session *s, place dump, const eti_view_options *options,
                                    const char *expected) {
    assert_slices_with(s, dump, NULL, options, expected);
}

#endif
