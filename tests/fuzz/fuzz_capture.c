/*
 * fuzz_capture.c - the input is a program of calls into libetcapture: memory of a size, a
 * configuration, then calls with arguments of any kind. Saved files must be ETDumps that both readers accept, with complete
 * runs, and of the announced size. The address sanitizer checks that nothing outside the memory is written.
 */
#include "../oracle/etdump_comparison.h"

#include "etcapture.h"

#include "fuzz.h"

enum { MOST_MEMORY = 65536, MOST_SPANS = 8, MOST_RANK = 20, LONG_TEXT = 512, MOST_LANES = 3 };

typedef struct player {
    const uint8_t *at, *end; /* of the input */
    etc_capture *capture;    /* capture for the calls: main or a lane */
    etc_capture *main;
    etc_capture *lanes[MOST_LANES];
    uint8_t *lane_memory[MOST_LANES];
    uint8_t *debug_buffers[MOST_LANES + 1]; /* of main last */
    unsigned n_lanes;
    etc_config config;
    etc_span spans[MOST_SPANS];
    etc_name names[MOST_SPANS];
    uint64_t n_events_before;     /* the open run */
    uint64_t last_run, first_run; /* events of complete ones */
    uint64_t n_complete;
    uint64_t now;
} player;

static uint8_t take(player *p) {
    return p->at < p->end ? *p->at++ : 0;
}

static uint64_t take_number(player *p) {
    static const uint64_t special[] = {0,          1,         2,          0x7f,
                                       0xff,       0x7fff,    0xffff,     INT32_MAX,
                                       UINT32_MAX, INT64_MAX, UINT64_MAX, (uint64_t)1 << 24};
    uint8_t first = take(p);
    if (first < sizeof special / sizeof special[0])
        return special[first];
    uint64_t number = first;
    for (unsigned n = first % 8; n > 0; n--)
        number = number << 8 | take(p);
    return number;
}

/* A text of the input's bytes, or NULL. It lives until the next one. */
static const char *take_text(player *p) {
    static char text[LONG_TEXT + 1];
    size_t size = take(p);
    if (size == 255)
        return NULL;
    if (size == 254)
        size = LONG_TEXT;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)take(p);
    text[size] = '\0';
    return text;
}

static etc_span *take_span(player *p) {
    unsigned which = take(p) % (MOST_SPANS + 1);
    return which < MOST_SPANS ? &p->spans[which] : NULL;
}

static etc_name take_name(player *p) {
    uint8_t which = take(p);
    return which < 200 ? p->names[which % MOST_SPANS] : (etc_name)take_number(p);
}

static uint64_t read_clock(void *context) {
    player *p = context;
    return p->now += 7;
}

static bool filter(void *context, const etc_filter_event *event) {
    (void)context;
    if (event->name)
        fuzz_touch((eti_text){event->name, strlen(event->name)});
    return (event->id + (event->name ? event->name[0] : 0)) % 3 != 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static etc_key take_key(player *p) {
    etc_key key = {NULL, -1};
    uint8_t kind = take(p) % 4;
    if (kind & 1)
        key.name = take_text(p);
    if (kind & 2)
        key.id = (int32_t)take_number(p);
    return key;
}

/* Returns sizes that are correct if the input says so. */
static void take_tensor(player *p, etc_tensor *out, int64_t *sizes) {
    static const uint8_t data[1024];
    static const uint8_t element[] = {1, 1, 2, 4, 8, 2, 4, 8};
    uint8_t way = take(p);
    *out =
        (etc_tensor){.scalar_type = take(p) % 8, .rank = take(p) % 4, .sizes = sizes, .data = data};
    size_t bytes = element[out->scalar_type];
    for (uint32_t i = 0; i < 2 * MOST_RANK; i++)
        sizes[i] = i < out->rank ? take(p) % 5 : 1;
    for (uint32_t i = 0; i < out->rank; i++)
        bytes *= (size_t)sizes[i];
    out->bytes = bytes;
    if (way & 1)
        out->strides = sizes + MOST_RANK;
    if (way & 2)
        out->scalar_type = (int32_t)take_number(p);
    if (way & 4)
        out->rank = (uint32_t)take_number(p);
    if (way & 8)
        sizes[0] = (int64_t)take_number(p);
    if (way & 16)
        out->bytes = take_number(p) % sizeof data;
    if (way & 32)
        out->data = NULL;
    if (way & 64)
        out->sizes = NULL;
}

static void log_tensors(player *p) {
    etc_tensor tensors[4];
    int64_t sizes[4][2 * MOST_RANK];
    etc_key key = take_key(p);
    uint8_t n = take(p) % 5, flags = take(p) % 3;
    for (uint8_t i = 0; i < n; i++)
        take_tensor(p, &tensors[i], sizes[i]);
    if (n == 1 && flags != 2)
        (void)etc_log_tensor(p->capture, key, &tensors[0], flags);
    else
        (void)etc_log_tensors(p->capture, key, tensors, n, flags);
}

/* ---- saved files ----------------------------------------------------------------------------- */

typedef struct collected {
    uint8_t *data;
    size_t size, most;
} collected;

static int collect(void *context, const void *data, size_t size) {
    collected *c = context;
    FUZZ_EXPECT(size > 0);
    if (size > c->most - c->size)
        return 1;
    memcpy(c->data + c->size, data, size);
    c->size += size;
    return 0;
}

static int touch(void *context, const void *data, size_t size) {
    (void)context;
    fuzz_touch_bytes(data, size);
    return 0;
}

static etc_stats stats_of(const player *p) {
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(p->main, &stats);
    return stats;
}

static void check_runs(const player *p, const uint8_t *data, size_t size) {
    eti_source source = {"fuzz.etdp", data, size};
    struct eti_file file;
    eti_etdump dump;
    eti_error err = ETI_ERROR_INIT;
    char why[256];
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    FUZZ_EXPECT(eti__etdump_open(&dump, &file, 1, &err) == ETI_OK);
    FUZZ_EXPECT(etdump_compare_readers(data, size, why) != ETDUMP_DISAGREE);
    FUZZ_EXPECT(dump.runs.count > 0);
    if (!p->config.keep_partial_runs && stats_of(p).events_lost_full == 0) {
        uint32_t last = dump.runs.count - 1;
        if (p->config.when_full == ETC_RING)
            FUZZ_EXPECT(eti__etdump_read_run(&dump, last).events.count == p->last_run);
        else
            FUZZ_EXPECT(eti__etdump_read_run(&dump, 0).events.count == p->first_run);
        FUZZ_EXPECT(dump.runs.count <= p->n_complete);
    }
    eti__file_release(&file);
}

static void save(player *p, bool may_fail) {
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    uint64_t size;
    if (may_fail) {
        options.last_runs = take(p);
        options.no_allocations = take(p) & 1;
        options.run_name = take(p) & 1 ? take_text(p) : NULL;
    }
    etc_status status = etc_save_size(p->main, &options, &size);
    FUZZ_EXPECT(status == ETC_OK || ((status == ETC_STATE || status == ETC_FULL) && size == 0));
    FUZZ_EXPECT(etc_count_saved(p->main, &options, NULL, NULL) == status);
    etc_status of_debug = etc_save_debug(p->main, &options, (etc_sink){touch, p});
    /* place of contents that go to a sink */
    FUZZ_EXPECT(of_debug == status || of_debug == ETC_STATE);
    if (status != ETC_OK || !p->main)
        return;
    collected c = {malloc((size_t)size), 0, (size_t)size};
    FUZZ_EXPECT(c.data);
    if (may_fail && take(p) & 1) {
        c.most = take_number(p) % (size + 1);
        status = etc_save(p->main, &options, (etc_sink){collect, &c});
        FUZZ_EXPECT(status == (c.most == size ? ETC_OK : ETC_IO));
        c.size = 0;
        c.most = (size_t)size;
    }
    FUZZ_EXPECT(etc_save(p->main, &options, (etc_sink){collect, &c}) == ETC_OK);
    FUZZ_EXPECT(c.size == size);
    if (!may_fail)
        check_runs(p, c.data, c.size);
    free(c.data);
}

/* Another capture gets its runs, too, if there is room. */
static void append(player *p) {
    static _Alignas(8) uint8_t other_memory[16384];
    etc_config config = ETC_CONFIG_INIT;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    config.clock = read_clock;
    config.clock_context = p;
    config.when_full = take(p) & 1 ? ETC_RING : ETC_STOP;
    config.keep_partial_runs = take(p) & 1;
    options.last_runs = take(p) % 4;
    etc_capture *other = etc_init(other_memory, sizeof other_memory, &config);
    etc_status status = ETC_OK;
    for (unsigned n = take(p) % 3; n > 0; n--)
        status = etc_append(other, p->capture, &options);
    collected c = {malloc(1 << 20), 0, 1 << 20};
    FUZZ_EXPECT(c.data);
    if (etc_save(other, NULL, (etc_sink){collect, &c}) == ETC_OK) {
        char why[256];
        FUZZ_EXPECT(status == ETC_OK || status == ETC_FULL);
        FUZZ_EXPECT(etdump_compare_readers(c.data, c.size, why) != ETDUMP_DISAGREE);
    }
    free(c.data);
}

static void drop_character(void *context, char character) {
    (void)context;
    fuzz_sum += (uint64_t)(unsigned char)character;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Records the contents of a run that ends now; `before` are the statistics before the call, `after` those after it. */
static void note_end(player *p, const etc_stats *before, const etc_stats *after) {
    if (after->runs > before->runs) {
        p->last_run = before->events - p->n_events_before;
        if (p->n_complete++ == 0)
            p->first_run = p->last_run;
    }
    p->n_events_before = after->events;
}

static void change_run(player *p, bool opens) {
    const char *name = opens ? take_text(p) : NULL;
    static const char *const usual[] = {"Default", "Execute"};
    etc_stats before = stats_of(p);
    if (opens)
        etc_run(p->main, name && (name[0] == 1 || name[0] == 2) ? usual[name[0] - 1] : name);
    else
        etc_run_end(p->main);
    etc_stats after = stats_of(p);
    note_end(p, &before, &after);
}

static void log_delegate(player *p) {
    static const uint8_t metadata[4096];
    uint64_t size = take_number(p);
    etc_name name = take_name(p);
    int32_t id = (int32_t)take_number(p);
    if (size > sizeof metadata && size <= 1 << 24)
        size = sizeof metadata;
    etc_log_delegate(p->capture, name, id, take_number(p), take_number(p),
                     take(p) % 8 ? metadata : NULL, (size_t)size);
}

static void record_counted(player *p) {
    etc_counter counters[ETC_MOST_COUNTERS + 1];
    size_t n = take(p) % (ETC_MOST_COUNTERS + 2);
    for (size_t i = 0; i < n; i++)
        counters[i] = (etc_counter){take_name(p), (int64_t)take_number(p)};
    switch (take(p) % 3) {
    case 0:
        etc_mark(p->capture, take_name(p), counters, n);
        break;
    case 1:
        etc_log_counted(p->capture, take_name(p), take_number(p), take_number(p), counters, n);
        break;
    default:
        etc_end_counted(p->capture, take_span(p), counters, n);
        break;
    }
}

static void use_span(player *p, uint8_t call) {
    etc_span *span = take_span(p);
    etc_span started = {0};
    switch (call) {
    case 0:
        started = etc_start(p->capture, take_name(p));
        break;
    case 1:
        started = etc_start_op(p->capture, take_name(p));
        break;
    case 2:
        started = etc_start_text(p->capture, take_text(p));
        break;
    case 3:
        started = etc_start_delegate(p->capture, take_name(p), (int32_t)take_number(p));
        break;
    case 4:
        etc_end(p->capture, span);
        return;
    default:
        etc_end_delegate(p->capture, span, "some metadata", take(p) % 14);
        return;
    }
    if (span)
        *span = started;
}

/* Makes a call that no single test would make, with a span that was never started. */
static void forge_span(player *p) {
    etc_span *span = take_span(p);
    if (!span)
        return;
    span->name = (etc_name)take_number(p);
    span->delegate_id = (int32_t)take_number(p);
}

static void log_number(player *p, uint8_t call) {
    etc_key key = take_key(p);
    uint64_t bits = take_number(p);
    double value;
    memcpy(&value, &bits, sizeof value);
    unsigned flags = take(p) % 16 == 1;
    if (call == 0)
        (void)etc_log_int(p->capture, key, (int64_t)bits, flags);
    else if (call == 1)
        (void)etc_log_double(p->capture, key, value, flags);
    else
        (void)etc_log_bool(p->capture, key, bits & 1, flags);
}

static int refuse_now_and_then(void *context, const void *data, size_t size) {
    player *p = context;
    fuzz_touch_bytes(data, size);
    return p->now % 5 == 0 ? -3 : 0;
}

/* Replaces the buffer, if the capture accepts another one. Each is exactly as large as declared. */
static void set_buffer(player *p) {
    size_t size = (size_t)(take_number(p) % 2048);
    uint8_t *buffer = malloc(size ? size : 1);
    unsigned which = 0;
    FUZZ_EXPECT(buffer);
    while (which < p->n_lanes && p->lanes[which] != p->capture)
        which++;
    uint8_t **place = &p->debug_buffers[p->capture == p->main ? MOST_LANES : which];
    if (etc_set_debug_buffer(p->capture, buffer, size) == ETC_OK) {
        free(*place);
        *place = buffer;
    } else {
        free(buffer);
    }
}

static void set_destination(player *p) {
    uint8_t way = take(p) % 3;
    if (way == 0)
        set_buffer(p);
    else if (way == 1)
        (void)etc_set_debug_sink(p->capture, (etc_sink){refuse_now_and_then, p});
    else
        (void)etc_set_debug_buffer(p->capture, NULL, 99);
}

static void reset(player *p) {
    etc_reset(p->main);
    p->n_complete = 0;
    p->n_events_before = stats_of(p).events;
}

/* Selects main or one of its lanes for further calls. */
static void choose_lane(player *p) {
    unsigned which = take(p) % (MOST_LANES + 1);
    p->capture = which < p->n_lanes ? p->lanes[which] : p->main;
    if (p->capture == p->main)
        return;
    etc_stats before = stats_of(p), after;
    FUZZ_EXPECT(etc_save_size(p->capture, NULL, NULL) == ETC_STATE);
    etc_run(p->capture, "Execute");
    etc_run_end(p->capture);
    after = stats_of(p);
    FUZZ_EXPECT(after.events_lost_state >= before.events_lost_state && after.runs == before.runs);
}

/* Adds a lane in memory of a size given by the input. */
static void add_lane(player *p) {
    size_t size = (size_t)take(p) << 4;
    if (p->n_lanes == MOST_LANES || !p->main)
        return;
    uint8_t *memory = malloc(size ? size : 1);
    FUZZ_EXPECT(memory);
    etc_capture *lane = etc_lane(p->main, memory, size ? size : 1);
    FUZZ_EXPECT((lane != NULL) == (size >= ETC_MIN_BYTES));
    if (!lane) {
        free(memory);
        return;
    }
    p->lane_memory[p->n_lanes] = memory;
    p->lanes[p->n_lanes++] = lane;
}

static void reset_or_change_lane(player *p) {
    switch (take(p) % 8) {
    case 0:
        reset(p);
        break;
    case 1:
    case 2:
        add_lane(p);
        break;
    default:
        choose_lane(p);
        break;
    }
}

static void call(player *p) {
    uint8_t which = take(p) % 24;
    switch (which) {
    case 0:
    case 1:
        change_run(p, true);
        break;
    case 2:
        change_run(p, false);
        break;
    case 3:
        etc_set_instruction(p->capture, (int32_t)take_number(p), (uint32_t)take_number(p));
        break;
    case 4:
        etc_unset_instruction(p->capture);
        break;
    case 5:
        etc_set_bundled_input(p->capture, (int32_t)take_number(p));
        if (take(p) % 8 == 0)
            etc_name_lane(p->capture, (uint32_t)take_number(p), take_text(p));
        break;
    case 6:
        p->names[take(p) % MOST_SPANS] = etc_intern(p->capture, take_text(p));
        break;
    case 7:
        if (take(p) % 4 == 0)
            record_counted(p);
        else
            etc_log(p->capture, take_name(p), take_number(p), take_number(p));
        break;
    case 8:
        log_delegate(p);
        break;
    case 9:
        (void)etc_allocator(p->capture, take_text(p));
        break;
    case 10:
        etc_allocation(p->capture, (uint32_t)take_number(p), take_number(p));
        break;
    case 11:
        log_tensors(p);
        break;
    case 12:
        set_destination(p);
        break;
    case 13:
        save(p, true);
        break;
    case 14:
        reset_or_change_lane(p);
        break;
    case 15:
        if (take(p) & 1)
            append(p);
        else
            (void)etc_print(p->main, NULL, drop_character, NULL);
        break;
    case 16:
        forge_span(p);
        break;
    case 17:
        log_number(p, take(p) % 3);
        break;
    default:
        use_span(p, which - 18);
        break;
    }
}

static void configure(player *p) {
    uint8_t flags = take(p);
    p->config = (etc_config)ETC_CONFIG_INIT;
    p->config.clock = read_clock;
    p->config.clock_context = p;
    p->config.when_full = flags & 1 ? ETC_RING : ETC_STOP;
    p->config.keep_partial_runs = flags & 2;
    p->config.auto_handles = flags & 4;
    p->config.filter = flags & 8 ? filter : NULL;
    p->config.keep_runs = flags & 16 ? take(p) : 0;
    p->config.max_runs = flags & 32 ? take(p) : 0;
    p->config.skip_runs = flags & 64 ? take(p) : 0;
    p->config.debug_level = (etc_debug_level)(take(p) % 3);
    p->config.profiling_level = (etc_profiling_level)(take(p) % 2);
    if (flags & 128) {
        p->config.tick_numerator = (uint32_t)take_number(p);
        p->config.tick_denominator = (uint32_t)take_number(p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    player p = {.at = data, .end = data + size};
    uint32_t memory_size = (uint32_t)take(&p) << 8 | take(&p);
    uint8_t *memory = malloc(memory_size ? memory_size : 1);
    FUZZ_EXPECT(memory);
    configure(&p);
    p.main = p.capture = etc_init(memory, memory_size, &p.config);
    FUZZ_EXPECT(memory_size >= ETC_MIN_BYTES || !p.main);
    while (p.at < p.end)
        call(&p);
    change_run(&p, false);
    save(&p, false);
    for (unsigned i = 0; i < p.n_lanes; i++)
        free(p.lane_memory[i]);
    for (unsigned i = 0; i <= MOST_LANES; i++)
        free(p.debug_buffers[i]);
    free(memory);
    return 0;
}
