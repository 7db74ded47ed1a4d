#include "record_builder.h"

#include "damage.h"

#include "support.h"

#include "etrecord/etrecord.h"
#include "oracle/zip_comparison.h"
#include "read/read.h"
#include "read/zip.h"

#include <glob.h>
#include <zip.h>

/* ==== zip directory =========================================================================== */
/* The directory of a ZIP is trusted only where it agrees with the members; an impossible directory is rejected before
 * memory is allocated for it. */

/* ---- ZIPs ------------------------------------------------------------------------------------ */

static record_builder two_members(void) {
    record_builder r = {0};
    add_member(&r, "ETRECORD_V0", "");
    add_member(&r, "delegate_map", "{}");
    finish_record(&r);
    return r;
}

/* Returns place number `which`, from 0, of "PK" and the two bytes that follow. */
static uint8_t *find_magic(const record_builder *r, const char magic[4], size_t which) {
    for (size_t i = 0; i + 4 <= r->bytes.size; i++) {
        if (memcmp(r->bytes.data + i, magic, 4) == 0 && which-- == 0)
            return (uint8_t *)r->bytes.data + i;
    }
    fail_msg("there is no such part");
    return NULL;
}

static void set_le(uint8_t *at, uint64_t number, size_t width) {
    for (size_t i = 0; i < width; i++)
        at[i] = (uint8_t)(number >> (8 * i));
}

static void expect_members(const record_builder *r, size_t expected) {
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    eti_zip zip;
    assert_true(eti__zip_has_end(&r->file));
    assert_ok(eti__zip_open(&zip, &arena, &r->file, &err));
    assert_int_equal(zip.n_members, expected);
    eti__arena_free(&arena);
}

/* Checks that opening a record fails. */
static void expect_no_record(record_builder *r, eti_status status, const char *message) {
    eti_error err = {0};
    eti_arena arena = {0};
    eti_etrecord *record;
    assert_fails(eti__etrecord_open(&record, &arena, &r->file, &err), status, message);
    eti__arena_free(&arena);
    free_record(r);
}

/* Checks that the verification fails, and so does opening a record. */
static void expect_refusal(record_builder *r, eti_status status, const char *message) {
    eti_error err = {0};
    eti_arena arena = {0};
    eti_zip zip;
    assert_fails(eti__zip_open(&zip, &arena, &r->file, &err), status, message);
    assert_int_equal(zip.n_members, 0);
    eti__arena_free(&arena);
    expect_no_record(r, status, message);
}

/* ---- good ones ------------------------------------------------------------------------------- */

static void real_records_pass(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/*.etrecord", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 11);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct eti_file file = {.name = found.gl_pathv[i]};
        uint8_t *data = read_whole_file(found.gl_pathv[i], &file.size);
        file.data = data;
        eti_error err = ETI_ERROR_INIT;
        eti_arena arena = {0};
        eti_zip zip;
        assert_ok(eti__zip_open(&zip, &arena, &file, &err));
        assert_true(zip.n_members >= 8 && zip.n_members < 30);
        assert_text(zip.members[0].name, "ETRECORD_V0");
        eti__arena_free(&arena);
        free(data);
    }
    globfree(&found);
}

static void a_zip_without_an_end_is_not_whole(void **state) {
    (void)state;
    static const char *const texts[] = {"", "PK\3\4", "not even near to being a ZIP", "PK\5\6",
                                        "PK\5\6 is not enough"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        record_builder r = {.file = {.name = (char *)(uintptr_t) "no.zip",
                                     .data = (const uint8_t *)texts[i],
                                     .size = strlen(texts[i])}};
        assert_false(eti__zip_has_end(&r.file));
        expect_refusal(&r, ETI_ERROR_MALFORMED, "no.zip: ");
    }
    record_builder empty = {0};
    finish_record(&empty);
    expect_members(&empty, 0);
    expect_no_record(&empty, ETI_ERROR_MALFORMED, "expected a member ETRECORD_V0");
}

static void append(record_builder *r, const char *c_string, size_t times) {
    eti__buffer_add_repeated(&r->bytes, c_string, times);
    r->file.data = (const uint8_t *)r->bytes.data;
    r->file.size = r->bytes.size;
}

/* Tests the longest possible comment. Bytes after it are ignored within the range searched for the end. */
static void a_comment_may_follow(void **state) {
    (void)state;
    for (size_t size = 65534; size <= 65536; size++) {
        record_builder r = two_members();
        set_le(find_magic(&r, "PK\5\6", 0) + 20, 65535, 2);
        append(&r, "c", size);
        if (size == 65534)
            expect_refusal(&r, ETI_ERROR_MALFORMED, "it was cut short in its comment");
        else if (size == 65535)
            expect_members(&r, 2);
        else
            assert_false(eti__zip_has_end(&r.file));
        free_record(&r);
    }
    record_builder r = two_members();
    append(&r, "\n", 1);
    expect_members(&r, 2);
    free_record(&r);
}

/* The members that torch makes are ZIPs themselves, and lie near the end of the file. */
static void members_may_be_zips(void **state) {
    (void)state;
    record_builder inner = two_members(), empty = {0}, r = {0};
    finish_record(&empty);
    add_member(&r, "ETRECORD_V0", "");
    add_sized_member(&r, "exported_program_constants", inner.bytes.data, inner.bytes.size);
    add_sized_member(&r, "exported_program_state_dict", empty.bytes.data, empty.bytes.size);
    finish_record(&r);
    expect_members(&r, 3);
    free_record(&inner);
    free_record(&empty);
    free_record(&r);
}

/* A writer to a pipe knows these fields too late for the header: Python omits all three, zip the checksum and the packed
 * size. */
static void sizes_may_follow_the_member(void **state) {
    (void)state;
    record_builder r = two_members();
    uint8_t *header = find_magic(&r, "PK\3\4", 1);
    set_le(header + 6, 8, 2);
    set_le(header + 14, 0, 8);
    expect_members(&r, 2);
    set_le(header + 22, 0, 4);
    expect_members(&r, 2);
    set_le(header + 18, 1, 4);
    expect_refusal(&r, ETI_ERROR_MALFORMED,
                   "member delegate_map: its header and the directory have different sizes");
}

/* Without the flag no fields follow the member: a zero in the header counts, for each of the three. */
static void a_zero_without_the_flag_is_no_size(void **state) {
    (void)state;
    for (size_t field = 14; field <= 22; field += 4) {
        record_builder r = two_members();
        set_le(find_magic(&r, "PK\3\4", 1) + field, 0, 4);
        expect_refusal(&r, ETI_ERROR_MALFORMED,
                       "member delegate_map: its header and the directory have different sizes");
    }
}

/* Names are used only in comparisons. */
static void names_of_other_places_are_names(void **state) {
    (void)state;
    static const char *const names[] = {
        "/etc/passwd",
        "../../up",
        "..",
        "C:\\x",
        "a//b/./c",
        "",
        " ",
        "delegate_map/",
        "edge_dialect_exported_program/../../up",
        "edge_dialect_exported_program/",
    };
    record_builder r = {0};
    add_member(&r, "ETRECORD_V0", "");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        add_member(&r, names[i], "{}");
    finish_record(&r);
    expect_members(&r, COUNT_OF(names) + 1);
    eti_arena arena = {0};
    eti_etrecord *record;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__etrecord_open(&record, &arena, &r.file, &err));
    assert_int_equal(eti__etrecord_method_count(record), 2); /* "../../up" and "" */
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    free_record(&r);
}

/* Python would read its bytes in code page 437; no writer of records uses it. */
static void names_need_not_be_utf8_unless_they_say_so(void **state) {
    (void)state;
    record_builder r = {0};
    add_member(&r, "ETRECORD_V0", "");
    add_member(&r,
               "edge_dialect_exported_program/gr\xf6\xdf"
               "e",
               "{}");
    finish_record(&r);
    eti_arena arena = {0};
    eti_etrecord *record;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__etrecord_open(&record, &arena, &r.file, &err));
    assert_text(eti__etrecord_method_name(record, 0), "gr\xf6\xdf"
                                                      "e");
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    set_le(find_magic(&r, "PK\1\2", 1) + 8, 0x800, 2);
    expect_refusal(&r, ETI_ERROR_MALFORMED,
                   "member edge_dialect_exported_program/gr??e: its name is marked as UTF-8, but");
}

/* ---- contradictory directories --------------------------------------------------------------- */

static void a_member_has_the_same_header_twice(void **state) {
    (void)state;
    static const struct {
        size_t offset; /* in the entry */
        uint32_t value;
        size_t width;
        const char *message;
    } cases[] = {
        {10, 8, 2, "member delegate_map: its header and the directory have different methods"},
        {16, 1, 4,
         "member delegate_map: its header and the directory have different sizes or checksums"},
        {20, 1, 4,
         "member delegate_map: its header and the directory have different sizes or checksums"},
        {24, 3, 4,
         "member delegate_map: its header and the directory have different sizes or checksums"},
        {28, 11, 2, "entry 2 of 2 in the directory is invalid"},
        {28, 60000, 2, "entry 2 of 2 in the directory is invalid"},
        {30, 1, 2, "entry 2 of 2 in the directory is invalid"},
        {32, 1, 2, "entry 2 of 2 in the directory is invalid"},
        {46, 0xff, 1, "member ?elegate_map: its header and the directory have different names"},
        {42, 1, 4, "member delegate_map: it is not where the directory says"},
        {42, 0xfffffffe, 4, "member delegate_map: it is not where the directory says"},
        {42, 0xffffffff, 4, "member delegate_map: its size is missing"},
        {42, 0, 4, "member delegate_map: its header and the directory have different names"},
        {46, 'D', 1, "member Delegate_map: its header and the directory have different names"},
        {46, '\0', 1, "its name contains a NUL"},
        {0, 'p', 1, "entry 2 of 2 in the directory is invalid"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        record_builder r = two_members();
        uint8_t *entry = find_magic(&r, "PK\1\2", 1);
        set_le(entry + cases[i].offset, cases[i].value, cases[i].width);
        const char *message = cases[i].message;
        /* A shorter name leaves one byte too many after the last entry. */
        if (cases[i].offset == 28 && cases[i].value == 11)
            message = "different names";
        expect_refusal(&r, ETI_ERROR_MALFORMED, message);
    }
}

static void the_directory_holds_its_members_and_nothing_else(void **state) {
    (void)state;
    static const struct {
        uint32_t n;
        const char *message;
    } cases[] = {
        {1, "the directory contains data after its last entry"},
        {3, "too small for the number of members it declares"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        record_builder r = two_members();
        uint8_t *end = find_magic(&r, "PK\5\6", 0);
        set_le(end + 8, cases[i].n, 2);
        set_le(end + 10, cases[i].n, 2);
        expect_refusal(&r, ETI_ERROR_MALFORMED, cases[i].message);
    }
}

static void members_do_not_overlap(void **state) {
    (void)state;
    record_builder r = {0};
    add_sized_member(&r, "ETRECORD_V0", "\x42\x42\x60",
                     4); /* an extra field of 96 bytes, see below */
    add_member(&r, "delegate_map", "{                                         }");
    add_member(&r, "delegate_map", "{                                         }");
    finish_record(&r);
    uint8_t *second = find_magic(&r, "PK\3\4", 1), *entry = find_magic(&r, "PK\1\2", 2);
    expect_members(&r, 3);
    set_le(entry + 42, (uint64_t)(second - (uint8_t *)r.bytes.data), 4);
    expect_members(&r, 3); /* a gap takes no more than there is */
    set_le(find_magic(&r, "PK\1\2", 0) + 42, 0, 4);
    uint8_t *header = find_magic(&r, "PK\3\4", 0);
    set_le(header + 28, 100, 2); /* its extra field reaches over the second member */
    expect_refusal(&r, ETI_ERROR_MALFORMED, "member delegate_map: it overlaps other members");
}

/* ---- limits ---------------------------------------------------------------------------------- */

static record_builder many_members(size_t n) {
    record_builder r = {0};
    add_member(&r, "ETRECORD_V0", "");
    for (size_t i = 1; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "m%zu", i);
        add_member(&r, name, "");
    }
    finish_record(&r);
    return r;
}

static void members_are_counted(void **state) {
    (void)state;
    record_builder r = many_members(ETI_ZIP_MEMBERS);
    expect_members(&r, ETI_ZIP_MEMBERS);
    free_record(&r);
    r = many_members(ETI_ZIP_MEMBERS + 1);
    expect_refusal(&r, ETI_ERROR_LIMIT, "a ZIP with 4097 members; at most 4096 are supported");
}

static void names_are_measured(void **state) {
    (void)state;
    char name[ETI_ZIP_NAME_BYTES + 2];
    memset(name, 'n', sizeof name);
    name[ETI_ZIP_NAME_BYTES] = '\0';
    record_builder r = {0};
    add_member(&r, name, "");
    finish_record(&r);
    expect_members(&r, 1);
    free_record(&r);
    name[ETI_ZIP_NAME_BYTES] = 'n';
    name[ETI_ZIP_NAME_BYTES + 1] = '\0';
    add_member(&r, name, "");
    finish_record(&r);
    expect_refusal(&r, ETI_ERROR_LIMIT,
                   "a member's name has 16385 bytes; at most 16384 are supported");
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A file with two ends would be two ZIPs. */
static void the_last_end_is_the_end(void **state) {
    (void)state;
    static const uint64_t numbers[] = {0, 1, 100, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        record_builder r = two_members();
        uint8_t end[22];
        memcpy(end, find_magic(&r, "PK\5\6", 0), sizeof end);
        if (i > 0)
            set_le(end + 12, numbers[i], 4);
        eti__buffer_add(&r.bytes, end, sizeof end);
        append(&r, "", 0);
        expect_refusal(&r, ETI_ERROR_MALFORMED, "its directory is not at the expected position");
    }
}

static void the_directory_lies_before_its_end(void **state) {
    (void)state;
    record_builder r = two_members();
    uint8_t *end = find_magic(&r, "PK\5\6", 0);
    set_le(end + 12, (uint64_t)(end - find_magic(&r, "PK\1\2", 0)) - 1, 4);
    expect_refusal(&r, ETI_ERROR_MALFORMED, "its directory is not at the expected position");

    record_builder inner = two_members();
    r = (record_builder){0};
    eti__buffer_add_string(&r.bytes, "#!/bin/sh\n"); /* as in a self-extracting ZIP */
    eti__buffer_add(&r.bytes, inner.bytes.data, inner.bytes.size);
    r.file.name = (char *)(uintptr_t) "program";
    append(&r, "", 0);
    expect_refusal(&r, ETI_ERROR_MALFORMED, "its directory is not at the expected position");
    free_record(&inner);
}

static void parts_of_a_zip_are_refused(void **state) {
    (void)state;
    for (size_t offset = 4; offset <= 8; offset += 2) {
        record_builder r = two_members();
        set_le(find_magic(&r, "PK\5\6", 0) + offset, 1, 2);
        expect_refusal(&r, ETI_ERROR_MALFORMED,
                       "test.etrecord: expected a whole ZIP file, found one of several parts");
    }
}

/* ---- 2^32 and 2^64 --------------------------------------------------------------------------- */

/* Adds a number of 8 bytes. */
static void add_le64(eti_buffer *out, uint64_t number) {
    add_le(out, (uint32_t)number, 4);
    add_le(out, (uint32_t)(number >> 32), 4);
}

typedef struct zip64_spec {
    uint64_t size, packed_size, place; /* size and place of the member */
    uint64_t n_members, directory_size, directory_place, end_place;
    uint16_t extra_size; /* size of the entry's extra field; the true size is 24 */
} zip64_spec;

enum { ZIP64_MEMBER = 30 + 11 + 20 + 2, ZIP64_ENTRY = 46 + 11 + 28 };

static const zip64_spec good_zip64 = {
    2, 2, 0, 1, ZIP64_ENTRY, ZIP64_MEMBER, ZIP64_MEMBER + ZIP64_ENTRY, 24};

static void add_zip64_numbers(eti_buffer *out) {
    add_le(out, 45, 2);
    add_le(out, 0, 2);
    add_le(out, 0, 2);
    add_le(out, 0, 2);
    add_le(out, 0x21, 2);
    add_le(out, crc32_of("{}", 2), 4);
    add_le(out, UINT32_MAX, 4);
    add_le(out, UINT32_MAX, 4);
    add_le(out, 11, 2);
}

static void add_zip64_entry(eti_buffer *out, const zip64_spec *spec) {
    eti__buffer_add(out, "PK\1\2", 4);
    add_le(out, 45, 2);
    add_zip64_numbers(out);
    add_le(out, 28, 2);
    add_le(out, 0, 4);
    add_le(out, 0, 4);
    add_le(out, 0, 2);
    add_le(out, UINT32_MAX, 4);
    eti__buffer_add_string(out, "ETRECORD_V0");
    add_le(out, 1, 2);
    add_le(out, spec->extra_size, 2);
    add_le64(out, spec->size);
    add_le64(out, spec->packed_size);
    add_le64(out, spec->place);
}

static void add_zip64_end(eti_buffer *out, const zip64_spec *spec) {
    eti__buffer_add(out, "PK\6\6", 4);
    add_le64(out, 44);
    add_le(out, 45, 2);
    add_le(out, 45, 2);
    add_le64(out, 0);
    add_le64(out, spec->n_members);
    add_le64(out, spec->n_members);
    add_le64(out, spec->directory_size);
    add_le64(out, spec->directory_place);
    eti__buffer_add(out, "PK\6\7", 4);
    add_le(out, 0, 4);
    add_le64(out, spec->end_place);
    add_le(out, 1, 4);
    eti__buffer_add(out, "PK\5\6", 4);
    add_le(out, 0, 4);
    add_le(out, UINT32_MAX, 4);
    add_le64(out, UINT64_MAX);
    add_le(out, 0, 2);
}

static record_builder make_zip64(const zip64_spec *spec) {
    record_builder r = {0};
    eti__buffer_add(&r.bytes, "PK\3\4", 4);
    add_zip64_numbers(&r.bytes);
    add_le(&r.bytes, 20, 2);
    eti__buffer_add_string(&r.bytes, "ETRECORD_V0");
    add_le(&r.bytes, 1, 2);
    add_le(&r.bytes, 16, 2);
    add_le64(&r.bytes, spec->size);
    add_le64(&r.bytes, spec->packed_size);
    eti__buffer_add_string(&r.bytes, "{}");
    add_zip64_entry(&r.bytes, spec);
    add_zip64_end(&r.bytes, spec);
    r.file = (struct eti_file){.name = (char *)(uintptr_t) "64.etrecord",
                               .data = (const uint8_t *)r.bytes.data,
                               .size = r.bytes.size};
    return r;
}

static void large_numbers_are_read(void **state) {
    (void)state;
    record_builder r = make_zip64(&good_zip64);
    expect_members(&r, 1);
    eti_arena arena = {0};
    eti_etrecord *record;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__etrecord_open(&record, &arena, &r.file, &err));
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    free_record(&r);
}

/* It contains only its ends. The zip64 end cannot begin before the file does, though 2^64 - 1 is one byte before the
 * start. */
static void an_empty_zip64_begins_with_its_end(void **state) {
    (void)state;
    for (uint64_t n_missing = 0; n_missing < 2; n_missing++) {
        const zip64_spec spec = {.end_place = 0 - n_missing};
        record_builder r = {0};
        add_zip64_end(&r.bytes, &spec);
        r.file = (struct eti_file){.name = (char *)(uintptr_t) "64.etrecord",
                                   .data = (const uint8_t *)r.bytes.data + n_missing,
                                   .size = r.bytes.size - (size_t)n_missing};
        if (n_missing == 0)
            expect_members(&r, 0);
        else
            expect_refusal(&r, ETI_ERROR_MALFORMED,
                           "its zip64 end record is not at the expected position");
        free_record(&r);
    }
}

static record_builder make_odd_zip64(size_t offset_in_spec, uint64_t number) {
    zip64_spec spec = good_zip64;
    memcpy((char *)&spec + offset_in_spec, &number, sizeof number);
    return make_zip64(&spec);
}

static void numbers_that_overflow_are_refused(void **state) {
    (void)state;
    static const uint64_t numbers[] = {UINT64_MAX, UINT64_MAX - 1,    (uint64_t)1 << 63,
                                       INT64_MAX,  (uint64_t)1 << 32, UINT32_MAX};
    static const struct {
        size_t offset;
        const char *message;
    } cases[] = {
        {offsetof(zip64_spec, packed_size), "member ETRECORD_V0: it does not end before"},
        {offsetof(zip64_spec, place), "it is not where the directory says"},
        {offsetof(zip64_spec, n_members), "too small for the number of members it declares"},
    };
    for (size_t k = 0; k < COUNT_OF(numbers); k++) {
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            record_builder r = make_odd_zip64(cases[i].offset, numbers[k]);
            expect_refusal(&r, ETI_ERROR_MALFORMED, cases[i].message);
        }
        /* With these numbers no directory is found. */
        record_builder r = make_odd_zip64(offsetof(zip64_spec, directory_size), numbers[k]);
        expect_no_record(&r, ETI_ERROR_MALFORMED, "64.etrecord: damaged ZIP file");
        r = make_odd_zip64(offsetof(zip64_spec, directory_place), numbers[k]);
        expect_no_record(&r, ETI_ERROR_MALFORMED, "64.etrecord: damaged ZIP file");
        r = make_odd_zip64(offsetof(zip64_spec, end_place), numbers[k]);
        expect_no_record(&r, ETI_ERROR_MALFORMED, "64.etrecord: damaged ZIP file");
    }
}

static void a_lying_extra_field_is_refused(void **state) {
    (void)state;
    for (uint16_t size = 0; size < 100; size++) {
        zip64_spec spec = good_zip64;
        spec.extra_size = size;
        if (size == 24)
            continue;
        record_builder r = make_zip64(&spec);
        /* The rest of a shorter field may look like a field that is too long. */
        expect_refusal(&r, ETI_ERROR_MALFORMED,
                       size > 24   ? "an extra field of its entry is incomplete"
                       : size == 0 ? "its size is missing"
                                   : "64.etrecord: damaged ZIP file: member ETRECORD_V0: ");
        r = make_zip64(&good_zip64);
        uint8_t *header = find_magic(&r, "PK\3\4", 0);
        set_le(header + 30 + 11 + 2, size, 2);
        if (size == 16)
            expect_members(&r, 1);
        else
            expect_refusal(&r, ETI_ERROR_MALFORMED,
                           size > 16   ? "an extra field of its header is incomplete"
                           : size == 0 ? "its size is missing"
                                       : "64.etrecord: damaged ZIP file: member ETRECORD_V0: ");
        if (size == 16)
            free_record(&r);
    }
}

/* The end must agree with the zip64 end. */
static void both_ends_agree(void **state) {
    (void)state;
    static const struct {
        const char *magic;
        size_t offset;
        uint32_t value;
        size_t width;
        const char *message; /* NULL: the file is read */
    } cases[] = {
        {"PK\5\6", 8, 0x00010001, 4, NULL},
        {"PK\5\6", 12, ZIP64_ENTRY, 4, NULL},
        {"PK\5\6", 16, ZIP64_MEMBER, 4, NULL},
        {"PK\5\6", 8, 0x00020002, 4, "its end record and its zip64 end record disagree"},
        {"PK\5\6", 12, ZIP64_ENTRY - 1, 4, "its end record and its zip64 end record disagree"},
        {"PK\5\6", 16, 0, 4, "its end record and its zip64 end record disagree"},
        {"PK\5\6", 4, 1, 2, "found one of several parts"},
        {"PK\6\6", 16, 1, 4, "found one of several parts"},
        {"PK\6\6", 20, 1, 4, "found one of several parts"},
        {"PK\6\6", 24, 2, 4, "found one of several parts"},
        {"PK\6\6", 0, 0, 4, "its zip64 end record is not at the expected position"},
        {"PK\6\7", 8, 0, 4, "its zip64 end record is not at the expected position"},
        {"PK\6\7", 12, 1, 4, "its zip64 end record is not at the expected position"},
        {"PK\6\7", 0, 0, 4, "its directory is not at the expected position"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        record_builder r = make_zip64(&good_zip64);
        set_le(find_magic(&r, cases[i].magic, 0) + cases[i].offset, cases[i].value, cases[i].width);
        if (cases[i].message) {
            expect_refusal(&r, ETI_ERROR_MALFORMED, cases[i].message);
        } else {
            expect_members(&r, 1);
            free_record(&r);
        }
    }
}

/* ==== zip member ============================================================================== */
/* Members are read as they were packed, to the last byte, or rejected with a reason. libzip packs them, and reads them for
 * comparison. */

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

static void expect_member_refusal(packed *p, eti_status status, const char *message) {
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
        expect_member_refusal(&p, cases[i].status, cases[i].message);
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
    expect_member_refusal(&p, ETI_ERROR_MALFORMED,
                          "damaged: it cannot be inflated: invalid block type");
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
            expect_member_refusal(&p, ETI_ERROR_MALFORMED,
                                  "expected a member that is stored or deflated");
    }
    member = (eti_zip_member){.is_encrypted = true};
    expect_member_refusal(&p, ETI_ERROR_MALFORMED,
                          "it is encrypted: save the file without encryption");
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
        cmocka_unit_test(real_records_pass),
        cmocka_unit_test(a_zip_without_an_end_is_not_whole),
        cmocka_unit_test(a_comment_may_follow),
        cmocka_unit_test(members_may_be_zips),
        cmocka_unit_test(sizes_may_follow_the_member),
        cmocka_unit_test(a_zero_without_the_flag_is_no_size),
        cmocka_unit_test(names_of_other_places_are_names),
        cmocka_unit_test(names_need_not_be_utf8_unless_they_say_so),
        cmocka_unit_test(a_member_has_the_same_header_twice),
        cmocka_unit_test(the_directory_holds_its_members_and_nothing_else),
        cmocka_unit_test(members_do_not_overlap),
        cmocka_unit_test(members_are_counted),
        cmocka_unit_test(names_are_measured),
        cmocka_unit_test(the_last_end_is_the_end),
        cmocka_unit_test(the_directory_lies_before_its_end),
        cmocka_unit_test(parts_of_a_zip_are_refused),
        cmocka_unit_test(large_numbers_are_read),
        cmocka_unit_test(an_empty_zip64_begins_with_its_end),
        cmocka_unit_test(numbers_that_overflow_are_refused),
        cmocka_unit_test(a_lying_extra_field_is_refused),
        cmocka_unit_test(both_ends_agree),
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
