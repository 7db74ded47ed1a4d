#include "write/range_map.h"

#define N_SHADES 5

uint64_t eti__ranges_end(const eti_cell *cell) {
    const uint64_t *items = cell->items;
    return cell->n_items > 1 ? items[cell->n_items - 1] : 0;
}

/* Returns the byte at which character `i` of `width` begins. */
static uint64_t edge_of(uint64_t whole, size_t width, size_t i) {
    return whole / width * i + whole % width * i / width;
}

/* Returns the number of bytes of [begin, end) that are in a range, and moves `*at` to the first range that does not end
 * before them. */
static uint64_t count_covered(const eti_cell *cell, size_t *at, uint64_t begin, uint64_t end) {
    const uint64_t *items = cell->items;
    uint64_t covered = 0;
    while (*at + 1 < cell->n_items && items[*at + 1] <= begin)
        *at += 2;
    for (size_t i = *at; i + 1 < cell->n_items && items[i] < end; i += 2) {
        uint64_t first = items[i] > begin ? items[i] : begin;
        uint64_t last = items[i + 1] < end ? items[i + 1] : end;
        covered += last > first ? last - first : 0;
    }
    return covered;
}

static size_t shade_of(uint64_t covered, uint64_t bytes) {
    if (covered == 0 || covered == bytes)
        return covered == 0 ? 0 : N_SHADES - 1;
    return 1 + (size_t)((double)covered / (double)bytes * (N_SHADES - 2));
}

void eti__add_range_map(eti_buffer *out, const eti_cell *cell, uint64_t whole, size_t width,
                        bool is_ascii) {
    static const char *const blocks[N_SHADES] = {" ", "░", "▒", "▓", "█"};
    static const char *const marks[N_SHADES] = {" ", ".", ":", "+", "#"};
    size_t at = 0, n_blanks = 0;
    for (size_t i = 0; i < width; i++) {
        uint64_t begin = edge_of(whole, width, i), end = edge_of(whole, width, i + 1);
        end = end > begin ? end : begin + 1; /* a byte may be several characters wide */
        size_t shade = shade_of(count_covered(cell, &at, begin, end), end - begin);
        if (shade == 0) {
            n_blanks++;
            continue;
        }
        eti__buffer_add_repeated(out, " ", n_blanks);
        n_blanks = 0;
        eti__buffer_add_string(out, is_ascii ? marks[shade] : blocks[shade]);
    }
}
