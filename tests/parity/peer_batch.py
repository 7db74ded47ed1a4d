"""Runs the real Inspector on every case, in one process per core.

    peer_batch.py DIRECTORY

Beside each case's outputs: peer.table and peer.tsv, or peer.error (a line "Type: message"), and peer.json, the attributes,
if an Inspector could be made at all. Attributes are described by testdata/observe.py, as the goldens are.
"""

import io
import json
import logging
import multiprocessing
import os
import subprocess
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testdata"))

import torch
from executorch.devtools import Inspector
from executorch.devtools.inspector import TimeScale
from executorch.devtools.inspector._inspector_utils import TIME_SCALE_DICT
from executorch.extension.llm.custom_ops import custom_ops  # noqa: F401, registers operators: without them a node has no name

import cases
import observe
from random_record import RecordReader

torch.set_num_threads(1)
records = RecordReader()


def time_scale_converter(options):
    """Converts --delegate_time_scale. Cycles are shown as counted."""
    if options.delegate_time_scale is None:
        return None
    if options.delegate_time_scale == "cycles":
        return lambda event_name, time: float(time)
    ratio = TIME_SCALE_DICT[TimeScale(options.delegate_time_scale)] / TIME_SCALE_DICT[TimeScale(options.target_time_scale)]
    return lambda event_name, time: time / ratio


METADATA_PARSERS = {
    None: None,
    "utf8": lambda entries: [entry.decode("utf-8", "replace") if entry else "" for entry in entries],
    "hex": lambda entries: [entry.hex() if entry else "" for entry in entries],
}


def open_inspector(case, options):
    record = options.etrecord_path
    return Inspector(
        etdump_path=options.etdump_path,
        etrecord=record if record is None or case.record_from_file else records.read(record),
        debug_buffer_path=options.debug_buffer_path,
        source_time_scale=TimeScale(options.source_time_scale),
        target_time_scale=TimeScale(options.target_time_scale),
        delegate_metadata_parser=METADATA_PARSERS[options.delegate_metadata],
        delegate_time_scale_converter=time_scale_converter(options),
        reference_graph_name=options.reference_graph_name,
    )


def write_outputs(inspector, case, options):
    shown = {"include_units": options.include_units, "include_delegate_debug_data": options.include_delegate_debug_data}
    table = io.StringIO(newline="")
    inspector.print_data_tabular(table, **shown)
    inspector.save_data_to_tsv(str(case.path("peer.tsv")), **shown)
    case.path("peer.table").write_bytes(table.getvalue().encode())


def run_whole_program(case):
    """Runs the CLI as a user does, instead of the calls above."""
    command = [sys.executable, "-m", "executorch.devtools.inspector.inspector_cli", *case.options, "--tsv_path", str(case.path("peer.tsv"))]
    done = subprocess.run(command, capture_output=True, check=True)
    case.path("peer.table").write_bytes(done.stdout)


def module_names(inspector):
    """Returns every module key, a part of it, an empty text and one that matches nothing."""
    names = set(observe.module_names(inspector))
    return sorted(names | {name[2:-2] for name in names} | {""})


def attributes(inspector):
    for block in inspector.event_blocks:
        for event in block.events:
            event._delegate_metadata_parser = None  # the entries themselves, not a parser's result
            event.__dict__.pop("delegate_debug_metadatas", None)
    return {
        "event_blocks": [observe.block_attributes(block) for block in inspector.event_blocks],
        "find_total_for_module": {name: float(inspector.find_total_for_module(name)) for name in module_names(inspector)},
    }


def ask(case):
    for name in ("peer.table", "peer.tsv", "peer.json", "peer.error"):
        case.path(name).unlink(missing_ok=True)
    case.path("").mkdir(parents=True, exist_ok=True)
    os.chdir(case.directory)
    options = cases.parse_options(case.options)
    try:
        inspector = open_inspector(case, options)
    except Exception as error:
        return write_error(case, error)
    try:
        if case.whole_program:
            run_whole_program(case)
        else:
            write_outputs(inspector, case, options)
    except Exception as error:
        write_error(case, error)
    case.path("peer.json").write_text(json.dumps(attributes(inspector)))


def write_error(case, error):
    first_line = (str(error).splitlines() or [""])[0]
    case.path("peer.error").write_text(f"{type(error).__name__}: {first_line}\n")


def main():
    todo = cases.load(Path(sys.argv[1]) / "cases.jsonl")
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        pool.map(ask, todo, chunksize=8)


if __name__ == "__main__":
    main()
