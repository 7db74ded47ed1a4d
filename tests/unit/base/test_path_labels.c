/* Makes labels from the folders of a path. */
#include "support.h"

#include "base/path_labels.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_labels),
        cmocka_unit_test(the_path_ends_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
