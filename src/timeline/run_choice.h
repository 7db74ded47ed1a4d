/*
 * run_choice.h - reads lists of runs, such as "0,5-7".
 */
#ifndef ETI_TIMELINE_RUN_CHOICE_H
#define ETI_TIMELINE_RUN_CHOICE_H

#include "etinspect.h"

/* Checks a list; NULL is valid. Fails with ETI_ERROR_USAGE and a message that shows the position of the error. */
eti_status eti__run_choice_check(const char *list, eti_error *err) ETI_WARN_UNUSED;

/* Returns whether a checked list contains the number; NULL contains all numbers. */
bool eti__run_choice_holds(const char *list, uint32_t number);

#endif
