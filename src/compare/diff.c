#include "compare/diff.h"

#include "compare/diff_parts.h"

#include <string.h>

/* ---- comparable profiles --------------------------------------------------------------------- */

static bool is_between(double value, double low, double high) {
    return value > low && value < high; /* false for NaN */
}

static eti_status fail_option(const char *option, double value, const char *expected,
                              eti_error *err) {
    return eti_fail(err, ETI_ERROR_USAGE, "%s%s: %g is out of range: expected %s",
                    eti__option_prefix(), option, value, expected);
}

eti_status eti__diff_check_options(const eti_diff_options *options, eti_error *err) {
    if (!is_between(options->alpha, 1e-12, 1))
        return fail_option("alpha", options->alpha,
                           "a probability above 1e-12 and below 1, such as 0.01", err);
    if (!is_between(options->confidence, 0, 1))
        return fail_option("confidence", options->confidence,
                           "a probability between 0 and 1, such as 0.95 or 95%", err);
    if (!(options->least_effect >= 0) || !is_between(options->least_effect, -1, 1e6))
        return fail_option("least_effect", options->least_effect,
                           "a share of at least 0, such as 5%", err);
    if (!(options->min_share >= 0 && options->min_share < 1))
        return fail_option("min_share", options->min_share, "a share below 100%, such as 1%", err);
    if (!is_between(options->detectable, 0, 1e6))
        return fail_option("detectable", options->detectable, "a share above 0, such as 25%", err);
    return ETI_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static eti_status check_common_block(const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].base && diff->pairs[i].new_side)
            return ETI_OK;
    }
    const eti_profile *base = diff->base, *new_side = diff->new_side;
    if (base->n_blocks == 0 || new_side->n_blocks == 0) /* a side is a program without times */
        return ETI_OK;
    return eti_fail(
        err, ETI_ERROR_DATA,
        "%.*s and %.*s have no EventBlock in common: one has %.*s, the other %.*s",
        ETI_TEXT_ARGS(base->name), ETI_TEXT_ARGS(new_side->name),
        ETI_TEXT_ARGS(base->n_blocks ? base->blocks[0].name : eti__text_of("none")),
        ETI_TEXT_ARGS(new_side->n_blocks ? new_side->blocks[0].name : eti__text_of("none")));
}

static eti_status find_same_file(eti_diff *diff, eti_error *err) {
    const eti_profile_file *same[2];
    ETI_TRY(eti__profiles_find_same_file(diff->base, diff->new_side, same, err));
    diff->is_same_file = same[0];
    for (size_t i = 0; i < 2 && same[0]; i++)
        diff->same_file[i] = same[i]->name;
    return ETI_OK;
}

eti_status eti__diff_make(eti_diff *out, const eti_profile *base, const eti_profile *new_side,
                          const eti_diff_options *options, eti_error *err) {
    static const eti_diff_options defaults = ETI_DIFF_OPTIONS_DEFAULT;
    *out = (eti_diff){.base = base, .new_side = new_side, .options = options ? *options : defaults};
    ETI_TRY(eti__diff_check_options(&out->options, err));
    if (!out->options.allow_unlike) {
        ETI_TRY(eti__profiles_check_alike(base, new_side, err));
        ETI_TRY(eti__profile_check_blocks(base, err));
        ETI_TRY(eti__profile_check_blocks(new_side, err));
    }
    ETI_TRY(eti__diff_find_scale(out, err));
    ETI_TRY(find_same_file(out, err));
    ETI_TRY(eti__diff_match_blocks(out, err));
    ETI_TRY(check_common_block(out, err));
    ETI_TRY(eti__diff_list_rows(out, err));
    ETI_TRY(eti__diff_find_units(out, err));
    if (out->options.group)
        ETI_TRY(eti__diff_list_groups(out, err));
    if (out->options.has_gaps)
        ETI_TRY(eti__diff_set_gaps(out, err));
    ETI_TRY(eti__diff_set_all_sizes(out, err));
    ETI_TRY(eti__diff_judge(out, err));
    if (out->options.group)
        ETI_TRY(eti__diff_count_judged(out, err));
    ETI_TRY(eti__diff_sort_rows(&out->events, err));
    return eti__diff_sort_rows(&out->groups, err);
}

void eti__diff_free(eti_diff *diff) {
    eti__clocks_free(&diff->clocks);
    eti__clocks_free(&diff->base_clocks);
    eti__arena_free(&diff->arena);
    *diff = (eti_diff){0};
}
