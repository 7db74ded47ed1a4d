#include "model/tensor.h"

#include "base/status.h"
#include "tensors/tensors.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The offset of a tensor whose contents were not recorded. */
enum { NO_CONTENTS = -1 };

static eti_status count_elements(eti_tensor_view *view, eti_error *err) {
    const eti_etdump_tensor *tensor = &view->tensor;
    if (!tensor->has_sizes)
        return eti_fail(err, ETI_ERROR_MALFORMED, "Tensor.sizes is missing");
    bool empty = false;
    uint64_t product = 1;
    for (uint32_t i = 0; i < tensor->sizes.count; i++) {
        int64_t size = eti__flatbuf_vector_i64(&view->dump->buffer, tensor->sizes, i);
        if (size < 0)
            return eti_fail(err, ETI_ERROR_MALFORMED, "a tensor has size %" PRId64, size);
        empty = empty || size == 0;
        if (size > 0 && product > INT64_MAX / 16 / (uint64_t)size)
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "the product of the sizes of a tensor exceeds 64 bits");
        product *= size > 0 ? (uint64_t)size : 1;
    }
    view->n_elements = empty ? 0 : product;
    return ETI_OK;
}

/* Finds the bytes of a tensor. The offset works like the start of a Python slice: a negative one counts from the end. */
static eti_status find_bytes(eti_tensor_view *view, const struct eti_file *buffer, uint64_t n_bytes,
                             eti_error *err) {
    int64_t offset = view->tensor.offset;
    uint64_t size = buffer->size;
    uint64_t start = (uint64_t)offset;
    if (offset == NO_CONTENTS)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the %" PRIu64 " bytes of a tensor were not recorded (its offset is -1), "
                        "because the debug buffer was full",
                        n_bytes);
    if (offset < 0) {
        uint64_t back = 0 - (uint64_t)offset;
        start = back > size ? UINT64_MAX : size - back;
    }
    if (start > size || n_bytes > size - start)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "a tensor's %" PRIu64 " bytes at offset %" PRId64
                        " lie outside the debug buffer %s of %zu bytes (is it the one that was "
                        "written with this ETDump?)",
                        n_bytes, offset, buffer->name, buffer->size);
    view->data = buffer->data + start;
    view->n_bytes = (size_t)n_bytes;
    return ETI_OK;
}

bool eti__tensor_is_recorded(const eti_etdump *dump, eti_position tensor) {
    return eti__etdump_read_tensor(dump, tensor).offset != NO_CONTENTS;
}

eti_status eti__tensor_read(eti_tensor_view *out, const eti_etdump *dump, eti_position tensor,
                            const struct eti_file *debug_buffer, eti_error *err) {
    *out = (eti_tensor_view){.dump = dump, .tensor = eti__etdump_read_tensor(dump, tensor)};
    ETI_TRY(count_elements(out, err));
    uint64_t n_bytes = out->n_elements * eti__scalar_type(out->tensor.scalar_type)->width;
    if (!debug_buffer || n_bytes == 0)
        return ETI_OK;
    return find_bytes(out, dump->debug_buffer ? dump->debug_buffer : debug_buffer, n_bytes, err);
}

static bool shapes_equal(const eti_tensor_view *a, const eti_tensor_view *b) {
    if (a->tensor.sizes.count != b->tensor.sizes.count)
        return false;
    for (uint32_t i = 0; i < a->tensor.sizes.count; i++) {
        if (eti__flatbuf_vector_i64(&a->dump->buffer, a->tensor.sizes, i) !=
            eti__flatbuf_vector_i64(&b->dump->buffer, b->tensor.sizes, i))
            return false;
    }
    return true;
}

/* Loads up to eight bytes, lowest first. */
static uint64_t load_word(const uint8_t *bytes, size_t n) {
    uint64_t word = 0;
    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Returns whether floats with different bits are equal, which only zeros of either sign are. `low` has the lowest bit of
 * each element in the word. */
static bool floats_equal(uint64_t a, uint64_t b, uint64_t low, size_t width) {
    uint64_t signs = low << (8 * width - 1);
    uint64_t magnitudes = a & ~signs;
    uint64_t not_zero =
        (magnitudes + (signs - low)) & signs; /* no carry reaches the next element */
    return ((a ^ b) & ~signs) == 0 && ((a ^ b) & not_zero) == 0;
}

/* Sets the highest bit of each byte that is not zero. */
static uint64_t truths(uint64_t word) {
    const uint64_t rest = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return (((word & rest) + rest) | word) & ~rest;
}

/* Returns whether elements with different bits are equal: zeros of either sign, or two representations of true. Compares
 * words of eight bytes, because all elements may be such. */
static bool elements_equal(const uint8_t *a, const uint8_t *b, size_t n_bytes,
                           const eti_scalar_type *type) {
    static const uint64_t lowest_bits[] = {
        [1] = UINT64_C(0x0101010101010101),
        [2] = UINT64_C(0x0001000100010001),
        [4] = UINT64_C(0x0000000100000001),
        [8] = 1,
    };
    bool is_bool = type->kind == ETI_ELEMENT_TRUTH;
    if (!is_bool && !type->is_float)
        return false;
    for (size_t at = 0; at < n_bytes; at += 8) {
        size_t n = n_bytes - at < 8 ? n_bytes - at : 8;
        uint64_t x = load_word(a + at, n), y = load_word(b + at, n);
        if (is_bool ? truths(x) != truths(y)
                    : !floats_equal(x, y, lowest_bits[type->width], type->width))
            return false;
    }
    return true;
}

bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b) {
    if (a->tensor.scalar_type != b->tensor.scalar_type || !shapes_equal(a, b))
        return false;
    if (!a->data || !b->data || a->data == b->data || memcmp(a->data, b->data, a->n_bytes) == 0)
        return true;
    return elements_equal(a->data, b->data, a->n_bytes, eti__scalar_type(a->tensor.scalar_type));
}
