"""Judges windows of recorded processes with `etinspect gate`, and prints how often it is right.

    python3 bench/gate/windows.py ETINSPECT DIRECTORY [--sets enc mob] [--step 1] [--sizes 5 8 20] [--jobs 2] [--seed 1]

DIRECTORY holds baselines SET-a.csv, SET-b.csv and SET-KERNEL.csv, also as .xz: a and b are processes of the same program, those
of KERNEL have a kernel of that name that is slower. File k of all of them was recorded in the same round, in random order. A
window is a number of consecutive rounds, so its sides were recorded in turns. A cell of the table is a comparison, judged in all
windows that begin --step rounds apart:

    A/A                       a and b
    KERNEL, KERNEL exchanged  a and KERNEL, KERNEL and a; "apart": without --in_turns
    one, layer, all           b with longer times: of one event, of four consecutive ones, of all; "kinds": of the kinds of KINDS

Cells are the percentages of gates with the statuses 0/1/6, then of gates that name something that changed ("right"), then the
numbers of gates that name anything else as slower or faster ("wrong"). The last column is what `etinspect measure` does with
20 pairs: it looks at them after 8, 12 and 20, with the mean number of pairs.
"""

import argparse
import csv
import io
import json
import lzma
import math
import random
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

STATUSES = {"slower": 1, "not slower": 0, "cannot tell": 6}
LOOKS, EARLY_ALPHA, EARLY_BETA = (8, 12, 20), 0.001, 0.01
LISTS = ("fast", "p50", "p90", "p95", "p99", "avg", "min", "max")
TOTALS = ("execute", "operators", "delegates", "framework", "loading")
PARTS = {"operators": ("kernel",), "delegates": ("delegated", "delegate_call")}
LEAST_SHARE = 0.03  # of an event that is drawn
ONE = {"enc": ("native_call_addmm.out", 1), "mob": ("Convolution (NHWC, F32) DWConv", 0)}
KINDS = {"mob": r"Convolution|Fully Connected"}


# ---------------------------------------------------------------- recordings


def as_line(fields):
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()


class Row:
    """An entry: its fields before the lists, its step, and a list of numbers for each column, None where a file lacks it."""

    def __init__(self, fields, columns, number):
        fields[columns.index("op")] = f"row{number}"  # reports show it
        self.fields, self.step = as_line(fields[: columns.index("step")]), int(fields[columns.index("step")] or 0)
        self.kind, self.name, self.op_type = fields[0], fields[1], fields[columns.index("op_type")]
        self.lists = {}
        for name in LISTS:
            old = {"fast": "location", "p95": "max", "p99": "max"}  # version 3
            place = columns.index(name if name in columns else old[name])
            self.lists[name] = [float(x) if x else None for x in fields[place].split(";")]

    def text(self, files, factor=1.0, extra=()):
        """Times of these files, all times the factor, with those of other rows and their factors added."""
        columns = [self.fields, str(self.step)]
        for name in LISTS:
            values = []
            for file in files:
                value = self.lists[name][file]
                if value is not None:
                    value = value * factor + sum((row.lists[name][file] or 0.0) * part for row, part in extra)
                    if self.step and name in ("min", "max"):
                        value = {"min": math.floor, "max": math.ceil}[name](value / self.step) * self.step
                values.append("" if value is None else repr(value))
            columns.append(";".join(values))
        return ",".join(columns)


class Recording:
    def __init__(self, path):
        text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
        lines = text.decode().splitlines()
        self.files = [line for line in lines if line.startswith("file,")]
        start = next(i for i, line in enumerate(lines) if line.startswith("columns,"))
        columns = lines[start].split(",")
        self.head = [line for line in lines[1:start] if not line.startswith("file,")]
        self.columns = columns[: columns.index("step") + 1] + list(LISTS)
        self.body = []  # lines of blocks, and rows
        for number, fields in enumerate(csv.reader(lines[start + 1 : -1])):
            self.body.append(fields if fields[0] == "block" else Row(fields, columns, number))
        self.rows = [item for item in self.body if isinstance(item, Row)]
        self.numbers = {f"row{i}": self.rows.index(item) for i, item in enumerate(self.body) if isinstance(item, Row)}
        self.total = next(row for row in self.rows if row.kind == "execute")
        self.block = self.block_of(self.total)
        self.in_block = {id(row) for row in self.block}
        whole = statistics.median(self.total.lists["p50"])
        self.shares = {id(row): self.median(row) / whole for row in self.rows}

    def block_of(self, row):
        """All rows of the block of a row."""
        at, start = self.body.index(row), 0
        for i, item in enumerate(self.body):
            if not isinstance(item, Row):
                if i > at:
                    return self.body[start:i]
                start = i + 1
        return self.body[start:]

    @staticmethod
    def median(row):
        return statistics.median([x for x in row.lists["p50"] if x is not None] or [0])

    def events(self, least=0.01):
        return [row for row in self.block if row.kind not in TOTALS and self.shares[id(row)] >= least]

    def text(self, files, change):
        """A baseline of these files. `change`: factor of the whole block, or {index of a row: factor of its times}."""
        lines = ["etinspect-baseline,4", *self.head, *(self.files[file] for file in files), ",".join(self.columns)]
        planted = [(self.rows[i], factor - 1) for i, factor in change.items()] if isinstance(change, dict) else []
        factors = {id(row): 1 + part for row, part in planted}
        for item in self.body:
            if not isinstance(item, Row):
                parts = [";".join(part.split(";")[file] for file in files) if i in (3, 4) else part for i, part in enumerate(item)]
                lines.append(",".join(parts))
            elif id(item) not in self.in_block:
                lines.append(item.text(files))
            elif not isinstance(change, dict):
                lines.append(item.text(files, change))
            elif item.kind in TOTALS:
                parts = [(row, part) for row, part in planted if item.kind == "execute" or row.kind in PARTS.get(item.kind, ())]
                lines.append(item.text(files, 1.0, parts))
            else:
                lines.append(item.text(files, factors.get(id(item), 1.0)))
        lines.append(f"end,{len(lines)}")
        return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- comparisons


class Cell:
    def __init__(self, name, base, new, in_turns=True, plant=None, changed=None):
        self.name, self.base, self.new, self.in_turns = name, base, new, in_turns
        self.plant = plant or (lambda start: {})  # start of a window: what takes longer
        self.changed = changed or (lambda start: set(self.plant(start)))  # rows that may be named


def rows_of_kind(recording, pattern):
    return {i for i, row in enumerate(recording.rows) if row.kind not in TOTALS and re.search(pattern, row.op_type)}


def cells_of(name, recordings, seed):
    a, b = recordings["a"], recordings["b"]
    cells = [Cell("A/A", a, b)]
    for kernel, slower in recordings.items():
        if kernel in ("a", "b"):
            continue
        slow = rows_of_kind(a, re.escape(kernel))
        for title, base, new in ((f"{kernel} slower", a, slower), (f"{kernel} exchanged", slower, a)):
            for in_turns in (True, False):
                cells.append(Cell(title if in_turns else f"{title}, apart", base, new, in_turns, changed=lambda start, slow=slow: slow))
    index = {id(row): i for i, row in enumerate(b.rows)}
    events = [index[id(row)] for row in b.events()]
    heavy = [index[id(row)] for row in b.events(LEAST_SHARE)]

    def any_event(start):
        return random.Random(f"{seed} {start}").choice(heavy)

    def event(start):
        if name not in ONE:
            return any_event(start)
        kind, number = ONE[name]
        return [i for i in events if kind in b.rows[i].name][number]

    def layer(start):
        at = min(events.index(event(start)), len(events) - 4)
        return events[at : at + 4]

    for percent in (10, 30):
        factor = 1 + percent / 100
        cells.append(Cell(f"one +{percent} %", a, b, plant=lambda start, factor=factor: {event(start): factor}))
        if name in ONE:
            cells.append(Cell(f"any +{percent} %", a, b, plant=lambda start, factor=factor: {any_event(start): factor}))
    cells.append(Cell("layer +10 %", a, b, plant=lambda start: dict.fromkeys(layer(start), 1.1)))
    if name in KINDS:
        for factor in (1.25, 0.8):
            cells.append(Cell(f"kinds x{factor}", a, b, plant=lambda start, factor=factor: dict.fromkeys(rows_of_kind(b, KINDS[name]), factor)))
    for factor in (1.1, 1.3, 0.7):
        cells.append(Cell(f"all x{factor}", a, b, plant=lambda start, factor=factor: factor, changed=lambda start: set()))
    return cells


# ---------------------------------------------------------------- gates


class Gates:
    def __init__(self, program, directory):
        self.program, self.directory, self.answers = program, directory, {}

    def judge(self, cell, start, n, *options):
        """Exit status, and the numbers of rows that are slower or faster."""
        key = (cell, start, n, options)
        if key not in self.answers:
            self.answers[key] = self.run(*key)
        return self.answers[key]

    def run(self, cell, start, n, options):
        files, stem = range(start, start + n), f"{id(cell)}-{start}-{n}-{len(options)}"
        paths = [self.directory / f"{stem}-{side}.csv" for side in ("base", "new")]
        paths[0].write_text(cell.base.text(files, {}))
        paths[1].write_text(cell.new.text(files, cell.plant(start)))
        command = [self.program, "diff", *paths, "--exit_code", "--format", "json", *options]
        done = subprocess.run(command + ["--in_turns"] * cell.in_turns, capture_output=True, text=True)
        if done.returncode not in STATUSES.values():
            raise RuntimeError(f"{' '.join(map(str, done.args))}\n{done.stderr}")
        for path in paths:
            path.unlink()
        tables = json.loads(done.stdout)["tables"]
        named = [row["op"] for row in tables["events"] if row["verdict"] in ("slower", "faster")]
        return STATUSES[tables["summary"][0]["outcome"]], frozenset(cell.new.numbers[name] for name in named)

    def measure(self, cell, start):
        """Status and number of pairs of a measurement of 20 pairs."""
        for n in LOOKS:
            status, names = self.judge(cell, start, n)
            early = ("--alpha", str(EARLY_ALPHA), "--beta", str(EARLY_BETA))
            if n == LOOKS[-1] or (status != 6 and self.judge(cell, start, n, *early)[0] == status):
                return status, names, n
        return None


def percent(n, of):
    return f"{100 * n / of:.0f}"


def describe(cell, starts, answers):
    """`answers`: (status, names, pairs) of each window."""
    n, statuses = len(answers), [answer[0] for answer in answers]
    shares = "/".join(percent(statuses.count(status), n) for status in (0, 1, 6))
    right = sum(bool(names & cell.changed(start)) for start, (_, names, _) in zip(starts, answers))
    wrong = sum(bool(names - cell.changed(start)) for start, (_, names, _) in zip(starts, answers))
    return f"{shares} {percent(right, n)} {wrong}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: Path(path).resolve())
    parser.add_argument("directory", type=Path)
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--cells", default="", help="only cells whose names match this pattern")
    parser.add_argument("--sizes", nargs="*", type=int, default=[5, 8, 20])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    recordings = {}
    for path in sorted(options.directory.glob("*-*.csv*")):
        name, side = path.name.split(".")[0].split("-", 1)
        if not options.sets or name in options.sets:
            recordings.setdefault(name, {})[side] = Recording(path)
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(options.jobs) as pool:
        gates = Gates(options.program, Path(directory))
        for name, sides in recordings.items():
            print(f"\n| {name} | " + " | ".join(f"{n}:{n}" for n in options.sizes) + " | measure (pairs) |")
            print("| --- |" + " --- |" * (len(options.sizes) + 1))
            n_files = min(len(recording.files) for recording in sides.values())
            for cell in cells_of(name, sides, options.seed):
                if not re.search(options.cells, cell.name):
                    continue
                texts = []
                for n in options.sizes:
                    starts = range(0, n_files - n + 1, options.step)
                    answers = pool.map(lambda start: gates.judge(cell, start, n), starts)
                    texts.append(describe(cell, starts, [(*answer, n) for answer in answers]))
                starts = range(0, n_files - LOOKS[-1] + 1, options.step)
                answers = list(pool.map(lambda start: gates.measure(cell, start), starts))
                pairs = statistics.mean(answer[2] for answer in answers)
                texts.append(f"{describe(cell, starts, answers)} ({pairs:.1f})")
                print(f"| {cell.name} | " + " | ".join(texts) + " |", flush=True)
                gates.answers.clear()


if __name__ == "__main__":
    main()
