/* Tests the shares of all views: they add up to the half tick, and one run does not decide their order. */
#include "places/places.h"
#include "report_fixture.h"
#include "rollup_fixture.h"
#include "timeline/timeline.h"

#include <glob.h>
#include <stdio.h>

/* ==== profiles ================================================================================ */

typedef struct opened {
    session s;
    eti_view_options options;
    eti_report *report;
    double whole; /* weight of all methods, in half ticks */
    double n_runs;
} opened;

static const eti_options nanoseconds = {.target_time_scale = ETI_SCALE_NS};

/* Finds the time of all methods, and how many runs count. */
static void find_whole(opened *o) {
    eti_stacks stacks;
    eti_error err = ETI_ERROR_INIT;
    o->options = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    o->options.source_root = "/nowhere";
    const eti_stack_source source = {.inspector = o->s.inspector, .options = o->options};
    assert_ok(eti__stacks_make(&stacks, &source, &err));
    o->whole = eti__wide_as_double(stacks.rollup.whole.weight);
    o->n_runs = (double)stacks.rollup.runs.n;
    assert_true(o->whole < 9007199254740992.0); /* a double counts its half ticks */
    eti__stacks_free(&stacks);
}

static bool is_there(const char *path) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file)
        fclose(file);
    return file != NULL;
}

/* Opens a profile; record and program may be NULL. */
static void open_files(opened *o, const char *dump, const char *record, const char *program) {
    const eti_source etdump = {dump, NULL, 0}, etrecord = {record, NULL, 0},
                     pte = {program, NULL, 0};
    const eti_inputs inputs = {.etdumps = &etdump,
                               .n_etdumps = 1,
                               .etrecord = record ? &etrecord : NULL,
                               .programs = program ? &pte : NULL,
                               .n_programs = program != NULL};
    *o = (opened){.whole = 0};
    if (eti__open_seen_through(&o->s.inspector, &inputs, &nanoseconds, &o->s.err) != ETI_OK)
        fail_msg("%s: %s", dump, o->s.err.message);
    find_whole(o);
}

static void close_files(opened *o) {
    eti_report_free(o->report);
    close_session(&o->s);
}

static const eti_table *show(opened *o, const char *view) {
    eti_report_free(o->report);
    o->report = report_of(&o->s, view, &o->options);
    return o->report->n_sections > 0 ? o->report->sections[0].table : NULL;
}

static const eti_table *group_by(opened *o, const char *key) {
    o->options.group = key;
    return show(o, "groups");
}

/* ==== sums ==================================================================================== */

/* Returns the half ticks of a share of the whole: an integer, which is checked. */
static double weight_of(eti_cell share, double whole, const char *what) {
    double exact = share.kind == ETI_CELL_DOUBLE ? share.as_double * whole : 0;
    if (fabs(exact - round(exact)) > 0.01)
        fail_msg("%s: %.17g is no number of half ticks", what, exact);
    return round(exact);
}

static double weight_at(const eti_table *table, size_t row, const char *column, double whole) {
    return weight_of(cell_at(table, row, column), whole, column);
}

static double sum_of(const eti_table *table, const char *column, double whole) {
    double sum = 0;
    for (size_t i = 0; i < eti_table_row_count(table); i++)
        sum += weight_at(table, i, column, whole);
    return sum;
}

static void assert_whole(double sum, double whole, const char *dump, const char *what) {
    if (sum != whole)
        fail_msg("%s: %s: %.17g half ticks of %.17g", dump, what, sum, whole);
}

/* Checks that all rows add up to the whole. */
static void assert_sum(const opened *o, const eti_table *table, const char *dump,
                       const char *what) {
    if (!table || eti_table_row_count(table) == 0)
        return;
    assert_whole(sum_of(table, "share", o->whole), o->whole, dump, what);
}

/* Checks that the time of each row is that of its own events and of the rows directly below it. */
static void assert_nested(const opened *o, const eti_table *table, const char *dump) {
    size_t n = eti_table_row_count(table);
    double all = 0, self = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t level = cell_at(table, i, "level").as_int;
        double below = weight_at(table, i, "self_share", o->whole);
        self += below;
        all += level == 0 ? weight_at(table, i, "share", o->whole) : 0;
        for (size_t k = i + 1; k < n && cell_at(table, k, "level").as_int > level; k++)
            below += cell_at(table, k, "level").as_int == level + 1
                         ? weight_at(table, k, "share", o->whole)
                         : 0;
        assert_whole(below, weight_at(table, i, "share", o->whole), dump, "children and self");
    }
    if (n == 0)
        return;
    assert_whole(all, o->whole, dump, "modules of the first level");
    assert_whole(self, o->whole, dump, "modules without those inside");
}

static bool is_block(const eti_event_block *block, eti_text label) {
    return eti__text_equal(block->label, label) ||
           (label.size == 0 && (block->label.size == 0 || block->name.size == 0));
}

/* Checks that the shares of each EventBlock add up to its own weight. */
static void assert_blocks(opened *o, const char *dump) {
    const eti_blocks *blocks = &o->s.inspector->blocks;
    const eti_table *table = show(o, "event_list");
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        eti_error err = ETI_ERROR_INIT;
        eti_account account;
        double sum = 0;
        size_t n = 0;
        if (!blocks->blocks[b].raw)
            continue;
        assert_ok(eti__account_new(&account, &blocks->blocks[b], &o->s.inspector->options, &err));
        double whole = eti__wide_as_double(account.whole_weight);
        for (size_t i = 0; i < eti_table_row_count(table); i++) {
            eti_cell share = cell_at(table, i, "share");
            if (share.kind != ETI_CELL_DOUBLE ||
                !is_block(&blocks->blocks[b], cell_at(table, i, "block").as_text))
                continue;
            sum += weight_of(share, whole, dump);
            n++;
        }
        if (n > 0)
            assert_whole(sum, whole, dump, "event_list");
        eti__account_free(&account);
    }
}

/* Checks the stacks of flame graphs. */
static void assert_stacks(opened *o, const char *dump) {
    const eti_stack_source source = {.inspector = o->s.inspector, .options = o->options};
    eti_stacks stacks;
    eti_error err = ETI_ERROR_INIT;
    eti_wide sum = {0};
    assert_ok(eti__stacks_make(&stacks, &source, &err));
    for (size_t i = 0; i < stacks.rollup.n_groups; i++)
        eti__wide_add(&sum, stacks.rollup.groups[i].time.weight);
    assert_whole(eti__wide_as_double(sum), o->whole, dump, "stacks");
    if (stacks.rollup.method_runs.n == 1) {
        double ns = 0, n_runs = (double)stacks.rollup.method_runs.of[0].n_runs;
        for (size_t i = 0; i < stacks.n; i++)
            ns += stacks.items[i].ns;
        assert_whole(round(ns * 2 * n_runs), o->whole, dump, "times of stacks");
    }
    eti__stacks_free(&stacks);
}

static void check_groups(opened *o, const char *dump) {
    static const char *const keys[] = {"op",     "backend", "module", "module:1",
                                       "source", "block",   "method"};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        assert_sum(o, group_by(o, keys[i]), dump, keys[i]);
    o->options.group = NULL;
}

static void check_views(opened *o, const char *dump) {
    check_groups(o, dump);
    for (int kernels = 0; kernels < 2; kernels++) {
        o->options.kernels = kernels > 0;
        assert_sum(o, show(o, "ops"), dump, kernels ? "ops by kernel" : "ops");
    }
    assert_sum(o, show(o, "graph"), dump, "graph");
    assert_sum(o, show(o, "layers"), dump, "layers");
    (void)show(o, "delegates");
    if (section_of(o->report, "backends"))
        assert_sum(o, table_of(o->report, "backends"), dump, "delegates");
    (void)show(o, "summary");
    if (section_of(o->report, "backends"))
        assert_sum(o, table_of(o->report, "backends"), dump, "backends of the summary");
    if (section_of(o->report, "layers"))
        assert_sum(o, table_of(o->report, "layers"), dump, "layers of the summary");
    assert_blocks(o, dump);
    assert_stacks(o, dump);
    if (!o->s.inspector->record)
        return;
    assert_sum(o, show(o, "source"), dump, "source");
    static const double folds[] = {0, 0.005, 0.2};
    for (size_t i = 0; i < COUNT_OF(folds); i++) {
        for (int folds_layers = 0; folds_layers < 2; folds_layers++) {
            o->options.fold = folds[i];
            o->options.folds_layers = folds_layers > 0;
            assert_nested(o, show(o, "tree"), dump);
        }
    }
}

static void check_files(const char *dump) {
    char record[512], program[512];
    int n = (int)(strrchr(dump, '/') - dump);
    snprintf(record, sizeof record, "%.*s/record.etrecord", n, dump);
    if (!is_there(record))
        snprintf(record, sizeof record, "%.*s/model.etrecord", n, dump);
    snprintf(program, sizeof program, "%.*s/model.pte", n, dump);
    for (int with = 0; with < 3; with++) {
        opened o;
        if (with > 0 && (!is_there(record) || (with > 1 && !is_there(program))))
            break;
        open_files(&o, dump, with > 0 ? record : NULL, with > 1 ? program : NULL);
        check_views(&o, dump);
        close_files(&o);
    }
}

static void sums_of_every_view_are_the_whole(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("testdata/*/*.etdp", 0, NULL, &found), 0);
    assert_int_equal(glob("testdata/backends/*/*.etdp", GLOB_APPEND, NULL, &found), 0);
    assert_true(found.gl_pathc > 30);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_files(found.gl_pathv[i]);
    globfree(&found);
}

/* ==== one run ================================================================================= */
/* Profiles whose parts take 3 times as long as each other, so that all sums of parts are clear of each other. */

#define N_PARTS                                                                                    \
    7 /* permute, mm, two operators of a delegate and the rest of its call, tan, framework */
#define MOST_RUNS 9

typedef uint64_t part_times[N_PARTS];

static place put_parts(builder *b, const part_times ticks) {
    uint64_t at[N_PARTS + 1] = {1000};
    for (size_t i = 0; i < N_PARTS; i++)
        at[i + 1] = at[i] + ticks[i];
#define PART(event_name, id, first, last)                                                          \
    TIMED(b, .name = (event_name), .instruction_id = SOME(id), .start_time = at[first],            \
          .end_time = at[(last) + 1])
    return RUN(b, "Execute", PART("native_call_permute.out", 0, 0, 0),
               PART("OPERATOR_CALL", 0, 0, 0), PART("native_call_mm.out", 1, 1, 1),
               PART("OPERATOR_CALL", 1, 1, 1),
               TIMED(b, .delegate_id_str = "conv #1", .instruction_id = SOME(2),
                     .start_time = at[2], .end_time = at[3]),
               TIMED(b, .delegate_id_str = "sum #1", .instruction_id = SOME(2), .start_time = at[3],
                     .end_time = at[4]),
               PART("DELEGATE_CALL", 2, 2, 4), PART("native_call_tan.out", 3, 5, 5),
               PART("OPERATOR_CALL", 3, 5, 5),
               TIMED(b, .name = "Method::execute", .start_time = at[0], .end_time = at[N_PARTS]));
#undef PART
}

static void open_parts(opened *o, part_times *runs, size_t n_runs) {
    place of_run[MOST_RUNS];
    *o = (opened){.s.options = &nanoseconds};
    for (size_t i = 0; i < n_runs; i++)
        of_run[i] = put_parts(&o->s.b, runs[i]);
    open_session(&o->s, put_dump(&o->s.b, (optional){0}, put_tables(&o->s.b, of_run, n_runs)),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_int_equal(eti__resolve_kernels(o->s.inspector, &o->s.err), ETI_OK);
    o->options = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    o->options.source_root = "/nowhere";
    o->options.fold = 0;
}

/* Sets the times of the runs: 1 % longer from run to run, and then shorter again. */
static void set_times(part_times *runs, size_t n_runs, const uint64_t *order) {
    for (size_t run = 0; run < n_runs; run++) {
        for (size_t i = 0; i < N_PARTS; i++) {
            uint64_t ticks = 1000;
            for (uint64_t k = 0; k < order[i]; k++)
                ticks *= 3;
            runs[run][i] = ticks + ticks / 100 * ((run * 3 + i) % 5);
        }
    }
}

/* Adds the keys of the rows in their order. */
static void add_rows(const eti_table *table, eti_buffer *out) {
    for (size_t i = 0; i < eti_table_row_count(table); i++) {
        for (size_t k = 0; k < 2; k++) { /* a file and its line */
            eti_cell cell = table_cell(table, i, k);
            if (cell.kind == ETI_CELL_TEXT)
                eti__buffer_add_text(out, cell.as_text);
            if (cell.kind == ETI_CELL_INT)
                eti__buffer_add_i64(out, cell.as_int);
            const eti_text *items = cell.items;
            for (size_t t = 0; cell.kind == ETI_CELL_TEXTS && t < cell.n_items; t++)
                eti__buffer_add_text(out, items[t]);
            eti__buffer_add_char(out, k ? '\n' : ' ');
        }
    }
}

/* Returns the order of the rows in all views. */
static eti_buffer order_of(opened *o) {
    static const char *const keys[] = {"op", "backend", "module", "source"};
    static const char *const views[] = {"ops", "source", "tree", "layers"};
    static const char *const parts[] = {"backends", "outside", "splits"};
    eti_buffer out = {0};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        add_rows(group_by(o, keys[i]), &out);
    for (size_t i = 0; i < COUNT_OF(views); i++)
        add_rows(show(o, views[i]), &out);
    o->options.kernels = true;
    add_rows(show(o, "ops"), &out);
    o->options.kernels = false;
    (void)show(o, "delegates");
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (section_of(o->report, parts[i]))
            add_rows(table_of(o->report, parts[i]), &out);
    }
    (void)show(o, "summary");
    add_rows(table_of(o->report, "operators"), &out);
    add_rows(table_of(o->report, "layers"), &out);
    eti__buffer_add_text(&out, cell_at(table_of(o->report, "headline"), 0, "layer").as_text);
    return out;
}

/* Compares the order with that of runs without an outlier. */
static void assert_order(part_times *runs, size_t n_runs, eti_text expected) {
    opened o;
    open_parts(&o, runs, n_runs);
    eti_buffer found = order_of(&o);
    if (!eti__text_equal(eti__buffer_text(&found), expected))
        fail_msg("%.*s\ninstead of\n%.*s", ETI_TEXT_ARGS(eti__buffer_text(&found)),
                 ETI_TEXT_ARGS(expected));
    eti__buffer_free(&found);
    close_files(&o);
}

static void one_run_does_not_decide_the_order(void **state) {
    (void)state;
    static const uint64_t orders[][N_PARTS] = {
        {0, 1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1, 0}, {3, 6, 0, 5, 2, 4, 1}};
    static const uint64_t factors[] = {0, 10, 1000, UINT64_C(1000000000)};
    for (size_t n_runs = 5; n_runs <= MOST_RUNS; n_runs += 2) {
        for (size_t i = 0; i < COUNT_OF(orders); i++) {
            part_times usual[MOST_RUNS], runs[MOST_RUNS];
            opened o;
            set_times(usual, n_runs, orders[i]);
            open_parts(&o, usual, n_runs);
            eti_buffer expected = order_of(&o);
            close_files(&o);
            for (size_t part = 0; part < N_PARTS; part++) {
                size_t run = (part + i) % n_runs;
                for (size_t f = 0; f <= COUNT_OF(factors); f++) {
                    memcpy(runs, usual, sizeof runs);
                    /* the last one is near the largest time */
                    runs[run][part] =
                        f < COUNT_OF(factors) ? runs[run][part] * factors[f] : UINT64_MAX / 2;
                    assert_order(runs, n_runs, eti__buffer_text(&expected));
                }
            }
            eti__buffer_free(&expected);
        }
    }
}

/* ==== known profiles ========================================================================== */

/* Returns the row with the largest number. */
static size_t first_by(const eti_table *table, const char *column) {
    size_t first = 0;
    for (size_t i = 1; i < eti_table_row_count(table); i++) {
        if (cell_at(table, i, column).as_double > cell_at(table, first, column).as_double)
            first = i;
    }
    return first;
}

static void assert_rounded(double found, double expected, double unit) {
    if (fabs(found - expected) > unit / 2 * 1.000001)
        fail_msg("expected %.10g, found %.10g", expected, found);
}

/* Six processes of one ResNet, which were interrupted. */
static void interrupted_processes_have_one_first_kernel(void **state) {
    (void)state;
    static const struct {
        double typical, p50, share; /* µs, µs, % */
    } expected[] = {{12081.343, 21058.889, 13.14}, {11347.396, 19798.806, 13.65},
                    {14919.235, 22253.308, 32.13}, {12699.683, 14085.302, 13.32},
                    {13584.954, 20626.232, 14.22}, {12688.231, 47166.924, 14.62}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        opened o;
        char dump[64];
        snprintf(dump, sizeof dump, "testdata/interrupted/r%zu.etdp", i);
        open_files(&o, dump, NULL, NULL);
        assert_rounded(o.whole / 2 / o.n_runs / 1000, expected[i].typical, 0.001);
        const eti_table *table = show(&o, "event_list");
        size_t first = first_by(table, "share");
        assert_text(cell_at(table, first, "event_name").as_text,
                    "Convolution (NHWC, F32) IGEMM #1");
        assert_rounded(100 * cell_at(table, first, "share").as_double, expected[i].share, 0.01);
        if (i == 1) { /* the mean has another first */
            first = first_by(table, "share_mean");
            assert_text(cell_at(table, first, "event_name").as_text,
                        "Convolution (NHWC, F32) IGEMM #13");
            assert_rounded(100 * cell_at(table, first, "share_mean").as_double, 17.1, 0.1);
        }
        (void)show(&o, "summary");
        assert_rounded(cell_of(table_of(o.report, "account"), "Method::execute", "p50").as_double /
                           1000,
                       expected[i].p50, 0.001);
        close_files(&o);
    }
}

/* One of four runs was preempted for 31 ms. */
static void a_preempted_run_is_marked(void **state) {
    (void)state;
    opened o;
    open_files(&o, "testdata/outlier/run.etdp", "testdata/outlier/record.etrecord",
               "testdata/outlier/model.pte");
    assert_bits(o.whole, 5394408);
    const eti_table *table = show(&o, "tree");
    static const struct {
        const char *module;
        double share, mean;
        bool is_unsteady;
    } expected[] = {{"features.0", 40.1, 94.9, true},
                    {"features.5", 35.5, 2.8, false},
                    {"features.3", 14.1, 1.2, false}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_rounded(100 * cell_of(table, expected[i].module, "share").as_double,
                       expected[i].share, 0.1);
        assert_rounded(100 * cell_of(table, expected[i].module, "share_mean").as_double,
                       expected[i].mean, 0.1);
        assert_int_equal(cell_of(table, expected[i].module, "unsteady").as_bool,
                         expected[i].is_unsteady);
    }
    close_files(&o);
}

static void a_tour_has_the_shares_of_its_manual(void **state) {
    (void)state;
    opened o;
    open_files(&o, "doc/tour/model.etdp", "doc/tour/model.etrecord", "doc/tour/model.pte");
    assert_bits(o.whole, 11287900);
    assert_rounded(o.whole / 2 / o.n_runs / 1000, 297.050, 0.001);
    check_views(&o, "doc/tour");
    o.options = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    const eti_table *table = show(&o, "tree");
    assert_rounded(cell_of(table, "features.2", "typical").as_double / 1000, 188.0, 0.1);
    assert_rounded(100 * cell_of(table, "features.2", "share").as_double, 63.3, 0.1);
    assert_rounded(cell_of(table, "features.0", "typical").as_double / 1000, 29.0, 0.1);
    assert_rounded(100 * cell_of(table, "features.0", "share").as_double, 9.8, 0.1);
    assert_rounded(cell_of(table, "(framework)", "typical").as_double / 1000, 1.8, 0.1);
    assert_rounded(100 * cell_of(table, "(framework)", "share").as_double, 0.6, 0.1);
    table = show(&o, "ops");
    assert_rounded(cell_of(table, "aten.mean.dim", "typical").as_double / 1000, 69.5, 0.1);
    assert_rounded(100 * cell_of(table, "aten.mean.dim", "share").as_double, 23.4, 0.1);
    assert_rounded(cell_of(table, "(delegate, not logged)", "typical").as_double / 1000, 8.4, 0.1);
    assert_rounded(100 * cell_of(table, "(delegate, not logged)", "share").as_double, 2.8, 0.1);
    close_files(&o);
}

/* ==== modules ================================================================================= */

#define NESTED_OP(name, handle, modules, input)                                                    \
    OP(name, name ".default", handle, modules, FRAME("/m/a.py", 7, "self.a(x)"), input)
#define NET "L,,my.Net"
#define NET_A NET ";L_a,a,my.A"
#define NESTED                                                                                     \
    "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"x\"}}], "           \
    "\"nodes\": [" NESTED_OP("mm", "1", NET_A ";L_a_0,a.0,my.L", "x") ", " NESTED_OP(              \
        "relu", "2", NET_A ";L_a_1,a.1,my.L",                                                      \
        "mm") ", " NESTED_OP("tan", "3", NET_A, "relu") ", " NESTED_OP("sin", "4", NET,            \
                                                                       "tan") "]}}}"

/* net.a.0, net.a.1, and the own events of net.a and of net. */
static void modules_add_up_from_their_events(void **state) {
    (void)state;
    static const uint64_t ticks[4][4] = {
        {10, 11, 60, 10}, {20, 20, 21, 70}, {1, 50, 1, 1}, {3, 3, 3, 4}};
    static const char *const names[] = {"native_call_mm.out", "native_call_relu.out",
                                        "native_call_tan.out", "native_call_sin.out"};
    static const eti_options all_runs = {.target_time_scale = ETI_SCALE_NS, .keeps_warm_up = true};
    static const struct {
        const char *module;
        double typical, share, share_mean, self_typical, self_share;
    } expected[] = {{"my.Net", 35, 1, 1, 3, 24.0 / 280},
                    {"a", 32, 256.0 / 280, 275.0 / 288, 1, 8.0 / 280},
                    {"a.1", 20.5, 164.0 / 280, 131.0 / 288, 20.5, 164.0 / 280},
                    {"a.0", 10.5, 84.0 / 280, 91.0 / 288, 10.5, 84.0 / 280}};
    opened o = {.s.options = &all_runs};
    place runs[4], events[4];
    for (size_t run = 0; run < 4; run++) {
        uint64_t now = 1000;
        for (size_t i = 0; i < 4; now += ticks[i++][run])
            events[i] = TIMED(&o.s.b, .name = names[i], .instruction_id = SOME(i),
                              .start_time = now, .end_time = now + ticks[i][run]);
        runs[run] = put_run(
            &o.s.b, &(run_spec){.name = "Execute", .events = put_tables(&o.s.b, events, 4)});
    }
    open_session(
        &o.s, put_dump(&o.s.b, (optional){0}, put_tables(&o.s.b, runs, 4)),
        &(record_spec){.handles = "{\"0\": 1, \"1\": 2, \"2\": 3, \"3\": 4}", .edge = NESTED});
    find_whole(&o);
    assert_bits(o.whole, 280);
    const eti_table *table = show(&o, "tree");
    assert_nested(&o, table, "modules");
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_text(table_cell(table, i, 0).as_text, expected[i].module);
        assert_bits(cell_at(table, i, "typical").as_double, expected[i].typical);
        assert_bits(cell_at(table, i, "share").as_double, expected[i].share);
        assert_bits(cell_at(table, i, "share_mean").as_double, expected[i].share_mean);
        assert_bits(cell_at(table, i, "self_typical").as_double, expected[i].self_typical);
        assert_bits(cell_at(table, i, "self_share").as_double, expected[i].self_share);
    }
    close_files(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_every_view_are_the_whole),
        cmocka_unit_test(one_run_does_not_decide_the_order),
        cmocka_unit_test(interrupted_processes_have_one_first_kernel),
        cmocka_unit_test(a_preempted_run_is_marked),
        cmocka_unit_test(a_tour_has_the_shares_of_its_manual),
        cmocka_unit_test(modules_add_up_from_their_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
