"""DataFrames with the columns, types and cells of those that the Inspector of ExecuTorch makes.

It makes one per Event and concatenates them. Here each column is made at once, with the type that this gives: that of the
cells if all have one, numbers of both kinds become floating-point numbers, and anything else, None among it, objects.
"""

_LEFT_OUT = ["raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data"]


def block_frame(block, include_units, include_delegate_debug_data):
    """The DataFrame of an EventBlock. Without Events there is none, as there: ValueError."""
    import numpy
    import pandas

    if not block.events:
        raise ValueError("No objects to concatenate")
    units = f" ({block.target_time_scale.value})" if include_units else ""
    cells = {}
    for event in block.events:
        for name, cell in event.asdict(units).items():
            cells.setdefault(name, []).append(cell)
    columns = {"event_block_name": numpy.asarray([block.name] * len(block.events))}  # which drops NULs at the end
    columns.update((name, _column(column)) for name, column in cells.items())
    frame = pandas.DataFrame(columns)
    metadata = _metadata_frame(block.events) if include_delegate_debug_data else None
    return frame if metadata is None else pandas.concat([frame, metadata], axis=1)


def blocks_frame(blocks, include_units, include_delegate_debug_data):
    """The DataFrame of all EventBlocks."""
    import pandas

    frames = [block.to_dataframe(include_units, include_delegate_debug_data) for block in blocks]
    return pandas.concat(frames, ignore_index=True)


def _column(cells):
    import pandas

    kinds = {type(cell) for cell in cells}
    if list in kinds:  # of one cell, which is the object
        return pandas.Series([cell[0] for cell in cells], dtype=object)
    if kinds == {int, float}:
        return pandas.Series(cells, dtype=float)
    return pandas.Series(cells, dtype=None if len(kinds) == 1 and kinds != {type(None)} else object)


def _metadata_frame(events):
    """A column with the metadata of delegates, or those that the user's parser makes of them; None without any."""
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
    """The frame as print_data_tabular() and save_data_to_tsv() show it."""
    shown = frame.drop(columns=_LEFT_OUT)
    shown = shown[~shown["event_name"].str.contains("OPERATOR_CALL")].reset_index(drop=True)
    if format == "tsv":
        return shown.to_csv(sep="\t")
    from tabulate import tabulate

    return tabulate(shown, headers="keys", tablefmt="fancy_grid") + "\n"
