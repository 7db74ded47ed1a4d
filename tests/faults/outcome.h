/*
 * outcome.h - runs a program once, with a fault of inject.so or without, and keeps all that can be seen of
 * it from outside.
 *
 * The program's outputs lie in the folder "place" of the current directory. Before each run it is emptied
 * and the targets get their old content.
 */
#ifndef ETI_TESTS_OUTCOME_H
#define ETI_TESTS_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#define PLACE "place"
#define OLD_CONTENT "old\n"
#define MAX_TARGETS 4
#define MAX_LIVE 64

/* Common data of all runs. */
typedef struct run_scene {
    char **command;
    const char *library;              /* inject.so */
    const char *input;                /* standard input; NULL: there is none */
    const char *targets[MAX_TARGETS]; /* names in PLACE, in the order they are written */
    bool is_new[MAX_TARGETS];         /* not there before */
    size_t n_targets;
    const char *copy, *original; /* an input that is made anew before each run; NULL: none */
    int ignored_signal;          /* 0: none */
    bool libc_may_leak;          /* what it asked for itself */
    const char *call, *side;     /* as in inject.c */
    char effect[5000];
    int error_number;
} run_scene;

typedef struct bytes {
    char *data; /* NULL: there is no such file */
    size_t size;
} bytes;

/* A block that was not freed. */
typedef struct live_block {
    long number;       /* of the allocation that made it */
    bool is_from_libc; /* which asked for it, perhaps on behalf of another: strdup() */
} live_block;

typedef struct run_outcome {
    int status; /* as waitpid() has it */
    bytes out, err;
    bytes targets[MAX_TARGETS];
    char stranger[256]; /* a file in PLACE that is no target; "": none */
    bool was_hit;
    long hit_at; /* the number of allocations until then */
    long n_calls;
    bool was_stopped;
    bytes stopped_targets[MAX_TARGETS]; /* when it was stopped last */
    bool has_ended;                     /* main() returned: what lives then is known */
    live_block live[MAX_LIVE];          /* without variables of threads */
    size_t n_live;
    bool had_threads; /* the numbers of allocations depend on how they take turns */
} run_outcome;

/* `at`: INJECT_AT; "0" is no fault. A failure ends the test. */
void run_once(const run_scene *scene, const char *at, run_outcome *out);
void free_outcome(run_outcome *outcome);

/* Ends the test with a message and errno. */
void give_up(const char *what) __attribute__((noreturn));

#endif
