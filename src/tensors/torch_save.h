/*
 * torch_save.h - reads an archive written by torch.save() into values: nested lists, tuples and dicts of tensors and
 * scalars.
 *
 * Tensors are views of the archive. Only data that rebuild tensors are understood; nothing is executed. Archives from before
 * torch 1.6 and plain pickles, which ETRecords contained until March 2026, are rejected, and so are quantized and sparse
 * tensors and archives from big-endian machines.
 */
#ifndef ETI_TENSORS_TORCH_SAVE_H
#define ETI_TENSORS_TORCH_SAVE_H

#include "base/arena.h"
#include "base/files.h"
#include "tensors/saved_value.h"

/* Reads `file`, whose bytes must outlive the values; everything else is in `arena`. Each storage must have the bytes that
 * its tensors need, and a correct checksum. ETI_ERROR_MALFORMED names the file, and the member and byte in it;
 * ETI_ERROR_LIMIT: more than unpickler.h allows, or tensors that share bytes so often that their total size exceeds 64
 * MiB plus 4 times the file; ETI_ERROR_MEMORY. */
eti_status eti__torch_save_read(const eti_saved_value **out, eti_arena *arena,
                                const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
