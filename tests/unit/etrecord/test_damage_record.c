/* Damages a small real ETRecord: cut at every length and with every single bit flipped, it gives exactly the results of the
 * whole record, or is rejected with one clear line. With other results the Inspector would show the operators of another
 * program, or none, unnoticed. */
#include "damage.h"
#include "fingerprint.h"

typedef struct record_test {
    const char *name;
    eti_source dump;
    eti_buffer before, now;
    damage_counts counts;
} record_test;

/* Returns everything that the Inspector shows of the dump with this record, and the other contents of the record. */
static eti_status read_all(record_test *test, const uint8_t *data, size_t size, eti_buffer *out) {
    const eti_source record = {"damaged.etrecord", data, size};
    const eti_inputs inputs = {.etdumps = &test->dump, .n_etdumps = 1, .etrecord = &record};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    out->size = 0;
    eti_status status = eti__inspector_open(&inspector, &inputs, NULL, &err);
    if (status != ETI_OK) {
        expect_clear_error(status, &err, "damaged.etrecord: ");
        return status;
    }
    add_fingerprint(out, inspector);
    eti_inspector_close(inspector);
    return ETI_OK;
}

static void try_record(void *context, const uint8_t *data, size_t size) {
    record_test *test = context;
    eti_status status = read_all(test, data, size, &test->now);
    test->counts.tried++;
    if (status == ETI_OK) {
        if (eti__text_equal(eti__buffer_text(&test->now), eti__buffer_text(&test->before)))
            test->counts.same++;
        else {
            test->counts.changed++;
            print_message("%s, %s: another result\n", test->name, damage_place);
        }
        return;
    }
    if (status != ETI_ERROR_MALFORMED && status != ETI_ERROR_LIMIT)
        fail_msg("%s, %s: status %d", test->name, damage_place, (int)status);
    test->counts.refused[status]++;
}

static void test_record(const char *name) {
    char path[128], what[80];
    size_t dump_size, size;
    snprintf(path, sizeof path, "testdata/%s/run.etdp", name);
    uint8_t *dump = read_whole_file(path, &dump_size);
    snprintf(path, sizeof path, "testdata/%s/record.etrecord", name);
    uint8_t *data = read_whole_file(path, &size);
    record_test test = {.name = name, .dump = {"run.etdp", dump, dump_size}};
    assert_int_equal(read_all(&test, data, size, &test.before), ETI_OK);

    cut_everywhere(data, size, try_record, &test);
    snprintf(what, sizeof what, "%s.etrecord, %zu bytes, every cut", name, size);
    print_counts(what, &test.counts, NULL);
    assert_int_equal(test.counts.same, 0);

    test.counts = (damage_counts){0};
    flip_everywhere(data, size, try_record, &test);
    snprintf(what, sizeof what, "%s.etrecord, %zu bytes, every flipped bit", name, size);
    print_counts(what, &test.counts, NULL);
    assert_int_equal(test.counts.changed, 0);

    eti__buffer_free(&test.before);
    eti__buffer_free(&test.now);
    free(data);
    free(dump);
}

static void a_small_record(void **state) {
    (void)state;
    test_record("small");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_record),
    };
    prepare_for_many_readings();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
