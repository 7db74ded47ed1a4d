/*
 * usage.c - samples of the memory and the processor time of this process, as events of delegates with
 * metadata in JSON.
 */
#include "capture/nrt/nrt.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t nanoseconds(struct timeval time) {
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/* Returns the peak memory: ru_maxrss is in KiB, or on Apple's systems in bytes. */
static uint64_t peak_bytes(const struct rusage *usage) {
#if defined(__APPLE__)
    return (uint64_t)usage->ru_maxrss;
#else
    return (uint64_t)usage->ru_maxrss * 1024;
#endif
}

/* Returns the bytes of this process in memory; 0: unknown. Keeps the file open, because opening it takes longer than
 * everything else here. */
static uint64_t resident_bytes(nrt_session *session) {
    char text[64];
    if (session->statm < 0)
        session->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t size = session->statm < 0 ? -1 : pread(session->statm, text, sizeof text - 1, 0);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    const char *resident = strchr(text, ' '); /* the second number, in pages */
    return resident ? strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void sample_memory(nrt_session *session, const struct rusage *usage, uint64_t now) {
    etc_capture *c = session->system;
    char json[96];
    int size =
        snprintf(json, sizeof json, "{\"resident_bytes\":%" PRIu64 ",\"peak_bytes\":%" PRIu64 "}",
                 resident_bytes(session), peak_bytes(usage));
    etc_log_delegate(c, etc_intern(c, "host_memory"), -1, now, now, json, (size_t)size);
}

/* Records the processor time used since the last sample; 100 percent is one processor. */
static void sample_cpu(nrt_session *session, const struct rusage *usage, uint64_t now) {
    etc_capture *c = session->system;
    uint64_t cpu = nanoseconds(usage->ru_utime) + nanoseconds(usage->ru_stime);
    uint64_t start = session->sampled ? session->sampled : now;
    uint64_t used = session->sampled ? cpu - session->sampled_cpu : 0;
    uint64_t percent = now > start ? used * 100 / (now - start) : 0;
    char json[96];
    int size =
        snprintf(json, sizeof json,
                 "{\"cpu_ns\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64 ",\"percent\":%" PRIu64 "}",
                 used, now - start, percent);
    etc_log_delegate(c, etc_intern(c, "cpu_util"), -1, now, now, json, (size_t)size);
    session->sampled = now;
    session->sampled_cpu = cpu;
}

NRT_STATUS etc__nrt_sample(nrt_session *session) {
    bool memory = etc__nrt_has_activity(&session->config, NRT_HOST_MEMORY);
    bool cpu = etc__nrt_has_activity(&session->config, NRT_CPU_UTIL);
    struct rusage usage;
    if (etc__nrt_is_off(&session->config) || !(memory || cpu))
        return NRT_SUCCESS;
    if (!session->system &&
        etc__nrt_open_ring(&session->system, session->config.events.max_events, 0)) {
        etc__nrt.n_events_lost++;
        return NRT_RESOURCE;
    }
    uint64_t now = etc_nrt_now();
    getrusage(RUSAGE_SELF, &usage);
    etc_run(session->system, "host");
    etc_set_instruction(session->system, -1, 0);
    if (memory)
        sample_memory(session, &usage, now);
    if (cpu)
        sample_cpu(session, &usage, now);
    etc_run_end(session->system);
    return NRT_SUCCESS;
}
