/*
 * stream.c - sends complete runs while the program records.
 *
 * New runs are copied to a capture of the stream, which is the bounded buffer, and are sent from there. While the sink takes no
 * more bytes, runs wait in the capture that records: those that it drops, and those that do not fit into the buffer, are lost.
 */
#include "capture/stream.h"

/* The state of the journal in a packet. All fields that are not here are `zero`. */
typedef struct packet_state {
    uint64_t zero, n_runs, n_events;
    uint32_t head, run, names_used;
    uint32_t tick_numerator, tick_denominator, spare;
} packet_state;

enum { HEADER_SIZE = (sizeof(etc_journal_header) + 7) / 8 * 8 };

/* Precedes the records in a packet. */
typedef struct packet_front {
    uint8_t journal_header[HEADER_SIZE];
    packet_state state;
} packet_front;

typedef struct packet_part {
    const uint8_t *data;
    uint32_t size;
} packet_part;

enum { PART_HEAD, PART_FRONT, PART_RECORDS, PART_NAMES, PART_CRC, N_PARTS };

struct etc_stream {
    const etc_capture *from;
    etc_stream_sink sink;
    bool has_failed, has_begun;
    uint32_t next; /* number of the run that is sent next */
    uint32_t n_packets;
    uint32_t n_lost;
    packet_part parts[N_PARTS];
    uint32_t part, at; /* what is sent next; N_PARTS: nothing */
    etc_stream_head head;
    uint8_t crc[ETC_STREAM_CRC_SIZE];
    packet_front front;
    size_t size; /* of the buffer */
    _Alignas(ETC_RECORD_UNIT) uint8_t buffer[];
};

etc_stream *etc_stream_init(void *memory, size_t size, const etc_capture *c, etc_stream_sink sink) {
    size_t skipped = (size_t)(-(uintptr_t)memory & (ETC_RECORD_UNIT - 1));
    if (!memory || size < ETC_STREAM_MIN_BYTES || !c || c->lane || !sink.write)
        return NULL;
    etc_stream *s = (etc_stream *)(void *)((uint8_t *)memory + skipped);
    *s = (etc_stream){.from = c, .sink = sink, .part = N_PARTS};
    s->size = size - skipped - sizeof *s;
    return s;
}

uint64_t etc_stream_lost(const etc_stream *s) {
    return s ? s->n_lost : 0;
}

/* ---- packets --------------------------------------------------------------------------------- */

static void put_u32(uint8_t *out, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t size_of_parts(const etc_stream *s) {
    return s->parts[PART_FRONT].size + s->parts[PART_RECORDS].size + s->parts[PART_NAMES].size;
}

/* Makes the header of a journal whose memory begins with a packet_state. */
static void make_header(etc_journal_header *out, uint32_t memory_size) {
    static const struct {
        uint8_t field, position;
    } known[] = {
        {ETC_JOURNAL_head, offsetof(packet_state, head)},
        {ETC_JOURNAL_used, offsetof(packet_state, head)},
        {ETC_JOURNAL_run, offsetof(packet_state, run)},
        {ETC_JOURNAL_names_used, offsetof(packet_state, names_used)},
        {ETC_JOURNAL_tick_numerator, offsetof(packet_state, tick_numerator)},
        {ETC_JOURNAL_tick_denominator, offsetof(packet_state, tick_denominator)},
        {ETC_JOURNAL_n_runs, offsetof(packet_state, n_runs)},
        {ETC_JOURNAL_n_events, offsetof(packet_state, n_events)},
    };
    static const uint8_t sizes[] = {
#define FIELD_SIZE(member, type) sizeof(type),
        ETC_JOURNAL_FIELDS(FIELD_SIZE)
#undef FIELD_SIZE
            sizeof(uint64_t), /* the sink */
    };
    *out = (etc_journal_header){.byte_order = ETC_JOURNAL_BYTE_ORDER,
                                .version = ETC_JOURNAL_VERSION,
                                .header_size = HEADER_SIZE,
                                .memory_size = memory_size,
                                .records = sizeof(packet_state)};
    memcpy(out->magic, ETC_JOURNAL_MAGIC, sizeof out->magic);
    etc__journal_sizes(out->sizes);
    for (unsigned i = 0; i < ETC_JOURNAL_N_FIELDS; i++)
        out->field_sizes[i] = sizes[i];
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        out->fields[known[i].field] = known[i].position;
}

/* Makes a packet of the records before `head` in the buffer. */
static void make_packet(etc_stream *s, const etc_capture *c, uint32_t head, uint64_t n_runs) {
    enum { LEAST_MEMORY = ETC_MIN_BYTES / 2 }; /* of a journal */
    uint32_t records = head;
    while (sizeof(packet_state) + records + c->names_used < LEAST_MEMORY ||
           (records + c->names_used) % ETC_RECORD_UNIT)
        records += 4; /* bytes behind the records that nobody reads */
    s->parts[PART_HEAD] = (packet_part){(const uint8_t *)&s->head, sizeof s->head};
    s->parts[PART_FRONT] = (packet_part){(const uint8_t *)&s->front, sizeof s->front};
    s->parts[PART_RECORDS] = (packet_part){c->records, records};
    s->parts[PART_NAMES] = (packet_part){c->names_end - c->names_used, c->names_used};
    s->parts[PART_CRC] = (packet_part){s->crc, sizeof s->crc};
    etc_journal_header header;
    make_header(&header, size_of_parts(s) - HEADER_SIZE);
    memset(s->front.journal_header, 0, sizeof s->front.journal_header);
    memcpy(s->front.journal_header, &header, sizeof header);
    s->front.state = (packet_state){.n_runs = n_runs,
                                    .n_events = c->n_events,
                                    .head = head,
                                    .run = ETC_NOWHERE,
                                    .names_used = c->names_used,
                                    .tick_numerator = s->from->tick_numerator,
                                    .tick_denominator = s->from->tick_denominator};
    memcpy(s->head.magic, ETC_STREAM_MAGIC, sizeof s->head.magic);
    put_u32(s->head.size, size_of_parts(s));
    put_u32(s->head.sequence, s->n_packets++);
    put_u32(s->head.lost, s->n_lost);
    uint32_t crc = UINT32_MAX;
    for (unsigned part = PART_HEAD; part < PART_CRC; part++) {
        for (uint32_t i = part == PART_HEAD ? ETC_STREAM_MAGIC_SIZE : 0; i < s->parts[part].size;
             i++)
            crc = etc__add_to_crc(crc, s->parts[part].data[i]);
    }
    put_u32(s->crc, ~crc);
    s->part = s->at = 0;
}

/* Notes that a run is sent, or lost, and that those between it and the run before were lost. */
static void pass(etc_stream *s, uint32_t number, bool is_lost) {
    s->n_lost += (s->has_begun ? number - s->next : 0) + is_lost;
    s->next = number + 1;
    s->has_begun = true;
}

static etc_capture *empty_buffer(etc_stream *s) {
    etc_config config = ETC_CONFIG_INIT;
    config.clock = s->from->clock;
    etc_capture *c = etc__init_parts(s->buffer, s->size, &config, NULL, NULL, NULL);
    if (c)
        etc__copy_lane_names(c, s->from);
    return c;
}

/* Makes a packet of the runs that were not sent yet, as many as fit into the buffer. Returns false if all were sent. */
static bool pack(etc_stream *s) {
    etc_capture *c = empty_buffer(s);
    etc_save_options all = ETC_SAVE_OPTIONS_INIT;
    etc_run_cursor cursor;
    uint32_t head = 0;
    uint64_t n = 0;
    etc__start_runs(s->from, &cursor, &all);
    for (const etc_run_record *run; c && (run = etc__next_run(s->from, &cursor)) != NULL;) {
        if ((s->has_begun && etc__is_before(run->number, s->next)) || !cursor.is_whole)
            continue;
        if (etc__append_run(c, s->from, run, cursor.records) == ETC_OK) {
            pass(s, run->number, false);
            head = c->head;
            n++;
            continue;
        }
        if (n > 0)
            break; /* it is the first of the next packet */
        pass(s, run->number, true);
        c = empty_buffer(s);
    }
    if (n > 0)
        make_packet(s, c, head, n);
    return n > 0;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Sends the rest of the packet. ETC_FULL: the sink takes no more now. */
static etc_status push(etc_stream *s) {
    while (s->part < N_PARTS) {
        const packet_part *part = &s->parts[s->part];
        uint32_t left = part->size - s->at;
        int n = left ? s->sink.write(s->sink.context, part->data + s->at, left) : 0;
        if (n < 0 || (uint32_t)n > left) {
            s->has_failed = true;
            return ETC_IO;
        }
        s->at += (uint32_t)n;
        if (s->at < part->size && n == 0)
            return ETC_FULL;
        if (s->at == part->size) {
            s->part++;
            s->at = 0;
        }
    }
    return ETC_OK;
}

etc_status etc_stream_send(etc_stream *s) {
    if (!s)
        return ETC_OK;
    if (s->has_failed)
        return ETC_IO;
    for (;;) {
        etc_status status = push(s);
        if (status || !pack(s))
            return status;
    }
}
