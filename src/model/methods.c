#include "model/parts.h"

#include "backends/backends.h"
#include "digest/digest.h"

#include <stdlib.h>
#include <string.h>

/* ==== instructions ============================================================================ */

uint64_t eti__event_chain(const eti_event *event) {
    const eti_block_run *run = &event->block->runs[0];
    size_t number = (size_t)(event - event->block->events);
    const eti_run_layout *layout = run->layout;
    uint32_t in_run = layout->profile_events[number];
    if (in_run == ETI_NO_EVENT && layout->debug_events && layout->debug_events[number].n > 0)
        in_run = layout->debug_events[number].events[0];
    if (in_run == ETI_NO_EVENT)
        return 0;
    eti_etdump_event read;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, in_run));
    return read.key.chain_index;
}

bool eti__block_has_instructions(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__event_has_instruction(&block->events[i]))
            return true;
    }
    return false;
}

bool eti__uses_program(const eti_inspector *inspector) {
    bool any = false;
    for (size_t i = 0; i < inspector->blocks.n_blocks && inspector->n_programs > 0; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (block->plan || block->methods_that_fit != 0)
            return true;
        any |= eti__block_has_instructions(block);
    }
    return inspector->n_programs > 0 && !any;
}

const eti_pte_instruction *eti__event_instruction(const eti_event *event,
                                                  const eti_pte_plan *plan) {
    if (!eti__event_has_instruction(event))
        return NULL;
    uint64_t chain = plan->n_chains == 1 ? 0 : eti__event_chain(event);
    if (chain >= plan->n_chains || event->instruction_id < 0 ||
        (uint32_t)event->instruction_id >= plan->chains[chain].n_instructions)
        return NULL;
    return &plan->chains[chain].instructions[event->instruction_id];
}

bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction) {
    if (event->is_delegated_op || eti__text_is(event->name, "DELEGATE_CALL"))
        return instruction->kind == ETI_PTE_DELEGATE_CALL;
    eti_text kernel = eti__kernel_overload(event->name);
    if (!kernel.data)
        return !event->is_operator_call || instruction->kind == ETI_PTE_KERNEL_CALL;
    if (instruction->kind != ETI_PTE_KERNEL_CALL)
        return false;
    const eti_pte_operator *op = &plan->operators[instruction->index];
    return eti__is_overload_of(op->name, op->overload, kernel);
}

const eti_event *eti__first_misfit(const eti_event_block *block, const eti_pte_plan *plan,
                                   const eti_pte_instruction **instruction) {
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!eti__event_has_instruction(event))
            continue;
        *instruction = eti__event_instruction(event, plan);
        if (!*instruction || !eti__event_fits(event, plan, *instruction))
            return event;
    }
    return NULL;
}

/* ==== method fit ============================================================================== */

/* ---- instructions of the program ------------------------------------------------------------- */

/* Returns the number of calls in the first chain that have no event. */
static uint64_t count_missing(const eti_pte_chain *chain, const bool *seen) {
    uint64_t n_missing = 0;
    for (uint32_t i = 0; i < chain->n_instructions; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n_instructions of them are there */
        uint8_t kind = chain->instructions[i].kind;
        n_missing += !seen[i] && (kind == ETI_PTE_KERNEL_CALL || kind == ETI_PTE_DELEGATE_CALL);
    }
    return n_missing;
}

bool eti__fit_plan(const eti_event_block *block, const eti_pte_plan *plan, eti_method_fit *out) {
    const eti_pte_chain *first = &plan->chains[0];
    bool *seen = calloc((size_t)first->n_instructions + 1, sizeof *seen);
    *out = (eti_method_fit){0};
    if (!seen)
        return false;
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!eti__event_has_instruction(event))
            continue;
        const eti_pte_instruction *instruction = eti__event_instruction(event, plan);
        out->n_compared++;
        if (!instruction || !eti__event_fits(event, plan, instruction))
            out->n_unlike++;
        else if (plan->n_chains == 1)
            seen[event->instruction_id] = true;
    }
    out->n_missing = plan->n_chains == 1 ? count_missing(first, seen) : 0;
    free(seen);
    return true;
}

/* ---- instructions of the record -------------------------------------------------------------- */

static bool is_of_delegate(const eti_event *event) {
    return event->is_delegated_op || eti__text_is(event->name, "DELEGATE_CALL");
}

static bool is_of_kernel(const eti_event *event) {
    return !is_of_delegate(event) &&
           (event->is_operator_call || eti__kernel_overload(event->name).data);
}

bool eti__fit_record(const eti_inspector *inspector, const eti_event_block *block, size_t method,
                     eti_method_fit *out) {
    *out = (eti_method_fit){0};
    eti_id_table ids = {0};
    bool done = true;
    for (size_t i = 0; i < block->n_events && done; i++) {
        const eti_event *event = &block->events[i];
        eti_debug_handles handles;
        uint32_t ignored;
        if (!eti__event_has_instruction(event))
            continue;
        bool has_it =
            eti__etrecord_find_handles(inspector->record, method, event->instruction_id, &handles);
        bool has_delegate =
            has_it && eti__etrecord_find_delegate(inspector->record, method, event->instruction_id);
        bool fits = has_it && !(has_delegate ? is_of_kernel(event) : is_of_delegate(event));
        out->n_compared++;
        out->n_contrary += has_delegate && !fits;
        out->n_unlike += !fits;
        if (has_it)
            done = eti__id_table_add(&ids, event->instruction_id, &ignored);
    }
    size_t n = eti__etrecord_method_instruction_count(inspector->record, method);
    out->n_missing = n > ids.count ? n - ids.count : 0;
    eti__id_table_free(&ids);
    return done;
}

/* ---- program and record ----------------------------------------------------------------------- */

static bool is_call(const eti_pte_instruction *instruction) {
    return instruction->kind == ETI_PTE_KERNEL_CALL || instruction->kind == ETI_PTE_DELEGATE_CALL;
}

/* Returns the number of calls; 0 if there are jumps, because their targets are not recorded. */
static uint64_t count_calls(const eti_pte_plan *plan) {
    uint64_t n = 0;
    if (plan->n_chains != 1 || !plan->chains[0].instructions)
        return 0;
    const eti_pte_chain *chain = &plan->chains[0];
    for (uint32_t i = 0; i < chain->n_instructions; i++) {
        if (chain->instructions[i].kind == ETI_PTE_JUMP_FALSE_CALL)
            return 0;
        n += is_call(&chain->instructions[i]);
    }
    return n;
}

void eti__fit_files(const eti_inspector *inspector, const eti_method *method, eti_method_fit *out) {
    const eti_etrecord *record = inspector->record;
    const eti_pte_chain *chain = &method->plan->chains[0];
    *out = (eti_method_fit){0};
    out->n_compared = eti__etrecord_method_instruction_count(record, method->number);
    for (size_t i = 0; i < out->n_compared; i++) {
        const eti_delegate_call *call;
        int32_t id;
        (void)eti__etrecord_instruction_handles(record, method->number, i, &call);
        bool has_id = eti__etrecord_instruction_id(record, method->number, i, &id) && id >= 0 &&
                      (uint32_t)id < chain->n_instructions;
        const eti_pte_instruction *instruction = has_id ? &chain->instructions[id] : NULL;
        out->n_contrary += !instruction || !is_call(instruction) ||
                           (call && instruction->kind != ETI_PTE_DELEGATE_CALL);
    }
    uint64_t n_calls = count_calls(method->plan);
    out->n_missing = n_calls > out->n_compared ? n_calls - out->n_compared : 0;
}

/* ---- kernels' names -------------------------------------------------------------------------- */

/* Returns whether the kernel belongs to an operator of the event; subtracts the bytes compared from `*left`. */
static bool has_operator(const eti_event *event, eti_text kernel, size_t *left) {
    const eti_event_record *known = event->known;
    for (size_t i = 0; i<known->n_op_types && * left> 0; i++) {
        size_t size = known->op_types[i].size + 1;
        *left -= size < *left ? size : *left;
        if (eti__is_kernel_of(known->op_types[i], kernel))
            return true;
    }
    return false;
}

uint64_t eti__count_unlike_kernels(const eti_event_block *block, size_t *left,
                                   uint64_t *n_compared) {
    uint64_t n_unlike = 0;
    for (size_t i = 0; i<block->n_events && * left> 0; i++) {
        const eti_event *event = &block->events[i];
        eti_text kernel = eti__kernel_operator(event->name);
        if (!kernel.data || event->known->n_op_types == 0)
            continue;
        ++*n_compared;
        n_unlike += !has_operator(event, kernel, left);
    }
    return n_unlike;
}

/* ==== method payloads ========================================================================= */

static int compare_ids(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Finds the instructions that call the lowered modules of the method's graph, in the same order and number. False: out of
 * memory. */
static bool find_calls(const eti_inspector *inspector, eti_method *method, eti_arena *arena) {
    const eti_etrecord *record = inspector->record;
    size_t n = 0, n_modules = method->graph.n_modules;
    int32_t *calls = eti__arena_alloc(arena, n_modules, sizeof *calls);
    if (!calls)
        return false;
    for (size_t i = 0; i < eti__etrecord_method_instruction_count(record, method->number); i++) {
        const eti_delegate_call *call;
        int32_t id;
        (void)eti__etrecord_instruction_handles(record, method->number, i, &call);
        if (!call || !eti__etrecord_instruction_id(record, method->number, i, &id))
            continue;
        if (n < n_modules)
            calls[n] = id;
        n++;
    }
    if (n != n_modules)
        return true;
    qsort(calls, n, sizeof *calls, compare_ids);
    method->calls = calls;
    return true;
}

/* Returns whether a handle of the module's nodes is among the instruction's handles, as it must be. */
static bool has_handles_of(const eti_method *method, size_t number,
                           const eti_debug_handles *handles) {
    const eti_graph *graph = &method->graph;
    size_t first = graph->modules[number].first;
    for (size_t i = 0; i < graph->modules[number].n_nodes; i++) {
        const eti_graph_node *node = &graph->nodes[first + i];
        for (size_t k = 0; node->has_debug_handle && k < handles->n; k++) {
            if (handles->handles[k] == node->debug_handle)
                return true;
        }
        if (node->has_debug_handle)
            return false;
    }
    return false;
}

const eti_lowered_module *eti__find_lowered_module(const eti_inspector *inspector,
                                                   const eti_method *method,
                                                   const eti_event *event) {
    eti_debug_handles handles;
    if (!method || !method->calls || !eti__event_has_instruction(event) ||
        !eti__etrecord_find_handles(inspector->record, method->number, event->instruction_id,
                                    &handles))
        return NULL;
    const int32_t *found = bsearch(&event->instruction_id, method->calls, method->graph.n_modules,
                                   sizeof *found, compare_ids);
    size_t module = found ? (size_t)(found - method->calls) : 0;
    return found && has_handles_of(method, module, &handles) ? &method->graph.modules[module]
                                                             : NULL;
}

bool eti__find_payload(const eti_inspector *inspector, const eti_method *method,
                       const eti_pte_plan *plan, const eti_event *event, eti_text *backend,
                       eti_text *payload) {
    const eti_pte_instruction *called = plan ? eti__event_instruction(event, plan) : NULL;
    const eti_lowered_module *module = eti__find_lowered_module(inspector, method, event);
    if (called && called->kind == ETI_PTE_DELEGATE_CALL) {
        *backend = plan->delegates[called->index].id;
        *payload = plan->delegates[called->index].payload;
        return true;
    }
    if (!module || module->payload.size == 0)
        return false;
    *backend = module->backend;
    *payload = module->payload;
    return true;
}

/* ==== methods ================================================================================= */

/* The methods that fit a block best. */
typedef struct fitting {
    eti_method_fit best;
    uint64_t methods; /* bit i stands for methods[i]; 0: none fits */
    bool is_of_plan;  /* found by comparing instructions of the program */
    bool was_tied;    /* the attributes of the block's events were overwritten for the comparison */
    size_t label; /* index of the method that the user labelled the block with, or ETI_NO_METHOD */
} fitting;

typedef struct finder {
    eti_inspector *inspector;
    fitting *fittings; /* one per block */
    size_t method;     /* index of the current method */
    size_t chosen;     /* index of the method that the user chose, or ETI_NO_METHOD */
} finder;

/* ---- the methods ----------------------------------------------------------------------------- */

size_t eti__method_number(const eti_inspector *inspector, eti_text name) {
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (eti__text_equal(inspector->methods[i].name, name))
            return i;
    }
    return ETI_NO_METHOD;
}

static eti_status list_methods(eti_inspector *inspector, eti_error *err) {
    const eti_pte *pte = inspector->n_programs > 0 ? &inspector->programs[0] : NULL;
    size_t n_plans = pte && pte->n_plans < ETI_METHODS_COMPARED ? pte->n_plans : 0;
    size_t n_recorded = inspector->record ? eti__etrecord_method_count(inspector->record) : 0;
    if (n_recorded > ETI_METHODS_COMPARED)
        n_recorded = 0; /* the chosen method is used for all blocks */
    inspector->methods = eti__arena_alloc_zero(&inspector->arena, n_plans + n_recorded + 1,
                                               sizeof *inspector->methods);
    if (!inspector->methods)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n_plans; i++)
        inspector->methods[inspector->n_methods++] = (eti_method){
            .name = pte->plans[i].name, .number = ETI_NO_METHOD, .plan = &pte->plans[i]};
    for (size_t i = 0; i < n_recorded; i++) {
        eti_text name = eti__etrecord_method_name(inspector->record, i);
        size_t listed = eti__method_number(inspector, name);
        if (listed == ETI_NO_METHOD && inspector->n_methods < ETI_METHODS_COMPARED) {
            listed = inspector->n_methods++;
            inspector->methods[listed].name = name;
        }
        if (listed != ETI_NO_METHOD)
            inspector->methods[listed].number = i;
    }
    return ETI_OK;
}

static eti_status read_graph_of(eti_inspector *inspector, eti_method *method, eti_error *err) {
    eti_graph graph = inspector->graph;
    if (method->has_graph || method->number == ETI_NO_METHOD)
        return ETI_OK;
    if (method->number != inspector->method)
        ETI_TRY(eti__record_graph(inspector->opened_record, ETI_READ_LOWERED, method->number, NULL,
                                  &graph, NULL, err));
    method->has_graph = true;
    method->graph = eti__graph_whole(&graph);
    return graph.n_modules == 0 || find_calls(inspector, method, &inspector->arena)
               ? ETI_OK
               : eti_fail_memory(err);
}

const eti_method *eti__method_of(const eti_inspector *inspector, const eti_event_block *block) {
    size_t method =
        block->method_name.data ? eti__method_number(inspector, block->method_name) : ETI_NO_METHOD;
    return method != ETI_NO_METHOD ? &inspector->methods[method] : NULL;
}

bool eti__finds_methods(const eti_inspector *inspector) {
    return !inspector->options.no_attribution || inspector->shows_found_methods ||
           inspector->run_methods.data;
}

bool eti__dump_is_of_program(eti_inspector *inspector, const eti_etdump *dump) {
    const struct eti_file *program = inspector->program_files;
    if (!dump->note.program_sha256[0] || inspector->n_programs != 1 ||
        program->kind != ETI_FILE_PROGRAM)
        return false;
    if (!inspector->program_sha256[0])
        eti__sha256(program->data, program->size, inspector->program_sha256);
    return strcmp(inspector->program_sha256, dump->note.program_sha256) == 0;
}

bool eti__has_several_methods(const eti_inspector *inspector) {
    return inspector->n_methods > 1;
}

bool eti__method_ran(const eti_inspector *inspector, const eti_method *method) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        if (eti__text_equal(inspector->blocks.blocks[b].method_name, method->name))
            return true;
    }
    return inspector->blocks.n_blocks == 0 && method->number == inspector->method;
}

const eti_graph *eti__methods_graph(const eti_inspector *inspector, size_t number) {
    if (number == ETI_NO_METHOD)
        return NULL;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        const eti_method *method = &inspector->methods[i];
        if (method->number == number && method->has_graph)
            return &method->graph;
    }
    return number == inspector->method ? &inspector->graph : NULL;
}

void eti__methods_add_names(eti_buffer *out, const eti_inspector *inspector, uint64_t methods) {
    bool is_first = true;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (!(methods >> i & 1))
            continue;
        eti__buffer_add_string(out, is_first ? "" : ", ");
        eti__buffer_add_text(out, inspector->methods[i].name);
        is_first = false;
    }
}

static uint64_t count_unlike_kernels(const eti_event_block *block) {
    size_t left = ETI_NAMES_COMPARED;
    uint64_t n_compared = 0;
    return eti__count_unlike_kernels(block, &left, &n_compared);
}

/* ---- the best fit ---------------------------------------------------------------------------- */

static bool is_single(uint64_t methods) {
    return (methods & (methods - 1)) == 0;
}

/* Keeps the method unless another fits better, and drops methods that fit worse. */
static void keep_better(fitting *of, size_t method, const eti_method_fit *found) {
    bool is_better = found->n_unlike < of->best.n_unlike || (found->n_unlike == of->best.n_unlike &&
                                                             found->n_missing < of->best.n_missing);
    bool is_equal = found->n_unlike == of->best.n_unlike && found->n_missing == of->best.n_missing;
    if (of->methods == 0 || is_better) {
        of->best = *found;
        of->methods = UINT64_C(1) << method;
    } else if (is_equal) {
        of->methods |= UINT64_C(1) << method;
    }
}

/* With a program, no event may contradict its instructions; a record may lack a few, and name others that were renamed. */
static bool is_fit(const eti_method_fit *found, bool is_of_plan) {
    return found->n_compared > 0 &&
           (is_of_plan ? found->n_unlike == 0 : found->n_unlike <= found->n_compared / 4);
}

/* Returns the method that ran, if the notes of all dumps of a block name it for this program. */
static size_t recorded_method(eti_inspector *inspector, const eti_event_block *block) {
    const eti_etdump *last = NULL;
    for (size_t i = 0; i < block->n_runs; i++) {
        const eti_etdump *dump = block->runs[i].dump;
        if (dump == last)
            continue;
        if (!eti__dump_is_of_program(inspector, dump) ||
            (last && strcmp(last->note.method, dump->note.method) != 0))
            return ETI_NO_METHOD;
        last = dump;
    }
    return last ? eti__method_number(inspector, eti__text_of(last->note.method)) : ETI_NO_METHOD;
}

static eti_status fit_block(finder *f, size_t b, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    const eti_event_block *block = &inspector->blocks.blocks[b];
    fitting *of = &f->fittings[b];
    size_t recorded = recorded_method(inspector, block);
    for (int by_plan = 1; by_plan >= 0 && of->methods == 0; by_plan--) {
        for (size_t i = 0; i < inspector->n_methods; i++) {
            const eti_method *method = &inspector->methods[i];
            eti_method_fit found;
            if (by_plan ? method->plan == NULL : method->number == ETI_NO_METHOD)
                continue;
            if (!(by_plan ? eti__fit_plan(block, method->plan, &found)
                          : eti__fit_record(inspector, block, method->number, &found)))
                return eti_fail_memory(err);
            bool fits = is_fit(&found, by_plan);
            if (fits)
                keep_better(of, i, &found);
            if (fits && by_plan && i == recorded) {
                *of = (fitting){.best = found, .methods = UINT64_C(1) << i, .is_of_plan = true};
                return ETI_OK;
            }
        }
        of->is_of_plan = by_plan;
    }
    return ETI_OK;
}

/* ---- kernels' names -------------------------------------------------------------------------- */

static bool has_method(uint64_t methods, size_t method) {
    return method != ETI_NO_METHOD && (methods >> method & 1) != 0;
}

/* Returns whether the current method is one of several whose instructions in the record fit equally well, none of them
 * chosen by the user. */
static bool is_tied(const void *context, size_t block) {
    const finder *f = context;
    const fitting *of = &f->fittings[block];
    return !of->is_of_plan && !is_single(of->methods) && has_method(of->methods, f->method) &&
           !has_method(of->methods, f->chosen);
}

static bool any_block(const finder *f, eti_block_choice is_chosen) {
    for (size_t b = 0; b < f->inspector->blocks.n_blocks; b++) {
        if (is_chosen(f, b))
            return true;
    }
    return false;
}

/* Sets the attributes of the events of the chosen blocks according to the current method. */
static eti_status associate_with(finder *f, eti_block_choice is_chosen, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    eti_method *method = &inspector->methods[f->method];
    ETI_TRY(read_graph_of(inspector, method, err));
    return eti__associate(&inspector->blocks, &inspector->arena, inspector->record, method->number,
                          &method->graph, false, is_chosen, f, err);
}

/* Compares the kernels that ran with the operators of the tied methods. */
static eti_status break_ties(finder *f, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    size_t n_blocks = inspector->blocks.n_blocks;
    fitting *named = calloc(n_blocks + 1, sizeof *named);
    eti_status status = named ? ETI_OK : eti_fail_memory(err);
    for (f->method = 0; f->method < inspector->n_methods && status == ETI_OK; f->method++) {
        if (!any_block(f, is_tied))
            continue;
        status = associate_with(f, is_tied, err);
        for (size_t b = 0; b < n_blocks && status == ETI_OK; b++) {
            eti_method_fit found = {.n_unlike = 0};
            if (!is_tied(f, b))
                continue;
            f->fittings[b].was_tied = true;
            found.n_unlike = count_unlike_kernels(&inspector->blocks.blocks[b]);
            keep_better(&named[b], f->method, &found);
        }
    }
    for (size_t b = 0; b < n_blocks && status == ETI_OK; b++) {
        if (named[b].methods != 0)
            f->fittings[b].methods = named[b].methods;
    }
    free(named);
    return status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static void set_method(eti_event_block *block, const eti_method *method, bool has_plan) {
    block->method = method->number;
    block->method_name = method->name;
    block->plan = has_plan ? method->plan : NULL;
}

static size_t first_of(uint64_t methods) {
    size_t i = 0;
    while (!(methods >> i & 1))
        i++;
    return i;
}

/* Sets the method of a block. A block that fits no method, or only loads one, gets the only method if there is just one. */
static void settle_block(const finder *f, size_t b) {
    const eti_inspector *inspector = f->inspector;
    eti_event_block *block = &inspector->blocks.blocks[b];
    const fitting *of = &f->fittings[b];
    block->method = ETI_NO_METHOD;
    if (of->methods != 0 && is_single(of->methods))
        set_method(block, &inspector->methods[first_of(of->methods)], of->is_of_plan);
    else if (of->methods != 0)
        block->methods_that_fit = of->methods;
    else if (inspector->n_methods == 1)
        set_method(block, &inspector->methods[0], false);
}

/* Uses the chosen method if it fits, or if no method fits. If several fit, payloads may later show that another one ran. */
static void settle_chosen(const finder *f, size_t b) {
    const fitting *of = &f->fittings[b];
    eti_event_block *block = &f->inspector->blocks.blocks[b];
    if (has_method(of->methods, f->chosen)) {
        set_method(block, &f->inspector->methods[f->chosen], of->is_of_plan);
        block->methods_that_fit = is_single(of->methods) ? 0 : of->methods;
    } else if (of->methods == 0 && eti__block_has_instructions(block)) {
        set_method(block, &f->inspector->methods[f->chosen], false);
    } else {
        settle_block(f, b);
    }
}

/* Uses the user's label. Payloads may later show that it is wrong. */
static void settle_labelled(const finder *f, size_t b) {
    fitting *of = &f->fittings[b];
    eti_event_block *block = &f->inspector->blocks.blocks[b];
    set_method(block, &f->inspector->methods[of->label], of->is_of_plan);
    block->methods_that_fit = of->methods;
    of->methods = UINT64_C(1) << of->label;
}

/* Splits blocks by the user's labels of their runs. Each part fits the same methods as the whole. */
static eti_status split_labelled(finder *f, eti_error *err) {
    size_t n_blocks = f->inspector->blocks.n_blocks;
    eti_labelled_block *origins = NULL;
    uint64_t *fits = calloc(n_blocks + 1, sizeof *fits);
    for (size_t b = 0; fits && b < n_blocks; b++)
        fits[b] = f->fittings[b].methods;
    eti_status status =
        fits ? eti__run_labels_split(f->inspector, fits, &origins, err) : eti_fail_memory(err);
    n_blocks = f->inspector->blocks.n_blocks;
    fitting *fittings = status == ETI_OK ? calloc(n_blocks + 1, sizeof *fittings) : NULL;
    for (size_t b = 0; fittings && b < n_blocks; b++) {
        fittings[b] = f->fittings[origins[b].from];
        fittings[b].label = origins[b].method;
    }
    if (fittings) {
        free(f->fittings);
        f->fittings = fittings;
    } else if (status == ETI_OK) {
        status = eti_fail_memory(err);
    }
    free(origins);
    free(fits);
    return status;
}

/* ---- attributes of events -------------------------------------------------------------------- */

/* Returns whether the block ran the current method and does not have its attributes yet. */
static bool is_to_associate(const void *context, size_t block) {
    const finder *f = context;
    size_t method = f->inspector->blocks.blocks[block].method;
    return method != ETI_NO_METHOD && method == f->inspector->methods[f->method].number &&
           (method != f->inspector->method || f->fittings[block].was_tied ||
            f->inspector->graph.n_lowered > 0);
}

static eti_status associate_blocks(finder *f, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    for (f->method = 0; f->method < inspector->n_methods; f->method++) {
        if (any_block(f, is_to_associate))
            ETI_TRY(associate_with(f, is_to_associate, err));
    }
    return ETI_OK;
}

/* Returns the backend that a method calls at the instruction of an event; absent if none. */
static eti_text backend_of(const eti_inspector *inspector, const eti_method *method,
                           const eti_event *event) {
    const eti_text none = {NULL, 0};
    if (method->number != ETI_NO_METHOD) {
        const eti_delegate_call *call =
            eti__etrecord_find_delegate(inspector->record, method->number, event->instruction_id);
        return call ? call->backend_name : none;
    }
    const eti_pte_instruction *called =
        method->plan ? eti__event_instruction(event, method->plan) : NULL;
    return called && called->kind == ETI_PTE_DELEGATE_CALL
               ? method->plan->delegates[called->index].id
               : none;
}

/* Returns the backend that all the methods call there; absent if they differ. */
static eti_text common_backend(const eti_inspector *inspector, uint64_t methods,
                               const eti_event *event) {
    eti_text common = backend_of(inspector, &inspector->methods[first_of(methods)], event);
    for (methods &= methods - 1; methods != 0; methods &= methods - 1) {
        eti_text own = backend_of(inspector, &inspector->methods[first_of(methods)], event);
        if (!eti__text_equal(own, common))
            return (eti_text){NULL, 0};
    }
    return common;
}

/* Sets only the backends of a block that ran one of `methods`, for which no graph is known. False: out of memory. */
static bool fill_backends(const eti_inspector *inspector, eti_event_block *block, uint64_t methods,
                          eti_arena *arena) {
    const eti_event_record *last = &eti__no_record;
    block->association = (eti_association){0};
    for (size_t i = 0; block->events && i < block->n_events; i++) {
        eti_event *event = &block->events[i];
        bool is_call = event->is_delegated_op || eti__text_is(event->name, "DELEGATE_CALL");
        event->known = &eti__no_record;
        if (!is_call || methods == 0 || !eti__event_has_instruction(event))
            continue;
        eti_text backend = common_backend(inspector, methods, event);
        if (backend.data && !eti__text_equal(last->backend_name, backend)) {
            eti_event_record *made = eti__arena_alloc(arena, 1, sizeof *made);
            if (!made)
                return false;
            *made = eti__no_record;
            made->backend_name = backend;
            last = made;
        }
        if (backend.data)
            event->known = last;
    }
    return true;
}

/* Returns whether the current method is one that fits the block. */
static bool is_chosen_now(const void *context, size_t block) {
    const finder *f = context;
    return (f->fittings[block].methods >> f->method & 1) != 0;
}

static eti_status associate_chosen(finder *f, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    for (f->method = 0; f->method < inspector->n_methods; f->method++) {
        if (inspector->methods[f->method].number != ETI_NO_METHOD && any_block(f, is_chosen_now))
            ETI_TRY(associate_with(f, is_chosen_now, err));
    }
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        if (f->fittings[b].methods != 0 && block->method == ETI_NO_METHOD &&
            !fill_backends(inspector, block, f->fittings[b].methods, &inspector->arena))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

static bool fill_others(const finder *f) {
    eti_inspector *inspector = f->inspector;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        if (block->method == ETI_NO_METHOD &&
            !fill_backends(inspector, block, f->fittings[b].methods, &inspector->arena))
            return false;
    }
    return true;
}

/* Gives the Inspector's columns the method of each block, or only of those that the user labelled. */
static void show_found_methods(eti_inspector *inspector) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        bool is_shown = inspector->shows_found_methods ||
                        (block->is_labelled && !inspector->options.reference_graph);
        for (size_t i = 0; is_shown && block->method != ETI_NO_METHOD && i < block->n_events; i++)
            block->events[i].record = block->events[i].known;
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

static eti_status find_chosen(const eti_inspector *inspector, size_t *out, eti_error *err) {
    const char *wanted = inspector->options.method;
    *out = eti__method_number(inspector, eti__text_of(wanted));
    if (*out != ETI_NO_METHOD)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE, "%smethod: there is no method %s in %s",
                    eti__option_prefix(), wanted, inspector->program_files[0].name);
}

/* Records other methods that fit better than the chosen one, although the Inspector's columns are those of the chosen
 * method. */
static void note_better(const finder *f) {
    for (size_t b = 0; f->chosen != ETI_NO_METHOD && b < f->inspector->blocks.n_blocks; b++) {
        uint64_t methods = f->fittings[b].methods;
        if (!has_method(methods, f->chosen))
            f->inspector->blocks.blocks[b].methods_that_fit = methods;
    }
}

static eti_status find_methods(finder *f, eti_error *err) {
    eti_inspector *inspector = f->inspector;
    size_t n_blocks = inspector->blocks.n_blocks;
    if (inspector->options.method)
        ETI_TRY(find_chosen(inspector, &f->chosen, err));
    bool is_single_record = inspector->n_methods == 1 && !inspector->methods[0].plan;
    for (size_t b = 0; b < n_blocks && !is_single_record; b++)
        ETI_TRY(fit_block(f, b, err));
    if (!eti__finds_methods(inspector)) {
        note_better(f);
        return ETI_OK;
    }
    ETI_TRY(break_ties(f, err));
    for (size_t b = 0; b < n_blocks; b++)
        f->fittings[b].label = ETI_NO_METHOD;
    if (inspector->run_methods.data)
        ETI_TRY(split_labelled(f, err));
    n_blocks = inspector->blocks.n_blocks;
    for (size_t b = 0; b < n_blocks; b++) {
        if (f->fittings[b].label != ETI_NO_METHOD)
            settle_labelled(f, b);
        else if (f->chosen == ETI_NO_METHOD)
            settle_block(f, b);
        else
            settle_chosen(f, b);
    }
    ETI_TRY(associate_blocks(f, err));
    show_found_methods(inspector);
    return fill_others(f) ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) {
    ETI_TRY(list_methods(inspector, err));
    if (inspector->n_methods == 0)
        return ETI_OK;
    finder f = {.inspector = inspector,
                .chosen = ETI_NO_METHOD,
                .fittings = calloc(inspector->blocks.n_blocks + 1, sizeof *f.fittings)};
    eti_status status = f.fittings ? find_methods(&f, err) : eti_fail_memory(err);
    free(f.fittings);
    return status;
}

/* ---- trying ---------------------------------------------------------------------------------- */

static bool is_open(const eti_event_block *block) {
    return block->methods_that_fit != 0 && !block->method_name.data;
}

eti_status eti__methods_try(eti_inspector *inspector, size_t number, bool *any, eti_error *err) {
    const size_t n_blocks = inspector->blocks.n_blocks;
    const eti_method *method = &inspector->methods[number];
    finder f = {.inspector = inspector,
                .method = number,
                .fittings = calloc(n_blocks + 1, sizeof *f.fittings)};
    eti_status status = f.fittings ? ETI_OK : eti_fail_memory(err);
    *any = false;
    inspector->tries_methods = true;
    for (size_t b = 0; b < n_blocks && status == ETI_OK; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        const eti_pte_instruction *ignored;
        block->has_candidates = block->has_candidates || is_open(block);
        block->is_tried = block->has_candidates && has_method(block->methods_that_fit, number);
        if (!block->is_tried)
            continue;
        *any = true;
        f.fittings[b].methods = UINT64_C(1) << number;
        set_method(block, method,
                   method->plan && !eti__first_misfit(block, method->plan, &ignored));
        if (method->number == ETI_NO_METHOD &&
            !fill_backends(inspector, block, f.fittings[b].methods, &inspector->arena))
            status = eti_fail_memory(err);
    }
    if (status == ETI_OK && *any && method->number != ETI_NO_METHOD)
        status = associate_with(&f, is_chosen_now, err);
    free(f.fittings);
    return status;
}

void eti__methods_end_trial(eti_inspector *inspector) {
    inspector->tries_methods = false;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        if (!block->has_candidates)
            continue;
        block->is_tried = block->has_other_payloads = false;
        block->method = ETI_NO_METHOD;
        block->method_name = (eti_text){NULL, 0};
        block->plan = NULL;
        block->association = (eti_association){0};
    }
}

eti_status eti__methods_choose(eti_inspector *inspector, const uint64_t *methods, eti_error *err) {
    const size_t n_blocks = inspector->blocks.n_blocks;
    finder f = {.inspector = inspector,
                .chosen = ETI_NO_METHOD,
                .fittings = calloc(n_blocks + 1, sizeof *f.fittings)};
    eti_status status = f.fittings ? ETI_OK : eti_fail_memory(err);
    for (size_t b = 0; b < n_blocks && status == ETI_OK; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        if (methods[b] == 0 || !is_single(methods[b]))
            continue;
        const eti_method *method = &inspector->methods[first_of(methods[b])];
        const eti_pte_instruction *ignored;
        set_method(block, method,
                   method->plan && !eti__first_misfit(block, method->plan, &ignored));
        block->methods_that_fit = 0;
        f.fittings[b] = (fitting){.methods = methods[b], .is_of_plan = true, .was_tied = true};
    }
    if (status == ETI_OK)
        status = associate_chosen(&f, err);
    show_found_methods(inspector);
    free(f.fittings);
    if (status == ETI_OK && !eti__blocks_label(&inspector->blocks, true, &inspector->arena))
        status = eti_fail_memory(err);
    return status;
}
