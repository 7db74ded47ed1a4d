#include "profile/clocks.h"

#include "account/account.h"

static uint64_t hash_clock(const void *key, uint64_t seed) {
    const eti_clock *clock = key;
    return eti__hash_mix(eti__text_hash(clock->backend, seed), clock->role);
}

static bool is_equal_clock(const void *key, const void *other) {
    const eti_clock *a = key, *b = other;
    return a->role == b->role && eti__text_equal(a->backend, b->backend);
}

static const eti_intern_kind kind = {
    .item_size = sizeof(eti_clock), .hash = hash_clock, .is_equal = is_equal_clock};

static eti_clock clock_of(const eti_entry *entry) {
    eti_clock clock = {.role = entry->role};
    if (entry->role == ETI_ROLE_DELEGATED)
        clock.backend = entry->backend;
    return clock;
}

bool eti__clocks_add(eti_clocks *clocks, const eti_profile *profile) {
    uint32_t number;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = block->n_totals; k < block->n_entries; k++) {
            eti_clock clock = clock_of(&block->entries[k]);
            if (!eti__intern_add(&clocks->clocks.table, &kind, &clock, &number))
                return false;
            eti_clock *of = &clocks->clocks.items[number];
            of->step = eti__common_divisor(of->step, block->entries[k].step);
        }
    }
    return true;
}

void eti__clocks_free(eti_clocks *clocks) {
    eti__intern_free(&clocks->clocks.table);
}

double eti__clock_step(const eti_clocks *clocks, const eti_entry *entry) {
    eti_clock clock = clock_of(entry);
    uint32_t number;
    if (!eti__intern_find(&clocks->clocks.table, &kind, &clock, &number))
        return 0;
    uint64_t step = clocks->clocks.items[number].step;
    return step > 1 ? (double)step : 0;
}
