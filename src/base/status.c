#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
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

/* Names from a hostile file must neither break the line nor reach a terminal as commands. A message
 * cut by its buffer loses a character that was cut in two. */
static void make_one_line(char *message) {
    size_t length = strlen(message);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)message[i] < 0x20 || message[i] == 0x7f)
            message[i] = '?';
    }

    size_t lead = length;
    while (lead > 0 && ((unsigned char)message[lead - 1] & 0xc0) == 0x80)
        lead--;
    if (lead == 0)
        return;
    unsigned char first = (unsigned char)message[lead - 1];
    size_t needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (length - (lead - 1) < needed)
        message[lead - 1] = '\0';
}

void eti_error_set(eti_error *err, eti_status status, const char *format, ...) {
    if (!err)
        return;
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    make_one_line(err->message);
}

void eti_error_prefix(eti_error *err, const char *format, ...) {
    if (!err)
        return;
    char inner[sizeof err->message];
    memcpy(inner, err->message, sizeof inner);

    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(err->message, sizeof err->message, format, arguments);
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
    make_one_line(err->message);
}
