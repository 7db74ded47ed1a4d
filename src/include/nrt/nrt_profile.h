/*
 * nrt_profile.h - the profiling calls of the Neuron Runtime, on any machine: names, types and
 * values are those of the vendor's header, so that code written to that header compiles and links
 * with libnrt_profile_etcapture. Profiles are ETDumps, which etinspect and ExecuTorch's Inspector
 * read.
 *
 * The calls profile executions of an engine that was set for the calls of nrt.h, or that calls etcapture_nrt.h. One run of an ETDump is one
 * execution. The name of the run is the name of the model. The run has the events that the engine
 * recorded, and as the last event nrt_execute, which lasts for the whole execution.
 *
 * Three kinds of profiles:
 *
 *     nrt_profile_start()             one model into one file
 *     nrt_profile_continuous_start()  every model, kept in memory; the latest executions on demand
 *     nrt_inspect_begin()             every model and the calls of the runtime, into a folder
 *
 * Inspection and continuous profiling exclude each other; profiles of single models may be on
 * together with either.
 *
 * An execution belongs to the profiles that were on when it began and are on when it ends.
 *
 * The end of the process: profiles of single models and inspection that are on when the process
 * calls exit() or returns from main(), or when the engine closes the runtime, are written then.
 * They are also written when SIGTERM or SIGINT ends the process, unless the process handles or
 * ignores that signal itself: see etc_nrt_catch_signals(). The runtime is closed after that.
 * Profiles belong to the process that started them: after fork(), no profile is on in the child.
 *
 * Statuses: every call that returns NRT_STATUS, except calls that free something, also returns
 * NRT_UNINITIALIZED if an engine that calls etc_nrt_expect_opened() has not opened the runtime yet,
 * and NRT_CLOSED after the engine has closed the runtime.
 *
 * Threads: all calls may be made from any thread; options belong to one thread at a time.
 */
#ifndef NRT_PROFILE_H
#define NRT_PROFILE_H

#include "nrt/nrt.h"
#include "nrt/nrt_sys_trace.h"

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

/* ---- one model ------------------------------------------------------------------------------- */

/* Starts to profile the executions of `model`, and creates `filename` or makes it empty. Several
 * profiles may be on, each with a file of its own. NRT_INVALID: `filename` is NULL or empty;
 * NRT_INVALID_HANDLE: no such model is loaded; NRT_FAILURE: the file belongs to a profile that is
 * on, is not a regular file, or cannot be made; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_profile_start(nrt_model_t *model, const char *filename);
/* Ends the profile that was started with `filename` and writes it; without an execution the file
 * stays empty. NRT_INVALID: there is no such profile; NRT_FAILURE: the file cannot be written and
 * is unchanged; NRT_RESOURCE: the file is written, but executions are missing for lack of memory. */
NRT_API NRT_STATUS nrt_profile_stop(const char *filename);

/* ---- continuous ------------------------------------------------------------------------------ */

typedef struct nrt_profile_continuous_options nrt_profile_continuous_options_t;

/* Makes options with their defaults: the folder is "./output". NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS
nrt_profile_continuous_options_allocate(nrt_profile_continuous_options_t **options);
/* Frees options; NULL is accepted. */
NRT_API NRT_STATUS nrt_profile_continuous_options_free(nrt_profile_continuous_options_t *options);
/* Sets the folder of profiles; the text is copied. NRT_INVALID: NULL or empty; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_profile_continuous_options_set_output_dir(
    nrt_profile_continuous_options_t *options, const char *output_dir);

/* Starts to keep the latest execution of each model on each NeuronCore in memory, or more: see etc_nrt_continuous_runs(). `options` may be NULL.
 * NRT_INVALID: it is on already, or inspection with device profiles is on; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_profile_continuous_start(nrt_profile_continuous_options_t *options);
/* Writes the latest execution on NeuronCore `vnc` to a new file,
 * <folder>/<model>_vnc<vnc>_<n>.etdp, where n is the lowest unused number, from 0; see
 * etc_nrt_continuous_runs(). Makes the folder. If `options` is NULL, the default folder is used.
 * Continuous profiling goes on afterwards. NRT_INVALID: it is not on, or no model was ever loaded
 * on this NeuronCore; NRT_QUEUE_EMPTY: nothing was executed there since the start; NRT_FAILURE:
 * folder or file cannot be written; NRT_RESOURCE, also if no execution has fitted: a million events
 * are kept. */
NRT_API NRT_STATUS nrt_profile_continuous_save(uint32_t vnc,
                                               nrt_profile_continuous_options_t *options);
/* Ends continuous profiling without writing a file. NRT_INVALID: it is not on. */
NRT_API NRT_STATUS nrt_profile_continuous_stop(void);

/* ---- inspection ------------------------------------------------------------------------------ */

/* Begins inspection with the options of the environment, all of which begin with
 * NEURON_RT_INSPECT_:
 *
 *     ENABLE                      1; 0: nothing is captured
 *     OUTPUT_DIR                  ./output
 *     SYSTEM_PROFILE              1: calls of the runtime; 0: none. Default: 1
 *     DEVICE_PROFILE              session: all executions; 1, model: the first of each model on each
 *                                 NeuronCore; 0: none. Default: session
 *     ON_FAIL                     0; 1: executions that fail; without ENABLE=1, only those
 *     DEVICE_PROFILE_NUM_WARMUP   executions of each model that are left out before the first; only for 1 and model.
 *                                 Default: 0
 *     HOST_MEMORY, CPU_UTIL       1: samples of the memory and the processor time of this process; 0: none. Default: 1
 *     EVENT_FILTER_NC             NeuronCores: 0,2,4 or 0-3; default: all
 *     EVENT_FILTER_TYPE           types of events; hardware and software stand for groups; with ^
 *                                 before it a type is excluded; default: all. Unknown types are skipped, with a line on
 *                                 stderr
 *     SYS_TRACE_MAX_EVENTS_PER_NC 1000000
 *
 * Makes the folder <folder>/session_<id>_pid_<pid>, with _2, _3 and so on after the name if that folder
 * exists. NRT_INVALID: a variable is wrong, or inspection or continuous profiling is on; NRT_FAILURE: the
 * folder cannot be made; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_inspect_begin(void);
/* Ends inspection and writes the folder, or removes it if nothing was recorded. It has nc_<k>.etdp for each NeuronCore with
 * executions, and system.etdp. Returns NRT_SUCCESS also if inspection is not on. NRT_FAILURE:
 * something cannot be written. */
NRT_API NRT_STATUS nrt_inspect_stop(void);

typedef struct nrt_inspect_config nrt_inspect_config_t;

/* Makes options with their defaults: session 1, folder "./output", all activities, all NeuronCores
 * and types of events. NRT_INVALID: NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_inspect_config_allocate(nrt_inspect_config_t **options);
/* Sets all options to their defaults, regardless of the environment. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_inspect_config_set_defaults(nrt_inspect_config_t *options);
/* Frees options. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_inspect_config_free(nrt_inspect_config_t *options);
/* Sets the number in the folder's name. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_inspect_config_set_session_id(nrt_inspect_config_t *options, int session_id);
/* Sets the folder; the text is copied. NRT_INVALID: NULL or empty; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_inspect_config_set_output_dir(nrt_inspect_config_t *options,
                                                     const char *output_dir);
/* Sets the number of events for which the ring of each NeuronCore, and the ring of the runtime's calls, has memory. An
 * execution takes the memory of its events plus one, a call of the runtime that of two events. Even the smallest ring has
 * memory for about 20 events. Memory is taken as needed, at most 1 GiB for a ring. The oldest executions are dropped first.
 * Default: 1,000,000. NRT_INVALID: NULL or 0. */
NRT_API NRT_STATUS nrt_inspect_config_set_sys_trace_max_events_per_nc(
    nrt_inspect_config_t *options, uint64_t sys_trace_max_events_per_nc);
/* Sets whether a NeuronCore is captured. NRT_INVALID: NULL, or `nc_idx` is not below 1024. */
NRT_API NRT_STATUS nrt_inspect_config_set_capture_enabled_for_nc(nrt_inspect_config_t *options,
                                                                 uint32_t nc_idx, bool enabled);
/* Sets whether events of a type of nrt_sys_trace_get_event_types() are captured. NRT_INVALID: NULL,
 * or no such type. */
NRT_API NRT_STATUS nrt_inspect_config_set_capture_enabled_for_event_type_string(
    nrt_inspect_config_t *options, const char *event_type, bool enabled);
/* Sets whether all executions are captured. Default: true, unless executions that fail are to be
 * captured. NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_inspect_config_set_enable_inspect(nrt_inspect_config_t *options,
                                                         bool enable_inspect);
/* Sets whether executions that fail, that is, with a status other than NRT_SUCCESS, are captured.
 * If neither failed executions nor all executions are captured, nothing is captured at all.
 * NRT_INVALID: NULL. */
NRT_API NRT_STATUS nrt_inspect_config_set_enable_inspect_on_fail(nrt_inspect_config_t *options,
                                                                 bool enable_inspect_on_fail);

typedef enum {
    NRT_INSPECT_DEVICE_PROFILE_MODE_DISABLED = 0,
    NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL = 1,
    NRT_INSPECT_DEVICE_PROFILE_MODE_SESSION = 2
} nrt_inspect_device_profile_mode_t;

/* Sets which executions are captured while the activity device_profile is enabled: none, the first of each model on each
 * NeuronCore, or all, the default. NRT_INVALID: NULL, or no such mode. */
NRT_API NRT_STATUS nrt_inspect_config_set_inspect_device_profile_mode(
    nrt_inspect_config_t *options, nrt_inspect_device_profile_mode_t device_profile_mode);

/* Begins inspection; the environment is ignored. `options` are copied; NULL: the defaults.
 * Makes the folder as nrt_inspect_begin() does. NRT_INVALID: inspection or continuous profiling is on;
 * NRT_FAILURE: the folder cannot be made; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_inspect_begin_with_options(nrt_inspect_config_t *options);

/* Return the names of activities: system_profile, the calls of the runtime; device_profile, the
 * executions; host_memory and cpu_util, samples of this process, taken at the beginning of
 * inspection, after each execution, and at the end of inspection. The caller frees the array and
 * its texts, with free() or with the call below. NRT_INVALID: a pointer is NULL; NRT_RESOURCE. */
NRT_API NRT_STATUS nrt_inspect_config_get_all_activity_types(const char ***activity_types,
                                                             size_t *count);
NRT_API NRT_STATUS nrt_inspect_config_get_enabled_activity_types(nrt_inspect_config_t *options,
                                                                 const char ***activity_types,
                                                                 size_t *count);
/* Frees an array of names of activities and its texts. NULL is accepted. */
NRT_API void nrt_inspect_config_free_activity_types(const char **activity_types, size_t count);
/* Sets whether an activity, or "all", is captured. NRT_INVALID: NULL, or no such activity. */
NRT_API NRT_STATUS nrt_inspect_config_set_activity(nrt_inspect_config_t *options,
                                                   const char *activity_type, bool enabled);

#ifdef __cplusplus
}
#endif

#endif
