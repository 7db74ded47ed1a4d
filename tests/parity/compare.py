"""Runs etinspect on every case and compares it, byte for byte, with what peer_batch.py saved.

    compare.py DIRECTORY [--build BUILD]

Ends with a line "N passed, N failed"; the exit status is 1 if anything differs.
"""

import argparse
import collections
import dataclasses
import hashlib
import json
import math
import multiprocessing.pool
import shlex
import subprocess
import sys
from pathlib import Path

import cases
from outcomes import expected_outcome

WIDTHS = {"uint8": 1, "int8": 1, "bool": 1, "int16": 2, "uint16": 2, "float16": 2, "int32": 4, "float32": 4, "int64": 8, "float64": 8}


MOST_EXPLAINED = 50  # failures to print; further ones are only counted


class Difference(Exception):
    """Describes the first difference."""


@dataclasses.dataclass
class Result:
    case: cases.Case
    difference: str = None
    tables: int = 0
    table_bytes: int = 0
    tsvs: int = 0
    tsv_bytes: int = 0
    attributes: int = 0  # number of compared values
    documents: int = 0
    refused: int = 0  # answered by both, or only by etinspect, as outcomes.py expects


# ---------------------------------------------------------------- bytes


def require_same_bytes(what, theirs, ours):
    if theirs == ours:
        return
    their_lines, our_lines = theirs.split(b"\n"), ours.split(b"\n")
    for number in range(max(len(their_lines), len(our_lines))):
        their_line = their_lines[number] if number < len(their_lines) else None
        our_line = our_lines[number] if number < len(our_lines) else None
        if their_line != our_line:
            raise Difference(f"{what}, line {number + 1}:\n    Inspector {shown(their_line)}\n    etinspect {shown(our_line)}")


def shown(line):
    return "(no such line)" if line is None else repr(line.decode("utf-8", "backslashreplace"))


# ---------------------------------------------------------------- attributes


def like_observe(value):
    """Returns the document of attributes.c in the layout of testdata/observe.py."""
    if isinstance(value, list):
        return [like_observe(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "bytes" in value:
        return describe_tensor(value)
    if len(value) == 1 and "float" in value:
        return as_the_inspector_reads(value["float"], 6)
    if len(value) == 1 and "double" in value:
        return as_the_inspector_reads(value["double"], 12)
    if "op_nodes" in value:
        nodes = value["op_nodes"]
        value["stack_traces"] = [[name, trace] for name, trace, _ in nodes]
        value["module_hierarchy"] = [[name, modules] for name, _, modules in nodes]
        del value["op_nodes"]
    return {key: like_observe(item) for key, item in value.items()}


def as_the_inspector_reads(number, decimals):
    """Rounds debug scalars, which flatc writes with this many decimals; etinspect keeps the exact values."""
    return float(f"{number:.{decimals}f}")


def describe_tensor(tensor):
    """Substitutes zeros, which the Inspector has without a debug buffer."""
    data = bytes.fromhex(tensor["bytes"] or "")
    if tensor["bytes"] is None:
        data = bytes(math.prod(tensor["shape"]) * WIDTHS[tensor["dtype"].removeprefix("torch.")])
    return {"dtype": tensor["dtype"], "shape": tensor["shape"], "sha256": hashlib.sha256(data).hexdigest()}


def require_same_attributes(theirs, ours, path=""):
    """Returns the number of compared values. Floats must agree in every bit, so 0.0 is not -0.0 and 1 is not 1.0."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if theirs.keys() != ours.keys():
            raise Difference(f"attributes{path}: Inspector has {sorted(theirs)}, etinspect {sorted(ours)}")
        return sum(require_same_attributes(theirs[key], ours[key], f"{path}.{key}") for key in theirs)
    if theirs == {} and ours == []:
        return 1  # observe.py's form of an empty module stack
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return sum(require_same_attributes(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(theirs, ours)))
    if repr(theirs) != repr(ours):
        raise Difference(f"attributes{path}:\n    Inspector {theirs!r}\n    etinspect {ours!r}")
    return 1


# ---------------------------------------------------------------- one case


class Comparison:
    def __init__(self, build):
        self.etinspect = str((build / "etinspect").resolve())
        self.attributes = str((build / "attributes").resolve())

    def command(self, case):
        return [self.etinspect, *case.options, "--tsv_path", str(case.path("our.tsv"))]

    def compare(self, case):
        result = Result(case)
        try:
            self.compare_outputs(case, result)
            self.compare_attributes(case, result)
            require_same_goldens(case)
        except Difference as difference:
            result.difference = str(difference)
        return result

    def compare_outputs(self, case, result):
        case.path("our.tsv").unlink(missing_ok=True)
        done = subprocess.run(self.command(case), cwd=case.directory, capture_output=True)
        case.path("our.table").write_bytes(done.stdout)
        tsv = case.path("our.tsv").read_bytes() if case.path("our.tsv").exists() else None
        if case.path("peer.error").exists():
            require_outcome(case, done, tsv)
            result.refused = 1
            return
        if done.returncode != 0:
            raise Difference(f"the Inspector answers, etinspect exits with {done.returncode}: {done.stderr.decode(errors='replace')}")
        require_same_bytes("table", case.path("peer.table").read_bytes(), done.stdout)
        require_same_bytes("tsv", case.path("peer.tsv").read_bytes(), tsv or b"")
        result.tables, result.table_bytes, result.tsvs, result.tsv_bytes = 1, len(done.stdout), 1, len(tsv)

    def compare_attributes(self, case, result):
        if not case.path("peer.json").exists():
            return
        theirs = json.loads(case.path("peer.json").read_text())
        modules = [name for name in theirs["find_total_for_module"] if "\0" not in name]
        theirs["find_total_for_module"] = {name: theirs["find_total_for_module"][name] for name in modules}
        arguments = [text for name in modules for text in ("--module", name)]
        done = subprocess.run([self.attributes, *case.options, *arguments], cwd=case.directory, capture_output=True)
        if done.returncode != 0:
            raise Difference(f"attributes exits with {done.returncode}: {done.stderr.decode(errors='replace')}")
        ours = like_observe(json.loads(done.stdout))
        result.attributes = require_same_attributes(theirs, ours)
        result.documents = 1


def require_outcome(case, done, tsv):
    peer_error = case.path("peer.error").read_text().strip()
    refused = done.returncode in (2, 3) and not done.stdout and tsv is None
    refused = refused and done.stderr.startswith(b"etinspect: ") and (done.returncode == 2 or done.stderr.count(b"\n") == 1)
    answered = done.returncode == 0 and done.stdout.startswith("╒".encode()) and (tsv or b"").startswith(b"\t")
    outcome = case.expected or expected_outcome(peer_error)
    if outcome is None:
        raise Difference(f"the Inspector fails in a way outcomes.py does not list: {peer_error}")
    if not {"error": refused, "answer": answered, "either": refused or answered}[outcome]:
        raise Difference(f"expected of etinspect: {outcome}, because the Inspector says {peer_error!r}; exit status "
                         f"{done.returncode}, {len(done.stdout)} bytes on stdout, stderr {done.stderr.decode(errors='replace')!r}")


def require_same_goldens(case):
    """For testdata/ only: the Inspector's current output must be the committed one."""
    for kind, path in case.golden.items():
        golden = Path(path)
        if kind == "attributes":
            theirs, committed = json.loads(case.path("peer.json").read_text()), json.loads(golden.read_text())
            asked = committed["find_total_for_module"]
            theirs["find_total_for_module"] = {name: theirs["find_total_for_module"][name] for name in asked}
            require_same_attributes(theirs, committed, " of the golden")
            continue
        if kind == "sha256":
            written = hashlib.sha256(case.path("peer.tsv").read_bytes()).hexdigest() if case.path("peer.tsv").exists() else "no TSV"
            require_same_bytes(f"{golden.name} (etinspect: the golden)", written.encode(), golden.read_bytes().strip())
            continue
        ours = case.path({"table": "peer.table", "tsv": "peer.tsv", "error": "peer.error"}[kind]).read_bytes()
        require_same_bytes(f"golden {golden.name} (etinspect: the golden)", ours, golden.read_bytes())


# ---------------------------------------------------------------- report


def report(results, comparison):
    totals = collections.defaultdict(collections.Counter)
    for result in results:
        for counter in (totals[result.case.category], totals["all"]):
            counter["cases"] += 1
            counter["failed"] += result.difference is not None
            for name in ("tables", "table_bytes", "tsvs", "tsv_bytes", "documents", "attributes", "refused"):
                counter[name] += getattr(result, name)
        if result.difference is not None and totals["all"]["failed"] <= MOST_EXPLAINED:
            case = result.case
            print(f"\ncase {case.name} ({case.category}, seed {case.seed}): {result.difference}")
            print(f"    cd {shlex.quote(case.directory)} && {shlex.join(comparison.command(case))}")
    print(f"\n{'equal:':<16}{'cases':>7}{'tables':>8}{'bytes':>12}{'TSVs':>7}{'bytes':>11}{'documents':>11}{'attributes':>12}"
          f"{'errors':>8}{'failed':>8}")
    for category, n in totals.items():
        if category != "all":
            print_row(category, n)
    print_row("all", totals["all"])
    failed = totals["all"]["failed"]
    print(f"\n{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


def print_row(category, n):
    print(f"{category:<16}{n['cases']:>7}{n['tables']:>8}{n['table_bytes']:>12}{n['tsvs']:>7}{n['tsv_bytes']:>11}{n['documents']:>11}"
          f"{n['attributes']:>12}{n['refused']:>8}{n['failed']:>8}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--build", type=Path, default="build")
    options = parser.parse_args()
    comparison = Comparison(options.build)
    with multiprocessing.pool.ThreadPool(2) as pool:
        results = pool.map(comparison.compare, cases.load(options.directory / "cases.jsonl"))
    sys.exit(report(results, comparison))


if __name__ == "__main__":
    main()
