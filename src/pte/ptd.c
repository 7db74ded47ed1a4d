#include "pte/ptd.h"

#include "base/sort.h"
#include "read/read.h"

#include "pte/flat_tensor_schema.inc"

#include <inttypes.h>
#include <string.h>

/* ==== segment ================================================================================= */

/* Fields of DataSegment, which program.fbs and flat_tensor.fbs define in the same way. */
enum { OFFSET, SIZE };

/* Fails because of segment `i` of the vector. */
static eti_status fail_segment(const eti_flatbuf *buffer, eti_vector vector, uint32_t i,
                               const char *wrong, eti_error *err) {
    eti_position table = eti__flatbuf_vector_table(buffer, vector, i);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "byte %zu: segments[%" PRIu32 "]: %" PRIu64 " bytes at %" PRIu64 " %s",
                    buffer->file_offset + table, i, eti__flatbuf_u64(buffer, table, SIZE, 0),
                    eti__flatbuf_u64(buffer, table, OFFSET, 0), wrong);
}

static int compare_offsets(const void *a, const void *b, void *context) {
    const eti_pte_segment *segments = context;
    const eti_pte_segment *x = &segments[*(const uint32_t *)a],
                          *y = &segments[*(const uint32_t *)b];
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Returns whether the segments are in order, as exporters write them, and do not overlap. */
static bool are_in_order(const eti_pte_segment *segments, uint32_t n) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (segments[i].size == 0)
            continue;
        if (segments[i].offset < end)
            return false;
        end = segments[i].offset + segments[i].size;
    }
    return true;
}

/* Sets `*overlapping` to a segment that begins inside another one, or to UINT32_MAX. */
static eti_status find_overlap(eti_pte_segment *segments, uint32_t n, eti_arena *arena,
                               uint32_t *overlapping, eti_error *err) {
    *overlapping = UINT32_MAX;
    if (are_in_order(segments, n))
        return ETI_OK;
    uint32_t *order = eti__arena_alloc(arena, n, sizeof *order);
    if (!order)
        return eti_fail_memory(err);
    uint32_t n_filled = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (segments[i].size > 0)
            order[n_filled++] = i;
    }
    eti__sort(order, n_filled, sizeof *order, compare_offsets, segments);
    for (uint32_t i = 1; i < n_filled; i++) {
        const eti_pte_segment *before = &segments[order[i - 1]];
        if (segments[order[i]].offset < before->offset + before->size)
            *overlapping = order[i];
    }
    return ETI_OK;
}

eti_status eti__segments_read(const eti_pte_segment **out, eti_arena *arena,
                              const eti_flatbuf *buffer, eti_vector vector,
                              const eti_segment_room *room, eti_error *err) {
    eti_pte_segment *segments = eti__arena_alloc(arena, vector.count, sizeof *segments);
    if (!segments)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(buffer, vector, i);
        uint64_t offset = eti__flatbuf_u64(buffer, table, OFFSET, 0);
        uint64_t size = eti__flatbuf_u64(buffer, table, SIZE, 0);
        if (offset > room->end - room->base || size > room->end - room->base - offset)
            return fail_segment(buffer, vector, i, "lie outside the file (is it truncated?)", err);
        segments[i] = (eti_pte_segment){room->base + offset, size};
        if (size > 0 && segments[i].offset < room->metadata_end)
            return fail_segment(buffer, vector, i, "overlap the metadata", err);
    }
    uint32_t overlapping;
    ETI_TRY(find_overlap(segments, vector.count, arena, &overlapping, err));
    if (overlapping != UINT32_MAX)
        return fail_segment(buffer, vector, overlapping, "overlap those of another segment", err);
    *out = segments;
    return ETI_OK;
}

/* ==== tensor ================================================================================== */

/* Computes the number of bytes. Returns why the sizes are impossible; NULL if they are possible. */
static const char *count_bytes(eti_pte_tensor *tensor) {
    uint64_t n = eti__scalar_type(tensor->scalar_type)->width;
    bool is_empty = false, is_known = n > 0 && tensor->dynamism != ETI_PTE_UNBOUND;
    for (uint32_t i = 0; i < tensor->n_dims; i++) {
        if (tensor->sizes[i] < 0)
            return "a size is negative";
        is_empty = is_empty || tensor->sizes[i] == 0;
    }
    for (uint32_t i = 0; i < tensor->n_dims && !is_empty; i++) {
        if (__builtin_mul_overflow(n, (uint64_t)tensor->sizes[i], &n) || n > INT64_MAX)
            return "their product is too large for any memory";
    }
    tensor->n_bytes = !is_known ? ETI_PTE_UNKNOWN_SIZE : is_empty ? 0 : n;
    return NULL;
}

eti_status eti__tensor_read_shape(eti_pte_tensor *out, eti_arena *arena, const eti_flatbuf *buffer,
                                  eti_vector sizes, eti_text dim_order, const char **field,
                                  const char **wrong) {
    int32_t *copy = eti__arena_alloc(arena, sizes.count, sizeof *copy);
    if (!copy)
        return ETI_ERROR_MEMORY;
    for (uint32_t i = 0; i < sizes.count; i++)
        copy[i] = eti__flatbuf_vector_i32(buffer, sizes, i);
    out->sizes = copy;
    out->n_dims = sizes.count;
    *field = "sizes";
    *wrong = count_bytes(out);
    if (*wrong)
        return ETI_ERROR_MALFORMED;
    *field = "dim_order";
    *wrong = "has a different length from the sizes";
    if (dim_order.size != sizes.count && dim_order.size > 0)
        return ETI_ERROR_MALFORMED;
    *wrong = "names a dimension that does not exist";
    for (size_t i = 0; i < dim_order.size; i++) {
        if ((uint8_t)dim_order.data[i] >= sizes.count)
            return ETI_ERROR_MALFORMED;
    }
    out->dim_order = dim_order.size > 0 ? (const uint8_t *)dim_order.data : NULL;
    return ETI_OK;
}

/* ==== ptd ===================================================================================== */
/* Reads data files.
 *
 * 0  u32 root offset | "FT01" | "FH01" | u32 length | u64 FlatBuffer's offset | u64 its size | u64
 * segments' base |
 *      u64 size of all segments | FlatBuffer | padding | segments */

const eti_table_schema *const eti__ptd_schema = &flat_tensor_schema;

#define HEADER_AT 8u /* after the root offset and the identifier */
#define HEADER_SIZE 40u

typedef struct eti_ptd_reader {
    eti_ptd *ptd;
    eti_flatbuf buffer;
    eti_position root;
    eti_arena *arena;
    eti_repairs *repairs;
    eti_error *err;
} eti_ptd_reader;

/* ---- the header ------------------------------------------------------------------------------ */

static eti_status check_header(const struct eti_file *file, eti_error *err) {
    if (file->size < HEADER_AT + HEADER_SIZE)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%zu bytes are too few for a data file",
                        file->size);
    if (memcmp(file->data + HEADER_AT, "FH01", 4) != 0)
        return eti_fail(err, ETI_ERROR_MALFORMED, "expected the header FH01 at byte 8, found %.4s",
                        (const char *)file->data + HEADER_AT);
    return ETI_OK;
}

/* Reads the header. The FlatBuffer continues at the offset given in it, but all offsets in the FlatBuffer count from byte
 * 0. */
static eti_status read_header(eti_ptd_reader *in) {
    eti_ptd *ptd = in->ptd;
    eti_flatbuf header = {.data = ptd->file->data + HEADER_AT, .size = HEADER_SIZE};
    uint64_t offset = eti__flatbuf_load_u64(&header, 8), size = eti__flatbuf_load_u64(&header, 16);
    uint64_t file_size = ptd->file->size;
    ptd->header_length = eti__flatbuf_load_u32(&header, 4);
    ptd->segment_base = eti__flatbuf_load_u64(&header, 24);
    ptd->segment_data_size = eti__flatbuf_load_u64(&header, 32);
    if (ptd->header_length < HEADER_SIZE)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "byte %u: the header has %" PRIu32 " bytes, less than %u", HEADER_AT + 4,
                        ptd->header_length, HEADER_SIZE);
    if (offset > file_size || size > file_size - offset)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header, %" PRIu64
                        " bytes of metadata begin at byte %" PRIu64 ", but the file has %" PRIu64,
                        size, offset, file_size);
    if (ptd->segment_base > file_size || ptd->segment_data_size > file_size - ptd->segment_base)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header, segments of %" PRIu64
                        " bytes begin at byte %" PRIu64 ", but the file has %" PRIu64,
                        ptd->segment_data_size, ptd->segment_base, file_size);
    ptd->metadata_size = offset + size;
    return ETI_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

static eti_status read_layout(const eti_ptd_reader *in, eti_position table, uint32_t number,
                              eti_ptd_entry *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_pte_tensor *tensor = eti__arena_alloc_zero(in->arena, 1, sizeof *tensor);
    if (!tensor)
        return eti_fail_memory(in->err);
    const char *field = NULL, *wrong = NULL;
    tensor->scalar_type = eti__flatbuf_i8(buffer, table, TENSOR_LAYOUT_SCALAR_TYPE, 0);
    eti_status status = eti__tensor_read_shape(
        tensor, in->arena, buffer, eti__flatbuf_vector(buffer, table, TENSOR_LAYOUT_SIZES),
        eti__flatbuf_text(buffer, table, TENSOR_LAYOUT_DIM_ORDER), &field, &wrong);
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(in->err);
    if (status != ETI_OK)
        return eti_fail(in->err, status,
                        "byte %" PRIu32 ": named_data[%" PRIu32 "].tensor_layout.%s: %s", table,
                        number, field, wrong);
    out->tensor = tensor;
    if (tensor->n_bytes != ETI_PTE_UNKNOWN_SIZE &&
        tensor->n_bytes > in->ptd->segments[out->segment].size)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "byte %" PRIu32 ": named_data[%" PRIu32
                        "]: its segment has fewer bytes than the tensor",
                        table, number);
    return ETI_OK;
}

static eti_status read_entry(const eti_ptd_reader *in, eti_position table, uint32_t number,
                             eti_ptd_entry *out) {
    const eti_flatbuf *buffer = &in->buffer;
    eti_position layout = eti__flatbuf_table(buffer, table, NAMED_DATA_TENSOR_LAYOUT);
    *out = (eti_ptd_entry){
        .key = eti__flatbuf_text(buffer, table, NAMED_DATA_KEY), /* made UTF-8 below */
        .segment = eti__flatbuf_u32(buffer, table, NAMED_DATA_SEGMENT_INDEX, 0),
    };
    if (out->segment >= in->ptd->n_segments)
        return eti_fail(in->err, ETI_ERROR_MALFORMED,
                        "byte %" PRIu32 ": named_data[%" PRIu32
                        "].segment_index: there is no segment %" PRIu32 "; there are %" PRIu32,
                        table, number, out->segment, in->ptd->n_segments);
    ETI_TRY(eti__repairs_apply(in->repairs, &out->key, in->err));
    return layout ? read_layout(in, layout, number, out) : ETI_OK;
}

static eti_status read_entries(const eti_ptd_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, FLAT_TENSOR_NAMED_DATA);
    eti_ptd_entry *entries = eti__arena_alloc(in->arena, vector.count, sizeof *entries);
    if (!entries)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++)
        ETI_TRY(read_entry(in, eti__flatbuf_vector_table(&in->buffer, vector, i), i, &entries[i]));
    in->ptd->entries = entries;
    in->ptd->n_entries = vector.count;
    return ETI_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static eti_status read_file(eti_ptd_reader *in) {
    eti_ptd *ptd = in->ptd;
    ETI_TRY(check_header(ptd->file, in->err));
    ETI_TRY(read_header(in));
    if (ptd->metadata_size > UINT32_MAX)
        return eti_fail(in->err, ETI_ERROR_LIMIT,
                        "%" PRIu64 " bytes, but a FlatBuffer has at most %lu", ptd->metadata_size,
                        (unsigned long)UINT32_MAX);
    in->buffer = (eti_flatbuf){
        .data = ptd->file->data, .size = (size_t)ptd->metadata_size, .has_unsure_sizes = true};
    ETI_TRY(eti__flatbuf_verify(&in->buffer, &flat_tensor_schema, 1, &in->root, in->err));
    ptd->version = eti__flatbuf_u32(&in->buffer, in->root, FLAT_TENSOR_VERSION, 0);
    eti_vector segments = eti__flatbuf_vector(&in->buffer, in->root, FLAT_TENSOR_SEGMENTS);
    eti_segment_room room = {ptd->metadata_size, ptd->segment_base, ptd->file->size};
    ptd->n_segments = segments.count;
    ETI_TRY(eti__segments_read(&ptd->segments, in->arena, &in->buffer, segments, &room, in->err));
    return read_entries(in);
}

eti_status eti__ptd_open(eti_ptd *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    *out = (eti_ptd){.file = file};
    eti_repairs repairs = {.arena = arena, .left = 3 * (uint64_t)file->size};
    eti_ptd_reader in = {.ptd = out, .arena = arena, .repairs = &repairs, .err = err};
    eti_status status = read_file(&in);
    if (status != ETI_OK)
        eti__error_prefix(err, "%s: not a readable data file", file->name);
    eti__repairs_free(&repairs);
    return status;
}
