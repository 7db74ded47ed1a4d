/*
 * hosted_file.c - saves to files: each is written beside its target, synced and renamed.
 */
#include "capture/capture.h"

#if ETC_HOSTED

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 100, MOST_LINKS = 40, N_DIGITS = 16, BUFFER_SIZE = 16384 };

#define PREFIX ".etcapture-"

/* ---- writing --------------------------------------------------------------------------------- */

/* Collects small writes in a buffer. */
typedef struct stream {
    int descriptor;
    size_t n_buffered;
    uint8_t buffer[BUFFER_SIZE];
} stream;

static int write_all(int descriptor, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t n = write(descriptor, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = ENOSPC;
        if (n <= 0)
            return -1;
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

static int flush(stream *s) {
    size_t size = s->n_buffered;
    s->n_buffered = 0;
    return write_all(s->descriptor, s->buffer, size);
}

static int write_stream(void *context, const void *data, size_t size) {
    stream *s = context;
    if (size > sizeof s->buffer - s->n_buffered && flush(s) != 0)
        return -1;
    if (size > sizeof s->buffer)
        return write_all(s->descriptor, data, size);
    memcpy(s->buffer + s->n_buffered, data, size);
    s->n_buffered += size;
    return 0;
}

/* ---- one file -------------------------------------------------------------------------------- */

typedef struct output {
    int descriptor;  /* -1: closed */
    char *target;    /* path of the file to replace; NULL: the file is written directly */
    char *temporary; /* path of the temporary file; NULL: there is no such file */
} output;

typedef etc_status (*save_function)(const etc_capture *, const etc_save_options *, etc_sink);

/* Draws digits for the name of a temporary file. O_EXCL makes sure that the name is new. */
static void draw_digits(char *digits) {
    static const char characters[] = "0123456789abcdef";
    uint64_t number = etc__monotonic(NULL) ^ (uint64_t)getpid() << 32 ^ (uintptr_t)digits;
    for (int i = 0; i < N_DIGITS; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        digits[i] = characters[number >> 60];
    }
    digits[N_DIGITS] = '\0';
}

/* Returns the path of a temporary file in the folder of `target`, whose digits are drawn at
 * *digits; NULL: out of memory. */
static char *path_beside(const char *target, char **digits) {
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    char *path = malloc(folder + sizeof PREFIX + N_DIGITS);
    if (!path)
        return NULL;
    memcpy(path, target, folder);
    memcpy(path + folder, PREFIX, sizeof PREFIX);
    *digits = path + folder + sizeof PREFIX - 1;
    return path;
}

/* Makes the temporary file, with the mode of the file that it will replace. */
static etc_status make_temporary(output *o, const struct stat *replaced) {
    char *digits;
    o->temporary = path_beside(o->target, &digits);
    if (!o->temporary)
        return ETC_MEMORY;
    for (int i = 0; i < MOST_NAMES; i++) {
        draw_digits(digits);
        o->descriptor = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (o->descriptor >= 0) {
            if (replaced)
                (void)fchmod(o->descriptor, replaced->st_mode & 0777);
            return ETC_OK;
        }
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    int reason = errno;
    free(o->temporary);
    o->temporary = NULL;
    errno = reason;
    return ETC_IO;
}

/* Returns the path that a symbolic link leads to; NULL with errno. */
static char *read_link(const char *link) {
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target);
    if (length < 0)
        return NULL;
    const char *slash = strrchr(link, '/');
    size_t folder = slash && target[0] != '/' ? (size_t)(slash - link) + 1 : 0;
    char *path = malloc(folder + (size_t)length + 1);
    if (!path)
        return NULL;
    memcpy(path, link, folder);
    memcpy(path + folder, target, (size_t)length);
    path[folder + (size_t)length] = '\0';
    return path;
}

/* Returns the path of the file to make, to which symbolic links may lead; NULL with errno. */
static char *follow_links(const char *path) {
    char *at = strdup(path);
    for (int n = 0; at; n++) {
        struct stat status;
        if (lstat(at, &status) != 0 || !S_ISLNK(status.st_mode))
            return at;
        char *next = n < MOST_LINKS ? read_link(at) : NULL;
        int reason = n < MOST_LINKS ? errno : ELOOP;
        free(at);
        errno = reason;
        at = next;
    }
    return NULL;
}

static etc_status open_output(output *o, const char *path) {
    struct stat status;
    *o = (output){-1, NULL, NULL};
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        return ETC_IO;
    if (exists && !S_ISREG(status.st_mode)) {
        o->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return o->descriptor < 0 ? ETC_IO : ETC_OK;
    }
    o->target = exists ? realpath(path, NULL) : follow_links(path);
    if (!o->target)
        return errno == ENOMEM ? ETC_MEMORY : ETC_IO;
    return make_temporary(o, exists ? &status : NULL);
}

/* Writes and syncs the temporary file. The target does not change. */
static etc_status fill(output *o, const etc_capture *c, const etc_save_options *options,
                       save_function save) {
    stream s;
    s.descriptor = o->descriptor;
    s.n_buffered = 0;
    etc_status status = save(c, options, (etc_sink){write_stream, &s});
    if (status == ETC_OK && flush(&s) != 0)
        status = ETC_IO;
    if (status == ETC_OK && o->temporary && fsync(o->descriptor) != 0)
        status = ETC_IO;
    if (status != ETC_OK)
        return status;
    int descriptor = o->descriptor;
    o->descriptor = -1;
    return close(descriptor) != 0 && errno != EINTR ? ETC_IO : ETC_OK;
}

static etc_status prepare(output *o, const char *path, const etc_capture *c,
                          const etc_save_options *options, save_function save) {
    etc_status status = open_output(o, path);
    return status ? status : fill(o, c, options, save);
}

/* Removes the temporary file if it was not renamed. Keeps errno. */
static void discard(output *o) {
    int reason = errno;
    if (o->descriptor >= 0)
        close(o->descriptor);
    if (o->temporary)
        unlink(o->temporary);
    free(o->temporary);
    free(o->target);
    errno = reason;
}

/* ---- replacing files ------------------------------------------------------------------------- */

static bool put_in_place(output *o) {
    if (!o->temporary)
        return true; /* it was written directly */
    if (rename(o->temporary, o->target) != 0)
        return false;
    free(o->temporary);
    o->temporary = NULL;
    return true;
}

/* Links the old file at `target` to a second name, from which it can be restored. Returns that
 * name, which the caller frees. NULL: there is no second name; errno is ENOENT if there is no old
 * file. */
static char *keep_old(const char *target) {
    char *digits;
    char *path = path_beside(target, &digits);
    if (!path)
        return NULL;
    draw_digits(digits);
    if (link(target, path) == 0)
        return path;
    int reason = errno;
    free(path);
    errno = reason;
    return NULL;
}

/* Replaces both files. The debug data come first, because they are not read before the ETDump
 * exists. */
static bool put_both(output *dump, output *debug) {
    char *old = debug->target ? keep_old(debug->target) : NULL;
    bool is_new = debug->target && !old && errno == ENOENT;
    bool has_succeeded = put_in_place(debug);
    if (has_succeeded && !put_in_place(dump)) {
        int reason = errno;
        has_succeeded = false;
        if (old && rename(old, debug->target) == 0) {
            free(old);
            old = NULL;
        } else if (is_new) {
            unlink(debug->target);
        }
        errno = reason;
    }
    int reason = errno;
    if (old)
        unlink(old);
    free(old);
    errno = reason;
    return has_succeeded;
}

/* Syncs the folder, so that the new name survives a system crash. */
static void sync_folder(const output *o) {
    if (!o->target)
        return;
    char *slash = strrchr(o->target, '/');
    if (slash && slash != o->target)
        *slash = '\0';
    int folder = open(!slash               ? "."
                      : slash == o->target ? "/"
                                           : o->target,
                      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
}

/* Checks whether the capture can be saved to these paths. */
static etc_status check(const etc_capture *c, const etc_save_options *options, const char *path,
                        const char *debug_path) {
    uint64_t size;
    if (!path)
        return ETC_INVALID;
    if (debug_path && c->debug_sink.write)
        return ETC_STATE;
    return etc_save_size(c, options, &size);
}

/* Returns where the name of the file begins in a path. */
static const char *name_in(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the folder that a path leads to, even if the file does not exist yet. */
static bool stat_folder(const char *path, struct stat *out) {
    size_t length = (size_t)(name_in(path) - path);
    char *folder = length ? strndup(path, length) : strdup(".");
    bool is_known = folder && stat(folder, out) == 0;
    free(folder);
    return is_known;
}

static bool are_one_file(const output *a, const output *b) {
    struct stat of_a, of_b;
    return a->target && b->target && strcmp(name_in(a->target), name_in(b->target)) == 0 &&
           stat_folder(a->target, &of_a) && stat_folder(b->target, &of_b) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

etc_status etc_save_file(const etc_capture *c, const etc_save_options *options, const char *path,
                         const char *debug_path) {
    output dump = {-1, NULL, NULL}, debug = {-1, NULL, NULL};
    if (!c)
        return ETC_OK;
    etc_status status = check(c, options, path, debug_path);
    if (status)
        return status;
    status = prepare(&dump, path, c, options, etc_save);
    if (status == ETC_OK && debug_path)
        status = prepare(&debug, debug_path, c, options, etc_save_debug);
    if (status == ETC_OK && are_one_file(&dump, &debug))
        status = ETC_INVALID;
    if (status == ETC_OK && !put_both(&dump, &debug))
        status = ETC_IO;
    if (status == ETC_OK) {
        sync_folder(&dump);
        sync_folder(&debug);
    }
    discard(&dump);
    discard(&debug);
    return status;
}

#endif
