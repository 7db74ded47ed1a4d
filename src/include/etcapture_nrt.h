/*
 * etcapture_nrt.h - for engines that take the place of the Neuron Runtime, so that programs written to nrt/nrt.h and
 * nrt/nrt_profile.h execute and profile models on any machine.
 *
 * An engine for programs that call nrt/nrt.h is a table of functions: etc_nrt_set_engine(). An engine with calls of its own
 * reports its models and their executions:
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
#include "nrt/nrt.h"
#include "nrt/nrt_experimental.h"
#include "nrt/nrt_profile.h"

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

/* ---- an engine for nrt/nrt.h ----------------------------------------------------------------- */

/* Holds what nrt_load() was given, and what the engine made of it. */
typedef struct etc_nrt_loading {
    const void *bytes; /* the model, in a format of the engine; only valid during the call */
    size_t size;
    uint32_t vnc;               /* below n_cores */
    uint32_t device, n_devices; /* of nrt_load_collectives(); else 0 of 1 */
    void *model;                /* set by the engine: its own handle */
    const char
        *name; /* set by the engine: names the model in profiles, and is copied; NULL: "model" */
    const nrt_tensor_info_t *
        tensors; /* set by the engine: inputs and outputs, until the model is unloaded; NULL: unknown */
    size_t n_tensors;
} etc_nrt_loading;

/* The functions of an engine. They may be called from any thread, execute() by several threads at the same time, and may call
 * etc_nrt_event() and the functions for tensors. */
typedef struct etc_nrt_engine {
    size_t struct_size;                /* sizeof in the caller; grows at its end */
    void *context;                     /* first argument of all functions */
    uint32_t n_cores;                  /* from 1 to 1024 */
    NRT_STATUS (*open)(void *context); /* of nrt_init(); may be NULL */
    void (*close)(void *context);      /* after all models are unloaded; may be NULL */
    NRT_STATUS (*load)(void *context, etc_nrt_loading *loading);
    void (*unload)(void *context,
                   void *model); /* no execution of the model is running; may be NULL */
    /* Executes a model. Records its events into `capture`, which is NULL if no profile captures the execution: as from
     * etc_nrt_execute_begin(). The sets have a tensor of the right size for each that the engine described. */
    NRT_STATUS(*execute)
    (void *context, void *model, etc_capture *capture, const nrt_tensor_set_t *inputs,
     nrt_tensor_set_t *outputs);
} etc_nrt_engine;

#ifdef __cplusplus
#define ETC_NRT_ENGINE_INIT etc_sized<etc_nrt_engine>()
#else
#define ETC_NRT_ENGINE_INIT                                                                        \
    { .struct_size = sizeof(etc_nrt_engine) }
#endif

/* Sets the engine of this process, whose table is copied; it must be called before nrt_init(), for example from a constructor
 * of the engine's library. Includes etc_nrt_expect_opened(). NRT_INVALID: `engine` or a function that is needed is NULL, or
 * struct_size or n_cores is wrong; NRT_FAILURE: the runtime is open with an engine. */
NRT_API NRT_STATUS etc_nrt_set_engine(const etc_nrt_engine *engine);

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
 * While no executions of the model overlap, the capture is the same as long as the model is loaded, and names interned in it
 * stay valid. An execution that begins before another one has ended has a capture of its own, with names of its own; profiles
 * have both, in the order of their ends. The clock is etc_nrt_now(). The engine may record only names, instructions and
 * events, and must not use the capture after the end of the execution. Events are numbered while no instruction is set,
 * so that events with equal names stay distinct. etinspect counts events without events inside as
 * operators. */
NRT_API etc_capture *etc_nrt_execute_begin(nrt_model_t *model);
/* Ends the execution of the model that began last on this thread; if none did, the first of those that other threads began.
 * Must be called once for each etc_nrt_execute_begin(), and on the same thread
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

/* Sets how many of the latest executions nrt_profile_continuous_save() writes. Default: 1; 0: all that fit the memory. Only that
 * number of each model is kept: must be called before the executions. */
NRT_API void etc_nrt_continuous_runs(uint32_t n);
/* Sets whether profiles are written before SIGTERM or SIGINT ends the process; default: true. The
 * library handles a signal only while a profile is on, and only if the signal has its default
 * action when the profile starts; a thread of the library writes the profiles and ends the process
 * by the same signal. */
NRT_API void etc_nrt_catch_signals(bool catches);

typedef struct etc_nrt_stats {
    size_t struct_size;  /* sizeof in the caller; grows at its end */
    uint64_t executions; /* recorded */
    /* Were too large, found no memory for records or names, or had an event with a wrong argument. */
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
