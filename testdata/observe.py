"""Asks the real Inspector for the golden outputs of one case, as cases.tsv lists them.

    python observe.py CASE OUTPUT_DIRECTORY

Runs with the case directory as current directory, so the options of cases.tsv name files as a user would. It imports
nothing but the Inspector: an operator that some other import registers would change what the Inspector shows.
"""

import argparse
import contextlib
import hashlib
import json
import os
import shlex
import sys
import tempfile
import traceback
from pathlib import Path
from unittest import mock

import torch
from executorch.devtools import Inspector
from executorch.devtools.inspector import inspector_cli, TimeScale

HERE = Path(__file__).resolve().parent


def rows_of(case):
    """(output, kind, options) of each line of cases.tsv that belongs to the case."""
    for line in (HERE / "cases.tsv").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        name, output, kind, options = line.split("\t")
        if name == case:
            yield output, kind, shlex.split(options)


@contextlib.contextmanager
def standard_output_into(path):
    """Redirects the file descriptor: the Inspector keeps the sys.stdout it found when it was imported."""
    sys.stdout.flush()
    saved = os.dup(1)
    with open(path, "wb") as file:
        os.dup2(file.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)


# ---------------------------------------------------------------- the two ways to ask


def run_cli(options):
    with mock.patch.object(sys, "argv", ["inspector_cli", *options]):
        inspector_cli.main()


def parse_options(options):
    """The options of the CLI, and the two that only the Inspector's methods have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--etdump_path", required=True)
    parser.add_argument("--etrecord_path")
    parser.add_argument("--debug_buffer_path")
    parser.add_argument("--source_time_scale", default="ns")
    parser.add_argument("--target_time_scale", default="ms")
    parser.add_argument("--no-include_units", dest="include_units", action="store_false")
    parser.add_argument("--include_delegate_debug_data", action="store_true")
    return parser.parse_args(options)


def open_inspector(options):
    return Inspector(
        etdump_path=options.etdump_path,
        etrecord=options.etrecord_path,
        debug_buffer_path=options.debug_buffer_path,
        source_time_scale=TimeScale(options.source_time_scale),
        target_time_scale=TimeScale(options.target_time_scale),
    )


def cli_knows(options):
    return not {"--no-include_units", "--include_delegate_debug_data"} & set(options)


# ---------------------------------------------------------------- one function per kind


def write_table(path, options):
    if cli_knows(options):
        with standard_output_into(path):
            run_cli(options)
        return
    parsed = parse_options(options)
    inspector = open_inspector(parsed)
    with standard_output_into(path):
        inspector.print_data_tabular(
            include_units=parsed.include_units, include_delegate_debug_data=parsed.include_delegate_debug_data
        )


def write_tsv(path, options):
    if cli_knows(options):
        with standard_output_into(os.devnull):
            run_cli([*options, "--tsv_path", str(path)])
        return
    parsed = parse_options(options)
    open_inspector(parsed).save_data_to_tsv(
        str(path),
        include_units=parsed.include_units,
        include_delegate_debug_data=parsed.include_delegate_debug_data,
    )


def write_error(path, options):
    """The last line of the traceback, after making sure that nothing was printed before it."""
    with tempfile.NamedTemporaryFile() as printed:
        try:
            with standard_output_into(printed.name):
                run_cli(options)
        except Exception as error:
            path.write_text(traceback.format_exception_only(error)[-1])
        else:
            raise AssertionError(f"the Inspector was expected to fail on {options}")
        assert not Path(printed.name).read_bytes()


def write_attributes(path, options):
    inspector = open_inspector(parse_options(options))
    document = {
        "event_blocks": [block_attributes(block) for block in inspector.event_blocks],
        "find_total_for_module": {
            name: float(inspector.find_total_for_module(name)) for name in module_names(inspector)
        },
    }
    path.write_text(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


WRITERS = {"table": write_table, "tsv": write_tsv, "error": write_error, "attributes": write_attributes}


# ---------------------------------------------------------------- what an Inspector object holds


def block_attributes(block):
    return {
        "name": block.name,
        "bundled_input_index": block.bundled_input_index,
        "run_output": describe(block.run_output),
        "reference_output": describe(block.reference_output),
        "events": [event_attributes(event) for event in block.events],
    }


def event_attributes(event):
    attributes = {
        "name": event.name,
        "instruction_id": event._instruction_id,
        "op_types": event.op_types,
        "delegate_debug_identifier": event.delegate_debug_identifier,
        "debug_handles": event.debug_handles,
        "num_outputs": event.num_outputs,
        "stack_traces": [[node, trace] for node, trace in event.stack_traces.items()],
        "module_hierarchy": [[node, hierarchy(stack)] for node, stack in event.module_hierarchy.items()],
        "is_delegated_op": event.is_delegated_op,
        "delegate_backend_name": event.delegate_backend_name,
        "delegate_debug_metadatas": [metadata and metadata.hex() for metadata in event.delegate_debug_metadatas],
        "debug_data": describe(event.debug_data),
        "start_time": event.start_time,
    }
    return attributes | statistics(event.perf_data)


def hierarchy(stack):
    """Module key, path and type, outermost module first; none for a node that has no stack."""
    return stack and [[key, *entry] for key, entry in stack.items()]


def statistics(perf_data):
    if perf_data is None:
        return {"raw": None}
    names = ("p10", "p50", "p90", "avg", "min", "max")
    return {"raw": perf_data.raw} | {name: float(getattr(perf_data, name)) for name in names}


def describe(value):
    """Tensors by type, shape and the hash of their bytes; lists element by element; scalars as they are."""
    if isinstance(value, torch.Tensor):
        raw = value.detach()
        if raw.dtype == torch.bool:
            raw = raw.view(torch.uint8)  # a copy of bools would make each byte 0 or 1
        data = raw.clone(memory_format=torch.contiguous_format).flatten().view(torch.uint8).numpy().tobytes() if raw.numel() else b""
        return {
            "dtype": str(value.dtype),
            "shape": list(value.shape),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    return value


def module_names(inspector):
    """Every module key that some event's hierarchy mentions, and a text no key contains."""
    names = {"no such module"}
    for block in inspector.event_blocks:
        for event in block.events:
            for stack in event.module_hierarchy.values():
                names.update(stack or [])
    return sorted(names)


def main():
    case, output_directory = sys.argv[1:]
    output_directory = Path(output_directory).resolve()
    os.chdir(HERE / case)
    for output, kind, options in rows_of(case):
        WRITERS[kind](output_directory / output, options)


if __name__ == "__main__":
    main()
