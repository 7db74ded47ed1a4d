#include "support.h"

#include "stats/verdict.h"

static void verdicts_have_names(void **state) {
    (void)state;
    static const char *const names[ETI_N_VERDICTS] = {"~",     "slower",  "faster",  "undecided",
                                                      "added", "removed", "untested"};
    for (int i = 0; i < ETI_N_VERDICTS; i++)
        assert_string_equal(eti__verdict_name((eti_verdict)i), names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
