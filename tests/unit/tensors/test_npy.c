/* Tests .npy files of all versions, orders and types, .npz files, and damage. tests/parity/tensor_files.py compares with
 * numpy itself. */
#include "tensors/npy.h"
#include "tensors/tensors.h"

#include "damage.h"
#include "record_builder.h"

static char npy_name[] = "dir/in.npy";
static char short_name[] = "x";

/* Makes a .npy file with this header, without padding. */
static void add_npy(eti_buffer *out, int version, const char *header, const void *data,
                    size_t size) {
    eti__buffer_add(out, "\x93NUMPY", 6);
    eti__buffer_add_char(out, (char)version);
    eti__buffer_add_char(out, '\0');
    add_le(out, (uint32_t)strlen(header), version == 1 ? 2 : 4);
    eti__buffer_add_string(out, header);
    eti__buffer_add(out, data, size);
}

static struct eti_file file_of(const eti_buffer *bytes) {
    return (struct eti_file){.name = npy_name,
                             .data =
                                 bytes->data ? (const uint8_t *)bytes->data : (const uint8_t *)"",
                             .size = bytes->size};
}

static void all_versions_are_read(void **state) {
    (void)state;
    static const char *const headers[] = {
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }     \n",
        "{\"shape\":(2,3),\"descr\":\"=i2\",\"fortran_order\":False}",
        " { 'fortran_order' : False , 'shape' : ( 2L , 3L ) , 'descr' : '|i2' } ",
    };
    for (int version = 1; version <= 3; version++) {
        eti_buffer bytes = {0};
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        eti_tensor_file tensors;
        add_npy(&bytes, version, headers[version - 1], "\1\0\2\0\3\0\4\0\5\0\6\0", 12);
        struct eti_file file = file_of(&bytes);
        assert_ok(eti__tensor_file_open(&tensors, &arena, &file, &err));
        assert_int_equal(tensors.n_tensors, 1);
        assert_text(tensors.tensors[0].name, "in");
        assert_int_equal(tensors.tensors[0].scalar_type, 2);
        assert_int_equal(tensors.tensors[0].n_dims, 2);
        assert_int_equal(tensors.tensors[0].strides[0], 3);
        assert_memory_equal(tensors.tensors[0].data, "\1\0\2\0\3\0\4\0\5\0\6\0", 12);
        eti__tensor_file_close(&tensors);
        eti__arena_free(&arena);
        eti__buffer_free(&bytes);
    }
}

static void big_endian_and_fortran_order(void **state) {
    (void)state;
    eti_buffer bytes = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values values;
    uint8_t rows[12];
    add_npy(&bytes, 1, "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }",
            "\0\1\0\4\0\2\0\5\0\3\0\6", 12);
    struct eti_file file = file_of(&bytes);
    assert_ok(eti__npy_read(&values, &arena, &file, &err));
    eti__tensor_values_copy(&values, 0, 6, rows);
    assert_memory_equal(rows, "\1\0\2\0\3\0\4\0\5\0\6\0", 12);
    eti__arena_free(&arena);
    eti__buffer_free(&bytes);
}

static void types_have_their_numbers(void **state) {
    (void)state;
    static const struct {
        const char *descr;
        int8_t type;
    } cases[] = {{"|b1", 11}, {"|i1", 1},  {"<i2", 2},  {"<i4", 3}, {"<i8", 4}, {"|u1", 0},
                 {"<u2", 27}, {">u4", 28}, {"<u8", 29}, {"<f2", 5}, {"<f4", 6}, {">f8", 7}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer bytes = {0};
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        eti_tensor_values values;
        char header[100];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': ()}",
                 cases[i].descr);
        add_npy(&bytes, 1, header, "12345678", eti__element_type(cases[i].type)->width);
        struct eti_file file = file_of(&bytes);
        assert_ok(eti__npy_read(&values, &arena, &file, &err));
        assert_int_equal(values.scalar_type, cases[i].type);
        assert_int_equal(values.n_elements, 1);
        eti__arena_free(&arena);
        eti__buffer_free(&bytes);
    }
}

#define DESCR(descr) "{'descr': " descr ", 'fortran_order': False, 'shape': (1,), }"
#define SHAPE(shape) "{'descr': '|u1', 'fortran_order': False, 'shape': " shape ", }"

static void other_headers_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *header, *part;
    } cases[] = {
        {DESCR("'|O'"), "dtype |O is not supported: expected bool, integers or floats of 16, 32 or "
                        "64 bits, found Python objects"},
        {DESCR("'<U5'"), "found texts"},
        {DESCR("'|S3'"), "found byte strings"},
        {DESCR("'|V2'"), "bfloat16 is also"},
        {DESCR("'<c8'"), "found complex numbers"},
        {DESCR("'<M8[ns]'"), "found dates"},
        {DESCR("'<f16'"), "floats of this width"},
        {DESCR("'?'"), "that numpy does not have"},
        {DESCR("''"), "that numpy does not have"},
        {DESCR("[('a', '<f4')]"), "an array of structures"},
        {DESCR("1"), "descr is not a string"},
        {DESCR("'\\x3cf4'"), "descr is not a string"},
        {SHAPE("(1"), "not a tuple"},
        {SHAPE("[1]"), "not a tuple"},
        {SHAPE("(-1,)"), "not a tuple"},
        {SHAPE("(1.5,)"), "not a tuple"},
        {SHAPE("(1 1)"), "not a tuple"},
        {SHAPE("(9223372036854775808,)"), "more than 64 bits"},
        {SHAPE("(9223372036854775807, 2)"), "too large for any memory"},
        {SHAPE("(2,)"), "has 2 bytes, but 1 follow its header"},
        {SHAPE("(0,)"), "has 0 bytes, but 1 follow its header"},
        {SHAPE("(__import__('os').system('true'),)"), "not a tuple"},
        {"{'descr': '|u1', 'shape': (1,)}", "lacks descr, fortran_order or shape"},
        {"{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}", "neither True nor False"},
        {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", "a key twice"},
        {"{'x': 1, 'descr': '|u1', 'fortran_order': False, 'shape': (1,)}",
         "a key twice, or a key"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x", "has text after the dict"},
        {"{'descr': '|u1' 'fortran_order': False, 'shape': (1,)}", "not a dict of three keys"},
        {"{'descr", "not a dict of three keys"},
        {"  ", "not a dict of three keys"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer bytes = {0};
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        eti_tensor_values values;
        add_npy(&bytes, 1, cases[i].header, "1", 1);
        struct eti_file file = file_of(&bytes);
        assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED,
                     cases[i].part);
        assert_non_null(strstr(err.message, "dir/in.npy: "));
        eti__arena_free(&arena);
        eti__buffer_free(&bytes);
    }
}

/* For strchr() a NUL is in every list of characters. */
static void a_byte_order_is_a_character(void **state) {
    (void)state;
    eti_buffer bytes = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values values;
    add_npy(&bytes, 1, DESCR("'*u1'"), "1", 1);
    struct eti_file file = file_of(&bytes);
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED, "dtype *u1");
    *(char *)memchr(bytes.data, '*', bytes.size) = '\0';
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED,
                 "that numpy does not have");
    eti__arena_free(&arena);
    eti__buffer_free(&bytes);
}

static void versions_and_lengths_are_checked(void **state) {
    (void)state;
    eti_buffer bytes = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values values;
    add_npy(&bytes, 4, SHAPE("()"), "1", 1);
    struct eti_file file = file_of(&bytes);
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED, "found 4.0");
    bytes.data[6] = 2;
    bytes.data[11] = 1;
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_LIMIT, "at most 10000");
    bytes.data[11] = 0;
    bytes.data[9] = 1;
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED, "cut short");
    file.size = 8;
    assert_fails(eti__npy_read(&values, &arena, &file, &err), ETI_ERROR_MALFORMED, "cut short");
    eti_tensor_file tensors;
    bytes.data[0] = 'x';
    assert_fails(
        eti__tensor_file_open(&tensors, &arena, &file, &err), ETI_ERROR_MALFORMED,
        "dir/in.npy: expected tensors (.npz, .npy, .safetensors or .pt), found a file that "
        "begins with 78 4e 55 4d 50 59 02 00");
    eti__arena_free(&arena);
    eti__buffer_free(&bytes);
}

/* ---- .npz ------------------------------------------------------------------------------------ */

static void add_array(record_builder *zip, const char *name, const char *header, const char *data,
                      size_t size) {
    eti_buffer bytes = {0};
    add_npy(&bytes, 1, header, data, size);
    add_sized_member(zip, name, bytes.data, bytes.size);
    eti__buffer_free(&bytes);
}

static void pack(record_builder *zip) {
    char padded[400];
    snprintf(padded, sizeof padded, "%-300s\n", SHAPE("(2,)"));
    add_array(zip, "a/b.npy", SHAPE("(1,)"), "x", 1);
    add_member(zip, "README", "not an array");
    add_array(zip, "twice.npy", SHAPE("(1,)"), "1", 1);
    add_array(zip, "long.npy", padded, "yz", 2);
    add_array(zip, "twice.npy", SHAPE("(1,)"), "2", 1);
    finish_record(zip);
}

static void arrays_are_found_by_name(void **state) {
    (void)state;
    record_builder zip = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_file tensors;
    eti_tensor_values values;
    pack(&zip);
    assert_ok(eti__tensor_file_open(&tensors, &arena, &zip.file, &err));
    assert_int_equal(tensors.n_tensors, 3);
    static const char *const names[] = {"a/b", "twice", "long"}, *const data[] = {"x", "2", "yz"};
    for (size_t i = 0; i < 3; i++) {
        assert_text(tensors.tensors[i].name, names[i]);
        assert_null(tensors.tensors[i].data);
        assert_ok(eti__tensor_file_load(&values, &tensors, i, &arena, &err));
        assert_memory_equal(values.data, data[i], strlen(data[i]));
    }
    eti__tensor_file_close(&tensors);
    eti__arena_free(&arena);
    free_record(&zip);
}

static void a_zip_without_arrays_is_refused(void **state) {
    (void)state;
    record_builder zip = {0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_file tensors;
    add_member(&zip, "ETRECORD_V0", "");
    finish_record(&zip);
    assert_fails(eti__tensor_file_open(&tensors, &arena, &zip.file, &err), ETI_ERROR_MALFORMED,
                 "found a ZIP without any");
    free_record(&zip);
    add_member(&zip, "a.npy", "x");
    finish_record(&zip);
    assert_fails(eti__tensor_file_open(&tensors, &arena, &zip.file, &err), ETI_ERROR_MALFORMED,
                 "member a.npy: expected a .npy file");
    free_record(&zip);
    finish_record(&zip);
    assert_ok(eti__tensor_file_open(&tensors, &arena, &zip.file, &err));
    assert_int_equal(tensors.n_tensors, 0);
    free_record(&zip);
    eti__arena_free(&arena);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void read_damaged(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_file tensors;
    const struct eti_file file = {.name = short_name, .data = data, .size = size};
    eti_status status = eti__tensor_file_open(&tensors, &arena, &file, &err);
    for (size_t i = 0; status == ETI_OK && i < tensors.n_tensors; i++) {
        eti_tensor_values values;
        uint8_t bytes[64];
        status = eti__tensor_file_load(&values, &tensors, i, &arena, &err);
        if (status == ETI_OK && eti__tensor_values_size(&values) <= sizeof bytes)
            eti__tensor_values_copy(&values, 0, values.n_elements, bytes);
    }
    counts->tried++;
    counts->refused[status]++;
    assert_true(status == ETI_OK || (err.status == status && err.message[0] != '\0'));
    eti__arena_free(&arena);
}

static void damage_is_refused(void **state) {
    (void)state;
    record_builder zip = {0};
    eti_buffer npy = {0};
    damage_counts cut = {0}, flipped = {0};
    prepare_for_many_readings();
    pack(&zip);
    cut_everywhere(zip.file.data, zip.file.size, read_damaged, &cut);
    flip_everywhere(zip.file.data, zip.file.size, read_damaged, &flipped);
    assert_true(flipped.refused[ETI_ERROR_MALFORMED] > flipped.tried / 2);
    add_npy(&npy, 2, "{'descr': '>f4', 'fortran_order': True, 'shape': (1, 2), }", "12345678", 8);
    cut_everywhere((const uint8_t *)npy.data, npy.size, read_damaged, &cut);
    flip_everywhere((const uint8_t *)npy.data, npy.size, read_damaged, &flipped);
    assert_int_equal(cut.refused[ETI_OK], 0);
    eti__buffer_free(&npy);
    free_record(&zip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_versions_are_read),
        cmocka_unit_test(big_endian_and_fortran_order),
        cmocka_unit_test(types_have_their_numbers),
        cmocka_unit_test(other_headers_are_refused),
        cmocka_unit_test(a_byte_order_is_a_character),
        cmocka_unit_test(versions_and_lengths_are_checked),
        cmocka_unit_test(arrays_are_found_by_name),
        cmocka_unit_test(a_zip_without_arrays_is_refused),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
