/*
 * json_writer.h - JSON text.
 */
#ifndef ETI_BASE_JSON_WRITER_H
#define ETI_BASE_JSON_WRITER_H

#include "base/text.h"
#include "etinspect.h"

/* Brackets that may be open at a time; one level of the writer is outside of them all. */
#define ETI_MOST_JSON_BRACKETS 31

typedef enum eti_json_style {
    ETI_JSON_SPACED,  /* ", " and ": " */
    ETI_JSON_COMPACT, /* "," and ":" */
} eti_json_style;

typedef struct eti_json_writer {
    eti_buffer *out;
    /* A bit for each level, that of the innermost level first. */
    uint32_t has_values; /* whether a value or a member came before */
    uint32_t is_array;
    uint32_t is_compact;
    uint8_t n_open;    /* number of open brackets */
    bool is_after_key; /* the next value belongs to the key before it */
    bool begins_line;  /* the next value, member or closing bracket does */
    uint8_t n_blanks;  /* at the beginning of that line */
} eti_json_writer;

/* Returns a writer that appends to `out`, which must outlive it. */
static inline eti_json_writer eti__json_writer(eti_buffer *out, eti_json_style style) {
    return (eti_json_writer){.out = out, .is_compact = style == ETI_JSON_COMPACT};
}

/* Opens an object or an array, of the style of the level around it. */
void eti__json_open_object(eti_json_writer *json);
void eti__json_open_array(eti_json_writer *json);
/* Opens a compact array, such as a long column of numbers in a spaced document. */
void eti__json_open_compact_array(eti_json_writer *json);
/* Closes the innermost object or array. */
void eti__json_close_level(eti_json_writer *json);

/* Makes the next value or member, or the next closing bracket, begin a line, after `n_blanks` blanks. */
void eti__json_add_line(eti_json_writer *json, unsigned n_blanks);

/* Adds the key of the value that is added next. */
void eti__json_add_key_text(eti_json_writer *json, eti_text key);
static inline void eti__json_add_key(eti_json_writer *json, const char *key) {
    eti__json_add_key_text(json, eti__text_of(key));
}

/* Add a value. An absent text is null. Doubles have enough digits to be read back exactly; those that are not finite are "NaN",
 * "Infinity" and "-Infinity", because null means that there is no value. */
void eti__json_add_text(eti_json_writer *json, eti_text text);
void eti__json_add_u64(eti_json_writer *json, uint64_t value);
void eti__json_add_i64(eti_json_writer *json, int64_t value);
void eti__json_add_double(eti_json_writer *json, double value);
void eti__json_add_bool(eti_json_writer *json, bool value);
void eti__json_add_null(eti_json_writer *json);

/* Adds text that is JSON already: a value, or several values or members with the commas between them. An empty text adds
 * nothing. */
void eti__json_add_raw(eti_json_writer *json, eti_text text);
/* Adds what precedes a value, which the caller then appends to the buffer. */
void eti__json_begin_value(eti_json_writer *json);

/* Add a member: a key and its value. */
static inline void eti__json_add_member(eti_json_writer *json, const char *key, eti_text value) {
    eti__json_add_key(json, key);
    eti__json_add_text(json, value);
}
static inline void eti__json_add_u64_member(eti_json_writer *json, const char *key,
                                            uint64_t value) {
    eti__json_add_key(json, key);
    eti__json_add_u64(json, value);
}

/* Append a string or a number to a text, and nothing around it, as the functions above do; bytes that are not UTF-8 become
 * U+FFFD. */
void eti__json_add_string(eti_buffer *out, eti_text text);
void eti__json_add_number(eti_buffer *out, double value);

#endif
