#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_CAPACITY 4 /* there may be a great many arrays with one element */
#define HUGE_BYTES ((size_t)4 << 20)

/* Allocates memory that begins at a page boundary: the kernel takes three times as long to read a file into other memory. */
static void *allocate_pages(size_t page, size_t size) {
    void *memory = NULL;
    return posix_memalign(&memory, page, size) == 0 ? memory : NULL;
}

void *eti__realloc(void *memory, size_t size) {
    if (size < HUGE_BYTES)
        return realloc(memory, size);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *grown = memory ? realloc(memory, size) : allocate_pages(page, size);
#ifdef MADV_HUGEPAGE
    if (grown) {
        uintptr_t first = ((uintptr_t)grown + page - 1) / page * page;
        (void)madvise(grown + (first - (uintptr_t)grown), size - page, MADV_HUGEPAGE);
    }
#endif
    return grown;
}

void *eti__array_grow(void *array, size_t *capacity, size_t needed, size_t element_size) {
    size_t larger = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity;
    while (larger < needed) {
        if (larger > SIZE_MAX / 2)
            return NULL;
        larger *= 2;
    }
    if (larger > SIZE_MAX / element_size)
        return NULL;
    void *grown = eti__realloc(array, larger * element_size);
    if (grown)
        *capacity = larger;
    return grown;
}

bool eti__array_grow_at(void *place, void *grown) {
    if (!grown)
        return false;
    /* Pointers to all object types have the same representation here; copying the bytes avoids an aliasing violation. */
    memcpy(place, &grown, sizeof grown);
    return true;
}

size_t eti__last_not_above(const size_t *numbers, size_t n, size_t value) {
    size_t low = 0;
    while (n > 1) {
        size_t half = n / 2;
        if (numbers[low + half] <= value)
            low += half;
        n -= half;
    }
    return low;
}
