/*
 * torch_save.h - names the tensors in an archive of torch.save(), as an .npz file names its arrays.
 *
 * A value in a dict is named after its key, which is a text or a number; a value in a list or tuple after its position, from
 * 0 on. The items of a list or tuple inside one of these are called "<name>#<position>". A lone tensor has no name: its
 * caller names it. Numbers and bools become tensors without dimensions: int64, float64, bool. Everything else is rejected, so that no tensor takes
 * the place of another.
 */
#ifndef ETI_TENSORS_TORCH_SAVE_H
#define ETI_TENSORS_TORCH_SAVE_H

#include "base/arena.h"
#include "base/files.h"
#include "etinspect.h"
#include "tensors/tensors.h"

/* Returns whether this complete ZIP is such an archive. */
bool eti__torch_tensors_is(const struct eti_file *file);

/* Sets `out` to an array of `n` tensors, in the order of the archive. They are views of `file`, whose bytes must outlive
 * them; everything else is in `arena`. Fails like eti__torch_save_read(), and with ETI_ERROR_MALFORMED if a value is not
 * a tensor or two have the same name. */
eti_status eti__torch_tensors_read(const eti_tensor_values **out, size_t *n, eti_arena *arena,
                                   const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
