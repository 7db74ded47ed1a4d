#include "program/arenas.h"

#include "base/sort.h"

/* ==== cover =================================================================================== */

static int compare_edges(const void *a, const void *b, void *context) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    (void)context;
    return (left > right) - (left < right);
}

/* Returns the number of nodes in a tree over `n` places. */
static size_t count_nodes(uint32_t n) {
    size_t width = 1;
    while (width < n)
        width *= 2;
    return 2 * width - 1;
}

static void list_edges(eti_cover *cover, const uint32_t *list, uint32_t n) {
    uint64_t *edges = cover->edges;
    size_t n_edges = 2 * (size_t)n, n_kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        edges[2 * (size_t)i] = cover->tensors[list[i]].tensor->memory_offset;
        edges[2 * (size_t)i + 1] = eti__planned_end(&cover->tensors[list[i]]);
    }
    eti__sort(edges, n_edges, sizeof *edges, compare_edges, NULL);
    for (size_t i = 0; i < n_edges; i++) {
        if (i == 0 || edges[i] != edges[n_kept - 1])
            edges[n_kept++] = edges[i];
    }
    cover->n_edges = (uint32_t)n_kept;
}

eti_status eti__cover_make(eti_cover *out, eti_arena *arena, const eti_planned *tensors,
                           const uint32_t *list, uint32_t n, eti_error *err) {
    *out = (eti_cover){.tensors = tensors};
    if (n == 0)
        return ETI_OK;
    if (n > UINT32_MAX / 4)
        return eti_fail(err, ETI_ERROR_LIMIT, "one arena has %u tensors, which is too many", n);
    out->edges = eti__arena_alloc(arena, 2 * (size_t)n, sizeof *out->edges);
    if (!out->edges)
        return eti_fail_memory(err);
    list_edges(out, list, n);
    out->nodes = eti__arena_alloc_zero(arena, count_nodes(out->n_edges), sizeof *out->nodes);
    out->owner = eti__arena_alloc(arena, out->n_edges, sizeof *out->owner);
    out->n_owners = eti__arena_alloc_zero(arena, (size_t)out->n_edges + 1, sizeof *out->n_owners);
    if (!out->nodes || !out->owner || !out->n_owners)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < out->n_edges; i++)
        out->owner[i] = ETI_NO_PLANNED;
    return ETI_OK;
}

/* Returns the number of edges before `byte`. */
static uint32_t find_edge(const eti_cover *cover, uint64_t byte) {
    uint32_t low = 0, high = cover->n_edges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cover->edges[middle] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- covered bytes ----------------------------------------------------------------------------- */

/* The places [first, end); a place is numbered by the edge at its beginning. */
typedef struct places {
    uint32_t first, end;
} places;

/* Adds `change` to the counts of node `at`, which covers the places `of`, and its descendants, for the places in
 * `wanted`. */
static void change_node(eti_cover *cover, size_t at, places of, places wanted, int change) {
    eti_cover_node *node = &cover->nodes[at];
    if (wanted.end <= of.first || of.end <= wanted.first)
        return;
    bool is_whole = wanted.first <= of.first && of.end <= wanted.end;
    uint32_t middle = of.first + (of.end - of.first) / 2;
    if (is_whole) {
        node->n_whole += (uint32_t)change; /* -1 wraps around */
    } else {
        change_node(cover, 2 * at + 1, (places){of.first, middle}, wanted, change);
        change_node(cover, 2 * at + 2, (places){middle, of.end}, wanted, change);
    }
    if (node->n_whole > 0)
        node->bytes = cover->edges[of.end] - cover->edges[of.first];
    else if (of.end - of.first == 1)
        node->bytes = 0;
    else
        node->bytes = cover->nodes[2 * at + 1].bytes + cover->nodes[2 * at + 2].bytes;
}

static void change(eti_cover *cover, uint32_t tensor, int by) {
    const eti_planned *planned = &cover->tensors[tensor];
    places wanted = {find_edge(cover, planned->tensor->memory_offset),
                     find_edge(cover, eti__planned_end(planned))};
    change_node(cover, 0, (places){0, cover->n_edges - 1}, wanted, by);
}

void eti__cover_add(eti_cover *cover, uint32_t tensor) {
    change(cover, tensor, 1);
}

/* ---- owned bytes ------------------------------------------------------------------------------- */

static void count_owner(eti_cover *cover, uint32_t edge, int by) {
    for (uint32_t i = edge + 1; i <= cover->n_edges; i += i & (0u - i))
        cover->n_owners[i] += (uint32_t)by; /* -1 wraps around */
}

/* Returns the number of owners that begin at the first `n` edges. */
static uint32_t owners_before(const eti_cover *cover, uint32_t n) {
    uint32_t sum = 0;
    for (uint32_t i = n; i > 0; i -= i & (0u - i))
        sum += cover->n_owners[i];
    return sum;
}

/* Returns the edge at which owner `number`, counted from 0, begins. */
static uint32_t find_owner(const eti_cover *cover, uint32_t number) {
    uint32_t at = 0, step = 1;
    while (step <= cover->n_edges / 2)
        step *= 2;
    for (; step > 0; step /= 2) {
        if (at + step <= cover->n_edges && cover->n_owners[at + step] <= number) {
            at += step;
            number -= cover->n_owners[at];
        }
    }
    return at;
}

bool eti__cover_own(eti_cover *cover, uint32_t tensor, uint32_t *other) {
    const eti_planned *planned = &cover->tensors[tensor];
    uint32_t n = owners_before(cover, find_edge(cover, eti__planned_end(planned)));
    if (n > 0) {
        uint32_t last = cover->owner[find_owner(cover, n - 1)];
        if (eti__planned_end(&cover->tensors[last]) > planned->tensor->memory_offset) {
            *other = last;
            return false;
        }
    }
    uint32_t edge = find_edge(cover, planned->tensor->memory_offset);
    cover->owner[edge] = tensor;
    count_owner(cover, edge, 1);
    return true;
}

void eti__cover_remove(eti_cover *cover, uint32_t tensor) {
    uint32_t edge = find_edge(cover, cover->tensors[tensor].tensor->memory_offset);
    change(cover, tensor, -1);
    if (cover->owner[edge] != tensor)
        return;
    cover->owner[edge] = ETI_NO_PLANNED;
    count_owner(cover, edge, -1);
}

/* ==== arenas ================================================================================== */

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
