#include "view/source_text.h"

#include "base/array.h"
#include "base/files.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)4 << 20)
#define MOST_IN_ALL ((size_t)64 << 20)
/* Most directories that are removed from a name, one after the other, to find the file below the
 * root. */
#define MOST_TRIES 64

static bool is_python(eti_text name) {
    return name.size > 3 && memcmp(name.data + name.size - 3, ".py", 3) == 0 &&
           !memchr(name.data, '\0', name.size);
}

static bool try_path(eti_source_reader *reader, eti_text name) {
    reader->path.size = 0;
    eti__buffer_add_text(&reader->path, name);
    eti__buffer_add_char(&reader->path, '\0');
    size_t left = MOST_IN_ALL - reader->n_read, most = left < MOST_BYTES ? left : MOST_BYTES;
    if (reader->path.failed || reader->path.size > 4096)
        return false;
    const char *path = reader->path.data;
    bool done = reader->root ? eti__small_file_read_below(reader->root, path, most, &reader->text)
                             : eti__small_file_read(path, most, &reader->text);
    reader->n_read += done ? reader->text.size : 0;
    return done;
}

/* Finds the file with the longest end of the name that exists below the root. */
static bool find_file(eti_source_reader *reader, eti_text name) {
    if (!reader->root)
        return try_path(reader, name);
    for (int i = 0; i < MOST_TRIES && name.size > 0; i++) {
        while (name.size > 0 && name.data[0] == '/')
            name = (eti_text){name.data + 1, name.size - 1};
        if (try_path(reader, name))
            return true;
        const char *slash = memchr(name.data, '/', name.size);
        if (!slash)
            return false;
        name = (eti_text){slash, name.size - (size_t)(slash - name.data)};
    }
    return false;
}

static bool split_lines(eti_source_reader *reader) {
    const eti_buffer *text = &reader->text;
    reader->n_lines = 0;
    for (size_t at = 0; at < text->size;) {
        if (!ETI_GROW(reader->lines, reader->line_capacity, reader->n_lines + 2))
            return false;
        const char *end = memchr(text->data + at, '\n', text->size - at);
        reader->lines[reader->n_lines++] = at;
        at = end ? (size_t)(end - text->data) + 1 : text->size;
        reader->lines[reader->n_lines] = at;
    }
    return true;
}

bool eti__source_read(eti_source_reader *reader, eti_text name) {
    reader->n_lines = 0;
    if (!is_python(name) || !find_file(reader, name) ||
        eti__text_valid_utf8(eti__buffer_text(&reader->text)) != reader->text.size)
        return false;
    if (split_lines(reader))
        return true;
    reader->text.failed = true;
    return false;
}

bool eti__source_failed(const eti_source_reader *reader) {
    return reader->path.failed || reader->text.failed;
}

eti_text eti__source_line(const eti_source_reader *reader, uint32_t line) {
    if (line == 0 || line > reader->n_lines)
        return (eti_text){NULL, 0};
    size_t start = reader->lines[line - 1], end = reader->lines[line];
    while (end > start &&
           (reader->text.data[end - 1] == '\n' || reader->text.data[end - 1] == '\r'))
        end--;
    return (eti_text){reader->text.data + start, end - start};
}

void eti__source_free(eti_source_reader *reader) {
    eti__buffer_free(&reader->path);
    eti__buffer_free(&reader->text);
    free(reader->lines);
}
