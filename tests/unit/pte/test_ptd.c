/* Reads an exported data file, and synthetic ones that no exporter writes. */
#include "etdump_builder.h"
#include "program_bytes.h"
#include "support.h"

static eti_error err = ETI_ERROR_INIT;

static void an_exported_file(void **state) {
    (void)state;
    struct eti_file file;
    eti_arena arena = {0};
    eti_ptd ptd;
    assert_ok(eti__file_open_source(
        &file, &(eti_source){.path = "testdata/external-weights/model.ptd"}, &err));
    assert_ok(eti__ptd_open(&ptd, &arena, &file, &err));
    assert_int_equal(ptd.n_entries, 6);
    assert_int_equal(ptd.header_length, 40);
    const eti_ptd_entry *weight = NULL;
    for (uint32_t i = 0; i < ptd.n_entries; i++) {
        if (eti__text_is(ptd.entries[i].key, "hidden.weight"))
            weight = &ptd.entries[i];
    }
    assert_non_null(weight);
    assert_int_equal(weight->tensor->n_dims, 2);
    assert_int_equal(weight->tensor->sizes[0], 16);
    assert_int_equal(weight->tensor->sizes[1], 8);
    assert_int_equal(weight->tensor->n_bytes, 512);
    assert_int_equal(entry_bytes(&ptd, weight).size, 512);
    eti__arena_free(&arena);
    eti__file_release(&file);
}

/* ---- made ones ------------------------------------------------------------------------------- */

#define DATA "0123456789abcdef"
#define SIZE 16

typedef struct data_spec {
    uint64_t offset, size; /* size and place of the only segment */
    uint32_t segment;      /* size and place of the only entry */
    bool has_layout;
    uint8_t scalar_type;
    int32_t sizes[2];
    const char *dim_order; /* 2 bytes; NULL: none */
    size_t header_at;      /* place of a change to the header; 0: none */
    uint64_t header_number;
} data_spec;

static place put_layout(builder *b, const data_spec *spec) {
    for (size_t i = 2; i-- > 0;)
        put_number(b, (uint32_t)spec->sizes[i], 4);
    put_number(b, 2, 4);
    place sizes = here(b);
    place order = spec->dim_order ? put_bytes(b, spec->dim_order, 2) : 0;
    return PUT_TABLE(b, (slot){1, spec->scalar_type, 0}, target_slot(sizes), target_slot(order));
}

/* Makes the FlatBuffer, with 40 bytes for the header after its identifier. */
static void put_data_file(builder *b, const data_spec *spec) {
    put(b, DATA, SIZE);
    place layout = spec->has_layout ? put_layout(b, spec) : 0;
    place key = put_string(b, "key");
    place entry = PUT_TABLE(b, target_slot(key), (slot){4, spec->segment, 0}, target_slot(layout));
    place segment = PUT_TABLE(b, (slot){8, spec->offset, 0}, (slot){8, spec->size, 0});
    place entries = put_tables(b, &entry, 1), segments = put_tables(b, &segment, 1);
    place root = PUT_TABLE(b, (slot){4, 1, 0}, target_slot(segments), target_slot(entries));
    uint64_t metadata = b->size - SIZE;
    put_number(b, SIZE, 8);
    put_number(b, metadata + 48, 8);
    put_number(b, metadata, 8);
    put_number(b, 48, 8);
    put_number(b, 40, 4);
    put(b, "FH01", 4);
    finish_as(b, root, "FT01", false);
    b->file.name = (char *)(uintptr_t) "test.ptd";
    for (size_t i = 0; spec->header_at > 0 && i < 8; i++)
        b->bytes[b->capacity - b->size + spec->header_at + i] =
            (uint8_t)(spec->header_number >> (8 * i));
}

/* `why` NULL: the file is accepted. */
static void expect_verdict(const data_spec *spec, const char *why) {
    builder b = {0};
    eti_arena arena = {0};
    eti_ptd ptd;
    put_data_file(&b, spec);
    eti_status status = eti__ptd_open(&ptd, &arena, &b.file, &err);
    if (status != (why ? ETI_ERROR_MALFORMED : ETI_OK))
        fail_msg("status %d: %s", (int)status, err.message);
    if (why && !strstr(err.message, why))
        fail_msg("expected \"%s\" in \"%s\"", why, err.message);
    if (why)
        assert_memory_equal(err.message, "test.ptd: not a readable data file: ", 36);
    else
        assert_int_equal(entry_bytes(&ptd, &ptd.entries[0]).size, spec->size);
    eti__arena_free(&arena);
    builder_free(&b);
}

#define ACCEPTED(...) expect_verdict(&(data_spec){__VA_ARGS__}, NULL)
#define REFUSED(why, ...) expect_verdict(&(data_spec){__VA_ARGS__}, why)

static void segments_lie_inside_the_file(void **state) {
    (void)state;
    ACCEPTED(.size = 16);
    ACCEPTED(.offset = 16);
    REFUSED("segments[0]: 17 bytes at 0 lie outside the file", .size = 17);
    REFUSED("segments[0]: 1 bytes at 16 lie outside the file", .offset = 16, .size = 1);
    REFUSED("lie outside the file", .offset = UINT64_MAX, .size = 2);
    REFUSED("named_data[0].segment_index: there is no segment 1; there are 1", .segment = 1);
}

static void tensors_fit_their_segment(void **state) {
    (void)state;
    ACCEPTED(.size = 16, .has_layout = true, .scalar_type = 6, .sizes = {2, 2},
             .dim_order = "\0\1");
    ACCEPTED(.size = 16, .has_layout = true, .scalar_type = 9,
             .sizes = {200, 200}); /* an unknown type */
    ACCEPTED(.size = 0, .has_layout = true, .scalar_type = 6, .sizes = {0, 2});
    REFUSED("named_data[0]: its segment has fewer bytes than the tensor", .size = 15,
            .has_layout = true, .scalar_type = 6, .sizes = {2, 2});
    REFUSED("named_data[0].tensor_layout.sizes: a size is negative", .has_layout = true,
            .sizes = {-1, 2});
    REFUSED("named_data[0].tensor_layout.dim_order: names a dimension", .has_layout = true,
            .sizes = {0, 2}, .dim_order = "\0\2");
}

static void headers_lead_inside_the_file(void **state) {
    (void)state;
    REFUSED("expected the header FH01 at byte 8, found FH02", .header_at = 8,
            .header_number = 0x2832304846);
    REFUSED("byte 12: the header has 39 bytes, less than 40", .header_at = 12, .header_number = 39);
    REFUSED("the file was cut short", .header_at = 16, .header_number = UINT64_MAX);
    REFUSED("the file was cut short", .header_at = 24, .header_number = UINT64_MAX - 47);
    REFUSED("the file was cut short", .header_at = 32, .header_number = 1 << 20);
    REFUSED("segments of 17 bytes", .header_at = 40, .header_number = 17);
    REFUSED("the offset points outside the file", .header_at = 24, .header_number = 0);
    /* segments that begin among the metadata */
    REFUSED("segments[0]: 4 bytes at 0 overlap the metadata", .size = 4, .header_at = 32,
            .header_number = 48);
}

static void other_files_are_refused(void **state) {
    (void)state;
    static const uint8_t bytes[48] = "\4\0\0\0FT01FH01", program[] = "\4\0\0\0ET12";
    const struct eti_file file = {.name = (char *)(uintptr_t) "test.ptd",
                                  .data = program,
                                  .size = 8,
                                  .kind = ETI_FILE_PROGRAM};
    const struct eti_file shorter = {.name = file.name, .data = bytes, .size = 47};
    eti_arena arena = {0};
    eti_ptd ptd;
    assert_fails(eti__input_expect(&file, ETI_FILE_DATA, &err), ETI_ERROR_MALFORMED,
                 "expected a data file (.ptd), found a program (.pte)");
    assert_fails(eti__ptd_open(&ptd, &arena, &shorter, &err), ETI_ERROR_MALFORMED,
                 "47 bytes are too few for a data file");
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exported_file),          cmocka_unit_test(segments_lie_inside_the_file),
        cmocka_unit_test(tensors_fit_their_segment), cmocka_unit_test(headers_lead_inside_the_file),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
