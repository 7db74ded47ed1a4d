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

NRT_STATUS etc_nrt_opened(void) {
    pthread_mutex_lock(&etc__nrt.mutex);
    etc__nrt.phase = NRT_PHASE_OPEN;
    NRT_STATUS status = NRT_SUCCESS;
    if (!etc__nrt.session && etc__nrt_environment_enables()) {
        nrt_inspect_config_t config;
        status = etc__nrt_read_environment(&config);
        if (status)
            etc__nrt_free_config(&config);
        else
            status = etc__nrt_session_begin(&config);
    }
    return etc__nrt_leave(status);
}

/* Frees a model that is unloaded and not executing. */
static void free_model(nrt_model_t *model) {
    nrt_model_t **link = &etc__nrt.models;
    while (*link != model)
        link = &(*link)->next;
    *link = model->next;
    etc_close(model->capture);
    free(model->name);
    free(model);
}

static void unload(nrt_model_t *model) {
    for (nrt_profile *profile = etc__nrt.profiles; profile; profile = profile->next) {
        if (profile->model == model)
            profile->model = NULL;
    }
    model->is_unloaded = true;
    if (model->n_active == 0)
        free_model(model);
}

/* Unloads all models. */
static void unload_models(void) {
    for (nrt_model_t *model = etc__nrt.models, *next; model; model = next) {
        next = model->next;
        unload(model);
    }
}

NRT_STATUS etc_nrt_closed(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    etc__nrt.phase = NRT_PHASE_CLOSED;
    status = etc__nrt_end_all();
    unload_models();
    return etc__nrt_leave(status);
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

NRT_STATUS etc_nrt_model_loaded(const char *name, uint32_t vnc, nrt_model_t **model) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!model || vnc >= NRT_MOST_CORES)
        return etc__nrt_leave(NRT_INVALID);
    nrt_model_t *loaded = calloc(1, sizeof *loaded);
    char *copy = strdup(name ? name : "model");
    if (!loaded || !copy) {
        free(loaded);
        free(copy);
        return etc__nrt_leave(NRT_RESOURCE);
    }
    loaded->name = copy;
    loaded->core = vnc;
    loaded->next = etc__nrt.models;
    etc__nrt.models = loaded;
    etc__nrt.known_cores[vnc / 8] |= (uint8_t)(1u << vnc % 8);
    *model = loaded;
    etc__nrt_watch();
    return etc__nrt_leave(NRT_SUCCESS);
}

NRT_STATUS etc_nrt_model_unloaded(nrt_model_t *model) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_model_t *loaded = etc__nrt_find_model(model);
    if (!loaded)
        return etc__nrt_leave(NRT_INVALID_HANDLE);
    unload(loaded);
    return etc__nrt_leave(NRT_SUCCESS);
}

/* ---- executions ------------------------------------------------------------------------------ */

/* Opens the run of an execution in the model's capture. */
static etc_capture *begin_recording(nrt_model_t *model) {
    if (!model->capture && etc__nrt_open_growing(&model->capture)) {
        etc__nrt.n_executions_lost++;
        return NULL;
    }
    etc_reset(model->capture);
    etc_unset_instruction(model->capture);
    etc_set_bundled_input(model->capture, -1);
    etc_run(model->capture, model->name);
    model->is_recorded = true;
    return model->capture;
}

/* Returns whether this thread began the tracked execution, so that a further one is inside it. */
static bool is_inside(nrt_model_t *model) {
    return model->is_tracked && pthread_equal(model->owner, pthread_self());
}

static etc_capture *begin(nrt_model_t *model) {
    bool is_wanted =
        etc__nrt_profiles_want(model) || etc__nrt.continuous || etc__nrt_session_wants(model);
    if (model->is_tracked) {
        model->depth += is_inside(model);
        etc__nrt.n_executions_lost += is_wanted;
        return NULL;
    }
    if (model->is_unloaded || (!is_wanted && !etc__nrt.session))
        return NULL;
    model->is_tracked = true;
    model->is_recorded = false;
    model->owner = pthread_self();
    model->depth = 0;
    etc_capture *capture = is_wanted ? begin_recording(model) : NULL;
    model->start = etc_nrt_now();
    return capture;
}

etc_capture *etc_nrt_execute_begin(nrt_model_t *model) {
    etc_capture *capture = NULL;
    pthread_mutex_lock(&etc__nrt.mutex);
    nrt_model_t *found = find_any(model);
    if (found) {
        found->n_active++;
        capture = begin(found);
    }
    etc__nrt_leave(NRT_SUCCESS);
    return capture;
}

/* Closes the run with an event for the whole execution. */
static void end_recording(nrt_model_t *model, uint64_t end) {
    etc_capture *c = model->capture;
    etc_set_instruction(c, -1, 0);
    etc_log(c, etc_intern(c, "nrt_execute"), model->start, end);
    etc_run_end(c);
}

/* Returns whether the execution that ends on this thread is the tracked one. */
static bool ends_tracked(nrt_model_t *model, uint32_t n_active) {
    if (!model->is_tracked)
        return false;
    if (is_inside(model) && model->depth > 0) {
        model->depth--;
        return false;
    }
    return n_active == 1 || is_inside(model);
}

static NRT_STATUS end(nrt_model_t *model, uint64_t time, NRT_STATUS status) {
    NRT_STATUS result = NRT_SUCCESS;
    if (model->is_recorded) {
        end_recording(model, time);
        etc__nrt.n_executions++;
        result = etc__nrt_profiles_add(model);
        result = etc__nrt_worse(result, etc__nrt_continuous_add(model));
    }
    result = etc__nrt_worse(result, etc__nrt_session_add(model, time, status));
    model->is_tracked = false;
    return result;
}

NRT_STATUS etc_nrt_execute_end(nrt_model_t *model, NRT_STATUS status) {
    uint64_t time = etc_nrt_now();
    NRT_STATUS result = NRT_SUCCESS;
    pthread_mutex_lock(&etc__nrt.mutex);
    nrt_model_t *found = find_any(model);
    if (!found)
        return etc__nrt_leave(NRT_INVALID_HANDLE);
    if (ends_tracked(found, found->n_active))
        result = end(found, time, status);
    if (found->n_active > 0)
        found->n_active--;
    if (found->is_unloaded && found->n_active == 0)
        free_model(found);
    return etc__nrt_leave(result);
}

NRT_STATUS etc_nrt_event(uint32_t vnc, const char *type, uint64_t start, uint64_t end) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_event_type known = etc__nrt_find_event_type(type);
    if (known == NRT_N_EVENT_TYPES || vnc >= NRT_MOST_CORES || end < start)
        return etc__nrt_leave(NRT_INVALID);
    return etc__nrt_leave(etc__nrt_session_event(vnc, known, start, end));
}

/* ---- settings -------------------------------------------------------------------------------- */

void etc_nrt_continuous_runs(uint32_t n) {
    pthread_mutex_lock(&etc__nrt.mutex);
    etc__nrt.continuous_runs = n;
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
