/* filter.c - lets every unit test run only those of its tests whose names match TEST_FILTER, with * and ?: see make test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Runs before main(), so that no test has to read the environment. */
__attribute__((constructor)) static void set_filter(void) {
    const char *pattern = getenv("TEST_FILTER");
    if (pattern)
        cmocka_set_test_filter(pattern);
}
