#include "measure/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ==== looks =================================================================================== */

#define FEWEST_BEFORE_LOOK 8
#define FEWEST_FOR_LOOKS 16

eti_looks eti__looks_plan(size_t n_pairs) {
    static const double parts[] = {0.40, 0.60};
    eti_looks out = {.n = 0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && n_pairs >= FEWEST_FOR_LOOKS; i++) {
        size_t at = 2 * (size_t)(parts[i] * (double)n_pairs / 2 + 0.5);
        out.pairs[out.n++] = at < FEWEST_BEFORE_LOOK ? FEWEST_BEFORE_LOOK : at;
    }
    out.pairs[out.n++] = n_pairs;
    return out;
}

/* ==== machine ================================================================================= */

#define MOST_BYTES ((size_t)4096)
#define MOST_ZONES 64

static const eti_range nothing = {INFINITY, -INFINITY};

eti_machine eti__machine_start(const char *root) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return (eti_machine){.root = root,
                         .n_processors = n > 0 ? (size_t)n : 1,
                         .first_load = NAN,
                         .load = nothing,
                         .temperature = nothing};
}

/* Reads the first line of a small file; "" if the file cannot be read or is empty. */
static void read_line(const eti_machine *machine, const char *path, char *out, size_t size) {
    char whole[256];
    eti_buffer bytes = {0};
    snprintf(whole, sizeof whole, "%s%s", machine->root, path);
    out[0] = '\0';
    if (eti__small_file_read(whole, MOST_BYTES, &bytes) && bytes.size > 0)
        snprintf(out, size, "%.*s", (int)bytes.size, bytes.data);
    out[strcspn(out, "\n")] = '\0';
    eti__buffer_free(&bytes);
}

/* Returns the number at the beginning of a file, or NaN if there is none. */
static double read_number(const eti_machine *machine, const char *path) {
    char line[64], *end;
    read_line(machine, path, line, sizeof line);
    double number = eti__strtod(line, &end);
    return end == line ? NAN : number;
}

static void widen(eti_range *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static double hottest_zone(const eti_machine *machine) {
    double hottest = NAN;
    for (int zone = 0; zone < MOST_ZONES; zone++) {
        char path[64];
        snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", zone);
        double thousandths = read_number(machine, path);
        if (isnan(thousandths))
            break;
        hottest = fmax(hottest, thousandths / 1000);
    }
    return hottest;
}

static void look_at_governor(eti_machine *machine) {
    char governor[sizeof machine->governor];
    read_line(machine, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
              sizeof governor);
    if (!machine->governor[0])
        memcpy(machine->governor, governor, sizeof governor);
    else if (strcmp(governor, machine->governor) != 0)
        memcpy(machine->other_governor, governor, sizeof governor);
}

void eti__machine_look(eti_machine *machine) {
    double load = read_number(machine, "/proc/loadavg");
    if (isnan(machine->first_load))
        machine->first_load = load;
    machine->newest_load = load;
    widen(&machine->load, load);
    widen(&machine->temperature, hottest_zone(machine));
    look_at_governor(machine);
}

bool eti__machine_was_busy(const eti_machine *machine) {
    return machine->first_load > 0.5 * (double)machine->n_processors;
}

bool eti__machine_is_busy(const eti_machine *machine) {
    return machine->load.high > 0.5 * (double)machine->n_processors;
}

static void describe_range(eti_buffer *out, const char *name, const eti_range *range,
                           int n_decimals, const char *unit) {
    if (range->low > range->high)
        return;
    eti__buffer_printf(out, ", %s%.*f", name, n_decimals, range->low);
    if (range->high > range->low)
        eti__buffer_printf(out, " to %.*f", n_decimals, range->high);
    eti__buffer_add_string(out, unit);
}

void eti__machine_describe(const eti_machine *machine, eti_buffer *out) {
    eti__buffer_printf(out, "%zu processor%s", machine->n_processors,
                       machine->n_processors == 1 ? "" : "s");
    if (machine->governor[0])
        eti__buffer_printf(out, ", governor %s", machine->governor);
    if (machine->other_governor[0])
        eti__buffer_printf(out, " and %s", machine->other_governor);
    describe_range(out, "load average ", &machine->load, 2, "");
    describe_range(out, "", &machine->temperature, 0, " °C");
}

/* ==== measure ================================================================================= */

/* The estimate is updated after each pair up to this number, while the dumps are no larger than MOST_GLANCE_BYTES. */
#define MOST_GLANCES 20
#define MOST_GLANCE_BYTES ((size_t)64 << 20)

/* ---- progress -------------------------------------------------------------------------------- */

/* Appends a duration such as "3 min" or "20 s". */
static void add_duration(eti_buffer *out, double seconds) {
    if (seconds >= 90)
        eti__buffer_printf(out, "%.0f min", ceil(seconds / 60));
    else
        eti__buffer_printf(out, "%.0f s", ceil(seconds));
}

/* Sets the progress line, such as "pair 8 of 20: total +1.2 %, at most 3 min left". */
static void set_step(eti_measurement *m) {
    const eti_measure_options *options = &m->request->measure;
    eti_buffer line = {0};
    eti__buffer_printf(&line, "%s %zu of %zu", m->n_sides == 1 ? "process" : "pair", m->n_done + 1,
                       options->n_pairs);
    if (!isnan(m->change)) {
        eti__buffer_add_string(&line, ": total ");
        eti__add_change(&line, m->change);
    }
    if (m->n_done > 0) {
        double left = (eti__now() - m->start) / (double)m->n_done;
        eti__buffer_add_string(&line, ", at most ");
        add_duration(&line, left * (double)(options->n_pairs - m->n_done));
        eti__buffer_add_string(&line, " left");
    }
    snprintf(m->step, sizeof m->step, "%.*s", (int)line.size, line.size ? line.data : "");
    eti__buffer_free(&line);
}

static eti_status tell(const eti_measurement *m, eti_error *err) {
    return eti__tell(&m->request->opening.progress, m->step, m->n_done, m->request->measure.n_pairs,
                     err);
}

/* Reports progress while a command runs; returns false if the caller cancels. */
static bool goes_on(void *context) {
    return tell(context, NULL) == ETI_OK;
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Opens a profile of some of a side's dumps; if `is_labelled`, with the side's record and program. */
static eti_status open_profile(eti_profile **out, const eti_measurement *m, eti_measured_side side,
                               size_t first, size_t n, bool is_labelled, eti_error *err) {
    for (size_t i = 0; i < n; i++)
        m->sources[i] = eti__dumps_source(m->dumps, side, first + i);
    const eti_measure_request *request = m->request;
    eti_inputs inputs = {.etdumps = m->sources, .n_etdumps = n};
    if (is_labelled) {
        inputs.etrecord = request->etrecords[side];
        inputs.programs = request->programs[side];
        inputs.n_programs = inputs.programs != NULL;
    }
    eti_options opening = request->opening;
    opening.skip_first = 0; /* the profile drops these runs itself */
    opening.no_debug_data = true;
    opening.progress = (eti_progress){0};
    return eti__profile_open(out, &inputs, &opening, &request->profile, err);
}

static size_t first_side(const eti_measurement *m) {
    return m->n_sides == 1 ? ETI_MEASURED_NEW : ETI_MEASURED_BASE;
}

eti_status eti__measurement_open_sides(eti_measurement *m, eti_error *err) {
    for (size_t side = first_side(m); side < ETI_N_MEASURED_SIDES; side++) {
        eti_profile_free(m->profiles[side]);
        m->profiles[side] = NULL;
        ETI_TRY(
            open_profile(&m->profiles[side], m, (eti_measured_side)side, 0, m->n_done, true, err));
    }
    return ETI_OK;
}

/* Opens a side's newest dump alone, so that a damaged one is detected at once; the first one is opened with its record
 * and program. */
static eti_status check_newest(const eti_measurement *m, eti_measured_side side, eti_error *err) {
    eti_profile *profile;
    size_t i = m->dumps->sides[side].n - 1;
    ETI_TRY(open_profile(&profile, m, side, i, 1, i == 0, err));
    eti_profile_free(profile);
    return ETI_OK;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Records the next dump of a side. */
static eti_status record(eti_measurement *m, eti_measured_side side, eti_error *err) {
    ETI_TRY(tell(m, err));
    eti__machine_look(&m->machine);
    ETI_TRY(eti__dumps_expect(m->dumps, side, err));
    return eti__runner_run(&m->runner, side, m->dumps->expected, err);
}

static eti_status run_process(eti_measurement *m, eti_measured_side side, bool counts,
                              eti_error *err) {
    int64_t start = (int64_t)time(NULL);
    ETI_TRY(record(m, side, err));
    if (!counts) {
        eti__dumps_discard(m->dumps);
        return ETI_OK;
    }
    ETI_TRY(eti__dumps_take(m->dumps, side, err));
    ETI_TRY(check_newest(m, side, err));
    int order = m->n_sides == 1 || (side == ETI_MEASURED_BASE) == m->base_is_first ? 1 : 2;
    return eti__dumps_add_pair(m->dumps, side, order, start, m->machine.newest_load, err);
}

/* Runs one process of each side. The first of two pairs begins with a random side, the second with the other one. */
static eti_status run_pair(eti_measurement *m, bool counts, eti_error *err) {
    if (m->n_sides == 1)
        return run_process(m, ETI_MEASURED_NEW, counts, err);
    bool is_second = counts && m->n_done % 2 == 1;
    m->base_is_first = is_second ? !m->base_is_first : eti__random_next(&m->random) >> 63;
    eti_measured_side first = m->base_is_first ? ETI_MEASURED_BASE : ETI_MEASURED_NEW;
    ETI_TRY(run_process(m, first, counts, err));
    return run_process(m, first == ETI_MEASURED_BASE ? ETI_MEASURED_NEW : ETI_MEASURED_BASE, counts,
                       err);
}

/* ---- judgement ------------------------------------------------------------------------------- */

eti_gate_options eti__measurement_gate_options(const eti_measurement *m) {
    eti_gate_options options = m->request->gate;
    options.diff.in_turns = true;
    options.n_looks = m->looks.n;
    options.is_cut_short = m->stop == ETI_STOPPED_BY_FAILURE;
    return options;
}

/* Returns the measured change of the total, whether or not it was judged; NaN if unknown. */
static double find_change(const eti_gate *gate) {
    const eti_diff_rows *totals = &gate->diffs[0]->totals;
    for (size_t i = 0; i < totals->n; i++) {
        if (totals->rows[i].kind == ETI_ENTRY_EXECUTE)
            return totals->rows[i].ratio - 1;
    }
    return NAN;
}

/* Sets the outcome, the change of the total and the needed pairs from the complete pairs; early looks are stricter. */
static eti_status apply_gate(eti_measurement *m, const eti_gate_options *options, eti_error *err) {
    eti_gate gate;
    eti_status status = eti__gate_make(&gate, m->profiles[ETI_MEASURED_BASE],
                                       m->profiles[ETI_MEASURED_NEW], options, err);
    if (status == ETI_OK) {
        m->outcome = gate.outcome;
        m->change = find_change(&gate);
        m->n_needed = eti__gate_files_needed(&gate);
    }
    eti__gate_free(&gate);
    return status;
}

/* Judges the complete pairs as gate does. Returns the statuses of eti__gate_make() and of eti__measurement_open_sides(). */
static eti_status judge_measurement(eti_measurement *m, eti_error *err) {
    const eti_gate_options options = eti__measurement_gate_options(m);
    ETI_TRY(eti__measurement_open_sides(m, err));
    m->n_judged = m->n_done;
    return apply_gate(m, &options, err);
}

/* Sets whether an early look, with its part of alpha and beta, finds the outcome of the complete pairs, too. */
static eti_status is_certain(eti_measurement *m, bool *out, eti_error *err) {
    eti_gate_options options = eti__measurement_gate_options(m);
    eti_measurement strict = *m;
    options.diff.alpha *= ETI_EARLY_ALPHA;
    options.diff.beta *= ETI_EARLY_BETA;
    ETI_TRY(apply_gate(&strict, &options, err));
    *out = strict.outcome == m->outcome;
    return ETI_OK;
}

/* Returns whether a look is planned after the pairs done so far. */
static bool is_look(const eti_measurement *m) {
    for (size_t i = 0; i < m->looks.n; i++) {
        if (m->looks.pairs[i] == m->n_done)
            return true;
    }
    return false;
}

static size_t count_bytes(const eti_dumps *dumps) {
    size_t n = 0;
    for (size_t side = 0; side < ETI_N_MEASURED_SIDES; side++) {
        for (size_t i = 0; i < dumps->sides[side].n; i++)
            n += dumps->sides[side].files[i].size;
    }
    return n;
}

/* Returns whether the pairs are judged only for the progress line, whose cost grows with their number. Sides that cannot
 * be compared are detected after the first pair. */
static bool is_glance(const eti_measurement *m) {
    return m->n_done == 1 ||
           (m->n_done <= MOST_GLANCES && count_bytes(m->dumps) <= MOST_GLANCE_BYTES);
}

static eti_status look(eti_measurement *m, bool *is_decided, eti_error *err) {
    if (is_look(m) || is_glance(m))
        ETI_TRY(judge_measurement(m, err));
    if (!is_look(m))
        return ETI_OK;
    m->n_looks++;
    *is_decided = m->outcome != ETI_GATE_UNDECIDED;
    if (*is_decided && m->n_done < m->request->measure.n_pairs)
        ETI_TRY(is_certain(m, is_decided, err));
    if (*is_decided)
        m->stop = m->outcome == ETI_GATE_FAILED ? ETI_STOPPED_SLOWER : ETI_STOPPED_NOT_SLOWER;
    return ETI_OK;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static eti_status warm_up(eti_measurement *m, eti_error *err) {
    snprintf(m->step, sizeof m->step, "warming up");
    for (size_t i = 0; i < m->request->measure.n_warm_up; i++) {
        eti_status status = run_pair(m, false, err);
        if (status != ETI_OK) {
            eti__error_prefix(err, "warm-up");
            return status;
        }
    }
    m->start = eti__now();
    return ETI_OK;
}

static eti_status run_pairs(eti_measurement *m, eti_error *err) {
    bool is_decided = false;
    while (m->n_done < m->request->measure.n_pairs && !is_decided) {
        set_step(m);
        eti_status status = run_pair(m, true, err);
        if (status != ETI_OK) {
            eti__error_prefix(err, "%s %zu", m->n_sides == 1 ? "process" : "pair", m->n_done + 1);
            return status;
        }
        m->n_done++;
        if (m->n_sides == 2)
            ETI_TRY(look(m, &is_decided, err));
    }
    return ETI_OK;
}

/* Judges the complete pairs of a measurement that ended before a planned look. */
static eti_status judge_early(eti_measurement *m, eti_error *err) {
    if (m->n_sides == 1 || is_look(m))
        return ETI_OK;
    m->n_looks++;
    return m->n_judged == m->n_done ? ETI_OK : judge_measurement(m, err);
}

/* Judges the complete pairs after the caller cancelled. */
static eti_status end_cancelled(eti_measurement *m, eti_error *err) {
    if (m->n_done == 0)
        return eti_fail(err, ETI_ERROR_CANCELLED,
                        "cancelled before a %s was complete: there is nothing to judge",
                        m->n_sides == 1 ? "process" : "pair");
    m->stop = ETI_STOPPED_BY_CALLER;
    return judge_early(m, err);
}

/* Makes the report of the complete pairs after a later one failed; the caller's error is about that one. A comparison
 * that was cut short never passes. */
static void report_failed(eti_report **out, eti_measurement *m) {
    if (m->n_done == 0)
        return;
    m->stop = ETI_STOPPED_BY_FAILURE;
    if (judge_early(m, NULL) != ETI_OK || eti__measurement_report(out, m, NULL) != ETI_OK)
        *out = NULL;
    if (m->outcome == ETI_GATE_PASSED)
        m->outcome = ETI_GATE_UNDECIDED;
}

static eti_status measure(eti_report **out, eti_measurement *m, eti_error *err) {
    eti_status status = warm_up(m, err);
    if (status == ETI_OK)
        status = run_pairs(m, err);
    if (status == ETI_ERROR_CANCELLED)
        status = end_cancelled(m, err);
    else if (status != ETI_OK)
        report_failed(out, m);
    if (status == ETI_OK)
        status = eti__measurement_report(out, m, err);
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static eti_status draw_seed(eti_measurement *m, eti_error *err) {
    uint32_t drawn;
    m->seed = m->request->measure.seed;
    if (!m->request->measure.has_seed) {
        if (!eti__random_bytes(&drawn, sizeof drawn))
            return eti_fail(err, ETI_ERROR_USAGE, "no random numbers are available: give %sseed",
                            eti__option_prefix());
        m->seed = drawn;
    }
    m->random = eti__random_start(m->seed, 0);
    return ETI_OK;
}

/* Rejects numbers of pairs with which no rule can be decided. */
static eti_status check_pairs(const eti_measure_request *request, eti_error *err) {
    const eti_gate_options *gate = &request->gate;
    double n_rules = gate->n_budgets > 0 ? 1 : gate->n_rules > 0 ? (double)gate->n_rules : 2;
    size_t fewest = eti__fewest_files(gate->diff.alpha / n_rules);
    if (request->measure.n_pairs >= fewest)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%spairs: %zu pairs of processes cannot show a change; with alpha %g, at least "
                    "%zu are needed",
                    eti__option_prefix(), request->measure.n_pairs, gate->diff.alpha, fewest);
}

static eti_status check_options(const eti_measure_request *request, eti_error *err) {
    const eti_measure_options *measure = &request->measure;
    const eti_gate_options *gate = &request->gate;
    const char *prefix = eti__option_prefix();
    if (gate->n_rules + gate->n_budgets + gate->n_allowed > 0 && !measure->base)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sfail_on, %sbudget and %sallow need a command to compare with: give %sbase", prefix,
            prefix, prefix, prefix);
    for (size_t i = 0; i < gate->n_rules; i++)
        ETI_TRY(eti__gate_check_rule(gate->rules[i], err));
    ETI_TRY(eti__diff_check_options(&gate->diff, err));
    return measure->base ? check_pairs(request, err) : ETI_OK;
}

/* Rejects a tolerance for outputs if a side has no program. */
static eti_status check_tolerance(const eti_measurement *m, eti_error *err) {
    if (isnan(m->request->output_tolerance) || m->runner.programs[ETI_MEASURED_BASE])
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%soutput_tolerance compares the outputs of two programs (.pte): leave it out",
                    eti__option_prefix());
}

static eti_status check_file(const eti_source *source, eti_error *err) {
    struct eti_file file;
    if (!source)
        return ETI_OK;
    ETI_TRY(eti__file_open_source(&file, source, err));
    eti__file_release(&file);
    return ETI_OK;
}

/* Checks that records and programs can be read before any process runs. */
static eti_status check_records(const eti_measure_request *request, eti_error *err) {
    for (size_t side = 0; side < ETI_N_MEASURED_SIDES; side++) {
        ETI_TRY(check_file(request->etrecords[side], err));
        ETI_TRY(check_file(request->programs[side], err));
    }
    return ETI_OK;
}

static eti_status open_measurement(eti_measurement *m, const eti_measure_request *request,
                                   eti_error *err) {
    const eti_measure_options *options = &request->measure;
    *m = (eti_measurement){.request = request, .n_sides = options->base ? 2 : 1};
    m->change = NAN;
    m->outcome = m->n_sides == 1 ? ETI_GATE_PASSED : ETI_GATE_UNDECIDED;
    m->machine = eti__machine_start("");
    ETI_TRY(eti__runner_open(&m->runner, &m->arena, options, err));
    ETI_TRY(check_options(request, err));
    ETI_TRY(check_tolerance(m, err));
    if (m->n_sides == 2)
        m->looks = eti__looks_plan(options->n_pairs);
    m->runner.wait = goes_on;
    m->runner.wait_context = m;
    m->runner.log = request->log;
    m->runner.log_context = request->log_context;
    m->sources = eti__arena_alloc(&m->arena, options->n_pairs + 1, sizeof *m->sources);
    if (!m->sources)
        return eti_fail_memory(err);
    ETI_TRY(check_records(request, err));
    ETI_TRY(draw_seed(m, err));
    return eti__dumps_open(&m->dumps, options->output_dir, options->n_pairs, m->n_sides == 2, err);
}

static void close_measurement(eti_measurement *m) {
    for (size_t side = 0; side < ETI_N_MEASURED_SIDES; side++)
        eti_profile_free(m->profiles[side]);
    eti__dumps_close(m->dumps);
    eti__sides_close(&m->runner);
    eti__arena_free(&m->arena);
}

eti_status eti__measure(eti_report **out, eti_gate_outcome *outcome,
                        const eti_measure_request *request, eti_error *err) {
    eti_measurement m;
    *out = NULL;
    eti_status status = open_measurement(&m, request, err);
    if (status == ETI_OK)
        status = measure(out, &m, err);
    *outcome = m.outcome;
    close_measurement(&m);
    return status;
}
