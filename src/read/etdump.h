/*
 * etdump.h - turns the bytes of an ETDump into runs and events, which are read directly from the file.
 *
 * Offsets, vtables, vectors and strings are verified when the dump is opened; after that, reading cannot fail. What a
 * missing field means is decided by the model. Text is borrowed from the file's bytes, which must stay valid. The layout is
 * schema/etdump.fbs.
 */
#ifndef ETI_READ_ETDUMP_H
#define ETI_READ_ETDUMP_H

#include "base/files.h"
#include "flatbuf/flatbuf.h"

typedef struct eti_etdump {
    eti_flatbuf buffer;
    eti_vector runs; /* {0, 0} if the file has no run_data at all */
    const char *file_name;
    const struct eti_file *
        debug_buffer; /* the ETDump's own, if each has one; NULL if there is only a common one or none */
} eti_etdump;

typedef struct eti_etdump_run {
    eti_text name;
    int32_t bundled_input_index; /* -1 if none */
    bool has_events; /* false: there is no events vector, which is not the same as an empty one */
    eti_vector events;
    eti_vector allocators; /* {0, 0} if none */
} eti_etdump_run;

typedef enum eti_etdump_event_kind {
    ETI_ETDUMP_NOTHING, /* no member is set */
    ETI_ETDUMP_PROFILE,
    ETI_ETDUMP_DEBUG,
    ETI_ETDUMP_ALLOCATION,
} eti_etdump_event_kind;

/* Chain of events outside of instructions, as two's complement. */
#define ETI_NO_CHAIN UINT64_MAX

/* The instruction that an event belongs to, and inside a delegate, the delegate's operator. */
typedef struct eti_etdump_key {
    int32_t instruction_id;   /* -1 if none */
    int32_t delegate_id_int;  /* -1 if none */
    eti_text delegate_id_str; /* absent differs from "" */
    uint64_t chain_index;     /* as two's complement if the file has an i32 */
    bool chain_is_negative;
} eti_etdump_key;

typedef struct eti_etdump_event {
    /* A profile event takes precedence over a debug event, and that over others. */
    eti_etdump_event_kind kind;
    eti_etdump_key key;
    eti_text name;
    /* also possible along with a profile event */
    bool has_debug_event;
    eti_position debug_value; /* position of its Value table; 0 if missing */
    bool is_run_output;
} eti_etdump_event;

/* Numbers of ValueType in the schema. */
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
    int8_t type;      /* an eti_etdump_value_type, or a number that is not in the schema */
    bool has_content; /* the member named by `type` exists */
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
    eti_vector strides; /* of i64, in elements; {0, 0} if none */
    int64_t offset;     /* offset in the debug buffer, in bytes */
} eti_etdump_tensor;

/* Verifies `file`. ETI_ERROR_MALFORMED or ETI_ERROR_LIMIT names the file, byte, table and field. */
eti_status eti__etdump_open(eti_etdump *out, const struct eti_file *file, size_t n_threads,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns whether libetcapture wrote the dump, judging by its layout. */
bool eti__etdump_is_captured(const eti_etdump *dump);

eti_etdump_run eti__etdump_read_run(const eti_etdump *dump, uint32_t run);
/* Returns the position of event number `event` of a run with these events. */
static inline eti_position eti__etdump_event_position(const eti_etdump *dump, eti_vector events,
                                                      uint32_t event) {
    return eti__flatbuf_vector_table(&dump->buffer, events, event);
}
void eti__etdump_read_event(eti_etdump_event *out, const eti_etdump *dump, eti_position event);
/* Returns the Value table of the event's debug event; 0 if it has none. */
eti_position eti__etdump_debug_value(const eti_etdump *dump, eti_position event);
bool eti__etdump_keys_equal(const eti_etdump_key *a, const eti_etdump_key *b);

/* Returns whether two events differ in nothing but their times, metadata and values. */
bool eti__etdump_events_alike(const eti_etdump *dump_a, eti_position a, const eti_etdump *dump_b,
                              eti_position b);

/* The part of a profile event that differs from run to run. */
typedef struct eti_etdump_stamps {
    uint64_t start_time, end_time; /* in ticks of the source scale */
    eti_text metadata;             /* absent and empty are equivalent */
} eti_etdump_stamps;

/* Reads the stamps of an event, which must have a profile event. */
eti_etdump_stamps eti__etdump_read_stamps(const eti_etdump *dump, eti_position event);

typedef struct eti_etdump_allocation {
    int32_t allocator_id;
    uint64_t size; /* in bytes */
} eti_etdump_allocation;

/* Reads an allocation; returns false if the event is not one. */
bool eti__etdump_read_allocation(const eti_etdump *dump, eti_position event,
                                 eti_etdump_allocation *out);
/* Returns the name of one of the run's allocators; absent if it has none. */
eti_text eti__etdump_allocator_name(const eti_etdump *dump, const eti_etdump_run *run,
                                    uint32_t allocator);

eti_etdump_value eti__etdump_read_value(const eti_etdump *dump, eti_position value);
eti_etdump_tensor eti__etdump_read_tensor(const eti_etdump *dump, eti_position tensor);

/* Schema that verification follows, for tests that build and damage dumps with it. */
extern const eti_table_schema *const eti__etdump_schema;

#endif
