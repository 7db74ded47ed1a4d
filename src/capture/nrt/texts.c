/*
 * texts.c - texts that callers own, and the types of events.
 */
#include "capture/nrt/nrt.h"

#include <stdlib.h>
#include <string.h>

NRT_STATUS etc__nrt_set_text(char **out, const char *text) {
    if (!text || !text[0])
        return NRT_INVALID;
    char *copy = strdup(text);
    if (!copy)
        return NRT_RESOURCE;
    free(*out);
    *out = copy;
    return NRT_SUCCESS;
}

NRT_STATUS etc__nrt_copy_texts(const char ***out, size_t *count, const char *const *texts,
                               size_t n) {
    const char **copies = calloc(n + 1, sizeof *copies); /* never of size 0 */
    if (!copies)
        return NRT_RESOURCE;
    for (size_t i = 0; i < n; i++) {
        copies[i] = strdup(texts[i]);
        if (!copies[i]) {
            etc__nrt_free_texts(copies, n);
            return NRT_RESOURCE;
        }
    }
    *out = copies;
    *count = n;
    return NRT_SUCCESS;
}

void etc__nrt_free_texts(const char **texts, size_t count) {
    for (size_t i = 0; texts && i < count; i++)
        free((void *)texts[i]);
    free((void *)texts);
}

/* ---- types of events ------------------------------------------------------------------------- */

static const char *const event_names[NRT_N_EVENT_TYPES] = {
#define NRT_EVENT_NAME(name, is_hardware) #name,
    NRT_EVENT_TYPES(NRT_EVENT_NAME)
#undef NRT_EVENT_NAME
};

static const bool are_hardware[NRT_N_EVENT_TYPES] = {
#define NRT_EVENT_HARDWARE(name, is_hardware) is_hardware,
    NRT_EVENT_TYPES(NRT_EVENT_HARDWARE)
#undef NRT_EVENT_HARDWARE
};

const char *etc__nrt_event_name(nrt_event_type type) {
    return event_names[type];
}

nrt_event_type etc__nrt_find_event_type(const char *name) {
    unsigned type = 0;
    while (type < NRT_N_EVENT_TYPES && !(name && strcmp(name, event_names[type]) == 0))
        type++;
    return (nrt_event_type)type;
}

uint32_t etc__nrt_event_group(const char *name) {
    uint32_t hardware = 0;
    for (unsigned type = 0; type < NRT_N_EVENT_TYPES; type++)
        hardware |= (uint32_t)are_hardware[type] << type;
    if (strcmp(name, "hardware") == 0)
        return hardware;
    return strcmp(name, "software") == 0 ? NRT_ALL_EVENT_TYPES & ~hardware : 0;
}

NRT_STATUS etc__nrt_copy_event_types(const char ***out, size_t *count, uint32_t types) {
    const char *names[NRT_N_EVENT_TYPES];
    size_t n = 0;
    for (unsigned type = 0; type < NRT_N_EVENT_TYPES; type++) {
        if (types >> type & 1)
            names[n++] = event_names[type];
    }
    return etc__nrt_copy_texts(out, count, names, n);
}

NRT_STATUS nrt_sys_trace_get_event_types(const char ***event_types, size_t *count) {
    NRT_STATUS status = etc__nrt_enter();
    if (status)
        return status;
    if (!event_types || !count)
        return etc__nrt_leave(NRT_INVALID);
    return etc__nrt_leave(etc__nrt_copy_event_types(event_types, count, NRT_ALL_EVENT_TYPES));
}

void nrt_sys_trace_free_event_types(const char **event_types, size_t count) {
    etc__nrt_free_texts(event_types, count);
}
