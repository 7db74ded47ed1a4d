/*
 * slice_events.h - finds the texts that stand beside the slices of an Event.
 */
#ifndef ETI_ACCOUNT_SLICES_SLICE_EVENTS_H
#define ETI_ACCOUNT_SLICES_SLICE_EVENTS_H

#include "account/account.h"
#include "account/places/places.h"
#include "account/slices.h"

/* Finds what is known of all Events of the account's block. Texts are in source->arena, where source->n_text counts them, or
 * borrowed from the inspector. ETI_ERROR_LIMIT: they are more than an eighth of source->most_text; ETI_ERROR_MEMORY. */
eti_status eti__slice_events_find(eti_slice_event *out, const eti_account *account,
                                  eti_places *places, eti_slice_source *source,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Counts texts of `n` more bytes. ETI_ERROR_LIMIT: there are more than `most`, unless that is 0. */
eti_status eti__slice_texts_count(eti_slice_source *source, uint64_t n, uint64_t most,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
