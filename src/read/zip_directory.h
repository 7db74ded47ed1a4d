/*
 * zip_directory.h - turns the directory of a ZIP into the list of its members.
 *
 * A ZIP has a header before each member and a directory of them all at its end. Who believes the
 * directory alone loses a member by one changed letter in it, and what was lost looks as if it had
 * never been there. So both are compared here, once; after that a member's bytes can be read where
 * the list says. What is in them is left to zip_member.h and their checksums.
 *
 * The directory is the one that Python finds: that of the last end record. Offsets are counted from
 * the beginning of the file, so nothing can stand before the first member. ZIPs of several parts are
 * refused.
 */
#ifndef ETI_READ_ZIP_DIRECTORY_H
#define ETI_READ_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/files/file.h"

/* More than any record needs: four for each program and eight besides. */
#define ETI_ZIP_MEMBERS 4096
#define ETI_ZIP_NAME_BYTES 16384
/* One for each tensor of a file of tensors. */
#define ETI_ZIP_TENSORS 262144

typedef struct eti_zip_member {
    eti_text name; /* in the file, as its bytes are: no NUL, UTF-8 only where the ZIP says so */
    bool is_encrypted;
    uint16_t method;
    uint32_t crc32;             /* of the `size` bytes that it stands for */
    uint64_t place;             /* of its first byte in the file */
    uint64_t packed_size, size; /* the first lies in the file, the second is only claimed */
} eti_zip_member;

typedef struct eti_zip {
    const struct eti_file *file;
    const eti_zip_member *members; /* in the order of the directory */
    size_t n_members;
    uint64_t inflated; /* the bytes of all deflated members that were read; for zip_member.h */
} eti_zip;

/* Whether there is the end of a directory where that of a ZIP is: what has none is another file, or
 * was cut short. */
bool eti__zip_has_end(const struct eti_file *file);

/*
 * Lists the members of `file`, which must have an end, in `arena`; `file` must outlive the list.
 * ETI_ERROR_MALFORMED when the directory does not lie directly before its end or is not all entries,
 * when a member's two headers name different things, sizes, checksums or methods, when a member does
 * not lie before the directory, when members overlap so much that together they are larger than the
 * file, or when a name holds a NUL or is not the UTF-8 that it is said to be. ETI_ERROR_LIMIT above the numbers above, ETI_ERROR_MEMORY.
 */
eti_status eti__zip_open(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Does the same with another number of members at most: `most_members`. */
eti_status eti__zip_open_large(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                               uint64_t most_members, eti_error *err) ETI_WARN_UNUSED;

#endif
