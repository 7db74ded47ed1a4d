/*
 * kind.c - recognises the kind of a file by the identifiers of the formats used with ExecuTorch, and describes files of
 * other kinds. No other source judges what a file is by its first bytes.
 */
#include "read/kind.h"

#include "base/status.h"
#include "etcapture.h"
#include "read/read.h"

#include <string.h>
#include <strings.h>
#include <zlib.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

typedef struct eti_identifier_row {
    size_t offset;
    const char *bytes; /* 4 of them */
    eti_file_kind kind;
} eti_identifier_row;

/* An ETDump's identifier follows the root offset, which follows the size if there is one. */
static const eti_identifier_row identifiers[] = {
    {8, "ED00", ETI_FILE_ETDUMP},          {4, "ED00", ETI_FILE_ETDUMP},
    {0, "PK\3\4", ETI_FILE_ETRECORD},      {0, "PK\5\6", ETI_FILE_ETRECORD},
    {4, "BP08", ETI_FILE_BUNDLED_PROGRAM}, {4, "FT01", ETI_FILE_DATA},
};

static const char *const texts[] = {
    [ETI_FILE_UNKNOWN] = "neither an ETDump (identifier ED00 at byte 4 or 8) nor an ETRecord (a "
                         "ZIP); give a debug buffer with --debug_buffer_path",
    [ETI_FILE_EMPTY] = "empty: the runtime wrote no ETDump; was it built with "
                       "EXECUTORCH_ENABLE_EVENT_TRACER, and was its ETDump buffer large enough?",
    [ETI_FILE_ETDUMP] = "an ETDump",
    [ETI_FILE_ETRECORD] = "a ZIP such as an ETRecord",
    [ETI_FILE_PROGRAM] = "an ExecuTorch program (.pte), which contains no events: run it with an "
                         "event tracer and give the ETDump that it writes",
    [ETI_FILE_BUNDLED_PROGRAM] = "a bundled program (.bpte), which contains no events: run it with "
                                 "an event tracer and give the ETDump that it writes",
    [ETI_FILE_RUNNER_LOG] = "the log of a device with ETDumps in base64",
    [ETI_FILE_DATA] = "a data file (.ptd), which belongs to a program: give it with --data",
    [ETI_FILE_JOURNAL] = "a journal of libetcapture, which can replace an ETDump",
    [ETI_FILE_BASELINE] = "a baseline: give it to etinspect diff, or to baseline show",
};

/* Returns whether this is a program, with the identifier ET12. A program of another version is one too; its reader
 * rejects it and names the version. */
static bool is_program(const char *data, size_t size) {
    return size >= 8 && data[4] == 'E' && data[5] == 'T' && eti__is_digit(data[6]) &&
           eti__is_digit(data[7]);
}

static bool is_journal(const void *data, size_t size) {
    return size >= ETC_JOURNAL_MAGIC_SIZE &&
           (memcmp(data, ETC_JOURNAL_MAGIC, ETC_JOURNAL_MAGIC_SIZE) == 0 ||
            memcmp(data, ETC_STREAM_MAGIC, ETC_JOURNAL_MAGIC_SIZE) == 0);
}

/* Number of bytes at the beginning of a log that must have no NUL; a debug buffer may be large. */
#define LOG_BEGINNING ((size_t)4 << 10)

bool eti__kind_may_be_log(const void *data, size_t size) {
    return !memchr(data, '\0', size < LOG_BEGINNING ? size : LOG_BEGINNING);
}

static bool is_log(const void *data, size_t size) {
    static const char mark[] = ETI_LOG_MARK;
    const size_t most = ETI_LOG_MOST_BEFORE + sizeof mark - 1;
    return eti__kind_may_be_log(data, size) &&
           memmem(data, size < most ? size : most, mark, sizeof mark - 1) != NULL;
}

bool eti__kind_is_gzip(const void *data, size_t size) {
    const unsigned char *d = data;
    return size >= 18 && d[0] == 0x1f && d[1] == 0x8b && d[2] == Z_DEFLATED;
}

uint64_t eti__kind_prefixed_end(const void *data, size_t size) {
    if (size < 12 || memcmp((const char *)data + 8, "ED00", 4) != 0)
        return 0;
    uint32_t dump_size = eti__load_u32(data);
    return dump_size > 0 ? (uint64_t)dump_size + 4 : 0;
}

eti_file_kind eti_file_kind_of(const void *data, size_t size) {
    if (size == 0)
        return ETI_FILE_EMPTY;
    if (eti__text_begins_with(eti__text_skip_mark((eti_text){data, size}), ETI_BASELINE_MAGIC ","))
        return ETI_FILE_BASELINE;
    for (size_t i = 0; i < sizeof identifiers / sizeof identifiers[0]; i++) {
        const eti_identifier_row *row = &identifiers[i];
        if (size >= row->offset + 4 && memcmp((const char *)data + row->offset, row->bytes, 4) == 0)
            return row->kind;
    }
    if (is_journal(data, size))
        return ETI_FILE_JOURNAL;
    if (is_program(data, size))
        return ETI_FILE_PROGRAM;
    return is_log(data, size) ? ETI_FILE_RUNNER_LOG : ETI_FILE_UNKNOWN;
}

const char *eti_file_kind_text(eti_file_kind kind) {
    return (size_t)kind < sizeof texts / sizeof *texts ? texts[kind] : NULL;
}

/* ---- files of other kinds -------------------------------------------------------------------- */

typedef struct likeness {
    size_t offset;
    size_t size; /* of `bytes` */
    const char *bytes;
    const char *what;
    const char *advice; /* NULL: the usual advice */
} likeness;

/* NOLINTBEGIN(bugprone-macro-parentheses): texts cannot be in parentheses */
#define ROW(offset, bytes, what, advice)                                                           \
    { offset, sizeof bytes - 1, bytes, what, advice }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Files that are often beside profiles, or that result from a wrong path or a failed download. */
static const likeness likenesses[] = {
    ROW(4, "TFL3", "a TensorFlow Lite model", NULL),
    ROW(0, "SQLite format 3\0", "an SQLite database",
        "query it with sqlite3, or give the ETDump that it was made from"),
    ROW(0, "version https://git-lfs", "a Git LFS pointer, not the file itself",
        "fetch the file with git lfs pull"),
    ROW(0, "\x80\2", "a Python pickle, as old versions of torch.save write", NULL),
    ROW(0, "\x80\3", "a Python pickle", NULL),
    ROW(0, "\x80\4", "a Python pickle", NULL),
    ROW(0, "\x80\5", "a Python pickle", NULL),
    ROW(5, "\0\0\0{\"", "a safetensors file", NULL),
    ROW(0, "\x93NUMPY", "a NumPy array", NULL),
    ROW(0, "\x89HDF\r\n", "an HDF5 file", NULL),
    ROW(0,
        "\x7f"
        "ELF",
        "a program or library (ELF)", NULL),
    ROW(0, "\x89PNG\r\n", "a PNG image", NULL),
    ROW(0, "\xff\xd8\xff", "a JPEG image", NULL),
    ROW(4, "ftyp", "a video or image (MP4)", NULL),
    ROW(0, "%PDF-", "a PDF document", NULL),
    ROW(0, "\x1f\x8b\x08", "a gzip file", "unpack it first: gzip -d"),
    ROW(0,
        "\xfd"
        "7zXZ\0",
        "compressed with xz", "unpack it first: xz -d"),
    ROW(0, "\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first: zstd -d"),
    ROW(4, "1AY&SY", "compressed with bzip2", "unpack it first: bzip2 -d"),
    ROW(257, "ustar", "a tar archive", "unpack it first: tar -xf"),
};

#undef ROW

#define LOOKED_AT ((size_t)4 << 10) /* number of bytes of a text, or of zeros, that are examined */
#define FEW ((size_t)16)            /* fewer zeros are not reported as such */

static const likeness of_zeros = {.what = "zeros at its beginning (was it ever written?)",
                                  .advice = NULL};

static const likeness of_texts[] = {
    {.what = "a trace in JSON", .advice = "give the ETDump that it was made from"},
    {.what = "JSON", .advice = NULL},
    {.what = "HTML or XML", .advice = "open it: it may say why a download failed"},
    {.what = "a text without the ETDump of a board (#[RUN THIS])", .advice = NULL},
};

/* ---- texts and zeros ------------------------------------------------------------------------- */

static bool is_zeros(const char *data, size_t size) {
    return size >= FEW && data[0] == '\0' && memcmp(data, data + 1, size - 1) == 0;
}

/* Returns whether the bytes are readable text; random bytes are not, even without a NUL. */
static bool is_text(const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)data[i];
        if ((byte < ' ' && !strchr("\t\n\r\f\033", byte)) || byte == 0x7f || byte >= 0xf8)
            return false;
    }
    return true;
}

static bool begins(const char *text, size_t size, const char *with) {
    return size >= strlen(with) && strncasecmp(text, with, strlen(with)) == 0;
}

static const likeness *find_text(const char *text, size_t size) {
    static const char trace[] = "\"traceEvents\"";
    const char *end = text + size;
    while (text < end && strchr(" \t\r\n", *text))
        text++;
    size = (size_t)(end - text);
    if (size > 0 && (*text == '{' || *text == '['))
        return memmem(text, size, trace, strlen(trace)) ? &of_texts[0] : &of_texts[1];
    if (begins(text, size, "<!doctype") || begins(text, size, "<html") ||
        begins(text, size, "<?xml"))
        return &of_texts[2];
    return size > 0 ? &of_texts[3] : NULL;
}

/* ---- ZIP files ------------------------------------------------------------------------------- */

static const likeness of_zips[] = {
    {.what = "weights or a model of PyTorch (.pt, .pt2)", .advice = NULL},
    {.what = "arrays of NumPy (.npz)", .advice = NULL},
};

/* Returns the name of the first member; empty if it is missing or too long. */
static eti_text first_member(const unsigned char *data, size_t size) {
    static const size_t header = 30;
    if (size < header || memcmp(data, "PK\3\4", 4) != 0)
        return (eti_text){"", 0};
    size_t length = data[26] | (size_t)data[27] << 8;
    return (eti_text){(const char *)data + header, length <= size - header ? length : 0};
}

static const likeness *find_zip(const void *data, size_t size) {
    eti_text name = first_member(data, size);
    const char *slash = memchr(name.data, '/', name.size);
    eti_text rest = {slash, slash ? name.size - (size_t)(slash - name.data) : 0};
    if (begins(rest.data, rest.size, "/data.pkl") || begins(rest.data, rest.size, "/data/"))
        return &of_zips[0];
    return name.size > 4 && memcmp(name.data + name.size - 4, ".npy", 4) == 0 ? &of_zips[1] : NULL;
}

bool eti__kind_is_other_zip(const void *data, size_t size) {
    return find_zip(data, size) != NULL;
}

/* ---- all files ------------------------------------------------------------------------------- */

static const likeness *find(const char *data, size_t size) {
    size_t beginning = size < LOOKED_AT ? size : LOOKED_AT;
    for (size_t i = 0; i < sizeof likenesses / sizeof *likenesses; i++) {
        const likeness *row = &likenesses[i];
        if (size >= row->offset + row->size &&
            memcmp(data + row->offset, row->bytes, row->size) == 0)
            return row;
    }
    const likeness *zip = find_zip(data, size);
    if (zip)
        return zip;
    if (is_zeros(data, beginning))
        return &of_zeros;
    return is_text(data, beginning) ? find_text(data, beginning) : NULL;
}

/* Describes the bytes; returns NULL if they are unlike any known format. Sets `*advice` as in a likeness. */
static const char *describe(const eti_beginning *b, const char **advice) {
    bool is_named = b->kind != ETI_FILE_UNKNOWN && b->kind != ETI_FILE_ETRECORD;
    const likeness *found = is_named ? NULL : find(b->data, b->size);
    *advice = found ? found->advice : NULL;
    if (found)
        return found->what;
    return is_named ? eti_file_kind_text(b->kind) : NULL;
}

/* Describes the bytes in a few words, for callers that expected something other than events. */
static const char *describe_briefly(const eti_beginning *b) {
    static const char *const names[] = {
        [ETI_FILE_EMPTY] = "an empty file",
        [ETI_FILE_ETDUMP] = "an ETDump",
        [ETI_FILE_PROGRAM] = "a program (.pte): give it with --program_path",
        [ETI_FILE_BUNDLED_PROGRAM] = "a bundled program (.bpte): give it with --program_path",
        [ETI_FILE_RUNNER_LOG] = "the log of a device",
        [ETI_FILE_DATA] = "a data file (.ptd): give it with --data",
        [ETI_FILE_BASELINE] = "a baseline",
        [ETI_FILE_JOURNAL] = "a journal of libetcapture",
    };
    if ((size_t)b->kind < sizeof names / sizeof *names && names[b->kind])
        return names[b->kind];
    const likeness *found = find(b->data, b->size);
    if (found)
        return found->what;
    return b->kind == ETI_FILE_ETRECORD ? eti_file_kind_text(b->kind) : NULL;
}

static bool is_of_program(eti_file_kind kind) {
    return kind == ETI_FILE_PROGRAM || kind == ETI_FILE_BUNDLED_PROGRAM || kind == ETI_FILE_DATA;
}

eti_status eti__fail_likeness(eti_error *err, const eti_beginning *b, eti_file_kind expected) {
    static const char usual[] = "give the ETDump that the runtime wrote, or an ETRecord";
    const char *name = b->name, *packed = b->is_unpacked ? "a gzip file of " : "", *advice;
    const char *what = describe(b, &advice);
    const char *colon = advice ? ": " : "", *end = advice ? advice : "";
    const char *brief = describe_briefly(b);
    eti_file_kind kind = b->kind;
    if (is_of_program(expected))
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: expected %s, found %s%s", name,
                        expected == ETI_FILE_DATA ? "a data file (.ptd)"
                                                  : "a program (.pte, .bpte)",
                        packed, brief ? brief : "a file of another kind");
    if (expected == ETI_FILE_JOURNAL)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected a journal of libetcapture, found %s%s", name, packed,
                        brief ? brief : "a file of another kind");
    if (expected == ETI_FILE_ETRECORD && (is_of_program(kind) || kind == ETI_FILE_EMPTY))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected an ETRecord, found %s%s; " ETI_HOW_TO_MAKE_A_RECORD, name,
                        packed, brief);
    if (expected == ETI_FILE_ETRECORD)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected an ETRecord, found %s%s%s%s; " ETI_HOW_TO_MAKE_A_RECORD, name,
                        packed, what ? what : "a file that is not a ZIP", colon, end);
    if (expected != ETI_FILE_UNKNOWN)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: expected %s, found %s%s%s%s%s", name,
                        expected == ETI_FILE_ETDUMP ? "an ETDump" : "a baseline", packed,
                        what ? "" : "a file that is ",
                        what ? what : eti_file_kind_text(ETI_FILE_UNKNOWN), colon, end);
    if (kind != ETI_FILE_UNKNOWN || !what)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: %s%s", name, packed,
                        what ? what : eti_file_kind_text(ETI_FILE_UNKNOWN));
    return eti_fail(err, ETI_ERROR_MALFORMED, "%s: %s%s: %s", name, packed, what,
                    advice ? advice : usual);
}
