/*
 * Tests which expressions are evaluated when rows are added to another program's table. Tables with them are in
 * test_sqlite.c.
 */
#include "base/text.h"
#include "sqlite/schema.h"
#include "support.h"

static void assert_plain(const char *const *expressions, size_t n, bool expected) {
    for (size_t i = 0; i < n; i++) {
        size_t n_bytes = 1;
        if (eti__sql_is_plain(eti__text_of(expressions[i]), &n_bytes) != expected)
            fail_msg("%s", expressions[i]);
        assert_int_equal(n_bytes, 1 + strlen(expressions[i]));
    }
}

static void plain_expressions(void **state) {
    (void)state;
    static const char *const plain[] = {
        "",
        "1",
        "-1.5e-3",
        "'f(x) LIKE ''g(x)'''",
        "\"like\"",
        "CURRENT_TIMESTAMP",
        "(a AND (b OR NOT (c))) + (3)",
        "a IN (1, 2) AND b BETWEEN (1) AND (2)",
        "a -- f(x)\n + 1",
        "a /* f(x) */ + 1",
        "a /* f(x)",
        "a -- f(x)",
        "a | b - c > d",
        "[like (] = `glob (`",
    };
    assert_plain(plain, COUNT_OF(plain), true);
}

static void costly_expressions(void **state) {
    (void)state;
    static const char *const costly[] = {
        "f(x)",       "f (x)",         "f/* */(x)",    "f--\n(x)",    "\"f\"(x)",
        "[f] (x)",    "`f`(x)",        "'f'(x)",       "a LIKE b",    "a not glob b",
        "a MATCH b",  "a REGEXP b",    "a || b",       "a -> b",      "a ->> b",
        "x IN f(1)",  "1(x)",          "CAST(a AS b)", "\xc3\xa4(x)", "(SELECT max(a))",
        "'' 'f' (x)", "'a''b' || 'c'", "a|/**/|b",     "$f(x)",
    };
    assert_plain(costly, COUNT_OF(costly), false);
}

static void checks_of_a_definition(void **state) {
    (void)state;
    static const char *const plain[] = {
        "CREATE TABLE t(a VARCHAR(20) DEFAULT (f(x)), \"check\" CHECK (a > 3), b)",
        "CREATE TABLE t(a, 'CHECK (f(x))', checks (f(x)))",
        "CREATE TABLE t(a /* CHECK (f(x)) */)",
        "CREATE TABLE t(a, CHECK",
        "CREATE TABLE t(a, CHECK (((",
        "",
    };
    static const char *const costly[] = {
        "CREATE TABLE t(a CHECK(f(a)))",
        "CREATE TABLE t(a check/* */(1 > 2) check (1 > (f(3))))",
        "CREATE TABLE t(a, CONSTRAINT c CHECK (a > ')' || ')'))",
        "CREATE TABLE t(a CHECK (a LIKE '%'",
    };
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(plain); i++)
        assert_true(eti__sql_checks_are_plain(eti__text_of(plain[i]), &n));
    for (size_t i = 0; i < COUNT_OF(costly); i++)
        assert_false(eti__sql_checks_are_plain(eti__text_of(costly[i]), &n));
    n = 0;
    assert_true(eti__sql_checks_are_plain(eti__text_of("(a CHECK (12), b CHECK (1))"), &n));
    assert_int_equal(n, strlen(" (12) (1)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_expressions),
        cmocka_unit_test(costly_expressions),
        cmocka_unit_test(checks_of_a_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
