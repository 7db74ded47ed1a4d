#include "api/api.h"
#include "support.h"

#include <string.h>

static eti_error err;

static void each_command_takes_a_name_once(void **state) {
    (void)state;
    const eti__option *a, *b;
    for (size_t i = 0; (a = eti__option_at(i)); i++) {
        for (size_t k = 0; k < i; k++) {
            b = eti__option_at(k);
            if (strcmp(a->name, b->name) == 0 && (a->commands & b->commands))
                fail_msg("a command takes --%s twice", a->name);
        }
        assert_true(a->group < ETI__N_OPTION_GROUPS && a->help && *a->help);
        assert_true(a->commands || !a->is_programs);
        assert_int_equal(a->name[strspn(a->name, "abcdefghijklmnopqrstuvwxyz0123456789_")], '\0');
    }
}

/* Numbers have a range, flags have no value, and defaults of choices are choices. */
static void rows_are_of_their_type(void **state) {
    (void)state;
    const eti__option *option;
    for (size_t i = 0; (option = eti__option_at(i)); i++) {
        assert_int_equal(option->value == NULL, option->type == ETI_OPTION_FLAG);
        assert_true(option->type != ETI_OPTION_CHOICE || option->choices);
        if (option->type != ETI_OPTION_SHARE)
            assert_int_equal(option->most > 0, option->type == ETI_OPTION_NUMBER);
        assert_true(option->least <= option->most);
    }
}

/* Setting an option to its default changes nothing. */
static void defaults_are_those_of_a_new_request(void **state) {
    (void)state;
    eti_request *fresh;
    assert_int_equal(eti_request_new(&fresh, &err), ETI_OK);
    for (size_t i = 0; i < eti_option_count(); i++) {
        const char *name = eti_option_name(i), *value = eti_option_default(i);
        eti_request *request;
        if (!value || eti_option_type_of(i) == ETI_OPTION_TEXT) /* each text is another pointer */
            continue;
        assert_int_equal(eti_request_new(&request, &err), ETI_OK);
        if (eti_request_set(request, name, value, &err) != ETI_OK)
            fail_msg("%s", err.message);
        if (memcmp(&request->meaning, &fresh->meaning, sizeof fresh->meaning) != 0)
            fail_msg("%s is not %s by default", name, value);
        eti_request_free(request);
    }
    eti_request_free(fresh);
}

static void programs_can_list_options(void **state) {
    (void)state;
    size_t n = eti_option_count();
    assert_in_range(
        n, 40, 255); /* neither only part of the table, nor past its end, nor as many as are kept */
    for (size_t i = 0; i < n; i++) {
        const eti__option *found;
        assert_non_null(eti_option_help(i));
        assert_int_equal(eti__option_find(&found, eti_option_name(i), &err), ETI_OK);
        assert_string_equal(found->name, eti_option_name(i));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(eti_option_name(i), eti_option_name(k));
        if (strcmp(eti_option_name(i), "label") == 0) {
            assert_true(eti_option_is_repeated(i));
            assert_int_equal(eti_option_type_of(i), ETI_OPTION_LABEL);
        }
    }
    assert_null(eti_option_name(n));
    assert_null(eti_option_help(n));
    assert_null(eti_option_choices(n));
    assert_null(eti_option_default(n));
    assert_false(eti_option_is_repeated(n));
}

static void near_names(void **state) {
    (void)state;
    assert_string_equal(eti__near_option("formt", ETI__FOR_DIFF), "format");
    assert_string_equal(eti__near_option("aloow_unlike", ETI__FOR_DIFF), "allow_unlike");
    assert_null(eti__near_option("split_variant", ETI__FOR_DIFF));
    assert_string_equal(eti__near_option("split_variant", ETI__FOR_SUMMARY), "split_variants");
    assert_null(eti__near_option("zzzzz", ETI__FOR_DIFF));
    assert_null(eti__near_option("", ETI__FOR_DIFF));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_takes_a_name_once),
        cmocka_unit_test(rows_are_of_their_type),
        cmocka_unit_test(defaults_are_those_of_a_new_request),
        cmocka_unit_test(programs_can_list_options),
        cmocka_unit_test(near_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
