/*
 * stack_frame.h - turns the text of a Python traceback into its frames, outermost first:
 *
 *       File "model.py", line 12, in forward
 *         return self.head(x)
 *
 * All other lines are skipped.
 */
#ifndef ETI_BASE_STACK_FRAME_H
#define ETI_BASE_STACK_FRAME_H

#include "base/text.h"

/* The texts point into the traceback. */
typedef struct eti_stack_frame {
    eti_text file;
    uint32_t line;     /* from 1 on */
    eti_text function; /* "" if missing */
    eti_text code;     /* without surrounding white space; "" if missing */
} eti_stack_frame;

/* Takes the next frame off `*rest`, which starts as the whole text; returns false if there are no more. */
bool eti__stack_frame_next(eti_text *rest, eti_stack_frame *out);

/* Returns whether the frame belongs to torch rather than to the user's own code: to its packages as pip or conda installs
 * them (torch, torchgen, functorch and executorch below site-packages or dist-packages), to torch/nn anywhere, or to
 * generated code ("<eval_with_key>.1"). */
bool eti__stack_frame_is_library(const eti_stack_frame *frame);

/* Returns whether such a frame belongs to code that exports models: it is no part of any model, as torch/nn is. */
bool eti__stack_frame_is_exporter(const eti_stack_frame *frame);

/* Appends a place such as "model.py:12". */
void eti__add_source_line(eti_buffer *out, eti_text file, uint32_t line);

#endif
