#include "rollup/rollup.h"

#include <stdlib.h>

/* ---- fit of the program ---------------------------------------------------------------------- */

static void add_called(eti_buffer *out, const eti_pte_plan *plan,
                       const eti_pte_instruction *instruction) {
    if (instruction)
        eti__instruction_add_name(out, plan, instruction);
    else
        eti__buffer_add_string(out, "no such instruction");
}

/* Reports where the events and the instructions differ. */
static eti_status fail_other_program(const eti_inspector *inspector, const eti_event_block *block,
                                     eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    const eti_pte_plan *plan = &pte->plans[0];
    const eti_pte_instruction *instruction = NULL;
    const char *method = inspector->options.method;
    if (method && eti__pte_find_plan(pte, eti__text_of(method)))
        plan = eti__pte_find_plan(pte, eti__text_of(method));
    const eti_event *event = eti__first_misfit(block, plan, &instruction);
    eti_buffer called = {0};
    add_called(&called, plan, instruction);
    eti_text name = eti__buffer_text(&called);
    eti_status status =
        called.failed ? eti_fail_memory(err)
        : event
            ? eti_fail(err, ETI_ERROR_DATA,
                       "%s: this dump does not come from %s: its instruction %d is "
                       "%.*s, but in method %.*s it is %.*s; give the program that ran",
                       inspector->dump_files[0].name, pte->file->name, event->instruction_id,
                       ETI_TEXT_ARGS(event->name), ETI_TEXT_ARGS(plan->name), ETI_TEXT_ARGS(name))
            : eti_fail(err, ETI_ERROR_DATA,
                       "%s: this dump does not come from %s: its delegates logged "
                       "operators that are not in the payloads of the program; give the program "
                       "that ran",
                       inspector->dump_files[0].name, pte->file->name);
    eti__buffer_free(&called);
    return status;
}

static eti_status fail_several(const eti_inspector *inspector, const eti_event_block *block,
                               eti_error *err) {
    eti_buffer names = {0};
    for (size_t i = 0; i < inspector->n_methods && i < 64; i++) {
        if ((block->methods_that_fit >> i & 1) == 0)
            continue;
        eti__buffer_add_string(&names, names.size > 0 ? ", " : "");
        eti__buffer_add_text(&names, inspector->methods[i].name);
    }
    eti_text all = eti__buffer_text(&names);
    eti_status status =
        names.failed ? eti_fail_memory(err)
                     : eti_fail(err, ETI_ERROR_USAGE,
                                "%s: several methods of %s match its instructions: choose one of "
                                "%.*s with %smethod",
                                inspector->dump_files[0].name, inspector->programs[0].file->name,
                                ETI_TEXT_ARGS(all), eti__option_prefix());
    eti__buffer_free(&names);
    return status;
}

/* Checks that blocks ran this program. Blocks that only load have no instructions and fit any program. */
static eti_status check_blocks(const eti_inspector *inspector, const eti_view_options *options,
                               eti_error *err) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti__block_is_of_program(block) || !eti__block_is_chosen(options, block) ||
            !eti__block_has_instructions(block))
            continue;
        return block->methods_that_fit != 0 && !block->plan
                   ? fail_several(inspector, block, err)
                   : fail_other_program(inspector, block, err);
    }
    return ETI_OK;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Lists the bytes in use by instruction; they change only at the steps of arenas. */
static const uint64_t *list_use(eti_arena *arena, const eti_planned_arenas *arenas, uint32_t n) {
    uint64_t *in_use = eti__arena_alloc_zero(arena, n, sizeof *in_use);
    for (uint32_t a = 0; in_use && a < arenas->n_arenas; a++) {
        const eti_planned_arena *of = &arenas->arenas[a];
        uint64_t now = 0;
        for (uint32_t k = 0, step = 0; k < n; k++) {
            while (step < of->n_steps && of->steps[step].instruction <= k)
                now = of->steps[step++].in_use;
            in_use[k] += now;
        }
    }
    return in_use;
}

static eti_status add_method(eti_instruction_times *out, const eti_pte_plan *plan, eti_error *err) {
    eti_timed_method *method = &out->methods[out->n_methods++];
    *method = (eti_timed_method){.plan = plan, .first = out->n_rows};
    ETI_TRY(eti__liveness_make(&method->liveness, &out->arena, plan, NULL, err));
    ETI_TRY(eti__arenas_make(&method->arenas, &out->arena, &method->liveness, err));
    ETI_TRY(eti__value_bytes_make(&method->bytes, &out->arena, plan, err));
    uint32_t n = method->liveness.calls.n;
    method->in_use = list_use(&out->arena, &method->arenas, n);
    out->n_rows += (size_t)n + 1;
    return method->in_use ? ETI_OK : eti_fail_memory(err);
}

/* ---- events ---------------------------------------------------------------------------------- */

static const eti_timed_method *find_method(const eti_instruction_times *times,
                                           const eti_pte_plan *plan) {
    for (size_t i = 0; plan && i < times->n_methods; i++) {
        if (times->methods[i].plan == plan)
            return &times->methods[i];
    }
    return NULL;
}

/* Returns the number, in the method, of the instruction that an event belongs to. */
static size_t number_of(const eti_timed_method *method, const eti_event *event) {
    uint64_t chain = method->plan->n_chains == 1 ? 0 : eti__event_chain(event);
    return (size_t)method->liveness.calls.first_of_chain[chain] + (uint32_t)event->instruction_id;
}

/* Counts an event if it is the call of an instruction or the kernel in it, but not if it is one of several that a
 * delegate logged. */
static void count_calls(const eti_instruction_times *times, const eti_account *account, size_t i,
                        size_t row) {
    eti_role role = eti__account_role(account, i);
    if (role == ETI_ROLE_KERNEL)
        times->kernels[row] += account->events[i].n_calls;
    else if (!eti__role_is_logged(role))
        times->calls[row] += account->events[i].n_calls;
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    eti_instruction_times *times = context;
    const eti_timed_method *method = find_method(times, account->block->plan);
    size_t framework = method ? method->first + method->liveness.calls.n : times->n_rows;
    for (size_t i = 0; i < account->block->n_events; i++) {
        const eti_event *event = &account->block->events[i];
        const eti_pte_instruction *instruction =
            method ? eti__event_instruction(event, method->plan) : NULL;
        groups[i] = (uint32_t)(instruction ? method->first + number_of(method, event) : framework);
        if (instruction)
            count_calls(times, account, i, groups[i]);
    }
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__instruction_times_make(eti_instruction_times *out, const eti_inspector *inspector,
                                       const eti_view_options *options, eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    *out = (eti_instruction_times){.n_methods = 0};
    if (pte->n_plans == 0)
        return eti_fail(err, ETI_ERROR_DATA, "%s: has no method", pte->file->name);
    ETI_TRY(check_blocks(inspector, options, err));
    out->methods = eti__arena_alloc(&out->arena, pte->n_plans, sizeof *out->methods);
    if (!out->methods)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        if (eti__blocks_ran(inspector, options, &pte->plans[i]))
            ETI_TRY(add_method(out, &pte->plans[i], err));
    }
    out->calls = eti__arena_alloc_zero(&out->arena, out->n_rows + 1, sizeof *out->calls);
    out->kernels = eti__arena_alloc_zero(&out->arena, out->n_rows + 1, sizeof *out->kernels);
    if (!out->calls || !out->kernels)
        return eti_fail_memory(err);
    ETI_TRY(eti__rollup_make(&out->rollup, inspector, options, group_events, out, err));
    out->n_rows += out->rollup.n_groups > out->n_rows;
    return ETI_OK;
}

void eti__instruction_times_free(eti_instruction_times *times) {
    eti__rollup_free(&times->rollup);
    eti__arena_free(&times->arena);
    *times = (eti_instruction_times){.n_methods = 0};
}

const eti_timed_method *eti__instruction_method(const eti_instruction_times *times, size_t row) {
    for (size_t i = times->n_methods; i-- > 0;) {
        const eti_timed_method *method = &times->methods[i];
        if (row >= method->first)
            return row - method->first <= method->liveness.calls.n ? method : NULL;
    }
    return NULL;
}

uint64_t eti__instruction_calls(const eti_instruction_times *times, size_t row) {
    return times->calls[row] > 0 ? times->calls[row] : times->kernels[row];
}
