/*
 * dump_folder.h - makes the temporary folder of a measurement, and removes those of processes that have died.
 *
 * A folder is called etinspect- and 16 hexadecimal digits. Its process holds a lock on it (flock), as on temporary files: see
 * base/files/temporary.h.
 */
#ifndef ETI_MEASURE_DUMP_FOLDER_H
#define ETI_MEASURE_DUMP_FOLDER_H

#include <stdbool.h>

/* Whether it is the name of a dump that a measurement records: base-01.etdp. */
bool eti__is_dump_name(const char *name);

/* Makes a folder in `parent` that only this user can read, and removes stale ones there. Returns a descriptor that holds the lock,
 * or -1 with errno set. The caller frees *path, which is on the list of leftovers until the caller drops it; NULL after a
 * failure. */
int eti__dump_folder_make(char **path, const char *parent);

/* Removes the stale folders of this user in `parent`, with the dumps in them; one that has anything else stays. Of a large
 * parent only the first thousands of entries are looked at. */
void eti__dump_folder_sweep(const char *parent);

#endif
