/* history_fixture.h - a profile of many files whose events scatter, and change at a given file. */
#ifndef ETI_TESTS_UNIT_HISTORY_FIXTURE_H
#define ETI_TESTS_UNIT_HISTORY_FIXTURE_H

#include "files_fixture.h"
#include "profile/profile.h"
#include "stats/stats.h"

#include <stdlib.h>

#define HISTORY_EVENTS 6
#define HISTORY_MOST 60 /* files */
#define ALL_EVENTS SIZE_MAX

/* An event, or all of them, takes `factor` times as long from a file on. */
typedef struct planted {
    size_t event, first;
    double factor;
} planted;

static inline double factor_of(const planted *changes, size_t n, size_t event, size_t file) {
    double factor = 1;
    for (size_t i = 0; i < n; i++) {
        if ((changes[i].event == event || changes[i].event == ALL_EVENTS) &&
            file >= changes[i].first)
            factor *= changes[i].factor;
    }
    return factor;
}

/* Files differ by up to 2 % as a whole, events by up to `noise` more. */
static inline eti_profile *make_history(size_t n_files, const planted *changes, size_t n_changes,
                                        double noise, uint64_t seed) {
    eti_random random = eti__random_start(seed, 0);
    uint64_t ticks[HISTORY_EVENTS * HISTORY_MOST];
    double levels[HISTORY_MOST];
    assert_true(n_files <= HISTORY_MOST);
    for (size_t file = 0; file < n_files; file++)
        levels[file] = 1 + 0.02 * (2 * eti__random_uniform(&random) - 1);
    for (size_t i = 0; i < HISTORY_EVENTS; i++) {
        for (size_t file = 0; file < n_files; file++) {
            double scatter = 1 + noise * (2 * eti__random_uniform(&random) - 1);
            double time = 10001 * (double)(i + 1) * levels[file] * scatter;
            ticks[i * n_files + file] = (uint64_t)(time * factor_of(changes, n_changes, i, file));
        }
    }
    return profile_of_files(ticks, HISTORY_EVENTS, n_files, 0);
}

#endif
