"""Writes N random cases and the real models, and lists them with those of testdata/, for peer_batch.py and compare.py.

    generate_cases.py DIRECTORY N SEED [FIRST]

With FIRST only the random cases FIRST .. FIRST + N - 1 are made: the same as in a run from 0.
"""

import io
import json
import multiprocessing
import sys
import zipfile
from pathlib import Path

import torch

import cases
import models
import random_dump
import random_record

torch.set_num_threads(1)
GRAPHS = 40
TESTDATA = Path(__file__).resolve().parents[2] / "testdata"


def family_of(number):
    """Makes one case in 40 large, since large dumps cost the Inspector half a second each."""
    families = random_dump.FAMILIES
    return random_dump.large if number % 40 == 39 else families[number % len(families)]


def random_case(directory, number, seed):
    family = family_of(number)
    case_seed = seed * 1_000_000 + number
    dump, rng = random_dump.random_dump(family, case_seed)
    home = directory / "cases" / f"{number:05}"
    home.mkdir(parents=True, exist_ok=True)
    (home / "run.etdp").write_bytes(dump.to_bytes())
    options = ["--etdump_path", "run.etdp"]
    if dump.wants_record:
        record = random_record.random_record(rng, graphs)
        (home / "record.etrecord").write_bytes(record)
        options += ["--etrecord_path", "record.etrecord", *random_record.reference_graph_options(rng, record)]
    if dump.buffer is not None:
        (home / "debug_buffer.bin").write_bytes(dump.buffer)
        options += ["--debug_buffer_path", "debug_buffer.bin"]
    return cases.Case(f"{number:05}", family.__name__, str(home), options + dump.options, str(home), case_seed,
                      record_from_file=rng.random() < 0.1, expected=dump.expected)


def model_cases(directory, name, seed):
    """One with the options of the Inspector's program, and one for each graph of the record."""
    home = directory / "models" / name
    home.mkdir(parents=True, exist_ok=True)
    names = models.export(name, seed, home)
    options = ["--etdump_path", "run.etdp", "--etrecord_path", "record.etrecord", "--debug_buffer_path", "debug_buffer.bin"]
    made = [cases.Case(f"model/{name}", "real models", str(home), options, str(home), seed, record_from_file=True,
                       whole_program=name in ("mlp", "conv"))]
    for graph in names:
        made.append(cases.Case(f"model/{name}/{graph}", "reference graphs", str(home), [*options, "--reference_graph_name", graph],
                               str(home / graph.replace("/", ".")), seed, record_from_file=True))
    return made


def complete_record(record, path):
    """Writes a copy of a record without weights, with empty members for those that the Inspector requires."""
    with zipfile.ZipFile(record) as source, zipfile.ZipFile(path, "w") as copy:
        names = source.namelist()
        for name in names:
            copy.writestr(name, source.read(name))
        for part, value in (("_state_dict", {}), ("_constants", {}), ("_example_inputs", ((), {}))):
            file = io.BytesIO()
            torch.save(value, file)
            for name in names:
                is_program = name == "exported_program" or name.startswith("edge_dialect_exported_program/")
                if is_program and not name.endswith(("_state_dict", "_constants", "_example_inputs")) and name + part not in names:
                    copy.writestr(name + part, file.getvalue())


def backend_cases(directory):
    """Returns a case for each folder of testdata/backends with a dump, with the record that its truth.json names."""
    found = []
    for folder in sorted(dump.parent for dump in TESTDATA.glob("backends/*/run.etdp")):
        home = directory / "backends" / folder.name
        home.mkdir(parents=True, exist_ok=True)
        truth, hashed = folder / "truth.json", folder / "inspector.sha256"
        files = json.loads(truth.read_text())["files"] if truth.exists() else [file.name for file in folder.iterdir()]
        (record,) = (file for file in files if file.endswith(".etrecord"))
        complete_record(folder / record, home / "record.etrecord")
        options = ["--etdump_path", "run.etdp", "--etrecord_path", str(home / "record.etrecord")]
        found.append(cases.Case(f"backends/{folder.name}", "backends", str(folder), options, str(home), record_from_file=True,
                                golden={"sha256": str(hashed)} if hashed.exists() else {}))
    return found


def generate(arguments):
    kind, *rest = arguments
    made = kind(*rest)
    return made if isinstance(made, list) else [made]


def main():
    global graphs  # read by the processes of the pool
    directory, count, seed = Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    only_random, first = len(sys.argv) > 4, int([*sys.argv, 0][4])
    directory.mkdir(parents=True, exist_ok=True)
    graphs = random_record.make_graphs(seed, GRAPHS, directory)
    work = [(random_case, directory, number, seed) for number in range(first, first + count)]
    known = []
    if not only_random:
        work = [(model_cases, directory, name, seed) for name in models.NAMES + models.MORE_NAMES] + work
        known = cases.testdata(TESTDATA, directory) + backend_cases(directory)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        made = pool.map(generate, work, chunksize=1)
        cases.save(directory / "cases.jsonl", known + [case for of_one in made for case in of_one])


if __name__ == "__main__":
    main()
