/*
 * file_access.h - gives a new file the owner, group, mode and access control list of the file that it will replace.
 */
#ifndef ETI_BASE_FILE_ACCESS_H
#define ETI_BASE_FILE_ACCESS_H

#include <sys/stat.h>

/* Copies as much as the system allows. If the group cannot be kept, the new group gets the rights of others. The set-user-ID,
 * set-group-ID and sticky bits and other extended attributes are not kept. */
void eti__file_access_copy(int descriptor, const char *replaced, const struct stat *status);

#endif
