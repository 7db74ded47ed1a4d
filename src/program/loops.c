/*
 * loops.c - finds hulls of loops. A span that crosses a loop is widened to that loop, the loops that cross it, the loops
 * that cross those, and so on: to the hull of all of them. Hulls do not cross each other, so that only the hulls of loops
 * that the span itself crosses are needed. Of the loops that extend past one end of the span, the one that extends furthest
 * has the widest hull.
 */
#include "program/loops.h"

#include "base/sort.h"

#include <string.h>

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
