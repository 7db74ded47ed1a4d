#include "plan_fixture.h"

#include "program/cover.h"

static plan_fixture f;
static eti_planned tensors[4];
static eti_cover cover;

/* Tensors at 0 to 16, 16 to 32, 8 to 24 and 0 to 32. */
static void make_cover(void) {
    static const uint32_t list[] = {0, 1, 2, 3};
    eti_error err = ETI_ERROR_INIT;
    start_plan(&f);
    add_tensor(&f, 0, 16);
    add_tensor(&f, 16, 16);
    add_tensor(&f, 8, 16);
    add_tensor(&f, 0, 32);
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        tensors[i] = (eti_planned){.tensor = &f.tensors[i], .value = i};
    assert_ok(eti__cover_make(&cover, &f.arena, tensors, list, COUNT_OF(list), &err));
}

static void bytes_count_once(void **state) {
    (void)state;
    make_cover();
    static const struct {
        uint32_t tensor;
        bool is_removed;
        uint64_t bytes;
    } steps[] = {{0, false, 16}, {2, false, 24}, {3, false, 32}, {0, true, 32},
                 {3, true, 16},  {1, false, 24}, {2, true, 16},  {1, true, 0}};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        if (steps[i].is_removed)
            eti__cover_remove(&cover, steps[i].tensor);
        else
            eti__cover_add(&cover, steps[i].tensor);
        assert_int_equal(eti__cover_bytes(&cover), steps[i].bytes);
    }
    end_plan(&f);
}

static void bytes_have_one_owner(void **state) {
    (void)state;
    uint32_t other = 0;
    make_cover();
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        eti__cover_add(&cover, i);
    assert_true(eti__cover_own(&cover, 0, &other));
    assert_true(eti__cover_own(&cover, 1, &other));
    assert_false(eti__cover_own(&cover, 2, &other));
    assert_int_equal(other, 1);
    eti__cover_remove(&cover, 1);
    assert_false(eti__cover_own(&cover, 3, &other));
    assert_int_equal(other, 0);
    eti__cover_remove(&cover, 0);
    assert_true(eti__cover_own(&cover, 3, &other));
    end_plan(&f);
}

static void nothing_covers_nothing(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_arena arena = {0};
    assert_ok(eti__cover_make(&cover, &arena, tensors, NULL, 0, &err));
    assert_int_equal(eti__cover_bytes(&cover), 0);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_count_once),
        cmocka_unit_test(bytes_have_one_owner),
        cmocka_unit_test(nothing_covers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
