#include "base/whole_number.h"

#include "base/text.h"

bool eti__take_u64(const char **at, const char *end, uint64_t most, uint64_t *out) {
    const char *first = *at;
    *out = 0;
    for (; *at < end && eti__is_digit(**at); ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (digit > most || *out > (most - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return *at > first;
}

bool eti__read_u64(eti_text text, uint64_t most, uint64_t *out) {
    const char *at = text.data, *end = text.data + text.size;
    return eti__take_u64(&at, end, most, out) && at == end;
}
