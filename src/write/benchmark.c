/*
 * The customSmallerIsBetter JSON of github-action-benchmark, for a gate: an entry per checked row, with a name that is the
 * same in every run.
 *
 *     [
 *       {"name": "Execute/Method::execute p50", "unit": "ms", "value": 1.25, "range": "-0.5 % to +0.7 %", "extra": "..."}
 *     ]
 */
#include "base/intern.h"
#include "gate/gate.h"
#include "write/writer.h"

typedef struct benchmark {
    const eti_gate_result *gate;
    eti_buffer text, part;
    eti_json_writer json;
    eti_text_table keys;
} benchmark;

/* Returns the unit: that of times, or bytes. */
static const char *unit_of(const benchmark *b, const eti_finding *of) {
    if (of->is_count)
        return of->metric;
    return of->is_bytes ? "bytes" : eti_time_scale_name(b->gate->time_scale);
}

static bool is_whole(const eti_finding *of) {
    return of->is_bytes || of->is_count;
}

/* Adds the range of the change from the other side. */
static void add_range(benchmark *b, const eti_finding *of) {
    if (!isfinite(of->low) || !isfinite(of->high))
        return;
    b->part.size = 0;
    eti__add_change(&b->part, of->low);
    eti__buffer_add_string(&b->part, " to ");
    eti__add_change(&b->part, of->high);
    eti__json_add_member(&b->json, "range", eti__buffer_text(&b->part));
}

static void add_extra(benchmark *b, const eti_finding *of) {
    b->part.size = 0;
    eti__buffer_add_string(&b->part, eti__finding_kind_name(of->kind));
    eti__buffer_add_string(&b->part, ": ");
    eti__buffer_add_text(&b->part, of->rule->rule);
    if (isfinite(of->base))
        eti__buffer_printf(&b->part, is_whole(of) ? "\nbase %.0f %s" : "\nbase %.6g %s",
                           is_whole(of) ? floor(of->base) : of->base, unit_of(b, of));
    if (of->files_new > 0)
        eti__buffer_printf(&b->part, "\n%zu %s, %zu runs", of->files_new,
                           of->files_new == 1 ? "file" : "files", of->runs_new);
    eti__json_add_member(&b->json, "extra", eti__buffer_text(&b->part));
}

/* Finds whether a key is new: two rules may check the same row. False: out of memory. */
static bool is_new(benchmark *b, eti_text key, bool *out) {
    size_t n = b->keys.count;
    uint32_t number;
    if (!eti__text_table_add(&b->keys, key, NULL, &number))
        return false;
    *out = b->keys.count > n;
    return true;
}

static bool add_entry(benchmark *b, const eti_finding *of) {
    eti_cell value =
        is_whole(of) ? eti__bytes_or_none(of->new_side) : eti__double_cell(of->new_side);
    bool is_new_key;
    if (value.kind == ETI_CELL_NONE || !isfinite(of->new_side))
        return true;
    if (!is_new(b, of->key, &is_new_key))
        return false;
    if (!is_new_key)
        return true;
    eti__json_add_line(&b->json, 2);
    eti__json_open_object(&b->json);
    eti__json_add_member(&b->json, "name", of->key);
    eti__json_add_member(&b->json, "unit", eti__text_of(unit_of(b, of)));
    eti__json_add_key(&b->json, "value");
    eti__json_add_cell(&b->json, &value);
    add_range(b, of);
    add_extra(b, of);
    eti__json_close_level(&b->json);
    return !b->text.failed && !b->part.failed;
}

static eti_status write_benchmark(const eti_report *report, const eti_write_options *options,
                                  eti_output *output, eti_error *err) {
    benchmark b = {.gate = report->gate};
    bool done = true;
    (void)options;
    b.json = eti__json_writer(&b.text, ETI_JSON_SPACED);
    eti__json_open_array(&b.json);
    for (size_t i = 0; done && i < eti__report_chosen_count(report); i++) {
        done = add_entry(&b, &b.gate->findings[eti__report_chosen(report, i)]);
        eti__output_add_text(output, eti__buffer_text(&b.text));
        b.text.size = 0;
    }
    eti__json_add_line(&b.json, 0);
    eti__json_close_level(&b.json);
    eti__buffer_add_char(&b.text, '\n');
    eti__output_add_text(output, eti__buffer_text(&b.text));
    done = done && !b.text.failed;
    eti__text_table_free(&b.keys);
    eti__buffer_free(&b.text);
    eti__buffer_free(&b.part);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_benchmark = {
    .name = "benchmark",
    .summary = "JSON of a gate for github-action-benchmark",
    .suffixes = "json",
    .takes = ETI_TAKES_GATE,
    .write_report = write_benchmark,
};
