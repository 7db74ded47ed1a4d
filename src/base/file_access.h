/*
 * file_access.h - gives a new file the owner, group, mode and access control list of the file that it will replace.
 */
#ifndef ETI_BASE_FILE_ACCESS_H
#define ETI_BASE_FILE_ACCESS_H

#include <sys/stat.h>

/* Sets what the system allows. Who may not keep the group gives the new one no more than all others have. The set-user-ID,
 * set-group-ID and sticky bits and other extended attributes are not kept. */
void eti__file_access_copy(int descriptor, const char *replaced, const struct stat *status);

#endif
