/*
 * read.h - inputs: their kind, decided once; gzip, logs and journals; ZIP, JSON and the ETDump.
 */
#ifndef ETI_READ_READ_H
#define ETI_READ_READ_H

#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "base/text.h"
#include "etinspect.h"
#include "flatbuf/flatbuf.h"

#include <stdbool.h>
#include <zlib.h>

/* ==== repairs ================================================================================= */
/* Makes the texts of a file UTF-8 where they enter, as eti__buffer_add_utf8() does. A NUL in valid UTF-8 is a character, which
 * the Inspector prints. */

typedef struct eti_repaired_text {
    eti_text found, repaired;
} eti_repaired_text;

/* Repaired texts of a file. Texts at the same address share one repaired text. */
typedef struct eti_repairs {
    eti_arena *arena;
    /* Number of bytes that may still be stored. A byte becomes at most three, so only texts that overlap in the file need more. */
    uint64_t left;
    ETI_INTERN_OF(eti_repaired_text) texts; /* by the address of the original */
} eti_repairs;

/* Replaces a text that is not UTF-8. ETI_ERROR_LIMIT: too many bytes would be stored; ETI_ERROR_MEMORY. */
eti_status eti__repairs_apply(eti_repairs *repairs, eti_text *text, eti_error *err) ETI_WARN_UNUSED;

void eti__repairs_free(eti_repairs *repairs);

/* ==== note ==================================================================================== */
/* Reads and makes the note behind an ETDump, which says how `etinspect record` made it. */

/* Clocks of the times. A dump without a note has elapsed times. */
#define ETI_CLOCK_WALL "wall"
#define ETI_CLOCK_CPU "cpu"
#define ETI_CLOCK_MIXED "mixed" /* of several dumps */
#define ETI_CLOCK_LABEL "clock" /* of comparisons, baselines and reports */

typedef struct eti_dump_note {
    bool is_present;
    eti_text json;           /* borrowed from the file */
    char clock[32];          /* ETI_CLOCK_WALL unless the note says otherwise */
    char program_sha256[65]; /* "": unknown */
    char method[64];         /* its beginning; "": unknown */
    char inputs[64],
        input_types[192]; /* such as "random" and "float32 [1, 3, 64, 64]"; "": unknown */
    uint64_t input_seed;
    bool has_seed;
    char fault[160]; /* why the note is not read; "": it is read, or missing */
} eti_dump_note;

/* Reads the note at the end of these bytes of a dump. */
void eti__dump_note_read(eti_dump_note *note, const void *data, size_t size);

/* Calls `take` for each member of a note that is present, in their order. `value` is a text without its quotes, another value
 * as it is written, or absent for null; it is valid only during the call. Ends if `take` returns false. */
typedef bool (*eti_note_member_function)(void *context, eti_text name, eti_text value);
bool eti__dump_note_each(const eti_dump_note *note, eti_note_member_function take, void *context);

/* Appends a note with this JSON. False: out of memory, or more than 64 KiB. */
bool eti__dump_note_add(eti_buffer *out, eti_text json);

bool eti__is_clock(const char *name);
/* Returns the text that people read: "elapsed time". */
const char *eti__clock_text(const char *clock);

/* ==== etdump ================================================================================== */
/* Turns the bytes of an ETDump into runs and events, which are read directly from the file.
 *
 * Offsets, vtables, vectors and strings are verified when the dump is opened; after that, reading
 * cannot fail. What a missing field means is decided by the model. Text is borrowed from the
 * file's bytes, which must stay valid. The layout is schema/etdump.fbs. */

typedef struct eti_etdump {
    eti_flatbuf buffer;
    eti_vector runs; /* {0, 0} if the file has no run_data at all */
    const char *file_name;
    const struct eti_file *
        debug_buffer; /* the ETDump's own, if each has one; NULL if there is only a common one or none */
    bool merges_ids; /* set by its user: see eti_options */
    eti_dump_note note;
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

/* The chain of an event also says on which lane, which is a thread or a queue, it was recorded: libetcapture writes the number
 * of the lane or, outside of instructions, -1 minus this number. It adds ETI_AUTO_CHAIN to the chains of numbered events of
 * programs in Python. The main thread is lane 0. */
#define ETI_AUTO_CHAIN 1000000

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

/* Returns the clock of the dumps; NULL: none of them has a note. */
const char *eti__etdumps_clock(const eti_etdump *dumps, size_t n);

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

/* Reads the number of the lane of an event, which must have a profile event. */
uint32_t eti__etdump_read_lane(const eti_etdump *dump, eti_position event);

typedef struct eti_etdump_allocation {
    int32_t allocator_id;
    uint64_t size; /* in bytes */
} eti_etdump_allocation;

/* Reads an allocation; returns false if the event is not one. */
bool eti__etdump_read_allocation(const eti_etdump *dump, eti_position event,
                                 eti_etdump_allocation *out);
/* Reads the name of a lane from an allocator of the first run; returns false if the allocator has no such name. The last name
 * of a lane counts. libetcapture writes names of lanes as allocators, such as "etcapture lane 2: decoder", because an ETDump
 * has no other place for them. */
bool eti__etdump_read_lane_name(const eti_etdump *dump, const eti_etdump_run *run,
                                uint32_t allocator, uint32_t *lane, eti_text *name);

/* ---- counters of an event -------------------------------------------------------------------- */

/* The counters of an event that are still to be read. */
typedef struct eti_counted {
    eti_text left;
    bool is_mark; /* the event marks a time */
} eti_counted;

typedef struct eti_counter {
    eti_text label; /* "energy [uJ]" */
    eti_text name;  /* "energy" */
    eti_text unit;  /* "uJ"; absent: none */
    int64_t value;
} eti_counter;

/* Returns whether metadata of an event have the form that libetcapture gives to counters. */
bool eti__counted_begin(eti_counted *out, eti_text metadata);
/* Reads the next counter; returns false at the end, or before one that is damaged. */
bool eti__counted_next(eti_counted *counted, eti_counter *out);

/* Returns the name of one of the run's allocators; absent if it has none. */
eti_text eti__etdump_allocator_name(const eti_etdump *dump, const eti_etdump_run *run,
                                    uint32_t allocator);

eti_etdump_value eti__etdump_read_value(const eti_etdump *dump, eti_position value);
eti_etdump_tensor eti__etdump_read_tensor(const eti_etdump *dump, eti_position tensor);

/* ==== input =================================================================================== */
/* Opens the inputs that users give and decides their kind: a gzip file stands for its contents,
 * and a journal for its ETDump. An opened file keeps its kind and its packing; its readers verify
 * it, but do not determine its kind again. */

/* Opens an input of the kind `expected`: ETI_FILE_ETDUMP (or a log of a device), ETI_FILE_ETRECORD, ETI_FILE_PROGRAM (or a
 * bundled program), ETI_FILE_DATA. ETI_FILE_UNKNOWN, ETI_FILE_BASELINE: an input of any kind. The contents of a gzip file, or
 * the ETDump of a journal, replace the file's bytes. A file (not bytes in memory) that is no input is rejected after reading
 * only its beginning: up to ETI_LOG_MOST_BEFORE bytes of a text, otherwise 4 KiB. ETI_ERROR_MALFORMED: it is of another kind,
 * or the gzip file is damaged; ETI_ERROR_LIMIT: the gzip file contains more than 256 KiB plus 64 times its size, or more
 * than 4 GiB. */
eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns ETI_ERROR_MALFORMED if the opened file is not of the kind `expected`, which is as above; an ETDump may not be a
 * log. */
eti_status eti__input_expect(const struct eti_file *file, eti_file_kind expected,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns ETI_ERROR_MALFORMED if the opened file is an intact ZIP without the member ETI_RECORD_MEMBER, and is therefore
 * no ETRecord. `expected` describes the file that is needed; NULL: an ETRecord, too. A damaged ZIP is left to its reader. */
eti_status eti__input_check_zip(const struct eti_file *file, const char *expected,
                                eti_error *err) ETI_WARN_UNUSED;

/* Opens any file and leaves it packed. */
eti_status eti__input_open_unchanged(struct eti_file *out, const eti_source *source,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Opens a debug buffer, which may contain any bytes: a file that is not an intact gzip file is used unchanged. If it is
 * the log of a device, its first debug buffer is used. */
eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) ETI_WARN_UNUSED;

/* ==== json window ============================================================================= */
/* The JSON reader, how it is opened, its errors, and the window that slides over its input:
 *
 *     |  read  | unread          |          not yet read from the source
 *     window   at                end
 *
 * The functions under "json" read values. */

#define ETI_JSON_MAX_DEPTH 256

/* Stores up to `size` (> 0) bytes at `buffer` and their number in `*n`; 0 only at the end. */
typedef struct eti_json_source {
    eti_status (*read)(void *context, void *buffer, size_t size, size_t *n, eti_error *err);
    void *context;
} eti_json_source;

/* A reader; its fields are private. */
typedef struct eti_json {
    const unsigned char *window; /* the known part of the input */
    size_t at, end;              /* limits of the unread part of the window */
    uint64_t window_offset;      /* offset of the window's first byte in the input */
    unsigned char *storage;      /* window of a stream; NULL for text */
    eti_json_source source;
    bool refuses_nan; /* set after opening: NaN and Infinity are errors, as in the RFC */
    bool
        is_silent; /* set after opening: errors have no message, because making one takes longer than reading short texts */
    bool exhausted;                         /* the window ends at the end of the input */
    bool first;                             /* nothing of the innermost container was read yet */
    size_t depth;                           /* number of open containers */
    unsigned char open[ETI_JSON_MAX_DEPTH]; /* '{' or '[' for each */
    eti_buffer token;                       /* a text that is not one piece of the window */
    eti_error error;                        /* the first error; ETI_OK if none */
} eti_json;

/* Starts reading `text`, which must outlive the reader; always succeeds. */
void eti__json_open_text(eti_json *json, eti_text text);

/* Starts reading a stream. Running out of memory is reported like any other error. */
void eti__json_open_stream(eti_json *json, eti_json_source source);

/* Lets the caller report an error at the current position that the reader cannot know of. Keeps an earlier error. */
void eti__json_fail(eti_json *json, eti_status status, const char *format, ...) ETI_PRINTF(3, 4);

void eti__json_fail_memory(eti_json *json);

static inline bool eti__json_failed(const eti_json *json) {
    return json->error.status != ETI_OK;
}

/* ==== json ==================================================================================== */
/* Reads JSON (RFC 8259, UTF-8), from memory or piece by piece from a stream, and returns the
 * values that its caller requests, in file order.
 *
 * It builds no tree: a caller enters objects and arrays, takes the members it wants and skips the
 * others, whose text is checked but neither decoded nor kept. Memory depends not on the size of
 * the input, but only on the longest text that is taken. All repeated keys are reported, and the
 * caller decides what they mean. Like Python's json, and unlike the RFC, it accepts NaN, Infinity
 * and -Infinity as numbers: exported programs contain them, in masks and in open ranges. A lone
 * surrogate (\ud800) becomes U+FFFD.
 *
 * Errors are kept in the reader: after the first one every call returns false, so that loops end,
 * and eti__json_close() reports it, for example as "byte 17: expected ',' or '}', found 'x'". The
 * first byte is byte 0.
 *
 * A reader is opened with the functions under "json window", where the caller also reports
 * its own errors. */

typedef enum eti_json_kind {
    ETI_JSON_NONE, /* no value: something else comes next, or an error occurred before */
    ETI_JSON_NULL,
    ETI_JSON_BOOL,
    ETI_JSON_NUMBER,
    ETI_JSON_STRING,
    ETI_JSON_OBJECT,
    ETI_JSON_ARRAY,
} eti_json_kind;

/* Returns the kind of the next value without consuming it. */
eti_json_kind eti__json_peek(eti_json *json);

/* Enters the object or array that comes next; any other value is an error. */
bool eti__json_enter_object(eti_json *json);
bool eti__json_enter_array(eti_json *json);

/* Inside an object, returns true and the next key, whose value must then be taken or skipped; `key` is valid until the
 * next call. Returns false at the end of the object, which is then left, or after an error. */
bool eti__json_next_key(eti_json *json, eti_text *key);

/* Inside an array, returns true if a value follows, which must be taken or skipped; returns false at the end of the
 * array, which is then left, or after an error. */
bool eti__json_next_element(eti_json *json);

/* Take the next value; another kind is an error. A string is valid until the next call. */
bool eti__json_read_string(eti_json *json, eti_text *out);
/* Does the same, and replaces the contents of `spelling` by the string as it is spelled in the input, or by nothing if
 * that is longer than ETI_JSON_MAX_SPELLING. */
bool eti__json_read_spelled_string(eti_json *json, eti_text *out, eti_buffer *spelling);
/* Takes the next string if it is spelled like one that was read before, which costs a tenth of reading it. */
bool eti__json_take_spelled_string(eti_json *json, const eti_buffer *spelling);
bool eti__json_read_int64(eti_json *json, int64_t *out);
bool eti__json_read_uint64(eti_json *json, uint64_t *out);

/* Skips the next value after checking it. */
void eti__json_skip(eti_json *json);

/* Takes a null if it comes next. */
bool eti__json_take_null(eti_json *json);

/* Checks that only white space follows, releases the reader and returns its first error: ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT (depth, integers, long strings), ETI_ERROR_MEMORY, or the status of the source. */
eti_status eti__json_close(eti_json *json, eti_error *err) ETI_WARN_UNUSED;

/* ==== json string ============================================================================= */
/* A long string, which is read as a stream. */

/* A string whose text is read as a stream, whatever its length. */
typedef struct eti_json_text {
    eti_json *json;
    bool is_open; /* the closing quote was not reached yet */
} eti_json_text;

/* Starts reading the next string; any other value is an error of the reader. */
void eti__json_text_open(eti_json_text *text, eti_json *json);

/* Returns the text as the source of another reader, whose context is an eti_json_text. */
eti_status eti__json_text_read(void *context, void *buffer, size_t size, size_t *n, eti_error *err);

/* Skips the rest of the string. */
void eti__json_text_close(eti_json_text *text);

/* ==== kind ==================================================================================== */
/* The kind of a file by its first bytes, and the message that rejects a file of another kind.
 * etinspect.h declares the kinds and eti_file_kind_of(). */

/* First field of a baseline. */
#define ETI_BASELINE_MAGIC "etinspect-baseline"

/* The member that makes a ZIP an ETRecord. */
#define ETI_RECORD_MEMBER "ETRECORD_V0"

#define ETI_HOW_TO_MAKE_A_RECORD                                                                   \
    "an ETRecord is made with generate_etrecord when a model is exported"

/* ==== runner log ============================================================================== */
/* Extracts the ETDumps and debug buffers that were printed to the log of a device.
 *
 * ExecuTorch's runner for Arm boards (examples/arm/executor_runner) has no file system. It prints
 * shell commands for the user to run instead:
 *
 *     #[RUN THIS]
 *     # Writing debug_buffer.bin [base64]
 *     echo "AAAA..." | base64 -d >debug_buffer.bin
 *     # Writing etdump.bin [base64]
 *     echo "BBBB..." | base64 -d >etdump.bin
 *     #[END]
 *
 * libetcapture prints the same commands, and before the end a line that reveals losses, with the
 * CRC-32 used by ZIP:
 *
 *     # etcapture bytes=12345 crc32=89abcdef lost=0 debug_bytes=70 debug_crc32=01234567
 *
 * The commands are read, never run. Terminals may have inserted line breaks into the base64, and
 * carriage returns at the ends of lines. */

typedef struct eti_runner_log {
    struct eti_file *
        dumps; /* n_dumps of them, in the order of the log; each is named after the log and its line */
    size_t n_dumps, dump_capacity;
    struct eti_file *debug_buffers;
    size_t n_debug_buffers, debug_buffer_capacity;
    /* Lost by devices while recording. A device prints the number since it made its capture: if the number did not shrink
     * since the print before, the difference is added. */
    uint64_t n_events_lost;
} eti_runner_log;

/* Reads all places. The caller frees `out`. ETI_ERROR_MALFORMED: nothing was printed there, or it is truncated, not
 * base64, or does not match the device's size and checksum; ETI_ERROR_MEMORY. */
eti_status eti__runner_log_read(eti_runner_log *out, const struct eti_file *log,
                                eti_error *err) ETI_WARN_UNUSED;

/* Frees the log; files that were taken from it must be set to zeros. */
void eti__runner_log_free(eti_runner_log *log);

/* ==== zip directory =========================================================================== */
/* Lists the members of a ZIP from its directory.
 *
 * A ZIP has a header before each member and a directory of them all at its end. A reader that
 * trusts the directory alone loses a member if one letter in it changes, and the loss would look
 * as if the member had never existed. So both are compared here, once; after that, a member's
 * bytes can be read at the place in the list. Their contents are checked when they are read, by their
 * checksums.
 *
 * The directory is the one that Python finds: that of the last end record. Offsets count from the
 * beginning of the file, so nothing can precede the first member. ZIPs of several parts are
 * rejected. */

#define ETI_ZIP_NAME_BYTES 16384
/* Largest number of members in a file of tensors, one for each tensor. */
#define ETI_ZIP_TENSORS 262144

typedef struct eti_zip_member {
    eti_text
        name; /* bytes of the name in the file: without NUL, and UTF-8 only if the ZIP marks it as such */
    bool is_encrypted;
    uint16_t method;
    uint32_t crc32;             /* checksum of the inflated bytes, of which there are `size` */
    uint64_t place;             /* offset of its first byte in the file */
    uint64_t packed_size, size; /* the packed bytes are inside the file; `size` is only a claim */
} eti_zip_member;

typedef struct eti_zip {
    const struct eti_file *file;
    const eti_zip_member *members; /* in the order of the directory */
    size_t n_members;
    uint64_t inflated; /* inflated bytes of all deflated members read so far; private */
} eti_zip;

/* Returns whether the file has an end record where a ZIP has one; without it, the file is of another kind or was cut
 * short. */
bool eti__zip_has_end(const struct eti_file *file);

/*
 * Lists the members of `file`, which must have an end record, in `arena`; `file` must outlive the list. ETI_ERROR_MALFORMED
 * if the directory is not directly before its end record or contains anything but entries, if a member's header and entry
 * have different names, sizes, checksums or methods, if a member is not before the directory, if members overlap so much
 * that their total size exceeds the file's, or if a name contains a NUL or is wrongly marked as UTF-8. ETI_ERROR_LIMIT above
 * the numbers above, ETI_ERROR_MEMORY.
 */
eti_status eti__zip_open(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Does the same with `most_members` as the largest number of members. */
eti_status eti__zip_open_large(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                               uint64_t most_members, eti_error *err) ETI_WARN_UNUSED;

/* ==== zip member ============================================================================== */
/* Reads the unpacked bytes of a ZIP's member, piece by piece.
 *
 * Members are stored or deflated; encrypted ones and those with other methods are rejected. At the
 * end, the number of bytes and their checksum are compared with those in the ZIP, so that the
 * original bytes are guaranteed once a member is read to its end. Memory does not depend on the
 * size of the member.
 *
 * The bytes inflated from a ZIP, over all members and each time one is read, are limited to 256
 * KiB plus 64 times the size of the file, and to 1 GiB. Stored members are as large as their part
 * of the file, and are not limited. */

/* The bytes of one member; its fields are private. */
typedef struct eti_zip_stream {
    const uint8_t *packed; /* the unread packed bytes, in the file */
    uint64_t packed_left;
    uint64_t left;  /* unread part of the size claimed by the ZIP */
    uint32_t crc32; /* checksum of the bytes read so far */
    uint32_t expected_crc32;
    bool is_deflated, has_ended;
    z_stream inflater;
} eti_zip_stream;

/* Starts reading `member`, one of zip->members. Success must be followed by eti__zip_stream_close(). Messages begin with
 * the fault, without names. ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT if the limit above would be exceeded, before anything is
 * inflated; ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_open(eti_zip_stream *out, eti_zip *zip, const eti_zip_member *member,
                                eti_error *err) ETI_WARN_UNUSED;

/* Stores up to `size` (> 0) bytes at `buffer` and their number in `*n`; 0 only at the end. `context` is the stream, so
 * that this can be a source for json.h. ETI_ERROR_MALFORMED, ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_read(void *context, void *buffer, size_t size, size_t *n,
                                eti_error *err) ETI_WARN_UNUSED;

void eti__zip_stream_close(eti_zip_stream *stream);

/* Reads the first bytes of a member, at most `size`, and stores their number in `*n`; the checksum is not checked. Only
 * these bytes count as inflated. Fails like eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_begin(eti_zip *zip, const eti_zip_member *member, void *buffer,
                                 size_t size, size_t *n, eti_error *err) ETI_WARN_UNUSED;

/* Finds all bytes of a member and checks their checksum; a stored member is a view of the file, a deflated one is
 * inflated into `arena`. Fails like eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_load(eti_text *out, eti_arena *arena, eti_zip *zip,
                                const eti_zip_member *member, eti_error *err) ETI_WARN_UNUSED;

#endif
