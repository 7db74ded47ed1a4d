/*
 * tensor_file.h - opens any file of named tensors and recognises its format by its contents: .npz, .npy, safetensors, an
 * archive of torch.save (see torch_tensors.h), or a folder of .npy files.
 */
#ifndef ETI_TENSORS_TENSOR_FILE_H
#define ETI_TENSORS_TENSOR_FILE_H

#include "base/arena.h"
#include "base/files.h"
#include "tensors/npz.h"

typedef struct eti_tensor_file {
    const eti_tensor_values *tensors; /* may be without data: see below */
    size_t n_tensors;
    bool is_ordered; /* in the order in which they were saved */
    /* Private members: */
    bool is_npz;
    eti_npz npz;            /* if is_npz */
    struct eti_file *files; /* if a folder, one per tensor; otherwise NULL */
    size_t n_files;
} eti_tensor_file;

/* Opens `file`, whose bytes must outlive the tensors; everything else is in `arena`. The array of a .npy file has the
 * file's name without folders and suffix. ETI_ERROR_MALFORMED: damaged, or another kind of file; ETI_ERROR_LIMIT;
 * ETI_ERROR_MEMORY. Success must be followed by eti__tensor_file_close(). */
eti_status eti__tensor_file_open(eti_tensor_file *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

/* Opens all .npy files in the folder at `path`, in the order of their names; hidden files and subfolders are ignored.
 * Fails in the same ways, and with ETI_ERROR_READ. */
eti_status eti__tensor_folder_open(eti_tensor_file *out, eti_arena *arena, const char *path,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Opens a source: a folder, or else a file, which becomes `file`. Fails in the same ways, and with the statuses of
 * opening the file, which the caller releases in any case. */
eti_status eti__tensor_source_open(eti_tensor_file *out, eti_arena *arena, struct eti_file *file,
                                   const eti_source *source, eti_error *err) ETI_WARN_UNUSED;

/* Loads tensor `i` with its data. Data that are not a view of a file live in `arena`, which may differ from the one given
 * before. ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__tensor_file_load(eti_tensor_values *out, eti_tensor_file *file, size_t i,
                                 eti_arena *arena, eti_error *err) ETI_WARN_UNUSED;

/* Releases the files of a folder. All zeros is allowed. */
void eti__tensor_file_close(eti_tensor_file *file);

#endif
