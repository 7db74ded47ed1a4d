#include "view/ops.h"

#include "base/names.h"
#include "base/sort.h"
#include "places/places.h"
#include "program/program.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view/groups.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== op kernels ============================================================================== */
/* Lists the kernels that ran each operator, by the names of events: IGEMM or DWConv, layout, data
 * types. */

typedef struct op_kernel {
    uint32_t op;     /* see rollup/rollup.h */
    uint32_t kernel; /* number in kernels->names; 0: the framework has none */
} op_kernel;

/* A type or a part of the hardware, of an event of a group. */
typedef struct kernel_fact {
    eti_text text;
    bool is_unit;  /* a part of the hardware */
    uint32_t next; /* the next of the group, counting from 1; 0: none */
} kernel_fact;

/* Number of facts of a group that are kept. */
#define MOST_KERNEL_FACTS 64

/* The work of a group in all runs that count. */
typedef struct kernel_work {
    double flop, traffic;    /* NaN: that of an event is unknown */
    uint32_t first, last, n; /* its facts, counting from 1 */
} kernel_work;

typedef struct kernel_table {
    eti_method_part part; /* first: see groups.h */
    eti_peaks peaks;
    eti_time_scale scale;
    eti_arguments *arguments; /* while events are added */
    kernel_work *work;        /* per group */
    size_t n_work, work_capacity;
    kernel_fact *facts;
    size_t n_facts, fact_capacity;
    eti_shared_texts names;
    ETI_INTERN_OF(op_kernel) keys; /* per group of the rollup */
    eti_time_sum *op_times;        /* per operator */
    uint32_t *order;               /* of rows: groups */
} kernel_table;

static bool find_group(kernel_table *k, const eti_account *account, size_t event, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(op_kernel),
                                         .key_size = sizeof(op_kernel)};
    eti_op_type op = eti__op_type_of(account, event);
    op_kernel key = {0};
    return eti__op_type_number(&k->names, &op, &key.op) &&
           eti__shared_texts_add(&k->names, eti__kernel_name(account, event, &op), &key.kernel) &&
           eti__intern_add(&k->keys.table, &kind, &key, out);
}

/* Adds a text to a group, unless it has it. False: out of memory. */
static bool add_kernel_fact(kernel_table *k, kernel_work *work, eti_text text, bool is_unit) {
    for (uint32_t at = work->first; at > 0; at = k->facts[at - 1].next) {
        if (k->facts[at - 1].is_unit == is_unit && eti__text_equal(k->facts[at - 1].text, text))
            return true;
    }
    if (text.size == 0 || work->n == MOST_KERNEL_FACTS)
        return true;
    if (!ETI_GROW(k->facts, k->fact_capacity, k->n_facts + 1))
        return false;
    k->facts[k->n_facts++] = (kernel_fact){text, is_unit, 0};
    if (work->last > 0)
        k->facts[work->last - 1].next = (uint32_t)k->n_facts;
    else
        work->first = (uint32_t)k->n_facts;
    work->last = (uint32_t)k->n_facts;
    work->n++;
    return true;
}

/* Adds the work of an event to its group. Work of an event without a call takes no time. False: out of memory. */
static bool add_work(kernel_table *k, const eti_account *account, size_t event, uint32_t group) {
    eti_event_tensors tensors;
    if (!ETI_GROW(k->work, k->work_capacity, (size_t)group + 1) ||
        !eti__arguments_find(k->arguments, account, event, &tensors))
        return false;
    for (; k->n_work <= group; k->n_work++)
        k->work[k->n_work] = (kernel_work){.flop = 0};
    kernel_work *work = &k->work[group];
    double n = (double)account->events[event].n_calls;
    work->flop += tensors.flop != ETI_UNKNOWN_WORK ? n * (double)tensors.flop : (double)NAN;
    work->traffic +=
        tensors.traffic != ETI_UNKNOWN_WORK ? n * (double)tensors.traffic : (double)NAN;
    bool done = add_kernel_fact(k, work, eti__event_compute_unit(account, event), true);
    for (size_t i = 0; i < tensors.n && done; i++)
        done = add_kernel_fact(k, work, tensors.dtypes[i], false);
    return done;
}

static bool group_kernel_events(void *context, const eti_account *account, uint32_t *groups) {
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (account->events[i].is_counted && (!find_group(context, account, i, &groups[i]) ||
                                              !add_work(context, account, i, groups[i])))
            return false;
    }
    return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool sum_operators(kernel_table *k) {
    k->op_times = calloc(ETI_OP_TYPE_NAMED + k->names.texts.count, sizeof *k->op_times);
    for (size_t i = 0; k->op_times && i < k->part.rollup.n_groups; i++)
        eti__time_sum_add(&k->op_times[k->keys.items[i].op], &k->part.rollup.groups[i].time);
    return k->op_times != NULL;
}

/* Compares rows by the time of the operator, then by operator, then as eti__rollup_sort() does. */
static int compare_kernels(const void *a, const void *b, void *context) {
    const kernel_table *k = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t op_x = k->keys.items[x].op, op_y = k->keys.items[y].op;
    int order = eti__time_sum_compare(&k->op_times[op_y], &k->op_times[op_x]);
    if (order == 0)
        order = (op_x > op_y) - (op_x < op_y);
    if (order == 0)
        order =
            eti__time_sum_compare(&k->part.rollup.groups[y].time, &k->part.rollup.groups[x].time);
    return order ? order : (x > y) - (x < y);
}

static bool sort_kernel_rows(kernel_table *k) {
    k->order = malloc((k->part.rollup.n_groups + 1) * sizeof *k->order);
    if (!k->order || !sum_operators(k))
        return false;
    k->part.n_rows = eti__rollup_sort(&k->part.rollup, k->order);
    eti__sort(k->order, k->part.n_rows, sizeof *k->order, compare_kernels, k);
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct kernel_row {
    eti_group_row times;
    eti_text op, kernel;
    const kernel_table *table;
    const kernel_work *work;
    eti_row *out;
} kernel_row;

static double per_run(const kernel_row *row, double sum) {
    return sum / (double)row->times.rollup->runs.n;
}

/* Returns the self time of all runs in seconds; NaN: it is in cycles. */
static double seconds_of(const kernel_row *row) {
    const eti_rollup *rollup = row->times.rollup;
    eti_time_scale scale = row->table->scale;
    if (scale == ETI_SCALE_CYCLES)
        return (double)NAN;
    double time = eti__rollup_time(rollup, row->times.group->time.total);
    return eti__time_convert(time, scale, ETI_SCALE_S);
}

static eti_bound bound_of(const kernel_row *row) {
    return eti__bound_of(&row->table->peaks, row->work->flop, row->work->traffic, seconds_of(row));
}

static bool set_kernel_dtypes(void *context, eti_cell *cell) {
    const kernel_row *row = context;
    const kernel_fact *facts = row->table->facts;
    eti_text *texts = eti__arena_alloc(&row->out->texts, row->work->n, sizeof *texts);
    size_t n = 0;
    for (uint32_t at = row->work->first; texts && at > 0; at = facts[at - 1].next) {
        if (!facts[at - 1].is_unit)
            texts[n++] = facts[at - 1].text;
    }
    if (n > 0)
        *cell = eti__list_cell(ETI_CELL_TEXTS, texts, n);
    return texts != NULL;
}

/* Sets the parts of the hardware, separated by commas. */
static bool set_kernel_unit(void *context, eti_cell *cell) {
    const kernel_row *row = context;
    const kernel_fact *facts = row->table->facts;
    eti_buffer *text = &row->out->scratch;
    for (uint32_t at = row->work->first; at > 0; at = facts[at - 1].next) {
        if (!facts[at - 1].is_unit)
            continue;
        eti__buffer_add_string(text, text->size > 0 ? ", " : "");
        eti__buffer_add_text(text, facts[at - 1].text);
    }
    if (text->size == 0)
        return !text->failed;
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

ETI_CELL_SETTER(kernel_row, kernel_flop, eti__bytes_or_none(round(per_run(row, row->work->flop))))
ETI_CELL_SETTER(kernel_row, kernel_traffic,
                eti__bytes_or_none(round(per_run(row, row->work->traffic))))
ETI_CELL_SETTER(kernel_row, flop_rate, eti__finite_or_none(row->work->flop / seconds_of(row)))
ETI_CELL_SETTER(kernel_row, byte_rate, eti__finite_or_none(row->work->traffic / seconds_of(row)))
ETI_CELL_SETTER(kernel_row, of_peak, eti__finite_or_none(bound_of(row).of_peak))
ETI_CELL_SETTER_IF(kernel_row, bound_by, isfinite(bound_of(row).of_peak),
                   eti__string_cell(bound_of(row).by_memory ? "memory" : "compute"))

ETI_CELL_SETTER(kernel_row, kernel_op, eti__text_cell(row->op))
ETI_CELL_SETTER(kernel_row, kernel, eti__text_or_none(row->kernel))

static const eti_column_spec kernel_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"op", ETI_TEXTS, false, "operator, or name of the events", set_kernel_op},
    {"kernel", ETI_TEXTS, false, "kernel that ran it, as named in its events", set_kernel},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    {"of_peak", ETI_SHARES, false, ETI_OF_PEAK_HELP, set_of_peak},
    {"bound_by", ETI_TEXTS, false, ETI_BOUND_BY_HELP, set_bound_by},
    {"events", ETI_COUNTS, false, "events of this operator run by this kernel",
     eti__set_group_events},
    {"calls", ETI_COUNTS, false, "calls of events, after the warm-up", eti__set_group_calls},
    {"compute_unit", ETI_TEXTS, false, "part of the hardware that ran it, such as CPU, GPU or NPU",
     set_kernel_unit},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "data types of the tensors that it takes and returns", set_kernel_dtypes},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
    {"p50", ETI_TIMES, true, "median of the times per run", eti__set_group_p50},
    ETI_GROUP_MEAN_COLUMN,
    {"flop", ETI_COUNTS, true, "floating-point operations per run, if known for all its events",
     set_kernel_flop},
    {"traffic", ETI_TYPE_INT64, ETI_COLUMN_BYTES, true,
     "bytes of its tensors per run, each read or written once: a lower bound", set_kernel_traffic},
    {"flop_rate", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "FLOP/s of its self time",
     set_flop_rate},
    {"byte_rate", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "B/s of its self time", set_byte_rate},
};

static bool make_kernel_row(const eti_method_part *part, size_t number,
                            const eti_column_spec *specs, size_t n_specs, eti_row *out) {
    const kernel_table *k = (const kernel_table *)part;
    const op_kernel *key = &k->keys.items[k->order[number]];
    kernel_row row = {.times = eti__group_row_of(
                          &part->rollup, &part->rollup.groups[k->order[number]], &out->texts),
                      .op = eti__op_type_name(&k->names, key->op),
                      .kernel = k->names.texts.texts[key->kernel],
                      .table = k,
                      .work = &k->work[k->order[number]],
                      .out = out};
    row.times.method = part->method;
    return eti__columns_set(specs, n_specs, &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_kernels(eti_method_part *part) {
    kernel_table *k = (kernel_table *)part;
    eti__shared_texts_free(&k->names);
    eti__intern_free(&k->keys.table);
    eti__arguments_free(k->arguments);
    free(k->work);
    free(k->facts);
    free(k->op_times);
    free(k->order);
}

static eti_status check_kernel_text(const kernel_table *k, const eti_inspector *inspector,
                                    eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < k->keys.count; i++)
        n_bytes += eti__op_type_name(&k->names, k->keys.items[i].op).size +
                   k->names.texts.texts[k->keys.items[i].kernel].size;
    return eti__view_check_text(inspector, n_bytes, err);
}

static eti_status take_kernels(eti_method_part *part, const eti_inspector *inspector,
                               const eti_view_options *options, void *context, eti_error *err) {
    kernel_table *k = (kernel_table *)part;
    uint32_t none;
    (void)context;
    k->peaks = (eti_peaks){options->peak_flops, options->peak_bandwidth};
    k->scale = inspector->options.target_time_scale;
    k->arguments = eti__arguments_new(inspector);
    if (!k->arguments || !eti__shared_texts_add(&k->names, eti__text_of(""), &none))
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&part->rollup, inspector, options, group_kernel_events, k, err));
    eti__arguments_free(k->arguments); /* facts are texts of the inspector, or static */
    k->arguments = NULL;
    return sort_kernel_rows(k) ? check_kernel_text(k, inspector, err) : eti_fail_memory(err);
}

/* Makes the view "ops" with options->kernels: one row per operator and kernel, the most expensive
 * operator first. */
static eti_status add_op_kernels(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    static const eti_method_view view = {sizeof(kernel_table), take_kernels, free_kernels,
                                         make_kernel_row};
    const eti_method_rows *rows;
    eti_column_spec columns[ETI_N_COLUMNS(kernel_columns)];
    eti_table *table;
    for (size_t i = 0; i < ETI_N_COLUMNS(kernel_columns); i++) {
        bool is_of_peak =
            kernel_columns[i].set == set_of_peak || kernel_columns[i].set == set_bound_by;
        columns[i] = kernel_columns[i];
        if (is_of_peak && !(options->peak_flops > 0 || options->peak_bandwidth > 0))
            columns[i].name = NULL;
    }
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, columns, ETI_N_COLUMNS(kernel_columns),
                                  inspector, options, NULL, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "kernels", NULL, table, err));
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_unsteady(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_cycles(report, &rows->counts.cycles, err);
}

/* ==== program ops ============================================================================= */
/* Lists the operators that programs need: the view "ops" without an ETDump. */

/* Source of the rows. */
typedef struct program_ops {
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_needed_operators ops;
    uint32_t n_missing;
    bool names_programs, names_methods; /* in the list of instructions */
    eti_table *table;
    eti_arena arena;
} program_ops;

typedef struct program_op_row {
    const program_ops *in;
    const eti_needed_operator *op;
    const eti_operator_call *call; /* of rows of calls */
} program_op_row;

static eti_text method_of(const program_ops *in, const eti_operator_call *call) {
    return in->inspector->programs[call->program].plans[call->plan].name;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool set_program_op(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->in->table, row->op->name, &cell->as_text);
}

ETI_CELL_SETTER(program_op_row, calls, eti__count_cell(row->op->n_calls))

static void add_instruction(eti_buffer *out, const program_ops *in, const eti_operator_call *call) {
    const eti_pte *program = &in->inspector->programs[call->program];
    if (in->names_programs) {
        eti__buffer_add_string(out, program->file->name);
        eti__buffer_add_char(out, ' ');
    }
    if (in->names_methods) {
        eti__buffer_add_text(out, method_of(in, call));
        eti__buffer_add_char(out, ' ');
    }
    eti__buffer_add_u64(out, call->instruction);
}

static bool set_instructions(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    eti_text *items = eti__arena_alloc(&row->in->table->arena, row->op->n_calls, sizeof *items);
    eti_buffer text = {0};
    bool done = items != NULL;
    for (uint32_t i = 0; i < row->op->n_calls && done; i++) {
        text.size = 0;
        add_instruction(&text, row->in, &row->op->calls[i]);
        done =
            !text.failed && eti__table_own_text(row->in->table, eti__buffer_text(&text), &items[i]);
    }
    eti__buffer_free(&text);
    *cell = eti__list_cell(ETI_CELL_TEXTS, items, row->op->n_calls);
    return done;
}

static bool set_program_dtypes(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    eti_text *items = eti__arena_alloc(&row->in->table->arena, 64, sizeof *items);
    size_t n = 0;
    for (int8_t type = 0; items && type < 64; type++) {
        if ((row->op->dtypes >> type & 1) != 0)
            items[n++] = eti__text_of(eti__needed_dtype_name(type));
    }
    *cell = eti__list_cell(ETI_CELL_TEXTS, items, n);
    return items != NULL;
}

static bool set_dtype_names(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    eti_buffer text = {0};
    for (int8_t type = 0; type < 64; type++) {
        if ((row->op->dtypes >> type & 1) == 0)
            continue;
        eti__buffer_add_string(&text, text.size > 0 ? "," : "");
        eti__buffer_add_string(&text, eti__needed_dtype_name(type));
    }
    cell->kind = text.size > 0 ? ETI_CELL_TEXT : ETI_CELL_NONE;
    bool done = !text.failed &&
                eti__table_own_text(row->in->table, eti__buffer_text(&text), &cell->as_text);
    eti__buffer_free(&text);
    return done;
}

static bool set_method(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->in->table, method_of(row->in, row->call), &cell->as_text);
}

static bool set_program(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    cell->kind = row->in->names_programs ? ETI_CELL_TEXT : ETI_CELL_NONE;
    return eti__table_own_text(
        row->in->table, eti__text_of(row->in->inspector->programs[row->call->program].file->name),
        &cell->as_text);
}

ETI_CELL_SETTER(program_op_row, instruction, eti__count_cell(row->call->instruction))

static bool set_kernel_keys(void *context, eti_cell *cell) {
    const program_op_row *row = context;
    size_t n = row->op->n_kernel_keys;
    eti_text *items = eti__arena_alloc(&row->in->table->arena, n, sizeof *items);
    bool done = items != NULL;
    for (size_t i = 0; i < n && done; i++)
        done = eti__table_own_text(row->in->table, row->op->kernel_keys[i], &items[i]);
    *cell = eti__list_cell(ETI_CELL_TEXTS, items, n);
    return done;
}

static const eti_column_spec program_columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_program_op},
    {"calls", ETI_COUNTS, false, "instructions that call it", set_calls},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "data types of its arguments",
     set_program_dtypes},
    {"instructions", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "numbers of the instructions, after the method if there are several", set_instructions},
    {"kernel_keys", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "data types and dimension orders that it is called with", set_kernel_keys},
};

/* Columns of a list for a build: a word for each operator, and one for its types. */
static const eti_column_spec list_columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_program_op},
    {"dtypes", ETI_TEXTS, false, "data types of its arguments, separated by commas",
     set_dtype_names},
    {"kernel_keys", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "data types and dimension orders that it is called with", set_kernel_keys},
};

/* Columns of missing operators, with a row for each call. */
static const eti_column_spec missing_columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_program_op},
    {"method", ETI_TEXTS, false, "method that calls it", set_method},
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the instruction in the method", set_instruction},
    {"program", ETI_TEXTS, false, "file of the program", set_program},
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rejects names that instructions repeat so often that their text would not fit in memory. */
static eti_status check_program_text(const program_ops *in, eti_error *err) {
    uint64_t n_bytes = 0;
    for (uint32_t i = 0; i < in->ops.n; i++) {
        const eti_needed_operator *op = &in->ops.items[i];
        for (uint32_t k = 0; k < op->n_calls; k++)
            n_bytes += op->is_missing || in->names_methods ? method_of(in, &op->calls[k]).size : 0;
        n_bytes += op->is_missing ? (uint64_t)op->name.size * op->n_calls : 0;
    }
    return eti__view_check_text(in->inspector, n_bytes, err);
}

static eti_status add_missing(program_ops *in, eti_report *report, eti_error *err) {
    ETI_TRY(eti__columns_add_section(&in->table, report, "missing", NULL, missing_columns,
                                     ETI_N_COLUMNS(missing_columns), NULL, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    for (uint32_t i = 0; i < in->ops.n; i++) {
        const eti_needed_operator *op = &in->ops.items[i];
        for (uint32_t k = 0; op->is_missing && k < op->n_calls; k++) {
            program_op_row row = {in, op, &op->calls[k]};
            ETI_TRY(eti__columns_add_row(in->table, missing_columns, ETI_N_COLUMNS(missing_columns),
                                         &row, err));
        }
    }
    return ETI_OK;
}

static eti_status add_operators(program_ops *in, eti_report *report, eti_error *err) {
    bool is_list = in->options->emits_ops;
    const eti_column_spec *specs = is_list ? list_columns : program_columns;
    size_t n_specs = is_list ? ETI_N_COLUMNS(list_columns) : ETI_N_COLUMNS(program_columns);
    ETI_TRY(
        eti__columns_add_section(&in->table, report, "operators", NULL, specs, n_specs, NULL, err));
    report->sections[report->n_sections - 1].explains_itself = is_list;
    for (uint32_t i = 0; i < in->ops.n; i++) {
        program_op_row row = {.in = in, .op = &in->ops.items[i]};
        if (is_list || row.op->n_calls > 0)
            ETI_TRY(eti__columns_add_row(in->table, specs, n_specs, &row, err));
    }
    return ETI_OK;
}

/* ---- the view -------------------------------------------------------------------------------- */

static void settle_names(program_ops *in) {
    const eti_inspector *inspector = in->inspector;
    in->names_programs = inspector->n_programs > 1;
    for (size_t i = 0; i < inspector->n_programs; i++)
        in->names_methods = in->names_methods || inspector->programs[i].n_plans > 1;
}

static uint64_t count_delegate_calls(const eti_inspector *inspector) {
    uint64_t n = 0;
    for (size_t p = 0; p < inspector->n_programs; p++) {
        for (uint32_t i = 0; i < inspector->programs[p].n_plans; i++) {
            const eti_pte_plan *plan = &inspector->programs[p].plans[i];
            for (uint32_t c = 0; c < plan->n_chains; c++) {
                for (uint32_t k = 0; k < plan->chains[c].n_instructions; k++)
                    n += plan->chains[c].instructions[k].kind == ETI_PTE_DELEGATE_CALL;
            }
        }
    }
    return n;
}

static eti_status add_program_notes(const program_ops *in, eti_report *report, eti_error *err) {
    const eti_source *available = in->options->available;
    uint64_t n_calls = 0, n_delegated = count_delegate_calls(in->inspector);
    uint32_t n_called = 0;
    for (uint32_t i = 0; i < in->ops.n; i++) {
        n_calls += in->ops.items[i].n_calls;
        n_called += in->ops.items[i].n_calls > 0;
    }
    if (available && in->n_missing > 0)
        return eti__report_note(report, err, "%s lacks %u of %u operator%s: load_method would fail",
                                available->path, in->n_missing, n_called, n_called == 1 ? "" : "s");
    if (available)
        return eti__report_note(report, err, "%s has all %u operator%s", available->path, n_called,
                                n_called == 1 ? "" : "s");
    if (in->options->emits_ops)
        return ETI_OK;
    return eti__report_note(report, err,
                            "%u operator%s in %" PRIu64 " call%s of kernels; %" PRIu64
                            " call%s of delegates",
                            n_called, n_called == 1 ? "" : "s", n_calls, n_calls == 1 ? "" : "s",
                            n_delegated, n_delegated == 1 ? "" : "s");
}

static eti_status make(program_ops *in, eti_report *report, eti_error *err) {
    const eti_inspector *inspector = in->inspector;
    settle_names(in);
    ETI_TRY(
        eti__operators_make(&in->ops, &in->arena, inspector->programs, inspector->n_programs, err));
    if (in->options->available)
        ETI_TRY(eti__operators_find_missing(&in->ops, in->options->available, &in->n_missing, err));
    ETI_TRY(check_program_text(in, err));
    ETI_TRY(in->options->available ? add_missing(in, report, err) : add_operators(in, report, err));
    report->is_failed = in->n_missing > 0;
    return add_program_notes(in, report, err);
}

/* Adds the operators of all programs. With options->available, adds only those that the build lacks, and marks the report as
 * failed if there are any. With options->emits_ops, adds all operators, even those without a call, as a list for a selective
 * build. */
static eti_status add_program_ops(eti_report *report, const eti_inspector *inspector,
                                  const eti_view_options *options, eti_error *err) {
    program_ops in = {.inspector = inspector, .options = options};
    eti_status status = make(&in, report, err);
    eti__arena_free(&in.arena);
    return status;
}

/* ==== ops ===================================================================================== */

/* Groups of the rollup are numbers of operators, see rollup/rollup.h. */
#define FIRST_OP ETI_OP_TYPE_NAMED

/* Nodes of an operator. */
typedef enum fact_kind {
    FACT_DTYPE,
    FACT_SHAPE,
    FACT_BACKEND,
    FACT_MODULE, /* of nodes that are not delegated */
    FACT_LINE,
    N_FACTS,
} fact_kind;

/* A text of any node of the operator; each text is stored once, in graph order. */
typedef struct fact {
    uint32_t op;
    uint32_t kind;
    eti_text text;
} fact;

typedef struct op_count {
    uint64_t n_nodes, n_delegated, n_kernels, n_executed;
    size_t first_fact, end_fact; /* in inventory->facts, once they are sorted */
} op_count;

typedef struct inventory {
    eti_method_part part; /* first: see groups.h */
    const eti_inspector *inspector;
    eti_lowered_graph graph;
    eti_places places;
    eti_shared_texts names;      /* of operators, of events and of nodes */
    op_count *ops;               /* per name */
    ETI_INTERN_OF(fact) facts;   /* sorted when complete, and then found by their ops */
    eti_text_table shared_texts; /* "file.py:12", "XnnpackBackend" */
    eti_arena arena;
    uint32_t *order; /* of rows: groups */
} inventory;

/* ---- events ---------------------------------------------------------------------------------- */

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    inventory *in = context;
    for (size_t i = 0; i < account->block->n_events; i++) {
        if (!account->events[i].is_counted)
            continue;
        eti_op_type op = eti__op_type_of(account, i);
        if (!eti__op_type_number(&in->names, &op, &groups[i]))
            return false;
    }
    return eti__lowered_graph_mark(&in->graph, account->block);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Adds a fact. Texts are distinguished by their address, because the graph has each text once. */
static bool add_fact(inventory *in, uint32_t op, fact_kind kind, eti_text text) {
    if (text.size == 0)
        return true;
    static const eti_intern_kind interned = {.item_size = sizeof(fact),
                                             .key_size = offsetof(fact, text.size)};
    uint32_t number;
    return eti__intern_add(&in->facts.table, &interned, &(fact){op, kind, text}, &number);
}

/* Returns one text for all equal texts. */
static bool share_text(inventory *in, eti_text text, eti_text *out) {
    uint32_t number;
    if (!eti__text_table_add(&in->shared_texts, text, &in->arena, &number))
        return false;
    *out = in->shared_texts.texts[number];
    return true;
}

static bool add_values(inventory *in, uint32_t op, size_t number) {
    const eti_graph_values *values = &in->graph.values;
    const eti_graph_ports *ports = &values->ports[number];
    for (uint32_t i = 0; i < ports->n_outputs; i++) {
        const eti_graph_value *value = &values->values[ports->outputs[i]];
        eti_text shape = value->shape; /* each lowered module has texts of its own */
        if (!add_fact(in, op, FACT_DTYPE, eti__text_of(value->dtype)) ||
            !share_text(in, shape, &shape) || !add_fact(in, op, FACT_SHAPE, shape))
            return false;
    }
    return true;
}

static bool add_backend(inventory *in, uint32_t op, eti_text backend) {
    return !backend.data ||
           (share_text(in, backend, &backend) && add_fact(in, op, FACT_BACKEND, backend));
}

static bool line_text(inventory *in, uint32_t frame, eti_text *out) {
    eti_buffer text = {0};
    const eti_stack_frame *line = &eti__places_frame(&in->places, frame)->frame;
    eti__add_source_line(&text, line->file, line->line);
    bool done = !text.failed && share_text(in, eti__buffer_text(&text), out);
    eti__buffer_free(&text);
    return done;
}

static bool add_place(inventory *in, uint32_t op, const eti_op_node *node) {
    eti_place place;
    eti_text line = {NULL, 0};
    if (!eti__places_of_node(&in->places, node, &place))
        return false;
    if (place.module != ETI_PREFIX_ROOT &&
        !add_fact(in, op, FACT_MODULE, eti__places_module_name(&in->places, place.module)))
        return false;
    if (place.frame == ETI_PREFIX_ROOT)
        return true;
    return line_text(in, place.frame, &line) && add_fact(in, op, FACT_LINE, line);
}

static bool add_node(inventory *in, size_t number, uint32_t op) {
    const eti_graph_node *node = &in->graph.graph.nodes[number];
    const eti_lowered_node *lowered = &in->graph.nodes[number];
    op_count *count = &in->ops[op];
    count->n_nodes++;
    count->n_delegated += lowered->is_delegated;
    count->n_kernels += lowered->is_kernel && !lowered->is_delegated;
    count->n_executed += lowered->is_executed;
    if (!add_values(in, op, number) || !add_backend(in, op, lowered->backend))
        return false;
    return lowered->is_delegated || add_place(in, op, &node->node);
}

static int compare_facts(const void *a, const void *b) {
    const fact *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

/* Compares facts, and equal ones by their places in the order of the graph: qsort() need not be stable. */
static int compare_numbered(const void *a, const void *b, void *context) {
    const fact *facts = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_facts(&facts[x], &facts[y]);
    return order ? order : (x > y) - (x < y);
}

static bool sort_facts(inventory *in) {
    uint32_t *numbers = malloc((in->facts.count + 1) * sizeof *numbers);
    fact *sorted = malloc((in->facts.count + 1) * sizeof *sorted);
    bool done = numbers && sorted;
    for (size_t i = 0; done && i < in->facts.count; i++)
        numbers[i] = (uint32_t)i;
    if (done && in->facts.count > 0) {
        eti__sort(numbers, in->facts.count, sizeof *numbers, compare_numbered, in->facts.items);
        for (size_t i = 0; i < in->facts.count; i++)
            sorted[i] = in->facts.items[numbers[i]];
        memcpy(in->facts.items, sorted, in->facts.count * sizeof *sorted);
    }
    free(numbers);
    free(sorted);
    for (size_t i = 0; done && i < in->facts.count; i++) {
        op_count *op = &in->ops[in->facts.items[i].op];
        if (op->end_fact == 0)
            op->first_fact = i;
        op->end_fact = i + 1;
    }
    return done;
}

/* Counts the nodes of each operator. All names must be numbered before data are stored by number. */
static bool count_nodes(inventory *in) {
    const eti_graph *graph = &in->graph.graph;
    uint32_t *ops = calloc(graph->n_nodes + 1, sizeof *ops);
    bool done = ops != NULL;
    for (size_t i = 0; i < graph->n_nodes && done; i++)
        done = in->graph.nodes[i].is_call ||
               eti__shared_texts_add(&in->names, eti__whole_operator(graph->nodes[i].op_type),
                                     &ops[i]);
    in->ops = calloc(in->names.texts.count + 1, sizeof *in->ops);
    for (size_t i = 0; i < graph->n_nodes && done; i++)
        done = in->ops && (in->graph.nodes[i].is_call || add_node(in, i, ops[i]));
    free(ops);
    return done && in->ops && sort_facts(in);
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct op_row {
    eti_group_row times;
    eti_text name;
    const inventory *in;
    const op_count *count; /* NULL: its nodes are not known */
    eti_row *out;
} op_row;

static bool set_facts(const op_row *row, fact_kind kind, eti_cell *cell) {
    const fact *facts = row->in->facts.items;
    if (!row->count)
        return true;
    size_t first = row->count->first_fact, end = row->count->end_fact, n = 0;
    while (first < end && facts[first].kind < kind)
        first++;
    while (first + n < end && facts[first + n].kind == kind)
        n++;
    eti_text *texts = eti__arena_alloc(&row->out->texts, n, sizeof *texts);
    for (size_t i = 0; texts && i < n; i++)
        texts[i] = facts[first + i].text;
    *cell = eti__list_cell(ETI_CELL_TEXTS, texts, n);
    return texts != NULL;
}

#define DEFINE_FACTS(name, kind)                                                                   \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        return set_facts(context, kind, cell);                                                     \
    }
DEFINE_FACTS(dtypes, FACT_DTYPE)
DEFINE_FACTS(shapes, FACT_SHAPE)
DEFINE_FACTS(backends, FACT_BACKEND)
DEFINE_FACTS(modules, FACT_MODULE)
DEFINE_FACTS(lines, FACT_LINE)
#undef DEFINE_FACTS

ETI_CELL_SETTER(op_row, op, eti__text_cell(row->name))
/* Defines set functions of times, which are unknown for an operator without events. */
#define DEFINE_TIME(name)                                                                          \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const op_row *row = context;                                                               \
        return row->times.group->n_events == 0 || eti__set_group_##name(context, cell);            \
    }
DEFINE_TIME(total)
DEFINE_TIME(typical)
DEFINE_TIME(share)
DEFINE_TIME(share_mean)
DEFINE_TIME(unsteady)
#undef DEFINE_TIME

/* Sets the number of events; none without an ETDump. */
static bool set_events(void *context, eti_cell *cell) {
    const op_row *row = context;
    return row->in->inspector->n_dumps == 0 || eti__set_group_events(context, cell);
}

ETI_CELL_SETTER_IF(op_row, nodes, row->count, eti__count_cell(row->count->n_nodes))
ETI_CELL_SETTER_IF(op_row, delegated, row->count, eti__count_cell(row->count->n_delegated))
ETI_CELL_SETTER_IF(op_row, executed, row->count && row->in->inspector->n_dumps > 0,
                   eti__count_cell(row->count->n_executed))
ETI_CELL_SETTER_IF(op_row, kernels, row->count, eti__count_cell(row->count->n_kernels))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"op", ETI_TEXTS, false, "operator, or name of the events", set_op},
    {"typical", ETI_TIMES, false, "typical time per run: the sum of the medians of its events",
     set_typical},
    {"share", ETI_SHARES, false, "share of the typical time", set_share},
    {"unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, set_unsteady},
    {"events", ETI_COUNTS, false, "events of this operator alone", set_events},
    {"nodes", ETI_COUNTS, false, "nodes of the graph", set_nodes},
    {"delegated", ETI_COUNTS, false, "nodes covered by a delegate call", set_delegated},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "data types of the results of nodes",
     set_dtypes},
    {"shapes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "shapes of the results of nodes",
     set_shapes},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", set_total},
    {"executed", ETI_COUNTS, false, "nodes covered by an event", set_executed},
    {"kernels", ETI_COUNTS, false, "nodes covered by another instruction", set_kernels},
    {"backends", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "backends that took nodes",
     set_backends},
    {"modules", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "modules of nodes that no delegate took",
     set_modules},
    {"lines", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "source lines of nodes that no delegate took", set_lines},
    {"calls", ETI_COUNTS, true, "calls of events, after the warm-up", eti__set_group_calls},
    {"p50", ETI_TIMES, true, "median of the times per run", eti__set_group_p50},
    {"share_mean", ETI_SHARES, true, "share of the mean time", set_share_mean},
};

/* Makes a row; without an ETRecord, nodes are not known. */
static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    static const eti_group none = {0};
    const inventory *in = (const inventory *)part;
    const eti_rollup *rollup = &in->part.rollup;
    uint32_t i = in->order[number];
    op_row row = {
        .times = eti__group_row_of(rollup, i < rollup->n_groups ? &rollup->groups[i] : &none,
                                   &out->texts),
        .name = eti__op_type_name(&in->names, i),
        .in = in,
        .count = i >= FIRST_OP && in->graph.graph.n_nodes > 0 ? &in->ops[i - FIRST_OP] : NULL,
        .out = out,
    };
    row.times.method = part->method;
    return eti__columns_set(specs, n_specs, &row, out);
}

/* Sorts the rows; operators without events come last, in the order of the graph. */
static bool sort_rows(inventory *in) {
    size_t n = FIRST_OP + in->names.texts.count;
    in->order = malloc((n + in->part.rollup.n_groups) * sizeof *in->order);
    if (!in->order)
        return false;
    in->part.n_rows = eti__rollup_sort(&in->part.rollup, in->order);
    for (size_t i = FIRST_OP; i < n; i++) {
        if (i >= in->part.rollup.n_groups || in->part.rollup.groups[i].n_events == 0)
            in->order[in->part.n_rows++] = (uint32_t)i;
    }
    return true;
}

static eti_status check_text(const inventory *in, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < in->names.texts.count; i++)
        n_bytes += in->names.texts.texts[i].size;
    for (size_t i = 0; i < in->facts.count; i++)
        n_bytes += in->facts.items[i].text.size;
    return eti__view_check_text(in->inspector, n_bytes, err);
}

static void free_inventory(eti_method_part *part) {
    inventory *in = (inventory *)part;
    eti__lowered_graph_free(&in->graph);
    eti__places_free(&in->places);
    eti__shared_texts_free(&in->names);
    free(in->ops);
    eti__intern_free(&in->facts.table);
    eti__text_table_free(&in->shared_texts);
    eti__arena_free(&in->arena);
    free(in->order);
}

/* ---- the view -------------------------------------------------------------------------------- */

static eti_status take_inventory(eti_method_part *part, const eti_inspector *inspector,
                                 const eti_view_options *options, void *context, eti_error *err) {
    inventory *in = (inventory *)part;
    bool *has_nodes = context;
    in->inspector = inspector;
    if (!eti__places_init(&in->places))
        return eti_fail_memory(err);
    ETI_TRY(eti__lowered_graph_read(&in->graph, in->inspector, options, NULL, err));
    ETI_TRY(eti__rollup_make(&in->part.rollup, in->inspector, options, group_events, in, err));
    if (!count_nodes(in) || !sort_rows(in))
        return eti_fail_memory(err);
    *has_nodes |= in->graph.graph.n_nodes > 0;
    return check_text(in, err);
}

static eti_status add_notes(const eti_method_rows *rows, bool has_nodes,
                            const eti_inspector *inspector, eti_report *report, eti_error *err) {
    ETI_TRY(eti__view_note_runs(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_unsteady(report, &rows->counts, err));
    ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    if (!has_nodes)
        ETI_TRY(eti__report_note(report, err,
                                 "the operators of the model are known only with its ETRecord"));
    if (inspector->n_dumps == 0)
        return eti__report_note(report, err, "times are known only with an ETDump");
    ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_cycles(report, &rows->counts.cycles, err);
}

/* Checks the options that need a program, and the option that needs an ETDump. */
static eti_status check_options(const eti_inspector *inspector, const eti_view_options *options,
                                eti_error *err) {
    bool is_asked_of_programs = options->available || options->emits_ops;
    if (is_asked_of_programs && inspector->n_programs == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s: give the program (.pte)", eti__option_prefix(),
                        options->available ? "available" : "emit_ops");
    if (options->kernels && (is_asked_of_programs || inspector->n_dumps == 0))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%skernels: a program does not determine which kernels run: give an ETDump%s",
            eti__option_prefix(),
            is_asked_of_programs ? "; this option does not apply to programs" : "");
    return ETI_OK;
}

static eti_status add_inventory(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    static const eti_method_view view = {sizeof(inventory), take_inventory, free_inventory,
                                         make_row};
    const eti_method_rows *rows;
    eti_table *table;
    bool has_nodes = false;
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, columns, ETI_N_COLUMNS(columns), inspector,
                                  options, &has_nodes, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "ops", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    return add_notes(rows, has_nodes, inspector, report, err);
}

eti_status eti__view_ops(eti_report *report, const eti_inspector *inspector,
                         const eti_view_options *options, eti_error *err) {
    ETI_TRY(check_options(inspector, options, err));
    if (!options->kernels && (options->peak_flops > 0 || options->peak_bandwidth > 0))
        return eti_fail(err, ETI_ERROR_USAGE, "%s%s: only kernels have rates: add %skernels",
                        eti__option_prefix(),
                        options->peak_flops > 0 ? "peak_flops" : "peak_bandwidth",
                        eti__option_prefix());
    bool has_nodes = inspector->n_dumps > 0 ||
                     (inspector->n_programs == 1 && eti__shows_recorded_graph(inspector));
    if (inspector->n_programs > 0 && (!has_nodes || options->available || options->emits_ops))
        return add_program_ops(report, inspector, options, err);
    if (options->kernels)
        return add_op_kernels(report, inspector, options, err);
    return add_inventory(report, inspector, options, err);
}
