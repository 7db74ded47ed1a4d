/* Tests jobs that are done in parts. */
#include "support.h"

#include "base/parallel.h"

#include <stdatomic.h>

static void count_task(void *context, size_t i) {
    atomic_int *done = context;
    done[i]++;
}

static void every_task_is_done_once(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 7, ETI_MAX_THREADS};
    for (size_t c = 0; c < COUNT_OF(counts); c++) {
        atomic_int done[ETI_MAX_THREADS] = {0};
        eti__parallel(counts[c], count_task, done);
        for (size_t i = 0; i < ETI_MAX_THREADS; i++)
            assert_int_equal(done[i], i < counts[c]);
    }
}

static void parts_cover_everything_in_order(void **state) {
    (void)state;
    for (size_t n = 0; n < 20; n++) {
        for (size_t n_tasks = 1; n_tasks < 8; n_tasks++) {
            size_t next = 0;
            for (size_t i = 0; i < n_tasks; i++) {
                size_t first, end;
                eti__parallel_part(n, n_tasks, i, &first, &end);
                assert_int_equal(first, next);
                assert_true(end - first <= n / n_tasks + 1);
                next = end;
            }
            assert_int_equal(next, n);
        }
    }
}

static void there_is_always_a_thread(void **state) {
    (void)state;
    assert_true(eti__thread_count(0) >= 1);
    assert_int_equal(eti__thread_count(3), 3);
    assert_int_equal(eti__thread_count(SIZE_MAX), ETI_MAX_THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),
        cmocka_unit_test(parts_cover_everything_in_order),
        cmocka_unit_test(there_is_always_a_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
