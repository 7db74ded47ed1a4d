/*
 * journal_read.c - makes a capture from a journal. The file is hostile input: the state is read
 * from the positions in the header, the memory is divided again, and names and records are checked
 * in a copy.
 */
#include "capture/stream.h"

#if ETC_HOSTED

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { MOST_MEMORY = 1 << 30, FEWEST_BUCKETS = 16, BYTES_OF_BUCKET = 32 };

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Holds a journal: a file, or bytes in memory. */
typedef struct source {
    int descriptor;
    const uint8_t *data; /* NULL: the file */
    uint64_t size;
} source;

/* Reads exactly `size` bytes from `at`. ETC_INVALID: the journal ends before; ETC_IO. */
static etc_status read_at(const source *s, uint64_t at, void *out, size_t size) {
    uint8_t *bytes = out;
    if (at > s->size || size > s->size - at)
        return ETC_INVALID;
    if (s->data) {
        memcpy(out, s->data + at, size);
        return ETC_OK;
    }
    while (size) {
        ssize_t n = pread(s->descriptor, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? ETC_IO : ETC_INVALID;
        bytes += n;
        size -= (size_t)n;
        at += (uint64_t)n;
    }
    return ETC_OK;
}

/* ---- header and state ------------------------------------------------------------------------ */

/* Holds the values of the fields of ETC_JOURNAL_FIELDS. */
typedef struct state {
    uint64_t fields[ETC_JOURNAL_N_FIELDS];
    uint64_t n_runs_unrecorded;
} state;

static etc_status read_header(const source *s, etc_journal_header *header) {
    uint16_t sizes[ETC_JOURNAL_N_SIZES];
    etc_status status = read_at(s, 0, header, sizeof *header);
    if (status)
        return status;
    if (memcmp(header->magic, ETC_JOURNAL_MAGIC, sizeof header->magic) != 0)
        return ETC_INVALID;
    if (header->byte_order != ETC_JOURNAL_BYTE_ORDER ||
        (header->version != ETC_JOURNAL_VERSION && header->version != ETC_JOURNAL_VERSION_LANES))
        return ETC_UNSUPPORTED;
    etc__journal_sizes(sizes);
    if (memcmp(sizes, header->sizes, sizeof sizes) != 0)
        return ETC_UNSUPPORTED;
    bool is_divided =
        header->header_size >= sizeof *header && header->header_size % ETC_RECORD_UNIT == 0 &&
        header->memory_size >= ETC_MIN_BYTES / 2 && header->memory_size <= MOST_MEMORY &&
        header->memory_size % ETC_RECORD_UNIT == 0 && header->records % ETC_RECORD_UNIT == 0 &&
        header->records < header->memory_size;
    return is_divided ? ETC_OK : ETC_INVALID;
}

/* Reads a number of 1, 4 or 8 bytes from a position in the memory. */
static etc_status read_number(const source *s, const etc_journal_header *header, uint32_t at,
                              size_t size, uint64_t *out) {
    uint8_t bytes[sizeof *out] = {0};
    if (at > header->records || size > header->records - at)
        return ETC_INVALID;
    etc_status status = read_at(s, (uint64_t)header->header_size + at, bytes, size);
    uint8_t u8;
    uint32_t u32;
    memcpy(&u8, bytes, sizeof u8);
    memcpy(&u32, bytes, sizeof u32);
    memcpy(out, bytes, sizeof *out);
    if (size != sizeof *out)
        *out = size == sizeof u32 ? u32 : u8;
    return status;
}

static etc_status read_field(const source *s, const etc_journal_header *header, unsigned field,
                             size_t size, uint64_t *out) {
    if (header->field_sizes[field] != size)
        return ETC_INVALID;
    return read_number(s, header, header->fields[field], size, out);
}

static etc_status read_state(const source *s, const etc_journal_header *header, state *out) {
    static const uint8_t sizes[] = {
#define FIELD_SIZE(member, type) sizeof(type),
        ETC_JOURNAL_FIELDS(FIELD_SIZE)
#undef FIELD_SIZE
    };
    etc_status status = ETC_OK;
    for (unsigned i = 0; i < sizeof sizes && !status; i++)
        status = read_field(s, header, i, sizes[i], &out->fields[i]);
    out->n_runs_unrecorded = 0;
    if (!status && header->n_runs_unrecorded)
        status = read_number(s, header, header->n_runs_unrecorded, sizeof(uint32_t),
                             &out->n_runs_unrecorded);
    if (status)
        return status;
    size_t pointer = header->field_sizes[ETC_JOURNAL_debug_sink] == 4 ? 4 : 8;
    return read_field(s, header, ETC_JOURNAL_debug_sink, pointer,
                      &out->fields[ETC_JOURNAL_debug_sink]);
}

/* ---- the capture ----------------------------------------------------------------------------- */

/* Holds the parts of the memory of a recovered capture. */
typedef struct division {
    size_t records, size;
    uint32_t n_buckets, limit;
} division;

/* Divides memory as in the journal, except for the state and the hash. */
static bool divide(division *d, const etc_journal_header *header, const state *known) {
    uint64_t most = header->memory_size - header->records;
    uint64_t names = known->fields[ETC_JOURNAL_names_used];
    bool is_ring = known->fields[ETC_JOURNAL_when_full] == ETC_RING;
    uint64_t share = is_ring ? known->fields[ETC_JOURNAL_names_most] : names;
    if (share > most || names > share || names % 4 || (is_ring && share % ETC_RECORD_UNIT))
        return false;
    d->limit = (uint32_t)(most - share);
    d->n_buckets = FEWEST_BUCKETS;
    while (d->n_buckets < names / BYTES_OF_BUCKET)
        d->n_buckets *= 2;
    d->records = offsetof(etc_capture, buckets) + d->n_buckets * sizeof(etc_name);
    d->records = etc__round_up((uint32_t)d->records, ETC_RECORD_UNIT);
    d->size = d->records + (size_t)most;
    return true;
}

static void apply(etc_capture *c, const division *d, const state *known) {
    uint8_t *memory = (uint8_t *)c;
    *c = (etc_capture){.clock = etc__monotonic, .values = &etc__value_calls};
#define APPLY_FIELD(member, type) c->member = (type)known->fields[ETC_JOURNAL_##member];
    ETC_JOURNAL_FIELDS(APPLY_FIELD)
#undef APPLY_FIELD
    c->n_runs_unrecorded = (uint32_t)known->n_runs_unrecorded;
    c->bucket_mask = d->n_buckets - 1;
    c->records = memory + d->records;
    c->limit = d->limit;
    c->names_end = memory + d->size;
    c->chain = -1;
    c->bundled_input = -1;
    c->is_full = true;
    c->mapping_size = (uint32_t)d->size;
}

/* Copies the names, and the records in use. */
static etc_status copy_memory(etc_capture *c, const source *s, const etc_journal_header *header) {
    uint64_t memory = header->header_size, records = memory + header->records;
    bool is_wrapped = c->head <= c->tail && c->used;
    uint32_t in_use = is_wrapped ? c->limit : c->head;
    if (in_use < c->base)
        in_use = c->base;
    if (in_use > c->limit)
        return ETC_INVALID;
    etc_status status = read_at(s, memory + header->memory_size - c->names_used,
                                c->names_end - c->names_used, c->names_used);
    return status ? status : read_at(s, records, c->records, in_use);
}

/* Replaces the sink of debug data, which belonged to another process. */
static int refuse(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return -1;
}

static bool are_settings(const etc_capture *c) {
    return c->when_full <= ETC_RING && (c->tick_numerator == 0) == (c->tick_denominator == 0);
}

/* Fills a capture whose fields are set. */
static etc_status adopt(etc_capture *c, const source *s, const etc_journal_header *header,
                        bool keeps_contents) {
    if (!are_settings(c))
        return ETC_INVALID;
    etc_status status = copy_memory(c, s, header);
    if (status)
        return status;
    if (!etc__adopt_names(c) || !etc__adopt_records(c, keeps_contents))
        return ETC_INVALID;
    c->run_state = c->run == ETC_NOWHERE ? ETC_NO_RUN : ETC_RUN_FULL;
    etc__mark_partial(c);
    c->window_name = etc__find_name(c, "Execute");
    if (etc__find_name(c, "") != ETC_EMPTY_NAME)
        return ETC_INVALID;
    c->has_tensors = true; /* so that no buffer can be set, which would not fit their offsets */
    if (keeps_contents)
        c->debug_sink.write = refuse;
    else
        c->debug_used = 0;
    return ETC_OK;
}

static etc_status recover(etc_capture **out, const source *s) {
    etc_journal_header header;
    state known;
    division d;
    etc_status status = read_header(s, &header);
    if (!status)
        status = read_state(s, &header, &known);
    if (!status && !divide(&d, &header, &known))
        status = ETC_INVALID;
    if (!status && (uint64_t)header.header_size + header.memory_size > s->size)
        status = ETC_INVALID;
    if (status)
        return status;
    void *memory = mmap(NULL, d.size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return ETC_MEMORY;
    etc_capture *c = memory;
    apply(c, &d, &known);
    status = adopt(c, s, &header, known.fields[ETC_JOURNAL_debug_sink] != 0);
    if (status)
        munmap(memory, d.size);
    else
        *out = c;
    return status;
}

/* ---- calls ----------------------------------------------------------------------------------- */

etc_status etc_open_recovered_memory(etc_capture **out, const void *journal, size_t size) {
    if (!out)
        return ETC_INVALID;
    *out = NULL;
    if (!journal)
        return ETC_INVALID;
    const source s = {-1, journal, size};
    bool is_journal = size >= ETC_JOURNAL_MAGIC_SIZE &&
                      memcmp(journal, ETC_JOURNAL_MAGIC, ETC_JOURNAL_MAGIC_SIZE) == 0;
    if (!is_journal && etc__is_stream(journal, size))
        return etc__open_stream(out, journal, size);
    return recover(out, &s);
}

static etc_status recover_file(etc_capture **out, int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return ETC_IO;
    if (!S_ISREG(status.st_mode) || status.st_size < 0)
        return ETC_INVALID;
    if (flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return ETC_STATE;
    const source s = {descriptor, NULL, (uint64_t)status.st_size};
    return recover(out, &s);
}

etc_status etc_open_recovered(etc_capture **out, const char *path) {
    if (!out)
        return ETC_INVALID;
    *out = NULL;
    if (!path)
        return ETC_INVALID;
    int descriptor;
    do { /* opening a pipe would wait for its writer */
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        return ETC_IO;
    etc_status status = recover_file(out, descriptor);
    int reason = errno;
    close(descriptor);
    errno = reason;
    return status;
}

etc_status etc_recover(const char *path, etc_sink sink) {
    etc_capture *c;
    if (!sink.write)
        return ETC_INVALID;
    etc_status status = etc_open_recovered(&c, path);
    if (status)
        return status;
    status = etc_save(c, NULL, sink);
    etc_close(c);
    return status;
}

#endif
