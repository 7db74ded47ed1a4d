/*
 * etinspect.h - turns an ETDump, and the ETRecord made when its model was exported, into
 * EventBlocks of Events with statistics, and these into tables.
 *
 * It does not run models, load weights or need Python.
 *
 * Ownership: everything reached from an eti_inspector is borrowed from it and lives until
 * eti_inspector_close(); everything reached from an eti_table until eti_table_free(), but for cells
 * (see eti_table_reader_cell()). Tables, reports and profiles keep what they were made of until they are freed
 * themselves, so that all may be closed in any order; bytes in memory that were opened must stay that long. Inspectors,
 * tables, reports and profiles may be read by several threads: reading changes nothing that another reader sees.
 *
 * State: all is in these objects, but for two lists of the process that signal handlers need, see
 * eti_remove_temporary_files() and eti_mapped_file_name(); they take care of threads themselves.
 *
 * Errors: functions that can fail return an eti_status and, when `err` is not NULL, fill it with one
 * sentence naming the file, the place, what was expected, what was found and what to do (options are
 * called as eti_request_set() takes them). On failure nothing is left to free and output pointers are NULL.
 *
 * Arguments: an index past the last thing gives NULL, an absent text, or what the function says; a number
 * that is none of an enum's constants gives NULL, or ETI_ERROR_USAGE. Pointers are not NULL unless a function
 * says that they may be.
 *
 * Growth: enums and ETI_STATUS_LIST grow at their end only. eti_error and eti_summary begin with their size and grow at
 * their end: start them with their _INIT, and the library touches no field that the program's header did not have.
 * eti_text, eti_source, eti_delegate_id and eti_debug_handles are values, which never grow. All else is opaque.
 *
 * This is the only header of libetinspect. The project's own sources include it for the shared
 * types; it includes nothing of theirs.
 */
#ifndef ETINSPECT_H
#define ETINSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETI_VERSION "0.1.0"

#if defined(__GNUC__)
#define ETI_API __attribute__((visibility("default")))
#define ETI_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define ETI_API
#define ETI_WARN_UNUSED
#endif

/* ---- status and error ------------------------------------------------------------------------ */

/* X(name, sentence): the one list of everything that can go wrong. */
#define ETI_STATUS_LIST(X)                                                                         \
    X(OK, "success")                                                                               \
    X(ERROR_USAGE, "the request itself is wrong")                                                  \
    X(ERROR_READ, "an input is missing or cannot be read")                                         \
    X(ERROR_MALFORMED, "an input is damaged or not of the expected format")                        \
    X(ERROR_LIMIT, "an input is larger or deeper than the limits allow")                           \
    X(ERROR_DATA, "an input is well-formed, but what it says contradicts itself")                  \
    X(ERROR_WRITE, "an output cannot be written")                                                  \
    X(ERROR_MEMORY, "out of memory")                                                               \
    X(ERROR_CANCELLED, "the caller's progress function asked to stop")

typedef enum eti_status {
#define ETI_STATUS_ENUM(name, sentence) ETI_##name,
    ETI_STATUS_LIST(ETI_STATUS_ENUM)
#undef ETI_STATUS_ENUM
} eti_status;

typedef struct eti_error {
    size_t struct_size; /* of the caller; see Growth above */
    eti_status status;
    char message[5120]; /* NUL-terminated UTF-8, one line, no final full stop or newline */
    /* Of an expression that cannot be read: the byte, from 1 on, at which it goes wrong; 0: the message is
     * about something else. */
    size_t position;
} eti_error;

#define ETI_ERROR_INIT                                                                             \
    { sizeof(eti_error), ETI_OK, "", 0 }

/* The sentence of a status; never NULL. */
ETI_API const char *eti_status_text(eti_status status);

/* Makes any text fit to be a line of a message: control characters, marks that turn the direction of text,
 * and what is not UTF-8 become '?', and a character that is cut in two at the end is dropped. Messages of
 * this library are made so already. */
ETI_API void eti_make_one_line(char *message);

/* The version of the library, "MAJOR.MINOR.PATCH". */
ETI_API const char *eti_version(void);

/* ---- text and time scales -------------------------------------------------------------------- */

/* Bytes that are not NUL-terminated. `data` is NULL where the text is absent, which differs from
 * "". */
typedef struct eti_text {
    const char *data;
    size_t size; /* bytes */
} eti_text;

typedef enum eti_time_scale {
    ETI_SCALE_NS,
    ETI_SCALE_US,
    ETI_SCALE_MS,
    ETI_SCALE_S,
    ETI_SCALE_CYCLES,
} eti_time_scale;

/* "ns", "us", "ms", "s", "cycles"; NULL: it is none of the constants. */
ETI_API const char *eti_time_scale_name(eti_time_scale scale);
/* The scale called `name`; false when there is none. */
ETI_API bool eti_time_scale_parse(const char *name, eti_time_scale *out);

/* ---- requests -------------------------------------------------------------------------------- */

/* One input: a file, or bytes in memory that stay valid until the inspector is closed. It may be a gzip
 * file; and an ETDump may be the log of a device on which ETDumps were printed, which stands for all of them. */
typedef struct eti_source {
    const char *path; /* "-" is standard input; with `data`, only the name used in messages */
    const void *data; /* NULL: read `path` */
    size_t size;      /* bytes at `data` */
} eti_source;

/* Receives every now and then how far a long call has come, from the thread that made the call. `step` says in a
 * few words what is done; `done` of `total` tells how much of it. With `total` 0 it is not known how much there is:
 * `done` are bytes, or 0. Returns false to cancel: the call then fails with ETI_ERROR_CANCELLED as soon as it can,
 * and leaves nothing behind, as with any failure. */
typedef bool (*eti_progress_function)(void *context, const char *step, uint64_t done,
                                      uint64_t total);

/* What a program wants: which inputs, how time is counted, which rows and columns, how they are written. Functions that
 * take a request read of it what concerns them, and do not keep it; NULL is a request in which nothing is set. A request
 * that nobody changes may be read by several threads. */
typedef struct eti_request eti_request;

ETI_API eti_status eti_request_new(eti_request **out, eti_error *err) ETI_WARN_UNUSED;
/* A request in which the same is set. */
ETI_API eti_status eti_request_copy(eti_request **out, const eti_request *request,
                                    eti_error *err) ETI_WARN_UNUSED;
/* NULL is allowed. */
ETI_API void eti_request_free(eti_request *request);

/* Sets the option `name`, spelled with underscores or hyphens, to what `value` says, which is written as on the command
 * line of the program: "5", "400MHz", "p50 > 1". A flag is "true" or "false". An option that may be repeated takes one
 * value more, another one the last. NULL as `value` sets the option back to its default. Both texts are copied.
 * ETI_ERROR_USAGE: there is no such option, or it takes no such value; the request is then as it was, and of an
 * expression err->position says where it goes wrong; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_request_set(eti_request *request, const char *name, const char *value,
                                   eti_error *err) ETI_WARN_UNUSED;
/* What the option was set to last, as it was written; NULL: it was not set. It lives until the option is set again. */
ETI_API const char *eti_request_get(const eti_request *request, const char *name);

/* Adds an input to the option `name`, which is "etdump_path", "etrecord_path", "debug_buffer_path", "budget" or "allow":
 * a file, or bytes in memory that stay valid as long as what is made of them. Several ETDumps stand for one file with
 * all their runs, in this order. ETI_ERROR_USAGE: there is no such option; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_request_add_input(eti_request *request, const char *name,
                                         const eti_source *source, eti_error *err) ETI_WARN_UNUSED;
/* `tell` receives how far opening and writing have come; NULL: nobody does. */
ETI_API void eti_request_set_progress(eti_request *request, eti_progress_function tell,
                                      void *context);
/* What stands before the names of options in messages and notes about this request: "" at first, "--" in the program.
 * It must live as long as the request. */
ETI_API void eti_request_set_option_prefix(eti_request *request, const char *prefix);

typedef enum eti_option_type {
    ETI_OPTION_FLAG,
    ETI_OPTION_TEXT,
    ETI_OPTION_FILE,      /* or directory */
    ETI_OPTION_CHOICE,    /* one of eti_option_choices() */
    ETI_OPTION_NUMBER,    /* a whole one */
    ETI_OPTION_SHARE,     /* 5% or 0.05 */
    ETI_OPTION_PERCENT,   /* from 0 to 100 */
    ETI_OPTION_FREQUENCY, /* 400e6, 400MHz */
    ETI_OPTION_LABEL,     /* KEY=VALUE */
    ETI_OPTION_SCALE,     /* [BACKEND=]SCALE */
    ETI_OPTION_RULE,      /* op:p50>+5% */
} eti_option_type;

/* The options of requests, `i` from 0 on. */
ETI_API size_t eti_option_count(void);
ETI_API const char *eti_option_name(size_t i);
ETI_API eti_option_type eti_option_type_of(size_t i);
/* What it does, without a full stop; there may be line breaks. */
ETI_API const char *eti_option_help(size_t i);
/* With commas between them; NULL: any value of its type. */
ETI_API const char *eti_option_choices(size_t i);
/* As it is written; NULL: what is done without it cannot be written as a value. */
ETI_API const char *eti_option_default(size_t i);
/* Whether it keeps all values it is set to, not the last one only. */
ETI_API bool eti_option_is_repeated(size_t i);

/* ---- opening --------------------------------------------------------------------------------- */

typedef struct eti_inspector eti_inspector;

/* Reads and verifies all inputs of the request, at least one ETDump or an ETRecord, and builds the EventBlocks.
 * ETI_ERROR_USAGE: no input, time scales that do not convert, an unknown
 * method, or no run left after skip_first; ETI_ERROR_READ; ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_DATA: runs of one block with
 * different values, or stamps that no clock of 32 bits can have given; ETI_ERROR_MEMORY; ETI_ERROR_CANCELLED. */
ETI_API eti_status eti_inspector_open(eti_inspector **out, const eti_request *request,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Frees the inspector and all that was reached from it. NULL is allowed. */
ETI_API void eti_inspector_close(eti_inspector *inspector);

typedef enum eti_file_kind {
    ETI_FILE_UNKNOWN,
    ETI_FILE_EMPTY,
    ETI_FILE_ETDUMP,
    ETI_FILE_ETRECORD,
    ETI_FILE_PROGRAM,         /* .pte */
    ETI_FILE_BUNDLED_PROGRAM, /* .bpte */
    ETI_FILE_RUNNER_LOG,      /* of ExecuTorch's runner for Arm boards, with ETDumps in base64 */
    ETI_FILE_BASELINE,        /* of eti_profile_save() */
} eti_file_kind;

/* Tells from what is in it, never from the name, what a file is. */
ETI_API eti_file_kind eti_file_kind_of(const void *data, size_t size);
/* What a file of this kind is and, if it is no input, what to give instead: half a sentence; NULL: it is none of
 * the constants. */
ETI_API const char *eti_file_kind_text(eti_file_kind kind);

/* An input that is opened before it is inspected, to look at it first; standard input can be read
 * only once. A gzip file is unpacked. eti_file_source() borrows from the file, which must stay open as long as its
 * inspector and what is made of that. */
typedef struct eti_file eti_file;
ETI_API eti_status eti_file_open(eti_file **out, const char *path, eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_source eti_file_source(const eti_file *file);
ETI_API void eti_file_close(eti_file *file);

/* ---- what is worth telling the user ---------------------------------------------------------- */

typedef enum eti_note_kind {
    ETI_NOTE_INFO,    /* nothing is wrong */
    ETI_NOTE_WARNING, /* something is missing or does not fit; the text says how to get it */
} eti_note_kind;

/* What was found while opening that explains an empty, unlabelled or surprising result. */
ETI_API size_t eti_inspector_note_count(const eti_inspector *inspector);
ETI_API eti_note_kind eti_inspector_note_kind(const eti_inspector *inspector, size_t i);
/* One line; absent past the last note. */
ETI_API eti_text eti_inspector_note_text(const eti_inspector *inspector, size_t i);

/* ---- EventBlocks ----------------------------------------------------------------------------- */

typedef struct eti_event_block eti_event_block;
typedef struct eti_event eti_event;

ETI_API size_t eti_inspector_block_count(const eti_inspector *inspector);
ETI_API const eti_event_block *eti_inspector_block(const eti_inspector *inspector, size_t i);
ETI_API eti_time_scale eti_inspector_source_time_scale(const eti_inspector *inspector);
ETI_API eti_time_scale eti_inspector_target_time_scale(const eti_inspector *inspector);

ETI_API eti_text eti_event_block_name(const eti_event_block *block);
/* -1 when the runs were not made from a bundled program. */
ETI_API int32_t eti_event_block_bundled_input_index(const eti_event_block *block);
/* Runs that were merged into this block. */
ETI_API size_t eti_event_block_run_count(const eti_event_block *block);
ETI_API size_t eti_event_block_event_count(const eti_event_block *block);
ETI_API const eti_event *eti_event_block_event(const eti_event_block *block, size_t i);

/* ---- Events ---------------------------------------------------------------------------------- */

/* Of n >= 1 samples, in the target time scale; equal to numpy's to the last bit. */
typedef struct eti_summary {
    size_t struct_size; /* of the caller; see Growth above */
    double p10, p50, p90, avg, min, max;
} eti_summary;

#define ETI_SUMMARY_INIT                                                                           \
    { sizeof(eti_summary), 0, 0, 0, 0, 0, 0 }

typedef enum eti_delegate_id_kind {
    ETI_DELEGATE_ID_NONE,
    ETI_DELEGATE_ID_INT,
    ETI_DELEGATE_ID_STRING,
} eti_delegate_id_kind;

typedef struct eti_delegate_id {
    eti_delegate_id_kind kind;
    int32_t int_id;
    eti_text string_id;
} eti_delegate_id;

typedef enum eti_handles_kind {
    ETI_HANDLES_NONE,
    ETI_HANDLES_INT,  /* the record names one handle, not a list: `n` is 1 */
    ETI_HANDLES_LIST, /* in the record's order, duplicates kept */
} eti_handles_kind;

typedef struct eti_debug_handles {
    eti_handles_kind kind;
    const int64_t *handles;
    size_t n;
} eti_debug_handles;

/* One level of the module hierarchy. */
typedef struct eti_module eti_module;

ETI_API eti_text eti_module_key(const eti_module *module);  /* unique, such as L__self___fc */
ETI_API eti_text eti_module_path(const eti_module *module); /* such as fc */
/* Such as torch.nn.modules.linear.Linear. */
ETI_API eti_text eti_module_type(const eti_module *module);

/* A graph node an event belongs to. */
typedef struct eti_op_node eti_op_node;

/* As torch names it, with the Inspector's final "_". */
ETI_API eti_text eti_op_node_name(const eti_op_node *node);
/* Absent where the graph has none. */
ETI_API eti_text eti_op_node_stack_trace(const eti_op_node *node);
/* False where the graph has no module stack for this node, which differs from an empty one. */
ETI_API bool eti_op_node_has_modules(const eti_op_node *node);
ETI_API size_t eti_op_node_module_count(const eti_op_node *node);
/* Outermost first; NULL past the last. */
ETI_API const eti_module *eti_op_node_module(const eti_op_node *node, size_t i);

/* An operator of the ETRecord's graph. */
typedef struct eti_graph_node eti_graph_node;

/* Its name, stack trace and modules. */
ETI_API const eti_op_node *eti_graph_node_op_node(const eti_graph_node *node);
/* As op_types shows it: aten.addmm.default. */
ETI_API eti_text eti_graph_node_op_type(const eti_graph_node *node);
/* As the file has it. */
ETI_API eti_text eti_graph_node_target(const eti_graph_node *node);
/* False where it has no debug handle; `out` is then 0. */
ETI_API bool eti_graph_node_debug_handle(const eti_graph_node *node, int64_t *out);

/* The graph of the method that events are matched with, in graph order; 0 without an ETRecord. */
ETI_API size_t eti_inspector_graph_node_count(const eti_inspector *inspector);
ETI_API const eti_graph_node *eti_inspector_graph_node(const eti_inspector *inspector, size_t i);

ETI_API eti_text eti_event_name(const eti_event *event);
ETI_API int32_t eti_event_instruction_id(const eti_event *event); /* -1: none */
ETI_API bool eti_event_is_delegated_op(const eti_event *event);
ETI_API eti_delegate_id eti_event_delegate_debug_identifier(const eti_event *event);
ETI_API eti_text eti_event_delegate_backend_name(const eti_event *event); /* absent: unknown */
ETI_API eti_debug_handles eti_event_debug_handles(const eti_event *event);
ETI_API int64_t eti_event_num_outputs(const eti_event *event); /* 1 unless the record says more */

/* Samples, one per run that timed the event; none (and NULL) for an event that was only logged for
 * debugging. */
ETI_API size_t eti_event_sample_count(const eti_event *event);
ETI_API const double *eti_event_raw(const eti_event *event);          /* elapsed, target scale */
ETI_API const uint64_t *eti_event_start_time(const eti_event *event); /* as stamped, source scale */
ETI_API bool eti_event_summary(const eti_event *event, eti_summary *out); /* false: no samples */

/* One entry per sample, or none at all; an entry without metadata has size 0. */
ETI_API size_t eti_event_delegate_debug_metadata_count(const eti_event *event);
ETI_API eti_text eti_event_delegate_debug_metadata(const eti_event *event, size_t i);

/* Operators of the edge program, one per (handle, node), duplicates kept. */
ETI_API size_t eti_event_op_type_count(const eti_event *event);
ETI_API eti_text eti_event_op_type(const eti_event *event, size_t i);
/* Distinct nodes: what stack_traces and module_hierarchy are keyed by. */
ETI_API size_t eti_event_op_node_count(const eti_event *event);
ETI_API const eti_op_node *eti_event_op_node(const eti_event *event, size_t i);

/* ---- debug data ------------------------------------------------------------------------------ */

typedef enum eti_value_kind {
    ETI_VALUE_NONE,
    ETI_VALUE_INT,
    ETI_VALUE_BOOL,
    ETI_VALUE_FLOAT, /* as a double, which holds the exact value of the float */
    ETI_VALUE_DOUBLE,
    ETI_VALUE_TENSOR,
    ETI_VALUE_TENSOR_LIST,
} eti_value_kind;

typedef struct eti_tensor eti_tensor;

ETI_API int8_t eti_tensor_scalar_type(const eti_tensor *tensor); /* ExecuTorch's number */
/* "float32", "int64", ...; "unknown" for numbers without a name. */
ETI_API const char *eti_tensor_dtype(const eti_tensor *tensor);
ETI_API size_t eti_tensor_dimension_count(const eti_tensor *tensor); /* 0: a scalar */
/* One for each dimension; lives as long as the tensor. */
ETI_API const int64_t *eti_tensor_sizes(const eti_tensor *tensor);
ETI_API int64_t eti_tensor_offset(const eti_tensor *tensor); /* into the debug buffer, bytes */
/* Contiguous, row-major, possibly unaligned; NULL without a debug buffer or when empty. */
ETI_API const uint8_t *eti_tensor_data(const eti_tensor *tensor);
ETI_API size_t eti_tensor_byte_count(const eti_tensor *tensor); /* 0 when the data is NULL */

typedef struct eti_value eti_value;

ETI_API eti_value_kind eti_value_kind_of(const eti_value *value);
/* The value of its kind; 0 or false where it is of another. */
ETI_API int64_t eti_value_as_int(const eti_value *value);
ETI_API bool eti_value_as_bool(const eti_value *value);
ETI_API double eti_value_as_double(const eti_value *value);
/* 1 for ETI_VALUE_TENSOR, 0 for what is neither a tensor nor a list of them. */
ETI_API size_t eti_value_tensor_count(const eti_value *value);
ETI_API const eti_tensor *eti_value_tensor(const eti_value *value, size_t i);

ETI_API size_t eti_event_debug_data_count(const eti_event *event);
ETI_API const eti_value *eti_event_debug_data(const eti_event *event, size_t i);
/* The outputs of the block's runs. */
ETI_API size_t eti_event_block_run_output_count(const eti_event_block *block);
ETI_API const eti_value *eti_event_block_run_output(const eti_event_block *block, size_t i);

/* ---- answers --------------------------------------------------------------------------------- */

/* The sum of the averages of all events that belong to a module whose hierarchy has a key
 * containing `name`, in the target time scale; OPERATOR_CALL rows are not counted. */
ETI_API double eti_inspector_find_total_for_module(const eti_inspector *inspector,
                                                   const char *name);
/* Whether any event belongs to such a module: without an ETRecord none does. */
ETI_API bool eti_inspector_has_module(const eti_inspector *inspector, const char *name);

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct eti_table eti_table;

/* The Inspector's own table: one row per event, without OPERATOR_CALL rows. Of the request:
 * include_units, include_delegate_debug_data, delegate_metadata.
 * ETI_ERROR_LIMIT: the events repeat long names too often; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                              const eti_request *request,
                                              eti_error *err) ETI_WARN_UNUSED;
/* One row per name: the name and eti_inspector_find_total_for_module() of it. */
ETI_API eti_status eti_inspector_modules_table(eti_table **out, const eti_inspector *inspector,
                                               const char *const *names, size_t n_names,
                                               const eti_request *request,
                                               eti_error *err) ETI_WARN_UNUSED;
ETI_API void eti_table_free(eti_table *table);

typedef enum eti_cell_kind {
    ETI_CELL_NONE, /* no value */
    ETI_CELL_BOOL,
    ETI_CELL_INT,
    ETI_CELL_DOUBLE,
    ETI_CELL_TEXT,
    ETI_CELL_LIST, /* text made from a list; never taken for a number; items: NULL, or eti_text */
    ETI_CELL_NAN,  /* pandas' missing value: "nan" in a table, empty in TSV and CSV */
    ETI_CELL_DOUBLES, /* items: double */
    ETI_CELL_UINTS,   /* items: uint64_t */
    ETI_CELL_INTS,    /* items: int64_t */
    ETI_CELL_TEXTS,   /* items: eti_text */
} eti_cell_kind;

/* What stands in one row of one column. Of what is not of the cell's kind, functions give false, 0, NaN, an absent
 * text or NULL. */
typedef struct eti_cell eti_cell;

ETI_API eti_cell_kind eti_cell_kind_of(const eti_cell *cell);
ETI_API bool eti_cell_as_bool(const eti_cell *cell);
ETI_API int64_t eti_cell_as_int(const eti_cell *cell);
ETI_API double eti_cell_as_double(const eti_cell *cell); /* of ETI_CELL_INT too */
/* UTF-8; of ETI_CELL_TEXT and ETI_CELL_LIST, and of any value in a column of ETI_TYPE_UTF8. */
ETI_API eti_text eti_cell_as_text(const eti_cell *cell);
/* An array of the type that eti_cell_kind says. */
ETI_API const void *eti_cell_items(const eti_cell *cell);
ETI_API size_t eti_cell_item_count(const eti_cell *cell);

/* The type of every value of a column; a cell may also have none: ETI_CELL_NONE or ETI_CELL_NAN. Where a column of
 * texts has numbers among them, cells have the kinds of these, and a text too. Numbers of ETI_TYPE_UINT64 beyond
 * INT64_MAX are ETI_CELL_DOUBLE. */
typedef enum eti_column_type {
    ETI_TYPE_BOOL,
    ETI_TYPE_INT32,
    ETI_TYPE_INT64,
    ETI_TYPE_UINT64,
    ETI_TYPE_FLOAT64,
    ETI_TYPE_UTF8,
    ETI_TYPE_LIST_INT64,
    ETI_TYPE_LIST_UINT64,
    ETI_TYPE_LIST_FLOAT64,
    ETI_TYPE_LIST_UTF8,
} eti_column_type;

/* What the numbers of a column mean, and so how people want to read them. */
typedef enum eti_column_kind {
    ETI_COLUMN_TEXT,   /* names and flags too */
    ETI_COLUMN_LIST,   /* cells may be ETI_CELL_DOUBLES and its like */
    ETI_COLUMN_COUNT,  /* of things */
    ETI_COLUMN_NUMBER, /* a number that is none of the others: an id, a stamp, a ratio */
    ETI_COLUMN_TIME,   /* in the target time scale */
    ETI_COLUMN_SHARE,  /* 1 is the whole: shown as 100 % */
    ETI_COLUMN_BYTES,
} eti_column_kind;

ETI_API size_t eti_table_row_count(const eti_table *table);
ETI_API size_t eti_table_column_count(const eti_table *table);
ETI_API eti_text eti_table_column_name(const eti_table *table, size_t column);
ETI_API eti_column_kind eti_table_column_kind(const eti_table *table, size_t column);
/* It belongs to the column, not to its cells: a column without rows has one too. */
ETI_API eti_column_type eti_table_column_type(const eti_table *table, size_t column);
/* What its cells say, half a line; NULL: nothing is known. */
ETI_API const char *eti_table_column_help(const eti_table *table, size_t column);
/* "text", "list", "count", "number", "time", "share", "bytes". */
ETI_API const char *eti_column_kind_name(eti_column_kind kind);
/* Shown only where it is asked for, and in formats for programs. */
ETI_API bool eti_table_column_is_extra(const eti_table *table, size_t column);
/* One way through the rows of a table. Each thread has readers of its own; there may be any number at a time, and
 * none changes the table or sees another. Rows need not be read in order. */
typedef struct eti_table_reader eti_table_reader;

/* ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_reader_open(eti_table_reader **out, const eti_table *table,
                                         eti_error *err) ETI_WARN_UNUSED;
/* The cell lives, with its text and items, until this reader reads another row. NULL: there is no such row or
 * column, or memory was out, from when on no row can be read. */
ETI_API const eti_cell *eti_table_reader_cell(eti_table_reader *reader, size_t row, size_t column);
/* NULL is allowed. Close it before its table is freed. */
ETI_API void eti_table_reader_close(eti_table_reader *reader);

/* Reads `n_rows` values of a column into `out`. Where a cell has none is_valid[i], unless it is NULL, is false, and
 * out[i] is NaN or 0. eti_table_read_doubles() reads columns of ETI_TYPE_FLOAT64, INT32, INT64 and UINT64,
 * eti_table_read_ints() of ETI_TYPE_BOOL, INT32 and INT64. ETI_ERROR_USAGE: another type, or there are no such rows;
 * ETI_ERROR_MEMORY: what `out` holds is then undefined. */
ETI_API eti_status eti_table_read_doubles(const eti_table *table, size_t column, size_t first_row,
                                          size_t n_rows, double *out, bool *is_valid,
                                          eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_status eti_table_read_ints(const eti_table *table, size_t column, size_t first_row,
                                       size_t n_rows, int64_t *out, bool *is_valid,
                                       eti_error *err) ETI_WARN_UNUSED;

struct
    ArrowArrayStream; /* of the Arrow C stream interface, which programs that use it have a copy of */

/* Fills `out` with a stream of the table's rows, in batches, that any library of Arrow reads without a call per cell.
 * Columns have the types of eti_table_column_type(), and are null where a cell has no value. The stream keeps the
 * table until its release() is called, and reads it while it is read: in any thread, by one at a time. On failure
 * out->release is NULL. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_arrow_stream(struct ArrowArrayStream *out, const eti_table *table,
                                          eti_error *err) ETI_WARN_UNUSED;
/* The same of every sample of the inspector: block, run, event, event_name, start_time, elapsed and what else is known
 * of the event. */
ETI_API eti_status eti_inspector_samples_arrow_stream(struct ArrowArrayStream *out,
                                                      const eti_inspector *inspector,
                                                      eti_error *err) ETI_WARN_UNUSED;

/* A copy in which no cell is a formula to a spreadsheet that opens it as CSV or TSV: a text gets a "'" in
 * front of each =, +, - or @ (of any width) that begins it, or begins what a spreadsheet may take for a cell
 * of its own, after a line break, a tab or a semicolon. Numbers stay. 
 * ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_defuse_formulas(eti_table **out, const eti_table *table,
                                             eti_error *err) ETI_WARN_UNUSED;

/* ---- reports --------------------------------------------------------------------------------- */

/* What a view gives: one or more tables, and where their numbers come from. */
typedef struct eti_report eti_report;

/* The known views: "events", "modules", ...; NULL past the end. */
ETI_API const char *eti_view_name(size_t i);
/* What a view tells, half a sentence; NULL: there is no such view. */
ETI_API const char *eti_view_summary(const char *name);

/* Makes what `view` shows of the inspector. Of the request: block, samples,
 * include_units, and what the view is about: group of "groups", module of "modules", depth and fold of "tree" (drawn
 * with lines where the format is "text" or "table"), context and source_root of "source", graph of "graph" and "ops",
 * top and split_variants of "summary", events of "runs". ETI_ERROR_USAGE: there is no such view, block or group;
 * ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_report(eti_report **out, const eti_inspector *inspector,
                                        const char *view, const eti_request *request,
                                        eti_error *err) ETI_WARN_UNUSED;
ETI_API void eti_report_free(eti_report *report);

/* At least one. */
ETI_API size_t eti_report_table_count(const eti_report *report);
/* The number of the one that eti_report_select() is about. */
ETI_API size_t eti_report_selected_table(const eti_report *report);
/* What programs call the i-th table: a key in JSON, a table in SQLite. */
ETI_API const char *eti_report_table_name(const eti_report *report, size_t i);
ETI_API const eti_table *eti_report_table(const eti_report *report, size_t i);

/* Replaces one table of the report, eti_report_selected_table(), by what is selected of it, and leaves the report as it
 * was when it fails. Of the request: columns (names with commas between them; units may be left out), filter (see the man
 * page, SELECTION), sort (missing values go last), top. The index column keeps the numbers that rows had.
 * ETI_ERROR_USAGE: there is no such column, or the expression cannot be read or does not fit the columns: err->position
 * says where; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_report_select(eti_report *report, const eti_request *request,
                                     eti_error *err) ETI_WARN_UNUSED;

/* ---- comparing ------------------------------------------------------------------------------- */

/* One side of a comparison: what ran, in order, with the time of each run. */
typedef struct eti_profile eti_profile;

/* The side that the inspector's dumps are. Of the request: block, label, and skip_first, which is the first runs of each file and EventBlock that are left out, unless the
 * inspector was opened with skip_first; where it is not set, those are that "runs" calls warm-up.
 * ETI_ERROR_USAGE: no such block; ETI_ERROR_DATA: nothing is timed, or no run is left; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                              const eti_request *request,
                                              eti_error *err) ETI_WARN_UNUSED;
/* Reads a baseline; bytes in memory must stay valid until the profile is freed. Of the request:
 * target_time_scale, and clock_hz where the file says none. ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_USAGE: the time scales
 * do not convert; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_read(eti_profile **out, const eti_source *source,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Writes a baseline; "-" is standard output. Of the request: with summary, samples are left out: less to keep,
 * and nothing to test with. The same profile always gives the same bytes. ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_save(const eti_profile *profile, const char *path,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* The runs of n >= 1 profiles as one. Blocks that ran the same become one. Of the request:
 * allow_unlike. ETI_ERROR_USAGE: they are unlike (see eti_diff_report()), or have no samples; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_merge(eti_profile **out, const eti_profile *const *profiles,
                                     size_t n, const eti_request *request,
                                     eti_error *err) ETI_WARN_UNUSED;
ETI_API void eti_profile_free(eti_profile *profile);

/* What changed from `base` to `new_side`: tables "total", "events" and, where asked for, "groups". Of the
 * request: alpha, least_effect, confidence, resamples, seed, group (op, module, backend or source),
 * allow_unlike, keep_pace, include_units, threads. ETI_ERROR_USAGE: options out of range, or sides that are not alike;
 * ETI_ERROR_DATA: they have no EventBlock in common; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_diff_report(eti_report **out, const eti_profile *base,
                                   const eti_profile *new_side, const eti_request *request,
                                   eti_error *err) ETI_WARN_UNUSED;
/* What is in a profile: a row per entry. Of the request: include_units. */
ETI_API eti_status eti_profile_report(eti_report **out, const eti_profile *profile,
                                      const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* How noisy runs of the same thing are: what effect can be found, and how many runs would be needed. Of the request: runs
 * (a side; as many as there are), alpha, least_effect, confidence, include_units. */
ETI_API eti_status eti_noise_report(eti_report **out, const eti_profile *profile,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* ---- gates ----------------------------------------------------------------------------------- */

typedef enum eti_gate_outcome {
    ETI_GATE_PASSED,
    ETI_GATE_FAILED,
    ETI_GATE_TOO_FEW, /* samples to say, or nothing was checked */
} eti_gate_outcome;

/* Applies rules to what changed from `base` to `new_side`: tables "rules" and "checks". The report is there
 * whatever the outcome. `not_passed` may be NULL; else it gets a second report, whose checks are only those that
 * were not passed, for people. Of the request: what eti_diff_report() takes but for group, fail_on, budget, allow, and
 * now, seconds since 1970 with which exceptions expire. ETI_ERROR_USAGE: as of eti_diff_report(); ETI_ERROR_READ,
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: a budget or list that cannot be read; ETI_ERROR_DATA: as of eti_diff_report();
 * ETI_ERROR_MEMORY. */
ETI_API eti_status eti_gate_report(eti_report **out, eti_report **not_passed,
                                   eti_gate_outcome *outcome, const eti_profile *base,
                                   const eti_profile *new_side, const eti_request *request,
                                   eti_error *err) ETI_WARN_UNUSED;

/* ---- writing --------------------------------------------------------------------------------- */

/* Receives output in order; returns false to stop (the call then fails with ETI_ERROR_WRITE). */
typedef bool (*eti_write_function)(void *context, const void *data, size_t size);

/* The known formats: "table", "text", "tsv", ...; NULL past the end. */
ETI_API const char *eti_format_name(size_t i);

/* ETI_ERROR_USAGE: unknown format; ETI_ERROR_LIMIT: one long cell would make a drawn table too large;
 * ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_write(const eti_table *table, const char *format,
                                   eti_write_function write, void *context,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Writes a file as a whole: it appears under `path`, or replaces what was there, only when
 * complete.
 * "-" is standard output. */
ETI_API eti_status eti_table_save(const eti_table *table, const char *format, const char *path,
                                  eti_error *err) ETI_WARN_UNUSED;

/* As eti_table_write() and eti_table_save(). Tables for people leave out extra columns, unless the columns were selected.
 * `format` may be NULL: that of the request, or else "text". Of the request: color, width, ascii, csv_safe, append, label,
 * for_terminal, most_bytes. */
ETI_API eti_status eti_report_write(const eti_report *report, const char *format,
                                    const eti_request *request, eti_write_function write,
                                    void *context, eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_status eti_report_save(const eti_report *report, const char *format, const char *path,
                                   const eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* For a program that is about to end at a signal. Both may be called from a signal handler; what was at work
 * must not go on. */

/* Removes the unfinished files of all eti_table_save() and eti_report_save() calls. */
ETI_API void eti_remove_temporary_files(void);
/* What an input is called that is mapped at this address, which a SIGBUS tells: somebody made the file
 * shorter. NULL: none is. */
ETI_API const char *eti_mapped_file_name(const void *address);

#ifdef __cplusplus
}
#endif
#endif
