/*
 * noise.c - turns the files of one program into how much they differ, and which change could be found among them.
 */
#include "compare/diff_report.h"

eti_status eti__noise_report(eti_report **out, const eti_profile *profile,
                             const eti_diff_options *options, eti_error *err) {
    (void)profile;
    (void)options;
    *out = NULL;
    return eti_fail(err, ETI_ERROR_USAGE, "noise: not built yet");
}
