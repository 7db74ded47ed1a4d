#include "base/status.h"

#include <stdarg.h>
#include <string.h>

const char *eti_status_text(eti_status status) {
    switch (status) {
#define STATUS_CASE(name, sentence)                                                                \
    case ETI_##name:                                                                               \
        return sentence;
        ETI_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

const char *eti_version(void) {
    return ETI_VERSION;
}

void eti_make_one_line(char *message) {
    eti_text text = {message, strlen(message)};
    bool is_blank = true;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        size_t length = eti__text_decode(text, at, &character);
        bool is_bad = eti__text_valid_utf8((eti_text){message + at, length}) != length;
        if (is_bad && at + length == text.size) {
            message[at] = '\0'; /* the end of the buffer cut it in two */
            return;
        }
        is_bad |= eti__is_control(character) || eti__begins_command(text, at, is_blank);
        is_blank = !is_bad && eti__leaves_line_blank(is_blank, character);
        if (is_bad)
            memset(message + at, '?', length);
        at += length;
    }
}

static _Thread_local const char *option_prefix = "";

const char *eti__option_prefix(void) {
    return option_prefix;
}

const char *eti__set_option_prefix(const char *prefix) {
    const char *before = option_prefix;
    option_prefix = prefix;
    return before;
}

void eti__error_set(eti_error *err, eti_status status, const char *format, ...) {
    if (!err)
        return;
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    err->position = 0;
    eti__vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    eti_make_one_line(err->message);
}

void eti__error_copy(eti_error *err, const eti_error *from) {
    if (!err)
        return;
    err->status = from->status;
    err->position = from->position;
    memcpy(err->message, from->message, sizeof err->message);
}

void eti__error_prefix(eti_error *err, const char *format, ...) {
    if (!err || err->status == ETI_ERROR_MEMORY)
        return;
    char inner[sizeof err->message];
    memcpy(inner, err->message, sizeof inner);

    va_list arguments;
    va_start(arguments, format);
    int written = eti__vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    size_t used = written < 0 ? 0 : (size_t)written;
    if (used < sizeof err->message - 2) {
        memcpy(err->message + used, ": ", 2);
        used += 2;
        size_t room = sizeof err->message - used - 1;
        size_t length = strlen(inner);
        memcpy(err->message + used, inner, length < room ? length : room);
        err->message[used + (length < room ? length : room)] = '\0';
    }
    eti_make_one_line(err->message);
}
