/* The lines below the sentence of a gate. */
#include "compare/compare.h"
#include "gate/gate.h"
#include "gate_fixture.h"
#include "table_cell.h"

#include <math.h>

static eti_error err;

#define N_EVENTS 7

/* `tiny` is below 1 % of the whole, which is 197500 with 5000 of the runtime. */
static const gate_event before[N_EVENTS] = {
    {"conv", "aten.convolution.default", "encoder.conv", 50000, NULL, 0},
    {"relu", "aten.relu.default", "encoder", 20000, NULL, 0},
    {"mm", "aten.mm.default", "head", 29000, NULL, 0},
    {"tiny", "aten.add.Tensor", "head", 500, NULL, 0},
    {"a", "aten.mul.Tensor", "tail", 30000, NULL, 0},
    {"b", "aten.mul.Tensor", "tail", 31000, NULL, 0},
    {"c", "aten.mul.Tensor", "tail", 32000, NULL, 0},
};

/* Files of one side differ by up to 1 %. File 11 n + i scatters as file i. */
static gate_side files(size_t n, unsigned framework, unsigned first) {
    return (gate_side){
        .n_files = n, .n_runs = 10, .framework = framework, .scatter = 10, .first = first};
}

/* Two sides, and the report of a gate between them. */
typedef struct scene {
    eti_profile *base, *new_side;
    eti_gate_options options;
    eti_report *report;
} scene;

/* All events of the new side, and the runtime, take `factor` times as long; conv `of_conv` times that. */
static scene begin(size_t n_files, double factor, double of_conv) {
    gate_event after[N_EVENTS];
    memcpy(after, before, sizeof after);
    for (size_t i = 0; i < N_EVENTS; i++)
        after[i].ticks = (unsigned)(after[i].ticks * factor * (i == 0 ? of_conv : 1));
    unsigned framework = (unsigned)(5000 * factor);
    return (scene){.base = make_side(before, N_EVENTS, files(n_files, 5000, 0)),
                   .new_side = make_side(after, N_EVENTS, files(n_files, framework, 110)),
                   .options = ETI_GATE_OPTIONS_DEFAULT};
}

static void report(scene *s, const char *const *rules, size_t n_rules, eti_gate_outcome expected) {
    eti_gate_outcome outcome;
    eti_report_free(s->report);
    s->options.rules = rules;
    s->options.n_rules = n_rules;
    assert_ok(eti__gate_report(&s->report, &outcome, s->base, s->new_side, &s->options, &err));
    assert_int_equal(outcome, expected);
}

#define REPORT(s, expected, ...)                                                                   \
    report((s), ((const char *const[]){__VA_ARGS__}), COUNT_OF(((const char *[]){__VA_ARGS__})),   \
           (expected))

static void end(scene *s) {
    eti_report_free(s->report);
    eti_profile_free(s->base);
    eti_profile_free(s->new_side);
    free_files();
}

static size_t count_notes(const scene *s, const char *note) {
    const eti_section *section = &s->report->sections[0];
    size_t n = 0;
    for (size_t i = 0; i < section->n_notes; i++)
        n += eti__text_contains(section->notes[i], eti__text_of(note));
    return n;
}

static void expect_note(const scene *s, const char *note) {
    const eti_section *section = &s->report->sections[0];
    if (count_notes(s, note) == 1)
        return;
    for (size_t i = 0; i < section->n_notes; i++)
        print_message("%.*s\n", (int)section->notes[i].size, section->notes[i].data);
    fail_msg("expected one note '%s'", note);
}

static void expect_no_note(const scene *s, const char *note) {
    if (count_notes(s, note) > 0)
        fail_msg("there is a note '%s'", note);
}

/* ---- coverage -------------------------------------------------------------------------------- */

#define SMALL "; 1 below "
#define ALL_BUT_ONE "checked 6 of 7 events (97.2 % of the time)"

/* The reasons are those of the rule that checks most events without choosing some. */
static void coverage_has_the_reasons_of_the_widest_rule(void **state) {
    (void)state;
    scene s = begin(5, 1, 1);
    s.options.diff.alpha = 0.05; /* five files are enough for several rules */
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_note(&s, ALL_BUT_ONE SMALL);
    REPORT(&s, ETI_GATE_PASSED, "module:p50>+5%", "op=conv:p50>+5%", "op:p50>+5%", "total:p50>1s");
    expect_note(&s, ALL_BUT_ONE SMALL);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5% min_share=25%", "op:p50>+5%");
    expect_note(&s, ALL_BUT_ONE SMALL);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%", "op:p50>+5% min_share=25%");
    expect_note(&s, ALL_BUT_ONE SMALL);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5% min_share=25%");
    expect_note(&s, "checked 1 of 7 events (25.3 % of the time); 6 below ");
    /* a rule that names one event says nothing about the others */
    REPORT(&s, ETI_GATE_PASSED, "op=conv:p50>+5%");
    expect_note(&s, "checked 1 of 7 events (25.3 % of the time)");
    expect_no_note(&s, " below ");
    REPORT(&s, ETI_GATE_PASSED, "module:p50>+5%");
    expect_no_note(&s, " below ");
    REPORT(&s, ETI_GATE_PASSED, "total:p50>+5%");
    expect_no_note(&s, " of the time)");
    end(&s);
}

/* A side of which the first file lacks the last event. */
static eti_profile *make_side_with_gap(const gate_event *events, size_t n, unsigned first) {
    gate_side side = files(5, 5000, first);
    eti_profile *made[5];
    for (size_t i = 0; i < 5; i++)
        made[i] = make_file(events, i == 0 ? n - 1 : n, &side, first + i);
    return merge_files(made, 5);
}

static void coverage_has_every_reason(void **state) {
    (void)state;
    gate_event events[N_EVENTS + 2];
    memcpy(events, before, sizeof before);
    events[N_EVENTS] = (gate_event){"zero", "aten.view.default", "tail", 0, NULL, 0};
    events[N_EVENTS + 1] = (gate_event){"rare", "aten.sin.default", "tail", 30000, NULL, 0};
    scene s = {.base = make_side_with_gap(events, N_EVENTS + 2, 0),
               .new_side = make_side_with_gap(events, N_EVENTS + 2, 100),
               .options = ETI_GATE_OPTIONS_DEFAULT};
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+10%");
    expect_note(&s, "checked 6 of 9 events");
    expect_note(&s, SMALL);
    expect_note(&s, ", 1 with a time of 0, 1 not in all files");
    end(&s);
}

/* ---- level ----------------------------------------------------------------------------------- */

#define RELATIVE "; single events are judged without it"

/* It matters only to rules that compare events, or groups of them. */
static void a_level_is_noted_where_events_are_compared(void **state) {
    (void)state;
    scene s = begin(5, 2, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_note(&s, "all events: +100.0 %" RELATIVE);
    REPORT(&s, ETI_GATE_PASSED, "total:p50>5s", "optype:p50>+5%");
    expect_note(&s, RELATIVE);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>5s");
    expect_no_note(&s, RELATIVE);
    REPORT(&s, ETI_GATE_FAILED, "total:p50>+5%");
    expect_no_note(&s, RELATIVE);
    REPORT(&s, ETI_GATE_FAILED, "total:p50>+5%", "op:p50>5s");
    expect_no_note(&s, RELATIVE);
    end(&s);
    s = begin(5, 0.5, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_note(&s, "all events: -50.0 %" RELATIVE);
    end(&s);
    s = begin(5, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_no_note(&s, RELATIVE);
    end(&s);
}

/* Appends a block, in five files of a run each. */
static void add_block_of(eti_buffer *out, const char *name, unsigned n_events, double factor) {
    eti__buffer_printf(out, "block,%s,,5,0,1;2;3;4\n", name);
    for (unsigned i = 0; i <= n_events; i++) {
        if (i == 0)
            eti__buffer_printf(out, "execute,Method::execute,,,,,,,,,");
        else
            eti__buffer_printf(out, "kernel,%s%u,,,,,,,,,", name, i);
        for (unsigned file = 0; file < 5; file++) {
            unsigned place = (7 * i + 3 * file * file + i * file) % 11;
            eti__buffer_printf(out, "%s%.0f", file > 0 ? ";" : "",
                               (i == 0 ? 10000 * n_events : 10000) * factor + place);
        }
        eti__buffer_add_char(out, '\n');
    }
}

/* Block F has six events. */
static eti_profile *make_blocks(unsigned n_in_e, double of_e, double of_f) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "time_scale,ns\n");
    add_block_of(&text, "E", n_in_e, of_e);
    add_block_of(&text, "F", 6, of_f);
    return read_file(text);
}

static void each_block_has_its_level(void **state) {
    (void)state;
    scene s = {.base = make_blocks(6, 1, 1),
               .new_side = make_blocks(6, 1, 1.5),
               .options = ETI_GATE_OPTIONS_DEFAULT};
    s.options.diff.alpha = 0.02; /* five files are enough for two totals */
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_note(&s, "F: all events: +50.0 %" RELATIVE);
    expect_no_note(&s, "E: all events");
    expect_note(&s, "Method::execute of F is slower, ");
    expect_no_note(&s, "Method::execute of E is slower, ");
    end(&s);
}

static double cell_of_gate(const scene *s, const char *name) {
    const eti_table *table = eti_report_table(s->report, 0);
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), name)) {
            eti_cell cell = table_cell(table, 0, i);
            return cell.kind == ETI_CELL_NONE ? (double)NAN : cell.as_double;
        }
    }
    fail_msg("there is no column %s", name);
    return (double)NAN;
}

/* The level of the gate is that of the first block that has one: fewer than five events have none. */
static void the_gate_has_a_level(void **state) {
    (void)state;
    static const struct {
        unsigned n_in_e;
        double level; /* NaN: none */
    } cases[] = {{6, 0}, {5, 0}, {4, 0.5}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scene s = {.base = make_blocks(cases[i].n_in_e, 1, 1),
                   .new_side = make_blocks(cases[i].n_in_e, 1, 1.5),
                   .options = ETI_GATE_OPTIONS_DEFAULT};
        REPORT(&s, ETI_GATE_PASSED, "op=F*:p50>+5%");
        assert_true(fabs(cell_of_gate(&s, "level") - cases[i].level) < 0.001);
        end(&s);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void limits_of_few_files_have_one_line(void **state) {
    (void)state;
    const char *const line = "limits are compared with the times in";
    scene s = begin(4, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s", "op:p50>1s");
    expect_note(&s,
                "limits are compared with the times in 4 files; another process may differ, and 5 "
                "or more files show by how much");
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_note(&s, line);
    REPORT(&s, ETI_GATE_UNDECIDED, "op:p50>+5%", "total:p50>1s");
    expect_note(&s, line);
    REPORT(&s, ETI_GATE_UNDECIDED, "op:p50>+5%");
    expect_no_note(&s, line);
    end(&s);
    s = begin(5, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s", "op:p50>1s");
    expect_no_note(&s, line);
    end(&s);
}

/* ---- failures -------------------------------------------------------------------------------- */

#define BY_CHANCE "if the program is unchanged, fewer than one gate in "
#define ALLOW "to allow an intended change, add a line PATTERN,REASON to a file for "

/* Early looks add a fifth of alpha, 0.01. Limits fail without a comparison. */
static void a_failure_has_its_chance(void **state) {
    (void)state;
    scene s = begin(5, 1, 1.2);
    REPORT(&s, ETI_GATE_FAILED, "op=conv:p50>+5%");
    expect_note(&s, BY_CHANCE "100 fails by chance");
    expect_note(&s, ALLOW);
    s.options.n_looks = 1;
    REPORT(&s, ETI_GATE_FAILED, "op=conv:p50>+5%");
    expect_note(&s, BY_CHANCE "100 fails");
    s.options.n_looks = 3;
    REPORT(&s, ETI_GATE_FAILED, "op=conv:p50>+5%");
    expect_note(&s, BY_CHANCE "83 fails");
    /* of both rules only the limit fails */
    REPORT(&s, ETI_GATE_FAILED, "total:p50>1us", "op=mm:p50>+20%");
    expect_no_note(&s, BY_CHANCE);
    expect_note(&s, ALLOW);
    REPORT(&s, ETI_GATE_PASSED, "op=mm:p50>+20%");
    expect_no_note(&s, BY_CHANCE);
    expect_no_note(&s, ALLOW);
    end(&s);
}

/* ---- rules and exceptions -------------------------------------------------------------------- */

static void undecided_rules_say_why(void **state) {
    (void)state;
    scene s = begin(5, 1, 1);
    REPORT(&s, ETI_GATE_UNDECIDED, "op=mm:p50>+20%", "op=tiny:p50>+5%", "op=relu:p50>+20%");
    expect_note(&s, "op=tiny:p50>+5%: nothing to check: 1 below ");
    expect_no_note(&s, "op=mm:");
    expect_no_note(&s, "op=relu:");
    REPORT(&s, ETI_GATE_UNDECIDED, "op=tiny:p50>+5%");
    expect_note(&s, "op=tiny:p50>+5%: nothing to check: 1 below ");
    end(&s);
}

static void exceptions_without_a_use_are_noted(void **state) {
    (void)state;
    static const char list[] = "pattern,reason\nrelu,slow\nconv,new kernel\ngone*,old\nmm,slow\n";
    eti_source source = {"allow.csv", list, strlen(list)};
    scene s = begin(5, 1, 1.2);
    s.options.allowed = &source;
    s.options.n_allowed = 1;
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_no_note(&s, "conv is not slower");
    expect_no_note(&s, "allow.csv:3: conv");
    expect_note(&s, "allow.csv:2: relu is not slower: the entry can be removed");
    expect_note(&s, "allow.csv:4: gone* matches nothing on either side");
    expect_note(&s, "allow.csv:5: mm is not slower: the entry can be removed");
    end(&s);
}

/* ---- the total ------------------------------------------------------------------------------- */

#define NOT_COVERED "ms, but no rule covers it: add total:"

/* Where nothing is compared but events, relative to their level, a slower total would be passed over in silence. */
static void a_slower_total_without_a_rule_is_noted(void **state) {
    (void)state;
    scene s = begin(5, 2, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_note(&s, NOT_COVERED "p50>+5%");
    expect_note(&s, "Method::execute is slower, 0.2003 -> 0.4005 ");
    REPORT(&s, ETI_GATE_PASSED, "op:avg>+5%");
    expect_note(&s, NOT_COVERED "avg>+5%");
    REPORT(&s, ETI_GATE_PASSED, "op:max>+5%");
    expect_note(&s, NOT_COVERED "max>+5%");
    REPORT(&s, ETI_GATE_PASSED, "total:p50>5s", "op:p50>+5%");
    expect_no_note(&s, NOT_COVERED);
    REPORT(&s, ETI_GATE_FAILED, "overhead:p50>+5%");
    expect_no_note(&s, NOT_COVERED);
    end(&s);
    s = begin(5, 0.5, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_no_note(&s, NOT_COVERED);
    end(&s);
    s = begin(5, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "op:p50>+5%");
    expect_no_note(&s, NOT_COVERED);
    end(&s);
}

/* ---- sides ----------------------------------------------------------------------------------- */

static void unlike_sides_are_noted(void **state) {
    (void)state;
    gate_event others[N_EVENTS];
    memcpy(others, before, sizeof others);
    for (size_t i = 0; i < 5; i++) {
        static const char *const names[] = {"p", "q", "r", "s", "t"};
        others[i].name = others[i].op = others[i].module = names[i];
    }
    scene s = {.base = make_side(before, N_EVENTS, files(1, 5000, 0)),
               .new_side = make_side(others, N_EVENTS, files(1, 5000, 100)),
               .options = ETI_GATE_OPTIONS_DEFAULT};
    s.options.diff.allow_unlike = true;
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_note(&s, "the sides have little in common");
    assert_true(eti__text_equal(s.report->sections[0].notes[0], s.report->gate->headline));
    end(&s);
    s = begin(1, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_no_note(&s, "the sides have little in common");
    /* limits need no other side */
    eti_profile *base = s.base;
    s.base = s.new_side;
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_no_note(&s, "the same file");
    s.base = NULL;
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_no_note(&s, "the same file");
    s.base = base;
    end(&s);
}

static void one_process_is_noted(void **state) {
    (void)state;
    scene s = begin(1, 1, 1);
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_no_note(&s, ETI_ONE_PROCESS_NOTE);
    s.options.diff.one_process = true;
    REPORT(&s, ETI_GATE_PASSED, "total:p50>1s");
    expect_note(&s, ETI_ONE_PROCESS_NOTE);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_has_the_reasons_of_the_widest_rule),
        cmocka_unit_test(coverage_has_every_reason),
        cmocka_unit_test(a_level_is_noted_where_events_are_compared),
        cmocka_unit_test(each_block_has_its_level),
        cmocka_unit_test(the_gate_has_a_level),
        cmocka_unit_test(limits_of_few_files_have_one_line),
        cmocka_unit_test(a_failure_has_its_chance),
        cmocka_unit_test(undecided_rules_say_why),
        cmocka_unit_test(exceptions_without_a_use_are_noted),
        cmocka_unit_test(a_slower_total_without_a_rule_is_noted),
        cmocka_unit_test(unlike_sides_are_noted),
        cmocka_unit_test(one_process_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
