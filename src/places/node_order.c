#include "places/node_order.h"

#include "places/needs.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of words of the rows of one search, and of words that all searches combine; they take at most a
 * second. */
#define MOST_WORDS ((size_t)1 << 22)
#define MOST_WORK ((size_t)1 << 27)

/* The nodes from the first to the last of the list. */
typedef struct searcher {
    const eti_graph_node *first;
    size_t n_between; /* number of these nodes */
    const eti_op_node *const *listed;
    size_t n_listed, n_words;
    uint64_t *needs; /* per node: a row of bits that marks the listed nodes whose values it needs */
} searcher;

static const eti_graph_node *node_of(const eti_op_node *node) {
    return (const eti_graph_node *)(const void *)node;
}

/* Counts the work of a search, and returns whether it may be done. */
static bool is_affordable(const searcher *s, size_t *work) {
    if (s->n_between > MOST_WORDS / s->n_words)
        return false;
    *work += s->n_between * s->n_words;
    for (size_t i = 0; i < s->n_between && *work <= MOST_WORK; i++)
        *work += s->first[i].n_producers * s->n_words;
    return *work <= MOST_WORK;
}

/* Adds an input of a node, and everything that this input needs. Producers come before the node. */
static void add_producer(const searcher *s, uint64_t *row, const eti_graph_node *producer) {
    if (producer < s->first || producer >= s->first + s->n_between)
        return;
    const uint64_t *needed = s->needs + (size_t)(producer - s->first) * s->n_words;
    eti__needs_join(row, needed, s->n_words);
}

/* Fills the rows. While this goes on, the row of a listed node also marks the node itself. */
static void find_needs(const searcher *s) {
    size_t next = 0;
    for (size_t i = 0; i < s->n_between; i++) {
        uint64_t *row = s->needs + i * s->n_words;
        for (uint32_t k = 0; k < s->first[i].n_producers; k++)
            add_producer(s, row, s->first[i].producers[k]);
        if (next < s->n_listed && node_of(s->listed[next]) == &s->first[i]) {
            eti__needs_add(row, next++);
        }
    }
}

/* Returns whether a row marks all of the first `n` listed nodes. */
static bool has_all(const uint64_t *row, size_t n) {
    for (size_t i = 0; i < n / 64; i++) {
        if (row[i] != UINT64_MAX)
            return false;
    }
    uint64_t rest = ((uint64_t)1 << (n % 64)) - 1;
    return n % 64 == 0 || (row[n / 64] & rest) == rest;
}

/* Goes from the last node to the first; `common` marks the nodes that all later ones need. */
static void find_known(const searcher *s, uint64_t *common, bool *is_known) {
    memset(common, 0xff, s->n_words * sizeof *common);
    for (size_t i = s->n_listed; i-- > 0;) {
        const uint64_t *row = s->needs + (size_t)(node_of(s->listed[i]) - s->first) * s->n_words;
        is_known[i] = eti__needs(common, i) && has_all(row, i);
        for (size_t k = 0; k < s->n_words; k++)
            common[k] &= row[k];
    }
}

static bool search(searcher *s, bool *is_known) {
    uint64_t *common = malloc((s->n_words + 1) * sizeof *common);
    s->needs = calloc(s->n_between * s->n_words + 1, sizeof *s->needs);
    bool done = common && s->needs;
    if (done) {
        find_needs(s);
        find_known(s, common, is_known);
    }
    free(common);
    free(s->needs);
    return done;
}

eti_node_order *eti__node_order_find(eti_arena *arena, const eti_op_node *const *nodes, size_t n,
                                     size_t *work) {
    eti_node_order *order = eti__arena_alloc(arena, 1, sizeof *order);
    bool *is_known = eti__arena_alloc_zero(arena, n + 1, sizeof *is_known);
    if (!order || !is_known)
        return NULL;
    order->is_known = is_known;
    if (n == 0)
        return order;
    const eti_graph_node *first = node_of(nodes[0]);
    searcher s = {
        .first = first,
        .n_between = (size_t)(node_of(nodes[n - 1]) - first) + 1,
        .listed = nodes,
        .n_listed = n,
        .n_words = eti__needs_words(n),
    };
    return !is_affordable(&s, work) || search(&s, is_known) ? order : NULL;
}
