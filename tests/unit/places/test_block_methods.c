/* Distinguishes methods with equal instructions by the operators that delegates logged. */
#include "places/block_methods.h"

#include "seen_fixture.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
