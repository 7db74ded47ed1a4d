/*
 * request.h - a request: options set by name, stored both as written and as parsed.
 *
 * A request holds the options of all rooms. The functions below return the options of one room.
 */
#ifndef ETI_API_REQUEST_H
#define ETI_API_REQUEST_H

#include "account/account.h"
#include "api/meaning.h"
#include "base/arena.h"
#include "compare/compare.h"
#include "gate/gate.h"
#include "measure/measure.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "profile/profile.h"
#include "report/report.h"
#include "table/table.h"
#include "write/write.h"

/* One call of eti_request_set() or eti_request_add_input(). */
typedef struct eti__setting {
    const struct eti__option *option;
    const char *value; /* as written; for an input, its name */
    eti_source source; /* set by eti_request_add_input(), otherwise all zeros */
    bool is_by_name;   /* applies to each command that has an option of this name */
} eti__setting;

struct eti_request {
    eti_arena texts;        /* the values of all settings, and of those that were reset */
    eti_arena parts;        /* parts of values, for `meaning` */
    const char *prefix;     /* prefix of option names in messages; borrowed from the caller */
    eti__setting *settings; /* in the order they were set */
    size_t n_settings, setting_capacity;

    eti__meaning meaning;
};

/* Return the options of one room, borrowed from the request; the defaults if the request is
 * NULL. */
eti_inputs eti__request_inputs(const eti_request *request);
eti_options eti__request_opening(const eti_request *request);
eti_view_options eti__request_view(const eti_request *request);
eti_numerics_options eti__request_numerics(const eti_request *request);
eti_selection eti__request_selection(const eti_request *request);
eti_profile_options eti__request_profile(const eti_request *request);
eti_baseline_options eti__request_baseline(const eti_request *request);
eti_diff_options eti__request_diff(const eti_request *request);
eti_trend_options eti__request_trend(const eti_request *request);
eti_gate_options eti__request_gate(const eti_request *request);
eti_measure_request eti__request_measure(const eti_request *request);
eti_write_options eti__request_write(const eti_request *request);
eti_page_options eti__request_page(const eti_request *request);

#endif
