/*
 * dump_folder.h - creates the temporary folder of a measurement, and removes those of dead processes.
 *
 * A folder is called etinspect- and 16 hexadecimal digits. Its process holds a lock (flock) on it, as on temporary files:
 * see base/temporary.h.
 */
#ifndef ETI_MEASURE_DUMP_FOLDER_H
#define ETI_MEASURE_DUMP_FOLDER_H

#include <stdbool.h>

/* Returns whether this is a name that measurements give to dumps, such as base-01.etdp. */
bool eti__is_dump_name(const char *name);

/* Creates a folder in `parent` that only this user can read, and removes stale folders there. Returns a descriptor that
 * holds the lock, or -1 with errno set. The caller frees `*path`, which is on the list of leftovers until the caller
 * drops it; it is NULL after a failure. */
int eti__dump_folder_make(char **path, const char *parent);

/* Removes this user's stale folders in `parent`, with the dumps in them; a folder that contains anything else is kept.
 * Examines only the first few thousand entries of a large parent. */
void eti__dump_folder_sweep(const char *parent);

#endif
