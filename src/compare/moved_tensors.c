#include "compare/moved_tensors.h"

#include "base/intern.h"
#include "base/sort.h"

#include <stdlib.h>

/* A tensor with the number of its identity. */
typedef struct known_tensor {
    uint32_t key;
    const eti_planned *planned;
} known_tensor;

typedef struct tensor_list {
    const eti_liveness *liveness;
    known_tensor *items;
    size_t n;
} tensor_list;

typedef struct tensor_row {
    eti_table *table;
    eti_text method;
    const tensor_list *lists[2];
    const eti_planned *sides[2]; /* base, new; NULL if the side lacks it */
} tensor_row;

enum { BASE, NEW };

/* ---- identities of tensors ------------------------------------------------------------------- */

/* Appends the tensor's name, or the operator that writes it. */
static void add_name(eti_buffer *out, const eti_liveness *liveness, const eti_planned *planned) {
    if (planned->tensor->name.size > 0)
        eti__buffer_add_text(out, planned->tensor->name);
    else if (planned->writer != ETI_NO_INSTRUCTION)
        eti__instruction_add_name(out, liveness->calls.plan,
                                  liveness->calls.items[planned->writer]);
}

static void add_key(eti_buffer *out, const eti_liveness *liveness, const eti_planned *planned) {
    eti__buffer_printf(out, "%d %d ", planned->role, planned->tensor->scalar_type);
    eti__tensor_add_shape(out, planned->tensor);
    add_name(out, liveness, planned);
}

static int compare_known(const void *a, const void *b, void *context) {
    const known_tensor *x = a, *y = b;
    (void)context;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->planned > y->planned) - (x->planned < y->planned); /* in the order of their values */
}

static bool list_tensors(tensor_list *out, eti_text_table *keys, eti_arena *arena,
                         const eti_liveness *liveness) {
    eti_buffer key = {0};
    *out = (tensor_list){.liveness = liveness};
    out->items = eti__arena_alloc(arena, liveness->n_tensors, sizeof *out->items);
    bool done = out->items != NULL;
    for (uint32_t i = 0; i < liveness->n_tensors && done; i++) {
        known_tensor *item = &out->items[out->n++];
        item->planned = &liveness->tensors[i];
        key.size = 0;
        add_key(&key, liveness, item->planned);
        done = !key.failed && eti__text_table_add(keys, eti__buffer_text(&key), arena, &item->key);
    }
    eti__buffer_free(&key);
    if (done)
        eti__sort(out->items, out->n, sizeof *out->items, compare_known, NULL);
    return done;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static const eti_planned *either(const tensor_row *row) {
    return row->sides[NEW] ? row->sides[NEW] : row->sides[BASE];
}

static bool take(const tensor_row *row, eti_buffer *text, eti_cell *cell) {
    bool done = !text->failed;
    if (done && text->size > 0) {
        cell->kind = ETI_CELL_TEXT;
        done = eti__table_own_text(row->table, eti__buffer_text(text), &cell->as_text);
    }
    eti__buffer_free(text);
    return done;
}

static bool set_tensor(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    eti_buffer text = {0};
    add_name(&text, row->lists[row->sides[NEW] ? NEW : BASE]->liveness, either(row));
    return take(row, &text, cell);
}

static bool set_shape(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    eti_buffer text = {0};
    eti__tensor_add_shape(&text, either(row)->tensor);
    return take(row, &text, cell);
}

static bool set_method(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->table, row->method, &cell->as_text);
}

static const char *verdict_of(const tensor_row *row) {
    if (!row->sides[BASE])
        return "new";
    return row->sides[NEW] ? "moved" : "gone";
}

#define SIDE_CELL(name, side, value)                                                               \
    ETI_CELL_SETTER_IF(tensor_row, name, row->sides[side], eti__count_cell(row->sides[side]->value))

ETI_CELL_SETTER(tensor_row, verdict, eti__string_cell(verdict_of(row)))
ETI_CELL_SETTER(tensor_row, role,
                eti__string_cell(eti__planned_role_name((eti_planned_role)either(row)->role)))
ETI_CELL_SETTER(tensor_row, dtype,
                eti__string_cell(eti__needed_dtype_name(either(row)->tensor->scalar_type)))
ETI_CELL_SETTER(tensor_row, bytes, eti__count_cell(eti__planned_bytes(either(row))))
SIDE_CELL(base_value, BASE, value)
SIDE_CELL(new_value, NEW, value)
SIDE_CELL(base_memory, BASE, tensor->memory_id)
SIDE_CELL(new_memory, NEW, tensor->memory_id)
SIDE_CELL(base_offset, BASE, tensor->memory_offset)
SIDE_CELL(new_offset, NEW, tensor->memory_offset)

#define NUMBERS ETI_TYPE_INT64, ETI_COLUMN_NUMBER

static const eti_column_spec columns[] = {
    {"verdict", ETI_TEXTS, false, "moved, new or gone", set_verdict},
    {"method", ETI_TEXTS, false, "method of the tensor", set_method},
    {"tensor", ETI_TEXTS, false, "name of the tensor, or the operator that writes it", set_tensor},
    {"role", ETI_TEXTS, false, "input, output, activation, state ...", set_role},
    {"dtype", ETI_TEXTS, false, "data type of the elements", set_dtype},
    {"shape", ETI_TEXTS, false, "sizes of the tensor", set_shape},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "size of the tensor", set_bytes},
    {"base_memory_id", NUMBERS, false, "arena on the base side", set_base_memory},
    {"base_offset", NUMBERS, false, "offset in that arena", set_base_offset},
    {"new_memory_id", NUMBERS, false, "arena on the new side", set_new_memory},
    {"new_offset", NUMBERS, false, "offset in that arena", set_new_offset},
    {"base_value", NUMBERS, true, "number among the values of the method", set_base_value},
    {"new_value", NUMBERS, true, "number among the values of the method, on the new side",
     set_new_value},
};

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_same_place(const eti_planned *a, const eti_planned *b) {
    return a->tensor->memory_id == b->tensor->memory_id &&
           a->tensor->memory_offset == b->tensor->memory_offset;
}

static eti_status add_pair(tensor_row *row, const eti_planned *base, const eti_planned *new_side,
                           eti_error *err) {
    if (base && new_side && is_same_place(base, new_side))
        return ETI_OK;
    row->sides[BASE] = base;
    row->sides[NEW] = new_side;
    return eti__columns_add_row(row->table, columns, ETI_N_COLUMNS(columns), row, err);
}

static eti_status add_rows(tensor_row *row, eti_error *err) {
    const tensor_list *base = row->lists[BASE], *new_side = row->lists[NEW];
    for (size_t i = 0, k = 0; i < base->n || k < new_side->n;) {
        uint32_t base_key = i < base->n ? base->items[i].key : UINT32_MAX;
        uint32_t new_key = k < new_side->n ? new_side->items[k].key : UINT32_MAX;
        const eti_planned *left = base_key <= new_key ? base->items[i++].planned : NULL;
        const eti_planned *right = new_key <= base_key ? new_side->items[k++].planned : NULL;
        ETI_TRY(add_pair(row, left, right, err));
    }
    return ETI_OK;
}

eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report, eti_error *err) {
    ETI_TRY(eti__columns_add_section(out, report, "tensors", "Planned tensors", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    return ETI_OK;
}

eti_status eti__moved_tensors_add(eti_table *table, eti_text method, const eti_planned_arenas *base,
                                  const eti_planned_arenas *new_side, eti_error *err) {
    tensor_list lists[2];
    eti_text_table keys = {0};
    eti_arena arena = {0};
    tensor_row row = {.table = table, .method = method, .lists = {&lists[BASE], &lists[NEW]}};
    bool done = list_tensors(&lists[BASE], &keys, &arena, base->liveness) &&
                list_tensors(&lists[NEW], &keys, &arena, new_side->liveness);
    eti_status status = done ? add_rows(&row, err) : eti_fail_memory(err);
    eti__text_table_free(&keys);
    eti__arena_free(&arena);
    return status;
}
