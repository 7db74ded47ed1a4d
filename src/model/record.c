#include "model/record.h"

#include <stdlib.h>
#include <string.h>

eti_status eti_record_open(eti_record **out, const eti_source *source, eti_error *err) {
    *out = NULL;
    eti_record *record = calloc(1, sizeof *record);
    if (!record)
        return eti_fail_memory(err);
    pthread_mutex_init(&record->reading, NULL);
    eti_status status = eti__input_open(&record->file, source, ETI_FILE_ETRECORD, err);
    if (status == ETI_OK)
        status = eti__etrecord_open(&record->maps, &record->arena, &record->file, err);
    if (status == ETI_OK)
        *out = record;
    else
        eti_record_close(record);
    return status;
}

void eti_record_close(eti_record *record) {
    if (!record || !eti__references_drop(&record->references))
        return;
    eti__etrecord_close(record->maps);
    eti__file_release(&record->file);
    eti__arena_free(&record->arena);
    free(record->graphs);
    pthread_mutex_destroy(&record->reading);
    if (record->on_free)
        record->on_free(record->on_free_context);
    free(record);
}

void eti_record_on_free(eti_record *record, void (*function)(void *context), void *context) {
    record->on_free = function;
    record->on_free_context = context;
}

eti_record *eti__record_keep(eti_record *record) {
    eti__references_add(&record->references);
    return record;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static const eti_read_graph *find_graph(const eti_record *record, const eti_read_graph *wanted) {
    for (size_t i = 0; i < record->n_graphs; i++) {
        const eti_read_graph *read = &record->graphs[i];
        if (read->reading == wanted->reading && read->method == wanted->method &&
            (read->name == wanted->name ||
             (read->name && wanted->name && strcmp(read->name, wanted->name) == 0)))
            return read;
    }
    return NULL;
}

static eti_status read_graph(eti_record *record, eti_read_graph *graph, eti_error *err) {
    switch (graph->reading) {
    case ETI_READ_EDGE:
        return eti__etrecord_read_graph(record->maps, graph->method, &graph->graph, err);
    case ETI_READ_LOWERED:
        return eti__etrecord_read_lowered(record->maps, graph->method, &graph->graph, err);
    case ETI_READ_REFERENCE:
        break;
    }
    return eti__etrecord_read_reference_graph(record->maps, graph->method, graph->name,
                                              &graph->graph, err);
}

/* Reads a graph and adds it; the mutex must be locked. */
static eti_status add_graph(eti_record *record, eti_read_graph graph, eti_error *err) {
    if (!ETI_GROW(record->graphs, record->graph_capacity, record->n_graphs + 1) ||
        !eti__arena_copy_string(&record->arena, &graph.name))
        return eti_fail_memory(err);
    ETI_TRY(read_graph(record, &graph, err));
    record->graphs[record->n_graphs++] = graph;
    return ETI_OK;
}

eti_status eti__record_graph(eti_record *record, eti_graph_reading reading, size_t method,
                             const char *name, eti_graph *out, eti_error *err) {
    const eti_read_graph wanted = {.reading = reading, .method = method, .name = name};
    eti_status status = ETI_OK;
    *out = (eti_graph){0};
    pthread_mutex_lock(&record->reading);
    const eti_read_graph *found = find_graph(record, &wanted);
    if (!found) {
        status = add_graph(record, wanted, err);
        if (status == ETI_OK)
            found = &record->graphs[record->n_graphs - 1];
    }
    if (found)
        *out = found->graph;
    pthread_mutex_unlock(&record->reading);
    return status;
}

/* ---- reference outputs ----------------------------------------------------------------------- */

eti_status eti__record_reference_outputs(eti_record *record, const eti_saved_value **out,
                                         eti_error *err) {
    eti_status status = ETI_OK;
    pthread_mutex_lock(&record->reading);
    if (!record->are_outputs_read)
        status = eti__etrecord_read_saved(record->maps, "reference_outputs",
                                          &record->reference_outputs, err);
    record->are_outputs_read = record->are_outputs_read || status == ETI_OK;
    *out = status == ETI_OK ? record->reference_outputs : NULL;
    pthread_mutex_unlock(&record->reading);
    return status;
}
