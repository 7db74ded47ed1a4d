#include "capture/stream.h"
#include "capture_fixture.h"
#include "journal_fixture.h"

#include <errno.h>
#include <fcntl.h>

/* ---- sinks ----------------------------------------------------------------------------------- */

/* Takes all bytes, or as many as `room` says. */
typedef struct wire {
    uint8_t data[1 << 20];
    size_t size, room;
    bool fails;
} wire;

static int take(void *context, const void *data, size_t size) {
    wire *w = context;
    size_t n = size < w->room ? size : w->room;
    if (w->fails)
        return -1;
    assert_true(w->size + n <= sizeof w->data);
    memcpy(w->data + w->size, data, n);
    w->size += n;
    w->room -= n;
    return (int)n;
}

static wire *make_wire(size_t room) {
    static wire w;
    w.size = 0;
    w.room = room;
    w.fails = false;
    return &w;
}

static _Alignas(64) uint8_t stream_memory[16384];

static etc_stream *open_stream(const etc_capture *c, wire *w, size_t size) {
    etc_stream *s = etc_stream_init(stream_memory, size, c, (etc_stream_sink){take, w});
    assert_non_null(s);
    return s;
}

/* Opens what was sent. */
static etc_capture *receive(const wire *w) {
    etc_capture *c;
    assert_int_equal(etc_open_recovered_memory(&c, w->data, w->size), ETC_OK);
    return c;
}

static void assert_same_runs(const etc_capture *a, const etc_capture *b) {
    saved x, y;
    save(&x, a);
    save(&y, b);
    char *json_x = flatc_json(x.data, x.size), *json_y = flatc_json(y.data, y.size);
    assert_non_null(json_x);
    assert_string_equal(json_x, json_y);
    free(json_x);
    free(json_y);
    free_saved(&x);
    free_saved(&y);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* All kinds of records, in a main capture and a lane. */
static void what_was_sent_is_what_would_have_been_saved(void **state) {
    (void)state;
    static _Alignas(64) uint8_t of_lane[16384];
    etc_config config = make_config();
    config.tick_numerator = 3;
    config.tick_denominator = 2;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, sizeof memory),
                *lane = etc_lane(c, of_lane, sizeof of_lane);
    etc_name_lane(c, 9, "queue");
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, sizeof stream_memory);
    assert_int_equal(etc_stream_send(s), ETC_OK); /* there is no run yet */
    assert_int_equal(w->size, 0);
    for (int32_t i = 0; i < 5; i++) {
        const etc_counter counter = {etc_intern(c, "cycles"), i};
        etc_set_bundled_input(c, i);
        etc_run(c, i ? "Execute" : "Default");
        etc_allocation(c, etc_allocator(c, "arena"), 100);
        add_event(c, "conv");
        add_event(lane, "half of conv");
        etc_log_delegate(c, etc_intern(c, "node"), -1, 5, 7, "meta", 4);
        etc_mark(lane, etc_intern(lane, "mark"), &counter, 1);
        etc_log_double(c, ETC_OPERATOR, 0.5, 0);
        etc_run_end(c);
        if (i != 2) /* one packet has two runs */
            assert_int_equal(etc_stream_send(s), ETC_OK);
    }
    assert_int_equal(etc_stream_lost(s), 0);
    etc_capture *received = receive(w);
    assert_same_runs(c, received);
    assert_int_equal(stats_of(received).packets_lost, 0);
    assert_int_equal(stats_of(received).runs_dropped, 0);
    add_run(received, "Execute", 1); /* it records nothing */
    assert_same_runs(c, received);
    etc_close(received);
}

/* A sink may take any number of bytes at a time. */
static void sinks_take_what_they_can(void **state) {
    (void)state;
    etc_capture *c = start();
    wire *w = make_wire(0);
    etc_stream *s = open_stream(c, w, 4096);
    for (uint64_t i = 0; i < 40; i++) {
        add_numbered_run(c, i + 1);
        w->room = 37;
        assert_int_equal(etc_stream_send(s), ETC_FULL);
    }
    w->room = SIZE_MAX;
    assert_int_equal(etc_stream_send(s), ETC_OK);
    etc_capture *received = receive(w);
    assert_same_runs(c, received);
    etc_close(received);
}

/* A ring of 4 KiB drops runs while the sink takes nothing. Those that arrive are whole, and the others are counted. */
static void runs_that_the_ring_drops_are_counted(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, 4096);
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, 4096);
    uint64_t n = 0;
    for (unsigned i = 0; i < 20; i++) {
        w->room = i % 2 ? 0 : SIZE_MAX;
        for (unsigned k = 0; k < 30; k++)
            add_numbered_run(c, ++n);
        (void)etc_stream_send(s);
    }
    w->room = SIZE_MAX;
    assert_int_equal(etc_stream_send(s), ETC_OK);
    etc_capture *received = receive(w);
    saved file;
    save(&file, received);
    uint64_t last = 0, first = 0;
    for (uint32_t run = 0; run < file.dump.runs.count; run++) {
        uint64_t number = check_numbered_run(&file, run);
        assert_true(number > last);
        first = first ? first : number;
        last = number;
    }
    uint64_t n_lost = last - first + 1 - file.dump.runs.count;
    assert_int_equal(last, n);
    assert_true(n_lost > 100);
    assert_int_equal(etc_stream_lost(s), n_lost);
    assert_int_equal(stats_of(received).runs_dropped, n_lost);
    free_saved(&file);
    etc_close(received);
}

/* One of three runs is larger than the memory of the stream. */
static void runs_that_do_not_fit_are_lost(void **state) {
    (void)state;
    etc_capture *c = start();
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, ETC_STREAM_MIN_BYTES);
    add_numbered_run(c, 1);
    add_run(c, "Execute", 500);
    add_numbered_run(c, 2);
    assert_int_equal(etc_stream_send(s), ETC_OK);
    assert_int_equal(etc_stream_lost(s), 1);
    etc_capture *received = receive(w);
    saved file;
    uint32_t n_default;
    save(&file, received);
    assert_int_equal(check_numbered_runs(&file, &n_default), 2);
    free_saved(&file);
    etc_close(received);
}

static void runs_that_lost_events_are_not_sent(void **state) {
    (void)state;
    etc_capture *c = start();
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, 4096);
    add_numbered_run(c, 1);
    etc_run(c, "Execute");
    etc_log(c, 12345, 1, 2);
    etc_run_end(c);
    add_numbered_run(c, 2);
    etc_run(c, "Execute"); /* is open */
    assert_int_equal(etc_stream_send(s), ETC_OK);
    assert_int_equal(etc_stream_lost(s), 1);
    etc_capture *received = receive(w);
    uint64_t n_runs;
    assert_int_equal(etc_count_saved(received, NULL, &n_runs, NULL), ETC_OK);
    assert_int_equal(n_runs, 2);
    etc_close(received);
}

static void sinks_that_fail_end_the_stream(void **state) {
    (void)state;
    etc_capture *c = start();
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, 4096);
    add_numbered_run(c, 1);
    w->fails = true;
    assert_int_equal(etc_stream_send(s), ETC_IO);
    w->fails = false;
    assert_int_equal(etc_stream_send(s), ETC_IO);
    assert_int_equal(w->size, 0);
}

static void wrong_arguments(void **state) {
    (void)state;
    static _Alignas(64) uint8_t of_lane[2048];
    etc_capture *c = start();
    const etc_stream_sink sink = {take, NULL}, none = {NULL, NULL};
    assert_null(etc_stream_init(NULL, 4096, c, sink));
    assert_null(etc_stream_init(stream_memory, ETC_STREAM_MIN_BYTES - 1, c, sink));
    assert_null(etc_stream_init(stream_memory, 4096, NULL, sink));
    assert_null(etc_stream_init(stream_memory, 4096, c, none));
    assert_null(etc_stream_init(stream_memory, 4096, etc_lane(c, of_lane, sizeof of_lane), sink));
    assert_int_equal(etc_stream_send(NULL), ETC_OK);
    assert_int_equal(etc_stream_lost(NULL), 0);
    for (size_t skipped = 0; skipped < 9; skipped++)
        assert_non_null(etc_stream_init(stream_memory + skipped, ETC_STREAM_MIN_BYTES, c, sink));
}

/* A process sends through a pipe that holds less than it sends, and does not wait for the reader. */
static int write_pipe(void *context, const void *data, size_t size) {
    ssize_t n = write(*(int *)context, data, size);
    return n < 0 && errno == EAGAIN ? 0 : (int)n;
}

static void pipes_that_are_full(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(fcntl(ends[i], F_SETFL, O_NONBLOCK), 0);
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, sizeof memory);
    etc_stream *s =
        etc_stream_init(stream_memory, 8192, c, (etc_stream_sink){write_pipe, &ends[1]});
    wire *w = make_wire(0);
    etc_status status = ETC_OK;
    unsigned n_full = 0;
    uint64_t number = 0;
    while (n_full < 3 || status == ETC_FULL) {
        if (status == ETC_OK)
            add_numbered_run(c, ++number);
        status = etc_stream_send(s);
        assert_true(status == ETC_OK || status == ETC_FULL);
        if (status == ETC_FULL) {
            n_full++;
            ssize_t n = read(ends[0], w->data + w->size, sizeof w->data - w->size);
            assert_true(n > 0);
            w->size += (size_t)n;
        }
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], w->data + w->size, sizeof w->data - w->size)) > 0;)
        w->size += (size_t)n;
    close(ends[0]);
    etc_capture *received = receive(w);
    saved file;
    uint32_t n_default;
    save(&file, received);
    assert_int_equal(check_numbered_runs(&file, &n_default), number);
    assert_int_equal(etc_stream_lost(s), 0);
    free_saved(&file);
    etc_close(received);
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* Sends five packets of a run each; returns where each begins. */
static wire *send_five(size_t begins[6]) {
    etc_capture *c = start();
    wire *w = make_wire(SIZE_MAX);
    etc_stream *s = open_stream(c, w, 4096);
    for (unsigned i = 0; i < 5; i++) {
        begins[i] = w->size;
        add_numbered_run(c, i + 1);
        assert_int_equal(etc_stream_send(s), ETC_OK);
    }
    begins[5] = w->size;
    return w;
}

static void assert_received(const void *data, size_t size, uint64_t runs, uint64_t lost) {
    etc_capture *c;
    uint64_t n_runs;
    uint8_t *copy = malloc(size); /* exact size, for sanitizers */
    assert_non_null(copy);
    memcpy(copy, data, size);
    etc_status status = etc_open_recovered_memory(&c, copy, size);
    free(copy);
    assert_int_equal(status, runs ? ETC_OK : ETC_INVALID);
    if (!runs)
        return;
    assert_int_equal(etc_count_saved(c, NULL, &n_runs, NULL), ETC_OK);
    assert_int_equal(n_runs, runs);
    assert_int_equal(stats_of(c).packets_lost, lost);
    etc_close(c);
}

static void other_output_between_packets_is_skipped(void **state) {
    (void)state;
    static const char noise[] = "boot: \217ETC \217ETCSTR\nETCSTR";
    static uint8_t mixed[1 << 16];
    size_t begins[6], size = 0;
    const wire *w = send_five(begins);
    for (unsigned i = 0; i < 5; i++) {
        memcpy(mixed + size, noise, sizeof noise);
        size += sizeof noise;
        memcpy(mixed + size, w->data + begins[i], begins[i + 1] - begins[i]);
        size += begins[i + 1] - begins[i];
    }
    assert_received(mixed, size, 5, 0);
}

static void packets_that_are_missing_are_counted(void **state) {
    (void)state;
    size_t begins[6];
    wire *w = send_five(begins);
    assert_received(w->data + begins[2], begins[5] - begins[2], 3, 2); /* the first two */
    assert_received(w->data, begins[5] - 1, 4, 1);                     /* the last is cut short */
    assert_received(w->data, begins[4] + 3, 4, 0);                     /* it is not even begun */
    memmove(w->data + begins[1], w->data + begins[3], begins[5] - begins[3]);
    assert_received(w->data, begins[5] - (begins[3] - begins[1]), 3, 2);
}

/* A flipped bit costs one packet, wherever it is. */
static void damaged_packets_are_left_out(void **state) {
    (void)state;
    size_t begins[6];
    wire *w = send_five(begins);
    for (size_t bit = 8 * begins[2]; bit < 8 * begins[3]; bit += 7) {
        w->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_received(w->data, begins[5], 4, 1);
        w->data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_received(w->data, begins[1] - 1, 0, 0);
    assert_received("\217ETCSTR\n", 8, 0, 0);
}

/* Journals that are wrong, with a CRC that is right, and a packet inside a packet. */
static void wrong_journals_with_a_right_crc(void **state) {
    (void)state;
    size_t begins[6];
    static uint8_t nested[1 << 16];
    wire *w = send_five(begins);
    for (size_t at = begins[0] + sizeof(etc_stream_head); at < begins[1] - 4; at++) {
        uint32_t crc = UINT32_MAX;
        w->data[at] ^= 0xff;
        for (size_t i = ETC_STREAM_MAGIC_SIZE; i < begins[1] - 4; i++)
            crc = etc__add_to_crc(crc, w->data[i]);
        for (unsigned i = 0; i < 4; i++)
            w->data[begins[1] - 4 + i] = (uint8_t)(~crc >> 8 * i);
        etc_capture *c;
        assert_int_equal(etc_open_recovered_memory(&c, w->data, begins[5]), ETC_OK);
        saved s;
        save(&s, c);
        free_saved(&s);
        etc_close(c);
        w->data[at] ^= 0xff;
    }
    size_t size = begins[2] - begins[1];
    etc_stream_head head = {.magic = ETC_STREAM_MAGIC};
    uint32_t crc = UINT32_MAX;
    for (unsigned i = 0; i < 4; i++)
        head.size[i] = (uint8_t)(size >> 8 * i);
    memcpy(nested, &head, sizeof head);
    memcpy(nested + sizeof head, w->data + begins[1], size);
    for (size_t i = ETC_STREAM_MAGIC_SIZE; i < sizeof head + size; i++)
        crc = etc__add_to_crc(crc, nested[i]);
    for (unsigned i = 0; i < 4; i++)
        nested[sizeof head + size + i] = (uint8_t)(~crc >> 8 * i);
    assert_received(nested, sizeof head + size + 4, 0, 0);
}

/* Each of many packets claims the rest of the stream. Checking all of them would take hours. */
static void packets_that_overlap(void **state) {
    (void)state;
    enum { SIZE = 4 << 20 };
    uint8_t *data = calloc(SIZE, 1);
    etc_capture *c;
    size_t at = 0;
    assert_non_null(data);
    for (; at + sizeof(etc_stream_head) + ETC_STREAM_CRC_SIZE <= SIZE;
         at += sizeof(etc_stream_head)) {
        etc_stream_head head = {.magic = ETC_STREAM_MAGIC};
        size_t left = SIZE - at - sizeof head - ETC_STREAM_CRC_SIZE;
        for (unsigned i = 0; i < 4; i++)
            head.size[i] = (uint8_t)(left >> 8 * i);
        memcpy(data + at, &head, sizeof head);
    }
    assert_int_equal(etc_open_recovered_memory(&c, data, SIZE), ETC_INVALID);
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sent_is_what_would_have_been_saved),
        cmocka_unit_test(sinks_take_what_they_can),
        cmocka_unit_test(runs_that_the_ring_drops_are_counted),
        cmocka_unit_test(runs_that_do_not_fit_are_lost),
        cmocka_unit_test(runs_that_lost_events_are_not_sent),
        cmocka_unit_test(sinks_that_fail_end_the_stream),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(pipes_that_are_full),
        cmocka_unit_test(other_output_between_packets_is_skipped),
        cmocka_unit_test(packets_that_are_missing_are_counted),
        cmocka_unit_test(damaged_packets_are_left_out),
        cmocka_unit_test(wrong_journals_with_a_right_crc),
        cmocka_unit_test(packets_that_overlap),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
