#include "profile_fixture.h"

#include "inspector_fixture.h"

#include "support.h"

#include "profile/labels.h"
#include "profile/parts.h"

#include <stdio.h>

/* ==== profile labels ========================================================================== */
/* Tests labels of profiles that are made, merged and compared. */

#define HEAD "etinspect-baseline,4,samples\ntime_scale,ns\n"
#define BLOCK "block,E,,1,0\nkernel,k,,k,,,,,,,,1\n"

static void labels_of_builds_and_machines_may_differ(void **state) {
    (void)state;
    static const char *const differ[] = {
        "commit",       "build",       "date",  "branch", "version", "governor", "processors",
        "load_average", "temperature", "pairs", "seed",   "pair",    "job"};
    for (size_t i = 0; i < COUNT_OF(differ); i++)
        assert_true(eti__label_may_differ(differ[i]));
    assert_false(eti__label_may_differ("device"));
    assert_false(eti__label_may_differ("commits"));
}

/* commit may differ, and is then a label of the files. */
static void labels_that_all_have_are_kept(void **state) {
    (void)state;
    eti_profile *parts[] = {
        read_profile(HEAD "label,device,a\nlabel,board,x\nfile,a,,,commit=1,branch=m\n" BLOCK),
        read_profile(HEAD "label,board,x\nlabel,device,a\nfile,b,,,commit=2,branch=m\n" BLOCK)};
    eti_profile *whole;
    eti_error err = ETI_ERROR_INIT;
    static const char *const expected[][2] = {{"board", "x"}, {"branch", "m"}, {"device", "a"}};
    assert_ok(eti__profile_merge(&whole, (const eti_profile *const *)parts, 2, false, &err));
    assert_int_equal(whole->n_labels, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_string_equal(whole->labels[i].key, expected[i][0]);
        assert_string_equal(whole->labels[i].value, expected[i][1]);
    }
    assert_string_equal(
        eti__find_label(whole->files[1].labels, whole->files[1].n_labels, "commit")->value, "2");
    eti_profile_free(whole);
    eti_profile_free(parts[0]);
    eti_profile_free(parts[1]);
}

static void assert_alike(const char *base_labels, const char *new_labels, const char *message) {
    char base_text[256], new_text[256];
    snprintf(base_text, sizeof base_text, HEAD "%sfile,a,,\n" BLOCK, base_labels);
    snprintf(new_text, sizeof new_text, HEAD "%sfile,b,,\n" BLOCK, new_labels);
    eti_profile *base = read_profile(base_text), *new_side = read_profile(new_text);
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profiles_check_alike(base, new_side, &err);
    if (message)
        assert_fails(status, ETI_ERROR_USAGE, message);
    else
        assert_ok(status);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void entries_missing_on_a_side_are_a_difference(void **state) {
    (void)state;
    assert_alike("label,device,a\nlabel,commit,1\n", "label,device,a\nlabel,date,2\n", NULL);
    assert_alike("label,device,a\n", "label,device,b\n", "device a and b");
    assert_alike("label,device,a\nlabel,os,x y\nlabel,owner,O'Neil\nlabel,commit,1\n", "",
                 "lacks labels that a.csv has: if it was recorded under the same conditions, save "
                 "it again with label device=a label 'os=x y' label 'owner=O'\\''Neil'; or use "
                 "allow_unlike");
    assert_alike("label,device,a\n", "label,board,1\nlabel,device,a\n", "with label board=1;");
}

/* Reads two files that have these labels. */
static eti_profile *read_pair(const char *name, const char *first, const char *second) {
    char text[512];
    snprintf(text, sizeof text,
             HEAD "file,%s1,,%s%s\nfile,%s2,,%s%s\nblock,E,,1;1,0;0\nkernel,k,,k,,,,,,,,1|1\n",
             name, *first ? "," : "", first, name, *second ? "," : "", second);
    return read_profile(text);
}

static void assert_jobs(const char *base_first, const char *base_second, const char *new_first,
                        const char *new_second, bool are_unlike) {
    eti_profile *base = read_pair("a", base_first, base_second),
                *new_side = read_pair("b", new_first, new_second);
    const eti_label *jobs[2];
    assert_int_equal(eti__profiles_find_unlike_jobs(base, new_side, jobs), are_unlike);
    assert_int_equal(eti__profiles_find_unlike_jobs(new_side, base, jobs), are_unlike);
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profiles_check_jobs(base, new_side, &err);
    if (are_unlike)
        assert_fails(status, ETI_ERROR_USAGE, "measure both builds in one job");
    else
        assert_ok(status);
    assert_ok(eti__profiles_check_alike(base, new_side, &err)); /* they can be merged */
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void sides_of_other_jobs_are_unlike(void **state) {
    (void)state;
    assert_jobs("job=1", "job=1", "job=1", "job=1", false);
    assert_jobs("job=1", "job=2", "job=2", "job=1", false);
    assert_jobs("job=1", "job=1", "job=2", "job=2", true);
    assert_jobs("job=1", "job=2", "job=1", "job=1", true);
    assert_jobs("job=1", "job=1", "commit=2", "commit=2", false);
}

static void assert_in_turns(const char *base_first, const char *base_second, const char *new_first,
                            const char *new_second, bool expected) {
    eti_profile *base = read_pair("a", base_first, base_second),
                *new_side = read_pair("b", new_first, new_second);
    bool are_in_turns;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profiles_are_in_turns(&are_in_turns, base, new_side, &err));
    assert_int_equal(are_in_turns, expected);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void sides_with_the_same_pairs_are_in_turns(void **state) {
    (void)state;
    assert_in_turns("pair=1", "pair=2", "pair=2", "pair=1", true);
    assert_in_turns("pair=1", "pair=2", "pair=1", "pair=3", false);
    assert_in_turns("pair=1", "pair=2", "pair=1", "pair=1", false);
    assert_in_turns("pair=1", "pair=2", "pair=1", "", false);
    assert_in_turns("", "", "", "", false);
}

static void labels_must_be_texts_given_once(void **state) {
    (void)state;
    static const eti_label twice[] = {{"a", "1"}, {"b", "2"}, {"a", "3"}},
                           other[] = {{"a", "\xff"}};
    struct eti_profile *profile = eti__profile_new();
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__profile_add_labels(profile, twice, 3, &err), ETI_ERROR_USAGE,
                 "the label a is given twice");
    profile->n_labels = 0;
    assert_fails(eti__profile_add_labels(profile, other, 1, &err), ETI_ERROR_USAGE, "is not UTF-8");
    eti_profile_free(profile);
}

/* ==== profile files =========================================================================== */
/* Recognizes files of the same process: by their bytes, or by SHA-256 where only that is known. */

/* printf x | sha256sum */
#define SHA256_OF_X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
#define SHA256_OF_Y "a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa"
#define KNOWN(file, bytes)                                                                         \
    { .name = {file, 1}, .size = sizeof bytes - 1, .data = bytes }
#define BY_DIGEST(file, n, digits)                                                                 \
    {                                                                                              \
        .name = {file, 1}, .size = n, .sha256 = { digits, 64 }                                     \
    }

/* Checks the names of the two files that are found; "": there are none. */
static void assert_same(eti_profile_file *files, size_t n, eti_profile_file *others,
                        size_t n_others, const char *first, const char *second) {
    const struct eti_profile profile = {.files = files, .n_files = n},
                             other = {.files = others, .n_files = n_others};
    const eti_profile_file *same[2];
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profiles_find_same_file(&profile, others ? &other : NULL, same, &err));
    assert_int_equal(same[0] != NULL, *first != '\0');
    assert_int_equal(same[1] != NULL, *first != '\0');
    if (same[0] && same[1]) {
        assert_text(same[0]->name, first);
        assert_text(same[1]->name, second);
    }
}

static void the_same_bytes_are_the_same_file(void **state) {
    (void)state;
    static char copy[] = "xy"; /* in another place */
    eti_profile_file files[] = {KNOWN("a", "xy"),
                                KNOWN("b", "x"),
                                KNOWN("c", "zz"),
                                {.name = {"d", 1}, .size = 2, .data = copy}};
    assert_same(files, 3, NULL, 0, "", "");
    assert_same(files, 4, NULL, 0, "a", "d");
    assert_same(files, 2, files + 2, 2, "a", "d");
    assert_same(files + 2, 2, files, 2, "d", "a"); /* the file of the first profile comes first */
    assert_same(files, 1, files + 1, 2, "", "");
}

static void digests_stand_for_bytes(void **state) {
    (void)state;
    eti_profile_file files[] = {KNOWN("a", "x"), BY_DIGEST("b", 1, SHA256_OF_Y),
                                BY_DIGEST("c", 1, SHA256_OF_X), BY_DIGEST("d", 2, SHA256_OF_X)};
    assert_same(files, 2, NULL, 0, "", "");
    assert_same(files, 3, NULL, 0, "a", "c");
    assert_same(files, 1, files + 1, 1, "", "");
    assert_same(files, 1, files + 1, 3, "a", "c");
    assert_same(files + 3, 1, files, 2, "", ""); /* its size differs */
}

/* A name without bytes may stand for any file. */
static void unknown_files_are_no_file(void **state) {
    (void)state;
    eti_profile_file files[] = {{.name = {"a", 1}},
                                {.name = {"b", 1}},
                                {.name = {"c", 1}, .size = 3},
                                {.name = {"d", 1}, .size = 3}};
    assert_same(files, 4, NULL, 0, "", "");
    assert_same(files, 4, files, 4, "", "");
}

static void a_file_is_not_two_processes(void **state) {
    (void)state;
    eti_profile_file files[] = {KNOWN("a", "x"), KNOWN("b", "y"), KNOWN("c", "x")};
    struct eti_profile profile = {.files = files, .n_files = 2};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_check_files(&profile, &err));
    profile.n_files = 3;
    assert_fails(
        eti__profile_check_files(&profile, &err), ETI_ERROR_USAGE,
        "a and c are identical: the same dump is not a second process; give each file once");
}

/* ==== block names ============================================================================= */
/* Finds blocks with the same name; what is found is compared with what a search of all pairs finds. */

#define MOST_BLOCKS 12
#define N_FILES 4

/* Blocks with few names, inputs, methods and files, so that many have the same. */
typedef struct blocks {
    eti_profile_file files[N_FILES];
    eti_profile_block all[MOST_BLOCKS];
    eti_file_runs runs[MOST_BLOCKS][N_FILES];
    eti_profile profile;
} blocks;

static uint32_t next_random(uint32_t *state, uint32_t n) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % n;
}

static void make_blocks(blocks *out, uint32_t seed) {
    static const char *const methods[] = {NULL, "m", "n"};
    static const char *const files[N_FILES] = {"a", "b", "c", "d"};
    uint32_t random = seed;
    *out = (blocks){.profile = {.files = out->files, .n_files = N_FILES, .blocks = out->all}};
    for (size_t i = 0; i < N_FILES; i++)
        out->files[i].name = eti__text_of(files[i]);
    out->profile.n_blocks = 1 + next_random(&random, MOST_BLOCKS);
    for (size_t i = 0; i < out->profile.n_blocks; i++) {
        eti_profile_block *block = &out->all[i];
        const char *method = methods[next_random(&random, 3)];
        uint32_t in = 1 + next_random(&random, (1 << N_FILES) - 1);
        block->name = eti__text_of(next_random(&random, 3) ? "E" : "F");
        block->bundled_input_index = -(int32_t)next_random(&random, 2);
        block->method = method ? eti__text_of(method) : (eti_text){NULL, 0};
        block->files = out->runs[i];
        for (uint32_t file = 0; file < N_FILES; file++) {
            if (in >> file & 1)
                out->runs[i][block->n_files++].file = file;
        }
    }
}

static bool has_file(const eti_profile_block *block, uint32_t file) {
    for (size_t i = 0; i < block->n_files; i++) {
        if (block->files[i].file == file)
            return true;
    }
    return false;
}

static size_t count_files(const blocks *of, const eti_profile_block *block) {
    size_t n = 0;
    for (uint32_t file = 0; file < N_FILES; file++) {
        bool has = false;
        for (size_t i = 0; i < of->profile.n_blocks; i++)
            has =
                has || (eti__block_has_name_of(&of->all[i], block) && has_file(&of->all[i], file));
        n += has;
    }
    return n;
}

static void files_with_a_name_are_counted(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        blocks of;
        size_t found[MOST_BLOCKS];
        make_blocks(&of, seed);
        assert_true(eti__block_names_count_files(&of.profile, found));
        for (size_t i = 0; i < of.profile.n_blocks; i++)
            assert_int_equal(found[i], count_files(&of, &of.all[i]));
    }
}

static bool is_in_list(const eti_block_lists *of, uint32_t list) {
    return of->own == list || of->any == list;
}

/* Each block with the name is in one of the lists, and no other block is. */
static void lists_have_the_blocks_of_a_name_once(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        blocks of;
        eti_block_names names = {{0}};
        eti_block_lists lists[MOST_BLOCKS];
        make_blocks(&of, seed);
        for (size_t i = 0; i < of.profile.n_blocks; i++)
            assert_true(eti__block_names_add(&names, &of.all[i], &lists[i]));
        assert_true(names.count <= ETI_MOST_BLOCK_LISTS * of.profile.n_blocks);
        for (size_t i = 0; i < of.profile.n_blocks * of.profile.n_blocks; i++) {
            size_t a = i / of.profile.n_blocks, b = i % of.profile.n_blocks;
            int n = 0;
            for (size_t k = 0; k < lists[a].n_with_name; k++)
                n += is_in_list(&lists[b], lists[a].with_name[k]);
            assert_int_equal(n, eti__block_has_name_of(&of.all[a], &of.all[b]));
        }
        eti__block_names_free(&names);
    }
}

static bool shares_files(const eti_profile_block *a, const eti_profile_block *b) {
    for (uint32_t file = 0; file < N_FILES; file++) {
        if (has_file(a, file) && has_file(b, file))
            return true;
    }
    return false;
}

/* Checks a profile, in which the first pair that shares no file is found by a search of all pairs. */
static void check(const blocks *of, int *n_failed) {
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < of->profile.n_blocks; i++) {
        for (size_t k = 0; k < i; k++) {
            const eti_profile_block *a = &of->all[i], *b = &of->all[k];
            char expected[64];
            if (!eti__block_has_name_of(a, b) || shares_files(a, b))
                continue;
            snprintf(expected, sizeof expected, "%s and %s have less than half",
                     of->files[b->files[0].file].name.data, of->files[a->files[0].file].name.data);
            assert_fails(eti__profile_check_blocks(&of->profile, &err), ETI_ERROR_USAGE, expected);
            ++*n_failed;
            return;
        }
    }
    assert_ok(eti__profile_check_blocks(&of->profile, &err));
}

static void blocks_of_a_name_must_share_a_file(void **state) {
    (void)state;
    int n_failed = 0;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        blocks of;
        make_blocks(&of, seed);
        check(&of, &n_failed);
    }
    assert_true(n_failed > 200 && n_failed < 1800);
}

/* ==== delegate scales ========================================================================= */
/* Tests the time scales of delegates: baselines keep them, and they must be equal in a comparison. */

#define PROFILE(scales, file)                                                                      \
    "etinspect-baseline,4,samples\ntime_scale,ns" scales "\nfile," file ",1,\n"                    \
    "columns,name,op,op_type,module,backend,delegate_id,handles,file,line,code,ticks\n"            \
    "block,E,,1,0\ndelegated,d,,d,,Npu,,,,,,5\n"

static void scales_are_kept(void **state) {
    (void)state;
    const char *const text = PROFILE(",,Npu=us,a=b=cycles,=ns", "a");
    eti_profile *profile = read_profile(text);
    assert_int_equal(profile->n_delegate_scales, 3);
    assert_text(profile->delegate_scales[0].backend, "Npu");
    assert_int_equal(profile->delegate_scales[0].scale, ETI_SCALE_US);
    assert_text(profile->delegate_scales[1].backend, "a=b");
    assert_int_equal(profile->delegate_scales[1].scale, ETI_SCALE_CYCLES);
    assert_absent(profile->delegate_scales[2].backend);
    assert_saved(profile, true, text);
    eti_profile_free(profile);
}

static void a_thousand_scales_are_kept(void **state) {
    (void)state;
    eti_profile *profile = read_profile(PROFILE("", "a"));
    char name[16];
    for (int i = 0; i < 2 * ETI_MOST_DELEGATE_SCALES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        assert_true(eti__delegate_scales_add(profile, eti__text_of(name), ETI_SCALE_MS));
        assert_true(eti__delegate_scales_add(profile, eti__text_of(name), ETI_SCALE_S));
    }
    assert_int_equal(profile->n_delegate_scales, ETI_MOST_DELEGATE_SCALES);
    for (int i = 0; i < ETI_MOST_DELEGATE_SCALES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        assert_text(profile->delegate_scales[i].backend, name);
        assert_int_equal(profile->delegate_scales[i].scale, ETI_SCALE_MS);
    }
    eti_profile_free(profile);
}

static void what_is_no_scale_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {PROFILE(",,Npu", "a"), PROFILE(",,Npu=", "a"),
                                        PROFILE(",,Npu=min", "a"), PROFILE(",,", "a")};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        eti_error err = ETI_ERROR_INIT;
        eti_profile *profile;
        eti_text whole = baseline_text(texts[i], "a.csv");
        const eti_source source = {"a.csv", whole.data, whole.size};
        assert_fails(eti__profile_read(&profile, &source, NULL, &err), ETI_ERROR_MALFORMED,
                     "record 2: expected the time scale of a delegate, BACKEND=SCALE");
    }
}

static void assert_scales_alike(const char *base_text, const char *new_text, const char *message) {
    eti_profile *base = read_profile(base_text), *new_side = read_profile(new_text);
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profiles_check_alike(base, new_side, &err);
    if (message)
        assert_fails(status, ETI_ERROR_USAGE, message);
    else
        assert_ok(status);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static void scales_of_one_backend_must_be_equal(void **state) {
    (void)state;
    const char *const us = PROFILE(",,Npu=us", "b");
    assert_scales_alike(PROFILE(",,Npu=us", "a"), us, NULL);
    assert_scales_alike(PROFILE(",,Npu=ns", "a"), us,
                        "differ: the time scales of delegate Npu are ns and us; use");
    assert_scales_alike(us, PROFILE(",,Npu=ns", "a"), "delegate Npu are us and ns");
    assert_scales_alike(PROFILE(",,Gpu=ns,Npu=us", "a"), us, NULL);
    assert_scales_alike(PROFILE(",,Gpu=us,Npu=ns", "a"), us, "delegate Npu are ns and us");
    /* a baseline of an older version does not have them */
    assert_scales_alike(PROFILE("", "a"), us, NULL);
    /* without an ETRecord, backends are unknown */
    assert_scales_alike(PROFILE(",,=ns", "a"), us, "delegate Npu are ns and us");
    assert_scales_alike(us, PROFILE(",,=ns", "a"), "delegate Npu are us and ns");
    assert_scales_alike(PROFILE(",,=us", "a"), us, NULL);
    assert_scales_alike(PROFILE(",,=us", "a"), PROFILE(",,=ns", "b"),
                        "the time scales of their delegates are us and ns");
    assert_scales_alike(PROFILE(",,=ns,Npu=us", "a"), PROFILE(",,Npu=us,=ns", "b"), NULL);
}

static void merged_profiles_have_the_scales_of_all_parts(void **state) {
    (void)state;
    eti_profile *parts[] = {read_profile(PROFILE(",,Npu=us,Gpu=ns", "a")),
                            read_profile(PROFILE(",,Npu=ms,Dsp=s,Gpu=ns", "b"))};
    eti_profile *whole;
    eti_error err = ETI_ERROR_INIT;
    const eti_profile *const both[] = {parts[0], parts[1]};
    assert_fails(eti__profile_merge(&whole, both, 2, false, &err), ETI_ERROR_USAGE,
                 "delegate Npu are us and ms");
    assert_ok(eti__profile_merge(&whole, both, 2, true, &err));
    assert_int_equal(whole->n_delegate_scales, 2);
    assert_text(whole->delegate_scales[0].backend, "Gpu");
    assert_text(whole->delegate_scales[1].backend, "Dsp");
    eti_profile_free(whole);
    eti_profile_free(parts[0]);
    eti_profile_free(parts[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_builds_and_machines_may_differ),
        cmocka_unit_test(labels_that_all_have_are_kept),
        cmocka_unit_test(entries_missing_on_a_side_are_a_difference),
        cmocka_unit_test(sides_of_other_jobs_are_unlike),
        cmocka_unit_test(sides_with_the_same_pairs_are_in_turns),
        cmocka_unit_test(labels_must_be_texts_given_once),
        cmocka_unit_test(the_same_bytes_are_the_same_file),
        cmocka_unit_test(digests_stand_for_bytes),
        cmocka_unit_test(unknown_files_are_no_file),
        cmocka_unit_test(a_file_is_not_two_processes),
        cmocka_unit_test(files_with_a_name_are_counted),
        cmocka_unit_test(lists_have_the_blocks_of_a_name_once),
        cmocka_unit_test(blocks_of_a_name_must_share_a_file),
        cmocka_unit_test(scales_are_kept),
        cmocka_unit_test(a_thousand_scales_are_kept),
        cmocka_unit_test(what_is_no_scale_is_refused),
        cmocka_unit_test(scales_of_one_backend_must_be_equal),
        cmocka_unit_test(merged_profiles_have_the_scales_of_all_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
