/*
 * environment.c - options of inspection from variables of the environment.
 */
#include "capture/nrt/nrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the value of NEURON_RT_INSPECT_<name>. NULL: it is not set, or empty. */
static const char *variable(const char *name) {
    char full[80];
    snprintf(full, sizeof full, "NEURON_RT_INSPECT_%s", name);
    const char *value = getenv(full);
    return value && value[0] ? value : NULL;
}

/* Reads 0 or 1. */
static NRT_STATUS read_flag(bool *out, const char *name, bool otherwise) {
    const char *value = variable(name);
    *out = value ? strcmp(value, "1") == 0 : otherwise;
    return !value || *out || strcmp(value, "0") == 0 ? NRT_SUCCESS : NRT_INVALID;
}

static void clear_activity(nrt_inspect_config_t *config, nrt_activity activity) {
    config->activities &= ~(1u << activity);
}

/* Reads a decimal number, which begins at *at. */
static bool read_number(const char **at, uint64_t *out) {
    uint64_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        if (number > (UINT64_MAX - 9) / 10)
            return false;
        number = number * 10 + (uint64_t)(*digit - '0');
    }
    bool is_number = digit > *at;
    *at = digit;
    *out = number;
    return is_number;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Reads "3" or "4-7". */
static bool read_range(const char **at, uint64_t *first, uint64_t *last) {
    if (!read_number(at, first))
        return false;
    *last = *first;
    if (**at == '-') {
        ++*at;
        if (!read_number(at, last))
            return false;
    }
    return *first <= *last && *last < NRT_MOST_CORES;
}

/* Reads "0,2,4-7". */
static NRT_STATUS read_cores(nrt_inspect_config_t *config, const char *at) {
    if (!at)
        return NRT_SUCCESS;
    memset(config->disabled_cores, 0xff, sizeof config->disabled_cores);
    for (;;) {
        uint64_t first, last;
        if (!read_range(&at, &first, &last))
            return NRT_INVALID;
        for (; first <= last; first++)
            etc__nrt_enable_core(config, (uint32_t)first, true);
        if (*at == '\0')
            return NRT_SUCCESS;
        if (*at++ != ',')
            return NRT_INVALID;
    }
}

/* Returns the types that an item names, which is a type or a group; 0: there is none with this
 * name. */
static uint32_t types_of(const char *item, size_t length) {
    char name[40];
    if (length >= sizeof name)
        return 0;
    memcpy(name, item, length);
    name[length] = '\0';
    nrt_event_type type = etc__nrt_find_event_type(name);
    return type == NRT_N_EVENT_TYPES ? etc__nrt_event_group(name) : (uint32_t)1 << type;
}

/* Reads "hardware,nrt_load,^cc_running". If there are only exclusions, they exclude from all
 * types. */
static NRT_STATUS read_types(nrt_inspect_config_t *config, const char *at) {
    uint32_t included = 0, excluded = 0;
    if (!at)
        return NRT_SUCCESS;
    for (;;) {
        bool is_excluded = *at == '^';
        at += is_excluded;
        size_t length = strcspn(at, ",");
        uint32_t types = types_of(at, length);
        if (!types)
            return NRT_INVALID;
        *(is_excluded ? &excluded : &included) |= types;
        at += length;
        if (*at++ == '\0')
            break;
    }
    config->event_types = (included ? included : NRT_ALL_EVENT_TYPES) & ~excluded;
    return NRT_SUCCESS;
}

/* ---- all variables --------------------------------------------------------------------------- */

static NRT_STATUS read_enable(nrt_inspect_config_t *config) {
    bool enable;
    NRT_STATUS status = read_flag(&enable, "ENABLE", true);
    if (variable("ENABLE"))
        config->inspects = enable ? NRT_YES : NRT_NO;
    return status;
}

static NRT_STATUS read_system_profile(nrt_inspect_config_t *config) {
    bool is_on;
    NRT_STATUS status = read_flag(&is_on, "SYSTEM_PROFILE", true);
    if (!is_on)
        clear_activity(config, NRT_SYSTEM_PROFILE);
    return status;
}

static NRT_STATUS read_device_profile(nrt_inspect_config_t *config, const char *value) {
    if (!value || strcmp(value, "session") == 0)
        return NRT_SUCCESS;
    if (strcmp(value, "1") == 0 || strcmp(value, "model") == 0) {
        config->first_only = true;
        return NRT_SUCCESS;
    }
    clear_activity(config, NRT_DEVICE_PROFILE);
    return strcmp(value, "0") == 0 ? NRT_SUCCESS : NRT_INVALID;
}

static NRT_STATUS read_most_events(nrt_inspect_config_t *config, const char *value) {
    uint64_t number;
    if (!value)
        return NRT_SUCCESS;
    if (!read_number(&value, &number) || *value || number == 0)
        return NRT_INVALID;
    config->max_events = number;
    return NRT_SUCCESS;
}

static NRT_STATUS read_folder(nrt_inspect_config_t *config, const char *value) {
    return value ? etc__nrt_set_text(&config->output_dir, value) : NRT_SUCCESS;
}

NRT_STATUS etc__nrt_read_environment(nrt_inspect_config_t *config) {
    etc__nrt_set_defaults(config);
    const NRT_STATUS statuses[] = {
        read_enable(config),
        read_system_profile(config),
        read_device_profile(config, variable("DEVICE_PROFILE")),
        read_flag(&config->on_fail, "ON_FAIL", false),
        read_cores(config, variable("EVENT_FILTER_NC")),
        read_types(config, variable("EVENT_FILTER_TYPE")),
        read_most_events(config, variable("SYS_TRACE_MAX_EVENTS_PER_NC")),
        read_folder(config, variable("OUTPUT_DIR")),
    };
    NRT_STATUS worst = NRT_SUCCESS;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        worst = etc__nrt_worse(worst, statuses[i]);
    return worst;
}

bool etc__nrt_environment_enables(void) {
    const char *value = variable("ENABLE");
    return value && strcmp(value, "0") != 0;
}
