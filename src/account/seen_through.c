#include "account/seen_through.h"

eti_status eti__see_through(eti_inspector *inspector, eti_error *err) {
    (void)inspector;
    (void)err;
    return ETI_OK;
}

eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) {
    ETI_TRY(eti__inspector_open(out, inputs, options, err));
    eti_status status = (*out)->options.no_attribution ? ETI_OK : eti__see_through(*out, err);
    if (status != ETI_OK) {
        eti_inspector_close(*out);
        *out = NULL;
    }
    return status;
}
