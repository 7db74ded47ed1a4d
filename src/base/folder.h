/*
 * folder.h - opens and locks the folder of a file. The lock (flock) lets only one process at a time change the contents of
 * the folder. It does not stop processes that do not request it, and is released when the process ends.
 */
#ifndef ETI_BASE_FOLDER_H
#define ETI_BASE_FOLDER_H

/* Returns a descriptor of the folder in which the file of `path` is or would be, or -1 with errno set. */
int eti__folder_open(const char *path);

/* Called once if another process holds the lock for some seconds. */
typedef void (*eti_folder_lock_waits)(const char *path);

/* Waits for the lock of the folder that contains the file of `path`, after all links are followed. Returns a descriptor
 * that holds the lock until it is closed; -1 with errno set if the folder cannot be locked. */
int eti__folder_lock(const char *path, eti_folder_lock_waits waits);

#endif
