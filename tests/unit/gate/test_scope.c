#include "gate_fixture.h"

#include "table_cell.h"

#include "gate/gate.h"

#include <math.h>

/* ==== scope =================================================================================== */
/* Tests which comparison a rule uses, what it selects from it, and what is suggested if that is nothing. */

static eti_error err;

/* Ten files, whose times differ by up to a thousandth. */
static gate_side files(unsigned first) {
    return (gate_side){.n_files = 10, .n_runs = 10, .framework = 500, .scatter = 1, .first = first};
}

typedef struct scene {
    eti_profile *base, *new_side;
    eti_gate_options options;
    eti_gate gate;
} scene;

static scene begin(const gate_event *base, const gate_event *new_side, size_t n) {
    return (scene){.base = make_side(base, n, files(0)),
                   .new_side = make_side(new_side, n, files(110)),
                   .options = ETI_GATE_OPTIONS_DEFAULT};
}

static void judge(scene *s, const char *const *rules, size_t n) {
    eti__gate_free(&s->gate);
    s->options.rules = rules;
    s->options.n_rules = n;
    assert_ok(eti__gate_make(&s->gate, s->base, s->new_side, &s->options, &err));
}

#define RULES(...)                                                                                 \
    ((const char *const[]){__VA_ARGS__}), COUNT_OF(((const char *const[]){__VA_ARGS__}))

/* Checks the message with which a rule that matches nothing is refused: what comes after its text. */
static void expect_refused(const scene *s, const char *rule, const char *expected) {
    eti_buffer message = {0};
    eti_gate_options options = s->options;
    eti_gate gate;
    options.rules = &rule;
    options.n_rules = 1;
    assert_int_equal(eti__gate_make(&gate, s->base, s->new_side, &options, &err), ETI_ERROR_USAGE);
    eti__gate_free(&gate);
    eti__buffer_printf(&message, "the rule %s matches nothing on either side%s", rule, expected);
    assert_text(eti__buffer_text(&message), err.message);
    eti__buffer_free(&message);
}

static void end(scene *s) {
    eti__gate_free(&s->gate);
    eti_profile_free(s->base);
    eti_profile_free(s->new_side);
    free_files();
}

static const gate_event named[] = {
    {"conv", "aten.convolution.default", "encoder.conv", 50000, "/home/me/model.py", 12},
    {"mm", "aten.mm.default", "head", 29000, "/home/me/head.py", 7},
    {"native_call_addmm.out", NULL, "tail", 30000, "/home/me/tail.py", 3},
    {"hard_tanh", "aten.relu.default", "tail", 31000, "/home/me/tail.py", 4},
};
#define N_NAMED COUNT_OF(named)

/* ---- comparisons ----------------------------------------------------------------------------- */

static void expect_comparisons(scene *s, size_t expected, const char *const *rules, size_t n) {
    judge(s, rules, n);
    if (s->gate.n_diffs != expected)
        fail_msg("%s, ...: expected %zu comparisons, found %zu", rules[0], expected,
                 s->gate.n_diffs);
}

/* A comparison has a grouping, a metric and a share. Totals need no grouping and share, and limits no metric and share. */
static void rules_share_comparisons(void **state) {
    (void)state;
    scene s = begin(named, named, N_NAMED);
    expect_comparisons(&s, 1, RULES("op:p50>+5%", "op=conv:p50>+10%", "op:p50>+3us min_share=1%"));
    expect_comparisons(&s, 2, RULES("op:p50>+5%", "op:p50>+5% min_share=3%"));
    expect_comparisons(&s, 2, RULES("op:p50>+5%", "op:avg>+5%"));
    expect_comparisons(&s, 1, RULES("module:p50>+5%", "module=head:p50>+10%"));
    expect_comparisons(&s, 2, RULES("module:p50>+5%", "op:p50>+5%"));
    expect_comparisons(&s, 3, RULES("module:p50>+5%", "optype:p50>+5%", "source:p50>+5%"));
    expect_comparisons(&s, 1, RULES("module:p50>+5% min_share=3%", "total:p50>+5%"));
    expect_comparisons(&s, 1, RULES("op:p50>+5% min_share=3%", "framework:p50>+5%"));
    expect_comparisons(&s, 2, RULES("op:p50>+5%", "total:avg>+5%"));
    expect_comparisons(&s, 1, RULES("op:p90>+5%", "op:avg>1s min_share=3%"));
    expect_comparisons(&s, 2, RULES("op:p50>+5%", "module:p50>1s"));
    expect_comparisons(&s, 1, RULES("module:p50>+5%", "total:p90>1s"));
    end(&s);
}

/* Four events are too few for a level, so each is also compared with the rest of the total: changes of it that are smaller
 * than all limits do not count. Without a rule that is 5 %. */
static void small_limits_find_small_changes(void **state) {
    (void)state;
    gate_event slower[N_NAMED];
    memcpy(slower, named, sizeof slower);
    slower[0].ticks = slower[0].ticks * 103 / 100;
    scene s = begin(named, slower, N_NAMED);
    static const struct {
        const char *rules[2];
        size_t n;
    } cases[] = {{{"op=conv:p50>+2%"}, 1},
                 {{"op=conv:p50>+2%", "op=mm:p50>+20%"}, 2},
                 {{"op=mm:p50>+20%", "op=conv:p50>+2%"}, 2},
                 {{"op=conv:p50>+1us"}, 1},
                 {{"total:p50>5s", "op=conv:p50>+2%"}, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        judge(&s, cases[i].rules, cases[i].n);
        assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
        assert_text(s.gate.checks[0].row->name, "conv");
        assert_int_equal(s.gate.checks[0].finding, ETI_FINDING_FAILED);
    }
    judge(&s, RULES("op=conv:p50>+4%"));
    assert_int_equal(s.gate.outcome, ETI_GATE_PASSED);
    end(&s);
}

/* ---- totals ---------------------------------------------------------------------------------- */

/* Makes a side with all totals, of which number `slow` takes twice as long. */
static eti_profile *make_totals(size_t slow, unsigned first) {
    static const char *const kinds[] = {"execute", "operators", "delegates", "framework"};
    eti_profile *made[5];
    for (unsigned file = 0; file < COUNT_OF(made); file++) {
        eti_buffer text = {0};
        eti__buffer_printf(&text,
                           "time_scale,ns\nlabel,build,%u\n"
                           "block,Execute,,10,0\n",
                           first + file);
        for (size_t i = 0; i < COUNT_OF(kinds); i++) {
            eti__buffer_printf(&text, "%s,%s,,,,,,,,,", kinds[i], kinds[i]);
            add_ticks(&text, (unsigned)(100000 >> i) * (i == slow ? 2 : 1) + first + file, 10);
        }
        eti__buffer_add_string(&text, "kernel,a,,,,,,,,,");
        add_ticks(&text, 60000 + first + file, 10);
        made[file] = read_file(text);
    }
    return merge_files(made, COUNT_OF(made));
}

static void totals_have_their_rows(void **state) {
    (void)state;
    static const char *const rules[] = {"total:p50>+50%", "operators:p50>+50%",
                                        "delegates:p50>+50%", "overhead:p50>+50%"};
    for (size_t slow = 0; slow < COUNT_OF(rules); slow++) {
        scene s = {.base = make_totals(SIZE_MAX, 0),
                   .new_side = make_totals(slow, 10),
                   .options = ETI_GATE_OPTIONS_DEFAULT};
        for (size_t i = 0; i < COUNT_OF(rules); i++) {
            judge(&s, &rules[i], 1);
            assert_int_equal(s.gate.n_checks, 1);
            assert_int_equal(s.gate.outcome, i == slow ? ETI_GATE_FAILED : ETI_GATE_PASSED);
        }
        end(&s);
    }
}

/* ---- rules without matches ------------------------------------------------------------------- */

static void similar_names_are_suggested(void **state) {
    (void)state;
    scene s = begin(named, named, N_NAMED);
    /* one wrong letter, in names of any length */
    expect_refused(&s, "op=me:p50>+5%", "; did you mean mm?");
    expect_refused(&s, "op=cnv:p50>+5%", "; did you mean conv?");
    /* or one in three letters */
    expect_refused(&s, "op=cnvx:p50>+5%", "");
    expect_refused(&s, "op=convxy:p50>+5%", "; did you mean conv?");
    expect_refused(&s, "op=convxyz:p50>+5%", "");
    /* stars at the ends do not count */
    expect_refused(&s, "op=*cnv:p50>+5%", "; did you mean conv?");
    expect_refused(&s, "op=**cnv**:p50>+5%", "; did you mean conv?");
    expect_refused(&s, "op=me*:p50>+5%", "; did you mean mm?");
    expect_refused(&s, "op=*me:p50>+5%", "; did you mean mm?");
    end(&s);
}

/* Parts between dots come before parts between other marks. */
static void parts_of_names_are_compared(void **state) {
    (void)state;
    scene s = begin(named, named, N_NAMED);
    expect_refused(&s, "op=convoluton:p50>+5%", "; did you mean aten.convolution.default?");
    expect_refused(&s, "op=adddmm:p50>+5%", "; did you mean native_call_addmm.out?");
    expect_refused(&s, "op=tahn:p50>+5%", "; did you mean hard_tanh?");
    expect_refused(&s, "op=hrad:p50>+5%", "; did you mean hard_tanh?");
    expect_refused(&s, "op=hard_tahn:p50>+5%", "; did you mean hard_tanh?");
    expect_refused(&s, "op=reelu:p50>+5%", "; did you mean aten.relu.default?");
    end(&s);
    static const gate_event both[] = {{"native_call_addmm.out", NULL, NULL, 50000, NULL, 0},
                                      {"a", "aten.addmm.default", NULL, 50000, NULL, 0}};
    s = begin(both, both, COUNT_OF(both));
    expect_refused(&s, "op=adddmm:p50>+5%", "; did you mean aten.addmm.default?");
    end(&s);
}

/* Groups have names only; scopes may be meant, too. */
static void groups_and_scopes_are_suggested(void **state) {
    (void)state;
    scene s = begin(named, named, N_NAMED);
    expect_refused(&s, "module=heat:p50>+5%", "; did you mean head?");
    expect_refused(&s, "module=cnv:p50>+5%", "; did you mean encoder.conv?");
    expect_refused(&s, "optype=aten.mn.default:p50>+5%", "; did you mean aten.mm.default?");
    expect_refused(&s, "module=mn:p50>+5%", "");
    expect_refused(&s, "op=totl:p50>+5%", "; did you mean total?");
    expect_refused(&s, "op=pp:p50>+5%", "; did you mean op?");
    expect_refused(&s, "op=*progrm:p50>+5%", "; did you mean program?");
    end(&s);
}

/* ---- sides without ETRecord ------------------------------------------------------------------ */

#define NONE "=zzzzzzzz:p50>+5%"
#define OF_BASE(what)                                                                              \
    "; the base has no ETRecord, so its " what " are unknown: save the baseline with it"
#define OF_NEW(what)                                                                               \
    "; the new side has no ETRecord, so its " what " are unknown: save the baseline with it"
#define OF_BOTH(what) "; without an ETRecord, " what " are unknown: save the baseline with it"

static void what_a_record_has_is_unknown_without_it(void **state) {
    (void)state;
    static const gate_event bare[] = {{"conv", NULL, NULL, 50000, NULL, 0},
                                      {"mm", NULL, NULL, 29000, NULL, 0}};
    static const char *const backend = "backend" NONE;
    scene s = begin(named, named, 2);
    expect_refused(&s, "module" NONE, "");
    expect_refused(&s, "source" NONE, "");
    expect_refused(&s, "optype" NONE, "");
    expect_refused(&s, "op" NONE, "");
    end(&s);
    s = begin(bare, named, 2);
    expect_refused(&s, "module" NONE, OF_BASE("modules"));
    expect_refused(&s, "source" NONE, OF_BASE("source lines"));
    expect_refused(&s, "optype" NONE, OF_BASE("operators"));
    expect_refused(&s, "op" NONE, OF_BASE("operators"));
    end(&s);
    s = begin(named, bare, 2);
    expect_refused(&s, "module" NONE, OF_NEW("modules"));
    expect_refused(&s, "op" NONE, OF_NEW("operators"));
    end(&s);
    s = begin(bare, bare, 2);
    expect_refused(&s, "module" NONE, OF_BOTH("modules"));
    expect_refused(&s, "source" NONE, OF_BOTH("source lines"));
    expect_refused(&s, "op" NONE, OF_BOTH("operators"));
    expect_refused(&s, backend, ""); /* every ETDump has backends */
    end(&s);
}

/* One event that has the property shows that there was an ETRecord. */
static void each_property_is_looked_for(void **state) {
    (void)state;
    static const gate_event with_op[] = {{"conv", NULL, NULL, 50000, NULL, 0},
                                         {"mm", "aten.mm.default", NULL, 29000, NULL, 0}};
    static const gate_event with_module[] = {{"conv", NULL, NULL, 50000, NULL, 0},
                                             {"mm", NULL, "head", 29000, NULL, 0}};
    static const gate_event with_file[] = {{"conv", NULL, NULL, 50000, NULL, 0},
                                           {"mm", NULL, NULL, 29000, "/home/me/head.py", 7}};
    scene s = begin(with_op, with_op, 2);
    expect_refused(&s, "op" NONE, "");
    expect_refused(&s, "optype" NONE, "");
    expect_refused(&s, "module" NONE, OF_BOTH("modules"));
    expect_refused(&s, "source" NONE, OF_BOTH("source lines"));
    end(&s);
    s = begin(with_module, with_module, 2);
    expect_refused(&s, "op" NONE, OF_BOTH("operators"));
    expect_refused(&s, "module" NONE, "");
    expect_refused(&s, "source" NONE, OF_BOTH("source lines"));
    end(&s);
    s = begin(with_file, with_file, 2);
    expect_refused(&s, "optype" NONE, OF_BOTH("operators"));
    expect_refused(&s, "module" NONE, OF_BOTH("modules"));
    expect_refused(&s, "source" NONE, "");
    end(&s);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

/* Checks what is said of an exception that no failure uses, beside a rule. */
static void expect_exception_of(const scene *s, const char *const *rules, size_t n_rules,
                                const char *pattern, bool fits) {
    eti_buffer list = {0}, expected = {0};
    eti_report *report;
    eti_gate_outcome outcome;
    bool is_found = false;
    eti__buffer_printf(&list, "pattern,reason\n%s,slow\n", pattern);
    eti__buffer_printf(&expected, "allow.csv:2: %s %s", pattern,
                       fits ? "is not slower: the entry can be removed"
                            : "matches nothing on either side");
    const eti_source source = {"allow.csv", list.data, list.size};
    eti_gate_options options = s->options;
    options.rules = rules;
    options.n_rules = n_rules;
    options.allowed = &source;
    options.n_allowed = 1;
    assert_ok(eti__gate_report(&report, &outcome, s->base, s->new_side, &options, &err));
    assert_int_equal(outcome, ETI_GATE_PASSED);
    for (size_t i = 0; i < report->sections[0].n_notes; i++)
        is_found |= eti__text_equal(report->sections[0].notes[i], eti__buffer_text(&expected));
    if (!is_found)
        fail_msg("%s: there is no note '%.*s'", rules[0], (int)expected.size, expected.data);
    eti_report_free(report);
    eti__buffer_free(&list);
    eti__buffer_free(&expected);
}

static void expect_exception(const scene *s, const char *rule, const char *pattern, bool fits) {
    expect_exception_of(s, &rule, 1, pattern, fits);
}

static void exceptions_match_everything_that_rules_judge(void **state) {
    (void)state;
    static const char *const ops = "op:p50>+5%";
    scene s = begin(named, named, N_NAMED);
    expect_exception(&s, ops, "conv", true);
    expect_exception(&s, ops, "hard_tanh", true);
    expect_exception(&s, ops, "aten.mm.*", true);
    expect_exception(&s, ops, "encoder.conv", true);
    expect_exception(&s, ops, "Method::execute", true);
    expect_exception(&s, ops, "gone", false);
    expect_exception(&s, ops, "con", false);
    /* scopes of totals, but not of parts; figures of programs */
    expect_exception(&s, ops, "total", true);
    expect_exception(&s, ops, "delegates", true);
    expect_exception(&s, ops, "program", true);
    expect_exception(&s, ops, "op", false);
    expect_exception(&s, ops, "source", false);
    expect_exception(&s, ops, "file_size", true);
    expect_exception(&s, ops, "instructions", true);
    /* groups that a rule compares */
    expect_exception(&s, ops, "*tail.py:3", false);
    expect_exception(&s, "source:p50>+5%", "*tail.py:3", true);
    expect_exception(&s, "source:p50>+5%", "conv", true);
    /* also in the comparison of another rule than the first */
    expect_exception_of(&s, RULES("op:p50>+5%", "source:p50>+5%"), "*tail.py:3", true);
    end(&s);
}

/* ==== unlike ================================================================================== */
/* Tests which rules do not pass, although nothing checked is slower, because the sides are not alike. */

static const eti_gate_options defaults = ETI_GATE_OPTIONS_DEFAULT;

static void judge_unlike(scene *s, const char *rule) {
    eti__gate_free(&s->gate);
    s->options.rules = &rule;
    s->options.n_rules = 1;
    assert_ok(eti__gate_make(&s->gate, s->base, s->new_side, &s->options, &err));
}

static void expect_passed(scene *s, const char *rule) {
    judge_unlike(s, rule);
    if (s->gate.outcome != ETI_GATE_PASSED)
        fail_msg("%s: expected to pass", rule);
    assert_int_equal(s->gate.judgements[0].unlike.kind, ETI_ALIKE);
}

/* Returns the reason; the checks of the rule have not passed either. */
static eti_unlike expect_unlike(scene *s, const char *rule, eti_unlike_kind expected) {
    judge_unlike(s, rule);
    const eti_rule_judgement *judgement = &s->gate.judgements[0];
    if (judgement->outcome != ETI_RULE_UNLIKE || judgement->unlike.kind != expected)
        fail_msg("%s: expected the reason %d, found outcome %d, reason %d", rule, (int)expected,
                 (int)judgement->outcome, (int)judgement->unlike.kind);
    assert_int_equal(s->gate.outcome, ETI_GATE_UNDECIDED);
    assert_int_equal(judgement->checks[ETI_FINDING_PASSED], 0);
    assert_true(judgement->checks[ETI_FINDING_UNDECIDED] > 0);
    return judgement->unlike;
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
                                    "total:avg>+10%", "total:max>+10%",  "op:avg>+20us"};

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
    judge_unlike(&s, "total:max>1us"); /* a limit that is exceeded after warm-up fails */
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
        cmocka_unit_test(rules_share_comparisons),
        cmocka_unit_test(small_limits_find_small_changes),
        cmocka_unit_test(totals_have_their_rows),
        cmocka_unit_test(similar_names_are_suggested),
        cmocka_unit_test(parts_of_names_are_compared),
        cmocka_unit_test(groups_and_scopes_are_suggested),
        cmocka_unit_test(what_a_record_has_is_unknown_without_it),
        cmocka_unit_test(each_property_is_looked_for),
        cmocka_unit_test(exceptions_match_everything_that_rules_judge),
        cmocka_unit_test(more_warm_up_than_on_the_base),
        cmocka_unit_test(usual_warm_up),
        cmocka_unit_test(warm_up_before_a_limit),
        cmocka_unit_test(a_block_of_the_base_alone),
        cmocka_unit_test(little_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
