"""calculate_numeric_gap() of the Inspector. torch executes the exported program, unless a file has its intermediates.

The library calculates the metrics MSE, L1 and SNR. For a comparator, executorch's Inspector finds the pairs of values, because a
comparator gets torch's tensors in the order of that Inspector.
"""

import ast
import os
import tempfile

from ._errors import Error, InputTypeError, need

_METRICS = ("MSE", "L1", "SNR")


def numeric_gap(inspector, distance, reference, graph, disable_validation):
    """Returns a DataFrame with the Inspector's columns; those of tensors are included only if the exported program is
    executed here."""
    if not isinstance(distance, str):
        return _compared(inspector, distance, reference, graph, disable_validation)
    metric = _metric_of(distance)
    if reference is not None:
        return _frame(_rows(inspector, reference, metric))
    arrays = _executed(inspector, graph, disable_validation)
    numpy = need("numpy")

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "intermediates.npz")
        numpy.savez(path, **arrays)
        rows = _rows(inspector, path, metric)
    return _frame(_with_tensors(row, arrays, inspector) for row in rows)


def _metric_of(distance):
    if distance.strip().upper() not in _METRICS:
        raise Error(f"Unsupported distance metric {distance!r}")
    return distance.strip().lower()


def _executed(inspector, graph, disable_validation):
    """Returns the intermediates of the ETRecord's program on its representative inputs: {"HANDLE:NAMES": array}."""
    executor = _executor(inspector, ", or give reference=, a file that python -m etinspect.aot_intermediates writes where torch is, or another Inspector")
    try:
        return executor.intermediates(_record_of(inspector), graph, disable_validation, inspector._method)
    except ValueError as error:
        raise Error(str(error)) from error


def _executor(inspector, otherwise=""):
    """Returns the module that executes programs."""
    if inspector._record_source is None:
        raise Error("a numeric gap needs the ETRecord of the model, with representative inputs: give the Inspector etrecord=")
    return need("etinspect.aot_intermediates", "executorch", otherwise)


def _record_of(inspector):
    source = inspector._record_source
    return os.fsdecode(source) if isinstance(source, (bytes, os.PathLike)) else source


def _compared(inspector, comparator, reference, graph, disable_validation):
    """Returns the DataFrame of a comparator."""
    if not any(callable(getattr(comparator, name, None)) for name in ("compare", "element_compare")):
        raise InputTypeError(f"distance is of type {type(comparator).__name__}: give 'MSE', 'L1', 'SNR', or a comparator with element_compare()")
    if reference is not None:
        raise Error("a comparator gets values of the exported program, which torch executes: reference= works with 'MSE', 'L1' and 'SNR'")
    executor = _executor(inspector)
    try:
        peer = executor.inspector_of(_record_of(inspector), inspector._method)
    except ValueError as error:
        raise Error(str(error)) from error
    peer.event_blocks = _with_torch(inspector.event_blocks)
    adapter = _adapter(comparator, inspector)
    try:
        return peer.calculate_numeric_gap(adapter, disable_validation, graph)
    except ValueError as error:
        if adapter.was_called:  # the comparator's own exceptions are not changed
            raise
        raise Error(str(error)) from error


def _with_torch(blocks):
    """Returns EventBlocks whose tensors are torch's."""
    from dataclasses import replace

    from ._tensor import Tensor

    def converted(value):
        if isinstance(value, list):
            return list(map(converted, value))
        return value.torch() if isinstance(value, Tensor) else value

    return [replace(block, events=[replace(event, debug_data=converted(event.debug_data)) for event in block.events]) for block in blocks]


def _adapter(comparator, inspector):
    """Returns an object of the class that executorch's Inspector accepts, which calls the comparator."""

    class Adapter(need("executorch.devtools.inspector.numerical_comparator").NumericalComparatorBase):
        was_called = False

        def preprocessing(self, mapping):
            return comparator.preprocessing(mapping) if hasattr(comparator, "preprocessing") else mapping

        def element_compare(self, a, b):
            return comparator.element_compare(a, b)

        def compare(self, mapping, aot_names, runtime_names):
            self.was_called = True
            compare = comparator.compare if hasattr(comparator, "compare") else super().compare
            return compare(mapping, aot_names, runtime_names)

    if getattr(comparator, "inspector", None) is None:
        comparator.inspector = inspector
    return Adapter(inspector)


def _rows(inspector, reference, metric):
    return inspector.numerics(reference, metric=metric)["numeric_gap"].dicts()


def _frame(rows):
    pandas = need("pandas")

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
    torch = need("torch")

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
