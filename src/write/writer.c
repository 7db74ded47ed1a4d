#include "write/writer.h"

#include "base/status.h"

#include <string.h>

static const eti_writer *const writers[] = {
    &eti_writer_fancy_grid,
    &eti_writer_tsv,
    &eti_writer_csv,
    &eti_writer_text,
    &eti_writer_json,
    &eti_writer_ndjson,
    &eti_writer_markdown,
    &eti_writer_sqlite,
    &eti_writer_dot,
    &eti_writer_junit,
    &eti_writer_github,
    &eti_writer_benchmark,
    NULL,
};

const eti_writer *eti_writer_at(size_t i) {
    size_t at = 0;
    while (at < i && writers[at])
        at++;
    return writers[at];
}

const eti_writer *eti_writer_find(const char *name) {
    for (size_t i = 0; writers[i]; i++) {
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    }
    return NULL;
}

eti_status eti_writer_check(const eti_writer *writer, const eti_report *report, eti_error *err) {
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
