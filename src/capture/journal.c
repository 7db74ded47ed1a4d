/*
 * journal.c - captures whose memory is a file, so that records survive the death of the process.
 */
#include "capture/journal.h"

#if ETC_HOSTED

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define MOST_BYTES ((size_t)1 << 30)

enum { BLOCK = 4096 };

/* ---- the file -------------------------------------------------------------------------------- */

/* Allocates blocks by writing zeros, for file systems that cannot allocate them otherwise. */
static int write_zeros(int descriptor, size_t size) {
    static const uint8_t zeros[BLOCK];
    for (size_t at = 0; at < size;) {
        size_t left = size - at;
        ssize_t n = pwrite(descriptor, zeros, left < sizeof zeros ? left : sizeof zeros, (off_t)at);
        if (n < 0 && errno != EINTR)
            return errno;
        at += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Allocates the blocks of the file. Returns 0 or an errno. */
static int allocate(int descriptor, size_t size) {
#ifdef __APPLE__
    return write_zeros(descriptor, size);
#else
    int reason;
    do {
        reason = posix_fallocate(descriptor, 0, (off_t)size);
    } while (reason == EINTR);
    return reason == EOPNOTSUPP || reason == EINVAL || reason == ENOSYS
               ? write_zeros(descriptor, size)
               : reason;
#endif
}

/* Writes to each page, so that recording causes no page fault. */
static void touch(volatile uint8_t *mapping, size_t size) {
    long page = sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at<size; at += page> 0 ? (size_t)page : 4096)
        mapping[at] = 0;
}

/* ---- fork ------------------------------------------------------------------------------------ */

/* The mapping is shared with children of the process, which must not record into it: no call could notice that as cheaply as
 * events are recorded. In a child, memory of its own therefore takes the place of each mapping, with a capture that has no
 * room. */
typedef struct open_journal {
    struct open_journal *next;
    uint8_t *mapping; /* NULL: not yet */
    size_t size;
    etc_capture *c; /* NULL: it is being opened, and nobody knows the mapping yet */
    etc_capture *first_lane;
    int descriptor;
    etc_config config;
} open_journal;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static open_journal *journals;

/* Copies what the parent may change after the fork. */
static void before_fork(void) {
    pthread_mutex_lock(&mutex);
    for (open_journal *j = journals; j; j = j->next)
        j->first_lane = j->c ? j->c->next_lane : NULL;
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&mutex);
}

/* Puts memory of this process, filled with zeros, in place of a mapping. */
static bool replace(uint8_t *mapping, size_t size) {
    return mmap(mapping, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

/* Replaces the mapping, or at least its first page, to which a capture without room confines
 * itself: a system that promises no more memory than it has may refuse the rest, which is then
 * unmapped. Returns the size of the new memory. 0: the system refuses even a page; the mapping is
 * made inaccessible, because a child that crashes when it records is better than one that damages
 * the journal. */
static size_t replace_most(uint8_t *mapping, size_t size) {
    long known = sysconf(_SC_PAGESIZE);
    size_t page = known > 0 ? (size_t)known : BLOCK;
    if (replace(mapping, size))
        return size;
    if (!replace(mapping, page)) {
        (void)mprotect(mapping, size, PROT_NONE);
        return 0;
    }
    if (size <= page)
        return size;
    munmap(mapping + page, size - page);
    return page;
}

static void close_file(const open_journal *j) {
    if (j->mapping)
        munmap(j->mapping, j->size);
    close(j->descriptor);
}

/* Leaves the file, and with it the lock, to the parent: a mapping would hold the lock, too. */
static void detach(const open_journal *j) {
    if (!j->c) {
        close_file(j);
        return;
    }
    close(j->descriptor);
    size_t size = replace_most(j->mapping, j->size);
    if (!size)
        return;
    etc_capture *c = etc_init(j->c, size - ETC_JOURNAL_HEADER_SIZE, &j->config);
    c->is_full = true;
    c->limit = 0;
    c->next_lane = j->first_lane;
    c->mapping_size = (uint32_t)size;
    c->has_journal = true;
    c->journal = -1;
}

static void after_fork_in_child(void) {
    pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    mutex = unlocked;
    while (journals) {
        open_journal *j = journals;
        journals = j->next;
        detach(j);
        free(j);
    }
}

static int create(const char *path) {
    int descriptor;
    do {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

/* Opens a new file. No fork comes between opening it and adding it to the journals that a child
 * leaves to its parent. ETC_MEMORY; ETC_IO with errno. */
static etc_status open_new(open_journal **out, const char *path) {
    static bool is_registered;
    open_journal *j = malloc(sizeof *j);
    if (!j)
        return ETC_MEMORY;
    *j = (open_journal){.config = ETC_CONFIG_INIT};
    pthread_mutex_lock(&mutex);
    is_registered = is_registered ||
                    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
    etc_status status = is_registered ? ETC_IO : ETC_MEMORY;
    j->descriptor = is_registered ? create(path) : -1;
    int reason = errno;
    if (j->descriptor >= 0) {
        j->next = journals;
        journals = j;
    }
    pthread_mutex_unlock(&mutex);
    *out = j;
    if (j->descriptor >= 0)
        return ETC_OK;
    free(j);
    errno = reason;
    return status;
}

/* Maps `size` bytes of an empty file. Returns false with errno. */
static bool map(open_journal *j, size_t size) {
    int reason = allocate(j->descriptor, size);
    if (reason) {
        errno = reason;
        return false;
    }
    pthread_mutex_lock(&mutex);
    void *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, j->descriptor, 0);
    if (mapping != MAP_FAILED) {
        j->mapping = mapping;
        j->size = size;
    }
    pthread_mutex_unlock(&mutex);
    if (mapping == MAP_FAILED)
        return false;
    touch(mapping, size);
    return true;
}

/* Notes the capture that a child must not record into. */
static void watch(open_journal *j, etc_capture *c) {
    pthread_mutex_lock(&mutex);
    j->config.clock = c->clock;
    j->config.clock_context = c->clock_context;
    j->c = c;
    pthread_mutex_unlock(&mutex);
}

void etc__close_journal(int descriptor) {
    pthread_mutex_lock(&mutex);
    open_journal **link = &journals;
    while (*link && (*link)->descriptor != descriptor)
        link = &(*link)->next;
    open_journal *j = *link;
    if (j) {
        *link = j->next;
        close_file(j);
    }
    pthread_mutex_unlock(&mutex);
    free(j);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void put_field(etc_journal_header *header, enum etc_journal_field field, size_t at,
                      size_t size) {
    header->fields[field] = (uint16_t)at;
    header->field_sizes[field] = (uint16_t)size;
}

/* Writes the header; the magic number, which makes the file a journal, last. */
static void put_header(etc_journal_header *header, const etc_capture *c) {
    const uint8_t *memory = (const uint8_t *)c;
    header->byte_order = ETC_JOURNAL_BYTE_ORDER;
    header->version = ETC_JOURNAL_VERSION;
    header->header_size = ETC_JOURNAL_HEADER_SIZE;
    header->memory_size = (uint32_t)(c->names_end - memory);
    header->records = (uint32_t)(c->records - memory);
    etc__journal_sizes(header->sizes);
#define PUT_FIELD(member, type)                                                                    \
    put_field(header, ETC_JOURNAL_##member, offsetof(etc_capture, member), sizeof c->member);
    ETC_JOURNAL_FIELDS(PUT_FIELD)
#undef PUT_FIELD
    put_field(header, ETC_JOURNAL_debug_sink, offsetof(etc_capture, debug_sink.write),
              sizeof c->debug_sink.write);
    header->n_runs_unrecorded = offsetof(etc_capture, n_runs_unrecorded);
    etc__order_stores();
    memcpy(header->magic, ETC_JOURNAL_MAGIC, sizeof header->magic);
}

void etc__note_lanes(const etc_capture *c) {
    if (c->journal >= 0)
        ((etc_journal_header *)etc__mapping((etc_capture *)c))->version = ETC_JOURNAL_VERSION_LANES;
}

/* Makes the capture in the new file, which is locked as long as the process has it open. */
static etc_status open_in(etc_capture **out, open_journal *j, size_t size,
                          const etc_config *config) {
    (void)flock(j->descriptor, LOCK_EX | LOCK_NB); /* no other process has it open yet */
    if (!map(j, size))
        return errno == ENOMEM ? ETC_MEMORY : ETC_IO;
    etc_config defaults = ETC_CONFIG_INIT;
    etc_capture *c = etc_init(j->mapping + ETC_JOURNAL_HEADER_SIZE, size - ETC_JOURNAL_HEADER_SIZE,
                              config ? config : &defaults);
    if (!c)
        return ETC_INVALID;
    c->mapping_size = (uint32_t)size;
    c->journal = j->descriptor;
    c->has_journal = true;
    put_header((etc_journal_header *)(void *)j->mapping, c);
    watch(j, c);
    *out = c;
    return ETC_OK;
}

etc_status etc_open_journal(etc_capture **out, const char *path, size_t size,
                            const etc_config *config) {
    open_journal *j;
    if (!out)
        return ETC_INVALID;
    *out = NULL;
    if (!path || size < ETC_MIN_BYTES)
        return ETC_INVALID;
    size = (size < MOST_BYTES ? size : MOST_BYTES) & ~(size_t)(ETC_RECORD_UNIT - 1);
    etc_status status = open_new(&j, path);
    if (status)
        return status;
    status = open_in(out, j, size + ETC_JOURNAL_HEADER_SIZE, config);
    if (status) {
        int reason = errno;
        unlink(path);
        etc__close_journal(j->descriptor);
        errno = reason;
    }
    return status;
}

etc_status etc_sync(etc_capture *c) {
    if (!c)
        return ETC_OK;
    if (!c->has_journal || c->journal < 0)
        return ETC_STATE;
    return msync(etc__mapping(c), c->mapping_size, MS_SYNC) ? ETC_IO : ETC_OK;
}

#endif
