#include "base/file.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

static eti_status fail_read(eti_error *err, const char *name, int reason) {
    const char *advice = reason == ENOENT ? " (check the path)" : "";
    return eti_fail(err, ETI_ERROR_READ, "%s: cannot read: %s%s", name, strerror(reason), advice);
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
