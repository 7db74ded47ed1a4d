#include "timeline/ticks.h"

#include "account/account.h"
#include "base/numbers.h"

#define NS_PER_SECOND UINT64_C(1000000000)
/* Frequencies below this are stored in thousandths of a Hz. */
#define EXACT_HZ 1e15

bool eti__ticks_are_cycles(eti_time_scale scale, double hz) {
    return scale == ETI_SCALE_CYCLES && !(hz > 0);
}

eti_tick_length eti__tick_length(eti_time_scale scale, double hz) {
    if (scale != ETI_SCALE_CYCLES)
        return (eti_tick_length){NS_PER_SECOND / eti__scale_ticks(scale), 1};
    if (eti__ticks_are_cycles(scale, hz))
        return (eti_tick_length){1, 1};
    if (hz >= EXACT_HZ)
        return (eti_tick_length){NS_PER_SECOND, hz < 1e18 ? (uint64_t)hz : (uint64_t)1e18};
    uint64_t thousandths = (uint64_t)(hz * 1000 + 0.5);
    return (eti_tick_length){NS_PER_SECOND * 1000, thousandths > 0 ? thousandths : 1};
}

uint64_t eti__ticks_to_ns(eti_tick_length length, uint64_t ticks) {
    uint64_t ns = ticks;
    if (length.times != length.per)
        ns = eti__wide_quotient(eti__wide_product(ticks, length.times), length.per);
    return ns < INT64_MAX ? ns : INT64_MAX;
}
