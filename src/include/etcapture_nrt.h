/*
 * etcapture_nrt.h - what an engine calls so that its models are profiled by code that is written to
 * nrt/nrt_profile.h. The engine plays the part of the Neuron Runtime.
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

/* Say that the runtime can be used from now on, or no more; it may be opened again. An engine need not
 * call them: its runtime is always open.
 *
 * Opening begins inspection if NEURON_RT_INSPECT_ENABLE is 1, and returns what nrt_inspect_begin()
 * does; the runtime is open in any case. Closing ends all profiles, writes those of single models and
 * inspection, and unloads all models. NRT_FAILURE: something could not be written. */
NRT_API NRT_STATUS etc_nrt_opened(void);
NRT_API NRT_STATUS etc_nrt_closed(void);
/* Says that the engine is one that calls etc_nrt_opened(): until it does, calls return
 * NRT_UNINITIALIZED. Call it before all others, as from a constructor; later it does nothing. */
NRT_API void etc_nrt_expect_opened(void);

/* ---- models ---------------------------------------------------------------------------------- */

/* Makes a handle for a model that is loaded on NeuronCore `vnc`. The name is copied; NULL is "model".
 * NRT_INVALID: `model` is NULL, or `vnc` is not below 1024; NRT_RESOURCE. */
NRT_API NRT_STATUS etc_nrt_model_loaded(const char *name, uint32_t vnc, nrt_model_t **model);
/* Frees the handle; profiles of the model stay until they are stopped. NRT_INVALID_HANDLE. */
NRT_API NRT_STATUS etc_nrt_model_unloaded(nrt_model_t *model);

/* ---- executions ------------------------------------------------------------------------------ */

/* Begins an execution and returns the capture for its events, whose run is open. NULL, so that
 * recording costs a branch: nothing captures executions of this model, or there is no memory.
 *
 * The capture is the same as long as the model is loaded; names interned in it stay valid. Its times
 * are those of etc_nrt_now(). It is for names, instructions and events only. The engine must not use it
 * after the end of the execution. While no instruction is set, events are numbered, so that those with
 * equal names stay apart. etinspect counts events as operators whose names begin with native_call_.
 *
 * One execution of a model is recorded at a time, as on a NeuronCore: one that begins before another
 * has ended gets NULL, and is counted. */
NRT_API etc_capture *etc_nrt_execute_begin(nrt_model_t *model);
/* Ends the execution; every beginning needs it, and on the same thread if others execute the same model
 * at the same time. `status` is the engine's. NRT_INVALID_HANDLE; NRT_RESOURCE: the execution is not
 * in some profile, which is counted. */
NRT_API NRT_STATUS etc_nrt_execute_end(nrt_model_t *model, NRT_STATUS status);

/* Records a call of the runtime on NeuronCore `vnc`, such as "nrt_load" or "nrt_tensor_write", with its
 * times in nanoseconds of etc_nrt_now(). Executions are recorded without it. NRT_INVALID: `type` is
 * none of nrt_sys_trace_get_event_types(), or `vnc` is not below 1024; NRT_RESOURCE. */
NRT_API NRT_STATUS etc_nrt_event(uint32_t vnc, const char *type, uint64_t start, uint64_t end);
/* Returns the time in nanoseconds of CLOCK_MONOTONIC. */
NRT_API uint64_t etc_nrt_now(void);

/* ---- settings -------------------------------------------------------------------------------- */

/* Sets how many executions nrt_profile_continuous_save() writes: the last `n`. In the beginning 1; 0:
 * all that are in memory. */
NRT_API void etc_nrt_continuous_runs(uint32_t n);
/* Sets whether profiles are written before SIGTERM or SIGINT ends the process; in the beginning they
 * are. A handler is there only while a profile is on and where the process has the default action when
 * the profile starts; a thread of the library then writes, and ends the process by the same signal. */
NRT_API void etc_nrt_catch_signals(bool catches);

typedef struct etc_nrt_stats {
    size_t struct_size;  /* sizeof in the caller; grows at its end */
    uint64_t executions; /* that were recorded */
    uint64_t
        executions_lost;  /* overlapped another of the model, were too large, or found no memory */
    uint64_t events_lost; /* of etc_nrt_event(), for want of memory */
} etc_nrt_stats;

#ifdef __cplusplus
#define ETC_NRT_STATS_INIT etc_sized<etc_nrt_stats>()
#else
#define ETC_NRT_STATS_INIT                                                                         \
    { .struct_size = sizeof(etc_nrt_stats) }
#endif

/* Fills `out`, whose struct_size is set, with what happened since the process started. */
NRT_API void etc_nrt_get_stats(etc_nrt_stats *out);

#ifdef __cplusplus
}
#endif

#endif
