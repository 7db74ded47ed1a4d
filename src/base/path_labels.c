#include "base/path_labels.h"

#define NO_VALUE "__HIVE_DEFAULT_PARTITION__"

/* Returns the value of a hexadecimal digit, or -1. */
static int digit_of(char c) {
    if (eti__is_digit(c))
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Copies the text to the arena as UTF-8, replacing escapes such as "%3D" by the characters they stand for. */
static bool unescape(eti_text text, eti_arena *arena, eti_text *out) {
    char *bytes = eti__arena_alloc(arena, text.size + 1, 1);
    eti_buffer repaired = {0};
    size_t n = 0;
    if (!bytes)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        int high = text.data[i] == '%' && i + 2 < text.size ? digit_of(text.data[i + 1]) : -1;
        int low = high >= 0 ? digit_of(text.data[i + 2]) : -1;
        bool is_escaped = low >= 0 && high + low > 0; /* NUL is not decoded */
        bytes[n] = text.data[i];
        if (is_escaped) {
            bytes[n] = (char)(high * 16 + low);
            i += 2;
        }
        n++;
    }
    *out = (eti_text){bytes, n};
    if (eti__text_valid_utf8(*out) == n)
        return true;
    eti__buffer_add_utf8(&repaired, *out);
    bool done = !repaired.failed && eti__arena_copy_text(arena, eti__buffer_text(&repaired), out);
    eti__buffer_free(&repaired);
    return done;
}

static bool read_label(eti_text folder, size_t equals, eti_arena *arena, eti_path_label *out) {
    eti_text value = {folder.data + equals + 1, folder.size - equals - 1};
    out->value = (eti_text){NULL, 0};
    return unescape((eti_text){folder.data, equals}, arena, &out->key) &&
           (eti__text_is(value, NO_VALUE) || unescape(value, arena, &out->value));
}

bool eti__path_label_next(eti_text *path, eti_arena *arena, eti_path_label *out, bool *found) {
    *found = false;
    while (path->size > 0) {
        const char *slash = memchr(path->data, '/', path->size);
        if (!slash)
            return true;
        eti_text folder = {path->data, (size_t)(slash - path->data)};
        *path = (eti_text){slash + 1, path->size - folder.size - 1};
        const char *equals = folder.size > 0 ? memchr(folder.data, '=', folder.size) : NULL;
        if (!equals || equals == folder.data)
            continue;
        *found = true;
        return read_label(folder, (size_t)(equals - folder.data), arena, out);
    }
    return true;
}
