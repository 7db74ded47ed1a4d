#include "view/program_ops.h"

#include "program/program.h"
#include "view_events/view_events.h"

#include <inttypes.h>

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

typedef struct op_row {
    const program_ops *in;
    const eti_needed_operator *op;
    const eti_operator_call *call; /* of rows of calls */
} op_row;

static eti_text method_of(const program_ops *in, const eti_operator_call *call) {
    return in->inspector->programs[call->program].plans[call->plan].name;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool set_op(void *context, eti_cell *cell) {
    const op_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->in->table, row->op->name, &cell->as_text);
}

ETI_CELL_SETTER(op_row, calls, eti__count_cell(row->op->n_calls))

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
    const op_row *row = context;
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

static bool set_dtypes(void *context, eti_cell *cell) {
    const op_row *row = context;
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
    const op_row *row = context;
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
    const op_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->in->table, method_of(row->in, row->call), &cell->as_text);
}

static bool set_program(void *context, eti_cell *cell) {
    const op_row *row = context;
    cell->kind = row->in->names_programs ? ETI_CELL_TEXT : ETI_CELL_NONE;
    return eti__table_own_text(
        row->in->table, eti__text_of(row->in->inspector->programs[row->call->program].file->name),
        &cell->as_text);
}

ETI_CELL_SETTER(op_row, instruction, eti__count_cell(row->call->instruction))

static bool set_kernel_keys(void *context, eti_cell *cell) {
    const op_row *row = context;
    size_t n = row->op->n_kernel_keys;
    eti_text *items = eti__arena_alloc(&row->in->table->arena, n, sizeof *items);
    bool done = items != NULL;
    for (size_t i = 0; i < n && done; i++)
        done = eti__table_own_text(row->in->table, row->op->kernel_keys[i], &items[i]);
    *cell = eti__list_cell(ETI_CELL_TEXTS, items, n);
    return done;
}

static const eti_column_spec columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_op},
    {"calls", ETI_COUNTS, false, "instructions that call it", set_calls},
    {"dtypes", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "data types of its arguments",
     set_dtypes},
    {"instructions", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "numbers of the instructions, after the method if there are several", set_instructions},
    {"kernel_keys", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "data types and dimension orders that it is called with", set_kernel_keys},
};

/* Columns of a list for a build: a word for each operator, and one for its types. */
static const eti_column_spec list_columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_op},
    {"dtypes", ETI_TEXTS, false, "data types of its arguments, separated by commas",
     set_dtype_names},
    {"kernel_keys", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "data types and dimension orders that it is called with", set_kernel_keys},
};

/* Columns of missing operators, with a row for each call. */
static const eti_column_spec missing_columns[] = {
    {"op", ETI_TEXTS, false, "operator, as named by selective builds", set_op},
    {"method", ETI_TEXTS, false, "method that calls it", set_method},
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the instruction in the method", set_instruction},
    {"program", ETI_TEXTS, false, "file of the program", set_program},
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rejects names that instructions repeat so often that their text would not fit in memory. */
static eti_status check_text(const program_ops *in, eti_error *err) {
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
            op_row row = {in, op, &op->calls[k]};
            ETI_TRY(eti__columns_add_row(in->table, missing_columns, ETI_N_COLUMNS(missing_columns),
                                         &row, err));
        }
    }
    return ETI_OK;
}

static eti_status add_operators(program_ops *in, eti_report *report, eti_error *err) {
    bool is_list = in->options->emits_ops;
    const eti_column_spec *specs = is_list ? list_columns : columns;
    size_t n_specs = is_list ? ETI_N_COLUMNS(list_columns) : ETI_N_COLUMNS(columns);
    ETI_TRY(
        eti__columns_add_section(&in->table, report, "operators", NULL, specs, n_specs, NULL, err));
    report->sections[report->n_sections - 1].explains_itself = is_list;
    for (uint32_t i = 0; i < in->ops.n; i++) {
        op_row row = {.in = in, .op = &in->ops.items[i]};
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

static eti_status add_notes(const program_ops *in, eti_report *report, eti_error *err) {
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
    ETI_TRY(check_text(in, err));
    ETI_TRY(in->options->available ? add_missing(in, report, err) : add_operators(in, report, err));
    report->is_failed = in->n_missing > 0;
    return add_notes(in, report, err);
}

eti_status eti__view_program_ops(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    program_ops in = {.inspector = inspector, .options = options};
    eti_status status = make(&in, report, err);
    eti__arena_free(&in.arena);
    return status;
}
