#include "measure/recording.h"

#include "base/status.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== work ==================================================================================== */

eti_status eti__work_open(eti_work *work, const char *parent, eti_error *err) {
    work->lock = eti__dump_folder_make(&work->folder, parent);
    if (work->lock >= 0)
        return ETI_OK;
    work->folder = NULL;
    return errno == ENOMEM ? eti_fail_memory(err)
                           : eti_fail(err, ETI_ERROR_WRITE, "%s: cannot make a folder there: %s",
                                      parent, strerror(errno));
}

void eti__work_close(eti_work *work) {
    if (work->folder)
        eti__dump_folder_remove(work->folder);
    for (size_t i = 0; i < work->n_files; i++)
        eti__leftover_drop_file(work->files[i]);
    if (work->folder)
        close(work->lock);
    free(work->folder);
    eti__arena_free(&work->arena);
    *work = (eti_work){.lock = -1};
}

const char *eti__work_text(eti_work *work, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int size = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (size < 0)
        return NULL;
    const char *copy = text;
    bool done = eti__arena_copy_string(&work->arena, &copy);
    free(text);
    return done ? copy : NULL;
}

const char *eti__work_inside(eti_work *work, const char *name) {
    return eti__work_text(work, "%s/%s", work->folder, name);
}

const char *eti__work_path(eti_work *work, const char *name) {
    const char *path = eti__work_inside(work, name);
    if (path && work->n_files < sizeof work->files / sizeof *work->files) {
        work->files[work->n_files++] = path;
        eti__leftover_add_file(path);
    }
    return path;
}

eti_status eti__work_fail(const eti_work *work, const char *name, eti_error *err) {
    int reason = errno; /* the folder is gone when somebody reads the message */
    const char *slash = strrchr(work->folder, '/');
    int size = slash && slash > work->folder ? (int)(slash - work->folder) : 1;
    return eti_fail(err, ETI_ERROR_WRITE, "%.*s: cannot write %s in a folder there: %s", size,
                    work->folder, name, strerror(reason));
}

eti_status eti__work_write(eti_work *work, const char *name, const void *data, size_t size,
                           eti_error *err) {
    const char *path = eti__work_path(work, name);
    if (!path)
        return eti_fail_memory(err);
    FILE *file = fopen(path, "wbe");
    if (!file)
        return eti__work_fail(work, name, err);
    bool done = size == 0 || fwrite(data, 1, size, file) == size;
    done = fclose(file) == 0 && done;
    return done ? ETI_OK : eti__work_fail(work, name, err);
}

eti_status eti__work_link(eti_work *work, const char *name, const char *target, eti_error *err) {
    const char *path = eti__work_path(work, name);
    char *absolute = realpath(target, NULL);
    if (!path || !absolute) {
        int reason = errno;
        free(absolute);
        return path && reason != ENOMEM
                   ? eti_fail(err, ETI_ERROR_READ, "%s: cannot read: %s", target, strerror(reason))
                   : eti_fail_memory(err);
    }
    bool done = symlink(absolute, path) == 0;
    free(absolute);
    return done ? ETI_OK : eti__work_fail(work, name, err);
}

void eti__words_add(eti_words *words, const char *word) {
    const size_t most = sizeof words->items / sizeof *words->items - 1;
    words->failed = words->failed || !word || words->n == most;
    if (!words->failed)
        words->items[words->n++] = word;
}

bool eti__work_run(eti_work *work, eti_process_result *out, const char *folder,
                   const char *const *words) {
    return eti__process_run(out, folder ? folder : work->folder, (char *const *)words,
                            work->timeout, work->wait, work->wait_context);
}

const char *eti__work_output(eti_work *work, const eti_tail *tail) {
    const char *text = eti__work_text(work, "%.*s", (int)tail->size, tail->bytes);
    return text ? text : "";
}

const char *eti__work_end(eti_work *work, const eti_process_result *result, const char *name) {
    char how[256];
    eti__describe_end(how, sizeof how, result, work->timeout);
    const char *text = eti__work_text(work, "%s: %s", name, how);
    return text ? text : name;
}

void eti__work_log(const eti_work *work, const eti_process_result *result) {
    eti__log_end(result, work->log, work->log_context);
}

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

const char *eti__work_find_program(eti_work *work, const char *name) {
    const char *path = getenv("PATH");
    if (strchr(name, '/')) { /* links are kept: the Python of a virtual environment is one */
        name += strncmp(name, "./", 2) == 0 ? 2 : 0;
        char *here = *name == '/' ? NULL : realpath(".", NULL);
        const char *absolute =
            eti__work_text(work, "%s%s%s", here ? here : "", here ? "/" : "", name);
        free(here);
        return absolute && is_program(absolute) ? absolute : NULL;
    }
    for (const char *at = path ? path : "/usr/bin:/bin", *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, ":");
        if (*at != '/')
            continue; /* a folder that depends on where this program runs */
        const char *found = eti__work_text(work, "%.*s/%s", (int)(end - at), at, name);
        if (found && is_program(found))
            return found;
    }
    return NULL;
}
