/*
 * flatc_json.h - compares the JSON that flatc makes of a FlatBuffer with the values that this library reads from it, table
 * by table along a schema. It parses only the JSON that flatc writes.
 */
#ifndef ETI_TESTS_FLATC_JSON_H
#define ETI_TESTS_FLATC_JSON_H

#include "support.h"

#include "base/text.h"
#include "flatbuf/flatbuf.h"

typedef struct comparison {
    const char *at; /* place in the JSON */
    const eti_flatbuf *buffer;
    size_t n_values; /* values compared until now */
} comparison;

static inline bool is_number_character(char c) {
    return c && strchr("+-.0123456789eE", c);
}

static inline void skip_space(comparison *c) {
    c->at += strspn(c->at, " \n\r\t");
}

static inline bool take(comparison *c, char wanted) {
    skip_space(c);
    if (*c->at != wanted)
        return false;
    c->at++;
    return true;
}

static inline void expect(comparison *c, char wanted) {
    if (!take(c, wanted))
        fail_msg("expected '%c' at: %.60s", wanted, c->at);
}

static inline void add_utf8(eti_buffer *out, unsigned code) {
    if (code < 0x80) {
        eti__buffer_add_char(out, (char)code);
    } else if (code < 0x800) {
        eti__buffer_add_char(out, (char)(0xc0 | code >> 6));
        eti__buffer_add_char(out, (char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        eti__buffer_add_char(out, (char)(0xe0 | code >> 12));
        eti__buffer_add_char(out, (char)(0x80 | (code >> 6 & 63)));
        eti__buffer_add_char(out, (char)(0x80 | (code & 63)));
    } else {
        eti__buffer_add_char(out, (char)(0xf0 | code >> 18));
        eti__buffer_add_char(out, (char)(0x80 | (code >> 12 & 63)));
        eti__buffer_add_char(out, (char)(0x80 | (code >> 6 & 63)));
        eti__buffer_add_char(out, (char)(0x80 | (code & 63)));
    }
}

static inline unsigned take_hex4(comparison *c) {
    unsigned code = 0;
    assert_int_equal(sscanf(c->at, "%4x", &code), 1);
    c->at += 4;
    return code;
}

/* Reads the characters after a backslash. */
static inline void take_escape(comparison *c, eti_buffer *out) {
    static const char letters[] = "nrtbf\"\\/", characters[] = "\n\r\t\b\f\"\\/";
    const char *letter = strchr(letters, *c->at);
    if (*c->at != 'u') {
        assert_non_null(letter);
        eti__buffer_add_char(out, characters[letter - letters]);
        c->at++;
        return;
    }
    c->at++;
    unsigned code = take_hex4(c);
    if (code >= 0xd800 && code < 0xdc00) {
        assert_memory_equal(c->at, "\\u", 2);
        c->at += 2;
        code = 0x10000 + ((code - 0xd800) << 10) + (take_hex4(c) - 0xdc00);
    }
    add_utf8(out, code);
}

static inline void take_string(comparison *c, eti_buffer *out) {
    out->size = 0;
    expect(c, '"');
    while (*c->at != '"') {
        assert_true(*c->at);
        if (*c->at == '\\') {
            c->at++;
            take_escape(c, out);
        } else {
            eti__buffer_add_char(out, *c->at++);
        }
    }
    c->at++;
}

/* Reads a word or number up to its end. */
static inline void take_token(comparison *c, char token[64]) {
    skip_space(c);
    size_t n = 0;
    while (n < 63 && (is_number_character(*c->at) || (*c->at >= 'a' && *c->at <= 'z')))
        token[n++] = *c->at++;
    token[n] = '\0';
    assert_true(n > 0);
}

static inline void expect_token(comparison *c, const char *expected) {
    char token[64];
    take_token(c, token);
    if (strcmp(token, expected) != 0)
        fail_msg("flatc says %s, we %s, before: %.60s", token, expected, c->at);
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* Formats as flatc does: fixed notation, 6 or 12 decimals, trailing zeros dropped. */
static inline void expect_double(comparison *c, double value, int decimals) {
    char text[400];
    int n = snprintf(text, sizeof text, "%.*f", decimals, value);
    while (n > 2 && text[n - 1] == '0' && text[n - 2] != '.')
        text[--n] = '\0';
    char token[64];
    take_token(c, token);
    assert_string_equal(token, text);
}

static inline void expect_i64(comparison *c, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    expect_token(c, text);
}

static inline void expect_u64(comparison *c, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    expect_token(c, text);
}

/* Reads the number of an enumeration, which flatc writes as a name if it has one. */
static inline void expect_enum(comparison *c, const char *field, int8_t value) {
    static const char *const value_types[] = {"Null",   "Int",    "Bool",       "Float",
                                              "Double", "Tensor", "TensorList", "String"};
    static const char *const scalar_types[] = {"BYTE",  "CHAR",   "SHORT", "INT", "LONG", "HALF",
                                               "FLOAT", "DOUBLE", NULL,    NULL,  NULL,   "BOOL"};
    bool is_value = strcmp(field, "val") == 0;
    const char *const *names = is_value ? value_types : scalar_types;
    int n = is_value ? (int)COUNT_OF(value_types) : (int)COUNT_OF(scalar_types);
    skip_space(c);
    if (*c->at != '"') {
        expect_i64(c, value);
        return;
    }
    eti_buffer name = {0};
    take_string(c, &name);
    assert_true(value >= 0 && value < n && names[value]);
    assert_text(eti__buffer_text(&name), names[value]);
    eti__buffer_free(&name);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static inline void compare_table(comparison *c, const eti_table_schema *schema, eti_position table);

static inline void compare_text(comparison *c, eti_text text) {
    eti_buffer string = {0};
    take_string(c, &string);
    assert_true(eti__text_equal(eti__buffer_text(&string), text));
    eti__buffer_free(&string);
}

static inline void compare_bytes(comparison *c, eti_text bytes) {
    expect(c, '[');
    for (size_t i = 0; i < bytes.size; i++) {
        expect_u64(c, (uint8_t)bytes.data[i]);
        if (i + 1 < bytes.size)
            expect(c, ',');
    }
    expect(c, ']');
}

static inline void compare_vector(comparison *c, const eti_field *field, eti_vector vector) {
    expect(c, '[');
    for (uint32_t i = 0; i < vector.count; i++) {
        if (field->kind == ETI_FIELD_I64S)
            expect_i64(c, eti__flatbuf_vector_i64(c->buffer, vector, i));
        else
            compare_table(c, field->of.table, eti__flatbuf_vector_table(c->buffer, vector, i));
        if (i + 1 < vector.count)
            expect(c, ',');
    }
    expect(c, ']');
}

static inline void compare_bool(comparison *c, const eti_field *field, uint8_t value) {
    if (strcmp(field->name, "bool_val") == 0)
        expect_token(c, value ? "true" : "false");
    else
        expect_u64(c, value);
}

static inline void compare_field(comparison *c, const eti_field *field, eti_position table,
                                 unsigned id) {
    const eti_flatbuf *buffer = c->buffer;
    c->n_values++;
    switch (field->kind) {
    case ETI_FIELD_I8:
        expect_enum(c, field->name, eti__flatbuf_i8(buffer, table, id, 0));
        break;
    case ETI_FIELD_U8:
        compare_bool(c, field, eti__flatbuf_u8(buffer, table, id, 0));
        break;
    case ETI_FIELD_I32:
        expect_i64(c, eti__flatbuf_i32(buffer, table, id, 0));
        break;
    case ETI_FIELD_U32:
        expect_u64(c, eti__flatbuf_u32(buffer, table, id, 0));
        break;
    case ETI_FIELD_I64:
        expect_i64(c, eti__flatbuf_i64(buffer, table, id, 0));
        break;
    case ETI_FIELD_U64:
        expect_u64(c, eti__flatbuf_u64(buffer, table, id, 0));
        break;
    case ETI_FIELD_F32:
        expect_double(c, (double)eti__flatbuf_f32(buffer, table, id, 0), 6);
        break;
    case ETI_FIELD_F64:
        expect_double(c, eti__flatbuf_f64(buffer, table, id, 0), 12);
        break;
    case ETI_FIELD_STRING:
        compare_text(c, eti__flatbuf_text(buffer, table, id));
        break;
    case ETI_FIELD_BYTES:
        compare_bytes(c, eti__flatbuf_text(buffer, table, id));
        break;
    case ETI_FIELD_TABLE:
        compare_table(c, field->of.table, eti__flatbuf_table(buffer, table, id));
        break;
    default:
        compare_vector(c, field, eti__flatbuf_vector(buffer, table, id));
    }
}

/* flatc writes the present fields, in the order of their ids. */
static inline void compare_table(comparison *c, const eti_table_schema *schema,
                                 eti_position table) {
    eti_buffer key = {0};
    bool first = true;
    expect(c, '{');
    for (unsigned id = 0; id < schema->n_fields; id++) {
        if (!eti__flatbuf_has(c->buffer, table, id))
            continue;
        if (!first)
            expect(c, ',');
        first = false;
        take_string(c, &key);
        assert_text(eti__buffer_text(&key), schema->fields[id].name);
        expect(c, ':');
        compare_field(c, &schema->fields[id], table, id);
    }
    expect(c, '}');
    eti__buffer_free(&key);
}

#endif
