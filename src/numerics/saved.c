#include "numerics/saved.h"

#include <inttypes.h>
#include <stdlib.h>

/* Names in use, and for each the number of tensors that asked for it. */
typedef struct name_giver {
    eti_arena *arena;
    eti_text_table given;
    uint32_t *n_wanted; /* per name */
    size_t capacity;
    eti_buffer text;
} name_giver;

/* ---- names ------------------------------------------------------------------------------------ */

static void add_run(eti_buffer *out, const eti_recorded_tensor *tensor) {
    eti__buffer_add_utf8(out, tensor->block->label);
    eti__buffer_printf(out, ".%zu/", tensor->run);
}

static void add_event_name(eti_buffer *out, const eti_recorded_tensor *tensor) {
    const eti_event *event = tensor->event;
    add_run(out, tensor);
    if (event && event->instruction_id != -1)
        eti__buffer_printf(out, "%d:", (int)event->instruction_id);
    else if (event)
        eti__buffer_add_string(out, "-:");
    if (event)
        eti__buffer_add_utf8(out, event->name);
    else
        eti__buffer_add_string(out, "output");
    eti__buffer_printf(out, "#%u", (unsigned)tensor->index);
}

static void add_handle_name(eti_buffer *out, const eti_point *point,
                            const eti_recorded_tensor *tensor, bool has_several_runs) {
    if (has_several_runs) {
        add_run(out, tensor);
        eti__buffer_add_string(out, ETI_SAVED_HANDLE_MARK ":");
    }
    eti_text source = point->source_node.data ? point->source_node : point->node->node.name;
    eti__buffer_printf(out, "%" PRId64 ":", point->handle);
    eti__buffer_add_utf8(out, source);
    ptrdiff_t number = tensor - point->tensors;
    eti__buffer_printf(out, "#%td", point->ports ? (ptrdiff_t)point->ports[number] : number);
}

/* ---- points ----------------------------------------------------------------------------------- */

/* The points of all runs, and the point of each tensor. */
typedef struct all_points {
    eti_points *of_runs;
    size_t n_runs;
    const eti_point **of; /* per tensor; NULL if it has no point */
} all_points;

static void free_points(all_points *points) {
    for (size_t i = 0; i < points->n_runs; i++)
        eti__points_free(&points->of_runs[i]);
    free(points->of_runs);
    free((void *)points->of);
}

static void note_points(all_points *out, const eti_recorded *recorded, const eti_points *points) {
    for (size_t i = 0; i < points->n; i++) {
        const eti_point *point = &points->points[i];
        for (size_t k = 0; k < point->n && point->has_handle && point->node; k++)
            out->of[&point->tensors[k] - recorded->tensors] = point;
    }
}

static eti_status find_points(all_points *out, const eti_origins *origins, eti_error *err) {
    const eti_recorded *recorded = origins->recorded;
    const eti_recorded_tensor *tensors = recorded->tensors;
    out->of = calloc(recorded->n + 1, sizeof *out->of);
    out->of_runs = calloc(recorded->n + 1, sizeof *out->of_runs);
    if (!out->of || !out->of_runs)
        return eti_fail_memory(err);
    for (size_t first = 0, end; first < recorded->n; first = end) {
        for (end = first + 1; end < recorded->n; end++) {
            if (!eti__recorded_together(&tensors[first], &tensors[end]))
                break;
        }
        eti_points *points = &out->of_runs[out->n_runs++];
        ETI_TRY(eti__points_find(points, origins, first, end, err));
        note_points(out, recorded, points);
    }
    return ETI_OK;
}

/* ---- names that differ ------------------------------------------------------------------------ */

/* Numbers the name in `giver->text`. Returns false if memory runs out. */
static bool give(name_giver *giver, uint32_t *number, bool *is_new) {
    size_t n_before = giver->given.count;
    if (giver->text.failed ||
        !eti__text_table_add(&giver->given, eti__buffer_text(&giver->text), giver->arena, number) ||
        !ETI_GROW(giver->n_wanted, giver->capacity, giver->given.count))
        return false;
    *is_new = *number == n_before;
    if (*is_new)
        giver->n_wanted[*number] = 1;
    return true;
}

/* Returns the name in `giver->text`, with a suffix if it is already in use; absent if memory runs out. */
static eti_text give_name(name_giver *giver) {
    uint32_t wanted, number;
    bool is_new;
    size_t size = giver->text.size;
    if (!give(giver, &wanted, &is_new))
        return (eti_text){NULL, 0};
    number = wanted;
    while (!is_new) {
        giver->text.size = size;
        eti__buffer_printf(&giver->text, "~%u", (unsigned)++giver->n_wanted[wanted]);
        if (!give(giver, &number, &is_new))
            return (eti_text){NULL, 0};
    }
    return giver->given.texts[number];
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool are_of_several_runs(const eti_recorded *recorded, const size_t *numbers, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (!eti__recorded_together(&recorded->tensors[numbers[0]], &recorded->tensors[numbers[i]]))
            return true;
    }
    return false;
}

/* Lists the tensors. If `points` is NULL, names them by event. Returns false if memory runs out. */
static bool list(eti_saved_tensors *out, name_giver *giver, const eti_recorded *recorded,
                 const all_points *points, const size_t *numbers, size_t n) {
    bool has_several_runs = are_of_several_runs(recorded, numbers, n);
    for (size_t i = 0; i < n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[numbers[i]];
        giver->text.size = 0;
        if (tensor->fault != ETI_RECORDED_FINE) {
            out->n_without_elements++;
            continue;
        }
        if (points && !points->of[numbers[i]]) {
            out->n_without_node++;
            continue;
        }
        if (points)
            add_handle_name(&giver->text, points->of[numbers[i]], tensor, has_several_runs);
        else
            add_event_name(&giver->text, tensor);
        out->tensors[out->n] = tensor->values;
        out->tensors[out->n].name = give_name(giver);
        if (!out->tensors[out->n++].name.data)
            return false;
    }
    return true;
}

eti_status eti__saved_tensors_list(eti_saved_tensors *out, const eti_origins *origins,
                                   const size_t *numbers, size_t n, unsigned key, eti_error *err) {
    *out = (eti_saved_tensors){.n = 0};
    out->tensors = malloc((n + 1) * sizeof *out->tensors);
    name_giver giver = {.arena = &out->arena};
    all_points points = {.n_runs = 0};
    bool is_by_handle = key == ETI_SAVED_BY_HANDLE;
    eti_status status = is_by_handle ? find_points(&points, origins, err) : ETI_OK;
    if (status == ETI_OK && (!out->tensors || !list(out, &giver, origins->recorded,
                                                    is_by_handle ? &points : NULL, numbers, n)))
        status = eti_fail_memory(err);
    free_points(&points);
    eti__text_table_free(&giver.given);
    free(giver.n_wanted);
    eti__buffer_free(&giver.text);
    return status;
}

void eti__saved_tensors_free(eti_saved_tensors *saved) {
    eti__arena_free(&saved->arena);
    free(saved->tensors);
    *saved = (eti_saved_tensors){.n = 0};
}
