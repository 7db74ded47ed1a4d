/*
 * environment.c - options of inspection from variables of the environment.
 */
#include "capture/nrt/nrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 80 }; /* characters of a wrong value in a message */

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
    memset(config->events.disabled_cores, 0xff, sizeof config->events.disabled_cores);
    for (;;) {
        uint64_t first, last;
        if (!read_range(&at, &first, &last))
            return NRT_INVALID;
        for (; first <= last; first++)
            etc__nrt_enable_core(&config->events, (uint32_t)first, true);
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

/* Says on stderr that a type is unknown: a type that only later versions of the vendor's runtime have is no reason to refuse a
 * profile. */
static void skip_type(const char *item, size_t length) {
    fprintf(stderr,
            "libnrt_profile_etcapture: NEURON_RT_INSPECT_EVENT_FILTER_TYPE: skipped the unknown "
            "type \"%.*s\"; "
            "nrt_sys_trace_get_event_types() returns those that are known\n",
            (int)(length < MOST_SHOWN ? length : MOST_SHOWN), item);
}

/* Reads "hardware,nrt_load,^cc_running". If there are only exclusions, they exclude from all
 * types. */
static NRT_STATUS read_types(nrt_inspect_config_t *config, const char *at) {
    uint32_t included = 0, excluded = 0;
    bool includes = false;
    if (!at)
        return NRT_SUCCESS;
    for (;;) {
        bool is_excluded = *at == '^';
        at += is_excluded;
        size_t length = strcspn(at, ",");
        uint32_t types = types_of(at, length);
        if (!length)
            return NRT_INVALID;
        if (!types)
            skip_type(at, length);
        *(is_excluded ? &excluded : &included) |= types;
        includes |= !is_excluded;
        at += length;
        if (*at++ == '\0')
            break;
    }
    config->events.event_types = (includes ? included : NRT_ALL_EVENT_TYPES) & ~excluded;
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

/* Reads whether an activity is captured. */
static NRT_STATUS read_activity(nrt_inspect_config_t *config, const char *name,
                                nrt_activity activity) {
    bool is_on;
    NRT_STATUS status = read_flag(&is_on, name, true);
    if (!is_on)
        clear_activity(config, activity);
    return status;
}

static NRT_STATUS read_device_profile(nrt_inspect_config_t *config, const char *value) {
    if (!value || strcmp(value, "session") == 0)
        return NRT_SUCCESS;
    if (strcmp(value, "1") == 0 || strcmp(value, "model") == 0) {
        config->devices = NRT_INSPECT_DEVICE_PROFILE_MODE_MODEL;
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
    config->events.max_events = number;
    return NRT_SUCCESS;
}

static NRT_STATUS read_warmup(nrt_inspect_config_t *config, const char *value) {
    if (!value)
        return NRT_SUCCESS;
    return read_number(&value, &config->n_warmup) && !*value ? NRT_SUCCESS : NRT_INVALID;
}

static NRT_STATUS read_folder(nrt_inspect_config_t *config, const char *value) {
    return value ? etc__nrt_set_text(&config->output_dir, value) : NRT_SUCCESS;
}

NRT_STATUS etc__nrt_read_environment(nrt_inspect_config_t *config) {
    etc__nrt_set_defaults(config);
    const NRT_STATUS statuses[] = {
        read_enable(config),
        read_activity(config, "SYSTEM_PROFILE", NRT_SYSTEM_PROFILE),
        read_activity(config, "HOST_MEMORY", NRT_HOST_MEMORY),
        read_activity(config, "CPU_UTIL", NRT_CPU_UTIL),
        read_device_profile(config, variable("DEVICE_PROFILE")),
        read_warmup(config, variable("DEVICE_PROFILE_NUM_WARMUP")),
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
