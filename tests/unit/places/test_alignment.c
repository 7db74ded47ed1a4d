#include "support.h"

#include "seen_fixture.h"

#include "payload_builder.h"

#include "places/alignment.h"

/* ==== alignment =============================================================================== */
/* Matches events with the nodes that they run: one to one, or in order where nodes are fused or run twice. */

#define NONE ETI_NOT_ALIGNED
#define MOST 8

/* Inputs and outputs are consecutive values: node i takes value i and gives value i + 1. */
typedef struct aligned {
    eti_xnnpack_node nodes[MOST];
    eti_text names[MOST];
    eti_alignment alignment;
} aligned;

static void align(aligned *a, size_t n_nodes, const uint8_t *kinds, size_t n_events,
                  const char *const *names, size_t with_limits) {
    *a = (aligned){0};
    for (size_t i = 0; i < n_nodes; i++)
        a->nodes[i] = (eti_xnnpack_node){.kind = kinds[i],
                                         .has_limits = i == with_limits,
                                         .n_inputs = 1,
                                         .inputs = {(uint32_t)i},
                                         .output = (uint32_t)i + 1};
    for (size_t i = 0; i < n_events; i++)
        a->names[i] = eti__text_of(names[i]);
    const eti_xnnpack payload = {.nodes = a->nodes, .n_nodes = (uint32_t)n_nodes};
    assert_true(eti__align(&a->alignment, &payload, a->names, n_events));
}

#define ALIGN(a, limits, kinds, names)                                                             \
    align(a, COUNT_OF(kinds), kinds, COUNT_OF(names), names, limits)
#define NO_LIMITS SIZE_MAX

static void as_many_that_fit_are_exact(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_STATIC_TRANSPOSE, ETI_XNNPACK_CONV2D,
                                    ETI_XNNPACK_CONV2D, ETI_XNNPACK_TANH};
    static const char *const names[] = {"Transpose (ND, X32) #1",
                                        "Convolution (NHWC, F32) IGEMM #1",
                                        "Fully Connected (NC, F32) GEMM #1", "TanH (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_true(a.alignment.is_exact);
    assert_int_equal(a.alignment.n_unexplained, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(a.alignment.nodes[i], i);
    eti__alignment_free(&a.alignment);
}

static void clamps_are_part_of_the_operator_before(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CONV2D,
                                    ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const char *const names[] = {"Convolution (NHWC, QC8) IGEMM #1",
                                        "Convolution (NHWC, QC8) IGEMM #2", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_false(a.alignment.is_exact);
    assert_int_equal(a.alignment.n_found, 3);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.nodes[2], 3); /* the first of two consecutive nodes */
    assert_int_equal(a.alignment.hosts[1], 0);
    assert_int_equal(a.alignment.hosts[4], 2);
    eti__alignment_free(&a.alignment);
}

static void limits_may_run_as_a_clamp(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Convolution (NHWC, F32) IGEMM #1", "Add (ND) #1",
                                        "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 1, kinds, names);
    assert_int_equal(a.alignment.nodes[1], 1);
    assert_int_equal(a.alignment.nodes[2], 1);
    assert_int_equal(a.alignment.n_unexplained, 0);
    eti__alignment_free(&a.alignment);
    /* without limits it belongs to no node */
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[2], NONE);
    assert_int_equal(a.alignment.n_unexplained, 1);
    eti__alignment_free(&a.alignment);
}

static void conversions_are_part_of_the_operator_after(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONVERT, ETI_XNNPACK_FULLY_CONNECTED,
                                    ETI_XNNPACK_GELU, ETI_XNNPACK_CONVERT,
                                    ETI_XNNPACK_FULLY_CONNECTED};
    static const char *const names[] = {"Fully Connected (NC, QDU8, F32, QC8W) GEMM #1",
                                        "GELU (NC) #1",
                                        "Fully Connected (NC, QDU8, F32, QC8W) GEMM #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 3);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    assert_int_equal(a.alignment.hosts[3], 2);
    assert_true(eti__alignment_is_fused_ahead(&a.alignment, 3));
    eti__alignment_free(&a.alignment);
}

static void look_ups_take_in_the_conversions_around(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CONVERT, ETI_XNNPACK_HARDSWISH,
                                    ETI_XNNPACK_CONVERT, ETI_XNNPACK_CONV2D};
    static const char *const names[] = {"Convolution (NHWC, QC8) IGEMM #1", "Invalid Unary Op #1",
                                        "Convolution (NHWC, QC8) IGEMM #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.hosts[1], 1);
    assert_int_equal(a.alignment.hosts[3], 1);
    eti__alignment_free(&a.alignment);
}

static void of_two_reshapes_the_last_runs(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_STATIC_RESHAPE, ETI_XNNPACK_STATIC_RESHAPE,
                                    ETI_XNNPACK_ADD};
    static const char *const names[] = {"Static Reshape (NC) #1", "Add (ND) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    eti__alignment_free(&a.alignment);
}

static void where_less_than_half_fits_nothing_does(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_SIN};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1", "Floor (NC) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 0);
    assert_int_equal(a.alignment.nodes[0], NONE);
    eti__alignment_free(&a.alignment);
}

static void numbers_of_another_type_are_not_explained(void **state) {
    (void)state;
    static const eti_xnnpack_node node = {
        .kind = ETI_XNNPACK_CONV2D, .n_inputs = 1, .output = 1, .output_bits = 8};
    const eti_text names[] = {eti__text_of("Convolution (NHWC, F32) IGEMM #1"),
                              eti__text_of("Convolution (NHWC, QC8) IGEMM #1")};
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &names[0], 1));
    assert_int_equal(alignment.n_unexplained, 1);
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &names[1], 1));
    assert_int_equal(alignment.n_unexplained, 0);
    eti__alignment_free(&alignment);
}

/* ---- choices between nodes ------------------------------------------------------------------- */

/* An optional node is passed over rather than one that always runs. */
static void nodes_that_always_run_are_seldom_passed(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_MULTIPLY, ETI_XNNPACK_SQUARE};
    static const char *const names[] = {"Square (NC) #1"};
    static const uint8_t copies[] = {ETI_XNNPACK_CONCATENATE_2, ETI_XNNPACK_COPY,
                                     ETI_XNNPACK_CONCATENATE_2};
    static const char *const copied[] = {"Copy (NC) #1", "Copy (NC) #2"};
    aligned a;
    ALIGN(&a, NO_LIMITS, copies, copied);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], 2);
    assert_int_equal(a.alignment.hosts[1], 1); /* the node that takes its values */
    eti__alignment_free(&a.alignment);
    /* nothing explains why a node that always runs did not run */
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.n_unexplained, 1);
    eti__alignment_free(&a.alignment);
}

/* Finding more nodes justifies passing over a node that always runs. */
static void most_events_find_a_node(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_SIN, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.nodes[0], 1);
    eti__alignment_free(&a.alignment);
}

/* A clamp that ran implements the limits of the node before it rather than a clamp after that node, unless the node's
 * kernel clamps. */
static void limits_run_before_a_clamp_that_may_be_left_out(void **state) {
    (void)state;
    static const uint8_t adds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_CLAMP};
    static const char *const added[] = {"Add (ND) #1", "Clamp (NC) #1"};
    static const uint8_t more[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const uint8_t convolved[] = {ETI_XNNPACK_CONV2D, ETI_XNNPACK_CLAMP, ETI_XNNPACK_CLAMP};
    static const char *const names[] = {"Convolution (NHWC, F32) IGEMM #1", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 0, more, added);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], 0);
    /* part of the last event of the node that it clamps */
    assert_int_equal(a.alignment.hosts[1], 1);
    eti__alignment_free(&a.alignment);
    ALIGN(&a, 0, convolved, names);
    assert_int_equal(a.alignment.nodes[1], 1);
    eti__alignment_free(&a.alignment);
    /* a choice with as many fitting nodes is found first */
    ALIGN(&a, 0, adds, added);
    assert_true(a.alignment.is_exact);
    eti__alignment_free(&a.alignment);
}

/* Only a clamp may implement the limits of the node before it. */
static void other_events_are_no_limits(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD, ETI_XNNPACK_COPY};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1"};
    aligned a;
    ALIGN(&a, 0, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], NONE);
    eti__alignment_free(&a.alignment);
}

/* A conversion is part of the first event of the node that takes its values, not of the event of that node's limits. */
static void conversions_are_part_of_the_first_event(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_CONVERT, ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1", "Clamp (NC) #1"};
    aligned a;
    ALIGN(&a, 1, kinds, names);
    assert_int_equal(a.alignment.nodes[0], 1);
    assert_int_equal(a.alignment.nodes[1], 1);
    assert_int_equal(a.alignment.hosts[0], 0);
    eti__alignment_free(&a.alignment);
}

/* Nodes of unknown kinds may be left out; where the flow of values is unknown, the order decides which node they belong
 * to. */
static void unknown_nodes_are_part_of_the_operator_before(void **state) {
    (void)state;
    static const eti_xnnpack_node nodes[] = {
        {.kind = ETI_XNNPACK_ADD, .n_inputs = 1, .output = 1},
        {.kind = ETI_XNNPACK_NONE},
        {.kind = ETI_XNNPACK_CONVERT, .n_inputs = 1, .inputs = {70}, .output = 71},
        {.kind = ETI_XNNPACK_TANH, .n_inputs = 1, .inputs = {80}, .output = 81}};
    const eti_text names[] = {eti__text_of("Add (ND) #1"), eti__text_of("TanH (NC) #1")};
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = nodes, .n_nodes = COUNT_OF(nodes)},
                           names, 2));
    assert_int_equal(alignment.n_unexplained, 0);
    assert_int_equal(alignment.nodes[1], 3);
    assert_int_equal(alignment.hosts[1], 0);
    assert_int_equal(alignment.hosts[2], 1); /* a conversion belongs to the node after it */
    assert_false(eti__alignment_is_fused_ahead(&alignment, 1));
    assert_true(eti__alignment_is_fused_ahead(&alignment, 2));
    eti__alignment_free(&alignment);
}

static void half_of_the_events_is_enough(void **state) {
    (void)state;
    static const uint8_t kinds[] = {ETI_XNNPACK_ADD};
    static const char *const names[] = {"Add (ND) #1", "Softmax (NC, F32) #1"};
    aligned a;
    ALIGN(&a, NO_LIMITS, kinds, names);
    assert_int_equal(a.alignment.n_found, 1);
    assert_int_equal(a.alignment.nodes[0], 0);
    assert_int_equal(a.alignment.nodes[1], NONE);
    eti__alignment_free(&a.alignment);
}

/* A conversion may give numbers of another type than the one in its name. */
static void conversions_may_give_any_numbers(void **state) {
    (void)state;
    static const eti_xnnpack_node node = {
        .kind = ETI_XNNPACK_CONVERT, .n_inputs = 1, .output = 1, .output_bits = 8};
    const eti_text name = eti__text_of("Convert (NC, F32, QS8) #1");
    eti_alignment alignment = {0};
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = &node, .n_nodes = 1}, &name, 1));
    assert_int_equal(alignment.n_unexplained, 0);
    eti__alignment_free(&alignment);
}

static void too_much_work_is_not_done(void **state) {
    (void)state;
    const uint32_t n = 1u << 16;
    eti_xnnpack_node *nodes = calloc(n, sizeof *nodes);
    eti_text *names = calloc(n, sizeof *names);
    eti_alignment alignment = {0};
    assert_non_null(nodes);
    assert_non_null(names);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].kind = ETI_XNNPACK_ADD;
        names[i] = eti__text_of("Add (ND) #1");
    }
    names[0] = eti__text_of("Sine (NC) #1");
    assert_true(eti__align(&alignment, &(eti_xnnpack){.nodes = nodes, .n_nodes = n}, names, n));
    assert_int_equal(alignment.n_found, 0);
    eti__alignment_free(&alignment);
    free(nodes);
    free(names);
}

/* ==== block methods =========================================================================== */
/* Distinguishes methods with equal instructions by the operators that delegates logged. */

/* Operators are letters, and delegate calls are separated by "|": "tt|s" is two calls of TanH, TanH and Sine. */
static const struct {
    char letter;
    uint8_t kind;
    const char *kernel;
} operators[] = {{'t', ETI_XNNPACK_TANH, "TanH"},
                 {'s', ETI_XNNPACK_SIN, "Sine"},
                 {'f', ETI_XNNPACK_FLOOR, "Floor"}};

static size_t operator_of(char letter) {
    for (size_t i = 0; i < COUNT_OF(operators); i++) {
        if (operators[i].letter == letter)
            return i;
    }
    fail_msg("there is no operator %c", letter);
    return 0;
}

/* Adds a method with a delegate per call; "!" is a payload that cannot be read, and "?" one of another backend. */
static void add_method(seen *s, const char *name, const char *calls) {
    while (*calls) {
        payload_node nodes[16];
        size_t n = strcspn(calls, "|");
        assert_true(n <= COUNT_OF(nodes));
        if (*calls == '!') {
            add_delegate_bytes(s, "XnnpackBackend", "\0\0\0\0XH00 and no more", 20);
        } else if (*calls == '?') {
            add_delegate_bytes(s, "OtherBackend", "anything", 8);
        } else {
            for (size_t i = 0; i < n; i++)
                nodes[i] = (payload_node){.kind = operators[operator_of(calls[i])].kind,
                                          .handle = (uint32_t)i + 1};
            add_payload(s, nodes, n);
        }
        calls += n + (calls[n] == '|');
    }
    end_seen_method(s, name);
}

/* Writes a run in which delegates logged these operators. */
static place log_calls(builder *b, const char *run_name, const char *calls) {
    place events[32];
    size_t n = 0;
    uint32_t instruction = 0;
    for (const char *at = calls;; at++) {
        char name[32];
        assert_true(n < COUNT_OF(events));
        if (*at && *at != '|') {
            snprintf(name, sizeof name, "%s (NC, F32) #%d", operators[operator_of(*at)].kernel,
                     (int)(at - calls));
            events[n++] = LOGGED_BY(b, instruction, name);
            continue;
        }
        events[n++] = CALL_OF(b, instruction);
        instruction++;
        if (!*at)
            break;
    }
    return put_run(b, &(run_spec){.name = run_name, .events = put_tables(b, events, n)});
}

#define NOT_MATCHING(blocks)                                                                       \
    "test.pte does not match: no method has the operators that delegates logged in " blocks        \
    "; give the program (.pte) of the export that ran"

/* Checks the method of a block; NULL: unknown. */
static void assert_method(const seen *s, size_t block, const char *expected) {
    const eti_inspector *inspector = s->session.inspector;
    const eti_method *method = eti__method_of(inspector, eti_inspector_block(inspector, block));
    assert_int_equal(method != NULL, expected != NULL);
    if (method)
        assert_text(method->name, expected);
}

/* Checks which of two methods, "first" and "second", ran. */
static void expect_method(const char *first, const char *second, const char *logged,
                          const char *expected) {
    seen s = {0};
    add_method(&s, "first", first);
    add_method(&s, "second", second);
    open_seen(&s, DUMP(&s.session.b, log_calls(&s.session.b, "Execute", logged)), NULL);
    assert_method(&s, 0, expected);
    close_seen(&s);
}

/* ---- the best payloads ----------------------------------------------------------------------- */

static void the_method_whose_operators_were_logged_ran(void **state) {
    (void)state;
    expect_method("t", "s", "t", "first");
    expect_method("t", "s", "s", "second");
    expect_method("t|t", "t|s", "t|s", "second");
    expect_method("t|t", "s|t", "s|t", "second");
    expect_method("t|t|s", "t|s|s", "t|t|s", "first");
    expect_method("t|t|s", "t|s|s", "t|s|s", "second");
    expect_method("tt|s", "t|ts", "t|ts", "second");
}

/* Both have other operators than those that were logged: "first" one, "second" two. */
static void the_method_with_fewer_other_operators_ran(void **state) {
    (void)state;
    expect_method("ttttttts|t", "ttttttss|t", "tttttttt|t", "first");
    expect_method("ttttttss|t", "ttttttts|t", "tttttttt|t", "second");
    /* in different calls, whose differences add up */
    expect_method("ttttttts|ttt|ttts", "tttttttt|tts|tttt", "tttttttt|ttt|tttt", "second");
    /* nodes that did not run count like operators without a node */
    expect_method("tttttttts", "ttttttttss", "tttttttt", "first");
    expect_method("ttttttttss", "tttttttts", "tttttttt", "second");
}

/* Of the operators that delegates logged, at most one in four may be missing in the payloads. */
static void at_most_one_operator_in_four_may_be_missing(void **state) {
    (void)state;
    expect_method("ttt", "tt", "tttf", "first");
    expect_method("t", "tt", "ttf", NULL);
    expect_method("tttt", "tttttt", "ttttttff", "second");
    expect_method("ttttt", "tttt", "tttttfff", NULL);
    expect_method("tts|s", "tt|s", "ttf|s", "second"); /* of all calls together */
}

static void the_best_of_several_methods_ran(void **state) {
    (void)state;
    static const struct {
        const char *logged, *expected;
    } cases[] = {{"tttttttt", "a"}, {"ttttttts", "b"}, {"ttttttss", "c"}, {"tttttsss", "d"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        seen s = {0};
        add_method(&s, "a", "tttttttt");
        add_method(&s, "b", "ttttttts");
        add_method(&s, "c", "ttttttss");
        add_method(&s, "d", "tttttsss");
        open_seen(&s, DUMP(&s.session.b, log_calls(&s.session.b, "Execute", cases[i].logged)),
                  NULL);
        assert_method(&s, 0, cases[i].expected);
        assert_int_equal(notes_with(&s, "does not match"), 0);
        close_seen(&s);
    }
}

/* The events get the nodes of the method that ran. */
static void events_have_the_nodes_of_their_method(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_method(&s, "first", "tt");
    add_method(&s, "second", "ts");
    open_seen(&s, DUMP(b, log_calls(b, "Execute", "ts")), NULL);
    assert_seen(&s, "Sine (NC, F32) #1", "exact [2] Sin");
    assert_text(eti_inspector_block(s.session.inspector, 0)->label, "second");
    close_seen(&s);
}

/* The first method makes another number of calls. */
static void methods_with_other_instructions_did_not_run(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_method(&s, "first", "t|t");
    add_method(&s, "second", "t");
    add_method(&s, "third", "s");
    open_seen(&s, DUMP(b, log_calls(b, "Execute", "s")), NULL);
    assert_method(&s, 0, "third");
    close_seen(&s);
}

static void each_block_has_its_method(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_method(&s, "first", "t");
    add_method(&s, "second", "s");
    open_seen(&s,
              DUMP(b, RUN(b, "Default", TIMED(b, .name = "Method::init", .end_time = 5)),
                   log_calls(b, "Execute", "s"), log_calls(b, "Execute", "t")),
              NULL);
    assert_method(&s, 0, NULL);
    assert_method(&s, 1, "second");
    assert_method(&s, 2, "first");
    close_seen(&s);
}

/* ---- payloads that show no method ------------------------------------------------------------ */

/* Two methods with the same operators. */
static void equal_methods_stay_unknown(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_method(&s, "first", "t");
    add_method(&s, "second", "t");
    add_method(&s, "third", "s");
    open_seen(&s, DUMP(b, log_calls(b, "Execute", "t")), NULL);
    assert_method(&s, 0, NULL);
    assert_int_equal(notes_with(&s, "so the method that ran is unknown"), 1);
    assert_int_equal(notes_with(&s, "does not match"), 0);
    close_seen(&s);
}

static void payloads_of_other_backends_show_nothing(void **state) {
    (void)state;
    expect_method("?", "?", "t", NULL);
    expect_method("?|t", "?|s", "t|s", "second");
}

/* Opens two methods and two blocks that logged operators which neither has. */
static void open_misfits(seen *s, const char *first, const char *second, bool two_blocks) {
    builder *b = &s->session.b;
    add_method(s, "first", first);
    add_method(s, "second", second);
    place blocks[] = {log_calls(b, "Execute", "ffft"), log_calls(b, "Other", "fff")};
    open_seen(s, put_dump(b, (optional){0}, put_tables(b, blocks, two_blocks ? 2 : 1)), NULL);
}

static void methods_without_the_logged_operators_did_not_run(void **state) {
    (void)state;
    seen s = {0};
    open_misfits(&s, "ttt", "ttss", false);
    assert_method(&s, 0, NULL);
    assert_int_equal(notes_with(&s, NOT_MATCHING("1 block")), 1);
    close_seen(&s);

    open_misfits(&s, "ttt", "ttss", true);
    assert_method(&s, 0, NULL);
    assert_method(&s, 1, NULL);
    assert_int_equal(notes_with(&s, NOT_MATCHING("2 blocks")), 1);
    assert_int_equal(notes_with(&s, "equally well"), 0);
    close_seen(&s);

    /* the second block fits */
    open_misfits(&s, "ttt", "fff", true);
    assert_method(&s, 1, "second");
    close_seen(&s);
}

/* Checks which method ran, and the note about payloads that cannot be read ("!"); `n_damaged` 0: none. */
static void expect_with_damage(const char *first, const char *second, const char *logged,
                               const char *expected, int n_damaged) {
    seen s = {0};
    builder *b = &s.session.b;
    add_method(&s, "first", first);
    add_method(&s, "second", second);
    open_seen(&s, DUMP(b, log_calls(b, "Execute", logged)), NULL);
    assert_method(&s, 0, expected);
    assert_int_equal(notes_with(&s, "), so the method that ran is unknown"), n_damaged > 0);
    if (n_damaged > 0)
        assert_int_equal(notes_with(&s, n_damaged == 1
                                            ? "test.pte: cannot read 1 payload of XNNPACK ("
                                            : "test.pte: cannot read 2 payloads of XNNPACK ("),
                         1);
    assert_int_equal(notes_with(&s, "does not match: no method"), 0);
    close_seen(&s);
}

/* The other method may have run: its payload cannot be read. */
static void damaged_payloads_leave_the_method_open(void **state) {
    (void)state;
    expect_with_damage("t", "!", "t", NULL, 1);
    expect_with_damage("!", "!", "t", NULL, 2);
    expect_with_damage("tttttttt", "!", "ttttttts", NULL, 1);
    expect_with_damage("!|t", "t|t", "t|t", NULL, 1);
}

/* Payloads that can be read decide as far as they can. */
static void damaged_payloads_may_be_without_effect(void **state) {
    (void)state;
    expect_with_damage("s", "!", "t", "second", 0);
    expect_with_damage("t|t", "!|s", "t|t", "first", 0);
    expect_with_damage("t|tttttttt", "!|ttttttts", "t|tttttttt", "first", 0);
    expect_with_damage("!|ttttttts", "t|tttttttt", "t|tttttttt", "second", 0);
}

/* ---- methods that the user chose ------------------------------------------------------------- */

/* Opens methods "first", with `first`, and "second", with "t", and a run. */
static void open_chosen(seen *s, const eti_options *options, const char *first,
                        const char *logged) {
    builder *b = &s->session.b;
    s->session.options = options;
    add_method(s, "first", first);
    add_method(s, "second", "t");
    open_seen(s, DUMP(b, log_calls(b, "Execute", logged)), NULL);
}

static void the_user_chooses_among_equal_methods(void **state) {
    (void)state;
    static const char *const names[] = {"first", "second"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        seen s = {0};
        options.method = names[i];
        open_chosen(&s, &options, "t", "t");
        assert_method(&s, 0, names[i]);
        assert_int_equal(notes_with(&s, "did not run this method"), 0);
        assert_int_equal(notes_with(&s, "the methods first, second match its instructions equally "
                                        "well: method "),
                         1);
        assert_int_equal(notes_with(&s, "is used for all of its runs"), 1);
        close_seen(&s);
    }
}

static void payloads_may_contradict_the_user(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    seen s = {0};
    options.method = "first";
    open_chosen(&s, &options, "s", "t");
    assert_method(&s, 0, "second");
    assert_int_equal(notes_with(&s, "method first: block second did not run this method, because "
                                    "its delegates logged the operators of second"),
                     1);
    close_seen(&s);

    options.method = "second";
    open_chosen(&s, &options, "s", "t");
    assert_method(&s, 0, "second");
    assert_int_equal(notes_with(&s, "did not run this method"), 0);
    assert_int_equal(notes_with(&s, "is used for all of its runs"), 0);
    close_seen(&s);

    open_chosen(&s, &options, "s", "s");
    assert_method(&s, 0, "first");
    assert_int_equal(notes_with(&s, "method second: block first did not run this method"), 1);
    close_seen(&s);
}

static void each_block_may_contradict_the_user(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    seen s = {.session.options = &options};
    builder *b = &s.session.b;
    options.method = "first";
    add_method(&s, "first", "s");
    add_method(&s, "second", "t");
    open_seen(&s,
              DUMP(b, log_calls(b, "Execute", "s"), log_calls(b, "Other", "t"),
                   log_calls(b, "Third", "t")),
              NULL);
    assert_method(&s, 0, "first");
    assert_method(&s, 1, "second");
    assert_method(&s, 2, "second");
    assert_int_equal(notes_with(&s, "method first: block second"), 2);
    assert_int_equal(notes_with(&s, "did not run this method"), 2);
    close_seen(&s);
}

/* The first block does not fit the chosen method, because it has another number of calls. */
static void a_choice_applies_to_the_blocks_that_fit_it(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    seen s = {.session.options = &options};
    builder *b = &s.session.b;
    options.method = "third";
    add_method(&s, "first", "t|t");
    add_method(&s, "second", "t");
    add_method(&s, "third", "t");
    open_seen(&s, DUMP(b, log_calls(b, "Execute", "t|t"), log_calls(b, "Other", "t")), NULL);
    assert_method(&s, 0, "first");
    assert_method(&s, 1, "third");
    close_seen(&s);
}

/* Payloads that fit no method leave the choice to the user. */
static void the_user_chooses_where_no_payload_fits(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    seen s = {0};
    options.method = "second";
    s.session.options = &options;
    open_misfits(&s, "ttt", "ttss", true);
    assert_method(&s, 0, "second");
    assert_method(&s, 1, "second");
    assert_int_equal(notes_with(&s, NOT_MATCHING("2 blocks")), 1);
    close_seen(&s);
}

/* ==== payloads ================================================================================ */
/* Each payload is read once, and each one that cannot be read is counted once. */

static const eti_xnnpack *find(eti_payloads *payloads, const char *backend, eti_text bytes) {
    const eti_xnnpack *found;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__payloads_find(payloads, eti__text_of(backend), bytes, &found, &err));
    return found;
}

static void each_is_read_once(void **state) {
    (void)state;
    const payload_node nodes[] = {XNODE(TANH, 7), XNODE(ADD, 8)};
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    builder b = {0};
    finish_payload(&b, nodes, COUNT_OF(nodes));
    const eti_text bytes = {(const char *)b.file.data, b.file.size};
    const eti_xnnpack *graph = find(&payloads, "XnnpackBackend", bytes);
    assert_non_null(graph);
    const eti_xnnpack_node *read = graph->nodes;
    assert_int_equal(graph->n_nodes, 2);
    assert_int_equal(read[1].kind, ETI_XNNPACK_ADD);
    assert_int_equal(read[1].debug_handle, 8);
    assert_ptr_equal(find(&payloads, "XnnpackBackend", bytes)->nodes, read);
    assert_int_equal(payloads.n_damaged + payloads.n_foreign, 0);
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
    builder_free(&b);
}

static void unreadable_tensors_are_counted(void **state) {
    (void)state;
    static const char text[] = "this is the payload of no delegate";
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    for (int i = 0; i < 2; i++) {
        assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 20}));
        assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 10}));
        assert_null(find(&payloads, "OtherBackend", (eti_text){text + 1, 10}));
    }
    assert_int_equal(payloads.n_damaged, 2);
    assert_int_equal(payloads.n_foreign, 1);
    assert_text(payloads.backend, "OtherBackend");
    assert_non_null(strstr(payloads.damage.message, "not a payload of XNNPACK"));
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
}

/* The first failure gives the reason. */
static void the_first_damage_is_kept(void **state) {
    (void)state;
    static const char cut[] = "\0\0\0\0XH00\36\0\0", text[] = "no payload";
    eti_arena arena = {0};
    eti_payloads payloads = {.arena = &arena};
    assert_null(find(&payloads, "XnnpackBackend", (eti_text){cut, 11}));
    assert_null(find(&payloads, "XnnpackBackend", (eti_text){text, 10}));
    assert_int_equal(payloads.n_damaged, 2);
    assert_non_null(strstr(payloads.damage.message, "11 bytes, too few for its header"));
    eti__payloads_free(&payloads);
    eti__arena_free(&arena);
}

static void only_one_backend_is_readable(void **state) {
    (void)state;
    assert_true(eti__is_xnnpack(eti__text_of("XnnpackBackend")));
    assert_false(eti__is_xnnpack(eti__text_of("XnnpackBackend2")));
    assert_false(eti__is_xnnpack(eti__text_of("Xnnpack")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_that_fit_are_exact),
        cmocka_unit_test(clamps_are_part_of_the_operator_before),
        cmocka_unit_test(limits_may_run_as_a_clamp),
        cmocka_unit_test(conversions_are_part_of_the_operator_after),
        cmocka_unit_test(look_ups_take_in_the_conversions_around),
        cmocka_unit_test(of_two_reshapes_the_last_runs),
        cmocka_unit_test(where_less_than_half_fits_nothing_does),
        cmocka_unit_test(numbers_of_another_type_are_not_explained),
        cmocka_unit_test(nodes_that_always_run_are_seldom_passed),
        cmocka_unit_test(most_events_find_a_node),
        cmocka_unit_test(limits_run_before_a_clamp_that_may_be_left_out),
        cmocka_unit_test(other_events_are_no_limits),
        cmocka_unit_test(conversions_are_part_of_the_first_event),
        cmocka_unit_test(unknown_nodes_are_part_of_the_operator_before),
        cmocka_unit_test(half_of_the_events_is_enough),
        cmocka_unit_test(conversions_may_give_any_numbers),
        cmocka_unit_test(too_much_work_is_not_done),
        cmocka_unit_test(the_method_whose_operators_were_logged_ran),
        cmocka_unit_test(the_method_with_fewer_other_operators_ran),
        cmocka_unit_test(at_most_one_operator_in_four_may_be_missing),
        cmocka_unit_test(the_best_of_several_methods_ran),
        cmocka_unit_test(events_have_the_nodes_of_their_method),
        cmocka_unit_test(methods_with_other_instructions_did_not_run),
        cmocka_unit_test(each_block_has_its_method),
        cmocka_unit_test(equal_methods_stay_unknown),
        cmocka_unit_test(payloads_of_other_backends_show_nothing),
        cmocka_unit_test(methods_without_the_logged_operators_did_not_run),
        cmocka_unit_test(damaged_payloads_leave_the_method_open),
        cmocka_unit_test(damaged_payloads_may_be_without_effect),
        cmocka_unit_test(the_user_chooses_among_equal_methods),
        cmocka_unit_test(payloads_may_contradict_the_user),
        cmocka_unit_test(each_block_may_contradict_the_user),
        cmocka_unit_test(a_choice_applies_to_the_blocks_that_fit_it),
        cmocka_unit_test(the_user_chooses_where_no_payload_fits),
        cmocka_unit_test(each_is_read_once),
        cmocka_unit_test(unreadable_tensors_are_counted),
        cmocka_unit_test(the_first_damage_is_kept),
        cmocka_unit_test(only_one_backend_is_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
