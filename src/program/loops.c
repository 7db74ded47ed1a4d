/*
 * loops.c - a span that crosses a loop comes to cover the loops that cross that one, and those that cross these: the hull
 * of all of them. Hulls do not cross each other, so that the hulls of the loops that the span crosses itself are enough.
 * Of those that reach out of it at one end, the one that reaches furthest has the widest hull.
 */
#include "program/loops.h"

#include "base/sort.h"

#include <string.h>

/* ---- finding loops --------------------------------------------------------------------------- */

/* Returns the number of jumps back; stores their loops in `out` unless that is NULL. */
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

/* Outer loops come before inner ones. */
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

/* Whether loop `a` of `by_first` ends after `b`, or `a` of `by_last` begins before `b`; of two that do not, the longer
 * one counts: it is crossed by more. */
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

/* Returns the loop that reaches furthest of [low, high), which is not empty. */
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

/* ---- who crosses whom ------------------------------------------------------------------------- */

/* Returns the number of loops that begin, or end, before an instruction. */
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

/* Returns the loop that begins in the span, behind its first instruction, and ends furthest behind it; NULL: none. */
static const eti_loop *find_behind(const eti_loops *loops, eti_span span) {
    uint32_t low = count_before(loops->by_first, loops->n, false, span.first + 1);
    uint32_t high = count_before(loops->by_first, loops->n, false, span.last + 1);
    if (low == high)
        return NULL;
    uint32_t found = find_furthest(loops, loops->ends_last, ends_later, low, high);
    return loops->by_first[found].span.last > span.last ? &loops->by_first[found] : NULL;
}

/* Returns the loop that ends in the span, before its last instruction, and begins furthest before it; NULL: none. */
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

/* Returns the loop that stands for those that `i` was joined with. */
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

/* Joins each loop with the two that cross it and reach furthest: then all that cross it are joined with it. Take loops
 * that cross, M before L, and L's furthest before it, F, and M's furthest behind it, R. Should F be M, or R be L, they
 * are joined. Should F cross R, then these are joined as, of all such pairs, those that begin earlier are. Else F crosses
 * M; the furthest before M is F, or crosses F and begins earlier. */
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
