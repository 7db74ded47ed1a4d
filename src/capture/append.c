/*
 * append.c - copies runs from one capture to another.
 */
#include "capture/capture.h"

/* Number of recent names for which a copier keeps the name in the other capture. */
enum { KNOWN_NAMES = 64 };

typedef struct copier {
    etc_capture *to;
    const etc_capture *from; /* or one of its lanes */
    bool no_allocations;
    struct {
        etc_name from, to;
    } known[KNOWN_NAMES];
} copier;

static etc_name copy_name(copier *copy, etc_name name) {
    if (name == 0)
        return 0;
    unsigned slot = (name ^ name >> 6) % KNOWN_NAMES;
    if (copy->known[slot].from != name || !copy->known[slot].to) {
        const etc_name_entry *entry = etc__name_entry(copy->from, name);
        copy->known[slot].from = name;
        copy->known[slot].to = entry ? etc__intern(copy->to, etc__entry_text(entry)) : 0;
    }
    return copy->known[slot].to;
}

/* Changes the capture that records come from. Names of a lane are unknown in other captures. */
static void change_source(copier *copy, const etc_capture *from) {
    if (copy->from != from)
        memset(copy->known, 0, sizeof copy->known);
    copy->from = from;
}

/* Clears the offsets of tensors, whose contents are not copied. */
static void forget_contents(etc_capture *c, etc_value_record *value) {
    if (value->type != ETC_VALUE_TENSOR && value->type != ETC_VALUE_TENSORS)
        return;
    etc_tensor_record *tensor = (etc_tensor_record *)(void *)(value + 1);
    for (uint64_t i = 0; i < value->bits; i++) {
        if (tensor->offset != -1)
            etc__count(&c->n_without_contents);
        tensor->offset = -1;
        tensor = (etc_tensor_record *)(void *)((uint8_t *)(tensor + 1) +
                                               sizeof(int64_t) * 2 * tensor->rank);
    }
}

/* Begins every record except an allocation: the name is after the header. */
typedef struct named_record {
    uint32_t header;
    etc_name name;
} named_record;

static bool is_allocation(etc_record_kind kind) {
    return kind == ETC_RECORD_ALLOCATOR || kind == ETC_RECORD_ALLOCATION;
}

static bool is_of_delegate(const uint32_t *record) {
    const etc_counted_record *counted = (const etc_counted_record *)(const void *)record;
    etc_record_kind kind = etc__record_kind(record);
    return kind == ETC_RECORD_DELEGATE || kind == ETC_RECORD_VALUE ||
           (kind == ETC_RECORD_COUNTED && (counted->n & ETC_COUNTED_DELEGATE));
}

/* Finds the names of the counters of an event in the other capture: before memory for the copy is reserved, which names take,
 * too. */
static void copy_counter_names(copier *copy, const etc_counted_record *record, etc_name *out) {
    const etc_counter_record *counters = (const etc_counter_record *)(const void *)(record + 1);
    for (uint32_t i = 0; i < (record->n & ETC_COUNTED_N); i++) {
        out[i] = copy_name(copy, counters[i].name);
        if (counters[i].name && !out[i])
            etc__mark_partial(copy->to);
    }
}

static void set_counter_names(etc_counted_record *record, const etc_name *names) {
    etc_counter_record *counters = (etc_counter_record *)(void *)(record + 1);
    for (uint32_t i = 0; i < (record->n & ETC_COUNTED_N); i++)
        counters[i].name = names[i];
}

static void copy_record(copier *copy, const uint32_t *record) {
    etc_capture *c = copy->to;
    etc_record_kind kind = etc__record_kind(record);
    uint32_t size = etc__record_size(record);
    etc_name name = 0;
    if (copy->no_allocations && is_allocation(kind))
        return;
    if (kind != ETC_RECORD_ALLOCATION) {
        etc_name old = ((const named_record *)(const void *)record)->name;
        name = copy_name(copy, old);
        if (old && !name)
            etc__mark_partial(c);
        if (old && !name && is_of_delegate(record)) {
            c->n_lost_full++; /* without its name it would look like one of the program */
            return;
        }
    }
    if (kind == ETC_RECORD_ALLOCATOR &&
        !name) /* as etc_allocator() does if the name table is full */
        name = ETC_EMPTY_NAME;
    etc_name names[ETC_MOST_COUNTERS] = {0};
    if (kind == ETC_RECORD_COUNTED)
        copy_counter_names(copy, (const etc_counted_record *)(const void *)record, names);
    named_record *out = etc__reserve(c, size);
    if (!out)
        return;
    memcpy(out, record, size);
    if (kind != ETC_RECORD_ALLOCATION)
        out->name = name;
    etc__use_parts_of(c, copy->from);
    if (kind == ETC_RECORD_COUNTED) {
        set_counter_names((etc_counted_record *)(void *)out, names);
    } else if (kind == ETC_RECORD_VALUE) {
        forget_contents(c, (etc_value_record *)(void *)out);
    }
    if (kind == ETC_RECORD_ALLOCATOR) {
        c->n_allocators++;
        etc__commit(c, size);
    } else {
        etc__commit_event(c, size);
    }
}

static const char *run_text(const etc_capture *from, const etc_run_record *run) {
    const etc_name_entry *name = etc__name_entry(from, run->name);
    return name ? etc__entry_text(name) : "";
}

/* Opens the copy of a run. */
static void open_copy(etc_capture *c, const etc_capture *from, const etc_run_record *run) {
    int32_t bundled_input = c->bundled_input;
    uint32_t n_names_lost = c->n_names_lost;
    c->bundled_input = run->bundled_input;
    etc_run(c, run_text(from, run));
    c->bundled_input = bundled_input;
    if (c->n_names_lost != n_names_lost)
        etc__mark_partial(c);
}

/* Holds the memory that the copy of a run takes in a ring. */
typedef struct needs {
    uint32_t n_records;
    uint64_t size; /* bytes, without a filler */
    uint32_t at;   /* where the next record goes */
    uint64_t filler;
    bool has_names; /* there is memory for them */
} needs;

/* Adds a record that goes to the next place, or to the base of the ring if it does not fit. */
static void need(needs *out, const etc_capture *c, uint32_t size) {
    uint32_t end = c->limit - out->at;
    out->size += size;
    if (size > end) {
        out->filler += end;
        out->at = etc__ring_base(c);
        end = c->limit - out->at;
    }
    out->at += size < end ? size : end;
}

/* Finds out what a copy takes. Interns its names, unless it would be kept without them. */
static needs measure(copier *copy, etc_name run, etc_cursor records) {
    const etc_capture *c = copy->to;
    uint32_t base = etc__ring_base(c);
    needs out = {.at = c->head < base ? base : c->head};
    out.has_names = c->keep_partial_runs || !run || copy_name(copy, run);
    need(&out, c, sizeof(etc_run_record));
    out.filler = 0; /* what is before the run is not a part of it */
    for (const uint32_t *record; (record = etc__next_record(&records)) != NULL; out.n_records++) {
        etc_record_kind kind = etc__record_kind(record);
        if (copy->no_allocations && is_allocation(kind))
            continue;
        change_source(copy, records.c);
        need(&out, c, etc__record_size(record));
        etc_name name =
            kind == ETC_RECORD_ALLOCATION ? 0 : ((const named_record *)(const void *)record)->name;
        if (!c->keep_partial_runs)
            out.has_names = out.has_names && (!name || copy_name(copy, name));
    }
    return out;
}

/* Returns whether a ring has memory for a copy if it drops all other runs. */
static bool fits(const etc_capture *c, const needs *known) {
    return known->has_names && known->size <= etc__longest_run(c);
}

/* Drops all runs of a ring if a copy fits only where it needs no filler, at the base. */
static void make_place(etc_capture *c, const needs *known) {
    if (known->size + known->filler <= etc__longest_run(c))
        return;
    while (etc__drop_oldest(c))
        continue;
}

/* Copies a run. A ring that does not keep partial runs gets either the whole run or nothing of it.
 * Another ring gets of a run that does not fit as much as it has room for. */
static void copy_run(copier *copy, const etc_capture *from, const etc_run_record *run,
                     etc_cursor records, bool is_whole) {
    etc_capture *c = copy->to;
    bool is_possible = true;
    needs known = {0};
    etc_run_end(c);
    change_source(copy, from);
    if (c->when_full == ETC_RING) {
        known = measure(copy, run->name, records);
#if ETC_HOSTED
        while (etc__grow_for(c, known.size)) {
            change_source(copy, from);
            known = measure(copy, run->name, records);
        }
#endif
        change_source(copy, from);
        bool is_fit = fits(c, &known);
        is_possible = (is_whole && is_fit) || c->keep_partial_runs;
        c->drops = is_possible && is_fit ? ETC_DROPS_ALL : ETC_DROPS_NONE;
        if (c->drops == ETC_DROPS_ALL &&
            !etc__is_outside(c, etc__find_name(c, run_text(from, run))))
            make_place(c, &known);
    }
    open_copy(c, from, run);
    if (!is_whole || !is_possible)
        etc__mark_partial(c);
    if (!is_possible && etc__is_on(c))
        c->n_lost_full += known.n_records;
    for (const uint32_t *record;
         is_possible && etc__is_on(c) && (record = etc__next_record(&records)) != NULL;) {
        change_source(copy, records.c);
        copy_record(copy, record);
    }
    etc_run_end(c);
    c->drops = ETC_DROPS_HALF;
}

void etc__copy_lane_names(etc_capture *to, const etc_capture *from) {
    for (; from; from = from->next_lane) {
        for (const uint8_t *at = from->names_end - from->names_used; at < from->names_end;) {
            const etc_name_entry *entry = (const etc_name_entry *)(const void *)at;
            at += etc__entry_size(etc__entry_length(entry));
            if (!etc__names_lane(entry))
                continue;
            etc_name name = etc__intern(to, etc__entry_text(entry));
            if (name)
                etc__entry_at(to, name)->mark |= ETC_NAME_OF_LANE;
            etc__use_parts_of(to, from);
        }
    }
}

/* Returns the number of losses. A run that a ring drops is not lost. */
static uint64_t count_losses(const etc_capture *c) {
    return c->n_lost_full + c->n_names_lost + (c->when_full == ETC_RING ? 0 : c->n_runs_dropped);
}

etc_status etc__append_run(etc_capture *to, const etc_capture *from, const etc_run_record *run,
                           etc_cursor records) {
    copier copy = {.to = to, .from = from};
    uint64_t n_losses = count_losses(to);
    copy_run(&copy, from, run, records, true);
    return count_losses(to) == n_losses ? ETC_OK : ETC_FULL;
}

etc_status etc_append(etc_capture *to, const etc_capture *from, const etc_save_options *options) {
    if (!to || !from)
        return ETC_OK;
    if (to == from)
        return ETC_INVALID;
    if (to->lane || from->lane)
        return ETC_STATE;
    etc_save_options known;
    if (!etc__read_options(&known, options))
        return ETC_INVALID;
    uint32_t n = etc__count_runs(from, &known);
    if (n == 0)
        return ETC_STATE;
    uint32_t n_skipped = known.last_runs && known.last_runs < n ? n - known.last_runs : 0;
    copier copy = {.to = to, .from = from, .no_allocations = known.no_allocations};
    uint64_t n_losses = count_losses(to);
    etc__copy_lane_names(to, from);
    etc_run_cursor cursor;
    etc__start_runs(from, &cursor, &known);
    for (const etc_run_record *run; (run = etc__next_run(from, &cursor)) != NULL;) {
        if (n_skipped)
            n_skipped--;
        else
            copy_run(&copy, from, run, cursor.records, cursor.is_whole);
    }
    return count_losses(to) == n_losses ? ETC_OK : ETC_FULL;
}
