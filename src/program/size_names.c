#include "program/size_names.h"

#include "backends/backends.h"

static const eti_intern_kind name_kind = ETI_INTERN_BY_TEXT(eti_size_name);

bool eti__size_names_add(eti_size_names *names, eti_text key, uint32_t row) {
    const eti_size_name name = {key, row, false};
    uint32_t number;
    return eti__intern_add(&names->names.table, &name_kind, &name, &number);
}

bool eti__size_names_ask(eti_size_names *names, eti_text key, uint64_t n_bytes, uint32_t *row) {
    const eti_size_name name = {key, ETI_NO_ROW, false};
    uint32_t number;
    if (!eti__intern_add(&names->names.table, &name_kind, &name, &number))
        return false;
    eti_size_name *found = &names->names.items[number];
    uint64_t sum;
    if (found->row == ETI_NO_ROW && !found->is_asked_for && n_bytes != ETI_PTE_UNKNOWN_SIZE &&
        !__builtin_add_overflow(names->n_missing, n_bytes, &sum))
        names->n_missing = sum;
    found->is_asked_for = true;
    *row = found->row;
    return true;
}

/* Reads the names that a payload requests; an unreadable payload requests none. */
static eti_status ask_payload(eti_size_names *names, eti_size_payload *payload, eti_error *err) {
    const eti_text bytes = {payload->bytes, payload->size};
    eti_arena scratch = {0};
    eti_xnnpack read;
    eti_error ignored;
    bool fits = payload->size <= names->n_left;
    eti_status status =
        fits ? eti__xnnpack_read(&read, &scratch, bytes, &ignored) : ETI_ERROR_LIMIT;
    uint32_t *rows =
        status == ETI_OK ? eti__arena_alloc(names->arena, read.n_keys, sizeof *rows) : NULL;
    bool done = status != ETI_ERROR_MEMORY && (status != ETI_OK || rows);
    names->n_left -= fits ? payload->size : 0;
    names->is_unsure = names->is_unsure || status != ETI_OK;
    payload->rows = (eti_row_list){rows, 0};
    for (uint32_t i = 0; rows && i < read.n_keys && done; i++) {
        uint32_t row;
        done = eti__size_names_ask(names, read.keys[i].name, read.keys[i].n_bytes, &row);
        if (done && row != ETI_NO_ROW)
            rows[payload->rows.n++] = row;
    }
    eti__arena_free(&scratch);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__size_names_ask_delegate(eti_size_names *names, const eti_pte_delegate *delegate,
                                        eti_row_list *rows, eti_error *err) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_size_payload),
                                         .key_size = offsetof(eti_size_payload, rows)};
    const eti_size_payload payload = {.bytes = delegate->payload.data,
                                      .size = delegate->payload.size};
    size_t n_known = names->payloads.count;
    uint32_t number;
    *rows = (eti_row_list){NULL, 0};
    if (!eti__is_xnnpack(delegate->id)) {
        names->is_unsure = true;
        return ETI_OK;
    }
    if (!eti__intern_add(&names->payloads.table, &kind, &payload, &number))
        return eti_fail_memory(err);
    if (number == n_known)
        ETI_TRY(ask_payload(names, &names->payloads.items[number], err));
    *rows = names->payloads.items[number].rows;
    return ETI_OK;
}

bool eti__size_names_is_asked_for(const eti_size_names *names, eti_text key) {
    const eti_size_name name = {.key = key};
    uint32_t number;
    return eti__intern_find(&names->names.table, &name_kind, &name, &number) &&
           names->names.items[number].is_asked_for;
}

uint32_t eti__size_names_count_missing(const eti_size_names *names) {
    uint32_t n = 0;
    for (size_t i = 0; i < names->names.count; i++)
        n += names->names.items[i].row == ETI_NO_ROW;
    return n;
}

void eti__size_names_free(eti_size_names *names) {
    eti__intern_free(&names->names.table);
    eti__intern_free(&names->payloads.table);
}
