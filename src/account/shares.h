/*
 * shares.h - medians of self times in integers.
 */
#ifndef ETI_ACCOUNT_SHARES_H
#define ETI_ACCOUNT_SHARES_H

#include "account/account.h"
#include "base/numbers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the sum of the two middle values, which are the same one if n is odd; 0 if n is 0. Reorders the values. */
eti_wide eti__doubled_median(uint64_t *values, size_t n);

/* Sets the medians of an account whose other members are complete. Returns false if memory runs out. */
bool eti__account_find_medians(eti_account *account);

#endif
