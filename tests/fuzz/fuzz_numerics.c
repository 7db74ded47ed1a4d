/*
 * fuzz_numerics.c - compares recorded tensors with the input. The first byte gives the kind of the rest, the next two the
 * options of the comparison:
 *
 *     r    a reference, beside a real run: .npz, .npy, safetensors or a bundled program
 *     d    the size of an ETDump (4 bytes), the dump, and its debug buffer: compared with a real run, either as the base, and
 *          with its own tensors once they were saved
 *     o    the pickle of the reference outputs in an ETRecord, for compare_results
 *     t    .npy files, each behind its size in two bytes: inputs of a method, and behind an empty one its expected outputs, of
 *          which a bundled program is made
 */
#include "../unit/record_builder.h"

#include "account/account.h"
#include "numerics/numerics.h"
#include "program/program.h"
#include "table/table.h"
#include "view/view.h"
#include "view_events/view_events.h"
#include "view_numerics/view_numerics.h"
#include "write/write.h"

#include "fuzz.h"

#define RUN "testdata/bundled-inputs/"

/* ---- the real run ---------------------------------------------------------------------------- */

static const eti_options without_debug_data = {
    .target_time_scale = ETI_SCALE_MS, .n_threads = 1, .no_debug_data = true};

static eti_source file_source(eti_file **file, const char *path) {
    if (!*file)
        FUZZ_EXPECT(eti_file_open(file, path, NULL) == ETI_OK);
    return eti_file_source(*file);
}

/* Opens the run once: nothing changes it. */
static const eti_inspector *real_run(void) {
    static eti_inspector *inspector;
    static eti_file *dump_file, *record_file, *buffer_file;
    if (!inspector) {
        eti_source dump = file_source(&dump_file, RUN "run.etdp");
        eti_source record = file_source(&record_file, RUN "record.etrecord");
        eti_source buffer = file_source(&buffer_file, RUN "debug_buffer.bin");
        const eti_inputs inputs = {
            .etdumps = &dump, .n_etdumps = 1, .etrecord = &record, .debug_buffer = &buffer};
        FUZZ_EXPECT(eti__inspector_open(&inspector, &inputs, &without_debug_data, NULL) == ETI_OK);
    }
    return inspector;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static long find_column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text column = eti_table_column_name(table, i);
        if (column.size == strlen(name) && memcmp(column.data, name, column.size) == 0)
            return (long)i;
    }
    return -1;
}

/* Reads all cells; with `is_same`, compared elements must be identical. */
static void read_table(const eti_table *table, bool is_same) {
    long identical = find_column(table, "identical"), mismatched = find_column(table, "mismatched");
    eti_table_reader *reader;
    FUZZ_EXPECT(eti_table_reader_open(&reader, table, NULL) == ETI_OK);
    for (size_t row = 0; row < eti_table_row_count(table) && row < 256; row++) {
        for (size_t i = 0; i < eti_table_column_count(table); i++) {
            eti_text text = eti_cell_as_text(eti_table_reader_cell(reader, row, i));
            fuzz_touch(text);
        }
        if (!is_same || identical < 0)
            continue;
        const eti_cell *cell = eti_table_reader_cell(reader, row, (size_t)identical);
        FUZZ_EXPECT(eti_cell_kind_of(cell) != ETI_CELL_BOOL || eti_cell_as_bool(cell));
        cell = eti_table_reader_cell(reader, row, (size_t)mismatched);
        FUZZ_EXPECT(eti_cell_kind_of(cell) != ETI_CELL_INT || eti_cell_as_int(cell) == 0);
    }
    eti_table_reader_close(reader);
}

/* Findings are written, or there are none to write. */
static void write_findings(const eti_report *report, const char *format) {
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    options.color = ETI_COLOR_NEVER;
    eti_status status = eti__report_write(report, format, &options, fuzz_keep, &out, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    else
        FUZZ_EXPECT(fuzz_is_utf8(eti__buffer_text(&out), NULL));
    eti__buffer_free(&out);
}

/* Makes options of a comparison from two bytes. */
typedef struct choices {
    unsigned how, what;
} choices;

/* `reference` NULL: compares with `base`. */
static void compare(const eti_inspector *base, const eti_inspector *newer,
                    const eti_source *reference, choices chosen, bool is_same) {
    static const char *const matches[] = {NULL, "source", "handle", "instruction", "name"};
    static const char *const metrics[] = {NULL, NULL, "mse", "l1", "snr"};
    static const char *const rules[] = {"mismatched > 0", "snr < 20 or nan_new > 0",
                                        "pass == false"};
    static const char *const formats[] = {"junit", "github", "json", "text"};
    eti_numerics_options options = ETI_NUMERICS_OPTIONS_DEFAULT;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    options.view = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    options.view.run = chosen.what & 64 ? "all" : NULL;
    options.references = reference;
    options.n_references = reference != NULL;
    options.match = matches[chosen.how % 5];
    options.metric = metrics[chosen.how / 5 % 5];
    options.is_each = chosen.how / 25 % 2;
    options.fail_on = &rules[chosen.what % 3];
    options.n_fail_on = chosen.what & 4 ? 1 : 0;
    options.verify = chosen.what & 8;
    options.test_case = chosen.what & 16 ? 0 : ETI_NO_TEST_CASE_ASKED;
    if (chosen.what & 32)
        options.tolerances.rtol = options.tolerances.atol = 0;
    if (is_same)
        options.n_fail_on = 0;
    eti_status status = eti__numerics_report(&report, base, newer, &options, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(!report);
        fuzz_expect_error(status, &err);
        return;
    }
    for (size_t i = 0; i < eti_report_table_count(report); i++)
        read_table(eti_report_table(report, i), is_same);
    write_findings(report, formats[chosen.what >> 6 & 3]);
    eti_report_free(report);
}

/* ---- a reference, and another run ------------------------------------------------------------ */

static void compare_reference(eti_text bytes, choices chosen) {
    eti_source reference = fuzz_source("fuzz.reference", bytes);
    compare(NULL, real_run(), &reference, chosen, false);
    fuzz_source_free(reference);
}

/* Tensors that are saved by event and read again have the same names and elements. */
static void compare_saved(const eti_inspector *inspector, choices chosen) {
    static const eti_view_options all_runs = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    eti_saved_tensors saved = {.n = 0};
    eti_buffer bytes = {0};
    eti_output *output;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    if (eti__inspector_report(&report, inspector, "tensors", &all_runs, NULL) != ETI_OK)
        return;
    eti_status status = eti__view_tensors_saved(&saved, report, chosen.what & 1, &err);
    FUZZ_EXPECT(eti__output_open_function(&output, fuzz_keep, &bytes, NULL) == ETI_OK);
    if (status == ETI_OK)
        status = chosen.what & 2 ? eti__npz_write(saved.tensors, saved.n, output, &err)
                                 : eti__safetensors_write(saved.tensors, saved.n, output, &err);
    FUZZ_EXPECT(eti__output_commit(output, NULL) == ETI_OK);
    if (status == ETI_OK) {
        const eti_source source = fuzz_source("fuzz.saved", eti__buffer_text(&bytes));
        compare(NULL, inspector, &source, chosen, false);
        fuzz_source_free(source);
    } else {
        fuzz_expect_error(status, &err);
    }
    eti__buffer_free(&bytes);
    eti__saved_tensors_free(&saved);
    eti_report_free(report);
}

static void compare_run(fuzz_input *input, choices chosen) {
    size_t size = (size_t)fuzz_take_number(input, 4);
    eti_source dump = fuzz_source("fuzz.etdp", fuzz_take(input, size));
    eti_source buffer = fuzz_source("fuzz.bin", fuzz_take_rest(input));
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .debug_buffer = &buffer};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__inspector_open(&inspector, &inputs, &without_debug_data, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
    } else {
        compare(real_run(), inspector, NULL, chosen, false);
        compare(inspector, real_run(), NULL, chosen, false);
        compare(inspector, inspector, NULL, chosen, true);
        compare_saved(inspector, chosen);
    }
    eti_inspector_close(inspector);
    fuzz_source_free(dump);
    fuzz_source_free(buffer);
}

/* ---- reference outputs ----------------------------------------------------------------------- */

/* Makes the archive of torch.save that an ETRecord would have for them. */
static void pack_outputs(record_builder *archive, eti_text pickle) {
    static const char bytes[64] = "\1\2\3\4\5\6\7\10abcdefghijklmnopqrstuvwxyz";
    static const uint8_t storage_sizes[] = {24, 64, 8, 0};
    char name[] = "a/data/0";
    add_sized_member(archive, "a/data.pkl", pickle.data, pickle.size);
    for (size_t i = 0; i < sizeof storage_sizes; i++) {
        name[sizeof name - 2] = (char)('0' + i);
        add_sized_member(archive, name, bytes, storage_sizes[i]);
    }
    finish_record(archive);
}

static void compare_outputs(eti_text pickle) {
    static eti_file *dump_file, *buffer_file;
    eti_source dump = file_source(&dump_file, RUN "run.etdp");
    eti_source buffer = file_source(&buffer_file, RUN "debug_buffer.bin");
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .n_threads = 1};
    record_builder archive = {0}, record = {0};
    eti_buffer text = {0};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    pack_outputs(&archive, pickle);
    add_member(&record, "ETRECORD_V0", "");
    add_sized_member(&record, "reference_outputs", (const char *)archive.file.data,
                     archive.file.size);
    finish_record(&record);
    eti_source record_source =
        fuzz_source("fuzz.etrecord", (eti_text){(const char *)record.file.data, record.file.size});
    const eti_inputs inputs = {
        .etdumps = &dump, .n_etdumps = 1, .etrecord = &record_source, .debug_buffer = &buffer};
    FUZZ_EXPECT(eti__inspector_open(&inspector, &inputs, &options, NULL) == ETI_OK);
    eti_status status = eti_inspector_compare_results(inspector, NULL, fuzz_keep, &text, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    FUZZ_EXPECT((status == ETI_OK) == (text.size > 0));
    eti_inspector_close(inspector);
    fuzz_source_free(record_source);
    eti__buffer_free(&text);
    free_record(&archive);
    free_record(&record);
}

/* ---- test cases ------------------------------------------------------------------------------ */

/* Packs files up to an empty one, or the end. */
static void pack_arrays(record_builder *zip, fuzz_input *input) {
    char name[] = "0.npy";
    for (; input->size > 0 && name[0] < '8'; name[0]++) {
        eti_text bytes = fuzz_take(input, (size_t)fuzz_take_number(input, 2));
        if (bytes.size == 0)
            break;
        add_sized_member(zip, name, bytes.data, bytes.size);
    }
    finish_record(zip);
}

static void expect_same(const eti_bundle_value *made, const eti_bundle_value *read, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const eti_tensor_values *x = &made[i].tensor, *y = &read[i].tensor;
        FUZZ_EXPECT(made[i].kind == read[i].kind && !read[i].fault);
        FUZZ_EXPECT(made[i].as_int == read[i].as_int);
        FUZZ_EXPECT(memcmp(&made[i].as_double, &read[i].as_double, sizeof made[i].as_double) == 0);
        if (made[i].kind != ETI_BUNDLE_TENSOR)
            continue;
        FUZZ_EXPECT(x->scalar_type == y->scalar_type && x->n_dims == y->n_dims);
        FUZZ_EXPECT(x->n_elements == y->n_elements);
        size_t size = (size_t)eti__tensor_values_size(x);
        uint8_t *bytes = malloc(2 * size + 1);
        FUZZ_EXPECT(bytes);
        eti__tensor_values_copy(x, 0, x->n_elements, bytes);
        eti__tensor_values_copy(y, 0, y->n_elements, bytes + size);
        FUZZ_EXPECT(memcmp(bytes, bytes + size, size) == 0);
        free(bytes);
    }
}

/* Writes the case as a bundled program, which must have the same content. */
static void write_case(const eti_bundle_case *made, const eti_pte_plan *plan, eti_text program,
                       eti_arena *arena) {
    const eti_bundle_part part = {plan->name, made, 1};
    const eti_bundle_case *cases;
    eti_buffer bytes = {0};
    eti_output *output;
    eti_bundle bundle;
    eti_error err = ETI_ERROR_INIT;
    FUZZ_EXPECT(eti__output_open_function(&output, fuzz_keep, &bytes, &err) == ETI_OK);
    FUZZ_EXPECT(eti__bundle_write(&part, 1, program, output, &err) == ETI_OK);
    FUZZ_EXPECT(eti__output_commit(output, &err) == ETI_OK);
    FUZZ_EXPECT(eti__bundle_open(&bundle, arena, eti__buffer_text(&bytes), &err) == ETI_OK);
    FUZZ_EXPECT(bundle.n_suites == 1 && bundle.suites[0].n_cases == 1);
    FUZZ_EXPECT(eti__text_equal(bundle.program, program));
    FUZZ_EXPECT(eti__bundle_read_suite(&cases, arena, &bundle, 0, &err) == ETI_OK);
    FUZZ_EXPECT(cases[0].n_inputs == made->n_inputs && cases[0].n_expected == made->n_expected);
    expect_same(made->inputs, cases[0].inputs, made->n_inputs);
    expect_same(made->expected, cases[0].expected, made->n_expected);
    eti__buffer_free(&bytes);
}

static eti_status open_arrays(eti_tensor_file *out, const record_builder *zip, eti_arena *arena) {
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__tensor_file_open(out, arena, &zip->file, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    return status;
}

static void make_case(const eti_pte_plan *plan, eti_text program, fuzz_input *input,
                      bool is_ordered) {
    record_builder inputs = {0}, expected = {0};
    eti_tensor_file input_file = {.n_tensors = 0}, expected_file = {.n_tensors = 0};
    eti_bundle_case made = {.n_inputs = 0};
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    pack_arrays(&inputs, input);
    pack_arrays(&expected, input);
    if (open_arrays(&input_file, &inputs, &arena) == ETI_OK &&
        open_arrays(&expected_file, &expected, &arena) == ETI_OK) {
        const eti_test_file in = {&input_file, "in.npz", is_ordered};
        const eti_test_file out = {&expected_file, "out.npz", is_ordered};
        eti_status status = eti__test_case_add_inputs(&made, &arena, plan, &in, &err);
        if (status == ETI_OK && expected_file.n_tensors > 0)
            status = eti__test_case_add_expected(&made, &arena, plan, &out, &err);
        if (status == ETI_OK)
            write_case(&made, plan, program, &arena);
        else
            fuzz_expect_error(status, &err);
    }
    eti__tensor_file_close(&input_file);
    eti__tensor_file_close(&expected_file);
    eti__arena_free(&arena);
    free_record(&inputs);
    free_record(&expected);
}

static void make_cases(fuzz_input *input, choices chosen) {
    static eti_file *files[3];
    static const char *const programs[] = {"testdata/multi-method/model.pte",
                                           "testdata/dynamic-batch/model.pte",
                                           "testdata/state/model.pte"};
    size_t which = chosen.what % 3;
    eti_source source = file_source(&files[which], programs[which]);
    eti_arena arena = {0};
    struct eti_file file;
    eti_pte pte;
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    FUZZ_EXPECT(eti__pte_open(&pte, &arena, &file, NULL) == ETI_OK);
    make_case(&pte.plans[chosen.what / 4 % pte.n_plans],
              (eti_text){(const char *)pte.data, pte.size}, input, chosen.how & 1);
    eti__file_release(&file);
    eti__arena_free(&arena);
}

/* ---- the input ------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    char kind = (char)fuzz_take_number(&input, 1);
    choices chosen = {.how = 0};
    chosen.how = (unsigned)fuzz_take_number(&input, 1);
    chosen.what = (unsigned)fuzz_take_number(&input, 1);
    if (kind == 'd')
        compare_run(&input, chosen);
    else if (kind == 'o')
        compare_outputs(fuzz_take_rest(&input));
    else if (kind == 't')
        make_cases(&input, chosen);
    else
        compare_reference(fuzz_take_rest(&input), chosen);
    return 0;
}
