/*
 * runtime.h - finds an ExecuTorch that can run a program on this machine.
 */
#ifndef ETI_MEASURE_RUNTIME_H
#define ETI_MEASURE_RUNTIME_H

#include "measure/measure.h"
#include "measure/work.h"

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
 * executor_runner in PATH. Compiles our runner unless it was compiled before. ETI_ERROR_READ: there is none, or it lacks
 * something; ETI_ERROR_WRITE, ETI_ERROR_CANCELLED, ETI_ERROR_MEMORY. */
eti_status eti__runtime_find(eti_runtime *out, eti_work *work, const eti_recording_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Uses a runtime again that was found before. ETI_ERROR_WRITE, ETI_ERROR_MEMORY. */
eti_status eti__runtime_again(eti_runtime *out, eti_work *work, eti_runtime_kind kind,
                              const char *program, const char *version,
                              eti_error *err) ETI_WARN_UNUSED;

#endif
