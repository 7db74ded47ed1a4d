#include "output/provenance.h"

#include <sys/types.h> /* which sha2.h needs */

#include <sha2.h>

void eti_source_sha256(const eti_report_source *source, char out[ETI_SHA256_DIGITS + 1]) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, source->data, source->size);
    SHA256End(&context, out);
}

eti_text eti_report_time_scale(const eti_report *report) {
    return eti_text_of(report->has_time_scale ? eti_time_scale_name(report->time_scale) : NULL);
}
