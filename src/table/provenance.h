/*
 * provenance.h - turns the provenance of a report's numbers into text: the files, distinguished by their SHA-256.
 */
#ifndef ETI_TABLE_PROVENANCE_H
#define ETI_TABLE_PROVENANCE_H

#include "etinspect.h"
#include "table/report.h"

/* Version of the fields in formats for programs; changes with the fields. */
#define ETI_OUTPUT_SCHEMA "etinspect/1"

#define ETI_SHA256_DIGITS 64

/* Returns the hexadecimal digits, as sha256sum prints them, of the bytes that were read: those of the ETDump itself if it
 * was in a gzip file or a log. Absent unless wanted. */
eti_text eti__source_sha256(const eti_report_source *source, bool is_wanted,
                            char out[ETI_SHA256_DIGITS + 1]);

/* Writes the same digits for any bytes. The pages of a mapped file take no memory when this returns. */
void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]);

/* Returns the unit of times; absent for a table without a unit. */
eti_text eti__report_time_scale(const eti_report *report);

#endif
