#include "support.h"

#include "temporary_fixture.h"

#include "base/arena.h"
#include "base/temporary.h"
#include "measure/parts.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== dumps =================================================================================== */

static eti_error err = ETI_ERROR_INIT;
static char dump_folder[] = "/tmp/etinspect-dumps-XXXXXX";

static int make_dump_folder(void **state) {
    (void)state;
    if (!mkdtemp(dump_folder) || chdir(dump_folder) != 0)
        return -1;
    return setenv("TMPDIR", dump_folder, 1);
}

static int remove_dump_folder(void **state) {
    (void)state;
    return chdir("/") != 0 || rmdir(dump_folder) != 0;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool dump_is_there(const char *path) {
    return access(path, F_OK) == 0;
}

/* Returns the number of entries in the folder that all tests share. */
static size_t count_entries(void) {
    DIR *directory = opendir(dump_folder);
    size_t n = 0;
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2;
}

static eti_dumps *open_dumps(const char *path, size_t n_pairs) {
    eti_dumps *dumps;
    assert_ok(eti__dumps_open(&dumps, path, n_pairs, false, &err));
    return dumps;
}

static void record(eti_dumps *dumps, eti_measured_side side, const char *text) {
    assert_ok(eti__dumps_expect(dumps, side, &err));
    write_file(dumps->expected, text);
    assert_ok(eti__dumps_take(dumps, side, &err));
}

static void check_source(const eti_dumps *dumps, eti_measured_side side, size_t i, const char *name,
                         const char *text) {
    const eti_source source = eti__dumps_source(dumps, side, i);
    assert_string_equal(source.path, name);
    assert_int_equal(source.size, strlen(text));
    assert_memory_equal(source.data, text, source.size);
}

/* ---- temporary folders ----------------------------------------------------------------------- */

static void temporary_dumps_go_once_they_are_open(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 20);
    assert_int_equal(count_entries(), 1);
    record(dumps, ETI_MEASURED_BASE, "one");
    record(dumps, ETI_MEASURED_NEW, "two");
    record(dumps, ETI_MEASURED_BASE, "three");
    assert_int_equal(rmdir(dumps->folder), 0); /* it is empty */
    check_source(dumps, ETI_MEASURED_BASE, 0, "base-01.etdp", "one");
    check_source(dumps, ETI_MEASURED_BASE, 1, "base-02.etdp", "three");
    check_source(dumps, ETI_MEASURED_NEW, 0, "new-01.etdp", "two");
    eti__dumps_close(dumps);
    assert_int_equal(count_entries(), 0);
}

static void temporary_folder_is_private(void **state) {
    (void)state;
    struct stat status;
    eti_dumps *dumps = open_dumps(NULL, 20);
    assert_int_equal(stat(dumps->folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    eti__dumps_close(dumps);
}

static void files_left_by_commands_are_removed(void **state) {
    (void)state;
    char path[512];
    eti_dumps *dumps = open_dumps(NULL, 20);
    snprintf(path, sizeof path, "%s/log", dumps->folder);
    write_file(path, "log");
    snprintf(path, sizeof path, "%s/deeper", dumps->folder);
    mkdir(path, 0777);
    eti__dumps_close(dumps);
    assert_int_equal(count_entries(), 0);
}

static void dumps_outlive_their_owner(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 20);
    record(dumps, ETI_MEASURED_NEW, "one");
    const eti_kept kept = eti__dumps_keep(dumps);
    eti__dumps_close(dumps);
    check_source(dumps, ETI_MEASURED_NEW, 0, "new-01.etdp", "one");
    eti__kept_drop(&kept);
}

static void signal_leaves_nothing(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 20);
    assert_ok(eti__dumps_expect(dumps, ETI_MEASURED_NEW, &err));
    write_file(dumps->expected, "half");
    eti_remove_temporary_files();
    assert_int_equal(count_entries(), 0);
    eti__dumps_close(dumps);
}

/* A large dump is mapped, and the mapping has the displayed name, too. */
static void large_dump_is_mapped_under_its_name(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 20);
    assert_ok(eti__dumps_expect(dumps, ETI_MEASURED_NEW, &err));
    write_file(dumps->expected, "large");
    assert_int_equal(truncate(dumps->expected, 64 << 20), 0);
    assert_ok(eti__dumps_take(dumps, ETI_MEASURED_NEW, &err));
    const struct eti_file *file = &dumps->sides[ETI_MEASURED_NEW].files[0];
    assert_non_null(file->mapping);
    assert_string_equal(eti_mapped_file_name(file->data), "new-01.etdp");
    eti__dumps_close(dumps);
}

/* ---- user folders ---------------------------------------------------------------------------- */

static void dumps_stay_in_the_folder_of_the_user(void **state) {
    (void)state;
    char expected[512];
    eti_dumps *dumps = open_dumps("kept", 20);
    assert_ok(eti__dumps_expect(dumps, ETI_MEASURED_NEW, &err));
    snprintf(expected, sizeof expected, "%s/kept/new-01.etdp", dump_folder);
    assert_string_equal(dumps->expected, expected);
    eti__dumps_discard(dumps);
    record(dumps, ETI_MEASURED_NEW, "one");
    check_source(dumps, ETI_MEASURED_NEW, 0, "kept/new-01.etdp", "one");
    eti__dumps_close(dumps);
    assert_true(dump_is_there("kept/new-01.etdp"));
    unlink("kept/new-01.etdp");
    rmdir("kept");
}

static void slash_at_the_end_is_no_other_folder(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps("kept//", 100);
    record(dumps, ETI_MEASURED_BASE, "one");
    check_source(dumps, ETI_MEASURED_BASE, 0, "kept/base-001.etdp", "one");
    eti__dumps_close(dumps);
    unlink("kept/base-001.etdp");
    rmdir("kept");
}

static void dumps_of_somebody_are_not_replaced(void **state) {
    (void)state;
    eti_dumps *dumps;
    mkdir("kept", 0777);
    write_file("kept/base-17.etdp", "old");
    assert_fails(eti__dumps_open(&dumps, "kept", 5, false, &err), ETI_ERROR_USAGE,
                 "output_dir: kept already has files of a measurement, such as base-17.etdp");
    write_file("kept/base-17.etdp", ""); /* an empty file may be overwritten */
    write_file("kept/notes.etdp", "other");
    eti__dumps_close(open_dumps("kept", 5));
    assert_true(dump_is_there("kept/notes.etdp"));
    unlink("kept/notes.etdp");
    unlink("kept/base-17.etdp");
    rmdir("kept");
}

/* The pairs of an earlier measurement are not mixed with new ones, either. */
static void pairs_are_listed_beside_the_dumps(void **state) {
    (void)state;
    eti_dumps *dumps, *other;
    char text[256];
    assert_ok(eti__dumps_open(&dumps, "kept", 5, true, &err));
    record(dumps, ETI_MEASURED_NEW, "one");
    assert_ok(eti__dumps_add_pair(dumps, ETI_MEASURED_NEW, 1, 1796000000, 0.4, &err));
    record(dumps, ETI_MEASURED_BASE, "two");
    assert_ok(eti__dumps_add_pair(dumps, ETI_MEASURED_BASE, 2, 1796000009, (double)NAN, &err));
    FILE *file = fopen("kept/pairs.csv", "r"); /* each line is complete at once */
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "pair,side,order,file,start,load_average\n"
                              "1,new,1,new-01.etdp,1796000000,0.40\n"
                              "1,base,2,base-01.etdp,1796000009,\n");
    eti__dumps_close(dumps);
    unlink("kept/new-01.etdp");
    unlink("kept/base-01.etdp");
    assert_fails(eti__dumps_open(&other, "kept", 5, true, &err), ETI_ERROR_USAGE,
                 "such as pairs.csv");
    unlink("kept/pairs.csv");
    rmdir("kept");
}

static void folder_that_cannot_be_is_refused(void **state) {
    (void)state;
    eti_dumps *dumps;
    write_file("file", "text");
    assert_fails(eti__dumps_open(&dumps, "file", 5, false, &err), ETI_ERROR_WRITE,
                 "file: cannot keep");
    assert_fails(eti__dumps_open(&dumps, "no/such", 5, false, &err), ETI_ERROR_WRITE,
                 "no/such: cannot keep dumps there: No such file or directory");
    assert_fails(eti__dumps_open(&dumps, "", 5, false, &err), ETI_ERROR_USAGE,
                 "output_dir: the path");
    unlink("file");
}

/* ---- invalid dumps --------------------------------------------------------------------------- */

static void missing_and_empty_dumps_are_refused(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 5);
    assert_ok(eti__dumps_expect(dumps, ETI_MEASURED_NEW, &err));
    assert_fails(eti__dumps_take(dumps, ETI_MEASURED_NEW, &err), ETI_ERROR_READ,
                 "no dump, or an empty one, was written to the path");
    write_file(dumps->expected, "");
    assert_fails(eti__dumps_take(dumps, ETI_MEASURED_NEW, &err), ETI_ERROR_READ,
                 "no dump, or an empty one, was written to the path");
    assert_int_equal(dumps->sides[ETI_MEASURED_NEW].n, 0);
    eti__dumps_close(dumps);
}

static void copy_of_an_earlier_dump_is_refused(void **state) {
    (void)state;
    eti_dumps *dumps = open_dumps(NULL, 5);
    record(dumps, ETI_MEASURED_BASE, "one");
    record(dumps, ETI_MEASURED_BASE, "two");
    assert_ok(eti__dumps_expect(dumps, ETI_MEASURED_NEW, &err));
    write_file(dumps->expected, "two");
    assert_fails(eti__dumps_take(dumps, ETI_MEASURED_NEW, &err), ETI_ERROR_DATA,
                 "base-02.etdp and new-01.etdp are identical");
    write_file(dumps->expected, "tw"); /* a truncated dump */
    assert_ok(eti__dumps_take(dumps, ETI_MEASURED_NEW, &err));
    eti__dumps_close(dumps);
}

/* ==== dump folder ============================================================================= */

static int make_temporary(char **path) {
    return eti__dump_folder_make(path, folder);
}

static void stale_folders_are_swept_with_their_dumps(void **state) {
    (void)state;
    const char *path = in_folder("etinspect-0123456789abcdef");
    assert_int_equal(mkdir(path, 0700), 0);
    make_file("etinspect-0123456789abcdef/base-01.etdp");
    make_file("etinspect-0123456789abcdef/new-002.etdp");
    eti__dump_folder_sweep(folder);
    assert_false(is_there(path));
}

static void files_other_than_dumps_stay(void **state) {
    (void)state;
    const char *path = in_folder("etinspect-0123456789abcdef"),
               *own = in_folder("etinspect-0123456789abcdef/own.etdp");
    assert_int_equal(mkdir(path, 0700), 0);
    make_file("etinspect-0123456789abcdef/own.etdp");
    eti__dump_folder_sweep(folder);
    assert_true(is_there(own));
    unlink(own);
    rmdir(path);
}

static void folders_of_others_stay(void **state) {
    (void)state;
    static const char *const names[] = {"etinspect-", "etinspect-0123456789abcde",
                                        "etinspect-0123456789abcdef0", "etinspect_0123456789abcdef",
                                        "etinspect-dumps-XyZabc"};
    const char *link = in_folder("etinspect-00000000000000aa");
    assert_int_equal(symlink(names[4], link), 0);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(mkdir(in_folder(names[i]), 0700), 0);
    make_file("etinspect-dumps-XyZabc/new-1.etdp");
    eti__dump_folder_sweep(folder);
    assert_true(is_there(in_folder("etinspect-00000000000000aa")));
    assert_int_equal(unlink(in_folder("etinspect-dumps-XyZabc/new-1.etdp")), 0);
    unlink(in_folder("etinspect-00000000000000aa"));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(rmdir(in_folder(names[i])), 0);
}

/* The sweep removes it as soon as its process is dead. */
static void folder_of_a_live_process_stays(void **state) {
    (void)state;
    check_life(make_temporary, eti__dump_folder_sweep);
}

static void folder_without_a_lock_is_never_swept(void **state) {
    (void)state;
    char *path;
    reason_of_flock = ENOLCK;
    int descriptor = make_temporary(&path);
    reason_of_flock = 0;
    assert_true(descriptor >= 0);
    assert_non_null(strstr(path, "/etinspect_"));
    eti__dump_folder_sweep(folder);
    assert_true(is_there(path));
    eti__leftover_drop_folder(path);
    rmdir(path);
    free(path);
    close(descriptor);
}

static void names_of_dumps_are_known(void **state) {
    (void)state;
    assert_true(eti__is_dump_name("base-01.etdp"));
    assert_true(eti__is_dump_name("new-7.etdp"));
    assert_false(eti__is_dump_name("new-.etdp"));
    assert_false(eti__is_dump_name("base-01.etdp.gz"));
}

static int run_dumps(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_dumps_go_once_they_are_open),
        cmocka_unit_test(temporary_folder_is_private),
        cmocka_unit_test(files_left_by_commands_are_removed),
        cmocka_unit_test(dumps_outlive_their_owner),
        cmocka_unit_test(signal_leaves_nothing),
        cmocka_unit_test(large_dump_is_mapped_under_its_name),
        cmocka_unit_test(dumps_stay_in_the_folder_of_the_user),
        cmocka_unit_test(slash_at_the_end_is_no_other_folder),
        cmocka_unit_test(dumps_of_somebody_are_not_replaced),
        cmocka_unit_test(pairs_are_listed_beside_the_dumps),
        cmocka_unit_test(folder_that_cannot_be_is_refused),
        cmocka_unit_test(missing_and_empty_dumps_are_refused),
        cmocka_unit_test(copy_of_an_earlier_dump_is_refused),
    };
    return cmocka_run_group_tests(tests, make_dump_folder, remove_dump_folder);
}

static int run_dump_folder(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_folders_are_swept_with_their_dumps),
        cmocka_unit_test(files_other_than_dumps_stay),
        cmocka_unit_test(folders_of_others_stay),
        cmocka_unit_test(folder_of_a_live_process_stays),
        cmocka_unit_test(folder_without_a_lock_is_never_swept),
        cmocka_unit_test(names_of_dumps_are_known),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

int main(void) {
    return run_dumps() + run_dump_folder();
}
