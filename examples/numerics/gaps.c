/*
 * gaps.c - compares recorded tensors with reference tensors through libetinspect.
 *
 *     cc gaps.c -o gaps $(pkg-config --cflags --libs etinspect)
 *     ./gaps run.etdp debug_buffer.bin aot.npz [model.etrecord [EXPRESSION]]
 *
 * run.etdp and debug_buffer.bin come from one run of a program; aot.npz holds the reference tensors, as written by
 * examples/aot_intermediates.py. Prints the outputs of each EventBlock beside those that the ETRecord expects, then a line
 * for each output of an operator. If EXPRESSION, such as 'snr < 30', is given, prints only the outputs for which it is
 * true, and exits with 1 if there are any.
 */
#include <etinspect.h>

#include <stdio.h>
#include <string.h>

/* ---- outputs of EventBlocks ------------------------------------------------------------------- */

static void print_value(const char *name, const eti_value *value) {
    const eti_tensor *tensor = eti_value_tensor(value, 0);
    printf(" %s ", name);
    if (!tensor) {
        printf("%g", eti_value_as_double(value));
        return;
    }
    printf("%s [", eti_tensor_dtype(tensor));
    for (size_t i = 0; i < eti_tensor_dimension_count(tensor); i++)
        printf("%s%lld", i ? ", " : "", (long long)eti_tensor_sizes(tensor)[i]);
    printf("]");
    /* Elements are in row-major order, and need not be aligned. */
    if (strcmp(eti_tensor_dtype(tensor), "float32") == 0 &&
        eti_tensor_byte_count(tensor) >= sizeof(float)) {
        float first;
        memcpy(&first, eti_tensor_data(tensor), sizeof first);
        printf(" %g ...", (double)first);
    }
}

static void print_outputs(const eti_inspector *inspector) {
    for (size_t b = 0; b < eti_inspector_block_count(inspector); b++) {
        const eti_event_block *block = eti_inspector_block(inspector, b);
        size_t n_expected = eti_event_block_reference_output_count(block);
        for (size_t i = 0; i < eti_event_block_run_output_count(block); i++) {
            eti_text name = eti_event_block_label(block);
            printf("%.*s, output %zu:", (int)name.size, name.data, i);
            print_value("is", eti_event_block_run_output(block, i));
            if (i < n_expected)
                print_value("where the ETRecord expects",
                            eti_event_block_reference_output(block, i));
            printf("\n");
        }
    }
}

/* ---- gaps ------------------------------------------------------------------------------------- */

/* Returns the number of the column, or the number of columns if there is none. */
static size_t column_of(const eti_table *table, const char *name) {
    size_t n = eti_table_column_count(table);
    for (size_t i = 0; i < n; i++) {
        eti_text found = eti_table_column_name(table, i);
        if (found.size == strlen(name) && memcmp(found.data, name, found.size) == 0)
            return i;
    }
    return n;
}

static eti_status print_gaps(const eti_table *table, eti_error *err) {
    const size_t name = column_of(table, "event_name"), output = column_of(table, "output");
    const size_t status_of = column_of(table, "status"), snr = column_of(table, "snr");
    const size_t max_abs = column_of(table, "max_abs");
    eti_table_reader *reader;
    eti_status status = eti_table_reader_open(&reader, table, err);
    if (status != ETI_OK)
        return status;
    for (size_t row = 0; row < eti_table_row_count(table); row++) {
        const eti_cell *cell = eti_table_reader_cell(reader, row, name);
        if (!cell)
            break; /* out of memory */
        eti_text text = eti_cell_as_text(cell);
        printf("%.*s#%lld: ", (int)text.size, text.data,
               (long long)eti_cell_as_int(eti_table_reader_cell(reader, row, output)));
        cell = eti_table_reader_cell(reader, row, snr);
        if (eti_cell_kind_of(cell) == ETI_CELL_DOUBLE)
            printf("snr %.1f dB, max_abs %.3g", eti_cell_as_double(cell),
                   eti_cell_as_double(eti_table_reader_cell(reader, row, max_abs)));
        text = eti_cell_as_text(eti_table_reader_cell(reader, row, status_of));
        printf("%s%.*s\n", text.size > 0 ? " " : "", (int)text.size, text.data ? text.data : "");
    }
    eti_table_reader_close(reader);
    return ETI_OK;
}

/* ---- all -------------------------------------------------------------------------------------- */

static eti_status run(eti_request *request, bool *is_failed, eti_error *err) {
    eti_inspector *inspector;
    eti_report *report;
    eti_status status = eti_inspector_open(&inspector, request, err);
    if (status != ETI_OK)
        return status;
    status = eti_inspector_read_reference_outputs(inspector, err);
    if (status == ETI_OK) {
        print_outputs(inspector);
        status = eti_numerics_report(&report, NULL, inspector, request, err);
    }
    if (status == ETI_OK) {
        status = print_gaps(eti_report_table(report, 0), err);
        *is_failed = eti_report_failed(report);
        eti_report_free(report);
    }
    eti_inspector_close(inspector);
    return status;
}

int main(int argc, char **argv) {
    static const char *const names[] = {"etdump_path", "debug_buffer_path", "reference",
                                        "etrecord_path", "fail_on"};
    bool is_failed = false;
    eti_request *request;
    eti_error err = ETI_ERROR_INIT;
    if (argc < 4 || argc > 6) {
        fprintf(stderr, "usage: %s ETDUMP DEBUG_BUFFER REFERENCE [ETRECORD [EXPRESSION]]\n",
                argv[0]);
        return 2;
    }
    eti_status status = eti_request_new(&request, &err);
    for (int i = 1; i < argc && status == ETI_OK; i++)
        status = eti_request_set(request, names[i - 1], argv[i], &err);
    if (status == ETI_OK)
        status = run(request, &is_failed, &err);
    if (status != ETI_OK)
        fprintf(stderr, "%s: %s\n", argv[0], err.message);
    eti_request_free(request);
    return status != ETI_OK ? 3 : is_failed;
}
