"""calculate_numeric_gap() of the Inspector. torch executes the exported program, unless a file has its intermediates."""

import ast
import os
import tempfile

from ._errors import Error

_METRICS = ("MSE", "L1", "SNR")


def numeric_gap(inspector, distance, reference, graph, disable_validation):
    """Returns a DataFrame with the Inspector's columns; those of tensors are included only if the exported program is
    executed here."""
    metric = _metric_of(distance)
    if reference is not None:
        return _frame(_rows(inspector, reference, metric))
    arrays = _executed(inspector, graph, disable_validation)
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "intermediates.npz")
        numpy.savez(path, **arrays)
        rows = _rows(inspector, path, metric)
    return _frame(_with_tensors(row, arrays, inspector) for row in rows)


def _metric_of(distance):
    if not isinstance(distance, str):
        raise Error(
            f"distance is of type {type(distance).__name__}: give 'MSE', 'L1' or 'SNR'; with comparators of your own"
            " executorch.devtools.Inspector calculates gaps"
        )
    if distance.strip().upper() not in _METRICS:
        raise Error(f"Unsupported distance metric {distance!r}")
    return distance.strip().lower()


def _executed(inspector, graph, disable_validation):
    """Returns the intermediates of the ETRecord's program on its representative inputs: {"HANDLE:NAMES": array}."""
    if inspector._etrecord_path is None:
        raise Error("a numeric gap needs the ETRecord of the model, with representative inputs: give the Inspector etrecord=")
    try:
        from .aot_intermediates import intermediates
    except ImportError as error:
        raise Error(
            f"torch and executorch execute the exported program, and cannot be imported ({error}): install executorch, or give"
            " reference=, a file that python -m etinspect.aot_intermediates writes where they are, or another Inspector"
        ) from error
    try:
        return intermediates(os.fspath(inspector._etrecord_path), graph, disable_validation, inspector._method)
    except ValueError as error:
        raise Error(str(error)) from error


def _rows(inspector, reference, metric):
    return inspector.numerics(reference, metric=metric)["numeric_gap"].dicts()


def _frame(rows):
    import pandas

    return pandas.DataFrame(map(_cells_of, rows))


_PLACES = ("aot_output", "block", "event", "output")  # of the tensors that were compared


def _cells_of(row):
    """Converts to the Inspector's form, in which handles are tuples, and stack traces a dictionary."""
    cells = {name: cell for name, cell in row.items() if name != "status" and name not in _PLACES}
    for name in ("aot_debug_handle", "runtime_debug_handle"):
        cells[name] = None if cells[name] is None else tuple(cells[name])
    cells["stacktraces"] = None if cells["stacktraces"] is None else ast.literal_eval(cells["stacktraces"])
    return cells


def _with_tensors(row, arrays, inspector):
    """Puts the two tensors that were compared into their row."""
    import torch

    prefix = f"{row['aot_output']}:"
    made = next(array for name, array in arrays.items() if name.startswith(prefix))
    recorded = _recorded(inspector, row)
    cells = {}
    for name, cell in row.items():
        cells[name] = cell
        if name == "aot_ops":
            cells["aot_intermediate_output"] = torch.from_numpy(made.copy())
        if name == "runtime_debug_handle":
            cells["runtime_intermediate_output"] = None if recorded is None else recorded.torch()
    return cells


def _recorded(inspector, row):
    """Returns the recorded tensor, counting those in lists; None if the Event has other values, as when they were refused."""
    from ._tensor import Tensor

    values = inspector.event_blocks[row["block"]].events[row["event"]].debug_data
    tensors = [one for value in values for one in (value if isinstance(value, list) else [value]) if isinstance(one, Tensor)]
    return tensors[row["output"]] if row["output"] < len(tensors) else None
