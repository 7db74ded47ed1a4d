/*
 * dumps.h - the dumps of a measurement: the path for the next one, and the files written so far.
 *
 * They are in a folder of the user, where they remain, or in a temporary one, where each is removed once it is open. A
 * signal that ends the program removes the dump that is being written and the temporary folder.
 */
#ifndef ETI_MEASURE_DUMPS_H
#define ETI_MEASURE_DUMPS_H

#include "base/arena.h"
#include "base/files.h"

typedef enum eti_measured_side {
    ETI_MEASURED_BASE,
    ETI_MEASURED_NEW,
    ETI_N_MEASURED_SIDES,
} eti_measured_side;

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
    char *expected; /* path of the dump being written, or NULL */
    eti_side_dumps sides[ETI_N_MEASURED_SIDES];
} eti_dumps;

/* Returns "base" or "new". */
const char *eti__measured_side_name(eti_measured_side side);

/* Creates the folder if it does not exist; NULL: creates a temporary one. ETI_ERROR_USAGE: it contains dumps that are not
 * empty; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__dumps_open(eti_dumps **out, const char *folder, size_t n_pairs,
                           eti_error *err) ETI_WARN_UNUSED;

/* Sets `expected` to the path of a side's next dump. ETI_ERROR_MEMORY. */
eti_status eti__dumps_expect(eti_dumps *dumps, eti_measured_side side,
                             eti_error *err) ETI_WARN_UNUSED;
/* Opens the expected dump and adds it to its side. ETI_ERROR_READ: it is missing or empty; ETI_ERROR_DATA: it is
 * identical to an earlier one; ETI_ERROR_MEMORY. */
eti_status eti__dumps_take(eti_dumps *dumps, eti_measured_side side,
                           eti_error *err) ETI_WARN_UNUSED;
/* Removes the expected dump, if there is one. */
void eti__dumps_discard(eti_dumps *dumps);

/* Returns the bytes of a dump and its name in messages and reports, such as "base-01.etdp". */
eti_source eti__dumps_source(const eti_dumps *dumps, eti_measured_side side, size_t i);

/* Returns a reference to the open files. */
eti_kept eti__dumps_keep(const eti_dumps *dumps);
/* Removes the temporary folder with its contents, and drops the owner's reference. NULL is allowed. */
void eti__dumps_close(eti_dumps *dumps);

#endif
