#include "support.h"

#include "places/agreement.h"
#include "places/places.h"
#include "rollup_fixture.h"

/* Two methods whose instructions and kernels are the same, so that events do not show which one ran. */

#define AT(line, code) FRAME("/m/a.py", line, code)
#define SUB MODEL ";L_a,a,my.Block;L_a_b,a.b,my.Part"
#define OTHER_SUB MODEL ";L_a,a,my.Block;L_a_c,a.c,my.Part"

/* Adds a method whose nodes are those of instructions 0 to 4. */
#define METHOD_OF(first, second, third, fourth, fifth)                                             \
    EDGE_PROGRAM(first "," second "," third "," fourth "," fifth)

static void open_two(session *s, const char *alpha, const char *beta, const char *handles) {
    builder *b = &s->b;
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "edge_dialect_exported_program/alpha", alpha);
    add_member(&s->record, "edge_dialect_exported_program/beta", beta);
    add_member(&s->record, "debug_handle_map", handles);
    add_member(&s->record, "delegate_map", "{\"alpha\": {}, \"beta\": {}}");
    finish_record(&s->record);
    finish_dump(b,
                DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 0, 1),
                            MS_CALL(b, "native_call_mul.out", 1, 1, 2),
                            MS_CALL(b, "native_call_sub.out", 2, 2, 3),
                            MS_CALL(b, "native_call_div.out", 3, 3, 4),
                            MS_CALL(b, "native_call_neg.out", 4, 4, 5))),
                true);
    const eti_source etdump = {b->file.name, b->file.data, b->file.size};
    const eti_source record = {s->record.file.name, s->record.file.data, s->record.file.size};
    const eti_inputs inputs = {.etdumps = &etdump, .n_etdumps = 1, .etrecord = &record};
    if (eti__open_seen_through(&s->inspector, &inputs, s->options, &s->err) != ETI_OK)
        fail_msg("%s", s->err.message);
}

#define SAME_HANDLES                                                                               \
    "{\"alpha\": {\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4, \"4\": 5}, "                             \
    "\"beta\": {\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4, \"4\": 5}}"

/* Checks an event as "[1] aten.add.Tensor a.b a.py:7"; "-" stands for what is unknown. */
#define assert_event(s, number, expected) assert_event_at((s), (number), (expected), __LINE__)

static void assert_event_at(const session *s, size_t number, const char *expected, int line) {
    const eti_event *event = &s->inspector->blocks.blocks[0].events[number];
    const eti_event_record *known = event->known;
    eti_places places;
    eti_place at;
    eti_buffer out = {0};
    assert_true(eti__places_init(&places));
    assert_true(eti__places_of_event(&places, event, &at));
    eti_text op = eti__event_op(event);
    eti__buffer_add_char(&out, '[');
    for (size_t i = 0; i < known->handles.n; i++)
        eti__buffer_printf(&out, "%s%lld", i ? ", " : "", (long long)known->handles.handles[i]);
    eti__buffer_printf(&out, "] %.*s", ETI_TEXT_ARGS(op.data ? op : eti__text_of("-")));
    if (at.module != ETI_PREFIX_ROOT) {
        eti_text name = eti__places_module_name(&places, at.module);
        eti__buffer_printf(&out, " %.*s", ETI_TEXT_ARGS(name));
    } else {
        eti__buffer_add_string(&out, " -");
    }
    if (at.frame != ETI_PREFIX_ROOT)
        eti__buffer_printf(&out, " %u", (unsigned)eti__places_frame(&places, at.frame)->line);
    else
        eti__buffer_add_string(&out, " -");
    assert_text_at(eti__buffer_text(&out), expected, __FILE__, line);
    eti__buffer_free(&out);
    eti__places_free(&places);
}

static void what_all_methods_have_is_kept(void **state) {
    (void)state;
    session s = {0};
    open_two(&s,
             METHOD_OF(OP("n0", "add.Tensor", "1", SUB, AT(7, "x + y"), "x"),
                       OP("n1", "mul.Tensor", "2", SUB, AT(8, "x * y"), "x"),
                       OP("n2", "sub.Tensor", "3", BLOCK, AT(3, "f(x)") AT(9, "x - y"), "x"),
                       OP("n3", "div.Tensor", "4", SUB, AT(1, "g(x)") AT(10, "x / y"), "x"),
                       OP("n4", "neg.default", "5", "M,,my.Alpha", "", "x")),
             METHOD_OF(OP("n0", "add.Tensor", "1", SUB, AT(7, "x + y"), "x"),
                       OP("n1", "mul.Tensor", "2", OTHER_SUB, AT(18, "x * y"), "x"),
                       OP("n2", "sub.Scalar", "3", BLOCK, AT(4, "f(x)") AT(9, "x - y"), "x"),
                       OP("n3", "div.Tensor", "4", SUB, AT(1, "g(x)") AT(11, "x / 2"), "x"),
                       OP("n4", "neg.out", "5", "M,,my.Beta", "", "x")),
             SAME_HANDLES);
    const eti_event_block *block = &s.inspector->blocks.blocks[0];
    assert_true(block->has_candidates);
    assert_false(block->is_tried || block->method_name.data || block->plan);
    assert_int_equal(block->method, ETI_NO_METHOD);
    assert_event(&s, 0, "[1] aten.add.Tensor a.b 7");
    assert_event(&s, 1, "[2] aten.mul.Tensor a -");   /* a.b and a.c: both are in a */
    assert_event(&s, 2, "[3] - a 9");                 /* the line is the same, its callers differ */
    assert_event(&s, 3, "[4] aten.div.Tensor a.b 1"); /* both are called there */
    assert_event(&s, 4, "[5] - - -");
    assert_int_equal(block->events[4].known->n_op_nodes, 0);
    close_session(&s);
}

/* File names and code are longer than a message shows. */
static void long_lines_are_whole(void **state) {
    (void)state;
#define TEN(text) text text text text text text text text text text
#define LONG_FILE "/m/" TEN("\xe5\xb1\xa4-of-a-transformer/") "a.py"
#define LONG_CODE TEN("x = self.layers[number](x) + ") "y"
#define LONG_NODES                                                                                 \
    METHOD_OF(                                                                                     \
        OP("n0", "add.Tensor", "1", SUB, FRAME(LONG_FILE, 7, LONG_CODE), "x"),                     \
        OP("n1", "mul.Tensor", "2", SUB, "", "x"), OP("n2", "sub.Tensor", "3", SUB, "", "x"),      \
        OP("n3", "div.Tensor", "4", SUB, "", "x"), OP("n4", "neg.default", "5", SUB, "", "x"))
    session s = {0};
    open_two(&s, LONG_NODES, LONG_NODES, SAME_HANDLES);
    const eti_event_record *known = s.inspector->blocks.blocks[0].events[0].known;
    assert_int_equal(known->n_op_nodes, 1);
    assert_true(eti__text_contains(known->op_nodes[0]->stack_trace, eti__text_of(LONG_FILE "\"")));
    assert_true(eti__text_contains(known->op_nodes[0]->stack_trace, eti__text_of(LONG_CODE "\n")));
    assert_event(&s, 0, "[1] aten.add.Tensor a.b 7");
    close_session(&s);
}

static void handles_of_different_methods_are_left_out(void **state) {
    (void)state;
    session s = {0};
#define NODES_FROM(a, b, c, d, e)                                                                  \
    METHOD_OF(OP("n0", "add.Tensor", a, SUB, AT(7, "x + y"), "x"),                                 \
              OP("n1", "mul.Tensor", b, SUB, "", "x"), OP("n2", "sub.Tensor", c, SUB, "", "x"),    \
              OP("n3", "div.Tensor", d, SUB, "", "x"), OP("n4", "neg.default", e, SUB, "", "x"))
    open_two(&s, NODES_FROM("1", "2", "3", "4", "5"), NODES_FROM("11", "2", "13", "14", "15"),
             "{\"alpha\": {\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4, \"4\": 5}, "
             "\"beta\": {\"0\": 11, \"1\": [2], \"2\": 13, \"3\": 14, \"4\": 15}}");
    assert_event(&s, 0, "[] aten.add.Tensor a.b 7");
    assert_event(&s, 1, "[2] aten.mul.Tensor a.b -");
    close_session(&s);
}

/* Without attribution nothing is tried, and a chosen method is not one of several. */
static void a_chosen_method_is_used_alone(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.method = "beta";
    session s = {.options = &options};
    open_two(&s, NODES_FROM("1", "2", "3", "4", "5"), NODES_FROM("11", "12", "13", "14", "15"),
             "{\"alpha\": {\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4, \"4\": 5}, "
             "\"beta\": {\"0\": 11, \"1\": 12, \"2\": 13, \"3\": 14, \"4\": 15}}");
    assert_false(s.inspector->blocks.blocks[0].has_candidates);
    assert_event(&s, 0, "[11] aten.add.Tensor a.b 7");
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_methods_have_is_kept),
        cmocka_unit_test(long_lines_are_whole),
        cmocka_unit_test(handles_of_different_methods_are_left_out),
        cmocka_unit_test(a_chosen_method_is_used_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
