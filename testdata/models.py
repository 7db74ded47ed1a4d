"""The small models behind testdata/, and the pretend backends of the delegate-ids case.

generate.py copies this file to a neutral directory and imports it from there, because every stack trace in an
ETRecord holds the path of the source line. Nothing here depends on the machine it runs on.
"""

import torch
from executorch.exir.backend.backend_details import BackendDetails, PreprocessResult
from executorch.exir.backend.partitioner import DelegationSpec, Partitioner, PartitionResult
from executorch.exir.backend.utils import DelegateMappingBuilder, tag_constant_data
from torch import nn
from torch._higher_order_ops.map import map as torch_map


class Mlp(nn.Module):
    """Linear, layer norm, relu, linear: every operator stays portable."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 16)
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.hidden(x))))


class ConvNet(nn.Module):
    """Two convolutions XNNPACK takes, a cumulative sum in the middle and a mean at the end that it does not."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)
        self.second = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        y = torch.relu(self.first(x))
        y = torch.cumsum(y, dim=2)
        y = torch.sigmoid(self.second(y)) + torch.sin(y)
        return y.mean((2, 3))


class Encoder(nn.Module):
    """The `encode` method of the multi-method program."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(6, 5)

    def forward(self, x):
        return torch.tanh(self.project(x))


class Classifier(nn.Module):
    """The `forward` method of the multi-method program, sharing its encoder with `encode`."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(5, 3)

    def forward(self, x):
        return torch.softmax(self.head(self.encoder(x)), dim=-1)


class Attention(nn.Module):
    """Self attention written out, so that chunk gives tensor lists and softmax stays its own operator."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def split_heads(self, x):
        batch, length, dim = x.shape
        return x.view(batch, length, self.heads, dim // self.heads).transpose(1, 2)

    def forward(self, x):
        q, k, v = (self.split_heads(part) for part in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / (q.shape[-1] ** 0.5)
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(x.shape))


class TransformerBlock(nn.Module):
    """Pre-norm block: attention with two heads, then a GELU feed-forward."""

    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.attention_norm = nn.LayerNorm(dim)
        self.attention = Attention(dim, heads)
        self.mlp_norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.mlp(self.mlp_norm(x))


class ControlFlow(nn.Module):
    """A branch (torch.cond), then a loop (map), then two plain operators of the same kind around a third."""

    def forward(self, rows, x):
        def positive(x):
            return torch.sin(x) * x

        def negative(x):
            return torch.relu(torch.cos(x))

        def add_row(row, x):
            return torch.tanh(row + x)

        x = torch.cond(x.sum() > 0, positive, negative, [x])
        y = torch_map(add_row, rows, x)
        return torch.cumsum(torch.sigmoid(torch.cumsum(y, 0)), 0)


class DynamicBatch(nn.Module):
    """A batch size known only at run time: symbolic sizes in the record, integers among the debug values."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        left, right = torch.split(self.linear(x), 2, dim=1)
        stacked = torch.cat([left, right])
        return stacked.reshape(-1), x.shape[0] * 2


class Small(nn.Module):
    """Two operators and no weights."""

    def __init__(self):
        super().__init__()
        self.activation = nn.ReLU()

    def forward(self, x):
        return self.activation(x) + x


class FusedConvTan(nn.Module):
    """Convolution and relu for one pretend backend, tan for the other, cumsum for nobody."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 3, padding=1)

    def forward(self, x):
        y = torch.relu(self.conv(x))
        y = torch.cumsum(y, dim=1)
        return torch.tan(y)


# Two pretend backends. They have no runtime: they exist to put a delegate map with integer identifiers and one with
# string identifiers into a real ETRecord.


def called_nodes(edge_program):
    return [node for node in edge_program.graph.nodes if node.op == "call_function"]


class IntIdBackend(BackendDetails):
    """Fuses everything into kernel 0, then lists each operator again: generated identifiers 0, 1, 2..."""

    @staticmethod
    def preprocess(edge_program, compile_specs):
        mapping = DelegateMappingBuilder(generated_identifiers=True)
        nodes = called_nodes(edge_program)
        mapping.insert_delegate_mapping_entry(nodes=nodes)
        for node in nodes:
            mapping.insert_delegate_mapping_entry(nodes=node)
        return PreprocessResult(processed_bytes=b"int ids", debug_handle_map=mapping.get_delegate_mapping())


class StringIdBackend(BackendDetails):
    """Splits each operator into three named kernels."""

    @staticmethod
    def preprocess(edge_program, compile_specs):
        mapping = DelegateMappingBuilder()
        for node in called_nodes(edge_program):
            for kernel in ("sin", "cos", "div"):
                mapping.insert_delegate_mapping_entry(nodes=node, identifier=f"{node.name}.{kernel}")
        return PreprocessResult(processed_bytes=b"string ids", debug_handle_map=mapping.get_delegate_mapping())


class NamedOpsPartitioner(Partitioner):
    """Gives all operators whose node name contains one of `names` to one backend, as one partition."""

    def __init__(self, backend, names):
        self.names = names
        self.tag = backend.__name__
        self.delegation = DelegationSpec(backend.__name__, [])

    def partition(self, exported_program):
        for node in called_nodes(exported_program):
            if any(name in node.name for name in self.names):
                node.meta["delegation_tag"] = self.tag
        tag_constant_data(exported_program)
        return PartitionResult(tagged_exported_program=exported_program, partition_tags={self.tag: self.delegation})


class Counter(nn.Module):
    """Two buffers that live between calls."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.tensor([1.0, 2.0, 3.0]))
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x):
        self.total.add_(x)
        y = self.total + self.last
        self.last.copy_(x)
        return y


class Decoder(nn.Module):
    """Two methods of the same instructions, a delegate, a cumulative sum and a delegate: only what the delegates compute
    tells `decode` (tanh) from `prefill` (sigmoid)."""

    def __init__(self, activation):
        super().__init__()
        self.embed = nn.Linear(4, 6)
        self.activation = activation
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(torch.cumsum(self.activation(self.embed(x)), dim=0))


class TokenViews(nn.Module):
    """A number of tokens known only at run time: a look-up, views whose shapes are computed, a buffer that is
    overwritten."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.register_buffer("last", torch.zeros(4))
        self.requires_grad_(False)  # the exporter cannot overwrite a buffer with what depends on weights that do

    def forward(self, tokens):
        rows = torch.sin(self.embed(tokens)).view(tokens.shape[0] * 2, 4)
        self.last.copy_(rows.sum(dim=0))
        return torch.relu(rows)


class DelegatedAround(nn.Module):
    """A branch and a loop, of which delegates take nothing, between two delegates."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        def positive(x):
            return torch.sin(x)

        def negative(x):
            return torch.cos(x) + x

        def add(row, x):
            return row + x

        y = self.first(x)
        y = torch.cond(y.sum() > 0, positive, negative, (y,))
        return self.last(torch_map(add, y, x[0]))


class Layouts(nn.Module):
    """Inputs whose layout a delegate changes for operators that come later, and a quantized output in the middle."""

    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.conv = nn.Conv2d(2, 4, 3, padding=1)
        self.gate = nn.Hardsigmoid()

    def forward(self, x, y, z):
        return self.gate(self.conv(self.pool(x) * y + z))
