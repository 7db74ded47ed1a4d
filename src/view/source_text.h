/*
 * source_text.h - finds and reads the source files that stack traces name.
 *
 * Only files whose names end in ".py" are read, only at the places that the traces or --source_root
 * give, and only if they are regular files of at most 4 MiB, 64 MiB in all. A record is not
 * trusted, so a file is used only if its lines are the code that the traces quote.
 */
#ifndef ETI_VIEW_SOURCE_TEXT_H
#define ETI_VIEW_SOURCE_TEXT_H

#include "base/text.h"

typedef struct eti_source_reader {
    const char *root; /* no file outside it is read; NULL: names are complete paths */
    size_t n_read;    /* bytes so far */
    eti_buffer path, text;
    size_t *lines; /* start of each line of the file, and the end */
    size_t n_lines, line_capacity;
} eti_source_reader;

/* Starts as all zeros except `root`. Reads the file called `name`; false: it cannot be read, or out
 * of memory (eti__source_failed()). */
bool eti__source_read(eti_source_reader *reader, eti_text name);
bool eti__source_failed(const eti_source_reader *reader);
/* Returns a line of the file that was read, counted from 1, without its end; absent past the last
 * line. */
eti_text eti__source_line(const eti_source_reader *reader, uint32_t line);
void eti__source_free(eti_source_reader *reader);

#endif
