/* Rings in memory of their own use pages again that they have touched, before they grow: they save what a ring in memory of the
 * caller saves. */
#include "capture_fixture.h"

#include "capture/capture.h"

#include <sys/mman.h>

#define RING_BYTES ((size_t)8 << 20)

/* ---- pages ----------------------------------------------------------------------------------- */

/* Number of pages of a capture's memory that the system has given it. */
static size_t count_pages(etc_capture *c) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    size_t n_pages = (c->mapping_size + page - 1) / page;
    unsigned char *in_memory = malloc(n_pages);
    assert_non_null(in_memory);
    assert_int_equal(mincore(etc__mapping(c), c->mapping_size, (void *)in_memory), 0);
    for (size_t i = 0; i < n_pages; i++)
        n += in_memory[i] & 1;
    free(in_memory);
    return n;
}

static void two_million_runs_take_no_more_pages_than_a_thousand(void **state) {
    (void)state;
    for (unsigned has_loading = 0; has_loading < 2; has_loading++) {
        etc_config config = make_config();
        etc_capture *c;
        config.when_full = ETC_RING;
        config.keep_runs = 100;
        assert_int_equal(etc_open(&c, &config), ETC_OK);
        etc_name name = etc_intern(c, "event");
        if (has_loading)
            add_run(c, "Default", 3);
        size_t after_thousand = 0;
        for (unsigned run = 0; run < 2000000; run++) {
            etc_run(c, "Execute");
            for (unsigned i = 0; i < 10; i++)
                etc_log(c, name, run, run + i);
            etc_run_end(c);
            if (run == 1000)
                after_thousand = count_pages(c);
        }
        assert_int_equal(count_pages(c), after_thousand);
        assert_in_range(after_thousand * (size_t)sysconf(_SC_PAGESIZE), 34000, 500000);
        uint64_t n_runs;
        assert_int_equal(etc_count_saved(c, NULL, &n_runs, NULL), ETC_OK);
        assert_int_equal(n_runs, 100 + has_loading);
        assert_int_equal(stats_of(c).events_lost_full, 0);
        etc_close(c);
    }
}

/* ---- what is saved --------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t draw(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* Two captures that get the same calls: one with memory of its own, one in memory of the test; or a lane of each. */
typedef struct pair {
    etc_capture *both[2];
    etc_capture *lanes[2];
} pair;

static void *ring_memory, *lane_memory;

static pair make_pair(void) {
    pair p = {{NULL, NULL}, {NULL, NULL}};
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.keep_runs = 1 + draw(20);
    config.keep_partial_runs = draw(4) == 0;
    config.limit_bytes = RING_BYTES;
    assert_int_equal(etc_open(&p.both[0], &config), ETC_OK);
    p.both[1] = etc_init(ring_memory, RING_BYTES, &config);
    assert_non_null(p.both[1]);
    if (draw(2)) {
        p.lanes[0] = etc_lane(p.both[0], NULL, RING_BYTES);
        p.lanes[1] = etc_lane(p.both[1], lane_memory, RING_BYTES);
        assert_non_null(p.lanes[0]);
        assert_non_null(p.lanes[1]);
    }
    return p;
}

static uint8_t *save_bytes(const etc_capture *c, size_t *size) {
    uint64_t needed = 0;
    *size = 0;
    if (etc_save_size(c, NULL, &needed))
        return NULL;
    uint8_t *bytes = malloc(needed);
    assert_non_null(bytes);
    assert_int_equal(etc_save_memory(c, NULL, bytes, needed, size), ETC_OK);
    return bytes;
}

static void assert_same(const pair *p) {
    size_t sizes[2];
    uint8_t *bytes[2] = {save_bytes(p->both[0], &sizes[0]), save_bytes(p->both[1], &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    if (sizes[0])
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
    etc_stats stats[2] = {stats_of(p->both[0]), stats_of(p->both[1])};
    assert_int_equal(stats[0].runs_dropped, stats[1].runs_dropped);
    assert_int_equal(stats[0].events_lost_full + stats[1].events_lost_full, 0);
}

/* Plays a run into both, with lengths that make the smaller rings grow while they have wrapped. */
static void play_run(const pair *p) {
    static const char *const names[] = {"Default", "Execute", "Execute", "Execute", "other"};
    const char *name = names[draw(5)];
    unsigned n = draw(10) ? draw(60) : draw(3000), ends = draw(8), in_lane = draw(3);
    for (unsigned i = 0; i < 2; i++) {
        etc_run(p->both[i], name);
        for (unsigned k = 0; k < n; k++) {
            etc_capture *c = p->lanes[i] && k % 3 < in_lane ? p->lanes[i] : p->both[i];
            etc_log(c, k % 7 ? etc_intern(c, "event") : 0, k, k + 1);
            if (k % 11 == 0)
                etc_log_delegate(c, 0, (int32_t)k, k, k + 1, "metadata", k % 9);
        }
        if (ends)
            etc_run_end(p->both[i]);
    }
}

/* Appends runs of another capture to both. */
static void append_runs(const pair *p) {
    static _Alignas(64) uint8_t other_memory[262144];
    etc_config config = make_config();
    etc_capture *other = etc_init(other_memory, sizeof other_memory, &config);
    for (unsigned i = 1 + draw(3); i > 0; i--)
        add_run(other, draw(2) ? "Execute" : "appended", draw(1500));
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(etc_append(p->both[i], other, NULL), ETC_OK);
}

static void the_same_is_saved(void **state) {
    (void)state;
    ring_memory = malloc(RING_BYTES);
    lane_memory = malloc(RING_BYTES);
    assert_non_null(ring_memory);
    assert_non_null(lane_memory);
    uint32_t n_grown = 0;
    for (uint32_t n = 0; n < 300; n++) {
        seed = n;
        pair p = make_pair();
        uint32_t limit = p.both[0]->limit;
        for (unsigned run = 0; run < 100; run++) {
            if (draw(12) == 0)
                append_runs(&p);
            else
                play_run(&p);
            if (draw(60) == 0) {
                etc_reset(p.both[0]);
                etc_reset(p.both[1]);
            }
            if (draw(10) == 0)
                assert_same(&p);
        }
        assert_same(&p);
        n_grown += p.both[0]->limit > limit;
        etc_close(p.both[0]);
        etc_close(p.both[1]);
    }
    assert_true(n_grown > 200);
    free(ring_memory);
    free(lane_memory);
}

/* When all memory is used, the oldest runs are dropped as in any ring. */
static void a_full_ring_drops_the_oldest(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 50; n++) {
        etc_config config = make_config();
        etc_capture *c;
        seed = n;
        config.when_full = ETC_RING;
        config.keep_runs = draw(2) * 1000;
        config.limit_bytes = 200000 + draw(100000);
        assert_int_equal(etc_open(&c, &config), ETC_OK);
        etc_name name = etc_intern(c, "event");
        for (uint64_t run = 0; run < 500; run++) {
            etc_run(c, "Execute");
            for (unsigned i = draw(100) + 1; i > 0; i--)
                etc_log(c, name, run, run);
            etc_run_end(c);
        }
        assert_int_equal(stats_of(c).events_lost_full, 0);
        saved s;
        save(&s, c);
        assert_in_range(s.dump.runs.count, 50, 400);
        for (uint32_t i = 0; i < s.dump.runs.count; i++)
            assert_int_equal(eti__etdump_read_stamps(&s.dump, event_at(&s, i, 0)).start_time,
                             500 - s.dump.runs.count + i);
        free_saved(&s);
        etc_close(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_million_runs_take_no_more_pages_than_a_thousand),
        cmocka_unit_test(the_same_is_saved),
        cmocka_unit_test(a_full_ring_drops_the_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
