#include "stats/timescale.h"
#include "etinspect.h"

#include <string.h>

#define CLOCK_MAX 4294967295u

typedef struct eti_scale_row {
    const char *name;
    double per_second;
} eti_scale_row;

static const eti_scale_row scales[] = {
    [ETI_SCALE_NS] = {"ns", 1e9}, [ETI_SCALE_US] = {"us", 1e6},       [ETI_SCALE_MS] = {"ms", 1e3},
    [ETI_SCALE_S] = {"s", 1},     [ETI_SCALE_CYCLES] = {"cycles", 1},
};

const char *eti_time_scale_name(eti_time_scale scale) {
    return (size_t)scale < sizeof scales / sizeof *scales ? scales[scale].name : NULL;
}

bool eti_time_scale_parse(const char *name, eti_time_scale *out) {
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        if (strcmp(scales[i].name, name) == 0) {
            *out = (eti_time_scale)i;
            return true;
        }
    }
    return false;
}

bool eti__time_scales_fit(eti_time_scale source, eti_time_scale target, double hz) {
    if (source == ETI_SCALE_CYCLES && hz > 0)
        return true;
    return (source == ETI_SCALE_CYCLES) == (target == ETI_SCALE_CYCLES);
}

double eti__time_scale_factor(eti_time_scale source, eti_time_scale target, double hz) {
    if (source == ETI_SCALE_CYCLES)
        return hz > 0 && target != ETI_SCALE_CYCLES ? hz / scales[target].per_second : 1.0;
    return scales[source].per_second / scales[target].per_second;
}

bool eti__elapsed_exact(uint64_t start, uint64_t end, double factor, double *out) {
    uint64_t ticks;
    if (start <= end) {
        ticks = end - start;
    } else {
        if (start > CLOCK_MAX)
            return false;
        ticks = CLOCK_MAX - start + end;
    }
    *out = (double)ticks / factor;
    return true;
}

bool eti__elapsed_scaled(uint64_t start, uint64_t end, double factor, double *out) {
    double from = (double)start / factor;
    double to = (double)end / factor;
    if (from > to) {
        if (from > (double)CLOCK_MAX)
            return false;
        *out = ((double)CLOCK_MAX - from) + to;
    } else {
        *out = to - from;
    }
    return true;
}
