/*
 * stream_read.c - makes a capture of a stream. The bytes are hostile input: packets may be damaged, cut short, lost, or mixed with
 * other output of a board. The journal in a packet is checked like any other.
 */
#include "capture/stream.h"

#if ETC_HOSTED

/* ---- packets --------------------------------------------------------------------------------- */

/* Returns the next magic number, or NULL. */
static const uint8_t *find_magic(const uint8_t *data, size_t size) {
    while (size >= sizeof(etc_stream_head)) {
        const uint8_t *at = memchr(data, ETC_STREAM_MAGIC[0], size - sizeof(etc_stream_head) + 1);
        if (!at)
            return NULL;
        if (memcmp(at, ETC_STREAM_MAGIC, ETC_STREAM_MAGIC_SIZE) == 0)
            return at;
        size -= (size_t)(at + 1 - data);
        data = at + 1;
    }
    return NULL;
}

bool etc__is_stream(const uint8_t *data, size_t size) {
    return find_magic(data, size) != NULL;
}

typedef struct packet {
    const uint8_t *journal;
    uint32_t size, sequence, lost;
} packet;

/* Bytes that may be checked, per byte of a stream: packets that are damaged may overlap. */
enum { MOST_CHECKS = 8 };

/* Reads the packet at a magic number, and subtracts its size from `*n_unchecked`. Returns false if it is cut short or damaged, or
 * larger than that. */
static bool read_packet(packet *out, const uint8_t *at, size_t left, uint64_t *n_unchecked) {
    const etc_stream_head *head = (const etc_stream_head *)(const void *)at; /* only bytes */
    uint32_t crc = UINT32_MAX;
    *out = (packet){at + sizeof *head, etc__get_u32(head->size), etc__get_u32(head->sequence),
                    etc__get_u32(head->lost)};
    left -= sizeof *head;
    if (left < ETC_STREAM_CRC_SIZE || out->size > left - ETC_STREAM_CRC_SIZE ||
        out->size > *n_unchecked)
        return false;
    *n_unchecked -= out->size;
    for (const uint8_t *byte = at + ETC_STREAM_MAGIC_SIZE; byte < out->journal + out->size; byte++)
        crc = etc__add_to_crc(crc, *byte);
    return etc__get_u32(out->journal + out->size) == ~crc;
}

/* ---- the capture ----------------------------------------------------------------------------- */

typedef struct reading {
    etc_capture *c; /* NULL: there is no packet yet */
    uint32_t next, lost;
    uint32_t n_missing; /* packets */
} reading;

static etc_status start(reading *r, const etc_capture *first) {
    etc_config config = ETC_CONFIG_INIT;
    config.tick_numerator = first->tick_numerator;
    config.tick_denominator = first->tick_denominator;
    return etc_open(&r->c, &config);
}

/* Adds the runs of a packet. Packets that begin again belong to a program that was started again. */
static etc_status add_packet(reading *r, const packet *p) {
    etc_capture *runs;
    if (p->size < ETC_JOURNAL_MAGIC_SIZE || /* such as another stream */
        memcmp(p->journal, ETC_JOURNAL_MAGIC, ETC_JOURNAL_MAGIC_SIZE) != 0)
        return ETC_OK;
    etc_status status = etc_open_recovered_memory(&runs, p->journal, p->size);
    if (status == ETC_MEMORY)
        return status;
    if (status)
        return ETC_OK;
    bool is_same = r->c && r->c->tick_numerator == runs->tick_numerator &&
                   r->c->tick_denominator == runs->tick_denominator;
    if (!r->c)
        status = start(r, runs);
    else if (!is_same)
        status = ETC_INVALID; /* of a clock with another rate */
    if (!status) {
        if (p->sequence > r->next)
            r->n_missing += p->sequence - r->next;
        r->c->n_runs_dropped += p->lost >= r->lost ? p->lost - r->lost : p->lost;
        r->lost = p->lost;
        r->next = p->sequence + 1;
        status = etc_append(r->c, runs, NULL);
    }
    etc_close(runs);
    if (status == ETC_INVALID || status == ETC_STATE) /* another clock, or no complete run */
        return ETC_OK;
    return status == ETC_FULL ? ETC_TOO_LARGE : status;
}

etc_status etc__open_stream(etc_capture **out, const uint8_t *data, size_t size) {
    reading r = {0};
    const uint8_t *end = data + size;
    uint64_t n_unchecked = (uint64_t)size * MOST_CHECKS;
    etc_status status = ETC_OK;
    bool is_cut = false; /* damaged packets are missed when a later one comes; the last is not */
    for (const uint8_t *at; !status && (at = find_magic(data, (size_t)(end - data))) != NULL;) {
        packet p;
        data = at + ETC_STREAM_MAGIC_SIZE;
        if (!read_packet(&p, at, (size_t)(end - at), &n_unchecked)) {
            is_cut = true;
            continue;
        }
        is_cut = false;
        data = p.journal + p.size + ETC_STREAM_CRC_SIZE;
        status = add_packet(&r, &p);
    }
    if (!status && !r.c)
        status = ETC_INVALID;
    if (status) {
        etc_close(r.c);
        return status;
    }
    r.c->is_full = true; /* it records nothing */
    r.c->has_tensors = true;
    r.c->n_packets_lost = r.n_missing + is_cut;
    *out = r.c;
    return ETC_OK;
}

#endif
