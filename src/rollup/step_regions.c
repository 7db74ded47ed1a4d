#include "rollup/step_regions.h"

#include "base/sort.h"

#include <stdlib.h>

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

bool eti__step_regions_find(eti_step_regions *out, eti_steps *steps) {
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

void eti__step_regions_free(eti_step_regions *regions) {
    free(regions->items);
    *regions = (eti_step_regions){0};
}
