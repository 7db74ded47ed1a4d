#include "places/run_order.h"

#include "places/needs.h"

#include <stdlib.h>
#include <string.h>

/* Limit that no real call reaches; beyond it no place is known. */
#define MOST_OPERATORS 4096u
#define N_KINDS 64u

/* ---- dependencies ---------------------------------------------------------------------------- */

int eti__compare_operators(const void *a, const void *b) {
    const eti_graph_node *x = *(const eti_graph_node *const *)a;
    const eti_graph_node *y = *(const eti_graph_node *const *)b;
    return (x > y) - (x < y);
}

/* Adds an input of an operator of the call, and everything that this input needs. Producers come before the operator. */
static void add_producer(uint64_t *rows, size_t n_words, const eti_graph_node *const *operators,
                         size_t i, const eti_graph_node *producer) {
    const eti_graph_node *const *found =
        bsearch(&producer, operators, i, sizeof(const eti_graph_node *), eti__compare_operators);
    if (!found)
        return;
    size_t p = (size_t)(found - operators);
    eti__needs_join(rows + i * n_words, rows + p * n_words, n_words);
    eti__needs_add(rows + i * n_words, p);
}

static bool find_needs(eti_run_order *order, const eti_graph_node *const *operators, size_t n) {
    size_t n_words = eti__needs_words(n);
    if (!ETI_GROW(order->needs, order->needs_capacity, n * n_words + 1))
        return false;
    memset(order->needs, 0, n * n_words * sizeof *order->needs);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < operators[i]->n_producers; k++)
            add_producer(order->needs, n_words, operators, i, operators[i]->producers[k]);
    }
    return true;
}

/* ---- equivalent kinds ------------------------------------------------------------------------ */

/* Joins sets of kinds that one event or operator may be. */
static void join_kinds(eti_xnnpack_kinds *alike, const eti_run_part *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        eti_xnnpack_kinds all = parts[i].kinds;
        for (size_t k = 0; k < N_KINDS; k++)
            all |= (parts[i].kinds >> k & 1) != 0 ? alike[k] : 0;
        for (size_t k = 0; k < N_KINDS; k++)
            alike[k] = (all >> k & 1) != 0 ? all : alike[k];
    }
}

static bool are_alike(const eti_xnnpack_kinds *alike, const eti_run_part *a,
                      const eti_run_part *b) {
    return (alike[__builtin_ctzll(a->kinds)] & b->kinds) != 0;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Finds the operators with a known place: two alike operators that do not need each other may have run in either
 * order. */
static void find_known(eti_run_order *order, const eti_xnnpack_kinds *alike,
                       const eti_run_part *asked, size_t n, size_t n_words) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t *row = order->needs + asked[i].number * n_words;
        order->is_known[i] = true;
        for (size_t k = 0; k < i; k++) {
            if (!are_alike(alike, &asked[i], &asked[k]) || eti__needs(row, asked[k].number))
                continue;
            order->is_known[i] = false;
            order->is_known[k] = false;
        }
    }
}

bool eti__run_order_find(eti_run_order *order, const eti_graph_node *const *operators,
                         size_t n_operators, const eti_run_part *asked, const eti_run_part *run,
                         size_t n) {
    eti_xnnpack_kinds alike[N_KINDS];
    if (!ETI_GROW(order->is_known, order->known_capacity, n + 1))
        return false;
    memset(order->is_known, 0, n * sizeof *order->is_known);
    if (n_operators > MOST_OPERATORS)
        return true;
    if (!find_needs(order, operators, n_operators))
        return false;
    for (size_t k = 0; k < N_KINDS; k++)
        alike[k] = (eti_xnnpack_kinds)1 << k;
    join_kinds(alike, asked, n);
    join_kinds(alike, run, n);
    find_known(order, alike, asked, n, (n_operators + 63) / 64);
    return true;
}

void eti__run_order_free(eti_run_order *order) {
    free(order->is_known);
    free(order->needs);
    *order = (eti_run_order){0};
}
