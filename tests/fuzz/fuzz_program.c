/*
 * fuzz_program.c - the input is a program (.pte), a bundle of one with test cases (.bpte) or a data file (.ptd). All that it says
 * is read, with the payloads of XNNPACK in it; FlatBuffers' own verifier must agree about its metadata; what is made of it adds up: lives of tensors lie inside
 * their method, peaks inside what is planned, and sizes are those of the files.
 */
#include "../oracle/program_comparison.h"

#include "program/arenas.h"
#include "program/sizes.h"
#include "read/pte/xnnpack.h"

#include "fuzz.h"

#define WALK_EXPECT(condition) FUZZ_EXPECT(condition)
#define WALK_TOUCH(text) fuzz_touch(text)

#include "../program_walk.h"

static void expect_lives(const eti_liveness *liveness) {
    for (uint32_t i = 0; i < liveness->n_tensors; i++) {
        const eti_planned *planned = &liveness->tensors[i];
        FUZZ_EXPECT(planned->value < liveness->calls.plan->n_values);
        FUZZ_EXPECT(planned->role < ETI_N_PLANNED_ROLES);
        FUZZ_EXPECT(planned->alias_of == ETI_NO_PLANNED || planned->alias_of < liveness->n_tensors);
        if (eti__planned_uses_memory(planned) && liveness->calls.n > 0)
            FUZZ_EXPECT(planned->first <= planned->last && planned->last < liveness->calls.n);
    }
}

static void expect_arenas(const eti_planned_arenas *arenas) {
    for (uint32_t i = 0; i < arenas->n_arenas; i++) {
        const eti_planned_arena *one = &arenas->arenas[i];
        FUZZ_EXPECT(one->peak <= one->highest);
        FUZZ_EXPECT(one->n_steps == 0 || eti__arena_in_use(one, one->peak_at) == one->peak);
    }
}

static void plan_memory(const eti_pte_plan *plan, eti_arena *arena) {
    eti_liveness liveness;
    eti_planned_arenas arenas;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__liveness_make(&liveness, arena, plan, NULL, &err) == ETI_OK);
    expect_lives(&liveness);
    FUZZ_EXPECT(eti__arenas_make(&arenas, arena, &liveness, &err) == ETI_OK);
    expect_arenas(&arenas);
}

/* Each payload is one of XNNPACK, or refused. */
static void read_payloads(const eti_pte_plan *plan, eti_arena *arena) {
    for (uint32_t i = 0; i < plan->n_delegates; i++) {
        eti_xnnpack payload;
        eti_error err = ETI_ERROR_INIT;
        eti_status status = eti__xnnpack_read(&payload, arena, plan->delegates[i].payload, &err);
        if (status != ETI_OK)
            fuzz_expect_error(status, &err);
        for (uint32_t n = 0; status == ETI_OK && n < payload.n_nodes; n++)
            FUZZ_EXPECT(payload.nodes[n].n_inputs <= ETI_XNNPACK_MOST_INPUTS);
    }
}

/* `ptd`: NULL without a data file. */
static void add_up(const eti_pte *pte, const eti_ptd *ptd, eti_arena *arena) {
    eti_sizes sizes;
    eti_error err = ETI_ERROR_INIT;
    uint64_t sum = 0;
    FUZZ_EXPECT(eti__sizes_make(&sizes, arena, pte, ptd, ptd != NULL, &err) == ETI_OK);
    for (uint32_t i = 0; i < sizes.n_rows; i++)
        sum += sizes.rows[i].bytes;
    FUZZ_EXPECT(sum == sizes.file_size);
    FUZZ_EXPECT(sum == pte->file->size + (ptd ? ptd->file->size : 0));
}

static void read_program(const struct eti_file *file, eti_arena *arena) {
    eti_pte pte;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__pte_open(&pte, arena, file, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        return;
    }
    walk_program(&pte);
    for (uint32_t i = 0; i < pte.n_plans; i++) {
        plan_memory(&pte.plans[i], arena);
        read_payloads(&pte.plans[i], arena);
    }
    add_up(&pte, NULL, arena);
}

/* Beside a real program with external weights. */
static void read_data_file(const struct eti_file *file, eti_arena *arena) {
    eti_source source = fuzz_file("testdata/external-weights/model.pte");
    struct eti_file program_file;
    eti_ptd ptd;
    eti_pte pte;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__ptd_open(&ptd, arena, file, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        return;
    }
    walk_data_file(&ptd);
    FUZZ_EXPECT(eti__file_open_source(&program_file, &source, NULL) == ETI_OK);
    FUZZ_EXPECT(eti__pte_open(&pte, arena, &program_file, &err) == ETI_OK);
    add_up(&pte, &ptd, arena);
    eti__file_release(&program_file);
}

static void ask_the_oracle(const uint8_t *data, size_t size) {
    char why[256];
    bool agree = program_compare(data, size, why) != PROGRAM_DISAGREE;
    if (!agree)
        fprintf(stderr, "%s\n", why);
    FUZZ_EXPECT(agree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_source source = {"fuzz.pte", data ? data : (const uint8_t *)"", size};
    struct eti_file file;
    eti_arena arena = {0};
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    if (size >= 8 && memcmp(data + 4, "FT01", 4) == 0)
        read_data_file(&file, &arena);
    else
        read_program(&file, &arena);
    eti__arena_free(&arena);
    ask_the_oracle(source.data, size);
    eti__file_release(&file);
    return 0;
}
