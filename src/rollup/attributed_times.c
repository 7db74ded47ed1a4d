#include "rollup/attributed_times.h"

#include "backends/backends.h"

static bool is_sure(uint8_t attribution) {
    return attribution >= ETI_ATTRIBUTION_RECORDED && attribution <= ETI_ATTRIBUTION_ALIGNED;
}

static void add_logged(eti_attributed_times *times, const eti_account *account, size_t event,
                       eti_wide own) {
    uint8_t attribution = account->block->events[event].known->attribution;
    eti_text backend = eti__account_backend(account, event);
    eti__wide_add(&times->of[attribution], own);
    if (!is_sure(attribution) && (backend.size == 0 || eti__is_xnnpack(backend)))
        eti__wide_add(&times->seen_by_program, own);
}

void eti__attributed_times_add(eti_attributed_times *times, const eti_account *account) {
    eti__wide_add(&times->whole, eti__account_total(account, account->whole));
    for (size_t i = 0; i < account->block->n_events; i++) {
        eti_role role = eti__account_role(account, i);
        if (!account->events[i].is_counted || !eti__role_is_delegate(role))
            continue;
        eti_wide own = eti__account_total(account, eti__account_self(account, i));
        eti__wide_add(&times->in_delegates, own);
        if (role == ETI_ROLE_DELEGATED)
            add_logged(times, account, i, own);
    }
}

void eti__attributed_times_join(eti_attributed_times *out, const eti_attributed_times *joined) {
    for (size_t i = 0; i < ETI_N_ATTRIBUTIONS; i++)
        eti__wide_add(&out->of[i], joined->of[i]);
    eti__wide_add(&out->seen_by_program, joined->seen_by_program);
    eti__wide_add(&out->in_delegates, joined->in_delegates);
    eti__wide_add(&out->whole, joined->whole);
}

double eti__attributed_times_logged(const eti_attributed_times *times) {
    double sum = 0;
    for (size_t i = 0; i < ETI_N_ATTRIBUTIONS; i++)
        sum += eti__wide_as_double(times->of[i]);
    return sum;
}
