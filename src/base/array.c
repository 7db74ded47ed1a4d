#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 16

void *eti_array_grow(void *array, size_t *capacity, size_t needed, size_t element_size) {
    size_t larger = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity;
    while (larger < needed) {
        if (larger > SIZE_MAX / 2)
            return NULL;
        larger *= 2;
    }
    if (larger > SIZE_MAX / element_size)
        return NULL;
    void *grown = realloc(array, larger * element_size);
    if (grown)
        *capacity = larger;
    return grown;
}

bool eti_array_grow_at(void *place, void *grown) {
    if (!grown)
        return false;
    /* Object pointers of all types look alike here; copying bytes says so without breaking
     * aliasing. */
    memcpy(place, &grown, sizeof grown);
    return true;
}
