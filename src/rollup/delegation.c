#include "rollup/delegation.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== steps =================================================================================== */

typedef enum eti_step_kind {
    ETI_STEP_KERNEL,
    ETI_STEP_DELEGATE,
    ETI_STEP_BARRIER, /* an instruction that no delegate can take, such as a jump or a move */
} eti_step_kind;

/* Part of the time of a step. */
typedef enum eti_step_part {
    ETI_STEP_WORK,       /* operators */
    ETI_STEP_AROUND,     /* the runtime, around a kernel */
    ETI_STEP_COPY_IN,    /* copies that a delegate logs before its other operators */
    ETI_STEP_COPY_OUT,   /* copies that it logs after its other operators */
    ETI_STEP_NOT_LOGGED, /* time of a delegate call that is not logged */
    ETI_N_STEP_PARTS,
} eti_step_part;

/* Group of the rollup for time that belongs to no step; step_group() returns the other
 * groups. */
#define ETI_STEP_NO_GROUP 0

/* Returns the group of a part of a step. */
static inline uint32_t step_group(uint32_t step, eti_step_part part) {
    return 1 + step * ETI_N_STEP_PARTS + (uint32_t)part;
}

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

/* Numbers names from 0; the names of operators are those of rollup.h. */
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
    b->groups[event] = step == ETI_NO_STEP ? ETI_STEP_NO_GROUP : step_group(step, part);
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
    eti_role role = eti__account_role(b->account, i);
    bool copies = is_logged_copy(&b->account->block->events[i]), is_new = false;
    bool is_overhead = eti__role_is_around(role);
    eti_step_part part = is_overhead ? ETI_STEP_NOT_LOGGED : ETI_STEP_WORK;
    has_begun[call] |= !copies && !is_overhead;
    if (copies && !has_begun[call])
        part = ETI_STEP_COPY_IN;
    else if (copies && i > last_work[call])
        part = ETI_STEP_COPY_OUT;
    set_group(b, i, call, part);
    if (b->of_event[call] == ETI_NO_STEP || !eti__role_is_work(role))
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
        eti_role role = eti__account_role(b->account, i);
        if (eti__role_is_logged(role) && eti__role_is_work(role) &&
            !is_logged_copy(&b->account->block->events[i]))
            last_work[eti__account_call_of(b->account, i)] = i;
    }
    for (size_t i = 0; i < n && done; i++) {
        eti_role role = eti__account_role(b->account, i);
        if (!b->account->events[i].is_counted)
            continue;
        if (eti__role_is_logged(role))
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
    size_t n = eti__uses_record(inspector) ? eti__etrecord_method_count(inspector->record) : 0;
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
    const eti_vulkan *vulkan;
    const eti_coreml *coreml;
    const eti_native *native;
    uint32_t number;
    ETI_TRY(eti__payloads_find(payloads, delegate->id, delegate->payload, &graph, err));
    ETI_TRY(eti__payloads_find_vulkan(payloads, delegate->id, delegate->payload, &vulkan, err));
    ETI_TRY(eti__payloads_find_coreml(payloads, delegate->id, delegate->payload, &coreml, err));
    ETI_TRY(eti__payloads_find_native(payloads, delegate->id, delegate->payload, &native, err));
    if (!number_name(steps, delegate->id, &key.name) ||
        !add_step(steps, key, delegate->id, &number) || !add_to_order(steps, number))
        return eti_fail_memory(err);
    if (graph)
        steps->all.items[number].n_operators = graph->n_nodes;
    else if (vulkan)
        steps->all.items[number].n_operators = eti__vulkan_count_run(vulkan);
    else if (coreml)
        steps->all.items[number].n_operators = coreml->n_operators;
    else if (native)
        steps->all.items[number].n_operators = native->n_nodes;
    else if (!count_recorded(recorded, key.instruction, &steps->all.items[number].n_operators))
        return eti_fail_memory(err);
    return ETI_OK;
}

/* Finds the operator and the place that the ETRecord has for an instruction; `*name` is absent if it has none. Returns false if
 * memory runs out. */
static bool find_kernel_place(eti_steps *steps, eti_call_places *recorded, uint32_t instruction,
                              eti_text *name, eti_place *place) {
    eti_call_place ignored;
    *name = (eti_text){NULL, 0};
    *place = (eti_place){0};
    if (!eti__call_places_find(recorded, instruction, &ignored))
        return false;
    if (recorded->n_found == 0)
        return true;
    const eti_op_node **nodes = eti__arena_alloc(&steps->arena, recorded->n_found, sizeof *nodes);
    if (!nodes)
        return false;
    memcpy((void *)nodes, (const void *)recorded->found, recorded->n_found * sizeof *nodes);
    const eti_event_record record = {.op_nodes = nodes, .n_op_nodes = recorded->n_found};
    const eti_event event = {.known = &record};
    *name = eti__event_op(&event);
    if (!name->data)
        *name = eti__text_of(ETI_GROUP_SEVERAL_OPS);
    return eti__places_of_event(&steps->places, &event, place);
}

/* Adds the call of a kernel, with the operator of the ETRecord or else that of the program. */
static eti_status add_step_kernel(eti_steps *steps, eti_step_key key, const eti_pte_operator *op,
                                  eti_call_places *recorded, eti_buffer *scratch, eti_error *err) {
    uint32_t number;
    eti_text name;
    eti_place place;
    if (!find_kernel_place(steps, recorded, (uint32_t)key.instruction, &name, &place))
        return eti_fail_memory(err);
    scratch->size = 0;
    if (name.data)
        eti__buffer_add_text(scratch, name);
    else
        eti__operator_add_name(scratch, op);
    if (scratch->failed || !eti__text_table_add(&steps->names.texts, eti__buffer_text(scratch),
                                                &steps->arena, &key.name))
        return eti_fail_memory(err);
    name = steps->names.texts.texts[key.name];
    if (!add_step(steps, key, name, &number) || !add_to_order(steps, number))
        return eti_fail_memory(err);
    steps->all.items[number].place = place;
    return ETI_OK;
}

static eti_status add_plan(eti_steps *steps, eti_payloads *payloads, const recorded_nodes *recorded,
                           eti_call_places *kernels, const eti_pte_plan *plan, eti_buffer *scratch,
                           eti_error *err) {
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
            ETI_TRY(
                add_step_kernel(steps, key, &plan->operators[call->index], kernels, scratch, err));
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

/* Adds a method, with operators and places of the ETRecord, if there is one. */
static eti_status add_method(eti_steps *steps, eti_payloads *payloads, const eti_pte *program,
                             uint32_t number, eti_buffer *scratch, eti_error *err) {
    const eti_inspector *inspector = steps->distinct.inspector;
    const eti_pte_plan *plan = &program->plans[number];
    recorded_nodes recorded = {0};
    eti_planned_method method;
    eti_call_places kernels = {0};
    eti_status status =
        find_recorded(&recorded, inspector, plan->name) ? ETI_OK : eti_fail_memory(err);
    if (status == ETI_OK && eti__record_method_of_plan(inspector, program, plan) != ETI_NO_METHOD) {
        status = eti__planned_method_make(&method, &steps->arena, inspector, program, number, err);
        if (status == ETI_OK)
            status = eti__call_places_init(&kernels, inspector, &method, err);
    }
    if (status == ETI_OK)
        status = add_plan(steps, payloads, &recorded, &kernels, plan, scratch, err);
    eti__call_places_free(&kernels);
    eti__handle_index_free(&recorded.by_handle);
    return status;
}

static eti_status add_program(eti_steps *steps, const eti_pte *program, eti_error *err) {
    eti_payloads payloads = {.arena = &steps->arena};
    eti_buffer scratch = {0};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < program->n_plans && status == ETI_OK; i++)
        status = add_method(steps, &payloads, program, i, &scratch, err);
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
    return eti__rollup_make(&out->rollup, inspector, options, group_events, out, err);
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

/* ==== step regions ============================================================================ */
/* Finds kernels between two delegate calls that also have control flow between them.
 *
 * Blocks of one method may take different branches from one call to the other: a region has the
 * kernels of all of them, in order of their instructions. A kernel is in at most one region. */

typedef struct eti_step_region {
    size_t position;   /* in the order of steps: of the first kernel of the block that came first */
    size_t first, end; /* range of its kernels in steps->order, behind the order of steps */
} eti_step_region;

/* Initialize to all zeros. */
typedef struct eti_step_regions {
    eti_step_region *items; /* by position */
    size_t n;
} eti_step_regions;

/* The delegate calls at both ends of a region. */
typedef struct ends {
    uint32_t before, after; /* steps */
    size_t position;
} ends;

/* A kernel of a region. */
typedef struct member {
    uint32_t region, step;
    int32_t instruction;
} member;

typedef struct finder {
    eti_steps *steps;
    ETI_INTERN_OF(ends) all;
    member *members;
    size_t n_members;
    bool *is_member; /* per step */
} finder;

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_delegate(const eti_steps *steps, uint32_t step) {
    return step < ETI_FIRST_STEP && steps->all.items[step].key.kind == ETI_STEP_DELEGATE;
}

/* Adds the kernels of a range of the order, unless they are in a region already. */
static bool add_members(finder *f, size_t first, size_t end) {
    static const eti_intern_kind kind = {.item_size = sizeof(ends),
                                         .key_size = 2 * sizeof(uint32_t)};
    const uint32_t *order = f->steps->order;
    const ends region = {order[first - 1], order[end], first};
    uint32_t number;
    if (!eti__intern_add(&f->all.table, &kind, &region, &number))
        return false;
    for (size_t i = first; i < end; i++) {
        if (order[i] == ETI_NO_STEP || f->is_member[order[i]])
            continue;
        f->is_member[order[i]] = true;
        f->members[f->n_members++] =
            (member){number, order[i], f->steps->all.items[order[i]].key.instruction};
    }
    return true;
}

static bool find_members(finder *f) {
    const eti_steps *steps = f->steps;
    for (size_t i = 0, end; i < steps->n_order; i = end) {
        size_t n_barriers = 0;
        end = i + 1;
        if (!is_delegate(steps, steps->order[i]))
            continue;
        for (; end < steps->n_order && steps->order[end] != ETI_FIRST_STEP &&
               !is_delegate(steps, steps->order[end]);
             end++)
            n_barriers += steps->order[end] == ETI_NO_STEP;
        if (end < steps->n_order && is_delegate(steps, steps->order[end]) && n_barriers > 0 &&
            end - i - 1 > n_barriers && !add_members(f, i + 1, end))
            return false;
    }
    return true;
}

/* ---- storing --------------------------------------------------------------------------------- */

static int compare_members(const void *a, const void *b, void *context) {
    const member *x = a, *y = b;
    (void)context;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->instruction != y->instruction)
        return x->instruction < y->instruction ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* Stores the regions behind the order of steps. Those whose kernels are all in other regions are left out. */
static bool store(finder *f, eti_step_regions *out) {
    eti_steps *steps = f->steps;
    size_t at = steps->n_order, n_items = f->n_members + 2 * f->all.count;
    eti__sort(f->members, f->n_members, sizeof *f->members, compare_members, NULL);
    out->items = calloc(f->all.count + 1, sizeof *out->items);
    if (!out->items || !ETI_GROW(steps->order, steps->order_capacity, at + n_items))
        return false;
    for (size_t i = 0; i < f->n_members;) {
        const uint32_t number = f->members[i].region;
        const ends *region = &f->all.items[number];
        steps->order[at++] = region->before;
        eti_step_region *next = &out->items[out->n++];
        *next = (eti_step_region){.position = region->position, .first = at};
        for (; i < f->n_members && f->members[i].region == number; i++)
            steps->order[at++] = f->members[i].step;
        next->end = at;
        steps->order[at++] = region->after;
    }
    return true;
}

/* Finds the regions, and stores each behind the last step of steps->order: the delegate call before it, its kernels, the
 * delegate call after it. Returns false if memory runs out; free `out` in any case. */
static bool find_step_regions(eti_step_regions *out, eti_steps *steps) {
    finder f = {.steps = steps};
    *out = (eti_step_regions){0};
    f.members = calloc(steps->all.count + 1, sizeof *f.members);
    f.is_member = calloc(steps->all.count + 1, sizeof *f.is_member);
    bool done = f.members && f.is_member && find_members(&f) && store(&f, out);
    eti__intern_free(&f.all.table);
    free(f.members);
    free(f.is_member);
    return done;
}

static void free_step_regions(eti_step_regions *regions) {
    free(regions->items);
    *regions = (eti_step_regions){0};
}

/* ==== delegation ============================================================================== */

/* A list of groups whose times are added up, each group once, with scratch space. */
typedef struct adder {
    const eti_rollup *rollup;
    uint32_t *groups;
    size_t n;
    uint32_t *marks; /* per group: the last turn in which it was added */
    uint32_t turn;
    eti_group_sum *sums;
    double *scratch;
} adder;

typedef struct maker {
    eti_delegation *out;
    const eti_steps *steps;
    eti_step_regions regions;
    const eti_inspector *inspector;
    const eti_view_options *options;
    bool finds_medians;
    adder cost, copies, around;
    /* Linked lists of steps per name, chained by `next` and terminated by ETI_NO_STEP. */
    uint32_t *kernels, *delegates, *next;
    /* Linked lists of splits, by number, that disappear if all calls of an operator are delegated: per name, chained
     * by `next_split`. */
    uint32_t *lone_splits, *next_split;
    bool *begins_split, *is_in_split; /* per step */
    bool *is_in_cost;                 /* per group: a split has it as a copy */
    eti_time_sum *overhead;           /* per name: smallest unlogged time of its calls */
    uint32_t *backend_of;             /* per name: index into the backends, or ETI_NO_STEP */
} maker;

/* ---- adding up ------------------------------------------------------------------------------- */

static bool adder_init(adder *a, const eti_steps *steps) {
    size_t n_groups = 1 + steps->all.count * ETI_N_STEP_PARTS, n_runs = steps->rollup.runs.n;
    a->rollup = &steps->rollup;
    a->turn = 1;
    a->groups = calloc(n_groups, sizeof *a->groups);
    a->marks = calloc(n_groups, sizeof *a->marks);
    a->sums = calloc(n_runs + 1, sizeof *a->sums);
    a->scratch = calloc(2 * n_runs + 1, sizeof *a->scratch);
    return a->groups && a->marks && a->sums && a->scratch;
}

static void adder_free(adder *a) {
    free(a->groups);
    free(a->marks);
    free(a->sums);
    free(a->scratch);
}

static void add_group(adder *a, uint32_t group) {
    if (a->marks[group] == a->turn)
        return;
    a->marks[group] = a->turn;
    a->groups[a->n++] = group;
}

static void add_part(adder *a, uint32_t step, eti_step_part part) {
    add_group(a, step_group(step, part));
}

/* Adds up the groups and clears the list. */
static eti_cost take_cost(const maker *m, adder *a) {
    eti_summary times;
    eti_cost cost = {.p50 = (double)NAN};
    for (size_t i = 0; i < a->n; i++) {
        if (a->groups[i] < a->rollup->n_groups)
            eti__time_sum_add(&cost.time, &a->rollup->groups[a->groups[i]].time);
    }
    if (m->finds_medians &&
        eti__rollup_summarize_groups(a->rollup, a->groups, a->n, a->sums, a->scratch, &times))
        cost.p50 = times.p50;
    a->n = 0;
    a->turn++;
    return cost;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static const eti_step *step_of(const maker *m, uint32_t number) {
    return &m->steps->all.items[number];
}

/* Returns whether the i-th step in order is of this kind; false for a barrier. */
static bool is_kind(const maker *m, size_t i, eti_step_kind kind) {
    uint32_t number = m->steps->order[i];
    return number < ETI_FIRST_STEP && step_of(m, number)->key.kind == kind;
}

static uint32_t *new_list(eti_arena *arena, size_t n) {
    uint32_t *list = eti__arena_alloc(arena, n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        list[i] = ETI_NO_STEP;
    return list;
}

static bool make_lists(maker *m) {
    const eti_steps *steps = m->steps;
    eti_arena *arena = &m->out->arena;
    size_t n_names = steps->names.texts.count, n_steps = steps->all.count;
    m->kernels = new_list(arena, n_names);
    m->delegates = new_list(arena, n_names);
    m->backend_of = new_list(arena, n_names);
    m->overhead = eti__arena_alloc_zero(arena, n_names + 1, sizeof *m->overhead);
    m->lone_splits = new_list(arena, n_names);
    m->next = new_list(arena, n_steps);
    m->next_split = new_list(arena, steps->n_order);
    m->begins_split = eti__arena_alloc_zero(arena, n_steps + 1, sizeof *m->begins_split);
    m->is_in_split = eti__arena_alloc_zero(arena, n_steps + 1, sizeof *m->is_in_split);
    m->is_in_cost =
        eti__arena_alloc_zero(arena, 1 + n_steps * ETI_N_STEP_PARTS, sizeof *m->is_in_cost);
    m->out->backends = eti__arena_alloc_zero(arena, n_names + 2, sizeof *m->out->backends);
    m->out->outside = eti__arena_alloc_zero(arena, n_names + 1, sizeof *m->out->outside);
    m->out->splits = eti__arena_alloc_zero(arena, steps->n_order + 1, sizeof *m->out->splits);
    if (!m->kernels || !m->delegates || !m->backend_of || !m->overhead || !m->lone_splits ||
        !m->next || !m->next_split || !m->begins_split || !m->is_in_split || !m->is_in_cost ||
        !m->out->backends || !m->out->outside || !m->out->splits)
        return false;
    for (uint32_t i = (uint32_t)n_steps; i-- > 0;) {
        const eti_step_key *key = &step_of(m, i)->key;
        uint32_t *list = key->kind == ETI_STEP_KERNEL ? m->kernels : m->delegates;
        m->next[i] = list[key->name];
        list[key->name] = i;
    }
    return adder_init(&m->cost, steps) && adder_init(&m->copies, steps) &&
           adder_init(&m->around, steps);
}

/* Breaks ties by the numbers of the names. */
static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_counts(uint64_t a, uint64_t b) {
    return (b > a) - (b < a);
}

/* ---- backends -------------------------------------------------------------------------------- */

static int compare_backends(const void *a, const void *b, void *context) {
    const eti_backend_cost *x = a, *y = b;
    int order = eti__time_sum_compare(&y->cost.time, &x->cost.time);
    (void)context;
    if (order == 0)
        order = compare_counts(x->n_calls, y->n_calls);
    return order ? order : compare_numbers(x->number, y->number);
}

static void find_overhead(maker *m, uint32_t name) {
    for (uint32_t i = m->delegates[name]; i != ETI_NO_STEP; i = m->next[i]) {
        add_part(&m->around, i, ETI_STEP_NOT_LOGGED);
        eti_time_sum overhead = take_cost(m, &m->around).time;
        if (i == m->delegates[name] || eti__time_sum_compare(&overhead, &m->overhead[name]) < 0)
            m->overhead[name] = overhead;
    }
}

static void add_backend(maker *m, uint32_t name) {
    eti_backend_cost *backend = &m->out->backends[m->out->n_backends];
    backend->name = m->steps->names.texts.texts[name];
    backend->number = name;
    backend->is_backend = true;
    backend->has_calls = true;
    for (uint32_t i = m->delegates[name]; i != ETI_NO_STEP; i = m->next[i]) {
        backend->n_calls++;
        backend->n_operators += step_of(m, i)->n_operators;
        for (int part = 0; part < ETI_N_STEP_PARTS; part++)
            add_part(&m->cost, i, (eti_step_part)part);
    }
    backend->cost = take_cost(m, &m->cost);
    find_overhead(m, name);
    m->backend_of[name] = (uint32_t)m->out->n_backends++;
}

/* Adds the payloads of a method to those of their backends. A payload that several delegates share counts once. */
static bool add_payloads(maker *m, const eti_pte_plan *plan, eti_pointer_table *seen) {
    for (uint32_t i = 0; i < plan->n_delegates; i++) {
        const eti_pte_delegate *delegate = &plan->delegates[i];
        uint32_t name, ignored;
        if (!eti__text_table_find(&m->steps->names.texts, delegate->id, &name) ||
            m->backend_of[name] == ETI_NO_STEP || delegate->payload.size == 0 ||
            eti__pointer_table_find(seen, delegate->payload.data, &ignored))
            continue;
        m->out->backends[m->backend_of[name]].n_bytes += delegate->payload.size;
        if (!eti__pointer_table_add(seen, delegate->payload.data, 0))
            return false;
    }
    return true;
}

/* Adds the payloads of the methods that the selected blocks ran or, without an ETDump, of all methods. */
static bool add_payloads_of_methods(maker *m, bool *is_any) {
    const eti_inspector *inspector = m->inspector;
    const eti_pte *program = &inspector->programs[0];
    eti_pointer_table seen = {0};
    bool done = true;
    *is_any = inspector->n_dumps == 0;
    for (uint32_t i = 0; i < program->n_plans && done && inspector->n_dumps == 0; i++)
        done = add_payloads(m, &program->plans[i], &seen);
    for (size_t i = 0; i < inspector->n_methods && done && inspector->n_dumps > 0; i++) {
        const eti_pte_plan *plan = inspector->methods[i].plan;
        if (!plan || !eti__blocks_ran(inspector, m->options, plan))
            continue;
        done = add_payloads(m, plan, &seen);
        *is_any = true;
    }
    eti__pointer_table_free(&seen);
    return done;
}

/* Adds up the payloads of each backend, unless the program is not the one that ran. */
static bool add_bytes(maker *m) {
    const eti_pte *program = &m->inspector->programs[0];
    bool is_any;
    if (!add_payloads_of_methods(m, &is_any))
        return false;
    m->out->has_bytes = is_any;
    for (size_t i = 0; i < m->out->n_backends && is_any; i++)
        m->out->backends[i].has_bytes = !eti__text_is(m->out->backends[i].name, ETI_GROUP_UNKNOWN);
    for (uint32_t i = 0; i < program->n_named_data && is_any; i++)
        m->out->n_named_bytes += program->segments[program->named_data[i].segment].size;
    return true;
}

static void add_others(maker *m) {
    eti_backend_cost *outside = &m->out->backends[m->out->n_backends++];
    outside->name = eti__text_of(ETI_GROUP_NOT_DELEGATED);
    outside->has_calls = true;
    add_group(&m->around, ETI_STEP_NO_GROUP);
    for (uint32_t i = 0; i < m->steps->all.count; i++) {
        if (step_of(m, i)->key.kind != ETI_STEP_KERNEL)
            continue;
        outside->n_calls++;
        add_part(&m->cost, i, ETI_STEP_WORK);
        add_part(&m->around, i, ETI_STEP_AROUND);
    }
    outside->n_operators = outside->n_calls;
    outside->cost = take_cost(m, &m->cost);
    eti_cost framework = take_cost(m, &m->around);
    if (m->steps->has_times)
        m->out->backends[m->out->n_backends++] =
            (eti_backend_cost){.name = eti__text_of(ETI_GROUP_FRAMEWORK), .cost = framework};
}

static bool make_backends(maker *m) {
    for (uint32_t name = 0; name < m->steps->names.texts.count; name++) {
        if (m->delegates[name] != ETI_NO_STEP)
            add_backend(m, name);
    }
    if (m->inspector->n_programs > 0 && !add_bytes(m))
        return false;
    eti__sort(m->out->backends, m->out->n_backends, sizeof *m->out->backends, compare_backends,
              NULL);
    add_others(m);
    return true;
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Adds the copies on both sides of a split's kernels that would disappear with them. */
static void add_beside(maker *m, const eti_split *split) {
    add_part(&m->copies, m->steps->order[split->first - 1], ETI_STEP_COPY_OUT);
    add_part(&m->copies, m->steps->order[split->end], ETI_STEP_COPY_IN);
}

/* Returns the overhead of a call that disappears with a split, because two calls become one. */
static const eti_time_sum *overhead_of(const maker *m, const eti_split *split) {
    return &m->overhead[step_of(m, m->steps->order[split->end])->key.name];
}

/* Adds an operator, or a copy, whose kernel would disappear. */
static void add_kernel(maker *m, uint32_t step, bool is_copy) {
    add_part(is_copy ? &m->copies : &m->cost, step, ETI_STEP_WORK);
    add_part(&m->around, step, ETI_STEP_AROUND);
}

/* Adds up what was added, and the most that delegating it saves. */
static eti_saving take_saving(maker *m) {
    eti_saving saving = {.cost = take_cost(m, &m->cost),
                         .copies = take_cost(m, &m->copies),
                         .overhead = take_cost(m, &m->around).time};
    eti__time_sum_add(&saving.bound, &saving.cost.time);
    eti__time_sum_add(&saving.bound, &saving.copies.time);
    return saving;
}

/* Adds a split to the list of an operator if all of its steps are that operator or copies; if all steps are copies,
 * they must be the same operator. */
static void list_split(maker *m, uint32_t number) {
    const eti_split *split = &m->out->splits[number];
    const eti_step *only = step_of(m, m->steps->order[split->first]);
    for (size_t i = split->first + 1; i < split->end; i++) {
        const eti_step *step = step_of(m, m->steps->order[i]);
        if (only->is_copy && !step->is_copy)
            only = step;
        else if (only->is_copy == step->is_copy && only->key.name != step->key.name)
            return;
    }
    m->next_split[number] = m->lone_splits[only->key.name];
    m->lone_splits[only->key.name] = number;
}

static eti_time_sum work_of(const maker *m, uint32_t step) {
    uint32_t group = step_group(step, ETI_STEP_WORK);
    return group < m->steps->rollup.n_groups ? m->steps->rollup.groups[group].time
                                             : (eti_time_sum){.methods = 0};
}

static bool takes_longer(const maker *m, uint32_t step, uint32_t than) {
    eti_time_sum a = work_of(m, step), b = work_of(m, than);
    return eti__time_sum_compare(&a, &b) > 0;
}

/* Finds the operator that takes the most time, the first of equal ones; a copy only if all are copies. */
static size_t find_longest(const maker *m, size_t first, size_t end) {
    size_t longest = first;
    for (size_t i = first + 1; i < end; i++) {
        uint32_t a = m->steps->order[longest], b = m->steps->order[i];
        bool a_is_copy = step_of(m, a)->is_copy, b_is_copy = step_of(m, b)->is_copy;
        if (a_is_copy != b_is_copy ? a_is_copy : takes_longer(m, b, a))
            longest = i;
    }
    return longest;
}

/* Adds a split without its effects on the calls beside it. */
static eti_split *add_steps(maker *m, size_t first, size_t end) {
    eti_split *split = &m->out->splits[m->out->n_splits++];
    *split = (eti_split){
        .position = first, .first = first, .end = end, .longest = find_longest(m, first, end)};
    for (size_t i = first; i < end; i++) {
        uint32_t number = m->steps->order[i];
        m->is_in_split[number] = true;
        add_kernel(m, number, step_of(m, number)->is_copy);
    }
    return split;
}

/* Adds the copies at the borders of all delegate calls that are in no split. */
static void find_other_copies(maker *m) {
    for (uint32_t i = 0; i < m->steps->all.count; i++) {
        if (step_of(m, i)->key.kind != ETI_STEP_DELEGATE)
            continue;
        for (int part = ETI_STEP_COPY_IN; part <= ETI_STEP_COPY_OUT; part++) {
            if (!m->is_in_cost[step_group(i, (eti_step_part)part)])
                add_part(&m->copies, i, (eti_step_part)part);
        }
    }
    m->out->other_copies = take_cost(m, &m->copies);
}

static void take_split(maker *m, eti_split *split) {
    for (size_t i = 0; i < m->copies.n; i++)
        m->is_in_cost[m->copies.groups[i]] = true;
    split->saving = take_saving(m);
}

static void add_split(maker *m, size_t first, size_t end) {
    eti_split *split = add_steps(m, first, end);
    add_beside(m, split);
    take_split(m, split);
    eti__time_sum_add(&split->saving.overhead, overhead_of(m, split));
    list_split(m, (uint32_t)m->out->n_splits - 1);
}

static void add_region(maker *m, const eti_step_region *region) {
    eti_split *split = add_steps(m, region->first, region->end);
    split->has_control_flow = true;
    split->position = region->position;
    take_split(m, split);
}

/* Finds the steps between two delegate calls. Blocks of one method have the same splits. */
static void find_splits(maker *m) {
    const eti_steps *steps = m->steps;
    for (size_t i = 0; i < steps->n_order; i++) {
        size_t end = i + 1;
        if (!is_kind(m, i, ETI_STEP_DELEGATE))
            continue;
        while (end < steps->n_order && is_kind(m, end, ETI_STEP_KERNEL))
            end++;
        if (end == i + 1 || end == steps->n_order || !is_kind(m, end, ETI_STEP_DELEGATE) ||
            m->begins_split[steps->order[i + 1]])
            continue;
        m->begins_split[steps->order[i + 1]] = true;
        add_split(m, i + 1, end);
    }
    for (size_t i = 0; i < m->regions.n; i++)
        add_region(m, &m->regions.items[i]);
}

static int compare_splits(const void *a, const void *b, void *context) {
    const eti_split *x = a, *y = b;
    int order = eti__time_sum_compare(&y->saving.bound, &x->saving.bound);
    (void)context;
    return order ? order : (x->position > y->position) - (x->position < y->position);
}

/* ---- operators outside ----------------------------------------------------------------------- */

static void add_lone_split(maker *m, const eti_split *split, uint32_t name) {
    for (size_t i = split->first; i < split->end; i++) {
        uint32_t number = m->steps->order[i];
        if (step_of(m, number)->key.name != name)
            add_kernel(m, number, true);
    }
    add_beside(m, split);
}

static void add_outside(maker *m, uint32_t name) {
    eti_outside_op *op = &m->out->outside[m->out->n_outside++];
    op->number = name;
    op->name = m->steps->names.texts.texts[name];
    for (uint32_t i = m->kernels[name]; i != ETI_NO_STEP; i = m->next[i]) {
        op->n_calls++;
        op->n_splits += m->is_in_split[i];
        op->is_copy = step_of(m, i)->is_copy;
        add_kernel(m, i, false);
    }
    for (uint32_t i = m->lone_splits[name]; i != ETI_NO_STEP; i = m->next_split[i])
        add_lone_split(m, &m->out->splits[i], name);
    op->saving = take_saving(m);
    for (uint32_t i = m->lone_splits[name]; i != ETI_NO_STEP; i = m->next_split[i])
        eti__time_sum_add(&op->saving.overhead, overhead_of(m, &m->out->splits[i]));
}

static int compare_outside(const void *a, const void *b, void *context) {
    const eti_outside_op *x = a, *y = b;
    int order = eti__time_sum_compare(&y->saving.bound, &x->saving.bound);
    (void)context;
    if (order == 0)
        order = compare_counts(x->n_splits, y->n_splits);
    if (order == 0)
        order = compare_counts(x->n_calls, y->n_calls);
    return order ? order : compare_numbers(x->number, y->number);
}

static void find_outside(maker *m) {
    for (uint32_t name = 0; name < m->steps->names.texts.count; name++) {
        if (m->kernels[name] != ETI_NO_STEP)
            add_outside(m, name);
    }
    eti__sort(m->out->outside, m->out->n_outside, sizeof *m->out->outside, compare_outside, NULL);
    eti__sort(m->out->splits, m->out->n_splits, sizeof *m->out->splits, compare_splits, NULL);
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__delegation_make(eti_delegation *out, const eti_inspector *inspector,
                                const eti_view_options *options, bool finds_medians,
                                eti_error *err) {
    maker m = {.out = out,
               .steps = &out->steps,
               .inspector = inspector,
               .options = options,
               .finds_medians = finds_medians};
    *out = (eti_delegation){0};
    ETI_TRY(eti__steps_make(&out->steps, inspector, options, err));
    bool done = find_step_regions(&m.regions, &out->steps) && make_lists(&m) && make_backends(&m);
    if (done) {
        find_splits(&m);
        find_other_copies(&m);
        find_outside(&m);
    }
    adder_free(&m.cost);
    adder_free(&m.copies);
    adder_free(&m.around);
    free_step_regions(&m.regions);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__delegation_free(eti_delegation *delegation) {
    eti__steps_free(&delegation->steps);
    eti__arena_free(&delegation->arena);
    *delegation = (eti_delegation){0};
}
