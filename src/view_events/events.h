/*
 * events.h - turns EventBlocks into the Inspector's own table.
 */
#ifndef ETI_VIEW_EVENTS_EVENTS_H
#define ETI_VIEW_EVENTS_EVENTS_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "view_events/view_events.h"

#include <pthread.h>
#include <stdatomic.h>

/* ==== events ================================================================================== */

/* Return and check the limit of rows that are never all in memory: at least 256 MiB, so that ordinary profiles of networks
 * with repeated operators have rows. */
uint64_t eti__view_most_streamed_text(const eti_inspector *inspector);
eti_status eti__view_check_streamed_text(const eti_inspector *inspector, uint64_t n_bytes,
                                         eti_error *err) ETI_WARN_UNUSED;

/* ==== event columns =========================================================================== */

bool eti__set_event_module(void *row, eti_cell *cell);
bool eti__set_event_source(void *row, eti_cell *cell);

/* ==== event extras ============================================================================ */

/* Starts without data; NULL: out of memory. */
eti_event_extras *eti__event_extras_new(const eti_inspector *inspector);
/* Frees the extras; NULL is allowed. */
void eti__event_extras_free(eti_event_extras *extras);

/* Finds the backend that ran an event, see eti__account_backend(). False: out of memory. */
bool eti__event_extras_backend(eti_event_extras *extras, const eti_event *event, eti_text *out);

/* ==== op lists ================================================================================ */

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

/* Appends the text that the Inspector prints for a list: of five or more, the first two, the last and the number. */
void eti__op_list_add_text(eti_buffer *out, const eti_text *op_types, size_t n);
/* Returns the number of bytes of the names in that text. */
uint64_t eti__op_list_text_size(const eti_text *op_types, size_t n);

#endif
