/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_PROFILE_PARTS_H
#define ETI_PROFILE_PARTS_H

#include "base/arena.h"
#include "base/text.h"
#include "etinspect.h"
#include "profile/profile.h"

#include <math.h>

/* Sets kind and role from such a name; returns false if there is no such name. */
bool eti__entry_set_kind(eti_entry *entry, eti_text name);

#define ETI_NO_FILE UINT32_MAX

/* Returns a reference to the profile. */
eti_kept eti__profile_keep(const struct eti_profile *profile);

/* Returns whether files of the same program may have different labels with this name: labels of builds (commit, build,
 * date, branch, version), the job, and labels with which measurements record their conditions (governor, processors, load_average,
 * temperature, pairs, seed). All other labels must be equal in files of the same program. */
bool eti__label_may_differ(const char *key);

/* Gives each file that a pairs.csv in its folder lists a label with its pair. The files must have no labels yet. A file that
 * cannot be read lists nothing. ETI_ERROR_MEMORY. */
eti_status eti__profile_find_pairs(struct eti_profile *profile, eti_error *err) ETI_WARN_UNUSED;

/* Copies labels, sorted by key. A label that may differ between files is given to each file without one of that name;
 * labels shared by all files become the profile's. profile->files must be set. ETI_ERROR_USAGE: a key occurs twice, or a
 * label is not UTF-8; ETI_ERROR_MEMORY. */
eti_status eti__profile_add_labels(struct eti_profile *profile, const eti_label *labels, size_t n,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Does the same with the labels shared by n >= 1 profiles whose files the profile has. ETI_ERROR_MEMORY. */
eti_status eti__profile_share_labels(struct eti_profile *profile,
                                     const struct eti_profile *const *profiles, size_t n,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Sets the summary of an entry from its times. profile->factor must be set. `scratch` has room for one value per file of
 * the block. */
void eti__entry_set_summary(const struct eti_profile *profile, const eti_profile_block *block,
                            eti_entry *entry, double *scratch);

/* Returns the times for a file that lacks the entry. */
static inline eti_file_times eti__no_file_times(void) {
    const double none = (double)NAN;
    return (eti_file_times){none, none, none, none, none, none, none, none, none};
}

/* Sets the labels of all blocks. False: out of memory. */
bool eti__profile_label_blocks(struct eti_profile *profile) ETI_WARN_UNUSED;

/* Checks that no file occurs twice in the profile. ETI_ERROR_USAGE names it; ETI_ERROR_MEMORY. */
eti_status eti__profile_check_files(const struct eti_profile *profile,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
