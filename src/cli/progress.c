#include "cli/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS INT64_C(1000000)
#define FIRST_AFTER (1000 * NS_PER_MS)
#define NEXT_AFTER (100 * NS_PER_MS)
#define ERASE "\r\033[K"

static struct {
    bool is_wanted, is_shown;
    int64_t next; /* when the line may be drawn */
} line;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 * NS_PER_MS + time.tv_nsec;
}

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static bool has_person(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0 &&
           !is_set("CI") && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static bool is_pipe(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static void write_line(const char *text, size_t size) {
    if (write(STDERR_FILENO, text, size) < 0)
        line.is_wanted = false;
}

void cli_progress_start(const char *output_path) {
    line.is_wanted = has_person() && (strcmp(output_path, "-") != 0 || !is_pipe(STDOUT_FILENO));
    line.next = now() + FIRST_AFTER;
}

bool cli_progress_tell(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)context;
    char text[128];
    int size;
    int64_t time = line.is_wanted ? now() : 0;
    if (!line.is_wanted || time < line.next)
        return true;
    if (total > 0)
        size = snprintf(text, sizeof text, ERASE "etinspect: %s: %.0f %%", step,
                        100 * (double)done / (double)total);
    else if (done > 0)
        size =
            snprintf(text, sizeof text, ERASE "etinspect: %s: %.0f MB", step, (double)done / 1e6);
    else
        size = snprintf(text, sizeof text, ERASE "etinspect: %s", step);
    line.next = time + NEXT_AFTER;
    line.is_shown = true;
    if (size > 0 && (size_t)size < sizeof text)
        write_line(text, (size_t)size);
    return true;
}

void cli_progress_end(void) {
    if (line.is_shown)
        write_line(ERASE, strlen(ERASE));
    line.is_shown = false;
}
