#include "stats/location.h"

#include "stats/order.h"

double eti__location(double *values, size_t n) {
    size_t first = n / 20, end = n / 4 > first ? n / 4 : first + 1;
    const size_t ranks[] = {first, end - 1};
    eti__select_ranks(values, n, ranks, 2);
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
        sum += values[i];
    return sum / (double)(end - first);
}
