/*
 * measure_report.c - makes the report of a measurement that has ended, and describes how the measurement was done.
 */
#include "measure/parts.h"

#include <math.h>
#include <stdio.h>

#define ETI_MOST_PAIRS 10000 /* value of n_pairs */

/* ---- notes ----------------------------------------------------------------------------------- */

/* Adds a note such as "measured in turns: 9 of at most 20 pairs, after 1 of warm-up; order drawn with seed 7". */
static eti_status note_pairs(eti_report *report, const eti_measurement *m, eti_error *err) {
    const eti_measure_options *options = &m->request->measure;
    const char *thing = m->n_sides == 2 ? "pair" : "process";
    const char *things = m->n_sides == 2 ? "pairs of processes" : "processes";
    eti_buffer line = {0};
    eti__buffer_printf(&line, "measured %s%zu of at most %zu %s",
                       m->n_sides == 2 ? "in turns: " : "", m->n_done, options->n_pairs, things);
    if (options->n_warm_up > 0)
        eti__buffer_printf(&line, ", after %zu of warm-up", options->n_warm_up);
    if (m->n_sides == 2)
        eti__buffer_printf(&line, "; order within each %s is random with seed %llu", thing,
                           (unsigned long long)m->seed);
    return eti__report_take_note(report, &line, err);
}

/* Appends that the pairs do not decide, and how many would. */
static void add_undecided(eti_buffer *out, const eti_measurement *m) {
    eti__buffer_add_string(out, "still undecided at the end");
    if (m->n_needed > m->n_done && m->n_needed <= ETI_MOST_PAIRS)
        eti__buffer_printf(out, " (about %zu pairs are needed: give %spairs %zu)", m->n_needed,
                           eti__option_prefix(), m->n_needed);
}

/* Adds a note such as "judged 2 times of at most 3, and stopped because a rule is broken". */
static eti_status note_looks(eti_report *report, const eti_measurement *m, eti_error *err) {
    eti_buffer line = {0};
    eti__buffer_printf(&line, "judged %zu time%s of at most %zu, and ", m->n_looks,
                       m->n_looks == 1 ? "" : "s", m->looks.n);
    if (m->stop == ETI_STOPPED_SLOWER)
        eti__buffer_add_string(&line, "stopped because a rule is broken");
    else if (m->stop == ETI_STOPPED_NOT_SLOWER)
        eti__buffer_add_string(&line, "stopped because all rules passed");
    else if (m->stop == ETI_STOPPED_AT_END)
        add_undecided(&line, m);
    else
        eti__buffer_printf(&line, "%s after %zu complete pair%s",
                           m->stop == ETI_STOPPED_BY_CALLER ? "cancelled" : "ended by a failure",
                           m->n_done, m->n_done == 1 ? "" : "s");
    return eti__report_take_note(report, &line, err);
}

static eti_status note_machine(eti_report *report, const eti_measurement *m, eti_error *err) {
    eti_buffer line = {0};
    eti__buffer_add_string(&line, "machine: ");
    eti__machine_describe(&m->machine, &line);
    ETI_TRY(eti__report_take_note(report, &line, err));
    if (m->machine.other_governor[0])
        ETI_TRY(eti__report_note(report, err,
                                 "the CPU frequency governor changed from %s to %s while "
                                 "measuring: fix the governor to get comparable times",
                                 m->machine.governor, m->machine.other_governor));
    if (eti__machine_was_busy(&m->machine))
        ETI_TRY(eti__report_note(report, err,
                                 "the machine was busy when measuring began, with a load average "
                                 "of %.2f: smaller changes can be detected on an idle machine",
                                 m->machine.first_load));
    return ETI_OK;
}

/* Adds the warnings about a side's dumps. */
static eti_status note_warnings(eti_report *report, const eti_measurement *m,
                                eti_measured_side side, eti_error *err) {
    const eti_inspector *inspector = m->profiles[side]->inspector;
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        if (eti_inspector_note_kind(inspector, i) == ETI_NOTE_WARNING)
            ETI_TRY(eti__report_note(report, err, "%s: %.*s", eti__measured_side_name(side),
                                     (int)text.size, text.data));
        const eti_section *section = &report->sections[report->n_sections - 1];
        if (text.data == inspector->mismatch.data && !report->mismatch.data)
            report->mismatch = section->notes[section->n_notes - 1];
    }
    return ETI_OK;
}

/* Adds a label unless the user gave one with the same key. */
static eti_status add_label(eti_report *report, const eti_measurement *m, const char *key,
                            const char *value, eti_error *err) {
    const eti_profile_options *given = &m->request->profile;
    for (size_t i = 0; i < given->n_labels; i++) {
        if (strcmp(given->labels[i].key, key) == 0)
            return ETI_OK;
    }
    return value[0] ? eti__report_add_label(report, key, value, err) : ETI_OK;
}

/* Appends "output 0 by up to 0.5, 5.56 % of its largest value". */
static void add_difference(eti_buffer *out, const eti_outputs_difference *outputs) {
    eti__buffer_printf(out, "outputs differ: output %zu", outputs->output);
    if (isfinite(outputs->share))
        eti__buffer_printf(out, " by up to %.3g, %.3g %% of its largest value", outputs->most,
                           100 * outputs->share);
}

/* Adds notes about the inputs and outputs of programs, and labels for programs that read the report. */
static eti_status note_programs(eti_report *report, const eti_measurement *m, eti_error *err) {
    static const char *const verdicts[] = {"unchecked", "equal", "differ"};
    const eti_recording_options *options = &m->runner.recording;
    const eti_outputs_difference *outputs = &m->outputs;
    char seed[64] = "";
    eti_buffer difference = {0};
    if (!m->runner.programs[ETI_MEASURED_NEW])
        return ETI_OK;
    if (strcmp(options->inputs, "random") == 0)
        snprintf(seed, sizeof seed, ", seed %zu", options->input_seed);
    ETI_TRY(eti__report_note(report, err, "inputs: %.200s%s%s", options->inputs, seed,
                             m->n_sides == 2 ? ", equal on both sides" : ""));
    if (m->n_sides == 2 && outputs->verdict == ETI_OUTPUTS_EQUAL)
        ETI_TRY(eti__report_note(report, err, "outputs are equal, bit for bit (%zu of %zu)",
                                 outputs->n, outputs->n));
    if (outputs->verdict == ETI_OUTPUTS_DIFFER) {
        add_difference(&difference, outputs);
        ETI_TRY(eti__report_take_note(report, &difference, err));
    }
    ETI_TRY(
        add_label(report, m, "clock", options->clock == ETI_RECORDING_CPU ? "cpu" : "wall", err));
    ETI_TRY(add_label(report, m, "inputs", options->inputs, err));
    return m->n_sides == 2 ? add_label(report, m, "outputs", verdicts[outputs->verdict], err)
                           : ETI_OK;
}

/* Adds the notes of the recording, which are lines. */
static eti_status note_recording(eti_report *report, const eti_measurement *m, eti_error *err) {
    const char *at = m->runner.first[ETI_MEASURED_NEW].notes;
    while (at && *at) {
        int size = (int)strcspn(at, "\n");
        ETI_TRY(eti__report_note(report, err, "%.*s", size, at));
        at += size;
        at += *at == '\n';
    }
    return ETI_OK;
}

#define LEAST_FOR_CPU_TIME 5e6 /* ns; reading the CPU time takes a large part of shorter runs */

/* Suggests the CPU time if other programs may have kept the measurement from deciding. */
static eti_status note_clock(eti_report *report, const eti_measurement *m, eti_error *err) {
    const eti_recording_result *base = &m->runner.first[ETI_MEASURED_BASE],
                               *other = &m->runner.first[ETI_MEASURED_NEW];
    bool is_undecided = report->gate && m->outcome == ETI_GATE_UNDECIDED;
    bool may_use = base->may_use_cpu_time && other->may_use_cpu_time;
    if (!is_undecided || !may_use || fmin(base->median, other->median) < LEAST_FOR_CPU_TIME ||
        !eti__machine_is_busy(&m->machine))
        return ETI_OK;
    return eti__report_note(report, err, "other programs disturb: %sclock cpu leaves them out",
                            eti__option_prefix());
}

static eti_status note_all(eti_report *report, const eti_measurement *m, eti_error *err) {
    ETI_TRY(note_pairs(report, m, err));
    ETI_TRY(note_programs(report, m, err));
    if (m->n_sides == 2)
        ETI_TRY(note_looks(report, m, err));
    ETI_TRY(note_machine(report, m, err));
    ETI_TRY(note_recording(report, m, err));
    ETI_TRY(note_clock(report, m, err));
    for (size_t side = ETI_N_MEASURED_SIDES - m->n_sides; side < ETI_N_MEASURED_SIDES; side++)
        ETI_TRY(note_warnings(report, m, (eti_measured_side)side, err));
    return ETI_OK;
}

/* ---- table ----------------------------------------------------------------------------------- */

static const char *stop_name(const eti_measurement *m) {
    static const char *const names[] = {
        [ETI_STOPPED_AT_END] = "cannot tell",    [ETI_STOPPED_SLOWER] = "slower",
        [ETI_STOPPED_NOT_SLOWER] = "not slower", [ETI_STOPPED_BY_CALLER] = "cancelled",
        [ETI_STOPPED_BY_FAILURE] = "failed",
    };
    return m->n_sides == 1 && m->stop == ETI_STOPPED_AT_END ? "end" : names[m->stop];
}

ETI_CELL_SETTER(eti_measurement, pairs, eti__count_cell(row->n_done))
ETI_CELL_SETTER(eti_measurement, most_pairs, eti__count_cell(row->request->measure.n_pairs))
ETI_CELL_SETTER(eti_measurement, warm_up, eti__count_cell(row->request->measure.n_warm_up))
ETI_CELL_SETTER_IF(eti_measurement, seed, row->n_sides == 2, eti__count_cell(row->seed))
ETI_CELL_SETTER_IF(eti_measurement, looks, row->n_sides == 2, eti__count_cell(row->n_looks))
ETI_CELL_SETTER_IF(eti_measurement, most_looks, row->n_sides == 2, eti__count_cell(row->looks.n))
ETI_CELL_SETTER(eti_measurement, stopped, eti__string_cell(stop_name(row)))

/* Adds a section with a table for programs; its notes are for readers. */
static eti_status add_section(eti_report *report, eti_measurement *m, eti_error *err) {
    static const eti_column_spec columns[] = {
        {"pairs", ETI_COUNTS, false, "measured pairs of processes", set_pairs},
        {"most_pairs", ETI_COUNTS, false, "value of the option pairs", set_most_pairs},
        {"warmup", ETI_COUNTS, false, "warm-up pairs, which are not counted", set_warm_up},
        {"seed", ETI_COUNTS, false, "seed of the order within pairs", set_seed},
        {"looks", ETI_COUNTS, false, "number of times that the pairs were judged", set_looks},
        {"most_looks", ETI_COUNTS, false,
         "number of times that the pairs would have been judged in a complete measurement",
         set_most_looks},
        {"stopped", ETI_TEXTS, false,
         "slower, not slower, cannot tell, cancelled or failed; with one side: end", set_stopped},
    };
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "measurement", "Measurement", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    report->sections[report->n_sections - 1].is_in_notes = true;
    return eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), m, err);
}

/* ---- labels of the machine ---------------------------------------------------------------------------------- */

static eti_status add_number(eti_report *report, const eti_measurement *m, const char *key,
                             const char *format, double value, eti_error *err) {
    char text[64] = "";
    eti__snprintf(text, sizeof text, format, value);
    return add_label(report, m, key, text, err);
}

static eti_status add_labels(eti_report *report, const eti_measurement *m, eti_error *err) {
    const eti_machine *machine = &m->machine;
    ETI_TRY(add_number(report, m, "processors", "%.0f", (double)machine->n_processors, err));
    ETI_TRY(add_label(report, m, "governor", machine->governor, err));
    if (machine->load.low <= machine->load.high)
        ETI_TRY(add_number(report, m, "load_average", "%.2f", machine->load.high, err));
    if (machine->temperature.low <= machine->temperature.high)
        ETI_TRY(add_number(report, m, "temperature", "%.1f", machine->temperature.high, err));
    return ETI_OK;
}

/* ---- reports --------------------------------------------------------------------------------- */

/* Adds the description of the measurement, and keeps open the dumps from which the report borrows. */
static eti_status complete(eti_report *report, eti_measurement *m, eti_error *err) {
    eti__report_keep(report, eti__dumps_keep(m->dumps));
    ETI_TRY(add_section(report, m, err));
    ETI_TRY(note_all(report, m, err));
    return add_labels(report, m, err);
}

/* Makes the report of two sides. Includes the rule about outputs, which looks leave out because it ends no measurement early. */
static eti_status make_gate_report(eti_report **out, eti_measurement *m,
                                   const eti_gate_options *asked, eti_error *err) {
    const double tolerance = m->request->output_tolerance;
    eti_gate_options options = *asked;
    eti_buffer difference = {0};
    char percent[ETI_DOUBLE_TEXT_MAX], rule[64];
    if (!isnan(tolerance) && m->outputs.verdict != ETI_OUTPUTS_UNCHECKED) {
        eti__double_general(percent, 100 * tolerance);
        snprintf(rule, sizeof rule, "output_tolerance %s%%", percent);
        add_difference(&difference, &m->outputs);
        eti__buffer_add_char(&difference, '\0');
        options.judged = (eti_judged_rule){.rule = rule,
                                           .message = difference.data,
                                           .n_failed = m->outputs.n_above,
                                           .n_passed = m->outputs.n - m->outputs.n_above};
    }
    eti_status status = difference.failed
                            ? eti_fail_memory(err)
                            : eti__gate_report(out, &m->outcome, m->profiles[ETI_MEASURED_BASE],
                                               m->profiles[ETI_MEASURED_NEW], &options, err);
    eti__buffer_free(&difference);
    return status;
}

static eti_status make_report(eti_report **out, eti_measurement *m, eti_error *err) {
    const eti_gate_options options = eti__measurement_gate_options(m);
    const eti_profile *new_side = m->profiles[ETI_MEASURED_NEW];
    if (m->n_sides == 1 && m->n_done == 1) /* one process shows no noise */
        return eti__profile_report(out, new_side, options.diff.include_units, err);
    if (m->n_sides == 1)
        return eti__noise_report(out, new_side, &m->request->gate.diff, err);
    return make_gate_report(out, m, &options, err);
}

eti_status eti__measurement_report(eti_report **out, eti_measurement *m, eti_error *err) {
    eti_status status = m->n_sides == 1 ? eti__measurement_open_sides(m, err) : ETI_OK;
    if (status == ETI_OK)
        status = eti__outputs_compare(&m->outputs, &m->runner, m->request->output_tolerance, err);
    if (status == ETI_OK)
        status = make_report(out, m, err);
    if (status == ETI_OK)
        status = complete(*out, m, err);
    if (status == ETI_OK)
        return ETI_OK;
    eti_report_free(*out);
    *out = NULL;
    return status;
}
