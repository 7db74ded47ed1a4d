"""cost.py BUILD DUMPS - prints the cost of 200 dumps and of all, in CPU seconds of all processes, and checks the growth and
the cost per dump.

With fewer than 2,000 dumps everything is skipped, since only the start of Spark would be measured.
"""

import os
import subprocess
import sys

import common

build, folder = sys.argv[1:3]
counts = common.Counts()
FEW = 200
PERCENTILES = "select device, build, event_name, count(*), quantile_cont(elapsed, [.5, .9, .99]) from '{}' group by all"


def finish():
    print(f"cost: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    sys.exit(counts.failed > 0)


def measure(*arguments):
    """Measures CPU and wall seconds of a job in a new session, which has no worker yet: {name: (CPU, wall)}."""
    done = subprocess.run([sys.executable, __file__, build, folder, *arguments], capture_output=True, text=True)
    costs = {}
    for line in done.stdout.splitlines():
        what, cpu, wall = line.split("\t")
        costs[what] = (float(cpu), float(wall))
        print(
            f"  {what}, {arguments[1] if len(arguments) > 1 else 'all'} dumps: {float(cpu):.2f} CPU s ({float(wall):.2f} s)",
            flush=True,
        )
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
    return costs


def work(what, n, path):
    """One process of a measurement."""

    def say(name, cost):
        print(f"{name}\t{cost[0]}\t{cost[1]}", flush=True)

    if what == "rows":
        import pyarrow

        import etinspect

        for granularity in ("sample", "dump"):
            with common.measured() as cost:
                for batch in pyarrow.RecordBatchReader.from_stream(
                    etinspect.rows(path, labels_from_path=True, granularity=granularity, threads=1)
                ):
                    pass
            say(f"rows of {granularity} to Arrow, one process", cost)
        return
    if what == "parquet":
        from etinspect import fleet

        import duckdb

        out = os.path.join(os.path.dirname(folder), f"cost{n}.parquet")
        with common.measured() as cost:
            fleet.to_parquet(path, out)
        say("to_parquet(), one file", cost)
        with common.measured() as cost:
            fleet.to_parquet(path, os.path.join(os.path.dirname(folder), f"cost-dump{n}.parquet"), granularity="dump")
        say("to_parquet() by dump, one file", cost)
        connection = duckdb.connect()
        with common.measured() as cost:
            connection.execute(PERCENTILES.format(out)).fetchall()
        say("DuckDB on it, exact percentiles", cost)
        return
    import etinspect.spark

    spark = common.session("local[2]")
    etinspect.spark.register(spark)
    made = spark.read.format("etdump").load(path) if what == "source" else etinspect.spark.read(spark, path)
    names = {"source": 'format("etdump")', "binary": "read()"}
    with common.measured() as cost:
        made.count()
    say(f"{names[what]}: count, workers started", cost)
    with common.measured() as cost:
        etinspect.spark.percentiles(made, common.GROUP, common.POINTS).collect()
    say(f"{names[what]}: exact percentiles", cost)
    with common.measured() as cost:
        made.write.mode("overwrite").partitionBy("build").parquet(os.path.join(os.path.dirname(folder), f"cost-{what}-{n}"))
    say(f"{names[what]}: write Parquet", cost)
    if what == "source" and n == "all":
        by_dump = spark.read.format("etdump").option("granularity", "dump").load(path)
        for name, df in (("sample", made), ("dump", by_dump)):
            with common.measured() as cost:
                df.count()
            say(f"{names[what]}: count by {name}, workers running", cost)


if len(sys.argv) > 3:
    n = sys.argv[4] if len(sys.argv) > 4 else "all"
    work(sys.argv[3], n, folder if n == "all" else os.path.join(os.path.dirname(folder), "few"))
    sys.exit(0)

from etinspect import fleet  # noqa: E402: only the counting process needs it

dumps = fleet.list_dumps(folder)
checks = ["CPU of the count grows at most 3 times from 200 to 2,000 dumps", "a dump more costs at most 7 ms of CPU by the data source",
          "granularity dump costs to_parquet() at most half of samples"]  # fmt: skip
if len(dumps) < 2000:
    for check in checks:
        counts.skip(check, f"it takes 2,000 dumps, and these are {len(dumps)}")
    finish()

few = os.path.join(os.path.dirname(folder), "few")
for dump in dumps[:: len(dumps) // FEW]:
    link = os.path.join(few, os.path.relpath(dump, folder))
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.link(dump, link)
few_source, all_source = measure("source", str(FEW)), measure("source")
measure("rows")
measure("binary", str(FEW)), measure("binary")
parquet = measure("parquet")
with common.measured() as cost:
    subprocess.run(
        f"find {folder} -name '*.etdp' -print0 | xargs -0 -n 1 -P 2 {build}/etinspect --samples --format ndjson >/dev/null",
        shell=True,
        check=True,
    )
print(f"  xargs -P2 etinspect --samples --format ndjson, all dumps: {cost[0]:.2f} CPU s ({cost[1]:.2f} s)", flush=True)
with common.measured() as cost:
    subprocess.run(
        [
            f"{build}/etinspect",
            "rows",
            "--labels_from_path",
            "-o",
            os.path.join(os.path.dirname(folder), "rows.ndjson"),
            folder,
        ],
        check=True,
    )
print(f"  etinspect rows to NDJSON, all dumps: {cost[0]:.2f} CPU s ({cost[1]:.2f} s)", flush=True)

counting = 'format("etdump"): count, workers started'
first, last = few_source[counting][0], all_source[counting][0]
counts.check(checks[0], last <= 3 * first, f"{first:.1f} and {last:.1f} CPU s, {last / first:.2f} times")
marginal = (last - first) / (len(dumps) - FEW)
counts.check(checks[1], marginal <= 0.007, f"{1000 * marginal:.1f} ms")
by_sample, by_dump = parquet["to_parquet(), one file"][0], parquet["to_parquet() by dump, one file"][0]
counts.check(checks[2], by_dump <= by_sample / 2, f"{by_dump:.2f} and {by_sample:.2f} CPU s")
finish()
