/*
 * process.h - runs a command and waits for its end, within a time limit.
 *
 * The command has a session of its own and an empty standard input, so that it gets no signal from
 * a terminal and does not wait for input from one. Its output is read, and only the end of it is
 * kept. If it exceeds its time or is cancelled, its whole group is ended, first by SIGTERM and two
 * seconds later by SIGKILL; processes that a command leaves behind when it ends by itself are left
 * alone. The command does not survive this process: see leftovers.h, and on Linux the signal on a
 * parent's death.
 */
#ifndef ETI_BASE_PROCESS_H
#define ETI_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* The last bytes of a stream. */
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
    double seconds;          /* from start to end */
    eti_tail output, errors; /* end of standard output and standard error */
} eti_process_result;

/* Is called about ten times per second while a command runs. Returns false to cancel the command. */
typedef bool (*eti_wait_function)(void *context);

/* Runs argv[0], found like a shell finds it, with these arguments (the last is NULL), for at most `most_seconds`. Returns
 * whether the command ended by itself with exit status 0. */
bool eti__process_run(eti_process_result *out, char *const argv[], double most_seconds,
                      eti_wait_function wait, void *context);

/* Returns the time in seconds, by a clock that nobody sets: only differences mean anything. */
double eti__now(void);

#endif
