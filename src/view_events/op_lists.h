/*
 * op_lists.h - the lists of operators and debug handles that rows of Events repeat.
 *
 * Events share lists: all kernels of an unrolled loop have the operators of all its steps. So a long list has each operator
 * once, and lists that would still make the rows much longer than the inputs have no place in them.
 */
#ifndef ETI_VIEW_EVENTS_OP_LISTS_H
#define ETI_VIEW_EVENTS_OP_LISTS_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "model/model.h"

#define ETI_LIST_ITEM_BYTES 16 /* approximately, of an item's quotes and commas, or of a number */

/* A list of operators without repetition. */
typedef struct eti_distinct_ops {
    const eti_text *of; /* the key, with `n_of`: the list with repetitions */
    size_t n_of;
    const eti_text *op_types;
    size_t n;
} eti_distinct_ops;

/* Starts as all zeros. */
typedef struct eti_op_lists {
    ETI_INTERN_OF(eti_distinct_ops) distinct; /* of the lists with more than 32 operators */
    eti_arena arena;
} eti_op_lists;

/* Makes the list that rows of Events with this record show. False: out of memory. */
bool eti__op_lists_add(eti_op_lists *lists, const eti_event_record *record) ETI_WARN_UNUSED;
/* Returns that list: one of more than 32 operators has each operator once, if the record was added. Sets `*n`. */
const eti_text *eti__op_lists_of(const eti_op_lists *lists, const eti_event_record *record,
                                 size_t *n);
void eti__op_lists_free(eti_op_lists *lists);

/* Returns the approximate number of bytes of a list in a row; stops counting above `most`. */
uint64_t eti__op_list_size(const eti_text *op_types, size_t n, uint64_t most);

/* Appends the text that the Inspector prints for a list: of five or more, the first two, the last and the number. */
void eti__op_list_add_text(eti_buffer *out, const eti_text *op_types, size_t n);
/* Returns the number of bytes of the names in that text. */
uint64_t eti__op_list_text_size(const eti_text *op_types, size_t n);

#endif
