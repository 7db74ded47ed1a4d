#include "base/text_width.h"

#include "base/text_width_table.h"

#define FIRST_ODD_WIDTH 0xad /* all characters below it take one column */

#define IS_IN(code_point, ranges)                                                                  \
    eti__is_in_ranges((code_point), (ranges), sizeof(ranges) / sizeof *(ranges))

size_t eti__character_width(uint32_t code_point) {
    if (code_point <= FIRST_ODD_WIDTH)
        return 1;
    if (IS_IN(code_point, eti_takes_no_column))
        return 0;
    return IS_IN(code_point, eti_takes_two_columns) ? 2 : 1;
}

size_t eti__text_width(eti_text text) {
    size_t at = 0;
    while (at < text.size && (unsigned char)text.data[at] < 0x80)
        at++;
    size_t width = at;
    while (at < text.size) {
        uint32_t character;
        at += eti__text_decode(text, at, &character);
        width += eti__character_width(character);
    }
    return width;
}

/* Returns the number of bytes at the start of `text` that take at most `width` columns, including all marks that combine
 * with the last character. */
static size_t start_size(eti_text text, size_t width) {
    size_t at = 0;
    while (at < text.size) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        size_t columns = eti__character_width(character);
        if (columns > width)
            break;
        width -= columns;
        at += size;
    }
    return at;
}

/* Returns where the longest end of `text` (`total` columns wide) that takes at most `width` columns begins; never at a
 * combining mark, which would lack its character. */
static size_t end_start(eti_text text, size_t total, size_t width) {
    size_t at = 0;
    while (at < text.size) {
        uint32_t character;
        size_t size = eti__text_decode(text, at, &character);
        size_t columns = eti__character_width(character);
        if (total <= width && columns > 0)
            break;
        total -= columns;
        at += size;
    }
    return at;
}

void eti__add_folded(eti_buffer *out, eti_text text, size_t width, const char *gap) {
    size_t total = eti__text_width(text);
    if (total <= width) {
        eti__buffer_add_text(out, text);
        return;
    }
    eti_text mark = eti__text_of(gap);
    size_t gap_width = eti__text_width(mark);
    if (width <= gap_width) { /* no room for both sides */
        eti__buffer_add(out, text.data, start_size(text, width));
        return;
    }
    size_t room = width - gap_width;
    size_t end = end_start(text, total, room / 2);
    eti__buffer_add(out, text.data, start_size(text, room - room / 2));
    eti__buffer_add_text(out, mark);
    eti__buffer_add(out, text.data + end, text.size - end);
}
