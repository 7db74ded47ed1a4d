/*
 * fuzz_journal.c - the input is a journal. It is rejected, or the file saved from it is an ETDump that both readers accept,
 * with the announced size and numbers of runs and events. The recovered capture then accepts calls like any other.
 */
#include "../oracle/etdump_comparison.h"

#include "etcapture.h"

#include "fuzz.h"

static void check_dump(const uint8_t *data, size_t size, uint64_t n_runs, uint64_t n_events) {
    eti_source source = {"fuzz.etdp", data, size};
    struct eti_file file;
    eti_etdump dump;
    eti_error err = ETI_ERROR_INIT;
    char why[256];
    uint64_t found = 0;
    FUZZ_EXPECT(eti__file_open_source(&file, &source, NULL) == ETI_OK);
    FUZZ_EXPECT(eti__etdump_open(&dump, &file, 1, &err) == ETI_OK);
    FUZZ_EXPECT(etdump_compare_readers(data, size, why) != ETDUMP_DISAGREE);
    FUZZ_EXPECT(dump.runs.count == n_runs);
    for (uint32_t run = 0; run < dump.runs.count; run++)
        found += eti__etdump_read_run(&dump, run).events.count;
    FUZZ_EXPECT(found == n_events);
    eti__file_release(&file);
}

static void save(const etc_capture *c, bool with_partial) {
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    uint64_t size, n_runs, n_events;
    size_t used;
    options.partial_runs = with_partial;
    etc_status status = etc_save_size(c, &options, &size);
    FUZZ_EXPECT(status == etc_count_saved(c, &options, &n_runs, &n_events));
    FUZZ_EXPECT(status == ETC_OK || ((status == ETC_STATE || status == ETC_FULL) && size == 0));
    if (status != ETC_OK)
        return;
    uint8_t *bytes = malloc((size_t)size);
    FUZZ_EXPECT(bytes);
    FUZZ_EXPECT(etc_save_memory(c, &options, bytes, (size_t)size, &used) == ETC_OK);
    FUZZ_EXPECT(used == size);
    check_dump(bytes, used, n_runs, n_events);
    free(bytes);
}

static int refuse(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    return -1;
}

static void record(etc_capture *c) {
    for (int i = 0; i < 40; i++) {
        etc_run(c, i % 3 ? "Execute" : "Default");
        etc_span span = etc_start_text(c, i % 2 ? "event" : "another event");
        etc_end(c, &span);
        etc_log_delegate(c, 0, i, 1, 2, "metadata", 8);
        (void)etc_log_int(c, (etc_key){"key", -1}, i, 0);
    }
    etc_run_end(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    etc_capture *c;
    etc_status status = etc_open_recovered_memory(&c, data, size);
    FUZZ_EXPECT((status == ETC_OK) == (c != NULL));
    if (status != ETC_OK) {
        FUZZ_EXPECT(status == ETC_INVALID || status == ETC_UNSUPPORTED);
        return 0;
    }
    etc_stats stats = ETC_STATS_INIT;
    etc_get_stats(c, &stats);
    FUZZ_EXPECT(stats.record_bytes <= stats.memory_bytes && stats.name_bytes <= stats.memory_bytes);
    save(c, false);
    save(c, true);
    FUZZ_EXPECT(etc_sync(c) == ETC_STATE);
    FUZZ_EXPECT(etc_save_debug(c, NULL, (etc_sink){refuse, NULL}) != ETC_IO);
    record(c);
    save(c, false);
    save(c, true);
    etc_reset(c);
    record(c);
    save(c, true);
    etc_close(c);
    return 0;
}
