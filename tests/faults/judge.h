/*
 * judge.h - judges whether a program reacted to a fault as it should.
 */
#ifndef ETI_TESTS_JUDGE_H
#define ETI_TESTS_JUDGE_H

#include "outcome.h"

/* How a program may meet a fault. Whatever it is, no target is ever half written, no other file is left,
 * and nothing on standard output is wrong, though it may end early. */
typedef enum expectation {
    EXPECT_SAME,     /* as if nothing were */
    EXPECT_MEMORY,   /* exit 5, "out of memory" */
    EXPECT_READ,     /* exit 3, "FILE: cannot read: " and the reason */
    EXPECT_WRITE,    /* exit 4, "FILE: cannot write: " and the reason */
    EXPECT_UNSYNCED, /* exit 4, "FILE: cannot sync its folder: " and the reason; it is complete */
    EXPECT_SHRUNK,   /* exit 3, "FILE: became shorter while it was read" */
    EXPECT_SIGNAL,   /* dies of it, without a word */
    EXPECT_ERROR,    /* exit 3 and some line */
} expectation;

/* "same", "memory" ...; false when there is none of this name. */
bool expectation_parse(const char *name, expectation *out);

/* NULL, or what is wrong with `found`; `right` is what the program does without a fault. */
const char *judge(const run_scene *scene, expectation expected, const run_outcome *right,
                  const run_outcome *found);

/* NULL when `found` is `right`, or else what differs. */
const char *judge_same(const run_scene *scene, const run_outcome *right, const run_outcome *found);

/* The same for `right` itself. */
const char *judge_right(const run_scene *scene, const run_outcome *right);

#endif
