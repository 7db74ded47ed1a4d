#include "account/slices/slice_events.h"

#include "account/group_names.h"

#include <stdlib.h>

/* Operators of an Event that are named; of more, the first two and the last. */
#define MOST_NAMED 4

/* Finds the texts of Events; made once for a block. */
typedef struct finding {
    const eti_account *account;
    const eti_places *places;
    eti_arena *arena;
    eti_buffer text;
    const eti_text *last_ops; /* of the Event before, which mostly shares them */
    eti_text last_text;
} finding;

static bool take_text(finding *f, eti_text *out) {
    bool is_kept =
        !f->text.failed && eti__arena_copy_text(f->arena, eti__buffer_text(&f->text), out);
    f->text.size = 0;
    return is_kept;
}

static bool find_ops(finding *f, const eti_event_record *known, eti_text *out) {
    size_t n = known->n_op_types;
    if (n == 0)
        return true;
    if (known->op_types == f->last_ops) {
        *out = f->last_text;
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        if (n > MOST_NAMED && i > 1 && i < n - 1)
            continue;
        bool is_after_gap = n > MOST_NAMED && i == n - 1;
        eti__buffer_add_string(&f->text, i == 0 ? "" : is_after_gap ? " ... " : ", ");
        eti__buffer_add_text(&f->text, known->op_types[i]);
    }
    if (n > MOST_NAMED)
        eti__buffer_printf(&f->text, " (%zu in all)", n);
    f->last_ops = known->op_types;
    bool is_kept = take_text(f, &f->last_text);
    *out = f->last_text;
    return is_kept;
}

static bool find_source(finding *f, const eti_place *place, eti_text *out) {
    if (!place->has_frames)
        return true;
    if (place->frame == ETI_PREFIX_ROOT) {
        *out = eti__text_of(ETI_GROUP_SEVERAL_LINES);
        return true;
    }
    const eti_stack_frame *frame = &eti__places_frame(f->places, place->frame)->frame;
    eti__add_source_line(&f->text, frame->file, frame->line);
    return take_text(f, out);
}

static bool find_event(finding *f, size_t number, const eti_place *place, eti_slice_event *out) {
    const eti_event_block *block = f->account->block;
    const eti_event *event = &block->events[number];
    *out = (eti_slice_event){
        .event = event, .block = (uint32_t)block->number, .role = f->account->events[number].role};
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(f->places, place->module);
    if (eti__role_is_delegate(eti__account_role(f->account, number)) ||
        event->is_timed_as_delegated)
        out->backend = eti__account_backend(f->account, number);
    return find_ops(f, event->known, &out->op_types) && find_source(f, place, &out->source);
}

bool eti__slice_events_find(eti_slice_event *out, const eti_account *account, eti_places *places,
                            eti_arena *arena) {
    finding f = {.account = account, .places = places, .arena = arena};
    eti_place *of_events = eti__places_of_block(places, account);
    bool is_found = of_events != NULL;
    for (size_t i = 0; is_found && i < account->block->n_events; i++)
        is_found = find_event(&f, i, &of_events[i], &out[i]);
    free(of_events);
    eti__buffer_free(&f.text);
    return is_found;
}
