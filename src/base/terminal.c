#include "base/terminal.h"

#include <stdio.h>
#include <string.h>

#define ESCAPE '\033'
/* The length of ESC [ 1 ; 3 1 m; the writers here use no longer sequence. */
#define LONGEST_COLOR ((size_t)12)

size_t eti__spell_control(char out[ETI_TERMINAL_MOST], uint32_t character) {
    return (size_t)snprintf(out, ETI_TERMINAL_MOST, character < 0x100 ? "\\x%02x" : "\\u%04x",
                            (unsigned)character);
}

/* Returns the length of the sequence at `at` if it sets a colour, else 0. `*is_cut`: the text ends in the middle of one. */
static size_t measure_color(eti_text text, size_t at, bool *is_cut) {
    size_t end = at + 1;
    *is_cut = false;
    if (end < text.size && text.data[end] == '[') {
        end++;
        while (end < text.size && end - at < LONGEST_COLOR && text.data[end] &&
               strchr("0123456789;", text.data[end]))
            end++;
    }
    *is_cut = end == text.size && end - at <= LONGEST_COLOR;
    return end < text.size && end > at + 1 && text.data[end] == 'm' ? end + 1 - at : 0;
}

size_t eti__terminal_spell(char out[ETI_TERMINAL_MOST], eti_text text, size_t at, bool has_color,
                           size_t *taken) {
    uint32_t character;
    bool is_cut;
    *taken = eti__text_decode(text, at, &character);
    bool breaks_line = character == '\r' && at + 1 < text.size && text.data[at + 1] == '\n';
    size_t color = has_color && character == ESCAPE ? measure_color(text, at, &is_cut) : 0;
    if (color > 0)
        *taken = color;
    else if (character == 0xfffd)
        return (size_t)snprintf(out, ETI_TERMINAL_MOST, "\xef\xbf\xbd");
    else if (eti__is_control(character) && character != '\n' && character != '\t' && !breaks_line)
        return eti__spell_control(out, character);
    memcpy(out, text.data + at, *taken);
    return *taken;
}

/* Returns whether the bytes from `at` to the end may be the beginning of a longer sequence or character. */
static bool is_unfinished(eti_text text, size_t at, bool has_color) {
    const unsigned char byte = (unsigned char)text.data[at];
    size_t left = text.size - at, length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    bool is_cut = false;
    if (byte >= 0xc2 && byte <= 0xf4)
        return left < length;
    if (byte == ESCAPE && has_color)
        (void)measure_color(text, at, &is_cut);
    return is_cut || (byte == '\r' && left == 1);
}

size_t eti__terminal_unfinished(eti_text text, bool has_color) {
    size_t most = text.size < LONGEST_COLOR ? text.size : LONGEST_COLOR;
    for (size_t n = most; n > 0; n--) {
        if (is_unfinished(text, text.size - n, has_color))
            return n;
    }
    return 0;
}
