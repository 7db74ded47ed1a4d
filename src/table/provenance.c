#include "table/provenance.h"

/* These functions alone take 25 KB of the program; what OpenSSL offers instead brings in all its algorithms. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

void eti_source_sha256(const eti_report_source *source, char out[ETI_SHA256_DIGITS + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[SHA256_DIGEST_LENGTH];
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, source->data, source->size);
    SHA256_Final(hash, &context);
    for (size_t i = 0; i < sizeof hash; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[ETI_SHA256_DIGITS] = '\0';
}

eti_text eti_report_time_scale(const eti_report *report) {
    return eti_text_of(report->has_time_scale ? eti_time_scale_name(report->time_scale) : NULL);
}
