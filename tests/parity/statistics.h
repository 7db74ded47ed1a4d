/*
 * statistics.h - functions that the sources of the program `statistics` share.
 */
#ifndef ETI_TESTS_PARITY_STATISTICS_H
#define ETI_TESTS_PARITY_STATISTICS_H

#include "stats/stats.h"

/* Ends the program with a message. */
_Noreturn void stop(const char *why);

/* Returns zeroed memory; ends the program if there is none. */
void *allocate(size_t n, size_t size);

#endif
