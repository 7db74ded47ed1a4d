/*
 * dumps.h - the dumps of a measurement.
 */
#ifndef ETI_MEASURE_DUMPS_H
#define ETI_MEASURE_DUMPS_H

#include "base/arena.h"
#include "etinspect.h"
#include "measure/measure.h"

#include <stdbool.h>
#include <stdio.h>

/* ==== dumps =================================================================================== */

/* Dumps of one side, in recording order. */
typedef struct eti_side_dumps {
    struct eti_file *files;
    size_t n, capacity;
} eti_side_dumps;

typedef struct eti_dumps {
    eti_references references; /* files are closed when the last reference is dropped */
    char *folder;              /* absolute */
    char *shown_folder;        /* as named in messages and reports, with a slash; "" if temporary */
    bool is_temporary;
    bool is_there;  /* the temporary folder exists */
    int lock;       /* descriptor that holds the folder's lock, or -1 */
    int n_digits;   /* number of digits in names */
    FILE *pairs;    /* pairs.csv in the folder of the user; NULL: not written */
    char *expected; /* path of the dump being written, or NULL */
    eti_side_dumps sides[ETI_N_MEASURED_SIDES];
} eti_dumps;

/* Returns "base" or "new". */
const char *eti__measured_side_name(eti_measured_side side);

/* Creates the folder if it does not exist; NULL: creates a temporary one. With `has_pairs`, the folder gets pairs.csv.
 * ETI_ERROR_USAGE: it contains dumps or pairs that are not empty; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__dumps_open(eti_dumps **out, const char *folder, size_t n_pairs, bool has_pairs,
                           eti_error *err) ETI_WARN_UNUSED;

/* Sets `expected` to the path of a side's next dump. ETI_ERROR_MEMORY. */
eti_status eti__dumps_expect(eti_dumps *dumps, eti_measured_side side,
                             eti_error *err) ETI_WARN_UNUSED;
/* Opens the expected dump and adds it to its side. ETI_ERROR_READ: it is missing or empty; ETI_ERROR_DATA: it is
 * identical to an earlier one; ETI_ERROR_MEMORY. */
eti_status eti__dumps_take(eti_dumps *dumps, eti_measured_side side,
                           eti_error *err) ETI_WARN_UNUSED;
/* Adds a line about the newest dump of a side to pairs.csv, if it is written: whether it is the first or the second process of
 * its pair, when it started, in seconds since 1970, and the load average then; NaN if unknown. ETI_ERROR_WRITE. */
eti_status eti__dumps_add_pair(eti_dumps *dumps, eti_measured_side side, int order, int64_t start,
                               double load, eti_error *err) ETI_WARN_UNUSED;
/* Removes the expected dump, if there is one. */
void eti__dumps_discard(eti_dumps *dumps);

/* Returns the bytes of a dump and its name in messages and reports, such as "base-01.etdp". */
eti_source eti__dumps_source(const eti_dumps *dumps, eti_measured_side side, size_t i);

/* Returns a reference to the open files. */
eti_kept eti__dumps_keep(const eti_dumps *dumps);
/* Removes the temporary folder with its contents, and drops the owner's reference. NULL is allowed. */
void eti__dumps_close(eti_dumps *dumps);

/* ==== dump folder ============================================================================= */
/* Creates the temporary folder of a measurement, and removes those of dead processes.
 *
 * A folder is called etinspect- and 16 hexadecimal digits. Its process holds a lock (flock) on it,
 * as on temporary files: see base/temporary.h. */

/* Returns whether this is a name that measurements give to dumps, such as base-01.etdp. */
bool eti__is_dump_name(const char *name);

/* Creates a folder in `parent` that only this user can read, and removes stale folders there. Returns a descriptor that
 * holds the lock, or -1 with errno set. The caller frees `*path`, which is on the list of leftovers until the caller
 * drops it; it is NULL after a failure. */
int eti__dump_folder_make(char **path, const char *parent);

/* Removes a folder that was made here, with everything in it. */
void eti__dump_folder_remove(const char *path);

/* Removes this user's stale folders in `parent`, with the dumps in them; a folder that contains anything else is kept.
 * Examines only the first few thousand entries of a large parent. */
void eti__dump_folder_sweep(const char *parent);

#endif
