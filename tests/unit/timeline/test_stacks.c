/* Tests profiles by stack, as lines "method;module;operator file:line ms events". */
#include "account/account.h"
#include "rollup_fixture.h"
#include "timeline/stacks.h"
#include "timeline/timeline.h"

#include <inttypes.h>

static void show(const eti_stacks *stacks, uint64_t unit, eti_buffer *out) {
    uint32_t path[ETI_MOST_STACK_DEPTH];
    for (size_t i = 0; i < stacks->n; i++) {
        const eti_stack *stack = &stacks->items[i];
        size_t n = eti__stack_path(stacks, stack->node, path);
        assert_in_range(n, 1, ETI_MOST_STACK_DEPTH);
        for (size_t k = 0; k < n; k++) {
            if (k > 0)
                eti__buffer_add_char(out, ';');
            eti__buffer_add_text(out, eti__stack_name(stacks, path[k]));
        }
        assert_true(eti__text_equal(stack->method, eti__stack_name(stacks, path[0])));
        if (stack->file.data)
            eti__buffer_printf(out, " %.*s:%" PRIu32, ETI_TEXT_ARGS(stack->file), stack->line);
        eti__buffer_printf(out, " %" PRIu64 " %" PRIu64, eti__stack_round(stack->ns) / unit,
                           stack->n_events);
        if (stack->backend.data)
            eti__buffer_printf(out, " %.*s", ETI_TEXT_ARGS(stack->backend));
        eti__buffer_add_char(out, '\n');
    }
}

static void assert_stacks(const session *s, const eti_view_options *options, uint64_t unit,
                          const char *expected) {
    eti_stacks stacks;
    eti_buffer found = {0};
    eti_error err = ETI_ERROR_INIT;
    const eti_stack_source source = {.inspector = s->inspector, .options = *options};
    assert_ok(eti__stacks_make(&stacks, &source, &err));
    show(&stacks, unit, &found);
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
    eti__stacks_free(&stacks);
}

static const eti_view_options plain = ETI_VIEW_OPTIONS_DEFAULT;

/* The runs have 128 and 130 ms, and 129 ms are typical. */
static void stacks_add_up_to_a_typical_run(void **state) {
    (void)state;
    session s = {0};
    open_two_runs(&s);
    assert_stacks(&s, &plain, 1000000,
                  "forward;a;fc;aten.permute.default /m/a.py:7 16 2\n"
                  "forward;a;fc;aten.mm.default /m/a.py:7 8 2\n"
                  "forward;(framework) around operators 1 6\n"
                  "forward;conv 32 4 Npu\n"
                  "forward;(delegate overhead) Npu 32 2 Npu\n"
                  "forward;aten.tan.default /m/b.py:3 4 2\n"
                  "forward;(framework) between instructions 36 2\n");
    close_session(&s);
}

#define LAYER(name, op, handle, modules, input)                                                    \
    OP(name, op, handle, modules, FRAME("/m/a.py", 7, "self.fc(x)"), input)
#define LAYERS "L,,my.Model;L_l,l,my.Seq"
#define TREE                                                                                       \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"nodes\": [" LAYER("a", "mm.default", "1", LAYERS ";L_l_0,l.0,my.Linear", "x") ", " LAYER(   \
        "b", "relu.default", "2", LAYERS ";L_l_1,l.1,my.Relu",                                     \
        "a") ", " LAYER("c", "mm.default", "3", LAYERS ";L_l_2,l.2,my.Linear",                     \
                        "b") ", " LAYER("d", "mm.default", "4",                                    \
                                        "L,,my.Model;L_o_0,o.0,my.Block;L_o_0_q,o.0.q,my.Linear",  \
                                        "c") ", " LAYER("e", "mm.default", "5",                    \
                                                        "L,,my.Model;L_o_1,o.1,my.Block;"          \
                                                        "L_o_1_q,o.1.q,my.Linear",                 \
                                                        "d") "]}}}"

static void open_layers(session *s) {
    builder *b = &s->b;
    open_session(
        s,
        DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_a", 0, 0, 1),
                    MS_CALL(b, "native_call_b", 1, 1, 3), MS_CALL(b, "native_call_c", 2, 3, 7),
                    MS_CALL(b, "native_call_d", 3, 7, 15), MS_CALL(b, "native_call_e", 4, 15, 31),
                    MS_EVENT(b, "Method::execute", 0, 32))),
        &(record_spec){.handles = "{\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4, \"4\": 5}",
                       .edge = TREE});
}

/* A module whose name is only a number is prefixed with the name of the module around it; "o.0", which is in no module "o",
 * keeps its name. */
static void modules_are_called_as_in_the_one_around_them(void **state) {
    (void)state;
    session s = {0};
    open_layers(&s);
    assert_stacks(&s, &plain, 1000000,
                  "forward;l;l.0;aten.mm.default /m/a.py:7 1 1\n"
                  "forward;l;l.1;aten.relu.default /m/a.py:7 2 1\n"
                  "forward;l;l.2;aten.mm.default /m/a.py:7 4 1\n"
                  "forward;o.0;q;aten.mm.default /m/a.py:7 8 1\n"
                  "forward;o.1;q;aten.mm.default /m/a.py:7 16 1\n"
                  "forward;(framework) between instructions 1 1\n");
    close_session(&s);
}

/* Layers of one type are merged, and so are the alike modules in them. */
static void layers_are_folded_as_in_the_tree(void **state) {
    (void)state;
    session s = {0};
    eti_view_options folded = ETI_VIEW_OPTIONS_DEFAULT;
    folded.folds_layers = true;
    open_layers(&s);
    assert_stacks(&s, &folded, 1000000,
                  "forward;l;l.*;aten.mm.default /m/a.py:7 5 2\n"
                  "forward;l;l.1;aten.relu.default /m/a.py:7 2 1\n"
                  "forward;o.*;q;aten.mm.default /m/a.py:7 24 2\n"
                  "forward;(framework) between instructions 1 1\n");
    close_session(&s);
}

/* The first run is a warm-up; without a record all stacks are directly below the block. */
static void runs_that_warm_up_are_left_out(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[6];
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(b, "Execute", MS_CALL(b, "native_call_a.out", 0, 1, i == 0 ? 90 : 4),
                      MS_EVENT(b, "Method::execute", 0, i == 0 ? 100 : 5));
    open_session(&s, DUMP(b, runs[0], runs[1], runs[2], runs[3], runs[4], runs[5]), NULL);
    assert_stacks(&s, &plain, 1000000,
                  "Execute;native_call_a.out 3 5\n"
                  "Execute;(framework) between instructions 2 5\n");
    close_session(&s);
}

/* 3 ticks of 7 kHz are 428571.43 ns, and 15 are 2142857.14 ns. */
static void parts_of_nanoseconds_are_rounded(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.source_time_scale = ETI_SCALE_CYCLES;
    options.clock_hz = 7000;
    s.options = &options;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = "native_call_a", .instruction_id = SOME(0),
                                   .start_time = 0, .end_time = 3),
                             TIMED(b, .name = "native_call_b", .instruction_id = SOME(1),
                                   .start_time = 3, .end_time = 6),
                             TIMED(b, .name = "native_call_c", .instruction_id = SOME(2),
                                   .start_time = 6, .end_time = 21))),
                 NULL);
    assert_stacks(&s, &plain, 1,
                  "Execute;native_call_a 428571 1\n"
                  "Execute;native_call_b 428571 1\n"
                  "Execute;native_call_c 2142857 1\n");
    close_session(&s);
}

/* Without a frequency a cycle counts as 1; times are limited to 63 bits. */
static void cycles_of_an_unknown_clock_are_counted(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.source_time_scale = ETI_SCALE_CYCLES;
    options.target_time_scale = ETI_SCALE_CYCLES;
    s.options = &options;
    open_session(&s,
                 DUMP(b,
                      RUN(b, "Execute",
                          TIMED(b, .name = "native_call_a", .instruction_id = SOME(0),
                                .start_time = 0, .end_time = 5)),
                      RUN(b, "More",
                          TIMED(b, .name = "native_call_b", .instruction_id = SOME(0),
                                .start_time = 1, .end_time = UINT64_MAX))),
                 NULL);
    assert_stacks(&s, &plain, 1,
                  "Execute;native_call_a 5 1\n"
                  "More;native_call_b 9223372036854775807 1\n");
    eti_stacks stacks;
    const eti_stack_source source = {.inspector = s.inspector, .options = plain};
    assert_ok_at(eti__stacks_make(&stacks, &source, &s.err), &s.err, __FILE__, __LINE__);
    assert_true(stacks.is_in_cycles);
    assert_int_equal(eti__stacks_text_size(&stacks),
                     strlen("Execute;native_call_a;More;native_call_b;"));
    eti__stacks_free(&stacks);
    close_session(&s);
}

/* The text of names is limited, and names left out are in no stack. */
static void stacks_have_limits(void **state) {
    (void)state;
    session s = {0};
    static bool left_out[32];
    size_t first[] = {0, 0};
    eti_stacks stacks;
    eti_stack_source source = {.options = plain, .most_text = 10};
    open_two_runs(&s);
    source.inspector = s.inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__stacks_make(&stacks, &source, &err), ETI_ERROR_LIMIT, "10 bytes");
    eti__stacks_free(&stacks);
    source.most_text = 0;
    source.is_left_out = left_out;
    source.first_event = first;
    memset(left_out, true, sizeof left_out);
    left_out[0] = false; /* permute */
    assert_ok_at(eti__stacks_make(&stacks, &source, &s.err), &s.err, __FILE__, __LINE__);
    assert_int_equal(stacks.n, 1);
    assert_int_equal(eti__stack_round(stacks.items[0].ns), 16000000); /* of 32 ms in two runs */
    eti__stacks_free(&stacks);
    close_session(&s);
}

/* A path with more modules than are shown ends in the innermost shown module. */
static void deep_modules_are_cut(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_buffer modules = {0}, name = {0}, edge = {0};
    eti__buffer_add_string(&modules, "L,,my.Model");
    for (int i = 0; i < 150; i++) {
        eti__buffer_printf(&name, "%s%d", i > 0 ? "." : "", i);
        eti__buffer_printf(&modules, ";L_%d,%.*s,my.Block", i, (int)name.size, name.data);
    }
    eti__buffer_printf(
        &edge,
        "{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": [{\"name\": "
        "\"a\", \"target\": \"executorch.exir.dialects.edge.ops.aten.mm.default\", "
        "\"inputs\": [], \"outputs\": [{\"as_tensor\": {\"name\": \"a\"}}], "
        "\"metadata\": {\"debug_handle\": \"1\", \"nn_module_stack\": \"%.*s\"}}]}}}",
        (int)modules.size, modules.data);
    eti__buffer_add_char(&edge, '\0');
    open_session(&s, DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_a", 0, 0, 1))),
                 &(record_spec){.handles = "{\"0\": 1}", .edge = edge.data});
    eti_stacks stacks;
    const eti_stack_source source = {.inspector = s.inspector, .options = plain};
    uint32_t path[ETI_MOST_STACK_DEPTH];
    assert_ok_at(eti__stacks_make(&stacks, &source, &s.err), &s.err, __FILE__, __LINE__);
    assert_int_equal(stacks.n, 1);
    assert_int_equal(eti__stack_path(&stacks, stacks.items[0].node, path),
                     ETI_MOST_STACK_MODULES + 2);
    assert_text(eti__stack_name(&stacks, path[0]), "forward");
    assert_text(eti__stack_name(&stacks, path[1]), "0");
    assert_text(eti__stack_name(&stacks, path[3]), "0.1.2");
    /* names of outer modules are prefixed as long as they are short */
    assert_in_range(eti__stack_name(&stacks, path[ETI_MOST_STACK_MODULES]).size, 2, 203);
    eti__stacks_free(&stacks);
    eti__buffer_free(&modules);
    eti__buffer_free(&name);
    eti__buffer_free(&edge);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_add_up_to_a_typical_run),
        cmocka_unit_test(modules_are_called_as_in_the_one_around_them),
        cmocka_unit_test(layers_are_folded_as_in_the_tree),
        cmocka_unit_test(runs_that_warm_up_are_left_out),
        cmocka_unit_test(parts_of_nanoseconds_are_rounded),
        cmocka_unit_test(cycles_of_an_unknown_clock_are_counted),
        cmocka_unit_test(stacks_have_limits),
        cmocka_unit_test(deep_modules_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
