/*
 * fuzz_program.c - the input is a program (.pte), a bundle of one with test cases (.bpte) or a data file (.ptd). All its
 * content is read, including the payloads of XNNPACK; FlatBuffers' own verifier must agree about its metadata; results must
 * be consistent: lives of tensors lie inside their method, peaks are at most the planned size, and sizes add up to the
 * files.
 */
#include "../oracle/program_comparison.h"

#include "backends/backends.h"
#include "program/program.h"

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

/* Each payload is one of XNNPACK, or rejected. */
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

typedef struct written {
    uint8_t *bytes;
    size_t size;
} written;

static bool keep_bytes(void *context, const void *data, size_t size) {
    written *out = context;
    out->bytes = realloc(out->bytes, out->size + size + 1);
    FUZZ_EXPECT(out->bytes);
    if (size > 0)
        memcpy(out->bytes + out->size, data, size);
    out->size += size;
    return true;
}

static bool has_faults(const eti_bundle_value *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (values[i].fault)
            return true;
    }
    return false;
}

static void expect_same_values(const eti_bundle_value *a, const eti_bundle_value *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const eti_tensor_values *x = &a[i].tensor, *y = &b[i].tensor;
        FUZZ_EXPECT(a[i].kind == b[i].kind && !b[i].fault && a[i].as_int == b[i].as_int);
        FUZZ_EXPECT(memcmp(&a[i].as_double, &b[i].as_double, sizeof a[i].as_double) == 0);
        if (a[i].kind != ETI_BUNDLE_TENSOR)
            continue;
        FUZZ_EXPECT(x->scalar_type == y->scalar_type && x->n_dims == y->n_dims);
        FUZZ_EXPECT(x->n_elements == y->n_elements);
        FUZZ_EXPECT(x->n_elements == 0 ||
                    memcmp(x->data, y->data, eti__tensor_values_size(x)) == 0);
        for (uint32_t d = 0; d < x->n_dims; d++)
            FUZZ_EXPECT(x->sizes[d] == y->sizes[d] && a[i].dim_order[d] == b[i].dim_order[d]);
    }
}

/* A faultless suite is read back as it was written. */
static void write_again(const eti_bundle *bundle, eti_arena *arena) {
    const eti_bundle_case *cases, *again;
    written out = {NULL, 0};
    eti_output *output;
    eti_bundle read;
    eti_error err = ETI_ERROR_INIT;
    if (bundle->n_suites == 0 || !bundle->suites[0].method.data)
        return;
    FUZZ_EXPECT(eti__bundle_read_suite(&cases, arena, bundle, 0, &err) == ETI_OK);
    eti_bundle_part part = {bundle->suites[0].method, cases, bundle->suites[0].n_cases};
    for (uint32_t i = 0; i < part.n_cases; i++) {
        if (has_faults(cases[i].inputs, cases[i].n_inputs) ||
            has_faults(cases[i].expected, cases[i].n_expected))
            return;
    }
    FUZZ_EXPECT(eti__output_open_function(&output, keep_bytes, &out, &err) == ETI_OK);
    FUZZ_EXPECT(eti__bundle_write(&part, 1, bundle->program, output, &err) == ETI_OK);
    FUZZ_EXPECT(eti__output_commit(output, &err) == ETI_OK);
    FUZZ_EXPECT(eti__bundle_open(&read, arena, (eti_text){(const char *)out.bytes, out.size},
                                 &err) == ETI_OK);
    FUZZ_EXPECT(read.n_suites == 1 && eti__text_equal(read.suites[0].method, part.method));
    FUZZ_EXPECT(eti__text_equal(read.program, bundle->program));
    FUZZ_EXPECT(read.suites[0].n_cases == part.n_cases);
    FUZZ_EXPECT(eti__bundle_read_suite(&again, arena, &read, 0, &err) == ETI_OK);
    for (uint32_t i = 0; i < part.n_cases; i++) {
        FUZZ_EXPECT(cases[i].n_inputs == again[i].n_inputs);
        FUZZ_EXPECT(cases[i].n_expected == again[i].n_expected);
        expect_same_values(cases[i].inputs, again[i].inputs, cases[i].n_inputs);
        expect_same_values(cases[i].expected, again[i].expected, cases[i].n_expected);
    }
    free(out.bytes);
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
    walk_bundle(&pte.bundle, arena);
    write_again(&pte.bundle, arena);
    for (uint32_t i = 0; i < pte.n_plans; i++) {
        plan_memory(&pte.plans[i], arena);
        read_payloads(&pte.plans[i], arena);
    }
    add_up(&pte, NULL, arena);
}

/* Uses it beside a real program with external weights. */
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
    FUZZ_EXPECT(eti__input_open_unchanged(&file, &source, NULL) == ETI_OK);
    if (file.kind == ETI_FILE_DATA)
        read_data_file(&file, &arena);
    else
        read_program(&file, &arena);
    eti__arena_free(&arena);
    ask_the_oracle(source.data, size);
    eti__file_release(&file);
    return 0;
}
