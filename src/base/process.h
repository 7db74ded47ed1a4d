/*
 * process.h - runs a command and waits for it to end, within a time limit.
 *
 * The command has its own session and an empty standard input, so that it receives no signal from a terminal and does not
 * wait for input from one. Its output is read, and only the end of it is kept. If the command exceeds its time or is
 * cancelled, its process group is sent SIGTERM, and SIGKILL two seconds later; when the command has ended, all its
 * descendants are sent SIGKILL, on Linux also those in sessions of their own. Processes that a command leaves behind when it
 * ends by itself are not ended. If this process ends while a command runs, in whatever way, a supervisor ends the command
 * and its descendants.
 */
#ifndef ETI_BASE_PROCESS_H
#define ETI_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* ==== process ================================================================================= */

/* Number of bytes of a stream that are kept. */
#define ETI_TAIL_BYTES ((size_t)4096)
typedef struct eti_tail {
    char bytes[2 * ETI_TAIL_BYTES];
    size_t size;
} eti_tail;

typedef enum eti_process_end {
    ETI_PROCESS_EXITED,      /* code: exit status */
    ETI_PROCESS_KILLED,      /* code: number of the signal */
    ETI_PROCESS_NOT_STARTED, /* code: errno */
    ETI_PROCESS_TIMED_OUT,
    ETI_PROCESS_CANCELLED,
} eti_process_end;

typedef struct eti_process_result {
    eti_process_end end;
    int code;
    double seconds;          /* from start to end of the command */
    eti_tail output, errors; /* the last bytes of standard output and standard error */
} eti_process_result;

/* Called about ten times per second while a command runs; returns false to cancel the command. */
typedef bool (*eti_wait_function)(void *context);

/* Runs argv[0], which is looked up as a shell does, with these arguments (the last is NULL), for at most `most_seconds`, in
 * `folder`; NULL: that of this process. Returns whether the command ended by itself with exit status 0. */
bool eti__process_run(eti_process_result *out, const char *folder, char *const argv[],
                      double most_seconds, eti_wait_function wait, void *context);

/* Returns the time in seconds on a clock that is never set: only differences are meaningful. */
double eti__now(void);

/* ==== pipe ==================================================================================== */
/* Opens pipes that started programs do not inherit. */

/* Opens a pipe: ends[0] is read, ends[1] written; exec closes both. On failure returns false with errno set, and nothing
 * is open. */
bool eti__open_pipe(int ends[2]);

#endif
