/*
 * nrt_sys_trace.h - records the calls of the runtime in memory, and returns them as JSON while the program runs; with the
 * names, types and values of the vendor's header: see nrt.h.
 *
 * A trace is independent of the profiles of nrt_profile.h, and writes no file. It has the same events as the system profile of
 * an inspection and, besides, an event nc_exec_running for each execution. Each call of the runtime is two events, one when it
 * starts and one when it stops; both are recorded when the call ends.
 *
 * Functions that return nothing ignore wrong arguments. Statuses: see nrt_profile.h.
 */
#ifndef NRT_SYS_TRACE_H
#define NRT_SYS_TRACE_H

#include "nrt/nrt.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NRT_API
#if defined(__GNUC__)
#define NRT_API __attribute__((visibility("default")))
#else
#define NRT_API
#endif
#endif

/* ---- types of events ------------------------------------------------------------------------- */

/* Returns the names of all types. The caller frees the array and its texts, with free() or with the
 * call below. NRT_INVALID: a pointer is NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_get_event_types(const char ***event_types, size_t *count);
/* Frees an array of names of types and its texts. NULL is accepted. */
NRT_API void nrt_sys_trace_free_event_types(const char **event_types, size_t count);

/* ---- recording ------------------------------------------------------------------------------- */

typedef struct nrt_sys_trace_config nrt_sys_trace_config_t;

/* Makes options with their defaults: 1,000,000 events, all NeuronCores and types. NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_config_allocate(nrt_sys_trace_config_t **options);
/* Sets all options to their defaults. */
NRT_API void nrt_sys_trace_config_set_defaults(nrt_sys_trace_config_t *options);
NRT_API void nrt_sys_trace_config_free(nrt_sys_trace_config_t *options);
/* Sets the number of events that are kept for each NeuronCore, at least 2; the oldest are dropped first. Memory is taken as
 * needed. */
NRT_API void nrt_sys_trace_config_set_max_events_per_nc(nrt_sys_trace_config_t *options,
                                                        uint64_t max_events_per_nc);
/* Sets whether a NeuronCore below 1024 is recorded. */
NRT_API void nrt_sys_trace_config_set_capture_enabled_for_nc(nrt_sys_trace_config_t *options,
                                                             uint32_t nc_idx, bool enabled);
/* Sets whether events of a type are recorded. NRT_INVALID: NULL, or there is no such type. */
NRT_API NRT_STATUS nrt_sys_trace_config_set_capture_enabled_for_event_type(
    nrt_sys_trace_config_t *options, const char *event_type, bool enabled);
/* Returns the names of the types that are recorded, as nrt_sys_trace_get_event_types() does. NRT_INVALID: NULL;
 * NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_config_get_enabled_event_types(nrt_sys_trace_config_t *options,
                                                                const char ***event_types,
                                                                size_t *count);

/* Starts to record with a copy of the options; NULL: the defaults. NRT_INVALID: a trace is on; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_start(nrt_sys_trace_config_t *options);
/* Ends the trace and forgets its events. NRT_INVALID: no trace is on. */
NRT_API NRT_STATUS nrt_sys_trace_stop(void);

/* ---- fetching -------------------------------------------------------------------------------- */

typedef struct nrt_sys_trace_fetch_options nrt_sys_trace_fetch_options_t;

/* Makes options with their defaults: all events of all NeuronCores. NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_fetch_options_allocate(nrt_sys_trace_fetch_options_t **options);
NRT_API void nrt_sys_trace_fetch_options_set_defaults(nrt_sys_trace_fetch_options_t *options);
NRT_API void nrt_sys_trace_fetch_options_free(nrt_sys_trace_fetch_options_t *options);
/* Sets the most events that one call fetches for each NeuronCore. */
NRT_API void
nrt_sys_trace_fetch_options_set_max_events_per_nc(nrt_sys_trace_fetch_options_t *options,
                                                  uint64_t max_events_per_nc);
/* Sets the only NeuronCore whose events are fetched. */
NRT_API void nrt_sys_trace_fetch_options_set_nc_idx(nrt_sys_trace_fetch_options_t *options,
                                                    uint64_t nc_idx);

/* Returns the oldest events of each NeuronCore, in the order in which their calls ended, and removes them from the trace.
 * `options` may be NULL. *buffer is JSON that ends in NUL, and *written_size its length without the NUL:
 *
 *     {"events":[{"event_type":"nc_exec_running","phase":"start","tracking_id":1,"nc_idx":0,"timestamp_ns":1000,
 *     "data":{"exec_id":1,"device_core_idx":0,"nc_timestamp_ns":1000}}, ...]}
 *
 * `phase` is start or stop; the two events of a call have the same tracking_id. Times are in nanoseconds of CLOCK_MONOTONIC.
 * `data` is empty for other types. NRT_INVALID: a pointer is NULL, or no trace is on; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_sys_trace_fetch_events(char **buffer, size_t *written_size,
                                              const nrt_sys_trace_fetch_options_t *options);
/* Frees what the call above returned. NULL is accepted. */
NRT_API void nrt_sys_trace_buffer_free(char *buffer);

#ifdef __cplusplus
}
#endif

#endif
