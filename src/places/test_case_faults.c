#include "places/test_case_faults.h"

#include "program/program.h"

#include <inttypes.h>

/* Faults of a bundle while they are counted. */
typedef struct finder {
    const eti_pte *pte;
    eti_text method;
    uint32_t test_case;
    uint64_t n_cases, n_faults;
    eti_buffer first; /* description of the first fault */
} finder;

/* Counts a fault. Returns the buffer for its description, or NULL if it is not the first fault. */
static eti_buffer *add_fault(finder *in, const char *noun, uint32_t i) {
    if (in->n_faults++ > 0)
        return NULL;
    eti__buffer_printf(&in->first, "%s %" PRIu32 " of test case %" PRIu32 " of %.*s ", noun, i,
                       in->test_case, ETI_TEXT_ARGS(in->method));
    return &in->first;
}

static bool is_number(const eti_pte_value *taken, const eti_bundle_value *value) {
    return (taken->kind == ETI_PTE_INT && value->kind == ETI_BUNDLE_INT) ||
           (taken->kind == ETI_PTE_BOOL && value->kind == ETI_BUNDLE_BOOL) ||
           (taken->kind == ETI_PTE_DOUBLE && value->kind == ETI_BUNDLE_DOUBLE);
}

static void check_value(finder *in, const char *noun, uint32_t i, const eti_pte_value *taken,
                        const eti_bundle_value *value) {
    eti_buffer *text;
    bool is_tensor = taken->kind == ETI_PTE_TENSOR && value->kind == ETI_BUNDLE_TENSOR;
    if (value->fault) {
        if ((text = add_fault(in, noun, i)))
            eti__buffer_add_string(text, value->fault);
    } else if (is_tensor && !eti__test_case_fits(&value->tensor, taken->of.as_tensor)) {
        if ((text = add_fault(in, noun, i))) {
            eti__buffer_add_string(text, "is not what the method expects: ");
            eti__test_case_add_unfit(text, &value->tensor, taken->of.as_tensor);
        }
    } else if (!is_tensor && !is_number(taken, value)) {
        if ((text = add_fault(in, noun, i)))
            eti__buffer_add_string(text, "is not of the kind that the method expects");
    }
}

static void check_values(finder *in, const char *noun, const eti_pte_plan *plan,
                         const eti_pte_indices *taken, const eti_bundle_value *values, uint32_t n) {
    static const eti_pte_value none = {.kind = ETI_PTE_ABSENT};
    for (uint32_t i = 0; i < n && i < taken->n; i++) {
        int32_t number = taken->items[i];
        bool is_known = number >= 0 && (uint32_t)number < plan->n_values;
        check_value(in, noun, i, is_known ? &plan->values[number] : &none, &values[i]);
    }
    if (n == taken->n)
        return;
    eti_buffer *text = add_fault(in, noun, n < taken->n ? n : taken->n);
    if (text)
        eti__buffer_printf(text, "is %s: the method has %" PRIu32 ", the test case %" PRIu32,
                           n < taken->n ? "missing" : "too many", taken->n, n);
}

static eti_status check_suite(finder *in, uint32_t number, eti_error *err) {
    const eti_bundle_suite *suite = &in->pte->bundle.suites[number];
    const eti_pte_plan *plan = eti__pte_find_plan(in->pte, suite->method);
    const eti_bundle_case *cases;
    eti_arena arena = {NULL};
    in->method = suite->method;
    in->n_cases += suite->n_cases;
    if (!plan) {
        if (in->n_faults++ == 0)
            eti__buffer_printf(&in->first, "the program has no method %.*s",
                               ETI_TEXT_ARGS(suite->method));
        return ETI_OK;
    }
    eti_status status = eti__bundle_read_suite(&cases, &arena, &in->pte->bundle, number, err);
    for (uint32_t i = 0; status == ETI_OK && i < suite->n_cases; i++) {
        in->test_case = i;
        check_values(in, "input", plan, &plan->inputs, cases[i].inputs, cases[i].n_inputs);
        if (cases[i].n_expected > 0)
            check_values(in, "output", plan, &plan->outputs, cases[i].expected,
                         cases[i].n_expected);
    }
    eti__arena_free(&arena);
    return status;
}

static eti_status note_bundle(eti_inspector *inspector, const eti_pte *pte, eti_error *err) {
    finder in = {.pte = pte};
    eti_buffer text = {0};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; status == ETI_OK && i < pte->bundle.n_suites; i++)
        status = check_suite(&in, i, err);
    eti__buffer_printf(&text, "%s: %" PRIu64 " test case%s", pte->file->name, in.n_cases,
                       in.n_cases == 1 ? "" : "s");
    if (in.n_faults > 0)
        eti__buffer_printf(&text,
                           " with %" PRIu64 " value%s that the runtime rejects or cannot compare: "
                           "%.*s%s; bundle the program again (etinspect bundle)",
                           in.n_faults, in.n_faults == 1 ? "" : "s",
                           ETI_TEXT_ARGS(eti__buffer_text(&in.first)),
                           in.n_faults > 1 ? ", and others" : "");
    text.failed = text.failed || in.first.failed;
    eti__buffer_free(&in.first);
    if (status == ETI_OK)
        return eti__notes_add(inspector, in.n_faults > 0 ? ETI_NOTE_WARNING : ETI_NOTE_INFO, &text,
                              err);
    eti__buffer_free(&text);
    return status;
}

eti_status eti__test_case_faults_note(eti_inspector *inspector, eti_error *err) {
    for (size_t i = 0; i < inspector->n_programs; i++) {
        if (inspector->programs[i].is_bundled)
            ETI_TRY(note_bundle(inspector, &inspector->programs[i], err));
    }
    return ETI_OK;
}
