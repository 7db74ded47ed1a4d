#include "measure/parts.h"

#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== dump folder ============================================================================= */

#define MOST_DUMPS 4096 /* in a folder */
#define PREFIX "etinspect-"
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

bool eti__is_dump_name(const char *name) {
    return fnmatch("base-[0-9]*.etdp", name, 0) == 0 || fnmatch("new-[0-9]*.etdp", name, 0) == 0;
}

/* Returns whether this is a name that recordings give to the files of their folder. */
static bool is_work_name(const char *name) {
    static const char *const patterns[] = {"model.pte",      "data.ptd", "in-[0-9]*.bin",
                                           "out-[0-9]*.bin", "run.etdp", "debug.bin",
                                           "runner",         "runner.*", "find.py"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    }
    return false;
}

static int make_folder(const char *path, mode_t mode) {
    if (mkdir(path, mode) != 0)
        return -1;
    int descriptor = open(path, FOLDER), reason = errno;
    if (descriptor < 0)
        rmdir(path);
    errno = reason;
    return descriptor;
}

static void remove_dumps(DIR *folder) {
    const struct dirent *entry;
    struct stat status;
    for (int i = 0; i < MOST_DUMPS && (entry = readdir(folder)); i++) {
        if ((eti__is_dump_name(entry->d_name) || is_work_name(entry->d_name)) &&
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
}

static void remove_stale_folder(int parent, const char *name) {
    struct stat status;
    int descriptor = openat(parent, name, FOLDER);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &status) != 0 || status.st_uid != geteuid() ||
        flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return;
    }
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        close(descriptor);
        return;
    }
    remove_dumps(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
    closedir(folder);
}

static const eti_temporary_kind folders = {
    .prefix = PREFIX,
    .make = make_folder,
    .remove = rmdir,
    .remove_stale = remove_stale_folder,
    .add_leftover = eti__leftover_add_folder,
    .drop_leftover = eti__leftover_drop_folder,
};

int eti__dump_folder_make(char **path, const char *parent) {
    eti__dump_folder_sweep(parent);
    if (asprintf(path, "%s/" PREFIX ETI_TEMPORARY_DIGITS, parent) < 0) {
        *path = NULL;
        errno = ENOMEM;
        return -1;
    }
    return eti__temporary_make_kind(path, &folders, 0700);
}

void eti__dump_folder_sweep(const char *parent) {
    eti__temporary_sweep_kind(parent, &folders);
}

/* ==== dumps =================================================================================== */

#define MOST_OPEN 8 /* descriptors used to remove a tree */

const char *eti__measured_side_name(eti_measured_side side) {
    return side == ETI_MEASURED_BASE ? "base" : "new";
}

/* ---- folders --------------------------------------------------------------------------------- */

static eti_status fail_folder(const char *folder, eti_error *err) {
    const char *advice = errno == ENOENT ? ": create its parent folder first" : "";
    return eti_fail(err, ETI_ERROR_WRITE, "%s: cannot keep dumps there: %s%s", folder,
                    strerror(errno), advice);
}

static eti_status make_temporary(eti_dumps *dumps, eti_error *err) {
    const char *parent = getenv("TMPDIR");
    parent = parent && *parent == '/' ? parent : "/tmp";
    dumps->lock = eti__dump_folder_make(&dumps->folder, parent);
    dumps->is_there = dumps->lock >= 0;
    if (dumps->is_there)
        return ETI_OK;
    return errno == ENOMEM ? eti_fail_memory(err) : fail_folder(parent, err);
}

/* Checks that no dumps of an earlier measurement are in the folder: they are neither replaced nor mixed with new ones. */
static eti_status check_is_free(const char *folder, eti_error *err) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    eti_status status = ETI_OK;
    if (!directory)
        return fail_folder(folder, err);
    while (status == ETI_OK && (entry = readdir(directory))) {
        struct stat file;
        if ((eti__is_dump_name(entry->d_name) || strcmp(entry->d_name, ETI_PAIRS_FILE) == 0) &&
            fstatat(dirfd(directory), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
            file.st_size > 0)
            status = eti_fail(err, ETI_ERROR_USAGE,
                              "%soutput_dir: %s already has files of a measurement, such as %s: "
                              "name another folder, or remove them",
                              eti__option_prefix(), folder, entry->d_name);
    }
    closedir(directory);
    return status;
}

static eti_status open_folder(eti_dumps *dumps, const char *folder, eti_error *err) {
    size_t length = strlen(folder);
    if (length == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "%soutput_dir: the path is empty",
                        eti__option_prefix());
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail_folder(folder, err);
    ETI_TRY(check_is_free(folder, err));
    dumps->folder = realpath(folder, NULL);
    if (!dumps->folder)
        return fail_folder(folder, err);
    if (access(dumps->folder, W_OK | X_OK) != 0)
        return fail_folder(folder, err);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (asprintf(&dumps->shown_folder, "%.*s%s", (int)length, folder,
                 folder[length - 1] == '/' ? "" : "/") < 0) {
        dumps->shown_folder = NULL;
        return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* Begins the file that says which dumps were recorded in turns; profile/ reads it. */
static eti_status open_pairs(eti_dumps *dumps, eti_error *err) {
    char *path;
    if (asprintf(&path, "%s/%s", dumps->folder, ETI_PAIRS_FILE) < 0)
        return eti_fail_memory(err);
    dumps->pairs = fopen(path, "we");
    free(path);
    if (!dumps->pairs)
        return fail_folder(dumps->folder, err);
    fputs("pair,side,order,file,start,load_average\n", dumps->pairs);
    return ETI_OK;
}

eti_status eti__dumps_add_pair(eti_dumps *dumps, eti_measured_side side, int order, int64_t start,
                               double load, eti_error *err) {
    const char *name = eti__measured_side_name(side);
    char load_text[32] = "";
    size_t pair = dumps->sides[side].n;
    if (!dumps->pairs)
        return ETI_OK;
    if (!isnan(load))
        eti__snprintf(load_text, sizeof load_text, "%.2f", load);
    fprintf(dumps->pairs, "%zu,%s,%d,%s-%0*zu.etdp,%lld,%s\n", pair, name, order, name,
            dumps->n_digits, pair, (long long)start, load_text);
    return fflush(dumps->pairs) == 0 ? ETI_OK : fail_folder(dumps->folder, err);
}

eti_status eti__dumps_open(eti_dumps **out, const char *folder, size_t n_pairs, bool has_pairs,
                           eti_error *err) {
    eti_dumps *dumps = calloc(1, sizeof *dumps);
    *out = NULL;
    if (!dumps)
        return eti_fail_memory(err);
    dumps->is_temporary = !folder;
    dumps->lock = -1;
    dumps->n_digits = snprintf(NULL, 0, "%zu", n_pairs);
    if (dumps->n_digits < 2)
        dumps->n_digits = 2;
    eti_status status = folder ? open_folder(dumps, folder, err) : make_temporary(dumps, err);
    if (status == ETI_OK && folder && has_pairs)
        status = open_pairs(dumps, err);
    if (status == ETI_OK)
        *out = dumps;
    else
        eti__dumps_close(dumps);
    return status;
}

/* ---- dumps ----------------------------------------------------------------------------------- */

static char *make_name(const eti_dumps *dumps, const char *folder, const char *separator,
                       eti_measured_side side) {
    char *name;
    int length = asprintf(&name, "%s%s%s-%0*zu.etdp", folder, separator,
                          eti__measured_side_name(side), dumps->n_digits, dumps->sides[side].n + 1);
    return length < 0 ? NULL : name;
}

eti_status eti__dumps_expect(eti_dumps *dumps, eti_measured_side side, eti_error *err) {
    dumps->expected = make_name(dumps, dumps->folder, "/", side);
    if (!dumps->expected)
        return eti_fail_memory(err);
    eti__leftover_add_file(dumps->expected);
    return ETI_OK;
}

static void forget_expected(eti_dumps *dumps) {
    eti__leftover_drop_file(dumps->expected);
    free(dumps->expected);
    dumps->expected = NULL;
}

void eti__dumps_discard(eti_dumps *dumps) {
    if (!dumps->expected)
        return;
    unlink(dumps->expected);
    forget_expected(dumps);
}

/* Rejects a dump that is identical to an earlier one: different processes do not take the same ticks in all events of all
 * runs. */
static eti_status check_is_no_copy(const eti_dumps *dumps, const struct eti_file *file,
                                   eti_error *err) {
    for (size_t side = 0; side < ETI_N_MEASURED_SIDES; side++) {
        for (size_t i = 0; i < dumps->sides[side].n; i++) {
            const struct eti_file *other = &dumps->sides[side].files[i];
            if (other->size == file->size && memcmp(other->data, file->data, file->size) == 0)
                return eti_fail(err, ETI_ERROR_DATA,
                                "%s and %s are identical: either the command returned an old dump, "
                                "or every process takes exactly the same time; in that case, "
                                "compare one dump per side using diff with %sone_process",
                                other->name, file->name, eti__option_prefix());
        }
    }
    return ETI_OK;
}

/* Gives an open file another name, which the file then owns. The name of a mapped file may be read by a signal handler at
 * any time. */
static void rename_file(struct eti_file *file, char *name) {
    char *before = file->name;
    file->name = name;
    if (file->mapping)
        file->mapping->name = name;
    free(before);
}

/* Opens the expected dump under its readable name. */
static eti_status open_dump(eti_dumps *dumps, eti_measured_side side, struct eti_file *out,
                            eti_error *err) {
    const eti_source source = {.path = dumps->expected};
    struct stat status;
    char *name = make_name(dumps, dumps->shown_folder ? dumps->shown_folder : "", "", side);
    if (!name)
        return eti_fail_memory(err);
    eti_status opened = ETI_OK;
    if (stat(dumps->expected, &status) != 0 || status.st_size == 0)
        opened =
            eti_fail(err, ETI_ERROR_READ,
                     "%s%s: no dump, or an empty one, was written to the path that replaces {}",
                     eti__option_prefix(), eti__measured_side_name(side));
    else
        opened = eti__file_open_source(out, &source, err);
    if (opened == ETI_OK)
        rename_file(out, name);
    else
        free(name);
    return opened;
}

eti_status eti__dumps_take(eti_dumps *dumps, eti_measured_side side, eti_error *err) {
    eti_side_dumps *list = &dumps->sides[side];
    struct eti_file file;
    if (!ETI_GROW(list->files, list->capacity, list->n + 1))
        return eti_fail_memory(err);
    ETI_TRY(open_dump(dumps, side, &file, err));
    eti_status status = check_is_no_copy(dumps, &file, err);
    if (status != ETI_OK) {
        eti__file_release(&file);
        return status;
    }
    list->files[list->n++] = file;
    if (dumps->is_temporary)
        unlink(dumps->expected);
    forget_expected(dumps);
    return ETI_OK;
}

eti_source eti__dumps_source(const eti_dumps *dumps, eti_measured_side side, size_t i) {
    const struct eti_file *file = &dumps->sides[side].files[i];
    return (eti_source){.path = file->name, .data = file->data, .size = file->size};
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void drop(void *object) {
    eti_dumps *dumps = object;
    if (!eti__references_drop(&dumps->references))
        return;
    for (size_t side = 0; side < ETI_N_MEASURED_SIDES; side++) {
        for (size_t i = 0; i < dumps->sides[side].n; i++)
            eti__file_release(&dumps->sides[side].files[i]);
        free(dumps->sides[side].files);
    }
    free(dumps->folder);
    free(dumps->shown_folder);
    free(dumps);
}

eti_kept eti__dumps_keep(const eti_dumps *dumps) {
    eti__references_add(&dumps->references);
    return (eti_kept){(void *)dumps, drop};
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    (void)remove(path);
    return 0;
}

/* Commands may have written more than the dump. */
void eti__dump_folder_remove(const char *path) {
    if (nftw(path, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
        rmdir(path); /* out of memory; but the folder is usually empty */
    eti__leftover_drop_folder(path);
}

void eti__dumps_close(eti_dumps *dumps) {
    if (!dumps)
        return;
    eti__dumps_discard(dumps);
    if (dumps->folder && dumps->is_there)
        eti__dump_folder_remove(dumps->folder);
    if (dumps->lock >= 0)
        close(dumps->lock);
    if (dumps->pairs)
        fclose(dumps->pairs);
    drop(dumps);
}
