"""Reads runs in which eight threads recorded with the real Inspector.

    lanes.py [--build BUILD]

capture_lanes records 20 runs with 10 events from each of 8 threads, in any order. The runs have the same structure: the
Inspector makes one EventBlock of them, with 80 events that have 20 times each, and the same TSV as etinspect. Ends in
"lanes: N passed, N failed, 0 skipped"; a case is a recording.
"""

import argparse
import logging
import subprocess
import tempfile
from pathlib import Path

N_RECORDINGS, N_RUNS, N_EVENTS = 3, 20, 80


def compare(build, work):
    """Returns the first error in a recording, or None."""
    from executorch.devtools import Inspector

    dump, theirs, ours = work / "lanes.etdp", work / "theirs.tsv", work / "ours.tsv"
    subprocess.run([build / "capture_lanes", dump], check=True)
    inspector = Inspector(etdump_path=str(dump))
    inspector.save_data_to_tsv(str(theirs))
    subprocess.run([build / "etinspect", "--etdump_path", dump, "--tsv_path", ours], check=True, capture_output=True)
    if theirs.read_bytes() != ours.read_bytes():
        return "the TSV differs"
    if len(inspector.event_blocks) != 1:
        return f"{len(inspector.event_blocks)} EventBlocks"
    events = inspector.event_blocks[0].events
    times = {len(event.perf_data.raw) for event in events}
    if len(events) != N_EVENTS or times != {N_RUNS}:
        return f"{len(events)} events with {sorted(times)} times"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    build = parser.parse_args().build.resolve()
    logging.disable(logging.CRITICAL)
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="lanes-") as directory:
        for recording in range(N_RECORDINGS):
            difference = compare(build, Path(directory))
            if difference:
                n_failed += 1
                print(f"FAILED recording {recording}: {difference}")
    print(f"lanes: {N_RECORDINGS - n_failed} passed, {n_failed} failed, 0 skipped")
    return 1 if n_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
