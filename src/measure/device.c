#include "measure/recording.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_MARK "etinspect-exit:"
#define REMOVAL_SECONDS 5

bool eti__is_plain_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=,./:@%";
    return *word && word[strspn(word, plain)] == '\0';
}

eti_status eti__device_parse(eti_device *out, const char *text, eti_error *err) {
    *out = (eti_device){.kind = ETI_DEVICE_LOCAL};
    if (strcmp(text, "local") == 0)
        return ETI_OK;
    bool is_ssh = strncmp(text, "ssh:", 4) == 0;
    out->kind = is_ssh ? ETI_DEVICE_SSH : ETI_DEVICE_ADB;
    out->target = is_ssh || strncmp(text, "adb:", 4) == 0 ? text + 4 : NULL;
    if (!out->target && strcmp(text, "adb") != 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sdevice: expected local, adb, adb:SERIAL or ssh:HOST, found %s",
                        eti__option_prefix(), text);
    if (out->target && (*out->target == '\0' || *out->target == '-'))
        return eti_fail(err, ETI_ERROR_USAGE, "%sdevice: %s has no %s", eti__option_prefix(), text,
                        is_ssh ? "host" : "serial number");
    return ETI_OK;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Removes the carriage returns that a terminal of the device puts before line breaks. */
static void end_lines_plainly(eti_tail *tail) {
    size_t size = 0;
    for (size_t i = 0; i < tail->size; i++) {
        bool is_before_break =
            tail->bytes[i] == '\r' && i + 1 < tail->size && strchr("\r\n", tail->bytes[i + 1]);
        if (!is_before_break)
            tail->bytes[size++] = tail->bytes[i];
    }
    tail->size = size;
}

static bool run_adb(eti_work *work, eti_process_result *out, const char *const *words) {
    bool done = eti__work_run(work, out, NULL, words);
    end_lines_plainly(&out->output);
    end_lines_plainly(&out->errors);
    return done;
}

/* Runs a script of the device's shell. With `input` or `output`, the script reads or writes this file here. The local shell
 * receives all names as parameters, and interprets none. */
static bool run_script(const eti_device *device, eti_work *work, eti_process_result *out,
                       const char *script, const char *input, const char *output) {
    const char *const adb[] = {"adb", "-s", device->target, "shell", script, NULL};
    const char *const ssh[] = {"ssh", "-o", "BatchMode=yes", "--", device->target, script, NULL};
    const char *const redirected[] = {"/bin/sh",
                                      "-c",
                                      "exec ssh -o BatchMode=yes -- \"$1\" \"$2\" <\"$3\" >\"$4\"",
                                      "sh",
                                      device->target,
                                      script,
                                      input ? input : "/dev/null",
                                      output ? output : "/dev/null",
                                      NULL};
    if (device->kind == ETI_DEVICE_ADB)
        return run_adb(work, out, adb);
    return eti__work_run(work, out, NULL, input || output ? redirected : ssh);
}

/* Returns the last line of a text; its size without the line break. */
static const char *find_last_line(const char *text, size_t *size) {
    size_t end = strlen(text);
    while (end > 0 && strchr("\r\n", text[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    *size = end - begin;
    return text + begin;
}

/* Fails with what adb or ssh printed: the last line, because warnings and news of adb's server come first. */
static eti_status fail(const eti_device *device, eti_work *work, const eti_process_result *result,
                       eti_error *err) {
    const char *name = device->kind == ETI_DEVICE_ADB ? "adb" : "ssh";
    const char *text = eti__work_output(work, &result->errors);
    if (result->end == ETI_PROCESS_CANCELLED)
        return eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while %s ran", name);
    if (*text == '\0')
        text = eti__work_output(work, &result->output);
    size_t size;
    text = find_last_line(text, &size);
    if (size == 0 || result->end != ETI_PROCESS_EXITED)
        return eti_fail(err, ETI_ERROR_READ, "%s", eti__work_end(work, result, name));
    bool needs_password = strstr(text, "Permission denied") && device->kind == ETI_DEVICE_SSH;
    if (needs_password && text[size - 1] == '.')
        size--;
    return eti_fail(err, ETI_ERROR_READ, "%.*s%s", (int)size, text,
                    needs_password ? ": connections must work without a password" : "");
}

/* Waits until the other end of the pipe is closed, and runs the words. */
static void run_cleaner(int pipe_end, const char *const *words) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (pipe_end == STDIN_FILENO)
        (void)fcntl(pipe_end, F_SETFD, 0); /* dup2() would leave it as it is */
    if (dup2(pipe_end, STDIN_FILENO) >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 &&
        dup2(nowhere, STDERR_FILENO) >= 0 && setsid() >= 0)
        execv("/bin/sh", (char *const *)words);
    _exit(127);
}

/* Starts a process that removes the folder if this one ends before it has done so, for example by a second signal. If it cannot
 * be started, the folder remains in these cases. */
static void start_cleaner(eti_device *device) {
    static const char script[] = "trap '' HUP INT TERM; read -r line; exec \"$@\"";
    char removal[PATH_MAX];
    const char *const adb[] = {"/bin/sh", "-c",           script,  "sh",    "adb",
                               "-s",      device->target, "shell", removal, NULL};
    const char *const ssh[] = {"/bin/sh",       "-c", script,         "sh",    "ssh", "-o",
                               "BatchMode=yes", "--", device->target, removal, NULL};
    int ends[2];
    snprintf(removal, sizeof removal, "rm -rf %s", device->folder);
    if (pipe(ends) != 0)
        return;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        run_cleaner(ends[0], device->kind == ETI_DEVICE_ADB ? adb : ssh);
    }
    close(ends[0]);
    if (child > 0) {
        device->cleaner = child;
        device->cleaner_end = ends[1];
    } else {
        close(ends[1]);
    }
}

/* Ends that process without a removal. */
static void stop_cleaner(eti_device *device) {
    if (device->cleaner <= 0)
        return;
    kill(device->cleaner, SIGKILL);
    close(device->cleaner_end);
    while (waitpid(device->cleaner, NULL, 0) < 0 && errno == EINTR)
        continue;
    device->cleaner = 0;
}

/* Keeps the path of the folder that was made. */
static eti_status keep_folder(eti_device *device, const char *folder, eti_error *err) {
    if (!eti__arena_copy_string(&device->arena, &folder))
        return eti_fail_memory(err);
    device->folder = folder;
    start_cleaner(device);
    return ETI_OK;
}

/* ---- adb ------------------------------------------------------------------------------------- */

/* Chooses the only device. */
static eti_status choose_device(eti_device *device, eti_work *work, eti_error *err) {
    static const char *const words[] = {"adb", "devices", NULL};
    eti_process_result result;
    eti_buffer serials = {0};
    size_t n = 0;
    if (!run_adb(work, &result, words))
        return fail(device, work, &result, err);
    const char *at = strchr(eti__work_output(work, &result.output), '\n');
    for (; at && *at; at = strchr(at, '\n')) {
        at++;
        size_t size = strcspn(at, "\t \r\n");
        if (size == 0 || at[size] != '\t')
            continue;
        const char *serial = eti__work_text(work, "%.*s", (int)size, at);
        bool is_kept = serial && eti__arena_copy_string(&device->arena, &serial);
        device->target = is_kept ? serial : NULL;
        eti__buffer_printf(&serials, "%s%.*s", n++ > 0 ? ", " : "", (int)size, at);
    }
    eti_status status = ETI_OK;
    if (serials.failed || (n == 1 && !device->target))
        status = eti_fail_memory(err);
    else if (n == 0)
        status = eti_fail(err, ETI_ERROR_READ, "adb: no device is connected");
    else if (n > 1)
        status = eti_fail(err, ETI_ERROR_READ,
                          "several devices are connected, %.*s: give %sdevice adb:SERIAL",
                          (int)serials.size, serials.data, eti__option_prefix());
    eti__buffer_free(&serials);
    return status;
}

/* Returns a name with 8 random hexadecimal digits; NULL: out of memory. */
static const char *make_name(eti_work *work) {
    size_t size = strlen(work->folder); /* it ends in 16 random digits */
    return eti__work_text(work, "/data/local/tmp/etinspect-%s", work->folder + size - 8);
}

static eti_status open_adb(eti_device *device, eti_work *work, eti_error *err) {
    eti_process_result result;
    if (!device->target)
        ETI_TRY(choose_device(device, work, err));
    const char *folder = make_name(work);
    const char *script =
        folder ? eti__work_text(work, "mkdir -m 700 %s && echo made", folder) : NULL;
    if (!script)
        return eti_fail_memory(err);
    bool done = run_script(device, work, &result, script, NULL, NULL);
    if (!done || !strstr(eti__work_output(work, &result.output), "made"))
        return fail(device, work, &result, err);
    return keep_folder(device, folder, err);
}

/* ---- ssh ------------------------------------------------------------------------------------- */

/* Returns whether the answer of mktemp is a path that needs no quotes. */
static bool is_folder(const char *text) {
    return text[0] == '/' && text[1] &&
           text[strspn(
               text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-")] == '\0';
}

static eti_status open_ssh(eti_device *device, eti_work *work, eti_error *err) {
    eti_process_result result;
    if (!run_script(device, work, &result, "umask 077 && mktemp -d -t etinspect-XXXXXX", NULL,
                    NULL))
        return fail(device, work, &result, err);
    const char *answer = eti__work_output(work, &result.output);
    const char *folder = eti__work_text(work, "%.*s", (int)strcspn(answer, "\r\n"), answer);
    if (!folder)
        return eti_fail_memory(err);
    if (!is_folder(folder))
        return eti_fail(err, ETI_ERROR_READ,
                        "ssh: %s: expected the path of a new folder, found '%s'", device->target,
                        folder);
    return keep_folder(device, folder, err);
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__device_open(eti_device *device, eti_work *work, eti_error *err) {
    if (device->folder)
        return ETI_OK;
    switch (device->kind) {
    case ETI_DEVICE_ADB:
        return open_adb(device, work, err);
    case ETI_DEVICE_SSH:
        return open_ssh(device, work, err);
    default:
        return ETI_OK;
    }
}

static bool was_pushed(const eti_device *device, const char *name) {
    for (size_t i = 0; i < device->n_pushed; i++) {
        if (strcmp(device->pushed[i], name) == 0)
            return true;
    }
    return false;
}

eti_status eti__device_push(eti_device *device, eti_work *work, const char *path, const char *name,
                            eti_error *err) {
    eti_process_result result;
    if (was_pushed(device, name))
        return ETI_OK;
    bool is_adb = device->kind == ETI_DEVICE_ADB;
    const char *target =
        eti__work_text(work, is_adb ? "%s/%s" : "cat > %s/%s", device->folder, name);
    if (!target)
        return eti_fail_memory(err);
    const char *const adb[] = {"adb", "-s", device->target, "push", path, target, NULL};
    bool done = is_adb ? eti__work_run(work, &result, NULL, adb)
                       : run_script(device, work, &result, target, path, NULL);
    if (!done)
        return fail(device, work, &result, err);
    if (device->n_pushed < sizeof device->pushed / sizeof *device->pushed) {
        if (!eti__arena_copy_string(&device->arena, &name))
            return eti_fail_memory(err);
        device->pushed[device->n_pushed++] = name;
    }
    return ETI_OK;
}

/* Removes the results of an earlier run first, so that none passes for one of this run. Old versions of adb end with 0
 * whatever happened on the device, so that the script prints the exit status. */
bool eti__device_run(const eti_device *device, eti_work *work, eti_process_result *out,
                     const char *const *words) {
    eti_buffer script = {0};
    eti__buffer_printf(&script, "cd %s && rm -f *.etdp out-*.bin && chmod 700 runner && ./runner",
                       device->folder);
    for (; *words; words++)
        eti__buffer_printf(&script, " %s", *words);
    eti__buffer_add_string(&script, "; printf \"\\n" EXIT_MARK "%d\\n\" $?");
    const char *text =
        script.failed ? NULL : eti__work_text(work, "%.*s", (int)script.size, script.data);
    eti__buffer_free(&script);
    *out = (eti_process_result){.end = ETI_PROCESS_NOT_STARTED, .code = 12};
    if (!text || !run_script(device, work, out, text, NULL, NULL))
        return false;
    const char *output = eti__work_output(work, &out->output), *mark = NULL;
    for (const char *at = output; (at = strstr(at, EXIT_MARK)); at++)
        mark = at;
    out->code = mark ? atoi(mark + strlen(EXIT_MARK)) : 255;
    if (mark && out->errors.size == 0) { /* adb joins both streams: the mark is not the program's */
        const char *end = mark > output && mark[-1] == '\n' ? mark - 1 : mark;
        size_t size = (size_t)(end - output);
        if (size <= out->output.size)
            out->output.size = size;
    }
    return mark && out->code == 0;
}

eti_status eti__device_pull(const eti_device *device, eti_work *work, const char *name,
                            eti_error *err) {
    eti_process_result result;
    const char *path = eti__work_path(work, name);
    bool is_adb = device->kind == ETI_DEVICE_ADB;
    const char *from = eti__work_text(work, is_adb ? "%s/%s" : "cat %s/%s", device->folder, name);
    if (!path || !from)
        return eti_fail_memory(err);
    const char *const adb[] = {"adb", "-s", device->target, "pull", from, path, NULL};
    bool done = is_adb ? eti__work_run(work, &result, NULL, adb)
                       : run_script(device, work, &result, from, NULL, path);
    return done ? ETI_OK : fail(device, work, &result, err);
}

void eti__device_log(const eti_device *device, eti_work *work) {
    const char *const words[] = {"adb", "-s", device->target, "logcat",
                                 "-d",  "-s", "ExecuTorch",   NULL};
    eti_process_result result;
    if (device->kind == ETI_DEVICE_ADB && work->log && run_adb(work, &result, words))
        eti__log_last_lines((eti_text){result.output.bytes, result.output.size}, work->log,
                            work->log_context);
}

void eti__device_close(eti_device *device, eti_work *work) {
    eti_process_result result;
    if (device->folder) {
        const char *script = eti__work_text(work, "rm -rf %s", device->folder);
        work->wait = NULL; /* the caller may have cancelled */
        work->timeout = REMOVAL_SECONDS;
        if (script)
            (void)run_script(device, work, &result, script, NULL, NULL);
    }
    stop_cleaner(device);
    eti__arena_free(&device->arena);
    *device = (eti_device){.kind = ETI_DEVICE_LOCAL};
}
