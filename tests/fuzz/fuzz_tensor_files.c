/*
 * fuzz_tensor_files.c - the first byte gives the kind of the rest:
 *
 *     f    a file of tensors: .npz, .npy or safetensors
 *     a    an archive of torch.save
 *     p    the pickle of such an archive, whose storages are those of storage_sizes
 *     n    .npy files, each behind its size in two bytes: the members of an .npz file
 *
 * The last two are packed here, since a changed byte of a ZIP would only give a wrong checksum. All values are visited and
 * all elements read; tensors are written in both forms, and must be the same when read again.
 */
#include "../unit/record_builder.h"

#include "numerics/numerics.h"

#include "fuzz.h"

static char again_name[] = "again";

#define MOST_ELEMENTS (1 << 20) /* that are read of a tensor; sizes may repeat elements */
#define MOST_TENSORS 64         /* that are written */

typedef struct found_tensors {
    eti_tensor_values tensors[MOST_TENSORS];
    size_t n;
} found_tensors;

/* ---- input ----------------------------------------------------------------------------------- */

static void expect_tensor(const eti_tensor_values *tensor, found_tensors *found) {
    uint64_t extent, size = eti__tensor_values_size(tensor);
    eti_tensor_values copy = *tensor;
    FUZZ_EXPECT(tensor->n_dims <= ETI_TENSOR_MOST_DIMS);
    FUZZ_EXPECT(!eti__tensor_values_count(&copy) && copy.n_elements == tensor->n_elements);
    FUZZ_EXPECT(eti__tensor_values_extent(tensor, &extent));
    FUZZ_EXPECT(eti__element_type(tensor->scalar_type)->width > 0);
    fuzz_touch(tensor->name);
    if (tensor->n_elements == 0 || !tensor->data)
        return;
    fuzz_touch_bytes(tensor->data, (size_t)extent * eti__element_type(tensor->scalar_type)->width);
    if (tensor->n_elements > MOST_ELEMENTS)
        return;
    uint8_t *bytes = malloc((size_t)size);
    FUZZ_EXPECT(bytes);
    eti__tensor_values_copy(tensor, 0, tensor->n_elements, bytes);
    fuzz_touch_bytes(bytes, (size_t)size);
    free(bytes);
    if (found->n < MOST_TENSORS && size < 65536)
        found->tensors[found->n++] = *tensor;
}

/* Visits as often as the reader promises; the depth is bounded. */
static void expect_value(const eti_saved_value *value, size_t depth, found_tensors *found) {
    FUZZ_EXPECT(depth <= 64);
    switch (value->kind) {
    case ETI_SAVED_TEXT:
        FUZZ_EXPECT(fuzz_is_utf8(eti__saved_text(value), NULL));
        break;
    case ETI_SAVED_DICT:
        FUZZ_EXPECT(value->n_items % 2 == 0);
        /* fall through */
    case ETI_SAVED_LIST:
    case ETI_SAVED_TUPLE:
        for (uint32_t i = 0; i < value->n_items; i++)
            expect_value(value->items[i], depth + 1, found);
        break;
    case ETI_SAVED_TENSOR:
        expect_tensor(value->tensor, found);
        break;
    default:
        FUZZ_EXPECT(value->kind < ETI_SAVED_FUNCTION);
        break;
    }
}

static void read_archive(const struct eti_file *file, eti_arena *arena, found_tensors *found) {
    const eti_saved_value *value;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__torch_save_read(&value, arena, file, &err);
    if (status == ETI_OK)
        expect_value(value, 0, found);
    else
        fuzz_expect_error(status, &err);
}

static void read_tensors(const struct eti_file *file, eti_arena *arena, found_tensors *found) {
    eti_tensor_file tensors;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__tensor_file_open(&tensors, arena, file, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        return;
    }
    for (size_t i = 0; i < tensors.n_tensors; i++) {
        eti_tensor_values loaded;
        expect_tensor(&tensors.tensors[i], found);
        status = eti__tensor_file_load(&loaded, &tensors, i, arena, &err);
        if (status == ETI_OK)
            expect_tensor(&loaded, found);
        else
            fuzz_expect_error(status, &err);
    }
    eti__tensor_file_close(&tensors);
}

/* Every tensor belongs to one point, and has the size given in the file. */
static void read_points(const struct eti_file *file) {
    const eti_source source = {file->name, file->data, file->size};
    eti_reference_points reference;
    size_t n = 0;
    if (eti__reference_points_read(&reference, &source, NULL) == ETI_OK) {
        for (size_t i = 0; i < reference.points.n; i++) {
            const eti_point *point = &reference.points.points[i];
            FUZZ_EXPECT(point->n > 0 && point->tensors == reference.recorded + n);
            n += point->n;
            for (size_t k = 0; k < point->n; k++) {
                eti_arena arena = {NULL};
                eti_tensor_values loaded;
                if (eti__reference_points_load(&reference, &point->tensors[k], &arena, &loaded,
                                               NULL) == ETI_OK)
                    FUZZ_EXPECT(loaded.n_elements == point->tensors[k].values.n_elements);
                eti__arena_free(&arena);
            }
        }
        FUZZ_EXPECT(n == reference.tensors.n_tensors);
    }
    eti__reference_points_free(&reference);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void expect_same(const eti_tensor_values *a, const eti_tensor_values *b) {
    size_t size = (size_t)eti__tensor_values_size(a);
    FUZZ_EXPECT(a->n_dims == b->n_dims && a->n_elements == b->n_elements);
    FUZZ_EXPECT(memcmp(a->sizes, b->sizes, a->n_dims * sizeof *a->sizes) == 0);
    if (a->scalar_type == 15 && b->scalar_type == 6) /* bfloat16 in .npy */
        return;
    FUZZ_EXPECT(eti__tensor_values_size(b) == size);
    uint8_t *bytes = malloc(2 * size);
    FUZZ_EXPECT(bytes);
    eti__tensor_values_copy(a, 0, a->n_elements, bytes);
    eti__tensor_values_copy(b, 0, b->n_elements, bytes + size);
    FUZZ_EXPECT(memcmp(bytes, bytes + size, size) == 0);
    free(bytes);
}

static void read_again(const eti_buffer *bytes, eti_arena *arena, const found_tensors *found) {
    const struct eti_file file = {
        .name = again_name, .data = (const uint8_t *)bytes->data, .size = bytes->size};
    eti_tensor_file again;
    FUZZ_EXPECT(eti__tensor_file_open(&again, arena, &file, NULL) == ETI_OK);
    FUZZ_EXPECT(again.n_tensors == found->n);
    for (size_t i = 0; i < again.n_tensors; i++) {
        eti_tensor_values loaded;
        FUZZ_EXPECT(eti__tensor_file_load(&loaded, &again, i, arena, NULL) == ETI_OK);
        FUZZ_EXPECT(loaded.name.size == 1);
        expect_same(&found->tensors[loaded.name.data[0] - '0'], &loaded);
    }
    eti__tensor_file_close(&again);
}

static void write_and_read(found_tensors *found, eti_arena *arena) {
    static const char names[MOST_TENSORS + 1] =
        "0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmno";
    for (size_t i = 0; i < found->n; i++)
        found->tensors[i].name = (eti_text){names + i, 1};
    for (int form = 0; form < 2 && found->n > 0; form++) {
        eti_buffer bytes = {0};
        eti_output *output;
        eti_error err = ETI_ERROR_INIT;
        FUZZ_EXPECT(eti__output_open_function(&output, fuzz_keep, &bytes, NULL) == ETI_OK);
        eti_status status = form ? eti__npz_write(found->tensors, found->n, output, &err)
                                 : eti__safetensors_write(found->tensors, found->n, output, &err);
        FUZZ_EXPECT(eti__output_commit(output, NULL) == ETI_OK);
        if (status == ETI_OK)
            read_again(&bytes, arena, found);
        else
            FUZZ_EXPECT(status == ETI_ERROR_USAGE);
        eti__buffer_free(&bytes);
    }
}

/* ---- the input ------------------------------------------------------------------------------- */

static void pack_archive(record_builder *zip, eti_text pickle) {
    static const uint8_t storage_sizes[] = {24, 64, 8, 1, 0};
    static const char bytes[64] = "\1\2\3\4\5\6\7\10abcdefghijklmnopqrstuvwxyz";
    char name[] = "a/data/0";
    add_sized_member(zip, "a/data.pkl", pickle.data, pickle.size);
    for (size_t i = 0; i < sizeof storage_sizes; i++) {
        name[sizeof name - 2] = (char)('0' + i);
        add_sized_member(zip, name, bytes, storage_sizes[i]);
    }
}

static void pack_arrays(record_builder *zip, fuzz_input *input) {
    static const char *const names[] = {"0.npy", "1.npy", "2.npy", "3.npy", "4.npy"};
    for (size_t i = 0; input->size > 0 && i < sizeof names / sizeof *names; i++) {
        size_t size = (size_t)fuzz_take_number(input, 2);
        eti_text bytes = fuzz_take(input, size);
        add_sized_member(zip, names[i], bytes.data, bytes.size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    eti_text kind = fuzz_take(&input, 1), rest = {(const char *)input.data, input.size};
    record_builder zip = {0};
    found_tensors found = {.n = 0};
    eti_arena arena = {0};
    struct eti_file file;
    char what = kind.size > 0 ? kind.data[0] : 'f';
    if (what == 'p')
        pack_archive(&zip, rest.data ? rest : (eti_text){"", 0});
    if (what == 'n')
        pack_arrays(&zip, &input);
    if (what == 'p' || what == 'n') {
        finish_record(&zip);
        rest = (eti_text){(const char *)zip.file.data, zip.file.size};
    }
    eti_source source = fuzz_source("fuzz.tensors", rest);
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    if (what == 'a' || what == 'p')
        read_archive(&file, &arena, &found);
    else
        read_tensors(&file, &arena, &found);
    if (what == 'f')
        read_points(&file);
    write_and_read(&found, &arena);
    eti__file_release(&file);
    fuzz_source_free(source);
    free_record(&zip);
    eti__arena_free(&arena);
    return 0;
}
