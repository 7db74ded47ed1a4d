#include "view/view.h"

#include "base/text.h"

static eti_status add_file(eti_report *report, const char *kind, const struct eti_file *file,
                           eti_error *err) {
    eti_report_source source = {kind, eti_text_of(file->name), file->data, file->size};
    return eti_report_add_source(report, source, err);
}

eti_status eti_view_add_sources(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) {
    for (size_t i = 0; i < inspector->n_dumps; i++)
        ETI_TRY(add_file(report, "etdump", &inspector->dump_files[i], err));
    if (inspector->record)
        ETI_TRY(add_file(report, "etrecord", &inspector->record_file, err));
    if (inspector->has_debug_buffer)
        ETI_TRY(add_file(report, "debug_buffer", &inspector->debug_buffer_file, err));
    return ETI_OK;
}
