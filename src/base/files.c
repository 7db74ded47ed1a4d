#include "base/files.h"

#include "base/array.h"
#include "base/names.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== file ==================================================================================== */

#define FIRST_READ_BYTES ((size_t)64 << 10)
#define FIRST_JUDGED_BYTES ((size_t)4 << 10) /* enough to recognize most files */
/* Files of this size or more are mapped. A mapping changes if another process writes to the file, so that the bytes used
 * may differ from the verified ones; copying costs a tenth of the time of reading a profile. */
#define MAPPED_FROM_BYTES ((size_t)64 << 20)

static const uint8_t no_bytes[1];

/* ---- mapped files, which a signal handler may ask for ---------------------------------------- */

static pthread_mutex_t changing_mapped = PTHREAD_MUTEX_INITIALIZER;
static struct eti_mapping *volatile mapped;

static bool add_mapping(struct eti_file *file, void *data, size_t size) {
    struct eti_mapping *mapping = malloc(sizeof *mapping);
    if (!mapping)
        return false;
    pthread_mutex_lock(&changing_mapped);
    *mapping = (struct eti_mapping){data, size, file->name, mapped};
    atomic_signal_fence(memory_order_release); /* complete before a signal handler can find it */
    mapped = mapping;
    pthread_mutex_unlock(&changing_mapped);
    file->mapping = mapping;
    return true;
}

static void remove_mapping(struct eti_mapping *mapping) {
    pthread_mutex_lock(&changing_mapped);
    if (mapped == mapping)
        mapped = mapping->next;
    for (struct eti_mapping *other = mapped; other; other = other->next) {
        if (other->next == mapping)
            other->next = mapping->next;
    }
    pthread_mutex_unlock(&changing_mapped);
    munmap(mapping->data, mapping->size);
    free(mapping);
}

const char *eti_mapped_file_name(const void *address) {
    for (const struct eti_mapping *mapping = mapped; mapping; mapping = mapping->next) {
        uintptr_t first = (uintptr_t)mapping->data;
        if ((uintptr_t)address >= first && (uintptr_t)address - first < mapping->size)
            return mapping->name;
    }
    return NULL;
}

void eti__file_leave(const void *data, size_t size) {
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (page_bytes <= 0 || size == 0 || !eti_mapped_file_name(data))
        return;
    const size_t page = (size_t)page_bytes, before = -(uintptr_t)data % page;
    if (size > before && (size - before) / page > 0)
        (void)madvise((char *)data + before, (size - before) / page * page, MADV_DONTNEED);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Number of entries of a folder that are compared with the name of a missing file. */
#define MOST_COMPARED 10000

/* Returns whether the name is UTF-8 that a terminal shows as it is. */
static bool is_shown_as_it_is(eti_text name) {
    for (size_t at = 0; at < name.size;) {
        uint32_t code_point;
        at += eti__text_decode(name, at, &code_point);
        if (eti__is_control(code_point) || code_point == 0xfffd)
            return false;
    }
    return true;
}

/* Compares a name in a folder with the name of a missing file, as eti__text_is_nearer() does; of names with the same
 * suffix, only the rest. */
static bool is_nearer_file(const char *candidate, const char *name, size_t *least) {
    eti_text a = eti__text_of(candidate), b = eti__text_of(name);
    const char *suffix = strrchr(candidate, '.'), *other = strrchr(name, '.');
    if (suffix && other && strcmp(suffix, other) == 0) {
        a.size -= strlen(suffix);
        b.size -= strlen(other);
    }
    return eti__text_is_nearer(a, b, least);
}

/* Finds the entry of a folder whose name is nearest to that of a missing file; of equally near ones, the first by name.
 * Returns false if none is near. */
static bool find_near_file(const char *folder, const char *name, char out[NAME_MAX + 1]) {
    DIR *directory = opendir(folder);
    size_t least = ETI_TOO_FAR;
    const struct dirent *entry;
    for (int i = 0; directory && i < MOST_COMPARED && (entry = readdir(directory)); i++) {
        const char *found = entry->d_name;
        size_t distance = least < ETI_TOO_FAR ? least + 1 : least;
        if (strlen(found) > NAME_MAX || strcmp(found, name) == 0 ||
            !is_nearer_file(found, name, &distance) || !is_shown_as_it_is(eti__text_of(found)) ||
            (distance == least && strcmp(found, out) > 0))
            continue;
        least = distance;
        snprintf(out, NAME_MAX + 1, "%s", found);
    }
    if (directory)
        closedir(directory);
    return least < ETI_TOO_FAR;
}

static eti_status fail_missing(eti_error *err, const char *path) {
    char folder[PATH_MAX], near[NAME_MAX + 1];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int size = (int)(name - path);
    bool fits = (size_t)size < sizeof folder;
    if (fits)
        snprintf(folder, sizeof folder, "%.*s", size > 0 ? size : 1, size > 0 ? path : ".");
    if (fits && find_near_file(folder, name, near))
        return eti_fail(err, ETI_ERROR_READ, "%s: cannot read: No such file; did you mean %.*s%s?",
                        path, size, path, near);
    return eti_fail(err, ETI_ERROR_READ, "%s: cannot read: %s (check the path)", path,
                    strerror(ENOENT));
}

static eti_status fail_read(eti_error *err, const char *name, int reason) {
    return reason == ENOENT
               ? fail_missing(err, name)
               : eti_fail(err, ETI_ERROR_READ, "%s: cannot read: %s", name, strerror(reason));
}

/* A file while it is read. */
typedef struct reading {
    struct eti_file *file; /* its `copy` holds the bytes read so far */
    size_t capacity;
    const eti_file_judge *judge; /* NULL: the whole file is read */
    size_t judged_at;            /* number of bytes after which the kind is judged */
} reading;

static bool grow(reading *r, size_t expected) {
    struct eti_file *file = r->file;
    size_t larger = r->capacity ? r->capacity * 2 : expected;
    void *grown = larger > r->capacity ? eti__realloc(file->copy, larger) : NULL;
    if (!grown)
        return false;
    file->copy = grown;
    file->data = grown;
    r->capacity = larger;
    return true;
}

/* Calls the judge, if there is one, once enough bytes are read. */
static eti_status judge(reading *r, bool is_all, eti_error *err) {
    bool is_judged = false;
    if (!r->judge || (r->file->size < r->judged_at && !is_all))
        return ETI_OK;
    ETI_TRY(r->judge->judge(r->judge->context, &is_judged, r->file, is_all, err));
    r->judged_at *= 2;
    if (is_judged)
        r->judge = NULL;
    return ETI_OK;
}

/* Reads the available bytes, up to the capacity or to the next call of the judge. `*is_end`: there are no more. */
static eti_status read_some(reading *r, int descriptor, bool *is_end, eti_error *err) {
    struct eti_file *file = r->file;
    size_t until = r->judge && r->judged_at < r->capacity ? r->judged_at : r->capacity;
    ssize_t got;
    do {
        got = read(descriptor, (char *)file->copy + file->size, until - file->size);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_read(err, file->name, errno);
    file->size += (size_t)got;
    *is_end = got == 0;
    return ETI_OK;
}

/* Reads `descriptor` to its end, which is expected after `expected` bytes. The bytes are released with the file. */
static eti_status read_all(struct eti_file *file, int descriptor, size_t expected,
                           const eti_file_judge *file_judge, eti_error *err) {
    reading r = {.file = file, .judge = file_judge, .judged_at = FIRST_JUDGED_BYTES};
    bool is_end = false;
    while (!is_end) {
        if (file->size >= ETI_FILE_LARGEST_COPY)
            return eti_fail(err, ETI_ERROR_LIMIT, "%s: the input has not ended after %zu bytes",
                            file->name, ETI_FILE_LARGEST_COPY);
        if (file->size == r.capacity &&
            !grow(&r, expected + 1)) /* one byte more, to detect the end */
            return eti_fail_memory(err);
        ETI_TRY(read_some(&r, descriptor, &is_end, err));
        ETI_TRY(judge(&r, is_end, err));
    }
    return ETI_OK;
}

static eti_status map(struct eti_file *file, void *mapping, size_t size,
                      const eti_file_judge *file_judge, eti_error *err) {
    bool is_judged;
    if (!add_mapping(file, mapping, size)) {
        munmap(mapping, size);
        return eti_fail_memory(err);
    }
    file->data = mapping;
    file->size = size;
    return file_judge ? file_judge->judge(file_judge->context, &is_judged, file, true, err)
                      : ETI_OK;
}

static eti_status map_or_read(struct eti_file *file, int descriptor,
                              const eti_file_judge *file_judge, eti_error *err) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return fail_read(err, file->name, errno);
    if (S_ISDIR(status.st_mode))
        return fail_read(err, file->name, EISDIR);
    /* Files in /proc and similar report 0 bytes but have contents. */
    bool has_size = S_ISREG(status.st_mode) && status.st_size > 0;
    size_t size = has_size ? (size_t)status.st_size : FIRST_READ_BYTES;
    if (has_size && (off_t)size != status.st_size) /* does not fit into an address */
        return fail_read(err, file->name, EFBIG);
    if (!has_size || size < MAPPED_FROM_BYTES)
        return read_all(file, descriptor, size, file_judge, err);

    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    return mapping == MAP_FAILED ? read_all(file, descriptor, FIRST_READ_BYTES, file_judge, err)
                                 : map(file, mapping, size, file_judge, err);
}

/* Opens standard input. If it is a file that nobody has read from yet, it is treated like any other file. */
static eti_status open_standard_input(struct eti_file *file, const eti_file_judge *file_judge,
                                      eti_error *err) {
    struct stat status;
    bool is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
                   lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return is_file ? map_or_read(file, STDIN_FILENO, file_judge, err)
                   : read_all(file, STDIN_FILENO, FIRST_READ_BYTES, file_judge, err);
}

static eti_status open_path(struct eti_file *file, const char *path,
                            const eti_file_judge *file_judge, eti_error *err) {
    if (strcmp(path, "-") == 0)
        return open_standard_input(file, file_judge, err);
    int descriptor;
    do { /* open() waits for the writer of a pipe */
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return fail_read(err, file->name, errno);
    eti_status status = map_or_read(file, descriptor, file_judge, err);
    close(descriptor);
    return status;
}

eti_status eti__file_open_judged(struct eti_file *out, const eti_source *source,
                                 const eti_file_judge *file_judge, eti_error *err) {
    *out = (struct eti_file){.data = no_bytes};
    const char *path = source->path ? source->path : "(memory)";
    out->name = strdup(strcmp(path, "-") == 0 ? "(standard input)" : path);
    if (!out->name)
        return eti_fail_memory(err);

    eti_status status = ETI_OK;
    if (source->data) {
        out->data = source->data;
        out->size = source->size;
    } else if (!source->path) {
        status = eti_fail(err, ETI_ERROR_USAGE, "an input has neither a path nor data");
    } else {
        status = open_path(out, path, file_judge, err);
    }
    if (status != ETI_OK)
        eti__file_release(out);
    return status;
}

bool eti__source_is_folder(const eti_source *source) {
    struct stat status;
    return !source->data && stat(source->path, &status) == 0 && S_ISDIR(status.st_mode);
}

eti_status eti__file_open_source(struct eti_file *out, const eti_source *source, eti_error *err) {
    return eti__file_open_judged(out, source, NULL, err);
}

/* Judges by size, as an eti_judge_function; the context is the largest size. */
static eti_status judge_size(const void *context, bool *is_judged, const struct eti_file *file,
                             bool is_all, eti_error *err) {
    size_t most = *(const size_t *)context;
    *is_judged = is_all;
    return is_all || file->size <= most
               ? ETI_OK
               : eti_fail(err, ETI_ERROR_LIMIT, "%s: more than %zu bytes", file->name, most);
}

eti_status eti__file_open_small(struct eti_file *out, const eti_source *source, size_t most,
                                eti_error *err) {
    const eti_file_judge by_size = {judge_size, &most};
    return eti__file_open_judged(out, source, &by_size, err);
}

static void release_bytes(struct eti_file *file) {
    if (file->mapping)
        remove_mapping(file->mapping);
    free(file->copy);
}

void eti__file_replace(struct eti_file *file, uint8_t *bytes, size_t size) {
    release_bytes(file);
    file->mapping = NULL;
    file->copy = bytes;
    file->data = bytes;
    file->size = size;
}

void eti__file_release(struct eti_file *file) {
    release_bytes(file);
    free(file->name);
    *file = (struct eti_file){.data = no_bytes};
}

/* ==== open below ============================================================================== */

#ifdef O_PATH /* O_PATH also works for a folder that cannot be listed */
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif
#define FILE_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

#define MOST_FOLDERS 64
#define MOST_LINKS 40 /* as on Linux */

/* The state of a walk along a path. */
typedef struct walk {
    int folders[MOST_FOLDERS]; /* each one is in the one before; the first is the root */
    size_t n_folders;
    char rest[PATH_MAX]; /* part of the name that is left */
    unsigned n_links;
} walk;

/* Removes the first part from the rest of the name; returns false if nothing is left. */
static bool take_part(walk *w, char part[PATH_MAX]) {
    const char *at = w->rest + strspn(w->rest, "/");
    size_t size = strcspn(at, "/");
    memcpy(part, at, size);
    part[size] = '\0';
    at += size;
    at += strspn(at, "/");
    memmove(w->rest, at, strlen(at) + 1);
    return size > 0;
}

static bool leave(walk *w) {
    if (w->n_folders == 1)
        return false;
    close(w->folders[--w->n_folders]);
    return true;
}

static bool enter(walk *w, const char *part) {
    if (w->n_folders == MOST_FOLDERS)
        return false;
    int folder = openat(w->folders[w->n_folders - 1], part, FOLDER_FLAGS | O_NOFOLLOW);
    if (folder < 0)
        return false;
    w->folders[w->n_folders++] = folder;
    return true;
}

/* Prepends the `size` bytes of a link to the rest of the name. */
static bool follow(walk *w, const char *link, size_t size) {
    size_t rest = strlen(w->rest);
    if (link[0] == '/' || size + 1 + rest >= sizeof w->rest || ++w->n_links > MOST_LINKS)
        return false;
    memmove(w->rest + size + 1, w->rest, rest + 1);
    memcpy(w->rest, link, size);
    w->rest[size] = '/';
    return true;
}

/* Follows one part of the name; returns false on failure. `*file` is set when the last part was opened. */
static bool step(walk *w, int *file) {
    char part[PATH_MAX], link[PATH_MAX];
    int folder = w->folders[w->n_folders - 1];
    if (!take_part(w, part))
        return false;
    if (strcmp(part, ".") == 0)
        return true;
    if (strcmp(part, "..") == 0)
        return leave(w);
    ssize_t size = readlinkat(folder, part, link, sizeof link);
    if (size > 0)
        return follow(w, link, (size_t)size);
    if (w->rest[0] != '\0')
        return enter(w, part);
    *file = openat(folder, part, FILE_FLAGS | O_NOFOLLOW);
    return *file >= 0;
}

int eti__open_below(const char *root, const char *name) {
    walk w = {.n_folders = 0};
    int file = -1;
    if (strlen(name) >= sizeof w.rest)
        return -1;
    memcpy(w.rest, name, strlen(name) + 1);
    w.folders[0] = open(root, FOLDER_FLAGS);
    if (w.folders[0] < 0)
        return -1;
    w.n_folders = 1;
    while (file < 0 && step(&w, &file))
        ;
    while (w.n_folders > 0)
        close(w.folders[--w.n_folders]);
    return file;
}

/* ==== small file ============================================================================== */

static bool read_small(int descriptor, size_t most, eti_buffer *out) {
    char piece[16384];
    while (out->size <= most && !out->failed) {
        ssize_t n = read(descriptor, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        eti__buffer_add(out, piece, (size_t)n);
    }
    return false;
}

/* Reads the file and closes the descriptor; -1 is allowed. */
static bool read_regular(int descriptor, size_t most, eti_buffer *out) {
    struct stat status;
    out->size = 0;
    if (descriptor < 0)
        return false;
    bool is_small = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    (uint64_t)status.st_size <= most;
    bool done = is_small && read_small(descriptor, most, out) && !out->failed;
    close(descriptor);
    return done;
}

bool eti__small_file_read(const char *path, size_t most, eti_buffer *out) {
    return read_regular(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), most, out);
}

bool eti__small_file_read_below(const char *root, const char *name, size_t most, eti_buffer *out) {
    return read_regular(eti__open_below(root, name), most, out);
}

/* ==== file name =============================================================================== */

static bool stands_for_itself(unsigned char byte, bool is_first) {
    bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if (is_letter || byte >= 0x80 || eti__is_digit((char)byte))
        return true;
    return byte != '\0' && strchr("._-#:,+=@()[] ", byte) != NULL &&
           !(is_first && (byte == '.' || byte == ' '));
}

void eti__file_name_add(eti_buffer *out, eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (stands_for_itself(byte, i == 0))
            eti__buffer_add_char(out, (char)byte);
        else
            eti__buffer_printf(out, "%%%02X", byte);
    }
}

/* Returns the value of a hexadecimal digit, or -1 for any other character. */
static int hex_value(char c) {
    static const char digits[] = "0123456789abcdef";
    const char *at = memchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c, sizeof digits - 1);
    return at ? (int)(at - digits) : -1;
}

void eti__file_name_add_text(eti_buffer *out, eti_text name) {
    for (size_t i = 0; i < name.size; i++) {
        int high = name.data[i] == '%' && name.size - i > 2 ? hex_value(name.data[i + 1]) : -1;
        int low = high >= 0 ? hex_value(name.data[i + 2]) : -1;
        if (low < 0) {
            eti__buffer_add_char(out, name.data[i]);
            continue;
        }
        eti__buffer_add_char(out, (char)(high << 4 | low));
        i += 2;
    }
}

/* ==== find files ============================================================================== */

#define DEEPEST 64

typedef struct search {
    const char *const *suffixes;
    eti_file_function take;
    void *context;
    eti_error *err;
} search;

/* Paths of the entries of a folder. */
typedef struct listing {
    char **paths;
    size_t n, capacity;
} listing;

static eti_status fail_folder(const search *s, const char *folder, int reason) {
    return reason == ENOMEM ? eti_fail_memory(s->err)
                            : eti_fail(s->err, ETI_ERROR_READ, "%s: cannot read the folder: %s",
                                       folder, strerror(reason));
}

static bool has_suffix(const search *s, const char *path) {
    size_t size = strlen(path);
    for (size_t i = 0; s->suffixes[i]; i++) {
        size_t n = strlen(s->suffixes[i]);
        if (size > n && strcmp(path + size - n, s->suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* Adds a path to the listing. False: out of memory. */
static bool add_path(listing *list, const char *folder, const char *name) {
    size_t n = strlen(folder), size = n + strlen(name) + 2;
    char *path = malloc(size);
    if (!path || !ETI_GROW(list->paths, list->capacity, list->n + 1)) {
        free(path);
        return false;
    }
    bool has_slash = n > 0 && folder[n - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    list->paths[list->n++] = path;
    return true;
}

static eti_status list_folder(listing *list, const search *s, const char *folder) {
    DIR *directory = opendir(folder);
    int reason = directory ? 0 : errno;
    while (directory && reason == 0) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        reason = entry ? 0 : errno;
        if (!entry)
            break;
        if (entry->d_name[0] != '.' && !add_path(list, folder, entry->d_name))
            reason = ENOMEM;
    }
    if (directory)
        closedir(directory);
    return reason == 0 ? ETI_OK : fail_folder(s, folder, reason);
}

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static eti_status search_folder(const search *s, const char *folder, int depth);

/* Passes a file on, or searches a folder. Skips files that no longer exist, and pipes and devices, which may have no end.
 * A path in a folder that may be listed but not searched could be a folder itself, so it is an error. A link that cannot
 * be followed, or that names a file that does not exist, is passed on, so that its reader reports it. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as `depth` allows */
static eti_status take_path(const search *s, const char *path, int depth) {
    struct stat is;
    if (lstat(path, &is) != 0)
        return errno == ENOENT
                   ? ETI_OK
                   : eti_fail(s->err, ETI_ERROR_READ, "%s: cannot read: %s", path, strerror(errno));
    if (S_ISDIR(is.st_mode))
        return search_folder(s, path, depth + 1);
    if (!has_suffix(s, path))
        return ETI_OK;
    bool is_link = S_ISLNK(is.st_mode);
    bool is_found = stat(path, &is) == 0;
    if (is_found ? !S_ISREG(is.st_mode) : errno == ENOENT && !is_link)
        return ETI_OK;
    return s->take(s->context, path, s->err);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as `depth` allows */
static eti_status search_folder(const search *s, const char *folder, int depth) {
    listing list = {0};
    if (depth > DEEPEST)
        return eti_fail(s->err, ETI_ERROR_LIMIT, "%s: folders are more than %d deep", folder,
                        DEEPEST);
    eti_status status = list_folder(&list, s, folder);
    if (status == ETI_OK && list.n > 0)
        qsort((void *)list.paths, list.n, sizeof *list.paths, compare_paths);
    for (size_t i = 0; i < list.n; i++) {
        if (status == ETI_OK)
            status = take_path(s, list.paths[i], depth);
        free(list.paths[i]);
    }
    free((void *)list.paths);
    return status;
}

eti_status eti__find_files(const char *folder, const char *const *suffixes, eti_file_function take,
                           void *context, eti_error *err) {
    const search s = {.suffixes = suffixes, .take = take, .context = context, .err = err};
    return search_folder(&s, folder, 0);
}

/* ==== path labels ============================================================================= */

#define NO_VALUE "__HIVE_DEFAULT_PARTITION__"

/* Returns the value of a hexadecimal digit, or -1. */
static int digit_of(char c) {
    if (eti__is_digit(c))
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Copies the text to the arena as UTF-8, replacing escapes such as "%3D" by the characters they stand for. */
static bool unescape(eti_text text, eti_arena *arena, eti_text *out) {
    char *bytes = eti__arena_alloc(arena, text.size + 1, 1);
    size_t n = 0;
    if (!bytes)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        int high = text.data[i] == '%' && i + 2 < text.size ? digit_of(text.data[i + 1]) : -1;
        int low = high >= 0 ? digit_of(text.data[i + 2]) : -1;
        bool is_escaped = low >= 0 && high + low > 0; /* NUL is not decoded */
        bytes[n] = text.data[i];
        if (is_escaped) {
            bytes[n] = (char)(high * 16 + low);
            i += 2;
        }
        n++;
    }
    *out = (eti_text){bytes, n};
    return eti__text_valid_utf8(*out) == n || eti__arena_own_text(arena, *out, out);
}

static bool read_label(eti_text folder, size_t equals, eti_arena *arena, eti_path_label *out) {
    eti_text value = eti__text_from(folder, equals + 1);
    out->value = (eti_text){NULL, 0};
    return unescape((eti_text){folder.data, equals}, arena, &out->key) &&
           (eti__text_is(value, NO_VALUE) || unescape(value, arena, &out->value));
}

bool eti__path_label_next(eti_text *path, eti_arena *arena, eti_path_label *out, bool *found) {
    *found = false;
    while (path->size > 0) {
        const char *slash = memchr(path->data, '/', path->size);
        if (!slash)
            return true;
        eti_text folder = {path->data, (size_t)(slash - path->data)};
        *path = (eti_text){slash + 1, path->size - folder.size - 1};
        const char *equals = folder.size > 0 ? memchr(folder.data, '=', folder.size) : NULL;
        if (!equals || equals == folder.data)
            continue;
        *found = true;
        return read_label(folder, (size_t)(equals - folder.data), arena, out);
    }
    return true;
}
