/*
 * values.c - the calls for debug values. What the debug level keeps goes to debug.c, which a program for a board links only if a
 * configuration has a debug level.
 */
#include "capture/capture.h"

/* ---- where contents go ----------------------------------------------------------------------- */

/* Checks whether the destination can change: contents written to a sink cannot get other offsets, which a ring and lanes
 * would need. */
static etc_status check_destination(const etc_capture *c) {
    bool leaves = c->lane && c->lane->main->debug_sink.write;
    return c->has_tensors || leaves ? ETC_STATE : ETC_OK;
}

etc_status etc_set_debug_buffer(etc_capture *c, void *buffer, size_t size) {
    if (!c)
        return ETC_OK;
    etc_status status = check_destination(c);
    if (status)
        return status;
    c->debug_buffer = buffer;
    c->debug_size = buffer ? size : 0;
    c->debug_sink = (etc_sink){0};
    c->debug_used = 0;
    c->debug_error = 0;
    return ETC_OK;
}

etc_status etc_set_debug_sink(etc_capture *c, etc_sink sink) {
    if (!c)
        return ETC_OK;
    if (!sink.write)
        return ETC_INVALID;
    if (c->lane || c->next_lane || c->when_full == ETC_RING)
        return ETC_STATE;
    etc_status status = etc_set_debug_buffer(c, NULL, 0);
    if (!status)
        c->debug_sink = sink;
    return status;
}

uint64_t etc_debug_used(const etc_capture *c) {
    return c ? c->debug_used : 0;
}

int etc_debug_sink_error(const etc_capture *c) {
    return c && c->when_full != ETC_RING ? c->debug_error : 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns whether the capture records and the debug level keeps a value; counts one that it does not keep. */
static bool is_wanted(etc_capture *c, unsigned flags) {
    unsigned needed =
        flags & ETC_PROGRAM_OUTPUT ? ETC_DEBUG_PROGRAM_OUTPUTS : ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    if (!etc__is_on(c))
        return false;
    if (c->debug_level >= needed)
        return true;
    etc__count(&c->n_below_level);
    return false;
}

static etc_status log_number(etc_capture *c, etc_key key, etc_value_type type, uint64_t bits,
                             unsigned flags) {
    return is_wanted(c, 0) ? c->values->log_number(c, key, (uint8_t)type, bits, flags) : ETC_OK;
}

static etc_status log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                              unsigned flags, etc_value_type type) {
    if (!is_wanted(c, flags))
        return ETC_OK;
    return c->values->log_tensors(c, key, tensors, n, flags, (uint8_t)type);
}

etc_status etc_log_int(etc_capture *c, etc_key key, int64_t value, unsigned flags) {
    return log_number(c, key, ETC_VALUE_INT, (uint64_t)value, flags);
}

etc_status etc_log_bool(etc_capture *c, etc_key key, bool value, unsigned flags) {
    return log_number(c, key, ETC_VALUE_BOOL, value, flags);
}

etc_status etc_log_double(etc_capture *c, etc_key key, double value, unsigned flags) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t n_events = c ? c->n_events : 0;
    etc_status status = log_number(c, key, ETC_VALUE_DOUBLE, bits, flags);
    if (c && c->n_events > n_events && (bits >> 52 & 0x7ff) == 0x7ff)
        etc__count(&c->n_not_finite);
    return status;
}

etc_status etc_log_tensor(etc_capture *c, etc_key key, const etc_tensor *tensor, unsigned flags) {
    return log_tensors(c, key, tensor, 1, flags, ETC_VALUE_TENSOR);
}

etc_status etc_log_tensors(etc_capture *c, etc_key key, const etc_tensor *tensors, size_t n,
                           unsigned flags) {
    return log_tensors(c, key, tensors, n, flags, ETC_VALUE_TENSORS);
}
