/*
 * record.h - an ETRecord that is opened once, for one inspector or many: its maps, and the graphs that inspectors request,
 * each of which is read only once.
 *
 * Several threads may request graphs at the same time. Returned data never changes and lives as long as the record.
 */
#ifndef ETI_MODEL_RECORD_H
#define ETI_MODEL_RECORD_H

#include "base/arena.h"
#include "base/files.h"
#include "etrecord/etrecord.h"
#include "tensors/tensors.h"

#include <pthread.h>

/* The ways to read a graph. */
typedef enum eti_graph_reading {
    ETI_READ_EDGE,     /* of a method */
    ETI_READ_LOWERED,  /* of a method, with lowered modules */
    ETI_READ_REFERENCE /* known to the Inspector by its name */
} eti_graph_reading;

typedef struct eti_read_graph {
    eti_graph_reading reading;
    size_t method;
    const char *name; /* of a reference graph */
    eti_graph graph;
} eti_read_graph;

struct eti_record {
    eti_references references;
    void (*on_free)(void *context); /* see eti_record_on_free() */
    void *on_free_context;
    eti_arena arena; /* holds everything that is read */
    struct eti_file file;
    eti_etrecord *maps;
    pthread_mutex_t reading; /* locks the members below, and the arena */
    eti_read_graph *graphs;
    size_t n_graphs, graph_capacity;
    bool are_outputs_read;
    const eti_saved_value *reference_outputs;
};

/* Returns the record with one more reference, which eti_record_close() drops. */
eti_record *eti__record_keep(eti_record *record);

/* Returns a graph as eti__etrecord_read_graph(), _read_lowered() or _read_reference_graph() reads it; `name` is that of a
 * reference graph, or NULL. */
eti_status eti__record_graph(eti_record *record, eti_graph_reading reading, size_t method,
                             const char *name, eti_graph *out, eti_error *err) ETI_WARN_UNUSED;

/* Returns the reference outputs as eti__etrecord_read_saved() reads them. */
eti_status eti__record_reference_outputs(eti_record *record, const eti_saved_value **out,
                                         eti_error *err) ETI_WARN_UNUSED;

#endif
