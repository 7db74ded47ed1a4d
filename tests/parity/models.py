"""Small real models, exported and run with the peer: each gives an ETDump, its ETRecord and its debug buffer.

`seed` changes sizes and weights, so that two seeds give different graphs, tensors and times.
"""

import random

import torch
from torch import nn
from torch._higher_order_ops.scan import scan


class Mlp(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.hidden = nn.Linear(size, 2 * size)
        self.norm = nn.LayerNorm(2 * size)
        self.head = nn.Linear(2 * size, 3)

    def forward(self, x):
        return torch.softmax(self.head(torch.relu(self.norm(self.hidden(x)))), -1)


class Conv(nn.Module):
    """XNNPACK takes the convolutions, not the cumulative sum between them."""

    def __init__(self, size):
        super().__init__()
        self.first = nn.Conv2d(3, size, 3, padding=1)
        self.second = nn.Conv2d(size, 2, 1)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.cumsum(torch.relu(self.first(x)), 2)))


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.qkv = nn.Linear(size, 3 * size)
        self.feed = nn.Sequential(nn.Linear(size, 2 * size), nn.GELU(), nn.Linear(2 * size, size))

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
        x = x + torch.softmax(q @ k.transpose(-2, -1), -1) @ v
        return x + self.feed(x)


class Branch(nn.Module):
    def forward(self, x):
        x = torch.cond(x.sum() > 0, lambda x: torch.sin(x) * x, lambda x: torch.relu(torch.cos(x)), [x])
        return torch.cumsum(x, 0)


class ManyOutputs(nn.Module):
    def forward(self, x):
        values, indices = torch.topk(x, 2)
        left, right = torch.split(x, x.shape[1] // 2, dim=1)
        return values, indices, left + right, torch.argmax(left, 1), x.amax(1) > 0


class DynamicRows(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = nn.Linear(size, 4)

    def forward(self, x):
        left, right = torch.split(self.linear(x), 2, dim=1)
        return torch.cat([left, right]).reshape(-1), x.shape[0] * 2


class Cache(nn.Module):
    """Writes into its own buffer, like the cache of a language model."""

    def __init__(self, size):
        super().__init__()
        self.qkv = nn.Linear(size, 3 * size)
        self.head = nn.Linear(size, size)
        self.register_buffer("keys", torch.zeros(1, 16, size))

    def forward(self, x, position):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        self.keys.index_copy_(1, position, k)
        return self.head(torch.softmax(q @ self.keys.transpose(1, 2), -1) @ self.keys) + v


class Scan(nn.Module):
    """The export keeps no debug handles inside scan."""

    def forward(self, x):
        return scan(lambda carry, row: (carry + row, torch.cos(carry * row)), torch.zeros_like(x[0]), x, dim=0)


def build(name, seed):
    """Returns the module, its inputs and its dynamic shapes."""
    size = random.Random(f"{name} {seed}").choice((4, 6, 8))
    torch.manual_seed(seed)
    rows = torch.export.Dim("rows", max=16)
    return {
        "mlp": lambda: (Mlp(size), (torch.randn(2, size),), None),
        "conv": lambda: (Conv(size), (torch.randn(1, 3, size, size),), None),
        "attention": lambda: (Attention(size), (torch.randn(1, 5, size),), None),
        "branch": lambda: (Branch(), (torch.randn(size, 3),), None),
        "many_outputs": lambda: (ManyOutputs(), (torch.randn(3, size),), None),
        "dynamic_rows": lambda: (DynamicRows(size), (torch.randn(3, size),), {"x": {0: rows}}),
        "cache": lambda: (Cache(size).requires_grad_(False), (torch.randn(1, 1, size), torch.tensor([2])), None),
        "scan": lambda: (Scan(), (torch.randn(4, size),), None),
    }[name]()


NAMES = ("mlp", "conv", "attention", "branch", "many_outputs", "dynamic_rows")
MORE_NAMES = ("cache", "scan")  # graphs that random_record.py does not use
DELEGATED = ("conv", "cache")


def export(name, seed, directory, runs=3):
    """Writes record.etrecord, run.etdp and debug_buffer.bin into `directory`; runs=0 writes the record only. Returns the
    names of the available graphs."""
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge, to_edge_transform_and_lower

    module, inputs, dynamic_shapes = build(name, seed)
    exported = torch.export.export(module.eval(), inputs, dynamic_shapes=dynamic_shapes)
    partitioner = [XnnpackPartitioner()] if name in DELEGATED else None
    edge = to_edge_transform_and_lower(exported, partitioner=partitioner, generate_etrecord=True)
    program = edge.to_executorch()
    record = program.get_etrecord()
    if runs and dynamic_shapes is None:
        # As exported, and as an edge program before delegation. The Inspector cannot read the former with dynamic shapes.
        record.add_extra_export_modules({"aten": exported, "before": to_edge(exported)})
    record.save(f"{directory}/record.etrecord")
    if runs:
        run(program.buffer, inputs, runs, directory)
    return [*(record.graph_map or {}), "edge_dialect_graph_module", "before"]


def run(buffer, inputs, runs, directory):
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

    loaded = _load_for_executorch_from_buffer(buffer, enable_etdump=True, debug_buffer_size=1 << 20)
    for _ in range(runs):
        loaded.run_method("forward", inputs)
    loaded.write_etdump_result_to_file(f"{directory}/run.etdp", f"{directory}/debug_buffer.bin")
