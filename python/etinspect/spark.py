"""Fleets of ETDumps on Spark: their rows as DataFrames, percentiles, and the events that became slower from one build to
another.

    import etinspect.spark
    df = etinspect.spark.read(spark, "s3a://profiles/")
    etinspect.spark.percentiles(df).show()
    etinspect.spark.regressions(df, base="1233", new="1234", by=["device"]).show()

read() lets Spark read the files, from any file system that Spark supports. For paths that each worker can open there is
also a data source:

    etinspect.spark.register(spark)
    df = spark.read.format("etdump").option("mode", "FAILFAST").load("/nfs/profiles")

Workers need etinspect and pyarrow; name their Python in PYSPARK_PYTHON. Up to about 100,000 dumps, etinspect.fleet does the
same without Spark.
"""

import os

from . import fleet
from ._dumps import Reader, Settings
from ._errors import need

_FILE_COLUMNS = ("path", "modificationTime", "length", "content")


def read(spark, path, *, records=None, labels=None, granularity="sample", mode="PERMISSIVE", columns=None, where=None,
         isolate=False, glob="*.{etdp,etdp.gz}", **options):  # fmt: skip
    """The rows of ETDumps as a DataFrame: a row for each sample, or with granularity="dump" for each event of a dump.

    `path` is a folder, a file, a pattern, or a list of them, of any file system of Spark. Folders like device=pixel8/build=1234
    become columns, labels; `labels` adds others: {name: an SQL expression or Column over the column path}. `where` is a condition
    about labels in SQL, such as "build in ('1233', '1234')", by which Spark skips dumps and whole folders before reading
    them; a condition on the DataFrame applies only after reading. `records` is the path of the ETRecord of all dumps, or
    {value of the label build: path}. `columns` are the columns to make (all): a query should not request columns that it
    does not need.

    mode: with "PERMISSIVE" a dump that cannot be read is one row with path, labels and error; "DROPMALFORMED" leaves it out; with
    "FAILFAST" the job fails, and names it. With isolate=True, the program reads each dump in its sandbox: for untrusted
    dumps. Further options are those of etinspect.rows(), such as target_time_scale="us".
    """
    functions = need("pyspark.sql.functions")

    settings = Settings(granularity=granularity, mode=fleet.check(granularity, mode), isolate=isolate, options=options)
    files = _list_files(spark, path, glob, skips_missing=mode.upper() != "FAILFAST")
    files = files if where is None else files.where(where)
    made = {name: functions.expr(column) if isinstance(column, str) else column for name, column in (labels or {}).items()}
    names = [name for name in files.columns if name not in _FILE_COLUMNS and name not in made] + list(made)
    labelled = [made.get(name, functions.col(_quoted(name))).cast("string").alias(name) for name in names]
    contents = files.select("path", "content", *labelled)
    if records is not None:
        settings.records = _read_records(spark, records)
    schema = fleet.schema_of(names, granularity, columns)
    df = contents.mapInArrow(_Read(names, schema, settings), _struct_of(schema, options))
    if mode.upper() == "PERMISSIVE":
        df = df.unionByName(_missing_rows(spark, files, made, df.schema))
    return df


def _list_files(spark, path, glob, skips_missing):
    """Returns the files listed by the source binaryFile. Labels are strings: 007 is not 7."""
    reader = (
        spark.read.format("binaryFile").option("pathGlobFilter", glob).option("ignoreMissingFiles", str(skips_missing).lower())
    )
    key = "spark.sql.sources.partitionColumnTypeInference.enabled"
    infers = spark.conf.get(key)
    spark.conf.set(key, "false")
    try:
        return reader.load(path if isinstance(path, (list, tuple)) else os.fspath(path))
    finally:
        spark.conf.set(key, infers)


def _missing_rows(spark, files, made, schema):
    """Returns a row for each listed file that is missing when the job reads it. `made` are labels that do not come from
    folders."""
    from re import escape

    functions = need("pyspark.sql.functions")

    def normal(uri):  # file:/ and file:/// are the same
        return functions.regexp_replace(uri, "^file:/+", "file:/").alias("uri")

    listed = spark.createDataFrame([(path,) for path in files.inputFiles()], "uri string").select(normal("uri"))
    missing = listed.join(files.select(normal("_metadata.file_path")), "uri", "left_anti")
    missing = missing.withColumn("path", _unescaped("uri"))
    columns = {"path": functions.col("path"), **made}
    columns["error"] = functions.concat("path", functions.lit(": cannot read: No such file or directory"))
    for name in files.columns:
        if name not in _FILE_COLUMNS and name not in made:
            value = functions.regexp_extract("uri", f"/{escape(name)}=([^/]*)/", 1)
            columns[name] = functions.nullif(_unescaped(value), functions.lit(""))
    none = functions.lit(None)
    return missing.select(*[columns.get(field.name, none).cast(field.dataType).alias(field.name) for field in schema])


def _unescaped(uri):
    """Returns the path in a URI, where + is not a space."""
    functions = need("pyspark.sql.functions")

    return functions.url_decode(functions.replace(uri, functions.lit("+"), functions.lit("%2B")))


def _quoted(name):
    return "`" + name.replace("`", "``") + "`"


def _read_records(spark, records):
    """Returns the bytes of ETRecords by build; the key None is for all builds."""
    paths = {None: records} if isinstance(records, (str, os.PathLike)) else dict(records)
    contents = {}
    for build, path in paths.items():
        rows = spark.read.format("binaryFile").load(os.fspath(path)).select("content").collect()
        if len(rows) != 1:
            raise ValueError(f"records: {path}: expected one ETRecord, found {len(rows)} files")
        contents[build if build is None else str(build)] = bytes(rows[0]["content"])
    return contents


def _struct_of(schema, options):
    """Returns the StructType of a pyarrow.Schema. The column elapsed has its unit."""
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructField, StructType

    scale = options.get("target_time_scale", "ms")
    unit = {"unit": str(getattr(scale, "value", scale))}
    times = ("elapsed", "p10", "p50", "p90", "avg", "min", "max")
    return StructType([StructField(field.name, field.dataType, True, unit if field.name in times else {})
                       for field in from_arrow_schema(schema)])  # fmt: skip


class _Read:
    """Turns batches of files into batches of rows, on a worker."""

    def __init__(self, labels, schema, settings):
        self.labels, self.schema, self.settings = labels, schema, settings

    def __call__(self, batches):
        from itertools import groupby

        reader = Reader(self.settings)
        for batch in batches:
            columns = [batch.column(name).to_pylist() for name in self.labels]
            labels_of = list(zip(*columns)) if columns else [()] * batch.num_rows
            contents, paths = batch.column("content"), batch.column("path").to_pylist()
            for labels, group in groupby(range(batch.num_rows), labels_of.__getitem__):
                dumps = [(paths[i], contents[i].as_buffer()) for i in group]
                known = {name: value for name, value in zip(self.labels, labels) if value is not None}
                yield from reader.batches(dumps, self.schema, known)


def register(spark):
    """Makes spark.read.format("etdump") known to a session: a data source for paths that each worker can open.

    Options: mode, granularity, isolate and all of etinspect.rows() as for read(); labels, the names of the labels with commas
    between them (those that the paths have); filesPerPartition (32). schema() selects columns by name, so that others are
    never made. A pattern such as load("/nfs/profiles/device=*/build=1234") selects dumps; conditions on the DataFrame apply
    after reading.
    """
    need("pyspark.sql.datasource")
    from ._spark_source import EtdumpSource

    spark.dataSource.register(EtdumpSource)


def percentiles(df, by=("device", "build", "block", "event_index", "event_name"), q=(0.5, 0.9, 0.99), value="elapsed", approximate=False):
    """Returns percentiles of the times of each group, with numpy's linear interpolation: columns n, p50, p90, p99. With
    approximate=True they come from approx_percentile, which takes less CPU and memory.

    Several events of a block may have the same event_name; block and event_index distinguish them. If `by` has event_index
    and the DataFrame has the column module, the result shows it after the columns of `by`."""
    functions = need("pyspark.sql.functions")

    q = [float(one) for one in q]
    points = functions.array(*[functions.lit(one) for one in q])
    find = functions.percentile_approx if approximate else functions.percentile
    counted = df.where(functions.col(value).isNotNull()).groupBy(*[_quoted(name) for name in by])
    shows = ["module"] if "event_index" in by and "module" in df.columns and "module" not in by else []
    modules = [functions.min(name).alias(name) for name in shows]
    found = counted.agg(*modules, functions.count(value).alias("n"), find(value, points).alias("q"))
    named = [functions.col("q")[i].alias(f"p{100 * one:g}".replace(".", "_")) for i, one in enumerate(q)]
    return found.select(*[_quoted(name) for name in by], *shows, "n", *named)


# ---- regressions ---------------------------------------------------------------------------------


def regressions(df, base, new, by=("device",), build="build", fail_on=None, alpha=fleet.ALPHA, **options):
    """Compares two builds, event by event, and in each group of dumps with equal labels `by`. Returns a DataFrame with these labels
    and fleet.CHANGE_COLUMNS; events that became slower have the verdict "slower"; they are slower by at least 5 % unless a
    rule like fail_on="op:p50>+10%" says otherwise. All groups share alpha, the probability of a false alarm.

    The unit of evidence is the dump: runs of one process are not independent. The median of an event in a dump is computed
    from rows of granularity "sample", with all runs; rows of "dump" have it in the column p50. Events that a delegate logged in
    cycles of an unknown clock are compared in cycles, the `unit` of base and new. Groups with fewer than 20 dumps per
    side are compared by etinspect.diff(), which reads the dumps again, at their paths, on the workers, and gives the result of a gate of the
    same dumps; `options` are those of Inspector. Larger groups are compared by the Mann-Whitney test in SQL, adjusted by
    Holm's method.
    """
    functions = need("pyspark.sql.functions")

    spark, by = df.sparkSession, list(by)
    least_effect = fleet.least_effect_of(fail_on)
    fleet.check_alpha(alpha)
    fleet.check_columns(df.columns, [*by, build])
    units = {field.metadata["unit"] for field in df.schema if "unit" in field.metadata}
    options = {**({"target_time_scale": units.pop()} if len(units) == 1 else {}), **options}
    rows = df.where(functions.col(_quoted(build)).isin(str(base), str(new)))
    for name, type in fleet.OPTIONAL_COLUMNS.items():
        if name not in df.columns:
            rows = rows.withColumn(name, functions.lit(None).cast(type))
    with _Views(spark) as views:
        views.add("builds", spark.createDataFrame([(str(base), str(new))], "base_build string, new_build string"))
        views.add("samples", rows)
        medians = rows.where("error is null")
        if "p50" in df.columns:
            medians = medians.withColumn("unit", functions.expr(fleet.UNIT_OF_DUMP))
        else:
            medians = spark.sql(fleet.query("medians", by, build, **views.names, quote="`"))
        medians = medians.persist()
        views.add("medians", medians)
        try:
            ranks = [row.asDict() for row in spark.sql(fleet.query("ranks", by, build, **views.names, quote="`")).collect()]
            is_new = (functions.col(_quoted(build)) == str(new)).alias("is_new")
            dumps = medians.select(*map(_quoted, by), is_new, "path").distinct()
            sizes = _sizes_of(dumps, by)
            methods = fleet.choose_methods(sizes)
            share = fleet.share_alpha(alpha, methods)
            judged = fleet.join_verdicts(ranks, by, methods, share, least_effect)
            few = {group for group, method in methods.items() if method == "files"}
            paths = [row for row in dumps.collect() if tuple(row[label] for label in by) in few] if few else []
        finally:
            medians.unpersist()
    schema = ", ".join(
        [f"{_quoted(label)} string" for label in by] + [f"{name} {type}" for name, type in fleet.CHANGE_COLUMNS.items()]
    )
    names = [*by, *fleet.CHANGE_COLUMNS]
    result = spark.createDataFrame([tuple(row.get(name) for name in names) for row in judged], schema)
    if paths:
        compare = _comparer(by, share, least_effect, options, fleet.modules_of(ranks, by))
        result = result.unionByName(_compare_files(spark, paths, by, schema, compare))
    return result


class _Views:
    """Temporary views with unique names, which exist while a query is made from them."""

    def __init__(self, spark):
        from uuid import uuid4

        self.spark, self.prefix, self.names = spark, f"etinspect_{uuid4().hex}_", {}

    def __enter__(self):
        return self

    def add(self, name, df):
        self.names[name] = self.prefix + name
        df.createOrReplaceTempView(self.names[name])

    def __exit__(self, *error):
        for name in self.names.values():
            self.spark.catalog.dropTempView(name)


def _sizes_of(dumps, by):
    functions = need("pyspark.sql.functions")

    new = functions.sum(functions.col("is_new").cast("int"))
    counted = dumps.groupBy(*map(_quoted, by)).agg((functions.count("*") - new).alias("n_base"), new.alias("n_new"))
    return {tuple(row[label] for label in by): (row["n_base"], row["n_new"]) for row in counted.collect()}


def _compare_files(spark, paths, by, schema, compare):
    """Reads the dumps of each group on one worker, and compares them there."""
    functions = need("pyspark.sql.functions")

    plain = functions.regexp_replace("path", "^file:/+", "/")
    sides = spark.createDataFrame(paths).withColumn("path", plain)
    files = spark.read.format("binaryFile").load(sorted({_for_load(row["path"]) for row in paths}))
    contents = files.select(plain.alias("path"), "content").join(functions.broadcast(sides), "path")
    return contents.groupBy(*map(_quoted, by)).applyInArrow(compare, schema)


def _for_load(path):
    """Returns a path that Spark takes literally: of the local file system unless it names another."""
    path = path if "://" in path or path.startswith("file:") else "file:" + path
    return "".join("\\" + character if character in "*?[]{}\\" else character for character in path)


def _comparer(by, alpha, least_effect, options, modules):
    """Returns a function of one argument, which shows Spark that it takes no key: it turns a group's dumps into rows."""

    def compare(table):
        pyarrow = need("pyarrow", "spark")

        table = table.sort_by("path")
        sides = ([], [])
        for is_new, content in zip(table["is_new"].to_pylist(), table["content"]):
            sides[is_new].append(content.as_buffer())
        labels = {label: table[label][0].as_py() for label in by}
        rows = fleet.compare_dumps(*sides, alpha, least_effect, options, modules.get(tuple(labels.values())))
        return pyarrow.Table.from_pylist([{**labels, **row} for row in rows], schema=fleet.change_schema(by))

    return compare
