"""Exports the model of model.py with an older ExecuTorch, runs it, and prints it with that version's own Inspector.

Its package works with a newer torch, except for the runtime:

    pip install --no-deps --target old executorch==0.7.0; pip install --no-deps --target old "setuptools<80"
    PYTHONPATH=old python generate.py export        m.pte, record.etrecord
    python generate.py run                          run.etdp, by the runtime of executorch 1.5.1
    PYTHONPATH=old python generate.py inspect       table.txt, table.tsv
"""

import copy
import sys
from pathlib import Path

import torch

HERE = Path(__file__).parent
INPUTS = (torch.randn(2, 8), torch.randn(2, 4))


def export():
    from executorch.devtools import generate_etrecord
    from executorch.exir import to_edge

    sys.path.insert(0, str(HERE))
    from model import Model

    torch.manual_seed(0)
    edge = to_edge(torch.export.export(Model().eval(), INPUTS, strict=False))
    as_exported = copy.deepcopy(edge)
    program = edge.to_executorch()
    (HERE / "m.pte").write_bytes(program.buffer)
    generate_etrecord(str(HERE / "record.etrecord"), as_exported, program)


def run():
    from executorch.extension.pybindings import portable_lib

    module = portable_lib._load_for_executorch(str(HERE / "m.pte"), enable_etdump=True)
    for _ in range(5):
        module.forward(INPUTS)
    module.write_etdump_result_to_file(str(HERE / "run.etdp"))


def inspect():
    from executorch.devtools import Inspector

    inspector = Inspector(etdump_path=str(HERE / "run.etdp"), etrecord=str(HERE / "record.etrecord"))
    with open(HERE / "table.tsv", "w") as tsv:
        inspector.save_data_to_tsv(tsv)
    with open(HERE / "table.txt", "w") as table:
        inspector.print_data_tabular(table)


{"export": export, "run": run, "inspect": inspect}[sys.argv[1]]()
