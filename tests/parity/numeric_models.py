"""Models whose numbers are compared: their definitions, exports and runs. See numerics.py and numeric_faults.py.

An export is a directory of build/numerics with model.pte, record.etrecord, run.etdp and debug_buffer.bin; it is kept until the source
of its model changes.
"""

import concurrent.futures
import hashlib
import inspect
import math
import multiprocessing
import sys
import zlib
from pathlib import Path

import numpy

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "examples"))
GRAPHS = {"aten": "exported_program", "edge": "edge_dialect_exported_program"}
ALL_WAYS = ("portable", "xnnpack", "int8")

NETS = {}  # name: Net
# The models that differ most: attention, convolutions, layer norm, LSTM, GRU, several outputs, views, int8.
QUICK = ("attention", "two_outputs", "convolutions", "layers", "lstm", "gru", "batches", "several")


class Net:
    def __init__(self, make, ways, layers):
        self.name = make.__name__
        self.make, self.ways, self.layers = make, ways, layers
        self.hash = hashlib.sha256(inspect.getsource(make).encode()).hexdigest()[:16]

    def build(self):
        """Returns the model and its inputs, which are always the same."""
        import torch
        from torch import nn

        torch.manual_seed(zlib.crc32(self.name.encode()))
        model, inputs = self.make(torch, nn)
        with torch.no_grad():
            for module in model.modules():
                if "Norm" in type(module).__name__ and getattr(module, "weight", None) is not None:
                    module.weight.uniform_(0.5, 1.5)  # ones would be equal in any precision
                if hasattr(module, "running_var"):
                    module.running_var.uniform_(0.5, 1.5)
                    module.running_mean.normal_(0, 0.1)
        return model.eval(), inputs


def net(ways=ALL_WAYS[:2], layers=()):
    """Returns the layers whose weights can be damaged, by module."""

    def add(make):
        NETS[make.__name__] = Net(make, ways, layers)
        return make

    return add


# ---------------------------------------------------------------- models


@net(ALL_WAYS, ("norm", "qkv", "out"))
def attention(torch, nn):
    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(16)
            self.qkv = nn.Linear(16, 48)
            self.out = nn.Linear(16, 16)

        def forward(self, x):
            q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
            return x + self.out(torch.softmax(q @ k.transpose(-1, -2) / 4, -1) @ v)

    return Attention(), (torch.randn(1, 5, 16),)


@net(ALL_WAYS, ("a", "b"))
def two_outputs(torch, nn):
    class TwoOutputs(nn.Module):
        """XNNPACK produces both operands of an operator that it does not take."""

        def __init__(self):
            super().__init__()
            self.a = nn.Linear(8, 8)
            self.b = nn.Linear(8, 8)

        def forward(self, x):
            y = torch.relu(self.a(x))
            return torch.cumsum(y, 1) * 2 + torch.cumsum(self.b(y), 1)

    return TwoOutputs(), (torch.randn(3, 8),)


@net(ALL_WAYS, ("0", "1", "5"))
def convolutions(torch, nn):
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5))
    return model, (torch.randn(1, 3, 8, 8),)


@net(ALL_WAYS, ("0", "1", "3"))
def layers(torch, nn):
    return nn.Sequential(nn.LayerNorm(12), nn.Linear(12, 24), nn.GELU(), nn.Linear(24, 12), nn.Sigmoid()), (torch.randn(4, 12),)


@net(layers=("lstm",))
def lstm(torch, nn):
    class Lstm(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 8)

        def forward(self, x):
            return self.lstm(x)[0]

    return Lstm(), (torch.randn(5, 1, 4),)


@net(layers=("gru", "head"))
def gru(torch, nn):
    class Gru(nn.Module):
        """In both directions, batches first."""

        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(5, 6, batch_first=True, bidirectional=True)
            self.head = nn.Linear(12, 3)

        def forward(self, x):
            y, last = self.gru(x)
            return self.head(y[:, -1]), last

    return Gru(), (torch.randn(2, 3, 5),)


@net(layers=("first", "second"))
def batches(torch, nn):
    class Batches(nn.Module):
        """Views that the runtime does not execute, with another shape than the recorded one."""

        def __init__(self):
            super().__init__()
            self.first = nn.Linear(6, 12)
            self.second = nn.Linear(12, 6)

        def forward(self, x):
            return self.second(torch.tanh(self.first(x)).reshape(3, 4, 12))

    return Batches(), (torch.randn(2, 6, 6),)


@net(ALL_WAYS[:1])
def several(torch, nn):
    class Several(nn.Module):
        """Operators with several outputs, integers, and infinite results."""

        def forward(self, x):
            top, at = torch.topk(x, 3)
            return torch.log(top) + at, torch.split(x, 2, 1)[1] * 3, torch.exp(x * 200)

    return Several(), (torch.randn(2, 4),)


@net(ALL_WAYS, ("stem", "blocks.0.a", "blocks.1.norm", "head"))
def residual(torch, nn):
    class Block(nn.Module):
        def __init__(self, n):
            super().__init__()
            self.a, self.norm = nn.Conv2d(n, n, 3, padding=1, bias=False), nn.BatchNorm2d(n)

        def forward(self, x):
            return torch.relu(x + self.norm(self.a(x)))

    class Residual(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Conv2d(3, 6, 3, stride=2, padding=1)
            self.blocks = nn.Sequential(Block(6), Block(6))
            self.head = nn.Linear(6, 4)

        def forward(self, x):
            return self.head(self.blocks(self.stem(x)).mean((2, 3)))

    return Residual(), (torch.randn(1, 3, 9, 7),)


@net(ALL_WAYS[:1], ("a", "b", "skip"))
def channels_last(torch, nn):
    class ChannelsLast(nn.Module):
        """Complete batch norm; the exporter cannot lower it for XNNPACK, and the portable kernel does not accept it."""

        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Conv2d(3, 6, 3, padding=1), nn.Conv2d(6, 6, 3, padding=1)
            self.skip = nn.Conv2d(3, 6, 1)

        def forward(self, x):
            x = x.to(memory_format=torch.channels_last)
            return torch.relu(self.skip(x) + self.b(torch.relu(self.a(x)))).clone(memory_format=torch.channels_last)

    return ChannelsLast(), (torch.randn(2, 3, 5, 4),)


@net(ALL_WAYS, ("expand.0", "depth.0", "squeeze", "project.0"))
def depthwise(torch, nn):
    class Depthwise(nn.Module):
        """An inverted bottleneck with squeeze and excitation."""

        def __init__(self):
            super().__init__()
            self.expand = nn.Sequential(nn.Conv2d(4, 12, 1), nn.BatchNorm2d(12), nn.Hardswish())
            self.depth = nn.Sequential(nn.Conv2d(12, 12, 3, padding=1, groups=12), nn.BatchNorm2d(12), nn.ReLU6())
            self.squeeze, self.excite = nn.Conv2d(12, 4, 1), nn.Conv2d(4, 12, 1)
            self.project = nn.Sequential(nn.Conv2d(12, 4, 1), nn.BatchNorm2d(4))

        def forward(self, x):
            y = self.depth(self.expand(x))
            scale = torch.sigmoid(self.excite(torch.relu(self.squeeze(nn.functional.adaptive_avg_pool2d(y, 1)))))
            return x + self.project(y * scale)

    return Depthwise(), (torch.randn(1, 4, 6, 6),)


@net(layers=("embed", "norm", "classify"))
def embedding(torch, nn):
    class Embedding(nn.Module):
        """Integer inputs; a mask that depends on them."""

        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(7, 10)
            self.norm = nn.LayerNorm(10)
            self.classify = nn.Linear(10, 3)

        def forward(self, at):
            mask = (at > 0).unsqueeze(-1)
            y = self.norm(self.embed(at)).masked_fill(~mask, 0.0)
            return torch.log_softmax(self.classify(y.sum(1) / mask.sum(1)), -1)

    return Embedding(), (torch.tensor([[1, 2, 3, 0], [6, 5, 4, 2]]),)


@net(ALL_WAYS, ("layer.linear1", "layer.linear2", "layer.norm1", "layer.norm2"))
def encoder(torch, nn):
    class Encoder(nn.Module):
        """nn.MultiheadAttention within torch's own layer."""

        def __init__(self):
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(12, 3, 20, batch_first=True, norm_first=True, activation="gelu")

        def forward(self, x):
            return self.layer(x)

    return Encoder(), (torch.randn(2, 5, 12),)


@net(layers=("norm", "q", "gate", "down"))
def decoder(torch, nn):
    class RmsNorm(nn.Module):
        def __init__(self, n):
            super().__init__()
            self.weight = nn.Parameter(torch.rand(n) + 0.5)

        def forward(self, x):
            return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * self.weight

    class Decoder(nn.Module):
        """From a language model: rotary embeddings, a causal mask, a gated MLP."""

        def __init__(self):
            super().__init__()
            self.norm, self.norm_mlp = RmsNorm(16), RmsNorm(16)
            self.q, self.k, self.v, self.o = (nn.Linear(16, 16, bias=False) for _ in range(4))
            self.gate, self.up, self.down = nn.Linear(16, 24, bias=False), nn.Linear(16, 24, bias=False), nn.Linear(24, 16, bias=False)
            angles = torch.outer(torch.arange(6.0), 1.0 / 100 ** (torch.arange(0, 8, 2) / 8))
            self.register_buffer("cos", torch.cos(angles))
            self.register_buffer("sin", torch.sin(angles))
            self.register_buffer("mask", torch.full((6, 6), -1e9).triu(1))

        def rotate(self, x):
            a, b = x.chunk(2, -1)
            return torch.cat((a * self.cos - b * self.sin, a * self.sin + b * self.cos), -1)

        def forward(self, x):
            y = self.norm(x)
            q, k, v = (part(y).view(1, 6, 2, 8).transpose(1, 2) for part in (self.q, self.k, self.v))
            scores = self.rotate(q) @ self.rotate(k).transpose(-1, -2) / 8**0.5 + self.mask
            x = x + self.o((torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(1, 6, 16))
            y = self.norm_mlp(x)
            return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))

    return Decoder(), (torch.randn(1, 6, 16),)


@net(layers=("a", "b"))
def pieces(torch, nn):
    class Pieces(nn.Module):
        """Lists of outputs between delegates; operators that XNNPACK does not take use the pieces."""

        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(6, 12), nn.Linear(4, 4)

        def forward(self, x):
            first, second, third = torch.split(self.a(x), [4, 4, 4], 1)
            values, at = torch.topk(torch.cumsum(second, 1), 2)
            third, last = third.chunk(2, 1)
            return self.b(first) * torch.cumsum(third, 1).sum(), values * last, at

    return Pieces(), (torch.randn(3, 6),)


@net(ALL_WAYS, ("up", "last"))
def pixels(torch, nn):
    class Pixels(nn.Module):
        def __init__(self):
            super().__init__()
            self.up, self.last = nn.Conv2d(2, 12, 3, padding=1), nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, x):
            return torch.clamp(self.last(torch.nn.functional.pixel_shuffle(self.up(x), 2)), -1, 1)

    return Pixels(), (torch.randn(1, 2, 5, 4),)


@net(layers=("down.0", "middle", "up", "last"))
def unet(torch, nn):
    class Unet(nn.Module):
        """Skips by concatenation, transposed convolutions, interpolation."""

        def __init__(self):
            super().__init__()
            self.down = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2, padding=1), nn.LeakyReLU(0.1))
            self.middle = nn.Conv2d(4, 4, 3, padding=2, dilation=2)
            self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
            self.last = nn.Conv2d(5, 1, 1)

        def forward(self, x):
            low = self.down(x)
            y = self.up(torch.cat((low, torch.tanh(self.middle(low))), 1))
            half = nn.functional.interpolate(x, scale_factor=0.5, mode="bilinear", align_corners=False)
            return self.last(torch.cat((y, x), 1)), half

    return Unet(), (torch.randn(1, 1, 8, 8),)


@net(layers=("a", "norm", "b"))
def sequence(torch, nn):
    class Sequence(nn.Module):
        """One-dimensional convolutions, group norm, a gated unit."""

        def __init__(self):
            super().__init__()
            self.a, self.norm = nn.Conv1d(3, 8, 3, padding=1), nn.GroupNorm(2, 8)
            self.b = nn.Conv1d(4, 2, 3, dilation=2)

        def forward(self, x):
            return nn.functional.softplus(self.b(nn.functional.glu(self.norm(self.a(x)), 1)))

    return Sequence(), (torch.randn(2, 3, 9),)


@net(layers=("step", "out"))
def recurrent(torch, nn):
    class Recurrent(nn.Module):
        """One layer is called several times."""

        def __init__(self):
            super().__init__()
            self.step, self.out = nn.Linear(7, 4), nn.Linear(4, 2)

        def forward(self, x):
            state = torch.zeros(2, 4)
            for i in range(3):
                state = torch.tanh(self.step(torch.cat((x[:, i], state), 1)))
            return self.out(state)

    return Recurrent(), (torch.randn(2, 3, 3),)


@net(ALL_WAYS, ("tokens.0", "channels.2", "head"))
def mixer(torch, nn):
    class Mixer(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Sequential(nn.Linear(6, 10), nn.GELU(), nn.Linear(10, 6))
            self.channels = nn.Sequential(nn.Linear(8, 10), nn.GELU(), nn.Linear(10, 8))
            self.norm, self.head = nn.LayerNorm(8), nn.Linear(8, 3)

        def forward(self, x):
            x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)
            return self.head(self.channels(self.norm(x)).mean(1))

    return Mixer(), (torch.randn(2, 6, 8),)


@net(layers=("left", "right", "join"))
def towers(torch, nn):
    class Towers(nn.Module):
        """Two inputs, three outputs, a product of matrices by einsum, indices and a choice."""

        def __init__(self):
            super().__init__()
            self.left, self.right = nn.Linear(5, 6), nn.Linear(7, 6)
            self.join = nn.Linear(12, 4)

        def forward(self, x, y):
            a, b = torch.relu(self.left(x)), nn.functional.elu(self.right(y))
            scores = torch.einsum("ik,jk->ij", a, b)
            best = scores.argmax(1)
            return torch.where(scores > 0, scores, scores * 0.1), self.join(torch.cat((a, b[best]), 1)), best

    return Towers(), (torch.randn(3, 5), torch.randn(3, 7))


@net(ALL_WAYS, ("0", "1", "3"))
def dense(torch, nn):
    model = nn.Sequential(nn.Linear(9, 16), nn.BatchNorm1d(16), nn.LeakyReLU(0.2), nn.Linear(16, 16), nn.Hardsigmoid(), nn.Linear(16, 2), nn.Softmax(-1))
    return model, (torch.randn(4, 9),)


@net(layers=("query", "value"))
def heads(torch, nn):
    class Heads(nn.Module):
        """The fused operator for attention; scores of one head against all keys."""

        def __init__(self):
            super().__init__()
            self.query, self.key, self.value = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)

        def forward(self, x, y):
            q, k, v = (part.unflatten(-1, (2, 4)).transpose(0, 1) for part in (self.query(x), self.key(y), self.value(y)))
            return nn.functional.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1)

    return Heads(), (torch.randn(3, 8), torch.randn(5, 8))


@net(layers=("encode.0", "mean", "decode.2"))
def autoencoder(torch, nn):
    class Autoencoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = nn.Sequential(nn.Linear(10, 8), nn.SiLU())
            self.mean, self.spread = nn.Linear(8, 3), nn.Linear(8, 3)
            self.decode = nn.Sequential(nn.Linear(3, 8), nn.Mish(), nn.Linear(8, 10))

        def forward(self, x):
            y = self.encode(x)
            mean, spread = self.mean(y), self.spread(y)
            return self.decode(mean + torch.exp(spread / 2) * 0.1), mean, spread

    return Autoencoder(), (torch.randn(2, 10),)


# ---------------------------------------------------------------- damage


def weight_of(model, layer):
    module = model.get_submodule(layer)
    weight = getattr(module, "weight", None)
    return next(module.parameters()) if weight is None else weight


def plant(model, layer, fault):
    """Changes one weight, rounds all of a layer, or makes one weight NaN. Returns the old and the new content."""
    import torch

    weight = weight_of(model, layer).detach()
    before = weight.clone()
    if fault == "rounded":
        weight.copy_(weight.bfloat16())
    else:
        weight.view(-1)[0] = math.nan if fault == "nan" else weight.view(-1)[0] * 1.5 + 0.1
    if torch.equal(before, weight):
        raise ValueError(f"{layer} is the same when it is {fault}")
    return before, weight


def damaged_bytes(program, net, layer, fault):
    """Returns the program with the fault: the bytes of the weights occur only once in it."""
    before, after = (weight.numpy().tobytes() for weight in plant(net.build()[0], layer, fault))
    if program.count(before) != 1:
        raise ValueError(f"{net.name}: the weights of {layer} are there {program.count(before)} times")
    return program.replace(before, after)


# ---------------------------------------------------------------- exports


def quantize(model, inputs):
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(torch.export.export(model, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def run(directory, program, inputs):
    """Runs it in ExecuTorch's runtime with a debug buffer."""
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    directory.mkdir(parents=True, exist_ok=True)
    module = load(program, enable_etdump=True, debug_buffer_size=1 << 18)
    module.run_method("forward", inputs)
    module.write_etdump_result_to_file(str(directory / "run.etdp"), str(directory / "debug_buffer.bin"))


def export(directory, name, way, fault=None):
    """Exports the model, damaged by `fault` if there is one, and runs it."""
    import executorch.kernels.quantized  # noqa: F401  its operators
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    torch.set_num_threads(1)
    directory.mkdir(parents=True, exist_ok=True)
    model, inputs = NETS[name].build()
    if fault:
        plant(model, *fault)
    with torch.no_grad():
        exported = torch.export.export(quantize(model, inputs) if way == "int8" else model, inputs)
    partitioner = None if way == "portable" else [XnnpackPartitioner()]
    program = to_edge_transform_and_lower(exported, partitioner=partitioner, generate_etrecord=True).to_executorch()
    record = program.get_etrecord()
    record.update_representative_inputs(list(inputs))
    record.save(str(directory / "record.etrecord"))
    (directory / "model.pte").write_bytes(program.buffer)
    run(directory, program.buffer, inputs)
    if not fault:
        write_references(directory)
    (directory / "done").write_text(NETS[name].hash)


def write_references(directory):
    """Computes the output of each graph with examples/aot_intermediates.py."""
    import aot_intermediates

    for graph, name in GRAPHS.items():
        with open(directory / f"{graph}.npz", "wb") as file:
            numpy.savez(file, **aot_intermediates.intermediates(str(directory / "record.etrecord"), name))


def is_made(directory, name):
    done = directory / "done"
    return done.exists() and done.read_text() == NETS[name].hash


def make_all(wanted):
    """Makes the missing ones of [(directory, name, way, fault)], two at a time."""
    missing = [one for one in wanted if not is_made(*one[:2])]
    if not missing:
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        for made in [pool.submit(export, *one) for one in missing]:
            made.result()


def directory_of(build, name, way):
    return build / "numerics" / f"{name}-{way}"


def files_of(directory):
    return [directory / "run.etdp", directory / "record.etrecord", "--debug_buffer_path", directory / "debug_buffer.bin"]


def with_floats(value):
    """Returns JSON with the numbers that JSON writes as strings."""
    if isinstance(value, dict):
        return {key: with_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_floats(item) for item in value]
    return float(value) if value in ("NaN", "Infinity", "-Infinity") else value
