"""Plants faults in models and looks for them with `numerics` and `tensors`.

    numeric_faults.py [--build BUILD] [--only NAME ... | --quick]

A fault is one changed weight, a layer whose weights are rounded to bfloat16, or one weight that is NaN. There are three
families:
  - exports: of each model of numeric_models.py with layers, one of them is damaged and the model exported again, so that nodes are matched
    by their source. At least 95 % of them must be found: 19 of 20.
  - programs: every layer with every fault, planted in the bytes of the program that was exported before, so that handles are matched.
    The same share must be found.
  - delegates: the same with XNNPACK, compared with the portable export, where most layers are inside delegates: the result
  must be an
    output of the first event that is affected.
Found is a fault whose layer is that of the row with the largest snr_drop. Of a NaN, the first row of `tensors` with one, and the line
below that table which names it, must be the layer's, too. Ends in "numeric faults: N passed, N failed, 0 skipped"; a case is a fault.
"""

import argparse
import json
import re
import subprocess
import warnings
from pathlib import Path

from numeric_models import NETS, QUICK, damaged_bytes, directory_of, files_of, make_all, run, with_floats

FAULTS = ("changed", "rounded", "nan")
LEAST_FOUND = 0.95
DAMAGED = 110  # dB: a worse row has the fault


def report(build, *arguments):
    done = subprocess.run([build / "etinspect", *arguments, "-f", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
    return with_floats(json.loads(done.stdout))


def is_of(module, layer):
    """torch numbers the calls of a module: step, step@1."""
    return module is not None and (module.split("@")[0] == layer or module.startswith(layer + "."))


def first_nan(build, files, layer):
    """Returns the error in the place of the first NaN, or None."""
    answer = report(build, "tensors", *files)
    row = next((row for row in answer["tables"]["tensors"] if row["nan"] and row["role"] != "input"), None)
    if row is None:
        return "nothing is NaN"
    line = answer["notes"][0]["text"]
    if not re.match(rf"first NaN: {re.escape(row['event_name'])}, instruction {row['instruction']} ", line):
        return f"{line!r}, where it is instruction {row['instruction']}"
    return None if is_of(row["module"], layer) else f"NaN in {row['module']} ({row['source_node']})"


def search(build, base, damaged, layer, fault):
    """Returns the place that was found instead of the layer, or None."""
    row = report(build, "numerics", *base, *damaged, "--sort", "snr_drop:desc", "--top", "1")["tables"]["numerics"][0]
    if not is_of(row["module"], layer):
        return f"found in {row['module']} ({row['source_node']}, {row['snr_drop']} dB)"
    return first_nan(build, damaged, layer) if fault == "nan" else None


def search_delegates(build, base, damaged):
    """The first damaged row in order shows which event has the fault."""
    rows = report(build, "numerics", *base, *damaged, "--columns", "all")["tables"]["numerics"]
    bad = [row for row in rows if row["status"] == "nonfinite" or row["snr"] is not None and row["snr"] < DAMAGED]
    if not bad:
        return "nothing is damaged"
    worst = report(build, "numerics", *base, *damaged, "--columns", "all", "--sort", "snr_drop:desc", "--top", "1")["tables"]["numerics"][0]
    return None if worst["instruction"] == bad[0]["instruction"] else f"{worst['source_node']}, not {bad[0]['source_node']}"


def of_exports(build, nets):
    """Damages one layer of each model, by one fault after the other."""
    for way in ("portable", "xnnpack"):
        for number, net in enumerate(nets):
            layer, fault = net.layers[number % len(net.layers)], FAULTS[number % 3]
            if way in net.ways and (way == "portable" or number % 2 == 0):
                yield build / "numerics" / f"fault-{net.name}-{way}", net.name, way, (layer, fault)


def check_programs(build, nets, check):
    for net in nets:
        made = directory_of(build, net.name, "portable")
        program = (made / "model.pte").read_bytes()
        for layer in net.layers:
            for fault in FAULTS:
                directory = build / "numerics/faults"
                run(directory, damaged_bytes(program, net, layer, fault), net.build()[1])
                files = [directory / "run.etdp", made / "record.etrecord", "--debug_buffer_path", directory / "debug_buffer.bin"]
                check("programs", f"{net.name}, {layer} {fault}", search(build, files_of(made), files, layer, fault))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--quick", action="store_const", dest="only", const=QUICK, help="the models that differ most")
    options = parser.parse_args()
    build = options.build.resolve()
    warnings.simplefilter("ignore")
    found, missed = {}, []

    def check(family, name, wrong):
        found.setdefault(family, []).append(wrong is None)
        if wrong:
            missed.append(f"{family}: {name}: {wrong}")

    nets = [net for net in NETS.values() if net.layers and (not options.only or net.name in options.only)]
    faults = list(of_exports(build, nets))
    make_all([(directory_of(build, net.name, "portable"), net.name, "portable") for net in nets] + faults)
    for directory, name, way, (layer, fault) in faults:
        base, damaged = files_of(directory_of(build, name, "portable")), files_of(directory)
        if way == "portable":
            check("exports", f"{name}, {layer} {fault}", search(build, base, damaged, layer, fault))
        else:
            check("delegates", f"{name}, {layer} {fault}", search_delegates(build, base, damaged))
    check_programs(build, nets, check)
    failed = 0
    for family, of in found.items():
        is_enough = sum(of) >= LEAST_FOUND * len(of)
        failed += 0 if is_enough else len(of) - sum(of)
        print(f"{family}: {sum(of)} of {len(of)} faults found first" + ("" if is_enough else "  FAILED"))
    print(*(f"missed: {text}" for text in missed), sep="\n", end="\n" if missed else "")
    total = sum(map(len, found.values()))
    print(f"numeric faults: {total - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
