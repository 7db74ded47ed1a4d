#include "view/counted_events.h"

#include "places/places.h"
#include "rollup/rollup.h"

#include <stdlib.h>

static void count_event(const eti_places *places, const eti_account *account, size_t i,
                        const eti_place *place, bool is_summed, eti_counted_event *out) {
    eti_wide own = eti__account_total(account, eti__account_self(account, i));
    if (account->block->events[i].is_timed)
        out->op_type = eti__op_type_of(account, i).name;
    if (!is_summed || !account->events[i].is_counted)
        return;
    out->total = eti__wide_as_double(own) / account->factor;
    if (eti__role_is_framework(eti__account_role(account, i)))
        out->module = eti__text_of(ETI_GROUP_FRAMEWORK);
    else if (place->module == ETI_PREFIX_ROOT)
        out->module = eti__text_of(ETI_GROUP_UNKNOWN);
    else
        out->module = eti__places_module_name(places, place->module);
}

bool eti__count_events(const eti_account *account, bool is_summed, eti_counted_event *out) {
    eti_places places;
    eti_place *of_events =
        eti__places_init(&places) ? eti__places_of_block(&places, account) : NULL;
    for (size_t i = 0; of_events && i < account->block->n_events; i++)
        count_event(&places, account, i, &of_events[i], is_summed, &out[i]);
    bool done = of_events != NULL;
    free(of_events);
    eti__places_free(&places);
    return done;
}
