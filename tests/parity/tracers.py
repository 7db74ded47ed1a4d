"""Runs real programs with ETDumpGen and with the tracer of etcapture_executorch.hpp, and compares their files.

    tracers.py [--build BUILD]

capture_models runs each program of capture_models.py with both, in five modes: all events, those of methods, and values at both
debug levels, the latter into a buffer and into a file. Its clock counts, so that the same readings give the same times.

- flatc's JSON is equal: events, order, names, chains, instructions, delegate identifiers and metadata, values, times. Times of
  XNNPACK's operators come from its own clock and are left out.
- Debug buffers are equal. In files ETDumpGen aligns nothing: offsets are left out, and the contents of each tensor are equal.
- etinspect and the real Inspector, with the program's record, give the same results for both; for XNNPACK the columns
without times are compared.

- The program outputs recorded are the bytes that the runs returned.

ETDumpGen cannot log values of all models: halves, bfloat16s, and outputs of type None. In these cases etinspect and the
Inspector read the tracer's files and give the same tables, except for bfloat16s, which the Inspector does not read.
Ends in "tracers: N passed, N failed, 0 skipped"; a test is a program in a mode.
"""

import argparse
import csv
import json
import logging
import shutil
import subprocess
import tempfile
from pathlib import Path

from capture import make_json
from capture_models import export_all

MODES = ("plain", "method", "outputs", "all", "file")
RUNS = 3
TIMES = ("p10", "p50", "p90", "avg", "min", "max", "start_time")


def visit(node, found):
    """Calls found(table) for each table of a dump."""
    if isinstance(node, dict):
        found(node)
        node = node.values()
    elif not isinstance(node, list):
        return
    for child in node:
        visit(child, found)


def without_times(dump):
    def forget(table):
        if "delegate_debug_id_str" in table or "delegate_debug_id_int" in table:
            table.pop("start_time", None)
            table.pop("end_time", None)

    visit(dump, forget)
    return dump


SIZES = {"BYTE": 1, "CHAR": 1, "SHORT": 2, "INT": 4, "LONG": 8, "HALF": 2, "DOUBLE": 8, "BOOL": 1, "BFLOAT16": 2}  # of FLOAT: 4


def take_contents(dump, data):
    """Removes the offsets from a dump and returns the contents of its tensors."""
    contents = []

    def take(table):
        if "sizes" not in table:
            return
        offset = table.pop("offset", 0)
        size = SIZES.get(table.get("scalar_type", "BYTE"), 4)
        for n in table["sizes"]:
            size *= n
        contents.append(data[offset : offset + size] if offset >= 0 else b"")

    visit(dump, take)
    return contents


def compare_json(peer, ours, mode):
    dumps = [json.loads((path.parent / "json" / f"{path.stem}.json").read_text()) for path in (peer, ours)]
    for dump in dumps:
        without_times(dump)
    data = [path.with_suffix(".bin").read_bytes() for path in (peer, ours)]
    if mode == "file":
        data = [take_contents(dump, bytes_) for dump, bytes_ in zip(dumps, data, strict=True)]
        if not any(data[0]):
            return "nothing was recorded"
    if dumps[0] != dumps[1]:
        return "flatc's JSON differs"
    return None if data[0] == data[1] else "debug data differ"


def read_table(text, is_delegated):
    """Returns rows of a TSV, without the parts that depend on XNNPACK's own clock."""
    rows = list(csv.reader(text.splitlines(), delimiter="\t"))
    if not is_delegated:
        return rows
    dropped = {i for i, column in enumerate(rows[0]) if column.split(" ")[0] in TIMES}
    return [[cell for i, cell in enumerate(row) if i not in dropped] for row in rows]


def etinspect(build, path, record, *arguments):
    command = [build / "etinspect", *arguments, "--etdump_path", path, "--etrecord_path", record, "--debug_buffer_path", path.with_suffix(".bin")]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else f"failed: {done.stderr.replace(str(path), '')}"


def etinspect_table(build, path, record):
    out = path.with_suffix(".tsv")
    message = etinspect(build, path, record, "--tsv_path", out)
    return out.read_text() if out.exists() else message


def inspector_table(path, record):
    from executorch.devtools import Inspector

    out = path.with_suffix(".inspector.tsv")
    try:
        inspector = Inspector(etdump_path=str(path), etrecord=str(record), debug_buffer_path=str(path.with_suffix(".bin")))
        inspector.save_data_to_tsv(str(out), include_delegate_debug_data=True)
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}".replace(str(path), "")
    return out.read_text()


def program_outputs(path):
    """Returns the contents of tensors that are outputs of the program."""
    contents = []
    data = path.with_suffix(".bin").read_bytes()

    def take(table):
        for kind in ("tensor", "tensor_list"):
            if table.get("output") and kind in table:
                contents.extend(take_contents(json.loads(json.dumps(table[kind])), data))

    visit(json.loads((path.parent / "json" / f"{path.stem}.json").read_text()), take)
    return b"".join(contents)


def compare(build, model, record, mode, peer, ours):
    """Returns the first difference, or None."""
    difference = compare_json(peer, ours, mode)
    if difference:
        return difference
    tables = [etinspect_table(build, path, record) for path in (peer, ours)]
    if read_table(tables[0], model.is_delegated) != read_table(tables[1], model.is_delegated):
        return "etinspect's table differs"
    if tables[0].startswith("failed") and not model.sizes:  # runs with other inputs cannot be inspected together
        return f"etinspect {tables[0]}"
    if mode != "all":
        return None
    tables = [inspector_table(path, record) for path in (peer, ours)]
    if read_table(tables[0], model.is_delegated) != read_table(tables[1], model.is_delegated):
        return "the Inspector's table differs"
    return f"the Inspector {tables[0]}" if tables[0].startswith("failed") and not model.sizes else None


def compare_alone(build, model, record, mode, ours):
    """Does the same if there is no file of ETDumpGen."""
    table = etinspect_table(build, ours, record)
    if table.startswith("failed"):
        return f"etinspect {table}"
    asks = mode == "all" and model.peer_reads
    return "the Inspector's table differs" if asks and table != inspector_table(ours, record) else None


def judge(build, programs, name, model, mode, work, n_refused):
    record = programs / f"{name}.etrecord"
    peer, ours = (work / f"{name}.{mode}.{side}.etdp" for side in ("peer", "ours"))
    logs = mode in ("outputs", "all", "file")
    if logs and program_outputs(ours) != ours.with_suffix(".outputs").read_bytes():
        return "the outputs recorded are not those returned"
    if n_refused != (RUNS if name == "nothing" and logs else 0):
        return f"{n_refused} values were refused"
    if model.peer_logs:
        return compare(build, model, record, mode, peer, ours)
    return compare_alone(build, model, record, mode, ours)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    build = options.build.resolve()
    programs = build / "traced"
    models = export_all(programs)
    work = Path(tempfile.mkdtemp(prefix="tracers-"))
    failures, refused = [], {}
    for name, model in models.items():
        sides = "both" if model.peer_logs else "ours"
        sizes = [",".join(map(str, each)) for each in model.sizes]
        done = subprocess.run([build / "capture_models", programs / f"{name}.pte", work / name, sides, *sizes], capture_output=True, text=True)
        if done.returncode == 0:
            refused[name] = [int(line) for line in done.stdout.split()]
        else:
            failures.append(f"FAILED {name}: {done.stderr.strip()[-300:]}")
    make_json(work)
    n_passed = 0
    for name, counts in refused.items():
        for mode, n_refused in zip(MODES, counts, strict=True):
            difference = judge(build, programs, name, models[name], mode, work, n_refused)
            if difference:
                failures.append(f"FAILED {name}, {mode}: {difference}")
            n_passed += not difference
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"tracers: {n_passed} passed, {len(failures)} failed, 0 skipped")
    shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
