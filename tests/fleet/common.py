"""Shared by the tests of fleets: counting, sessions of Spark, CPU seconds of all processes, and expected results from
numpy."""

import os
import sys
import time
from contextlib import contextmanager

import numpy
import pyarrow

import etinspect

GROUP = ["device", "build", "event_name"]
POINTS = [0.5, 0.9, 0.99]


class Counts:
    """Counts checks, and prints each."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, is_right, found=""):
        self.passed += bool(is_right)
        self.failed += not is_right
        print(f"{'ok' if is_right else 'FAILED'}: {what}{': ' if found != '' else ''}{found}", flush=True)

    def skip(self, what, why):
        self.skipped += 1
        print(f"skipped: {what}: {why}", flush=True)


def session(master, name="fleet"):
    """Returns a session of Spark on this machine."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "4",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(master).appName(name)
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


# ---- CPU -----------------------------------------------------------------------------------------


def _process_times():
    """Returns parents and CPU seconds of all processes, including ended children."""
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        found[int(pid)] = (int(fields[1]), sum(map(int, fields[11:15])) / tick)
    return found


def cpu_of(roots):
    """Returns the CPU seconds of these processes and all below them."""
    times = _process_times()
    children = {}
    for pid, (parent, _) in times.items():
        children.setdefault(parent, []).append(pid)
    total, left = 0.0, [pid for pid in roots if pid in times]
    while left:
        pid = left.pop()
        total += times[pid][1]
        left += children.get(pid, [])
    return total


@contextmanager
def measured(roots=()):
    """Adds CPU and wall seconds to a list: those of this process and the ones below it, and of `roots`."""
    roots = [os.getpid(), *roots]
    found, started, cpu = [], time.monotonic(), cpu_of(roots)
    yield found
    found += [cpu_of(roots) - cpu, time.monotonic() - started]


# ---- truth ---------------------------------------------------------------------------------------


def labels_of(path):
    return dict(part.split("=", 1) for part in path.split("/")[:-1] if "=" in part)


def samples_of(paths):
    """Returns all samples of dumps from the Inspector, one dump after the other, with their labels and paths."""
    tables = []
    for path in paths:
        table = pyarrow.table(etinspect.Inspector(path).samples())
        n = len(table)
        for key, value in {**labels_of(path), "path": path}.items():
            table = table.append_column(key, pyarrow.array([value] * n))
        tables.append(table)
    return pyarrow.concat_tables(tables)


def groups_of(table, by=GROUP, value="elapsed"):
    """Returns {labels: sorted values} of a table."""
    codes = [numpy.unique(table[name].to_numpy(zero_copy_only=False).astype(str), return_inverse=True) for name in by]
    values = table[value].to_numpy()
    order = numpy.lexsort([values, *[code for _, code in reversed(codes)]])
    keys = numpy.stack([code[order] for _, code in codes])
    edges = numpy.flatnonzero(numpy.any(keys[:, 1:] != keys[:, :-1], axis=0)) + 1
    firsts = [0, *edges]
    parts = numpy.split(values[order], edges)
    return {
        tuple(str(names[key]) for (names, _), key in zip(codes, keys[:, first])): part for first, part in zip(firsts, parts)
    }


def percentiles_of(groups):
    """Returns {labels: (n, percentiles)} computed by numpy."""
    return {key: (len(values), numpy.percentile(values, [100 * q for q in POINTS])) for key, values in groups.items()}


def worst_difference(wanted, found):
    """Returns (groups with a different number of samples, equal percentiles, the greatest relative difference of the
    others)."""
    counts = len(set(wanted) ^ set(found)) + sum(found[key][0] != wanted[key][0] for key in set(wanted) & set(found))
    equal, worst = 0, 0.0
    for key in set(wanted) & set(found):
        for one, other in zip(wanted[key][1], found[key][1]):
            equal += one == other
            worst = max(worst, abs(other - one) / abs(one) if one else abs(other))
    return counts, equal, worst


# ---- events in cycles ----------------------------------------------------------------------------

SLOWER_EVENT, SLOWER_BY = 3, 1.2


def make_cycles(folder, n_dumps):
    """Writes dumps of builds 1 and 2, n_dumps of each, in which a delegate logs kernels in cycles of an unknown clock. In build 2
    SLOWER_EVENT takes SLOWER_BY times as many. Returns {event: (medians of the dumps of build 1, those of build 2)}."""
    source = "testdata/backends/nxp_cnn/run.etdp"
    with open(source, "rb") as file:
        content = file.read()
    logged = [row for row in etinspect.rows(source).dicts() if row["unit"] == "cycles"]
    drawn, medians = numpy.random.default_rng(1), {}
    for build in (0, 1):
        os.makedirs(os.path.join(folder, f"build={build + 1}"))
        for number in range(n_dumps):
            changed, cycles = bytearray(content), {}
            for row in logged:
                start = row["start"].to_bytes(8, "little")
                at = content.index(start + ((row["start"] + int(row["value"])) % 2**32).to_bytes(8, "little"))  # 32 bits that wrap
                factor = SLOWER_BY if build and row["event_index"] == SLOWER_EVENT else 1
                value = round(row["value"] * factor * drawn.normal(1, 0.02))
                changed[at + 8 : at + 16] = ((row["start"] + value) % 2**32).to_bytes(8, "little")
                cycles.setdefault(row["event_index"], []).append(value)
            with open(os.path.join(folder, f"build={build + 1}", f"{number:02}.etdp"), "wb") as file:
                file.write(changed)
            for event, values in cycles.items():
                medians.setdefault(event, ([], []))[build].append(numpy.median(values))
    return medians


def differing_cycles(rows, medians):
    """Returns the events whose rows of regressions() have not the medians of make_cycles(), the p value of SciPy or the verdict."""
    import scipy.stats

    found = {row["event_index"]: row for row in rows}
    differing = []
    for event, (base, new) in medians.items():
        row = found.get(event, {})
        p = scipy.stats.mannwhitneyu(new, base, use_continuity=False, method="asymptotic").pvalue
        wanted = ("cycles", "slower" if event == SLOWER_EVENT else "~", len(base), len(new), numpy.median(base), numpy.median(new))
        if tuple(map(row.get, ("unit", "verdict", "n_base", "n_new", "base", "new"))) != wanted or abs(row["p"] / p - 1) > 1e-9:
            differing.append((event, wanted, p, row))
    return differing
