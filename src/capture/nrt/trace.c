/*
 * trace.c - a trace of the runtime's calls in memory, and its options. Events are fetched as JSON.
 */
#include "capture/nrt/nrt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_EVENTS = 1000000, FIRST_EVENTS = 64, EVENTS_OF_CALL = 2 };

struct nrt_sys_trace_fetch_options {
    uint64_t max_events; /* of each NeuronCore */
    uint64_t core;       /* ALL_CORES: all */
};

#define ALL_CORES UINT64_MAX

/* ---- options --------------------------------------------------------------------------------- */

void etc__nrt_enable_core(nrt_sys_trace_config_t *config, uint32_t core, bool enabled) {
    uint8_t bit = (uint8_t)(1u << core % 8);
    if (enabled)
        config->disabled_cores[core / 8] &= (uint8_t)~bit;
    else
        config->disabled_cores[core / 8] |= bit;
}

bool etc__nrt_has_core(const nrt_sys_trace_config_t *config, uint32_t core) {
    return !(config->disabled_cores[core / 8] >> core % 8 & 1);
}

bool etc__nrt_has_event(const nrt_sys_trace_config_t *config, uint32_t core, nrt_event_type type) {
    return etc__nrt_has_core(config, core) && config->event_types >> type & 1;
}

/* Makes zeros for options if the runtime is open. */
static NRT_STATUS allocate(void **out, size_t size) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!out)
        return etc__nrt_leave(NRT_INVALID);
    *out = calloc(1, size);
    return etc__nrt_leave(*out ? NRT_SUCCESS : NRT_RESOURCE);
}

void nrt_sys_trace_config_set_defaults(nrt_sys_trace_config_t *options) {
    if (options)
        *options = (nrt_sys_trace_config_t){.max_events = DEFAULT_EVENTS,
                                            .event_types = NRT_ALL_EVENT_TYPES};
}

NRT_STATUS nrt_sys_trace_config_allocate(nrt_sys_trace_config_t **options) {
    void *made = NULL;
    NRT_STATUS status = allocate(options ? &made : NULL, sizeof **options);
    if (status)
        return status;
    *options = made;
    nrt_sys_trace_config_set_defaults(*options);
    return NRT_SUCCESS;
}

void nrt_sys_trace_config_free(nrt_sys_trace_config_t *options) {
    free(options);
}

void nrt_sys_trace_config_set_max_events_per_nc(nrt_sys_trace_config_t *options,
                                                uint64_t max_events_per_nc) {
    if (options && max_events_per_nc >= EVENTS_OF_CALL)
        options->max_events = max_events_per_nc;
}

void nrt_sys_trace_config_set_capture_enabled_for_nc(nrt_sys_trace_config_t *options,
                                                     uint32_t nc_idx, bool enabled) {
    if (options && nc_idx < NRT_MOST_CORES)
        etc__nrt_enable_core(options, nc_idx, enabled);
}

NRT_STATUS
nrt_sys_trace_config_set_capture_enabled_for_event_type(nrt_sys_trace_config_t *options,
                                                        const char *event_type, bool enabled) {
    nrt_event_type type = etc__nrt_find_event_type(event_type);
    if (!options || type == NRT_N_EVENT_TYPES)
        return NRT_INVALID;
    uint32_t bit = (uint32_t)1 << type;
    options->event_types = enabled ? options->event_types | bit : options->event_types & ~bit;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_sys_trace_config_get_enabled_event_types(nrt_sys_trace_config_t *options,
                                                        const char ***event_types, size_t *count) {
    if (!options || !event_types || !count)
        return NRT_INVALID;
    return etc__nrt_copy_event_types(event_types, count, options->event_types);
}

NRT_STATUS nrt_sys_trace_fetch_options_allocate(nrt_sys_trace_fetch_options_t **options) {
    void *made = NULL;
    NRT_STATUS status = allocate(options ? &made : NULL, sizeof **options);
    if (status)
        return status;
    *options = made;
    nrt_sys_trace_fetch_options_set_defaults(*options);
    return NRT_SUCCESS;
}

void nrt_sys_trace_fetch_options_set_defaults(nrt_sys_trace_fetch_options_t *options) {
    if (options)
        *options = (nrt_sys_trace_fetch_options_t){.max_events = UINT64_MAX, .core = ALL_CORES};
}

void nrt_sys_trace_fetch_options_free(nrt_sys_trace_fetch_options_t *options) {
    free(options);
}

void nrt_sys_trace_fetch_options_set_max_events_per_nc(nrt_sys_trace_fetch_options_t *options,
                                                       uint64_t max_events_per_nc) {
    if (options)
        options->max_events = max_events_per_nc;
}

void nrt_sys_trace_fetch_options_set_nc_idx(nrt_sys_trace_fetch_options_t *options,
                                            uint64_t nc_idx) {
    if (options)
        options->core = nc_idx;
}

/* ---- recording ------------------------------------------------------------------------------- */

void etc__nrt_trace_free(nrt_trace *trace) {
    for (uint32_t i = 0; trace && i < NRT_MOST_CORES; i++)
        free(trace->cores[i].events);
    free(trace);
}

/* Moves the events to a ring of twice the size, up to `most`. Returns false if there is no memory. */
static bool grow(nrt_trace_core *core, uint64_t most) {
    size_t size = core->size ? core->size * 2 : FIRST_EVENTS;
    size = size < most ? size : (size_t)most;
    nrt_trace_event *events = malloc(size * sizeof *events);
    if (!events)
        return false;
    for (size_t i = 0; i < core->n; i++)
        events[i] = core->events[(core->first + i) % core->size];
    free(core->events);
    core->events = events;
    core->size = size;
    core->first = 0;
    return true;
}

/* Adds an event, in place of the oldest if the ring has its full size or cannot grow. */
static bool add(nrt_trace_core *core, uint64_t most, nrt_trace_event event) {
    if (core->n == core->size && core->size < most && !grow(core, most) && !core->size)
        return false;
    if (core->n == core->size) {
        core->first = (core->first + 1) % core->size;
        core->n--;
    }
    core->events[(core->first + core->n++) % core->size] = event;
    return true;
}

static NRT_STATUS add_call(uint32_t core, nrt_event_type type, uint64_t execution, uint64_t start,
                           uint64_t end) {
    nrt_trace *trace = etc__nrt.trace;
    if (!trace || trace->since > start || !etc__nrt_has_event(&trace->config, core, type))
        return NRT_SUCCESS;
    nrt_trace_event event = {
        .time = start, .id = ++trace->last_id, .execution = execution, .type = type};
    bool is_added = add(&trace->cores[core], trace->config.max_events, event);
    event.time = end;
    event.is_stop = true;
    if (is_added && add(&trace->cores[core], trace->config.max_events, event))
        return NRT_SUCCESS;
    etc__nrt.n_events_lost++;
    return NRT_RESOURCE;
}

NRT_STATUS etc__nrt_trace_event(uint32_t core, nrt_event_type type, uint64_t start, uint64_t end) {
    return add_call(core, type, 0, start, end);
}

/* The NeuronCore is busy for the whole execution. */
NRT_STATUS etc__nrt_trace_execution(const nrt_execution *execution, uint64_t end) {
    if (!etc__nrt.trace)
        return NRT_SUCCESS;
    uint32_t core = execution->model->core;
    uint64_t number = ++etc__nrt.trace->n_executions;
    NRT_STATUS status = add_call(core, NRT_EVENT_nc_exec_running, number, execution->start, end);
    return etc__nrt_worse(status, add_call(core, NRT_EVENT_nrt_execute, 0, execution->start, end));
}

NRT_STATUS nrt_sys_trace_start(nrt_sys_trace_config_t *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (etc__nrt.trace)
        return etc__nrt_leave(NRT_INVALID);
    nrt_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return etc__nrt_leave(NRT_RESOURCE);
    nrt_sys_trace_config_set_defaults(&trace->config);
    if (options)
        trace->config = *options;
    trace->since = etc_nrt_now();
    etc__nrt.trace = trace;
    etc__nrt_watch();
    return etc__nrt_leave(NRT_SUCCESS);
}

NRT_STATUS nrt_sys_trace_stop(void) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!etc__nrt.trace)
        return etc__nrt_leave(NRT_INVALID);
    etc__nrt_trace_free(etc__nrt.trace);
    etc__nrt.trace = NULL;
    return etc__nrt_leave(NRT_SUCCESS);
}

/* ---- fetching -------------------------------------------------------------------------------- */

/* JSON that grows; without memory, `text` is NULL and nothing is added any more. */
typedef struct json_text {
    char *text;
    size_t length, size;
} json_text;

__attribute__((format(printf, 2, 3))) static void put(json_text *json, const char *format, ...) {
    enum { MOST_OF_A_CALL = 512 };
    if (!json->text)
        return;
    if (json->size - json->length < MOST_OF_A_CALL) {
        char *larger = malloc(json->size * 2);
        if (larger)
            memcpy(larger, json->text, json->length + 1);
        free(json->text);
        json->text = larger;
        json->size *= 2;
        if (!larger)
            return;
    }
    va_list arguments;
    va_start(arguments, format);
    json->length += (size_t)vsnprintf(json->text + json->length, MOST_OF_A_CALL, format, arguments);
    va_end(arguments);
}

static void put_event(json_text *json, const nrt_trace_event *event, uint32_t core) {
    put(json,
        "%s{\"event_type\":\"%s\",\"phase\":\"%s\",\"tracking_id\":%" PRIu64
        ",\"nc_idx\":%u,\"timestamp_ns\":%" PRIu64 ",\"data\":{",
        json->text && json->text[json->length - 1] == '[' ? "" : ",",
        etc__nrt_event_name(event->type), event->is_stop ? "stop" : "start", event->id,
        (unsigned)core, event->time);
    if (event->execution)
        put(json, "\"exec_id\":%" PRIu64 ",\"device_core_idx\":%u,\"nc_timestamp_ns\":%" PRIu64,
            event->execution, (unsigned)core, event->time);
    put(json, "}}");
}

static size_t n_fetched(const nrt_trace_core *core, uint32_t index,
                        const nrt_sys_trace_fetch_options_t *options) {
    if (options->core != ALL_CORES && options->core != index)
        return 0;
    return core->n < options->max_events ? core->n : (size_t)options->max_events;
}

/* Writes the events, and removes them when all are written. */
static NRT_STATUS fetch(json_text *json, nrt_trace *trace,
                        const nrt_sys_trace_fetch_options_t *options) {
    enum { FIRST_SIZE = 4096 };
    *json = (json_text){.text = malloc(FIRST_SIZE), .size = FIRST_SIZE};
    put(json, "{\"events\":[");
    for (uint32_t i = 0; i < NRT_MOST_CORES; i++) {
        const nrt_trace_core *core = &trace->cores[i];
        for (size_t n = n_fetched(core, i, options), k = 0; k < n && json->text; k++)
            put_event(json, &core->events[(core->first + k) % core->size], i);
    }
    put(json, "]}");
    if (!json->text)
        return NRT_RESOURCE;
    for (uint32_t i = 0; i < NRT_MOST_CORES; i++) {
        nrt_trace_core *core = &trace->cores[i];
        size_t n = n_fetched(core, i, options);
        core->first = core->size ? (core->first + n) % core->size : 0;
        core->n -= n;
    }
    return NRT_SUCCESS;
}

NRT_STATUS nrt_sys_trace_fetch_events(char **buffer, size_t *written_size,
                                      const nrt_sys_trace_fetch_options_t *options) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!buffer || !written_size || !etc__nrt.trace)
        return etc__nrt_leave(NRT_INVALID);
    nrt_sys_trace_fetch_options_t known;
    nrt_sys_trace_fetch_options_set_defaults(&known);
    if (options)
        known = *options;
    json_text json;
    status = fetch(&json, etc__nrt.trace, &known);
    if (!status) {
        *buffer = json.text;
        *written_size = json.length;
    }
    return etc__nrt_leave(status);
}

void nrt_sys_trace_buffer_free(char *buffer) {
    free(buffer);
}
