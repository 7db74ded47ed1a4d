"""How workers of Spark read dumps: in their own process, or by the program in its sandbox."""

from . import fleet


class Settings:
    """What is to be read of dumps, sent from the driver to workers."""

    def __init__(self, granularity, mode, isolate=False, options=None, records=None):
        self.granularity, self.mode, self.isolate = granularity, mode, isolate
        self.options = options or {}
        self.records = records or {}  # ETRecords, bytes or paths, by build; that of all is None


class Reader:
    """Reads dumps on a worker. ETRecords are opened once."""

    def __init__(self, settings):
        self.settings, self.opened = settings, {}

    def batches(self, dumps, schema, labels=None, labels_from_path=False):
        """Yields the record batches of dumps that have these labels."""
        settings = self.settings
        keywords = {**settings.options, "granularity": settings.granularity, "mode": settings.mode}
        keywords.update(labels=labels, labels_from_path=labels_from_path, etrecord=self._record_of((labels or {}).get("build")))
        yield from fleet.batches_of(dumps, schema, **keywords)

    def _record_of(self, build):
        from ._rows import Record

        key = build if build in self.settings.records else None
        if key in self.settings.records and key not in self.opened:
            self.opened[key] = Record(self.settings.records[key])
        return self.opened.get(key)
