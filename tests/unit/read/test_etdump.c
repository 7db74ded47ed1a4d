#include "sample_dump.h"
#include "support.h"

#include "base/status.h"
#include "flatbuf/flatbuf.h"
#include "read/read.h"

typedef struct fixture {
    builder b;
    eti_etdump dump;
} fixture;

static fixture open_sample(bool prefixed) {
    fixture f = {0};
    eti_error err = ETI_ERROR_INIT;
    finish_dump(&f.b, put_sample_dump(&f.b), prefixed);
    assert_ok(eti__etdump_open(&f.dump, &f.b.file, 1, &err));
    assert_false(eti__etdump_is_captured(&f.dump));
    return f;
}

static eti_etdump_event read_event(const eti_etdump *dump, uint32_t run, uint32_t event) {
    eti_etdump_run of = eti__etdump_read_run(dump, run);
    assert_true(event < of.events.count);
    eti_etdump_event read;
    eti__etdump_read_event(&read, dump, eti__etdump_event_position(dump, of.events, event));
    return read;
}

static eti_etdump_stamps read_stamps(const eti_etdump *dump, uint32_t run, uint32_t event) {
    eti_etdump_run of = eti__etdump_read_run(dump, run);
    return eti__etdump_read_stamps(dump, eti__etdump_event_position(dump, of.events, event));
}

/* ---- reading --------------------------------------------------------------------------------- */

static void runs_have_names_indexes_and_events(void **state) {
    (void)state;
    for (int prefixed = 0; prefixed < 2; prefixed++) {
        fixture f = open_sample(prefixed);
        assert_int_equal(f.dump.runs.count, 4);
        assert_true(f.dump.runs.first != 0);
        assert_string_equal(f.dump.file_name, "test.etdp");
        static const char *const names[] = {"Execute", "Values", "Empty", ""};
        static const uint32_t n_events[] = {6, 9, 0, 0};
        for (uint32_t i = 0; i < 4; i++) {
            eti_etdump_run run = eti__etdump_read_run(&f.dump, i);
            assert_text(run.name, names[i]);
            assert_int_equal(run.bundled_input_index, i == 0 ? 2 : -1);
            assert_int_equal(run.events.count, n_events[i]);
            assert_int_equal(run.has_events, i != 3);
        }
        builder_free(&f.b);
    }
}

static void profile_events_have_all_their_fields(void **state) {
    (void)state;
    fixture f = open_sample(true);
    eti_etdump_event event = read_event(&f.dump, 0, 1);
    assert_int_equal(event.kind, ETI_ETDUMP_PROFILE);
    assert_text(event.name, "caf\xc3\xa9 \"\\\t\x01\xf0\x9f\x98\x80/");
    assert_int_equal(event.key.instruction_id, 7);
    assert_true(event.key.chain_index == UINT64_MAX);
    assert_true(event.key.chain_is_negative);
    eti_etdump_stamps stamps = read_stamps(&f.dump, 0, 1);
    assert_true(stamps.start_time == UINT64_MAX && stamps.end_time == UINT64_MAX);
    assert_false(event.has_debug_event);

    event = read_event(&f.dump, 0, 2);
    assert_int_equal(event.key.delegate_id_int, -2);
    assert_absent(event.key.delegate_id_str);
    assert_text(read_stamps(&f.dump, 0, 2).metadata, "m\xff");
    event = read_event(&f.dump, 0, 3);
    assert_int_equal(event.key.instruction_id, INT32_MIN);
    assert_text(event.key.delegate_id_str, "");
    assert_text(read_stamps(&f.dump, 0, 3).metadata, "");
    builder_free(&f.b);
}

static void absent_fields_have_the_schemas_defaults(void **state) {
    (void)state;
    fixture f = {0};
    eti_error err = ETI_ERROR_INIT;
    finish_dump(&f.b,
                DUMP(&f.b, RUN(&f.b, "r", TIMED(&f.b, .name = NULL),
                               LOGGED(&f.b, .value = VALUE(&f.b, .tensor = 0)))),
                true);
    assert_ok(eti__etdump_open(&f.dump, &f.b.file, 1, &err));
    assert_false(eti__etdump_is_captured(&f.dump));
    for (uint32_t i = 0; i < 2; i++) {
        eti_etdump_event event = read_event(&f.dump, 0, i);
        assert_int_equal(event.key.instruction_id, -1);
        assert_int_equal(event.key.delegate_id_int, -1);
        assert_true(event.key.chain_index == 0 && !event.key.chain_is_negative);
        assert_absent(event.key.delegate_id_str);
        assert_absent(event.name);
    }
    eti_etdump_stamps stamps = read_stamps(&f.dump, 0, 0);
    assert_absent(stamps.metadata);
    assert_true(stamps.start_time == 0 && stamps.end_time == 0);
    eti_etdump_value value = eti__etdump_read_value(&f.dump, read_event(&f.dump, 0, 1).debug_value);
    assert_int_equal(value.type, ETI_ETDUMP_VALUE_NULL);
    assert_false(value.has_content);
    builder_free(&f.b);
}

static void a_profile_event_goes_before_a_debug_event(void **state) {
    (void)state;
    fixture f = open_sample(true);
    eti_etdump_event event = read_event(&f.dump, 0, 5);
    assert_int_equal(event.kind, ETI_ETDUMP_PROFILE);
    assert_text(event.name, "both");
    assert_true(event.has_debug_event);
    assert_int_equal(eti__etdump_read_value(&f.dump, event.debug_value).as_int, 3);
    assert_int_equal(read_event(&f.dump, 0, 4).kind, ETI_ETDUMP_ALLOCATION);
    builder_free(&f.b);
}

static void an_event_may_have_no_member(void **state) {
    (void)state;
    fixture f = {0};
    eti_error err = ETI_ERROR_INIT;
    finish_dump(&f.b, DUMP(&f.b, RUN(&f.b, "r", put_event(&f.b, 0, 0, 0))), true);
    assert_ok(eti__etdump_open(&f.dump, &f.b.file, 1, &err));
    assert_false(eti__etdump_is_captured(&f.dump));
    assert_int_equal(read_event(&f.dump, 0, 0).kind, ETI_ETDUMP_NOTHING);
    builder_free(&f.b);
}

static eti_etdump_value read_value(const eti_etdump *dump, uint32_t event) {
    eti_etdump_event of = read_event(dump, 1, event);
    assert_int_equal(of.kind, ETI_ETDUMP_DEBUG);
    assert_true(of.has_debug_event);
    return eti__etdump_read_value(dump, of.debug_value);
}

static void scalar_values_are_exact(void **state) {
    (void)state;
    fixture f = open_sample(true);
    assert_true(read_value(&f.dump, 0).as_int == INT64_MIN);
    assert_true(read_value(&f.dump, 1).as_bool);
    assert_bits(read_value(&f.dump, 2).as_double, (double)0.1f);
    assert_bits(read_value(&f.dump, 3).as_double, -1234567.125);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(read_value(&f.dump, i).type, i + 1);
        assert_true(read_value(&f.dump, i).has_content);
    }
    assert_text(read_event(&f.dump, 1, 1).name, "flag");
    builder_free(&f.b);
}

static void null_and_string_values_have_no_content(void **state) {
    (void)state;
    fixture f = open_sample(true);
    assert_int_equal(read_value(&f.dump, 6).type, ETI_ETDUMP_VALUE_STRING);
    assert_false(read_value(&f.dump, 6).has_content);
    assert_int_equal(read_value(&f.dump, 7).type, ETI_ETDUMP_VALUE_NULL);
    assert_false(read_value(&f.dump, 7).has_content);
    builder_free(&f.b);
}

static void tensors_have_type_sizes_and_offset(void **state) {
    (void)state;
    fixture f = open_sample(true);
    eti_etdump_tensor tensor = eti__etdump_read_tensor(&f.dump, read_value(&f.dump, 4).tensor);
    assert_int_equal(tensor.scalar_type, TYPE_FLOAT);
    assert_true(tensor.has_sizes);
    assert_int_equal(tensor.sizes.count, 2);
    assert_int_equal(eti__flatbuf_vector_i64(&f.dump.buffer, tensor.sizes, 0), 2);
    assert_int_equal(eti__flatbuf_vector_i64(&f.dump.buffer, tensor.sizes, 1), 3);
    assert_int_equal(tensor.offset, 64);

    eti_vector list = read_value(&f.dump, 5).tensors;
    assert_int_equal(list.count, 3);
    tensor = eti__etdump_read_tensor(&f.dump, eti__flatbuf_vector_table(&f.dump.buffer, list, 1));
    assert_int_equal(tensor.scalar_type, TYPE_LONG);
    assert_int_equal(tensor.offset, -8);
    builder_free(&f.b);
}

static void only_a_true_output_marks_a_run_output(void **state) {
    (void)state;
    fixture f = open_sample(true);
    assert_false(read_event(&f.dump, 1, 0).is_run_output);
    assert_false(read_event(&f.dump, 1, 7).is_run_output); /* output is false */
    assert_true(read_event(&f.dump, 1, 8).is_run_output);
    builder_free(&f.b);

    fixture g = {0};
    eti_error err = ETI_ERROR_INIT;
    place odd = VALUE(&g.b, .val = SOME(VAL_NULL), .output = put_bool(&g.b, 0x80));
    finish_dump(&g.b, DUMP(&g.b, RUN(&g.b, "r", LOGGED(&g.b, .value = odd))), true);
    assert_ok(eti__etdump_open(&g.dump, &g.b.file, 1, &err));
    assert_true(read_event(&g.dump, 0, 0).is_run_output); /* any value except 0 is true */
    builder_free(&g.b);
}

static void unknown_value_types_are_kept_as_numbers(void **state) {
    (void)state;
    static const int8_t types[] = {-128, -1, 8, 127};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        fixture f = {0};
        eti_error err = ETI_ERROR_INIT;
        place value = VALUE(&f.b, .val = SOME(types[i]), .int_value = put_int(&f.b, 1));
        finish_dump(&f.b, DUMP(&f.b, RUN(&f.b, "r", LOGGED(&f.b, .value = value))), true);
        assert_ok(eti__etdump_open(&f.dump, &f.b.file, 1, &err));
        assert_false(eti__etdump_is_captured(&f.dump));
        eti_etdump_value found =
            eti__etdump_read_value(&f.dump, read_event(&f.dump, 0, 0).debug_value);
        assert_int_equal(found.type, types[i]);
        assert_false(found.has_content);
        builder_free(&f.b);
    }
}

static void run_data_may_be_missing(void **state) {
    (void)state;
    fixture f = {0};
    eti_error err = ETI_ERROR_INIT;
    finish_dump(&f.b, put_dump(&f.b, (optional){0}, 0), true);
    assert_ok(eti__etdump_open(&f.dump, &f.b.file, 1, &err));
    assert_false(eti__etdump_is_captured(&f.dump));
    assert_false(f.dump.runs.first != 0);
    assert_int_equal(f.dump.runs.count, 0);
    builder_free(&f.b);
}

/* ---- opening --------------------------------------------------------------------------------- */

static eti_status open_bytes(const void *data, size_t size, eti_error *err) {
    struct eti_file file = {.name = (char *)(uintptr_t) "x.bin",
                            .data = data,
                            .size = size,
                            .kind = eti_file_kind_of(data, size)};
    eti_etdump dump;
    ETI_TRY(eti__input_expect(&file, ETI_FILE_ETDUMP, err));
    return eti__etdump_open(&dump, &file, 1, err);
}

static void other_files_are_named_for_what_they_are(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(open_bytes("", 0, &err), ETI_ERROR_MALFORMED,
                 "x.bin: expected an ETDump, found empty: ");
    assert_fails(open_bytes("PK\3\4", 4, &err), ETI_ERROR_MALFORMED, "found a ZIP");
    assert_fails(open_bytes("\0\0\0\0ET12", 8, &err), ETI_ERROR_MALFORMED, ".pte");
    assert_fails(open_bytes("\0\0\0\0BP08", 8, &err), ETI_ERROR_MALFORMED, ".bpte");
    assert_fails(open_bytes("hello world", 11, &err), ETI_ERROR_MALFORMED,
                 "found a file that is neither");
}

static void a_cut_file_is_said_to_be_cut(void **state) {
    (void)state;
    fixture f = open_sample(true);
    eti_error err = ETI_ERROR_INIT;
    char cut[128];
    snprintf(cut, sizeof cut, "cut short: it should have %zu bytes but has 100", f.b.file.size);
    assert_fails(open_bytes(f.b.file.data, 100, &err), ETI_ERROR_MALFORMED, cut);
    assert_non_null(strstr(err.message, "x.bin: not a readable ETDump: byte "));
    builder_free(&f.b);

    f = open_sample(false);
    assert_int_equal(open_bytes(f.b.file.data, 100, &err), ETI_ERROR_MALFORMED);
    assert_null(strstr(err.message, "it should have"));
    builder_free(&f.b);
}

/* Writes what the runtime writes for tensors that it cannot record: an offset leads outside the file, which is complete. */
static void a_whole_file_may_have_been_written_damaged(void **state) {
    (void)state;
    static const char hint[] = "the file is complete: if it was made with a debug buffer";
    fixture f = open_sample(true);
    eti_error err = ETI_ERROR_INIT;
    char *copy = malloc(f.b.file.size + 1);
    assert_non_null(copy);
    memcpy(copy, f.b.file.data, f.b.file.size);
    memset(copy + 4, 0x7f, 4); /* the place of the root */
    assert_fails(open_bytes(copy, f.b.file.size, &err), ETI_ERROR_MALFORMED, hint);
    copy[f.b.file.size] = '\0'; /* the file is longer than its size says, so it was not cut */
    assert_int_equal(open_bytes(copy, f.b.file.size + 1, &err), ETI_ERROR_MALFORMED);
    assert_null(strstr(err.message, hint));
    free(copy);
    builder_free(&f.b);
}

static void bytes_after_the_buffer_are_accepted(void **state) {
    (void)state;
    fixture f = open_sample(true);
    uint8_t *longer = calloc(1, f.b.file.size + 100);
    assert_non_null(longer);
    memcpy(longer, f.b.file.data, f.b.file.size);
    eti_error err = ETI_ERROR_INIT;
    assert_ok(open_bytes(longer, f.b.file.size + 100, &err));
    free(longer);
    builder_free(&f.b);
}

static void damage_names_the_way_to_the_field(void **state) {
    (void)state;
    fixture f = {0};
    eti_error err = ETI_ERROR_INIT;
    finish_dump(&f.b, DUMP(&f.b, RUN(&f.b, "r", TIMED(&f.b, .name = "addmm"))), true);
    *((uint8_t *)memmem(f.b.file.data, f.b.file.size, "addmm", 6) + 5) = 'x';
    assert_fails(eti__etdump_open(&f.dump, &f.b.file, 1, &err), ETI_ERROR_MALFORMED,
                 ": run_data[0].events[0].profile_event.name: expected a NUL after the string");
    builder_free(&f.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_names_indexes_and_events),
        cmocka_unit_test(profile_events_have_all_their_fields),
        cmocka_unit_test(absent_fields_have_the_schemas_defaults),
        cmocka_unit_test(a_profile_event_goes_before_a_debug_event),
        cmocka_unit_test(an_event_may_have_no_member),
        cmocka_unit_test(scalar_values_are_exact),
        cmocka_unit_test(null_and_string_values_have_no_content),
        cmocka_unit_test(tensors_have_type_sizes_and_offset),
        cmocka_unit_test(only_a_true_output_marks_a_run_output),
        cmocka_unit_test(unknown_value_types_are_kept_as_numbers),
        cmocka_unit_test(run_data_may_be_missing),
        cmocka_unit_test(other_files_are_named_for_what_they_are),
        cmocka_unit_test(a_cut_file_is_said_to_be_cut),
        cmocka_unit_test(a_whole_file_may_have_been_written_damaged),
        cmocka_unit_test(bytes_after_the_buffer_are_accepted),
        cmocka_unit_test(damage_names_the_way_to_the_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
