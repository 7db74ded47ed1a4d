/*
 * inspect.c - sessions of inspection: rings of executions for each NeuronCore, and one of the runtime's
 * calls.
 */
#include "capture/nrt/nrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void etc__nrt_session_free(nrt_session *session) {
    if (!session)
        return;
    for (uint32_t i = 0; i < NRT_MOST_CORES; i++)
        etc_close(session->cores[i]);
    etc_close(session->system);
    etc__nrt_free_config(&session->config);
    free(session->folder);
    if (session->statm >= 0)
        close(session->statm);
    free(session);
}

/* ---- executions ------------------------------------------------------------------------------ */

bool etc__nrt_session_wants(const nrt_model_t *model) {
    const nrt_session *session = etc__nrt.session;
    if (!session || etc__nrt_is_off(&session->config) || !etc__nrt_has_devices(&session->config) ||
        !etc__nrt_has_core(&session->config.events, model->core))
        return false;
    if (session->config.devices != NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL)
        return true;
    uint64_t n_begun = model->counted_session == session->number ? model->n_in_session : 0;
    return model->first_session != session->number && n_begun >= session->config.n_warmup;
}

static NRT_STATUS add_execution(nrt_session *session, const nrt_execution *execution) {
    etc_capture **ring = &session->cores[execution->model->core];
    if (!*ring && etc__nrt_open_ring(ring, session->config.events.max_events, 0)) {
        etc__nrt.n_executions_lost++;
        return NRT_RESOURCE;
    }
    NRT_STATUS status = etc__nrt_append(*ring, execution);
    if (!status)
        execution->model->first_session = session->number;
    return status;
}

NRT_STATUS etc__nrt_session_add(const nrt_execution *execution, uint64_t end, NRT_STATUS status) {
    nrt_session *session = etc__nrt.session;
    NRT_STATUS result = NRT_SUCCESS;
    if (!session || session->since > execution->start || etc__nrt_is_off(&session->config))
        return NRT_SUCCESS;
    bool is_kept = status != NRT_SUCCESS || etc__nrt_keeps_all(&session->config);
    if (execution->is_recorded && execution->is_for_session && is_kept &&
        etc__nrt_session_wants(execution->model))
        result = add_execution(session, execution);
    result =
        etc__nrt_worse(result, etc__nrt_session_event(execution->model->core, NRT_EVENT_nrt_execute,
                                                      execution->start, end));
    return etc__nrt_worse(result, etc__nrt_sample(session));
}

/* ---- calls of the runtime -------------------------------------------------------------------- */

/* Records each call as a run, so that the oldest calls can be dropped and calls of one type are samples of one event. The
 * instruction is the NeuronCore. */
NRT_STATUS etc__nrt_session_event(uint32_t core, nrt_event_type type, uint64_t start,
                                  uint64_t end) {
    nrt_session *session = etc__nrt.session;
    if (!session || etc__nrt_is_off(&session->config) ||
        !etc__nrt_has_activity(&session->config, NRT_SYSTEM_PROFILE) ||
        !etc__nrt_has_event(&session->config.events, core, type))
        return NRT_SUCCESS;
    if (!session->system &&
        etc__nrt_open_ring(&session->system, session->config.events.max_events, 0)) {
        etc__nrt.n_events_lost++;
        return NRT_RESOURCE;
    }
    const char *name = etc__nrt_event_name(type);
    etc_name interned = etc_intern(session->system, name);
    if (!interned) {
        etc__nrt.n_events_lost++;
        return NRT_RESOURCE;
    }
    etc_run(session->system, name);
    etc_set_instruction(session->system, 0, core);
    etc_log(session->system, interned, start, end);
    etc_run_end(session->system);
    return NRT_SUCCESS;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* Makes the folder now, so that one that cannot be made is known before the session, not after it. */
static NRT_STATUS make_folder(nrt_session *session) {
    const nrt_inspect_config_t *config = &session->config;
    const char *folder = config->output_dir ? config->output_dir : NRT_DEFAULT_FOLDER;
    if (etc__nrt_is_off(config) || !config->activities)
        return NRT_SUCCESS;
    return etc__nrt_make_session_folder(&session->folder, folder, config->session_id);
}

/* Removes the folder of a session that wrote nothing. */
static void remove_empty(const nrt_session *session) {
    if (session->folder)
        (void)rmdir(session->folder);
}

NRT_STATUS etc__nrt_session_begin(nrt_inspect_config_t *config) {
    nrt_session *session = NULL;
    NRT_STATUS status = NRT_INVALID;
    if (!etc__nrt.session && !etc__nrt.continuous) {
        session = calloc(1, sizeof *session);
        status = NRT_RESOURCE;
    }
    if (!session) {
        etc__nrt_free_config(config);
        return status;
    }
    session->config = *config;
    session->statm = -1;
    session->number = ++etc__nrt.n_sessions;
    session->since = etc_nrt_now();
    status = make_folder(session);
    if (!status)
        status = etc__nrt_sample(session);
    if (status) {
        remove_empty(session);
        etc__nrt_session_free(session);
        return status;
    }
    etc__nrt.session = session;
    etc__nrt_watch();
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_begin_with_options(nrt_inspect_config_t *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_inspect_config_t config;
    status = etc__nrt_copy_config(&config, options);
    return etc__nrt_leave(status ? status : etc__nrt_session_begin(&config));
}

NRT_STATUS nrt_inspect_begin(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_inspect_config_t config;
    status = etc__nrt_read_environment(&config);
    if (status)
        etc__nrt_free_config(&config);
    return etc__nrt_leave(status ? status : etc__nrt_session_begin(&config));
}

/* ---- stopping -------------------------------------------------------------------------------- */

static NRT_STATUS save_cores(const nrt_session *session, const char *folder) {
    NRT_STATUS status = NRT_SUCCESS;
    char name[32];
    for (unsigned i = 0; i < NRT_MOST_CORES; i++) {
        if (!session->cores[i])
            continue;
        snprintf(name, sizeof name, "nc_%u.etdp", i);
        status = etc__nrt_worse(status, etc__nrt_save_in(session->cores[i], folder, name));
    }
    return status;
}

static bool is_empty(const nrt_session *session) {
    bool has_any = session->system;
    for (unsigned i = 0; i < NRT_MOST_CORES; i++)
        has_any |= session->cores[i] != NULL;
    return !has_any;
}

NRT_STATUS etc__nrt_session_save(const nrt_session *session) {
    if (is_empty(session)) {
        remove_empty(session);
        return NRT_SUCCESS;
    }
    NRT_STATUS status = etc__nrt_make_folder(session->folder); /* it may have been removed */
    if (status)
        return status;
    status = save_cores(session, session->folder);
    if (session->system)
        status = etc__nrt_worse(status,
                                etc__nrt_save_in(session->system, session->folder, "system.etdp"));
    return status;
}

NRT_STATUS nrt_inspect_stop(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    nrt_session *session = etc__nrt.session;
    if (!session)
        return etc__nrt_leave(NRT_SUCCESS);
    etc__nrt_sample(session);
    etc__nrt.session = NULL;
    etc__nrt_begin_writing();
    status = etc__nrt_session_save(session);
    etc__nrt_session_free(session);
    etc__nrt_end_writing();
    return etc__nrt_leave(status);
}
