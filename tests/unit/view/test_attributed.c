/* Tests lines of the summary about the attribution of delegated time; times are invented. */
#include "support.h"

#include "view/attributed.h"

/* An overview, and the report to which the note is added. */
typedef struct noted {
    eti_inspector inspector;
    eti_overview data;
    eti_report *report;
} noted;

/* Sets 1000 ticks, `in_delegates` of which are in calls of delegates. */
static void start(noted *n, uint64_t in_delegates) {
    static const eti_column column = {.name = {"part", 4}, .type = ETI_TYPE_UTF8};
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    *n = (noted){.data.rollup.attributed = {.in_delegates = eti__wide_of(in_delegates),
                                            .whole = eti__wide_of(1000)}};
    assert_ok(eti__report_new(&n->report, "summary", ETI_SCALE_NS, &err));
    assert_ok(eti__table_new(&table, &column, 1, &err));
    assert_ok(eti__report_add(n->report, "account", NULL, table, &err));
}

static void set_time(noted *n, eti_attribution attribution, uint64_t ticks, bool by_program) {
    n->data.rollup.attributed.of[attribution] = eti__wide_of(ticks);
    if (by_program)
        eti__wide_add(&n->data.rollup.attributed.seen_by_program, eti__wide_of(ticks));
}

/* NULL: no note. */
static void end_with(noted *n, const char *note) {
    const eti_section *section = &n->report->sections[0];
    assert_int_equal(section->n_notes, note != NULL);
    if (note)
        assert_text(section->notes[0], note);
    eti_report_free(n->report);
}

static void attribute(noted *n) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__overview_note_attribution(n->report, &n->data, &err));
}

static void ask(noted *n) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__view_note_program(n->report, &n->inspector, &n->data.rollup.attributed, &err));
}

static void shares_stand_in_order_of_certainty(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_NONE, 50, false);
    set_time(&n, ETI_ATTRIBUTION_EXACT, 600, false);
    set_time(&n, ETI_ATTRIBUTION_ALIGNED, 150, false);
    set_time(&n, ETI_ATTRIBUTION_CALL, 200, false);
    attribute(&n);
    end_with(&n, "time logged by delegates, by node of the model: 60.0 % exact, 15.0 % aligned, "
                 "20.0 % known only for the call as a whole, 5.0 % unknown");

    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_RECORDED, 1, false);
    set_time(&n, ETI_ATTRIBUTION_INFERRED, 2, false);
    attribute(&n);
    end_with(&n,
             "time logged by delegates, by node of the model: 33.3 % recorded, 66.7 % inferred");
}

static void nothing_is_said_where_nothing_is_known(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    attribute(&n);
    end_with(&n, NULL);
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_NONE, 50, true);
    attribute(&n);
    end_with(&n, NULL);
}

/* The note appears from a fifth of the time on, if half of it is uncertain. */
static void the_program_is_asked_for_where_it_helps(void **state) {
    (void)state;
    static const struct {
        uint64_t in_delegates, inferred, exact;
        const char *share; /* NULL: not requested */
    } cases[] = {{200, 100, 100, "20"},
                 {199, 199, 0, NULL},
                 {200, 99, 101, NULL},
                 {984, 984, 0, "98"},
                 {984, 0, 0, NULL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        noted n;
        char with[160], without[200];
        snprintf(with, sizeof with,
                 "%s %% of the time is in delegates: give the program too (program_path model.pte) "
                 "to see its layers",
                 cases[i].share ? cases[i].share : "");
        snprintf(without, sizeof without,
                 "%s %% of the time is in delegates: give the ETRecord and the program "
                 "(etrecord_path, program_path) to see its layers",
                 cases[i].share ? cases[i].share : "");
        for (int has_record = 0; has_record < 2; has_record++) {
            start(&n, cases[i].in_delegates);
            /* only its presence is tested */
            n.inspector.record = has_record ? (eti_etrecord *)(void *)&n : NULL;
            set_time(&n, ETI_ATTRIBUTION_INFERRED, cases[i].inferred, true);
            set_time(&n, ETI_ATTRIBUTION_EXACT, cases[i].exact, false);
            ask(&n);
            end_with(&n, !cases[i].share ? NULL : has_record ? with : without);
        }
    }
}

static void nothing_is_asked_for_in_vain(void **state) {
    (void)state;
    noted n;
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, true);
    n.inspector.n_programs = 1;
    ask(&n);
    end_with(&n, NULL);
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, true);
    n.inspector.options.no_attribution = true;
    ask(&n);
    end_with(&n, NULL);
    /* of backends whose payloads cannot be read */
    start(&n, 1000);
    set_time(&n, ETI_ATTRIBUTION_CALL, 500, false);
    ask(&n);
    end_with(&n, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_stand_in_order_of_certainty),
        cmocka_unit_test(nothing_is_said_where_nothing_is_known),
        cmocka_unit_test(the_program_is_asked_for_where_it_helps),
        cmocka_unit_test(nothing_is_asked_for_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
