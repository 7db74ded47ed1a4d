/*
 * metadata.h - turns a delegate's metadata, bytes that only its backend understands, into readable
 * text.
 */
#ifndef ETI_MODEL_METADATA_H
#define ETI_MODEL_METADATA_H

#include "base/text.h"

/* Appends the list of `n` entries in the form asked for; see eti_metadata_form. */
void eti_metadata_add_list(eti_buffer *out, const eti_text *entries, size_t n,
                           eti_metadata_form form);

#endif
