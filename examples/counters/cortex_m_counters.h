/*
 * cortex_m_counters.h - counters of a Cortex-M for events of libetcapture: those of the PMU (Armv8.1-M: Cortex-M55, M85), or the
 * profiling counters of the DWT (Armv7-M and Armv8-M: Cortex-M3, M4, M7, M33).
 *
 *     static cm_counters counters;
 *     const char *problem = cm_counters_start(&counters, capture);
 *     if (problem)
 *         print(problem);                         // such as "this processor has no PMU ..."; events then have no counters
 *     ...
 *     cm_values before = cm_counters_read(&counters);
 *     etc_span span = etc_start(capture, conv);
 *     ... the work ...
 *     cm_counters_end(&counters, capture, &span, &before);
 *
 * The counters of the DWT have 8 bits and wrap around after 256 counts: they are right only for work that is shorter than that.
 * Those of the PMU have 16 bits, or 32 bits in pairs, as used here.
 */
#ifndef CORTEX_M_COUNTERS_H
#define CORTEX_M_COUNTERS_H

#include <etcapture.h>

enum { CM_MOST_COUNTERS = 5 };

typedef struct cm_counters {
    uint32_t n; /* 0: there are none */
    bool has_pmu;
    etc_name names[CM_MOST_COUNTERS];
} cm_counters;

typedef struct cm_values {
    uint32_t of[CM_MOST_COUNTERS];
} cm_values;

static inline volatile uint32_t *cm_register(uint32_t address) {
    return (volatile uint32_t *)address;
}

#define CM_DEMCR 0xe000edfcu /* bit 24: trace and the counters are on */
#define CM_DWT_CTRL 0xe0001000u
#define CM_DWT_COUNTERS 0xe0001008u /* CPICNT, EXCCNT, SLEEPCNT, LSUCNT, FOLDCNT */
#define CM_DWT_LOCK 0xe0001fb0u
#define CM_PMU_COUNTERS 0xe0003000u
#define CM_PMU_TYPES 0xe0003400u
#define CM_PMU_ENABLE 0xe0003c00u
#define CM_PMU_TYPE 0xe0003e00u /* bits 0 to 7: number of counters, without that of cycles */
#define CM_PMU_CTRL 0xe0003e04u

/* Starts the counters and interns their names. Returns NULL, or why there are none. */
static inline const char *cm_counters_start(cm_counters *out, etc_capture *c) {
    *out = (cm_counters){.n = 0};
    *cm_register(CM_DEMCR) |= 1u << 24;
#if defined(__ARM_FEATURE_MVE) ||                                                                  \
    defined(CM_HAS_PMU) /* set the latter without vector instructions */
    /* Each counts events in a pair of counters, of which the second counts the overflows of the first (CHAIN, 0x1e). */
    static const struct {
        const char *name;
        uint32_t event;
    } known[] = {{"instructions", 0x08},
                 {"L1D cache misses", 0x03},
                 {"memory accesses", 0x13},
                 {"bus cycles", 0x1d}};
    uint32_t n = (*cm_register(CM_PMU_TYPE) & 0xff) / 2;
    if (n == 0)
        return "this processor has no PMU, or its debug interface is off";
    for (uint32_t i = 0; i < n && i < sizeof known / sizeof *known; i++) {
        *cm_register(CM_PMU_TYPES + 8 * i) = known[i].event;
        *cm_register(CM_PMU_TYPES + 8 * i + 4) = 0x1e;
        *cm_register(CM_PMU_ENABLE) = 3u << 2 * i;
        out->names[out->n++] = etc_intern(c, known[i].name);
    }
    *cm_register(CM_PMU_CTRL) = 1u | 1u << 1; /* enables, resets */
    out->has_pmu = true;
    return NULL;
#elif defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__)
    static const char *const known[] = {"extra cycles of instructions", "cycles of exceptions",
                                        "cycles of sleep", "extra cycles of loads and stores",
                                        "folded instructions"};
    *cm_register(CM_DWT_LOCK) = 0xc5acce55; /* on Cortex-M7; others ignore it */
    *cm_register(CM_DWT_CTRL) |= 0x1fu
                                 << 17; /* keeps no bit that is set if there are no counters */
    if ((*cm_register(CM_DWT_CTRL) >> 17 & 0x1f) != 0x1f)
        return "the DWT of this processor has no profiling counters, or there is no DWT, as in "
               "QEMU";
    for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
        out->names[out->n++] = etc_intern(c, known[i]);
    return NULL;
#else
    (void)c;
    return "Cortex-M0, M0+ and M23 have no counters";
#endif
}

static inline cm_values cm_counters_read(const cm_counters *counters) {
    cm_values values = {{0}};
    for (uint32_t i = 0; i < counters->n; i++) {
        if (!counters->has_pmu) {
            values.of[i] = *cm_register(CM_DWT_COUNTERS + 4 * i) & 0xff;
            continue;
        }
        uint32_t at = CM_PMU_COUNTERS + 8 * i, high, low;
        do { /* the low half must not wrap around in between */
            high = *cm_register(at + 4);
            low = *cm_register(at);
        } while (high != *cm_register(at + 4));
        values.of[i] = high << 16 | (low & 0xffff);
    }
    return values;
}

/* Ends an event with what was counted since `before`. */
static inline void cm_counters_end(const cm_counters *counters, etc_capture *c,
                                   const etc_span *span, const cm_values *before) {
    cm_values after = cm_counters_read(counters);
    etc_counter counted[CM_MOST_COUNTERS];
    for (uint32_t i = 0; i < counters->n; i++) {
        uint32_t difference = after.of[i] - before->of[i];
        counted[i] =
            (etc_counter){counters->names[i], counters->has_pmu ? difference : difference & 0xff};
    }
    etc_end_counted(c, span, counted, counters->n);
}

#endif
