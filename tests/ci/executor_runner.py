"""Stands in for ExecuTorch's executor_runner: writes the ETDump of one process, with the differences between real
processes.

    executor_runner.py --model_path MODEL --num_executions N --etdump_path OUT

MODEL is a JSON file: {"etdump": a dump with at least N runs, "slower": {kernel: factor}, "level": how far whole processes
differ, "scatter": how far each kernel does between processes, "noise": how far each run does, "hold": the number of the
process that does not end by itself, or null}. Processes
differ by the last folders and the text of MODEL, without the path in it, and by their number, since each leaves a file
MODEL.process-NUMBER. They are the same in each run of the test, wherever the repository and the test lie.
"""

import argparse
import json
import random
import signal
import struct
from pathlib import Path


class Flatbuffer:
    """Finds fields of tables, which schema/etdump.fbs numbers."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.root = self.follow(4 if self.data[8:12] == b"ED00" else 0)

    def number(self, form, at):
        return struct.unpack_from("<" + form, self.data, at)[0]

    def follow(self, at):
        return at + self.number("I", at)

    def field(self, table, field):
        """Returns the place of the field, None if it is absent."""
        vtable = table - self.number("i", table)
        if 4 + 2 * field >= self.number("H", vtable):
            return None
        offset = self.number("H", vtable + 4 + 2 * field)
        return table + offset if offset else None

    def child(self, table, field):
        at = self.field(table, field)
        return None if at is None else self.follow(at)

    def vector(self, table, field):
        at = self.child(table, field)
        return [] if at is None else [self.follow(at + 4 + 4 * i) for i in range(self.number("I", at))]

    def text(self, table, field):
        at = self.child(table, field)
        return "" if at is None else self.data[at + 4 : at + 4 + self.number("I", at)].decode()


RUNS, RUN_NAME, EVENTS, PROFILE, NAME, START, END = 1, 0, 3, 0, 0, 6, 7


def stretch(dump, events, factors, whole):
    """Rewrites the stamps of one run: time passes `whole` times as slowly, and by a factor more while a kernel runs."""
    stamps = []
    for event in events:
        profile = dump.child(event, PROFILE)
        if profile is not None and dump.field(profile, END) is not None:
            ends = [dump.field(profile, START), dump.field(profile, END)]
            stamps.append((dump.text(profile, NAME), ends, [dump.number("Q", at) for at in ends]))
    first = min((times[0] for _, _, times in stamps), default=0)
    kernels = [(times, factors(name)) for name, _, times in stamps if name.startswith("native_call_")]
    for _, ends, times in stamps:
        for at, stamp in zip(ends, times):
            longer = sum((factor - 1) * min(max(stamp - start, 0), end - start) for (start, end), factor in kernels)
            struct.pack_into("<Q", dump.data, at, first + round((stamp - first + longer) * whole))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model_path", type=Path, required=True)
    parser.add_argument("--num_executions", type=int, default=1)
    parser.add_argument("--etdump_path", type=Path, required=True)
    options = parser.parse_args()
    text = options.model_path.read_text()
    model = json.loads(text)

    process = len(list(options.model_path.parent.glob(options.model_path.name + ".process-*")))
    Path(f"{options.model_path}.process-{process}").touch()
    if process == model.get("hold"):
        signal.pause()
    draw = random.Random(f"{options.model_path.parts[-3:]} {text.replace(model['etdump'], '')} {process}")
    level = draw.lognormvariate(0, model["level"])
    usual = {}

    def kernel_factor(name):
        if name not in usual:
            usual[name] = draw.lognormvariate(0, model["scatter"]) * model["slower"].get(name, 1)
        return usual[name] * draw.lognormvariate(0, model["noise"])

    dump = Flatbuffer(Path(model["etdump"]).read_bytes())
    executed = [run for run in dump.vector(dump.root, RUNS) if dump.text(run, RUN_NAME) == "Execute"]
    kept = executed[: options.num_executions]
    for run in kept:
        stretch(dump, dump.vector(run, EVENTS), kernel_factor, level)
    n_loading = len(dump.vector(dump.root, RUNS)) - len(executed)  # the run of loading comes first
    struct.pack_into("<I", dump.data, dump.child(dump.root, RUNS), n_loading + len(kept))
    options.etdump_path.write_bytes(dump.data)


if __name__ == "__main__":
    main()
