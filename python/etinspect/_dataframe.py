"""DataFrames with the columns, types and cells of those made by ExecuTorch's Inspector.

The Inspector makes one per Event and concatenates them. Here each column is made at once, with the type that concatenation
gives: the common type of the cells; floating-point if there are integers and floating-point numbers; objects for anything
else, including None. The extension makes the columns of EventBlocks that the user has not seen yet; otherwise the cells are
those of the Events, which the user may have changed.
"""

from itertools import chain

from ._errors import need

_STATISTICS = ["p10", "p50", "p90", "avg", "min", "max"]
_LEFT_OUT = ["raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data"]


class Columns:
    """The columns of an EventBlock: {name: (kind, cells)}. `kind` determines the type of a column: the common type of the
    cells, which are an array or a list; object; or list for objects none of which is a text, which pandas would look for.
    `metadata` has what Event.delegate_debug_metadatas returns for each row; None if it is not wanted."""

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
    numpy = need("numpy")

    (block_name, names, raw, statistics, op_types, identifiers, traces, hierarchies, are_delegated, backends, debug_data, starts,
     metadata) = made
    units = _units(target_time_scale, include_units)
    numbers = numpy.frombuffer(statistics).reshape(len(_STATISTICS), len(names))
    columns = {"event_name": _typed(names), "raw": (list, raw)}
    columns.update((name + units, _statistic(of_name)) for name, of_name in zip(_STATISTICS, numbers))
    columns["op_types"] = _objects(op_types)
    columns["delegate_debug_identifier"] = _typed(identifiers)
    columns["stack_traces"] = list, traces
    columns["module_hierarchy"] = list, hierarchies
    columns["is_delegated_op"] = bool, numpy.frombuffer(are_delegated, bool)
    columns["delegate_backend_name"] = _typed(backends)
    columns["debug_data"] = list, debug_data
    columns["start_time"] = list, starts
    return Columns(block_name, len(names), columns, metadata)


def _units(scale, include_units):
    return f" ({scale.value})" if include_units else ""


def _typed(cells):
    """Returns the kind of a column of Event.asdict(), where objects are in lists, and its cells."""
    kinds = set(map(type, cells))
    if list in kinds:
        return _objects([cell[0] for cell in cells])
    kinds = {float if issubclass(kind, float) else kind for kind in kinds}  # numpy's numbers, in arrays that the user set
    if kinds == {int, float}:
        return float, cells
    return (kinds.pop(), cells) if len(kinds) == 1 and kinds != {type(None)} else _objects(cells)


def _objects(cells):
    return object if any(issubclass(kind, str) for kind in set(map(type, cells))) else list, cells


def _statistic(numbers):
    """Events without times have NaN in the extension's numbers, and None in the DataFrame."""
    numpy = need("numpy")

    if not numpy.isnan(numbers).any():
        return float, numbers
    return _typed([None if number != number else number for number in numbers.tolist()])


def block_frame(block, include_units, include_delegate_debug_data):
    """Returns the DataFrame of an EventBlock."""
    return _frame(columns_of_events(block, include_units, include_delegate_debug_data))


def blocks_frame(blocks):
    """Returns the DataFrame of the Columns of all EventBlocks. Columns of the same kind in all of them are made at once, since
    concatenation takes longer than everything else."""
    pandas = need("pandas")

    _require_rows(blocks)
    names = list(blocks[0].columns)
    if blocks[0].metadata is not None or any(list(block.columns) != names for block in blocks):
        return pandas.concat(list(map(_frame, blocks)), ignore_index=True)
    kinds = {name: _common_kind({block.columns[name][0] for block in blocks}) for name in names}
    mixed = [name for name in names if kinds[name] is None]
    parts = [pandas.DataFrame({name: _column(block, name) for name in mixed}) for block in blocks] if mixed else []
    concatenated = pandas.concat(parts, ignore_index=True) if mixed else {}
    columns = {"event_block_name": _array(str, list(map(_block_names, blocks)))}
    for name, kind in kinds.items():
        columns[name] = _array(kind, [block.columns[name][1] for block in blocks]) if kind else concatenated[name]
    return pandas.DataFrame(columns, copy=False)


def _common_kind(kinds):
    """Returns the kind of columns of these kinds together, or None."""
    if len(kinds) == 1:
        return kinds.pop()
    return object if kinds == {list, object} else None


def _frame(block):
    """Returns the DataFrame of the Columns of an EventBlock."""
    pandas = need("pandas")

    _require_rows([block])
    columns = {"event_block_name": _array(str, [_block_names(block)])}
    columns.update((name, _column(block, name)) for name in block.columns)
    frame = pandas.DataFrame(columns)
    metadata = None if block.metadata is None else _metadata_frame(block.metadata)
    return frame if metadata is None else pandas.concat([frame, metadata], axis=1)


def _require_rows(blocks):
    """Raises the Inspector's exception if there are no EventBlocks, or one has no Events."""
    if not all(block.n_rows for block in blocks) or not blocks:
        raise ValueError("No objects to concatenate")


def _block_names(block):
    """The Inspector's names pass through numpy, which drops NULs at the end."""
    name = block.block_name
    return [name.rstrip("\0") if isinstance(name, str) else name] * block.n_rows


def _column(block, name):
    kind, cells = block.columns[name]
    return _array(kind, [cells])


def _array(kind, parts):
    """Returns the array of cells in several parts, if it has the column's type, since making a Series takes longer."""
    numpy = need("numpy")
    pandas = need("pandas")

    if kind in (float, bool):
        return numpy.concatenate([numpy.asarray(part, kind) for part in parts])
    if kind not in (list, object):
        return pandas.Series(list(chain.from_iterable(parts)))
    # Assigning to a slice of an array would take far longer, because numpy looks into lists.
    objects = numpy.fromiter(chain.from_iterable(parts), object, sum(map(len, parts)))
    return objects if kind is list else pandas.Series(objects, dtype=object)


def _metadata_frame(of_events):
    """Returns a column with the metadata of delegates, or with the results of the user's parser; None if there are none."""
    pandas = need("pandas")

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

    return need("tabulate").tabulate(shown, headers="keys", tablefmt="fancy_grid") + "\n"
