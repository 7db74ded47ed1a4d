/*
 * torch_tensors.h - names the tensors in an archive of torch.save(), as an .npz file names its arrays.
 *
 * A dict gives each value the text, or the number, that is its key; a list or a tuple its position, from 0 on. A list or a tuple in
 * either gives "<name>#<position>" to each of its items. A tensor alone has no name. Numbers and bools are tensors without dimensions:
 * int64, float64, bool. All else is refused, so that no tensor takes the place of another.
 */
#ifndef ETI_READ_TENSORS_TORCH_TENSORS_H
#define ETI_READ_TENSORS_TORCH_TENSORS_H

#include "base/files/file.h"
#include "read/tensors/tensor_values.h"

/* Whether this ZIP, all of it, is such an archive. */
bool eti__torch_tensors_is(const struct eti_file *file);

/* Sets `out` to an array of `n` tensors, in the order of the archive. They are views of `file`, whose bytes must outlive them; all else is
 * in `arena`. Fails as eti__torch_save_read(), and with ETI_ERROR_MALFORMED where a value is no tensor or two have one name. */
eti_status eti__torch_tensors_read(const eti_tensor_values **out, size_t *n, eti_arena *arena,
                                   const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

#endif
