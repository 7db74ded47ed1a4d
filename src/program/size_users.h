/*
 * size_users.h - finds the instructions that use the bytes of each row in sizes.h.
 */
#ifndef ETI_PROGRAM_SIZE_USERS_H
#define ETI_PROGRAM_SIZE_USERS_H

#include "base/arena.h"
#include "program/calls.h"
#include "pte/pte.h"

#define ETI_NO_ROW UINT32_MAX

/* An instruction that uses bytes. */
typedef struct eti_size_user {
    uint32_t plan;        /* index of the method */
    uint32_t instruction; /* see calls.h */
} eti_size_user;

typedef struct eti_size_use {
    uint32_t row;
    eti_size_user user;
} eti_size_use;

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

#endif
