#include "backends/adapters.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* ==== ethos-u event =========================================================================== */
/* The backend for Ethos-U marks its steps with plain events, which have no delegate's identifier. An event
 * inside another has a "+" before its name, and the name of the outer one in it:
 *
 *     EthosUBackend::execute()
 *     +EthosUBackend::execute()handles.input.memcpy()
 *     +EthosUBackend::execute()NPU
 *     +EthosUBackend::init()… */

/* Takes "EthosUBackend::", with a "+" before it or without. */
static bool take_class(eti_text *name) {
    eti_text rest = *name;
    (void)eti__text_take(&rest, "+");
    if (!eti__text_take(&rest, "EthosUBackend::"))
        return false;
    *name = rest;
    return true;
}

bool eti__ethosu_owns(const eti_logged_event *logged) {
    eti_text name = logged->name;
    return !logged->has_id && take_class(&name);
}

bool eti__ethosu_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena) {
    eti_text step = logged->name;
    (void)arena;
    out->clock = ETI_CLOCK_HOST;
    out->role = ETI_DELEGATE_WRAPPER;
    if (!take_class(&step)) {
        out->role = ETI_DELEGATE_NODE;
    } else if (eti__text_take(&step, "init()")) {
        out->role = ETI_DELEGATE_LOAD;
    } else if (eti__text_take(&step, "execute()") && eti__text_is(step, "NPU")) {
        out->role = ETI_DELEGATE_DEVICE;
        out->compute_unit = eti__text_of("NPU");
    } else if (eti__text_begins_with(step, "handles.")) {
        out->role = ETI_DELEGATE_TRANSFER;
    }
    return true;
}

/* ==== vela stream ============================================================================= */
/* The payload is what the compiler Vela writes (little-endian): blocks, each padded to 16 bytes.
 *
 *      0  name, 16 bytes, padded with NUL      16  i32 number of bytes      20  u8 external, 11 bytes
 *     32  the bytes
 *
 * The first block is vela_bin_stream and the last one vela_end_stream. */

#define HEADER_BYTES 32u
#define NAME_BYTES 16u
#define ALIGNMENT 16u

typedef struct vela_block {
    eti_text name, bytes;
} vela_block;

static uint32_t load_u32(const char *at) {
    const unsigned char *bytes = (const unsigned char *)at;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Takes the next block from the front of `rest`. */
static eti_status take_block(vela_block *out, eti_text *rest, size_t at, eti_error *err) {
    if (rest->size < HEADER_BYTES)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "byte %zu: expected a block of Vela, but only %zu bytes are left", at,
                        rest->size);
    const char *end = memchr(rest->data, '\0', NAME_BYTES);
    out->name = (eti_text){rest->data, end ? (size_t)(end - rest->data) : NAME_BYTES};
    uint32_t n = load_u32(rest->data + NAME_BYTES);
    size_t n_left = rest->size - HEADER_BYTES;
    if (n > n_left)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "byte %zu: a block of Vela has %" PRIu32 " bytes, but %zu are left", at, n,
                        n_left);
    out->bytes = (eti_text){rest->data + HEADER_BYTES, n};
    size_t n_padded = n + (ALIGNMENT - n % ALIGNMENT) % ALIGNMENT;
    size_t n_taken = HEADER_BYTES + (n_padded < n_left ? n_padded : n_left);
    *rest = eti__text_from(*rest, n_taken);
    return ETI_OK;
}

/* Adds the size that a block holds. */
static eti_status add_block(eti_vela *out, const vela_block *block, size_t at, eti_error *err) {
    if (eti__text_is(block->name, "cmd_data"))
        out->command_bytes = block->bytes.size;
    else if (eti__text_is(block->name, "weight_data"))
        out->weight_bytes = block->bytes.size;
    else if (eti__text_is(block->name, "scratch_size")) {
        if (block->bytes.size < sizeof(uint32_t))
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "byte %zu: scratch_size has %zu bytes, fewer than 4", at,
                            block->bytes.size);
        out->has_scratch = true;
        out->scratch_bytes = load_u32(block->bytes.data);
    }
    return ETI_OK;
}

eti_status eti__vela_read(eti_vela *out, eti_text payload, eti_error *err) {
    eti_text rest = payload;
    vela_block block;
    *out = (eti_vela){0};
    if (!eti__text_begins_with(payload, "vela_bin_stream"))
        return eti_fail(err, ETI_ERROR_MALFORMED, "not a payload of Vela");
    do {
        size_t at = payload.size - rest.size;
        ETI_TRY(take_block(&block, &rest, at, err));
        ETI_TRY(add_block(out, &block, at, err));
    } while (!eti__text_is(block.name, "vela_end_stream"));
    return ETI_OK;
}
