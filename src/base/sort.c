#include "base/sort.h"

#include <stdlib.h>

/* BSD's qsort_r() predates that of GNU and POSIX and has another order of arguments. The wrong order compiles without a
 * warning, because a comparison function converts to the context's type, and would call data as code. */
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
    /* This does not compile with BSD's order. */
    void (*const sort)(void *, size_t, size_t, eti_comparison_function, void *) = qsort_r;
    if (n > 1)
        sort(items, n, size, compare, context);
}

#endif
