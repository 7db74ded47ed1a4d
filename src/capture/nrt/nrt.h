/*
 * nrt.h - declarations that the sources of libnrt_profile_etcapture share.
 *
 * An execution is recorded into a capture of its model, which one thread uses at a time. At the end
 * of the execution, under the mutex, the run is appended to the captures of all profiles that want
 * it. A capture into which an engine records is never saved or freed. Files are written without the
 * mutex.
 */
#ifndef ETC_CAPTURE_NRT_NRT_H
#define ETC_CAPTURE_NRT_NRT_H

#include "etcapture_nrt.h"

#include <pthread.h>
#include <sys/types.h>

enum { NRT_MOST_CORES = 1024, NRT_NAME_BYTES = 128 };

/* ---- types of events ------------------------------------------------------------------------- */

/* X(name, is of hardware) */
#define NRT_EVENT_TYPES(X)                                                                         \
    X(nrt_init, false)                                                                             \
    X(nrt_close, false)                                                                            \
    X(nrt_load, false)                                                                             \
    X(nrt_unload, false)                                                                           \
    X(nrt_execute, false)                                                                          \
    X(nrt_tensor_allocate, false)                                                                  \
    X(nrt_tensor_free, false)                                                                      \
    X(nrt_tensor_read, false)                                                                      \
    X(nrt_tensor_write, false)                                                                     \
    X(model_load, false)                                                                           \
    X(runtime_execute, false)                                                                      \
    X(nc_exec_running, true)                                                                       \
    X(cc_running, true)                                                                            \
    X(cc_exec_barrier, true)                                                                       \
    X(numerical_err, true)                                                                         \
    X(nrt_model_switch, true)                                                                      \
    X(timestamp_sync_point, true)                                                                  \
    X(hw_notify, true)

typedef enum nrt_event_type {
#define NRT_EVENT_ENUM(name, is_hardware) NRT_EVENT_##name,
    NRT_EVENT_TYPES(NRT_EVENT_ENUM)
#undef NRT_EVENT_ENUM
        NRT_N_EVENT_TYPES
} nrt_event_type;

/* The set of all types; a set has a bit for each type. */
#define NRT_ALL_EVENT_TYPES (((uint32_t)1 << NRT_N_EVENT_TYPES) - 1)

const char *etc__nrt_event_name(nrt_event_type type);
/* Returns the type with this name; NRT_N_EVENT_TYPES: there is no such type, or `name` is NULL. */
nrt_event_type etc__nrt_find_event_type(const char *name);
/* Returns the types of the group called "hardware" or "software"; 0: there is no such group. */
uint32_t etc__nrt_event_group(const char *name);

/* ---- texts ----------------------------------------------------------------------------------- */

/* Makes an array of copies of `n` texts, all from malloc(). */
NRT_STATUS etc__nrt_copy_texts(const char ***out, size_t *count, const char *const *texts,
                               size_t n);
void etc__nrt_free_texts(const char **texts, size_t count);
/* Makes an array of copies of the names of a set of types. */
NRT_STATUS etc__nrt_copy_event_types(const char ***out, size_t *count, uint32_t types);
/* Copies `text` to *out and frees what was there. NRT_INVALID: it is NULL or empty. */
NRT_STATUS etc__nrt_set_text(char **out, const char *text);

/* ---- options --------------------------------------------------------------------------------- */

struct nrt_profile_continuous_options {
    char *output_dir; /* NULL: the default */
};

#define NRT_DEFAULT_FOLDER "./output"

typedef enum nrt_activity {
    NRT_SYSTEM_PROFILE,
    NRT_DEVICE_PROFILE,
    NRT_HOST_MEMORY,
    NRT_CPU_UTIL,
    NRT_N_ACTIVITIES
} nrt_activity;

typedef enum nrt_choice { NRT_NOT_SET, NRT_NO, NRT_YES } nrt_choice;

/* Which events are recorded, of a trace and of a session. */
struct nrt_sys_trace_config {
    uint64_t max_events;
    uint8_t disabled_cores[NRT_MOST_CORES / 8];
    uint32_t event_types;
};

struct nrt_inspect_config {
    int session_id;
    char *output_dir; /* NULL: the default */
    nrt_sys_trace_config_t events;
    unsigned activities; /* a bit for each */
    nrt_choice inspects; /* not set: yes, unless on_fail */
    bool on_fail;
    nrt_inspect_device_profile_mode_t devices;
    uint64_t
        n_warmup; /* executions of each model before the first that is captured, in the mode MODEL */
};

void etc__nrt_set_defaults(nrt_inspect_config_t *config);
/* Copies options; NULL is the defaults. */
NRT_STATUS etc__nrt_copy_config(nrt_inspect_config_t *out, const nrt_inspect_config_t *config);
/* Frees the contents of the options, but not the struct. */
void etc__nrt_free_config(nrt_inspect_config_t *config);
void etc__nrt_enable_core(nrt_sys_trace_config_t *config, uint32_t core, bool enabled);
/* Returns whether events of a NeuronCore, or of a type there, are recorded. */
bool etc__nrt_has_core(const nrt_sys_trace_config_t *config, uint32_t core);
bool etc__nrt_has_event(const nrt_sys_trace_config_t *config, uint32_t core, nrt_event_type type);
/* Returns whether executions are captured. */
bool etc__nrt_has_devices(const nrt_inspect_config_t *config);
bool etc__nrt_has_activity(const nrt_inspect_config_t *config, nrt_activity activity);
/* Returns whether all executions are captured. */
bool etc__nrt_keeps_all(const nrt_inspect_config_t *config);
/* Returns whether nothing is captured. */
bool etc__nrt_is_off(const nrt_inspect_config_t *config);
/* Reads the environment. NRT_INVALID: a variable is wrong. Free the options in any case. */
NRT_STATUS etc__nrt_read_environment(nrt_inspect_config_t *config);
/* Returns whether NEURON_RT_INSPECT_ENABLE is set to a value other than 0. */
bool etc__nrt_environment_enables(void);

/* ---- files ----------------------------------------------------------------------------------- */

/* Makes a new folder of a session in `folder`, and stores its whole path; free *out. */
NRT_STATUS etc__nrt_make_session_folder(char **out, const char *folder, int session_id);
/* Makes a folder and its parent folders. */
NRT_STATUS etc__nrt_make_folder(const char *path);
/* Saves a capture; writes nothing if it has no runs. */
NRT_STATUS etc__nrt_save(const etc_capture *c, const char *path);
/* Saves to a file of this name in a folder. */
NRT_STATUS etc__nrt_save_in(const etc_capture *c, const char *folder, const char *name);
/* Saves to a new file, <folder>/<model>_vnc<core>_<n>.etdp. */
NRT_STATUS etc__nrt_save_numbered(const etc_capture *c, const char *folder, const char *model,
                                  uint32_t core);
/* Writes a model's name as a part of the name of a file. */
void etc__nrt_file_name(char out[NRT_NAME_BYTES], const char *model);

/* ---- what is on ------------------------------------------------------------------------------ */

/* An execution of a model, in the list of its model. Executions that overlap have a capture each; one that has ended is kept for
 * the next. */
typedef struct nrt_execution {
    struct nrt_execution *next;
    nrt_model_t *model;
    etc_capture *capture; /* NULL until something captures */
    bool is_running;
    bool is_recorded;    /* into the capture */
    bool is_for_session; /* it wanted the execution when it began */
    pthread_t owner;
    uint64_t number; /* of the execution in this process: later ones have higher numbers */
    uint64_t start;  /* nanoseconds, as all times here */
} nrt_execution;

struct nrt_model {
    nrt_model_t *next;
    char *name;
    uint32_t core;
    bool is_unloaded;  /* whether to free it when its last execution ends */
    bool is_of_engine; /* loaded by nrt_load() */
    nrt_execution *executions;
    uint32_t n_running;
    uint64_t first_session; /* number of the last session that captured its first execution */
    uint64_t counted_session, n_in_session; /* executions that began in a session */
    void *handle;                           /* of the engine */
    const nrt_tensor_info_t *tensors;
    size_t n_tensors;
};

/* A profile of one model. */
typedef struct nrt_profile {
    struct nrt_profile *next;
    nrt_model_t *model; /* NULL: it was unloaded */
    char *filename;     /* as it was given */
    char *path;         /* absolute */
    etc_capture *capture;
    uint64_t since;
    bool is_short; /* executions are missing */
} nrt_profile;

typedef struct nrt_continuous_core {
    bool was_executed;
    etc_capture *capture; /* NULL: nothing was executed, or there is no memory */
    char model[NRT_NAME_BYTES];
} nrt_continuous_core;

typedef struct nrt_continuous {
    uint64_t since;
    nrt_continuous_core cores[NRT_MOST_CORES];
} nrt_continuous;

typedef struct nrt_session {
    nrt_inspect_config_t config;
    uint64_t number; /* in this process, from 1 */
    uint64_t since;
    etc_capture *cores[NRT_MOST_CORES]; /* NULL: nothing was executed */
    etc_capture *system;                /* NULL: nothing was recorded */
    uint64_t sampled, sampled_cpu; /* time of the last sample, and processor time used until then */
    int statm;                     /* the system's file on memory; -1: not open */
    char *folder; /* into which the session is written, with all folders above it; NULL: none */
} nrt_session;

/* One half of a call of the runtime. */
typedef struct nrt_trace_event {
    uint64_t time, id;
    uint64_t execution; /* number of the execution; 0: another call */
    nrt_event_type type;
    bool is_stop;
} nrt_trace_event;

/* A ring of events, which grows to the number in the options. */
typedef struct nrt_trace_core {
    nrt_trace_event *events;
    size_t size, first, n;
} nrt_trace_core;

typedef struct nrt_trace {
    nrt_sys_trace_config_t config;
    uint64_t since, last_id, n_executions;
    nrt_trace_core cores[NRT_MOST_CORES];
} nrt_trace;

/* Memory that tensors share. */
typedef struct nrt_storage {
    uint32_t n_users;
} nrt_storage;

struct nrt_tensor {
    nrt_tensor_t *next, *before;
    char *name;
    uint32_t core;
    size_t size;
    uint8_t *bytes;       /* NULL: the tensor has no memory */
    nrt_storage *storage; /* NULL: the bytes are the caller's */
};

typedef struct nrt_set nrt_set;

typedef enum nrt_phase {
    NRT_PHASE_NOT_SAID, /* open: the engine never said so */
    NRT_PHASE_EXPECTED,
    NRT_PHASE_OPEN,
    NRT_PHASE_CLOSED
} nrt_phase;

typedef struct nrt_state {
    pthread_mutex_t mutex;
    unsigned n_writing; /* threads that write files */
    nrt_phase phase;
    bool ignores_signals;
    nrt_model_t *models;
    uint8_t known_cores[NRT_MOST_CORES / 8]; /* NeuronCores that had a model */
    nrt_profile *profiles;
    nrt_continuous *continuous;
    uint32_t continuous_runs;
    nrt_session *session;
    uint64_t n_sessions;
    nrt_trace *trace;
    etc_nrt_engine engine; /* without functions until one is set */
    nrt_tensor_t *tensors;
    nrt_set *sets;
    uint64_t n_begun;
    uint64_t n_executions, n_executions_lost, n_events_lost;
} nrt_state;

extern nrt_state etc__nrt;

/* Locks the mutex and returns NRT_SUCCESS, or returns the status of a runtime that is not open. */
NRT_STATUS etc__nrt_enter(void);
/* Unlocks the mutex and returns `status`. */
static inline NRT_STATUS etc__nrt_leave(NRT_STATUS status) {
    pthread_mutex_unlock(&etc__nrt.mutex);
    return status;
}
/* Unlock the mutex before files are written and lock it afterwards; threads that close the runtime
 * wait for the writing to end. */
void etc__nrt_begin_writing(void);
void etc__nrt_end_writing(void);

/* Returns the first failure. */
static inline NRT_STATUS etc__nrt_worse(NRT_STATUS status, NRT_STATUS other) {
    return status ? status : other;
}

/* Opens a ring for `n_events`, of which it keeps the last `keep_runs` executions of each model; 0: all. */
NRT_STATUS etc__nrt_open_ring(etc_capture **out, uint64_t n_events, uint32_t keep_runs);
/* Opens a capture that keeps all runs. */
NRT_STATUS etc__nrt_open_growing(etc_capture **out);
/* Appends the execution that a capture of a model has. NRT_RESOURCE: it does not fit. */
NRT_STATUS etc__nrt_append(etc_capture *to, const nrt_execution *execution);

/* ---- engine.c -------------------------------------------------------------------------------- */

/* Returns a model that is loaded; NULL: there is no such model. */
nrt_model_t *etc__nrt_find_model(const nrt_model_t *model);
/* Makes a model. */
NRT_STATUS etc__nrt_add_model(const char *name, uint32_t core, nrt_model_t **out);
/* Removes a model, unless executions are running: then the last of these removes it. Returns the model to dispose of, or
 * NULL. */
nrt_model_t *etc__nrt_unload(nrt_model_t *model);
/* Frees models, linked by `next`, which the engine unloads; called without the mutex. */
void etc__nrt_dispose(nrt_model_t *models);
/* Records a call of the runtime that ends now, of any kind but executions. Called without the mutex. */
void etc__nrt_note_call(uint32_t core, nrt_event_type type, uint64_t start);
/* Ends one of the n_running of a model, and unloads the model if it was waiting for that. Called without the mutex. */
void etc__nrt_release(nrt_model_t *model);

/* ---- tensors.c ------------------------------------------------------------------------------- */

/* Frees all tensors and sets. Called with the mutex locked. */
void etc__nrt_free_tensors(void);
/* Returns the tensor of this name in a set; NULL: there is none. */
nrt_tensor_t *etc__nrt_find_tensor(const nrt_tensor_set_t *set, const char *name);

/* ---- profile.c, continuous.c, inspect.c ------------------------------------------------------ */

/* Called with the mutex locked. Return whether executions of the model are to be recorded. */
bool etc__nrt_profiles_want(const nrt_model_t *model);
bool etc__nrt_session_wants(const nrt_model_t *model);
/* Take the execution that has just ended. */
NRT_STATUS etc__nrt_profiles_add(const nrt_execution *execution);
NRT_STATUS etc__nrt_continuous_add(const nrt_execution *execution);
NRT_STATUS etc__nrt_session_add(const nrt_execution *execution, uint64_t end, NRT_STATUS status);
/* Notes in the profiles of a model that an execution is missing. */
void etc__nrt_profiles_lack(const nrt_model_t *model);
/* Records a call of the runtime, if the session wants it. */
NRT_STATUS etc__nrt_session_event(uint32_t core, nrt_event_type type, uint64_t start, uint64_t end);
/* Begins a session, which takes over the options or frees them. */
NRT_STATUS etc__nrt_session_begin(nrt_inspect_config_t *config);
/* Records samples of this process. */
NRT_STATUS etc__nrt_sample(nrt_session *session);

/* Save captures that were taken out of the state; called without the mutex. */
NRT_STATUS etc__nrt_profile_save(const nrt_profile *profile);
NRT_STATUS etc__nrt_session_save(const nrt_session *session);
void etc__nrt_profile_free(nrt_profile *profile);
void etc__nrt_session_free(nrt_session *session);
void etc__nrt_continuous_free(nrt_continuous *continuous);
/* Makes the rings keep the number of executions that is set now. */
void etc__nrt_continuous_resize(void);

/* ---- trace.c --------------------------------------------------------------------------------- */

/* Records a call of the runtime, or an execution, in the trace that is on, if it wants it. */
NRT_STATUS etc__nrt_trace_event(uint32_t core, nrt_event_type type, uint64_t start, uint64_t end);
NRT_STATUS etc__nrt_trace_execution(const nrt_execution *execution, uint64_t end);
void etc__nrt_trace_free(nrt_trace *trace);

/* ---- leaving.c ------------------------------------------------------------------------------- */

/* Installs or removes the handlers of exit(), fork() and signals. Called with the mutex locked,
 * after a model was loaded, or a profile has started or ended. */
void etc__nrt_watch(void);
/* Ends all profiles, and saves them. Called with the mutex locked; unlocks it while writing. */
NRT_STATUS etc__nrt_end_all(void);

#endif
