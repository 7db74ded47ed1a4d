/* Simulates a machine that as a whole gets slower or faster: all stamps of a profile are stretched by a factor. No event is
 * slower or faster than the rest; the total is, or the answer is "cannot tell". */
#include "base/files.h"
#include "compare/compare.h"
#include "flatbuf/flatbuf.h"
#include "gate/gate.h"
#include "model/model.h"
#include "profile/profile.h"
#include "read/read.h"
#include "stats/stats.h"
#include "support.h"

#include <math.h>

#define N_FILES 8
#define JITTER 0.02 /* of each run */

static eti_error err;

/* A profile of testdata, whose stamps are rewritten in copies. */
typedef struct original {
    const char *name;
    struct eti_file dump;
    eti_etdump layout;
} original;

static const char *const names[] = {
    "allocation-events", "bundled-inputs", "control-flow", "control-flow-chains",
    "delegate-ids",      "dynamic-batch",  "mlp",          "mlp-many-runs",
    "multi-method",      "small",          "transformer",  "xnnpack-conv",
};
static const double factors[] = {0.5, 0.8, 1.1, 1.3, 2};

static void open_original(original *o, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "testdata/%s/run.etdp", name);
    const eti_source source = {.path = path};
    o->name = name;
    assert_ok(eti__file_open_source(&o->dump, &source, &err));
    assert_ok(eti__etdump_open(&o->layout, &o->dump, 1, &err));
}

/* ---- stretching ------------------------------------------------------------------------------ */

/* Ids of fields, as numbered in schema/etdump.fbs. */
enum { EVENT_PROFILE = 0, PROFILE_START_TIME = 6, PROFILE_END_TIME = 7 };

static uint64_t random_state;

/* Returns a uniform random number from -1 to 1. */
static double draw(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) * 0x1p-52 - 1;
}

static void store_u64(uint8_t *bytes, uint64_t value) {
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* Returns the place of the event's stamp; 0: it has none. */
static size_t find_stamp(const eti_etdump *dump, eti_position event, unsigned field) {
    eti_position table = eti__flatbuf_table(&dump->buffer, event, EVENT_PROFILE);
    return table ? eti__flatbuf_place(&dump->buffer, table, field) : 0;
}

static uint64_t first_stamp(const eti_etdump *dump, eti_vector events) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < events.count; i++) {
        size_t at =
            find_stamp(dump, eti__etdump_event_position(dump, events, i), PROFILE_START_TIME);
        uint64_t stamp = at ? eti__flatbuf_load_u64(&dump->buffer, at) : UINT64_MAX;
        first = stamp < first ? stamp : first;
    }
    return first;
}

/* Rewrites the stamps of a run in a copy of the dump. */
static void stretch_run(uint8_t *copy, const eti_etdump *dump, eti_vector events, double factor,
                        uint64_t shift) {
    uint64_t first = first_stamp(dump, events);
    for (uint32_t i = 0; i < 2 * events.count; i++) {
        eti_position event = eti__etdump_event_position(dump, events, i / 2);
        size_t at = find_stamp(dump, event, i % 2 == 0 ? PROFILE_START_TIME : PROFILE_END_TIME);
        if (at == 0)
            continue;
        double since = (double)(eti__flatbuf_load_u64(&dump->buffer, at) - first);
        store_u64(copy + at, first + shift + (uint64_t)llround(since * factor));
    }
}

/* A side of a comparison, which borrows from the copies of the dump from which it was made. */
typedef struct stretched_side {
    eti_profile *profile;
    uint8_t *copies[N_FILES];
    size_t n_copies;
} stretched_side;

/* Makes a profile of a copy of the dump. `shift` makes the bytes of copies differ even if their times are equal. */
static eti_profile *stretch(stretched_side *side, const original *o, double factor, double jitter,
                            uint64_t shift) {
    const eti_etdump *dump = &o->layout;
    uint8_t *copy = malloc(o->dump.size);
    assert_non_null(copy);
    side->copies[side->n_copies++] = copy;
    memcpy(copy, o->dump.data, o->dump.size);
    for (uint32_t run = 0; run < dump->runs.count; run++)
        stretch_run(copy + dump->buffer.file_offset, dump, eti__etdump_read_run(dump, run).events,
                    factor * (1 + jitter * draw()), shift);
    const eti_source source = {o->name, copy, o->dump.size};
    const eti_inputs inputs = {.etdumps = &source, .n_etdumps = 1};
    eti_inspector *inspector;
    eti_profile *profile;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__profile_from_inspector(&profile, inspector, NULL, &err));
    eti_inspector_close(inspector);
    return profile;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Makes a side of `n_files` files, each with its own jitter. */
static stretched_side make_side(const original *o, double factor, double jitter, size_t n_files) {
    stretched_side side = {.n_copies = 0};
    eti_profile *files[N_FILES] = {NULL};
    for (size_t i = 0; i < n_files; i++)
        files[i] = stretch(&side, o, factor, jitter, i + (factor > 1 ? N_FILES : 0));
    assert_ok(
        eti__profile_merge(&side.profile, (const eti_profile *const *)files, n_files, false, &err));
    for (size_t i = 0; i < n_files; i++)
        eti_profile_free(files[i]);
    return side;
}

static void free_side(stretched_side *side) {
    eti_profile_free(side->profile);
    for (size_t i = 0; i < side->n_copies; i++)
        free(side->copies[i]);
}

static bool has_verdict(const eti_diff_row *row) {
    return row->verdict == ETI_VERDICT_SLOWER || row->verdict == ETI_VERDICT_FASTER;
}

static bool is_judged(const eti_diff_row *row) {
    return row->is_compared && row->unjudged == ETI_JUDGED && !row->is_level;
}

/* Returns whether the verdict contradicts the factor. */
static bool is_against(const eti_diff_row *row, double factor) {
    return row->verdict == (factor > 1 ? ETI_VERDICT_FASTER : ETI_VERDICT_SLOWER);
}

/* Counts over all comparisons of a kind. */
typedef struct tally {
    size_t n_events, n_totals; /* that were tested */
    size_t n_flagged;          /* events that are called slower or faster than the rest */
    size_t n_decided;          /* totals that follow the factor */
    size_t n_against;          /* totals that do the opposite */
} tally;

static void count_rows(tally *t, const original *o, const eti_diff *diff, double factor) {
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        t->n_events += is_judged(row);
        bool has_level = row->family && row->family->levels; /* few events have none */
        t->n_flagged += has_level && has_verdict(row);
        if (has_level && has_verdict(row))
            print_error("%s x %g: %.*s is %s, x %g\n", o->name, factor, (int)row->name.size,
                        row->name.data, eti__verdict_name((eti_verdict)row->verdict), row->ratio);
    }
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        t->n_totals += is_judged(row);
        if (row->is_level)
            continue;
        t->n_against += is_against(row, factor);
        t->n_decided += has_verdict(row) && !is_against(row, factor);
    }
}

/* A gate may fail only above 1. It may pass only if the change is below the limit and the margin. */
static void check_gate(const original *o, const eti_profile *base, const eti_profile *new_side,
                       const eti_diff_options *options, double factor) {
    eti_gate_options gate_options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate gate;
    gate_options.diff = *options;
    assert_ok(eti__gate_make(&gate, base, new_side, &gate_options, &err));
    if (gate.outcome == ETI_GATE_FAILED && factor < 1)
        fail_msg("%s x %g: the gate failed", o->name, factor);
    if (gate.outcome == ETI_GATE_PASSED && factor > 1 + options->least_effect + options->margin)
        fail_msg("%s x %g: the gate passed", o->name, factor);
    eti__gate_free(&gate);
}

static void compare(tally *t, const original *o, double factor, double jitter, size_t n_files) {
    stretched_side base = make_side(o, 1, jitter, n_files);
    stretched_side new_side = make_side(o, factor, jitter, n_files);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_diff diff;
    options.one_process = n_files == 1;
    assert_ok(eti__diff_make(&diff, base.profile, new_side.profile, &options, &err));
    count_rows(t, o, &diff, factor);
    check_gate(o, base.profile, new_side.profile, &options, factor);
    eti__diff_free(&diff);
    free_side(&base);
    free_side(&new_side);
}

static tally compare_all(double jitter, size_t n_files) {
    tally t = {0};
    random_state = 1;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        original o;
        open_original(&o, names[i]);
        for (size_t k = 0; k < COUNT_OF(factors); k++)
            compare(&t, &o, factors[k], jitter, n_files);
        eti__file_release(&o.dump);
    }
    assert_int_equal(t.n_flagged, 0);
    assert_int_equal(t.n_against, 0);
    return t;
}

static void test_several_files(void **state) {
    (void)state;
    tally t = compare_all(0, N_FILES);
    assert_true(t.n_events > 500);
    assert_int_equal(t.n_decided, t.n_totals);
    t = compare_all(JITTER, N_FILES);
    assert_true(t.n_events > 500);
    assert_int_equal(t.n_decided, t.n_totals);
}

/* Most profiles have too few runs for a verdict. */
static void test_one_process(void **state) {
    (void)state;
    tally t = compare_all(0, 1);
    assert_true(t.n_events > 130 && t.n_decided > 5);
    t = compare_all(JITTER, 1);
    assert_true(t.n_events > 130 && t.n_decided > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
