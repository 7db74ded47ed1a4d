"""Makes the same calls to both Inspectors, executorch's and etinspect's, in Python, and compares all results: every field
of every Event and EventBlock, DataFrames in all four forms, printed and saved output, totals of modules, and exceptions.

    differential.py DIRECTORY           the cases of DIRECTORY/cases.jsonl, which generate_cases.py wrote

Prints "differential: N passed, N failed"; the exit status is 1 when anything differs.
"""

import collections
import io
import itertools
import logging
import multiprocessing
import os
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "parity"))

import pandas
import torch

import cases
import peer_batch
from compare import as_the_inspector_reads
from outcomes import expected_outcome

import etinspect
from etinspect import Inspector, Tensor, TimeScale

EVENT_FIELDS = ["name", "op_types", "delegate_debug_identifier", "debug_handles", "num_outputs", "stack_traces", "module_hierarchy",
                "is_delegated_op", "delegate_backend_name", "delegate_debug_metadatas", "raw_delegate_debug_metadatas",
                "_instruction_id", "start_time"]
BLOCK_FIELDS = ["name", "bundled_input_index"]
BLOCK_VALUES = ["run_output", "reference_output"]
STATISTICS = ["raw", "p10", "p50", "p90", "avg", "min", "max"]
# Exceptions whose type is promised; for others there is an Error.
TYPES = {"ValueError": ValueError, "AssertionError": AssertionError, "FileNotFoundError": FileNotFoundError}
MOST_EXPLAINED = 20


class Difference(Exception):
    """Returns the first difference."""


def require(what, theirs, ours):
    if not is_same(theirs, ours):
        raise Difference(f"{what}: {str(theirs)[:300]!r}, not {str(ours)[:300]!r}")


def is_same(theirs, ours):
    if isinstance(theirs, torch.Tensor):
        return isinstance(ours, Tensor) and is_same_array(theirs.detach().numpy(), ours.numpy())
    if isinstance(theirs, (list, tuple)):
        return isinstance(ours, (list, tuple)) and len(theirs) == len(ours) and all(map(is_same, theirs, ours))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and list(theirs) == list(ours) and all(is_same(theirs[key], ours[key]) for key in theirs)
    if isinstance(theirs, float):
        return isinstance(ours, float) and (theirs == ours or (theirs != theirs and ours != ours))
    return type(theirs) is type(ours) and theirs == ours


def is_same_array(theirs, ours):
    return theirs.dtype == ours.dtype and theirs.shape == ours.shape and theirs.tobytes() == ours.tobytes()


def require_same_values(what, theirs, ours):
    """Values logged for debugging: flatc writes a float with 6 decimals and a double with 12, etinspect keeps the value."""
    require(f"{what}: number", theirs is None, ours is None)
    require(f"{what}: number", len(theirs or []), len(ours or []))
    for their_value, our_value in zip(theirs or [], ours or []):
        if isinstance(their_value, float) and isinstance(our_value, float):
            read = [as_the_inspector_reads(our_value, decimals) for decimals in (6, 12)]
            our_value = their_value if their_value in read else our_value
        require(what, their_value, our_value)


def compare_events(theirs, ours):
    for field in EVENT_FIELDS:
        require(f"{theirs.name}: {field}", getattr(theirs, field), getattr(ours, field))
    require_same_values(f"{theirs.name}: debug_data", theirs.debug_data, ours.debug_data)
    require(f"{theirs.name}: has perf_data", theirs.perf_data is None, ours.perf_data is None)
    for field in STATISTICS if theirs.perf_data is not None else []:
        require(f"{theirs.name}: {field}", getattr(theirs.perf_data, field), getattr(ours.perf_data, field))


def compare_blocks(theirs, ours):
    require("number of blocks", len(theirs), len(ours))
    for block, our_block in zip(theirs, ours):
        for field in BLOCK_FIELDS:
            require(f"block {block.name}: {field}", getattr(block, field), getattr(our_block, field))
        for field in BLOCK_VALUES:
            require_same_values(f"block {block.name}: {field}", getattr(block, field), getattr(our_block, field))
        require("time scales", [block.source_time_scale.value, block.target_time_scale.value],
                [our_block.source_time_scale.value, our_block.target_time_scale.value])
        require("number of events", len(block.events), len(our_block.events))
        for event, our_event in zip(block.events, our_block.events):
            compare_events(event, our_event)


def without_tensors(frame):
    """assert_frame_equal cannot compare tensors; compare_blocks() has."""
    return frame.assign(debug_data=frame["debug_data"].map(len))


def compare_tables(theirs, ours, unused, units, metadata):
    """`unused` is an Inspector without Events, whose DataFrames the extension makes."""
    what = f"include_units={units}, include_delegate_debug_data={metadata}"
    frame = without_tensors(theirs.to_dataframe(units, metadata))
    try:
        for inspector in (ours, unused):
            pandas.testing.assert_frame_equal(frame, without_tensors(inspector.to_dataframe(units, metadata)))
    except AssertionError as error:
        raise Difference(f"DataFrame, {what}: {error}") from None
    for call in ("print_data_tabular", "save_data_to_tsv"):
        their_text, our_text = io.StringIO(), io.StringIO()
        getattr(theirs, call)(their_text, units, metadata)
        getattr(ours, call)(our_text, units, metadata)
        require(f"{call}, {what}", their_text.getvalue(), our_text.getvalue())


def compare_inspectors(theirs, ours, unused):
    compare_blocks(theirs.event_blocks, ours.event_blocks)
    for units, metadata in itertools.product((True, False), repeat=2):
        compare_tables(theirs, ours, unused, units, metadata)
    for name in peer_batch.module_names(theirs):
        require(f"total of {name}", float(theirs.find_total_for_module(name)), ours.find_total_for_module(name))


def open_ours(options):
    return Inspector(
        etdump_path=options.etdump_path,
        etrecord=options.etrecord_path,
        debug_buffer_path=options.debug_buffer_path,
        source_time_scale=TimeScale(options.source_time_scale),
        target_time_scale=TimeScale(options.target_time_scale),
        delegate_metadata_parser=peer_batch.METADATA_PARSERS[options.delegate_metadata],
        delegate_time_scale_converter=peer_batch.time_scale_converter(options),
        reference_graph_name=options.reference_graph_name,
    )


def compare_refusals(case, error, options):
    """Checks that etinspect's Inspector fails too, with an exception of the same type, or succeeds where outcomes.py says
    so."""
    text = f"{type(error).__name__}: {error}"
    expected = case.expected or expected_outcome(text)
    try:
        open_ours(options).event_blocks
    except etinspect.Error as our_error:
        if expected == "answer":
            raise Difference(f"refused: {our_error}") from None
        if not isinstance(our_error, TYPES.get(type(error).__name__, etinspect.Error)):
            raise Difference(f"{type(our_error).__name__} in place of {text}") from None
        return "refused"
    if expected == "error":
        raise Difference(f"answered in place of {text}")
    return "answered"


def compare(case):
    """Returns how it ended, and the difference."""
    os.chdir(case.directory)
    options = cases.parse_options(case.options)
    try:
        try:
            theirs = peer_batch.open_inspector(case, options)
            theirs.to_dataframe()
        except Exception as error:
            return compare_refusals(case, error, options), None
        compare_inspectors(theirs, open_ours(options), open_ours(options))
        return "compared", None
    except Exception as difference:
        return "failed", f"{case.name}: {type(difference).__name__}: {difference}"


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    todo = cases.load(Path(sys.argv[1]) / "cases.jsonl")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map(compare, todo, chunksize=4)
    ends = collections.Counter(end for end, _ in results)
    for difference in [difference for _, difference in results if difference][:MOST_EXPLAINED]:
        print(difference)
    print(", ".join(f"{number} {end}" for end, number in sorted(ends.items())))
    print(f"differential: {len(results) - ends['failed']} passed, {ends['failed']} failed, 0 skipped")
    return ends["failed"] > 0 or ends["compared"] == 0


if __name__ == "__main__":
    sys.exit(main())
