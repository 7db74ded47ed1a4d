/*
 * raw_sum.c - sums every byte of a file, the minimum for any reader of the whole file; and writes bytes, the minimum for
 * any program with that output.
 *
 *     raw_sum mmap|read FILE [BYTES]
 *
 * Writes BYTES arbitrary bytes to standard output; without BYTES, the sum.
 *
 * `mmap` reads the page cache itself, `read` copies it through a buffer that stays in the processor's cache. Which is
 * faster depends on the cost of a page fault.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_SIZE 262144

static uint8_t buffer[BUFFER_SIZE] __attribute__((aligned(64)));

/* Eight bytes at a time: pairs of bytes into lanes of 16 bits, emptied before they overflow. */
static uint64_t sum_bytes(const uint8_t *bytes, size_t size) {
    const uint64_t mask = 0x00ff00ff00ff00ffu;
    uint64_t sum = 0;
    while (size >= 8) {
        size_t words = size / 8 < 128 ? size / 8 : 128;
        uint64_t lanes = 0;
        for (size_t i = 0; i < words; i++) {
            uint64_t word;
            memcpy(&word, bytes + 8 * i, sizeof word);
            lanes += (word & mask) + (word >> 8 & mask);
        }
        for (int lane = 0; lane < 4; lane++)
            sum += lanes >> 16 * lane & 0xffff;
        bytes += 8 * words;
        size -= 8 * words;
    }
    while (size-- > 0)
        sum += *bytes++;
    return sum;
}

static int sum_mapped(int file, uint64_t *sum) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return -1;
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED)
        return -1;
    *sum = sum_bytes(map, (size_t)status.st_size);
    return 0;
}

static int sum_read(int file, uint64_t *sum) {
    ssize_t n;
    while ((n = read(file, buffer, BUFFER_SIZE)) > 0)
        *sum += sum_bytes(buffer, (size_t)n);
    return (int)n;
}

static int write_bytes(uint64_t left) {
    while (left > 0) {
        ssize_t n = write(STDOUT_FILENO, buffer, left < BUFFER_SIZE ? (size_t)left : BUFFER_SIZE);
        if (n <= 0)
            return -1;
        left -= (uint64_t)n;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4)
        return 2;
    int file = open(argv[2], O_RDONLY);
    uint64_t sum = 0;
    if (file < 0 || (strcmp(argv[1], "mmap") == 0 ? sum_mapped : sum_read)(file, &sum) != 0) {
        perror(argv[2]);
        return 1;
    }
    if (argc == 4)
        return write_bytes(strtoull(argv[3], NULL, 10)) == 0 ? 0 : 1;
    printf("%" PRIu64 "\n", sum);
    return 0;
}
