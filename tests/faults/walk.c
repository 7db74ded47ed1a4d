/*
 * walk.c - walks a fault through a program: runs it without the fault, then with a fault in the first call of a function,
 * then in the second, and so on until there is no further call. Each time it examines everything that the program leaves:
 * see judge.h.
 *
 *     walk -l LIBRARY -c CALL -e EFFECT -x EXPECTATION [OPTION]... -- PROGRAM ARGUMENT...
 *
 *     -l LIBRARY    inject.so
 *     -c CALL       the function, as in inject.c; CALL/input and CALL/output for INJECT_ON
 *     -e EFFECT     as in inject.c, but with names: fail:ENOSPC, signal:TERM, and nothing:ENOSPC if doing nothing must be
 *                   reported as that error
 *     -x EXPECTED   as in judge.h; "memory|same": either is accepted, and both are counted
 *     -s STEP       only every STEPth call
 *     -a            every call fails, in one run
 *     -z            such calls need not exist
 *     -t NAME       an output, place/NAME, which exists before; outputs in the order of writing
 *     -n NAME       the same, but new
 *     -i FILE       standard input
 *     -o COPY=FILE  COPY is made from FILE before each run
 *     -I SIGNAL     a signal ignored from the start
 *     -L            libc itself may leak blocks: glibc's regcomp() does when memory runs out
 *
 * Prints one line with the counts, and exits with 0 if all outcomes are as expected. Works in the current directory.
 */
#include "judge.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SHOWN 5 /* problems */

typedef struct walker {
    run_scene scene;
    run_outcome right;
    expectation expected;
    bool may_be_same, goes_always, may_be_none;
    long step;
    long n_runs, n_expected, n_same, n_wrong;
} walker;

static void refuse(const char *what, const char *value) {
    fprintf(stderr, "walk: %s: %s\n", what, value);
    exit(2);
}

/* ---- names ----------------------------------------------------------------------------------- */

static int error_of_name(const char *name) {
    for (int number = 1; number < 256; number++) {
        const char *known = strerrorname_np(number);
        if (known && strcmp(known, name) == 0)
            return number;
    }
    refuse("there is no error", name);
    return 0;
}

/* Parses a name or a number. */
static int signal_of_name(const char *name) {
    if (atoi(name) > 0)
        return atoi(name);
    for (int number = 1; number < NSIG; number++) {
        const char *known = sigabbrev_np(number);
        if (known && strcmp(known, name) == 0)
            return number;
    }
    refuse("there is no signal", name);
    return 0;
}

static void take_effect(run_scene *scene, const char *effect) {
    const char *colon = strchr(effect, ':');
    bool is_failure = strncmp(effect, "fail:", 5) == 0;
    if (is_failure || strncmp(effect, "nothing:", 8) == 0) {
        scene->error_number = error_of_name(colon + 1);
        effect = is_failure ? "fail" : "nothing";
    }
    if (strncmp(effect, "signal:", 7) == 0)
        snprintf(scene->effect, sizeof scene->effect, "signal:%d", signal_of_name(colon + 1));
    else
        snprintf(scene->effect, sizeof scene->effect, "%s", effect);
}

static void take_call(run_scene *scene, char *call) {
    char *slash = strchr(call, '/');
    scene->call = call;
    scene->side = slash ? slash + 1 : "";
    if (slash)
        *slash = '\0';
}

static void take_expectation(walker *walk, char *name) {
    char *bar = strchr(name, '|');
    if (bar) {
        walk->may_be_same = strcmp(bar, "|same") == 0;
        *bar = '\0';
    }
    if (!expectation_parse(name, &walk->expected) || (bar && !walk->may_be_same))
        refuse("there is no expectation", name);
}

static void take_target(run_scene *scene, const char *name, bool is_new) {
    if (scene->n_targets == MAX_TARGETS)
        refuse("too many targets", name);
    scene->targets[scene->n_targets] = name;
    scene->is_new[scene->n_targets++] = is_new;
}

static void take_copy(run_scene *scene, char *names) {
    char *equals = strchr(names, '=');
    if (!equals)
        refuse("not COPY=FILE", names);
    *equals = '\0';
    scene->copy = names;
    scene->original = equals + 1;
}

static void take_options(walker *walk, int argc, char **argv) {
    run_scene *scene = &walk->scene;
    scene->call = scene->side = "";
    for (int option; (option = getopt(argc, argv, "+l:c:e:x:t:n:i:o:I:Ls:az")) >= 0;) {
        switch (option) {
        case 'l':
            scene->library = optarg;
            break;
        case 'c':
            take_call(scene, optarg);
            break;
        case 'e':
            take_effect(scene, optarg);
            break;
        case 'x':
            take_expectation(walk, optarg);
            break;
        case 't':
        case 'n':
            take_target(scene, optarg, option == 'n');
            break;
        case 'i':
            scene->input = optarg;
            break;
        case 'o':
            take_copy(scene, optarg);
            break;
        case 'I':
            scene->ignored_signal = signal_of_name(optarg);
            break;
        case 's':
            walk->step = atol(optarg);
            break;
        case 'a':
            walk->goes_always = true;
            break;
        case 'L':
            scene->libc_may_leak = true;
            break;
        case 'z':
            walk->may_be_none = true;
            break;
        default:
            exit(2);
        }
    }
    scene->command = argv + optind;
    if (!scene->library || !*scene->effect || !*scene->call || !*scene->command)
        refuse("usage", "see the head of walk.c");
}

/* ---- walking --------------------------------------------------------------------------------- */

static void show(const walker *walk, const char *at, const run_outcome *found,
                 const char *problem) {
    if (walk->n_wrong > MAX_SHOWN)
        return;
    printf("    %s %s, call %s: %s (status %#x)\n", walk->scene.call, walk->scene.effect, at,
           problem, (unsigned)found->status);
    if (found->stranger[0])
        printf("    %s\n", found->stranger);
    printf("%.*s", (int)(found->err.size < 4000 ? found->err.size : 4000), found->err.data);
}

/* Runs the program once; returns false if the fault did not occur because the program ended before. */
static bool step(walker *walk, const char *at) {
    run_outcome found;
    run_once(&walk->scene, at, &found);
    bool was_hit = found.was_hit;
    const char *differs = judge_same(&walk->scene, &walk->right, &found);
    const char *problem =
        was_hit ? judge(&walk->scene, walk->expected, &walk->right, &found) : differs;
    bool is_same = !differs && (walk->may_be_same || walk->expected == EXPECT_SAME);
    walk->n_runs += was_hit;
    if (problem && !(was_hit && is_same)) {
        walk->n_wrong++;
        bool succeeded = walk->may_be_same && found.status == 0;
        show(walk, at, &found, succeeded ? differs : problem);
    } else if (was_hit) {
        walk->n_same += is_same;
        walk->n_expected += !is_same;
    }
    free_outcome(&found);
    return was_hit;
}

static void walk_all(walker *walk) {
    char at[32];
    bool was_hit = true;
    for (long n = 1; was_hit; n += walk->step) {
        snprintf(at, sizeof at, "%ld", n);
        was_hit = step(walk, at);
    }
}

int main(int argc, char **argv) {
    static walker walk = {.step = 1};
    take_options(&walk, argc, argv);
    if (mkdir(PLACE, 0755) != 0 && errno != EEXIST)
        give_up(PLACE);
    run_once(&walk.scene, "0", &walk.right);
    const char *problem = judge_right(&walk.scene, &walk.right);
    if (problem)
        refuse(problem, walk.right.err.data);
    if (walk.goes_always)
        (void)step(&walk, "all");
    else
        walk_all(&walk);
    free_outcome(&walk.right);

    bool is_empty = walk.n_runs == 0 && !walk.may_be_none;
    printf("%ld calls: %ld as expected, %ld without a difference, %ld wrong%s\n", walk.n_runs,
           walk.n_expected, walk.n_same, walk.n_wrong, is_empty ? " (none was met)" : "");
    return walk.n_wrong > 0 || is_empty;
}
