/*
 * baseline_save.c - turns a profile into a baseline.
 */
#include "profile/profile.h"

#include "base/csv.h"
#include "profile/baseline_read.h"
#include "profile/parts.h"
#include "table/table.h"

#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct saving {
    eti_output *output;
    eti_buffer text, field;
    bool samples;
    const eti_profile *profile;
    const eti_figures *figures;     /* figures of the program; NULL if unknown */
    const eti_profile_block *block; /* the current one */
    uint64_t n_records;             /* written so far */
} saving;

/* Appends a field, with a comma before it: the first field of a record is written without this function. */
static void add(saving *s, eti_text text) {
    s->field.size = 0;
    eti__buffer_add_char(&s->field, ',');
    eti__csv_add_field(&s->field, text);
    eti__output_add_text(s->output, eti__buffer_text(&s->field));
}

static void add_number(saving *s, uint64_t value) {
    char digits[20];
    const char *first = eti__write_u64(digits + sizeof digits, value);
    add(s, (eti_text){first, (size_t)(digits + sizeof digits - first)});
}

static void end_record(saving *s) {
    eti__output_add(s->output, "\n", 1);
    s->n_records++;
}

/* Appends the number without a final ".0". */
static void write_double(eti_buffer *text, double value) {
    char digits[ETI_DOUBLE_TEXT_MAX];
    size_t n = eti__double_repr(digits, value);
    if (n > 2 && memcmp(digits + n - 2, ".0", 2) == 0)
        n -= 2;
    eti__buffer_add(text, digits, n);
}

static void write_number(eti_buffer *text, uint64_t value) {
    char digits[20];
    const char *first = eti__write_u64(digits + sizeof digits, value);
    eti__buffer_add(text, first, (size_t)(digits + sizeof digits - first));
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Appends the item of file number k of the block to s->text. */
typedef void (*item_writer)(saving *s, const eti_entry *entry, size_t k, size_t offset);

/* Appends a field with an item for each file of the profile; the item is empty if the file does not have the block. */
static void add_list(saving *s, char separator, item_writer write, const eti_entry *entry,
                     size_t offset) {
    size_t k = 0;
    s->text.size = 0;
    for (size_t file = 0; file < s->profile->n_files; file++) {
        if (file > 0)
            eti__buffer_add_char(&s->text, separator);
        if (k < s->block->n_files && s->block->files[k].file == file)
            write(s, entry, k++, offset);
    }
    add(s, eti__buffer_text(&s->text));
}

static void write_runs(saving *s, const eti_entry *entry, size_t k, size_t offset) {
    (void)entry;
    (void)offset;
    write_number(&s->text, s->block->files[k].n);
}

static void write_skipped(saving *s, const eti_entry *entry, size_t k, size_t offset) {
    (void)entry;
    (void)offset;
    write_number(&s->text, s->block->files[k].n_skipped);
}

static void write_time(saving *s, const eti_entry *entry, size_t k, size_t offset) {
    double value;
    memcpy(&value, (const char *)&entry->times[k] + offset, sizeof value);
    if (!isnan(value))
        write_double(&s->text, value);
}

static void write_ticks(saving *s, const eti_entry *entry, size_t k, size_t offset) {
    const eti_file_runs *runs = &s->block->files[k];
    (void)offset;
    for (size_t i = 0; i < runs->n && !eti__file_lacks_entry(&entry->times[k]); i++) {
        if (i > 0)
            eti__buffer_add_char(&s->text, ';');
        write_number(&s->text, entry->ticks[runs->first + i]);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void add_known(saving *s, uint64_t value) {
    if (value > 0)
        add_number(s, value);
    else
        add(s, eti__text_of(""));
}

static void add_times(saving *s, const eti_entry *entry) {
    add_known(s, entry->step);
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS; i++)
        add_list(s, ';', write_time, entry, eti__baseline_lists[i].offset);
}

static void add_entry(saving *s, const eti_entry *entry) {
    const eti_text texts[] = {entry->name,    entry->op,          entry->op_type, entry->module,
                              entry->backend, entry->delegate_id, entry->handles, entry->file};
    eti__output_add_string(s->output, eti__entry_kind_name(entry));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(s, texts[i]);
    add_known(s, entry->line);
    add(s, entry->code);
    if (s->samples)
        add_list(s, '|', write_ticks, entry, 0);
    else
        add_times(s, entry);
    if (entry->origin.data || entry->unit.data)
        add(s, entry->origin);
    if (entry->unit.data)
        add(s, entry->unit);
    end_record(s);
}

static void add_block(saving *s, const eti_profile_block *block) {
    s->block = block;
    eti__output_add_string(s->output, "block");
    add(s, block->name);
    if (block->bundled_input_index != -1)
        add_number(s, (uint64_t)(uint32_t)block->bundled_input_index);
    else
        add(s, eti__text_of(""));
    add_list(s, ';', write_runs, NULL, 0);
    add_list(s, ';', write_skipped, NULL, 0);
    if (block->method.data)
        add(s, block->method);
    end_record(s);
    for (size_t i = 0; i < block->n_entries; i++)
        add_entry(s, &block->entries[i]);
    if (block->allocated)
        add_entry(s, block->allocated);
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Writes the labels shared by all files; the others follow their files. */
static void add_labels(saving *s) {
    for (size_t i = 0; i < s->profile->n_labels; i++) {
        const eti_label *label = &s->profile->labels[i];
        if (eti__label_may_differ(label->key))
            continue;
        eti__output_add_string(s->output, "label");
        add(s, eti__text_of(label->key));
        add(s, eti__text_of(label->value));
        end_record(s);
    }
}

static void add_figures(saving *s) {
    for (int i = 0; s->figures && i < ETI_N_FIGURES; i++) {
        if (!s->figures->are_known[i])
            continue;
        eti__output_add_string(s->output, "program");
        add(s, eti__text_of(eti__figure_names[i]));
        add_number(s, s->figures->values[i]);
        end_record(s);
    }
}

/* Writes a file without its folders, which mean nothing on another machine. */
static void add_file(saving *s, const eti_profile_file *file) {
    char digits[ETI_SHA256_DIGITS + 1] = "";
    if (!file->sha256.data && file->data)
        eti__sha256(file->data, (size_t)file->size, digits);
    eti__output_add_string(s->output, "file");
    add(s, eti__text_file_name(file->name));
    add_known(s, file->size);
    add(s, file->sha256.data ? file->sha256 : eti__text_of(digits));
    for (size_t i = 0; i < file->n_labels; i++) {
        s->text.size = 0;
        eti__buffer_printf(&s->text, "%s=%s", file->labels[i].key, file->labels[i].value);
        add(s, eti__buffer_text(&s->text));
    }
    if (file->n_merged > 0) {
        s->text.size = 0;
        eti__buffer_printf(&s->text, "files=%" PRIu32, file->n_merged);
        add(s, eti__buffer_text(&s->text));
    }
    end_record(s);
}

/* Finds out which of the last columns are needed; `unit` follows `node`. */
static void find_last_columns(const eti_profile *profile, bool *has_node, bool *has_unit) {
    *has_node = *has_unit = false;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        for (size_t k = 0; k < profile->blocks[i].n_entries; k++) {
            *has_node = *has_node || profile->blocks[i].entries[k].origin.data;
            *has_unit = *has_unit || profile->blocks[i].entries[k].unit.data;
        }
    }
    *has_node = *has_node || *has_unit;
}

static void add_columns(saving *s) {
    eti__output_add_string(
        s->output, "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code");
    if (s->samples)
        eti__output_add_string(s->output, ",ticks");
    else
        eti__output_add_string(s->output, ",step");
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS && !s->samples; i++)
        add(s, eti__text_of(eti__baseline_lists[i].name));
    bool has_node, has_unit;
    find_last_columns(s->profile, &has_node, &has_unit);
    eti__output_add_string(s->output, has_unit ? ",node,unit" : has_node ? ",node" : "");
    end_record(s);
}

/* Appends the scales of delegates after the frequency of the clock. */
static void add_delegate_scales(saving *s) {
    const eti_profile *profile = s->profile;
    if (profile->n_delegate_scales > 0 && !(profile->clock_hz > 0))
        add(s, eti__text_of(""));
    for (size_t i = 0; i < profile->n_delegate_scales; i++) {
        const eti_delegate_scale *of = &profile->delegate_scales[i];
        s->text.size = 0;
        if (of->backend.size > 0)
            eti__buffer_add(&s->text, of->backend.data, of->backend.size);
        eti__buffer_printf(&s->text, "=%s", eti_time_scale_name(of->scale));
        add(s, eti__buffer_text(&s->text));
    }
}

static void add_head(saving *s) {
    const eti_profile *profile = s->profile;
    eti__output_add_string(s->output, ETI_BASELINE_MAGIC);
    add_number(s, ETI_BASELINE_VERSION);
    if (s->samples)
        add(s, eti__text_of("samples"));
    end_record(s);
    eti__output_add_string(s->output, "time_scale");
    add(s, eti__text_of(eti_time_scale_name(profile->source_scale)));
    if (profile->clock_hz > 0) {
        s->text.size = 0;
        write_double(&s->text, profile->clock_hz);
        add(s, eti__buffer_text(&s->text));
    }
    add_delegate_scales(s);
    end_record(s);
    if (profile->method.data) {
        eti__output_add_string(s->output, "method");
        add(s, profile->method);
        end_record(s);
    }
    add_labels(s);
    add_figures(s);
    for (size_t i = 0; i < profile->n_files; i++)
        add_file(s, &profile->files[i]);
    add_columns(s);
}

/* ---- the whole baseline ---------------------------------------------------------------------- */

/* Writes the number of records before the last one, which shows that none is missing. */
static void add_end(saving *s) {
    eti__output_add_string(s->output, ETI_BASELINE_END);
    add_number(s, s->n_records);
    end_record(s);
}

bool eti__baseline_write(const eti_profile *profile, const eti_figures *figures, bool samples,
                         eti_output *output) {
    saving s = {.output = output, .samples = samples, .profile = profile, .figures = figures};
    add_head(&s);
    for (size_t i = 0; i < profile->n_blocks && !eti__output_failed(output); i++)
        add_block(&s, &profile->blocks[i]);
    add_end(&s);
    bool done = !s.field.failed && !s.text.failed;
    eti__buffer_free(&s.field);
    eti__buffer_free(&s.text);
    return done;
}

/* ---- merged pushes --------------------------------------------------------------------------- */

/* A profile with the files of each push but the last merged into one, and the file of it that each file goes to. */
typedef struct merging {
    const eti_profile *from;
    eti_profile *out;
    uint32_t *to;
    double *scratch; /* a value per file */
} merging;

/* Rounds a number of at least 0 to five digits. */
static double round_time(double value) {
    if (!(value > 0))
        return value;
    int exponent = (int)floor(log10(value)) - 4;
    double unit = pow(10, abs(exponent));
    return exponent > 0 ? round(value / unit) * unit : round(value * unit) / unit;
}

/* Sets the times of a merged push to the medians over those of its n files that have the entry. */
static void merge_times(const merging *m, const eti_file_times *times, size_t n,
                        eti_file_times *out) {
    *out = eti__no_file_times();
    for (size_t i = 0; i < ETI_N_BASELINE_LISTS; i++) {
        size_t offset = eti__baseline_lists[i].offset, n_known = 0;
        for (size_t k = 0; k < n; k++) {
            memcpy(&m->scratch[n_known], (const char *)&times[k] + offset, sizeof *m->scratch);
            n_known += isnan(m->scratch[n_known]) ? 0 : 1;
        }
        double median = n_known > 0 ? round_time(eti__median(m->scratch, n_known)) : (double)NAN;
        memcpy((char *)out + offset, &median, sizeof median);
    }
}

/* Returns how many files of a block, from number k on, go to the same file. */
static size_t count_alike(const merging *m, const eti_profile_block *block, size_t k) {
    size_t end = k + 1;
    while (end < block->n_files && m->to[block->files[end].file] == m->to[block->files[k].file])
        end++;
    return end - k;
}

static bool merge_entry(const merging *m, const eti_profile_block *block, eti_entry *entry) {
    eti_file_times *times = eti__arena_alloc(&m->out->arena, block->n_files, sizeof *times);
    size_t n_merged = 0;
    for (size_t k = 0, n; times && k < block->n_files; k += n) {
        n = count_alike(m, block, k);
        if (n > 1)
            merge_times(m, &entry->times[k], n, &times[n_merged++]);
        else
            times[n_merged++] = entry->times[k];
    }
    entry->times = times;
    entry->ticks = NULL;
    return times;
}

static bool merge_block(const merging *m, const eti_profile_block *from, eti_profile_block *out) {
    eti_arena *arena = &m->out->arena;
    eti_file_runs *files = eti__arena_alloc(arena, from->n_files, sizeof *files);
    *out = *from;
    out->n_files = 0;
    out->files = files;
    out->entries = eti__arena_alloc(arena, from->n_entries, sizeof *out->entries);
    bool done = files && out->entries;
    for (size_t k = 0, n; done && k < from->n_files; k += n) {
        eti_file_runs runs = {m->to[from->files[k].file], from->files[k].first, 0, 0};
        n = count_alike(m, from, k);
        for (size_t i = k; i < k + n; i++) {
            runs.n += from->files[i].n;
            runs.n_skipped += from->files[i].n_skipped;
        }
        files[out->n_files++] = runs;
    }
    for (size_t i = 0; done && i < from->n_entries; i++) {
        out->entries[i] = from->entries[i];
        done = merge_entry(m, from, &out->entries[i]);
    }
    if (!done || !from->allocated)
        return done;
    out->allocated = eti__arena_alloc(arena, 1, sizeof *out->allocated);
    if (!out->allocated)
        return false;
    *out->allocated = *from->allocated;
    return merge_entry(m, from, out->allocated);
}

static uint32_t files_of(const eti_profile_file *file) {
    return file->n_merged > 0 ? file->n_merged : 1;
}

/* Adds a file to the merged one, which keeps the labels that all have. */
static void merge_file(eti_profile_file *out, const eti_profile_file *file) {
    eti_label *labels = (eti_label *)out->labels;
    size_t n = 0;
    for (size_t i = 0; i < out->n_labels; i++) {
        const eti_label *found = eti__find_label(file->labels, file->n_labels, labels[i].key);
        if (found && strcmp(found->value, labels[i].value) == 0)
            labels[n++] = labels[i];
    }
    out->n_merged = files_of(out) + files_of(file);
    out->n_labels = n;
    out->size = 0;
    out->data = NULL;
    out->sha256 = (eti_text){NULL, 0};
}

static bool merge_files(const merging *m) {
    eti_profile *out = m->out;
    for (size_t i = 0; i < m->from->n_files; i++) {
        const eti_profile_file *file = &m->from->files[i];
        if (m->to[i] < out->n_files) {
            merge_file(&out->files[m->to[i]], file);
            continue;
        }
        eti_label *labels = eti__arena_alloc(&out->arena, file->n_labels + 1, sizeof *labels);
        if (!labels)
            return false;
        if (file->n_labels > 0)
            memcpy(labels, file->labels, file->n_labels * sizeof *labels);
        out->files[out->n_files] = *file;
        out->files[out->n_files++].labels = labels;
    }
    return true;
}

/* Makes the profile; it borrows from the one that is merged. False: out of memory. */
static bool merge_pushes(merging *m) {
    const eti_profile *from = m->from;
    size_t n_pushes = eti__profile_number_pushes(from, NULL, m->to), n = n_pushes - 1;
    for (size_t i = 0; i < from->n_files; i++)
        m->to[i] = m->to[i] + 1 < n_pushes ? m->to[i] : (uint32_t)n++;
    eti_profile *out = m->out;
    out->name = from->name;
    out->method = from->method;
    out->source_scale = from->source_scale;
    out->delegate_scales = from->delegate_scales;
    out->n_delegate_scales = from->n_delegate_scales;
    out->clock_hz = from->clock_hz;
    out->labels = from->labels;
    out->n_labels = from->n_labels;
    out->files = eti__arena_alloc(&out->arena, n, sizeof *out->files);
    out->blocks = eti__arena_alloc(&out->arena, from->n_blocks + 1, sizeof *out->blocks);
    bool done = out->files && out->blocks && merge_files(m);
    for (size_t i = 0; done && i < from->n_blocks; i++)
        done = merge_block(m, &from->blocks[i], &out->blocks[out->n_blocks++]);
    return done;
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* Writes a profile with the pushes merged. False: out of memory. */
static bool write_merged(const eti_profile *profile, const eti_figures *figures,
                         eti_output *output) {
    merging m = {.from = profile, .out = eti__profile_new()};
    m.to = malloc((profile->n_files + 1) * sizeof *m.to);
    m.scratch = malloc((profile->n_files + 1) * sizeof *m.scratch);
    bool done = m.out && m.to && m.scratch && merge_pushes(&m) &&
                eti__baseline_write(m.out, figures, false, output);
    free(m.to);
    free(m.scratch);
    eti_profile_free(m.out);
    return done;
}

static eti_status save(const eti_profile *profile, const char *path, bool samples,
                       const eti_baseline_options *options, eti_error *err) {
    eti_output *output;
    eti_figures figures;
    bool are_known;
    ETI_TRY(eti__profile_find_figures(&figures, &are_known, profile, err));
    ETI_TRY(eti__output_open(&output, path, err));
    if (options && options->no_sync)
        eti__output_leave_unsynced(output);
    const eti_figures *known = are_known ? &figures : NULL;
    bool merges = options && options->appends && !samples && profile->n_files > 0;
    if (merges ? write_merged(profile, known, output)
               : eti__baseline_write(profile, known, samples, output))
        return eti__output_commit(output, err);
    eti__output_discard(output);
    return eti_fail_memory(err);
}

/* Returns the name of a part that does not have the times of runs. */
static eti_text name_without_samples(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_parts; i++) {
        if (!profile->parts[i]->has_ticks)
            return profile->parts[i]->name;
    }
    return profile->name;
}

/* Returns whether the profile, or its first part, is a baseline with samples. */
static bool begins_with_samples(const eti_profile *profile) {
    const eti_profile *first = profile->n_parts > 0 ? profile->parts[0] : profile;
    return !first->inspector && first->has_ticks;
}

/* Sets `*out` to the number of files of the last n pushes. */
static eti_status count_last_files(const eti_profile *profile, size_t n, size_t *out,
                                   eti_error *err) {
    uint32_t *pushes = malloc((profile->n_files + 1) * sizeof *pushes);
    *out = 0;
    if (!pushes)
        return eti_fail_memory(err);
    size_t n_pushes = eti__profile_number_pushes(profile, NULL, pushes);
    for (size_t i = 0; i < profile->n_files; i++)
        *out += pushes[i] + n >= n_pushes;
    free(pushes);
    return ETI_OK;
}

eti_status eti__profile_save(const eti_profile *profile, const char *path,
                             const eti_baseline_options *options, eti_error *err) {
    bool samples =
        options && (options->samples || (options->appends && begins_with_samples(profile)));
    size_t n_files = profile->n_files;
    eti_profile *last;
    if (samples && !profile->has_ticks)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s does not contain the times of runs, which %s: give ETDumps, or a "
                        "baseline with them",
                        ETI_TEXT_ARGS(name_without_samples(profile)),
                        options->samples ? "should be written" : "the first baseline contains");
    if (!options || !options->allow_unlike)
        ETI_TRY(eti__profile_check_blocks(profile, err));
    if (options && options->n_pushes > 0)
        ETI_TRY(count_last_files(profile, options->n_pushes, &n_files, err));
    if (n_files == profile->n_files)
        return save(profile, path, samples, options, err);
    ETI_TRY(eti__profile_last_files(&last, profile, n_files, err));
    eti_status status = ETI_OK;
    if (last->n_blocks == 0)
        status = eti_fail(err, ETI_ERROR_DATA, "%.*s: no run of the last %zu files has a time",
                          ETI_TEXT_ARGS(profile->name), n_files);
    if (status == ETI_OK)
        status = save(last, path, samples, options, err);
    eti_profile_free(last);
    return status;
}
