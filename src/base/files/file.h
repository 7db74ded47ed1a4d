/*
 * file.h - turns a path into bytes: what can be read (a file, standard input, a pipe) is read to its end
 * into memory, except large files, which are mapped.
 */
#ifndef ETI_BASE_FILES_FILE_H
#define ETI_BASE_FILES_FILE_H

#include "base/status.h"

/* What cannot be mapped may have no end. No format read here is larger; addresses of 32 bits leave less room. */
#if SIZE_MAX > UINT32_MAX
#define ETI_FILE_LARGEST_COPY ((size_t)4 << 30)
#else
#define ETI_FILE_LARGEST_COPY ((size_t)1 << 30)
#endif

/* A mapped file; see eti_mapped_file_name(). */
struct eti_mapping {
    void *data;
    size_t size;
    const char *name; /* the file's */
    struct eti_mapping *next;
};

/* The public eti_file; `name` is what messages call it. It may be copied, if only one copy is used on. */
struct eti_file {
    char *name;
    const uint8_t *data; /* never NULL; `size` bytes */
    size_t size;
    struct eti_mapping *mapping; /* NULL when the bytes were read or are somebody else's */
    void *copy;                  /* NULL when the bytes are mapped or somebody else's */
};

/* Judges, as `context` says, a file by the first bytes that `file` holds; `is_all`: there are no more. ETI_OK with `*is_judged`: the rest
 * is read; without: it is asked again about more of them. Another status refuses the file. */
typedef eti_status eti_judge_function(const void *context, bool *is_judged,
                                      const struct eti_file *file, bool is_all, eti_error *err);
typedef struct eti_file_judge {
    eti_judge_function *judge;
    const void *context;
} eti_file_judge;

/* Whether the source is the path of a folder. */
bool eti__source_is_folder(const eti_source *source);

/* Opens `source` (see etinspect.h). ETI_ERROR_READ with the reason in words, ETI_ERROR_LIMIT
 * (a pipe with more than 4 GiB), ETI_ERROR_MEMORY. */
eti_status eti__file_open_source(struct eti_file *out, const eti_source *source,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Does the same, but reads no more of a file than `judge` needs to refuse it. Bytes in memory are not judged. */
eti_status eti__file_open_judged(struct eti_file *out, const eti_source *source,
                                 const eti_file_judge *judge, eti_error *err) ETI_WARN_UNUSED;

/* Does the same, but reads no file much past `most` bytes: ETI_ERROR_LIMIT. What is in memory or mapped is taken whole. */
eti_status eti__file_open_small(struct eti_file *out, const eti_source *source, size_t most,
                                eti_error *err) ETI_WARN_UNUSED;

/* Releases what eti__file_open_source() took; all zeros is allowed. */
void eti__file_release(struct eti_file *file);

/* Gives back the memory of these bytes if they are of a mapped file, which is read again where they are needed. */
void eti__file_leave(const void *data, size_t size);

/* Puts `bytes`, which the file then owns, in place of its own. */
void eti__file_replace(struct eti_file *file, uint8_t *bytes, size_t size);

#endif
