/*
 * work.h - the private folder in which a recording runs, and the programs that are started there.
 */
#ifndef ETI_MEASURE_WORK_H
#define ETI_MEASURE_WORK_H

#include "base/arena.h"
#include "base/process.h"
#include "base/text.h"
#include "etinspect.h"
#include "measure/runner.h"

/* ==== work ==================================================================================== */
/* A folder that only this user can read, called etinspect- and 16 hexadecimal digits. Its files have our names only. It is
 * removed with all of them at the end; if a signal ends the program, too. */

typedef struct eti_work {
    eti_arena arena; /* holds paths and words */
    char *folder;    /* absolute */
    int lock;
    double timeout; /* of a started program, in seconds */
    eti_wait_function wait;
    void *wait_context;
    eti_write_function log; /* receives the last lines of a program that failed; NULL: none */
    void *log_context;
    const char *files[48]; /* registered as leftovers */
    size_t n_files;
} eti_work;

/* Creates the folder in `parent`, an absolute path. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_open(eti_work *work, const char *parent, eti_error *err) ETI_WARN_UNUSED;
/* Removes the folder. All zeros is allowed. */
void eti__work_close(eti_work *work);

/* Returns a text in the arena; NULL: out of memory. */
const char *eti__work_text(eti_work *work, const char *format, ...) ETI_PRINTF(2, 3);
/* Returns the path of a file of the folder, which is removed at the end; NULL: out of memory. */
const char *eti__work_path(eti_work *work, const char *name);
/* Writes a file of the folder. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_write(eti_work *work, const char *name, const void *data, size_t size,
                           eti_error *err) ETI_WARN_UNUSED;
/* Links `name` in the folder to a file. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_link(eti_work *work, const char *name, const char *target,
                          eti_error *err) ETI_WARN_UNUSED;

/* Runs a program in the folder, or in `folder` if that is not NULL. Returns whether it ended with exit status 0. */
bool eti__work_run(eti_work *work, eti_process_result *out, const char *folder,
                   const char *const *words);

/* Returns how a program ended: "exit status 1". */
const char *eti__work_end(eti_work *work, const eti_process_result *result, const char *name);
/* Logs the last lines of standard error, or of standard output if that is empty. */
void eti__work_log(const eti_work *work, const eti_process_result *result);

/* Returns the last bytes that a program wrote, as a text of the arena; "": out of memory. */
const char *eti__work_output(eti_work *work, const eti_tail *tail);

/* Returns the path of a program that is found as a shell does; NULL: there is none. */
const char *eti__work_find_program(eti_work *work, const char *name);

#endif
