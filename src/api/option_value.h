/*
 * option_value.h - parses the value of an option.
 */
#ifndef ETI_API_OPTION_VALUE_H
#define ETI_API_OPTION_VALUE_H

#include "api/api.h"
#include "base/arena.h"
#include "etinspect.h"

/* Parses the value of an option of requests and stores the result in `meaning`; ignores other options. `value` lives
 * as long as the arena. If the option is an input, `value` is its name and `source` has its path. ETI_ERROR_USAGE:
 * invalid value, and `meaning` is unchanged; ETI_ERROR_MEMORY. */
eti_status eti__option_take(eti__meaning *meaning, eti_arena *arena, const eti__option *option,
                            const char *value, const eti_source *source,
                            eti_error *err) ETI_WARN_UNUSED;

/* Does the same when only the name of an option is known, not the command: stores the value for each command that has an
 * option of this name, which may have another meaning there. `option` is that of eti__option_find(). An expression that is
 * not a rule is also accepted as a rule; a gate that is asked to apply it rejects it. */
eti_status eti__option_take_by_name(eti__meaning *meaning, eti_arena *arena,
                                    const eti__option *option, const char *value,
                                    const eti_source *source, eti_error *err) ETI_WARN_UNUSED;

#endif
