/*
 * bundle.c - makes bundled programs from programs and files of tensors.
 */
#include "api/api.h"
#include "api/request.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/files.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "program/program.h"
#include "pte/pte.h"
#include "read/read.h"
#include "tensors/tensors.h"

#include <stdlib.h>
#include <string.h>

/* A file or folder of tensors from which test cases borrow. */
typedef struct opened {
    struct eti_file file; /* all zeros: a folder */
    eti_tensor_file tensors;
} opened;

/* The test cases of a method. */
typedef struct suite {
    const eti_pte_plan *plan;
    eti_bundle_case *cases;
    size_t n, capacity;
} suite;

struct eti_bundle_builder {
    eti_arena arena;
    struct eti_file file;
    eti_pte program;
    suite *suites; /* in the order in which their first cases were added */
    size_t n_suites, suite_capacity;
    opened **files;
    size_t n_files, file_capacity;
};

/* ---- the program ----------------------------------------------------------------------------- */

static eti_status open_program(eti_bundle_builder *builder, const eti_source *source,
                               eti_error *err) {
    ETI_TRY(eti__input_open(&builder->file, source, ETI_FILE_PROGRAM, err));
    ETI_TRY(eti__pte_open(&builder->program, &builder->arena, &builder->file, err));
    if (builder->program.is_bundled)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%s is already a bundled program: give the program (.pte)",
                        builder->file.name);
    return ETI_OK;
}

eti_status eti_bundle_builder_new(eti_bundle_builder **out, const eti_source *program,
                                  eti_error *err) {
    eti_bundle_builder *builder = calloc(1, sizeof *builder);
    *out = NULL;
    if (!builder)
        return eti_fail_memory(err);
    eti_status status = open_program(builder, program, err);
    if (status == ETI_OK)
        *out = builder;
    else
        eti_bundle_builder_free(builder);
    return status;
}

static eti_status fail_method(const eti_bundle_builder *builder, const char *method,
                              eti_error *err) {
    const eti_pte *program = &builder->program;
    eti_buffer names = {0};
    for (uint32_t i = 0; i < program->n_plans; i++) {
        eti__buffer_add_string(&names, i > 0 ? ", " : "");
        eti__buffer_add_text(&names, program->plans[i].name);
    }
    eti_text shown = eti__buffer_text(&names);
    eti_status status =
        names.failed ? eti_fail_memory(err)
                     : eti_fail(err, ETI_ERROR_USAGE, "%s: there is no method %s; there is %.*s",
                                builder->file.name, method, ETI_TEXT_ARGS(shown));
    eti__buffer_free(&names);
    return status;
}

/* Returns the suite of a method, and makes it if there is none; NULL: out of memory. */
static suite *find_suite(eti_bundle_builder *builder, const eti_pte_plan *plan) {
    for (size_t i = 0; i < builder->n_suites; i++) {
        if (builder->suites[i].plan == plan)
            return &builder->suites[i];
    }
    if (!ETI_GROW(builder->suites, builder->suite_capacity, builder->n_suites + 1))
        return NULL;
    suite *made = &builder->suites[builder->n_suites++];
    *made = (suite){.plan = plan};
    return made;
}

/* ---- files of tensors ------------------------------------------------------------------------ */

static eti_status open_tensors(eti_bundle_builder *builder, opened *out, const char *path,
                               eti_error *err) {
    const eti_source source = {.path = path};
    return eti__tensor_source_open(&out->tensors, &builder->arena, &out->file, &source, err);
}

static void close_tensors(opened *file) {
    eti__tensor_file_close(&file->tensors);
    eti__file_release(&file->file);
    free(file);
}

/* Opens the file at `path` for as long as the builder lives. */
static eti_status keep_tensors(eti_bundle_builder *builder, eti_test_file *out, const char *path,
                               eti_error *err) {
    opened *file = calloc(1, sizeof *file);
    if (!file || !ETI_GROW(builder->files, builder->file_capacity, builder->n_files + 1)) {
        free(file);
        return eti_fail_memory(err);
    }
    eti_status status = open_tensors(builder, file, path, err);
    if (status != ETI_OK) {
        eti__file_release(&file->file);
        free(file);
        return status;
    }
    builder->files[builder->n_files++] = file;
    *out = (eti_test_file){&file->tensors, path, file->tensors.is_ordered};
    return ETI_OK;
}

static eti_status make_case(eti_bundle_builder *builder, eti_bundle_case *out,
                            const eti_pte_plan *plan, const char *inputs, const char *expected,
                            eti_error *err) {
    eti_test_file file;
    ETI_TRY(keep_tensors(builder, &file, inputs, err));
    ETI_TRY(eti__test_case_add_inputs(out, &builder->arena, plan, &file, err));
    if (!expected)
        return ETI_OK;
    ETI_TRY(keep_tensors(builder, &file, expected, err));
    return eti__test_case_add_expected(out, &builder->arena, plan, &file, err);
}

eti_status eti_bundle_builder_add(eti_bundle_builder *builder, const char *method,
                                  const char *inputs, const char *expected, eti_error *err) {
    const eti_pte_plan *plan = eti__pte_find_plan(&builder->program, eti__text_of(method));
    eti_bundle_case made = {.n_inputs = 0};
    size_t n_files = builder->n_files;
    if (!plan)
        return fail_method(builder, method, err);
    eti_status status = make_case(builder, &made, plan, inputs, expected, err);
    suite *of = status == ETI_OK ? find_suite(builder, plan) : NULL;
    if (status == ETI_OK && (!of || !ETI_GROW(of->cases, of->capacity, of->n + 1)))
        status = eti_fail_memory(err);
    if (status == ETI_OK)
        of->cases[of->n++] = made;
    while (status != ETI_OK && builder->n_files > n_files)
        close_tensors(builder->files[--builder->n_files]);
    return status;
}

/* ---- the bundle ------------------------------------------------------------------------------ */

static eti_status write_bundle(const eti_bundle_builder *builder, eti_output *output,
                               eti_error *err) {
    const eti_pte *program = &builder->program;
    eti_bundle_part *parts = calloc(builder->n_suites + 1, sizeof *parts);
    if (!parts)
        return eti_fail_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < builder->n_suites; i++) {
        const suite *of = &builder->suites[i];
        if (of->n > 0)
            parts[n++] = (eti_bundle_part){of->plan->name, of->cases, (uint32_t)of->n};
    }
    eti_status status = eti__bundle_write(
        parts, n, (eti_text){(const char *)program->data, (size_t)program->size}, output, err);
    free(parts);
    return status;
}

static eti_status save_bundle(const eti_bundle_builder *builder, const char *path, bool replaces,
                              eti_error *err) {
    eti_output *output;
    replaces = replaces || strcmp(path, "-") == 0;
    ETI_TRY(eti__save_check(path, replaces, err));
    ETI_TRY(eti__output_open(&output, path, err));
    eti_status status = write_bundle(builder, output, err);
    if (status == ETI_OK)
        return eti__save_commit(output, path, replaces, err);
    eti__output_discard(output);
    return status;
}

eti_status eti_bundle_builder_save(const eti_bundle_builder *builder, const char *path,
                                   const eti_request *request, eti_error *err) {
    const char *before = eti__set_option_prefix(request ? request->prefix : "");
    eti_status status = save_bundle(builder, path, eti__request_write(request).replaces, err);
    eti__set_option_prefix(before);
    return status;
}

void eti_bundle_builder_free(eti_bundle_builder *builder) {
    if (!builder)
        return;
    for (size_t i = 0; i < builder->n_suites; i++)
        free(builder->suites[i].cases);
    free(builder->suites);
    for (size_t i = 0; i < builder->n_files; i++)
        close_tensors(builder->files[i]);
    free(builder->files);
    eti__file_release(&builder->file);
    eti__arena_free(&builder->arena);
    free(builder);
}
