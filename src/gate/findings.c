/*
 * findings.c - turns the checks of a gate into findings, which no longer need the gate.
 */
#include "gate/parts.h"
#include "table/table.h"

#include <math.h>

/* What findings are made with. */
typedef struct maker {
    const eti_gate *gate;
    eti_gate_result *out;
    eti_arena *arena;
    eti_gate_keys keys;
    eti_text *reasons; /* per allowance */
    eti_buffer scratch;
} maker;

static bool list_rules(maker *m) {
    const eti_gate_rules *from = &m->gate->rules;
    m->out->rules = eti__arena_alloc(m->arena, from->n + 1, sizeof *m->out->rules);
    if (!m->out->rules)
        return false;
    for (size_t i = 0; i < from->n; i++) {
        eti_rule_findings *to = &m->out->rules[m->out->n_rules++];
        *to = (eti_rule_findings){.n = {0}};
        if (!eti__arena_own_text(m->arena, from->rules[i].text, &to->rule) ||
            !eti__arena_own_text(m->arena, from->rules[i].origin, &to->origin) ||
            !eti__arena_own_text(m->arena, from->rules[i].comment, &to->comment))
            return false;
        for (size_t kind = 0; kind < ETI_N_FINDING_KINDS; kind++)
            to->n[kind] = m->gate->counts[i].checks[kind];
    }
    return true;
}

static bool list_reasons(maker *m) {
    const eti_allowances *from = &m->gate->allowances;
    m->reasons = eti__arena_alloc(m->arena, from->n + 1, sizeof *m->reasons);
    for (size_t i = 0; m->reasons && i < from->n; i++) {
        if (!eti__arena_own_text(m->arena, from->entries[i].reason, &m->reasons[i]))
            return false;
    }
    return m->reasons != NULL;
}

/* Keeps the text built in m->scratch, and empties that. */
static bool take_text(maker *m, eti_text *out) {
    bool done =
        !m->scratch.failed && eti__arena_own_text(m->arena, eti__buffer_text(&m->scratch), out);
    m->scratch.size = 0;
    return done;
}

/* The names of groups are the comparison's; other texts are the profiles'. */
static bool set_texts(maker *m, const eti_check *check, eti_finding *out) {
    const eti_entry *entry = check->row->new_side.entry;
    if (check->allowance)
        out->reason = m->reasons[check->allowance - m->gate->allowances.entries];
    if (entry && m->gate->rules.rules[check->rule].scope == ETI_GATE_OP) {
        out->op = entry->op;
        out->module = entry->module;
    }
    if (entry && entry->file.data) {
        out->file = entry->file;
        out->line = entry->line;
    }
    eti__gate_add_key(&m->scratch, &m->keys, check);
    if (!take_text(m, &out->key) || !eti__arena_copy_text(m->arena, check->row->name, &out->name))
        return false;
    if (out->kind == ETI_FINDING_PASSED)
        return true;
    eti__gate_add_message(&m->scratch, m->gate, check);
    return take_text(m, &out->message);
}

static bool add_finding(maker *m, const eti_check *check) {
    const eti_gate_rule *rule = &m->gate->rules.rules[check->rule];
    const eti_diff_row *row = check->row;
    const eti_interval *interval = &row->interval;
    bool is_compared = row->is_compared && rule->kind != ETI_GATE_ABSOLUTE;
    eti_finding *out = &m->out->findings[m->out->n_findings++];
    *out = (eti_finding){
        .kind = (eti_finding_kind)check->finding,
        .rule = &m->out->rules[check->rule],
        .block = row->block,
        .scope = eti__gate_scope_name(rule->scope),
        .metric = eti__gate_metric_name(rule->metric),
        .is_bytes = rule->scope == ETI_GATE_ALLOCATION,
        .base = check->base,
        .new_side = check->new_side,
        .change = check->ratio - 1,
        .low = is_compared ? interval->low - 1 : (double)NAN,
        .high = is_compared ? interval->high - 1 : (double)NAN,
        .p = check->has_p && eti__gate_rule_is_tested(rule) ? check->p : (double)NAN,
        .share = row->new_side.share,
        .is_compared = is_compared,
        .is_paced = row->is_relative,
        .n_base = row->base.n_runs,
        .n_new = row->new_side.n_runs,
        .n_needed = check->n_needed,
    };
    return set_texts(m, check, out);
}

static bool list_findings(maker *m, bool lists_passed) {
    const eti_gate *gate = m->gate;
    m->out->findings = eti__arena_alloc(m->arena, gate->n_checks + 1, sizeof *m->out->findings);
    bool done = m->out->findings && eti__gate_keys_make(&m->keys, gate, m->arena);
    for (size_t i = 0; i < gate->n_checks && done; i++) {
        if (lists_passed || gate->checks[i].finding != ETI_FINDING_PASSED)
            done = add_finding(m, &gate->checks[i]);
    }
    return done;
}

eti_status eti__gate_result_make(eti_gate_result *out, const eti_gate *gate, bool lists_passed,
                                 eti_arena *arena, eti_error *err) {
    maker m = {.gate = gate, .out = out, .arena = arena};
    *out = (eti_gate_result){
        .outcome = gate->outcome,
        .time_scale = gate->diffs[0].new_side->target_scale,
        .includes_units = gate->options.diff.include_units,
    };
    bool done = list_rules(&m) && list_reasons(&m) && list_findings(&m, lists_passed);
    eti__buffer_free(&m.scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}
