#include "etrecord/lowered_module.h"

#include <string.h>

/* Number of bytes of an XNNPACK payload that contain the place of its FlatBuffer, see pte/xnnpack.h. */
#define HEADER_BYTES 18

/* ---- base64 ---------------------------------------------------------------------------------- */

typedef struct decoding {
    eti_buffer *out;
    uint32_t bits; /* read but not yet written */
    unsigned n_bits;
    size_t limit; /* largest number of bytes to write */
} decoding;

/* Returns the value of a base64 digit, or -1. */
static int digit_of(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64; anything other than a digit ends the bytes. */
static void decode(decoding *d, const unsigned char *text, size_t size) {
    for (size_t i = 0; i < size && d->out->size < d->limit; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            d->limit = d->out->size;
            return;
        }
        d->bits = (d->bits << 6 | (uint32_t)digit) & 0xffffff;
        d->n_bits += 6;
        if (d->n_bits >= 8) {
            d->n_bits -= 8;
            eti__buffer_add_char(d->out, (char)(d->bits >> d->n_bits & 0xff));
        }
    }
}

/* ---- the payload ----------------------------------------------------------------------------- */

static size_t read_u32(const char *at) {
    unsigned char bytes[4];
    memcpy(bytes, at, sizeof bytes);
    return (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 |
           (size_t)bytes[3] << 24;
}

/* Returns how much of a payload with this beginning is needed; constants follow the FlatBuffer. */
static size_t bytes_needed(const eti_buffer *payload, size_t most) {
    if (payload->size < HEADER_BYTES)
        return 0;
    if (memcmp(payload->data + 4, "XH00", 4) == 0) {
        size_t end = read_u32(payload->data + 10) + read_u32(payload->data + 14);
        return end < most ? end : most;
    }
    bool is_bare =
        memcmp(payload->data + 4, "XN00", 4) == 0 || memcmp(payload->data + 4, "XN01", 4) == 0;
    return is_bare ? most : 0;
}

/* Reads the payload in pieces, because most of its bytes are constants, which are not kept. */
static void read_payload(eti_lowered_programs *modules, eti_json *json, eti_text *out) {
    unsigned char piece[4096];
    eti_buffer bytes = {0};
    *out = (eti_text){
        NULL, 0}; /* the text of an equal key before it stays in the arena and remains counted */
    decoding d = {.out = &bytes, .limit = HEADER_BYTES};
    eti_json_text text;
    size_t n = 1;
    eti__json_text_open(&text, json);
    while (n > 0 && d.limit > bytes.size && !bytes.failed) {
        /* first a piece of the header's size, so that the digits after it are not lost */
        size_t size = bytes.size < HEADER_BYTES ? 1 : sizeof piece;
        if (eti__json_text_read(&text, piece, size, &n, NULL) != ETI_OK)
            break;
        decode(&d, piece, n);
        if (bytes.size == HEADER_BYTES && d.limit == HEADER_BYTES)
            d.limit = bytes_needed(&bytes, ETI_MOST_PAYLOAD - modules->payload_bytes);
    }
    eti__json_text_close(&text);
    bool is_kept = bytes.size >= HEADER_BYTES && d.limit >= HEADER_BYTES;
    if (bytes.failed ||
        (is_kept && !eti__arena_copy_text(modules->arena, eti__buffer_text(&bytes), out)))
        eti__json_fail_memory(json);
    modules->payload_bytes += out->size;
    eti__buffer_free(&bytes);
}

/* ---- the module ------------------------------------------------------------------------------ */

static void read_backend(eti_lowered_programs *modules, eti_json *json, eti_text *out) {
    eti_text backend;
    if (eti__json_read_string(json, &backend) &&
        !eti__arena_copy_text(modules->arena, backend, out))
        eti__json_fail_memory(json);
}

static void read_module(eti_lowered_programs *modules, eti_json *json, eti_lowered_program *out) {
    eti_text key;
    (void)eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        if (eti__json_take_null(json))
            continue;
        if (eti__text_is(key, "backend_id")) {
            read_backend(modules, json, &out->backend);
        } else if (eti__text_is(key, "processed_bytes") && modules->extent == ETI_PROGRAM_NODES) {
            read_payload(modules, json, &out->payload);
        } else if (eti__text_is(key, "original_module")) {
            eti_program_lowering nested = {.n_items = modules->n_items};
            eti__program_free(&out->program);
            eti__program_read(&out->program, modules->extent, &nested, json, modules->arena,
                              modules->scratch);
            modules->n_items = nested.n_items;
        } else {
            eti__json_skip(json);
        }
    }
}

static eti_lowered_program *add_module(eti_lowered_programs *modules) {
    eti_lowered_program *added = eti__arena_alloc_zero(modules->scratch, 1, sizeof *added);
    if (!added)
        return NULL;
    if (!modules->end)
        modules->end = &modules->first;
    *modules->end = added;
    modules->end = &added->next;
    modules->n++;
    return added;
}

void eti__lowered_module_read(eti_lowered_programs *modules, eti_json *json) {
    if (modules->n == ETI_MOST_LOWERED_MODULES) {
        eti__json_skip(json);
        return;
    }
    eti_lowered_program *out = add_module(modules);
    eti_json_text text;
    eti_json inner;
    if (!out) {
        eti__json_fail_memory(json);
        return;
    }
    eti__json_text_open(&text, json);
    eti__json_open_stream(&inner, (eti_json_source){eti__json_text_read, &text});
    read_module(modules, &inner, out);
    eti_status status = eti__json_close(&inner, NULL);
    eti__json_text_close(&text);
    if (status == ETI_ERROR_MEMORY)
        eti__json_fail_memory(json);
    if (status == ETI_OK)
        return;
    modules->n_damaged++;
    out->program.n_nodes = 0;
    out->program.nodes = NULL;
}

void eti__lowered_programs_free(eti_lowered_programs *modules) {
    for (eti_lowered_program *module = modules->first; module; module = module->next)
        eti__program_free(&module->program);
    *modules = (eti_lowered_programs){0};
}
