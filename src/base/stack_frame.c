#include "base/stack_frame.h"

#include "base/python_text.h"

#include <inttypes.h>
#include <string.h>

/* Takes a line, without its end, off the text; returns false if nothing is left. */
static bool next_line(eti_text *rest, eti_text *line) {
    if (rest->size == 0)
        return false;
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    *line = (eti_text){rest->data, size};
    size_t taken = end ? size + 1 : size;
    *rest = (eti_text){rest->data + taken, rest->size - taken};
    return true;
}

static bool take(eti_text *text, const char *prefix) {
    size_t size = strlen(prefix);
    if (text->size < size || memcmp(text->data, prefix, size) != 0)
        return false;
    *text = (eti_text){text->data + size, text->size - size};
    return true;
}

/* Takes the text before `end`, and skips `end`; returns false if `end` does not occur. */
static bool take_until(eti_text *text, const char *end, eti_text *out) {
    size_t size = strlen(end);
    const char *found = text->size >= size ? memmem(text->data, text->size, end, size) : NULL;
    if (!found)
        return false;
    *out = (eti_text){text->data, (size_t)(found - text->data)};
    *text = (eti_text){found + size, text->size - out->size - size};
    return true;
}

static bool take_number(eti_text *text, uint32_t *out) {
    size_t n = 0;
    *out = 0;
    for (; n < text->size && eti__is_digit(text->data[n]); n++) {
        if (*out > (UINT32_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (uint32_t)(text->data[n] - '0');
    }
    *text = (eti_text){text->data + n, text->size - n};
    return n > 0;
}

/* Parses a line such as: File "model.py", line 12, in forward */
static bool parse_place(eti_text line, eti_stack_frame *out) {
    line = eti__python_strip(line);
    if (!take(&line, "File \"") || !take_until(&line, "\", line ", &out->file) ||
        !take_number(&line, &out->line))
        return false;
    out->function = take(&line, ", in ") ? line : (eti_text){"", 0};
    return true;
}

bool eti__stack_frame_next(eti_text *rest, eti_stack_frame *out) {
    eti_text line;
    do {
        if (!next_line(rest, &line))
            return false;
    } while (!parse_place(line, out));

    eti_text after = *rest;
    eti_stack_frame ignored;
    out->code = (eti_text){"", 0};
    if (next_line(&after, &line) && !parse_place(line, &ignored)) {
        out->code = eti__python_strip(line);
        *rest = after;
    }
    return true;
}

/* ---- library code ---------------------------------------------------------------------------- */

/* Returns whether a directory of the path is called `name`; if so, `*rest` is the path after it. */
static bool find_directory(eti_text path, const char *name, eti_text *rest) {
    while (path.size > 0) {
        const char *slash = memchr(path.data, '/', path.size);
        if (!slash)
            return false;
        eti_text directory = {path.data, (size_t)(slash - path.data)};
        path = (eti_text){slash + 1, path.size - directory.size - 1};
        if (eti__text_is(directory, name)) {
            *rest = path;
            return true;
        }
    }
    return false;
}

/* Returns whether the frame belongs to one of `n` installed packages, or folders of them. */
static bool is_in_package(const eti_stack_frame *frame, const char *const packages[], size_t n) {
    eti_text rest;
    if (!find_directory(frame->file, "site-packages", &rest) &&
        !find_directory(frame->file, "dist-packages", &rest))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (take(&rest, packages[i]))
            return true;
    }
    return false;
}

static bool is_generated(const eti_stack_frame *frame) {
    eti_text rest = frame->file;
    return take(&rest, "<");
}

bool eti__stack_frame_is_library(const eti_stack_frame *frame) {
    static const char *const packages[] = {"torch/", "torchgen/", "functorch/", "executorch/"};
    eti_text rest;
    return is_generated(frame) ||
           is_in_package(frame, packages, sizeof packages / sizeof *packages) ||
           (find_directory(frame->file, "torch", &rest) && take(&rest, "nn/"));
}

bool eti__stack_frame_is_exporter(const eti_stack_frame *frame) {
    static const char *const packages[] = {"torch/_",   "torch/export/", "torch/fx/",
                                           "torchgen/", "functorch/",    "executorch/exir/"};
    return is_generated(frame) ||
           is_in_package(frame, packages, sizeof packages / sizeof *packages);
}

void eti__add_source_line(eti_buffer *out, eti_text file, uint32_t line) {
    eti__buffer_add_text(out, file);
    eti__buffer_printf(out, ":%" PRIu32, line);
}
