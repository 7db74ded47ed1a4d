/*
 * edit_distance.h - edit distance between two texts, for suggesting a name close to a mistyped one.
 */
#ifndef ETI_BASE_EDIT_DISTANCE_H
#define ETI_BASE_EDIT_DISTANCE_H

#include "base/status.h"

/* Number of letters to insert, delete or replace to turn one text into the other (Levenshtein distance); SIZE_MAX if
 * one is longer than 64 bytes. */
size_t eti__edit_distance(eti_text a, eti_text b);

#endif
