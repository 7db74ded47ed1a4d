/*
 * names.c - interns texts: equal texts get the same name.
 */
#include "capture/capture.h"

/* Longest text in bytes. Readers reject files in which many events share long names, see STRING_BYTES_PER_BYTE of
 * flatbuf/flatbuf.c. */
enum { MOST_TEXT = 511 };

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
    uint32_t length; /* bytes, the same before and after the repair */
    uint32_t hash;
    bool is_repaired; /* some bytes become '?' */
    bool is_cut;
} measured_text;

/* FNV-1a */
#define FIRST_HASH 2166136261u

static uint32_t hash_byte(uint32_t hash, uint8_t byte) {
    return (hash ^ byte) * 16777619u;
}

static measured_text measure_any(const char *text) {
    measured_text m = {(const uint8_t *)text, 0, FIRST_HASH, false, false};
    const uint8_t *at = m.text;
    while (*at) {
        uint32_t size = character_size(at);
        if (m.length + (size ? size : 1) > MOST_TEXT) {
            m.is_cut = true;
            break;
        }
        if (size == 0) {
            m.is_repaired = true;
            m.hash = hash_byte(m.hash, '?');
            size = 1;
        } else {
            for (uint32_t i = 0; i < size; i++)
                m.hash = hash_byte(m.hash, at[i]);
        }
        at += size;
        m.length += size;
    }
    m.hash &= ~ETC_NAME_MARK;
    return m;
}

/* Measures a text; is fastest for short ASCII texts, which are the most frequent. */
static measured_text measure(const char *text) {
    const uint8_t *at = (const uint8_t *)text, *limit = at + MOST_TEXT;
    uint32_t hash = FIRST_HASH;
    while (*at - 1u < 0x7f && at < limit)
        hash = hash_byte(hash, *at++);
    if (*at)
        return measure_any(text);
    uint32_t length = (uint32_t)(at - (const uint8_t *)text);
    return (measured_text){(const uint8_t *)text, length, hash & ~ETC_NAME_MARK, false, false};
}

bool etc__is_text(const char *text, uint32_t length, uint32_t *hash) {
    measured_text m = measure(text);
    *hash = m.hash;
    return m.length == length && !m.is_repaired && !m.is_cut;
}

static void copy_repaired(char *out, const measured_text *m) {
    memcpy(out, m->text, m->length);
    for (uint32_t at = 0; m->is_repaired && at < m->length;) {
        uint32_t size = character_size(m->text + at);
        if (size == 0)
            out[at] = '?';
        at += size ? size : 1;
    }
    out[m->length] = '\0';
}

static bool equals_repaired(const char *kept, const measured_text *m) {
    if (!m->is_repaired)
        return memcmp(kept, m->text, m->length) == 0;
    for (uint32_t at = 0; at < m->length;) {
        uint32_t size = character_size(m->text + at);
        if (size == 0 ? kept[at] != '?' : memcmp(kept + at, m->text + at, size) != 0)
            return false;
        at += size ? size : 1;
    }
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

static etc_name find(const etc_capture *c, const measured_text *m) {
    etc_name name = c->buckets[m->hash & c->bucket_mask];
    while (name) {
        const etc_name_entry *entry = etc__entry_at(c, name);
        if (entry->hash == m->hash && etc__entry_length(entry) == m->length &&
            equals_repaired(etc__entry_text(entry), m))
            break;
        name = entry->next;
    }
    return name;
}

etc_name etc__find_name(const etc_capture *c, const char *text) {
    measured_text m = measure(text);
    return find(c, &m);
}

/* Returns the number of bytes that names may still take. */
static uint32_t names_room(const etc_capture *c) {
    if (c->when_full == ETC_RING)
        return c->names_most - c->names_used;
    return c->limit - c->head;
}

static etc_name add(etc_capture *c, const measured_text *m) {
    uint32_t size = etc__entry_size(m->length);
    if (size > names_room(c)) {
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
        if (name && (m.is_repaired || m.is_cut))
            etc__count(&c->n_names_repaired);
    }
    return name && c->lane ? name | ETC_LANE_NAME : name;
}

etc_name etc_intern(etc_capture *c, const char *text) {
    return c ? etc__intern(c, text) : 0;
}
