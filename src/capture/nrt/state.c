/*
 * state.c - the state of the runtime and its profiles in this process, and its mutex.
 */
#include "capture/nrt/nrt.h"

#include <time.h>

enum {
    DEFAULT_CONTINUOUS_RUNS = 1,
    BYTES_OF_EVENT = 32,
    NAME_BYTES_OF_EVENT = 5,
    LEAST_NAME_BYTES = 65536,
    SMALLEST_RING = 1472 /* bytes of a ring for 0 events: its state, and about 20 records */
};

nrt_state etc__nrt = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                      .continuous_runs = DEFAULT_CONTINUOUS_RUNS};

NRT_STATUS etc__nrt_enter(void) {
    static const NRT_STATUS statuses[] = {[NRT_PHASE_NOT_SAID] = NRT_SUCCESS,
                                          [NRT_PHASE_EXPECTED] = NRT_UNINITIALIZED,
                                          [NRT_PHASE_OPEN] = NRT_SUCCESS,
                                          [NRT_PHASE_CLOSED] = NRT_CLOSED};
    pthread_mutex_lock(&etc__nrt.mutex);
    NRT_STATUS status = statuses[etc__nrt.phase];
    return status ? etc__nrt_leave(status) : NRT_SUCCESS;
}

void etc__nrt_begin_writing(void) {
    etc__nrt.n_writing++;
    pthread_mutex_unlock(&etc__nrt.mutex);
}

void etc__nrt_end_writing(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
    etc__nrt.n_writing--;
    etc__nrt_watch();
}

/* ---- captures -------------------------------------------------------------------------------- */

uint64_t etc_nrt_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t read_clock(void *context) {
    (void)context;
    return etc_nrt_now();
}

static NRT_STATUS open_capture(etc_capture **out, etc_config *config) {
    config->clock = read_clock;
    config->auto_handles = true;
    return etc_open(out, config) ? NRT_RESOURCE : NRT_SUCCESS;
}

NRT_STATUS etc__nrt_open_growing(etc_capture **out) {
    etc_config config = ETC_CONFIG_INIT;
    config.when_full = ETC_GROW;
    return open_capture(out, &config);
}

/* Computes the memory of a ring: besides the records, 5 bytes for each event are for names, but at least as many as hundreds
 * of operators need. Up to a 128th of the memory is for the hash of names. */
NRT_STATUS etc__nrt_open_ring(etc_capture **out, uint64_t n_events, uint32_t keep_runs) {
    etc_config config = ETC_CONFIG_INIT;
    const uint64_t most_events = ((uint64_t)1 << 30) / BYTES_OF_EVENT;
    uint64_t record_bytes = (n_events < most_events ? n_events : most_events) * BYTES_OF_EVENT;
    uint32_t name_bytes = (uint32_t)(record_bytes / BYTES_OF_EVENT) * NAME_BYTES_OF_EVENT;
    config.when_full = ETC_RING;
    config.keep_runs = keep_runs;
    config.name_bytes = name_bytes < LEAST_NAME_BYTES ? LEAST_NAME_BYTES : name_bytes;
    config.limit_bytes = (record_bytes + config.name_bytes + SMALLEST_RING) * 128 / 127;
    return open_capture(out, &config);
}

NRT_STATUS etc__nrt_append(etc_capture *to, const nrt_execution *execution) {
    if (etc_append(to, execution->capture, NULL) == ETC_OK)
        return NRT_SUCCESS;
    etc__nrt.n_executions_lost++;
    return NRT_RESOURCE;
}
