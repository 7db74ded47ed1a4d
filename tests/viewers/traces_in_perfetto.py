"""Imports traces into Perfetto's trace processor, and compares the result with flatc's output for the ETDumps.

    traces_in_perfetto.py [--build DIRECTORY] [ETDUMP ...]      default: all available real ETDumps, see dumps.py

For each file both forms of a trace are tested, plain and compressed, with runs as recorded and aligned: no errors are
counted, there is a slice for each profile event and each run, the times of each run by name are those of the file to the
ns, and in Perfetto's own form events nest according to their stamps.
"""

import argparse
import collections
import gzip
import json
import pathlib
import re
import sys
import tempfile

from dumps import all_dumps, depths, files_beside, overlap, read_dump
from checks import Checks, ROOT, etinspect, expect
from perfetto_schema import check_schema
from trace_processor import TraceProcessor

SLICES = """
    select s.id, s.ts, s.dur, s.depth, s.parent_id, s.name, s.category, t.tid, t.name as track, p.pid, p.name as process,
        coalesce(extract_arg(s.arg_set_id, 'debug.run'), extract_arg(s.arg_set_id, 'args.run')) as run
    from slice s join thread_track tt on s.track_id = tt.id join thread t using (utid) join process p using (upid) order by s.id"""
NUMBERS = ("id", "ts", "dur", "depth", "parent_id", "tid", "pid", "run")
FORMS = ("pftrace", "json")

Slice = collections.namedtuple("Slice", "id ts dur depth parent_id name category tid track pid process run")


def decoded(text):
    """The importer leaves most escapes of JSON as they stand."""
    return re.sub(r"\\(u[0-9a-f]{4}|[\\bfnrt])", lambda found: json.loads(f'"{found[0]}"'), text)


def read_slices(processor, form):
    expect(processor.errors(), {}, "errors")
    slices = [Slice(**{key: int(value) if key in NUMBERS and value is not None else value for key, value in row.items()})
              for row in processor.query(SLICES)]
    if form == "json":
        slices = [one._replace(name=decoded(one.name)) for one in slices]
    count = int(processor.query("select count(*) as n from slice")[0]["n"])
    expect(len(slices), count, "slices on tracks of processes")
    return slices


def is_of_run(one):
    return one.category == "run"


def sums(pairs):
    counter = collections.Counter()
    for key, ns in pairs:
        counter[key] += ns
    return dict(counter)  # with those of 0 ns


def check_counts(slices, runs):
    expect(len([one for one in slices if not is_of_run(one)]), sum(len(run.events) for run in runs), "slices of events")
    expect(len([one for one in slices if is_of_run(one)]), sum(run.has_slice for run in runs), "slices of runs")


# ---- as recorded -------------------------------------------------------------------------------------


def check_sums(slices, runs):
    found = sums(((one.run, one.name), one.dur) for one in slices if not is_of_run(one))
    wanted = sums(((run.number, event.name), event.length) for run in runs for event in run.events)
    expect(found, wanted, "ns by run and name")
    count = collections.Counter((one.run, one.name) for one in slices if not is_of_run(one))
    expect(count, collections.Counter((run.number, event.name) for run in runs for event in run.events), "slices by run and name")


def expected_slices(run, base, has_depths, everything):
    """Returns everything below the slice of a run."""
    events = run.events if everything else run.runtime_events
    around = depths(events) if has_depths else None
    return collections.Counter((event.name, event.start - base, event.length, around[i] + 1 if has_depths else None)
                               for i, event in enumerate(events))


def first_stamp(runs):
    return min((event.start for run in runs if run.has_slice for event in run.runtime_events), default=0)


def check_places(slices, runs):
    """Events of the runtime are where their stamps say."""
    found = collections.Counter((one.name, one.ts, one.dur) for one in slices if one.track == "method" and not is_of_run(one))
    everything = all(one.track == "method" for one in slices)
    wanted = collections.Counter()
    for run in runs:
        wanted.update(expected_slices(run, first_stamp(runs), False, everything))
    expect(found, collections.Counter({key[:3]: n for key, n in wanted.items()}), "slices on the method's track")


def check_method_track(slices, runs):
    """Events of the runtime are where their stamps say, and below the slice of their run, at the depth given by their
    stamps."""
    by_id = {one.id: one for one in slices}
    delegated_elsewhere = any(one.track != "method" for one in slices)
    below = collections.defaultdict(collections.Counter)
    for one in slices:
        if one.track != "method" or is_of_run(one):
            continue
        root = one
        while root.parent_id is not None:
            root = by_id[root.parent_id]
        assert is_of_run(root), f"{one} is in no run"
        below[root.id][one.name, one.ts, one.dur, one.depth] += 1
    roots = [one for one in slices if is_of_run(one)]
    shown = [run for run in runs if run.has_slice]
    for root, run in zip(roots, shown, strict=True):
        methods = re.search(r"\[(.*)\]$", root.process)
        label = re.fullmatch(rf"(.*?)( \[.*\])? #{run.number}", root.name)
        assert label and label[1] in [run.name, *(methods[1].split(", ") if methods else [])], (root.name, run.name, run.number)
        expect(root.run, run.number, "run")
        expect(below[root.id], expected_slices(run, first_stamp(runs), True, not delegated_elsewhere), root.name)


def has_simple_stamps(runs):
    """Returns whether runs follow each other, and nothing overlaps in part or has no stamp."""
    last = 0
    for run in runs:
        events = run.runtime_events
        if not events or not run.has_slice or any(event.end == 0 for event in events) or overlap(events):
            return False
        if min(event.start for event in events) < last:
            return False
        last = max(event.end for event in events)
    return True


def check_recorded(slices, runs, form):
    check_counts(slices, runs)
    check_sums(slices, runs)
    if not has_simple_stamps(runs):
        return
    check_places(slices, runs)
    # the JSON form cannot express the nesting of slices without length
    if form == "pftrace" or not any(event.start == event.end for run in runs for event in run.events):
        check_method_track(slices, runs)


def check_synthetic(build, path, slices):
    """Operators whose positions a backend invented are on a separate track, and add up to the result of `ops`."""
    tracks = [one for one in slices if "(positions computed, not measured)" in one.track]
    assert tracks, "no track says that its positions are synthetic"
    assert not any(one.category == "delegated" and one.track == "method" for one in slices), "a synthetic slice is below its call"
    table = etinspect(build, "ops", "--skip_first", "0", "--columns", "op,total", "--target_time_scale", "ns", "-f", "tsv",
                      "--no_include_units", path)
    totals = dict(line.split("\t") for line in table.splitlines()[1:])
    found = sums((re.sub(r" #\d+$", "", one.name), one.dur) for one in tracks)
    for name, ns in found.items():
        expect(ns, round(float(totals[name])), f"ns of {name} in ops")


# ---- aligned -----------------------------------------------------------------------------------------


def runs_by_track(slices):
    """Groups slices by run: a run's first track is that of its method, and tracks are numbered run by run."""
    names = {one.tid: one.track for one in slices}
    groups, of = [], {}
    for tid in sorted(names):
        run = re.match(r"run \d+", names[tid])[0]
        if names[tid] == run or not groups or run != groups[-1][0]:
            groups.append((run, []))
        of[tid] = len(groups) - 1
    for one in slices:
        groups[of[one.tid]][1].append(one)
    return groups


def check_aligned(slices, runs):
    """Each run has separate tracks, starts at 0, and has the contents given in the file."""
    check_counts(slices, runs)
    groups = runs_by_track(slices)
    with_events = [run for run in runs if run.events]
    expect(len(groups), len(with_events), "runs")
    for (name, of), run in zip(groups, with_events):
        expect(name, f"run {run.number}", "track")
        expect(min(one.ts for one in of), 0, f"start of {name}")
        found = sums((one.name, one.dur) for one in of if not is_of_run(one))
        expect(found, sums((event.name, event.length) for event in run.events), name)
        expect(len([one for one in of if is_of_run(one)]), int(run.has_slice), f"slices of {name}")


# ---- files -------------------------------------------------------------------------------------------


def write(build, folder, name, *words):
    path = folder / name
    etinspect(build, "trace", "-o", path, *words)
    return path


def check_same_when_compressed(build, folder, words):
    for form in FORMS:
        plain, packed = write(build, folder, f"same.{form}", *words), write(build, folder, f"same.{form}.gz", *words)
        assert gzip.decompress(packed.read_bytes()) == plain.read_bytes(), form


UNITS = ("bytes", "ns", "us", "count", "cycles", "ticks")


def check_arrows(processor, slices):
    """Arrows lead from calls of delegates to the events that these logged on other tracks. Returns their number."""
    by_id = {one.id: one for one in slices}
    flows = processor.query("select slice_out, slice_in from flow")
    ends = [(by_id[int(flow["slice_out"])], by_id[int(flow["slice_in"])]) for flow in flows]
    for begin, end in ends:
        assert begin.category == "delegate_call" and end.category == "delegated" and end.track != "method", (begin, end)
        expect(begin.run, end.run, "run of an arrow")
    expect(len({begin.id for begin, _ in ends}), len(ends), "calls with arrows")
    return len(ends)


def check_flows(processor, slices):
    n = check_arrows(processor, slices)
    apart = any(re.search(r"\((positions computed, not measured|own clock)\)", one.track) for one in slices)
    assert bool(n) == apart, (n, apart)


def check_counters(processor, slices, runs):
    """Bytes that allocators allocated, which start from 0 in each run, and the time of each run."""
    rows = processor.query("select t.name, c.ts, c.value from counter c join track t on c.track_id = t.id order by c.ts, c.id")
    found = collections.defaultdict(list)
    for row in rows:
        found[re.sub(" (bytes|ns)$", "", row["name"])].append((int(row["ts"]), round(float(row["value"]))))
    shown = sorted((one for one in slices if is_of_run(one)), key=lambda one: one.ts)
    executing = [one for one, run in zip(shown, [run for run in runs if run.has_slice], strict=True)
                 if any(event.name == "Method::execute" for event in run.events)]
    expect(found.pop("run time", []), [(one.ts, one.dur) for one in executing], "time of runs")
    wanted = collections.defaultdict(list)
    for run in runs:
        given = collections.Counter()
        for name, size in run.allocations:
            given[name] += size
            wanted[name].append(given[name])
    # with a program there are counters of its memory, too
    for name, sizes in wanted.items():
        expect([value for _, value in found[name] if value], sizes, f"bytes of {name}")


def check_file(checks, processor, build, folder, path, options=()):
    """`options`: how the file is read for all its traces."""
    name = str(path).removeprefix(f"{ROOT}/")
    runs = checks.run(f"{name}: read", read_dump, path)
    if runs is None:
        return
    words = [path, *options]
    more = [*words, *files_beside(path), "--args", "full", "--flows"]

    def import_form(form):
        trace = write(build, folder, f"recorded.{form}", *more)
        if form == "pftrace":
            check_schema(trace)
        processor.open(trace)
        slices = read_slices(processor, form)
        check_recorded(slices, runs, form)
        check_flows(processor, slices)
        if has_simple_stamps(runs):
            check_counters(processor, slices, runs)
        return slices

    def import_aligned(form):
        processor.open(write(build, folder, f"aligned.{form}.gz", "--time", "aligned", *words))
        check_aligned(read_slices(processor, form), runs)

    slices = {form: checks.run(f"{name}: {form}", import_form, form) for form in FORMS}
    if slices["pftrace"] is None or slices["json"] is None:
        return
    checks.run(f"{name}: both forms are alike", lambda: expect(*(
        collections.Counter((one.ts, one.dur, one.name, one.track, one.process, one.run, one.category) for one in slices[form])
        for form in FORMS), "slices"))
    for form in FORMS:
        checks.run(f"{name}: aligned, {form}.gz", import_aligned, form)
    checks.run(f"{name}: compressed", check_same_when_compressed, build, folder, words)
    if "xnnpack-conv" in path.parts or any("synthetic" in one.track for one in slices["pftrace"]):
        checks.run(f"{name}: synthetic positions", check_synthetic, build, path, slices["pftrace"])


def check_backend(processor, build, folder, path):
    """The slices and counters of a backend's dump are alike in both forms; arrows lead to other tracks of the call."""
    found = {}
    for form in FORMS:
        trace = write(build, folder, f"backend.{form}", path, *files_beside(path), "--args", "full", "--flows")
        if form == "pftrace":
            check_schema(trace)
        processor.open(trace)
        slices = read_slices(processor, form)
        check_arrows(processor, slices)
        rows = processor.query("select t.name, c.ts, c.value from counter c join track t on c.track_id = t.id")
        counters = collections.Counter((re.sub(f" ({'|'.join(UNITS)})$", "", row["name"]), row["ts"], float(row["value"])) for row in rows)
        found[form] = counters, collections.Counter((one.ts, one.dur, one.name, one.track, one.run, one.category) for one in slices)
    for i, what in enumerate(("counters", "slices")):
        expect(found["pftrace"][i], found["json"][i], what)


def check_two_files(processor, build, folder, form):
    """Each file is a process that starts at 0, and has the same contents as alone."""
    paths = [ROOT / "testdata" / name / "run.etdp" for name in ("control-flow", "xnnpack-conv")]
    for extra in ([], ["--time", "aligned"]):
        processor.open(write(build, folder, f"two.{form}", *paths, *extra))
        slices = read_slices(processor, form)
        numbers = {}
        expect(sorted({one.pid for one in slices}), [1, 2], "processes")
        for pid, path in enumerate(paths, 1):
            of, runs = [one for one in slices if one.pid == pid], read_dump(path, numbers)
            assert {one.process for one in of} == {one.process for one in of if path.parent.name in one.process}, of[0].process
            expect(min(one.ts for one in of), 0, f"start of {path.parent.name}")
            if extra:
                check_aligned(of, runs)
            else:
                check_counts(of, runs)
                check_sums(of, runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    checks = Checks("traces_in_perfetto")
    files = [path.resolve() for path in options.files] or all_dumps(options.build)
    with TraceProcessor() as processor, tempfile.TemporaryDirectory() as folder:
        for path in files:
            check_file(checks, processor, options.build, pathlib.Path(folder), path)
        for path in [] if options.files else sorted((ROOT / "testdata" / "backends").glob("*/*.etdp")):
            checks.run(f"{path.parent.name}: {path.name}", check_backend, processor, options.build, pathlib.Path(folder), path)
        for form in FORMS:
            checks.run(f"two files, {form}", check_two_files, processor, options.build, pathlib.Path(folder), form)
    print(f"{len(files)} ETDumps")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
