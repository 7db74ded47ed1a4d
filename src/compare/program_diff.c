#include "compare/parts.h"

#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ==== moved tensors =========================================================================== */

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

/* Sets a cell to a copy of a text, which may be absent. */
static bool own(eti_table *table, eti_text text, eti_cell *cell) {
    cell->kind = text.data ? ETI_CELL_TEXT : ETI_CELL_NONE;
    return eti__table_own_text(table, text, &cell->as_text);
}

static bool set_moved_method(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    return own(row->table, row->method, cell);
}

static const char *verdict_moved_of(const tensor_row *row) {
    if (!row->sides[BASE])
        return "new";
    return row->sides[NEW] ? "moved" : "gone";
}

#define SIDE_CELL(name, side, value)                                                               \
    ETI_CELL_SETTER_IF(tensor_row, name, row->sides[side], eti__count_cell(row->sides[side]->value))

ETI_CELL_SETTER(tensor_row, moved_verdict, eti__string_cell(verdict_moved_of(row)))
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
    {"verdict", ETI_TEXTS, false, "moved, new or gone", set_moved_verdict},
    {"method", ETI_TEXTS, false, "method of the tensor", set_moved_method},
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
    return a && b && a->tensor->memory_id == b->tensor->memory_id &&
           a->tensor->memory_offset == b->tensor->memory_offset;
}

static eti_status add_rows(tensor_row *row, eti_error *err) {
    const tensor_list *base = row->lists[BASE], *new_side = row->lists[NEW];
    for (size_t i = 0, k = 0; i < base->n || k < new_side->n;) {
        uint32_t base_key = i < base->n ? base->items[i].key : UINT32_MAX;
        uint32_t new_key = k < new_side->n ? new_side->items[k].key : UINT32_MAX;
        row->sides[BASE] = base_key <= new_key ? base->items[i++].planned : NULL;
        row->sides[NEW] = new_key <= base_key ? new_side->items[k++].planned : NULL;
        if (!is_same_place(row->sides[BASE], row->sides[NEW]))
            ETI_TRY(eti__columns_add_row(row->table, columns, ETI_N_COLUMNS(columns), row, err));
    }
    return ETI_OK;
}

eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report, eti_error *err) {
    ETI_TRY(eti__columns_add_section(out, report, "tensors", "Planned tensors", columns,
                                     ETI_N_COLUMNS(columns), NULL, err));
    eti__table_mark_findings(*out, "verdict");
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

/* ==== program diff ============================================================================ */

/* One of the two programs. */
typedef struct compared_program {
    const eti_pte *pte;
    eti_sizes sizes;
    eti_needed_operators operators;
} compared_program;

typedef struct comparison {
    compared_program sides[2]; /* base, new */
    eti_arena arena;
    eti_report *report;
    bool lists_all;
} comparison;

/* ---- numbers on both sides ------------------------------------------------------------------- */

/* A number on both sides; 0 on a side that lacks it. */
typedef struct number_row {
    eti_table *table;
    eti_text name, method;
    const char *kind;
    uint64_t base, new_side;
} number_row;

static bool set_name(void *context, eti_cell *cell) {
    const number_row *row = context;
    return own(row->table, row->name, cell);
}

static bool set_method(void *context, eti_cell *cell) {
    const number_row *row = context;
    return own(row->table, row->method, cell);
}

static double change_of(const number_row *row) {
    return row->base > 0 ? (double)(int64_t)(row->new_side - row->base) / (double)row->base
                         : (double)NAN;
}

static const char *verdict_of(const number_row *row) {
    if (row->base == row->new_side)
        return "same";
    if (row->base == 0)
        return "new";
    if (row->new_side == 0)
        return "gone";
    return row->base < row->new_side ? "more" : "fewer";
}

ETI_CELL_SETTER(number_row, kind, eti__string_cell(row->kind))
ETI_CELL_SETTER(number_row, base, eti__count_cell(row->base))
ETI_CELL_SETTER(number_row, new_side, eti__count_cell(row->new_side))
ETI_CELL_SETTER(number_row, delta, eti__int_cell((int64_t)(row->new_side - row->base)))
ETI_CELL_SETTER(number_row, change, eti__number_or_none(change_of(row)))
ETI_CELL_SETTER(number_row, verdict, eti__string_cell(verdict_of(row)))

#define ETI_BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

static const eti_column_spec size_columns[] = {
    {"kind", ETI_TEXTS, false, "file, category of bytes, arena, or peak of an arena", set_kind},
    {"name", ETI_TEXTS, false, "category, or number of the arena", set_name},
    {"method", ETI_TEXTS, false, "method of the arena", set_method},
    {"base_bytes", ETI_BYTES, false, "bytes on the base side", set_base},
    {"new_bytes", ETI_BYTES, false, "bytes on the new side", set_new_side},
    {"more_bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, false, "new - base", set_delta},
    {"change", ETI_CHANGES, false, "new / base - 1", set_change},
};

static const eti_column_spec call_columns[] = {
    {"verdict", ETI_TEXTS, false, "new, gone, more, fewer or same", set_verdict},
    {"kind", ETI_TEXTS, false, "operator or delegate", set_kind},
    {"name", ETI_TEXTS, false, "name of the operator or the backend", set_name},
    {"base_calls", ETI_COUNTS, false, "instructions that call it, on the base side", set_base},
    {"new_calls", ETI_COUNTS, false, "instructions that call it, on the new side", set_new_side},
};

/* ---- sizes ----------------------------------------------------------------------------------- */

static eti_status add_size(eti_table *table, number_row row, eti_error *err) {
    row.table = table;
    if (row.base + row.new_side == 0)
        return ETI_OK;
    return eti__columns_add_row(table, size_columns, ETI_N_COLUMNS(size_columns), &row, err);
}

static eti_status add_categories(const comparison *c, eti_table *table, eti_error *err) {
    const compared_program *base = &c->sides[BASE], *new_side = &c->sides[NEW];
    number_row file = {.kind = "file",
                       .name = eti__text_of("all"),
                       .base = base->sizes.file_size,
                       .new_side = new_side->sizes.file_size};
    ETI_TRY(add_size(table, file, err));
    for (int i = 0; i < ETI_N_SIZE_CATEGORIES; i++) {
        number_row row = {.kind = "category",
                          .name = eti__text_of(eti__size_category_name((eti_size_category)i)),
                          .base = base->sizes.by_category[i],
                          .new_side = new_side->sizes.by_category[i]};
        ETI_TRY(add_size(table, row, err));
    }
    return ETI_OK;
}

static const eti_planned_arena *find_arena(const eti_planned_arenas *arenas, uint32_t memory_id) {
    for (uint32_t i = 0; arenas && i < arenas->n_arenas; i++) {
        if (arenas->arenas[i].memory_id == memory_id)
            return &arenas->arenas[i];
    }
    return NULL;
}

static eti_status add_arena(eti_table *table, eti_text method, uint32_t memory_id,
                            const eti_planned_arena *base, const eti_planned_arena *new_side,
                            eti_error *err) {
    char number[16];
    snprintf(number, sizeof number, "%u", memory_id);
    number_row row = {.kind = "arena", .name = eti__text_of(number), .method = method};
    row.base = base ? base->size : 0;
    row.new_side = new_side ? new_side->size : 0;
    ETI_TRY(add_size(table, row, err));
    row.kind = "peak";
    row.base = base ? base->peak : 0;
    row.new_side = new_side ? new_side->peak : 0;
    return add_size(table, row, err);
}

/* Adds the arenas; arenas of the new side only come after those of the base. */
static eti_status add_arenas(eti_table *table, eti_text method, const eti_planned_arenas *base,
                             const eti_planned_arenas *new_side, eti_error *err) {
    for (uint32_t i = 0; base && i < base->n_arenas; i++) {
        uint32_t id = base->arenas[i].memory_id;
        ETI_TRY(add_arena(table, method, id, &base->arenas[i], find_arena(new_side, id), err));
    }
    for (uint32_t i = 0; new_side && i < new_side->n_arenas; i++) {
        uint32_t id = new_side->arenas[i].memory_id;
        if (!find_arena(base, id))
            ETI_TRY(add_arena(table, method, id, NULL, &new_side->arenas[i], err));
    }
    return ETI_OK;
}

/* ---- operators and delegates ----------------------------------------------------------------- */

/* An operator or delegate, with its number of calls on each side. */
typedef struct called {
    eti_text name;
    uint64_t calls[2];
} called;

typedef ETI_INTERN_OF(called) called_table;

static bool count_calls(called_table *table, eti_text name, size_t side, uint64_t n) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(called);
    uint32_t number;
    if (!eti__intern_add(&table->table, &kind, &(called){.name = name}, &number))
        return false;
    table->items[number].calls[side] += n;
    return true;
}

static bool count_operators(const comparison *c, called_table *table) {
    for (size_t s = 0; s < 2; s++) {
        const eti_needed_operators *ops = &c->sides[s].operators;
        for (uint32_t i = 0; i < ops->n; i++) {
            if (ops->items[i].n_calls > 0 &&
                !count_calls(table, ops->items[i].name, s, ops->items[i].n_calls))
                return false;
        }
    }
    return true;
}

static bool count_plan_delegates(called_table *table, const eti_pte_plan *plan, size_t side) {
    for (uint32_t c = 0; c < plan->n_chains; c++) {
        for (uint32_t i = 0; i < plan->chains[c].n_instructions; i++) {
            const eti_pte_instruction *instruction = &plan->chains[c].instructions[i];
            if (instruction->kind == ETI_PTE_DELEGATE_CALL &&
                !count_calls(table, plan->delegates[instruction->index].id, side, 1))
                return false;
        }
    }
    return true;
}

static bool count_delegates(const comparison *c, called_table *table) {
    for (size_t s = 0; s < 2; s++) {
        const eti_pte *pte = c->sides[s].pte;
        for (uint32_t i = 0; i < pte->n_plans; i++) {
            if (!count_plan_delegates(table, &pte->plans[i], s))
                return false;
        }
    }
    return true;
}

/* Adds the operators with different numbers of calling instructions, then the others. */
static eti_status add_called(eti_table *table, const called_table *all, const char *kind,
                             bool is_same, eti_error *err) {
    for (size_t i = 0; i < all->count; i++) {
        const uint64_t *calls = all->items[i].calls;
        number_row row = {table, all->items[i].name, {NULL, 0}, kind, calls[BASE], calls[NEW]};
        if ((calls[BASE] == calls[NEW]) == is_same)
            ETI_TRY(
                eti__columns_add_row(table, call_columns, ETI_N_COLUMNS(call_columns), &row, err));
    }
    return ETI_OK;
}

static eti_status add_calls(comparison *c, eti_error *err) {
    called_table operators = {.count = 0}, delegates = {.count = 0};
    eti_table *table;
    eti_status status = eti__columns_add_section(&table, c->report, "calls", "Calls", call_columns,
                                                 ETI_N_COLUMNS(call_columns), NULL, err);
    if (status == ETI_OK && !(count_operators(c, &operators) && count_delegates(c, &delegates)))
        status = eti_fail_memory(err);
    if (status == ETI_OK)
        eti__table_mark_findings(table, "verdict");
    size_t n_changed = 0;
    for (int is_same = 0; is_same < 2 && status == ETI_OK; is_same++) {
        status = add_called(table, &delegates, "delegate", is_same, err);
        if (status == ETI_OK)
            status = add_called(table, &operators, "operator", is_same, err);
        if (!is_same && status == ETI_OK)
            n_changed = table->n_rows;
    }
    if (status == ETI_OK && !c->lists_all)
        c->report->sections[c->report->n_sections - 1].n_kept_back = table->n_rows - n_changed;
    eti__intern_free(&operators.table);
    eti__intern_free(&delegates.table);
    return status;
}

/* ---- methods --------------------------------------------------------------------------------- */

static eti_status plan_memory(eti_planned_arenas *out, eti_arena *arena, const eti_pte_plan *plan,
                              eti_error *err) {
    eti_liveness *liveness = eti__arena_alloc(arena, 1, sizeof *liveness);
    if (!liveness)
        return eti_fail_memory(err);
    ETI_TRY(eti__liveness_make(liveness, arena, plan, NULL, err));
    return eti__arenas_make(out, arena, liveness, err);
}

/* Memory of a method on both sides; NULL if the side has no such method. */
typedef struct method_pair {
    eti_text name;
    const eti_planned_arenas *arenas[2];
} method_pair;

typedef struct method_pairs {
    method_pair *items;
    size_t n, capacity;
} method_pairs;

static method_pair *find_pair(method_pairs *pairs, eti_text name) {
    for (size_t i = 0; i < pairs->n; i++) {
        if (eti__text_equal(pairs->items[i].name, name))
            return &pairs->items[i];
    }
    return NULL;
}

static eti_status add_method(comparison *c, method_pairs *pairs, size_t side,
                             const eti_pte_plan *plan, eti_error *err) {
    method_pair *pair = find_pair(pairs, plan->name);
    eti_planned_arenas *arenas = eti__arena_alloc(&c->arena, 1, sizeof *arenas);
    if (!arenas || (!pair && !ETI_GROW(pairs->items, pairs->capacity, pairs->n + 1)))
        return eti_fail_memory(err);
    if (!pair) {
        pair = &pairs->items[pairs->n++];
        *pair = (method_pair){.name = plan->name};
    }
    ETI_TRY(plan_memory(arenas, &c->arena, plan, err));
    pair->arenas[side] = arenas;
    return ETI_OK;
}

#define MOST_METHODS 1000 /* number of methods that are compared; real programs have far fewer */

static eti_status pair_methods(comparison *c, method_pairs *pairs, eti_error *err) {
    for (size_t s = 0; s < 2; s++) {
        const eti_pte *pte = c->sides[s].pte;
        if (pte->n_plans > MOST_METHODS)
            return eti_fail(err, ETI_ERROR_LIMIT, "%s: has more than %d methods", pte->file->name,
                            MOST_METHODS);
        for (uint32_t i = 0; i < pte->n_plans; i++)
            ETI_TRY(add_method(c, pairs, s, &pte->plans[i], err));
    }
    return ETI_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

static eti_status note_duplicates(comparison *c, eti_error *err) {
    uint64_t base = c->sides[BASE].sizes.duplicated, new_side = c->sides[NEW].sizes.duplicated;
    if (base + new_side == 0)
        return ETI_OK;
    return eti__report_note(c->report, err, "bytes of duplicates: %llu -> %llu",
                            (unsigned long long)base, (unsigned long long)new_side);
}

static eti_status add_sizes(comparison *c, const method_pairs *pairs, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, c->report, "sizes", "Bytes", size_columns,
                                     ETI_N_COLUMNS(size_columns), NULL, err));
    c->report->sections[c->report->n_sections - 1].hides_empty = true;
    ETI_TRY(add_categories(c, table, err));
    for (size_t i = 0; i < pairs->n; i++) {
        const method_pair *pair = &pairs->items[i];
        ETI_TRY(add_arenas(table, pair->name, pair->arenas[BASE], pair->arenas[NEW], err));
    }
    return note_duplicates(c, err);
}

static eti_status add_tensors(comparison *c, const method_pairs *pairs, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__moved_tensors_begin(&table, c->report, err));
    for (size_t i = 0; i < pairs->n; i++) {
        const method_pair *pair = &pairs->items[i];
        if (pair->arenas[BASE] && pair->arenas[NEW])
            ETI_TRY(eti__moved_tensors_add(table, pair->name, pair->arenas[BASE], pair->arenas[NEW],
                                           err));
    }
    return ETI_OK;
}

static eti_status compare(comparison *c, method_pairs *pairs, eti_error *err) {
    for (size_t s = 0; s < 2; s++) {
        compared_program *of = &c->sides[s];
        ETI_TRY(eti__operators_make(&of->operators, &c->arena, of->pte, 1, err));
        ETI_TRY(eti__sizes_make(&of->sizes, &c->arena, of->pte, NULL, 0, err));
    }
    ETI_TRY(pair_methods(c, pairs, err));
    ETI_TRY(add_sizes(c, pairs, err));
    ETI_TRY(add_calls(c, err));
    return add_tensors(c, pairs, err);
}

eti_status eti__program_diff_report(eti_report **out, const eti_profile *base,
                                    const eti_profile *new_side, const eti_diff_options *options,
                                    eti_error *err) {
    comparison c = {
        .sides = {{.pte = eti__profile_program(base)}, {.pte = eti__profile_program(new_side)}},
        .lists_all = options && options->lists_all};
    method_pairs pairs = {.n = 0};
    *out = NULL;
    if (!c.sides[BASE].pte || !c.sides[NEW].pte)
        return eti_fail(err, ETI_ERROR_USAGE, "%.*s contains neither times nor a program",
                        ETI_TEXT_ARGS(c.sides[BASE].pte ? new_side->name : base->name));
    if (options && options->group)
        return eti_fail(err, ETI_ERROR_USAGE, "%sgroup: programs contain no times: give ETDumps",
                        eti__option_prefix());
    ETI_TRY(eti__profiles_begin_report(&c.report, "diff", base, new_side, err));
    eti_status status = compare(&c, &pairs, err);
    free(pairs.items);
    eti__arena_free(&c.arena);
    if (status == ETI_OK)
        *out = c.report;
    else
        eti_report_free(c.report);
    return status;
}
