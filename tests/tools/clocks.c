/*
 * clocks.c - calls every clock that etcapture_clock.h has for a processor; WANT_... names one that it must have. library.sh
 * compiles it for several processors.
 */
#include "etcapture_clock.h"

uint64_t read_clocks(etc_clock_counter *counter, etc_clock_timer *timer, etc_config *config);

uint64_t read_clocks(etc_clock_counter *counter, etc_clock_timer *timer, etc_config *config) {
    uint64_t ticks = etc_clock_extend(counter, 1) + etc_clock_count_down(timer, true, 1, false);
    etc_clock_set_hertz(config, 25000000);
#if ETC_HAS_CLOCK_MONOTONIC
    ticks += etc_clock_monotonic(NULL) + etc_clock_measure_hertz(etc_clock_monotonic, NULL, 1);
#elif WANT_MONOTONIC
#error "no etc_clock_monotonic"
#endif
#if ETC_HAS_CLOCK_TSC
    ticks += etc_clock_tsc(NULL) + etc_clock_tsc_hertz();
#elif WANT_TSC
#error "no etc_clock_tsc"
#endif
#if ETC_HAS_CLOCK_CNTVCT
    ticks += etc_clock_cntvct(NULL) + etc_clock_cntvct_hertz();
#elif WANT_CNTVCT
#error "no etc_clock_cntvct"
#endif
#if ETC_HAS_CLOCK_RDCYCLE
    etc_clock_rdcycle_start();
    ticks += etc_clock_rdcycle(NULL);
#elif WANT_RDCYCLE
#error "no etc_clock_rdcycle"
#endif
#if ETC_HAS_CLOCK_SYSTICK
    etc_clock_systick_start(timer);
    etc_clock_systick_join(timer);
    ticks += etc_clock_systick(timer);
#elif WANT_SYSTICK
#error "no etc_clock_systick"
#endif
#if ETC_HAS_CLOCK_DWT
    ticks += (uint64_t)etc_clock_dwt_start(counter) + etc_clock_dwt(counter);
#elif WANT_DWT
#error "no etc_clock_dwt"
#endif
#if ETC_HAS_CLOCK_PMU
    ticks += (uint64_t)etc_clock_pmu_start(counter) + etc_clock_pmu(counter);
#elif WANT_PMU
#error "no etc_clock_pmu"
#endif
    return ticks;
}
