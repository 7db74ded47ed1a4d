"""DataFrames with the columns, types and cells of those made by ExecuTorch's Inspector.

The Inspector makes one per Event and concatenates them. Here each column is made at once, with the type that concatenation
gives: the common type of the cells; floating-point if there are integers and floating-point numbers; objects for anything
else, including None.
"""

_LEFT_OUT = ["raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data"]


def block_frame(block, include_units, include_delegate_debug_data):
    """Returns the DataFrame of an EventBlock. Without Events it raises ValueError, as the Inspector does."""
    import pandas

    if not block.events:
        raise ValueError("No objects to concatenate")
    columns = {"event_block_name": _names_of(block)}
    columns.update((name, _column(cells)) for name, cells in _cells_of(block, include_units).items())
    frame = pandas.DataFrame(columns)
    metadata = _metadata_frame(block.events) if include_delegate_debug_data else None
    return frame if metadata is None else pandas.concat([frame, metadata], axis=1)


def blocks_frame(blocks, include_units, include_delegate_debug_data):
    """Returns the DataFrame of all EventBlocks. Columns with the same type in all EventBlocks are made at once, since
    concatenation takes longer than everything else."""
    import numpy
    import pandas

    cells = [_cells_of(block, include_units) for block in blocks]
    names = list(cells[0]) if cells else []
    if include_delegate_debug_data or not names or any(list(one) != names for one in cells):
        frames = [block.to_dataframe(include_units, include_delegate_debug_data) for block in blocks]
        return pandas.concat(frames, ignore_index=True)
    mixed = [name for name in names if len({_kind_of(one[name]) for one in cells}) > 1]
    parts = [pandas.DataFrame({name: _column(one[name]) for name in mixed}) for one in cells] if mixed else []
    concatenated = pandas.concat(parts, ignore_index=True) if mixed else {}
    columns = {"event_block_name": numpy.concatenate([_names_of(block) for block in blocks])}
    for name in names:
        columns[name] = concatenated[name] if name in mixed else _column([cell for one in cells for cell in one[name]])
    return pandas.DataFrame(columns)


def _names_of(block):
    import numpy

    return numpy.asarray([block.name] * len(block.events))  # numpy drops NULs at the end


def _cells_of(block, include_units):
    """Returns {column: [cell of each Event]}."""
    units = f" ({block.target_time_scale.value})" if include_units else ""
    rows = [event.asdict(units) for event in block.events]
    return dict(zip(rows[0], map(list, zip(*map(dict.values, rows))))) if rows else {}


def _kind_of(cells):
    """Returns what determines the type of a column: the common type of the cells, which may be list; float for integers and
    floating-point numbers; or object."""
    kinds = set(map(type, cells))
    if list in kinds:
        return list
    if kinds == {int, float}:
        return float
    return kinds.pop() if len(kinds) == 1 and kinds != {type(None)} else object


def _column(cells):
    """Returns an array if it has the column's type, since making a Series takes far longer; pandas searches arrays of
    objects for texts."""
    import numpy
    import pandas

    kind = _kind_of(cells)
    if kind in (float, bool):
        return numpy.array(cells, kind)
    if kind is list:  # for a single cell: the object itself
        cells = [cell[0] for cell in cells]
        kind = object
    if kind is object and not any(isinstance(cell, str) for cell in cells):
        objects = numpy.empty(len(cells), object)
        objects[:] = cells
        return objects
    return pandas.Series(cells, dtype=object if kind is object else None)


def _metadata_frame(events):
    """Returns a column with the metadata of delegates, or with the results of the user's parser; None if there are none."""
    import pandas

    rows = []
    for event in events:
        metadata = event.delegate_debug_metadatas
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
