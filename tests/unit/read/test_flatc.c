/* flatc, with this project's schema, must decode every accepted file to the same content. */
#include "flatc_json.h"
#include "sample_dump.h"

#include "read/etdump.h"
#include "read/read.h"

#include <glob.h>
#include <unistd.h>

static char folder[] = "/tmp/etinspect-flatc-XXXXXX";

static bool has_flatc(void) {
    return system("flatc --version > /dev/null 2>&1") == 0;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

#define SKIP_WITHOUT_FLATC()                                                                       \
    do {                                                                                           \
        if (!has_flatc()) {                                                                        \
            print_message("flatc is missing (Debian: flatbuffers-compiler)\n");                    \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

/* Returns the JSON that flatc makes of the bytes. */
static char *decode(const uint8_t *data, size_t size, bool prefixed) {
    char binary[128], json[128], command[512];
    snprintf(binary, sizeof binary, "%s/dump.etdp", folder);
    snprintf(json, sizeof json, "%s/dump.json", folder);
    FILE *file = fopen(binary, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
    snprintf(command, sizeof command,
             "flatc --json --strict-json --natural-utf8 %s -o %s schema/etdump.fbs -- %s",
             prefixed ? "--size-prefixed" : "", folder, binary);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
    size_t n;
    char *text = (char *)read_whole_file(json, &n);
    text[n] = '\0';
    unlink(binary);
    unlink(json);
    return text;
}

static eti_position root_of(const eti_flatbuf *buffer) {
    eti_position root;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__flatbuf_verify(buffer, eti__etdump_schema, 1, &root, &err));
    return root;
}

/* Returns the number of values that were compared. */
static size_t compare(const struct eti_file *file, const char *json) {
    eti_etdump dump;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__etdump_open(&dump, file, 1, &err));
    comparison c = {.at = json, .buffer = &dump.buffer};
    compare_table(&c, eti__etdump_schema, root_of(&dump.buffer));
    skip_space(&c);
    assert_int_equal(*c.at, '\0');
    return c.n_values;
}

static void flatc_reads_golden_dumps_as_we_do(void **state) {
    (void)state;
    SKIP_WITHOUT_FLATC();
    glob_t found;
    assert_int_equal(glob("testdata/*/run.etdp", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 11);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct eti_file file;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__file_open_source(&file, &(eti_source){.path = found.gl_pathv[i]}, &err));
        char *json = decode(file.data, file.size, true);
        assert_true(compare(&file, json) > 10);
        free(json);
        eti__file_release(&file);
    }
    globfree(&found);
}

static void flatc_reads_every_table_and_field_as_we_do(void **state) {
    (void)state;
    SKIP_WITHOUT_FLATC();
    for (int layout = 0; layout < 8; layout++) {
        builder b = {.vtables_behind = layout & 1, .vtables_shared = layout & 2};
        finish_dump(&b, put_sample_dump(&b), layout & 4);
        char *json = decode(b.file.data, b.file.size, layout & 4);
        assert_true(compare(&b.file, json) > 100);
        free(json);
        builder_free(&b);
    }
}

static void flatc_reads_the_smallest_dump_as_we_do(void **state) {
    (void)state;
    SKIP_WITHOUT_FLATC();
    builder b = {0};
    finish_dump(&b, put_dump(&b, (optional){0}, 0), true);
    char *json = decode(b.file.data, b.file.size, true);
    assert_int_equal(compare(&b.file, json), 0);
    free(json);
    builder_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flatc_reads_golden_dumps_as_we_do),
        cmocka_unit_test(flatc_reads_every_table_and_field_as_we_do),
        cmocka_unit_test(flatc_reads_the_smallest_dump_as_we_do),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
