#include "support.h"

#include "folder_fixture.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "base/text.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== file ==================================================================================== */

static char file_folder[] = "/tmp/etinspect-file-XXXXXX";
static char file_path[256];

static int make_file_folder(void **state) {
    (void)state;
    if (!mkdtemp(file_folder))
        return -1;
    snprintf(file_path, sizeof file_path, "%s/input", file_folder);
    return 0;
}

static int remove_file_folder(void **state) {
    (void)state;
    unlink(file_path);
    return rmdir(file_folder);
}

static void write_input(const void *data, size_t size) {
    FILE *file = fopen(file_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void a_file_is_read(void **state) {
    (void)state;
    write_input("hello", 5);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = file_path}, &err));
    write_input("HELLO", 5); /* has no effect any more */
    assert_int_equal(file.size, 5);
    assert_memory_equal(file.data, "hello", 5);
    assert_string_equal(file.name, file_path);
    assert_null(file.mapping);
    eti__file_release(&file);
    assert_int_equal(file.size, 0);
    eti__file_release(&file);
}

static void a_large_file_is_mapped(void **state) {
    (void)state;
    const off_t size = (off_t)64 << 20;
    write_input("hello", 5);
    assert_int_equal(truncate(file_path, size), 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = file_path}, &err));
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
    assert_int_equal(truncate(file_path, size), 0);
    for (size_t first = 0; first < N; first++) {
        struct eti_file files[N];
        const uint8_t *bytes[N];
        eti_error err = ETI_ERROR_INIT;
        for (size_t i = 0; i < N; i++) {
            assert_ok(eti__file_open_source(&files[i], &(eti_source){.path = file_path}, &err));
            bytes[i] = files[i].data;
        }
        for (size_t n_released = 0; n_released <= N; n_released++) {
            for (size_t i = 0; i < N; i++) {
                const char *name = eti_mapped_file_name(bytes[i] + size - 1);
                if ((i + N - first) % N < n_released)
                    assert_null(name);
                else
                    assert_string_equal(name, file_path);
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
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = file_path}, &err));
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
    FILE *input = fopen(file_path, "rb");
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
    assert_int_equal(truncate(file_path, (off_t)size), 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&file, &(eti_source){.path = file_path}, &err));
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
    assert_int_equal(
        truncate(file_path, (off_t)(SIZE_MAX > UINT32_MAX ? INT64_C(1) << 40 : 1 << 30)), 0);
    p = (patience){.most = 20000};
    assert_fails(eti__file_open_judged(&file, &(eti_source){.path = file_path}, &judge, &err),
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
        assert_ok(eti__file_open_judged(&file, &(eti_source){.path = file_path}, &judge, &err));
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
    chmod(file_path, 0);
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__file_open_source(&file, &(eti_source){.path = file_path}, &err),
                 ETI_ERROR_READ, "Permission denied");
    chmod(file_path, 0600);
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
    assert_ok(eti_file_open(&file, file_path, &err));
    eti_source source = eti_file_source(file);
    assert_string_equal(source.path, file_path);
    assert_int_equal(source.size, 4);
    assert_int_equal(eti_file_kind_of(source.data, source.size), ETI_FILE_ETRECORD);
    eti_file_close(file);

    file = (eti_file *)(uintptr_t)&err;
    assert_fails(eti_file_open(&file, "/nonexistent", &err), ETI_ERROR_READ, "/nonexistent");
    assert_null(file);
    eti_file_close(NULL);
}

/* ==== open below ============================================================================== */

/* Paths of OUTSIDE/secret and OUTSIDE/root, in which the tests work. */
static char outside[] = "/tmp/etinspect-below-XXXXXX";
static char root[64];

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folders(void **state) {
    (void)state;
    if (!mkdtemp(outside) || chdir(outside) != 0)
        return -1;
    snprintf(root, sizeof root, "%s/root", outside);
    if (mkdir("root", 0700) != 0 || mkdir("root/a", 0700) != 0 || mkdir("root/a/b", 0700) != 0)
        return -1;
    write_file("secret", "secret");
    write_file("root/file", "inside");
    write_file("root/a/b/file", "inside");
    return chdir("root");
}

static int remove_folders(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", outside);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1; /* NOLINT(cert-env33-c): of ours */
}

static bool is_opened(const char *name) {
    eti_buffer text = {0};
    bool done = eti__small_file_read_below(root, name, 100, &text);
    if (done)
        assert_text(eti__buffer_text(&text), "inside");
    eti__buffer_free(&text);
    return done;
}

static void make_link(const char *target, const char *name) {
    unlink(name);
    assert_int_equal(symlink(target, name), 0);
}

static void files_below_are_opened(void **state) {
    (void)state;
    static const char *const names[] = {"file",      "a/b/file",       "./a//b/./file", "/file",
                                        "a/../file", "a/b/../../file", "a/b/../b/file"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (!is_opened(names[i]))
            fail_msg("%s is not opened", names[i]);
    }
    assert_int_equal(eti__open_below("/nonexistent", "file"), -1);
}

static void nothing_else_is(void **state) {
    (void)state;
    static const char *const names[] = {
        "",
        ".",
        "..",
        "a",
        "missing",
        "../secret",
        "a/../..",
        "a/../../secret",
        "file/..",
        "../root/file",
        "a/../../root/file",
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (is_opened(names[i]))
            fail_msg("%s is opened", names[i]);
    }
    char path[256];
    snprintf(path, sizeof path, "%s/secret", outside);
    assert_false(is_opened(path));
}

static void links_that_stay_are_followed(void **state) {
    (void)state;
    make_link("file", "to_file");
    make_link("a/b", "to_folder");
    make_link("../b/../../file", "a/b/up");
    make_link("to_file", "to_link");
    make_link("a/./b//", "to_slashes");
    assert_true(is_opened("to_file"));
    assert_true(is_opened("to_folder/file"));
    assert_true(is_opened("a/b/up")); /* a/b/../b/../../file */
    assert_true(is_opened("to_link"));
    assert_true(is_opened("to_slashes/file"));
    make_link("../../file", "a/b/up");
    assert_true(is_opened("a/b/up"));
    assert_true(is_opened("to_folder/up"));
}

static void links_that_leave_are_not(void **state) {
    (void)state;
    char path[256];
    static const char *const targets[] = {
        "../secret", "a/../../secret", "/proc/self/cwd/../secret", "/proc/self/root", "..",
        "/",         "../root/file", /* it comes back into the root */
    };
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        make_link(targets[i], "out");
        if (is_opened("out") || is_opened("out/secret") || is_opened("out/root/file"))
            fail_msg("a link to %s is followed", targets[i]);
    }
    snprintf(path, sizeof path, "%s/file", root); /* absolute, although inside the root */
    make_link(path, "out");
    assert_false(is_opened("out"));
    make_link("out", "out");
    assert_false(is_opened("out"));
    unlink("out");
}

static void devices_are_not_waited_for(void **state) {
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_false(is_opened("pipe"));
}

/* Exchanges a folder for a link that leads out of the root, again and again. */
static atomic_bool is_over;

static void *exchange(void *unused) {
    while (!atomic_load(&is_over)) {
        (void)!rename("a", "kept");
        (void)!symlink("..", "a");
        (void)!unlink("a");
        (void)!rename("kept", "a");
    }
    return unused;
}

static void a_race_is_not_won(void **state) {
    (void)state;
    pthread_t thread;
    write_file("a/secret", "inside");
    atomic_store(&is_over, false);
    assert_int_equal(pthread_create(&thread, NULL, exchange, NULL), 0);
    for (int i = 0; i < 20000; i++)
        (void)is_opened("a/secret"); /* checks that it is the file inside the root */
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    assert_true(is_opened("a/secret"));
}

/* ==== file name =============================================================================== */
/* Makes file names of any texts, and the texts of file names. */

static void expect_name(const char *text, size_t size, const char *name) {
    eti_buffer found = {0}, back = {0};
    eti__file_name_add(&found, (eti_text){text, size});
    eti__file_name_add_text(&back, eti__buffer_text(&found));
    if (size > 0) {
        assert_text(eti__buffer_text(&found), name);
        assert_int_equal(back.size, size);
        assert_memory_equal(back.data, text, size);
    }
    eti__buffer_free(&found);
    eti__buffer_free(&back);
}

static void names_lead_nowhere_else(void **state) {
    (void)state;
    expect_name("forward.0/3:add.out#0", 21, "forward.0%2F3:add.out#0");
    expect_name("../../etc", 9, "%2E.%2F..%2Fetc");
    expect_name("..", 2, "%2E.");
    expect_name(" a b", 4, "%20a b");
    expect_name("a\0b\n\x7f\\", 6, "a%00b%0A%7F%5C");
    expect_name("100%", 4, "100%25");
    expect_name("\xc3\xbc[1]", 5, "\xc3\xbc[1]");
    expect_name("", 0, "");
}

static void other_names_stand_for_themselves(void **state) {
    (void)state;
    static const char *const names[] = {"%", "%2", "%zz", "a%", "100% of it"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        eti_buffer text = {0};
        eti__file_name_add_text(&text, eti__text_of(names[i]));
        assert_text(eti__buffer_text(&text), names[i]);
        eti__buffer_free(&text);
    }
    eti_buffer text = {0};
    eti__file_name_add_text(&text, eti__text_of("%2f%2F"));
    assert_text(eti__buffer_text(&text), "//");
    eti__buffer_free(&text);
}

/* ==== find files ============================================================================== */
/* Finds the files in a folder and below it. */

static const char *const suffixes[] = {".etdp", ".gz", NULL};

/* Appends the path below the folder and a space. */
static eti_status add_name(void *context, const char *path, eti_error *err) {
    (void)err;
    assert_memory_equal(path, folder, strlen(folder));
    eti__buffer_printf(context, "%s ", path + strlen(folder) + 1);
    return ETI_OK;
}

static void files_come_in_order(void **state) {
    (void)state;
    static const char *const folders[] = {"b", "a", "a/deep", "a.etdp", ".hidden"};
    static const char *const files[] = {"b/2.etdp", "b/10.etdp", "a/x.gz",    "a/deep/y.etdp",
                                        "a/other",  "z.etdp",    ".etdp",     ".hidden/x.etdp",
                                        "a.etdp/x", "etdp",      "a/deep/.gz"};
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        assert_int_equal(mkdir(in_folder(folders[i]), 0700), 0);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        make_file(files[i]);
    assert_int_equal(symlink("missing", in_folder("broken.etdp")), 0);
    assert_int_equal(symlink("b", in_folder("link.etdp")), 0);
    assert_int_equal(symlink("b/2.etdp", in_folder("to.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_text(eti__buffer_text(&found),
                "a/deep/y.etdp a/x.gz b/10.etdp b/2.etdp broken.etdp to.etdp z.etdp ");
    eti__buffer_free(&found);
    unlink(in_folder("broken.etdp"));
    unlink(in_folder("link.etdp"));
    unlink(in_folder("to.etdp"));
    for (size_t i = 0; i < COUNT_OF(files); i++)
        assert_int_equal(unlink(in_folder(files[i])), 0);
    for (size_t i = COUNT_OF(folders); i > 0; i--)
        if (strcmp(folders[i - 1], "a") != 0)
            assert_int_equal(rmdir(in_folder(folders[i - 1])), 0);
    assert_int_equal(rmdir(in_folder("a")), 0);
}

static void pipes_are_left_out(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    assert_int_equal(mkfifo(in_folder("pipe.etdp"), 0600), 0);
    assert_int_equal(symlink("/dev/zero", in_folder("zero.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_int_equal(found.size, 0);
    unlink(in_folder("pipe.etdp"));
    unlink(in_folder("zero.etdp"));
}

/* The reader of the file reports why it cannot be read. */
static void a_link_to_itself_is_taken(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    assert_int_equal(symlink("self.etdp", in_folder("self.etdp")), 0);
    assert_ok(eti__find_files(folder, suffixes, add_name, &found, &err));
    assert_text(eti__buffer_text(&found), "self.etdp ");
    eti__buffer_free(&found);
    unlink(in_folder("self.etdp"));
}

/* The names in such a folder can be read, and nothing else. */
static void a_folder_that_may_not_be_searched(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    bool is_root = geteuid() == 0;
    assert_int_equal(mkdir(in_folder("closed"), 0700), 0);
    const char *file = make_file("closed/1.etdp");
    assert_int_equal(chmod(in_folder("closed"), 0444), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    if (is_root)
        assert_int_equal(seteuid(65534), 0);
    eti_status status = eti__find_files(folder, suffixes, add_name, &found, &err);
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_fails(status, ETI_ERROR_READ, "closed/1.etdp: cannot read: Permission denied");
    assert_int_equal(found.size, 0);
    assert_int_equal(chmod(in_folder("closed"), 0700), 0);
    unlink(file);
    assert_int_equal(rmdir(in_folder("closed")), 0);
}

static eti_status refuse(void *context, const char *path, eti_error *err) {
    ++*(size_t *)context;
    return eti_fail(err, ETI_ERROR_DATA, "%s: refused", path);
}

static void the_first_failure_ends_it(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    size_t n = 0;
    const char *paths[] = {make_file("1.etdp"), make_file("2.etdp")};
    assert_fails(eti__find_files(folder, suffixes, refuse, &n, &err), ETI_ERROR_DATA,
                 "1.etdp: refused");
    assert_int_equal(n, 1);
    unlink(paths[0]);
    unlink(paths[1]);
}

static void a_folder_that_is_none(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_buffer found = {0};
    const char *file = make_file("1.etdp");
    assert_fails(eti__find_files(in_folder("missing"), suffixes, add_name, &found, &err),
                 ETI_ERROR_READ, "cannot read the folder: No such file or directory");
    assert_fails(eti__find_files(file, suffixes, add_name, &found, &err), ETI_ERROR_READ,
                 "1.etdp: cannot read the folder: Not a directory");
    assert_int_equal(found.size, 0);
    unlink(file);
}

/* ==== path labels ============================================================================= */
/* Makes labels from the folders of a path. */

/* Writes the labels of a path as "key:value,key:value,"; a value that is absent is "-". */
static void spell_labels(const char *path, size_t size, char out[256]) {
    eti_arena arena = {0};
    eti_text rest = {path, size};
    eti_path_label label;
    bool found;
    size_t n = 0;
    out[0] = '\0';
    for (;;) {
        assert_true(eti__path_label_next(&rest, &arena, &label, &found));
        if (!found)
            break;
        assert_true(label.key.size > 0);
        n += (size_t)snprintf(out + n, 256 - n, "%.*s:%.*s,", ETI_TEXT_ARGS(label.key),
                              label.value.data ? (int)label.value.size : 1,
                              label.value.data ? label.value.data : "-");
    }
    eti__arena_free(&arena);
}

static void folders_are_labels(void **state) {
    (void)state;
    static const struct {
        const char *path, *labels;
    } cases[] = {
        {"", ""},
        {"a=b", ""},
        {"/", ""},
        {"a=b/", "a:b,"},
        {"a=b/c=d/run.etdp", "a:b,c:d,"},
        {"/x/a=b//y/c=/z=1", "a:b,c:,"},
        {"s3a://bucket/device=pixel 8/run", "device:pixel 8,"},
        {"=b/a/==/run", ""},
        {"a==b/run", "a:=b,"},
        {"a=1/a=2/run", "a:1,a:2,"},
        {"a=__HIVE_DEFAULT_PARTITION__/run", "a:-,"},
        {"a%3Db=c%2fd%2Fe/run", "a=b:c/d/e,"},
        {"a=%/b=%4/c=%zz/d=%4z/e=%z4/run", "a:%,b:%4,c:%zz,d:%4z,e:%z4,"},
        {"a=%00/b=%0a/run", "a:%00,b:\n,"},
        {"a=%25%32%35/run", "a:%25,"},
        {"k\xff=v\xc3\xa4\xc3/run", "k\xef\xbf\xbd:v\xc3\xa4\xef\xbf\xbd,"},
        {"k=%ff/run", "k:\xef\xbf\xbd,"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char labels[256];
        spell_labels(cases[i].path, strlen(cases[i].path), labels);
        assert_string_equal(labels, cases[i].labels);
    }
}

/* Nothing after the end of the path is read. */
static void the_path_ends_where_it_says(void **state) {
    (void)state;
    static const char path[] = "a=%41/b=c/run";
    static const char *const labels[] = {"",     "",     "",     "",     "",        "",
                                         "a:A,", "a:A,", "a:A,", "a:A,", "a:A,b:c,"};
    for (size_t size = 0; size < COUNT_OF(labels); size++) {
        char found[256], *copy = malloc(size + 1);
        assert_non_null(copy);
        memcpy(copy, path, size);
        char *exact = realloc(copy, size > 0 ? size : 1);
        assert_non_null(exact);
        spell_labels(exact, size, found);
        assert_string_equal(found, labels[size]);
        free(exact);
    }
}

static int run_file(void) {
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
    return cmocka_run_group_tests(tests, make_file_folder, remove_file_folder);
}

static int run_open_below(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_below_are_opened),       cmocka_unit_test(nothing_else_is),
        cmocka_unit_test(links_that_stay_are_followed), cmocka_unit_test(links_that_leave_are_not),
        cmocka_unit_test(devices_are_not_waited_for),   cmocka_unit_test(a_race_is_not_won),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}

static int run_find_files(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_in_order),
        cmocka_unit_test(pipes_are_left_out),
        cmocka_unit_test(a_link_to_itself_is_taken),
        cmocka_unit_test(a_folder_that_may_not_be_searched),
        cmocka_unit_test(the_first_failure_ends_it),
        cmocka_unit_test(a_folder_that_is_none),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_nowhere_else),
        cmocka_unit_test(other_names_stand_for_themselves),
        cmocka_unit_test(folders_are_labels),
        cmocka_unit_test(the_path_ends_where_it_says),
    };
    return run_file() + run_open_below() + run_find_files() +
           cmocka_run_group_tests(tests, NULL, NULL);
}
