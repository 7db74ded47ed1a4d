/*
 * profile_files.c - finds files with the same bytes, which come from the same process.
 *
 * Files of the same size are compared bytewise, or by SHA-256 if one of them is known only by that.
 */
#include "profile/block_names.h"

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

/* Blocks with the same name, method and files. */
typedef struct block_kind {
    const eti_profile_block *first;
    uint32_t list;   /* see block_names.h: that of the name with its method */
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
