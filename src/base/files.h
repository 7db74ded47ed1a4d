/*
 * files.h - files that are read: mapped or copied whole, their names, and searches in folders.
 */
#ifndef ETI_BASE_FILES_H
#define ETI_BASE_FILES_H

#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"

/* ==== file ==================================================================================== */
/* Turns a path into bytes: a file, standard input or a pipe is read into memory to its end; large
 * files are mapped instead. */

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
 * read/read.h set the kind and the packing, those of this header do not. */
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

/* ==== file name =============================================================================== */
/* Encodes any text as a file name, and decodes it.
 *
 * Letters, digits, bytes of non-ASCII characters, blanks and . _ - # : , + = @ ( ) [ ] stand for
 * themselves; every other byte, and a dot or blank at the beginning, becomes % and two hexadecimal
 * digits. Therefore no name leads into another folder. */

#define ETI_FILE_NAME_MOST 255 /* limit of most file systems, in bytes */

/* Appends the file name of `text`. */
void eti__file_name_add(eti_buffer *out, eti_text text);

/* Appends the text whose file name is `name`. Characters that are not encoded stand for themselves. */
void eti__file_name_add_text(eti_buffer *out, eti_text name);

/* ==== find files ============================================================================== */
/* Finds the files in a folder and in all folders below it. */

/* Receives the path of a file, which is valid during the call. */
typedef eti_status (*eti_file_function)(void *context, const char *path, eti_error *err);

/* Calls `take` for each file whose name ends with one of `suffixes` (terminated by NULL), in bytewise order of names: the
 * files and folders of a folder are sorted together. Names that begin with a dot, pipes and devices are skipped, and
 * links to folders are not followed; links to nothing are passed on. ETI_ERROR_READ: a folder cannot be read or searched;
 * ETI_ERROR_LIMIT: folders are more than 64 deep; ETI_ERROR_MEMORY; or the status with which `take` fails. */
eti_status eti__find_files(const char *folder, const char *const *suffixes, eti_file_function take,
                           void *context, eti_error *err) ETI_WARN_UNUSED;

/* ==== open below ============================================================================== */
/* Opens a file below a folder, and never one outside it, wherever links and ".." lead.
 *
 * Each part of the name is opened relative to the folder before it, without following links; if it
 * is a link, its target is opened in the same way. Therefore an attacker gains nothing by changing
 * the folders in the meantime. A link that begins with a slash, such as those in /proc, is not
 * followed, even if it leads back below the folder. */

/* Returns a descriptor for reading the file `name` below `root`, or -1 if the file does not exist, cannot be read, or is
 * not below `root`. `root` itself may be a link. Never waits for another process, as opening a pipe would. */
int eti__open_below(const char *root, const char *name);

/* ==== path labels ============================================================================= */
/* Turns folders called KEY=VALUE into labels, as in "device=pixel8/build=1234/run.etdp".
 *
 * Names are decoded as by Spark and Hive: %3D is "=", and __HIVE_DEFAULT_PARTITION__ means that
 * there is no value. */

typedef struct eti_path_label {
    eti_text key;   /* not empty */
    eti_text value; /* absent if there is no value */
} eti_path_label;

/* Reads the next label from the folders of `*path`, and moves `*path` past its folder. The last part of a path is the
 * file, never a label. Both texts are in the arena, as UTF-8. `*found`: there was another label. False: out of memory. */
bool eti__path_label_next(eti_text *path, eti_arena *arena, eti_path_label *out, bool *found);

/* ==== small file ============================================================================== */
/* Reads a file that may be missing, changing or of any kind: anything but a regular file of
 * moderate size counts as missing. */

/* Reads a regular file of at most `most` bytes into `out`, which is emptied first. Returns false if it cannot be read;
 * sets out->failed if memory ran out. Never waits for another process, as reading a pipe would. */
bool eti__small_file_read(const char *path, size_t most, eti_buffer *out);

/* Does the same for the file `name` below the folder `root`, and never reads a file outside it: see "open below". */
bool eti__small_file_read_below(const char *root, const char *name, size_t most, eti_buffer *out);

#endif
