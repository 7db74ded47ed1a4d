"""DataFrames with the columns, types and cells of those made by ExecuTorch's Inspector.

The Inspector makes one per Event and concatenates them. Here each column is made at once, with the type that concatenation
gives: the common type of the cells; floating-point if there are integers and floating-point numbers; objects for anything
else, including None. The extension makes the columns of EventBlocks that the user has not seen yet; otherwise the cells are
those of the Events, which the user may have changed.
"""

from itertools import chain

from ._tensor import value_of

_STATISTICS = ["p10", "p50", "p90", "avg", "min", "max"]
_LEFT_OUT = ["raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data"]


class Columns:
    """The columns of an EventBlock: {name: (kind, cells)}. `kind` determines the type of a column: the common type of the
    cells, which are an array or a list; object; or list for objects that Event.asdict() puts in a list. `metadata` has what
    Event.delegate_debug_metadatas returns for each row; None if it is not wanted."""

    def __init__(self, block_name, n_rows, columns, metadata):
        self.block_name, self.n_rows, self.columns, self.metadata = block_name, n_rows, columns, metadata


def columns_of_events(block, include_units, include_delegate_debug_data):
    """Returns the Columns of an EventBlock."""
    units = _units(block.target_time_scale, include_units)
    rows = [event.asdict(units) for event in block.events]
    cells = zip(rows[0], map(list, zip(*map(dict.values, rows)))) if rows else ()
    metadata = [event.delegate_debug_metadatas for event in block.events] if include_delegate_debug_data else None
    return Columns(block.name, len(rows), {name: _typed(of_name) for name, of_name in cells}, metadata)


def columns_of(made, target_time_scale, include_units):
    """Returns the Columns of an EventBlock from the lists and bytearrays of the extension."""
    import numpy

    (block_name, names, raw, statistics, op_types, identifiers, traces, hierarchies, are_delegated, backends, debug_data, starts,
     metadata) = made
    units = _units(target_time_scale, include_units)
    numbers = numpy.frombuffer(statistics).reshape(len(_STATISTICS), len(names))
    columns = {"event_name": _typed(names), "raw": (list, raw)}
    columns.update((name + units, _statistic(of_name)) for name, of_name in zip(_STATISTICS, numbers))
    columns["op_types"] = list, list(map(op_types_cell, op_types))
    columns["delegate_debug_identifier"] = _typed(identifiers)
    columns["stack_traces"] = list, traces
    columns["module_hierarchy"] = list, hierarchies
    columns["is_delegated_op"] = bool, numpy.frombuffer(are_delegated, bool)
    columns["delegate_backend_name"] = _typed(backends)
    columns["debug_data"] = list, [values and list(map(value_of, values)) for values in debug_data]
    columns["start_time"] = list, starts
    return Columns(block_name, len(names), columns, metadata)


def op_types_cell(names):
    """Returns the cell of the operators of an Event: five or more are shortened."""
    return names if len(names) < 5 else f"['{names[0]}', '{names[1]}' ... '{names[-1]}'] ({len(names)} total)"


def _units(scale, include_units):
    return f" ({scale.value})" if include_units else ""


def _typed(cells):
    """Returns the kind of a column, and its cells."""
    kinds = set(map(type, cells))
    if list in kinds:
        return list, [cell[0] for cell in cells]
    if kinds == {int, float}:
        return float, cells
    return kinds.pop() if len(kinds) == 1 and kinds != {type(None)} else object, cells


def _statistic(numbers):
    """Events without times have NaN in the extension's numbers, and None in the DataFrame."""
    import numpy

    if not numpy.isnan(numbers).any():
        return float, numbers
    return _typed([None if number != number else number for number in numbers.tolist()])


def block_frame(block, include_units, include_delegate_debug_data):
    """Returns the DataFrame of an EventBlock."""
    return _frame(columns_of_events(block, include_units, include_delegate_debug_data))


def blocks_frame(blocks):
    """Returns the DataFrame of the Columns of all EventBlocks. Columns of the same kind in all of them are made at once, since
    concatenation takes longer than everything else."""
    import numpy
    import pandas

    _require_rows(blocks)
    names = list(blocks[0].columns)
    if blocks[0].metadata is not None or any(list(block.columns) != names for block in blocks):
        return pandas.concat(list(map(_frame, blocks)), ignore_index=True)
    mixed = [name for name in names if len({block.columns[name][0] for block in blocks}) > 1]
    parts = [pandas.DataFrame({name: _array(*block.columns[name]) for name in mixed}) for block in blocks] if mixed else []
    concatenated = pandas.concat(parts, ignore_index=True) if mixed else {}
    columns = {"event_block_name": numpy.concatenate(list(map(_block_names, blocks)))}
    for name in names:
        columns[name] = concatenated[name] if name in mixed else _joined([block.columns[name] for block in blocks])
    return pandas.DataFrame(columns)


def _frame(block):
    """Returns the DataFrame of the Columns of an EventBlock."""
    import pandas

    _require_rows([block])
    columns = {"event_block_name": _block_names(block)}
    columns.update((name, _array(*column)) for name, column in block.columns.items())
    frame = pandas.DataFrame(columns)
    metadata = None if block.metadata is None else _metadata_frame(block.metadata)
    return frame if metadata is None else pandas.concat([frame, metadata], axis=1)


def _require_rows(blocks):
    """Raises the Inspector's exception if there are no EventBlocks, or one has no Events."""
    if not all(block.n_rows for block in blocks) or not blocks:
        raise ValueError("No objects to concatenate")


def _block_names(block):
    import numpy

    return numpy.asarray([block.block_name] * block.n_rows)  # numpy drops NULs at the end


def _joined(columns):
    """Returns the array of columns of the same kind."""
    import numpy

    kind, first = columns[0]
    parts = [cells for _, cells in columns]
    if len(parts) > 1:
        first = list(chain.from_iterable(parts)) if isinstance(first, list) else numpy.concatenate(parts)
    return _array(kind, first)


def _array(kind, cells):
    """Returns an array if it has the column's type, since making a Series takes far longer; pandas searches arrays of
    objects for texts."""
    import numpy
    import pandas

    if kind in (float, bool):
        return numpy.asarray(cells, kind)
    if kind not in (list, object):
        return pandas.Series(cells)
    if any(isinstance(cell, str) for cell in cells):
        return pandas.Series(cells, dtype=object)
    objects = numpy.empty(len(cells), object)
    objects[:] = cells
    return objects


def _metadata_frame(of_events):
    """Returns a column with the metadata of delegates, or with the results of the user's parser; None if there are none."""
    import pandas

    rows = []
    for metadata in of_events:
        if not metadata:
            rows.append({})
        elif isinstance(metadata, list):
            rows.append({"delegate_debug_metadata": metadata})
        elif isinstance(metadata, dict):
            rows.append(metadata)
        else:
            raise ValueError(f"Unexpected type for delegate_debug_metadata: {type(metadata)}")
    return pandas.DataFrame(rows) if any(rows) else None


def printed(frame, format):
    """Returns the frame as print_data_tabular() and save_data_to_tsv() show it."""
    shown = frame.drop(columns=_LEFT_OUT)
    shown = shown[~shown["event_name"].str.contains("OPERATOR_CALL")].reset_index(drop=True)
    if format == "tsv":
        return shown.to_csv(sep="\t")
    from tabulate import tabulate

    return tabulate(shown, headers="keys", tablefmt="fancy_grid") + "\n"
