/*
 * small_file.h - reads a file that may be missing, changing or of any kind: anything but a regular file of moderate size
 * counts as missing.
 */
#ifndef ETI_BASE_SMALL_FILE_H
#define ETI_BASE_SMALL_FILE_H

#include "base/text.h"

/* Reads a regular file of at most `most` bytes into `out`, which is emptied first. Returns false if it cannot be read;
 * sets out->failed if memory ran out. Never waits for another process, as reading a pipe would. */
bool eti__small_file_read(const char *path, size_t most, eti_buffer *out);

/* Does the same for the file `name` below the folder `root`, and never reads a file outside it: see open_below.h. */
bool eti__small_file_read_below(const char *root, const char *name, size_t most, eti_buffer *out);

#endif
