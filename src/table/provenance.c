#include "table/provenance.h"

#ifdef ETI_SHA256_LIBCRYPTO

/* These functions alone take 25 KB of the program; what OpenSSL offers instead brings in all its algorithms. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[SHA256_DIGEST_LENGTH];
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, data, size);
    SHA256_Final(hash, &context);
    for (size_t i = 0; i < sizeof hash; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[ETI_SHA256_DIGITS] = '\0';
}

#else

/* JSON of a dump of 6.7 MB takes 39 ms with libmd, 23 with libcrypto. A thread of its own, from the opening of the dump on,
 * would save 9 of these 16: what comes before the first byte of JSON takes no longer. */
#include <sha2.h>

void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]) {
    SHA256Data(data, size, out);
}

#endif

void eti__source_sha256(const eti_report_source *source, char out[ETI_SHA256_DIGITS + 1]) {
    eti__sha256(source->data, source->size, out);
}

eti_text eti__report_time_scale(const eti_report *report) {
    return eti__text_of(report->has_time_scale ? eti_time_scale_name(report->time_scale) : NULL);
}
