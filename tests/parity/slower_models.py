"""Three networks, each in two versions: in the second, one layer takes longer.

export_pairs(folder) writes NAME-base.pte, NAME-slow.pte and their ETRecords, and yields (NAME, module that is slower, source of
the line that runs it).
"""

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from torch import nn


class Convolutions(nn.Module):
    """All in XNNPACK."""

    SLOWER, LINE = "third", "return self.third(x)"

    def __init__(self, is_slow):
        super().__init__()
        self.first = nn.Conv2d(3, 32, 3, padding=1)
        self.second = nn.Conv2d(32, 32, 3, padding=1)
        self.third = nn.Conv2d(32, 32, 5 if is_slow else 3, padding=2 if is_slow else 1)

    def forward(self, x):
        x = torch.relu(self.first(x))
        x = torch.relu(self.second(x))
        return self.third(x)


class Perceptron(nn.Module):
    """In XNNPACK, except the slice that the slower version needs."""

    SLOWER, LINE = "wide", "x = self.wide(torch.relu(self.narrow(x)))"

    def __init__(self, is_slow):
        super().__init__()
        self.narrow = nn.Linear(256, 256)
        self.wide = nn.Linear(256, 1024 if is_slow else 256)
        self.head = nn.Linear(256, 64)

    def forward(self, x):
        x = self.wide(torch.relu(self.narrow(x)))
        return self.head(x[:, :256])


class Portable(nn.Module):
    """Without a delegate."""

    SLOWER, LINE = "mix", "return self.mix(x)[:, :64]"

    def __init__(self, is_slow):
        super().__init__()
        self.before = nn.Linear(128, 256)
        self.mix = nn.Linear(256, 256 if is_slow else 64)

    def forward(self, x):
        x = torch.sin(self.before(x))
        return self.mix(x)[:, :64]


def export_pairs(folder):
    models = (
        (Convolutions, torch.randn(1, 3, 64, 64), [XnnpackPartitioner()]),
        (Perceptron, torch.randn(32, 256), [XnnpackPartitioner()]),
        (Portable, torch.randn(4, 128), []),
    )
    for model, inputs, partitioners in models:
        for version in ("base", "slow"):
            torch.manual_seed(0)
            exported = torch.export.export(model(version == "slow").eval(), (inputs,))
            lowered = to_edge_transform_and_lower(exported, partitioner=partitioners, generate_etrecord=True)
            program = lowered.to_executorch()
            program.save(f"{folder}/{model.__name__}-{version}.pte")
            program.get_etrecord().save(f"{folder}/{model.__name__}-{version}.etrecord")
        yield model.__name__, model.SLOWER, model.LINE
