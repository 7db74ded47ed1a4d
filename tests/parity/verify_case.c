/*
 * verify_case BUNDLE METHOD OUTPUTS - reads lines "CASE RTOL ATOL" and compares the outputs in the file OUTPUTS (.npz, in their
 * order) with those that the test case expects; prints a line of JSON for each.
 */
#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "numerics/numerics.h"
#include "pte/pte.h"
#include "read/read.h"
#include "tensors/tensors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static eti_error err = ETI_ERROR_INIT;

static void check(eti_status status) {
    if (status == ETI_OK)
        return;
    fprintf(stderr, "verify_case: %s\n", err.message);
    exit(1);
}

static void open_file(struct eti_file *out, const char *path) {
    const eti_source source = {.path = path};
    check(eti__input_open_unchanged(out, &source, &err));
}

/* Python's json reads these spellings. */
static void print_number(double number, const char *end) {
    if (isnan(number))
        printf("NaN%s", end);
    else if (isinf(number))
        printf("%sInfinity%s", number < 0 ? "-" : "", end);
    else
        printf("%.17g%s", number, end);
}

static void print_errors(const eti_output_errors *errors) {
    printf("[");
    print_number(eti__errors_mean_abs(errors), ", ");
    print_number(errors->max_abs, ", ");
    print_number(eti__errors_mean_rel(errors), ", ");
    print_number(errors->max_rel, "]");
}

static void print_case(const eti_bundle_case *expected, const eti_tensor_values *const *outputs,
                       uint32_t n_outputs, const eti_tolerances *tolerances) {
    uint32_t n = eti__verify_row_count(expected, n_outputs);
    eti_verified_output *rows = calloc(n + 1, sizeof *rows);
    if (!rows)
        abort();
    eti_verified_case found = eti__verify_case(expected, outputs, n_outputs, tolerances, rows);
    printf("{\"passed\": %s, \"errors\": ", found.passed ? "true" : "false");
    print_errors(&found.errors);
    printf(", \"rows\": [");
    for (uint32_t i = 0; i < n; i++) {
        printf("%s{\"verdict\": \"%s\", \"n_failed\": %" PRIu64 ", \"first\": %" PRIu64
               ", \"errors\": ",
               i > 0 ? ", " : "", eti__verify_name(rows[i].verdict), rows[i].n_failed,
               rows[i].first_failed);
        print_errors(&rows[i].errors);
        printf("}");
    }
    puts("]}");
    free(rows);
}

int main(int argc, char **argv) {
    struct eti_file bundle_file, outputs_file;
    eti_arena arena = {0};
    eti_pte program;
    eti_tensor_file tensors;
    const eti_bundle_case *cases;
    unsigned i_case;
    eti_tolerances tolerances;
    if (argc != 4)
        return 2;
    open_file(&bundle_file, argv[1]);
    open_file(&outputs_file, argv[3]);
    check(eti__pte_open(&program, &arena, &bundle_file, &err));
    check(eti__tensor_file_open(&tensors, &arena, &outputs_file, &err));
    uint32_t number = 0;
    while (number < program.bundle.n_suites &&
           !eti__text_is(program.bundle.suites[number].method, argv[2]))
        number++;
    if (number == program.bundle.n_suites)
        return 2;
    const eti_bundle_suite *suite = &program.bundle.suites[number];
    check(eti__bundle_read_suite(&cases, &arena, &program.bundle, number, &err));
    eti_tensor_values *values = calloc(tensors.n_tensors + 1, sizeof *values);
    const eti_tensor_values **outputs = calloc(tensors.n_tensors + 1, sizeof *outputs);
    for (size_t i = 0; i < tensors.n_tensors && values && outputs; i++) {
        check(eti__tensor_file_load(&values[i], &tensors, i, &arena, &err));
        outputs[i] = &values[i];
    }
    while (scanf("%u %lf %lf", &i_case, &tolerances.rtol, &tolerances.atol) == 3 &&
           i_case < suite->n_cases)
        print_case(&cases[i_case], outputs, (uint32_t)tensors.n_tensors, &tolerances);
    free(values);
    free(outputs);
    eti__tensor_file_close(&tensors);
    eti__file_release(&bundle_file);
    eti__file_release(&outputs_file);
    eti__arena_free(&arena);
    return 0;
}
