/*
 * capture_lanes.c - records runs of eight threads and saves them. capture_lanes FILE
 */
#include "etcapture.h"

#include <pthread.h>
#include <stdio.h>

enum { N_THREADS = 8, N_RUNS = 20, N_EVENTS = 10 };

static etc_capture *lanes[N_THREADS];
static pthread_barrier_t begins, ends;

/* Records the same events in each run. */
static void *work(void *context) {
    etc_capture *lane = *(etc_capture **)context;
    etc_name name = etc_intern(lane, "work");
    for (int run = 0; run < N_RUNS; run++) {
        pthread_barrier_wait(&begins);
        for (int i = 0; i < N_EVENTS; i++) {
            etc_span span = etc_start(lane, name);
            etc_end(lane, &span);
        }
        pthread_barrier_wait(&ends);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[N_THREADS];
    etc_capture *c;
    etc_config config = ETC_CONFIG_INIT;
    config.auto_handles = true; /* distinguishes events with equal names */
    if (argc != 2 || etc_open(&c, &config) != ETC_OK)
        return 2;
    pthread_barrier_init(&begins, NULL, N_THREADS + 1);
    pthread_barrier_init(&ends, NULL, N_THREADS + 1);
    for (int i = 0; i < N_THREADS; i++) {
        lanes[i] = etc_lane(c, NULL, 0);
        if (!lanes[i] || pthread_create(&threads[i], NULL, work, &lanes[i]))
            return 2;
    }
    for (int run = 0; run < N_RUNS; run++) {
        etc_run(c, "Execute");
        pthread_barrier_wait(&begins);
        pthread_barrier_wait(&ends);
        etc_run_end(c);
    }
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    etc_status status = etc_save_file(c, NULL, argv[1], NULL);
    etc_close(c);
    if (status)
        fprintf(stderr, "capture_lanes: %s: %s\n", argv[1], etc_status_text(status));
    return status != ETC_OK;
}
