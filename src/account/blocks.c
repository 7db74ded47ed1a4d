#include "account/blocks.h"

#include "base/text.h"

#include <string.h>

bool eti_block_is_wanted(const char *wanted, eti_text name) {
    return !wanted || strcmp(wanted, "all") == 0 || eti_text_is(name, wanted);
}

bool eti_block_is_chosen(const eti_view_options *options, const eti_event_block *block) {
    return eti_block_is_wanted(options->block, block->name);
}
