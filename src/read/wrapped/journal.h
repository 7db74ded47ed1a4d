/*
 * journal.h - turns a journal of libetcapture into the ETDump in it.
 */
#ifndef ETI_READ_WRAPPED_JOURNAL_H
#define ETI_READ_WRAPPED_JOURNAL_H

#include "base/file.h"

/* Whether it begins like one. */
bool eti__journal_is(const void *data, size_t size);

/* Puts the ETDump of the journal, with the runs that were complete, in place of it. The file was read from
 * `path`, which is asked whether a process still writes to it; NULL: from elsewhere. ETI_ERROR_MALFORMED: it is
 * damaged, of another version, still written to, or has no complete run; ETI_ERROR_MEMORY. */
eti_status eti__journal_unpack(struct eti_file *file, const char *path,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
