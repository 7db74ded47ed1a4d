"""gaps.py module|source|handle|group:NAME NUMERICS.csv VIEW.csv - compares the gaps of a view with those of etinspect
numerics. A row has the worst gap of its module and the modules inside, of its line, of its debug handle and operator, or of
its group in etinspect diff. Prints the number of rows that agree, and the rows that do not."""

import csv
import math
import sys

WORST = {"snr": min, "snr_drop": max, "max_abs": max, "nan_new": max}


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def is_inside(module, outer, model):
    return outer == model or module == outer or module.startswith(outer + ".")


def belongs(kind, row, of, model):
    if kind == "module":
        return is_inside(of["module"], row["module"], model)
    if kind == "source":
        return of["source"] == f"{row['path']}:{row['line']}"
    if kind == "handle":
        return of["debug_handles"].strip("[]").split(", ")[-1] == row["debug_handle"] and of["op"] == row["op"]
    name = kind.removeprefix("group:")
    return of["source_node" if name == "node" else name] == row[name]


kind, compared = sys.argv[1], [row for row in read(sys.argv[2]) if row["max_abs"]]
rows, n_known, n_wrong = read(sys.argv[3]), 0, 0
model = next((row["module"] for row in rows), "") if kind == "module" else ""
for row in rows:
    its = [of for of in compared if belongs(kind, row, of, model)]
    known = False
    for name, worst in WORST.items():
        values = [float(of[name]) for of in its if of[name]]
        expected = worst(values) if values else math.nan
        found = float(row[name]) if row[name] else math.nan
        known = known or not math.isnan(found)
        if not (expected == found or math.isnan(expected) and math.isnan(found)):
            n_wrong += 1
            print(f"{row}: {name} is {found}, expected {expected}")
    n_known += known
print(f"{kind}: {len(rows)} rows, {n_known} with gaps, {n_wrong} wrong values")
sys.exit(n_wrong > 0)
