/*
 * edit_distance.h - tells how far a mistyped word is from one that exists.
 */
#ifndef ETI_BASE_EDIT_DISTANCE_H
#define ETI_BASE_EDIT_DISTANCE_H

#include "base/status.h"

/* Number of letters to be put in, taken out or changed to make one text of the other (Levenshtein); SIZE_MAX where one
 * is longer than 64 bytes. */
size_t eti__edit_distance(eti_text a, eti_text b);

#endif
