/*
 * shapes.c - vtables: the size of the vtable, the size of the table, and for each field its place
 * in the table; 0: absent.
 */
#include "capture/shapes.h"

/* In the order of shapes: the first shape of a kind of table, number of fields, bytes of the table, and places of the fields in the
 * order of the schema. */
static const uint8_t tables[] = {
    ETC_SHAPE_DUMP,       2, ETC_POINTER_SIZE,    0,  4,                         /* dump */
    ETC_SHAPE_RUN,        4, ETC_RUN_SIZE,        4,  8, 12, 16,                 /* run */
    ETC_SHAPE_ALLOCATOR,  1, ETC_POINTER_SIZE,    4,                             /* allocator */
    ETC_SHAPE_EVENT,      3, ETC_POINTER_SIZE,    4,  4, 4,                      /* event */
    ETC_SHAPE_ALLOCATION, 2, ETC_ALLOCATION_SIZE, 4,  8,                         /* allocation */
    ETC_SHAPE_DEBUG,      5, ETC_DEBUG_SIZE,      8,  4, 16, 20, 20,             /* debug */
    ETC_SHAPE_VALUE,      8, ETC_VALUE_SIZE,      4,  8, 8,  8,  8,  8,  8,  12, /* value */
    ETC_SHAPE_TENSOR,     4, ETC_TENSOR_SIZE,     12, 4, 8,  16,                 /* tensor */
    ETC_SHAPE_LIST,       1, ETC_POINTER_SIZE,    4,                             /* list */
    ETC_SHAPE_NUMBER,     1, ETC_NUMBER_SIZE,     8,                             /* number */
    ETC_SHAPE_BOOL,       1, ETC_POINTER_SIZE,    4,                             /* bool */
    ETC_SHAPE_PROFILE,    8, ETC_PROFILE_SIZE,    4,  8, 12, 4,  4,  32, 16, 24, /* profile */
    ETC_SHAPE_DELEGATE,   8, ETC_DELEGATE_SIZE,   4,  8, 12, 4,  4,  32, 16, 24, /* delegate */
    ETC_SHAPE_COUNTED,    8, ETC_DELEGATE_SIZE,   4,  8, 12, 4,  4,  32, 16, 24, /* counted */
    ETC_N_SHAPES,
};

enum { HEAD = 3, MOST_FIELDS = 8 };

_Static_assert(ETC_N_SHAPES <= UINT8_MAX, "shapes are bytes");

/* The fields of each shape before ETC_SHAPE_PROFILE, a bit for each. */
static const uint8_t fields_of[ETC_SHAPE_PROFILE] = {
    0x02,                                           /* dump: runs, no version */
    0x01, 0x03, 0x05, 0x07, 0x09, 0x0b, 0x0d, 0x0f, /* run: always its name */
    0x01,                                           /* allocator */
    0x01, 0x02, 0x04,                               /* event */
    0x00, 0x01, 0x02, 0x03,                         /* allocation */
    0x04, 0x05, 0x06, 0x07,                         /* debug of an operator: always the entry, */
    0x0c, 0x0d, 0x0e, 0x0f,                         /* with the id of a delegate's operator, */
    0x14, 0x15, 0x16, 0x17,                         /* with its name */
    0x09, 0x89, 0x41, 0xc1, 0x21,                   /* value: type, one of the members, */
    0xa1, 0x03, 0x83, 0x05, 0x85,                   /* output */
    0x06, 0x07, 0x0e, 0x0f,                         /* tensor: always sizes and strides */
    0x01,                                           /* list */
    0x00, 0x01,                                     /* number */
    0x00, 0x01,                                     /* bool */
};

static unsigned fields(unsigned shape) {
    if (shape < ETC_SHAPE_PROFILE)
        return fields_of[shape];
    static const uint8_t keys[] = {0,           0x01, /* 0x20: metadata */
                                   0x20 | 0x08, 0x20 | 0x10, 0x20, 0x20 | 0x01};
    unsigned which = shape - ETC_SHAPE_PROFILE;
    return keys[which >> 5 << 1 | (which & 1)] | (which & 6) | (which & 24) << 3;
}

static void put_vtable(etc_writer *w, const uint8_t *table, unsigned has) {
    uint8_t vtable[2 * (2 + MOST_FIELDS)] = {0};
    uint32_t n_fields = table[1], size = 4 + 2 * n_fields;
    vtable[0] = (uint8_t)size;
    vtable[2] = table[2];
    for (unsigned i = 0; i < n_fields; i++)
        vtable[4 + 2 * i] = has >> i & 1 ? table[HEAD + i] : 0;
    etc__put_bytes(w, vtable, size);
}

void etc__put_shapes(etc_writer *w, etc_shapes *shapes) {
    const uint8_t *table = tables, *next = tables;
    for (unsigned shape = 0; shape < ETC_N_SHAPES; shape++) {
        if (*next == shape) {
            table = next;
            next += HEAD + table[1];
        }
        if (!shapes->positions[shape])
            continue;
        shapes->positions[shape] = (uint16_t)w->position;
        put_vtable(w, table, fields(shape));
    }
}
