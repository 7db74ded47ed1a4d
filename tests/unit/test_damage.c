/* Damaged ETDumps: cut at every length, and with every single bit flipped, they are either read or
 * refused with a message; nothing else may happen (sanitizers watch). */
#include "sample_dump.h"
#include "support.h"

/* Everything that can be asked, so that all that was read is touched. */
static void use(const eti_inspector *inspector) {
    eti_table *table;
    eti_error err;
    eti_table_options options = ETI_TABLE_OPTIONS_DEFAULT;
    options.include_delegate_debug_data = true;
    for (int form = ETI_METADATA_BYTES; form <= ETI_METADATA_JSON; form++) {
        options.delegate_metadata = (eti_metadata_form)form;
        assert_ok(eti_inspector_events_table(&table, inspector, &options, &err));
        eti_table_free(table);
    }
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        for (size_t i = 0; i < eti_event_block_event_count(block); i++) {
            const eti_event *event = eti_event_block_event(block, i);
            for (size_t v = 0; v < eti_event_debug_data_count(event); v++)
                (void)eti_event_debug_data(event, v);
        }
    }
}

/* 0 when it was refused. */
static int inspect(const void *data, size_t size) {
    static const uint8_t debug_buffer[256] = {1};
    const eti_source dump = {"damaged", data, size}, buffer = {"buffer", debug_buffer, 256};
    const eti_inputs inputs = {&dump, 1, NULL, &buffer};
    eti_inspector *inspector = NULL;
    eti_error err = {0};
    eti_status status = eti_inspector_open(&inspector, &inputs, NULL, &err);
    if (status == ETI_OK) {
        use(inspector);
        eti_inspector_close(inspector);
        return 1;
    }
    assert_null(inspector);
    assert_int_equal(status, err.status);
    assert_true(status == ETI_ERROR_MALFORMED || status == ETI_ERROR_DATA ||
                status == ETI_ERROR_LIMIT);
    assert_true(strlen(err.message) > strlen("damaged: "));
    return 0;
}

/* A copy of exactly `size` bytes, so that sanitizers see a byte too far. */
static size_t inspect_cut(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + !size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    size_t read = (size_t)inspect(copy, size);
    free(copy);
    return read;
}

static void cut_everywhere(const uint8_t *data, size_t size) {
    size_t n_read = 0;
    for (size_t n = 0; n < size; n++)
        n_read += inspect_cut(data, n);
    /* Only what lies at the very end, if anything, can be missing unnoticed. */
    assert_true(n_read < 16);
}

static void flip_everywhere(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    size_t n_read = 0;
    for (size_t bit = 0; bit < size * 8; bit++) {
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        n_read += (size_t)inspect(copy, size);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(n_read > 0 && n_read < size * 8);
    free(copy);
}

static void for_sample(void (*damage)(const uint8_t *data, size_t size)) {
    for (int layout = 0; layout < 4; layout++) {
        builder b = {.vtables_behind = layout & 1, .vtables_shared = layout & 1};
        finish_dump(&b, put_sample_dump(&b), layout & 2);
        assert_int_equal(inspect(b.file.data, b.file.size), 1);
        damage(b.file.data, b.file.size);
        builder_free(&b);
    }
}

static void for_file(void (*damage)(const uint8_t *data, size_t size)) {
    size_t size;
    uint8_t *data = read_whole_file("testdata/allocation-events/run.etdp", &size);
    assert_int_equal(inspect(data, size), 1);
    damage(data, size);
    free(data);
}

static void a_cut_dump_is_refused(void **state) {
    (void)state;
    for_sample(cut_everywhere);
}

static void a_cut_file_is_refused(void **state) {
    (void)state;
    for_file(cut_everywhere);
}

static void a_flipped_bit_in_a_dump_is_survived(void **state) {
    (void)state;
    for_sample(flip_everywhere);
}

static void a_flipped_bit_in_a_file_is_survived(void **state) {
    (void)state;
    for_file(flip_everywhere);
}

/* Whole words overwritten with numbers that overflow when added to or multiplied. */
static void extreme_words_are_survived(void **state) {
    (void)state;
    static const uint32_t words[] = {0,          1,          4,          0x7fffffff, 0x80000000,
                                     0xfffffffc, 0xffffffff, 0x1fffffff, 0x20000000, 0x40000000};
    builder b = {0};
    finish_dump(&b, put_sample_dump(&b), true);
    size_t size = b.file.size;
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    for (size_t at = 0; at + 4 <= size; at++) {
        for (size_t i = 0; i < COUNT_OF(words); i++) {
            memcpy(copy, b.file.data, size);
            memcpy(copy + at, &words[i], 4);
            (void)inspect(copy, size);
        }
    }
    free(copy);
    builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_dump_is_refused),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(a_flipped_bit_in_a_dump_is_survived),
        cmocka_unit_test(a_flipped_bit_in_a_file_is_survived),
        cmocka_unit_test(extreme_words_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
