#include "read/likeness.h"

#include "read/kind.h"
#include "read/runner_log.h"

#include <string.h>
#include <strings.h>

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

bool eti__is_other_zip(const void *data, size_t size) {
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

const char *eti__likeness_of(const void *data, size_t size) {
    const likeness *found = find(data, size);
    return found ? found->what : NULL;
}

/* Describes the bytes; returns NULL if they are unlike any known format. Sets `*advice` as in a likeness. */
static const char *describe(const void *data, size_t size, const char **advice) {
    eti_file_kind kind = eti_file_kind_of(data, size);
    bool is_named = kind != ETI_FILE_UNKNOWN && kind != ETI_FILE_ETRECORD;
    const likeness *found = is_named ? NULL : find(data, size);
    *advice = found ? found->advice : NULL;
    if (found)
        return found->what;
    return is_named ? eti_file_kind_text(kind) : NULL;
}

/* Describes the bytes in a few words, for callers that expected something other than events. */
static const char *describe_briefly(const void *data, size_t size) {
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
    eti_file_kind kind = eti_file_kind_of(data, size);
    const likeness *found = find(data, size);
    if ((size_t)kind < sizeof names / sizeof *names && names[kind])
        return names[kind];
    if (found)
        return found->what;
    return kind == ETI_FILE_ETRECORD ? eti_file_kind_text(kind) : NULL;
}

static bool is_of_program(eti_file_kind kind) {
    return kind == ETI_FILE_PROGRAM || kind == ETI_FILE_BUNDLED_PROGRAM || kind == ETI_FILE_DATA;
}

eti_status eti__fail_likeness(eti_error *err, const char *name, eti_file_kind expected,
                              bool is_unpacked, const void *data, size_t size) {
    static const char usual[] = "give the ETDump that the runtime wrote, or an ETRecord";
    const char *packed = is_unpacked ? "a gzip file of " : "", *advice;
    const char *what = describe(data, size, &advice);
    const char *colon = advice ? ": " : "", *end = advice ? advice : "";
    eti_file_kind kind = eti_file_kind_of(data, size);
    const char *brief = describe_briefly(data, size);
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
