/*
 * slice_events.h - finds the texts that accompany the slices of an Event.
 */
#ifndef ETI_TIMELINE_SLICE_EVENTS_H
#define ETI_TIMELINE_SLICE_EVENTS_H

#include "account/account.h"
#include "places/places.h"
#include "timeline/slices.h"

/* Finds the texts of all Events of the account's block. Texts are in source->arena, where source->n_text counts them,
 * or are borrowed from the inspector. Fails with ETI_ERROR_LIMIT if they take more than an eighth of
 * source->most_text, or with ETI_ERROR_MEMORY. */
eti_status eti__slice_events_find(eti_slice_event *out, const eti_account *account,
                                  eti_places *places, eti_slice_source *source,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Counts `n` more bytes of texts. Fails with ETI_ERROR_LIMIT if there are more than `most`; 0: no limit. */
eti_status eti__slice_texts_count(eti_slice_source *source, uint64_t n, uint64_t most,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
