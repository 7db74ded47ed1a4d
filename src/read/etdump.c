/*
 * etdump.c - the tables of an ETDump.
 *
 *   ETDump -> RunData* -> Event* -> ProfileEvent     stamps of one call
 *                               or  DebugEvent -> Value -> Tensor, TensorList -> Tensor*, or a scalar
 *                               or  AllocationEvent
 *
 * The field tables below are schema/etdump.fbs again: same tables, same order.
 */
#include "read/etdump.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SCHEMA(identifier, table_name, fields)                                                     \
    static const eti_table_schema identifier = {table_name, fields, COUNT(fields)}

enum { TENSOR_SCALAR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_OFFSET };
static const eti_field tensor_fields[] = {
    {"scalar_type", ETI_FIELD_I8, NULL},
    {"sizes", ETI_FIELD_I64S, NULL},
    {"strides", ETI_FIELD_I64S, NULL},
    {"offset", ETI_FIELD_I64, NULL},
};
SCHEMA(tensor_schema, "Tensor", tensor_fields);

enum { TENSOR_LIST_TENSORS };
static const eti_field tensor_list_fields[] = {{"tensors", ETI_FIELD_TABLES, &tensor_schema}};
SCHEMA(tensor_list_schema, "TensorList", tensor_list_fields);

/* Int, Bool, Float and Double hold one field each. */
enum { SCALAR_VALUE };
static const eti_field int_fields[] = {{"int_val", ETI_FIELD_I64, NULL}};
SCHEMA(int_schema, "Int", int_fields);
static const eti_field bool_fields[] = {{"bool_val", ETI_FIELD_U8, NULL}};
SCHEMA(bool_schema, "Bool", bool_fields);
static const eti_field float_fields[] = {{"float_val", ETI_FIELD_F32, NULL}};
SCHEMA(float_schema, "Float", float_fields);
static const eti_field double_fields[] = {{"double_val", ETI_FIELD_F64, NULL}};
SCHEMA(double_schema, "Double", double_fields);

enum {
    VALUE_VAL,
    VALUE_TENSOR,
    VALUE_TENSOR_LIST,
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_DOUBLE,
    VALUE_BOOL,
    VALUE_OUTPUT
};
static const eti_field value_fields[] = {
    {"val", ETI_FIELD_I8, NULL},
    {"tensor", ETI_FIELD_TABLE, &tensor_schema},
    {"tensor_list", ETI_FIELD_TABLE, &tensor_list_schema},
    {"int_value", ETI_FIELD_TABLE, &int_schema},
    {"float_value", ETI_FIELD_TABLE, &float_schema},
    {"double_value", ETI_FIELD_TABLE, &double_schema},
    {"bool_value", ETI_FIELD_TABLE, &bool_schema},
    {"output", ETI_FIELD_TABLE, &bool_schema},
};
SCHEMA(value_schema, "Value", value_fields);

enum {
    DEBUG_CHAIN_INDEX,
    DEBUG_INSTRUCTION_ID,
    DEBUG_ENTRY,
    DEBUG_DELEGATE_ID_INT,
    DEBUG_DELEGATE_ID_STR,
    DEBUG_NAME
};
static const eti_field debug_event_fields[] = {
    {"chain_index", ETI_FIELD_U64, NULL},
    {"instruction_id", ETI_FIELD_I32, NULL},
    {"debug_entry", ETI_FIELD_TABLE, &value_schema},
    {"delegate_debug_id_int", ETI_FIELD_I32, NULL},
    {"delegate_debug_id_str", ETI_FIELD_STRING, NULL},
    {"name", ETI_FIELD_STRING, NULL},
};
SCHEMA(debug_event_schema, "DebugEvent", debug_event_fields);

enum {
    PROFILE_NAME,
    PROFILE_CHAIN_INDEX,
    PROFILE_INSTRUCTION_ID,
    PROFILE_DELEGATE_ID_INT,
    PROFILE_DELEGATE_ID_STR,
    PROFILE_METADATA,
    PROFILE_START_TIME,
    PROFILE_END_TIME
};
static const eti_field profile_event_fields[] = {
    {"name", ETI_FIELD_STRING, NULL},
    {"chain_index", ETI_FIELD_I32, NULL},
    {"instruction_id", ETI_FIELD_I32, NULL},
    {"delegate_debug_id_int", ETI_FIELD_I32, NULL},
    {"delegate_debug_id_str", ETI_FIELD_STRING, NULL},
    {"delegate_debug_metadata", ETI_FIELD_BYTES, NULL},
    {"start_time", ETI_FIELD_U64, NULL},
    {"end_time", ETI_FIELD_U64, NULL},
};
SCHEMA(profile_event_schema, "ProfileEvent", profile_event_fields);

enum { ALLOCATION_ALLOCATOR_ID, ALLOCATION_SIZE };
static const eti_field allocation_event_fields[] = {
    {"allocator_id", ETI_FIELD_I32, NULL},
    {"allocation_size", ETI_FIELD_U64, NULL},
};
SCHEMA(allocation_event_schema, "AllocationEvent", allocation_event_fields);

enum { ALLOCATOR_NAME };
static const eti_field allocator_fields[] = {{"name", ETI_FIELD_STRING, NULL}};
SCHEMA(allocator_schema, "Allocator", allocator_fields);

enum { EVENT_PROFILE, EVENT_ALLOCATION, EVENT_DEBUG };
static const eti_field event_fields[] = {
    {"profile_event", ETI_FIELD_TABLE, &profile_event_schema},
    {"allocation_event", ETI_FIELD_TABLE, &allocation_event_schema},
    {"debug_event", ETI_FIELD_TABLE, &debug_event_schema},
};
SCHEMA(event_schema, "Event", event_fields);

enum { RUN_NAME, RUN_BUNDLED_INPUT_INDEX, RUN_ALLOCATORS, RUN_EVENTS };
static const eti_field run_data_fields[] = {
    {"name", ETI_FIELD_STRING, NULL},
    {"bundled_input_index", ETI_FIELD_I32, NULL},
    {"allocators", ETI_FIELD_TABLES, &allocator_schema},
    {"events", ETI_FIELD_TABLES, &event_schema},
};
SCHEMA(run_data_schema, "RunData", run_data_fields);

enum { ETDUMP_VERSION, ETDUMP_RUN_DATA };
static const eti_field etdump_fields[] = {
    {"version", ETI_FIELD_U32, NULL},
    {"run_data", ETI_FIELD_TABLES, &run_data_schema},
};
const eti_table_schema eti__etdump_schema = {"ETDump", etdump_fields, COUNT(etdump_fields)};

static const char identifier[4] = {'E', 'D', '0', '0'};

/* A prefix that promises more than the file holds explains any damage further on. */
static void explain_truncation(const struct eti_file *file, const eti_flatbuf *buffer,
                               eti_error *err) {
    if (!err || buffer->file_offset == 0)
        return;
    uint64_t promised = 4 + ((uint64_t)file->data[0] | (uint64_t)file->data[1] << 8 |
                             (uint64_t)file->data[2] << 16 | (uint64_t)file->data[3] << 24);
    size_t length = strlen(err->message);
    if (promised > file->size)
        snprintf(err->message + length, sizeof err->message - length,
                 "; the file was cut short: it says it has %llu bytes and has %zu",
                 (unsigned long long)promised, file->size);
}

eti_status eti__etdump_open(eti_etdump *out, const struct eti_file *file, size_t n_threads,
                            eti_error *err) {
    eti_file_kind kind = eti_file_kind_of(file->data, file->size);
    if (kind != ETI_FILE_ETDUMP)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: expected an ETDump, found %s%s", file->name,
                        kind == ETI_FILE_UNKNOWN ? "a file that is " : "",
                        eti_file_kind_text(kind));
    eti_position root = 0;
    eti_status status = eti__flatbuf_find(&out->buffer, file->data, file->size, identifier, err);
    if (status == ETI_OK) {
        status = eti__flatbuf_verify(&out->buffer, &eti__etdump_schema, n_threads, &root, err);
        if (status != ETI_OK)
            explain_truncation(file, &out->buffer, err);
    }
    if (status != ETI_OK) {
        eti__error_prefix(err, "%s: not a readable ETDump", file->name);
        return status;
    }
    out->file_name = file->name;
    out->runs = eti__flatbuf_vector(&out->buffer, root, ETDUMP_RUN_DATA);
    return ETI_OK;
}

eti_etdump_run eti__etdump_read_run(const eti_etdump *dump, uint32_t run) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_vector_table(buffer, dump->runs, run);
    eti_vector events = eti__flatbuf_vector(buffer, table, RUN_EVENTS);
    return (eti_etdump_run){
        .name = eti__flatbuf_text(buffer, table, RUN_NAME),
        .bundled_input_index = eti__flatbuf_i32(buffer, table, RUN_BUNDLED_INPUT_INDEX, -1),
        .has_events = events.first != 0,
        .events = events,
        .allocators = eti__flatbuf_vector(buffer, table, RUN_ALLOCATORS),
    };
}

static void read_profile_event(const eti_flatbuf *buffer, eti_position table,
                               eti_etdump_event *out) {
    int32_t chain_index = eti__flatbuf_i32(buffer, table, PROFILE_CHAIN_INDEX, 0);
    eti_etdump_key *key = &out->key;
    out->kind = ETI_ETDUMP_PROFILE;
    key->instruction_id = eti__flatbuf_i32(buffer, table, PROFILE_INSTRUCTION_ID, -1);
    key->delegate_id_int = eti__flatbuf_i32(buffer, table, PROFILE_DELEGATE_ID_INT, -1);
    key->delegate_id_str = eti__flatbuf_text(buffer, table, PROFILE_DELEGATE_ID_STR);
    key->chain_index = (uint64_t)(int64_t)chain_index;
    key->chain_is_negative = chain_index < 0;
    out->name = eti__flatbuf_text(buffer, table, PROFILE_NAME);
}

static void read_debug_event(const eti_flatbuf *buffer, eti_position table, eti_etdump_event *out) {
    eti_etdump_key *key = &out->key;
    out->kind = ETI_ETDUMP_DEBUG;
    key->instruction_id = eti__flatbuf_i32(buffer, table, DEBUG_INSTRUCTION_ID, -1);
    key->delegate_id_int = eti__flatbuf_i32(buffer, table, DEBUG_DELEGATE_ID_INT, -1);
    key->delegate_id_str = eti__flatbuf_text(buffer, table, DEBUG_DELEGATE_ID_STR);
    key->chain_index = eti__flatbuf_u64(buffer, table, DEBUG_CHAIN_INDEX, 0);
    out->name = eti__flatbuf_text(buffer, table, DEBUG_NAME);
}

static bool is_run_output(const eti_flatbuf *buffer, eti_position value) {
    eti_position output = value ? eti__flatbuf_table(buffer, value, VALUE_OUTPUT) : 0;
    return output && eti__flatbuf_u8(buffer, output, SCALAR_VALUE, 0) != 0;
}

/* Every field is set where it is to be: to copy an event whose parts are still on their way to memory takes as long
 * as to read it. */
void eti__etdump_read_event(eti_etdump_event *out, const eti_etdump *dump, eti_position event) {
    const eti_flatbuf *buffer = &dump->buffer;
    *out = (eti_etdump_event){.kind = ETI_ETDUMP_NOTHING};
    eti_position profile = eti__flatbuf_table(buffer, event, EVENT_PROFILE);
    eti_position debug = eti__flatbuf_table(buffer, event, EVENT_DEBUG);
    if (profile)
        read_profile_event(buffer, profile, out);
    else if (debug)
        read_debug_event(buffer, debug, out);
    else if (eti__flatbuf_has(buffer, event, EVENT_ALLOCATION))
        out->kind = ETI_ETDUMP_ALLOCATION;

    if (debug) {
        out->has_debug_event = true;
        out->debug_value = eti__etdump_debug_value(dump, event);
        out->is_run_output = is_run_output(buffer, out->debug_value);
    }
}

eti_position eti__etdump_debug_value(const eti_etdump *dump, eti_position event) {
    eti_position debug = eti__flatbuf_table(&dump->buffer, event, EVENT_DEBUG);
    return debug ? eti__flatbuf_table(&dump->buffer, debug, DEBUG_ENTRY) : 0;
}

bool eti__etdump_keys_equal(const eti_etdump_key *a, const eti_etdump_key *b) {
    return a->instruction_id == b->instruction_id && a->chain_index == b->chain_index &&
           a->chain_is_negative == b->chain_is_negative &&
           a->delegate_id_int == b->delegate_id_int &&
           eti__text_equal(a->delegate_id_str, b->delegate_id_str);
}

/* A table and the buffer it is in. */
typedef struct eti_place_of_table {
    const eti_flatbuf *buffer;
    eti_position table;
} eti_place_of_table;

ETI_ALWAYS_INLINE bool i32s_alike(eti_place_of_table a, eti_place_of_table b, unsigned field,
                                  int32_t absent) {
    return eti__flatbuf_i32(a.buffer, a.table, field, absent) ==
           eti__flatbuf_i32(b.buffer, b.table, field, absent);
}

ETI_ALWAYS_INLINE bool texts_alike(eti_place_of_table a, eti_place_of_table b, unsigned field) {
    return eti__text_equal(eti__flatbuf_text(a.buffer, a.table, field),
                           eti__flatbuf_text(b.buffer, b.table, field));
}

static bool profile_events_alike(eti_place_of_table a, eti_place_of_table b) {
    return i32s_alike(a, b, PROFILE_INSTRUCTION_ID, -1) &&
           i32s_alike(a, b, PROFILE_CHAIN_INDEX, 0) &&
           i32s_alike(a, b, PROFILE_DELEGATE_ID_INT, -1) &&
           texts_alike(a, b, PROFILE_DELEGATE_ID_STR) && texts_alike(a, b, PROFILE_NAME);
}

static bool debug_events_alike(eti_place_of_table a, eti_place_of_table b) {
    eti_position value_a = eti__flatbuf_table(a.buffer, a.table, DEBUG_ENTRY);
    eti_position value_b = eti__flatbuf_table(b.buffer, b.table, DEBUG_ENTRY);
    return i32s_alike(a, b, DEBUG_INSTRUCTION_ID, -1) &&
           i32s_alike(a, b, DEBUG_DELEGATE_ID_INT, -1) &&
           eti__flatbuf_u64(a.buffer, a.table, DEBUG_CHAIN_INDEX, 0) ==
               eti__flatbuf_u64(b.buffer, b.table, DEBUG_CHAIN_INDEX, 0) &&
           texts_alike(a, b, DEBUG_DELEGATE_ID_STR) && texts_alike(a, b, DEBUG_NAME) &&
           !value_a == !value_b &&
           is_run_output(a.buffer, value_a) == is_run_output(b.buffer, value_b);
}

bool eti__etdump_events_alike(const eti_etdump *dump_a, eti_position a, const eti_etdump *dump_b,
                              eti_position b) {
    eti_place_of_table x = {&dump_a->buffer, 0}, y = {&dump_b->buffer, 0};
    if (eti__flatbuf_has(x.buffer, a, EVENT_ALLOCATION) !=
        eti__flatbuf_has(y.buffer, b, EVENT_ALLOCATION))
        return false;
    x.table = eti__flatbuf_table(x.buffer, a, EVENT_DEBUG);
    y.table = eti__flatbuf_table(y.buffer, b, EVENT_DEBUG);
    if (!x.table != !y.table || (x.table && !debug_events_alike(x, y)))
        return false;
    x.table = eti__flatbuf_table(x.buffer, a, EVENT_PROFILE);
    y.table = eti__flatbuf_table(y.buffer, b, EVENT_PROFILE);
    return !x.table == !y.table && (!x.table || profile_events_alike(x, y));
}

eti_etdump_stamps eti__etdump_read_stamps(const eti_etdump *dump, eti_position event) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_table(buffer, event, EVENT_PROFILE);
    return (eti_etdump_stamps){
        .start_time = eti__flatbuf_u64(buffer, table, PROFILE_START_TIME, 0),
        .end_time = eti__flatbuf_u64(buffer, table, PROFILE_END_TIME, 0),
        .metadata = eti__flatbuf_text(buffer, table, PROFILE_METADATA),
    };
}

bool eti__etdump_read_allocation(const eti_etdump *dump, eti_position event,
                                 eti_etdump_allocation *out) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_table(buffer, event, EVENT_ALLOCATION);
    if (!table)
        return false;
    *out = (eti_etdump_allocation){
        .allocator_id = eti__flatbuf_i32(buffer, table, ALLOCATION_ALLOCATOR_ID, 0),
        .size = eti__flatbuf_u64(buffer, table, ALLOCATION_SIZE, 0),
    };
    return true;
}

eti_text eti__etdump_allocator_name(const eti_etdump *dump, const eti_etdump_run *run,
                                    uint32_t allocator) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_vector_table(buffer, run->allocators, allocator);
    return eti__flatbuf_text(buffer, table, ALLOCATOR_NAME);
}

eti_etdump_value eti__etdump_read_value(const eti_etdump *dump, eti_position value) {
    static const unsigned member_of_type[] = {
        [ETI_ETDUMP_VALUE_INT] = VALUE_INT,
        [ETI_ETDUMP_VALUE_BOOL] = VALUE_BOOL,
        [ETI_ETDUMP_VALUE_FLOAT] = VALUE_FLOAT,
        [ETI_ETDUMP_VALUE_DOUBLE] = VALUE_DOUBLE,
        [ETI_ETDUMP_VALUE_TENSOR] = VALUE_TENSOR,
        [ETI_ETDUMP_VALUE_TENSOR_LIST] = VALUE_TENSOR_LIST,
    };
    const eti_flatbuf *buffer = &dump->buffer;
    eti_etdump_value out = {.type = eti__flatbuf_i8(buffer, value, VALUE_VAL, 0)};
    if (out.type < ETI_ETDUMP_VALUE_INT || out.type > ETI_ETDUMP_VALUE_TENSOR_LIST)
        return out;

    eti_position member = eti__flatbuf_table(buffer, value, member_of_type[out.type]);
    out.has_content = member != 0;
    if (!member)
        return out;
    switch (out.type) {
    case ETI_ETDUMP_VALUE_INT:
        out.as_int = eti__flatbuf_i64(buffer, member, SCALAR_VALUE, 0);
        break;
    case ETI_ETDUMP_VALUE_BOOL:
        out.as_bool = eti__flatbuf_u8(buffer, member, SCALAR_VALUE, 0) != 0;
        break;
    case ETI_ETDUMP_VALUE_FLOAT:
        out.as_double = (double)eti__flatbuf_f32(buffer, member, SCALAR_VALUE, 0);
        break;
    case ETI_ETDUMP_VALUE_DOUBLE:
        out.as_double = eti__flatbuf_f64(buffer, member, SCALAR_VALUE, 0);
        break;
    case ETI_ETDUMP_VALUE_TENSOR:
        out.tensor = member;
        break;
    default:
        out.tensors = eti__flatbuf_vector(buffer, member, TENSOR_LIST_TENSORS);
    }
    return out;
}

eti_etdump_tensor eti__etdump_read_tensor(const eti_etdump *dump, eti_position tensor) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_vector sizes = eti__flatbuf_vector(buffer, tensor, TENSOR_SIZES);
    return (eti_etdump_tensor){
        .scalar_type = eti__flatbuf_i8(buffer, tensor, TENSOR_SCALAR_TYPE, 0),
        .has_sizes = sizes.first != 0,
        .sizes = sizes,
        .offset = eti__flatbuf_i64(buffer, tensor, TENSOR_OFFSET, 0),
    };
}
