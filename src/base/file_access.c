#include "base/file_access.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>

#define ACL "system.posix_acl_access"
#define MOST_BYTES 4096 /* about 500 entries */

/* Copies the access control list. A new file may have inherited one from its folder that the old file does not have; it
 * is removed. */
static bool copy_list(int descriptor, const char *replaced) {
    char list[MOST_BYTES];
    ssize_t size = getxattr(replaced, ACL, list, sizeof list);
    if (size >= 0)
        return fsetxattr(descriptor, ACL, list, (size_t)size, 0) == 0;
    if (errno == ENODATA)
        return fremovexattr(descriptor, ACL) == 0 || errno == ENODATA || errno == ENOTSUP;
    return errno == ENOTSUP;
}

#else

static bool copy_list(int descriptor, const char *replaced) {
    (void)descriptor;
    (void)replaced;
    return true;
}

#endif

/* Gives the new group the rights of others, because its members were among the others before. */
static mode_t give_group_the_rights_of_others(mode_t mode) {
    return (mode_t)((mode & 0707) | (mode & 07) << 3);
}

void eti__file_access_copy(int descriptor, const char *replaced, const struct stat *status) {
    mode_t mode = status->st_mode & 0777;
    bool keeps_group = fchown(descriptor, status->st_uid, status->st_gid) == 0 ||
                       fchown(descriptor, (uid_t)-1, status->st_gid) == 0;
    bool keeps_list = copy_list(descriptor, replaced);
    if (!keeps_group || !keeps_list)
        mode = give_group_the_rights_of_others(mode);
    (void)!fchmod(descriptor, mode); /* a file system without modes still accepts the data */
}
