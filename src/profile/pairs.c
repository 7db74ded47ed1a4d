#include "base/csv.h"
#include "base/files.h"
#include "base/intern.h"
#include "profile/parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ==== pairs =================================================================================== */
/* Finds out whether two sides were recorded in turns. A measurement writes pairs.csv beside its dumps:
 *
 *     pair,side,order,file,start,load_average
 *     1,new,1,new-01.etdp,1796000000,0.40
 *     1,base,2,base-01.etdp,1796000009,0.47
 *
 * The pair of a dump becomes the label `pair` of its file, which baselines keep. */

#define KEY "pair"
#define MOST_BYTES ((size_t)2 << 20)
#define MOST_ROWS 40000 /* more than the processes of a measurement */

/* Part of a path before the name of the file, with the slash. */
static eti_text folder_of(eti_text path) {
    while (path.size > 0 && path.data[path.size - 1] != '/')
        path.size--;
    return path;
}

static eti_text name_of(eti_text path) {
    size_t size = folder_of(path).size;
    return eti__text_from(path, size);
}

/* ---- reading --------------------------------------------------------------------------------- */

enum { PAIR, SIDE, NAME, N_COLUMNS };

typedef struct recorded_dump {
    eti_text pair, side;
} recorded_dump;

/* The dumps that one pairs.csv lists. */
typedef struct listed_dumps {
    eti_arena arena;
    eti_text_table names;
    recorded_dump *dumps; /* per name */
    size_t capacity;
    eti_text path; /* of the file */
} listed_dumps;

static eti_status take_dump(const eti_csv_table *table, const eti_text *fields, eti_text origin) {
    listed_dumps *list = table->out;
    uint64_t pair;
    uint32_t number;
    (void)origin;
    if (!eti__read_u64(fields[PAIR], UINT32_MAX, &pair))
        return eti_csv_table_fail(table, ETI_ERROR_MALFORMED, "expected the number of a pair");
    if (!eti__text_table_add(&list->names, fields[NAME], NULL, &number) ||
        !ETI_GROW(list->dumps, list->capacity, list->names.count))
        return eti_fail_memory(table->err);
    list->dumps[number] = (recorded_dump){fields[PAIR], fields[SIDE]};
    return ETI_OK;
}

/* Reads the pairs.csv of a folder. A missing file, or another one of that name, lists nothing. */
static eti_status read_pairs(listed_dumps *out, eti_arena *owner, eti_text folder, eti_error *err) {
    static const char *const columns[] = {[PAIR] = "pair", [SIDE] = "side", [NAME] = "file"};
    eti_buffer path = {0}, bytes = {0};
    eti_csv_table table = {.columns = columns,
                           .n_columns = N_COLUMNS,
                           .n_required = N_COLUMNS,
                           .max_size = MOST_BYTES,
                           .max_rows = MOST_ROWS,
                           .take = take_dump,
                           .out = out,
                           .arena = &out->arena};
    eti__buffer_add_text(&path, folder);
    eti__buffer_add_string(&path, ETI_PAIRS_FILE);
    bool done = !path.failed && eti__arena_copy_text(owner, eti__buffer_text(&path), &out->path);
    eti__buffer_add_char(&path, '\0');
    eti_status status = ETI_ERROR_READ;
    if (done && !path.failed && eti__small_file_read(path.data, MOST_BYTES, &bytes)) {
        const eti_source source = {.path = path.data, .data = bytes.data, .size = bytes.size};
        status = eti__csv_table_read(&table, &source);
    }
    done = done && !path.failed && status != ETI_ERROR_MEMORY;
    eti__buffer_free(&path);
    eti__buffer_free(&bytes);
    if (status != ETI_OK)
        out->names.count = 0;
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ---- labels of files ------------------------------------------------------------------------- */

/* Returns whether the file was read from the disk: bytes in memory may have any name. */
static bool is_from_disk(const eti_profile_file *file) {
    struct stat status;
    char path[PATH_MAX];
    if (!file->data || file->name.size >= sizeof path)
        return false;
    memcpy(path, file->name.data, file->name.size);
    path[file->name.size] = '\0';
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           (uint64_t)status.st_size == file->size;
}

/* Gives a file its pair. False: out of memory. */
static bool set_pair(eti_profile_file *file, eti_arena *arena, const recorded_dump *dump,
                     eti_text path) {
    eti_label *label = eti__arena_alloc(arena, 1, sizeof *label);
    const char *value = eti__arena_string_of(arena, dump->pair);
    if (!label || !value || !eti__arena_copy_text(arena, dump->side, &file->pairs_side))
        return false;
    *label = (eti_label){KEY, value};
    file->labels = label;
    file->n_labels = 1;
    file->pairs_path = path;
    return true;
}

/* Gives the files of one folder their pairs, from file number `first` on. */
static eti_status set_pairs(eti_profile *profile, size_t first, eti_text folder, listed_dumps *list,
                            eti_error *err) {
    ETI_TRY(read_pairs(list, &profile->arena, folder, err));
    for (size_t i = first; i < profile->n_files && list->names.count > 0; i++) {
        eti_profile_file *file = &profile->files[i];
        uint32_t number;
        if (eti__text_equal(folder_of(file->name), folder) &&
            eti__text_table_find(&list->names, name_of(file->name), &number) &&
            is_from_disk(file) &&
            !set_pair(file, &profile->arena, &list->dumps[number], list->path))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

eti_status eti__profile_find_pairs(eti_profile *profile, eti_error *err) {
    eti_text_table folders = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < profile->n_files && status == ETI_OK; i++) {
        eti_text folder = folder_of(profile->files[i].name);
        size_t n_known = folders.count;
        uint32_t number;
        listed_dumps list = {.capacity = 0};
        if (!eti__text_table_add(&folders, folder, NULL, &number))
            status = eti_fail_memory(err);
        else if (number == n_known)
            status = set_pairs(profile, i, folder, &list, err);
        eti__text_table_free(&list.names);
        eti__arena_free(&list.arena);
        free(list.dumps);
    }
    eti__text_table_free(&folders);
    return status;
}

/* ---- two sides ------------------------------------------------------------------------------- */

/* Returns whether one pairs.csv lists all files, as dumps of different sides. */
static bool are_listed(const eti_profile *base, const eti_profile *new_side) {
    const eti_profile *const sides[] = {base, new_side};
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides[side]->n_files; i++) {
            const eti_profile_file *file = &sides[side]->files[i];
            if (!file->pairs_path.data ||
                !eti__text_equal(file->pairs_path, base->files[0].pairs_path) ||
                !eti__text_equal(file->pairs_side, sides[side]->files[0].pairs_side))
                return false;
        }
    }
    return !eti__text_equal(base->files[0].pairs_side, new_side->files[0].pairs_side);
}

/* Adds the pairs of a side; sets *are_known to false if a file has none. False: out of memory. */
static bool add_pairs(eti_text_table *out, const eti_profile *profile, bool *are_known) {
    for (size_t i = 0; i < profile->n_files && *are_known; i++) {
        const eti_profile_file *file = &profile->files[i];
        const eti_label *pair = eti__find_label(file->labels, file->n_labels, KEY);
        uint32_t number;
        *are_known = pair != NULL;
        if (pair && !eti__text_table_add(out, eti__text_of(pair->value), NULL, &number))
            return false;
    }
    return true;
}

eti_status eti__profiles_are_in_turns(bool *out, const eti_profile *base,
                                      const eti_profile *new_side, eti_error *err) {
    eti_text_table of_base = {0}, of_both = {0}, of_new = {0};
    *out = base->n_files > 0 && new_side->n_files > 0;
    if (!*out || are_listed(base, new_side))
        return ETI_OK;
    bool done = add_pairs(&of_base, base, out) && add_pairs(&of_both, base, out) &&
                add_pairs(&of_both, new_side, out) && add_pairs(&of_new, new_side, out);
    /* no side has a pair that the other lacks */
    *out = *out && of_base.count == of_both.count && of_new.count == of_both.count;
    eti__text_table_free(&of_base);
    eti__text_table_free(&of_both);
    eti__text_table_free(&of_new);
    return done ? ETI_OK : eti_fail_memory(err);
}
