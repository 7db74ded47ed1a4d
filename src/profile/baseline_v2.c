/*
 * baseline_v2.c - reads the files of baselines, and their runs and times.
 */
#include "profile/baseline_parts.h"

#include <math.h>
#include <string.h>

#define MOST_FILE_LABELS 64

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_digest(eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!(eti__is_digit(c) || (c >= 'a' && c <= 'f')))
            return false;
    }
    return text.size == ETI_SHA256_DIGITS;
}

/* Reads a label, KEY=VALUE. */
static eti_status read_label(eti_baseline_reader *r, eti_text text, eti_profile_file *file,
                             eti_label *label) {
    const char *sign = text.size > 0 ? memchr(text.data, '=', text.size) : NULL;
    if (!sign || sign == text.data || memchr(text.data, 0, text.size))
        return eti__baseline_fail(r, "expected labels of the file, KEY=VALUE");
    char *copy = eti__arena_alloc(&r->profile->arena, text.size + 1, 1);
    if (!copy)
        return eti_fail_memory(r->err);
    memcpy(copy, text.data, text.size);
    copy[text.size] = copy[sign - text.data] = '\0';
    *label = (eti_label){copy, copy + (sign - text.data) + 1};
    if (eti__text_valid_utf8(text) != text.size)
        return eti__baseline_fail(r, "a label of the file is not UTF-8");
    if (eti__find_label(file->labels, file->n_labels, label->key))
        return eti__baseline_fail(r, "a label of the file is given twice");
    if (!eti__label_may_differ(label->key))
        return eti__baseline_fail(r, "a label shared by all files must be in a label record");
    file->n_labels++;
    return ETI_OK;
}

static eti_status read_labels(eti_baseline_reader *r, eti_profile_file *file) {
    enum { FIRST_LABEL = 4 };
    size_t n_fields = r->file->records[r->at].n_fields;
    size_t n = n_fields > FIRST_LABEL ? n_fields - FIRST_LABEL : 0;
    if (n > MOST_FILE_LABELS)
        return eti_fail(r->err, ETI_ERROR_LIMIT, "%s: record %zu: more than %d labels of a file",
                        r->name, r->at + 1, MOST_FILE_LABELS);
    eti_label *labels = eti__arena_alloc(&r->profile->arena, n + 1, sizeof *labels);
    if (!labels)
        return eti_fail_memory(r->err);
    file->labels = labels;
    for (size_t i = 0; i < n; i++)
        ETI_TRY(read_label(r, eti__baseline_field(r, FIRST_LABEL + i), file, &labels[i]));
    return ETI_OK;
}

eti_status eti__baseline_read_file(eti_baseline_reader *r) {
    eti_text size = eti__baseline_field(r, 2), sha256 = eti__baseline_field(r, 3);
    eti_profile_file file = {.size = 0};
    if (r->n_blocks > 0)
        return eti__baseline_fail(r, "files must come before the first block");
    if ((size.size > 0 && !eti__read_u64(size, UINT64_MAX, &file.size)) ||
        (sha256.size > 0 && !is_digest(sha256)))
        return eti__baseline_fail(r, "expected file,NAME,BYTES,SHA256,LABELS");
    if (!ETI_GROW(r->files, r->file_capacity, r->n_files + 1) ||
        !eti__arena_copy_text(&r->profile->arena, eti__baseline_field(r, 1), &file.name) ||
        (sha256.size > 0 && !eti__arena_copy_text(&r->profile->arena, sha256, &file.sha256)))
        return eti_fail_memory(r->err);
    ETI_TRY(read_labels(r, &file));
    r->files[r->n_files++] = file;
    return ETI_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Reads the runs of each file. A file without a number did not run the block. */
eti_status eti__baseline_read_runs(eti_baseline_reader *r, eti_profile_block *block) {
    eti_text runs = eti__baseline_field(r, 3), skipped = eti__baseline_field(r, 4), n, n_left_out;
    const char *at = NULL, *at_skipped = NULL;
    if (r->n_files == 0)
        return eti__baseline_fail(r, "expected file,NAME,BYTES,SHA256 before the first block");
    if (eti__count_items(runs, ';') != r->n_files || eti__count_items(skipped, ';') != r->n_files)
        return eti__baseline_fail(r, "expected block,NAME,INPUT,RUNS,SKIPPED, where RUNS and "
                                     "SKIPPED have one number per file, separated by ;");
    eti_file_runs *files = eti__arena_alloc(&r->profile->arena, r->n_files, sizeof *files);
    if (!files)
        return eti_fail_memory(r->err);
    block->files = files;
    for (uint32_t i = 0; i < r->n_files; i++) {
        uint64_t n_runs, n_skipped = 0, most = ETI_BASELINE_MOST_RUNS - 1 - block->n_runs;
        if (!eti__take_item(runs, ';', &at, &n) ||
            !eti__take_item(skipped, ';', &at_skipped, &n_left_out))
            break;
        if (n.size == 0 && n_left_out.size == 0)
            continue;
        if (!eti__read_u64(n, most, &n_runs) || n_runs == 0 ||
            !eti__read_u64(n_left_out, ETI_BASELINE_MOST_RUNS - 1, &n_skipped))
            return eti__baseline_fail(r, "expected numbers of runs (at least 1) and of dropped "
                                         "runs, and nothing for files without the block");
        files[block->n_files++] =
            (eti_file_runs){i, block->n_runs, (size_t)n_runs, (size_t)n_skipped};
        block->n_runs += (size_t)n_runs;
        block->n_skipped += (size_t)n_skipped;
    }
    return block->n_files > 0 ? ETI_OK : eti__baseline_fail(r, "no file has this block");
}

/* ---- times ----------------------------------------------------------------------------------- */

#define LIST(name)                                                                                 \
    { #name, offsetof(eti_file_times, name) }
const eti_baseline_list eti__baseline_lists[ETI_N_BASELINE_LISTS] = {
    LIST(location), LIST(p50), LIST(p90), LIST(avg), LIST(min), LIST(max)};

/* Takes the next item of the list, that of file number `file`. Stores whether the file has the block; if so, it is number
 * *k of the block's files. */
static bool take_of_file(const eti_baseline_reader *r, eti_text list, char separator,
                         const char **at, uint32_t file, eti_text *out, size_t *k,
                         bool *has_block) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    *has_block = *k < block->n_files && block->files[*k].file == file;
    return eti__take_item(list, separator, at, out) && (*has_block || out->size == 0);
}

/* Reads a list into one member of the times; an empty value is unknown. */
static eti_status read_list(const eti_baseline_reader *r, eti_text list, size_t offset,
                            eti_file_times *times) {
    const char *at = NULL;
    size_t k = 0;
    eti_text item;
    if (eti__count_items(list, ';') != r->n_files)
        return eti__baseline_fail(r, "expected one value per file, separated by ;");
    for (uint32_t file = 0; file < r->n_files; file++) {
        double value = (double)NAN;
        bool has_block;
        if (!take_of_file(r, list, ';', &at, file, &item, &k, &has_block))
            return eti__baseline_fail(r, "a value for a file without this block");
        if (item.size > 0 && !eti__read_double(item, &value))
            return eti__baseline_fail(r, "expected values: numbers of at least 0");
        if (has_block)
            memcpy((char *)&times[k++] + offset, &value, sizeof value);
    }
    return ETI_OK;
}

#define ROUNDING 1e-9     /* of averages and of values between two runs, as a share */
#define MOST_EXACT 0x1p53 /* larger ticks are not exact as doubles */

/* Returns whether a <= b, regardless of rounding; NaN means unknown. */
static bool is_at_most(double a, double b) {
    return isnan(a) || isnan(b) || a <= b * (1 + ROUNDING);
}

static bool is_between(double value, const eti_file_times *times) {
    return is_at_most(times->min, value) && is_at_most(value, times->max);
}

/* Returns whether the step, which is that of the files with locations, divides min and max. */
static bool is_multiple(const eti_file_times *times, uint64_t step) {
    if (step == 0 || isnan(times->location) || !(times->max < MOST_EXACT))
        return true;
    return fmod(times->min, (double)step) == 0 && fmod(times->max, (double)step) == 0;
}

/* Checks that the values of one file fit each other and the step of the clock, 0 if unknown. NaNs are ignored. */
static eti_status check_values(const eti_baseline_reader *r, const eti_file_times *times,
                               uint64_t step) {
    bool are_ordered = is_at_most(times->min, times->max) && is_between(times->location, times) &&
                       is_between(times->avg, times) && is_between(times->p10, times) &&
                       is_between(times->p50, times) && is_between(times->p90, times) &&
                       is_at_most(times->p10, times->p50) && is_at_most(times->p50, times->p90);
    if (!are_ordered)
        return eti__baseline_fail(r, "the values of a file contradict each other: expected min <= "
                                     "p50 <= p90 <= max, and all others between min and max");
    if (!is_multiple(times, step))
        return eti__baseline_fail(r, "the step contradicts min or max, which are not multiples");
    return ETI_OK;
}

/* Returns whether a file has all values (the location may be missing) or none. */
static bool is_whole(const eti_file_times *times) {
    bool lacks = eti__file_lacks_entry(times);
    return isnan(times->p90) == lacks && isnan(times->avg) == lacks && isnan(times->min) == lacks &&
           isnan(times->max) == lacks && (!lacks || isnan(times->location));
}

static eti_status check_times(const eti_baseline_reader *r, const eti_file_times *times) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    bool is_there = false;
    for (size_t i = 0; i < block->n_files; i++) {
        if (!is_whole(&times[i]))
            return eti__baseline_fail(r, "a file has some of the values of an event, but not all");
        is_there = is_there || !eti__file_lacks_entry(&times[i]);
    }
    return is_there ? ETI_OK : eti__baseline_fail(r, "no file has this event");
}

static eti_status read_lists(eti_baseline_reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    eti_text step = eti__baseline_field(r, ETI_FIELD_VALUES);
    eti_file_times *times = eti__arena_alloc(&r->profile->arena, block->n_files, sizeof *times);
    if (!times || !ETI_GROW(r->scratch, r->scratch_capacity, block->n_files))
        return eti_fail_memory(r->err);
    if (step.size > 0 && !eti__read_u64(step, UINT64_MAX, &entry->step))
        return eti__baseline_fail(r, "expected the step of the ticks, a number");
    for (size_t i = 0; i < block->n_files; i++)
        times[i].p10 = (double)NAN;
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS; i++)
        ETI_TRY(read_list(r, eti__baseline_field(r, ETI_FIELD_VALUES + 1 + i),
                          eti__baseline_lists[i].offset, times));
    ETI_TRY(check_times(r, times));
    for (size_t i = 0; i < block->n_files; i++)
        ETI_TRY(check_values(r, &times[i], entry->step));
    entry->times = times;
    eti__entry_set_summary(r->profile, block, entry, r->scratch);
    return ETI_OK;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static eti_status read_ticks_of_file(const eti_baseline_reader *r, eti_text text, size_t n,
                                     uint64_t *ticks) {
    const char *at = text.data, *end = text.data + text.size;
    for (size_t i = 0; i < n; i++) {
        if (!eti__take_u64(&at, end, UINT64_MAX, &ticks[i]) ||
            (i + 1 < n && (at == end || *at++ != ';')))
            return eti__baseline_fail(
                r, "expected ticks: as many numbers as the file has runs, separated by ;");
    }
    return at == end ? ETI_OK : eti__baseline_fail(r, "more ticks than the file has runs");
}

/* Limits the memory for ticks of files that lack entries, which the size of the baseline does not limit. */
static eti_status check_lacking(eti_baseline_reader *r, const eti_profile_block *block,
                                size_t size) {
    size_t taken = block->n_runs * sizeof(uint64_t);
    if (size < block->n_runs)
        r->n_lacking_bytes += taken;
    if (r->n_lacking_bytes / 64 <= r->size + ((size_t)4 << 10))
        return ETI_OK;
    return eti_fail(r->err, ETI_ERROR_LIMIT,
                    "%s: record %zu: most ticks of the baseline are missing", r->name, r->at + 1);
}

/* Fills the ticks of all files that have the block, and `lacks`, which marks those that lack the entry. */
static eti_status fill_ticks(const eti_baseline_reader *r, eti_text list, uint64_t *ticks,
                             bool *lacks) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    const char *at = NULL;
    size_t k = 0;
    eti_text item;
    if (eti__count_items(list, '|') != r->n_files)
        return eti__baseline_fail(r, "expected the ticks of each file, separated by |");
    for (uint32_t file = 0; file < r->n_files; file++) {
        bool has_block;
        if (!take_of_file(r, list, '|', &at, file, &item, &k, &has_block))
            return eti__baseline_fail(r, "ticks for a file without this block");
        if (!has_block)
            continue;
        const eti_file_runs *runs = &block->files[k];
        lacks[k++] = item.size == 0;
        if (item.size > 0)
            ETI_TRY(read_ticks_of_file(r, item, runs->n, ticks + runs->first));
    }
    return ETI_OK;
}

static eti_status read_ticks(eti_baseline_reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    eti_arena *arena = &r->profile->arena;
    eti_text list = eti__baseline_field(r, ETI_FIELD_VALUES);
    ETI_TRY(check_lacking(r, block, list.size));
    uint64_t *ticks = eti__arena_alloc_zero(arena, block->n_runs, sizeof *ticks);
    bool *lacks = eti__arena_alloc_zero(arena, block->n_files, sizeof *lacks);
    if (!ticks || !lacks || !ETI_GROW(r->scratch, r->scratch_capacity, 2 * block->n_runs))
        return eti_fail_memory(r->err);
    ETI_TRY(fill_ticks(r, list, ticks, lacks));
    if (!eti__entry_set_ticks(r->profile, block, entry, ticks, r->scratch))
        return eti_fail_memory(r->err);
    eti_file_times *times = (eti_file_times *)entry->times;
    for (size_t i = 0; i < block->n_files; i++) {
        if (lacks[i])
            times[i] = eti__no_file_times();
    }
    ETI_TRY(check_times(r, times));
    eti__entry_set_summary(r->profile, block, entry, r->scratch);
    return ETI_OK;
}

eti_status eti__baseline_read_times(eti_baseline_reader *r, eti_entry *entry) {
    return r->profile->has_ticks ? read_ticks(r, entry) : read_lists(r, entry);
}
