/*
 * nrt_sys_trace.h - the types of runtime events that
 * nrt_inspect_config_set_capture_enabled_for_event_ type_string() takes. The vendor's header of
 * this name has further calls.
 */
#ifndef NRT_SYS_TRACE_H
#define NRT_SYS_TRACE_H

#include <stddef.h>

#include "nrt/nrt_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the names of all types. The caller frees the array and its texts, with free() or with the
 * call below. NRT_INVALID: a pointer is NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_get_event_types(const char ***event_types, size_t *count);
/* Frees an array of names of types and its texts. NULL is accepted. */
NRT_API void nrt_sys_trace_free_event_types(const char **event_types, size_t count);

#ifdef __cplusplus
}
#endif

#endif
