#!/usr/bin/env python3
"""Writes src/base/double_table.h: 128-bit approximations of the powers of ten.

    tests/tools/make_double_table.py > src/base/double_table.h

Exact integer arithmetic only, so every Python 3 writes the same file.
"""

FIRST, LAST = -292, 324  # powers that bring any double near an integer of 17 digits

HEADER = """\
/*
 * double_table.h - powers of ten to 128 bits.
 *
 * Made by tests/tools/make_double_table.py; do not edit.
 *
 * Entry n - ETI_POWER_OF_TEN_FIRST is 10^n divided by the power of two that brings it into
 * [2^127, 2^128), rounded up to an integer: {high 64 bits, low 64 bits}.
 */
#ifndef ETI_BASE_DOUBLE_TABLE_H
#define ETI_BASE_DOUBLE_TABLE_H

#include <stdint.h>

enum { ETI_POWER_OF_TEN_FIRST = %d, ETI_POWER_OF_TEN_LAST = %d };

static const uint64_t eti_powers_of_ten[ETI_POWER_OF_TEN_LAST - ETI_POWER_OF_TEN_FIRST + 1][2] = {
"""


def significand(n):
    """Returns ceil(10^n / 2^r), where r makes it 128 bits long."""
    if n >= 0:
        power = 10**n
        shift = 128 - power.bit_length()
        return power << shift if shift >= 0 else -(-power >> -shift)
    power = 10**-n
    # 2^(length-1) < power < 2^length, so the quotient has 128 bits.
    return -(-(1 << (power.bit_length() + 127)) // power)


def main():
    print(HEADER % (FIRST, LAST), end="")
    for n in range(FIRST, LAST + 1):
        value = significand(n)
        assert value.bit_length() == 128, n
        high, low = value >> 64, value & (1 << 64) - 1
        print(f"    {{0x{high:016x}, 0x{low:016x}}}, /* {n} */")
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
