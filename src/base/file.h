/*
 * file.h - turns a path into bytes: a file, standard input or a pipe is read into memory to its
 * end; large files are mapped instead.
 */
#ifndef ETI_BASE_FILE_H
#define ETI_BASE_FILE_H

#include "base/status.h"

/* Largest size of files that cannot be mapped, because such files may have no end. No file in a supported format is
 * larger; a 32-bit address space leaves less room. */
#if SIZE_MAX > UINT32_MAX
#define ETI_FILE_LARGEST_COPY ((size_t)4 << 30)
#else
#define ETI_FILE_LARGEST_COPY ((size_t)1 << 30)
#endif

/* A mapped file; see eti_mapped_file_name(). */
struct eti_mapping {
    void *data;
    size_t size;
    const char *name; /* of the file */
    struct eti_mapping *next;
};

/* Formats from which the bytes of a file were unpacked; bits. */
enum {
    ETI_FROM_GZIP = 1,
    ETI_FROM_JOURNAL = 2,
    ETI_FROM_LOG = 4,
};

/* The public eti_file; messages use `name`. It may be copied if only one copy is used afterwards. The functions of
 * read/input.h set the kind and the packing, those of this header do not. */
struct eti_file {
    char *name;
    const uint8_t *data; /* never NULL; `size` bytes */
    size_t size;
    struct eti_mapping *mapping; /* NULL if the bytes were read or are owned elsewhere */
    void *copy;                  /* NULL if the bytes are mapped or owned elsewhere */
    eti_file_kind kind;          /* of the unpacked bytes */
    unsigned packing;            /* ETI_FROM_... */
};

/* Judges a file by its first bytes, which `file` holds; `is_all`: these are the whole file. If it returns ETI_OK and sets
 * `*is_judged`, the rest is read; if it leaves `*is_judged` unset, it is called again with more bytes. Any other status
 * rejects the file. */
typedef eti_status eti_judge_function(const void *context, bool *is_judged,
                                      const struct eti_file *file, bool is_all, eti_error *err);
typedef struct eti_file_judge {
    eti_judge_function *judge;
    const void *context;
} eti_file_judge;

/* Returns whether the source is the path of a folder. */
bool eti__source_is_folder(const eti_source *source);

/* Opens `source` (see etinspect.h). ETI_ERROR_READ with the reason as text, ETI_ERROR_LIMIT (a pipe with more than 4
 * GiB), ETI_ERROR_MEMORY. */
eti_status eti__file_open_source(struct eti_file *out, const eti_source *source,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Does the same, but reads no more of a file than `judge` needs to reject it. Bytes in memory are not judged. */
eti_status eti__file_open_judged(struct eti_file *out, const eti_source *source,
                                 const eti_file_judge *judge, eti_error *err) ETI_WARN_UNUSED;

/* Does the same, but fails with ETI_ERROR_LIMIT soon after reading `most` bytes. Bytes in memory and mapped files are
 * accepted whole. */
eti_status eti__file_open_small(struct eti_file *out, const eti_source *source, size_t most,
                                eti_error *err) ETI_WARN_UNUSED;

/* Releases the resources of an opened file; all zeros is allowed. */
void eti__file_release(struct eti_file *file);

/* Releases the memory of these bytes if they belong to a mapped file; the system reads them again on the next access. */
void eti__file_leave(const void *data, size_t size);

/* Replaces the bytes of the file by `bytes`, which the file then owns. */
void eti__file_replace(struct eti_file *file, uint8_t *bytes, size_t size);

#endif
