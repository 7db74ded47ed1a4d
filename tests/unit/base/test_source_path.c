/* Compares paths of source files as the export recorded them with those in the repository. */
#include "base/source_path.h"
#include "support.h"

static void expect(const eti_source_paths *paths, const char *path, const char *expected) {
    eti_arena arena = {0};
    eti_text found;
    assert_true(eti__map_source_path(&found, eti__text_of(path), paths, &arena));
    assert_text(found, expected);
    eti__arena_free(&arena);
}

static void test_without_maps(void **state) {
    (void)state;
    const eti_source_paths paths = {NULL, NULL, 0};
    expect(&paths, "/home/me/model.py", "/home/me/model.py");
}

static void test_root(void **state) {
    (void)state;
    eti_source_paths paths = {NULL, NULL, 0};
    paths.root = "/home/me/repo//";
    expect(&paths, "/home/me/repo/models/a.py", "models/a.py");
    expect(&paths, "/home/me/repository/a.py", "/home/me/repository/a.py");
    expect(&paths, "/home/me/repo", "/home/me/repo");
    expect(&paths, "/home/me/repo/", "/home/me/repo/");
    expect(&paths, "/elsewhere/a.py", "/elsewhere/a.py");
    paths.root = "/";
    expect(&paths, "/home/me/a.py", "home/me/a.py");
}

/* The longest path that fits is chosen, in any order. */
static void test_maps(void **state) {
    (void)state;
    static const eti_label maps[] = {
        {"/home/alice", "src"}, {"/home/alice/models/", "models/"}, {"/opt", ""}};
    eti_source_paths paths = {NULL, NULL, 0};
    paths.maps = maps;
    paths.n_maps = COUNT_OF(maps);
    expect(&paths, "/home/alice/a.py", "src/a.py");
    expect(&paths, "/home/alice/models/b.py", "models/b.py");
    expect(&paths, "/opt/python/c.py", "python/c.py");
    paths.root = "/home/alice/models/deep";
    expect(&paths, "/home/alice/models/deep/d.py", "d.py");
    paths.root = "/home";
    expect(&paths, "/home/alice/a.py", "src/a.py");
    expect(&paths, "/home/bob/a.py", "bob/a.py");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_maps),
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
