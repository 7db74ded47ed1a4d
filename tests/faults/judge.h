/*
 * judge.h - judges whether a program reacted correctly to a fault.
 */
#ifndef ETI_TESTS_JUDGE_H
#define ETI_TESTS_JUDGE_H

#include "outcome.h"

/* Reactions to a fault. In every case no target is half written, no other file is left, and nothing on standard output is
 * wrong, though it may end early. */
typedef enum expectation {
    EXPECT_SAME,   /* no difference */
    EXPECT_MEMORY, /* exit 5, "out of memory" */
    EXPECT_READ,   /* exit 3, "FILE: cannot read: " and the reason */
    EXPECT_WRITE,  /* exit 4, "FILE: cannot write: " and the reason */
    EXPECT_UNSYNCED, /* exit 4, "FILE: cannot sync its folder: " and the reason; the file is complete */
    EXPECT_SHRUNK, /* exit 3, "FILE: became shorter while it was read" */
    EXPECT_SIGNAL, /* dies of the signal without a message */
    EXPECT_ERROR,  /* exit 3 and any one line */
} expectation;

/* Parses "same", "memory" ...; returns false if there is no such expectation. */
bool expectation_parse(const char *name, expectation *out);

/* Returns NULL, or the error in `found`; `right` is the outcome without a fault. */
const char *judge(const run_scene *scene, expectation expected, const run_outcome *right,
                  const run_outcome *found);

/* Returns NULL if `found` equals `right`, or the difference. */
const char *judge_same(const run_scene *scene, const run_outcome *right, const run_outcome *found);

/* Does the same for `right` itself. */
const char *judge_right(const run_scene *scene, const run_outcome *right);

#endif
