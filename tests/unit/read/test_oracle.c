/* FlatBuffers' own reader and this library's agree about real, synthetic and odd dumps. */
#include "sample_dump.h"
#include "support.h"

#include "oracle/etdump_comparison.h"
#include "oracle/etdump_oracle.h"

#include <glob.h>

static void expect_agreement(const uint8_t *data, size_t size, etdump_agreement expected) {
    char why[256];
    etdump_agreement found = etdump_compare_readers(data, size, why);
    if (found != expected)
        fail_msg("expected agreement %d, found %d %s", expected, found, why);
}

static void both_read_real_dumps_alike(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/run.etdp", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 11);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t size;
        uint8_t *data = read_whole_file(found.gl_pathv[i], &size);
        expect_agreement(data, size, ETDUMP_BOTH_ACCEPT);
        free(data);
    }
    globfree(&found);
}

static void both_read_every_table_and_field_alike(void **state) {
    (void)state;
#ifdef __arm__
    skip_under_emulator("the oracle reads numbers where they lie, and 32-bit Arm no wide ones");
#endif
    for (int layout = 0; layout < 8; layout++) {
        builder b = {.vtables_behind = layout & 1, .vtables_shared = layout & 2};
        finish_dump(&b, put_sample_dump(&b), layout & 4);
        expect_agreement(b.file.data, b.file.size, ETDUMP_BOTH_ACCEPT);
        builder_free(&b);
    }
}

static void both_read_the_smallest_dump_alike(void **state) {
    (void)state;
    builder b = {0};
    finish_dump(&b, put_dump(&b, (optional){0}, 0), true);
    expect_agreement(b.file.data, b.file.size, ETDUMP_BOTH_ACCEPT);
    builder_free(&b);
}

static size_t count_facts(const etdump_fact *facts, size_t n, etdump_fact_kind kind,
                          const char *name) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += facts[i].kind == kind && strcmp(facts[i].name, name) == 0;
    return count;
}

/* The comparison is worthless if the oracle reports nothing. */
static void the_oracle_tells_every_table_and_field(void **state) {
    (void)state;
#ifdef __arm__
    skip_under_emulator("the oracle reads numbers where they lie, and 32-bit Arm no wide ones");
#endif
    builder b = {0};
    finish_dump(&b, put_sample_dump(&b), true);
    etdump_oracle *oracle = etdump_oracle_open(b.file.data, b.file.size);
    assert_non_null(oracle);
    size_t n;
    const etdump_fact *facts = etdump_oracle_fields(oracle, &n);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_TABLE, "run_data"), 4);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_TABLE, "events"), 15);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_NUMBER, "allocation_size"), 2);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_VECTOR, "strides"), 3);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_TEXT, "name"), 10);
    facts = etdump_oracle_events(oracle, &n);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_NUMBER, "kind"), 15);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_TABLE, "debug_value"), 10);
    assert_int_equal(count_facts(facts, n, ETDUMP_FACT_TABLE, "tensor"), 4);
    etdump_oracle_close(oracle);
    builder_free(&b);
}

static void both_refuse_other_files(void **state) {
    (void)state;
    static const uint8_t bytes[64] = "....ED00";
    expect_agreement(bytes, 0, ETDUMP_BOTH_REFUSE);
    expect_agreement(bytes + 8, 56, ETDUMP_BOTH_REFUSE);
    expect_agreement(bytes, sizeof bytes, ETDUMP_BOTH_REFUSE);
}

/* ---- files that only this library rejects ----------------------------------------------------- */

/* Dump with one run that has a name. */
typedef struct odd_dump {
    uint8_t bytes[64];
    size_t size;
} odd_dump;

static odd_dump make_odd_dump(void) {
    static const uint8_t bytes[] = {
        16, 0, 0, 0, 'E', 'D', '0', '0', /* the root at 16 */
        8,  0, 8, 0, 0,   0,   4,   0,   /* 8: its vtable: no version, run_data at 4 */
        8,  0, 0, 0, 4,   0,   0,   0,   /* 16: the root: run_data at 24 */
        1,  0, 0, 0, 10,  0,   0,   0,   /* 24: one run, at 38 */
    };
    odd_dump dump = {{0}, 0};
    memcpy(dump.bytes, bytes, sizeof bytes);
    static const uint8_t run[] = {
        6, 0, 8, 0, 4,   0,       /* 32: the vtable of the run: name at 4 */
        6, 0, 0, 0, 4,   0, 0, 0, /* 38: the run: its name at 46 */
        1, 0, 0, 0, 'r', 0,       /* 46 */
    };
    memcpy(dump.bytes + sizeof bytes, run, sizeof run);
    dump.size = sizeof bytes + sizeof run;
    return dump;
}

/* Compares the readers with the byte at `at` set to `value`. */
static void expect_of_odd(size_t at, uint8_t value, etdump_agreement expected, unsigned reasons) {
    odd_dump dump = make_odd_dump();
    dump.bytes[at] = value;
    expect_agreement(dump.bytes, dump.size, expected);
    etdump_oracle *oracle = etdump_oracle_open(dump.bytes, dump.size);
    assert_int_equal(etdump_oracle_stricter(oracle), reasons);
    etdump_oracle_close(oracle);
}

static void we_are_stricter_for_known_reasons(void **state) {
    (void)state;
    expect_of_odd(50, 'R', ETDUMP_BOTH_ACCEPT, 0);
    expect_of_odd(50, 0xff, ETDUMP_BOTH_ACCEPT, 0); /* not UTF-8 */
    expect_of_odd(32, 2, ETDUMP_WE_ARE_STRICTER, ETDUMP_STRICTER_VTABLE_SIZE);
    expect_of_odd(32, 0, ETDUMP_WE_ARE_STRICTER, ETDUMP_STRICTER_VTABLE_SIZE);
    /* An element that lies where its offset lies: an offset of 0 to a vtable of 0 bytes. */
    expect_of_odd(28, 0, ETDUMP_WE_ARE_STRICTER, ETDUMP_STRICTER_VTABLE_SIZE);
    expect_of_odd(34, 15, ETDUMP_WE_ARE_STRICTER, ETDUMP_STRICTER_TABLE_SIZE);
    expect_of_odd(34, 7, ETDUMP_WE_ARE_STRICTER, ETDUMP_STRICTER_FIELD_PLACE);
    expect_of_odd(34, 3, ETDUMP_WE_ARE_STRICTER,
                  ETDUMP_STRICTER_TABLE_SIZE | ETDUMP_STRICTER_FIELD_PLACE);
}

static void both_refuse_offsets_that_lead_outside(void **state) {
    (void)state;
    expect_of_odd(32, 7, ETDUMP_BOTH_REFUSE, 0);   /* an odd vtable */
    expect_of_odd(32, 200, ETDUMP_BOTH_REFUSE, 0); /* a long one */
    expect_of_odd(46, 2, ETDUMP_BOTH_REFUSE, 0);   /* a string without NUL */
    expect_of_odd(42, 0, ETDUMP_BOTH_REFUSE, 0);   /* the offset 0 in a field */
    expect_of_odd(45, 1, ETDUMP_BOTH_REFUSE, 0);   /* a far offset */
    expect_of_odd(24, 2, ETDUMP_BOTH_REFUSE, 0);   /* an invalid run */
}

/* Shared offsets make many tables of few bytes. Neither reader may walk all of them. */
static void neither_walks_without_end(void **state) {
    (void)state;
    builder b = {0};
    place event = TIMED(&b, .name = "e"), events[1000], runs[1000];
    for (size_t i = 0; i < COUNT_OF(events); i++)
        events[i] = event;
    place run = put_run(&b, &(run_spec){.events = put_tables(&b, events, COUNT_OF(events))});
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = run;
    finish_dump(&b, put_dump(&b, (optional){0}, put_tables(&b, runs, COUNT_OF(runs))), true);
    expect_agreement(b.file.data, b.file.size, ETDUMP_NOT_COMPARED);
    etdump_oracle *oracle = etdump_oracle_open(b.file.data, b.file.size);
    assert_int_equal(etdump_oracle_verdict(oracle), ETDUMP_ORACLE_REFUSES);
    etdump_oracle_close(oracle);
    builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_read_real_dumps_alike),
        cmocka_unit_test(both_read_every_table_and_field_alike),
        cmocka_unit_test(both_read_the_smallest_dump_alike),
        cmocka_unit_test(the_oracle_tells_every_table_and_field),
        cmocka_unit_test(both_refuse_other_files),
        cmocka_unit_test(we_are_stricter_for_known_reasons),
        cmocka_unit_test(both_refuse_offsets_that_lead_outside),
        cmocka_unit_test(neither_walks_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
