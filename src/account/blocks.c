#include "account/blocks.h"

#include "account/role.h"
#include "base/text.h"

#include <string.h>

bool eti_block_is_wanted(const char *wanted, eti_text name) {
    return !wanted || strcmp(wanted, "all") == 0 || eti_text_is(name, wanted);
}

bool eti_block_is_chosen(const eti_view_options *options, const eti_event_block *block) {
    return eti_block_is_wanted(options->block, block->name);
}

bool eti_block_runs(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti_role_is_running(eti_role_by_name(&block->events[i])))
            return true;
    }
    return false;
}

bool eti_blocks_leave_out_loading(const eti_inspector *inspector, const eti_view_options *options) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        if (eti_block_is_chosen(options, block) && eti_block_runs(block))
            return true;
    }
    return false;
}

bool eti_block_is_summed(const eti_view_options *options, const eti_event_block *block,
                         bool leaves_out_loading) {
    return block->raw && eti_block_is_chosen(options, block) &&
           (!leaves_out_loading || eti_block_runs(block));
}
