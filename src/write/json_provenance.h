/*
 * json_provenance.h - writes the provenance of a report's numbers as members of a JSON object.
 */
#ifndef ETI_WRITE_JSON_PROVENANCE_H
#define ETI_WRITE_JSON_PROVENANCE_H

#include "table/report.h"
#include "write/options.h"

/* Appends "schema", "version", "view", "time_scale", "sources" with their SHA-256, and "labels", with `separator` between
 * the members. */
void eti__json_add_provenance(eti_buffer *out, const eti_report *report,
                              const eti_write_options *options, const char *separator);

#endif
