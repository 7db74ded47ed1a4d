/*
 * hosted.c - captures in memory of their own: addresses are reserved, and the system provides pages
 * when they are touched. Records never move, and the core sees one area of memory.
 */
#include "capture/journal.h"

#if ETC_HOSTED

#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define MOST_BYTES ((size_t)1 << 30)

void *etc__map(size_t *size) {
    if (*size > MOST_BYTES)
        *size = MOST_BYTES;
    for (; *size >= ETC_MIN_BYTES; *size /= 2) {
        void *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED)
            return memory;
    }
    return NULL;
}

void *etc__mapping(etc_capture *c) {
    if (c->lane)
        return c->lane;
    return c->has_journal ? (uint8_t *)c - ETC_JOURNAL_HEADER_SIZE : (uint8_t *)c;
}

/* Returns the configuration for etc_init(), whatever its size in the caller. */
static etc_config config_for_init(const etc_config *config) {
    etc_config known = ETC_CONFIG_INIT;
    if (config) {
        memcpy(&known, config,
               config->struct_size < sizeof known ? config->struct_size : sizeof known);
        known.struct_size = config->struct_size; /* even 0, which etc_init() rejects */
    }
    if (known.when_full == ETC_GROW)
        known.when_full = ETC_STOP;
    return known;
}

etc_status etc_open(etc_capture **out, const etc_config *config) {
    if (!out)
        return ETC_INVALID;
    *out = NULL;
    etc_config known = config_for_init(config);
    size_t size = MOST_BYTES;
    if (known.limit_bytes && known.limit_bytes < MOST_BYTES)
        size = (size_t)known.limit_bytes;
    if (size < ETC_MIN_BYTES)
        return ETC_INVALID;
    void *memory = etc__map(&size);
    if (!memory)
        return ETC_MEMORY;
    etc_capture *c = etc_init(memory, size, &known);
    if (!c) {
        munmap(memory, size);
        return ETC_INVALID;
    }
    c->mapping_size = (uint32_t)size;
    etc__start_small(c);
    *out = c;
    return ETC_OK;
}

static void unmap(etc_capture *c) {
    if (!c->mapping_size)
        return;
    if (c->has_journal && c->journal >= 0)
        etc__close_journal(c->journal);
    else
        munmap(etc__mapping(c), c->mapping_size);
}

void etc_close(etc_capture *c) {
    if (!c || etc__refuses(c))
        return;
    for (etc_capture *lane = c->next_lane, *next; lane; lane = next) {
        next = lane->next_lane;
        unmap(lane);
    }
    c->next_lane = NULL;
    unmap(c);
}

#endif
