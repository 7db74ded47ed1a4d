#include "cli/inputs.h"

#include <stdlib.h>
#include <string.h>

int cli_inputs_add_plain(cli_inputs *inputs, const char *path) {
    const char **grown = realloc(inputs->plain, (inputs->n_plain + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    inputs->plain = grown;
    inputs->plain[inputs->n_plain++] = path;
    return CLI_OK;
}

/* Room for every file that was named. */
static bool reserve(cli_inputs *inputs) {
    size_t n = inputs->n_plain + 3;
    inputs->files = calloc(n, sizeof *inputs->files);
    inputs->etdumps = calloc(n, sizeof *inputs->etdumps);
    return inputs->files && inputs->etdumps;
}

static int open_file(cli_inputs *inputs, const char *path, eti_source *out) {
    eti_error err = {ETI_ERROR_READ, "the path of an input is empty"};
    eti_file *file = NULL;
    *out = (eti_source){0};
    if (*path == '\0' || eti_file_open(&file, path, &err) != ETI_OK)
        return cli_fail(&err);
    inputs->files[inputs->n_files++] = file;
    *out = eti_file_source(file);
    return CLI_OK;
}

static int fail_kind(const eti_source *source, eti_file_kind kind) {
    eti_error err = {.status = ETI_ERROR_MALFORMED};
    snprintf(err.message, sizeof err.message, "%s: %s", source->path, eti_file_kind_text(kind));
    return cli_fail(&err);
}

static int add_plain_file(cli_inputs *inputs, const char *path) {
    eti_source source;
    int status = open_file(inputs, path, &source);
    if (status != CLI_OK)
        return status;
    eti_file_kind kind = eti_file_kind_of(source.data, source.size);
    if (kind == ETI_FILE_ETDUMP) {
        inputs->etdumps[inputs->n_etdumps++] = source;
    } else if (kind != ETI_FILE_ETRECORD) {
        return fail_kind(&source, kind);
    } else if (inputs->has_etrecord) {
        return cli_fail_usage("%s: a second ETRecord, after %s", source.path,
                              inputs->etrecord.path);
    } else {
        inputs->etrecord = source;
        inputs->has_etrecord = true;
    }
    return CLI_OK;
}

/* Standard input can be read only once. */
static int check_standard_input(const cli_inputs *inputs) {
    const char *const options[] = {inputs->etdump_path, inputs->etrecord_path,
                                   inputs->debug_buffer_path};
    size_t n = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        n += options[i] && strcmp(options[i], "-") == 0;
    for (size_t i = 0; i < inputs->n_plain; i++)
        n += strcmp(inputs->plain[i], "-") == 0;
    return n > 1 ? cli_fail_usage("standard input (-) is given for more than one input") : CLI_OK;
}

static int open_options(cli_inputs *inputs) {
    int status = CLI_OK;
    if (inputs->etrecord_path) {
        status = open_file(inputs, inputs->etrecord_path, &inputs->etrecord);
        inputs->has_etrecord = status == CLI_OK;
    }
    if (status == CLI_OK && inputs->etdump_path)
        status = open_file(inputs, inputs->etdump_path, &inputs->etdumps[inputs->n_etdumps++]);
    if (status == CLI_OK && inputs->debug_buffer_path) {
        status = open_file(inputs, inputs->debug_buffer_path, &inputs->debug_buffer);
        inputs->has_debug_buffer = status == CLI_OK;
    }
    return status;
}

int cli_inputs_open(cli_inputs *inputs, bool keep_going) {
    int worst = check_standard_input(inputs);
    if (worst == CLI_OK && !reserve(inputs))
        worst = cli_fail_memory();
    if (worst == CLI_OK)
        worst = open_options(inputs);
    if (worst != CLI_OK)
        return worst;
    for (size_t i = 0; i < inputs->n_plain && (keep_going || worst == CLI_OK); i++) {
        int status = add_plain_file(inputs, inputs->plain[i]);
        if (status > worst)
            worst = status;
    }
    return worst;
}

void cli_inputs_close(cli_inputs *inputs) {
    for (size_t i = 0; i < inputs->n_files; i++)
        eti_file_close(inputs->files[i]);
    free(inputs->files);
    free(inputs->etdumps);
    free(inputs->plain);
}
