/*
 * pipe.h - opens pipes that started programs do not inherit.
 */
#ifndef ETI_BASE_PIPE_H
#define ETI_BASE_PIPE_H

#include <stdbool.h>

/* Opens a pipe: ends[0] is read, ends[1] written; exec closes both. On failure returns false with errno set, and nothing
 * is open. */
bool eti__open_pipe(int ends[2]);

#endif
