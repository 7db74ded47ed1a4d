/*
 * leftovers.h - lists of this process: the files, folders and groups of processes that must be gone when it ends, even if a
 * signal ends it. eti_remove_temporary_files() of etinspect.h removes them.
 *
 * The lists are safe to use from any thread and from signal handlers. They hold pointers: a path
 * must live until it is removed from its list. A full list takes no more entries: a signal then
 * leaves the rest behind.
 */
#ifndef ETI_BASE_FILES_LEFTOVERS_H
#define ETI_BASE_FILES_LEFTOVERS_H

#include <sys/types.h>

/* Add a path to a list, before the file or folder is made, because a signal may come in between;
 * remove it from the list. A folder is removed only if it is empty apart from files of the list. */
void eti__leftover_add_file(const char *path);
void eti__leftover_drop_file(const char *path);
void eti__leftover_add_folder(const char *path);
void eti__leftover_drop_folder(const char *path);

/* Add a group of processes, which a signal kills, to its list; remove it from the list. */
void eti__leftover_add_group(pid_t group);
void eti__leftover_drop_group(pid_t group);

#endif
