/*
 * option_value.h - turns the text that an option is set to into what it means.
 */
#ifndef ETI_API_OPTION_VALUE_H
#define ETI_API_OPTION_VALUE_H

#include "api/catalogue.h"
#include "api/meaning.h"
#include "base/arena.h"

/* Stores what the value of an option means, where it is an option of requests. `value` lives as long as the arena;
 * `source` has a path where it is an input, and the value is its name. ETI_ERROR_USAGE: it is no such value, and `meaning`
 * is as it was; ETI_ERROR_MEMORY. */
eti_status eti__option_take(eti__meaning *meaning, eti_arena *arena, const eti__option *option,
                            const char *value, const eti_source *source,
                            eti_error *err) ETI_WARN_UNUSED;

#endif
