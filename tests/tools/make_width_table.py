#!/usr/bin/env python3.11
"""Writes src/base/text_width_table.h: characters that take no column of a terminal, or two.

    python3.11 tests/tools/make_width_table.py > src/base/text_width_table.h
"""

import sys
import unicodedata

HEADER = """\
/*
 * text_width_table.h - characters that take no column of a terminal, or two, by Unicode %s.
 *
 * Made by tests/tools/make_width_table.py; do not edit.
 *
 * Ranges {first, last} in ascending order: marks and formatting characters (Mn, Me, Cf except for the soft
 * hyphen), vowels and finals of Hangul syllables; and wide and fullwidth characters (East Asian Width W, F).
 */
#ifndef ETI_BASE_TEXT_WIDTH_TABLE_H
#define ETI_BASE_TEXT_WIDTH_TABLE_H

#include <stdint.h>
"""


def takes_none(character):
    if character == "\u00ad":
        return False
    return unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff"


def takes_two(character):
    # Python's data of unassigned characters holds only in the planes of ideographs.
    if unicodedata.category(character) == "Cn":
        return "\U00020000" <= character <= "\U0003fffd"
    return unicodedata.east_asian_width(character) in "WF" and not takes_none(character)


def ranges(holds):
    found = []
    for code_point in range(0x80, sys.maxunicode + 1):
        if not holds(chr(code_point)):
            continue
        if found and found[-1][1] == code_point - 1:
            found[-1][1] = code_point
        else:
            found.append([code_point, code_point])
    return found


def print_table(name, found):
    entries = [f"{{0x{first:05x}, 0x{last:05x}}}" for first, last in found]
    lines = [", ".join(entries[i : i + 4]) for i in range(0, len(entries), 4)]
    print(f"\nstatic const uint32_t {name}[{len(found)}][2] = {{\n    " + ",\n    ".join(lines) + "};")


def main():
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("Unicode 14.0.0 is needed, which is Python 3.11's; found "
                 + unicodedata.unidata_version)
    print(HEADER % unicodedata.unidata_version, end="")
    print_table("eti_takes_no_column", ranges(takes_none))
    print_table("eti_takes_two_columns", ranges(takes_two))
    print("\n#endif")


if __name__ == "__main__":
    main()
