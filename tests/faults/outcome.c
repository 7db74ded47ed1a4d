#include "outcome.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPORT 100 /* a high descriptor, so that the program's own get the usual numbers */
#define CPU_SECONDS 60
#define PIECE 65536 /* bytes */

void give_up(const char *what) {
    fprintf(stderr, "walk: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bytes read_descriptor(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        give_up("fstat");
    bytes content = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
    if (!content.data)
        give_up("malloc");
    ssize_t got = pread(descriptor, content.data, content.size, 0);
    if (got != status.st_size)
        give_up("pread");
    content.data[content.size] = '\0';
    return content;
}

static bytes read_file(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return (bytes){NULL, 0};
    bytes content = read_descriptor(descriptor);
    close(descriptor);
    return content;
}

static void write_file(const char *path, const char *data, size_t size) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size || close(descriptor) != 0)
        give_up(path);
}

/* Copies a file, with holes in place of zeros, because some files are large. */
static void copy_file(const char *original, const char *copy) {
    bytes content = read_file(original);
    int descriptor = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (!content.data || descriptor < 0 || ftruncate(descriptor, (off_t)content.size) != 0)
        give_up(copy);
    static const char zeros[PIECE];
    for (size_t at = 0; at < content.size; at += PIECE) {
        size_t size = content.size - at < PIECE ? content.size - at : PIECE;
        if (memcmp(content.data + at, zeros, size) != 0 &&
            pwrite(descriptor, content.data + at, size, (off_t)at) != (ssize_t)size)
            give_up(copy);
    }
    close(descriptor);
    free(content.data);
}

static void in_place(char path[300], const char *name) {
    snprintf(path, 300, PLACE "/%s", name);
}

/* Calls `visit` with each name in PLACE. */
static void visit_place(void (*visit)(const run_scene *, const char *name, run_outcome *),
                        const run_scene *scene, run_outcome *out) {
    DIR *folder = opendir(PLACE);
    if (!folder)
        give_up(PLACE);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(scene, entry->d_name, out);
    }
    closedir(folder);
}

static void remove_name(const run_scene *scene, const char *name, run_outcome *out) {
    (void)scene;
    (void)out;
    char path[300];
    in_place(path, name);
    if (unlink(path) != 0)
        give_up(path);
}

static void set_the_stage(const run_scene *scene) {
    visit_place(remove_name, scene, NULL);
    char path[300];
    for (size_t i = 0; i < scene->n_targets; i++) {
        in_place(path, scene->targets[i]);
        if (!scene->is_new[i])
            write_file(path, OLD_CONTENT, strlen(OLD_CONTENT));
    }
    if (scene->copy)
        copy_file(scene->original, scene->copy);
}

static void read_targets(const run_scene *scene, bytes targets[MAX_TARGETS]) {
    char path[300];
    for (size_t i = 0; i < scene->n_targets; i++) {
        free(targets[i].data);
        in_place(path, scene->targets[i]);
        targets[i] = read_file(path);
    }
}

static void note_stranger(const run_scene *scene, const char *name, run_outcome *out) {
    for (size_t i = 0; i < scene->n_targets; i++) {
        if (strcmp(scene->targets[i], name) == 0)
            return;
    }
    snprintf(out->stranger, sizeof out->stranger, "%s", name);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Makes the environment of the tests irrelevant: under nohup SIGHUP is ignored, behind & SIGINT. */
static void reset_signals(int ignored) {
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    if (ignored)
        signal(ignored, SIG_IGN);
}

static void set_number(const char *name, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static void set_environment(const run_scene *scene, const char *at) {
    setenv("INJECT_CALL", scene->call, 1);
    setenv("INJECT_ON", scene->side, 1);
    setenv("INJECT_AT", at, 1);
    setenv("INJECT_EFFECT", scene->effect, 1);
    set_number("INJECT_ERRNO", scene->error_number);
    set_number("INJECT_REPORT", REPORT);
    setenv("LD_PRELOAD", scene->library, 1);
    /* The sanitizer checks that it is the first library; here it only loses the functions that inject.so replaces. */
    char options[1000];
    const char *given = getenv("ASAN_OPTIONS");
    snprintf(options, sizeof options, "%s%sverify_asan_link_order=0", given ? given : "",
             given ? ":" : "");
    setenv("ASAN_OPTIONS", options, 1);
}

static void become_program(const run_scene *scene, const char *at, const int streams[3],
                           int report) {
    struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS + 1}, core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu); /* ends a loop without end */
    setrlimit(RLIMIT_CORE, &core);
    for (int i = 0; i < 3; i++) {
        if (dup2(streams[i], i) < 0)
            _exit(126);
    }
    if (dup2(report, REPORT) < 0)
        _exit(126);
    reset_signals(scene->ignored_signal);
    set_environment(scene, at);
    execv(scene->command[0], scene->command);
    _exit(127);
}

/* Waits for the program; whenever it stops itself, examines the targets and continues it. */
static void wait_for(const run_scene *scene, pid_t program, run_outcome *out) {
    for (;;) {
        if (waitpid(program, &out->status, WUNTRACED) != program)
            give_up("waitpid");
        if (!WIFSTOPPED(out->status))
            return;
        out->was_stopped = true;
        read_targets(scene, out->stopped_targets);
        kill(program, SIGCONT);
    }
}

static bool is_of_libc(const char *name) {
    return strncmp(name, "libc.so", 7) == 0;
}

/* Returns whether the loader allocated the block: it allocates the variables of each thread, and libc keeps them for the
 * next thread. Their number depends on the scheduling of threads. */
static bool is_of_loader(const char *name) {
    return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.", 3) == 0;
}

/* Parses " 27@libc.so.6 31@etinspect". */
static void read_live(const char *text, run_outcome *out) {
    long number;
    char name[256];
    for (int length; sscanf(text, " %ld@%255[^ ]%n", &number, name, &length) == 2; text += length) {
        if (is_of_loader(name)) {
            out->had_threads = true;
            continue;
        }
        if (out->n_live == MAX_LIVE)
            give_up("more blocks live than there is room for");
        out->live[out->n_live++] = (live_block){number, is_of_libc(name)};
    }
}

static void read_report(int descriptor, run_outcome *out) {
    bytes report = read_descriptor(descriptor);
    for (char *line = report.data; *line;) {
        char *end = strchrnul(line, '\n');
        if (*end)
            *end++ = '\0';
        out->was_hit = sscanf(line, "hit %ld", &out->hit_at) == 1 || out->was_hit;
        sscanf(line, "calls %ld", &out->n_calls);
        if (strncmp(line, "live", 4) == 0) {
            out->has_ended = true;
            read_live(line + 4, out);
        }
        line = end;
    }
    free(report.data);
}

static int open_scratch(void) {
    int descriptor = memfd_create("walk", MFD_CLOEXEC);
    if (descriptor < 0)
        give_up("memfd_create");
    return descriptor;
}

void run_once(const run_scene *scene, const char *at, run_outcome *out) {
    *out = (run_outcome){0};
    set_the_stage(scene);
    int report = open_scratch();
    const char *input = scene->input ? scene->input : "/dev/null";
    const int streams[3] = {open(input, O_RDONLY | O_CLOEXEC), open_scratch(), open_scratch()};
    if (streams[0] < 0)
        give_up(input);

    pid_t program = fork();
    if (program < 0)
        give_up("fork");
    if (program == 0)
        become_program(scene, at, streams, report);
    wait_for(scene, program, out);

    out->out = read_descriptor(streams[1]);
    out->err = read_descriptor(streams[2]);
    read_targets(scene, out->targets);
    visit_place(note_stranger, scene, out);
    read_report(report, out);
    close(report);
    for (int i = 0; i < 3; i++)
        close(streams[i]);
}

void free_outcome(run_outcome *outcome) {
    free(outcome->out.data);
    free(outcome->err.data);
    for (size_t i = 0; i < MAX_TARGETS; i++) {
        free(outcome->targets[i].data);
        free(outcome->stopped_targets[i].data);
    }
}
