/* Finds the nodes of the exporter's graph that became the nodes of a native payload. */
#include "support.h"

#include "base/text.h"
#include "etrecord/etrecord.h"
#include "inside/inside.h"

#include <string.h>

#define MOST 16
#define MOST_LINKS 4

/* A node of the payload or of the graph. Its inputs and its output are names of values; the output has the name of the node. */
typedef struct node_spec {
    const char *name, *op;
    const char *inputs[MOST_LINKS];
} node_spec;

typedef struct session {
    eti_native payload;
    eti_native_node nodes[MOST];
    eti_native_name names[MOST];
    eti_text links[MOST * (MOST_LINKS + 1)];
    eti_native_constant constants[2];
    eti_graph graph;
    eti_graph_node graph_nodes[MOST];
    eti_graph_values values;
    eti_graph_value value_list[2 * MOST];
    eti_graph_ports ports[MOST];
    uint32_t inputs[MOST][MOST_LINKS], outputs[MOST];
    char texts[MOST][64]; /* names with the "_" of the Inspector */
    eti_native_nodes found;
} session;

static int compare_names(const void *a, const void *b) {
    return eti__text_compare(((const eti_native_name *)a)->name,
                             ((const eti_native_name *)b)->name);
}

/* "w" and "v" are constants. */
static void set_payload(session *s, const node_spec *specs, size_t n) {
    uint32_t n_links = 0;
    for (uint32_t i = 0; i < n; i++) {
        s->nodes[i] = (eti_native_node){.name = eti__text_of(specs[i].name),
                                        .op = eti__text_of(specs[i].op),
                                        .first_link = n_links,
                                        .n_outputs = 1};
        for (size_t k = 0; k < MOST_LINKS && specs[i].inputs[k]; k++, s->nodes[i].n_inputs++)
            s->links[n_links++] = eti__text_of(specs[i].inputs[k]);
        s->links[n_links++] = s->nodes[i].name;
        s->names[i] = (eti_native_name){s->nodes[i].name, i};
    }
    qsort(s->names, n, sizeof *s->names, compare_names);
    s->constants[0] = (eti_native_constant){.name = eti__text_of("v")};
    s->constants[1] = (eti_native_constant){.name = eti__text_of("w")};
    s->payload = (eti_native){.nodes = s->nodes,
                              .n_nodes = (uint32_t)n,
                              .links = s->links,
                              .names = s->names,
                              .n_names = n,
                              .constants = s->constants,
                              .n_constants = 2};
}

static uint32_t value_of(session *s, const char *name) {
    for (uint32_t i = 0; i < s->values.n_values; i++) {
        if (eti__text_is(s->value_list[i].name, name))
            return i;
    }
    s->value_list[s->values.n_values] =
        (eti_graph_value){.name = eti__text_of(name), .producer = ETI_NO_NODE};
    return (uint32_t)s->values.n_values++;
}

static void set_graph(session *s, const node_spec *specs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        snprintf(s->texts[i], sizeof s->texts[i], "%s_", specs[i].name);
        s->graph_nodes[i] = (eti_graph_node){.op_type = eti__text_of(specs[i].op)};
        s->graph_nodes[i].node.name = eti__text_of(s->texts[i]);
        s->ports[i] = (eti_graph_ports){.inputs = s->inputs[i], .outputs = &s->outputs[i]};
        for (size_t k = 0; k < MOST_LINKS && specs[i].inputs[k]; k++)
            s->inputs[i][s->ports[i].n_inputs++] = value_of(s, specs[i].inputs[k]);
        s->outputs[i] = value_of(s, specs[i].name);
        s->ports[i].n_outputs = 1;
    }
    s->graph = (eti_graph){.nodes = s->graph_nodes, .n_nodes = n};
    s->values.values = s->value_list;
    s->values.ports = s->ports;
}

#define PAYLOAD(s, ...)                                                                            \
    set_payload((s), (const node_spec[]){__VA_ARGS__}, COUNT_OF(((const node_spec[]){__VA_ARGS__})))
#define GRAPH(s, ...)                                                                              \
    set_graph((s), (const node_spec[]){__VA_ARGS__}, COUNT_OF(((const node_spec[]){__VA_ARGS__})))

static const eti_native_found *find(session *s) {
    assert_true(eti__native_nodes_init(&s->found, &s->graph, &s->values));
    const eti_native_found *found = eti__native_nodes_find(&s->found, &s->payload);
    assert_non_null(found);
    return found;
}

#define assert_node(found, number, way)                                                            \
    do {                                                                                           \
        const eti_native_found found_ = (found); /* finds once */                                  \
        assert_int_equal(found_.node, (number));                                                   \
        assert_int_equal(found_.attribution, (way));                                               \
    } while (0)
#define assert_none(found) assert_node(found, ETI_NO_NODE, ETI_ATTRIBUTION_CALL)

static void names_and_operators_are_kept(void **state) {
    (void)state;
    session s = {0};
    GRAPH(&s, {"a", "aten.linear.default", {"x", "w"}}, {"a_1", "aten.linear.default", {"a", "v"}},
          {"b", "aten.add.Tensor", {"a", "a_1"}});
    PAYLOAD(&s, {"a_1", "aten.linear.default", {"a", "v"}}, {"b", "aten.mul.Tensor", {"a", "a_1"}},
            {"c", "aten.add.Tensor", {"b"}});
    const eti_native_found *found = find(&s);
    assert_node(found[0], 1, ETI_ATTRIBUTION_EXACT);
    assert_none(found[1]); /* another operator */
    assert_none(found[2]); /* another name */
    assert_ptr_equal(found, eti__native_nodes_find(&s.found, &s.payload));
    eti__native_nodes_free(&s.found);
}

/* A name that a pass gave to another node. */
static void other_weights_are_of_another_node(void **state) {
    (void)state;
    session s = {0};
    GRAPH(&s, {"a", "aten.linear.default", {"x", "w"}}, {"a_1", "aten.linear.default", {"x", "v"}});
    PAYLOAD(&s, {"a", "aten.linear.default", {"x", "v"}});
    assert_none(find(&s)[0]);
    eti__native_nodes_free(&s.found);
}

static void operators_that_overwrite_are_found_by_their_values(void **state) {
    (void)state;
    session s = {0};
    GRAPH(&s, {"a", "aten.linear.default", {"x", "w"}}, {"r", "aten.relu.default", {"a"}},
          {"r_1", "aten.relu.default", {"x"}}, {"g", "aten.gelu.default", {"r"}},
          {"p", "aten.index_put.default", {"g", "r_1"}});
    PAYLOAD(&s, {"q", "aten.relu_.default", {"x"}}, {"a", "aten.linear.default", {"x", "w"}},
            {"q_1", "aten.relu_.default", {"a"}}, {"h", "aten.gelu_.default", {"q_1"}},
            {"p_", "aten.index_put_.default", {"h", "q"}});
    const eti_native_found *found = find(&s);
    assert_node(found[0], 2, ETI_ATTRIBUTION_INFERRED);
    assert_node(found[1], 0, ETI_ATTRIBUTION_EXACT);
    assert_node(found[2], 1, ETI_ATTRIBUTION_INFERRED);
    assert_node(found[3], 3, ETI_ATTRIBUTION_INFERRED);
    assert_node(found[4], 4, ETI_ATTRIBUTION_INFERRED);
    eti__native_nodes_free(&s.found);
}

static void one_of_two_alike_is_not_chosen(void **state) {
    (void)state;
    session s = {0};
    GRAPH(&s, {"r", "aten.relu.default", {"x"}}, {"r_1", "aten.relu.default", {"x"}},
          {"g", "aten.gelu.default", {"x"}}, {"g_1", "aten.gelu.default", {"y"}});
    PAYLOAD(&s, {"q", "aten.relu_.default", {"x"}}, {"h", "aten.gelu_.default", {"z"}},
            {"h_1", "aten.gelu_.default", {"y", "x"}});
    const eti_native_found *found = find(&s);
    assert_none(found[0]);
    assert_none(found[1]); /* the graph has no such value */
    assert_none(found[2]); /* no node takes both */
    eti__native_nodes_free(&s.found);
}

static void payloads_do_not_share_nodes(void **state) {
    (void)state;
    session s = {0}, other = {0};
    GRAPH(&s, {"r", "aten.relu.default", {"x"}});
    PAYLOAD(&s, {"q", "aten.relu_.default", {"x"}});
    PAYLOAD(&other, {"q_1", "aten.relu_.default", {"x"}}, {"r", "aten.relu.default", {"x"}});
    assert_node(find(&s)[0], 0, ETI_ATTRIBUTION_INFERRED);
    const eti_native_found *found = eti__native_nodes_find(&s.found, &other.payload);
    assert_none(found[0]);
    assert_none(found[1]);
    eti__native_nodes_free(&s.found);
}

/* Lowered modules name their nodes each on its own. */
static void a_name_of_several_nodes_is_none(void **state) {
    (void)state;
    session s = {0};
    GRAPH(&s, {"a", "aten.add.Tensor", {"x"}}, {"a", "aten.add.Tensor", {"y"}});
    PAYLOAD(&s, {"a", "aten.add.Tensor", {"x"}});
    assert_none(find(&s)[0]);
    eti__native_nodes_free(&s.found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_operators_are_kept),
        cmocka_unit_test(other_weights_are_of_another_node),
        cmocka_unit_test(operators_that_overwrite_are_found_by_their_values),
        cmocka_unit_test(one_of_two_alike_is_not_chosen),
        cmocka_unit_test(payloads_do_not_share_nodes),
        cmocka_unit_test(a_name_of_several_nodes_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
