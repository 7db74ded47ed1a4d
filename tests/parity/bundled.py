"""Compares bundled programs that etinspect writes with the exporter's, runs them in the runtime, and compares the verdicts
of both.

    bundled.py [--build BUILD] [--cases 60] [--seed 1]

A model is exported with test cases; the bundle that `etinspect bundle` makes of the program and of the tensors in files
must have the same content and alignment as that of serialize_from_bundled_program_to_flatbuffer(), read by flatc's schema,
and the same verdicts in the runtime at three tolerances: for cases that are right, nearly right, and wrong. For
channels-last tensors the exporter stores another order than the program has, on which the runtime aborts: there only the
bundle of etinspect is run.

Random outputs, with NaN, infinities and elements at the limits of the tolerances, are compared with random expected ones by
the runtime and by etinspect: the verdicts must be equal. The wheel does not expose compute_method_output_error_stats(): its
figures are computed here as in its source, in float32 where it does so, and etinspect's must agree to 1e-12. Ends in
"bundled programs: N passed, N failed, 0 skipped".
"""

import argparse
import itertools
import json
import logging
import random
import struct
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

logging.disable(logging.WARNING)
warnings.filterwarnings("ignore")

import numpy
import torch
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.core import BundledProgram
from executorch.devtools.bundled_program.serialize import (
    deserialize_from_flatbuffer_to_bundled_program,
    serialize_from_bundled_program_to_flatbuffer,
)
from executorch.exir import to_edge
from executorch.extension.pybindings.portable_lib import (
    _load_bundled_program_from_buffer,
    _load_for_executorch_from_buffer,
)

try:
    import safetensors.torch
except ImportError:
    safetensors = None

TOLERANCES = [(1e-5, 1e-8), (1e-3, 1e-5), (0.0, 0.0)]  # rtol, atol

n_passed = 0
n_failed = 0


def expect(what, is_so):
    global n_passed, n_failed
    n_passed += bool(is_so)
    n_failed += not is_so
    if not is_so:
        print(f"FAILED {what}")


# ---- models ----------------------------------------------------------------------------------------


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Scalars(torch.nn.Module):
    """Numbers among the inputs, and two outputs of different types."""

    def forward(self, x, n: int, f: float, b: bool):
        y = x * n + f
        return (y + 1 if b else y), x > 0


class Convolution(torch.nn.Module):
    """Channels last if the input is."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 6, 3)

    def forward(self, x):
        return self.conv(x)


class Types(torch.nn.Module):
    def forward(self, a, b, c, d):
        return a + 1, b * 2, c.to(torch.int32), d.to(torch.float64), a.sum()


class Methods(torch.nn.Module):
    def encode(self, x):
        return x * 2

    def Decode(self, x):
        return x - 1

    def forward(self, x):
        return x + 1


def export(module, inputs, dynamic_shapes=None, methods=None):
    methods = methods or ["forward"]
    exported = {}
    for method in methods:
        forward = torch.nn.Module.__call__

        class One(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = module

        if method == "forward":
            one = module
        else:
            one = One()
            one.forward = getattr(module, method)
        del forward
        exported[method] = torch.export.export(one, inputs, dynamic_shapes=dynamic_shapes, strict=False)
    return to_edge(exported).to_executorch()


def models():
    """Yields (name, module, program, {method: [inputs of each case]})."""
    torch.manual_seed(1)
    module = Linear().eval()
    yield "linear", module, export(module, (torch.randn(1, 8),)), {"forward": [[torch.randn(1, 8)] for _ in range(3)]}
    module = Scalars()
    inputs = [torch.randn(2, 3), 3, 0.1, True]
    yield "scalars", module, export(module, tuple(inputs)), {"forward": [[torch.randn(2, 3), 3, 0.1, True]]}
    module = Convolution().eval()
    image = torch.randn(1, 3, 6, 7)
    yield "convolution", module, export(module, (image,)), {"forward": [[torch.randn(1, 3, 6, 7)] for _ in range(2)]}
    last = torch.randn(2, 3, 6, 7).to(memory_format=torch.channels_last)
    module = Convolution().eval().to(memory_format=torch.channels_last)
    yield "channels last", module, export(module, (last,)), {"forward": [[torch.randn(2, 3, 6, 7).to(memory_format=torch.channels_last)]]}
    module = Types()
    some = (torch.randn(3).double(), torch.tensor([[1, -2], [3, 4]]), torch.tensor([True, False]), torch.arange(5, dtype=torch.int32))
    yield "types", module, export(module, some), {"forward": [list(some)]}
    module = Linear().eval()
    batch = torch.export.Dim("batch", min=1, max=16)
    program = export(module, (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
    yield "dynamic", module, program, {"forward": [[torch.randn(n, 8)] for n in (1, 16, 3)]}
    module = Methods()
    program = export(module, (torch.randn(2, 2),), methods=["forward", "encode", "Decode"])
    yield "methods", module, program, {m: [[torch.randn(2, 2)] for _ in range(2)] for m in ("forward", "encode", "Decode")}


# ---- files -----------------------------------------------------------------------------------------


def as_array(value):
    return value.numpy() if isinstance(value, torch.Tensor) else numpy.array(value)


def save(path, values, form):
    """Writes the values under names that sort in their order."""
    arrays = [as_array(value) for value in values]
    if form == "npz":
        numpy.savez(path, *arrays)
    elif form == "compressed":
        numpy.savez_compressed(path, **{f"z{len(arrays) - i}": array for i, array in enumerate(arrays)})
    elif form == "folder":
        path.mkdir()
        for i, array in enumerate(arrays):
            numpy.save(path / f"x{i + 8}.npy", array)
    elif form == "npy":
        numpy.save(path, arrays[0])
    else:
        safetensors.torch.save_file({f"x{i + 8}": torch.from_numpy(array.copy()).contiguous() for i, array in enumerate(arrays)}, path)
    return path


SUFFIXES = {"npz": ".npz", "compressed": ".npz", "folder": "", "npy": ".npy", "safetensors": ".safetensors"}


# ---- files of both sides -------------------------------------------------------------------------


def content(data):
    """Returns the content as read by flatc."""
    bundle = deserialize_from_flatbuffer_to_bundled_program(data)
    bundle.program = bytes(bundle.program)
    return bundle


def places(data):
    """Returns (offset of the program, offsets of the data of all tensors), found in the bytes."""

    def u32(at):
        return struct.unpack_from("<I", data, at)[0]

    def field(table, i):
        vtable = table - struct.unpack_from("<i", data, table)[0]
        if 4 + 2 * i >= struct.unpack_from("<H", data, vtable)[0]:
            return 0
        offset = struct.unpack_from("<H", data, vtable + 4 + 2 * i)[0]
        return table + offset if offset else 0

    def follow(at):
        return at + u32(at)

    def vector(at):
        start = follow(at)
        return [follow(start + 4 + 4 * i) for i in range(u32(start))]

    root, tensors = u32(0), []
    for suite in vector(field(root, 1)):
        for case in vector(field(suite, 1)):
            for value in itertools.chain(vector(field(case, 0)), vector(field(case, 1))):
                if data[field(value, 0)] == 1:
                    tensors.append(follow(field(follow(field(value, 1)), 2)) + 4)
    return follow(field(root, 2)) + 4, tensors


def verdicts(data, suites):
    """Returns the runtime's verdicts: {(method, case, rtol, atol): passed}."""
    module = _load_bundled_program_from_buffer(data)
    found = {}
    for method, cases in suites.items():
        for i in range(len(cases)):
            for rtol, atol in TOLERANCES:
                try:
                    module.verify_result_with_bundled_expected_output(method, i, rtol, atol)
                    found[method, i, rtol, atol] = True
                except RuntimeError:
                    found[method, i, rtol, atol] = False
    return found


def record(program, method, inputs, folder):
    """Runs a method and keeps its recordings. Returns the options that name them; None: the runtime damages such files."""
    module = _load_for_executorch_from_buffer(program.buffer, enable_etdump=True, debug_buffer_size=1 << 20)
    outputs = module.run_method(method, inputs)
    if any(value.dtype in (torch.float16, torch.bfloat16) for value in outputs):
        return None
    folder.mkdir()
    module.write_etdump_result_to_file(str(folder / "run.etdp"), str(folder / "debug_buffer.bin"))
    return [folder / "run.etdp", "--debug_buffer_path", folder / "debug_buffer.bin"]


def verify_recorded(etinspect, what, program, suites, bundle, said):
    """The verdicts of `etinspect numerics --verify` on recorded runs are those of the runtime."""
    for method, cases in suites.items():
        for i, inputs in enumerate(cases):
            recorded = record(program, method, inputs, bundle.parent / f"{method}-{i}")
            for rtol, atol in TOLERANCES if recorded else []:
                command = [etinspect, "numerics", *recorded, "--reference", bundle, "--method", method]
                command += ["--testset", str(i), "--rtol", str(rtol), "--atol", str(atol), "--verify"]
                result = subprocess.run(command, capture_output=True, text=True)
                expect(
                    f"{what}: {method}, test case {i}, {rtol}, {atol}: exit status {result.returncode} {result.stderr}",
                    result.returncode == (0 if said[method, i, rtol, atol] else 1),
                )


def changed(outputs, by):
    """Returns floats with a relative error."""
    return [value * (1 + by) if value.is_floating_point() else value for value in outputs]


def run_method(module, method, inputs):
    outputs = getattr(module, method)(*inputs)
    return [value.detach() for value in (outputs if isinstance(outputs, (tuple, list)) else [outputs])]


def compare(etinspect, work, name, module, program, suites, form, by):
    """Makes one bundle for each side; their expected outputs are wrong by `by`."""
    what = f"{name}, {form}, wrong by {by}"
    folder = Path(tempfile.mkdtemp(dir=work))
    (folder / "model.pte").write_bytes(program.buffer)
    command = [etinspect, "bundle", folder / "model.pte", "-o", folder / "model.bpte"]
    config = []
    for method, cases in suites.items():
        made = []
        command += ["--method", method]
        for i, inputs in enumerate(cases):
            expected = changed(run_method(module, method, inputs), by)
            made.append(MethodTestCase(inputs=inputs, expected_outputs=expected))
            suffix = SUFFIXES[form]
            command += ["--inputs", save(folder / f"{method}-in{i}{suffix}", inputs, form)]
            command += ["--expected", save(folder / f"{method}-out{i}{suffix}", expected, form)]
        config.append(MethodTestSuite(method, made))
    result = subprocess.run(command, capture_output=True, text=True)
    expect(f"{what}: exit status {result.returncode} {result.stderr}", result.returncode == 0 and result.stderr == "")
    if result.returncode != 0:
        return
    ours = (folder / "model.bpte").read_bytes()
    at, tensors = places(ours)
    expect(f"{what}: alignment", at % 32 == 0 and all(place % 16 == 0 for place in tensors))
    ours_say = verdicts(ours, suites)
    if name == "channels last":
        expect(f"{what}: verdict", ours_say["forward", 0, 1e-3, 1e-5] == (by < 1e-3))
        return None
    theirs = serialize_from_bundled_program_to_flatbuffer(BundledProgram(program, config))
    expect(f"{what}: content", content(ours) == content(theirs))
    theirs_say = verdicts(theirs, suites)
    expect(f"{what}: verdicts {ours_say} {theirs_say}", ours_say == theirs_say)
    if form == "npz":
        verify_recorded(etinspect, what, program, suites, folder / "model.bpte", theirs_say)
    return theirs_say


# ---- verification ----------------------------------------------------------------------------------


class Identity(torch.nn.Module):
    """Returns its inputs, including NaN and infinities, so that a test can choose the outputs."""

    def forward(self, a, b, c, d):
        return a * 1, b * 1, c * 1, d * 1


OUTPUT_TYPES = [torch.float32, torch.float64, torch.float16, torch.int32]


def random_pair(rng, dtype, n, rtol, atol):
    """Returns (expected, output) whose elements are equal, near, at the limit, far, or not finite."""
    if not dtype.is_floating_point:
        output = torch.tensor([rng.randrange(-9, 9) for _ in range(n)], dtype=dtype)
        return output + (torch.tensor([rng.random() < 0.02 for _ in range(n)])).to(dtype), output
    special = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-9, 65504.0]
    output = [rng.choice(special) if rng.random() < 0.1 else rng.gauss(0, 10 ** rng.uniform(-3, 3)) for _ in range(n)]
    output = torch.tensor(output, dtype=torch.float64).to(dtype)
    wild, expected = rng.random() < 0.4, output.clone()
    for i in range(n):
        y = float(output[i])
        edge = atol + abs(rtol * y)
        kind = rng.random()
        if kind < 0.3:
            expected[i] = y + rng.choice([-1, 1]) * edge * rng.choice([0.5, 0.999999, 1.0] + [1.0000002, 1.01] * (rng.random() < 0.1))
        elif wild and kind < 0.35:
            expected[i] = rng.choice(special)
    return expected, output


def figures(pairs):
    """Returns the result of compute_method_output_error_stats() for these, if it supported the types."""
    sums, most, n = [0.0, 0.0], [0.0, 0.0], 0
    for expected, output in pairs:
        wide = numpy.float32 if expected.dtype == torch.float32 else numpy.float64
        e, y = expected.numpy().astype(wide), output.numpy().astype(wide)
        with numpy.errstate(all="ignore"):
            absolute = numpy.abs(y - e).astype(numpy.float64)
            largest = numpy.where(numpy.abs(y) < numpy.abs(e), numpy.abs(e), numpy.abs(y)).astype(numpy.float64)
            relative = absolute / numpy.where(largest < numpy.float64(numpy.float32(1e-8)), numpy.float64(numpy.float32(1e-8)), largest)
        for a, r in zip(absolute.tolist(), relative.tolist()):
            sums = [sums[0] + a, sums[1] + r]
            most = [a if most[0] < a else most[0], r if most[1] < r else most[1]]
        n += len(absolute)
    return [sums[0] / n, most[0], sums[1] / n, most[1]]


def is_near(a, b):
    return a == b or (a != a and b != b) or abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def verify_random(build, work, n_cases, seed):
    """Makes one bundle with all cases; each has separate expected outputs, at each tolerance."""
    rng = random.Random(seed)
    n = 16
    module = Identity()
    program = export(module, tuple(torch.zeros(n, dtype=dtype) for dtype in OUTPUT_TYPES))
    passed_and_failed = set()
    for number in range(n_cases):
        rtol, atol = rng.choice(TOLERANCES)
        pairs = [random_pair(rng, dtype, n, rtol, atol) for dtype in OUTPUT_TYPES]
        wanted = rng.random() < 0.6  # all types except one are right
        if wanted:
            only = rng.randrange(len(pairs))
            pairs = [pair if i == only else (pair[1].clone(), pair[1]) for i, pair in enumerate(pairs)]
        outputs = [output for _, output in pairs]
        case = MethodTestCase(inputs=outputs, expected_outputs=[expected for expected, _ in pairs])
        data = serialize_from_bundled_program_to_flatbuffer(BundledProgram(program, [MethodTestSuite("forward", [case])]))
        (work / "random.bpte").write_bytes(data)
        numpy.savez(work / "random.npz", *[output.numpy() for output in outputs])
        theirs = verdicts(data, {"forward": [0]})
        lines = "".join(f"0 {rtol!r} {atol!r}\n" for rtol, atol in TOLERANCES)
        command = [build / "verify_case", work / "random.bpte", "forward", work / "random.npz"]
        found = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        for (rtol, atol), line in zip(TOLERANCES, found):
            ours = json.loads(line)
            what = f"random case {number}, {rtol}, {atol}: {line}"
            expect(f"{what}: verdict", ours["passed"] == theirs["forward", 0, rtol, atol])
            expect(f"{what}: errors {figures(pairs)}", all(map(is_near, ours["errors"], figures(pairs))))
            expect(f"{what}: errors of the rows", all(map(is_near, ours["rows"][0]["errors"], figures(pairs[:1]))))
            passed_and_failed.add(ours["passed"])
    expect("random cases that pass and that fail", passed_and_failed == {True, False})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=Path)
    parser.add_argument("--cases", default=60, type=int)
    parser.add_argument("--seed", default=1, type=int)
    arguments = parser.parse_args()
    etinspect = str(arguments.build / "etinspect")
    seen = set()
    with tempfile.TemporaryDirectory() as work:
        for name, module, program, suites in models():
            for form in SUFFIXES:
                n_values = max(len(inputs) for cases in suites.values() for inputs in cases)
                if form == "npy" and (n_values > 1 or name == "types") or form == "safetensors" and not safetensors:
                    continue
                for by in (0.0, 1e-4, 0.1):
                    found = compare(etinspect, work, name, module, program, suites, form, by)
                    seen.update((found or {}).values())
        verify_random(arguments.build, Path(work), arguments.cases, arguments.seed)
    expect("cases that pass and cases that fail", seen == {True, False})
    print(f"bundled programs: {n_passed} passed, {n_failed} failed, 0 skipped")
    return n_failed > 0


sys.exit(main())
