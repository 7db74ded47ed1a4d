#!/usr/bin/env python3.11
"""Writes src/base/python_unicode_table.h: the characters that are not printable in Python 3.11.

    python3.11 tests/tools/make_unicode_table.py > src/base/python_unicode_table.h
"""

import sys
import unicodedata

FIRST = 0x7F  # below, a comparison with the space is enough

HEADER = """\
/*
 * python_unicode_table.h - characters Python 3.11 calls not printable, by Unicode %s.
 *
 * Made by tests/tools/make_unicode_table.py; do not edit.
 *
 * Ranges {first, last} in ascending order of the categories Cc, Cf, Cs, Co, Cn, Zl, Zp and Zs from
 * U+%04X on.
 */
#ifndef ETI_BASE_PYTHON_UNICODE_TABLE_H
#define ETI_BASE_PYTHON_UNICODE_TABLE_H

#include <stdint.h>

static const uint32_t eti_python_not_printable[%d][2] = {
"""


def ranges():
    found = []
    for code_point in range(FIRST, sys.maxunicode + 1):
        if chr(code_point).isprintable():
            continue
        if found and found[-1][1] == code_point - 1:
            found[-1][1] = code_point
        else:
            found.append([code_point, code_point])
    return found


def main():
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("Unicode 14.0.0 is needed, which is Python 3.11's; found "
                 + unicodedata.unidata_version)
    found = ranges()
    print(HEADER % (unicodedata.unidata_version, FIRST, len(found)), end="")
    entries = [f"{{0x{first:05x}, 0x{last:05x}}}" for first, last in found]
    lines = [", ".join(entries[i : i + 4]) for i in range(0, len(entries), 4)]
    print("    " + ",\n    ".join(lines) + "};\n\n#endif")


if __name__ == "__main__":
    main()
