#include "write/paragraph.h"

static bool is_end_of_word(eti_text text, size_t at) {
    return at == text.size ||
           (text.data[at] == ' ' && !(at + 1 < text.size && text.data[at + 1] == '%'));
}

void eti__add_paragraph(eti_output *output, eti_text text, size_t width) {
    size_t at = 0;
    size_t used = 0;
    while (at < text.size) {
        size_t end = at;
        while (!is_end_of_word(text, end))
            end++;
        eti_text word = {text.data + at, end - at};
        size_t word_width = eti__text_width(word);
        if (used > 0 && width > 0 && used + 1 + word_width > width) {
            eti__output_add_string(output, "\n");
            used = 0;
        } else if (at > 0) {
            eti__output_add_string(output, " ");
            used++;
        }
        eti__output_add_text(output, word);
        used += word_width;
        at = end + 1;
    }
    eti__output_add_string(output, "\n");
}
