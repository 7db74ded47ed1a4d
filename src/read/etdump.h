/*
 * etdump.h - turns the bytes of an ETDump into runs and events, read straight from the file.
 *
 * Offsets, vtables, vectors and strings are verified when the dump is opened; reading cannot fail
 * after that. What a field's absence means is for the model to judge. Text is borrowed from the
 * file's bytes, which must stay valid. The layout is schema/etdump.fbs.
 */
#ifndef ETI_READ_ETDUMP_H
#define ETI_READ_ETDUMP_H

#include "base/files/file.h"
#include "flatbuf/flatbuf.h"

typedef struct eti_etdump {
    eti_flatbuf buffer;
    eti_vector runs; /* {0, 0}: the file has no run_data at all */
    const char *file_name;
    const struct eti_file
        *debug_buffer; /* its own, where others have others; NULL: none but a common one */
} eti_etdump;

typedef struct eti_etdump_run {
    eti_text name;
    int32_t bundled_input_index; /* -1: none */
    bool has_events;             /* false: no events vector, which differs from an empty one */
    eti_vector events;
    eti_vector allocators; /* {0, 0}: none */
} eti_etdump_run;

typedef enum eti_etdump_event_kind {
    ETI_ETDUMP_NOTHING, /* no member is set */
    ETI_ETDUMP_PROFILE,
    ETI_ETDUMP_DEBUG,
    ETI_ETDUMP_ALLOCATION,
} eti_etdump_event_kind;

/* Which instruction, and inside a delegate which of its operators, an event belongs to. */
typedef struct eti_etdump_key {
    int32_t instruction_id;   /* -1: none */
    int32_t delegate_id_int;  /* -1: none */
    eti_text delegate_id_str; /* absent and "" differ */
    uint64_t chain_index;     /* as two's complement where the file has an i32 */
    bool chain_is_negative;
} eti_etdump_key;

typedef struct eti_etdump_event {
    /* A profile event goes before a debug event, and that before others. */
    eti_etdump_event_kind kind;
    eti_etdump_key key;
    eti_text name;
    /* also beside a profile event */
    bool has_debug_event;
    eti_position debug_value; /* of its Value table; 0: missing */
    bool is_run_output;
} eti_etdump_event;

/* ValueType of the schema. */
typedef enum eti_etdump_value_type {
    ETI_ETDUMP_VALUE_NULL,
    ETI_ETDUMP_VALUE_INT,
    ETI_ETDUMP_VALUE_BOOL,
    ETI_ETDUMP_VALUE_FLOAT,
    ETI_ETDUMP_VALUE_DOUBLE,
    ETI_ETDUMP_VALUE_TENSOR,
    ETI_ETDUMP_VALUE_TENSOR_LIST,
    ETI_ETDUMP_VALUE_STRING,
} eti_etdump_value_type;

typedef struct eti_etdump_value {
    int8_t type;      /* an eti_etdump_value_type, or a number the schema does not know */
    bool has_content; /* the member that `type` names is there */
    int64_t as_int;
    bool as_bool;
    double as_double;
    eti_position tensor;
    eti_vector tensors;
} eti_etdump_value;

typedef struct eti_etdump_tensor {
    int8_t scalar_type;
    bool has_sizes;
    eti_vector sizes;   /* of i64 */
    eti_vector strides; /* of i64, in elements; {0, 0}: none */
    int64_t offset;     /* into the debug buffer, bytes */
} eti_etdump_tensor;

/* Verifies `file`. ETI_ERROR_MALFORMED or ETI_ERROR_LIMIT with file, byte, table and field. */
eti_status eti__etdump_open(eti_etdump *out, const struct eti_file *file, size_t n_threads,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns whether libetcapture wrote the dump, judged by how it lies in the file. */
bool eti__etdump_is_captured(const eti_etdump *dump);

eti_etdump_run eti__etdump_read_run(const eti_etdump *dump, uint32_t run);
/* Where the event number `event` of a run with these events lies. */
static inline eti_position eti__etdump_event_position(const eti_etdump *dump, eti_vector events,
                                                      uint32_t event) {
    return eti__flatbuf_vector_table(&dump->buffer, events, event);
}
void eti__etdump_read_event(eti_etdump_event *out, const eti_etdump *dump, eti_position event);
/* The Value table of the event's debug event; 0: it has none. */
eti_position eti__etdump_debug_value(const eti_etdump *dump, eti_position event);
bool eti__etdump_keys_equal(const eti_etdump_key *a, const eti_etdump_key *b);

/* Whether two events differ in nothing but their times, metadata and values. */
bool eti__etdump_events_alike(const eti_etdump *dump_a, eti_position a, const eti_etdump *dump_b,
                              eti_position b);

/* The part of a profile event that differs from run to run. */
typedef struct eti_etdump_stamps {
    uint64_t start_time, end_time; /* ticks of the source scale */
    eti_text metadata;             /* absent and empty mean the same */
} eti_etdump_stamps;

/* `event` has a profile event. */
eti_etdump_stamps eti__etdump_read_stamps(const eti_etdump *dump, eti_position event);

typedef struct eti_etdump_allocation {
    int32_t allocator_id;
    uint64_t size; /* bytes */
} eti_etdump_allocation;

/* False: the event is no allocation. */
bool eti__etdump_read_allocation(const eti_etdump *dump, eti_position event,
                                 eti_etdump_allocation *out);
/* The name of one of the run's allocators; absent where it has none. */
eti_text eti__etdump_allocator_name(const eti_etdump *dump, const eti_etdump_run *run,
                                    uint32_t allocator);

eti_etdump_value eti__etdump_read_value(const eti_etdump *dump, eti_position value);
eti_etdump_tensor eti__etdump_read_tensor(const eti_etdump *dump, eti_position tensor);

/* The description that verification walks, for tests that build and damage dumps by it. */
extern const eti_table_schema *const eti__etdump_schema;

#endif
