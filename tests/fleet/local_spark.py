"""local_spark.py BUILD DUMPS - compares both interfaces of etinspect.spark, in one process of Spark, with numpy, the
program and DuckDB."""

import os
import sys

import common
import duckdb
import pyarrow
from pyspark.sql import functions

import etinspect
import etinspect.spark
from etinspect import fleet

build, folder = sys.argv[1:]
out = os.path.dirname(folder)
counts = common.Counts()
dumps = fleet.list_dumps(folder)
spark = common.session("local[2]")
etinspect.spark.register(spark)
wanted = common.percentiles_of(common.groups_of(common.samples_of(dumps)))


def summary_of(df):
    """Returns the rows of a DataFrame for comparison, independent of their order and of the form of paths."""
    hashed = df.withColumn("path", functions.regexp_replace("path", "^file:/+", "/"))
    row = hashed.agg(functions.count("*"), functions.bit_xor(functions.xxhash64("*")), functions.countDistinct("path")).first()
    return tuple(row)


# ---- rows ----------------------------------------------------------------------------------------

parquet = os.path.join(out, "spark.parquet")
fleet.to_parquet(folder, parquet)
truth = summary_of(spark.read.parquet(parquet))
doors = {"read": etinspect.spark.read(spark, folder), 'format("etdump")': spark.read.format("etdump").load(folder)}
for name, df in doors.items():
    found = summary_of(df)
    counts.check(
        f"{name}: all columns of all rows are those of one process of etinspect",
        found == truth and truth[2] == len(dumps),
        found,
    )
    asked = etinspect.spark.percentiles(df, common.GROUP, common.POINTS).collect()
    found = {tuple(row[:3]): (row[3], row[4:]) for row in asked}
    n, equal, worst = common.worst_difference(wanted, found)
    counts.check(f"{name}: counts and percentiles of {len(wanted)} groups are numpy's, to 1e-15", n == 0 and worst <= 1e-15,
                 f"{equal} of {3 * len(wanted)} equal, others to {worst:.2g}")  # fmt: skip
schemas = [df.schema for df in doors.values()]
counts.check("both have the same schema, in which labels are strings and elapsed knows its unit",
             schemas[0] == schemas[1] and schemas[0]["build"].dataType.simpleString() == "string" and schemas[0]["elapsed"].metadata == {"unit": "ms"})  # fmt: skip
rough = etinspect.spark.percentiles(doors["read"], ["event_name"], approximate=True).count()
counts.check("approximate percentiles have all groups", rough == len({key[2] for key in wanted}), rough)

df = etinspect.spark.percentiles(doors["read"])
found = {tuple(row[:5]) for row in df.collect()}
events = ["device", "build", "block", "event_index", "event_name"]
counts.check(
    "percentiles by default: each event has its own, with its module",
    df.columns == [*events, "module", "n", "p50", "p90", "p99"]
    and found == {tuple(row) for row in doors["read"].select(*events).distinct().collect()},
    len(found),
)

# ---- columns, labels, granularity ----------------------------------------------------------------

whole = doors['format("etdump")']
part = whole.where("build = '1231'").count()
counts.check(
    "a condition on a DataFrame does not change its other queries", (part, whole.count()) == (truth[0] // 10, truth[0]), part
)
chosen = spark.read.format("etdump").schema("build string, elapsed double").load(folder)
counts.check(
    "schema() chooses columns of the data source", chosen.count() == truth[0] and chosen.columns == ["build", "elapsed"]
)
chosen = etinspect.spark.read(spark, folder, columns=["build", "elapsed"])
counts.check("columns= chooses those of read()", chosen.columns == ["build", "elapsed"] and chosen.count() == truth[0])
per_build = sum(n for key, (n, _) in wanted.items() if key[1] == "1231")
broken = os.path.join(out, "broken")
for dump in dumps:
    link = os.path.join(broken, os.path.relpath(dump, folder))
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.link(dump, link)
os.unlink(os.path.join(broken, os.path.relpath(dumps[0], folder)))
with open(os.path.join(broken, "device=d00/build=1230/damaged.etdp"), "wb") as file:
    file.write(b"no ETDump")
fast = {
    "read": etinspect.spark.read(spark, broken, mode="FAILFAST"),
    'format("etdump")': spark.read.format("etdump").option("mode", "FAILFAST").load(broken),
}
for name, df in fast.items():
    of_build = (
        etinspect.spark.read(spark, broken, mode="FAILFAST", where="build = '1231'")
        if name == "read"
        else spark.read.format("etdump").option("mode", "FAILFAST").load(os.path.join(broken, "device=*", "build=1231"))
    )
    found = of_build.count()
    counts.check(f"{name}: where= and patterns leave out dumps before they are opened", found == per_build, found)
    try:
        message = str(df.count())
    except Exception as error:
        message = str(error)
    counts.check(f"{name}: FAILFAST names the dump", "damaged.etdp" in message, message[:60].split("\n")[0])
labelled = etinspect.spark.read(spark, folder, labels={"night": "regexp_extract(path, 'run(\\\\d)', 1)"})
counts.check("labels= adds a column over the path", [row[0] for row in labelled.select("night").distinct().collect()] == ["0"])
summaries = (
    etinspect.spark.read(spark, os.path.dirname(dumps[0]), granularity="dump")
    .select("path", "block", "event_index", "p50", "count")
    .collect()
)
mine = pyarrow.table(etinspect.rows(os.path.dirname(dumps[0]), granularity="dump")).to_pylist()
differing = {(row["path"].removeprefix("file:"), *row[1:]) for row in summaries} ^ {
    tuple(row[key] for key in ("path", "block", "event_index", "p50", "count")) for row in mine
}
counts.check(f"granularity dump: {len(mine)} rows of rows()", mine and not differing, len(differing))

# ---- dumps that cannot be read -------------------------------------------------------------------

bad = os.path.join(out, "spark-bad")
for dump in dumps:
    link = os.path.join(bad, os.path.relpath(dump, folder))
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.link(dump, link)
damaged, empty, missing = (
    os.path.join(bad, "device=d00/build=1231", f"{name} 1%.etdp") for name in ("damaged", "empty", "missing")
)
with open(dumps[0], "rb") as file:
    half = file.read(40000)
for path, content in ((damaged, half), (empty, b""), (missing, b"")):
    with open(path, "wb") as file:
        file.write(content)
df = etinspect.spark.read(spark, bad)
os.unlink(missing)
doors = {"read": df}
os.symlink("nowhere", missing)
doors['format("etdump")'] = spark.read.format("etdump").load(bad)
for name, df in doors.items():
    if name == "read":
        os.unlink(missing)
    rows = df.where("error is not null").collect()
    found = {row["path"].removeprefix("file:"): (row["device"], row["build"]) for row in rows}
    right = len(rows) == 3 and found == dict.fromkeys((damaged, empty, missing), ("d00", "1231"))
    counts.check(
        f"{name}: PERMISSIVE: a damaged, an empty and a missing dump are three rows with labels and error",
        right,
        "" if right else [row.asDict() for row in rows],
    )
    good = df.where("error is null").withColumn("path", functions.regexp_replace("path", "/spark-bad/", "/dumps/"))
    counts.check(f"{name}: and all others are unchanged", summary_of(good) == truth)
    if name == "read":
        os.symlink("nowhere", missing)
dropping = spark.read.format("etdump").option("mode", "DROPMALFORMED").load(os.path.dirname(damaged))
counts.check(
    "DROPMALFORMED leaves them out", dropping.count() == 10 * 1202 and dropping.where("error is not null").count() == 0
)

# ---- isolation -----------------------------------------------------------------------------------

some = os.path.dirname(damaged)
for granularity in ("sample", "dump"):
    plain = summary_of(etinspect.spark.read(spark, some, granularity=granularity).where("error is null"))
    df = etinspect.spark.read(spark, some, granularity=granularity, isolate=True)
    counts.check(
        f"isolate=True: the program in its sandbox gives the same rows by {granularity}",
        summary_of(df.where("error is null")) == plain,
        plain,
    )
    counts.check("and errors", df.where("error is not null").count() == 2)

# ---- queries.sql ---------------------------------------------------------------------------------

samples = spark.read.parquet(parquet)
connection = duckdb.connect()
connection.execute(f"create view samples as select * from '{parquet}'")
samples.createOrReplaceTempView("samples")
for engine in (spark.sql, connection.execute):
    view = "temporary view builds as select '1233' as base_build, '1234' as new_build"
    engine("create " + view)
connection.execute("create table medians as " + fleet.query("medians"))
spark.sql(fleet.query("medians", quote="`")).cache().createOrReplaceTempView("medians")


def close(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-14 * max(abs(one), abs(other))
    return one == other or (one is not None and other is not None and not isinstance(one, str) and float(one) == float(other))


for name in ("percentiles", "errors", "dumps", "medians", "ranks", "history"):
    of_spark = [tuple(row) for row in spark.sql(fleet.query(name, quote="`")).collect()]
    of_duckdb = connection.execute(fleet.query(name)).fetchall()
    right = len(of_spark) == len(of_duckdb) and all(all(map(close, *rows)) for rows in zip(of_spark, of_duckdb))
    counts.check(
        f"queries.sql, {name}: the same rows in DuckDB and Spark",
        right and (of_spark or name == "errors"),
        f"{len(of_spark)} and {len(of_duckdb)}",
    )

# ---- regressions ---------------------------------------------------------------------------------


def verdicts_of(rows):
    names = ["block", "event_name", "event_index", "verdict", "method", "n_base", "n_new", "p", "p_adjusted", "change"]
    return sorted(str([f"{row[name]:.9g}" if isinstance(row[name], float) else row[name] for name in names]) for row in rows)


df = etinspect.spark.read(
    spark, folder, columns=["path", "device", "build", "block", "event_index", "event_name", "elapsed", "error"]
)
found = [row.asDict() for row in etinspect.spark.regressions(df, "1233", "1234", by=["device"]).collect()]
peer = fleet.regressions(parquet, "1233", "1234", by=["device"]).to_pylist()
devices = len({row["device"] for row in peer})
counts.check(
    f"regressions of 10 dumps a side: {len(peer)} verdicts on {devices} devices are those of DuckDB and etinspect diff",
    verdicts_of(found) == verdicts_of(peer) and {row["method"] for row in found} == {"files"},
)
# Two devices together have 20 dumps per side, all devices have more.
found = [row.asDict() for row in etinspect.spark.regressions(df, "1233", "1234", by=[]).collect()]
peer = fleet.regressions(parquet, "1233", "1234", by=[]).to_pylist()
counts.check(
    "regressions by ranks: the same verdicts in Spark and DuckDB",
    verdicts_of(found) == verdicts_of(peer) and {row["method"] for row in found} == {"ranks"},
    len(found),
)
in_cycles = os.path.join(os.path.dirname(folder), "spark_in_cycles")
medians_of_cycles = common.make_cycles(in_cycles, 25)
found = [row.asDict() for row in etinspect.spark.regressions(etinspect.spark.read(spark, in_cycles), "1", "2", by=[]).collect()]
peer = fleet.regressions(etinspect.rows(in_cycles, labels_from_path=True), "1", "2", by=[]).to_pylist()
differing = common.differing_cycles(found, medians_of_cycles)
counts.check(
    "regressions by ranks of events in cycles: the medians that were written, SciPy's p, and the verdicts of DuckDB",
    not differing and verdicts_of(found) == verdicts_of(peer),
    differing,
)
df = etinspect.spark.read(spark, in_cycles, granularity="dump")
found = [row.asDict() for row in etinspect.spark.regressions(df, "1", "2", by=[]).collect()]
peer = fleet.regressions(etinspect.rows(in_cycles, labels_from_path=True, granularity="dump"), "1", "2", by=[]).to_pylist()
counts.check("and the same of rows of granularity dump", verdicts_of(found) == verdicts_of(peer) and len(found) > 9, len(found))
left = [view.name for view in spark.catalog.listTables() if view.name.startswith("etinspect_")]
counts.check("and no view is left", not left, left)

spark.stop()
print(f"local_spark: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
sys.exit(counts.failed > 0)
