"""truth.py FOLDER: compares what etinspect shows of a folder of testdata/backends with its truth.json, and its TSV with
inspector.sha256. Prints a line for each kind of figure that is wrong, with the first that is, and how many are right."""
import collections
import hashlib
import json
import os
import re
import subprocess
import sys

folder = sys.argv[1]
files = [path for name in ("run.etdp", "model.etrecord", "model.pte")
         if os.path.exists(path := os.path.join(folder, name))]
with open(os.path.join(folder, "truth.json"), encoding="utf-8") as file:
    truth = json.load(file)
skip = ["--skip_first", str(truth["skip_first"])]
n_right = 0
wrong = collections.defaultdict(list)


def tables(*arguments):
    """Returns the tables of a view."""
    done = subprocess.run(["etinspect", *arguments, "-f", "json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"etinspect {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)["tables"]


def check(kind, is_right, found, right):
    """Counts a figure."""
    global n_right
    if is_right:
        n_right += 1
    else:
        wrong[kind].append(f"{found}, right {right}")


def same(kind, found, right, where=""):
    """Compares numbers within 0.1 %, and other values exactly."""
    if isinstance(right, (int, float)) and isinstance(found, (int, float)):
        check(kind, abs(found - right) <= max(1e-3 * abs(right), 2e-6), f"{where}{found}", right)
    else:
        check(kind, found == right, f"{where}{found}", right)


def is_below(module, right):
    """Returns whether a module is `right` or one inside it; "" is the model."""
    if right is None:
        return True
    return module is not None and (module == right or module.startswith(right + "." if right else "models."))


# ---- events ----------------------------------------------------------------------------------------

listed = tables("events", *files, *skip, "--columns", "all")["events"]
blocks = {row["block"] for row in listed if row["event_name"] == "Method::execute"}
rows = {row["event"]: row for row in listed if row["block"] in blocks and row["event"] is not None}
for event in truth["events"]:
    row, where = rows.get(event["event"], {}), f"event {event['event']} {event['short'][:40]}: "
    same("self_time", row.get("self_time"), event["self_ns"] / 1e6, where)
    if event["role"] == "call":
        continue
    short = re.sub(r" #\d+$", "", row.get("event_name") or "")
    check("event_name", short in (event["short"], event.get("kernel")), where + short, event["short"])
    same("role", row.get("role"), event["role"], where)
    same("parent", row.get("parent"), event["parent"], where)
    if event["unit"] != "time":
        same("unit", row.get("unit"), event["unit"], where)
        same("value", row.get("value"), event["value"], where)
    for column in ("kernel", "compute_unit", "shapes"):
        if event.get(column):
            same(column, row.get(column), event[column], where)
    if event.get("node") is not None:
        same("node", str(row.get("node")), str(event["node"]), where)
    if event["role"] in ("node", "device"):
        if event.get("op"):
            same("op_type", row.get("op_type"), event["op"], where)
        check("module", is_below(row.get("module"), event.get("module")), f"{where}{row.get('module')}", event.get("module"))
        check("attribution", row.get("attribution") in event["attribution"], f"{where}{row.get('attribution')}",
              event["attribution"])

# ---- sums ------------------------------------------------------------------------------------------

ops = collections.Counter()
for row in tables("ops", *files, *skip)["ops"]:
    ops[row["op"]] += row["total"] or 0
for role, name in (("wrapper", "(delegate, overhead)"), ("transfer", "(delegate, transfers)"), ("call", "(delegate, not logged)")):
    time = truth["roles_ns"].get(role, 0) * truth["runs"] / 1e6
    if time > 1e-3:
        same("ops", ops[name], time, f"{name}: ")

own = collections.Counter()
for row in tables("tree", *files, *skip, "--fold", "0")["modules"]:
    own[(row["module"] or "").split(".")[0]] += row["self"] or 0
right = collections.Counter()
for event in truth["events"]:
    if event["role"] in ("node", "device") and event.get("module"):
        right[event["module"].split(".")[0]] += event["self_ns"] * truth["runs"] / 1e6
for module, time in right.items():
    if all(event.get("module") is not None for event in truth["events"] if event["role"] == "node"):
        same("tree", own[module], time, f"{module}: ")

# ---- the Inspector's table -------------------------------------------------------------------------

tsv = subprocess.run(["etinspect", *files[:2 if "model.etrecord" in files[1] else 1], "-f", "tsv"], capture_output=True, check=False).stdout
with open(os.path.join(folder, "inspector.sha256"), encoding="ascii") as file:
    same("TSV", hashlib.sha256(tsv).hexdigest(), file.read().strip())

for kind, figures in sorted(wrong.items()):
    print(f"{kind}: {len(figures)} wrong; first: {figures[0]}")
print(f"{n_right} right")
sys.exit(1 if wrong else 0)
