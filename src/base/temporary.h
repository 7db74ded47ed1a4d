/*
 * temporary.h - makes the files that are renamed when they are complete, and removes those of processes that have died.
 *
 * A file is called .etinspect- and 16 hexadecimal digits, and lies in the folder of the file that it will be. While its
 * process lives it holds a lock on it (flock): a file without one is stale. Where the file system has no locks, the name has _ in
 * place of the -, and the file is never removed by another process.
 */
#ifndef ETI_BASE_TEMPORARY_H
#define ETI_BASE_TEMPORARY_H

#include <sys/types.h>

/* Makes a file beside `target` and removes stale ones there. Returns a descriptor for writing, which holds the lock, or -1 with
 * errno set. The caller frees *path, which is on the list of leftovers until the caller drops it; NULL after a failure. */
int eti__temporary_make(char **path, const char *target, mode_t mode);

/* Locks a new file or folder. Returns 0, EWOULDBLOCK if a process that sweeps got hold of it before, or the reason why there are
 * no locks. */
int eti__temporary_lock(int descriptor, const char *path);

/* Removes stale files in a folder: regular files of this user with one link. Of a large folder only the first
 * thousands of entries are looked at. Links are not followed. */
void eti__temporary_sweep(const char *folder);

#endif
