#include "profile/labels.h"

#include "account/account.h"
#include "profile/parts.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== delegate scales ========================================================================= */

static const eti_delegate_scale *find_scale(const eti_profile *profile, eti_text backend) {
    for (size_t i = 0; i < profile->n_delegate_scales; i++) {
        if (eti__text_equal(profile->delegate_scales[i].backend, backend))
            return &profile->delegate_scales[i];
    }
    return NULL;
}

bool eti__delegate_scales_add(eti_profile *profile, eti_text backend, eti_time_scale scale) {
    size_t n = profile->n_delegate_scales;
    eti_delegate_scale *scales = profile->delegate_scales;
    eti_text copy = {NULL, 0};
    if (n == ETI_MOST_DELEGATE_SCALES || find_scale(profile, backend))
        return true;
    if ((n & (n - 1)) == 0) { /* grows when it has 0, 1, 2, 4, 8 ... scales */
        scales = eti__arena_alloc(&profile->arena, 2 * n + 1, sizeof *scales);
        if (!scales)
            return false;
        if (n > 0)
            memcpy(scales, profile->delegate_scales, n * sizeof *scales);
        profile->delegate_scales = scales;
    }
    if (backend.size > 0 && !eti__arena_copy_text(&profile->arena, backend, &copy))
        return false;
    scales[n] = (eti_delegate_scale){copy, scale};
    profile->n_delegate_scales = n + 1;
    return true;
}

static bool find_in_block(eti_profile *profile, const eti_profile_block *block) {
    bool done = true, is_countable;
    for (size_t i = block->n_totals; i < block->n_entries && done; i++) {
        const eti_entry *entry = &block->entries[i];
        if (!eti__role_is_logged((eti_role)entry->role) || !entry->event)
            continue;
        const eti_options *options = &profile->inspector->options;
        eti_time_scale scale = eti__event_scale(options, entry->event, &is_countable);
        if (scale == ETI_SCALE_CYCLES && is_countable) /* a frequency made times of them */
            scale = options->source_time_scale;
        done = eti__delegate_scales_add(profile, entry->backend, scale);
    }
    return done;
}

bool eti__delegate_scales_find(eti_profile *profile) {
    bool done = true;
    for (size_t i = 0; i < profile->n_blocks && done; i++)
        done = find_in_block(profile, &profile->blocks[i]);
    return done;
}

/* Returns whether all parts that have a scale for the backend have this one. */
static bool is_agreed(const eti_profile *profile, const eti_delegate_scale *wanted) {
    for (size_t i = 0; i < profile->n_parts; i++) {
        const eti_delegate_scale *found = find_scale(profile->parts[i], wanted->backend);
        if (found && found->scale != wanted->scale)
            return false;
    }
    return true;
}

bool eti__delegate_scales_merge(eti_profile *profile) {
    bool done = true;
    for (size_t i = 0; i < profile->n_parts; i++) {
        const eti_profile *part = profile->parts[i];
        for (size_t k = 0; k < part->n_delegate_scales && done; k++) {
            const eti_delegate_scale *of = &part->delegate_scales[k];
            if (is_agreed(profile, of))
                done = eti__delegate_scales_add(profile, of->backend, of->scale);
        }
    }
    return done;
}

/* Returns whether two scales, without one of the same name on the other side, may be of one backend: without an ETRecord, a
 * side does not know its backends. */
static bool may_be_one(const eti_profile *a, const eti_delegate_scale *of_a, const eti_profile *b,
                       const eti_delegate_scale *of_b) {
    if (eti__text_equal(of_a->backend, of_b->backend))
        return true;
    bool is_unknown = of_a->backend.size == 0 || of_b->backend.size == 0;
    return is_unknown && !find_scale(b, of_a->backend) && !find_scale(a, of_b->backend);
}

/* Finds a backend whose scale differs between two profiles, and stores its scale in each. NULL: there is none. A scale
 * that a profile does not have, because it is a baseline of an older version, does not differ. */
static const eti_delegate_scale *
find_unlike_scales(const eti_profile *base, const eti_profile *new_side, eti_time_scale scales[2]) {
    for (size_t i = 0; i < base->n_delegate_scales; i++) {
        for (size_t k = 0; k < new_side->n_delegate_scales; k++) {
            const eti_delegate_scale *of_base = &base->delegate_scales[i],
                                     *of_new = &new_side->delegate_scales[k];
            if (of_base->scale == of_new->scale || !may_be_one(base, of_base, new_side, of_new))
                continue;
            scales[0] = of_base->scale;
            scales[1] = of_new->scale;
            return of_base->backend.size > 0 ? of_base : of_new;
        }
    }
    return NULL;
}

/* ==== profile labels ========================================================================== */
/* Handles the labels of profiles and their files, and checks that profiles to be compared or
 * merged are alike. */

bool eti__label_may_differ(const char *key) {
    static const char *const keys[] = {
        "commit",   "build",      "date",         "branch",      "version", /* of builds */
        "governor", "processors", "load_average", "temperature", "pairs",
        "seed",     "pair", /* of a measurement, see pairs.c */
        "job", /* of a history; eti__profiles_find_unlike_jobs() compares those of two sides */
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(key, keys[i]) == 0)
            return true;
    }
    return false;
}

const eti_label *eti__find_label(const eti_label *labels, size_t n, const char *key) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(labels[i].key, key) == 0)
            return &labels[i];
    }
    return NULL;
}

/* Returns the label that names the push of a file, or NULL. */
static const eti_label *find_push(const eti_profile_file *file, const char *by) {
    if (by && strcmp(by, "file") == 0)
        return NULL;
    if (by)
        return eti__find_label(file->labels, file->n_labels, by);
    const eti_label *job = eti__find_label(file->labels, file->n_labels, "job");
    return job ? job : eti__find_label(file->labels, file->n_labels, "commit");
}

static bool is_same_push(const eti_profile_file *a, const eti_profile_file *b, const char *by) {
    const eti_label *of_a = find_push(a, by), *of_b = find_push(b, by);
    return of_a && of_b && strcmp(of_a->key, of_b->key) == 0 &&
           strcmp(of_a->value, of_b->value) == 0;
}

eti_status eti__profile_check_unmerged(const eti_profile *profile, eti_error *err) {
    for (size_t i = 0; i < profile->n_files; i++) {
        const eti_profile_file *file = &profile->files[i];
        if (file->n_merged > 0)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%.*s: %.*s stands for the %" PRIu32 " files of a push, whose times "
                            "were merged into medians: a history is for trend; compare files, or "
                            "a baseline saved without %sappend",
                            ETI_TEXT_ARGS(profile->name), ETI_TEXT_ARGS(file->name), file->n_merged,
                            eti__option_prefix());
    }
    return ETI_OK;
}

size_t eti__profile_number_pushes(const eti_profile *profile, const char *by, uint32_t *out) {
    uint32_t number = 0;
    for (size_t i = 0; i < profile->n_files; i++) {
        number += i > 0 && !is_same_push(&profile->files[i - 1], &profile->files[i], by);
        out[i] = number;
    }
    return profile->n_files > 0 ? number + 1 : 0;
}

static bool has_label(const eti_label *labels, size_t n, const eti_label *label) {
    const eti_label *found = eti__find_label(labels, n, label->key);
    return found && strcmp(found->value, label->value) == 0;
}

/* ---- labels of a profile --------------------------------------------------------------------- */

static bool is_utf8(const char *string) {
    eti_text text = eti__text_of(string);
    return eti__text_valid_utf8(text) == text.size;
}

/* Inserts a label with a new key in sorted order. */
static void insert_label(eti_profile *profile, eti_label label) {
    size_t at = profile->n_labels++;
    for (; at > 0 && strcmp(profile->labels[at - 1].key, label.key) > 0; at--)
        profile->labels[at] = profile->labels[at - 1];
    profile->labels[at] = label;
}

static eti_status copy_label(eti_profile *profile, eti_label *label, eti_error *err) {
    if (!is_utf8(label->key) || !is_utf8(label->value))
        return eti_fail(err, ETI_ERROR_USAGE, "the label %s=%s is not UTF-8", label->key,
                        label->value);
    if (eti__find_label(profile->labels, profile->n_labels, label->key))
        return eti_fail(err, ETI_ERROR_USAGE, "the label %s is given twice", label->key);
    return eti__arena_copy_string(&profile->arena, &label->key) &&
                   eti__arena_copy_string(&profile->arena, &label->value)
               ? ETI_OK
               : eti_fail_memory(err);
}

/* Copies the profile's labels that may differ between files to a file, unless it has its own. False: out of memory. */
static bool label_file(eti_profile *profile, eti_profile_file *file) {
    size_t n = file->n_labels;
    eti_label *labels =
        eti__arena_alloc(&profile->arena, n + profile->n_labels + 1, sizeof *labels);
    if (!labels)
        return false;
    if (n > 0)
        memcpy(labels, file->labels, n * sizeof *labels);
    for (size_t i = 0; i < profile->n_labels; i++) {
        const eti_label *label = &profile->labels[i];
        if (eti__label_may_differ(label->key) && !eti__find_label(labels, n, label->key))
            labels[n++] = *label;
    }
    file->labels = labels;
    file->n_labels = n;
    return true;
}

static bool is_shared(const eti_profile *profile, const eti_label *label) {
    for (size_t i = 0; i < profile->n_files; i++) {
        if (!has_label(profile->files[i].labels, profile->files[i].n_labels, label))
            return false;
    }
    return true;
}

eti_status eti__profile_add_labels(eti_profile *profile, const eti_label *labels, size_t n,
                                   eti_error *err) {
    size_t n_of_file = profile->n_files > 0 ? profile->files[0].n_labels : 0;
    profile->labels = eti__arena_alloc(&profile->arena, n + n_of_file + 1, sizeof *profile->labels);
    if (!profile->labels)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        eti_label copy = labels[i];
        ETI_TRY(copy_label(profile, &copy, err));
        insert_label(profile, copy);
    }
    for (size_t i = 0; i < profile->n_files; i++) {
        if (!label_file(profile, &profile->files[i]))
            return eti_fail_memory(err);
    }
    for (size_t i = 0; i < n_of_file; i++) {
        const eti_label *label = &profile->files[0].labels[i];
        if (!eti__find_label(profile->labels, profile->n_labels, label->key) &&
            is_shared(profile, label))
            insert_label(profile, *label);
    }
    return ETI_OK;
}

eti_status eti__profile_share_labels(eti_profile *profile, const eti_profile *const *profiles,
                                     size_t n, eti_error *err) {
    const eti_profile *first = profiles[0];
    eti_label *labels = eti__arena_alloc(&profile->arena, first->n_labels + 1, sizeof *labels);
    size_t n_labels = 0;
    if (!labels)
        return eti_fail_memory(err);
    for (size_t i = 0; i < first->n_labels; i++) {
        const eti_label *label = &first->labels[i];
        bool is_of_all = !eti__label_may_differ(label->key); /* the other labels belong to files */
        for (size_t k = 1; k < n && is_of_all; k++)
            is_of_all = has_label(profiles[k]->labels, profiles[k]->n_labels, label);
        if (is_of_all)
            labels[n_labels++] = *label;
    }
    return eti__profile_add_labels(profile, labels, n_labels, err);
}

/* ---- labels of two profiles ------------------------------------------------------------------ */

static bool is_of_dumps(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_parts; i++) {
        if (!is_of_dumps(profile->parts[i]))
            return false;
    }
    return profile->inspector || profile->n_parts > 0;
}

/* Appends a label option, quoted for a shell. */
static void add_option(eti_buffer *out, const eti_label *label) {
    const char *quote = strpbrk(label->value, " \t\n\"$&()*;<>?[\\]`{|}~#!'") ? "'" : "";
    eti__buffer_printf(out, "%s%slabel %s%s=", out->size > 0 ? " " : "", eti__option_prefix(),
                       quote, label->key);
    for (const char *c = label->value; *c; c++) {
        if (*c == '\'')
            eti__buffer_add_string(out, "'\\'");
        eti__buffer_add_char(out, *c);
    }
    eti__buffer_add_string(out, quote);
}

/* Names all labels that one profile has and the other lacks. */
static eti_status fail_missing(const eti_profile *has, const eti_profile *lacks, eti_error *err) {
    eti_buffer text = {0};
    for (size_t i = 0; i < has->n_labels; i++) {
        const eti_label *label = &has->labels[i];
        if (!eti__label_may_differ(label->key) &&
            !eti__find_label(lacks->labels, lacks->n_labels, label->key))
            add_option(&text, label);
    }
    if (text.failed) {
        eti__buffer_free(&text);
        return eti_fail_memory(err);
    }
    eti_status status = eti_fail(err, ETI_ERROR_USAGE,
                                 "%.*s lacks labels that %.*s has: if it was recorded under the "
                                 "same conditions, %s %.*s; or use %sallow_unlike",
                                 ETI_TEXT_ARGS(lacks->name), ETI_TEXT_ARGS(has->name),
                                 is_of_dumps(lacks) ? "give" : "save it again with",
                                 ETI_TEXT_ARGS(eti__buffer_text(&text)), eti__option_prefix());
    eti__buffer_free(&text);
    return status;
}

static eti_status fail_unlike(const eti_profile *base, const eti_profile *new_side,
                              const char *what, eti_text of_base, eti_text of_new, eti_error *err) {
    return eti_fail(
        err, ETI_ERROR_USAGE,
        "%.*s and %.*s differ: %s %.*s and %.*s; use %sallow_unlike to compare them anyway",
        ETI_TEXT_ARGS(base->name), ETI_TEXT_ARGS(new_side->name), what, ETI_TEXT_ARGS(of_base),
        ETI_TEXT_ARGS(of_new), eti__option_prefix());
}

static eti_status check_has(const eti_profile *has, const eti_profile *other, eti_error *err) {
    for (size_t i = 0; i < has->n_labels; i++) {
        const eti_label *label = &has->labels[i];
        if (eti__label_may_differ(label->key))
            continue;
        const eti_label *found = eti__find_label(other->labels, other->n_labels, label->key);
        bool is_clock = strcmp(label->key, ETI_CLOCK_LABEL) == 0;
        if (!found && is_clock && strcmp(label->value, ETI_CLOCK_WALL) == 0)
            continue; /* as without the label */
        if (!found && is_clock && eti__is_clock(label->value))
            return fail_unlike(has, other, "their clocks are", eti__text_of(label->value),
                               eti__text_of(ETI_CLOCK_WALL), err);
        if (!found)
            return fail_missing(has, other, err);
        if (strcmp(found->value, label->value) != 0)
            return fail_unlike(has, other, label->key, eti__text_of(label->value),
                               eti__text_of(found->value), err);
    }
    return ETI_OK;
}

/* Returns the label of a file of `profile` that no file of `other` has, if both have labels with this name; else NULL. */
static const eti_label *find_unlike(const eti_profile *profile, const eti_profile *other,
                                    const char *key, const eti_label **of_other) {
    for (size_t i = 0; i < profile->n_files; i++) {
        const eti_profile_file *file = &profile->files[i];
        const eti_label *label = eti__find_label(file->labels, file->n_labels, key);
        bool is_found = !label;
        *of_other = NULL;
        for (size_t k = 0; k < other->n_files && !is_found; k++) {
            const eti_profile_file *its = &other->files[k];
            const eti_label *found = eti__find_label(its->labels, its->n_labels, key);
            *of_other = found ? found : *of_other;
            is_found = found && strcmp(found->value, label->value) == 0;
        }
        if (!is_found && *of_other)
            return label;
    }
    return NULL;
}

bool eti__profiles_find_unlike_jobs(const eti_profile *base, const eti_profile *new_side,
                                    const eti_label *out[2]) {
    out[0] = find_unlike(base, new_side, "job", &out[1]);
    if (!out[0])
        out[1] = find_unlike(new_side, base, "job", &out[0]);
    return out[0] && out[1];
}

static eti_status check_labels(const eti_profile *base, const eti_profile *new_side,
                               eti_error *err) {
    ETI_TRY(check_has(base, new_side, err));
    return check_has(new_side, base, err);
}

eti_status eti__profiles_check_jobs(const eti_profile *base, const eti_profile *new_side,
                                    eti_error *err) {
    const eti_label *jobs[2];
    if (eti__profiles_find_unlike_jobs(base, new_side, jobs))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s and %.*s differ: job %s and %s; measure both builds in one job, "
                        "because machines differ, or use %sallow_unlike to see ratios without a "
                        "verdict",
                        ETI_TEXT_ARGS(base->name), ETI_TEXT_ARGS(new_side->name), jobs[0]->value,
                        jobs[1]->value, eti__option_prefix());
    return ETI_OK;
}

static eti_status check_delegates(const eti_profile *base, const eti_profile *new_side,
                                  eti_error *err) {
    eti_time_scale scales[2];
    char what[160];
    const eti_delegate_scale *unlike = find_unlike_scales(base, new_side, scales);
    if (!unlike)
        return ETI_OK;
    int size = unlike->backend.size < 100 ? (int)unlike->backend.size : 100;
    snprintf(what, sizeof what, "the time scales of %s%.*s are",
             size > 0 ? "delegate " : "their delegates", size,
             size > 0 ? unlike->backend.data : "");
    return fail_unlike(base, new_side, what, eti__text_of(eti_time_scale_name(scales[0])),
                       eti__text_of(eti_time_scale_name(scales[1])), err);
}

eti_status eti__profiles_check_alike(const eti_profile *base, const eti_profile *new_side,
                                     eti_error *err) {
    if (base->source_scale != new_side->source_scale)
        return fail_unlike(base, new_side, "their time scales are",
                           eti__text_of(eti_time_scale_name(base->source_scale)),
                           eti__text_of(eti_time_scale_name(new_side->source_scale)), err);
    ETI_TRY(check_delegates(base, new_side, err));
    if (base->target_scale != new_side->target_scale)
        return fail_unlike(base, new_side, "their target time scales are",
                           eti__text_of(eti_time_scale_name(base->target_scale)),
                           eti__text_of(eti_time_scale_name(new_side->target_scale)), err);
    if (base->method.data && new_side->method.data &&
        !eti__text_equal(base->method, new_side->method))
        return fail_unlike(base, new_side, "their methods are", base->method, new_side->method,
                           err);
    return check_labels(base, new_side, err);
}

/* ==== block names ============================================================================= */

static uint64_t hash_list(const void *key, uint64_t seed) {
    const eti_block_list_key *list = key;
    uint64_t hash = eti__hash_mix(seed, (uint32_t)list->bundled_input_index);
    hash = eti__text_hash(list->name, eti__hash_mix(hash, list->is_any));
    return eti__text_hash(list->method, hash);
}

static bool is_equal_list(const void *key, const void *other) {
    const eti_block_list_key *a = key, *b = other;
    return a->bundled_input_index == b->bundled_input_index && a->is_any == b->is_any &&
           !a->method.data == !b->method.data && eti__text_equal(a->name, b->name) &&
           eti__text_equal(a->method, b->method);
}

static bool number_list(eti_block_names *names, const eti_block_list_key *key, uint32_t *out) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(eti_block_list_key), .hash = hash_list, .is_equal = is_equal_list};
    return eti__intern_add(&names->table, &kind, key, out);
}

bool eti__block_names_add(eti_block_names *names, const eti_profile_block *block,
                          eti_block_lists *out) {
    eti_block_list_key own = {.name = block->name,
                              .method = block->method,
                              .bundled_input_index = block->bundled_input_index};
    eti_block_list_key unknown = own, any = own;
    uint32_t of_unknown;
    unknown.method = any.method = (eti_text){NULL, 0};
    any.is_any = true;
    if (!number_list(names, &own, &out->own) || !number_list(names, &any, &out->any) ||
        !number_list(names, &unknown, &of_unknown))
        return false;
    out->n_with_name = block->method.data ? 2 : 1;
    out->with_name[0] = block->method.data ? out->own : out->any;
    out->with_name[1] = of_unknown;
    return true;
}

void eti__block_names_free(eti_block_names *names) {
    eti__intern_free(&names->table);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file of a list. */
typedef struct listed_file {
    uint32_t list, file;
} listed_file;

typedef struct counter {
    eti_block_names names;
    eti_block_lists *lists; /* per block */
    ETI_INTERN_OF(listed_file) files;
    size_t *n_files;  /* per list */
    size_t *n_common; /* per list of a method: number of files that the list of no method has too */
} counter;

static const eti_intern_kind by_file = {.item_size = sizeof(listed_file),
                                        .key_size = sizeof(listed_file)};

static bool add_file(counter *c, uint32_t list, uint32_t file) {
    size_t n_known = c->files.count;
    uint32_t number;
    if (!eti__intern_add(&c->files.table, &by_file, &(listed_file){list, file}, &number))
        return false;
    c->n_files[list] += number == n_known;
    return true;
}

static bool list_files(counter *c, const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = 0; k < block->n_files; k++) {
            if (!add_file(c, c->lists[i].own, block->files[k].file) ||
                !add_file(c, c->lists[i].any, block->files[k].file))
                return false;
        }
    }
    return true;
}

/* Counts the files that two lists have in common, once per list of a method. */
static bool count_common(counter *c, size_t n_blocks) {
    uint32_t *no_method = malloc((c->names.count + 1) * sizeof *no_method), number;
    if (!no_method)
        return false;
    for (size_t i = 0; i < c->names.count; i++)
        no_method[i] = ETI_INDEX_END;
    for (size_t i = 0; i < n_blocks; i++) {
        if (c->lists[i].n_with_name == 2)
            no_method[c->lists[i].own] = c->lists[i].with_name[1];
    }
    for (size_t i = 0; i < c->files.count; i++) {
        listed_file item = c->files.items[i];
        uint32_t list = item.list;
        item.list = no_method[list];
        if (item.list != ETI_INDEX_END)
            c->n_common[list] += eti__intern_find(&c->files.table, &by_file, &item, &number);
    }
    free(no_method);
    return true;
}

static bool count_files(counter *c, const eti_profile *profile, size_t *out) {
    c->lists = malloc((profile->n_blocks + 1) * sizeof *c->lists);
    for (size_t i = 0; c->lists && i < profile->n_blocks; i++) {
        if (!eti__block_names_add(&c->names, &profile->blocks[i], &c->lists[i]))
            return false;
    }
    c->n_files = calloc(c->names.count + 1, sizeof *c->n_files);
    c->n_common = calloc(c->names.count + 1, sizeof *c->n_common);
    if (!c->lists || !c->n_files || !c->n_common || !list_files(c, profile) ||
        !count_common(c, profile->n_blocks))
        return false;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_block_lists *of = &c->lists[i];
        out[i] = 0;
        for (size_t k = 0; k < of->n_with_name; k++)
            out[i] += c->n_files[of->with_name[k]];
        out[i] -= c->n_common[of->own];
    }
    return true;
}

bool eti__block_names_count_files(const eti_profile *profile, size_t *out) {
    counter c = {.lists = NULL};
    bool done = count_files(&c, profile, out);
    eti__block_names_free(&c.names);
    eti__intern_free(&c.files.table);
    free(c.lists);
    free(c.n_files);
    free(c.n_common);
    return done;
}

/* ==== profile files =========================================================================== */
/* Finds files with the same bytes, which come from the same process.
 *
 * Files of the same size are compared bytewise, or by SHA-256 if one of them is known only by
 * that. */

typedef struct known_file {
    const eti_profile_file *file;
    size_t number;                      /* in the order in which they were given */
    char sha256[ETI_SHA256_DIGITS + 1]; /* used if the bytes are not compared */
} known_file;

static int compare_sizes(const void *a, const void *b) {
    const eti_profile_file *x = ((const known_file *)a)->file, *y = ((const known_file *)b)->file;
    return (x->size > y->size) - (x->size < y->size);
}

static int compare_bytes(const void *a, const void *b) {
    const eti_profile_file *x = ((const known_file *)a)->file, *y = ((const known_file *)b)->file;
    return memcmp(x->data, y->data, (size_t)x->size);
}

static int compare_digests(const void *a, const void *b) {
    return memcmp(((const known_file *)a)->sha256, ((const known_file *)b)->sha256,
                  ETI_SHA256_DIGITS);
}

static void find_digest(known_file *known) {
    if (known->file->sha256.size == ETI_SHA256_DIGITS)
        memcpy(known->sha256, known->file->sha256.data, ETI_SHA256_DIGITS);
    else
        eti__sha256(known->file->data, (size_t)known->file->size, known->sha256);
}

/* Finds two equal files among n files of the same size. */
static bool find_among(known_file *files, size_t n, const eti_profile_file *out[2]) {
    bool have_bytes = true;
    for (size_t i = 0; i < n; i++)
        have_bytes = have_bytes && files[i].file->data;
    for (size_t i = 0; i < n && !have_bytes && n > 1; i++)
        find_digest(&files[i]);
    int (*compare)(const void *, const void *) = have_bytes ? compare_bytes : compare_digests;
    qsort(files, n, sizeof *files, compare);
    for (size_t i = 1; i < n; i++) {
        if (compare(&files[i - 1], &files[i]) != 0)
            continue;
        bool is_swapped = files[i - 1].number > files[i].number;
        out[is_swapped] = files[i - 1].file;
        out[!is_swapped] = files[i].file;
        return true;
    }
    return false;
}

static size_t list_known(const eti_profile *profile, known_file *files, size_t n) {
    for (size_t i = 0; profile && i < profile->n_files; i++) {
        const eti_profile_file *file = &profile->files[i];
        if (file->size > 0 && (file->data || file->sha256.size == ETI_SHA256_DIGITS)) {
            files[n] = (known_file){.file = file, .number = n};
            n++;
        }
    }
    return n;
}

eti_status eti__profiles_find_same_file(const eti_profile *profile, const eti_profile *other,
                                        const eti_profile_file *out[2], eti_error *err) {
    size_t n_files = profile->n_files + (other ? other->n_files : 0);
    known_file *files = malloc((n_files + 1) * sizeof *files);
    out[0] = out[1] = NULL;
    if (!files)
        return eti_fail_memory(err);
    size_t n = list_known(other, files, list_known(profile, files, 0));
    qsort(files, n, sizeof *files, compare_sizes);
    bool is_found = false;
    for (size_t first = 0, end; first < n && !is_found; first = end) {
        for (end = first + 1; end < n && files[end].file->size == files[first].file->size;)
            end++;
        is_found = find_among(files + first, end - first, out);
    }
    free(files);
    return ETI_OK;
}

eti_status eti__profile_check_files(const eti_profile *profile, eti_error *err) {
    const eti_profile_file *same[2];
    ETI_TRY(eti__profiles_find_same_file(profile, NULL, same, err));
    if (!same[0])
        return ETI_OK;
    if (eti__text_equal(same[0]->name, same[1]->name))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%.*s is given twice, as a file or in a baseline: the same file is not a second "
            "process; give each file once",
            ETI_TEXT_ARGS(same[0]->name));
    return eti_fail(
        err, ETI_ERROR_USAGE,
        "%.*s and %.*s are identical: the same dump is not a second process; give each file once",
        ETI_TEXT_ARGS(same[0]->name), ETI_TEXT_ARGS(same[1]->name));
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Blocks with the same name, method and files. */
typedef struct block_kind {
    const eti_profile_block *first;
    uint32_t list;   /* see labels.h: that of the name with its method */
    uint32_t in_own; /* the kind before it in that list, or ETI_INDEX_END */
    uint32_t in_any; /* the same in the list of the name with any method */
} block_kind;

typedef struct kinds {
    eti_block_names names;
    ETI_INTERN_OF(block_kind) kinds;
    uint32_t *last; /* per list: its last kind, or ETI_INDEX_END */
} kinds;

static uint64_t hash_kind(const void *key, uint64_t seed) {
    const block_kind *kind = key;
    uint64_t hash = eti__hash_mix(seed, kind->list);
    for (size_t i = 0; i < kind->first->n_files; i++)
        hash = eti__hash_mix(hash, kind->first->files[i].file);
    return hash;
}

static bool is_equal_kind(const void *key, const void *other) {
    const block_kind *a = key, *b = other;
    bool is_equal = a->list == b->list && a->first->n_files == b->first->n_files;
    for (size_t i = 0; i < a->first->n_files && is_equal; i++)
        is_equal = a->first->files[i].file == b->first->files[i].file;
    return is_equal;
}

static const eti_intern_kind by_files = {
    .item_size = sizeof(block_kind), .hash = hash_kind, .is_equal = is_equal_kind};

/* Returns whether a file has both blocks; the files of each are in order. */
static bool shares_files(const eti_profile_block *a, const eti_profile_block *b) {
    for (size_t i = 0, k = 0; i < a->n_files && k < b->n_files;) {
        if (a->files[i].file == b->files[k].file)
            return true;
        if (a->files[i].file < b->files[k].file)
            i++;
        else
            k++;
    }
    return false;
}

/* Returns the first block with the name of a block that shares no file with it, or NULL. */
static const eti_profile_block *find_apart(const kinds *of, const eti_block_lists *lists,
                                           const eti_profile_block *block) {
    const eti_profile_block *found = NULL;
    for (size_t i = 0; i < lists->n_with_name; i++) {
        uint32_t at = of->last[lists->with_name[i]];
        while (at != ETI_INDEX_END) {
            const block_kind *kind = &of->kinds.items[at];
            if (!shares_files(kind->first, block) && (!found || kind->first < found))
                found = kind->first;
            at = lists->n_with_name == 1 ? kind->in_any : kind->in_own;
        }
    }
    return found;
}

/* Adds a block. Sets `*apart` to a block before it that has its name but none of its files, or to NULL. False: out of
 * memory. */
static bool add_block(kinds *of, const eti_profile_block *block, const eti_profile_block **apart) {
    eti_block_lists lists;
    size_t n_known = of->kinds.count;
    uint32_t number;
    *apart = NULL;
    if (!eti__block_names_add(&of->names, block, &lists))
        return false;
    block_kind kind = {.first = block, .list = lists.own};
    if (!eti__intern_add(&of->kinds.table, &by_files, &kind, &number))
        return false;
    if (number < n_known)
        return true;
    *apart = find_apart(of, &lists, block);
    block_kind *added = &of->kinds.items[number];
    added->in_own = of->last[lists.own];
    added->in_any = of->last[lists.any];
    of->last[lists.own] = of->last[lists.any] = number;
    return true;
}

static eti_status check_blocks(kinds *of, const eti_profile *profile, eti_error *err) {
    size_t most_lists = ETI_MOST_BLOCK_LISTS * profile->n_blocks;
    of->last = malloc((most_lists + 1) * sizeof *of->last);
    if (!of->last)
        return eti_fail_memory(err);
    for (size_t i = 0; i < most_lists; i++)
        of->last[i] = ETI_INDEX_END;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i], *apart;
        if (!add_block(of, block, &apart))
            return eti_fail_memory(err);
        if (apart)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%.*s and %.*s have less than half of their events in common: they do "
                            "not come from one program; with %sallow_unlike they are kept separate",
                            ETI_TEXT_ARGS(profile->files[apart->files[0].file].name),
                            ETI_TEXT_ARGS(profile->files[block->files[0].file].name),
                            eti__option_prefix());
    }
    return ETI_OK;
}

eti_status eti__profile_check_blocks(const eti_profile *profile, eti_error *err) {
    kinds of = {.last = NULL};
    eti_status status = check_blocks(&of, profile, err);
    eti__block_names_free(&of.names);
    eti__intern_free(&of.kinds.table);
    free(of.last);
    return status;
}
