/*
 * json_provenance.h - writes the provenance of a report's numbers as members of a JSON object.
 */
#ifndef ETI_WRITE_JSON_PROVENANCE_H
#define ETI_WRITE_JSON_PROVENANCE_H

#include "base/json_writer.h"
#include "table/table.h"
#include "write/options.h"

/* Adds the members "schema", "version", "view", "time_scale", "sources" with their SHA-256, and "labels" to an object. With
 * `has_lines` all but the first begin a line. */
void eti__json_add_provenance(eti_json_writer *json, const eti_report *report,
                              const eti_write_options *options, bool has_lines);

#endif
