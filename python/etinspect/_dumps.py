"""How workers of Spark read dumps: in their own process, or with the program in its sandbox."""

from . import fleet
from ._errors import need


class Settings:
    """Parameters for reading dumps, sent from the driver to workers."""

    def __init__(self, granularity, mode, isolate=False, options=None, records=None):
        self.granularity, self.mode, self.isolate = granularity, mode, isolate
        self.options = options or {}
        self.records = records or {}  # ETRecords, bytes or paths, by build; the key None is for all builds


class Reader:
    """Reads dumps on a worker. Each ETRecord is opened once."""

    def __init__(self, settings):
        self.settings, self.opened = settings, {}

    def batches(self, dumps, schema, labels=None, labels_from_path=False):
        """Yields the record batches of dumps that have these labels."""
        settings = self.settings
        keywords = {**settings.options, "granularity": settings.granularity, "mode": settings.mode}
        keywords.update(labels=labels, labels_from_path=labels_from_path, etrecord=self._record_of((labels or {}).get("build")))
        if settings.isolate:
            yield from self._isolated(dumps, schema, keywords)
        else:
            yield from fleet.batches_of(dumps, schema, **keywords)

    def _isolated(self, dumps, schema, keywords):
        """Yields a record batch for each dump, which the program reads in its sandbox: if the program fails, this process
        continues."""
        pyarrow = need("pyarrow")

        record = self.settings.records.get((keywords["labels"] or {}).get("build"), self.settings.records.get(None))
        for dump in dumps:
            path, content = dump if isinstance(dump, tuple) else (dump, None)
            labels = {**(fleet.path_labels(path) if keywords["labels_from_path"] else {}), **(keywords["labels"] or {})}
            table, error = fleet.read_in_sandbox(path, content, record, self.settings, schema)
            if error is not None and keywords["mode"] == "failfast":
                from . import Error

                raise Error(error)
            if error is not None and keywords["mode"] == "dropmalformed":
                continue
            n = len(table)
            fixed = {"path": path, **labels}
            columns = [pyarrow.repeat(pyarrow.scalar(fixed[name], type), n) if name in fixed else table[name] if name in table.column_names
                       else pyarrow.nulls(n, type) for name, type in zip(schema.names, schema.types)]  # fmt: skip
            for batch in pyarrow.table(dict(zip(schema.names, columns))).to_batches():
                yield fleet.conform(batch, schema)

    def _record_of(self, build):
        from ._rows import Record

        key = build if build in self.settings.records else None
        if key in self.settings.records and key not in self.opened:
            self.opened[key] = Record(self.settings.records[key])
        return self.opened.get(key)
