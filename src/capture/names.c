/*
 * names.c - interns texts: equal texts get the same name.
 */
#include "capture/capture.h"

/* Longest text in bytes. Readers reject files in which many events share long names, see STRING_BYTES_PER_BYTE of
 * flatbuf/flatbuf.c. The end of a text that was longer is a # and the hash of the whole text. */
enum { MOST_TEXT = 511, MARK_SIZE = 9, MOST_CUT = MOST_TEXT - MARK_SIZE };

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static bool is_continuation(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

/* Returns the number of bytes of the character at `at`; 0: the bytes are not a character. A NUL is
 * not a continuation byte, so no byte after it is read. */
static uint32_t character_size(const uint8_t *at) {
    if (at[0] < 0x80)
        return 1;
    if (at[0] < 0xc2 || at[0] > 0xf4 || !is_continuation(at[1]))
        return 0;
    if (at[0] < 0xe0)
        return 2;
    if (!is_continuation(at[2]))
        return 0;
    if (at[0] < 0xf0) {
        bool is_overlong = at[0] == 0xe0 && at[1] < 0xa0;
        bool is_surrogate = at[0] == 0xed && at[1] >= 0xa0;
        return is_overlong || is_surrogate ? 0 : 3;
    }
    bool is_outside = (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90);
    return is_outside || !is_continuation(at[3]) ? 0 : 4;
}

/* Holds the measures of a text in its repaired form. */
typedef struct measured_text {
    const uint8_t *text;
    uint32_t length; /* bytes */
    uint32_t
        kept; /* bytes of the original, the same number before and after the repair; the mark follows */
    uint32_t hash;
    uint32_t whole_hash; /* of the whole text, if it is cut */
    bool is_repaired;    /* some bytes become '?' */
} measured_text;

static bool is_cut(const measured_text *m) {
    return m->kept < m->length;
}

/* FNV-1a */
#define FIRST_HASH 2166136261u

static uint32_t hash_byte(uint32_t hash, uint8_t byte) {
    return (hash ^ byte) * 16777619u;
}

/* Returns a character of the mark at the end of a text that is cut. */
static uint8_t mark_at(const measured_text *m, uint32_t at) {
    return at == 0 ? '#' : (uint8_t) "0123456789abcdef"[m->whole_hash >> (32 - 4 * at) & 15];
}

ETC_APART measured_text measure_any(const char *text) {
    measured_text m = {.text = (const uint8_t *)text, .hash = FIRST_HASH}, cut = m;
    const uint8_t *at = m.text;
    while (*at) {
        uint32_t size = character_size(at);
        bool is_bad = size == 0;
        size += is_bad;
        if (m.length <= MOST_TEXT) { /* a longer text is only hashed */
            m.length += size;
            m.is_repaired |= is_bad;
        }
        for (uint32_t i = 0; i < size; i++)
            m.hash = hash_byte(m.hash, is_bad ? '?' : at[i]);
        if (m.length <= MOST_CUT)
            cut = m;
        at += size;
    }
    m.kept = m.length;
    if (m.length > MOST_TEXT) {
        cut.whole_hash = m.hash;
        m = cut;
        m.kept = cut.length;
        m.length += MARK_SIZE;
        for (uint32_t i = 0; i < MARK_SIZE; i++)
            m.hash = hash_byte(m.hash, mark_at(&m, i));
    }
    m.hash &= ~ETC_NAME_MARK;
    return m;
}

/* Measures a text; is fastest for short ASCII texts, which are the most frequent. */
static measured_text measure(const char *text) {
    const uint8_t *at = (const uint8_t *)text;
    uint32_t hash = FIRST_HASH;
    for (; *at - 1u < 0x7f; at++)
        hash = hash_byte(hash, *at);
    size_t size = (size_t)(at - (const uint8_t *)text);
    if (*at || size > MOST_TEXT)
        return measure_any(text);
    uint32_t length = (uint32_t)size;
    return (measured_text){(const uint8_t *)text, length, length, hash & ~ETC_NAME_MARK, 0, false};
}

bool etc__is_text(const char *text, uint32_t length, uint32_t *hash) {
    measured_text m = measure(text);
    *hash = m.hash;
    return m.length == length && !m.is_repaired && !is_cut(&m);
}

static void copy_repaired(char *out, const measured_text *m) {
    memcpy(out, m->text, m->kept);
    for (uint32_t at = 0; m->is_repaired && at < m->kept;) {
        uint32_t size = character_size(m->text + at);
        if (size == 0)
            out[at] = '?';
        at += size ? size : 1;
    }
    for (uint32_t at = m->kept; at < m->length; at++)
        out[at] = (char)mark_at(m, at - m->kept);
    out[m->length] = '\0';
}

ETC_APART bool equals_repaired(const char *kept, const measured_text *m) {
    for (uint32_t at = m->kept; at < m->length; at++) {
        if (kept[at] != (char)mark_at(m, at - m->kept))
            return false;
    }
    if (!m->is_repaired)
        return memcmp(kept, m->text, m->kept) == 0;
    for (uint32_t at = 0; at < m->kept;) {
        uint32_t size = character_size(m->text + at);
        if (size == 0 ? kept[at] != '?' : memcmp(kept + at, m->text + at, size) != 0)
            return false;
        at += size ? size : 1;
    }
    return true;
}

static inline bool equals(const char *kept, const measured_text *m) {
    if (m->is_repaired || is_cut(m))
        return equals_repaired(kept, m);
    return memcmp(kept, m->text, m->kept) == 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

static etc_name find(const etc_capture *c, const measured_text *m) {
    etc_name name = c->buckets[m->hash & c->bucket_mask];
    while (name) {
        const etc_name_entry *entry = etc__entry_at(c, name);
        if (entry->hash == m->hash && etc__entry_length(entry) == m->length &&
            equals(etc__entry_text(entry), m))
            break;
        name = entry->next;
    }
    return name;
}

etc_name etc__find_name(const etc_capture *c, const char *text) {
    measured_text m = measure(text);
    return find(c, &m);
}

/* Names of a ring take memory of records that no record has reached yet, up to LEAST_NAMES in all: their share of a small ring
 * would hold only a few names. */
enum { LEAST_NAMES = 2048 };

static void take_from_records(etc_capture *c, uint32_t size) {
    uint32_t more = etc__round_up(size, ETC_RECORD_UNIT);
    bool has_wrapped = c->used && c->head <= c->tail;
    if (has_wrapped || (c->kept_bits & ETC_FIXED_NAMES) || c->names_most + more > LEAST_NAMES ||
        c->limit - c->head <= more || c->limit - c->base < ETC_LEAST_RECORDS + more)
        return;
    c->limit -= more;
    c->names_most += more;
}

/* Returns whether names have room for an entry. */
static bool has_room(etc_capture *c, uint32_t size) {
    if (c->when_full != ETC_RING)
        return size <= c->limit - c->head;
    if (size > c->names_most - c->names_used)
        take_from_records(c, size);
    return size <= c->names_most - c->names_used;
}

ETC_APART etc_name add(etc_capture *c, const measured_text *m) {
    uint32_t size = etc__entry_size(m->length);
    if (!has_room(c, size)) {
        if (c->n_names_lost < UINT32_MAX)
            etc__store(&c->n_names_lost, c->n_names_lost + 1); /* lanes read it */
        return 0;
    }
    etc_name name = (c->names_used + size) / 4;
    etc_name_entry *entry = etc__entry_at(c, name);
    etc_name *bucket = &c->buckets[m->hash & c->bucket_mask];
    c->file_names += etc__string_size(m->length);
    memset((uint8_t *)entry + size - 4, 0, 4); /* zeros after the text */
    *entry = (etc_name_entry){ETC_NAME_MARK | m->length, *bucket, m->hash, c->file_names};
    copy_repaired((char *)(entry + 1), m);
    etc__order_stores();
    etc__store(&c->names_used, c->names_used + size);
    if (c->when_full != ETC_RING)
        c->limit -= size;
    *bucket = name;
    return name;
}

etc_name etc__intern(etc_capture *c, const char *text) {
    if (!text)
        return 0;
    measured_text m = measure(text);
    etc_name name = find(c, &m);
    if (!name) {
        name = add(c, &m);
        if (name && (m.is_repaired || is_cut(&m)))
            etc__count(&c->n_names_repaired);
    }
    return name && c->lane ? name | ETC_LANE_NAME : name;
}

etc_name etc_intern(etc_capture *c, const char *text) {
    return c ? etc__intern(c, text) : 0;
}
