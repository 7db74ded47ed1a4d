/*
 * recording.h - pieces of a recording: the folder in which it runs, the machine, the runtime, and the inputs.
 */
#ifndef ETI_MEASURE_RECORDING_H
#define ETI_MEASURE_RECORDING_H

#include "measure/parts.h"
#include "pte/pte.h"

/* ==== work ==================================================================================== */
/* A folder that only this user can read, called etinspect- and 16 hexadecimal digits. Its files have our names only. It is
 * removed with all of them at the end; if a signal ends the program, too. */

typedef struct eti_work {
    eti_arena arena; /* holds paths and words */
    char *folder;    /* absolute */
    int lock;
    double timeout; /* of a started program, in seconds */
    eti_wait_function wait;
    void *wait_context;
    eti_write_function log; /* receives the last lines of a program that failed; NULL: none */
    void *log_context;
    const char *files[48]; /* registered as leftovers */
    size_t n_files;
} eti_work;

/* Creates the folder in `parent`, an absolute path. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_open(eti_work *work, const char *parent, eti_error *err) ETI_WARN_UNUSED;
/* Removes the folder. All zeros is allowed. */
void eti__work_close(eti_work *work);

/* Returns a text in the arena; NULL: out of memory. */
const char *eti__work_text(eti_work *work, const char *format, ...) ETI_PRINTF(2, 3);
/* Returns the path of a file of the folder; NULL: out of memory. */
const char *eti__work_inside(eti_work *work, const char *name);
/* Does the same, and lets the file be removed if a signal ends the program. */
const char *eti__work_path(eti_work *work, const char *name);
/* Fails because a file cannot be written, for the reason in errno; names where the folder is, which will be gone. */
eti_status eti__work_fail(const eti_work *work, const char *name, eti_error *err);
/* Writes a file of the folder. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_write(eti_work *work, const char *name, const void *data, size_t size,
                           eti_error *err) ETI_WARN_UNUSED;
/* Links `name` in the folder to a file. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__work_link(eti_work *work, const char *name, const char *target,
                          eti_error *err) ETI_WARN_UNUSED;

/* Words of a program and its arguments, terminated by NULL. */
typedef struct eti_words {
    const char *items[65];
    size_t n;
    bool failed; /* out of memory, or too many */
} eti_words;

/* Adds a word; NULL, out of memory, lets the words fail. */
void eti__words_add(eti_words *words, const char *word);

/* Runs a program in the folder, or in `folder` if that is not NULL. Returns whether it ended with exit status 0. */
bool eti__work_run(eti_work *work, eti_process_result *out, const char *folder,
                   const char *const *words);

/* Returns how a program ended: "runner: exit status 1". */
const char *eti__work_end(eti_work *work, const eti_process_result *result, const char *name);
/* Logs the last lines of standard error, or of standard output if that is empty. */
void eti__work_log(const eti_work *work, const eti_process_result *result);

/* Returns the last bytes that a program wrote, as a text of the arena; "": out of memory. */
const char *eti__work_output(eti_work *work, const eti_tail *tail);

/* Finds a program as a shell does, and returns its path; NULL: it is not installed. */
const char *eti__work_find_program(eti_work *work, const char *name);

/* ==== device ================================================================================== */
/* On another machine, files are in a private folder with the names that they have in the folder of this one. */

typedef enum eti_device_kind {
    ETI_DEVICE_LOCAL,
    ETI_DEVICE_ADB,
    ETI_DEVICE_SSH,
} eti_device_kind;

typedef struct eti_device {
    eti_device_kind kind;
    const char *target;     /* serial number or host */
    const char *folder;     /* there; NULL: not made */
    eti_arena arena;        /* holds the folder, a target that was chosen, and names */
    const char *pushed[64]; /* names of files in the folder; further files are not listed */
    size_t n_pushed;
    pid_t cleaner;   /* removes the folder if this process ends first; 0: none */
    int cleaner_end; /* of the pipe that it waits at */
} eti_device;

/* Parses "local", "adb", "adb:SERIAL" or "ssh:HOST". ETI_ERROR_USAGE. */
eti_status eti__device_parse(eti_device *out, const char *text, eti_error *err) ETI_WARN_UNUSED;

/* Makes the folder on the device, unless it was made before. ETI_ERROR_READ: it cannot be reached; ETI_ERROR_CANCELLED,
 * ETI_ERROR_MEMORY. */
eti_status eti__device_open(eti_device *device, eti_work *work, eti_error *err) ETI_WARN_UNUSED;

/* Copies a file of this machine to the folder of the device as `name`, unless a file was copied there under this name before.
 * The same statuses. */
eti_status eti__device_push(eti_device *device, eti_work *work, const char *path, const char *name,
                            eti_error *err) ETI_WARN_UNUSED;

/* Runs ./runner in the folder with these words, which must need no quotes. Returns whether it ended with exit status 0. */
bool eti__device_run(const eti_device *device, eti_work *work, eti_process_result *out,
                     const char *const *words);

/* Copies a file of the folder of the device to that of this machine. The same statuses. */
eti_status eti__device_pull(const eti_device *device, eti_work *work, const char *name,
                            eti_error *err) ETI_WARN_UNUSED;

/* Logs the messages that the runtime wrote to the log of an Android device; does nothing for other devices. */
void eti__device_log(const eti_device *device, eti_work *work);

/* Removes the folder on the device, and frees memory, within five seconds, also after a cancellation. */
void eti__device_close(eti_device *device, eti_work *work);

/* Returns whether a word means itself in any shell. */
bool eti__is_plain_word(const char *word);

/* ==== texts =================================================================================== */
/* The programs that run ExecuTorch, made of runner.cc, runner.py and find.py. */

extern const unsigned char eti__runtime_compiled[];
extern const size_t eti__runtime_compiled_size;
extern const unsigned char eti__runtime_python[];
extern const size_t eti__runtime_python_size;
extern const unsigned char eti__runtime_asker[];
extern const size_t eti__runtime_asker_size;

/* ==== runtime ================================================================================= */

typedef enum eti_runtime_kind {
    ETI_RUNTIME_COMPILED, /* our runner, compiled for a package executorch */
    ETI_RUNTIME_PYTHON,   /* our script, for the same package */
    ETI_RUNTIME_RUNNER,   /* an executor_runner, or a program with its flags */
    ETI_RUNTIME_COMMAND,
} eti_runtime_kind;

typedef struct eti_runtime {
    eti_runtime_kind kind;
    const char *program; /* absolute path; NULL for a command */
    const char *script;  /* in the folder; only for Python */
    const char *version; /* of executorch; NULL: unknown */
    const char *note;    /* about a slower way to run; NULL: none */
} eti_runtime;

/* Returns "compiled", "python", "runner" or "command". */
const char *eti__runtime_name(eti_runtime_kind kind);

/* Finds the first of: the one of the options, $ETINSPECT_RUNNER, a package of $VIRTUAL_ENV/bin/python, python3 or python,
 * executor_runner in PATH. Compiles our runner unless it was compiled before. ETI_ERROR_READ: none exists, or it lacks
 * something; ETI_ERROR_WRITE, ETI_ERROR_CANCELLED, ETI_ERROR_MEMORY. */
eti_status eti__runtime_find(eti_runtime *out, eti_work *work, const eti_recording_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Uses a runtime again that was found before. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__runtime_again(eti_runtime *out, eti_work *work, eti_runtime_kind kind,
                              const char *program, const char *version,
                              eti_error *err) ETI_WARN_UNUSED;

/* ==== program and options ===================================================================== */

/* Returns the method that a recording runs: the one with this name or, without a name, forward or else the only one. NULL: the
 * program does not have it, or several. */
const eti_pte_plan *eti__recorded_plan(const eti_pte *program, const char *method);

/* Returns the name of an option that is given, but has no effect if a command runs the program: --command of record or, if
 * `is_measured`, a side of measure. NULL: all have their defaults. */
const char *eti__option_of_runtimes(const eti_recording_options *options, bool is_measured);

/* ==== inputs ================================================================================== */
/* Each input of the method is one file: a tensor with its sizes, or their upper bounds, in the order of its dimensions; an
 * int or a double with 8 bytes, a bool with one, None with none. They depend only on the ports of the method, the kind and
 * the seed, not on the machine. */

/* Writes in-0.bin, in-1.bin, ... to the folder. ETI_ERROR_USAGE: an input is of another type, or the files do not fit;
 * ETI_ERROR_DATA, ETI_ERROR_READ, ETI_ERROR_WRITE, ETI_ERROR_MEMORY, and statuses of reading files of tensors. */
eti_status eti__inputs_write(eti_work *work, const eti_pte_plan *plan,
                             const eti_recording_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Appends "float32 [1, 3, 64, 64], int". */
void eti__inputs_describe(eti_buffer *out, const eti_pte_plan *plan);

#endif
