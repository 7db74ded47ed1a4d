/*
 * leftovers.h - lists the files, folders and process groups that must not outlive this process, even if a signal ends it.
 * eti_remove_temporary_files() of etinspect.h removes them.
 *
 * The lists may be used from any thread and from signal handlers. They hold pointers: a path must live until it is removed
 * from its list. A full list accepts no more entries; a signal then leaves the others behind.
 */
#ifndef ETI_BASE_LEFTOVERS_H
#define ETI_BASE_LEFTOVERS_H

#include <sys/types.h>

/* Add a path to a list or remove it. Add it before the file or folder is created, because a signal may arrive in between.
 * A folder is removed only if it contains nothing but files of the list. */
void eti__leftover_add_file(const char *path);
void eti__leftover_drop_file(const char *path);
void eti__leftover_add_folder(const char *path);
void eti__leftover_drop_folder(const char *path);

/* Add a process group, which a signal kills, to its list or remove it. */
void eti__leftover_add_group(pid_t group);
void eti__leftover_drop_group(pid_t group);

#endif
