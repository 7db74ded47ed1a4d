"""Rows of many ETDumps, for databases: rows()."""

import os

from . import _etinspect, _options
from ._errors import Error
from ._tables import Stream, Table


class Record:
    """An ETRecord that is opened once for many calls of rows(). `source` is a path or a bytes-like object."""

    def __init__(self, source):
        self._native = _etinspect.Record.open(*_source_of(source, b"(memory)"))


class Rows(Stream):
    """The rows of many ETDumps. Arrow consumers, iteration and write() each read them again, one ETDump at a time."""

    def __init__(self, native, options):
        super().__init__(native.arrow_stream)
        self._native = native
        self._options = options
        self._table = Table(native.columns(), "rows")

    @property
    def columns(self):
        """The names of the columns."""
        return self._table.columns

    @property
    def types(self):
        """The type of each column, by its name in Arrow."""
        return self._table.types

    @property
    def dump_count(self):
        """Number of ETDumps."""
        return self._native.dump_count()

    @property
    def failed_count(self):
        """Number of ETDumps that could not be read when an Arrow consumer or write() last read the rows."""
        return self._native.failed_count()

    def tables(self):
        """Yields a Table for each ETDump."""
        reader = self._native.reader()
        while (native := reader.next()) is not None:
            yield Table(native, "rows")

    def rows(self):
        """Yields rows as tuples. Missing values are None."""
        for table in self.tables():
            yield from table

    __iter__ = rows

    def dicts(self):
        """Yields rows as dictionaries."""
        names = self.columns
        for row in self.rows():
            yield dict(zip(names, row))

    def write(self, path, format=None, **options):
        """Writes a file: .ndjson, .json, .csv or .tsv. It appears when it is complete."""
        pairs = _options.pairs({**self._options, **options})
        self._native.report().save(format, _options.path_bytes(path), pairs)

    def text(self, format="ndjson", **options):
        """Returns all rows in a format of the program, in memory: "ndjson", "json", "csv" or "tsv"."""
        return self._native.report().write(format, _options.pairs({**self._options, **options})).decode()

    def __repr__(self):
        return f"<etinspect.Rows: {self.dump_count} ETDumps, {len(self.columns)} columns>"


def rows(
    dumps,
    *,
    etrecord=None,
    program=None,
    granularity="sample",
    labels_from_path=False,
    labels=None,
    mode="permissive",
    target_time_scale="ms",
    columns=None,
    **options,
):
    """Makes the rows of many ETDumps: one for each sample, or with granularity="dump" for each event of an ETDump.

    `dumps` is the path of an ETDump, or of a folder with ETDumps; or a list of paths, and of pairs of a name and a bytes-like
    object. `etrecord` is a path, a bytes-like object, or a Record; `program` is the path of the .pte, or a list of them. `labels` are columns with the same value in all rows, a
    dictionary; labels_from_path=True adds labels from folders called KEY=VALUE. An ETDump that cannot be read gives one row
    with path, labels and error (mode="permissive"), or no row ("dropmalformed"), or an exception ("failfast"). `columns`
    lists the wanted columns. Further options are those of `etinspect rows`.
    """
    options = {
        "granularity": granularity,
        "labels_from_path": labels_from_path,
        "mode": str(mode).lower(),
        "target_time_scale": target_time_scale,
        **options,
    }
    given = options.pop("label", None) or []
    options["label"] = [
        *(given if isinstance(given, (list, tuple)) else [given]),
        *(_label_of(key, value) for key, value in (labels or {}).items()),
    ]
    making = {
        **options,
        **({} if program is None else {"program_path": program}),
        "columns": columns if columns is None or isinstance(columns, str) else ",".join(columns),
    }
    native = _etinspect.Rows.new(_dumps_of(dumps), _record_of(etrecord), _options.pairs(making))
    return Rows(native, {name: options[name] for name in options if name in _WRITING})


def _label_of(key, value):
    """A label as --label takes it: KEY=VALUE."""
    if "=" in str(key):
        raise Error(f"labels: the name {key!r} contains '=', at which a name ends: choose another name")
    if value is None:
        raise Error(f"labels: {key!r} has the value None: leave it out, or give it the value ''")
    return f"{key}={value}"


# Options about the form in which rows are written. JSON says the labels.
_WRITING = {"csv_safe", "label", "no_sha256", "no_sync"}


def _dumps_of(dumps):
    if isinstance(dumps, (str, bytes, os.PathLike)):
        return [(os.fsencode(dumps), None)]
    return [
        (os.fsencode(dump), None) if isinstance(dump, (str, bytes, os.PathLike)) else (os.fsencode(dump[0]), dump[1])
        for dump in dumps
    ]


def _source_of(source, name):
    """Returns a path, or a name and the bytes in memory."""
    return (os.fsencode(source), None) if isinstance(source, (str, os.PathLike)) else (name, source)


def _record_of(etrecord):
    if etrecord is None:
        return None
    return etrecord._native if isinstance(etrecord, Record) else _source_of(etrecord, b"(ETRecord)")
