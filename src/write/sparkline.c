#include "write/sparkline.h"

#include <math.h>

#define N_HEIGHTS 8
#define LEAST_SPAN 0.1 /* of the largest magnitude */

typedef struct scale {
    double low, span;
} scale;

/* Returns the mean of the finite numbers for which character i of n_out stands; NaN: there are none. */
static double bar_of(const double *values, size_t n, size_t n_out, size_t i) {
    double sum = 0;
    size_t n_finite = 0;
    for (size_t k = i * n / n_out; k < (i + 1) * n / n_out; k++) {
        if (!isfinite(values[k]))
            continue;
        sum += values[k];
        n_finite++;
    }
    return n_finite > 0 ? sum / (double)n_finite : (double)NAN;
}

static scale find_scale(const double *values, size_t n, size_t n_out) {
    double low = INFINITY, high = (double)-INFINITY;
    for (size_t i = 0; i < n_out; i++) {
        double bar = bar_of(values, n, n_out, i);
        low = bar < low ? bar : low;
        high = bar > high ? bar : high;
    }
    double least = LEAST_SPAN * fmax(fabs(low), fabs(high));
    double span = fmax(high - low, least);
    return (scale){(low + high - span) / 2, span};
}

static size_t height_of(const scale *of, double bar) {
    double height = of->span > 0 ? floor((bar - of->low) / of->span * N_HEIGHTS) : 0;
    return !(height > 0) ? 0 : height < N_HEIGHTS ? (size_t)height : N_HEIGHTS - 1;
}

void eti__add_sparkline(eti_buffer *out, const double *values, size_t n, size_t width,
                        bool is_ascii) {
    static const char *const blocks[N_HEIGHTS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const marks[N_HEIGHTS] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    size_t n_out = n < width ? n : width;
    scale of = find_scale(values, n, n_out);
    for (size_t i = 0; i < n_out; i++) {
        double bar = bar_of(values, n, n_out, i);
        size_t height = height_of(&of, bar);
        eti__buffer_add_string(out, !isfinite(bar) ? " "
                                    : is_ascii     ? marks[height]
                                                   : blocks[height]);
    }
}
