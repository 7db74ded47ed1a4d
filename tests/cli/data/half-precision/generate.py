"""Runs a float16 model with a debug buffer, which damages its ETDump.

    generate.py        with the Python of build/peer, after make parity
"""

import pathlib

import torch
from executorch.exir import to_edge
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

HERE = pathlib.Path(__file__).resolve().parent


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cumsum(x + x, 1)


x = torch.ones(2, 3, dtype=torch.float16)
program = to_edge(torch.export.export(Model(), (x,))).to_executorch()
runner = _load_for_executorch_from_buffer(program.buffer, enable_etdump=True, debug_buffer_size=1 << 16)
runner.run_method("forward", (x,))
runner.write_etdump_result_to_file(str(HERE / "run.etdp"), "/dev/null")
