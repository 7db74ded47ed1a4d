/*
 * lane_names.c - names lanes and queues, and writes the names while saving. A program for a board that names none does not link
 * this source.
 */
#include "capture/layout.h"

/* Begins the name of a lane. Such a name is interned like other names, so that rings and journals keep it, and is marked: an event
 * or allocator of a program may have the same text. */
static const char name_start[] = "etcapture lane ";

/* Largest number of bytes of the name of a lane, and of digits of its number. */
enum { MOST_LANE_NAME = 64, MOST_DIGITS = 10 };

uint32_t etc__put_lane_names(saving *s, bool puts) {
    const etc_capture *of = s->of;
    uint32_t n = 0;
    for (const etc_capture *c = s->c; c; c = c->next_lane) {
        s->of = c;
        for (const uint8_t *at = c->names_end - c->names_used; at < c->names_end;) {
            const etc_name_entry *entry = (const etc_name_entry *)(const void *)at;
            etc_name name = (etc_name)((c->names_end - at) / 4) | (c->lane ? ETC_LANE_NAME : 0);
            at += etc__entry_size(etc__entry_length(entry));
            if (!etc__names_lane(entry))
                continue;
            n++;
            if (puts)
                etc__put_allocator(s, name);
        }
    }
    s->of = of;
    return n;
}

static void mark_lane_name(etc_capture *c, etc_name name) {
    etc_name_entry *entry = etc__name_entry(c, name);
    if (entry)
        etc__store(&entry->mark, etc__load(&entry->mark) | ETC_NAME_OF_LANE);
#if !ETC_HOSTED
    c->allocations = &etc__allocation_calls;
#endif
}

void etc_name_lane(etc_capture *c, uint32_t number, const char *name) {
    char text[sizeof name_start + MOST_DIGITS + 2 + MOST_LANE_NAME], digits[MOST_DIGITS];
    uint32_t n_digits = 0, at = sizeof name_start - 1;
    if (!c || !name)
        return;
    if (number == 0 && c->lane)
        number = c->lane->number;
    memcpy(text, name_start, at);
    do {
        uint32_t rest = number / 10;
        digits[n_digits++] = (char)('0' + (number - rest * 10));
        number = rest;
    } while (number);
    while (n_digits)
        text[at++] = digits[--n_digits];
    text[at++] = ':';
    text[at++] = ' ';
    uint32_t size = 0;
    while (size < MOST_LANE_NAME && name[size])
        size++;
    /* leaves out a part of a character of UTF-8 */
    while (size > 0 && ((uint8_t)name[size] & 0xc0) == 0x80)
        size--;
    memcpy(text + at, name, size);
    at += size;
    text[at] = '\0';
    mark_lane_name(c, etc__intern(c, text));
}
