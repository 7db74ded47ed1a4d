/*
 * fuzz_inspect.c - the whole library through its public header: the input is options, an ETDump, an
 * ETRecord and a debug buffer. All inputs are opened, read completely and printed in every format.
 *
 *     u8 parts     bit 0: there is a record    1: there is a debug buffer    2: exact_time
 *                  bit 3: a method is asked for    4: the dump is given twice    5: no dump at all
 *                  bits 6 and 7, both: three threads must give the result of one
 *     u8 scales    source and target
 *     u8 delegate  the time scales of delegates
 *     u8 method    which method; from bit 2 on: with units, with metadata, and their form
 *     u32 size of the dump, u32 size of the record, dump, record; the rest is the debug buffer
 */
#include "walk.h"

enum {
    HAS_RECORD = 1,
    HAS_BUFFER = 2,
    EXACT = 4,
    HAS_METHOD = 8,
    TWICE = 16,
    NO_DUMP = 32,
    THREADS = 128 + 64
};

#define N_SCALES (ETI_SCALE_CYCLES + 1)

/* ---- threads --------------------------------------------------------------------------------- */

/* Returns the table as TSV, or the reason why there is none. */
static eti_buffer print(const eti_inputs *inputs, eti_options options, size_t n_threads,
                        const eti_table_options *tables) {
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    eti_table *table = NULL;
    options.n_threads = n_threads;
    eti_status status = eti__inspector_open(&inspector, inputs, &options, &err);
    if (status == ETI_OK)
        status = eti__inspector_events_table(&table, inspector, tables, &err);
    if (status == ETI_OK)
        status = eti_table_write(table, "tsv", fuzz_keep, &out, &err);
    if (status != ETI_OK)
        eti__buffer_add_string(&out, err.message);
    eti_table_free(table);
    eti_inspector_close(inspector);
    return out;
}

static void expect_same_with_threads(const eti_inputs *inputs, const eti_options *options,
                                     const eti_table_options *tables) {
    eti_buffer one = print(inputs, *options, 1, tables);
    eti_buffer three = print(inputs, *options, 3, tables);
    FUZZ_EXPECT(fuzz_same_bytes(&one, &three));
    eti__buffer_free(&one);
    eti__buffer_free(&three);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const methods[] = {"forward", "encode", "decode", ""};
    fuzz_input input = {data, size};
    unsigned parts = (unsigned)fuzz_take_number(&input, 1);
    unsigned scales = (unsigned)fuzz_take_number(&input, 1);
    unsigned delegate = (unsigned)fuzz_take_number(&input, 1);
    unsigned method = (unsigned)fuzz_take_number(&input, 1);
    size_t dump_size = (size_t)fuzz_take_number(&input, 4);
    size_t record_size = (size_t)fuzz_take_number(&input, 4);
    eti_source dump = fuzz_source("fuzz.etdp", fuzz_take(&input, dump_size));
    eti_source record = fuzz_source("fuzz.etrecord", fuzz_take(&input, record_size));
    eti_source buffer = fuzz_source("fuzz.bin", fuzz_take_rest(&input));

    const eti_delegate_time_scale delegates[] = {
        {"XnnpackBackend", (eti_time_scale)(delegate % N_SCALES), 0},
        {NULL, (eti_time_scale)(delegate / N_SCALES % N_SCALES), delegate >= 200 ? 600e6 : 0},
    };
    const eti_options options = {
        .source_time_scale = (eti_time_scale)(scales % N_SCALES),
        .target_time_scale = (eti_time_scale)(scales / N_SCALES % N_SCALES),
        .delegate_time_scales = delegates,
        .n_delegate_time_scales = delegate / (N_SCALES * N_SCALES) % 3,
        .exact_time = parts & EXACT,
        .method = parts & HAS_METHOD ? methods[method % 4] : NULL,
        .n_threads = 1,
    };
    const eti_table_options tables = {
        .include_units = method & 4,
        .include_delegate_debug_data = !(method & 8),
        .delegate_metadata = (eti_metadata_form)(method / 16 % (ETI_METADATA_JSON + 1)),
    };
    const eti_source dumps[] = {dump, dump};
    const eti_inputs inputs = {
        .etdumps = dumps,
        .n_etdumps = parts & NO_DUMP ? 0
                     : parts & TWICE ? 2
                                     : 1,
        .etrecord = parts & HAS_RECORD ? &record : NULL,
        .debug_buffer = parts & HAS_BUFFER ? &buffer : NULL,
    };
    if ((parts & THREADS) == THREADS)
        expect_same_with_threads(&inputs, &options, &tables);
    else
        fuzz_inspect(&inputs, &options, &tables);
    fuzz_source_free(dump);
    fuzz_source_free(record);
    fuzz_source_free(buffer);
    return 0;
}
