"""Makes an ETDump of some of the runs of another one, on a machine on which one operator is slower.

    deal_runs.py SCHEMA ETDUMP OUT FIRST:END:STEP [EVENT=FACTOR]

Runs of Method::execute are taken as a slice of Python's. While EVENT runs, the clock of the machine goes FACTOR times as
fast, so that what stands around it takes longer, too.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def flatc(*arguments):
    subprocess.run(["flatc", *map(str, arguments)], check=True, stdout=sys.stderr)


def slow_down(run, name, factor):
    stamped = [event["profile_event"] for event in run["events"] if "profile_event" in event]
    slow = sorted((event["start_time"], event["end_time"]) for event in stamped if event.get("name") == name)

    def later(stamp):
        inside = sum(min(max(stamp - start, 0), end - start) for start, end in slow)
        return stamp + round(inside * (factor - 1))

    for event in stamped:
        event["start_time"], event["end_time"] = later(event["start_time"]), later(event["end_time"])


def main(schema, etdump, out, runs, slow=None):
    with tempfile.TemporaryDirectory() as directory:
        work = Path(directory)
        (work / "dump.etdp").write_bytes(Path(etdump).read_bytes())
        flatc("--json", "--strict-json", "--raw-binary", "--size-prefixed", "-o", work, schema, "--", work / "dump.etdp")
        dump = json.loads((work / "dump.json").read_text())
        executed = [run for run in dump["run_data"] if run["name"] == "Execute"]
        dump["run_data"] = executed[slice(*(int(part) if part else None for part in runs.split(":")))]
        for run in dump["run_data"] if slow else []:
            slow_down(run, slow.split("=")[0], float(slow.split("=")[1]))
        (work / "dump.json").write_text(json.dumps(dump))
        flatc("--binary", "--size-prefixed", "-o", work, schema, work / "dump.json")
        Path(out).write_bytes((work / "dump.etdp").read_bytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
