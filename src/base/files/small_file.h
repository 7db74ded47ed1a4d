/*
 * small_file.h - reads a file that may be missing, strange or not what it was: whatever is no regular file of
 * moderate size counts as missing.
 */
#ifndef ETI_BASE_FILES_SMALL_FILE_H
#define ETI_BASE_FILES_SMALL_FILE_H

#include "base/text.h"

/* Puts the contents of a regular file of at most `most` bytes into `out`, which is emptied first. False when
 * it cannot be read; out->failed: memory was out. Never waits for another process, as a pipe's. */
bool eti__small_file_read(const char *path, size_t most, eti_buffer *out);

/* Does the same for the file `name` below the folder `root`, and reads none outside: see open_below.h. */
bool eti__small_file_read_below(const char *root, const char *name, size_t most, eti_buffer *out);

#endif
