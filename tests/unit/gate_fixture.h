/* gate_fixture.h - profiles made from literals: sides of several files, each of which is one process. */
#ifndef ETI_TESTS_UNIT_GATE_FIXTURE_H
#define ETI_TESTS_UNIT_GATE_FIXTURE_H

#include "base/text.h"
#include "baseline_text.h"
#include "profile/profile.h"
#include "report_text.h"
#include "table/table.h"

/* An event of a side; its fastest runs take `ticks`. */
typedef struct gate_event {
    const char *name, *op, *module;
    unsigned ticks;
    const char *file;
    unsigned line;
} gate_event;

/* Properties of the files of a side. */
typedef struct gate_side {
    size_t n_files, n_runs;
    unsigned framework; /* ticks of the runtime itself */
    unsigned scatter;   /* files exceed the ticks by up to this many thousandths */
    unsigned first;     /* number of the first file: other numbers scatter differently */
    /* number of events with this scatter, others have a hundredth; 0: all have it */
    size_t n_noisy;
    size_t n_dropped; /* runs of each file that were dropped as warm-up */
} gate_side;

/* Returns the ticks of an event in a file; each event scatters differently. */
static inline unsigned ticks_in_file(unsigned ticks, size_t event, size_t file,
                                     const gate_side *side) {
    unsigned place = (unsigned)((7 * event + 3 * file * file + event * file) % 11);
    unsigned scatter = side->n_noisy == 0 || event < side->n_noisy ? side->scatter : 10;
    return ticks + (unsigned)((unsigned long long)ticks * scatter * place / 10000);
}

/* Runs of a file differ by half a percent. */
static inline void add_ticks(eti_buffer *out, unsigned ticks, size_t n_runs) {
    for (size_t run = 0; run < n_runs; run++)
        eti__buffer_printf(out, "%s%u", run > 0 ? ";" : "",
                           ticks + (unsigned)(run % 5) * (ticks / 200));
    eti__buffer_add_char(out, '\n');
}

static inline void add_event(eti_buffer *out, const gate_event *event, unsigned ticks,
                             size_t n_runs) {
    eti__buffer_printf(out, "kernel,%s,%s,%s,,,,%s,", event->name, event->op ? event->op : "",
                       event->module ? event->module : "", event->file ? event->file : "");
    if (event->line)
        eti__buffer_printf(out, "%u", event->line);
    eti__buffer_add_string(out, ",,");
    add_ticks(out, ticks, n_runs);
}

/* Keeps files in memory, which must live as long as their profiles. */
static eti_buffer kept_texts[64];
static size_t n_kept_texts;

static inline eti_profile *read_file(eti_buffer text) {
    eti_error err = ETI_ERROR_INIT;
    eti_profile *profile;
    assert_true(n_kept_texts < COUNT_OF(kept_texts));
    eti__buffer_add_char(&text, '\0');
    kept_texts[n_kept_texts++] = text;
    eti_text whole = baseline_text(text.data, "side.csv");
    const eti_source source = {"side.csv", whole.data, whole.size};
    assert_ok(eti__profile_read(&profile, &source, NULL, &err));
    return profile;
}

static inline void free_files(void) {
    while (n_kept_texts > 0)
        eti__buffer_free(&kept_texts[--n_kept_texts]);
}

/* Merges files, and frees them. */
static inline eti_profile *merge_files(eti_profile *const *files, size_t n) {
    eti_error err = ETI_ERROR_INIT;
    eti_profile *merged;
    assert_ok(eti__profile_merge(&merged, (const eti_profile *const *)files, n, false, &err));
    for (size_t i = 0; i < n; i++)
        eti_profile_free(files[i]);
    return merged;
}

/* Makes one file; the total is the sum of its events and the framework. */
static inline eti_profile *make_file(const gate_event *events, size_t n, const gate_side *side,
                                     size_t file) {
    eti_buffer text = {0};
    unsigned framework = ticks_in_file(side->framework, n, file, side), whole = framework;
    for (size_t i = 0; i < n; i++)
        whole += ticks_in_file(events[i].ticks, i, file, side);
    eti__buffer_printf(&text,
                       "time_scale,ns\nlabel,build,%zu\n"
                       "block,Execute,,%zu,%zu\nexecute,Method::execute,,,,,,,,,",
                       file, side->n_runs, side->n_dropped);
    add_ticks(&text, whole, side->n_runs);
    eti__buffer_add_string(&text, "framework,framework,,,,,,,,,");
    add_ticks(&text, framework, side->n_runs);
    for (size_t i = 0; i < n; i++)
        add_event(&text, &events[i], ticks_in_file(events[i].ticks, i, file, side), side->n_runs);
    return read_file(text);
}

/* Makes a side with these kernels in each of its files. */
static inline eti_profile *make_side(const gate_event *events, size_t n, gate_side side) {
    eti_profile *files[16];
    assert_true(side.n_files <= COUNT_OF(files));
    for (size_t i = 0; i < side.n_files; i++)
        files[i] = make_file(events, n, &side, side.first + i);
    return merge_files(files, side.n_files);
}

#endif
