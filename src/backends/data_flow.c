#include "backends/backends.h"

#include <stdlib.h>
#include <string.h>

/* Largest table of combinations of two lists, and of all lists together. A runtime of Vulkan has at most 2,048 dispatches. */
#define MOST_CELLS ((size_t)1 << 23)
#define MOST_WORK ((size_t)1 << 25)
/* Number of items among which an item of a longer list may choose. */
#define WINDOW 64u
/* Most items without a pair that are passed on the way to neighbours, and most edges looked at. */
#define MOST_PASSED 256u
#define MOST_EDGES 4096u

/* ==== data flow =============================================================================== */

static bool make_side(eti_flow_side *side, eti_arena *arena, uint32_t n, const eti_flow_edge *edges,
                      size_t n_edges, eti_flow_direction direction) {
    uint32_t *firsts = eti__arena_alloc_zero(arena, (size_t)n + 2, sizeof *firsts);
    uint32_t *items = eti__arena_alloc(arena, n_edges + 1, sizeof *items);
    if (!firsts || !items)
        return false;
    bool is_back = direction == ETI_FLOW_BACK;
    for (size_t i = 0; i < n_edges; i++)
        firsts[(is_back ? edges[i].user : edges[i].giver) + 2]++;
    for (uint32_t i = 0; i < n; i++)
        firsts[i + 2] += firsts[i + 1];
    /* firsts[i + 1] is the next free place of item i, and in the end the first place of item i + 1 */
    for (size_t i = 0; i < n_edges; i++) {
        uint32_t of = is_back ? edges[i].user : edges[i].giver;
        items[firsts[of + 1]++] = is_back ? edges[i].giver : edges[i].user;
    }
    *side = (eti_flow_side){firsts, items};
    return true;
}

bool eti__flow_make(eti_flow *out, eti_arena *arena, uint32_t n, const eti_flow_edge *edges,
                    size_t n_edges) {
    out->n = n;
    return make_side(&out->sides[ETI_FLOW_BACK], arena, n, edges, n_edges, ETI_FLOW_BACK) &&
           make_side(&out->sides[ETI_FLOW_AHEAD], arena, n, edges, n_edges, ETI_FLOW_AHEAD);
}

/* ==== aligned lists =========================================================================== */

enum { TAKE, SKIP, SKIP_OTHER };

/* Returns the score of a pair: the number of pairs counts more than that of equal kinds. */
static uint64_t score_of(uint8_t fit) {
    return ((uint64_t)1 << 32) + (fit > 1);
}

/* Fills the table from its end, so that the way from its beginning takes early pairs. */
static void fill_table(eti_item_fit *fit, const void *context, uint32_t n, uint32_t m,
                       uint8_t *moves, uint64_t *scores) {
    uint64_t *below = scores, *row = scores + m + 1;
    memset(below, 0, ((size_t)m + 1) * sizeof *below);
    for (uint32_t i = n; i-- > 0;) {
        row[m] = 0;
        for (uint32_t k = m; k-- > 0;) {
            uint8_t fits = fit(context, i, k);
            uint64_t best = below[k] >= row[k + 1] ? below[k] : row[k + 1];
            uint8_t move = below[k] >= row[k + 1] ? SKIP : SKIP_OTHER;
            if (fits > 0 && below[k + 1] + score_of(fits) >= best) {
                best = below[k + 1] + score_of(fits);
                move = TAKE;
            }
            row[k] = best;
            moves[(size_t)i * m + k] = move;
        }
        uint64_t *swapped = below;
        below = row;
        row = swapped;
    }
}

static bool align_by_table(eti_item_fit *fit, const void *context, uint32_t n, uint32_t m,
                           uint32_t *out) {
    uint8_t *moves = malloc((size_t)n * m + 1);
    uint64_t *scores = malloc(2 * ((size_t)m + 1) * sizeof *scores);
    bool has_room = moves && scores;
    if (has_room)
        fill_table(fit, context, n, m, moves, scores);
    for (uint32_t i = 0, k = 0; has_room && i < n && k < m;) {
        uint8_t move = moves[(size_t)i * m + k];
        if (move == TAKE)
            out[i] = k;
        i += move != SKIP_OTHER;
        k += move != SKIP;
    }
    free(moves);
    free(scores);
    return has_room;
}

/* Lets each number take the next one that fits. */
static void align_by_order(eti_item_fit *fit, const void *context, uint32_t n, uint32_t m,
                           uint32_t *out) {
    for (uint32_t i = 0, k = 0; i < n && k < m; i++) {
        uint32_t end = m - k < WINDOW ? m : k + WINDOW, at = k;
        while (at < end && fit(context, i, at) == 0)
            at++;
        if (at == end)
            continue;
        out[i] = at;
        k = at + 1;
    }
}

bool eti__align_lists(eti_item_fit *fit, const void *context, uint32_t n, uint32_t m, uint32_t *out,
                      size_t *work, bool *is_cut) {
    size_t n_cells = m > 0 && n > SIZE_MAX / m ? SIZE_MAX : (size_t)n * m;
    for (uint32_t i = 0; i < n; i++)
        out[i] = ETI_NO_ITEM;
    bool has_room = n_cells <= MOST_CELLS && *work <= MOST_WORK && n_cells <= MOST_WORK - *work;
    if (has_room) {
        *work += n_cells;
        return align_by_table(fit, context, n, m, out);
    }
    *is_cut = true;
    align_by_order(fit, context, n, m, out);
    return true;
}

/* ==== pairs =================================================================================== */

/* A mark per item; items are marked if they have the latest number. */
typedef struct marks {
    uint32_t *numbers;
    uint32_t latest;
} marks;

/* Items visited on one side of an item. */
typedef struct visit {
    uint32_t near[ETI_MOST_NEIGHBOURS]; /* with a pair */
    uint32_t passed[MOST_PASSED];       /* without a pair */
    uint32_t n_near, n_passed, n_edges;
} visit;

typedef struct eti_flow_walker {
    marks made, back, ahead; /* the last two of items that others were made from */
    visit before, after, givers, users;
} walker;

static bool marks_make(marks *out, eti_arena *arena, uint32_t n) {
    out->numbers = eti__arena_alloc_zero(arena, (size_t)n + 1, sizeof *out->numbers);
    return out->numbers != NULL;
}

static bool is_marked(const marks *of, uint32_t item) {
    return of->numbers[item] == of->latest;
}

static uint32_t *no_items(eti_arena *arena, uint32_t n) {
    uint32_t *items = eti__arena_alloc(arena, (size_t)n + 1, sizeof *items);
    if (items)
        memset(items, 0xff, ((size_t)n + 1) * sizeof *items);
    return items;
}

bool eti__pairs_begin(eti_pairs *pairs, eti_arena *arena) {
    uint32_t n = pairs->made->n, m = pairs->from->n;
    pairs->is_cut = false;
    pairs->from_of = no_items(arena, n);
    pairs->made_of = no_items(arena, m);
    pairs->n_sides = eti__arena_alloc_zero(arena, (size_t)n + 1, 1);
    pairs->walker = eti__arena_alloc_zero(arena, 1, sizeof *pairs->walker);
    return pairs->from_of && pairs->made_of && pairs->n_sides && pairs->walker &&
           marks_make(&pairs->walker->made, arena, n) &&
           marks_make(&pairs->walker->back, arena, m) &&
           marks_make(&pairs->walker->ahead, arena, m);
}

void eti__pairs_set(eti_pairs *pairs, uint32_t made, uint32_t from, uint8_t n_sides) {
    pairs->from_of[made] = from;
    pairs->made_of[from] = made;
    pairs->n_sides[made] = n_sides;
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Two lists, and the parts of them between two pairs that are known. */
typedef struct part {
    const eti_pairs *pairs;
    uint32_t *made, *from; /* items without pairs */
    uint32_t n_made, n_from;
} part;

static uint8_t fit_of_part(const void *context, uint32_t i, uint32_t k) {
    const part *of = context;
    return of->pairs->fit(of->pairs->context, of->made[i], of->from[k]);
}

/* Pairs the items that the part has. */
static bool pair_part(eti_pairs *pairs, part *of, uint32_t *found) {
    if (!eti__align_lists(fit_of_part, of, of->n_made, of->n_from, found, pairs->work,
                          &pairs->is_cut))
        return false;
    for (uint32_t i = 0; i < of->n_made; i++) {
        if (found[i] != ETI_NO_ITEM)
            eti__pairs_set(pairs, of->made[i], of->from[found[i]], 2);
    }
    of->n_made = of->n_from = 0;
    return true;
}

/* Marks a longest list of known pairs that are in one order on both sides. `ends[n]` is the last item of the best list of n + 1
 * pairs; `befores` is per item of the list. */
static void find_borders(const eti_pairs *pairs, const uint32_t *made, uint32_t n, bool *is_border,
                         uint32_t *ends, uint32_t *befores) {
    uint32_t length = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = pairs->from_of[made[i]], low = 0, high = length;
        is_border[i] = false;
        if (from == ETI_NO_ITEM)
            continue;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (pairs->from_of[made[ends[middle]]] < from)
                low = middle + 1;
            else
                high = middle;
        }
        befores[i] = low > 0 ? ends[low - 1] : ETI_NO_ITEM;
        ends[low] = i;
        length = low == length ? length + 1 : length;
    }
    for (uint32_t i = length > 0 ? ends[length - 1] : ETI_NO_ITEM; i != ETI_NO_ITEM; i = befores[i])
        is_border[i] = true;
}

static void add_from(part *of, const uint32_t *from, uint32_t n, uint32_t end, uint32_t *at) {
    for (; *at < n && from[*at] < end; ++*at) {
        if (of->pairs->made_of[from[*at]] == ETI_NO_ITEM)
            of->from[of->n_from++] = from[*at];
    }
}

bool eti__pair_in_order(eti_pairs *pairs, const uint32_t *made, uint32_t n_made,
                        const uint32_t *from, uint32_t n_from) {
    uint32_t *numbers = malloc((4 * (size_t)n_made + n_from + 1) * sizeof *numbers);
    bool *is_border = malloc((size_t)n_made + 1);
    bool has_room = numbers && is_border;
    part of = {.pairs = pairs, .made = numbers, .from = numbers + 4 * (size_t)n_made};
    uint32_t *found = numbers + n_made, *ends = found + n_made, at = 0;
    if (has_room)
        find_borders(pairs, made, n_made, is_border, ends, ends + n_made);
    for (uint32_t i = 0; i < n_made && has_room; i++) {
        if (is_border[i]) {
            add_from(&of, from, n_from, pairs->from_of[made[i]], &at);
            has_room = pair_part(pairs, &of, found);
        } else if (pairs->from_of[made[i]] == ETI_NO_ITEM) {
            of.made[of.n_made++] = made[i];
        }
    }
    if (has_room) {
        add_from(&of, from, n_from, ETI_NO_ITEM, &at);
        has_room = pair_part(pairs, &of, found);
    }
    free(numbers);
    free(is_border);
    return has_room;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* Adds the neighbours of an item to a visit. */
static void look(eti_pairs *pairs, const eti_flow *flow, const uint32_t *partners, marks *seen,
                 visit *out, uint32_t item, eti_flow_direction direction) {
    const eti_flow_side *side = &flow->sides[direction];
    for (uint32_t i = side->firsts[item]; i < side->firsts[item + 1]; i++) {
        uint32_t near = side->items[i];
        if (out->n_edges == MOST_EDGES)
            return;
        out->n_edges++;
        ++*pairs->work;
        if (is_marked(seen, near))
            continue;
        seen->numbers[near] = seen->latest;
        if (partners[near] == ETI_NO_ITEM && out->n_passed < MOST_PASSED)
            out->passed[out->n_passed++] = near;
        else if (partners[near] != ETI_NO_ITEM && out->n_near < ETI_MOST_NEIGHBOURS)
            out->near[out->n_near++] = near;
    }
}

/* Visits the nearest items with pairs, through those without. */
static void walk(eti_pairs *pairs, bool of_made, marks *seen, visit *out, const uint32_t *starts,
                 uint32_t n_starts, eti_flow_direction direction) {
    const eti_flow *flow = of_made ? pairs->made : pairs->from;
    const uint32_t *partners = of_made ? pairs->from_of : pairs->made_of;
    out->n_near = out->n_passed = out->n_edges = 0;
    seen->latest++;
    if (*pairs->work >= MOST_WORK) {
        pairs->is_cut = true;
        return;
    }
    for (uint32_t i = 0; i < n_starts; i++)
        look(pairs, flow, partners, seen, out, starts[i], direction);
    for (uint32_t i = 0; i < out->n_passed; i++)
        look(pairs, flow, partners, seen, out, out->passed[i], direction);
}

uint32_t eti__pairs_near(eti_pairs *pairs, bool of_made, uint32_t item,
                         eti_flow_direction direction, uint32_t *out) {
    walker *w = pairs->walker;
    walk(pairs, of_made, of_made ? &w->made : &w->back, &w->before, &item, 1, direction);
    memcpy(out, w->before.near, w->before.n_near * sizeof *out);
    return w->before.n_near;
}

/* Finds the neighbours of an item that was made, and what lies behind their pairs. */
static void visit_item(eti_pairs *pairs, uint32_t made) {
    walker *w = pairs->walker;
    uint32_t starts[ETI_MOST_NEIGHBOURS];
    walk(pairs, true, &w->made, &w->before, &made, 1, ETI_FLOW_BACK);
    walk(pairs, true, &w->made, &w->after, &made, 1, ETI_FLOW_AHEAD);
    for (uint32_t i = 0; i < w->before.n_near; i++)
        starts[i] = pairs->from_of[w->before.near[i]];
    walk(pairs, false, &w->ahead, &w->users, starts, w->before.n_near, ETI_FLOW_AHEAD);
    for (uint32_t i = 0; i < w->after.n_near; i++)
        starts[i] = pairs->from_of[w->after.near[i]];
    walk(pairs, false, &w->back, &w->givers, starts, w->after.n_near, ETI_FLOW_BACK);
}

/* Returns whether an item that others are made from has no neighbour with a pair on a side; false if there are too many to
 * look at. */
static bool is_open(const eti_pairs *pairs, uint32_t from, eti_flow_direction direction) {
    const eti_flow_side *side = &pairs->from->sides[direction];
    uint32_t passed[MOST_PASSED], n = 1;
    passed[0] = from;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = side->firsts[passed[i]]; k < side->firsts[passed[i] + 1]; k++) {
            ++*pairs->work;
            if (pairs->made_of[side->items[k]] != ETI_NO_ITEM || n == MOST_PASSED)
                return false;
            passed[n++] = side->items[k];
        }
    }
    return true;
}

/* ---- by flow --------------------------------------------------------------------------------- */

typedef struct choice {
    uint32_t from;
    uint8_t fit, n_sides;
} choice;

/* Takes an item for a choice if it fits and lies between the neighbours on `n_least` sides. */
static void consider(eti_pairs *pairs, uint32_t made, uint32_t from, uint8_t n_least,
                     choice *best) {
    const walker *w = pairs->walker;
    bool has_before = w->before.n_near > 0, has_after = w->after.n_near > 0;
    uint8_t fit = pairs->made_of[from] == ETI_NO_ITEM ? pairs->fit(pairs->context, made, from) : 0;
    if (fit == 0 || fit < best->fit || (fit == best->fit && from > best->from))
        return;
    bool meets_before =
        has_before ? is_marked(&w->ahead, from) : is_open(pairs, from, ETI_FLOW_BACK);
    bool meets_after = has_after ? is_marked(&w->back, from) : is_open(pairs, from, ETI_FLOW_AHEAD);
    uint8_t n_sides = (uint8_t)(meets_before + meets_after);
    bool meets = (has_before && meets_before) || (has_after && meets_after);
    if (n_sides >= n_least && (meets || n_sides == 2))
        *best = (choice){from, fit, n_sides};
}

static void pair_item(eti_pairs *pairs, uint32_t made, uint8_t n_least) {
    const walker *w = pairs->walker;
    choice best = {ETI_NO_ITEM, 0, 0};
    visit_item(pairs, made);
    for (uint32_t i = 0; i < w->users.n_passed; i++)
        consider(pairs, made, w->users.passed[i], n_least, &best);
    for (uint32_t i = 0; i < w->givers.n_passed; i++)
        consider(pairs, made, w->givers.passed[i], n_least, &best);
    bool is_alone = w->before.n_near == 0 && w->after.n_near == 0;
    for (uint32_t i = 0; is_alone && i < pairs->from->n && *pairs->work < MOST_WORK; i++) {
        ++*pairs->work;
        consider(pairs, made, i, 2, &best);
    }
    if (best.fit > 0)
        eti__pairs_set(pairs, made, best.from, best.n_sides);
}

void eti__pair_by_flow(eti_pairs *pairs) {
    for (uint8_t n_least = 2; n_least > 0; n_least--) {
        for (uint32_t i = 0; i < pairs->made->n; i++) {
            if (pairs->from_of[i] != ETI_NO_ITEM || pairs->is_left_out[i])
                continue;
            ++*pairs->work;
            pair_item(pairs, i, n_least);
        }
    }
}

/* ---- between --------------------------------------------------------------------------------- */

static int compare_items(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t eti__pairs_between(eti_pairs *pairs, uint32_t made, uint32_t *out) {
    const walker *w = pairs->walker;
    uint32_t n = 0;
    visit_item(pairs, made);
    bool is_open_before = w->before.n_near == 0, is_open_after = w->after.n_near == 0;
    const visit *list = is_open_before ? &w->givers : &w->users;
    for (uint32_t i = 0; i < list->n_passed && n < ETI_MOST_NEIGHBOURS; i++) {
        uint32_t from = list->passed[i];
        if (is_open_before || is_open_after || is_marked(&w->back, from))
            out[n++] = from;
    }
    qsort(out, n, sizeof *out, compare_items);
    return n;
}
