"""Imports traces of difficult synthetic ETDumps: events that overlap in part, have no length, are equal, or wrapped around;
stamps of any size, cycles, names of any bytes, clocks of delegates. Nothing may be lost in either form.

    made_traces_in_perfetto.py [--build DIRECTORY] [--cases N] [--seed N]

Then the traces are broken deliberately: the importer must report the errors, and the checks detect them.
"""

import argparse
import collections
import json
import pathlib
import random
import sys
import tempfile

from checks import Checks, etinspect, expect
from dumps import CLOCK_32_MAX, read_dump, write_dump
from trace_processor import TraceProcessor
from traces_in_perfetto import FORMS, check_counts, check_file, check_recorded, check_sums, read_slices, write

WALL_CLOCK = 1_790_000_000_123_456_789


def event(name, start, end, instruction=0, **more):
    return {"profile_event": {"name": name, "instruction_id": instruction, "start_time": start, "end_time": end, **more}}


def delegated(text, start, end, instruction=0):
    return event(None, start, end, instruction, delegate_debug_id_str=text) if isinstance(text, str) else event(
        None, start, end, instruction, delegate_debug_id_int=text)


def execution(*events, start, end, name="Execute"):
    """A run whose Method::execute is recorded last, as the runtime does."""
    fields = [*events, event("Method::execute", start, end, -1)]
    for one in fields:
        one["profile_event"] = {key: value for key, value in one["profile_event"].items() if value is not None}
    return {"name": name, "events": fields}


def overlapping(at):
    return execution(event("a", at + 10, at + 20, 1), event("in b", at + 22, at + 28, 2), event("b", at + 15, at + 30, 3),
                     event("c", at + 16, at + 31, 4), event("by 1 ns", at + 30, at + 32, 5), start=at, end=at + 40)


def without_length(at):
    return execution(event("inner", at + 10, at + 20, 1), event("outer", at + 10, at + 20, 2), event("zero a", at + 30, at + 30, 3),
                     event("zero b", at + 30, at + 30, 4), event("zero c", at + 30, at + 30, 5), event("c", at + 30, at + 40, 6),
                     event("ends", at + 40, at + 40, 7), start=at, end=at + 50)


def equal(at):
    return execution(*(event(f"equal {i}", at + 5, at + 50, i) for i in range(5)), start=at, end=at + 60)


def inside_calls(at):
    """A delegate on the runtime's clock: its events are inside its call."""
    return execution(delegated("x", at + 101, at + 113, 1), delegated("y", at + 114, at + 131 + at % 7, 1), delegated("z", at + 140, at + 170, 1),
                     event("DELEGATE_CALL", at + 100, at + 180, 1), delegated(7, at + 203, at + 210, 2),
                     delegated(8, at + 211, at + 217, 2), event("DELEGATE_CALL", at + 200, at + 230, 2), start=at, end=at + 250)


def own_clock(at):
    """A delegate on a clock of its own."""
    return execution(delegated("x", 5_000_003, 5_000_017, 1), delegated("y", 5_000_020, 5_000_053, 1), delegated("z", 5_000_060, 5_000_061, 1),
                     event("DELEGATE_CALL", at + 100, at + 180, 1), delegated("u", 6_000_000, 6_000_101, 2),
                     event("DELEGATE_CALL", at + 200, at + 230, 2), start=at, end=at + 250)


NAMES = ["", " ", "\t\n\r", "\u2028", "\u202e", "\x01\x7f", "\udcff\udcfe", "\udce2\udc82", "\"},{\"ph\":\"E\"", "</script>", "größe", "a;b", "back\\slash", "x" * 100_000]

MADE = {
    "overlapping": [overlapping(1000), overlapping(2000), overlapping(3000)],
    "without length": [without_length(1000), without_length(2000)],
    "equal": [equal(1000), equal(2000)],
    "everything": [make(at) for at, make in enumerate((overlapping, without_length, equal, inside_calls, own_clock), 7)] + [overlapping(5000)],
    "wall clock": [execution(event("a", WALL_CLOCK + 1, WALL_CLOCK + 1234567, 1), event("b", WALL_CLOCK + 1234568, WALL_CLOCK + 1234569, 2),
                             start=WALL_CLOCK, end=WALL_CLOCK + 2_000_001)],
    "ten days": [execution(event("a", 9, 10**15 + 1, 1), event("b", 10**15 + 2, 10**15 + 3, 2), start=7, end=10**15 + 7)],
    "end of the clock": [execution(event("a", 2**64 - 90, 2**64 - 80, 1), event("b", 2**64 - 79, 2**64 - 2, 2), start=2**64 - 100, end=2**64 - 1)],
    "never stamped": [execution(event("a", 0, 0, 1), event("b", 120, 130, 2), start=100, end=150), execution(event("c", 0, 0, 3), start=0, end=0)],
    "clock set back": [equal(10_000), equal(1000), equal(20_000)],
    "inside calls": [inside_calls(1000), inside_calls(2000), inside_calls(3000)],
    "own clock": [own_clock(1000), own_clock(2000)],
    "no call": [execution(delegated("x", 105, 110, 1), delegated("y", 111, 117, 1), event("a", 120, 130, 2), start=100, end=150)],
    "names": [execution(*(event(name, 10 * i, 10 * i + 7, i) for i, name in enumerate(NAMES, 10)), start=5, end=10_000)],
    "no names": [{"name": "", "events": [event("a", 10, 20, 1)]}, {"name": "empty"}, equal(1000)],
}


def check_tracks(processor, build, folder, path, tracks):
    for form in FORMS:
        processor.open(write(build, folder, f"tracks.{form}", path))
        expect(sorted({one.track for one in read_slices(processor, form)}), sorted(tracks), f"tracks in {form}")


TRACKS = {
    "overlapping": ["method", "method (overlap 2)", "method (overlap 3)"],
    "inside calls": ["method"],
    "own clock": ["method", "delegate (own clock)"],
    "no call": ["method", "delegate (no call)"],
}


# ---- exact places ------------------------------------------------------------------------------------


def check_places(processor, build, folder, path, options, wanted):
    """`wanted`: (name, start, length) of all slices."""
    for form in FORMS:
        processor.open(write(build, folder, f"places.{form}", path, *options))
        found = [(one.name, one.ts, one.dur) for one in read_slices(processor, form)]
        expect(sorted(found), sorted(wanted), f"slices in {form}")


def wrapped():
    """A 32-bit clock that wraps around inside a run, and before the next."""
    runs = [execution(event("a", 4294967200, 4294967290, 1), event("b", 4294967291, 5, 2), event("c", 7, 9, 3), start=4294967100, end=20),
            execution(event("a", 30, 40, 1), event("b", 41, 50, 2), event("c", 51, 52, 3), start=25, end=60)]
    end = CLOCK_32_MAX + 20 - 4294967100
    return runs, [("Execute #0", 0, end), ("Method::execute", 0, end), ("a", 100, 90), ("b", 191, CLOCK_32_MAX + 5 - 4294967291),
                  ("c", CLOCK_32_MAX + 7 - 4294967100, 2), ("Execute #1", end + 5, 35), ("Method::execute", end + 5, 35), ("a", end + 10, 10),
                  ("b", end + 21, 9), ("c", end + 31, 1)]


def set_back():
    """A run is followed by one with earlier stamps."""
    starts = [10_000, 1000, 20_000]
    shown = [0, 60, 60 + 20_000 - 1000]
    wanted = [(f"equal {k}", at + 5, 45) for at in shown for k in range(5)]
    for number, at in enumerate(shown):
        wanted += [(f"Execute #{number}", at, 60), ("Method::execute", at, 60)]
    return [equal(at) for at in starts], wanted


def cycles(hz):
    """Each stamp is rounded down, not each length."""
    stamps = [("Method::execute", 1000, 1_000_000), ("a", 1001, 1004), ("b", 1004, 999_999), ("c", 1005, 1006)]
    in_ns = [(name, (start - 1000) * 10**9 // hz, (end - 1000) * 10**9 // hz) for name, start, end in stamps]
    runs = [execution(*(event(*of, i) for i, of in enumerate(stamps[1:])), start=1000, end=1_000_000)]
    return runs, [(name, start, end - start) for name, start, end in [("Execute #0", *in_ns[0][1:]), *in_ns]]


# ---- random ------------------------------------------------------------------------------------------


def random_intervals(rng, start, end, depth, nests):
    """Events in the order of recording: the inner before the outer. Ends may meet, and lengths be 0."""
    found, at = [], start
    for _ in range(rng.randint(0, 4)):
        first = rng.randint(at, end)
        last = rng.choice((first, rng.randint(first, end), end))
        if depth > 0:
            found += random_intervals(rng, first, last, depth - 1, nests)
        if not nests and rng.random() < 0.3:
            last = rng.randint(first, end)
        found.append((first, last))
        at = last if nests else first
    return found


def random_runs(rng):
    clock, runs, nests = rng.choice((0, 10**6, 2**33, WALL_CLOCK)) + 1, [], rng.random() < 0.6
    for _ in range(rng.randint(1, 4)):
        length = rng.choice((5, 40, 10**6))
        intervals = random_intervals(rng, clock, clock + length, 2, nests)
        events = [event(rng.choice("abcde"), first, last, i) for i, (first, last) in enumerate(intervals)]
        for one in events:
            if rng.random() < 0.1:
                one["profile_event"]["delegate_debug_id_str"] = "logged"
        runs.append(execution(*events, start=clock, end=clock + length))
        clock += length + rng.randint(0, 5)
    return runs


def check_random(processor, build, folder, seed):
    path = folder / "random.etdp"
    write_dump(path, random_runs(random.Random(seed)))
    runs = read_dump(path)
    for form in FORMS:
        processor.open(write(build, folder, f"random.{form}", path, "--flows"))
        check_recorded(read_slices(processor, form), runs, form)


# ---- broken on purpose -------------------------------------------------------------------------------


def slices_of(trace):
    return [one for one in trace["traceEvents"] if one["ph"] == "X"]


def put_on_one_track(trace):
    for one in slices_of(trace):
        one["tid"] = 1


def mix_with_pairs(trace):
    """Writes the inner half of the slices as B and E."""
    made, opened = [], []
    for one in trace["traceEvents"]:
        if one["ph"] == "X" and one["name"] in ("equal 1", "equal 2", "inner", "zero b"):
            made.append({**one, "ph": "B"})
            opened.append({"ph": "E", "pid": one["pid"], "tid": one["tid"], "ts": one["ts"] + one["dur"]})
        else:
            made.append(one)
    trace["traceEvents"] = made + opened[::-1]


def leave_track_without_name(trace):
    for one in trace["traceEvents"]:
        if one["name"] == "thread_name":
            one["args"]["name"] = ""


def keep_first_stamp(trace):
    for one in slices_of(trace):
        one["ts"] = 1_790_000_000_123_456.789 + one["ts"]


def lose_one(trace):
    trace["traceEvents"].remove(slices_of(trace)[-1])


def use_ns(trace):
    for one in slices_of(trace):
        one["dur"] *= 1000


BROKEN = {
    "slices that overlap on one track": ("overlapping", put_on_one_track),
    "pairs beside whole slices": ("everything", mix_with_pairs),
    "a track without a name": ("equal", leave_track_without_name),
    "stamps of wall-clock size": ("wall clock", keep_first_stamp),
    "a slice less": ("equal", lose_one),
    "a wrong unit": ("equal", use_ns),
}


def check_broken(processor, build, folder, path, change):
    runs, broken = read_dump(path), folder / "broken.json"
    trace = json.loads(etinspect(build, "trace", path))
    broken.write_text(json.dumps(trace))  # unchanged it passes
    processor.open(broken)
    check_recorded(read_slices(processor, "json"), runs, "json")
    change(trace)
    broken.write_text(json.dumps(trace))
    processor.open(broken)
    try:
        slices = read_slices(processor, "json")
        check_counts(slices, runs)
        check_sums(slices, runs)
        check_recorded(slices, runs, "json")
    except AssertionError:
        return
    raise AssertionError("nothing noticed it")


def check_large_numbers(processor, folder):
    """Shows why numbers of more than 63 bits are texts."""
    path = folder / "large.json"
    slices = [{"ph": "X", "pid": 1, "tid": 1, "ts": i, "dur": 1, "name": "a", "args": {"n": n}} for i, n in enumerate((2**63 - 1, 2**63, str(2**63)))]
    path.write_text(json.dumps({"traceEvents": slices}))
    processor.open(path)
    rows = processor.query("select coalesce(int_value, string_value) as n from args where key = 'args.n' order by id")
    kept, lost, text = [row["n"] for row in rows]
    assert (kept, text) == (str(2**63 - 1), str(2**63)) and lost != text, rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    build = options.build
    checks = Checks("made_traces_in_perfetto")
    with TraceProcessor() as processor, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name, runs in MADE.items():
            path = folder / f"{name}.etdp"
            write_dump(path, runs)
            check_file(checks, processor, build, folder, path)
        for name, tracks in TRACKS.items():
            checks.run(f"{name}: tracks", check_tracks, processor, build, folder, folder / f"{name}.etdp", tracks)
        for name, (runs, wanted), more in (("wrapped", wrapped(), []), ("set back", set_back(), []), ("cycles", cycles(10**9), ["--source_time_scale", "cycles", "--target_time_scale", "cycles"]),
                                           ("400 MHz", cycles(400_000_000), ["--source_time_scale", "cycles", "--clock_hz", "400MHz"]),
                                           ("32768 Hz", cycles(32768), ["--source_time_scale", "cycles", "--clock_hz", "32768"]),
                                           ("ms", cycles(1000), ["--source_time_scale", "ms"])):
            path = folder / f"{name}.etdp"
            write_dump(path, runs)
            checks.run(name, check_places, processor, build, folder, path, more, wanted)
        for seed in range(options.seed, options.seed + options.cases):
            checks.run(f"random {seed}", check_random, processor, build, folder, seed)
        for name, (of, change) in BROKEN.items():
            checks.run(f"broken: {name}", check_broken, processor, build, folder, folder / f"{of}.etdp", change)
        checks.run("broken: large numbers", check_large_numbers, processor, folder)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
