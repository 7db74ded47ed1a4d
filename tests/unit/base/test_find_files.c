/* Finds the files in a folder and below it. */
#include "folder_fixture.h"

#include "base/find_files.h"
#include "base/text.h"

static const char *const suffixes[] = {".etdp", ".gz", NULL};

/* Appends the path below the folder and a space. */
static eti_status add_name(void *context, const char *path, eti_error *err) {
    (void)err;
    assert_memory_equal(path, folder, strlen(folder));
    eti__buffer_printf(context, "%s ", path + strlen(folder) + 1);
    return ETI_OK;
}

static void files_come_in_order(void **state) {
    (void)state;
    static const char *const folders[] = {"b", "a", "a/deep", "a.etdp", ".hidden"};
    static const char *const files[] = {"b/2.etdp", "b/10.etdp", "a/x.gz",    "a/deep/y.etdp",
                                        "a/other",  "z.etdp",    ".etdp",     ".hidden/x.etdp",
                                        "a.etdp/x", "etdp",      "a/deep/.gz"};
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        assert_int_equal(mkdir(in_folder(folders[i]), 0700), 0);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        make_file(files[i]);
    assert_int_equal(symlink("missing", in_folder("broken.etdp")), 0);
    assert_int_equal(symlink("b", in_folder("link.etdp")), 0);
    assert_int_equal(symlink("b/2.etdp", in_folder("to.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_text(eti__buffer_text(&found),
                "a/deep/y.etdp a/x.gz b/10.etdp b/2.etdp broken.etdp to.etdp z.etdp ");
    eti__buffer_free(&found);
    unlink(in_folder("broken.etdp"));
    unlink(in_folder("link.etdp"));
    unlink(in_folder("to.etdp"));
    for (size_t i = 0; i < COUNT_OF(files); i++)
        assert_int_equal(unlink(in_folder(files[i])), 0);
    for (size_t i = COUNT_OF(folders); i > 0; i--)
        if (strcmp(folders[i - 1], "a") != 0)
            assert_int_equal(rmdir(in_folder(folders[i - 1])), 0);
    assert_int_equal(rmdir(in_folder("a")), 0);
}

static void pipes_are_left_out(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    assert_int_equal(mkfifo(in_folder("pipe.etdp"), 0600), 0);
    assert_int_equal(symlink("/dev/zero", in_folder("zero.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_int_equal(found.size, 0);
    unlink(in_folder("pipe.etdp"));
    unlink(in_folder("zero.etdp"));
}

/* The reader of the file reports why it cannot be read. */
static void a_link_to_itself_is_taken(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    assert_int_equal(symlink("self.etdp", in_folder("self.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_text(eti__buffer_text(&found), "self.etdp ");
    eti__buffer_free(&found);
    unlink(in_folder("self.etdp"));
}

/* The names in such a folder can be read, and nothing else. */
static void a_folder_that_may_not_be_searched(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    bool is_root = geteuid() == 0;
    assert_int_equal(mkdir(in_folder("closed"), 0700), 0);
    const char *file = make_file("closed/1.etdp");
    assert_int_equal(chmod(in_folder("closed"), 0444), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    eti_status status = eti__find_files(folder, suffixes, add_name, &found, &err);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_fails(status, ETI_ERROR_READ, "closed/1.etdp: cannot read: Permission denied");
    assert_int_equal(found.size, 0);
    assert_int_equal(chmod(in_folder("closed"), 0700), 0);
    unlink(file);
    assert_int_equal(rmdir(in_folder("closed")), 0);
}

static eti_status refuse(void *context, const char *path, eti_error *err) {
    ++*(size_t *)context;
    return eti_fail(err, ETI_ERROR_DATA, "%s: refused", path);
}

static void the_first_failure_ends_it(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    size_t n = 0;
    const char *paths[] = {make_file("1.etdp"), make_file("2.etdp")};
    assert_fails(eti__find_files(folder, suffixes, refuse, &n, &err), ETI_ERROR_DATA,
                 "1.etdp: refused");
    assert_int_equal(n, 1);
    unlink(paths[0]);
    unlink(paths[1]);
}

static void a_folder_that_is_none(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    const char *file = make_file("1.etdp");
    assert_fails(eti__find_files(in_folder("missing"), suffixes, add_name, &found, &err),
                 ETI_ERROR_READ, "cannot read the folder: No such file or directory");
    assert_fails(eti__find_files(file, suffixes, add_name, &found, &err), ETI_ERROR_READ,
                 "1.etdp: cannot read the folder: Not a directory");
    assert_int_equal(found.size, 0);
    unlink(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_in_order),
        cmocka_unit_test(pipes_are_left_out),
        cmocka_unit_test(a_link_to_itself_is_taken),
        cmocka_unit_test(a_folder_that_may_not_be_searched),
        cmocka_unit_test(the_first_failure_ends_it),
        cmocka_unit_test(a_folder_that_is_none),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
