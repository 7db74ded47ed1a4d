"""Makes the dumps and records of this directory: a model before and after each kind of change.

    /tmp/etinspect-peer/bin/python tests/cli/data/changes/generate.py

It runs from the neutral path that testdata/generate.py makes, since stack traces name source files, and needs the same
versions. Times are real: making the files again changes all their bytes.
"""

import importlib.util
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = 12


def import_file(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def make(generate, name, model, partitioner=None):
    import torch

    torch.manual_seed(0)
    inputs = (torch.randn(2, 8),)
    program = generate.lower(generate.export(model, inputs), partitioner)
    scratch = HERE / "scratch"
    scratch.mkdir(exist_ok=True)
    program.get_etrecord().save(str(HERE / f"{name}.etrecord"))
    generate.HERE = HERE
    generate.run_program("scratch", program.buffer, [("forward", inputs)] * RUNS, keep_outputs=False)
    shutil.move(scratch / "run.etdp", HERE / f"{name}.etdp")
    scratch.rmdir()


def main():
    generate = import_file("generate_testdata", HERE.parents[3] / "testdata" / "generate.py")
    generate.check_versions()
    if Path(sys.prefix) != generate.NEUTRAL_PYTHON:
        sys.exit(f"run it with {generate.NEUTRAL_PYTHON}/bin/python, a link to the virtual environment")
    generate.NEUTRAL_MODELS.mkdir(exist_ok=True)
    copy = generate.NEUTRAL_MODELS / "changes.py"
    shutil.copyfile(HERE / "models.py", copy)
    models = import_file("changes", copy)
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    for name in ("Base", "Inserted", "Removed", "Reordered", "Renamed"):
        make(generate, name.lower(), getattr(models, name)())
    make(generate, "delegated", models.Base(), [XnnpackPartitioner()])


main()
