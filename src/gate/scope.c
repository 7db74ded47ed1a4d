#include "gate/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== scope =================================================================================== */
/* Finds the comparison of a rule, the rows in its scope, and those that match its pattern. */

/* Largest number of comparisons of a gate; a file of budgets may have thousands of rules, each with its own
 * min_share. */
#define MOST_DIFFS 64

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Describes scopes that are parts; the others have none of these. */
static const struct part {
    const char *group;     /* grouping of a comparison; NULL: none */
    const char *things;    /* what a rule compares */
    const char *of_record; /* what is unknown without an ETRecord; NULL: nothing */
} parts[ETI_N_GATE_SCOPES] = {
    [ETI_GATE_OP] = {NULL, "events", "operators"},
    [ETI_GATE_OPTYPE] = {"optype", "operators", "operators"},
    [ETI_GATE_MODULE] = {"module", "modules", "modules"},
    [ETI_GATE_BACKEND] = {"backend", "backends", NULL},
    [ETI_GATE_SOURCE] = {"source", "source lines", "source lines"},
};

static bool is_same_group(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns whether an existing comparison suits the rule. A limit takes its numbers from the files of a row, and
 * totals do not depend on small rows. */
static bool is_suitable(const eti_diff_options *has, const eti_diff_options *wanted,
                        const eti_gate_rule *rule) {
    if (!is_same_group(has->group, wanted->group) && rule->scope < ETI_GATE_TOTAL)
        return false;
    if (rule->kind == ETI_GATE_ABSOLUTE)
        return true;
    return has->metric == wanted->metric &&
           (rule->scope >= ETI_GATE_TOTAL || has->min_share == wanted->min_share);
}

static eti_status make_diff(eti_gate *gate, const eti_diff_options *options, const eti_diff **out,
                            eti_error *err) {
    if (gate->n_diffs == MOST_DIFFS)
        return eti_fail(
            err, ETI_ERROR_LIMIT,
            "the rules need more than %d different comparisons (by scope, metric and min_share)",
            MOST_DIFFS);
    if (!ETI_GROW(gate->diffs, gate->diff_capacity, gate->n_diffs + 1))
        return eti_fail_memory(err);
    eti_diff *diff = calloc(1, sizeof *diff);
    if (!diff)
        return eti_fail_memory(err);
    gate->diffs[gate->n_diffs++] = diff;
    *out = diff;
    return eti__diff_make(diff, gate->base, gate->new_side, options, err);
}

/* Returns the smallest limit of all rules. If there are few events, the comparison ignores effects smaller than this;
 * each rule has its own verdict. */
static double find_least_limit(const eti_gate *gate) {
    double least = gate->options.diff.least_effect;
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        if (rule->kind != ETI_GATE_ABSOLUTE)
            least = fmin(least, rule->kind == ETI_GATE_RELATIVE ? rule->limit : 0);
    }
    return least;
}

eti_status eti__gate_find_diff(eti_gate *gate, const eti_gate_rule *rule, const eti_diff **out,
                               eti_error *err) {
    eti_diff_options options = gate->options.diff;
    options.group = parts[rule->scope].group;
    options.least_effect = find_least_limit(gate);
    if (rule->kind != ETI_GATE_ABSOLUTE) {
        options.metric = rule->metric;
        options.min_share = rule->scope < ETI_GATE_TOTAL ? rule->min_share : options.min_share;
    }
    for (size_t i = 0; i < gate->n_diffs; i++) {
        *out = gate->diffs[i];
        if (is_suitable(&gate->diffs[i]->options, &options, rule))
            return ETI_OK;
    }
    return make_diff(gate, &options, out, err);
}

/* ---- rows ------------------------------------------------------------------------------------ */

const eti_diff_rows *eti__gate_rows_of(const eti_gate_rule *rule, const eti_diff *diff) {
    if (rule->scope == ETI_GATE_ALLOCATION)
        return &diff->allocated;
    if (rule->scope >= ETI_GATE_TOTAL)
        return &diff->totals;
    return rule->scope == ETI_GATE_OP ? &diff->events : &diff->groups;
}

/* Kind of the row of each scope that is a total. */
static const eti_entry_kind totals[ETI_N_GATE_SCOPES] = {
    [ETI_GATE_TOTAL] = ETI_ENTRY_EXECUTE,       [ETI_GATE_OPERATORS] = ETI_ENTRY_OPERATORS,
    [ETI_GATE_DELEGATES] = ETI_ENTRY_DELEGATES, [ETI_GATE_FRAMEWORK] = ETI_ENTRY_FRAMEWORK,
    [ETI_GATE_LOADING] = ETI_ENTRY_LOADING,     [ETI_GATE_ALLOCATION] = ETI_ENTRY_ALLOCATED,
};

static const eti_entry *entry_of(const eti_diff_row *row) {
    return row->new_side.entry ? row->new_side.entry : row->base.entry;
}

bool eti__gate_fits(eti_text pattern, const eti_gate_rule *rule, const eti_diff_row *row) {
    return eti__glob_match(pattern, row->name) ||
           (rule->scope == ETI_GATE_OP && eti__glob_match(pattern, entry_of(row)->op_type));
}

bool eti__gate_is_about(const eti_gate_rule *rule, const eti_diff_row *row) {
    if (rule->scope >= ETI_GATE_TOTAL)
        return row->kind == totals[rule->scope];
    return !rule->pattern.data || eti__gate_fits(rule->pattern, rule, row);
}

/* ---- sides without ETRecord ------------------------------------------------------------------ */

static bool is_known(eti_gate_scope scope, const eti_entry *entry) {
    if (scope == ETI_GATE_MODULE)
        return entry->module.data != NULL;
    return scope == ETI_GATE_SOURCE ? entry->file.data != NULL : entry->op.data != NULL;
}

/* Returns whether no event of the profile has what the rule selects by, because there is no ETRecord. */
static bool lacks_record(const eti_profile *profile, eti_gate_scope scope) {
    const eti_inspector *inspector = eti__profile_inspector(profile);
    if (inspector && inspector->record)
        return false;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = block->n_totals; k < block->n_entries; k++) {
            if (is_known(scope, &block->entries[k]))
                return false;
        }
    }
    return true;
}

void eti__gate_add_lacking_record(eti_buffer *out, const eti_gate_rule *rule, const eti_diff *diff,
                                  bool is_unfit) {
    const char *unknown = parts[rule->scope].of_record;
    if (!unknown)
        return;
    bool lacks_new = lacks_record(diff->new_side, rule->scope);
    bool lacks_base =
        (lacks_new || rule->kind != ETI_GATE_ABSOLUTE) && lacks_record(diff->base, rule->scope);
    bool has_names = rule->scope == ETI_GATE_OP || rule->scope == ETI_GATE_OPTYPE;
    const eti_profile *lacking = lacks_new ? diff->new_side : diff->base;
    if ((!lacks_base && !lacks_new) || (lacks_base && lacks_new && has_names && !is_unfit))
        return;
    if (lacks_base && lacks_new)
        eti__buffer_printf(out, "; without an ETRecord, %s are unknown: ", unknown);
    else
        eti__buffer_printf(out, "; the %s has no ETRecord, so its %s are unknown: ",
                           lacks_new ? "new side" : "base", unknown);
    eti__buffer_add_string(out, eti__profile_inspector(lacking) ? "give it"
                                                                : "save the baseline with it");
}

/* ---- rules without matches ------------------------------------------------------------------- */

/* The name that is most similar to a pattern so far. */
typedef struct nearest {
    eti_text wanted; /* the pattern without leading and trailing * */
    eti_text name;
    size_t distance;
} nearest;

static eti_text trim_stars(eti_text pattern) {
    while (pattern.size > 0 && pattern.data[0] == '*') {
        pattern.data++;
        pattern.size--;
    }
    while (pattern.size > 0 && pattern.data[pattern.size - 1] == '*')
        pattern.size--;
    return pattern;
}

static void offer(nearest *n, eti_text part, eti_text name) {
    size_t distance = eti__edit_distance(n->wanted, part);
    if (name.data && distance < n->distance)
        *n = (nearest){n->wanted, name, distance};
}

/* Considers a whole name, and its parts that are separated by any of `marks`. */
static void offer_name(nearest *n, eti_text name, const char *marks) {
    offer(n, name, name);
    for (size_t first = 0, end; first < name.size; first = end + 1) {
        for (end = first; end < name.size && !strchr(marks, name.data[end]);)
            end++;
        offer(n, (eti_text){name.data + first, end - first}, name);
    }
}

static void offer_rows(nearest *n, const eti_gate_rule *rule, const eti_diff_rows *rows,
                       const char *marks) {
    for (size_t i = 0; i < rows->n; i++) {
        offer_name(n, rows->rows[i].name, marks);
        if (rule->scope == ETI_GATE_OP)
            offer_name(n, entry_of(&rows->rows[i])->op_type, marks);
    }
}

/* Returns whether the name is similar; with more than a third of its letters wrong, it is another name. */
static bool is_near(const nearest *n) {
    return n->name.data && (n->distance <= 1 || n->distance <= n->wanted.size / 3);
}

static bool fits_row(eti_text pattern, const eti_diff_row *row) {
    const eti_entry *entry = entry_of(row);
    return eti__glob_match(pattern, row->name) ||
           (entry &&
            (eti__glob_match(pattern, entry->op_type) || eti__glob_match(pattern, entry->module)));
}

static bool fits_rows(eti_text pattern, const eti_diff_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        if (fits_row(pattern, &rows->rows[i]))
            return true;
    }
    return false;
}

bool eti__gate_fits_anything(const eti_gate *gate, eti_text pattern) {
    for (int scope = ETI_GATE_TOTAL; scope < ETI_N_GATE_SCOPES; scope++) {
        if (eti__glob_match(pattern, eti__text_of(eti__gate_scope_name((eti_gate_scope)scope))))
            return true;
    }
    for (int figure = 0; figure < ETI_N_FIGURES; figure++) {
        if (eti__glob_match(pattern, eti__text_of(eti__figure_names[figure])))
            return true;
    }
    for (size_t i = 0; i < gate->n_diffs; i++) {
        const eti_diff *diff = gate->diffs[i];
        if (fits_rows(pattern, &diff->totals) || fits_rows(pattern, &diff->events) ||
            fits_rows(pattern, &diff->groups))
            return true;
    }
    return false;
}

eti_status eti__gate_fail_unfit(const eti_gate_rule *rule, const eti_diff *diff, eti_error *err) {
    const eti_diff_rows *rows = eti__gate_rows_of(rule, diff);
    nearest n = {.wanted = trim_stars(rule->pattern), .distance = SIZE_MAX};
    if (rule->scope >= ETI_GATE_TOTAL)
        return eti_fail(err, ETI_ERROR_USAGE, "the rule %.*s matches nothing: neither side has %s",
                        ETI_TEXT_ARGS(rule->text), eti__gate_scope_name(rule->scope));
    /* "adddmm" may stand for aten.addmm.default or, if nothing has that name, native_call_addmm.out */
    offer_rows(&n, rule, rows, ".");
    if (!is_near(&n))
        offer_rows(&n, rule, rows, "._");
    for (int scope = 0; scope < ETI_N_GATE_SCOPES; scope++)
        offer_name(&n, eti__text_of(eti__gate_scope_name((eti_gate_scope)scope)), "");
    if (is_near(&n))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the rule %.*s matches nothing on either side; did you mean %.*s?",
                        ETI_TEXT_ARGS(rule->text), ETI_TEXT_ARGS(n.name));
    eti_buffer advice = {0};
    eti__gate_add_lacking_record(&advice, rule, diff, true);
    eti_text text = eti__buffer_text(&advice);
    eti_status status =
        eti_fail(err, ETI_ERROR_USAGE, "the rule %.*s matches nothing on either side%.*s",
                 ETI_TEXT_ARGS(rule->text), ETI_TEXT_ARGS(text));
    eti__buffer_free(&advice);
    return status;
}

/* ==== unlike ================================================================================== */
/* Finds why a rule must not pass although no check is broken. */

static bool is_about(const void *rule, const eti_diff_row *row) {
    return eti__gate_is_about(rule, row);
}

bool eti__gate_find_unlike(const eti_gate_rule *rule, const eti_diff *diff, const eti_check *checks,
                           size_t n, eti_unlike *out) {
    bool *are_checked = calloc(diff->n_pairs + 1, sizeof *are_checked);
    if (!are_checked)
        return false;
    for (size_t i = 0; i < n; i++)
        are_checked[checks[i].row->pair] = true;
    const eti_compared_rows of = {.diff = diff,
                                  .rows = eti__gate_rows_of(rule, diff),
                                  .is_about = is_about,
                                  .rule = rule,
                                  .compares = rule->kind != ETI_GATE_ABSOLUTE,
                                  .are_parts = rule->scope < ETI_GATE_TOTAL,
                                  .have_warm_up = rule->scope != ETI_GATE_LOADING};
    bool done = eti__find_unlike(out, &of, are_checked);
    free(are_checked);
    return done;
}

/* ---- words ----------------------------------------------------------------------------------- */

void eti__gate_add_unlike(eti_buffer *out, const eti_gate *gate, size_t rule) {
    eti__add_unlike(out, gate->judgements[rule].diff, &gate->judgements[rule].unlike,
                    parts[gate->rules.rules[rule].scope].things, gate->names_blocks);
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
