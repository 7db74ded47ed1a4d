/*
 * unlike.c - finds why a rule must not pass although no check is broken: parts of the sides were not
 * compared, because the sides are not alike.
 */
#include "gate/parts.h"

#include <math.h>
#include <stdlib.h>

/* Warm-up that takes at most this many runs of a file, or this share of them, more than on the base is usual. */
#define USUAL_WARM_UP 2
#define USUAL_WARM_UP_SHARE 0.1
#define USUAL_WARM_UP_ALONE 0.25 /* of a limit, without a base to compare with */

/* Facts about a pair of blocks, as far as the rule is about it. */
typedef struct pair_facts {
    double base, new_side;                     /* times of the rows */
    double shared_of_base, shared_of_new_side; /* times of the rows that both sides have */
    bool is_checked, is_concerned;             /* a row has a check; the rule is about a row */
} pair_facts;

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Returns whether only the base has blocks with this name, except for loading, which is not a run of the model. */
static bool is_only_in_base(const eti_diff *diff, const eti_diff_pair *pair) {
    if (pair->new_side || !pair->total_base)
        return false;
    for (size_t i = 0; i < diff->new_side->n_blocks; i++) {
        if (eti__block_has_name_of(&diff->new_side->blocks[i], pair->base))
            return false;
    }
    return true;
}

/* Finds a block that only the base has, with a row that the rule is about. */
static const eti_diff_pair *find_lost_block(const eti_gate_rule *rule, const eti_diff *diff) {
    const eti_diff_rows *rows = eti__gate_rows_of(rule, diff);
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        if (row->new_side.n_events == 0 && eti__gate_is_about(rule, row) &&
            is_only_in_base(diff, &diff->pairs[row->pair]))
            return &diff->pairs[row->pair];
    }
    return NULL;
}

/* ---- shared times ---------------------------------------------------------------------------- */

static void add_row(pair_facts *facts, const eti_diff_row *row) {
    double base = isnan(row->base.location) ? 0 : row->base.location;
    double new_side = isnan(row->new_side.location) ? 0 : row->new_side.location;
    if (row->is_rest)
        return;
    facts->base += base;
    facts->new_side += new_side;
    if (eti__diff_row_is_on_both(row)) {
        facts->shared_of_base += base;
        facts->shared_of_new_side += new_side;
    }
}

static bool is_little(double part, double whole) {
    return part < ETI_LITTLE_IN_COMMON * whole;
}

/* Finds a pair whose sides have little in common, whichever of the events or groups the pattern selects:
 * changes are relative to the level of all that the sides share. */
static bool find_little_in_common(const eti_gate_rule *rule, const eti_diff *diff,
                                  pair_facts *facts, eti_unlike *out) {
    const eti_diff_rows *rows = eti__gate_rows_of(rule, diff);
    for (size_t i = 0; i < rows->n; i++) {
        pair_facts *of = &facts[rows->rows[i].pair];
        of->is_concerned = of->is_concerned || eti__gate_is_about(rule, &rows->rows[i]);
        add_row(of, &rows->rows[i]);
    }
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const pair_facts *of = &facts[i];
        bool is_on_both = diff->pairs[i].base && diff->pairs[i].new_side;
        if (!is_on_both || !of->is_concerned ||
            (!is_little(of->shared_of_base, of->base) &&
             !is_little(of->shared_of_new_side, of->new_side)))
            continue;
        *out = (eti_unlike){ETI_UNLIKE_EVENTS, &diff->pairs[i],
                            of->base > 0 ? of->shared_of_base / of->base : 0,
                            of->new_side > 0 ? of->shared_of_new_side / of->new_side : 0};
        return true;
    }
    return false;
}

/* ---- warm-up --------------------------------------------------------------------------------- */

static double share_of_warm_up(const eti_profile_block *block) {
    size_t n = block->n_runs + block->n_skipped;
    return n > 0 ? (double)block->n_skipped / (double)n : 0;
}

/* Finds a checked pair in which warm-up took many more runs of the new side than of the base or, for a limit without a
 * base, many runs. */
static bool find_warm_up(const eti_diff *diff, const pair_facts *facts, eti_unlike *out) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        if (!facts[i].is_checked || !pair->new_side || pair->new_side->n_files == 0)
            continue;
        bool has_base = pair->base && diff->base != diff->new_side;
        double base = has_base ? share_of_warm_up(pair->base) : 0;
        double usual = has_base ? USUAL_WARM_UP_SHARE : USUAL_WARM_UP_ALONE;
        double new_side = share_of_warm_up(pair->new_side);
        double n_runs = (double)(pair->new_side->n_runs + pair->new_side->n_skipped) /
                        (double)pair->new_side->n_files;
        if (new_side - base <= usual || (new_side - base) * n_runs <= USUAL_WARM_UP)
            continue;
        *out = (eti_unlike){ETI_UNLIKE_WARM_UP, pair, base, new_side};
        return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool eti__gate_find_unlike(const eti_gate_rule *rule, const eti_diff *diff, const eti_check *checks,
                           size_t n, eti_unlike *out) {
    *out = (eti_unlike){.kind = ETI_ALIKE};
    if (diff->options.allow_unlike)
        return true;
    pair_facts *facts = calloc(diff->n_pairs + 1, sizeof *facts);
    if (!facts)
        return false;
    for (size_t i = 0; i < n; i++)
        facts[checks[i].row->pair].is_checked = true;
    bool compares = rule->kind != ETI_GATE_ABSOLUTE, is_found = false;
    const eti_diff_pair *lost = compares ? find_lost_block(rule, diff) : NULL;
    if (lost) {
        *out = (eti_unlike){.kind = ETI_UNLIKE_BLOCKS, .pair = lost};
        is_found = true;
    }
    if (!is_found && compares && rule->scope < ETI_GATE_TOTAL)
        is_found = find_little_in_common(rule, diff, facts, out);
    if (!is_found && rule->scope != ETI_GATE_LOADING && !diff->new_side->has_fixed_skip)
        find_warm_up(diff, facts, out);
    free(facts);
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Names what a rule about events or groups compares. */
static const char *const things[ETI_N_GATE_SCOPES] = {
    [ETI_GATE_OP] = "events",           [ETI_GATE_OPTYPE] = "operators",
    [ETI_GATE_MODULE] = "modules",      [ETI_GATE_BACKEND] = "backends",
    [ETI_GATE_SOURCE] = "source lines",
};

static void add_block(eti_buffer *out, const eti_gate *gate, const eti_diff_pair *pair) {
    if (gate->names_blocks)
        eti__buffer_printf(out, " of %.*s", ETI_TEXT_ARGS(pair->new_side->label));
}

void eti__gate_add_unlike(eti_buffer *out, const eti_gate *gate, size_t rule) {
    const eti_unlike *unlike = &gate->judgements[rule].unlike;
    const eti_gate_rule *of = &gate->rules.rules[rule];
    switch (unlike->kind) {
    case ETI_UNLIKE_BLOCKS:
        eti__buffer_printf(out, "only the base has the EventBlock %.*s",
                           ETI_TEXT_ARGS(unlike->pair->base->label));
        break;
    case ETI_UNLIKE_EVENTS:
        eti__buffer_printf(out, "shared %s take only ", things[of->scope]);
        eti__add_share(out, unlike->base);
        eti__buffer_add_string(out, " of the time of the base and ");
        eti__add_share(out, unlike->new_side);
        eti__buffer_add_string(out, " of the time of the new side");
        add_block(out, gate, unlike->pair);
        break;
    case ETI_UNLIKE_WARM_UP:
        eti__add_share(out, unlike->new_side);
        eti__buffer_add_string(out, " of the runs of the new side");
        add_block(out, gate, unlike->pair);
        eti__buffer_add_string(out, " were dropped as warm-up");
        if (gate->has_base) {
            eti__buffer_add_string(out, ", but ");
            eti__add_share(out, unlike->base);
            eti__buffer_add_string(out, " of the base");
        }
        break;
    case ETI_ALIKE:
        break;
    }
}

void eti__gate_add_unlike_remedy(eti_buffer *out, const eti_gate *gate, size_t rule) {
    const char *prefix = eti__option_prefix();
    switch (gate->judgements[rule].unlike.kind) {
    case ETI_UNLIKE_BLOCKS:
        eti__buffer_printf(
            out,
            ": save a new baseline if this is intended, or save those of both sides, "
            "or compare ETDumps, with %sblock",
            prefix);
        break;
    case ETI_UNLIKE_EVENTS:
        eti__buffer_printf(
            out,
            ": save a new baseline if the program is another one; a rule about "
            "%s compares two exports of one model",
            gate->rules.rules[rule].scope == ETI_GATE_MODULE ? "total" : "module, with ETRecords,");
        break;
    case ETI_UNLIKE_WARM_UP:
        eti__buffer_printf(out, ": %sskip_first sets the number of runs to drop", prefix);
        break;
    case ETI_ALIKE:
        return;
    }
    eti__buffer_printf(out, "; %sallow_unlike accepts it", prefix);
}
