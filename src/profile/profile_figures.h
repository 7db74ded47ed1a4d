/*
 * profile_figures.h - finds the figures of a profile's program.
 */
#ifndef ETI_PROFILE_PROFILE_FIGURES_H
#define ETI_PROFILE_PROFILE_FIGURES_H

#include "profile/profile.h"
#include "program/program.h"
#include "pte/pte.h"

/* Finds the figures of the program: those kept in a baseline, or those of the inspector's program; of several profiles,
 * the last one that has figures counts. `*are_known` is false if none has. ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__profile_find_figures(eti_figures *out, bool *are_known,
                                     const struct eti_profile *profile,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Returns the profile's program; NULL if it is not loaded. */
const eti_pte *eti__profile_program(const struct eti_profile *profile);

#endif
