/*
 * size_names.h - finds the bytes that a program requests by name: external tensors, and data that XNNPACK payloads store
 * separately, in the program's named data or in data files.
 */
#ifndef ETI_PROGRAM_SIZE_NAMES_H
#define ETI_PROGRAM_SIZE_NAMES_H

#include "base/arena.h"
#include "base/intern.h"
#include "program/size_users.h"
#include "pte/pte.h"

typedef struct eti_size_name {
    eti_text key;
    uint32_t row; /* ETI_NO_ROW: no file contains it */
    bool is_asked_for;
} eti_size_name;

/* Names that a payload requests. */
typedef struct eti_size_payload {
    const char *bytes; /* address, which is the key */
    size_t size;
    eti_row_list rows; /* rows of those names that a file contains */
} eti_size_payload;

/* Starts as all zeros, except for `arena` and `n_left`. */
typedef struct eti_size_names {
    eti_arena *arena; /* holds the rows of payloads */
    uint64_t n_left;  /* number of payload bytes that may still be read */
    ETI_INTERN_OF(eti_size_name) names;
    ETI_INTERN_OF(eti_size_payload) payloads;
    bool is_unsure;     /* delegates may request more names than are known */
    uint64_t n_missing; /* known bytes of requested names that no file contains */
} eti_size_names;

/* Records that a row has the bytes of a name, unless another row already does. False: out of memory. */
bool eti__size_names_add(eti_size_names *names, eti_text key, uint32_t row);

/* Requests a name with this number of bytes. `*row` is ETI_NO_ROW if no file contains it. False: out of memory. */
bool eti__size_names_ask(eti_size_names *names, eti_text key, uint64_t n_bytes, uint32_t *row);

/* Requests all names of a delegate. ETI_ERROR_MEMORY. */
eti_status eti__size_names_ask_delegate(eti_size_names *names, const eti_pte_delegate *delegate,
                                        eti_row_list *rows, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the program requests a name. */
bool eti__size_names_is_asked_for(const eti_size_names *names, eti_text key);

/* Returns the number of requested names that no file contains. */
uint32_t eti__size_names_count_missing(const eti_size_names *names);

void eti__size_names_free(eti_size_names *names);

#endif
