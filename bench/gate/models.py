"""The three models of `make bench-gate`: a transformer and a U-Net of portable kernels, convolutions for XNNPACK.

    build/peer/bin/python bench/gate/models.py DIRECTORY

Writes transformer.pte, unet.pte and convolution.pte. A run takes half a millisecond to two, in at least five events of more
than 1 % each.
"""

import sys
from pathlib import Path

import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testdata"))
import models  # noqa: E402


class UNet(nn.Module):
    """One step down, one up, and the skip between them."""

    def __init__(self, width=4):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.norm = nn.GroupNorm(2, width)
        self.down = nn.Conv2d(width, width, 3, padding=1, stride=2)
        self.deep = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in range(3))
        self.up = nn.Conv2d(2 * width, width, 3, padding=1)
        self.last = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        skip = torch.sigmoid(self.norm(self.first(x)))
        deep = torch.tanh(self.down(skip))
        for layer in self.deep:
            deep = torch.tanh(layer(deep))
        wide = nn.functional.interpolate(deep, scale_factor=2.0, mode="nearest")
        return torch.softmax(self.last(nn.functional.gelu(self.up(torch.cat([skip, wide], 1)))), 1)


class Convolutions(nn.Module):
    """Eight convolutions for XNNPACK, separated by a cumulative sum that XNNPACK does not take."""

    def __init__(self):
        super().__init__()
        self.wide = nn.ModuleList(nn.Conv2d(16 if i else 3, 16, 3, padding=1, stride=1 if i else 2) for i in range(4))
        self.deep = nn.ModuleList(nn.Conv2d(32 if i else 16, 32, 3, padding=1, stride=1 if i else 2) for i in range(4))
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        for layer in self.wide:
            x = torch.relu(layer(x))
        x = torch.cumsum(x, 2) * 0.01
        for layer in self.deep:
            x = torch.relu(layer(x))
        return torch.softmax(self.head(x.mean((2, 3))), -1)


def make_models():
    """Returns name: (model, shape of its input, whether XNNPACK takes it)."""
    transformer = nn.Sequential(*[models.TransformerBlock(64, 4) for _ in range(3)])
    return {
        "transformer": (transformer, (1, 32, 64), False),
        "unet": (UNet(), (1, 3, 20, 20), False),
        "convolution": (Convolutions(), (1, 3, 96, 96), True),
    }


def main():
    directory = Path(sys.argv[1])
    torch.manual_seed(0)
    for name, (model, shape, is_delegated) in make_models().items():
        program = torch.export.export(model.eval(), (torch.randn(*shape),))
        partitioner = [XnnpackPartitioner()] if is_delegated else None
        lowered = to_edge_transform_and_lower(program, partitioner=partitioner).to_executorch()
        (directory / f"{name}.pte").write_bytes(lowered.buffer)


if __name__ == "__main__":
    main()
