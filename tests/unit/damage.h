/* damage.h - every way to cut a file short and to flip one of its bits, and counts of the results. */
#ifndef ETI_TESTS_DAMAGE_H
#define ETI_TESTS_DAMAGE_H

#include "support.h"

#include "etinspect.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef struct damage_counts {
    size_t tried;
    size_t same; /* the same result as for the whole file */
    size_t changed;
    size_t refused[32]; /* by status */
    size_t other[8];    /* counts defined by the test */
} damage_counts;

/* Function that a test runs on damaged bytes. They lie in a block of exactly their size, so that sanitizers detect reading
 * past the end. */
typedef void (*try_damaged)(void *context, const uint8_t *data, size_t size);

/* Place of the damage, for messages. */
static char damage_place[64];

/* A test that runs under an emulator, such as valgrind, has time for only a part of them. */
static inline size_t damage_step(void) {
    return getenv("RUNNER") && getenv("RUNNER")[0] ? 101 : 1;
}

/* A hundred thousand readings are faster when freed memory is kept. */
static inline void prepare_for_many_readings(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 26);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

/* Cuts the bytes at every shorter length. */
static inline void cut_everywhere(const uint8_t *data, size_t size, try_damaged attempt,
                                  void *context) {
    size_t step = damage_step();
    for (size_t n = 0; n < size; n += step) {
        uint8_t *copy = malloc(n + !n);
        assert_non_null(copy);
        memcpy(copy, data, n);
        snprintf(damage_place, sizeof damage_place, "cut at %zu", n);
        attempt(context, copy, n);
        free(copy);
    }
}

/* Flips every bit. */
static inline void flip_everywhere(const uint8_t *data, size_t size, try_damaged attempt,
                                   void *context) {
    uint8_t *copy = malloc(size);
    size_t step = damage_step();
    assert_non_null(copy);
    memcpy(copy, data, size);
    for (size_t bit = 0; bit < size * 8; bit += step) {
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        snprintf(damage_place, sizeof damage_place, "byte %zu, bit %zu flipped", bit / 8, bit % 8);
        attempt(context, copy, size);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(copy);
}

/* A failure is one line that begins with the file's name. */
static inline void expect_clear_error(eti_status status, const eti_error *err, const char *file) {
    if (status != err->status || strncmp(err->message, file, strlen(file)) != 0 ||
        strlen(err->message) < strlen(file) + 10 || strpbrk(err->message, "\n\r\x1b"))
        fail_msg("%s: status %d, message \"%s\"", damage_place, (int)status, err->message);
}

static inline void print_count(const char *name, size_t count) {
    if (count > 0)
        print_message(", %zu %s", count, name);
}

/* Prints a comment of TAP. */
static inline void print_counts(const char *what, const damage_counts *counts,
                                const char *const *other_names) {
    print_message("# %s: %zu tried", what, counts->tried);
    print_count("read as before", counts->same);
    print_count("read with another number or letter", counts->changed);
    for (size_t i = 0; i < COUNT_OF(counts->refused); i++) {
        if (counts->refused[i] > 0)
            print_message(", %zu refused: %s", counts->refused[i], eti_status_text((eti_status)i));
    }
    for (size_t i = 0; other_names && other_names[i]; i++)
        print_count(other_names[i], counts->other[i]);
    print_message("\n");
}

#endif
