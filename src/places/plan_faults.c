#include "places/plan_faults.h"

#include "places/planned_methods.h"

#include <inttypes.h>

/* Largest number of bytes shown of a name. */
#define LONGEST_NAME 60

/* ---- one tensor ------------------------------------------------------------------------------ */

/* Appends the producer of a tensor: the operator or delegate, or the role of a tensor that no instruction writes. */
static void add_producer(eti_buffer *out, const eti_liveness *liveness,
                         const eti_planned *planned) {
    eti_buffer name = {0};
    if (planned->writer == ETI_NO_INSTRUCTION)
        eti__buffer_add_string(&name, eti__planned_role_name(planned->role));
    else
        eti__instruction_add_name(&name, liveness->calls.plan,
                                  liveness->calls.items[planned->writer]);
    eti__buffer_add_cut(out, eti__buffer_text(&name), LONGEST_NAME);
    out->failed = out->failed || name.failed;
    eti__buffer_free(&name);
}

static void add_tensor(eti_buffer *out, const eti_liveness *liveness, uint32_t tensor) {
    const eti_planned *planned = &liveness->tensors[tensor];
    eti__buffer_printf(out, "value %" PRIu32 " (", planned->value);
    add_producer(out, liveness, planned);
    eti__buffer_printf(out, ", %" PRIu64 " bytes at %" PRIu64 ")", eti__planned_bytes(planned),
                       planned->tensor->memory_offset);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void add_overlap(eti_buffer *out, const eti_planned_arenas *arenas, uint32_t i) {
    const eti_planned_overlap *overlap = &arenas->overlaps[i];
    add_tensor(out, arenas->liveness, overlap->tensor);
    eti__buffer_add_string(out, " on ");
    add_tensor(out, arenas->liveness, overlap->other);
    eti__buffer_printf(out, " in arena %" PRIu32 " at instruction %" PRIu32,
                       arenas->liveness->tensors[overlap->tensor].tensor->memory_id,
                       overlap->instruction);
}

static void add_beyond(eti_buffer *out, const eti_planned_arenas *arenas, uint32_t i) {
    const eti_pte_plan *plan = arenas->liveness->calls.plan;
    uint32_t memory_id = arenas->liveness->tensors[arenas->beyond[i]].tensor->memory_id;
    add_tensor(out, arenas->liveness, arenas->beyond[i]);
    eti__buffer_printf(out, " in arena %" PRIu32 " of %" PRIu64 " bytes", memory_id,
                       memory_id < plan->n_arenas ? plan->arena_sizes[memory_id] : 0);
}

typedef void add_fault(eti_buffer *out, const eti_planned_arenas *arenas, uint32_t i);

static void add_list(eti_buffer *out, const eti_planned_arenas *arenas, uint32_t n,
                     add_fault *add) {
    for (uint32_t i = 0; i < n && i < ETI_PLAN_FAULTS_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? "; " : "");
        add(out, arenas, i);
    }
    if (n > ETI_PLAN_FAULTS_NAMED)
        eti__buffer_printf(out, "; and %" PRIu32 " more", n - ETI_PLAN_FAULTS_NAMED);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void add_method(eti_buffer *out, const eti_pte *pte, const eti_planned_method *method,
                       uint32_t n) {
    eti__buffer_printf(out, "%s: method ", pte->file->name);
    eti__buffer_add_cut(out, method->plan->name, LONGEST_NAME);
    eti__buffer_printf(out, ": %" PRIu32 " tensor%s ", n, n == 1 ? "" : "s");
}

static eti_status note_overlaps(eti_inspector *inspector, const eti_pte *pte,
                                const eti_planned_method *method, eti_error *err) {
    uint32_t n = method->arenas.n_overlaps;
    bool is_estimate = method->liveness.has_jumps_or_moves;
    eti_buffer text = {0};
    if (n == 0)
        return ETI_OK;
    add_method(&text, pte, method, n);
    eti__buffer_add_string(&text, n == 1 ? "is " : "are ");
    eti__buffer_add_string(&text, is_estimate ? "possibly planned over others in use (an estimate, "
                                                "because the method has jumps or moves): "
                                              : "planned over others in use: ");
    add_list(&text, &method->arenas, n, add_overlap);
    if (!is_estimate)
        eti__buffer_add_string(
            &text, "; results may be wrong: export the program with another memory planner");
    return eti__notes_add(inspector, is_estimate ? ETI_NOTE_INFO : ETI_NOTE_WARNING, &text, err);
}

static eti_status note_beyond(eti_inspector *inspector, const eti_pte *pte,
                              const eti_planned_method *method, eti_error *err) {
    uint32_t n = method->arenas.n_beyond;
    eti_buffer text = {0};
    if (n == 0)
        return ETI_OK;
    add_method(&text, pte, method, n);
    eti__buffer_add_string(&text,
                           n == 1 ? "extends beyond its arena: " : "extend beyond their arena: ");
    add_list(&text, &method->arenas, n, add_beyond);
    eti__buffer_add_string(&text, "; the method cannot be loaded: export the program again");
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
}

static eti_status note_method(eti_inspector *inspector, const eti_pte *pte, uint32_t number,
                              eti_error *err) {
    eti_planned_method method;
    eti_arena scratch = {0};
    eti_status status = eti__planned_method_make(&method, &scratch, inspector, pte, number, err);
    if (status == ETI_OK)
        status = note_overlaps(inspector, pte, &method, err);
    if (status == ETI_OK)
        status = note_beyond(inspector, pte, &method, err);
    eti__arena_free(&scratch);
    return status;
}

static eti_status note_program(eti_inspector *inspector, const eti_pte *pte, eti_error *err) {
    size_t n_notes = inspector->n_notes;
    eti_buffer text = {0};
    for (uint32_t i = 0; i < pte->n_plans; i++)
        ETI_TRY(note_method(inspector, pte, i, err));
    if (inspector->n_notes > n_notes)
        return ETI_OK;
    eti__buffer_printf(&text, "%s: no tensor is planned over another in use", pte->file->name);
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

eti_status eti__plan_faults_note(eti_inspector *inspector, eti_error *err) {
    for (size_t p = 0; p < inspector->n_programs; p++)
        ETI_TRY(note_program(inspector, &inspector->programs[p], err));
    return ETI_OK;
}
