"""Records real programs with the installed package executorch, through `etinspect record`.

    recording.py [--build BUILD]

The runner that is compiled for the package, and the package's Python, must record the same kernels; the inputs must be those
that Python computes from the seed; with the clock of the process, no delegate call may be shorter than the sum of its events;
and a program whose backend is missing must leave nothing. `etinspect measure` must find the layer that is slower in one of two
versions of a network, with its module and line. Ends in "recording: N passed, N failed, N skipped".
"""

import argparse
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
counts = {"passed": 0, "failed": 0, "skipped": 0}


def check(name, problem):
    counts["failed" if problem else "passed"] += 1
    if problem:
        print(f"FAILED recording: {name}: {problem}")


def random_inputs(n, seed=0):
    """Returns n float32 numbers of the stream: SplitMix64, its upper 53 bits, in [0, 1)."""
    mask = (1 << 64) - 1

    def step(state):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
        return state, mixed ^ mixed >> 31

    state = (seed + step(0)[1]) & mask
    numbers = []
    for _ in range(n):
        state, number = step(state)
        numbers.append((number >> 11) * 2.0**-53)
    return struct.pack(f"<{n}f", *numbers)


def inspect_tensors(folder, expected):
    """Returns what is wrong with the tensors that the Inspector reads; None: nothing."""
    from executorch.devtools import Inspector

    inspector = Inspector(etdump_path=str(folder / "debug.etdp"), debug_buffer_path=str(folder / "debug.debug.bin"))
    for block in inspector.event_blocks:
        for event in block.events:
            if event.name == "DELEGATE_CALL":
                found = event.debug_data[0].contiguous().numpy().tobytes()
                return None if found == expected else "the first tensor is not the input"
    return "no delegate call"


def measure_pairs(program, folder, environment):
    from slower_models import export_pairs

    def measure(base, new):
        words = [program, "measure", "--python", sys.executable, "--clock", "cpu", "--cpu_threads", "1", "--seed", "1",
                 "--base", f"{base}.pte", "--new", f"{new}.pte", "--format", "json", "--output", "report.json"]  # fmt: skip
        found = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
        report = (folder / "report.json").read_text() if found.returncode in (0, 1, 6) else "{}"
        return found.returncode, report, found.stderr

    for name, module, line in export_pairs(folder):
        status, report, errors = measure(f"{name}-base", f"{name}-slow")
        failed = [one for one in json.loads(report).get("tables", {}).get("checks", []) if one["verdict"] == "failed"]
        found = [one for one in failed if one["module"] == module and one["message"].endswith(line)]
        check(f"{name}: {module} is slower", None if status == 1 and found else (status, failed, errors))
        check(f"{name}: outputs differ", None if "outputs differ: output 0 by up to" in report else report[-2000:])
        # Equal programs pass, or there are too few pairs, and the report says how many are needed.
        status, report, errors = measure(f"{name}-base", f"{name}-base")
        says_how_many = status == 6 and "needed" in report
        check(f"{name}: equal programs", None if status == 0 or says_how_many else (status, report[-2000:], errors))
        is_equal = "outputs are equal, bit for bit" in report
        check(f"{name}: outputs are equal", None if is_equal else report[-2000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=TOP / "build")
    program = parser.parse_args().build.resolve() / "etinspect"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(TOP / "doc/tour/model.pte", folder)
        environment = {**os.environ, "XDG_CACHE_HOME": name, "VIRTUAL_ENV": sys.prefix}
        environment.pop("ETINSPECT_RUNNER", None)

        def record(*options, env=environment):
            words = [program, "record", "--python", sys.executable, *options]
            return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=300)

        def kernels(dump):
            found = subprocess.run([program, "--format", "csv", dump], cwd=folder, capture_output=True, text=True)
            lines = [line.split(",") for line in found.stdout.splitlines()]
            return [line[1] for line in lines if "Method::" not in line[1]]

        compiled = record("model.pte", "--etdump_path", "compiled.etdp")
        is_compiled = "(compiled)" in compiled.stderr
        check("compiled", None if compiled.returncode == 0 and is_compiled else compiled.stderr)
        check("25 runs of forward", None if "25 runs of forward" in compiled.stderr else compiled.stderr)
        check("only the dump is left", None if sorted(os.listdir(folder)) == ["compiled.etdp", "etinspect", "model.pte"]
              else sorted(os.listdir(folder)))
        # A compiler that fails: the same package runs in Python.
        broken = {**environment, "CXX": "false"}
        python = record("model.pte", "--etdump_path", "python.etdp", env=broken)
        check("python", None if python.returncode == 0 and "(python)" in python.stderr and "cannot compile" in python.stderr
              else python.stderr)
        check("both record the same kernels", None if kernels("compiled.etdp") == kernels("python.etdp") else "they differ")
        # The inputs, which a runner sees under names of etinspect.
        spy = folder / "spy"
        spy.write_text('#!/bin/sh\ncat in-0.bin >"$(dirname "$0")/seen"\nexit 1\n', encoding="ascii")
        spy.chmod(0o755)
        subprocess.run([program, "record", "--runner", spy, "model.pte"], cwd=folder, capture_output=True)
        check("inputs", None if (folder / "seen").read_bytes() == random_inputs(3 * 64 * 64) else "other bytes")
        # CPU time.
        cpu = record("model.pte", "--etdump_path", "cpu.etdp", "--clock", "cpu", "--cpu_threads", "1", "--runs", "8")
        check("clock cpu", None if cpu.returncode == 0 and "CPU time of all threads" in cpu.stderr else cpu.stderr)
        faults = subprocess.run([program, "check", "cpu.etdp"], cwd=folder, capture_output=True, text=True)
        check("calls are no shorter than their events", None if faults.returncode == 0 else faults.stdout)
        differ = subprocess.run([program, "diff", "cpu.etdp", "compiled.etdp"], cwd=folder, capture_output=True, text=True)
        check("two clocks are unlike", None if differ.returncode == 2 else differ.stderr)
        # Tensors that were recorded are those that etinspect and the Inspector read; the first is the input.
        debug = record("model.pte", "--etdump_path", "debug.etdp", "--runs", "1", "--debug_buffer_size", "10000000")
        check("debug buffer", None if debug.returncode == 0 else debug.stderr)
        read = subprocess.run([program, "tensors", "--debug_buffer_path", "debug.debug.bin", "--format", "csv", "--columns",
                               "event_name,sha256", "debug.etdp"], cwd=folder, capture_output=True, text=True)
        expected = "DELEGATE_CALL," + hashlib.sha256(random_inputs(3 * 64 * 64)).hexdigest()
        check("tensors of etinspect", None if expected in read.stdout else read.stdout + read.stderr)
        check("tensors of the Inspector", inspect_tensors(folder, random_inputs(3 * 64 * 64)))
        missing = record(TOP / "testdata/delegate-ids/model.pte", "--etdump_path", "missing.etdp")
        check("no backend", None if missing.returncode == 3 and "no backend IntIdBackend" in missing.stderr else missing.stderr)
        check("nothing is left", None if not list(folder.glob("etinspect-*")) and not (folder / "missing.etdp").exists()
              else "files")
        measure_pairs(program, folder, environment)
    print("recording: {passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    sys.exit(counts["failed"] > 0)


if __name__ == "__main__":
    main()
