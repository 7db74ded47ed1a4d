#include "base/percent.h"

#include "base/double.h"

#include <math.h>
#include <string.h>

#define MANY_TENTHS UINT64_C(10000) /* in percent: from here on, no decimals */
#define MOST_PERCENT 1e15           /* from here on, an exponent */

/* Writes a percentage that is not negative, such as "12.3". */
static size_t write_number(char *out, double percent) {
    char digits[24], *end = digits + sizeof digits;
    if (percent >= MOST_PERCENT)
        return eti__double_general(out, percent);
    uint64_t tenths = (uint64_t)(percent * 10 + 0.5);
    char *at = end;
    if (tenths < MANY_TENTHS) {
        *--at = (char)('0' + tenths % 10);
        *--at = '.';
        at = eti__write_u64(at, tenths / 10);
    } else {
        at = eti__write_u64(at, (uint64_t)(percent + 0.5));
    }
    memcpy(out, at, (size_t)(end - at));
    return (size_t)(end - at);
}

static size_t write_percent(char *out, double share, const char *plus) {
    static const char unknown[] = "unknown";
    double percent = 100 * share;
    size_t size = 0;
    if (!isfinite(percent)) {
        memcpy(out, unknown, sizeof unknown);
        return sizeof unknown - 1;
    }
    if (percent <= -0.05) /* not written as -0.0 */
        out[size++] = '-';
    else if (*plus)
        out[size++] = *plus;
    size += write_number(out + size, fabs(percent));
    out[size++] = ' ';
    out[size++] = '%';
    return size;
}

size_t eti__write_change(char out[ETI_PERCENT_MAX], double change) {
    return write_percent(out, change, "+");
}

size_t eti__write_share(char out[ETI_PERCENT_MAX], double share) {
    return write_percent(out, share, "");
}

void eti__add_change(eti_buffer *out, double change) {
    char text[ETI_PERCENT_MAX];
    size_t size = eti__write_change(text, change);
    eti__buffer_add(out, text, size);
}

void eti__add_share(eti_buffer *out, double share) {
    char text[ETI_PERCENT_MAX];
    size_t size = eti__write_share(text, share);
    eti__buffer_add(out, text, size);
}
