/*
 * fuzz_filter.c - the input is an expression, which is tried on a few rows of every kind of cell. A valid expression must
 * be false where `not (...)` of it is true; for an invalid one the message gives a place in it or its end.
 */
#include "table/table.h"

#include "fuzz.h"

#include <math.h>

#define N_COLUMNS 6
#define N_ROWS 3

static const eti_column columns[N_COLUMNS] = {
    {.name = {"name", 4}, .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT},
    {.name = {"flag", 4}, .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT},
    {.name = {"p50 (ms)", 8}, .type = ETI_TYPE_FLOAT64, .kind = ETI_COLUMN_TIME},
    {.name = {"share", 5}, .type = ETI_TYPE_FLOAT64, .kind = ETI_COLUMN_SHARE},
    {.name = {"count", 5}, .type = ETI_TYPE_INT64, .kind = ETI_COLUMN_COUNT},
    {.name = {"ops", 3}, .type = ETI_TYPE_LIST_UTF8, .kind = ETI_COLUMN_LIST},
};

static const double times[] = {0.1, 2.0};

#define MISSING                                                                                    \
    { .kind = ETI_CELL_NONE }
#define NUMBER(value)                                                                              \
    { .kind = ETI_CELL_DOUBLE, .as_double = (value) }
#define TEXT(literal)                                                                              \
    {                                                                                              \
        .kind = ETI_CELL_TEXT, .as_text = { literal, sizeof(literal) - 1 }                         \
    }

static const eti_cell rows[N_ROWS][N_COLUMNS] = {
    {TEXT("native_call_conv.out"),
     {.kind = ETI_CELL_BOOL, .as_bool = true},
     NUMBER(1.5),
     NUMBER(0.1),
     {.kind = ETI_CELL_INT, .as_int = 3},
     {.kind = ETI_CELL_DOUBLES, .items = times, .n_items = 2}},
    {TEXT("a\0\xff"),
     MISSING,
     NUMBER(NAN),
     MISSING,
     {.kind = ETI_CELL_INT, .as_int = INT64_MIN},
     {.kind = ETI_CELL_LIST, .as_text = {"[]", 2}}},
    {MISSING, {.kind = ETI_CELL_BOOL}, NUMBER(-0.0), NUMBER(INFINITY), MISSING, MISSING},
};

/* Makes a table with columns only: rows are passed to the filter directly. */
static eti_table *table(void) {
    static eti_table *made;
    if (!made)
        FUZZ_EXPECT(eti__table_new(&made, columns, N_COLUMNS, NULL) == ETI_OK);
    return made;
}

static void expect_failure(eti_status status, const eti_error *err, const char *expression) {
    fuzz_expect_error(status, err);
    FUZZ_EXPECT(status == ETI_ERROR_USAGE);
    FUZZ_EXPECT(err->position >= 1 && err->position <= strlen(expression) + 1);
}

/* Stores for each row whether it is true; returns false if the expression cannot be read, or does not fit a row. */
static bool ask(const char *expression, bool answers[N_ROWS]) {
    eti_filter *filter;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__filter_new(&filter, expression, table(), ETI_SCALE_MS, &err);
    if (status != ETI_OK) {
        expect_failure(status, &err, expression);
        FUZZ_EXPECT(!filter);
        return false;
    }
    for (size_t i = 0; status == ETI_OK && i < N_ROWS; i++)
        status = eti__filter_test(filter, rows[i], &answers[i], &err);
    if (status != ETI_OK)
        expect_failure(status, &err, expression);
    eti__filter_free(filter);
    return status == ETI_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char expression[ETI_FILTER_MAX_SIZE + 64], negation[sizeof expression + 8];
    bool answers[N_ROWS], opposites[N_ROWS];
    size = size < sizeof expression - 1 ? size : sizeof expression - 1;
    if (size > 0)
        memcpy(expression, data, size);
    expression[size] = '\0';
    snprintf(negation, sizeof negation, "not (%s)", expression);
    bool is_valid = ask(expression, answers);
    /* The additions may only make it too long or too deep. */
    bool is_negation_valid = ask(negation, opposites);
    FUZZ_EXPECT(is_valid || !is_negation_valid || strchr(expression, ')'));
    for (size_t i = 0; is_valid && is_negation_valid && i < N_ROWS; i++)
        FUZZ_EXPECT(answers[i] != opposites[i]);
    return 0;
}
