#!/usr/bin/env python3
"""Writes an ETDump of one run with many recorded tensors, its debug buffer, and that of another run.

    make_tensors.py DIRECTORY [TENSORS [BYTES]]

The directory gets run.etdp and debug_buffer.bin of BYTES (1 GB) in TENSORS (10,000) float tensors, each of a separate
instruction, which begin at multiples of 64 as in the runtime. Elements are normally distributed. In another_buffer.bin,
which has the same size, every element differs by about a ten-thousandth. Needs flatc.
"""

import array
import json
import random
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PIECE = 1 << 20  # the buffer repeats itself


def write_buffer(path, piece, n_bytes):
    with open(path, "wb") as file:
        for at in range(0, n_bytes, PIECE):
            file.write(piece[: n_bytes - at])


def main():
    directory = Path(sys.argv[1])
    n_tensors = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    n_bytes = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000_000
    width = n_bytes // n_tensors // 64 * 64
    directory.mkdir(parents=True, exist_ok=True)
    generator = random.Random(1)
    piece = array.array("f", (generator.gauss(0, 1) for _ in range(PIECE // 4)))
    another = array.array("f", (x * (1 + 1e-4 * generator.gauss(0, 1)) for x in piece))
    write_buffer(directory / "debug_buffer.bin", piece.tobytes(), width * n_tensors)
    write_buffer(directory / "another_buffer.bin", another.tobytes(), width * n_tensors)
    events = []
    for i in range(n_tensors):
        times = {"name": "native_call_relu.out", "instruction_id": i, "start_time": 100 * i, "end_time": 100 * i + 90}
        tensor = {"scalar_type": "FLOAT", "sizes": [1, width // 4], "strides": [width // 4, 1], "offset": width * i}
        value = {"name": "native_call_relu.out", "instruction_id": i, "debug_entry": {"val": "Tensor", "tensor": tensor}}
        events += [{"debug_event": value}, {"profile_event": times}]
    path = directory / "run.json"
    path.write_text(json.dumps({"run_data": [{"name": "Execute", "events": events}]}))
    flatc = ["flatc", "--binary", "--size-prefixed", "-o", directory, TOP / "schema/etdump.fbs", path]
    subprocess.run(flatc, check=True)
    path.unlink()


if __name__ == "__main__":
    main()
