/*
 * block_calls.h - keeps a reader of calls for each EventBlock, because runs of several blocks
 * alternate.
 */
#ifndef ETI_TIMELINE_BLOCK_CALLS_H
#define ETI_TIMELINE_BLOCK_CALLS_H

#include "account/account.h"
#include "model/model.h"

/* Initialize to all zeros. */
typedef struct eti_block_calls {
    eti_run_calls *of; /* per block of the inspector */
    size_t n;
} eti_block_calls;

/* Reads a run; `*out` is valid until the next run of the block is read. Fails with ETI_ERROR_MEMORY. */
eti_status eti__block_calls_read(eti_block_calls *calls, const eti_inspector *inspector,
                                 uint32_t block, uint32_t run, const eti_run_calls **out,
                                 eti_error *err) ETI_WARN_UNUSED;
void eti__block_calls_free(eti_block_calls *calls);

#endif
