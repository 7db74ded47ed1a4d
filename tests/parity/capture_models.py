"""Small real models for tests/parity/tracers.py: programs and records, exported once.

    capture_models.py OUT

Writes OUT/NAME.pte and OUT/NAME.etrecord; files that are up to date are kept.
"""

import dataclasses
import hashlib
import sys
import typing
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclasses.dataclass
class Model:
    make: typing.Callable  # returns module, inputs, dynamic shapes
    is_delegated: bool = False
    is_quantized: bool = False
    sizes: tuple = ()  # sizes of the first input in each run; otherwise those of the export
    peer_logs: bool = True  # whether ETDumpGen survives when values are logged
    peer_reads: bool = True  # whether the Inspector reads the values


def models():
    import torch
    from torch import nn

    from models import Conv, Mlp, build

    class Add(nn.Module):
        def forward(self, x, y):
            return x + y * 2

    class Several(nn.Module):
        """Three delegates, separated by operators that XNNPACK does not take."""

        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

        def forward(self, x):
            for layer in self.layers:
                x = torch.cumsum(torch.relu(layer(x)), 1)
            return x

    class Nothing(nn.Module):
        """One of its outputs is not a value."""

        def forward(self, x):
            return x + 1, None

    def rows(module):
        return module, (torch.randn(4, 8),), {"x": {0: torch.export.Dim("rows", max=16)}}

    def as_type(module, inputs, dtype):
        return module.to(dtype), tuple(value.to(dtype) for value in inputs), None

    return {
        "add": Model(lambda: (Add(), (torch.randn(2, 3), torch.randn(3)), None)),
        "mlp": Model(lambda: build("mlp", 1)),
        "conv": Model(lambda: build("conv", 1)),
        "branch": Model(lambda: build("branch", 1)),
        "scan": Model(lambda: build("scan", 1)),
        "many_outputs": Model(lambda: build("many_outputs", 1)),
        "number": Model(lambda: build("dynamic_rows", 1)),
        "dynamic": Model(lambda: rows(Mlp(8)), sizes=((4,), (9,), (2,))),
        "xnnpack_mlp": Model(lambda: (Mlp(8), (torch.randn(2, 8),), None), True),
        "xnnpack_conv": Model(lambda: (Conv(4), (torch.randn(1, 3, 6, 6),), None), True),
        "xnnpack_cache": Model(lambda: build("cache", 1), True),
        "xnnpack_several": Model(lambda: (Several(), (torch.randn(2, 8),), None), True),
        "xnnpack_dynamic": Model(lambda: rows(Mlp(8)), True, sizes=((4,), (9,), (2,))),
        "xnnpack_int8_mlp": Model(lambda: (Mlp(8), (torch.randn(2, 8),), None), True, True),
        "xnnpack_int8_conv": Model(lambda: (Conv(4), (torch.randn(1, 3, 6, 6),), None), True, True),
        "half": Model(lambda: as_type(Mlp(4), (torch.randn(2, 4),), torch.half), peer_logs=False),
        "bfloat16": Model(lambda: as_type(Add(), (torch.randn(2, 3), torch.randn(3)), torch.bfloat16), peer_logs=False, peer_reads=False),
        "nothing": Model(lambda: (Nothing(), (torch.randn(2),), None), peer_logs=False),
    }


def quantize(module, inputs):
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))
    prepared = prepare_pt2e(torch.export.export(module, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def export(model, program, record):
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    torch.manual_seed(0)
    module, inputs, dynamic_shapes = model.make()
    module = module.eval()
    if model.is_quantized:
        module = quantize(module, inputs)
    exported = torch.export.export(module, inputs, dynamic_shapes=dynamic_shapes)
    partitioner = [XnnpackPartitioner()] if model.is_delegated else None
    edge = to_edge_transform_and_lower(exported, partitioner=partitioner, generate_etrecord=True)
    lowered = edge.to_executorch()
    lowered.get_etrecord().save(str(record))
    program.write_bytes(lowered.buffer)


def export_all(out):
    """Returns the models whose programs are in `out`."""
    sources = b"".join((HERE / name).read_bytes() for name in ("capture_models.py", "models.py"))
    stamp = hashlib.sha256(sources).hexdigest()
    out.mkdir(parents=True, exist_ok=True)
    made = models()
    if (out / "stamp").exists() and (out / "stamp").read_text() == stamp:
        return made
    for name, model in made.items():
        export(model, out / f"{name}.pte", out / f"{name}.etrecord")
    (out / "stamp").write_text(stamp)
    return made


if __name__ == "__main__":
    export_all(Path(sys.argv[1]))
