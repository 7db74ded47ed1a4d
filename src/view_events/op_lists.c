#include "view_events/op_lists.h"

#include "base/python.h"

/* Longer lists have each operator once. The number does not depend on the inputs, so that the same event always has the
 * same list. */
#define MOST_REPEATED 32

/* From this many operators on, the text names only the first two and the last. */
#define MANY 5

/* ---- lists without repetition ---------------------------------------------------------------- */

static const eti_intern_kind distinct_kind = {.item_size = sizeof(eti_distinct_ops),
                                              .key_size = offsetof(eti_distinct_ops, op_types)};

static bool list_distinct(eti_op_lists *lists, eti_distinct_ops *list) {
    eti_shared_texts seen = {.texts.count = 0};
    uint32_t number;
    bool done = true;
    for (size_t i = 0; i < list->n_of && done; i++)
        done = eti__shared_texts_add(&seen, list->of[i], &number);
    list->op_types = done ? eti__shared_texts_copy(&seen, &lists->arena) : NULL;
    list->n = list->op_types ? seen.texts.count : 0;
    eti__shared_texts_free(&seen);
    return list->op_types != NULL;
}

bool eti__op_lists_add(eti_op_lists *lists, const eti_event_record *record) {
    const eti_distinct_ops list = {.of = record->op_types, .n_of = record->n_op_types};
    size_t n_known = lists->distinct.count;
    uint32_t number;
    if (list.n_of <= MOST_REPEATED)
        return true;
    return eti__intern_add(&lists->distinct.table, &distinct_kind, &list, &number) &&
           (number < n_known || list_distinct(lists, &lists->distinct.items[number]));
}

const eti_text *eti__op_lists_of(const eti_op_lists *lists, const eti_event_record *record,
                                 size_t *n) {
    const eti_distinct_ops wanted = {.of = record->op_types, .n_of = record->n_op_types};
    uint32_t number;
    *n = record->n_op_types;
    if (!eti__intern_find(&lists->distinct.table, &distinct_kind, &wanted, &number))
        return record->op_types;
    *n = lists->distinct.items[number].n;
    return lists->distinct.items[number].op_types;
}

void eti__op_lists_free(eti_op_lists *lists) {
    eti__intern_free(&lists->distinct.table);
    eti__arena_free(&lists->arena);
}

uint64_t eti__op_list_size(const eti_text *op_types, size_t n, uint64_t most) {
    uint64_t size = 0;
    for (size_t i = 0; i < n && size <= most; i++)
        size += op_types[i].size + ETI_LIST_ITEM_BYTES;
    return size;
}

/* ---- the Inspector's text -------------------------------------------------------------------- */

static void add_quoted_raw(eti_buffer *out, const char *before, eti_text name) {
    eti__buffer_add_string(out, before);
    eti__buffer_add_char(out, '\'');
    eti__buffer_add_text(out, name);
    eti__buffer_add_char(out, '\'');
}

void eti__op_list_add_text(eti_buffer *out, const eti_text *op_types, size_t n) {
    eti__buffer_add_char(out, '[');
    if (n < MANY) {
        for (size_t i = 0; i < n; i++) {
            eti__buffer_add_string(out, i ? ", " : "");
            eti__python_add_str(out, op_types[i]);
        }
        eti__buffer_add_char(out, ']');
    } else {
        add_quoted_raw(out, "", op_types[0]);
        add_quoted_raw(out, ", ", op_types[1]);
        add_quoted_raw(out, " ... ", op_types[n - 1]);
        eti__buffer_printf(out, "] (%zu total)", n);
    }
}

uint64_t eti__op_list_text_size(const eti_text *op_types, size_t n) {
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        if (n >= MANY && i == 2)
            i = n - 1;
        size += op_types[i].size;
    }
    return size;
}
