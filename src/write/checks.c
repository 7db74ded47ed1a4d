#include "write/checks.h"

#include "base/text.h"
#include "table/column_name.h"

static const char *const names[ETI_N_CHECK_COLUMNS] = {
    [ETI_CHECK_VERDICT] = "verdict",
    [ETI_CHECK_RULE] = "rule",
    [ETI_CHECK_NAME] = "name",
    [ETI_CHECK_KEY] = "key",
    [ETI_CHECK_BLOCK] = "block",
    [ETI_CHECK_MODULE] = "module",
    [ETI_CHECK_METRIC] = "metric",
    [ETI_CHECK_BASE] = "base",
    [ETI_CHECK_NEW] = "new",
    [ETI_CHECK_BASE_BYTES] = "base_bytes",
    [ETI_CHECK_NEW_BYTES] = "new_bytes",
    [ETI_CHECK_CHANGE] = "change",
    [ETI_CHECK_LOW] = "change_low",
    [ETI_CHECK_HIGH] = "change_high",
    [ETI_CHECK_P] = "p",
    [ETI_CHECK_RUNS] = "runs",
    [ETI_CHECK_FILE] = "source_file",
    [ETI_CHECK_LINE] = "source_line",
    [ETI_CHECK_MESSAGE] = "message",
};

const char *eti_check_column_name(eti_check_column column) {
    return names[column];
}

eti_status eti_checks_find(eti_checks *out, const eti_report *report, const char *format,
                           eti_error *err) {
    const eti_section *section = eti_report_find(report, "checks");
    if (!section)
        return eti_fail(err, ETI_ERROR_USAGE, "--format %s is for etinspect gate", format);
    *out = (eti_checks){.report = report, .table = section->table};
    for (size_t i = 0; i < ETI_N_CHECK_COLUMNS; i++) {
        if (!eti_column_find(section->table, eti_text_of(names[i]), &out->columns[i]))
            return eti_fail(err, ETI_ERROR_USAGE,
                            "--format %s needs the column %s: leave --columns out", format,
                            names[i]);
    }
    return ETI_OK;
}
