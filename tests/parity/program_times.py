"""Joins the instructions of a program with the events of a dump that the Python reader reads, for programs.py."""

import subprocess
from pathlib import Path

FRAMEWORK = "(framework)"
OUTSIDE = ("Method::", "Program::")
# Dumps of programs with similar instructions, or similar kernels.
FOREIGN = {
    "resnet": ["resnet_preact", "resnet_int8", "fusions", "mobilenet_v2"],
    "mobilenet_v2_int8": ["mobilenet_v2", "mobilenet_v3_int8"],
    "portable_cond": ["portable_map"],
    "portable_map": ["row_map"],
    "row_map": ["portable_map", "conv_cond"],
    "conv_cond": ["resnet", "fusions"],
}


def read_runs(dump):
    """Returns the profile events of each run."""
    from executorch.devtools.etdump.serialize import deserialize_from_etdump_flatcc

    whole = deserialize_from_etdump_flatcc(Path(dump).read_bytes(), size_prefixed=True)
    return [[event.profile_event for event in run.events or [] if event.profile_event] for run in whole.run_data]


def fits(event, plan):
    """Returns whether the event logs the call of its instruction."""
    if event.chain_index >= len(plan["chains"]) or event.instruction_id >= len(plan["chains"][event.chain_index]):
        return False
    kind, index = plan["chains"][event.chain_index][event.instruction_id][:2]
    if event.name in (None, "DELEGATE_CALL") or event.delegate_debug_id_int >= 0 or event.delegate_debug_id_str:
        return kind == "DelegateCall"
    if event.name.startswith("native_call_"):
        name, overload = plan["operators"][index] if kind == "KernelCall" else ("", "")
        return event.name == "native_call_" + name.partition("::")[2] + ("." + overload if overload else "")
    return {"OPERATOR_CALL": "KernelCall", "JF_CALL": "JumpFalseCall", "MOVE_CALL": "MoveCall"}.get(event.name, kind) == kind


def fits_inside(events):
    """Returns whether, by the stamps, each event called inside Method::execute lies inside it, which may not hold for
    synthetic dumps."""
    return all(o.start_time <= e.start_time and e.end_time <= o.end_time for o in events if o.name == "Method::execute"
               for e in events if is_call(e))


def is_call(event):
    """Returns the times around everything that the instruction logs, one for each time that it ran."""
    return event.name in ("OPERATOR_CALL", "DELEGATE_CALL", "JF_CALL", "MOVE_CALL", "FREE_CALL")


def join(runs, plans):
    """Returns [calls, ticks] by method and instruction; None: some run is not of one method alone, or of several chains
    whose equal events the Inspector merges, or has no stamps of a runtime."""
    found = {}
    for events in runs:
        of_instructions = [e for e in events if e.instruction_id >= 0 and e.chain_index >= 0 and not (e.name or "").startswith(OUTSIDE)]
        fitting = [plan for plan in plans if all(fits(e, plan) for e in of_instructions)]
        execute = sum(e.end_time - e.start_time for e in events if e.name == "Method::execute")
        if not of_instructions:
            continue
        if len(fitting) != 1 or len(fitting[0]["chains"]) != 1 or not fits_inside(events):
            return None
        plan = fitting[0]
        starts = [sum(len(chain) for chain in plan["chains"][:i]) for i in range(len(plan["chains"]))]
        rows = found.setdefault(plan["name"], {FRAMEWORK: [None, 0]})
        for number in range(sum(len(chain) for chain in plan["chains"])):
            rows.setdefault(number, [0, 0])
        rows[FRAMEWORK][1] += execute
        for event in filter(is_call, of_instructions):
            ticks = event.end_time - event.start_time
            row = rows[starts[event.chain_index] + event.instruction_id]
            row[0], row[1] = row[0] + 1, row[1] + ticks
            rows[FRAMEWORK][1] -= ticks
    return found


def check_times(build, run, file, plans):
    """Returns lines that describe errors in `program` of a program and its dump."""
    wanted = join(read_runs(file.parent / "run.etdp"), plans)
    if wanted is None:
        return []
    rows = run(f"{build}/etinspect", "program", file, file.parent / "run.etdp", "--skip_first", "0", "--table", "instructions",
               "--target_time_scale", "ns", "--columns", "all", "--format", "json")["tables"]["instructions"]
    found, wrong = {}, []
    for row in rows:
        key = FRAMEWORK if row["instruction"] is None else row["instruction"]
        found.setdefault(row["method"], {})[key] = [row["calls"], round(row["total"])]
        if row["calls"] == 0 and row["p50"] is not None:
            wrong.append(f"instruction {key} did not run, and has a time")
    for method in sorted(set(found) | set(wanted)):
        for key in list(wanted.get(method, {})) + [k for k in found.get(method, {}) if k not in wanted.get(method, {})]:
            ours, theirs = found.get(method, {}).get(key), wanted.get(method, {}).get(key)
            if ours != theirs:
                wrong.append(f"{method} {key} is {ours}, not {theirs}")
    share = sum(row["share"] or 0 for row in rows)
    return wrong + ([] if abs(share - 1) < 1e-9 else [f"shares add up to {share}"])


def check_foreign(build, models, name):
    """Checks that the dump of a program is rejected with the other exported programs."""
    wrong = []
    for other in (name for name in FOREIGN[name] if (models / name / "model.pte").exists()):
        done = subprocess.run([f"{build}/etinspect", "program", models / other / "model.pte", models / name / "run.etdp"],
                              capture_output=True, encoding="utf-8")
        if done.returncode != 3 or "this dump does not come from" not in done.stderr:
            wrong.append(f"the dump of {name} is taken with the program of {other}: exit {done.returncode}")
    return wrong
