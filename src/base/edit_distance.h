/*
 * edit_distance.h - edit distance between two texts, for suggesting a name close to a mistyped one.
 */
#ifndef ETI_BASE_EDIT_DISTANCE_H
#define ETI_BASE_EDIT_DISTANCE_H

#include "base/status.h"

/* Returns the number of letters to insert, delete, replace or exchange with the next one to turn one text into the other
 * (Damerau's distance, by optimal string alignment); SIZE_MAX if a text is longer than 64 bytes. */
size_t eti__edit_distance(eti_text a, eti_text b);

/* Returns whether `candidate` is closer to a mistyped name than `*least` edits, and close enough to suggest (2 edits, or
 * 1 for names of up to 4 letters; a difference in case is not an edit); if so, sets `*least` to its distance. `*least`
 * starts as ETI_TOO_FAR. */
#define ETI_TOO_FAR 3
bool eti__text_is_nearer(eti_text candidate, eti_text name, size_t *least);

/* Returns the name nearest to a mistyped one, or NULL if no name is close enough. */
const char *eti__nearest_of(const char *const *names, size_t n_names, eti_text mistyped);

#endif
