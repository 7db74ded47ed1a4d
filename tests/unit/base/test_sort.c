#include "support.h"

#include "base/sort.h"

/* Provides a qsort_r() with the BSD order of arguments. */
typedef int (*bsd_comparison)(void *context, const void *a, const void *b);
static size_t n_bsd_calls;

static void bsd_qsort_r(void *items, size_t n, size_t size, void *context, bsd_comparison compare) {
    unsigned char *first = items, swapped;
    n_bsd_calls++;
    for (size_t i = 1; i < n; i++) {
        for (size_t j = i; j > 0; j--) {
            unsigned char *b = first + j * size, *a = b - size;
            if (compare(context, a, b) <= 0)
                break;
            for (size_t k = 0; k < size; k++) {
                swapped = a[k];
                a[k] = b[k];
                b[k] = swapped;
            }
        }
    }
}

#define ETI_BSD_QSORT_R
#define qsort_r bsd_qsort_r
#define eti__sort eti_sort_as_bsd
#include "base/sort.c"
#undef eti__sort

typedef void (*sort_function)(void *, size_t, size_t, eti_comparison_function, void *);
static const sort_function sorts[] = {eti__sort, eti_sort_as_bsd};

/* Compares two items by the values that the context has at their places. */
static int compare_places(const void *a, const void *b, void *context) {
    const int *values = context;
    int x = values[*(const uint16_t *)a], y = values[*(const uint16_t *)b];
    return (x > y) - (x < y);
}

static void items_are_sorted_by_what_the_context_says(void **state) {
    (void)state;
    int values[] = {30, 10, 50, 20, 40};
    for (size_t i = 0; i < COUNT_OF(sorts); i++) {
        uint16_t places[] = {0, 1, 2, 3, 4};
        const uint16_t sorted[] = {1, 3, 0, 4, 2};
        sorts[i](places, COUNT_OF(places), sizeof *places, compare_places, values);
        assert_memory_equal(places, sorted, sizeof sorted);
    }
    assert_int_equal(n_bsd_calls, 1);
}

static int never_compare(const void *a, const void *b, void *context) {
    (void)a, (void)b, (void)context;
    fail();
    return 0;
}

static void nothing_and_one_item_are_sorted(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sorts); i++) {
        int item = 7;
        sorts[i](NULL, 0, sizeof item, never_compare, NULL);
        sorts[i](&item, 1, sizeof item, never_compare, NULL);
        assert_int_equal(item, 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_sorted_by_what_the_context_says),
        cmocka_unit_test(nothing_and_one_item_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
