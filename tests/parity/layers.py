"""Checks that `diff` of two exports of one model has each layer once: the convolution or linear of a module matches that of
the same module, whatever the names of their kernels.

These events are identified without etinspect (delegate_truth.py): by module, and several in one module by their order.
"""

import json
import subprocess
from collections import defaultdict
from pathlib import Path

PAIRS = [
    ("resnet", "resnet_int8"), ("resnet", "resnet_half"), ("mobilenet_v2", "mobilenet_v2_int8"), ("mobilenet_v3", "mobilenet_v3_int8"),
    ("convnext", "convnext_half"), ("concats", "concats_int8"), ("fusions", "fusions_int8"), ("language_model", "language_model_int8"),
    ("vit", "vit_dynamic_int8"),
]
LAYERS = {"Conv2d", "DepthwiseConv2d", "ConvTranspose2d", "FullyConnected"}
WAYS = (["model.etrecord", "model.pte"], ["lowered.etrecord"])


def layers_of(truth):
    """Returns {(method, module): names of events, in order}."""
    found = defaultdict(list)
    for method, of in truth["methods"].items():
        for event in of["events"]:
            if event["kind"] in LAYERS:
                found[method, event["module"]].append(event["name"])
    return found


def check(build, base, new, files, truths, totals):
    command = [str(Path(build).resolve() / "etinspect"), "diff"]
    for directory in (base, new):
        command += [str(directory / name) for name in ("run.etdp", *files)]
    done = subprocess.run([*command, "-f", "json"], capture_output=True, encoding="utf-8")
    if not done.stdout:
        return [f"exit {done.returncode}: {done.stderr.strip()}"]
    rows = json.loads(done.stdout)["tables"]["events"]
    pairs = {(row["module"], row["base_name"] or row["event_name"], row["event_name"]) for row in rows
             if row["match"] not in ("added", "removed")}
    lonely = {(row["match"], row["module"], row["event_name"]) for row in rows if row["match"] in ("added", "removed")}
    before, after = map(layers_of, truths)
    wrong = [f"{method}, {module}: a layer of one export" for method, module in set(before) ^ set(after)]
    for key in set(before) & set(after):
        module = key[1]
        if len(before[key]) != len(after[key]):
            wrong.append(f"{module}: {len(before[key])} layers and {len(after[key])}")
        for old, now in zip(before[key], after[key]):
            totals["layers"] += 1
            if (module, old, now) not in pairs:
                wrong.append(f"{module}: {old} is not beside {now}: {sorted(p for p in pairs if p[0] == module)}")
            if ("removed", module, old) in lonely or ("added", module, now) in lonely:
                wrong.append(f"{module}: {old} or {now} is alone")
    return wrong
