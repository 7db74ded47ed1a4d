#include "rollup/steps.h"

#include "rollup/group_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies ---------------------------------------------------------------------------------- */

/* Returns whether a kernel changes only the layout or the type of a tensor. */
static bool is_copy(eti_text op) {
    static const char *const copies[] = {"_to_dim_order_copy", "_clone_dim_order", "_to_copy",
                                         "clone"};
    eti_text name = eti__operator_name(op), base = name.data ? name : op;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        if (eti__text_is(base, copies[i]))
            return true;
    }
    return eti__text_begins_with(base, "quantize_per_") ||
           eti__text_begins_with(base, "dequantize_per_");
}

/* Returns whether an operator that a delegate logged is such a copy. A transpose that the model asks for is not. */
static bool is_logged_copy(const eti_event *event) {
    if (eti__text_begins_with(event->name, "Convert"))
        return true;
    if (!eti__text_begins_with(event->name, "Transpose"))
        return false;
    eti_text op = eti__event_op(event);
    return !eti__text_contains(op, eti__text_of("permute")) &&
           !eti__text_contains(op, eti__text_of("transpose"));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool add_step(eti_steps *steps, eti_step_key key, eti_text name, uint32_t *number) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_step),
                                         .key_size = sizeof(eti_step_key)};
    const eti_step step = {.key = key, .is_copy = key.kind == ETI_STEP_KERNEL && is_copy(name)};
    return eti__intern_add(&steps->all.table, &kind, &step, number);
}

static bool add_to_order(eti_steps *steps, uint32_t step) {
    if (!ETI_GROW(steps->order, steps->order_capacity, steps->n_order + 1))
        return false;
    steps->order[steps->n_order++] = step;
    return true;
}

/* Numbers names from 0; the names of operators are those of op_type.h. */
static bool number_name(eti_steps *steps, eti_text name, uint32_t *out) {
    return eti__shared_texts_add(&steps->names, name, out);
}

/* ---- steps of blocks ------------------------------------------------------------------------- */

/* A block whose Events are visited. */
typedef struct block_steps {
    eti_steps *steps;
    const eti_account *account;
    const eti_place *places;
    uint32_t method;
    uint32_t *of_event; /* per Event: the number of its step, or ETI_NO_STEP */
    uint32_t *groups;
} block_steps;

/* Returns the backend of a delegate call, from the ETRecord or else from the program. */
static eti_text backend_of(const block_steps *b, size_t call) {
    const eti_pte_plan *plan = b->account->block->plan;
    const eti_pte_instruction *instruction = NULL;
    eti_text name = eti__account_backend(b->account, call);
    if (name.size == 0 && plan)
        instruction = eti__event_instruction(&b->account->block->events[call], plan);
    if (instruction && instruction->kind == ETI_PTE_DELEGATE_CALL)
        name = plan->delegates[instruction->index].id;
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_UNKNOWN);
}

static bool find_step(block_steps *b, size_t i, eti_step_kind kind) {
    const eti_event *event = &b->account->block->events[i];
    eti_op_type op = eti__op_type_of(b->account, i);
    eti_text name = kind == ETI_STEP_DELEGATE ? backend_of(b, i) : op.name;
    eti_step_key key = {.method = b->method, .instruction = event->instruction_id, .kind = kind};
    if (!number_name(b->steps, name, &key.name) || !add_step(b->steps, key, name, &b->of_event[i]))
        return false;
    eti_step *step = &b->steps->all.items[b->of_event[i]];
    step->place = b->places[i];
    return add_to_order(b->steps, b->of_event[i]);
}

static bool find_steps(block_steps *b) {
    bool done = add_to_order(b->steps, ETI_FIRST_STEP);
    for (size_t i = 0; i < b->account->block->n_events && done; i++) {
        eti_role role = eti__account_role(b->account, i);
        b->of_event[i] = ETI_NO_STEP;
        if (!b->account->events[i].is_counted)
            continue;
        if (role == ETI_ROLE_KERNEL)
            done = find_step(b, i, ETI_STEP_KERNEL);
        else if (role == ETI_ROLE_DELEGATE_CALL || role == ETI_ROLE_NOT_LOGGED)
            done = find_step(b, i, ETI_STEP_DELEGATE);
        else if (role == ETI_ROLE_INSTRUCTION)
            done = add_to_order(b->steps, ETI_NO_STEP);
    }
    return done;
}

static void set_group(block_steps *b, size_t event, size_t step_event, eti_step_part part) {
    uint32_t step = b->of_event[step_event];
    b->groups[event] = step == ETI_NO_STEP ? ETI_STEP_NO_GROUP : eti__step_group(step, part);
}

/* Adds the time around a kernel to the kernel's step. */
static void group_around(block_steps *b, size_t kernel) {
    uint32_t parent = b->account->events[kernel].parent;
    if (parent != ETI_NO_EVENT && b->account->events[parent].is_counted &&
        eti__account_role(b->account, parent) == ETI_ROLE_OPERATOR_CALL)
        set_group(b, parent, kernel, ETI_STEP_AROUND);
}

/* Groups the operators of delegate calls. The operators of one call come in order, but operators of other calls may
 * come between them. Copies before the first other operator of the call and after the last one are at the edges of
 * the call. `last_work` and `has_begun` are per Event, for calls. */
static bool group_delegated(block_steps *b, const size_t *last_work, bool *has_begun, size_t i) {
    const eti_event *event = &b->account->block->events[i];
    size_t call = eti__account_call_of(b->account, i);
    bool copies = is_logged_copy(event), is_new = false;
    eti_step_part part = ETI_STEP_WORK;
    has_begun[call] |= !copies;
    if (copies && !has_begun[call])
        part = ETI_STEP_COPY_IN;
    else if (copies && i > last_work[call])
        part = ETI_STEP_COPY_OUT;
    set_group(b, i, call, part);
    if (b->of_event[call] == ETI_NO_STEP)
        return true;
    bool done = eti__distinct_events_add(&b->steps->distinct, event, &is_new);
    b->steps->all.items[b->of_event[call]].n_operators += is_new;
    return done;
}

static bool group_block(block_steps *b) {
    size_t n = b->account->block->n_events;
    size_t *last_work = calloc(n + 1, sizeof *last_work);
    bool *has_begun = calloc(n + 1, sizeof *has_begun);
    bool done = last_work && has_begun;
    for (size_t i = 0; i < n && done; i++) {
        if (b->account->events[i].is_counted)
            b->groups[i] = ETI_STEP_NO_GROUP;
        if (eti__account_role(b->account, i) == ETI_ROLE_DELEGATED &&
            !is_logged_copy(&b->account->block->events[i]))
            last_work[eti__account_call_of(b->account, i)] = i;
    }
    for (size_t i = 0; i < n && done; i++) {
        eti_role role = eti__account_role(b->account, i);
        if (!b->account->events[i].is_counted)
            continue;
        if (role == ETI_ROLE_DELEGATED)
            done = group_delegated(b, last_work, has_begun, i);
        else if (b->of_event[i] != ETI_NO_STEP)
            set_group(b, i, i, role == ETI_ROLE_NOT_LOGGED ? ETI_STEP_NOT_LOGGED : ETI_STEP_WORK);
        if (role == ETI_ROLE_KERNEL)
            group_around(b, i);
    }
    free(last_work);
    free(has_begun);
    return done;
}

/* Numbers a method; blocks of one method share its steps. */
static bool number_method(eti_steps *steps, const eti_event_block *block, uint32_t *out) {
    eti_text name = eti__block_method(steps->distinct.inspector, block);
    if (name.size > 0)
        return eti__shared_texts_add(&steps->methods, name, out);
    *out = UINT32_MAX - (uint32_t)steps->n_order; /* n_order grows with each block */
    return true;
}

static bool group_events(void *context, const eti_account *account, uint32_t *groups) {
    eti_steps *steps = context;
    eti_place *places = eti__places_of_block(&steps->places, account);
    block_steps b = {.steps = steps, .account = account, .places = places, .groups = groups};
    b.of_event = calloc(account->block->n_events + 1, sizeof *b.of_event);
    bool done = places && b.of_event && number_method(steps, account->block, &b.method) &&
                find_steps(&b) && group_block(&b);
    free(b.of_event);
    free(places);
    return done;
}

/* ---- steps of a program ---------------------------------------------------------------------- */

/* The nodes of a method in the ETRecord; starts as all zeros. */
typedef struct recorded_nodes {
    const eti_etrecord *record; /* NULL: it has no graph of the method */
    size_t method;
    eti_handle_index by_handle;
} recorded_nodes;

static bool find_recorded(recorded_nodes *out, const eti_inspector *inspector, eti_text method) {
    size_t n = inspector->record ? eti__etrecord_method_count(inspector->record) : 0;
    for (out->method = 0; out->method < n; out->method++) {
        if (eti__text_equal(eti__etrecord_method_name(inspector->record, out->method), method))
            break;
    }
    const eti_graph *graph = out->method < n ? eti__methods_graph(inspector, out->method) : NULL;
    if (!graph)
        return true;
    out->record = inspector->record;
    return eti__handle_index_init(&out->by_handle, graph);
}

/* Counts the nodes that have one of the handles that the ETRecord lists for a call. False: out of memory. */
static bool count_recorded(const recorded_nodes *recorded, int32_t instruction, uint64_t *n) {
    static const eti_intern_kind kind = {sizeof(int64_t), sizeof(int64_t), NULL, NULL};
    ETI_INTERN_OF(int64_t) seen = {{0}};
    eti_debug_handles handles;
    bool done = true;
    *n = 0;
    if (!recorded->record ||
        !eti__etrecord_find_handles(recorded->record, recorded->method, instruction, &handles))
        return true;
    for (size_t i = 0; i < handles.n && done; i++) {
        const int64_t handle = handles.handles[i];
        const eti_handle_index *index = &recorded->by_handle;
        const size_t n_before = seen.count;
        uint32_t number = 0;
        done = eti__intern_add(&seen.table, &kind, &handle, &number);
        if (number == n_before && done)
            *n += (handle < INT64_MAX ? eti__handle_index_first(index, handle + 1) : index->n) -
                  eti__handle_index_first(index, handle);
    }
    eti__intern_free(&seen.table);
    return done;
}

/* Adds the call of a delegate. If its payload cannot be read, its operators are the nodes of the ETRecord. */
static eti_status add_delegate(eti_steps *steps, eti_payloads *payloads,
                               const recorded_nodes *recorded, eti_step_key key,
                               const eti_pte_delegate *delegate, eti_error *err) {
    const eti_xnnpack *graph;
    uint32_t number;
    ETI_TRY(eti__payloads_find(payloads, delegate->id, delegate->payload, &graph, err));
    if (!number_name(steps, delegate->id, &key.name) ||
        !add_step(steps, key, delegate->id, &number) || !add_to_order(steps, number))
        return eti_fail_memory(err);
    if (graph)
        steps->all.items[number].n_operators = graph->n_nodes;
    else if (!count_recorded(recorded, key.instruction, &steps->all.items[number].n_operators))
        return eti_fail_memory(err);
    return ETI_OK;
}

static eti_status add_kernel(eti_steps *steps, eti_step_key key, const eti_pte_operator *op,
                             eti_buffer *scratch, eti_error *err) {
    uint32_t number;
    eti_text name;
    scratch->size = 0;
    eti__operator_add_name(scratch, op);
    if (scratch->failed || !eti__text_table_add(&steps->names.texts, eti__buffer_text(scratch),
                                                &steps->arena, &key.name))
        return eti_fail_memory(err);
    name = steps->names.texts.texts[key.name];
    return add_step(steps, key, name, &number) && add_to_order(steps, number)
               ? ETI_OK
               : eti_fail_memory(err);
}

static eti_status add_plan(eti_steps *steps, eti_payloads *payloads, const recorded_nodes *recorded,
                           const eti_pte_plan *plan, eti_buffer *scratch, eti_error *err) {
    eti_calls calls;
    uint32_t method;
    ETI_TRY(eti__calls_make(&calls, &steps->arena, plan, err));
    if (!eti__shared_texts_add(&steps->methods, plan->name, &method) ||
        !add_to_order(steps, ETI_FIRST_STEP))
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < calls.n; i++) {
        const eti_pte_instruction *call = calls.items[i];
        eti_step_key key = {.method = method, .instruction = (int32_t)i};
        if (call->kind == ETI_PTE_KERNEL_CALL) {
            key.kind = ETI_STEP_KERNEL;
            ETI_TRY(add_kernel(steps, key, &plan->operators[call->index], scratch, err));
        } else if (call->kind == ETI_PTE_DELEGATE_CALL) {
            key.kind = ETI_STEP_DELEGATE;
            ETI_TRY(
                add_delegate(steps, payloads, recorded, key, &plan->delegates[call->index], err));
        } else if (call->kind != ETI_PTE_FREE_CALL && !add_to_order(steps, ETI_NO_STEP)) {
            return eti_fail_memory(err);
        }
    }
    return ETI_OK;
}

static eti_status add_program(eti_steps *steps, const eti_pte *program, eti_error *err) {
    eti_payloads payloads = {.arena = &steps->arena};
    eti_buffer scratch = {0};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < program->n_plans && status == ETI_OK; i++) {
        const eti_pte_plan *plan = &program->plans[i];
        recorded_nodes recorded = {0};
        status = find_recorded(&recorded, steps->distinct.inspector, plan->name)
                     ? add_plan(steps, &payloads, &recorded, plan, &scratch, err)
                     : eti_fail_memory(err);
        eti__handle_index_free(&recorded.by_handle);
    }
    eti__payloads_free(&payloads);
    eti__buffer_free(&scratch);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__steps_make(eti_steps *out, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) {
    *out = (eti_steps){0};
    if (!eti__places_init(&out->places))
        return eti_fail_memory(err);
    out->has_times = inspector->n_dumps > 0;
    out->distinct.inspector = inspector;
    if (!out->has_times)
        return inspector->n_programs > 0 ? add_program(out, &inspector->programs[0], err) : ETI_OK;
    return eti__rollup_make(&out->rollup, inspector, options, NULL, group_events, out, err);
}

void eti__steps_free(eti_steps *steps) {
    eti__distinct_events_free(&steps->distinct);
    eti__intern_free(&steps->all.table);
    free(steps->order);
    eti__shared_texts_free(&steps->names);
    eti__shared_texts_free(&steps->methods);
    eti__places_free(&steps->places);
    eti__rollup_free(&steps->rollup);
    eti__arena_free(&steps->arena);
    *steps = (eti_steps){0};
}
