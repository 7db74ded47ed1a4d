"""Checks profiles by stack: speedscope's files by its schema, pprof's by `go tool pprof` where there is one, folded stacks by
adding them up. All of a profile have the total that summary says.

    stacks_in_viewers.py --schema FILE [--build DIRECTORY] [DIRECTORY ...]     default: those of testdata/

DIRECTORYs hold run.etdp, and record.etrecord if they have one.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = ["small"]  # has no run.etdp


def etinspect(build, *words):
    command = [f"{build}/etinspect", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def whole(build, files):
    """The ticks of all rows of tree, which are own times, in ns."""
    rows = etinspect(build, "tree", "--fold", "0", "--columns", "self", "--target_time_scale", "ns", "-f", "tsv", *files)
    return round(sum(float(row.split("\t")[-1]) for row in rows.splitlines()[1:]))


def check_folded(text):
    total = 0
    for line in text.splitlines():
        stack, ns = line.rsplit(" ", 1)
        assert all(stack.split(";")), line
        total += int(ns)
    return total


def check_evented(profile, n_frames):
    """Frames open and close like brackets, in the order of time."""
    opened, last = [], 0
    for event in profile["events"]:
        assert last <= event["at"] <= profile["endValue"], event
        assert event["frame"] < n_frames
        last = event["at"]
        if event["type"] == "O":
            opened.append(event["frame"])
        else:
            assert opened.pop() == event["frame"], profile["name"]
    assert not opened, profile["name"]


def check_speedscope(file, schema):
    jsonschema.validate(file, schema)
    frames = file["shared"]["frames"]
    assert len({frame["name"] for frame in frames}) == len(frames)
    sampled, *runs = file["profiles"]
    assert sampled["type"] == "sampled" and sum(sampled["weights"]) == sampled["endValue"]
    for run in runs:
        check_evented(run, len(frames))
    return sampled["endValue"]


def check_pprof(path):
    """What -top accounts for: "Showing nodes accounting for 274262ns, 100% of 274262ns total"."""
    top = subprocess.run(["go", "tool", "pprof", "-top", "-unit=ns", path], check=True, capture_output=True, text=True).stdout
    line = next(line for line in top.splitlines() if line.endswith(" total"))
    assert "100% of" in line, line
    return int(line.split()[-2].removesuffix("ns"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--schema", required=True)
    parser.add_argument("directories", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    schema = json.loads(pathlib.Path(options.schema).read_text())
    has_go = shutil.which("go") is not None
    directories = options.directories or sorted(path.parent for path in (ROOT / "testdata").glob("*/run.etdp"))
    for directory in directories:
        if directory.name in LEFT_OUT:
            continue
        files = [path for path in (directory / "run.etdp", directory / "record.etrecord") if path.exists()]
        expected = whole(options.build, files)
        found = {"folded": check_folded(etinspect(options.build, "trace", "-f", "folded", *files))}
        found["speedscope"] = check_speedscope(
            json.loads(etinspect(options.build, "trace", "-f", "speedscope", *files)), schema)
        if has_go:
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/run.pb.gz"
                etinspect(options.build, "trace", "-o", path, *files)
                found["pprof"] = check_pprof(path)
        assert all(total == expected for total in found.values()), (directory, expected, found)
        print(f"{directory.name}: {expected} ns in {', '.join(found)}")
    if not has_go:
        print("skipped: there is no go, so go tool pprof opened nothing")


if __name__ == "__main__":
    main()
