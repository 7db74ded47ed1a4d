#include "view_program/view_program.h"

#include "base/sort.h"
#include "places/places.h"
#include "program/program.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_program/memory.h"
#include "view_program/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

/* A method of the program, with the callees of its instructions. */
typedef struct size_method {
    eti_planned_method of; /* without its memory */
    eti_method_names names;
    eti_call_place *places;    /* by instruction; NULL: not known */
    eti_weight_places weights; /* only while modules are found */
} size_method;

typedef struct size_view {
    eti_report *report;
    const eti_view_options *options;
    const eti_program_sizes *made;
    const eti_size_row *rows;
    uint32_t n_rows;
    size_method *methods;
    eti_text *modules; /* by row: the innermost module of its users; NULL: not known */
} size_view;

static const eti_planned_method *method_of(const size_view *v, const eti_size_use *use) {
    return &v->methods[use->user.plan].of;
}

static eti_text user_name(const size_view *v, const eti_size_use *use) {
    const eti_calls *calls = &method_of(v, use)->liveness.calls;
    return eti__call_name(&v->methods[use->user.plan].names, calls->items[use->user.instruction]);
}

/* Returns the innermost module of a user: for a name that a payload requests, that of the nodes inside the delegate. */
static eti_text module_of_user(const size_view *v, const eti_size_row *row,
                               const eti_size_user *user) {
    const size_method *method = &v->methods[user->plan];
    const eti_pte_instruction *call = method->of.liveness.calls.items[user->instruction];
    eti_text module = {NULL, 0};
    if (!method->places)
        return module;
    if (call->kind == ETI_PTE_DELEGATE_CALL && row->category != ETI_SIZE_DELEGATE_BLOB &&
        row->name.data)
        module = eti__weight_places_find(&method->weights, (uint32_t)call->index, row->name);
    return module.data ? module : method->places[user->instruction].module;
}

/* Returns the module that contains all users; absent: not known. */
static eti_text module_of(const size_view *v, const eti_size_row *row) {
    eti_text module = {NULL, 0};
    for (uint32_t i = 0; i < row->n_users; i++) {
        eti_text next = module_of_user(v, row, &row->users[i].user);
        if (module.data && next.data && !eti__text_equal(module, next))
            return eti__text_of(ETI_GROUP_SEVERAL_MODULES);
        module = next.data ? next : module;
    }
    return module;
}

/* Appends the label of a row: its name, or its kind. */
static void add_name(eti_buffer *out, const size_view *v, const eti_size_row *row) {
    bool is_numbered =
        !row->is_rest && (row->category == ETI_SIZE_DELEGATE_BLOB || !row->name.data);
    if (row->name.data)
        eti__buffer_add_text(out, row->name);
    else
        eti__buffer_printf(out, row->is_rest ? "(%s)" : "%s",
                           eti__size_category_name(row->category));
    if (is_numbered)
        eti__buffer_printf(out, " %" PRIu32, row->number);
    if (row->is_rest && v->made->inspector->n_programs + v->made->inspector->n_data_files > 1)
        eti__buffer_printf(out, " of %s", eti__program_sizes_file(v->made, row->file)->name);
}

/* ---- cells ------------------------------------------------------------------------------------- */

typedef struct size_cells {
    const size_view *v;
    const eti_size_row *of;
    eti_row *out;
} size_cells;

ETI_CELL_SETTER(size_cells, category, eti__string_cell(eti__size_category_name(row->of->category)))
ETI_CELL_SETTER(size_cells, bytes, eti__count_cell(row->of->bytes))
ETI_CELL_SETTER_IF(size_cells, share, row->v->made->sizes.file_size > 0,
                   eti__double_cell((double)row->of->bytes / (double)row->v->made->sizes.file_size))
ETI_CELL_SETTER_IF(size_cells, dtype, row->of->tensor,
                   eti__string_cell(eti__needed_dtype_name(row->of->tensor->scalar_type)))
ETI_CELL_SETTER(size_cells, is_duplicate, eti__bool_cell(row->of->copy_of != ETI_NO_ROW))
ETI_CELL_SETTER(size_cells, n_methods, eti__count_cell(row->of->n_methods))
ETI_CELL_SETTER_IF(size_cells, number, row->of->number != ETI_NO_ROW,
                   eti__count_cell(row->of->number))
ETI_CELL_SETTER_IF(
    size_cells, offset, row->of->data.data,
    eti__count_cell((uint64_t)((const uint8_t *)row->of->data.data -
                               eti__program_sizes_file(row->v->made, row->of->file)->data)))
ETI_CELL_SETTER_IF(size_cells, module, row->v->modules,
                   eti__text_or_none(row->v->modules[row->of - row->v->rows]))

static bool take_name(size_cells *row, const eti_size_row *of, eti_cell *cell) {
    eti_buffer name = {0};
    add_name(&name, row->v, of);
    cell->kind = ETI_CELL_TEXT;
    bool done = !name.failed &&
                eti__arena_own_text(&row->out->texts, eti__buffer_text(&name), &cell->as_text);
    eti__buffer_free(&name);
    return done;
}

static bool set_name(void *context, eti_cell *cell) {
    size_cells *row = context;
    return take_name(row, row->of, cell);
}

static bool set_copy_of(void *context, eti_cell *cell) {
    size_cells *row = context;
    return row->of->copy_of == ETI_NO_ROW || take_name(row, &row->v->rows[row->of->copy_of], cell);
}

static bool set_file(void *context, eti_cell *cell) {
    size_cells *row = context;
    const struct eti_file *file = eti__program_sizes_file(row->v->made, row->of->file);
    cell->kind = ETI_CELL_TEXT;
    return eti__arena_own_text(&row->out->texts, eti__text_of(file->name), &cell->as_text);
}

static bool set_shape(void *context, eti_cell *cell) {
    size_cells *row = context;
    if (!row->of->tensor)
        return true;
    eti__tensor_add_bounds(&row->out->scratch, row->of->tensor);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

/* Lists the names of the operators or delegates of users, each once. */
static bool set_users(void *context, eti_cell *cell) {
    size_cells *row = context;
    eti_text_table names = {0};
    uint32_t number;
    bool done = true;
    for (uint32_t i = 0; i < row->of->n_users && done; i++)
        done = eti__text_table_add(&names, user_name(row->v, &row->of->users[i]), NULL, &number);
    eti_text *items = eti__arena_alloc(&row->out->texts, names.count, sizeof *items);
    if (done && items && names.count > 0) {
        memcpy(items, names.texts, names.count * sizeof *items);
        *cell = eti__list_cell(ETI_CELL_TEXTS, items, names.count);
    }
    eti__text_table_free(&names);
    return done && items;
}

static bool set_instructions(void *context, eti_cell *cell) {
    size_cells *row = context;
    uint32_t n = row->of->n_users;
    int64_t *items = eti__arena_alloc(&row->out->texts, n, sizeof *items);
    for (uint32_t i = 0; items && i < n; i++)
        items[i] = row->of->users[i].user.instruction;
    if (items && n > 0)
        *cell = eti__list_cell(ETI_CELL_INTS, items, n);
    return items != NULL;
}

static bool set_sha256(void *context, eti_cell *cell) {
    size_cells *row = context;
    char digits[ETI_SHA256_DIGITS + 1];
    if (!row->of->data.data)
        return true;
    eti__sha256(row->of->data.data, row->of->data.size, digits);
    cell->kind = ETI_CELL_TEXT;
    return eti__arena_own_text(&row->out->texts, eti__text_of(digits), &cell->as_text);
}

static const eti_column_spec columns[] = {
    {"category", ETI_TEXTS, false, "category of the bytes", set_category},
    {"name", ETI_TEXTS, false, "name of the tensor, the delegate or the key", set_name},
    {"bytes", BYTES, false, "size in the file", set_bytes},
    {"is_duplicate", ETI_MARKS, false, "true if an earlier row has the same bytes",
     set_is_duplicate},
    {"share", ETI_SHARES, false, "share of all files", set_share},
    {"shape", ETI_TEXTS, false, "sizes of the first tensor with these bytes", set_shape},
    {"dtype", ETI_TEXTS, false, "data type of its elements", set_dtype},
    {"users", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "operators and delegates that use it",
     set_users},
    {"module", ETI_TEXTS, false, "innermost module of its users", set_module},
    {"copy_of", ETI_TEXTS, false, "first row with the same bytes", set_copy_of},
    {"shared", ETI_COUNTS, true, "methods that use it", set_n_methods},
    {"instructions", ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST, true, "instructions of its users",
     set_instructions},
    {"number", ETI_COUNTS, true, "number of the constant, the payload or the segment", set_number},
    {"file", ETI_TEXTS, true, "name of the file", set_file},
    {"offset", ETI_TYPE_UINT64, ETI_COLUMN_COUNT, true, "offset of its first byte in the file",
     set_offset},
    {"sha256", ETI_TEXTS, false, "SHA-256 of the bytes", set_sha256},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const size_view *v = context;
    size_cells row = {v, &v->rows[number], out};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- methods ------------------------------------------------------------------------------------ */

/* Finds the places of the users, in this method, of all rows. */
static eti_status find_places(const size_view *v, uint32_t number, eti_payloads *payloads,
                              eti_error *err) {
    size_method *method = &v->methods[number];
    eti_call_places places;
    method->places =
        eti__arena_alloc_zero(payloads->arena, method->of.liveness.calls.n, sizeof *method->places);
    if (!method->places)
        return eti_fail_memory(err);
    eti_status status = eti__call_places_init(&places, v->made->inspector, &method->of, err);
    uint64_t most = ETI_PAYLOADS_EXAMINED * (uint64_t)v->made->inspector->programs[0].file->size;
    if (status == ETI_OK && !eti__weight_places_init(&method->weights, &places, most))
        status = eti_fail_memory(err);
    for (uint32_t r = 0; r < v->n_rows && status == ETI_OK; r++) {
        for (uint32_t i = 0; i < v->rows[r].n_users && status == ETI_OK; i++) {
            const eti_size_user *user = &v->rows[r].users[i].user;
            eti_call_place *place = &method->places[user->instruction];
            if (user->plan != number)
                continue;
            if (!place->module.data && !eti__call_places_find(&places, user->instruction, place))
                status = eti_fail_memory(err);
            else
                status = eti__weight_places_add(&method->weights, &places, payloads,
                                                user->instruction, err);
        }
    }
    eti__call_places_free(&places);
    return status;
}

static eti_status make_methods(size_view *v, eti_payloads *payloads, eti_error *err) {
    const eti_inspector *inspector = v->made->inspector;
    const eti_pte *pte = &inspector->programs[0];
    eti_arena *arena = payloads->arena;
    v->methods = eti__arena_alloc_zero(arena, pte->n_plans, sizeof *v->methods);
    v->modules = eti__arena_alloc_zero(arena, v->n_rows, sizeof *v->modules);
    if (!v->methods || !v->modules)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        size_method *method = &v->methods[i];
        method->of.plan = &pte->plans[i];
        method->of.number = i;
        method->of.record_method = eti__record_method_of_plan(inspector, pte, method->of.plan);
        ETI_TRY(eti__calls_make(&method->of.liveness.calls, arena, method->of.plan, err));
        if (!eti__method_names_make(&method->names, arena, method->of.plan))
            return eti_fail_memory(err);
        if (method->of.record_method != ETI_NO_METHOD)
            ETI_TRY(find_places(v, i, payloads, err));
    }
    for (uint32_t r = 0; r < v->n_rows; r++)
        v->modules[r] = module_of(v, &v->rows[r]);
    return ETI_OK;
}

/* Finds the users of the rows, and their modules. */
static eti_status find_users(size_view *v, eti_arena *arena, eti_error *err) {
    const eti_inspector *inspector = v->made->inspector;
    eti_payloads payloads = {.arena = arena};
    if (inspector->n_programs == 0)
        return ETI_OK;
    eti_status status = make_methods(v, &payloads, err);
    for (uint32_t i = 0; i < inspector->programs[0].n_plans && v->methods; i++)
        eti__weight_places_free(&v->methods[i].weights);
    eti__payloads_free(&payloads);
    return status;
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* Checks the size of names, which rows may repeat until they are many times as long as the file. */
static eti_status check_text(const size_view *v, eti_error *err) {
    uint64_t n_bytes = 0;
    for (uint32_t r = 0; r < v->n_rows; r++) {
        const eti_size_row *row = &v->rows[r];
        n_bytes += row->name.size;
        for (uint32_t i = 0; i < row->n_users; i++)
            n_bytes += user_name(v, &row->users[i]).size;
        if (row->copy_of != ETI_NO_ROW)
            n_bytes += v->rows[row->copy_of].name.size;
    }
    return eti__view_check_text(v->made->inspector, n_bytes, err);
}

static eti_status add_rows(const size_view *v, eti_error *err) {
    eti_column_spec specs[ETI_N_COLUMNS(columns)];
    eti_row_source source = {make_row, NULL, (void *)v};
    eti_table *table;
    for (size_t i = 0; i < ETI_N_COLUMNS(specs); i++)
        specs[i] = columns[i];
    if (!v->options->sha256)
        specs[ETI_N_COLUMNS(specs) - 1].name = NULL;
    ETI_TRY(check_text(v, err));
    ETI_TRY(
        eti__columns_make_rows(&table, specs, ETI_N_COLUMNS(specs), v->n_rows, source, NULL, err));
    table->most_drawn = eti__view_most_drawn(v->made->inspector);
    ETI_TRY(eti__report_add(v->report, "parts", "Parts", table, err));
    v->report->sections[v->report->n_sections - 1].hides_empty = true;
    return ETI_OK;
}

/* ---- groups ------------------------------------------------------------------------------------- */

typedef struct size_group {
    eti_text name;
    uint64_t bytes, duplicated;
    uint64_t n_parts;
    uint64_t whole;
} size_group;

ETI_CELL_SETTER(size_group, group, eti__text_cell(row->name))
ETI_CELL_SETTER(size_group, group_bytes, eti__count_cell(row->bytes))
ETI_CELL_SETTER_IF(size_group, group_share, row->whole > 0,
                   eti__double_cell((double)row->bytes / (double)row->whole))
ETI_CELL_SETTER(size_group, parts, eti__count_cell(row->n_parts))
ETI_CELL_SETTER(size_group, duplicated, eti__count_cell(row->duplicated))

static const eti_column_spec group_columns[] = {
    {"group", ETI_TEXTS, false, "owner of the bytes", set_group},
    {"bytes", BYTES, false, "bytes of the files", set_group_bytes},
    {"share", ETI_SHARES, false, "share of all files", set_group_share},
    {"parts", ETI_COUNTS, false, "rows without this option", set_parts},
    {"duplicated", BYTES, false, "bytes of duplicates among these", set_duplicated},
};

/* Returns the name that all users have in common. */
static eti_text op_of(const size_view *v, const eti_size_row *row) {
    for (uint32_t i = 1; i < row->n_users; i++) {
        if (!eti__text_equal(user_name(v, &row->users[0]), user_name(v, &row->users[i])))
            return eti__text_of(ETI_GROUP_SEVERAL_OPS);
    }
    return row->n_users > 0 ? user_name(v, &row->users[0]) : (eti_text){NULL, 0};
}

typedef enum grouping { BY_CATEGORY, BY_DTYPE, BY_OP, BY_MODULE, N_GROUPINGS } grouping;

/* Returns the group of a row: bytes without a tensor, operator or module are in the group of their category. */
static eti_text group_of(const size_view *v, grouping by, const eti_size_row *row) {
    static const char *const rests[] = {
        [ETI_SIZE_METADATA] = "(metadata)",         [ETI_SIZE_CONSTANT] = "(constant)",
        [ETI_SIZE_MUTABLE_DATA] = "(mutable data)", [ETI_SIZE_DELEGATE_BLOB] = "(delegate blob)",
        [ETI_SIZE_NAMED_DATA] = "(named data)",     [ETI_SIZE_EXTERNAL] = "(external)",
        [ETI_SIZE_TEST_DATA] = "(test data)",       [ETI_SIZE_PADDING] = "(padding)",
    };
    eti_text group = {NULL, 0};
    if (by == BY_CATEGORY)
        return eti__text_of(eti__size_category_name(row->category));
    if (by == BY_DTYPE && row->tensor)
        group = eti__text_of(eti__needed_dtype_name(row->tensor->scalar_type));
    else if (by == BY_OP)
        group = op_of(v, row);
    else if (by == BY_MODULE && v->modules)
        group = v->modules[row - v->rows];
    return group.data ? group : eti__text_of(rests[row->category]);
}

static int compare_groups(const void *a, const void *b, void *context) {
    const size_group *left = a, *right = b;
    (void)context;
    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    size_t n = left->name.size < right->name.size ? left->name.size : right->name.size;
    int order = memcmp(left->name.data, right->name.data, n);
    return order ? order
                 : (left->name.size > right->name.size) - (left->name.size < right->name.size);
}

static bool add_to_group(const size_view *v, grouping by, const eti_size_row *row,
                         eti_text_table *names, size_group *groups) {
    eti_text name = group_of(v, by, row);
    uint32_t number;
    if (!eti__text_table_add(names, name, NULL, &number))
        return false;
    groups[number].name = name;
    groups[number].bytes += row->bytes;
    groups[number].n_parts++;
    groups[number].duplicated += row->copy_of != ETI_NO_ROW ? row->bytes : 0;
    return true;
}

static eti_status add_groups(const size_view *v, grouping by, eti_error *err) {
    size_group *groups = calloc((size_t)v->n_rows + 1, sizeof *groups);
    eti_text_table names = {0};
    eti_table *table;
    eti_status status = groups ? ETI_OK : eti_fail_memory(err);
    for (uint32_t i = 0; i < v->n_rows && status == ETI_OK; i++) {
        if (!add_to_group(v, by, &v->rows[i], &names, groups))
            status = eti_fail_memory(err);
    }
    if (status == ETI_OK)
        status = eti__columns_add_section(&table, v->report, "groups", NULL, group_columns,
                                          ETI_N_COLUMNS(group_columns), NULL, err);
    if (status == ETI_OK)
        eti__sort(groups, names.count, sizeof *groups, compare_groups, NULL);
    for (size_t i = 0; i < names.count && status == ETI_OK; i++) {
        groups[i].whole = v->made->sizes.file_size;
        if (!eti__table_own_text(table, groups[i].name, &groups[i].name))
            status = eti_fail_memory(err);
        else
            status = eti__columns_add_row(table, group_columns, ETI_N_COLUMNS(group_columns),
                                          &groups[i], err);
    }
    eti__text_table_free(&names);
    free(groups);
    return status;
}

static eti_status find_grouping(const char *name, grouping *out, eti_error *err) {
    static const char *const names[N_GROUPINGS] = {"category", "dtype", "op", "module"};
    for (int i = 0; i < N_GROUPINGS; i++) {
        *out = (grouping)i;
        if (strcmp(name, names[i]) == 0)
            return ETI_OK;
    }
    return eti_fail(err, ETI_ERROR_USAGE, "%sgroup %s: use category, dtype, op or module",
                    eti__option_prefix(), name);
}

/* ---- the view ----------------------------------------------------------------------------------- */

eti_status eti__view_size(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    eti_program_sizes *made;
    grouping by = BY_CATEGORY;
    if (options->group)
        ETI_TRY(find_grouping(options->group, &by, err));
    ETI_TRY(eti__program_sizes_make(&made, report, inspector, err));
    size_view *v = eti__arena_alloc_zero(&made->arena, 1, sizeof *v);
    if (!v)
        return eti_fail_memory(err);
    *v = (size_view){report, options, made, made->sizes.rows, made->sizes.n_rows, NULL, NULL};
    ETI_TRY(find_users(v, &made->arena, err));
    if (options->group)
        return add_groups(v, by, err);
    ETI_TRY(add_rows(v, err));
    return eti__program_sizes_add_categories(report, made, err);
}
