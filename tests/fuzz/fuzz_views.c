/*
 * fuzz_views.c - every view, comparison and gate of any dump and record, in every format, through the public header.
 * Options, dump, record and the rest are arranged as in fuzz_inspect.c:
 *
 *     u8 view      which; past the last: what reports on profiles there are
 *     u8 format    which
 *     u8 flags     bit 0: there is a record    1: samples    2: per event, variants split, ASCII    3: narrow
 *                  bit 4: the rest is a filter, else what is sorted by    5: all columns    6: cycles    7: a graph is named
 *     u8 group     by what; depth
 *     u32 size of the dump, u32 size of the record, dump, record; the rest is a selection
 */
#include "account/account.h"
#include "compare/compare.h"
#include "fuzz.h"
#include "gate/gate.h"
#include "profile/profile.h"
#include "table/table.h"
#include "view/view.h"
#include "write/write.h"

enum {
    HAS_RECORD = 1,
    SAMPLES = 2,
    DETAILS = 4,
    NARROW = 8,
    FILTERS = 16,
    ALL_COLUMNS = 32,
    CYCLES = 64,
    GRAPH = 128
};

enum { REPORT_DIFF, REPORT_NOISE, REPORT_PROFILE, REPORT_GATE, N_PROFILE_REPORTS };

static const char *const groups[] = {"op",     "backend", "module", "module:1",
                                     "source", "block",   "method", "nosuch"};

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_one_of(const char *format, const char *const formats[]) {
    for (; *formats; formats++) {
        if (strcmp(format, *formats) == 0)
            return true;
    }
    return false;
}

/* Lines that must not be commands to a program that displays them. */
static void expect_lines(eti_text out) {
    for (size_t at = 0; at < out.size;) {
        const char *end = memchr(out.data + at, '\n', out.size - at);
        size_t size = end ? (size_t)(end - out.data) - at : out.size - at;
        FUZZ_EXPECT(!fuzz_has_control((eti_text){out.data + at, size}, 0xfffd));
        at += size + 1;
    }
}

static void write_report(const eti_report *report, const char *format, unsigned flags) {
    static const char *const escaped[] = {"text",  "json",   "ndjson",    "markdown",    "dot",
                                          "junit", "github", "benchmark", "codequality", NULL};
    static const char *const special[] = {"dot",    "model-explorer", "model-explorer-data",
                                          "chrome", "perfetto",       "speedscope",
                                          "folded", "pprof",          "junit",
                                          "github", "benchmark",      "codequality",
                                          NULL};
    static const char *const drawn[] = {"text", "table", NULL};
    static const char *const files[] = {"sqlite", "html", NULL}; /* not shown on a terminal */
    static const char *const binary[] = {"sqlite", "perfetto", "pprof", NULL};
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    options.color = ETI_COLOR_NEVER;
    options.width = flags & NARROW ? 20 : 0;
    options.ascii = flags & DETAILS;
    options.for_terminal = !is_one_of(format, files);
    options.csv_safe = flags & DETAILS;
    options.most_bytes = flags & NARROW ? 2000 : 0;
    eti_buffer out = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__report_write(report, format, &options, fuzz_keep, &out, &err);
    if (status != ETI_OK) {
        fuzz_expect_error(status, &err);
        FUZZ_EXPECT((status == ETI_ERROR_USAGE && is_one_of(format, special)) ||
                    (status == ETI_ERROR_LIMIT && is_one_of(format, drawn)));
    } else if (!is_one_of(format, binary)) {
        FUZZ_EXPECT(fuzz_is_utf8(eti__buffer_text(&out), NULL));
        if (is_one_of(format, escaped))
            expect_lines(eti__buffer_text(&out));
        FUZZ_EXPECT(!options.most_bytes || strcmp(format, "markdown") != 0 ||
                    out.size <= options.most_bytes);
    }
    eti__buffer_free(&out);
}

/* ---- views ----------------------------------------------------------------------------------- */

static long find_column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti_text column = eti_table_column_name(table, i);
        if (column.size == strlen(name) && memcmp(column.data, name, column.size) == 0)
            return (long)i;
    }
    return -1;
}

/* For any times, each event is counted once. */
static void expect_whole(const eti_report *report) {
    for (size_t i = 0; i < eti_report_table_count(report); i++) {
        const eti_table *table = eti_report_table(report, i);
        long column = find_column(table, "share");
        double sum = 0;
        eti_table_reader *reader;
        FUZZ_EXPECT(eti_table_reader_open(&reader, table, NULL) == ETI_OK);
        for (size_t row = 0; column >= 0 && row < eti_table_row_count(table); row++) {
            const eti_cell *cell = eti_table_reader_cell(reader, row, (size_t)column);
            sum += eti_cell_kind_of(cell) == ETI_CELL_DOUBLE ? eti_cell_as_double(cell) : 0;
        }
        eti_table_reader_close(reader);
        FUZZ_EXPECT(sum == 0 || (sum > 0.999999 && sum < 1.000001));
    }
}

static void show_view(const eti_inspector *inspector, const char *view, const char *format,
                      unsigned flags, unsigned group, const char *rest) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    const char *const modules[] = {"", "L__self__"};
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    options.modules = modules;
    options.n_modules = 2;
    options.samples = flags & SAMPLES;
    options.group = groups[group % 8];
    options.depth = group / 8 % 4;
    options.fold = group / 32 * 0.01;
    options.lines = options.split_variants = options.per_event = flags & DETAILS;
    options.debug_events = options.flows = flags & DETAILS;
    options.args = group % (ETI_ARGS_FULL + 1);
    options.source_root = "/nonexistent";
    options.graph = flags & GRAPH ? rest : NULL;
    eti_status status = eti__inspector_report(&report, inspector, view, &options, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(!report);
        fuzz_expect_error(status, &err);
        return;
    }
    if (strcmp(view, "groups") == 0)
        expect_whole(report);
    eti_selection selection = {
        .columns = flags & ALL_COLUMNS ? "all" : NULL,
        .filter = flags & FILTERS && *rest ? rest : NULL,
        .sort = !(flags & FILTERS) && *rest ? rest : NULL,
    };
    status = eti__report_select(report, &selection, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    write_report(report, format, flags);
    eti_report_free(report);
}

/* ---- profiles -------------------------------------------------------------------------------- */

static void show_profile(const eti_inspector *inspector, unsigned kind, const char *format,
                         unsigned flags, unsigned group) {
    eti_profile *profile;
    static const char *const limits[] = {"op:p50>1us", "optype:max>2ms", "total:p50>1us"};
    eti_report *report = NULL;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__profile_from_inspector(&profile, inspector, NULL, &err);
    if (status != ETI_OK) {
        FUZZ_EXPECT(!profile);
        fuzz_expect_error(status, &err);
        return;
    }
    eti_gate_options gate = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate_outcome outcome;
    gate.diff.group = groups[group % 8];
    switch (kind) {
    case REPORT_DIFF:
        status = eti__diff_report(&report, profile, profile, &gate.diff, &err);
        break;
    case REPORT_NOISE:
        status = eti__noise_report(&report, profile, &gate.diff, &err);
        break;
    case REPORT_PROFILE:
        status = eti__profile_report(&report, profile, true, &err);
        break;
    default:
        /* A file is not compared with itself, but its times are compared with limits. */
        gate.rules = limits;
        gate.n_rules = group % 4;
        gate.diff.lists_all = group & 4;
        status = eti__gate_report(&report, &outcome, profile, profile, &gate, &err);
        FUZZ_EXPECT(status != ETI_OK || gate.n_rules > 0 || outcome != ETI_GATE_FAILED);
    }
    if (status == ETI_OK)
        write_report(report, format, flags);
    else
        fuzz_expect_error(status, &err);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* ---- input ----------------------------------------------------------------------------------- */

static size_t count_names(const char *(*name)(size_t i)) {
    size_t n = 0;
    while (name(n))
        n++;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    size_t n_views = count_names(eti_view_name);
    size_t view = fuzz_take_number(&input, 1) % (n_views + N_PROFILE_REPORTS);
    const char *format =
        eti_format_name(fuzz_take_number(&input, 1) % count_names(eti_format_name));
    unsigned flags = (unsigned)fuzz_take_number(&input, 1);
    unsigned group = (unsigned)fuzz_take_number(&input, 1);
    size_t dump_size = (size_t)fuzz_take_number(&input, 4);
    size_t record_size = (size_t)fuzz_take_number(&input, 4);
    eti_source dump = fuzz_source("fuzz.etdp", fuzz_take(&input, dump_size));
    eti_source record = fuzz_source("fuzz.etrecord", fuzz_take(&input, record_size));
    eti_text rest_bytes = fuzz_take_rest(&input);
    char *rest = strndup(rest_bytes.data, rest_bytes.size);
    FUZZ_EXPECT(rest);

    eti_options options = fuzz_options;
    if (flags & CYCLES)
        options.source_time_scale = options.target_time_scale = ETI_SCALE_CYCLES;
    const eti_inputs inputs = {
        .etdumps = &dump,
        .n_etdumps = 1,
        .etrecord = flags & HAS_RECORD ? &record : NULL,
    };
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    eti_status status = eti__inspector_open(&inspector, &inputs, &options, &err);
    if (status != ETI_OK)
        fuzz_expect_error(status, &err);
    else if (view < n_views)
        show_view(inspector, eti_view_name(view), format, flags, group, rest);
    else
        show_profile(inspector, (unsigned)(view - n_views), format, flags, group);
    eti_inspector_close(inspector);
    free(rest);
    fuzz_source_free(dump);
    fuzz_source_free(record);
    return 0;
}
