/*
 * container.c - reads the container of a program, and its data about all methods: see schema/program.fbs. plan.c reads the
 * methods.
 */
#include "pte/pte.h"

#include "pte/parts.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_AT 8u /* the extended header, after the root offset and the identifier */
#define HEADER_LEAST 24u
#define HEADER_WITH_SEGMENT_SIZE 32u

/* ---- the container --------------------------------------------------------------------------- */

static eti_status check_identifier(eti_pte *pte, eti_error *err) {
    if (pte->size < 8)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%" PRIu64 " bytes are too few for a program",
                        pte->size);
    memcpy(pte->identifier, pte->data + 4, 4);
    if (memcmp(pte->identifier, "ET12", 4) == 0)
        return ETI_OK;
    bool is_program = pte->identifier[0] == 'E' && pte->identifier[1] == 'T';
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    is_program ? "the program has version %.4s, but only ET12 is supported"
                               : "expected the identifier ET12 at byte 4, found %.4s",
                    pte->identifier);
}

/* Reads the extended header. Without it, all bytes are the FlatBuffer. */
static eti_status read_header(eti_pte *pte, eti_error *err) {
    const uint8_t *header = pte->data + HEADER_AT;
    pte->program_size = pte->size;
    if (pte->size < HEADER_AT + HEADER_LEAST || memcmp(header, "eh00", 4) != 0)
        return ETI_OK;
    pte->header_length = eti__load_u32(header + 4);
    if (pte->header_length < HEADER_LEAST)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "byte %" PRIu64 ": the extended header has %" PRIu32 " bytes, less than %u",
                        pte->offset + HEADER_AT + 4, pte->header_length, HEADER_LEAST);
    pte->program_size = eti__load_u64(header + 8);
    pte->segment_base = eti__load_u64(header + 16);
    if (pte->header_length >= HEADER_WITH_SEGMENT_SIZE &&
        pte->size >= HEADER_AT + HEADER_WITH_SEGMENT_SIZE)
        pte->segment_data_size = eti__load_u64(header + 24);
    if (pte->program_size > pte->size)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header the program has %" PRIu64
                        " bytes, but the file has %" PRIu64,
                        pte->program_size, pte->size);
    if (pte->segment_base > pte->size || pte->segment_data_size > pte->size - pte->segment_base)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "the file was cut short: according to its header, segments of %" PRIu64
                        " bytes begin at byte %" PRIu64 ", but the file has %" PRIu64,
                        pte->segment_data_size, pte->segment_base, pte->size);
    return ETI_OK;
}

/* ---- tables of the whole program -------------------------------------------------------------- */

static eti_status read_segments(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_SEGMENTS);
    eti_segment_room room = {pte->program_size, pte->segment_base, pte->size};
    pte->n_segments = vector.count;
    return eti__segments_read(&pte->segments, in->arena, &in->buffer, vector, &room, in->err);
}

/* ---- slots of segments ----------------------------------------------------------------------- */

static eti_status read_slots(const eti_pte_reader *in, eti_position table, eti_pte_slots *out) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, table, SUBSEGMENT_OFFSETS_OFFSETS);
    uint64_t *offsets = eti__arena_alloc(in->arena, vector.count, sizeof *offsets);
    if (!offsets)
        return eti_fail_memory(in->err);
    out->segment = eti__flatbuf_u32(&in->buffer, table, SUBSEGMENT_OFFSETS_SEGMENT_INDEX, 0);
    out->offsets = offsets;
    out->n_offsets = vector.count;
    if (vector.count > 0 && out->segment >= in->pte->n_segments)
        return eti__pte_fail_index(in, table, "segment_index", "segment", out->segment,
                                   in->pte->n_segments);
    for (uint32_t i = 0; i < vector.count; i++) {
        offsets[i] = (uint64_t)eti__flatbuf_vector_i64(&in->buffer, vector, i);
        if (offsets[i] > in->pte->segments[out->segment].size)
            return eti__pte_fail(in, vector.first + i * 8, "offsets",
                                 "an offset points outside its segment");
    }
    return ETI_OK;
}

/* Reads the constants. A program that has constants in a segment has more slots than the placeholder. */
static eti_status read_constants(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    eti_position table = eti__flatbuf_table(&in->buffer, in->root, PROGRAM_CONSTANT_SEGMENT);
    in->place = (eti_pte_place){ETI_PTE_NO_PLAN, "constant_segment", ETI_PTE_NO_NUMBER, 0, false};
    if (table)
        ETI_TRY(read_slots(in, table, &pte->constants));
    pte->has_constant_segment =
        pte->constants.n_offsets > 1 || (table && pte->n_inline_constants == 0);
    return ETI_OK;
}

static eti_status read_mutable_data(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_MUTABLE_DATA_SEGMENTS);
    eti_pte_slots *slots = eti__arena_alloc_zero(in->arena, vector.count, sizeof *slots);
    if (!slots)
        return eti_fail_memory(in->err);
    in->place.list = "mutable_data_segments";
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place.number = i;
        ETI_TRY(read_slots(in, eti__flatbuf_vector_table(&in->buffer, vector, i), &slots[i]));
    }
    in->pte->mutable_data = slots;
    in->pte->n_mutable_data = vector.count;
    return ETI_OK;
}

static eti_status read_named_data(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_NAMED_DATA);
    eti_pte_named_data *named = eti__arena_alloc(in->arena, vector.count, sizeof *named);
    if (!named)
        return eti_fail_memory(in->err);
    in->place.list = "named_data";
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(&in->buffer, vector, i);
        named[i].key = eti__flatbuf_text(&in->buffer, table, NAMED_DATA_KEY);
        named[i].segment = eti__flatbuf_u32(&in->buffer, table, NAMED_DATA_SEGMENT_INDEX, 0);
        in->place.number = i;
        if (named[i].segment >= in->pte->n_segments)
            return eti__pte_fail_index(in, table, "segment_index", "segment", named[i].segment,
                                       in->pte->n_segments);
    }
    in->pte->named_data = named;
    in->pte->n_named_data = vector.count;
    return ETI_OK;
}

/* Reads a vector of tables that contain only bytes: field `field` of the program, and field 0 of each table. */
static eti_status read_blobs(eti_pte_reader *in, unsigned field, const eti_text **out,
                             uint32_t *n) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, field);
    eti_text *blobs = eti__arena_alloc(in->arena, vector.count, sizeof *blobs);
    if (!blobs)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++)
        blobs[i] =
            eti__flatbuf_text(&in->buffer, eti__flatbuf_vector_table(&in->buffer, vector, i), 0);
    *out = blobs;
    *n = vector.count;
    return ETI_OK;
}

static eti_status read_plans(eti_pte_reader *in) {
    eti_vector vector = eti__flatbuf_vector(&in->buffer, in->root, PROGRAM_EXECUTION_PLAN);
    eti_pte_plan *plans = eti__arena_alloc_zero(in->arena, vector.count, sizeof *plans);
    if (!plans)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < vector.count; i++) {
        in->place = (eti_pte_place){.plan = i};
        ETI_TRY(
            eti__pte_read_plan(in, eti__flatbuf_vector_table(&in->buffer, vector, i), &plans[i]));
    }
    in->pte->plans = plans;
    in->pte->n_plans = vector.count;
    return ETI_OK;
}

static eti_status read_program(eti_pte_reader *in) {
    eti_pte *pte = in->pte;
    if (pte->program_size > UINT32_MAX)
        return eti_fail(in->err, ETI_ERROR_LIMIT,
                        "%" PRIu64 " bytes, but a FlatBuffer has at most %lu", pte->program_size,
                        (unsigned long)UINT32_MAX);
    in->buffer = (eti_flatbuf){.data = pte->data,
                               .size = (size_t)pte->program_size,
                               .file_offset = (size_t)pte->offset,
                               .has_unsure_sizes = true};
    ETI_TRY(eti__flatbuf_verify(&in->buffer, &program_schema, 1, &in->root, in->err));
    pte->version = eti__flatbuf_u32(&in->buffer, in->root, PROGRAM_VERSION, 0);
    ETI_TRY(read_segments(in));
    ETI_TRY(
        read_blobs(in, PROGRAM_CONSTANT_BUFFER, &pte->inline_constants, &pte->n_inline_constants));
    ETI_TRY(read_constants(in));
    ETI_TRY(read_mutable_data(in));
    ETI_TRY(read_named_data(in));
    ETI_TRY(read_blobs(in, PROGRAM_BACKEND_DELEGATE_DATA, &pte->inline_delegates,
                       &pte->n_inline_delegates));
    return read_plans(in);
}

static eti_status open_container(eti_pte *pte, eti_arena *arena, eti_error *err) {
    eti_text program = {(const char *)pte->file->data, pte->file->size};
    pte->is_bundled = pte->file->kind == ETI_FILE_BUNDLED_PROGRAM;
    if (pte->is_bundled) {
        ETI_TRY(eti__bundle_open(&pte->bundle, arena, program, err));
        program = pte->bundle.program;
    }
    pte->data = (const uint8_t *)program.data;
    pte->size = program.size;
    pte->offset = (uint64_t)(pte->data - pte->file->data);
    ETI_TRY(check_identifier(pte, err));
    return read_header(pte, err);
}

eti_status eti__pte_open(eti_pte *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    *out = (eti_pte){.file = file};
    eti_pte_reader in = {
        .pte = out, .arena = arena, .place = {.plan = ETI_PTE_NO_PLAN}, .err = err};
    eti_status status = open_container(out, arena, err);
    if (status == ETI_OK)
        status = read_program(&in);
    if (status != ETI_OK)
        eti__error_prefix(err, "%s: not a readable program", file->name);
    return status;
}

/* ---- access ---------------------------------------------------------------------------------- */

eti_text eti__pte_segment_bytes(const eti_pte *pte, uint32_t segment) {
    const eti_pte_segment *of = &pte->segments[segment];
    return (eti_text){(const char *)pte->data + of->offset, (size_t)of->size};
}

const eti_pte_plan *eti__pte_find_plan(const eti_pte *pte, eti_text method) {
    for (uint32_t i = 0; i < pte->n_plans; i++) {
        if (eti__text_equal(pte->plans[i].name, method))
            return &pte->plans[i];
    }
    return NULL;
}

const eti_pte_tensor *eti__pte_tensor_at(const eti_pte_plan *plan, int32_t value) {
    if (value < 0 || (uint32_t)value >= plan->n_values ||
        plan->values[value].kind != ETI_PTE_TENSOR)
        return NULL;
    return plan->values[value].of.as_tensor;
}
