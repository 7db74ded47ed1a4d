/* Headers, records and names of a journal that are wrong in one place: refused, or the open run is cut before them. */
#include "journal_fixture.h"

#include "capture/journal.h"

/* A journal in memory, in which tests change words. */
typedef struct journal {
    uint8_t *bytes;
    size_t size;
    const etc_journal_header *header;
    uint8_t *records, *names_end;
} journal;

static void put_field(const journal *j, enum etc_journal_field field, uint32_t value) {
    memcpy(j->bytes + j->header->header_size + j->header->fields[field], &value, sizeof value);
}

static uint32_t field_of(const journal *j, enum etc_journal_field field) {
    uint32_t value;
    memcpy(&value, j->bytes + j->header->header_size + j->header->fields[field], sizeof value);
    return value;
}

/* Makes a journal of a run called "Execute" with what `add` records. */
static journal make_journal(void (*add)(etc_capture *), bool is_open, etc_when_full when_full) {
    etc_config config = make_config();
    config.when_full = when_full;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = open_journal("journal", 4096, &config);
    etc_run(c, "Execute");
    add(c);
    if (!is_open)
        etc_run_end(c);
    etc_close(c);
    journal j = {.bytes = read_whole_file(in_folder("journal"), &j.size)};
    assert_int_equal(unlink(in_folder("journal")), 0);
    j.header = (const etc_journal_header *)(const void *)j.bytes;
    j.records = j.bytes + j.header->header_size + j.header->records;
    j.names_end = j.bytes + j.header->header_size + j.header->memory_size;
    return j;
}

/* The first record of the run. */
static void *record_of(const journal *j) {
    return j->records + sizeof(etc_run_record);
}

static etc_status open_status(const journal *j) {
    etc_capture *c;
    etc_status status = etc_open_recovered_memory(&c, j->bytes, j->size);
    etc_close(c);
    return status;
}

#define REFUSED(j) assert_int_equal(open_status(j), ETC_INVALID)
#define TAKEN(j) assert_int_equal(open_status(j), ETC_OK)

/* Is refused with the value in the member, and taken again with the one before. */
#define REFUSED_WITH(j, member, value)                                                             \
    do {                                                                                           \
        __typeof__(member) kept = (member);                                                        \
        (member) = (__typeof__(member))(value);                                                    \
        if (open_status(j) != ETC_INVALID)                                                         \
            fail_msg("taken with " #member " = " #value);                                          \
        (member) = kept;                                                                           \
        TAKEN(j);                                                                                  \
    } while (0)

#define TAKEN_WITH(j, member, value)                                                               \
    do {                                                                                           \
        __typeof__(member) kept = (member);                                                        \
        (member) = (__typeof__(member))(value);                                                    \
        if (open_status(j) != ETC_OK)                                                              \
            fail_msg("refused with " #member " = " #value);                                        \
        (member) = kept;                                                                           \
    } while (0)

/* No entry begins three words before the end of the names. */
#define NO_NAME 3

/* ---- events ---------------------------------------------------------------------------------- */

static void add_plain(etc_capture *c) {
    etc_log(c, etc_intern(c, "event"), 1, 2);
}

static void wrong_events_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_plain, false, ETC_STOP);
    etc_profile_record *event = record_of(&j);
    const uint32_t size = sizeof *event;
    TAKEN(&j);
    REFUSED_WITH(&j, event->name, NO_NAME);
    REFUSED_WITH(&j, event->name, field_of(&j, ETC_JOURNAL_names_used));
    TAKEN_WITH(&j, event->name, 0);
    TAKEN_WITH(&j, event->name, ETC_EMPTY_NAME);
    /* records of other kinds have other sizes, and no run is inside another */
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_DELEGATE, size));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_ALLOCATOR, size));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_ALLOCATION, size));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_RUN, size));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_FILLER, size));
    REFUSED_WITH(&j, event->header,
                 etc__record_header((etc_record_kind)(ETC_RECORD_VALUE + 1), size));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_PROFILE, size - 8));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_PROFILE, size + 8));
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_PROFILE, 0));
    free(j.bytes);
}

static void add_delegated(etc_capture *c) {
    etc_log_delegate(c, etc_intern(c, "event"), -1, 3, 4, "metadata", 8);
}

/* The metadata, rounded up to 8 bytes, fill the record. */
static void wrong_delegated_events_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_delegated, false, ETC_STOP);
    etc_delegate_record *event = record_of(&j);
    TAKEN(&j);
    TAKEN_WITH(&j, event->metadata_size, 7);
    TAKEN_WITH(&j, event->metadata_size, 1);
    REFUSED_WITH(&j, event->metadata_size, 0);
    REFUSED_WITH(&j, event->metadata_size, 9);
    REFUSED_WITH(&j, event->metadata_size,
                 UINT32_MAX - 7); /* with the record 32 bytes, as of 2^32 */
    REFUSED_WITH(&j, event->profile.name, NO_NAME);
    TAKEN_WITH(&j, event->profile.name, 0);
    /* a record that is too small for the members, with a size that makes up for it */
    etc_run_record *run = (etc_run_record *)(void *)j.records;
    event->profile.header = etc__record_header(ETC_RECORD_DELEGATE, 32);
    event->metadata_size = UINT32_MAX - 7;
    run->size = sizeof *run + 32;
    put_field(&j, ETC_JOURNAL_head, run->size);
    put_field(&j, ETC_JOURNAL_used, run->size);
    REFUSED(&j);
    event->profile.header = etc__record_header(ETC_RECORD_PROFILE, 32);
    TAKEN(&j);
    free(j.bytes);
}

static void add_counted(etc_capture *c) {
    const etc_counter counters[] = {{etc_intern(c, "event"), 1}, {etc_intern(c, "b"), 2}};
    etc_mark(c, counters[0].name, counters, 2);
}

/* The counters fill the record. */
static void wrong_counters_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_counted, false, ETC_STOP);
    etc_counted_record *event = record_of(&j);
    etc_counter_record *counters = (etc_counter_record *)(void *)(event + 1);
    assert_int_equal(event->n, 2 | ETC_COUNTED_MARK);
    TAKEN(&j);
    TAKEN_WITH(&j, event->n, 2 | ETC_COUNTED_DELEGATE);
    REFUSED_WITH(&j, event->n, 1);
    REFUSED_WITH(&j, event->n, 3);
    REFUSED_WITH(&j, event->n, 2 + (1 << 28)); /* 2 in 32 bits of the size */
    REFUSED_WITH(&j, event->n, 2 | UINT32_MAX << 31);
    REFUSED_WITH(&j, event->profile.name, NO_NAME);
    TAKEN_WITH(&j, event->profile.name, 0);
    REFUSED_WITH(&j, counters[0].name, NO_NAME);
    REFUSED_WITH(&j, counters[1].name, NO_NAME);
    TAKEN_WITH(&j, counters[1].name, 0);
    free(j.bytes);
}

static void add_allocations(etc_capture *c) {
    etc_allocation(c, etc_allocator(c, "arena"), 4096);
}

static void wrong_allocations_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_allocations, false, ETC_STOP);
    etc_allocator_record *allocator = record_of(&j);
    etc_allocation_record *allocation = (etc_allocation_record *)(void *)(allocator + 1);
    TAKEN(&j);
    REFUSED_WITH(&j, allocator->name, 0); /* an allocator has a name, if only "" */
    REFUSED_WITH(&j, allocator->name, NO_NAME);
    TAKEN_WITH(&j, allocator->name, ETC_EMPTY_NAME);
    REFUSED_WITH(&j, allocator->header, etc__record_header(ETC_RECORD_ALLOCATOR, 24));
    REFUSED_WITH(&j, allocation->header, etc__record_header(ETC_RECORD_ALLOCATION, 8));
    TAKEN_WITH(&j, allocation->bytes, UINT64_MAX);
    free(j.bytes);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void add_number(etc_capture *c) {
    assert_int_equal(etc_log_int(c, (etc_key){"key", -1}, 5, 0), ETC_OK);
}

static void wrong_numbers_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_number, false, ETC_STOP);
    etc_value_record *value = record_of(&j);
    static const uint8_t numbers[] = {ETC_VALUE_INT, ETC_VALUE_BOOL, ETC_VALUE_DOUBLE};
    for (size_t i = 0; i < sizeof numbers; i++) {
        value->type = numbers[i];
        TAKEN(&j);
        REFUSED_WITH(&j, value->is_output, 1);
        REFUSED_WITH(&j, value->name, NO_NAME);
        REFUSED_WITH(&j, value->id, 0); /* it has a name */
        etc_name name = value->name;
        value->name = 0;
        TAKEN_WITH(&j, value->id, 0);
        TAKEN_WITH(&j, value->id, -1);
        value->name = name;
    }
    REFUSED_WITH(&j, value->type, 0);
    REFUSED_WITH(&j, value->type, 3);
    REFUSED_WITH(&j, value->type, 7);
    free(j.bytes);
}

/* A number, and an allocator that its record could take in. */
static void add_number_and_allocator(etc_capture *c) {
    add_number(c);
    (void)etc_allocator(c, "");
}

static void numbers_have_one_size(void **state) {
    (void)state;
    journal j = make_journal(add_number_and_allocator, false, ETC_STOP);
    etc_value_record *value = record_of(&j);
    TAKEN(&j);
    REFUSED_WITH(&j, value->header, etc__record_header(ETC_RECORD_VALUE, sizeof *value + 8));
    REFUSED_WITH(&j, value->header, etc__record_header(ETC_RECORD_VALUE, sizeof *value - 8));
    free(j.bytes);
}

static const int64_t sizes[] = {2, 3};
static const float data[6];

static void add_tensor(etc_capture *c) {
    const etc_tensor tensor = {ETC_FLOAT, 2, sizes, NULL, data, sizeof data};
    (void)etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
}

/* Rank 2: two sizes and two strides of 8 bytes. */
static void wrong_tensors_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_tensor, false, ETC_STOP);
    etc_value_record *value = record_of(&j);
    etc_tensor_record *tensor = (etc_tensor_record *)(void *)(value + 1);
    int64_t *of_tensor = (int64_t *)(void *)(tensor + 1);
    TAKEN(&j);
    TAKEN_WITH(&j, value->is_output, 1);
    REFUSED_WITH(&j, value->is_output, 2);
    REFUSED_WITH(&j, value->bits, 0);
    REFUSED_WITH(&j, value->bits, 2);
    REFUSED_WITH(&j, value->bits, UINT64_MAX);
    REFUSED_WITH(&j, tensor->scalar_type, 1000);
    REFUSED_WITH(&j, tensor->scalar_type, -1);
    TAKEN_WITH(&j, tensor->offset, -1);
    TAKEN_WITH(&j, tensor->offset, INT64_MAX);
    REFUSED_WITH(&j, tensor->offset, -2);
    REFUSED_WITH(&j, tensor->rank, 1);
    REFUSED_WITH(&j, tensor->rank, 3);
    REFUSED_WITH(&j, tensor->rank, UINT32_C(0x10000002)); /* 2^32 bytes more */
    REFUSED_WITH(&j, of_tensor[0], -1);
    REFUSED_WITH(&j, of_tensor[1], -1);
    TAKEN_WITH(&j, of_tensor[1], 0);
    TAKEN_WITH(&j, of_tensor[2], -1); /* a stride */
    free(j.bytes);
}

static void add_tensors(etc_capture *c) {
    const etc_tensor tensors[] = {{ETC_FLOAT, 2, sizes, NULL, data, sizeof data},
                                  {ETC_INT, 0, NULL, NULL, data, 4}};
    (void)etc_log_tensors(c, ETC_OPERATOR, tensors, 2, 0);
}

static void wrong_lists_of_tensors_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_tensors, false, ETC_STOP);
    etc_value_record *value = record_of(&j);
    etc_tensor_record *second = (etc_tensor_record *)(void *)((int64_t *)(void *)(value + 1) + 6);
    TAKEN(&j);
    assert_int_equal(second->scalar_type, ETC_INT);
    REFUSED_WITH(&j, value->bits, 0);
    REFUSED_WITH(&j, value->bits, 1);
    REFUSED_WITH(&j, value->bits, 3);
    REFUSED_WITH(&j, value->type, ETC_VALUE_TENSOR);
    REFUSED_WITH(&j, second->scalar_type, 1000);
    REFUSED_WITH(&j, second->rank, 1);
    free(j.bytes);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void wrong_runs_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_plain, false, ETC_STOP);
    etc_run_record *run = (etc_run_record *)(void *)j.records;
    TAKEN(&j);
    REFUSED_WITH(&j, run->name, 0);
    REFUSED_WITH(&j, run->name, NO_NAME);
    TAKEN_WITH(&j, run->flags, run->flags | ETC_RUN_PARTIAL | ETC_RUN_MIXED | ETC_RUN_LOADING);
    REFUSED_WITH(&j, run->flags, run->flags | 16);
    REFUSED_WITH(&j, run->header, etc__record_header(ETC_RECORD_RUN, sizeof *run + 8));
    REFUSED_WITH(&j, run->header, etc__record_header(ETC_RECORD_PROFILE, sizeof *run));
    REFUSED_WITH(&j, run->size, 0);
    REFUSED_WITH(&j, run->size, sizeof *run - 8);
    REFUSED_WITH(&j, run->size, run->size - 4);
    REFUSED_WITH(&j, run->size, run->size + 8);
    free(j.bytes);
}

static size_t count_recovered(const journal *j, bool partial_runs) {
    etc_capture *c;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = partial_runs;
    uint64_t n_events;
    assert_int_equal(etc_open_recovered_memory(&c, j->bytes, j->size), ETC_OK);
    etc_status status = etc_count_saved(c, &options, NULL, &n_events);
    assert_true(status == ETC_OK || status == ETC_STATE);
    etc_close(c);
    return (size_t)n_events;
}

/* Nobody reads the records of a dropped run, but it must lie in the memory. */
static void dropped_runs_are_stepped_over(void **state) {
    (void)state;
    journal j = make_journal(add_plain, false, ETC_STOP);
    etc_run_record *run = (etc_run_record *)(void *)j.records;
    etc_profile_record *event = record_of(&j);
    assert_int_equal(count_recovered(&j, false), 1);
    event->name = NO_NAME;
    REFUSED(&j);
    run->flags |= ETC_RUN_DROPPED;
    assert_int_equal(count_recovered(&j, true), 0);
    REFUSED_WITH(&j, run->size, run->size + 8);
    free(j.bytes);
}

static void add_three(etc_capture *c) {
    for (int i = 0; i < 3; i++)
        etc_log(c, 0, 1, 2);
}

/* The process was killed: the run has the events before the first wrong one. */
static void the_open_run_is_cut_at_a_wrong_record(void **state) {
    (void)state;
    journal j = make_journal(add_three, true, ETC_STOP);
    etc_profile_record *events = record_of(&j);
    etc_capture *c;
    assert_int_equal(count_recovered(&j, false), 0);
    assert_int_equal(count_recovered(&j, true), 3);
    for (size_t i = 3; i-- > 0;) {
        events[i].name = NO_NAME;
        assert_int_equal(count_recovered(&j, true), i);
        assert_int_equal(etc_open_recovered_memory(&c, j.bytes, j.size), ETC_OK);
        assert_int_equal(stats_of(c).record_bytes, sizeof(etc_run_record) + i * sizeof *events);
        etc_close(c);
    }
    free(j.bytes);
}

/* ---- positions ------------------------------------------------------------------------------- */

static void expect_refused_field(const journal *j, enum etc_journal_field field, uint32_t value) {
    uint32_t kept = field_of(j, field);
    put_field(j, field, value);
    if (open_status(j) != ETC_INVALID)
        fail_msg("taken with %u in field %d", value, (int)field);
    put_field(j, field, kept);
    TAKEN(j);
}

/* Positions lie in the memory of records, at multiples of 8 bytes; without a ring records begin at its beginning. */
static void wrong_positions_are_refused(void **state) {
    (void)state;
    static const enum etc_journal_field fields[] = {ETC_JOURNAL_base, ETC_JOURNAL_tail,
                                                    ETC_JOURNAL_head};
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        journal j = make_journal(add_three, false, (etc_when_full)when_full);
        uint32_t limit =
            j.header->memory_size - j.header->records -
            field_of(&j, when_full == ETC_RING ? ETC_JOURNAL_names_most : ETC_JOURNAL_names_used);
        TAKEN(&j);
        for (size_t i = 0; i < 3; i++) {
            expect_refused_field(&j, fields[i], field_of(&j, fields[i]) + 4);
            expect_refused_field(&j, fields[i], (limit & ~7u) + 8);
            expect_refused_field(&j, fields[i], UINT32_MAX & ~7u);
        }
        /* an open run is one of those that are there, and none that is pinned */
        expect_refused_field(&j, ETC_JOURNAL_run, 8);
        expect_refused_field(&j, ETC_JOURNAL_run, limit);
        if (when_full != ETC_RING) {
            expect_refused_field(&j, ETC_JOURNAL_tail, field_of(&j, ETC_JOURNAL_head));
            expect_refused_field(&j, ETC_JOURNAL_base, field_of(&j, ETC_JOURNAL_head));
        }
        free(j.bytes);
    }
}

/* A process that is killed while it pins its runs has moved `base`, but neither `tail` nor `head`. */
static void runs_that_are_being_pinned_are_kept(void **state) {
    (void)state;
    journal j = make_journal(add_three, false, ETC_RING);
    uint32_t head = field_of(&j, ETC_JOURNAL_head);
    assert_int_equal(count_recovered(&j, false), 3);
    put_field(&j, ETC_JOURNAL_base, head); /* tail is still 0 */
    assert_int_equal(count_recovered(&j, false), 3);
    put_field(&j, ETC_JOURNAL_tail, head);
    assert_int_equal(count_recovered(&j, false), 3);
    put_field(&j, ETC_JOURNAL_used, 0);
    assert_int_equal(count_recovered(&j, false), 3);
    free(j.bytes);
}

static void add_two_runs(etc_capture *c) {
    add_three(c);
    etc_run(c, "Execute");
    add_three(c);
}

/* Only the run behind those that are pinned can be open. */
static void no_pinned_run_is_open(void **state) {
    (void)state;
    journal j = make_journal(add_two_runs, true, ETC_RING);
    uint32_t second = field_of(&j, ETC_JOURNAL_run);
    assert_int_equal(second, sizeof(etc_run_record) + 3 * sizeof(etc_profile_record));
    put_field(&j, ETC_JOURNAL_base, second); /* tail is still 0 */
    assert_int_equal(count_recovered(&j, true), 6);
    assert_int_equal(count_recovered(&j, false), 3);
    expect_refused_field(&j, ETC_JOURNAL_run, 0);
    free(j.bytes);
}

/* ---- rings ----------------------------------------------------------------------------------- */

#define RUN_SIZE ((uint32_t)(sizeof(etc_run_record) + 3 * sizeof(etc_profile_record)))

static void add_three_runs(etc_capture *c) {
    add_two_runs(c);
    etc_run(c, "Execute");
    add_three(c);
}

/* Makes a ring of so many bytes: names have the rest. */
static void set_ring(const journal *j, uint32_t size, uint32_t tail, uint32_t head, uint32_t used) {
    put_field(j, ETC_JOURNAL_names_most, j->header->memory_size - j->header->records - size);
    put_field(j, ETC_JOURNAL_tail, tail);
    put_field(j, ETC_JOURNAL_head, head);
    put_field(j, ETC_JOURNAL_used, used);
}

/* Where the first event of each recovered run began: add_three() does not say which run it is. */
static void number_runs(const journal *j, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        etc_run_record *run = (etc_run_record *)(void *)(j->records + i * RUN_SIZE);
        ((etc_profile_record *)(void *)(run + 1))->start = 100 + i;
    }
}

static void expect_runs(const journal *j, const char *numbers) {
    etc_capture *c;
    saved s;
    assert_int_equal(etc_open_recovered_memory(&c, j->bytes, j->size), ETC_OK);
    save(&s, c);
    assert_int_equal(s.dump.runs.count, strlen(numbers));
    for (uint32_t i = 0; i < s.dump.runs.count; i++) {
        assert_int_equal(count_events(&s, i), 3);
        assert_int_equal(eti__etdump_read_stamps(&s.dump, event_at(&s, i, 0)).start_time,
                         100 + (uint64_t)(numbers[i] - '0'));
    }
    free_saved(&s);
    etc_close(c);
}

/* Runs are recovered from the tail to the head, over the end of the ring; the end is the beginning. */
static void a_ring_is_recovered_in_order(void **state) {
    (void)state;
    const uint32_t one = RUN_SIZE, two = 2 * RUN_SIZE, three = 3 * RUN_SIZE;
    journal j = make_journal(add_three_runs, false, ETC_RING);
    number_runs(&j, 3);
    assert_int_equal(field_of(&j, ETC_JOURNAL_head), three);
    set_ring(&j, three + 8, 0, three, three);
    expect_runs(&j, "012");
    set_ring(&j, three, 0, two, two + 8);
    expect_runs(&j, "01");
    set_ring(&j, three, one, three, two);
    expect_runs(&j, "12");
    set_ring(&j, three, one, 0, two);
    expect_runs(&j, "12");
    set_ring(&j, three, two, one, two + 8); /* used is increased first */
    expect_runs(&j, "20");
    set_ring(&j, three, three, one, one);
    expect_runs(&j, "0");
    /* it is full where the head is the tail and so much is used */
    set_ring(&j, three, one, one, three);
    expect_runs(&j, "120");
    set_ring(&j, three, three, three, three);
    expect_runs(&j, "012");
    set_ring(&j, three, one, one, three - 8);
    assert_int_equal(count_recovered(&j, true), 0);
    set_ring(&j, three, one, two, 0);
    assert_int_equal(count_recovered(&j, true), 0);
    /* the first run is pinned: the ring begins behind it */
    put_field(&j, ETC_JOURNAL_base, one);
    set_ring(&j, three, two, two, two);
    expect_runs(&j, "021");
    set_ring(&j, three, two, three, one);
    expect_runs(&j, "02");
    free(j.bytes);
}

/* The ring continues at its beginning behind a filler, which takes all that is left. */
static void fillers_end_the_ring(void **state) {
    (void)state;
    journal j = make_journal(add_two_runs, false, ETC_RING);
    uint32_t *filler = (uint32_t *)(void *)(j.records + (size_t)2 * RUN_SIZE);
    number_runs(&j, 2);
    set_ring(&j, 2 * RUN_SIZE + 16, RUN_SIZE, RUN_SIZE, 2 * RUN_SIZE + 16);
    *filler = etc__record_header(ETC_RECORD_FILLER, 16);
    expect_runs(&j, "10");
    REFUSED_WITH(&j, *filler, etc__record_header(ETC_RECORD_FILLER, 8));
    REFUSED_WITH(&j, *filler, etc__record_header(ETC_RECORD_FILLER, 24));
    REFUSED_WITH(&j, *filler, etc__record_header(ETC_RECORD_ALLOCATION, 16)); /* in no run */
    etc_profile_record *event = record_of(&j);
    REFUSED_WITH(&j, event->header, etc__record_header(ETC_RECORD_FILLER, sizeof *event));
    free(j.bytes);
}

/* An open run may take the whole ring: it begins and ends at the same place. */
static void an_open_run_fills_the_ring(void **state) {
    (void)state;
    journal j = make_journal(add_three, true, ETC_RING);
    assert_int_equal(field_of(&j, ETC_JOURNAL_run), 0);
    set_ring(&j, RUN_SIZE, 0, RUN_SIZE, RUN_SIZE);
    assert_int_equal(count_recovered(&j, true), 3);
    assert_int_equal(count_recovered(&j, false), 0);
    free(j.bytes);
}

/* The process was killed before the record of the run was there, or after it was gone. */
static void a_run_without_a_record_is_not_open(void **state) {
    (void)state;
    journal j = make_journal(add_three, false, ETC_RING);
    put_field(&j, ETC_JOURNAL_run, RUN_SIZE); /* at the head */
    assert_int_equal(count_recovered(&j, false), 3);
    put_field(&j, ETC_JOURNAL_run, 8);
    REFUSED(&j);
    put_field(&j, ETC_JOURNAL_used, 0);
    assert_int_equal(count_recovered(&j, true), 0);
    free(j.bytes);
}

/* ---- the smallest and largest records ----------------------------------------------- */

static const int64_t many_sizes[ETC_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void add_extremes(etc_capture *c) {
    const etc_tensor tensors[] = {{ETC_INT, 0, NULL, NULL, data, 4},
                                  {ETC_INT, 0, NULL, NULL, data, 4}},
                     most = {ETC_INT, ETC_MAX_RANK, many_sizes, NULL, data, 4};
    etc_log_delegate(c, 0, 5, 3, 4, NULL, 0);
    (void)etc_log_tensors(c, ETC_OPERATOR, tensors, 2, 0);
    (void)etc_log_tensors(c, ETC_OPERATOR, NULL, 0, 0);
    (void)etc_log_tensor(c, ETC_OPERATOR, &most, 0);
}

static void add_nothing(etc_capture *c) {
    (void)c;
}

static void extreme_records_are_taken(void **state) {
    (void)state;
    journal j = make_journal(add_extremes, false, ETC_STOP);
    assert_int_equal(count_recovered(&j, false), 4);
    free(j.bytes);
    j = make_journal(add_nothing, false, ETC_STOP);
    assert_int_equal(field_of(&j, ETC_JOURNAL_head), sizeof(etc_run_record));
    TAKEN(&j);
    free(j.bytes);
}

static uint32_t count_without_contents(const journal *j) {
    etc_capture *c;
    assert_int_equal(etc_open_recovered_memory(&c, j->bytes, j->size), ETC_OK);
    uint32_t n = (uint32_t)stats_of(c).debug_values_without_contents;
    etc_close(c);
    return n;
}

/* Contents in a buffer died with the process. */
static void lost_contents_are_counted(void **state) {
    (void)state;
    journal j = make_journal(add_tensors, false, ETC_STOP);
    etc_tensor_record *first =
        (etc_tensor_record *)(void *)((uint8_t *)record_of(&j) + sizeof(etc_value_record));
    etc_tensor_record *second = (etc_tensor_record *)(void *)((int64_t *)(void *)(first + 1) + 4);
    put_field(&j, ETC_JOURNAL_n_without_contents, 0);
    assert_int_equal(first->offset, -1);
    assert_int_equal(second->offset, -1);
    assert_int_equal(count_without_contents(&j), 0);
    second->offset = 64;
    assert_int_equal(count_without_contents(&j), 1);
    first->offset = 0;
    assert_int_equal(count_without_contents(&j), 2);
    put_field(&j, ETC_JOURNAL_debug_sink, 1); /* a sink had them written */
    assert_int_equal(count_without_contents(&j), 0);
    free(j.bytes);
}

/* ---- the header ------------------------------------------------------------------------------ */

static void wrong_headers_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_three, false, ETC_STOP);
    etc_journal_header *header = (etc_journal_header *)(void *)j.bytes;
    TAKEN(&j);
    REFUSED_WITH(&j, header->header_size, 0);
    REFUSED_WITH(&j, header->header_size, header->header_size - 4);
    REFUSED_WITH(&j, header->header_size, header->header_size + 8); /* the file ends before */
    REFUSED_WITH(&j, header->memory_size, 0);
    REFUSED_WITH(&j, header->memory_size, header->memory_size + 8);
    REFUSED_WITH(&j, header->records, header->records + 4);
    REFUSED_WITH(&j, header->records, header->memory_size);
    REFUSED_WITH(&j, header->records, header->memory_size + 8);
    REFUSED_WITH(&j, j.size, j.size - 1);
    REFUSED_WITH(&j, j.size, sizeof *header - 1);
    REFUSED_WITH(&j, j.size, 0);
    free(j.bytes);
}

/* A field lies before the records, and has the size of its type. */
static void wrong_fields_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_three, false, ETC_STOP);
    etc_journal_header *header = (etc_journal_header *)(void *)j.bytes;
    uint16_t *at = &header->fields[ETC_JOURNAL_n_not_finite];
    uint16_t *size = &header->field_sizes[ETC_JOURNAL_n_not_finite];
    uint32_t end = header->records;
    assert_int_equal(*size, 4);
    memset(j.records - 4, 0, 4);
    TAKEN_WITH(&j, *at, end - 4);
    REFUSED_WITH(&j, *at, end - 3);
    REFUSED_WITH(&j, *at, end);
    REFUSED_WITH(&j, *at, end + 8);
    REFUSED_WITH(&j, *size, 8);
    REFUSED_WITH(&j, *size, 1);
    REFUSED_WITH(&j, header->field_sizes[ETC_JOURNAL_when_full], 4);
    REFUSED_WITH(&j, header->field_sizes[ETC_JOURNAL_n_runs], 4);
    REFUSED_WITH(&j, header->field_sizes[ETC_JOURNAL_debug_sink], 2);
    free(j.bytes);
}

/* Names have a part of the memory behind the records, in a ring one of fixed size. */
static void wrong_shares_of_names_are_refused(void **state) {
    (void)state;
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        journal j = make_journal(add_three, false, (etc_when_full)when_full);
        uint32_t most = j.header->memory_size - j.header->records;
        uint32_t names = field_of(&j, ETC_JOURNAL_names_used);
        TAKEN(&j);
        expect_refused_field(&j, ETC_JOURNAL_names_used, names + 2);
        expect_refused_field(&j, ETC_JOURNAL_names_used, names - 4);
        expect_refused_field(&j, ETC_JOURNAL_names_used, 0);
        expect_refused_field(&j, ETC_JOURNAL_names_used, most + 4);
        if (when_full == ETC_RING) {
            uint32_t share = field_of(&j, ETC_JOURNAL_names_most);
            expect_refused_field(&j, ETC_JOURNAL_names_most, share + 4);
            expect_refused_field(&j, ETC_JOURNAL_names_most, (names - 4) & ~7u);
            expect_refused_field(&j, ETC_JOURNAL_names_most, most + 8);
            expect_refused_field(&j, ETC_JOURNAL_names_most, UINT32_MAX & ~7u);
        }
        expect_refused_field(&j, ETC_JOURNAL_tick_numerator, 1);
        expect_refused_field(&j, ETC_JOURNAL_tick_denominator, 1);
        free(j.bytes);
    }
    journal j = make_journal(add_three, false, ETC_STOP);
    uint8_t *full = j.bytes + j.header->header_size + j.header->fields[ETC_JOURNAL_when_full];
    assert_int_equal(*full, ETC_STOP);
    REFUSED_WITH(&j, *full, ETC_RING + 1);
    free(j.bytes);
}

/* ---- names ----------------------------------------------------------------------------------- */

static etc_name_entry *entry_of(const journal *j, etc_name name) {
    return (etc_name_entry *)(void *)(j->names_end - (size_t)name * 4);
}

static void wrong_names_are_refused(void **state) {
    (void)state;
    journal j = make_journal(add_plain, false, ETC_STOP);
    etc_profile_record *event = record_of(&j);
    etc_name_entry *entry = entry_of(&j, event->name), *empty = entry_of(&j, ETC_EMPTY_NAME);
    char *text = (char *)(entry + 1);
    TAKEN(&j);
    assert_string_equal(text, "event");
    REFUSED_WITH(&j, entry->mark, ETC_NAME_MARK - 1);
    REFUSED_WITH(&j, entry->mark, ETC_NAME_MARK | 4); /* the text does not end there */
    REFUSED_WITH(&j, entry->mark, ETC_NAME_MARK | 6); /* it has a 0 inside */
    REFUSED_WITH(&j, entry->mark, ETC_NAME_MARK | 0xffff);
    REFUSED_WITH(&j, text[0], '\xff');
    REFUSED_WITH(&j, text[4], '\xc3');
    REFUSED_WITH(&j, text[5], 'x');
    TAKEN_WITH(&j, text[6], 'x'); /* padding */
    TAKEN_WITH(&j, entry->next, UINT32_MAX);
    TAKEN_WITH(&j, entry->hash, 0);
    TAKEN_WITH(&j, entry->file_end, UINT32_MAX);
    /* the first name is "" */
    REFUSED_WITH(&j, empty->mark, ETC_NAME_MARK | 1);
    REFUSED_WITH(&j, *(char *)(empty + 1), 'x');
    free(j.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_events_are_refused),
        cmocka_unit_test(wrong_delegated_events_are_refused),
        cmocka_unit_test(wrong_counters_are_refused),
        cmocka_unit_test(wrong_allocations_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(numbers_have_one_size),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(wrong_lists_of_tensors_are_refused),
        cmocka_unit_test(wrong_runs_are_refused),
        cmocka_unit_test(dropped_runs_are_stepped_over),
        cmocka_unit_test(the_open_run_is_cut_at_a_wrong_record),
        cmocka_unit_test(wrong_positions_are_refused),
        cmocka_unit_test(runs_that_are_being_pinned_are_kept),
        cmocka_unit_test(no_pinned_run_is_open),
        cmocka_unit_test(a_ring_is_recovered_in_order),
        cmocka_unit_test(fillers_end_the_ring),
        cmocka_unit_test(an_open_run_fills_the_ring),
        cmocka_unit_test(a_run_without_a_record_is_not_open),
        cmocka_unit_test(extreme_records_are_taken),
        cmocka_unit_test(lost_contents_are_counted),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(wrong_fields_are_refused),
        cmocka_unit_test(wrong_shares_of_names_are_refused),
        cmocka_unit_test(wrong_names_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
