/*
 * folder_lock.h - lets one process at a time change what is in a folder, of those that ask: the lock (flock) does not keep others
 * out, and goes with the process.
 */
#ifndef ETI_BASE_FOLDER_LOCK_H
#define ETI_BASE_FOLDER_LOCK_H

/* Is called once when another process holds the lock for some seconds. */
typedef void (*eti_folder_lock_waits)(const char *path);

/* Waits for the lock of the folder in which the file of `path` is, behind all links. Returns a descriptor that holds it until it
 * is closed; -1 with errno set where the folder cannot be locked. */
int eti__folder_lock(const char *path, eti_folder_lock_waits waits);

#endif
