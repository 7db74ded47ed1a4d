#include "support.h"

#include "damage.h"

#include "journal_fixture.h"

#include <zlib.h>

/* ==== gzip ==================================================================================== */

static uint8_t packed[1 << 20];

/* Compresses bytes with zlib's own writer; returns the size. */
static size_t pack(const void *bytes, size_t size, uint8_t *out, size_t room) {
    z_stream stream = {.next_in = (uint8_t *)(uintptr_t)bytes,
                       .avail_in = (unsigned)size,
                       .next_out = out,
                       .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return room - stream.avail_out;
}

static eti_status open_packed(struct eti_file *out, size_t size, eti_error *err) {
    return eti__input_open(out, &(eti_source){"x.gz", packed, size}, ETI_FILE_UNKNOWN, err);
}

static void packed_values_come_out(void **state) {
    (void)state;
    static const char text[] = "what was packed";
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(open_packed(&file, pack(text, sizeof text, packed, sizeof packed), &err));
    assert_int_equal(file.size, sizeof text);
    assert_memory_equal(file.data, text, sizeof text);
    assert_string_equal(file.name, "x.gz");
    eti__file_release(&file);
}

/* Like cat a.gz b.gz, concatenated files form one gzip file. */
static void members_follow_each_other(void **state) {
    (void)state;
    size_t first = pack("one ", 4, packed, sizeof packed);
    size_t second = pack("two", 3, packed + first, sizeof packed - first);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(open_packed(&file, first + second, &err));
    assert_int_equal(file.size, 7);
    assert_memory_equal(file.data, "one two", 7);
    eti__file_release(&file);
}

static void every_cut_is_refused(void **state) {
    (void)state;
    size_t size = pack("0123456789 abcdefghijk", 22, packed, sizeof packed);
    for (size_t cut = 18; cut < size; cut++) {
        struct eti_file file;
        eti_error err = ETI_ERROR_INIT;
        assert_int_equal(open_packed(&file, cut, &err), ETI_ERROR_MALFORMED);
        assert_string_equal(err.message, "x.gz: the gzip file was cut short");
    }
}

/* The header, and the bytes after the last code, have bits without a meaning. */
static void no_flip_changes_what_comes_out(void **state) {
    (void)state;
    static const char text[] = "0123456789 abcdefghijk";
    size_t size = pack(text, sizeof text, packed, sizeof packed), n_refused = 0;
    for (size_t bit = 10 * 8; bit < size * 8; bit++) {
        struct eti_file file;
        eti_error err = ETI_ERROR_INIT;
        packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        eti_status status = open_packed(&file, size, &err);
        packed[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (status == ETI_OK) {
            assert_int_equal(file.size, sizeof text);
            assert_memory_equal(file.data, text, sizeof text);
            eti__file_release(&file);
        } else {
            assert_int_equal(status, ETI_ERROR_MALFORMED);
            n_refused++;
        }
    }
    assert_true(n_refused > (size - 10) * 8 - 8);
}

static void a_bomb_is_refused(void **state) {
    (void)state;
    const size_t size = (size_t)4 << 20;
    void *zeros = calloc(1, size);
    assert_non_null(zeros);
    size_t n = pack(zeros, size, packed, sizeof packed);
    free(zeros);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(open_packed(&file, n, &err), ETI_ERROR_LIMIT);
    assert_non_null(strstr(err.message, "x.gz: the gzip file holds more than "));
}

static void as_much_as_allowed_is_not(void **state) {
    (void)state;
    const size_t size = (size_t)256 << 10; /* and 64 times the compressed size */
    void *zeros = calloc(1, size);
    assert_non_null(zeros);
    size_t n = pack(zeros, size, packed, sizeof packed);
    free(zeros);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(open_packed(&file, n, &err));
    assert_int_equal(file.size, size);
    eti__file_release(&file);
}

/* The bytes of a tensor may begin like a gzip file. */
static void a_debug_buffer_may_be_anything(void **state) {
    (void)state;
    size_t size = pack("0123456789 abcdefghijk", 22, packed, sizeof packed);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    const eti_source whole = {"x.bin", packed, size}, cut = {"x.bin", packed, size - 1};
    assert_ok(eti__input_open_debug_buffer(&file, &whole, &err));
    assert_int_equal(file.size, 22);
    eti__file_release(&file);
    assert_ok(eti__input_open_debug_buffer(&file, &cut, &err));
    assert_int_equal(file.size, size - 1);
    assert_ptr_equal(file.data, packed);
    eti__file_release(&file);
}

/* ==== journal ================================================================================= */

static uint8_t *make_journal(size_t *size, unsigned n_runs) {
    etc_config config = make_config();
    etc_capture *c = open_journal("journal", 2048, &config);
    for (unsigned i = 0; i < n_runs; i++)
        add_numbered_run(c, i + 1);
    etc_run(c, "Execute");
    add_event(c, "open");
    etc_close(c);
    return read_whole_file(in_folder("journal"), size);
}

static void a_journal_is_recognized_by_its_first_bytes(void **state) {
    (void)state;
    size_t size;
    uint8_t *journal = make_journal(&size, 1);
    assert_int_equal(eti_file_kind_of(journal, size), ETI_FILE_JOURNAL);
    assert_int_equal(eti_file_kind_of(journal, 8), ETI_FILE_JOURNAL);
    assert_int_equal(eti_file_kind_of(journal, 7), ETI_FILE_UNKNOWN);
    assert_non_null(eti_file_kind_text(ETI_FILE_JOURNAL));
    journal[0] ^= 1;
    assert_int_equal(eti_file_kind_of(journal, size), ETI_FILE_UNKNOWN);
    free(journal);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

/* Opens the journal from a path, from bytes, and from an opened file. */
static void it_is_opened_as_an_etdump(void **state) {
    (void)state;
    size_t size;
    eti_error err = ETI_ERROR_INIT;
    uint8_t *journal = make_journal(&size, 3);
    const eti_source sources[] = {{in_folder("journal"), NULL, 0}, {"bytes", journal, size}};
    for (size_t i = 0; i < 2; i++) {
        struct eti_file file;
        eti_etdump dump;
        assert_ok(eti__input_open(&file, &sources[i], ETI_FILE_ETDUMP, &err));
        assert_int_equal(eti_file_kind_of(file.data, file.size), ETI_FILE_ETDUMP);
        assert_int_equal(file.kind, ETI_FILE_ETDUMP);
        assert_int_equal(file.packing, ETI_FROM_JOURNAL);
        assert_ok(eti__etdump_open(&dump, &file, 1, &err));
        assert_int_equal(dump.runs.count, 3);
        eti__file_release(&file);
    }
    eti_file *file;
    assert_ok(eti_file_open_as(&file, in_folder("journal"), ETI_FILE_UNKNOWN, &err));
    const eti_source as_dump = eti_file_source(file);
    assert_int_equal(eti_file_kind_of(as_dump.data, as_dump.size), ETI_FILE_ETDUMP);
    eti_file_close(file);
    assert_ok(eti_file_open(&file, in_folder("journal"), &err));
    const eti_source as_it_is = eti_file_source(file);
    assert_int_equal(as_it_is.size, size);
    assert_memory_equal(as_it_is.data, journal, size);
    eti_file_close(file);
    free(journal);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

static void assert_refused(const eti_source *source, const char *expected) {
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__input_open(&file, source, ETI_FILE_ETDUMP, &err), ETI_ERROR_MALFORMED);
    assert_non_null(strstr(err.message, expected));
}

static void invalid_files_are_refused(void **state) {
    (void)state;
    size_t size;
    uint8_t *journal = make_journal(&size, 0);
    eti_source bytes = {"bytes", journal, size};
    assert_refused(&bytes, "this journal contains no complete run");
    bytes.size--;
    assert_refused(&bytes, "truncated or damaged");
    journal[12] = 99; /* the version */
    assert_refused(&bytes, "another version");
    free(journal);
    assert_int_equal(unlink(in_folder("journal")), 0);

    etc_capture *c = open_journal("journal", 2048, NULL);
    add_numbered_run(c, 1);
    assert_refused(&(eti_source){in_folder("journal"), NULL, 0}, "is still recording");
    etc_close(c);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

/* The journal is either rejected, or is an ETDump that its reader accepts. */
static void try_input(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    counts->tried++;
    eti_status status =
        eti__input_open(&file, &(eti_source){"bytes", data, size}, ETI_FILE_ETDUMP, &err);
    if (status == ETI_OK) {
        eti_etdump dump;
        counts->same++;
        if (file.packing == ETI_FROM_JOURNAL)
            assert_ok(eti__etdump_open(&dump, &file, 1, &err));
        eti__file_release(&file);
    } else {
        counts->refused[status]++;
    }
}

static void damaged_journals(void **state) {
    (void)state;
    damage_counts counts = {0};
    size_t size;
    uint8_t *journal = make_journal(&size, 5);
    prepare_for_many_readings();
    cut_everywhere(journal, size, try_input, &counts);
    flip_everywhere(journal, size, try_input, &counts);
    assert_true(counts.same > 0 && counts.refused[ETI_ERROR_MALFORMED] > 0);
    free(journal);
    assert_int_equal(unlink(in_folder("journal")), 0);
}

static int run_journal(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_is_recognized_by_its_first_bytes),
        cmocka_unit_test(it_is_opened_as_an_etdump),
        cmocka_unit_test(invalid_files_are_refused),
        cmocka_unit_test(damaged_journals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_values_come_out),
        cmocka_unit_test(members_follow_each_other),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(no_flip_changes_what_comes_out),
        cmocka_unit_test(a_bomb_is_refused),
        cmocka_unit_test(as_much_as_allowed_is_not),
        cmocka_unit_test(a_debug_buffer_may_be_anything),
    };
    return run_journal() + cmocka_run_group_tests(tests, NULL, NULL);
}
