/*
 * engine.c - models and their executions, as the engine reports them.
 */
#include "capture/nrt/nrt.h"

#include <stdlib.h>
#include <string.h>

/* ---- the runtime ----------------------------------------------------------------------------- */

void etc_nrt_expect_opened(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
    if (etc__nrt.phase == NRT_PHASE_NOT_SAID)
        etc__nrt.phase = NRT_PHASE_EXPECTED;
    etc__nrt_leave(NRT_SUCCESS);
}

/* Opens the runtime: begins inspection if the environment wants it. */
static NRT_STATUS open_runtime(void) {
    nrt_inspect_config_t config;
    etc__nrt.phase = NRT_PHASE_OPEN;
    if (etc__nrt.session || !etc__nrt_environment_enables())
        return NRT_SUCCESS;
    NRT_STATUS status = etc__nrt_read_environment(&config);
    if (!status)
        return etc__nrt_session_begin(&config);
    etc__nrt_free_config(&config);
    return status;
}

NRT_STATUS etc_nrt_opened(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
    return etc__nrt_leave(open_runtime());
}

/* ---- models ---------------------------------------------------------------------------------- */

static nrt_model_t *find_any(const nrt_model_t *model) {
    nrt_model_t *found = etc__nrt.models;
    while (found && found != model)
        found = found->next;
    return found;
}

nrt_model_t *etc__nrt_find_model(const nrt_model_t *model) {
    nrt_model_t *found = find_any(model);
    return found && !found->is_unloaded ? found : NULL;
}

NRT_STATUS etc__nrt_add_model(const char *name, uint32_t core, nrt_model_t **out) {
    nrt_model_t *loaded = calloc(1, sizeof *loaded);
    char *copy = strdup(name ? name : "model");
    if (!loaded || !copy) {
        free(loaded);
        free(copy);
        return NRT_RESOURCE;
    }
    loaded->name = copy;
    loaded->core = core;
    loaded->next = etc__nrt.models;
    etc__nrt.models = loaded;
    etc__nrt.known_cores[core / 8] |= (uint8_t)(1u << core % 8);
    *out = loaded;
    etc__nrt_watch();
    return NRT_SUCCESS;
}

/* Takes a model that is unloaded and not executing out of the list. */
static nrt_model_t *take(nrt_model_t *model) {
    nrt_model_t **link = &etc__nrt.models;
    while (*link != model)
        link = &(*link)->next;
    *link = model->next;
    model->next = NULL;
    return model;
}

nrt_model_t *etc__nrt_unload(nrt_model_t *model) {
    for (nrt_profile *profile = etc__nrt.profiles; profile; profile = profile->next) {
        if (profile->model == model)
            profile->model = NULL;
    }
    model->is_unloaded = true;
    return model->n_running == 0 ? take(model) : NULL;
}

/* Removes all models. */
static nrt_model_t *unload_all(void) {
    nrt_model_t *unloaded = NULL;
    for (nrt_model_t *model = etc__nrt.models, *next; model; model = next) {
        next = model->next;
        if (model->is_unloaded || !etc__nrt_unload(model))
            continue;
        model->next = unloaded;
        unloaded = model;
    }
    return unloaded;
}

void etc__nrt_dispose(nrt_model_t *models) {
    while (models) {
        nrt_model_t *next = models->next;
        if (models->is_of_engine && etc__nrt.engine.unload)
            etc__nrt.engine.unload(etc__nrt.engine.context, models->handle);
        while (models->executions) {
            nrt_execution *execution = models->executions;
            models->executions = execution->next;
            etc_close(execution->capture);
            free(execution);
        }
        free(models->name);
        free(models);
        models = next;
    }
}

NRT_STATUS etc_nrt_closed(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    etc__nrt.phase = NRT_PHASE_CLOSED;
    status = etc__nrt_end_all();
    nrt_model_t *models = unload_all();
    etc__nrt_leave(status);
    etc__nrt_dispose(models);
    return status;
}

NRT_STATUS etc_nrt_model_loaded(const char *name, uint32_t vnc, nrt_model_t **model) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!model || vnc >= NRT_MOST_CORES)
        return etc__nrt_leave(NRT_INVALID);
    return etc__nrt_leave(etc__nrt_add_model(name, vnc, model));
}

NRT_STATUS etc_nrt_model_unloaded(nrt_model_t *model) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_model_t *loaded = etc__nrt_find_model(model);
    if (!loaded)
        return etc__nrt_leave(NRT_INVALID_HANDLE);
    loaded = etc__nrt_unload(loaded);
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_dispose(loaded);
    return NRT_SUCCESS;
}

/* ---- executions ------------------------------------------------------------------------------ */

/* Returns an execution that is not running: the first, so that the capture stays the same while no executions overlap. */
static nrt_execution *find_free(nrt_model_t *model) {
    nrt_execution **link = &model->executions;
    while (*link && (*link)->is_running)
        link = &(*link)->next;
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (*link)
            (*link)->model = model;
    }
    return *link;
}

/* Opens the run of an execution in its capture. */
static etc_capture *begin_recording(nrt_execution *execution) {
    etc_capture *c = execution->capture;
    if (!c && etc__nrt_open_growing(&execution->capture))
        return NULL;
    c = execution->capture;
    etc_reset(c);
    etc_unset_instruction(c);
    etc_set_bundled_input(c, -1);
    etc_run(c, execution->model->name);
    execution->is_recorded = true;
    return c;
}

static void count_in_session(nrt_model_t *model) {
    uint64_t session = etc__nrt.session ? etc__nrt.session->number : 0;
    if (model->counted_session != session)
        model->n_in_session = 0;
    model->counted_session = session;
    model->n_in_session++;
}

/* Counts an execution that is lost when it begins. */
static etc_capture *lose(const nrt_model_t *model) {
    etc__nrt.n_executions_lost++;
    etc__nrt_profiles_lack(model);
    return NULL;
}

static bool is_running(const nrt_model_t *model) {
    const nrt_execution *execution = model->executions;
    while (execution && !execution->is_running)
        execution = execution->next;
    return execution;
}

/* Notes an execution if something wants to know of its end; also while one that was noted is running, so that each end finds its
 * own begin. */
static etc_capture *begin(nrt_model_t *model) {
    bool is_for_session = etc__nrt_session_wants(model);
    bool is_wanted = !model->is_unloaded &&
                     (etc__nrt_profiles_want(model) || etc__nrt.continuous || is_for_session);
    bool is_timed = !model->is_unloaded && (etc__nrt.session || etc__nrt.trace);
    count_in_session(model);
    if (!is_wanted && !is_timed && !is_running(model))
        return NULL;
    nrt_execution *execution = find_free(model);
    if (!execution)
        return lose(model);
    execution->is_running = true;
    execution->is_recorded = false;
    execution->is_for_session = is_for_session;
    execution->owner = pthread_self();
    execution->number = ++etc__nrt.n_begun;
    etc_capture *capture = is_wanted ? begin_recording(execution) : NULL;
    if (is_wanted && !capture)
        lose(model);
    execution->start = etc_nrt_now();
    return capture;
}

etc_capture *etc_nrt_execute_begin(nrt_model_t *model) {
    etc_capture *capture = NULL;
    pthread_mutex_lock(&etc__nrt.mutex);
    nrt_model_t *found = find_any(model);
    if (found) {
        found->n_running++;
        capture = begin(found);
    }
    etc__nrt_leave(NRT_SUCCESS);
    return capture;
}

/* Closes the run with an event for the whole execution. */
static void end_recording(const nrt_execution *execution, uint64_t end) {
    etc_capture *c = execution->capture;
    etc_set_instruction(c, -1, 0);
    etc_log(c, etc_intern(c, "nrt_execute"), execution->start, end);
    etc_run_end(c);
}

/* Returns the execution that ends on this thread; NULL: nothing noted its begin. */
static nrt_execution *find_ending(const nrt_model_t *model) {
    nrt_execution *last = NULL, *first = NULL;
    uint32_t n_noted = 0;
    for (nrt_execution *at = model->executions; at; at = at->next) {
        if (!at->is_running)
            continue;
        n_noted++;
        if (pthread_equal(at->owner, pthread_self()) && (!last || at->number > last->number))
            last = at;
        if (!first || at->number < first->number)
            first = at;
    }
    return last || n_noted < model->n_running ? last : first;
}

static NRT_STATUS end(nrt_execution *execution, uint64_t time, NRT_STATUS status) {
    NRT_STATUS result = NRT_SUCCESS;
    if (execution->is_recorded) {
        end_recording(execution, time);
        etc__nrt.n_executions++;
        result = etc__nrt_profiles_add(execution);
        result = etc__nrt_worse(result, etc__nrt_continuous_add(execution));
    }
    result = etc__nrt_worse(result, etc__nrt_session_add(execution, time, status));
    result = etc__nrt_worse(result, etc__nrt_trace_execution(execution, time));
    execution->is_running = execution->is_recorded = false;
    return result;
}

NRT_STATUS etc_nrt_execute_end(nrt_model_t *model, NRT_STATUS status) {
    uint64_t time = etc_nrt_now();
    NRT_STATUS result = NRT_SUCCESS;
    pthread_mutex_lock(&etc__nrt.mutex);
    nrt_model_t *found = find_any(model);
    if (!found)
        return etc__nrt_leave(NRT_INVALID_HANDLE);
    nrt_execution *ending = find_ending(found);
    if (ending)
        result = end(ending, time, status);
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_release(model);
    return result;
}

void etc__nrt_release(nrt_model_t *model) {
    nrt_model_t *unloaded = NULL;
    pthread_mutex_lock(&etc__nrt.mutex);
    nrt_model_t *found = find_any(model);
    if (found && found->n_running > 0)
        found->n_running--;
    if (found && found->is_unloaded && found->n_running == 0)
        unloaded = take(found);
    etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_dispose(unloaded);
}

/* ---- calls of the runtime -------------------------------------------------------------------- */

static NRT_STATUS note(uint32_t core, nrt_event_type type, uint64_t start, uint64_t end) {
    NRT_STATUS status = etc__nrt_session_event(core, type, start, end);
    return etc__nrt_worse(status, etc__nrt_trace_event(core, type, start, end));
}

void etc__nrt_note_call(uint32_t core, nrt_event_type type, uint64_t start) {
    uint64_t end = etc_nrt_now();
    if (etc__nrt_enter() == NRT_SUCCESS)
        etc__nrt_leave(note(core, type, start, end));
}

NRT_STATUS etc_nrt_event(uint32_t vnc, const char *type, uint64_t start, uint64_t end) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_event_type known = etc__nrt_find_event_type(type);
    if (known == NRT_N_EVENT_TYPES || vnc >= NRT_MOST_CORES || end < start)
        return etc__nrt_leave(NRT_INVALID);
    return etc__nrt_leave(note(vnc, known, start, end));
}

/* ---- settings -------------------------------------------------------------------------------- */

void etc_nrt_continuous_runs(uint32_t n) {
    pthread_mutex_lock(&etc__nrt.mutex);
    bool is_changed = etc__nrt.continuous_runs != n;
    etc__nrt.continuous_runs = n;
    if (is_changed)
        etc__nrt_continuous_resize();
    etc__nrt_leave(NRT_SUCCESS);
}

void etc_nrt_catch_signals(bool catches) {
    pthread_mutex_lock(&etc__nrt.mutex);
    etc__nrt.ignores_signals = !catches;
    etc__nrt_watch();
    etc__nrt_leave(NRT_SUCCESS);
}

void etc_nrt_get_stats(etc_nrt_stats *out) {
    if (!out || out->struct_size < sizeof out->struct_size)
        return;
    pthread_mutex_lock(&etc__nrt.mutex);
    etc_nrt_stats stats = {.struct_size = out->struct_size,
                           .executions = etc__nrt.n_executions,
                           .executions_lost = etc__nrt.n_executions_lost,
                           .events_lost = etc__nrt.n_events_lost};
    etc__nrt_leave(NRT_SUCCESS);
    memcpy(out, &stats, stats.struct_size < sizeof stats ? stats.struct_size : sizeof stats);
}
