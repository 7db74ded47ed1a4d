#include "cli/sides.h"

#include "cli/inputs.h"
#include "cli/message.h"

/* ---- kinds of files -------------------------------------------------------------------------- */

bool cli_is_record(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETRECORD;
}

bool cli_is_program(const cli_side_file *file) {
    return file->kind == ETI_FILE_PROGRAM || file->kind == ETI_FILE_BUNDLED_PROGRAM;
}

bool cli_has_times(const cli_side_file *file) {
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
        if (cli_has_times(file) && file->kind != ETI_FILE_BASELINE)
            return false;
        has_program = has_program || cli_is_program(file);
    }
    return has_program;
}

bool cli_leads(const cli_sides *sides, const cli_side_file *file) {
    return cli_has_times(file) || (cli_is_program(file) && compares_programs(sides));
}

bool cli_is_dump(const cli_side_file *file) {
    return file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG;
}

/* ---- sides of files -------------------------------------------------------------------------- */

/* Returns whether the file is the only record, or the only program: it then belongs to all dumps. */
static bool is_shared(const cli_sides *sides, const cli_side_file *file) {
    size_t n = 0;
    for (size_t i = 0; i < sides->n_files; i++)
        n += cli_is_program(file) ? cli_is_program(&sides->files[i])
                                  : sides->files[i].kind == file->kind;
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
        if (!cli_leads(sides, file) && is_shared(sides, file))
            continue;
        if (cli_leads(sides, file))
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
        if (is_of_base && cli_has_times(file))
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
        if (file->is_named || file->follows == CLI_EITHER || !cli_has_times(file) ||
            (file->kind == ETI_FILE_BASELINE && !is_clear))
            continue;
        file->side = file->follows;
        file->is_named = true;
    }
}

static const char *text_of_leading(const cli_side_file *file) {
    return cli_is_program(file) ? "program" : "ETDump or baseline";
}

/* Checks the ETDumps, baselines or compared programs that no option gives to a side: beside others that options name, only
 * one before all options that is all of the base, or a program that is all of a side, is clear. */
static int check_unnamed(const cli_sides *sides) {
    const cli_side_file *unnamed = NULL;
    size_t n_unnamed = 0, n_base = 0, n_new = 0;
    for (size_t i = 0; i < sides->n_files; i++) {
        const cli_side_file *file = &sides->files[i];
        if (!cli_leads(sides, file))
            continue;
        n_base += file->side == CLI_BASE;
        n_new += file->side == CLI_NEW;
        n_unnamed += file->side == CLI_EITHER;
        unnamed = file->side == CLI_EITHER ? file : unnamed;
    }
    bool has_options = sides->last_named != CLI_EITHER; /* --reference also names a base */
    bool is_clear =
        n_unnamed == 1 && (cli_is_program(unnamed) ? n_base == 0 || n_new == 0
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
        if (sides->files[i].side == CLI_BASE && cli_leads(sides, &sides->files[i]))
            next = CLI_NEW;
    }
    for (size_t i = 0; i < sides->n_files; i++) {
        cli_side_file *file = &sides->files[i];
        bool is_leading = cli_leads(sides, file);
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
        if (!cli_leads(sides, file))
            continue;
        if (file->is_named)
            return;
        *(file->side == CLI_BASE ? &base : &new_side) = file;
    }
    if (base && new_side && base->kind == ETI_FILE_ETDUMP && new_side->kind == ETI_FILE_BASELINE)
        cli_warn("%s, a baseline, is the new side, and %s is the base: are they swapped?",
                 new_side->path, base->path);
}

bool cli_is_of(const cli_side_file *file, cli_side side) {
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
        if (!cli_is_of(file, side))
            continue;
        if (cli_is_record(file) && record)
            return cli_fail_usage("%s: a second ETRecord, after %s: give only one per side",
                                  file->path, record->path);
        if (cli_is_program(file) && program)
            return cli_fail_usage("%s: a second program, after %s: give only one per side",
                                  file->path, program->path);
        if (cli_is_record(file))
            record = file;
        if (cli_is_program(file))
            program = file;
        n += cli_leads(sides, file);
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
        n_plain += !file->is_named && cli_leads(sides, file);
        n_new += file->is_named && cli_leads(sides, file);
    }
    return sides->may_lack_base && (sides->has_reference || n_plain + (n_new > 0) == 1);
}

int cli_choose_sides(cli_sides *sides, size_t *n_sides) {
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
