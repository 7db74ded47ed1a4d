"""Compares ETDumps of libetcapture with those that ETDumpGen makes of the same calls.

    capture.py [--build BUILD] [--cases 1000] [--seed 1] [--inspected 40] [--keep DIRECTORY]

Random calls are written as text (tests/capture/calls.h). capture_calls plays them into ETDumpGen and into the tracer of
etcapture_executorch.hpp, play_calls into the C functions. In all cases flatc's JSON, the debug buffers and the output of
etinspect are equal, except for the sign of -0.0 and the index of a bundled input, which ETDumpGen loses. In some cases the
real Inspector is used, too: both files give the same TSV. Every fourth case has allocations, on which the Inspector fails,
so these cases are not given to it. Ends in "capture: N passed, N failed, 0 skipped"; a case is a sequence of calls.
"""

import argparse
import logging
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BATCH = 200  # files per call of a program
# Data that ETDumpGen does not write: the sign of -0.0 and the index of a bundled input.
LOST = re.compile(rb'(?<="double_value": \{)\s*"double_val": -0.0(?=\s*\})|,\s*"bundled_input_index": \d+')
SIDES = ("peer", "ours", "tracer")
n_tables = []  # for the cases given to the Inspector: whether it made a table


def make_json(directory):
    """Returns the directory with the JSON of each dump."""
    output = directory / "json"
    output.mkdir()
    dumps = sorted(directory.glob("*.etdp"))
    for first in range(0, len(dumps), BATCH):
        command = ["flatc", "--json", "--strict-json", "--raw-binary", "--size-prefixed", "-o", output, TOP / "schema/etdump.fbs", "--"]
        subprocess.run([*command, *dumps[first : first + BATCH]], check=True, capture_output=True)
    return output


def etinspect_tsv(build, dump, out):
    """Returns etinspect's output for a dump with its debug buffer, or its message, without the name of the file."""
    command = [build / "etinspect", "--etdump_path", dump.name, "--debug_buffer_path", dump.with_suffix(".bin").name, "--tsv_path", out]
    done = subprocess.run(command, capture_output=True, cwd=dump.parent)
    said = re.sub(rb"(no operators|no event in it|no event in any of them): .*", rb"\1", done.stderr)  # advice for users of
                                                                                                       # the writer
    return done.returncode, done.stdout, said, out.read_bytes() if out.exists() else b""


def inspector_tsv(dump, out):
    from executorch.devtools import Inspector

    try:
        inspector = Inspector(etdump_path=str(dump), debug_buffer_path=str(dump.with_suffix(".bin")))
        inspector.save_data_to_tsv(str(out), include_delegate_debug_data=True)
    except Exception as error:  # it fails for both, or the case fails
        return f"{type(error).__name__}: {error}".replace(str(dump.parent), "")
    return out.read_bytes()


def compare(case, work, build, inspected):
    """Returns the first difference, or None."""
    peer, ours, tracer = (work / side / f"{case}.etdp" for side in SIDES)
    json = [work / side / "json" / f"{case}.json" for side in SIDES]
    if not all(path.exists() for path in json):
        return "flatc wrote no JSON"
    if json[0].read_bytes() != LOST.sub(rb"", json[1].read_bytes()):
        return "flatc's JSON"
    if json[1].read_bytes() != json[2].read_bytes():
        return "flatc's JSON of the tracer's file"
    for path, what in ((ours, "the debug buffer"), (tracer, "the tracer's debug buffer")):
        if peer.with_suffix(".bin").read_bytes() != path.with_suffix(".bin").read_bytes():
            return what
    if etinspect_tsv(build, peer, work / "peer.tsv") != etinspect_tsv(build, ours, work / "ours.tsv"):
        return "etinspect's output"
    if case % 4 and inspected:
        table = inspector_tsv(peer, work / "peer.tsv")
        if table != inspector_tsv(ours, work / "ours.tsv"):
            return "the Inspector's TSV"
        n_tables.append(isinstance(table, bytes))
    return None


def play_all(build, work, n_cases, seed):
    """Writes calls, and each side's files for them, with flatc's JSON."""
    for name in ("calls", *SIDES):
        (work / name).mkdir()
    subprocess.run([build / "capture_calls", "random", work, str(n_cases), str(seed)], check=True)
    calls = [work / "calls" / f"{case}.calls" for case in range(n_cases)]
    for first in range(0, n_cases, BATCH):
        batch = calls[first : first + BATCH]
        subprocess.run([build / "capture_calls", "play", work, *batch], check=True, capture_output=True)
        subprocess.run([build / "play_calls", work / "ours", *batch], check=True)
    for side in SIDES:
        make_json(work / side)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inspected", type=int, default=40)
    parser.add_argument("--keep", type=Path, help="where to leave calls and files")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    build = options.build.resolve()
    work = Path(tempfile.mkdtemp(prefix="capture-"))
    play_all(build, work, options.cases, options.seed)
    failures = []
    step = max(1, options.cases // max(1, options.inspected) | 1)  # odd, so that not only cases with allocations are
                                                                   # included
    for case in range(options.cases):
        difference = compare(case, work, build, case % step == 0)
        if difference:
            failures.append(f"FAILED case {case}, seed {options.seed}: {difference} differs")
    print(*failures[:10], sep="\n", end="\n" if failures else "")
    sizes = [sum(path.stat().st_size for path in (work / side).glob("*.etdp")) for side in ("peer", "ours")]
    print(f"{options.cases} sequences: {sizes[0]} bytes by ETDumpGen, {sizes[1]} by libetcapture; the Inspector read {sum(n_tables)} of {len(n_tables)}")
    print(f"capture: {options.cases - len(failures)} passed, {len(failures)} failed, 0 skipped")
    if options.keep:
        shutil.move(work, options.keep)
    else:
        shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
