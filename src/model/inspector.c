#include "model/inspector.h"

#include <stdlib.h>

static void drop_inspector(void *inspector) {
    eti_inspector_close(inspector);
}

eti_kept eti__inspector_keep(const eti_inspector *inspector) {
    eti__references_add(&inspector->references);
    return (eti_kept){(eti_inspector *)inspector, drop_inspector};
}

void eti_inspector_close(eti_inspector *inspector) {
    if (!inspector || !eti__references_drop(&inspector->references))
        return;
    for (size_t i = 0; i < inspector->n_dumps; i++)
        eti__file_release(&inspector->dump_files[i]);
    for (size_t i = 0; i < inspector->n_programs; i++)
        eti__file_release(&inspector->program_files[i]);
    for (size_t i = 0; i < inspector->n_data_files; i++)
        eti__file_release(&inspector->data_files[i]);
    eti__file_release(&inspector->debug_buffer_file);
    for (size_t i = 0; i < inspector->n_more_debug_buffers; i++)
        eti__file_release(&inspector->more_debug_buffers[i]);
    free(inspector->more_debug_buffers);
    free(inspector->dump_files);
    free(inspector->program_files);
    free(inspector->data_files);
    free(inspector->notes);
    eti_record_close(inspector->opened_record);
    eti__arena_free(&inspector->arena);
    if (inspector->on_free)
        inspector->on_free(inspector->on_free_context);
    free(inspector);
}

void eti_inspector_on_free(eti_inspector *inspector, void (*function)(void *context),
                           void *context) {
    inspector->on_free = function;
    inspector->on_free_context = context;
}

const struct eti_file *eti__inspector_file(const eti_inspector *inspector, size_t i,
                                           const char **kind) {
    *kind = "etdump";
    if (i < inspector->n_dumps)
        return &inspector->dump_files[i];
    i -= inspector->n_dumps;
    *kind = "etrecord";
    if (inspector->record && i-- == 0)
        return &inspector->record_file;
    *kind = "program";
    if (i < inspector->n_programs)
        return &inspector->program_files[i];
    i -= inspector->n_programs;
    *kind = "data";
    if (i < inspector->n_data_files)
        return &inspector->data_files[i];
    i -= inspector->n_data_files;
    *kind = "debug_buffer";
    if (inspector->has_debug_buffer && i-- == 0)
        return &inspector->debug_buffer_file;
    return i < inspector->n_more_debug_buffers ? &inspector->more_debug_buffers[i] : NULL;
}
