#include "places/places.h"

#include <inttypes.h>

/* ==== data faults ============================================================================= */

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
    eti__buffer_printf(&text, "%s: needs weights with %" PRIu32 " name%s, ",
                       inspector->programs[0].file->name, sizes->n_missing,
                       sizes->n_missing == 1 ? "" : "s");
    eti__add_bytes(&text, sizes->missing);
    eti__buffer_printf(&text, ", that %s: %s",
                       has_data ? "are not in any of the data files" : "are in a data file (.ptd)",
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

/* ==== handle notes ============================================================================ */

typedef struct handle_counts {
    uint64_t n_calls, n_missing; /* of kernels and delegates; of these, those without handles */
    bool has_control_flow;
} handle_counts;

/* ---- counting -------------------------------------------------------------------------------- */

static void add_call(handle_counts *counts, const eti_inspector *inspector, size_t method,
                     int32_t id) {
    eti_debug_handles handles;
    counts->n_calls++;
    counts->n_missing += !eti__etrecord_find_handles(inspector->record, method, id, &handles);
}

/* Returns whether the map of a method is there and has entries; other notes are about those that have none. */
static bool has_map(const eti_inspector *inspector, size_t method) {
    return method != ETI_NO_METHOD &&
           eti__etrecord_method_instruction_count(inspector->record, method) > 0;
}

static handle_counts count_plan(const eti_inspector *inspector, const eti_method *method) {
    handle_counts counts = {0};
    for (uint32_t c = 0; c < method->plan->n_chains; c++) {
        const eti_pte_chain *chain = &method->plan->chains[c];
        for (uint32_t i = 0; i < chain->n_instructions; i++) {
            uint8_t kind = chain->instructions[i].kind;
            counts.has_control_flow |= kind == ETI_PTE_JUMP_FALSE_CALL;
            if (kind == ETI_PTE_KERNEL_CALL || kind == ETI_PTE_DELEGATE_CALL)
                add_call(&counts, inspector, method->number, (int32_t)i);
        }
    }
    return counts;
}

/* Counts the calls that ran; one that several blocks of a method have counts once. Returns false if memory runs out. */
static bool count_blocks(handle_counts *counts, const eti_inspector *inspector) {
    eti_distinct_events distinct = {.inspector = inspector};
    bool done = true, is_new;
    for (size_t b = 0; b < inspector->blocks.n_blocks && done; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events && done && has_map(inspector, block->method); i++) {
            const eti_event *event = &block->events[i];
            counts->has_control_flow |= eti__text_is(event->name, "JF_CALL");
            if (!eti__event_has_instruction(event) || event->is_operator_call ||
                event->is_delegated_op || eti__is_runtime_instruction(event->name))
                continue;
            done = eti__distinct_events_add(&distinct, event, &is_new);
            if (done && is_new)
                add_call(counts, inspector, block->method, event->instruction_id);
        }
    }
    eti__distinct_events_free(&distinct);
    return done;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Adds a note; `of` describes the calls. */
static eti_status add_note(eti_inspector *inspector, const handle_counts *counts, eti_buffer *text,
                           const char *of, eti_error *err) {
    if (!counts->has_control_flow || counts->n_missing == 0) {
        eti__buffer_free(text);
        return ETI_OK;
    }
    eti__buffer_printf(
        text,
        "%" PRIu64 " of the %" PRIu64
        " calls of kernels and delegates %s are not in the debug_handle_map of "
        "%s, so that their events have no operator, module or source line: the "
        "export records no debug handles inside cond, map, scan and while_loop, nor for "
        "calls that it adds itself",
        counts->n_missing, counts->n_calls, of, inspector->record_file.name);
    return eti__notes_add(inspector, ETI_NOTE_HINT, text, err);
}

eti_status eti__handles_note(eti_inspector *inspector, eti_error *err) {
    if (!eti__uses_record(inspector) || inspector->has_foreign_record)
        return ETI_OK;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        const eti_method *method = &inspector->methods[i];
        eti_buffer text = {0};
        if (!method->plan || !has_map(inspector, method->number))
            continue;
        const handle_counts counts = count_plan(inspector, method);
        eti__buffer_add_string(&text, "method ");
        eti__buffer_add_text(&text, method->name);
        eti__buffer_add_string(&text, ": ");
        ETI_TRY(add_note(inspector, &counts, &text, "in the program", err));
    }
    handle_counts counts = {0};
    eti_buffer text = {0};
    if (inspector->n_programs > 0)
        return ETI_OK;
    if (!count_blocks(&counts, inspector))
        return eti_fail_memory(err);
    return add_note(inspector, &counts, &text, "that ran", err);
}

/* ==== plan faults ============================================================================= */

/* Number of tensors that a note names. */
#define ETI_PLAN_FAULTS_NAMED 3

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

/* ==== program notes =========================================================================== */

static void add_method_name(eti_buffer *out, eti_text name) {
    eti__buffer_add_string(out, "method ");
    eti__buffer_add_cut(out, name, LONGEST_NAME);
}

static void add_count(eti_buffer *out, uint64_t n, const char *noun) {
    eti__buffer_printf(out, "%" PRIu64 " %s%s", n, noun, n == 1 ? "" : "s");
}

static eti_status note_plan(eti_inspector *inspector, const eti_pte *pte, const eti_pte_plan *plan,
                            eti_error *err) {
    uint64_t n_instructions = 0;
    eti_buffer text = {0};
    for (uint32_t i = 0; i < plan->n_chains; i++)
        n_instructions += plan->chains[i].n_instructions;
    eti__buffer_printf(&text, "%s: a %sprogram, ", pte->file->name,
                       pte->is_bundled ? "bundled " : "");
    add_method_name(&text, plan->name);
    eti__buffer_add_string(&text, " with ");
    add_count(&text, n_instructions, "instruction");
    eti__buffer_add_string(&text, " and ");
    add_count(&text, plan->n_delegates, "delegate");
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

/* Adds a note about a block that ran a method of the first program, which is the one that ran. */
static eti_status note_block(eti_inspector *inspector, const eti_event_block *block,
                             eti_error *err) {
    const eti_pte_instruction *instruction;
    eti_buffer text = {0};
    if (!block->plan || !eti__block_has_instructions(block) ||
        eti__first_misfit(block, block->plan, &instruction))
        return ETI_OK;
    eti__buffer_printf(&text, "%s: the events of block ", inspector->program_files[0].name);
    eti__buffer_add_text(&text, block->label);
    eti__buffer_add_string(&text, " match the kernels and delegates that its ");
    add_method_name(&text, block->plan->name);
    eti__buffer_add_string(&text, " calls");
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

eti_status eti__programs_note(eti_inspector *inspector, eti_error *err) {
    for (size_t p = 0; p < inspector->n_programs; p++) {
        const eti_pte *pte = &inspector->programs[p];
        for (uint32_t i = 0; i < pte->n_plans; i++)
            ETI_TRY(note_plan(inspector, pte, &pte->plans[i], err));
    }
    for (size_t b = 0; b < inspector->blocks.n_blocks && inspector->n_programs > 0; b++)
        ETI_TRY(note_block(inspector, &inspector->blocks.blocks[b], err));
    return ETI_OK;
}

/* ==== test case faults ======================================================================== */

/* Faults of a bundle while they are counted. */
typedef struct finder {
    const eti_pte *pte;
    eti_text method;
    uint32_t test_case;
    uint64_t n_cases, n_faults;
    eti_buffer first; /* description of the first fault */
} finder;

/* Counts a fault. Returns the buffer for its description, or NULL if it is not the first fault. */
static eti_buffer *add_case_fault(finder *in, const char *noun, uint32_t i) {
    if (in->n_faults++ > 0)
        return NULL;
    eti__buffer_printf(&in->first, "%s %" PRIu32 " of test case %" PRIu32 " of %.*s ", noun, i,
                       in->test_case, ETI_TEXT_ARGS(in->method));
    return &in->first;
}

static bool is_number(const eti_pte_value *taken, const eti_bundle_value *value) {
    return (taken->kind == ETI_PTE_INT && value->kind == ETI_BUNDLE_INT) ||
           (taken->kind == ETI_PTE_BOOL && value->kind == ETI_BUNDLE_BOOL) ||
           (taken->kind == ETI_PTE_DOUBLE && value->kind == ETI_BUNDLE_DOUBLE);
}

static void check_value(finder *in, const char *noun, uint32_t i, const eti_pte_value *taken,
                        const eti_bundle_value *value) {
    eti_buffer *text;
    bool is_tensor = taken->kind == ETI_PTE_TENSOR && value->kind == ETI_BUNDLE_TENSOR;
    if (value->fault) {
        if ((text = add_case_fault(in, noun, i)))
            eti__buffer_add_string(text, value->fault);
    } else if (is_tensor && !eti__test_case_fits(&value->tensor, taken->of.as_tensor)) {
        if ((text = add_case_fault(in, noun, i))) {
            eti__buffer_add_string(text, "is not what the method expects: ");
            eti__test_case_add_unfit(text, &value->tensor, taken->of.as_tensor);
        }
    } else if (!is_tensor && !is_number(taken, value)) {
        if ((text = add_case_fault(in, noun, i)))
            eti__buffer_add_string(text, "is not of the kind that the method expects");
    }
}

static void check_values(finder *in, const char *noun, const eti_pte_plan *plan,
                         const eti_pte_indices *taken, const eti_bundle_value *values, uint32_t n) {
    static const eti_pte_value none = {.kind = ETI_PTE_ABSENT};
    for (uint32_t i = 0; i < n && i < taken->n; i++) {
        int32_t number = taken->items[i];
        bool is_known = number >= 0 && (uint32_t)number < plan->n_values;
        check_value(in, noun, i, is_known ? &plan->values[number] : &none, &values[i]);
    }
    if (n == taken->n)
        return;
    eti_buffer *text = add_case_fault(in, noun, n < taken->n ? n : taken->n);
    if (text)
        eti__buffer_printf(text, "is %s: the method has %" PRIu32 ", the test case %" PRIu32,
                           n < taken->n ? "missing" : "too many", taken->n, n);
}

static eti_status check_suite(finder *in, uint32_t number, eti_error *err) {
    const eti_bundle_suite *suite = &in->pte->bundle.suites[number];
    const eti_pte_plan *plan = eti__pte_find_plan(in->pte, suite->method);
    const eti_bundle_case *cases;
    eti_arena arena = {NULL};
    in->method = suite->method;
    in->n_cases += suite->n_cases;
    if (!plan) {
        if (in->n_faults++ == 0)
            eti__buffer_printf(&in->first, "the program has no method %.*s",
                               ETI_TEXT_ARGS(suite->method));
        return ETI_OK;
    }
    eti_status status = eti__bundle_read_suite(&cases, &arena, &in->pte->bundle, number, err);
    for (uint32_t i = 0; status == ETI_OK && i < suite->n_cases; i++) {
        in->test_case = i;
        check_values(in, "input", plan, &plan->inputs, cases[i].inputs, cases[i].n_inputs);
        if (cases[i].n_expected > 0)
            check_values(in, "output", plan, &plan->outputs, cases[i].expected,
                         cases[i].n_expected);
    }
    eti__arena_free(&arena);
    return status;
}

static eti_status note_bundle(eti_inspector *inspector, const eti_pte *pte, eti_error *err) {
    finder in = {.pte = pte};
    eti_buffer text = {0};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; status == ETI_OK && i < pte->bundle.n_suites; i++)
        status = check_suite(&in, i, err);
    eti__buffer_printf(&text, "%s: %" PRIu64 " test case%s", pte->file->name, in.n_cases,
                       in.n_cases == 1 ? "" : "s");
    if (in.n_faults > 0)
        eti__buffer_printf(&text,
                           " with %" PRIu64 " value%s that the runtime rejects or cannot compare: "
                           "%.*s%s; bundle the program again (etinspect bundle)",
                           in.n_faults, in.n_faults == 1 ? "" : "s",
                           ETI_TEXT_ARGS(eti__buffer_text(&in.first)),
                           in.n_faults > 1 ? ", and others" : "");
    text.failed = text.failed || in.first.failed;
    eti__buffer_free(&in.first);
    if (status == ETI_OK)
        return eti__notes_add(inspector, in.n_faults > 0 ? ETI_NOTE_WARNING : ETI_NOTE_INFO, &text,
                              err);
    eti__buffer_free(&text);
    return status;
}

eti_status eti__test_case_faults_note(eti_inspector *inspector, eti_error *err) {
    for (size_t i = 0; i < inspector->n_programs; i++) {
        if (inspector->programs[i].is_bundled)
            ETI_TRY(note_bundle(inspector, &inspector->programs[i], err));
    }
    return ETI_OK;
}
