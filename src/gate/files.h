/*
 * files.h - reads the files of a gate: budgets, which contain rules, and lists of exceptions, which
 * name rows that are allowed to be slower.
 *
 * Both are CSV with a line of column names; empty lines and lines that begin with # are skipped.
 *
 *     what,metric,limit,comment            pattern,reason,expires
 *     total,p50,20ms,frame budget          aten.conv*,waits for the new kernel,2026-12-31
 *     aten.softmax*,p90,+10%,              encoder.layers.0*,"known, see issue 12",
 */
#ifndef ETI_GATE_FILES_H
#define ETI_GATE_FILES_H

#include "base/arena.h"
#include "gate/rule.h"

#define ETI_GATE_FILE_MAX_SIZE ((size_t)1 << 20) /* in bytes */
#define ETI_GATE_FILE_MAX_ROWS 10000

typedef struct eti_gate_rules {
    eti_gate_rule *rules;
    size_t n, capacity;
} eti_gate_rules;

/* Allows a regression of rows with a name that matches the pattern (see base/names.h). */
typedef struct eti_allowance {
    eti_text pattern, reason;
    eti_text expires; /* YYYY-MM-DD, the last day of validity; absent if it never expires */
    eti_text origin;  /* file and line */
    bool is_expired;
    size_t n_used; /* set by the user of the list */
} eti_allowance;

typedef struct eti_allowances {
    eti_allowance *entries;
    size_t n, capacity;
} eti_allowances;

/* Adds the rules of a file of budgets. Fails with ETI_ERROR_READ, ETI_ERROR_MALFORMED or ETI_ERROR_LIMIT, and names
 * the line if there is one, or with ETI_ERROR_MEMORY. `arena` owns the texts; the array is allocated with malloc(),
 * even on failure. */
eti_status eti__gate_read_budgets(eti_gate_rules *rules, eti_arena *arena, const eti_source *source,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Adds the entries of a list; `today` is YYYY-MM-DD. Fails like eti__gate_read_budgets(). */
eti_status eti__gate_read_allowances(eti_allowances *out, eti_arena *arena,
                                     const eti_source *source, const char *today,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Stores the day, in UTC, of a time in seconds since 1970. */
void eti__day_of(int64_t seconds, char out[11]);

#endif
