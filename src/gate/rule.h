/*
 * rule.h - parses the rules of a gate.
 *
 *     rule   = [scope ":"] metric ">" limit { option } | ["program" ":"] figure ">" limit
 *     scope  = "op" | "optype" | "module" | "backend" | "source", each with "=" pattern or without: any;
 *              "total" | "operators" | "delegates" | "overhead" | "framework" | "loading" | "allocation"
 *     metric = "p50" | "avg" | "p90" | "min" | "max"
 *     figure = "file_size" | "arena_size" | "arena_peak" | "waste" | "constants" | "delegate_blobs" | "instructions" |
 *              "operators": of the program
 *     limit  = "+" number "%"         more than on the other side by this share
 *            | "+" number unit        more than on the other side by that time
 *            | number unit            more than that time; the other side does not count
 *     option = "min_share=" number "%"        only what takes such a share of the total on either side
 *            | "min_effect=" number unit      only where it takes longer by that time
 *
 * A unit is one of time; of allocation and of figures it is B, kB, MB, GB, KiB, MiB or GiB, or bytes, kib, mib or gib. The
 * last two figures are numbers without a unit.
 *
 * Without a scope each operator is looked at. A pattern is one of glob.h and ends at the last colon. Blanks may stand
 * between all parts.
 */
#ifndef ETI_GATE_RULE_H
#define ETI_GATE_RULE_H

#include "base/arena.h"
#include "base/text.h"
#include "profile/profile_figures.h"
#include "stats/metric.h"

#define ETI_GATE_RULE_MAX_SIZE 4096 /* bytes */

typedef enum eti_gate_scope {
    ETI_GATE_OP,     /* an event, by its name or the operator that it is */
    ETI_GATE_OPTYPE, /* all events of one operator together */
    ETI_GATE_MODULE,
    ETI_GATE_BACKEND,
    ETI_GATE_SOURCE,
    ETI_GATE_TOTAL, /* from here on, one of the totals of a profile */
    ETI_GATE_OPERATORS,
    ETI_GATE_DELEGATES,
    ETI_GATE_FRAMEWORK,
    ETI_GATE_LOADING,
    ETI_GATE_ALLOCATION, /* in bytes, not in time */
    ETI_GATE_PROGRAM,    /* a figure of the program */
    ETI_N_GATE_SCOPES,
} eti_gate_scope;

typedef enum eti_gate_limit {
    ETI_GATE_RELATIVE,   /* +5% */
    ETI_GATE_DIFFERENCE, /* +5us */
    ETI_GATE_ABSOLUTE,   /* 5us */
} eti_gate_limit;

typedef struct eti_gate_rule {
    eti_text text;   /* text as written, or as it would be written */
    eti_text origin; /* file and line; absent: an option, or a default */
    eti_text comment;
    eti_gate_scope scope;
    eti_text pattern;  /* absent: any */
    eti_metric metric; /* never the location, although it decides rules about the p50 */
    eti_figure figure; /* of ETI_GATE_PROGRAM, in place of the metric */
    eti_gate_limit kind;
    double limit;        /* 0.05 for 5 %, or a number of `unit` */
    eti_time_scale unit; /* of time; rules about allocation use bytes */
    double min_share;    /* 0: any. Default: 1 % for relative rules about parts */
    bool has_min_share;  /* the rule says so itself */
    double min_effect;   /* a number of `effect_unit`; 0: any */
    eti_time_scale effect_unit;
} eti_gate_rule;

const char *eti__gate_metric_name(eti_metric metric);
/* Returns the name of the metric or figure that a rule is about. */
const char *eti__gate_measure_name(const eti_gate_rule *rule);
/* Whether a rule is about bytes, and not about time or a number of things. */
bool eti__gate_is_about_bytes(const eti_gate_rule *rule);
const char *eti__gate_scope_name(eti_gate_scope scope);

/* Reads a rule; texts of it are copied into `arena`. ETI_ERROR_USAGE with err->position; ETI_ERROR_MEMORY. */
eti_status eti__gate_rule_parse(eti_gate_rule *out, eti_arena *arena, eti_text text,
                                eti_error *err) ETI_WARN_UNUSED;

/* Reads a rule whose parts stand in columns; the first is a scope, or a pattern of operators. Fails
 * in the same way, but without a position. */
eti_status eti__gate_rule_of_parts(eti_gate_rule *out, eti_arena *arena, eti_text what,
                                   eti_text metric, eti_text limit, eti_error *err) ETI_WARN_UNUSED;

#endif
