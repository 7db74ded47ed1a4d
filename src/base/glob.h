/*
 * glob.h - decides whether a name fits a pattern in which * stands for any text and ? for any character.
 */
#ifndef ETI_BASE_GLOB_H
#define ETI_BASE_GLOB_H

#include "base/status.h"

/* Whether all of `name` fits; absent names fit nothing. Time grows with pattern.size * name.size at most. */
bool eti__glob_match(eti_text pattern, eti_text name);

#endif
