/*
 * sink.c - sinks that come with the library: memory, and a wire on which an ETDump is sent as text.
 */
#include "capture/sink.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static int write_memory(void *context, const void *data, size_t size) {
    uint8_t **at = context;
    memcpy(*at, data, size);
    *at += size;
    return 0;
}

etc_status etc_save_memory(const etc_capture *c, const etc_save_options *options, void *memory,
                           size_t size, size_t *used) {
    uint64_t needed;
    uint8_t *at = memory;
    if (used)
        *used = 0;
    etc_status status = etc_save_size(c, options, &needed);
    if (status || needed == 0)
        return status;
    if (used)
        *used = (size_t)needed;
    if (!memory || needed > size)
        return ETC_FULL;
    return etc_save(c, options, (etc_sink){write_memory, &at});
}

/* ---- a wire ---------------------------------------------------------------------------------- */

static void put_text(etc_wire *w, const char *text) {
    for (; *text; text++)
        w->put(w->context, *text);
}

/* Keeps the stack frame of a function out of that of etc_print(), which is on the stack while
 * saving. */
#define ETC_APART static __attribute__((noinline))

ETC_APART void put_decimal(etc_wire *w, uint64_t number) {
    char digits[21];
    unsigned at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + etc__divide(&number, 10));
    } while (number);
    put_text(w, digits + at);
}

static void put_hexadecimal(etc_wire *w, uint32_t number) {
    for (unsigned shift = 32; shift > 0;) {
        shift -= 4;
        w->put(w->context, "0123456789abcdef"[number >> shift & 15]);
    }
}

static void put_base64(etc_wire *w, char character) {
    if (w->width && w->column == w->width) {
        w->put(w->context, '\n');
        w->column = 0;
    }
    w->put(w->context, character);
    w->column++;
}

/* Writes the group of three bytes, of which the last ones may be missing. */
static void put_group(etc_wire *w) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t group = w->waiting << (8 * (3 - w->n_waiting));
    for (unsigned i = 0; i < 4; i++)
        put_base64(w, (char)(i <= w->n_waiting ? digits[group >> (18 - 6 * i) & 63] : '='));
    w->waiting = 0;
    w->n_waiting = 0;
}

static int write_wire(void *context, const void *data, size_t size) {
    etc_wire *w = context;
    const uint8_t *bytes = data;
    w->n_bytes += size;
    for (size_t i = 0; i < size; i++) {
        w->crc = etc__add_to_crc(w->crc, bytes[i]);
        w->waiting = w->waiting << 8 | bytes[i];
        if (++w->n_waiting == 3)
            put_group(w);
    }
    return 0;
}

etc_status
etc__put_blob(etc_wire *w, const char *file, const etc_capture *c, const etc_save_options *options,
              etc_status (*save)(const etc_capture *, const etc_save_options *, etc_sink)) {
    w->n_bytes = w->column = 0;
    w->crc = UINT32_MAX;
    put_text(w, "# Writing ");
    put_text(w, file);
    put_text(w, " [base64]\necho \"");
    etc_status status = save(c, options, (etc_sink){write_wire, w});
    if (w->n_waiting)
        put_group(w);
    put_text(w, "\" | base64 -d >");
    put_text(w, file);
    put_text(w, "\n");
    w->crc = ~w->crc;
    return status;
}

void etc__put_check(etc_wire *w, const char *bytes, uint64_t n_bytes, const char *crc,
                    uint32_t value) {
    put_text(w, bytes);
    put_decimal(w, n_bytes);
    put_text(w, crc);
    put_hexadecimal(w, value);
}

/* Returns the number of lost events, including those of lanes. */
static uint64_t count_lost(const etc_capture *c) {
    uint64_t n = 0;
    for (; c; c = c->next_lane)
        n += c->n_lost_full + c->n_lost_state + c->n_lost_wrong;
    return n;
}

ETC_APART uint32_t line_width(const etc_save_options *options) {
    etc_save_options known;
    (void)etc__read_options(&known, options);
    return known.line_width;
}

/* Number of events for which no capture has enough memory. */
#define MOST_NEEDED ((uint32_t)1 << 25)

/* Prints what was lost for lack of memory, and at least how much memory is needed: as much as there is, and for the events that
 * each run lost. Describes the capture or lane that lost most. */
ETC_APART void put_full(etc_wire *w, const etc_capture *c) {
    const etc_capture *worst = c;
    for (; c; c = c->next_lane) {
        if (c->n_lost_full > worst->n_lost_full)
            worst = c;
    }
    uint32_t size = (uint32_t)(worst->names_end - (const uint8_t *)worst);
    uint32_t n_runs =
        worst->n_runs_partial + worst->n_runs_unrecorded + (worst->run != ETC_NOWHERE);
    uint64_t per_run = worst->n_lost_full < MOST_NEEDED ? worst->n_lost_full : MOST_NEEDED;
    per_run += n_runs;
    etc__divide(&per_run, n_runs ? n_runs : 1);
    uint32_t more = (uint32_t)per_run * (uint32_t)sizeof(etc_profile_record);
    /* More memory has a larger hash of names and, in a ring, more memory for names. */
    more += more >> (worst->when_full == ETC_RING ? 2 : 6);
    put_text(w, "#[RUN THIS]\n# etcapture full lost=");
    put_decimal(w, worst->n_lost_full);
    put_text(w, " bytes=");
    put_decimal(w, size);
    put_text(w, " needed=");
    put_decimal(w, size + more);
    put_text(w, "\n#[END]\n");
}

etc_status etc_print(const etc_capture *c, const etc_save_options *options,
                     void (*put)(void *context, char character), void *context) {
    if (!c)
        return ETC_OK;
    if (!put)
        return ETC_INVALID;
    etc_wire w = {.put = put, .context = context, .width = line_width(options)};
    etc_status status = etc_save_size(c, options, NULL);
    if (status == ETC_FULL)
        put_full(&w, c);
    if (status)
        return status;
    put_text(&w, "#[RUN THIS]\n");
    const etc_value_calls *values = etc__find_values(c);
    if (values)
        values->print_contents(&w, c, options);
    status = etc__put_blob(&w, "etdump.bin", c, options, etc_save);
    etc__put_check(&w, "# etcapture bytes=", w.n_bytes, " crc32=", w.crc);
    put_text(&w, " lost=");
    put_decimal(&w, count_lost(c));
    if (values && w.debug_bytes)
        values->print_check(&w);
    put_text(&w, "\n#[END]\n");
    return status;
}
