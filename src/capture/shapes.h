/*
 * shapes.h - the layouts of an ETDump's tables: the fields of each vtable and their places in its
 * table.
 *
 * A field with its default value is left out, as ExecuTorch does, so that readers see no difference:
 * every set of fields that occurs in a file gets a vtable of its own. The place of a field in its
 * table is always the same.
 */
#ifndef ETC_CAPTURE_SHAPES_H
#define ETC_CAPTURE_SHAPES_H

#include "capture/writer.h"

/* Number of the first shape of each kind of table; the lower bits give the fields. */
typedef enum etc_shape {
    ETC_SHAPE_DUMP,
    ETC_SHAPE_RUN,                              /* bundled input 1, allocators 2, events 4 */
    ETC_SHAPE_ALLOCATOR = ETC_SHAPE_RUN + 8,    /* with a name */
    ETC_SHAPE_EVENT = ETC_SHAPE_ALLOCATOR + 1,  /* profile 0, allocation 1, debug 2 */
    ETC_SHAPE_ALLOCATION = ETC_SHAPE_EVENT + 3, /* id 1, size 2 */
    ETC_SHAPE_DEBUG = ETC_SHAPE_ALLOCATION + 4, /* chain 1, instruction 2; 4 x etc_key_kind */
    ETC_SHAPE_VALUE = ETC_SHAPE_DEBUG + 12,     /* output 1; 2 x etc_member */
    ETC_SHAPE_TENSOR = ETC_SHAPE_VALUE + 10,    /* scalar type 1, offset 2 */
    ETC_SHAPE_LIST = ETC_SHAPE_TENSOR + 4,      /* has tensors */
    ETC_SHAPE_NUMBER = ETC_SHAPE_LIST + 1,      /* Int or Double: the value 1 */
    ETC_SHAPE_BOOL = ETC_SHAPE_NUMBER + 2,      /* the value 1 */
    ETC_SHAPE_PROFILE = ETC_SHAPE_BOOL + 2, /* name 1; chain 2, instruction 4, start 8, end 16 */
    ETC_SHAPE_DELEGATE = ETC_SHAPE_PROFILE + 32, /* id as text 1; the same */
    ETC_SHAPE_COUNTED =
        ETC_SHAPE_DELEGATE + 32, /* an event of the program with metadata; as ETC_SHAPE_PROFILE */
    ETC_N_SHAPES = ETC_SHAPE_COUNTED + 32,
} etc_shape;

/* Form of the key of a debug value. */
typedef enum etc_key_kind { ETC_KEY_NONE, ETC_KEY_ID, ETC_KEY_NAME } etc_key_kind;

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

/* Where the vtable of each shape lies in a file; 0: it is not used. */
typedef struct etc_shapes {
    uint16_t positions[ETC_N_SHAPES];
} etc_shapes;

static inline void etc__use_shape(etc_shapes *shapes, unsigned shape) {
    if (!shapes->positions[shape])
        shapes->positions[shape] = 1; /* anywhere yet */
}

/* Writes, or counts, the vtables that are used, and keeps where they lie. */
void etc__put_shapes(etc_writer *w, etc_shapes *shapes);

#endif
