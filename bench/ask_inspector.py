"""Writes the real Inspector's output for each DIRECTORY/*.etdp, with DIRECTORY/debug_buffer.bin: NAME.txt and NAME.tsv.

    python bench/ask_inspector.py DIRECTORY
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "testdata"))

import observe


def main():
    directory = Path(sys.argv[1])
    for dump in sorted(directory.glob("*.etdp")):
        options = ["--etdump_path", str(dump), "--debug_buffer_path", str(directory / "debug_buffer.bin")]
        observe.write_table(dump.with_suffix(".txt"), options)
        observe.write_tsv(dump.with_suffix(".tsv"), options)


if __name__ == "__main__":
    main()
