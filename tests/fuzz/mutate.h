/*
 * mutate.h - functions shared by the custom mutators. Only libFuzzer links them: AFL++ changes bytes without them.
 */
#ifndef ETI_TESTS_FUZZ_MUTATE_H
#define ETI_TESTS_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own: changes `data` in place and returns its new size, `max_size` at most. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Called by libFuzzer instead of the above, if a target has it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Changes one member of the ZIP in `data`, its name, its method or the list of members, and packs it again, so that
 * checksums and directory are correct; other files are changed byte by byte. */
size_t mutate_zip(uint8_t *data, size_t size, size_t max_size, unsigned seed);

typedef size_t (*mutator)(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* LLVMFuzzerMutate() as a mutator. */
size_t mutate_bytes(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* An input that consists of `n_options` bytes, the sizes (4 bytes each) of all parts but the last, and
 * the parts: changes part `part` with `mutate` and sets its size. */
size_t mutate_part(uint8_t *data, size_t size, size_t max_size, size_t n_options, size_t n_parts,
                   size_t part, mutator mutate, unsigned seed);

#endif
