/*
 * metadata.h - turns a delegate's metadata, which only its backend understands, into readable text.
 */
#ifndef ETI_MODEL_METADATA_H
#define ETI_MODEL_METADATA_H

#include "base/text.h"

typedef enum eti_metadata_form {
    ETI_METADATA_BYTES, /* as Python prints a list of bytes */
    ETI_METADATA_UTF8,  /* as Python prints a list of str; invalid UTF-8 becomes U+FFFD */
    ETI_METADATA_HEX,   /* a list of str with hexadecimal digits */
    ETI_METADATA_JSON,  /* a JSON array of the parsed entries; null for an empty one */
} eti_metadata_form;

/* Appends an entry in the form it has in a list; see eti_metadata_form. */
void eti__metadata_add(eti_buffer *out, eti_text entry, eti_metadata_form form);

#endif
