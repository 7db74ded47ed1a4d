#include "base/sort.h"

#include <stdlib.h>

/* BSD had its order of arguments before POSIX took that of GNU. The wrong one compiles without a warning, as what
 * compares then passes for a context, and would call data as code. */
#if !defined(ETI_BSD_QSORT_R) && (defined(__APPLE__) || defined(__DragonFly__))
#define ETI_BSD_QSORT_R
#endif

#ifdef ETI_BSD_QSORT_R

typedef struct eti_ordering {
    eti_comparison_function compare;
    void *context;
} eti_ordering;

static int compare_items(void *context, const void *a, const void *b) {
    const eti_ordering *ordering = context;
    return ordering->compare(a, b, ordering->context);
}

void eti__sort(void *items, size_t n, size_t size, eti_comparison_function compare, void *context) {
    eti_ordering ordering = {compare, context};
    if (n > 1)
        qsort_r(items, n, size, &ordering, compare_items);
}

#else

void eti__sort(void *items, size_t n, size_t size, eti_comparison_function compare, void *context) {
    /* Does not compile with BSD's order. */
    void (*const sort)(void *, size_t, size_t, eti_comparison_function, void *) = qsort_r;
    if (n > 1)
        sort(items, n, size, compare, context);
}

#endif
