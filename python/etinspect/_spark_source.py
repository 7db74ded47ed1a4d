"""The data source "etdump" of Spark. Imports pyspark: etinspect.spark.register() loads it."""

import glob
import os

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from . import fleet
from ._dumps import Reader, Settings

OWN_OPTIONS = ("path", "mode", "granularity", "labels", "isolate", "filesperpartition", "etrecord")


class EtdumpSource(DataSource):
    def __init__(self, options):
        super().__init__(options)
        given = {name.lower(): value for name, value in options.items()}
        if "path" not in given:
            raise ValueError('the source "etdump" needs a path: spark.read.format("etdump").load("/nfs/profiles")')
        # Made absolute, since a relative path differs on a worker.
        self.path = os.path.abspath(given["path"].removeprefix("file://"))
        self.per_partition = int(given.get("filesperpartition", fleet.DUMPS_OF_A_TASK))
        if self.per_partition < 1:
            raise ValueError(f"filesPerPartition: expected 1 or more, found {self.per_partition}")
        self.names = given["labels"].split(",") if given.get("labels") else None
        granularity = given.get("granularity", "sample")
        mode = fleet.check(granularity, given.get("mode", "PERMISSIVE"))
        more = {name: value for name, value in given.items() if name not in OWN_OPTIONS}
        records = {None: os.path.abspath(given["etrecord"])} if "etrecord" in given else None
        self.settings = Settings(granularity, mode, given.get("isolate", "false").lower() == "true", more, records)

    @classmethod
    def name(cls):
        return "etdump"

    def dumps(self):
        paths = sorted(glob.glob(self.path)) if glob.has_magic(self.path) and not os.path.exists(self.path) else [self.path]
        return [dump for path in paths for dump in fleet.list_dumps(path)]

    def schema(self):
        from .spark import _struct_of

        names = self.names if self.names is not None else fleet.labels_of(self.dumps())
        return _struct_of(fleet.schema_of(names, self.settings.granularity), self.settings.options)

    def reader(self, schema):
        return EtdumpReader(self, schema)


class Dumps(InputPartition):
    def __init__(self, paths):
        super().__init__(paths)


class EtdumpReader(DataSourceReader):
    """Defines no pushFilters(): Spark 4.3 reuses the partitions of one filtered query for later queries of the same
    DataFrame, and then counts too few rows."""

    def __init__(self, source, schema):
        self.source, self.schema = source, schema

    def partitions(self):
        dumps = self.source.dumps()
        n = self.source.per_partition
        return [Dumps(dumps[first : first + n]) for first in range(0, len(dumps), n)] or [Dumps([])]

    def read(self, partition):
        from pyspark.sql.pandas.types import to_arrow_schema

        if not partition.value:
            return
        schema = to_arrow_schema(self.schema, timezone="UTC")
        yield from Reader(self.source.settings).batches(partition.value, schema, labels_from_path=True)
