#include "base/names.h"

#include "base/python.h"

#include <inttypes.h>
#include <string.h>

/* ==== words =================================================================================== */

/* A value, and its words in the text for people. `column` NULL: a group that several columns name. */
static const struct {
    const char *column, *value, *words;
} words[] = {
    {NULL, "(delegate, not logged)", "(delegate overhead)"},
    {NULL, "(delegate, overhead)", "(delegate overhead, logged)"},
    {NULL, "(delegate, transfers)", "(delegate transfers)"},
    {NULL, "(delegate, profiling)", "(delegate profiling)"},
    {"part", "delegate calls: not logged", "delegate overhead"},
    {"part", "delegate calls: overhead", "delegate overhead, logged"},
    {"part", "delegate calls: transfers", "delegate transfers"},
    {"part", "delegate calls: profiling", "delegate profiling"},
    {"attribution", "aligned", "matched by order"},
    {ETI_WORDS_OF_HEADINGS, "delegate_not_logged", "delegate overhead"},
};

/* Returns the text after a value; absent: the text begins otherwise, or goes on in the same word. */
static eti_text after_value(eti_text text, const char *value) {
    size_t size = strlen(value);
    if (!text.data || !eti__text_begins_with(text, value) ||
        (text.size > size && text.data[size] != ' '))
        return (eti_text){NULL, 0};
    return eti__text_from(text, size);
}

/* Returns the words for the beginning of a value, and the rest of it; NULL: people read the value itself. */
static const char *find_words(eti_text column, eti_text value, eti_text *rest) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].column && !eti__text_is(column, words[i].column))
            continue;
        *rest = after_value(value, words[i].value);
        if (rest->data)
            return words[i].words;
    }
    return NULL;
}

bool eti__add_words(eti_buffer *out, eti_text column, eti_text value) {
    eti_text rest;
    const char *found = find_words(column, value, &rest);
    if (!found)
        return false;
    eti__buffer_add_string(out, found);
    eti__buffer_add_text(out, rest);
    return true;
}

bool eti__are_words_for(eti_text typed, eti_text column, eti_text value) {
    eti_text rest;
    const char *found = find_words(column, value, &rest);
    size_t size = found ? strlen(found) : 0;
    return found && eti__text_begins_with(typed, found) &&
           eti__text_equal(eti__text_from(typed, size), rest);
}

/* ==== glob ==================================================================================== */

/* Backtracks only to the last star, because it can match everything an earlier star could. */
bool eti__glob_match(eti_text pattern, eti_text name) {
    size_t p = 0, n = 0;
    size_t star = SIZE_MAX,
           taken =
               0; /* `star`: position after the last star; `taken`: end of the text it matches */
    uint32_t ignored;
    if (!name.data)
        return false;
    while (n < name.size) {
        if (p < pattern.size && pattern.data[p] == '*') {
            star = ++p;
            taken = n;
        } else if (p < pattern.size && pattern.data[p] == '?') {
            p++;
            n += eti__text_decode(name, n, &ignored);
        } else if (p < pattern.size && pattern.data[p] == name.data[n]) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star;
            taken += eti__text_decode(name, taken, &ignored);
            n = taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '*')
        p++;
    return p == pattern.size;
}

/* ==== edit distance =========================================================================== */

#define MAX_SIZE 64

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t eti__edit_distance(eti_text a, eti_text b) {
    size_t rows[3][MAX_SIZE + 1]; /* the newest row and the two before it, in rotation */
    if (a.size > MAX_SIZE || b.size > MAX_SIZE)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.size; i++) {
        size_t *row = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.size; j++) {
            size_t changed = before[j - 1] + (a.data[i - 1] != b.data[j - 1]);
            row[j] = smaller(changed, smaller(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                row[j] = smaller(row[j], two_before[j - 2] + 1);
        }
    }
    return rows[a.size % 3][b.size];
}

static eti_text lower(eti_text text, char out[MAX_SIZE]) {
    for (size_t i = 0; i < text.size; i++) {
        bool is_capital = text.data[i] >= 'A' && text.data[i] <= 'Z';
        out[i] = (char)(is_capital ? text.data[i] + ('a' - 'A') : text.data[i]);
    }
    return (eti_text){out, text.size};
}

bool eti__text_is_nearer(eti_text candidate, eti_text name, size_t *least) {
    char a[MAX_SIZE], b[MAX_SIZE];
    if (candidate.size > MAX_SIZE || name.size > MAX_SIZE)
        return false;
    size_t distance = eti__edit_distance(lower(candidate, a), lower(name, b));
    if (distance >= *least || distance > (name.size > 4 ? 2 : 1) || distance >= candidate.size ||
        distance >= name.size)
        return false;
    *least = distance;
    return true;
}

const char *eti__nearest_of(const char *const *names, size_t n_names, eti_text mistyped) {
    const char *nearest = NULL;
    size_t least = ETI_TOO_FAR;
    for (size_t i = 0; i < n_names; i++) {
        if (eti__text_is_nearer(eti__text_of(names[i]), mistyped, &least))
            nearest = names[i];
    }
    return nearest;
}

/* ==== stack frame ============================================================================= */

/* Takes a line, without its end, off the text; returns false if nothing is left. */
static bool next_line(eti_text *rest, eti_text *line) {
    if (rest->size == 0)
        return false;
    const char *end = memchr(rest->data, '\n', rest->size);
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    *line = (eti_text){rest->data, size};
    size_t taken = end ? size + 1 : size;
    *rest = eti__text_from(*rest, taken);
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
    *text = eti__text_from(*text, n);
    return n > 0;
}

/* Parses a line such as: File "model.py", line 12, in forward */
static bool parse_place(eti_text line, eti_stack_frame *out) {
    line = eti__python_strip(line);
    if (!eti__text_take(&line, "File \"") || !take_until(&line, "\", line ", &out->file) ||
        !take_number(&line, &out->line))
        return false;
    out->function = eti__text_take(&line, ", in ") ? line : (eti_text){"", 0};
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
        if (eti__text_take(&rest, packages[i]))
            return true;
    }
    return false;
}

static bool is_generated(const eti_stack_frame *frame) {
    eti_text rest = frame->file;
    return eti__text_take(&rest, "<");
}

bool eti__stack_frame_is_library(const eti_stack_frame *frame) {
    static const char *const packages[] = {"torch/", "torchgen/", "functorch/", "executorch/"};
    eti_text rest;
    return is_generated(frame) ||
           is_in_package(frame, packages, sizeof packages / sizeof *packages) ||
           (find_directory(frame->file, "torch", &rest) && eti__text_take(&rest, "nn/"));
}

bool eti__stack_frame_is_exporter(const eti_stack_frame *frame) {
    static const char *const packages[] = {"torch/_",   "torch/export/", "torch/fx/",
                                           "torchgen/", "functorch/",    "executorch/exir/"};
    return is_generated(frame) ||
           is_in_package(frame, packages, sizeof packages / sizeof *packages);
}

eti_text eti__file_of_path(eti_text path) {
    size_t start = path.size;
    while (start > 0 && path.data[start - 1] != '/' && path.data[start - 1] != '\\')
        start--;
    return eti__text_from(path, start);
}

void eti__add_source_line(eti_buffer *out, eti_text file, uint32_t line) {
    eti__buffer_add_text(out, file);
    eti__buffer_printf(out, ":%" PRIu32, line);
}

/* ==== source path ============================================================================= */

static eti_text without_slashes(const char *folder) {
    eti_text text = eti__text_of(folder);
    while (text.size > 0 && text.data[text.size - 1] == '/')
        text.size--;
    return text;
}

static bool is_below(eti_text path, eti_text folder) {
    return folder.data && path.size > folder.size + 1 && path.data[folder.size] == '/' &&
           memcmp(path.data, folder.data, folder.size) == 0;
}

bool eti__map_source_path(eti_text *out, eti_text path, const eti_source_paths *paths,
                          eti_arena *arena) {
    eti_text from = {NULL, 0}, to = {NULL, 0};
    *out = path;
    for (size_t i = 0; i < paths->n_maps; i++) {
        eti_text folder = without_slashes(paths->maps[i].key);
        if (!is_below(path, folder) || (from.data && folder.size <= from.size))
            continue;
        from = folder;
        to = without_slashes(paths->maps[i].value);
    }
    eti_text root = without_slashes(paths->root);
    if (is_below(path, root) && (!from.data || root.size > from.size)) {
        from = root;
        to.size = 0;
    }
    if (!from.data)
        return true;
    eti_text rest = eti__text_from(path, from.size + 1);
    eti_buffer mapped = {0};
    eti__buffer_add_text(&mapped, to);
    if (to.size > 0)
        eti__buffer_add_char(&mapped, '/');
    eti__buffer_add_text(&mapped, rest);
    bool done = !mapped.failed && eti__arena_copy_text(arena, eti__buffer_text(&mapped), out);
    eti__buffer_free(&mapped);
    return done;
}
