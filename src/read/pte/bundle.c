#include "read/pte/bundle.h"

#include "flatbuf/flatbuf.h"
#include "read/pte/bundled_program_schema.inc"

eti_status eti__bundle_find_program(eti_text *bytes, eti_error *err) {
    eti_flatbuf buffer;
    eti_position root = 0;
    ETI_TRY(eti__flatbuf_find(&buffer, (const uint8_t *)bytes->data, bytes->size, "BP08", err));
    buffer.has_unsure_sizes = true;
    ETI_TRY(eti__flatbuf_verify(&buffer, &bundled_program_schema, 1, &root, err));
    *bytes = eti__flatbuf_text(&buffer, root, BUNDLED_PROGRAM_PROGRAM);
    if (!bytes->data)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the bundle has no program inside");
    return ETI_OK;
}
