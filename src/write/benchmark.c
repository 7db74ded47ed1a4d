/*
 * The customSmallerIsBetter JSON of github-action-benchmark, of a gate: an entry per thing that was checked, by a name
 * that stays the same from run to run.
 *
 *     [
 *       {"name": "Execute/Method::execute p50", "unit": "ms", "value": 1.25, "range": "-0.5 % to +0.7 %", "extra": "..."}
 *     ]
 */
#include "base/text_table.h"
#include "write/checks.h"
#include "write/json_text.h"
#include "write/writer.h"

#include <math.h>

typedef struct benchmark {
    eti_checks checks;
    eti_buffer text, part;
    eti_arena arena;
    eti_text_table keys;
} benchmark;

static void add_string(benchmark *b, const char *key, eti_text value) {
    eti_buffer_printf(&b->text, "\"%s\": ", key);
    eti_json_add_string(&b->text, value);
}

static bool is_number(const eti_cell *cell) {
    return cell->kind == ETI_CELL_DOUBLE && isfinite(cell->as_double);
}

/* What was measured: a time, or bytes. */
static const char *unit_of(const benchmark *b, const eti_cell *cells) {
    bool is_bytes = eti_check_cell(&b->checks, cells, ETI_CHECK_NEW_BYTES)->kind == ETI_CELL_INT;
    return is_bytes ? "bytes" : eti_time_scale_name(b->checks.report->time_scale);
}

/* Of the change against the other side. */
static void add_range(benchmark *b, const eti_cell *cells) {
    const eti_cell *low = eti_check_cell(&b->checks, cells, ETI_CHECK_LOW);
    const eti_cell *high = eti_check_cell(&b->checks, cells, ETI_CHECK_HIGH);
    if (is_number(low) && is_number(high))
        eti_buffer_printf(&b->text, ", \"range\": \"%+.1f %% to %+.1f %%\"", low->as_double * 100,
                          high->as_double * 100);
}

static void add_extra(benchmark *b, const eti_cell *cells) {
    const eti_cell *base = eti_check_cell(&b->checks, cells, ETI_CHECK_BASE);
    const eti_cell *bytes = eti_check_cell(&b->checks, cells, ETI_CHECK_BASE_BYTES);
    const eti_cell *runs = eti_check_cell(&b->checks, cells, ETI_CHECK_RUNS);
    const eti_cell *verdict = eti_check_cell(&b->checks, cells, ETI_CHECK_VERDICT);
    const eti_cell *rule = eti_check_cell(&b->checks, cells, ETI_CHECK_RULE);
    b->part.size = 0;
    eti_buffer_add_text(&b->part, verdict->as_text);
    eti_buffer_add_string(&b->part, ": ");
    eti_buffer_add_text(&b->part, rule->as_text);
    if (is_number(base))
        eti_buffer_printf(&b->part, "\nbase %.6g %s", base->as_double, unit_of(b, cells));
    if (bytes->kind == ETI_CELL_INT)
        eti_buffer_printf(&b->part, "\nbase %lld bytes", (long long)bytes->as_int);
    if (runs->kind == ETI_CELL_INT)
        eti_buffer_printf(&b->part, "\n%lld runs", (long long)runs->as_int);
    eti_buffer_add_string(&b->text, ", ");
    add_string(b, "extra", eti_buffer_text(&b->part));
}

/* Two rules may look at the same thing. False: out of memory. */
static bool is_new(benchmark *b, eti_text key, bool *out) {
    size_t n = b->keys.count;
    uint32_t number;
    if (!eti_text_table_add(&b->keys, key, &b->arena, &number))
        return false;
    *out = b->keys.count > n;
    return true;
}

static bool add_entry(benchmark *b, const eti_cell *cells) {
    const eti_cell *value = eti_check_cell(&b->checks, cells, ETI_CHECK_NEW);
    const eti_cell *bytes = eti_check_cell(&b->checks, cells, ETI_CHECK_NEW_BYTES);
    const eti_cell *key = eti_check_cell(&b->checks, cells, ETI_CHECK_KEY);
    bool is_first = b->keys.count == 0, is_new_key;
    if (bytes->kind == ETI_CELL_INT)
        value = bytes;
    else if (!is_number(value))
        return true;
    if (key->kind != ETI_CELL_TEXT)
        return true;
    if (!is_new(b, key->as_text, &is_new_key))
        return false;
    if (!is_new_key)
        return true;
    eti_buffer_add_string(&b->text, is_first ? "\n  {" : ",\n  {");
    add_string(b, "name", key->as_text);
    eti_buffer_add_string(&b->text, ", ");
    add_string(b, "unit", eti_text_of(unit_of(b, cells)));
    eti_buffer_add_string(&b->text, ", \"value\": ");
    eti_json_add_cell(&b->text, value);
    add_range(b, cells);
    add_extra(b, cells);
    eti_buffer_add_char(&b->text, '}');
    return !b->text.failed && !b->part.failed;
}

static eti_status write_benchmark(const eti_report *report, const eti_write_options *options,
                                  eti_output *output, eti_error *err) {
    benchmark b = {.text = {0}};
    eti_row_reader rows;
    (void)options;
    ETI_TRY(eti_checks_find(&b.checks, report, "benchmark", err));
    bool done = eti_row_reader_open(&rows, b.checks.table);
    eti_output_add_string(output, "[");
    for (size_t row = 0; done && row < b.checks.table->n_rows; row++) {
        done = add_entry(&b, eti_row_reader_read(&rows, row)) && !rows.failed;
        eti_output_add_text(output, eti_buffer_text(&b.text));
        b.text.size = 0;
    }
    eti_output_add_string(output, "\n]\n");
    eti_row_reader_close(&rows);
    eti_text_table_free(&b.keys);
    eti_arena_free(&b.arena);
    eti_buffer_free(&b.text);
    eti_buffer_free(&b.part);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti_writer_benchmark = {
    .name = "benchmark",
    .summary = "JSON for github-action-benchmark, of a gate",
    .write_report = write_benchmark,
    .is_for_programs = true,
};
