"""Compares the metrics of pairs of random tensors with the Inspector's comparators and numpy.

    tensor_metrics.py [--build BUILD] [--cases 2000] [--seed 1]

A case is a pair of tensors of any types that numpy or safetensors has, row-major or not, whose difference is small, large, or none,
with NaN, infinities, subnormals and the largest numbers in some. gap_mse, gap_l1 and gap_snr come from the Inspector's MSEComparator,
L1Comparator and SNRComparator; the other metrics are computed by numpy, in extended precision, from their definitions. All
must agree to 1e-9. Ends in "tensor metrics: N passed, N failed, 0 skipped".
"""

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

import numpy
import torch
from executorch.devtools.inspector.numerical_comparator import L1Comparator, MSEComparator, SNRComparator

try:
    import safetensors.torch
except ImportError:
    safetensors = None

FLOATS = [torch.float32, torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool]
# Range in which 32 bits of an integer count for each float type: its width, as in numpy.
WHOLES = {torch.float16: torch.int16, torch.bfloat16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}
RTOL, ATOL = 1e-3, 1e-5


# ---- random pairs ----------------------------------------------------------------------------------


def random_shape(rng):
    shape = rng.choice([1, 2, 3, 5, 8, 17], rng.integers(0, 5)).tolist()
    if rng.random() < 0.1:
        shape = [int(rng.integers(900, 5000))]
    return shape


def random_base(rng, dtype):
    shape = random_shape(rng)
    if dtype == torch.bool:
        return torch.from_numpy(numpy.asarray(rng.random(shape) < 0.5))
    if dtype in INTEGERS:
        info = torch.iinfo(dtype)
        large = rng.random() < 0.3
        return torch.from_numpy(numpy.asarray(rng.integers(info.min if large else max(info.min, -9), info.max if large else 9, shape))).to(dtype)
    scale = 10.0 ** rng.integers(-3, 4)
    if dtype == torch.float64 and rng.random() < 0.2:
        scale = 10.0 ** int(rng.choice([-320, -200, -160, 150, 160, 300]))
    if dtype == torch.float32 and rng.random() < 0.1:
        scale = 10.0 ** int(rng.choice([-44, -30, 25, 37]))
    return (torch.from_numpy(numpy.asarray(rng.standard_normal(shape))) * scale).to(dtype)


def spoil(rng, tensor):
    """Makes some elements NaN or infinite."""
    flat = tensor.reshape(-1).clone()
    for value in (math.nan, math.inf, -math.inf):
        if rng.random() < 0.4 and flat.numel():
            flat[torch.from_numpy(rng.random(flat.numel()) < 0.2)] = value
    return flat.reshape(tensor.shape)


def random_pair(rng):
    dtype = [FLOATS, FLOATS, INTEGERS][rng.integers(3)]
    dtype = dtype[rng.integers(len(dtype))]
    base = random_base(rng, dtype)
    other = dtype if rng.random() < 0.7 else (FLOATS + INTEGERS)[rng.integers(11)]
    kind = rng.random()
    if kind < 0.2:
        newer = base.to(other)
    elif kind < 0.7 and dtype in FLOATS:
        noise = torch.from_numpy(numpy.asarray(rng.standard_normal(list(base.shape)))) * 10.0 ** rng.integers(-9, 1)
        newer = (base.double() * (1 + noise)).to(other)
    else:
        newer = random_base(rng, other)
        newer = newer.reshape(-1).repeat(base.numel())[: base.numel()].reshape(base.shape) if newer.numel() else base.to(other)
    if rng.random() < 0.25:
        base = spoil(rng, base) if base.is_floating_point() else base
        newer = spoil(rng, newer) if newer.is_floating_point() and rng.random() < 0.7 else newer
    return base.contiguous(), newer.contiguous()


# ---- expected values ---------------------------------------------------------------------------


def ordered(tensor):
    """Numbers floats in their order."""
    bits = tensor.view(WHOLES[tensor.dtype]).reshape(-1).tolist()
    half = 1 << (8 * tensor.element_size() - 1)
    return [bit if bit >= 0 else -(bit + half) for bit in bits]


def wide(tensor):
    """Converts to numpy's extended precision, which holds every element."""
    if tensor.is_floating_point():
        return tensor.double().numpy().astype(numpy.longdouble).reshape(-1)
    return tensor.numpy().astype(numpy.longdouble).reshape(-1)


def decibels(ratio):
    with numpy.errstate(all="ignore"):
        return float(10 * numpy.log10(ratio))


def without_same_infinities(a, b):
    """Returns mse, l1 and snr without the pairs of the same infinity, with 0 for NaN."""
    counted = ~(numpy.isinf(a) & (a == b))
    a, b = (numpy.where(numpy.isnan(side), 0, side)[counted] for side in (a, b))
    if numpy.isinf(a).any() or numpy.isinf(b).any():
        return {"mse": math.inf, "l1": math.inf, "snr": -math.inf}
    d = abs(a - b)
    if not d.any():
        return {"mse": 0.0, "l1": 0.0, "snr": math.inf}
    with numpy.errstate(all="ignore"):
        return {"mse": float((d * d).mean()), "l1": float(d.sum()), "snr": decibels((a * a).sum() / (d * d).sum())}


def expected(base, newer):
    gap = {f"gap_{name}": comparator.element_compare(base.clone(), newer.clone()) for name, comparator in
           (("mse", MSEComparator()), ("l1", L1Comparator()), ("snr", SNRComparator()))}  # fmt: skip
    a, b = wide(base), wide(newer)
    gap |= without_same_infinities(a, b)
    finite = numpy.isfinite(a) & numpy.isfinite(b)
    matches = (a == b) | (numpy.isnan(a) & numpy.isnan(b))
    with numpy.errstate(all="ignore"):
        d = numpy.abs(a - b)
        close = matches | (finite & (d <= numpy.longdouble(ATOL) + numpy.longdouble(RTOL) * numpy.abs(a)))
    out = gap | {
        "pairs": int(finite.sum()),
        "mismatched": int((~close).sum()),
        "nan_base": int(numpy.isnan(a).sum()),
        "nan_new": int(numpy.isnan(b).sum()),
        "inf_base": int(numpy.isinf(a).sum()),
        "inf_new": int(numpy.isinf(b).sum()),
        "identical": base.dtype == newer.dtype and base.view(-1).view(torch.uint8).equal(newer.view(-1).view(torch.uint8)),
    }
    names = ("max_abs", "mean_abs", "rmse", "max_rel", "cosine", "psnr", "ulp_max")
    if not finite.any():
        return out | dict.fromkeys(names, math.nan)
    where = numpy.flatnonzero(finite)
    a, b, d = a[finite], b[finite], d[finite]
    with numpy.errstate(all="ignore"):
        noise = (d * d).mean()
        out["max_abs"] = float(d.max())
        out["mean_abs"] = float(d.mean())
        out["rmse"] = float(numpy.sqrt(noise))
        out["max_rel"] = float((d / numpy.maximum(numpy.maximum(abs(a), abs(b)), numpy.longdouble(1e-8))).max())
        out["cosine"] = float((a * b).sum() / (numpy.sqrt((a * a).sum()) * numpy.sqrt((b * b).sum())))
        out["psnr"] = decibels(abs(a).max() ** 2 / noise)
    out["max_abs_at"] = int(where[d.astype(numpy.float64).argmax()])  # as far as doubles differ
    out["ulp_max"] = math.nan
    if base.dtype == newer.dtype and base.is_floating_point():
        pairs = list(zip(ordered(base), ordered(newer)))
        out["ulp_max"] = float(max(abs(pairs[i][0] - pairs[i][1]) for i in where))
    return out


def equal(name, ours, wanted):
    ours = float(ours) if isinstance(ours, str) else ours
    if isinstance(wanted, (bool, int)):
        return ours == wanted
    if math.isnan(wanted) or math.isinf(wanted):
        return ours == wanted or (math.isnan(wanted) and math.isnan(ours))
    # near 0 decibels, and for vectors that are nearly orthogonal, the remainder of larger terms
    floor = {"snr": 1, "gap_snr": 1, "psnr": 1, "cosine": 1e-6}.get(name, 0)
    return abs(ours - wanted) <= 1e-9 * max(abs(wanted), floor)


# ---- asking ----------------------------------------------------------------------------------------


def is_numpys(*tensors):
    return all(tensor.dtype != torch.bfloat16 for tensor in tensors)


def save(pairs, side, work, rng):
    """Writes tensors of numpy's types to an .npz, some in Fortran order, and all others with safetensors."""
    files = []
    arrays = {str(i): pair[side].numpy() for i, pair in pairs.items() if is_numpys(*pair)}
    arrays = {name: numpy.asfortranarray(array) if array.ndim and rng.random() < 0.3 else array for name, array in arrays.items()}
    numpy.savez(work / f"{side}.npz", **arrays)
    files.append((work / f"{side}.npz", [int(name) for name in arrays]))
    rest = {str(i): pair[side] for i, pair in pairs.items() if not is_numpys(*pair)}
    if safetensors and rest:
        path = work / f"{side}.safetensors"
        safetensors.torch.save_file(rest, path)
        files.append((path, names_in(path)))
    return files


def names_in(path):
    data = path.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return [int(name) for name in header if name != "__metadata__"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = numpy.random.default_rng(options.seed)
    pairs = {i: random_pair(rng) for i in range(options.cases)}
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="metrics-") as work:
        sides = [save(pairs, side, Path(work), rng) for side in (0, 1)]
        for (base, numbers), (newer, new_numbers) in zip(*sides):
            # safetensors orders names by their types, which may differ
            found = answers(options.build, base, newer) if numbers == new_numbers else one_by_one(options.build, pairs, numbers, Path(work))
            for number, ours in zip(numbers, found, strict=True):
                wanted = expected(*pairs[number])
                wrong = [name for name, value in wanted.items() if not equal(name, ours[name], value)]
                passed += not wrong
                failed += bool(wrong)
                for name in wrong[:2]:
                    types = " ".join(str(tensor.dtype) for tensor in pairs[number])
                    print(f"FAILED seed {options.seed} pair {number} ({types}): {name} is {ours[name]}, expected {wanted[name]}")
    print(f"tensor metrics: {passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def answers(build, base, newer):
    done = subprocess.run([build / "tensor_metrics", base, newer, str(RTOL), str(ATOL)], capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def one_by_one(build, pairs, numbers, work):
    out = []
    for number in numbers:
        for side in (0, 1):
            safetensors.torch.save_file({"x": pairs[number][side]}, work / f"one{side}.safetensors")
        out += answers(build, work / "one0.safetensors", work / "one1.safetensors")
    return out


if __name__ == "__main__":
    raise SystemExit(main())
