/* Finds blocks with the same name; what is found is compared with what a search of all pairs finds. */
#include "profile/block_names.h"

#include "support.h"

#include <stdio.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_with_a_name_are_counted),
        cmocka_unit_test(lists_have_the_blocks_of_a_name_once),
        cmocka_unit_test(blocks_of_a_name_must_share_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
