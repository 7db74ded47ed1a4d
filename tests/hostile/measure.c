/*
 * measure.c - measure TIMES SECONDS COMMAND... [-- COMMAND...]
 *
 * Runs the commands in turns, TIMES each, without output, and prints one line for each: its exit status (128 plus the
 * signal if one ended it), the minimum milliseconds of wall and of processor time, and the maximum KiB of memory. A command
 * is ended after SECONDS. Other load on the machine affects all commands alike.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_COMMANDS 32

typedef struct command {
    char **arguments;
    int status;
    double wall, processor; /* milliseconds */
    long kilobytes;
} command;

static double milliseconds_of(const struct timeval *time) {
    return (double)time->tv_sec * 1e3 + (double)time->tv_usec / 1e3;
}

static void keep_least(double *least, double value) {
    if (*least == 0 || value < *least)
        *least = value;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void start(char **arguments, unsigned seconds) {
    int nowhere = open("/dev/null", O_RDWR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        (void)dup2(nowhere, stream);
    (void)alarm(seconds); /* ends the command, which has the default signal handlers */
    execvp(arguments[0], arguments);
    _exit(127);
}

static int run(command *measured, unsigned seconds) {
    double before = now();
    pid_t child = fork();
    if (child == 0)
        start(measured->arguments, seconds);
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 1;
    }
    keep_least(&measured->wall, now() - before);
    keep_least(&measured->processor,
               milliseconds_of(&usage.ru_utime) + milliseconds_of(&usage.ru_stime));
    measured->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (usage.ru_maxrss > measured->kilobytes)
        measured->kilobytes = usage.ru_maxrss;
    return 0;
}

int main(int argc, char **argv) {
    command commands[MOST_COMMANDS] = {{0}};
    size_t n = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: measure TIMES SECONDS COMMAND... [-- COMMAND...]\n");
        return 2;
    }
    commands[n++].arguments = argv + 3;
    for (int i = 3; i + 1 < argc && n < MOST_COMMANDS; i++) {
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            commands[n++].arguments = argv + i + 1;
        }
    }
    for (int times = atoi(argv[1]); times > 0; times--) {
        for (size_t i = 0; i < n; i++) {
            if (run(&commands[i], (unsigned)atoi(argv[2])) != 0)
                return 1;
        }
    }
    for (size_t i = 0; i < n; i++)
        printf("%d %.1f %.1f %ld\n", commands[i].status, commands[i].wall, commands[i].processor,
               commands[i].kilobytes);
    return 0;
}
