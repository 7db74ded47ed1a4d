/*
 * etinspect.h - turns an ETDump, and the ETRecord made when its model was exported, into
 * EventBlocks of Events with statistics, and these into tables.
 *
 * The library does not run models, load weights or need Python.
 *
 * Ownership: a pointer or text obtained from an eti_inspector is borrowed from it and lives until
 * eti_inspector_close(); one obtained from an eti_table lives until eti_table_free(), except cells
 * (see eti_table_reader_cell()). Tables, reports and profiles keep the objects they were made from
 * alive, so all of them may be closed in any order. Bytes in memory that were opened must stay valid
 * until the last of these objects is freed.
 *
 * Threads: several threads may read the same inspector, table, report or profile. All state is in
 * these objects, except two lists of the process that signal handlers need: see
 * eti_remove_temporary_files() and eti_mapped_file_name(). Both lists are safe to use from any thread.
 *
 * Errors: a function that can fail returns an eti_status and, when `err` is not NULL, fills it with
 * one sentence that names the file, the place, the expected and the found value, and a remedy.
 * Options are named as eti_request_set() takes them. On failure nothing is left to free and output
 * pointers are NULL.
 *
 * Arguments: an index past the end gives NULL, an absent text, or the result that the function
 * documents. A number that is not a constant of its enum gives NULL or ETI_ERROR_USAGE. A pointer
 * must not be NULL unless the function allows it.
 *
 * Growth: enums and ETI_STATUS_LIST grow only at their end. eti_error and eti_summary begin with their size and grow at
 * their end: initialise them with their _INIT, and the library touches no field that is missing from the header the program
 * was compiled with. eti_text, eti_source, eti_delegate_id and eti_debug_handles are values and never grow. All other types
 * are opaque.
 *
 * This is the only header of libetinspect. The project's own sources include it for the shared
 * types; it includes none of their headers.
 */
#ifndef ETINSPECT_H
#define ETINSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETI_VERSION "0.2.0"

#if defined(__GNUC__)
#define ETI_API __attribute__((visibility("default")))
#define ETI_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define ETI_API
#define ETI_WARN_UNUSED
#endif

/* ---- status and error ------------------------------------------------------------------------ */

/* X(name, sentence): the list of all statuses. */
#define ETI_STATUS_LIST(X)                                                                         \
    X(OK, "success")                                                                               \
    X(ERROR_USAGE, "the request itself is wrong")                                                  \
    X(ERROR_READ, "an input is missing or cannot be read")                                         \
    X(ERROR_MALFORMED, "an input is damaged or not of the expected format")                        \
    X(ERROR_LIMIT, "an input is larger or more deeply nested than the limits allow")               \
    X(ERROR_DATA, "an input is well-formed, but contradicts itself")                               \
    X(ERROR_WRITE, "an output cannot be written")                                                  \
    X(ERROR_MEMORY, "out of memory")                                                               \
    X(ERROR_CANCELLED, "the caller's progress function asked to stop")                             \
    X(ERROR_TOO_FEW, "there are too few inputs for an answer")

typedef enum eti_status {
#define ETI_STATUS_ENUM(name, sentence) ETI_##name,
    ETI_STATUS_LIST(ETI_STATUS_ENUM)
#undef ETI_STATUS_ENUM
} eti_status;

typedef struct eti_error {
    size_t struct_size; /* sizeof in the caller; see Growth above */
    eti_status status;
    char message[5120]; /* NUL-terminated UTF-8, one line, no final full stop or newline */
    /* Byte of a malformed expression at which parsing failed, counted from 1; 0 for all other
     * errors. */
    size_t position;
} eti_error;

#define ETI_ERROR_INIT                                                                             \
    { sizeof(eti_error), ETI_OK, "", 0 }

/* Returns the sentence of a status; never NULL. */
ETI_API const char *eti_status_text(eti_status status);

/* Makes a text safe to print as one line, in place: control characters, marks that change the
 * direction of text, bytes that are not UTF-8, and the first character of a command of a CI runner
 * (::error, ##[group], ##vso[…]) become '?'; a character that is cut off at the end is dropped.
 * Messages of this library are already safe. */
ETI_API void eti_make_one_line(char *message);

/* Returns the version of the library, "MAJOR.MINOR.PATCH". */
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

/* Returns "ns", "us", "ms", "s" or "cycles"; NULL if `scale` is not one of the constants. */
ETI_API const char *eti_time_scale_name(eti_time_scale scale);
/* Stores the scale called `name`; returns false if there is no such scale. */
ETI_API bool eti_time_scale_parse(const char *name, eti_time_scale *out);

/* ---- requests -------------------------------------------------------------------------------- */

/* One input: a file, or bytes in memory that stay valid as long as the inspector and the objects
 * made from it. It may be gzip-compressed. An ETDump may also be the log of a device that printed
 * its ETDumps; the log then counts as all ETDumps in it. */
typedef struct eti_source {
    const char *path; /* "-" is standard input; with `data`, only the name used in messages */
    const void *data; /* NULL: read `path` */
    size_t size;      /* bytes at `data` */
} eti_source;

/* Receives the progress of a long call from time to time, in the thread that made the call. `step`
 * names the current step in a few words; `done` of `total` units of it are complete. If `total` is
 * 0, the amount of work is unknown, and `done` is a number of bytes or 0. Returns false to cancel:
 * the call then fails with ETI_ERROR_CANCELLED as soon as it can and, like any failed call, leaves
 * nothing to free. */
typedef bool (*eti_progress_function)(void *context, const char *step, uint64_t done,
                                      uint64_t total);

/* Receives output in order. Returns false to stop; a call that writes then fails with ETI_ERROR_WRITE. */
typedef bool (*eti_write_function)(void *context, const void *data, size_t size);

/* The options of a call: inputs, time scales, selection of rows and columns, output. A function
 * that takes a request reads the options that its comment names and does not keep the request; NULL
 * is a request in which every option is unset. Several threads may read the same request while none
 * changes it. */
typedef struct eti_request eti_request;

ETI_API eti_status eti_request_new(eti_request **out, eti_error *err) ETI_WARN_UNUSED;
/* Copies a request with all its options and inputs. */
ETI_API eti_status eti_request_copy(eti_request **out, const eti_request *request,
                                    eti_error *err) ETI_WARN_UNUSED;
/* Frees a request; NULL is allowed. */
ETI_API void eti_request_free(eti_request *request);

/* Sets the option `name`, spelled with underscores or hyphens. `value` is spelled as on the command
 * line of the program: "5", "400MHz", "p50 > 1"; a flag is "true" or "false". For an option that
 * may be repeated, each call adds a value; for any other option, the last call counts. A `value` of
 * NULL resets the option to its default. Both texts are copied. ETI_ERROR_USAGE: unknown option or
 * invalid value; the request is then unchanged, and err->position is the place of the error in an
 * expression. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_request_set(eti_request *request, const char *name, const char *value,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Returns the value that the option was last set to, as it was written; NULL if the option is
 * unset. The text lives until the option is set again. */
ETI_API const char *eti_request_get(const eti_request *request, const char *name);

/* Adds an input to the option `name`: "etdump_path", "etrecord_path", "debug_buffer_path", "program_path", "data",
 * "available", "base_etrecord_path", "base_program_path", "budget", "allow", "reference" or "files_from". The input is a
 * file, or bytes in memory that stay valid as long as the objects made from them. Several ETDumps count as one file with
 * all their runs, in the order added; they have one debug buffer, or one each, in the same order. ETI_ERROR_USAGE: unknown
 * option; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_request_add_input(eti_request *request, const char *name,
                                         const eti_source *source, eti_error *err) ETI_WARN_UNUSED;
/* Sets the function that receives the progress of opening and writing; NULL: none. */
ETI_API void eti_request_set_progress(eti_request *request, eti_progress_function tell,
                                      void *context);
/* Sets the prefix of option names in messages and notes about this request: "" by default, "--" in
 * the program. `prefix` must live as long as the request. */
ETI_API void eti_request_set_option_prefix(eti_request *request, const char *prefix);

/* An ETRecord that is opened once for many inspectors: each of its graphs is read once. Threads may share it. */
typedef struct eti_record eti_record;

/* Opens an ETRecord. Bytes in memory must stay valid until the record and all inspectors that use it are freed.
 * ETI_ERROR_READ; ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_record_open(eti_record **out, const eti_source *source,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Closes the record; it is freed when no inspector needs it any more. NULL is allowed. */
ETI_API void eti_record_close(eti_record *record);
/* Sets the function that is called once the record is freed, as eti_inspector_on_free() does. */
ETI_API void eti_record_on_free(eti_record *record, void (*function)(void *context), void *context);
/* Makes inspectors and rows use this record instead of the option etrecord_path; NULL: none. The record must stay open as
 * long as a request uses it; objects made from such a request keep the record alive. */
ETI_API void eti_request_set_record(eti_request *request, eti_record *record);

typedef enum eti_option_type {
    ETI_OPTION_FLAG,
    ETI_OPTION_TEXT,
    ETI_OPTION_FILE,      /* or directory */
    ETI_OPTION_CHOICE,    /* one of eti_option_choices() */
    ETI_OPTION_NUMBER,    /* an integer */
    ETI_OPTION_SHARE,     /* 5% or 0.05 */
    ETI_OPTION_PERCENT,   /* from 0 to 100 */
    ETI_OPTION_FREQUENCY, /* 400e6, 400MHz */
    ETI_OPTION_LABEL,     /* KEY=VALUE */
    ETI_OPTION_SCALE,     /* [BACKEND=]SCALE */
    ETI_OPTION_RULE,      /* op:p50>+5% */
    ETI_OPTION_RATE,      /* per second: 2T, 50G, 1.5e12 */
} eti_option_type;

/* Number of options of requests; `i` below is less than it. */
ETI_API size_t eti_option_count(void);
ETI_API const char *eti_option_name(size_t i);
ETI_API eti_option_type eti_option_type_of(size_t i);
/* Describes the option, without a final full stop; may contain line breaks. */
ETI_API const char *eti_option_help(size_t i);
/* Lists the allowed values, separated by commas; NULL if the option takes any value of its type. */
ETI_API const char *eti_option_choices(size_t i);
/* Returns the default as it would be written; NULL if the default has no written form. */
ETI_API const char *eti_option_default(size_t i);
/* Returns whether the option keeps every value it is set to, not only the last. */
ETI_API bool eti_option_is_repeated(size_t i);

/* ---- opening --------------------------------------------------------------------------------- */

typedef struct eti_inspector eti_inspector;

/* Reads and verifies all inputs of the request, at least an ETDump, an ETRecord, a program or a data file, and builds the
 * EventBlocks. ETI_ERROR_USAGE: no input, time scales that do not convert, an unknown method, wrong
 * labels of runs, or no run left after skip_first; ETI_ERROR_READ; ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_DATA:
 * runs of one EventBlock with different values, or time stamps that no 32-bit clock can have
 * produced; ETI_ERROR_MEMORY; ETI_ERROR_CANCELLED. */
ETI_API eti_status eti_inspector_open(eti_inspector **out, const eti_request *request,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Closes the inspector; it is freed when no table, report, profile or stream needs it any more. NULL is allowed. */
ETI_API void eti_inspector_close(eti_inspector *inspector);
/* Sets the function that is called once the inspector is freed, in the thread that frees it: the opened bytes in memory are
 * then no longer needed. NULL: none. Other threads must not use the inspector during the call. */
ETI_API void eti_inspector_on_free(eti_inspector *inspector, void (*function)(void *context),
                                   void *context);

typedef enum eti_file_kind {
    ETI_FILE_UNKNOWN,
    ETI_FILE_EMPTY,
    ETI_FILE_ETDUMP,
    ETI_FILE_ETRECORD,
    ETI_FILE_PROGRAM,         /* .pte */
    ETI_FILE_BUNDLED_PROGRAM, /* .bpte */
    ETI_FILE_RUNNER_LOG,      /* of ExecuTorch's runner for Arm boards, with ETDumps in base64 */
    ETI_FILE_BASELINE,        /* of eti_profile_save() */
    ETI_FILE_DATA,            /* .ptd: tensors outside of the program */
    ETI_FILE_JOURNAL,         /* of libetcapture, read as the ETDump that was recorded into it */
} eti_file_kind;

/* Returns the kind of a file, judged by its content, never by its name. */
ETI_API eti_file_kind eti_file_kind_of(const void *data, size_t size);
/* Describes this kind of file in half a sentence and, if it is not an input, names the file to give
 * instead; NULL if `kind` is not one of the constants. */
ETI_API const char *eti_file_kind_text(eti_file_kind kind);

/* A file opened before it is inspected, for example to find out its kind; standard input can be read only once. A gzip file
 * is decompressed, and eti_file_open_as() turns a journal into its ETDump. The source that eti_file_source() returns borrows
 * from the file, so the file must stay open as long as the inspector and the objects made from it. */
typedef struct eti_file eti_file;
ETI_API eti_status eti_file_open(eti_file **out, const char *path, eti_error *err) ETI_WARN_UNUSED;
/* Opens what is `expected` (ETI_FILE_ETDUMP, which may be in a log, ETI_FILE_ETRECORD, ETI_FILE_BASELINE, ETI_FILE_JOURNAL;
 * ETI_FILE_UNKNOWN: any of these). A file of another kind that is not empty is rejected with ETI_ERROR_MALFORMED before more
 * than its beginning is read, and `err` says what it looks like. The caller must still check the kind with
 * eti_file_kind_of(). */
ETI_API eti_status eti_file_open_as(eti_file **out, const char *path, eti_file_kind expected,
                                    eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_source eti_file_source(const eti_file *file);
ETI_API void eti_file_close(eti_file *file);

/* ---- notes ----------------------------------------------------------------------------------- */

typedef enum eti_note_kind {
    ETI_NOTE_INFO,    /* nothing is wrong */
    ETI_NOTE_WARNING, /* something is missing or does not fit; the text says how to get it */
    ETI_NOTE_HINT, /* nothing is wrong, but the result says less than it could; the text says why */
} eti_note_kind;

/* Examines the time stamps of all events, and adds notes about those that cannot be right, which eti_inspector_open() does
 * not do. Other threads must not use the inspector during the call. A second call adds nothing. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_check_times(eti_inspector *inspector,
                                             eti_error *err) ETI_WARN_UNUSED;

/* Examines the memory that programs plan, and adds notes that name tensors planned onto others in use, or beyond their
 * arena, data files that the program does not need, and weights that are missing. Adds notes that describe the contents of
 * programs and name the methods that ran, and a hint if a program would show more. eti_inspector_open() adds none of these.
 * Other threads must not use the inspector during the call. A second call adds nothing. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_check_plans(eti_inspector *inspector,
                                             eti_error *err) ETI_WARN_UNUSED;

/* Examines where recorded tensors lie in the debug buffer, and adds notes about those that lie outside of it or cannot be
 * read. eti_inspector_open() rejects some of these, unless no_debug_data is set. Other threads must not use the inspector
 * during the call. A second call adds nothing. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_check_tensors(eti_inspector *inspector,
                                               eti_error *err) ETI_WARN_UNUSED;

/* Number of notes: findings of eti_inspector_open() that explain an empty, unlabelled or surprising result. */
ETI_API size_t eti_inspector_note_count(const eti_inspector *inspector);
ETI_API eti_note_kind eti_inspector_note_kind(const eti_inspector *inspector, size_t i);
/* Returns the text of a note, one line; absent past the last note. */
ETI_API eti_text eti_inspector_note_text(const eti_inspector *inspector, size_t i);

/* ---- EventBlocks ----------------------------------------------------------------------------- */

typedef struct eti_event_block eti_event_block;
typedef struct eti_event eti_event;

ETI_API size_t eti_inspector_block_count(const eti_inspector *inspector);
ETI_API const eti_event_block *eti_inspector_block(const eti_inspector *inspector, size_t i);
ETI_API eti_time_scale eti_inspector_source_time_scale(const eti_inspector *inspector);
ETI_API eti_time_scale eti_inspector_target_time_scale(const eti_inspector *inspector);

ETI_API eti_text eti_event_block_name(const eti_event_block *block);
/* Returns a name that no other block has: if several blocks share a name, "Execute [input 1]" or
 * "Execute [1]". */
ETI_API eti_text eti_event_block_label(const eti_event_block *block);
/* Returns the index of the bundled input; -1 if the runs did not use a bundled program. */
ETI_API int32_t eti_event_block_bundled_input_index(const eti_event_block *block);
/* Number of runs that were merged into this EventBlock. */
ETI_API size_t eti_event_block_run_count(const eti_event_block *block);
ETI_API size_t eti_event_block_event_count(const eti_event_block *block);
ETI_API const eti_event *eti_event_block_event(const eti_event_block *block, size_t i);

/* ---- Events ---------------------------------------------------------------------------------- */

/* Statistics of n >= 1 samples in the target time scale, equal to numpy's to the last bit. */
typedef struct eti_summary {
    size_t struct_size; /* sizeof in the caller; see Growth above */
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
/* such as torch.nn.modules.linear.Linear */
ETI_API eti_text eti_module_type(const eti_module *module);

/* A graph node that an Event belongs to. */
typedef struct eti_op_node eti_op_node;

/* Returns the name that torch gives the node, with the Inspector's final "_". */
ETI_API eti_text eti_op_node_name(const eti_op_node *node);
/* Returns the stack trace; absent if the graph has none. */
ETI_API eti_text eti_op_node_stack_trace(const eti_op_node *node);
/* Returns whether the graph has a module stack for this node; the stack may be empty. */
ETI_API bool eti_op_node_has_modules(const eti_op_node *node);
ETI_API size_t eti_op_node_module_count(const eti_op_node *node);
/* Returns the i-th module, outermost first; NULL past the last. */
ETI_API const eti_module *eti_op_node_module(const eti_op_node *node, size_t i);

/* An operator of the ETRecord's graph. */
typedef struct eti_graph_node eti_graph_node;

/* Returns the node with its name, stack trace and modules. */
ETI_API const eti_op_node *eti_graph_node_op_node(const eti_graph_node *node);
/* Returns the operator as the column op_types shows it: aten.addmm.default. */
ETI_API eti_text eti_graph_node_op_type(const eti_graph_node *node);
/* Returns the target as the ETRecord spells it. */
ETI_API eti_text eti_graph_node_target(const eti_graph_node *node);
/* Fills `out` with the debug handle; returns false, and sets `out` to 0, if the node has none. */
ETI_API bool eti_graph_node_debug_handle(const eti_graph_node *node, int64_t *out);

/* Number of methods in the ETRecord; 0 without one. */
ETI_API size_t eti_inspector_method_count(const eti_inspector *inspector);
/* Returns the name of the i-th method in the ETRecord; absent past the last. */
ETI_API eti_text eti_inspector_method_name(const eti_inspector *inspector, size_t i);

/* Number of nodes, in graph order, in the edge program of the method that Events are matched with; 0 without an ETRecord. */
ETI_API size_t eti_inspector_graph_node_count(const eti_inspector *inspector);
ETI_API const eti_graph_node *eti_inspector_graph_node(const eti_inspector *inspector, size_t i);

ETI_API eti_text eti_event_name(const eti_event *event);
ETI_API int32_t eti_event_instruction_id(const eti_event *event); /* -1: none */
ETI_API bool eti_event_is_delegated_op(const eti_event *event);
/* Returns whether a delegate stamped the Event's times, which determines their time scale. If the
 * values logged for debugging have a delegate's identifier but the times have none, this is false
 * and eti_event_is_delegated_op() is true. */
ETI_API bool eti_event_is_timed_by_delegate(const eti_event *event);
ETI_API eti_delegate_id eti_event_delegate_debug_identifier(const eti_event *event);
ETI_API eti_text eti_event_delegate_backend_name(const eti_event *event); /* absent: unknown */
ETI_API eti_debug_handles eti_event_debug_handles(const eti_event *event);
ETI_API int64_t eti_event_num_outputs(const eti_event *event); /* 1 unless the record says more */

/* Number of samples, one per run that timed the Event. An Event that was only logged for debugging
 * has none, and its arrays are NULL. */
ETI_API size_t eti_event_sample_count(const eti_event *event);
ETI_API const double *eti_event_raw(const eti_event *event);          /* elapsed, target scale */
ETI_API const uint64_t *eti_event_start_time(const eti_event *event); /* as stamped, source scale */
ETI_API bool eti_event_summary(const eti_event *event, eti_summary *out); /* false: no samples */
/* Stores when the i-th sample ended, as stamped, in the source scale; returns false if there is no such sample. */
ETI_API bool eti_event_end_time(const eti_event *event, size_t i, uint64_t *out);
/* Fills `out` with the statistics of n >= 1 samples, none of which is NaN. ETI_ERROR_USAGE: n is 0; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_summarize(eti_summary *out, const double *samples, size_t n,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Number of delegate metadata entries: one per sample, or 0. An entry without metadata has size 0. */
ETI_API size_t eti_event_delegate_debug_metadata_count(const eti_event *event);
ETI_API eti_text eti_event_delegate_debug_metadata(const eti_event *event, size_t i);

/* Number of operators, one per pair of debug handle and node, duplicates kept, of the edge program or of the graph that the
 * option reference_graph_name names. */
ETI_API size_t eti_event_op_type_count(const eti_event *event);
ETI_API eti_text eti_event_op_type(const eti_event *event, size_t i);
/* Number of distinct nodes, the keys of stack_traces and module_hierarchy. */
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
/* Returns "float32", "int64", ...; "unknown" for a number without a name. */
ETI_API const char *eti_tensor_dtype(const eti_tensor *tensor);
ETI_API size_t eti_tensor_dimension_count(const eti_tensor *tensor); /* 0: a scalar */
/* Returns one size per dimension; the array lives as long as the tensor. */
ETI_API const int64_t *eti_tensor_sizes(const eti_tensor *tensor);
ETI_API int64_t eti_tensor_offset(const eti_tensor *tensor); /* into the debug buffer, bytes */
/* Returns the data, contiguous and row-major, possibly unaligned; NULL if there is no debug buffer, or if the data are empty
 * or were not recorded (the offset is then -1). */
ETI_API const uint8_t *eti_tensor_data(const eti_tensor *tensor);
ETI_API size_t eti_tensor_byte_count(const eti_tensor *tensor); /* 0 when the data is NULL */

typedef struct eti_value eti_value;

ETI_API eti_value_kind eti_value_kind_of(const eti_value *value);
/* Return the value; 0 or false if the value is of another kind. */
ETI_API int64_t eti_value_as_int(const eti_value *value);
ETI_API bool eti_value_as_bool(const eti_value *value);
ETI_API double eti_value_as_double(const eti_value *value);
/* Number of tensors: 1 for ETI_VALUE_TENSOR, 0 for a kind that is neither a tensor nor a list of tensors. */
ETI_API size_t eti_value_tensor_count(const eti_value *value);
ETI_API const eti_tensor *eti_value_tensor(const eti_value *value, size_t i);

ETI_API size_t eti_event_debug_data_count(const eti_event *event);
ETI_API const eti_value *eti_event_debug_data(const eti_event *event, size_t i);
/* Number of outputs of the EventBlock's runs. */
ETI_API size_t eti_event_block_run_output_count(const eti_event_block *block);
ETI_API const eti_value *eti_event_block_run_output(const eti_event_block *block, size_t i);

/* Reads the outputs that the ETRecord expects of its test cases. Each block then has the outputs of
 * the case that it ran: the case with the number of its bundled input, counted from the end if that
 * number is negative. A block has none if there is no ETRecord, no output or no such case. Other
 * threads must not use the inspector during the call. A second call reads nothing.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_read_reference_outputs(eti_inspector *inspector,
                                                        eti_error *err) ETI_WARN_UNUSED;
ETI_API size_t eti_event_block_reference_output_count(const eti_event_block *block);
ETI_API const eti_value *eti_event_block_reference_output(const eti_event_block *block, size_t i);

/* Writes, for each block called Execute, how far its outputs are from the reference outputs, as compare_results() of the
 * Inspector prints it, but "None" where that function fails because a value is not a tensor. Elements are paired by the
 * recorded strides. Calls eti_inspector_read_reference_outputs(). `request` may be NULL. ETI_ERROR_USAGE: there is no
 * ETRecord, or no debug buffer; ETI_ERROR_DATA: no such block has reference outputs and outputs, or shapes differ;
 * ETI_ERROR_WRITE. After a failure nothing was written. */
ETI_API eti_status eti_inspector_compare_results(eti_inspector *inspector,
                                                 const eti_request *request,
                                                 eti_write_function write, void *context,
                                                 eti_error *err) ETI_WARN_UNUSED;

/* ---- answers --------------------------------------------------------------------------------- */

/* Returns the sum of the averages of all Events that belong to a module whose hierarchy has a key
 * containing `name`, in the target time scale; OPERATOR_CALL rows are not counted. */
ETI_API double eti_inspector_find_total_for_module(const eti_inspector *inspector,
                                                   const char *name);
/* Returns whether any Event belongs to such a module; false without an ETRecord. */
ETI_API bool eti_inspector_has_module(const eti_inspector *inspector, const char *name);

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct eti_table eti_table;

/* Makes the Python Inspector's table: one row per Event, without OPERATOR_CALL rows. Options:
 * include_units, include_delegate_debug_data, delegate_metadata. ETI_ERROR_LIMIT: the Events repeat
 * long names too often; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                              const eti_request *request,
                                              eti_error *err) ETI_WARN_UNUSED;
/* Makes a table with one row per name: the name and its eti_inspector_find_total_for_module().
 * Option: include_units. ETI_ERROR_MEMORY. */
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
    ETI_CELL_DOUBLES,   /* items: double */
    ETI_CELL_UINTS,     /* items: uint64_t */
    ETI_CELL_INTS,      /* items: int64_t */
    ETI_CELL_TEXTS,     /* items: eti_text */
    ETI_CELL_INT_LISTS, /* items: eti_int_list */
} eti_cell_kind;

/* A list of integers in a cell. */
typedef struct eti_int_list {
    const int64_t *items;
    size_t n;
} eti_int_list;

/* The value in one row of one column. A function for another kind than the cell's returns false, 0,
 * NaN, an absent text or NULL. */
typedef struct eti_cell eti_cell;

ETI_API eti_cell_kind eti_cell_kind_of(const eti_cell *cell);
ETI_API bool eti_cell_as_bool(const eti_cell *cell);
ETI_API int64_t eti_cell_as_int(const eti_cell *cell);
ETI_API double eti_cell_as_double(const eti_cell *cell); /* also of ETI_CELL_INT */
/* Returns UTF-8 text: of ETI_CELL_TEXT and ETI_CELL_LIST, and of any value in a column of ETI_TYPE_UTF8. */
ETI_API eti_text eti_cell_as_text(const eti_cell *cell);
/* Returns the items, an array of the type given at the cell's kind. */
ETI_API const void *eti_cell_items(const eti_cell *cell);
ETI_API size_t eti_cell_item_count(const eti_cell *cell);

/* The type of all values of a column. A cell may also lack a value: ETI_CELL_NONE or ETI_CELL_NAN.
 * In a column of ETI_TYPE_UTF8 a cell may hold a number; it then has the kind of that number, and a
 * text as well. Numbers of ETI_TYPE_UINT64 above INT64_MAX are ETI_CELL_DOUBLE. */
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
    ETI_TYPE_LIST_LIST_INT64,
} eti_column_type;

/* The meaning of a column's numbers, which determines how they are shown to people. */
typedef enum eti_column_kind {
    ETI_COLUMN_TEXT,   /* including names and flags */
    ETI_COLUMN_LIST,   /* cells may be ETI_CELL_DOUBLES, _UINTS, _INTS, _TEXTS or _INT_LISTS */
    ETI_COLUMN_COUNT,  /* number of items */
    ETI_COLUMN_NUMBER, /* any other number: an id, a time stamp, a ratio */
    ETI_COLUMN_TIME,   /* in the target time scale */
    ETI_COLUMN_SHARE,  /* 1 is the whole: shown as 100 % */
    ETI_COLUMN_BYTES,
    ETI_COLUMN_CHANGE, /* difference of shares: 0.1 is shown as +10.0 % */
    ETI_COLUMN_MARK,   /* flag: shown as a mark after the column before it */
    ETI_COLUMN_SERIES, /* list of numbers in order of time: shown as a line */
    ETI_COLUMN_UNIT,   /* text: unit of the number in the column before it */
    ETI_COLUMN_RANGES, /* list of numbers: begin, end, begin, end, ... of ranges: shown as a map */
} eti_column_kind;

ETI_API size_t eti_table_row_count(const eti_table *table);
ETI_API size_t eti_table_column_count(const eti_table *table);
ETI_API eti_text eti_table_column_name(const eti_table *table, size_t column);
ETI_API eti_column_kind eti_table_column_kind(const eti_table *table, size_t column);
/* Returns the type of the column; a table without rows has column types too. */
ETI_API eti_column_type eti_table_column_type(const eti_table *table, size_t column);
/* Describes the cells in half a line; NULL if there is no description. */
ETI_API const char *eti_table_column_help(const eti_table *table, size_t column);
/* Returns "text", "list", "count", "number", "time", "share", "bytes", "change", "mark", "series",
 * "unit" or "ranges"; NULL if `kind` is not one of the constants. */
ETI_API const char *eti_column_kind_name(eti_column_kind kind);
/* Returns whether the column is shown only on request and in formats for programs. */
ETI_API bool eti_table_column_is_extra(const eti_table *table, size_t column);
/* A cursor over the rows of a table. Rows may be read in any order. A table may have any number of
 * readers at a time; a reader does not change the table or affect another reader, but belongs to
 * one thread at a time. */
typedef struct eti_table_reader eti_table_reader;

/* Opens a reader. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_reader_open(eti_table_reader **out, const eti_table *table,
                                         eti_error *err) ETI_WARN_UNUSED;
/* Returns the cell in a row and column. The cell, its text and its items live until this reader
 * reads another row. NULL: no such row or column, or out of memory; after running out of memory the
 * reader reads no further row. */
ETI_API const eti_cell *eti_table_reader_cell(eti_table_reader *reader, size_t row, size_t column);
/* Closes the reader. Call it before the table is freed. NULL is allowed. */
ETI_API void eti_table_reader_close(eti_table_reader *reader);

/* Read `n_rows` values of a column into `out`. For a cell without a value, is_valid[i] is false
 * (`is_valid` may be NULL) and out[i] is NaN or 0. eti_table_read_doubles() reads columns of
 * ETI_TYPE_FLOAT64, INT32, INT64 and UINT64; eti_table_read_ints() those of ETI_TYPE_BOOL, INT32
 * and INT64. ETI_ERROR_USAGE: a column of another type, or no such column or rows;
 * ETI_ERROR_MEMORY: the contents of `out` are then undefined. */
ETI_API eti_status eti_table_read_doubles(const eti_table *table, size_t column, size_t first_row,
                                          size_t n_rows, double *out, bool *is_valid,
                                          eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_status eti_table_read_ints(const eti_table *table, size_t column, size_t first_row,
                                       size_t n_rows, int64_t *out, bool *is_valid,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Declares the struct of the Arrow C stream interface; a program that uses it has its own copy of the definition. */
struct ArrowArrayStream;

/* Fills `out` with a stream of the table's rows, in batches, for any library that reads the Arrow C
 * stream interface. Columns have the types of eti_table_column_type() and are null where a cell has
 * no value. The stream keeps the table alive until its release() is called. Any thread may read the
 * stream, one at a time. On failure out->release is NULL. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_arrow_stream(struct ArrowArrayStream *out, const eti_table *table,
                                          eti_error *err) ETI_WARN_UNUSED;
/* Fills `out` with a stream of all samples of the inspector: block, run, event, event_name,
 * start_time, elapsed, and further columns of the Event. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_samples_arrow_stream(struct ArrowArrayStream *out,
                                                      const eti_inspector *inspector,
                                                      eti_error *err) ETI_WARN_UNUSED;

/* Makes a copy in which no cell is a formula to a spreadsheet that opens it as CSV or TSV: a "'" is
 * put before each =, +, - or @ (of any width) at the start of a text, or after a line break, a tab
 * or a semicolon, where a spreadsheet may begin a new cell. Numbers are unchanged.
 * ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_defuse_formulas(eti_table **out, const eti_table *table,
                                             eti_error *err) ETI_WARN_UNUSED;

/* ---- reports --------------------------------------------------------------------------------- */

/* The result of a view: one or more tables, and the provenance of their numbers. */
typedef struct eti_report eti_report;

/* Returns the name of the i-th view: "events", "modules", ...; NULL past the end. */
ETI_API const char *eti_view_name(size_t i);
/* Describes a view in half a sentence; NULL if there is no such view. */
ETI_API const char *eti_view_summary(const char *name);

/* Makes the report of a view. Options: block, samples, include_units, include_delegate_debug_data, delegate_metadata, and
 * those of the view: group of "groups", module of "modules", depth and fold of "tree" (drawn with lines if the format is
 * "text" or "table"), context and source_root of "source", graph of "graph" and "ops", available and emit_ops of "ops", top
 * and split_variants of "summary", events of "runs", run of "tensors". ETI_ERROR_USAGE: no such view, EventBlock or group;
 * ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_report(eti_report **out, const eti_inspector *inspector,
                                        const char *view, const eti_request *request,
                                        eti_error *err) ETI_WARN_UNUSED;
ETI_API void eti_report_free(eti_report *report);

/* Returns whether a check that the request asked for failed, such as available of "ops". */
ETI_API bool eti_report_failed(const eti_report *report);

/* Number of tables, at least 1. */
ETI_API size_t eti_report_table_count(const eti_report *report);
/* Returns the index of the table that eti_report_select() selects from. */
ETI_API size_t eti_report_selected_table(const eti_report *report);
/* Returns the name of the i-th table in formats for programs: a key in JSON, a table in SQLite. */
ETI_API const char *eti_report_table_name(const eti_report *report, size_t i);
ETI_API const eti_table *eti_report_table(const eti_report *report, size_t i);

/* Replaces the table eti_report_selected_table() by a selection of its rows and columns; on failure
 * the report is unchanged. Options: table (the name of another table to select from; the report
 * then has no other), columns (names separated by commas; units may be omitted), filter (see the
 * man page, SELECTION), sort (missing values come last), top. The index column keeps the original
 * row numbers. ETI_ERROR_USAGE: no such table or column, or an expression that cannot be parsed or
 * does not fit the columns; err->position is the place in the expression. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_report_select(eti_report *report, const eti_request *request,
                                     eti_error *err) ETI_WARN_UNUSED;

/* ---- rows of many ETDumps -------------------------------------------------------------------- */

/* The times of many ETDumps, such as those of a fleet of devices, in one table for a database. The table is read one ETDump
 * at a time. Each ETDump is a file of its own, not a part of one as in eti_request_add_input(). */
typedef struct eti_rows eti_rows;

/* Makes the rows of `n` ETDumps. A source that is the path of a folder stands for all files in it and below whose names end
 * with .etdp or .etdp.gz, in the order of their bytes. Bytes in memory must stay valid until the rows and everything made
 * from them are freed. ETDumps are opened when their rows are read; the ETRecord is opened by this call and only once.
 * Options: the inputs files_from (more paths, in a file), etrecord_path and program_path; those of opening; block;
 * granularity, mode, labels_from_path, label, columns and filter. Columns: path; the labels; block, event_index, event_name,
 * op_types, module, source, backend, is_delegated, instruction_id; run, start and elapsed, or with granularity "dump" count,
 * p10, p50, p90, avg, min and max; error. ETI_ERROR_USAGE: no ETDump, a label with the name of a column, no such column, or
 * an expression that does not fit; ETI_ERROR_READ: a folder or list cannot be read; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY; and
 * the errors of the ETRecord. */
ETI_API eti_status eti_rows_new(eti_rows **out, const eti_source *dumps, size_t n,
                                const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Frees the rows when no reader, stream or report needs them any more. NULL is allowed. */
ETI_API void eti_rows_free(eti_rows *rows);
/* Sets the function that is called once the rows are freed, as eti_inspector_on_free() does. */
ETI_API void eti_rows_on_free(eti_rows *rows, void (*function)(void *context), void *context);
/* Number of ETDumps. */
ETI_API size_t eti_rows_dump_count(const eti_rows *rows);
/* Returns a table that has the columns and no rows. It lives as long as `rows`. */
ETI_API const eti_table *eti_rows_columns(const eti_rows *rows);

/* Reads the rows in order, from the first ETDump on. There may be several readers at a time, each
 * in one thread. */
typedef struct eti_rows_reader eti_rows_reader;

/* Opens a reader. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_rows_reader_open(eti_rows_reader **out, const eti_rows *rows,
                                        eti_error *err) ETI_WARN_UNUSED;
/* Reads the next ETDump: `*out` is a table of its rows, which the caller frees; NULL after the
 * last. For an ETDump that cannot be read, the option mode decides: "permissive" gives one row with
 * path, labels and error, "dropmalformed" gives no row, and with "failfast" the call fails with the
 * error of that ETDump; the reader can then go on with the next. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_rows_reader_next(eti_rows_reader *reader, eti_table **out,
                                        eti_error *err) ETI_WARN_UNUSED;
/* Number of ETDumps so far that could not be read. */
ETI_API size_t eti_rows_reader_failed_count(const eti_rows_reader *reader);
/* Closes the reader; NULL is allowed. */
ETI_API void eti_rows_reader_close(eti_rows_reader *reader);

/* Fills `out` with a stream of all rows, as eti_table_arrow_stream() does for a table; a batch may have rows of several
 * ETDumps. */
ETI_API eti_status eti_rows_arrow_stream(struct ArrowArrayStream *out, const eti_rows *rows,
                                         eti_error *err) ETI_WARN_UNUSED;
/* Makes a report of the rows, which reads the ETDumps each time it is written, in the formats csv, tsv, json and ndjson. Its
 * table has no rows, and eti_report_select() rejects the report. ETI_ERROR_MEMORY. */
ETI_API eti_status eti_rows_report(eti_report **out, const eti_rows *rows,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Number of ETDumps that could not be read when such a report was last written, or such a stream
 * last released. */
ETI_API size_t eti_rows_failed_count(const eti_rows *rows);

/* ---- comparing ------------------------------------------------------------------------------- */

/* One side of a comparison: the Events that ran, in order, with their times in each file. A file is one process. */
typedef struct eti_profile eti_profile;

/* Makes a profile of the inspector's ETDumps. Options: block, label, and skip_first, the number of first runs that are left
 * out of each file and EventBlock. It is ignored if the inspector was opened with skip_first. If it is unset, the warm-up
 * runs that the view "runs" finds are left out. ETI_ERROR_USAGE: no such EventBlock, or two ETDumps have the same bytes, so
 * that they are not two processes; ETI_ERROR_DATA: no Event has times, or no run is left; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                              const eti_request *request,
                                              eti_error *err) ETI_WARN_UNUSED;
/* Reads a baseline; bytes in memory must stay valid until the profile is freed. Options:
 * target_time_scale, and clock_hz if the file has no clock frequency. ETI_ERROR_READ;
 * ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_USAGE: the time scales do not convert;
 * ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_read(eti_profile **out, const eti_source *source,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Writes a baseline; "-" is standard output. Options: samples writes the times of all runs, which comparisons of one process
 * need; append: the first of the merged profiles is the baseline that is replaced, and keeps its samples; with allow_unlike,
 * files may be of different programs; keep, the number of last files that are written (all); no_sync returns before
 * the file is on the disk. The same profile always gives the same bytes. ETI_ERROR_USAGE: the profile does not have the
 * samples, its files are of different programs, or the path has the suffix of another kind of file (.xlsx, .parquet);
 * ETI_ERROR_DATA: the last files have no run; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_save(const eti_profile *profile, const char *path,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Merges the files of n >= 1 profiles into one profile. EventBlocks with at least half of their Events
 * in common become one, in which files may lack Events. Option: allow_unlike. ETI_ERROR_USAGE:
 * profiles that are unlike (see eti_diff_report()), or a file that is there twice; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_profile_merge(eti_profile **out, const eti_profile *const *profiles,
                                     size_t n, const eti_request *request,
                                     eti_error *err) ETI_WARN_UNUSED;
ETI_API void eti_profile_free(eti_profile *profile);

/* Reports the changes from `base` to `new_side` in tables "summary" (one row: the outcome, "slower", "not slower" or "cannot
 * tell", and its facts), "total", "events", if the option group is set "groups", and "files". Rows that did not change come
 * last; formats for people leave them out without the option all. If each profile is of an inspector of one ETDump with a
 * debug buffer, events and groups by module, source and node have the columns snr, snr_drop, max_abs and nan_new, as
 * eti_numerics_report() finds them with the options block, match and run; otherwise a note says why they are missing.
 * Options: alpha, beta, least_effect, margin, min_share, group (op, optype, module, backend, source or node), in_turns,
 * allow_unlike, one_process, all, include_units. ETI_ERROR_USAGE: an option out of range, or sides that differ in
 * time scale, method or labels; ETI_ERROR_DATA: no EventBlock in common; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_diff_report(eti_report **out, const eti_profile *base,
                                   const eti_profile *new_side, const eti_request *request,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Reports the contents of a profile, one row per entry. Option: include_units. */
ETI_API eti_status eti_profile_report(eti_report **out, const eti_profile *profile,
                                      const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Reports how much the files of one program differ, in tables "summary", "total" and "events", and how exactly a change
 * would be known with 5 to 20 files per side. Options: least_effect, min_share, allow_unlike, all, include_units.
 * ETI_ERROR_TOO_FEW: a single file; ETI_ERROR_USAGE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_noise_report(eti_report **out, const eti_profile *profile,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;
/* Reports where the pushes of one program, in their order, got slower or faster, in tables "summary",
 * "total", "changes", "events" and "series". A push is the files with the same label "job" or, without it, "commit".
 * Options: those of eti_noise_report(), alpha, by, allow (known changes), seed and threads.
 * ETI_ERROR_TOO_FEW: fewer than 6 pushes, or too few to tell a change from chance, in which case `*out` is the report
 * nevertheless; ETI_ERROR_LIMIT: more than 2,000; ETI_ERROR_USAGE; ETI_ERROR_MALFORMED; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_trend_report(eti_report **out, const eti_profile *profile,
                                    const eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* ---- numbers --------------------------------------------------------------------------------- */

/* Reports how far the tensors that a run recorded are from those of `base`, or, if that is NULL, from those of the file that
 * the option reference names. The report has one table: "numerics" with a row for each output of an operator; "numeric_gap",
 * as of the Inspector's calculate_numeric_gap(), if the option metric is set; or, if the file is a bundled program,
 * "outputs" with a row for each output of a run and whether it passes. Open inspectors with no_debug_data and a debug
 * buffer. Each run of a method (of several EventBlocks, with run "all", or of several ETDumps with a debug buffer each) is
 * one input: a row has the worst input and the median, unless per_input is set. Each input may have a reference: see
 * eti_request_add_input(). An ETDump is not a reference: open it as `base`. Options: reference, match (source, handle,
 * instruction or name), metric (mse, l1 or snr), rtol, atol, min_compared, block, run, per_input; fail_on, an expression
 * like that of filter, which shows only outputs for which it is true; for bundled programs testset, and verify, which shows
 * the outputs that do not pass: see eti_report_failed(). ETI_ERROR_USAGE: nothing to compare with, no way to match outputs,
 * or an inspector without an ETDump or a debug buffer; ETI_ERROR_TOO_FEW: no output is on both sides, fewer than
 * min_compared outputs, or fail_on or verify finds no output, but a run has none that could be compared or verified;
 * ETI_ERROR_DATA: a debug buffer of another ETDump, or no such test case; ETI_ERROR_READ, ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT: the reference cannot be read; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_numerics_report(eti_report **out, const eti_inspector *base,
                                       const eti_inspector *new_side, const eti_request *request,
                                       eti_error *err) ETI_WARN_UNUSED;

/* ---- gates ----------------------------------------------------------------------------------- */

typedef enum eti_gate_outcome {
    ETI_GATE_PASSED,
    ETI_GATE_FAILED,
    ETI_GATE_UNDECIDED, /* too few files to decide, too much noise, or nothing to check */
} eti_gate_outcome;

/* Applies rules to the changes from `base` to `new_side` (`base` may be NULL if all rules are limits); the report has tables
 * "gate", "rules" and "checks", whatever the outcome. Formats for people show only checks that failed or are allowed to
 * fail, unless `all` is set. Options: those of eti_diff_report() except group; fail_on, budget, allow, source_root,
 * source_map; failed_status, undecided_status; now, seconds since 1970: exceptions may have expired. ETI_ERROR_USAGE and
 * ETI_ERROR_DATA: as for eti_diff_report(); ETI_ERROR_USAGE also: a rule that fits nothing, or sides that share a file;
 * ETI_ERROR_READ, ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: a budget or list of exceptions that cannot be read;
 * ETI_ERROR_MEMORY. */
ETI_API eti_status eti_gate_report(eti_report **out, eti_gate_outcome *outcome,
                                   const eti_profile *base, const eti_profile *new_side,
                                   const eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* ---- measuring ------------------------------------------------------------------------------- */

/* Runs the commands of the options base and new in turns and judges their processes until the rules are decided, or until
 * `pairs` pairs of processes have run. Each command writes an ETDump to the path that replaces {} in it. Makes the report of
 * eti_gate_report(), and has its outcome; a gate of the dumps would give the same answer. With output_dir, pairs.csv in it
 * says that the dumps were recorded in turns.
 *
 * With new alone, makes the report of eti_noise_report(); the outcome is then always passed.
 *
 * Options: base, new, before, pull, shell, timeout, pairs, warmup, output_dir, seed, the inputs etrecord_path,
 * base_etrecord_path, program_path and base_program_path, and those of eti_inspector_open(), eti_profile_from_inspector(),
 * eti_diff_report() and eti_gate_report(). The progress function of the request is called about ten times per second; when
 * it cancels, the pairs that are complete are judged. If a pair fails, `*out` is the report of the pairs before it; NULL if
 * there are none. `log` receives the last lines that a failed command printed; NULL: none. eti_remove_temporary_files() ends
 * commands.
 *
 * ETI_ERROR_USAGE: a command that cannot be run, too few pairs, or output_dir has dumps;
 * ETI_ERROR_READ: a command failed, or wrote no dump; ETI_ERROR_WRITE: a dump cannot be kept;
 * ETI_ERROR_CANCELLED: before a pair was complete; other errors as for the functions above. */
ETI_API eti_status eti_measure(eti_report **out, eti_gate_outcome *outcome,
                               const eti_request *request, eti_write_function log,
                               void *log_context, eti_error *err) ETI_WARN_UNUSED;

/* ---- bundled programs ------------------------------------------------------------------------ */

/* A program with test cases, from which a bundled program (.bpte) is made. */
typedef struct eti_bundle_builder eti_bundle_builder;

/* Opens the program, a .pte file; bytes in memory must stay valid until the builder is freed. ETI_ERROR_USAGE: it is a
 * bundled program already; ETI_ERROR_READ; ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_bundle_builder_new(eti_bundle_builder **out, const eti_source *program,
                                          eti_error *err) ETI_WARN_UNUSED;
/* Adds a test case of a method; the test cases of one method are numbered from 0 in the order in which they are added.
 * `inputs` is a file of tensors, .npz, .npy, .safetensors or .pt, or a folder of .npy files, with a tensor for each input of
 * the method; `expected` has the expected outputs; NULL: there are none. Arrays of an .npz or .pt file are taken in the
 * order of the file, other tensors in the order of their names, with numbers in names compared by value. An input that is a
 * number is a tensor without dimensions, and has the value that the program was exported with. The files must not change
 * until the builder is freed. ETI_ERROR_USAGE: the program has no such method; ETI_ERROR_DATA: number, types or sizes of the
 * tensors do not fit the method; ETI_ERROR_READ; ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. After a failure the
 * test case is not added. */
ETI_API eti_status eti_bundle_builder_add(eti_bundle_builder *builder, const char *method,
                                          const char *inputs, const char *expected,
                                          eti_error *err) ETI_WARN_UNUSED;
/* Writes the bundled program; "-" is standard output. Option: force replaces an existing file. ETI_ERROR_USAGE: there is
 * one; ETI_ERROR_LIMIT: the bundle would be larger than 2 GiB; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_bundle_builder_save(const eti_bundle_builder *builder, const char *path,
                                           const eti_request *request,
                                           eti_error *err) ETI_WARN_UNUSED;
/* Frees the builder; NULL is allowed. */
ETI_API void eti_bundle_builder_free(eti_bundle_builder *builder);

/* ---- many tests ------------------------------------------------------------------------------ */

/* Stores the two-sided p-value of the Mann-Whitney test by the normal approximation, for sides of about 20 values or more.
 * Both sides are ranked together: `rank_sum` is the sum of the ranks of the new side's n_new values; ranks begin at 1, and
 * equal values share the mean of their ranks; `tie_term` is the sum of t^3 - t over all groups of t equal values. A database
 * can compute both with window functions. Stores 1 if all values are equal. ETI_ERROR_USAGE: no set of values has these
 * ranks. */
ETI_API eti_status eti_mann_whitney(double *p, uint64_t n_new, uint64_t n_base, double rank_sum,
                                    double tie_term, eti_error *err) ETI_WARN_UNUSED;
/* Adjusts n p-values in place as one family, by Holm's method: the probability that any of them is
 * below alpha by chance is then at most alpha. ETI_ERROR_USAGE: a value is not in [0, 1];
 * ETI_ERROR_MEMORY. A failure leaves `p` unchanged. */
ETI_API eti_status eti_holm_adjust(double *p, size_t n, eti_error *err) ETI_WARN_UNUSED;

/* ---- writing --------------------------------------------------------------------------------- */

/* Returns the name of the i-th format: "table", "text", "tsv", ...; NULL past the end. */
ETI_API const char *eti_format_name(size_t i);
/* Chooses the format of a file: the option format of the request, or else the format that the
 * suffix of `path` stands for (json, csv, tsv, ndjson, md, db, sqlite, dot, xml, ..., in upper or
 * lower case), or else `standard`. ETI_ERROR_USAGE: the option is not a format, or the suffix
 * stands for another format. */
ETI_API eti_status eti_format_choose(const char **out, const eti_request *request, const char *path,
                                     const char *standard, eti_error *err) ETI_WARN_UNUSED;

/* Writes a table. ETI_ERROR_USAGE: unknown format; ETI_ERROR_LIMIT: a long cell would make a drawn
 * table too large; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_table_write(const eti_table *table, const char *format,
                                   eti_write_function write, void *context,
                                   eti_error *err) ETI_WARN_UNUSED;
/* Writes a table to a file, which appears under `path`, or replaces an existing file, only when it
 * is complete. "-" is standard output. */
ETI_API eti_status eti_table_save(const eti_table *table, const char *format, const char *path,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Write a report as eti_table_write() and eti_table_save() write a table. Tables for people leave
 * out extra columns unless columns were selected. If `format` is NULL, the option format applies,
 * or else "text"; for a file, eti_format_choose() chooses with "text" as its standard. Options:
 * color, width, ascii, csv_safe, append, no_sha256, no_sync, label, for_terminal, most_bytes. A
 * file is on the disk when these functions return, unless no_sync is set. */
ETI_API eti_status eti_report_write(const eti_report *report, const char *format,
                                    const eti_request *request, eti_write_function write,
                                    void *context, eti_error *err) ETI_WARN_UNUSED;
ETI_API eti_status eti_report_save(const eti_report *report, const char *format, const char *path,
                                   const eti_request *request, eti_error *err) ETI_WARN_UNUSED;

/* Writes one HTML page with everything known about the inspector's inputs; "-" is standard output.
 * The page needs no other file and no network. The numbers in it are those of
 * eti_inspector_report(). Calls eti_inspector_check_times(), _check_plans() and _check_tensors():
 * other threads must not use the inspector during the call. Options: title, no_source, no_paths,
 * max_slices, max_size, those of eti_inspector_report() and of eti_report_save(), and, with
 * reference, those of eti_numerics_report(). ETI_ERROR_LIMIT: the page would be larger than
 * max_size; ETI_ERROR_USAGE: no such EventBlock, or the output is a terminal; the statuses of the
 * checks; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_inspector_page_save(eti_inspector *inspector, const char *path,
                                           const eti_request *request,
                                           eti_error *err) ETI_WARN_UNUSED;

/* Saves the recorded tensors of the remaining rows of a report of the view "tensors", in row-major order, as `path`: an .npz
 * file, a .safetensors file, or a folder of .npy files. Tensors that cannot be read are left out, and so are, with key
 * "handle", tensors without a handle; `n_saved`, unless NULL, is the number of tensors that were saved. Options: key
 * ("event", "handle"); force, which allows replacing an existing file. The files of a folder are put in place one after the
 * other; after a failure, those that did not exist before are removed, and those that were replaced stay new.
 * ETI_ERROR_USAGE: a report of another view, a file that exists, a type that the format does not have, or nothing to save;
 * ETI_ERROR_DATA: a name that no file can have; ETI_ERROR_WRITE; ETI_ERROR_MEMORY. */
ETI_API eti_status eti_report_save_tensors(const eti_report *report, const char *path,
                                           size_t *n_saved, const eti_request *request,
                                           eti_error *err) ETI_WARN_UNUSED;

/* The following functions are for a program that is about to end because of a signal. Both may be
 * called from a signal handler; the interrupted work must not be resumed. */

/* Removes the unfinished files of all eti_table_save(), eti_report_save(), eti_report_save_tensors(),
 * eti_inspector_page_save(), eti_profile_save() and eti_bundle_builder_save() calls, and kills the command that an
 * eti_measure() call runs. */
ETI_API void eti_remove_temporary_files(void);
/* Returns the name of the input mapped at `address`, or NULL. A SIGBUS at `address` means that the
 * file was truncated while it was mapped. */
ETI_API const char *eti_mapped_file_name(const void *address);

#ifdef __cplusplus
}
#endif
#endif
