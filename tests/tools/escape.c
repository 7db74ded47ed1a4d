/* escape.c - when preloaded into the program, attempts what an intruder would at the program's first write, and prints the
 * results on standard error: "open denied" and so on. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool can_open(void) {
    return open("/dev/null", O_RDONLY) >= 0;
}

/* Asks for the size of a file by the call with which fstat() asks for that of a stream. */
static bool can_stat(void) {
    struct stat status;
    return syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, AT_EMPTY_PATH) == 0;
}

static bool can_create(void) {
    return open("escaped", O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool can_rename(void) {
    return rename("mine", "moved") == 0;
}

static bool can_unlink(void) {
    return unlink("mine") == 0 || unlink("moved") == 0;
}

static bool can_connect(void) {
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool can_fork(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child;
}

/* Executes a missing program, so that this one is not replaced: the error says whether the call was allowed. */
static bool can_execute(void) {
    char *const arguments[] = {(char[]){"nothing"}, NULL};
    execv("/nonexistent", arguments);
    return errno == ENOENT;
}

static bool can_make_code(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}

static bool can_trace(void) {
    return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
}

static void try_everything(void) {
    static const struct {
        const char *name;
        bool (*attempt)(void);
    } attempts[] = {
        {"open", can_open},     {"stat", can_stat},       {"create", can_create},
        {"rename", can_rename}, {"unlink", can_unlink},   {"connect", can_connect},
        {"fork", can_fork},     {"execute", can_execute}, {"code", can_make_code},
        {"trace", can_trace},
    };
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        fprintf(stderr, "%s %s\n", attempts[i].name, attempts[i].attempt() ? "possible" : "denied");
}

ssize_t write(int descriptor, const void *data, size_t size) {
    static ssize_t (*real_write)(int, const void *, size_t);
    static bool tried;
    if (!real_write)
        *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    if (!tried && descriptor == STDOUT_FILENO) {
        tried = true;
        try_everything();
    }
    return real_write(descriptor, data, size);
}
