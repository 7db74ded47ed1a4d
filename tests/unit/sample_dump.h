/*
 * sample_dump.h - an ETDump with every table and every field that the schema has.
 */
#ifndef ETI_TESTS_SAMPLE_DUMP_H
#define ETI_TESTS_SAMPLE_DUMP_H

#include "etdump_builder.h"

static inline place put_every_value(builder *b, place tensor) {
    const place tensors[] = {tensor, TENSOR(b, TYPE_LONG, -8, 1), tensor};
    const place events[] = {
        LOGGED(b, .instruction_id = SOME(1), .value = INT_VALUE(b, INT64_MIN)),
        LOGGED(b, .value = VALUE(b, .val = SOME(VAL_BOOL), .bool_value = put_bool(b, 1)),
               .name = "flag"),
        LOGGED(b, .value = VALUE(b, .val = SOME(VAL_FLOAT), .float_value = put_float(b, 0.1f))),
        LOGGED(b, .value = VALUE(b, .val = SOME(VAL_DOUBLE),
                                 .double_value = put_double(b, -1234567.125))),
        LOGGED(b, .value = TENSOR_VALUE(b, tensor), .chain_index = SOME(UINT64_MAX)),
        LOGGED(b, .delegate_id_str = "d",
               .value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                              .tensor_list = put_tensor_list(b, tensors, 3))),
        LOGGED(b, .delegate_id_int = SOME(5), .value = VALUE(b, .val = SOME(VAL_STRING))),
        LOGGED(b, .value = VALUE(b, .val = SOME(VAL_NULL), .output = put_bool(b, 0))),
        LOGGED(b, .value = INT_OUTPUT(b, 42), .name = "output"),
    };
    return put_tables(b, events, sizeof events / sizeof events[0]);
}

/* Writes four runs: one with times, one with debug values, an empty one, one without events. Returns the root table of the
 * dump. */
static inline place put_sample_dump(builder *b) {
    const int64_t strides[] = {3, 1};
    place tensor = put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_FLOAT),
                                                .sizes = put_i64s(b, (int64_t[]){2, 3}, 2),
                                                .strides = put_i64s(b, strides, 2),
                                                .offset = SOME(64)});
    const place times[] = {
        TIMED(b, .name = "Method::init", .start_time = 5, .end_time = 9),
        TIMED(b, .name = "caf\xc3\xa9 \"\\\t\x01\xf0\x9f\x98\x80/", .chain_index = SOME(-1),
              .instruction_id = SOME(7), .start_time = UINT64_MAX, .end_time = UINT64_MAX),
        TIMED(b, .instruction_id = SOME(8), .delegate_id_int = SOME(-2), .metadata = "m\xff"),
        TIMED(b, .instruction_id = SOME(INT32_MIN), .delegate_id_str = "", .metadata = ""),
        put_event(b, 0, put_allocation(b, -3, UINT64_MAX), 0),
        put_event(b, put_profile(b, &(profile_spec){.name = "both"}), put_allocation(b, 1, 2),
                  put_debug(b, &(debug_spec){.value = INT_VALUE(b, 3)})),
    };
    place allocator = PUT_TABLE(b, target_slot(put_string(b, "pool")));
    const place runs[] = {
        put_run(b, &(run_spec){.name = "Execute",
                               .bundled_input_index = SOME(2),
                               .allocators = put_tables(b, &allocator, 1),
                               .events = put_tables(b, times, sizeof times / sizeof times[0])}),
        put_run(b, &(run_spec){.name = "Values", .events = put_every_value(b, tensor)}),
        put_run(b, &(run_spec){.name = "Empty", .events = put_tables(b, NULL, 0)}),
        put_run(b, &(run_spec){.name = ""}),
    };
    return put_dump(b, (optional)SOME(3), put_tables(b, runs, sizeof runs / sizeof runs[0]));
}

#endif
