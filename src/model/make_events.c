#include "model/make_events.h"

#include <stdio.h>

const eti_event_record eti__no_record = {.num_outputs = 1};

/* Sources whose events one thread makes. */
typedef struct making_part {
    eti_arena arena; /* holds their names */
    bool failed, has_broken_names;
} making_part;

typedef struct making {
    eti_event *out;
    const eti_run_events *run;
    size_t n_parts;
    making_part parts[ETI_MAX_THREADS];
} making;

static void set_delegate_id(eti_event *event, const eti_event_identity *identity) {
    event->delegate_id_kind = ETI_DELEGATE_ID_NONE;
    event->delegate_id_int = -1;
    if (identity->delegate_id_int != -1) {
        event->delegate_id_kind = ETI_DELEGATE_ID_INT;
        event->delegate_id_int = identity->delegate_id_int;
    } else if (identity->delegate_id_str.size > 0) {
        event->delegate_id_kind = ETI_DELEGATE_ID_STRING;
    }
    event->is_delegated_op = event->delegate_id_kind != ETI_DELEGATE_ID_NONE;
}

/* Sets the event's ids, and its name if there is one: older runtimes do not name their debug events. */
static bool apply_identity(eti_event *event, const eti_run_events *run, uint32_t number,
                           eti_arena *arena) {
    eti_etdump_event recorded;
    eti__etdump_read_event(&recorded, run->dump,
                           eti__etdump_event_position(run->dump, run->events, number));
    eti_event_identity identity = eti__event_identity_of(&recorded);
    eti_text name = identity.name;
    event->instruction_id = identity.instruction_id;
    event->has_chain = recorded.key.chain_index != ETI_NO_CHAIN;
    set_delegate_id(event, &identity);
    if (event->delegate_id_kind == ETI_DELEGATE_ID_INT) {
        char digits[16];
        int length = snprintf(digits, sizeof digits, "%d", identity.delegate_id_int);
        if (!eti__arena_copy_text(arena, (eti_text){digits, (size_t)length}, &name))
            return false;
    } else if (event->delegate_id_kind == ETI_DELEGATE_ID_STRING) {
        name = identity.delegate_id_str;
    }
    if (name.size > 0)
        event->name = name;
    return true;
}

static bool make_event(eti_event *event, const eti_run_events *run, eti_event_source from,
                       making_part *part) {
    uint32_t debug = eti__run_events_first(run, run->groups[from.group].last_debug);
    *event = (eti_event){
        .name = {"", 0},
        .record = &eti__no_record,
        .known = &eti__no_record,
        .delegate_id_int = -1,
        .is_timed = from.profile != ETI_NO_EVENT,
    };
    if (event->is_timed && !apply_identity(event, run, from.profile, &part->arena))
        return false;
    event->is_timed_as_delegated = event->is_delegated_op;
    if (debug != ETI_NO_EVENT && !apply_identity(event, run, debug, &part->arena))
        return false;
    event->is_operator_call = eti__text_contains(event->name, eti__text_of("OPERATOR_CALL"));
    if (eti__text_valid_utf8(event->name) != event->name.size)
        part->has_broken_names = true;
    return true;
}

static void make_part(void *context, size_t i) {
    making *all = context;
    making_part *part = &all->parts[i];
    size_t first, end;
    eti__parallel_part(all->run->n_sources, all->n_parts, i, &first, &end);
    for (size_t k = first; k < end && !part->failed; k++)
        part->failed = !make_event(&all->out[k], all->run, all->run->sources[k], part);
}

bool eti__make_events(eti_event *out, const eti_run_events *run, eti_arena *arena, size_t n_threads,
                      bool *has_broken_names) {
    making all; /* only the parts that are used are initialised */
    all.out = out;
    all.run = run;
    all.n_parts = run->n_sources * sizeof *out >= ETI_PARALLEL_BYTES / 4 ? n_threads : 1;
    for (size_t i = 0; i < all.n_parts; i++)
        all.parts[i] = (making_part){.failed = false};
    eti__parallel(all.n_parts, make_part, &all);
    bool made = true;
    for (size_t i = 0; i < all.n_parts; i++) {
        making_part *part = &all.parts[i];
        eti__arena_join(arena, &part->arena);
        made = made && !part->failed;
        *has_broken_names = *has_broken_names || part->has_broken_names;
    }
    return made;
}
