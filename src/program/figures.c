#include "program/program.h"

#include <string.h>

const char *const eti__figure_names[ETI_N_FIGURES] = {
    [ETI_FIGURE_FILE_SIZE] = "file_size",       [ETI_FIGURE_ARENA_SIZE] = "arena_size",
    [ETI_FIGURE_ARENA_PEAK] = "arena_peak",     [ETI_FIGURE_WASTE] = "waste",
    [ETI_FIGURE_CONSTANTS] = "constants",       [ETI_FIGURE_DELEGATE_BLOBS] = "delegate_blobs",
    [ETI_FIGURE_INSTRUCTIONS] = "instructions", [ETI_FIGURE_OPERATORS] = "operators",
};

bool eti__figure_find(eti_text name, eti_figure *out) {
    for (int i = 0; i < ETI_N_FIGURES; i++) {
        *out = (eti_figure)i;
        if (eti__text_is(name, eti__figure_names[i]))
            return true;
    }
    return false;
}

static void keep_largest(uint64_t *most, uint64_t value) {
    *most = value > *most ? value : *most;
}

static eti_status add_plan(eti_figures *out, eti_arena *arena, const eti_pte_plan *plan,
                           eti_error *err) {
    eti_liveness liveness;
    eti_planned_arenas arenas;
    ETI_TRY(eti__liveness_make(&liveness, arena, plan, NULL, err));
    ETI_TRY(eti__arenas_make(&arenas, arena, &liveness, err));
    uint64_t waste = 0;
    for (uint32_t i = 0; i < arenas.n_arenas; i++)
        waste += eti__arena_waste(&arenas.arenas[i]);
    keep_largest(&out->values[ETI_FIGURE_ARENA_SIZE], arenas.total_size);
    keep_largest(&out->values[ETI_FIGURE_ARENA_PEAK], arenas.total_peak);
    keep_largest(&out->values[ETI_FIGURE_WASTE], waste);
    out->values[ETI_FIGURE_INSTRUCTIONS] += liveness.calls.n;
    return ETI_OK;
}

static eti_status make(eti_figures *out, eti_arena *arena, const eti_pte *pte, eti_error *err) {
    eti_needed_operators operators;
    eti_sizes sizes;
    ETI_TRY(eti__operators_make(&operators, arena, pte, 1, err));
    ETI_TRY(eti__sizes_make(&sizes, arena, pte, NULL, 0, err));
    for (uint32_t i = 0; i < pte->n_plans; i++)
        ETI_TRY(add_plan(out, arena, &pte->plans[i], err));
    for (uint32_t i = 0; i < operators.n; i++)
        out->values[ETI_FIGURE_OPERATORS] += operators.items[i].n_calls > 0;
    out->values[ETI_FIGURE_FILE_SIZE] = pte->file->size;
    out->values[ETI_FIGURE_CONSTANTS] = sizes.by_category[ETI_SIZE_CONSTANT];
    out->values[ETI_FIGURE_DELEGATE_BLOBS] = sizes.by_category[ETI_SIZE_DELEGATE_BLOB];
    memset(out->are_known, true, sizeof out->are_known);
    return ETI_OK;
}

eti_status eti__figures_make(eti_figures *out, const eti_pte *pte, eti_error *err) {
    eti_arena arena = {0};
    *out = (eti_figures){.values = {0}};
    eti_status status = make(out, &arena, pte, err);
    eti__arena_free(&arena);
    return status;
}
