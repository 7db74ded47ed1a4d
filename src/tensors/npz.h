/*
 * npz.h - reads the arrays of an .npz file: a ZIP of .npy files as written by numpy.savez() and savez_compressed().
 *
 * Opening it reads the headers; the data of an array are found, and inflated if necessary, when the array is loaded. Members
 * that are not .npy files are skipped.
 */
#ifndef ETI_TENSORS_NPZ_H
#define ETI_TENSORS_NPZ_H

#include "base/arena.h"
#include "base/files.h"
#include "read/read.h"
#include "tensors/npy.h"

typedef struct eti_npz_array {
    const eti_zip_member *member;
    eti_npy_header header;
} eti_npz_array;

typedef struct eti_npz {
    eti_zip zip;
    eti_tensor_values *
        tensors; /* without data, in the order of the ZIP; their names are those of members without .npy */
    eti_npz_array *arrays; /* one per tensor */
    size_t n_tensors;
} eti_npz;

/* Opens `file`, whose bytes must outlive the arrays; everything else is in `arena`. Of members with the same name, the
 * last counts, as in numpy. ETI_ERROR_MALFORMED names file and member; ETI_ERROR_LIMIT: more members or more to inflate
 * than the limits of read/zip.h and read/read.h; ETI_ERROR_MEMORY. */
eti_status eti__npz_open(eti_npz *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Loads tensor `i` with its data, after checking the member's checksum. Data that are not a view of the file live in
 * `arena`, which may differ from the one given before. Fails like eti__npz_open(). */
eti_status eti__npz_load(eti_tensor_values *out, eti_npz *npz, size_t i, eti_arena *arena,
                         eti_error *err) ETI_WARN_UNUSED;

#endif
