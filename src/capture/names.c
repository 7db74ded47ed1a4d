/*
 * names.c - interns texts: equal texts get the same name.
 */
#include "capture/capture.h"

/* Longest text in bytes. Readers reject files in which many events share long names, see STRING_BYTES_PER_BYTE of
 * flatbuf/flatbuf.c. The end of a text that was longer is a # and the hash of the whole text. */
enum { MOST_TEXT = 511, MARK_SIZE = 9, MOST_CUT = MOST_TEXT - MARK_SIZE };

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* Returns the number of bytes of the character at `at`; 0: the bytes are not a character. A NUL is
 * not a continuation byte, so no byte after it is read. */
static uint32_t character_size(const uint8_t *at) {
    if (at[0] < 0x80)
        return 1;
    if (at[0] < 0xc2 || at[0] > 0xf4)
        return 0;
    uint32_t n = at[0] < 0xe0 ? 1 : at[0] < 0xf0 ? 2 : 3, code = at[0] & (0x3f >> n);
    for (uint32_t i = 1; i <= n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    bool is_overlong = code >> (5 * n + 1) == 0, is_surrogate = code >> 11 == 0xd800 >> 11;
    return is_overlong || is_surrogate || code > 0x10ffff ? 0 : n + 1;
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
    measured_text m = {.text = (const uint8_t *)text};
    uint32_t hash = FIRST_HASH, cut_hash = hash;
    bool is_cut_repaired = false;
    for (const uint8_t *at = m.text; *at;) {
        uint32_t size = character_size(at);
        bool is_bad = size == 0;
        size += is_bad;
        if (m.length <= MOST_TEXT) { /* a longer text is only hashed */
            m.length += size;
            m.is_repaired |= is_bad;
        }
        for (; size; size--, at++)
            hash = hash_byte(hash, is_bad ? '?' : *at);
        if (m.length <= MOST_CUT) {
            m.kept = m.length;
            cut_hash = hash;
            is_cut_repaired = m.is_repaired;
        }
    }
    m.whole_hash = hash;
    if (m.length > MOST_TEXT) {
        m.length = m.kept + MARK_SIZE;
        m.is_repaired = is_cut_repaired;
        hash = cut_hash;
        for (uint32_t i = 0; i < MARK_SIZE; i++)
            hash = hash_byte(hash, mark_at(&m, i));
    } else {
        m.kept = m.length;
    }
    m.hash = hash & ~ETC_NAME_MARK;
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

/* Writes the repaired text, or only compares it with a text of the same length. Returns whether both are equal then. */
static bool repair(char *text, const measured_text *m, bool writes) {
    uint32_t next = 0; /* where the next character begins */
    for (uint32_t at = 0; at < m->length; at++) {
        char byte = (char)m->text[at < m->kept ? at : 0];
        if (at >= m->kept) {
            byte = (char)mark_at(m, at - m->kept);
        } else if (at == next) {
            uint32_t size = character_size(m->text + at);
            if (size == 0)
                byte = '?';
            next += size ? size : 1;
        }
        if (writes)
            text[at] = byte;
        else if (text[at] != byte)
            return false;
    }
    return true;
}

static void copy_repaired(char *out, const measured_text *m) {
    if (m->is_repaired || is_cut(m))
        repair(out, m, true);
    else
        memcpy(out, m->text, m->length);
}

/* Returns whether bytes are equal. memcmp() of small C libraries is larger, and not faster for names. */
static inline bool are_equal(const char *bytes, const uint8_t *others, uint32_t n) {
    if (ETC_IS_FAST)
        return memcmp(bytes, others, n) == 0;
    for (uint32_t i = 0; i < n; i++) {
        if ((uint8_t)bytes[i] != others[i])
            return false;
    }
    return true;
}

static inline bool equals(char *kept, const measured_text *m) {
    if (m->is_repaired || is_cut(m))
        return repair(kept, m, false);
    return are_equal(kept, m->text, m->length);
}

/* ---- entries --------------------------------------------------------------------------------- */

static etc_name find(const etc_capture *c, const measured_text *m) {
    etc_name name = c->buckets[m->hash & c->bucket_mask];
    while (name) {
        etc_name_entry *entry = etc__entry_at(c, name);
        if (entry->hash == m->hash && etc__entry_length(entry) == m->length &&
            equals((char *)(entry + 1), m))
            break;
        name = entry->next;
    }
    return name;
}

etc_name etc__find_name(const etc_capture *c, const char *text) {
    measured_text m = measure(text);
    return find(c, &m);
}

/* Returns whether names have room for an entry. */
static bool has_room(etc_capture *c, uint32_t size) {
    const etc_ring_calls *ring = etc__ring(c);
    return ring ? ring->has_room_for_name(c, size) : size <= c->limit - c->head;
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
