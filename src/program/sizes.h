/*
 * sizes.h - turns a program and its data files into rows that add up to the files to the byte: what makes them large.
 *
 * No byte of a constant is read, except where constants of equal size may be duplicates, and those once. Of payloads that can
 * be read, the names are that they ask for.
 */
#ifndef ETI_PROGRAM_SIZES_H
#define ETI_PROGRAM_SIZES_H

#include "program/size_users.h"
#include "read/pte/ptd.h"

typedef enum eti_size_category {
    ETI_SIZE_METADATA,      /* the FlatBuffer, without what is stored inline, and with its header */
    ETI_SIZE_CONSTANT,      /* of the constant segment, or stored inline */
    ETI_SIZE_MUTABLE_DATA,  /* initial bytes of planned tensors */
    ETI_SIZE_DELEGATE_BLOB, /* what a delegate was given */
    ETI_SIZE_NAMED_DATA,    /* found by a key, mostly weights of delegates */
    ETI_SIZE_EXTERNAL,      /* in a .ptd */
    ETI_SIZE_TEST_DATA,     /* of a .bpte, around the program */
    ETI_SIZE_PADDING,       /* between segments */
} eti_size_category;

#define ETI_N_SIZE_CATEGORIES (ETI_SIZE_PADDING + 1)

/* Returns the name of a category: "delegate blob". */
const char *eti__size_category_name(eti_size_category category);

typedef struct eti_size_row {
    uint8_t category; /* an eti_size_category */
    uint32_t file;    /* 0: the program's, else 1 + index of the data file */
    bool is_rest;     /* what others left over, between them */
    uint64_t bytes;
    eti_text name;   /* key, id of the backend, name of the tensor; absent: it has none */
    uint32_t number; /* of the constant, the inline payload or the segment; ETI_NO_ROW: of none */
    const eti_pte_tensor *tensor; /* the first that has these bytes; NULL: none */
    const eti_size_use *users;    /* in order, each once */
    uint32_t n_users;
    uint32_t n_methods; /* that have it */
    uint32_t copy_of;   /* the first row with the same bytes; ETI_NO_ROW: there is none before it */
    eti_text data;      /* its bytes; absent of what is left over: it has many places */
} eti_size_row;

typedef struct eti_sizes {
    const eti_size_row *rows; /* in order of the categories, largest first */
    uint32_t n_rows;
    uint64_t file_size; /* of the program's file and all data files: the sum of the rows */
    uint64_t by_category[ETI_N_SIZE_CATEGORIES];
    uint64_t duplicated; /* bytes of rows that are copies */
    uint64_t missing; /* bytes of external weights that no data file given holds, as far as known */
    uint32_t n_missing; /* names of these */
    size_t
        other_data; /* the first data file none of whose names the program asks for; as many as there are: none */
} eti_sizes;

/* Makes the rows of a program with the data files given, or with NULL of data files alone. All lives in `arena` and borrows from the files.
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__sizes_make(eti_sizes *out, eti_arena *arena, const eti_pte *pte,
                           const eti_ptd *data, size_t n_data, eti_error *err) ETI_WARN_UNUSED;

#endif
