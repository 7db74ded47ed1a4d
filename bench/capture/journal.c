/*
 * journal.c - prints the cost of an event in a journal, relative to plain memory: the median of pairs measured in turns.
 * journal [FOLDER] [EVENTS]
 */
#include "etcapture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_PAIRS = 21, MEMORY = 8 << 20, EVENTS_OF_RUN = 100 };

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t read_clock(void *context) {
    (void)context;
    return nanoseconds();
}

/* Returns the nanoseconds per event, over `n` events. */
static double record(etc_capture *c, unsigned long n) {
    etc_name name = etc_intern(c, "native_call_add.out");
    uint64_t start = nanoseconds();
    for (unsigned long i = 0; i < n; i++) {
        if (i % EVENTS_OF_RUN == 0)
            etc_run(c, "Execute");
        etc_span span = etc_start(c, name);
        etc_end(c, &span);
    }
    etc_run_end(c);
    return (double)(nanoseconds() - start);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A ring that wraps around several times, and memory that is filled once. */
static void measure(const char *path, etc_when_full when_full, unsigned long n) {
    double ratios[N_PAIRS], plain = 0;
    etc_config config = ETC_CONFIG_INIT;
    config.clock = read_clock;
    config.when_full = when_full;
    char *memory = malloc(MEMORY);
    for (int pair = 0; memory && pair < N_PAIRS; pair++) {
        etc_capture *journal;
        memset(memory, 1, MEMORY);
        etc_capture *c = etc_init(memory, MEMORY, &config);
        if (etc_open_journal(&journal, path, MEMORY, &config) != ETC_OK) {
            perror(path);
            exit(1);
        }
        bool is_first = pair % 2 == 0;
        double before = is_first ? record(c, n) : 0;
        double of_journal = record(journal, n);
        plain = is_first ? before : record(c, n);
        ratios[pair] = of_journal / plain;
        etc_close(journal);
        unlink(path);
    }
    free(memory);
    qsort(ratios, N_PAIRS, sizeof *ratios, compare);
    printf("%s: %.2f (%.2f .. %.2f), an event in plain memory %.1f ns\n",
           when_full == ETC_RING ? "ring" : "first runs", ratios[N_PAIRS / 2], ratios[N_PAIRS / 4],
           ratios[N_PAIRS - 1 - N_PAIRS / 4], plain / (double)n);
}

int main(int argc, char **argv) {
    char path[4096];
    snprintf(path, sizeof path, "%s/etcapture-bench.%ld", argc > 1 ? argv[1] : "/tmp",
             (long)getpid());
    unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 200000;
    measure(path, ETC_STOP, n);
    measure(path, ETC_RING, 5 * n);
    return 0;
}
