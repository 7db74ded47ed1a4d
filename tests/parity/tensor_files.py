"""Compares etinspect's readers and writers of tensors with numpy, torch.save and the safetensors package.

    tensor_files.py [--build BUILD] [--cases 300] [--seed 1]

A case is a handful of random tensors: every type, up to five dimensions, empty ones too, of any layout. The packages write
them in each of their forms, and etinspect's reader must find the same bytes; the packages and etinspect must read the same
bytes from files that etinspect writes. Values that torch.save nests are compared as a whole. Ends in "tensor files: N
passed, N failed, 0 skipped"; each comparison of a file counts.
"""

import argparse
import collections
import json
import random
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy
import torch

try:
    import safetensors.numpy
    import safetensors.torch
except ImportError:
    safetensors = None

NUMPY_TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
TORCH_TYPES = [
    torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
    torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz,
]  # fmt: skip
NAMES = ["a", "block.0/3:native_call_add.out#0", "Ünïcode ☃", "with blank", ".hidden", "100%", "%2F", "a:b\\c", '"quoted"', "new\nline", "../up"]

n_passed = 0
failures = []


def expect(what, is_so):
    global n_passed
    n_passed += bool(is_so)
    if not is_so:
        failures.append(what)
        print(f"FAILED {what}")


# ---- random tensors --------------------------------------------------------------------------------


def random_shape(rng):
    return [rng.choice([0, 1, 1, 2, 3, 4, 5, 7] if rng.random() < 0.2 else [1, 2, 3, 4, 5, 7]) for _ in range(rng.choice([0, 1, 2, 2, 3, 4, 4, 5]))]


def random_bytes(rng, n, is_bool):
    return bytes(rng.getrandbits(1) for _ in range(n)) if is_bool else rng.randbytes(n)


def random_array(rng):
    """Returns a numpy array, which may be big-endian, in Fortran order, or strided."""
    dtype = numpy.dtype(rng.choice("<<<>") + rng.choice(NUMPY_TYPES))
    shape = random_shape(rng)
    count = int(numpy.prod(shape, dtype=numpy.int64))
    array = numpy.frombuffer(random_bytes(rng, count * dtype.itemsize, dtype.kind == "b"), dtype).reshape(shape)
    if rng.random() < 0.3:
        array = numpy.asfortranarray(array)
    if rng.random() < 0.2 and array.ndim > 1:
        array = array.transpose(rng.sample(range(array.ndim), array.ndim))
    return array


def random_tensor(rng):
    """Returns a torch tensor: dense, channels last, transposed, a slice, expanded, or one of several on one storage."""
    dtype = rng.choice(TORCH_TYPES)
    shape = random_shape(rng)
    count = int(numpy.prod(shape, dtype=numpy.int64))
    extra = rng.choice([0, 0, 3])
    data = bytearray(random_bytes(rng, (count + extra) * dtype.itemsize, dtype == torch.bool))
    flat = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
    tensor = flat[extra:].reshape(shape)
    layout = rng.random()
    if layout < 0.2 and tensor.dim() == 4 and dtype.itemsize in (4, 8) and dtype != torch.complex64:
        tensor = tensor.contiguous(memory_format=torch.channels_last)
    elif layout < 0.4 and tensor.dim() > 1:
        tensor = tensor.permute(rng.sample(range(tensor.dim()), tensor.dim()))
    elif layout < 0.5 and tensor.dim() > 0 and tensor.shape[0] > 1:
        tensor = tensor[1:]
    elif layout < 0.6 and tensor.dim() > 0 and tensor.shape[0] == 1:
        tensor = tensor.expand(3, *tensor.shape[1:])
    return tensor


def random_value(rng, depth=0):
    """Returns a value for torch.save: a tensor, a scalar, or a container of these."""
    kind = rng.random() if depth < 4 else 0.3 * rng.random()
    if kind < 0.5:
        return random_tensor(rng)
    if kind < 0.7:
        return rng.choice([None, True, False, 0, -1, 255, 256, 65536, -(2**31), 2**31, -(2**63), 2**63 - 1, 0.1, float("inf"), -0.0, "text", "ü"])
    items = [random_value(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind < 0.8:
        return items
    if kind < 0.9:
        return tuple(items)
    if kind < 0.93:
        return torch.nn.Parameter(torch.randn(2, 3), requires_grad=rng.random() < 0.5)
    return rng.choice([dict, collections.OrderedDict])((str(i), item) for i, item in enumerate(items))


# ---- tensors as JSON ---------------------------------------------------------------------------


def array_json(name, array):
    array = numpy.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))) if array.ndim else array.astype(array.dtype.newbyteorder("<"))
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape), "bytes": array.tobytes().hex()}


def tensor_json(name, tensor):
    tensor = tensor.detach().contiguous()
    data = tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
    return {"name": name, "dtype": str(tensor.dtype)[6:], "shape": list(tensor.shape), "bytes": data.hex()}


def value_json(value):
    if isinstance(value, torch.Tensor):
        return tensor_json("", value)
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, dict):
        return {"dict": [value_json(item) for pair in value.items() for item in pair]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [value_json(item) for item in value]}
    return value


def with_floats(value):
    """Spells hexadecimal floats as Python does."""
    if isinstance(value, dict) and list(value) == ["float"]:
        return {"float": float.fromhex(value["float"]).hex()}
    if isinstance(value, dict):
        return {key: with_floats(item) for key, item in value.items()}
    return [with_floats(item) for item in value] if isinstance(value, list) else value


# ---- comparisons ---------------------------------------------------------------------------------------


class Case:
    def __init__(self, tool, directory, label):
        self.tool, self.directory, self.label = tool, directory, label

    def run(self, *arguments):
        return subprocess.run([self.tool, *map(str, arguments)], capture_output=True, text=True)

    def expect_read(self, what, path, expected, *more):
        done = self.run("show", path, *more)
        found = with_floats(json.loads(done.stdout)) if done.returncode == 0 else done.stderr
        if isinstance(expected, list) and isinstance(found, list):
            expected, found = (sorted(side, key=lambda tensor: tensor["name"]) for side in (expected, found))
        expect(f"{self.label}: {what}: {done.stderr.strip()}", found == expected)

    def expect_saved(self, what, path, out):
        done = self.run("flatten" if what == "torch" else "save", path, out)
        expect(f"{self.label}: save {out.name} of {what}: {done.stderr.strip()}", done.returncode == 0)
        return done.returncode == 0

    def compare_written(self, what, path, expected, numpy_takes_all):
        """Checks all files that etinspect writes from the one at `path`, which holds `expected`."""
        if numpy_takes_all:
            out = self.directory / f"{what}-ours.npz"
            if self.expect_saved(what, path, out):
                with numpy.load(out) as arrays, zipfile.ZipFile(out) as archive:
                    found = [array_json(name, arrays[name]) for name in arrays.files]
                    expect(f"{self.label}: {out.name} as a ZIP", archive.testzip() is None)
                self.expect_same(f"numpy reads {out.name}", found, widened(expected))
                self.expect_read(f"we read {out.name}", out, widened(expected))
            out = self.directory / f"{what}-folder"
            if self.expect_saved(what, path, out):
                found = [array_json("", numpy.load(one)) for one in out.iterdir()]
                nameless = [{**tensor, "name": ""} for tensor in widened(expected)]
                self.expect_same(f"numpy reads {out.name}", found, nameless)
                self.expect_read(f"we read {out.name}", out, widened(expected))
        if safetensors is None:
            return
        out = self.directory / f"{what}-ours.safetensors"
        if self.expect_saved(what, path, out):
            loaded = safetensors.torch.load_file(out)
            self.expect_same(f"safetensors reads {out.name}", [tensor_json(*item) for item in loaded.items()], expected)
            self.expect_read(f"we read {out.name}", out, expected)

    def expect_same(self, what, found, expected):
        keys = [sorted(json.dumps(tensor, sort_keys=True) for tensor in side) for side in (found, expected)]
        expect(f"{self.label}: {what}", keys[0] == keys[1])


def widened(tensors):
    """Converts bfloat16 to float32, as in .npy files."""
    return [
        {**tensor, "dtype": "float32", "bytes": "".join("0000" + tensor["bytes"][i : i + 4] for i in range(0, len(tensor["bytes"]), 4))}
        if tensor["dtype"] == "bfloat16"
        else tensor
        for tensor in tensors
    ]


def names_of(rng, n):
    return rng.sample(NAMES, n)


def compare_numpy(case, rng):
    names = names_of(rng, rng.randrange(1, 5))
    arrays = {name: random_array(rng) for name in names}
    expected = [array_json(*item) for item in arrays.items()]
    for name, save in (("stored.npz", numpy.savez), ("deflated.npz", numpy.savez_compressed)):
        with zipfile.ZipFile(case.directory / name, "w", zipfile.ZIP_DEFLATED if save is numpy.savez_compressed else 0) as archive:
            for key, array in arrays.items():  # as savez does, whose keys are Python argument names
                with archive.open(f"{key}.npy", "w", force_zip64=True) as member:
                    numpy.lib.format.write_array(member, array, version=rng.choice([None, (1, 0), (2, 0), (3, 0)]))
        case.expect_read(name, case.directory / name, expected)
    save(case.directory / "by-savez.npz", **{f"k{i}": array for i, array in enumerate(arrays.values())})
    case.expect_read("by-savez.npz", case.directory / "by-savez.npz", [{**tensor, "name": f"k{i}"} for i, tensor in enumerate(expected)])
    path = case.directory / "one.npy"
    numpy.save(path, arrays[names[0]])
    case.expect_read("one.npy", path, [{**expected[0], "name": "one"}])
    case.compare_written("npz", case.directory / "deflated.npz", expected, True)


def compare_torch(case, rng):
    path = case.directory / "value.pt"
    value = random_value(rng)
    torch.save(value, path)
    case.expect_read("torch.save", path, value_json(value), "torch")
    tensors = [random_tensor(rng) for _ in range(rng.randrange(1, 5))]
    base = torch.arange(60, dtype=torch.float32)
    tensors += [base[3:27].reshape(2, 3, 4), base[::2], base]  # tensors that share a storage
    torch.save({"outputs": [tensors]}, path)
    expected = [tensor_json(str(i), tensor) for i, tensor in enumerate(tensors)]
    numpy_takes_all = all("float8" not in tensor["dtype"] and tensor["dtype"] != "complex64" for tensor in expected)
    case.compare_written("torch", path, expected, numpy_takes_all)
    # As a file of tensors: by key, by position, and lists by both.
    names = rng.sample(NAMES, len(tensors)) if len(tensors) <= len(NAMES) else [str(i) for i in range(len(tensors))]
    path = case.directory / "tensors.pt"
    for kind, saved, of_tensors in (
        ("dict", dict(zip(names, tensors)), names), ("ints", dict(enumerate(tensors)), range(len(tensors))), ("tuple", tuple(tensors), range(len(tensors))),
        ("lists", {"outputs": tensors}, [f"outputs#{i}" for i in range(len(tensors))]), ("one", tensors[0], ["tensors"]),  # named after its file
    ):
        torch.save(saved, path)
        case.expect_read(f"a file of tensors, {kind}", path, [tensor_json(str(name), tensor) for name, tensor in zip(of_tensors, tensors)])


def compare_safetensors(case, rng):
    path = case.directory / "peer.safetensors"
    tensors = {name: random_tensor(rng).contiguous().clone() for name in names_of(rng, rng.randrange(1, 5))}
    safetensors.torch.save_file(tensors, path, metadata=rng.choice([None, {"format": "pt", "note": "ü"}]))
    expected = [tensor_json(*item) for item in tensors.items()]
    case.expect_read("peer.safetensors", path, expected)
    case.compare_written("safetensors", path, expected, False)


def compare_large(tool, directory):
    """A state dict with more than 256 values in the memo, and ten thousand arrays."""
    case = Case(tool, directory, "large")
    state = collections.OrderedDict((f"layer{i}.weight", torch.full((2, 3), float(i))) for i in range(3000))
    torch.save(state, directory / "state.pt")
    case.expect_read("3000 tensors of torch.save", directory / "state.pt", value_json(state), "torch")
    arrays = {f"{i}": numpy.full((3,), i) for i in range(10000)}
    numpy.savez(directory / "many.npz", **arrays)
    expected = [array_json(*item) for item in arrays.items()]
    case.expect_read("10000 arrays", directory / "many.npz", expected)
    expect("large: save 10000 arrays", case.run("save", directory / "many.npz", directory / "ours.npz").returncode == 0)
    with numpy.load(directory / "ours.npz") as found:
        case.expect_same("numpy reads 10000 arrays", [array_json(name, found[name]) for name in found.files], expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tool = (arguments.build / "tensor_files").resolve()
    work = Path(tempfile.mkdtemp())
    for number in range(arguments.cases):
        rng = random.Random(f"{arguments.seed}/{number}")
        torch.manual_seed(number)
        directory = work / str(number)
        directory.mkdir()
        case = Case(tool, directory, f"seed {arguments.seed}, case {number}")
        n_failed = len(failures)
        compare_numpy(case, rng)
        compare_torch(case, rng)
        if safetensors is not None:
            compare_safetensors(case, rng)
        if len(failures) == n_failed:
            shutil.rmtree(directory)
    compare_large(tool, work)
    if failures:
        print(f"the files of cases that failed are in {work}")
    else:
        shutil.rmtree(work)
    skipped = "" if safetensors is not None else "; the safetensors package is not there"
    print(f"tensor files: {n_passed} passed, {len(failures)} failed, 0 skipped{skipped}")
    return bool(failures)


if __name__ == "__main__":
    raise SystemExit(main())
