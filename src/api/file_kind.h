/*
 * file_kind.h - the kind of a file, for programs that choose what to do with it.
 */
#ifndef ETI_API_FILE_KIND_H
#define ETI_API_FILE_KIND_H

#include "etinspect.h"

/* Returns the kind of a file that eti_file_open() or eti_file_open_as() opened. */
eti_file_kind eti__file_kind(const eti_file *file);

#endif
