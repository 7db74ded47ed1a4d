#include "tensors/tensor_file.h"

#include "base/array.h"
#include "base/intern.h"
#include "base/sort.h"
#include "tensors/npy.h"
#include "tensors/safetensors.h"
#include "tensors/tensors.h"
#include "tensors/torch_save.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== tensor file ============================================================================= */

#define MOST_FILES ETI_ZIP_TENSORS

static bool is_zip(const void *data, size_t size) {
    return size >= 4 && (memcmp(data, "PK\3\4", 4) == 0 || memcmp(data, "PK\5\6", 4) == 0);
}

/* Returns whether torch.save may have written the file before torch 1.6; the reader of archives rejects such files. */
static bool is_pickle(const uint8_t *data, size_t size) {
    return size >= 2 && data[0] == 0x80 && data[1] >= 2 && data[1] <= 5;
}

/* ---- one file -------------------------------------------------------------------------------- */

/* Names the only tensor of a file after the file, without folders and suffix. */
static eti_status name_array(eti_tensor_values *values, eti_arena *arena, const char *path,
                             eti_error *err) {
    static const char *const suffixes[] = {".npy", ".pth", ".pt"};
    eti_text name = eti__text_file_name(eti__text_of(path));
    eti_buffer text = {0};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t size = strlen(suffixes[i]);
        if (name.size > size && memcmp(name.data + name.size - size, suffixes[i], size) == 0) {
            name.size -= size;
            break;
        }
    }
    eti__file_name_add_text(&text, name);
    bool has_memory =
        !text.failed && eti__arena_own_text(arena, eti__buffer_text(&text), &values->name);
    eti__buffer_free(&text);
    return has_memory ? ETI_OK : eti_fail_memory(err);
}

static eti_status open_npy(eti_tensor_file *out, eti_arena *arena, const struct eti_file *file,
                           eti_error *err) {
    eti_tensor_values *values = eti__arena_alloc(arena, 1, sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    ETI_TRY(eti__npy_read(values, arena, file, err));
    ETI_TRY(name_array(values, arena, file->name, err));
    out->tensors = values;
    out->n_tensors = 1;
    return ETI_OK;
}

static eti_status open_npz(eti_tensor_file *out, eti_arena *arena, const struct eti_file *file,
                           eti_error *err) {
    ETI_TRY(eti__npz_open(&out->npz, arena, file, err));
    out->is_npz = out->is_ordered = true;
    out->tensors = out->npz.tensors;
    out->n_tensors = out->npz.n_tensors;
    return ETI_OK;
}

static eti_status open_torch(eti_tensor_file *out, eti_arena *arena, const struct eti_file *file,
                             eti_error *err) {
    ETI_TRY(eti__torch_tensors_read(&out->tensors, &out->n_tensors, arena, file, err));
    out->is_ordered = true;
    if (out->n_tensors != 1 || out->tensors[0].name.size > 0)
        return ETI_OK;
    eti_tensor_values *only = eti__arena_alloc(arena, 1, sizeof *only);
    if (!only)
        return eti_fail_memory(err);
    *only = out->tensors[0];
    out->tensors = only;
    return name_array(only, arena, file->name, err);
}

static eti_status open_safetensors(eti_tensor_file *out, eti_arena *arena,
                                   const struct eti_file *file, eti_error *err) {
    eti_safetensors tensors;
    ETI_TRY(eti__safetensors_read(&tensors, arena, file, err));
    out->tensors = tensors.tensors;
    out->n_tensors = tensors.n_tensors;
    return ETI_OK;
}

static eti_status fail_unknown(const struct eti_file *file, eti_error *err) {
    char shown[8 * 3 + 1] = "";
    size_t n = file->size < 8 ? file->size : 8;
    for (size_t i = 0; i < n; i++)
        (void)snprintf(shown + 3 * i, 4, " %02x", file->data[i]);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: expected tensors (.npz, .npy, .safetensors or .pt), found a file %s%s",
                    file->name, n > 0 ? "that begins with" : "without bytes", shown);
}

eti_status eti__tensor_file_open(eti_tensor_file *out, eti_arena *arena,
                                 const struct eti_file *file, eti_error *err) {
    *out = (eti_tensor_file){.n_tensors = 0};
    if (is_zip(file->data, file->size) && eti__torch_tensors_is(file))
        return open_torch(out, arena, file, err);
    if (is_zip(file->data, file->size))
        return open_npz(out, arena, file, err);
    if (eti__npy_is(file->data, file->size))
        return open_npy(out, arena, file, err);
    if (eti__safetensors_is(file->data, file->size))
        return open_safetensors(out, arena, file, err);
    if (is_pickle(file->data, file->size))
        return open_torch(out, arena, file, err); /* explains what the file is */
    return fail_unknown(file, err);
}

eti_status eti__tensor_file_load(eti_tensor_values *out, eti_tensor_file *file, size_t i,
                                 eti_arena *arena, eti_error *err) {
    if (file->is_npz)
        return eti__npz_load(out, &file->npz, i, arena, err);
    *out = file->tensors[i];
    return ETI_OK;
}

/* ---- a folder -------------------------------------------------------------------------------- */

typedef struct name_list {
    char **names;
    size_t n, capacity;
} name_list;

static void free_names(name_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free((void *)list->names);
}

static bool is_npy_name(const char *name) {
    size_t size = strlen(name);
    return name[0] != '.' && size > 4 && strcmp(name + size - 4, ".npy") == 0;
}

static eti_status add_name(name_list *list, const char *path, const char *name, eti_error *err) {
    eti_buffer full = {0};
    if (list->n == MOST_FILES)
        return eti_fail(err, ETI_ERROR_LIMIT, "%s: a folder with more than %d .npy files", path,
                        MOST_FILES);
    eti__buffer_printf(&full, "%s/%s", path, name);
    eti__buffer_add_char(&full, '\0');
    if (full.failed || !ETI_GROW(list->names, list->capacity, list->n + 1)) {
        eti__buffer_free(&full);
        return eti_fail_memory(err);
    }
    list->names[list->n++] = full.data;
    return ETI_OK;
}

static int compare_names(const void *a, const void *b, void *context) {
    (void)context;
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static eti_status list_folder(name_list *list, const char *path, eti_error *err) {
    DIR *folder = opendir(path);
    if (!folder && errno == ENOMEM)
        return eti_fail_memory(err);
    if (!folder)
        return eti_fail(err, ETI_ERROR_READ, "%s: cannot read the folder: %s", path,
                        strerror(errno));
    eti_status status = ETI_OK;
    for (const struct dirent *entry; status == ETI_OK && (entry = readdir(folder));) {
        if (is_npy_name(entry->d_name))
            status = add_name(list, path, entry->d_name, err);
    }
    closedir(folder);
    if (status == ETI_OK && list->n == 0)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: expected .npy files, found a folder without any", path);
    eti__sort((void *)list->names, list->n, sizeof *list->names, compare_names, NULL);
    return status;
}

static eti_status open_files(eti_tensor_file *out, eti_arena *arena, const name_list *list,
                             eti_error *err) {
    eti_tensor_values *tensors = eti__arena_alloc(arena, list->n, sizeof *tensors);
    out->files = calloc(list->n, sizeof *out->files);
    if (!tensors || !out->files)
        return eti_fail_memory(err);
    for (size_t i = 0; i < list->n; i++) {
        const eti_source source = {.path = list->names[i]};
        ETI_TRY(eti__file_open_source(&out->files[i], &source, err));
        out->n_files = i + 1;
        ETI_TRY(eti__npy_read(&tensors[i], arena, &out->files[i], err));
        ETI_TRY(name_array(&tensors[i], arena, out->files[i].name, err));
    }
    out->tensors = tensors;
    out->n_tensors = list->n;
    return ETI_OK;
}

eti_status eti__tensor_folder_open(eti_tensor_file *out, eti_arena *arena, const char *path,
                                   eti_error *err) {
    name_list list = {0};
    *out = (eti_tensor_file){.n_tensors = 0};
    eti_status status = list_folder(&list, path, err);
    if (status == ETI_OK)
        status = open_files(out, arena, &list, err);
    free_names(&list);
    if (status != ETI_OK)
        eti__tensor_file_close(out);
    return status;
}

/* ---- files and folders ----------------------------------------------------------------------- */

eti_status eti__tensor_source_open(eti_tensor_file *out, eti_arena *arena, struct eti_file *file,
                                   const eti_source *source, eti_error *err) {
    if (eti__source_is_folder(source))
        return eti__tensor_folder_open(out, arena, source->path, err);
    ETI_TRY(eti__file_open_source(file, source, err));
    return eti__tensor_file_open(out, arena, file, err);
}

void eti__tensor_file_close(eti_tensor_file *file) {
    for (size_t i = 0; i < file->n_files; i++)
        eti__file_release(&file->files[i]);
    free(file->files);
    *file = (eti_tensor_file){.n_tensors = 0};
}

/* ==== save write ============================================================================== */
/* Puts files of tensors in place. */

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
    ETI_EXPECT_UTF8(tensor->name);
    eti__buffer_add_text(name, tensor->name);
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
