#include "base/arena.h"
#include "base/text.h"
#include "numerics/numerics.h"

#include "support.h"

#include <string.h>

/* Makes a safetensors file of scalars with these names. */
typedef struct scalars {
    uint8_t bytes[4096];
    eti_source source;
} scalars;

static void make_scalars(scalars *out, const char *const *names, size_t n) {
    char header[2048] = "{";
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(header);
        snprintf(header + used, sizeof header - used,
                 "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[%zu,%zu]}",
                 i ? "," : "", names[i], 4 * i, 4 * i + 4);
    }
    size_t size = strlen(header);
    header[size++] = '}';
    for (size_t i = 0; i < 8; i++)
        out->bytes[i] = (uint8_t)(size >> 8 * i);
    memcpy(out->bytes + 8, header, size);
    for (size_t i = 0; i < n; i++) {
        const float value = (float)i;
        memcpy(out->bytes + 8 + size + 4 * i, &value, sizeof value);
    }
    out->source = (eti_source){"x.safetensors", out->bytes, 8 + size + 4 * n};
}

static eti_reference_points read_points(const scalars *file) {
    eti_reference_points reference;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__reference_points_read(&reference, &file->source, &err);
    if (status != ETI_OK)
        fail_msg("%s", err.message);
    return reference;
}

static float value_of(const eti_recorded_tensor *tensor) {
    float value;
    memcpy(&value, tensor->values.data, sizeof value);
    return value;
}

static void names_say_what_tensors_are_of(void **state) {
    (void)state;
    static const char *const names[] = {
        "7:conv2d,relu", "Execute.0/3:add.out#0",     "Execute.0/output#0", "plain",
        "x:y",           "Execute.1/handle:9:relu#1", "Execute.1/handle:9"};
    scalars file;
    make_scalars(&file, names, 7);
    eti_reference_points reference = read_points(&file);
    const eti_point *points = reference.points.points;
    assert_int_equal(reference.points.n, 7);
    assert_true(reference.has_handles && reference.has_instructions);
    assert_true(points[0].has_handle);
    assert_int_equal(points[0].handle, 7);
    assert_int_equal(points[0].n_handles, 1);
    assert_int_equal(points[0].handles[0], 7);
    assert_true(eti__text_is(points[0].name, "conv2d,relu"));
    assert_true(eti__text_is(points[0].source_node, "conv2d,relu"));
    assert_int_equal(points[0].instruction, -1);
    assert_int_equal(points[1].instruction, 3);
    assert_false(points[1].has_handle);
    assert_true(eti__text_is(points[1].name, "add.out"));
    assert_true(eti__point_is_run_outputs(&points[2]));
    for (size_t i = 3; i < 5; i++) {
        assert_true(eti__text_is(points[i].name, names[i]));
        assert_false(points[i].has_handle);
        assert_int_equal(points[i].instruction, -1);
        assert_null(points[i].ports);
    }
    assert_true(points[5].has_handle);
    assert_int_equal(points[5].handle, 9);
    assert_true(eti__text_is(points[5].source_node, "relu"));
    assert_int_equal(points[5].ports[0], 1);
    assert_ptr_equal(points[5].handles, &points[5].handle);
    assert_int_equal(points[5].n_handles, 1);
    assert_false(points[6].has_handle);
    static const uint32_t runs[] = {0, 1, 1, 0, 0, 2, 0};
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        assert_int_equal(reference.run_of[i], runs[i]);
    eti__reference_points_free(&reference);
}

/* Files are in the order of their names, as in a folder. */
static void outputs_are_in_the_order_of_their_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"2:split#10", "1:a", "2:split#0", "2:split#2", "3:b"};
    static const float expected[] = {2, 3, 0};
    scalars file;
    make_scalars(&file, names, 5);
    eti_reference_points reference = read_points(&file);
    assert_int_equal(reference.points.n, 3);
    const eti_point *split = &reference.points.points[0];
    assert_int_equal(split->handle, 2);
    assert_int_equal(split->n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(value_of(&split->tensors[i]) == expected[i]);
    assert_int_equal(split->ports[1], 2);
    assert_int_equal(split->ports[2], 10);
    assert_int_equal(reference.points.points[1].handle, 1);
    assert_int_equal(reference.points.points[2].handle, 3);
    eti__reference_points_free(&reference);
}

/* A loop runs an instruction repeatedly. */
static void repetitions_are_points_of_their_own(void **state) {
    (void)state;
    static const char *const names[] = {"Execute.0/3:topk#0",    "Execute.0/3:topk#1",
                                        "Execute.0/3:topk#0~10", "Execute.0/3:topk#1~10",
                                        "Execute.0/3:topk#0~2",  "Execute.0/3:topk#1~2",
                                        "Execute.0/4:x#0~y",     "2:a~2"};
    static const size_t sizes[] = {2, 2, 2, 1, 1};
    static const float values[] = {0, 4, 2};
    scalars file;
    make_scalars(&file, names, 8);
    eti_reference_points reference = read_points(&file);
    assert_int_equal(reference.points.n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(reference.points.points[i].n, sizes[i]);
    for (size_t i = 0; i < 3; i++) {
        const eti_point *point = &reference.points.points[i];
        assert_int_equal(point->instruction, 3);
        assert_true(eti__text_is(point->name, "topk"));
        assert_true(value_of(&point->tensors[0]) == values[i]);
        assert_null(point->ports);
    }
    assert_true(eti__text_is(reference.points.points[3].name, "x#0~y"));
    assert_true(eti__text_is(reference.points.points[4].source_node, "a~2"));
    eti__reference_points_free(&reference);
}

static void odd_names_are_names(void **state) {
    (void)state;
    static const char *const names[] = {"99999999999999999999:x",
                                        "-1:x",
                                        "a/99999999999:x",
                                        "1:x#y",
                                        "/output",
                                        "#3",
                                        ":",
                                        "a/b",
                                        "output",
                                        "2:y#4294967296"};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    assert_int_equal(reference.points.n, COUNT_OF(names));
    for (size_t i = 0; i < 3; i++) {
        assert_false(reference.points.points[i].has_handle);
        assert_int_equal(reference.points.points[i].instruction, -1);
        assert_true(eti__text_is(reference.points.points[i].name, names[i]));
    }
    assert_true(eti__text_is(reference.points.points[3].name, "x#y"));
    assert_true(eti__point_is_run_outputs(&reference.points.points[4]));
    assert_text(reference.points.points[5].name, "");
    assert_int_equal(reference.points.points[5].ports[0], 3);
    for (size_t i = 6; i < 9; i++) {
        assert_false(reference.points.points[i].has_handle);
        assert_text(reference.points.points[i].name, names[i]);
        assert_null(reference.points.points[i].ports);
    }
    assert_text(reference.points.points[9].name, "y#4294967296");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(reference.run_of[i], 0);
    eti__reference_points_free(&reference);
}

/* The largest numbers that names may have. */
static void numbers_have_limits(void **state) {
    (void)state;
    static const char *const names[] = {"9223372036854775807:a", "9223372036854775808:b",
                                        "E/2147483647:c", "E/2147483648:d", "1:e#4294967295"};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    const eti_point *points = reference.points.points;
    assert_int_equal(reference.points.n, COUNT_OF(names));
    assert_true(points[0].has_handle && points[0].handle == INT64_MAX);
    assert_false(points[1].has_handle);
    assert_text(points[1].name, names[1]);
    assert_int_equal(points[2].instruction, INT32_MAX);
    assert_text(points[2].name, "c");
    assert_int_equal(points[3].instruction, -1);
    assert_text(points[3].name, names[3]);
    assert_int_equal(points[4].ports[0], UINT32_MAX);
    eti__reference_points_free(&reference);
}

/* A name without a number is output 0. Two outputs with the same number stay in the order of the file, and have no ports. */
static void an_output_may_be_named_twice(void **state) {
    (void)state;
    static const char *const names[] = {"1:a#0",  "1:a",  "2:a#5", "2:a", "2:a#0",
                                        "1:ab#1", "1:ab", "2:",    "2:#2"};
    static const float values[] = {0, 1, 3, 4, 2, 6, 5, 7, 8};
    static const struct {
        size_t n;
        bool has_ports;
    } expected[] = {{2, false}, {3, false}, {2, false}, {2, true}};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    assert_int_equal(reference.points.n, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(values); i++)
        assert_true(value_of(&reference.recorded[i]) == values[i]);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(reference.points.points[i].n, expected[i].n);
        assert_int_equal(reference.points.points[i].n_outputs, expected[i].n);
        assert_int_equal(reference.points.points[i].ports != NULL, expected[i].has_ports);
    }
    assert_text(reference.points.points[3].name, "");
    eti__reference_points_free(&reference);
}

/* Repetitions that precede the first in the file are moved behind it. */
static void repetitions_follow_the_first(void **state) {
    (void)state;
    static const char *const names[] = {"E/3:a#0~10", "E/3:a#0~2", "E/3:a#0", "E/4:b#0"};
    static const float values[] = {2, 1, 0, 3};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    assert_int_equal(reference.points.n, COUNT_OF(names));
    assert_true(reference.has_instructions && !reference.has_handles);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_true(value_of(reference.points.points[i].tensors) == values[i]);
        assert_int_equal(reference.run_of[i], 1);
    }
    eti__reference_points_free(&reference);
}

/* The numbers of runs are in the order of the file; a point without a run is always chosen. */
static void points_of_runs_are_chosen(void **state) {
    (void)state;
    static const char *const names[] = {"A/3:x", "B/3:x", "plain", "A/output", "A/handle:7:y"};
    static const uint32_t runs[] = {1, 2, 0, 1, 1};
    static const bool is_chosen[][2] = {{false, true}, {true, false}, {false, false}};
    static const struct {
        size_t n;
        float values[4];
    } expected[] = {{2, {1, 2}}, {4, {0, 2, 3, 4}}, {1, {2}}};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    eti_error err = ETI_ERROR_INIT;
    eti_points points;
    assert_int_equal(reference.runs.count, 2);
    assert_text(reference.runs.texts[0], "A");
    assert_text(reference.runs.texts[1], "B");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(reference.run_of[i], runs[i]);
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_ok(eti__reference_points_choose(&points, &reference, is_chosen[i], &err));
        assert_int_equal(points.n, expected[i].n);
        for (size_t k = 0; k < points.n; k++)
            assert_true(value_of(points.points[k].tensors) == expected[i].values[k]);
        eti__points_free(&points);
    }
    assert_ok(eti__reference_points_choose(&points, &reference, NULL, &err));
    assert_int_equal(points.n, COUNT_OF(names));
    eti__points_free(&points);
    eti__reference_points_free(&reference);
}

/* Tensors are loaded by their number in the file, which differs from their number in the points. */
static void elements_are_loaded_from_the_file(void **state) {
    (void)state;
    static const char *const names[] = {"1:a#1", "2:b", "1:a#0"};
    static const float values[] = {2, 0, 1};
    scalars file;
    make_scalars(&file, names, COUNT_OF(names));
    eti_reference_points reference = read_points(&file);
    eti_arena arena = {NULL};
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti_recorded_tensor loaded = reference.recorded[i];
        assert_int_equal(loaded.fault, ETI_RECORDED_FINE);
        assert_ok(eti__reference_points_load(&reference, &reference.recorded[i], &arena,
                                             &loaded.values, &err));
        assert_true(value_of(&loaded) == values[i]);
    }
    eti__arena_free(&arena);
    eti__reference_points_free(&reference);
}

static void complex_elements_cannot_be_read(void **state) {
    (void)state;
    static const char file[] = "\x36\0\0\0\0\0\0\0"
                               "{\"a\":{\"dtype\":\"C64\",\"shape\":[],\"data_offsets\":[0,8]}}\n"
                               "\0\0\0\0\0\0\0\0";
    const eti_source source = {"x.safetensors", file, sizeof file - 1};
    eti_reference_points reference;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__reference_points_read(&reference, &source, &err));
    assert_int_equal(reference.points.n, 1);
    assert_int_equal(reference.recorded[0].fault, ETI_RECORDED_TYPE);
    eti__reference_points_free(&reference);
}

static void other_files_are_refused(void **state) {
    (void)state;
    const eti_source source = {"x", "not a file of tensors", 21};
    eti_reference_points reference;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__reference_points_read(&reference, &source, &err), ETI_ERROR_MALFORMED);
    eti__reference_points_free(&reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_what_tensors_are_of),
        cmocka_unit_test(outputs_are_in_the_order_of_their_numbers),
        cmocka_unit_test(repetitions_are_points_of_their_own),
        cmocka_unit_test(odd_names_are_names),
        cmocka_unit_test(numbers_have_limits),
        cmocka_unit_test(an_output_may_be_named_twice),
        cmocka_unit_test(repetitions_follow_the_first),
        cmocka_unit_test(points_of_runs_are_chosen),
        cmocka_unit_test(elements_are_loaded_from_the_file),
        cmocka_unit_test(complex_elements_cannot_be_read),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
