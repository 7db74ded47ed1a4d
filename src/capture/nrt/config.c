/*
 * config.c - options of inspection and of continuous profiling.
 */
#include "capture/nrt/nrt.h"

#include <stdlib.h>
#include <string.h>

static const char *const activity_names[NRT_N_ACTIVITIES] = {
    [NRT_SYSTEM_PROFILE] = "system_profile",
    [NRT_DEVICE_PROFILE] = "device_profile",
    [NRT_HOST_MEMORY] = "host_memory",
    [NRT_CPU_UTIL] = "cpu_util",
};

enum { ALL_ACTIVITIES = (1 << NRT_N_ACTIVITIES) - 1 };

/* ---- the options of inspection --------------------------------------------------------------- */

void etc__nrt_set_defaults(nrt_inspect_config_t *config) {
    *config = (nrt_inspect_config_t){.session_id = 1,
                                     .activities = ALL_ACTIVITIES,
                                     .devices = NRT_INSPECT_DEVICE_PROFILE_MODE_SESSION};
    nrt_sys_trace_config_set_defaults(&config->events);
}

void etc__nrt_free_config(nrt_inspect_config_t *config) {
    free(config->output_dir);
    config->output_dir = NULL;
}

NRT_STATUS etc__nrt_copy_config(nrt_inspect_config_t *out, const nrt_inspect_config_t *config) {
    if (!config) {
        etc__nrt_set_defaults(out);
        return NRT_SUCCESS;
    }
    *out = *config;
    out->output_dir = NULL;
    return config->output_dir ? etc__nrt_set_text(&out->output_dir, config->output_dir)
                              : NRT_SUCCESS;
}

bool etc__nrt_has_devices(const nrt_inspect_config_t *config) {
    return etc__nrt_has_activity(config, NRT_DEVICE_PROFILE) &&
           config->devices != NRT_INSPECT_DEVICE_PROFILE_MODE_DISABLED;
}

bool etc__nrt_has_activity(const nrt_inspect_config_t *config, nrt_activity activity) {
    return config->activities >> activity & 1;
}

bool etc__nrt_keeps_all(const nrt_inspect_config_t *config) {
    return config->inspects == NRT_YES || (config->inspects == NRT_NOT_SET && !config->on_fail);
}

bool etc__nrt_is_off(const nrt_inspect_config_t *config) {
    return !etc__nrt_keeps_all(config) && !config->on_fail;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Returns NRT_SUCCESS if the runtime is open and `options` is not NULL. */
static NRT_STATUS check(const void *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    return etc__nrt_leave(options ? NRT_SUCCESS : NRT_INVALID);
}

NRT_STATUS nrt_inspect_config_allocate(nrt_inspect_config_t **options) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    *options = malloc(sizeof **options);
    if (!*options)
        return NRT_RESOURCE;
    etc__nrt_set_defaults(*options);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_defaults(nrt_inspect_config_t *options) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    etc__nrt_free_config(options);
    etc__nrt_set_defaults(options);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_free(nrt_inspect_config_t *options) {
    if (!options)
        return NRT_INVALID;
    etc__nrt_free_config(options);
    free(options);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_session_id(nrt_inspect_config_t *options, int session_id) {
    NRT_STATUS status = check(options);
    if (!status)
        options->session_id = session_id;
    return status;
}

NRT_STATUS nrt_inspect_config_set_output_dir(nrt_inspect_config_t *options,
                                             const char *output_dir) {
    NRT_STATUS status = check(options);
    return status ? status : etc__nrt_set_text(&options->output_dir, output_dir);
}

NRT_STATUS
nrt_inspect_config_set_sys_trace_max_events_per_nc(nrt_inspect_config_t *options,
                                                   uint64_t sys_trace_max_events_per_nc) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    if (sys_trace_max_events_per_nc == 0)
        return NRT_INVALID;
    options->events.max_events = sys_trace_max_events_per_nc;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_capture_enabled_for_nc(nrt_inspect_config_t *options,
                                                         uint32_t nc_idx, bool enabled) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    if (nc_idx >= NRT_MOST_CORES)
        return NRT_INVALID;
    etc__nrt_enable_core(&options->events, nc_idx, enabled);
    return NRT_SUCCESS;
}

NRT_STATUS
nrt_inspect_config_set_capture_enabled_for_event_type_string(nrt_inspect_config_t *options,
                                                             const char *event_type, bool enabled) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    return nrt_sys_trace_config_set_capture_enabled_for_event_type(&options->events, event_type,
                                                                   enabled);
}

NRT_STATUS nrt_inspect_config_set_enable_inspect(nrt_inspect_config_t *options,
                                                 bool enable_inspect) {
    NRT_STATUS status = check(options);
    if (!status)
        options->inspects = enable_inspect ? NRT_YES : NRT_NO;
    return status;
}

NRT_STATUS nrt_inspect_config_set_enable_inspect_on_fail(nrt_inspect_config_t *options,
                                                         bool enable_inspect_on_fail) {
    NRT_STATUS status = check(options);
    if (!status)
        options->on_fail = enable_inspect_on_fail;
    return status;
}

NRT_STATUS nrt_inspect_config_set_inspect_device_profile_mode(
    nrt_inspect_config_t *options, nrt_inspect_device_profile_mode_t device_profile_mode) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    if ((unsigned)device_profile_mode > NRT_INSPECT_DEVICE_PROFILE_MODE_SESSION)
        return NRT_INVALID;
    options->devices = device_profile_mode;
    return NRT_SUCCESS;
}

/* ---- activities ------------------------------------------------------------------------------ */

static NRT_STATUS copy_activities(const char ***out, size_t *count, unsigned activities) {
    const char *names[NRT_N_ACTIVITIES];
    size_t n = 0;
    for (unsigned i = 0; i < NRT_N_ACTIVITIES; i++) {
        if (activities >> i & 1)
            names[n++] = activity_names[i];
    }
    return etc__nrt_copy_texts(out, count, names, n);
}

NRT_STATUS nrt_inspect_config_get_all_activity_types(const char ***activity_types, size_t *count) {
    NRT_STATUS status = check(activity_types);
    if (status)
        return status;
    return count ? copy_activities(activity_types, count, ALL_ACTIVITIES) : NRT_INVALID;
}

NRT_STATUS nrt_inspect_config_get_enabled_activity_types(nrt_inspect_config_t *options,
                                                         const char ***activity_types,
                                                         size_t *count) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    if (!activity_types || !count)
        return NRT_INVALID;
    return copy_activities(activity_types, count, options->activities);
}

void nrt_inspect_config_free_activity_types(const char **activity_types, size_t count) {
    etc__nrt_free_texts(activity_types, count);
}

NRT_STATUS nrt_inspect_config_set_activity(nrt_inspect_config_t *options, const char *activity_type,
                                           bool enabled) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    unsigned bits = 0;
    for (unsigned i = 0; activity_type && i < NRT_N_ACTIVITIES; i++) {
        if (strcmp(activity_type, activity_names[i]) == 0 || strcmp(activity_type, "all") == 0)
            bits |= 1u << i;
    }
    if (!bits)
        return NRT_INVALID;
    options->activities = enabled ? options->activities | bits : options->activities & ~bits;
    return NRT_SUCCESS;
}

/* ---- the options of continuous profiling ----------------------------------------------------- */

NRT_STATUS nrt_profile_continuous_options_allocate(nrt_profile_continuous_options_t **options) {
    NRT_STATUS status = check(options);
    if (status)
        return status;
    *options = calloc(1, sizeof **options);
    return *options ? NRT_SUCCESS : NRT_RESOURCE;
}

NRT_STATUS nrt_profile_continuous_options_free(nrt_profile_continuous_options_t *options) {
    if (options)
        free(options->output_dir);
    free(options);
    return NRT_SUCCESS;
}

NRT_STATUS
nrt_profile_continuous_options_set_output_dir(nrt_profile_continuous_options_t *options,
                                              const char *output_dir) {
    NRT_STATUS status = check(options);
    return status ? status : etc__nrt_set_text(&options->output_dir, output_dir);
}
