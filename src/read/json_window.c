#include "read/json_window.h"

#include "base/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_BYTES ((size_t)64 << 10)

/* ---- errors ---------------------------------------------------------------------------------- */

void eti__json_fail(eti_json *json, eti_status status, const char *format, ...) {
    if (eti__json_failed(json))
        return;
    if (json->is_silent) {
        json->error.status = status;
        return;
    }
    char sentence[sizeof json->error.message];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    unsigned long long offset = json->window_offset + json->at;
    (void)eti_fail(&json->error, status, "byte %llu: %s", offset, sentence);
}

void eti__json_fail_memory(eti_json *json) {
    if (!eti__json_failed(json))
        (void)eti_fail_memory(&json->error);
}

/* ---- the window ------------------------------------------------------------------------------ */

/* Clears everything except the list of open containers and the message, which are kilobytes without contents. */
static void clear(eti_json *json) {
    memset(json, 0, offsetof(eti_json, open));
    json->token = (eti_buffer){0};
    json->error.status = ETI_OK;
    json->error.message[0] = '\0';
}

void eti__json_open_text(eti_json *json, eti_text text) {
    clear(json);
    json->window = (const unsigned char *)(text.data ? text.data : "");
    json->end = text.size;
    json->exhausted = true;
}

void eti__json_open_stream(eti_json *json, eti_json_source source) {
    clear(json);
    json->window = (const unsigned char *)"";
    json->source = source;
    json->storage = malloc(WINDOW_BYTES);
    if (json->storage)
        json->window = json->storage;
    else
        eti__json_fail_memory(json);
}

bool eti__json_refill(eti_json *json) {
    if (json->exhausted || eti__json_failed(json))
        return false;
    size_t unread = json->end - json->at;
    memmove(json->storage, json->storage + json->at, unread);
    json->window_offset += json->at;
    json->at = 0;
    json->end = unread;

    size_t n = 0;
    eti_status status = json->source.read(json->source.context, json->storage + unread,
                                          WINDOW_BYTES - unread, &n, &json->error);
    if (status != ETI_OK) {
        json->error.status = status;
        return false;
    }
    json->end += n;
    json->exhausted = n == 0;
    return n > 0;
}

int eti__json_skip_space(eti_json *json) {
    const uint64_t blanks = ETI_EACH_BYTE(' ');
    for (;;) {
        while (json->end - json->at >= sizeof blanks &&
               memcmp(json->window + json->at, &blanks, sizeof blanks) == 0)
            json->at += sizeof blanks;
        int byte = eti__json_next_byte(json);
        if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            return byte;
        json->at++;
    }
}

bool eti__json_fail_expected(eti_json *json, const char *expected) {
    int byte = eti__json_next_byte(json);
    if (byte < 0)
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found the end", expected);
    else if (byte > 0x20 && byte < 0x7f)
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found '%c'", expected, byte);
    else
        eti__json_fail(json, ETI_ERROR_MALFORMED, "expected %s, found the byte 0x%02x", expected,
                       (unsigned)byte);
    return false;
}
