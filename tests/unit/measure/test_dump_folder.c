#include "temporary_fixture.h"

#include "base/temporary.h"
#include "measure/dump_folder.h"

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

int main(void) {
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
