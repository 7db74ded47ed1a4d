/*
 * findings.c - turns the checks of a gate into findings, which do not depend on the gate.
 */
#include "gate/parts.h"

#include <math.h>

/* Data for making findings. */
typedef struct maker {
    const eti_gate *gate;
    eti_gate_result *out;
    eti_arena *arena;
    eti_gate_keys keys;
    eti_evidence evidence;
    eti_text *reasons; /* per allowance */
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
    eti__gate_add_rule_message(&m->scratch, m->gate, &m->evidence, number);
    return m->scratch.size == 0 ? !m->scratch.failed : take_text(m, &out->message);
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
                                  .detectable = from->detectable,
                                  .wanted = from->wanted,
                                  .files_needed = from->files_needed};
        for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
            to->n[kind] = from->checks[kind];
        if (!set_rule_texts(m, i, to))
            return false;
    }
    return true;
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
    eti__gate_add_key(&m->scratch, &m->keys, check);
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

static void set_comparison(const eti_check *check, eti_finding *out) {
    const eti_diff_row *row = check->row;
    out->change = row->raw_ratio - 1;
    out->relative_change = row->ratio - 1;
    out->low = out->high = (double)NAN;
    if (row->is_compared) {
        out->low = row->interval.low - 1;
        out->high = row->interval.high - 1;
    }
    out->is_relative = row->is_relative;
}

static bool add_finding(maker *m, const eti_check *check) {
    const eti_gate_rule *rule = &m->gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    static const eti_diff_pair no_pair = {0};
    const eti_diff_pair *pair = row->pair == ETI_NO_PAIR
                                    ? &no_pair
                                    : &m->gate->judgements[check->rule].diff->pairs[row->pair];
    eti_finding *out = &m->out->findings[m->out->n_findings++];
    *out = (eti_finding){
        .event = -1,
        .kind = (eti_finding_kind)check->finding,
        .rule = &m->out->rules[check->rule],
        .block = row->block,
        .scope = eti__gate_scope_name(rule->scope),
        .metric = eti__gate_measure_name(rule),
        .is_bytes = eti__gate_is_about_bytes(rule),
        .is_count = rule->scope == ETI_GATE_PROGRAM && eti__figure_is_count(rule->figure),
        .is_compared = rule->kind != ETI_GATE_ABSOLUTE,
        .is_tested = check->is_tested,
        .base = check->base,
        .new_side = check->new_side,
        .p50_base = row->base.p50,
        .p50_new = row->new_side.p50,
        .change = (double)NAN,
        .relative_change = (double)NAN,
        .low = (double)NAN,
        .high = (double)NAN,
        .p = check->is_tested ? check->p : (double)NAN,
        .detectable = check->detectable,
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
        set_comparison(check, out);
    return set_texts(m, check, out);
}

static bool list_findings(maker *m) {
    const eti_gate *gate = m->gate;
    m->out->findings = eti__arena_alloc(m->arena, gate->n_checks + 1, sizeof *m->out->findings);
    bool done = m->out->findings && eti__gate_keys_make(&m->keys, gate, m->arena);
    for (size_t i = 0; i < gate->n_checks && done; i++)
        done = add_finding(m, &gate->checks[i]);
    return done;
}

eti_status eti__gate_result_make(eti_gate_result *out, const eti_gate *gate, eti_arena *arena,
                                 eti_error *err) {
    maker m = {.gate = gate, .out = out, .arena = arena, .evidence = eti__gate_evidence(gate)};
    *out = (eti_gate_result){
        .outcome = gate->outcome,
        .time_scale = gate->new_side->target_scale,
        .includes_units = gate->options.diff.include_units,
        .coverage = gate->coverage,
    };
    eti__gate_add_headline(&m.scratch, gate, &m.evidence);
    bool done =
        take_text(&m, &out->headline) && list_rules(&m) && list_reasons(&m) && list_findings(&m);
    eti__buffer_free(&m.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}
