/*
 * atomic_file.h - a buffered stream of output bytes that keeps its first error until asked for it,
 * and writes a file completely or not at all.
 *
 * A file is written beside its target under a temporary name and renamed over it by
 * eti__output_commit(); until then the target, if there is one, stays as it was. The file is synced before it is renamed, and its
 * folder afterwards: whenever the system fails, the target is the old file or the new one, and the new one once
 * eti__output_commit() has succeeded. Output that is not a regular file (a device, a pipe, standard
 * output) is written directly. Links are followed: the file they lead to is replaced.
 */
#ifndef ETI_BASE_FILES_ATOMIC_FILE_H
#define ETI_BASE_FILES_ATOMIC_FILE_H

#include "base/progress.h"
#include "base/status.h"

typedef struct eti_output eti_output;

/* `path` "-" is standard output. ETI_ERROR_WRITE names the path and the reason. */
eti_status eti__output_open(eti_output **out, const char *path, eti_error *err) ETI_WARN_UNUSED;

/* Output that goes to a function. */
eti_status eti__output_open_function(eti_output **out, eti_write_function write, void *context,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Reports the number of bytes written to `progress` from now on; if it cancels, eti__output_commit() fails. */
void eti__output_tell(eti_output *output, eti_progress progress);

/* Lets the system decide when the file reaches the disk: a failure of the system soon afterwards
 * may leave the target as it was, empty or partial. */
void eti__output_leave_unsynced(eti_output *output);

/* After a failed write these do nothing. */
void eti__output_add(eti_output *output, const void *data, size_t size);
void eti__output_add_text(eti_output *output, eti_text text);
void eti__output_add_string(eti_output *output, const char *c_string);

/* Set if the output is shown on a terminal, although it goes elsewhere first, such as to a pager. */
void eti__output_show(eti_output *output);
/* Lets the writer's own colour sequences reach the terminal; the writer must keep sequences out of
 * all texts. */
void eti__output_allow_color(eti_output *output);

/* Whether the output is shown on a terminal, whatever name was given ("-", /dev/stdout, /dev/tty).
 * Characters that a terminal acts on are then always spelled out: see terminal.h. */
bool eti__output_is_terminal(const eti_output *output);

/* Returns the width of that terminal in columns; 0: unknown, or not a terminal. */
size_t eti__output_terminal_columns(const eti_output *output);

/* Returns the file that committing puts in place; NULL if the bytes are shown or sent instead. */
const char *eti__output_target(const eti_output *output);
/* Whether the target existed before. */
bool eti__output_replaces(const eti_output *output);

/* Whether some bytes could not be written: a writer with much left to write may stop early. */
bool eti__output_failed(const eti_output *output);

/* Writes the rest, puts the file in place and frees `output`. On failure (ETI_ERROR_WRITE, ETI_ERROR_CANCELLED) the
 * temporary file is removed and the target is untouched, except where only the sync of its folder failed: then it is
 * the new file, and the message says so. */
eti_status eti__output_commit(eti_output *output, eti_error *err) ETI_WARN_UNUSED;

/* Commits as eti__output_commit() does, but never replaces a file: if the target exists by now,
 * nothing is written and *exists is true. */
eti_status eti__output_commit_new(eti_output *output, bool *exists, eti_error *err) ETI_WARN_UNUSED;

/* Frees `output` and removes what was written so far; NULL is allowed. */
void eti__output_discard(eti_output *output);

#endif
