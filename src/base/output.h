/*
 * output.h - files that are written whole or not at all, folders, access to files, and output for a terminal.
 */
#ifndef ETI_BASE_OUTPUT_H
#define ETI_BASE_OUTPUT_H

#include "base/parallel.h"
#include "etinspect.h"

#include <sys/stat.h>

/* ==== atomic file ============================================================================= */
/* A buffered stream of output bytes that keeps its first error until asked for it, and writes a
 * file completely or not at all.
 *
 * A file is written beside its target under a temporary name and renamed over it by
 * eti__output_commit(); until then an existing target is unchanged. The file is synced before it
 * is renamed, and its folder afterwards: after a system failure at any time, the target is the old
 * file or the new one; once eti__output_commit() has succeeded, it is the new one. Output that is
 * not a regular file (a device, a pipe, standard output) is written directly. Symbolic links are
 * followed: their target is replaced. */

typedef struct eti_output eti_output;

/* Opens the output; `path` "-" is standard output. ETI_ERROR_WRITE names the path and the reason. */
eti_status eti__output_open(eti_output **out, const char *path, eti_error *err) ETI_WARN_UNUSED;

/* Opens an output that calls a function. */
eti_status eti__output_open_function(eti_output **out, eti_write_function write, void *context,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Reports the number of bytes written to `progress` from now on; if it cancels, eti__output_commit() fails. */
void eti__output_tell(eti_output *output, eti_progress progress);

/* Lets the system decide when the file reaches the disk: a system failure soon afterwards may leave the target as it was,
 * empty or partial. */
void eti__output_leave_unsynced(eti_output *output);

/* Append data; after a failed write they do nothing. */
void eti__output_add(eti_output *output, const void *data, size_t size);
void eti__output_add_text(eti_output *output, eti_text text);
void eti__output_add_string(eti_output *output, const char *c_string);

/* Marks the output as shown on a terminal, although it first goes elsewhere, such as to a pager. */
void eti__output_show(eti_output *output);
/* Escapes, from now on, the characters that a terminal acts on, although the output may be none. */
void eti__output_escape(eti_output *output);
/* Escapes, from now on, the first character of each command of a CI runner: see eti__begins_command(). */
void eti__output_defuse(eti_output *output);
/* Lets the writer's own colour sequences reach the terminal; the writer must keep such sequences out of all texts. */
void eti__output_allow_color(eti_output *output);

/* Returns whether the output is shown on a terminal, whatever its name ("-", /dev/stdout, /dev/tty). If so, characters
 * that a terminal acts on are always escaped: see "terminal". */
bool eti__output_is_terminal(const eti_output *output);

/* Returns whether the bytes go to standard output, a device or a pipe, not to a file of their own or a function. */
bool eti__output_is_stream(const eti_output *output);

/* Returns whether a CI runner may read the standard streams: GitHub and GitLab set CI, Azure Pipelines sets TF_BUILD,
 * TeamCity TEAMCITY_VERSION. */
bool eti__is_in_ci(void);

/* Returns the width of that terminal in columns; 0 if unknown or not a terminal. */
size_t eti__output_terminal_columns(const eti_output *output);

/* Returns the file that a commit puts in place; NULL if the bytes are shown or sent instead. */
const char *eti__output_target(const eti_output *output);
/* Returns whether the target existed before. */
bool eti__output_replaces(const eti_output *output);

/* Returns whether a write failed: a writer with much left to write may stop early. */
bool eti__output_failed(const eti_output *output);

/* Writes the rest, puts the file in place and frees `output`. On failure (ETI_ERROR_WRITE, ETI_ERROR_CANCELLED) the
 * temporary file is removed and the target is untouched; but if only the sync of its folder failed, the target is the new
 * file, and the message says so. */
eti_status eti__output_commit(eti_output *output, eti_error *err) ETI_WARN_UNUSED;

/* Commits as eti__output_commit() does, but never replaces a file: if the target exists, nothing is written and `*exists`
 * is set to true. */
eti_status eti__output_commit_new(eti_output *output, bool *exists, eti_error *err) ETI_WARN_UNUSED;

/* Frees `output` and removes what was written so far; NULL is allowed. */
void eti__output_discard(eti_output *output);

/* ==== file access ============================================================================= */
/* Gives a new file the owner, group, mode and access control list of the file that it will
 * replace. */

/* Copies as much as the system allows. If the group cannot be kept, the new group gets the rights of others. The set-user-ID,
 * set-group-ID and sticky bits and other extended attributes are not kept. */
void eti__file_access_copy(int descriptor, const char *replaced, const struct stat *status);

/* ==== folder ================================================================================== */
/* Opens and locks the folder of a file. The lock (flock) lets only one process at a time change
 * the contents of the folder. It does not stop processes that do not request it, and is released
 * when the process ends. */

/* Called once if another process holds the lock for some seconds. */
typedef void (*eti_folder_lock_waits)(const char *path);

/* Waits for the lock of the folder that contains the file of `path`, after all links are followed. Returns a descriptor
 * that holds the lock until it is closed; -1 with errno set if the folder cannot be locked. */
int eti__folder_lock(const char *path, eti_folder_lock_waits waits);

/* ==== links =================================================================================== */
/* Finds the file that a path leads to through symbolic links. */

/* Returns the path of that file, whether or not it exists, in memory from malloc(); NULL with errno set. */
char *eti__follow_links(const char *path);

/* ==== terminal ================================================================================ */
/* Escapes characters that a terminal would act on, in bytes that are written to one, and commands
 * of CI runners.
 *
 * The escapes are those of Python's repr(): \x1b, \u202e. Line breaks (also with a carriage
 * return) and tabs pass, because they are harmless. Bytes that are not UTF-8 become U+FFFD,
 * because old terminals interpret some of them as commands. */

/* Largest size of one escaped character, in bytes. */
#define ETI_TERMINAL_MOST 16

/* Writes a control character as \xNN or \uNNNN, NUL-terminated; returns its length. */
size_t eti__spell_control(char out[ETI_TERMINAL_MOST], uint32_t character);

#endif
