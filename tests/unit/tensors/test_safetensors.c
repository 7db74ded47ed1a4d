/* Tests the requirements of the format, and damage. tests/parity/tensor_files.py compares with the safetensors package
 * itself. */
#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "tensors/safetensors.h"
#include "tensors/tensors.h"

#include "damage.h"

static char file_name[] = "in.safetensors";
static char short_name[] = "x";

static void add_file(eti_buffer *out, const char *header, size_t n_data) {
    uint64_t length = strlen(header);
    for (int i = 0; i < 8; i++)
        eti__buffer_add_char(out, (char)(length >> 8 * i));
    eti__buffer_add_string(out, header);
    for (size_t i = 0; i < n_data; i++)
        eti__buffer_add_char(out, (char)('a' + i));
}

static struct eti_file file_of(const eti_buffer *bytes) {
    return (struct eti_file){
        .name = file_name, .data = (const uint8_t *)bytes->data, .size = bytes->size};
}

#define WHOLE                                                                                      \
    "{\"__metadata__\":{\"format\":\"pt\"},"                                                       \
    "\"b\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data_offsets\":[4,12]},"                          \
    "\"none\":{\"dtype\":\"I64\",\"shape\":[3,0],\"data_offsets\":[4,4]},"                         \
    "\"a\":{\"data_offsets\":[0,4],\"dtype\":\"F32\",\"shape\":[]}}  "

static void tensors_come_in_the_order_of_their_data(void **state) {
    (void)state;
    eti_buffer bytes = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_safetensors found;
    add_file(&bytes, WHOLE, 12);
    struct eti_file file = file_of(&bytes);
    assert_true(eti__safetensors_is(file.data, file.size));
    assert_ok(eti__safetensors_read(&found, &arena, &file, &err));
    assert_int_equal(found.n_tensors, 3);
    assert_text(found.tensors[0].name, "a");
    assert_int_equal(found.tensors[0].scalar_type, 6);
    assert_int_equal(found.tensors[0].n_dims, 0);
    assert_memory_equal(found.tensors[0].data, "abcd", 4);
    assert_text(found.tensors[1].name, "none");
    assert_int_equal(found.tensors[1].n_elements, 0);
    assert_text(found.tensors[2].name, "b");
    assert_int_equal(found.tensors[2].scalar_type, 15);
    assert_int_equal(found.tensors[2].strides[0], 2);
    assert_memory_equal(found.tensors[2].data, "efghijkl", 8);
    eti__arena_free(&arena);
    eti__buffer_free(&bytes);
}

#define TENSOR(dtype, shape, offsets)                                                              \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static void forbidden_content_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t n_data;
        const char *part;
    } cases[] = {
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") "}", 5,
         "5 bytes of data follow the header, but the tensors take only 4"},
        {"{\"a\":" TENSOR("F32", "[1]", "[1,5]") "}", 5,
         "tensor a: its data begin at byte 1, but the data of the previous tensor end at 0"},
        {"{\"a\":" TENSOR("U8", "[3]", "[0,3]") ",\"b\":" TENSOR("U8", "[3]", "[2,5]") "}", 5,
         "tensor b: its data begin at byte 2"},
        {"{\"a\":" TENSOR("U8", "[1]", "[0,1]") ",\"b\":" TENSOR("U8", "[1]", "[2,3]") "}", 3,
         "no overlaps and no holes"},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4]") "}", 3, "lie outside the 3 bytes"},
        {"{\"a\":" TENSOR("F32", "[1]", "[4,0]") "}", 4, "lie outside"},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,18446744073709551615]") "}", 4, "lie outside"},
        {"{\"a\":" TENSOR("F32", "[2]", "[0,4]") "}", 4,
         "expected 8 bytes of data for its shape and dtype, found 4"},
        {"{\"a\":" TENSOR("U8", "[3]", "[0,3]") ",\"b\":" TENSOR("F32", "[2]", "[3,7]") "}", 7,
         "tensor b: expected 8 bytes of data for its shape and dtype, found 4"},
        {"{\"__metadata__\":{\"a\":NaN}}", 0, "byte "},
        {"{\"a\":" TENSOR("F32", "[4294967296,4294967296]", "[0,4]") "}", 4,
         "too large for any memory"},
        {"{\"a\":" TENSOR("F32", "[-1]", "[0,4]") "}", 4, "a size is negative"},
        {"{\"a\":" TENSOR("F32", "[1.5]", "[0,4]") "}", 4, "byte "},
        {"{\"a\":" TENSOR("F32", "1", "[0,4]") "}", 4, "byte "},
        {"{\"a\":" TENSOR("F32", "[1]", "[0,4,5]") "}", 4, "data_offsets is not a pair"},
        {"{\"a\":" TENSOR("F32", "[1]", "[0]") "}", 4, "data_offsets is not a pair"},
        {"{\"a\":" TENSOR("F4", "[1]", "[0,4]") "}", 4, "dtype F4 is not supported"},
        {"{\"a\":" TENSOR("F8_E8M0", "[1]", "[0,4]") "}", 4, "dtype F8_E8M0 is not supported"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "data_offsets is missing"},
        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
         "is given twice"},
        {"{\"a\":" TENSOR("U8", "[0]", "[0,0]") ",\"a\":" TENSOR("U8", "[0]", "[0,0]") "}", 0,
         "another tensor has the same name"},
        {"{\"a\":1}", 0, "byte "},
        {"{\"a\":" TENSOR("U8", "[0]", "[0,0]") "} x", 0, "byte "},
        {"[]", 0, "byte 0"},
        {"", 0, "byte 0"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer bytes = {0};
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        eti_safetensors found;
        add_file(&bytes, cases[i].header, cases[i].n_data);
        struct eti_file file = file_of(&bytes);
        assert_fails(eti__safetensors_read(&found, &arena, &file, &err), ETI_ERROR_MALFORMED,
                     cases[i].part);
        assert_int_equal(strncmp(err.message, "in.safetensors: ", 16), 0);
        eti__arena_free(&arena);
        eti__buffer_free(&bytes);
    }
}

static void lengths_are_checked(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_safetensors found;
    struct eti_file file = {
        .name = short_name, .data = (const uint8_t *)"\1\341\365\5\0\0\0\0{}", .size = 10};
    assert_false(eti__safetensors_is(file.data, file.size));
    assert_fails(eti__safetensors_read(&found, &arena, &file, &err), ETI_ERROR_LIMIT,
                 "at most 100000000");
    file.data = (const uint8_t *)"\0\341\365\5\0\0\0\0{}";
    assert_fails(eti__safetensors_read(&found, &arena, &file, &err), ETI_ERROR_MALFORMED,
                 "expected a header of 100000000 bytes, found 2");
    file.size = 7;
    assert_fails(eti__safetensors_read(&found, &arena, &file, &err), ETI_ERROR_MALFORMED,
                 "found 7 bytes");
    file = (struct eti_file){
        .name = file.name, .data = (const uint8_t *)"\2\0\0\0\0\0\0\0{}", .size = 10};
    assert_ok(eti__safetensors_read(&found, &arena, &file, &err));
    assert_int_equal(found.n_tensors, 0);
    eti__arena_free(&arena);
}

static void read_damaged(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_safetensors found;
    const struct eti_file file = {.name = short_name, .data = data, .size = size};
    eti_status status = eti__safetensors_read(&found, &arena, &file, &err);
    uint8_t bytes[64];
    for (size_t i = 0; status == ETI_OK && i < found.n_tensors; i++)
        eti__tensor_values_copy(&found.tensors[i], 0, found.tensors[i].n_elements, bytes);
    counts->tried++;
    counts->refused[status]++;
    assert_true(status == ETI_OK || (err.status == status && err.message[0] != '\0'));
    eti__arena_free(&arena);
}

static void damage_is_refused(void **state) {
    (void)state;
    eti_buffer bytes = {0};
    damage_counts cut = {0}, flipped = {0};
    prepare_for_many_readings();
    add_file(&bytes, WHOLE, 12);
    cut_everywhere((const uint8_t *)bytes.data, bytes.size, read_damaged, &cut);
    assert_int_equal(cut.refused[ETI_OK], 0);
    flip_everywhere((const uint8_t *)bytes.data, bytes.size, read_damaged, &flipped);
    assert_true(flipped.refused[ETI_ERROR_MALFORMED] > flipped.tried / 2);
    eti__buffer_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_come_in_the_order_of_their_data),
        cmocka_unit_test(forbidden_content_is_refused),
        cmocka_unit_test(lengths_are_checked),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
