/* Walks streams of Arrow as a consumer does: using only the structs. */
#include "account/account.h"
#include "inspector_fixture.h"
#include "report_text.h"
#include "table/arrow.h"
#include "view/view.h"
#include "view_events/view_events.h"

#include <errno.h>

#define MOST_ROWS 65536

/* ---- a consumer ------------------------------------------------------------------------------ */

static struct ArrowArrayStream open_stream(const eti_table *table) {
    struct ArrowArrayStream stream;
    assert_int_equal(eti_table_arrow_stream(&stream, table, NULL), ETI_OK);
    assert_non_null(stream.release);
    return stream;
}

static struct ArrowArray next_batch(struct ArrowArrayStream *stream) {
    struct ArrowArray batch;
    int code = stream->get_next(stream, &batch);
    if (code != 0)
        fail_msg("get_next: %d, %s", code, stream->get_last_error(stream));
    assert_null(stream->get_last_error(stream));
    return batch;
}

static void assert_end(struct ArrowArrayStream *stream) {
    for (size_t i = 0; i < 2; i++)
        assert_null(next_batch(stream).release);
    stream->release(stream);
    assert_null(stream->release);
}

static bool is_valid(const struct ArrowArray *array, size_t i) {
    const uint8_t *bits = array->buffers[0];
    return !bits || (bits[i / 8] >> i % 8 & 1);
}

static eti_text text_at(const struct ArrowArray *array, size_t i) {
    const int32_t *offsets = array->buffers[1];
    return (eti_text){(const char *)array->buffers[2] + offsets[i],
                      (size_t)(offsets[i + 1] - offsets[i])};
}

/* Checks what the format guarantees for every array; each byte may be read. */
static uint64_t check_array(const struct ArrowArray *array, const struct ArrowSchema *schema) {
    size_t n = (size_t)array->length, n_null = 0;
    uint64_t sum = 0;
    bool is_list = strcmp(schema->format, "+l") == 0, is_text = strcmp(schema->format, "u") == 0;
    const int32_t *offsets = array->buffers[array->n_buffers > 1];
    assert_non_null(array->release);
    assert_null(array->dictionary);
    assert_int_equal(array->offset, 0);
    assert_int_equal(array->n_children, schema->n_children);
    assert_int_equal(array->n_buffers, strcmp(schema->format, "+s") == 0 ? 1 : is_text ? 3 : 2);
    for (size_t i = 0; i < n; i++)
        n_null += !is_valid(array, i);
    assert_int_equal(array->null_count, n_null);
    for (int64_t i = 1; i < array->n_buffers; i++)
        assert_non_null(array->buffers[i]);
    if (is_list || is_text) {
        assert_int_equal(offsets[0], 0);
        for (size_t i = 0; i < n; i++)
            assert_true(offsets[i + 1] >= offsets[i]);
    }
    if (is_list)
        assert_int_equal(array->children[0]->length, offsets[n]);
    if (is_text) {
        eti_text all = {array->buffers[2], (size_t)offsets[n]};
        assert_int_equal(eti__text_valid_utf8(all), all.size);
    }
    static const char letters[] = "bilLg";
    static const size_t bits[] = {1, 32, 64, 64, 64};
    const char *letter = strchr(letters, schema->format[0]);
    for (size_t i = 0; letter && i < (n * bits[letter - letters] + 7) / 8; i++)
        sum += ((const uint8_t *)array->buffers[1])[i];
    for (int64_t i = 0; i < array->n_children; i++)
        sum += check_array(array->children[i], schema->children[i]);
    return sum;
}

/* Walks a whole stream; returns the number of rows. */
static size_t check_stream(struct ArrowArrayStream *stream, const char *name) {
    struct ArrowSchema schema;
    struct ArrowArray batch;
    size_t n_rows = 0;
    assert_int_equal(stream->get_schema(stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    for (;;) {
        int code = stream->get_next(stream, &batch);
        if (code != 0) {
            print_error("%s: %s\n", name, stream->get_last_error(stream));
            n_rows = SIZE_MAX; /* more rows than any table has */
            break;
        }
        if (!batch.release)
            break;
        assert_true(batch.length > 0 && batch.length <= MOST_ROWS);
        (void)check_array(&batch, &schema);
        n_rows += (size_t)batch.length;
        batch.release(&batch);
        assert_null(batch.release);
    }
    schema.release(&schema);
    assert_null(schema.release);
    stream->release(stream);
    return n_rows;
}

/* ---- one of each type ------------------------------------------------------------------------ */

#define N_TYPES 11
#define TYPED(text, of)                                                                            \
    { .name = {text, sizeof text - 1}, .type = (of) }

static const eti_column typed_columns[N_TYPES] = {
    TYPED("b", ETI_TYPE_BOOL),
    TYPED("i", ETI_TYPE_INT32),
    TYPED("l", ETI_TYPE_INT64),
    TYPED("L", ETI_TYPE_UINT64),
    TYPED("g", ETI_TYPE_FLOAT64),
    TYPED("u", ETI_TYPE_UTF8),
    TYPED("+ll", ETI_TYPE_LIST_INT64),
    TYPED("+lL", ETI_TYPE_LIST_UINT64),
    TYPED("+lg", ETI_TYPE_LIST_FLOAT64),
    TYPED("+lu", ETI_TYPE_LIST_UTF8),
    TYPED("+l+ll", ETI_TYPE_LIST_LIST_INT64),
};

/* At file scope, because lists point to it. */
static const eti_cell typed_cells[] = {
    BOOL(true),
    INT(-5),
    INT(INT64_MIN),
    INT(7),
    DOUBLE(0.5),
    TEXT("h\xc3\xa9"),
    INTS(1, -2),
    UINTS(UINT64_MAX),
    DOUBLES(1.5, 2.5, 3.5),
    TEXTS({"ab", 2}, {"", 0}, {"c", 1}),
    INT_LISTS(INT_LIST(1, 3), {NULL, 0}, INT_LIST(7)),
    /* missing values of each kind */
    NO_CELL,
    NAN_CELL,
    NO_CELL,
    NAN_CELL,
    NAN_CELL,
    NO_CELL,
    NO_CELL,
    NO_CELL,
    NAN_CELL,
    NO_CELL,
    NAN_CELL,
    /* converted values, and empty ones */
    BOOL(false),
    INT(INT32_MAX),
    INT(3),
    {.kind = ETI_CELL_DOUBLE, .as_int = INT64_MIN, .as_double = 0x1p63},
    INT(4),
    TEXT(""),
    {.kind = ETI_CELL_INTS},
    {.kind = ETI_CELL_UINTS},
    {.kind = ETI_CELL_DOUBLES},
    {.kind = ETI_CELL_LIST, .as_text = {"[]", 2}},
    {.kind = ETI_CELL_INT_LISTS},
};

static eti_table *typed_table(size_t n_cells) {
    return make_typed_table(typed_columns, N_TYPES, typed_cells, n_cells);
}

static void a_schema_has_the_types_of_the_columns(void **state) {
    (void)state;
    eti_table *table = typed_table(0);
    struct ArrowArrayStream stream = open_stream(table);
    struct ArrowSchema schema;
    eti_table_free(table); /* the stream keeps it */
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(schema.n_children, N_TYPES);
    assert_string_equal(schema.name, "");
    for (size_t i = 0; i < N_TYPES; i++) {
        const struct ArrowSchema *child = schema.children[i];
        const struct ArrowSchema *item = child->n_children ? child->children[0] : NULL;
        const struct ArrowSchema *inner = item && item->n_children ? item->children[0] : NULL;
        char found[8];
        snprintf(found, sizeof found, "%s%s%s", child->format, item ? item->format : "",
                 inner ? inner->format : "");
        assert_string_equal(found, child->name);
        assert_int_equal(child->flags, ARROW_FLAG_NULLABLE);
        assert_null(child->metadata);
        assert_null(child->dictionary);
        if (item)
            assert_string_equal(item->name, "element");
    }
    schema.release(&schema);
    assert_null(schema.release);
    assert_end(&stream); /* without rows there is no batch */
}

static void numbers_and_texts_are_as_in_the_cells(const struct ArrowArray *batch) {
    struct ArrowArray **c = batch->children;
    assert_int_equal(((const uint8_t *)c[0]->buffers[1])[0], 1);
    assert_int_equal(((const int32_t *)c[1]->buffers[1])[0], -5);
    assert_int_equal(((const int32_t *)c[1]->buffers[1])[2], INT32_MAX);
    assert_true(((const int64_t *)c[2]->buffers[1])[0] == INT64_MIN);
    assert_true(((const uint64_t *)c[3]->buffers[1])[2] == UINT64_C(1) << 63);
    assert_true(((const double *)c[4]->buffers[1])[0] == 0.5);
    assert_true(((const double *)c[4]->buffers[1])[2] == 4);
    assert_text(text_at(c[5], 0), "h\xc3\xa9");
    assert_int_equal(text_at(c[5], 2).size, 0);
}

static void items_are_as_in_the_cells(const struct ArrowArray *batch) {
    static const int32_t ends[5][4] = {
        {0, 2, 2, 2}, {0, 1, 1, 1}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}};
    static const int32_t ends_of_lists[] = {0, 2, 2, 3};
    static const int64_t ints[] = {1, 3, 7};
    struct ArrowArray **c = batch->children;
    for (size_t i = 0; i < 5; i++)
        assert_memory_equal(c[6 + i]->buffers[1], ends[i], sizeof ends[i]);
    const struct ArrowArray *lists = c[10]->children[0];
    assert_memory_equal(lists->buffers[1], ends_of_lists, sizeof ends_of_lists);
    assert_memory_equal(lists->children[0]->buffers[1], ints, sizeof ints);
    assert_true(((const int64_t *)c[6]->children[0]->buffers[1])[1] == -2);
    assert_true(((const uint64_t *)c[7]->children[0]->buffers[1])[0] == UINT64_MAX);
    assert_true(((const double *)c[8]->children[0]->buffers[1])[2] == 3.5);
    assert_text(text_at(c[9]->children[0], 0), "ab");
    assert_int_equal(text_at(c[9]->children[0], 1).size, 0);
    assert_text(text_at(c[9]->children[0], 2), "c");
}

static void values_are_those_of_the_cells(void **state) {
    (void)state;
    eti_table *table = typed_table(COUNT_OF(typed_cells));
    struct ArrowArrayStream stream = open_stream(table);
    eti_table_free(table);
    struct ArrowArray batch = next_batch(&stream);
    struct ArrowSchema schema;
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    (void)check_array(&batch, &schema);
    schema.release(&schema);
    assert_int_equal(batch.length, 3);
    for (size_t i = 0; i < N_TYPES; i++) {
        assert_int_equal(batch.children[i]->null_count, 1);
        for (size_t row = 0; row < 3; row++)
            assert_int_equal(is_valid(batch.children[i], row), row != 1);
    }
    numbers_and_texts_are_as_in_the_cells(&batch);
    items_are_as_in_the_cells(&batch);
    assert_end(&stream); /* a batch may outlive the stream */
    numbers_and_texts_are_as_in_the_cells(&batch);
    batch.release(&batch);
}

static void a_column_of_nulls_keeps_its_type(void **state) {
    (void)state;
    eti_table *table = make_typed_table(typed_columns, N_TYPES, typed_cells + N_TYPES, N_TYPES);
    struct ArrowArrayStream stream = open_stream(table);
    eti_table_free(table);
    assert_int_equal(check_stream(&stream, "nulls"), 1);
}

static void a_table_without_columns_has_rows(void **state) {
    (void)state;
    eti_table *table;
    assert_int_equal(eti__table_new(&table, NULL, 0, NULL), ETI_OK);
    assert_non_null(eti__table_add_row(table));
    struct ArrowArrayStream stream = open_stream(table);
    eti_table_free(table);
    assert_int_equal(check_stream(&stream, "no columns"), 1);
}

/* At file scope, as above. */
static const eti_cell wrong[N_TYPES] = {
    INT(1),          INT(INT64_MAX),
    DOUBLE(1),       INT(-1),
    TEXT("1"),       BOOL(true),
    UINTS(1),        INTS(1),
    TEXTS({"x", 1}), {.kind = ETI_CELL_LIST, .as_text = {"[1]", 3}},
    INTS(1),
};

static void values_of_another_type_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TYPES; i++) {
        eti_cell cells[2 * N_TYPES] = {{.kind = ETI_CELL_NONE}};
        cells[N_TYPES + i] = wrong[i];
        eti_table *table = make_typed_table(typed_columns, N_TYPES, cells, COUNT_OF(cells));
        struct ArrowArrayStream stream = open_stream(table);
        struct ArrowArray batch;
        char expected[128];
        snprintf(expected, sizeof expected,
                 "row 1, column %s: a value does not have the type of its column",
                 typed_columns[i].name.data);
        assert_int_equal(stream.get_next(&stream, &batch), EINVAL);
        assert_null(batch.release);
        assert_string_equal(stream.get_last_error(&stream), expected);
        stream.release(&stream);
        eti_table_free(table);
    }
}

/* ---- consumers ------------------------------------------------------------------------------- */

static void children_may_be_moved_out(void **state) {
    (void)state;
    eti_table *table = typed_table(COUNT_OF(typed_cells));
    struct ArrowArrayStream stream = open_stream(table);
    struct ArrowArray batch = next_batch(&stream);
    struct ArrowSchema schema;
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    struct ArrowArray texts = *batch.children[5], list = *batch.children[9];
    struct ArrowSchema of_list = *schema.children[9];
    batch.children[5]->release = batch.children[9]->release = NULL;
    schema.children[9]->release = NULL;
    batch.release(&batch);
    schema.release(&schema);
    stream.release(&stream);
    eti_table_free(table);
    assert_text(text_at(&texts, 0), "h\xc3\xa9");
    struct ArrowArray items = *list.children[0];
    list.children[0]->release = NULL;
    list.release(&list);
    assert_text(text_at(&items, 0), "ab");
    assert_string_equal(of_list.children[0]->name, "element");
    items.release(&items);
    texts.release(&texts);
    of_list.release(&of_list);
}

static void a_stream_may_be_released_at_any_time(void **state) {
    (void)state;
    eti_table *table = typed_table(COUNT_OF(typed_cells));
    struct ArrowArrayStream unread = open_stream(table), opened = open_stream(table);
    struct ArrowArray batch = next_batch(&opened);
    unread.release(&unread);
    assert_null(unread.release);
    opened.release(&opened);
    batch.release(&batch);
    eti_table_free(table);
}

/* ---- batches --------------------------------------------------------------------------------- */

static bool make_number(const void *context, size_t row, eti_row *out) {
    (void)context;
    out->cells[0] = eti__count_cell(row);
    return true;
}

static void free_nothing(void *context) {
    (void)context;
}

static eti_table *many_rows(size_t n) {
    static const eti_column column = {.name = {"n", 1}, .type = ETI_TYPE_INT64};
    eti_table *table;
    assert_int_equal(eti__table_new_made(&table, &column, 1, n,
                                         (eti_row_source){make_number, free_nothing, NULL}, NULL),
                     ETI_OK);
    return table;
}

static void a_batch_has_65536_rows_at_most(void **state) {
    (void)state;
    static const size_t sizes[] = {1, MOST_ROWS - 1, MOST_ROWS, MOST_ROWS + 1, 2 * MOST_ROWS + 5};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        eti_table *table = many_rows(sizes[i]);
        struct ArrowArrayStream stream = open_stream(table);
        eti_table_free(table);
        size_t row = 0;
        while (row < sizes[i]) {
            struct ArrowArray batch = next_batch(&stream);
            size_t left = sizes[i] - row;
            assert_int_equal(batch.length, left < MOST_ROWS ? left : MOST_ROWS);
            const int64_t *values = batch.children[0]->buffers[1];
            assert_null(batch.children[0]->buffers[0]); /* no value is null */
            for (int64_t k = 0; k < batch.length; k++)
                assert_true(values[k] == (int64_t)row++);
            batch.release(&batch);
        }
        assert_end(&stream);
    }
}

/* With a limit that a test can reach: the row that reaches it is the last of its batch. */
static void much_text_ends_a_batch(void **state) {
    (void)state;
    static const eti_column column = {.name = {"t", 1}, .type = ETI_TYPE_UTF8};
    static const eti_cell cells[] = {TEXT("12345"), TEXT("67890"), TEXT("1"), TEXT("0123456789012"),
                                     TEXT("x")};
    static const int64_t lengths[] = {2, 2, 1};
    eti_table *table = make_typed_table(&column, 1, cells, COUNT_OF(cells));
    struct ArrowArrayStream stream;
    assert_int_equal(eti__arrow_open(&stream, table, (eti_arrow_limits){100, 10}, NULL), ETI_OK);
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct ArrowArray batch = next_batch(&stream);
        assert_int_equal(batch.length, lengths[i]);
        batch.release(&batch);
    }
    assert_end(&stream);
    eti_table_free(table);
}

/* ---- real tables ----------------------------------------------------------------------------- */

static const char *const folders[] = {
    "allocation-events", "bundled-inputs", "control-flow", "delegate-ids", "dynamic-batch", "mlp",
    "mlp-many-runs",     "multi-method",   "small",        "transformer",  "xnnpack-conv",
};

static eti_inspector *open_folder(const char *folder) {
    char dump[256], record[256];
    snprintf(dump, sizeof dump, "testdata/%s/run.etdp", folder);
    snprintf(record, sizeof record, "testdata/%s/record.etrecord", folder);
    const eti_source sources[] = {{.path = dump}, {.path = record}};
    FILE *file = fopen(record, "rb");
    const eti_inputs inputs = {
        .etdumps = sources, .n_etdumps = 1, .etrecord = file ? &sources[1] : NULL};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    if (file)
        fclose(file);
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    return inspector;
}

/* Every cell of every view conforms to its column's type. */
static void all_views_have_the_types_that_they_say(void **state) {
    (void)state;
    size_t n_wrong = 0;
    for (size_t f = 0; f < COUNT_OF(folders); f++) {
        eti_inspector *inspector = open_folder(folders[f]);
        for (size_t v = 0; eti_view_name(v); v++) {
            eti_report *report;
            eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
            options.samples = true;
            options.per_event = true;
            if (eti__inspector_report(&report, inspector, eti_view_name(v), &options, NULL) !=
                ETI_OK)
                continue;
            for (size_t t = 0; t < eti_report_table_count(report); t++) {
                char name[128];
                snprintf(name, sizeof name, "%s: %s: %s", folders[f], eti_view_name(v),
                         eti_report_table_name(report, t));
                struct ArrowArrayStream stream = open_stream(eti_report_table(report, t));
                n_wrong +=
                    check_stream(&stream, name) != eti_table_row_count(eti_report_table(report, t));
            }
            eti_report_free(report);
        }
        eti_inspector_close(inspector);
    }
    assert_int_equal(n_wrong, 0);
}

static void samples_outlive_their_inspector(void **state) {
    (void)state;
    eti_inspector *inspector = open_folder("mlp-many-runs");
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    size_t n = 0;
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++)
            n += eti_event_sample_count(eti_event_block_event(block, i));
    }
    assert_int_equal(eti_inspector_samples_arrow_stream(&stream, inspector, NULL), ETI_OK);
    double first = eti_event_raw(eti_event_block_event(eti_inspector_block(inspector, 0), 0))[1];
    eti_inspector_close(inspector);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    struct ArrowArray batch = next_batch(&stream);
    const struct ArrowArray *elapsed = batch.children[batch.n_children - 1];
    assert_string_equal(schema.children[schema.n_children - 1]->name, "elapsed");
    assert_int_equal(batch.length, n);
    assert_bits(((const double *)elapsed->buffers[1])[1], first);
    schema.release(&schema);
    batch.release(&batch);
    assert_end(&stream);
}

static void the_inspectors_table_leaves_too(void **state) {
    (void)state;
    eti_inspector *inspector = open_folder("mlp");
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&table, inspector, NULL, &err));
    struct ArrowArrayStream stream = open_stream(table);
    eti_inspector_close(inspector);
    size_t n = eti_table_row_count(table);
    eti_table_free(table);
    assert_int_equal(check_stream(&stream, "events"), n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_has_the_types_of_the_columns),
        cmocka_unit_test(values_are_those_of_the_cells),
        cmocka_unit_test(a_column_of_nulls_keeps_its_type),
        cmocka_unit_test(a_table_without_columns_has_rows),
        cmocka_unit_test(values_of_another_type_are_refused),
        cmocka_unit_test(children_may_be_moved_out),
        cmocka_unit_test(a_stream_may_be_released_at_any_time),
        cmocka_unit_test(a_batch_has_65536_rows_at_most),
        cmocka_unit_test(much_text_ends_a_batch),
        cmocka_unit_test(samples_outlive_their_inspector),
        cmocka_unit_test(the_inspectors_table_leaves_too),
        cmocka_unit_test(all_views_have_the_types_that_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
