"""Compares etinspect's attribution of delegated events with the independent result of delegate_truth.py.

    delegates.py [--build BUILD] [--models BUILD/delegates] [--only NAME ...] [--quick] [--keep]

Exports and runs the models first if necessary (delegate_export.py). Each is tested in six ways: with the .pte alone
(payloads in segments, payloads inline), with the record of operators before lowering, with that and the .pte, with the record
of lowered modules, with that and the .pte. Where a payload is available, every XNNPACK event has the handle, module and line of its
node; if several nodes have its handle, that may be inferred. Without a payload, the attribution is inferred or refers to the
whole call. A foreign .pte attributes nothing; older
payloads are read, and unreadable ones cause no failure. lowered_graph.py checks each model, too, and layers.py two exports
of one model. Ends in "delegates: N passed, N failed, N skipped"; a case is a model in one way.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import layers
import lowered_graph
from delegate_truth import as_binary, graph_bytes, payloads_of, truth_of

HERE = Path(__file__).resolve().parent
WAYS = {  # files beside run.etdp: whether they hold payloads, whether they give modules
    "program": (["model.pte"], True, False),
    "inline": (["inline.pte"], True, False),
    "record": (["model.etrecord"], False, True),
    "record and program": (["model.etrecord", "model.pte"], True, True),
    "lowered": (["lowered.etrecord"], True, True),
    "lowered and program": (["lowered.etrecord", "model.pte"], True, True),
}
SEEN_THROUGH = ("exact", "aligned")
NOT_SEEN_THROUGH = ("inferred", "call")
REWRITTEN = {  # changes of a program's payloads: the new payload, whether it can still be read
    "bare payload": (graph_bytes, True),
    "older payload": (lambda payload: graph_bytes(payload)[:4] + b"XN00" + graph_bytes(payload)[8:], True),
    "unknown payload": (lambda payload: payload[:4] + b"XH99" + payload[8:], False),
    "truncated payload": (lambda payload: payload[:len(payload) // 2], False),
    "empty payload": (lambda payload: b"", False),
}
ENOUGH = 0.95  # share of the delegated time
GRAPH_TOTALS = {"operators": 0, "left out": 0}


class Failure(Exception):
    pass


def events_of(build, directory, files):
    """Returns blocks in order: {label: rows}; and the messages."""
    command = [f"{build}/etinspect", "events", "run.etdp", *files, "--columns", "all", "--format", "json"]
    done = subprocess.run([str(Path(command[0]).resolve()), *command[1:]], cwd=directory, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise Failure(f"exit {done.returncode}: {done.stderr.strip()}")
    blocks, document = {}, json.loads(done.stdout)
    for row in document["tables"]["events"]:
        blocks.setdefault(row["block"], []).append(row)
    said = [done.stderr, *(note["text"] for note in document.get("notes", []))]
    return {label: rows for label, rows in blocks.items() if not label.startswith("Default")}, "\n".join(said)


def as_list(value):
    """Parses a column of several values, in either form of the format."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return json.loads(value.replace("'", '"')) if value.startswith("[") else value.split(", ")
    return value if isinstance(value, list) else [value]


# ---------------------------------------------------------------- blocks and methods


def alike(truth):
    """Returns sets of methods that log the same: nothing in a dump distinguishes them."""
    kinds = {}
    for name in dict.fromkeys(truth["run"]):
        events = truth["methods"][name]["events"]
        kernels = map(tuple, truth["methods"][name]["kernels"])
        kinds.setdefault((*kernels, *((e["instruction"], e["name"]) for e in events)), []).append(name)
    return list(kinds.values())


def same_kernels(truth, method):
    """Returns the methods that only payloads distinguish from this one, including itself."""
    methods = truth["methods"]
    return [name for name in methods if methods[name]["kernels"] == methods[method]["kernels"]]


def method_of_blocks(truth, blocks):
    """Returns [(label, rows, possible methods)]; blocks are in the order of their first runs."""
    groups = alike(truth)
    if len(blocks) != len(groups):
        raise Failure(f"blocks {list(blocks)}, not {len(groups)} of {groups}")
    return [(label, rows, methods) for (label, rows), methods in zip(blocks.items(), groups)]


def check_label(truth, label, methods):
    """Returns the name of the method, if a program has several and one fits."""
    names = truth["methods"]
    if len(names) < 2:
        return []
    if len(methods) == 1:
        return [] if methods[0] in label else [f"block {label} is one of {methods[0]}, and not called so"]
    return [f"block {label} is called {name}, and may be one of {methods}" for name in names if name in label]


# ---------------------------------------------------------------- one event


def wrong_place(row, event):
    """Checks that module and line are those of the node that names the operator."""
    places = event["served"] or [event]
    modules = {place["module"] for place in places}
    wrong = []
    if row["module"] not in modules:
        wrong.append(f"module is {row['module']}, not {event['module']}")
    if row["source"] not in {event["source"], *(place["source"] for place in places)}:
        wrong.append(f"source is {row['source']}, not {event['source']}")
    operators = as_list(row.get("op_types"))
    is_one_of_many = len(event["handles"]) == 1 and len(event["operators"]) > len(event["fitting"]) > 0
    if not operators or not set(operators) <= set(event["all_operators"]):
        wrong.append(f"op_types are {operators}, not of {event['all_operators']}")
    elif is_one_of_many and not set(operators) & set(event["fitting"]):
        wrong.append(f"op_types are {operators}, not {event['fitting']}")
    return wrong


def wrong_handles(row, event):
    handles = [int(h) for h in as_list(row["debug_handles"])]
    if event["handle"] not in handles or not set(handles) <= set(event["handles"]):
        return [f"debug_handles are {handles}, not {event['handles']} ({event['handle']} at least)"]
    return []


def is_one_of_several(row, event):
    """Returns whether the event is one of several nodes with the same handle, such as the steps of an LSTM."""
    return row["attribution"] == "inferred" and event["n_nodes"] > 1


def check_seen_through(row, event, has_modules):
    is_open = event["attribution"] == "inferred"  # which node an inserted one belongs to
    if row["attribution"] not in (NOT_SEEN_THROUGH[:1] if is_open else SEEN_THROUGH) and not (has_modules and is_one_of_several(row, event)):
        return [f"attribution is {row['attribution']}, not {event['attribution']}"]
    wrong = wrong_handles(row, event)
    return wrong + (wrong_place(row, event) if has_modules else [])


def check_guess(row, event):
    """Checks events without a payload: inferred and right, or of the whole call."""
    if row["attribution"] not in NOT_SEEN_THROUGH:
        return [f"attribution is {row['attribution']}, without a payload"]
    if row["attribution"] == "call":
        return [] if row["module"] or event["module"] is None else ["module is not known, and the call's handles are"]
    return wrong_handles(row, event) + wrong_place(row, event)


def is_above(module, inner):
    """Returns whether a module is another, one around it, or the model, which has the name of its class."""
    return inner is None or module.startswith("delegate_models.") or f"{inner}.".startswith(f"{module}.")


def check_common(row, events, n_methods):
    """Checks an event without a payload of several possible methods, with the events of those that have it: it has only what
    is right in all of them, and its module if it is in the same one in all methods."""
    if row["attribution"] is None:
        return []
    if row["attribution"] not in NOT_SEEN_THROUGH:
        return [f"attribution is {row['attribution']}, without a payload"]
    wrong = []
    for event in events:
        unknown = {name: event[name] for name in ("module", "source") if row[name] in (None, "(several lines)")}
        if row["attribution"] == "inferred":
            wrong += wrong_handles(row, event) + wrong_place({**row, **unknown}, event)
        elif row["module"] is not None and not is_above(row["module"], event["module"]):
            wrong.append(f"module is {row['module']}, which is not around {event['module']}")
    modules = {event["module"] for event in events}
    if row["module"] is None and len(modules) == 1 and None not in modules and len(events) == n_methods:
        wrong.append(f"module is not known, and is {events[0]['module']} in all methods")
    return wrong


# ---------------------------------------------------------------- one model in one way


def xnnpack_rows(rows, truth, methods):
    names = {(e["instruction"], e["name"]) for m in methods for e in truth["methods"][m]["events"]}
    return {(row["instruction_id"], row["event_name"]): row for row in rows
            if (row["instruction_id"], row["event_name"]) in names and row["is_delegated_op"]}


def check_block(truth, label, rows, methods, has_payloads, has_modules, spent):
    wrong = check_label(truth, label, methods) if has_payloads else []
    found = xnnpack_rows(rows, truth, methods)
    open_methods = methods if any(name in label for name in truth["methods"]) else same_kernels(truth, methods[0])
    options = {}
    for method in methods:
        for event in truth["methods"][method]["events"]:
            options.setdefault((event["instruction"], event["name"]), []).append(event)
    for key, events in options.items():
        row = found.get(key)
        if row is None:
            wrong.append(f"{key}: no row")
            continue
        if "attribution" not in row:
            raise Failure("no column attribution")
        if not has_payloads and len(open_methods) > 1:
            alike = [e for m in open_methods for e in truth["methods"][m]["events"] if (e["instruction"], e["name"]) == key]
            answers = [check_common(row, alike, len(open_methods))]
        else:
            answers = [check_seen_through(row, e, has_modules) if has_payloads else check_guess(row, e) for e in events]
        may_be_open = len(methods) > 1 and row["attribution"] in (None, "call")
        answer = [] if may_be_open else min(answers, key=len)
        wrong += [f"{label} {key[0]} {key[1]}: {line}" for line in answer]
        ticks = sum(e["ticks"] for e in events) if not may_be_open else 0
        spent["all"] += ticks
        is_seen = row["attribution"] in SEEN_THROUGH or has_payloads and row["attribution"] == "inferred"
        spent["seen"] += ticks if is_seen else 0
        spent["right"] += ticks if not answer else 0
        spent["events"] += 1
        spent["right events"] += not answer
    return wrong


def check(build, directory, truth, way, totals):
    files, has_payloads, has_modules = WAYS[way]
    blocks, _ = events_of(build, directory, files)
    spent = dict.fromkeys(("all", "seen", "right", "events", "right events"), 0)
    wrong = []
    for label, rows, methods in method_of_blocks(truth, blocks):
        wrong += check_block(truth, label, rows, methods, has_payloads, has_modules, spent)
    for label, rows in blocks.items():
        shares = sum(row["share"] or 0 for row in rows)
        if abs(shares - 1) > 1e-9:
            wrong.append(f"{label}: shares add up to {shares}")
    if has_payloads and spent["all"] and spent["seen"] < ENOUGH * spent["all"]:
        wrong.append(f"{spent['seen'] / spent['all']:.1%} of the delegated time is seen through")
    for key, value in spent.items():
        totals[key] = totals.get(key, 0) + value
    return wrong


def check_methods(build, directory, truth):
    """Checks that each block has the name of its method; without payloads only if its kernels determine the method.

    None: there is one method."""
    if len(truth["methods"]) < 2:
        return None
    wrong = []
    for files in (["model.pte"], ["model.etrecord"], ["model.etrecord", "model.pte"]):
        blocks, _ = events_of(build, directory, files)
        for label, rows, methods in method_of_blocks(truth, blocks):
            is_open = "model.pte" not in files and len(same_kernels(truth, methods[0])) > 1 and not any(m in label for m in truth["methods"])
            wrong += [] if is_open else [f"{' '.join(files)}: {line}" for line in check_label(truth, label, methods)]
            ran = {(row["instruction_id"], row["event_name"]) for row in rows if row["event_name"].startswith("native_call_")}
            if ran != set(map(tuple, truth["methods"][methods[0]]["kernels"])):
                wrong.append(f"{' '.join(files)}: {label}: kernels are not those of {methods[0]}")
    return wrong


def check_table(build, directory, truth):
    """Checks that the Inspector's table and TSV are the same with a program and without.

    None: the Inspector cannot read a record of these methods, so each block has its own."""
    if "forward" not in truth["methods"]:
        return None
    wrong = []
    for record in ("model.etrecord", "lowered.etrecord"):
        for tsv in ([], ["--tsv_path", "/dev/stdout"]):
            command = [str(Path(build).resolve() / "etinspect"), "--etdump_path", "run.etdp", "--etrecord_path", record, *tsv]
            plain, seen = (subprocess.run([*command, *more], cwd=directory, capture_output=True)
                           for more in ([], ["--program_path", "model.pte"]))
            if plain.returncode or seen.returncode or plain.stdout != seen.stdout:
                wrong.append(f"{' '.join(command[1:])}: exit {plain.returncode}, with a program {seen.returncode}, or other bytes")
    return wrong


def check_foreign(build, directory, other):
    """Checks the program of another export: there is a note, and it attributes nothing."""
    blocks, said = events_of(build, directory, [str((other / "model.pte").resolve())])
    rows = [row for rows in blocks.values() for row in rows]
    wrong = [f"{row['event_name']}: {row['attribution']} by a foreign program" for row in rows
             if row["attribution"] in (*SEEN_THROUGH, "inferred")]
    return wrong[:3] + ([] if re.search("model.pte|program", said) else ["no note says that the program is another's"])


# ---------------------------------------------------------------- other payloads


def rewritten(directory, change):
    """Returns the program with changed payloads, without constants: only for completely delegated models."""
    program, _ = payloads_of(directory / "inline.pte")
    calls = [i["instr_args_type"] for plan in program["execution_plan"] for c in plan["chains"] for i in c["instructions"]]
    if set(calls) != {"DelegateCall"}:
        return None
    for data in program["backend_delegate_data"]:
        data["data"] = list(change(bytes(data["data"])))
    for value in (v["val"] for plan in program["execution_plan"] for v in plan["values"] if v["val_type"] == "Tensor"):
        value["data_buffer_idx"] = 0
    program.update(segments=[], named_data=[], constant_segment={"segment_index": 0, "offsets": []})
    return as_binary("program", program)


def check_rewritten(build, directory, truth, what):
    """Checks that older payloads are read, and that unreadable ones cause no failure, but a note. None: the model is
    unsuitable."""
    change, is_read = REWRITTEN[what]
    program = rewritten(directory, change)
    if program is None:
        return None
    with tempfile.NamedTemporaryFile(suffix=".pte") as file:
        file.write(program)
        file.flush()
        blocks, said = events_of(build, directory, [file.name])
    rows = method_of_blocks(truth, blocks)
    if is_read:
        spent = dict.fromkeys(("all", "seen", "right", "events", "right events"), 0)
        return [line for label, found, methods in rows for line in check_block(truth, label, found, methods, True, False, spent)]
    wrong = [f"{row['event_name']}: {row['attribution']}" for _, found, _ in rows for row in found
             if row["attribution"] in SEEN_THROUGH]
    return wrong + ([] if "payload" in said else ["nothing says that a payload cannot be read"])


# ---------------------------------------------------------------- all


def exported(models, names, quick, keep):
    """Returns directories, after exporting those that are not up to date."""
    if keep:
        return [models / name for name in names or sorted(path.parent.name for path in models.glob("*/nodes.json"))]
    command = [sys.executable, str(HERE / "delegate_export.py"), str(models)]
    command += ["--only", *names] if names else ["--quick"] if quick else []
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    names = names or done.stdout.splitlines()[-1].split(": ")[1].split()
    if done.returncode:
        print(done.stdout)
    return [models / name for name in names]


def cases_of(build, directory, truth, totals):
    """Yields (name, function that returns the error; None: not applicable)."""
    for way in WAYS:
        yield way, lambda way=way: check(build, directory, truth, way, totals.setdefault(way, {}))
    yield "table", lambda: check_table(build, directory, truth)
    yield "graph of lowered modules", lambda: lowered_graph.check(build, directory, GRAPH_TOTALS)
    for what in REWRITTEN:
        yield what, lambda what=what: check_rewritten(build, directory, truth, what)


class Counts:
    def __init__(self, verbose):
        self.passed = self.failed = self.skipped = 0
        self.most = None if verbose else 4

    def ask(self, name, question):
        try:
            wrong = question()
        except Failure as failure:
            wrong = [str(failure)]
        if wrong is None:
            self.skipped += 1
            return
        self.passed, self.failed = (self.passed, self.failed + 1) if wrong else (self.passed + 1, self.failed)
        for line in wrong[:self.most]:
            print(f"FAILED {name}: {line}", flush=True)


def compare_exports(build, models, truths, counts):
    totals = {"layers": 0}
    for base, new in layers.PAIRS:
        if base in truths and new in truths:
            for files in layers.WAYS:
                counts.ask(f"{base} and {new}, {files[0]}", lambda: layers.check(
                    build, models / base, models / new, files, (truths[base], truths[new]), totals))
    print(f"exports of one model: {totals['layers']} layers beside their counterparts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--quick", action="store_true", help="only the models of delegate_models.QUICK")
    parser.add_argument("--keep", action="store_true", help="export nothing: take what is there")
    parser.add_argument("--verbose", action="store_true", help="every line that differs")
    options = parser.parse_args()
    counts, totals, delegated, truths = Counts(options.verbose), {}, [], {}
    models = options.models or Path(options.build) / "delegates"
    for directory in exported(models, options.only, options.quick, options.keep):
        if (directory / "failed.txt").exists():
            counts.ask(directory.name, lambda: (directory / "failed.txt").read_text().splitlines()[-1:])
            continue
        truth = truths[directory.name] = truth_of(directory)
        counts.ask(f"{directory.name}, methods", lambda: check_methods(options.build, directory, truth))
        if not any(m["events"] for m in truth["methods"].values()):
            counts.skipped += 1
            continue
        for name, question in cases_of(options.build, directory, truth, totals):
            counts.ask(f"{directory.name}, {name}", question)
        if delegated:
            other = delegated[-1]
            counts.ask(f"{directory.name}, program of {other.name}", lambda: check_foreign(options.build, directory, other))
        delegated.append(directory)
    compare_exports(options.build, models, truths, counts)
    for way, spent in totals.items():
        if spent:
            print(f"{way}: {spent['right events']} of {spent['events']} events right, "
                  f"{spent['seen'] / max(spent['all'], 1):.1%} of their time seen through")
    print(f"lowered modules: {GRAPH_TOTALS['operators']} operators as before lowering, {GRAPH_TOTALS['left out']} not compared")
    print(f"delegates: {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
