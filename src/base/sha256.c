#include "base/sha256.h"

#include "base/files.h"

#include <stdint.h>

#if defined(ETI_SHA256_LIBCRYPTO) || defined(ETI_SHA256_COMMONCRYPTO)

#ifdef ETI_SHA256_LIBCRYPTO

/* The deprecated functions take 25 KB of the program; OpenSSL's alternative brings in all its
 * algorithms. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

typedef SHA256_CTX hash;

static void begin(hash *h) {
    SHA256_Init(h);
}

static void add(hash *h, const uint8_t *data, size_t size) {
    SHA256_Update(h, data, size);
}

static void finish(hash *h, unsigned char out[SHA256_DIGEST_LENGTH]) {
    SHA256_Final(out, h);
}

#else

#include <CommonCrypto/CommonDigest.h>

#define SHA256_DIGEST_LENGTH CC_SHA256_DIGEST_LENGTH

typedef CC_SHA256_CTX hash;

static void begin(hash *h) {
    CC_SHA256_Init(h);
}

/* Adds a piece, whose size fits the library's type. */
static void add(hash *h, const uint8_t *data, size_t size) {
    CC_SHA256_Update(h, data, (CC_LONG)size);
}

static void finish(hash *h, unsigned char out[SHA256_DIGEST_LENGTH]) {
    CC_SHA256_Final(out, h);
}

#endif

static void end(hash *h, char out[ETI_SHA256_DIGITS + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    finish(h, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[ETI_SHA256_DIGITS] = '\0';
}

#else

/* JSON of a dump of 6.7 MB takes 39 ms with libmd, 23 with libcrypto. A separate thread, started when the dump is opened,
 * would save only 9 of the 16 ms of difference, because the work before the first byte of JSON takes no longer than that. */
#include <sha2.h>

typedef SHA2_CTX hash;

static void begin(hash *h) {
    SHA256Init(h);
}

static void add(hash *h, const uint8_t *data, size_t size) {
    SHA256Update(h, data, size);
}

static void end(hash *h, char out[ETI_SHA256_DIGITS + 1]) {
    SHA256End(h, out);
}

#endif

/* Number of bytes after which pages of a mapped file are released. */
#define PIECE_BYTES ((size_t)4 << 20)

void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]) {
    hash h;
    begin(&h);
    for (size_t at = 0, n; at < size; at += n) {
        n = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        add(&h, (const uint8_t *)data + at, n);
        eti__file_leave((const uint8_t *)data + at, n);
    }
    end(&h, out);
}
