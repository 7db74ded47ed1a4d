#include "read/input.h"

#include "damage.h"
#include "journal_fixture.h"

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
    journal[12]++;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_is_recognized_by_its_first_bytes),
        cmocka_unit_test(it_is_opened_as_an_etdump),
        cmocka_unit_test(invalid_files_are_refused),
        cmocka_unit_test(damaged_journals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
