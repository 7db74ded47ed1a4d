#include "support.h"

#include "base/file_access.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL "system.posix_acl_access"

static char folder[] = "/tmp/etinspect-access-XXXXXX";
static char old_path[64], new_path[64];
static bool refuses_owner, refuses_group, refuses_list;

int fchown(int descriptor, uid_t owner, gid_t group) {
    errno = EPERM;
    if ((refuses_owner && owner != (uid_t)-1) || (refuses_group && group != (gid_t)-1))
        return -1;
    return (int)syscall(SYS_fchown, descriptor, owner, group);
}

int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
    errno = EPERM;
    return refuses_list ? -1 : (int)syscall(SYS_fsetxattr, descriptor, name, value, size, flags);
}

static int make_folder(void **state) {
    (void)state;
    bool done = mkdtemp(folder) != NULL;
    snprintf(old_path, sizeof old_path, "%s/old", folder);
    snprintf(new_path, sizeof new_path, "%s/new", folder);
    return done ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static void make_old(mode_t mode) {
    int descriptor = open(old_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    assert_int_equal(fchmod(descriptor, mode), 0);
    close(descriptor);
}

/* Makes the new file, copies the rights of the old one to it, and returns the resulting status. */
static struct stat copy_access(void) {
    struct stat before, after;
    assert_int_equal(stat(old_path, &before), 0);
    int descriptor = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    eti__file_access_copy(descriptor, old_path, &before);
    assert_int_equal(fstat(descriptor, &after), 0);
    close(descriptor);
    return after;
}

static void remove_files(void) {
    unlink(old_path);
    unlink(new_path);
}

static void mode_is_kept(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0664, 0604, 0755, 0222};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        make_old(modes[i]);
        assert_int_equal(copy_access().st_mode & 07777, modes[i]);
        remove_files();
    }
}

static void special_bits_are_not_kept(void **state) {
    (void)state;
    make_old(06755);
    assert_int_equal(copy_access().st_mode & 07777, 0755);
    remove_files();
}

static void owner_and_group_are_kept(void **state) {
    (void)state;
    make_old(0640);
    if (chown(old_path, 1234, 5678) != 0) { /* only root may do this */
        remove_files();
        skip();
    }
    struct stat found = copy_access();
    assert_int_equal(found.st_uid, 1234);
    assert_int_equal(found.st_gid, 5678);
    assert_int_equal(found.st_mode & 07777, 0640);
    remove_files();
}

static void group_is_kept_where_the_owner_is_not(void **state) {
    (void)state;
    make_old(0660);
    if (chown(old_path, 1234, 5678) != 0) { /* only root may do this */
        remove_files();
        skip();
    }
    refuses_owner = true;
    struct stat found = copy_access();
    refuses_owner = false;
    assert_int_equal(found.st_uid, geteuid());
    assert_int_equal(found.st_gid, 5678);
    assert_int_equal(found.st_mode & 07777, 0660);
    remove_files();
}

/* A file readable by one group must not become readable by another. */
static void another_group_gets_what_all_others_have(void **state) {
    (void)state;
    static const mode_t modes[][2] = {{0640, 0600}, {0664, 0644}, {0604, 0644}, {0770, 0700}};
    refuses_owner = refuses_group = true;
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        make_old(modes[i][0]);
        assert_int_equal(copy_access().st_mode & 07777, modes[i][1]);
        remove_files();
    }
    refuses_owner = refuses_group = false;
}

/* user::rw-, user:1234:rw-, group::---, mask::rw-, other::--- */
static const unsigned char list[] = {
    2, 0,    0,    0,    1,    0,    6,    0, 0xff, 0xff, 0xff, 0xff, 2,    0,    6,
    0, 0xd2, 4,    0,    0,    4,    0,    0, 0,    0xff, 0xff, 0xff, 0xff, 0x10, 0,
    6, 0,    0xff, 0xff, 0xff, 0xff, 0x20, 0, 0,    0,    0xff, 0xff, 0xff, 0xff};

static void access_list_is_kept(void **state) {
    (void)state;
    char found[256];
    make_old(0600);
    if (setxattr(old_path, ACL, list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    assert_int_equal(copy_access().st_mode & 07777, 0660);
    assert_int_equal(getxattr(new_path, ACL, found, sizeof found), sizeof list);
    assert_memory_equal(found, list, sizeof list);
    remove_files();
}

/* The group bits hold the mask of the whole list: without the list they would apply to the group itself. */
static void group_gets_nothing_of_a_list_that_is_lost(void **state) {
    (void)state;
    make_old(0600);
    if (setxattr(old_path, ACL, list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    refuses_list = true;
    assert_int_equal(copy_access().st_mode & 07777, 0600);
    refuses_list = false;
    remove_files();
}

/* The default list of the folder is for new files. */
static void list_of_the_folder_is_not_added(void **state) {
    (void)state;
    char found[256];
    make_old(0640);
    if (setxattr(folder, "system.posix_acl_default", list, sizeof list, 0) != 0) {
        remove_files();
        skip();
    }
    assert_int_equal(copy_access().st_mode & 07777, 0640);
    assert_int_equal(getxattr(new_path, ACL, found, sizeof found), -1);
    assert_int_equal(removexattr(folder, "system.posix_acl_default"), 0);
    remove_files();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_is_kept),
        cmocka_unit_test(special_bits_are_not_kept),
        cmocka_unit_test(owner_and_group_are_kept),
        cmocka_unit_test(group_is_kept_where_the_owner_is_not),
        cmocka_unit_test(another_group_gets_what_all_others_have),
        cmocka_unit_test(access_list_is_kept),
        cmocka_unit_test(group_gets_nothing_of_a_list_that_is_lost),
        cmocka_unit_test(list_of_the_folder_is_not_added),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
