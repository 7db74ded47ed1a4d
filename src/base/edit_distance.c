#include "base/edit_distance.h"

#include "base/text.h"

#define MAX_SIZE 64

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t eti__edit_distance(eti_text a, eti_text b) {
    size_t rows[3][MAX_SIZE + 1]; /* the newest row and the two before it, in rotation */
    if (a.size > MAX_SIZE || b.size > MAX_SIZE)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.size; i++) {
        size_t *row = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.size; j++) {
            size_t changed = before[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = smaller(changed, smaller(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                row[j] = smaller(row[j], two_before[j - 2] + 1);
        }
    }
    return rows[a.size % 3][b.size];
}

static eti_text lower(eti_text text, char out[MAX_SIZE]) {
    for (size_t i = 0; i < text.size; i++) {
        bool is_capital = text.data[i] >= 'A' && text.data[i] <= 'Z';
        out[i] = (char)(is_capital ? text.data[i] + ('a' - 'A') : text.data[i]);
    }
    return (eti_text){out, text.size};
}

bool eti__text_is_nearer(eti_text candidate, eti_text name, size_t *least) {
    char a[MAX_SIZE], b[MAX_SIZE];
    if (candidate.size > MAX_SIZE || name.size > MAX_SIZE)
        return false;
    size_t distance = eti__edit_distance(lower(candidate, a), lower(name, b));
    if (distance >= *least || distance > (name.size > 4 ? 2 : 1) || distance >= candidate.size ||
        distance >= name.size)
        return false;
    *least = distance;
    return true;
}

const char *eti__nearest_of(const char *const *names, size_t n_names, eti_text mistyped) {
    const char *nearest = NULL;
    size_t least = ETI_TOO_FAR;
    for (size_t i = 0; i < n_names; i++) {
        if (eti__text_is_nearer(eti__text_of(names[i]), mistyped, &least))
            nearest = names[i];
    }
    return nearest;
}
