#include "report/layout.h"
#include "stats/stats.h"
#include "support.h"

#include <time.h>

/* A graph: nodes, their sizes and edges. */
typedef struct net {
    size_t n_nodes, n_edges;
    eti_layout_size *sizes;
    eti_layout_edge *edges;
} net;

static net make_net(size_t n_nodes, size_t most_edges) {
    net made = {n_nodes, 0, calloc(n_nodes + 1, sizeof *made.sizes),
                calloc(most_edges + 1, sizeof *made.edges)};
    assert_non_null(made.sizes);
    assert_non_null(made.edges);
    for (size_t i = 0; i < n_nodes; i++)
        made.sizes[i] = (eti_layout_size){(int32_t)(40 + i * 37 % 150), (int32_t)(30 + i % 3 * 9)};
    return made;
}

static void connect(net *of, size_t from, size_t to) {
    of->edges[of->n_edges++] = (eti_layout_edge){(uint32_t)from, (uint32_t)to};
}

static void free_net(net *of) {
    free(of->sizes);
    free(of->edges);
}

static eti_layout lay_out(const net *of) {
    eti_error err = ETI_ERROR_INIT;
    eti_layout layout;
    assert_ok(eti__layout_make(&layout, of->sizes, of->n_nodes, of->edges, of->n_edges, &err));
    return layout;
}

/* Counts the distinct edges between different nodes, without the code under test. */
static size_t count_distinct(const net *of) {
    bool *is_there = calloc(of->n_nodes * of->n_nodes + 1, sizeof *is_there);
    size_t n = 0;
    assert_non_null(is_there);
    for (size_t i = 0; i < of->n_edges; i++) {
        bool *is_seen = &is_there[of->edges[i].from * of->n_nodes + of->edges[i].to];
        n += !*is_seen && of->edges[i].from != of->edges[i].to;
        *is_seen = true;
    }
    free(is_there);
    return n;
}

/* ---- properties of a drawing ----------------------------------------------------------------- */

static int compare_stops(const void *a, const void *b) {
    const eti_layout_stop *left = a, *right = b;
    if (left->layer != right->layer)
        return left->layer < right->layer ? -1 : 1;
    return (left->x > right->x) - (left->x < right->x);
}

/* Checks that no two nodes of a layer overlap, no point lies on a node, and all is inside the drawing. */
static void assert_apart(const net *of, const eti_layout *layout) {
    eti_layout_stop *sorted = calloc(layout->n_stops + 1, sizeof *sorted);
    assert_non_null(sorted);
    for (size_t i = 0; i < layout->n_stops; i++) {
        sorted[i] = layout->stops[i];
        /* holds the width here */
        sorted[i].above = i < of->n_nodes ? (uint32_t)of->sizes[i].width : 0;
        assert_true(sorted[i].layer < layout->n_layers);
        assert_true(sorted[i].x - (int32_t)sorted[i].above / 2 >= 0);
        assert_true(sorted[i].x + (int32_t)(sorted[i].above + 1) / 2 <= layout->width);
    }
    qsort(sorted, layout->n_stops, sizeof *sorted, compare_stops);
    for (size_t i = 1; i < layout->n_stops; i++) {
        const eti_layout_stop *left = &sorted[i - 1], *right = &sorted[i];
        if (left->layer == right->layer)
            assert_true(right->x - left->x >= (int32_t)(left->above + right->above) / 2 + 10);
    }
    free(sorted);
}

static void assert_layers(const net *of, const eti_layout *layout) {
    int32_t end = 0;
    for (size_t i = 0; i < layout->n_layers; i++) {
        assert_true(layout->layers[i].y >= end);
        assert_true(layout->layers[i].height > 0);
        end = layout->layers[i].y + layout->layers[i].height;
    }
    assert_int_equal(layout->height, end);
    for (size_t i = 0; i < of->n_nodes; i++)
        assert_true(of->sizes[i].height <= layout->layers[layout->stops[i].layer].height);
}

/* Checks that a line between distant layers goes straight down and past all nodes between them. */
static void assert_link(const net *of, const eti_layout *layout, const eti_layout_stop *above,
                        const eti_layout_stop *below) {
    assert_true(above->layer < below->layer);
    if (above->layer + 1 == below->layer)
        return;
    assert_int_equal(above->x, below->x);
    for (size_t i = 0; i < of->n_nodes; i++) {
        const eti_layout_stop *node = &layout->stops[i];
        if (node->layer > above->layer && node->layer < below->layer)
            assert_true(abs(node->x - above->x) > of->sizes[i].width / 2);
    }
}

/* Checks that each edge is drawn once, with a line that leads down from one of its nodes to the other. */
static void assert_lines(const net *of, const eti_layout *layout) {
    bool *is_drawn = calloc(of->n_nodes * of->n_nodes + 1, sizeof *is_drawn);
    assert_non_null(is_drawn);
    assert_int_equal(layout->n_lines, count_distinct(of));
    for (size_t i = of->n_nodes; i < layout->n_stops; i++) {
        assert_true(layout->stops[i].above < i);
        assert_link(of, layout, &layout->stops[layout->stops[i].above], &layout->stops[i]);
    }
    for (size_t i = 0; i < layout->n_lines; i++) {
        const eti_layout_line *line = &layout->lines[i];
        uint32_t upper = line->is_upwards ? line->to : line->from, at = line->above;
        uint32_t lower = line->is_upwards ? line->from : line->to;
        assert_true(upper < lower);
        assert_false(is_drawn[line->from * of->n_nodes + line->to]);
        is_drawn[line->from * of->n_nodes + line->to] = true;
        assert_link(of, layout, &layout->stops[at], &layout->stops[lower]);
        while (at >= of->n_nodes)
            at = layout->stops[at].above;
        assert_int_equal(at, upper);
    }
    for (size_t i = 0; i < of->n_edges; i++) {
        const eti_layout_edge *edge = &of->edges[i];
        assert_true(edge->from == edge->to || is_drawn[edge->from * of->n_nodes + edge->to]);
    }
    free(is_drawn);
}

/* ---- crossings, counted pair by pair --------------------------------------------------------- */

/* A link between two adjacent layers, by the places of its ends. */
typedef struct place_pair {
    uint32_t layer;
    int64_t upper, lower;
} place_pair;

static uint64_t count_pairs(const place_pair *pairs, size_t n) {
    uint64_t crossings = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            crossings += pairs[i].layer == pairs[k].layer &&
                         ((pairs[i].upper < pairs[k].upper && pairs[i].lower > pairs[k].lower) ||
                          (pairs[i].upper > pairs[k].upper && pairs[i].lower < pairs[k].lower));
    }
    return crossings;
}

static size_t add_pairs(const eti_layout *layout, const eti_layout_stop *above,
                        const eti_layout_stop *below, place_pair *pairs, size_t n) {
    assert_true(below->layer < layout->n_layers);
    for (uint32_t layer = above->layer; layer < below->layer; layer++)
        pairs[n++] = (place_pair){layer, layer == above->layer ? above->x : below->x, below->x};
    return n;
}

static uint64_t count_drawn(const eti_layout *layout) {
    place_pair *pairs =
        calloc((layout->n_stops + layout->n_lines) * layout->n_layers + 1, sizeof *pairs);
    size_t n = 0;
    assert_non_null(pairs);
    for (size_t i = layout->n_nodes; i < layout->n_stops; i++)
        n = add_pairs(layout, &layout->stops[layout->stops[i].above], &layout->stops[i], pairs, n);
    for (size_t i = 0; i < layout->n_lines; i++) {
        const eti_layout_line *line = &layout->lines[i];
        uint32_t lower = line->is_upwards ? line->from : line->to;
        n = add_pairs(layout, &layout->stops[line->above], &layout->stops[lower], pairs, n);
    }
    uint64_t crossings = count_pairs(pairs, n);
    free(pairs);
    return crossings;
}

/* Counts the crossings if every layer had its nodes, and the trunks that pass through it, in the order of their numbers. */
static uint64_t count_in_order(const net *of, const eti_layout *layout) {
    place_pair *pairs = calloc(of->n_nodes * layout->n_layers + layout->n_lines + 1, sizeof *pairs);
    uint32_t *last = calloc(of->n_nodes + 1, sizeof *last);
    size_t n = 0;
    assert_non_null(pairs);
    assert_non_null(last);
    for (size_t i = 0; i < layout->n_lines; i++) {
        const eti_layout_line *line = &layout->lines[i];
        uint32_t upper = line->is_upwards ? line->to : line->from;
        uint32_t lower = line->is_upwards ? line->from : line->to;
        uint32_t passed = layout->stops[lower].layer - 1;
        pairs[n++] = (place_pair){passed, upper, lower};
        last[upper] = passed > last[upper] ? passed : last[upper];
    }
    for (uint32_t i = 0; i < of->n_nodes; i++) {
        for (uint32_t layer = layout->stops[i].layer; layer < last[i]; layer++)
            pairs[n++] = (place_pair){layer, i, i};
    }
    uint64_t crossings = count_pairs(pairs, n);
    free(pairs);
    free(last);
    return crossings;
}

static void assert_drawing(const net *of, const eti_layout *layout) {
    assert_int_equal(layout->n_nodes, of->n_nodes);
    assert_apart(of, layout);
    assert_layers(of, layout);
    assert_lines(of, layout);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void a_chain_is_straight(void **state) {
    (void)state;
    net chain = make_net(6, 5);
    for (size_t i = 0; i + 1 < 6; i++)
        connect(&chain, i, i + 1);
    eti_layout layout = lay_out(&chain);
    assert_drawing(&chain, &layout);
    assert_int_equal(layout.n_layers, 6);
    assert_int_equal(layout.n_stops, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(layout.stops[i].layer, i);
        assert_int_equal(layout.stops[i].x, layout.stops[0].x);
    }
    eti__layout_free(&layout);
    free_net(&chain);
}

/* 0 leads to 1, 2 and 3 in turn, and past them to 4: one line beside them. A source stands directly above its target. */
static void a_long_edge_passes_beside(void **state) {
    (void)state;
    net shortcut = make_net(6, 6);
    connect(&shortcut, 0, 2);
    connect(&shortcut, 2, 3);
    connect(&shortcut, 3, 4);
    connect(&shortcut, 4, 5);
    connect(&shortcut, 0, 5);
    connect(&shortcut, 1, 4);
    eti_layout layout = lay_out(&shortcut);
    static const uint32_t layers[] = {0, 2, 1, 2, 3, 4};
    assert_drawing(&shortcut, &layout);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(layout.stops[i].layer, layers[i]);
    assert_int_equal(layout.n_crossings, 0);
    eti__layout_free(&layout);
    free_net(&shortcut);
}

/* Edges from one node to all that follow share a trunk: the number of points grows with the layers, not with their
 * square. */
static void edges_of_a_node_share_a_trunk(void **state) {
    (void)state;
    net fan = make_net(400, 800);
    for (size_t i = 1; i + 1 < 400; i++) {
        connect(&fan, i, i + 1);
        connect(&fan, 0, i + 1);
    }
    eti_layout layout = lay_out(&fan);
    assert_drawing(&fan, &layout);
    assert_int_equal(layout.n_layers, 399);
    assert_true(layout.n_stops < 800);
    assert_int_equal(layout.n_crossings, 0);
    eti__layout_free(&layout);
    free_net(&fan);
}

/* Makes layers of a network with shortcuts, some of which are long. */
static net make_random(size_t n_nodes, size_t n_edges, uint32_t reach, uint64_t seed) {
    eti_random random = eti__random_start(seed, 0);
    net made = make_net(n_nodes, n_edges);
    for (size_t i = 0; i < n_edges; i++) {
        size_t to = 1 + (size_t)(eti__random_next(&random) % (n_nodes - 1));
        size_t back = 1 + (size_t)(eti__random_next(&random) % reach);
        if (eti__random_next(&random) % 50 == 0)
            back *= 10;
        connect(&made, to > back ? to - back : 0, to);
    }
    return made;
}

static void random_graphs_are_drawn_well(void **state) {
    (void)state;
    uint64_t in_order = 0, drawn = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t n = 2 + (size_t)(seed * 7 % 120);
        net random = make_random(n, n + n / (size_t)(1 + seed % 4), 3 + (uint32_t)(seed % 9), seed);
        eti_layout layout = lay_out(&random), again = lay_out(&random);
        assert_drawing(&random, &layout);
        assert_int_equal(layout.n_crossings, count_drawn(&layout));
        uint64_t before = count_in_order(&random, &layout);
        assert_true(layout.n_crossings <= before);
        in_order += before;
        drawn += layout.n_crossings;
        assert_int_equal(layout.n_stops, again.n_stops);
        assert_memory_equal(layout.stops, again.stops, layout.n_stops * sizeof *layout.stops);
        for (size_t i = 0; i < layout.n_lines; i++)
            assert_int_equal(layout.lines[i].above, again.lines[i].above);
        eti__layout_free(&layout);
        eti__layout_free(&again);
        free_net(&random);
    }
    print_message("crossings of random graphs: %llu, in their own order %llu\n",
                  (unsigned long long)drawn, (unsigned long long)in_order);
    assert_true(drawn * 2 < in_order);
}

static void hostile_graphs_are_drawn(void **state) {
    (void)state;
    net empty = make_net(0, 0);
    eti_layout layout = lay_out(&empty);
    assert_int_equal(layout.n_stops + layout.n_layers + layout.n_lines, 0);
    assert_int_equal(layout.width + layout.height, 0);
    eti__layout_free(&layout);
    free_net(&empty);

    net one = make_net(1, 3); /* an edge to itself */
    for (size_t i = 0; i < 3; i++)
        connect(&one, 0, 0);
    layout = lay_out(&one);
    assert_drawing(&one, &layout);
    assert_int_equal(layout.n_lines, 0);
    eti__layout_free(&layout);
    free_net(&one);

    net cycles = make_net(40, 2000); /* edges in both directions, repeated */
    for (size_t i = 0; i < 2000; i++)
        connect(&cycles, i * 17 % 40, i * 23 % 40);
    layout = lay_out(&cycles);
    assert_drawing(&cycles, &layout);
    eti__layout_free(&layout);
    free_net(&cycles);

    net into = make_net(700, 100000); /* 10^5 edges into one node */
    for (size_t i = 0; i < 100000; i++)
        connect(&into, i % 699, 699);
    layout = lay_out(&into);
    assert_drawing(&into, &layout);
    assert_int_equal(layout.n_lines, 699);
    assert_int_equal(layout.n_layers, 2);
    eti__layout_free(&layout);
    free_net(&into);

    net apart = make_net(3000, 0); /* no edges */
    layout = lay_out(&apart);
    assert_apart(&apart, &layout);
    assert_int_equal(layout.n_layers, 1);
    eti__layout_free(&layout);
    free_net(&apart);
}

static void assert_refused(const net *of, const char *part) {
    eti_error err = ETI_ERROR_INIT;
    eti_layout layout;
    assert_fails(eti__layout_make(&layout, of->sizes, of->n_nodes, of->edges, of->n_edges, &err),
                 ETI_ERROR_LIMIT, part);
    eti__layout_free(&layout);
}

static void large_graphs_are_refused(void **state) {
    (void)state;
    net nodes = make_net(ETI_LAYOUT_MOST_NODES + 1, 0);
    assert_refused(&nodes, "5001 nodes");
    free_net(&nodes);
    net edges = make_net(400, 80000);
    for (size_t i = 0; i < 80000; i++)
        connect(&edges, i / 400, 200 + i % 400 / 2); /* 40,000 distinct ones */
    eti_layout layout = lay_out(&edges);
    eti__layout_free(&layout);
    free_net(&edges);
    edges = make_net(600, 80000);
    for (size_t i = 0; i < 80000; i++)
        connect(&edges, i / 300, 300 + i % 300);
    assert_refused(&edges, "50000 edges");
    free_net(&edges);
    net points = make_net(4000, 8000); /* a chain, and edges from its first 20 nodes to its last */
    for (size_t i = 0; i + 1 < 4000; i++)
        connect(&points, i, i + 1);
    for (size_t i = 0; i < 20; i++)
        connect(&points, i, 3999);
    assert_refused(&points, "50000 bends of edges");
    free_net(&points);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Prints the time for graphs like those of networks; the goals are 10 and 200 ms. */
static void layouts_take_milliseconds(void **state) {
    (void)state;
    static const size_t sizes[] = {500, 5000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        net random = make_random(sizes[i], sizes[i] * 3 / 2, 6, 1);
        double best = 1e9;
        for (int round = 0; round < 3; round++) {
            double start = milliseconds();
            eti_layout layout = lay_out(&random);
            double took = milliseconds() - start;
            best = took < best ? took : best;
            if (round == 0)
                print_message("%zu nodes, %zu stops, %zu layers: ", sizes[i], layout.n_stops,
                              layout.n_layers);
            eti__layout_free(&layout);
        }
        print_message("%.2f ms\n", best);
        free_net(&random);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_straight),
        cmocka_unit_test(a_long_edge_passes_beside),
        cmocka_unit_test(edges_of_a_node_share_a_trunk),
        cmocka_unit_test(random_graphs_are_drawn_well),
        cmocka_unit_test(hostile_graphs_are_drawn),
        cmocka_unit_test(large_graphs_are_refused),
        cmocka_unit_test(layouts_take_milliseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
