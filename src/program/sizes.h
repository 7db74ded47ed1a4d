/*
 * sizes.h - parts of sizes: names, users, extents and copies of bytes.
 */
#ifndef ETI_PROGRAM_SIZES_H
#define ETI_PROGRAM_SIZES_H

#include "base/arena.h"
#include "base/intern.h"
#include "etinspect.h"
#include "program/program.h"
#include "pte/pte.h"

/* ==== copies ================================================================================== */
/* Finds texts with the same bytes among many, some of them as large as files.
 *
 * Only texts that have the size of another one are read: their beginnings, and the rest if these
 * are equal. */

#define ETI_NO_COPY UINT32_MAX

/* Stores in `copy_of[i]` the first text with the same bytes as text `i`, or ETI_NO_COPY if that is text `i` itself or the
 * text is absent or empty. ETI_ERROR_MEMORY. */
eti_status eti__copies_find(uint32_t *copy_of, const eti_text *texts, size_t n,
                            eti_error *err) ETI_WARN_UNUSED;

/* ==== extents ================================================================================= */
/* Assigns each byte of a file to exactly one of the extents in it.
 *
 * An extent may lie inside another one, its holder, which keeps the bytes that belong to no extent
 * inside it. If two extents of the same holder overlap, the one that begins first gets the shared
 * bytes. */

#define ETI_NO_HOLDER UINT32_MAX

typedef struct eti_extent {
    uint64_t begin, end; /* bytes of the file; those outside the holder are ignored */
    uint32_t holder;     /* index of an earlier extent, or ETI_NO_HOLDER */
    uint64_t bytes;      /* result: number of bytes of its own */
} eti_extent;

/* Computes the bytes of `n` extents; those without a holder must not overlap. The results add up to the size of the
 * extents without a holder. ETI_ERROR_MEMORY. */
eti_status eti__extents_share(eti_extent *extents, size_t n, eti_error *err) ETI_WARN_UNUSED;

/* ==== size users ============================================================================== */

typedef struct eti_row_list {
    uint32_t *rows;
    uint32_t n;
} eti_row_list;

/* Starts as all zeros. */
typedef struct eti_size_users {
    eti_size_use *uses; /* allocated by malloc() */
    size_t n_uses, capacity;
    size_t n_listed; /* number of uses that come from lists */
} eti_size_users;

/* Adds the uses by a method. `value_rows` and `delegate_rows` hold the row of each value and delegate, or ETI_NO_ROW;
 * `delegate_names` holds the rows of the names that each delegate requests. At most a million uses through list items and
 * names are found. ETI_ERROR_MEMORY, ETI_ERROR_LIMIT. */
eti_status eti__size_users_add(eti_size_users *users, eti_arena *scratch, const eti_pte_plan *plan,
                               uint32_t number, const uint32_t *value_rows,
                               const uint32_t *delegate_rows, const eti_row_list *delegate_names,
                               eti_error *err) ETI_WARN_UNUSED;

/* Sorts the uses by row, method and instruction, and removes duplicates. */
void eti__size_users_sort(eti_size_users *users);

void eti__size_users_free(eti_size_users *users);

/* ==== size names ============================================================================== */
/* Finds the bytes that a program requests by name: external tensors, and data that
 * payloads of XNNPACK and Vulkan store separately, in the program's named data or in data files. */

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
