#include "profile/baseline_read.h"

#include "account/account.h"
#include "base/csv.h"
#include "profile/labels.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "rollup/rollup.h"
#include "stats/stats.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== baseline v2 ============================================================================= */
/* Reads the files of baselines, and their runs and times. */

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

typedef struct reader {
    struct eti_profile *profile;
    const char *name;
    const eti_csv_file *file;
    size_t at;   /* number of the current record, from 0 on */
    size_t size; /* size of the baseline in bytes */
    eti_label *labels;
    size_t n_labels, label_capacity;
    eti_profile_block *blocks;
    size_t n_blocks, block_capacity;
    eti_entry *entries; /* of the current block */
    size_t n_entries, entry_capacity;
    eti_profile_file *files;
    size_t n_files, file_capacity;
    eti_figures *figures; /* figures of the program; NULL if the baseline has none */
    double *scratch;
    size_t scratch_capacity, n_lacking_bytes;
    bool has_time_scale;
    eti_error *err;
} reader;

/* Fails with ETI_ERROR_MALFORMED, naming the current record. */
static eti_status fail_baseline(const reader *r, const char *what) {
    return eti_fail(r->err, ETI_ERROR_MALFORMED, "%s: record %zu: %s", r->name, r->at + 1, what);
}

/* Reads a label, KEY=VALUE, or the number of files that the file stands for. */
static eti_status read_written_label(reader *r, eti_text text, eti_profile_file *file,
                                     eti_label *label) {
    const char *sign = text.size > 0 ? memchr(text.data, '=', text.size) : NULL;
    if (!sign || sign == text.data || memchr(text.data, 0, text.size))
        return fail_baseline(r, "expected labels of the file, KEY=VALUE");
    eti_text key = {text.data, (size_t)(sign - text.data)};
    if (eti__text_is(key, "files")) {
        uint64_t value;
        if (!eti__read_u64((eti_text){sign + 1, text.size - key.size - 1}, UINT32_MAX, &value) ||
            value == 0)
            return fail_baseline(r, "files= of a file is followed by a number from 1 on");
        file->n_merged = (uint32_t)value;
        return ETI_OK;
    }
    char *copy = eti__arena_string_of(&r->profile->arena, text);
    if (!copy)
        return eti_fail_memory(r->err);
    copy[key.size] = '\0';
    *label = (eti_label){copy, copy + (sign - text.data) + 1};
    if (eti__text_valid_utf8(text) != text.size)
        return fail_baseline(r, "a label of the file is not UTF-8");
    if (eti__find_label(file->labels, file->n_labels, label->key))
        return fail_baseline(r, "a label of the file is given twice");
    if (!eti__label_may_differ(label->key))
        return fail_baseline(r, "a label shared by all files must be in a label record");
    file->n_labels++;
    return ETI_OK;
}

/* Returns field i of the current record. */
static eti_text baseline_field(const reader *r, size_t i) {
    return eti__csv_field(&r->file->records[r->at], i);
}

static eti_status read_labels(reader *r, eti_profile_file *file) {
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
        ETI_TRY(read_written_label(r, baseline_field(r, FIRST_LABEL + i), file,
                                   &labels[file->n_labels]));
    return ETI_OK;
}

/* Reads a record about a file. */
static eti_status read_baseline_file(reader *r) {
    eti_text size = baseline_field(r, 2), sha256 = baseline_field(r, 3);
    eti_profile_file file = {.size = 0};
    if (r->n_blocks > 0)
        return fail_baseline(r, "files must come before the first block");
    if ((size.size > 0 && !eti__read_u64(size, UINT64_MAX, &file.size)) ||
        (sha256.size > 0 && !is_digest(sha256)))
        return fail_baseline(r, "expected file,NAME,BYTES,SHA256,LABELS");
    if (!ETI_GROW(r->files, r->file_capacity, r->n_files + 1) ||
        !eti__arena_own_text(&r->profile->arena, baseline_field(r, 1), &file.name) ||
        (sha256.size > 0 && !eti__arena_own_text(&r->profile->arena, sha256, &file.sha256)))
        return eti_fail_memory(r->err);
    file.shown = file.name;
    ETI_TRY(read_labels(r, &file));
    r->files[r->n_files++] = file;
    return ETI_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

#define ETI_BASELINE_MOST_RUNS ((uint64_t)1 << 31)

static size_t count_items(eti_text text, char separator) {
    size_t n = 1;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == separator;
    return n;
}

/* Takes the text up to the next separator or the end. Returns false if nothing is left. `*at` is NULL at first. */
static bool take_item(eti_text text, char separator, const char **at, eti_text *out) {
    const char *end = text.data + text.size;
    const char *from = *at ? *at + 1 : text.data; /* after the last separator */
    if (*at == end)
        return false;
    const char *next = from < end ? memchr(from, separator, (size_t)(end - from)) : NULL;
    *at = next ? next : end;
    *out = (eti_text){from, (size_t)(*at - from)};
    return true;
}

/* Reads the runs of each file of the current block, whose name is set. A file without a number did not run the block. */
static eti_status read_baseline_runs(reader *r, eti_profile_block *block) {
    eti_text runs = baseline_field(r, 3), skipped = baseline_field(r, 4), n, n_left_out;
    const char *at = NULL, *at_skipped = NULL;
    if (r->n_files == 0)
        return fail_baseline(r, "expected file,NAME,BYTES,SHA256 before the first block");
    if (count_items(runs, ';') != r->n_files || count_items(skipped, ';') != r->n_files)
        return fail_baseline(r, "expected block,NAME,INPUT,RUNS,SKIPPED, where RUNS and "
                                "SKIPPED have one number per file, separated by ;");
    eti_file_runs *files = eti__arena_alloc(&r->profile->arena, r->n_files, sizeof *files);
    if (!files)
        return eti_fail_memory(r->err);
    block->files = files;
    for (uint32_t i = 0; i < r->n_files; i++) {
        uint64_t n_runs, n_skipped = 0, most = ETI_BASELINE_MOST_RUNS - 1 - block->n_runs;
        if (!take_item(runs, ';', &at, &n) || !take_item(skipped, ';', &at_skipped, &n_left_out))
            break;
        if (n.size == 0 && n_left_out.size == 0)
            continue;
        if (!eti__read_u64(n, most, &n_runs) || n_runs == 0 ||
            !eti__read_u64(n_left_out, ETI_BASELINE_MOST_RUNS - 1, &n_skipped))
            return fail_baseline(r, "expected numbers of runs (at least 1) and of dropped "
                                    "runs, and nothing for files without the block");
        files[block->n_files++] =
            (eti_file_runs){i, block->n_runs, (size_t)n_runs, (size_t)n_skipped};
        block->n_runs += (size_t)n_runs;
        block->n_skipped += (size_t)n_skipped;
    }
    return block->n_files > 0 ? ETI_OK : fail_baseline(r, "no file has this block");
}

/* ---- times ----------------------------------------------------------------------------------- */

#define LIST(name)                                                                                 \
    { #name, offsetof(eti_file_times, name) }
const eti_baseline_list eti__baseline_lists[ETI_N_BASELINE_LISTS] = {
    LIST(fast), LIST(p50), LIST(p90), LIST(p95), LIST(p99), LIST(avg), LIST(min), LIST(max)};

/* Takes the next item of the list, that of file number `file`. Stores whether the file has the block; if so, it is number
 * *k of the block's files. */
static bool take_of_file(const reader *r, eti_text list, char separator, const char **at,
                         uint32_t file, eti_text *out, size_t *k, bool *has_block) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    *has_block = *k < block->n_files && block->files[*k].file == file;
    return take_item(list, separator, at, out) && (*has_block || out->size == 0);
}

/* Reads a finite number of at least 0. */
static bool read_double(eti_text text, double *out) {
    char digits[64], *end;
    if (text.size == 0 || text.size >= sizeof digits || text.data[0] < '0' || text.data[0] > '9')
        return false;
    if (text.size > 1 && (text.data[1] == 'x' || text.data[1] == 'X')) /* hexadecimal */
        return false;
    memcpy(digits, text.data, text.size);
    digits[text.size] = '\0';
    *out = eti__strtod(digits, &end);
    return end == digits + text.size && isfinite(*out);
}

/* Reads a list into one member of the times; an empty value is unknown. */
static eti_status read_list(const reader *r, eti_text list, size_t offset, eti_file_times *times) {
    const char *at = NULL;
    size_t k = 0;
    eti_text item;
    if (count_items(list, ';') != r->n_files)
        return fail_baseline(r, "expected one value per file, separated by ;");
    for (uint32_t file = 0; file < r->n_files; file++) {
        double value = (double)NAN;
        bool has_block;
        if (!take_of_file(r, list, ';', &at, file, &item, &k, &has_block))
            return fail_baseline(r, "a value for a file without this block");
        if (item.size > 0 && !read_double(item, &value))
            return fail_baseline(r, "expected values: numbers of at least 0");
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

/* Returns whether the step divides min and max; those of a merged push are rounded medians. */
static bool is_multiple(const eti_file_times *times, uint64_t step, bool is_merged) {
    if (step == 0 || is_merged || !(times->max < MOST_EXACT))
        return true;
    return fmod(times->min, (double)step) == 0 && fmod(times->max, (double)step) == 0;
}

/* Checks that the values of one file fit each other and the step of the clock, 0 if unknown. NaNs are ignored. */
static eti_status check_values(const reader *r, const eti_file_times *times, uint64_t step,
                               const eti_profile_file *file) {
    bool are_ordered = is_at_most(times->min, times->max) && is_between(times->fast, times) &&
                       is_between(times->avg, times) && is_between(times->p10, times) &&
                       is_between(times->p50, times) && is_at_most(times->p10, times->p50) &&
                       is_at_most(times->p50, times->p90) && is_at_most(times->p90, times->p95) &&
                       is_at_most(times->p95, times->p99) && is_at_most(times->p99, times->max);
    if (!are_ordered)
        return fail_baseline(r, "the values of a file contradict each other: expected min <= "
                                "p50 <= p90 <= p95 <= p99 <= max, and all others between min and "
                                "max");
    if (!is_multiple(times, step, file->n_merged > 0))
        return fail_baseline(r, "the step contradicts min or max, which are not multiples");
    return ETI_OK;
}

/* Returns whether a file has all values or none. */
static bool is_whole(const eti_file_times *times) {
    bool lacks = eti__file_lacks_entry(times);
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS; i++) {
        double value;
        memcpy(&value, (const char *)times + eti__baseline_lists[i].offset, sizeof value);
        if (isnan(value) != lacks)
            return false;
    }
    return true;
}

static eti_status check_times(const reader *r, const eti_file_times *times) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    bool is_there = false;
    for (size_t i = 0; i < block->n_files; i++) {
        if (!is_whole(&times[i]))
            return fail_baseline(r, "a file has some of the values of an event, but not all");
        is_there = is_there || !eti__file_lacks_entry(&times[i]);
    }
    return is_there ? ETI_OK : fail_baseline(r, "no file has this event");
}

/* Fields of an entry. */
enum {
    ETI_FIELD_KIND,
    ETI_FIELD_NAME,
    ETI_FIELD_OP,
    ETI_FIELD_OP_TYPE,
    ETI_FIELD_MODULE,
    ETI_FIELD_BACKEND,
    ETI_FIELD_ID,
    ETI_FIELD_HANDLES,
    ETI_FIELD_FILE,
    ETI_FIELD_LINE,
    ETI_FIELD_CODE,
    ETI_FIELD_VALUES, /* the first of the values, which are last */
};

static eti_status read_lists(reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    eti_text step = baseline_field(r, ETI_FIELD_VALUES);
    eti_file_times *times = eti__arena_alloc(&r->profile->arena, block->n_files, sizeof *times);
    if (!times || !ETI_GROW(r->scratch, r->scratch_capacity, block->n_files))
        return eti_fail_memory(r->err);
    if (step.size > 0 && !eti__read_u64(step, UINT64_MAX, &entry->step))
        return fail_baseline(r, "expected the step of the ticks, a number");
    for (size_t i = 0; i < block->n_files; i++)
        times[i].p10 = (double)NAN;
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS; i++)
        ETI_TRY(read_list(r, baseline_field(r, ETI_FIELD_VALUES + 1 + i),
                          eti__baseline_lists[i].offset, times));
    ETI_TRY(check_times(r, times));
    for (size_t i = 0; i < block->n_files; i++)
        ETI_TRY(check_values(r, &times[i], entry->step, &r->files[block->files[i].file]));
    entry->times = times;
    eti__entry_set_summary(r->profile, block, entry, r->scratch);
    return ETI_OK;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static eti_status read_ticks_of_file(const reader *r, eti_text text, size_t n, uint64_t *ticks) {
    const char *at = text.data, *end = text.data + text.size;
    for (size_t i = 0; i < n; i++) {
        if (!eti__take_u64(&at, end, UINT64_MAX, &ticks[i]) ||
            (i + 1 < n && (at == end || *at++ != ';')))
            return fail_baseline(
                r, "expected ticks: as many numbers as the file has runs, separated by ;");
    }
    return at == end ? ETI_OK : fail_baseline(r, "more ticks than the file has runs");
}

/* Limits the memory for ticks of files that lack entries, which the size of the baseline does not limit. */
static eti_status check_lacking(reader *r, const eti_profile_block *block, size_t size) {
    size_t taken = block->n_runs * sizeof(uint64_t);
    if (size < block->n_runs)
        r->n_lacking_bytes += taken;
    if (r->n_lacking_bytes / 64 <= r->size + ((size_t)4 << 10))
        return ETI_OK;
    return eti_fail(r->err, ETI_ERROR_LIMIT,
                    "%s: record %zu: most ticks of the baseline are missing", r->name, r->at + 1);
}

/* Fills the ticks of all files that have the block, and `lacks`, which marks those that lack the entry. */
static eti_status fill_ticks(const reader *r, eti_text list, uint64_t *ticks, bool *lacks) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    const char *at = NULL;
    size_t k = 0;
    eti_text item;
    if (count_items(list, '|') != r->n_files)
        return fail_baseline(r, "expected the ticks of each file, separated by |");
    for (uint32_t file = 0; file < r->n_files; file++) {
        bool has_block;
        if (!take_of_file(r, list, '|', &at, file, &item, &k, &has_block))
            return fail_baseline(r, "ticks for a file without this block");
        if (!has_block)
            continue;
        const eti_file_runs *runs = &block->files[k];
        lacks[k++] = item.size == 0;
        if (item.size > 0)
            ETI_TRY(read_ticks_of_file(r, item, runs->n, ticks + runs->first));
    }
    return ETI_OK;
}

static eti_status read_ticks(reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    eti_arena *arena = &r->profile->arena;
    eti_text list = baseline_field(r, ETI_FIELD_VALUES);
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

static eti_status read_baseline_times(reader *r, eti_entry *entry) {
    return r->profile->has_ticks ? read_ticks(r, entry) : read_lists(r, entry);
}

/* ==== baseline read =========================================================================== */
/* Turns a baseline into a profile. */

#define MOST_LABELS 1000

/* ---- numbers --------------------------------------------------------------------------------- */

/* ---- the header ------------------------------------------------------------------------------ */

static eti_status read_header(reader *r) {
    uint64_t version;
    if (r->file->n_records == 0 || !eti__text_is(baseline_field(r, 0), ETI_BASELINE_MAGIC))
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: not a baseline: expected " ETI_BASELINE_MAGIC
                        " at the beginning; see etinspect baseline save",
                        r->name);
    if (!eti__read_u64(baseline_field(r, 1), UINT32_MAX, &version))
        return fail_baseline(r, "expected the version of the format, a number");
    if (version != ETI_BASELINE_VERSION)
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: a baseline of version %" PRIu64 ", but only version %d is supported: "
                        "save it again with etinspect baseline save",
                        r->name, version, ETI_BASELINE_VERSION);
    eti_text form = baseline_field(r, 2);
    r->profile->has_ticks = eti__text_is(form, "samples");
    if (form.size > 0 && !r->profile->has_ticks)
        return fail_baseline(r, "expected nothing or samples after the version");
    return ETI_OK;
}

static bool read_scale(eti_text text, eti_time_scale *out) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)(text.size < 15 ? text.size : 15), text.data);
    return eti_time_scale_parse(name, out);
}

/* Reads the scales of delegates, BACKEND=SCALE, which a baseline may lack. */
static eti_status read_delegate_scales(reader *r) {
    size_t n_fields = r->file->records[r->at].n_fields;
    if (n_fields > 3 + ETI_MOST_DELEGATE_SCALES)
        return eti_fail(r->err, ETI_ERROR_LIMIT, "%s: record %zu: more than %d delegates", r->name,
                        r->at + 1, ETI_MOST_DELEGATE_SCALES);
    for (size_t i = 3; i < n_fields; i++) {
        eti_text text = baseline_field(r, i);
        size_t at = text.size;
        eti_time_scale scale;
        while (at > 0 && text.data[at - 1] != '=')
            at--;
        if (at == 0 || !read_scale(eti__text_from(text, at), &scale))
            return fail_baseline(r, "expected the time scale of a delegate, BACKEND=SCALE");
        if (!eti__delegate_scales_add(r->profile, (eti_text){text.data, at - 1}, scale))
            return eti_fail_memory(r->err);
    }
    return ETI_OK;
}

static eti_status read_time_scale(reader *r) {
    eti_profile *profile = r->profile;
    eti_text text = baseline_field(r, 1), hertz = baseline_field(r, 2);
    if (r->n_blocks > 0 || r->has_time_scale)
        return fail_baseline(r, "the time scale must come before the first block, and only once");
    r->has_time_scale = true;
    if (!read_scale(text, &profile->source_scale))
        return fail_baseline(r, "expected a time scale: ns, us, ms, s or cycles");
    if (hertz.size > 0 && (!read_double(hertz, &profile->clock_hz) || profile->clock_hz <= 0))
        return fail_baseline(r, "expected the cycles per second, a number above 0");
    bool is_cycles = profile->source_scale == ETI_SCALE_CYCLES;
    if (!eti__time_scales_fit(profile->source_scale, profile->target_scale, profile->clock_hz))
        return eti_fail(
            r->err, ETI_ERROR_USAGE,
            "%s: its times are in %s, which cannot be shown in %s: give %starget_time_scale%s%s%s",
            r->name, eti_time_scale_name(profile->source_scale),
            eti_time_scale_name(profile->target_scale), eti__option_prefix(),
            is_cycles ? " cycles, or " : "", is_cycles ? eti__option_prefix() : "",
            is_cycles ? "clock_hz" : "");
    profile->factor =
        eti__time_scale_factor(profile->source_scale, profile->target_scale, profile->clock_hz);
    return read_delegate_scales(r);
}

static eti_status read_label(reader *r) {
    char *key = eti__arena_string_of(&r->profile->arena, baseline_field(r, 1));
    char *value = eti__arena_string_of(&r->profile->arena, baseline_field(r, 2));
    if (!key || !value || !ETI_GROW(r->labels, r->label_capacity, r->n_labels + 1))
        return eti_fail_memory(r->err);
    if (*key == '\0')
        return fail_baseline(r, "a label without a key");
    if (r->n_labels == MOST_LABELS)
        return eti_fail(r->err, ETI_ERROR_LIMIT, "%s: more than %d labels", r->name, MOST_LABELS);
    r->labels[r->n_labels++] = (eti_label){key, value};
    return ETI_OK;
}

/* ---- operators ------------------------------------------------------------------------------- */

/* Returns whether `op` lists several operators, separated by " + ". */
static bool has_several(eti_text op) {
    return eti__text_contains(op, eti__text_of(" + "));
}

/* Returns the operator that an event is (rollup/rollup.h), as far as its other fields determine it. */
static eti_text op_type_of(const eti_entry *entry, bool logs_inside) {
    if (eti__role_is_framework((eti_role)entry->role))
        return eti__op_type_group(ETI_OP_TYPE_FRAMEWORK);
    if (entry->role >= ETI_ROLE_TRANSFER && entry->role <= ETI_ROLE_PROFILING)
        return eti__op_type_group(eti__op_type_around((eti_role)entry->role));
    if (has_several(entry->op))
        return eti__op_type_group(ETI_OP_TYPE_SEVERAL);
    if (entry->op.data)
        return entry->op;
    if (entry->role == ETI_ROLE_DELEGATE_CALL && logs_inside)
        return eti__op_type_group(ETI_OP_TYPE_NOT_LOGGED);
    eti_text name = eti__fold_op_name(entry->name);
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_NO_NAME);
}

/* Sets missing operators of events that are given by other fields. */
static void set_op_types(eti_entry *entries, size_t n) {
    bool logs_inside = false;
    for (size_t i = 0; i < n; i++)
        logs_inside = logs_inside || eti__role_is_logged((eti_role)entries[i].role);
    for (size_t i = 0; i < n; i++) {
        if (entries[i].op_type.size == 0)
            entries[i].op_type = op_type_of(&entries[i], logs_inside);
    }
}

/* ---- blocks and entries ---------------------------------------------------------------------- */

static eti_status end_block(reader *r) {
    if (r->n_blocks == 0)
        return ETI_OK;
    eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    if (r->n_entries == 0)
        return fail_baseline(r, "the previous block has no entries");
    block->entries = eti__arena_alloc(&r->profile->arena, r->n_entries, sizeof *block->entries);
    if (!block->entries)
        return eti_fail_memory(r->err);
    memcpy(block->entries, r->entries, r->n_entries * sizeof *block->entries);
    block->n_entries = r->n_entries;
    while (block->n_totals < block->n_entries &&
           block->entries[block->n_totals].kind < ETI_N_TOTALS)
        block->n_totals++;
    set_op_types(block->entries + block->n_totals, block->n_entries - block->n_totals);
    r->n_entries = 0;
    return ETI_OK;
}

static eti_status read_block(reader *r) {
    uint64_t index = 0;
    eti_text input = baseline_field(r, 2);
    ETI_TRY(end_block(r));
    if (!r->has_time_scale)
        return fail_baseline(r, "expected time_scale,SCALE before the first block");
    if (input.size > 0 && !eti__read_u64(input, UINT32_MAX, &index))
        return fail_baseline(r, "expected the number of a bundled input, or nothing");
    if (!ETI_GROW(r->blocks, r->block_capacity, r->n_blocks + 1))
        return eti_fail_memory(r->err);
    eti_profile_block *block = &r->blocks[r->n_blocks++];
    *block = (eti_profile_block){.bundled_input_index = input.size > 0 ? (int32_t)index : -1};
    eti_text method = baseline_field(r, 5);
    if (!eti__arena_own_text(&r->profile->arena, baseline_field(r, 1), &block->name) ||
        (method.size > 0 && !eti__arena_own_text(&r->profile->arena, method, &block->method)))
        return eti_fail_memory(r->err);
    return read_baseline_runs(r, block);
}

/* Returns the field of the node, which follows the values, if the baseline has it. */
static size_t origin_field(const reader *r) {
    return ETI_FIELD_VALUES + 1 + (r->profile->has_ticks ? 0 : ETI_N_BASELINE_LISTS);
}

static bool copy_texts(reader *r, eti_entry *entry) {
    eti_arena *arena = &r->profile->arena;
    const struct {
        size_t field;
        eti_text *out;
    } texts[] = {
        {ETI_FIELD_OP, &entry->op},          {ETI_FIELD_OP_TYPE, &entry->op_type},
        {ETI_FIELD_MODULE, &entry->module},  {ETI_FIELD_BACKEND, &entry->backend},
        {ETI_FIELD_ID, &entry->delegate_id}, {ETI_FIELD_HANDLES, &entry->handles},
        {ETI_FIELD_FILE, &entry->file},      {ETI_FIELD_CODE, &entry->code},
        {origin_field(r), &entry->origin},   {origin_field(r) + 1, &entry->unit},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        eti_text text = baseline_field(r, texts[i].field);
        if (text.size > 0 && !eti__arena_own_text(arena, text, texts[i].out))
            return false;
    }
    return eti__arena_own_text(arena, baseline_field(r, ETI_FIELD_NAME), &entry->name);
}

/* Checks that totals come first, each once, in the order of their kinds. */
static bool is_in_order(const reader *r, uint8_t kind) {
    if (r->n_entries == 0 || kind >= ETI_N_TOTALS)
        return true;
    return r->entries[r->n_entries - 1].kind < kind;
}

static eti_status take_allocated(reader *r, const eti_entry *entry) {
    eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    if (block->allocated)
        return fail_baseline(r, "the allocated bytes of the block are given twice");
    block->allocated = eti__arena_alloc(&r->profile->arena, 1, sizeof *block->allocated);
    if (!block->allocated)
        return eti_fail_memory(r->err);
    *block->allocated = *entry;
    return ETI_OK;
}

static eti_status read_entry(reader *r) {
    eti_entry entry = {0};
    uint64_t line = 0;
    if (!eti__entry_set_kind(&entry, baseline_field(r, ETI_FIELD_KIND)))
        return fail_baseline(
            r, "expected time_scale, method, label, file, columns, block or the kind of an "
               "entry");
    if (r->n_blocks == 0)
        return fail_baseline(r, "an entry comes before the first block");
    if (!is_in_order(r, entry.kind))
        return fail_baseline(
            r, "a total is out of order, or given twice: execute, operators, delegates, framework "
               "and loading come first, in this order");
    if (baseline_field(r, ETI_FIELD_LINE).size > 0 &&
        !eti__read_u64(baseline_field(r, ETI_FIELD_LINE), UINT32_MAX, &line))
        return fail_baseline(r, "expected the line of the source, a number");
    entry.line = (uint32_t)line;
    if (!ETI_GROW(r->entries, r->entry_capacity, r->n_entries + 1) || !copy_texts(r, &entry))
        return eti_fail_memory(r->err);
    ETI_TRY(read_baseline_times(r, &entry));
    if (entry.kind == ETI_ENTRY_ALLOCATED)
        return take_allocated(r, &entry);
    r->entries[r->n_entries++] = entry;
    return ETI_OK;
}

/* Reads a figure; ignores one that this version does not know. */
static eti_status read_figure(reader *r) {
    eti_profile *profile = r->profile;
    eti_figure figure;
    uint64_t value;
    if (r->n_blocks > 0)
        return fail_baseline(r, "figures of the program must come before the first block");
    if (!eti__read_u64(baseline_field(r, 2), UINT64_MAX, &value))
        return fail_baseline(r, "expected a figure of the program and its value, a number");
    if (!r->figures)
        r->figures = eti__arena_alloc_zero(&profile->arena, 1, sizeof *r->figures);
    if (!r->figures)
        return eti_fail_memory(r->err);
    profile->figures = r->figures;
    if (eti__figure_find(baseline_field(r, 1), &figure)) {
        r->figures->values[figure] = value;
        r->figures->are_known[figure] = true;
    }
    return ETI_OK;
}

/* ---- the whole baseline ---------------------------------------------------------------------- */

static eti_status read_record(reader *r) {
    eti_text kind = baseline_field(r, 0);
    if (eti__text_is(kind, "time_scale"))
        return read_time_scale(r);
    if (eti__text_is(kind, "label"))
        return read_label(r);
    if (eti__text_is(kind, "program"))
        return read_figure(r);
    if (eti__text_is(kind, "file"))
        return read_baseline_file(r);
    if (eti__text_is(kind, "block"))
        return read_block(r);
    if (eti__text_is(kind, "columns"))
        return ETI_OK;
    if (!eti__text_is(kind, "method"))
        return read_entry(r);
    return baseline_field(r, 1).size == 0 ||
                   eti__arena_own_text(&r->profile->arena, baseline_field(r, 1),
                                       &r->profile->method)
               ? ETI_OK
               : eti_fail_memory(r->err);
}

static bool copy_files(const reader *r) {
    eti_profile *profile = r->profile;
    profile->files = eti__arena_alloc_zero(&profile->arena, r->n_files + 1, sizeof *profile->files);
    if (!profile->files)
        return false;
    profile->n_files = r->n_files;
    if (r->n_files > 0)
        memcpy(profile->files, r->files, r->n_files * sizeof *profile->files);
    return true;
}

/* Checks the number in the last record, so that a file that was cut short is not read as a shorter one. */
static eti_status check_end(reader *r) {
    uint64_t n_records;
    size_t n_before = r->file->n_records - 1;
    r->at = n_before;
    if (!eti__text_is(baseline_field(r, 0), ETI_BASELINE_END))
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: its last record is not " ETI_BASELINE_END
                        ",NUMBER: the file was cut short, or records were added after it: restore "
                        "the file, or save it again",
                        r->name);
    if (!eti__read_u64(baseline_field(r, 1), UINT64_MAX, &n_records))
        return fail_baseline(r, "expected the number of records before it");
    if (n_records != n_before)
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: %zu records precede the last one, which says %" PRIu64
                        ": records were lost or added; restore the file, or, if you edited it, "
                        "correct the number",
                        r->name, n_before, n_records);
    return ETI_OK;
}

static eti_status read_records(reader *r) {
    eti_profile *profile = r->profile;
    ETI_TRY(read_header(r));
    ETI_TRY(check_end(r));
    for (r->at = 1; r->at < r->file->n_records - 1; r->at++)
        ETI_TRY(read_record(r));
    ETI_TRY(end_block(r));
    if (r->n_blocks == 0 && !r->figures)
        return fail_baseline(r, "the file has no blocks");
    profile->blocks = eti__arena_alloc(&profile->arena, r->n_blocks, sizeof *profile->blocks);
    if (!profile->blocks ||
        !eti__arena_own_text(&profile->arena, eti__text_of(r->name), &profile->name))
        return eti_fail_memory(r->err);
    if (r->n_blocks > 0)
        memcpy(profile->blocks, r->blocks, r->n_blocks * sizeof *profile->blocks);
    profile->n_blocks = r->n_blocks;
    if (!copy_files(r) || !eti__profile_label_blocks(profile))
        return eti_fail_memory(r->err);
    eti_error why = ETI_ERROR_INIT;
    eti_status status = eti__profile_add_labels(profile, r->labels, r->n_labels, &why);
    if (status == ETI_OK)
        status = eti__profile_check_files(profile, &why);
    if (status == ETI_ERROR_USAGE) /* in a file, it is a fault of the file */
        return eti_fail(r->err, ETI_ERROR_MALFORMED, "%s: %s", r->name, why.message);
    return status == ETI_OK ? ETI_OK : eti_fail_memory(r->err);
}

static eti_status read_file(eti_profile *profile, const struct eti_file *file, eti_error *err) {
    eti_csv_file records;
    reader r = {
        .profile = profile, .name = file->name, .file = &records, .size = file->size, .err = err};
    eti_text text = eti__text_skip_mark((eti_text){(const char *)file->data, file->size});
    eti_status status = eti__csv_read(&records, file->name, text.data, text.size, err);
    if (status == ETI_OK)
        status = read_records(&r);
    free(r.labels);
    free(r.blocks);
    free(r.entries);
    free(r.files);
    free(r.scratch);
    eti__csv_free(&records);
    return status;
}

eti_status eti__profile_read(eti_profile **out, const eti_source *source,
                             const eti_options *options, eti_error *err) {
    static const eti_options defaults = ETI_OPTIONS_DEFAULT;
    eti_profile *profile = eti__profile_new();
    *out = NULL;
    if (!profile)
        return eti_fail_memory(err);
    profile->target_scale = options ? options->target_time_scale : defaults.target_time_scale;
    profile->clock_hz = options ? options->clock_hz : 0;
    eti_status status = eti__input_open(&profile->file, source, ETI_FILE_BASELINE, err);
    if (status == ETI_OK)
        status = read_file(profile, &profile->file, err);
    if (status == ETI_OK)
        *out = profile;
    else
        eti_profile_free(profile);
    return status;
}
