/*
 * glob.h - matches a name against a pattern in which * stands for any text and ? for any character.
 */
#ifndef ETI_BASE_GLOB_H
#define ETI_BASE_GLOB_H

#include "base/status.h"

/* Returns whether the pattern matches all of `name`; an absent name matches nothing. Takes time proportional to
 * pattern.size * name.size at most. */
bool eti__glob_match(eti_text pattern, eti_text name);

#endif
