"""one_machine.py BUILD DUMPS - compares rows, Parquet, DuckDB and regressions without Spark with numpy, scipy, the program
and etinspect.diff()."""

import contextlib
import datetime
import io
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import warnings

import common
import duckdb
import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import scipy.stats

import etinspect
from etinspect import _etinspect, fleet

build, folder = sys.argv[1:]
out = os.path.dirname(folder)
counts = common.Counts()
dumps = fleet.list_dumps(folder)

# ---- imports -------------------------------------------------------------------------------------

program = "import sys, etinspect, etinspect.fleet, etinspect.spark; print([n for n in ('pyspark', 'pyarrow', 'pandas', 'duckdb') if n in sys.modules])"
found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
counts.check("importing the modules imports none of pyspark, pyarrow, pandas, duckdb", found == "[]", found)

# ---- rows and percentiles ------------------------------------------------------------------------

samples = common.samples_of(dumps)
wanted = common.percentiles_of(common.groups_of(samples))
rows = pyarrow.table(etinspect.rows(folder, labels_from_path=True))
names = {"event": "event_index", "event_name": "event_name", "block": "block", "run": "run", "start_time": "start", "elapsed": "elapsed", "path": "path",
         "device": "device", "build": "build"}  # fmt: skip
differing = [name for name, other in names.items() if samples[name].to_pylist() != rows[other].to_pylist()]
counts.check(
    f"rows() is what Inspector.samples() says of {len(dumps)} dumps, {len(rows)} rows",
    not differing and rows["error"].null_count == len(rows),
    differing,
)

parquet = os.path.join(out, "one.parquet")
n, n_errors = fleet.to_parquet(folder, parquet)
written = pyarrow.parquet.read_table(parquet)
counts.check(
    "to_parquet() with its threads writes the rows of rows(), in their order",
    (n, n_errors) == (len(dumps), 0) and written.equals(rows),
    (n, n_errors, len(written)),
)
counts.check(
    "its properties say the time scale",
    written.schema.metadata.get(b"etinspect.target_time_scale") == b"ms",
    written.schema.metadata,
)
parts = os.path.join(out, "parts.parquet")
fleet.to_parquet(folder, parts, partition_by=["build"])
read = duckdb.sql(
    f"select count(*), sum(start), count(distinct build) from read_parquet('{parts}/**/*.parquet', hive_partitioning = true)"
).fetchall()[0]
one = duckdb.sql(f"select count(*), sum(start), count(distinct build) from '{parquet}'").fetchall()[0]
counts.check(
    "partitioned by build, it has the same rows", read == one and os.path.isdir(os.path.join(parts, "build=1230")), (read, one)
)

points = "[.5, .9, .99]"
found = duckdb.sql(
    f"select device, build, event_name, count(*), quantile_cont(elapsed, {points}) from '{parquet}' group by all"
).fetchall()
found = {row[:3]: (row[3], row[4]) for row in found}
n, equal, worst = common.worst_difference(wanted, found)
total = 3 * len(wanted)
counts.check(
    f"DuckDB's percentiles of {len(wanted)} groups are numpy's, to 1e-15",
    n == 0 and worst <= 1e-15,
    f"{equal} of {total} equal, others to {worst:.2g}",
)

# ---- events with the same name -------------------------------------------------------------------

key = ["device", "build", "block", "event_index", "event_name"]
connection = duckdb.connect()
connection.execute(f"create view samples as select * from '{parquet}'")
found = {row[:5]: row[6:] for row in connection.execute(fleet.query("percentiles")).fetchall()}
times = {}
for *event, elapsed in zip(*(rows[name].to_pylist() for name in [*key, "elapsed"])):
    times.setdefault(tuple(event), []).append(elapsed)
wanted = {event: (len(values), numpy.percentile(values, [50, 90, 99])) for event, values in times.items()}
n, _, worst = common.worst_difference(wanted, {event: (row[0], row[1:]) for event, row in found.items()})
counts.check(f"percentiles of queries.sql: each of {len(wanted)} events has its own", n == 0 and worst <= 1e-15, n)

twins = os.path.join(out, "twins")
for name in ("1", "2"):
    for number in range(fleet.NORMAL_FROM):
        path = os.path.join(twins, f"build={name}", f"{number:02}.etdp")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy("testdata/xnnpack-conv/run.etdp", path)
        with open(path, "ab") as file:  # files with equal contents are one process
            file.write(f"{name} {number}".encode())
named = ["--etrecord_path", "testdata/xnnpack-conv/record.etrecord"]
twins_parquet = os.path.join(out, "twins.parquet")
fleet.main(["to-parquet", *named, "--program_path", "testdata/xnnpack-conv/model.pte", twins, twins_parquet])
written = pyarrow.parquet.read_table(twins_parquet)
with_program = pyarrow.table(etinspect.rows(twins, labels_from_path=True, etrecord=named[1], program="testdata/xnnpack-conv/model.pte"))
without = pyarrow.table(etinspect.rows(twins, labels_from_path=True, etrecord=named[1]))
counts.check("to-parquet reads the program of --program_path", written.equals(with_program) and not written.equals(without))

block, index, name, module = "Execute", 7, "Convolution (NHWC, F32) IGEMM #1", "second"  # event 1 has this name, too
duckdb.sql(
    f"""copy (select * replace (case when build = '2' and block = '{block}' and event_index = {index} then 2 else 1 end * (elapsed + 1) as elapsed)
    from '{twins_parquet}') to '{twins_parquet}.slower' (format parquet)"""
)
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    status = fleet.main(["regressions", f"{twins_parquet}.slower", "1", "2"])
lines = printed.getvalue().splitlines()
wanted = f"slower\t{block} event {index} {name} (module {module})\t+100.0%\t"
counts.check(
    "regressions: one of several events with the same name is slower, and the line says which",
    status == 1 and len(lines) == 1 and lines[0].startswith(wanted),
    lines,
)
twins_by_dump = os.path.join(out, "twins_by_dump.parquet")
fleet.to_parquet(twins, twins_by_dump, granularity="dump", target_time_scale="us")
duckdb.sql(
    f"""copy (select * replace (case when build = '2' and block = '{block}' and event_index = {index} then 2 else 1 end * (p50 + 1) as p50)
    from '{twins_by_dump}') to '{twins_by_dump}.slower' (format parquet)"""
)
found = [row for row in fleet.regressions(f"{twins_by_dump}.slower", "1", "2", by=[]).to_pylist() if row["verdict"] == "slower"]
counts.check(
    "regressions of rows of granularity dump, by their p50",
    [(row["block"], row["event_index"], row["method"]) for row in found] == [(block, index, "ranks")],
    found,
)

# ---- events in cycles ----------------------------------------------------------------------------

in_cycles = os.path.join(out, "in_cycles")
medians_of_cycles = common.make_cycles(in_cycles, 25)
cycles_parquet = os.path.join(out, "in_cycles.parquet")
fleet.to_parquet(in_cycles, cycles_parquet)
found = fleet.regressions(cycles_parquet, "1", "2", by=[]).to_pylist()
differing = common.differing_cycles(found, medians_of_cycles)
counts.check(
    f"regressions by ranks: {len(medians_of_cycles)} events in cycles have the medians that were written, and SciPy's p",
    len(medians_of_cycles) == 9 and not differing,
    differing,
)
of_time = [row for row in found if row["unit"] is None]
counts.check("and the others their time", {row["event_name"] for row in of_time} >= {"DELEGATE_CALL", "Method::execute"}, len(of_time))
by_dump = fleet.regressions(etinspect.rows(in_cycles, labels_from_path=True, granularity="dump"), "1", "2", by=[]).to_pylist()
verdicts = {row["event_index"]: row["verdict"] for row in by_dump if row["unit"] == "cycles"}
counts.check(
    "regressions of rows of granularity dump: the same verdicts on means of cycles",
    verdicts == {event: "slower" if event == common.SLOWER_EVENT else "~" for event in medians_of_cycles},
    verdicts,
)
fast_clock = etinspect.rows(os.path.join(in_cycles, "build=2"), labels={"build": "2"}, delegate_time_scale="600MHz")
both = [pyarrow.table(etinspect.rows(os.path.join(in_cycles, "build=1"), labels={"build": "1"})), pyarrow.table(fast_clock)]
mixed = fleet.regressions(pyarrow.concat_tables(both), "1", "2", by=[]).to_pylist()
mixed = {row["event_index"]: row for row in mixed if row["event_index"] in medians_of_cycles}
counts.check(
    "regressions: cycles are not compared with time",
    len(mixed) == 9 and all(row["verdict"] == "untested" and row["reason"].startswith("in cycles in some dumps") for row in mixed.values()),
    mixed,
)
for build_of_cycles in ("build=1", "build=2"):
    for name in sorted(os.listdir(os.path.join(in_cycles, build_of_cycles)))[10:]:
        os.unlink(os.path.join(in_cycles, build_of_cycles, name))
few_in_cycles = fleet.regressions(etinspect.rows(in_cycles, labels_from_path=True), "1", "2", by=[]).to_pylist()
in_time = os.path.join(out, "in_time.parquet")
fleet.to_parquet(in_cycles, in_time, delegate_time_scale=["600MHz"])
of_time = {row["event_index"]: row for row in fleet.regressions(in_time, "1", "2", by=[]).to_pylist() if row["event_index"] is not None}
found = of_time[common.SLOWER_EVENT]
counts.check(
    "and, if the rows have the time of these cycles, in time",
    (found["verdict"], found["unit"], found["method"]) == ("slower", None, "files") and 0.98 < found["base"] / (20300 / 600e3) < 1.02,
    found,
)
slower = [row for row in few_in_cycles if row["verdict"] == "slower" and row["event_index"] is not None]
counts.check(
    "regressions of few dumps: the same event, in cycles",
    [(row["event_index"], row["unit"], row["method"]) for row in slower] == [(common.SLOWER_EVENT, "cycles", "files")]
    and 20300 * 0.98 < slower[0]["base"] < 20300 * 1.02 and 24360 * 0.98 < slower[0]["new"] < 24360 * 1.02,
    slower,
)

# ---- what cannot be compared ---------------------------------------------------------------------

os.makedirs(os.path.join(out, "no_parquet"))
text = os.path.join(out, "text.parquet")
with open(text, "w") as file:
    file.write("this is no Parquet\n")
few_columns = os.path.join(out, "few_columns.parquet")
fleet.to_parquet(twins, few_columns, columns=["path", "elapsed"])
for wanted, arguments in (
    (2, ["--by", "nolabel", twins_parquet]),
    (2, ["--build", "nolabel", twins_parquet]),
    (2, ["--alpha", "5", twins_parquet]),
    (2, ["--alpha", "-1", twins_parquet]),
    (2, [few_columns]),
    (3, [os.path.join(out, "no_parquet")]),
    (3, [os.path.join(out, "nowhere.parquet")]),
    (3, ["/dev/null"]),
    (3, [text]),
):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        status = fleet.main(["regressions", *arguments, "1", "2"])
    lines = said.getvalue().splitlines()
    counts.check(f"regressions {' '.join(arguments)}: status {wanted} and a sentence", status == wanted and len(lines) == 1, lines)

for mode in ("PERMISSIVE", "DROPMALFORMED"):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        status = fleet.main(["to-parquet", "--mode", mode, text, os.path.join(out, "unread.parquet")])
    counts.check(
        f"to-parquet, {mode}: no dump could be read, so the status is 3, and the file is kept",
        status == 3 and os.path.exists(os.path.join(out, "unread.parquet")),
        said.getvalue(),
    )

for arguments, wanted in ((["1", "9"], "there is no build 9; there are 1, 2"), (["8", "9"], "there is no build 8 or 9; there are 1, 2")):
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        status = fleet.main(["regressions", twins_parquet, *arguments])
    counts.check(f"regressions {' '.join(arguments)}: unknown builds are named", status == 2 and wanted in said.getvalue(), said.getvalue())

wanted = fleet.regressions(written, "1", "2", by=[])
for name, source in (
    ("a stream that can be read once", pyarrow.RecordBatchReader.from_batches(written.schema, written.to_batches())),
    ("rows()", etinspect.rows(twins, labels_from_path=True, etrecord=named[1], program="testdata/xnnpack-conv/model.pte")),
):
    counts.check(f"regressions of {name} are those of the table", fleet.regressions(source, "1", "2", by=[]).equals(wanted))
whole, fleet.MEMORY_LIMIT = fleet.MEMORY_LIMIT, "2MiB"
for name, source in (
    ("a stream", pyarrow.RecordBatchReader.from_batches(written.schema, written.to_batches())),
    ("a table", written),
    ("Parquet that is read again without the limit", twins_parquet),
):
    try:
        is_equal, said = fleet.regressions(source, "1", "2", by=[]).equals(wanted), ""
    except ValueError as error:
        is_equal, said = False, str(error)
    counts.check(f"regressions of {name} do not fail at the limit of memory for Parquet", is_equal, said)
fleet.MEMORY_LIMIT = whole
# The paths of one dump of a build are lost: it still counts, so that medians in parts are those of the table.
nameless = [None if path.endswith("/00.etdp") else path for path in written["path"].to_pylist()]
nameless = written.set_column(written.schema.get_field_index("path"), "path", pyarrow.array(nameless, pyarrow.string()))
nameless_parquet = os.path.join(out, "nameless.parquet")
pyarrow.parquet.write_table(nameless, nameless_parquet)
whole, fleet.ROWS_OF_A_PART = fleet.ROWS_OF_A_PART, 97
found = [fleet.regressions(source, "1", "2", by=[]) for source in (nameless, nameless_parquet)]
fleet.ROWS_OF_A_PART = whole
counts.check(
    "rows without a path: Parquet has the verdicts of the table, and they are a dump",
    found[0].equals(found[1]) and found[1]["n_base"].to_pylist() == wanted["n_base"].to_pylist(),
    [set(one["n_base"].to_pylist()) for one in found],
)
days = {"1": datetime.datetime(2026, 1, 1), "2": datetime.datetime(2026, 1, 2)}
for kind, value_of, builds, lacking, message in (
    (pyarrow.int64(), int, ("01", 2), 10, "there is no build 10; there are 1, 2"),
    (pyarrow.int32(), int, (1.0, "2"), "1.5", "there is no build 1.5; there are 1, 2"),
    (pyarrow.float64(), int, (1, "2"), 2.5, "there is no build 2.5; there are 1.0, 2.0"),
    (pyarrow.bool_(), "2".__eq__, (False, True), "x", "there is no build x; there are false, true"),
    (pyarrow.timestamp("us"), days.get, ("2026-01-01", days["2"]), "2026-01-03", "there is no build 2026-01-03; there are 2026-01-01 00:00:00"),
    (pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), str, (1, "2"), "3", "there is no build 3; there are 1, 2"),
):  # fmt: skip
    values = pyarrow.array([value_of(name) for name in written["build"].to_pylist()], kind)
    typed = written.set_column(written.schema.get_field_index("build"), "build", values)
    try:
        is_equal, said = fleet.regressions(typed, *builds, by=[]).equals(wanted), ""
        fleet.regressions(typed, builds[0], lacking, by=[])
    except ValueError as error:
        said = str(error)
    counts.check(f"regressions where builds are of type {kind}", is_equal and said.startswith(message), (is_equal, said))

kept = os.path.join(out, "kept.parquet")
with open(kept, "w") as file:
    file.write("before")
said = io.StringIO()
with contextlib.redirect_stderr(said):
    status = fleet.main(["to-parquet", text, kept])
with open(kept) as file:
    counts.check("to-parquet: without a readable dump no file is replaced",
                 status == 3 and file.read() == "before" and "kept.parquet is not replaced" in said.getvalue(), said.getvalue())  # fmt: skip

# ---- few dumps -----------------------------------------------------------------------------------

for number in range(fleet.FEWEST_DUMPS, fleet.NORMAL_FROM):
    for folder_of_build in ("build=1", "build=2"):
        os.unlink(os.path.join(twins, folder_of_build, f"{number:02}.etdp"))
some = written.filter(pyarrow.compute.is_in(written["path"], pyarrow.array(fleet.list_dumps(twins))))
found = {(row["block"], row["event_index"]): row for row in fleet.regressions(some, "1", "2", by=[]).to_pylist()}
counts.check(
    "regressions of few dumps: the same module",
    found[block, index]["method"] == "files" and found[block, index]["module"] == module,
    found[block, index],
)
found = [
    {row["event_index"]: row for row in fleet.regressions(source, "1", "2", by=[]).to_pylist() if row["method"] == "files"}[index]
    for source in (some, pyarrow.table(etinspect.rows(twins, labels_from_path=True)).replace_schema_metadata({"etinspect.target_time_scale": "us"}))
]
counts.check(
    "regressions of few dumps: the time scale is that of the rows",
    abs(found[1]["base"] / found[0]["base"] - 1000) < 1e-6,
    found,
)
gone = [path for path in fleet.list_dumps(twins) if "build=1" in path][0]
odd = os.path.join(os.path.dirname(gone), os.fsdecode(b"\xff.etdp"))
shutil.copy(gone, odd)
with_odd = pyarrow.table(etinspect.rows(twins, labels_from_path=True))
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    found = fleet.regressions(with_odd, "1", "2", by=[]).to_pylist()
os.unlink(odd)
counts.check(
    "a dump whose name is not UTF-8 is left out with a warning, and the others are compared",
    len(warned) == 1 and "\ufffd.etdp" in str(warned[0].message) and {row["n_base"] for row in found if row["method"] == "files"} == {5},
    [str(one.message) for one in warned],
)
os.rename(gone, gone + ".gone")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    found = fleet.regressions(some, "1", "2", by=[]).to_pylist()
os.rename(gone + ".gone", gone)
counts.check(
    "if too few remain, nothing is decided, and the reason has the path",
    {row["verdict"] for row in found} == {"undecided"} and all(gone in row["reason"] for row in found),
    found[0]["reason"],
)
nameless = [None if path == gone else path for path in some["path"].to_pylist()]
nameless = some.set_column(some.schema.get_field_index("path"), "path", pyarrow.array(nameless, pyarrow.string()))
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    found = fleet.regressions(nameless, "1", "2", by=[]).to_pylist()
counts.check(
    "few dumps, one without a path: it is left out with a warning",
    {row["verdict"] for row in found} == {"undecided"} and "a dump without a path" in str(warned[0].message),
    (found[0]["reason"], [str(one.message) for one in warned]),
)
without_module = fleet.regressions(some.drop_columns(["module"]), "1", "2", by=[])
counts.check("regressions of rows without the column module", len(without_module) and set(without_module["module"].to_pylist()) == {None})

# ---- granularity dump ----------------------------------------------------------------------------

by_dump = pyarrow.table(etinspect.rows(dumps[:20], granularity="dump")).to_pylist()
differing = compared = 0
for dump in dumps[:20]:
    text = subprocess.run([os.path.join(build, "etinspect"), dump, "--format", "json"], capture_output=True, check=True).stdout
    events = [(event["event_name"], event["p50"]) for event in json.loads(text)["tables"]["events"]]
    mine = [(row["event_name"], row["p50"]) for row in by_dump if row["path"] == dump and row["event_name"] != "OPERATOR_CALL"]
    compared += len(events)
    differing += len(set(events) ^ set(mine)) + abs(len(events) - len(mine))
counts.check(
    f"the p50 of granularity dump is that of --format json, to the bit, {compared} events",
    compared and not differing,
    differing,
)

# ---- dumps that cannot be read -------------------------------------------------------------------

bad = os.path.join(out, "bad")
for dump in dumps:
    link = os.path.join(bad, os.path.relpath(dump, folder))
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.link(dump, link)
with open(dumps[0], "rb") as file:
    half = file.read(40000)
damaged, empty, missing = (
    os.path.join(bad, "device=d00/build=1231", name) for name in ("damaged.etdp", "empty.etdp", "missing.etdp")
)
for path, content in ((damaged, half), (empty, b"")):
    with open(path, "wb") as file:
        file.write(content)
os.symlink("nowhere", missing)
n, n_errors = fleet.to_parquet(bad, os.path.join(out, "bad.parquet"))
table = pyarrow.parquet.read_table(os.path.join(out, "bad.parquet")).to_pydict()
errors = {path: error for path, error in zip(table["path"], table["error"]) if error}
good = sum(error is None for error in table["error"])
counts.check(
    "PERMISSIVE: a damaged, an empty and a missing dump are three rows with an error",
    n_errors == 3 and set(errors) == {damaged, empty, missing},
    n_errors,
)
counts.check("and all others are unchanged", good == len(rows), good)
dropped, _ = fleet.to_parquet([damaged, empty, missing, dumps[0]], os.path.join(out, "x.parquet"), mode="DROPMALFORMED")
counts.check("DROPMALFORMED leaves them out", len(pyarrow.parquet.read_table(os.path.join(out, "x.parquet"))) == 1202)
try:
    fleet.to_parquet(bad, os.path.join(out, "never.parquet"), mode="FAILFAST")
    message = "no error"
except etinspect.Error as error:
    message = str(error)
left = [name for name in os.listdir(out) if name.startswith("never")]
counts.check("FAILFAST names the file, and leaves none", damaged in message and not left, f"{message} {left}")

# ---- the test of Mann and Whitney ----------------------------------------------------------------

connection = duckdb.connect()
connection.execute(f"create view samples as select * from '{parquet}'")
connection.execute("create view builds as select '1230' as base_build, '1231' as new_build")
connection.execute("create table medians as " + fleet.query("medians"))


some = {
    row[:3]: row[3]
    for row in connection.execute("select path, block, event_index, p50 from medians order by all limit 620").fetchall()
}
truth = {}
for row in rows.slice(0, 12020).select(["path", "block", "event_index", "elapsed"]).to_pylist():
    truth.setdefault((row["path"], row["block"], row["event_index"]), []).append(row["elapsed"])
shared = set(some) & set(truth)
worst = max(abs(some[key] - statistics.median(truth[key])) / statistics.median(truth[key]) for key in shared)
counts.check(
    f"{len(shared)} medians are right, to 1e-14",
    len(shared) >= 600 and worst <= 1e-14,
    f"{worst:.2g}",
)

cursor = connection.execute(fleet.query("ranks", by=[]))
columns = [column[0] for column in cursor.description]
ranks = [dict(zip(columns, row)) for row in cursor.fetchall()]
sides = {}
for index, block, name, build_name, median in connection.execute(
    "select event_index, block, event_name, build, p50 from medians where build in ('1230', '1231')"
).fetchall():
    sides.setdefault((block, index, name), ([], []))[build_name == "1231"].append(median)
worst_p, differing_u = 0.0, 0
for row in ranks:
    base, new = sides[row["block"], row["event_index"], row["event_name"]]
    peer = scipy.stats.mannwhitneyu(new, base, method="asymptotic", use_continuity=False)
    differing_u += peer.statistic != row["rank_sum"] - row["n_new"] * (row["n_new"] + 1) / 2
    p = _etinspect.mann_whitney(row["n_new"], row["n_base"], float(row["rank_sum"]), float(row["tie_term"]))
    worst_p = max(worst_p, abs(p - peer.pvalue))
counts.check(
    f"U of {len(ranks)} tests is scipy's, and p to 1e-14",
    differing_u == 0 and worst_p <= 1e-14 and len(ranks) == 62,
    f"{differing_u} {worst_p:.2g}",
)

# ---- regressions ---------------------------------------------------------------------------------

table = fleet.regressions(parquet, "1230", "1231", by=["device"])
verdicts = {}
for row in table.to_pylist():
    verdicts.setdefault(row["device"], []).append(row)
devices = sorted(verdicts)
differing = 0
for device in devices:
    base, new = ([path for path in dumps if f"device={device}/build={name}/" in path] for name in ("1230", "1231"))
    report = etinspect.diff(base, new, alpha=0.01 / len(devices))
    peer = sorted((row["event_name"], row["event"], row["verdict"], row["p"]) for row in report["events"].dicts())
    mine = sorted(
        (row["event_name"], row["event_index"], row["verdict"], row["p_adjusted"])
        for row in verdicts[device]
        if row["event_index"] is not None
    )
    differing += str(peer) != str(mine)
counts.check(
    f"10 dumps a side: the verdicts on {len(devices)} devices are those of etinspect diff", devices and not differing, differing
)
# 30 events, 4 totals and "all events alike"
counts.check("every event of every device has one", len(table) == 35 * len(devices), len(table))

whole, fleet.ROWS_OF_A_PART = fleet.ROWS_OF_A_PART, 9973
in_parts = fleet.regressions(parquet, "1230", "1231", by=["device"])
fleet.ROWS_OF_A_PART = whole
counts.check("a file that is read in parts has the verdicts of a table in memory",
             in_parts.equals(fleet.regressions(rows, "1230", "1231", by=["device"])) and in_parts.equals(table))  # fmt: skip
# In the child, getrusage() would count the peak of this process, too.
script = ("import sys; from etinspect import fleet; fleet.main(sys.argv[1:]);"
          "print('peak', *[int(line.split()[1]) // 1024 for line in open('/proc/self/status') if line.startswith('VmHWM')])")  # fmt: skip
done = subprocess.run([sys.executable, "-c", script, "regressions", "--by", "device", parquet, "1230", "1231"], capture_output=True, text=True)
peak = int(done.stdout.splitlines()[-1].removeprefix("peak "))
counts.check("regressions takes 300 MB at most", 0 < peak <= 300, f"{peak} MB")
texts = [fleet.p_text(p) for p in (0.0, 5e-324, 9.9e-301, 1e-300, 0.0123, 1)]
counts.check("no probability is shown as 0", texts == 3 * ["p<1e-300"] + ["p=1e-300", "p=0.012", "p=1"], texts)

few = fleet.regressions(
    rows.filter(pyarrow.compute.is_in(rows["path"], pyarrow.array(dumps[:4] + dumps[10:20]))), "1230", "1231", by=["device"]
)
counts.check(
    "4 dumps a side are too few",
    set(few["verdict"].to_pylist()) == {"undecided"} and set(few["reason"].to_pylist()) == {"too few dumps"},
)
try:
    fleet.least_effect_of("module:p50>+5%")
    message = ""
except ValueError as error:
    message = str(error)
counts.check(
    "rules of other kinds are refused, and the effect of this kind is taken",
    "etinspect.gate()" in message and fleet.least_effect_of("op:p50>+12.5%") == 0.125,
    message,
)

pool = [open(dump, "rb").read() for dump in dumps[:200]]
drawn = random.Random(1)


def is_slower(rows):
    return any(row["verdict"] in ("slower", "faster") for row in rows)


alarms = 0
for _ in range(1000):
    some = drawn.sample(pool, 20)
    alarms += is_slower(fleet.compare_dumps(some[:10], some[10:], fleet.ALPHA, fleet.LEAST_EFFECT))
counts.check("1,000 splits of one build into 10 and 10 dumps: at most 1 % of reports alarm", alarms <= 10, f"{alarms} of 1000")

starts = pyarrow.table(etinspect.Inspector(dumps[0]).samples()).to_pylist()
judged = [
    row["event"]
    for row in etinspect.diff(dumps[:10], dumps[10:20])["events"].dicts()
    if row["verdict"] in ("~", "slower", "faster")
]


def made_slower(number, event, factor):
    """Returns a dump in which an event's runs end later: the end of each follows its start in the file."""
    content = bytearray(pool[number])
    for row in stamps[number]:
        if row["event"] == event and row["block"] == "Execute":
            at = content.find(row["start_time"].to_bytes(8, "little"))
            end = int.from_bytes(content[at + 8 : at + 16], "little")
            content[at + 8 : at + 16] = (row["start_time"] + round((end - row["start_time"]) * factor)).to_bytes(8, "little")
    return bytes(content)


stamps = {}
found = blamed = 0
for _ in range(200):
    some = drawn.sample(range(len(pool)), 20)
    for number in some[10:]:
        if number not in stamps:
            stamps[number] = (
                pyarrow.table(etinspect.Inspector(etdump_data=pool[number]).samples())
                .select(["block", "event", "start_time"])
                .to_pylist()
            )
    event = drawn.choice(judged)
    changed = [made_slower(number, event, 1.1) for number in some[10:]]
    report = fleet.compare_dumps([pool[number] for number in some[:10]], changed, fleet.ALPHA, fleet.LEAST_EFFECT)
    slower = [row["event_index"] for row in report if row["verdict"] == "slower" and row["event_index"] is not None]
    found += event in slower
    blamed += any(other != event for other in slower)
counts.check(
    "an event that is 10 % slower in 10 dumps a side is found in 95 % of 200",
    found >= 190 and blamed <= 2,
    f"{found} of 200, another blamed in {blamed}",
)

# The same with 25 dumps per side, by ranks: splits are groups.
chosen = [(split, path, str(i < 25).lower()) for split in range(1000) for i, path in enumerate(drawn.sample(dumps[:200], 50))]
splits = pyarrow.table(
    {"split": [str(row[0]) for row in chosen], "path": [row[1] for row in chosen], "side": [row[2] for row in chosen]}
)
connection.register("splits", splits)
connection.execute("create or replace view builds as select 'false' as base_build, 'true' as new_build")
connection.execute(
    "create view split_medians as select split, side, path, block, event_index, event_name, module, p50, unit, value from medians join splits using (path)"
)


def reports_of(view):
    cursor = connection.execute(fleet.query("ranks", by=["split"], build="side", medians=view))
    columns = [column[0] for column in cursor.description]
    reports = {}
    for row in cursor.fetchall():
        reports.setdefault(row[0], []).append(
            {key: float(value) if key in ("rank_sum", "tie_term") else value for key, value in zip(columns, row)}
        )
    return {split: fleet.judge_ranks(rows, 1, fleet.ALPHA, fleet.LEAST_EFFECT) for split, rows in reports.items()}


alarms = sum(map(is_slower, reports_of("split_medians").values()))
counts.check("1,000 splits into 25 and 25 dumps, by ranks: at most 1 % of reports alarm", alarms <= 10, f"{alarms} of 1000")
connection.execute("""create view slower_medians as select split, side, path, block, event_index, event_name, module, unit, value,
    p50 * case when side = 'true' and event_index = cast(split as int) % 60 and block = 'Execute' then 1.1 else 1 end as p50
    from split_medians where cast(split as int) < 200""")
reports = reports_of("slower_medians")
found = sum(
    any(row["verdict"] == "slower" and row["event_index"] == int(split) % 60 for row in rows) for split, rows in reports.items()
)
counts.check(
    "an event that is 10 % slower in 25 dumps a side is found by ranks in 95 % of 200",
    found >= 190 and len(reports) == 200,
    f"{found} of {len(reports)}",
)

print(f"one_machine: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
sys.exit(counts.failed > 0)
