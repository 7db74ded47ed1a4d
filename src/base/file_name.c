#include "base/file_name.h"

#include <string.h>

static bool stands_for_itself(unsigned char byte, bool is_first) {
    bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if (is_letter || byte >= 0x80 || eti__is_digit((char)byte))
        return true;
    return byte != '\0' && strchr("._-#:,+=@()[] ", byte) != NULL &&
           !(is_first && (byte == '.' || byte == ' '));
}

void eti__file_name_add(eti_buffer *out, eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (stands_for_itself(byte, i == 0))
            eti__buffer_add_char(out, (char)byte);
        else
            eti__buffer_printf(out, "%%%02X", byte);
    }
}

/* Returns the value of a hexadecimal digit, or -1 for any other character. */
static int hex_value(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c, sizeof digits - 1);
    return at ? (int)(at - digits) : -1;
}

void eti__file_name_add_text(eti_buffer *out, eti_text name) {
    for (size_t i = 0; i < name.size; i++) {
        int high = name.data[i] == '%' && name.size - i > 2 ? hex_value(name.data[i + 1]) : -1;
        int low = high >= 0 ? hex_value(name.data[i + 2]) : -1;
        if (low < 0) {
            eti__buffer_add_char(out, name.data[i]);
            continue;
        }
        eti__buffer_add_char(out, (char)(high << 4 | low));
        i += 2;
    }
}
