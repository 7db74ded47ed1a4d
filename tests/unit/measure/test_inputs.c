#include "support.h"

#include "measure/recording.h"

#include <sys/stat.h>

/* A method with a half [3], a bfloat16 [3], a float [1, 2], a double scalar, an int, a bool, None and an int64 [2]. */
static const int32_t three[] = {3}, two[] = {1, 2}, pair[] = {2};
static const eti_pte_tensor tensors[] = {
    {.sizes = three, .n_dims = 1, .scalar_type = 5, .n_bytes = 6},
    {.sizes = three, .n_dims = 1, .scalar_type = 15, .n_bytes = 6},
    {.sizes = two, .n_dims = 2, .scalar_type = 6, .n_bytes = 8},
    {.sizes = pair, .n_dims = 1, .scalar_type = 4, .n_bytes = 16},
};
static const eti_pte_value values[] = {
    {.kind = ETI_PTE_TENSOR, .of.as_tensor = &tensors[0]},
    {.kind = ETI_PTE_TENSOR, .of.as_tensor = &tensors[1]},
    {.kind = ETI_PTE_TENSOR, .of.as_tensor = &tensors[2]},
    {.kind = ETI_PTE_DOUBLE, .of.as_double = 2.5},
    {.kind = ETI_PTE_INT, .of.as_int = -2},
    {.kind = ETI_PTE_BOOL, .of.as_bool = true},
    {.kind = ETI_PTE_NULL},
    {.kind = ETI_PTE_TENSOR, .of.as_tensor = &tensors[3]},
    {.kind = ETI_PTE_STRING},
};
static const int32_t inputs[] = {0, 1, 2, 3, 4, 5, 6, 7}, text[] = {8};
static const eti_pte_plan plan = {
    .name = {"forward", 7}, .values = values, .n_values = 9, .inputs = {inputs, 8}};
static const eti_pte_plan plan_of_text = {
    .name = {"forward", 7}, .values = values, .n_values = 9, .inputs = {text, 1}};

static void open_work(eti_work *work) {
    eti_error err = ETI_ERROR_INIT;
    *work = (eti_work){.lock = -1};
    assert_ok(eti__work_open(work, "/tmp", &err));
}

static void assert_input(const eti_work *work, size_t i, const void *bytes, size_t size) {
    char path[256];
    eti_buffer found = {0};
    snprintf(path, sizeof path, "%s/in-%zu.bin", work->folder, i);
    assert_true(eti__small_file_read(path, 4096, &found));
    assert_int_equal(found.size, size);
    if (size > 0)
        assert_memory_equal(found.data, bytes, size);
    eti__buffer_free(&found);
}

/* Numbers of SplitMix64 with seed 7, computed and rounded to the types by Python. */
static void random_numbers_are_rounded_to_the_type(void **state) {
    (void)state;
    eti_work work;
    eti_error err = ETI_ERROR_INIT;
    eti_recording_options options = ETI_RECORDING_OPTIONS_DEFAULT;
    options.input_seed = 7;
    open_work(&work);
    assert_ok(eti__inputs_write(&work, &plan, &options, &err));
    assert_input(&work, 0, "\x83\x2c\x23\x3a\x69\x37", 6);
    assert_input(&work, 1, "\x7b\x3f\x92\x3e\x3a\x3f", 6);
    assert_input(&work, 2, "\xce\xeb\xfa\x3e\x7e\x6c\x78\x3e", 8);
    assert_input(&work, 3, "\0\0\0\0\0\0\x04\x40",
                 8); /* the runtime takes no other value than the program's */
    assert_input(&work, 4, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_input(&work, 5, "\1", 1);
    assert_input(&work, 6, "", 0);
    assert_input(&work, 7, "\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16);
    eti__work_close(&work);
}

static void ones(void **state) {
    (void)state;
    eti_work work;
    eti_error err = ETI_ERROR_INIT;
    eti_recording_options options = ETI_RECORDING_OPTIONS_DEFAULT;
    options.inputs = "ones";
    open_work(&work);
    assert_ok(eti__inputs_write(&work, &plan, &options, &err));
    assert_input(&work, 0, "\0\x3c\0\x3c\0\x3c", 6);
    assert_input(&work, 1, "\x80\x3f\x80\x3f\x80\x3f", 6);
    assert_input(&work, 2, "\0\0\x80\x3f\0\0\x80\x3f", 8);
    assert_input(&work, 3, "\0\0\0\0\0\0\x04\x40", 8);
    eti__work_close(&work);
}

static void texts_are_refused(void **state) {
    (void)state;
    eti_work work;
    eti_error err = ETI_ERROR_INIT;
    const eti_recording_options options = ETI_RECORDING_OPTIONS_DEFAULT;
    open_work(&work);
    assert_int_equal(eti__inputs_write(&work, &plan_of_text, &options, &err), ETI_ERROR_USAGE);
    assert_string_equal(err.message,
                        "input 0 of the method is a text or a list: use command with a "
                        "program of yours");
    eti__work_close(&work);
}

static void ports_are_described(void **state) {
    (void)state;
    eti_buffer found = {0};
    eti__inputs_describe(&found, &plan);
    eti__buffer_add_char(&found, '\0');
    assert_string_equal(found.data,
                        "float16 [3], bfloat16 [3], float32 [1, 2], float, int, bool, None, "
                        "int64 [2]");
    eti__buffer_free(&found);
}

/* The folder can be read by this user only, and is gone at the end with all files and links in it. */
static void the_folder_is_private_and_removed(void **state) {
    (void)state;
    eti_work work;
    eti_error err = ETI_ERROR_INIT;
    struct stat status;
    char path[256];
    open_work(&work);
    snprintf(path, sizeof path, "%s", work.folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    assert_ok(eti__work_write(&work, "run.etdp", "x", 1, &err));
    assert_ok(eti__work_link(&work, "model.pte", "/dev/null", &err));
    eti__work_close(&work);
    assert_int_not_equal(stat(path, &status), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_are_rounded_to_the_type),
        cmocka_unit_test(ones),
        cmocka_unit_test(texts_are_refused),
        cmocka_unit_test(ports_are_described),
        cmocka_unit_test(the_folder_is_private_and_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
