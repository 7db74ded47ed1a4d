/*
 * failing.h - selects the rows of a table for which an expression of --fail_on is true, and turns
 * them into findings like those of a gate, for formats such as junit and github.
 */
#ifndef ETI_VIEW_NUMERICS_FAILING_H
#define ETI_VIEW_NUMERICS_FAILING_H

#include "base/text.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "numerics/numerics.h"
#include "view_numerics/view_numerics.h"

/* Kind of the rows. */
typedef struct eti_failing_rows {
    size_t n, n_compared;
    /* Returns whether the outputs of a row were compared and differ, so that each of their metrics counts. */
    bool (*differs)(const void *context, size_t row);
    /* Describes a row for findings: appends to `key` a text that no other row has, and to `message` a
     * description of the failure, and fills the other members. */
    void (*describe)(const void *context, size_t row, eti_buffer *key, eti_buffer *message,
                     eti_finding *out);
    const void *context;
} eti_failing_rows;

/* Tests all rows of a table. ETI_ERROR_USAGE: an expression is wrong; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__failing_choose(eti_failing *out, const eti_table *table,
                               const eti_numerics_options *options, const eti_failing_rows *rows,
                               eti_time_scale scale, eti_error *err) ETI_WARN_UNUSED;

/* Checks that expressions are true for a row or decided for all. ETI_ERROR_TOO_FEW: they are not. */
eti_status eti__failing_check(const eti_failing *failing, const eti_numerics_options *options,
                              const eti_failing_rows *rows, eti_error *err) ETI_WARN_UNUSED;
void eti__failing_free(eti_failing *failing);

/* Returns the number of the row that the table shows as row `i`. */
static inline size_t eti__failing_row(const eti_failing *failing, size_t i) {
    return failing->is_asked ? failing->rows[i] : i;
}

/* Checks the number of compared outputs. ETI_ERROR_TOO_FEW: fewer than options->min_compared. */
eti_status eti__check_compared(size_t n_compared, const eti_numerics_options *options,
                               eti_error *err) ETI_WARN_UNUSED;

/* Adds a rule for each expression and a finding for each row that fails. ETI_ERROR_MEMORY. */
eti_status eti__failing_add_findings(eti_report *report, const eti_failing *failing,
                                     const eti_numerics_options *options,
                                     const eti_failing_rows *rows, eti_error *err) ETI_WARN_UNUSED;

#endif
