#include "account/account.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t add_up(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void add_allocation(eti_allocated *to, uint64_t bytes) {
    to->n++;
    to->bytes = add_up(to->bytes, bytes);
    if (bytes > to->largest)
        to->largest = bytes;
}

static const eti_intern_kind allocator_kind = ETI_INTERN_BY_TEXT(eti_allocator);

/* Finds or adds an allocator that the run does not name. */
static bool number_id(eti_allocations *a, int32_t id, uint32_t *out) {
    char name[32];
    int length = snprintf(name, sizeof name, "(allocator %d)", id);
    const eti_allocator named = {.name = {name, (size_t)length}};
    size_t n_known = a->allocators.count;
    if (!eti__intern_add(&a->allocators.table, &allocator_kind, &named, out))
        return false;
    eti_allocator *allocator = &a->allocators.items[*out];
    if (*out < n_known)
        return true;
    bool done = eti__arena_copy_text(&a->texts, named.name, &allocator->name);
    allocator->shown = allocator->name;
    return done;
}

/* Repairs the name of a new allocator. */
static bool show_name(eti_allocations *a, eti_allocator *allocator) {
    allocator->shown = allocator->name;
    return eti__text_valid_utf8(allocator->name) == allocator->name.size ||
           eti__arena_own_text(&a->texts, allocator->name, &allocator->shown);
}

bool eti__allocations_find_allocator(eti_allocations *a, const eti_etdump *dump,
                                     const eti_etdump_run *run, int32_t id, int32_t first_id,
                                     uint32_t *out) {
    int64_t number = (int64_t)id - first_id;
    if (number < 0 || number >= run->allocators.count)
        return number_id(a, id, out);
    eti_text name = eti__etdump_allocator_name(dump, run, (uint32_t)number);
    if (name.size == 0)
        return number_id(a, id, out);
    size_t n_known = a->allocators.count;
    return eti__intern_add_shared(&a->allocators.table, &allocator_kind, &a->by_name,
                                  &(eti_allocator){.name = name}, out) &&
           (*out < n_known || show_name(a, &a->allocators.items[*out]));
}

/* Returns the allocations of the allocator in the current run; adds an entry if there is none. */
static eti_run_allocations *find_in_run(eti_allocations *a, uint32_t dump, uint32_t run,
                                        eti_text block, uint32_t number) {
    eti_allocator *allocator = &a->allocators.items[number];
    eti_run_allocations *last = allocator->last > 0 ? &a->runs[allocator->last - 1] : NULL;
    if (last && last->dump == dump && last->run == run)
        return last;
    if (!ETI_GROW(a->runs, a->run_capacity, a->n_runs + 1))
        return NULL;
    a->runs[a->n_runs] = (eti_run_allocations){.dump = dump, .run = run, .allocator = number};
    a->n_bytes += allocator->name.size + block.size;
    allocator->last = ++a->n_runs;
    allocator->n_runs++;
    return &a->runs[a->n_runs - 1];
}

static bool read_run(eti_allocations *a, uint32_t dump_number, uint32_t number, int32_t first_id) {
    const eti_etdump *dump = &a->inspector->dumps[dump_number];
    eti_etdump_run run = eti__etdump_read_run(dump, number);
    for (uint32_t i = 0; i < run.events.count; i++) {
        eti_etdump_allocation allocation;
        eti_position event = eti__etdump_event_position(dump, run.events, i);
        if (!eti__etdump_read_allocation(dump, event, &allocation))
            continue;
        uint32_t at;
        if (!eti__allocations_find_allocator(a, dump, &run, allocation.allocator_id, first_id, &at))
            return false;
        eti_run_allocations *of = find_in_run(a, dump_number, number, run.name, at);
        if (!of)
            return false;
        add_allocation(&of->in_run, allocation.size);
        add_allocation(&a->allocators.items[at].all, allocation.size);
        if (of->in_run.bytes > a->allocators.items[at].peak)
            a->allocators.items[at].peak = of->in_run.bytes;
    }
    return true;
}

static bool names_allocator_0(const eti_etdump *dump) {
    for (uint32_t number = 0; number < dump->runs.count; number++) {
        eti_etdump_run run = eti__etdump_read_run(dump, number);
        for (uint32_t i = 0; i < run.events.count; i++) {
            eti_etdump_allocation allocation;
            eti_position event = eti__etdump_event_position(dump, run.events, i);
            if (eti__etdump_read_allocation(dump, event, &allocation) &&
                allocation.allocator_id == 0)
                return true;
        }
    }
    return false;
}

int32_t eti__first_allocator_id(const eti_etdump *dump) {
    return names_allocator_0(dump) ? 0 : 1;
}

/* Finds the runs of the dump that are in selected blocks; --skip_first leaves out the others. */
static void find_wanted(const eti_inspector *inspector, const eti_view_options *options,
                        const eti_etdump *dump, bool *wanted) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_runs && eti__block_is_chosen(options, block); i++) {
            if (block->runs[i].dump == dump)
                wanted[block->runs[i].index] = true;
        }
    }
}

static bool read_dump(eti_allocations *a, uint32_t number, const eti_view_options *options) {
    const eti_etdump *dump = &a->inspector->dumps[number];
    int32_t first_id = eti__first_allocator_id(dump);
    bool *wanted = calloc((size_t)dump->runs.count + 1, sizeof *wanted);
    bool done = wanted != NULL;
    if (done)
        find_wanted(a->inspector, options, dump, wanted);
    for (uint32_t run = 0; done && run < dump->runs.count; run++) {
        if (wanted[run])
            done = read_run(a, number, run, first_id);
    }
    free(wanted);
    return done;
}

eti_status eti__allocations_make(eti_allocations *out, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) {
    bool done = true;
    *out = (eti_allocations){.inspector = inspector};
    for (uint32_t d = 0; done && d < inspector->n_dumps; d++)
        done = read_dump(out, d, options);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__allocations_free(eti_allocations *a) {
    eti__arena_free(&a->texts);
    eti__intern_free(&a->allocators.table);
    eti__pointer_table_free(&a->by_name);
    free(a->runs);
}

uint64_t eti__run_allocated(const eti_block_run *run) {
    uint64_t bytes = 0;
    eti_etdump_allocation allocation;
    for (uint32_t i = 0; run->layout->n_allocations > 0 && i < run->events.count; i++) {
        if (eti__etdump_read_allocation(run->dump, eti__block_run_position(run, i), &allocation))
            bytes = add_up(bytes, allocation.size);
    }
    return bytes;
}
