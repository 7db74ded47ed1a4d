/*
 * zip_directory.h - lists the members of a ZIP from its directory.
 *
 * A ZIP has a header before each member and a directory of them all at its end. A reader that trusts the directory alone
 * loses a member if one letter in it changes, and the loss would look as if the member had never existed. So both are
 * compared here, once; after that, a member's bytes can be read at the place in the list. Their contents are checked in
 * zip_member.h by their checksums.
 *
 * The directory is the one that Python finds: that of the last end record. Offsets count from the beginning of the file, so
 * nothing can precede the first member. ZIPs of several parts are rejected.
 */
#ifndef ETI_READ_ZIP_DIRECTORY_H
#define ETI_READ_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/files.h"

/* Largest number of members in other files. A record needs fewer: four for each program and eight others. */
#define ETI_ZIP_MEMBERS 4096
#define ETI_ZIP_NAME_BYTES 16384
/* Largest number of members in a file of tensors, one for each tensor. */
#define ETI_ZIP_TENSORS 262144

typedef struct eti_zip_member {
    eti_text
        name; /* bytes of the name in the file: without NUL, and UTF-8 only if the ZIP marks it as such */
    bool is_encrypted;
    uint16_t method;
    uint32_t crc32;             /* checksum of the inflated bytes, of which there are `size` */
    uint64_t place;             /* offset of its first byte in the file */
    uint64_t packed_size, size; /* the packed bytes are inside the file; `size` is only a claim */
} eti_zip_member;

typedef struct eti_zip {
    const struct eti_file *file;
    const eti_zip_member *members; /* in the order of the directory */
    size_t n_members;
    uint64_t inflated; /* inflated bytes of all deflated members read so far; for zip_member.h */
} eti_zip;

/* Returns whether the file has an end record where a ZIP has one; without it, the file is of another kind or was cut
 * short. */
bool eti__zip_has_end(const struct eti_file *file);

/*
 * Lists the members of `file`, which must have an end record, in `arena`; `file` must outlive the list. ETI_ERROR_MALFORMED
 * if the directory is not directly before its end record or contains anything but entries, if a member's header and entry
 * have different names, sizes, checksums or methods, if a member is not before the directory, if members overlap so much
 * that their total size exceeds the file's, or if a name contains a NUL or is wrongly marked as UTF-8. ETI_ERROR_LIMIT above
 * the numbers above, ETI_ERROR_MEMORY.
 */
eti_status eti__zip_open(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Does the same with `most_members` as the largest number of members. */
eti_status eti__zip_open_large(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                               uint64_t most_members, eti_error *err) ETI_WARN_UNUSED;

#endif
