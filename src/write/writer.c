#include "write/writer.h"

#include "base/status.h"

#include <string.h>

static const eti_writer *const writers[] = {
    &eti__writer_fancy_grid,
    &eti__writer_tsv,
    &eti__writer_csv,
    &eti__writer_text,
    &eti__writer_json,
    &eti__writer_ndjson,
    &eti__writer_markdown,
    &eti__writer_sqlite,
    &eti__writer_dot,
    &eti__writer_junit,
    &eti__writer_github,
    &eti__writer_benchmark,
    NULL,
};

const eti_writer *eti__writer_at(size_t i) {
    size_t at = 0;
    while (at < i && writers[at])
        at++;
    return writers[at];
}

const eti_writer *eti__writer_find(const char *name) {
    for (size_t i = 0; writers[i]; i++) {
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    }
    return NULL;
}

eti_status eti__writer_check(const eti_writer *writer, const eti_report *report, eti_error *err) {
    if ((writer->takes & ETI_TAKES_GATE) && !report->gate)
        return eti_fail(err, ETI_ERROR_USAGE, "%sformat %s is for etinspect gate",
                        eti__option_prefix(), writer->name);
    if ((writer->takes & ETI_TAKES_GRAPH) && !report->graph)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the format %s draws a table with the columns node and inputs: that of "
                        "etinspect graph",
                        writer->name);
    return ETI_OK;
}
