#include "cli/request.h"

#include "cli/progress.h"
#include "cli/sandbox.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SCALES "ns,us,ms,s,cycles"
#define MAX_THREADS 64
#define MAX_WIDTH 10000
#define MAX_HERTZ 1e15

/* ---- options --------------------------------------------------------------------------------- */

/* "QnnBackend=cycles" or "cycles". */
static int add_delegate_time_scale(cli_request *request, const char *value) {
    const char *equals = strrchr(value, '=');
    const char *name = equals ? equals + 1 : value;
    eti_delegate_time_scale entry = {NULL, ETI_SCALE_NS};
    if (!eti_time_scale_parse(name, &entry.scale) || equals == value) {
        return cli_fail_usage(
            "--delegate_time_scale: expected [BACKEND=]SCALE with a scale of " SCALES
            ", found '%s'",
            value);
    }
    size_t n = request->options.n_delegate_time_scales;
    eti_delegate_time_scale *grown = realloc(request->scales, (n + 1) * sizeof *request->scales);
    if (!grown)
        return cli_fail_memory();
    request->scales = grown;
    if (equals && !(entry.backend = strndup(value, (size_t)(equals - value))))
        return cli_fail_memory();
    grown[n] = entry;
    request->options.delegate_time_scales = grown;
    request->options.n_delegate_time_scales = n + 1;
    return CLI_OK;
}

/* "device=board" */
static int add_label(cli_request *request, const char *value) {
    const char *equals = strchr(value, '=');
    size_t n = request->write.n_labels;
    eti_label *grown = realloc(request->labels, (n + 1) * sizeof *request->labels);
    if (!grown)
        return cli_fail_memory();
    request->labels = grown;
    request->write.labels = grown;
    if (!equals || equals == value)
        return cli_fail_usage("--label: expected KEY=VALUE, found '%s'", value);
    char *key = strndup(value, (size_t)(equals - value));
    if (!key)
        return cli_fail_memory();
    grown[n] = (eti_label){key, equals + 1};
    request->write.n_labels = n + 1;
    return CLI_OK;
}

/* A whole number from `least` to `most`. */
static int take_number(const char *name, const char *value, size_t least, size_t most,
                       size_t *out) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || n < least || n > most)
        return cli_fail_usage("--%s: '%s' is not a number from %zu to %zu", name, value, least,
                              most);
    *out = (size_t)n;
    return CLI_OK;
}

/* "400e6", "400MHz" */
static int take_frequency(const char *name, const char *value, double *out) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
    char *end;
    double number = strtod(value, &end);
    bool is_number = *value >= '0' && *value <= '9' && number > 0;
    for (size_t i = 0; is_number && i < sizeof units / sizeof *units; i++) {
        *out = number * units[i].factor;
        if (strcmp(end, units[i].name) == 0 && *out <= MAX_HERTZ)
            return CLI_OK;
    }
    return cli_fail_usage("--%s: '%s' is not a frequency such as 400e6 or 400MHz", name, value);
}

/* "0.5" */
static int take_percent(const char *name, const char *value, double *share) {
    char *end;
    double percent = strtod(value, &end);
    if (*value < '0' || *value > '9' || *end != '\0' || !(percent <= 100))
        return cli_fail_usage("--%s: '%s' is not a number from 0 to 100", name, value);
    *share = percent / 100;
    return CLI_OK;
}

/* Which of the choices of an option was given. */
static size_t find_choice(const char *const *choices, size_t n, const char *name) {
    size_t i = 0;
    while (i + 1 < n && strcmp(choices[i], name) != 0)
        i++;
    return i;
}

static void set_delegate_metadata(cli_request *request, const char *name) {
    static const char *const forms[] = {
        [ETI_METADATA_BYTES] = "bytes",
        [ETI_METADATA_UTF8] = "utf8",
        [ETI_METADATA_HEX] = "hex",
        [ETI_METADATA_JSON] = "json",
    };
    size_t form = 0;
    while (strcmp(forms[form], name) != 0)
        form++;
    request->view.table.delegate_metadata = (eti_metadata_form)form;
    request->view.table.include_delegate_debug_data = true;
}

/* Options that only keep a string. */
static bool take_string(cli_request *request, const char *name, const char *value) {
    const struct {
        const char *name;
        const char **place;
    } strings[] = {
        {"etdump_path", &request->inputs.etdump_path},
        {"etrecord_path", &request->inputs.etrecord_path},
        {"debug_buffer_path", &request->inputs.debug_buffer_path},
        {"method", &request->options.method},
        {"columns", &request->selection.columns},
        {"filter", &request->selection.filter},
        {"sort", &request->selection.sort},
        {"block", &request->view.block},
        {"group", &request->view.group},
        {"source_root", &request->view.source_root},
        {"graph", &request->view.graph},
        {"output", &request->output_path},
        {"format", &request->format},
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (strcmp(strings[i].name, name) == 0) {
            *strings[i].place = value;
            return true;
        }
    }
    return false;
}

static bool take_flag(cli_request *request, const char *name) {
    const struct {
        const char *name;
        bool *place;
        bool value;
    } flags[] = {
        {"sandbox", &request->sandbox, true},
        {"no_pager", &request->no_pager, true},
        {"exact_time", &request->options.exact_time, true},
        {"list_columns", &request->lists_columns, true},
        {"csv_safe", &request->write.csv_safe, true},
        {"ascii", &request->write.ascii, true},
        {"append", &request->write.append, true},
        {"samples", &request->view.samples, true},
        {"include_units", &request->view.table.include_units, true},
        {"no_include_units", &request->view.table.include_units, false},
        {"include_delegate_debug_data", &request->view.table.include_delegate_debug_data, true},
        {"split_variants", &request->view.split_variants, true},
        {"events", &request->view.per_event, true},
        {"help", &request->help, true},
        {"version", &request->version, true},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(flags[i].name, name) == 0) {
            *flags[i].place = flags[i].value;
            return true;
        }
    }
    return false;
}

int cli_request_take(cli_request *request, const char *name, const char *value, bool *known) {
    static const char *const colors[] = {
        [ETI_COLOR_AUTO] = "auto", [ETI_COLOR_NEVER] = "never", [ETI_COLOR_ALWAYS] = "always"};
    *known = true;
    if (!name)
        return cli_inputs_add_plain(&request->inputs, value);
    if (take_string(request, name, value) || take_flag(request, name))
        return CLI_OK;
    if (strcmp(name, "delegate_time_scale") == 0)
        return add_delegate_time_scale(request, value);
    if (strcmp(name, "label") == 0)
        return add_label(request, value);
    if (strcmp(name, "threads") == 0)
        return take_number(name, value, 1, MAX_THREADS, &request->options.n_threads);
    if (strcmp(name, "top") == 0)
        return take_number(name, value, 1, SIZE_MAX, &request->selection.top);
    if (strcmp(name, "skip_first") == 0)
        return take_number(name, value, 0, SIZE_MAX, &request->options.skip_first);
    if (strcmp(name, "width") == 0)
        return take_number(name, value, 1, MAX_WIDTH, &request->write.width);
    if (strcmp(name, "depth") == 0)
        return take_number(name, value, 1, UINT32_MAX, &request->view.depth);
    if (strcmp(name, "context") == 0)
        return take_number(name, value, 0, UINT32_MAX, &request->view.context);
    if (strcmp(name, "fold") == 0)
        return take_percent(name, value, &request->view.fold);
    if (strcmp(name, "clock_hz") == 0)
        return take_frequency(name, value, &request->options.clock_hz);
    if (strcmp(name, "source_time_scale") == 0)
        request->has_source_time_scale =
            eti_time_scale_parse(value, &request->options.source_time_scale);
    else if (strcmp(name, "target_time_scale") == 0)
        (void)eti_time_scale_parse(value, &request->options.target_time_scale);
    else if (strcmp(name, "delegate_metadata") == 0)
        set_delegate_metadata(request, value);
    else if (strcmp(name, "color") == 0)
        request->write.color =
            (eti_color)find_choice(colors, sizeof colors / sizeof *colors, value);
    else
        *known = false;
    return CLI_OK;
}

void cli_request_close(cli_request *request) {
    for (size_t i = 0; i < request->options.n_delegate_time_scales; i++)
        free((char *)request->scales[i].backend);
    for (size_t i = 0; i < request->write.n_labels; i++)
        free((char *)request->labels[i].key);
    free(request->scales);
    free(request->labels);
    cli_inputs_close(&request->inputs);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Files that appear only when they are complete cannot be put in place from a sandbox. */
static bool is_file(const char *path) {
    return path && *path && strcmp(path, "-") != 0;
}

/* What is wrong with the options together, before anything is opened. */
int cli_check_format(const cli_request *request, const char *format) {
    if (request->sandbox && strcmp(format, "sqlite") == 0)
        return cli_fail_usage(
            "--sandbox: the format sqlite needs a library, and no file can be opened");
    return CLI_OK;
}

static int check_options(const cli_request *request, const char *const outputs[], size_t n) {
    if (*request->output_path == '\0')
        return cli_fail_usage("--output: the path is empty; standard output is -");
    for (size_t i = 0; i < n && request->sandbox; i++) {
        if (is_file(outputs[i]))
            return cli_fail_usage("--sandbox: only standard output can be written: use > FILE, or "
                                  "write %s in another run",
                                  outputs[i]);
    }
    return cli_check_format(request, request->format);
}

void cli_print_warnings(const eti_inspector *inspector) {
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        if (eti_inspector_note_kind(inspector, i) == ETI_NOTE_WARNING)
            cli_warn("%.*s", (int)text.size, text.data);
    }
}

static int open_inspector(const cli_request *request, eti_inspector **out) {
    const cli_inputs *inputs = &request->inputs;
    const eti_inputs all = {
        .etdumps = inputs->etdumps,
        .n_etdumps = inputs->n_etdumps,
        .etrecord = inputs->has_etrecord ? &inputs->etrecord : NULL,
        .debug_buffer = inputs->has_debug_buffer ? &inputs->debug_buffer : NULL,
    };
    eti_error err;
    if (eti_inspector_open(out, &all, &request->options, &err) != ETI_OK)
        return cli_fail(&err);
    cli_print_warnings(*out);
    return CLI_OK;
}

int cli_request_prepare(cli_request *request, const char *const outputs[], size_t n_outputs) {
    if (request->options.clock_hz > 0 && !request->has_source_time_scale)
        request->options.source_time_scale = ETI_SCALE_CYCLES;
    request->options.progress.tell = cli_progress_tell;
    request->write.progress.tell = cli_progress_tell;
    cli_progress_start(request->output_path);
    return check_options(request, outputs, n_outputs);
}

int cli_request_open(cli_request *request, eti_inspector **out, const char *const outputs[],
                     size_t n_outputs) {
    *out = NULL;
    int exit_status = cli_request_prepare(request, outputs, n_outputs);
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_open(&request->inputs, false);
    if (exit_status != CLI_OK)
        return exit_status;
    if (request->inputs.n_etdumps == 0)
        return cli_fail_usage("no ETDump was given: name it, or use --etdump_path");
    exit_status = cli_inputs_check_outputs(&request->inputs, outputs, n_outputs);
    if (exit_status == CLI_OK && request->sandbox)
        exit_status = cli_enter_sandbox();
    return exit_status == CLI_OK ? open_inspector(request, out) : exit_status;
}
