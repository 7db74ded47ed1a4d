/*
 * shapes.h - the tables of an ETDump as they are written: which fields a vtable has, and where its
 * table has them.
 *
 * A field with its default value is left out, as ExecuTorch does, so that readers see no difference:
 * every set of fields that occurs in a file gets a vtable of its own. The place of a field in its
 * table is always the same.
 */
#ifndef ETC_CAPTURE_SHAPES_H
#define ETC_CAPTURE_SHAPES_H

#include "capture/writer.h"

/* Number of the first shape of each kind of table; the rest of the number says which fields. */
typedef enum etc_shape {
    ETC_SHAPE_DUMP,
    ETC_SHAPE_RUN,                                 /* bundled input 1, allocators 2, events 4 */
    ETC_SHAPE_ALLOCATOR = ETC_SHAPE_RUN + 8,       /* name 1 */
    ETC_SHAPE_EVENT = ETC_SHAPE_ALLOCATOR + 2,     /* profile 0, allocation 1, debug 2 */
    ETC_SHAPE_PROFILE = ETC_SHAPE_EVENT + 3,       /* an etc_id; chain 4, instruction 8, */
    ETC_SHAPE_ALLOCATION = ETC_SHAPE_PROFILE + 64, /* start 16, end 32. id 1, size 2 */
    ETC_SHAPE_DEBUG = ETC_SHAPE_ALLOCATION + 4,    /* an etc_id; chain 4, instruction 8 */
    ETC_SHAPE_VALUE = ETC_SHAPE_DEBUG + 16,        /* 2 x etc_member; output 1 */
    ETC_SHAPE_TENSOR = ETC_SHAPE_VALUE + 10,       /* scalar type 1, offset 2 */
    ETC_SHAPE_LIST = ETC_SHAPE_TENSOR + 4,
    ETC_SHAPE_NUMBER = ETC_SHAPE_LIST + 1, /* Int or Double: the value 1 */
    ETC_SHAPE_BOOL = ETC_SHAPE_NUMBER + 2, /* the value 1 */
    ETC_N_SHAPES = ETC_SHAPE_BOOL + 2,
} etc_shape;

/* What names an event: its own name, or the id of a delegate's operator. */
typedef enum etc_id { ETC_ID_NONE, ETC_ID_NAME, ETC_ID_INT, ETC_ID_STRING } etc_id;

typedef enum etc_member {
    ETC_MEMBER_INT,
    ETC_MEMBER_BOOL,
    ETC_MEMBER_DOUBLE,
    ETC_MEMBER_TENSOR,
    ETC_MEMBER_LIST,
} etc_member;

/* Sizes of tables, bytes. */
enum {
    ETC_RUN_SIZE = 20,
    ETC_PROFILE_SIZE = 32,
    ETC_DELEGATE_SIZE = 40,
    ETC_ALLOCATION_SIZE = 16,
    ETC_DEBUG_SIZE = 24,
    ETC_VALUE_SIZE = 16,
    ETC_TENSOR_SIZE = 24,
    ETC_NUMBER_SIZE = 16,
    ETC_POINTER_SIZE = 8, /* of a table with a single field of 4 bytes or less */
};

/* The vtables of one file: first it is found which ones are used, then where they lie. */
typedef struct etc_shapes {
    uint32_t used[(ETC_N_SHAPES + 31) / 32];
    uint16_t positions[ETC_N_SHAPES];
} etc_shapes;

static inline void etc__use_shape(etc_shapes *shapes, unsigned shape) {
    shapes->used[shape / 32] |= (uint32_t)1 << (shape % 32);
}

/* Gives places to the vtables that are used, the first at `position`; returns where they end. */
uint32_t etc__place_shapes(etc_shapes *shapes, uint32_t position);
void etc__write_shapes(etc_writer *w, const etc_shapes *shapes);

#endif
