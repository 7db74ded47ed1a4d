"""Exports a transformer of N blocks with the peer, runs it, and writes the record and the profile.

    python bench/make_graph.py BLOCKS DIRECTORY

Writes DIRECTORY/run.etdp and DIRECTORY/record.etrecord. The blocks are those of testdata/models.py, narrow, so that the
record is nearly all graph. They are the leaves of a tree of modules, since deep models are nested: stack traces and module
names grow with the depth. 8, 48 and 380 blocks make 1, 10 and 113 MB of JSON in the edge program. Takes the exporter two
seconds per block.
"""

import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "testdata"))

import torch
from torch import nn

from models import TransformerBlock

RUNS = 10


class Wrapped(nn.Module):
    """Represents the wrappers that checkpointing, sharding or quantisation put around modules."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


class Stage(nn.Module):
    """Half of the blocks, then the other half."""

    def __init__(self, blocks):
        super().__init__()
        self.first = Wrapped(make_blocks(blocks // 2))
        self.second = Wrapped(make_blocks(blocks - blocks // 2))

    def forward(self, x):
        return self.second(self.first(x))


def make_blocks(blocks):
    return TransformerBlock() if blocks == 1 else Stage(blocks)


def export(blocks):
    from executorch.exir import EdgeCompileConfig, to_edge

    torch.manual_seed(blocks)
    inputs = (torch.randn(1, 6, 16),)
    exported = torch.export.export(make_blocks(blocks).eval(), inputs)
    report("exported")
    unchecked = EdgeCompileConfig(_check_ir_validity=False)  # the check takes a third of the time
    edge = to_edge(exported, compile_config=unchecked, generate_etrecord=True)
    report("lowered")
    return edge.to_executorch(), inputs


def run(buffer, inputs, file):
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

    loaded = _load_for_executorch_from_buffer(buffer, enable_etdump=True)
    for _ in range(RUNS):
        loaded.run_method("forward", inputs)
    loaded.write_etdump_result_to_file(file)


def report(step, started=time.monotonic()):
    print(f"{time.monotonic() - started:6.1f} s  {step}", flush=True)


def main():
    blocks, directory = int(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    program, inputs = export(blocks)
    report("made into a program")
    # The record is written last: if it exists, so does the profile.
    run(program.buffer, inputs, str(directory / "run.etdp"))
    report("run")
    program.get_etrecord().save(str(directory / "record.etrecord"))
    report("record saved")


if __name__ == "__main__":
    main()
