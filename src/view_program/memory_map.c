/*
 * memory_map.c - a tree over instructions finds the tensors alive at an instruction: each tensor is
 * stored at the few nodes that together cover its life, and the tensors alive at an instruction are
 * on the path from its leaf to the root.
 */
#include "view_program/memory_map.h"

#include "base/sort.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

ETI_CELL_SETTER(map_row, method, eti__text_cell(row->map->memory->names[row->of->method].method))
ETI_CELL_SETTER(map_row, memory_id, eti__count_cell(row->of->arena->memory_id))
ETI_CELL_SETTER(map_row, instruction, eti__count_cell(row->instruction))
ETI_CELL_SETTER(map_row, operator,
                eti__text_cell(eti__planned_call_name(row->map->memory, row->of->method,
                                                      row->instruction)))
ETI_CELL_SETTER(map_row, in_use,
                eti__count_cell(eti__arena_in_use(row->of->arena, row->instruction)))
ETI_CELL_SETTER(map_row, at_peak, eti__bool_cell(row->instruction == row->of->arena->peak_at))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the arena", set_method},
    {"memory_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the arena", set_memory_id},
    {"instruction", ETI_COUNTS, false, "number of the instruction", set_instruction},
    {"operator", ETI_TEXTS, false, "operator or delegate that it calls", set_operator},
    {"in_use", ETI_TYPE_UINT64, ETI_COLUMN_COUNT, false, "bytes of the arena in use", set_in_use},
    {"at_peak", ETI_MARKS, false, "true at the peak of the arena", set_at_peak},
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
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
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
static eti_status add_arenas(memory_map *map, eti_arena *arena, uint32_t number, eti_error *err) {
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
        ETI_TRY(add_arenas(map, arena, i, err));
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
    return eti__report_note(report, err, "across: bytes 0 to %" PRIu64 "; marked: the peak", end);
}

eti_status eti__memory_add_map(eti_report *report, eti_planned_memory *memory, eti_error *err) {
    eti_table *table;
    ETI_TRY(check_size(memory, err));
    memory_map *map = eti__arena_alloc_zero(&memory->arena, 1, sizeof *map);
    if (!map)
        return eti_fail_memory(err);
    map->memory = memory;
    ETI_TRY(make_map(map, &memory->arena, err));
    eti_row_source source = {make_row, NULL, map};
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), map->n_rows, source,
                                   NULL, err));
    table->most_drawn = eti__view_most_drawn(memory->inspector);
    ETI_TRY(eti__report_add(report, "map", NULL, table, err));
    return note_edges(report, map, err);
}
