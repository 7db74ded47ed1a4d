/*
 * shapes.c - vtables: the size of the vtable, the size of the table, and for each field where the
 * table has it; 0: nowhere.
 */
#include "capture/shapes.h"

typedef struct table_shape {
    uint8_t first; /* shape */
    uint8_t n_fields;
    uint8_t size;       /* bytes of the table */
    uint8_t offsets[8]; /* of fields, in the order of the schema */
} table_shape;

/* In the order of shapes. */
static const table_shape tables[] = {
    {ETC_SHAPE_DUMP, 2, ETC_POINTER_SIZE, {0, 4}},
    {ETC_SHAPE_RUN, 4, ETC_RUN_SIZE, {4, 8, 12, 16}},
    {ETC_SHAPE_ALLOCATOR, 1, ETC_POINTER_SIZE, {4}},
    {ETC_SHAPE_EVENT, 3, ETC_POINTER_SIZE, {4, 4, 4}},
    {ETC_SHAPE_PROFILE, 8, ETC_PROFILE_SIZE, {4, 8, 12, 4, 4, 32, 16, 24}},
    {ETC_SHAPE_ALLOCATION, 2, ETC_ALLOCATION_SIZE, {4, 8}},
    {ETC_SHAPE_DEBUG, 5, ETC_DEBUG_SIZE, {8, 4, 16, 20, 20}},
    {ETC_SHAPE_VALUE, 8, ETC_VALUE_SIZE, {4, 8, 8, 8, 8, 8, 8, 12}},
    {ETC_SHAPE_TENSOR, 4, ETC_TENSOR_SIZE, {12, 4, 8, 16}},
    {ETC_SHAPE_LIST, 1, ETC_POINTER_SIZE, {4}},
    {ETC_SHAPE_NUMBER, 1, ETC_NUMBER_SIZE, {8}},
    {ETC_SHAPE_BOOL, 1, ETC_POINTER_SIZE, {4}},
};

enum { N_TABLES = sizeof tables / sizeof tables[0] };

static unsigned profile_fields(unsigned which) {
    static const uint8_t of_id[] = {0, 0x01, 0x08 | 0x20, 0x10 | 0x20}; /* 0x20: metadata */
    unsigned chain_and_instruction = which >> 2 & 3, times = which >> 4;
    return of_id[which & 3] | chain_and_instruction << 1 | times << 6;
}

static unsigned debug_fields(unsigned which) {
    static const uint8_t of_id[] = {0, 0, 0x08, 0x10};
    return of_id[which & 3] | (which >> 2 & 3) | 0x04;
}

static unsigned value_fields(unsigned which) {
    static const uint8_t of_member[] = {0x08, 0x40, 0x20, 0x02, 0x04};
    return 0x01u | of_member[which >> 1] | (which & 1) << 7;
}

/* The fields that a shape has, a bit for each; `which` is what its number says beyond its table. */
static unsigned fields_of(unsigned first, unsigned which) {
    switch (first) {
    case ETC_SHAPE_DUMP:
        return 2;
    case ETC_SHAPE_RUN:
        return 1 | which << 1;
    case ETC_SHAPE_EVENT:
        return 1u << which;
    case ETC_SHAPE_PROFILE:
        return profile_fields(which);
    case ETC_SHAPE_DEBUG:
        return debug_fields(which);
    case ETC_SHAPE_VALUE:
        return value_fields(which);
    case ETC_SHAPE_TENSOR:
        return (which & 1) | 2 | 4 | (which & 2) << 2;
    case ETC_SHAPE_LIST:
        return 1;
    default:
        return which;
    }
}

static bool is_used(const etc_shapes *shapes, unsigned shape) {
    return shapes->used[shape / 32] >> (shape % 32) & 1;
}

static const table_shape *table_of(unsigned shape) {
    unsigned table = N_TABLES - 1;
    while (tables[table].first > shape)
        table--;
    return &tables[table];
}

uint32_t etc__place_shapes(etc_shapes *shapes, uint32_t position) {
    for (unsigned shape = 0; shape < ETC_N_SHAPES; shape++) {
        if (!is_used(shapes, shape))
            continue;
        shapes->positions[shape] = (uint16_t)position;
        position += 4 + 2u * table_of(shape)->n_fields;
    }
    return position;
}

static void write_vtable(etc_writer *w, const table_shape *table, unsigned which) {
    unsigned fields = fields_of(table->first, which);
    bool has_metadata = table->first == ETC_SHAPE_PROFILE && (fields & 0x20);
    etc__put_u16(w, (uint16_t)(4 + 2 * table->n_fields));
    etc__put_u16(w, has_metadata ? ETC_DELEGATE_SIZE : table->size);
    for (unsigned i = 0; i < table->n_fields; i++)
        etc__put_u16(w, fields >> i & 1 ? table->offsets[i] : 0);
}

void etc__write_shapes(etc_writer *w, const etc_shapes *shapes) {
    for (unsigned shape = 0; shape < ETC_N_SHAPES; shape++) {
        const table_shape *table = table_of(shape);
        if (is_used(shapes, shape))
            write_vtable(w, table, shape - table->first);
    }
}
