/*
 * gate_fixture.h - two profiles made from literals, and what a gate says of them.
 */
#ifndef ETI_TESTS_UNIT_GATE_FIXTURE_H
#define ETI_TESTS_UNIT_GATE_FIXTURE_H

#include "compare/profile.h"
#include "report_text.h"

#include "gate/gate.h"
#include "table/report.h"

/* An event of a side: `n_runs` samples around `ticks`, alternately some less and some more. */
typedef struct gate_event {
    const char *name, *op, *module;
    unsigned ticks;
    const char *file;
    unsigned line;
} gate_event;

static inline void add_ticks(eti_buffer *out, unsigned ticks, size_t n_runs) {
    for (size_t run = 0; run < n_runs; run++)
        eti__buffer_printf(out, "%s%u", run > 0 ? ";" : "",
                           ticks + (unsigned)(run % 5) * (ticks / 200));
    eti__buffer_add_char(out, '\n');
}

/* A baseline with these kernels; the whole is their sum and `framework`. */
static inline eti_profile *make_side(const gate_event *events, size_t n, size_t n_runs,
                                     unsigned framework) {
    eti_buffer text = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_profile *profile;
    unsigned whole = framework;
    for (size_t i = 0; i < n; i++)
        whole += events[i].ticks;
    eti__buffer_add_string(&text, "etinspect-baseline,1\ntime_scale,ns\n"
                                  "columns,name,op,module,backend,delegate_id,handles,file,line,"
                                  "code,ticks\n");
    eti__buffer_printf(&text, "block,Execute,,%zu,0\nexecute,Method::execute,,,,,,,,,", n_runs);
    add_ticks(&text, whole, n_runs);
    eti__buffer_add_string(&text, "framework,framework,,,,,,,,,");
    add_ticks(&text, framework, n_runs);
    for (size_t i = 0; i < n; i++) {
        eti__buffer_printf(
            &text, "kernel,%s,%s,%s,,,,%s,", events[i].name, events[i].op ? events[i].op : "",
            events[i].module ? events[i].module : "", events[i].file ? events[i].file : "");
        if (events[i].line)
            eti__buffer_printf(&text, "%u", events[i].line);
        eti__buffer_add_string(&text, ",,");
        add_ticks(&text, events[i].ticks, n_runs);
    }
    const eti_source source = {"side.csv", text.data, text.size};
    assert_ok(eti__profile_read(&profile, &source, NULL, &err));
    eti__buffer_free(&text);
    return profile;
}

#endif
