/* Lists of operators in rows: long ones have each operator once, and events share them. */
#include "support.h"

#include "view_events/op_lists.h"

#define MOST 32

static eti_event_record record_of(const eti_text *op_types, size_t n) {
    return (eti_event_record){.op_types = op_types, .n_op_types = n};
}

/* Sets n operators: "a" and "b" in turns. */
static void set_ops(eti_text *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = eti__text_of(i % 2 ? "b" : "a");
}

static void long_lists_have_each_operator_once(void **state) {
    (void)state;
    eti_text ops[MOST + 1];
    eti_op_lists lists = {0};
    size_t n;
    set_ops(ops, MOST + 1);
    const eti_event_record few = record_of(ops, MOST), many = record_of(ops, MOST + 1);
    assert_true(eti__op_lists_add(&lists, &few));
    assert_ptr_equal(eti__op_lists_of(&lists, &few, &n), ops);
    assert_int_equal(n, MOST);
    assert_int_equal(lists.distinct.count, 0);
    assert_true(eti__op_lists_add(&lists, &many));
    const eti_text *found = eti__op_lists_of(&lists, &many, &n);
    assert_int_equal(n, 2);
    assert_text(found[0], "a");
    assert_text(found[1], "b");
    eti__op_lists_free(&lists);
}

static void events_share_a_list(void **state) {
    (void)state;
    eti_text ops[MOST + 1];
    eti_op_lists lists = {0};
    size_t n;
    set_ops(ops, MOST + 1);
    const eti_event_record first = record_of(ops, MOST + 1);
    eti_event_record second = first;
    second.num_outputs = 2;
    assert_true(eti__op_lists_add(&lists, &first));
    assert_true(eti__op_lists_add(&lists, &second));
    assert_int_equal(lists.distinct.count, 1);
    assert_ptr_equal(eti__op_lists_of(&lists, &first, &n), eti__op_lists_of(&lists, &second, &n));
    eti__op_lists_free(&lists);
}

static void sizes_are_counted_up_to_a_limit(void **state) {
    (void)state;
    eti_text ops[MOST];
    set_ops(ops, MOST);
    const uint64_t item = 1 + ETI_LIST_ITEM_BYTES;
    assert_int_equal(eti__op_list_size(ops, 0, 1000), 0);
    assert_int_equal(eti__op_list_size(ops, MOST, UINT64_MAX), MOST * item);
    assert_int_equal(eti__op_list_size(ops, MOST, 2 * item), 3 * item);
}

static void assert_text_of(const eti_text *ops, size_t n, const char *expected, uint64_t size) {
    eti_buffer text = {0};
    eti__op_list_add_text(&text, ops, n);
    assert_text(eti__buffer_text(&text), expected);
    assert_int_equal(eti__op_list_text_size(ops, n), size);
    eti__buffer_free(&text);
}

static void texts_of_many_operators_are_short(void **state) {
    (void)state;
    const eti_text ops[] = {
        eti__text_of("a"), eti__text_of("it's"),  eti__text_of("ccc"),
        eti__text_of("d"), eti__text_of("eeeee"),
    };
    assert_text_of(ops, 0, "[]", 0);
    assert_text_of(ops, 4, "['a', \"it's\", 'ccc', 'd']", 9);
    assert_text_of(ops, 5, "['a', 'it's' ... 'eeeee'] (5 total)", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lists_have_each_operator_once),
        cmocka_unit_test(events_share_a_list),
        cmocka_unit_test(sizes_are_counted_up_to_a_limit),
        cmocka_unit_test(texts_of_many_operators_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
