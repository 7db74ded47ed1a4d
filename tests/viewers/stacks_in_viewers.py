"""Checks profiles by stack: speedscope's files by its schema, pprof's by `go tool pprof`, folded stacks by adding them up.

    stacks_in_viewers.py [--build DIRECTORY] [ETDUMP ...]      default: all available real ETDumps, see dumps.py

All have the typical time that `summary` has, and with all runs the sum of the medians of self times in the ETDump as flatc
reads it. In speedscope the runs equal the ETDump, event by event; in pprof each operator has its time, and its callers have
the sum.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import jsonschema

from checks import Checks, ROOT, etinspect, expect
from dumps import all_dumps, files_beside, overlap, read_dump

MOST_RUNS = 50  # of which speedscope gets all


def whole(build, files):
    """Returns the typical ns of the operators of summary and their number, after a comparison of their total with that of its runs."""
    tables = json.loads(etinspect(build, "summary", "-f", "json", "--target_time_scale", "ns", *files))["tables"]
    facts = {row["fact"]: row["value"] for row in tables["facts"]}
    total = round(sum(row["total"] for row in tables["operators"]))
    average = tables["account"][-1]["avg"]
    if average is not None:  # of one method
        expect(round(average * (int(facts["runs"]) - int(facts.get("warm-up runs", 0)))), total, "average of all runs in summary")
    return sum(row["typical"] for row in tables["operators"]), len(tables["operators"])


def expect_about(folded, ns, n, what):
    """Compares a sum of stacks, each of which is rounded, with that of n numbers."""
    if abs(folded.total() - ns) > (n + len(folded)) / 2:
        raise AssertionError(f"{what}: {folded.total()}, not {ns}")


def as_folded(name):
    """Folded stacks cannot represent these characters."""
    return re.sub(r"[\x00-\x1f]", " ", name.replace(";", ":"))


def self_times(events):
    """Returns the ns of each key, without those of the events directly inside; events do not overlap in part."""
    ns, around = collections.Counter(), []
    # of equal events, the one recorded later is outside
    for i in sorted(range(len(events)), key=lambda i: (events[i].start, -events[i].end, -i)):
        event = events[i]
        while around and around[-1].end < event.end:
            around.pop()
        ns[event.key] += event.end - event.start
        if around and event.end > event.start:
            ns[around[-1].key] -= event.end - event.start
        if event.end > event.start:
            around.append(event)
    return ns


def typical_times(runs):
    """Returns the median of the self times of each event; None if there are several EventBlocks, delegates with clocks of
    their own, or events beside Method::execute."""
    runs = [run for run in runs if any(event.name == "Method::execute" for event in run.events)]
    if not runs or any(run.block != runs[0].block or run.events != run.runtime_events or overlap(run.events) for run in runs):
        return None
    of_runs = [self_times(run.events) for run in runs]
    calls = [(run, [event for event in run.events if event.name == "Method::execute"]) for run in runs]
    if any(len(of_run) != 1 or any(e.start < of_run[0].start or e.end > of_run[0].end for e in run.events) for run, of_run in calls):
        return None
    return {key: statistics.median(ns[key] for ns in of_runs) for key in of_runs[0]}


# ---- folded ------------------------------------------------------------------------------------------


def read_folded(text):
    stacks = collections.Counter()
    for line in text.splitlines():
        stack, ns = line.rsplit(" ", 1)
        frames = tuple(stack.split(";"))
        assert all(frames), line
        assert frames not in stacks, f"{line} stands there twice"
        stacks[frames] = int(ns)
    return stacks


# ---- speedscope --------------------------------------------------------------------------------------


def check_evented(profile, frames):
    """Frames open and close like brackets, in the order of time. Returns the ns of each name."""
    opened, last, ns = [], 0, collections.Counter()
    for event in profile["events"]:
        assert last <= event["at"] <= profile["endValue"], event
        last = event["at"]
        if event["type"] == "O":
            opened.append((event["frame"], last))
            continue
        frame, start = opened.pop()
        expect(event["frame"], frame, profile["name"])
        ns[frames[frame]["name"]] += last - start
    assert not opened, profile["name"]
    return ns


def ns_by_name(events):
    ns = collections.Counter()
    for event in events:
        ns[event.name] += event.end - event.start
    return +ns


def check_runs(profiles, frames, runs):
    """Only some of many runs are included."""
    with_events = [run for run in runs if run.runtime_events]
    if len(with_events) <= MOST_RUNS:
        expect(len(profiles), len(with_events), "runs")
    for profile in profiles:  # the representative run is the first
        found = +check_evented(profile, frames)
        number = int(re.search(r"#(\d+)$", profile["name"])[1])
        candidates = [run for run in with_events if run.number == number]
        # delegates' events are included if they lie inside their calls
        wanted = [ns_by_name(events) for run in candidates for events in (run.runtime_events, run.events)]
        assert found in wanted, (profile["name"], found, wanted)


def read_sampled(file):
    """Returns stacks with their ns; one for each line of source, so that several may have the same names."""
    sampled = next(profile for profile in file["profiles"] if profile["type"] == "sampled")
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    expect(len(set(frames)), len(frames), "distinct names of frames")
    assert sampled["type"] == "sampled"
    expect(sum(sampled["weights"]), sampled["endValue"], "sum of weights")
    return [(tuple(frames[frame] for frame in sample), weight) for sample, weight in zip(sampled["samples"], sampled["weights"], strict=True)]


def check_speedscope(build, files, schema, runs, folded):
    file = json.loads(etinspect(build, "trace", "-f", "speedscope", *files))
    jsonschema.validate(file, schema)
    found, n_rounded = collections.Counter(), collections.Counter()
    for stack, ns in read_sampled(file):
        found[tuple(map(as_folded, stack))] += ns
        n_rounded[tuple(map(as_folded, stack))] += 1
    different = [stack for stack in found | folded if abs(found[stack] - folded[stack]) > (n_rounded[stack] + 1) / 2]
    expect({stack: found[stack] for stack in different}, {stack: folded[stack] for stack in different}, "stacks")
    if not any(overlap(run.runtime_events) for run in runs):
        check_runs([profile for profile in file["profiles"] if profile["type"] == "evented"], file["shared"]["frames"], runs)


# ---- pprof -------------------------------------------------------------------------------------------


def check_pprof(build, files, folder, folded):
    """Parses -top's output after "Showing nodes accounting for 274262ns, 100% of 274262ns total"."""
    path = f"{folder}/run.pb.gz"
    etinspect(build, "trace", "-o", path, *files)
    command = ["go", "tool", "pprof", "-top", "-unit=ns", "-trim=false", path]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Showing nodes"))
    raw = subprocess.run(["go", "tool", "pprof", "-raw", path], check=True, capture_output=True, text=True).stdout
    samples = raw.partition("Samples:\n")[2].partition("\nLocations")[0].splitlines()[1:]
    most = (len(samples) + 1) / 2  # each stack is rounded; those of several lines may have the same names
    total = int(re.fullmatch(r"Showing nodes accounting for (\d+)ns, 100% of \1ns total", lines[start])[1])
    assert abs(total - folded.total()) <= most, (total, folded.total())
    found = {}
    for line in lines[start + 2:]:
        flat, _, _, around, _, name = line.split(None, 5)
        found[as_folded(name)] = (int(flat.removesuffix("ns")), int(around.removesuffix("ns")))
    for name in {name for stack in folded for name in stack} | set(found):
        wanted = (sum(ns for stack, ns in folded.items() if stack[-1] == name), sum(ns for stack, ns in folded.items() if name in stack))
        times = found.get(name, (0, 0))  # -top omits those without time
        assert all(abs(ns - of_folded) <= most for ns, of_folded in zip(times, wanted)), (name, times, wanted)


# ---- files -------------------------------------------------------------------------------------------


def check_folded(build, files):
    folded = read_folded(etinspect(build, "trace", "-f", "folded", *files))
    ns, n_operators = whole(build, files)
    expect_about(folded, ns, n_operators, "sum beside that of summary")
    return folded


def check_all_runs(build, path, times):
    folded = read_folded(etinspect(build, "trace", "-f", "folded", "--skip_first", "0", path))
    expect_about(folded, sum(times.values()), len(times), "sum beside that of the medians")


def check_file(checks, options, schema, path, folder):
    name = str(path).removeprefix(f"{ROOT}/")
    files = [path, *files_beside(path)]
    folded = checks.run(f"{name}: folded", check_folded, options.build, files)
    if folded is None:
        return
    runs = read_dump(path)
    times = typical_times(runs)
    if times:
        checks.run(f"{name}: all runs", check_all_runs, options.build, path, times)
    if schema:
        checks.run(f"{name}: speedscope", check_speedscope, options.build, files, schema, runs, folded)
    if shutil.which("go"):
        checks.run(f"{name}: pprof", check_pprof, options.build, files, folder, folded)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    checks = Checks("stacks_in_viewers")
    described = pathlib.Path(sys.prefix, "speedscope.json")
    schema = json.loads(described.read_text()) if described.exists() else None
    if not schema:
        checks.skip("speedscope", "there is no npm, so no description of its format")
    if not shutil.which("go"):
        checks.skip("pprof", "there is no go")
    files = [path.resolve() for path in options.files] or all_dumps(options.build)
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            check_file(checks, options, schema, path, folder)
    print(f"{len(files)} ETDumps")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
