/*
 * npy.h - reads the array of numbers in a .npy file, or in a member of an .npz file, which has the same form.
 */
#ifndef ETI_TENSORS_NPY_H
#define ETI_TENSORS_NPY_H

#include "base/arena.h"
#include "base/files.h"
#include "base/output.h"
#include "base/text.h"
#include "etinspect.h"
#include "tensors/tensors.h"

/* ==== npy ===================================================================================== */

/* Returns whether the data begin like a .npy file. */
bool eti__npy_is(const void *data, size_t size);

/* Reads a .npy file, whose bytes must outlive the values; the array has no name. ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. */
eti_status eti__npy_read(eti_tensor_values *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* ==== npy write =============================================================================== */
/* Turns tensors into the bytes of .npy files piece by piece, for files and members of an .npz
 * file. */

#define ETI_NPY_PIECE_BYTES 65536

/* The elements of a tensor in row-major order, piece by piece. */
typedef struct eti_row_major {
    const eti_tensor_values *tensor;
    uint64_t next;   /* element */
    bool is_widened; /* bfloat16 becomes float32 */
} eti_row_major;

/* Fills `piece`, aligned for any element, and returns the number of bytes in it; 0 at the end. */
size_t eti__row_major_next(eti_row_major *rows, void *piece);

/* Appends magic, version and header. ETI_ERROR_USAGE: .npy files do not have the type. If memory
 * runs out, the buffer's `failed` is set. */
eti_status eti__npy_add_header(eti_buffer *out, const eti_tensor_values *tensor,
                               eti_error *err) ETI_WARN_UNUSED;

/* ==== npz ===================================================================================== */

/* Opens `file`, whose bytes must outlive the arrays; everything else is in `arena`. Of members with the same name, the
 * last counts, as in numpy. ETI_ERROR_MALFORMED names file and member; ETI_ERROR_LIMIT: more members or more to inflate
 * than the limits of read/read.h; ETI_ERROR_MEMORY. */
eti_status eti__npz_open(eti_npz *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) ETI_WARN_UNUSED;

/* Loads tensor `i` with its data, after checking the member's checksum. Data that are not a view of the file live in
 * `arena`, which may differ from the one given before. Fails like eti__npz_open(). */
eti_status eti__npz_load(eti_tensor_values *out, eti_npz *npz, size_t i, eti_arena *arena,
                         eti_error *err) ETI_WARN_UNUSED;

/* ==== tensor files ============================================================================ */

/* Write the files alone. Names are UTF-8 and differ. ETI_ERROR_USAGE: a type that the format does not have;
 * ETI_ERROR_MEMORY. The output reports failures to write. */
eti_status eti__npy_write(const eti_tensor_values *tensor, eti_output *output,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
