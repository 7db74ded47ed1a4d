#include "view_program/program.h"

#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_program/memory.h"
#include "view_program/view_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== program sizes =========================================================================== */

static void drop_sizes(void *object) {
    eti_program_sizes *sizes = object;
    eti__arena_free(&sizes->arena);
    free(sizes);
}

const struct eti_file *eti__program_sizes_file(const eti_program_sizes *sizes, uint32_t file) {
    return file == 0 ? sizes->inspector->programs[0].file : &sizes->inspector->data_files[file - 1];
}

static eti_status fail_other_data(const eti_inspector *inspector, const eti_ptd *data,
                                  eti_error *err) {
    return eti_fail(err, ETI_ERROR_DATA,
                    "%s: the program %s requests none of its %" PRIu32
                    " names: give the data file of its export",
                    data->file->name, inspector->programs[0].file->name, data->n_entries);
}

eti_status eti__program_sizes_make(eti_program_sizes **out, eti_report *report,
                                   const eti_inspector *inspector, eti_error *err) {
    const eti_pte *pte = inspector->n_programs > 0 ? &inspector->programs[0] : NULL;
    if (!pte && inspector->n_data_files == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no program was given: name the .pte");
    eti_program_sizes *sizes = calloc(1, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(err);
    sizes->inspector = inspector;
    eti__report_keep(report, (eti_kept){sizes, drop_sizes});
    *out = sizes;
    eti_ptd *data = eti__arena_alloc(&sizes->arena, inspector->n_data_files, sizeof *data);
    if (!data)
        return eti_fail_memory(err);
    for (size_t i = 0; i < inspector->n_data_files; i++)
        ETI_TRY(eti__ptd_open(&data[i], &sizes->arena, &inspector->data_files[i], err));
    ETI_TRY(eti__sizes_make(&sizes->sizes, &sizes->arena, pte, data, inspector->n_data_files, err));
    for (size_t i = 0; i < inspector->n_data_files; i++) {
        if (sizes->sizes.is_other[i])
            return fail_other_data(inspector, &data[i], err);
    }
    return ETI_OK;
}

/* ---- by category ----------------------------------------------------------------------------- */

typedef struct category_row {
    const eti_sizes *sizes;
    eti_size_category category;
    uint64_t n_parts;
} category_row;

static uint64_t category_bytes(const category_row *row) {
    return row->sizes->by_category[row->category];
}

ETI_CELL_SETTER(category_row, category, eti__string_cell(eti__size_category_name(row->category)))
ETI_CELL_SETTER(category_row, size_bytes, eti__count_cell(category_bytes(row)))
ETI_CELL_SETTER_IF(category_row, share, row->sizes->file_size > 0,
                   eti__double_cell((double)category_bytes(row) / (double)row->sizes->file_size))
ETI_CELL_SETTER_IF(category_row, parts, row->n_parts > 0, eti__count_cell(row->n_parts))

static const eti_column_spec size_columns[] = {
    {"category", ETI_TEXTS, false, "category of the bytes", set_category},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_COUNT, false, "bytes of the files", set_size_bytes},
    {"share", ETI_SHARES, false, "share of all files", set_share},
    {"parts", ETI_COUNTS, false, "number of parts, such as constants", set_parts},
};

static uint64_t count_parts(const eti_sizes *sizes, eti_size_category category) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < sizes->n_rows; i++)
        n += sizes->rows[i].category == category && !sizes->rows[i].is_rest;
    return n;
}

static eti_status add_notes(eti_report *report, const eti_sizes *sizes, eti_error *err) {
    eti_buffer text = {0};
    if (sizes->duplicated > 0) {
        eti__buffer_add_string(&text, "duplicates: ");
        eti__add_bytes(&text, sizes->duplicated);
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    if (sizes->n_missing > 0) {
        text = (eti_buffer){0};
        eti__buffer_printf(&text, "external weights missing from the given files: %" PRIu32 ", ",
                           sizes->n_missing);
        eti__add_bytes(&text, sizes->missing);
        eti__buffer_printf(&text, " (%sdata FILE.ptd)", eti__option_prefix());
        ETI_TRY(eti__report_take_note(report, &text, err));
    }
    return ETI_OK;
}

eti_status eti__program_sizes_add_categories(eti_report *report, const eti_program_sizes *sizes,
                                             eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "categories", "What the file holds",
                                     size_columns, ETI_N_COLUMNS(size_columns), NULL, err));
    for (int i = 0; i < ETI_N_SIZE_CATEGORIES; i++) {
        category_row row = {&sizes->sizes, (eti_size_category)i, 0};
        row.n_parts = count_parts(&sizes->sizes, row.category);
        if (category_bytes(&row) > 0 || row.n_parts > 0)
            ETI_TRY(
                eti__columns_add_row(table, size_columns, ETI_N_COLUMNS(size_columns), &row, err));
    }
    return add_notes(report, &sizes->sizes, err);
}

/* ==== test cases ============================================================================== */
/* Lists the values in the test cases of a bundled program. */

#define CASE_BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

/* A value of a test case. */
typedef struct value_row {
    const eti_bundle_value *value;
    eti_text method, port, shape, number, fault;
    uint32_t test_case;
    const int64_t *dim_order;
} value_row;

static bool is_sound_tensor(const value_row *row) {
    return row->value->kind == ETI_BUNDLE_TENSOR && !row->value->fault;
}

static const char *dtype_of(const value_row *row) {
    static const char *const kinds[] = {"unknown", "tensor", "int", "bool", "double"};
    return is_sound_tensor(row) ? eti__element_type(row->value->tensor.scalar_type)->name
                                : kinds[row->value->kind];
}

ETI_CELL_SETTER(value_row, case_method, eti__text_or_none(row->method))
ETI_CELL_SETTER(value_row, test_case, eti__count_cell(row->test_case))
ETI_CELL_SETTER(value_row, case_port, eti__text_cell(row->port))
ETI_CELL_SETTER(value_row, case_dtype, eti__string_cell(dtype_of(row)))
ETI_CELL_SETTER(value_row, case_shape, eti__text_or_none(row->shape))
ETI_CELL_SETTER_IF(value_row, case_bytes, is_sound_tensor(row),
                   eti__count_cell(eti__tensor_values_size(&row->value->tensor)))
ETI_CELL_SETTER(value_row, case_value, eti__text_or_none(row->number))
ETI_CELL_SETTER(value_row, fault, eti__text_or_none(row->fault))
ETI_CELL_SETTER_IF(value_row, dim_order, is_sound_tensor(row),
                   eti__list_cell(ETI_CELL_INTS, row->dim_order, row->value->tensor.n_dims))

static const eti_column_spec case_columns[] = {
    {"method", ETI_TEXTS, false, "method of the test case", set_case_method},
    {"test_case", ETI_COUNTS, false, "test case of the method, counting from 0", set_test_case},
    {"port", ETI_TEXTS, false, "input or expected output, counting from 0", set_case_port},
    {"dtype", ETI_TEXTS, false, "data type of its elements, or kind of the value", set_case_dtype},
    {"shape", ETI_TEXTS, false, "sizes of the value", set_case_shape},
    {"bytes", CASE_BYTES, false, "bytes of its elements", set_case_bytes},
    {"value", ETI_TEXTS, false, "value of a number", set_case_value},
    {"fault", ETI_TEXTS, false, "reason why the value cannot be used", set_fault},
    {"dim_order", ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST, true, "dimensions from slowest to fastest",
     set_dim_order},
};

static void add_number(eti_buffer *out, const eti_bundle_value *value) {
    if (value->kind == ETI_BUNDLE_INT)
        eti__buffer_add_i64(out, value->as_int);
    else if (value->kind == ETI_BUNDLE_BOOL)
        eti__buffer_add_string(out, value->as_int ? "true" : "false");
    else if (value->kind == ETI_BUNDLE_DOUBLE)
        eti__buffer_printf(out, "%.17g", value->as_double);
}

/* Copies the dim_order into the table, from which cells borrow it. */
static bool own_dim_order(eti_table *table, value_row *row) {
    uint32_t n = row->value->tensor.n_dims;
    int64_t *copy = eti__arena_alloc(&table->arena, n, sizeof *copy);
    for (uint32_t i = 0; i < n && copy; i++)
        copy[i] = row->value->dim_order[i];
    row->dim_order = copy;
    return copy != NULL;
}

static eti_status add_value(eti_table *table, value_row row, eti_error *err) {
    eti_buffer shape = {0}, number = {0};
    bool done = true;
    if (is_sound_tensor(&row)) {
        eti__buffer_add_sizes(&shape, row.value->tensor.sizes, row.value->tensor.n_dims);
        done = own_dim_order(table, &row);
    }
    add_number(&number, row.value);
    if (row.value->fault)
        row.fault = eti__text_of(row.value->fault);
    done = done && !shape.failed && !number.failed &&
           (!shape.data || eti__table_own_text(table, eti__buffer_text(&shape), &row.shape)) &&
           (!number.data || eti__table_own_text(table, eti__buffer_text(&number), &row.number));
    eti__buffer_free(&shape);
    eti__buffer_free(&number);
    return done ? eti__columns_add_row(table, case_columns, ETI_N_COLUMNS(case_columns), &row, err)
                : eti_fail_memory(err);
}

static eti_status add_values(eti_table *table, value_row row, const char *kind,
                             const eti_bundle_value *values, uint32_t n, eti_error *err) {
    for (uint32_t i = 0; i < n; i++) {
        char port[32];
        (void)snprintf(port, sizeof port, "%s %" PRIu32, kind, i);
        row.value = &values[i];
        if (!eti__table_own_text(table, eti__text_of(port), &row.port))
            return eti_fail_memory(err);
        ETI_TRY(add_value(table, row, err));
    }
    return ETI_OK;
}

static eti_status add_suite(eti_table *table, eti_arena *arena, const eti_bundle *bundle,
                            uint32_t number, eti_error *err) {
    const eti_bundle_case *cases;
    value_row row = {.test_case = 0};
    ETI_TRY(eti__bundle_read_suite(&cases, arena, bundle, number, err));
    if (!eti__table_own_text(table, bundle->suites[number].method, &row.method))
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < bundle->suites[number].n_cases; i++) {
        row.test_case = i;
        ETI_TRY(add_values(table, row, "input", cases[i].inputs, cases[i].n_inputs, err));
        ETI_TRY(add_values(table, row, "output", cases[i].expected, cases[i].n_expected, err));
    }
    return ETI_OK;
}

/* Adds the table "test_cases" for a bundled program, a row for each value; nothing for other programs. */
static eti_status add_test_cases(eti_report *report, const eti_inspector *inspector,
                                 eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    eti_arena arena = {0};
    eti_table *table;
    if (!pte->is_bundled)
        return ETI_OK;
    ETI_TRY(eti__columns_add_section(&table, report, "test_cases", "Test cases", case_columns,
                                     ETI_N_COLUMNS(case_columns), NULL, err));
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < pte->bundle.n_suites && status == ETI_OK; i++)
        status = add_suite(table, &arena, &pte->bundle, i, err);
    eti__arena_free(&arena);
    return status;
}

/* ==== instructions ============================================================================ */

/* Source of the rows. */
typedef struct instruction_table {
    eti_instruction_times times;
    eti_time_scale scale; /* of times */
} instruction_table;

typedef struct instruction_row {
    eti_group_row times;
    const instruction_table *in;
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

/* Returns the bytes per second of typical time: an instruction in a loop moves its bytes in each
 * iteration. An upper bound of the bytes tells nothing about the speed. */
static double bandwidth(const instruction_row *row) {
    double total = eti__rollup_time(row->times.rollup, row->times.group->time.weight) / 2;
    if (row->in->scale == ETI_SCALE_CYCLES || !(total > 0) || row->traffic.is_bound)
        return (double)NAN;
    double seconds = eti__time_convert(total, row->in->scale, ETI_SCALE_S);
    return bytes_moved(row) * (double)calls_of(row) / seconds;
}

ETI_CELL_SETTER_IF(instruction_row, instruction_method, row->method,
                   eti__text_or_none(row->method->plan->name))
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

#define SIZE_IN_BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

static const eti_column_spec instruction_columns[] = {
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the instruction in the method", set_instruction},
    {"call", ETI_TEXTS, false, "operator, backend, or kind of instruction", set_call},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    {"read_bytes", SIZE_IN_BYTES, false, "bytes of tensors that a call reads", set_read},
    {"written_bytes", SIZE_IN_BYTES, false, "bytes of tensors that a call writes", set_written},
    {"is_bound", ETI_MARKS, false, "true if these bytes are upper bounds", set_is_bound},
    {"bytes_per_s", ETI_TYPE_FLOAT64, ETI_COLUMN_BYTES, false,
     "bytes read and written per second of typical time", set_bandwidth},
    {"in_use_bytes", SIZE_IN_BYTES, false, "bytes of all arenas in use while it runs", set_in_use},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
    {"method", ETI_TEXTS, false, "method of the instruction", set_instruction_method},
    {"calls", ETI_COUNTS, true, "calls in all runs after the warm-up", set_calls},
    {"avg", ETI_TIMES, true, "mean time per run", eti__set_group_avg},
    {"min", ETI_TIMES, true, "shortest time in a run", eti__set_group_min},
    {"max", ETI_TIMES, true, "longest time in a run", eti__set_group_max},
    {"p50", ETI_TIMES, true, "median of the times per run", eti__set_group_p50},
    ETI_GROUP_MEAN_COLUMN,
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    static const eti_group none = {0};
    const instruction_table *in = context;
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
    return eti__columns_set(instruction_columns, ETI_N_COLUMNS(instruction_columns), &row, out);
}

/* ---- the section ----------------------------------------------------------------------------- */

static void free_instructions(void *context) {
    instruction_table *in = context;
    eti__instruction_times_free(&in->times);
    free(in);
}

/* Rejects names that instructions repeat so often that their text would not fit in memory. */
static eti_status check_text(const instruction_table *in, const eti_inspector *inspector,
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
    return eti__report_note(
        report, err,
        "\342\200\240 upper bounds of bytes, without bytes_per_s, because shapes or "
        "the used part of a tensor depend on the input (%zu instruction%s)",
        n, n == 1 ? "" : "s");
}

eti_status eti__view_add_instructions(eti_report *report, const eti_inspector *inspector,
                                      const eti_view_options *options, eti_error *err) {
    instruction_table *in = calloc(1, sizeof *in);
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
    ETI_TRY(eti__columns_make_rows(&table, instruction_columns, ETI_N_COLUMNS(instruction_columns),
                                   in->times.n_rows, source, eti__view_unit(inspector, options),
                                   err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "instructions", "Instructions", table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    ETI_TRY(note_bounds(report, &in->times, err));
    return eti__view_note_runs(report, inspector, &in->times.rollup.runs, err);
}

/* ==== program ================================================================================= */

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

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
    ETI_TRY(eti__note_scratches(report, v.memory, "etinspect memory", err));
    ETI_TRY(add_all_ports(&v));
    ETI_TRY(add_test_cases(report, inspector, err));
    ETI_TRY(eti__program_sizes_add_categories(report, v.sizes, err));
    return inspector->n_dumps > 0 ? eti__view_add_instructions(report, inspector, options, err)
                                  : ETI_OK;
}
