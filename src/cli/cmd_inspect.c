/*
 * cmd_inspect.c - etinspect FILES: the Inspector's table, TSV or CSV of an ETDump.
 */
#include "cli/inputs.h"
#include "cli/sandbox.h"

#include <stdlib.h>
#include <string.h>

#define SCALES "ns,us,ms,s,cycles"
#define MAX_THREADS 64

static const cli_option options[] = {
    {"etdump_path", "FILE", "the ETDump; plain arguments do as well", NULL, true},
    {"etrecord_path", "FILE", "the ETRecord of the same export: adds op_types and backends", NULL,
     true},
    {"debug_buffer_path", "FILE", "the debug buffer that was written with the ETDump", NULL, true},
    {"source_time_scale", "SCALE", "of the ETDump: ns (default), us, ms, s or cycles", SCALES,
     true},
    {"target_time_scale", "SCALE", "of the output: ns, us, ms (default), s or cycles", SCALES,
     true},
    {"tsv_path", "FILE", "write the table to FILE as TSV too", NULL, true},
    {"csv_path", "FILE", "write the table to FILE as CSV too", NULL, false},
    {"output", "FILE", "write to FILE instead of standard output", NULL, false},
    {"format", "FORMAT", "of the output: table (default), tsv or csv", "table,tsv,csv", false},
    {"csv_safe", NULL, "in CSV and TSV, put a ' before what a spreadsheet would run as\na formula",
     NULL, false},
    {"include_units", NULL, "name the unit in the columns of statistics (default)", NULL, false},
    {"no_include_units", NULL, "leave the unit out", NULL, false},
    {"include_delegate_debug_data", NULL, "add the column delegate_debug_metadata", NULL, false},
    {"delegate_metadata", "FORM",
     "show metadata as bytes (default), utf8, hex or json; implies\n"
     "--include_delegate_debug_data",
     "bytes,utf8,hex,json", false},
    {"delegate_time_scale", "[BACKEND=]SCALE",
     "the time scale of delegates' stamps, if it is not that of the\n"
     "source; cycles are shown as counted. May be repeated",
     NULL, false},
    {"exact_time", NULL,
     "subtract delegates' stamps before scaling them: 0.016 instead\n"
     "of the Inspector's 0.0160000000000196",
     NULL, false},
    {"method", "NAME",
     "the method of the ETRecord whose operators ran (default:\nforward, or else the first)", NULL,
     false},
    {"module", "NAME",
     "instead of the events, print the total time of modules whose\n"
     "name contains NAME. May be repeated",
     NULL, false},
    {"sandbox", NULL,
     "once the inputs are open, give up opening files, connections and\nprocesses (Linux)", NULL,
     false},
    {"threads", "N", "use so many threads for large files (default: all processors)", NULL, false},
    {"compare_results", NULL, "not available: numeric comparison is not part of etinspect yet",
     NULL, true},
    {"help", NULL, "print this and exit", NULL, true},
    {"version", NULL, "print the version and exit", NULL, false},
    {NULL, NULL, NULL, NULL, false},
};

static const char details[] =
    "FILES are told apart by content: one or more ETDumps of the same program and at\n"
    "most one ETRecord; - is standard input. Options may be shortened to a unique\n"
    "prefix and written with hyphens.\n"
    "\n"
    "Other commands: etinspect check FILES, etinspect help COMMAND. See man etinspect.";

typedef struct inspect_arguments {
    cli_inputs inputs;
    eti_options options;
    eti_table_options table_options;
    eti_delegate_time_scale *scales; /* options.delegate_time_scales */
    const char **modules;
    size_t n_modules;
    const char *format;
    const char *output_path, *tsv_path, *csv_path; /* NULL: none */
    bool csv_safe;
    bool sandbox;
    bool help, version;
} inspect_arguments;

/* "QnnBackend=cycles" or "cycles". */
static int add_delegate_time_scale(inspect_arguments *arguments, const char *value) {
    const char *equals = strrchr(value, '=');
    const char *name = equals ? equals + 1 : value;
    eti_delegate_time_scale entry = {NULL, ETI_SCALE_NS};
    if (!eti_time_scale_parse(name, &entry.scale) || equals == value) {
        return cli_fail_usage(
            "--delegate_time_scale: expected [BACKEND=]SCALE with a scale of " SCALES
            ", found '%s'",
            value);
    }
    size_t n = arguments->options.n_delegate_time_scales;
    eti_delegate_time_scale *grown =
        realloc(arguments->scales, (n + 1) * sizeof *arguments->scales);
    if (!grown)
        return cli_fail_memory();
    arguments->scales = grown;
    if (equals && !(entry.backend = strndup(value, (size_t)(equals - value))))
        return cli_fail_memory();
    grown[n] = entry;
    arguments->options.delegate_time_scales = grown;
    arguments->options.n_delegate_time_scales = n + 1;
    return CLI_OK;
}

static int add_module(inspect_arguments *arguments, const char *name) {
    const char **grown =
        realloc(arguments->modules, (arguments->n_modules + 1) * sizeof *arguments->modules);
    if (!grown)
        return cli_fail_memory();
    arguments->modules = grown;
    arguments->modules[arguments->n_modules++] = name;
    return CLI_OK;
}

static int set_threads(inspect_arguments *arguments, const char *value) {
    char *end;
    long n = strtol(value, &end, 10);
    if (end == value || *end != '\0' || n < 1 || n > MAX_THREADS)
        return cli_fail_usage("--threads: '%s' is not a number from 1 to %d", value, MAX_THREADS);
    arguments->options.n_threads = (size_t)n;
    return CLI_OK;
}

static void set_delegate_metadata(inspect_arguments *arguments, const char *name) {
    static const char *const forms[] = {
        [ETI_METADATA_BYTES] = "bytes",
        [ETI_METADATA_UTF8] = "utf8",
        [ETI_METADATA_HEX] = "hex",
        [ETI_METADATA_JSON] = "json",
    };
    size_t form = 0;
    while (strcmp(forms[form], name) != 0)
        form++;
    arguments->table_options.delegate_metadata = (eti_metadata_form)form;
    arguments->table_options.include_delegate_debug_data = true;
}

/* Options that only keep a string. */
static bool take_string(inspect_arguments *arguments, const char *name, const char *value) {
    const struct {
        const char *name;
        const char **place;
    } strings[] = {
        {"etdump_path", &arguments->inputs.etdump_path},
        {"etrecord_path", &arguments->inputs.etrecord_path},
        {"debug_buffer_path", &arguments->inputs.debug_buffer_path},
        {"tsv_path", &arguments->tsv_path},
        {"csv_path", &arguments->csv_path},
        {"output", &arguments->output_path},
        {"format", &arguments->format},
        {"method", &arguments->options.method},
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (strcmp(strings[i].name, name) == 0) {
            *strings[i].place = value;
            return true;
        }
    }
    return false;
}

static bool take_flag(inspect_arguments *arguments, const char *name) {
    if (strcmp(name, "include_units") == 0)
        arguments->table_options.include_units = true;
    else if (strcmp(name, "no_include_units") == 0)
        arguments->table_options.include_units = false;
    else if (strcmp(name, "include_delegate_debug_data") == 0)
        arguments->table_options.include_delegate_debug_data = true;
    else if (strcmp(name, "csv_safe") == 0)
        arguments->csv_safe = true;
    else if (strcmp(name, "sandbox") == 0)
        arguments->sandbox = true;
    else if (strcmp(name, "exact_time") == 0)
        arguments->options.exact_time = true;
    else if (strcmp(name, "help") == 0)
        arguments->help = true;
    else if (strcmp(name, "version") == 0)
        arguments->version = true;
    else
        return false;
    return true;
}

static int take(void *context, const char *name, const char *value) {
    inspect_arguments *arguments = context;
    if (!name)
        return cli_inputs_add_plain(&arguments->inputs, value);
    if (take_string(arguments, name, value) || take_flag(arguments, name))
        return CLI_OK;
    if (strcmp(name, "delegate_time_scale") == 0)
        return add_delegate_time_scale(arguments, value);
    if (strcmp(name, "module") == 0)
        return add_module(arguments, value);
    if (strcmp(name, "threads") == 0)
        return set_threads(arguments, value);

    if (strcmp(name, "source_time_scale") == 0)
        (void)eti_time_scale_parse(value, &arguments->options.source_time_scale);
    else if (strcmp(name, "target_time_scale") == 0)
        (void)eti_time_scale_parse(value, &arguments->options.target_time_scale);
    else if (strcmp(name, "delegate_metadata") == 0)
        set_delegate_metadata(arguments, value);
    else
        return cli_fail_usage("--%s is not available: numeric comparison is not part of etinspect "
                              "yet",
                              name);
    return CLI_OK;
}

static void free_arguments(inspect_arguments *arguments) {
    for (size_t i = 0; i < arguments->options.n_delegate_time_scales; i++)
        free((char *)arguments->scales[i].backend);
    free(arguments->scales);
    free(arguments->modules);
    cli_inputs_close(&arguments->inputs);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_warnings(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_note note = eti_inspector_note(inspector, i);
        if (note.kind == ETI_NOTE_WARNING)
            cli_warn("%.*s", (int)note.text.size, note.text.data);
    }
}

/* A total of 0 because nothing has that name looks like a fast module. */
static void warn_unknown_modules(const eti_inspector *inspector,
                                 const inspect_arguments *arguments) {
    for (size_t i = 0; i < arguments->n_modules; i++) {
        if (!eti_inspector_has_module(inspector, arguments->modules[i]))
            cli_warn("no event belongs to a module called %s%s", arguments->modules[i],
                     arguments->inputs.has_etrecord ? ""
                                                    : ": modules are known only with the ETRecord");
    }
}

static bool is_given(const char *path) {
    return path && *path;
}

/* No path, or an empty one: nothing to do. */
static eti_status save(const eti_table *table, const char *format, const char *path,
                       const inspect_arguments *arguments, eti_error *err) {
    if (!is_given(path))
        return ETI_OK;
    if (!arguments->csv_safe || strcmp(format, "table") == 0)
        return eti_table_save(table, format, path, err);
    eti_table *safe;
    eti_status status = eti_table_defuse_formulas(&safe, table, err);
    if (status == ETI_OK)
        status = eti_table_save(safe, format, path, err);
    eti_table_free(safe);
    return status;
}

/* The events go to the files whatever is printed. */
static eti_status write_events(const eti_inspector *inspector, const inspect_arguments *arguments,
                               eti_error *err) {
    if (arguments->n_modules > 0 && !is_given(arguments->tsv_path) &&
        !is_given(arguments->csv_path))
        return ETI_OK;
    eti_table *events;
    eti_status status =
        eti_inspector_events_table(&events, inspector, &arguments->table_options, err);
    if (status == ETI_OK && arguments->n_modules == 0)
        status = save(events, arguments->format, arguments->output_path, arguments, err);
    if (status == ETI_OK)
        status = save(events, "tsv", arguments->tsv_path, arguments, err);
    if (status == ETI_OK)
        status = save(events, "csv", arguments->csv_path, arguments, err);
    eti_table_free(events);
    return status;
}

static eti_status write_modules(const eti_inspector *inspector, const inspect_arguments *arguments,
                                eti_error *err) {
    eti_table *modules;
    eti_status status =
        eti_inspector_modules_table(&modules, inspector, arguments->modules, arguments->n_modules,
                                    &arguments->table_options, err);
    if (status == ETI_OK)
        status = save(modules, arguments->format, arguments->output_path, arguments, err);
    eti_table_free(modules);
    return status;
}

/* Files that appear only when they are complete cannot be put in place from a sandbox. */
static bool writes_files(const inspect_arguments *arguments) {
    const char *const paths[] = {arguments->output_path, arguments->tsv_path, arguments->csv_path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] && *paths[i] && strcmp(paths[i], "-") != 0)
            return true;
    }
    return false;
}

/* What is wrong with the options together, before anything is opened. */
static int check_arguments(const inspect_arguments *arguments) {
    if (*arguments->output_path == '\0')
        return cli_fail_usage("--output: the path is empty; standard output is -");
    if (arguments->sandbox && writes_files(arguments))
        return cli_fail_usage("--sandbox: only standard output can be written: use > FILE, or "
                              "leave --output, --tsv_path and --csv_path to another run");
    return CLI_OK;
}

/* All inputs opened, and nothing else any more. */
static int open_inputs(inspect_arguments *arguments) {
    cli_inputs *inputs = &arguments->inputs;
    int exit_status = cli_inputs_open(inputs, false);
    if (exit_status != CLI_OK)
        return exit_status;
    if (inputs->n_etdumps == 0)
        return cli_fail_usage("no ETDump was given: name it, or use --etdump_path");
    const char *const outputs[] = {arguments->output_path, arguments->tsv_path,
                                   arguments->csv_path};
    exit_status = cli_inputs_check_outputs(inputs, outputs, sizeof outputs / sizeof *outputs);
    if (exit_status == CLI_OK && arguments->sandbox)
        exit_status = cli_enter_sandbox();
    return exit_status;
}

static int inspect(inspect_arguments *arguments) {
    cli_inputs *inputs = &arguments->inputs;
    int exit_status = check_arguments(arguments);
    if (exit_status == CLI_OK)
        exit_status = open_inputs(arguments);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_error err;
    eti_inspector *inspector;
    const eti_inputs all = {
        .etdumps = inputs->etdumps,
        .n_etdumps = inputs->n_etdumps,
        .etrecord = inputs->has_etrecord ? &inputs->etrecord : NULL,
        .debug_buffer = inputs->has_debug_buffer ? &inputs->debug_buffer : NULL,
    };
    if (eti_inspector_open(&inspector, &all, &arguments->options, &err) != ETI_OK)
        return cli_fail(&err);
    print_warnings(inspector);
    eti_status status = ETI_OK;
    warn_unknown_modules(inspector, arguments);
    if (arguments->n_modules > 0)
        status = write_modules(inspector, arguments, &err);
    if (status == ETI_OK)
        status = write_events(inspector, arguments, &err);
    eti_inspector_close(inspector);
    return status == ETI_OK ? CLI_OK : cli_fail(&err);
}

static int run(const cli_command *command, int argc, char **argv) {
    inspect_arguments arguments = {
        .options = ETI_OPTIONS_DEFAULT,
        .table_options = ETI_TABLE_OPTIONS_DEFAULT,
        .format = "table",
        .output_path = "-",
    };
    int exit_status = cli_parse(command, argc, argv, take, &arguments);
    if (exit_status == CLI_OK) {
        if (arguments.help)
            cli_print_help(command, stdout);
        else if (arguments.version)
            printf("etinspect %s\n", eti_version());
        else
            exit_status = inspect(&arguments);
    }
    free_arguments(&arguments);
    return exit_status;
}

const cli_command cli_inspect = {
    .name = NULL,
    .arguments = "ETDUMP... [ETRECORD]",
    .summary = "Print the events of an ExecuTorch profile, as the Python Inspector does.",
    .details = details,
    .options = options,
    .run = run,
};
