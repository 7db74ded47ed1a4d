/* Finds the nodes that use the weights of a record, by the hash of their bytes. */
#include "support.h"

#include "base/text.h"
#include "model/model.h"

#include <string.h>

#define FOLDER "testdata/backends/"

static eti_record *open_record(const char *path) {
    const eti_source source = {.path = path};
    eti_error err = ETI_ERROR_INIT;
    eti_record *record = NULL;
    assert_ok(eti_record_open(&record, &source, &err));
    return record;
}

/* Returns the operator of the node that uses a weight; absent if it is unknown. */
static eti_text user_of(eti_record *record, const char *key) {
    const eti_weight_user *users;
    eti_graph graph;
    eti_error err = ETI_ERROR_INIT;
    size_t n;
    assert_ok(eti__record_weight_users(record, 0, &users, &n, &err));
    assert_ok(eti__record_graph(record, ETI_READ_EDGE, 0, NULL, &graph, NULL, &err));
    for (size_t i = 0; i < n; i++) {
        assert_true(users[i].node < graph.n_nodes);
        assert_true(i == 0 || eti__text_compare(users[i - 1].key, users[i].key) < 0);
        if (eti__text_is(users[i].key, key))
            return graph.nodes[users[i].node].op_type;
    }
    return (eti_text){NULL, 0};
}

/* The keys are names of data in the program. */
static void weights_lead_to_their_users(void **state) {
    (void)state;
    eti_record *record = open_record(FOLDER "vulkan_se/model.etrecord");
    assert_text(user_of(record, "4ffe5f02bc7895d1b662962219a973eff426d46105bb42ec61df6708de4f173b"),
                "aten.permute_copy.default");
    assert_text(user_of(record, "992f9e67de19939246311ac81aba50949d4bf0244786285a65b7e82b28d840cc"),
                "aten.addmm.default");
    assert_text(user_of(record, "882c4ba0855dc59e56352d2287fd5aed0068b464184b621e812899d11bb8a735"),
                "aten.convolution.default");
    /* a batch norm was folded into it */
    assert_null(
        user_of(record, "2cbecac077bb43d51ca8ac75fb1d28bf77fda51d68bc012d17d47fbdfb8e41a0").data);
    eti_record_close(record);
}

static void records_without_weights_have_no_users(void **state) {
    (void)state;
    const eti_weight_user *users;
    eti_error err = ETI_ERROR_INIT;
    eti_record *record = open_record("testdata/layouts/record.etrecord");
    size_t n = 1;
    assert_ok(eti__record_weight_users(record, ETI_NO_METHOD, &users, &n, &err));
    assert_int_equal(n, 0);
    eti_record_close(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_lead_to_their_users),
        cmocka_unit_test(records_without_weights_have_no_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
