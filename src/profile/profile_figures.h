/*
 * profile_figures.h - finds the figures of the program that a profile is of.
 */
#ifndef ETI_PROFILE_PROFILE_FIGURES_H
#define ETI_PROFILE_PROFILE_FIGURES_H

#include "profile/profile.h"

/* Fills the figures of the program: those that a baseline keeps, or those of the inspector's program; of several profiles,
 * of the last one that knows them. False in `*are_known`: none does. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__profile_find_figures(eti_figures *out, bool *are_known,
                                     const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Returns the program that a profile is of; NULL: it is not loaded. */
const eti_pte *eti__profile_program(const struct eti_profile *profile);

#endif
