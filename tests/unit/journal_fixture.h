/* journal_fixture.h - shared by tests of journals: numbered runs, and checks that journals hold them. */
#ifndef ETI_TESTS_UNIT_JOURNAL_FIXTURE_H
#define ETI_TESTS_UNIT_JOURNAL_FIXTURE_H

#include "capture_fixture.h"
#include "folder_fixture.h"

#include "etcapture.h"
#include "read/read.h"

static inline uint32_t events_of(uint64_t number) {
    return 1 + (uint32_t)(number * 2654435761u >> 7) % 12;
}

/* Adds a run whose events hold the number of the run and their own, with names that are interned as needed. */
static inline void add_numbered_run(etc_capture *c, uint64_t number) {
    const char name[] = {'e', 'v', 'e', 'n', 't', (char)('A' + number % 20), '\0'};
    etc_run(c, "Execute");
    for (uint32_t i = 0; i < events_of(number); i++)
        etc_log(c, i % 2 ? etc_intern(c, name) : 0, number, i);
    etc_run_end(c);
}

/* Checks that all events of a run are present, in order; returns its number. */
static inline uint64_t check_numbered_run(const saved *s, uint32_t run) {
    uint64_t number = eti__etdump_read_stamps(&s->dump, event_at(s, run, 0)).start_time;
    assert_int_equal(count_events(s, run), events_of(number));
    for (uint32_t i = 0; i < count_events(s, run); i++) {
        eti_etdump_stamps stamps = eti__etdump_read_stamps(&s->dump, event_at(s, run, i));
        assert_int_equal(stamps.start_time, number);
        assert_int_equal(stamps.end_time, i);
    }
    return number;
}

static inline bool run_is_called(const saved *s, uint32_t run, const char *name) {
    eti_text text = eti__etdump_read_run(&s->dump, run).name;
    return text.size == strlen(name) && memcmp(text.data, name, text.size) == 0;
}

/* Checks that the runs are complete and numbered without gaps, after those called "Default"; returns the last number. */
static inline uint64_t check_numbered_runs(const saved *s, uint32_t *n_default) {
    uint64_t last = 0;
    *n_default = 0;
    for (uint32_t run = 0; run < s->dump.runs.count; run++) {
        if (run_is_called(s, run, "Default")) {
            assert_int_equal(last, 0);
            ++*n_default;
            continue;
        }
        uint64_t number = check_numbered_run(s, run);
        assert_true(last == 0 || number == last + 1);
        last = number;
    }
    return last;
}

static inline etc_capture *open_journal(const char *name, size_t size, const etc_config *config) {
    etc_capture *c;
    assert_int_equal(etc_open_journal(&c, in_folder(name), size, config), ETC_OK);
    assert_non_null(c);
    return c;
}

static inline etc_capture *open_recovered(const char *name) {
    etc_capture *c;
    assert_int_equal(etc_open_recovered(&c, in_folder(name)), ETC_OK);
    assert_non_null(c);
    return c;
}

#endif
