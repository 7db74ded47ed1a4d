/*
 * request.h - what a program asked for: options set by name, kept as they were written and as what they mean.
 *
 * A request holds the options of all rooms. Those that several rooms read stand where the first of them reads
 * them; the functions below make of a request what one room takes.
 */
#ifndef ETI_API_REQUEST_H
#define ETI_API_REQUEST_H

#include "api/meaning.h"
#include "base/arena.h"
#include "gate/options.h"

/* One call of eti_request_set() or eti_request_add_input(). */
typedef struct eti__setting {
    const struct eti__option *option;
    const char *value; /* as it was written; of an input its name */
    eti_source source; /* eti_request_add_input() only: otherwise all zeros */
} eti__setting;

struct eti_request {
    eti_arena arena;
    const char *prefix;     /* of the names of options in messages; the caller's */
    eti__setting *settings; /* in the order they came */
    size_t n_settings, setting_capacity;

    eti__meaning meaning;
};

/* The parts of a request, or of one in which nothing is set. They borrow from it. */
eti_inputs eti__request_inputs(const eti_request *request);
eti_options eti__request_opening(const eti_request *request);
eti_view_options eti__request_view(const eti_request *request);
eti_selection eti__request_selection(const eti_request *request);
eti_profile_options eti__request_profile(const eti_request *request);
eti_diff_options eti__request_diff(const eti_request *request);
eti_gate_options eti__request_gate(const eti_request *request);
eti_write_options eti__request_write(const eti_request *request);

#endif
