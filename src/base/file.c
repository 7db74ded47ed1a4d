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
/* Files of this size are mapped. A mapping changes when somebody writes to the file, and what was verified is
 * then no more what is used; a copy costs a tenth of what reading a profile does. */
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
    atomic_signal_fence(memory_order_release); /* it is whole before it is found */
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

/* ---- opening --------------------------------------------------------------------------------- */

static eti_status fail_read(eti_error *err, const char *name, int reason) {
    const char *advice = reason == ENOENT ? " (check the path)" : "";
    return eti_fail(err, ETI_ERROR_READ, "%s: cannot read: %s%s", name, strerror(reason), advice);
}

/* Reads `descriptor` to its end, which is expected after `expected` bytes. */
static eti_status read_all(struct eti_file *file, int descriptor, size_t expected, eti_error *err) {
    uint8_t *bytes = NULL;
    size_t size = 0, capacity = 0;
    for (;;) {
        if (size >= ETI_FILE_LARGEST_COPY) {
            free(bytes);
            return eti_fail(err, ETI_ERROR_LIMIT, "%s: more than %zu bytes, and no end yet",
                            file->name, ETI_FILE_LARGEST_COPY);
        }
        if (size == capacity) {
            size_t larger = capacity ? capacity * 2 : expected + 1; /* room to find the end */
            uint8_t *grown = larger > capacity ? eti__realloc(bytes, larger) : NULL;
            if (!grown) {
                free(bytes);
                return eti_fail_memory(err);
            }
            bytes = grown;
            capacity = larger;
        }
        ssize_t got = read(descriptor, bytes + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int reason = errno;
            free(bytes);
            return fail_read(err, file->name, reason);
        }
        if (got == 0)
            break;
        size += (size_t)got;
    }
    file->copy = bytes;
    file->data = bytes;
    file->size = size;
    return ETI_OK;
}

static eti_status map_or_read(struct eti_file *file, int descriptor, eti_error *err) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return fail_read(err, file->name, errno);
    if (S_ISDIR(status.st_mode))
        return fail_read(err, file->name, EISDIR);
    /* /proc and the like say 0 bytes and have some. */
    bool has_size = S_ISREG(status.st_mode) && status.st_size > 0;
    size_t size = has_size ? (size_t)status.st_size : FIRST_READ_BYTES;
    if (has_size && (off_t)size != status.st_size) /* addresses are too short */
        return fail_read(err, file->name, EFBIG);
    if (!has_size || size < MAPPED_FROM_BYTES)
        return read_all(file, descriptor, size, err);

    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapping == MAP_FAILED)
        return read_all(file, descriptor, FIRST_READ_BYTES, err);
    if (!add_mapping(file, mapping, size)) {
        munmap(mapping, size);
        return eti_fail_memory(err);
    }
    file->data = mapping;
    file->size = size;
    return ETI_OK;
}

static eti_status open_path(struct eti_file *file, const char *path, eti_error *err) {
    if (strcmp(path, "-") == 0)
        return read_all(file, STDIN_FILENO, FIRST_READ_BYTES, err);
    int descriptor;
    do { /* which waits for the writer of a pipe */
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return fail_read(err, file->name, errno);
    eti_status status = map_or_read(file, descriptor, err);
    close(descriptor);
    return status;
}

eti_status eti__file_open_source(struct eti_file *out, const eti_source *source, eti_error *err) {
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
        status = open_path(out, path, err);
    }
    if (status != ETI_OK)
        eti__file_release(out);
    return status;
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
