#include "view_program/test_cases.h"

#include <inttypes.h>
#include <stdio.h>

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_COUNT

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

ETI_CELL_SETTER(value_row, method, eti__text_or_none(row->method))
ETI_CELL_SETTER(value_row, test_case, eti__count_cell(row->test_case))
ETI_CELL_SETTER(value_row, port, eti__text_cell(row->port))
ETI_CELL_SETTER(value_row, dtype, eti__string_cell(dtype_of(row)))
ETI_CELL_SETTER(value_row, shape, eti__text_or_none(row->shape))
ETI_CELL_SETTER_IF(value_row, bytes, is_sound_tensor(row),
                   eti__count_cell(eti__tensor_values_size(&row->value->tensor)))
ETI_CELL_SETTER(value_row, value, eti__text_or_none(row->number))
ETI_CELL_SETTER(value_row, fault, eti__text_or_none(row->fault))
ETI_CELL_SETTER_IF(value_row, dim_order, is_sound_tensor(row),
                   eti__list_cell(ETI_CELL_INTS, row->dim_order, row->value->tensor.n_dims))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the test case", set_method},
    {"test_case", ETI_COUNTS, false, "test case of the method, counting from 0", set_test_case},
    {"port", ETI_TEXTS, false, "input or expected output, counting from 0", set_port},
    {"dtype", ETI_TEXTS, false, "data type of its elements, or kind of the value", set_dtype},
    {"shape", ETI_TEXTS, false, "sizes of the value", set_shape},
    {"bytes", BYTES, false, "bytes of its elements", set_bytes},
    {"value", ETI_TEXTS, false, "value of a number", set_value},
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
    return done ? eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, err)
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

eti_status eti__test_cases_add(eti_report *report, const eti_inspector *inspector, eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    eti_arena arena = {0};
    eti_table *table;
    if (!pte->is_bundled)
        return ETI_OK;
    ETI_TRY(eti__columns_add_section(&table, report, "test_cases", "Test cases", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < pte->bundle.n_suites && status == ETI_OK; i++)
        status = add_suite(table, &arena, &pte->bundle, i, err);
    eti__arena_free(&arena);
    return status;
}
