/*
 * journal_check.c - checks names and records that come from a file, which is not trusted: after the
 * check they can be saved like names and records that were recorded in this process.
 */
#include "capture/journal.h"

#if ETC_HOSTED

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the size of the entry at `at`, with its text; 0: there is no valid entry. */
static uint32_t entry_size(const etc_capture *c, const uint8_t *at, uint32_t *hash) {
    const etc_name_entry *entry = (const etc_name_entry *)(const void *)at;
    size_t left = (size_t)(c->names_end - at);
    if (left < sizeof *entry || entry->mark < ETC_NAME_MARK)
        return 0;
    uint32_t length = etc__entry_length(entry), size = etc__entry_size(length);
    const char *text = etc__entry_text(entry);
    return size <= left && !text[length] && etc__is_text(text, length, hash) ? size : 0;
}

bool etc__adopt_names(etc_capture *c) {
    uint32_t hash = 0, size, left;
    c->file_names = 0;
    for (uint8_t *at = c->names_end - c->names_used; at < c->names_end; at += size) {
        size = entry_size(c, at, &hash);
        if (!size)
            return false;
        c->file_names += etc__string_size(etc__entry_length((etc_name_entry *)(void *)at));
    }
    left = c->file_names;
    for (uint8_t *at = c->names_end - c->names_used; at < c->names_end; at += size) {
        etc_name_entry *entry = (etc_name_entry *)(void *)at;
        size = entry_size(c, at, &hash);
        uint32_t length = etc__entry_length(entry), of_lane = entry->mark & ETC_NAME_OF_LANE;
        etc_name *bucket = &c->buckets[hash & c->bucket_mask];
        *entry = (etc_name_entry){ETC_NAME_MARK | of_lane | length, *bucket, hash, left};
        *bucket = (etc_name)((c->names_end - at) / 4);
        memset((uint8_t *)(entry + 1) + length, 0, size - sizeof *entry - length);
        left -= etc__string_size(length);
    }
    return true;
}

static bool is_name_or_none(const etc_capture *c, etc_name name) {
    return name == 0 || etc__is_name(c, name);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Checks a tensor in `*left` bytes, and subtracts its size from them. */
static bool check_tensor(const etc_tensor_record *tensor, uint32_t *left) {
    if (*left < sizeof *tensor || tensor->rank > ETC_MAX_RANK || tensor->offset < -1 ||
        etc__element_size(tensor->scalar_type) == 0)
        return false;
    uint32_t size = (uint32_t)sizeof *tensor + 2 * tensor->rank * (uint32_t)sizeof(int64_t);
    const int64_t *sizes = etc__tensor_sizes(tensor);
    if (size > *left)
        return false;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        if (sizes[i] < 0)
            return false;
    }
    *left -= size;
    return true;
}

static bool check_tensors(const etc_value_record *value, uint32_t size) {
    uint32_t left = size - (uint32_t)sizeof *value;
    const etc_tensor_record *tensor = (const etc_tensor_record *)(const void *)(value + 1);
    if (value->is_output > 1 || value->bits > left / sizeof *tensor ||
        (value->type == ETC_VALUE_TENSOR && value->bits != 1))
        return false;
    for (uint64_t i = 0; i < value->bits; i++) {
        if (!check_tensor(tensor, &left))
            return false;
        tensor = etc__next_tensor(tensor);
    }
    return left == 0;
}

static bool check_value(const etc_capture *c, const etc_value_record *value, uint32_t size) {
    if (size < sizeof *value || !is_name_or_none(c, value->name) ||
        (value->name && value->id != -1))
        return false;
    switch ((etc_value_type)value->type) {
    case ETC_VALUE_TENSOR:
    case ETC_VALUE_TENSORS:
        return check_tensors(value, size);
    case ETC_VALUE_INT:
    case ETC_VALUE_BOOL:
    case ETC_VALUE_DOUBLE:
        return size == sizeof *value && value->is_output == 0;
    }
    return false;
}

static bool check_delegate(const etc_capture *c, const etc_delegate_record *record, uint32_t size) {
    if (size < sizeof *record || record->metadata_size > size - sizeof *record ||
        etc__round_up((uint32_t)sizeof *record + record->metadata_size, ETC_RECORD_UNIT) != size)
        return false;
    return is_name_or_none(c, record->profile.name);
}

static bool check_counted(const etc_capture *c, const etc_counted_record *record, uint32_t size) {
    const etc_counter_record *counters = (const etc_counter_record *)(const void *)(record + 1);
    if (size < sizeof *record)
        return false;
    uint32_t n = record->n & ETC_COUNTED_N;
    uint32_t known = ETC_COUNTED_N | ETC_COUNTED_MARK | ETC_COUNTED_DELEGATE;
    if (n > ETC_MOST_COUNTERS || (record->n & ~known) ||
        size != sizeof *record + n * sizeof *counters || !is_name_or_none(c, record->profile.name))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_name_or_none(c, counters[i].name))
            return false;
    }
    return true;
}

/* Checks a record that lies in memory with all its `size` bytes. */
static bool check_record(const etc_capture *c, const void *record, uint32_t size) {
    const etc_profile_record *profile = record;
    const etc_allocator_record *allocator = record;
    switch (etc__record_kind(record)) {
    case ETC_RECORD_PROFILE:
        return size == sizeof *profile && is_name_or_none(c, profile->name);
    case ETC_RECORD_DELEGATE:
        return check_delegate(c, record, size);
    case ETC_RECORD_ALLOCATOR:
        return size == sizeof *allocator && etc__is_name(c, allocator->name);
    case ETC_RECORD_ALLOCATION:
        return size == sizeof(etc_allocation_record);
    case ETC_RECORD_VALUE:
        return check_value(c, record, size);
    case ETC_RECORD_COUNTED:
        return check_counted(c, record, size);
    case ETC_RECORD_FILLER:
    case ETC_RECORD_RUN:
        break;
    }
    return false;
}

/* Notes that the contents of the value's tensors are lost. */
static void forget_contents(etc_capture *c, etc_value_record *value) {
    etc_tensor_record *tensor = (etc_tensor_record *)(void *)(value + 1);
    if (value->type != ETC_VALUE_TENSOR && value->type != ETC_VALUE_TENSORS)
        return;
    for (uint64_t i = 0; i < value->bits; i++) {
        if (tensor->offset >= 0)
            etc__count(&c->n_without_contents);
        tensor->offset = -1;
        tensor = (etc_tensor_record *)(void *)etc__next_tensor(tensor);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Walks memory that has not been checked. */
typedef struct checking {
    etc_capture *c;
    uint32_t at, left;
    bool is_ring; /* goes on at `base` where it reaches `limit` */
    bool keeps_contents;
} checking;

static uint32_t *record_at(const checking *k) {
    return (uint32_t *)(void *)(k->c->records + k->at);
}

/* Returns the size of the record; 0: the record does not lie in one piece in the remaining memory.
 * A filler ends the ring. */
static uint32_t record_size(const checking *k) {
    uint32_t end = k->c->limit - k->at;
    if (k->left < ETC_RECORD_UNIT || end < ETC_RECORD_UNIT)
        return 0;
    uint32_t size = etc__record_size(record_at(k));
    if (size > k->left || size > end)
        return 0;
    if (etc__record_kind(record_at(k)) == ETC_RECORD_FILLER && (!k->is_ring || size != end))
        return 0;
    return size;
}

static void step(checking *k, uint32_t size) {
    k->left -= size;
    k->at += size;
    if (k->is_ring && k->at >= k->c->limit)
        k->at = k->c->base + (k->at - k->c->limit);
}

/* Steps over the records of a run, `size` bytes with the run record; stops at the first wrong
 * record. Returns the number of bytes before that record. */
static uint32_t check_run(checking *k, uint32_t size) {
    uint32_t behind = k->left - size;
    k->left = size;
    step(k, sizeof(etc_run_record));
    while (k->left) {
        void *record = record_at(k);
        uint32_t record_bytes = record_size(k);
        if (record_bytes == 0)
            break;
        if (etc__record_kind(record) != ETC_RECORD_FILLER) {
            if (!check_record(k->c, record, record_bytes))
                break;
            if (etc__record_kind(record) == ETC_RECORD_VALUE && !k->keeps_contents)
                forget_contents(k->c, record);
        }
        step(k, record_bytes);
    }
    uint32_t right = size - k->left;
    k->left += behind;
    return right;
}

/* Steps over a dropped run, whose records are not read. */
static bool step_over(checking *k, uint32_t size) {
    step(k, size);
    return true;
}

/* Marks a run as partial if lanes recorded in it, whose events the file does not have. A complete run is then counted as a
 * partial one. */
static void lose_lanes(etc_capture *c, etc_run_record *run, bool is_open) {
    bool was_complete = !is_open && !(run->flags & (ETC_RUN_PARTIAL | ETC_RUN_DROPPED));
    if (run->flags < ETC_RUN_LANES)
        return;
    run->flags = run->flags % ETC_RUN_LANES | ETC_RUN_PARTIAL;
    if (was_complete && c->n_runs) {
        c->n_runs--;
        etc__count(&c->n_runs_partial);
    }
}

/* Checks the next run, or the next filler between runs. */
static bool check_next(checking *k) {
    etc_capture *c = k->c;
    uint32_t size = record_size(k);
    etc_run_record *run = (etc_run_record *)(void *)record_at(k);
    if (size && etc__record_kind(&run->header) == ETC_RECORD_FILLER)
        return step_over(k, size);
    if (size != sizeof *run || etc__record_kind(&run->header) != ETC_RECORD_RUN ||
        !etc__is_name(c, run->name) ||
        (run->flags % ETC_RUN_LANES &
         ~(uint32_t)(ETC_RUN_PARTIAL | ETC_RUN_DROPPED | ETC_RUN_MIXED | ETC_RUN_LOADING)))
        return false;
    lose_lanes(c, run, k->at == c->run);
    run->flags |= ETC_RUN_MIXED; /* makes readers look at each record */
    if (k->at == c->run) {
        check_run(k, k->left);
        c->head = k->at;
        c->used -= k->left;
        k->left = 0;
        return true;
    }
    if (run->size < sizeof *run || run->size % ETC_RECORD_UNIT || run->size > k->left)
        return false;
    if (run->flags & ETC_RUN_DROPPED)
        return step_over(k, run->size);
    return check_run(k, run->size) == run->size;
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Checks the offsets, and moves `tail` and `head` to their positions; see journal.h. */
static bool settle(etc_capture *c) {
    bool is_ring = c->when_full == ETC_RING;
    if ((c->base | c->tail | c->head) % ETC_RECORD_UNIT || c->base > c->limit ||
        c->tail > c->limit || c->head > c->limit || (!is_ring && (c->base || c->tail)))
        return false;
    if (c->tail < c->base)
        c->tail = c->base;
    if (c->head < c->base || (is_ring && c->head == c->limit))
        c->head = c->base;
    if (is_ring && c->tail == c->limit)
        c->tail = c->base;
    if (c->used == 0)
        c->head = c->tail = c->base;
    uint32_t size = c->limit - c->base;
    bool is_full = c->used && c->used >= size;
    if (c->head > c->tail)
        c->used = c->head - c->tail;
    else if (c->head < c->tail)
        c->used = size - (c->tail - c->head);
    else
        c->used = is_ring && is_full ? size : 0;
    if (c->run == c->head && c->used < size)
        c->run = ETC_NOWHERE;
    if (c->used == 0)
        c->run = ETC_NOWHERE;
    return true;
}

bool etc__adopt_records(etc_capture *c, bool keeps_contents) {
    if (!settle(c))
        return false;
    checking pinned = {c, 0, c->base, false, keeps_contents};
    checking rest = {c, c->tail, c->used, c->when_full == ETC_RING, keeps_contents};
    uint32_t run = c->run;
    while (pinned.left) {
        if (pinned.at == run || !check_next(&pinned))
            return false;
    }
    bool is_found = run == ETC_NOWHERE;
    while (rest.left) {
        is_found = is_found || rest.at == run;
        if (!check_next(&rest))
            return false;
    }
    return is_found;
}

#endif
