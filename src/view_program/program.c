#include "view_program/program.h"

#include "view_program/instructions.h"
#include "view_program/planned_memory.h"
#include "view_program/program_sizes.h"
#include "view_program/test_cases.h"

#include <stdio.h>
#include <string.h>

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_COUNT

typedef struct program_view {
    eti_report *report;
    const eti_inspector *inspector;
    eti_planned_memory *memory;
    eti_program_sizes *sizes;
    eti_error *err;
} program_view;

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct file_row {
    eti_text name;
    const char *kind;
    uint64_t bytes;
    eti_text version;
    uint64_t n_segments;
} file_row;

ETI_CELL_SETTER(file_row, file, eti__text_cell(row->name))
ETI_CELL_SETTER(file_row, kind, eti__string_cell(row->kind))
ETI_CELL_SETTER(file_row, file_bytes, eti__count_cell(row->bytes))
ETI_CELL_SETTER(file_row, version, eti__text_or_none(row->version))
ETI_CELL_SETTER_IF(file_row, segments, row->version.data, eti__count_cell(row->n_segments))

static const eti_column_spec file_columns[] = {
    {"file", ETI_TEXTS, false, "name of the file", set_file},
    {"kind", ETI_TEXTS, false, "kind: program, bundled program or data", set_kind},
    {"bytes", BYTES, false, "size of the file", set_file_bytes},
    {"version", ETI_TEXTS, false, "identifier of the program", set_version},
    {"segments", ETI_COUNTS, true, "segments after the metadata of the program", set_segments},
};

static eti_status add_file(const program_view *v, eti_table *table, const struct eti_file *file,
                           file_row row) {
    row.bytes = file->size;
    if (!eti__table_own_text(table, eti__text_of(file->name), &row.name))
        return eti_fail_memory(v->err);
    return eti__columns_add_row(table, file_columns, ETI_N_COLUMNS(file_columns), &row, v->err);
}

static eti_status add_files(const program_view *v) {
    const eti_pte *pte = &v->inspector->programs[0];
    eti_table *table;
    file_row program = {.kind = pte->is_bundled ? "bundled program" : "program",
                        .n_segments = pte->n_segments};
    ETI_TRY(eti__columns_add_section(&table, v->report, "files", "Files", file_columns,
                                     ETI_N_COLUMNS(file_columns), NULL, v->err));
    if (!eti__table_own_text(table, eti__text_of(pte->identifier), &program.version))
        return eti_fail_memory(v->err);
    ETI_TRY(add_file(v, table, pte->file, program));
    for (size_t i = 0; i < v->inspector->n_data_files; i++)
        ETI_TRY(add_file(v, table, &v->inspector->data_files[i], (file_row){.kind = "data"}));
    return ETI_OK;
}

/* ---- methods --------------------------------------------------------------------------------- */

typedef struct method_row {
    const eti_planned_memory *memory;
    uint32_t number;
    const eti_planned_method *method;
    uint64_t n_kernels, n_delegate_calls;
    const eti_text *backends; /* each backend once */
    uint32_t n_backends;
} method_row;

/* Returns the arena with the largest peak; NULL: no arena is used. */
static const eti_planned_arena *largest_arena(const method_row *row) {
    const eti_planned_arenas *arenas = &row->method->arenas;
    const eti_planned_arena *largest = NULL;
    for (uint32_t i = 0; i < arenas->n_arenas; i++) {
        if (arenas->arenas[i].peak > (largest ? largest->peak : 0))
            largest = &arenas->arenas[i];
    }
    return row->method->liveness.calls.n > 0 ? largest : NULL;
}

ETI_CELL_SETTER(method_row, method, eti__text_cell(row->memory->names[row->number].method))
ETI_CELL_SETTER(method_row, inputs, eti__count_cell(row->method->plan->inputs.n))
ETI_CELL_SETTER(method_row, outputs, eti__count_cell(row->method->plan->outputs.n))
ETI_CELL_SETTER(method_row, instructions, eti__count_cell(row->method->liveness.calls.n))
ETI_CELL_SETTER(method_row, kernels, eti__count_cell(row->n_kernels))
ETI_CELL_SETTER(method_row, delegate_calls, eti__count_cell(row->n_delegate_calls))
ETI_CELL_SETTER(method_row, delegates, eti__count_cell(row->method->plan->n_delegates))
ETI_CELL_SETTER_IF(method_row, backends, row->n_backends > 0,
                   eti__list_cell(ETI_CELL_TEXTS, row->backends, row->n_backends))
ETI_CELL_SETTER(method_row, operators, eti__count_cell(row->method->plan->n_operators))
ETI_CELL_SETTER(method_row, arenas, eti__count_cell(row->method->arenas.n_arenas))
ETI_CELL_SETTER(method_row, planned, eti__count_cell(row->method->arenas.total_size))
ETI_CELL_SETTER(method_row, peak, eti__count_cell(row->method->arenas.total_peak))
ETI_CELL_SETTER_IF(method_row, used, row->method->arenas.total_size > 0,
                   eti__double_cell((double)row->method->arenas.total_peak /
                                    (double)row->method->arenas.total_size))
ETI_CELL_SETTER_IF(method_row, at, largest_arena(row), eti__count_cell(largest_arena(row)->peak_at))
ETI_CELL_SETTER_IF(method_row, operator, largest_arena(row),
                   eti__text_cell(eti__planned_call_name(row->memory, row->number,
                                                         largest_arena(row)->peak_at)))

static const eti_column_spec method_columns[] = {
    {"method", ETI_TEXTS, false, "name of the method", set_method},
    {"instructions", ETI_COUNTS, false, "instructions of all its chains", set_instructions},
    {"kernels", ETI_COUNTS, false, "instructions that call a kernel", set_kernels},
    {"delegate_calls", ETI_COUNTS, false, "instructions that call a delegate", set_delegate_calls},
    {"backends", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "backends of its delegates",
     set_backends},
    {"planned", BYTES, false, "size of its arenas", set_planned},
    {"peak", BYTES, false, "most bytes in use, summed over its arenas", set_peak},
    {"used", ETI_SHARES, false, "share of the arenas in use at the peak", set_used},
    {"at", ETI_COUNTS, false, "instruction of the peak of the largest arena", set_at},
    {"operator", ETI_TEXTS, false, "operator or delegate that this instruction calls",
     set_operator},
    {"arenas", ETI_COUNTS, true, "number of arenas that it plans", set_arenas},
    {"inputs", ETI_COUNTS, true, "values that it takes", set_inputs},
    {"outputs", ETI_COUNTS, true, "values that it returns", set_outputs},
    {"operators", ETI_COUNTS, true, "number of distinct kernels", set_operators},
    {"delegates", ETI_COUNTS, true, "number of delegates", set_delegates},
};

static void count_calls(method_row *row) {
    const eti_calls *calls = &row->method->liveness.calls;
    for (uint32_t k = 0; k < calls->n; k++) {
        row->n_kernels += calls->items[k]->kind == ETI_PTE_KERNEL_CALL;
        row->n_delegate_calls += calls->items[k]->kind == ETI_PTE_DELEGATE_CALL;
    }
}

/* Lists the ids of the delegates in order of first appearance. */
static bool list_backends(method_row *row, eti_arena *arena) {
    eti_text_table ids = {0};
    uint32_t number, n = row->method->plan->n_delegates;
    bool done = true;
    eti_text *backends = eti__arena_alloc(arena, n, sizeof *backends);
    for (uint32_t i = 0; i < n && done && backends; i++)
        done =
            eti__text_table_add(&ids, row->memory->names[row->number].delegates[i], NULL, &number);
    if (backends && ids.count > 0)
        memcpy(backends, ids.texts, ids.count * sizeof *backends);
    row->backends = backends;
    row->n_backends = (uint32_t)ids.count;
    eti__text_table_free(&ids);
    return done && backends;
}

static eti_status add_methods(const program_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, v->report, "methods", "Methods", method_columns,
                                     ETI_N_COLUMNS(method_columns), NULL, v->err));
    v->report->sections[v->report->n_sections - 1].hides_empty = true;
    for (uint32_t i = 0; i < methods->n; i++) {
        method_row row = {.memory = v->memory, .number = i, .method = &methods->methods[i]};
        count_calls(&row);
        if (!list_backends(&row, &v->memory->arena))
            return eti_fail_memory(v->err);
        ETI_TRY(eti__columns_add_row(table, method_columns, ETI_N_COLUMNS(method_columns), &row,
                                     v->err));
    }
    return ETI_OK;
}

/* ---- inputs and outputs ------------------------------------------------------------------------ */

typedef struct port_row {
    const eti_planned_memory *memory;
    uint32_t method;
    eti_text port; /* "input 0" */
    uint32_t number;
    int32_t value;
    const eti_pte_tensor *tensor; /* NULL: another kind of value */
    eti_text shape;
} port_row;

static const char *type_of(const port_row *row) {
    const eti_pte_plan *plan = row->memory->methods.methods[row->method].plan;
    if (row->tensor)
        return eti__needed_dtype_name(row->tensor->scalar_type);
    return eti__value_kind_name(plan->values[row->value].kind);
}

ETI_CELL_SETTER(port_row, port_method, eti__text_cell(row->memory->names[row->method].method))
ETI_CELL_SETTER(port_row, port, eti__text_cell(row->port))
ETI_CELL_SETTER(port_row, value, eti__count_cell((uint64_t)row->value))
ETI_CELL_SETTER(port_row, dtype, eti__string_cell(type_of(row)))
ETI_CELL_SETTER(port_row, shape, eti__text_or_none(row->shape))
ETI_CELL_SETTER_IF(port_row, port_bytes,
                   row->tensor && row->tensor->n_bytes != ETI_PTE_UNKNOWN_SIZE,
                   eti__count_cell(row->tensor->n_bytes))
ETI_CELL_SETTER_IF(port_row, is_planned, row->tensor, eti__bool_cell(row->tensor->is_planned))

static const eti_column_spec port_columns[] = {
    {"method", ETI_TEXTS, false, "method of the value", set_port_method},
    {"port", ETI_TEXTS, false, "input or output, counting from 0", set_port},
    {"dtype", ETI_TEXTS, false, "data type of its elements, or kind of the value", set_dtype},
    {"shape", ETI_TEXTS, false, "sizes; <= marks upper bounds", set_shape},
    {"bytes", BYTES, false, "size of the tensor", set_port_bytes},
    {"is_planned", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "true if it is planned in an arena; otherwise the caller provides its memory", set_is_planned},
    {"value", ETI_COUNTS, true, "number among the values of the method", set_value},
};

static eti_status add_ports(const program_view *v, eti_table *table, uint32_t method,
                            const char *kind, const eti_pte_indices *values) {
    const eti_pte_plan *plan = v->memory->methods.methods[method].plan;
    for (uint32_t i = 0; i < values->n; i++) {
        port_row row = {.memory = v->memory, .method = method, .value = values->items[i]};
        char port[24];
        eti_buffer shape = {0};
        row.tensor = eti__pte_tensor_at(plan, row.value);
        snprintf(port, sizeof port, "%s %u", kind, (unsigned)i);
        if (row.tensor)
            eti__tensor_add_bounds(&shape, row.tensor);
        bool done = !shape.failed && eti__table_own_text(table, eti__text_of(port), &row.port) &&
                    eti__table_own_text(table, eti__buffer_text(&shape), &row.shape);
        eti__buffer_free(&shape);
        if (!done)
            return eti_fail_memory(v->err);
        ETI_TRY(
            eti__columns_add_row(table, port_columns, ETI_N_COLUMNS(port_columns), &row, v->err));
    }
    return ETI_OK;
}

static eti_status add_all_ports(const program_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, v->report, "ports", "Inputs and outputs", port_columns,
                                     ETI_N_COLUMNS(port_columns), NULL, v->err));
    for (uint32_t i = 0; i < methods->n; i++) {
        const eti_pte_plan *plan = methods->methods[i].plan;
        ETI_TRY(add_ports(v, table, i, "input", &plan->inputs));
        ETI_TRY(add_ports(v, table, i, "output", &plan->outputs));
    }
    return ETI_OK;
}

/* ---- all --------------------------------------------------------------------------------------- */

eti_status eti__view_program(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) {
    program_view v = {.report = report, .inspector = inspector, .err = err};
    ETI_TRY(eti__planned_memory_make(&v.memory, report, inspector, err));
    ETI_TRY(eti__program_sizes_make(&v.sizes, report, inspector, err));
    ETI_TRY(add_files(&v));
    ETI_TRY(add_methods(&v));
    ETI_TRY(add_all_ports(&v));
    ETI_TRY(eti__test_cases_add(report, inspector, err));
    ETI_TRY(eti__program_sizes_add_categories(report, v.sizes, err));
    return inspector->n_dumps > 0 ? eti__view_add_instructions(report, inspector, options, err)
                                  : ETI_OK;
}
