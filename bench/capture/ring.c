/*
 * ring.c - prints the cost of an event in a full ring: the last 10,000 runs compared with the first. ring [RUNS]
 */
#include "etcapture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PART = 10000, EVENTS_OF_RUN = 4 };

static uint64_t read_nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t read_clock(void *context) {
    (void)context;
    return read_nanoseconds(CLOCK_MONOTONIC);
}

/* Records runs with alternating names. Returns nanoseconds of processor time per event. */
static double record(etc_capture *c, unsigned long n_runs, unsigned n_names) {
    static const char *const names[] = {"Execute", "other"};
    etc_name name = etc_intern(c, "native_call_add.out");
    uint64_t start = read_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned long run = 0; run < n_runs; run++) {
        etc_run(c, names[run % n_names]);
        for (unsigned i = 0; i < EVENTS_OF_RUN; i++) {
            etc_span span = etc_start(c, name);
            etc_end(c, &span);
        }
        etc_run_end(c);
    }
    return (double)(read_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start) / (double)n_runs /
           EVENTS_OF_RUN;
}

static void measure(const char *what, size_t size, uint32_t keep_runs, unsigned n_names,
                    unsigned long n_runs) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_clock;
    config.when_full = ETC_RING;
    config.keep_runs = keep_runs;
    void *memory = calloc(1, size);
    etc_capture *c = etc_init(memory, size, &config);
    if (!c)
        exit(1);
    etc_run(c, "Default"); /* stays at the tail until the ring is full */
    double first = record(c, PART, n_names);
    double middle = record(c, n_runs - 2 * (unsigned long)PART, n_names);
    double last = record(c, PART, n_names);
    printf("%s: last/first %.2f, first %.1f ns, middle %.1f ns, last %.1f ns\n", what, last / first,
           first, middle, last);
    free(memory);
}

int main(int argc, char **argv) {
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    n = n < 30 * (unsigned long)PART ? 30 * (unsigned long)PART : n; /* three parts are a tenth */
    measure("ring of 64 KiB", 65536, 0, 1, n);
    measure("ring of 64 KiB, keep_runs 10", 65536, 10, 1, n);
    measure("ring of 4 MiB, keep_runs 1000", 4 << 20, 1000, 1, n);
    measure("ring of 4 MiB, keep_runs 1000, two names", 4 << 20, 1000, 2, n / 10);
    measure("ring of 4 MiB, keep_runs 100000", 4 << 20, 100000, 1, n);
    return 0;
}
