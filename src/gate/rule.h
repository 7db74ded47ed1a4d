/*
 * rule.h - parses the rules of a gate.
 *
 *     rule   = [scope ":"] metric ">" limit { option } | ["program" ":"] figure ">" limit
 *     scope  = "op" | "optype" | "module" | "backend" | "source", each optionally with "=" pattern;
 *              "total" | "operators" | "delegates" | "overhead" | "framework" | "loading" | "allocation"
 *     metric = "p50" | "avg" | "p90" | "min" | "max"
 *     figure = "file_size" | "arena_size" | "arena_peak" | "waste" | "constants" | "delegate_blobs" | "instructions" |
 *              "operators", all of the program
 *     limit  = "+" number "%"         exceeds the base by this share
 *            | "+" number unit        exceeds the base by this time
 *            | number unit            exceeds this time; the base does not matter
 *     option = "min_share=" number "%"        only rows with this share of the total on either side
 *            | "min_effect=" number unit      only if the excess is at least this time
 *
 * A unit is a unit of time; for allocation and figures it is B, kB, MB, GB, KiB, MiB or GiB, or bytes, kib, mib or gib.
 * The last two figures are numbers without a unit.
 *
 * Without a scope, each operator is checked. A pattern has the syntax of base/names.h and ends at the last colon. Spaces are
 * allowed between all parts.
 */
#ifndef ETI_GATE_RULE_H
#define ETI_GATE_RULE_H

#include "base/arena.h"
#include "program/program.h"
#include "stats/stats.h"

#define ETI_GATE_RULE_MAX_SIZE 4096 /* in bytes */

typedef enum eti_gate_scope {
    ETI_GATE_OP,     /* an event, by its name or its operator */
    ETI_GATE_OPTYPE, /* all events of an operator together */
    ETI_GATE_MODULE,
    ETI_GATE_BACKEND,
    ETI_GATE_SOURCE,
    ETI_GATE_TOTAL, /* first of the scopes that are totals of a profile */
    ETI_GATE_OPERATORS,
    ETI_GATE_DELEGATES,
    ETI_GATE_FRAMEWORK,
    ETI_GATE_LOADING,
    ETI_GATE_ALLOCATION, /* in bytes, not time */
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
    eti_text origin; /* file and line; absent for an option or a default */
    eti_text comment;
    eti_gate_scope scope;
    eti_text pattern;  /* absent if it matches everything */
    eti_metric metric; /* never the location, although rules about the p50 are judged by it */
    eti_figure figure; /* for ETI_GATE_PROGRAM, instead of the metric */
    eti_gate_limit kind;
    double limit;        /* 0.05 for 5 %, or a number of `unit` */
    eti_time_scale unit; /* unit of time; rules about allocation use bytes */
    double min_share;    /* 0: no minimum; default: 1 % for relative rules about parts */
    bool has_min_share;  /* the rule states it */
    double min_effect;   /* number of `effect_unit`; 0: no minimum */
    eti_time_scale effect_unit;
} eti_gate_rule;

const char *eti__gate_metric_name(eti_metric metric);
/* Returns the name of the metric or figure that a rule is about. */
const char *eti__gate_measure_name(const eti_gate_rule *rule);
/* Returns whether a rule is about bytes, not about time or a number of items. */
bool eti__gate_is_about_bytes(const eti_gate_rule *rule);
const char *eti__gate_scope_name(eti_gate_scope scope);

/* Parses a rule; `arena` owns copies of its texts. Fails with ETI_ERROR_USAGE and sets err->position, or with
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_rule_parse(eti_gate_rule *out, eti_arena *arena, eti_text text,
                                eti_error *err) ETI_WARN_UNUSED;

/* Parses a rule with its parts in columns; the first is a scope, a pattern of operators or, without a metric, a figure.
 * Fails like eti__gate_rule_parse(), but without a position. */
eti_status eti__gate_rule_of_parts(eti_gate_rule *out, eti_arena *arena, eti_text what,
                                   eti_text metric, eti_text limit, eti_error *err) ETI_WARN_UNUSED;

#endif
