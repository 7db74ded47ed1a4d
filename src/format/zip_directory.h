/*
 * zip_directory.h - checks what a ZIP says about its members before libzip believes it.
 *
 * A ZIP has a header before each member and a directory of them all at its end. libzip believes the
 * directory, so one changed letter in it hides a member from us, and what was lost looks as if it
 * had never been there. And it tries every place near the end that looks like the end of a
 * directory, making room for as many entries as that promises. So both are compared and counted
 * here first. What is in the members is left to libzip and their checksums.
 */
#ifndef ETI_FORMAT_ZIP_DIRECTORY_H
#define ETI_FORMAT_ZIP_DIRECTORY_H

#include "base/file.h"

/* More than any record needs (four for each program and eight besides) and few enough for libzip,
 * whose names can be chosen so that looking one up means comparing it with all others. */
#define ETI_ZIP_MEMBERS 4096
#define ETI_ZIP_NAME_BYTES 1024

/*
 * Sets `n_members`; 0 also when there is no directory, which libzip tells. ETI_ERROR_MALFORMED when
 * there are several directories or one that is not all entries, when a member's two headers name
 * different things, sizes, checksums or methods, when a member does not lie before the directory,
 * when members overlap so much that together they are larger than the file, or when a name holds a
 * NUL. ETI_ERROR_LIMIT above the numbers above.
 */
eti_status eti_zip_directory_check(const struct eti_file *file, uint64_t *n_members,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
