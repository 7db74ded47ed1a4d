/* Tests rules of a gate: their syntax, and the places of errors in rules that cannot be read. */
#include "gate/gate.h"
#include "support.h"

#include "gate/rule.h"

static eti_error err;
static eti_arena arena;

static eti_gate_rule parse(const char *text) {
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_parse(&rule, &arena, eti__text_of(text), &err));
    return rule;
}

static int free_arena(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static void test_defaults(void **state) {
    (void)state;
    eti_gate_rule rule = parse("p50>+5%");
    assert_int_equal(rule.scope, ETI_GATE_OP);
    assert_int_equal(rule.metric, ETI_METRIC_P50);
    assert_int_equal(rule.kind, ETI_GATE_RELATIVE);
    assert_bits(rule.limit, 0.05);
    assert_bits(rule.min_share, 0.01);
    assert_bits(rule.min_effect, 0);
    assert_absent(rule.pattern);
    assert_text(rule.text, "p50>+5%");
}

static void test_scopes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        eti_gate_scope scope;
        const char *pattern;
    } cases[] = {
        {"op:p50>+5%", ETI_GATE_OP, NULL},
        {"op=aten.conv*:p50>+5%", ETI_GATE_OP, "aten.conv*"},
        {"op=aten::add.out:p50>+5%", ETI_GATE_OP, "aten::add.out"},
        {"op=a>b=c:p50>+5%", ETI_GATE_OP, "a>b=c"},
        {"optype:p50>+5%", ETI_GATE_OPTYPE, NULL},
        {"optype=aten.conv*:p50>+5%", ETI_GATE_OPTYPE, "aten.conv*"},
        {"module:p50>+5%", ETI_GATE_MODULE, NULL},
        {"module=encoder.*:p50>+5%", ETI_GATE_MODULE, "encoder.*"},
        {"backend=Xnnpack*:p50>+5%", ETI_GATE_BACKEND, "Xnnpack*"},
        {"source=*model.py:12:p50>+5%", ETI_GATE_SOURCE, "*model.py:12"},
        {"total:p50>+5%", ETI_GATE_TOTAL, NULL},
        {"operators:p50>+5%", ETI_GATE_OPERATORS, NULL},
        {"delegates:p50>+5%", ETI_GATE_DELEGATES, NULL},
        {"overhead:p50>+5%", ETI_GATE_FRAMEWORK, NULL},
        {"framework:p50>+5%", ETI_GATE_FRAMEWORK, NULL},
        {"loading:p50>+5%", ETI_GATE_LOADING, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule = parse(cases[i].text);
        assert_int_equal(rule.scope, cases[i].scope);
        if (cases[i].pattern)
            assert_text(rule.pattern, cases[i].pattern);
        else
            assert_absent(rule.pattern);
        assert_bits(rule.min_share, cases[i].scope < ETI_GATE_TOTAL ? 0.01 : 0);
    }
}

static void test_limits(void **state) {
    (void)state;
    eti_gate_rule rule = parse(" total : p90 > + 1.5e1 us min_effect = 2 ns ");
    assert_int_equal(rule.kind, ETI_GATE_DIFFERENCE);
    assert_int_equal(rule.metric, ETI_METRIC_P90);
    assert_bits(rule.limit, 15);
    assert_int_equal(rule.unit, ETI_SCALE_US);
    assert_bits(rule.min_effect, 2);
    assert_int_equal(rule.effect_unit, ETI_SCALE_NS);
    assert_text(rule.text, "total : p90 > + 1.5e1 us min_effect = 2 ns");
    rule = parse("max>20ms");
    assert_int_equal(rule.kind, ETI_GATE_ABSOLUTE);
    assert_int_equal(rule.unit, ETI_SCALE_MS);
    assert_bits(rule.min_share, 0);
    rule = parse("avg>+0%min_share=2.5% min_effect=1cycles");
    assert_bits(rule.min_share, 0.025);
    assert_bits(rule.limit, 0);
    assert_int_equal(rule.effect_unit, ETI_SCALE_CYCLES);
}

static void test_exponents(void **state) {
    (void)state;
    assert_bits(parse("p50>1e1us").limit, 10);
    assert_bits(parse("p50>1.5E+1us").limit, 15);
    assert_bits(parse("p50>2e-1us").limit, 0.2);
    assert_bits(parse("p50>0us").limit, 0);
}

/* Powers of 1000 with kB, MB, GB, of 1024 with KiB, MiB, GiB. */
static void test_bytes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double bytes;
    } cases[] = {
        {"file_size>3B", 3},
        {"file_size>3bytes", 3},
        {"file_size>3kB", 3000},
        {"file_size>3MB", 3000000},
        {"file_size>3GB", 3000000000},
        {"file_size>3KiB", 3072},
        {"file_size>3MiB", 3145728},
        {"file_size>3kib", 3072},
        {"file_size>3mib", 3145728},
        {"file_size>3GiB", 3221225472},
        {"file_size>3gib", 3221225472},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_bits(parse(cases[i].text).limit, cases[i].bytes);
}

/* The caret stands below byte number `at`, counted from 0. */
static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t at;
        const char *part;
    } cases[] = {
        {"", 0, "expected METRIC>LIMIT"},
        {"p50", 3, "expected METRIC>LIMIT"},
        {"op:", 3, "expected METRIC>LIMIT"},
        {"ops:p50>+5%", 0, "there is no 'ops': did you mean op?"},
        {":p50>+5%", 0, "expected a scope"},
        {"op=:p50>+5%", 2, "expected a pattern"},
        {"total=x:p50>+5%", 5, "there is only one total"},
        {"overhead=x:p50>+5%", 8, "there is only one framework"},
        {"op:p51>+5%", 3, "there is no 'p51': did you mean p50?"},
        {"op:>+5%", 3, "expected p50, avg, p90, min or max"},
        {"p50>5%", 4, "a percentage is relative to BASE"},
        {"p50>", 4, "expected a limit"},
        {"p50>+", 5, "expected a limit"},
        {"p50>-5%", 4, "expected a limit"},
        {"p50>+nan%", 5, "expected a limit"},
        {"p50>+1e999%", 5, "expected a limit"},
        {"p50>+1.2.3%", 5, "expected a limit"},
        {"p50>+5", 6, "expected % or a unit"},
        {"p50>+5 minutes", 7, "expected % or a unit"},
        {"p50>+5% or so", 8, "expected min_share="},
        {"p50>+5% min_share", 17, "expected ="},
        {"p50>+5% min_share=1us", 8, "expected a share"},
        {"p50>+5% min_share=101%", 8, "cannot be more than 100"},
        {"p50>+5% min_effect=1%", 8, "expected a time"},
        {"op=\xc3\xa4:p50>5%", 10, "a percentage is relative to BASE"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule;
        assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(cases[i].text), &err),
                     ETI_ERROR_USAGE, cases[i].part);
        assert_int_equal(err.position, cases[i].at + 1);
        assert_fails(eti__gate_check_rule(cases[i].text, &err), ETI_ERROR_USAGE, cases[i].part);
    }
}

static void test_long(void **state) {
    (void)state;
    char *text = malloc(ETI_GATE_RULE_MAX_SIZE + 2);
    eti_gate_rule rule;
    assert_non_null(text);
    memset(text, '1', ETI_GATE_RULE_MAX_SIZE + 1);
    text[ETI_GATE_RULE_MAX_SIZE + 1] = '\0';
    assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(text), &err), ETI_ERROR_USAGE,
                 "more than 4096 bytes");
    free(text);
}

static void test_parts(void **state) {
    (void)state;
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of(" aten::conv* "),
                                      eti__text_of("p90"), eti__text_of("20 us"), &err));
    assert_int_equal(rule.scope, ETI_GATE_OP);
    assert_text(rule.pattern, "aten::conv*");
    assert_text(rule.text, "aten::conv*:p90>20 us");
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("module=a*"), eti__text_of("p50"),
                                      eti__text_of("+5% min_share=3%"), &err));
    assert_int_equal(rule.scope, ETI_GATE_MODULE);
    assert_text(rule.pattern, "a*");
    assert_bits(rule.min_share, 0.03);
    assert_fails(eti__gate_rule_of_parts(&rule, &arena, eti__text_of(" "), eti__text_of("p50"),
                                         eti__text_of("+5%"), &err),
                 ETI_ERROR_USAGE, "expected an operator");
    assert_fails(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("x"), eti__text_of("p5"),
                                         eti__text_of("+5%"), &err),
                 ETI_ERROR_USAGE, "did you mean p50?");
    assert_int_equal(err.position, 0);
}

/* Figures need no scope, and their limits are numbers of bytes or of things. */
static void test_figures(void **state) {
    (void)state;
    static const struct {
        const char *text;
        eti_figure figure;
        eti_gate_limit kind;
        double limit;
    } cases[] = {
        {"file_size > 1MB", ETI_FIGURE_FILE_SIZE, ETI_GATE_ABSOLUTE, 1e6},
        {"arena_size>2MiB", ETI_FIGURE_ARENA_SIZE, ETI_GATE_ABSOLUTE, 2 << 20},
        {"arena_peak>1.5kB", ETI_FIGURE_ARENA_PEAK, ETI_GATE_ABSOLUTE, 1500},
        {"waste>+1KiB", ETI_FIGURE_WASTE, ETI_GATE_DIFFERENCE, 1024},
        {"constants>+1%", ETI_FIGURE_CONSTANTS, ETI_GATE_RELATIVE, 0.01},
        {"program:delegate_blobs > 7 B", ETI_FIGURE_DELEGATE_BLOBS, ETI_GATE_ABSOLUTE, 7},
        {"instructions > +0", ETI_FIGURE_INSTRUCTIONS, ETI_GATE_DIFFERENCE, 0},
        {"operators > 30", ETI_FIGURE_OPERATORS, ETI_GATE_ABSOLUTE, 30},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule = parse(cases[i].text);
        assert_int_equal(rule.scope, ETI_GATE_PROGRAM);
        assert_int_equal(rule.figure, cases[i].figure);
        assert_int_equal(rule.kind, cases[i].kind);
        assert_bits(rule.limit, cases[i].limit);
    }
    assert_int_equal(parse("operators:p50>+5%").scope, ETI_GATE_OPERATORS);
    static const char *const wrong[][2] = {
        {"file_size>1mb", "B, kB, MB, GB, KiB, MiB or GiB"},
        {"file_size>1", "B, kB, MB, GB, KiB, MiB or GiB"},
        {"file_size>1ms", "B, kB, MB, GB, KiB, MiB or GiB"},
        {"operators>30B", "operators is a count"},
        {"file_size>1MB min_effect=1B", "file_size is exact"},
        {"program:p50>1MB", "expected file_size, arena_size"},
        {"program:file_siz>1MB", "did you mean file_size?"},
        {"arena_peek>1MB", "did you mean arena_peak?"},
        {"op:file_size>1MB", "file_size is a figure of the program: its scope is program, or none"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        eti_gate_rule rule;
        assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(wrong[i][0]), &err),
                     ETI_ERROR_USAGE, wrong[i][1]);
    }
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("program"), eti__text_of("waste"),
                                      eti__text_of("1kB"), &err));
    assert_text(rule.text, "program:waste>1kB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_defaults, free_arena),
        cmocka_unit_test_teardown(test_scopes, free_arena),
        cmocka_unit_test_teardown(test_limits, free_arena),
        cmocka_unit_test_teardown(test_exponents, free_arena),
        cmocka_unit_test_teardown(test_bytes, free_arena),
        cmocka_unit_test_teardown(test_errors, free_arena),
        cmocka_unit_test_teardown(test_long, free_arena),
        cmocka_unit_test_teardown(test_parts, free_arena),
        cmocka_unit_test_teardown(test_figures, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
