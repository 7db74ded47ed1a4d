#include "base/wide.h"

#include <math.h>
#include <stdbool.h>

double eti__wide_as_double(eti_wide n) {
    if (n.high == 0)
        return (double)n.low;
    int n_lost =
        64 - __builtin_clzll(n.high); /* number of bits that are dropped to keep the highest 64 */
    uint64_t kept = n.high, lost = n.low;
    if (n_lost < 64) {
        kept = n.high << (64 - n_lost) | n.low >> n_lost;
        lost = n.low << (64 - n_lost);
    }
    /* The last bit is far below the precision of a double, so it can record whether any dropped bit was set. */
    return ldexp((double)(kept | (lost != 0)), n_lost);
}

eti_wide eti__wide_product_in_steps(uint64_t a, uint64_t b) {
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t other = a_low * b_high + (uint32_t)middle;
    return (eti_wide){a_high * b_high + (middle >> 32) + (other >> 32),
                      other << 32 | (uint32_t)low};
}

uint64_t eti__wide_quotient_in_steps(eti_wide n, uint64_t divisor) {
    uint64_t rest = n.high, quotient = 0;
    if (rest >= divisor)
        return UINT64_MAX;
    for (int bit = 63; bit >= 0; bit--) {
        bool is_larger = rest >> 63; /* once doubled, it exceeds every divisor */
        rest = rest << 1 | (n.low >> bit & 1);
        quotient <<= 1;
        if (is_larger || rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    return quotient;
}
