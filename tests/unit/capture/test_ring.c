#include "capture_fixture.h"

#include <time.h>

static etc_capture *start_ring(size_t size, uint32_t keep_runs) {
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.keep_runs = keep_runs;
    return start_with(&config, size);
}

/* Adds a run whose events hold the number of the run and their own. */
static void add_numbered_run(etc_capture *c, const char *name, uint64_t number, uint32_t n_events) {
    etc_run(c, name);
    for (uint32_t i = 0; i < n_events; i++)
        etc_log(c, 0, number, i);
    etc_run_end(c);
}

static uint64_t number_of(const saved *s, uint32_t run) {
    return eti__etdump_read_stamps(&s->dump, event_at(s, run, 0)).start_time;
}

/* Checks that the run has all its events, in order. */
static void assert_whole(const saved *s, uint32_t run, uint64_t number, uint32_t n_events) {
    assert_int_equal(count_events(s, run), n_events);
    for (uint32_t i = 0; i < n_events; i++) {
        eti_etdump_stamps stamps = eti__etdump_read_stamps(&s->dump, event_at(s, run, i));
        assert_int_equal(stamps.start_time, number);
        assert_int_equal(stamps.end_time, i);
    }
}

static uint32_t events_of(uint64_t number) {
    return 1 + (uint32_t)(number * 2654435761u >> 7) % 40;
}

static void a_million_runs_in_64_kib(void **state) {
    (void)state;
    etc_capture *c = start_ring(65536, 0);
    add_numbered_run(c, "Default", 0, 5);
    for (uint64_t number = 1; number <= 1000000; number++) {
        add_numbered_run(c, "Execute", number, events_of(number));
        if (number > 200 && number * 2654435761u % 9973 != 0)
            continue;
        saved s;
        save(&s, c);
        uint32_t n_runs = s.dump.runs.count;
        assert_whole(&s, 0, 0, 5); /* loading */
        for (uint32_t run = 1; run < n_runs; run++) {
            uint64_t expected = number - (n_runs - 1 - run);
            assert_whole(&s, run, expected, events_of(expected));
        }
        if (number > 200)
            assert_in_range(n_runs, 60, 120);
        free_saved(&s);
    }
    assert_int_equal(stats_of(c).runs, 1000001);
    assert_int_equal(stats_of(c).events_lost_full, 0);
    assert_int_equal(stats_of(c).runs_partial, 0);
}

static void records_of_all_lengths(void **state) {
    (void)state;
    static uint8_t metadata[2000];
    etc_capture *c = start_ring(32768, 0); /* no run takes more than half of it */
    for (uint32_t number = 0; number < 20000; number++) {
        etc_run(c, "Execute");
        for (uint32_t i = 0; i < number % 7; i++)
            etc_log_delegate(c, 0, 1, number, i, metadata,
                             (number * 31 + i * 977) % sizeof metadata);
        etc_run_end(c);
        if (number % 37 == 0) {
            saved s;
            save(&s, c);
            assert_int_equal(count_events(&s, s.dump.runs.count - 1), number % 7);
            free_saved(&s);
        }
    }
    assert_int_equal(stats_of(c).events_lost_full, 0);
}

static void a_run_larger_than_the_ring_is_left_out(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 0);
    add_numbered_run(c, "Execute", 1, 10);
    add_numbered_run(c, "Execute", 2, 1000);
    assert_int_equal(stats_of(c).runs_partial, 1);
    assert_int_equal(stats_of(c).runs_dropped, 0);
    add_numbered_run(c, "Execute", 3, 10);
    add_numbered_run(c, "Execute", 4, 10);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 3);
    assert_whole(&s, 0, 1, 10);
    assert_whole(&s, 1, 3, 10);
    free_saved(&s);
}

/* The open run drops other runs only until it has half of the ring. */
static void long_runs_leave_half_of_the_others(void **state) {
    (void)state;
    etc_capture *c = start_ring(65536, 0);
    uint64_t number = 0;
    saved s;
    for (; number < 1000; number++)
        add_numbered_run(c, "Execute", number, 3);
    save(&s, c);
    uint32_t n_before = s.dump.runs.count;
    free_saved(&s);
    for (int i = 0; i < 5; i++) { /* the second does not drop any more */
        add_numbered_run(c, "Execute", 0, 5000);
        save(&s, c);
        uint32_t n = s.dump.runs.count;
        assert_in_range(n, n_before / 2 - 1, n_before / 2 + 1);
        for (uint32_t run = 0; run < n; run++)
            assert_whole(&s, run, number - n + run, 3);
        free_saved(&s);
    }
    assert_int_equal(stats_of(c).runs_partial, 5);
    for (uint32_t i = 0; i < 50;
         i++, number++) /* runs that are longer than half replace each other */
        add_numbered_run(c, "Execute", number, i < 40 ? 3 : 1100);
    save(&s, c);
    assert_true(s.dump.runs.count > 1);
    free_saved(&s);
    etc_reset(c);
    for (number = 1; number < 10; number++) {
        add_numbered_run(c, "Execute", number, 1100);
        save(&s, c);
        assert_int_equal(s.dump.runs.count, 1);
        assert_whole(&s, 0, number, 1100);
        free_saved(&s);
    }
}

/* If the run reaches over the end of the ring, or begins in the middle, no place may be large enough. */
static void nothing_is_dropped_for_a_record_that_has_no_place(void **state) {
    (void)state;
    static uint8_t metadata[65536];
    for (uint32_t n_before = 0; n_before < 1100; n_before += 50) {
        for (uint32_t size = 8192; size < 65536; size += 8192) {
            etc_capture *c = start_ring(65536, 0);
            for (uint64_t number = 1; number <= n_before; number++)
                add_numbered_run(c, "Execute", number, 1);
            uint64_t n_dropped = stats_of(c).runs_dropped;
            uint64_t n_bytes = stats_of(c).record_bytes;
            etc_run(c, "Execute");
            etc_log_delegate(c, 0, 1, 1, 2, metadata, size);
            etc_run_end(c);
            if (stats_of(c).events_lost_full) {
                assert_true(stats_of(c).runs_dropped <= n_dropped + 1); /* for the run record */
                assert_true(stats_of(c).record_bytes + 56 >= n_bytes);
            } else {
                saved s;
                save(&s, c);
                assert_int_equal(count_events(&s, s.dump.runs.count - 1), 1);
                free_saved(&s);
            }
            if (size <= 24576)
                assert_int_equal(stats_of(c).events_lost_full, 0);
        }
    }
}

static void partial_runs_are_kept_if_wanted(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.keep_partial_runs = true;
    etc_capture *c = start_with(&config, 4096);
    add_numbered_run(c, "Execute", 1, 1000);
    saved s;
    save(&s, c);
    assert_in_range(count_events(&s, 0), 80, 100);
    free_saved(&s);
    etc_run(c, "Execute");
    etc_log(c, 0, 2, 0);
    save(&s, c); /* the open run */
    assert_int_equal(s.dump.runs.count, 1);
    assert_whole(&s, 0, 2, 1);
    free_saved(&s);
}

static void the_open_run_is_left_out(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 0);
    etc_run(c, "Execute");
    etc_log(c, 0, 1, 0);
    assert_nothing_to_save(c);
    etc_run(c, "Execute");
    etc_log(c, 0, 2, 0);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 1);
    assert_whole(&s, 0, 1, 1);
    free_saved(&s);
}

static void so_many_runs_of_each_name_are_kept(void **state) {
    (void)state;
    etc_capture *c = start_ring(8192, 3);
    add_numbered_run(c, "Default", 0, 2);
    for (uint64_t number = 1; number < 500; number++) {
        add_numbered_run(c, "Execute", number, 5);
        add_numbered_run(c, "Other", number, 1);
        saved s;
        save(&s, c);
        uint32_t n = number < 3 ? (uint32_t)number : 3;
        assert_int_equal(s.dump.runs.count, 1 + 2 * n);
        assert_int_equal(number_of(&s, 0), 0);
        assert_int_equal(number_of(&s, 1), number - n + 1);
        assert_int_equal(number_of(&s, 2 * n), number);
        free_saved(&s);
    }
}

enum { N_NAMES = 4, N_RANDOM_RUNS = 3000 };

/* Names and numbers of the recorded runs. */
typedef struct history {
    uint32_t names[N_RANDOM_RUNS];         /* name of each run */
    uint64_t runs[N_NAMES][N_RANDOM_RUNS]; /* runs of each name */
    uint32_t n[N_NAMES];
} history;

/* Checks that the file has the last runs of each name, not more than `keep`, and fewer only where the ring, which holds
 * `n_fitting`, dropped them. Runs of the name 0 may have been pinned. */
static void assert_kept(const etc_capture *c, const history *h, uint32_t keep, uint64_t number,
                        uint64_t n_fitting) {
    saved s;
    save(&s, c);
    uint32_t found[N_NAMES] = {0}, n_runs = s.dump.runs.count;
    assert_int_equal(number_of(&s, n_runs - 1), number);
    for (uint32_t run = n_runs; run--;) {
        uint64_t number_there = number_of(&s, run);
        uint32_t name = h->names[number_there];
        assert_true(found[name] < h->n[name]);
        if (name)
            assert_int_equal(number_there, h->runs[name][h->n[name] - 1 - found[name]]);
        found[name]++;
    }
    for (uint32_t i = 0; i < N_NAMES; i++) {
        uint32_t most = h->n[i] < keep ? h->n[i] : keep;
        assert_true(found[i] <= most);
        if (i && found[i] < most)
            assert_true(h->runs[i][h->n[i] - 1 - found[i]] + n_fitting <= number);
    }
    free_saved(&s);
}

/* Names alternate, persist for a while, or occur rarely, and the ring drops runs, too. */
static void kept_runs_of_random_names(void **state) {
    (void)state;
    static const char *const names[N_NAMES] = {"Default", "Execute", "Other", "Rare"};
    static history h;
    for (uint32_t seed = 0; seed < 16; seed++) {
        uint32_t keep = 1 + seed % 5, random = seed, name = 0;
        etc_capture *c = start_ring(seed % 4 ? 65536 : 4096, keep);
        memset(h.n, 0, sizeof h.n);
        for (uint64_t number = 0; number < N_RANDOM_RUNS; number++) {
            random = random * 1664525u + 1013904223u;
            if (number && random >> 24 < (seed & 8 ? 8u : 200u))
                name = random >> 16 & 0x3f ? 1 + (random >> 15 & 1) : (random >> 13) % N_NAMES;
            h.names[number] = name;
            h.runs[name][h.n[name]++] = number;
            add_numbered_run(c, names[name], number, 1 + (random >> 20) % 4);
            if (number % 7 == 0)
                assert_kept(c, &h, keep, number, seed % 4 ? 300 : 12);
        }
    }
}

/* When one name occurs again and again, its runs leave the ring one by one. */
static void a_full_ring_keeps_fewer_runs(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 20);
    uint32_t n_before = 0;
    for (uint64_t number = 1; number < 1000; number++) {
        add_numbered_run(c, "Execute", number, number < 500 ? 10 : 1);
        saved s;
        save(&s, c);
        uint32_t n = s.dump.runs.count;
        assert_true(n <= n_before + 1 && n <= 20);
        for (uint32_t run = 0; run < n; run++)
            assert_int_equal(number_of(&s, run), number - (n - 1 - run));
        n_before = n;
        free_saved(&s);
    }
    assert_int_equal(n_before, 20);
    etc_reset(c);
    add_numbered_run(c, "Execute", 1000, 1);
    add_numbered_run(c, "Execute", 1001, 1);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 2);
    free_saved(&s);
}

static void runs_that_load_stay_only_if_others_follow(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 0);
    for (uint64_t number = 0; number < 100; number++)
        add_numbered_run(c, "Default", number, 10);
    saved s;
    save(&s, c);
    assert_int_equal(number_of(&s, s.dump.runs.count - 1), 99);
    assert_true(number_of(&s, 0) > 90);
    free_saved(&s);
}

static void loading_that_takes_most_memory_does_not_stay(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 0);
    add_numbered_run(c, "Default", 0, 60);
    for (uint64_t number = 1; number < 100; number++)
        add_numbered_run(c, "Execute", number, 10);
    saved s;
    save(&s, c);
    assert_true(number_of(&s, 0) > 80);
    free_saved(&s);
}

/* Returns the number of events that take so many percent of the memory for records and names. */
static uint32_t events_in(uint32_t percent) {
    etc_capture *c = start_ring(65536, 0);
    add_numbered_run(c, "Default", 0, 1);
    uint64_t of_run = stats_of(c).record_bytes;
    add_numbered_run(c, "Default", 0, 101);
    uint64_t of_event = (stats_of(c).record_bytes - 2 * of_run) / 100;
    return (uint32_t)(stats_of(c).memory_bytes * percent / 100 / of_event);
}

/* Loading stays if it leaves half of the memory for records to others. */
static void loading_may_take_almost_half_of_the_memory(void **state) {
    (void)state;
    static const uint32_t percents[] = {1, 10, 20, 30, 37, 50, 60, 80};
    for (size_t i = 0; i < COUNT_OF(percents); i++) {
        uint32_t n_events = events_in(percents[i]);
        etc_capture *c = start_ring(65536, 0);
        add_numbered_run(c, "Default", 0, n_events);
        for (uint64_t number = 1; number < 1000; number++)
            add_numbered_run(c, "Execute", number, 10);
        saved s;
        save(&s, c);
        if (percents[i] < 50)
            assert_whole(&s, 0, 0, n_events);
        else
            assert_true(number_of(&s, 0) > 800);
        assert_int_equal(number_of(&s, s.dump.runs.count - 1), 999);
        free_saved(&s);
    }
}

/* keep_runs drops some of the runs that loaded the model, and the others stay. */
static void the_last_of_many_loading_runs_stay(void **state) {
    (void)state;
    for (uint32_t keep = 1; keep <= 20; keep++) {
        for (uint64_t n_loading = 1; n_loading < 40; n_loading += 3) {
            etc_capture *c = start_ring(16384, keep);
            for (uint64_t number = 1; number <= n_loading; number++)
                add_numbered_run(c, "Default", number, 1 + (uint32_t)(number & 1));
            for (uint64_t number = 0; number < 500; number++) {
                add_numbered_run(c, "Execute", 1000 + number, 3);
                add_numbered_run(c, "Other", 2000 + number, 1);
            }
            uint32_t n = n_loading < keep ? (uint32_t)n_loading : keep;
            saved s;
            save(&s, c);
            bool may_be_lost = n_loading > keep && keep > 10; /* too many are to be moved */
            if (!may_be_lost || number_of(&s, 0) < 1000) {
                for (uint32_t run = 0; run < n; run++)
                    assert_whole(&s, run, n_loading - n + run + 1,
                                 1 + (uint32_t)((n_loading - n + run + 1) & 1));
                assert_int_equal(number_of(&s, n), 1000 + 500 - keep);
            }
            free_saved(&s);
        }
    }
}

/* The time of a run must not grow with the number of runs that are kept. */
static void alternating_names_are_counted_once(void **state) {
    (void)state;
    static const char *const names[] = {"prefill", "decode", "sample", "Default", "Execute"};
    double seconds[2];
    for (int way = 0; way < 2; way++) {
        static uint8_t block[16 << 20];
        etc_config config = make_config();
        config.when_full = ETC_RING;
        config.keep_runs = way ? 20000 : 10;
        etc_capture *c = etc_init(block, sizeof block, &config);
        assert_non_null(c);
        clock_t start = clock();
        for (uint64_t number = 0; number < 200000; number++)
            add_numbered_run(c, names[number % COUNT_OF(names)], number, 1);
        seconds[way] = (double)(clock() - start) / CLOCKS_PER_SEC;
        etc_save_options options = ETC_SAVE_OPTIONS_INIT;
        uint64_t n_runs;
        options.run_name = "decode";
        assert_int_equal(etc_count_saved(c, &options, &n_runs, NULL), ETC_OK);
        assert_int_equal(n_runs, config.keep_runs);
    }
    assert_true(seconds[1] < 20 * seconds[0] + 1);
}

/* There are more names than places in the table that counts the runs of each. */
static void more_names_than_are_counted(void **state) {
    (void)state;
    etc_capture *c = start_ring(16384, 2);
    char name[16];
    for (uint64_t number = 0; number < 5000; number++) {
        snprintf(name, sizeof name, "run %u", (unsigned)(number % 40));
        add_numbered_run(c, name, number, 1);
        saved s;
        save(&s, c);
        uint32_t n = s.dump.runs.count;
        assert_int_equal(n, number < 80 ? number + 1 : 80);
        for (uint32_t run = 0; run < n; run++)
            assert_int_equal(number_of(&s, run), number - (n - 1 - run));
        free_saved(&s);
    }
}

static void expect_two(const etc_capture *c, const char *name, uint64_t first, uint64_t second) {
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.run_name = name;
    saved s;
    save_with(&s, c, &options);
    assert_int_equal(s.dump.runs.count, 2);
    assert_int_equal(number_of(&s, 0), first);
    assert_int_equal(number_of(&s, 1), second);
    free_saved(&s);
}

/* Runs that load the model stay when the ring is full, but are counted by name like others. */
static void loading_again_replaces_the_oldest(void **state) {
    (void)state;
    etc_capture *c = start_ring(4096, 2);
    add_numbered_run(c, "Default", 1, 1);
    add_numbered_run(c, "Default", 2, 1);
    for (uint64_t number = 10; number < 13; number++)
        add_numbered_run(c, "Execute", number, 35); /* two of these fit */
    assert_true(stats_of(c).runs_dropped > 0);
    expect_two(c, "Default", 1, 2);
    expect_two(c, "Execute", 11, 12);
    for (uint64_t number = 3; number < 6; number++) {
        add_numbered_run(c, "Default", number, 1);
        expect_two(c, "Default", number - 1, number);
        add_numbered_run(c, "Execute", 10 + number, 1);
        expect_two(c, "Execute", 9 + number, 10 + number);
    }
}

/* The ring is full to the last byte when the loading runs are pinned. */
static void every_fill_of_the_ring(void **state) {
    (void)state;
    for (uint32_t first = 0; first < 12; first++) {
        for (uint32_t size = 2048; size < 2304; size += 8) {
            etc_capture *c = start_ring(size, 0);
            add_numbered_run(c, "Default", 0, 1 + first);
            for (uint64_t number = 1; number < 60; number++) {
                etc_run(c, "Execute");
                etc_log(c, 0, number, 0);
                for (uint64_t i = 0; i < number % 9; i++)
                    etc_allocator(c, "");
                etc_run_end(c);
                saved s;
                save(&s, c);
                uint32_t last = s.dump.runs.count - 1;
                assert_int_equal(number_of(&s, last), number);
                assert_int_equal(number_of(&s, 0), 0);
                for (uint32_t run = 1; run <= last; run++)
                    assert_int_equal(number_of(&s, run), number - (last - run));
                free_saved(&s);
            }
        }
    }
}

static void without_a_ring_the_first_runs_are_kept(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, 4096);
    for (uint64_t number = 0; number < 100; number++)
        add_numbered_run(c, "Execute", number, number == 5 ? 200 : 10);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 5);
    for (uint32_t run = 0; run < 5; run++)
        assert_whole(&s, run, run, 10);
    free_saved(&s);
    assert_int_equal(stats_of(c).runs, 5);
    assert_int_equal(stats_of(c).runs_partial, 1);
    assert_int_equal(stats_of(c).runs_dropped, 94);
    assert_true(stats_of(c).events_lost_full > 940);
    etc_reset(c);
    assert_nothing_to_save(c);
    add_numbered_run(c, "Execute", 7, 10);
    save(&s, c);
    assert_whole(&s, 0, 7, 10);
    free_saved(&s);
}

static void names_have_the_memory_that_is_asked_for(void **state) {
    (void)state;
    static const uint32_t wanted[] = {1, 192, 1000, 4000, 7000, 16384, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        etc_config config = make_config();
        config.when_full = ETC_RING;
        config.name_bytes = wanted[i];
        etc_capture *c = start_with(&config, 8192);
        char name[32];
        for (int n = 0; !stats_of(c).names_lost; n++) {
            snprintf(name, sizeof name, "name %d", n);
            etc_intern(c, name);
        }
        uint64_t most = stats_of(c).memory_bytes - 256;
        uint64_t expected = wanted[i] < 192 ? 192 : wanted[i] < most ? wanted[i] : most;
        assert_in_range(stats_of(c).name_bytes, expected - 32, expected + 8);
        for (uint64_t number = 0; number < 50; number++)
            add_numbered_run(c, "name 0", number, 3);
        saved s;
        save(&s, c);
        assert_int_equal(number_of(&s, s.dump.runs.count - 1), 49);
        free_saved(&s);
    }
}

static void options_choose_runs(void **state) {
    (void)state;
    etc_capture *c = start_ring(65536, 0);
    for (uint64_t number = 0; number < 10; number++)
        add_numbered_run(c, number % 2 ? "odd" : "even", number, 1);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.last_runs = 3;
    saved s;
    save_with(&s, c, &options);
    assert_int_equal(s.dump.runs.count, 3);
    assert_int_equal(number_of(&s, 0), 7);
    free_saved(&s);
    options.run_name = "even";
    save_with(&s, c, &options);
    assert_int_equal(s.dump.runs.count, 3);
    assert_int_equal(number_of(&s, 0), 4);
    free_saved(&s);
    options.last_runs = 0;
    save_with(&s, c, &options);
    assert_int_equal(s.dump.runs.count, 5);
    free_saved(&s);
    uint64_t size;
    options.run_name = "none";
    assert_int_equal(etc_save_size(c, &options, &size), ETC_STATE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_runs_in_64_kib),
        cmocka_unit_test(records_of_all_lengths),
        cmocka_unit_test(a_run_larger_than_the_ring_is_left_out),
        cmocka_unit_test(long_runs_leave_half_of_the_others),
        cmocka_unit_test(nothing_is_dropped_for_a_record_that_has_no_place),
        cmocka_unit_test(the_last_of_many_loading_runs_stay),
        cmocka_unit_test(alternating_names_are_counted_once),
        cmocka_unit_test(more_names_than_are_counted),
        cmocka_unit_test(partial_runs_are_kept_if_wanted),
        cmocka_unit_test(the_open_run_is_left_out),
        cmocka_unit_test(so_many_runs_of_each_name_are_kept),
        cmocka_unit_test(kept_runs_of_random_names),
        cmocka_unit_test(a_full_ring_keeps_fewer_runs),
        cmocka_unit_test(runs_that_load_stay_only_if_others_follow),
        cmocka_unit_test(loading_that_takes_most_memory_does_not_stay),
        cmocka_unit_test(loading_may_take_almost_half_of_the_memory),
        cmocka_unit_test(loading_again_replaces_the_oldest),
        cmocka_unit_test(every_fill_of_the_ring),
        cmocka_unit_test(without_a_ring_the_first_runs_are_kept),
        cmocka_unit_test(names_have_the_memory_that_is_asked_for),
        cmocka_unit_test(options_choose_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
