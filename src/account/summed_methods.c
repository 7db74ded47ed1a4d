#include "account/summed_methods.h"

#include "account/account.h"
#include "account/blocks.h"

#include <stdlib.h>

static bool is_listed(const eti_summed_methods *methods, const eti_event_block *block) {
    for (size_t i = 0; i < methods->n; i++) {
        if (eti__blocks_are_alike(methods->items[i].options.like, block))
            return true;
    }
    return false;
}

static void list_methods(eti_summed_methods *out, const eti_inspector *inspector,
                         const eti_view_options *options) {
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks && out->n <= ETI_MOST_METHODS; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (!eti__block_is_summed(options, block, no_loading) || is_listed(out, block))
            continue;
        eti_summed_method *added = &out->items[out->n++];
        *added = (eti_summed_method){block->label, *options};
        if (block->method_name.size > 0)
            added->name = block->method_name;
        added->options.like = block;
    }
}

/* Adds the time of a block to the whole. */
static eti_status add_block(eti_summed_methods *out, const eti_inspector *inspector,
                            const eti_event_block *block, eti_error *err) {
    eti_account account;
    ETI_TRY(eti__account_new(&account, block, &inspector->options, err));
    eti__wide_add(&out->whole, eti__account_total(&account, account.whole));
    eti__account_free(&account);
    return ETI_OK;
}

static eti_status sum_whole(eti_summed_methods *out, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    bool no_loading = eti__blocks_leave_out_loading(inspector, options);
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti__block_is_summed(options, block, no_loading))
            ETI_TRY(add_block(out, inspector, block, err));
    }
    for (size_t i = 0; i < out->n; i++)
        out->items[i].options.whole = &out->whole;
    return ETI_OK;
}

eti_status eti__summed_methods_find(eti_summed_methods *out, const eti_inspector *inspector,
                                    const eti_view_options *options, eti_error *err) {
    *out = (eti_summed_methods){.n = 0};
    out->items = calloc(ETI_MOST_METHODS + 1, sizeof *out->items);
    if (!out->items)
        return eti_fail_memory(err);
    if (eti__has_several_methods(inspector) && !options->per_block)
        list_methods(out, inspector, options);
    if (out->n > 1 && out->n <= ETI_MOST_METHODS)
        return sum_whole(out, inspector, options, err);
    out->items[0] = (eti_summed_method){.options = *options};
    out->n = 1;
    return ETI_OK;
}

void eti__summed_methods_free(eti_summed_methods *methods) {
    free(methods->items);
    *methods = (eti_summed_methods){.n = 0};
}
