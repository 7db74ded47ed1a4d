/*
 * etcapture_nrt.h - calls with which an engine reports its models and their executions, so that
 * code written to nrt/nrt_profile.h profiles them. The engine takes the place of the Neuron
 * Runtime.
 *
 *     nrt_model_t *model;
 *     etc_nrt_model_loaded("cnn", 0, &model);
 *     ...
 *     etc_capture *capture = etc_nrt_execute_begin(model);
 *     etc_span span = etc_start_text(capture, "native_call_conv");
 *     ... the work ...
 *     etc_end(capture, &span);
 *     etc_nrt_execute_end(model, NRT_SUCCESS);
 *     ...
 *     etc_nrt_model_unloaded(model);
 *
 * Link with libnrt_profile_etcapture and libetcapture.
 *
 * Threads: all calls may be made from any thread. The capture of a model belongs to the thread that
 * executes it.
 */
#ifndef ETCAPTURE_NRT_H
#define ETCAPTURE_NRT_H

#include "etcapture.h"
#include "nrt/nrt_profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the runtime ----------------------------------------------------------------------------- */

/* Open and close the runtime; a closed runtime may be opened again. An engine need not call them: without these calls the
 * runtime is open.
 *
 * Opening begins inspection if NEURON_RT_INSPECT_ENABLE is 1, and returns the status of nrt_inspect_begin(), which is
 * NRT_INVALID if the variable is neither 0 nor 1; the runtime is opened in any case. Closing ends all profiles, writes
 * profiles of single models and inspection, and unloads all models. NRT_FAILURE: a file cannot be written. */
NRT_API NRT_STATUS etc_nrt_opened(void);
NRT_API NRT_STATUS etc_nrt_closed(void);
/* Announces that the engine will call etc_nrt_opened(): until it does, calls return
 * NRT_UNINITIALIZED. Must be called before all other calls, for example from a constructor; a later
 * call does nothing. */
NRT_API void etc_nrt_expect_opened(void);

/* ---- models ---------------------------------------------------------------------------------- */

/* Makes a handle for a model that is loaded on NeuronCore `vnc`. The name is copied; NULL is
 * "model".
 * NRT_INVALID: `model` is NULL, or `vnc` is not below 1024; NRT_RESOURCE. */
NRT_API NRT_STATUS etc_nrt_model_loaded(const char *name, uint32_t vnc, nrt_model_t **model);
/* Frees the handle; profiles of the model stay until they are stopped. NRT_INVALID_HANDLE. */
NRT_API NRT_STATUS etc_nrt_model_unloaded(nrt_model_t *model);

/* ---- executions ------------------------------------------------------------------------------ */

/* Begins an execution and returns the capture for its events, in which a run is open. Returns NULL
 * if no profile captures executions of this model, or if there is no memory; recording into NULL
 * costs one branch.
 *
 * The capture is the same as long as the model is loaded; names interned in it stay valid. Its
 * clock is etc_nrt_now(). The engine may record only names, instructions and events, and must not
 * use the capture after the end of the execution. Events are numbered while no instruction is set,
 * so that events with equal names stay distinct. etinspect counts events without events inside as
 * operators.
 *
 * One execution of a model is recorded at a time, as on a NeuronCore. For an execution that begins
 * before another one has ended, the call returns NULL and counts the execution in
 * executions_lost. */
NRT_API etc_capture *etc_nrt_execute_begin(nrt_model_t *model);
/* Ends an execution. Must be called once for each etc_nrt_execute_begin(), and on the same thread
 * if other threads execute the same model at the same time. `status` is the result of the
 * execution. NRT_INVALID_HANDLE; NRT_RESOURCE: the execution is missing in a profile, and is
 * counted in executions_lost. */
NRT_API NRT_STATUS etc_nrt_execute_end(nrt_model_t *model, NRT_STATUS status);

/* Records a call of the runtime on NeuronCore `vnc`, such as "nrt_load" or "nrt_tensor_write", with
 * its times in nanoseconds of etc_nrt_now(). Executions are recorded without this call.
 * NRT_INVALID: `type` is not one of nrt_sys_trace_get_event_types(), `vnc` is not below 1024, or
 * `end` is before `start`; NRT_RESOURCE. */
NRT_API NRT_STATUS etc_nrt_event(uint32_t vnc, const char *type, uint64_t start, uint64_t end);
/* Returns the time in nanoseconds of CLOCK_MONOTONIC. */
NRT_API uint64_t etc_nrt_now(void);

/* ---- settings -------------------------------------------------------------------------------- */

/* Sets how many of the latest executions nrt_profile_continuous_save() writes. Default: 1; 0: all
 * that are in memory. */
NRT_API void etc_nrt_continuous_runs(uint32_t n);
/* Sets whether profiles are written before SIGTERM or SIGINT ends the process; default: true. The
 * library handles a signal only while a profile is on, and only if the signal has its default
 * action when the profile starts; a thread of the library writes the profiles and ends the process
 * by the same signal. */
NRT_API void etc_nrt_catch_signals(bool catches);

typedef struct etc_nrt_stats {
    size_t struct_size;  /* sizeof in the caller; grows at its end */
    uint64_t executions; /* recorded */
    /* Overlapped another execution of the model, were too large, found no memory for records or names, or had an event with a
     * wrong argument. */
    uint64_t executions_lost;
    uint64_t events_lost; /* of etc_nrt_event(), for lack of memory */
} etc_nrt_stats;

#ifdef __cplusplus
#define ETC_NRT_STATS_INIT etc_sized<etc_nrt_stats>()
#else
#define ETC_NRT_STATS_INIT                                                                         \
    { .struct_size = sizeof(etc_nrt_stats) }
#endif

/* Stores the statistics since the process started in *out, whose struct_size must be set. */
NRT_API void etc_nrt_get_stats(etc_nrt_stats *out);

#ifdef __cplusplus
}
#endif

#endif
