/*
 * note.c - reads the note that `etinspect record` writes behind an ETDump, because the ETDump has no field for it:
 *
 *   | FlatBuffer | {"version":1,"clock":"cpu",...} | length of the JSON, u32 | "etinote1" |
 *
 * Readers of FlatBuffers ignore it.
 */
#include "base/bytes.h"
#include "base/status.h"
#include "read/read.h"

#include <stdio.h>
#include <string.h>

static const char magic[8] = {'e', 't', 'i', 'n', 'o', 't', 'e', '1'};

#define MOST_BYTES ((uint64_t)64 << 10)

/* Copies a text of printable ASCII that fits; otherwise reports an error of the reader. */
static void read_name(eti_json *json, char *out, size_t size) {
    eti_text text;
    if (!eti__json_read_string(json, &text))
        return;
    bool is_name = text.size < size;
    for (size_t i = 0; i < text.size && is_name; i++)
        is_name = text.data[i] > ' ' && text.data[i] < 0x7f;
    if (!is_name) {
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected a name of at most %zu letters",
                       size - 1);
        return;
    }
    if (text.size > 0)
        memcpy(out, text.data, text.size);
    out[text.size] = '\0';
}

/* Copies the beginning of a text on one line; null is unknown. */
static void read_line(eti_json *json, char *out, size_t size) {
    eti_text text;
    if (eti__json_take_null(json) || !eti__json_read_string(json, &text))
        return;
    size_t n = eti__text_cut_size(text, size - 1);
    if (n > 0)
        memcpy(out, text.data, n);
    out[n] = '\0';
    eti_make_one_line(out);
}

/* Reads the members that are needed, and checks the others. */
static eti_status read_members(eti_dump_note *note, eti_text text, eti_error *err) {
    eti_json json;
    eti_text key;
    eti__json_open_text(&json, text);
    eti__json_enter_object(&json);
    while (eti__json_next_key(&json, &key)) {
        if (eti__text_is(key, "clock"))
            read_name(&json, note->clock, sizeof note->clock);
        else if (eti__text_is(key, "program_sha256"))
            read_name(&json, note->program_sha256, sizeof note->program_sha256);
        else if (eti__text_is(key, "method"))
            read_line(&json, note->method, sizeof note->method);
        else if (eti__text_is(key, "inputs"))
            read_line(&json, note->inputs, sizeof note->inputs);
        else if (eti__text_is(key, "input_types"))
            read_line(&json, note->input_types, sizeof note->input_types);
        else if (eti__text_is(key, "input_seed"))
            note->has_seed = eti__json_read_uint64(&json, &note->input_seed);
        else
            eti__json_skip(&json);
    }
    return eti__json_close(&json, err);
}

void eti__dump_note_read(eti_dump_note *note, const void *data, size_t size) {
    const size_t tail = sizeof magic + sizeof(uint32_t);
    const uint8_t *bytes = data;
    eti_error err = ETI_ERROR_INIT;
    *note = (eti_dump_note){.is_present = false};
    if (size < tail || memcmp(bytes + size - sizeof magic, magic, sizeof magic) != 0)
        return;
    uint32_t length = eti__load_u32(bytes + size - tail);
    if (length > MOST_BYTES || length > size - tail) {
        snprintf(note->fault, sizeof note->fault, "its length is %lu bytes, more than %s",
                 (unsigned long)length,
                 length > MOST_BYTES ? "the limit of 64 KiB" : "the file has");
        return;
    }
    eti_text text = {(const char *)bytes + size - tail - length, length};
    eti_dump_note found = {.is_present = true, .json = text, .clock = ETI_CLOCK_WALL};
    if (read_members(&found, text, &err) == ETI_OK)
        *note = found;
    else
        snprintf(note->fault, sizeof note->fault, "%.*s", (int)sizeof note->fault - 1, err.message);
}

/* Takes the next value; the text is valid until the next call. */
static eti_text take_value(eti_json *json) {
    eti_text value = {NULL, 0};
    eti_json_kind kind = eti__json_peek(json);
    size_t at = json->at; /* the window is the whole text */
    if (kind == ETI_JSON_STRING) {
        (void)eti__json_read_string(json, &value);
        return value;
    }
    eti__json_skip(json);
    return kind == ETI_JSON_NULL ? value
                                 : (eti_text){(const char *)json->window + at, json->at - at};
}

bool eti__dump_note_each(const eti_dump_note *note, eti_note_member_function take, void *context) {
    eti_json json;
    eti_text key;
    eti_buffer name = {0};
    bool goes_on = true;
    eti__json_open_text(&json, note->json);
    eti__json_enter_object(&json);
    while (goes_on && eti__json_next_key(&json, &key)) {
        name.size = 0;
        eti__buffer_add_text(&name, key);
        eti_text value = take_value(&json);
        goes_on = !name.failed && take(context, eti__buffer_text(&name), value);
    }
    eti__buffer_free(&name);
    return eti__json_close(&json, NULL) == ETI_OK && goes_on;
}

bool eti__dump_note_add(eti_buffer *out, eti_text json) {
    const uint32_t length = (uint32_t)json.size;
    const char size[] = {(char)(length & 0xff), (char)(length >> 8 & 0xff),
                         (char)(length >> 16 & 0xff), (char)(length >> 24)};
    if (json.size > MOST_BYTES)
        return false;
    eti__buffer_add_text(out, json);
    eti__buffer_add(out, size, sizeof size);
    eti__buffer_add(out, magic, sizeof magic);
    return !out->failed;
}

const char *eti__etdumps_clock(const eti_etdump *dumps, size_t n) {
    const char *clock = NULL;
    bool has_note = false;
    for (size_t i = 0; i < n; i++) {
        const eti_dump_note *note = &dumps[i].note;
        const char *own = note->is_present ? note->clock : ETI_CLOCK_WALL;
        has_note = has_note || note->is_present;
        if (clock && strcmp(clock, own) != 0)
            return ETI_CLOCK_MIXED;
        clock = own;
    }
    return has_note ? clock : NULL;
}

bool eti__is_clock(const char *name) {
    return strcmp(name, ETI_CLOCK_WALL) == 0 || strcmp(name, ETI_CLOCK_CPU) == 0 ||
           strcmp(name, ETI_CLOCK_MIXED) == 0;
}

const char *eti__clock_text(const char *clock) {
    if (strcmp(clock, ETI_CLOCK_WALL) == 0)
        return "elapsed time";
    if (strcmp(clock, ETI_CLOCK_CPU) == 0)
        return "CPU time of all threads";
    return strcmp(clock, ETI_CLOCK_MIXED) == 0 ? "elapsed time and CPU time" : clock;
}
