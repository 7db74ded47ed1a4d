/* Compares the contents of tensors in a ring with a model: a list of runs and the places of their contents. The model
 * examines all of them for each tensor, and must find the same places and drop the same runs. */
#include "capture_fixture.h"

enum { MOST_RUNS = 512, MOST_TENSORS = 24, MOST_BYTES = 8192, ALIGNMENT = 64 };

/* ---- random numbers, contents ---------------------------------------------------------------- */

static uint64_t seed;

static uint32_t random_below(uint32_t limit) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % limit;
}

/* Each tensor has a number, from which its contents follow. */
static uint8_t byte_of(uint32_t tensor, size_t at) {
    return (uint8_t)((tensor * 2654435761u >> (8 * (at % 4))) + at / 4);
}

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct model_tensor {
    uint32_t number, bytes;
    int64_t at; /* in the buffer; -1: nowhere */
} model_tensor;

typedef struct model_run {
    const char *name;
    bool is_dropped; /* dropped between others: its contents still lie there */
    uint32_t n_tensors;
    model_tensor tensors[MOST_TENSORS];
} model_run;

typedef struct model {
    model_run runs[MOST_RUNS]; /* the last run is open, or is the one that ended last */
    uint32_t n_runs, n_pinned;
    bool has_dropped;
    size_t size; /* of the buffer */
    uint32_t keep_runs;
    uint32_t n_tensors; /* so far */
    uint64_t n_without, n_dropped;
} model;

static model_run *last_run(model *m) {
    return &m->runs[m->n_runs - 1];
}

/* Returns whether contents of runs from `first` on, or of pinned runs, lie between two places. */
static bool is_taken(const model *m, uint32_t first, size_t begin, size_t end) {
    for (uint32_t i = 0; i < m->n_runs; i++) {
        if (i >= m->n_pinned && i < first)
            continue;
        for (uint32_t k = 0; k < m->runs[i].n_tensors; k++) {
            const model_tensor *tensor = &m->runs[i].tensors[k];
            if (tensor->at >= 0 && (size_t)tensor->at < end &&
                begin < (size_t)tensor->at + tensor->bytes)
                return true;
        }
    }
    return false;
}

/* Returns the end of the newest contents of runs from `first` on; SIZE_MAX: there are none. */
static size_t end_of_newest(const model *m, uint32_t first, uint32_t end) {
    for (uint32_t i = end; i-- > first;) {
        for (uint32_t k = m->runs[i].n_tensors; k-- > 0;) {
            if (m->runs[i].tensors[k].at >= 0)
                return (size_t)m->runs[i].tensors[k].at + m->runs[i].tensors[k].bytes;
        }
    }
    return SIZE_MAX;
}

static size_t round_up(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns the place of new contents if the runs before `first` are absent; -1: nowhere. */
static int64_t find_place(const model *m, uint32_t first, uint32_t bytes) {
    size_t pinned = end_of_newest(m, 0, m->n_pinned);
    size_t base = pinned == SIZE_MAX ? 0 : round_up(pinned);
    size_t newest = end_of_newest(m, first, m->n_runs);
    size_t at = newest == SIZE_MAX ? base : round_up(newest);
    if (at + bytes > m->size)
        at = base;
    return at + bytes <= m->size && !is_taken(m, first, at, at + bytes) ? (int64_t)at : -1;
}

static void remove_run(model *m, uint32_t at) {
    m->n_runs--;
    memmove(&m->runs[at], &m->runs[at + 1], (m->n_runs - at) * sizeof *m->runs);
}

/* Pins leading runs called "Default" once there is no room, if whole runs follow. Returns whether there are any. */
static bool pin(model *m) {
    uint32_t n = 0;
    while (n < m->n_runs && strcmp(m->runs[n].name, "Default") == 0)
        n++;
    if (m->has_dropped || n == 0 || n + 1 >= m->n_runs)
        return false;
    m->has_dropped = true;
    m->n_pinned = n;
    return true;
}

static void free_dropped(model *m) {
    while (m->n_pinned < m->n_runs && m->runs[m->n_pinned].is_dropped) {
        m->has_dropped = true;
        remove_run(m, m->n_pinned);
    }
}

/* Drops the oldest run except the open one. */
static bool drop_oldest(model *m) {
    if (m->n_pinned + 1 == m->n_runs)
        return false;
    m->has_dropped = true;
    uint32_t n_runs = m->n_runs;
    free_dropped(m);
    if (m->n_runs < n_runs)
        return true;
    m->runs[m->n_pinned].is_dropped = true;
    m->n_dropped++;
    free_dropped(m);
    return true;
}

static int64_t store(model *m, uint32_t bytes) {
    if (bytes == 0)
        return -1;
    do {
        int64_t at = find_place(m, m->n_pinned, bytes);
        if (at >= 0)
            return at;
    } while (pin(m) || (find_place(m, m->n_runs - 1, bytes) >= 0 && drop_oldest(m)));
    m->n_without++;
    return -1;
}

static void end_run(model *m) {
    uint32_t n = 0, oldest = 0;
    if (m->keep_runs == 0 || m->n_runs == 0)
        return;
    for (uint32_t i = m->n_runs; i-- > 0;) {
        if (!m->runs[i].is_dropped && strcmp(m->runs[i].name, last_run(m)->name) == 0) {
            n++;
            oldest = i;
        }
    }
    if (n <= m->keep_runs)
        return;
    m->runs[oldest].is_dropped = true;
    m->n_dropped++;
    free_dropped(m);
}

/* ---- the capture beside it ------------------------------------------------------------------- */

static model the_model;
static uint8_t *buffer; /* exactly as large as declared, for sanitizers */

static etc_capture *start_ring(model *m, size_t memory_size, size_t size, uint32_t keep_runs) {
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.keep_runs = keep_runs;
    config.name_bytes = (uint32_t)memory_size / 8;
    seed = memory_size + size + keep_runs;
    *m = (model){.size = size, .keep_runs = keep_runs};
    etc_capture *c = start_with(&config, memory_size);
    free(buffer);
    buffer = malloc(size);
    assert_non_null(buffer);
    assert_int_equal(etc_set_debug_buffer(c, buffer, size), ETC_OK);
    return c;
}

static void open_run(model *m, etc_capture *c, const char *name) {
    etc_run(c, name);
    assert_true(m->n_runs < MOST_RUNS);
    m->runs[m->n_runs++] = (model_run){.name = name};
}

static void close_run(model *m, etc_capture *c) {
    etc_run_end(c);
    end_run(m);
}

/* Records a value of `n` tensors. */
static void add_tensors(model *m, etc_capture *c, const uint32_t *bytes, uint32_t n) {
    static uint8_t data[4][MOST_BYTES];
    etc_tensor tensors[4];
    int64_t sizes[4];
    bool is_full = false;
    uint32_t first = m->n_tensors;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(last_run(m)->n_tensors < MOST_TENSORS && bytes[i] <= MOST_BYTES);
        model_tensor tensor = {first + i, bytes[i], -1};
        uint64_t n_without = m->n_without;
        tensor.at = store(m, bytes[i]);
        is_full |= m->n_without > n_without;
        model_run *run = last_run(m);
        run->tensors[run->n_tensors++] = tensor;
        for (size_t at = 0; at < bytes[i]; at++)
            data[i][at] = byte_of(tensor.number, at);
        sizes[i] = bytes[i];
        tensors[i] = (etc_tensor){ETC_BYTE, 1, &sizes[i], NULL, data[i], bytes[i]};
    }
    m->n_tensors += n;
    etc_status status = n == 1 ? etc_log_tensor(c, ETC_OPERATOR, tensors, 0)
                               : etc_log_tensors(c, ETC_OPERATOR, tensors, n, 0);
    assert_int_equal(status, is_full ? ETC_FULL : ETC_OK);
}

static void add_tensor(model *m, etc_capture *c, uint32_t bytes) {
    add_tensors(m, c, &bytes, 1);
}

/* ---- saved contents -------------------------------------------------------------------------- */

typedef struct gathered {
    uint8_t data[65536];
    size_t size;
} gathered;

static int collect(void *context, const void *data, size_t size) {
    gathered *c = context;
    assert_true(size <= sizeof c->data - c->size);
    memcpy(c->data + c->size, data, size);
    c->size += size;
    return 0;
}

typedef struct reading {
    const saved *s;
    gathered debug;
    size_t end; /* end of the contents read up to now */
} reading;

static void assert_tensor(reading *r, eti_position position, const model_tensor *expected) {
    int64_t offset = eti__etdump_read_tensor(&r->s->dump, position).offset;
    if (expected->at < 0) {
        assert_int_equal(offset, -1);
        return;
    }
    assert_int_equal(offset, round_up(r->end));
    assert_true((size_t)offset + expected->bytes <= r->debug.size);
    for (size_t at = r->end; at < (size_t)offset; at++)
        assert_int_equal(r->debug.data[at], 0);
    for (size_t at = 0; at < expected->bytes; at++) {
        if (r->debug.data[(size_t)offset + at] != byte_of(expected->number, at))
            fail_msg("tensor %u has other contents", (unsigned)expected->number);
    }
    r->end = (size_t)offset + expected->bytes;
}

/* Reads the tensors of a run of a save from the event `*event` on. */
static void assert_tensors(reading *r, uint32_t run, uint32_t *event, const model_run *expected) {
    for (uint32_t k = 0; k < expected->n_tensors; (*event)++) {
        assert_true(*event < count_events(r->s, run));
        eti_position value = eti__etdump_debug_value(&r->s->dump, event_at(r->s, run, *event));
        eti_etdump_value read = eti__etdump_read_value(&r->s->dump, value);
        if (read.tensors.count == 0)
            assert_tensor(r, read.tensor, &expected->tensors[k++]);
        for (uint32_t i = 0; i < read.tensors.count; i++, k++) {
            assert_true(k < expected->n_tensors);
            assert_tensor(r, eti__flatbuf_vector_table(&r->s->dump.buffer, read.tensors, i),
                          &expected->tensors[k]);
        }
    }
}

static void start_reading(reading *r, saved *s, const etc_capture *c,
                          const etc_save_options *options) {
    r->s = s;
    r->end = r->debug.size = 0;
    save_with(s, c, options);
    assert_int_equal(etc_save_debug(c, options, (etc_sink){collect, &r->debug}), ETC_OK);
}

/* Saves, and finds those runs of the model that ended, or the last ones. */
static void assert_saved(const model *m, const etc_capture *c, uint32_t last_runs) {
    static reading r;
    saved s;
    uint32_t n = 0, run = 0;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.last_runs = last_runs;
    for (uint32_t i = 0; i < m->n_runs; i++)
        n += !m->runs[i].is_dropped;
    uint32_t n_skipped = last_runs && last_runs < n ? n - last_runs : 0;
    start_reading(&r, &s, c, &options);
    assert_int_equal(s.dump.runs.count, n - n_skipped);
    for (uint32_t i = 0; i < m->n_runs; i++) {
        uint32_t event = 0;
        if (m->runs[i].is_dropped)
            continue;
        if (n_skipped > 0) {
            n_skipped--;
            continue;
        }
        assert_tensors(&r, run, &event, &m->runs[i]);
        assert_int_equal(event, count_events(&s, run));
        run++;
    }
    assert_int_equal(r.debug.size, r.end);
    free_saved(&s);
}

static void assert_counts(const model *m, const etc_capture *c) {
    etc_stats stats = stats_of(c);
    assert_int_equal(stats.debug_values_without_contents, m->n_without);
    assert_int_equal(stats.runs_dropped, m->n_dropped);
    assert_int_equal(stats.runs_partial, 0);
    assert_true(stats.debug_bytes <= m->size);
    assert_int_equal(stats.debug_bytes, etc_debug_used(c));
}

/* ---- many runs ------------------------------------------------------------------------------- */

/* Records a value with tensors of up to `most` bytes, occasionally larger than the buffer. */
static void add_random_value(model *m, etc_capture *c, uint32_t most) {
    uint32_t bytes[4];
    uint32_t n = 1 + (random_below(4) == 0 ? random_below(4) : 0);
    for (uint32_t i = 0; i < n; i++)
        bytes[i] = random_below(200) ? random_below(most + 1) : (uint32_t)m->size + 1;
    add_tensors(m, c, bytes, n);
}

typedef struct plan {
    size_t size;
    uint32_t most, keep_runs, n_runs, loading; /* bytes of contents while loading */
} plan;

static void load(model *m, etc_capture *c, uint32_t bytes) {
    if (!bytes)
        return;
    open_run(m, c, "Default");
    add_tensor(m, c, bytes);
    close_run(m, c);
}

/* Runs are dropped only for their contents: everything is reset before the memory for records is full. */
static void play(const plan *p) {
    model *m = &the_model;
    etc_capture *c = start_ring(m, 49152, p->size, p->keep_runs);
    static const char *const names[] = {"Execute", "Execute", "Other", "Default"};
    load(m, c, p->loading);
    for (uint32_t i = 0; i < p->n_runs; i++) {
        open_run(m, c, names[random_below(i < 5 ? 2 : 4)]);
        for (uint32_t n = random_below(5); n > 0; n--)
            add_random_value(m, c, p->most);
        close_run(m, c);
        if (i < 300 || random_below(16) == 0)
            assert_saved(m, c, random_below(4));
        if (random_below(p->n_runs / 4) == 0 || stats_of(c).record_bytes > 36000) {
            etc_reset(c);
            assert_int_equal(etc_debug_used(c), 0);
            m->n_runs = m->n_pinned = 0;
            m->has_dropped = false;
            load(m, c, p->loading);
        }
    }
    assert_counts(m, c);
}

static void a_hundred_thousand_runs(void **state) {
    (void)state;
    play(&(plan){.size = 4000, .most = 400, .n_runs = 100000});
    assert_in_range(the_model.n_dropped, 90000, 100000);
    assert_true(the_model.n_without > 500);
}

static void tight_buffers(void **state) {
    (void)state;
    for (size_t size = 1; size < 700; size += 31)
        play(&(plan){.size = size, .most = 130, .n_runs = 600});
    play(&(plan){.size = 2048, .most = 1500, .n_runs = 5000});
    play(&(plan){.size = 640, .most = 64, .n_runs = 5000});
}

static void with_loading_and_most_runs(void **state) {
    (void)state;
    play(&(plan){.size = 3000, .most = 300, .n_runs = 5000, .loading = 1000});
    play(&(plan){.size = 3000, .most = 300, .n_runs = 5000, .loading = 2999});
    play(&(plan){.size = 3000, .most = 300, .n_runs = 5000, .keep_runs = 2});
    play(&(plan){.size = 4096, .most = 100, .n_runs = 5000, .keep_runs = 7, .loading = 130});
    play(&(plan){.size = 700, .most = 200, .n_runs = 5000, .keep_runs = 1, .loading = 64});
}

/* ---- single cases ---------------------------------------------------------------------------- */

static void run_with(model *m, etc_capture *c, const char *name, uint32_t bytes) {
    open_run(m, c, name);
    add_tensor(m, c, bytes);
    close_run(m, c);
}

static void assert_runs_and_use(const etc_capture *c, uint32_t n_runs, uint64_t used) {
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, n_runs);
    free_saved(&s);
    assert_int_equal(etc_debug_used(c), used);
}

static void contents_wrap_and_drop_whole_runs(void **state) {
    (void)state;
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 256, 0);
    run_with(m, c, "Execute", 100);
    run_with(m, c, "Execute", 64);
    assert_runs_and_use(c, 2, 192);
    run_with(m, c, "Execute", 65); /* at 0, where the first run's contents were */
    assert_runs_and_use(c, 2, 256 - 128 + 65);
    assert_saved(m, c, 0);
    run_with(m, c, "Execute", 256); /* alone */
    assert_runs_and_use(c, 1, 256);
    assert_saved(m, c, 0);
    open_run(m, c, "Execute");
    uint64_t n_dropped = stats_of(c).runs_dropped;
    add_tensor(m, c, 257); /* drops nothing */
    assert_int_equal(stats_of(c).runs_dropped, n_dropped);
    add_tensor(m, c, 256);
    assert_int_equal(stats_of(c).runs_dropped, n_dropped + 1);
    add_tensor(m, c, 1); /* the run itself occupies everything */
    close_run(m, c);
    assert_saved(m, c, 0);
    assert_int_equal(stats_of(c).debug_values_without_contents, 2);
    assert_counts(m, c);
}

/* A run in the middle keeps its room until those before it are freed. */
static void runs_in_the_midst(void **state) {
    (void)state;
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 256, 1);
    run_with(m, c, "Other", 64);
    run_with(m, c, "Execute", 64);
    run_with(m, c, "Execute", 64); /* the run before it is dropped, not freed */
    assert_runs_and_use(c, 2, 192);
    run_with(m, c, "Other", 64); /* frees both */
    assert_runs_and_use(c, 2, 256);
    run_with(m, c, "Third", 128);
    assert_runs_and_use(c, 3, 256);
    assert_saved(m, c, 0);
    assert_counts(m, c);
}

static void loading_keeps_its_contents(void **state) {
    (void)state;
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 256, 0);
    run_with(m, c, "Default", 100);
    for (int i = 0; i < 10; i++) {
        run_with(m, c, "Execute", 60);
        assert_saved(m, c, 0);
        assert_int_equal(m->n_runs, i == 0 ? 2 : 3);
    }
    run_with(m, c, "Execute", 128);
    run_with(m, c, "Execute", 129); /* has no room beside the other */
    assert_saved(m, c, 0);
    assert_counts(m, c);
    etc_reset(c);
    assert_int_equal(etc_debug_used(c), 0);
    *m = (model){.size = 256};
    run_with(m, c, "Execute", 256); /* nothing is pinned */
    assert_runs_and_use(c, 1, 256);
    assert_saved(m, c, 0);
}

/* A tensor that does not fit beside the contents of loading drops no run, even before anything is pinned. */
/* Records contents of `units` times the alignment, which have this number in each byte. */
static etc_status add_units(etc_capture *c, uint8_t units) {
    static uint8_t data[MOST_BYTES];
    const int64_t size = (int64_t)units * ALIGNMENT;
    memset(data, units, (size_t)size);
    const etc_tensor tensor = {ETC_BYTE, 1, &size, NULL, data, (size_t)size};
    return etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
}

typedef struct saved_bytes {
    uint8_t bytes[MOST_BYTES];
    size_t size;
} saved_bytes;

static int keep_bytes(void *context, const void *data, size_t size) {
    saved_bytes *out = context;
    assert_true(size <= sizeof out->bytes - out->size);
    memcpy(out->bytes + out->size, data, size);
    out->size += size;
    return 0;
}

/* Checks contents that add_units() recorded. Returns how many units there are. */
static size_t check_units(const etc_capture *c) {
    static saved_bytes s;
    s.size = 0;
    assert_int_equal(etc_save_debug(c, NULL, (etc_sink){keep_bytes, &s}), ETC_OK);
    for (size_t at = 0; at < s.size;) {
        size_t end = at + (size_t)s.bytes[at] * ALIGNMENT;
        assert_true(end > at && end <= s.size);
        for (uint8_t units = s.bytes[at]; at < end; at++)
            assert_int_equal(s.bytes[at], units);
    }
    return s.size / ALIGNMENT;
}

static void run_with_units(etc_capture *c, const char *name, uint8_t units) {
    etc_run(c, name);
    if (units)
        assert_int_equal(add_units(c, units), ETC_OK);
    etc_run_end(c);
}

/* keep_runs replaces the only run that loaded the model, which leaves space before its contents. */
static void a_replaced_loading_run_leaves_its_room(void **state) {
    (void)state;
    model *m = &the_model;
    for (int n_others = 0; n_others < 2; n_others++) {
        etc_capture *c = start_ring(m, 8192, (size_t)11 * ALIGNMENT, 1);
        run_with_units(c, "Default", 1);
        run_with_units(c, "Default", 5);
        if (n_others)
            run_with_units(c, "Execute", 0);
        etc_run(c, "Execute");
        assert_int_equal(add_units(c, 2), ETC_OK);
        assert_int_equal(add_units(c, 3), ETC_OK);
        etc_status status =
            add_units(c, 1); /* replaces contents, or has no room beside pinned ones */
        assert_int_equal(status, n_others ? ETC_FULL : ETC_OK);
        assert_int_equal(add_units(c, 1), status);
        etc_run_end(c);
        assert_int_equal(check_units(c), n_others ? 10 : 7);
        run_with_units(c, "Execute", 2);
        assert_int_equal(check_units(c), n_others ? 7 : 2);
    }
}

static void nothing_is_dropped_for_contents_that_cannot_fit(void **state) {
    (void)state;
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 1024, 0);
    run_with(m, c, "Default", 640);
    for (int i = 0; i < 3; i++)
        run_with(m, c, "Execute", 64);
    run_with(m, c, "Execute", 900);
    assert_int_equal(stats_of(c).runs_dropped, 0);
    assert_int_equal(m->n_runs, 5);
    assert_saved(m, c, 0);
    run_with(m, c, "Execute", 384); /* all but those of loading */
    assert_saved(m, c, 0);
    assert_counts(m, c);
}

/* Its records are discarded at once, and so are its contents. */
static void a_run_that_lost_events_leaves_its_room(void **state) {
    (void)state;
    static const uint8_t metadata[8192];
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 256, 0);
    for (int i = 0; i < 3; i++) {
        open_run(m, c, "Execute");
        add_tensor(m, c, 64);
        add_tensor(m, c, 128);
        etc_log_delegate(c, 0, 1, 1, 2, metadata, sizeof metadata);
        etc_run_end(c);
        m->n_runs = 0;
    }
    assert_int_equal(stats_of(c).runs_partial, 3);
    assert_int_equal(etc_save(c, NULL, (etc_sink){collect, NULL}), ETC_FULL);
    run_with(m, c, "Execute", 64);
    assert_runs_and_use(c, 1, 64); /* at the start */
    assert_saved(m, c, 0);
}

/* A name that finds no room ends the recording of its run, and drops no other run. */
static void a_partial_run_behind_others(void **state) {
    (void)state;
    model *m = &the_model;
    etc_capture *c = start_ring(m, 8192, 256, 0);
    run_with(m, c, "Execute", 64);
    char name[500], other[500]; /* do not both fit into a share of an eighth of the memory */
    memset(name, 'n', sizeof name - 1);
    memset(other, 'o', sizeof other - 1);
    name[sizeof name - 1] = other[sizeof other - 1] = '\0';
    for (int i = 0; i < 3; i++) {
        name[0] = (char)('a' + i);
        etc_run(c, "Execute");
        const int64_t size = 128;
        etc_tensor tensor = {ETC_BYTE, 1, &size, NULL, name, 128};
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
        assert_int_equal(etc_debug_used(c), 192);
        etc_status status = etc_log_tensor(c, (etc_key){name, -1}, &tensor, 0);
        if (status == ETC_OK || i == 0)
            status = etc_log_int(c, (etc_key){other, -1}, 1, 0);
        assert_int_equal(status, ETC_FULL);
        etc_run_end(c);
        assert_saved(m, c, 0);
    }
    run_with(m, c, "Execute", 190); /* takes the place of the partial runs */
    assert_saved(m, c, 0);
    assert_int_equal(m->n_runs, 2);
    assert_int_equal(stats_of(c).runs_dropped, 0);
}

/* With little memory for records, these drop runs as well: saved runs keep their own contents. */
static void records_make_room_too(void **state) {
    (void)state;
    static reading r;
    static uint8_t data[MOST_BYTES];
    model *m = &the_model;
    for (size_t size = 128; size <= 8192; size *= 2) {
        etc_capture *c = start_ring(m, 4096, size, size == 512 ? 3 : 0);
        for (uint32_t number = 0; number < 5000; number++) {
            uint32_t n = random_below(4) ? 1 + random_below(12) : 0;
            etc_run(c, number ? "Execute" : "Default");
            etc_log(c, 0, number, n);
            for (uint32_t i = 0; i < n; i++) {
                int64_t bytes = 1 + random_below((uint32_t)size / 6);
                for (size_t at = 0; at < (size_t)bytes; at++)
                    data[at] = byte_of(number * 16 + i, at);
                etc_tensor tensor = {ETC_BYTE, 1, &bytes, NULL, data, (size_t)bytes};
                etc_status status = etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
                assert_true(status == ETC_OK || status == ETC_FULL);
            }
            etc_run_end(c);
            saved s;
            start_reading(&r, &s, c, NULL);
            uint64_t last = number + 1;
            for (uint32_t run = s.dump.runs.count; run-- > 0;) {
                eti_etdump_stamps stamps = eti__etdump_read_stamps(&s.dump, event_at(&s, run, 0));
                last = last == number + 1 || run ? last - 1 : stamps.start_time;
                assert_int_equal(stamps.start_time, last);
                assert_int_equal(count_events(&s, run), stamps.end_time + 1);
                for (uint32_t i = 0; i < stamps.end_time; i++) {
                    eti_position value = eti__etdump_debug_value(&s.dump, event_at(&s, run, i + 1));
                    eti_etdump_tensor tensor = eti__etdump_read_tensor(
                        &s.dump, eti__etdump_read_value(&s.dump, value).tensor);
                    if (tensor.offset < 0)
                        continue;
                    assert_int_equal(tensor.offset % ALIGNMENT, 0);
                    int64_t bytes = eti__flatbuf_vector_i64(&s.dump.buffer, tensor.sizes, 0);
                    for (size_t at = 0; at < (size_t)bytes; at++)
                        assert_int_equal(r.debug.data[(size_t)tensor.offset + at],
                                         byte_of((uint32_t)stamps.start_time * 16 + i, at));
                }
            }
            assert_true(last == 0 || last <= number);
            free_saved(&s);
        }
        assert_int_equal(stats_of(c).runs_partial, 0);
    }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Lanes have separate rings, which drop different runs: only runs that all rings have are saved. */
static void lanes(void **state) {
    (void)state;
    static model models[2];
    static uint8_t lane_memory[16384];
    static reading r;
    etc_capture *captures[2];
    captures[0] = start_ring(&models[0], 16384, 4096, 0);
    captures[1] = etc_lane(captures[0], lane_memory, sizeof lane_memory);
    uint8_t *lane_buffer = malloc(1000);
    assert_non_null(lane_buffer);
    models[1] = (model){.size = 1000};
    assert_int_equal(etc_set_debug_buffer(captures[1], lane_buffer, 1000), ETC_OK);
    for (uint32_t i = 0; i < 5000; i++) {
        open_run(&models[0], captures[0], "Execute");
        models[1].runs[models[1].n_runs++] = (model_run){.name = "Execute"};
        etc_log(captures[1], 0, 1, 2); /* the lane has all runs */
        for (int k = 0; k < 2; k++) {
            for (uint32_t n = random_below(4); n > 0; n--)
                add_random_value(&models[k], captures[k], k ? 100 : 500);
        }
        etc_run_end(captures[0]);
        if (i > 300 && random_below(8))
            continue;
        saved s;
        start_reading(&r, &s, captures[0], NULL);
        uint32_t n = models[0].n_runs < models[1].n_runs ? models[0].n_runs : models[1].n_runs;
        assert_int_equal(s.dump.runs.count, n);
        for (uint32_t run = 0; run < n; run++) {
            uint32_t event = 0;
            assert_tensors(&r, run, &event, &models[0].runs[models[0].n_runs - n + run]);
            event++;
            assert_tensors(&r, run, &event, &models[1].runs[models[1].n_runs - n + run]);
            assert_int_equal(event, count_events(&s, run));
        }
        assert_int_equal(r.debug.size, r.end);
        free_saved(&s);
    }
    free(lane_buffer);
}

/* ---- making room is cheap -------------------------------------------------------------------- */

/* Old runs without contents are examined once, not for each tensor; that would take minutes. */
static void old_runs_are_walked_once(void **state) {
    (void)state;
    enum { SIZE = 64 << 20 };
    static uint8_t data[64], small[256];
    const int64_t size = 64;
    etc_tensor tensor = {ETC_BYTE, 1, &size, NULL, data, sizeof data};
    void *large = malloc(SIZE);
    assert_non_null(large);
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = etc_init(large, SIZE, &config);
    assert_int_equal(etc_set_debug_buffer(c, small, sizeof small), ETC_OK);
    for (int i = 0; i < 400000; i++) {
        etc_run(c, "Execute");
        etc_log(c, 0, 1, 2);
    }
    etc_run(c, "Execute");
    for (int i = 0; i < 100000; i++)
        (void)etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
    etc_run_end(c);
    assert_int_equal(stats_of(c).runs_dropped, 0);
    assert_int_equal(stats_of(c).debug_values_without_contents, 99996);
    for (int i = 0; i < 100000; i++) {
        etc_run(c, "Execute");
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
        etc_run_end(c);
    }
    free(large);
}

static void a_ring_has_no_sink(void **state) {
    (void)state;
    etc_capture *c = start_ring(&the_model, 8192, 256, 0);
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){collect, NULL}), ETC_STATE);
    run_with(&the_model, c, "Execute", 10);
    assert_runs_and_use(c, 1, 10); /* the buffer is still there */
    assert_int_equal(etc_set_debug_buffer(c, NULL, 0), ETC_STATE);
    etc_reset(c);
    assert_int_equal(etc_set_debug_buffer(c, NULL, 0), ETC_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_wrap_and_drop_whole_runs),
        cmocka_unit_test(runs_in_the_midst),
        cmocka_unit_test(loading_keeps_its_contents),
        cmocka_unit_test(a_replaced_loading_run_leaves_its_room),
        cmocka_unit_test(nothing_is_dropped_for_contents_that_cannot_fit),
        cmocka_unit_test(a_run_that_lost_events_leaves_its_room),
        cmocka_unit_test(a_partial_run_behind_others),
        cmocka_unit_test(a_ring_has_no_sink),
        cmocka_unit_test(tight_buffers),
        cmocka_unit_test(with_loading_and_most_runs),
        cmocka_unit_test(records_make_room_too),
        cmocka_unit_test(lanes),
        cmocka_unit_test(old_runs_are_walked_once),
        cmocka_unit_test(a_hundred_thousand_runs),
    };
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    free(buffer);
    return result;
}
