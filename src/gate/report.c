#include "gate/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== keys ==================================================================================== */
/* Gives each checked item a unique name that is the same in every run. */

/* Returns the label of a block, which names its method, if there are several blocks; or else its name. */
static eti_text name_of(const eti_gate *gate, const eti_profile_block *block) {
    return gate->names_blocks ? block->label : block->name;
}

uint32_t *eti__gate_number_blocks(const eti_gate *gate, eti_arena *arena) {
    const eti_profile *profile = gate->new_side;
    eti_text *names = eti__arena_alloc(arena, profile->n_blocks + 1, sizeof *names);
    uint32_t *out = eti__arena_alloc(arena, profile->n_blocks + 1, sizeof *out);
    for (size_t i = 0; i < profile->n_blocks && names; i++)
        names[i] = name_of(gate, &profile->blocks[i]);
    return names && out && eti__number_equal_texts(names, profile->n_blocks, out, NULL) ? out
                                                                                        : NULL;
}

static void add_numbered(eti_buffer *out, eti_text name, uint32_t number) {
    eti__buffer_add_text(out, name);
    if (number > 1)
        eti__buffer_printf(out, " #%u", number);
}

void eti__gate_add_key(eti_buffer *out, const eti_gate *gate, const uint32_t *of_blocks,
                       const eti_check *check) {
    const eti_gate_rule *rule = &gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    const eti_namesakes *namesakes = row->new_side.namesakes;
    if (row->pair == ETI_NO_PAIR) {
        eti__buffer_printf(out, "program/%s", eti__gate_measure_name(rule));
        return;
    }
    const eti_profile_block *block = gate->diffs[0]->pairs[row->pair].new_side;
    add_numbered(out, name_of(gate, block), of_blocks[block - gate->new_side->blocks]);
    eti__buffer_add_char(out, '/');
    add_numbered(out, row->name, namesakes ? namesakes->number : 1);
    eti__buffer_printf(out, " %s", eti__metric_names[rule->metric]);
}

/* ==== findings ================================================================================ */
/* Turns the checks of a gate into findings, which do not depend on the gate. */

/* Data for making findings. */
typedef struct maker {
    const eti_gate *gate;
    eti_gate_result *out;
    eti_arena *arena;
    uint32_t *of_blocks; /* see eti__gate_number_blocks() */
    eti_text *reasons;   /* per allowance */
    eti_buffer scratch;
} maker;

/* Copies the text in m->scratch, and clears that buffer. */
static bool take_text(maker *m, eti_text *out) {
    bool done =
        !m->scratch.failed && eti__arena_own_text(m->arena, eti__buffer_text(&m->scratch), out);
    m->scratch.size = 0;
    return done;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool set_rule_texts(maker *m, size_t number, eti_rule_findings *out) {
    const eti_gate_rule *rule = &m->gate->rules.rules[number];
    if (!eti__arena_own_text(m->arena, rule->text, &out->rule) ||
        !eti__arena_own_text(m->arena, rule->origin, &out->origin) ||
        !eti__arena_own_text(m->arena, rule->comment, &out->comment))
        return false;
    eti__gate_add_rule_message(&m->scratch, m->gate, number);
    return m->scratch.size == 0 ? !m->scratch.failed : take_text(m, &out->message);
}

/* Adds the rule that the caller judged. */
static bool add_judged(maker *m) {
    const eti_judged_rule *from = &m->gate->options.judged;
    if (!from->rule)
        return true;
    eti_rule_findings *to = &m->out->rules[m->out->n_rules++];
    bool is_failed = from->n_failed > 0;
    *to = (eti_rule_findings){.outcome = is_failed ? ETI_RULE_FAILED : ETI_RULE_PASSED,
                              .has_no_rows = true,
                              .reach.n_fit = from->n_failed + from->n_passed,
                              .alpha = NAN,
                              .margin = NAN};
    to->n[ETI_FINDING_FAILED] = from->n_failed;
    to->n[ETI_FINDING_PASSED] = from->n_passed;
    return eti__arena_own_text(m->arena, eti__text_of(from->rule), &to->rule) &&
           (!is_failed || eti__arena_own_text(m->arena, eti__text_of(from->message), &to->message));
}

static bool list_rules(maker *m) {
    size_t n = m->gate->rules.n;
    m->out->rules = eti__arena_alloc(m->arena, n + 1, sizeof *m->out->rules);
    if (!m->out->rules)
        return false;
    for (size_t i = 0; i < n; i++) {
        const eti_rule_judgement *from = &m->gate->judgements[i];
        eti_rule_findings *to = &m->out->rules[m->out->n_rules++];
        *to = (eti_rule_findings){.outcome = from->outcome,
                                  .reach = from->reach,
                                  .alpha = from->alpha,
                                  .margin = m->gate->options.diff.margin,
                                  .files_needed = from->files_needed};
        for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
            to->n[kind] = from->checks[kind];
        if (!set_rule_texts(m, i, to))
            return false;
    }
    return add_judged(m);
}

/* ---- findings -------------------------------------------------------------------------------- */

static bool list_reasons(maker *m) {
    const eti_allowances *from = &m->gate->allowances;
    m->reasons = eti__arena_alloc(m->arena, from->n + 1, sizeof *m->reasons);
    for (size_t i = 0; m->reasons && i < from->n; i++) {
        if (!eti__arena_own_text(m->arena, from->entries[i].reason, &m->reasons[i]))
            return false;
    }
    return m->reasons != NULL;
}

static bool copy_label(maker *m, const eti_check *check, eti_finding *out) {
    eti_text label = eti__label_beside_module(eti__row_namesakes(check->row));
    return !label.data || eti__arena_copy_text(m->arena, label, &out->label);
}

/* Sets the texts of a finding. The comparison owns the names of groups; the profiles own all other texts. */
static bool set_texts(maker *m, const eti_check *check, eti_finding *out) {
    const eti_entry *entry = check->row->new_side.entry;
    if (check->allowance)
        out->reason = m->reasons[check->allowance - m->gate->allowances.entries];
    if (entry && m->gate->rules.rules[check->rule].scope == ETI_GATE_OP) {
        out->op = entry->op;
        out->module = entry->module;
        out->event = eti__entry_event_number(entry);
    }
    if (entry && entry->file.data) {
        if (!eti__map_source_path(&out->file, entry->file, &m->gate->options.source_paths,
                                  m->arena))
            return false;
        out->line = entry->line;
    }
    eti__gate_add_key(&m->scratch, m->gate, m->of_blocks, check);
    if (!take_text(m, &out->key) || !eti__arena_copy_text(m->arena, check->row->name, &out->name) ||
        !copy_label(m, check, out))
        return false;
    if (out->kind != ETI_FINDING_FAILED && out->kind != ETI_FINDING_ALLOWED)
        return true;
    eti__gate_add_message(&m->scratch, m->gate, check, out->file);
    return take_text(m, &out->message);
}

static size_t count_files(const eti_profile_block *block) {
    return block ? block->n_files : 0;
}

static void set_comparison(const eti_gate *gate, const eti_check *check, eti_finding *out) {
    const eti_diff_row *row = check->row;
    bool is_enough = gate->judgements[check->rule].outcome != ETI_RULE_FEW_FILES;
    out->change = row->ratio - 1;
    out->limit = check->least_effect;
    if (row->is_compared && is_enough) {
        out->low = eti__share_of_bound(row->shift.low);
        out->high = eti__share_of_bound(row->shift.high);
    }
}

static bool add_finding(maker *m, const eti_check *check) {
    const eti_gate_rule *rule = &m->gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    static const eti_diff_pair no_pair = {0};
    const eti_diff_pair *pair = row->pair == ETI_NO_PAIR
                                    ? &no_pair
                                    : &m->gate->judgements[check->rule].diff->pairs[row->pair];
    eti_finding *out = &m->out->findings[m->out->n_findings++];
    bool is_in_cycles = eti__diff_row_unit(row).data;
    *out = (eti_finding){
        .event = -1,
        .kind = (eti_finding_kind)check->finding,
        .rule = &m->out->rules[check->rule],
        .block = row->block,
        .scope = eti__gate_scope_name(rule->scope),
        .metric = eti__gate_measure_name(rule),
        .is_bytes = eti__gate_is_about_bytes(rule),
        .is_count =
            is_in_cycles || (rule->scope == ETI_GATE_PROGRAM && eti__figure_is_count(rule->figure)),
        .is_in_cycles = is_in_cycles,
        .is_compared = rule->kind != ETI_GATE_ABSOLUTE,
        .is_tested = check->is_tested,
        .base = check->base,
        .new_side = check->new_side,
        .p50_base = row->base.p50,
        .p50_new = row->new_side.p50,
        .change = (double)NAN,
        .low = (double)NAN,
        .high = (double)NAN,
        .p = check->is_tested ? check->p : (double)NAN,
        .limit = (double)NAN,
        .share = row->new_side.share,
        .files_base = count_files(pair->base),
        .files_new = count_files(pair->new_side),
        .runs_base = row->base.n_runs,
        .runs_new = row->new_side.n_runs,
    };
    if (!m->gate->has_base) {
        out->base = out->p50_base = (double)NAN;
        out->files_base = out->runs_base = 0;
    }
    if (out->is_compared)
        set_comparison(m->gate, check, out);
    return set_texts(m, check, out);
}

static bool list_findings(maker *m) {
    const eti_gate *gate = m->gate;
    m->out->findings = eti__arena_alloc(m->arena, gate->n_checks + 1, sizeof *m->out->findings);
    m->of_blocks = eti__gate_number_blocks(gate, m->arena);
    bool done = m->out->findings && m->of_blocks;
    for (size_t i = 0; i < gate->n_checks && done; i++)
        done = add_finding(m, &gate->checks[i]);
    return done;
}

/* Sets the option that maps the status of the outcome to 0, if there is one. */
static bool set_allowed_by(maker *m) {
    const eti_gate_options *options = &m->gate->options;
    m->out->allows_undecided = options->allows_undecided;
    if (m->out->outcome == ETI_GATE_FAILED && options->allows_failed)
        eti__buffer_printf(&m->scratch, "allowed by %sfailed_status 0", eti__option_prefix());
    else if (m->out->outcome == ETI_GATE_UNDECIDED && options->allows_undecided)
        eti__buffer_printf(&m->scratch, "allowed by %sundecided_status 0", eti__option_prefix());
    return m->scratch.size == 0 || take_text(m, &m->out->allowed_by);
}

/* Fills the rules and findings of a result; `arena` owns them. Fails with ETI_ERROR_MEMORY. */
static eti_status make_gate_result(eti_gate_result *out, const eti_gate *gate, eti_arena *arena,
                                   eti_error *err) {
    maker m = {.gate = gate, .out = out, .arena = arena};
    *out = (eti_gate_result){
        .outcome = gate->outcome,
        .time_scale = gate->new_side->target_scale,
        .includes_units = gate->options.diff.include_units,
        .coverage = gate->coverage,
    };
    eti__gate_add_headline(&m.scratch, gate);
    bool done = take_text(&m, &out->headline) && set_allowed_by(&m) && list_rules(&m) &&
                list_reasons(&m) && list_findings(&m);
    eti__buffer_free(&m.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ==== tables ================================================================================== */
/* Adds the tables of a gate to a report: a row per finding, and a row per rule. */

/* ---- findings -------------------------------------------------------------------------------- */

static bool is_time(const eti_finding *finding) {
    return !finding->is_bytes && !finding->is_count;
}

ETI_CELL_SETTER(eti_finding, kind, eti__string_cell(eti__finding_kind_name(row->kind)))
ETI_CELL_SETTER(eti_finding, rule, eti__text_or_none(row->rule->rule))
ETI_CELL_SETTER(eti_finding, name, eti__named_cell(row->name, row->label))
ETI_CELL_SETTER(eti_finding, change, eti__number_or_none(row->change))
ETI_CELL_SETTER_IF(eti_finding, base, is_time(row), eti__number_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new, is_time(row), eti__number_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, base_bytes, row->is_bytes, eti__bytes_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new_bytes, row->is_bytes, eti__bytes_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, base_count, row->is_count, eti__bytes_or_none(row->base))
ETI_CELL_SETTER_IF(eti_finding, new_count, row->is_count, eti__bytes_or_none(row->new_side))
ETI_CELL_SETTER_IF(eti_finding, p50_base, is_time(row), eti__number_or_none(row->p50_base))
ETI_CELL_SETTER_IF(eti_finding, p50_new, is_time(row), eti__number_or_none(row->p50_new))
ETI_CELL_SETTER(eti_finding, p, eti__number_or_none(row->p))
ETI_CELL_SETTER(eti_finding, limit, eti__number_or_none(row->limit))
ETI_CELL_SETTER(eti_finding, op, eti__text_or_none(row->op))
ETI_CELL_SETTER(eti_finding, files_base, eti__count_cell(row->files_base))
ETI_CELL_SETTER(eti_finding, files_new, eti__count_cell(row->files_new))
ETI_CELL_SETTER(eti_finding, runs_base, eti__count_cell(row->runs_base))
ETI_CELL_SETTER(eti_finding, runs_new, eti__count_cell(row->runs_new))
ETI_CELL_SETTER(eti_finding, share, eti__number_or_none(row->share))
ETI_CELL_SETTER(eti_finding, key, eti__text_or_none(row->key))
ETI_CELL_SETTER(eti_finding, block, eti__text_or_none(row->block))
ETI_CELL_SETTER(eti_finding, module, eti__text_or_none(row->module))
ETI_CELL_SETTER_IF(eti_finding, event, row->event >= 0, eti__count_cell((uint64_t)row->event))
ETI_CELL_SETTER(eti_finding, scope, eti__string_cell(row->scope))
ETI_CELL_SETTER(eti_finding, metric, eti__string_cell(row->metric))
ETI_CELL_SETTER(eti_finding, low, eti__number_or_none(row->low))
ETI_CELL_SETTER(eti_finding, high, eti__number_or_none(row->high))
ETI_CELL_SETTER(eti_finding, file, eti__text_or_none(row->file))
ETI_CELL_SETTER_IF(eti_finding, line, row->file.data, eti__count_cell(row->line))
ETI_CELL_SETTER(eti_finding, reason, eti__text_or_none(row->reason))
ETI_CELL_SETTER(eti_finding, message, eti__text_or_none(row->message))

/* Kinds of quantities that the rules measure. */
typedef struct rule_measures {
    bool times, memory, counts;
} rule_measures;

/* Properties of at least one finding shown to people; people see the column of a property only if it is set. */
typedef struct shown_facts {
    bool source, reason;
} shown_facts;

static shown_facts find_facts(const eti_gate_result *result) {
    shown_facts facts = {false, false};
    for (size_t i = 0; i < result->n_findings; i++) {
        const eti_finding *finding = &result->findings[i];
        if (finding->kind > ETI_FINDING_ALLOWED)
            continue;
        facts.source |= finding->file.data != NULL;
        facts.reason |= finding->reason.data != NULL;
    }
    return facts;
}

/* Shows the column "block" after the verdict. */
static void show_block(eti_column_spec *columns) {
    size_t at = 1;
    while (columns[at].set != set_block)
        at++;
    eti_column_spec block = columns[at];
    block.is_extra = false;
    memmove(&columns[2], &columns[1], (at - 1) * sizeof *columns);
    columns[1] = block;
}

static eti_status make_findings(eti_table **out, const eti_gate *gate,
                                const eti_gate_result *result, const rule_measures *about,
                                const char *unit, eti_error *err) {
    shown_facts has = find_facts(result);
    eti_column_spec columns[] = {
        {"verdict", ETI_TEXTS, false, "failed, undecided, allowed or passed", set_kind},
        {"name", ETI_TEXTS, false, "name of the event, group or total on the new side", set_name},
        {"change", ETI_CHANGES, false, "new / base - 1", set_change},
        {"low", ETI_CHANGES, false, "lower end of the interval of the change", set_low},
        {"high", ETI_CHANGES, false, "upper end of the interval of the change", set_high},
        {"base", ETI_TIMES, !about->times, "time on the base side", set_base},
        {"new", ETI_TIMES, !about->times, "time on the new side: base, changed by change", set_new},
        {"base_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about->memory,
         "bytes on the base side, for a rule about memory or size", set_base_bytes},
        {"new_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, !about->memory,
         "bytes on the new side, for a rule about memory or size", set_new_bytes},
        {"base_count", ETI_COUNTS, !about->counts,
         "count on the base side, for a rule about instructions or operators, or for cycles",
         set_base_count},
        {"new_count", ETI_COUNTS, !about->counts,
         "count on the new side, for a rule about instructions or operators, or for cycles",
         set_new_count},
        {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
         "probability of such a change in this direction by chance, adjusted for all checks of the "
         "rule",
         set_p},
        {"rule", ETI_TEXTS, false, "rule as given", set_rule},
        {"op", ETI_TEXTS, true, "operators of the event", set_op},
        {"base_files", ETI_COUNTS, true, "files of the base side", set_files_base},
        {"new_files", ETI_COUNTS, true, "files of the new side", set_files_new},
        {"base_runs", ETI_COUNTS, true, "runs of the base side, in all files", set_runs_base},
        {"new_runs", ETI_COUNTS, true, "runs of the new side, in all files", set_runs_new},
        {"share", ETI_SHARES, true, "share of the typical time of its EventBlock, on the new side",
         set_share},
        {"key", ETI_TEXTS, true,
         "block, name and metric, with a number if names are equal: stable between runs of the "
         "gate",
         set_key},
        {"block", ETI_TEXTS, true, "the EventBlock", set_block},
        {"module", ETI_TEXTS, true, "innermost module common to all nodes of the event",
         set_module},
        {"scope", ETI_TEXTS, true, "scope of the rule", set_scope},
        {"metric", ETI_TEXTS, true,
         "p50, avg, p90, p95, p99, min, max or fast, or a figure of the program", set_metric},
        {"limit", ETI_CHANGES, true, "smallest change that the rule forbids", set_limit},
        {"p50_base", ETI_TIMES, true, "median over the files of their p50, on the base side",
         set_p50_base},
        {"p50_new", ETI_TIMES, true, "median over the files of their p50, on the new side",
         set_p50_new},
        {"source_file", ETI_TEXTS, !has.source,
         "source file of the model; for a group, that of its largest event", set_file},
        {"source_line", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, !has.source, "line in the source file",
         set_line},
        {"reason", ETI_TEXTS, !has.reason,
         "reason why the regression is allowed, or was allowed until the entry expired",
         set_reason},
        {"message", ETI_TEXTS, true, "what failed or is allowed, in one line", set_message},
        {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
         "number of the event in its block of the new side", set_event},
    };
    if (gate->names_blocks)
        show_block(columns);
    return eti__columns_make_array(out, columns, ETI_N_COLUMNS(columns), result->findings,
                                   sizeof *result->findings, result->n_findings, unit, err);
}

static rule_measures find_measures(const eti_gate *gate) {
    rule_measures about = {false, false, false};
    for (size_t i = 0; i < gate->rules.n; i++) {
        const eti_gate_rule *rule = &gate->rules.rules[i];
        bool is_bytes = eti__gate_is_about_bytes(rule);
        about.memory |= is_bytes;
        about.counts |= !is_bytes && rule->scope == ETI_GATE_PROGRAM;
        about.times |= rule->scope != ETI_GATE_PROGRAM;
    }
    for (size_t i = 0; i < gate->n_checks; i++)
        about.counts |= eti__diff_row_unit(gate->checks[i].row).data != NULL;
    return about;
}

/* Returns the number of findings hidden from people, who see only failed and allowed ones. */
static size_t count_kept_back(const eti_gate *gate) {
    size_t n = 0;
    for (size_t i = 0; i < gate->n_checks && !gate->options.diff.lists_all; i++)
        n += gate->checks[i].finding > ETI_FINDING_ALLOWED;
    return n;
}

/* Returns what people need to distinguish the first n findings. */
static eti_row_needs find_needs(const eti_gate *gate, size_t n) {
    eti_row_needs needs = {0};
    for (size_t i = 0; i < n; i++)
        eti__needs_add_row(&needs, gate->checks[i].row);
    return needs;
}

/* Adds the section of findings; the gate of the report must be set. Fails with ETI_ERROR_MEMORY. */
static eti_status add_gate_findings(eti_report *report, const eti_gate *gate, eti_error *err) {
    const char *unit = eti__column_unit(report->gate->time_scale, report->gate->includes_units);
    eti_table *table;
    const rule_measures about = find_measures(gate);
    ETI_TRY(make_findings(&table, gate, report->gate, &about, unit, err));
    eti__table_mark_findings(table, "verdict");
    ETI_TRY(eti__report_add(report, "checks", "Checks", table, err));
    report->selected = report->n_sections - 1;
    eti_section *section = &report->sections[report->selected];
    section->n_kept_back = count_kept_back(gate);
    const eti_row_needs needs = find_needs(gate, gate->n_checks - section->n_kept_back);
    eti__needs_show(&needs, table, "name");
    section->is_detail = gate->options.diff.lists_all;
    /* the table of rules has their numbers */
    section->is_told_above = table->n_rows == section->n_kept_back;
    return ETI_OK;
}

/* ---- rules ----------------------------------------------------------------------------------- */

size_t eti__count_checks(const eti_rule_findings *rule) {
    size_t n = 0;
    for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
        n += rule->n[kind];
    return n;
}

ETI_CELL_SETTER(eti_rule_findings, text, eti__text_or_none(row->rule))
ETI_CELL_SETTER(eti_rule_findings, outcome, eti__string_cell(eti__rule_outcome_name(row->outcome)))
ETI_CELL_SETTER(eti_rule_findings, checked, eti__count_cell(eti__count_checks(row)))
ETI_CELL_SETTER(eti_rule_findings, failed, eti__count_cell(row->n[ETI_FINDING_FAILED]))
ETI_CELL_SETTER(eti_rule_findings, undecided, eti__count_cell(row->n[ETI_FINDING_UNDECIDED]))
ETI_CELL_SETTER(eti_rule_findings, allowed, eti__count_cell(row->n[ETI_FINDING_ALLOWED]))
ETI_CELL_SETTER(eti_rule_findings, margin, eti__number_or_none(row->margin))
ETI_CELL_SETTER(eti_rule_findings, files_needed, eti__files_needed_cell(row->files_needed))
ETI_CELL_SETTER(eti_rule_findings, alpha, eti__number_or_none(row->alpha))
ETI_CELL_SETTER(eti_rule_findings, fit, eti__count_cell(row->reach.n_fit))
ETI_CELL_SETTER(eti_rule_findings, small, eti__count_cell(row->reach.n_small))
ETI_CELL_SETTER(eti_rule_findings, no_time, eti__count_cell(row->reach.n_no_time))
ETI_CELL_SETTER(eti_rule_findings, missing, eti__count_cell(row->reach.n_missing))
ETI_CELL_SETTER(eti_rule_findings, one_side, eti__count_cell(row->reach.n_one_side))
ETI_CELL_SETTER(eti_rule_findings, rest, eti__count_cell(row->reach.n_rest))
ETI_CELL_SETTER(eti_rule_findings, origin, eti__text_or_none(row->origin))
ETI_CELL_SETTER(eti_rule_findings, comment, eti__text_or_none(row->comment))
ETI_CELL_SETTER(eti_rule_findings, why, eti__text_or_none(row->message))

/* Adds the section of rules; the gate of the report must be set. Fails with ETI_ERROR_MEMORY. */
static eti_status add_gate_rules(eti_report *report, eti_error *err) {
    static const eti_column_spec columns[] = {
        {"rule", ETI_TEXTS, false, "rule as given", set_text},
        {"verdict", ETI_TEXTS, false, "failed, undecided, nothing to check, allowed or passed",
         set_outcome},
        {"checked", ETI_COUNTS, false, "checked events, groups or totals", set_checked},
        {"failed", ETI_COUNTS, false, "checks that failed", set_failed},
        {"undecided", ETI_COUNTS, false, "undecided checks", set_undecided},
        {"allowed", ETI_COUNTS, false, "failed checks that are on a list of exceptions",
         set_allowed},
        {"margin", ETI_CHANGES, true, "what passes is below the limit and this", set_margin},
        {"files_needed", ETI_COUNTS, true, "files per side needed to decide the rule",
         set_files_needed},
        {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "share of alpha used by the rule",
         set_alpha},
        {"fit", ETI_COUNTS, true, "events, groups or totals that the rule covers", set_fit},
        {"small", ETI_COUNTS, true, "covered entries below min_share", set_small},
        {"no_time", ETI_COUNTS, true, "covered entries with a time of 0", set_no_time},
        {"missing", ETI_COUNTS, true, "covered entries that are not in all files of a side",
         set_missing},
        {"one_side", ETI_COUNTS, true, "covered entries that are only on one side", set_one_side},
        {"rest", ETI_COUNTS, true,
         "covered groups of the rest, such as (framework), which are not checked alone", set_rest},
        {"origin", ETI_TEXTS, true, "file and line of the budget", set_origin},
        {"comment", ETI_TEXTS, true, "comment in the budget", set_comment},
        {"reason", ETI_TEXTS, true, "reason why the rule is undecided", set_why},
    };
    const eti_gate_result *result = report->gate;
    eti_table *table;
    ETI_TRY(eti__columns_make_array(&table, columns, ETI_N_COLUMNS(columns), result->rules,
                                    sizeof *result->rules, result->n_rules, NULL, err));
    eti__table_mark_findings(table, "verdict");
    return eti__report_add(report, "rules", "Rules", table, err);
}

/* ==== report ================================================================================== */
/* Turns a gate into a report: its outcome in a sentence, then a row per rule and a row per
 * finding. */

/* ---- the gate -------------------------------------------------------------------------------- */

/* The only row of the first table. */
typedef struct summary {
    const eti_gate *gate;
    const eti_gate_result *result;
    const eti_diff_row *total; /* NULL if neither side has one */
    const eti_family *events;  /* NULL if they have no level */
} summary;

static const char *outcome_name(eti_gate_outcome outcome) {
    static const char *const names[] = {
        [ETI_GATE_PASSED] = "passed",
        [ETI_GATE_FAILED] = "failed",
        [ETI_GATE_UNDECIDED] = "undecided",
    };
    return names[outcome];
}

#define TOTAL_CELL(name, value) ETI_CELL_SETTER_IF(summary, name, row->total, value)
/* Makes a cell that only comparisons have. */
#define COMPARED_CELL(name, value) ETI_CELL_SETTER_IF(summary, name, row->gate->has_base, value)
#define CHANGE_CELL(name, value)                                                                   \
    ETI_CELL_SETTER_IF(summary, name, row->total && row->gate->has_base, value)

ETI_CELL_SETTER(summary, gate_verdict, eti__string_cell(outcome_name(row->result->outcome)))
ETI_CELL_SETTER(summary, headline, eti__text_or_none(row->result->headline))
CHANGE_CELL(total_base, eti__number_or_none(row->total->base.location))
TOTAL_CELL(total_new, eti__number_or_none(row->total->new_side.location))
CHANGE_CELL(total_change, eti__number_or_none(row->total->ratio - 1))
CHANGE_CELL(total_low, eti__number_or_none(eti__share_of_bound(row->total->shift.low)))
CHANGE_CELL(total_high, eti__number_or_none(eti__share_of_bound(row->total->shift.high)))
COMPARED_CELL(units_base, eti__count_cell(row->gate->diffs[0]->n_base))
ETI_CELL_SETTER(summary, units_new, eti__count_cell(row->gate->diffs[0]->n_new))
ETI_CELL_SETTER(summary, fewest, eti__count_cell(row->gate->diffs[0]->fewest))
ETI_CELL_SETTER(summary, needed, eti__files_needed_cell(eti__gate_files_needed(row->gate)))
ETI_CELL_SETTER(summary, one_process, eti__bool_cell(row->gate->diffs[0]->options.one_process))
ETI_CELL_SETTER(summary, events, eti__count_cell(row->result->coverage.n_events))
ETI_CELL_SETTER(summary, checked_events, eti__count_cell(row->result->coverage.n_judged))
ETI_CELL_SETTER(summary, checked_share, eti__number_or_none(row->result->coverage.share))
ETI_CELL_SETTER_IF(summary, level, row->events,
                   eti__number_or_none(expm1(row->events->level.estimate)))
ETI_CELL_SETTER(summary, gate_alpha, eti__number_or_none(row->gate->options.diff.alpha))

static const eti_column_spec summary_columns[] = {
    {"verdict", ETI_TEXTS, false, "passed, failed or undecided", set_gate_verdict},
    {"total_base", ETI_TIMES, false, "time of the block that takes longest, on the base side",
     set_total_base},
    {"total_new", ETI_TIMES, false, "time of the block that takes longest, on the new side",
     set_total_new},
    {"total_change", ETI_CHANGES, false, "new / base - 1", set_total_change},
    {"total_low", ETI_CHANGES, false, "lower end of its interval", set_total_low},
    {"total_high", ETI_CHANGES, false, "upper end of its interval", set_total_high},
    {"base_files", ETI_COUNTS, false, "files of the base side, or runs if one_process",
     set_units_base},
    {"new_files", ETI_COUNTS, false, "files of the new side, or runs if one_process",
     set_units_new},
    {"fewest_files", ETI_COUNTS, true, "files per side needed for any verdict", set_fewest},
    {"files_needed", ETI_COUNTS, true, "files per side needed to decide an undecided gate",
     set_needed},
    {"one_process", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true,
     "true if runs are compared instead of files", set_one_process},
    {"events", ETI_COUNTS, true, "events on either side", set_events},
    {"checked", ETI_COUNTS, true, "events checked by rules for events", set_checked_events},
    {"checked_share", ETI_SHARES, true, "share of the time taken by checked events",
     set_checked_share},
    {"level", ETI_CHANGES, true, "change of all events alike", set_level},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "alpha of all rules together",
     set_gate_alpha},
    {"sentence", ETI_TEXTS, true, "the outcome as a sentence", set_headline},
};

static eti_status add_summary(eti_report *report, const eti_gate *gate, eti_error *err) {
    static const char *const titles[] = {
        [ETI_GATE_PASSED] = "Gate passed",
        [ETI_GATE_FAILED] = "Gate failed",
        [ETI_GATE_UNDECIDED] = "Gate undecided",
    };
    const eti_gate_result *result = report->gate;
    summary row = {.gate = gate,
                   .result = result,
                   .total = eti__gate_total(gate),
                   .events = eti__diff_events_with_level(gate->diffs[0])};
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "gate", titles[result->outcome],
                                     summary_columns, ETI_N_COLUMNS(summary_columns),
                                     eti__column_unit(result->time_scale, result->includes_units),
                                     err));
    report->sections[0].is_in_notes = true;
    eti__table_mark_findings(table, "verdict");
    return eti__columns_add_row(table, summary_columns, ETI_N_COLUMNS(summary_columns), &row, err);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status fill_report(eti_report *report, const eti_gate *gate, eti_error *err) {
    eti_gate_result *result = eti__arena_alloc(&report->arena, 1, sizeof *result);
    if (!result)
        return eti_fail_memory(err);
    ETI_TRY(make_gate_result(result, gate, &report->arena, err));
    report->gate = result;
    ETI_TRY(add_summary(report, gate, err));
    ETI_TRY(eti__gate_add_notes(report, gate, err));
    if (result->allowed_by.data)
        ETI_TRY(eti__report_note(report, err, "%.*s", ETI_TEXT_ARGS(result->allowed_by)));
    ETI_TRY(add_gate_rules(report, err));
    return add_gate_findings(report, gate, err);
}

/* Sets `*out` to NULL on failure. */
static eti_status make_report(eti_report **out, const eti_gate *gate, eti_error *err) {
    ETI_TRY(eti__profiles_begin_report(out, "gate", gate->has_base ? gate->base : NULL,
                                       gate->new_side, err));
    (*out)->measured = eti__profile_inspector(gate->new_side);
    eti_status status = fill_report(*out, gate, err);
    if (status != ETI_OK) {
        eti_report_free(*out);
        *out = NULL;
    }
    return status;
}

eti_status eti__gate_report(eti_report **out, eti_gate_outcome *outcome, const eti_profile *base,
                            const eti_profile *new_side, const eti_gate_options *options,
                            eti_error *err) {
    eti_gate gate;
    *out = NULL;
    *outcome = ETI_GATE_UNDECIDED;
    eti_status status = eti__gate_make(&gate, base, new_side, options, err);
    if (status == ETI_OK)
        status = make_report(out, &gate, err);
    if (status == ETI_OK)
        *outcome = gate.outcome;
    eti__gate_free(&gate);
    return status;
}
