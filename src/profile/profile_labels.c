/*
 * profile_labels.c - handles the labels of profiles and their files, and checks that profiles to be compared or merged are
 * alike.
 */
#include "profile/delegate_scales.h"
#include "profile/profile.h"

#include <stdio.h>
#include <string.h>

bool eti__label_may_differ(const char *key) {
    static const char *const keys[] = {
        "commit",   "build",      "date",         "branch",      "version", /* of builds */
        "governor", "processors", "load_average", "temperature", "pairs",   "seed",
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
        if (!found)
            return fail_missing(has, other, err);
        if (strcmp(found->value, label->value) != 0)
            return fail_unlike(has, other, label->key, eti__text_of(label->value),
                               eti__text_of(found->value), err);
    }
    return ETI_OK;
}

static eti_status check_labels(const eti_profile *base, const eti_profile *new_side,
                               eti_error *err) {
    ETI_TRY(check_has(base, new_side, err));
    return check_has(new_side, base, err);
}

static eti_status check_delegates(const eti_profile *base, const eti_profile *new_side,
                                  eti_error *err) {
    eti_time_scale scales[2];
    char what[160];
    const eti_delegate_scale *unlike = eti__delegate_scales_find_unlike(base, new_side, scales);
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
