#include "trace/report_stacks.h"

#include "trace/slice_args.h"

#include <stdlib.h>
#include <string.h>

eti_status eti__report_stacks_make(eti_stacks *out, const eti_report *report, eti_error *err) {
    eti_stack_source source = *report->stacks;
    bool *is_left_out;
    *out = (eti_stacks){.n = 0};
    ETI_TRY(eti__report_left_out(&is_left_out, report, err));
    source.is_left_out = is_left_out;
    source.first_event = report->slices->first_event;
    eti_status status = eti__stacks_make(out, &source, err);
    free(is_left_out);
    return status;
}

eti_text eti__report_etdump_name(const eti_report *report) {
    for (size_t i = 0; i < report->n_sources; i++) {
        if (strcmp(report->sources[i].kind, "etdump") == 0)
            return report->sources[i].path;
    }
    return eti__text_of("etdump");
}
