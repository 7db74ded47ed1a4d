#include "plan_fixture.h"

#include "program/size_users.h"

static plan_fixture f;

static void uses_come_in_order_and_once(void **state) {
    (void)state;
    static const eti_size_use expected[] = {{0, {3, 0}}, {0, {3, 1}}, {1, {3, 1}},
                                            {7, {3, 2}}, {8, {3, 2}}, {9, {3, 2}}};
    uint32_t value_rows[] = {0, 1, ETI_NO_ROW, ETI_NO_ROW}, delegate_rows[] = {7};
    uint32_t named_rows[] = {9, 8};
    const eti_row_list delegate_names[] = {{named_rows, 2}};
    eti_size_users users = {0};
    eti_error err = ETI_ERROR_INIT;
    start_plan(&f);
    int32_t a = add_tensor(&f, 0, 4), b = add_tensor(&f, 4, 4), c = add_tensor(&f, 8, 4);
    int32_t list = add_list(&f, b, -1, a, b);
    add_kernel(&f, ADD, a, a, c);
    add_kernel(&f, ADD, list, c);
    add_plan_delegate(&f, c);
    assert_ok(eti__size_users_add(&users, &f.arena, &f.plan, 3, value_rows, delegate_rows,
                                  delegate_names, &err));
    eti__size_users_sort(&users);
    assert_int_equal(users.n_uses, COUNT_OF(expected));
    assert_memory_equal(users.uses, expected, sizeof expected);
    eti__size_users_free(&users);
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(uses_come_in_order_and_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
