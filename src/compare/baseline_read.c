/*
 * baseline_read.c - turns a baseline into a profile.
 */
#include "account/grouping.h"
#include "account/op_type.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/text.h"
#include "compare/baseline.h"
#include "compare/profile.h"
#include "read/input.h"
#include "stats/timescale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS ((uint64_t)1 << 31)
#define MOST_LABELS 1000
#define N_SUMMARY 6

enum {
    FIELD_KIND,
    FIELD_NAME,
    FIELD_OP,
    FIELD_MODULE,
    FIELD_BACKEND,
    FIELD_ID,
    FIELD_HANDLES,
    FIELD_FILE,
    FIELD_LINE,
    FIELD_CODE,
    FIELD_TICKS,
    N_FIELDS
};

typedef struct reader {
    eti_profile *profile;
    const char *name;
    const eti_csv_file *file;
    size_t at; /* number of the record at hand, from 0 on */
    eti_label *labels;
    size_t n_labels, label_capacity;
    eti_profile_block *blocks;
    size_t n_blocks, block_capacity;
    eti_entry *entries; /* of the block at hand */
    size_t n_entries, entry_capacity;
    size_t n_files; /* the most of a block */
    bool has_time_scale;
    eti_error *err;
} reader;

static eti_status fail(const reader *r, const char *what) {
    return eti_fail(r->err, ETI_ERROR_MALFORMED, "%s: record %zu: %s", r->name, r->at + 1, what);
}

/* Field i of the record at hand. */
static eti_text field(const reader *r, size_t i) {
    return eti__csv_field(&r->file->records[r->at], i);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Takes a number up to `end`; false if there is no number or it is above `most`. */
static bool take_u64(const char **at, const char *end, uint64_t most, uint64_t *out) {
    const char *first = *at;
    *out = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (*out > (most - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return *at > first;
}

static bool read_u64(eti_text text, uint64_t most, uint64_t *out) {
    const char *at = text.data, *end = text.data + text.size;
    return take_u64(&at, end, most, out) && at == end;
}

static bool read_double(eti_text text, double *out) {
    char digits[64], *end;
    if (text.size == 0 || text.size >= sizeof digits || text.data[0] < '0' || text.data[0] > '9')
        return false;
    memcpy(digits, text.data, text.size);
    digits[text.size] = '\0';
    *out = strtod(digits, &end);
    return end == digits + text.size && isfinite(*out);
}

/* ---- the head -------------------------------------------------------------------------------- */

static eti_status read_header(reader *r) {
    uint64_t version;
    if (r->file->n_records == 0 || !eti__text_is(field(r, 0), ETI_BASELINE_MAGIC))
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: no baseline: expected " ETI_BASELINE_MAGIC
                        " at the beginning; see etinspect baseline save",
                        r->name);
    if (!read_u64(field(r, 1), UINT32_MAX, &version))
        return fail(r, "expected the version of the format, a number");
    if (version != ETI_BASELINE_VERSION)
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: a baseline of version %.*s, but only version %d is known: save it "
                        "again, or use a newer etinspect",
                        r->name, ETI_TEXT_ARGS(field(r, 1)), ETI_BASELINE_VERSION);
    r->profile->has_ticks = !eti__text_is(field(r, 2), "summary");
    if (r->profile->has_ticks && field(r, 2).size > 0)
        return fail(r, "expected nothing or summary behind the version");
    return ETI_OK;
}

static eti_status read_time_scale(reader *r) {
    eti_profile *profile = r->profile;
    char name[16];
    eti_text text = field(r, 1), hertz = field(r, 2);
    if (r->n_blocks > 0 || r->has_time_scale)
        return fail(r, "the time scale must stand before the first block, and once");
    r->has_time_scale = true;
    snprintf(name, sizeof name, "%.*s", (int)(text.size < 15 ? text.size : 15), text.data);
    if (!eti_time_scale_parse(name, &profile->source_scale))
        return fail(r, "expected a time scale: ns, us, ms, s or cycles");
    if (hertz.size > 0 && (!read_double(hertz, &profile->clock_hz) || profile->clock_hz <= 0))
        return fail(r, "expected the cycles a second, a number above 0");
    bool is_cycles = profile->source_scale == ETI_SCALE_CYCLES;
    if (!eti__time_scales_fit(profile->source_scale, profile->target_scale, profile->clock_hz))
        return eti_fail(r->err, ETI_ERROR_USAGE,
                        "%s: its time is counted in %s, which is not shown in %s: give "
                        "%starget_time_scale%s%s%s",
                        r->name, eti_time_scale_name(profile->source_scale),
                        eti_time_scale_name(profile->target_scale), eti__option_prefix(),
                        is_cycles ? " cycles, or " : "", is_cycles ? eti__option_prefix() : "",
                        is_cycles ? "clock_hz" : "");
    profile->factor =
        eti__time_scale_factor(profile->source_scale, profile->target_scale, profile->clock_hz);
    return ETI_OK;
}

/* A copy as a C string; one with a NUL ends there. NULL: out of memory. */
static char *copy_string(reader *r, eti_text text) {
    char *copy = eti__arena_alloc(&r->profile->arena, text.size + 1, 1);
    if (!copy)
        return NULL;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

static eti_status read_label(reader *r) {
    char *key = copy_string(r, field(r, 1)), *value = copy_string(r, field(r, 2));
    if (!key || !value || !ETI_GROW(r->labels, r->label_capacity, r->n_labels + 1))
        return eti_fail_memory(r->err);
    if (*key == '\0')
        return fail(r, "a label without a key");
    if (r->n_labels == MOST_LABELS)
        return eti_fail(r->err, ETI_ERROR_LIMIT, "%s: more than %d labels", r->name, MOST_LABELS);
    r->labels[r->n_labels++] = (eti_label){key, value};
    return ETI_OK;
}

/* ---- operators of version 1 ------------------------------------------------------------------ */

/* Whether op lists several: it has " + " inside. */
static bool has_several(eti_text op) {
    return eti__text_contains(op, eti__text_of(" + "));
}

/* As account/op_type.h has it, as far as version 1 tells. */
static eti_text op_type_of(const eti_entry *entry, bool logs_inside) {
    if (eti__role_is_framework((eti_role)entry->role))
        return eti__op_type_group(ETI_OP_TYPE_FRAMEWORK);
    if (has_several(entry->op))
        return eti__op_type_group(ETI_OP_TYPE_SEVERAL);
    if (entry->op.data)
        return entry->op;
    if (entry->role == ETI_ROLE_DELEGATE_CALL && logs_inside)
        return eti__op_type_group(ETI_OP_TYPE_NOT_LOGGED);
    eti_text name = eti__fold_op_name(entry->name);
    return name.size > 0 ? name : eti__text_of(ETI_GROUP_NO_NAME);
}

static void set_op_types(eti_entry *entries, size_t n) {
    bool logs_inside = false;
    for (size_t i = 0; i < n; i++)
        logs_inside = logs_inside || entries[i].role == ETI_ROLE_DELEGATED;
    for (size_t i = 0; i < n; i++)
        entries[i].op_type = op_type_of(&entries[i], logs_inside);
}

/* ---- blocks and entries ---------------------------------------------------------------------- */

static eti_status end_block(reader *r) {
    if (r->n_blocks == 0)
        return ETI_OK;
    eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    if (r->n_entries == 0)
        return fail(r, "the block before this has no entries");
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

/* Where the runs of each file but the first begin. */
static eti_status read_files(reader *r, eti_profile_block *block) {
    eti_text text = field(r, 5);
    const char *at = text.data, *end = text.data + text.size;
    size_t most = 1;
    for (size_t i = 0; i < text.size; i++)
        most += text.data[i] == ';';
    eti_file_runs *files = eti__arena_alloc_zero(&r->profile->arena, most + 1, sizeof *files);
    if (!files)
        return eti_fail_memory(r->err);
    block->files = files;
    block->n_files = 1;
    while (text.size > 0) {
        uint64_t first;
        if (!take_u64(&at, end, MOST_RUNS, &first) || first <= files[block->n_files - 1].first ||
            first >= block->n_runs || (at < end && *at != ';'))
            return fail(r, "expected where files begin: numbers with ; between them, each larger "
                           "than the one before and less than the number of runs");
        files[block->n_files] =
            (eti_file_runs){.file = (uint32_t)block->n_files, .first = (size_t)first};
        block->n_files++;
        if (at++ == end)
            break;
    }
    for (size_t i = 0; i < block->n_files; i++)
        files[i].n = (i + 1 < block->n_files ? files[i + 1].first : block->n_runs) - files[i].first;
    if (block->n_files > r->n_files)
        r->n_files = block->n_files;
    return ETI_OK;
}

static eti_status read_block(reader *r) {
    uint64_t index = 0, n_runs, n_skipped;
    ETI_TRY(end_block(r));
    if (!r->has_time_scale)
        return fail(r, "expected time_scale,SCALE before the first block");
    if (!ETI_GROW(r->blocks, r->block_capacity, r->n_blocks + 1))
        return eti_fail_memory(r->err);
    if ((field(r, 2).size > 0 && !read_u64(field(r, 2), UINT32_MAX, &index)) ||
        !read_u64(field(r, 3), MOST_RUNS - 1, &n_runs) || n_runs == 0 ||
        !read_u64(field(r, 4), MOST_RUNS - 1, &n_skipped))
        return fail(r,
                    "expected block,NAME,INPUT,RUNS,SKIPPED,FILES with a number of runs from 1 on");
    eti_profile_block *block = &r->blocks[r->n_blocks++];
    *block = (eti_profile_block){.n_runs = (size_t)n_runs, .n_skipped = (size_t)n_skipped};
    block->bundled_input_index = field(r, 2).size > 0 ? (int32_t)index : -1;
    if (!eti__arena_copy_text(&r->profile->arena, field(r, 1), &block->name))
        return eti_fail_memory(r->err);
    return read_files(r, block);
}

static eti_status read_summary(reader *r, eti_entry *entry) {
    double values[N_SUMMARY];
    eti_text text = field(r, FIELD_TICKS);
    const char *at = text.data, *end = text.data + text.size;
    for (size_t i = 0; i < N_SUMMARY; i++) {
        const char *next = memchr(at, ';', (size_t)(end - at));
        if (!next)
            next = end;
        if (!read_double((eti_text){at, (size_t)(next - at)}, &values[i]) ||
            (next == end) != (i == N_SUMMARY - 1))
            return fail(r, "expected p10;p50;p90;avg;min;max, numbers from 0 on");
        at = next + (next < end);
    }
    eti_file_times *times = eti__arena_alloc(&r->profile->arena, 1, sizeof *times);
    if (!times)
        return eti_fail_memory(r->err);
    *times = (eti_file_times){(double)NAN, values[0], values[1], values[2],
                              values[3],   values[4], values[5]};
    entry->times = times;
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    return eti__entry_set_summary(r->profile, block, entry) ? ETI_OK : eti_fail_memory(r->err);
}

static eti_status read_ticks(reader *r, eti_entry *entry) {
    const eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    size_t n_runs = block->n_runs;
    eti_text text = field(r, FIELD_TICKS);
    const char *at = text.data, *end = text.data + text.size;
    if (text.size < 2 * n_runs - 1)
        return fail(r, "fewer ticks than the block has runs");
    uint64_t *ticks = eti__arena_alloc(&r->profile->arena, n_runs, sizeof *ticks);
    if (!ticks)
        return eti_fail_memory(r->err);
    for (size_t i = 0; i < n_runs; i++) {
        if (!take_u64(&at, end, UINT64_MAX, &ticks[i]))
            return fail(r, "expected ticks, numbers with ; between them, as many as runs");
        if (i + 1 < n_runs && (at == end || *at++ != ';'))
            return fail(r, "fewer ticks than the block has runs");
    }
    if (at != end)
        return fail(r, "more ticks than the block has runs");
    return eti__entry_set_ticks(r->profile, block, entry, ticks) ? ETI_OK : eti_fail_memory(r->err);
}

static bool copy_texts(reader *r, eti_entry *entry) {
    eti_arena *arena = &r->profile->arena;
    const struct {
        size_t field;
        eti_text *out;
    } texts[] = {
        {FIELD_OP, &entry->op},           {FIELD_MODULE, &entry->module},
        {FIELD_BACKEND, &entry->backend}, {FIELD_ID, &entry->delegate_id},
        {FIELD_HANDLES, &entry->handles}, {FIELD_FILE, &entry->file},
        {FIELD_CODE, &entry->code},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        eti_text text = field(r, texts[i].field);
        if (text.size > 0 && !eti__arena_copy_text(arena, text, texts[i].out))
            return false;
    }
    return eti__arena_copy_text(arena, field(r, FIELD_NAME), &entry->name);
}

/* Totals come first, each once, in the order of their kinds. */
static bool is_in_order(const reader *r, uint8_t kind) {
    if (r->n_entries == 0 || kind >= ETI_N_TOTALS)
        return true;
    return r->entries[r->n_entries - 1].kind < kind;
}

static eti_status take_allocated(reader *r, const eti_entry *entry) {
    eti_profile_block *block = &r->blocks[r->n_blocks - 1];
    if (block->allocated)
        return fail(r, "what the block allocated is there twice");
    block->allocated = eti__arena_alloc(&r->profile->arena, 1, sizeof *block->allocated);
    if (!block->allocated)
        return eti_fail_memory(r->err);
    *block->allocated = *entry;
    return ETI_OK;
}

static eti_status read_entry(reader *r) {
    eti_entry entry = {0};
    uint64_t line = 0;
    if (!eti__entry_set_kind(&entry, field(r, FIELD_KIND)))
        return fail(r,
                    "expected time_scale, method, label, columns, block or the kind of an entry");
    if (r->n_blocks == 0)
        return fail(r, "an entry before the first block");
    if (!is_in_order(r, entry.kind))
        return fail(r, "a total out of order, or twice: execute, operators, delegates, framework "
                       "and loading come first, in this order");
    if (field(r, FIELD_LINE).size > 0 && !read_u64(field(r, FIELD_LINE), UINT32_MAX, &line))
        return fail(r, "expected the line of the source, a number");
    entry.line = (uint32_t)line;
    if (!ETI_GROW(r->entries, r->entry_capacity, r->n_entries + 1) || !copy_texts(r, &entry))
        return eti_fail_memory(r->err);
    if (r->profile->has_ticks)
        ETI_TRY(read_ticks(r, &entry));
    else
        ETI_TRY(read_summary(r, &entry));
    if (entry.kind == ETI_ENTRY_ALLOCATED)
        return take_allocated(r, &entry);
    r->entries[r->n_entries++] = entry;
    return ETI_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static eti_status read_record(reader *r) {
    eti_text kind = field(r, 0);
    if (eti__text_is(kind, "time_scale"))
        return read_time_scale(r);
    if (eti__text_is(kind, "label"))
        return read_label(r);
    if (eti__text_is(kind, "block"))
        return read_block(r);
    if (eti__text_is(kind, "columns"))
        return ETI_OK;
    if (!eti__text_is(kind, "method"))
        return read_entry(r);
    return field(r, 1).size == 0 ||
                   eti__arena_copy_text(&r->profile->arena, field(r, 1), &r->profile->method)
               ? ETI_OK
               : eti_fail_memory(r->err);
}

static eti_status read_records(reader *r) {
    eti_profile *profile = r->profile;
    ETI_TRY(read_header(r));
    for (r->at = 1; r->at < r->file->n_records; r->at++)
        ETI_TRY(read_record(r));
    ETI_TRY(end_block(r));
    if (r->n_blocks == 0)
        return fail(r, "the file has no blocks");
    profile->blocks = eti__arena_alloc(&profile->arena, r->n_blocks, sizeof *profile->blocks);
    if (!profile->blocks ||
        !eti__arena_copy_text(&profile->arena, eti__text_of(r->name), &profile->name))
        return eti_fail_memory(r->err);
    memcpy(profile->blocks, r->blocks, r->n_blocks * sizeof *profile->blocks);
    profile->n_blocks = r->n_blocks;
    profile->files = eti__arena_alloc(&profile->arena, r->n_files, sizeof *profile->files);
    if (!profile->files)
        return eti_fail_memory(r->err);
    for (; profile->n_files < r->n_files; profile->n_files++)
        profile->files[profile->n_files] = (eti_profile_file){.name = profile->name};
    /* Version 1 does not know its files: one of them stands for it. */
    profile->files[0].size = profile->file.size;
    profile->files[0].data = profile->file.data;
    eti_error why = ETI_ERROR_INIT;
    eti_status status = eti__profile_add_labels(profile, r->labels, r->n_labels, &why);
    if (status == ETI_ERROR_USAGE) /* to a file it is something else */
        return eti_fail(r->err, ETI_ERROR_MALFORMED, "%s: %s", r->name, why.message);
    return status == ETI_OK ? ETI_OK : eti_fail_memory(r->err);
}

static eti_status read_file(eti_profile *profile, const struct eti_file *file, eti_error *err) {
    eti_csv_file records;
    reader r = {.profile = profile, .name = file->name, .file = &records, .err = err};
    eti_status status = eti__csv_read(&records, file->name, file->data, file->size, err);
    if (status == ETI_OK)
        status = read_records(&r);
    free(r.labels);
    free(r.blocks);
    free(r.entries);
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
    eti_status status = eti__input_open(&profile->file, source, err);
    if (status == ETI_OK)
        status = read_file(profile, &profile->file, err);
    if (status == ETI_OK)
        *out = profile;
    else
        eti_profile_free(profile);
    return status;
}
