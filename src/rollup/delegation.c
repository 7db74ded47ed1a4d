#include "rollup/delegation.h"

#include "base/sort.h"
#include "rollup/group_names.h"
#include "rollup/step_regions.h"

#include <math.h>
#include <stdlib.h>

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
    adder cost, copies, bound;
    /* Linked lists of steps per name, chained by `next` and terminated by ETI_NO_STEP. */
    uint32_t *kernels, *delegates, *next;
    /* Linked lists of splits, by number, that disappear if all calls of an operator are delegated: per name, chained
     * by `next_split`. */
    uint32_t *lone_splits, *next_split;
    bool *begins_split, *is_in_split; /* per step */
    eti_ticks *overhead;              /* per name: smallest unlogged time of its calls */
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
    add_group(a, eti__step_group(step, part));
}

/* Adds up the groups and clears the list. */
static eti_cost take_cost(adder *a) {
    eti_summary times;
    eti_cost cost = {.p50 = (double)NAN};
    for (size_t i = 0; i < a->n; i++) {
        if (a->groups[i] < a->rollup->n_groups)
            eti__wide_add(&cost.total, a->rollup->groups[a->groups[i]].total);
    }
    if (eti__rollup_summarize_groups(a->rollup, a->groups, a->n, a->sums, a->scratch, &times))
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
    m->out->backends = eti__arena_alloc_zero(arena, n_names + 2, sizeof *m->out->backends);
    m->out->outside = eti__arena_alloc_zero(arena, n_names + 1, sizeof *m->out->outside);
    m->out->splits = eti__arena_alloc_zero(arena, steps->n_order + 1, sizeof *m->out->splits);
    if (!m->kernels || !m->delegates || !m->backend_of || !m->overhead || !m->lone_splits ||
        !m->next || !m->next_split || !m->begins_split || !m->is_in_split || !m->out->backends ||
        !m->out->outside || !m->out->splits)
        return false;
    for (uint32_t i = (uint32_t)n_steps; i-- > 0;) {
        const eti_step_key *key = &step_of(m, i)->key;
        uint32_t *list = key->kind == ETI_STEP_KERNEL ? m->kernels : m->delegates;
        m->next[i] = list[key->name];
        list[key->name] = i;
    }
    return adder_init(&m->cost, steps) && adder_init(&m->copies, steps) &&
           adder_init(&m->bound, steps);
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
    int order = eti__wide_compare(y->cost.total, x->cost.total);
    (void)context;
    if (order == 0)
        order = compare_counts(x->n_calls, y->n_calls);
    return order ? order : compare_numbers(x->number, y->number);
}

static void find_overhead(maker *m, uint32_t name) {
    for (uint32_t i = m->delegates[name]; i != ETI_NO_STEP; i = m->next[i]) {
        add_part(&m->bound, i, ETI_STEP_NOT_LOGGED);
        eti_ticks overhead = take_cost(&m->bound).total;
        if (i == m->delegates[name] || eti__wide_compare(overhead, m->overhead[name]) < 0)
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
    backend->cost = take_cost(&m->cost);
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
    add_group(&m->bound, ETI_STEP_NO_GROUP);
    for (uint32_t i = 0; i < m->steps->all.count; i++) {
        if (step_of(m, i)->key.kind != ETI_STEP_KERNEL)
            continue;
        outside->n_calls++;
        add_part(&m->cost, i, ETI_STEP_WORK);
        add_part(&m->bound, i, ETI_STEP_AROUND);
    }
    outside->n_operators = outside->n_calls;
    outside->cost = take_cost(&m->cost);
    eti_cost framework = take_cost(&m->bound);
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
static void add_beside(const maker *m, const eti_split *split, adder *copies, adder *bound) {
    uint32_t before = m->steps->order[split->first - 1], after = m->steps->order[split->end];
    add_part(copies, before, ETI_STEP_COPY_OUT);
    add_part(copies, after, ETI_STEP_COPY_IN);
    add_part(bound, before, ETI_STEP_COPY_OUT);
    add_part(bound, after, ETI_STEP_COPY_IN);
}

/* Returns the overhead of a call that disappears with a split, because two calls become one. */
static eti_ticks overhead_of(const maker *m, const eti_split *split) {
    return m->overhead[step_of(m, m->steps->order[split->end])->key.name];
}

static void add_kernel(adder *bound, uint32_t step) {
    add_part(bound, step, ETI_STEP_WORK);
    add_part(bound, step, ETI_STEP_AROUND);
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

static eti_ticks work_of(const maker *m, uint32_t step) {
    uint32_t group = eti__step_group(step, ETI_STEP_WORK);
    return group < m->steps->rollup.n_groups ? m->steps->rollup.groups[group].total
                                             : (eti_ticks){0};
}

/* Finds the operator that takes the most time, the first of equal ones; a copy only if all are copies. */
static size_t find_longest(const maker *m, size_t first, size_t end) {
    size_t longest = first;
    for (size_t i = first + 1; i < end; i++) {
        uint32_t a = m->steps->order[longest], b = m->steps->order[i];
        bool a_is_copy = step_of(m, a)->is_copy, b_is_copy = step_of(m, b)->is_copy;
        if (a_is_copy != b_is_copy ? a_is_copy
                                   : eti__wide_compare(work_of(m, b), work_of(m, a)) > 0)
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
        add_part(step_of(m, number)->is_copy ? &m->copies : &m->cost, number, ETI_STEP_WORK);
        add_kernel(&m->bound, number);
    }
    return split;
}

static void take_costs(maker *m, eti_split *split) {
    split->cost = take_cost(&m->cost);
    split->copies = take_cost(&m->copies);
    split->bound = take_cost(&m->bound).total;
}

static void add_split(maker *m, size_t first, size_t end) {
    eti_split *split = add_steps(m, first, end);
    add_beside(m, split, &m->copies, &m->bound);
    take_costs(m, split);
    eti__wide_add(&split->bound, overhead_of(m, split));
    list_split(m, (uint32_t)m->out->n_splits - 1);
}

static void add_region(maker *m, const eti_step_region *region) {
    eti_split *split = add_steps(m, region->first, region->end);
    split->has_control_flow = true;
    split->position = region->position;
    take_costs(m, split);
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
    int order = eti__wide_compare(y->bound, x->bound);
    (void)context;
    return order ? order : (x->position > y->position) - (x->position < y->position);
}

/* ---- operators outside ----------------------------------------------------------------------- */

static void add_lone_split(maker *m, const eti_split *split, uint32_t name) {
    for (size_t i = split->first; i < split->end; i++) {
        uint32_t number = m->steps->order[i];
        add_kernel(&m->bound, number);
        if (step_of(m, number)->key.name != name)
            add_kernel(&m->copies, number);
    }
    add_beside(m, split, &m->copies, &m->bound);
}

static void add_outside(maker *m, uint32_t name) {
    eti_outside_op *op = &m->out->outside[m->out->n_outside++];
    op->number = name;
    op->name = m->steps->names.texts.texts[name];
    for (uint32_t i = m->kernels[name]; i != ETI_NO_STEP; i = m->next[i]) {
        op->n_calls++;
        op->n_splits += m->is_in_split[i];
        op->is_copy = step_of(m, i)->is_copy;
        add_part(&m->cost, i, ETI_STEP_WORK);
        add_kernel(&m->bound, i);
    }
    for (uint32_t i = m->lone_splits[name]; i != ETI_NO_STEP; i = m->next_split[i]) {
        add_lone_split(m, &m->out->splits[i], name);
        eti__wide_add(&op->bound, overhead_of(m, &m->out->splits[i]));
    }
    op->cost = take_cost(&m->cost);
    op->copies = take_cost(&m->copies);
    eti__wide_add(&op->bound, take_cost(&m->bound).total);
}

static int compare_outside(const void *a, const void *b, void *context) {
    const eti_outside_op *x = a, *y = b;
    int order = eti__wide_compare(y->bound, x->bound);
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
                                const eti_view_options *options, eti_error *err) {
    maker m = {.out = out, .steps = &out->steps, .inspector = inspector, .options = options};
    *out = (eti_delegation){0};
    ETI_TRY(eti__steps_make(&out->steps, inspector, options, err));
    bool done =
        eti__step_regions_find(&m.regions, &out->steps) && make_lists(&m) && make_backends(&m);
    if (done) {
        find_splits(&m);
        find_outside(&m);
    }
    adder_free(&m.cost);
    adder_free(&m.copies);
    adder_free(&m.bound);
    eti__step_regions_free(&m.regions);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__delegation_free(eti_delegation *delegation) {
    eti__steps_free(&delegation->steps);
    eti__arena_free(&delegation->arena);
    *delegation = (eti_delegation){0};
}
