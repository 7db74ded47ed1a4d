#include "cli/comparison.h"

#include "cli/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RESAMPLES 1000000

static const cli_option side_options[] = {
    {"base", "FILE", "a file of the base: ETDump, ETRecord or baseline. May be repeated", NULL,
     false},
    {"new", "FILE", "a file of the new side. May be repeated", NULL, false},
    {"allow_unlike", NULL, "compare though time scales, methods or labels differ", NULL, false},
    {NULL, NULL, NULL, NULL, false},
};
const cli_option_group cli_side_options = {"Sides", side_options};

static const cli_option run_options[] = {
    {"skip_first", "N",
     "leave out the first N runs of each file (default: those that\nare warm-up)", NULL, false},
    {"method", "NAME",
     "the method of the ETRecords whose operators ran (default:\nforward, or else the first)", NULL,
     false},
    {"sandbox", NULL,
     "once the inputs are open, give up opening files, connections and\nprocesses (Linux)", NULL,
     false},
    {"threads", "N", "use so many threads (default: all processors)", NULL, false},
    {NULL, NULL, NULL, NULL, false},
};
const cli_option_group cli_run_options = {"Runs", run_options};

static const cli_option test_options[] = {
    {"alpha", "P", "how likely any false alarm of a table may be (default: 0.01)", NULL, false},
    {"least_effect", "SHARE", "smaller changes are noise (default: 5%)", NULL, false},
    {"confidence", "P", "of the interval of the ratio (default: 0.95)", NULL, false},
    {"resamples", "N", "of the bootstrap that makes it (default: 1000)", NULL, false},
    {"seed", "N", "of the bootstrap (default: 1)", NULL, false},
    {"keep_pace", NULL,
     "never divide times by how fast their run was as a whole\n(default: unless they scatter less "
     "without)",
     NULL, false},
    {NULL, NULL, NULL, NULL, false},
};
const cli_option_group cli_test_options = {"Statistics", test_options};

/* ---- options --------------------------------------------------------------------------------- */

int cli_take_share(const char *name, const char *value, double *out) {
    char *end;
    *out = strtod(value, &end);
    bool is_number = (*value >= '0' && *value <= '9') || *value == '.';
    if (strcmp(end, "%") == 0)
        *out /= 100;
    else if (*end != '\0')
        is_number = false;
    if (is_number && *out >= 0 && *out <= 1e6)
        return CLI_OK;
    return cli_fail_usage("--%s: '%s' is not a share such as 5%% or 0.05", name, value);
}

int cli_take_count(const char *name, const char *value, size_t least, size_t most, size_t *out) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || n < least || n > most)
        return cli_fail_usage("--%s: '%s' is not a number from %zu to %zu", name, value, least,
                              most);
    *out = (size_t)n;
    return CLI_OK;
}

static int add_file(cli_comparison *comparison, cli_side side, const char *path) {
    size_t n = comparison->n_files;
    cli_side_file *grown = realloc(comparison->files, (n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    comparison->files = grown;
    comparison->files[comparison->n_files++] = (cli_side_file){.side = side, .path = path};
    /* That no output replaces it. */
    return cli_inputs_add_plain(&comparison->request.inputs, path);
}

static int take_seed(const char *name, const char *value, uint64_t *out) {
    size_t seed = 0;
    int exit_status = cli_take_count(name, value, 0, SIZE_MAX, &seed);
    *out = seed;
    return exit_status;
}

int cli_comparison_take(cli_comparison *comparison, const char *name, const char *value,
                        bool *known) {
    eti_diff_options *diff = &comparison->diff;
    *known = true;
    if (!name)
        return add_file(comparison, CLI_EITHER, value);
    if (strcmp(name, "base") == 0)
        return add_file(comparison, CLI_BASE, value);
    if (strcmp(name, "new") == 0)
        return add_file(comparison, CLI_NEW, value);
    if (strcmp(name, "skip_first") == 0)
        return cli_take_count(name, value, 0, SIZE_MAX - 1, &comparison->profile.skip_first);
    if (strcmp(name, "alpha") == 0)
        return cli_take_share(name, value, &diff->alpha);
    if (strcmp(name, "least_effect") == 0)
        return cli_take_share(name, value, &diff->least_effect);
    if (strcmp(name, "confidence") == 0)
        return cli_take_share(name, value, &diff->confidence);
    if (strcmp(name, "resamples") == 0)
        return cli_take_count(name, value, 1, MOST_RESAMPLES, &diff->n_resamples);
    if (strcmp(name, "seed") == 0)
        return take_seed(name, value, &diff->seed);
    if (strcmp(name, "allow_unlike") == 0)
        diff->allow_unlike = true;
    else if (strcmp(name, "keep_pace") == 0)
        diff->keep_pace = true;
    else
        return cli_request_take(&comparison->request, name, value, known);
    return CLI_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_record(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETRECORD;
}

static int open_files(cli_comparison *comparison) {
    size_t n_streams = 0;
    for (size_t i = 0; i < comparison->n_files; i++)
        n_streams += strcmp(comparison->files[i].path, "-") == 0;
    if (n_streams > 1)
        return cli_fail_usage("standard input (-) is given for more than one input");
    for (size_t i = 0; i < comparison->n_files; i++) {
        cli_side_file *file = &comparison->files[i];
        eti_error err = {.status = ETI_ERROR_READ, .message = "the path of an input is empty"};
        if (*file->path == '\0' || eti_file_open(&file->file, file->path, &err) != ETI_OK)
            return cli_fail(&err);
        eti_source source = eti_file_source(file->file);
        file->kind = eti_file_kind_of(source.data, source.size);
        if (file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG ||
            file->kind == ETI_FILE_BASELINE || file->kind == ETI_FILE_ETRECORD)
            continue;
        err.status = ETI_ERROR_MALFORMED;
        snprintf(err.message, sizeof err.message, "%s: %s", source.path,
                 eti_file_kind_text(file->kind));
        return cli_fail(&err);
    }
    return CLI_OK;
}

static size_t count_records(const cli_comparison *comparison) {
    size_t n = 0;
    for (size_t i = 0; i < comparison->n_files; i++)
        n += is_record(&comparison->files[i]);
    return n;
}

/* A single plain record stays CLI_EITHER: it is of both. */
static int tell_sides(cli_comparison *comparison, size_t n_sides) {
    size_t n_plain = 0;
    bool is_shared = count_records(comparison) == 1;
    for (size_t i = 0; i < comparison->n_files; i++) {
        cli_side_file *file = &comparison->files[i];
        if (n_sides == 1)
            file->side = CLI_BASE;
        if (file->side != CLI_EITHER || (is_record(file) && is_shared))
            continue;
        if (!is_record(file))
            n_plain++;
        if (n_plain == 0)
            return cli_fail_usage("%s: an ETRecord stands behind the ETDump that it belongs to; or "
                                  "use --base and --new",
                                  file->path);
        if (n_plain > CLI_N_SIDES)
            return cli_fail_usage(
                "%s: a third ETDump or baseline: name the files of each side with "
                "--base FILE and --new FILE",
                file->path);
        file->side = n_plain == 1 ? CLI_BASE : CLI_NEW;
    }
    return CLI_OK;
}

static bool is_of(const cli_side_file *file, cli_side side) {
    return file->side == side || file->side == CLI_EITHER;
}

static int check_side(const cli_comparison *comparison, cli_side side, size_t n_sides) {
    size_t n = 0;
    const char *record = NULL;
    for (size_t i = 0; i < comparison->n_files; i++) {
        const cli_side_file *file = &comparison->files[i];
        if (!is_of(file, side))
            continue;
        if (is_record(file) && record)
            return cli_fail_usage("%s: a second ETRecord, after %s", file->path, record);
        if (is_record(file))
            record = file->path;
        n += !is_record(file);
    }
    if (n > 0)
        return CLI_OK;
    if (n_sides == 1)
        return cli_fail_usage("no ETDump or baseline was given");
    return cli_fail_usage("the %s has no ETDump or baseline: give BASE and NEW",
                          side == CLI_BASE ? "base" : "new side");
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Room for the profiles of a side, and for its dumps. */
static eti_source *reserve(cli_comparison *comparison, cli_side side) {
    comparison->parts[side] = calloc(comparison->n_files + 1, sizeof **comparison->parts);
    return comparison->parts[side] ? calloc(comparison->n_files + 1, sizeof(eti_source)) : NULL;
}

static int inspect(cli_comparison *comparison, cli_side side, eti_source *dumps) {
    eti_error err;
    eti_source record;
    eti_inputs inputs = {.etdumps = dumps};
    for (size_t i = 0; i < comparison->n_files; i++) {
        const cli_side_file *file = &comparison->files[i];
        if (!is_of(file, side))
            continue;
        if (file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG)
            dumps[inputs.n_etdumps++] = eti_file_source(file->file);
        if (is_record(file)) {
            record = eti_file_source(file->file);
            inputs.etrecord = &record;
        }
    }
    if (inputs.n_etdumps == 0)
        return CLI_OK;
    int exit_status =
        cli_request_inspect(&comparison->request, &inputs, &comparison->inspectors[side]);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_profile **out = &comparison->parts[side][0];
    if (eti_profile_from_inspector(out, comparison->inspectors[side], &comparison->profile, &err) !=
        ETI_OK)
        return cli_fail(&err);
    comparison->n_parts[side] = 1;
    return CLI_OK;
}

static int read_baselines(cli_comparison *comparison, cli_side side) {
    eti_error err;
    for (size_t i = 0; i < comparison->n_files; i++) {
        const cli_side_file *file = &comparison->files[i];
        if (!is_of(file, side) || file->kind != ETI_FILE_BASELINE)
            continue;
        eti_source source = eti_file_source(file->file);
        eti_profile **out = &comparison->parts[side][comparison->n_parts[side]];
        if (eti_profile_read(out, &source, &comparison->request.options, &err) != ETI_OK)
            return cli_fail(&err);
        comparison->n_parts[side]++;
    }
    return CLI_OK;
}

static int make_profile(cli_comparison *comparison, cli_side side, eti_profile **out) {
    eti_error err;
    eti_source *dumps = reserve(comparison, side);
    if (!dumps)
        return cli_fail_memory();
    int exit_status = inspect(comparison, side, dumps);
    free(dumps);
    if (exit_status == CLI_OK)
        exit_status = read_baselines(comparison, side);
    if (exit_status != CLI_OK)
        return exit_status;
    *out = comparison->parts[side][0];
    if (comparison->n_parts[side] == 1)
        return CLI_OK;
    if (eti_profile_merge(&comparison->merged[side],
                          (const eti_profile *const *)comparison->parts[side],
                          comparison->n_parts[side], comparison->diff.allow_unlike, &err) != ETI_OK)
        return cli_fail(&err);
    *out = comparison->merged[side];
    return CLI_OK;
}

int cli_comparison_open(cli_comparison *comparison, size_t n_sides, eti_profile *out[],
                        const char *const outputs[], size_t n_outputs) {
    cli_request *request = &comparison->request;
    comparison->profile.block = request->view.block;
    comparison->diff.include_units = request->view.table.include_units;
    comparison->diff.n_threads = request->options.n_threads;
    int exit_status = cli_request_prepare(request, outputs, n_outputs);
    if (exit_status == CLI_OK)
        exit_status = open_files(comparison);
    if (exit_status == CLI_OK)
        exit_status = tell_sides(comparison, n_sides);
    for (size_t i = 0; i < n_sides && exit_status == CLI_OK; i++)
        exit_status = check_side(comparison, (cli_side)i, n_sides);
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&request->inputs, outputs, n_outputs);
    if (exit_status == CLI_OK && request->sandbox)
        exit_status = cli_enter_sandbox();
    for (size_t i = 0; i < n_sides && exit_status == CLI_OK; i++)
        exit_status = make_profile(comparison, (cli_side)i, &out[i]);
    return exit_status;
}

void cli_comparison_close(cli_comparison *comparison) {
    for (size_t side = 0; side < CLI_N_SIDES; side++) {
        eti_profile_free(comparison->merged[side]);
        for (size_t i = 0; i < comparison->n_parts[side]; i++)
            eti_profile_free(comparison->parts[side][i]);
        free(comparison->parts[side]);
        eti_inspector_close(comparison->inspectors[side]);
    }
    for (size_t i = 0; i < comparison->n_files; i++)
        eti_file_close(comparison->files[i].file);
    free(comparison->files);
    cli_request_close(&comparison->request);
}

int cli_comparison_run(const cli_command *command, cli_comparison *comparison, int argc,
                       char **argv, cli_take take, int (*act)(cli_comparison *comparison)) {
    comparison->request.format = "text";
    int exit_status = cli_parse(command, argc, argv, take, comparison);
    if (exit_status == CLI_OK) {
        if (comparison->request.help)
            cli_print_help(command, stdout);
        else if (comparison->request.version)
            printf("etinspect %s\n", eti_version());
        else
            exit_status = act(comparison);
    }
    cli_comparison_close(comparison);
    return exit_status;
}
