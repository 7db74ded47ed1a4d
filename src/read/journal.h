/*
 * journal.h - extracts the ETDump from a journal of libetcapture.
 */
#ifndef ETI_READ_JOURNAL_H
#define ETI_READ_JOURNAL_H

#include "base/files.h"

/* Replaces a journal by its ETDump, with the runs that were complete. `path`, from which the file was read, is checked
 * for a process that is still writing to it; NULL: the file has no path. ETI_ERROR_MALFORMED: the journal is damaged, has
 * another version, is still being written to, or has no complete run; ETI_ERROR_MEMORY. */
eti_status eti__journal_unpack(struct eti_file *file, const char *path,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
