"""Compares what etinspect shows of backends other than XNNPACK with independent results.

    backends.py [--build BUILD]

Folders of testdata/backends with a truth.json are compared with it by tests/cli/data/truth.py. Two nets are exported for
OpenVINO and run here, if setup.sh could install it: one wholly delegated, one whose expm1 stays a portable kernel between
two calls. OpenVINO logs no events, so each DELEGATE_CALL must have the operators, handles, module and time of its call, as
the exporter's Python objects and executorch's own reader of ETDumps have them. Ends in "backends: N passed, N failed, N
skipped"; a case is a folder, or a net with one set of files.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
OPENVINO = Path(sys.prefix) / "openvino"  # setup.sh installs it apart: it wants an older numpy
RUNS = 5
WAYS = {  # files beside run.etdp: whether they have operators
    "program": (["model.pte"], False),
    "record": (["model.etrecord"], True),
    "record and program": (["model.etrecord", "model.pte"], True),
    "lowered": (["lowered.etrecord"], True),
    "lowered and program": (["lowered.etrecord", "model.pte"], True),
}


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8")


# ---------------------------------------------------------------- folders of testdata/backends


def folders(build):
    """Yields the name of each folder with a truth, and what is wrong."""
    os.environ["PATH"] = f"{build}{os.pathsep}{os.environ['PATH']}"
    for truth in sorted(TOP.glob("testdata/backends/*/truth.json")):
        done = run(sys.executable, TOP / "tests/cli/data/truth.py", truth.parent)
        yield truth.parent.name, [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()


# ---------------------------------------------------------------- OpenVINO


def import_openvino():
    """Imports the backend without its quantizer, which needs nncf. Returns its partitioner, or None."""
    (library,) = list(OPENVINO.glob("openvino/libs/libopenvino_c.so.*")) or [None]
    if library is None:
        return None
    os.environ["OPENVINO_LIB_PATH"] = str(library)
    sys.path.append(str(OPENVINO))
    for name in ("quantizer", "quantizer.quantizer"):
        module = types.ModuleType(f"executorch.backends.openvino.{name}")
        module.OpenVINOQuantizer = None
        sys.modules[module.__name__] = module
    from executorch.backends.openvino.partitioner import OpenvinoPartitioner

    return OpenvinoPartitioner


def nets():
    """Returns {name: (module, inputs, number of calls)}."""
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self, is_split):
            super().__init__()
            self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
            self.block = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.ReLU())
            self.head = nn.Linear(8, 4)
            self.is_split = is_split

        def forward(self, x):
            x = self.stem(x)
            if self.is_split:
                x = torch.expm1(x)
            return torch.softmax(self.head(self.block(x).mean((2, 3))), -1)

    inputs = (torch.randn(1, 3, 16, 16),)
    return {"whole": (Net(False), inputs, 1), "split": (Net(True), inputs, 2)}


def export(partitioner, module, inputs, directory):
    """Writes the files of WAYS and run.etdp. Returns the lowered calls, and the nodes before lowering by handle."""
    import copy

    import torch
    from executorch.devtools import generate_etrecord
    from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower
    from executorch.exir.backend.backend_details import CompileSpec
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    from delegate_export import calls_of, nodes_of

    openvino = partitioner([CompileSpec("device", b"CPU")])
    edge = to_edge_transform_and_lower(torch.export.export(module.eval(), inputs), partitioner=[openvino], generate_etrecord=True,
                                       compile_config=EdgeCompileConfig(_skip_dim_order=True))
    record, edge._etrecord = edge._etrecord, None
    kept = copy.deepcopy(edge)
    edge._etrecord = record
    program = edge.to_executorch()
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "model.pte").write_bytes(program.buffer)
    program.get_etrecord().save(str(directory / "model.etrecord"))
    generate_etrecord(str(directory / "lowered.etrecord"), kept, program)
    loaded = load(program.buffer, enable_etdump=True)
    for _ in range(RUNS):
        loaded.run_method("forward", inputs)
    loaded.write_etdump_result_to_file(str(directory / "run.etdp"))
    before = record.edge_dialect_program
    return calls_of(kept.exported_program()), nodes_of(before["forward"] if isinstance(before, dict) else before)


def times_of(path):
    """Returns the mean ms of each call of a delegate, in order."""
    from executorch.devtools.etdump.serialize import deserialize_from_etdump_flatcc

    times = {}
    for of_run in deserialize_from_etdump_flatcc(path.read_bytes()).run_data:
        for event in (e.profile_event for e in of_run.events if e.profile_event):
            if event.name == "DELEGATE_CALL":
                times.setdefault(event.instruction_id, []).append(event.end_time - event.start_time)
    if any(len(of_call) != RUNS for of_call in times.values()):
        raise ValueError(f"runs of calls: {times}")
    return [sum(times[i]) / RUNS / 1e6 for i in sorted(times)]


def expected(calls, before):
    """Returns operators, handles and module of each call."""
    from delegate_truth import nodes_by_handle, place_of, target_of

    known = nodes_by_handle(before)
    for call in calls:
        handles = set(nodes_by_handle(call["nodes"]))
        nodes = [node for handle in handles for node in known[handle]]
        yield {target_of(node) for node in nodes}, handles, place_of(nodes)["module"]


def check_net(build, directory, files, has_operators, calls, times):
    """Returns what is wrong with the events of calls, and with what `check` says."""
    files = ["run.etdp", *files]
    done = subprocess.run([build / "etinspect", "events", *files, "--skip_first", "0", "--columns", "all", "--format", "json"],
                          cwd=directory, capture_output=True, encoding="utf-8")
    if done.returncode != 0 or "another export" in done.stderr:
        return [f"exit {done.returncode}: {done.stderr.strip()}"]
    rows = [row for row in json.loads(done.stdout)["tables"]["events"] if row["event_name"] == "DELEGATE_CALL"]
    if len(rows) != len(calls) or len(times) != len(calls):
        return [f"{len(rows)} rows and {len(times)} times of {len(calls)} calls"]
    wrong = []
    for row, time, (operators, handles, module) in zip(rows, times, calls):
        if abs(row["self_time"] - time) > 1e-9 * time:
            wrong.append(f"self_time is {row['self_time']}, not {time}")
        if row["role"] != "delegate_call":
            wrong.append(f"role is {row['role']}")
        found = set(row["op_types"]), set(row["debug_handles"] or []), row["module"]
        right = (operators, handles, module) if has_operators else (set(), set(), None)
        if found != right:
            wrong.append(f"operators, handles and module are {found}, not {right}")
    said = subprocess.run([build / "etinspect", "check", *files], cwd=directory, capture_output=True, encoding="utf-8")
    n_kernels = 2 * len(calls) - 1  # a kernel between two calls
    known = re.search(r"known for (\d+) of (\d+) events", said.stdout)
    if said.returncode != 0 or has_operators and (known is None or known.groups() != (str(n_kernels), str(n_kernels))):
        wrong.append(f"check: exit {said.returncode}, not known for {n_kernels} of {n_kernels} events: {said.stdout}{said.stderr}")
    return wrong


def check_table(build, directory, record):
    """Returns whether the Inspector's TSV is another than etinspect's."""
    from executorch.devtools import Inspector

    theirs, ours = directory / "peer.tsv", directory / "our.tsv"
    Inspector(etdump_path=str(directory / "run.etdp"), etrecord=str(directory / record)).save_data_to_tsv(str(theirs))
    run(build / "etinspect", directory / "run.etdp", directory / record, "--tsv_path", ours)
    return [] if ours.exists() and theirs.read_bytes() == ours.read_bytes() else [f"{theirs} and {ours} differ"]


def openvino_nets(partitioner, build, out):
    """Yields the name of each case, and what is wrong."""
    for name, (module, inputs, n_calls) in nets().items():
        directory = out / name
        lowered, before = export(partitioner, module, inputs, directory)
        calls, times = list(expected(lowered, before)), times_of(directory / "run.etdp")
        yield f"openvino {name}: calls", [] if len(calls) == n_calls else [f"{len(calls)} calls, not {n_calls}"]
        for way, (files, has_operators) in WAYS.items():
            yield f"openvino {name}: {way}", check_net(build, directory, files, has_operators, calls, times)
        for record in ("model.etrecord", "lowered.etrecord"):
            yield f"openvino {name}: TSV with {record}", check_table(build, directory, record)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    build = parser.parse_args().build.resolve()
    cases = list(folders(build))
    n_skipped = 0
    partitioner = import_openvino()
    if partitioner is None:
        print(f"skipped: backends: there is no {OPENVINO}, which tests/parity/setup.sh installs into a new environment")
        n_skipped = 1
    else:
        cases += openvino_nets(partitioner, build, build / "parity" / "openvino")
    failed = [(name, wrong) for name, wrong in cases if wrong]
    for name, wrong in failed:
        print(f"FAILED backends/{name}:", *wrong[:5], sep="\n    ")
    print(f"backends: {len(cases) - len(failed)} passed, {len(failed)} failed, {n_skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
