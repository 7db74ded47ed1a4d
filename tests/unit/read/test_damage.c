/* Damages ETDumps, three real ones and synthetic ones: they are cut at every length, and every single bit is flipped. Each
 * result is checked: FlatBuffers' own verifier accepts exactly the files that this library accepts; an accepted file has
 * the values that FlatBuffers' own reader finds in it, up to the samples and the table of the Inspector; every other file
 * is rejected with one clear line. */
#include "damage.h"
#include "fingerprint.h"
#include "sample_dump.h"

#include "oracle/etdump_comparison.h"

/* Results besides the statuses: files read with other fields or lengths than before, by FlatBuffers too, since an ETDump
 * has no means to detect this; rejected files that FlatBuffers accepts; files that reach a limit. */
enum { OTHER_SHAPE, STRICTER, NOT_COMPARED };
static const char *const other_names[] = {
    "read with another shape, as by FlatBuffers",
    "of those refused accepted by FlatBuffers, for a reason that is listed", "not compared", NULL};

typedef struct stamps {
    uint64_t start, end;
} stamps;

/* Facts about one dump, from the oracle and from the Inspector. */
typedef struct reading {
    const etdump_fact *facts; /* from the oracle, of all fields */
    size_t n_facts;
    stamps *stamps; /* from the oracle, of all profile events */
    size_t n_stamps, next_stamp;
    size_t n_runs_with_events;
    eti_buffer fingerprint;
} reading;

typedef struct dump_test {
    const char *name;
    eti_source debug_buffer; /* no data: none */
    etdump_oracle *undamaged;
    reading before;
    stamps *scratch; /* as many stamps as the file has bytes */
    damage_counts counts;
} dump_test;

/* ---- the oracle's facts ---------------------------------------------------------------------- */

static void read_stamps(reading *out, const etdump_fact *facts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (facts[i].kind == ETDUMP_FACT_VECTOR && strcmp(facts[i].name, "events") == 0)
            out->n_runs_with_events++;
        if (facts[i].kind != ETDUMP_FACT_NUMBER || strcmp(facts[i].name, "start_time") != 0)
            continue;
        assert_string_equal(facts[i + 1].name, "end_time");
        out->stamps[out->n_stamps++] = (stamps){facts[i].bits, facts[i + 1].bits};
    }
}

static void read_oracle(reading *out, etdump_oracle *oracle) {
    size_t n;
    const etdump_fact *facts = etdump_oracle_events(oracle, &n);
    read_stamps(out, facts, n);
    out->facts = etdump_oracle_fields(oracle, &out->n_facts);
}

typedef enum likeness { SAME, OTHER_VALUES, OTHER_FIELDS } likeness;

/* Returns whether two dumps have the same fields of the same lengths, and the same kinds of values in them. */
static likeness compare_facts(const reading *a, const reading *b) {
    likeness result = SAME;
    if (a->n_facts != b->n_facts)
        return OTHER_FIELDS;
    for (size_t i = 0; i < a->n_facts; i++) {
        const etdump_fact *x = &a->facts[i], *y = &b->facts[i];
        /* Both names are flatc's own, so comparing pointers is enough. */
        if (x->kind != y->kind || x->name != y->name || x->text_size != y->text_size)
            return OTHER_FIELDS;
        if (x->bits != y->bits || (x->text_size && memcmp(x->text, y->text, x->text_size) != 0))
            result = OTHER_VALUES;
    }
    return result;
}

/* ---- the Inspector's results ----------------------------------------------------------------- */

/* Converts nanoseconds to milliseconds as the Inspector does: stamps of delegates are scaled first, and a 32-bit clock may
 * have wrapped around. */
static bool is_elapsed(double raw, stamps of) {
    double from = (double)of.start / 1e6, to = (double)of.end / 1e6;
    if (of.start <= of.end && raw == (double)(of.end - of.start) / 1e6)
        return true;
    if (of.start > of.end && raw == (double)(UINT32_MAX - of.start + of.end) / 1e6)
        return true;
    return raw == (from <= to ? to - from : (double)UINT32_MAX - from + to);
}

/* Events are mostly in the order of the file, so the search continues where the last one ended. */
static void expect_sample(reading *found, uint64_t start, double raw) {
    for (size_t i = 0; i < found->n_stamps; i++) {
        size_t at = (found->next_stamp + i) % found->n_stamps;
        if (found->stamps[at].start == start && is_elapsed(raw, found->stamps[at])) {
            found->next_stamp = at + 1;
            return;
        }
    }
    fail_msg("%s: no event starts at %llu and takes %.17g", damage_place, (unsigned long long)start,
             raw);
}

static size_t expect_samples(reading *found, const eti_inspector *inspector) {
    size_t n_rows = 0, n_runs = 0;
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        n_runs += eti_event_block_run_count(block);
        for (size_t e = 0; e < eti_event_block_event_count(block); e++) {
            const eti_event *event = eti_event_block_event(block, e);
            for (size_t i = 0; i < eti_event_sample_count(event); i++)
                expect_sample(found, eti_event_start_time(event)[i], eti_event_raw(event)[i]);
            n_rows += !eti__text_contains(eti_event_name(event), eti__text_of("OPERATOR_CALL"));
        }
    }
    assert_int_equal(n_runs, found->n_runs_with_events);
    return n_rows;
}

static void expect_table(const eti_inspector *inspector, size_t n_rows) {
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&table, inspector, NULL, &err));
    if (eti_table_row_count(table) != n_rows)
        fail_msg("%s: %zu rows for %zu events", damage_place, eti_table_row_count(table), n_rows);
    eti_table_free(table);
}

/* If the oracle finds the same facts, the remaining differences, which are padding, unknown fields and the size prefix,
 * must not matter. */
static void expect_same_output(dump_test *test, const eti_inspector *inspector) {
    eti_buffer *now = &test->before.fingerprint, before = *now;
    *now = (eti_buffer){0};
    add_fingerprint(now, inspector);
    if (!eti__text_equal(eti__buffer_text(now), eti__buffer_text(&before)))
        fail_msg("%s: the same facts give another output", damage_place);
    eti__buffer_free(now);
    *now = before;
}

static eti_status inspect(dump_test *test, const uint8_t *data, size_t size,
                          eti_inspector **inspector) {
    const eti_source dump = {"damaged.etdp", data, size};
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .debug_buffer =
                                   test->debug_buffer.data ? &test->debug_buffer : NULL};
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__inspector_open(inspector, &inputs, NULL, &err);
    if (status != ETI_OK)
        expect_clear_error(status, &err, "damaged.etdp: ");
    return status;
}

/* ---- one damaged dump ------------------------------------------------------------------------ */

static void try_accepted(dump_test *test, etdump_oracle *oracle, eti_inspector *inspector) {
    reading found = {.stamps = test->scratch};
    read_oracle(&found, oracle);
    expect_table(inspector, expect_samples(&found, inspector));
    likeness found_like = compare_facts(&found, &test->before);
    if (found_like == SAME)
        expect_same_output(test, inspector);
    test->counts.same += found_like == SAME;
    test->counts.changed += found_like == OTHER_VALUES;
    test->counts.other[OTHER_SHAPE] += found_like == OTHER_FIELDS;
}

static void try_dump(void *context, const uint8_t *data, size_t size) {
    dump_test *test = context;
    char why[256];
    etdump_oracle *oracle = etdump_oracle_open(data, size);
    assert_non_null(oracle);
    etdump_agreement agreement = etdump_compare_with(oracle, data, size, why);
    if (agreement == ETDUMP_DISAGREE)
        fail_msg("%s, %s: %s", test->name, damage_place, why);
    test->counts.tried++;
    test->counts.other[STRICTER] += agreement == ETDUMP_WE_ARE_STRICTER;
    test->counts.other[NOT_COMPARED] += agreement == ETDUMP_NOT_COMPARED;

    eti_inspector *inspector;
    eti_status status = inspect(test, data, size, &inspector);
    bool allowed =
        status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT ||
        (agreement == ETDUMP_BOTH_ACCEPT && (status == ETI_OK || status == ETI_ERROR_DATA));
    if (!allowed)
        fail_msg("%s, %s: status %d, agreement %d", test->name, damage_place, (int)status,
                 (int)agreement);
    if (status == ETI_OK)
        try_accepted(test, oracle, inspector);
    else
        test->counts.refused[status]++;
    eti_inspector_close(inspector);
    etdump_oracle_close(oracle);
}

/* Records the result for the whole dump. */
static void start_test(dump_test *test, const uint8_t *data, size_t size) {
    eti_inspector *inspector;
    test->before.stamps = calloc(size, sizeof *test->before.stamps);
    test->scratch = calloc(size, sizeof *test->scratch);
    test->undamaged = etdump_oracle_open(data, size);
    assert_true(test->before.stamps && test->scratch && test->undamaged);
    read_oracle(&test->before, test->undamaged);
    assert_int_equal(inspect(test, data, size, &inspector), ETI_OK);
    add_fingerprint(&test->before.fingerprint, inspector);
    eti_inspector_close(inspector);
}

static void end_test(dump_test *test) {
    etdump_oracle_close(test->undamaged);
    eti__buffer_free(&test->before.fingerprint);
    free(test->before.stamps);
    free(test->scratch);
}

static void test_dump(dump_test *test, const uint8_t *data, size_t size) {
    char what[80];
    start_test(test, data, size);

    cut_everywhere(data, size, try_dump, test);
    snprintf(what, sizeof what, "%s, %zu bytes, every cut", test->name, size);
    print_counts(what, &test->counts, other_names);
    /* Only bytes at the very end, if any, can be missing unnoticed. */
    assert_true(test->counts.refused[ETI_ERROR_MALFORMED] + 16 > test->counts.tried);

    test->counts = (damage_counts){0};
    flip_everywhere(data, size, try_dump, test);
    snprintf(what, sizeof what, "%s, %zu bytes, every flipped bit", test->name, size);
    print_counts(what, &test->counts, other_names);
    assert_true(test->counts.changed > 0 && test->counts.refused[ETI_ERROR_MALFORMED] > 0);
    end_test(test);
}

static void test_real_dump(const char *name, bool with_debug_buffer) {
    char path[128];
    size_t size, buffer_size = 0;
    snprintf(path, sizeof path, "testdata/%s/run.etdp", name);
    uint8_t *data = read_whole_file(path, &size), *buffer = NULL;
    dump_test test = {.name = name};
    if (with_debug_buffer) {
        snprintf(path, sizeof path, "testdata/%s/debug_buffer.bin", name);
        buffer = read_whole_file(path, &buffer_size);
        test.debug_buffer = (eti_source){"debug_buffer.bin", buffer, buffer_size};
    }
    test_dump(&test, data, size);
    free(buffer);
    free(data);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void allocation_events(void **state) {
    (void)state;
    test_real_dump("allocation-events", false);
}

static void delegates_with_ids_of_both_kinds(void **state) {
    (void)state;
    test_real_dump("delegate-ids", false);
}

static void debug_events_of_several_runs(void **state) {
    (void)state;
    test_real_dump("small", true);
}

/* Tests every table and every field of the schema, in each possible layout. */
static void every_table_and_field(void **state) {
    (void)state;
#ifdef __arm__
    skip_under_emulator("the oracle reads numbers where they lie, and 32-bit Arm no wide ones");
#endif
    static const uint8_t debug_buffer[256] = {1};
    for (int layout = 0; layout < 4; layout++) {
        builder b = {.vtables_behind = layout & 1, .vtables_shared = layout & 1};
        finish_dump(&b, put_sample_dump(&b), layout & 2);
        dump_test test = {.name = "every table and field",
                          .debug_buffer = {"buffer", debug_buffer, sizeof debug_buffer}};
        test_dump(&test, b.file.data, b.file.size);
        builder_free(&b);
    }
}

/* Overwrites whole words with numbers that overflow when added to or multiplied. */
static void extreme_words(void **state) {
    (void)state;
#ifdef __arm__
    skip_under_emulator("the oracle reads numbers where they lie, and 32-bit Arm no wide ones");
#endif
    static const uint32_t words[] = {0,          1,          4,          0x7fffffff, 0x80000000,
                                     0xfffffffc, 0xffffffff, 0x1fffffff, 0x20000000, 0x40000000};
    builder b = {0};
    finish_dump(&b, put_sample_dump(&b), true);
    size_t size = b.file.size;
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    dump_test test = {.name = "extreme words"};
    start_test(&test, b.file.data, size);
    for (size_t at = 0; at + 4 <= size; at += damage_step()) {
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            memcpy(copy, b.file.data, size);
            memcpy(copy + at, &words[i], 4);
            snprintf(damage_place, sizeof damage_place, "byte %zu becomes %#x", at, words[i]);
            try_dump(&test, copy, size);
        }
    }
    print_counts("extreme words", &test.counts, other_names);
    end_test(&test);
    free(copy);
    builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation_events),
        cmocka_unit_test(delegates_with_ids_of_both_kinds),
        cmocka_unit_test(debug_events_of_several_runs),
        cmocka_unit_test(every_table_and_field),
        cmocka_unit_test(extreme_words),
    };
    prepare_for_many_readings();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
