/*
 * block_label.h - gives EventBlocks readable names, all of them different.
 *
 * An ETDump calls every block of inferences "Execute", whichever method or bundled input it ran; methods.h finds the method.
 */
#ifndef ETI_MODEL_BLOCK_LABEL_H
#define ETI_MODEL_BLOCK_LABEL_H

#include "base/arena.h"
#include "model/block.h"

typedef struct eti_named_block {
    eti_text name, label;
    eti_text
        method; /* the method that ran; absent if unknown, or not distinguishable from others */
    int32_t bundled_input_index; /* -1 if none */
} eti_named_block;

/* Sets the label of every block: its method, or its name if that is absent. If several blocks would get the same label,
 * it is "Execute [input 1]", or "Execute [1]" for the second of them if inputs do not distinguish them. False: out of
 * memory. */
bool eti__named_blocks_label(eti_named_block *blocks, size_t n, eti_arena *arena) ETI_WARN_UNUSED;

/* Does the same for the blocks of an inspector; `by_method`: the inspector has several methods. */
bool eti__blocks_label(eti_blocks *blocks, bool by_method, eti_arena *arena) ETI_WARN_UNUSED;

#endif
