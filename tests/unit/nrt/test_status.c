#include "nrt_fixture.h"

static void every_status_has_the_number_and_the_name_of_the_vendor(void **state) {
    (void)state;
    static const struct {
        int number;
        const char *name;
    } statuses[] = {
        {0, "NRT_SUCCESS"},
        {1, "NRT_FAILURE"},
        {2, "NRT_INVALID"},
        {3, "NRT_INVALID_HANDLE"},
        {4, "NRT_RESOURCE"},
        {5, "NRT_TIMEOUT"},
        {6, "NRT_HW_ERROR"},
        {7, "NRT_QUEUE_FULL"},
        {9, "NRT_LOAD_NOT_ENOUGH_NC"},
        {10, "NRT_UNSUPPORTED_NEFF_VERSION"},
        {11, "NRT_FAIL_HOST_MEM_ALLOC"},
        {13, "NRT_UNINITIALIZED"},
        {14, "NRT_CLOSED"},
        {15, "NRT_QUEUE_EMPTY"},
        {101, "NRT_EXEC_UNIT_UNRECOVERABLE"},
        {1002, "NRT_EXEC_BAD_INPUT"},
        {1003, "NRT_EXEC_COMPLETED_WITH_NUM_ERR"},
        {1004, "NRT_EXEC_COMPLETED_WITH_ERR"},
        {1005, "NRT_EXEC_NC_BUSY"},
        {1006, "NRT_EXEC_OOB"},
        {1100, "NRT_COLL_PENDING"},
        {1200, "NRT_EXEC_HW_ERR_COLLECTIVES"},
        {1201, "NRT_EXEC_HW_ERR_HBM_UE"},
        {1202, "NRT_EXEC_HW_ERR_NC_UE"},
        {1203, "NRT_EXEC_HW_ERR_DMA_ABORT"},
        {1204, "NRT_EXEC_SW_NQ_OVERFLOW"},
        {1205, "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE"},
        {1206, "NRT_NETWORK_PROXY_FAILURE"},
    };
    assert_int_equal(COUNT_OF(statuses), 28);
    unsigned n_known = 0;
    for (int i = -1; i < 2000; i++)
        n_known += strncmp(nrt_get_status_as_str((NRT_STATUS)i), "NRT_", 4) == 0;
    assert_int_equal(n_known, 28);
    for (size_t i = 0; i < COUNT_OF(statuses); i++)
        assert_string_equal(nrt_get_status_as_str((NRT_STATUS)statuses[i].number),
                            statuses[i].name);
}

static void a_number_that_is_no_status_is_in_the_text(void **state) {
    (void)state;
    assert_string_equal(nrt_get_status_as_str((NRT_STATUS)8), "unknown NRT_STATUS 8");
    assert_string_equal(nrt_get_status_as_str((NRT_STATUS)12), "unknown NRT_STATUS 12");
    assert_string_equal(nrt_get_status_as_str((NRT_STATUS)-7), "unknown NRT_STATUS -7");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_the_number_and_the_name_of_the_vendor),
        cmocka_unit_test(a_number_that_is_no_status_is_in_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
