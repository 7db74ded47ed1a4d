"""cluster.py BUILD DUMPS MASTER FOLDER - tests both interfaces of etinspect.spark on a standalone cluster of two workers,
one of whose executors is killed."""

import os
import subprocess
import sys
import threading
import time

import common
from pyspark.sql import functions

import etinspect.spark
from etinspect import fleet

build, folder, master, cluster = sys.argv[1:]
counts = common.Counts()
dumps = fleet.list_dumps(folder)
spark = common.session(master)
etinspect.spark.register(spark)
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cluster.sh")
pids = [
    int(pid)
    for pid in subprocess.run(["sh", script, "pids", cluster], capture_output=True, text=True, check=True).stdout.split()
]

wanted = common.percentiles_of(common.groups_of(common.samples_of(dumps)))
n_rows = sum(n for n, _ in wanted.values())
doors = {
    "read": etinspect.spark.read(spark, folder),
    'format("etdump")': spark.read.format("etdump").load(os.path.relpath(folder)),
}
for name, df in doors.items():
    with common.measured(pids) as cost:
        asked = etinspect.spark.percentiles(df, common.GROUP, common.POINTS).collect()
    found = {tuple(row[:3]): (row[3], row[4:]) for row in asked}
    n, equal, worst = common.worst_difference(wanted, found)
    counts.check(f"cluster, {name}: counts and percentiles of {len(wanted)} groups are numpy's, to 1e-15", n == 0 and worst <= 1e-15,
                 f"{equal} of {3 * len(wanted)} equal, others to {worst:.2g}; {cost[0]:.1f} CPU s ({cost[1]:.1f} s)")  # fmt: skip
    with common.measured(pids) as cost:
        found = df.agg(functions.count("*"), functions.countDistinct("path")).first()
    counts.check(
        f"cluster, {name}: {n_rows} rows of {len(dumps)} dumps",
        tuple(found) == (n_rows, len(dumps)),
        f"{found[0]}; {cost[0]:.1f} CPU s ({cost[1]:.1f} s)",
    )

executors = {row.host() for row in spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()}
counts.check(
    "the rows came from executors of two workers",
    len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) >= 3,
    len(executors),
)

# ---- an executor is killed -----------------------------------------------------------------------

# Repeats a few dumps to make the job longer, because the executor must die in the middle of it.
times = max(1, 4000 // len(dumps))
df = spark.read.format("etdump").option("filesPerPartition", "8").load(folder)
longer = df
for _ in range(times - 1):
    longer = longer.union(df)
found = []
job = threading.Thread(target=lambda: found.append(longer.count()))
job.start()
tracker = spark.sparkContext.statusTracker()
stage = None
deadline = time.monotonic() + 300
while time.monotonic() < deadline and job.is_alive():
    stages = [tracker.getStageInfo(one) for one in tracker.getActiveStageIds()]
    stage = next((one for one in stages if one and one.numCompletedTasks >= 2 and one.numActiveTasks > 0), None)
    if stage:
        break
    time.sleep(0.05)
killed = subprocess.run(["sh", script, "kill", cluster], capture_output=True, text=True)
was_running = job.is_alive()
job.join()
counts.check("an executor was killed in the middle of a count", killed.returncode == 0 and was_running and stage is not None,
             f"{stage.numCompletedTasks} of {stage.numTasks} tasks were done" if stage else killed.stderr)  # fmt: skip
counts.check("and the count is the same", found == [times * n_rows], found)
lost = subprocess.run(
    ["sh", "-c", f"cat {cluster}/worker*.log | grep -c 'finished with state .* exitStatus 137'"], capture_output=True, text=True
).stdout.strip()
counts.check("a worker saw it die of SIGKILL", lost == "1", lost)

spark.stop()
print(f"cluster: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
sys.exit(counts.failed > 0)
