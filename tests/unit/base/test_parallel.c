/* Tests jobs that are done in parts. */
#include "support.h"

#include "base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

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

/* ---- shared data ----------------------------------------------------------------------------- */

static atomic_int n_made, n_freed;

/* Fails the first time if `context` is true. */
static eti_status make_number(void **out, const void *context, eti_error *err) {
    const bool *fails = context;
    if (atomic_fetch_add(&n_made, 1) == 0 && *fails)
        return eti_fail_memory(err);
    int *made = malloc(sizeof *made);
    assert_non_null(made);
    *made = 42;
    *out = made;
    return ETI_OK;
}

static void free_number(void *number) {
    atomic_fetch_add(&n_freed, 1);
    free(number);
}

/* A list, and what each thread got. */
typedef struct sharing {
    eti_shared_list list;
    const void *got[8];
} sharing;

static void get_number(void *context, size_t i) {
    sharing *s = context;
    const bool fails = false;
    if (eti__shared_get(&s->got[i], &s->list.items[1], make_number, free_number, &fails, NULL) !=
        ETI_OK)
        s->got[i] = NULL;
}

static void threads_share_data_that_are_made_once(void **state) {
    (void)state;
    for (int round = 0; round < 100; round++) {
        sharing s = {.got = {NULL}};
        n_made = n_freed = 0;
        assert_true(eti__shared_list_init(&s.list, 3));
        eti__parallel(COUNT_OF(s.got), get_number, &s);
        assert_int_equal(n_made, 1);
        for (size_t i = 0; i < COUNT_OF(s.got); i++) {
            assert_ptr_equal(s.got[i], s.got[0]);
            assert_int_equal(*(const int *)s.got[i], 42);
        }
        assert_int_equal(n_freed, 0);
        eti__shared_list_free(&s.list);
        assert_int_equal(n_freed, 1);
    }
}

static void data_that_could_not_be_made_are_tried_again(void **state) {
    (void)state;
    eti_shared_list list = {NULL, 0};
    eti_error err = ETI_ERROR_INIT;
    const void *got;
    const bool fails = true;
    n_made = n_freed = 0;
    assert_true(eti__shared_list_init(&list, 1));
    assert_int_equal(eti__shared_get(&got, list.items, make_number, free_number, &fails, &err),
                     ETI_ERROR_MEMORY);
    assert_null(got);
    assert_int_equal(eti__shared_get(&got, list.items, make_number, free_number, &fails, &err),
                     ETI_OK);
    assert_int_equal(*(const int *)got, 42);
    eti__shared_list_free(&list);
    assert_int_equal(n_freed, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),
        cmocka_unit_test(parts_cover_everything_in_order),
        cmocka_unit_test(there_is_always_a_thread),
        cmocka_unit_test(threads_share_data_that_are_made_once),
        cmocka_unit_test(data_that_could_not_be_made_are_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
