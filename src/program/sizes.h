/*
 * sizes.h - shows what makes a program and its data files large, in rows that add up to the sizes of the files exactly.
 *
 * No byte of a constant is read, except that constants of equal size, which may be duplicates, are read once. Payloads are
 * read only to find the names that they request.
 */
#ifndef ETI_PROGRAM_SIZES_H
#define ETI_PROGRAM_SIZES_H

#include "base/arena.h"
#include "program/size_users.h"
#include "pte/pte.h"

typedef enum eti_size_category {
    ETI_SIZE_METADATA,      /* the FlatBuffer with its header, without data stored inline */
    ETI_SIZE_CONSTANT,      /* in the constant segment, or stored inline */
    ETI_SIZE_MUTABLE_DATA,  /* initial bytes of planned tensors */
    ETI_SIZE_DELEGATE_BLOB, /* data passed to a delegate */
    ETI_SIZE_NAMED_DATA,    /* data found by a key, mostly weights of delegates */
    ETI_SIZE_EXTERNAL,      /* in a .ptd file */
    ETI_SIZE_TEST_DATA,     /* in a .bpte file, around the program */
    ETI_SIZE_PADDING,       /* between segments */
} eti_size_category;

#define ETI_N_SIZE_CATEGORIES (ETI_SIZE_PADDING + 1)

/* Returns the name of a category, such as "delegate blob". */
const char *eti__size_category_name(eti_size_category category);

typedef struct eti_size_row {
    uint8_t category; /* an eti_size_category */
    uint32_t file;    /* 0: file of the program; otherwise 1 + index of the data file */
    bool is_rest;     /* the bytes between other rows */
    uint64_t bytes;
    eti_text name;   /* key, id of the backend, or name of the tensor; absent if it has none */
    uint32_t number; /* number of the constant, inline payload or segment; ETI_NO_ROW if none */
    const eti_pte_tensor *tensor; /* first tensor with these bytes, or NULL */
    const eti_size_use *users;    /* in order, without duplicates */
    uint32_t n_users;
    uint32_t n_methods; /* number of methods that use it */
    uint32_t copy_of; /* first row with the same bytes, or ETI_NO_ROW if that is this row itself */
    eti_text data;    /* its bytes; absent for remaining bytes, which are in several places */
} eti_size_row;

typedef struct eti_sizes {
    const eti_size_row *rows; /* in order of categories, largest first */
    uint32_t n_rows;
    uint64_t
        file_size; /* total size of the program's file and all data files, which is the sum of the rows */
    uint64_t by_category[ETI_N_SIZE_CATEGORIES];
    uint64_t duplicated;  /* bytes in rows that are copies */
    uint64_t missing;     /* known bytes of external weights that no given data file contains */
    uint32_t n_missing;   /* number of their names */
    const bool *is_other; /* per data file: the program requests none of its names */
} eti_sizes;

/* Makes the rows of a program and the given data files; with NULL, of the data files alone. Everything lives in `arena`
 * and borrows from the files. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__sizes_make(eti_sizes *out, eti_arena *arena, const eti_pte *pte,
                           const eti_ptd *data, size_t n_data, eti_error *err) ETI_WARN_UNUSED;

#endif
