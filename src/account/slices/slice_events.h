/*
 * slice_events.h - finds the texts that stand beside the slices of an Event.
 */
#ifndef ETI_ACCOUNT_SLICES_SLICE_EVENTS_H
#define ETI_ACCOUNT_SLICES_SLICE_EVENTS_H

#include "account/account.h"
#include "account/places.h"
#include "account/slices.h"

/* Finds what is known of all Events of the account's block. Texts are in `arena`, or borrowed from the inspector. False: out
 * of memory. */
bool eti__slice_events_find(eti_slice_event *out, const eti_account *account, eti_places *places,
                            eti_arena *arena);

#endif
