#include "model/metadata.h"

#include "base/python.h"
#include "read/read.h"

static const char digits[] = "0123456789abcdef";

static void add_utf8(eti_buffer *out, eti_text entry) {
    eti__python_add_str(out, entry);
}

static void add_hex(eti_buffer *out, eti_text entry) {
    eti__buffer_add_char(out, '\'');
    for (size_t i = 0; i < entry.size; i++) {
        unsigned char byte = (unsigned char)entry.data[i];
        eti__buffer_add(out, (char[]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
    eti__buffer_add_char(out, '\'');
}

/* Appends a list of bytes; a missing entry is an empty str. */
static void add_bytes(eti_buffer *out, eti_text entry) {
    if (entry.size == 0)
        eti__buffer_add_string(out, "''");
    else
        eti__python_add_bytes(out, entry);
}

static bool is_json(eti_text text) {
    eti_json json;
    eti__json_open_text(&json, text);
    json.refuses_nan = true;
    json.is_silent = true;
    eti__json_skip(&json);
    return eti__json_close(&json, NULL) == ETI_OK;
}

static void add_json_string(eti_buffer *out, eti_text text) {
    eti__buffer_add_char(out, '"');
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        if (character == '"' || character == '\\')
            eti__buffer_add(out, (char[]){'\\', (char)character}, 2);
        else if (character == 0xfffd)
            eti__buffer_add(out, "\\ufffd", 6);
        else if (character < 0x20)
            eti__buffer_add(
                out, (char[]){'\\', 'u', '0', '0', digits[character >> 4], digits[character & 15]},
                6);
        else
            eti__buffer_add(out, text.data + at, length);
        at += length;
    }
    eti__buffer_add_char(out, '"');
}

/* Appends JSON without its line breaks, which can only be white space there. */
static void add_on_one_line(eti_buffer *out, eti_text json) {
    for (size_t i = 0; i < json.size; i++) {
        bool is_break = json.data[i] == '\n' || json.data[i] == '\r';
        eti__buffer_add(out, is_break ? " " : json.data + i, 1);
    }
}

/* Appends JSON; other text becomes a JSON string. */
static void add_json(eti_buffer *out, eti_text entry) {
    if (entry.size == 0)
        eti__buffer_add_string(out, "null");
    else if (is_json(entry))
        add_on_one_line(out, entry);
    else
        add_json_string(out, entry);
}

void eti__metadata_add(eti_buffer *out, eti_text entry, eti_metadata_form form) {
    static void (*const add[])(eti_buffer * out, eti_text entry) = {
        [ETI_METADATA_BYTES] = add_bytes,
        [ETI_METADATA_UTF8] = add_utf8,
        [ETI_METADATA_HEX] = add_hex,
        [ETI_METADATA_JSON] = add_json,
    };
    add[form](out, entry);
}
