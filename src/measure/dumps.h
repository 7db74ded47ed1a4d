/*
 * dumps.h - the dumps of a measurement: where each is to be written, and the files that were.
 *
 * They lie in a folder of the user, where they stay, or in a temporary one, from which each is removed once it is open. A
 * signal that ends the program removes the dump that is being written and the temporary folder.
 */
#ifndef ETI_MEASURE_DUMPS_H
#define ETI_MEASURE_DUMPS_H

#include "base/files/file.h"
#include "base/references.h"

typedef enum eti_measured_side {
    ETI_MEASURED_BASE,
    ETI_MEASURED_NEW,
    ETI_N_MEASURED_SIDES,
} eti_measured_side;

/* Dumps of one side, in the order they were recorded. */
typedef struct eti_side_dumps {
    struct eti_file *files;
    size_t n, capacity;
} eti_side_dumps;

typedef struct eti_dumps {
    eti_references references; /* files stay open until the last is dropped */
    char *folder;              /* absolute */
    char *shown_folder;        /* as messages and reports name it, with a slash; "": temporary */
    bool is_temporary;
    bool is_there;  /* the temporary folder */
    int lock;       /* descriptor that holds its lock; -1: none */
    int n_digits;   /* of the numbers in names */
    char *expected; /* path of the dump that is being written; NULL: none */
    eti_side_dumps sides[ETI_N_MEASURED_SIDES];
} eti_dumps;

/* Returns "base" or "new". */
const char *eti__measured_side_name(eti_measured_side side);

/* Makes the folder if it is not there; NULL: makes a temporary one. ETI_ERROR_USAGE: dumps that are not empty are in it;
 * ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
eti_status eti__dumps_open(eti_dumps **out, const char *folder, size_t n_pairs,
                           eti_error *err) ETI_WARN_UNUSED;

/* Sets `expected` to the path of the next dump of a side. ETI_ERROR_MEMORY. */
eti_status eti__dumps_expect(eti_dumps *dumps, eti_measured_side side,
                             eti_error *err) ETI_WARN_UNUSED;
/* Opens the expected dump and adds it to its side. ETI_ERROR_READ: it is missing or empty; ETI_ERROR_DATA: it is a copy of
 * an earlier one; ETI_ERROR_MEMORY. */
eti_status eti__dumps_take(eti_dumps *dumps, eti_measured_side side,
                           eti_error *err) ETI_WARN_UNUSED;
/* Removes the expected dump, if there is one. */
void eti__dumps_discard(eti_dumps *dumps);

/* Returns the bytes of a dump, with its name in messages and reports: "base-01.etdp". */
eti_source eti__dumps_source(const eti_dumps *dumps, eti_measured_side side, size_t i);

/* Returns a reference to the open files. */
eti_kept eti__dumps_keep(const eti_dumps *dumps);
/* Removes the temporary folder with all in it, and drops the owner's reference. NULL is allowed. */
void eti__dumps_close(eti_dumps *dumps);

#endif
