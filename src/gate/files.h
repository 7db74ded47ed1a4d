/*
 * files.h - reads the files of a gate: budgets, which give rules, and lists of exceptions, which
 * are allowed to be slower.
 *
 * Both are CSV with a line of column names; empty lines and lines that begin with # are skipped.
 *
 *     what,metric,limit,comment            pattern,reason,expires
 *     total,p50,20ms,frame budget          aten.conv*,waits for the new kernel,2026-12-31
 *     aten.softmax*,p90,+10%,              encoder.layers.0*,"known, see issue 12",
 */
#ifndef ETI_GATE_FILES_H
#define ETI_GATE_FILES_H

#include "gate/rule.h"

#define ETI_GATE_FILE_MAX_SIZE ((size_t)1 << 20) /* bytes */
#define ETI_GATE_FILE_MAX_ROWS 10000

typedef struct eti_gate_rules {
    eti_gate_rule *rules;
    size_t n, capacity;
} eti_gate_rules;

/* Allows a regression of rows whose name fits the pattern (see glob.h). */
typedef struct eti_allowance {
    eti_text pattern, reason;
    eti_text expires; /* YYYY-MM-DD, the last day on which it counts; absent: never */
    eti_text origin;  /* file and line */
    bool is_expired;
    size_t n_used; /* for who uses the list */
} eti_allowance;

typedef struct eti_allowances {
    eti_allowance *entries;
    size_t n, capacity;
} eti_allowances;

/* Adds the rules of a file of budgets. ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, with the line where there is
 * one; ETI_ERROR_MEMORY. Texts are in `arena`, the array is malloc's, also when it fails. */
eti_status eti__gate_read_budgets(eti_gate_rules *rules, eti_arena *arena, const eti_source *source,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Adds the entries of a list; `today` is YYYY-MM-DD. Fails in the same way. */
eti_status eti__gate_read_allowances(eti_allowances *out, eti_arena *arena,
                                     const eti_source *source, const char *today,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Returns the day in UTC of a time in seconds since 1970. */
void eti__day_of(int64_t seconds, char out[11]);

#endif
