#include "compare/parts.h"

#include "base/names.h"
#include "rollup/rollup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== diff match ============================================================================== */
/* Makes the pairs of blocks and the rows of a comparison from the corresponding parts of both
 * profiles. */

/* ---- blocks ---------------------------------------------------------------------------------- */

static const eti_entry *find_total(const eti_profile_block *block) {
    bool has = block && block->n_totals > 0 && block->entries[0].kind == ETI_ENTRY_EXECUTE;
    return has ? &block->entries[0] : NULL;
}

static bool find_namesakes(eti_diff *diff, eti_diff_pair *pair) {
    return (!pair->base || eti__namesakes_find(&pair->namesakes_base, pair->base, &diff->arena)) &&
           (!pair->new_side ||
            eti__namesakes_find(&pair->namesakes_new, pair->new_side, &diff->arena));
}

/* Adds up the events and the framework, whose total includes its instructions. Without a framework, as in baselines that
 * another program wrote, or with events that count cycles, the time of the whole that is in no event counts too. */
static double sum_typical(const eti_profile_block *block) {
    double sum = 0, execute = 0;
    bool has_framework = false, has_cycles = false;
    for (size_t i = 0; block && i < block->n_entries; i++) {
        const eti_entry *entry = &block->entries[i];
        bool is_event = i >= block->n_totals && entry->role != ETI_ROLE_INSTRUCTION;
        if ((is_event && !entry->unit.data) || entry->kind == ETI_ENTRY_FRAMEWORK)
            sum += eti__entry_typical(block, entry);
        has_framework |= entry->kind == ETI_ENTRY_FRAMEWORK;
        has_cycles |= is_event && entry->unit.data;
        if (entry->kind == ETI_ENTRY_EXECUTE)
            execute = eti__entry_typical(block, entry);
    }
    return (has_framework && !has_cycles) || sum > execute ? sum : execute;
}

static eti_status add_pairs(eti_diff *diff, const eti_match *matches, size_t n, eti_error *err) {
    diff->pairs = eti__arena_alloc_zero(&diff->arena, n + 1, sizeof *diff->pairs);
    if (!diff->pairs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_diff_pair *pair = &diff->pairs[diff->n_pairs++];
        if (matches[i].base != ETI_NO_ENTRY)
            pair->base = &diff->base->blocks[matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            pair->new_side = &diff->new_side->blocks[matches[i].new_side];
        pair->total_base = find_total(pair->base);
        pair->total_new = find_total(pair->new_side);
        pair->typical_base = sum_typical(pair->base);
        pair->typical_new = sum_typical(pair->new_side);
        if (!find_namesakes(diff, pair))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) {
    eti_match *matches;
    size_t n;
    ETI_TRY(eti__match_blocks(&matches, &n, diff->base, diff->new_side, err));
    eti_status status = add_pairs(diff, matches, n, err);
    free(matches);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void add_row(eti_diff *diff, eti_diff_rows *rows, uint32_t pair, const eti_entry *base,
                    const eti_entry *new_side, eti_match_kind kind) {
    eti_diff_row *row = &rows->rows[rows->n++];
    *row = eti__diff_row_of(diff, pair, base, new_side);
    row->match = (uint8_t)kind;
    if (row->kind == ETI_ENTRY_EXECUTE)
        diff->pairs[pair].total = row;
}

static eti_match_kind kind_of(const eti_entry *base, const eti_entry *new_side) {
    if (!base)
        return ETI_MATCH_ADDED;
    return new_side ? ETI_MATCH_SAME : ETI_MATCH_REMOVED;
}

static void add_totals(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    for (int kind = 0; kind < ETI_N_TOTALS; kind++) {
        const eti_entry *base = NULL, *new_side = NULL;
        for (size_t i = 0; pair->base && i < pair->base->n_totals; i++)
            base = pair->base->entries[i].kind == kind ? &pair->base->entries[i] : base;
        for (size_t i = 0; pair->new_side && i < pair->new_side->n_totals; i++)
            new_side =
                pair->new_side->entries[i].kind == kind ? &pair->new_side->entries[i] : new_side;
        if (base || new_side)
            add_row(diff, &diff->totals, number, base, new_side, kind_of(base, new_side));
    }
}

static void add_allocated(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_entry *base = pair->base ? pair->base->allocated : NULL;
    const eti_entry *new_side = pair->new_side ? pair->new_side->allocated : NULL;
    if (base || new_side)
        add_row(diff, &diff->allocated, number, base, new_side, kind_of(base, new_side));
}

/* Adds a block that the other side lacks. */
static void add_lonely(eti_diff *diff, uint32_t number) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const eti_profile_block *block = pair->base ? pair->base : pair->new_side;
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        const eti_entry *base = pair->base ? &block->entries[i] : NULL;
        const eti_entry *new_side = pair->base ? NULL : &block->entries[i];
        add_row(diff, &diff->events, number, base, new_side, kind_of(base, new_side));
    }
}

static eti_status add_events(eti_diff *diff, uint32_t number, eti_error *err) {
    const eti_diff_pair *pair = &diff->pairs[number];
    eti_match *matches;
    size_t n;
    ETI_TRY(eti__match_events(&matches, &n, pair->base, pair->new_side, err));
    for (size_t i = 0; i < n; i++) {
        const eti_entry *base = NULL, *new_side = NULL;
        if (matches[i].base != ETI_NO_ENTRY)
            base = &pair->base->entries[pair->base->n_totals + matches[i].base];
        if (matches[i].new_side != ETI_NO_ENTRY)
            new_side = &pair->new_side->entries[pair->new_side->n_totals + matches[i].new_side];
        add_row(diff, &diff->events, number, base, new_side, matches[i].kind);
    }
    free(matches);
    return ETI_OK;
}

static bool has_total(const eti_diff_pair *pair) {
    return pair->total_base || pair->total_new;
}

/* Totals of a pair, and the levels of its families. */
#define MOST_TOTALS (ETI_N_TOTALS + 4)

static size_t count_events(const eti_profile_block *block) {
    return block ? block->n_entries - block->n_totals : 0;
}

eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) {
    size_t most = 1;
    for (size_t i = 0; i < diff->n_pairs; i++)
        most += count_events(diff->pairs[i].base) + count_events(diff->pairs[i].new_side);
    diff->totals.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs * MOST_TOTALS + 1, sizeof *diff->totals.rows);
    diff->events.rows = eti__arena_alloc(&diff->arena, most, sizeof *diff->events.rows);
    diff->allocated.rows =
        eti__arena_alloc(&diff->arena, diff->n_pairs + 1, sizeof *diff->allocated.rows);
    if (!diff->totals.rows || !diff->events.rows || !diff->allocated.rows)
        return eti_fail_memory(err);
    /* blocks that only load come last */
    for (int only_loads = 0; only_loads < 2; only_loads++) {
        for (uint32_t i = 0; i < diff->n_pairs; i++) {
            if (has_total(&diff->pairs[i]) != only_loads)
                add_totals(diff, i);
        }
    }
    size_t n_totals = 0;
    for (uint32_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        add_allocated(diff, i);
        n_totals += pair->total_new != NULL;
        if (pair->base && pair->new_side)
            ETI_TRY(add_events(diff, i, err));
        else
            add_lonely(diff, i);
    }
    diff->names_blocks = n_totals > 1;
    return ETI_OK;
}

/* ==== diff groups ============================================================================= */
/* Adds up the events of both profiles by operators, operator type, module, backend, line of source
 * or node.
 *
 * The events of each side are grouped separately, regardless of how they are matched. The
 * runtime's self time is one group. Events that count cycles are groups of their own, so the
 * groups add up to the total if there are none. */

typedef struct grouper grouper;

/* One side of a group. */
typedef struct half {
    uint64_t *ticks;       /* sums per run; NULL if not kept, or if there are no events */
    eti_file_times *times; /* times of the sums, per file; NULL if there are no events */
    size_t n_events;
    double typical;           /* sum of those of its events */
    const eti_entry *largest; /* event that takes the most time */
} half;

typedef struct group {
    eti_text name, unit;
    bool is_rest; /* its events have no known property, or it is the framework */
    half base, new_side;
    double square_steps; /* sum of the squares of the steps of its events' clocks */
} group;

struct grouper {
    eti_diff *diff;
    const eti_diff_grouping *grouping;
    bool has_ticks; /* both sides keep their runs */
    double *scratch;
    size_t scratch_capacity;
    ETI_INTERN_OF(group) groups; /* groups of a pair of blocks */
    eti_text_table spelled;      /* distinct lines of source; in the arena of the diff */
    size_t n_rows, row_capacity;
    eti_diff_row *rows;
};

static void free_grouper(grouper *g) {
    eti__intern_free(&g->groups.table);
    eti__text_table_free(&g->spelled);
    free(g->rows);
    free(g->scratch);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool name_of_op(grouper *g, const eti_entry *entry, eti_text *out) {
    (void)g;
    *out = entry->op_type;
    return true;
}

static bool name_of_node(grouper *g, const eti_entry *entry, eti_text *out) {
    (void)g;
    bool is_call = entry->role == ETI_ROLE_DELEGATE_CALL; /* a delegate call has many nodes */
    *out = entry->origin;
    if (!entry->origin.data && is_call)
        *out = entry->op_type;
    return true;
}

static bool name_of_module(grouper *g, const eti_entry *entry, eti_text *out) {
    (void)g;
    *out = entry->module;
    return true;
}

static bool name_of_backend(grouper *g, const eti_entry *entry, eti_text *out) {
    (void)g;
    if (entry->role == ETI_ROLE_KERNEL)
        *out = eti__text_of(ETI_GROUP_NOT_DELEGATED);
    else if (entry->backend.size > 0)
        *out = entry->backend;
    return true;
}

static bool name_of_source(grouper *g, const eti_entry *entry, eti_text *out) {
    eti_buffer text = {0};
    uint32_t number;
    if (!entry->file.data)
        return true;
    eti__add_source_line(&text, entry->file, entry->line);
    bool done = !text.failed &&
                eti__text_table_add(&g->spelled, eti__buffer_text(&text), &g->diff->arena, &number);
    eti__buffer_free(&text);
    if (done)
        *out = g->spelled.texts[number];
    return done;
}

static const eti_diff_grouping groupings[] = {
    {"op", "operators", "all operators alike", false, ETI_GROUP_UNKNOWN, name_of_op},
    {"optype", "operators", "all operators alike", false, ETI_GROUP_UNKNOWN, name_of_op},
    {"module", "modules", "all modules alike", true, ETI_GROUP_UNKNOWN, name_of_module},
    {"backend", "backends", "all backends alike", false, ETI_GROUP_UNKNOWN, name_of_backend},
    {"source", "source lines", "all source lines alike", true, ETI_GROUP_UNKNOWN_OR_SEVERAL_LINES,
     name_of_source},
    {"node", "nodes", "all nodes alike", true, ETI_GROUP_UNKNOWN, name_of_node},
};
#define N_GROUPINGS (sizeof groupings / sizeof *groupings)

const eti_diff_grouping *eti__find_diff_grouping(const char *name) {
    for (size_t i = 0; name && i < N_GROUPINGS; i++) {
        if (strcmp(groupings[i].name, name) == 0)
            return &groupings[i];
    }
    return NULL;
}

static eti_status fail_grouping(const char *name, eti_error *err) {
    eti_buffer names = {0};
    for (size_t i = 0; i < N_GROUPINGS; i++)
        eti__buffer_printf(&names, "%s%s",
                           i == 0                ? ""
                           : i + 1 < N_GROUPINGS ? ", "
                                                 : " or ",
                           groupings[i].name);
    eti_status status =
        names.failed ? eti_fail_memory(err)
                     : eti_fail(err, ETI_ERROR_USAGE, "there is no grouping by %s: expected %.*s",
                                name, ETI_TEXT_ARGS(eti__buffer_text(&names)));
    eti__buffer_free(&names);
    return status;
}

/* Sets the name of the group of an event. Returns false if memory runs out. */
static bool name_group(grouper *g, const eti_entry *entry, group *out) {
    *out = (group){.unit = entry->unit};
    bool done = g->grouping->find_name(g, entry, &out->name);
    out->is_rest = !out->name.data;
    if (out->is_rest)
        out->name = eti__text_of(g->grouping->unknown);
    return done;
}

/* ---- adding up ------------------------------------------------------------------------------- */

/* Adds the times of an event; a file without the event adds nothing. */
static void add_times(eti_file_times *sum, const eti_file_times *times) {
    if (eti__file_lacks_entry(times))
        return;
    sum->fast += times->fast;
    sum->p10 += times->p10;
    sum->p50 += times->p50;
    sum->p90 += times->p90;
    sum->p95 += times->p95;
    sum->p99 += times->p99;
    sum->avg += times->avg;
    sum->min += times->min;
    sum->max += times->max;
}

/* Adds an event to a side. If either side does not keep its runs, both sides sum up the events' times instead. */
static bool add_to_half(grouper *g, half *h, const eti_profile_block *block,
                        const eti_entry *entry) {
    eti_arena *arena = &g->diff->arena;
    if (!h->largest || entry->summary.p50 > h->largest->summary.p50)
        h->largest = entry;
    h->typical += eti__entry_typical(block, entry);
    if (h->n_events++ == 0) {
        h->times = eti__arena_alloc_zero(arena, block->n_files, sizeof *h->times);
        if (g->has_ticks)
            h->ticks = eti__arena_alloc_zero(arena, block->n_runs, sizeof *h->ticks);
    }
    if (!h->times || (g->has_ticks && !h->ticks))
        return false;
    for (size_t i = 0; i < block->n_files; i++)
        add_times(&h->times[i], &entry->times[i]);
    for (size_t i = 0; h->ticks && i < block->n_runs; i++)
        h->ticks[i] += entry->ticks[i];
    return true;
}

static uint64_t hash_group(const void *key, uint64_t seed) {
    const group *of = key;
    return eti__text_hash(of->name, seed);
}

static bool is_equal_group(const void *key, const void *other) {
    const group *a = key, *b = other;
    return eti__text_equal(a->name, b->name) && eti__text_equal(a->unit, b->unit);
}

static const eti_intern_kind by_name = {
    .item_size = sizeof(group), .hash = hash_group, .is_equal = is_equal_group};

static bool add_entry(grouper *g, const eti_profile_block *block, const eti_entry *entry,
                      bool is_new, const group *key, double step) {
    uint32_t number;
    if (!eti__intern_add(&g->groups.table, &by_name, key, &number))
        return false;
    group *of = &g->groups.items[number];
    if (is_new)
        of->square_steps += step * step;
    return add_to_half(g, is_new ? &of->new_side : &of->base, block, entry);
}

/* Adds the events of a side. The total of the framework already includes its instructions. */
static bool add_side(grouper *g, const eti_profile_block *block, bool is_new) {
    for (size_t i = 0; block && i < block->n_entries; i++) {
        const eti_entry *entry = &block->entries[i];
        group key = {.name = eti__text_of(ETI_GROUP_FRAMEWORK), .is_rest = true};
        bool is_event = i >= block->n_totals && entry->role != ETI_ROLE_INSTRUCTION;
        if (!is_event && entry->kind != ETI_ENTRY_FRAMEWORK)
            continue;
        if ((is_event && !name_group(g, entry, &key)) ||
            !add_entry(g, block, entry, is_new, &key, eti__diff_clock_step(g->diff, entry)))
            return false;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static double median_p50(const eti_row_side *side, size_t n_files, double *scratch) {
    for (size_t i = 0; i < n_files; i++)
        scratch[i] = side->times[i].p50;
    return eti__median(scratch, n_files);
}

static bool set_half(grouper *g, double factor, const eti_profile_block *block, const half *h,
                     eti_row_side *out) {
    out->ticks = h->ticks;
    out->times = h->times;
    out->n_events = h->n_events;
    out->typical = h->typical;
    if (h->n_events == 0)
        return true;
    size_t n = block->n_runs > block->n_files ? block->n_runs : block->n_files;
    if (!ETI_GROW(g->scratch, g->scratch_capacity, 2 * n))
        return false;
    for (size_t i = 0; h->ticks && i < block->n_files; i++)
        eti__file_times_of(&h->times[i], h->ticks + block->files[i].first, block->files[i].n,
                           g->scratch);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a group with events has a largest one */
    out->p50 = median_p50(out, block->n_files, g->scratch) / (h->largest->unit.data ? 1 : factor);
    return true;
}

static bool add_group_row(grouper *g, uint32_t number, uint32_t group_number) {
    const group *of = &g->groups.items[group_number];
    const eti_diff_pair *pair = &g->diff->pairs[number];
    if (!ETI_GROW(g->rows, g->row_capacity, g->n_rows + 1))
        return false;
    eti_diff_row *row = &g->rows[g->n_rows++];
    *row = eti__diff_row_of(g->diff, number, of->base.largest, of->new_side.largest);
    row->kind = ETI_ENTRY_EVENT;
    row->name = of->name;
    row->base.namesakes = row->new_side.namesakes = NULL;
    row->is_rest = of->is_rest;
    row->step = sqrt(of->square_steps);
    row->match = ETI_MATCH_SAME;
    if (!of->base.largest || !of->new_side.largest)
        row->match = of->base.largest ? ETI_MATCH_REMOVED : ETI_MATCH_ADDED;
    return set_half(g, g->diff->base_factor, pair->base, &of->base, &row->base) &&
           set_half(g, g->diff->new_side->factor, pair->new_side, &of->new_side, &row->new_side);
}

static bool add_pair(grouper *g, uint32_t number) {
    const eti_diff_pair *pair = &g->diff->pairs[number];
    eti__intern_free(&g->groups.table);
    if (!add_side(g, pair->base, false) || !add_side(g, pair->new_side, true))
        return false;
    for (uint32_t i = 0; i < g->groups.count; i++) {
        if (!add_group_row(g, number, i))
            return false;
    }
    return true;
}

static bool keep_rows(grouper *g) {
    eti_diff *diff = g->diff;
    diff->groups.rows = eti__arena_alloc(&diff->arena, g->n_rows + 1, sizeof *g->rows);
    if (!diff->groups.rows)
        return false;
    if (g->n_rows > 0)
        memcpy(diff->groups.rows, g->rows, g->n_rows * sizeof *g->rows);
    diff->groups.n = g->n_rows;
    return true;
}

eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) {
    grouper g = {.diff = diff,
                 .has_ticks = diff->base->has_ticks && diff->new_side->has_ticks,
                 .grouping = eti__find_diff_grouping(diff->options.group)};
    if (!g.grouping)
        return fail_grouping(diff->options.group, err);
    bool done = true;
    for (uint32_t i = 0; i < diff->n_pairs && done; i++)
        done = add_pair(&g, i);
    done = done && keep_rows(&g);
    free_grouper(&g);
    return done ? ETI_OK : eti_fail_memory(err);
}
