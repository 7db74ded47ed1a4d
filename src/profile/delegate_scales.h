/*
 * delegate_scales.h - the time scales in which the delegates of a profile count.
 *
 * Ticks of delegated events are converted to the source scale when a profile is made, so the scales are not needed for
 * numbers: they show whether the stamps of two profiles were read in the same way.
 */
#ifndef ETI_PROFILE_DELEGATE_SCALES_H
#define ETI_PROFILE_DELEGATE_SCALES_H

#include "etinspect.h"
#include "profile/profile.h"

/* Lists the scale of each backend that logged events of the profile's inspector. False: out of memory. */
bool eti__delegate_scales_find(eti_profile *profile) ETI_WARN_UNUSED;

#define ETI_MOST_DELEGATE_SCALES 1024

/* Adds a scale, unless the backend has one or there are ETI_MOST_DELEGATE_SCALES; backend and scales live in the profile's arena. False: out of memory. */
bool eti__delegate_scales_add(eti_profile *profile, eti_text backend,
                              eti_time_scale scale) ETI_WARN_UNUSED;

/* Takes the scales of the profile's parts, except those in which parts differ. False: out of memory. */
bool eti__delegate_scales_merge(eti_profile *profile) ETI_WARN_UNUSED;

/* Finds a backend whose scale differs between two profiles, and stores its scale in each. NULL: there is none. A scale
 * that a profile does not have, because it is a baseline of an older version, does not differ. */
const eti_delegate_scale *eti__delegate_scales_find_unlike(const eti_profile *base,
                                                           const eti_profile *new_side,
                                                           eti_time_scale scales[2]);

#endif
