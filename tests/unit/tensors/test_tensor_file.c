/* Reads saved files back: names, types, strides; existing files; failures must leave nothing behind. */
#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "tensors/tensor_file.h"
#include "tensors/tensors.h"

#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/etinspect-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *path_of(const char *name) {
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static size_t count_files(const char *path) {
    size_t n = 0;
    DIR *entries = opendir(path);
    assert_non_null(entries);
    while (readdir(entries))
        n++;
    closedir(entries);
    return n - 2;
}

static const int64_t sizes[] = {2, 3}, columns[] = {1, 2}, rows[] = {3, 1};
static const uint8_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* uint8 in Fortran order, bfloat16 in row-major order, a scalar, an empty tensor. */
static const eti_tensor_values samples[] = {
    {{"block.0/1:a#0", 13}, 0, 2, sizes, columns, 6, numbers},
    {{"half", 4}, 15, 2, sizes, rows, 6, numbers},
    {{"\xef\xbf\xbd", 3}, 4, 0, NULL, NULL, 1, numbers + 1},
    {{"none", 4}, 7, 1, (const int64_t[]){0}, (const int64_t[]){1}, 0, NULL},
};

static void expect_sample(const eti_tensor_values *found, bool is_npy) {
    uint8_t bytes[24];
    assert_true(eti__tensor_values_size(found) <= sizeof bytes);
    eti__tensor_values_copy(found, 0, found->n_elements, bytes);
    if (eti__text_is(found->name, "block.0/1:a#0")) {
        assert_int_equal(found->scalar_type, 0);
        assert_memory_equal(bytes, "\1\3\5\2\4\6", 6);
    } else if (eti__text_is(found->name, "half")) {
        assert_int_equal(found->scalar_type, is_npy ? 6 : 15);
        assert_memory_equal(
            bytes, is_npy ? "\0\0\1\2\0\0\3\4\0\0\5\6" : "\1\2\3\4\5\6\7\10\11\12\13\14", 12);
    } else if (eti__text_is(found->name, "\xef\xbf\xbd")) {
        assert_int_equal(found->n_dims, 0);
        assert_memory_equal(bytes, numbers + 1, 8);
    } else {
        assert_text(found->name, "none");
        assert_int_equal(found->scalar_type, 7);
        assert_int_equal(found->n_elements, 0);
    }
}

static void saved_tensors_are_read(void **state) {
    (void)state;
    static const char *const names[] = {"x.npz", "x.safetensors", "x"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *path = path_of(names[i]);
        eti_arena arena = {0};
        eti_error err = ETI_ERROR_INIT;
        struct eti_file file = {0};
        eti_tensor_file found;
        assert_int_equal(eti__tensor_form_of(path), i == 0   ? ETI_TENSOR_FORM_NPZ
                                                    : i == 1 ? ETI_TENSOR_FORM_SAFETENSORS
                                                             : ETI_TENSOR_FORM_NPY_FOLDER);
        assert_ok(eti__tensors_save(path, samples, COUNT_OF(samples), false, &err));
        const eti_source source = {.path = path};
        if (i < 2) {
            assert_ok(eti__file_open_source(&file, &source, &err));
            assert_ok(eti__tensor_file_open(&found, &arena, &file, &err));
        } else {
            assert_ok(eti__tensor_folder_open(&found, &arena, path, &err));
        }
        assert_int_equal(found.n_tensors, COUNT_OF(samples));
        for (size_t k = 0; k < found.n_tensors; k++) {
            eti_tensor_values values;
            assert_ok(eti__tensor_file_load(&values, &found, k, &arena, &err));
            expect_sample(&values, i != 1);
        }
        eti__tensor_file_close(&found);
        eti__file_release(&file);
        eti__arena_free(&arena);
        assert_fails(eti__tensors_save(path, samples, 1, false, &err), ETI_ERROR_USAGE,
                     "already exists; use force to replace it");
        assert_ok(eti__tensors_save(path, samples, 1, true, &err));
    }
    assert_int_equal(count_files(folder), 3);
    assert_int_equal(access(path_of("x/block.0%2F1:a#0.npy"), F_OK), 0);
}

static void elements_of_safetensors_are_aligned(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    struct eti_file file;
    eti_tensor_file found;
    assert_ok(eti__tensors_save(path_of("x.safetensors"), samples, COUNT_OF(samples), true, &err));
    const eti_source source = {.path = path_of("x.safetensors")};
    assert_ok(eti__file_open_source(&file, &source, &err));
    assert_ok(eti__tensor_file_open(&found, &arena, &file, &err));
    for (size_t i = 0; i < found.n_tensors; i++) {
        size_t width = eti__element_type(found.tensors[i].scalar_type)->width;
        if (found.tensors[i].data)
            assert_int_equal((size_t)(found.tensors[i].data - file.data) % width, 0);
    }
    eti__file_release(&file);
    eti__arena_free(&arena);
}

static void failed_saving_leaves_nothing(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values tensors[] = {samples[0], samples[0]};
    assert_fails(eti__tensors_save(path_of("y.npz"), tensors, 2, false, &err), ETI_ERROR_DATA,
                 "two tensors are called block.0/1:a#0");
    tensors[1].name = eti__text_of("__metadata__");
    assert_fails(eti__tensors_save(path_of("y.npz"), tensors, 2, false, &err), ETI_ERROR_DATA,
                 "__metadata__ is not a valid name");
    tensors[1].name = eti__text_of("b");
    tensors[1].scalar_type = 24;
    assert_fails(eti__tensors_save(path_of("y.npz"), tensors, 2, false, &err), ETI_ERROR_USAGE,
                 "tensor b: .npy files do not support float8_e4m3fn: save it as .safetensors");
    assert_fails(eti__tensors_save(path_of("y"), tensors, 2, false, &err), ETI_ERROR_USAGE,
                 "tensor b: .npy files do not support float8_e4m3fn");
    tensors[1].scalar_type = 12;
    assert_fails(eti__tensors_save(path_of("y.safetensors"), tensors, 2, false, &err),
                 ETI_ERROR_USAGE, "safetensors files do not support qint8");
    assert_fails(eti__tensors_save(path_of("nowhere/y.npz"), samples, 1, false, &err),
                 ETI_ERROR_WRITE, "nowhere/y.npz");
    assert_fails(eti__tensors_save(path_of("nowhere/y"), samples, 1, false, &err), ETI_ERROR_WRITE,
                 "cannot create the folder");
    assert_fails(eti__tensors_save(path_of("x.npz/"), samples, 1, true, &err), ETI_ERROR_WRITE,
                 "cannot create the folder");
    assert_int_equal(count_files(folder), 3);
}

static void make_link(const char *to, const char *name) {
    unlink(path_of(name));
    assert_int_equal(symlink(to, path_of(name)), 0);
}

static bool holds(const char *name, const uint8_t *bytes, size_t n) {
    uint8_t found[200] = {0};
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    size_t size = fread(found, 1, sizeof found, file);
    fclose(file);
    return size >= n && memcmp(found + size - n, bytes, n) == 0;
}

static const uint8_t large[1 << 20];

/* Makes three tensors of two elements; a larger one follows. */
static void make_tensors(eti_tensor_values tensors[4], const uint8_t *data) {
    static const int64_t two[] = {2}, many[] = {sizeof large}, one[] = {1};
    static const char *const names[] = {"a", "b", "c", "large"};
    for (size_t i = 0; i < 3; i++)
        tensors[i] = (eti_tensor_values){eti__text_of(names[i]), 0, 1, two, one, 2, data};
    tensors[3] = (eti_tensor_values){eti__text_of(names[3]), 0, 1, many, one, sizeof large, large};
}

static void failed_saving_removes_what_it_created(void **state) {
    (void)state;
    static const uint8_t old[] = {7, 7}, new[] = {9, 9};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values tensors[4];
    make_tensors(tensors, old);
    assert_ok(eti__tensors_save(path_of("all"), tensors + 1, 1, false, &err));
    make_tensors(tensors, new);
    make_link("../made.npy", "all/a.npy");
    make_link("/dev/full", "all/c.npy");
    assert_fails(eti__tensors_save(path_of("all"), tensors, 3, true, &err), ETI_ERROR_WRITE,
                 "c.npy: cannot write: No space left on device");
    assert_int_equal(access(path_of("made.npy"), F_OK), -1);
    assert_true(holds("all/b.npy", new, 2));
    assert_int_equal(count_files(path_of("all")), 3);
    unlink(path_of("all/a.npy"));
    unlink(path_of("all/b.npy"));
    make_link("missing/c.npy", "all/c.npy");
    assert_fails(eti__tensors_save(path_of("all"), tensors, 3, false, &err), ETI_ERROR_WRITE,
                 "c.npy: cannot write");
    assert_int_equal(count_files(path_of("all")), 1);
    make_link("a.npy", "all/c.npy"); /* of the first tensor, once that is in place */
    assert_fails(eti__tensors_save(path_of("all"), tensors, 3, false, &err), ETI_ERROR_USAGE,
                 "c.npy: already exists");
    assert_int_equal(count_files(path_of("all")), 1);
    unlink(path_of("all/c.npy"));
    assert_ok(eti__tensors_save(path_of("all"), tensors, 3, true, &err));
    assert_int_equal(count_files(path_of("all")), 3);
}

static void failed_saving_removes_a_new_folder(void **state) {
    (void)state;
    static const uint8_t data[] = {9, 9};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values tensors[4];
    struct rlimit before, most;
    make_tensors(tensors, data);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    most = before;
    most.rlim_cur = sizeof large / 2;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &most), 0);
    eti_status status = eti__tensors_save(path_of("new"), tensors, 4, true, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_fails(status, ETI_ERROR_WRITE, "large.npy: cannot write: File too large");
    assert_int_equal(access(path_of("new"), F_OK), -1);
}

/* Interrupts the process while it writes to a pipe, after it has saved other files. */
static void interrupted_saving_leaves_only_complete_files(void **state) {
    (void)state;
    static const uint8_t data[] = {9, 9};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values tensors[4];
    make_tensors(tensors, data);
    assert_int_equal(mkdir(path_of("ended"), 0777), 0);
    assert_int_equal(mkfifo(path_of("ended/large.npy"), 0666), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(eti__tensors_save(path_of("ended"), tensors, 4, true, &err) != ETI_OK);
    assert_true(child > 0);
    alarm(240);
    int reader = open(path_of("ended/large.npy"), O_RDONLY | O_CLOEXEC);
    alarm(0);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(reader);
    assert_int_equal(count_files(path_of("ended")), 4);
    assert_true(holds("ended/a.npy", data, 2));
    assert_true(holds("ended/b.npy", data, 2));
    assert_true(holds("ended/c.npy", data, 2));
}

static void other_folders_are_refused(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_file found;
    assert_fails(eti__tensor_folder_open(&found, &arena, path_of("nowhere"), &err), ETI_ERROR_READ,
                 "cannot read the folder");
    assert_fails(eti__tensor_folder_open(&found, &arena, folder, &err), ETI_ERROR_MALFORMED,
                 "found a folder without");
    FILE *bad = fopen(path_of("x/zz.npy"), "w");
    assert_non_null(bad);
    fclose(bad);
    assert_fails(eti__tensor_folder_open(&found, &arena, path_of("x"), &err), ETI_ERROR_MALFORMED,
                 "zz.npy: expected a .npy file");
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_tensors_are_read),
        cmocka_unit_test(elements_of_safetensors_are_aligned),
        cmocka_unit_test(failed_saving_leaves_nothing),
        cmocka_unit_test(failed_saving_removes_what_it_created),
        cmocka_unit_test(failed_saving_removes_a_new_folder),
        cmocka_unit_test(interrupted_saving_leaves_only_complete_files),
        cmocka_unit_test(other_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
