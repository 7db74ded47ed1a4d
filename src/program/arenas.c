#include "program/arenas.h"

#include "base/sort.h"
#include "program/cover.h"

/* Arenas are swept one after the other. At each instruction, the tensors that begin there are added, and those that ended
 * before are removed. */
typedef struct sweep {
    const eti_planned *tensors;
    uint32_t *by_first, *by_last; /* tensors of the arena whose bytes are in use */
    uint32_t n;
    uint32_t n_begun, n_ended;
    eti_cover cover;
    eti_arena *arena, *scratch;
    eti_planned_arenas *out;
    eti_planned_overlap *overlaps;
    uint32_t *beyond;
    eti_error *err;
} sweep;

/* ---- order ------------------------------------------------------------------------------------ */

static int compare_u32(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_by_arena(const void *a, const void *b, void *context) {
    const eti_planned *tensors = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order = compare_u32(tensors[left].tensor->memory_id, tensors[right].tensor->memory_id);
    return order ? order : compare_u32(left, right);
}

static int compare_by_first(const void *a, const void *b, void *context) {
    const eti_planned *tensors = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order = compare_u32(tensors[left].first, tensors[right].first);
    return order ? order : compare_u32(left, right);
}

static int compare_by_last(const void *a, const void *b, void *context) {
    const eti_planned *tensors = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order = compare_u32(tensors[left].last, tensors[right].last);
    return order ? order : compare_u32(left, right);
}

/* ---- one arena -------------------------------------------------------------------------------- */

static void begin_tensor(sweep *s, uint32_t instruction) {
    uint32_t tensor = s->by_first[s->n_begun++];
    uint32_t other;
    eti__cover_add(&s->cover, tensor);
    if (s->tensors[tensor].alias_of != ETI_NO_PLANNED)
        return; /* its bytes are part of another tensor's */
    if (!eti__cover_own(&s->cover, tensor, &other))
        s->overlaps[s->out->n_overlaps++] = (eti_planned_overlap){tensor, other, instruction};
}

/* Returns the next instruction at which a tensor is added or removed. */
static uint32_t next_instruction(const sweep *s) {
    uint32_t ended = s->tensors[s->by_last[s->n_ended]].last + 1;
    uint32_t begun = s->n_begun < s->n ? s->tensors[s->by_first[s->n_begun]].first : ended;
    return begun < ended ? begun : ended;
}

static void take_step(sweep *s, eti_planned_arena *of, eti_arena_step *steps) {
    uint32_t instruction = next_instruction(s);
    uint64_t before = eti__cover_bytes(&s->cover);
    while (s->n_ended < s->n && s->tensors[s->by_last[s->n_ended]].last < instruction)
        eti__cover_remove(&s->cover, s->by_last[s->n_ended++]);
    while (s->n_begun < s->n && s->tensors[s->by_first[s->n_begun]].first == instruction)
        begin_tensor(s, instruction);
    uint64_t in_use = eti__cover_bytes(&s->cover);
    if (in_use != before)
        steps[of->n_steps++] = (eti_arena_step){instruction, in_use};
    if (in_use > of->peak) {
        of->peak = in_use;
        of->peak_at = instruction;
    }
}

static void list_live(sweep *s, const eti_planned_arena *of) {
    s->n = s->n_begun = s->n_ended = 0;
    for (uint32_t i = 0; i < of->n_tensors; i++) {
        if (!eti__planned_uses_memory(&s->tensors[of->tensors[i]]))
            continue;
        s->by_first[s->n] = of->tensors[i];
        s->by_last[s->n++] = of->tensors[i];
    }
    void *context = (void *)s->tensors; /* only read */
    eti__sort(s->by_first, s->n, sizeof *s->by_first, compare_by_first, context);
    eti__sort(s->by_last, s->n, sizeof *s->by_last, compare_by_last, context);
}

static void measure_tensors(sweep *s, eti_planned_arena *of) {
    for (uint32_t i = 0; i < of->n_tensors; i++) {
        uint64_t end = eti__planned_end(&s->tensors[of->tensors[i]]);
        if (end > of->highest)
            of->highest = end;
        if (end > of->size)
            s->beyond[s->out->n_beyond++] = of->tensors[i];
    }
}

static eti_status sweep_arena(sweep *s, eti_planned_arena *of) {
    measure_tensors(s, of);
    list_live(s, of);
    eti_arena_step *steps = eti__arena_alloc(s->arena, 2 * (size_t)s->n, sizeof *steps);
    if (!steps)
        return eti_fail_memory(s->err);
    ETI_TRY(eti__cover_make(&s->cover, s->scratch, s->tensors, s->by_first, s->n, s->err));
    of->steps = steps;
    while (s->n_ended < s->n)
        take_step(s, of, steps);
    return ETI_OK;
}

/* ---- all arenas ------------------------------------------------------------------------------- */

/* Returns the number of memory ids that have a size or a tensor of `order`; makes their arenas unless `arenas` is NULL. */
static uint32_t list_arenas(const eti_liveness *liveness, const uint32_t *order,
                            eti_planned_arena *arenas) {
    const eti_pte_plan *plan = liveness->calls.plan;
    uint32_t n = 0, id = 0, at = 0;
    while (id < plan->n_arenas || at < liveness->n_tensors) {
        uint32_t used =
            at < liveness->n_tensors ? liveness->tensors[order[at]].tensor->memory_id : UINT32_MAX;
        uint32_t memory_id =
            id < plan->n_arenas && (id < used || at == liveness->n_tensors) ? id : used;
        eti_planned_arena next = {.memory_id = memory_id, .tensors = order + at};
        if (memory_id < plan->n_arenas) {
            next.size = plan->arena_sizes[memory_id];
            id = memory_id + 1;
        }
        for (; at < liveness->n_tensors &&
               liveness->tensors[order[at]].tensor->memory_id == memory_id;
             at++)
            next.n_tensors++;
        if (next.size == 0 && next.n_tensors == 0)
            continue;
        if (arenas)
            arenas[n] = next;
        n++;
    }
    return n;
}

static eti_status make(sweep *s, const eti_liveness *liveness) {
    uint32_t n = liveness->n_tensors;
    uint32_t *order = eti__arena_alloc(s->arena, n, sizeof *order);
    s->overlaps = eti__arena_alloc(s->arena, n, sizeof *s->overlaps);
    s->beyond = eti__arena_alloc(s->arena, n, sizeof *s->beyond);
    s->by_first = eti__arena_alloc(s->scratch, n, sizeof *s->by_first);
    s->by_last = eti__arena_alloc(s->scratch, n, sizeof *s->by_last);
    if (!order || !s->overlaps || !s->beyond || !s->by_first || !s->by_last)
        return eti_fail_memory(s->err);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    eti__sort(order, n, sizeof *order, compare_by_arena, (void *)liveness->tensors /* only read */);
    s->out->n_arenas = list_arenas(liveness, order, NULL);
    eti_planned_arena *arenas = eti__arena_alloc(s->arena, s->out->n_arenas, sizeof *arenas);
    if (!arenas)
        return eti_fail_memory(s->err);
    list_arenas(liveness, order, arenas);
    s->out->arenas = arenas;
    s->out->overlaps = s->overlaps;
    s->out->beyond = s->beyond;
    for (uint32_t i = 0; i < s->out->n_arenas; i++) {
        ETI_TRY(sweep_arena(s, &arenas[i]));
        s->out->total_size += arenas[i].size;
        s->out->total_peak += arenas[i].peak;
    }
    return ETI_OK;
}

eti_status eti__arenas_make(eti_planned_arenas *out, eti_arena *arena, const eti_liveness *liveness,
                            eti_error *err) {
    eti_arena scratch = {0};
    *out = (eti_planned_arenas){.liveness = liveness};
    sweep s = {
        .tensors = liveness->tensors, .arena = arena, .scratch = &scratch, .out = out, .err = err};
    eti_status status = make(&s, liveness);
    eti__arena_free(&scratch);
    return status;
}

uint64_t eti__arena_in_use(const eti_planned_arena *of, uint32_t instruction) {
    uint32_t low = 0,
             high = of->n_steps; /* binary search for the first step after the instruction */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (of->steps[middle].instruction <= instruction)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? of->steps[low - 1].in_use : 0;
}

uint64_t eti__arenas_in_use(const eti_planned_arenas *all, uint32_t instruction) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < all->n_arenas; i++)
        sum += eti__arena_in_use(&all->arenas[i], instruction);
    return sum;
}
