/*
 * counted.c - reads the counters of an event, which libetcapture writes as text into its metadata:
 *
 *     etcapture: cycles=1200; energy [uJ]=3
 *     etcapture mark: level=7
 */
#include "read/read.h"

#include "base/numbers.h"
#include "base/text.h"

#include <string.h>

bool eti__counted_begin(eti_counted *out, eti_text metadata) {
    static const char *const begins[] = {"etcapture: ", "etcapture mark: "};
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(begins[i]);
        if (!eti__text_begins_with(metadata, begins[i]))
            continue;
        *out = (eti_counted){eti__text_from(metadata, n), i == 1};
        return true;
    }
    return false;
}

/* Reads a whole number. Returns false if the text is not a number of 64 bits. */
static bool read_number(eti_text text, int64_t *out) {
    bool is_negative = text.size > 0 && text.data[0] == '-';
    uint64_t number;
    if (!eti__read_u64(eti__text_from(text, is_negative), (uint64_t)INT64_MAX + is_negative,
                       &number))
        return false;
    *out = is_negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
}

/* Takes the unit in brackets, and the blank before it, from the end of a name. */
static eti_text take_unit(eti_text *name) {
    eti_text unit = {NULL, 0};
    size_t begin = name->size;
    if (name->size < 4 || name->data[name->size - 1] != ']')
        return unit;
    while (begin > 0 && name->data[begin - 1] != '[')
        begin--;
    if (begin < 3 || begin == name->size - 1 || name->data[begin - 2] != ' ')
        return unit;
    unit = (eti_text){name->data + begin, name->size - 1 - begin};
    name->size = begin - 2;
    return unit;
}

bool eti__counted_next(eti_counted *counted, eti_counter *out) {
    eti_text *left = &counted->left, entry = *left;
    const char *end = left->size > 0 ? memchr(left->data, ';', left->size) : NULL;
    if (end)
        entry.size = (size_t)(end - left->data);
    size_t after = entry.size + (end ? 2 : 0), equals = entry.size;
    if (after > left->size)
        after = left->size;
    *left = eti__text_from(*left, after);
    while (equals > 0 && entry.data[equals - 1] != '=')
        equals--;
    if (equals < 2 || !read_number(eti__text_from(entry, equals), &out->value)) {
        left->size = 0;
        return false;
    }
    out->label = (eti_text){entry.data, equals - 1};
    out->name = out->label;
    out->unit = take_unit(&out->name);
    return true;
}
