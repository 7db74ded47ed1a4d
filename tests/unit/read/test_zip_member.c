/* Members are read as they were packed, to the last byte, or rejected with a reason. libzip packs them, and reads them for
 * comparison. */
#include "damage.h"
#include "support.h"

#include "oracle/zip_comparison.h"
#include "read/zip_member.h"

#include <zip.h>

/* ---- ZIPs of libzip -------------------------------------------------------------------------- */

typedef struct packed {
    uint8_t *bytes;
    struct eti_file file;
    eti_arena arena;
    eti_zip zip;
    eti_error err;
} packed;

/* Returns a member of `size` bytes, much of which repeats. */
static uint8_t *make_content(size_t size) {
    uint8_t *content = malloc(size + 1);
    uint32_t random = 1;
    assert_non_null(content);
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525u + 1013904223u;
        content[i] = random >> 30 && i > 100 ? content[i - 100] : (uint8_t)(random >> 16);
    }
    return content;
}

static void add(zip_t *zip, const char *name, const void *content, size_t size, bool deflated) {
    zip_source_t *source = zip_source_buffer(zip, content, size, 0);
    zip_int64_t index = zip_file_add(zip, name, source, 0);
    assert_true(index >= 0);
    zip_int32_t method = deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
    assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)index, method, 9), 0);
}

static zip_t *start_zip(zip_source_t **source) {
    *source = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *zip = zip_open_from_source(*source, ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    zip_source_keep(*source);
    return zip;
}

static void finish_zip(packed *p, zip_t *zip, zip_source_t *source) {
    zip_stat_t stat;
    *p = (packed){0};
    assert_int_equal(zip_close(zip), 0);
    assert_int_equal(zip_source_stat(source, &stat), 0);
    assert_int_equal(zip_source_open(source), 0);
    p->bytes = malloc((size_t)stat.size);
    assert_non_null(p->bytes);
    assert_true(zip_source_read(source, p->bytes, stat.size) == (zip_int64_t)stat.size);
    zip_source_close(source);
    zip_source_free(source);
    p->file = (struct eti_file){
        .name = (char *)(uintptr_t) "m.zip", .data = p->bytes, .size = (size_t)stat.size};
}

static void open_zip(packed *p) {
    assert_ok_at(eti__zip_open(&p->zip, &p->arena, &p->file, &p->err), &p->err, __FILE__, __LINE__);
}

/* Makes a ZIP of one member. */
static void pack(packed *p, const void *content, size_t size, bool deflated) {
    zip_source_t *source;
    zip_t *zip = start_zip(&source);
    add(zip, "m", content, size, deflated);
    finish_zip(p, zip, source);
}

static void release(packed *p) {
    eti__arena_free(&p->arena);
    free(p->bytes);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads the only member completely, in pieces of at most `piece_size` bytes. */
static eti_status read_member(packed *p, size_t piece_size, eti_buffer *out) {
    eti_zip_stream stream;
    size_t n = 0;
    char *piece = malloc(piece_size);
    assert_non_null(piece);
    out->size = 0;
    eti_status status = eti__zip_stream_open(&stream, &p->zip, &p->zip.members[0], &p->err);
    if (status == ETI_OK) {
        while ((status = eti__zip_stream_read(&stream, piece, piece_size, &n, &p->err)) == ETI_OK &&
               n > 0)
            eti__buffer_add(out, piece, n);
        eti__zip_stream_close(&stream);
    }
    free(piece);
    return status;
}

static void members_are_read_in_pieces(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 1000, 65535, 65536, 65537, 300000};
    static const size_t pieces[] = {1, 7, 65536, 1 << 20};
    for (size_t i = 0; i < COUNT_OF(sizes) * 2; i++) {
        size_t size = sizes[i / 2];
        uint8_t *content = make_content(size);
        packed p;
        pack(&p, content, size, i % 2);
        open_zip(&p);
        for (size_t k = 0; k < COUNT_OF(pieces); k++) {
            eti_buffer found = {0};
            p.zip.inflated = 0;
            assert_ok_at(read_member(&p, pieces[k], &found), &p.err, __FILE__, __LINE__);
            assert_int_equal(found.size, size);
            assert_true(size == 0 || memcmp(found.data, content, size) == 0);
            eti__buffer_free(&found);
        }
        release(&p);
        free(content);
    }
}

static void expect_refusal(packed *p, eti_status status, const char *message) {
    eti_buffer found = {0};
    assert_fails_at(read_member(p, 100, &found), status, message, &p->err, __FILE__, __LINE__);
    eti__buffer_free(&found);
}

/* Changes entries of the list, as if the file had changed. */
static void broken_promises_are_refused(void **state) {
    (void)state;
    static const struct {
        int64_t packed, size;
        uint32_t crc32;
        bool deflated;
        eti_status status;
        const char *message;
    } cases[] = {
        {0, 1, 0, true, ETI_ERROR_MALFORMED, "damaged: smaller than stated in the ZIP"},
        {0, -1, 0, true, ETI_ERROR_MALFORMED, "damaged: larger than stated in the ZIP"},
        {-1, 0, 0, true, ETI_ERROR_MALFORMED, "damaged: the deflated data are incomplete"},
        {-500, 0, 0, true, ETI_ERROR_MALFORMED, "damaged: the deflated data are incomplete"},
        {0, 0, 1, true, ETI_ERROR_MALFORMED, "its checksum differs from the one in the ZIP"},
        {0, 0, 1, false, ETI_ERROR_MALFORMED, "its checksum differs from the one in the ZIP"},
        {-1, -1, 0, false, ETI_ERROR_MALFORMED, "its checksum differs from the one in the ZIP"},
        {-1, 0, 0, false, ETI_ERROR_MALFORMED, "its size is 2000 bytes, but 1999 are stored"},
        {0, 1 << 30, 0, true, ETI_ERROR_LIMIT, "bytes inflate to 1073743824; for a file of "},
    };
    uint8_t *content = make_content(2000);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        packed p;
        pack(&p, content, 2000, cases[i].deflated);
        open_zip(&p);
        eti_zip_member member = p.zip.members[0];
        member.packed_size += (uint64_t)cases[i].packed;
        member.size += (uint64_t)cases[i].size;
        member.crc32 ^= cases[i].crc32;
        p.zip.members = &member;
        expect_refusal(&p, cases[i].status, cases[i].message);
        release(&p);
    }
    free(content);
}

static void other_bytes_than_deflate_are_refused(void **state) {
    (void)state;
    packed p;
    pack(&p, "{                                        }", 42, true);
    open_zip(&p);
    memset(p.bytes + p.zip.members[0].place, 0xff, 2);
    expect_refusal(&p, ETI_ERROR_MALFORMED, "damaged: it cannot be inflated: invalid block type");
    release(&p);
}

static void other_ways_of_packing_are_refused(void **state) {
    (void)state;
    packed p;
    pack(&p, "{}", 2, false);
    open_zip(&p);
    eti_zip_member member = p.zip.members[0];
    p.zip.members = &member;
    for (uint16_t method = 1; method < 100; method++) {
        member.method = method;
        if (method != 8)
            expect_refusal(&p, ETI_ERROR_MALFORMED, "expected a member that is stored or deflated");
    }
    member = (eti_zip_member){.is_encrypted = true};
    expect_refusal(&p, ETI_ERROR_MALFORMED, "it is encrypted: save the file without encryption");
    release(&p);
}

/* A member's stream may end before its packed bytes do; its contents are complete, and its checksum is right. */
static void bytes_behind_the_end_do_not_count(void **state) {
    (void)state;
    packed p;
    eti_buffer found = {0};
    uint8_t *content = make_content(1000);
    pack(&p, content, 1000, true);
    open_zip(&p);
    eti_zip_member member = p.zip.members[0];
    member.packed_size += 10;
    p.zip.members = &member;
    assert_ok_at(read_member(&p, 300, &found), &p.err, __FILE__, __LINE__);
    assert_int_equal(found.size, 1000);
    eti__buffer_free(&found);
    release(&p);
    free(content);
}

/* ---- beside libzip --------------------------------------------------------------------------- */

static void try_zip(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    char why[256];
    zip_agreement agreement = zip_compare_readers(data, size, why);
    if (agreement == ZIP_DISAGREE)
        fail_msg("%s: %s", damage_place, why);
    counts->tried++;
    counts->other[agreement]++;
}

/* For every flipped bit and every cut, this reader's results are those of libzip. */
static void damaged_zips_are_read_as_libzip_does(void **state) {
    (void)state;
    zip_source_t *source;
    zip_t *zip = start_zip(&source);
    packed p;
    uint8_t *content = make_content(150);
    add(zip, "empty", "", 0, false);
    add(zip, "stored", content, 30, false);
    add(zip, "deflated", content, 150, true);
    add(zip, "directory/h\xc3\xbcll", "{}", 2, true);
    finish_zip(&p, zip, source);
    damage_counts counts = {0};
    flip_everywhere(p.bytes, p.file.size, try_zip, &counts);
    cut_everywhere(p.bytes, p.file.size, try_zip, &counts);
    print_message("%zu damaged ZIPs: both read %zu and refuse %zu, libzip alone reads %zu\n",
                  counts.tried, counts.other[ZIP_BOTH_ACCEPT], counts.other[ZIP_BOTH_REFUSE],
                  counts.other[ZIP_WE_ARE_STRICTER]);
    assert_true(counts.other[ZIP_BOTH_ACCEPT] * 10 > counts.tried);
    free(content);
    release(&p);
}

static void real_records_are_read_as_libzip_does(void **state) {
    (void)state;
    static const char *const records[] = {"small", "mlp", "transformer", "multi-method"};
    for (size_t i = 0; i < COUNT_OF(records); i++) {
        char path[128], why[256];
        size_t size;
        snprintf(path, sizeof path, "testdata/%s/record.etrecord", records[i]);
        uint8_t *data = read_whole_file(path, &size);
        if (zip_compare_readers(data, size, why) != ZIP_BOTH_ACCEPT)
            fail_msg("%s: %s", path, why);
        free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_in_pieces),
        cmocka_unit_test(broken_promises_are_refused),
        cmocka_unit_test(other_bytes_than_deflate_are_refused),
        cmocka_unit_test(other_ways_of_packing_are_refused),
        cmocka_unit_test(bytes_behind_the_end_do_not_count),
        cmocka_unit_test(damaged_zips_are_read_as_libzip_does),
        cmocka_unit_test(real_records_are_read_as_libzip_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
