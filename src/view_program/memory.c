#include "view_program/memory.h"

#include "base/sort.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_program/view_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== planned memory ========================================================================== */

static void drop_memory(void *object) {
    eti_planned_memory *memory = object;
    eti__arena_free(&memory->arena);
    free(memory);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool name_operators(eti_text *out, eti_arena *arena, const eti_pte_plan *plan) {
    eti_buffer name = {0};
    bool done = out != NULL;
    for (uint32_t i = 0; i < plan->n_operators && done; i++) {
        name.size = 0;
        eti__operator_add_name(&name, &plan->operators[i]);
        done = !name.failed && eti__arena_own_text(arena, eti__buffer_text(&name), &out[i]);
    }
    eti__buffer_free(&name);
    return done;
}

bool eti__method_names_make(eti_method_names *out, eti_arena *arena, const eti_pte_plan *plan) {
    out->operators = eti__arena_alloc(arena, plan->n_operators, sizeof *out->operators);
    out->delegates = eti__arena_alloc(arena, plan->n_delegates, sizeof *out->delegates);
    bool done = out->delegates && eti__arena_own_text(arena, plan->name, &out->method);
    for (uint32_t i = 0; i < plan->n_delegates && done; i++)
        done = eti__arena_own_text(arena, plan->delegates[i].id, &out->delegates[i]);
    return done && name_operators(out->operators, arena, plan);
}

eti_text eti__call_name(const eti_method_names *names, const eti_pte_instruction *call) {
    if (call->kind == ETI_PTE_KERNEL_CALL)
        return names->operators[call->index];
    if (call->kind == ETI_PTE_DELEGATE_CALL)
        return names->delegates[call->index];
    return eti__text_of(eti__instruction_kind_name(call->kind));
}

eti_text eti__planned_call_name(const eti_planned_memory *memory, uint32_t method,
                                uint32_t instruction) {
    const eti_calls *calls = &memory->methods.methods[method].liveness.calls;
    return eti__call_name(&memory->names[method], calls->items[instruction]);
}

/* ---- making it ------------------------------------------------------------------------------- */

static eti_status fill(eti_planned_memory *memory, eti_error *err) {
    ETI_TRY(eti__planned_methods_make(&memory->methods, &memory->arena, memory->inspector, err));
    memory->names = eti__arena_alloc_zero(&memory->arena, memory->methods.n, sizeof *memory->names);
    memory->scratches =
        eti__arena_alloc_zero(&memory->arena, memory->methods.n, sizeof *memory->scratches);
    bool done = memory->names && memory->scratches;
    for (uint32_t i = 0; i < memory->methods.n && done; i++)
        done = eti__method_names_make(&memory->names[i], &memory->arena,
                                      memory->methods.methods[i].plan);
    if (!done)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < memory->methods.n; i++)
        ETI_TRY(eti__scratches_list(&memory->scratches[i], &memory->arena,
                                    &memory->methods.methods[i].liveness.calls, err));
    return ETI_OK;
}

eti_status eti__planned_memory_make(eti_planned_memory **out, eti_report *report,
                                    const eti_inspector *inspector, eti_error *err) {
    eti_planned_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return eti_fail_memory(err);
    memory->inspector = inspector;
    eti__report_keep(report, (eti_kept){memory, drop_memory});
    *out = memory;
    return fill(memory, err);
}

eti_status eti__note_scratches(eti_report *report, const eti_planned_memory *memory,
                               const char *where, eti_error *err) {
    eti_buffer note = {0};
    uint64_t most = 0;
    bool has_any = false;
    for (uint32_t i = 0; i < memory->methods.n; i++) {
        const eti_scratches *of = &memory->scratches[i];
        most = of->most > most ? of->most : most;
        has_any = has_any || of->n > 0;
        if (of->n_damaged > 0)
            ETI_TRY(eti__report_note(
                report, err,
                "%.*s: cannot read %zu payload%s of delegates (%s): calls take more "
                "memory than is listed",
                ETI_TEXT_ARGS(memory->names[i].method), of->n_damaged,
                of->n_damaged == 1 ? "" : "s", of->damage.message));
    }
    if (!has_any)
        return ETI_OK;
    eti__buffer_add_string(&note, "a call of a delegate takes up to ");
    eti__add_bytes(&note, most);
    eti__buffer_printf(&note, " more from the temporary allocator: see %s", where);
    return eti__report_take_note(report, &note, err);
}

/* ==== memory map ============================================================================== */
/* A tree over instructions finds the tensors alive at an instruction: each tensor is stored at the
 * few nodes that together cover its life, and the tensors alive at an instruction are on the path
 * from its leaf to the root. */

/* Limit of the sum of the lives of all tensors, in instructions, to which the size of the map is proportional. */
#define MOST_LIVED ((uint64_t)1 << 26)

/* An arena of a method, a row for each instruction. */
typedef struct arena_map {
    uint32_t method;
    const eti_planned_arena *arena;
    const eti_planned *tensors; /* of the method */
    uint32_t n_instructions;
    size_t first_row;
    size_t *first; /* per node of the tree, and one more: index of its first tensor */
    uint32_t *at;  /* tensors, by node */
} arena_map;

typedef struct memory_map {
    const eti_planned_memory *memory;
    arena_map *arenas;
    size_t n_arenas, n_rows;
} memory_map;

/* ---- the tree ---------------------------------------------------------------------------------- */

/* Counts a tensor in first[node + 1] of its nodes, or, with `at`, stores it at first[node] and advances that. */
static void stand(const arena_map *map, uint32_t tensor, uint32_t *at) {
    const eti_planned *planned = &map->tensors[tensor];
    size_t low = (size_t)planned->first + map->n_instructions;
    size_t high = (size_t)planned->last + 1 + map->n_instructions;
    if (!eti__planned_uses_memory(planned))
        return;
    for (; low < high; low /= 2, high /= 2) {
        size_t ends[2] = {low, high - 1};
        for (int i = 0; i < 2; i++) {
            if ((i == 0) != (ends[i] % 2 == 1)) /* the tensor lives during the whole parent node */
                continue;
            if (at)
                at[map->first[ends[i]]++] = tensor;
            else
                map->first[ends[i] + 1]++;
        }
        low += low % 2;
        high -= high % 2;
    }
}

static eti_status make_tree(arena_map *map, eti_arena *arena, eti_error *err) {
    size_t n_nodes = 2 * (size_t)map->n_instructions;
    map->first = eti__arena_alloc_zero(arena, n_nodes + 2, sizeof *map->first);
    if (!map->first)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < map->arena->n_tensors; i++)
        stand(map, map->arena->tensors[i], NULL);
    for (size_t i = 1; i <= n_nodes; i++)
        map->first[i] += map->first[i - 1];
    map->at = eti__arena_alloc(arena, map->first[n_nodes], sizeof *map->at);
    if (!map->at)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < map->arena->n_tensors; i++)
        stand(map, map->arena->tensors[i], map->at);
    memmove(map->first + 1, map->first, n_nodes * sizeof *map->first);
    map->first[0] = 0;
    return ETI_OK;
}

/* ---- rows -------------------------------------------------------------------------------------- */

typedef struct map_row {
    const memory_map *map;
    const arena_map *of;
    uint32_t instruction;
    eti_row *out;
} map_row;

static int compare_ranges(const void *a, const void *b, void *context) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    (void)context;
    return (left > right) - (left < right);
}

/* Fills `ranges` with those of the live tensors; returns their number. */
static size_t list_ranges(const map_row *row, uint64_t (*ranges)[2]) {
    const arena_map *map = row->of;
    size_t n = 0;
    for (size_t node = (size_t)row->instruction + map->n_instructions; node > 0; node /= 2) {
        for (size_t i = map->first[node]; i < map->first[node + 1]; i++, n++) {
            const eti_planned *planned = &map->tensors[map->at[i]];
            if (!ranges)
                continue;
            ranges[n][0] = planned->tensor->memory_offset;
            ranges[n][1] = eti__planned_end(planned);
        }
    }
    return n;
}

/* Joins ranges that touch or overlap. */
static size_t join_ranges(uint64_t (*ranges)[2], size_t n) {
    size_t n_joined = 0;
    eti__sort(ranges, n, sizeof *ranges, compare_ranges, NULL);
    for (size_t i = 0; i < n; i++) {
        if (n_joined > 0 && ranges[i][0] <= ranges[n_joined - 1][1]) {
            if (ranges[i][1] > ranges[n_joined - 1][1])
                ranges[n_joined - 1][1] = ranges[i][1];
        } else {
            memmove(ranges[n_joined++], ranges[i], sizeof *ranges);
        }
    }
    return n_joined;
}

static bool set_ranges(void *context, eti_cell *cell) {
    const map_row *row = context;
    size_t n = list_ranges(row, NULL);
    uint64_t(*ranges)[2] = eti__arena_alloc(&row->out->texts, n, sizeof *ranges);
    if (!ranges)
        return false;
    list_ranges(row, ranges);
    *cell = eti__list_cell(ETI_CELL_UINTS, ranges, 2 * join_ranges(ranges, n));
    return true;
}

ETI_CELL_SETTER(map_row, map_method,
                eti__text_cell(row->map->memory->names[row->of->method].method))
ETI_CELL_SETTER(map_row, map_memory_id, eti__count_cell(row->of->arena->memory_id))
ETI_CELL_SETTER(map_row, instruction, eti__count_cell(row->instruction))
ETI_CELL_SETTER(map_row, operator,
                eti__text_cell(eti__planned_call_name(row->map->memory, row->of->method,
                                                      row->instruction)))
ETI_CELL_SETTER(map_row, map_in_use,
                eti__count_cell(eti__arena_in_use(row->of->arena, row->instruction)))
ETI_CELL_SETTER(map_row, map_at_peak, eti__bool_cell(row->instruction == row->of->arena->peak_at))

static const eti_column_spec map_columns[] = {
    {"method", ETI_TEXTS, false, "method of the arena", set_map_method},
    {"memory_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the arena",
     set_map_memory_id},
    {"instruction", ETI_COUNTS, false, "number of the instruction", set_instruction},
    {"operator", ETI_TEXTS, false, "operator or delegate that it calls", set_operator},
    {"in_use", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "bytes of the arena in use",
     set_map_in_use},
    {"at_peak", ETI_MARKS, false, "true at the peak of the arena", set_map_at_peak},
    {"ranges", ETI_TYPE_LIST_UINT64, ETI_COLUMN_RANGES, false,
     "ranges of bytes in use: first byte and end", set_ranges},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const memory_map *map = context;
    size_t low = 0, high = map->n_arenas; /* the first arena after the row */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->arenas[middle].first_row <= number)
            low = middle + 1;
        else
            high = middle;
    }
    const arena_map *of = &map->arenas[low - 1];
    map_row row = {map, of, (uint32_t)(number - of->first_row), out};
    return eti__columns_set(map_columns, ETI_N_COLUMNS(map_columns), &row, out);
}

/* ---- the table --------------------------------------------------------------------------------- */

static eti_status check_size(const eti_planned_memory *memory, eti_error *err) {
    uint64_t n_lived = 0;
    for (uint32_t i = 0; i < memory->methods.n; i++) {
        const eti_liveness *liveness = &memory->methods.methods[i].liveness;
        for (uint32_t t = 0; t < liveness->n_tensors; t++)
            n_lived += (uint64_t)liveness->tensors[t].last - liveness->tensors[t].first + 1;
    }
    if (n_lived <= MOST_LIVED)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "the map would have %" PRIu64 " ranges; at most %" PRIu64
                    " can be drawn: use %sat N",
                    n_lived, MOST_LIVED, eti__option_prefix());
}

/* Adds the arenas of a method that have tensors. */
static eti_status add_map_arenas(memory_map *map, eti_arena *arena, uint32_t number,
                                 eti_error *err) {
    const eti_planned_method *method = &map->memory->methods.methods[number];
    for (uint32_t i = 0; i < method->arenas.n_arenas; i++) {
        arena_map *next = &map->arenas[map->n_arenas];
        *next = (arena_map){.method = number,
                            .arena = &method->arenas.arenas[i],
                            .tensors = method->liveness.tensors,
                            .n_instructions = method->liveness.calls.n,
                            .first_row = map->n_rows};
        if (next->arena->n_tensors == 0 || next->n_instructions == 0)
            continue;
        ETI_TRY(make_tree(next, arena, err));
        map->n_arenas++;
        map->n_rows += next->n_instructions;
    }
    return ETI_OK;
}

static eti_status make_map(memory_map *map, eti_arena *arena, eti_error *err) {
    size_t n = 0;
    for (uint32_t i = 0; i < map->memory->methods.n; i++)
        n += map->memory->methods.methods[i].arenas.n_arenas;
    map->arenas = eti__arena_alloc(arena, n, sizeof *map->arenas);
    if (!map->arenas)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < map->memory->methods.n; i++)
        ETI_TRY(add_map_arenas(map, arena, i, err));
    return ETI_OK;
}

/* Adds a note about the edges of the map; the right edge is the last byte in use of any arena. */
static eti_status note_edges(eti_report *report, const memory_map *map, eti_error *err) {
    uint64_t end = 0;
    for (size_t i = 0; i < map->n_arenas; i++) {
        const arena_map *of = &map->arenas[i];
        for (uint32_t t = 0; t < of->arena->n_tensors; t++) {
            const eti_planned *planned = &of->tensors[of->arena->tensors[t]];
            if (eti__planned_uses_memory(planned) && eti__planned_end(planned) > end)
                end = eti__planned_end(planned);
        }
    }
    if (end == 0)
        return ETI_OK;
    return eti__report_note(report, err, "across: bytes 0 to %" PRIu64 "; * the peak", end);
}

/* Adds a row for each instruction and arena with the ranges of bytes that are in use. ETI_ERROR_LIMIT: there are too many;
 * ETI_ERROR_MEMORY. */
static eti_status add_memory_map(eti_report *report, eti_planned_memory *memory, eti_error *err) {
    eti_table *table;
    ETI_TRY(check_size(memory, err));
    memory_map *map = eti__arena_alloc_zero(&memory->arena, 1, sizeof *map);
    if (!map)
        return eti_fail_memory(err);
    map->memory = memory;
    ETI_TRY(make_map(map, &memory->arena, err));
    eti_row_source source = {make_row, NULL, map};
    ETI_TRY(eti__columns_make_rows(&table, map_columns, ETI_N_COLUMNS(map_columns), map->n_rows,
                                   source, NULL, err));
    table->most_drawn = eti__view_most_drawn(memory->inspector);
    ETI_TRY(eti__report_add(report, "map", NULL, table, err));
    return note_edges(report, map, err);
}

/* ==== memory ================================================================================== */

/* A planned tensor, in any of the tables. */
typedef struct tensor_row {
    const eti_planned_memory *memory;
    uint32_t method; /* index in memory->methods */
    const eti_planned *planned;
    const eti_planned_arena *arena;
    const eti_call_place *place; /* of its writer; NULL: not known */
    bool is_at_peak;
} tensor_row;

typedef struct arena_row {
    const eti_planned_memory *memory;
    uint32_t method;
    const eti_planned_arena *arena;
    uint32_t at; /* the instruction of options->at */
} arena_row;

typedef struct memory_view {
    eti_report *report;
    const eti_view_options *options;
    eti_planned_memory *memory;
    const eti_call_place **places; /* of the methods, by instruction; NULL: not known */
    tensor_row *rows;
    size_t n_rows;
    eti_error *err;
} memory_view;

/* ---- cells of tensors ------------------------------------------------------------------------ */

/* A row of a table over an array of tensor_row. */
typedef struct tensor_cells {
    const tensor_row *of;
    eti_row *out;
} tensor_cells;

#define DEFINE_CELL(name, condition, value)                                                        \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const tensor_row *row = ((const tensor_cells *)context)->of;                               \
        if (condition)                                                                             \
            eti__cell_put(cell, value);                                                            \
        return true;                                                                               \
    }
DEFINE_CELL(method, true, eti__text_cell(row->memory->names[row->method].method))
DEFINE_CELL(value, true, eti__count_cell(row->planned->value))
DEFINE_CELL(bytes, row->planned->tensor->n_bytes != ETI_PTE_UNKNOWN_SIZE,
            eti__count_cell(row->planned->tensor->n_bytes))
DEFINE_CELL(at_peak, true, eti__bool_cell(row->is_at_peak))
DEFINE_CELL(role, true, eti__string_cell(eti__planned_role_name(row->planned->role)))
/* Returns whether the bytes of the tensor, or those that it shows, are in use: not those of a moved one. */
static bool has_life(const eti_planned *planned) {
    return planned->role != ETI_PLANNED_UNUSED && planned->role != ETI_PLANNED_MOVED;
}

DEFINE_CELL(first, has_life(row->planned), eti__count_cell(row->planned->first))
DEFINE_CELL(last, has_life(row->planned), eti__count_cell(row->planned->last))
DEFINE_CELL(producer, row->planned->writer != ETI_NO_INSTRUCTION,
            eti__text_cell(eti__planned_call_name(row->memory, row->method, row->planned->writer)))
DEFINE_CELL(writer, row->planned->writer != ETI_NO_INSTRUCTION,
            eti__count_cell(row->planned->writer))
DEFINE_CELL(memory_id, true, eti__count_cell(row->planned->tensor->memory_id))
DEFINE_CELL(offset, true, eti__count_cell(row->planned->tensor->memory_offset))
DEFINE_CELL(dtype, true,
            eti__string_cell(eti__needed_dtype_name(row->planned->tensor->scalar_type)))
DEFINE_CELL(
    alias_of, row->planned->alias_of != ETI_NO_PLANNED,
    eti__count_cell(
        row->memory->methods.methods[row->method].liveness.tensors[row->planned->alias_of].value))
DEFINE_CELL(node, row->place, eti__text_or_none(row->place->node))
DEFINE_CELL(module, row->place, eti__text_or_none(row->place->module))
DEFINE_CELL(share, row->arena->peak > 0,
            eti__double_cell((double)eti__planned_bytes(row->planned) / (double)row->arena->peak))
#undef DEFINE_CELL

static bool set_name(void *context, eti_cell *cell) {
    const tensor_cells *row = context;
    eti_text name = row->of->planned->tensor->name;
    if (!name.data)
        return true;
    cell->kind = ETI_CELL_TEXT;
    return eti__arena_own_text(&row->out->texts, name, &cell->as_text);
}

static bool set_shape(void *context, eti_cell *cell) {
    const tensor_cells *row = context;
    eti__tensor_add_bounds(&row->out->scratch, row->of->planned->tensor);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

static bool set_source(void *context, eti_cell *cell) {
    const tensor_cells *row = context;
    const eti_call_place *place = row->of->place;
    if (!place || !place->file.data)
        return true;
    eti__add_source_line(&row->out->scratch, place->file, place->line);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

#define BYTES ETI_TYPE_UINT64, ETI_COLUMN_BYTES

static const eti_column_spec tensor_columns[] = {
    {"method", ETI_TEXTS, false, "method of the tensor", set_method},
    {"value", ETI_COUNTS, false, "number among the values of the method", set_value},
    {"role", ETI_TEXTS, false, "purpose of the tensor: input, output, state, activation, ...",
     set_role},
    {"bytes", BYTES, false, "size of the tensor", set_bytes},
    {"at_peak", ETI_MARKS, false, "true if in use at the peak of its arena", set_at_peak},
    {"first", ETI_COUNTS, false, "first instruction at which its bytes are in use", set_first},
    {"last", ETI_COUNTS, false, "last instruction at which its bytes are in use", set_last},
    {"producer", ETI_TEXTS, false, "operator or delegate that writes it", set_producer},
    {"shape", ETI_TEXTS, false, "sizes; <= marks upper bounds", set_shape},
    {"dtype", ETI_TEXTS, false, "data type of the elements", set_dtype},
    {"memory_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of its arena", set_memory_id},
    {"offset", ETI_TYPE_UINT64, ETI_COLUMN_COUNT, false, "offset of its first byte in the arena",
     set_offset},
    {"alias_of", ETI_COUNTS, false, "value whose bytes it shares", set_alias_of},
    {"name", ETI_TEXTS, false, "name in the model, for state", set_name},
    {"node", ETI_TEXTS, false, "node of the graph that writes it", set_node},
    {"module", ETI_TEXTS, false, "innermost module that writes it", set_module},
    {"source", ETI_TEXTS, false, "line of the user's code", set_source},
    {"writer", ETI_COUNTS, true, "first instruction that writes it", set_writer},
};

static const eti_column_spec peak_columns[] = {
    {"method", ETI_TEXTS, false, "method of the tensor", set_method},
    {"memory_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the arena", set_memory_id},
    {"value", ETI_COUNTS, false, "number among the values of the method", set_value},
    {"bytes", BYTES, false, "size of the tensor", set_bytes},
    {"share", ETI_SHARES, false, "share of the peak; aliases use bytes of other tensors",
     set_share},
    {"role", ETI_TEXTS, false, "purpose of the tensor: input, output, state, activation, ...",
     set_role},
    {"producer", ETI_TEXTS, false, "operator or delegate that writes it", set_producer},
    {"shape", ETI_TEXTS, false, "sizes; <= marks upper bounds", set_shape},
    {"dtype", ETI_TEXTS, false, "data type of the elements", set_dtype},
    {"first", ETI_COUNTS, false, "first instruction at which its bytes are in use", set_first},
    {"last", ETI_COUNTS, false, "last instruction at which its bytes are in use", set_last},
    {"alias_of", ETI_COUNTS, false, "value whose bytes it shares", set_alias_of},
    {"module", ETI_TEXTS, false, "innermost module that writes it", set_module},
    {"source", ETI_TEXTS, false, "line of the user's code", set_source},
};

static bool make_tensor(const void *context, size_t number, eti_row *out) {
    const tensor_row *rows = context;
    tensor_cells row = {&rows[number], out};
    return eti__columns_set(tensor_columns, ETI_N_COLUMNS(tensor_columns), &row, out);
}

static bool make_at_peak(const void *context, size_t number, eti_row *out) {
    const tensor_row *rows = context;
    tensor_cells row = {&rows[number], out};
    return eti__columns_set(peak_columns, ETI_N_COLUMNS(peak_columns), &row, out);
}

/* ---- cells of arenas ------------------------------------------------------------------------- */

static eti_text peak_name(const arena_row *row) {
    const eti_planned_method *method = &row->memory->methods.methods[row->method];
    if (row->arena->peak == 0 || method->liveness.calls.n == 0)
        return (eti_text){NULL, 0};
    return eti__planned_call_name(row->memory, row->method, row->arena->peak_at);
}

ETI_CELL_SETTER(arena_row, arena_method, eti__text_cell(row->memory->names[row->method].method))
ETI_CELL_SETTER(arena_row, arena_memory_id, eti__count_cell(row->arena->memory_id))
ETI_CELL_SETTER(arena_row, size, eti__count_cell(row->arena->size))
ETI_CELL_SETTER(arena_row, highest, eti__count_cell(row->arena->highest))
ETI_CELL_SETTER(arena_row, peak, eti__count_cell(row->arena->peak))
ETI_CELL_SETTER(arena_row, peak_at, eti__count_cell(row->arena->peak_at))
ETI_CELL_SETTER(arena_row, peak_operator, eti__text_or_none(peak_name(row)))
ETI_CELL_SETTER(arena_row, waste, eti__count_cell(eti__arena_waste(row->arena)))
ETI_CELL_SETTER(arena_row, tensors, eti__count_cell(row->arena->n_tensors))
ETI_CELL_SETTER(arena_row, in_use, eti__count_cell(eti__arena_in_use(row->arena, row->at)))

#define ARENA_COLUMNS                                                                              \
    {"method", ETI_TEXTS, false, "method of the arena", set_arena_method},                         \
        {"memory_id", ETI_TYPE_INT64,        ETI_COLUMN_NUMBER,                                    \
         false,       "number of the arena", set_arena_memory_id},                                 \
        {"size", BYTES, false, "bytes requested by the program", set_size},                        \
        {"highest", BYTES, false, "end of the last planned byte", set_highest},                    \
        {"peak", BYTES, false, "most bytes in use at an instruction", set_peak},                   \
        {"at", ETI_COUNTS, false, "first instruction with the most bytes in use", set_peak_at},    \
        {"operator", ETI_TEXTS, false, "operator or delegate that this instruction calls",         \
         set_peak_operator},                                                                       \
        {"waste", BYTES, false, "bytes that are unused at the peak", set_waste}, {                 \
        "tensors", ETI_COUNTS, false, "tensors planned in the arena", set_tensors                  \
    }

static const eti_column_spec arena_columns[] = {
    ARENA_COLUMNS,
    {"in_use", BYTES, false, "bytes in use at the given instruction", set_in_use},
};

/* ---- rows ------------------------------------------------------------------------------------ */

static uint32_t last_of(const tensor_row *row) {
    return row->planned->last;
}

/* Compares rows by method and arena, then by time; unused tensors last. */
static int compare_rows(const void *a, const void *b, void *context) {
    const tensor_row *left = a, *right = b;
    bool is_left_unused = left->planned->role == ETI_PLANNED_UNUSED;
    bool is_right_unused = right->planned->role == ETI_PLANNED_UNUSED;
    (void)context;
    if (left->method != right->method)
        return left->method < right->method ? -1 : 1;
    if (left->planned->tensor->memory_id != right->planned->tensor->memory_id)
        return left->planned->tensor->memory_id < right->planned->tensor->memory_id ? -1 : 1;
    if (is_left_unused != is_right_unused)
        return is_left_unused - is_right_unused;
    if (left->planned->first != right->planned->first)
        return left->planned->first < right->planned->first ? -1 : 1;
    if (last_of(left) != last_of(right))
        return last_of(left) < last_of(right) ? -1 : 1;
    return left->planned->value < right->planned->value ? -1 : 1;
}

/* Compares rows by size, the largest first. */
static int compare_sizes(const void *a, const void *b, void *context) {
    const tensor_row *left = a, *right = b;
    uint64_t left_bytes = eti__planned_bytes(left->planned);
    uint64_t right_bytes = eti__planned_bytes(right->planned);
    (void)context;
    if (left->method != right->method)
        return left->method < right->method ? -1 : 1;
    if (left->arena->memory_id != right->arena->memory_id)
        return left->arena->memory_id < right->arena->memory_id ? -1 : 1;
    if (left_bytes != right_bytes)
        return left_bytes > right_bytes ? -1 : 1;
    return left->planned->value < right->planned->value ? -1 : 1;
}

static void list_rows(memory_view *v, uint32_t number) {
    const eti_planned_method *method = &v->memory->methods.methods[number];
    for (uint32_t i = 0; i < method->arenas.n_arenas; i++) {
        const eti_planned_arena *arena = &method->arenas.arenas[i];
        for (uint32_t t = 0; t < arena->n_tensors; t++) {
            const eti_planned *planned = &method->liveness.tensors[arena->tensors[t]];
            bool has_place = v->places[number] && planned->writer != ETI_NO_INSTRUCTION;
            v->rows[v->n_rows++] =
                (tensor_row){.memory = v->memory,
                             .method = number,
                             .planned = planned,
                             .arena = arena,
                             .place = has_place ? &v->places[number][planned->writer] : NULL,
                             .is_at_peak = eti__planned_is_live(planned, arena->peak_at)};
        }
    }
}

/* Finds the places of the instructions that write. */
static eti_status find_places(memory_view *v, const eti_planned_method *method,
                              eti_call_place *out) {
    eti_call_places places;
    eti_status status = eti__call_places_init(&places, v->memory->inspector, method, v->err);
    for (uint32_t t = 0; t < method->liveness.n_tensors && status == ETI_OK; t++) {
        uint32_t writer = method->liveness.tensors[t].writer;
        bool is_known =
            writer == ETI_NO_INSTRUCTION || out[writer].node.data || out[writer].module.data;
        if (!is_known && !eti__call_places_find(&places, writer, &out[writer]))
            status = eti_fail_memory(v->err);
    }
    eti__call_places_free(&places);
    return status;
}

static eti_status list_places(memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    v->places = eti__arena_alloc_zero(&v->memory->arena, methods->n, sizeof *v->places);
    if (!v->places)
        return eti_fail_memory(v->err);
    for (uint32_t i = 0; i < methods->n; i++) {
        const eti_planned_method *method = &methods->methods[i];
        if (method->record_method == ETI_NO_METHOD)
            continue;
        eti_call_place *places =
            eti__arena_alloc_zero(&v->memory->arena, method->liveness.calls.n, sizeof *places);
        if (!places)
            return eti_fail_memory(v->err);
        v->places[i] = places;
        ETI_TRY(find_places(v, method, places));
    }
    return ETI_OK;
}

static eti_status make_rows(memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    size_t n = 0;
    ETI_TRY(list_places(v));
    for (uint32_t i = 0; i < methods->n; i++)
        n += methods->methods[i].liveness.n_tensors;
    v->rows = eti__arena_alloc(&v->memory->arena, n, sizeof *v->rows);
    if (!v->rows)
        return eti_fail_memory(v->err);
    for (uint32_t i = 0; i < methods->n; i++)
        list_rows(v, i);
    eti__sort(v->rows, v->n_rows, sizeof *v->rows, compare_rows, NULL);
    return ETI_OK;
}

/* Checks the size of names, which rows may repeat until they are many times as long as the file. */
static eti_status check_text(const memory_view *v) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < v->n_rows; i++) {
        const tensor_row *row = &v->rows[i];
        n_bytes += v->memory->names[row->method].method.size + row->planned->tensor->name.size;
        if (row->planned->writer != ETI_NO_INSTRUCTION)
            n_bytes += eti__planned_call_name(v->memory, row->method, row->planned->writer).size;
        if (row->place)
            n_bytes += row->place->module.size + row->place->file.size;
    }
    return eti__view_check_text(v->memory->inspector, n_bytes, v->err);
}

/* ---- tables ------------------------------------------------------------------------------------ */

/* Adds a table over rows that live as long as the report. */
static eti_status add_table(const memory_view *v, const char *name, const char *title,
                            const eti_column_spec *specs, size_t n_specs,
                            bool (*make)(const void *context, size_t row, eti_row *out),
                            tensor_row *rows, size_t n_rows) {
    eti_row_source source = {make, NULL, rows};
    eti_table *table;
    ETI_TRY(eti__columns_make_rows(&table, specs, n_specs, n_rows, source, NULL, v->err));
    table->most_drawn = eti__view_most_drawn(v->memory->inspector);
    ETI_TRY(eti__report_add(v->report, name, title, table, v->err));
    v->report->sections[v->report->n_sections - 1].hides_empty = true;
    return ETI_OK;
}

/* Keeps the rows of tensors that live at the instruction of options->at. */
static void keep_live(memory_view *v) {
    size_t n = 0;
    for (size_t i = 0; i < v->n_rows; i++) {
        uint32_t last = v->memory->methods.methods[v->rows[i].method].liveness.calls.n;
        if (v->options->at < last &&
            eti__planned_is_live(v->rows[i].planned, (uint32_t)v->options->at))
            v->rows[n++] = v->rows[i];
    }
    v->n_rows = n;
}

static eti_status check_instruction(const memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    uint32_t most = 0;
    for (uint32_t i = 0; i < methods->n; i++) {
        uint32_t n = methods->methods[i].liveness.calls.n;
        most = n > most ? n : most;
    }
    if (v->options->at < most)
        return ETI_OK;
    return eti_fail(v->err, ETI_ERROR_USAGE,
                    "%sat %zu: there is no such instruction; the %s %" PRIu32 ", counting from 0",
                    eti__option_prefix(), v->options->at,
                    methods->n > 1 ? "longest method has" : "method has", most);
}

/* Adds a line for each method: the instruction, the operator or delegate that it calls, and the bytes in use. */
static eti_status note_instruction(const memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    uint32_t at = (uint32_t)v->options->at;
    for (uint32_t i = 0; i < methods->n; i++) {
        const eti_planned_method *method = &methods->methods[i];
        eti_buffer note = {0};
        if (at >= method->liveness.calls.n)
            continue;
        eti__buffer_printf(&note, "instruction %" PRIu32 " of %.*s calls ", at,
                           ETI_TEXT_ARGS(v->memory->names[i].method));
        eti__buffer_add_text(&note, eti__planned_call_name(v->memory, i, at));
        eti__buffer_add_string(&note, "; ");
        eti__add_bytes(&note, eti__arenas_in_use(&method->arenas, at));
        eti__buffer_add_string(&note, " are in use");
        ETI_TRY(eti__report_take_note(v->report, &note, v->err));
    }
    return ETI_OK;
}

static eti_status add_tensors(memory_view *v) {
    bool is_at = v->options->at != ETI_NO_INSTRUCTION_ASKED;
    if (is_at) {
        ETI_TRY(check_instruction(v));
        keep_live(v);
    }
    ETI_TRY(check_text(v));
    ETI_TRY(add_table(v, "tensors", is_at ? "Live at the instruction" : "Planned tensors",
                      tensor_columns, ETI_N_COLUMNS(tensor_columns), make_tensor, v->rows,
                      v->n_rows));
    if (v->n_rows > 0)
        ETI_TRY(eti__report_note(v->report, v->err,
                                 "* bytes in use at the peak of the arena, see table arenas"));
    return is_at ? note_instruction(v) : ETI_OK;
}

static eti_status note_methods(const memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < methods->n; i++) {
        const eti_planned_arenas *arenas = &methods->methods[i].arenas;
        largest = arenas->total_size > largest ? arenas->total_size : largest;
    }
    if (methods->n < 2)
        return ETI_OK;
    eti_buffer note = {0};
    eti__buffer_add_string(&note, "arenas of the largest method: ");
    eti__add_bytes(&note, largest);
    eti__buffer_add_string(&note, "; methods may share arenas at run time");
    return eti__report_take_note(v->report, &note, v->err);
}

static eti_status add_arenas(const memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    bool is_at = v->options->at != ETI_NO_INSTRUCTION_ASKED;
    eti_column_spec columns[ETI_N_COLUMNS(arena_columns)];
    eti_table *table;
    for (size_t i = 0; i < ETI_N_COLUMNS(columns); i++)
        columns[i] = arena_columns[i];
    if (!is_at)
        columns[ETI_N_COLUMNS(columns) - 1].name = NULL;
    ETI_TRY(eti__columns_add_section(&table, v->report, "arenas", "Arenas", columns,
                                     ETI_N_COLUMNS(columns), NULL, v->err));
    for (uint32_t i = 0; i < methods->n; i++) {
        const eti_planned_arenas *arenas = &methods->methods[i].arenas;
        for (uint32_t a = 0; a < arenas->n_arenas; a++) {
            arena_row row = {v->memory, i, &arenas->arenas[a],
                             is_at ? (uint32_t)v->options->at : 0};
            ETI_TRY(eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, v->err));
        }
    }
    return note_methods(v);
}

/* ---- scratch memory of delegates ------------------------------------------------------------- */

/* A row of the table of delegates. */
typedef struct scratch_row {
    const eti_planned_memory *memory;
    uint32_t method;
    const eti_scratch *of;
} scratch_row;

ETI_CELL_SETTER(scratch_row, scratch_method, eti__text_cell(row->memory->names[row->method].method))
ETI_CELL_SETTER(scratch_row, scratch_instruction, eti__count_cell(row->of->instruction))
ETI_CELL_SETTER(scratch_row, scratch_backend,
                eti__text_cell(row->memory->names[row->method].delegates[row->of->delegate]))
ETI_CELL_SETTER(scratch_row, scratch_bytes, eti__count_cell(row->of->bytes))

static bool set_allocator(void *context, eti_cell *cell) {
    (void)context;
    eti__cell_put(cell, eti__string_cell("temporary"));
    return true;
}

static const eti_column_spec scratch_columns[] = {
    {"method", ETI_TEXTS, false, "method that calls the delegate", set_scratch_method},
    {"instruction", ETI_COUNTS, false, "number of the call", set_scratch_instruction},
    {"backend", ETI_TEXTS, false, "backend of the delegate", set_scratch_backend},
    {"bytes", BYTES, false, "bytes that it takes in each call", set_scratch_bytes},
    {"allocator", ETI_TEXTS, false, "allocator of the runtime from which it takes them",
     set_allocator},
};

static bool is_shown_at(const memory_view *v, const eti_scratch *scratch) {
    return v->options->at == ETI_NO_INSTRUCTION_ASKED || v->options->at == scratch->instruction;
}

/* Adds the rows of a method to the table, or only counts them if it is NULL. */
static eti_status add_scratches(const memory_view *v, eti_table *table, uint32_t method,
                                uint32_t *n) {
    const eti_scratches *scratches = &v->memory->scratches[method];
    for (uint32_t i = 0; i < scratches->n; i++) {
        scratch_row row = {v->memory, method, &scratches->items[i]};
        if (!is_shown_at(v, row.of))
            continue;
        if (table)
            ETI_TRY(eti__columns_add_row(table, scratch_columns, ETI_N_COLUMNS(scratch_columns),
                                         &row, v->err));
        ++*n;
    }
    return ETI_OK;
}

/* Adds a table of the memory that delegates take beside the arenas, if they do. */
static eti_status add_delegates(const memory_view *v) {
    uint32_t n_methods = v->memory->methods.n, n = 0;
    eti_table *table;
    for (uint32_t i = 0; i < n_methods; i++)
        ETI_TRY(add_scratches(v, NULL, i, &n));
    if (n > 0 || v->options->at == ETI_NO_INSTRUCTION_ASKED)
        ETI_TRY(eti__note_scratches(v->report, v->memory, "table delegates", v->err));
    if (n == 0)
        return ETI_OK;
    ETI_TRY(eti__columns_add_section(&table, v->report, "delegates",
                                     "Memory that delegates take in a call", scratch_columns,
                                     ETI_N_COLUMNS(scratch_columns), NULL, v->err));
    for (uint32_t i = 0; i < n_methods; i++)
        ETI_TRY(add_scratches(v, table, i, &n));
    return ETI_OK;
}

/* Adds notes about overlaps, which are bugs of memory planners. */
static eti_status note_overlaps(const memory_view *v) {
    const eti_planned_methods *methods = &v->memory->methods;
    size_t n_overlaps = 0, n_beyond = 0;
    for (uint32_t i = 0; i < methods->n; i++) {
        n_overlaps += methods->methods[i].arenas.n_overlaps;
        n_beyond += methods->methods[i].arenas.n_beyond;
    }
    if (n_overlaps > 0)
        ETI_TRY(eti__report_note(
            v->report, v->err,
            "tensors planned over others in use: %zu (etinspect check lists them)", n_overlaps));
    if (n_beyond > 0)
        ETI_TRY(eti__report_note(
            v->report, v->err,
            "tensors that extend beyond their arena: %zu (etinspect check lists them)", n_beyond));
    return ETI_OK;
}

static eti_status add_peaks(const memory_view *v) {
    tensor_row *rows = eti__arena_alloc(&v->memory->arena, v->n_rows, sizeof *rows);
    size_t n = 0;
    if (!rows)
        return eti_fail_memory(v->err);
    for (size_t i = 0; i < v->n_rows; i++) {
        if (v->rows[i].is_at_peak)
            rows[n++] = v->rows[i];
    }
    eti__sort(rows, n, sizeof *rows, compare_sizes, NULL);
    return add_table(v, "at_peak", "Live at the peak", peak_columns, ETI_N_COLUMNS(peak_columns),
                     make_at_peak, rows, n);
}

eti_status eti__view_memory(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    memory_view v = {.report = report, .options = options, .err = err};
    ETI_TRY(eti__planned_memory_make(&v.memory, report, inspector, err));
    if (options->map)
        return add_memory_map(report, v.memory, err);
    ETI_TRY(make_rows(&v));
    ETI_TRY(add_tensors(&v));
    ETI_TRY(add_arenas(&v));
    ETI_TRY(add_delegates(&v));
    ETI_TRY(note_overlaps(&v));
    return options->at == ETI_NO_INSTRUCTION_ASKED ? add_peaks(&v) : ETI_OK;
}
