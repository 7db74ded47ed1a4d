/* Damages real programs, bundles and data files: they are cut at every length, every single bit is flipped and every byte
 * is replaced. Accepted files fulfil everything that the headers promise and can be read to the last byte; all others are
 * rejected with one clear line; FlatBuffers' own verifier agrees about the metadata. */
#include "damage.h"

#include "oracle/program_comparison.h"

static volatile unsigned touched;

static void touch(eti_text text) {
    for (size_t i = 0; i < text.size; i++)
        touched += (unsigned char)text.data[i];
}

static void expect(bool condition, const char *what) {
    if (!condition)
        fail_msg("%s: expected: %s", damage_place, what);
}

#define WALK_EXPECT(condition) expect((condition), #condition)
#define WALK_TOUCH(text) touch(text)

#include "program_walk.h"

/* Indexed by program_agreement. */
static const char *const other_names[] = {"of their metadata accepted by both", "refused by both",
                                          "accepted by FlatBuffers alone", "not compared", NULL};

static void ask_the_oracle(damage_counts *counts, const uint8_t *data, size_t size) {
    char why[256];
    program_agreement agreement = program_compare(data, size, why);
    if (agreement == PROGRAM_DISAGREE)
        fail_msg("%s: %s", damage_place, why);
    counts->other[agreement]++;
}

static void try_program(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    struct eti_file file = {.name = (char *)(uintptr_t) "damaged",
                            .data = data,
                            .size = size,
                            .kind = eti_file_kind_of(data, size)};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_pte pte;
    eti_status status = eti__pte_open(&pte, &arena, &file, &err);
    counts->tried++;
    if (status == ETI_OK) {
        walk_program(&pte);
        walk_bundle(&pte.bundle, &arena);
        counts->changed++;
    } else {
        expect_clear_error(status, &err, "damaged: ");
        counts->refused[status]++;
    }
    eti__arena_free(&arena);
    ask_the_oracle(counts, data, size);
}

static void try_data_file(void *context, const uint8_t *data, size_t size) {
    damage_counts *counts = context;
    struct eti_file file = {.name = (char *)(uintptr_t) "damaged",
                            .data = data,
                            .size = size,
                            .kind = eti_file_kind_of(data, size)};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_ptd ptd;
    eti_status status = eti__ptd_open(&ptd, &arena, &file, &err);
    counts->tried++;
    if (status == ETI_OK) {
        walk_data_file(&ptd);
        counts->changed++;
    } else {
        expect_clear_error(status, &err, "damaged: ");
        counts->refused[status]++;
    }
    eti__arena_free(&arena);
    ask_the_oracle(counts, data, size);
}

/* Replaces every byte with each of several values. */
static void replace_everywhere(const uint8_t *data, size_t size, try_damaged attempt,
                               void *context) {
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t at = 0; at < size; at += damage_step()) {
        for (size_t i = 0; i < COUNT_OF(values); i++) {
            copy[at] = values[i];
            snprintf(damage_place, sizeof damage_place, "byte %zu is %u", at, values[i]);
            attempt(context, copy, size);
        }
        copy[at] = data[at];
    }
    free(copy);
}

static void damage(const char *path, try_damaged attempt) {
    damage_counts counts = {0};
    size_t size;
    uint8_t *bytes = read_whole_file(path, &size);
    prepare_for_many_readings();
    cut_everywhere(bytes, size, attempt, &counts);
    assert_int_equal(counts.changed, 0);
    snprintf(damage_place, sizeof damage_place, "no damage");
    attempt(&counts, bytes, size);
    assert_int_equal(counts.changed, 1);
    flip_everywhere(bytes, size, attempt, &counts);
    replace_everywhere(bytes, size, attempt, &counts);
    print_counts(path, &counts, other_names);
    free(bytes);
}

static void portable(void **state) {
    (void)state;
    damage("testdata/small/model.pte", try_program);
}

static void inline_constants(void **state) {
    (void)state;
    damage("testdata/mlp/inline.pte", try_program);
}

static void initial_state(void **state) {
    (void)state;
    damage("testdata/state/model.pte", try_program);
}

static void delegates(void **state) {
    (void)state;
    damage("testdata/delegate-ids/model.pte", try_program);
}

static void control_flow(void **state) {
    (void)state;
    damage("testdata/control-flow/model.pte", try_program);
}

static void bundle(void **state) {
    (void)state;
    damage("testdata/bundled-inputs/bundle.bpte", try_program);
}

static void data_file(void **state) {
    (void)state;
    damage("testdata/external-weights/model.ptd", try_data_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable),      cmocka_unit_test(inline_constants),
        cmocka_unit_test(initial_state), cmocka_unit_test(delegates),
        cmocka_unit_test(control_flow),  cmocka_unit_test(bundle),
        cmocka_unit_test(data_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
