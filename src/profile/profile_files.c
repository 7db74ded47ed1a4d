/*
 * profile_files.c - finds files with the same bytes, which come from the same process.
 *
 * Files of the same size are compared bytewise, or by SHA-256 if one of them is known only by that.
 */
#include "base/text.h"
#include "profile/profile.h"
#include "table/provenance.h"

#include <stdlib.h>
#include <string.h>

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

static bool shares_files(const eti_profile_block *a, const eti_profile_block *b) {
    for (size_t i = 0; i < a->n_files; i++) {
        for (size_t k = 0; k < b->n_files; k++) {
            if (a->files[i].file == b->files[k].file)
                return true;
        }
    }
    return false;
}

eti_status eti__profile_check_blocks(const eti_profile *profile, eti_error *err) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *a = &profile->blocks[i];
        for (size_t k = 0; k < i; k++) {
            const eti_profile_block *b = &profile->blocks[k];
            if (!eti__block_has_name_of(a, b) || shares_files(a, b))
                continue;
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%.*s and %.*s have less than half of their events in common: they do "
                            "not come from one program; with %sallow_unlike they are kept separate",
                            ETI_TEXT_ARGS(profile->files[b->files[0].file].name),
                            ETI_TEXT_ARGS(profile->files[a->files[0].file].name),
                            eti__option_prefix());
        }
    }
    return ETI_OK;
}
