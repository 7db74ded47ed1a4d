#include "program/liveness.h"

#include "base/array.h"
#include "base/sort.h"
#include "program/calls.h"

#include <stdlib.h>
#include <string.h>

/* ==== alias sources =========================================================================== */

/* ---- ranges ---------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_tensors(const void *a, const void *b, void *context) {
    const eti_planned *tensors = context;
    const eti_planned *left = &tensors[*(const uint32_t *)a],
                      *right = &tensors[*(const uint32_t *)b];
    int order = compare_numbers(left->tensor->memory_id, right->tensor->memory_id);
    if (order == 0)
        order = left->tensor->scalar_type - right->tensor->scalar_type;
    if (order == 0)
        order = compare_numbers(left->tensor->memory_offset, right->tensor->memory_offset);
    return order ? order : compare_numbers(eti__planned_end(left), eti__planned_end(right));
}

static bool is_same_group(const eti_alias_range *a, const eti_alias_range *b) {
    return a->memory_id == b->memory_id && a->scalar_type == b->scalar_type;
}

/* Makes the ranges; `order` lists the tensors in order of their ranges. */
static void make_ranges(eti_alias_sources *out, const uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const eti_planned *planned = &out->tensors[order[i]];
        bool is_new = i == 0 || compare_tensors(&order[i - 1], &order[i],
                                                (void *)out->tensors /* only read */) != 0;
        if (is_new)
            out->ranges[out->n_ranges++] = (eti_alias_range){
                .memory_id = planned->tensor->memory_id,
                .scalar_type = planned->tensor->scalar_type,
                .offset = planned->tensor->memory_offset,
                .end = eti__planned_end(planned),
                .latest = ETI_NO_PLANNED,
            };
        out->range_of[order[i]] = out->n_ranges - 1;
    }
}

static void make_groups(eti_alias_sources *out) {
    for (uint32_t i = 0, end; i < out->n_ranges; i = end) {
        for (end = i + 1; end < out->n_ranges && is_same_group(&out->ranges[i], &out->ranges[end]);)
            end++;
        for (uint32_t j = i; j < end; j++) {
            out->ranges[j].group = i;
            out->ranges[j].n_group = end - i;
        }
    }
}

/* Returns the number of ranges that node i of a tree, counted from 1, covers. */
static uint32_t node_span(uint32_t i) {
    return i & (0u - i);
}

/* Places the stacks, and returns their total size: each stack contains a range at most once. */
static size_t place_stacks(eti_alias_sources *out) {
    size_t total = 0;
    for (uint32_t i = 0; i < out->n_ranges; i++) {
        out->stacks[i] = total;
        total += node_span(i - out->ranges[i].group + 1);
    }
    return total;
}

eti_status eti__alias_sources_make(eti_alias_sources *out, eti_arena *arena,
                                   const eti_planned *tensors, uint32_t n, eti_error *err) {
    *out = (eti_alias_sources){.tensors = tensors};
    uint32_t *order = eti__arena_alloc(arena, n, sizeof *order);
    out->range_of = eti__arena_alloc(arena, n, sizeof *out->range_of);
    out->ranges = eti__arena_alloc(arena, n, sizeof *out->ranges);
    out->stacks = eti__arena_alloc(arena, n, sizeof *out->stacks);
    out->depth = eti__arena_alloc_zero(arena, n, sizeof *out->depth);
    if (!order || !out->range_of || !out->ranges || !out->stacks || !out->depth)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    eti__sort(order, n, sizeof *order, compare_tensors, (void *)tensors /* only read */);
    make_ranges(out, order, n);
    make_groups(out);
    out->stacked = eti__arena_alloc(arena, place_stacks(out), sizeof *out->stacked);
    return out->stacked ? ETI_OK : eti_fail_memory(err);
}

/* ---- writing and finding --------------------------------------------------------------------- */

void eti__alias_sources_write(eti_alias_sources *sources, uint32_t tensor, uint32_t time) {
    uint32_t number = sources->range_of[tensor];
    eti_alias_range *range = &sources->ranges[number];
    range->latest = tensor;
    range->time = time;
    for (uint32_t i = number - range->group + 1; i <= range->n_group; i += node_span(i)) {
        uint32_t node = range->group + i - 1;
        uint32_t *stack = sources->stacked + sources->stacks[node];
        uint32_t *depth = &sources->depth[node];
        while (*depth > 0 && sources->ranges[stack[*depth - 1]].end <= range->end)
            --*depth;
        stack[(*depth)++] = number;
    }
}

/* Returns the last written of a node's ranges that reach `end`; NULL if none does. */
static const eti_alias_range *find_in_node(const eti_alias_sources *sources, uint32_t node,
                                           uint64_t end) {
    const uint32_t *stack = sources->stacked + sources->stacks[node];
    uint32_t low = 0,
             high =
                 sources
                     ->depth[node]; /* binary search for the first range that does not reach it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sources->ranges[stack[middle]].end >= end)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &sources->ranges[stack[low - 1]] : NULL;
}

static bool is_later(const eti_alias_range *a, const eti_alias_range *b) {
    return a->time != b->time ? a->time > b->time : a->latest > b->latest;
}

/* Returns the number of ranges in the group of `range` that begin where it begins or earlier. */
static uint32_t count_not_after(const eti_alias_sources *sources, const eti_alias_range *range) {
    uint32_t low = 0, high = range->n_group;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sources->ranges[range->group + middle].offset <= range->offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t eti__alias_sources_find(const eti_alias_sources *sources, uint32_t tensor) {
    const eti_alias_range *range = &sources->ranges[sources->range_of[tensor]];
    const eti_alias_range *best = NULL;
    if (range->latest != ETI_NO_PLANNED)
        return range->latest;
    for (uint32_t i = count_not_after(sources, range); i > 0; i -= node_span(i)) {
        const eti_alias_range *found = find_in_node(sources, range->group + i - 1, range->end);
        if (found && (!best || is_later(found, best)))
            best = found;
    }
    return best ? best->latest : ETI_NO_PLANNED;
}

/* ==== loops =================================================================================== */
/* Finds hulls of loops. A span that crosses a loop is widened to that loop, the loops that cross
 * it, the loops that cross those, and so on: to the hull of all of them. Hulls do not cross each
 * other, so that only the hulls of loops that the span itself crosses are needed. Of the loops
 * that extend past one end of the span, the one that extends furthest has the widest hull. */

/* ---- finding loops --------------------------------------------------------------------------- */

/* Returns the number of backward jumps, and stores their loops in `out` unless it is NULL. */
static uint32_t list_jumps(const eti_calls *calls, eti_loop *out) {
    uint32_t n = 0, base = 0;
    for (uint32_t c = 0; c < calls->plan->n_chains; c++) {
        const eti_pte_chain *chain = &calls->plan->chains[c];
        for (uint32_t i = 0; i < chain->n_instructions; i++) {
            const eti_pte_instruction *instruction = &chain->instructions[i];
            if (instruction->kind != ETI_PTE_JUMP_FALSE_CALL || (uint32_t)instruction->target > i)
                continue;
            if (out)
                out[n].span = (eti_span){base + (uint32_t)instruction->target, base + i};
            n++;
        }
        base += chain->n_instructions;
    }
    return n;
}

/* Sorts by beginning; outer loops come before inner ones. */
static int compare_firsts(const void *a, const void *b, void *context) {
    const eti_span *left = &((const eti_loop *)a)->span, *right = &((const eti_loop *)b)->span;
    (void)context;
    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return (left->last < right->last) - (left->last > right->last);
}

static int compare_lasts(const void *a, const void *b, void *context) {
    const eti_span *left = &((const eti_loop *)a)->span, *right = &((const eti_loop *)b)->span;
    (void)context;
    return (left->last > right->last) - (left->last < right->last);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Returns whether loop `a` ends later than `b` (in `by_first`), or begins earlier (in `by_last`); if they are equal,
 * whether it is longer, because more loops cross it. */
typedef bool eti_reaches_further(const eti_loops *loops, uint32_t a, uint32_t b);

static bool ends_later(const eti_loops *loops, uint32_t a, uint32_t b) {
    const eti_span *left = &loops->by_first[a].span, *right = &loops->by_first[b].span;
    return left->last != right->last ? left->last > right->last : left->first < right->first;
}

static bool begins_earlier(const eti_loops *loops, uint32_t a, uint32_t b) {
    const eti_span *left = &loops->by_last[a].span, *right = &loops->by_last[b].span;
    return left->first != right->first ? left->first < right->first : left->last > right->last;
}

static void fill_tree(const eti_loops *loops, uint32_t *tree, eti_reaches_further *reaches) {
    for (uint32_t i = 0; i < loops->n; i++)
        tree[loops->n + i] = i;
    for (size_t i = loops->n; i-- > 1;) {
        uint32_t left = tree[2 * i], right = tree[2 * i + 1];
        tree[i] = reaches(loops, right, left) ? right : left;
    }
}

/* Returns the loop in [low, high), which is not empty, that reaches furthest. */
static uint32_t find_furthest(const eti_loops *loops, const uint32_t *tree,
                              eti_reaches_further *reaches, uint32_t low, uint32_t high) {
    uint32_t best = low;
    for (low += loops->n, high += loops->n; low < high; low /= 2, high /= 2) {
        if (low % 2 == 1) {
            best = reaches(loops, tree[low], best) ? tree[low] : best;
            low++;
        }
        if (high % 2 == 1) {
            high--;
            best = reaches(loops, tree[high], best) ? tree[high] : best;
        }
    }
    return best;
}

/* ---- crossing loops --------------------------------------------------------------------------- */

/* Returns the number of loops that begin (or, in `by_last`, end) before an instruction. */
static uint32_t count_before(const eti_loop *loops, uint32_t n, bool by_last,
                             uint32_t instruction) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const eti_span *span = &loops[middle].span;
        if ((by_last ? span->last : span->first) < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the loop that begins inside the span, after its first instruction, and ends furthest after it; NULL if there is
 * none. */
static const eti_loop *find_behind(const eti_loops *loops, eti_span span) {
    uint32_t low = count_before(loops->by_first, loops->n, false, span.first + 1);
    uint32_t high = count_before(loops->by_first, loops->n, false, span.last + 1);
    if (low == high)
        return NULL;
    uint32_t found = find_furthest(loops, loops->ends_last, ends_later, low, high);
    return loops->by_first[found].span.last > span.last ? &loops->by_first[found] : NULL;
}

/* Returns the loop that ends inside the span, before its last instruction, and begins furthest before it; NULL if there
 * is none. */
static const eti_loop *find_before(const eti_loops *loops, eti_span span) {
    uint32_t low = count_before(loops->by_last, loops->n, true, span.first);
    uint32_t high = count_before(loops->by_last, loops->n, true, span.last);
    if (low == high)
        return NULL;
    uint32_t found = find_furthest(loops, loops->begins_first, begins_earlier, low, high);
    return loops->by_last[found].span.first < span.first ? &loops->by_last[found] : NULL;
}

static void cover(eti_span *span, eti_span other) {
    if (other.first < span->first)
        span->first = other.first;
    if (other.last > span->last)
        span->last = other.last;
}

eti_span eti__loops_widen(const eti_loops *loops, eti_span span) {
    const eti_loop *before = find_before(loops, span), *behind = find_behind(loops, span);
    eti_span wide = span;
    if (before)
        cover(&wide, before->hull);
    if (behind)
        cover(&wide, behind->hull);
    return wide;
}

/* ---- hulls ------------------------------------------------------------------------------------- */

/* Returns the representative of the loops that `i` was joined with. */
static uint32_t find_root(uint32_t *joined, uint32_t i) {
    for (; joined[i] != i; i = joined[i])
        joined[i] = joined[joined[i]];
    return i;
}

static void join(eti_loops *loops, uint32_t *joined, uint32_t i, const eti_loop *other) {
    if (!other)
        return;
    uint32_t a = find_root(joined, i), b = find_root(joined, other->number);
    joined[b] = a;
    cover(&loops->by_first[a].hull, loops->by_first[b].hull);
}

/* Joins each loop with the two loops that cross it and reach furthest; it is then joined with all loops that cross it.
 * Proof: let M and L cross, M before L, let F be L's furthest loop before it, and R be M's furthest loop after it. If F
 * is M, or R is L, they are joined. If F crosses R, these are joined, because by induction all crossing pairs that begin
 * earlier are. Otherwise F crosses M, and M's furthest loop before it is F, or crosses F and begins earlier. */
static void find_hulls(eti_loops *loops, uint32_t *joined) {
    for (uint32_t i = 0; i < loops->n; i++) {
        joined[i] = i;
        loops->by_first[i].hull = loops->by_first[i].span;
    }
    for (uint32_t i = 0; i < loops->n; i++) {
        join(loops, joined, i, find_before(loops, loops->by_first[i].span));
        join(loops, joined, i, find_behind(loops, loops->by_first[i].span));
    }
    for (uint32_t i = 0; i < loops->n; i++) {
        loops->by_first[i].hull = loops->by_first[find_root(joined, i)].hull;
        loops->by_last[i].hull = loops->by_first[find_root(joined, loops->by_last[i].number)].hull;
    }
}

eti_status eti__loops_make(eti_loops *out, eti_arena *arena, const eti_calls *calls,
                           eti_error *err) {
    uint32_t n = list_jumps(calls, NULL);
    *out = (eti_loops){.n = n};
    if (n == 0)
        return ETI_OK;
    uint32_t *joined = eti__arena_alloc(arena, n, sizeof *joined);
    out->by_first = eti__arena_alloc_zero(arena, n, sizeof *out->by_first);
    out->by_last = eti__arena_alloc(arena, n, sizeof *out->by_last);
    out->ends_last = eti__arena_alloc_zero(arena, n, 2 * sizeof *out->ends_last);
    out->begins_first = eti__arena_alloc_zero(arena, n, 2 * sizeof *out->begins_first);
    if (!joined || !out->by_first || !out->by_last || !out->ends_last || !out->begins_first)
        return eti_fail_memory(err);
    list_jumps(calls, out->by_first);
    eti__sort(out->by_first, n, sizeof *out->by_first, compare_firsts, NULL);
    for (uint32_t i = 0; i < n; i++)
        out->by_first[i].number = i;
    memcpy(out->by_last, out->by_first, n * sizeof *out->by_last);
    eti__sort(out->by_last, n, sizeof *out->by_last, compare_lasts, NULL);
    fill_tree(out, out->ends_last, ends_later);
    fill_tree(out, out->begins_first, begins_earlier);
    find_hulls(out, joined);
    return ETI_OK;
}

/* ==== liveness ================================================================================ */

/* ---- uses of values -------------------------------------------------------------------------- */

/* Instructions that use a value; a field is ETI_NO_INSTRUCTION if there is no such instruction. */
typedef struct usage {
    uint32_t first, last;                 /* that refer to it */
    uint32_t first_written, last_written; /* that write it: kernels and delegates */
    uint32_t first_moved;                 /* that moves another value into it */
    uint32_t first_viewed;                /* that makes it a view of another value */
    bool is_input, is_output;             /* of the method */
} usage;

/* An instruction, a kernel or delegate call, writes a planned tensor. */
typedef struct writing {
    uint32_t instruction, tensor;
} writing;

typedef struct maker {
    eti_liveness *out;
    const eti_pte_plan *plan;
    eti_planned *tensors;
    uint32_t *planned_of; /* by value: its planned tensor, or ETI_NO_PLANNED */
    usage *usages;        /* by value */
    const uint32_t *n_outputs;
    writing *writings;
    size_t n_writings, writing_capacity;
    uint32_t *
        waiting; /* planned tensors that are read before they are written, ordered by their first instruction */
    uint32_t n_waiting;
    eti_alias_sources sources;
    eti_arena scratch;
    eti_error *err;
} maker;

static void note_first(uint32_t *first, uint32_t instruction) {
    if (instruction < *first) /* ETI_NO_INSTRUCTION is the largest number */
        *first = instruction;
}

static void note_last(uint32_t *last, uint32_t instruction) {
    if (instruction != ETI_NO_INSTRUCTION && (*last == ETI_NO_INSTRUCTION || instruction > *last))
        *last = instruction;
}

static void note_use(maker *m, int32_t value, uint32_t instruction) {
    note_first(&m->usages[value].first, instruction);
    note_last(&m->usages[value].last, instruction);
}

static void note_write(usage *of, uint32_t first, uint32_t last) {
    note_first(&of->first_written, first);
    note_last(&of->last_written, last);
}

static void note_uses(maker *m, const eti_pte_instruction *instruction, uint32_t number) {
    const int32_t *output = eti__kernel_output(m->plan, instruction);
    for (uint32_t i = 0; i < instruction->args.n; i++)
        note_use(m, instruction->args.items[i], number);
    if (eti__is_view_call(m->plan, instruction))
        note_first(&m->usages[*output].first_viewed, number);
    else if (output)
        note_write(&m->usages[*output], number, number);
    if (instruction->kind == ETI_PTE_MOVE_CALL || instruction->kind == ETI_PTE_JUMP_FALSE_CALL ||
        instruction->kind == ETI_PTE_FREE_CALL)
        note_use(m, instruction->index, number);
    if (instruction->kind == ETI_PTE_MOVE_CALL) {
        note_use(m, instruction->target, number);
        note_first(&m->usages[instruction->target].first_moved, number);
    }
}

/* Counts each use of a list as a use of its items. */
static void note_items(maker *m, int32_t list) {
    const usage of = m->usages[list];
    eti_pte_indices items = eti__value_items(m->plan, &list);
    if (of.first == ETI_NO_INSTRUCTION)
        return;
    for (uint32_t i = 0; i < items.n; i++) {
        if (items.items[i] < 0 || items.items[i] == list)
            continue;
        usage *item = &m->usages[items.items[i]];
        note_first(&item->first, of.first);
        note_last(&item->last, of.last);
        note_write(item, of.first_written, of.last_written);
    }
}

static void note_all_uses(maker *m) {
    const eti_calls *calls = &m->out->calls;
    for (uint32_t v = 0; v < m->plan->n_values; v++)
        m->usages[v] = (usage){ETI_NO_INSTRUCTION,
                               ETI_NO_INSTRUCTION,
                               ETI_NO_INSTRUCTION,
                               ETI_NO_INSTRUCTION,
                               ETI_NO_INSTRUCTION,
                               ETI_NO_INSTRUCTION,
                               false,
                               false};
    for (uint32_t i = 0; i < m->plan->inputs.n; i++)
        m->usages[m->plan->inputs.items[i]].is_input = true;
    for (uint32_t i = 0; i < m->plan->outputs.n; i++)
        m->usages[m->plan->outputs.items[i]].is_output = true;
    for (uint32_t k = 0; k < calls->n; k++)
        note_uses(m, calls->items[k], k);
    for (uint32_t v = 0; v < m->plan->n_values; v++)
        note_items(m, (int32_t)v);
}

/* ---- outputs of delegates -------------------------------------------------------------------- */

/* Returns whether the tensor's bytes outlive a run according to its properties in the program. */
static bool is_kept(const eti_pte_tensor *tensor) {
    return tensor->has_initial_data || tensor->name.size > 0;
}

/* Returns whether a tensor may be an output of the delegate call `number`: nothing refers to it earlier, and only this
 * call gives it a value. */
static bool may_be_output(const maker *m, int32_t value, uint32_t number) {
    const eti_pte_tensor *tensor = eti__pte_tensor_at(m->plan, value);
    const usage *of = &m->usages[value];
    bool has_value = of->is_input || is_kept(tensor) || (!tensor->is_planned && !of->is_output);
    return of->first == number && !has_value;
}

/* Returns the index of the first argument that is an output of a delegate call: inputs come first, outputs last. */
static uint32_t find_outputs(const maker *m, const eti_pte_instruction *instruction,
                             uint32_t number) {
    const eti_pte_indices *args = &instruction->args;
    uint32_t known = m->n_outputs ? m->n_outputs[number] : UINT32_MAX;
    if (known != UINT32_MAX)
        return known < args->n ? args->n - known : 0;
    uint32_t first = args->n;
    for (uint32_t i = args->n; i > 0; i--) {
        if (!eti__pte_tensor_at(m->plan, args->items[i - 1]))
            continue;
        if (!may_be_output(m, args->items[i - 1], number))
            break;
        first = i - 1;
    }
    return first;
}

static void note_delegate_outputs(maker *m) {
    const eti_calls *calls = &m->out->calls;
    for (uint32_t k = 0; k < calls->n; k++) {
        const eti_pte_instruction *instruction = calls->items[k];
        if (instruction->kind != ETI_PTE_DELEGATE_CALL)
            continue;
        for (uint32_t i = find_outputs(m, instruction, k); i < instruction->args.n; i++)
            note_write(&m->usages[instruction->args.items[i]], k, k);
    }
}

/* ---- writings in order of time ---------------------------------------------------------------- */

static bool add_writing(maker *m, int32_t value, uint32_t instruction) {
    uint32_t tensor = value < 0 ? ETI_NO_PLANNED : m->planned_of[value];
    if (tensor == ETI_NO_PLANNED)
        return true;
    if (!ETI_GROW(m->writings, m->writing_capacity, m->n_writings + 1))
        return false;
    m->writings[m->n_writings++] = (writing){instruction, tensor};
    return true;
}

/* Adds a kernel's writings. A list counts only where it is first and last written, because a program may use a list of a
 * million items a million times. */
static bool add_kernel_writings(maker *m, const int32_t *output, uint32_t number) {
    eti_pte_indices items = eti__value_items(m->plan, output);
    const usage *of = &m->usages[*output];
    if (items.items != output && number != of->first_written && number != of->last_written)
        return true;
    for (uint32_t i = 0; i < items.n; i++) {
        if (!add_writing(m, items.items[i], number))
            return false;
    }
    return true;
}

static int compare_writings(const void *a, const void *b, void *context) {
    const writing *left = a, *right = b;
    (void)context;
    if (left->instruction != right->instruction)
        return left->instruction < right->instruction ? -1 : 1;
    return (left->tensor > right->tensor) - (left->tensor < right->tensor);
}

static eti_status list_writings(maker *m) {
    const eti_calls *calls = &m->out->calls;
    bool has_room = true;
    for (uint32_t k = 0; k < calls->n && has_room; k++) {
        const eti_pte_instruction *instruction = calls->items[k];
        const int32_t *output = eti__kernel_output(m->plan, instruction);
        if (output && !eti__is_view_call(m->plan, instruction))
            has_room = add_kernel_writings(m, output, k);
        if (instruction->kind != ETI_PTE_DELEGATE_CALL)
            continue;
        for (uint32_t i = find_outputs(m, instruction, k); i < instruction->args.n && has_room; i++)
            has_room = add_writing(m, instruction->args.items[i], k);
    }
    if (!has_room)
        return eti_fail_memory(m->err);
    eti__sort(m->writings, m->n_writings, sizeof *m->writings, compare_writings, NULL);
    return ETI_OK;
}

/* ---- roles ----------------------------------------------------------------------------------- */

static uint32_t last_instruction(const maker *m) {
    return m->out->calls.n > 0 ? m->out->calls.n - 1 : 0;
}

static void set_life(eti_planned *planned, eti_planned_role role, uint32_t first, uint32_t last) {
    planned->role = (uint8_t)role;
    planned->first = first;
    planned->last = last;
}

static void set_state(const maker *m, eti_planned *planned) {
    set_life(planned, ETI_PLANNED_STATE, 0, last_instruction(m));
}

static bool is_only_moved(const usage *of) {
    return of->first_moved == of->first && of->first_written == ETI_NO_INSTRUCTION;
}

/* Sets the role of a tensor that can be determined without other tensors. Returns false if the tensor is read before it
 * is written, or is an output to which no instruction refers. */
static bool set_role(const maker *m, eti_planned *planned) {
    const usage *of = &m->usages[planned->value];
    bool is_used = of->first != ETI_NO_INSTRUCTION;
    planned->writer = of->first_written;
    if (of->is_input)
        set_life(planned, ETI_PLANNED_INPUT, 0, is_used ? of->last : 0);
    else if (is_kept(planned->tensor))
        set_state(m, planned);
    else if (!is_used && !of->is_output)
        set_life(planned, ETI_PLANNED_UNUSED, 0, 0);
    else if (is_used && of->first_written == of->first)
        set_life(planned, ETI_PLANNED_ACTIVATION, of->first, of->last);
    else if (is_used && of->first_viewed == of->first)
        set_life(planned, ETI_PLANNED_ALIAS, of->first, of->last);
    else if (is_used && is_only_moved(of))
        set_life(planned, ETI_PLANNED_MOVED, of->first, of->last);
    else
        return false;
    return true;
}

static int compare_waiting(const void *a, const void *b, void *context) {
    const maker *m = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    uint32_t left_first = m->usages[m->tensors[left].value].first;
    uint32_t right_first = m->usages[m->tensors[right].value].first;
    if (left_first != right_first)
        return left_first < right_first ? -1 : 1;
    return (left > right) - (left < right);
}

/* Sets the roles that can be determined directly, and lists the other tensors. */
static void set_roles(maker *m) {
    for (uint32_t t = 0; t < m->out->n_tensors; t++) {
        m->tensors[t].alias_of = ETI_NO_PLANNED;
        m->tensors[t].role = ETI_PLANNED_UNUSED; /* for now */
        if (!set_role(m, &m->tensors[t]))
            m->waiting[m->n_waiting++] = t;
    }
    eti__sort(m->waiting, m->n_waiting, sizeof *m->waiting, compare_waiting, m);
}

/* ---- tensors that are read before they are written ---------------------------------------------- */

/* Returns whether views may show the tensor's bytes. */
static bool may_be_source(const eti_planned *planned) {
    return eti__planned_uses_memory(planned) && planned->role != ETI_PLANNED_ALIAS;
}

/* Sets the role of a tensor that is read before it is written, or never read, from the tensors written before. */
static void resolve(maker *m, uint32_t tensor) {
    eti_planned *planned = &m->tensors[tensor];
    const usage *of = &m->usages[planned->value];
    bool is_used = of->first != ETI_NO_INSTRUCTION;
    uint32_t first = is_used ? of->first : last_instruction(m);
    uint32_t last = is_used ? of->last : first;
    bool has_bytes = eti__planned_bytes(planned) > 0;
    uint32_t source = has_bytes ? eti__alias_sources_find(&m->sources, tensor) : ETI_NO_PLANNED;
    set_life(planned, ETI_PLANNED_SCRATCH, first, last);
    planned->alias_of = source;
    if (source != ETI_NO_PLANNED)
        planned->role = ETI_PLANNED_ALIAS;
    else if (has_bytes && (of->first_written != ETI_NO_INSTRUCTION || first != last))
        set_state(m, planned);
}

/* Records the writings by instructions before `time`. */
static size_t write_before(maker *m, size_t done, uint32_t time) {
    for (; done < m->n_writings && m->writings[done].instruction < time; done++) {
        const writing *next = &m->writings[done];
        if (may_be_source(&m->tensors[next->tensor]))
            eti__alias_sources_write(&m->sources, next->tensor, next->instruction + 1);
    }
    return done;
}

/* Resolves the waiting tensors in order of time. Inputs and states are written at the start; a state that is discovered
 * on the way counts as written when it is first read. */
static void resolve_waiting(maker *m) {
    size_t done = 0;
    for (uint32_t t = 0; t < m->out->n_tensors; t++) {
        uint8_t role = m->tensors[t].role;
        if ((role == ETI_PLANNED_INPUT || role == ETI_PLANNED_STATE) &&
            may_be_source(&m->tensors[t]))
            eti__alias_sources_write(&m->sources, t, 0);
    }
    for (uint32_t i = 0; i < m->n_waiting; i++) {
        uint32_t tensor = m->waiting[i];
        uint32_t time = m->usages[m->tensors[tensor].value].first;
        done = write_before(m, done, time);
        resolve(m, tensor);
        if (m->tensors[tensor].role == ETI_PLANNED_STATE)
            eti__alias_sources_write(&m->sources, tensor, time);
    }
}

/* ---- views made by instructions ----------------------------------------------------------------- */

/* Makes a tensor a view of the bytes of `viewed`, which may be a view too; ETI_NO_PLANNED: of bytes outside of the
 * arenas. `homes`: for each tensor, the one in whose place its bytes are; ETI_NO_PLANNED if there is none. */
static void set_viewed(maker *m, uint32_t tensor, uint32_t viewed, uint32_t *homes) {
    eti_planned *planned = &m->tensors[tensor];
    homes[tensor] = viewed == ETI_NO_PLANNED ? ETI_NO_PLANNED : homes[viewed];
    if (viewed != ETI_NO_PLANNED)
        planned->alias_of =
            m->tensors[viewed].role == ETI_PLANNED_ALIAS ? m->tensors[viewed].alias_of : viewed;
    const eti_pte_tensor *home =
        homes[tensor] == ETI_NO_PLANNED ? NULL : m->tensors[homes[tensor]].tensor;
    planned->is_elsewhere = !home || home->memory_id != planned->tensor->memory_id ||
                            home->memory_offset != planned->tensor->memory_offset;
}

/* Finds the tensors whose bytes are shown by views that instructions make. A view of a view comes after it. */
static eti_status find_viewed(maker *m) {
    const eti_calls *calls = &m->out->calls;
    uint32_t *homes = eti__arena_alloc(&m->scratch, m->out->n_tensors, sizeof *homes);
    if (!homes)
        return eti_fail_memory(m->err);
    for (uint32_t t = 0; t < m->out->n_tensors; t++)
        homes[t] = m->tensors[t].role == ETI_PLANNED_MOVED ? ETI_NO_PLANNED : t;
    for (uint32_t k = 0; k < calls->n; k++) {
        if (!eti__is_view_call(m->plan, calls->items[k]))
            continue;
        int32_t output = *eti__kernel_output(m->plan, calls->items[k]);
        uint32_t tensor = m->planned_of[output];
        uint32_t viewed = m->planned_of[calls->items[k]->args.items[0]];
        if (tensor != ETI_NO_PLANNED && m->tensors[tensor].role == ETI_PLANNED_ALIAS &&
            m->usages[output].first_viewed == k && m->usages[output].first == k)
            set_viewed(m, tensor, viewed == tensor ? ETI_NO_PLANNED : viewed, homes);
    }
    return ETI_OK;
}

/* ---- ends of lives ----------------------------------------------------------------------------- */

static void keep_until(eti_planned *planned, uint32_t last) {
    if (planned->last < last)
        planned->last = last;
}

static void keep_outputs(maker *m) {
    uint32_t last = last_instruction(m);
    for (uint32_t t = 0; t < m->out->n_tensors; t++) {
        eti_planned *planned = &m->tensors[t];
        if (!m->usages[planned->value].is_output)
            continue;
        keep_until(planned, last);
        if (planned->role == ETI_PLANNED_ACTIVATION || planned->role == ETI_PLANNED_ALIAS ||
            planned->role == ETI_PLANNED_SCRATCH)
            planned->role = ETI_PLANNED_OUTPUT;
    }
}

static void join_aliases(maker *m) {
    for (uint32_t t = 0; t < m->out->n_tensors; t++) {
        eti_planned *planned = &m->tensors[t];
        if (planned->alias_of == ETI_NO_PLANNED)
            continue;
        eti_planned *source = &m->tensors[planned->alias_of];
        planned->first = source->first;
        keep_until(source, planned->last);
    }
}

/* Returns the last instruction that needs the current contents of a value. */
static uint32_t value_end(const maker *m, int32_t value) {
    const usage *of = &m->usages[value];
    uint32_t tensor = m->planned_of[value];
    if (tensor != ETI_NO_PLANNED)
        return m->tensors[tensor].last;
    return of->is_output ? last_instruction(m) : of->last;
}

/* Keeps the bytes of a value until another value, which shows them, is not needed any more. */
static void keep_for(maker *m, int32_t value, int32_t shown_by) {
    if (m->planned_of[value] == ETI_NO_PLANNED)
        return;
    eti_planned *planned = &m->tensors[m->planned_of[value]];
    keep_until(planned, value_end(m, shown_by));
    if (planned->alias_of != ETI_NO_PLANNED)
        keep_until(&m->tensors[planned->alias_of], planned->last);
}

/* Prolongs the lives of tensors that are moved or viewed to those of the targets and views, from the last instruction to
 * the first, so that chains are followed. */
static void join_moves_and_views(maker *m) {
    const eti_calls *calls = &m->out->calls;
    for (uint32_t k = calls->n; k-- > 0;) {
        const eti_pte_instruction *call = calls->items[k];
        if (call->kind == ETI_PTE_MOVE_CALL)
            keep_for(m, call->index, call->target);
        else if (eti__is_view_call(m->plan, call))
            keep_for(m, call->args.items[0], *eti__kernel_output(m->plan, call));
    }
}

static eti_status join_loops(maker *m) {
    eti_loops loops;
    ETI_TRY(eti__loops_make(&loops, &m->scratch, &m->out->calls, m->err));
    for (uint32_t t = 0; t < m->out->n_tensors && loops.n > 0; t++) {
        eti_planned *planned = &m->tensors[t];
        if (planned->role == ETI_PLANNED_UNUSED)
            continue;
        eti_span wide = eti__loops_widen(&loops, (eti_span){planned->first, planned->last});
        planned->first = wide.first;
        planned->last = wide.last;
    }
    return ETI_OK;
}

/* ---- making the result --------------------------------------------------------------------------- */

static eti_status list_planned(maker *m, eti_arena *arena) {
    const eti_pte_plan *plan = m->plan;
    uint32_t n = 0;
    m->planned_of = eti__arena_alloc(&m->scratch, plan->n_values, sizeof *m->planned_of);
    if (!m->planned_of)
        return eti_fail_memory(m->err);
    for (uint32_t v = 0; v < plan->n_values; v++) {
        const eti_pte_tensor *tensor = eti__pte_tensor_at(plan, (int32_t)v);
        m->planned_of[v] = tensor && tensor->is_planned ? n++ : ETI_NO_PLANNED;
    }
    m->tensors = eti__arena_alloc_zero(arena, n, sizeof *m->tensors);
    if (!m->tensors)
        return eti_fail_memory(m->err);
    for (uint32_t v = 0; v < plan->n_values; v++) {
        if (m->planned_of[v] != ETI_NO_PLANNED)
            m->tensors[m->planned_of[v]] =
                (eti_planned){.tensor = plan->values[v].of.as_tensor, .value = v};
    }
    m->out->tensors = m->tensors;
    m->out->n_tensors = n;
    return ETI_OK;
}

static bool has_jumps_or_moves(const eti_calls *calls) {
    for (uint32_t k = 0; k < calls->n; k++) {
        uint8_t kind = calls->items[k]->kind;
        if (kind == ETI_PTE_JUMP_FALSE_CALL || kind == ETI_PTE_MOVE_CALL)
            return true;
    }
    return false;
}

static eti_status make(maker *m, eti_arena *arena) {
    eti_liveness *out = m->out;
    ETI_TRY(eti__calls_make(&out->calls, arena, m->plan, m->err));
    out->has_jumps_or_moves = has_jumps_or_moves(&out->calls);
    ETI_TRY(list_planned(m, arena));
    m->usages = eti__arena_alloc(&m->scratch, m->plan->n_values, sizeof *m->usages);
    m->waiting = eti__arena_alloc(&m->scratch, out->n_tensors, sizeof *m->waiting);
    if (!m->usages || !m->waiting)
        return eti_fail_memory(m->err);
    note_all_uses(m);
    note_delegate_outputs(m);
    ETI_TRY(list_writings(m));
    set_roles(m);
    ETI_TRY(eti__alias_sources_make(&m->sources, &m->scratch, m->tensors, out->n_tensors, m->err));
    resolve_waiting(m);
    ETI_TRY(find_viewed(m));
    keep_outputs(m);
    join_aliases(m);
    join_moves_and_views(m);
    return join_loops(m);
}

eti_status eti__liveness_make(eti_liveness *out, eti_arena *arena, const eti_pte_plan *plan,
                              const uint32_t *n_outputs, eti_error *err) {
    *out = (eti_liveness){0};
    maker m = {.out = out, .plan = plan, .n_outputs = n_outputs, .err = err};
    eti_status status = make(&m, arena);
    free(m.writings);
    eti__arena_free(&m.scratch);
    return status;
}
