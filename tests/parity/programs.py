"""Compares etinspect's results for programs with the Python reader, and with an independent computation of liveness.

    programs.py [--build BUILD] [--models BUILD/delegates] [--quick] [FILE ...]

Of the programs in testdata/, those that delegates.py exported, and FILEs: every field of the reader (program_fields.c) equals
the Python reader's; lives, roles and peaks of planned tensors equal program_liveness.py, in the library and in `memory`; `size`
adds up to the files, to the byte and by category; constants are the tensors of the record; `ops` and `program` count
correctly; `program` of a dump has the calls and times of each instruction (program_times.py), and refuses dumps of other
programs. Ends in "programs: N passed, N failed, N skipped"; a case is a program under one of these.
"""

import argparse
import contextlib
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

from program_fields import File, data_file_fields, program_bytes
from program_liveness import Method
from program_times import FOREIGN, check_foreign, check_times

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
SLOW = 300  # number of instructions beyond which overlaps are not searched for


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command[:2]))}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def differences(ours, wanted, path=""):
    """Returns lines that describe the differences of two JSON documents."""
    if isinstance(ours, dict) and isinstance(wanted, dict):
        for key in sorted(set(ours) | set(wanted)):
            yield from differences(ours.get(key, "(absent)"), wanted.get(key, "(absent)"), f"{path}.{key}".lstrip("."))
    elif isinstance(ours, list) and isinstance(wanted, list) and len(ours) == len(wanted):
        for i, (a, b) in enumerate(zip(ours, wanted)):
            yield from differences(a, b, f"{path}[{i}]")
    elif ours != wanted:
        yield f"{path} is {ours}, not {wanted}"


# ---------------------------------------------------------------- the reader


def normal(fields):
    """Removes parts that both sides may write in two ways."""
    for plan in fields["plans"]:
        for value in plan["values"]:
            if value["kind"] == "Tensor":
                value["dim_order"] = value["dim_order"] or []
            elif value["kind"] == "Double":
                value["value"] = float.fromhex(value["value"])
            elif value["kind"] == "DoubleList":
                value["value"] = [float.fromhex(item) for item in value["value"]]
    fields["constants"] = fields["constants"] or [0, []]
    return fields


def check_fields(build, file, wanted):
    ours = run(f"{build}/program_fields", file)
    lives = ours.pop("lives")
    return list(differences(normal(ours), normal(wanted))), lives


# ---------------------------------------------------------------- lives


def lives_of(method):
    """Returns the fields in the layout of program_fields.c."""
    return {
        "tensors": [[t.value, t.role, *((t.first, t.last) if t.role not in ("unused", "moved") else (None, None)), t.alias_of]
                    for t in method.tensors.values()],
        "arenas": [[i, a["size"], a["highest"], a["peak"], a["at"], a["alive"]] for i, a in method.arenas().items()],
    }


def check_lives(lives, plans):
    wrong = []
    for found, plan in zip(lives, plans):
        method = Method(plan)
        wrong += [f"{plan['name']}.{line}" for line in differences(found, lives_of(method))]
        if method.count < SLOW and not method.has_jumps_or_moves() and method.overlaps():
            wrong.append(f"{plan['name']}: two tensors live in the same bytes: the rules are wrong, or the planner")
    return wrong


# ---------------------------------------------------------------- views


def categories_of(file, data, fields):
    """Returns bytes by category, according to the tables of the file."""
    whole = file.stat().st_size
    program = len(program_bytes(file))
    inline = sum(size for size, _ in fields["inline_delegates"])
    constants = sum(size for size, _ in fields["inline_constants"])
    sizes = [size for _, (size, _) in fields["segments"]]
    found = {
        "metadata": fields["program_size"] - inline - constants, "delegate blob": inline, "constant": constants,
        "test data": whole - program, "external": 0, "padding": 0, "mutable data": 0, "named data": 0,
    }
    owners = {fields["constants"][0]: "constant"} if fields["constants"] and fields["constants"][1] else {}
    owners |= {slots[0]: "mutable data" for slots in fields["mutable_data"]} | {i: "named data" for _, i in fields["named_data"]}
    owners |= {d["processed"][1]: "delegate blob" for p in fields["plans"] for d in p["delegates"] if d["processed"][0]}
    for i, size in enumerate(sizes):
        found[owners[i]] += size
    found["padding"] = program - sum(size for name, size in found.items() if name != "test data")
    for path in data:
        other = data_file_fields(path)
        sizes = sum(size for _, size in other["segments"])
        found["metadata"] += other["metadata_size"]
        found["external"] += sizes
        found["padding"] += path.stat().st_size - other["metadata_size"] - sizes
    return {name: size for name, size in found.items() if size}


def check_size(build, file, data, fields):
    """Checks that the rows add up to the files, to the byte, and categories to the tables of the files."""
    tables = run(f"{build}/etinspect", "size", file, *data, "--format", "json")["tables"]
    total = sum(path.stat().st_size for path in (file, *data))
    listed, rows = sum(row["bytes"] for row in tables["parts"]), {}
    for row in tables["parts"]:
        rows[row["category"]] = rows.get(row["category"], 0) + row["bytes"]
    wrong = [] if listed == total else [f"rows add up to {listed} bytes, not {total}"]
    wrong += differences({name: size for name, size in rows.items() if size}, categories_of(file, data, fields))
    return wrong + list(differences({row["category"]: row["bytes"] for row in tables["categories"]}, rows))


def check_data_alone(build, path):
    rows = run(f"{build}/etinspect", "size", path, "--table", "parts", "--format", "json")["tables"]["parts"]
    named = sum(size for _, size in data_file_fields(path)["segments"])
    found = [sum(row["bytes"] for row in rows), sum(row["bytes"] for row in rows if row["category"] == "external")]
    return [] if found == [path.stat().st_size, named] else [f"{found} bytes in all and with a name, not {[path.stat().st_size, named]}"]


def check_constants(build, file):
    """Checks that the constants of a program without delegates are the tensors of its ETRecord, byte for byte."""
    from executorch.devtools.etrecord import parse_etrecord

    rows = run(f"{build}/etinspect", "size", file, "--sha256", "--format", "json")["tables"]["parts"]
    constants = {row["sha256"] for row in rows if row["category"] == "constant" and row["number"] and row["bytes"]}
    program = parse_etrecord(str(file.parent / "model.etrecord")).edge_dialect_program
    tensors = [*program.state_dict.values(), *program.constants.values()]
    known = {hashlib.sha256(t.detach().contiguous().numpy().tobytes()).hexdigest() for t in tensors if hasattr(t, "detach")}
    return [f"{len(constants - known)} of {len(constants)} constants are no tensors of the record"] if constants - known else []


def check_memory(build, file, plans):
    """Checks that rows of planned tensors and arenas are those of program_liveness.py."""
    tables = run(f"{build}/etinspect", "memory", file, "--columns", "all", "--format", "json")["tables"]
    rows = {f"{row['method']} {row['value']}": row for row in tables.get("tensors", [])}
    wanted, arenas = {}, {}
    for plan in plans:
        method = Method(plan)
        at_peak = {i: arena["alive"] for i, arena in method.arenas().items()}
        for i, arena in method.arenas().items():
            arenas[f"{plan['name']} {i}"] = {key: arena[key] for key in ("size", "highest", "peak", "at")}
        for tensor in method.tensors.values():
            first, last = (tensor.first, tensor.last) if tensor.role not in ("unused", "moved") else (None, None)
            wanted[f"{plan['name']} {tensor.value}"] = {
                "role": tensor.role, "bytes": tensor.size, "memory_id": tensor.memory_id, "offset": tensor.start,
                "first": first, "last": last,
                "alias_of": tensor.alias_of, "at_peak": tensor.value in at_peak[tensor.memory_id]}
    found = {key: {column: row[column] for column in next(iter(wanted.values()))} for key, row in rows.items()}
    wrong = list(differences(found, wanted))
    rows = {f"{row['method']} {row['memory_id']}": {key: row[key] for key in ("size", "highest", "peak", "at")}
            for row in tables.get("arenas", [])}
    return wrong + list(differences(rows, arenas))


def check_program(build, file, plans):
    rows = run(f"{build}/etinspect", "program", file, "--columns", "all", "--format", "json")["tables"]["methods"]
    wanted = {}
    for plan in plans:
        kinds = [i[0] for chain in plan["chains"] for i in chain]
        wanted[plan["name"]] = {
            "instructions": len(kinds), "kernels": kinds.count("KernelCall"), "delegate_calls": kinds.count("DelegateCall"),
            "planned": sum(plan["arena_sizes"]), "inputs": len(plan["inputs"]), "outputs": len(plan["outputs"]),
            "operators": len(plan["operators"]), "delegates": len(plan["delegates"])}
    columns = next(iter(wanted.values()))
    return list(differences({row["method"]: {column: row[column] for column in columns} for row in rows}, wanted))


def check_ops(build, file, plans):
    """Checks operators with their instructions, and with the kernel keys that upstream's selective build finds."""
    wanted = {}
    for plan in plans:
        for number, instruction in enumerate(i for chain in plan["chains"] for i in chain):
            if instruction[0] == "KernelCall":
                name = ".".join(filter(None, plan["operators"][instruction[1]]))
                wanted.setdefault(name, []).append(f"{plan['name']} {number}" if len(plans) > 1 else str(number))
    rows = run(f"{build}/etinspect", "ops", file, "--format", "json")["tables"]["operators"]
    wrong = [f"{row['op']}: {row['calls']} calls" for row in rows if row["calls"] != len(wanted.get(row["op"], []))]
    wrong += differences({row["op"]: row["instructions"] for row in rows}, wanted)
    if file.suffix == ".pte":
        wrong += differences({row["op"]: sorted(row["kernel_keys"]) for row in rows}, kernel_keys(file))
    return wrong


def kernel_keys(file):
    """Returns kernel keys by operator; "v1" alone stands for one without tensors."""
    from executorch.codegen.tools.gen_oplist import _get_kernel_metadata_for_model

    with contextlib.redirect_stdout(io.StringIO()):
        found = _get_kernel_metadata_for_model(str(file))
    return {name: sorted({str(key) for key in keys}) for name, keys in found.items()}


# ---------------------------------------------------------------- all


def programs(models, quick):
    """Yields (program, its data files)."""
    found = [(file, sorted(file.parent.glob("*.ptd"))) for kind in ("*/*.pte", "*/*.bpte") for file in sorted(TESTDATA.glob(kind))]
    for directory in sorted(path.parent for path in models.glob("*/nodes.json")):
        data = sorted(directory.glob("*.ptd"))
        found += [(directory / "model.pte", data)] + ([] if quick else [(directory / "inline.pte", data)])
    return found


def checks_of(build, file, data):
    for path in data:
        yield f"{path.name} alone", lambda path=path: check_data_alone(build, path)
        yield path.name, lambda path=path: list(differences(run(f"{build}/program_fields", path), data_file_fields(path)))
    wanted = File(file).fields()
    fields, lives = check_fields(build, file, wanted)
    yield "fields", lambda: fields
    yield "lives", lambda: check_lives(lives, wanted["plans"])
    yield "program", lambda: check_program(build, file, wanted["plans"])
    yield "memory", lambda: check_memory(build, file, wanted["plans"])
    yield "size", lambda: check_size(build, file, data, wanted)
    if file.parent.name.startswith("portable") and file.name == "model.pte" and len(wanted["plans"]) == 1:
        yield "constants", lambda: check_constants(build, file)
    if file.name in ("model.pte", "inline.pte") and (file.parent / "run.etdp").exists():
        yield "times", lambda: check_times(build, run, file, wanted["plans"])
    if file.name == "model.pte" and file.parent.name in FOREIGN and file.parent.parent != TESTDATA:
        yield "foreign", lambda: check_foreign(build, file.parents[1], file.parent.name)
    yield "ops", lambda: check_ops(build, file, wanted["plans"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--build", default="build")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="every line that differs")
    options = parser.parse_args()
    models = options.models or Path(options.build) / "delegates"
    passed = failed = 0
    for file, data in [(f, []) for f in options.files] or programs(models, options.quick):
        try:
            cases = list(checks_of(options.build, file, data))
        except Failure as failure:
            cases = [("reader", lambda failure=failure: [str(failure)])]
        for what, check in cases:
            try:
                wrong = check()
            except Failure as failure:
                wrong = [str(failure)]
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            for line in wrong[:None if options.verbose else 4]:
                print(f"FAILED {file.parent.name}/{file.name}, {what}: {line}")
    print(f"programs: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
