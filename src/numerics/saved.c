#include "numerics/saved.h"

#include "account/role.h"
#include "base/array.h"
#include "base/text_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* Names that were given, and for each the number of tensors that would have it. */
typedef struct name_giver {
    eti_arena *arena;
    eti_text_table given;
    uint32_t *n_wanted; /* per name */
    size_t capacity;
    eti_buffer text;
} name_giver;

/* ---- names ------------------------------------------------------------------------------------ */

static void add_event_name(eti_buffer *out, const eti_recorded_tensor *tensor) {
    const eti_event *event = tensor->event;
    eti__buffer_add_utf8(out, tensor->block->label);
    eti__buffer_printf(out, ".%zu/", tensor->run);
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

/* Returns the number of a tensor among those that its node gave. One node gave all that a kernel logged. */
static unsigned number_of_node(const eti_recorded_tensor *tensor, const eti_tensor_origin *origin) {
    unsigned n = 0;
    if (eti__role_by_name(tensor->event) != ETI_ROLE_DELEGATE_CALL)
        return tensor->index;
    for (uint32_t i = 1; i <= tensor->index && !origin[-(ptrdiff_t)i].is_input; i++)
        n += origin[-(ptrdiff_t)i].node == origin->node;
    return n;
}

static void add_handle_name(eti_buffer *out, const eti_graph_node *node, unsigned number) {
    eti__buffer_printf(out, "%" PRId64 ":", node->debug_handle);
    eti__buffer_add_utf8(out, node->node.origin.data ? node->node.origin : node->node.name);
    eti__buffer_printf(out, "#%u", number);
}

/* ---- names that differ ------------------------------------------------------------------------ */

/* Numbers the name in `giver->text`. False: out of memory. */
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

/* Returns the name in `giver->text`, or what makes another of it; absent: out of memory. */
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

static bool list(eti_saved_tensors *out, name_giver *giver, const eti_recorded *recorded,
                 const eti_origins *origins, const size_t *numbers, size_t n, unsigned key) {
    for (size_t i = 0; i < n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[numbers[i]];
        const eti_graph_node *node = origins->of[numbers[i]].node;
        giver->text.size = 0;
        if (tensor->fault != ETI_RECORDED_FINE) {
            out->n_without_elements++;
            continue;
        }
        if (key == ETI_SAVED_BY_HANDLE && (!node || !node->has_debug_handle)) {
            out->n_without_node++;
            continue;
        }
        if (key == ETI_SAVED_BY_HANDLE)
            add_handle_name(&giver->text, node, number_of_node(tensor, &origins->of[numbers[i]]));
        else
            add_event_name(&giver->text, tensor);
        out->tensors[out->n] = tensor->values;
        out->tensors[out->n].name = give_name(giver);
        if (!out->tensors[out->n++].name.data)
            return false;
    }
    return true;
}

bool eti__saved_tensors_list(eti_saved_tensors *out, const eti_recorded *recorded,
                             const eti_origins *origins, const size_t *numbers, size_t n,
                             unsigned key) {
    *out = (eti_saved_tensors){.n = 0};
    out->tensors = malloc((n + 1) * sizeof *out->tensors);
    name_giver giver = {.arena = &out->arena};
    bool done = out->tensors && list(out, &giver, recorded, origins, numbers, n, key);
    eti__text_table_free(&giver.given);
    free(giver.n_wanted);
    eti__buffer_free(&giver.text);
    return done;
}

void eti__saved_tensors_free(eti_saved_tensors *saved) {
    eti__arena_free(&saved->arena);
    free(saved->tensors);
    *saved = (eti_saved_tensors){.n = 0};
}
