/*
 * api.h - the option catalogue, and requests made by it.
 */
#ifndef ETI_API_API_H
#define ETI_API_API_H

#include "account/account.h"
#include "base/arena.h"
#include "base/text.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "measure/measure.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "profile/profile.h"
#include "report/report.h"
#include "table/table.h"
#include "write/write.h"

#include <stdbool.h>

/* ==== catalogue =============================================================================== */
/* The list of all options. The command line, help, completions and eti_request_set() are derived
 * from it; a test compares the manual.
 *
 * An option is one row. An option whose meaning differs between commands has a row for each
 * meaning, and a command takes at most one of them; eti_request_set() takes the last. */

/* The commands that take an option. */
enum {
    ETI__FOR_INSPECT = 1 << 0, /* the command without a verb */
    ETI__FOR_SUMMARY = 1 << 1,
    ETI__FOR_RUNS = 1 << 2,
    ETI__FOR_ALLOC = 1 << 3,
    ETI__FOR_TREE = 1 << 4,
    ETI__FOR_OPS = 1 << 5,
    ETI__FOR_GRAPH = 1 << 6,
    ETI__FOR_SOURCE = 1 << 7,
    ETI__FOR_DIFF = 1 << 8,
    ETI__FOR_GATE = 1 << 9,
    ETI__FOR_BASELINE_SAVE = 1 << 10, /* and merge */
    ETI__FOR_NOISE = 1 << 11,
    ETI__FOR_CHECK = 1 << 12,
    ETI__FOR_HELP = 1 << 13,
    ETI__FOR_MEASURE = 1 << 14,
    ETI__FOR_TREND = 1 << 15,
    ETI__FOR_BASELINE_SHOW = 1 << 16,
    ETI__FOR_EVENTS = 1 << 17,
    ETI__FOR_PROGRAM = 1 << 18,
    ETI__FOR_MEMORY = 1 << 19,
    ETI__FOR_SIZE = 1 << 20,
    ETI__FOR_DELEGATES = 1 << 21,
    ETI__FOR_RECOVER = 1 << 22,
    ETI__FOR_TENSORS = 1 << 23,
    ETI__FOR_NUMERICS = 1 << 24,
    ETI__FOR_BUNDLE = 1 << 25,
    ETI__FOR_TRACE = 1 << 26,
    ETI__FOR_REPORT = 1 << 27,
    ETI__FOR_ROWS = 1 << 28,
    ETI__FOR_LAYERS = 1 << 29,
    ETI__FOR_RECORD = 1 << 30,
    ETI__FOR_PROGRAMS = ETI__FOR_PROGRAM | ETI__FOR_MEMORY | ETI__FOR_SIZE | ETI__FOR_DELEGATES |
                        ETI__FOR_OPS | ETI__FOR_GRAPH, /* also without an ETDump */
    ETI__FOR_BASELINE = ETI__FOR_BASELINE_SAVE | ETI__FOR_BASELINE_SHOW,
};

/* Groups of options, in the order of the help. */
typedef enum eti__option_group {
    ETI__OWN_OPTIONS, /* of one command */
    ETI__SIDES,
    ETI__TENSORS, /* comparing them beside times */
    ETI__INPUTS,
    ETI__RUNS,
    ETI__STATISTICS,
    ETI__TIME,
    ETI__SELECTION,
    ETI__OUTPUT,
    ETI__HELP,
    ETI__N_OPTION_GROUPS,
} eti__option_group;

typedef struct eti__option {
    const char *name;     /* with underscores; hyphens are accepted as well */
    const char *value;    /* name of its value in the help; NULL: a flag */
    const char *choices;  /* "ns,us": the only values; NULL: any */
    const char *standard; /* the default as text; NULL: it has no written form, or is false */
    const char *help;     /* may hold line breaks */
    const char *formats;  /* "csv,tsv": the only formats in which it has an effect; NULL: all */
    unsigned commands;    /* ETI__FOR_...; 0: an option of the library only */
    unsigned accepted_by; /* commands that accept and ignore it, so that an alias may hold it */
    eti__option_group group;
    eti_option_type type;
    uint64_t least, most; /* of numbers; of a share, only `most`, in wholes: 1 is 100 %; 0: any */
    size_t place;         /* offset in eti__meaning; unused for the program's own options */
    char letter;          /* "-o"; 0: none */
    bool is_inspectors;   /* an option of the Python Inspector: its unique prefixes stay usable */
    bool is_global;       /* may be given before the command */
    bool is_no_share;     /* a number without %, although its type is that of shares */
    bool is_programs;     /* an option of the program only, not of requests */
    bool is_repeated;     /* keeps all values */
    bool takes_hyphen;    /* a value may begin with a hyphen that is not an option's: -p50 */
    bool is_negative;     /* a flag that negates another option */
    bool is_input;        /* eti_request_add_input() accepts it */
    bool is_many_inputs;  /* and keeps every input, although it is not repeated */
} eti__option;

/* Returns the i-th row, or NULL past the end. */
const eti__option *eti__option_at(size_t i);
/* Returns whether the option is called `name`, spelled with underscores or hyphens. */
bool eti__option_is_called(const eti__option *option, const char *name);
/* Finds the option of requests called `name`. ETI_ERROR_USAGE: no such option. */
eti_status eti__option_find(const eti__option **out, const char *name,
                            eti_error *err) ETI_WARN_UNUSED;
/* The initial `*least` for eti__text_is_nearer() of base/names.h. */
#define ETI__TOO_FAR 3
bool eti__is_nearer(const char *candidate, const char *name, size_t *least);
/* Returns the option of these commands (0: of requests) whose name is closest to a mistyped one; NULL: no name is close. */
const char *eti__near_option(const char *name, unsigned commands);

/* Does the work of eti_request_set() for a row. The program's own options are stored as written. */
eti_status eti__request_set(eti_request *request, const eti__option *option, const char *value,
                            eti_error *err) ETI_WARN_UNUSED;

/* Checks that a command (ETI__FOR_...) may have reports that suit the format. ETI_ERROR_USAGE: it has none, or there is no
 * such format. */
eti_status eti__format_check(const eti_request *request, const char *format, unsigned command,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the name of the group in help: "Inputs". */
const char *eti__option_group_name(eti__option_group group);

/* ==== file kind =============================================================================== */
/* The kind of a file, for programs that choose what to do with it. */

/* Returns the kind of a file that eti_file_open() or eti_file_open_as() opened. */
eti_file_kind eti__file_kind(const eti_file *file);
/* Returns the first warning that a file does not belong to the ETDump; an absent text if there is none. */
eti_text eti__inspector_mismatch(const eti_inspector *inspector);
/* Returns the first such warning about the dumps of a measurement; an absent text if all belong to them. */
eti_text eti__report_mismatch(const eti_report *report);
/* Returns the outcome of a comparison by eti_diff_report(); of two programs, whose differences are no verdicts: passed. */
eti_gate_outcome eti__report_outcome(const eti_report *report);
/* Returns ETI_ERROR_MALFORMED if the file is a ZIP, but not an ETRecord. `expected` describes the file that is needed. */
eti_status eti__file_check_zip(const eti_file *file, const char *expected,
                               eti_error *err) ETI_WARN_UNUSED;

/* ==== paths =================================================================================== */

bool eti__is_folder(const char *path);
/* Returns whether a regular file is both; "-" is a standard stream. */
bool eti__is_same_input(const char *output, const char *input);
/* Returns whether an output is a file that is read. */
typedef bool (*eti__is_input_function)(const void *context, const char *output);

/* Checks that no output is an input, and that outputs do not replace each other. NULL and "" are no outputs. ETI_ERROR_USAGE. */
eti_status eti__check_outputs(const char *const outputs[], size_t n,
                              eti__is_input_function is_input, const void *context,
                              eti_error *err) ETI_WARN_UNUSED;
/* Checks that a file exists and can be written, or that its folder can. ETI_ERROR_WRITE. */
eti_status eti__check_writable(const char *path, eti_error *err) ETI_WARN_UNUSED;

/* Finds the files that the folder of an inspection of the Neuron Runtime stands for: nc_<k>.etdp of each NeuronCore, in order;
 * without these, system.etdp. Stores allocated paths; `*n` is 0 if `path` is not such a folder. ETI_ERROR_MEMORY. */
eti_status eti__session_find(char ***paths, size_t *n, const char *path,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== sandbox ================================================================================= */
/* The filter of system calls of --sandbox: calls that the C library needs for memory, for open streams and for ending are
 * allowed; all others fail with EPERM. */

#define ETI__SANDBOX_MOST 128 /* instructions */

struct sock_filter; /* of linux/filter.h */

/* Fills `out`, which has room for ETI__SANDBOX_MOST instructions, with the filter for the process with this id. Returns the
 * number of instructions; 0: there is no filter for this system or processor. */
size_t eti__sandbox_filter(struct sock_filter *out, unsigned process);

/* ==== companions ============================================================================== */
/* Finds the files that lie beside a stem: model.etdp, model.etrecord and model.pte of the argument "model". */

/* A plain argument that stands for several files. Paths are allocated; NULL: there is no such file. */
typedef struct eti__companions {
    char *stem; /* the argument, without the suffix .pte */
    char *etdump, *etrecord, *program;
    bool is_program_named; /* the argument is the program itself */
} eti__companions;

/* Returns whether an argument names no file, but may be a stem: nothing has that name, or a folder. */
bool eti__may_be_stem(const char *argument);
/* Returns whether an argument has the suffix of a program, .pte. */
bool eti__may_be_program(const char *argument);

/* Finds the files of an argument. After a failure there is nothing to free. ETI_ERROR_USAGE: there are two ETDumps;
 * ETI_ERROR_MEMORY. */
eti_status eti__companions_find(eti__companions *out, const char *argument,
                                eti_error *err) ETI_WARN_UNUSED;
/* Finds the ETRecord beside a program that will run, but no ETDump. After a failure there is nothing to free. ETI_ERROR_MEMORY. */
eti_status eti__companions_beside(eti__companions *out, const char *program,
                                  eti_error *err) ETI_WARN_UNUSED;
/* Fails if an ETDump with the other suffix lies beside this one: the stem would have two ETDumps. ETI_ERROR_USAGE,
 * ETI_ERROR_MEMORY. */
eti_status eti__companions_check(const char *etdump, eti_error *err) ETI_WARN_UNUSED;
void eti__companions_free(eti__companions *companions);

/* Files that may be of another export than the ETDump. */
enum { ETI__WITH_ETRECORD = 1, ETI__WITH_PROGRAM = 2, ETI__WITH_BOTH = 3 };

/* Returns the line "model: model.etdp, model.etrecord", in memory from malloc(), which also names the files of `lacks` that were
 * left out. NULL: out of memory. */
char *eti__companions_describe(const eti__companions *companions, unsigned lacks);

/* Adds inputs to a request, with these of the files that were found. */
typedef eti_status (*eti__add_function)(void *context, eti_request *request, unsigned with,
                                        eti_error *err);

/* Opens the inspector without the record, the program or both, if these were `found` but are of another export. If the files
 * do not belong together even without them, all remain. Replaces the request by a copy with the inputs. Fails with the statuses
 * of eti_inspector_open(). */
eti_status eti__companions_open(eti_inspector **out, eti_request **request, unsigned found,
                                eti__add_function add, void *context,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== meaning ================================================================================= */
/* The parsed settings of a request: the options of all rooms, with a field for each row of the
 * catalogue.
 *
 * An option that several rooms read is stored in the options of the first of them. */

/* Arrays are allocated by malloc(), texts in the arena. */
typedef struct eti__texts {
    const char **values;
    size_t n, capacity;
} eti__texts;

typedef struct eti__sources {
    eti_source *values;
    size_t n, capacity;
} eti__sources;

typedef struct eti__labels {
    eti_label *values;
    size_t n, capacity;
} eti__labels;

typedef struct eti__scales {
    eti_delegate_time_scale *values;
    size_t n, capacity;
} eti__scales;

typedef struct eti__meaning {
    eti_options opening;
    eti_view_options view;
    eti_selection selection;
    eti_profile_options profile;
    eti_diff_options diff;
    eti_measure_options measure;
    eti_recording_options recording;
    double output_tolerance;
    eti_numerics_options numerics; /* options that no other room reads */
    eti_write_options write;
    eti_page_options page;
    unsigned tensor_key; /* an eti_saved_key */
    const char *format, *trend_by;
    unsigned granularity; /* an eti_granularity */
    unsigned rows_mode;   /* 0: permissive, 1: dropmalformed, 2: failfast */
    bool labels_from_path;
    eti_record *record; /* of eti_request_set_record(); NULL: none */
    eti_baseline_options
        baseline; /* without `samples` and `append`, which are in `view` and `write` */
    size_t now;   /* seconds since 1970; 0: unset */
    size_t failed_status, undecided_status, error_status; /* exit statuses of the program */
    eti__sources etdumps, etrecord, debug_buffer, programs, data, base_etrecord, base_program,
        budgets, allowed, available, reference, file_lists, run_methods;
    eti__texts modules, rules, failing;
    eti__labels labels, source_maps;
    eti__scales scales;
} eti__meaning;

/* ==== request ================================================================================= */
/* A request: options set by name, stored both as written and as parsed.
 *
 * A request holds the options of all rooms. The functions below return the options of one room. */

/* One call of eti_request_set() or eti_request_add_input(). */
typedef struct eti__setting {
    const struct eti__option *option;
    const char *value; /* as written; for an input, its name */
    eti_source source; /* set by eti_request_add_input(), otherwise all zeros */
    bool is_by_name;   /* applies to each command that has an option of this name */
} eti__setting;

struct eti_request {
    eti_arena texts;        /* the values of all settings, and of those that were reset */
    eti_arena parts;        /* parts of values, for `meaning` */
    const char *prefix;     /* prefix of option names in messages; borrowed from the caller */
    eti__setting *settings; /* in the order they were set */
    size_t n_settings, setting_capacity;

    eti__meaning meaning;
};
/* Makes an inspector read the values of the ETRecord's graphs when it is opened. Call this for reports that need the values, so
 * that each graph is read once instead of twice. */
void eti__request_read_values(eti_request *request);
eti_options eti__request_opening(const eti_request *request);
eti_view_options eti__request_view(const eti_request *request);

/* ==== hints =================================================================================== */
/* Sentences about a selection, for people who see the report in a format. */

/* Appends a sentence if the format shows another unit than the one in which the last filter compared a number, see
 * eti__section_explain_filter(). ETI_ERROR_USAGE: there is no such format; ETI_ERROR_MEMORY. */
eti_status eti__report_explain_filter(eti_buffer *out, const eti_report *report,
                                      const eti_request *request, const char *format,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Appends "the 5 smallest; the largest: --sort=-p50" if the request keeps the first of rows that ascend by a number without
 * saying so, and rows were left out: `n_before` is their number before the selection. */
void eti__report_explain_sort(eti_buffer *out, const eti_report *report, const eti_request *request,
                              size_t n_before);

/* ==== recording =============================================================================== */

/* A report that is written besides the output. */
typedef struct eti__report_target {
    char *format; /* allocated */
    const char *path;
} eti__report_target;

/* Parses FORMAT=FILE, the value of the option report; `path` borrows from it. ETI_ERROR_USAGE, ETI_ERROR_MEMORY. */
eti_status eti__report_target_parse(eti__report_target *out, const char *value,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Checks, before a recording, that its files, `output` (NULL: none) and the reports replace no file that it reads
 * and not each other, and that the reports can be written. `etrecord` may be NULL. ETI_ERROR_USAGE, ETI_ERROR_WRITE,
 * ETI_ERROR_MEMORY. */
eti_status eti__record_check(const eti_request *request, const char *program, const char *etrecord,
                             const char *output, const eti__report_target *reports,
                             size_t n_reports, eti_error *err) ETI_WARN_UNUSED;
/* Checks that no output (NULL: ignored) replaces a file that eti_measure() reads. ETI_ERROR_USAGE, ETI_ERROR_MEMORY. */
eti_status eti__measure_check(const eti_request *request, const char *const outputs[], size_t n,
                              eti_error *err) ETI_WARN_UNUSED;

/* Records a program as the request says: see eti__record() of measure/. */
eti_status eti__record_program(eti_recording_result *out, const char *program,
                               const eti_request *request, eti_write_function log,
                               void *log_context, eti_error *err) ETI_WARN_UNUSED;

/* ==== rows ==================================================================================== */
/* Lists the files from which the rows of many ETDumps are read. */

/* Steps through the paths of all ETDumps and of all lists of ETDumps, starting with *i = 0; false after the last. The paths
 * live as long as `rows`. */
bool eti__rows_next_input(const eti_rows *rows, size_t *i, const char **out);

/* Sets a function that readers call, in their threads, with a warning about an ETDump, on one line, and the number of the
 * warning. Numbers ascend while ETDumps are read; whenever an ETDump is read, its warnings have the same numbers. Must be
 * called before readers are opened. */
void eti__rows_on_warning(eti_rows *rows,
                          void (*function)(void *context, size_t number, const char *text),
                          void *context);

#endif
