"""Compares the results of etinspect and the real Inspector for profiles recorded with nrt_profile.h.

    neuron.py [--build BUILD]

nrt_example profiles its engine in all three ways. For each file the Inspector writes the same TSV as etinspect,
with an EventBlock for each model or call of the runtime, and reads the samples of memory and processor time as JSON.
Ends in "neuron: N passed, N failed, 0 skipped"; a case is a file.
"""

import argparse
import json
import logging
import subprocess
import tempfile
from pathlib import Path

PATTERNS = {  # number of files, and the names of their EventBlocks
    "mlp.etdp": {"mlp"},
    "other_vnc1_0.etdp": {"other"},
    "session_1_pid_*/nc_0.etdp": {"mlp"},
    "session_1_pid_*/nc_1.etdp": {"other"},
    "session_1_pid_*/system.etdp": {"host", "nrt_load", "nrt_execute"},
}


def samples_differ(inspector):
    """Returns whether a sample is wrong; there is one at the beginning, after each of 20 executions, and at the end."""
    events = [event for block in inspector.event_blocks if block.name == "host" for event in block.events]
    if [event.name for event in events] != ["host_memory", "cpu_util"]:
        return "samples: events"
    keys = ({"resident_bytes", "peak_bytes"}, {"cpu_ns", "elapsed_ns", "percent"})
    for event, expected in zip(events, keys, strict=True):
        samples = [json.loads(sample) for sample in event.delegate_debug_metadatas]
        if len(samples) != 22 or any(set(sample) != expected for sample in samples):
            return f"samples of {event.name}: {samples[:2]}"
    return None


def compare(build, path, names, work):
    """Returns the first difference, or None."""
    from executorch.devtools import Inspector

    theirs, ours = work / "theirs.tsv", work / "ours.tsv"
    inspector = Inspector(etdump_path=str(path))
    inspector.save_data_to_tsv(str(theirs))
    subprocess.run([build / "etinspect", "--etdump_path", path, "--tsv_path", ours], check=True, capture_output=True)
    if theirs.read_bytes() != ours.read_bytes():
        return "the TSV differs"
    found = {block.name for block in inspector.event_blocks}
    if found != names:
        return f"EventBlocks are {sorted(found)}"
    return samples_differ(inspector) if "host" in names else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    build = parser.parse_args().build.resolve()
    logging.disable(logging.CRITICAL)
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix="neuron-") as directory:
        work = Path(directory)
        subprocess.run([build / "nrt_example", work / "profiles"], check=True)
        for pattern, names in PATTERNS.items():
            paths = list((work / "profiles").glob(pattern))
            difference = compare(build, paths[0], names, work) if len(paths) == 1 else f"{len(paths)} files"
            if difference:
                n_failed += 1
                print(f"FAILED {pattern}: {difference}")
    print(f"neuron: {len(PATTERNS) - n_failed} passed, {n_failed} failed, 0 skipped")
    return 1 if n_failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
