/* Writes and looks up random tensors, and compares the results with a search through all of them. */
#include "plan_fixture.h"

#include "program/alias_sources.h"

#define N 40

static plan_fixture f;
static uint32_t written_at[N]; /* 0: not yet */

static bool is_source(const eti_planned *tensors, uint32_t source, uint32_t view) {
    const eti_pte_tensor *a = tensors[source].tensor, *b = tensors[view].tensor;
    return written_at[source] > 0 && a->memory_id == b->memory_id &&
           a->scalar_type == b->scalar_type && a->memory_offset <= b->memory_offset &&
           eti__planned_end(&tensors[view]) <= eti__planned_end(&tensors[source]);
}

static uint32_t find_slowly(const eti_planned *tensors, uint32_t view) {
    uint32_t best = ETI_NO_PLANNED;
    bool is_best_equal = false;
    for (uint32_t i = 0; i < N; i++) {
        bool is_equal = tensors[i].tensor->n_bytes == tensors[view].tensor->n_bytes;
        if (!is_source(tensors, i, view) || (is_best_equal && !is_equal))
            continue;
        if (best == ETI_NO_PLANNED || is_equal > is_best_equal || written_at[i] >= written_at[best])
            best = i;
        is_best_equal = is_best_equal || is_equal;
    }
    return best;
}

static void the_search_agrees_with_a_slow_one(void **state) {
    (void)state;
    uint64_t seed = 3;
    size_t n_found = 0;
    for (int round = 0; round < 300; round++) {
        eti_planned tensors[N] = {0};
        eti_alias_sources sources;
        eti_error err = ETI_ERROR_INIT;
        uint32_t time = 1;
        start_plan(&f);
        memset(written_at, 0, sizeof written_at);
        for (uint32_t i = 0; i < N; i++) {
            int32_t v = add_tensor_in(&f, 1 + draw(&seed, 2), draw(&seed, 12),
                                      1 + (int32_t)draw(&seed, 12));
            f.tensors[v].scalar_type = (int8_t)draw(&seed, 2);
            tensors[i] = (eti_planned){.tensor = &f.tensors[v], .value = i};
        }
        assert_ok(eti__alias_sources_make(&sources, &f.arena, tensors, N, &err));
        for (uint32_t last = 0, step = 0; step < 100; step++) {
            uint32_t next = draw(&seed, N);
            time += next <= last || draw(&seed, 3) > 0; /* of one instruction, in order */
            last = next;
            written_at[next] = time;
            eti__alias_sources_write(&sources, next, time);
            uint32_t view = draw(&seed, N), found = eti__alias_sources_find(&sources, view);
            assert_int_equal(found, find_slowly(tensors, view));
            n_found += found != ETI_NO_PLANNED;
        }
        end_plan(&f);
    }
    assert_in_range(n_found, 10000, 29999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_agrees_with_a_slow_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
