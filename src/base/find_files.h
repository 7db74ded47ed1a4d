/*
 * find_files.h - finds the files in a folder and in all folders below it.
 */
#ifndef ETI_BASE_FIND_FILES_H
#define ETI_BASE_FIND_FILES_H

#include "base/status.h"

/* Receives the path of a file, which is valid during the call. */
typedef eti_status (*eti_file_function)(void *context, const char *path, eti_error *err);

/* Calls `take` for each file whose name ends with one of `suffixes` (terminated by NULL), in bytewise order of names: the
 * files and folders of a folder are sorted together. Names that begin with a dot, pipes and devices are skipped, and
 * links to folders are not followed; links to nothing are passed on. ETI_ERROR_READ: a folder cannot be read or searched;
 * ETI_ERROR_LIMIT: folders are more than 64 deep; ETI_ERROR_MEMORY; or the status with which `take` fails. */
eti_status eti__find_files(const char *folder, const char *const *suffixes, eti_file_function take,
                           void *context, eti_error *err) ETI_WARN_UNUSED;

#endif
