"""How workers of Spark read dumps: in their own process, or by the program in its sandbox."""

from contextlib import contextmanager

from . import fleet


class Settings:
    """What is to be read of dumps, sent from the driver to workers."""

    def __init__(self, granularity, mode, isolate=False, options=None, records=None):
        self.granularity, self.mode, self.isolate = granularity, mode, isolate
        self.options = options or {}
        self.records = records or {}  # bytes of ETRecords by build; that of all is None

    @contextmanager
    def opened(self):
        """A Reader, as long as a task lasts."""
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="etinspect-") as folder:
            yield Reader(self, folder)


class Reader:
    def __init__(self, settings, folder):
        self.settings, self.folder, self.record_paths = settings, folder, {}

    def batches(self, dumps, schema, labels=None, **more):
        """Yields the record batches of dumps that have these labels."""
        settings = self.settings
        keywords = {**settings.options, "granularity": settings.granularity, "mode": settings.mode, "labels": labels, **more}
        record = self._record_of((labels or {}).get("build"))
        if record is not None:
            keywords["etrecord"] = record
        yield from fleet.batches_of(dumps, schema, columns=list(schema.names), **keywords)

    def _record_of(self, build):
        """The path of the ETRecord of a build: a file on this worker, because the library maps files."""
        import os

        records = self.settings.records
        key = build if build in records else None
        if key not in records:
            return None
        if key not in self.record_paths:
            path = os.path.join(self.folder, f"{len(self.record_paths)}.etrecord")
            with open(path, "wb") as file:
                file.write(records[key])
            self.record_paths[key] = path
        return self.record_paths[key]
