/*
 * request.h - a request.
 */
#ifndef ETI_API_REQUEST_H
#define ETI_API_REQUEST_H

#include "compare/compare.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "measure/measure.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "profile/profile.h"
#include "report/report.h"
#include "table/table.h"
#include "write/write.h"

/* Return the options of one room, borrowed from the request; the defaults if the request is
 * NULL. */
eti_inputs eti__request_inputs(const eti_request *request);
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
