/*
 * metadata.h - turns a delegate's metadata, bytes that only its backend understands, into readable
 * text.
 */
#ifndef ETI_MODEL_METADATA_H
#define ETI_MODEL_METADATA_H

#include "base/text.h"

/* Appends one entry in the form that it has in a list; see eti_metadata_form. */
void eti_metadata_add(eti_buffer *out, eti_text entry, eti_metadata_form form);

#endif
