/* All reports of an inspector read one account per block, also reports that several threads make. */
#include "account/account.h"
#include "base/parallel.h"
#include "files_fixture.h"
#include "inspector_fixture.h"
#include "view/view.h"
#include "write/write.h"

static bool take_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

static eti_inspector *open_folder(const char *folder) {
    char dump_path[128], record_path[128];
    const eti_source dump = {.path = dump_path}, record = {.path = record_path};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    snprintf(dump_path, sizeof dump_path, "testdata/%s/run.etdp", folder);
    snprintf(record_path, sizeof record_path, "testdata/%s/record.etrecord", folder);
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

/* Views that show times of the account; the others are left out. */
static const struct {
    const char *view, *format;
} views[] = {
    {"summary", "json"}, {"layers", "json"},  {"event_list", "json"}, {"ops", "json"},
    {"tree", "json"},    {"runs", "json"},    {"delegates", "json"},  {"groups", "json"},
    {"graph", "dot"},    {"trace", "folded"},
};

static eti_status write_view(const eti_inspector *inspector, size_t view, eti_buffer *out) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_report *report;
    options.group = "op";
    ETI_TRY(eti__inspector_report(&report, inspector, views[view].view, &options, NULL));
    eti_status status = eti__report_write(report, views[view].format, NULL, take_output, out, NULL);
    eti_report_free(report);
    return status;
}

static void double_wide(eti_wide *wide) {
    eti__wide_add(wide, *wide);
}

/* Doubles the times of some events, so that shares change, too. */
static void change_account(eti_account *account) {
    const size_t n_runs = account->block->n_runs;
    for (size_t i = 0; i < account->block->n_events; i += 2) {
        for (size_t run = 0; run < n_runs; run++) {
            uint64_t *self = &account->self[i * n_runs + run];
            account->whole[run] += account->events[i].is_counted ? *self : 0;
            account->elapsed[run] += *self;
            *self *= 2;
        }
        double_wide(&account->doubled_medians[i]);
        double_wide(&account->totals[i]);
    }
}

/* A view that made an account of its own would not see the change. */
static void all_views_read_one_account(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        eti_inspector *inspector = open_folder("xnnpack-conv");
        eti_buffer before = {0}, after = {0};
        const eti_account *account, *again;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(write_view(inspector, i, &before));
        for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
            const eti_event_block *block = &inspector->blocks.blocks[b];
            assert_ok(eti__account_of(&account, inspector, block, &err));
            assert_ok(eti__account_of(&again, inspector, block, &err));
            assert_ptr_equal(account, again);
            change_account(inspector->accounts.items[b].data);
        }
        assert_ok(write_view(inspector, i, &after));
        if (eti__text_equal(eti__buffer_text(&before), eti__buffer_text(&after)))
            fail_msg("the view %s makes an account of its own", views[i].view);
        eti__buffer_free(&before);
        eti__buffer_free(&after);
        eti_inspector_close(inspector);
    }
}

#define N_THREADS 4

/* Reports that threads make of one inspector, each in an order of its own. */
typedef struct writing {
    const eti_inspector *inspector;
    eti_buffer written[N_THREADS][COUNT_OF(views)];
    eti_status statuses[N_THREADS];
} writing;

static void write_views(void *context, size_t i) {
    writing *w = context;
    for (size_t v = 0; v < COUNT_OF(views) && w->statuses[i] == ETI_OK; v++) {
        size_t view = (v + i) % COUNT_OF(views);
        w->statuses[i] = write_view(w->inspector, view, &w->written[i][view]);
    }
}

static void threads_make_reports_of_one_inspector(void **state) {
    (void)state;
    static const char *const folders[] = {"xnnpack-conv", "multi-method", "transformer"};
    for (size_t f = 0; f < COUNT_OF(folders); f++) {
        eti_inspector *alone = open_folder(folders[f]), *shared = open_folder(folders[f]);
        writing w = {.inspector = shared};
        eti_error err = ETI_ERROR_INIT;
        eti__parallel(N_THREADS, write_views, &w);
        for (size_t v = 0; v < COUNT_OF(views); v++) {
            eti_buffer expected = {0};
            assert_ok(write_view(alone, v, &expected));
            assert_true(expected.size > 0);
            for (size_t i = 0; i < N_THREADS; i++) {
                assert_ok(w.statuses[i]);
                assert_true(eti__text_equal(eti__buffer_text(&w.written[i][v]),
                                            eti__buffer_text(&expected)));
                eti__buffer_free(&w.written[i][v]);
            }
            eti__buffer_free(&expected);
        }
        eti_inspector_close(alone);
        eti_inspector_close(shared);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_views_read_one_account),
        cmocka_unit_test(threads_make_reports_of_one_inspector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
