/*
 * record.c - a library to preload (LD_PRELOAD) into an unmodified program: logs, in order, what the program does to the
 * files of one folder, so that crash.c can derive the disk for every moment at which the system might fail.
 *
 *     RECORD_FOLDER   the folder; folders inside it are ignored
 *     RECORD_LOG      the log file, in another folder
 *
 * The log has one line per change; names are without the folder, files are identified by inode:
 *
 *     file INODE SIZE NAME      existed before; the bytes follow
 *     begin                     the program's changes follow
 *     create INODE NAME         a new, empty file
 *     write INODE OFFSET SIZE   the bytes follow
 *     truncate INODE SIZE       to that size
 *     sync INODE                fsync() or fdatasync()
 *     sync .                    sync of the folder
 *     rename FROM/TO            link FROM/TO, unlink NAME
 *
 * Failing calls change nothing and are omitted. Writes through a shared mapping, and writes of stdio, are not logged.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 4096
#define LOG_DESCRIPTOR                                                                             \
    200 /* first descriptor used here; high, so that the program's own get the usual numbers */

static int log_descriptor = -1;
static struct stat folder;
static ino_t files[MOST_FILES]; /* inodes that are or were in the folder */
static size_t n_files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the log --------------------------------------------------------------------------------- */

/* Finds the next definition of a function: that of the C library, or of a sanitizer. */
static void find_next(void *function_pointer, const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function_pointer, &symbol, sizeof symbol);
}

static void add_bytes(const void *data, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next)
        find_next(&next, "write");
    while (size > 0) {
        ssize_t written = next(log_descriptor, data, size);
        if (written <= 0)
            abort();
        data = (const char *)data + written;
        size -= (size_t)written;
    }
}

/* Writes a line, followed by `data`. */
__attribute__((format(printf, 3, 4))) static void add_entry(const void *data, size_t size,
                                                            const char *format, ...) {
    char line[2 * NAME_MAX + 100];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof line)
        abort();
    pthread_mutex_lock(&lock);
    add_bytes(line, (size_t)length);
    add_bytes(data, size);
    pthread_mutex_unlock(&lock);
}

/* ---- which files ----------------------------------------------------------------------------- */

static bool is_watched(ino_t inode) {
    for (size_t i = 0; i < n_files; i++) {
        if (files[i] == inode)
            return true;
    }
    return false;
}

static void watch(ino_t inode) {
    if (is_watched(inode))
        return;
    if (n_files == MOST_FILES)
        abort();
    files[n_files++] = inode;
}

/* Returns the inode of a descriptor if it belongs to the folder, else 0. */
static ino_t inode_of(int descriptor) {
    struct stat status;
    if (log_descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_dev != folder.st_dev)
        return 0;
    return S_ISREG(status.st_mode) && is_watched(status.st_ino) ? status.st_ino : 0;
}

static bool is_folder(int descriptor) {
    struct stat status;
    return log_descriptor >= 0 && fstat(descriptor, &status) == 0 &&
           status.st_dev == folder.st_dev && status.st_ino == folder.st_ino;
}

/* Returns the last part of a path if the rest is the folder, else NULL. */
static const char *name_in_folder(int at, const char *path) {
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    struct stat status;
    if (log_descriptor < 0)
        return NULL;
    snprintf(parent, sizeof parent, "%.*s.", length, path);
    if (fstatat(at, parent, &status, 0) != 0 || status.st_dev != folder.st_dev ||
        status.st_ino != folder.st_ino)
        return NULL;
    return slash ? slash + 1 : path;
}

/* ---- before the program ---------------------------------------------------------------------- */

static void add_file(const char *path, const char *name) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(descriptor);
        return;
    }
    size_t size = (size_t)status.st_size;
    char *data = malloc(size + 1);
    if (!data || read(descriptor, data, size) != (ssize_t)size)
        abort();
    watch(status.st_ino);
    add_entry(data, size, "file %ju %zu %s\n", (uintmax_t)status.st_ino, size, name);
    free(data);
    close(descriptor);
}

static void add_folder(const char *path) {
    DIR *directory = opendir(path);
    char file[PATH_MAX];
    if (!directory || stat(path, &folder) != 0)
        abort();
    for (struct dirent *entry; (entry = readdir(directory));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        add_file(file, entry->d_name);
    }
    closedir(directory);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RECORD_FOLDER"), *log = getenv("RECORD_LOG");
    if (!path || !log)
        return;
    int descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, LOG_DESCRIPTOR);
    if (high < 0)
        abort();
    close(descriptor);
    log_descriptor = high;
    add_folder(path);
    add_entry(NULL, 0, "begin\n");
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Logs the effect of opening: `existed` says whether the file existed before. */
static void note_open(const char *name, int flags, bool existed, int descriptor) {
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    watch(status.st_ino);
    if (!existed)
        add_entry(NULL, 0, "create %ju %s\n", (uintmax_t)status.st_ino, name);
    else if (flags & O_TRUNC)
        add_entry(NULL, 0, "truncate %ju 0\n", (uintmax_t)status.st_ino);
}

static int open_as(const char *function, int at, const char *path, int flags, mode_t mode) {
    int (*next)(int, const char *, int, ...);
    find_next(&next, function);
    const char *name = name_in_folder(at, path);
    struct stat status;
    bool existed = name && fstatat(at, path, &status, 0) == 0;
    int descriptor = next(at, path, flags, mode), saved = errno;
    if (name)
        note_open(name, flags, existed, descriptor);
    errno = saved;
    return descriptor;
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;
}

#define RECORD_OPEN(name, openat_name)                                                             \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = mode_of(flags, rest);                                                        \
        va_end(rest);                                                                              \
        return open_as(#openat_name, AT_FDCWD, path, flags, mode);                                 \
    }                                                                                              \
    int openat_name(int at, const char *path, int flags, ...) {                                    \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = mode_of(flags, rest);                                                        \
        va_end(rest);                                                                              \
        return open_as(#openat_name, at, path, flags, mode);                                       \
    }

RECORD_OPEN(open, openat)
RECORD_OPEN(open64, openat64)

/* ---- contents -------------------------------------------------------------------------------- */

/* Defines a function that runs `note` if the call succeeds; `result` is its return value. */
#define RECORD(type, name, parameters, arguments, note)                                            \
    type name parameters {                                                                         \
        static type(*next) parameters;                                                             \
        if (!next)                                                                                 \
            find_next(&next, #name);                                                               \
        type result = next arguments;                                                              \
        int saved = errno;                                                                         \
        if (result >= 0)                                                                           \
            note;                                                                                  \
        errno = saved;                                                                             \
        return result;                                                                             \
    }

/* Logs bytes that are written already: they end at `end`, or at the position of the descriptor if `end` is -1. */
static void note_write(int descriptor, const void *data, ssize_t size, off_t end) {
    ino_t inode = inode_of(descriptor);
    if (inode == 0)
        return;
    if (end < 0)
        end = lseek(descriptor, 0, SEEK_CUR);
    add_entry(data, (size_t)size, "write %ju %jd %zd\n", (uintmax_t)inode, (intmax_t)end - size,
              size);
}

static void note_size(ino_t inode, off_t size) {
    if (inode != 0)
        add_entry(NULL, 0, "truncate %ju %jd\n", (uintmax_t)inode, (intmax_t)size);
}

static void note_sync(int descriptor) {
    ino_t inode = inode_of(descriptor);
    if (inode != 0)
        add_entry(NULL, 0, "sync %ju\n", (uintmax_t)inode);
    else if (is_folder(descriptor))
        add_entry(NULL, 0, "sync .\n");
}

RECORD(ssize_t, write, (int descriptor, const void *data, size_t size), (descriptor, data, size),
       note_write(descriptor, data, result, -1))
RECORD(ssize_t, pwrite, (int descriptor, const void *data, size_t size, off_t at),
       (descriptor, data, size, at), note_write(descriptor, data, result, at + result))
RECORD(ssize_t, pwrite64, (int descriptor, const void *data, size_t size, off_t at),
       (descriptor, data, size, at), note_write(descriptor, data, result, at + result))
RECORD(int, ftruncate, (int descriptor, off_t size), (descriptor, size),
       note_size(inode_of(descriptor), size))
RECORD(int, ftruncate64, (int descriptor, off_t size), (descriptor, size),
       note_size(inode_of(descriptor), size))
RECORD(int, fsync, (int descriptor), (descriptor), note_sync(descriptor))
RECORD(int, fdatasync, (int descriptor), (descriptor), note_sync(descriptor))

/* ---- names ----------------------------------------------------------------------------------- */

static void note_names(const char *call, int from_at, const char *from, int to_at, const char *to) {
    const char *from_name = name_in_folder(from_at, from), *to_name = name_in_folder(to_at, to);
    if (!from_name && !to_name)
        return;
    if (!from_name || !to_name)
        abort(); /* into or out of the folder */
    add_entry(NULL, 0, "%s %s/%s\n", call, from_name, to_name);
}

static void note_unlink(int at, const char *path) {
    const char *name = name_in_folder(at, path);
    if (name)
        add_entry(NULL, 0, "unlink %s\n", name);
}

#define TWO_PATHS int from_at, const char *from, int to_at, const char *to
#define HERE AT_FDCWD

RECORD(int, rename, (const char *from, const char *to), (from, to),
       note_names("rename", HERE, from, HERE, to))
RECORD(int, renameat, (TWO_PATHS), (from_at, from, to_at, to),
       note_names("rename", from_at, from, to_at, to))
RECORD(int, renameat2, (TWO_PATHS, unsigned flags), (from_at, from, to_at, to, flags),
       note_names("rename", from_at, from, to_at, to))
RECORD(int, link, (const char *from, const char *to), (from, to),
       note_names("link", HERE, from, HERE, to))
RECORD(int, linkat, (TWO_PATHS, int flags), (from_at, from, to_at, to, flags),
       note_names("link", from_at, from, to_at, to))
RECORD(int, unlink, (const char *path), (path), note_unlink(HERE, path))
RECORD(int, unlinkat, (int at, const char *path, int flags), (at, path, flags),
       note_unlink(at, path))
