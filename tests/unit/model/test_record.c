/* Several inspectors share one record. */
#include "model/inspector.h"
#include "support.h"

static const eti_source mlp_record = {.path = "testdata/mlp/record.etrecord"};

static eti_inspector *open_with(eti_record *record, bool no_attribution) {
    static const eti_source dump = {.path = "testdata/mlp/run.etdp"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .record = record};
    const eti_options options = {.target_time_scale = ETI_SCALE_MS,
                                 .no_attribution = no_attribution};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

static void graphs_are_read_once(void **state) {
    (void)state;
    eti_record *record;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_record_open(&record, &mlp_record, &err));
    assert_int_equal(record->n_graphs, 0);
    eti_inspector *first = open_with(record, false), *second = open_with(record, false);
    assert_ptr_equal(first->graph.nodes, second->graph.nodes);
    assert_true(first->graph.n_nodes > 0);
    assert_int_equal(record->n_graphs, 1);
    eti_inspector *third = open_with(record, true);
    assert_int_equal(record->n_graphs, 2);
    eti_inspector_close(third);
    eti_record_close(record);
    eti_inspector_close(first);
    assert_string_equal(second->record_file.name, mlp_record.path); /* the inspector keeps it */
    eti_text op = second->blocks.blocks[1].events[0].record->op_types[0];
    assert_text(op, "aten.permute_copy.default");
    eti_inspector_close(second);
}

static void what_is_missing_is_asked_for_again(void **state) {
    (void)state;
    eti_record *record;
    eti_error err = ETI_ERROR_INIT;
    eti_graph graph;
    assert_ok(eti_record_open(&record, &mlp_record, &err));
    for (int i = 0; i < 2; i++) {
        assert_fails(eti__record_graph(record, ETI_READ_REFERENCE, 0, "no/such", &graph, &err),
                     ETI_ERROR_USAGE, "has no graph no/such");
        assert_int_equal(graph.n_nodes, 0);
    }
    assert_int_equal(record->n_graphs, 0);
    eti_record_close(record);
}

static void a_file_that_is_no_record(void **state) {
    (void)state;
    const eti_source source = {.path = "testdata/mlp/run.etdp"};
    eti_record *record = (eti_record *)1;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti_record_open(&record, &source, &err), ETI_ERROR_MALFORMED,
                 "expected an ETRecord");
    assert_null(record);
    eti_record_close(NULL);
}

#define N_THREADS 8

typedef struct shared {
    eti_record *record;
    const eti_graph_node *nodes[N_THREADS];
} shared;

static void read_graph(void *context, size_t i) {
    shared *s = context;
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    if (eti__record_graph(s->record, i % 2 ? ETI_READ_EDGE : ETI_READ_LOWERED, 0, NULL, &graph,
                          &err) == ETI_OK)
        s->nodes[i] = graph.nodes;
}

static void threads_share_it(void **state) {
    (void)state;
    shared s = {.record = NULL};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_record_open(&s.record, &mlp_record, &err));
    eti__parallel(N_THREADS, read_graph, &s);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_non_null(s.nodes[i]);
        assert_ptr_equal(s.nodes[i], s.nodes[i % 2]);
    }
    assert_int_equal(s.record->n_graphs, 2);
    eti_record_close(s.record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_are_read_once),
        cmocka_unit_test(what_is_missing_is_asked_for_again),
        cmocka_unit_test(a_file_that_is_no_record),
        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
