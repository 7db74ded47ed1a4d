/* Lists the debug handles that several instructions of a record have. */
#include "record_builder.h"
#include "support.h"

#include "places/shared_handles.h"

static void each_shared_handle_is_listed_once(void **state) {
    (void)state;
    eti_shared_handles shared = {NULL, 0};
    record_builder builder = {0};
    eti_etrecord *record;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    make_record(&builder,
                &(record_spec){.handles = "{\"0\": [9, 3, 3], \"1\": [4, 9], \"2\": 9, \"5\": 4}"});
    assert_ok(eti__etrecord_open(&record, &arena, &builder.file, &err));
    assert_false(eti__shared_handles_have(&shared, 9)); /* not listed yet */
    assert_true(eti__shared_handles_list(&shared, record, 0));
    const int64_t *handles = shared.handles;
    assert_true(eti__shared_handles_have(&shared, 4));
    assert_true(eti__shared_handles_have(&shared, 9));
    assert_false(eti__shared_handles_have(&shared, 3)); /* one instruction has it twice */
    assert_false(eti__shared_handles_have(&shared, 5));
    assert_true(eti__shared_handles_list(&shared, record, 0));
    assert_ptr_equal(shared.handles, handles);
    eti__shared_handles_free(&shared);
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    free_record(&builder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shared_handle_is_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
