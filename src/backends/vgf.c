#include "backends/adapters.h"

#include "base/text.h"

/* The backend for VGF logs its steps on the clock of the host, by names. All others contain steps. */

typedef struct step {
    const char *name;
    uint8_t role;
} step;

static const step steps[] = {
    {"VGF_QUEUE_SUBMIT_AND_WAIT_FENCE", ETI_DELEGATE_DEVICE},
    {"VGF_COPY_INPUTS", ETI_DELEGATE_TRANSFER},
    {"VGF_COPY_OUTPUTS", ETI_DELEGATE_TRANSFER},
    {"VGF_NEURAL_STATISTICS", ETI_DELEGATE_PROFILING},
    {"VGF_TIMESTAMP_QUERY_READBACK", ETI_DELEGATE_PROFILING},
};

bool eti__vgf_owns(const eti_logged_event *logged) {
    return logged->has_id && !logged->has_int_id && eti__text_begins_with(logged->name, "VGF_");
}

bool eti__vgf_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                         eti_arena *arena) {
    (void)arena;
    out->clock = ETI_CLOCK_HOST;
    out->role =
        eti__text_begins_with(logged->name, "VGF_INIT_") ? ETI_DELEGATE_LOAD : ETI_DELEGATE_WRAPPER;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (eti__text_is(logged->name, steps[i].name))
            out->role = steps[i].role;
    }
    if (out->role == ETI_DELEGATE_DEVICE)
        out->compute_unit = eti__text_of("accelerator");
    return true;
}
