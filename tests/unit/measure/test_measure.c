#include "support.h"

#include "locale_fixture.h"

#include "etdump_builder.h"

#include "measure/parts.h"
#include "stats/stats.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== measure ================================================================================= */
/*
 * The commands that are measured are this program itself: "test_measure deal FACTOR SCATTER CALLS OUT" writes the ETDump of
 * one more process to OUT, and adds the name of OUT to the file CALLS, whose number of lines is the seed.
 */

#define N_EVENTS 6
#define N_RUNS 24

/* ---- the measured program -------------------------------------------------------------------- */

static place deal_run(builder *b, size_t run, const double times[N_EVENTS], eti_random *random) {
    place events[N_EVENTS + 1];
    uint64_t at = 1000000 * run + 1, begin = at;
    for (size_t i = 0; i < N_EVENTS; i++) {
        char name[64];
        snprintf(name, sizeof name, "native_call_op_%zu.out", i);
        uint64_t time = (uint64_t)(times[i] * (1 + 0.002 * eti__random_uniform(random)));
        events[i] = TIMED(b, .name = name, .chain_index = SOME(0), .instruction_id = SOME(i),
                          .start_time = at, .end_time = at + time);
        at += time;
    }
    events[N_EVENTS] = TIMED(b, .name = "Method::execute", .start_time = begin, .end_time = at);
    return put_run(b,
                   &(run_spec){.name = "forward", .events = put_tables(b, events, N_EVENTS + 1)});
}

static size_t count_call(const char *calls, const char *out) {
    char line[512];
    size_t n = 0;
    FILE *file = fopen(calls, "a+");
    fprintf(file, "%s\n", strrchr(out, '/') + 1);
    rewind(file);
    while (fgets(line, sizeof line, file))
        n++;
    fclose(file);
    return n;
}

/* The factor applies to event 2; scatter applies to the whole process. */
static int deal(double factor, double scatter, const char *calls, const char *out) {
    builder b = {0};
    place runs[N_RUNS];
    double times[N_EVENTS];
    eti_random random = eti__random_start(count_call(calls, out), 0);
    double whole = exp(scatter * (2 * eti__random_uniform(&random) - 1));
    for (size_t i = 0; i < N_EVENTS; i++)
        times[i] = 10000 * (double)(i + 1) * whole * (1 + 0.01 * eti__random_uniform(&random)) *
                   (i == 2 ? factor : 1);
    for (size_t run = 0; run < N_RUNS; run++)
        runs[run] = deal_run(&b, run, times, &random);
    finish_dump(&b, put_dump(&b, (optional){0}, put_tables(&b, runs, N_RUNS)), true);
    FILE *file = fopen(out, "wb");
    bool done = file && fwrite(b.file.data, 1, b.file.size, file) == b.file.size;
    done = file && fclose(file) == 0 && done;
    builder_free(&b);
    return done ? 0 : 1;
}

/* ---- measurements ---------------------------------------------------------------------------- */

static const char *program; /* this one */
static char folder[] = "/tmp/etinspect-measure-XXXXXX";
static eti_error err = ETI_ERROR_INIT;
static eti_request *request;
static eti_report *report;
static eti_gate_outcome outcome;

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? setenv("TMPDIR", folder, 1) : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); /* no file was left in it */
}

static const char *calls_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "%s/calls", folder);
    return path;
}

static int open_request(void **state) {
    (void)state;
    report = NULL;
    unlink(calls_path());
    if (eti_request_new(&request, &err) != ETI_OK)
        return -1;
    /* A different order in each run of the tests would, once in a hundred runs, report chance as a change. */
    return eti_request_set(request, "seed", "2", &err) != ETI_OK;
}

static int close_request(void **state) {
    (void)state;
    eti_report_free(report);
    eti_request_free(request);
    unlink(calls_path());
    return 0;
}

static void set(const char *name, const char *value) {
    assert_ok(eti_request_set(request, name, value, &err));
}

/* Sets a side whose event 2 takes `factor` times as long, and whose processes scatter. */
static void set_side(const char *name, const char *factor, const char *scatter) {
    char command[1024];
    snprintf(command, sizeof command, "%s '%s' deal %s %s '%s' {}", emulator(), program, factor,
             scatter, calls_path());
    set(name, command);
}

static eti_status measure(void) {
    eti_status status = eti_measure(&report, &outcome, request, NULL, NULL, &err);
    if (status != ETI_OK) {
        assert_null(report);
    }
    return status;
}

/* Returns the names of the dumps in the order of recording, one per line. */
static const char *read_calls(void) {
    static char calls[4096];
    FILE *file = fopen(calls_path(), "r");
    size_t n = file ? fread(calls, 1, sizeof calls - 1, file) : 0;
    calls[n] = '\0';
    if (file)
        fclose(file);
    return calls;
}

static size_t count_calls(void) {
    size_t n = 0;
    for (const char *at = read_calls(); (at = strchr(at, '\n')); at++)
        n++;
    return n;
}

static bool add_bytes(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Returns a report in a format, NUL-terminated; the caller frees it. */
static eti_buffer write_report(const eti_report *written, const char *format) {
    eti_buffer out = {0};
    assert_ok(eti_report_write(written, format, request, add_bytes, &out, &err));
    eti__buffer_add_char(&out, '\0');
    assert_false(out.failed);
    return out;
}

static void check_text(const eti_report *written, const char *format, const char *part) {
    eti_buffer out = write_report(written, format);
    if (!strstr(out.data, part))
        fail_msg("expected \"%s\" in:\n%s", part, out.data);
    eti__buffer_free(&out);
}

static void slower_event_ends_at_the_first_look(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1.3", "0");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_FAILED);
    assert_int_equal(count_calls(), 2 + 16);
    check_text(report, "text",
               "measured in turns: 8 of at most 20 pairs of processes, after 1 of warm-up; order "
               "within each pair is random with seed 2");
    check_text(report, "text", "judged 1 time of at most 3, and stopped because a rule is broken");
    assert_string_equal(eti_report_table_name(report, 1), "rules");
    eti_buffer text = write_report(report, "text");
    assert_null(strstr(text.data, "most_pairs")); /* people do not see this table */
    eti__buffer_free(&text);
}

static void no_change_ends_at_the_first_look(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    set("warmup", "0");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_PASSED);
    assert_int_equal(count_calls(), 16);
    check_text(report, "text", "judged 1 time of at most 3, and stopped because all rules passed");
}

/* The scatter affects only the total, not events. */
static void what_scatters_stays_undecided(void **state) {
    (void)state;
    set_side("base", "1", "0.8");
    set_side("new", "1", "0.8");
    set("pairs", "16");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_UNDECIDED);
    assert_int_equal(count_calls(), 2 + 32);
    check_text(report, "text", "judged 3 times of at most 3, and still undecided at the end");
    eti_report_free(report);
    unlink(calls_path());
    set("pairs", "15");
    assert_ok(measure());
    check_text(report, "text", "judged 1 time of at most 1, and still undecided at the end");
}

/* A wider margin lets the same processes pass. */
static void margin_decides_what_passes(void **state) {
    (void)state;
    set_side("base", "1", "0.2");
    set_side("new", "1", "0.2");
    set("pairs", "10");
    set("margin", "1%");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_UNDECIDED);
    eti_report_free(report);
    unlink(calls_path());
    set("margin", "100%");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_PASSED);
}

static void rules_decide(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1.3", "0");
    set("fail_on", "op:p50>+10%");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_FAILED);
    check_text(report, "text", "measured in turns: 8 of at most 20 pairs");
    eti_report_free(report);
    set("fail_on", NULL);
    set("fail_on", "op:p50>+40%");
    assert_ok(measure());
    assert_int_equal(outcome, ETI_GATE_PASSED);
}

/* Returns whether a pair begins with the base. */
static bool begins_with_base(const char *calls, int pair) {
    char base_first[64], new_first[64];
    snprintf(base_first, sizeof base_first, "base-%02d.etdp\nnew-%02d.etdp\n", pair, pair);
    snprintf(new_first, sizeof new_first, "new-%02d.etdp\nbase-%02d.etdp\n", pair, pair);
    bool is_base = strstr(calls, base_first) != NULL;
    assert_true(is_base || strstr(calls, new_first));
    return is_base;
}

/* Of each two pairs, one begins with the base and one with the new side; the seed says which. */
static void order_is_that_of_the_seed(void **state) {
    (void)state;
    char first[4096];
    bool has_base = false, has_new = false;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    set("warmup", "0");
    for (int seed = 7; seed < 13; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        set("seed", text);
        assert_ok(measure());
        snprintf(first, sizeof first, "%s", read_calls());
        for (int pair = 1; pair <= 8; pair += 2)
            assert_true(begins_with_base(first, pair) != begins_with_base(first, pair + 1));
        has_base = has_base || begins_with_base(first, 1);
        has_new = has_new || !begins_with_base(first, 1);
        eti_report_free(report);
        unlink(calls_path());
        assert_ok(measure());
        assert_string_equal(read_calls(), first);
        eti_report_free(report);
        unlink(calls_path());
    }
    report = NULL;
    assert_true(has_base && has_new);
}

/* Digests of sources are computed when the report is written, long after the files are gone. */
static void report_outlives_the_measurement(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    set("seed", "3");
    assert_ok(measure());
    check_text(report, "json", "{\"kind\": \"etdump\", \"path\": \"base-01.etdp\", \"size\": ");
    check_text(report, "json", "\"path\": \"new-08.etdp\"");
    check_text(report, "json", "\"labels\": {\"processors\": ");
    check_text(report, "json", "\"measurement\": [");
    check_text(report, "json", "\"pairs\": 8");
    check_text(report, "json", "\"seed\": 3");
}

/* Each side has the record of its own export; the method is one of those in the records. */
static void base_may_have_a_record_of_its_own(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    set("method", "forward");
    set("etrecord_path", "testdata/mlp/record.etrecord");
    assert_ok(measure());
    eti_buffer json = write_report(report, "json");
    const char *record = strstr(json.data, "\"path\": \"testdata/mlp/record.etrecord\"");
    assert_non_null(record);
    assert_non_null(strstr(record + 1, "\"path\": \"testdata/mlp/record.etrecord\""));
    eti__buffer_free(&json);
    eti_report_free(report);
    set("base_etrecord_path", "testdata/small/record.etrecord");
    assert_ok(measure());
    json = write_report(report, "json");
    const char *of_base = strstr(json.data, "\"path\": \"testdata/small/record.etrecord\"");
    assert_non_null(of_base);
    assert_non_null(strstr(of_base, "\"path\": \"testdata/mlp/record.etrecord\""));
    eti__buffer_free(&json);
}

static void labels_of_the_user_go_first(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    set("label", "processors=mine");
    assert_ok(measure());
    check_text(report, "json", "\"processors\": \"mine\"");
    eti_buffer json = write_report(report, "json");
    const char *first = strstr(json.data, "\"processors\":");
    assert_null(strstr(first + 1, "\"processors\":"));
    eti__buffer_free(&json);
}

/* ---- cancelled ------------------------------------------------------------------------------- */

/* Cancels when this many pairs are complete. */
static bool cancel_after(void *context, const char *step, uint64_t done, uint64_t total) {
    assert_non_null(step);
    assert_true(done <= total);
    return done < *(uint64_t *)context;
}

static void complete_pairs_are_judged_when_the_caller_cancels(void **state) {
    (void)state;
    uint64_t n = 7;
    set_side("base", "1", "0.3");
    set_side("new", "1", "0.3");
    eti_request_set_progress(request, cancel_after, &n);
    assert_ok(measure());
    eti_request_set_progress(request, NULL, NULL);
    assert_int_equal(outcome, ETI_GATE_UNDECIDED);
    check_text(report, "text", "measured in turns: 7 of at most 20 pairs");
    check_text(report, "text", "judged 1 time of at most 3, and cancelled after 7 complete pairs");
}

/* Five files per side suffice for the whole alpha, which a gate of the dumps has, too. */
static void cancelled_measurement_is_judged_as_its_dumps(void **state) {
    (void)state;
    uint64_t n = 5;
    set_side("base", "1", "0");
    set_side("new", "1.3", "0");
    eti_request_set_progress(request, cancel_after, &n);
    assert_ok(measure());
    eti_request_set_progress(request, NULL, NULL);
    assert_int_equal(outcome, ETI_GATE_FAILED);
}

/* Of many pairs, not each one is judged during the measurement. */
static void all_complete_pairs_are_judged(void **state) {
    (void)state;
    uint64_t n = 23;
    set_side("base", "1", "0.8");
    set_side("new", "1", "0.8");
    set("pairs", "30");
    eti_request_set_progress(request, cancel_after, &n);
    assert_ok(measure());
    eti_request_set_progress(request, NULL, NULL);
    check_text(report, "json", "\"path\": \"new-23.etdp\"");
    check_text(report, "json", "\"stopped\": \"cancelled\"");
}

static void nothing_is_judged_before_the_first_pair(void **state) {
    (void)state;
    uint64_t n = 0;
    set_side("base", "1", "0");
    set_side("new", "1", "0");
    eti_request_set_progress(request, cancel_after, &n);
    assert_fails(measure(), ETI_ERROR_CANCELLED, "cancelled before a pair was complete");
}

/* Returns every step of the progress, one per line. */
static bool keep_steps(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    eti__buffer_printf(context, "%s\n", step);
    return true;
}

static void progress_says_what_is_known_so_far(void **state) {
    (void)state;
    eti_buffer steps = {0};
    set_side("base", "1", "0.2");
    set_side("new", "1", "0.2");
    set("pairs", "7");
    eti_request_set_progress(request, keep_steps, &steps);
    assert_ok(measure());
    eti_request_set_progress(request, NULL, NULL);
    eti__buffer_add_char(&steps, '\0');
    assert_true(strncmp(steps.data, "warming up\n", 11) == 0);
    assert_non_null(strstr(steps.data, "\npair 1 of 7\n"));
    const char *second = strstr(steps.data, "\npair 2 of 7: total ");
    assert_non_null(second);
    const char *seventh = strstr(steps.data, "\npair 7 of 7: total ");
    assert_non_null(seventh);
    assert_non_null(strstr(seventh, " %, at most "));
    assert_non_null(strstr(seventh, " s left\n"));
    assert_null(strstr(steps.data, "pair 8"));
    eti__buffer_free(&steps);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void failing_command_is_named_with_its_pair(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set("new", "false {}");
    assert_fails(measure(), ETI_ERROR_READ, "warm-up: new: exit status 1: false {}");
    set("warmup", "0");
    assert_fails(measure(), ETI_ERROR_READ, "pair 1: new: exit status 1: false {}");
    set("new", "true {}");
    assert_fails(measure(), ETI_ERROR_READ,
                 "pair 1: new: no dump, or an empty one, was written to the path");
}

static void dump_that_is_none_is_found_at_once(void **state) {
    (void)state;
    set_side("base", "1", "0");
    set("new", "cp /bin/sh {}");
    assert_fails(measure(), ETI_ERROR_MALFORMED, "pair 1: new-01.etdp: expected an ETDump");
    assert_true(count_calls() <= 2);
}

static void wrong_requests_are_refused_before_anything_runs(void **state) {
    (void)state;
    assert_fails(measure(), ETI_ERROR_USAGE, "no command was given");
    set_side("new", "1", "0");
    set("fail_on", "op:p50>+5%");
    assert_fails(measure(), ETI_ERROR_USAGE, "fail_on, budget and allow need a command");
    set_side("base", "1", "0");
    set("pairs", "4");
    assert_fails(measure(), ETI_ERROR_USAGE, "4 pairs of processes cannot show a change");
    set("pairs", "6");
    set("alpha", "0");
    assert_fails(measure(), ETI_ERROR_USAGE, "alpha");
    assert_int_equal(count_calls(), 0);
}

#define MEASURED(test) cmocka_unit_test_setup_teardown(test, open_request, close_request)

/* ==== looks =================================================================================== */

static void check_plan(size_t n_pairs, const size_t *expected, size_t n) {
    const eti_looks looks = eti__looks_plan(n_pairs);
    assert_int_equal(looks.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(looks.pairs[i], expected[i]);
}

/* 40, 60 and 100 % */
static void looks_are_at_parts_of_the_pairs(void **state) {
    (void)state;
    check_plan(20, (const size_t[]){8, 12, 20}, 3);
    check_plan(16, (const size_t[]){8, 10, 16}, 3);
    check_plan(25, (const size_t[]){10, 16, 25}, 3);
    check_plan(100, (const size_t[]){40, 60, 100}, 3);
}

static void few_pairs_have_one_look(void **state) {
    (void)state;
    check_plan(15, (const size_t[]){15}, 1);
    check_plan(5, (const size_t[]){5}, 1);
}

static void early_looks_are_even(void **state) {
    (void)state;
    for (size_t n_pairs = 16; n_pairs <= 10000; n_pairs++) {
        const eti_looks looks = eti__looks_plan(n_pairs);
        assert_int_equal(looks.n, 3);
        assert_true(looks.pairs[0] >= 8 && looks.pairs[0] % 2 == 0 && looks.pairs[1] % 2 == 0);
        assert_true(looks.pairs[0] < looks.pairs[1] && looks.pairs[1] < n_pairs);
        assert_int_equal(looks.pairs[2], n_pairs);
    }
}

/* ==== machine ================================================================================= */

/* A file system with the files that Linux provides. */
static char root[] = "/tmp/etinspect-machine-XXXXXX";

static int make_root(void **state) {
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static void write_file(const char *path, const char *text) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *path) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    unlink(whole);
}

#define GOVERNOR "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define ZONE(i) "/sys/class/thermal/thermal_zone" #i "/temp"

static const char *describe(const eti_machine *machine) {
    static char out[256];
    eti_buffer text = {0};
    eti__machine_describe(machine, &text);
    snprintf(out, sizeof out, "%.*s", (int)text.size, text.data);
    eti__buffer_free(&text);
    return out;
}

static void unknown_facts_are_left_out(void **state) {
    (void)state;
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 1;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine), "1 processor");
    assert_false(eti__machine_was_busy(&machine));
    assert_false(eti__machine_is_busy(&machine));
    assert_true(isnan(machine.first_load));
}

static void facts_are_ranges(void **state) {
    (void)state;
    write_file("/proc/loadavg", "0.30 0.20 0.10 1/100 4711\n");
    write_file(GOVERNOR, "performance\n");
    write_file(ZONE(0), "47600\n");
    write_file(ZONE(1), "51200\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 4;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine),
                        "4 processors, governor performance, load average 0.30, 51 °C");
    write_file("/proc/loadavg", "1.50 0.20 0.10 1/100 4711\n");
    write_file(ZONE(0), "60400\n");
    eti__machine_look(&machine);
    assert_string_equal(
        describe(&machine),
        "4 processors, governor performance, load average 0.30 to 1.50, 51 to 60 °C");
    assert_string_equal(machine.other_governor, "");
}

static void numbers_have_a_decimal_point_in_any_locale(void **state) {
    enter_comma_locale();
    facts_are_ranges(state);
}

static void changed_governor_is_kept(void **state) {
    (void)state;
    write_file(GOVERNOR, "performance\n");
    eti_machine machine = eti__machine_start(root);
    eti__machine_look(&machine);
    write_file(GOVERNOR, "powersave\n");
    eti__machine_look(&machine);
    write_file(GOVERNOR, "performance\n");
    eti__machine_look(&machine);
    assert_string_equal(machine.governor, "performance");
    assert_string_equal(machine.other_governor, "powersave");
    assert_non_null(strstr(describe(&machine), "governor performance and powersave"));
}

static void load_before_the_first_process_counts(void **state) {
    (void)state;
    write_file("/proc/loadavg", "1.10 0 0 1/1 1\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 2;
    eti__machine_look(&machine);
    assert_true(eti__machine_was_busy(&machine));
    machine.n_processors = 4;
    assert_false(eti__machine_was_busy(&machine));
    write_file("/proc/loadavg", "9 0 0 1/1 1\n");
    assert_false(eti__machine_is_busy(&machine));
    eti__machine_look(&machine);
    assert_false(eti__machine_was_busy(&machine));
    assert_true(eti__machine_is_busy(&machine));
}

static void strange_files_are_left_out(void **state) {
    (void)state;
    write_file("/proc/loadavg", "busy\n");
    write_file(GOVERNOR, "");
    write_file(ZONE(0), "hot\n");
    eti_machine machine = eti__machine_start(root);
    machine.n_processors = 1;
    eti__machine_look(&machine);
    assert_string_equal(describe(&machine), "1 processor");
    remove_file("/proc/loadavg");
}

static int run_measure(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        MEASURED(slower_event_ends_at_the_first_look),
        MEASURED(no_change_ends_at_the_first_look),
        MEASURED(what_scatters_stays_undecided),
        MEASURED(margin_decides_what_passes),
        MEASURED(rules_decide),
        MEASURED(order_is_that_of_the_seed),
        MEASURED(report_outlives_the_measurement),
        MEASURED(base_may_have_a_record_of_its_own),
        MEASURED(labels_of_the_user_go_first),
        MEASURED(complete_pairs_are_judged_when_the_caller_cancels),
        MEASURED(cancelled_measurement_is_judged_as_its_dumps),
        MEASURED(all_complete_pairs_are_judged),
        MEASURED(nothing_is_judged_before_the_first_pair),
        MEASURED(progress_says_what_is_known_so_far),
        MEASURED(failing_command_is_named_with_its_pair),
        MEASURED(dump_that_is_none_is_found_at_once),
        MEASURED(wrong_requests_are_refused_before_anything_runs),
    };
    if (argc == 6)
        return deal(atof(argv[2]), atof(argv[3]), argv[4], argv[5]);
    program = realpath(argv[0], NULL);
    int n_failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    free((char *)program);
    return n_failed;
}

static int run_machine(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_facts_are_left_out),
        cmocka_unit_test(facts_are_ranges),
        cmocka_unit_test_teardown(numbers_have_a_decimal_point_in_any_locale, leave_comma_locale),
        cmocka_unit_test(changed_governor_is_kept),
        cmocka_unit_test(load_before_the_first_process_counts),
        cmocka_unit_test(strange_files_are_left_out),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}

int main(int argc, char **argv) {
    int n_failed = run_measure(argc, argv);
    if (argc > 1)
        return n_failed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_at_parts_of_the_pairs),
        cmocka_unit_test(few_pairs_have_one_look),
        cmocka_unit_test(early_looks_are_even),
    };
    return n_failed + run_machine() + cmocka_run_group_tests(tests, NULL, NULL);
}
