#include "profile/match.h"

#include "account/account.h"
#include "rollup/rollup.h"

#include <stdlib.h>
#include <string.h>

/* ==== match =================================================================================== */

/* Largest number of differences up to which a longest common sequence is searched. The search takes memory proportional
 * to its square. */
#define MOST_EDITS 1024

typedef struct matcher {
    eti_match_side base, new_side;
    uint32_t *partner_of_base, *partner_of_new; /* ETI_NO_ENTRY: none yet */
    uint8_t *kind_of_new;                       /* valid if there is a partner */
    bool *is_anchor;   /* per new item: its pair is in order with all other such pairs */
    bool uses_nodes;   /* nodes show which items cannot be pairs */
    uint32_t *reached; /* scratch of Myers' algorithm: furthest points for each number of edits */
    uint32_t *left_base, *left_new; /* scratch: numbers of items without a partner */
    struct keyed *keyed;            /* scratch of pair_equal() */
} matcher;

const char *eti__match_kind_name(eti_match_kind kind) {
    static const char *const names[] = {
        [ETI_MATCH_SAME] = "same",
        [ETI_MATCH_RENAMED] = "renamed",
        [ETI_MATCH_MOVED] = "moved",
        [ETI_MATCH_DELEGATED] = "delegated",
        [ETI_MATCH_UNDELEGATED] = "undelegated",
        [ETI_MATCH_ADDED] = "added",
        [ETI_MATCH_REMOVED] = "removed",
    };
    return names[kind];
}

typedef uint32_t (*key_function)(const eti_match_item *item);

static uint32_t strong_key(const eti_match_item *item) {
    return item->strong;
}

static uint32_t weak_key(const eti_match_item *item) {
    return item->weak;
}

static uint32_t node_key(const eti_match_item *item) {
    return item->node;
}

static uint32_t kernel_key(const eti_match_item *item) {
    return item->kernel;
}

static uint32_t op_key(const eti_match_item *item) {
    return item->op;
}

/* Returns whether 0 means that an item has no such key. */
static bool is_optional(key_function key) {
    return key == node_key || key == kernel_key || key == op_key;
}

/* Returns whether two items are known to belong to different nodes. */
static bool disagree(const matcher *m, uint32_t base, uint32_t new_side) {
    uint32_t origin = m->base.items[base].origin, other = m->new_side.items[new_side].origin;
    return m->uses_nodes && origin != 0 && other != 0 && origin != other;
}

/* Returns the kind of a match whose items belong to the same node; `same` if their weak keys are equal. */
static eti_match_kind kind_of_node(const matcher *m, uint32_t base, uint32_t new_side,
                                   eti_match_kind same) {
    const eti_match_item *old = &m->base.items[base], *now = &m->new_side.items[new_side];
    if (old->is_delegated != now->is_delegated)
        return now->is_delegated ? ETI_MATCH_DELEGATED : ETI_MATCH_UNDELEGATED;
    return old->weak == now->weak ? same : ETI_MATCH_RENAMED;
}

static void pair(matcher *m, uint32_t base, uint32_t new_side, eti_match_kind kind) {
    m->partner_of_base[base] = new_side;
    m->partner_of_new[new_side] = base;
    m->kind_of_new[new_side] = (uint8_t)kind;
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Two sequences to be aligned, of items that have no partner yet. */
typedef struct alignment {
    matcher *m;
    key_function key;
    const uint32_t *base, *new_side; /* numbers of items */
    uint32_t n_base, n_new;
} alignment;

static bool is_equal(const alignment *a, uint32_t x, uint32_t y) {
    uint32_t key = a->key(&a->m->base.items[a->base[x]]);
    return key == a->key(&a->m->new_side.items[a->new_side[y]]) &&
           (key != 0 || !is_optional(a->key)) && !disagree(a->m, a->base[x], a->new_side[y]);
}

static void pair_in_order(const alignment *a, uint32_t base, uint32_t new_side) {
    eti_match_kind kind = ETI_MATCH_SAME;
    if (is_optional(a->key))
        kind = kind_of_node(a->m, base, new_side, kind);
    pair(a->m, base, new_side, kind);
    a->m->is_anchor[new_side] = true;
}

/* Returns where the furthest points of paths with `edits` edits are stored: one per diagonal, from -edits to edits. */
static uint32_t *furthest_of(const alignment *a, uint32_t edits) {
    return a->m->reached + (size_t)edits * edits + edits;
}

/* Returns the diagonal from which the path with `edits` edits reached `diagonal`: the one above after an insertion, the
 * one below after a deletion. */
static int32_t came_from(const alignment *a, uint32_t edits, int32_t diagonal) {
    const uint32_t *before = furthest_of(a, edits - 1);
    int32_t most = (int32_t)edits - 1;
    bool inserts = diagonal == -(int32_t)edits ||
                   (diagonal != (int32_t)edits && diagonal + 1 <= most && diagonal - 1 >= -most &&
                    before[diagonal - 1] < before[diagonal + 1]) ||
                   diagonal - 1 < -most;
    return inserts ? diagonal + 1 : diagonal - 1;
}

/* Returns the furthest x on the diagonal with this number of edits. */
static uint32_t reach(const alignment *a, uint32_t edits, int32_t diagonal) {
    uint32_t x = 0;
    if (edits > 0) {
        int32_t from = came_from(a, edits, diagonal);
        x = furthest_of(a, edits - 1)[from] + (from < diagonal);
    }
    while (x < a->n_base && (int64_t)x - diagonal < a->n_new &&
           is_equal(a, x, (uint32_t)((int64_t)x - diagonal)))
        x++;
    return x;
}

/* Pairs equal items along the path that reaches the end with this number of edits. */
static void pair_on_path(const alignment *a, uint32_t edits) {
    int32_t diagonal = (int32_t)((int64_t)a->n_base - a->n_new);
    uint32_t x = a->n_base;
    for (;; edits--) {
        int32_t from = edits > 0 ? came_from(a, edits, diagonal) : 0;
        uint32_t first = edits > 0 ? furthest_of(a, edits - 1)[from] + (from < diagonal) : 0;
        for (; x > first; x--)
            pair_in_order(a, a->base[x - 1], a->new_side[(int64_t)x - 1 - diagonal]);
        if (edits == 0)
            return;
        x = furthest_of(a, edits - 1)[from];
        diagonal = from;
    }
}

/* Aligns the sequences; returns false if there are too many differences. Points beyond an end are never on a path to the
 * end. */
static bool align(const alignment *a) {
    int64_t end = (int64_t)a->n_base - a->n_new;
    uint64_t most = (uint64_t)a->n_base + a->n_new;
    most = most < MOST_EDITS ? most : MOST_EDITS;
    for (uint32_t edits = 0; edits <= most; edits++) {
        for (int32_t diagonal = -(int32_t)edits; diagonal <= (int32_t)edits; diagonal += 2) {
            uint32_t x = reach(a, edits, diagonal);
            furthest_of(a, edits)[diagonal] = x;
            if (diagonal == end && x >= a->n_base) {
                pair_on_path(a, edits);
                return true;
            }
        }
    }
    return false;
}

/* ---- out of order ---------------------------------------------------------------------------- */

typedef struct keyed {
    uint32_t key, number;
    bool is_new;
} keyed;

static int compare_keyed(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->is_new != y->is_new)
        return x->is_new ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* A rule that pairs items by their keys, and the kind of its matches. */
typedef struct pairing {
    key_function key;
    bool across; /* only pair an item that a delegate ran with one that no delegate ran */
    bool base_is_delegated;
    eti_match_kind kind;
    bool needs_as_many; /* only pair if both sides have equally many items with the key */
} pairing;

static uint32_t work_key(const eti_match_item *item) {
    return item->work;
}

static bool is_listed(const pairing *p, const eti_match_item *item, bool is_delegated) {
    if (is_optional(p->key) && p->key(item) == 0)
        return false;
    return !p->across || (item->work != ETI_NO_WORK && item->is_delegated == is_delegated);
}

static size_t list_keyed(matcher *m, const pairing *p) {
    size_t n = 0;
    for (uint32_t i = 0; i < m->base.n; i++) {
        const eti_match_item *item = &m->base.items[i];
        if (m->partner_of_base[i] == ETI_NO_ENTRY && is_listed(p, item, p->base_is_delegated))
            m->keyed[n++] = (keyed){p->key(item), i, false};
    }
    for (uint32_t i = 0; i < m->new_side.n; i++) {
        const eti_match_item *item = &m->new_side.items[i];
        if (m->partner_of_new[i] == ETI_NO_ENTRY && is_listed(p, item, !p->base_is_delegated))
            m->keyed[n++] = (keyed){p->key(item), i, true};
    }
    qsort(m->keyed, n, sizeof *m->keyed, compare_keyed);
    return n;
}

static void pair_keyed(matcher *m, const pairing *p, uint32_t base, uint32_t new_side) {
    if (disagree(m, base, new_side))
        return;
    eti_match_kind kind = p->kind;
    if (is_optional(p->key))
        kind = kind_of_node(m, base, new_side, kind);
    pair(m, base, new_side, kind);
}

/* Pairs the k-th item with each key on one side with the k-th item with that key on the other. */
static void pair_equal(matcher *m, const pairing *p) {
    size_t n = list_keyed(m, p), next;
    for (size_t first = 0; first < n; first = next) {
        size_t middle = first;
        while (middle < n && m->keyed[middle].key == m->keyed[first].key &&
               !m->keyed[middle].is_new)
            middle++;
        for (next = middle; next < n && m->keyed[next].key == m->keyed[first].key;)
            next++;
        bool is_paired = !p->needs_as_many || middle - first == next - middle;
        for (size_t k = 0; is_paired && first + k < middle && middle + k < next; k++)
            pair_keyed(m, p, m->keyed[first + k].number, m->keyed[middle + k].number);
    }
}

/* ---- sequences with too many differences ----------------------------------------------------- */

/* Undoes those of the last pairs that cross others, so that a longest increasing sequence of them is left. `tails[k]` is
 * the new item that ends the best sequence of k + 1 pairs so far. */
static void keep_increasing(const alignment *a) {
    matcher *m = a->m;
    uint32_t n_tails = 0;
    uint32_t *tails = m->reached,
             *before = (uint32_t *)m->keyed; /* each has room for one number per item */
    for (uint32_t i = 0; i < a->n_base; i++) {
        uint32_t partner = m->partner_of_base[a->base[i]];
        if (partner == ETI_NO_ENTRY)
            continue;
        uint32_t low = 0, high = n_tails;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (tails[middle] < partner)
                low = middle + 1;
            else
                high = middle;
        }
        tails[low] = partner;
        before[partner] = low > 0 ? tails[low - 1] : ETI_NO_ENTRY;
        n_tails += low == n_tails;
    }
    uint32_t kept = n_tails > 0 ? tails[n_tails - 1] : ETI_NO_ENTRY;
    for (uint32_t i = a->n_new; i-- > 0;) {
        uint32_t number = a->new_side[i], partner = m->partner_of_new[number];
        if (partner == ETI_NO_ENTRY)
            continue;
        if (number == kept) {
            kept = before[number];
        } else {
            m->partner_of_base[partner] = ETI_NO_ENTRY;
            m->partner_of_new[number] = ETI_NO_ENTRY;
            m->kind_of_new[number] = ETI_MATCH_ADDED;
        }
        m->is_anchor[number] = m->partner_of_new[number] != ETI_NO_ENTRY;
    }
}

/* ---- the rules ------------------------------------------------------------------------------- */

/* Handles a gap: the items without partners on both sides between two anchors. */
typedef void (*gap_function)(matcher *m, uint32_t n_base, uint32_t n_new);

/* Calls `each` for each gap, with the indices of its items in left_base and left_new. */
static void for_each_gap(matcher *m, gap_function each) {
    uint32_t base = 0, new_side = 0;
    for (;;) {
        uint32_t n_base = 0, n_new = 0, end = new_side;
        while (end < m->new_side.n && !m->is_anchor[end]) {
            if (m->partner_of_new[end] == ETI_NO_ENTRY)
                m->left_new[n_new++] = end;
            end++;
        }
        uint32_t base_end = end < m->new_side.n ? m->partner_of_new[end] : m->base.n;
        for (; base < base_end; base++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): each item has a partner or none */
            if (m->partner_of_base[base] == ETI_NO_ENTRY)
                m->left_base[n_base++] = base;
        }
        if (n_base > 0 && n_new > 0)
            each(m, n_base, n_new);
        if (end == m->new_side.n)
            return;
        base = base_end + 1;
        new_side = end + 1;
    }
}

static bool align_left(matcher *m, key_function key, uint32_t n_base, uint32_t n_new) {
    const alignment a = {m, key, m->left_base, m->left_new, n_base, n_new};
    return align(&a);
}

static void pair_strong(matcher *m, uint32_t n_base, uint32_t n_new) {
    const alignment a = {m, strong_key, m->left_base, m->left_new, n_base, n_new};
    if (align(&a))
        return;
    pair_equal(m, &(pairing){.key = strong_key, .kind = ETI_MATCH_SAME});
    keep_increasing(&a);
}

static void pair_kernels(matcher *m, uint32_t n_base, uint32_t n_new) {
    (void)align_left(m, kernel_key, n_base, n_new);
}

static void pair_ops(matcher *m, uint32_t n_base, uint32_t n_new) {
    (void)align_left(m, op_key, n_base, n_new);
}

/* Pairs equal weak keys in order; with too many differences, pairs nothing. */
static void pair_weak(matcher *m, uint32_t n_base, uint32_t n_new) {
    (void)align_left(m, weak_key, n_base, n_new);
}

static void pair_renamed(matcher *m, uint32_t n_base, uint32_t n_new) {
    for (uint32_t i = 0; n_base == n_new && i < n_base; i++) {
        const eti_match_item *base = &m->base.items[m->left_base[i]];
        uint32_t work = m->new_side.items[m->left_new[i]].work;
        if (base->work != ETI_NO_WORK && base->work == work &&
            !disagree(m, m->left_base[i], m->left_new[i]))
            pair(m, m->left_base[i], m->left_new[i], ETI_MATCH_RENAMED);
    }
}

/* Returns whether nodes have the same names on both sides, according to the pairs found without them. */
static bool have_one_model(const matcher *m) {
    uint64_t n_known = 0, n_other = 0;
    for (uint32_t i = 0; i < m->new_side.n; i++) {
        if (m->partner_of_new[i] == ETI_NO_ENTRY)
            continue;
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): the base has the partner */
        uint32_t origin = m->base.items[m->partner_of_new[i]].origin;
        uint32_t other = m->new_side.items[i].origin;
        n_known += origin != 0 && other != 0;
        n_other += origin != 0 && other != 0 && origin != other;
    }
    return n_other * 10 <= n_known;
}

static void apply_node_rules(matcher *m) {
    for_each_gap(m, pair_kernels);
    for_each_gap(m, pair_ops);
    pair_equal(m, &(pairing){.key = kernel_key, .kind = ETI_MATCH_MOVED});
    pair_equal(m, &(pairing){.key = op_key, .kind = ETI_MATCH_MOVED});
    pair_equal(m, &(pairing){.key = node_key, .kind = ETI_MATCH_MOVED, .needs_as_many = true});
}

static void apply_rules(matcher *m) {
    for_each_gap(m, pair_strong);
    m->uses_nodes = have_one_model(m);
    if (m->uses_nodes)
        apply_node_rules(m);
    for_each_gap(m, pair_weak);
    pair_equal(m, &(pairing){.key = strong_key, .kind = ETI_MATCH_MOVED});
    pair_equal(m, &(pairing){.key = weak_key, .kind = ETI_MATCH_MOVED});
    pair_equal(m, &(pairing){work_key, true, false, ETI_MATCH_DELEGATED, false});
    pair_equal(m, &(pairing){work_key, true, true, ETI_MATCH_UNDELEGATED, false});
    for_each_gap(m, pair_renamed);
}

/* ---- the matches ----------------------------------------------------------------------------- */

/* Returns the base item of the next anchor, from new item `i` on. */
static uint32_t next_in_order(const matcher *m, uint32_t i) {
    while (i < m->new_side.n && !m->is_anchor[i])
        i++;
    return i < m->new_side.n ? m->partner_of_new[i] : m->base.n;
}

/* Lists the matches; items removed between two anchors precede those added there. */
static void list_matches(const matcher *m, eti_match *matches, size_t *n) {
    uint32_t base = 0;
    bool is_gap = true; /* a gap may begin here */
    *n = 0;
    for (uint32_t i = 0; i <= m->new_side.n; i++) {
        for (uint32_t end = is_gap ? next_in_order(m, i) : base; base < end; base++) {
            if (m->partner_of_base[base] == ETI_NO_ENTRY)
                matches[(*n)++] = (eti_match){ETI_MATCH_REMOVED, base, ETI_NO_ENTRY};
        }
        if (i == m->new_side.n)
            return;
        uint32_t partner = m->partner_of_new[i];
        eti_match_kind kind = (eti_match_kind)m->kind_of_new[i];
        matches[(*n)++] = (eti_match){kind, partner, i};
        is_gap = m->is_anchor[i];
        base += is_gap;
    }
}

/* Resets all partners; an item without one is ETI_MATCH_ADDED. */
static void forget_partners(matcher *m) {
    memset(m->partner_of_base, 0xff, m->base.n * sizeof *m->partner_of_base);
    memset(m->partner_of_new, 0xff, m->new_side.n * sizeof *m->partner_of_new);
    memset(m->kind_of_new, ETI_MATCH_ADDED, m->new_side.n);
    memset(m->is_anchor, 0, m->new_side.n * sizeof *m->is_anchor);
}

static size_t size_of_reached(size_t n_items) {
    size_t edits = n_items < MOST_EDITS ? n_items : MOST_EDITS;
    size_t points = (edits + 1) * (edits + 1);
    return points > n_items ? points : n_items;
}

static bool reserve(matcher *m) {
    size_t n = (size_t)m->base.n + m->new_side.n + 1;
    m->partner_of_base = malloc((m->base.n + (size_t)1) * sizeof *m->partner_of_base);
    m->partner_of_new = malloc((m->new_side.n + (size_t)1) * sizeof *m->partner_of_new);
    m->kind_of_new = malloc(m->new_side.n + (size_t)1);
    m->is_anchor = malloc((m->new_side.n + (size_t)1) * sizeof *m->is_anchor);
    m->left_base = malloc((m->base.n + (size_t)1) * sizeof *m->left_base);
    m->left_new = malloc((m->new_side.n + (size_t)1) * sizeof *m->left_new);
    m->keyed = malloc(n * sizeof *m->keyed);
    m->reached = malloc(size_of_reached(n) * sizeof *m->reached);
    return m->partner_of_base && m->partner_of_new && m->kind_of_new && m->is_anchor &&
           m->left_base && m->left_new && m->keyed && m->reached;
}

static void free_matcher(matcher *m) {
    free(m->partner_of_base);
    free(m->partner_of_new);
    free(m->kind_of_new);
    free(m->is_anchor);
    free(m->left_base);
    free(m->left_new);
    free(m->keyed);
    free(m->reached);
}

eti_status eti__match_sides(eti_match **out, size_t *n, eti_match_side base,
                            eti_match_side new_side, eti_error *err) {
    matcher m = {.base = base, .new_side = new_side};
    *out = malloc(((size_t)base.n + new_side.n + 1) * sizeof **out);
    if (!*out || !reserve(&m)) {
        free_matcher(&m);
        free(*out);
        *out = NULL;
        return eti_fail_memory(err);
    }
    forget_partners(&m);
    apply_rules(&m);
    list_matches(&m, *out, n);
    free_matcher(&m);
    return ETI_OK;
}

/* ==== match profiles ========================================================================== */

/* A key: equal things have equal numbers as parts. */
#define N_KEY_PARTS 7
#define NO_TEXT UINT32_MAX

typedef struct profile_key {
    uint32_t parts[N_KEY_PARTS];
} profile_key;

/* Starts as all zeros. */
typedef struct numbering {
    eti_text_table texts;
    ETI_INTERN_OF(profile_key) keys;
} numbering;

static void free_numbering(numbering *n) {
    eti__text_table_free(&n->texts);
    eti__intern_free(&n->keys.table);
}

static bool number_key(numbering *n, profile_key wanted, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(profile_key),
                                         .key_size = sizeof(profile_key)};
    return eti__intern_add(&n->keys.table, &kind, &wanted, out);
}

/* ---- events ---------------------------------------------------------------------------------- */

enum { STRONG, STRONG_WITHOUT_PLACE, WEAK, WORK, ORIGIN, KERNEL, OPERATOR, NODE };

/* Numbers of an entry's texts. */
typedef struct entry_texts {
    uint32_t name, folded, op, module, code, handles, id, origin, kernel, op_type;
} entry_texts;

/* Numbers a text; NO_TEXT if it is empty, as most texts of most events are. */
static bool number_text(numbering *n, eti_text text, uint32_t *out) {
    *out = NO_TEXT;
    return text.size == 0 || eti__text_table_add(&n->texts, text, NULL, out);
}

/* Returns the kind of kernel that a delegate logged: "Convolution" of "Convolution (NHWC, F32) IGEMM #1". The kind of
 * other kernels is their operator. */
static eti_text kernel_of(const eti_entry *entry) {
    const char *end = entry->name.size > 0 ? memchr(entry->name.data, '(', entry->name.size) : NULL;
    if (entry->role != ETI_ROLE_DELEGATED || !end)
        return entry->op_type;
    return (eti_text){entry->name.data, (size_t)(end - entry->name.data)};
}

/* Returns whether an operator changes only the layout or the type. */
static bool moves_data(eti_text op) {
    return eti__text_contains(op, eti__text_of("_copy")) ||
           eti__text_contains(op, eti__text_of("clone")) ||
           eti__text_contains(op, eti__text_of("quantize_per_"));
}

/* Returns whether a delegate changes layout or type for a node, in addition to the node's own work. */
static bool is_copy(const eti_entry *entry) {
    return entry->role == ETI_ROLE_DELEGATED && !moves_data(entry->op_type) &&
           (eti__text_begins_with(entry->name, "Convert (") ||
            eti__text_begins_with(entry->name, "Transpose ("));
}

static bool number_known(numbering *n, bool is_known, profile_key wanted, uint32_t *out) {
    if (!is_known)
        return true;
    bool done = number_key(n, wanted, out);
    *out += done;
    return done;
}

static bool number_node(numbering *n, const eti_entry *entry, const entry_texts *of,
                        eti_match_item *out) {
    const uint32_t origin = of->origin, module = of->module;
    bool is_known = entry->origin.data != NULL, is_work = is_known && !is_copy(entry);
    return number_known(n, is_known, (profile_key){{ORIGIN, origin}}, &out->origin) &&
           number_known(n, is_known, (profile_key){{KERNEL, origin, module, of->kernel}},
                        &out->kernel) &&
           number_known(n, is_work, (profile_key){{OPERATOR, origin, module, of->op_type}},
                        &out->op) &&
           number_known(n, is_work && !moves_data(entry->op_type),
                        (profile_key){{NODE, origin, module}}, &out->node);
}

static bool number_texts(numbering *n, const eti_entry *entry, entry_texts *out) {
    eti_text folded = eti__fold_op_name(entry->name);
    bool done = number_text(n, entry->name, &out->name) && number_text(n, entry->op, &out->op) &&
                number_text(n, entry->module, &out->module) &&
                number_text(n, entry->code, &out->code) &&
                number_text(n, entry->handles, &out->handles) &&
                number_text(n, entry->delegate_id, &out->id) &&
                number_text(n, entry->origin, &out->origin) &&
                number_text(n, kernel_of(entry), &out->kernel) &&
                number_text(n, entry->op_type, &out->op_type);
    out->folded = out->name;
    return done && (folded.size == entry->name.size || number_text(n, folded, &out->folded));
}

/* Numbers the keys of an entry. Without `knows_ops`, one side has no ETRecord, and operators of the other side are
 * ignored. */
static bool number_entry(numbering *n, const eti_entry *known, bool knows_ops,
                         eti_match_item *out) {
    const eti_entry bare = {
        .role = known->role, .name = known->name, .delegate_id = known->delegate_id};
    const eti_entry *entry = knows_ops ? known : &bare;
    entry_texts of;
    if (!number_texts(n, entry, &of))
        return false;
    profile_key strong = {{STRONG, entry->role, of.name, of.op, of.module, of.code, 0}};
    if (!entry->module.data && !entry->code.data)
        strong = (profile_key){
            {STRONG_WITHOUT_PLACE, entry->role, of.name, of.op, of.handles, of.id, 0}};
    profile_key weak = {{WEAK, entry->role, of.folded, of.op, 0, 0, 0}};
    profile_key work = {{WORK, of.op, of.module, 0, 0, 0, 0}};
    *out = (eti_match_item){.work = ETI_NO_WORK};
    out->is_delegated = eti__role_is_delegate((eti_role)entry->role);
    return number_key(n, strong, &out->strong) && number_key(n, weak, &out->weak) &&
           (!entry->op.data || number_key(n, work, &out->work)) && number_node(n, entry, &of, out);
}

/* Numbers the keys of all events. NULL: out of memory. */
static eti_match_item *number_events(numbering *n, const eti_profile_block *block, bool knows_ops,
                                     eti_match_side *side) {
    size_t n_events = block->n_entries - block->n_totals;
    eti_match_item *items = malloc((n_events + 1) * sizeof *items);
    for (size_t i = 0; items && i < n_events; i++) {
        if (!number_entry(n, &block->entries[block->n_totals + i], knows_ops, &items[i])) {
            free(items);
            return NULL;
        }
    }
    *side = (eti_match_side){items, (uint32_t)n_events};
    return items;
}

static bool knows_ops(const eti_profile_block *block) {
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        if (block->entries[i].op.data)
            return true;
    }
    return false;
}

eti_status eti__match_events(eti_match **out, size_t *n, const eti_profile_block *base,
                             const eti_profile_block *new_side, eti_error *err) {
    bool both_know = knows_ops(base) && knows_ops(new_side);
    numbering numbers = {0};
    eti_match_side of_base, of_new = {NULL, 0};
    eti_match_item *base_items = number_events(&numbers, base, both_know, &of_base);
    eti_match_item *new_items =
        base_items ? number_events(&numbers, new_side, both_know, &of_new) : NULL;
    eti_status status =
        new_items ? eti__match_sides(out, n, of_base, of_new, err) : eti_fail_memory(err);
    free_numbering(&numbers);
    free(base_items);
    free(new_items);
    return status;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool knows_methods(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        if (profile->blocks[i].method.data)
            return true;
    }
    return false;
}

/* Numbers the keys of a block. Blocks with the same name ran different methods or different Events, which distinguish
 * them if possible. */
static bool number_block(numbering *n, const eti_profile_block *block, bool by_method,
                         eti_match_item *out) {
    uint32_t name, method = 0;
    if (!eti__text_table_add(&n->texts, block->name, NULL, &name) ||
        (by_method && !eti__text_table_add(&n->texts, block->method, NULL, &method)))
        return false;
    uint64_t hash = eti__hash_seed();
    for (size_t i = block->n_totals; i < block->n_entries; i++)
        hash = eti__text_hash(eti__fold_op_name(block->entries[i].name), hash);
    uint32_t input = (uint32_t)block->bundled_input_index;
    profile_key strong = {{STRONG, name, input, (uint32_t)hash, (uint32_t)(hash >> 32), method, 0}};
    profile_key weak = {{WEAK, name, input, method, 0, 0, 0}};
    *out = (eti_match_item){.work = ETI_NO_WORK};
    return number_key(n, strong, &out->strong) && number_key(n, weak, &out->weak);
}

static eti_match_item *number_blocks(numbering *n, const eti_profile *profile, bool by_method,
                                     eti_match_side *side) {
    eti_match_item *items = malloc((profile->n_blocks + 1) * sizeof *items);
    for (size_t i = 0; items && i < profile->n_blocks; i++) {
        if (!number_block(n, &profile->blocks[i], by_method, &items[i])) {
            free(items);
            return NULL;
        }
    }
    *side = (eti_match_side){items, (uint32_t)profile->n_blocks};
    return items;
}

eti_status eti__match_blocks(eti_match **out, size_t *n, const eti_profile *base,
                             const eti_profile *new_side, eti_error *err) {
    numbering numbers = {0};
    eti_match_side of_base, of_new = {NULL, 0};
    bool by_method = knows_methods(base) && knows_methods(new_side);
    eti_match_item *base_items = number_blocks(&numbers, base, by_method, &of_base);
    eti_match_item *new_items =
        base_items ? number_blocks(&numbers, new_side, by_method, &of_new) : NULL;
    eti_status status =
        new_items ? eti__match_sides(out, n, of_base, of_new, err) : eti_fail_memory(err);
    free(base_items);
    free(new_items);
    free_numbering(&numbers);
    return status;
}
