/*
 * npz.h - turns an .npz file, a ZIP of .npy files as numpy.savez() and savez_compressed() write it, into its arrays.
 *
 * Opening reads the headers; the data of an array are found, and inflated where they are deflated, when the array is loaded. Members
 * that are not .npy files are passed over.
 */
#ifndef ETI_READ_TENSORS_NPZ_H
#define ETI_READ_TENSORS_NPZ_H

#include "read/tensors/npy.h"
#include "read/zip_directory.h"

typedef struct eti_npz_array {
    const eti_zip_member *member;
    eti_npy_header header;
} eti_npz_array;

typedef struct eti_npz {
    eti_zip zip;
    eti_tensor_values *
        tensors; /* without data, in the order of the ZIP; names are those of members without .npy */
    eti_npz_array *arrays; /* of each tensor */
    size_t n_tensors;
} eti_npz;

/* Opens `file`, whose bytes must outlive the arrays; all else is in `arena`. Of members with one name the last counts, as in numpy.
 * ETI_ERROR_MALFORMED names file and member; ETI_ERROR_LIMIT: more members or more to inflate than the limits of zip_directory.h and
 * zip_member.h; ETI_ERROR_MEMORY. */
eti_status eti__npz_open(eti_npz *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Makes tensor `i` with its data, after comparing the member's checksum. What does not lie in the file as it is lies in `arena`, which
 * may be another one than before. Fails as eti__npz_open(). */
eti_status eti__npz_load(eti_tensor_values *out, eti_npz *npz, size_t i, eti_arena *arena,
                         eti_error *err) ETI_WARN_UNUSED;

#endif
