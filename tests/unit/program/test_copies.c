#include "plan_fixture.h"

#include "program/copies.h"

#define LARGE 10000 /* more bytes than are read of texts that differ at the beginning */

static char large[4][LARGE];

static eti_text large_text(int i) {
    return (eti_text){large[i], LARGE};
}

static void copies_name_the_first(void **state) {
    (void)state;
    large[1][LARGE - 1] = 1; /* differs in the last byte */
    large[2][0] = 1;
    const eti_text texts[] = {
        eti__text_of("abc"), large_text(0),    eti__text_of(""),    large_text(1),
        eti__text_of("abd"), large_text(3),    large_text(2),       {NULL, 0},
        eti__text_of("abc"), eti__text_of(""), eti__text_of("abc"), large_text(1),
        eti__text_of("a"),
    };
    static const uint32_t expected[COUNT_OF(texts)] = {
        ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, ETI_NO_COPY, 1,          ETI_NO_COPY,
        ETI_NO_COPY, 0,           ETI_NO_COPY, 0,           3,           ETI_NO_COPY};
    uint32_t copies[COUNT_OF(texts)];
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__copies_find(copies, texts, COUNT_OF(texts), &err));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_int_equal(copies[i], expected[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_name_the_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
