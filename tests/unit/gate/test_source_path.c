/* Paths of source files: as the export recorded them, and as the repository has them. */
#include "gate/source_path.h"
#include "support.h"

static void expect(const eti_gate_options *options, const char *path, const char *expected) {
    eti_arena arena = {0};
    eti_text found;
    assert_true(eti__map_source_path(&found, eti__text_of(path), options, &arena));
    assert_text(found, expected);
    eti__arena_free(&arena);
}

static void test_without_maps(void **state) {
    (void)state;
    const eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    expect(&options, "/home/me/model.py", "/home/me/model.py");
}

static void test_root(void **state) {
    (void)state;
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.source_root = "/home/me/repo//";
    expect(&options, "/home/me/repo/models/a.py", "models/a.py");
    expect(&options, "/home/me/repository/a.py", "/home/me/repository/a.py");
    expect(&options, "/home/me/repo", "/home/me/repo");
    expect(&options, "/home/me/repo/", "/home/me/repo/");
    expect(&options, "/elsewhere/a.py", "/elsewhere/a.py");
    options.source_root = "/";
    expect(&options, "/home/me/a.py", "home/me/a.py");
}

/* The longest that fits, whatever the order. */
static void test_maps(void **state) {
    (void)state;
    static const eti_label maps[] = {
        {"/home/alice", "src"}, {"/home/alice/models/", "models/"}, {"/opt", ""}};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.source_maps = maps;
    options.n_source_maps = COUNT_OF(maps);
    expect(&options, "/home/alice/a.py", "src/a.py");
    expect(&options, "/home/alice/models/b.py", "models/b.py");
    expect(&options, "/opt/python/c.py", "python/c.py");
    options.source_root = "/home/alice/models/deep";
    expect(&options, "/home/alice/models/deep/d.py", "d.py");
    options.source_root = "/home";
    expect(&options, "/home/alice/a.py", "src/a.py");
    expect(&options, "/home/bob/a.py", "bob/a.py");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_maps),
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
