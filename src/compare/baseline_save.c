/*
 * baseline_save.c - turns a profile into a baseline.
 */
#include "base/csv.h"
#include "base/double.h"
#include "base/text.h"
#include "compare/baseline.h"
#include "compare/profile.h"

#include <inttypes.h>
#include <string.h>

typedef struct saving {
    eti_output *output;
    eti_buffer text, field;
    bool summarise;
    const eti_profile *profile;
} saving;

/* A comma precedes every field except the first of a record. */
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

/* Without a final ".0". */
static void add_double(eti_buffer *text, double value) {
    char digits[ETI_DOUBLE_TEXT_MAX];
    size_t n = eti__double_repr(digits, value);
    if (n > 2 && memcmp(digits + n - 2, ".0", 2) == 0)
        n -= 2;
    eti__buffer_add(text, digits, n);
}

static void add_ticks(saving *s, const eti_entry *entry, size_t n_runs) {
    eti_buffer *text = &s->text;
    text->size = 0;
    if (s->summarise) {
        const eti_summary *of = &entry->summary;
        const double values[] = {of->p10, of->p50, of->p90, of->avg, of->min, of->max};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            eti__buffer_add_string(text, i > 0 ? ";" : "");
            add_double(text, values[i] * eti__entry_factor(s->profile, entry));
        }
    }
    for (size_t i = 0; i < n_runs && !s->summarise; i++) {
        char digits[20];
        const char *first = eti__write_u64(digits + sizeof digits, entry->ticks[i]);
        eti__buffer_add_string(text, i > 0 ? ";" : "");
        eti__buffer_add(text, first, (size_t)(digits + sizeof digits - first));
    }
    add(s, eti__buffer_text(text));
}

static void add_entry(saving *s, const eti_entry *entry, size_t n_runs) {
    const eti_text texts[] = {entry->name,        entry->op,      entry->module, entry->backend,
                              entry->delegate_id, entry->handles, entry->file};
    eti__output_add_string(s->output, eti__entry_kind_name(entry));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add(s, texts[i]);
    if (entry->line > 0)
        add_number(s, entry->line);
    else
        add(s, eti__text_of(""));
    add(s, entry->code);
    add_ticks(s, entry, n_runs);
    eti__output_add(s->output, "\n", 1);
}

static void add_head(saving *s, const eti_profile *profile) {
    eti__output_add_string(s->output, ETI_BASELINE_MAGIC);
    add_number(s, ETI_BASELINE_VERSION);
    if (s->summarise)
        add(s, eti__text_of("summary"));
    eti__output_add_string(s->output, "\ntime_scale");
    add(s, eti__text_of(eti_time_scale_name(profile->source_scale)));
    if (profile->clock_hz > 0) {
        s->text.size = 0;
        add_double(&s->text, profile->clock_hz);
        add(s, eti__buffer_text(&s->text));
    }
    eti__output_add(s->output, "\n", 1);
    if (profile->method.data) {
        eti__output_add_string(s->output, "method");
        add(s, profile->method);
        eti__output_add(s->output, "\n", 1);
    }
    for (size_t i = 0; i < profile->n_labels; i++) {
        eti__output_add_string(s->output, "label");
        add(s, eti__text_of(profile->labels[i].key));
        add(s, eti__text_of(profile->labels[i].value));
        eti__output_add(s->output, "\n", 1);
    }
    eti__output_add_string(s->output,
                           "columns,name,op,module,backend,delegate_id,handles,file,line,code,");
    eti__output_add_string(s->output, s->summarise ? "p10;p50;p90;avg;min;max\n" : "ticks\n");
}

/* Where the runs of each file but the first begin; nothing where there is one. */
static void add_files(saving *s, const eti_profile_block *block) {
    if (block->n_files < 2 || s->summarise)
        return;
    s->text.size = 0;
    for (size_t i = 1; i < block->n_files; i++)
        eti__buffer_printf(&s->text, "%s%zu", i > 1 ? ";" : "", block->files[i].first);
    add(s, eti__buffer_text(&s->text));
}

static void add_block(saving *s, const eti_profile_block *block) {
    eti__output_add_string(s->output, "block");
    add(s, block->name);
    if (block->bundled_input_index != -1)
        add_number(s, (uint64_t)(uint32_t)block->bundled_input_index);
    else
        add(s, eti__text_of(""));
    add_number(s, block->n_runs);
    add_number(s, block->n_skipped);
    add_files(s, block);
    eti__output_add(s->output, "\n", 1);
    for (size_t i = 0; i < block->n_entries; i++)
        add_entry(s, &block->entries[i], block->n_runs);
    if (block->allocated)
        add_entry(s, block->allocated, block->n_runs);
}

bool eti__baseline_write(const eti_profile *profile, bool summarise, eti_output *output) {
    saving s = {
        .output = output, .summarise = summarise || !profile->has_ticks, .profile = profile};
    add_head(&s, profile);
    for (size_t i = 0; i < profile->n_blocks && !eti__output_failed(output); i++)
        add_block(&s, &profile->blocks[i]);
    bool done = !s.field.failed && !s.text.failed;
    eti__buffer_free(&s.field);
    eti__buffer_free(&s.text);
    return done;
}

eti_status eti__profile_save(const eti_profile *profile, const char *path, bool summarise,
                             eti_error *err) {
    eti_output *output;
    ETI_TRY(eti__output_open(&output, path, err));
    if (eti__baseline_write(profile, summarise, output))
        return eti__output_commit(output, err);
    eti__output_discard(output);
    return eti_fail_memory(err);
}
