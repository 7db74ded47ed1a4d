#include "measure/recording.h"

#include "base/status.h"
#include "base/temporary.h"
#include "digest/digest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *eti__runtime_name(eti_runtime_kind kind) {
    static const char *const names[] = {"compiled", "python", "runner", "command"};
    return names[kind];
}

/* ==== package ================================================================================= */

/* A Python and its package executorch. */
typedef struct package {
    const char *python; /* path of the interpreter */
    const char *folder; /* NULL: it has no package executorch */
    const char *version;
    bool has_torch;
} package;

/* Returns the next line of a text, and moves `*at` past it; NULL: no line is left, or out of memory. */
static const char *next_line(eti_work *work, const char **at) {
    size_t size = strcspn(*at, "\r\n");
    if (**at == '\0')
        return NULL;
    const char *line = eti__work_text(work, "%.*s", (int)size, *at);
    *at += size;
    *at += strspn(*at, "\r") + (strchr(*at, '\n') == *at + strspn(*at, "\r"));
    return line;
}

/* Asks a Python. The script is a file, because with -c the current folder comes first in the search. */
static eti_status ask(package *out, eti_work *work, const char *python, eti_error *err) {
    const char *script = eti__work_inside(work, "find.py");
    const char *const words[] = {python, script, NULL};
    eti_process_result result;
    *out = (package){.python = python};
    if (!script)
        return eti_fail_memory(err);
    if (access(script, F_OK) != 0)
        ETI_TRY(eti__work_write(work, "find.py", eti__runtime_asker, eti__runtime_asker_size, err));
    if (!eti__work_run(work, &result, NULL, words))
        return result.end == ETI_PROCESS_CANCELLED
                   ? eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller")
                   : ETI_OK;
    const char *at = eti__work_output(work, &result.output);
    const char *line = next_line(work, &at);
    out->python = line && *line ? line : python;
    out->folder = next_line(work, &at);
    out->version = next_line(work, &at);
    line = next_line(work, &at);
    out->has_torch = line && strcmp(line, "torch") == 0;
    if (!out->version)
        out->folder = NULL;
    return ETI_OK;
}

/* ==== compiled ================================================================================ */

static bool exists(eti_work *work, const char *folder, const char *file) {
    const char *path = eti__work_text(work, "%s/%s", folder, file);
    return path && access(path, R_OK) == 0;
}

/* Adds the compiler: the words of $CXX, or the first that is installed. Returns whether there is one. */
static bool add_compiler(eti_words *w, eti_work *work) {
    static const char *const names[] = {"c++", "g++", "clang++"};
    const char *at = getenv("CXX");
    while (at && *(at += strspn(at, " \t"))) {
        size_t size = strcspn(at, " \t");
        eti__words_add(w, eti__work_text(work, "%.*s", (int)size, at));
        at += size;
    }
    const char *asked = w->n > 0 && !w->failed ? eti__work_find_program(work, w->items[0]) : NULL;
    if (asked) {
        w->items[0] = asked;
        return true;
    }
    w->n = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *found = eti__work_find_program(work, names[i]);
        if (found) {
            eti__words_add(w, found);
            return true;
        }
    }
    return false;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds all libraries of the package, because operators register themselves in constructors and nothing else refers to them. */
static void add_libraries(eti_words *w, eti_work *work, const char *folder) {
    const char *path = eti__work_text(work, "%s/lib", folder);
    DIR *directory = path ? opendir(path) : NULL;
    const struct dirent *entry;
    size_t first = w->n;
    while (directory && (entry = readdir(directory))) {
        const char *name = entry->d_name, *dot = strrchr(name, '.');
        bool is_library = strncmp(name, "libexecutorch", 13) == 0 && dot && strcmp(dot, ".so") == 0;
        /* These two need libraries that are not installed with the package. */
        if (is_library && !strstr(name, "openvino") && !strstr(name, "qnn"))
            eti__words_add(w, eti__work_text(work, "%s/%s", path, name));
    }
    if (directory)
        closedir(directory);
    qsort(w->items + first, w->n - first, sizeof *w->items, compare_names);
}

/* Returns the folder of compiled runners, which is made if it does not exist; NULL: it cannot be used, because others could
 * have put a program there. */
static const char *find_cache(eti_work *work) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat status;
    if (cache && *cache == '/')
        cache = eti__work_text(work, "%s", cache);
    else
        cache = home && *home == '/' ? eti__work_text(work, "%s/.cache", home) : NULL;
    if (!cache)
        return NULL;
    (void)mkdir(cache, 0700);
    const char *folder = eti__work_text(work, "%s/etinspect", cache);
    if (!folder || (mkdir(folder, 0700) != 0 && errno != EEXIST) || lstat(folder, &status) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0)
        return NULL;
    return folder;
}

/* Returns 16 digits that stand for the source, the package, the compiler and its flags; NULL: out of memory. */
static const char *make_key(eti_work *work, const eti_words *w, const package *from) {
    eti_buffer text = {0};
    char digits[ETI_SHA256_DIGITS + 1];
    eti__buffer_add(&text, eti__runtime_compiled, eti__runtime_compiled_size);
    eti__buffer_printf(&text, "\n%s\n%s\n", from->version, from->folder);
    for (size_t i = 0; i < w->n; i++)
        eti__buffer_printf(&text, "%s\n", w->items[i]);
    if (!text.failed)
        eti__sha256(text.data, text.size, digits);
    const char *key = text.failed ? NULL : eti__work_text(work, "%.16s", digits);
    eti__buffer_free(&text);
    return key;
}

static bool is_runner(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           access(path, X_OK) == 0;
}

/* Returns the first line of a compiler's messages that is an error. */
static const char *find_error(eti_work *work, const eti_process_result *result) {
    const char *at = eti__work_output(work, &result->errors), *line, *first = NULL;
    while ((line = next_line(work, &at))) {
        if (strstr(line, "error"))
            return line;
        first = first ? first : line;
    }
    return first ? first : "no message";
}

/* Returns whether a compiler that says it succeeded wrote a file. */
static bool has_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > 0;
}

/* Compiles our runner as `target`, which is complete or does not exist. If the compiler fails, sets out->note. */
static eti_status compile(eti_runtime *out, eti_work *work, const eti_words *compiler,
                          const package *from, const char *target, eti_error *err) {
    eti_process_result result;
    eti_words w = *compiler;
    char *path;
    ETI_TRY(
        eti__work_write(work, "runner.cc", eti__runtime_compiled, eti__runtime_compiled_size, err));
    int lock = eti__temporary_make(&path, target, 0700);
    if (lock < 0)
        return eti_fail(err, ETI_ERROR_WRITE, "%s: cannot write: %s", target, strerror(errno));
    eti__words_add(&w, "-o");
    eti__words_add(&w, path);
    bool done = !w.failed && eti__work_run(work, &result, NULL, w.items) && has_bytes(path);
    eti_status status = ETI_OK;
    if (w.failed)
        status = eti_fail_memory(err);
    else if (!done && result.end == ETI_PROCESS_CANCELLED)
        status = eti_fail(err, ETI_ERROR_CANCELLED, "cancelled by the caller while compiling");
    else if (!done)
        out->note = eti__work_text(work, "cannot compile for executorch %s: %s", from->version,
                                   find_error(work, &result));
    else if (chmod(path, 0700) != 0 || rename(path, target) != 0)
        status = eti_fail(err, ETI_ERROR_WRITE, "%s: cannot write: %s", target, strerror(errno));
    else
        out->program = target;
    if (!out->program)
        unlink(path);
    eti__leftover_drop_file(path);
    close(lock);
    free(path);
    return status;
}

static eti_status find_compiled(eti_runtime *out, eti_work *work, const package *from,
                                eti_error *err) {
    eti_words w = {.n = 0};
    const char *folder = from->folder;
    if (!exists(work, folder, "lib/libexecutorch.so") ||
        !exists(work, folder, "include/executorch/extension/module/module.h"))
        return ETI_OK;
    if (!add_compiler(&w, work)) {
        out->note = "no C++ compiler: runs in Python, about 5 s more per process";
        return ETI_OK;
    }
    static const char *const flags[] = {"-O1",
                                        "-w",
                                        "-std=c++17",
                                        "-DC10_USING_CUSTOM_GENERATED_MACROS",
                                        "-DET_EVENT_TRACER_ENABLED",
                                        "runner.cc"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        eti__words_add(&w, flags[i]);
    eti__words_add(&w, eti__work_text(work, "-I%s/include", folder));
    eti__words_add(
        &w, eti__work_text(work, "-I%s/include/executorch/runtime/core/portable_type/c10", folder));
    eti__words_add(&w, eti__work_text(work, "-Wl,-rpath,%s/lib", folder));
    eti__words_add(&w, "-Wl,--no-as-needed");
    add_libraries(&w, work, folder);
    eti__words_add(&w, "-ldl");
    const char *key = w.failed ? NULL : make_key(work, &w, from);
    const char *cache = find_cache(work);
    if (!key)
        return eti_fail_memory(err);
    const char *target =
        cache ? eti__work_text(work, "%s/runner-%s", cache, key) : eti__work_path(work, "runner");
    if (!target)
        return eti_fail_memory(err);
    out->kind = ETI_RUNTIME_COMPILED;
    if (is_runner(target))
        out->program = target;
    return out->program ? ETI_OK : compile(out, work, &w, from, target, err);
}

/* ==== runtime ================================================================================= */

static eti_status add_script(eti_runtime *out, eti_work *work, eti_error *err) {
    ETI_TRY(eti__work_write(work, "runner.py", eti__runtime_python, eti__runtime_python_size, err));
    out->script = eti__work_inside(work, "runner.py");
    return out->script ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__runtime_again(eti_runtime *out, eti_work *work, eti_runtime_kind kind,
                              const char *program, const char *version, eti_error *err) {
    *out = (eti_runtime){.kind = kind, .program = program, .version = version};
    return kind == ETI_RUNTIME_PYTHON ? add_script(out, work, err) : ETI_OK;
}

/* Uses the package of a Python: compiled, or else as a script. */
static eti_status use_package(eti_runtime *out, eti_work *work, const package *from,
                              eti_error *err) {
    out->version = from->version;
    ETI_TRY(find_compiled(out, work, from, err));
    if (out->program)
        return ETI_OK;
    if (!from->has_torch && out->kind == ETI_RUNTIME_COMPILED && out->note)
        return eti_fail(err, ETI_ERROR_READ, "%s", out->note);
    if (!from->has_torch)
        return eti_fail(err, ETI_ERROR_READ,
                        "executorch %s in %s needs a C++ compiler or torch: apt-get install g++, "
                        "or pip install torch",
                        from->version, from->folder);
    out->kind = ETI_RUNTIME_PYTHON;
    out->program = from->python;
    return add_script(out, work, err);
}

static eti_status use_runner(eti_runtime *out, eti_work *work, const char *path, const char *option,
                             eti_error *err) {
    out->kind = ETI_RUNTIME_RUNNER;
    out->program = eti__work_find_program(work, path);
    return out->program ? ETI_OK
                        : eti_fail(err, ETI_ERROR_READ, "%s: %s is not a program that can be run",
                                   option, path);
}

static eti_status fail_without_runtime(const package *first, eti_error *err) {
    if (first->python)
        return eti_fail(err, ETI_ERROR_READ,
                        "no ExecuTorch runtime: %s has no package executorch, no executor_runner "
                        "in PATH: pip install executorch, or give %srunner",
                        first->python, eti__option_prefix());
    return eti_fail(err, ETI_ERROR_READ,
                    "no ExecuTorch runtime: no python3 and no executor_runner in PATH: pip install "
                    "executorch, or give %srunner",
                    eti__option_prefix());
}

eti_status eti__runtime_find(eti_runtime *out, eti_work *work, const eti_recording_options *options,
                             eti_error *err) {
    static const char *const pythons[] = {"python3", "python"};
    const char *environment = getenv("VIRTUAL_ENV"), *runner = getenv("ETINSPECT_RUNNER");
    const char *candidates[3] = {NULL};
    package first = {.folder = NULL}, found;
    *out = (eti_runtime){.kind = ETI_RUNTIME_COMMAND};
    if (options->command)
        return ETI_OK;
    if (options->runner)
        return use_runner(out, work, options->runner, "--runner", err);
    if (options->python) {
        const char *python = eti__work_find_program(work, options->python);
        if (!python)
            return eti_fail(err, ETI_ERROR_READ, "%spython: %s is not a program that can be run",
                            eti__option_prefix(), options->python);
        ETI_TRY(ask(&found, work, python, err));
        if (!found.folder)
            return eti_fail(err, ETI_ERROR_READ,
                            "%s has no package executorch: %s -m pip install executorch",
                            found.python, found.python);
        return use_package(out, work, &found, err);
    }
    if (runner && *runner)
        return use_runner(out, work, runner, "ETINSPECT_RUNNER", err);
    if (environment && *environment == '/')
        candidates[0] = eti__work_text(work, "%s/bin/python", environment);
    for (size_t i = 0; i < 2; i++)
        candidates[i + 1] = eti__work_find_program(work, pythons[i]);
    for (size_t i = 0; i < 3; i++) {
        if (!candidates[i] || access(candidates[i], X_OK) != 0)
            continue;
        ETI_TRY(ask(&found, work, candidates[i], err));
        if (found.folder)
            return use_package(out, work, &found, err);
        if (!first.python)
            first = found;
    }
    out->program = eti__work_find_program(work, "executor_runner");
    if (!out->program)
        return fail_without_runtime(&first, err);
    out->kind = ETI_RUNTIME_RUNNER;
    return ETI_OK;
}
