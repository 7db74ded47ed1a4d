#include "file_order.h"
#include "model_fixture.h"

#include "model/tensor.h"

/* 64 bytes: 0, 1, 2, … */
static struct eti_file numbered_buffer(void) {
    static uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    return (struct eti_file){.name = (char *)(uintptr_t) "buffer.bin", .data = bytes, .size = 64};
}

/* Reads `tensor` from a dump that contains it. */
static eti_status read_tensor(model *m, place tensor, const struct eti_file *buffer,
                              eti_tensor_view *out) {
    builder *b = &m->b;
    build_model(m, DUMP(b, RUN(b, "r", LOGGED(b, .value = TENSOR_VALUE(b, tensor)))));
    const eti_block_run *run = &m->blocks.blocks[0].runs[0];
    eti_position event = eti__block_run_position(run, run->layout->debug_events[0].events[0]);
    eti_etdump_value value =
        eti__etdump_read_value(&m->dump, eti__etdump_debug_value(&m->dump, event));
    return eti__tensor_read(out, &m->dump, value.tensor, buffer, &m->err);
}

static void every_scalar_type_has_torchs_name(void **state) {
    (void)state;
    static const char *const names[] = {"uint8",           "int8",
                                        "int16",           "int32",
                                        "int64",           "float16",
                                        "float32",         "float64",
                                        "unknown",         "unknown",
                                        "unknown",         "bool",
                                        "qint8",           "quint8",
                                        "qint32",          "bfloat16",
                                        "quint4x2",        "quint2x4",
                                        "unknown",         "unknown",
                                        "unknown",         "unknown",
                                        "uint16",          "float8_e5m2",
                                        "float8_e4m3fn",   "float8_e5m2fnuz",
                                        "float8_e4m3fnuz", "uint16",
                                        "uint32",          "uint64"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(eti__scalar_type((int8_t)i)->name, names[i]);
    assert_string_equal(eti__scalar_type(30)->name, "unknown");
    assert_string_equal(eti__scalar_type(-1)->name, "unknown");
    assert_string_equal(eti__scalar_type(INT8_MIN)->name, "unknown");
    assert_string_equal(eti__scalar_type(INT8_MAX)->name, "unknown");
}

static void types_have_the_widths_of_the_format(void **state) {
    (void)state;
    static const uint8_t widths[30] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 1, 1, 4,
                                       2, 0, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 2, 4, 8};
    struct eti_file buffer = numbered_buffer();
    for (size_t type = 0; type < 30; type++) {
        model m = {0};
        eti_tensor_view view;
        assert_int_equal(read_tensor(&m, TENSOR(&m.b, type, 8, 2, 3), &buffer, &view), ETI_OK);
        assert_int_equal(view.n_elements, 6);
        assert_int_equal(view.n_bytes, 6 * widths[type]);
        assert_ptr_equal(view.data, widths[type] ? buffer.data + 8 : NULL);
        free_model(&m);
    }
}

static void a_tensor_without_sizes_is_one_element(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    place tensor = put_tensor(
        &m.b, &(tensor_spec){.scalar_type = SOME(TYPE_FLOAT), .sizes = put_i64s(&m.b, NULL, 0)});
    assert_int_equal(read_tensor(&m, tensor, &buffer, &view), ETI_OK);
    assert_int_equal(view.n_elements, 1);
    assert_int_equal(view.n_bytes, 4);
    assert_ptr_equal(view.data, buffer.data);
    free_model(&m);
}

static void an_empty_tensor_ignores_its_offset(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    place tensor = TENSOR(&m.b, TYPE_FLOAT, 1000000, 3, 0, 5);
    assert_int_equal(read_tensor(&m, tensor, &buffer, &view), ETI_OK);
    assert_int_equal(view.n_elements, 0);
    assert_null(view.data);
    free_model(&m);
}

static void without_a_debug_buffer_there_is_a_shape_but_no_data(void **state) {
    (void)state;
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, TENSOR(&m.b, TYPE_FLOAT, 1000000, 2, 2), NULL, &view), ETI_OK);
    assert_int_equal(view.n_elements, 4);
    assert_null(view.data);
    assert_int_equal(view.n_bytes, 0);
    free_model(&m);
}

static void a_negative_offset_counts_from_the_end(void **state) {
    (void)state;
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, TENSOR(&m.b, TYPE_BYTE, -10, 4), &buffer, &view), ETI_OK);
    assert_int_equal(view.data[0], 54);
    free_model(&m);
}

static void assert_refused(place (*put_odd)(builder *b), const char *what) {
    struct eti_file buffer = numbered_buffer();
    model m = {0};
    eti_tensor_view view;
    assert_int_equal(read_tensor(&m, put_odd(&m.b), &buffer, &view), ETI_ERROR_MALFORMED);
    if (!strstr(m.err.message, what))
        fail_msg("expected \"%s\" in: %s", what, m.err.message);
    free_model(&m);
}

static place put_far(builder *b) {
    return TENSOR(b, TYPE_LONG, 57, 1);
}
static place put_at_end(builder *b) {
    return TENSOR(b, TYPE_BYTE, 64, 1);
}
static place put_beyond(builder *b) {
    return TENSOR(b, TYPE_BYTE, INT64_MAX, 1);
}
static place put_before(builder *b) {
    return TENSOR(b, TYPE_BYTE, -65, 1);
}
static place put_far_before(builder *b) {
    return TENSOR(b, TYPE_BYTE, INT64_MIN, 1);
}
static place put_large(builder *b) {
    return TENSOR(b, TYPE_DOUBLE, 0, 1 << 30, 1 << 20);
}
static place put_overflowing(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, INT64_MAX, 2);
}
static place put_overflowing_to_zero(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, 1LL << 32, 1LL << 32);
}
static place put_negative(builder *b) {
    return TENSOR(b, TYPE_BYTE, 0, 2, -3);
}
static place put_sizeless(builder *b) {
    return put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_BYTE)});
}

static place put_without_contents(builder *b) {
    return TENSOR(b, TYPE_BYTE, -1, 1);
}
static place put_more_without_contents(builder *b) {
    return TENSOR(b, TYPE_LONG, -1, 2);
}

/* The offset -1 does not stand for the last byte of the buffer. */
static void contents_that_were_not_recorded_are_refused(void **state) {
    (void)state;
    assert_refused(put_without_contents, "tensor were not recorded (its offset is -1)");
    assert_refused(put_more_without_contents, "the 16 bytes of a tensor were not recorded");
}

static void bytes_outside_the_buffer_are_refused(void **state) {
    (void)state;
    assert_refused(put_far, "a tensor's 8 bytes at offset 57 lie outside the debug buffer "
                            "buffer.bin of 64 bytes");
    assert_refused(put_at_end, "lie outside");
    assert_refused(put_beyond, "lie outside");
    assert_refused(put_before, "lie outside");
    assert_refused(put_far_before, "lie outside");
    assert_refused(put_large, "lie outside");
}

static void impossible_sizes_are_refused(void **state) {
    (void)state;
    assert_refused(put_overflowing, "exceeds 64 bits");
    assert_refused(put_overflowing_to_zero, "exceeds 64 bits");
    assert_refused(put_negative, "a tensor has size -3");
    assert_refused(put_sizeless, "Tensor.sizes is missing");
}

/* ---- equality -------------------------------------------------------------------------------- */

/* Returns whether two vectors of this type with these bytes are equal. */
static bool equal(int8_t type, const void *a, const void *b, size_t size, size_t width) {
    uint8_t bytes[64];
    memcpy(bytes, a, size);
    memcpy(bytes + 32, b, size);
    struct eti_file buffer = {.name = (char *)(uintptr_t) "b", .data = bytes, .size = sizeof bytes};
    model m = {0}, n = {0};
    eti_tensor_view x, y;
    place first = TENSOR(&m.b, type, 0, (int64_t)(size / width));
    place second = TENSOR(&n.b, type, 32, (int64_t)(size / width));
    assert_int_equal(read_tensor(&m, first, &buffer, &x), ETI_OK);
    assert_int_equal(read_tensor(&n, second, &buffer, &y), ETI_OK);
    bool result = eti__tensors_equal(&x, &y);
    free_model(&m);
    free_model(&n);
    return result;
}

static void tensors_are_equal_by_value(void **state) {
    (void)state;
    float plus[] = {0.0f, 1.0f}, minus[] = {-0.0f, 1.0f}, other[] = {0.0f, 1.5f};
    to_file_order(plus, 2, 4);
    to_file_order(minus, 2, 4);
    to_file_order(other, 2, 4);
    assert_true(equal(TYPE_FLOAT, plus, plus, 8, 4));
    assert_true(equal(TYPE_FLOAT, plus, minus, 8, 4));
    assert_false(equal(TYPE_FLOAT, plus, other, 8, 4));
    double plus8[] = {0.0, -0.0}, minus8[] = {-0.0, 0.0};
    to_file_order(plus8, 2, 8);
    to_file_order(minus8, 2, 8);
    assert_true(equal(TYPE_DOUBLE, plus8, minus8, 16, 8));
    assert_true(equal(TYPE_HALF, "\0\0", "\0\x80", 2, 2));
    assert_false(equal(TYPE_HALF, "\0\0", "\1\x80", 2, 2));
    assert_true(equal(15, "\0\0", "\0\x80", 2, 2)); /* bfloat16 */
}

static void integers_have_one_zero(void **state) {
    (void)state;
    assert_false(equal(TYPE_BYTE, "\0", "\x80", 1, 1));
    assert_false(equal(TYPE_LONG, "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\x80", 8, 8));
    assert_false(equal(25, "\0", "\x80", 1, 1)); /* float8_e5m2fnuz: 0x80 is NaN */
}

/* Tests slowly, element by element. */
static bool is_zero(const uint8_t *element, size_t width) {
    for (size_t i = 0; i < width; i++) {
        if ((element[i] & (i + 1 == width ? 0x7f : 0xff)) != 0)
            return false;
    }
    return true;
}

static bool floats_are_equal(const uint8_t *a, const uint8_t *b, size_t size, size_t width) {
    for (size_t i = 0; i < size; i += width) {
        if (memcmp(a + i, b + i, width) != 0 && !(is_zero(a + i, width) && is_zero(b + i, width)))
            return false;
    }
    return true;
}

/* Tests all relevant pairs of bytes, at every place of a word and after one. */
static void zeros_are_equal_wherever_they_stand(void **state) {
    (void)state;
    static const struct {
        int8_t type;
        size_t width;
    } types[] = {{23, 1}, {TYPE_HALF, 2}, {TYPE_FLOAT, 4}, {TYPE_DOUBLE, 8}};
    static const uint8_t bytes[] = {0, 1, 0x40, 0x7f, 0x80, 0x81, 0xff};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        for (size_t n = 0; n < COUNT_OF(bytes) * COUNT_OF(bytes) * 16; n++) {
            uint8_t a[16] = {0}, b[16] = {0};
            a[(n + 5) % 16] = b[(n + 5) % 16] = 0x80;
            a[n % 16] = bytes[n / 16 % COUNT_OF(bytes)];
            b[n % 16] = bytes[n / 16 / COUNT_OF(bytes)];
            size_t size = types[t].width == 8 ? 16 : 12;
            assert_int_equal(equal(types[t].type, a, b, size, types[t].width),
                             floats_are_equal(a, b, size, types[t].width));
        }
    }
}

static void any_nonzero_byte_is_true(void **state) {
    (void)state;
    assert_true(equal(TYPE_BOOL, "\0\1\2", "\0\xff\1", 3, 1));
    assert_false(equal(TYPE_BOOL, "\0\1", "\1\1", 2, 1));
    assert_true(equal(TYPE_BOOL, "\0\1\2\x7f\x80\xff\0\0\3", "\0\2\1\1\1\1\0\0\x80", 9, 1));
    for (size_t i = 0; i < 9; i++) {
        char bytes[] = "\0\2\1\1\1\1\0\0\x80";
        bytes[i] = !bytes[i];
        assert_false(equal(TYPE_BOOL, "\0\1\2\x7f\x80\xff\0\0\3", bytes, 9, 1));
    }
}

static void the_same_nan_is_equal(void **state) {
    (void)state;
    assert_true(equal(TYPE_FLOAT, "\0\0\xc0\x7f", "\0\0\xc0\x7f", 4, 4));
    assert_false(equal(TYPE_FLOAT, "\0\0\xc0\x7f", "\1\0\xc0\x7f", 4, 4));
}

static void type_and_shape_count(void **state) {
    (void)state;
    place (*const puts[])(builder * b) = {put_far, put_at_end, put_large};
    eti_tensor_view views[3];
    static model models[3];
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(read_tensor(&models[i], puts[i](&models[i].b), NULL, &views[i]), ETI_OK);
    assert_true(eti__tensors_equal(&views[0], &views[0]));
    assert_false(eti__tensors_equal(&views[0], &views[1]));
    assert_false(eti__tensors_equal(&views[0], &views[2]));
    model long_2 = {0};
    eti_tensor_view view;
    place tensor = TENSOR(&long_2.b, TYPE_LONG, 0, 2);
    assert_int_equal(read_tensor(&long_2, tensor, NULL, &view), ETI_OK);
    assert_false(eti__tensors_equal(&views[0], &view));
    free_model(&long_2);
    for (size_t i = 0; i < 3; i++)
        free_model(&models[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_type_has_torchs_name),
        cmocka_unit_test(types_have_the_widths_of_the_format),
        cmocka_unit_test(a_tensor_without_sizes_is_one_element),
        cmocka_unit_test(an_empty_tensor_ignores_its_offset),
        cmocka_unit_test(without_a_debug_buffer_there_is_a_shape_but_no_data),
        cmocka_unit_test(a_negative_offset_counts_from_the_end),
        cmocka_unit_test(bytes_outside_the_buffer_are_refused),
        cmocka_unit_test(contents_that_were_not_recorded_are_refused),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(tensors_are_equal_by_value),
        cmocka_unit_test(integers_have_one_zero),
        cmocka_unit_test(zeros_are_equal_wherever_they_stand),
        cmocka_unit_test(any_nonzero_byte_is_true),
        cmocka_unit_test(the_same_nan_is_equal),
        cmocka_unit_test(type_and_shape_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
