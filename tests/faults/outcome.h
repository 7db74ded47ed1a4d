/*
 * outcome.h - runs a program once, with a fault of inject.so or without, and records everything visible from outside.
 *
 * The program's outputs lie in the folder "place" of the current directory. Before each run it is emptied, and the targets
 * get their old content.
 */
#ifndef ETI_TESTS_OUTCOME_H
#define ETI_TESTS_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#define PLACE "place"
#define OLD_CONTENT "old\n"
#define MAX_TARGETS 4
#define MAX_LIVE 64

/* Settings of all runs. */
typedef struct run_scene {
    char **command;
    const char *library;              /* inject.so */
    const char *input;                /* standard input; NULL: none */
    const char *targets[MAX_TARGETS]; /* names in PLACE, in the order of writing */
    bool is_new[MAX_TARGETS];         /* this target did not exist before */
    size_t n_targets;
    const char *copy, *original; /* an input that is copied anew before each run; NULL: none */
    int ignored_signal;          /* 0: none */
    bool libc_may_leak;          /* what it asked for itself */
    const char *call, *side;     /* as in inject.c */
    char effect[5000];
    int error_number;
} run_scene;

typedef struct bytes {
    char *data; /* content; NULL: there is no such file */
    size_t size;
} bytes;

/* A block that was not freed. */
typedef struct live_block {
    long number;       /* number of its allocation */
    bool is_from_libc; /* the library that called, perhaps for another one: strdup() */
} live_block;

typedef struct run_outcome {
    int status; /* as set by waitpid() */
    bytes out, err;
    bytes targets[MAX_TARGETS];
    char stranger[256]; /* a file in PLACE that is not a target; "": none */
    bool was_hit;
    long hit_at; /* number of allocations until the fault */
    long n_calls;
    bool was_stopped;
    bytes stopped_targets[MAX_TARGETS]; /* targets when it was last stopped */
    bool has_ended;                     /* main() returned: the live blocks are known */
    live_block live[MAX_LIVE];          /* blocks except variables of threads */
    size_t n_live;
    bool had_threads; /* the numbers of allocations depend on scheduling */
} run_outcome;

/* Runs the program. `at`: INJECT_AT; "0" is no fault. A failure ends the test. */
void run_once(const run_scene *scene, const char *at, run_outcome *out);
void free_outcome(run_outcome *outcome);

/* Ends the test with a message and errno. */
void give_up(const char *what) __attribute__((noreturn));

#endif
