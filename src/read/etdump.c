/*
 * etdump.c - reads the tables of an ETDump.
 *
 *   ETDump -> RunData* -> Event* -> ProfileEvent     stamps of one call
 *                               or  DebugEvent -> Value -> Tensor, TensorList -> Tensor*, or a scalar
 *                               or  AllocationEvent
 */
#include "read/etdump.h"

#include "base/status.h"
#include "read/read.h"

#include "read/etdump_schema.inc"

#include <stdio.h>
#include <string.h>

const eti_table_schema *const eti__etdump_schema = &et_dump_schema;

static const char identifier[4] = {'E', 'D', '0', '0'};

/* Explains damage by the size prefix. If it promises more than the file holds, the file was cut short. If the file is
 * exactly as long as promised, it was not: the runtime itself damages it when it has a debug buffer and meets tensors of
 * types that it cannot record. */
static void explain_damage(const struct eti_file *file, const eti_flatbuf *buffer, eti_error *err) {
    if (!err || buffer->file_offset == 0)
        return;
    uint64_t promised = 4 + (uint64_t)eti__load_u32(file->data);
    size_t length = strlen(err->message);
    if (promised > file->size)
        snprintf(err->message + length, sizeof err->message - length,
                 "; the file was cut short: it should have %llu bytes but has %zu",
                 (unsigned long long)promised, file->size);
    else if (promised == file->size && err->status == ETI_ERROR_MALFORMED)
        snprintf(err->message + length, sizeof err->message - length,
                 "; the file is complete: if it was made with a debug buffer, the runtime met "
                 "float16 or bfloat16 tensors, which it cannot record, and damaged the file; "
                 "record program outputs only, or export in float32");
}

eti_status eti__etdump_open(eti_etdump *out, const struct eti_file *file, size_t n_threads,
                            eti_error *err) {
    eti_position root = 0;
    eti_status status = eti__flatbuf_find(&out->buffer, file->data, file->size, identifier, err);
    if (status == ETI_OK) {
        status = eti__flatbuf_verify(&out->buffer, &et_dump_schema, n_threads, &root, err);
        if (status != ETI_OK)
            explain_damage(file, &out->buffer, err);
    }
    if (status != ETI_OK) {
        eti__error_prefix(err, "%s: not a readable ETDump", file->name);
        return status;
    }
    out->file_name = file->name;
    eti__dump_note_read(&out->note, file->data, file->size);
    out->runs = eti__flatbuf_vector(&out->buffer, root, ET_DUMP_RUN_DATA);
    return ETI_OK;
}

/* Only libetcapture puts the vtables of all tables before the root, and that of the root first. Other writers put a new
 * vtable beside its table, or all vtables at the end. */
bool eti__etdump_is_captured(const eti_etdump *dump) {
    static const uint8_t vtable[] = {8, 0, 8, 0, 0, 0, 4, 0}; /* no version; then the runs */
    const eti_flatbuf *buffer = &dump->buffer;
    const size_t at = 8, end = at + sizeof vtable;
    return dump->runs.count > 0 && buffer->size > end &&
           memcmp(buffer->data + at, vtable, sizeof vtable) == 0 &&
           eti__flatbuf_load_u32(buffer, 0) > end;
}

eti_etdump_run eti__etdump_read_run(const eti_etdump *dump, uint32_t run) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_vector_table(buffer, dump->runs, run);
    eti_vector events = eti__flatbuf_vector(buffer, table, RUN_DATA_EVENTS);
    return (eti_etdump_run){
        .name = eti__flatbuf_text(buffer, table, RUN_DATA_NAME),
        .bundled_input_index = eti__flatbuf_i32(buffer, table, RUN_DATA_BUNDLED_INPUT_INDEX, -1),
        .has_events = events.first != 0,
        .events = events,
        .allocators = eti__flatbuf_vector(buffer, table, RUN_DATA_ALLOCATORS),
    };
}

static void read_profile_event(const eti_flatbuf *buffer, eti_position table,
                               eti_etdump_event *out) {
    int32_t chain_index = eti__flatbuf_i32(buffer, table, PROFILE_EVENT_CHAIN_INDEX, 0);
    eti_etdump_key *key = &out->key;
    out->kind = ETI_ETDUMP_PROFILE;
    key->instruction_id = eti__flatbuf_i32(buffer, table, PROFILE_EVENT_INSTRUCTION_ID, -1);
    key->delegate_id_int = eti__flatbuf_i32(buffer, table, PROFILE_EVENT_DELEGATE_DEBUG_ID_INT, -1);
    key->delegate_id_str = eti__flatbuf_text(buffer, table, PROFILE_EVENT_DELEGATE_DEBUG_ID_STR);
    key->chain_index = (uint64_t)(int64_t)chain_index;
    key->chain_is_negative = chain_index < 0;
    out->name = eti__flatbuf_text(buffer, table, PROFILE_EVENT_NAME);
}

static void read_debug_event(const eti_flatbuf *buffer, eti_position table, eti_etdump_event *out) {
    eti_etdump_key *key = &out->key;
    out->kind = ETI_ETDUMP_DEBUG;
    key->instruction_id = eti__flatbuf_i32(buffer, table, DEBUG_EVENT_INSTRUCTION_ID, -1);
    key->delegate_id_int = eti__flatbuf_i32(buffer, table, DEBUG_EVENT_DELEGATE_DEBUG_ID_INT, -1);
    key->delegate_id_str = eti__flatbuf_text(buffer, table, DEBUG_EVENT_DELEGATE_DEBUG_ID_STR);
    key->chain_index = eti__flatbuf_u64(buffer, table, DEBUG_EVENT_CHAIN_INDEX, 0);
    out->name = eti__flatbuf_text(buffer, table, DEBUG_EVENT_NAME);
}

static bool is_run_output(const eti_flatbuf *buffer, eti_position value) {
    eti_position output = value ? eti__flatbuf_table(buffer, value, VALUE_OUTPUT) : 0;
    return output && eti__flatbuf_u8(buffer, output, BOOL_BOOL_VAL, 0) != 0;
}

/* Sets each field in its final place: copying an event whose parts are still on their way to memory takes as long as
 * reading it. */
void eti__etdump_read_event(eti_etdump_event *out, const eti_etdump *dump, eti_position event) {
    const eti_flatbuf *buffer = &dump->buffer;
    *out = (eti_etdump_event){.kind = ETI_ETDUMP_NOTHING};
    eti_position profile = eti__flatbuf_table(buffer, event, EVENT_PROFILE_EVENT);
    eti_position debug = eti__flatbuf_table(buffer, event, EVENT_DEBUG_EVENT);
    if (profile)
        read_profile_event(buffer, profile, out);
    else if (debug)
        read_debug_event(buffer, debug, out);
    else if (eti__flatbuf_has(buffer, event, EVENT_ALLOCATION_EVENT))
        out->kind = ETI_ETDUMP_ALLOCATION;

    if (debug) {
        out->has_debug_event = true;
        out->debug_value = eti__etdump_debug_value(dump, event);
        out->is_run_output = is_run_output(buffer, out->debug_value);
    }
}

eti_position eti__etdump_debug_value(const eti_etdump *dump, eti_position event) {
    eti_position debug = eti__flatbuf_table(&dump->buffer, event, EVENT_DEBUG_EVENT);
    return debug ? eti__flatbuf_table(&dump->buffer, debug, DEBUG_EVENT_DEBUG_ENTRY) : 0;
}

bool eti__etdump_keys_equal(const eti_etdump_key *a, const eti_etdump_key *b) {
    return a->instruction_id == b->instruction_id && a->chain_index == b->chain_index &&
           a->chain_is_negative == b->chain_is_negative &&
           a->delegate_id_int == b->delegate_id_int &&
           eti__text_equal(a->delegate_id_str, b->delegate_id_str);
}

/* A table and the buffer that contains it. */
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
    return i32s_alike(a, b, PROFILE_EVENT_INSTRUCTION_ID, -1) &&
           i32s_alike(a, b, PROFILE_EVENT_CHAIN_INDEX, 0) &&
           i32s_alike(a, b, PROFILE_EVENT_DELEGATE_DEBUG_ID_INT, -1) &&
           texts_alike(a, b, PROFILE_EVENT_DELEGATE_DEBUG_ID_STR) &&
           texts_alike(a, b, PROFILE_EVENT_NAME);
}

static bool debug_events_alike(eti_place_of_table a, eti_place_of_table b) {
    eti_position value_a = eti__flatbuf_table(a.buffer, a.table, DEBUG_EVENT_DEBUG_ENTRY);
    eti_position value_b = eti__flatbuf_table(b.buffer, b.table, DEBUG_EVENT_DEBUG_ENTRY);
    return i32s_alike(a, b, DEBUG_EVENT_INSTRUCTION_ID, -1) &&
           i32s_alike(a, b, DEBUG_EVENT_DELEGATE_DEBUG_ID_INT, -1) &&
           eti__flatbuf_u64(a.buffer, a.table, DEBUG_EVENT_CHAIN_INDEX, 0) ==
               eti__flatbuf_u64(b.buffer, b.table, DEBUG_EVENT_CHAIN_INDEX, 0) &&
           texts_alike(a, b, DEBUG_EVENT_DELEGATE_DEBUG_ID_STR) &&
           texts_alike(a, b, DEBUG_EVENT_NAME) && !value_a == !value_b &&
           is_run_output(a.buffer, value_a) == is_run_output(b.buffer, value_b);
}

bool eti__etdump_events_alike(const eti_etdump *dump_a, eti_position a, const eti_etdump *dump_b,
                              eti_position b) {
    eti_place_of_table x = {&dump_a->buffer, 0}, y = {&dump_b->buffer, 0};
    if (eti__flatbuf_has(x.buffer, a, EVENT_ALLOCATION_EVENT) !=
        eti__flatbuf_has(y.buffer, b, EVENT_ALLOCATION_EVENT))
        return false;
    x.table = eti__flatbuf_table(x.buffer, a, EVENT_DEBUG_EVENT);
    y.table = eti__flatbuf_table(y.buffer, b, EVENT_DEBUG_EVENT);
    if (!x.table != !y.table || (x.table && !debug_events_alike(x, y)))
        return false;
    x.table = eti__flatbuf_table(x.buffer, a, EVENT_PROFILE_EVENT);
    y.table = eti__flatbuf_table(y.buffer, b, EVENT_PROFILE_EVENT);
    return !x.table == !y.table && (!x.table || profile_events_alike(x, y));
}

eti_etdump_stamps eti__etdump_read_stamps(const eti_etdump *dump, eti_position event) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_table(buffer, event, EVENT_PROFILE_EVENT);
    return (eti_etdump_stamps){
        .start_time = eti__flatbuf_u64(buffer, table, PROFILE_EVENT_START_TIME, 0),
        .end_time = eti__flatbuf_u64(buffer, table, PROFILE_EVENT_END_TIME, 0),
        .metadata = eti__flatbuf_text(buffer, table, PROFILE_EVENT_DELEGATE_DEBUG_METADATA),
    };
}

uint32_t eti__etdump_read_lane(const eti_etdump *dump, eti_position event) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_table(buffer, event, EVENT_PROFILE_EVENT);
    int32_t chain = eti__flatbuf_i32(buffer, table, PROFILE_EVENT_CHAIN_INDEX, 0);
    if (chain < 0)
        return (uint32_t)(-1 - chain);
    return (uint32_t)(chain < ETI_AUTO_CHAIN ? chain : chain - ETI_AUTO_CHAIN);
}

bool eti__etdump_read_allocation(const eti_etdump *dump, eti_position event,
                                 eti_etdump_allocation *out) {
    const eti_flatbuf *buffer = &dump->buffer;
    eti_position table = eti__flatbuf_table(buffer, event, EVENT_ALLOCATION_EVENT);
    if (!table)
        return false;
    *out = (eti_etdump_allocation){
        .allocator_id = eti__flatbuf_i32(buffer, table, ALLOCATION_EVENT_ALLOCATOR_ID, 0),
        .size = eti__flatbuf_u64(buffer, table, ALLOCATION_EVENT_ALLOCATION_SIZE, 0),
    };
    return true;
}

bool eti__etdump_read_lane_name(const eti_etdump *dump, const eti_etdump_run *run,
                                uint32_t allocator, uint32_t *lane, eti_text *name) {
    static const char start[] = "etcapture lane ";
    eti_text text = eti__etdump_allocator_name(dump, run, allocator);
    size_t at = sizeof start - 1, first = at;
    uint64_t number = 0;
    if (!eti__text_begins_with(text, start))
        return false;
    for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9' && number <= UINT32_MAX;
         at++)
        number = number * 10 + (uint64_t)(text.data[at] - '0');
    bool has_zero = at > first + 1 && text.data[first] == '0';
    if (at == first || has_zero || number > UINT32_MAX || text.size - at < 2 ||
        text.data[at] != ':' || text.data[at + 1] != ' ')
        return false;
    *lane = (uint32_t)number;
    *name = eti__text_from(text, at + 2);
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
        [ETI_ETDUMP_VALUE_INT] = VALUE_INT_VALUE,
        [ETI_ETDUMP_VALUE_BOOL] = VALUE_BOOL_VALUE,
        [ETI_ETDUMP_VALUE_FLOAT] = VALUE_FLOAT_VALUE,
        [ETI_ETDUMP_VALUE_DOUBLE] = VALUE_DOUBLE_VALUE,
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
        out.as_int = eti__flatbuf_i64(buffer, member, INT_INT_VAL, 0);
        break;
    case ETI_ETDUMP_VALUE_BOOL:
        out.as_bool = eti__flatbuf_u8(buffer, member, BOOL_BOOL_VAL, 0) != 0;
        break;
    case ETI_ETDUMP_VALUE_FLOAT:
        out.as_double = (double)eti__flatbuf_f32(buffer, member, FLOAT_FLOAT_VAL, 0);
        break;
    case ETI_ETDUMP_VALUE_DOUBLE:
        out.as_double = eti__flatbuf_f64(buffer, member, DOUBLE_DOUBLE_VAL, 0);
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
        .strides = eti__flatbuf_vector(buffer, tensor, TENSOR_STRIDES),
        .offset = eti__flatbuf_i64(buffer, tensor, TENSOR_OFFSET, 0),
    };
}
