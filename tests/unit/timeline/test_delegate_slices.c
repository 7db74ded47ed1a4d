/* Tests the slices and stacks of each backend's dump in testdata/backends/: they show what the account says, inside the calls. A
 * new folder is tested, too. */
#include "support.h"

#include "account/account.h"
#include "backends/backends.h"
#include "base/text.h"
#include "model/model.h"
#include "places/places.h"
#include "timeline/timeline.h"

#include <dirent.h>
#include <math.h>
#include <unistd.h>

#define FOLDER "testdata/backends/"
#define MOST_DEPTH 64

/* The dump being checked, for messages. */
typedef struct shown_dump {
    char dump[512], record[512], program[512];
    eti_inspector *inspector;
    size_t n_inside; /* slices of events that delegates logged */
} shown_dump;

static bool exists(const char *path) {
    return access(path, R_OK) == 0;
}

static void open_dump(shown_dump *shown, const char *folder, const char *file) {
    snprintf(shown->dump, sizeof shown->dump, FOLDER "%s/%s", folder, file);
    snprintf(shown->record, sizeof shown->record, FOLDER "%s/model.etrecord", folder);
    snprintf(shown->program, sizeof shown->program, FOLDER "%s/model.pte", folder);
    const eti_source dump = {.path = shown->dump}, record = {.path = shown->record};
    const eti_source program = {.path = shown->program};
    bool has_record = exists(shown->record);
    const eti_inputs inputs = {.etdumps = &dump,
                               .n_etdumps = 1,
                               .etrecord = has_record ? &record : NULL,
                               .programs = &program,
                               .n_programs = has_record && exists(shown->program)};
    eti_options options = ETI_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    if (eti__open_seen_through(&shown->inspector, &inputs, &options, &err) != ETI_OK)
        fail_msg("%s", err.message);
}

/* ---- one run --------------------------------------------------------------------------------- */

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s, run %u, %.*s: %s", shown->dump, (unsigned)run->run->number,              \
                     ETI_TEXT_ARGS(name_of(run, slice)), #condition);                              \
    } while (0)

static eti_text name_of(const eti_sliced_run *run, const eti_slice *slice) {
    return slice->event == ETI_NO_EVENT ? eti__text_of("(run)")
                                        : run->block->events[slice->event].name;
}

/* Slices of a track are in order, each inside the one around it, without overlaps. */
static void check_tracks(const shown_dump *shown, const eti_slices *slices,
                         const eti_sliced_run *run) {
    const eti_slice *open[MOST_DEPTH], *before = NULL;
    uint64_t latest[MOST_DEPTH];
    for (size_t i = 0; i < run->n_slices; i++) {
        const eti_slice *slice = &run->slices[i];
        EXPECT(slice->depth < MOST_DEPTH - 1);
        EXPECT(slice->start <= slice->end);
        EXPECT(eti__slices_track(slices, slice->track)->lane == 0);
        uint32_t depth = slice->depth;
        if (!before || before->track != slice->track) {
            EXPECT(depth == 0);
            latest[0] = 0;
        } else {
            EXPECT(depth <= before->depth + 1);
        }
        if (depth > 0)
            EXPECT(open[depth - 1]->start <= slice->start && slice->end <= open[depth - 1]->end);
        EXPECT(latest[depth] <= slice->start);
        open[depth] = before = slice;
        latest[depth] = slice->end;
        latest[depth + 1] = slice->start;
    }
}

/* Adds the self time of each call to the calls around it. The caller frees the array. */
static uint64_t *inclusive_times(const eti_run_calls *calls) {
    uint64_t *all = calloc(calls->order.n_calls + 1, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        uint32_t at = (uint32_t)i;
        for (unsigned depth = 0; at != ETI_NO_CALL && depth < MOST_DEPTH; depth++) {
            all[at] += calls->own[i];
            at = eti__run_calls_parent(calls, at);
        }
        assert_int_equal(at, ETI_NO_CALL);
    }
    return all;
}

static const eti_slice **slices_by_number(const eti_sliced_run *run) {
    const eti_slice **found = calloc(run->recorded->events.count + 1, sizeof *found);
    assert_non_null(found);
    for (size_t i = 0; i < run->n_slices; i++) {
        if (run->slices[i].event != ETI_NO_EVENT)
            found[run->slices[i].number] = &run->slices[i];
    }
    return found;
}

/* Each slice is as long as its event is in the account, and inside the slice of the event around it; events without slices have
 * no time. Stamps of these dumps are nanoseconds. */
static void check_times(shown_dump *shown, const eti_sliced_run *run, const eti_run_calls *calls) {
    uint64_t *all = inclusive_times(calls);
    const eti_slice **slices = slices_by_number(run), *of_run = &run->slices[0];
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_call *call = &calls->order.calls[i];
        const eti_slice *slice = slices[call->number];
        if (!slice) {
            assert_int_equal(all[i], 0);
            assert_int_equal(calls->timing[i], ETI_TIMED_NOT);
            continue;
        }
        EXPECT(slice->end - slice->start == all[i]);
        EXPECT(slice->self == calls->own[i]);
        EXPECT(of_run->start <= slice->start && slice->end <= of_run->end);
        uint32_t parent = eti__run_calls_parent(calls, i);
        if (parent == ETI_NO_CALL)
            continue;
        const eti_slice *around = slices[calls->order.calls[parent].number];
        EXPECT(around->start <= slice->start && slice->end <= around->end);
        shown->n_inside += call->delegate_call != ETI_NO_CALL;
    }
    free(all);
    free((void *)slices);
}

/* Samples are not negative times, in order, and of what a delegate counted in this run. */
static void check_samples(const shown_dump *shown, const eti_slices *slices,
                          const eti_sliced_run *run, const eti_run_calls *calls) {
    const eti_slice *slice = &run->slices[0];
    size_t n = 0, n_samples = 0;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        const eti_event *event = &calls->block->events[calls->order.calls[i].event];
        n += event->logged && event->logged->role == ETI_DELEGATE_COUNTER;
    }
    for (size_t i = 0; i < run->n_samples; i++) {
        const eti_slice_counter *counter = eti__slices_counter(slices, run->samples[i].counter);
        if (counter->kind != ETI_COUNTER_LOGGED)
            continue;
        EXPECT(slice->start <= run->samples[i].time && run->samples[i].time <= slice->end);
        EXPECT(counter->unit.size > 0);
        n_samples++;
    }
    EXPECT(n_samples == n);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void check_slices(shown_dump *shown) {
    static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    eti_slice_source source;
    eti_slices *slices;
    eti_sliced_run run;
    eti_error err = ETI_ERROR_INIT;
    const eti_blocks *blocks = &shown->inspector->blocks;
    assert_ok(eti__slice_source_make(&source, shown->inspector, &defaults, 0, &err));
    assert_ok(eti__slice_source_add_counters(&source, &err));
    assert_ok(eti__slices_open(&slices, &source, NULL, &err));
    for (assert_ok(eti__slices_next(slices, &run, &err)); run.run;
         assert_ok(eti__slices_next(slices, &run, &err))) {
        eti_run_calls calls;
        assert_true(run.n_slices > 0);
        eti__run_calls_init(&calls, &blocks->blocks[run.run->block], &shown->inspector->options);
        assert_ok(eti__run_calls_read(&calls, run.run->number, ETI_NO_EVENT, NULL, &err));
        check_tracks(shown, slices, &run);
        check_times(shown, &run, &calls);
        check_samples(shown, slices, &run, &calls);
        eti__run_calls_free(&calls);
    }
    eti__slices_close(slices);
    eti__slice_source_free(&source);
}

/* Returns the typical time of the counted events of a role, or of all roles, per run of all blocks, in ns. */
static double typical_time(const eti_inspector *inspector, int role) {
    static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;
    bool leaves_out_loading = eti__blocks_leave_out_loading(inspector, &defaults);
    size_t n_runs = 0;
    double sum = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        eti_account account;
        eti_error err = ETI_ERROR_INIT;
        if (!eti__block_is_summed(&defaults, block, leaves_out_loading))
            continue;
        assert_ok(eti__account_new(&account, block, &inspector->options, &err));
        for (size_t i = 0; i < block->n_events && account.n_runs > 0; i++) {
            eti_time_sum of = eti__account_sum(&account, i);
            if (account.events[i].is_counted && (role < 0 || account.events[i].role == role))
                sum += eti__wide_as_double(of.weight) / 2;
        }
        n_runs += account.n_runs;
        eti__account_free(&account);
    }
    return sum / (double)n_runs;
}

/* The stacks have the whole time, and those of a role that is no operator's have its time: to the tick. */
static void check_stacks(const shown_dump *shown) {
    static const struct {
        const char *name; /* NULL: of all stacks */
        int role;
    } parts[] = {{NULL, -1},
                 {"(delegate, transfers)", ETI_ROLE_TRANSFER},
                 {"(delegate, overhead)", ETI_ROLE_OVERHEAD},
                 {"(delegate, profiling)", ETI_ROLE_PROFILING}};
    eti_stacks stacks;
    eti_error err = ETI_ERROR_INIT;
    const eti_stack_source source = {.inspector = shown->inspector,
                                     .options = ETI_VIEW_OPTIONS_DEFAULT};
    assert_ok(eti__stacks_make(&stacks, &source, &err));
    for (size_t k = 0; k < COUNT_OF(parts); k++) {
        double sum = 0, expected = typical_time(shown->inspector, parts[k].role);
        for (size_t i = 0; i < stacks.n; i++) {
            if (!parts[k].name ||
                eti__text_is(eti__stack_name(&stacks, stacks.items[i].node), parts[k].name))
                sum += stacks.items[i].ns;
        }
        if (fabs(sum - expected) > 0.01)
            fail_msg("%s: stacks of %s have %f ns, the account %f", shown->dump,
                     parts[k].name ? parts[k].name : "all", sum, expected);
    }
    eti__stacks_free(&stacks);
}

static void delegates_are_shown_as_in_the_account(void **state) {
    (void)state;
    DIR *folders = opendir(FOLDER);
    size_t n = 0;
    assert_non_null(folders);
    for (struct dirent *folder; (folder = readdir(folders));) {
        static const char *const files[] = {"run.etdp", "base.etdp"};
        for (size_t i = 0; folder->d_name[0] != '.' && i < COUNT_OF(files); i++) {
            char path[512];
            shown_dump shown = {.n_inside = 0};
            snprintf(path, sizeof path, FOLDER "%s/%s", folder->d_name, files[i]);
            if (!exists(path))
                continue;
            open_dump(&shown, folder->d_name, files[i]);
            check_slices(&shown);
            check_stacks(&shown);
            eti_inspector_close(shown.inspector);
            n++;
        }
    }
    closedir(folders);
    assert_true(n >= 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delegates_are_shown_as_in_the_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
