#include "timeline/slice_events.h"

#include "rollup/rollup.h"

#include <inttypes.h>
#include <stdlib.h>

/* Largest number of operators of an Event that are all named; if there are more, the first two and the last are. */
#define MOST_NAMED 4

/* Texts of Events, which are made once, may take this part of the limit for all slices. */
#define PART_OF_EVENTS 8

/* State while the texts of Events are made, once for a block. */
typedef struct finding {
    const eti_account *account;
    const eti_places *places;
    eti_slice_source *source;
    eti_error *err;
    eti_buffer text;
    const eti_text *last_ops; /* operators of the previous Event, which usually has the same */
    eti_text last_text;
    uint32_t last_frame; /* frame of the previous Event */
    eti_text last_source;
} finding;

eti_status eti__slice_texts_count(eti_slice_source *source, uint64_t n, uint64_t most,
                                  eti_error *err) {
    source->n_text = n < UINT64_MAX - source->n_text ? source->n_text + n : UINT64_MAX;
    if (most == 0 || source->n_text <= most)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "names are repeated in so many slices that they would take more than %" PRIu64
                    " bytes",
                    most);
}

/* Counts a text before it is made. */
static eti_status count_made(finding *f, uint64_t n) {
    uint64_t most = f->source->most_text / PART_OF_EVENTS;
    return eti__slice_texts_count(f->source, n, most, f->err);
}

static eti_status take_text(finding *f, eti_text *out) {
    bool is_kept =
        !f->text.failed && eti__arena_copy_text(&f->source->arena, eti__buffer_text(&f->text), out);
    f->text.size = 0;
    return is_kept ? ETI_OK : eti_fail_memory(f->err);
}

/* Returns the index of the operator of n that is named after the i-th. */
static size_t next_named(size_t i, size_t n) {
    return n > MOST_NAMED && i == 1 ? n - 1 : i + 1;
}

static eti_status find_ops(finding *f, const eti_event_record *known, eti_text *out) {
    size_t n = known->n_op_types;
    uint64_t size = 0;
    if (n == 0)
        return ETI_OK;
    *out = f->last_text;
    if (known->op_types == f->last_ops)
        return ETI_OK;
    for (size_t i = 0; i < n; i = next_named(i, n))
        size += known->op_types[i].size;
    ETI_TRY(count_made(f, size));
    for (size_t i = 0; i < n; i = next_named(i, n)) {
        bool is_after_gap = n > MOST_NAMED && i == n - 1;
        eti__buffer_add_string(&f->text, i == 0 ? "" : is_after_gap ? " ... " : ", ");
        eti__buffer_add_text(&f->text, known->op_types[i]);
    }
    if (n > MOST_NAMED)
        eti__buffer_printf(&f->text, " (%zu in all)", n);
    ETI_TRY(take_text(f, &f->last_text));
    f->last_ops = known->op_types;
    *out = f->last_text;
    return ETI_OK;
}

static eti_status find_source(finding *f, const eti_place *place, eti_text *out) {
    if (!place->has_frames)
        return ETI_OK;
    if (place->frame == ETI_PREFIX_ROOT) {
        *out = eti__text_of(ETI_GROUP_SEVERAL_LINES);
        return ETI_OK;
    }
    if (f->last_frame != place->frame) {
        const eti_stack_frame *frame = &eti__places_frame(f->places, place->frame)->frame;
        ETI_TRY(count_made(f, frame->file.size));
        eti__add_source_line(&f->text, frame->file, frame->line);
        ETI_TRY(take_text(f, &f->last_source));
        f->last_frame = place->frame;
    }
    *out = f->last_source;
    return ETI_OK;
}

static eti_status find_event(finding *f, size_t number, const eti_place *place,
                             eti_slice_event *out) {
    const eti_event_block *block = f->account->block;
    const eti_event *event = &block->events[number];
    *out = (eti_slice_event){
        .event = event,
        .instruction_id = eti__event_names_instruction(event) ? event->instruction_id : -1,
        .block = (uint32_t)block->number,
        .role = f->account->events[number].role,
    };
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(f->places, place->module);
    if (eti__role_is_delegate(eti__account_role(f->account, number)) ||
        event->is_timed_as_delegated)
        out->backend = eti__account_backend(f->account, number);
    ETI_TRY(find_ops(f, event->known, &out->op_types));
    ETI_TRY(find_source(f, place, &out->source));
    out->n_text = (uint64_t)event->name.size + out->op_types.size + out->module.size +
                  out->source.size + out->backend.size;
    return ETI_OK;
}

eti_status eti__slice_events_find(eti_slice_event *out, const eti_account *account,
                                  eti_places *places, eti_slice_source *source, eti_error *err) {
    finding f = {.account = account,
                 .places = places,
                 .source = source,
                 .err = err,
                 .last_frame = ETI_PREFIX_ROOT};
    eti_place *of_events = eti__places_of_block(places, account);
    eti_status status = of_events ? ETI_OK : eti_fail_memory(err);
    for (size_t i = 0; status == ETI_OK && i < account->block->n_events; i++)
        status = find_event(&f, i, &of_events[i], &out[i]);
    free(of_events);
    eti__buffer_free(&f.text);
    return status;
}
