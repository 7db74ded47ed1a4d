#include "timeline/block_calls.h"

#include <stdlib.h>

eti_status eti__block_calls_read(eti_block_calls *calls, const eti_inspector *inspector,
                                 uint32_t block, uint32_t run, const eti_run_calls **out,
                                 eti_error *err) {
    if (!calls->of) {
        calls->of = calloc(inspector->blocks.n_blocks + 1, sizeof *calls->of);
        if (!calls->of)
            return eti_fail_memory(err);
        calls->n = inspector->blocks.n_blocks;
    }
    eti_run_calls *of = &calls->of[block];
    if (!of->block)
        eti__run_calls_init(of, &inspector->blocks.blocks[block], &inspector->options);
    *out = of;
    return eti__run_calls_read(of, run, ETI_NO_EVENT, NULL, err);
}

void eti__block_calls_free(eti_block_calls *calls) {
    for (size_t i = 0; i < calls->n; i++)
        eti__run_calls_free(&calls->of[i]);
    free(calls->of);
    *calls = (eti_block_calls){0};
}
