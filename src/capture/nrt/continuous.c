/*
 * continuous.c - keeps the latest executions on each NeuronCore in memory.
 */
#include "capture/nrt/nrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 1000000 };

void etc__nrt_continuous_free(nrt_continuous *continuous) {
    for (uint32_t i = 0; continuous && i < NRT_MOST_CORES; i++)
        etc_close(continuous->cores[i].capture);
    free(continuous);
}

NRT_STATUS etc__nrt_continuous_add(const nrt_execution *execution) {
    nrt_continuous *continuous = etc__nrt.continuous;
    if (!continuous || continuous->since > execution->start)
        return NRT_SUCCESS;
    nrt_continuous_core *core = &continuous->cores[execution->model->core];
    core->was_executed = true;
    if (!core->capture &&
        etc__nrt_open_ring(&core->capture, MOST_EVENTS, etc__nrt.continuous_runs)) {
        etc__nrt.n_executions_lost++;
        return NRT_RESOURCE;
    }
    NRT_STATUS status = etc__nrt_append(core->capture, execution);
    if (!status)
        etc__nrt_file_name(core->model, execution->model->name);
    return status;
}

/* A ring stays as it is if there is no memory for another. */
void etc__nrt_continuous_resize(void) {
    for (uint32_t i = 0; etc__nrt.continuous && i < NRT_MOST_CORES; i++) {
        nrt_continuous_core *core = &etc__nrt.continuous->cores[i];
        etc_capture *other;
        if (!core->capture || etc__nrt_open_ring(&other, MOST_EVENTS, etc__nrt.continuous_runs))
            continue;
        etc_append(other, core->capture, NULL);
        etc_close(core->capture);
        core->capture = other;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool inspects_devices(const nrt_session *session) {
    return session && !etc__nrt_is_off(&session->config) && etc__nrt_has_devices(&session->config);
}

NRT_STATUS nrt_profile_continuous_start(nrt_profile_continuous_options_t *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (etc__nrt.continuous || inspects_devices(etc__nrt.session))
        return etc__nrt_leave(NRT_INVALID);
    /* The folder is that of each save; one that cannot be made is known now. */
    status =
        options && options->output_dir ? etc__nrt_make_folder(options->output_dir) : NRT_SUCCESS;
    if (status)
        return etc__nrt_leave(status);
    etc__nrt.continuous = calloc(1, sizeof *etc__nrt.continuous);
    if (!etc__nrt.continuous)
        return etc__nrt_leave(NRT_RESOURCE);
    etc__nrt.continuous->since = etc_nrt_now();
    etc__nrt_watch();
    return etc__nrt_leave(NRT_SUCCESS);
}

NRT_STATUS nrt_profile_continuous_stop(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!etc__nrt.continuous)
        return etc__nrt_leave(NRT_INVALID);
    etc__nrt_continuous_free(etc__nrt.continuous);
    etc__nrt.continuous = NULL;
    etc__nrt_watch();
    return etc__nrt_leave(NRT_SUCCESS);
}

/* Copies the latest executions on a NeuronCore, so that files are written without the mutex. */
static NRT_STATUS copy_latest(etc_capture **out, const nrt_continuous_core *core) {
    if (!core->was_executed)
        return NRT_QUEUE_EMPTY;
    if (!core->capture)
        return NRT_RESOURCE;
    if (etc__nrt_open_growing(out))
        return NRT_RESOURCE;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.last_runs = etc__nrt.continuous_runs;
    etc_status status = etc_append(*out, core->capture, &options);
    if (!status)
        return NRT_SUCCESS;
    etc_close(*out); /* no execution has fitted, or this copy does not */
    return NRT_RESOURCE;
}

NRT_STATUS nrt_profile_continuous_save(uint32_t vnc, nrt_profile_continuous_options_t *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!etc__nrt.continuous || vnc >= NRT_MOST_CORES ||
        !(etc__nrt.known_cores[vnc / 8] >> vnc % 8 & 1))
        return etc__nrt_leave(NRT_INVALID);
    const nrt_continuous_core *core = &etc__nrt.continuous->cores[vnc];
    etc_capture *latest;
    status = copy_latest(&latest, core);
    if (status)
        return etc__nrt_leave(status);
    char model[NRT_NAME_BYTES];
    snprintf(model, sizeof model, "%s", core->model);
    etc__nrt_begin_writing();
    const char *folder = options && options->output_dir ? options->output_dir : NRT_DEFAULT_FOLDER;
    status = etc__nrt_save_numbered(latest, folder, model, vnc);
    etc_close(latest);
    etc__nrt_end_writing();
    return etc__nrt_leave(status);
}
