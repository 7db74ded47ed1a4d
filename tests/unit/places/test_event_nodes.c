#include "rollup_fixture.h"

#include "places/event_nodes.h"

#define NODES                                                                                      \
    EDGE_PROGRAM(OP("a", "a.default", "1", MODEL, "", "x") "," OP(                                 \
        "b", "b.default", "2", MODEL, "", "a") "," OP("a_1", "a.default", "3", MODEL, "", "b"))
#define OF_SEVERAL "{\"1\": [1, 2], \"2\": [1, 2, 3], \"3\": [1, 3], \"4\": 2}"
#define KERNEL(b, call_name, id) MS_CALL(b, call_name, id, 0, 1)

static const eti_event *event_of(const session *s, const char *name, int instruction_id) {
    const eti_event_block *block = eti_inspector_block(s->inspector, 0);
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__text_is(block->events[i].name, name) &&
            block->events[i].instruction_id == instruction_id)
            return &block->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

static void assert_nodes(const eti_event *event, size_t n, bool is_single, const char *op) {
    eti_event_nodes nodes = eti__event_nodes(event);
    assert_int_equal(nodes.n, n);
    assert_int_equal(eti__event_nodes_single(&nodes) != NULL, is_single);
    eti_text name = eti__event_op(event);
    if (op)
        assert_text(name, op);
    else
        assert_null(name.data);
}

static void events_are_the_nodes_of_their_instruction(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", KERNEL(b, "DELEGATE_CALL", 1), KERNEL(b, "other", 3),
                             KERNEL(b, "native_call_a.out", 4), KERNEL(b, "other", 9))),
                 &(record_spec){.handles = OF_SEVERAL, .edge = NODES});
    assert_nodes(event_of(&s, "DELEGATE_CALL", 1), 2, false, NULL);
    assert_nodes(event_of(&s, "other", 3), 2, false, "aten.a.default");
    /* the only node is taken, whatever its name */
    assert_nodes(event_of(&s, "native_call_a.out", 4), 1, true, "aten.b.default");
    assert_nodes(event_of(&s, "other", 9), 0, false, NULL);
    close_session(&s);
}

/* A node fused into an operator of a delegate is not that operator. */
static void operators_of_delegates_are_their_first_node(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", KERNEL(b, "conv #1", 1))),
                 &(record_spec){.handles = OF_SEVERAL, .edge = NODES});
    eti_event *event = &s.inspector->blocks.blocks[0].events[0];
    eti_event_record record = *event->known;
    record.n_own_nodes = 1;
    event->known = &record;
    assert_nodes(event, 1, true, "aten.a.default");
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_the_nodes_of_their_instruction),
        cmocka_unit_test(operators_of_delegates_are_their_first_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
