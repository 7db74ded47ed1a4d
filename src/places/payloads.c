#include "places/payloads.h"
#include "base/status.h"

static eti_status read_payload(eti_payloads *payloads, eti_text backend, eti_payload *out,
                               eti_error *err) {
    const eti_text bytes = {out->bytes, out->size};
    eti_error damage;
    if (!eti__is_xnnpack(backend)) {
        payloads->n_foreign++;
        payloads->backend = backend;
        return ETI_OK;
    }
    eti_status status = eti__xnnpack_read(&out->graph, payloads->arena, bytes, &damage);
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(err);
    out->is_read = status == ETI_OK;
    if (!out->is_read && payloads->n_damaged++ == 0)
        payloads->damage = damage;
    return ETI_OK;
}

eti_status eti__payloads_find(eti_payloads *payloads, eti_text backend, eti_text payload,
                              const eti_xnnpack **out, eti_error *err) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_payload),
                                         .key_size = offsetof(eti_payload, is_read)};
    const eti_payload wanted = {.bytes = payload.data, .size = payload.size};
    size_t n_known = payloads->known.count;
    uint32_t number;
    *out = NULL;
    if (!eti__intern_add(&payloads->known.table, &kind, &wanted, &number))
        return eti_fail_memory(err);
    eti_payload *found = &payloads->known.items[number];
    if (number == n_known)
        ETI_TRY(read_payload(payloads, backend, found, err));
    *out = found->is_read ? &found->graph : NULL;
    return ETI_OK;
}

void eti__payloads_free(eti_payloads *payloads) {
    eti__intern_free(&payloads->known.table);
}
