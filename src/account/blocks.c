#include "account/blocks.h"

#include "account/role.h"
#include "base/names.h"

#include <stdio.h>
#include <string.h>

eti_status eti__block_fail(const eti_blocks *blocks, const char *wanted, eti_error *err) {
    char names[512] = "";
    size_t used = 0, least = ETI_TOO_FAR;
    eti_text nearest = {NULL, 0};
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        eti_text name = blocks->blocks[i].name, label = blocks->blocks[i].label;
        if (eti__text_is_nearer(name, eti__text_of(wanted), &least))
            nearest = name;
        if (eti__text_is_nearer(label, eti__text_of(wanted), &least))
            nearest = label;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", i ? ", " : "",
                                     ETI_TEXT_ARGS(label));
    }
    if (nearest.data)
        return eti_fail(err, ETI_ERROR_USAGE, "%sblock: no block is called %s: did you mean %.*s?",
                        eti__option_prefix(), wanted, ETI_TEXT_ARGS(nearest));
    return eti_fail(err, ETI_ERROR_USAGE, "%sblock: no block is called %s; there are %s",
                    eti__option_prefix(), wanted, *names ? names : "none");
}

/* Returns whether `wanted` is this number in decimal, without leading zeros. */
static bool is_number(const char *wanted, size_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", number);
    return strcmp(wanted, digits) == 0;
}

bool eti__block_is_called(const eti_event_block *block, const char *wanted) {
    return !wanted || strcmp(wanted, "all") == 0 || eti__text_is(block->name, wanted) ||
           eti__text_is(block->label, wanted) ||
           (block->method_name.size > 0 && eti__text_is(block->method_name, wanted)) ||
           is_number(wanted, block->number);
}

bool eti__blocks_are_alike(const eti_event_block *a, const eti_event_block *b) {
    return a == b || (a->method_name.size > 0 && eti__text_equal(a->method_name, b->method_name));
}

bool eti__block_is_chosen(const eti_view_options *options, const eti_event_block *block) {
    return eti__block_is_called(block, options->block) &&
           (!options->like || eti__blocks_are_alike(options->like, block));
}

bool eti__blocks_ran(const eti_inspector *inspector, const eti_view_options *options,
                     const eti_pte_plan *plan) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (block->plan == plan && eti__block_is_of_program(block) &&
            eti__block_is_chosen(options, block))
            return true;
    }
    return false;
}

eti_text eti__block_method(const eti_inspector *inspector, const eti_event_block *block) {
    if (block->method_name.size > 0)
        return block->method_name;
    if (inspector->record && eti__etrecord_method_count(inspector->record) == 1)
        return eti__etrecord_method_name(inspector->record, 0);
    if (!inspector->record && inspector->n_programs > 0 && inspector->programs[0].n_plans == 1)
        return inspector->programs[0].plans[0].name;
    return (eti_text){NULL, 0};
}

bool eti__block_runs(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__role_is_running(eti__role_by_name(&block->events[i])))
            return true;
    }
    return false;
}

bool eti__blocks_leave_out_loading(const eti_inspector *inspector,
                                   const eti_view_options *options) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti__block_is_chosen(options, block) && eti__block_runs(block))
            return true;
    }
    return false;
}

bool eti__block_is_summed(const eti_view_options *options, const eti_event_block *block,
                          bool leaves_out_loading) {
    return block->raw && eti__block_is_chosen(options, block) &&
           (!leaves_out_loading || eti__block_runs(block));
}
