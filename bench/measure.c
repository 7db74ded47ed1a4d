/*
 * measure.c - runs whole commands in turns and prints time and memory of each.
 *
 *     measure [-n ROUNDS] [-b BUDGET] [-c CAP] [-p PREFIX] : LABEL OUTPUT COMMAND... [: LABEL ...]
 *
 * In each round every command runs once, so that other load affects all equally. If permitted, as for root, commands run
 * with real-time priority and are not interrupted. No command starts again after its runs took BUDGET seconds in total; one
 * that takes longer than CAP seconds is killed with its children. OUTPUT receives the standard output.
 *
 * One line per command, separated by tabs: PREFIX, LABEL, runs, median wall time, its quartiles,
 * median processor time (seconds), peak memory and size of OUTPUT (bytes), outcome: ok, capped, or
 * the exit status; and the least processor time, which other load changes least.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COMMANDS 16
#define MAX_ROUNDS 1000

extern char **environ;

typedef struct measured {
    const char *label, *output;
    char **arguments;
    int runs;
    char outcome[16];
    double wall[MAX_ROUNDS], processor[MAX_ROUNDS], memory[MAX_ROUNDS];
} measured;

static volatile pid_t running;
static volatile sig_atomic_t was_capped;

static void cap(int signal_number) {
    (void)signal_number;
    was_capped = 1;
    kill(-running, SIGKILL);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* posix_spawn does not copy this process's memory, so it costs the same whatever its size. */
static pid_t start(const measured *command) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, command->output, O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process;
    if (posix_spawnp(&process, command->arguments[0], &files, &attributes, command->arguments,
                     environ) != 0)
        fail(command->arguments[0]);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return process;
}

static void run(measured *command, unsigned cap_seconds) {
    struct rusage usage;
    int status, i = command->runs;
    was_capped = 0;
    double before = now();
    running = start(command);
    alarm(cap_seconds);
    while (wait4(running, &status, 0, &usage) < 0)
        continue;
    command->wall[i] = now() - before;
    alarm(0);
    command->processor[i] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    command->memory[i] = (double)usage.ru_maxrss * 1024;
    command->runs++;

    strcpy(command->outcome, "ok");
    if (was_capped)
        strcpy(command->outcome, "capped");
    else if (WIFSIGNALED(status))
        snprintf(command->outcome, sizeof command->outcome, "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        snprintf(command->outcome, sizeof command->outcome, "exit %d", WEXITSTATUS(status));
}

static double sum(const double *values, int n) {
    double total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, int n, double part) {
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[(int)((n - 1) * part + 0.5)];
}

static void print(measured *command, const char *prefix) {
    struct stat output;
    bool is_file = stat(command->output, &output) == 0 && S_ISREG(output.st_mode);
    int n = command->runs;
    printf("%s\t%s\t%d\t%.6f\t%.6f\t%.6f\t%.6f\t%.0f\t%lld\t%s\t%.6f\n", prefix, command->label, n,
           quantile(command->wall, n, 0.5), quantile(command->wall, n, 0.25),
           quantile(command->wall, n, 0.75), quantile(command->processor, n, 0.5),
           quantile(command->memory, n, 0.5), is_file ? (long long)output.st_size : 0,
           command->outcome, quantile(command->processor, n, 0));
}

/* Each ":" begins a command; it is replaced by the NULL that ends the arguments of the previous one. */
static int read_commands(measured *commands, char **arguments) {
    int n = 0;
    while (*arguments && strcmp(*arguments, ":") == 0) {
        *arguments = NULL;
        if (n == MAX_COMMANDS || !arguments[1] || !arguments[2] || !arguments[3])
            return 0;
        measured *command = &commands[n++];
        command->label = arguments[1];
        command->output = arguments[2];
        command->arguments = arguments += 3;
        while (*arguments && strcmp(*arguments, ":") != 0)
            arguments++;
    }
    return n;
}

int main(int argc, char **argv) {
    static measured commands[MAX_COMMANDS];
    const char *prefix = "";
    int rounds = 5;
    double budget = 10;
    unsigned cap_seconds = 120;
    for (int option; (option = getopt(argc, argv, "+n:b:c:p:")) != -1;) {
        if (option == 'n')
            rounds = atoi(optarg);
        else if (option == 'b')
            budget = atof(optarg);
        else if (option == 'c')
            cap_seconds = (unsigned)atoi(optarg);
        else if (option == 'p')
            prefix = optarg;
        else
            return 2;
    }
    int n = read_commands(commands, argv + optind);
    if (n == 0 || rounds < 1 || rounds > MAX_ROUNDS) {
        fputs("usage: measure [-n ROUNDS] [-b BUDGET] [-c CAP] [-p PREFIX] : LABEL OUTPUT "
              "COMMAND... [: ...]\n",
              stderr);
        return 2;
    }
    signal(SIGALRM, cap);
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            measured *command = &commands[i];
            if (sum(command->wall, command->runs) < budget)
                run(command, cap_seconds);
        }
    }
    for (int i = 0; i < n; i++)
        print(&commands[i], prefix);
    return 0;
}
