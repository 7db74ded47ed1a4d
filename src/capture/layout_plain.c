/*
 * layout_plain.c - writes events that have only a name and two times, as most events do. They
 * follow each other without gaps, in memory and in the file, so that offsets can be computed
 * without reading the records again.
 */
#include "capture/layout.h"

#if ETC_IS_FAST && ETC_IS_LITTLE

/* Finds the vtables that occur. */
static void count(saving *s, const etc_profile_record *record, uint32_t n) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++)
        used |= (uint32_t)1 << etc__profile_shape(&record[i], record[i].start, record[i].end);
    for (unsigned shape = 0; used; shape++, used >>= 1) {
        if (used & 1)
            etc__use_shape(&s->shapes, ETC_SHAPE_PROFILE + shape);
    }
    etc__use_shape(&s->shapes, ETC_SHAPE_EVENT);
}

/* Returns the number of parts of a size that fit into the buffer, at most n and at least one. */
static uint32_t how_many_fit(etc_writer *w, uint32_t size, uint32_t n) {
    uint32_t room = (ETC_BUFFER_SIZE - w->n_buffered) / size;
    if (room == 0) {
        etc__flush(w);
        room = ETC_BUFFER_SIZE / size;
    }
    return n < room ? n : room;
}

/* Writes offsets to parts of a size. */
static void put_offsets(saving *s, uint32_t n, uint32_t size) {
    uint32_t offset = etc__round_up(s->w.position + 4 * n, 8) - s->w.position;
    while (n) {
        uint32_t words[64];
        uint32_t n_now = how_many_fit(&s->w, 4, n < 64 ? n : 64);
        for (uint32_t i = 0; i < n_now; i++)
            words[i] = offset + i * (size - 4);
        memcpy(etc__claim(&s->w, 4 * n_now), words, (size_t)4 * n_now);
        offset += n_now * (size - 4);
        n -= n_now;
    }
}

static void put_event(const saving *s, uint8_t *out, const etc_profile_record *record,
                      uint32_t position) {
    const uint16_t *vtables = s->shapes.positions;
    unsigned shape = ETC_SHAPE_PROFILE + etc__profile_shape(record, record->start, record->end);
    uint32_t name = etc__name_position(s, record->name);
    uint32_t words[] = {
        position - vtables[ETC_SHAPE_EVENT],
        4,
        position + 8 - vtables[shape],
        name ? name - (position + 12) : 0,
    };
    memcpy(out, words, sizeof words);
    memcpy(out + sizeof words, &record->chain,
           sizeof *record - offsetof(etc_profile_record, chain));
}

void etc__put_plain_events(saving *s, const etc_cursor *records) {
    const etc_profile_record *record =
        (const etc_profile_record *)(const void *)(s->c->records + records->at);
    uint32_t n = etc__n_plain(records);
    etc__put_u32(&s->w, n);
    if (s->w.is_counting) {
        s->w.position = etc__round_up(s->w.position + 4 * n, 8) + n * ETC_EVENT_SIZE;
        count(s, record, n);
        return;
    }
    put_offsets(s, n, ETC_EVENT_SIZE);
    etc__pad(&s->w);
    while (n) {
        uint32_t n_now = how_many_fit(&s->w, ETC_EVENT_SIZE, n);
        uint32_t position = s->w.position;
        uint8_t *out = etc__claim(&s->w, n_now * ETC_EVENT_SIZE);
        for (uint32_t i = 0; i < n_now; i++)
            put_event(s, out + (size_t)i * ETC_EVENT_SIZE, record++, position + i * ETC_EVENT_SIZE);
        n -= n_now;
    }
}

#endif
