#include "support.h"

#include "base/file.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-file-XXXXXX";
static char path[256];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/input", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_input(const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void a_file_is_read(void **state) {
    (void)state;
    write_input("hello", 5);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = path}, &err));
    write_input("HELLO", 5); /* has no effect any more */
    assert_int_equal(file.size, 5);
    assert_memory_equal(file.data, "hello", 5);
    assert_string_equal(file.name, path);
    assert_null(file.mapping);
    eti__file_release(&file);
    assert_int_equal(file.size, 0);
    eti__file_release(&file);
}

static void a_large_file_is_mapped(void **state) {
    (void)state;
    const off_t size = (off_t)64 << 20;
    write_input("hello", 5);
    assert_int_equal(truncate(path, size), 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = path}, &err));
    assert_int_equal(file.size, size);
    assert_memory_equal(file.data, "hello", 6);
    assert_int_equal(file.data[size - 1], 0);
    assert_non_null(file.mapping);
    eti__file_release(&file);
    assert_int_equal(file.size, 0);
}

/* Whichever file is released first, the others keep their names. */
static void mapped_files_are_known_by_their_bytes(void **state) {
    (void)state;
    enum { N = 3 };
    const off_t size = (off_t)64 << 20;
    write_input("hello", 5);
    assert_int_equal(truncate(path, size), 0);
    for (size_t first = 0; first < N; first++) {
        struct eti_file files[N];
        const uint8_t *bytes[N];
        eti_error err = ETI_ERROR_INIT;
        for (size_t i = 0; i < N; i++) {
            assert_ok(eti__file_open_source(&files[i], &(eti_source){.path = path}, &err));
            bytes[i] = files[i].data;
        }
        for (size_t n_released = 0; n_released <= N; n_released++) {
            for (size_t i = 0; i < N; i++) {
                const char *name = eti_mapped_file_name(bytes[i] + size - 1);
                if ((i + N - first) % N < n_released)
                    assert_null(name);
                else
                    assert_string_equal(name, path);
            }
            if (n_released < N)
                eti__file_release(&files[(first + n_released) % N]);
        }
    }
}

static void an_empty_file_has_no_bytes(void **state) {
    (void)state;
    write_input("", 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = path}, &err));
    assert_int_equal(file.size, 0);
    assert_non_null(file.data);
    eti__file_release(&file);
}

static void a_file_without_a_size_is_read(void **state) {
    (void)state;
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = "/proc/self/status"}, &err));
    assert_true(file.size > 0);
    assert_null(file.mapping);
    eti__file_release(&file);
}

/* Writes more than fits a pipe or a first read. */
static void a_pipe_is_read_to_its_end(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static char block[300000];
        memset(block, 'p', sizeof block);
        close(ends[0]);
        for (size_t at = 0; at < sizeof block;) {
            ssize_t n = write(ends[1], block + at, sizeof block - at);
            if (n <= 0)
                _exit(1);
            at += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    char name[64];
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = name}, &err));
    close(ends[0]);
    assert_int_equal(file.size, 300000);
    assert_int_equal(file.data[299999], 'p');
    eti__file_release(&file);
}

static void standard_input_is_a_dash(void **state) {
    (void)state;
    write_input("from stdin", 10);
    int saved = dup(STDIN_FILENO);
    FILE *input = fopen(path, "rb");
    assert_non_null(input);
    dup2(fileno(input), STDIN_FILENO);
    fclose(input);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = "-"}, &err));
    dup2(saved, STDIN_FILENO);
    close(saved);
    assert_string_equal(file.name, "(standard input)");
    assert_int_equal(file.size, 10);
    assert_memory_equal(file.data, "from stdin", 10);
    eti__file_release(&file);
}

static size_t resident_pages(void) {
    unsigned long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &size, &resident), 2); /* NOLINT(cert-err34-c) */
    assert_int_equal(fclose(file), 0);
    return resident;
}

static size_t sum(const struct eti_file *file) {
    size_t total = 0;
    for (size_t i = 0; i < file->size; i += 1024)
        total += file->data[i];
    return total;
}

static void a_mapped_file_can_be_left(void **state) {
    (void)state;
    const size_t size = ((size_t)64 << 20) + 5;
    write_input("map", 3);
    assert_int_equal(truncate(path, (off_t)size), 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = path}, &err));
    assert_int_equal(sum(&file), 'm');
    size_t before = resident_pages();
    eti__file_leave(file.data + 1, file.size - 1);
    assert_true(resident_pages() + ((size_t)32 << 20) / (size_t)sysconf(_SC_PAGESIZE) < before);
    assert_int_equal(sum(&file), 'm');
    assert_int_equal(file.data[2], 'p');
    eti__file_leave(file.data + size - 1, 1);
    eti__file_leave(file.data, 0);
    eti__file_release(&file);
}

/* Their contents could not be read again. */
static void other_bytes_stay(void **state) {
    (void)state;
    const size_t size = (size_t)1 << 20;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, 'x', size);
    eti__file_leave(bytes, size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(bytes[i], 'x');
    free(bytes);
}

/* Refuses after `most` bytes, or never. */
typedef struct patience {
    size_t most;
    size_t n_asked, seen;
    bool was_all;
} patience;

static eti_status lose_patience(const void *context, bool *is_judged, const struct eti_file *file,
                                bool is_all, eti_error *err) {
    patience *p = (patience *)(uintptr_t)context;
    p->n_asked++;
    p->seen = file->size;
    p->was_all = is_all;
    *is_judged = false;
    return file->size > p->most ? eti_fail(err, ETI_ERROR_DATA, "refused") : ETI_OK;
}

/* Tests an endless file, and a mapped one. */
static void no_more_is_read_than_the_judge_needs(void **state) {
    (void)state;
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    patience p = {.most = 20000};
    const eti_file_judge judge = {lose_patience, &p};
    assert_fails(eti__file_open_judged(&file, &(eti_source){.path = "/dev/zero"}, &judge, &err),
                 ETI_ERROR_DATA, "refused");
    assert_in_range(p.seen, 20001, 40000);
    assert_in_range(p.n_asked, 2, 10);
    assert_false(p.was_all);

    write_input("x", 1);
    assert_int_equal(truncate(path, (off_t)(SIZE_MAX > UINT32_MAX ? INT64_C(1) << 40 : 1 << 30)),
                     0);
    p = (patience){.most = 20000};
    assert_fails(eti__file_open_judged(&file, &(eti_source){.path = path}, &judge, &err),
                 ETI_ERROR_DATA, "refused");
    assert_int_equal(p.n_asked, 1);
    assert_true(p.was_all);
}

static void a_judge_sees_the_end(void **state) {
    (void)state;
    static char bytes[10000];
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, sizeof bytes};
    memset(bytes, 'j', sizeof bytes);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct eti_file file;
        eti_error err = ETI_ERROR_INIT;
        patience p = {.most = SIZE_MAX};
        const eti_file_judge judge = {lose_patience, &p};
        write_input(bytes, sizes[i]);
        assert_ok(eti__file_open_judged(&file, &(eti_source){.path = path}, &judge, &err));
        assert_true(p.was_all);
        assert_int_equal(p.seen, sizes[i]);
        assert_int_equal(file.size, sizes[i]);
        assert_memory_equal(file.data, bytes, sizes[i]);
        eti__file_release(&file);
    }
}

static void memory_is_borrowed(void **state) {
    (void)state;
    static const char bytes[] = "abc";
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){NULL, bytes, 3}, &err));
    assert_ptr_equal(file.data, bytes);
    assert_int_equal(file.size, 3);
    assert_string_equal(file.name, "(memory)");
    eti__file_release(&file);
    assert_ok(eti__file_open_source(&file, &(eti_source){"a name", bytes, 0}, &err));
    assert_string_equal(file.name, "a name");
    assert_int_equal(file.size, 0);
    eti__file_release(&file);
}

static void unreadable_tensors_are_named(void **state) {
    (void)state;
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    const eti_source missing = {.path = "/nonexistent/dump"}, directory = {.path = "/tmp"};
    assert_fails(eti__file_open_source(&file, &missing, &err), ETI_ERROR_READ,
                 "/nonexistent/dump: cannot read: No such file or directory (check the path)");
    assert_fails(eti__file_open_source(&file, &directory, &err), ETI_ERROR_READ,
                 "/tmp: cannot read: Is a directory");
    /* The file can be opened, but reading the first page of a process's memory fails. */
    const eti_source unreadable = {.path = "/proc/self/mem"};
    assert_fails(eti__file_open_source(&file, &unreadable, &err), ETI_ERROR_READ,
                 "/proc/self/mem: cannot read: ");
}

static void a_file_without_permission_cannot_be_read(void **state) {
    (void)state;
    if (geteuid() == 0)
        skip();
    write_input("x", 1);
    chmod(path, 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__file_open_source(&file, &(eti_source){.path = path}, &err), ETI_ERROR_READ,
                 "Permission denied");
    chmod(path, 0600);
}

static void neither_path_nor_data_is_a_wrong_request(void **state) {
    (void)state;
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__file_open_source(&file, &(eti_source){0}, &err), ETI_ERROR_USAGE,
                 "neither a path nor data");
}

static void a_file_may_be_opened_before_it_is_inspected(void **state) {
    (void)state;
    write_input("PK\3\4", 4);
    eti_file *file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_file_open(&file, path, &err));
    eti_source source = eti_file_source(file);
    assert_string_equal(source.path, path);
    assert_int_equal(source.size, 4);
    assert_int_equal(eti_file_kind_of(source.data, source.size), ETI_FILE_ETRECORD);
    eti_file_close(file);

    file = (eti_file *)(uintptr_t)&err;
    assert_fails(eti_file_open(&file, "/nonexistent", &err), ETI_ERROR_READ, "/nonexistent");
    assert_null(file);
    eti_file_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(a_large_file_is_mapped),
        cmocka_unit_test(mapped_files_are_known_by_their_bytes),
        cmocka_unit_test(an_empty_file_has_no_bytes),
        cmocka_unit_test(a_file_without_a_size_is_read),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test(standard_input_is_a_dash),
        cmocka_unit_test(a_mapped_file_can_be_left),
        cmocka_unit_test(other_bytes_stay),
        cmocka_unit_test(no_more_is_read_than_the_judge_needs),
        cmocka_unit_test(a_judge_sees_the_end),
        cmocka_unit_test(memory_is_borrowed),
        cmocka_unit_test(unreadable_tensors_are_named),
        cmocka_unit_test(a_file_without_permission_cannot_be_read),
        cmocka_unit_test(neither_path_nor_data_is_a_wrong_request),
        cmocka_unit_test(a_file_may_be_opened_before_it_is_inspected),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
