#include "base/status.h"
#include "read/read.h"

/* Makes the repaired text of a new one. */
static eti_status repair(eti_repairs *repairs, eti_repaired_text *item, eti_error *err) {
    eti_buffer text = {0};
    eti__buffer_add_utf8(&text, item->found);
    if (!text.failed && text.size > repairs->left) {
        eti__buffer_free(&text);
        return eti_fail(err, ETI_ERROR_LIMIT, "texts that are not UTF-8 overlap in the file");
    }
    repairs->left -= text.size;
    bool done = !text.failed &&
                eti__arena_copy_text(repairs->arena, eti__buffer_text(&text), &item->repaired);
    eti__buffer_free(&text);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__repairs_apply(eti_repairs *repairs, eti_text *text, eti_error *err) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_repaired_text),
                                         .key_size = sizeof(eti_text)};
    const eti_repaired_text found = {.found = *text};
    uint32_t number, n_known = (uint32_t)repairs->texts.count;
    if (!text->data || eti__text_valid_utf8(*text) == text->size)
        return ETI_OK;
    if (!eti__intern_add(&repairs->texts.table, &kind, &found, &number))
        return eti_fail_memory(err);
    if (number == n_known)
        ETI_TRY(repair(repairs, &repairs->texts.items[number], err));
    *text = repairs->texts.items[number].repaired;
    return ETI_OK;
}

void eti__repairs_free(eti_repairs *repairs) {
    eti__intern_free(&repairs->texts.table);
}
