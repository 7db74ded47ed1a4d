#include "account/synthetic.h"

#include "account/role.h"

#include <stdlib.h>

#define RUNS_LOOKED_AT 16
/* With fewer samples or pairs, all signs may be chance. */
#define LEAST_SAMPLES 4
#define LEAST_RUNS 3
#define LEAST_STEP 100

static eti_etdump_stamps stamps_of(const eti_event_block *block, size_t event, size_t run) {
    const eti_block_run *of = &block->runs[run];
    eti_position position = eti__block_run_position(of, of->layout->profile_events[event]);
    return eti__etdump_read_stamps(of->dump, position);
}

static uint64_t length_of(eti_etdump_stamps stamps) {
    return stamps.end_time > stamps.start_time ? stamps.end_time - stamps.start_time : 0;
}

static void add_sample(eti_delegate_stamps *to, uint64_t length) {
    if (to->n_samples++ == 0)
        to->first_length = length;
    to->lengths_differ = to->lengths_differ || length != to->first_length;
    to->step = eti__common_divisor(to->step, length);
}

/* Adds an event. `before` is the previous event in the same call, or the event itself. */
static void add_event(eti_delegate_stamps *to, const eti_event_block *block, size_t event,
                      size_t before) {
    size_t n_runs = block->n_runs < RUNS_LOOKED_AT ? block->n_runs : RUNS_LOOKED_AT;
    uint64_t first = 0;
    to->n_events++;
    if (n_runs > to->most_runs)
        to->most_runs = n_runs;
    for (size_t run = 0; run < n_runs; run++) {
        eti_etdump_stamps stamps = stamps_of(block, event, run);
        uint64_t length = length_of(stamps);
        first = run == 0 ? length : first;
        to->runs_differ = to->runs_differ || length != first;
        add_sample(to, length);
        if (before == event)
            continue;
        to->n_pairs++;
        to->has_gaps = to->has_gaps || stamps_of(block, before, run).end_time != stamps.start_time;
    }
}

static bool is_delegated(const eti_event *event) {
    return eti__role_by_name(event) == ETI_ROLE_DELEGATED;
}

static bool is_same_call(const eti_event *a, const eti_event *b) {
    return is_delegated(a) && a->instruction_id == b->instruction_id;
}

bool eti__synthetic_add(eti_synthetic *synthetic, const eti_event_block *block) {
    static const eti_intern_kind kind = ETI_INTERN_BY_TEXT(eti_delegate_stamps);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!is_delegated(event))
            continue;
        eti_text backend = event->known->backend_name;
        const eti_delegate_stamps added = {.backend = backend.data ? backend : eti__text_of("")};
        uint32_t number;
        if (!eti__intern_add_shared(&synthetic->stamps.table, &kind, &synthetic->by_backend, &added,
                                    &number))
            return false;
        size_t before = i > 0 && is_same_call(&block->events[i - 1], event) ? i - 1 : i;
        add_event(&synthetic->stamps.items[number], block, i, before);
    }
    return true;
}

eti_synthetic_sign eti__synthetic_judge(const eti_delegate_stamps *stamps) {
    if (stamps->n_samples < LEAST_SAMPLES || stamps->n_events < 2)
        return ETI_SYNTHETIC_NOT;
    if (!stamps->lengths_differ)
        return ETI_SYNTHETIC_ALIKE;
    if (!stamps->runs_differ && stamps->most_runs >= LEAST_RUNS)
        return ETI_SYNTHETIC_CONSTANT;
    if (!stamps->has_gaps && stamps->n_pairs >= LEAST_SAMPLES && stamps->step >= LEAST_STEP)
        return ETI_SYNTHETIC_STEPS;
    return ETI_SYNTHETIC_NOT;
}

void eti__synthetic_free(eti_synthetic *synthetic) {
    eti__intern_free(&synthetic->stamps.table);
    eti__pointer_table_free(&synthetic->by_backend);
    *synthetic = (eti_synthetic){0};
}
