"""questions.py make | ask DOCUMENT - makes dumps as JSON, and answers the questions of doc/databases.md from their numbers.

All dumps are runs of testdata/xnnpack-conv/record.etrecord: a delegate call with two events that the delegate logged, and
two kernels, each inside its OPERATOR_CALL. The groups to which these belong are listed below, by hand. Nothing here reads
etinspect's output except the queried database.
"""
import json
import math
import random
import re
import sqlite3
import sys

N_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "cycles": None}
DUMPS = {  # by dump_id: name, labels, time scale, EventBlocks as (bundled input, runs, warm-up runs)
    1: ("a", {"board": "a"}, "ms", [(None, 8, 1)]),
    2: ("b", {"board": "b", "build": "7"}, "us", [(None, 3, 0)]),
    3: ("c", {"board": "a", "build": "8"}, "ns", [(0, 3, 0), (1, 5, 0)]),
    4: ("d", {"board": "c"}, "ms", [(None, 3, 0)]),
    5: ("e", {}, "cycles", [(None, 4, 0)]),
}
# The delegate of this dump counts cycles, which cannot be added to times: its groups are not compared.
IN_CYCLES = 4
GROUPED = [dump_id for dump_id in DUMPS if dump_id != IN_CYCLES]
MODELS = "/tmp/etinspect-models/models.py"
# Groups of self time: operator, backend, module, source line; kernels count as events outside delegates.
PLACES = {
    "execute": ("(framework)", "(framework)", "(framework)", "(framework)"),
    "call cumsum": ("(framework)", "(framework)", "(framework)", "(framework)"),
    "call mean": ("(framework)", "(framework)", "(framework)", "(framework)"),
    "cumsum": ("aten.cumsum.default", "(not delegated)", "models.ConvNet", MODELS + ":38"),
    "mean": ("aten.mean.dim", "(not delegated)", "models.ConvNet", MODELS + ":40"),
    "delegate": ("(delegate, not logged)", "XnnpackBackend", "models.ConvNet", MODELS + ":37"),
    "Conv": ("Conv", "XnnpackBackend", "models.ConvNet", MODELS + ":37"),
    "Relu": ("Relu", "XnnpackBackend", "models.ConvNet", MODELS + ":37"),
}
WORK = ("cumsum", "mean", "Conv", "Relu")
NAMES = {"execute": "Method::execute", "cumsum": "native_call_cumsum.out", "mean": "native_call_mean.out",
         "delegate": "DELEGATE_CALL"}


def make_run(slowness):
    """Returns the self times of one run, in ticks; each within 1 % of the usual one, times `slowness`."""
    usual = {"cumsum": 9000, "call cumsum": 700, "Conv": 21000, "Relu": 4000, "delegate": 3000, "mean": 5000,
             "call mean": 600, "execute": 2500}
    return {part: int(ticks * slowness * random.uniform(0.99, 1.01)) for part, ticks in usual.items()}


def make_blocks(dump_id):
    """Returns the self times of all runs: the same in each call."""
    random.seed(dump_id)
    speed = random.uniform(1, 3)
    return [[make_run(speed * (6 if run < n_warm_up else 1)) for run in range(n_runs)]
            for _, n_runs, n_warm_up in DUMPS[dump_id][3]]


def loading(dump_id):
    return {"Method::init": 100000 * dump_id + 7, "Program::load_method": 110000 * dump_id + 11}


def write_events(run, start):
    """Returns events in the order in which they end; an inner event has half of the outer one's self time before it and
    half after it."""
    events, at = [], start + run["execute"]

    def add(name, begin, end, **more):
        events.append({"profile_event": {"name": name, "chain_index": 0, "start_time": begin, "end_time": end, **more}})

    for part, instruction in ("cumsum", 1), ("mean", 3):
        add(NAMES[part], at, at + run[part], instruction_id=instruction)
        add("OPERATOR_CALL", at, at + run[part] + run["call " + part], instruction_id=instruction)
        at += run[part] + run["call " + part]
    begin = at
    for part in "Conv", "Relu":
        events.append({"profile_event": {"chain_index": 0, "instruction_id": 0, "delegate_debug_id_str": part + " #1",
                                         "start_time": at, "end_time": at + run[part]}})
        at += run[part]
    at += run["delegate"]
    add("DELEGATE_CALL", begin, at, instruction_id=0)
    add("Method::execute", start, at)
    return events


def make():
    for dump_id, (name, _, _, blocks) in DUMPS.items():
        loads = loading(dump_id)
        total = loads["Program::load_method"]
        runs = [{"name": "Default", "events": [
            {"profile_event": {"name": "Method::init", "start_time": 5, "end_time": 5 + loads["Method::init"]}},
            {"profile_event": {"name": "Program::load_method", "start_time": 0, "end_time": total}}]}]
        start = 10**7
        for (bundled_input, _, _), own_times in zip(blocks, make_blocks(dump_id)):
            for run in own_times:
                runs.append({"name": "Execute", "events": write_events(run, start)})
                if bundled_input is not None:
                    runs[-1]["bundled_input_index"] = bundled_input
                start += 10**7
        with open(name + ".json", "w") as file:
            json.dump({"version": 0, "run_data": runs}, file)


def percentile(values, quantile):
    values = sorted(values)
    at = (len(values) - 1) * quantile
    low = math.floor(at)
    return values[low] + (values[math.ceil(at)] - values[low]) * (at - low)


def typical(runs, part):
    return percentile([run[part] for run in runs], 0.5)


def in_scale(dump_id, ticks):
    scale = DUMPS[dump_id][2]
    return ticks / (N_NS[scale] or 1)


def elapsed(run, part):
    """Returns the time of an event with everything inside it."""
    inside = {"execute": run, "delegate": ("delegate", "Conv", "Relu")}
    return sum(run[inner] for inner in inside.get(part, (part,)))


def blocks_of(dump_ids):
    """Yields dump_id, block_id, bundled input, self times of all runs, and of those after the warm-up."""
    for dump_id in dump_ids:
        for i, own_times in enumerate(make_blocks(dump_id)):
            bundled_input, _, n_warm_up = DUMPS[dump_id][3][i]
            yield dump_id, i + 1, bundled_input, own_times, own_times[n_warm_up:]


def groups(dump_id, runs, by):
    """Returns the groups of a block, the most expensive first: name, typical time (the sum of the medians of its parts),
    share, the sums of the runs, events."""
    sums = {}
    for part, place in PLACES.items():
        group = sums.setdefault(place[by], [[0] * len(runs), [], [], 0])
        group[0] = [a + run[part] for a, run in zip(group[0], runs)]
        group[1 if part in WORK else 2].append(part)
        group[3] += typical(runs, part)
    whole = sum(typical(runs, part) for part in PLACES)
    found = [(name, in_scale(dump_id, ticks), ticks / whole, [in_scale(dump_id, t) for t in s], len(work or rest))
             for name, (s, work, rest, ticks) in sums.items()]
    return sorted(found, key=lambda group: -group[1])


def with_label(key, value=None):
    return [i for i, dump in DUMPS.items() if key in dump[1] and value in (None, dump[1][key])]


def which_operators():
    for dump_id, block_id, _, _, runs in blocks_of(with_label("board", "a")):
        for name, time, share, sums, events in groups(dump_id, runs, 0)[:3]:
            yield (dump_id, block_id, name, events, events * len(runs), time, share, percentile(sums, 0.5),
                   DUMPS[dump_id][2])


def which_modules():
    for dump_id, block_id, _, _, runs in blocks_of(GROUPED):
        for name, time, share, _, _ in groups(dump_id, runs, 2):
            yield dump_id, block_id, name, time, share, DUMPS[dump_id][2]


def attributed():
    """The record identifies the delegate's two events by their call; this is computed for delegates only."""
    for dump_id, block_id, _, _, runs in blocks_of(GROUPED):
        sums = {}
        for part, place in PLACES.items():
            key = place[2], "call" if part in ("Conv", "Relu") else None
            sums[key] = sums.get(key, 0) + typical(runs, part)
        for (module, attribution), ticks in sorted(sums.items(), key=lambda item: -item[1]):
            yield dump_id, block_id, module, attribution, in_scale(dump_id, ticks), DUMPS[dump_id][2]


def newest_lines():
    for _, block_id, _, _, runs in blocks_of([max(DUMPS)]):
        for name, _, share, _, _ in groups(max(DUMPS), runs, 3):
            yield block_id, name, share


def delegated():
    rows = [(DUMPS[dump_id][1]["board"], dump_id, block_id, name, share)
            for dump_id, block_id, _, _, runs in blocks_of(GROUPED) if "board" in DUMPS[dump_id][1]
            for name, _, share, _, _ in groups(dump_id, runs, 1)]
    return sorted(rows, key=lambda row: row[:3])


def outside():
    for dump_id, block_id, _, _, runs in blocks_of(GROUPED):
        for name, _, _, _, events in groups(dump_id, runs, 1):
            if name == "(not delegated)":
                yield dump_id, block_id, events, events * len(runs)


def the_rest():
    for dump_id, block_id, _, _, runs in blocks_of(GROUPED):
        for name, time, share, _, _ in groups(dump_id, runs, 0):
            if name in ("(framework)", "(delegate, not logged)"):
                yield dump_id, block_id, name, time, share, DUMPS[dump_id][2]


def run_times():
    rows = []
    for dump_id, _, bundled_input, runs, _ in blocks_of(with_label("board")):
        ms = [elapsed(run, "execute") / 1e6 for run in runs]  # in ticks, for any scale
        rows.append((DUMPS[dump_id][1]["board"], dump_id, bundled_input, percentile(ms, 0.5), max(ms)))
    return sorted(rows, key=lambda row: row[3])


def load_times():
    for dump_id, dump in DUMPS.items():
        for name, ticks in loading(dump_id).items():
            yield dump_id, name, in_scale(dump_id, ticks), dump[2]


def slowest_events():
    rows = []
    for dump_id, dump in DUMPS.items():
        ticks = in_scale(dump_id, loading(dump_id)["Program::load_method"])
        rows.append((dump_id, 0, "Program::load_method", ticks, ticks, ticks, dump[2]))
    for dump_id, block_id, _, runs, _ in blocks_of(DUMPS):
        events = {part: [elapsed(run, part) for run in runs] for part in WORK + ("delegate",)}
        kinds = [events]
        if dump_id == IN_CYCLES:
            kinds = [{part: events.pop(part) for part in ("Conv", "Relu")}, events]
        for kind in kinds:
            part = max(kind, key=lambda p: percentile(kind[p], 0.5))
            in_cycles = len(kinds) == 2 and kind is kinds[0]
            times = [t if in_cycles else in_scale(dump_id, t) for t in kind[part]]
            rows.append((dump_id, block_id, NAMES.get(part, part + " #1"), percentile(times, 0.1),
                         percentile(times, 0.5), percentile(times, 0.9), "cycles" if in_cycles else DUMPS[dump_id][2]))
    return sorted(rows, key=lambda row: (row[0], row[1], row[6]))


def slow_runs():
    for dump_id, block_id, _, runs, counted in blocks_of(DUMPS):
        first = len(runs) - len(counted)
        times = [(-elapsed(run, "execute"), first + i) for i, run in enumerate(counted)]
        for ticks, run in sorted(times)[:3]:
            yield dump_id, block_id, run, in_scale(dump_id, -ticks), DUMPS[dump_id][2]


ANSWERS = {
    "Which operators cost most on board a?": which_operators,
    "Which modules, in each EventBlock?": which_modules,
    "Time of each module, by how the nodes of its operators were found": attributed,
    "Which source lines of the newest dump?": newest_lines,
    "How much of the time is delegated on each board, and to which backend?": delegated,
    "How many events ran outside a delegate?": outside,
    "Where did the rest of Method::execute go?": the_rest,
    "How long does a run take on each board, in ms?": run_times,
    "How long does loading take?": load_times,
    "Which event of each EventBlock is the slowest, and how much does it vary?": slowest_events,
    "Which runs after the warm-up were the slowest? (with --samples)": slow_runs,
}


def same(a, b):
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9)
    return a == b


def compare(question, found, expected):
    expected = list(expected)
    bad = [i for i, (a, b) in enumerate(zip(found, expected))
           if len(a) != len(b) or not all(same(x, y) for x, y in zip(b, a))]
    if len(found) == len(expected) and found and not bad:
        print(f"{question} {len(found)} rows, all right")
        return
    print(f"{question} WRONG: {len(found)} rows, expected {len(expected)}")
    for i in bad[:3]:
        print("  found", found[i], "\n  expected", expected[i])


def ask(document):
    text = open(document, encoding="utf-8").read()
    block = re.search(r"```sql\n(.*?)```", text, re.S).group(1)
    database = sqlite3.connect("runs.db")
    questions = re.findall(r"-- (.*)\n((?:(?!-- ).*\n)+)", block)
    print(len(questions), "questions")
    for question, sql in questions:
        rows = database.execute(sql).fetchall()
        names = [column[0] for column in database.execute(sql).description]
        if ANSWERS[question] in (which_modules, attributed, delegated, outside, the_rest):
            at = names.index("dump_id")
            rows = [row for row in rows if row[at] != IN_CYCLES]
        compare(question, rows, ANSWERS[question]())


if sys.argv[1] == "make":
    make()
else:
    ask(sys.argv[2])
