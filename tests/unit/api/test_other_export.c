/* Files of another export than the one that ran, through the functions of etinspect.h. */
#include "base/text.h"
#include "etinspect.h"
#include "support.h"

#define RUN "testdata/xnnpack-conv/run.etdp"

typedef struct given_file {
    const char *option, *path, *warning; /* part of the warning; NULL: it belongs to the ETDump */
} given_file;

static const given_file other_record = {"etrecord_path", "testdata/mlp/record.etrecord",
                                        "2 of 2 kernels that ran do not belong to the operators"};
static const given_file other_program = {
    "program_path", "testdata/delegate-ids/model.pte",
    "its instructions do not match the events of block Execute"};
static const given_file own_record = {"etrecord_path", "testdata/xnnpack-conv/record.etrecord",
                                      NULL};
static const given_file own_program = {"program_path", "testdata/xnnpack-conv/model.pte", NULL};

static eti_request *request_of(const given_file *file, bool is_strict) {
    const eti_source dump = {.path = RUN};
    eti_request *request;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_request_new(&request, &err));
    assert_ok(eti_request_add_input(request, "etdump_path", &dump, &err));
    if (file) {
        const eti_source source = {.path = file->path};
        assert_ok(eti_request_add_input(request, file->option, &source, &err));
    }
    if (is_strict)
        assert_ok(eti_request_set(request, "strict", "true", &err));
    return request;
}

static eti_inspector *open_with(const given_file *file) {
    eti_request *request = request_of(file, false);
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_inspector_open(&inspector, request, &err));
    eti_request_free(request);
    return inspector;
}

/* Number of warnings that contain a text. */
static size_t count_warnings(const eti_inspector *inspector, const char *part) {
    size_t n = 0;
    for (size_t i = 0; i < eti_inspector_note_count(inspector); i++) {
        eti_text text = eti_inspector_note_text(inspector, i);
        n += eti_inspector_note_kind(inspector, i) == ETI_NOTE_WARNING &&
             eti__text_contains(text, eti__text_of(part));
    }
    return n;
}

static bool take_output(void *context, const void *data, size_t size) {
    eti__buffer_add(context, data, size);
    return true;
}

/* Returns the rows of a view as CSV, which names no files. */
static eti_buffer csv_of(const eti_inspector *inspector, const char *view) {
    eti_buffer out = {0};
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti_inspector_report(&report, inspector, view, NULL, &err));
    assert_ok(eti_report_write(report, "csv", NULL, take_output, &out, &err));
    eti__buffer_add_char(&out, '\0');
    eti_report_free(report);
    return out;
}

/* The rows of a view are those without the file, or others. */
static void compare_views(const eti_inspector *inspector, const eti_inspector *alone,
                          const char *view, bool are_alike) {
    eti_buffer found = csv_of(inspector, view), wanted = csv_of(alone, view);
    if ((strcmp(found.data, wanted.data) == 0) != are_alike)
        fail_msg("%s: found %s\nwithout the file: %s", view, found.data, wanted.data);
    eti__buffer_free(&found);
    eti__buffer_free(&wanted);
}

static void reports_take_nothing_from_it(void **state) {
    (void)state;
    static const given_file *const files[] = {&other_record, &other_program, &own_record,
                                              &own_program};
    static const char *const views[] = {"layers", "event_list", "tree", "ops", "source"};
    eti_inspector *alone = open_with(NULL);
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        eti_inspector *inspector = open_with(files[f]);
        if (files[f]->warning)
            assert_int_equal(count_warnings(inspector, files[f]->warning), 1);
        else
            assert_int_equal(count_warnings(inspector, "export"), 0);
        for (size_t v = 0; files[f]->warning && v < COUNT_OF(views); v++)
            compare_views(inspector, alone, views[v], true);
        if (files[f] == &own_record)
            compare_views(inspector, alone, "layers", false);
        eti_inspector_close(inspector);
    }
    eti_inspector_close(alone);
}

/* A profile, and so each side of a comparison, has no operators of the other export either. */
static void comparisons_take_nothing_from_it(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *alone = open_with(NULL), *inspector = open_with(&other_record);
    eti_profile *of_alone, *of_other;
    eti_report *report;
    eti_buffer out = {0};
    assert_ok(eti_profile_from_inspector(&of_alone, alone, NULL, &err));
    assert_ok(eti_profile_from_inspector(&of_other, inspector, NULL, &err));
    assert_ok(eti_diff_report(&report, of_alone, of_other, NULL, &err));
    assert_ok(eti_report_write(report, "json", NULL, take_output, &out, &err));
    assert_false(eti__text_contains(eti__buffer_text(&out), eti__text_of("aten.")));
    assert_false(eti__text_contains(eti__buffer_text(&out), eti__text_of("models.py")));
    eti__buffer_free(&out);
    eti_report_free(report);
    eti_profile_free(of_alone);
    eti_profile_free(of_other);
    eti_inspector_close(alone);
    eti_inspector_close(inspector);
}

static void strict_refuses_it(void **state) {
    (void)state;
    static const given_file *const files[] = {&other_record, &other_program};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        eti_request *request = request_of(files[f], true);
        inspector = NULL;
        assert_int_equal(eti_inspector_open(&inspector, request, &err), ETI_ERROR_DATA);
        assert_null(inspector);
        assert_non_null(strstr(err.message, files[f]->warning));
        eti_request_free(request);
    }
    eti_request *request = request_of(&own_record, true);
    assert_ok(eti_inspector_open(&inspector, request, &err));
    eti_inspector_close(inspector);
    eti_request_free(request);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_take_nothing_from_it),
        cmocka_unit_test(comparisons_take_nothing_from_it),
        cmocka_unit_test(strict_refuses_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
