#include "judge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Indexed by expectation: its name, the exit status, and the end of the last line after a file name. */
static const struct {
    const char *name;
    int exit_status;
    const char *message;
} rules[] = {
    [EXPECT_SAME] = {"same", 0, NULL},
    [EXPECT_MEMORY] = {"memory", 5, "out of memory"},
    [EXPECT_READ] = {"read", 3, ": cannot read: "},
    [EXPECT_WRITE] = {"write", 4, ": cannot write: "},
    [EXPECT_UNSYNCED] = {"unsynced", 4, ": cannot sync its folder: "},
    [EXPECT_SHRUNK] = {"shrunk", 3, ": became shorter while it was read"},
    [EXPECT_SIGNAL] = {"signal", 0, NULL},
    [EXPECT_ERROR] = {"error", 3, ": "},
};

bool expectation_parse(const char *name, expectation *out) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            *out = (expectation)i;
            return true;
        }
    }
    return false;
}

/* ---- required in every case ------------------------------------------------------------------ */

static bool is_equal(bytes a, bytes b) {
    if (!a.data || !b.data)
        return !a.data && !b.data;
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool begins_with(bytes whole, const char *part, size_t size) {
    return size <= whole.size && memcmp(whole.data, part, size) == 0;
}

static bool is_old(const run_scene *scene, size_t target, bytes content) {
    static char old[] = OLD_CONTENT;
    bytes before = {scene->is_new[target] ? NULL : old, strlen(old)};
    return is_equal(content, before);
}

/* Targets are written one after the other, each completely. */
static const char *judge_targets(const run_scene *scene, const bytes *right, const bytes *found) {
    bool were_new = true;
    for (size_t i = 0; i < scene->n_targets; i++) {
        bool is_new = is_equal(found[i], right[i]);
        if (!is_new && !is_old(scene, i, found[i]))
            return "a target is neither as before nor complete";
        if (is_new && !were_new)
            return "a target was written although the one before it was not";
        were_new = is_new;
    }
    return NULL;
}

static bool has_live(const run_outcome *outcome, long number) {
    for (size_t i = 0; i < outcome->n_live; i++) {
        if (outcome->live[i].number == number)
            return true;
    }
    return false;
}

static size_t count_live(const run_outcome *outcome, bool is_from_libc) {
    size_t n = 0;
    for (size_t i = 0; i < outcome->n_live; i++)
        n += outcome->live[i].is_from_libc == is_from_libc;
    return n;
}

/* Up to the fault, a single thread allocates as in the run without a fault: a block that lives here, but not there, leaked.
 * Memory that libc keeps for itself counts, too. */
static bool has_leaked(const run_scene *scene, const run_outcome *right, const run_outcome *found) {
    for (size_t i = 0; i < found->n_live; i++) {
        const live_block *block = &found->live[i];
        if (scene->libc_may_leak && block->is_from_libc)
            continue;
        if (!right->had_threads && block->number <= found->hit_at &&
            !has_live(right, block->number))
            return true;
    }
    return count_live(found, false) > 0 ||
           (!scene->libc_may_leak && count_live(found, true) > count_live(right, true));
}

const char *judge_right(const run_scene *scene, const run_outcome *right) {
    if (!right->has_ended)
        return "without a fault it does not return from main()";
    return has_leaked(scene, right, right) ? "without a fault it leaks" : NULL;
}

static const char *judge_always(const run_scene *scene, const run_outcome *right,
                                const run_outcome *found) {
    if (found->stranger[0])
        return "a file is left behind";
    if (!begins_with(right->out, found->out.data, found->out.size))
        return "standard output is not the beginning of what it should be";
    const char *problem = judge_targets(scene, right->targets, found->targets);
    if (problem)
        return problem;
    problem =
        found->was_stopped ? judge_targets(scene, right->targets, found->stopped_targets) : NULL;
    return problem                           ? "a target was incomplete for a time"
           : has_leaked(scene, right, found) ? "a leak"
                                             : NULL;
}

const char *judge_same(const run_scene *scene, const run_outcome *right, const run_outcome *found) {
    if (right->status != found->status)
        return "the exit status is another";
    if (!is_equal(right->out, found->out) || !is_equal(right->err, found->err))
        return "what it prints is something else";
    for (size_t i = 0; i < scene->n_targets; i++) {
        if (!is_equal(right->targets[i], found->targets[i]))
            return "a target is not what it should be";
    }
    return judge_always(scene, right, found);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Standard error must be a prefix, in whole lines, of the output without a fault, followed by one more line. Returns that
 * line, or NULL. */
static const char *find_last_line(const run_outcome *right, const run_outcome *found) {
    const char *text = found->err.data;
    size_t size = found->err.size;
    if (size == 0 || text[size - 1] != '\n' || strlen(text) != size)
        return NULL;
    size_t at = size - 1;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return begins_with(right->err, text, at) ? text + at : NULL;
}

/* Returns the target that a line names: its number; n_targets: standard output; -1: none. */
static long find_named(const run_scene *scene, const char *line) {
    char start[300];
    for (size_t i = 0; i < scene->n_targets; i++) {
        snprintf(start, sizeof start, "etinspect: " PLACE "/%s: ", scene->targets[i]);
        if (strncmp(line, start, strlen(start)) == 0)
            return (long)i;
    }
    const char *output = "etinspect: (standard output): ";
    return strncmp(line, output, strlen(output)) == 0 ? (long)scene->n_targets : -1;
}

static const char *judge_named(const run_scene *scene, expectation expected,
                               const run_outcome *found, const char *line) {
    long target = find_named(scene, line);
    if (target < 0)
        return "the message names no output";
    if (target == (long)scene->n_targets)
        return NULL;
    bool is_untouched = is_old(scene, (size_t)target, found->targets[target]);
    if (is_untouched != (expected == EXPECT_WRITE))
        return is_untouched ? "the target named was not written" : "the target named was written";
    return NULL;
}

static const char *judge_message(const run_scene *scene, expectation expected, const char *line) {
    char message[300];
    bool has_reason =
        expected == EXPECT_READ || expected == EXPECT_WRITE || expected == EXPECT_UNSYNCED;
    snprintf(message, sizeof message, "%s%s", rules[expected].message,
             has_reason ? strerror(scene->error_number) : "");
    if (strncmp(line, "etinspect: ", 11) != 0 || !strstr(line, message))
        return "the message is another";
    if (expected == EXPECT_MEMORY && strcmp(line, "etinspect: out of memory\n") != 0)
        return "the message is another";
    return NULL;
}

static const char *judge_failure(const run_scene *scene, expectation expected,
                                 const run_outcome *right, const run_outcome *found) {
    if (!WIFEXITED(found->status) || WEXITSTATUS(found->status) != rules[expected].exit_status)
        return "the exit status is another";
    const char *line = find_last_line(right, found);
    if (!line)
        return "there is not one line more on standard error";
    const char *problem = judge_message(scene, expected, line);
    if (!problem && (expected == EXPECT_WRITE || expected == EXPECT_UNSYNCED))
        problem = judge_named(scene, expected, found, line);
    return problem ? problem : judge_always(scene, right, found);
}

static const char *judge_signal(const run_scene *scene, const run_outcome *right,
                                const run_outcome *found) {
    int number = atoi(scene->effect + strlen("signal:"));
    if (!WIFSIGNALED(found->status) || WTERMSIG(found->status) != number)
        return "it did not die of the signal";
    if (!begins_with(right->err, found->err.data, found->err.size))
        return "something else on standard error";
    return judge_always(scene, right, found);
}

const char *judge(const run_scene *scene, expectation expected, const run_outcome *right,
                  const run_outcome *found) {
    if (expected == EXPECT_SAME)
        return judge_same(scene, right, found);
    if (expected == EXPECT_SIGNAL)
        return judge_signal(scene, right, found);
    return judge_failure(scene, expected, right, found);
}
