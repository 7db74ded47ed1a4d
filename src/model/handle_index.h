/*
 * handle_index.h - finds the nodes of a graph by their debug handles.
 */
#ifndef ETI_MODEL_HANDLE_INDEX_H
#define ETI_MODEL_HANDLE_INDEX_H

#include "etrecord/etrecord.h"

/* A node and its handle. */
typedef struct eti_handle_node {
    int64_t handle;
    uint32_t node;
} eti_handle_node;

/* Starts as all zeros. */
typedef struct eti_handle_index {
    eti_handle_node *nodes; /* sorted, so that the nodes of a handle are adjacent, in graph order */
    size_t n;
} eti_handle_index;

/* Lists the nodes by handle. False: out of memory. The caller frees the index in any case. */
bool eti__handle_index_init(eti_handle_index *index, const eti_graph *graph);
void eti__handle_index_free(eti_handle_index *index);

/* Returns the first position whose handle is not below the given one, or index->n. */
size_t eti__handle_index_first(const eti_handle_index *index, int64_t handle);

#endif
