#include "table/list_text.h"

#include "base/numbers.h"
#include "base/python.h"

bool eti__cell_is_list(const eti_cell *cell) {
    return cell->kind >= ETI_CELL_DOUBLES && cell->kind <= ETI_CELL_TEXTS;
}

static void add_double(eti_buffer *out, double value) {
    char text[ETI_DOUBLE_TEXT_MAX];
    size_t size = eti__double_repr(text, value);
    eti__buffer_add(out, text, size);
}

static void add_text(eti_buffer *out, eti_text text) {
    if (text.data)
        eti__python_add_str(out, text);
    else
        eti__buffer_add_string(out, "None");
}

static void add_comma(eti_buffer *out, size_t i) {
    if (i > 0)
        eti__buffer_add(out, ", ", 2);
}

void eti__list_add(eti_buffer *out, const eti_cell *cell) {
    const uint64_t *uints = cell->items;
    const int64_t *ints = cell->items;
    const double *doubles = cell->items;
    const eti_text *texts = cell->items;
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; i < cell->n_items; i++) {
        add_comma(out, i);
        if (cell->kind == ETI_CELL_UINTS)
            eti__buffer_add_u64(out, uints[i]);
        else if (cell->kind == ETI_CELL_INTS)
            eti__buffer_add_i64(out, ints[i]);
        else if (cell->kind == ETI_CELL_DOUBLES)
            add_double(out, doubles[i]);
        else
            add_text(out, texts[i]);
    }
    eti__buffer_add_char(out, ']');
}
