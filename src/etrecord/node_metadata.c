#include "etrecord/node_metadata.h"

#include "base/intern.h"
#include "base/python.h"
#include "base/status.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

/* ---- debug_handle ---------------------------------------------------------------------------- */

/* Parses digits with single "_" between them, up to 2 ** 63. */
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
    return digit_before && *out <= (uint64_t)INT64_MAX + 1;
}

eti_status eti__debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                   eti_error *err) {
    *handle = 0;
    *has_handle = text.size > 0;
    if (!*has_handle)
        return ETI_OK;
    eti_text digits = eti__python_strip_number(text);
    bool negative = digits.size > 0 && digits.data[0] == '-';
    if (negative || (digits.size > 0 && digits.data[0] == '+'))
        digits = (eti_text){digits.data + 1, digits.size - 1};
    uint64_t magnitude;
    if (!parse_magnitude(digits, &magnitude) || (!negative && magnitude > INT64_MAX))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "debug_handle: expected an integer, found \"%.*s\"", ETI_TEXT_ARGS(text));
    uint64_t bits = negative ? 0 - magnitude : magnitude;
    memcpy(handle, &bits, sizeof *handle);
    return ETI_OK;
}

/* ---- nn_module_stack ------------------------------------------------------------------------- */

/* Splits `*rest` at the next ';'; returns false if nothing is left. */
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

/* Splits "key,path,type"; returns false if there are not exactly three parts, or if a bracket is closed before it is
 * opened. */
static bool split_entry(eti_text entry, eti_text parts[3]) {
    static const bool is_special[UCHAR_MAX + 1] = {
        [','] = true, ['['] = true, ['('] = true, [']'] = true, [')'] = true};
    size_t n = 0;
    size_t start = 0;
    size_t depth = 0;
    for (size_t i = 0; i <= entry.size; i++) {
        while (i < entry.size && !is_special[(unsigned char)entry.data[i]])
            i++;
        bool at_end = i == entry.size;
        int c = at_end ? ',' : entry.data[i];
        if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            if (depth-- == 0)
                return false;
        } else if (depth == 0 || at_end) {
            if (n == 3)
                return false;
            parts[n++] = eti__python_strip((eti_text){entry.data + start, i - start});
            start = i + 1;
        }
    }
    return n == 3;
}

typedef struct module_list {
    eti_module *modules;
    size_t n;
    size_t longest_key;
    eti_text_table
        keys; /* keys of all modules; empty as long as every key was longer than those before */
} module_list;

/* Finds the place of a key. Of equal keys, the last value counts, in the place of the first. A module's key is longer
 * than that of the enclosing module, so that look-ups are rarely needed. */
static bool find_place(module_list *list, eti_text key, size_t *place) {
    bool is_longest = list->n == 0 || key.size > list->longest_key;
    uint32_t number;
    *place = list->n;
    if (is_longest)
        list->longest_key = key.size;
    if (is_longest && list->keys.count == 0)
        return true;
    while (list->keys.count < list->n) {
        if (!eti__text_table_add(&list->keys, list->modules[list->keys.count].key, NULL, &number))
            return false;
    }
    if (!eti__text_table_add(&list->keys, key, NULL, &number))
        return false;
    *place = number;
    return true;
}

static eti_status read_entries(eti_text text, module_list *list, eti_error *err) {
    eti_text entry;
    while (next_entry(&text, &entry)) {
        eti_text parts[3];
        size_t place;
        if (!split_entry(entry, parts))
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "nn_module_stack: expected \"key,path,type\", found \"%.*s\"",
                            ETI_TEXT_ARGS(entry));
        if (!find_place(list, parts[0], &place))
            return eti_fail_memory(err);
        list->modules[place] = (eti_module){parts[0], parts[1], parts[2]};
        list->n += place == list->n;
    }
    return ETI_OK;
}

static size_t count_entries(eti_text text) {
    size_t n = 0;
    eti_text ignored;
    while (next_entry(&text, &ignored))
        n++;
    return n;
}

/* Counts the entries before it allocates, because a module is much larger than ",,;". */
eti_status eti__module_stack_parse(eti_text text, size_t *left, eti_arena *arena,
                                   const eti_module **modules, size_t *n_modules, eti_error *err) {
    size_t n = count_entries(text);
    *modules = NULL;
    *n_modules = 0;
    if (n > *left)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "nn_module_stack: more than %zu modules in all stacks of the graph",
                        ETI_MOST_MODULES);
    *left -= n;
    module_list list = {.modules = eti__arena_alloc(arena, n, sizeof *list.modules)};
    if (!list.modules)
        return eti_fail_memory(err);
    eti_status status = read_entries(text, &list, err);
    eti__text_table_free(&list.keys);
    if (status != ETI_OK)
        return status;
    *modules = list.modules;
    *n_modules = list.n;
    return ETI_OK;
}
