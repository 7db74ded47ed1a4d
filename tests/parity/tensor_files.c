/*
 * tensor_files - prints the tensors of a file as JSON, or saves them in another form.
 *
 *     tensor_files show FILE           an .npz, .npy or safetensors file, or a folder of .npy files: a list of tensors
 *     tensor_files show FILE torch     an archive of torch.save: its value
 *     tensor_files save FILE PATH      into a new file or folder
 *     tensor_files replace FILE PATH   into an existing or a new one
 *     tensor_files flatten FILE PATH   the tensors in an archive of torch.save, in the order in which they are found
 *
 * A tensor is {"name", "dtype", "shape", "bytes"}; bytes are in row-major order and hexadecimal. A failure is one line on standard error.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/files.h"
#include "base/status.h"
#include "base/text.h"
#include "tensors/tensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void print_text(eti_text text) {
    putchar('"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_tensor(const eti_tensor_values *tensor) {
    size_t size = (size_t)eti__tensor_values_size(tensor);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        exit(5);
    eti__tensor_values_copy(tensor, 0, tensor->n_elements, bytes);
    printf("{\"name\": ");
    print_text(tensor->name);
    printf(", \"dtype\": \"%s\", \"shape\": [", eti__element_type(tensor->scalar_type)->name);
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        printf("%s%" PRId64, i > 0 ? ", " : "", tensor->sizes[i]);
    printf("], \"bytes\": \"");
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf("\"}");
    free(bytes);
}

/* ---- archives of torch.save ------------------------------------------------------------------ */

static void print_value(const eti_saved_value *value);

static void print_items(const eti_saved_value *value, const char *kind) {
    printf("{\"%s\": [", kind);
    for (uint32_t i = 0; i < value->n_items; i++) {
        printf("%s", i > 0 ? ", " : "");
        print_value(value->items[i]);
    }
    printf("]}");
}

static void print_value(const eti_saved_value *value) {
    switch (value->kind) {
    case ETI_SAVED_NONE:
        printf("null");
        break;
    case ETI_SAVED_BOOL:
        printf(value->as_bool ? "true" : "false");
        break;
    case ETI_SAVED_INT:
        printf("%" PRId64, value->as_int);
        break;
    case ETI_SAVED_FLOAT:
        printf("{\"float\": \"%a\"}", value->as_float);
        break;
    case ETI_SAVED_TEXT:
        print_text(eti__saved_text(value));
        break;
    case ETI_SAVED_LIST:
        print_items(value, "list");
        break;
    case ETI_SAVED_TUPLE:
        print_items(value, "tuple");
        break;
    case ETI_SAVED_DICT:
        print_items(value, "dict");
        break;
    case ETI_SAVED_TENSOR:
        print_tensor(value->tensor);
        break;
    default:
        printf("{\"dtype\": \"%s\"}", eti__element_type((int8_t)value->as_int)->name);
        break;
    }
}

typedef struct tensor_list {
    eti_tensor_values *tensors;
    size_t n, capacity;
    char (*names)[16];
    size_t names_capacity;
} tensor_list;

static void collect(tensor_list *list, const eti_saved_value *value) {
    bool is_container = value->kind == ETI_SAVED_LIST || value->kind == ETI_SAVED_TUPLE ||
                        value->kind == ETI_SAVED_DICT;
    for (uint32_t i = 0; is_container && i < value->n_items; i++)
        collect(list, value->items[i]);
    if (value->kind != ETI_SAVED_TENSOR)
        return;
    if (!ETI_GROW(list->tensors, list->capacity, list->n + 1) ||
        !ETI_GROW(list->names, list->names_capacity, list->n + 1))
        exit(5);
    list->tensors[list->n] = *value->tensor;
    snprintf(list->names[list->n], sizeof *list->names, "%zu", list->n);
    list->n++;
}

static eti_status run_torch(const char *verb, const struct eti_file *file, eti_arena *arena,
                            const char *path, eti_error *err) {
    const eti_saved_value *value;
    tensor_list list = {0};
    ETI_TRY(eti__torch_save_read(&value, arena, file, err));
    if (strcmp(verb, "show") == 0) {
        print_value(value);
        putchar('\n');
        return ETI_OK;
    }
    collect(&list, value);
    for (size_t i = 0; i < list.n; i++)
        list.tensors[i].name = eti__text_of(list.names[i]);
    eti_status status = eti__tensors_save(path, list.tensors, list.n, false, err);
    free(list.tensors);
    free(list.names);
    return status;
}

/* ---- named tensors --------------------------------------------------------------------------- */

static eti_status run_named(const char *verb, eti_tensor_file *file, eti_arena *arena,
                            const char *path, eti_error *err) {
    eti_tensor_values *tensors =
        eti__arena_alloc(arena, file->n_tensors, sizeof(eti_tensor_values));
    for (size_t i = 0; i < file->n_tensors; i++)
        ETI_TRY(eti__tensor_file_load(&tensors[i], file, i, arena, err));
    if (strcmp(verb, "show") != 0)
        return eti__tensors_save(path, tensors, file->n_tensors, strcmp(verb, "replace") == 0, err);
    putchar('[');
    for (size_t i = 0; i < file->n_tensors; i++) {
        printf("%s", i > 0 ? ",\n" : "");
        print_tensor(&tensors[i]);
    }
    puts("]");
    return ETI_OK;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static eti_status run(int argc, char **argv, struct eti_file *file, eti_arena *arena,
                      eti_error *err) {
    const char *third = argc > 3 ? argv[3] : "";
    eti_tensor_file tensors;
    if (is_folder(argv[2])) {
        ETI_TRY(eti__tensor_folder_open(&tensors, arena, argv[2], err));
    } else {
        const eti_source source = {.path = argv[2]};
        ETI_TRY(eti__file_open_source(file, &source, err));
        if (strcmp(third, "torch") == 0 || strcmp(argv[1], "flatten") == 0)
            return run_torch(argv[1], file, arena, third, err);
        ETI_TRY(eti__tensor_file_open(&tensors, arena, file, err));
    }
    eti_status status = run_named(argv[1], &tensors, arena, third, err);
    eti__tensor_file_close(&tensors);
    return status;
}

int main(int argc, char **argv) {
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    struct eti_file file = {0};
    if (argc < 3)
        return 2;
    eti_status status = run(argc, argv, &file, &arena, &err);
    if (status != ETI_OK)
        fprintf(stderr, "%s: %s\n", eti_status_text(status), err.message);
    eti__arena_free(&arena);
    eti__file_release(&file);
    return status == ETI_OK ? 0 : 3;
}
