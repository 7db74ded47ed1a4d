/*
 * parts.c - makes a capture with all parts of the library: see etc_init_with().
 */
#include "capture/capture.h"

etc_capture *etc_init(void *memory, size_t size, const etc_config *config) {
    return etc__init_parts(memory, size, config, &etc__ring_calls, &etc__filter_calls,
                           &etc__value_calls_in_ring);
}
