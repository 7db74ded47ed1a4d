/*
 * baseline_read.c - turns a baseline into a profile.
 */
#include "account/account.h"
#include "profile/baseline.h"
#include "profile/baseline_parts.h"
#include "profile/delegate_scales.h"
#include "rollup/rollup.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LABELS 1000

typedef eti_baseline_reader reader;

eti_status eti__baseline_fail(const reader *r, const char *what) {
    return eti_fail(r->err, ETI_ERROR_MALFORMED, "%s: record %zu: %s", r->name, r->at + 1, what);
}

eti_text eti__baseline_field(const reader *r, size_t i) {
    return eti__csv_field(&r->file->records[r->at], i);
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool eti__read_double(eti_text text, double *out) {
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

bool eti__take_item(eti_text text, char separator, const char **at, eti_text *out) {
    const char *end = text.data + text.size;
    const char *from = *at ? *at + 1 : text.data; /* after the last separator */
    if (*at == end)
        return false;
    const char *next = from < end ? memchr(from, separator, (size_t)(end - from)) : NULL;
    *at = next ? next : end;
    *out = (eti_text){from, (size_t)(*at - from)};
    return true;
}

size_t eti__count_items(eti_text text, char separator) {
    size_t n = 1;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == separator;
    return n;
}

/* ---- the header ------------------------------------------------------------------------------ */

static eti_status read_header(reader *r) {
    uint64_t version;
    if (r->file->n_records == 0 || !eti__text_is(eti__baseline_field(r, 0), ETI_BASELINE_MAGIC))
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: not a baseline: expected " ETI_BASELINE_MAGIC
                        " at the beginning; see etinspect baseline save",
                        r->name);
    if (!eti__read_u64(eti__baseline_field(r, 1), UINT32_MAX, &version))
        return eti__baseline_fail(r, "expected the version of the format, a number");
    if (version != ETI_BASELINE_VERSION)
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: a baseline of version %" PRIu64 ", but only version %d is supported: "
                        "save it again with etinspect baseline save",
                        r->name, version, ETI_BASELINE_VERSION);
    eti_text form = eti__baseline_field(r, 2);
    r->profile->has_ticks = eti__text_is(form, "samples");
    if (form.size > 0 && !r->profile->has_ticks)
        return eti__baseline_fail(r, "expected nothing or samples after the version");
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
        eti_text text = eti__baseline_field(r, i);
        size_t at = text.size;
        eti_time_scale scale;
        while (at > 0 && text.data[at - 1] != '=')
            at--;
        if (at == 0 || !read_scale((eti_text){text.data + at, text.size - at}, &scale))
            return eti__baseline_fail(r, "expected the time scale of a delegate, BACKEND=SCALE");
        if (!eti__delegate_scales_add(r->profile, (eti_text){text.data, at - 1}, scale))
            return eti_fail_memory(r->err);
    }
    return ETI_OK;
}

static eti_status read_time_scale(reader *r) {
    eti_profile *profile = r->profile;
    eti_text text = eti__baseline_field(r, 1), hertz = eti__baseline_field(r, 2);
    if (r->n_blocks > 0 || r->has_time_scale)
        return eti__baseline_fail(r,
                                  "the time scale must come before the first block, and only once");
    r->has_time_scale = true;
    if (!read_scale(text, &profile->source_scale))
        return eti__baseline_fail(r, "expected a time scale: ns, us, ms, s or cycles");
    if (hertz.size > 0 && (!eti__read_double(hertz, &profile->clock_hz) || profile->clock_hz <= 0))
        return eti__baseline_fail(r, "expected the cycles per second, a number above 0");
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

/* Copies the text as a C string, which ends at the first NUL. NULL: out of memory. */
static char *copy_string(reader *r, eti_text text) {
    char *copy = eti__arena_alloc(&r->profile->arena, text.size + 1, 1);
    if (!copy)
        return NULL;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

static eti_status read_label(reader *r) {
    char *key = copy_string(r, eti__baseline_field(r, 1)),
         *value = copy_string(r, eti__baseline_field(r, 2));
    if (!key || !value || !ETI_GROW(r->labels, r->label_capacity, r->n_labels + 1))
        return eti_fail_memory(r->err);
    if (*key == '\0')
        return eti__baseline_fail(r, "a label without a key");
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
        logs_inside = logs_inside || entries[i].role == ETI_ROLE_DELEGATED;
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
        return eti__baseline_fail(r, "the previous block has no entries");
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
    eti_text input = eti__baseline_field(r, 2);
    ETI_TRY(end_block(r));
    if (!r->has_time_scale)
        return eti__baseline_fail(r, "expected time_scale,SCALE before the first block");
    if (input.size > 0 && !eti__read_u64(input, UINT32_MAX, &index))
        return eti__baseline_fail(r, "expected the number of a bundled input, or nothing");
    if (!ETI_GROW(r->blocks, r->block_capacity, r->n_blocks + 1))
        return eti_fail_memory(r->err);
    eti_profile_block *block = &r->blocks[r->n_blocks++];
    *block = (eti_profile_block){.bundled_input_index = input.size > 0 ? (int32_t)index : -1};
    eti_text method = eti__baseline_field(r, 5);
    if (!eti__arena_copy_text(&r->profile->arena, eti__baseline_field(r, 1), &block->name) ||
        (method.size > 0 && !eti__arena_copy_text(&r->profile->arena, method, &block->method)))
        return eti_fail_memory(r->err);
    return eti__baseline_read_runs(r, block);
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
        {origin_field(r), &entry->origin},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        eti_text text = eti__baseline_field(r, texts[i].field);
        if (text.size > 0 && !eti__arena_copy_text(arena, text, texts[i].out))
            return false;
    }
    return eti__arena_copy_text(arena, eti__baseline_field(r, ETI_FIELD_NAME), &entry->name);
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
        return eti__baseline_fail(r, "the allocated bytes of the block are given twice");
    block->allocated = eti__arena_alloc(&r->profile->arena, 1, sizeof *block->allocated);
    if (!block->allocated)
        return eti_fail_memory(r->err);
    *block->allocated = *entry;
    return ETI_OK;
}

static eti_status read_entry(reader *r) {
    eti_entry entry = {0};
    uint64_t line = 0;
    if (!eti__entry_set_kind(&entry, eti__baseline_field(r, ETI_FIELD_KIND)))
        return eti__baseline_fail(
            r, "expected time_scale, method, label, file, columns, block or the kind of an "
               "entry");
    if (r->n_blocks == 0)
        return eti__baseline_fail(r, "an entry comes before the first block");
    if (!is_in_order(r, entry.kind))
        return eti__baseline_fail(
            r, "a total is out of order, or given twice: execute, operators, delegates, framework "
               "and loading come first, in this order");
    if (eti__baseline_field(r, ETI_FIELD_LINE).size > 0 &&
        !eti__read_u64(eti__baseline_field(r, ETI_FIELD_LINE), UINT32_MAX, &line))
        return eti__baseline_fail(r, "expected the line of the source, a number");
    entry.line = (uint32_t)line;
    if (!ETI_GROW(r->entries, r->entry_capacity, r->n_entries + 1) || !copy_texts(r, &entry))
        return eti_fail_memory(r->err);
    ETI_TRY(eti__baseline_read_times(r, &entry));
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
        return eti__baseline_fail(r, "figures of the program must come before the first block");
    if (!eti__read_u64(eti__baseline_field(r, 2), UINT64_MAX, &value))
        return eti__baseline_fail(r, "expected a figure of the program and its value, a number");
    if (!r->figures)
        r->figures = eti__arena_alloc_zero(&profile->arena, 1, sizeof *r->figures);
    if (!r->figures)
        return eti_fail_memory(r->err);
    profile->figures = r->figures;
    if (eti__figure_find(eti__baseline_field(r, 1), &figure)) {
        r->figures->values[figure] = value;
        r->figures->are_known[figure] = true;
    }
    return ETI_OK;
}

/* ---- the whole baseline ---------------------------------------------------------------------- */

static eti_status read_record(reader *r) {
    eti_text kind = eti__baseline_field(r, 0);
    if (eti__text_is(kind, "time_scale"))
        return read_time_scale(r);
    if (eti__text_is(kind, "label"))
        return read_label(r);
    if (eti__text_is(kind, "program"))
        return read_figure(r);
    if (eti__text_is(kind, "file"))
        return eti__baseline_read_file(r);
    if (eti__text_is(kind, "block"))
        return read_block(r);
    if (eti__text_is(kind, "columns"))
        return ETI_OK;
    if (!eti__text_is(kind, "method"))
        return read_entry(r);
    return eti__baseline_field(r, 1).size == 0 ||
                   eti__arena_copy_text(&r->profile->arena, eti__baseline_field(r, 1),
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
    if (!eti__text_is(eti__baseline_field(r, 0), ETI_BASELINE_END))
        return eti_fail(r->err, ETI_ERROR_MALFORMED,
                        "%s: its last record is not " ETI_BASELINE_END
                        ",NUMBER: the file was cut short, or records were added after it: restore "
                        "the file, or save it again",
                        r->name);
    if (!eti__read_u64(eti__baseline_field(r, 1), UINT64_MAX, &n_records))
        return eti__baseline_fail(r, "expected the number of records before it");
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
        return eti__baseline_fail(r, "the file has no blocks");
    profile->blocks = eti__arena_alloc(&profile->arena, r->n_blocks, sizeof *profile->blocks);
    if (!profile->blocks ||
        !eti__arena_copy_text(&profile->arena, eti__text_of(r->name), &profile->name))
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
