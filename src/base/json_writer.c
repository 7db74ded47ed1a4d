#include "base/json_writer.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- strings and numbers --------------------------------------------------------------------- */

static bool is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Returns where the plain characters from `at` on end. A "#" with which a command of a CI runner begins is not plain: JSON
 * spells it so that its value stays. */
static size_t plain_end(eti_text text, size_t at) {
    while (at < text.size && is_plain((unsigned char)text.data[at]) &&
           !(text.data[at] == '#' && eti__begins_command(text, at, false)))
        at++;
    return at;
}

/* Adds a character of a string that is not plain. Also escapes characters that JSON allows but that end a line in
 * JavaScript, act on a terminal or begin a command of a CI runner. */
static void add_character(eti_buffer *out, uint32_t character, const char *bytes, size_t size) {
    static const char named[] = "\"\\\b\f\n\r\t";
    static const char names[] = "\"\\bfnrt";
    const char *found = character && character < 0x80 ? strchr(named, (int)character) : NULL;
    if (found) {
        eti__buffer_add_char(out, '\\');
        eti__buffer_add_char(out, names[found - named]);
    } else if (eti__is_control(character) || character == '#' || character == 0x2028 ||
               character == 0x2029) {
        eti__buffer_printf(out, "\\u%04x", (unsigned)character);
    } else if (character == 0xfffd) {
        eti__buffer_add(out, "\xef\xbf\xbd", 3);
    } else {
        eti__buffer_add(out, bytes, size);
    }
}

/* Appends the characters of a text from `at` on. */
static void add_characters(eti_buffer *out, eti_text text, size_t at) {
    while (at < text.size) {
        size_t end = plain_end(text, at);
        eti__buffer_add(out, text.data + at, end - at);
        at = end;
        if (at < text.size) {
            uint32_t character;
            size_t size = eti__text_decode(text, at, &character);
            add_character(out, character, text.data + at, size);
            at += size;
        }
    }
}

/* Appends a string and `n` bytes behind it. Most texts are plain: they are copied at once. */
static inline void add_string(eti_buffer *out, eti_text text, const char *behind, size_t n) {
    size_t at = plain_end(text, 0);
    if (!eti__buffer_reserve(out, at + 2 + n) || !out->data)
        return;
    char *to = out->data + out->size;
    *to++ = '"';
    if (at > 0)
        memcpy(to, text.data, at);
    if (at < text.size) {
        out->size += at + 1;
        add_characters(out, text, at);
        eti__buffer_add_char(out, '"');
        eti__buffer_add(out, behind, n);
        return;
    }
    to[at] = '"';
    for (size_t i = 0; i < n; i++)
        to[at + 1 + i] = behind[i];
    out->size += at + 2 + n;
}

void eti__json_add_string(eti_buffer *out, eti_text text) {
    if (text.data)
        add_string(out, text, NULL, 0);
    else
        eti__buffer_add(out, "null", 4);
}

void eti__json_add_number(eti_buffer *out, double value) {
    char number[ETI_DOUBLE_TEXT_MAX];
    if (isfinite(value)) {
        size_t size = eti__double_repr(number, value);
        eti__buffer_add(out, number, size);
    } else {
        eti__buffer_add_string(out, isnan(value) ? "\"NaN\""
                                    : value > 0  ? "\"Infinity\""
                                                 : "\"-Infinity\"");
    }
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void begin_line(eti_json_writer *json) {
    json->begins_line = false;
    eti__buffer_add_char(json->out, '\n');
    for (unsigned i = 0; i < json->n_blanks; i++)
        eti__buffer_add_char(json->out, ' ');
}

/* Adds what separates a value or a member from the one before. */
static void begin_item(eti_json_writer *json) {
    bool has_values = json->has_values & 1;
    json->has_values |= 1;
    if (has_values)
        eti__buffer_add_char(json->out, ',');
    if (json->begins_line)
        begin_line(json);
    else if (has_values && !(json->is_compact & 1))
        eti__buffer_add_char(json->out, ' ');
}

void eti__json_begin_value(eti_json_writer *json) {
    if (json->is_after_key)
        json->is_after_key = false;
    else
        begin_item(json);
}

static void open_level(eti_json_writer *json, bool is_array, bool is_compact) {
    if (json->n_open >= ETI_MOST_JSON_BRACKETS) {
        json->out->failed = true;
        return;
    }
    eti__json_begin_value(json);
    eti__buffer_add_char(json->out, is_array ? '[' : '{');
    json->n_open++;
    json->has_values <<= 1;
    json->is_array = json->is_array << 1 | is_array;
    json->is_compact = json->is_compact << 1 | is_compact;
}

void eti__json_open_object(eti_json_writer *json) {
    open_level(json, false, json->is_compact & 1);
}

void eti__json_open_array(eti_json_writer *json) {
    open_level(json, true, json->is_compact & 1);
}

void eti__json_open_compact_array(eti_json_writer *json) {
    open_level(json, true, true);
}

void eti__json_close_level(eti_json_writer *json) {
    if (json->n_open == 0) {
        json->out->failed = true;
        return;
    }
    if (json->begins_line)
        begin_line(json);
    eti__buffer_add_char(json->out, json->is_array & 1 ? ']' : '}');
    json->n_open--;
    json->has_values >>= 1;
    json->is_array >>= 1;
    json->is_compact >>= 1;
}

void eti__json_add_line(eti_json_writer *json, unsigned n_blanks) {
    json->begins_line = true;
    json->n_blanks = (uint8_t)n_blanks;
}

/* ---- keys and values ------------------------------------------------------------------------- */

void eti__json_add_key_text(eti_json_writer *json, eti_text key) {
    begin_item(json);
    add_string(json->out, key, ": ", json->is_compact & 1 ? 1 : 2);
    json->is_after_key = true;
}

void eti__json_add_text(eti_json_writer *json, eti_text text) {
    eti__json_begin_value(json);
    eti__json_add_string(json->out, text);
}

void eti__json_add_u64(eti_json_writer *json, uint64_t value) {
    eti__json_begin_value(json);
    eti__buffer_add_u64(json->out, value);
}

void eti__json_add_i64(eti_json_writer *json, int64_t value) {
    eti__json_begin_value(json);
    eti__buffer_add_i64(json->out, value);
}

void eti__json_add_double(eti_json_writer *json, double value) {
    eti__json_begin_value(json);
    eti__json_add_number(json->out, value);
}

void eti__json_add_bool(eti_json_writer *json, bool value) {
    eti__json_begin_value(json);
    eti__buffer_add_string(json->out, value ? "true" : "false");
}

void eti__json_add_null(eti_json_writer *json) {
    eti__json_begin_value(json);
    eti__buffer_add(json->out, "null", 4);
}

void eti__json_add_raw(eti_json_writer *json, eti_text text) {
    if (text.size == 0)
        return;
    eti__json_begin_value(json);
    eti__buffer_add_text(json->out, text);
}
