"""Tables and reports of the library."""

from . import _etinspect, _options
from ._errors import _USAGE, error_of, need

# Names of eti_column_type as Arrow types.
TYPES = ["bool", "int32", "int64", "uint64", "double", "string", "list<int64>", "list<uint64>", "list<double>", "list<string>", "list<list<int64>>"]


def view_names():
    """The names for Inspector.report(), with a description of each view."""
    return _etinspect.view_names()


class Stream:
    """Readable by all Arrow consumers: pyarrow.table(x), polars.DataFrame(x), pandas.DataFrame.from_arrow(x) (pandas 3), and DuckDB's
    SELECT * FROM x."""

    def __init__(self, make):
        self._make = make

    def __arrow_c_stream__(self, requested_schema=None):
        return self._make()

    def to_pandas(self):
        """Returns all rows as a pandas.DataFrame. Needs pandas and pyarrow."""
        need("pandas")
        return need("pyarrow").table(self).to_pandas()


class Table(Stream):
    """A table of a report. Rows are read on demand."""

    def __init__(self, native, name=None):
        super().__init__(native.arrow_stream)
        self.name = name
        self._native = native

    @property
    def columns(self):
        """The names of the columns."""
        return [column[0] for column in self._native.columns()]

    @property
    def types(self):
        """The type of each column, by its name in Arrow."""
        return {column[0]: TYPES[column[1]] for column in self._native.columns()}

    def __len__(self):
        return len(self._native)

    def rows(self, first=0, n=None):
        """Lists rows as tuples. Missing values are None."""
        return self._native.rows(first, len(self) if n is None else n)

    def __iter__(self):
        for first in range(0, len(self), 1024):
            yield from self.rows(first, 1024)

    def dicts(self):
        """Lists rows as dictionaries."""
        names = self.columns
        return [dict(zip(names, row)) for row in self]

    def text(self, format="text"):
        """Returns the table in a format of the program, such as "csv" or "markdown"."""
        return _decoded(self._native.write(format), format)

    def __str__(self):
        return self.text()

    def __repr__(self):
        return f"<etinspect.Table {self.name or ''}: {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self):
        return _html_of(self)


class Report:
    """The result of a view or a comparison: one or more tables."""

    def __init__(self, native, options):
        self._native = native
        self._options = options
        native.select(_options.pairs(options))
        self.tables = {name: Table(table, name) for name, table in native.tables()}
        self._main = list(self.tables.values())[native.selected()]

    @property
    def failed(self):
        """Whether a check requested by the options failed."""
        return self._native.failed()

    def __getitem__(self, name):
        return self.tables[name]

    def __arrow_c_stream__(self, requested_schema=None):
        return self._main.__arrow_c_stream__(requested_schema)

    @property
    def columns(self):
        return self._main.columns

    def __len__(self):
        return len(self._main)

    def __iter__(self):
        return iter(self._main)

    def rows(self):
        """Lists the rows of the main table as tuples."""
        return self._main.rows()

    def dicts(self):
        return self._main.dicts()

    def to_pandas(self):
        """Returns the rows of the main table as a pandas.DataFrame. Needs pandas and pyarrow."""
        return self._main.to_pandas()

    def text(self, format="text", **options):
        """Returns the report as the program prints it. Options are those of its output, such as width=100."""
        return _decoded(self._native.write(format, self._pairs(options)), format)

    def write(self, path, format=None, **options):
        """Writes a file, which appears when it is complete. Its suffix selects the format unless `format` is given."""
        self._native.save(format, _options.path_bytes(path), self._pairs(options))

    def _pairs(self, options):
        # The time scale decides here whether a readable form keeps its unit.
        _options.refuse(options, _options.OPENING - {"target_time_scale"}, "Inspector")
        return _options.pairs({**self._options, **options})

    def __str__(self):
        return self.text()

    def __repr__(self):
        tables = ", ".join(f"{name} ({len(table)})" for name, table in self.tables.items())
        return f"<etinspect.Report: {tables}>"

    def _repr_html_(self):
        return "".join(table._repr_html_() for table in self.tables.values())


MOST_HTML_ROWS = 60


def _html_of(table):
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join(f"<tr>{''.join(_cell_of(cell, escape) for cell in row)}</tr>" for row in table.rows(0, MOST_HTML_ROWS))
    left = len(table) - MOST_HTML_ROWS
    more = f"<p>and {left} more rows</p>" if left > 0 else ""
    name = f"<caption>{escape(table.name)}</caption>" if table.name else ""
    return f"<table>{name}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _cell_of(value, escape):
    if value is None:
        return "<td></td>"
    if isinstance(value, float):
        return f'<td style="text-align: right" title="{value!r}">{value:.4g}</td>'
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return f"<td>{escape(str(value))}</td>"


def _decoded(written, format):
    try:
        return written.decode()
    except UnicodeDecodeError:
        raise error_of(_USAGE, f"{format} is not a text: write a file with Report.write()") from None
