/*
 * run_choice.h - reads lists of runs, such as "0,5-7".
 */
#ifndef ETI_ACCOUNT_SLICES_RUN_CHOICE_H
#define ETI_ACCOUNT_SLICES_RUN_CHOICE_H

#include "base/status.h"

/* Checks a list. ETI_ERROR_USAGE says where it is wrong; NULL is right. */
eti_status eti__run_choice_check(const char *list, eti_error *err) ETI_WARN_UNUSED;

/* Whether a list that was checked holds the number; NULL holds all. */
bool eti__run_choice_holds(const char *list, uint32_t number);

#endif
