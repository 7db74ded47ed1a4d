#include "measure/recording.h"

#include "base/output.h"
#include "base/status.h"
#include "base/temporary.h"
#include "digest/digest.h"
#include "pte/pte.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DUMP "run.etdp"

/* One recording. */
typedef struct recording {
    const eti_recording_options *options;
    const char *path; /* of the program */
    eti_arena arena;
    struct eti_file file;
    eti_pte program;
    const eti_pte_plan *plan;
    const char *method;
    eti_work work;
    eti_progress progress;
    eti_device own_device; /* unless recordings share one */
    eti_device *device;
    eti_runtime runtime;
    eti_command command;
    char *target; /* path of the dump */
    char *debug_target;
    uint64_t n_events; /* of the dump */
    double median;     /* of its runs, in ns; 0: unknown */
    uint64_t n_executions;
    double seconds; /* of the process */
    eti_error *err;
} recording;

/* ==== options ================================================================================= */

const char *eti__option_of_runtimes(const eti_recording_options *o, bool is_measured) {
    const eti_recording_options standard = ETI_RECORDING_OPTIONS_DEFAULT;
    const bool is_recorded = !is_measured;
    const struct {
        const char *name;
        bool is_given;
    } options[] = {{"python", o->python != NULL},
                   {"runner", o->runner != NULL},
                   {"device", strcmp(o->device, standard.device) != 0},
                   {"method", is_recorded && o->method}, /* of measure: also of its reports */
                   {"runs", o->n_runs != standard.n_runs},
                   {"cpu_threads", o->n_threads > 0},
                   {"cpus", is_measured && o->cpus}, /* record binds commands, too */
                   {"clock", o->clock != ETI_RECORDING_WALL},
                   {"inputs", strcmp(o->inputs, standard.inputs) != 0},
                   {"input_seed", o->input_seed != 0},
                   {"data_path", o->data_path != NULL},
                   {"debug_buffer_size", is_recorded && o->debug_buffer_size > 0}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (options[i].is_given)
            return options[i].name;
    }
    return NULL;
}

/* Rejects options that a command or another runtime would ignore. */
static eti_status check_options(const recording *r) {
    const eti_recording_options *o = r->options;
    const char *unused = o->command ? eti__option_of_runtimes(o, false) : NULL;
    if (unused)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%scommand and %s%s cannot be combined: the command itself says how "
                        "the program runs",
                        eti__option_prefix(), eti__option_prefix(), unused);
    if (o->python && o->runner)
        return eti_fail(r->err, ETI_ERROR_USAGE, "%spython and %srunner cannot be combined",
                        eti__option_prefix(), eti__option_prefix());
    if (r->device->kind != ETI_DEVICE_LOCAL && !o->runner)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%sdevice %s needs %srunner, an executor_runner that was built for the "
                        "device",
                        eti__option_prefix(), o->device, eti__option_prefix());
    if (r->device->kind != ETI_DEVICE_LOCAL && o->cpus)
        return eti_fail(r->err, ETI_ERROR_USAGE, "%scpus binds processes of this machine only",
                        eti__option_prefix());
    if (o->runner && o->debug_buffer_size > 0)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%sdebug_buffer_size: an executor_runner has no option for it",
                        eti__option_prefix());
    if (strcmp(o->inputs, "random") != 0 && o->input_seed != 0)
        return eti_fail(r->err, ETI_ERROR_USAGE, "%sinput_seed has no effect with %sinputs %s",
                        eti__option_prefix(), eti__option_prefix(), o->inputs);
    return ETI_OK;
}

/* ==== program ================================================================================= */

const eti_pte_plan *eti__recorded_plan(const eti_pte *program, const char *method) {
    const eti_pte_plan *plan =
        eti__pte_find_plan(program, eti__text_of(method ? method : "forward"));
    return plan || method || program->n_plans != 1 ? plan : program->plans;
}

static eti_status choose_method(recording *r) {
    const eti_pte *program = &r->program;
    eti_buffer names = {0};
    r->plan = eti__recorded_plan(program, r->options->method);
    for (uint32_t i = 0; !r->plan && i < program->n_plans; i++)
        eti__buffer_printf(
            &names, i > 0 ? ", %.*s" : "%.*s",
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n_plans counts them */
            ETI_TEXT_ARGS(program->plans[i].name));
    eti_status status = ETI_OK;
    if (names.failed)
        status = eti_fail_memory(r->err);
    else if (!r->plan)
        status = eti_fail(r->err, ETI_ERROR_USAGE,
                          "%s has the methods %.*s: choose one with %smethod", r->path,
                          (int)names.size, names.size > 0 ? names.data : "", eti__option_prefix());
    eti__buffer_free(&names);
    return status;
}

static eti_status open_program(recording *r) {
    if (*r->path == '\0' || strcmp(r->path, "-") == 0)
        return eti_fail(r->err, ETI_ERROR_USAGE, "record needs the path of a program (.pte)");
    ETI_TRY(eti__input_open(&r->file, &(eti_source){.path = r->path}, ETI_FILE_PROGRAM, r->err));
    ETI_TRY(eti__pte_open(&r->program, &r->arena, &r->file, r->err));
    if (r->program.is_bundled)
        return eti_fail(
            r->err, ETI_ERROR_USAGE,
            "%s is a bundled program: give the .pte, and its test case with %sinputs %s", r->path,
            eti__option_prefix(), r->path);
    if (r->options->command)
        return ETI_OK;
    ETI_TRY(choose_method(r));
    r->method = eti__work_text(&r->work, "%.*s", ETI_TEXT_ARGS(r->plan->name));
    if (!r->method)
        return eti_fail_memory(r->err);
    if (r->device->kind != ETI_DEVICE_LOCAL && !eti__is_plain_word(r->method))
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "the method %s has characters that a shell of the device would interpret",
                        r->method);
    return ETI_OK;
}

/* Returns the backend of the first delegate whose work may be on no processor; absent: all work is on processors. */
static eti_text other_backend(const recording *r) {
    for (uint32_t i = 0; i < r->plan->n_delegates; i++) {
        if (!eti__is_xnnpack(r->plan->delegates[i].id))
            return r->plan->delegates[i].id;
    }
    return (eti_text){NULL, 0};
}

static eti_status check_clock(const recording *r) {
    if (r->options->clock == ETI_RECORDING_WALL)
        return ETI_OK;
    eti_text other = other_backend(r);
    if (other.data)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%sclock cpu: the work of %.*s may be on no processor: use %sclock wall",
                        eti__option_prefix(), ETI_TEXT_ARGS(other), eti__option_prefix());
    if (r->runtime.kind != ETI_RUNTIME_COMPILED)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%sclock cpu needs the package executorch and a C++ compiler: other "
                        "runners have a clock that is fixed when they are linked",
                        eti__option_prefix());
    return ETI_OK;
}

/* ==== target ================================================================================== */

int eti__stem_length(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    bool has_suffix = dot && dot > (slash ? slash + 1 : path);
    return has_suffix ? (int)(dot - path) : (int)strlen(path);
}

/* Replaces a path from malloc() by that of the file to which links lead. */
static eti_status follow_links(char **path, eti_error *err) {
    char *target = eti__follow_links(*path);
    if (!target)
        return errno == ENOMEM
                   ? eti_fail_memory(err)
                   : eti_fail(err, ETI_ERROR_WRITE, "%s: cannot write: %s", *path, strerror(errno));
    free(*path);
    *path = target;
    return ETI_OK;
}

eti_status eti__recording_targets(char **dump, char **debug, const char *program,
                                  const eti_recording_options *options, eti_error *err) {
    const char *asked = options->etdump_path;
    *dump = *debug = NULL;
    if (asked && *asked == '\0')
        return eti_fail(err, ETI_ERROR_USAGE, "%setdump_path: the path is empty",
                        eti__option_prefix());
    if (asked && strcmp(asked, "-") == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "record needs a file: give %setdump_path FILE",
                        eti__option_prefix());
    int size = asked ? asprintf(dump, "%s", asked)
                     : asprintf(dump, "%.*s.etdp", eti__stem_length(program), program);
    if (size < 0)
        *dump = NULL;
    bool needs_debug = options->debug_buffer_size > 0;
    if (*dump && needs_debug &&
        asprintf(debug, "%.*s.debug.bin", eti__stem_length(*dump), *dump) < 0)
        *debug = NULL;
    if (!*dump || (needs_debug && !*debug))
        return eti_fail_memory(err);
    ETI_TRY(follow_links(dump, err));
    return *debug ? follow_links(debug, err) : ETI_OK;
}

/* Returns whether a file has the note of a recording. */
static bool has_note(const char *path) {
    struct eti_file file;
    eti_dump_note note = {.is_present = false};
    if (eti__file_open_source(&file, &(eti_source){.path = path}, NULL) != ETI_OK)
        return false;
    eti__dump_note_read(&note, file.data, file.size);
    bool is_present = note.is_present;
    eti__file_release(&file);
    return is_present;
}

/* Refuses to replace something other than a regular file, and, unless the options allow it, a file that no recording wrote. A
 * debug buffer cannot say that one did. */
static eti_status check_target(const recording *r, const char *target, bool may_have_note) {
    struct stat status;
    if (stat(target, &status) != 0)
        return ETI_OK;
    if (!S_ISREG(status.st_mode))
        return eti_fail(r->err, ETI_ERROR_WRITE,
                        "%s is not a regular file: name another with %setdump_path", target,
                        eti__option_prefix());
    if (r->options->replaces || (may_have_note && has_note(target)))
        return ETI_OK;
    return eti_fail(r->err, ETI_ERROR_WRITE, "%s exists%s: give %setdump_path or %sforce", target,
                    may_have_note ? " and was not written by record" : "", eti__option_prefix(),
                    eti__option_prefix());
}

static eti_status check_targets(const recording *r) {
    ETI_TRY(check_target(r, r->target, true));
    return r->debug_target ? check_target(r, r->debug_target, false) : ETI_OK;
}

/* Returns the absolute path of the folder of the dump, in memory from malloc(). */
static char *find_parent(const recording *r) {
    const char *slash = strrchr(r->target, '/');
    char *folder = slash ? strndup(r->target, (size_t)(slash - r->target) + 1) : strdup(".");
    char *absolute = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return absolute;
}

static eti_status open_folder(recording *r) {
    char *parent = find_parent(r);
    if (!parent)
        return eti_fail(r->err, ETI_ERROR_WRITE, "%s: cannot write: %s", r->target,
                        strerror(errno));
    eti_status status = eti__work_open(&r->work, parent, r->err);
    free(parent);
    return status;
}

/* ==== running ================================================================================= */

#define MOST_WORDS 24 /* of a user's command */

/* Returns the flag with the kinds of the inputs, such as "tensor,int": our script cannot get them from the package. */
static const char *list_kinds(recording *r) {
    static const char *const names[] = {[ETI_PTE_NULL] = "none",
                                        [ETI_PTE_INT] = "int",
                                        [ETI_PTE_BOOL] = "bool",
                                        [ETI_PTE_DOUBLE] = "double",
                                        [ETI_PTE_TENSOR] = "tensor"};
    eti_buffer kinds = {0};
    eti__buffer_add_string(&kinds, "--input_kinds");
    for (uint32_t i = 0; i < r->plan->inputs.n; i++) {
        size_t kind = r->plan->values[r->plan->inputs.items[i]].kind;
        bool is_known = kind < sizeof names / sizeof *names && names[kind];
        eti__buffer_add_char(&kinds, i == 0 ? '=' : ',');
        eti__buffer_add_string(&kinds, names[is_known ? kind : ETI_PTE_NULL]);
    }
    const char *text =
        kinds.failed ? NULL : eti__work_text(&r->work, "%.*s", (int)kinds.size, kinds.data);
    eti__buffer_free(&kinds);
    return text;
}

/* Returns the name of the program where it runs. Recordings that share a device keep theirs apart. */
static const char *model_name(const recording *r) {
    return r->options->model_name ? r->options->model_name : "model.pte";
}

/* Adds the flags that the run needs: runners refuse those that they do not know. */
static void add_flags(eti_words *w, recording *r) {
    const eti_recording_options *o = r->options;
    eti_buffer inputs = {0};
    eti__words_add(w, eti__work_text(&r->work, "--model_path=%s", model_name(r)));
    eti__words_add(w, "--etdump_path=" DUMP);
    eti__words_add(w, eti__work_text(&r->work, "--num_executions=%zu", o->n_runs));
    if (r->program.n_plans > 1 || strcmp(r->method, "forward") != 0)
        eti__words_add(w, eti__work_text(&r->work, "--method_name=%s", r->method));
    for (uint32_t i = 0; i < r->plan->inputs.n; i++)
        eti__buffer_printf(&inputs, i > 0 ? ",in-%u.bin" : "in-%u.bin", (unsigned)i);
    if (inputs.size > 0)
        eti__words_add(w, inputs.failed ? NULL
                                        : eti__work_text(&r->work, "--inputs=%.*s",
                                                         (int)inputs.size, inputs.data));
    eti__buffer_free(&inputs);
    if (r->runtime.kind == ETI_RUNTIME_PYTHON)
        eti__words_add(w, list_kinds(r));
    if (o->n_threads > 0)
        eti__words_add(w, eti__work_text(&r->work, "--cpu_threads=%zu", o->n_threads));
    if (o->data_path)
        eti__words_add(w, "--data_path=data.ptd");
    if (o->clock == ETI_RECORDING_CPU)
        eti__words_add(w, "--clock=cpu");
    if (o->keeps_outputs)
        eti__words_add(w, "--output_file=out");
    if (o->debug_buffer_size > 0) {
        eti__words_add(w,
                       eti__work_text(&r->work, "--debug_buffer_size=%zu", o->debug_buffer_size));
        eti__words_add(w, "--debug_path=debug.bin");
    }
}

#ifdef __linux__

/* Parses a list of processors, such as 0,2-3. */
static bool parse_cpus(cpu_set_t *out, const char *list) {
    CPU_ZERO(out);
    for (const char *at = list;;) {
        char *end;
        if (*at < '0' || *at > '9')
            return false;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (*end == '-') {
            if (end[1] < '0' || end[1] > '9')
                return false;
            last = strtoul(end + 1, &end, 10);
        }
        if (last < first || last >= CPU_SETSIZE)
            return false;
        for (; first <= last; first++)
            CPU_SET(first, out);
        if (*end == '\0')
            return true;
        if (*end != ',')
            return false;
        at = end + 1;
    }
}

/* Binds this thread, whose children inherit that, to the processors of the options; `before` restores it. */
static eti_status bind_processors(const recording *r, cpu_set_t *before) {
    cpu_set_t set;
    if (!r->options->cpus)
        return ETI_OK;
    if (!parse_cpus(&set, r->options->cpus))
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%scpus: expected processors such as 0,2-3, found %s", eti__option_prefix(),
                        r->options->cpus);
    if (sched_getaffinity(0, sizeof *before, before) != 0 ||
        sched_setaffinity(0, sizeof set, &set) != 0)
        return eti_fail(r->err, ETI_ERROR_USAGE, "%scpus %s: %s", eti__option_prefix(),
                        r->options->cpus, strerror(errno));
    return ETI_OK;
}

#endif

/* Runs these words here, or the runner on the device. Returns whether that succeeded. */
static eti_status start(recording *r, const eti_words *w, const char *folder,
                        eti_process_result *out, bool *succeeded) {
#ifdef __linux__
    cpu_set_t before;
    ETI_TRY(bind_processors(r, &before));
#else
    if (r->options->cpus)
        return eti_fail(r->err, ETI_ERROR_USAGE, "%scpus works only on Linux",
                        eti__option_prefix());
#endif
    *succeeded = r->device->kind == ETI_DEVICE_LOCAL
                     ? eti__work_run(&r->work, out, folder, w->items)
                     : eti__device_run(r->device, &r->work, out, w->items);
#ifdef __linux__
    if (r->options->cpus)
        (void)sched_setaffinity(0, sizeof before, &before);
#endif
    r->seconds = out->seconds;
    return ETI_OK;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Errors of the runtime by their numbers. */
static const struct {
    unsigned number;
    const char *name;
} errors[] = {{0x01, "Internal"},
              {0x02, "InvalidState"},
              {0x03, "EndOfMethod"},
              {0x04, "AlreadyLoaded"},
              {0x10, "NotSupported"},
              {0x11, "NotImplemented"},
              {0x12, "InvalidArgument"},
              {0x13, "InvalidType"},
              {0x14, "OperatorMissing"},
              {0x15, "RegistrationExceedingMaxKernels"},
              {0x16, "RegistrationAlreadyRegistered"},
              {0x20, "NotFound"},
              {0x21, "MemoryAllocationFailed"},
              {0x22, "AccessFailed"},
              {0x23, "InvalidProgram"},
              {0x24, "InvalidExternalData"},
              {0x25, "OutOfResources"},
              {0x30, "DelegateInvalidCompatibility"},
              {0x31, "DelegateMemoryAllocationFailed"},
              {0x32, "DelegateInvalidHandle"}};

/* Returns the word between two texts of a log; NULL: they are not there. */
static const char *find_between(recording *r, const char *log, const char *before,
                                const char *after) {
    const char *begin = strstr(log, before);
    begin = begin ? begin + strlen(before) : NULL;
    const char *end = begin ? strstr(begin, after) : NULL;
    return end && end > begin && !memchr(begin, '\n', (size_t)(end - begin))
               ? eti__work_text(&r->work, "%.*s", (int)(end - begin), begin)
               : NULL;
}

/* Returns the operator that has no kernel; NULL: the log has none. The runtime logs "Missing operator: [2] aten::bmm.out". */
static const char *find_missing_operator(recording *r, const char *log) {
    const char *name = find_between(r, log, "Missing operator: ", "\n");
    const char *number = name && *name == '[' ? strstr(name, "] ") : NULL;
    return number ? number + 2 : name;
}

/* Returns ", error 0x12 (InvalidArgument)" for a log with "error 0x12" or, as executor_runner has it, "status 0x12"; "": none. */
static const char *name_error(recording *r, const char *log) {
    const char *at = strstr(log, "rror 0x"), *name = "";
    if (!at)
        at = strstr(log, "status 0x");
    unsigned long number = at ? strtoul(strchr(at, ' ') + 1, NULL, 16) : 0;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (at && errors[i].number == number)
            name = eti__work_text(&r->work, ", error 0x%x (%s)", errors[i].number, errors[i].name);
    }
    return name ? name : "";
}

/* Fails with the reason that the log gives, and prints its last lines. */
static eti_status fail_run(recording *r, const eti_process_result *result, const char *name) {
    const char *log =
        eti__work_text(&r->work, "%.*s\n%.*s", (int)result->errors.size, result->errors.bytes,
                       (int)result->output.size, result->output.bytes);
    if (result->end == ETI_PROCESS_CANCELLED)
        return eti_fail(r->err, ETI_ERROR_CANCELLED, "cancelled by the caller while %s ran", name);
    if (!log)
        return eti_fail_memory(r->err);
    const char *backend = find_between(r, log, "Backend ", " is not registered");
    const char *kernel = find_missing_operator(r, log);
    bool has_no_tracer = strstr(log, "unknown command line flag 'etdump_path'") != NULL;
    eti__work_log(&r->work, result);
    eti__device_log(r->device, &r->work);
    if (has_no_tracer)
        return eti_fail(r->err, ETI_ERROR_READ,
                        "this runner was built without the event tracer: "
                        "-DEXECUTORCH_ENABLE_EVENT_TRACER=ON");
    if (backend)
        return eti_fail(r->err, ETI_ERROR_READ, "%s: the runtime has no backend %s", r->path,
                        backend);
    if (kernel)
        return eti_fail(r->err, ETI_ERROR_READ, "%s: the runtime has no kernel for %s", r->path,
                        kernel);
    return eti_fail(r->err, ETI_ERROR_READ, "%s: %s%s", r->path,
                    eti__work_end(&r->work, result, name), name_error(r, log));
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Puts the program, its weights and the runner where they run. */
static eti_status place_files(recording *r) {
    const char *data = r->options->data_path;
    if (r->device->kind == ETI_DEVICE_LOCAL) {
        ETI_TRY(eti__work_link(&r->work, model_name(r), r->path, r->err));
        return data ? eti__work_link(&r->work, "data.ptd", data, r->err) : ETI_OK;
    }
    ETI_TRY(eti__device_open(r->device, &r->work, r->err));
    ETI_TRY(eti__device_push(r->device, &r->work, r->runtime.program, "runner", r->err));
    char *program = realpath(r->path, NULL);
    eti_status status = program
                            ? eti__device_push(r->device, &r->work, program, model_name(r), r->err)
                            : eti_fail_memory(r->err);
    free(program);
    if (status == ETI_OK && data) {
        char *weights = realpath(data, NULL);
        status = weights ? eti__device_push(r->device, &r->work, weights, "data.ptd", r->err)
                         : eti_fail(r->err, ETI_ERROR_READ, "%s: cannot read: %s", data,
                                    strerror(errno));
        free(weights);
    }
    for (uint32_t i = 0; status == ETI_OK && i < r->plan->inputs.n; i++) {
        const char *name = eti__work_text(&r->work, "in-%u.bin", (unsigned)i);
        const char *path = name ? eti__work_inside(&r->work, name) : NULL;
        status = path ? eti__device_push(r->device, &r->work, path, name, r->err)
                      : eti_fail_memory(r->err);
    }
    return status;
}

/* Checks that the runtime read the clock that was asked for, for each event. */
static eti_status check_reads(const recording *r, const char *output) {
    static const char mark[] = "etinspect-clock-reads:";
    const char *at = strstr(output, mark);
    if (r->options->clock == ETI_RECORDING_WALL)
        return ETI_OK;
    return at && strtoull(at + sizeof mark - 1, NULL, 10) >= r->n_events
               ? ETI_OK
               : eti_fail(r->err, ETI_ERROR_READ, "%sclock cpu: the runtime did not use this clock",
                          eti__option_prefix());
}

/* Counts the events of a dump and finds its median run. ETI_ERROR_READ: it has none. */
static eti_status count_events(recording *r, const eti_etdump *dump) {
    double *times = NULL;
    size_t n = 0, capacity = 0;
    for (uint32_t i = 0; i < dump->runs.count; i++) {
        eti_etdump_run run = eti__etdump_read_run(dump, i);
        for (uint32_t k = 0; k < run.events.count; k++) {
            eti_position at = eti__etdump_event_position(dump, run.events, k);
            eti_etdump_event event;
            eti__etdump_read_event(&event, dump, at);
            r->n_events += event.kind == ETI_ETDUMP_PROFILE;
            if (event.kind != ETI_ETDUMP_PROFILE || !eti__text_is(event.name, "Method::execute"))
                continue;
            eti_etdump_stamps stamps = eti__etdump_read_stamps(dump, at);
            if (!ETI_GROW(times, capacity, n + 1)) {
                free(times);
                return eti_fail_memory(r->err);
            }
            times[n++] = (double)(stamps.end_time - stamps.start_time);
        }
    }
    if (n > 0)
        eti__sort_doubles(times, n);
    r->median = n > 0 ? times[n / 2] : 0;
    r->n_executions = n;
    free(times);
    return r->n_events > 0 ? ETI_OK
                           : eti_fail(r->err, ETI_ERROR_READ,
                                      "the dump of %s has no events: build the runtime with "
                                      "EXECUTORCH_ENABLE_EVENT_TRACER",
                                      r->path);
}

/* Opens the dump to see that it is one; sets `*is_noted` to whether its program added a note. */
static eti_status check_dump(recording *r, const char *path, bool *is_noted) {
    struct eti_file bytes, file;
    struct stat status;
    eti_etdump dump;
    if (stat(path, &status) != 0 || status.st_size == 0)
        return eti_fail(r->err, ETI_ERROR_READ,
                        "%s: no dump was written, or an empty one: build the runtime with "
                        "EXECUTORCH_ENABLE_EVENT_TRACER",
                        r->path);
    const char *name = r->options->command ? "the ETDump of the command"
                                           : "the ETDump of the runner"; /* the folder is gone */
    ETI_TRY(eti__file_open_source(&bytes, &(eti_source){.path = path}, r->err));
    eti_status opened =
        eti__input_open(&file, &(eti_source){.path = name, .data = bytes.data, .size = bytes.size},
                        ETI_FILE_ETDUMP, r->err);
    if (opened == ETI_OK) {
        opened = eti__etdump_open(&dump, &file, 1, r->err);
        *is_noted = opened == ETI_OK && dump.note.is_present;
        if (opened == ETI_OK)
            opened = count_events(r, &dump);
        eti__file_release(&file);
    }
    eti__file_release(&bytes);
    return opened;
}

static eti_status run_runner(recording *r) {
    eti_words w = {.n = 0};
    eti_process_result result;
    bool succeeded;
    const char *path = eti__work_path(&r->work, DUMP), *debug = NULL;
    if (r->debug_target)
        debug = eti__work_path(&r->work, "debug.bin");
    ETI_TRY(eti__inputs_write(&r->work, r->plan, r->options, r->err));
    ETI_TRY(place_files(r));
    if (r->device->kind == ETI_DEVICE_LOCAL)
        eti__words_add(&w, r->runtime.program);
    if (r->runtime.script)
        eti__words_add(&w, r->runtime.script);
    add_flags(&w, r);
    if (w.failed || !path || (r->debug_target && !debug))
        return eti_fail_memory(r->err);
    ETI_TRY(start(r, &w, NULL, &result, &succeeded));
    const char *slash = strrchr(r->runtime.program, '/');
    if (!succeeded)
        return fail_run(r, &result, slash ? slash + 1 : r->runtime.program);
    if (r->device->kind != ETI_DEVICE_LOCAL)
        ETI_TRY(eti__device_pull(r->device, &r->work, DUMP, r->err));
    bool is_noted;
    eti_status status = check_dump(r, path, &is_noted);
    if (status == ETI_ERROR_READ)
        eti__work_log(&r->work, &result);
    return status == ETI_OK ? check_reads(r, eti__work_output(&r->work, &result.output)) : status;
}

static eti_status run_command(recording *r, bool *is_noted) {
    eti_process_result result;
    bool succeeded;
    const char *path = eti__work_path(&r->work, DUMP);
    ETI_TRY(
        eti__command_parse(&r->command, &r->arena, "command", r->options->command, false, r->err));
    if (!r->command.has_path)
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%scommand: expected {} in the command, for the path of the dump: %s",
                        eti__option_prefix(), r->options->command);
    char *program = realpath(r->path, NULL), *here = realpath(".", NULL);
    char **arguments = path && program && here
                           ? eti__command_arguments(&r->command, &r->arena, path, program)
                           : NULL;
    eti_words w = {.n = 0};
    eti_status status = arguments ? ETI_OK : eti_fail_memory(r->err);
    for (size_t i = 0; status == ETI_OK && arguments[i]; i++) {
        if (w.n == MOST_WORDS)
            status =
                eti_fail(r->err, ETI_ERROR_USAGE, "%scommand: more than %d words: write a script",
                         eti__option_prefix(), MOST_WORDS);
        eti__words_add(&w, arguments[i]);
    }
    if (status == ETI_OK)
        status = start(r, &w, here, &result, &succeeded);
    free(program);
    free(here);
    ETI_TRY(status);
    if (!succeeded)
        return fail_run(r, &result, r->command.words[0]);
    status = check_dump(r, path, is_noted);
    if (status == ETI_ERROR_READ)
        eti__work_log(&r->work, &result);
    return status;
}

/* ==== result ================================================================================== */

static void add_string(eti_json_writer *json, const char *key, const char *value) {
    eti__json_add_key(json, key);
    if (value)
        eti__json_add_text(json, eti__text_of(value));
    else
        eti__json_add_null(json);
}

static const char *clock_name(const recording *r) {
    return r->options->clock == ETI_RECORDING_CPU ? ETI_CLOCK_CPU : ETI_CLOCK_WALL;
}

static const char *runtime_text(recording *r) {
    return r->runtime.version ? eti__work_text(&r->work, "executorch %s", r->runtime.version)
                              : NULL;
}

/* Makes the JSON of the note. */
static bool make_note(eti_buffer *out, recording *r) {
    const eti_recording_options *o = r->options;
    eti_json_writer json = eti__json_writer(out, ETI_JSON_COMPACT);
    eti_buffer types = {0};
    char digits[ETI_SHA256_DIGITS + 1];
    bool is_random = strcmp(o->inputs, "random") == 0;
    eti__sha256(r->file.data, r->file.size, digits);
    eti__json_open_object(&json);
    eti__json_add_u64_member(&json, "version", 1);
    add_string(&json, "tool", eti__work_text(&r->work, "etinspect %s", eti_version()));
    add_string(&json, "clock", clock_name(r));
    add_string(&json, "runtime", runtime_text(r));
    add_string(&json, "runner", eti__runtime_name(r->runtime.kind));
    add_string(&json, "device", o->device);
    add_string(&json, "method", r->method);
    if (!o->command) {
        eti__json_add_u64_member(&json, "runs", o->n_runs);
        if (o->n_threads > 0)
            eti__json_add_u64_member(&json, "threads", o->n_threads);
        add_string(&json, "inputs", o->inputs);
        if (is_random)
            eti__json_add_u64_member(&json, "input_seed", o->input_seed);
        eti__inputs_describe(&types, r->plan);
        eti__json_add_member(&json, "input_types", eti__buffer_text(&types));
    }
    add_string(&json, "cpus", o->cpus);
    add_string(&json, "program_sha256", digits);
    eti__json_close_level(&json);
    bool done = !out->failed && !types.failed;
    eti__buffer_free(&types);
    return done;
}

static eti_status append_note(recording *r, int descriptor) {
    eti_buffer json = {0}, note = {0};
    bool done = make_note(&json, r) && eti__dump_note_add(&note, eti__buffer_text(&json));
    eti_status status = done ? ETI_OK : eti_fail_memory(r->err);
    if (done && write(descriptor, note.data, note.size) != (ssize_t)note.size)
        status =
            eti_fail(r->err, ETI_ERROR_WRITE, "%s: cannot write: %s", r->target, strerror(errno));
    eti__buffer_free(&json);
    eti__buffer_free(&note);
    return status;
}

/* Completes a file of the folder, and waits until it is on the disk. */
static eti_status complete_file(recording *r, const char *name, const char *target,
                                bool adds_note) {
    const char *path = eti__work_inside(&r->work, name);
    int descriptor = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return eti_fail(r->err, ETI_ERROR_READ, "%s: %s was not written", r->path, name);
    eti_status status = adds_note ? append_note(r, descriptor) : ETI_OK;
    if (status == ETI_OK && fsync(descriptor) != 0)
        status = eti_fail(r->err, ETI_ERROR_WRITE, "%s: cannot write: %s", target, strerror(errno));
    close(descriptor);
    return status;
}

/* Gives a complete file its name. */
static eti_status move_file(recording *r, const char *name, const char *target) {
    const char *path = eti__work_inside(&r->work, name);
    if (!path)
        return eti_fail_memory(r->err);
    return rename(path, target) == 0
               ? ETI_OK
               : eti_fail(r->err, ETI_ERROR_WRITE, "%s: cannot write: %s", target, strerror(errno));
}

/* Describes the clock's own cost, if it is large. */
static void add_clock_notes(eti_buffer *out, const recording *r) {
    const double read_ns = 900; /* of the CPU time of a process, measured on a Linux server */
    if (r->options->clock != ETI_RECORDING_CPU || r->n_executions == 0 || r->median <= 0)
        return;
    double share = 2 * read_ns * (double)r->n_events / (double)r->n_executions / r->median;
    eti__buffer_add_string(out,
                           "CPU time of all threads: shows neither waiting nor whether threads "
                           "work in parallel\n");
    if (r->median < 5e6 || share > 0.05)
        eti__buffer_printf(
            out,
            "reading this clock takes about %.0f %% of the time: use %sclock wall for "
            "runs this short\n",
            share < 1 ? 100 * share : 100.0, eti__option_prefix());
}

static bool describe(eti_recording_result *out, recording *r) {
    eti_buffer text = {0}, notes = {0};
    const char *version = runtime_text(r);
    const uint64_t asked = r->options->n_runs, n = r->n_executions > 0 ? r->n_executions : asked;
    if (r->options->command)
        eti__buffer_printf(&text, "%s in %.1f s", r->command.words[0], r->seconds);
    else
        eti__buffer_printf(&text, "%" PRIu64 " run%s of %s in %.1f s, %s%s%s%s, %s", n,
                           n == 1 ? "" : "s", r->method, r->seconds,
                           version ? version : r->runtime.program, version ? " (" : "",
                           version ? eti__runtime_name(r->runtime.kind) : "", version ? ")" : "",
                           eti__clock_text(clock_name(r)));
    if (r->runtime.note)
        eti__buffer_printf(&notes, "%s\n", r->runtime.note);
    if (!r->options->command && n < asked)
        eti__buffer_printf(&notes,
                           "the ETDump has %" PRIu64 " of the %" PRIu64 " runs: the memory for "
                           "events was full, or the runner does not take --num_executions\n",
                           n, asked);
    add_clock_notes(&notes, r);
    eti__buffer_add_char(&text, '\0');
    eti__buffer_add_char(&notes, '\0');
    bool done = !text.failed && !notes.failed;
    out->kind = r->runtime.kind;
    out->runtime = r->runtime.program ? strdup(r->runtime.program) : NULL;
    out->version = r->runtime.version ? strdup(r->runtime.version) : NULL;
    out->median = r->median;
    out->may_use_cpu_time = r->options->clock == ETI_RECORDING_WALL &&
                            r->runtime.kind == ETI_RUNTIME_COMPILED && !other_backend(r).data;
    out->path = r->target;
    out->summary = text.data;
    out->notes = notes.data;
    if (done)
        r->target = NULL;
    else
        out->path = NULL;
    return done;
}

void eti__recording_free(eti_recording_result *recorded) {
    free(recorded->path);
    free(recorded->summary);
    free(recorded->notes);
    free(recorded->runtime);
    free(recorded->version);
    for (size_t i = 0; recorded->outputs && i <= recorded->n_outputs; i++)
        free(recorded->outputs[i].data);
    free(recorded->outputs);
    *recorded = (eti_recording_result){0};
}

/* Reads the outputs that the runner wrote. */
static eti_status take_outputs(eti_recording_result *out, recording *r) {
    const uint32_t n = r->plan->outputs.n;
    out->outputs = calloc((size_t)n + 1, sizeof *out->outputs);
    if (!out->outputs)
        return eti_fail_memory(r->err);
    for (; out->n_outputs < n; out->n_outputs++) {
        const char *name = eti__work_text(&r->work, "out-%zu.bin", out->n_outputs);
        eti_output_bytes *output = &out->outputs[out->n_outputs];
        struct eti_file file;
        const char *path = name ? eti__work_inside(&r->work, name) : NULL;
        if (!path)
            return eti_fail_memory(r->err);
        if (r->device->kind != ETI_DEVICE_LOCAL)
            ETI_TRY(eti__device_pull(r->device, &r->work, name, r->err));
        if (eti__file_open_source(&file, &(eti_source){.path = path}, NULL) != ETI_OK)
            return eti_fail(r->err, ETI_ERROR_READ,
                            "%s: the runner wrote no output %zu that can be read: does it take "
                            "--output_file?",
                            r->path, out->n_outputs);
        output->data = malloc(file.size + 1);
        output->size = file.size;
        if (output->data)
            memcpy(output->data, file.data, file.size);
        eti__file_release(&file);
        if (!output->data)
            return eti_fail_memory(r->err);
    }
    return ETI_OK;
}

/* ==== record ================================================================================== */

static bool wait_for(void *context) {
    const recording *r = context;
    return eti__tell(&r->progress, "recording", 0, 0, NULL) == ETI_OK;
}

static eti_status choose_device(recording *r) {
    eti_device *shared = r->options->shared_device;
    r->device = shared ? shared : &r->own_device;
    return r->device->folder ? ETI_OK : eti__device_parse(r->device, r->options->device, r->err);
}

static eti_status record(eti_recording_result *out, recording *r) {
    bool is_noted = false;
    ETI_TRY(choose_device(r));
    ETI_TRY(check_options(r));
    ETI_TRY(open_program(r));
    ETI_TRY(eti__recording_targets(&r->target, &r->debug_target, r->path, r->options, r->err));
    ETI_TRY(check_targets(r));
    ETI_TRY(open_folder(r));
    const eti_recording_result *like = r->options->like;
    if (like && like->runtime && access(like->runtime, X_OK) == 0)
        ETI_TRY(eti__runtime_again(&r->runtime, &r->work, (eti_runtime_kind)like->kind,
                                   like->runtime, like->version, r->err));
    else
        ETI_TRY(eti__runtime_find(&r->runtime, &r->work, r->options, r->err));
    if (!r->options->command)
        ETI_TRY(check_clock(r));
    ETI_TRY(r->options->command ? run_command(r, &is_noted) : run_runner(r));
    if (r->options->keeps_outputs)
        ETI_TRY(take_outputs(out, r));
    if (r->debug_target)
        ETI_TRY(complete_file(r, "debug.bin", r->debug_target, false));
    ETI_TRY(complete_file(r, DUMP, r->target, !is_noted));
    if (r->debug_target)
        ETI_TRY(move_file(r, "debug.bin", r->debug_target));
    ETI_TRY(move_file(r, DUMP, r->target));
    return describe(out, r) ? ETI_OK : eti_fail_memory(r->err);
}

eti_status eti__record(eti_recording_result *out, const char *program,
                       const eti_recording_options *options, eti_progress progress,
                       eti_write_function log, void *log_context, eti_error *err) {
    recording r = {.options = options, .path = program, .progress = progress, .err = err};
    *out = (eti_recording_result){0};
    r.work = (eti_work){.lock = -1,
                        .timeout = (double)options->timeout,
                        .wait = wait_for,
                        .wait_context = &r,
                        .log = log,
                        .log_context = log_context};
    eti_status status = record(out, &r);
    if (status != ETI_OK)
        eti__recording_free(out);
    eti__device_close(&r.own_device, &r.work);
    eti__work_close(&r.work);
    eti__file_release(&r.file);
    eti__arena_free(&r.arena);
    free(r.target);
    free(r.debug_target);
    return status;
}
