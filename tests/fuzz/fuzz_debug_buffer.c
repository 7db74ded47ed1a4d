/*
 * fuzz_debug_buffer.c - the input is the size of an ETDump (4 bytes), the dump, and a debug buffer:
 * tensors lie inside and outside the buffer, runs are compared by its contents, statistics are computed, and a run is
 * compared with itself.
 */
#include "view_numerics/view_numerics.h"
#include "walk.h"

static void read_rows(eti_report *report) {
    const eti_table *table = eti_report_table(report, 0);
    eti_row_reader reader;
    FUZZ_EXPECT(eti__row_reader_open(&reader, table));
    for (size_t row = 0; row < table->n_rows && row < 64; row++)
        (void)eti__row_reader_read(&reader, row);
    FUZZ_EXPECT(!reader.failed);
    eti__row_reader_close(&reader);
    eti_report_free(report);
}

/* A tensor compared with itself differs nowhere. */
static void compare_tensors(const eti_inspector *inspector) {
    static const char *const differing[] = {"identical == false"};
    eti_numerics_options options = ETI_NUMERICS_OPTIONS_DEFAULT;
    options.view = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    options.match = "name";
    eti_report *report;
    if (eti__numerics_report(&report, inspector, inspector, &options, NULL) == ETI_OK)
        read_rows(report);
    options.match = "instruction";
    options.fail_on = differing;
    options.n_fail_on = 1;
    if (eti__numerics_report(&report, inspector, inspector, &options, NULL) == ETI_OK) {
        FUZZ_EXPECT(!report->is_failed);
        read_rows(report);
    }
    options.n_fail_on = 0;
    options.metric = "snr";
    if (eti__numerics_report(&report, inspector, inspector, &options, NULL) == ETI_OK)
        read_rows(report);
}

/* Reads every cell of the recorded tensors of all runs, those on request, too. */
static void list_tensors(const eti_inputs *inputs) {
    static const eti_view_options all_runs = {.table = ETI_TABLE_OPTIONS_DEFAULT, .run = "all"};
    eti_options options = fuzz_options;
    eti_inspector *inspector;
    eti_report *report;
    options.no_debug_data = true;
    if (eti__inspector_open(&inspector, inputs, &options, NULL) != ETI_OK)
        return;
    if (eti__inspector_report(&report, inspector, "tensors", &all_runs, NULL) == ETI_OK)
        read_rows(report);
    compare_tensors(inspector);
    eti_inspector_close(inspector);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    size_t dump_size = (size_t)fuzz_take_number(&input, 4);
    eti_source dump = fuzz_source("fuzz.etdp", fuzz_take(&input, dump_size));
    eti_source buffer = fuzz_source("fuzz.bin", fuzz_take_rest(&input));
    eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .debug_buffer = &buffer};
    fuzz_inspect(&inputs, &fuzz_options, NULL);
    list_tensors(&inputs);
    fuzz_source_free(dump);
    fuzz_source_free(buffer);
    return 0;
}
