#include "places/planned_methods.h"

size_t eti__record_method_of_plan(const eti_inspector *inspector, const eti_pte *pte,
                                  const eti_pte_plan *plan) {
    size_t n = inspector->record ? eti__etrecord_method_count(inspector->record) : 0;
    if (n == 1 && pte->n_plans == 1)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (eti__text_equal(eti__etrecord_method_name(inspector->record, i), plan->name))
            return i;
    }
    return ETI_NO_METHOD;
}

/* Returns the number of outputs that the record lists for an instruction, or UINT32_MAX. The record's ids are those
 * of the first chain. */
static uint32_t known_outputs(const eti_etrecord *record, const eti_planned_method *method,
                              uint32_t instruction) {
    int32_t id = (int32_t)instruction;
    if (instruction >= method->plan->chains[0].n_instructions || instruction > INT32_MAX ||
        !eti__etrecord_has_num_outputs(record, method->record_method, id))
        return UINT32_MAX;
    int64_t n = eti__etrecord_find_num_outputs(record, method->record_method, id);
    return n < 0 || n >= UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static eti_status list_outputs(const uint32_t **out, eti_arena *arena,
                               const eti_inspector *inspector, const eti_planned_method *method,
                               eti_error *err) {
    const eti_pte_plan *plan = method->plan;
    eti_calls calls;
    *out = NULL;
    if (method->record_method == ETI_NO_METHOD)
        return ETI_OK;
    ETI_TRY(eti__calls_make(&calls, arena, plan, err));
    uint32_t *n_outputs = eti__arena_alloc(arena, calls.n, sizeof *n_outputs);
    if (!n_outputs)
        return eti_fail_memory(err);
    for (uint32_t k = 0; k < calls.n; k++)
        n_outputs[k] = known_outputs(inspector->record, method, k);
    *out = n_outputs;
    return ETI_OK;
}

eti_status eti__planned_method_make(eti_planned_method *out, eti_arena *arena,
                                    const eti_inspector *inspector, const eti_pte *pte,
                                    uint32_t number, eti_error *err) {
    bool is_first = pte == inspector->programs; /* the ETRecord belongs to the first program */
    const uint32_t *n_outputs;
    out->plan = &pte->plans[number];
    out->number = number;
    out->record_method =
        is_first ? eti__record_method_of_plan(inspector, pte, out->plan) : ETI_NO_METHOD;
    ETI_TRY(list_outputs(&n_outputs, arena, inspector, out, err));
    ETI_TRY(eti__liveness_make(&out->liveness, arena, out->plan, n_outputs, err));
    return eti__arenas_make(&out->arenas, arena, &out->liveness, err);
}

eti_status eti__planned_methods_make(eti_planned_methods *out, eti_arena *arena,
                                     const eti_inspector *inspector, eti_error *err) {
    const char *wanted = inspector->options.method;
    *out = (eti_planned_methods){0};
    if (inspector->n_programs == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no program was given: name the .pte");
    out->pte = &inspector->programs[0];
    out->methods = eti__arena_alloc_zero(arena, out->pte->n_plans, sizeof *out->methods);
    if (!out->methods)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < out->pte->n_plans; i++) {
        if (!wanted || eti__text_is(out->pte->plans[i].name, wanted))
            ETI_TRY(eti__planned_method_make(&out->methods[out->n++], arena, inspector, out->pte, i,
                                             err));
    }
    if (out->n > 0 || !wanted)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE, "%smethod: there is no method %s in %s",
                    eti__option_prefix(), wanted, out->pte->file->name);
}
