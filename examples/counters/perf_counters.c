/*
 * perf_counters.c - counts instructions, cycles and cache misses of each operator with perf_event_open(), on Linux.
 *
 *     cc perf_counters.c $(pkg-config --cflags --libs etcapture) -o perf_counters
 *     ./perf_counters run.etdp                # or --software: page faults and context switches
 *     etinspect events run.etdp
 *
 * The counters are a group: the kernel starts and stops them together, and one read() returns all of them, in 0.3 to 1 us.
 */
#include <etcapture.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- a group of counters --------------------------------------------------------------------- */

enum { MOST_COUNTERS = 4 };

typedef struct perf_counter {
    const char *name;
    uint32_t type;
    uint64_t config;
} perf_counter;

static const perf_counter of_hardware[] = {
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

static const perf_counter of_software[] = {
    {"task clock [ns]", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
};

typedef struct perf_group {
    int leader; /* file descriptor; -1: none */
    size_t n;
    etc_name names[MOST_COUNTERS];
} perf_group;

/* Values of all counters at a moment. */
typedef struct perf_values {
    uint64_t n, of[MOST_COUNTERS];
} perf_values;

/* Explains why there is no counter. */
static void explain(const char *name, int reason) {
    fprintf(stderr, "perf_event_open: %s: %s", name, strerror(reason));
    if (reason == EACCES || reason == EPERM)
        fprintf(stderr, ": lower /proc/sys/kernel/perf_event_paranoid to 2 or less, or give the "
                        "program or its container CAP_PERFMON");
    else if (reason == ENOENT || reason == EOPNOTSUPP || reason == ENODEV)
        fprintf(stderr, ": the processor, or the virtual machine, does not have this counter; try "
                        "--software");
    else if (reason == ENOSYS)
        fprintf(stderr, ": the kernel was built without perf events");
    fputc('\n', stderr);
}

/* Opens counters of the calling thread, without the kernel. Returns false after it has explained why there are none. */
static bool open_group(perf_group *out, etc_capture *c, const perf_counter *counters, size_t n) {
    *out = (perf_group){.leader = -1};
    for (size_t i = 0; i < n; i++) {
        struct perf_event_attr attr = {
            .type = counters[i].type,
            .size = sizeof attr,
            .config = counters[i].config,
            .read_format = PERF_FORMAT_GROUP,
            .exclude_kernel = 1,
            .exclude_hv = 1,
        };
        int descriptor = (int)syscall(SYS_perf_event_open, &attr, 0, -1, out->leader, 0);
        if (descriptor < 0) {
            explain(counters[i].name, errno);
            return false;
        }
        if (out->leader < 0)
            out->leader = descriptor;
        out->names[out->n++] = etc_intern(c, counters[i].name);
    }
    return true;
}

static perf_values read_group(const perf_group *group) {
    perf_values values = {0};
    if (read(group->leader, &values, sizeof values) < 0)
        values.n = 0;
    return values;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Ends an event with what was counted since `before`. */
static void end_counted(etc_capture *c, const etc_span *span, const perf_group *group,
                        const perf_values *before) {
    perf_values after = read_group(group);
    etc_counter counters[MOST_COUNTERS];
    size_t n = after.n < group->n ? (size_t)after.n : group->n;
    for (size_t i = 0; i < n; i++)
        counters[i] = (etc_counter){group->names[i], (int64_t)(after.of[i] - before->of[i])};
    etc_end_counted(c, span, counters, n);
}

enum { SIZE = 256 };

static float a[SIZE][SIZE], b[SIZE][SIZE], out[SIZE][SIZE];

/* Multiplies with row-wise or column-wise access to b. */
static void multiply(bool is_row_wise) {
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            float sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * (is_row_wise ? b[j][k] : b[k][j]);
            out[i][j] = sum;
        }
    }
}

int main(int argc, char **argv) {
    bool is_software = argc > 1 && strcmp(argv[1], "--software") == 0;
    const char *path = argc == 2 + is_software ? argv[1 + is_software] : NULL;
    const perf_counter *counters = is_software ? of_software : of_hardware;
    etc_capture *c;
    perf_group group;
    if (!path) {
        fprintf(stderr, "usage: perf_counters [--software] FILE\n");
        return 2;
    }
    if (etc_open(&c, NULL) != ETC_OK)
        return 1;
    if (!open_group(&group, c, counters, sizeof of_hardware / sizeof *of_hardware)) {
        etc_close(c);
        return 1;
    }
    etc_name names[] = {etc_intern(c, "native_call_matmul_rows"),
                        etc_intern(c, "native_call_matmul_columns")};
    for (int run = 0; run < 10; run++) {
        etc_run(c, "Execute");
        for (unsigned i = 0; i < 2; i++) {
            etc_set_instruction(c, 0, i);
            perf_values before = read_group(&group);
            etc_span span = etc_start(c, names[i]);
            multiply(i == 0);
            end_counted(c, &span, &group, &before);
        }
        etc_unset_instruction(c);
        etc_run_end(c);
    }
    etc_status status = etc_save_file(c, NULL, path, NULL);
    if (status != ETC_OK)
        fprintf(stderr, "%s: %s\n", path,
                status == ETC_IO ? strerror(errno) : etc_status_text(status));
    etc_close(c);
    return status != ETC_OK;
}
