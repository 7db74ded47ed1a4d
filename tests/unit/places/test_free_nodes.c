#include "support.h"

#include "places/free_nodes.h"
#include "seen_fixture.h"

/* Two nodes auto_functionalized of llama.update_cache with handles 7 and 8, between aten.add.Tensor with handles 6 and 9. */
#define NODE_OF(name, target, input, handle)                                                       \
    "{\"name\": \"" name "\", \"target\": \"" target "\", \"inputs\": [" input                     \
    "], \"outputs\": [{\"as_tensor\": {\"name\": \"" name                                          \
    "\"}}], \"metadata\": {\"debug_handle\": \"" handle "\"}}"
#define UPDATE(name, version, handle)                                                              \
    NODE_OF(name, "torch.ops.higher_order.auto_functionalized" version,                            \
            "{\"name\": \"\", \"arg\": {\"as_operator\": "                                         \
            "\"torch.ops.llama.update_cache.default\"}}",                                          \
            handle)
#define ADD_NODE(name, handle)                                                                     \
    NODE_OF(name, "executorch.exir.dialects.edge.ops.aten.add.Tensor", "", handle)
#define GRAPH                                                                                      \
    EDGE_PROGRAM(ADD_NODE("add_1", "6") "," UPDATE("first", "_v2", "7") "," UPDATE(                \
        "second", "", "8") "," ADD_NODE("add_2", "9"))

/* 0: add, 1 and 2: update_cache without handles, 3: add */
static void add_calls(seen *s, const int32_t *operators, size_t n) {
    static const char *const names[] = {"aten::add", "llama::update_cache"};
    s->program.n_operators = COUNT_OF(names);
    s->program.operator_names = names;
    for (size_t i = 0; i < n; i++)
        add_call(&s->program, A_KERNEL_CALL, operators[i], I32S(&s->program.b, 0));
}

#define CALLS(...) (const int32_t[]){__VA_ARGS__}, COUNT_OF(((const int32_t[]){__VA_ARGS__}))
#define RAN(b, event_name, id)                                                                     \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = (id)*10,              \
          .end_time = (id)*10 + 3)

/* Opens a run of the calls 0 to 3, of which `first` and `second` are the names of 1 and 2. */
static void open_four(seen *s, const char *handles, const char *graph) {
    builder *b = &s->session.b;
    open_seen(s,
              DUMP(b, RUN(b, "Execute", RAN(b, "native_call_add.out", 0), RAN(b, "first call", 1),
                          RAN(b, "second call", 2), RAN(b, "native_call_add.out", 3))),
              &(record_spec){.handles = handles, .edge = graph});
}

static void the_kth_call_runs_the_kth_node(void **state) {
    (void)state;
    seen s = {0};
    add_calls(&s, CALLS(0, 1, 1, 0));
    open_four(&s, "{\"0\": 6, \"3\": 9}", GRAPH);
    assert_seen(&s, "first call", "aligned [7] llama.update_cache.default");
    assert_seen(&s, "second call", "aligned [8] llama.update_cache.default");
    assert_seen(&s, "native_call_add.out", " [6] aten.add.Tensor");
    /* the Inspector has nothing for these instructions */
    assert_int_equal(event_called(&s, "first call")->record->n_op_types, 0);
    close_seen(&s);
}

static void not_if_counts_differ(void **state) {
    (void)state;
    seen s = {0};
    add_calls(&s, CALLS(0, 1, 1, 0));
    open_four(&s, "{\"0\": 6, \"3\": 9}",
              EDGE_PROGRAM(ADD_NODE("add_1", "6") "," UPDATE("first", "_v2", "7")));
    assert_seen(&s, "first call", " []");
    assert_seen(&s, "second call", " []");
    close_seen(&s);
}

/* The node of handle 7 belongs to another instruction, so one node is left for one call. */
static void nodes_of_other_instructions_are_not_free(void **state) {
    (void)state;
    seen s = {0};
    add_calls(&s, CALLS(0, 1, 1, 0));
    open_four(&s, "{\"0\": 6, \"1\": 7, \"3\": 9}", GRAPH);
    assert_seen(&s, "first call", " [7] llama.update_cache.default");
    assert_text(event_called(&s, "first call")->record->op_types[0],
                "auto_functionalized_v2"); /* as the Inspector names it */
    assert_seen(&s, "second call", "aligned [8] llama.update_cache.default");
    close_seen(&s);
}

static void a_namespace_of_another_library_is_another_operator(void **state) {
    (void)state;
    seen s = {0};
    static const char *const names[] = {"aten::add", "my::update_cache"};
    add_calls(&s, CALLS(0, 1, 1, 0));
    s.program.operator_names = names;
    open_four(&s, "{\"0\": 6, \"3\": 9}", GRAPH);
    assert_seen(&s, "first call", " []");
    close_seen(&s);
}

static void methods_with_jumps_are_left_out(void **state) {
    (void)state;
    seen s = {0};
    add_calls(&s, CALLS(0, 1, 1, 0));
    add_instruction(&s.program, A_JUMP_FALSE_CALL, 0, 1);
    open_four(&s, "{\"0\": 6, \"3\": 9}", GRAPH);
    assert_seen(&s, "first call", " []");
    close_seen(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kth_call_runs_the_kth_node),
        cmocka_unit_test(not_if_counts_differ),
        cmocka_unit_test(nodes_of_other_instructions_are_not_free),
        cmocka_unit_test(a_namespace_of_another_library_is_another_operator),
        cmocka_unit_test(methods_with_jumps_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
