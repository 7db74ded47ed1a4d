"""Compares --compare_results with the output of the Inspector's compare_results().

    compare_results.py [--build BUILD]

The models of tensors.py are exported with a test case whose expected outputs are slightly wrong, run, and compared; and so
is testdata/. The text must be the same, except for digits beyond the precision of a float. Ends in "compare_results: N
passed, N failed, 0 skipped".
"""

import argparse
import contextlib
import io
import itertools
import subprocess
import warnings
from pathlib import Path

import tensors
import torch
from executorch.devtools import BundledProgram, Inspector
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.inspector import compare_results

TOP = Path(__file__).resolve().parents[2]
# Relative errors of expected outputs.
NOISES = (0, 1e-6, 1e-2, 3)


def move(value, noise):
    """Returns a slightly changed tensor."""
    if value.is_floating_point():
        return value * (1 + noise * torch.randn(value.shape))
    return value if noise < 1 else value + torch.ones_like(value)


def export(folder, model, inputs, is_quantized, noise):
    import executorch.kernels.quantized  # noqa: F401  its operators
    from executorch.exir import to_edge
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    folder.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        exported = torch.export.export(tensors.quantize(model, inputs) if is_quantized else model.eval(), inputs)
        outputs = exported.module()(*inputs)
    expected = [move(value, noise).contiguous() for value in (outputs if isinstance(outputs, tuple) else (outputs,))]
    program = to_edge(exported, generate_etrecord=True).to_executorch()
    case = MethodTestCase(inputs=inputs, expected_outputs=expected)
    record = program.get_etrecord()
    record.update_representative_inputs(BundledProgram(program, [MethodTestSuite("forward", [case])]))
    record.update_reference_outputs({"forward": [expected]})
    record.save(str(folder / "record.etrecord"))
    module = load(program.buffer, enable_etdump=True, debug_buffer_size=1 << 22)
    module.run_method("forward", inputs)
    module.write_etdump_result_to_file(str(folder / "run.etdp"), str(folder / "debug_buffer.bin"))


def unscramble(value):
    """The Inspector reads elements as if they were in row-major order."""
    n, c, h, w = value.shape
    return value.reshape(n, h, w, c).permute(0, 3, 1, 2)


def printed_by_inspector(folder):
    paths = {"etdump_path": "run.etdp", "etrecord": "record.etrecord", "debug_buffer_path": "debug_buffer.bin"}
    inspector = Inspector(**{name: str(folder / path) for name, path in paths.items()})
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for block in inspector.event_blocks:
            if block.name == "Execute":
                outputs = [unscramble(value) for value in block.run_output] if "channels-last" in folder.name else block.run_output
                compare_results(block.reference_output, outputs)
    return out.getvalue()


def printed_by_us(build, folder):
    command = [build / "etinspect", folder / "run.etdp", folder / "record.etrecord", "--debug_buffer_path", folder / "debug_buffer.bin"]
    table = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    done = subprocess.run([*command, "--compare_results"], capture_output=True, text=True)
    return done.stdout.removeprefix(table) if done.returncode == 0 else done.stderr


def same(theirs, ours):
    """In numbers with more digits than a float has, the last ones depend on torch's order of addition."""
    if theirs == ours:
        return True
    try:
        (index, value), (our_index, our_value) = theirs.split(), ours.split()
        return index == our_index and len(theirs) == len(ours) and abs(float(value) - float(our_value)) <= 3e-7 * abs(float(value))
    except (AttributeError, ValueError):
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    made = options.build / "references"
    for name, *model in tensors.models():
        for number, noise in enumerate(NOISES):
            if not (made / f"{name}-{number}" / "debug_buffer.bin").exists():
                export(made / f"{name}-{number}", *model, noise)
    folders = [TOP / "testdata/bundled-inputs", *sorted(path.parent for path in made.glob("*/debug_buffer.bin"))]
    failed = 0
    for folder in folders:
        theirs, ours = printed_by_inspector(folder), printed_by_us(options.build, folder)
        lines = list(itertools.zip_longest(theirs.split("\n"), ours.split("\n")))
        difference = next((pair for pair in lines if not same(*pair)), None)
        failed += difference is not None
        if difference:
            print(f"FAILED {folder.name}: {difference[1]!r}, of the Inspector {difference[0]!r}")
    print(f"compare_results: {len(folders) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
