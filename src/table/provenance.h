/*
 * provenance.h - turns where a report's numbers come from into text: which files they were, distinguished by
 * their SHA-256.
 */
#ifndef ETI_TABLE_PROVENANCE_H
#define ETI_TABLE_PROVENANCE_H

#include "table/report.h"

/* Version of the fields in formats for programs; it changes when that changes. */
#define ETI_OUTPUT_SCHEMA "etinspect/1"

#define ETI_SHA256_DIGITS 64

/* Returns hexadecimal digits, as sha256sum prints them, of the bytes that were read: those of the ETDump when it came in a
 * gzip file or a log. Absent unless they are wanted. */
eti_text eti__source_sha256(const eti_report_source *source, bool is_wanted,
                            char out[ETI_SHA256_DIGITS + 1]);

/* The same digits of any bytes. Those of a mapped file take no memory when this returns. */
void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]);

/* The unit of times; absent for a table that knows none. */
eti_text eti__report_time_scale(const eti_report *report);

#endif
