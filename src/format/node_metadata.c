#include "format/node_metadata.h"

#include "base/text.h"

#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

/* Python's str.strip(), for the white space that is ASCII. */
static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

static eti_text strip(eti_text text) {
    while (text.size > 0 && is_space(text.data[0])) {
        text.data++;
        text.size--;
    }
    while (text.size > 0 && is_space(text.data[text.size - 1]))
        text.size--;
    return text;
}

/* ---- debug_handle ---------------------------------------------------------------------------- */

/* Digits with single "_" between them. */
static bool parse_magnitude(eti_text digits, uint64_t *out) {
    *out = 0;
    bool digit_before = false;
    for (size_t i = 0; i < digits.size; i++) {
        char c = digits.data[i];
        if (c == '_' && digit_before) {
            digit_before = false;
            continue;
        }
        if (c < '0' || c > '9' || *out > (uint64_t)INT64_MAX / 10)
            return false;
        *out = *out * 10 + (uint64_t)(c - '0');
        digit_before = true;
    }
    return digit_before && *out <= (uint64_t)INT64_MAX;
}

eti_status eti_debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                  eti_error *err) {
    *handle = 0;
    *has_handle = text.size > 0;
    if (!*has_handle)
        return ETI_OK;
    eti_text digits = strip(text);
    bool negative = digits.size > 0 && digits.data[0] == '-';
    if (negative || (digits.size > 0 && digits.data[0] == '+'))
        digits = (eti_text){digits.data + 1, digits.size - 1};
    uint64_t magnitude;
    if (!parse_magnitude(digits, &magnitude))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "debug_handle: expected an integer, found \"%.*s\"", ETI_TEXT_ARGS(text));
    *handle = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return ETI_OK;
}

/* ---- nn_module_stack ------------------------------------------------------------------------- */

/* Splits `*rest` at the next `separator`; false when nothing is left. */
static bool next_entry(eti_text *rest, eti_text *entry) {
    if (!rest->data)
        return false;
    const char *end = memchr(rest->data, ';', rest->size);
    *entry = *rest;
    if (!end) {
        *rest = (eti_text){NULL, 0};
        return true;
    }
    entry->size = (size_t)(end - entry->data);
    *rest = (eti_text){end + 1, rest->size - entry->size - 1};
    return true;
}

/* Splits "key,path,type"; false when there are not exactly three parts, or a bracket closes too
 * early. */
static bool split_entry(eti_text entry, eti_text parts[3]) {
    size_t n = 0;
    size_t start = 0;
    size_t depth = 0;
    for (size_t i = 0; i <= entry.size; i++) {
        bool at_end = i == entry.size;
        int c = at_end ? ',' : entry.data[i];
        if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            if (depth-- == 0)
                return false;
        } else if (c == ',' && (depth == 0 || at_end)) {
            if (n == 3)
                return false;
            parts[n++] = strip((eti_text){entry.data + start, i - start});
            start = i + 1;
        }
    }
    return n == 3;
}

static size_t count_entries(eti_text text) {
    size_t n = 1;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == ';';
    return n;
}

static eti_status add_entries(eti_text text, eti_module *modules, eti_text_table *keys,
                              eti_error *err) {
    eti_text rest = text;
    eti_text entry;
    while (next_entry(&rest, &entry)) {
        eti_text parts[3];
        if (!split_entry(entry, parts))
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "nn_module_stack: expected \"key,path,type\", found \"%.*s\"",
                            ETI_TEXT_ARGS(entry));
        uint32_t number;
        if (!eti_text_table_add(keys, parts[0], NULL, &number))
            return eti_fail_memory(err);
        modules[number] = (eti_module){keys->texts[number], parts[1], parts[2]};
    }
    return ETI_OK;
}

eti_status eti_module_stack_parse(eti_text text, eti_arena *arena, const eti_module **modules,
                                  size_t *n_modules, eti_error *err) {
    *modules = NULL;
    *n_modules = 0;
    eti_module *array = eti_arena_alloc(arena, count_entries(text), sizeof *array);
    if (!array)
        return eti_fail_memory(err);
    eti_text_table keys = {0};
    eti_status status = add_entries(text, array, &keys, err);
    if (status == ETI_OK) {
        *modules = array;
        *n_modules = keys.count;
    }
    eti_text_table_free(&keys);
    return status;
}
