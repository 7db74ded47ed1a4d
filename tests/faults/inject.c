/*
 * inject.c - a library to preload (LD_PRELOAD) into an unmodified program: makes the n-th call of one function of the C
 * library fail or misbehave. A test that does so for n = 1, 2, 3 ... until there is no n-th call covers every fault of that
 * kind which can occur in a run of the program.
 *
 * These environment variables control it:
 *
 *     INJECT_CALL     the function: malloc (any that allocates), or one of those below, as open or write
 *     INJECT_ON       "input", "output" or "folder": only calls on files opened for reading, files opened for writing, or
 *                     folders
 *     INJECT_AT       n, counted from 1, or "all"; without it calls are only counted
 *     INJECT_EFFECT   fail           fails with INJECT_ERRNO, a number
 *                     nothing        does nothing, and returns 0
 *                     short          reads or writes one byte
 *                     signal:N       raises signal N after the call
 *                     truncate:PATH  empties the file after the call
 *                     scramble:PATH  sets all its bytes to 0xff after the call
 *     INJECT_REPORT   the descriptor to which it writes these lines:
 *
 *     hit A           the effect took place after A allocations; written at once
 *     calls N         the number of calls; written when main() returns
 *     live A@FILE B@FILE ...   the blocks not freed by then: the numbers of their allocations, and the callers
 *
 * Only calls during main() count: the loader, other libraries, sanitizers and gcov work before and after it. stdio's own
 * reads and writes cannot be intercepted, its allocations can. Several threads may allocate; a lock serializes them.
 *
 * A test that runs inside the program, such as one in Python, sets INJECT_PARTS=1: then only calls during inject_part()
 * count.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRACKED 65536

/* ---- settings -------------------------------------------------------------------------------- */

static bool is_in_main, is_in_parts;
static const char *wanted_call, *wanted_side, *effect = "";
static bool always;
static long wanted_at;
static int error_number, report_descriptor = -1;
static long n_calls, n_allocations;

static const char *text_of(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static void read_environment(void) {
    wanted_call = text_of("INJECT_CALL");
    wanted_side = text_of("INJECT_ON");
    effect = text_of("INJECT_EFFECT");
    always = strcmp(text_of("INJECT_AT"), "all") == 0;
    wanted_at = atol(text_of("INJECT_AT"));
    error_number = atoi(text_of("INJECT_ERRNO"));
    is_in_parts = *text_of("INJECT_PARTS") != '\0';
    const char *report = text_of("INJECT_REPORT");
    report_descriptor = *report ? atoi(report) : -1;
}

/* Finds the next definition of a function: that of the C library, or of a sanitizer. */
static void find_next(void *function_pointer, const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function_pointer, &symbol, sizeof symbol);
}

static ssize_t write_really(int descriptor, const void *data, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next)
        find_next(&next, "write");
    return next(descriptor, data, size);
}

static void report(const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (report_descriptor >= 0)
        (void)!write_really(report_descriptor, text, (size_t)length);
}

/* ---- the n-th call --------------------------------------------------------------------------- */

static const char *side_of_flags(int flags) {
    if (flags & O_DIRECTORY)
        return "folder";
    return (flags & O_ACCMODE) == O_RDONLY ? "input" : "output";
}

static const char *side_of(int descriptor) {
    int saved = errno, flags = fcntl(descriptor, F_GETFL);
    errno = saved;
    return flags < 0 ? "" : side_of_flags(flags);
}

/* Counts a call; returns whether the effect takes place in it. `side` is "" for functions without one. */
static bool is_turn(const char *call, const char *side) {
    if (!is_in_main || strcmp(call, wanted_call) != 0)
        return false;
    if (*wanted_side && strcmp(side, wanted_side) != 0)
        return false;
    n_calls++;
    bool now = always || n_calls == wanted_at;
    if (now)
        report("hit %ld\n", n_allocations);
    return now;
}

static bool is_effect(const char *name) {
    return strcmp(effect, name) == 0;
}

/* Returns the text after the colon if the effect begins with this word, or NULL. */
static const char *effect_value(const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(effect, prefix, length) == 0 ? effect + length : NULL;
}

static bool does_fail(void) {
    if (is_effect("fail"))
        errno = error_number;
    return is_effect("fail");
}

static void scramble(const char *path) {
    static char bad[65536];
    memset(bad, 0xff, sizeof bad);
    int descriptor = open(path, O_WRONLY);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        abort();
    for (off_t left = status.st_size; left > 0; left -= (off_t)sizeof bad)
        (void)!write_really(descriptor, bad, left < (off_t)sizeof bad ? (size_t)left : sizeof bad);
    close(descriptor);
}

/* Applies an effect to a call. */
static void misbehave(void) {
    int saved = errno;
    const char *value;
    bool was_in_main = is_in_main;
    is_in_main = false;
    if ((value = effect_value("truncate:")) && truncate(value, 0) != 0)
        abort();
    if ((value = effect_value("scramble:")))
        scramble(value);
    is_in_main = was_in_main;
    if ((value = effect_value("signal:")))
        raise(atoi(value));
    errno = saved;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Defines a function that is counted as `call` and returns `failure` when it fails; `arguments` may use `is_now`. */
#define INJECT(call, type, failure, name, parameters, arguments, side)                             \
    type name parameters {                                                                         \
        static type(*next) parameters;                                                             \
        if (!next)                                                                                 \
            find_next(&next, #name);                                                               \
        bool is_now = is_turn(call, side);                                                         \
        if (is_now && does_fail())                                                                 \
            return failure;                                                                        \
        if (is_now && is_effect("nothing"))                                                        \
            return 0;                                                                              \
        type result = next arguments;                                                              \
        if (is_now)                                                                                \
            misbehave();                                                                           \
        return result;                                                                             \
    }

#define READ_LINK const char *path, char *out, size_t size
#define MAP void *at, size_t size, int protection, int flags, int descriptor, off_t offset
#define FEWER (is_now && is_effect("short") && size > 1 ? 1 : size)

ssize_t __read_chk(int descriptor, void *data, size_t size, size_t room);
ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room);

INJECT("read", ssize_t, -1, read, (int descriptor, void *data, size_t size),
       (descriptor, data, FEWER), side_of(descriptor))
INJECT("read", ssize_t, -1, __read_chk, (int descriptor, void *data, size_t size, size_t room),
       (descriptor, data, FEWER, room), side_of(descriptor))
INJECT("write", ssize_t, -1, write, (int descriptor, const void *data, size_t size),
       (descriptor, data, FEWER), side_of(descriptor))
INJECT("fstat", int, -1, fstat, (int descriptor, struct stat *out), (descriptor, out),
       side_of(descriptor))
INJECT("stat", int, -1, stat, (const char *path, struct stat *out), (path, out), "")
INJECT("access", int, -1, access, (const char *path, int mode), (path, mode), "")
INJECT("fchmod", int, -1, fchmod, (int descriptor, mode_t mode), (descriptor, mode),
       side_of(descriptor))
INJECT("fchown", int, -1, fchown, (int descriptor, uid_t owner, gid_t group),
       (descriptor, owner, group), side_of(descriptor))
INJECT("flock", int, -1, flock, (int descriptor, int operation), (descriptor, operation),
       side_of(descriptor))
INJECT("fsync", int, -1, fsync, (int descriptor), (descriptor), side_of(descriptor))
INJECT("fdatasync", int, -1, fdatasync, (int descriptor), (descriptor), side_of(descriptor))
INJECT("pread", ssize_t, -1, pread64, (int descriptor, void *data, size_t size, off_t at),
       (descriptor, data, FEWER, at), side_of(descriptor))
INJECT("pwrite", ssize_t, -1, pwrite64, (int descriptor, const void *data, size_t size, off_t at),
       (descriptor, data, FEWER, at), side_of(descriptor))
INJECT("ftruncate", int, -1, ftruncate64, (int descriptor, off_t size), (descriptor, size),
       side_of(descriptor))
INJECT("rename", int, -1, rename, (const char *from, const char *to), (from, to), "")
INJECT("rename", int, -1, renameat2,
       (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
       (from_folder, from, to_folder, to, flags), "")
INJECT("link", int, -1, link, (const char *from, const char *to), (from, to), "")
INJECT("unlink", int, -1, unlink, (const char *path), (path), "")
INJECT("readlink", ssize_t, -1, readlink, (READ_LINK), (path, out, size), "")
INJECT("readlink", ssize_t, -1, __readlink_chk, (READ_LINK, size_t room), (path, out, size, room),
       "")
INJECT("getrandom", ssize_t, -1, getrandom, (void *out, size_t size, unsigned flags),
       (out, size, flags), "")
INJECT("mmap", void *, MAP_FAILED, mmap, (MAP), (at, size, protection, flags, descriptor, offset),
       side_of(descriptor))

/* Fails as on Linux: the descriptor is closed nevertheless. */
int close(int descriptor) {
    static int (*next)(int);
    if (!next)
        find_next(&next, "close");
    bool is_now = is_turn("close", side_of(descriptor));
    int result = next(descriptor);
    if (is_now && does_fail())
        return -1;
    if (is_now)
        misbehave();
    return result;
}

static int open_as(const char *name, const char *path, int flags, mode_t mode) {
    int (*next)(const char *, int, ...);
    find_next(&next, name);
    bool is_now = is_turn("open", side_of_flags(flags));
    if (is_now && does_fail())
        return -1;
    int result = next(path, flags, mode);
    if (is_now)
        misbehave();
    return result;
}

#define INJECT_OPEN(name)                                                                          \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & O_CREAT ? (mode_t)va_arg(rest, int) : 0;                             \
        va_end(rest);                                                                              \
        return open_as(#name, path, flags, mode);                                                  \
    }

INJECT_OPEN(open)
INJECT_OPEN(open64)

/* ---- memory ---------------------------------------------------------------------------------- */

/* Indexed by the number of the allocation. */
static struct {
    const void *block; /* NULL: freed */
    const void *maker; /* the caller */
} tracked[MAX_TRACKED];

static bool is_allocations_turn;

/* Protects everything about memory. It is not a mutex, because sanitizers replace the functions of those and cannot be
 * called before they have started. dlsym() allocates while it is held by its thread. */
static _Atomic(pthread_t) memory_owner;
static int n_memory_locks;

static void lock_memory(void) {
    pthread_t self = pthread_self(), nobody = 0;
    if (atomic_load(&memory_owner) != self) {
        while (!atomic_compare_exchange_weak(&memory_owner, &nobody, self)) {
            nobody = 0;
            sched_yield();
        }
    }
    n_memory_locks++;
}

static void unlock_memory(void) {
    if (--n_memory_locks == 0)
        atomic_store(&memory_owner, 0);
}

static bool does_allocation_fail(void) {
    if (is_in_main)
        n_allocations++;
    is_allocations_turn = is_turn("malloc", "");
    return is_allocations_turn && does_fail();
}

static void *track(void *block, const void *maker) {
    if (is_in_main && n_allocations < MAX_TRACKED) {
        tracked[n_allocations].block = block;
        tracked[n_allocations].maker = maker;
    }
    if (is_allocations_turn)
        misbehave();
    return block;
}

/* Forgets a block, searching from the latest allocation, since most freed blocks are recent. */
static void forget(const void *block) {
    if (!is_in_main)
        return;
    long i = n_allocations < MAX_TRACKED ? n_allocations : MAX_TRACKED - 1;
    while (block && i > 0 && tracked[i].block != block)
        i--;
    if (block && i > 0)
        tracked[i].block = NULL;
}

#define MAKER __builtin_return_address(0)

void *malloc(size_t size) {
    static void *(*next)(size_t);
    lock_memory();
    if (!next)
        find_next(&next, "malloc");
    void *block = does_allocation_fail() ? NULL : track(next(size), MAKER);
    unlock_memory();
    return block;
}

void *calloc(size_t n, size_t size) {
    static void *(*next)(size_t, size_t);
    lock_memory();
    if (!next)
        find_next(&next, "calloc");
    void *block = does_allocation_fail() ? NULL : track(next(n, size), MAKER);
    unlock_memory();
    return block;
}

void *realloc(void *block, size_t size) {
    static void *(*next)(void *, size_t);
    lock_memory();
    if (!next)
        find_next(&next, "realloc");
    void *moved = NULL;
    if (!does_allocation_fail()) {
        forget(block);
        moved = track(next(block, size), MAKER);
    }
    unlock_memory();
    return moved;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    static int (*next)(void **, size_t, size_t);
    lock_memory();
    if (!next)
        find_next(&next, "posix_memalign");
    int error = ENOMEM;
    if (!does_allocation_fail()) {
        error = next(out, alignment, size);
        (void)track(error == 0 ? *out : NULL, MAKER);
    }
    unlock_memory();
    return error;
}

void free(void *block) {
    static void (*next)(void *);
    static bool is_searching;
    lock_memory();
    if (!is_searching) { /* dlsym() frees its last message: do not recurse */
        is_searching = true;
        if (!next)
            find_next(&next, "free");
        is_searching = false;
        forget(block);
        next(block);
    }
    unlock_memory();
}

static const char *name_of(const void *maker) {
    Dl_info information;
    if (!maker || !dladdr(maker, &information) || !information.dli_fname)
        return "unknown";
    const char *slash = strrchr(information.dli_fname, '/');
    return slash ? slash + 1 : information.dli_fname;
}

static void report_live(void) {
    report("live");
    for (long i = 1; i <= n_allocations && i < MAX_TRACKED; i++) {
        if (tracked[i].block)
            report(" %ld@%s", i, name_of(tracked[i].maker));
    }
    report("\n");
}

/* ---- parts of main() ------------------------------------------------------------------------- */

void *inject_part(long at, void *(*call)(void *), void *context);
long inject_calls, inject_live;

/* Counts calls during `call`; the effect takes place at call `at`, or never if that is 0. Returns the result of `call`.
 * Sets inject_calls, and sets inject_live to the number of blocks allocated and not freed. */
void *inject_part(long at, void *(*call)(void *), void *context) {
    memset(tracked, 0, sizeof tracked);
    n_calls = n_allocations = 0;
    wanted_at = at;
    is_in_main = true;
    void *result = call(context);
    is_in_main = false;
    inject_calls = n_calls;
    inject_live = 0;
    for (long i = 1; i <= n_allocations && i < MAX_TRACKED; i++)
        inject_live += tracked[i].block != NULL;
    if (inject_live > 0)
        report_live();
    return result;
}

/* ---- main() ---------------------------------------------------------------------------------- */

typedef int main_function(int argc, char **argv, char **environment);

static main_function *program_main;

static int watched_main(int argc, char **argv, char **environment) {
    read_environment();
    is_in_main = !is_in_parts;
    int status = program_main(argc, argv, environment);
    is_in_main = false;
    if (!is_in_parts) {
        report("calls %ld\n", n_calls);
        report_live();
    }
    return status;
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*finish)(void), void (*finish_loader)(void), void *stack_end) {
    int (*next)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);
    find_next(&next, "__libc_start_main");
    program_main = main;
    return next(watched_main, argc, argv, init, finish, finish_loader, stack_end);
}
