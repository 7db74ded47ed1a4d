#include "base/glob.h"

#include "base/text.h"

/* Backtracks only to the last star, because it can match everything an earlier star could. */
bool eti__glob_match(eti_text pattern, eti_text name) {
    size_t p = 0, n = 0;
    size_t star = SIZE_MAX,
           taken =
               0; /* `star`: position after the last star; `taken`: end of the text it matches */
    uint32_t ignored;
    if (!name.data)
        return false;
    while (n < name.size) {
        if (p < pattern.size && pattern.data[p] == '*') {
            star = ++p;
            taken = n;
        } else if (p < pattern.size && pattern.data[p] == '?') {
            p++;
            n += eti__text_decode(name, n, &ignored);
        } else if (p < pattern.size && pattern.data[p] == name.data[n]) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star;
            taken += eti__text_decode(name, taken, &ignored);
            n = taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '*')
        p++;
    return p == pattern.size;
}
