/*
 * tensor_file.h - opens any file of named tensors and recognises its form by the content: .npz, .npy, safetensors, an archive
 * of torch.save (see torch_tensors.h), or a folder of .npy files.
 */
#ifndef ETI_READ_TENSORS_TENSOR_FILE_H
#define ETI_READ_TENSORS_TENSOR_FILE_H

#include "base/files/file.h"
#include "read/tensors/npz.h"

typedef struct eti_tensor_file {
    const eti_tensor_values *tensors; /* maybe without data: see below */
    size_t n_tensors;
    bool is_ordered; /* tensors are in the order in which they were saved */
    /* private: */
    bool is_npz;
    eti_npz npz;            /* of an .npz file */
    struct eti_file *files; /* of a folder, one for each tensor, NULL: no folder */
    size_t n_files;
} eti_tensor_file;

/* Whether these bytes, the first of a file or all, may be of such a file. */
bool eti__tensor_file_is(const void *data, size_t size);

/* Opens `file`, whose bytes must outlive the tensors; all else is in `arena`. The array of a .npy file has the file's name without folders and suffix.
 * ETI_ERROR_MALFORMED: damaged, or another file; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. Success must be followed by
 * eti__tensor_file_close(). */
eti_status eti__tensor_file_open(eti_tensor_file *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) ETI_WARN_UNUSED;

/* Opens all .npy files of the folder at `path`, in the order of their names; without hidden files and folders in it. Fails likewise, and with
 * ETI_ERROR_READ. */
eti_status eti__tensor_folder_open(eti_tensor_file *out, eti_arena *arena, const char *path,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Opens a source: a folder, or else a file, which becomes `file`. Fails likewise, and with the statuses of opening the file, which
 * the caller releases in any case. */
eti_status eti__tensor_source_open(eti_tensor_file *out, eti_arena *arena, struct eti_file *file,
                                   const eti_source *source, eti_error *err) ETI_WARN_UNUSED;

/* Makes tensor `i` with its data. What does not lie in a file as it is lies in `arena`, which may be another one than before.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__tensor_file_load(eti_tensor_values *out, eti_tensor_file *file, size_t i,
                                 eti_arena *arena, eti_error *err) ETI_WARN_UNUSED;

/* Releases the files of a folder. All zeros is allowed. */
void eti__tensor_file_close(eti_tensor_file *file);

#endif
