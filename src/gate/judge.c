#include "gate/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== limit =================================================================================== */
/* Compares the new side with a limit: the files of each check by their own scatter, or by the
 * measured values. */

/* Fills the metric of a rule for n files; NAN where it is unknown. Returns the median of the others, or NAN. `scratch` may
 * be `out`. */
static double fill_metric(double *out, const eti_gate_rule *rule, const eti_row_side *side,
                          size_t n, double *scratch) {
    for (size_t i = 0; i < n; i++)
        out[i] = side->times ? eti__file_metric(&side->times[i], rule->metric) : (double)NAN;
    return eti__median_of_known(out, n, scratch);
}

/* Fills the medians of n checks of one pair of blocks. If there are enough files, compares the mean of those of each check
 * with the limit, in ticks or bytes, and sets the probability that it is there or higher by chance. Returns false if memory
 * runs out. */
static bool test_pair(const eti_gate_rule *rule, const eti_diff *diff, double limit,
                      eti_check *const *checks, size_t n) {
    const eti_diff_pair *pair = &diff->pairs[checks[0]->row->pair];
    size_t n_base = pair->base ? pair->base->n_files : 0, n_files = pair->new_side->n_files;
    eti_arena arena = {0};
    double *values = eti__arena_alloc(&arena, n * n_files + n_files, sizeof *values);
    double *logs = eti__arena_alloc(&arena, n * n_files, sizeof *logs);
    double *steps = eti__arena_alloc(&arena, n, sizeof *steps);
    double *scratch = eti__arena_alloc(&arena, 5 * n + 2 * n_files + n_base, sizeof *scratch);
    eti_change *changes = eti__arena_alloc(&arena, n, sizeof *changes);
    eti_check **tested = eti__arena_alloc(&arena, n, sizeof(eti_check *));
    bool done = values && logs && steps && scratch && changes && tested;
    eti_file_values known = {.n_new = n_files, .values = values, .steps = steps};
    eti_variance_prior prior;
    for (size_t i = 0; i < n && done; i++) {
        const eti_diff_row *row = checks[i]->row;
        double *own = values + known.n * n_files;
        checks[i]->base = fill_metric(scratch, rule, &row->base, n_base, scratch);
        checks[i]->new_side = fill_metric(own, rule, &row->new_side, n_files, scratch);
        if (eti__find_unjudged(own, n_files, 0, scratch) != ETI_JUDGED)
            continue;
        steps[known.n] = row->step;
        tested[known.n++] = checks[i];
    }
    if (done && known.n > 0 && n_files >= diff->fewest && n_files >= 2) {
        eti__log_values(logs, &known);
        eti__find_changes(changes, logs, NULL, &known, &prior, scratch);
        for (size_t i = 0; i < known.n; i++) {
            eti_change *change = &tested[i]->change;
            *change = changes[i];
            change->difference -= log(limit);
            tested[i]->is_tested = true;
            tested[i]->p = eti__student_above(change->difference / change->error, change->dof);
        }
    }
    eti__arena_free(&arena);
    return done;
}

static int compare_pairs(const void *a, const void *b) {
    const eti_check *x = *(eti_check *const *)a, *y = *(eti_check *const *)b;
    if (x->row->pair != y->row->pair)
        return x->row->pair < y->row->pair ? -1 : 1;
    return (x > y) - (x < y);
}

/* Fills new_side of n checks of a limit. For those with enough files, also fills change, p (one-sided, not adjusted)
 * and is_tested. `limit` is in the target scale, or in bytes. Returns false if memory runs out. */
static bool test_limits(const eti_gate_rule *rule, const eti_diff *diff, double limit,
                        eti_check *checks, size_t n) {
    bool is_bytes = rule->scope == ETI_GATE_ALLOCATION;
    double factor = is_bytes ? 1 : diff->new_side->factor;
    eti_check **by_pair = malloc((n + 1) * sizeof(eti_check *));
    bool done = by_pair != NULL;
    for (size_t i = 0; i < n && by_pair; i++)
        by_pair[i] = &checks[i];
    if (n > 0 && by_pair)
        qsort(by_pair, n, sizeof(eti_check *), compare_pairs);
    for (size_t first = 0, end; first < n && done; first = end) {
        for (end = first; end < n && by_pair[end]->row->pair == by_pair[first]->row->pair;)
            end++;
        done = test_pair(rule, diff, limit * factor, by_pair + first, end - first);
    }
    for (size_t i = 0; i < n && done; i++) {
        checks[i].base /= is_bytes ? 1 : diff->base_factor;
        checks[i].new_side /= factor;
    }
    free(by_pair);
    return done;
}

/* ==== judge =================================================================================== */
/* Applies a rule to each row in its scope. */

/* A rule that is being applied. */
typedef struct judging {
    eti_gate *gate;
    const eti_gate_rule *rule;
    const eti_diff *diff;
    eti_rule_judgement *out;
    double limit, min_effect; /* in the target scale, except a share */
    eti_check *checks;        /* checks of the rule */
    size_t n;
} judging;

/* ---- checks ---------------------------------------------------------------------------------- */

static bool add_check(judging *j, const eti_diff_row *row) {
    eti_gate *gate = j->gate;
    if (!ETI_GROW(gate->checks, gate->check_capacity, gate->n_checks + 1))
        return false;
    eti_check *check = &gate->checks[gate->n_checks++];
    *check = (eti_check){.row = row, .rule = (uint32_t)(j->rule - gate->rules.rules)};
    bool is_bytes = j->rule->scope == ETI_GATE_ALLOCATION;
    check->base = is_bytes ? round(row->base.location) : row->base.location;
    check->new_side = is_bytes ? round(row->new_side.location) : row->new_side.location;
    check->p = 1;
    return true;
}

static bool is_small(const judging *j, const eti_diff_row *row) {
    return j->rule->scope < ETI_GATE_TOTAL && eti__diff_row_share(row) < j->rule->min_share;
}

/* Returns the counter of the reason why the rule cannot check a row that it is about, or NULL if it can. */
static size_t *find_reason(judging *j, const eti_diff_row *row) {
    eti_rule_reach *reach = &j->out->reach;
    if (row->new_side.n_events == 0)
        return &reach->n_one_side;
    if (eti__diff_row_unit(row).data &&
        (j->rule->kind != ETI_GATE_RELATIVE || j->rule->min_effect > 0))
        return &reach->n_cycles;
    if (j->rule->kind == ETI_GATE_ABSOLUTE)
        return is_small(j, row) ? &reach->n_small : NULL;
    if (row->base.n_events == 0)
        return &reach->n_one_side;
    switch ((eti_unjudged)row->unjudged) {
    case ETI_UNJUDGED_SMALL:
        return &reach->n_small;
    case ETI_UNJUDGED_NO_TIME:
        return &reach->n_no_time;
    case ETI_UNJUDGED_MISSING:
        return &reach->n_missing;
    case ETI_UNJUDGED_UNITS:
        return &reach->n_units;
    default:
        return NULL;
    }
}

/* Adds a check of the level of the parts that the rule is about, if it is judged. */
static bool add_levels(judging *j) {
    const eti_diff_rows *totals = &j->diff->totals;
    bool are_groups = j->rule->scope != ETI_GATE_OP, done = true;
    if (j->rule->kind == ETI_GATE_ABSOLUTE || j->rule->scope >= ETI_GATE_TOTAL)
        return true;
    for (size_t i = 0; i < totals->n && done; i++) {
        const eti_diff_row *row = &totals->rows[i];
        if (row->is_level && row->family->is_of_groups == are_groups &&
            eti__level_is_checked(j->diff, row, j->out->alpha))
            done = add_check(j, row);
    }
    return done;
}

static bool list_checks(judging *j) {
    const eti_diff_rows *rows = eti__gate_rows_of(j->rule, j->diff);
    size_t first = j->gate->n_checks;
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        if (!eti__gate_is_about(j->rule, row))
            continue;
        j->out->reach.n_fit++;
        size_t *reason = find_reason(j, row);
        if (reason)
            ++*reason;
        else if (!add_check(j, row))
            return false;
    }
    if (j->gate->n_checks > first && !add_levels(j))
        return false;
    j->n = j->gate->n_checks - first;
    j->checks = j->n > 0 ? j->gate->checks + first : NULL;
    return true;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Returns the smallest change that the rule forbids, as a share of the base; for a limit, as a share above the limit. */
static double least_effect(const judging *j, const eti_check *check) {
    if (j->rule->kind == ETI_GATE_ABSOLUTE)
        return j->limit > 0 ? j->min_effect / j->limit : 0;
    double least = j->rule->kind == ETI_GATE_DIFFERENCE ? j->limit / check->base : j->limit;
    return fmax(least, j->min_effect / check->base);
}

/* Compares the measured times with the limit. */
static bool test_against_limit(judging *j) {
    size_t n = 0;
    double *p = malloc((3 * j->n + 1) * sizeof *p);
    bool done = p && test_limits(j->rule, j->diff, j->limit, j->checks, j->n);
    for (size_t i = 0; i < j->n && done; i++) {
        if (j->checks[i].is_tested)
            p[n++] = j->checks[i].p;
    }
    if (done)
        eti__holm_adjust(p, n, p + n);
    for (size_t i = 0, k = 0; i < j->n && done; i++) {
        if (j->checks[i].is_tested)
            j->checks[i].p = p[k++];
    }
    j->out->n_family = n;
    free(p);
    return done;
}

/* Compares both sides. */
static bool test_sides(judging *j) {
    const eti_terms terms = {.share = j->out->alpha, .margin = j->gate->options.diff.margin};
    eti_judged *judged = malloc((j->n + 1) * sizeof *judged);
    if (!judged)
        return false;
    for (size_t i = 0; i < j->n; i++)
        judged[i] = (eti_judged){.row = j->checks[i].row, .limit = j->checks[i].least_effect};
    bool done = eti__judge(&j->out->judgement, j->diff, &terms, judged, j->n);
    j->out->judgement.limit_unit = eti__gate_limit_unit(j->rule);
    if (j->out->judgement.limit_unit)
        j->out->judgement.limit = j->rule->limit;
    for (size_t i = 0; i < j->n && done; i++) {
        eti_check *check = &j->checks[i];
        check->is_tested = judged[i].verdict != ETI_VERDICT_UNDECIDED;
        check->p = check->is_tested ? judged[i].p : 1;
        check->verdict = judged[i].verdict;
        check->finding = ETI_FINDING_PASSED;
        if (judged[i].verdict == ETI_VERDICT_SLOWER)
            check->finding = ETI_FINDING_FAILED;
        else if (judged[i].verdict == ETI_VERDICT_UNDECIDED || judged[i].is_doubtful)
            check->finding = ETI_FINDING_UNDECIDED;
    }
    j->out->n_family = j->out->judgement.n_judged;
    free(judged);
    return done;
}

static bool test(judging *j) {
    for (size_t i = 0; i < j->n; i++)
        j->checks[i].least_effect = least_effect(j, &j->checks[i]);
    return j->rule->kind == ETI_GATE_ABSOLUTE ? test_against_limit(j) : test_sides(j);
}

/* ---- findings -------------------------------------------------------------------------------- */

static bool is_above_limit(const judging *j, const eti_check *check) {
    const eti_change *change = &check->change;
    return check->is_tested && check->p < j->out->alpha &&
           change->difference >= log1p(check->least_effect) &&
           change->difference > log1p(change->relative_step);
}

/* Returns the finding of a check of a limit by its test or, with too few files, by the measured time. With enough files, a
 * time above a limit does not pass, even if it may be there by chance. */
static eti_finding_kind judge_limit(const judging *j, const eti_check *check) {
    if (is_above_limit(j, check))
        return ETI_FINDING_FAILED;
    bool is_above = check->new_side > j->limit && check->new_side >= j->limit + j->min_effect;
    if (!is_above)
        return ETI_FINDING_PASSED;
    return check->is_tested ? ETI_FINDING_UNDECIDED : ETI_FINDING_FAILED;
}

/* Returns whether the pattern of an exception matches what a rule checks in a row. */
static bool fits_check(eti_text pattern, const eti_gate_rule *rule, const eti_diff_row *row) {
    const eti_entry *entry = rule->scope == ETI_GATE_OP ? row->new_side.entry : NULL;
    eti_text scope = {NULL, 0};
    if (rule->scope >= ETI_GATE_TOTAL)
        scope = eti__text_of(eti__gate_scope_name(rule->scope));
    return eti__gate_fits(pattern, rule, row) || eti__glob_match(pattern, scope) ||
           (entry && eti__glob_match(pattern, entry->module));
}

/* Finds the applicable exception: preferably one that has not expired. */
static void find_allowance(const eti_gate *gate, eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    for (size_t i = 0; i < gate->allowances.n; i++) {
        eti_allowance *allowance = &gate->allowances.entries[i];
        if (!fits_check(allowance->pattern, rule, check->row))
            continue;
        allowance->n_used++;
        if (!check->allowance || (check->allowance->is_expired && !allowance->is_expired))
            check->allowance = allowance;
    }
}

/* Sets the finding of a check, and counts it for its rule. A failed check to which an exception applies is allowed, unless
 * the exception expired. */
static void set_finding(eti_gate *gate, eti_check *check, eti_finding_kind finding) {
    if (finding == ETI_FINDING_FAILED)
        find_allowance(gate, check);
    if (check->allowance && !check->allowance->is_expired)
        finding = ETI_FINDING_ALLOWED;
    check->finding = (uint8_t)finding;
    gate->judgements[check->rule].checks[finding]++;
}

static void judge_checks(judging *j) {
    for (size_t i = 0; i < j->n; i++) {
        eti_check *check = &j->checks[i];
        bool compares = j->rule->kind != ETI_GATE_ABSOLUTE;
        set_finding(j->gate, check,
                    compares ? (eti_finding_kind)check->finding : judge_limit(j, check));
    }
}

/* ---- the outcome ----------------------------------------------------------------------------- */

/* Sets all checks of a rule that passed to undecided. */
static void doubt_checks(judging *j) {
    for (size_t i = 0; i < j->n; i++) {
        eti_check *check = &j->checks[i];
        if (check->finding != ETI_FINDING_PASSED)
            continue;
        check->finding = ETI_FINDING_UNDECIDED;
        j->out->checks[ETI_FINDING_PASSED]--;
        j->out->checks[ETI_FINDING_UNDECIDED]++;
    }
}

/* Returns whether a check is about something that the rule selects: a pattern may also name a group of the rest. */
static bool is_selected(const judging *j, const eti_check *check) {
    if (check->row->is_level)
        return false;
    return !check->row->is_rest || eti__text_equal(j->rule->pattern, check->row->name);
}

/* Removes all checks if they are about groups of the rest alone: a rule about modules has not checked anything if no
 * module is known. */
static void drop_rest(judging *j) {
    for (size_t i = 0; i < j->n; i++) {
        if (is_selected(j, &j->checks[i]))
            return;
    }
    j->out->reach.n_rest = j->n;
    j->out->n_family = 0;
    memset(j->out->checks, 0, sizeof j->out->checks);
    j->gate->n_checks -= j->n;
    j->n = 0;
}

static void find_outcome(judging *j) {
    eti_rule_judgement *out = j->out;
    bool compares = j->rule->kind != ETI_GATE_ABSOLUTE;
    if (j->n == 0) {
        out->outcome = ETI_RULE_NOTHING;
    } else if (out->checks[ETI_FINDING_FAILED] > 0) {
        out->outcome = ETI_RULE_FAILED;
    } else if (compares && out->judgement.doubt != ETI_DOUBT_NONE) {
        out->outcome =
            out->judgement.doubt == ETI_DOUBT_FEW_UNITS ? ETI_RULE_FEW_FILES : ETI_RULE_CANNOT_TELL;
        out->files_needed = out->judgement.n_needed;
    } else if (!compares && out->checks[ETI_FINDING_UNDECIDED] > 0) {
        out->outcome = ETI_RULE_CANNOT_TELL;
    } else {
        out->outcome = out->checks[ETI_FINDING_ALLOWED] > 0 ? ETI_RULE_ALLOWED : ETI_RULE_PASSED;
    }
}

/* Sets a rule that passed to undecided if parts of the sides were not compared, or if the measurement is not complete. Returns
 * false if memory runs out. */
static bool doubt_outcome(judging *j) {
    eti_rule_judgement *out = j->out;
    bool has_passed = out->outcome == ETI_RULE_PASSED || out->outcome == ETI_RULE_ALLOWED;
    bool is_cut_short = j->gate->options.is_cut_short,
         is_figure = j->rule->scope == ETI_GATE_PROGRAM;
    if (has_passed && !is_figure &&
        !eti__gate_find_unlike(j->rule, j->diff, j->checks, j->n, &out->unlike))
        return false;
    if (has_passed && is_cut_short)
        out->outcome = ETI_RULE_CUT_SHORT;
    else if (out->unlike.kind != ETI_ALIKE)
        out->outcome = ETI_RULE_UNLIKE;
    if (is_cut_short || out->outcome == ETI_RULE_UNLIKE)
        doubt_checks(j);
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Finds a figure of a program; NaN if it is unknown. */
static eti_status find_figure(const eti_profile *profile, eti_figure figure, double *out,
                              eti_error *err) {
    eti_figures figures;
    bool are_known;
    ETI_TRY(eti__profile_find_figures(&figures, &are_known, profile, err));
    *out = are_known && figures.are_known[figure] ? (double)figures.values[figure] : (double)NAN;
    return ETI_OK;
}

/* Returns the row of a figure, which belongs to no block, or NULL if memory runs out. */
static const eti_diff_row *make_row(eti_gate *gate, eti_figure figure, double base,
                                    double new_side) {
    eti_diff_row *row = eti__arena_alloc_zero(&gate->arena, 1, sizeof *row);
    if (!row)
        return NULL;
    row->name = eti__text_of(eti__figure_names[figure]);
    row->block = eti__text_of("program");
    row->kind = ETI_ENTRY_EVENT;
    row->pair = ETI_NO_PAIR;
    row->base.location = row->base.p50 = base;
    row->new_side.location = row->new_side.p50 = new_side;
    row->base.share = row->new_side.share = (double)NAN;
    row->ratio = base > 0 ? new_side / base : (double)NAN;
    row->delta = new_side - base;
    row->impact = (double)NAN;
    return row;
}

/* Applies a rule about a figure of the program: an exact number, which needs no statistics. Fails with ETI_ERROR_USAGE if a
 * side that it needs has no program, or with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
static eti_status apply_figure(judging *j, eti_error *err) {
    eti_gate *gate = j->gate;
    const eti_gate_rule *rule = j->rule;
    bool compares = rule->kind != ETI_GATE_ABSOLUTE;
    double base = (double)NAN, new_side, most = rule->limit;
    ETI_TRY(find_figure(gate->new_side, rule->figure, &new_side, err));
    if (isnan(new_side))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the rule %.*s applies to a program, but the new side has none: give its "
                        ".pte after the ETDump",
                        ETI_TEXT_ARGS(rule->text));
    if (gate->has_base)
        ETI_TRY(find_figure(gate->base, rule->figure, &base, err));
    if (compares && isnan(base))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "the rule %.*s compares with a base, but %s: give its .pte, or a baseline that "
            "was saved with it",
            ETI_TEXT_ARGS(rule->text),
            gate->has_base ? "the base has no program" : "there is no base");
    if (compares)
        most = base + (rule->kind == ETI_GATE_RELATIVE ? base * rule->limit : rule->limit);
    const eti_diff_row *row = make_row(gate, rule->figure, base, new_side);
    if (!row || !add_check(j, row))
        return eti_fail_memory(err);
    j->checks = &gate->checks[gate->n_checks - 1];
    j->n = j->out->reach.n_fit = 1;
    set_finding(gate, j->checks, new_side > most ? ETI_FINDING_FAILED : ETI_FINDING_PASSED);
    find_outcome(j);
    return doubt_outcome(j) ? ETI_OK : eti_fail_memory(err);
}

static const char *unit_of(eti_figure figure) {
    return eti__figure_is_count(figure) ? "" : " bytes";
}

void eti__gate_add_figures(eti_buffer *out, const eti_gate_rule *rule, const eti_check *check) {
    eti__buffer_add_text(out, check->row->name);
    if (rule->kind != ETI_GATE_ABSOLUTE) {
        eti__buffer_printf(out, " %.15g -> %.15g%s", check->base, check->new_side,
                           unit_of(rule->figure));
        if (isfinite(check->row->ratio)) {
            eti__buffer_add_string(out, ", ");
            eti__add_change(out, check->row->ratio - 1);
        }
        return;
    }
    eti__buffer_printf(out, " is %.15g%s", check->new_side, unit_of(rule->figure));
    if (check->new_side > rule->limit)
        eti__buffer_printf(out, ", above %.15g", rule->limit);
}

/* ---- a rule ---------------------------------------------------------------------------------- */

static eti_status convert(const judging *j, double value, eti_time_scale unit, double *out,
                          eti_error *err) {
    const struct eti_profile *profile = j->diff->new_side;
    *out = value;
    if (value == 0 || j->rule->scope == ETI_GATE_ALLOCATION)
        return ETI_OK;
    if (!eti__time_scales_fit(unit, profile->target_scale, profile->clock_hz))
        return eti_fail(err, ETI_ERROR_USAGE, "the rule %.*s is in %s, but times are in %s",
                        ETI_TEXT_ARGS(j->rule->text), eti_time_scale_name(unit),
                        eti_time_scale_name(profile->target_scale));
    *out = value / eti__time_scale_factor(unit, profile->target_scale, profile->clock_hz);
    return ETI_OK;
}

/* Checks that the rule has what it needs: a comparison needs a second process and, if runs are compared, a metric
 * that a single run has. */
static eti_status check_comparison(const judging *j, eti_error *err) {
    const eti_gate_rule *rule = j->rule;
    const struct eti_profile *new_side = j->gate->new_side, *base = j->gate->base;
    bool compares = rule->kind != ETI_GATE_ABSOLUTE;
    if (new_side->n_blocks == 0 || (compares && base->n_blocks == 0))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "the rule %.*s needs times, but %.*s is only a program: give its ETDump before it",
            ETI_TEXT_ARGS(rule->text),
            ETI_TEXT_ARGS(new_side->n_blocks == 0 ? new_side->name : base->name));
    if (!compares)
        return ETI_OK;
    if (!j->gate->has_base)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the rule %.*s compares with a base, but none was given: give BASE and NEW",
                        ETI_TEXT_ARGS(rule->text));
    if (j->diff->is_same_file && eti__text_equal(j->diff->same_file[0], j->diff->same_file[1]))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s is on both sides, as a file or in a baseline, so this is not a "
                        "second process: give files of two processes",
                        ETI_TEXT_ARGS(j->diff->same_file[0]));
    if (j->diff->is_same_file)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s and %.*s are the same file, so this is not a second process: give "
                        "files of two processes",
                        ETI_TEXT_ARGS(j->diff->same_file[0]), ETI_TEXT_ARGS(j->diff->same_file[1]));
    if (j->diff->options.one_process && rule->metric != ETI_METRIC_P50 &&
        rule->metric != ETI_METRIC_AVG)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the rule %.*s compares a %s, which a single run does not have; with "
                        "%sone_process, compare runs by p50",
                        ETI_TEXT_ARGS(rule->text), eti__metric_names[rule->metric],
                        eti__option_prefix());
    return ETI_OK;
}

/* Checks that a rule of the user matches something; default rules name nothing. */
static eti_status check_reach(const judging *j, eti_error *err) {
    const eti_gate_options *options = &j->gate->options;
    bool names = j->rule->pattern.data || j->rule->scope >= ETI_GATE_TOTAL;
    bool is_default = options->n_rules == 0 && options->n_budgets == 0;
    if (j->out->reach.n_fit > 0 || !names || is_default)
        return ETI_OK;
    return eti__gate_fail_unfit(j->rule, j->diff, err);
}

/* Returns the number of rules that share alpha: of those that compare or, for a limit, of all. Rules about figures do not,
 * because they are exact. */
static size_t count_tests(const eti_gate *gate, bool compares) {
    size_t n = 0;
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        n += rule->scope != ETI_GATE_PROGRAM && (!compares || rule->kind != ETI_GATE_ABSOLUTE);
    }
    return n > 0 ? n : 1;
}

eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) {
    judging j = {.gate = gate, .rule = &gate->rules.rules[rule], .out = &gate->judgements[rule]};
    ETI_TRY(eti__gate_find_diff(gate, j.rule, &j.diff, err));
    bool compares = j.rule->kind != ETI_GATE_ABSOLUTE;
    *j.out = (eti_rule_judgement){
        .diff = j.diff, .alpha = gate->options.diff.alpha / (double)count_tests(gate, compares)};
    if (j.rule->scope == ETI_GATE_PROGRAM)
        return apply_figure(&j, err);
    ETI_TRY(check_comparison(&j, err));
    ETI_TRY(convert(&j, j.rule->min_effect, j.rule->effect_unit, &j.min_effect, err));
    j.limit = j.rule->limit;
    if (j.rule->kind != ETI_GATE_RELATIVE)
        ETI_TRY(convert(&j, j.rule->limit, j.rule->unit, &j.limit, err));
    bool done = list_checks(&j) && test(&j);
    if (!done)
        return eti_fail_memory(err);
    ETI_TRY(check_reach(&j, err));
    judge_checks(&j);
    drop_rest(&j);
    find_outcome(&j);
    return doubt_outcome(&j) ? ETI_OK : eti_fail_memory(err);
}
