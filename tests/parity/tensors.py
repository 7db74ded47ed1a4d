"""Compares recorded tensors, their statistics and saved files with numpy's.

    tensors.py [--build BUILD]

Dumps are those of testdata/, those of numerics.py, if it ran, and those of models that are exported and run here: with NaN
and infinities, channels last, quantized, with integers and booleans. The tensors of a dump are found in flatc's JSON of it
and read by numpy by their own strides, which shares nothing with etinspect. Every tensor of every run must be listed, and
every number of it be equal. Saved as .npz, .safetensors and folder, by event and by handle, each must be what numpy.load()
and safetensors read, bit by bit; and each must be a reference of which `numerics` finds every tensor identical. For models
that make NaN and infinities, the expected lines that name the first ones are known; so is the message for a model with
float16, which the runtime cannot record. Ends in "tensors: N passed, N failed, 0 skipped"; a case is a dump.
"""

import argparse
import hashlib
import itertools
import json
import math
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote

import numpy

TOP = Path(__file__).resolve().parents[2]
DTYPES = {
    "Byte": ("uint8", "u1"),
    "Char": ("int8", "i1"),
    "Short": ("int16", "<i2"),
    "Int": ("int32", "<i4"),
    "Long": ("int64", "<i8"),
    "Float": ("float32", "<f4"),
    "Double": ("float64", "<f8"),
    "Bool": ("bool", "?"),
    "Bits16": ("uint16", "<u2"),
    "UInt16": ("uint16", "<u2"),
    "BYTE": ("uint8", "u1"),
    "CHAR": ("int8", "i1"),
    "SHORT": ("int16", "<i2"),
    "INT": ("int32", "<i4"),
    "LONG": ("int64", "<i8"),
    "FLOAT": ("float32", "<f4"),
    "DOUBLE": ("float64", "<f8"),
    "BOOL": ("bool", "?"),
    "BITS16": ("uint16", "<u2"),
    "UINT16": ("uint16", "<u2"),
}
TOLERANCE = 1e-12
LEAST_ROUND_TRIPS = 20
round_trips = []  # dumps whose saved tensors were compared


# ---------------------------------------------------------------- results of numpy


def tensors_of(dump, work):
    """Returns the tensors of all runs, as in flatc's JSON."""
    command = ["flatc", "--json", "--strict-json", "--defaults-json", "--raw-binary", "--size-prefixed", "-o", work]
    subprocess.run([*command, TOP / "schema/etdump.fbs", "--", dump], check=True, capture_output=True)
    path = work / (dump.stem + ".json")
    tensors = []
    for run in json.loads(path.read_text(errors="replace"))["run_data"]:
        for event in run.get("events", []):
            value = event.get("debug_event", {}).get("debug_entry", {})
            tensors += [value["tensor"]] if "tensor" in value else value.get("tensor_list", {}).get("tensors", [])
    return tensors


def read_tensor(tensor, buffer):
    """Returns the name of the type, the stored bytes, and the elements in row-major order."""
    name, code = DTYPES[tensor.get("scalar_type", "Byte")]
    sizes = tensor["sizes"]
    count = math.prod(sizes)
    width = numpy.dtype(code).itemsize
    offset = tensor.get("offset", 0)
    raw = buffer[offset : offset + count * width] if count else b""
    flat = numpy.frombuffer(raw, code)
    strides = tensor.get("strides") or numpy.zeros(sizes, "u1").strides
    values = numpy.lib.stride_tricks.as_strided(flat, sizes, [stride * width for stride in strides])
    return name, raw, values


def expect(tensor, buffer):
    name, raw, values = read_tensor(tensor, buffer)
    wide = values.astype(numpy.float64).reshape(-1)
    finite = wide[numpy.isfinite(wide)]
    row = {
        "dtype": name,
        "shape": str(tensor["sizes"]),
        "bytes": len(raw),
        "offset": tensor.get("offset", 0),
        "nan": int(numpy.isnan(wide).sum()),
        "inf": int(numpy.isinf(wide).sum()),
        "zero": float((wide == 0).mean()) if len(wide) else None,
        "sha256": hashlib.sha256(raw).hexdigest() if raw else None,
        "values": wide[:8].tolist() if raw else None,
    }
    names = ("min", "max", "mean", "std", "absmax", "p1", "p99", "histogram")
    if len(finite) == 0:
        return row | dict.fromkeys(names)
    numbers = [finite.min(), finite.max(), math.fsum(finite) / len(finite), deviation(finite), abs(finite).max()]
    percentiles = numpy.percentile(finite, [1, 99])
    histogram = numpy.histogram(finite, 16)[0].tolist()
    return row | dict(zip(names, [*map(float, [*numbers, *percentiles]), histogram]))


def deviation(finite):
    """Computes the mean exactly, where a mean in double would be inexact."""
    mean = numpy.longdouble(math.fsum(finite)) / len(finite)
    distances = finite.astype(numpy.longdouble) - mean
    return numpy.sqrt((distances * distances).mean())


# ---------------------------------------------------------------- results of etinspect


# Origins of each model's NaN and infinities: a regular expression for each line.
NOTES = {
    "logarithms": (
        r"first NaN: native_call_log\.out, instruction 0 \(2 of 6 elements\), .*tensors\.py:\d+$",
        r"first Inf: native_call_log\.out, instruction 0 \(1 of 6 elements\), .*tensors\.py:\d+$",
    ),
    "overflows": (
        r"first NaN: native_call_sub\.out, instruction 1 \(3 of 6 elements\), .*tensors\.py:\d+; its input has none$",
        r"first Inf: native_call_exp\.out, instruction 0 \(3 of 6 elements\), .*tensors\.py:\d+$",
    ),
    # 1e300 is converted to a float first
    "integers": (r"first NaN: none$", r"first Inf: native_call__to_dim_order_copy\.out, instruction 6 \(1 of 1 elements\), .*py:\d+"),
    "carried": (
        r"first NaN: native_call_mul\.out, instruction 5 \(2 of 6 elements\), .*tensors\.py:\d+; its inputs have none$",
        r"first Inf: native_call_reciprocal\.out, instruction 0 \(2 of 6 elements\), .*tensors\.py:\d+$",
    ),
}


def compare_notes(name, notes, rows):
    """Returns the difference in the lines below the table, or None."""
    expected = NOTES.get(name) or [first_with(word, rows) for word in ("NaN", "Inf")]
    for line, pattern in zip(notes, expected, strict=True):
        if not re.match(pattern, line):
            return f"{line!r}, expected {pattern}"
    return None


def first_with(word, rows):
    """Returns the line for rows in their order. Inputs of a delegate come from elsewhere."""
    row = next((row for row in rows if row[word.lower()] and row["role"] == "output"), None)
    if row is None:
        return f"first {word}: none$"
    n = math.prod(json.loads(row["shape"]))
    return rf"first {word}: {re.escape(row['event_name'])}, instruction {row['instruction']} \({row[word.lower()]} of {n} elements\)"


def listed(build, folder):
    """Returns the rows and the lines below them."""
    record = folder / "record.etrecord"
    command = [build / "etinspect", "tensors", "--run", "all", "--columns", "all", "-f", "json"]
    inputs = ["--debug_buffer_path", folder / "debug_buffer.bin", folder / "run.etdp", *([record] if record.exists() else [])]
    done = subprocess.run([*command, *inputs], capture_output=True, check=True)
    report = json.loads(done.stdout)
    return report["tables"]["tensors"], [note["text"] for note in report["notes"]]


def equal(ours, expected, scale):
    if isinstance(expected, list) and isinstance(ours, list):
        return len(ours) == len(expected) and all(equal(*pair, scale) for pair in zip(ours, expected))
    if isinstance(expected, float) and not math.isfinite(expected):
        return ours == ("NaN" if math.isnan(expected) else "Infinity" if expected > 0 else "-Infinity")  # JSON has no such numbers
    if expected is None or ours is None or isinstance(expected, str):
        return ours == expected
    return abs(ours - expected) <= TOLERANCE * max(abs(expected), scale)


# ---------------------------------------------------------------- saved tensors


def saved(build, folder, path, *options):
    """Returns names and arrays of the file, in its order."""
    record = folder / "record.etrecord"
    command = [build / "etinspect", "tensors", "--run", "all", "-f", "csv", "-o", "/dev/null", "--save", path, *options]
    inputs = ["--debug_buffer_path", folder / "debug_buffer.bin", folder / "run.etdp", *([record] if record.exists() else [])]
    subprocess.run([*command, *inputs], capture_output=True, check=True)
    if path.suffix == ".npz":
        with numpy.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    if path.suffix == ".safetensors":
        from safetensors.numpy import load_file

        return load_file(path)
    files = {unquote(file.name.removesuffix(".npy")): file for file in path.iterdir()}
    return {name: numpy.load(file, allow_pickle=False) for name, file in files.items()}


def key_of(row):
    run = f"{row['block']}.{row['run']}/"
    if row["role"] == "run output":
        return f"{run}output#{row['output']}"
    instruction = "-" if row["instruction"] is None else row["instruction"]
    return f"{run}{instruction}:{row['event_name']}#{row['output']}"


def with_repetitions(keys):
    """The second tensor with a name is called name~2."""
    seen = {}
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        yield key if seen[key] == 1 else f"{key}~{seen[key]}"


def is_same(array, expected):
    return array.dtype == expected.dtype and array.shape == expected.shape and array.tobytes() == expected.tobytes()


def compare_saved(build, folder, rows, expected, work):
    """Returns the first difference in files of all tensors, or None. `expected` are arrays of `rows`."""
    wanted = dict(zip(with_repetitions(map(key_of, rows)), expected))
    shutil.rmtree(work / "saved", ignore_errors=True)
    (work / "saved").mkdir()
    for name in ("all.npz", "all.safetensors", "all"):
        found = saved(build, folder, work / "saved" / name)
        if found.keys() != wanted.keys():
            return f"{name}: names {sorted(found.keys() ^ wanted.keys())}"
        for key, array in wanted.items():
            if not is_same(found[key], array):
                return f"{name}: {key}"
    return compare_by_handle(build, folder, rows, expected, work)


def compare_by_handle(build, folder, rows, expected, work):
    """Returns the first difference in a file by handle, or None: each tensor belongs to its node, and numerics finds it
    again."""
    candidates = {}
    for row, array in zip(rows, expected):
        for handle in row["debug_handles"] or [] if row["source_node"] else []:
            candidates.setdefault((str(handle), row["source_node"]), []).append(array)
    if not candidates:
        return None
    for key, array in saved(build, folder, work / "saved/by-handle.npz", "--key", "handle").items():
        key = key.split("/handle:")[-1]  # of several runs
        handle, rest = key.split(":", 1)
        node = rest.rsplit("#", 1)[0]
        if not any(is_same(array, candidate) for candidate in candidates.get((handle, node), [])):
            return f"by handle: {key}"
    return compare_round_trip(build, folder, rows[0]["block"], work)


def compare_round_trip(build, folder, block, work):
    """Returns the first value that is not identical when a run is compared with its saved tensors, or None."""
    inputs = ["--debug_buffer_path", folder / "debug_buffer.bin", folder / "run.etdp", folder / "record.etrecord"]
    for key, name in itertools.product(("handle", "event"), ("one.npz", "one.safetensors", "one")):
        path = work / "saved" / f"{key}-{name}"
        saved(build, folder, path, "--key", key, "--run", "0", "--block", block)
        command = [build / "etinspect", "numerics", "--reference", path, "--block", block, "--columns", "all", "-f", "json"]
        compared = json.loads(subprocess.run([*command, *inputs], capture_output=True, check=True).stdout)["tables"]["numerics"]
        if key == "handle":  # a part that outputs of the run lack
            compared = [row for row in compared if row["source_node"]]
        wrong = [row for row in compared if row["identical"] is not True]
        if wrong or not compared:
            return f"{path.name}: {wrong[0] if wrong else 'nothing'} is not identical"
    round_trips.append(folder.name)
    return None


def compare(build, folder, work):
    """Returns the number of tensors, and the first difference, or None."""
    data = (folder / "debug_buffer.bin").read_bytes()
    tensors = sorted(tensors_of(folder / "run.etdp", work), key=lambda tensor: tensor.get("offset", 0))
    expected = [expect(tensor, data) for tensor in tensors]
    listing, notes = listed(build, folder)
    rows = sorted(listing, key=lambda row: row["offset"])
    if len(rows) != len(expected):
        return len(expected), f"{len(rows)} rows, expected {len(expected)}"
    for row, wanted in zip(rows, expected):
        for name, value in wanted.items():
            # a mean near 0 is the rounding error of much larger elements
            scale = 1e-4 * (wanted["absmax"] or 0) if name == "mean" else 0
            if not equal(row[name], value, scale):
                return len(expected), f"offset {row['offset']}: {name} is {row[name]}, expected {value}"
    arrays = {id(row): read_tensor(tensor, data)[2] for row, tensor in zip(rows, tensors)}
    difference = compare_notes(folder.name, notes, listing)
    return len(expected), difference or compare_saved(build, folder, listing, [arrays[id(row)] for row in listing], work)


# ---------------------------------------------------------------- models


def models():
    """Yields name, model, inputs, whether it is quantized."""
    import torch
    from torch import nn

    class Logarithms(nn.Module):
        def forward(self, x):
            return torch.log(x) + 1

    class Overflows(nn.Module):
        def forward(self, x):
            y = torch.exp(x)
            return y - y

    class Carried(nn.Module):
        def forward(self, x):
            return (1 / x) * (x * 0)

    class Integers(nn.Module):
        def forward(self, x):
            top, at = torch.topk(x, 3)
            return top, at, (x > 0), at.to(torch.int32) * 3, x.to(torch.float64) * 1e300

    class ChannelsLast(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 6, 3)

        def forward(self, x):
            return torch.relu(self.conv(x.to(memory_format=torch.channels_last))).clone(memory_format=torch.channels_last)

    class Lstm(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 8)

        def forward(self, x):
            return self.lstm(x)[0]

    torch.manual_seed(0)
    with_negatives = torch.tensor([[-1.0, 2.0, 0.0], [4.0, -5.0, 6.0]])
    convolutions = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 5))
    return [
        ("logarithms", Logarithms(), (with_negatives,), False),
        ("overflows", Overflows(), (with_negatives * 100,), False),
        ("carried", Carried(), (torch.tensor([[1.0, 0.0, 2.0], [3.0, 0.0, 4.0]]),), False),
        ("two-inputs", nn.Sequential(nn.Linear(7, 5), nn.Tanh()), (torch.randn(2, 7),), False),
        ("integers", Integers(), (torch.randn(4, 7),), False),
        ("channels-last", ChannelsLast(), (torch.randn(1, 3, 6, 5),), False),
        ("lstm", Lstm(), (torch.randn(5, 1, 4),), False),
        ("convolutions", convolutions, (torch.randn(1, 3, 8, 8),), False),
        ("large", nn.Sequential(nn.Linear(300, 700), nn.GELU(), nn.Linear(700, 300)), (torch.randn(40, 300) * 1e3,), False),
        ("quantized", nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), (torch.randn(3, 16),), True),
    ]


def quantize(model, inputs):
    import torch
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    prepared = prepare_pt2e(
        torch.export.export(model.eval(), inputs).module(), XNNPACKQuantizer().set_global(get_symmetric_quantization_config())
    )
    prepared(*inputs)
    return convert_pt2e(prepared)


def record(directory, model, inputs, is_quantized):
    """Runs the model in ExecuTorch's runtime with a debug buffer."""
    import executorch.kernels.quantized  # noqa: F401  its operators
    import torch
    from executorch.exir import to_edge
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    directory.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        exported = torch.export.export(quantize(model, inputs) if is_quantized else model.eval(), inputs)
    edge = to_edge(exported, generate_etrecord=True)
    program = edge.to_executorch()
    module = load(program.buffer, enable_etdump=True, debug_buffer_size=1 << 22)
    module.run_method("forward", inputs)
    if directory.name == "two-inputs":
        module.run_method("forward", tuple(3 - value for value in inputs))
    module.write_etdump_result_to_file(str(directory / "run.etdp"), str(directory / "debug_buffer.bin"))
    program.get_etrecord().save(str(directory / "record.etrecord"))


def check_half(build, directory):
    """Returns the difference in the message about a dump that the runtime damaged, or None."""
    import torch
    from torch import nn

    if not (directory / "run.etdp").exists():
        model = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).half()
        record(directory, model, (torch.ones(1, 4, dtype=torch.float16),), False)
    for command in ("tensors", "check", "summary"):
        done = subprocess.run([build / "etinspect", command, directory / "run.etdp"], capture_output=True, text=True)
        if done.returncode != 3 or "float16 or bfloat16 tensors" not in done.stderr or len(done.stderr.splitlines()) != 1:
            return f"{command}: exit status {done.returncode}, {done.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    options = parser.parse_args()
    build = options.build.resolve()
    made = build / "recorded"
    for name, *model in models():
        if not (made / name / "record.etrecord").exists():
            record(made / name, *model)
    folders = sorted(path.parent for root in (TOP / "testdata", made) for path in root.glob("*/debug_buffer.bin"))
    folders += sorted(path.parent for way in ("portable", "xnnpack", "int8") for path in build.glob(f"numerics/[!f]*-{way}/debug_buffer.bin"))
    failures, n_tensors = [], 0
    with tempfile.TemporaryDirectory(prefix="tensors-") as work:
        for folder in folders:
            n, difference = compare(build, folder, Path(work))
            n_tensors += n
            if difference:
                failures.append(f"FAILED {folder.name}: {difference}")
    difference = check_half(build, build / "damaged/half")
    if difference:
        failures.append(f"FAILED half: {difference}")
    if len(round_trips) < LEAST_ROUND_TRIPS:
        failures.append(f"FAILED round trips: {len(round_trips)}, of {LEAST_ROUND_TRIPS} at least")
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"{n_tensors} tensors of {len(folders)} dumps; {len(round_trips)} of them identical to what was saved, 6 ways")
    print(f"tensors: {len(folders) + 2 - len(failures)} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
