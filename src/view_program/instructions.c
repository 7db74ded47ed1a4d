#include "view_program/instructions.h"

#include "program/program.h"
#include "rollup/rollup.h"
#include "view_events/view_events.h"

#include <math.h>
#include <stdlib.h>

/* Source of the rows. */
typedef struct instructions {
    eti_instruction_times times;
    eti_time_scale scale; /* of times */
} instructions;

typedef struct instruction_row {
    eti_group_row times;
    const instructions *in;
    const eti_timed_method *method; /* NULL: none */
    bool is_framework;
    size_t number;      /* of the row */
    uint32_t of_method; /* number of the instruction in the method */
    eti_traffic traffic;
    eti_row *out;
} instruction_row;

/* ---- cells ----------------------------------------------------------------------------------- */

static bool set_call(void *context, eti_cell *cell) {
    const instruction_row *row = context;
    if (row->is_framework) {
        *cell = eti__string_cell(ETI_GROUP_FRAMEWORK);
        return true;
    }
    const eti_calls *calls = &row->method->liveness.calls;
    eti__instruction_add_name(&row->out->scratch, calls->plan, calls->items[row->of_method]);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

static double bytes_moved(const instruction_row *row) {
    const eti_traffic *traffic = &row->traffic;
    if (traffic->read == ETI_PTE_UNKNOWN_SIZE || traffic->written == ETI_PTE_UNKNOWN_SIZE)
        return (double)NAN;
    return (double)traffic->read + (double)traffic->written;
}

static uint64_t calls_of(const instruction_row *row) {
    return eti__instruction_calls(&row->in->times, row->number);
}

/* Returns the bytes per second over all runs: an instruction in a loop moves its bytes in each
 * iteration. An upper bound of the bytes tells nothing about the speed. */
static double bandwidth(const instruction_row *row) {
    double total = eti__rollup_time(row->times.rollup, row->times.group->total);
    if (row->in->scale == ETI_SCALE_CYCLES || !(total > 0) || row->traffic.is_bound)
        return (double)NAN;
    double seconds = eti__time_convert(total, row->in->scale, ETI_SCALE_S);
    return bytes_moved(row) * (double)calls_of(row) / seconds;
}

ETI_CELL_SETTER_IF(instruction_row, method, row->method, eti__text_or_none(row->method->plan->name))
ETI_CELL_SETTER_IF(instruction_row, instruction, !row->is_framework,
                   eti__count_cell(row->of_method))
ETI_CELL_SETTER_IF(instruction_row, read, row->traffic.read != ETI_PTE_UNKNOWN_SIZE,
                   eti__count_cell(row->traffic.read))
ETI_CELL_SETTER_IF(instruction_row, written, row->traffic.written != ETI_PTE_UNKNOWN_SIZE,
                   eti__count_cell(row->traffic.written))
ETI_CELL_SETTER_IF(instruction_row, is_bound, !row->is_framework,
                   eti__bool_cell(row->traffic.is_bound))
ETI_CELL_SETTER(instruction_row, bandwidth, eti__number_or_none(bandwidth(row)))
ETI_CELL_SETTER_IF(instruction_row, calls, !row->is_framework, eti__count_cell(calls_of(row)))
ETI_CELL_SETTER_IF(instruction_row, in_use, !row->is_framework,
                   eti__count_cell(row->method->in_use[row->of_method]))

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

static const eti_column_spec columns[] = {
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the instruction in the method", set_instruction},
    {"call", ETI_TEXTS, false, "operator, backend, or kind of instruction", set_call},
    {"p50", ETI_TIMES, false, "median time per run", eti__set_group_p50},
    {"share", ETI_SHARES, false, "share of the total time", eti__set_group_share},
    {"read_bytes", BYTES, false, "bytes of tensors that a call reads", set_read},
    {"written_bytes", BYTES, false, "bytes of tensors that a call writes", set_written},
    {"is_bound", ETI_MARKS, false, "true if these bytes are upper bounds", set_is_bound},
    {"bytes_per_s", ETI_TYPE_FLOAT64, ETI_COLUMN_BYTES, false,
     "bytes read and written per second, in all runs after the warm-up", set_bandwidth},
    {"in_use_bytes", BYTES, false, "bytes of all arenas in use while it runs", set_in_use},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
    {"method", ETI_TEXTS, false, "method of the instruction", set_method},
    {"calls", ETI_COUNTS, true, "calls in all runs after the warm-up", set_calls},
    {"avg", ETI_TIMES, true, "mean time per run", eti__set_group_avg},
    {"min", ETI_TIMES, true, "shortest time in a run", eti__set_group_min},
    {"max", ETI_TIMES, true, "longest time in a run", eti__set_group_max},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    static const eti_group none = {0};
    const instructions *in = context;
    const eti_rollup *rollup = &in->times.rollup;
    const eti_group *group = number < rollup->n_groups ? &rollup->groups[number] : &none;
    instruction_row row = {.times = eti__group_row_of(rollup, group, &out->texts),
                           .in = in,
                           .method = eti__instruction_method(&in->times, number),
                           .number = number,
                           .traffic = {ETI_PTE_UNKNOWN_SIZE, ETI_PTE_UNKNOWN_SIZE, false},
                           .out = out};
    row.of_method = row.method ? (uint32_t)(number - row.method->first) : 0;
    row.is_framework = !row.method || row.of_method == row.method->liveness.calls.n;
    if (!row.is_framework)
        row.traffic = eti__call_traffic(&row.method->liveness, &row.method->bytes, row.of_method);
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- the section ----------------------------------------------------------------------------- */

static void free_instructions(void *context) {
    instructions *in = context;
    eti__instruction_times_free(&in->times);
    free(in);
}

/* Rejects names that instructions repeat so often that their text would not fit in memory. */
static eti_status check_text(const instructions *in, const eti_inspector *inspector,
                             eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < in->times.n_methods; i++) {
        const eti_calls *calls = &in->times.methods[i].liveness.calls;
        n_bytes += (uint64_t)calls->plan->name.size * calls->n;
    }
    return eti__view_check_text(inspector, n_bytes, err);
}

/* Adds a note about the instructions whose bytes depend on the input. */
static eti_status note_bounds(eti_report *report, const eti_instruction_times *times,
                              eti_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < times->n_methods; i++) {
        const eti_timed_method *method = &times->methods[i];
        for (uint32_t k = 0; k < method->liveness.calls.n; k++)
            n += eti__call_traffic(&method->liveness, &method->bytes, k).is_bound;
    }
    if (n == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "marked bytes: upper bounds, without bytes_per_s, because shapes or "
                            "the used part of a tensor depend on the input (%zu instruction%s)",
                            n, n == 1 ? "" : "s");
}

eti_status eti__view_add_instructions(eti_report *report, const eti_inspector *inspector,
                                      const eti_view_options *options, eti_error *err) {
    instructions *in = calloc(1, sizeof *in);
    if (!in)
        return eti_fail_memory(err);
    in->scale = inspector->options.target_time_scale;
    eti_status status = eti__instruction_times_make(&in->times, inspector, options, err);
    if (status == ETI_OK)
        status = check_text(in, inspector, err);
    if (status != ETI_OK) {
        free_instructions(in);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_row, free_instructions, in};
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), in->times.n_rows,
                                   source, eti__view_unit(inspector, options), err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "instructions", "Instructions", table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    ETI_TRY(note_bounds(report, &in->times, err));
    return eti__view_note_warm_up(report, inspector, &in->times.rollup.runs, err);
}
