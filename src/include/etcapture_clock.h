/*
 * etcapture_clock.h - clocks for etc_config: clocks of processors, and the clock of POSIX.
 *
 * All functions are inline. A clock is declared only where it can work:
 *
 *     clock                 where                     ticks                            context
 *     etc_clock_monotonic   POSIX                     nanoseconds                      NULL
 *     etc_clock_tsc         x86                       of etc_clock_tsc_hertz()         NULL
 *     etc_clock_cntvct      AArch64                   of etc_clock_cntvct_hertz()      NULL
 *     etc_clock_dwt         Armv7-M, Armv8-M mainline cycles of the processor          etc_clock_counter
 *     etc_clock_pmu         Armv8.1-M                 cycles of the processor          etc_clock_counter
 *     etc_clock_systick     Cortex-M                  cycles of the processor, mostly  etc_clock_timer
 *     etc_clock_rdcycle     RISC-V                    cycles of the processor          NULL
 *
 * If a clock has a function with _start after its name, that function must be called once before the clock is called.
 *
 *     static etc_clock_timer timer;
 *     etc_config config = ETC_CONFIG_INIT;
 *     etc_clock_systick_start(&timer);
 *     config.clock = etc_clock_systick;
 *     config.clock_context = &timer;
 *     etc_clock_set_hertz(&config, 25000000);
 *
 * Counters of 32 and 24 bits are extended to 64 bits: the clock must be called before the counter returns to the same value,
 * that is, at least every 2^32 cycles (DWT, PMU) or 2^24 cycles (SysTick); an interrupt handler that runs often enough may
 * call it. Such a clock may be called in interrupt handlers, because it masks interrupts for a few instructions. It needs
 * privileged mode.
 */
#ifndef ETCAPTURE_CLOCK_H
#define ETCAPTURE_CLOCK_H

#include "etcapture.h"

#if __STDC_HOSTED__ && (defined(__unix__) || defined(__APPLE__))
#include <time.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rates ----------------------------------------------------------------------------------- */

/* Sets the nanoseconds in a tick of a clock with `hertz` ticks a second. 0: the number is not
 * known, and ticks are written unchanged. */
static inline void etc_clock_set_hertz(etc_config *config, uint64_t hertz) {
    uint64_t a = 1000000000, b = hertz, numerator = a, denominator = b;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    for (; denominator > UINT32_MAX; denominator /= 2)
        numerator /= 2;
    config->tick_numerator = hertz && numerator ? (uint32_t)numerator : 0;
    config->tick_denominator = hertz && numerator ? (uint32_t)denominator : 0;
}

/* ---- POSIX ----------------------------------------------------------------------------------- */

/* With -std=c11 and similar options, the C library hides this clock unless _POSIX_C_SOURCE is defined. */
#if defined(CLOCK_MONOTONIC)
#define ETC_HAS_CLOCK_MONOTONIC 1

static inline uint64_t etc_clock_monotonic(void *context) {
    struct timespec time;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Measures another clock for a number of milliseconds, and returns its ticks a second. With 100
 * milliseconds the error is about a millionth. */
static inline uint64_t etc_clock_measure_hertz(etc_clock_function clock, void *context,
                                               uint32_t milliseconds) {
    uint64_t begin = etc_clock_monotonic(NULL), first = clock(context), end, last;
    do {
        end = etc_clock_monotonic(NULL);
        last = clock(context);
    } while (end - begin < (uint64_t)milliseconds * 1000000u || end == begin);
    return (uint64_t)((double)(last - first) * 1e9 / (double)(end - begin) + 0.5);
}
#endif

/* ---- x86 ------------------------------------------------------------------------------------- */

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define ETC_HAS_CLOCK_TSC 1

/* Reads the time stamp counter, without waiting for earlier instructions to end, so times of events
 * of a few nanoseconds are not exact. */
static inline uint64_t etc_clock_tsc(void *context) {
    (void)context;
    return __builtin_ia32_rdtsc();
}

/* Returns the ticks a second that the processor reports for its time stamp counter; 0: it reports
 * none, as is the case on many processors; use etc_clock_measure_hertz() instead. */
static inline uint64_t etc_clock_tsc_hertz(void) {
    uint32_t leaf = 0, ratio_to, hertz, unused;
    __asm__("cpuid" : "+a"(leaf), "=b"(unused), "=c"(hertz), "=d"(unused));
    if (leaf < 0x15)
        return 0;
    leaf = 0x15;
    hertz = 0;
    __asm__("cpuid" : "+a"(leaf), "=b"(ratio_to), "+c"(hertz), "=d"(unused));
    return leaf ? (uint64_t)hertz * ratio_to / leaf : 0;
}
#endif

/* ---- AArch64 --------------------------------------------------------------------------------- */

#if defined(__aarch64__)
#define ETC_HAS_CLOCK_CNTVCT 1

/* Reads the virtual counter of the generic timer, which user mode may read under Linux. */
static inline uint64_t etc_clock_cntvct(void *context) {
    uint64_t ticks;
    (void)context;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

static inline uint64_t etc_clock_cntvct_hertz(void) {
    uint64_t hertz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
    return hertz;
}
#endif

/* ---- RISC-V ---------------------------------------------------------------------------------- */

#if defined(__riscv)
#define ETC_HAS_CLOCK_RDCYCLE 1

/* Reads the cycles of the hart that the call runs on. */
static inline uint64_t etc_clock_rdcycle(void *context) {
    (void)context;
#if __riscv_xlen == 32
    uint32_t high, low, again;
    do {
        __asm__ volatile("csrr %0, cycleh\n\tcsrr %1, cycle\n\tcsrr %2, cycleh"
                         : "=&r"(high), "=&r"(low), "=&r"(again)
                         :
                         : "memory");
    } while (high != again);
    return (uint64_t)high << 32 | low;
#else
    uint64_t ticks;
    __asm__ volatile("csrr %0, cycle" : "=r"(ticks) : : "memory");
    return ticks;
#endif
}

/* Starts the counter and lets supervisor mode read it; in machine mode only, on a processor with
 * mcountinhibit (privileged architecture 1.11). Elsewhere the firmware or the kernel does both. */
static inline void etc_clock_rdcycle_start(void) {
    __asm__ volatile("csrci 0x320, 1\n\tcsrsi mcounteren, 1" : : : "memory");
}
#endif

/* ---- extended counters ----------------------------------------------------------------------- */

/* Extends a counter of 32 bits that counts up. */
typedef struct etc_clock_counter {
    uint64_t ticks;
} etc_clock_counter;

static inline uint64_t etc_clock_extend(etc_clock_counter *counter, uint32_t count) {
    counter->ticks += (uint32_t)(count - (uint32_t)counter->ticks);
    return counter->ticks;
}

/* Extends a timer that counts down from `reload` to 0, again and again. */
typedef struct etc_clock_timer {
    uint64_t ticks;
    uint32_t reload;
    uint32_t last; /* ticks left in the period, from reload + 1 to 1: 0 begins the next period */
    int32_t
        ahead; /* number of ends of periods that the timer reported, minus those in `ticks`: -1 to 1 */
} etc_clock_timer;

/* Returns the ticks of a timer that has counted down to `count`. `before` says whether the timer
 * reported the end of a period before the count was read, `after` whether it did so after. */
static inline uint64_t etc_clock_count_down(etc_clock_timer *timer, bool before, uint32_t count,
                                            bool after) {
    uint32_t left = count ? count : timer->reload + 1;
    int32_t told = timer->ahead + before;
    /* A count above the last one shows that a period ended, unless a second period nearly ended as
     * well. */
    int32_t n_ends = left > timer->last || told > 0;
    int32_t ahead = told - n_ends + after;
    timer->ahead = ahead < -1 ? -1 : ahead > 1 ? 1 : ahead;
    timer->ticks += (uint32_t)(timer->last + (n_ends ? timer->reload + 1 : 0) - left);
    timer->last = left;
    return timer->ticks;
}

/* ---- Cortex-M -------------------------------------------------------------------------------- */

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define ETC_HAS_CLOCK_SYSTICK 1

static inline volatile uint32_t *etc_clock_register(uint32_t address) {
    return (volatile uint32_t *)address;
}

static inline uint32_t etc_clock_mask_interrupts(void) {
    uint32_t mask;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(mask) : : "memory");
    return mask;
}

static inline void etc_clock_restore_interrupts(uint32_t mask) {
    __asm__ volatile("msr primask, %0" : : "r"(mask) : "memory");
}

#define ETC_SYSTICK_CONTROL 0xe000e010u
#define ETC_SYSTICK_RELOAD 0xe000e014u
#define ETC_SYSTICK_VALUE 0xe000e018u

static inline bool etc_clock_systick_ended(void) {
    return *etc_clock_register(ETC_SYSTICK_CONTROL) >> 16 & 1;
}

static inline uint64_t etc_clock_systick(void *context) {
    uint32_t mask = etc_clock_mask_interrupts();
    bool before = etc_clock_systick_ended();
    uint32_t count = *etc_clock_register(ETC_SYSTICK_VALUE);
    uint64_t ticks =
        etc_clock_count_down((etc_clock_timer *)context, before, count, etc_clock_systick_ended());
    etc_clock_restore_interrupts(mask);
    return ticks;
}

/* Begins to count on a timer that an operating system has started; its handler should call the
 * clock. Ticks are those of the timer's own clock. No other code may read the timer's control
 * register, because reading clears the flag of an ended period. */
static inline void etc_clock_systick_join(etc_clock_timer *timer) {
    timer->ticks = 0;
    timer->reload = *etc_clock_register(ETC_SYSTICK_RELOAD) & 0xffffff;
    timer->ahead = 0;
    timer->last = timer->reload + 1;
    (void)etc_clock_systick_ended();
    (void)etc_clock_systick(timer);
    timer->ticks = 0;
}

/* Starts the timer on the processor's clock, without interrupts and with the longest period. No
 * other code may use the timer. */
static inline void etc_clock_systick_start(etc_clock_timer *timer) {
    *etc_clock_register(ETC_SYSTICK_CONTROL) = 0;
    *etc_clock_register(ETC_SYSTICK_RELOAD) = 0xffffff;
    *etc_clock_register(ETC_SYSTICK_VALUE) = 0; /* any value sets 0 */
    *etc_clock_register(ETC_SYSTICK_CONTROL) = 5;
    etc_clock_systick_join(timer);
}

/* Armv6-M and Armv8-M baseline have neither DWT nor PMU. */
#if __ARM_ARCH_ISA_THUMB >= 2
#define ETC_HAS_CLOCK_DWT 1

#define ETC_DEBUG_CONTROL 0xe000edfcu
#define ETC_DWT_CONTROL 0xe0001000u
#define ETC_DWT_CYCLES 0xe0001004u
#define ETC_DWT_LOCK 0xe0001fb0u

static inline uint64_t etc_clock_dwt(void *context) {
    uint32_t mask = etc_clock_mask_interrupts();
    uint64_t ticks =
        etc_clock_extend((etc_clock_counter *)context, *etc_clock_register(ETC_DWT_CYCLES));
    etc_clock_restore_interrupts(mask);
    return ticks;
}

/* Starts the counter. Returns false if the processor has no such counter, and on QEMU. */
static inline bool etc_clock_dwt_start(etc_clock_counter *counter) {
    *etc_clock_register(ETC_DEBUG_CONTROL) |= 1u << 24; /* TRCENA: DWT and PMU have power */
    *etc_clock_register(ETC_DWT_LOCK) = 0xc5acce55;     /* on Cortex-M7; others ignore it */
    *etc_clock_register(ETC_DWT_CONTROL) |= 1;          /* CYCCNTENA */
    counter->ticks = *etc_clock_register(ETC_DWT_CYCLES);
    return *etc_clock_register(ETC_DWT_CONTROL) & 1;
}
#endif

/* Armv8.1-M processors, such as Cortex-M55 and M85, have the PMU. Compilers do not distinguish
 * Armv8-M mainline, which has no PMU: access may fault there. */
#if __ARM_ARCH >= 8 && __ARM_ARCH_ISA_THUMB >= 2
#define ETC_HAS_CLOCK_PMU 1

#define ETC_PMU_CYCLES 0xe000307cu
#define ETC_PMU_ENABLE 0xe0003c00u
#define ETC_PMU_CONTROL 0xe0003e04u

static inline uint64_t etc_clock_pmu(void *context) {
    uint32_t mask = etc_clock_mask_interrupts();
    uint64_t ticks =
        etc_clock_extend((etc_clock_counter *)context, *etc_clock_register(ETC_PMU_CYCLES));
    etc_clock_restore_interrupts(mask);
    return ticks;
}

/* Starts the counter. Returns false if the processor has no such unit. */
static inline bool etc_clock_pmu_start(etc_clock_counter *counter) {
    *etc_clock_register(ETC_DEBUG_CONTROL) |= 1u << 24; /* TRCENA */
    *etc_clock_register(ETC_PMU_CONTROL) |= 1;
    *etc_clock_register(ETC_PMU_ENABLE) = 1u << 31; /* the cycle counter */
    counter->ticks = *etc_clock_register(ETC_PMU_CYCLES);
    return *etc_clock_register(ETC_PMU_ENABLE) >> 31;
}
#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
