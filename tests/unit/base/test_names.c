#include "support.h"

#include "base/arena.h"
#include "base/names.h"
#include "base/text.h"

/* ==== glob ==================================================================================== */
/* Tests patterns with * and ?. */

static void test_matches(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "abc", true},
        {"a*", "abc", true},
        {"*c", "abc", true},
        {"a*c", "abc", true},
        {"a*c", "ac", true},
        {"a*c", "acb", false},
        {"?", "", false},
        {"?", "a", true},
        {"?", "\xc3\xa4", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"*b*d*", "abcde", true},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"**", "x", true},
        {"abc", "abcd", false},
        {"abcd", "abc", false},
        {"a.c", "abc", false},
        {"A*", "abc", false},
        {"*?", "\xc3\xa4", true},
        {"[a]", "a", false},
        {"*\xc3\xa4", "\xc3\xa4", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (eti__glob_match(eti__text_of(cases[i].pattern), eti__text_of(cases[i].name)) !=
            cases[i].fits)
            fail_msg("pattern '%s', name '%s'", cases[i].pattern, cases[i].name);
    }
    assert_false(eti__glob_match(eti__text_of("*"), (eti_text){NULL, 0}));
}

/* An exponential matcher would not finish this. */
static void test_many_stars(void **state) {
    (void)state;
    eti_buffer pattern = {0}, name = {0};
    eti__buffer_add_repeated(&pattern, "*a", 1000);
    eti__buffer_add_string(&pattern, "b");
    eti__buffer_add_repeated(&name, "a", 20000);
    assert_false(eti__glob_match(eti__buffer_text(&pattern), eti__buffer_text(&name)));
    eti__buffer_free(&pattern);
    eti__buffer_free(&name);
}

/* ==== edit distance =========================================================================== */
/* Finds which names are close to a mistyped one. */

static size_t distance(const char *a, const char *b) {
    return eti__edit_distance(eti__text_of(a), eti__text_of(b));
}

static void edits_are_counted(void **state) {
    (void)state;
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("total", "Total"), 1);
    assert_int_equal(distance("top", "tpo"), 1);
    assert_int_equal(distance("abcd", "badc"), 2);
    assert_int_equal(distance("ca", "abc"), 3); /* no edit within a transposition */
    char longer[66] = {0};
    memset(longer, 'a', 65);
    assert_true(distance(longer, "a") == SIZE_MAX);
    longer[64] = '\0';
    assert_int_equal(distance(longer, "a"), 63);
}

static const char *nearest(const char *mistyped) {
    static const char *const names[] = {"op", "optype", "module", "backend", "json", "ndjson"};
    return eti__nearest_of(names, sizeof names / sizeof *names, eti__text_of(mistyped));
}

static void the_nearest_name_is_found(void **state) {
    (void)state;
    assert_string_equal(nearest("ops"), "op");
    assert_string_equal(nearest("modlue"), "module");
    assert_string_equal(nearest("JSON"), "json");
    assert_string_equal(nearest("jsn"), "json");
    assert_string_equal(nearest("Backends"), "backend");
}

static void other_names_are_not_near(void **state) {
    (void)state;
    assert_null(nearest(""));
    assert_null(nearest("o"));
    assert_null(nearest("jn"));
    assert_null(nearest("mdl"));
    assert_null(nearest("method"));
    char longer[66] = {0};
    memset(longer, 'a', 65);
    assert_null(nearest(longer));
}

static void only_a_nearer_name_replaces_one(void **state) {
    (void)state;
    size_t least = ETI_TOO_FAR;
    assert_true(eti__text_is_nearer(eti__text_of("tablet"), eti__text_of("tables"), &least));
    assert_int_equal(least, 1);
    assert_false(eti__text_is_nearer(eti__text_of("tabled"), eti__text_of("tables"), &least));
    assert_true(eti__text_is_nearer(eti__text_of("Tables"), eti__text_of("tables"), &least));
    assert_int_equal(least, 0);
}

/* ==== stack frame ============================================================================= */

/* Writes "file:line function|code" for each frame, with ';' between them. */
static void assert_frames(const char *trace, const char *expected) {
    eti_text rest = eti__text_of(trace);
    eti_buffer found = {0};
    eti_stack_frame frame;
    while (eti__stack_frame_next(&rest, &frame)) {
        eti__buffer_add_string(&found, found.size ? ";" : "");
        eti__buffer_add_text(&found, frame.file);
        eti__buffer_printf(&found, ":%u ", frame.line);
        eti__buffer_add_text(&found, frame.function);
        eti__buffer_add_char(&found, '|');
        eti__buffer_add_text(&found, frame.code);
    }
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
}

static void frames_are_read_outermost_first(void **state) {
    (void)state;
    assert_frames("File \"/m/model.py\", line 12, in forward\n"
                  "    return self.head(x)\n"
                  "  File \"/t/linear.py\", line 134, in forward\n"
                  "    return F.linear(input)",
                  "/m/model.py:12 forward|return self.head(x);/t/linear.py:134 forward|return "
                  "F.linear(input)");
}

static void frames_may_have_no_code_or_function(void **state) {
    (void)state;
    assert_frames("File \"a.py\", line 1, in f\n  File \"b.py\", line 2\n", "a.py:1 f|;b.py:2 |");
}

static void other_lines_are_passed_over(void **state) {
    (void)state;
    assert_frames("Traceback (most recent call last):\n"
                  "  File \"a.py\", line 1, in <module>\n"
                  "    x = (1 +\n"
                  "         ^^^\n"
                  "ValueError: no\n",
                  "a.py:1 <module>|x = (1 +");
    assert_frames("", "");
    assert_frames("File \"a.py\", line , in f\nFile \"a.py, line 3, in f\nfile", "");
    assert_frames("File \"a.py\", line 99999999999, in f", "");
}

static void lines_may_end_as_on_other_systems(void **state) {
    (void)state;
    assert_frames("  File \"a b.py\", line 3, in f g\r\n    code\r\n", "a b.py:3 f g|code");
}

static void assert_library(const char *file, bool expected) {
    eti_stack_frame frame = {.file = eti__text_of(file), .line = 1};
    if (eti__stack_frame_is_library(&frame) != expected)
        fail_msg("%s", file);
}

static void frames_of_torch_differ_from_those_of_users(void **state) {
    (void)state;
    assert_library("/v/lib/python3.11/site-packages/torch/nn/modules/linear.py", true);
    assert_library("/usr/lib/python3/dist-packages/torch/functional.py", true);
    assert_library("/v/site-packages/executorch/exir/x.py", true);
    assert_library("/home/me/pytorch/torch/nn/functional.py", true);
    assert_library("torch/nn/functional.py", true);
    assert_library("<eval_with_key>.1", true);
    assert_library("/v/site-packages/transformers/models/bert/modeling_bert.py", false);
    assert_library("/v/site-packages/torchvision/models/resnet.py", false);
    assert_library("/home/torch/nnets/model.py", false);
    assert_library("/home/me/torch.py", false);
    assert_library("", false);
}

static void assert_exporter(const char *file, bool expected) {
    const eti_stack_frame frame = {.file = eti__text_of(file)};
    assert_int_equal(eti__stack_frame_is_exporter(&frame), expected);
}

static void frames_of_the_exporter_are_no_part_of_models(void **state) {
    (void)state;
    assert_exporter("/v/lib/python3.11/site-packages/torch/_dynamo/functional_export.py", true);
    assert_exporter("/v/site-packages/torch/export/_trace.py", true);
    assert_exporter("/v/dist-packages/executorch/exir/x.py", true);
    assert_exporter("<eval_with_key>.1", true);
    assert_exporter("/v/site-packages/torch/nn/modules/linear.py", false);
    assert_exporter("/v/site-packages/executorch/examples/models/llama/rope.py", false);
    assert_exporter("/home/me/torch/export/model.py", false);
    assert_exporter("", false);
}

static void the_file_of_a_path_has_no_folders(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"/home/user/net.py", "net.py"},
        {"net.py", "net.py"},
        {"C:\\nets\\net.py", "net.py"},
        {"a\\b/net.py", "net.py"},
        {"a/b\\net.py", "net.py"},
        {"nets/", ""},
        {"/", ""},
        {"", ""},
        {"<string>", "<string>"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_text(eti__file_of_path(eti__text_of(cases[i][0])), cases[i][1]);
    assert_int_equal(eti__file_of_path((eti_text){NULL, 0}).size, 0);
}

/* ==== source path ============================================================================= */
/* Compares paths of source files as the export recorded them with those in the repository. */

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

/* ==== words =================================================================================== */

static void expect_words(const char *column, const char *value, const char *expected) {
    eti_buffer out = {0};
    eti_text of = eti__text_of(column), read = eti__text_of(value);
    bool has_words = eti__add_words(&out, of, read);
    assert_int_equal(has_words, expected != NULL);
    assert_true(eti__text_is(eti__buffer_text(&out), expected ? expected : ""));
    assert_int_equal(eti__are_words_for(eti__text_of(expected ? expected : value), of, read),
                     expected != NULL);
    assert_false(eti__are_words_for(read, of, read));
    eti__buffer_free(&out);
}

static void values_have_words(void **state) {
    (void)state;
    expect_words("op", "(delegate, not logged)", "(delegate overhead)");
    expect_words("node", "(delegate, not logged) (2 nodes)", "(delegate overhead) (2 nodes)");
    expect_words("part", "delegate calls: not logged", "delegate overhead");
    expect_words("attribution", "aligned", "matched by order");
    expect_words("heading", "delegate_not_logged", "delegate overhead");
}

static void other_texts_stay(void **state) {
    (void)state;
    expect_words("op", "(delegate, not logged)s", NULL);
    expect_words("op", "(delegate", NULL);
    expect_words("op", "", NULL);
    expect_words("part", "delegate calls: logged", NULL);
    expect_words("op", "delegate calls: not logged", NULL);
    expect_words("event_name", "aligned", NULL);
    expect_words("attribution", "exact", NULL);
    expect_words("run", "delegate_not_logged", NULL);
    eti_buffer out = {0};
    assert_false(eti__add_words(&out, eti__text_of("op"), (eti_text){NULL, 0}));
    assert_false(eti__are_words_for(eti__text_of("(delegate overhead) (3 nodes)"),
                                    eti__text_of("node"),
                                    eti__text_of("(delegate, not logged) (2 nodes)")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_many_stars),
        cmocka_unit_test(edits_are_counted),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(other_names_are_not_near),
        cmocka_unit_test(only_a_nearer_name_replaces_one),
        cmocka_unit_test(frames_are_read_outermost_first),
        cmocka_unit_test(frames_may_have_no_code_or_function),
        cmocka_unit_test(other_lines_are_passed_over),
        cmocka_unit_test(lines_may_end_as_on_other_systems),
        cmocka_unit_test(frames_of_torch_differ_from_those_of_users),
        cmocka_unit_test(frames_of_the_exporter_are_no_part_of_models),
        cmocka_unit_test(the_file_of_a_path_has_no_folders),
        cmocka_unit_test(test_without_maps),
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(values_have_words),
        cmocka_unit_test(other_texts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
