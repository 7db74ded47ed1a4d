/*
 * size_names.h - finds the bytes that a program asks for by name: external tensors, and what payloads of XNNPACK keep beside
 * them, which lie in its named data or in data files.
 */
#ifndef ETI_PROGRAM_SIZE_NAMES_H
#define ETI_PROGRAM_SIZE_NAMES_H

#include "base/intern.h"
#include "program/size_users.h"

typedef struct eti_size_name {
    eti_text key;
    uint32_t row; /* ETI_NO_ROW: no file has it */
    bool is_asked_for;
} eti_size_name;

/* Names that a payload requests. */
typedef struct eti_size_payload {
    const char *bytes; /* where it lies: the key */
    size_t size;
    eti_row_list rows; /* of the names that some file has */
} eti_size_payload;

/* Starts as all zeros, except the arena and what there is to read at most. */
typedef struct eti_size_names {
    eti_arena *arena; /* of rows of payloads */
    uint64_t n_left;  /* bytes of payloads */
    ETI_INTERN_OF(eti_size_name) names;
    ETI_INTERN_OF(eti_size_payload) payloads;
    bool is_unsure;     /* delegates may ask for more names than are known */
    uint64_t n_missing; /* bytes of what was asked for, as far as known, and no file has */
} eti_size_names;

/* Records that a row has the bytes of a name, unless another row has. False: out of memory. */
bool eti__size_names_add(eti_size_names *names, eti_text key, uint32_t row);

/* Asks for a name with this number of bytes. `*row` is ETI_NO_ROW where no file has it. False: out of memory. */
bool eti__size_names_ask(eti_size_names *names, eti_text key, uint64_t n_bytes, uint32_t *row);

/* Asks for all names of a delegate. ETI_ERROR_MEMORY. */
eti_status eti__size_names_ask_delegate(eti_size_names *names, const eti_pte_delegate *delegate,
                                        eti_row_list *rows, eti_error *err) ETI_WARN_UNUSED;

/* Whether the program asks for a name. */
bool eti__size_names_is_asked_for(const eti_size_names *names, eti_text key);

/* Number of names that were asked for and no file has. */
uint32_t eti__size_names_count_missing(const eti_size_names *names);

void eti__size_names_free(eti_size_names *names);

#endif
