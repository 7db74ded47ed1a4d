#include "account/event_times.h"

#include "account/blocks.h"

#include <stdlib.h>

static eti_status add_block(eti_event_times *times, const eti_event_block *block,
                            const eti_options *options, eti_error *err) {
    eti_timed_block *added = &times->blocks[times->n_blocks];
    uint64_t n_bytes = 0;
    added->first = times->n;
    ETI_TRY(eti__account_new(&added->account, block, options, err));
    times->n_blocks++;
    added->events = malloc((block->n_events + 1) * sizeof *added->events);
    if (!added->events)
        return eti_fail_memory(err);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!event->is_timed)
            continue;
        added->events[added->n_events++] = (uint32_t)i;
        n_bytes += block->name.size + event->name.size + event->known->backend_name.size;
    }
    times->n_bytes += n_bytes * block->n_runs;
    times->n += added->n_events * block->n_runs;
    return ETI_OK;
}

eti_status eti__event_times_make(eti_event_times *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    const eti_blocks *blocks = &inspector->blocks;
    *out = (eti_event_times){.blocks = calloc(blocks->n_blocks + 1, sizeof *out->blocks)};
    if (!out->blocks)
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (eti__block_is_summed(options, &blocks->blocks[i], false))
            ETI_TRY(add_block(out, &blocks->blocks[i], &inspector->options, err));
    }
    return ETI_OK;
}

void eti__event_times_free(eti_event_times *times) {
    for (size_t i = 0; i < times->n_blocks; i++) {
        eti__account_free(&times->blocks[i].account);
        free(times->blocks[i].events);
    }
    free(times->blocks);
}

static const eti_timed_block *find_block(const eti_event_times *times, size_t i) {
    size_t low = 0, high = times->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (times->blocks[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    return &times->blocks[low];
}

eti_event_time eti__event_times_at(const eti_event_times *times, size_t i) {
    const eti_timed_block *of = find_block(times, i);
    uint32_t number = of->events[(i - of->first) % of->n_events];
    return (eti_event_time){
        .account = &of->account,
        .event = &of->account.block->events[number],
        .number = number,
        .run = (i - of->first) / of->n_events,
    };
}
