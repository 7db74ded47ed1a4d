/*
 * torch_save.h - turns an archive that torch.save() wrote into values: nested lists, tuples and dicts of tensors and scalars.
 *
 * Tensors are views of the archive. Only what rebuilds tensors is understood; nothing is executed. Archives of before torch 1.6
 * and plain pickles, which ETRecords had until March 2026, are refused, as are quantized and sparse tensors and archives of
 * big-endian machines.
 */
#ifndef ETI_READ_TENSORS_TORCH_SAVE_H
#define ETI_READ_TENSORS_TORCH_SAVE_H

#include "base/files/file.h"
#include "read/tensors/saved_value.h"

/* Reads `file`, whose bytes must outlive the values; all else is in `arena`. Each storage must have the bytes that its tensors
 * need, and its checksum. ETI_ERROR_MALFORMED names the file, and the member and byte in it; ETI_ERROR_LIMIT: more than unpickler.h
 * allows, or tensors that share bytes so often that together they are larger than 64 MiB and 4 times the file; ETI_ERROR_MEMORY. */
eti_status eti__torch_save_read(const eti_saved_value **out, eti_arena *arena,
                                const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
