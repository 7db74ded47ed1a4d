#include "cli/comparison.h"

#include "cli/message.h"
#include "cli/sandbox.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ==== sides =================================================================================== */

/* ---- kinds of files -------------------------------------------------------------------------- */

/* Return whether a file is of a kind. */
static bool is_record(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETRECORD;
}

static bool is_program(const cli_side_file *file) {
    return file->kind == ETI_FILE_PROGRAM || file->kind == ETI_FILE_BUNDLED_PROGRAM;
}

static bool has_times(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG ||
           file->kind == ETI_FILE_BASELINE;
}

/* Returns whether programs are compared because there is no ETDump. A baseline keeps the figures of its own program. */
static bool compares_programs(const cli_sides *sides) {
    bool has_program = false;
    if (sides->takes_tensors)
        return false;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (has_times(file) && file->kind != ETI_FILE_BASELINE)
            return false;
        has_program = has_program || is_program(file);
    }
    return has_program;
}

/* Returns whether the file itself is compared and does not belong to another file. */
static bool leads_side(const cli_sides *sides, const cli_side_file *file) {
    return has_times(file) || (is_program(file) && compares_programs(sides));
}

static bool is_dump(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG;
}

/* ---- sides of files -------------------------------------------------------------------------- */

/* Returns whether the file is the only record, or the only program: it then belongs to all dumps. */
static bool is_shared(const cli_sides *sides, const cli_side_file *file) {
    size_t n = 0;
    for (size_t i = 0; i < sides->n_files; i++)
        n += is_program(file) ? is_program(&sides->files[i]) : sides->files[i].kind == file->kind;
    return n == 1;
}

static int fail_first(const cli_sides *sides, const cli_side_file *file) {
    return cli_fail_usage("%s: give %s after the ETDump that it belongs to%s", file->path,
                          cli_name_of_kind(file->kind),
                          sides->takes_tensors ? "" : ", or use --base and --new");
}

/* Sets the side of each file if the base is known: ETDumps that are plain arguments are the new side. */
static int choose_sides_of_reference(cli_sides *sides) {
    cli_side side = CLI_EITHER;
    for (size_t i = 0; i < sides->n_files; i++) {
        cli_side_file *file = &sides->files[i];
        if (!leads_side(sides, file) && is_shared(sides, file))
            continue;
        if (leads_side(sides, file))
            side = file->side == CLI_EITHER ? CLI_NEW : file->side;
        else if (side == CLI_EITHER)
            return fail_first(sides, file);
        file->side = side;
    }
    return CLI_OK;
}

/* Returns whether an option, or a place before all options, gives a file to the base. */
static bool has_base(const cli_sides *sides) {
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        bool is_of_base = file->is_named ? file->side == CLI_BASE : file->follows != CLI_NEW;
        if (is_of_base && has_times(file))
            return true;
    }
    return false;
}

/* Gives plain ETDumps and baselines after --base or --new to the side of the last of these options: `--new run-*.etdp` names
 * only the first file. Without a base, a baseline after --new may be meant as the base, so its side stays unknown. */
static void follow_options(cli_sides *sides) {
    bool is_clear = has_base(sides);
    for (size_t i = 0; i < sides->n_files; i++) {
        cli_side_file *file = &sides->files[i];
        if (file->is_named || file->follows == CLI_EITHER || !has_times(file) ||
            (file->kind == ETI_FILE_BASELINE && !is_clear))
            continue;
        file->side = file->follows;
        file->is_named = true;
    }
}

static const char *text_of_leading(const cli_side_file *file) {
    return is_program(file) ? "program" : "ETDump or baseline";
}

/* Checks the ETDumps, baselines or compared programs that no option gives to a side: beside others that options name, only
 * one before all options that is all of the base, or a program that is all of a side, is clear. */
static int check_unnamed(const cli_sides *sides) {
    const cli_side_file *unnamed = NULL;
    size_t n_unnamed = 0, n_base = 0, n_new = 0;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (!leads_side(sides, file))
            continue;
        n_base += file->side == CLI_BASE;
        n_new += file->side == CLI_NEW;
        n_unnamed += file->side == CLI_EITHER;
        unnamed = file->side == CLI_EITHER ? file : unnamed;
    }
    bool has_options = sides->last_named != CLI_EITHER; /* --reference also names a base */
    bool is_clear =
        n_unnamed == 1 && (is_program(unnamed) ? n_base == 0 || n_new == 0
                                               : n_base == 0 && unnamed->follows == CLI_EITHER);
    if (!has_options || n_unnamed == 0 || n_base + n_new == 0 || is_clear)
        return CLI_OK;
    return cli_fail_usage("%s: its side is unknown: give each %s after --base or --new",
                          unnamed->path, text_of_leading(unnamed));
}

static int fail_third(const cli_sides *sides, const cli_side_file *file) {
    if (sides->takes_tensors)
        return cli_fail_usage("%s: a third ETDump: give BASE and NEW, or a --reference for each "
                              "ETDump",
                              file->path);
    return cli_fail_usage(
        "%s: a third %s: name the files of each side with --base FILE and --new FILE", file->path,
        text_of_leading(file));
}

/* Sets the side of each file; a shared file stays CLI_EITHER. */
static int choose_sides(cli_sides *sides, size_t n_sides) {
    cli_side side = CLI_EITHER; /* of the ETDump or baseline before */
    cli_side next = CLI_BASE;   /* for a file without a side */
    size_t n_plain = 0;
    if (sides->has_reference && n_sides > 1)
        return choose_sides_of_reference(sides);
    for (size_t i = 0; i < sides->n_files; i++) {
        if (sides->files[i].side == CLI_BASE && leads_side(sides, &sides->files[i]))
            next = CLI_NEW;
    }
    for (size_t i = 0; i < sides->n_files; i++) {
        cli_side_file *file = &sides->files[i];
        bool is_leading = leads_side(sides, file);
        if (n_sides == 1)
            file->side = CLI_BASE;
        if (is_leading && file->side == CLI_EITHER && ++n_plain > CLI_N_SIDES)
            return fail_third(sides, file);
        if (is_leading && file->side == CLI_EITHER) {
            file->side = next;
            next = CLI_NEW;
        }
        if (is_leading)
            side = file->side;
        if (file->side != CLI_EITHER || is_shared(sides, file))
            continue;
        if (side == CLI_EITHER)
            return fail_first(sides, file);
        file->side = side;
    }
    return CLI_OK;
}

/* Warns if a baseline is the new side of an ETDump: a baseline is usually older, so the arguments may be swapped. */
static void warn_swapped(const cli_sides *sides) {
    const cli_side_file *base = NULL, *new_side = NULL;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (!leads_side(sides, file))
            continue;
        if (file->is_named)
            return;
        *(file->side == CLI_BASE ? &base : &new_side) = file;
    }
    if (base && new_side && base->kind == ETI_FILE_ETDUMP && new_side->kind == ETI_FILE_BASELINE)
        cli_warn("%s, a baseline, is the new side, and %s is the base: are they swapped?",
                 new_side->path, base->path);
}

/* Returns whether the file belongs to the side or to both sides. */
static bool is_of_side(const cli_side_file *file, cli_side side) {
    return file->side == side || file->side == CLI_EITHER;
}

/* Fails because a side has no ETDump, which alone can have recorded tensors. */
static int fail_tensors(cli_side side, size_t n_sides, const cli_side_file *other) {
    if (n_sides > 1)
        return cli_fail_usage("the %s has no ETDump: give BASE and NEW, each an ETDump with its "
                              "debug buffer, or one ETDump and --reference",
                              side == CLI_BASE ? "base" : "new side");
    if (!other)
        return cli_fail_usage("no ETDump was given to compare with the reference: name it");
    return cli_fail_usage("%s is %s and contains no recorded tensors: give the ETDump before it",
                          other->path, cli_name_of_kind(other->kind));
}

/* Fails because a side has no file that can be compared. */
static int fail_side(const cli_sides *sides, cli_side side, size_t n_sides,
                     const cli_side_file *record, const cli_side_file *program) {
    const cli_side_file *other = record ? record : program;
    const char *text = side == CLI_BASE ? "base" : "new side";
    if (sides->takes_tensors)
        return fail_tensors(side, n_sides, other);
    if (n_sides > 1 && sides->last_named != CLI_EITHER)
        return cli_fail_usage("the %s has no %s: give one after --%s", text,
                              compares_programs(sides) ? "program" : "ETDump or baseline",
                              side == CLI_BASE ? "base" : "new");
    if (n_sides > 1)
        return cli_fail_usage("the %s has no ETDump or baseline: give BASE and NEW, each an ETDump "
                              "or a baseline, or two programs",
                              text);
    if (!other)
        return cli_fail_usage("no ETDump or baseline was given: name at least one");
    return cli_fail_usage("%s is %s and contains no times: give ETDumps or baselines before it",
                          other->path, cli_name_of_kind(other->kind));
}

static int check_side(const cli_sides *sides, cli_side side, size_t n_sides) {
    size_t n = 0;
    const cli_side_file *record = NULL, *program = NULL;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (!is_of_side(file, side))
            continue;
        if (is_record(file) && record)
            return cli_fail_usage("%s: a second ETRecord, after %s: give only one per side",
                                  file->path, record->path);
        if (is_program(file) && program)
            return cli_fail_usage("%s: a second program, after %s: give only one per side",
                                  file->path, program->path);
        if (is_record(file))
            record = file;
        if (is_program(file))
            program = file;
        n += leads_side(sides, file);
    }
    bool is_answered =
        n_sides > 1 || sides->may_lack_base || sides->takes_programs || !compares_programs(sides);
    return n > 0 && is_answered ? CLI_OK : fail_side(sides, side, n_sides, record, program);
}

/* Returns whether there is only one plain dump or baseline, or only files of the new side. */
static bool lacks_base(const cli_sides *sides) {
    size_t n_plain = 0, n_new = 0;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (file->is_named && file->side == CLI_BASE)
            return false;
        n_plain += !file->is_named && leads_side(sides, file);
        n_new += file->is_named && leads_side(sides, file);
    }
    return sides->may_lack_base && (sides->has_reference || n_plain + (n_new > 0) == 1);
}

/* Sets the side of each open file by the rules of cli_comparison_open(), and *n_sides to 1 if the base may be missing and is.
 * Checks that each side has what is compared. Returns CLI_OK, or CLI_USAGE after a message. */
static int choose_all_sides(cli_sides *sides, size_t *n_sides) {
    follow_options(sides);
    int exit_status = check_unnamed(sides);
    if (exit_status == CLI_OK && *n_sides > 1 && lacks_base(sides))
        *n_sides = 1;
    if (exit_status == CLI_OK)
        exit_status = choose_sides(sides, *n_sides);
    if (exit_status == CLI_OK && *n_sides > 1)
        warn_swapped(sides);
    for (size_t i = 0; i < *n_sides && exit_status == CLI_OK; i++)
        exit_status = check_side(sides, (cli_side)i, *n_sides);
    return exit_status;
}

/* ==== comparison ============================================================================== */

/* ---- options --------------------------------------------------------------------------------- */

static int grow_files(cli_comparison *comparison) {
    size_t n = comparison->sides.n_files;
    cli_side_file *grown = realloc(comparison->sides.files, (n + 1) * sizeof *grown);
    if (!grown)
        return cli_fail_memory();
    comparison->sides.files = grown;
    return CLI_OK;
}

static int add_file(cli_comparison *comparison, cli_side side, const char *path) {
    if (grow_files(comparison) != CLI_OK)
        return CLI_MEMORY;
    bool is_named = side != CLI_EITHER;
    if (is_named)
        comparison->sides.last_named = side;
    comparison->sides.files[comparison->sides.n_files++] = (cli_side_file){
        .side = side, .follows = comparison->sides.last_named, .path = path, .is_named = is_named};
    /* Makes sure that no output replaces the file. */
    return cli_inputs_add_plain(&comparison->request.inputs, path);
}

int cli_comparison_append_to(cli_comparison *comparison, const char *path) {
    if (grow_files(comparison) != CLI_OK)
        return CLI_MEMORY;
    memmove(comparison->sides.files + 1, comparison->sides.files,
            comparison->sides.n_files * sizeof *comparison->sides.files);
    comparison->sides.files[0] =
        (cli_side_file){.side = CLI_EITHER, .follows = CLI_EITHER, .path = path, .is_output = true};
    comparison->sides.n_files++;
    return CLI_OK;
}

int cli_comparison_add_base(cli_comparison *comparison, size_t before, const char *path,
                            eti_file *file) {
    if (grow_files(comparison) != CLI_OK) {
        eti_file_close(file);
        return CLI_MEMORY;
    }
    cli_side_file *at = comparison->sides.files + before;
    memmove(at + 1, at, (comparison->sides.n_files - before) * sizeof *at);
    *at = (cli_side_file){.side = CLI_BASE, .path = path, .file = file, .is_named = true};
    comparison->sides.n_files++;
    return CLI_OK;
}

static int add_debug_buffer(cli_comparison *comparison, const char *path) {
    size_t n = comparison->n_debug_buffers;
    const char **paths = realloc((void *)comparison->debug_buffer_paths, (n + 1) * sizeof *paths);
    if (!paths)
        return cli_fail_memory();
    comparison->debug_buffer_paths = paths;
    comparison->debug_buffer_paths[comparison->n_debug_buffers++] = path;
    return cli_inputs_add_plain(&comparison->request.inputs, path);
}

int cli_comparison_take(void *context, const eti__option *option, const char *value) {
    cli_comparison *comparison = context;
    if (!option)
        return add_file(comparison, CLI_EITHER, value);
    if (strcmp(option->name, "base") == 0)
        return add_file(comparison, CLI_BASE, value);
    if (strcmp(option->name, "new") == 0)
        return add_file(comparison, CLI_NEW, value);
    if (strcmp(option->name, "debug_buffer_path") == 0)
        return add_debug_buffer(comparison, value);
    return cli_request_take(&comparison->request, option, value);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int fail_append(const cli_side_file *file) {
    return cli_fail_usage("--append: %s is not a baseline, so files cannot be added to it",
                          file->path);
}

static int open_file(cli_side_file *file) {
    eti_error err = {.status = ETI_ERROR_READ, .message = "the path of an input is empty"};
    eti_file_kind expected = file->is_output ? ETI_FILE_BASELINE : ETI_FILE_UNKNOWN;
    if (file->file)
        return CLI_OK;
    eti_status status =
        *file->path ? eti_file_open_as(&file->file, file->path, expected, &err) : ETI_ERROR_READ;
    if (status == ETI_ERROR_MALFORMED && file->is_output)
        return fail_append(file);
    return status == ETI_OK ? CLI_OK : cli_fail(&err);
}

/* Assigns the debug buffers to the ETDumps; if times are compared, a side has at most one. */
static int deal_debug_buffers(cli_comparison *comparison) {
    size_t n = 0;
    if (!comparison->sides.takes_tensors && comparison->n_debug_buffers > CLI_N_SIDES)
        return cli_fail_usage("--debug_buffer_path: %s is the third debug buffer, but there are "
                              "only two sides: give one per side",
                              comparison->debug_buffer_paths[CLI_N_SIDES]);
    if (!comparison->sides.takes_tensors)
        return CLI_OK;
    for (size_t i = 0; i < comparison->sides.n_files; i++) {
        cli_side_file *file = &comparison->sides.files[i];
        if (is_dump(file) && n < comparison->n_debug_buffers)
            file->debug_buffer = comparison->debug_buffers[n++];
    }
    if (n < comparison->n_debug_buffers)
        return cli_fail_usage("--debug_buffer_path: %s: there are more debug buffers than ETDumps: "
                              "give one per ETDump, in the same order",
                              comparison->debug_buffer_paths[n]);
    return CLI_OK;
}

static int open_debug_buffers(cli_comparison *comparison) {
    comparison->debug_buffers =
        calloc(comparison->n_debug_buffers + 1, sizeof *comparison->debug_buffers);
    if (!comparison->debug_buffers)
        return cli_fail_memory();
    for (size_t i = 0; i < comparison->n_debug_buffers; i++) {
        eti_error err = ETI_ERROR_INIT;
        const char *path = comparison->debug_buffer_paths[i];
        if (eti_file_open(&comparison->debug_buffers[i], path, &err) != ETI_OK)
            return cli_fail(&err);
        int exit_status = cli_check_debug_buffer(path, comparison->debug_buffers[i]);
        if (exit_status != CLI_OK)
            return exit_status;
    }
    return deal_debug_buffers(comparison);
}

static int open_files(cli_comparison *comparison) {
    const cli_inputs *inputs = &comparison->request.inputs;
    const char *block = eti_request_get(comparison->request.request, "block");
    size_t n_streams = 0;
    for (size_t i = 0; i < inputs->n_plain; i++)
        n_streams += strcmp(inputs->plain[i], "-") == 0;
    if (n_streams > 1)
        return cli_fail_usage(
            "standard input (-) is given for more than one input: name files for the others");
    for (size_t i = 0; i < comparison->sides.n_files; i++) {
        cli_side_file *file = &comparison->sides.files[i];
        int exit_status = open_file(file);
        if (exit_status != CLI_OK)
            return exit_status;
        eti_source source = eti_file_source(file->file);
        file->kind = eti__file_kind(file->file);
        if (file->is_output && file->kind != ETI_FILE_BASELINE)
            return fail_append(file);
        if (file->kind == ETI_FILE_BASELINE && block && strcmp(block, "all") != 0 &&
            !file->is_output)
            return cli_fail_usage("--block: %s is a baseline and keeps only the EventBlocks that "
                                  "it was saved with: use --block when you save it",
                                  file->path);
        if (file->kind == ETI_FILE_BASELINE && comparison->sides.takes_tensors)
            return cli_fail_usage("%s is a baseline and contains no tensors: give ETDumps",
                                  file->path);
        if (has_times(file) || is_record(file) || is_program(file) || file->kind == ETI_FILE_DATA)
            continue;
        return cli_fail_kind(&source, file->kind, ETI_FILE_UNKNOWN);
    }
    return open_debug_buffers(comparison);
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Bytes of inputs from which the sides are made by two threads; smaller inputs are read before a thread has started. */
#define LARGE_INPUTS ((size_t)4 << 20)

/* Result of a side. */
typedef struct side_result {
    cli_comparison *comparison;
    cli_side side;
    eti_profile *profile;
    eti_status status;
    eti_error err;
} side_result;

/* Adds the files of a side that an inspector reads. */
static eti_status add_inputs(const side_result *result, eti_request *request, eti_error *err) {
    const cli_comparison *comparison = result->comparison;
    for (size_t i = 0; i < comparison->sides.n_files; i++) {
        const cli_side_file *file = &comparison->sides.files[i];
        if (!is_of_side(file, result->side) || file->kind == ETI_FILE_BASELINE)
            continue;
        const eti_source source = eti_file_source(file->file);
        const char *name = is_record(file)    ? "etrecord_path"
                           : is_program(file) ? "program_path"
                           : has_times(file)  ? "etdump_path"
                                              : "data";
        eti_status status = eti_request_add_input(request, name, &source, err);
        if (status != ETI_OK)
            return status;
    }
    return ETI_OK;
}

/* Adds the debug buffers of the side's ETDumps; either each ETDump has one or none has. */
static eti_status add_debug_buffers(const side_result *result, eti_request *request,
                                    eti_error *err) {
    const cli_comparison *comparison = result->comparison;
    eti_status status = ETI_OK;
    size_t n_dumps = 0, n_buffers = 0;
    const char *without = NULL;
    if (!comparison->sides.takes_tensors && (size_t)result->side < comparison->n_debug_buffers) {
        const eti_source source = eti_file_source(comparison->debug_buffers[result->side]);
        return eti_request_add_input(request, "debug_buffer_path", &source, err);
    }
    for (size_t i = 0; status == ETI_OK && i < comparison->sides.n_files; i++) {
        const cli_side_file *file = &comparison->sides.files[i];
        if (!is_of_side(file, result->side) || !is_dump(file))
            continue;
        n_dumps++;
        if (!file->debug_buffer) {
            without = file->path;
            continue;
        }
        const eti_source source = eti_file_source(file->debug_buffer);
        status = eti_request_add_input(request, "debug_buffer_path", &source, err);
        n_buffers++;
    }
    if (status != ETI_OK || n_buffers == 0 || n_buffers == n_dumps)
        return status;
    err->status = ETI_ERROR_USAGE;
    snprintf(err->message, sizeof err->message,
             "%s has no debug buffer: give one per ETDump, in the same order (--debug_buffer_path)",
             without);
    return ETI_ERROR_USAGE;
}

/* Opens the files of a side with all their runs; skip_first is applied later, to each file. */
static eti_status open_side(side_result *result, eti_request *request) {
    eti_status status = eti_request_set(request, "skip_first", NULL, &result->err);
    if (status == ETI_OK)
        status = add_inputs(result, request, &result->err);
    if (status == ETI_OK)
        status = add_debug_buffers(result, request, &result->err);
    if (status != ETI_OK)
        return status;
    return eti_inspector_open(&result->comparison->inspectors[result->side], request, &result->err);
}

/* Makes one profile of all ETDumps of the side. */
static eti_status inspect(side_result *result, eti_profile **out) {
    cli_comparison *comparison = result->comparison;
    const eti_request *request = comparison->request.request;
    eti_request *opening;
    eti_status status = eti_request_copy(&opening, request, &result->err);
    if (status == ETI_OK) {
        eti__request_read_values(opening); /* for the origins of nodes */
        status = open_side(result, opening);
    }
    eti_request_free(opening);
    const eti_inspector *inspector = comparison->inspectors[result->side];
    if (status != ETI_OK || comparison->sides.takes_tensors)
        return status;
    return eti_profile_from_inspector(out, inspector, request, &result->err);
}

/* Makes a profile of each baseline and one of all ETDumps, which takes the place of the first ETDump. */
static eti_status make_parts(side_result *result) {
    cli_comparison *comparison = result->comparison;
    const eti_request *request = comparison->request.request;
    eti_status status = ETI_OK;
    bool is_inspected = false;
    for (size_t i = 0; i < comparison->sides.n_files && status == ETI_OK; i++) {
        const cli_side_file *file = &comparison->sides.files[i];
        bool is_baseline = file->kind == ETI_FILE_BASELINE;
        if (!is_of_side(file, result->side) || !leads_side(&comparison->sides, file) ||
            (!is_baseline && is_inspected))
            continue;
        eti_source source = eti_file_source(file->file);
        eti_profile **out = &comparison->parts[result->side][comparison->n_parts[result->side]];
        status = is_baseline ? eti_profile_read(out, &source, request, &result->err)
                             : inspect(result, out);
        is_inspected = is_inspected || !is_baseline;
        comparison->n_parts[result->side] += status == ETI_OK;
    }
    return status;
}

static eti_status merge_parts(side_result *result) {
    cli_comparison *comparison = result->comparison;
    eti_profile **parts = comparison->parts[result->side];
    size_t n_parts = comparison->n_parts[result->side];
    result->profile = parts[0];
    if (n_parts == 1 || comparison->sides.takes_tensors)
        return ETI_OK;
    eti_profile **merged = &comparison->merged[result->side];
    eti_status status = eti_profile_merge(merged, (const eti_profile *const *)parts, n_parts,
                                          comparison->request.request, &result->err);
    result->profile = *merged;
    return status;
}

/* Makes the profile of a side. Prints nothing, because the other side may be made at the same time. */
static void *make_profile(void *argument) {
    side_result *result = argument;
    cli_comparison *comparison = result->comparison;
    eti_profile ***parts = &comparison->parts[result->side];
    *parts = calloc(comparison->sides.n_files + 1, sizeof **parts);
    result->status = *parts ? make_parts(result) : ETI_ERROR_MEMORY;
    if (result->status == ETI_OK)
        result->status = merge_parts(result);
    return NULL;
}

static bool begins_with(eti_text note, const char *path) {
    size_t n = strlen(path);
    return note.size > n + 1 && memcmp(note.data, path, n) == 0 &&
           memcmp(note.data + n, ": ", 2) == 0;
}

/* Returns what precedes a note of a side: its only ETDump, or else its name; "" if the note begins with an ETDump. */
static const char *name_before(const side_result *result, eti_text note) {
    static const char *const names[CLI_N_SIDES] = {"base", "new"};
    const cli_sides *sides = &result->comparison->sides;
    const char *dump = NULL;
    size_t n_dumps = 0;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (!is_of_side(file, result->side) || !is_dump(file))
            continue;
        if (begins_with(note, file->path))
            return "";
        if (n_dumps++ == 0)
            dump = file->path;
    }
    return n_dumps == 1 ? dump : names[result->side];
}

/* Returns whether the other side has the note with the same name before it. */
static bool is_said_of(const side_result *other, const char *name, eti_text note) {
    const eti_inspector *inspector = other->comparison->inspectors[other->side];
    for (size_t i = 0; inspector && i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        if (text.size == note.size && memcmp(text.data, note.data, note.size) == 0)
            return strcmp(name_before(other, text), name) == 0;
    }
    return false;
}

/* Prints the notes about `n` sides, unless a side is refused. A note that both sides have is printed once. */
static void print_notes(const side_result *results, size_t n) {
    for (size_t side = 0; side < n; side++) {
        const eti_inspector *inspector = results[side].comparison->inspectors[side];
        if (!inspector || results[side].status == ETI_ERROR_USAGE)
            continue;
        for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
            eti_text text = eti_inspector_note_text(inspector, i);
            const char *name = n > 1 ? name_before(&results[side], text) : "";
            if (side == 0 || !is_said_of(&results[0], name, text))
                cli_print_note(eti_inspector_note_kind(inspector, i), name, text);
        }
        eti_text mismatch = eti__inspector_mismatch(inspector);
        cli_warn_at_end(n > 1 ? name_before(&results[side], mismatch) : "", mismatch);
    }
}

/* Returns CLI_OK, or an exit status after a message. */
static int report_side(const side_result *result) {
    if (result->status == ETI_ERROR_MEMORY)
        return cli_fail_memory();
    return result->status == ETI_OK ? CLI_OK : cli_fail(&result->err);
}

static bool is_large(const cli_comparison *comparison) {
    size_t size = 0;
    for (size_t i = 0; i < comparison->sides.n_files; i++)
        size += eti_file_source(comparison->sides.files[i].file).size;
    const char *threads = eti_request_get(comparison->request.request, "threads");
    return size >= LARGE_INPUTS && !(threads && strtoul(threads, NULL, 10) == 1);
}

static int make_profiles(cli_comparison *comparison, size_t n_sides, eti_profile *out[]) {
    side_result results[CLI_N_SIDES];
    pthread_t thread;
    for (size_t i = 0; i < n_sides; i++)
        results[i] = (side_result){.comparison = comparison, .side = (cli_side)i};
    bool at_once = n_sides > 1 && is_large(comparison) &&
                   pthread_create(&thread, NULL, make_profile, &results[CLI_NEW]) == 0;
    int exit_status = CLI_OK;
    size_t n_made = 0; /* sides, up to the first that fails */
    for (size_t i = 0; i < n_sides; i++) {
        bool is_made = n_made == i && (i == 0 || results[i - 1].status == ETI_OK);
        if (at_once && i == CLI_NEW)
            pthread_join(thread, NULL);
        else if (is_made)
            make_profile(&results[i]);
        n_made += is_made;
        out[i] = results[i].profile;
    }
    print_notes(results, n_made);
    for (size_t i = 0; i < n_made && exit_status == CLI_OK; i++)
        exit_status = report_side(&results[i]);
    return exit_status;
}

/* Warns if the sandbox hides a list of pairs beside an ETDump: verdicts may depend on this list. */
static void warn_of_pairs(const cli_comparison *comparison) {
    const cli_request *request = &comparison->request;
    char path[PATH_MAX];
    if (comparison->sides.takes_tensors || cli_has(request, "in_turns"))
        return;
    for (size_t i = 0; i < comparison->sides.n_files; i++) {
        const cli_side_file *file = &comparison->sides.files[i];
        const char *name = strrchr(file->path, '/');
        int n_folder = name ? (int)(name + 1 - file->path) : 0;
        int size = snprintf(path, sizeof path, "%.*s%s", n_folder, file->path, ETI_PAIRS_FILE);
        if (file->kind != ETI_FILE_ETDUMP || size >= PATH_MAX || access(path, R_OK) != 0)
            continue;
        cli_warn("--sandbox: %s is not read, so that dumps do not count as recorded in turns; "
                 "diff and gate take --in_turns",
                 path);
        return;
    }
}

int cli_comparison_open(cli_comparison *comparison, size_t n_sides, eti_profile *out[],
                        const char *const outputs[], size_t n_outputs) {
    cli_request *request = &comparison->request;
    for (size_t i = 0; i < n_sides; i++)
        out[i] = NULL;
    int exit_status = cli_request_prepare(request, outputs, n_outputs);
    if (exit_status == CLI_OK)
        exit_status = open_files(comparison);
    size_t n_expected = n_sides;
    if (exit_status == CLI_OK)
        exit_status = choose_all_sides(&comparison->sides, &n_sides);
    if (exit_status == CLI_OK)
        exit_status = cli_inputs_check_outputs(&request->inputs, outputs, n_outputs);
    if (exit_status == CLI_OK && cli_has(request, "sandbox")) {
        warn_of_pairs(comparison);
        exit_status = cli_enter_sandbox();
    }
    if (exit_status == CLI_OK)
        exit_status = make_profiles(comparison, n_sides, out);
    if (n_sides < n_expected) {
        out[CLI_NEW] = out[CLI_BASE];
        out[CLI_BASE] = NULL;
    }
    return exit_status;
}

int cli_comparison_open_tensors(cli_comparison *comparison, eti_inspector *out[],
                                const char *const outputs[], size_t n_outputs) {
    eti_profile *unused[CLI_N_SIDES] = {NULL};
    comparison->sides.takes_tensors = comparison->sides.may_lack_base = true;
    int exit_status = cli_comparison_open(comparison, CLI_N_SIDES, unused, outputs, n_outputs);
    bool is_alone = !comparison->inspectors[CLI_NEW];
    out[CLI_BASE] = is_alone ? NULL : comparison->inspectors[CLI_BASE];
    out[CLI_NEW] = comparison->inspectors[is_alone ? CLI_BASE : CLI_NEW];
    return exit_status;
}

int cli_comparison_print_profile(cli_comparison *comparison, cli_profile_report make) {
    const char *const outputs[] = {cli_output_path(&comparison->request)};
    eti_profile *profile;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    int exit_status = cli_comparison_open(comparison, 1, &profile, outputs, 1);
    if (exit_status != CLI_OK)
        return exit_status;
    eti_status status = make(&report, profile, comparison->request.request, &err);
    if (report)
        exit_status = cli_request_print_report(&comparison->request, report);
    return status == ETI_OK || exit_status != CLI_OK ? exit_status : cli_fail(&err);
}

static void close_comparison(cli_comparison *comparison) {
    for (size_t side = 0; side < CLI_N_SIDES; side++) {
        eti_profile_free(comparison->merged[side]);
        for (size_t i = 0; i < comparison->n_parts[side]; i++)
            eti_profile_free(comparison->parts[side][i]);
        free(comparison->parts[side]);
        eti_inspector_close(comparison->inspectors[side]);
    }
    for (size_t i = 0; comparison->debug_buffers && i < comparison->n_debug_buffers; i++)
        eti_file_close(comparison->debug_buffers[i]);
    free(comparison->debug_buffers);
    free((void *)comparison->debug_buffer_paths);
    for (size_t i = 0; i < comparison->sides.n_files; i++)
        eti_file_close(comparison->sides.files[i].file);
    free(comparison->sides.files);
    cli_request_close(&comparison->request);
}

int cli_comparison_run(const cli_command *command, cli_comparison *comparison, int argc,
                       char **argv, cli_take take, cli_act act, void *context) {
    *comparison = (cli_comparison){
        .request = {.default_format = "text", .shows_no_tensors = true /* times are compared */},
        .sides.last_named = CLI_EITHER};
    int exit_status =
        cli_request_run(command, &comparison->request, argc, argv, take, act, context);
    close_comparison(comparison);
    return exit_status;
}
