/*
 * save.c - puts files of tensors in place.
 */
#include "tensors/tensor_files.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "tensors/npy_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef eti_status write_function(const eti_tensor_values *tensors, size_t n, eti_output *output,
                                  eti_error *err);

static bool has_suffix(const char *path, const char *suffix) {
    size_t n = strlen(path), n_suffix = strlen(suffix);
    return n > n_suffix && strcmp(path + n - n_suffix, suffix) == 0;
}

eti_tensor_form eti__tensor_form_of(const char *path) {
    if (has_suffix(path, ".npz"))
        return ETI_TENSOR_FORM_NPZ;
    return has_suffix(path, ".safetensors") ? ETI_TENSOR_FORM_SAFETENSORS
                                            : ETI_TENSOR_FORM_NPY_FOLDER;
}

/* ---- names ----------------------------------------------------------------------------------- */

static eti_status copy_name(eti_tensor_values *tensor, eti_arena *arena, eti_buffer *name,
                            eti_text_table *names, eti_error *err) {
    size_t n_before = names->count;
    uint32_t number;
    name->size = 0;
    eti__buffer_add_utf8(name, tensor->name);
    for (char *nul = name->data;
         name->size > 0 && (nul = memchr(nul, '\0', name->size - (size_t)(nul - name->data)));)
        *nul = '?'; /* numpy takes a NUL as the end of the name */
    if (name->failed ||
        !eti__arena_copy_text(arena, name->size > 0 ? eti__buffer_text(name) : eti__text_of(""),
                              &tensor->name) ||
        !eti__text_table_add(names, tensor->name, NULL, &number))
        return eti_fail_memory(err);
    if (number < n_before)
        return eti_fail(err, ETI_ERROR_DATA, "two tensors are called %.*s",
                        ETI_TEXT_ARGS(tensor->name));
    if (eti__text_is(tensor->name, "__metadata__") || tensor->name.size > 1000)
        return eti_fail(err, ETI_ERROR_DATA, "%.*s is not a valid name for a tensor in a file",
                        ETI_TEXT_ARGS(tensor->name));
    return ETI_OK;
}

/* Copies the tensors, with names that all formats accept. */
static eti_status copy_tensors(eti_tensor_values **out, eti_arena *arena,
                               const eti_tensor_values *tensors, size_t n, eti_error *err) {
    eti_text_table names = {0};
    eti_buffer name = {0};
    eti_status status = ETI_OK;
    *out = eti__arena_alloc(arena, n, sizeof **out);
    if (!*out)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n && status == ETI_OK; i++) {
        (*out)[i] = tensors[i];
        status = copy_name(&(*out)[i], arena, &name, &names, err);
    }
    eti__buffer_free(&name);
    eti__text_table_free(&names);
    return status;
}

/* ---- one file -------------------------------------------------------------------------------- */

static eti_status fail_exists(const char *path, eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE, "%s: already exists; use %sforce to replace it", path,
                    eti__option_prefix());
}

eti_status eti__save_check(const char *path, bool replaces, eti_error *err) {
    return !replaces && access(path, F_OK) == 0 ? fail_exists(path, err) : ETI_OK;
}

static eti_status name_file(const char *path, eti_status status, eti_error *err) {
    if (status != ETI_OK && status != ETI_ERROR_MEMORY)
        eti__error_prefix(err, "%s", path);
    return status;
}

eti_status eti__save_commit(eti_output *output, const char *path, bool replaces, eti_error *err) {
    bool exists = false;
    if (replaces)
        return eti__output_commit(output, err);
    ETI_TRY(eti__output_commit_new(output, &exists, err));
    return exists ? fail_exists(path, err) : ETI_OK;
}

/* `created`, unless NULL, becomes whether the file is in place and did not exist before. */
static eti_status save_file(const char *path, const eti_tensor_values *tensors, size_t n,
                            bool replaces, write_function *write, bool *created, eti_error *err) {
    eti_output *output;
    ETI_TRY(eti__save_check(path, replaces, err));
    ETI_TRY(eti__output_open(&output, path, err));
    bool is_new = eti__output_target(output) && !eti__output_replaces(output);
    eti_status status = name_file(path, write(tensors, n, output, err), err);
    if (status == ETI_OK)
        status = eti__save_commit(output, path, replaces, err);
    else
        eti__output_discard(output);
    if (created)
        *created = is_new && status == ETI_OK;
    return status;
}

/* ---- a folder -------------------------------------------------------------------------------- */

static eti_status write_npy(const eti_tensor_values *tensors, size_t n, eti_output *output,
                            eti_error *err) {
    (void)n;
    return eti__npy_write(tensors, output, err);
}

static eti_status make_path(eti_buffer *out, const char *folder, const eti_tensor_values *tensor,
                            eti_error *err) {
    out->size = 0;
    eti__buffer_add_string(out, folder);
    eti__buffer_add_char(out, '/');
    size_t before = out->size;
    eti__file_name_add(out, tensor->name);
    eti__buffer_add_string(out, ".npy");
    if (out->size - before > ETI_FILE_NAME_MOST)
        return eti_fail(err, ETI_ERROR_DATA,
                        "the name of tensor %.*s is too long for a file: save as .npz or "
                        ".safetensors",
                        ETI_TEXT_ARGS(tensor->name));
    eti__buffer_add_char(out, '\0');
    return out->failed ? eti_fail_memory(err) : ETI_OK;
}

static eti_status make_folder(const char *path, bool *is_new, eti_error *err) {
    struct stat status;
    *is_new = mkdir(path, 0777) == 0;
    if (*is_new)
        return ETI_OK;
    int reason = errno;
    if (reason == EEXIST && stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return ETI_OK;
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s: expected a folder for .npy files, or the suffix .npz or .safetensors",
                        path);
    }
    return eti_fail(err, ETI_ERROR_WRITE, "%s: cannot create the folder: %s", path,
                    strerror(reason));
}

/* Checks all names and types before the first file is written. */
static eti_status check_folder(const char *folder, const eti_tensor_values *tensors, size_t n,
                               bool replaces, eti_error *err) {
    eti_buffer path = {0}, header = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n && status == ETI_OK; i++) {
        header.size = 0;
        status = make_path(&path, folder, &tensors[i], err);
        if (status == ETI_OK)
            status = eti__save_check(path.data, replaces, err);
        if (status == ETI_OK)
            status = name_file(folder, eti__npy_add_header(&header, &tensors[i], err), err);
    }
    eti__buffer_free(&path);
    eti__buffer_free(&header);
    return status;
}

/* Removes the created files, and leaves links that lead to them. */
static void remove_files(const char *folder, const eti_tensor_values *tensors, size_t n,
                         const bool *created) {
    eti_buffer path = {0};
    for (size_t i = 0; i < n; i++) {
        if (!created[i] || make_path(&path, folder, &tensors[i], NULL) != ETI_OK)
            continue;
        char *file = eti__follow_links(path.data);
        if (file)
            unlink(file);
        free(file);
    }
    eti__buffer_free(&path);
}

/* Saves one file after the other, so that a signal interrupts only one. */
static eti_status save_files(const char *folder, const eti_tensor_values *tensors, size_t n,
                             bool replaces, bool *created, eti_error *err) {
    eti_buffer path = {0};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n && status == ETI_OK; i++) {
        status = make_path(&path, folder, &tensors[i], err);
        if (status == ETI_OK)
            status = save_file(path.data, &tensors[i], 1, replaces, write_npy, &created[i], err);
    }
    eti__buffer_free(&path);
    if (status != ETI_OK)
        remove_files(folder, tensors, n, created);
    return status;
}

static eti_status save_folder(const char *folder, const eti_tensor_values *tensors, size_t n,
                              bool replaces, eti_error *err) {
    bool is_new;
    ETI_TRY(check_folder(folder, tensors, n, replaces, err));
    bool *created = calloc(n + 1, sizeof *created);
    if (!created)
        return eti_fail_memory(err);
    eti_status status = make_folder(folder, &is_new, err);
    if (status == ETI_OK)
        status = save_files(folder, tensors, n, replaces, created, err);
    if (status != ETI_OK && is_new)
        rmdir(folder);
    free(created);
    return status;
}

eti_status eti__tensors_save(const char *path, const eti_tensor_values *tensors, size_t n,
                             bool replaces, eti_error *err) {
    eti_arena arena = {0};
    eti_tensor_values *copies = NULL;
    eti_status status = copy_tensors(&copies, &arena, tensors, n, err);
    if (status != ETI_OK)
        status = name_file(path, status, err);
    else if (eti__tensor_form_of(path) == ETI_TENSOR_FORM_NPY_FOLDER)
        status = save_folder(path, copies, n, replaces, err);
    else
        status =
            save_file(path, copies, n, replaces,
                      eti__tensor_form_of(path) == ETI_TENSOR_FORM_NPZ ? eti__npz_write
                                                                       : eti__safetensors_write,
                      NULL, err);
    eti__arena_free(&arena);
    return status;
}
