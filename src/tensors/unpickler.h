/*
 * unpickler.h - turns a pickle of protocol 2 into values. Nothing is executed: the caller names the globals that may occur,
 * and makes the values that calls of them would return.
 *
 * At most a million opcodes are read, values nest at most 64 deep, and no container may contain itself. Opcodes that
 * torch.save does not write are rejected, and so are those that modify objects, except for the attributes of an
 * OrderedDict, which are skipped.
 */
#ifndef ETI_TENSORS_UNPICKLER_H
#define ETI_TENSORS_UNPICKLER_H

#include "base/arena.h"
#include "etinspect.h"
#include "tensors/tensors.h"

/* Operations allowed in a pickle, each called with `context`. Messages describe the fault, not its place. */
typedef struct eti_pickle_rules {
    /* Makes a value for the global `name` of `module`; returns false if it is not allowed. */
    bool (*find_global)(eti_saved_value *out, eti_text module, eti_text name);
    /* Makes the value that a persistent id stands for. */
    eti_status (*load)(void *context, eti_saved_value *out, const eti_saved_value *id,
                       eti_error *err);
    /* Makes the value that `function` (ETI_SAVED_FUNCTION) returns for a tuple of arguments. */
    eti_status (*call)(void *context, eti_saved_value *out, const eti_saved_value *function,
                       const eti_saved_value *arguments, eti_error *err);
    void *context;
    uint64_t most_tensor_bytes; /* total over all occurrences in the value */
} eti_pickle_rules;

/* Reads `pickle`, which must outlive the value, into `arena`. Messages begin with the byte in question.
 * ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT: the limits above are exceeded; ETI_ERROR_MEMORY. */
eti_status eti__unpickle(const eti_saved_value **out, eti_arena *arena, eti_text pickle,
                         const eti_pickle_rules *rules, eti_error *err) ETI_WARN_UNUSED;

#endif
