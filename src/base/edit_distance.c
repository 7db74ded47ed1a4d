#include "base/edit_distance.h"

#define MAX_SIZE 64

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t eti__edit_distance(eti_text a, eti_text b) {
    size_t row[MAX_SIZE + 1];
    if (a.size > MAX_SIZE || b.size > MAX_SIZE)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.size; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size; j++) {
            size_t changed = diagonal + (a.data[i - 1] != b.data[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b.size];
}
