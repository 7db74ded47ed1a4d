#include "write/share_bar.h"

#include <string.h>

#define HOT_SHARE 0.25
#define LARGE_SHARE 0.1
#define NOTABLE_SHARE 0.03

const char *eti__share_color(double share) {
    return share >= HOT_SHARE       ? "\033[1;31m"
           : share >= LARGE_SHARE   ? "\033[31m"
           : share >= NOTABLE_SHARE ? "\033[33m"
                                    : "";
}

size_t eti__add_share_bar(eti_output *output, double share, size_t width, bool is_ascii) {
    static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double length = !(share > 0) ? 0 : share < 1 ? share * (double)width : (double)width;
    size_t eighths = is_ascii ? 8 * (size_t)(length + 0.5) : (size_t)(length * 8 + 0.5);
    size_t n_full = eighths / 8, part = eighths % 8;
    for (size_t i = 0; i < n_full; i++)
        eti__output_add_string(output, is_ascii ? "#" : "█");
    eti__output_add_string(output, parts[part]);
    return n_full + (part > 0);
}

size_t eti__branches_size(eti_text text) {
    static const char *const parts[] = {"│  ", "├─ ", "└─ ", "|  ", "|- ", "`- ", "   "};
    size_t size = 0, i = 0;
    while (i < sizeof parts / sizeof *parts) {
        size_t n = strlen(parts[i]);
        bool is_part = text.size - size >= n && memcmp(text.data + size, parts[i], n) == 0;
        size += is_part ? n : 0;
        i = is_part ? 0 : i + 1;
    }
    return size;
}
