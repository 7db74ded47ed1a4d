/*
 * temporary.h - creates temporary files, which are renamed when they are complete, and removes those of dead processes.
 *
 * A file is called .etinspect- and 16 hexadecimal digits, and lies in the folder of its target. Its process holds a lock
 * (flock) on it: a file without a lock is stale. If the file system has no locks, the name has _ in place of the last -, and
 * no other process removes the file.
 */
#ifndef ETI_BASE_TEMPORARY_H
#define ETI_BASE_TEMPORARY_H

#include <sys/types.h>

/* ==== temporary =============================================================================== */

/* Creates a file beside `target` and removes stale files there. Returns a descriptor for writing, which holds the lock,
 * or -1 with errno set. The caller frees `*path`, which is on the list of leftovers until the caller drops it; it is NULL
 * after a failure. */
int eti__temporary_make(char **path, const char *target, mode_t mode);

/* Removes stale files in a folder: regular files of this user with one link. Examines only the first few thousand entries
 * of a large folder. Links are not followed. */
void eti__temporary_sweep(const char *folder);

/* ---- items of other kinds -------------------------------------------------------------------- */

#define ETI_TEMPORARY_DIGITS                                                                       \
    "0000000000000000" /* placeholder at the end of a name, until random digits replace it */

/* Describes how temporary items of a kind are created and removed. */
typedef struct eti_temporary_kind {
    const char *prefix;                         /* prefix of their names; ends in - */
    int (*make)(const char *path, mode_t mode); /* returns a descriptor, or -1 with errno */
    int (*remove)(const char *path);            /* removes an item that was just created */
    void (*remove_stale)(int folder,
                         const char *name); /* removes an item unless a process has a lock on it */
    void (*add_leftover)(const char *path);
    void (*drop_leftover)(const char *path);
} eti_temporary_kind;

/* Creates an item called `*path`, which must end in the prefix of the kind and ETI_TEMPORARY_DIGITS; random digits
 * replace these. Returns a descriptor as eti__temporary_make() does. */
int eti__temporary_make_kind(char **path, const eti_temporary_kind *kind, mode_t mode);

/* Removes stale items of a kind, as eti__temporary_sweep() does. */
void eti__temporary_sweep_kind(const char *folder, const eti_temporary_kind *kind);

/* ==== leftovers =============================================================================== */
/* Lists the files, folders and processes that must not outlive this process, even if a signal
 * ends it. eti_remove_temporary_files() of etinspect.h removes them.
 *
 * The lists may be used from any thread and from signal handlers. They hold pointers: a path must
 * live until it is removed from its list. A full list accepts no more entries; a signal then
 * leaves the others behind. */

/* Add a path to a list or remove it. Add it before the file or folder is created, because a signal may arrive in between.
 * A folder is removed only if it contains nothing but files of the list. */
void eti__leftover_add_file(const char *path);
void eti__leftover_drop_file(const char *path);
void eti__leftover_add_folder(const char *path);
void eti__leftover_drop_folder(const char *path);

/* Add a child process, which ends soon after SIGTERM, to its list or remove it. */
void eti__leftover_add_process(pid_t process);
void eti__leftover_drop_process(pid_t process);

#endif
