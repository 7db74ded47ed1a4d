"""A case: the same request to the Inspector and to etinspect. cases.jsonl lists those of one parity run."""

import argparse
import dataclasses
import json
from pathlib import Path

EDGE_DIALECT_GRAPH_KEY = "edge_dialect_graph_module"
SCALES = ("ns", "us", "ms", "s", "cycles")


@dataclasses.dataclass
class Case:
    name: str
    category: str
    directory: str  # working directory: options name files relative to it
    options: list  # as for etinspect's command line, without --tsv_path
    output: str  # directory for the output of both
    seed: int = None
    golden: dict = dataclasses.field(default_factory=dict)  # kind: path, for cases in testdata/
    record_from_file: bool = False  # the Inspector parses the ETRecord itself; otherwise graphs are shared between cases
    expected: str = None  # where the Inspector's message does not say what etinspect does, an outcome of outcomes.py
    whole_program: bool = False  # the Inspector's CLI is run as a program

    def path(self, name):
        return Path(self.output) / name


def save(path, cases):
    with open(path, "w") as file:
        for case in cases:
            file.write(json.dumps(dataclasses.asdict(case)) + "\n")


def load(path):
    with open(path) as file:
        return [Case(**json.loads(line)) for line in file]


def parse_options(options):
    """Returns the options that both understand, and etinspect's names for those that only the Inspector's methods have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--etdump_path", required=True)
    parser.add_argument("--etrecord_path")
    parser.add_argument("--debug_buffer_path")
    parser.add_argument("--source_time_scale", default="ns", choices=SCALES)
    parser.add_argument("--target_time_scale", default="ms", choices=SCALES)
    parser.add_argument("--no-include_units", dest="include_units", action="store_false")
    parser.add_argument("--include_delegate_debug_data", action="store_true")
    parser.add_argument("--delegate_time_scale", choices=SCALES)
    parser.add_argument("--delegate_metadata", choices=("utf8", "hex"))
    parser.add_argument("--reference_graph_name", default=EDGE_DIALECT_GRAPH_KEY)
    return parser.parse_args(options)


def testdata(root, output):
    """Returns the rows of testdata/cases.tsv, one case for each distinct set of options of a directory."""
    found = {}
    for line in (root / "cases.tsv").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        directory, golden, kind, options = line.split("\t")
        number = sum(name == directory for name, _ in found)
        case = found.setdefault((directory, options), Case(
            name=f"testdata/{directory}/{number + 1}", category="testdata", directory=str(root / directory),
            options=options.split(), output=str(output / f"testdata/{directory}/{number + 1}"), record_from_file=True))
        case.golden[kind] = str(root / directory / golden)
    return list(found.values())
