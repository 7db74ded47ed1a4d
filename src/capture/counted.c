/*
 * counted.c - events with counters, and marks. A program for a board that uses neither does not link this source.
 *
 * An ETDump has no place for numbers of an event. They are text in its metadata, which the Inspector does not read for events of a
 * program: "etcapture: cycles=1200; energy [uJ]=3", or "etcapture mark: …" for a mark.
 */
#include "capture/layout.h"

static const char begin_event[] = "etcapture: ", begin_mark[] = "etcapture mark: ";

/* ---- recording ------------------------------------------------------------------------------- */

/* Copies the counters that have a name: others lost theirs for lack of memory. Returns false if there is no such name. */
static bool copy_counters(const etc_capture *c, etc_counter_record *out,
                          const etc_counter *counters, uint32_t n, uint32_t *n_out) {
    *n_out = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!counters[i].name)
            continue;
        if (!etc__is_name(c, counters[i].name))
            return false;
        out[(*n_out)++] = (etc_counter_record){counters[i].value, counters[i].name, 0};
    }
    return true;
}

static void record_counted(etc_capture *c, const etc_span *span, uint64_t end,
                           const etc_counter *counters, size_t n, uint32_t flags) {
    etc_counter_record known[ETC_MOST_COUNTERS];
    uint32_t n_known = 0;
    bool is_delegate = span->kind == ETC_SPAN_DELEGATE;
    if (!etc__is_span(c, span) || n > ETC_MOST_COUNTERS || (n && !counters) ||
        !copy_counters(c, known, counters, (uint32_t)n, &n_known)) {
        etc__lose_wrong(c);
        return;
    }
    uint32_t size = (uint32_t)(sizeof(etc_counted_record) + n_known * sizeof *known);
    etc_counted_record *record = etc__reserve(c, size);
    if (!record)
        return;
    record->profile = (etc_profile_record){etc__record_header(ETC_RECORD_COUNTED, size),
                                           span->name,
                                           span->chain,
                                           span->handle,
                                           span->start,
                                           end};
    record->delegate_id = span->delegate_id;
    record->n = n_known | flags | (is_delegate ? ETC_COUNTED_DELEGATE : 0);
    memcpy(record + 1, known, n_known * sizeof *known);
    etc__commit_event(c, size);
#if !ETC_HOSTED
    c->put_counters = etc__put_counters;
#endif
}

void etc_end_counted(etc_capture *c, const etc_span *span, const etc_counter *counters, size_t n) {
    if (!etc__is_on(c))
        return;
    uint64_t end = c->clock(c->clock_context);
    if (!span)
        etc__lose_wrong(c);
    else if (span->kind)
        record_counted(c, span, end, counters, n, 0);
}

void etc_log_counted(etc_capture *c, etc_name name, uint64_t start, uint64_t end,
                     const etc_counter *counters, size_t n) {
    etc_span span = etc_start(c, name);
    span.start = start;
    if (span.kind)
        record_counted(c, &span, end, counters, n, 0);
}

void etc_mark(etc_capture *c, etc_name name, const etc_counter *counters, size_t n) {
    etc_span span = etc_start(c, name);
    if (span.kind)
        record_counted(c, &span, span.start, counters, n, ETC_COUNTED_MARK);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static void put_number(etc_writer *w, int64_t value) {
    char digits[20];
    uint32_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        etc__put_bytes(w, "-", 1);
    do
        digits[--at] = (char)('0' + etc__divide(&rest, 10));
    while (rest);
    etc__put_bytes(w, digits + at, sizeof digits - at);
}

/* Puts a name, without characters that end it. */
static void put_name(etc_writer *w, const etc_name_entry *entry) {
    const char *text = etc__entry_text(entry);
    for (uint32_t i = 0, n = etc__entry_length(entry); i < n; i++) {
        bool is_end = text[i] == ';' || (uint8_t)text[i] < ' ';
        etc__put_bytes(w, is_end ? "_" : text + i, 1);
    }
}

static void put_text(saving *s, const etc_counted_record *record) {
    const etc_counter_record *counters = (const etc_counter_record *)(const void *)(record + 1);
    bool is_mark = record->n & ETC_COUNTED_MARK, is_first = true;
    if (is_mark)
        etc__put_bytes(&s->w, begin_mark, sizeof begin_mark - 1);
    else
        etc__put_bytes(&s->w, begin_event, sizeof begin_event - 1);
    for (uint32_t i = 0; i < (record->n & ETC_COUNTED_N); i++) {
        const etc_name_entry *entry = etc__name_entry(s->of, counters[i].name);
        if (!entry)
            continue;
        etc__put_bytes(&s->w, "; ", is_first ? 0 : 2);
        put_name(&s->w, entry);
        etc__put_bytes(&s->w, "=", 1);
        put_number(&s->w, counters[i].value);
        is_first = false;
    }
}

void etc__put_counters(saving *s, const etc_counted_record *record) {
    uint32_t position = s->w.position;
    bool is_counting = s->w.is_counting;
    s->w.is_counting = true;
    put_text(s, record);
    uint32_t size = s->w.position - position;
    s->w.position = position;
    s->w.is_counting = is_counting;
    etc__put_u32(&s->w, size);
    put_text(s, record);
    etc__pad(&s->w);
}
