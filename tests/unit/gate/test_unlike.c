/* Tests which rules do not pass, although nothing checked is slower, because the sides are not alike. */
#include "gate/gate.h"
#include "gate_fixture.h"

static eti_error err;

typedef struct scene {
    eti_profile *base, *new_side;
    eti_gate_options options;
    eti_gate gate;
} scene;

static const eti_gate_options defaults = ETI_GATE_OPTIONS_DEFAULT;

static void judge(scene *s, const char *rule) {
    eti__gate_free(&s->gate);
    s->options.rules = &rule;
    s->options.n_rules = 1;
    assert_ok(eti__gate_make(&s->gate, s->base, s->new_side, &s->options, &err));
}

static void expect_passed(scene *s, const char *rule) {
    judge(s, rule);
    if (s->gate.outcome != ETI_GATE_PASSED)
        fail_msg("%s: expected to pass", rule);
    assert_int_equal(s->gate.judgements[0].unlike.kind, ETI_ALIKE);
}

/* Returns the reason; the checks of the rule have not passed either. */
static eti_unlike expect_unlike(scene *s, const char *rule, eti_unlike_kind expected) {
    judge(s, rule);
    const eti_rule_judgement *judgement = &s->gate.judgements[0];
    if (judgement->outcome != ETI_RULE_UNLIKE || judgement->unlike.kind != expected)
        fail_msg("%s: expected the reason %d, found outcome %d, reason %d", rule, (int)expected,
                 (int)judgement->outcome, (int)judgement->unlike.kind);
    assert_int_equal(s->gate.outcome, ETI_GATE_UNDECIDED);
    assert_int_equal(judgement->checks[ETI_FINDING_PASSED], 0);
    assert_true(judgement->checks[ETI_FINDING_UNDECIDED] > 0);
    return judgement->unlike;
}

static void end(scene *s) {
    eti__gate_free(&s->gate);
    eti_profile_free(s->base);
    eti_profile_free(s->new_side);
    free_files();
}

/* ---- warm-up --------------------------------------------------------------------------------- */

#define N_EVENTS 6

static const gate_event events[N_EVENTS] = {
    {"conv", NULL, "encoder", 50000, NULL, 0}, {"relu", NULL, "encoder", 20000, NULL, 0},
    {"mm", NULL, "head", 29000, NULL, 0},      {"mul", NULL, "head", 30000, NULL, 0},
    {"add", NULL, "tail", 31000, NULL, 0},     {"sub", NULL, "tail", 32000, NULL, 0},
};

/* Makes two equal sides of ten runs per file that remain after these numbers of runs were dropped. */
static scene begin_warm_up(size_t n_base, size_t n_new) {
    gate_side side = {
        .n_files = 6, .n_runs = 10, .framework = 5000, .scatter = 5, .n_dropped = n_base};
    scene s = {.base = make_side(events, N_EVENTS, side), .options = defaults};
    side.n_dropped = n_new;
    side.first = 110;
    s.new_side = make_side(events, N_EVENTS, side);
    return s;
}

static const char *const timed[] = {"op:p50>+10%",    "module:p50>+10%", "total:p50>+10%",
                                    "total:avg>+10%", "total:max>+10%",  "op:p90>+20us"};

static void more_warm_up_than_on_the_base(void **state) {
    (void)state;
    scene s = begin_warm_up(1, 10);
    for (size_t i = 0; i < COUNT_OF(timed); i++) {
        eti_unlike unlike = expect_unlike(&s, timed[i], ETI_UNLIKE_WARM_UP);
        assert_true(unlike.base > 0.09 && unlike.base < 0.1);
        assert_true(unlike.new_side == 0.5);
    }
    s.options.diff.allow_unlike = true;
    for (size_t i = 0; i < COUNT_OF(timed); i++)
        expect_passed(&s, timed[i]);
    end(&s);
}

/* Two runs more are usual, or a tenth of the runs more; so is more warm-up on the base. */
static void usual_warm_up(void **state) {
    (void)state;
    static const size_t cases[][2] = {{0, 0}, {0, 1}, {0, 2}, {8, 9}, {10, 10}, {10, 0}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        scene s = begin_warm_up(cases[k][0], cases[k][1]);
        for (size_t i = 0; i < COUNT_OF(timed); i++)
            expect_passed(&s, timed[i]);
        end(&s);
    }
    scene s = begin_warm_up(0, 3);
    expect_unlike(&s, "total:p50>+10%", ETI_UNLIKE_WARM_UP);
    end(&s);
}

/* A limit applies to the new side alone, whatever warm-up the base had. */
static void warm_up_before_a_limit(void **state) {
    (void)state;
    scene s = begin_warm_up(10, 10);
    expect_passed(&s, "total:max>1ms"); /* as on the base */
    end(&s);
    s = begin_warm_up(0, 10);
    assert_true(expect_unlike(&s, "total:max>1ms", ETI_UNLIKE_WARM_UP).base == 0);
    expect_unlike(&s, "op:p50>1ms", ETI_UNLIKE_WARM_UP);
    judge(&s, "total:max>1us"); /* a limit that is exceeded after warm-up fails */
    assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
    eti_profile_free(s.base);
    s.base = NULL;
    expect_unlike(&s, "total:max>1ms", ETI_UNLIKE_WARM_UP);
    s.new_side->has_fixed_skip = true; /* --skip_first 10 */
    expect_passed(&s, "total:max>1ms");
    end(&s);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Makes a side of six files with these blocks, each of which has an event named after it and one named mm. */
static eti_profile *make_blocks(const char *const *names, size_t n, unsigned first) {
    eti_profile *files[6];
    for (unsigned file = 0; file < COUNT_OF(files); file++) {
        eti_buffer text = {0};
        eti__buffer_printf(&text, "time_scale,ns\nlabel,build,%u\n", first + file);
        for (size_t i = 0; i < n; i++) {
            eti__buffer_printf(&text, "block,%s,,10,0\nexecute,Method::execute,,,,,,,,,", names[i]);
            add_ticks(&text, 100000 + 13 * (first + file), 10);
            eti__buffer_printf(&text, "kernel,%s.out,,,,,,,,,", names[i]);
            add_ticks(&text, 60000 + 7 * (first + file), 10);
            eti__buffer_add_string(&text, "kernel,mm,,,,,,,,,");
            add_ticks(&text, 40000 + 6 * (first + file), 10);
        }
        files[file] = read_file(text);
    }
    return merge_files(files, COUNT_OF(files));
}

static scene begin_blocks(const char *const *base, size_t n_base, const char *const *new_side,
                          size_t n_new) {
    return (scene){.base = make_blocks(base, n_base, 0),
                   .new_side = make_blocks(new_side, n_new, 110),
                   .options = defaults};
}

static void a_block_of_the_base_alone(void **state) {
    (void)state;
    static const char *const before[] = {"prefill", "decode"}, *const after[] = {"prefill", "v2"};
    for (size_t n_new = 1; n_new <= 2; n_new++) {
        scene s = begin_blocks(before, 2, after, n_new);
        static const char *const rules[] = {"total:p50>+5%", "op:p50>+5%", "op=mm:p50>+5%",
                                            "optype:p50>+5%"};
        for (size_t i = 0; i < COUNT_OF(rules); i++) {
            eti_unlike unlike = expect_unlike(&s, rules[i], ETI_UNLIKE_BLOCKS);
            assert_text(unlike.pair->base->name, "decode");
        }
        /* these select nothing of the lost block */
        expect_passed(&s, "op=prefill.out:p50>+5%");
        expect_passed(&s, "total:p50>1ms");
        s.options.diff.allow_unlike = true;
        expect_passed(&s, "total:p50>+5%");
        end(&s);
    }
    scene s = begin_blocks(before, 1, before, 2); /* a new block was never compared */
    expect_passed(&s, "total:p50>+5%");
    end(&s);
}

/* ---- shared times ---------------------------------------------------------------------------- */

/* Makes the same modules, and a total of the same time, of other events except for conv. */
static scene begin_other_events(void) {
    gate_event others[N_EVENTS];
    static const char *const names[] = {"conv", "x1", "x2", "x3", "x4", "x5"};
    memcpy(others, events, sizeof others);
    for (size_t i = 0; i < N_EVENTS; i++)
        others[i].name = names[i];
    gate_side side = {.n_files = 6, .n_runs = 10, .framework = 5000, .scatter = 5};
    scene s = {.base = make_side(events, N_EVENTS, side), .options = defaults};
    side.first = 110;
    s.new_side = make_side(others, N_EVENTS, side);
    return s;
}

static void little_in_common(void **state) {
    (void)state;
    scene s = begin_other_events();
    eti_unlike unlike = expect_unlike(&s, "op:p50>+5%", ETI_UNLIKE_EVENTS);
    assert_true(unlike.base > 0.25 && unlike.base < 0.27); /* 50 of 192 */
    assert_true(unlike.new_side > 0.25 && unlike.new_side < 0.27);
    expect_unlike(&s, "op=conv:p50>+5%", ETI_UNLIKE_EVENTS);
    expect_unlike(&s, "optype:p50>+5%", ETI_UNLIKE_EVENTS);
    /* the sides share all modules, and the total as measured; a limit compares nothing */
    expect_passed(&s, "module:p50>+5%");
    expect_passed(&s, "total:p50>+5%");
    expect_passed(&s, "framework:p50>+5%");
    expect_passed(&s, "op:p50>1ms");
    s.options.diff.allow_unlike = true;
    expect_passed(&s, "op:p50>+5%");
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_warm_up_than_on_the_base),
        cmocka_unit_test(usual_warm_up),
        cmocka_unit_test(warm_up_before_a_limit),
        cmocka_unit_test(a_block_of_the_base_alone),
        cmocka_unit_test(little_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
