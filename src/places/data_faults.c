#include "places/data_faults.h"

#include "program/program.h"

#include <inttypes.h>

static eti_status note_file(eti_inspector *inspector, const eti_ptd *data, bool is_other,
                            eti_error *err) {
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%s: a data file with %" PRIu32 " name%s", data->file->name,
                       data->n_entries, data->n_entries == 1 ? "" : "s");
    if (is_other)
        eti__buffer_printf(&text,
                           ", none of which the program %s needs: give the data file of its export",
                           inspector->programs[0].file->name);
    else if (inspector->n_programs == 0)
        eti__buffer_add_string(&text, ", but no program: give the .pte to check it");
    return eti__notes_add(inspector, is_other ? ETI_NOTE_WARNING : ETI_NOTE_INFO, &text, err);
}

static eti_status note_missing(eti_inspector *inspector, const eti_sizes *sizes, eti_error *err) {
    bool has_data = inspector->n_data_files > 0;
    eti_buffer text = {0};
    if (sizes->n_missing == 0)
        return ETI_OK;
    eti__buffer_printf(
        &text, "%s: needs weights with %" PRIu32 " name%s, %" PRIu64 " bytes, that %s: %s",
        inspector->programs[0].file->name, sizes->n_missing, sizes->n_missing == 1 ? "" : "s",
        sizes->missing, has_data ? "are not in any of the data files" : "are in a data file (.ptd)",
        has_data ? "give those of its export" : "give it to check it");
    return eti__notes_add(inspector, has_data ? ETI_NOTE_WARNING : ETI_NOTE_INFO, &text, err);
}

static eti_status note_all(eti_inspector *inspector, eti_arena *arena, eti_error *err) {
    const eti_pte *pte = inspector->n_programs > 0 ? &inspector->programs[0] : NULL;
    size_t n = inspector->n_data_files;
    eti_sizes sizes;
    eti_ptd *data = eti__arena_alloc(arena, n, sizeof *data);
    if (!data)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        ETI_TRY(eti__ptd_open(&data[i], arena, &inspector->data_files[i], err));
    ETI_TRY(eti__sizes_make(&sizes, arena, pte, data, n, err));
    for (size_t i = 0; i < n; i++)
        ETI_TRY(note_file(inspector, &data[i], sizes.is_other[i], err));
    return note_missing(inspector, &sizes, err);
}

eti_status eti__data_faults_note(eti_inspector *inspector, eti_error *err) {
    eti_arena arena = {0};
    if (inspector->n_programs == 0 && inspector->n_data_files == 0)
        return ETI_OK;
    eti_status status = note_all(inspector, &arena, err);
    eti__arena_free(&arena);
    return status;
}
