"""Makes the golden files of testdata/ from real models, the real runtime and the real Inspector.

    python testdata/generate.py            rewrite every case
    python testdata/generate.py mlp ...    rewrite only these cases
    python testdata/generate.py --programs [CASE ...]  keep runs and records, rewrite the programs they are of
    python testdata/generate.py --goldens [CASE ...]   keep the inputs, ask the Inspector again
    python testdata/generate.py --check [CASE ...]     keep everything, compare with what the Inspector says now

Run it with a Python that has exactly torch 2.13.0 and executorch 1.5.1. Each case is a directory. This file writes its
inputs (run.etdp, record.etrecord, debug_buffer.bin, the .pte, .ptd and .bpte files); observe.py then asks the real Inspector for every output listed in
cases.tsv. etinspect itself never writes anything here. Times in the dumps are real, so a rerun changes the bytes of a
case, all of them together.
"""

import argparse
import base64
import copy
import importlib.metadata
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PINNED = {"torch": "2.13.0", "executorch": "1.5.1"}
HERE = Path(__file__).resolve().parent
OUTPUT = HERE  # where cases are made
PROGRAMS = (".pte", ".ptd", ".bpte")

# Stack traces in an ETRecord name source files. Both the libraries and our models are therefore imported through these
# two paths, which mean the same on every machine.
NEUTRAL_PYTHON = Path("/tmp/etinspect-peer")
NEUTRAL_MODELS = Path("/tmp/etinspect-models")


# ---------------------------------------------------------------- the environment


def check_versions():
    for package, wanted in PINNED.items():
        try:
            found = importlib.metadata.version(package).split("+")[0]
        except importlib.metadata.PackageNotFoundError:
            found = "none"
        if found != wanted:
            sys.exit(f"generate.py needs {package} {wanted}, this Python has {found}")


def restart_at_neutral_path():
    """Starts this script again with the same virtual environment, seen through NEUTRAL_PYTHON."""
    if Path(sys.prefix) == NEUTRAL_PYTHON:
        return
    if NEUTRAL_PYTHON.is_symlink():
        NEUTRAL_PYTHON.unlink()
    NEUTRAL_PYTHON.symlink_to(sys.prefix)
    environment = dict(os.environ, PYTHONUTF8="1", PYTHONDONTWRITEBYTECODE="1")
    python = NEUTRAL_PYTHON / "bin" / "python"
    os.execve(python, [str(python), str(HERE / "generate.py"), *sys.argv[1:]], environment)


def import_models():
    NEUTRAL_MODELS.mkdir(exist_ok=True)
    shutil.copyfile(HERE / "models.py", NEUTRAL_MODELS / "models.py")
    sys.path.insert(0, str(NEUTRAL_MODELS))
    import models

    assert Path(models.__file__) == NEUTRAL_MODELS / "models.py"
    return models


# ---------------------------------------------------------------- exporting and running


def export(model, inputs, **options):
    import torch

    return torch.export.export(model.eval(), inputs, **options)


def lower(programs, partitioner=None, **config):
    """An exported program, or {method: exported program}, to an ExecuTorch program that carries its ETRecord."""
    from executorch.exir import ExecutorchBackendConfig, to_edge_transform_and_lower

    edge = to_edge_transform_and_lower(programs, partitioner=partitioner, generate_etrecord=True)
    return edge.to_executorch(ExecutorchBackendConfig(**config))


def save_program(case, buffer, name="model.pte"):
    (OUTPUT / case / name).write_bytes(buffer)


def run_program(case, buffer, calls, keep_outputs=True, data=None):
    """Loads the program and makes `calls`, a list of (method, inputs). `data`: its .ptd. Writes model.pte, run.etdp and
    debug_buffer.bin.

    The runtime writes the debug buffer at its full size, so the first of two rounds only finds out how much of it is
    needed. Every tensor is aligned to 64 bytes of memory, hence the margin."""
    from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer as load

    def run(debug_buffer_size):
        module = load(buffer, data_map_buffer=data, enable_etdump=True, debug_buffer_size=debug_buffer_size)
        for method, inputs in calls:
            module.run_method(method, inputs)
        return module

    save_program(case, buffer)
    dump = str(OUTPUT / case / "run.etdp")
    if not keep_outputs:
        run(0).write_etdump_result_to_file(dump)
        return
    debug_buffer = str(OUTPUT / case / "debug_buffer.bin")
    run(1 << 20).write_etdump_result_to_file(dump, debug_buffer)
    size = used_debug_bytes(dump) + 128
    run(size).write_etdump_result_to_file(dump, debug_buffer)


def read_dump(dump):
    from executorch.devtools.etdump.serialize import deserialize_from_etdump_flatcc

    return deserialize_from_etdump_flatcc(Path(dump).read_bytes())


def used_debug_bytes(dump):
    runs = read_dump(dump).run_data
    events = [event.debug_event for run in runs for event in run.events or [] if event.debug_event]
    return max(end_of_value(event.debug_entry) for event in events)


def end_of_value(value):
    tensors = [value.tensor] if value.tensor else value.tensor_list.tensors if value.tensor_list else []
    return max([end_of_tensor(tensor) for tensor in tensors], default=0)


def end_of_tensor(tensor):
    widest_element = 8
    count = 1
    for size in tensor.sizes:
        count *= size
    return tensor.offset + count * widest_element


def save_record(case, record, name="record.etrecord"):
    record.save(str(OUTPUT / case / name))


def compress_record(case):
    record = OUTPUT / case / "record.etrecord"
    with zipfile.ZipFile(io.BytesIO(record.read_bytes())) as stored:
        with zipfile.ZipFile(record, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as compressed:
            for member in stored.infolist():
                compressed.writestr(zipfile.ZipInfo(member.filename), stored.read(member), zipfile.ZIP_DEFLATED)


# ---------------------------------------------------------------- writing an ETDump by hand


def profile_event(name, instruction_id, start, end, identifier=None, metadata=None, chain_index=0):
    """One ProfileEvent as a flatcc.Event; `identifier` is the delegate debug id, an int, a str, or none."""
    from executorch.devtools.etdump import schema_flatcc as flatcc

    event = flatcc.ProfileEvent(
        name=name,
        chain_index=chain_index,
        instruction_id=instruction_id,
        delegate_debug_id_int=identifier if isinstance(identifier, int) else -1,
        delegate_debug_id_str=identifier if isinstance(identifier, str) else None,
        delegate_debug_metadata=metadata,
        start_time=start,
        end_time=end,
    )
    return flatcc.Event(profile_event=event, allocation_event=None, debug_event=None)


def allocation_event(allocator_id, size):
    from executorch.devtools.etdump import schema_flatcc as flatcc

    allocation = flatcc.AllocationEvent(allocator_id=allocator_id, allocation_size=size)
    return flatcc.Event(profile_event=None, allocation_event=allocation, debug_event=None)


def run_data(name, events, allocators=None):
    from executorch.devtools.etdump import schema_flatcc as flatcc

    return flatcc.RunData(name=name, bundled_input_index=-1, allocators=allocators, events=events)


def write_serialized_dump(case, runs):
    """Serializes with executorch's own code and puts the size in front, which that code leaves out."""
    from executorch.devtools.etdump.schema_flatcc import ETDumpFlatCC
    from executorch.devtools.etdump.serialize import serialize_to_etdump_flatcc

    body = serialize_to_etdump_flatcc(ETDumpFlatCC(version=0, run_data=runs))
    (OUTPUT / case / "run.etdp").write_bytes(len(body).to_bytes(4, "little") + body)


class Clock:
    """Seeded made-up nanoseconds for dumps that no runtime wrote."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.now = 1_000_000_000

    def interval(self):
        start = self.now + self.random.randrange(50, 400)
        self.now = start + self.random.randrange(300, 90_000)
        return start, self.now

    def event(self, name, instruction_id, identifier=None, metadata=None):
        start, end = self.interval()
        return profile_event(name, instruction_id, start, end, identifier, metadata)


# ---------------------------------------------------------------- the cases


def make_mlp(case, models):
    import torch

    inputs = (torch.randn(2, 8),)
    program = lower(export(models.Mlp(), inputs))
    save_record(case, program.get_etrecord())
    save_program(case, with_inline_constants(program.buffer), "inline.pte")
    run_program(case, program.buffer, [("forward", inputs)] * 20)


def with_inline_constants(buffer):
    """The program as exporters of 2023 wrote it: constants inside the FlatBuffer, no header, no segments."""
    from executorch.exir._serialize._flatbuffer_program import _program_to_flatbuffer
    from executorch.exir._serialize._program import deserialize_pte_binary

    return _program_to_flatbuffer(deserialize_pte_binary(buffer).program).data


def make_mlp_many_runs(case, models):
    import torch

    inputs = (torch.randn(2, 8),)
    program = lower(export(models.Mlp(), inputs))
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, [("forward", inputs)] * 150, keep_outputs=False)


def make_bundled_inputs(case, models):
    """A bundled program: the record holds what each of its two inputs should give, the dump which of them ran.

    The runtime of the Python package cannot load a bundled input with tracing on, so it runs the same two inputs the
    plain way and their index is written into the dump afterwards."""
    import torch
    from executorch.devtools import BundledProgram
    from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
    from executorch.devtools.bundled_program.serialize import serialize_from_bundled_program_to_flatbuffer

    model = models.Mlp().eval()
    inputs = [(torch.randn(1, 8),) for _ in range(2)]
    program = lower(export(model, inputs[0]))
    tests = [MethodTestCase(inputs=each, expected_outputs=(model(*each),)) for each in inputs]
    bundle = BundledProgram(program, [MethodTestSuite("forward", tests)])
    record = program.get_etrecord()
    record.update_representative_inputs(bundle)
    record.update_reference_outputs(bundle)
    save_record(case, record)
    save_program(case, serialize_from_bundled_program_to_flatbuffer(bundle), "bundle.bpte")
    order = [0, 1, 1, 0, 0, 1, 0]
    run_program(case, program.buffer, [("forward", inputs[index]) for index in order])
    set_bundled_input_indexes(case, order)


def set_bundled_input_indexes(case, order):
    etdump = read_dump(OUTPUT / case / "run.etdp")
    executions = [run for run in etdump.run_data if run.name == "Execute"]
    for run, index in zip(executions, order, strict=True):
        run.bundled_input_index = index
    write_serialized_dump(case, etdump.run_data)


def make_xnnpack_conv(case, models):
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    inputs = (torch.randn(1, 3, 8, 8),)
    exported = export(models.ConvNet(), inputs)
    program = lower(exported, [XnnpackPartitioner()])
    save_record(case, program.get_etrecord())
    save_record_after_lowering(case, exported, [XnnpackPartitioner()])
    inline = lower(exported, [XnnpackPartitioner()], extract_delegate_segments=False)
    save_program(case, inline.buffer, "inline.pte")
    run_program(case, program.buffer, [("forward", inputs)] * 10)


def save_record_after_lowering(case, exported, partitioner):
    """lowered.etrecord: the other way to make a record gives calls of lowered modules instead of their operators."""
    from executorch.devtools import generate_etrecord
    from executorch.exir import to_edge_transform_and_lower

    edge = to_edge_transform_and_lower(exported, partitioner=partitioner)
    before = copy.deepcopy(edge)
    generate_etrecord(str(OUTPUT / case / "lowered.etrecord"), before, edge.to_executorch())


def make_multi_method(case, models):
    """The Inspector refuses the record of both methods, so a second record holds `forward` alone."""
    import torch

    encoder = models.Encoder()
    inputs = (torch.randn(2, 6),)
    program = lower({"forward": export(models.Classifier(encoder), inputs), "encode": export(encoder, inputs)})
    record = program.get_etrecord()
    save_record(case, record)
    record.edge_dialect_program = record.edge_dialect_program["forward"]
    save_record(case, record, "record-forward.etrecord")
    run_program(case, program.buffer, [("encode", inputs), ("forward", inputs), ("forward", inputs)] * 5)


def make_prefill_decode(case, models):
    """Each prompt is followed by three steps. The record leaves out the programs as exported, to be small."""
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    prefill, decode = models.Decoder(torch.nn.Sigmoid()), models.Decoder(torch.nn.Tanh())
    decode.load_state_dict(prefill.state_dict())
    prompt, token = (torch.randn(5, 4),), (torch.randn(1, 4),)
    programs = {"prefill": export(prefill, prompt), "decode": export(decode, token)}
    program = lower(programs, {name: [XnnpackPartitioner()] for name in programs})
    record = program.get_etrecord()
    record.exported_program = None
    save_record(case, record)
    steps = [("prefill", prompt), ("decode", token), ("decode", token), ("decode", token)]
    run_program(case, program.buffer, steps * 4, keep_outputs=False)


def make_transformer(case, models):
    import torch

    inputs = (torch.randn(1, 6, 16),)
    program = lower(export(models.TransformerBlock(), inputs))
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, [("forward", inputs)] * 6)


def control_flow_calls():
    """Inputs that take the first branch of cond, then the second, several times each."""
    import torch

    rows = torch.linspace(-1, 1, 12).reshape(3, 4)
    positive = ("forward", (rows, torch.full((4,), 0.5)))
    negative = ("forward", (rows, torch.full((4,), -0.5)))
    return [positive, negative, negative, positive, positive, negative, positive, negative]


def make_control_flow(case, models):
    calls = control_flow_calls()
    program = lower(export(models.ControlFlow(), calls[0][1]))
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, calls)


def make_control_flow_chains(case, models):
    """The same program with its instructions cut into three chains. Exporting never gives more than one chain, but the
    runtime executes any number, numbering instructions anew in each."""
    calls = control_flow_calls()
    program = lower(export(models.ControlFlow(), calls[0][1]))
    save_record(case, program.get_etrecord())
    run_program(case, cut_into_chains(program.buffer), calls)


def cut_into_chains(buffer):
    """Cuts before the last three and before the last instruction, which no jump crosses."""
    from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary
    from executorch.exir.schema import Chain

    pte = deserialize_pte_binary(buffer)
    plan = pte.program.execution_plan[0]
    (chain,) = plan.chains
    parts = [chain.instructions[:-3], chain.instructions[-3:-1], chain.instructions[-1:]]
    plan.chains = [Chain(chain.inputs, chain.outputs, part, None) for part in parts]
    return bytes(serialize_pte_binary(pte))


def make_dynamic_batch(case, models):
    import torch

    inputs = (torch.randn(3, 4),)
    batch = torch.export.Dim("batch", max=16)
    program = lower(export(models.DynamicBatch(), inputs, dynamic_shapes={"x": {0: batch}}))
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, [("forward", inputs)] * 7)


def make_dynamic_views(case, models):
    """Runs of two tokens and of six, all without a record."""
    import torch

    two, six = (torch.tensor([3, 1]),), (torch.arange(6),)
    tokens = torch.export.Dim("tokens", min=2, max=8)
    program = lower(export(models.TokenViews(), six, dynamic_shapes={"tokens": {0: tokens}}))
    run_program(case, program.buffer, [("forward", two), ("forward", six)] * 3, keep_outputs=False)


def make_delegated_around(case, models):
    """Runs of both branches, without a record."""
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    inputs = (torch.randn(3, 4),)
    program = lower(export(models.DelegatedAround(), inputs), [XnnpackPartitioner()])
    calls = [("forward", (sign * torch.ones(3, 4),)) for sign in (1, -1)]
    run_program(case, program.buffer, calls * 2, keep_outputs=False)


def quantize(model, inputs):
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config())
    prepared = prepare_pt2e(export(model, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def make_layouts(case, models):
    """Quantized. The record leaves out the program as exported, and is compressed, to be small."""
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner

    inputs = (torch.randn(1, 2, 8, 8), torch.randn(1, 2, 4, 4), torch.randn(1, 2, 4, 4))
    exported = torch.export.export(quantize(models.Layouts(), inputs), inputs)
    program = lower(exported, [XnnpackPartitioner()])
    record = program.get_etrecord()
    record.exported_program = None
    save_record(case, record)
    compress_record(case)
    run_program(case, program.buffer, [("forward", inputs)] * 3, keep_outputs=False)


def make_small(case, models):
    import torch

    inputs = (torch.randn(2),)
    program = lower(export(models.Small(), inputs))
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, [("forward", inputs)] * 3)


def make_state(case, models):
    """A buffer with initial data in the program, and one without."""
    import torch
    from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass

    inputs = (torch.randn(3),)
    program = lower(export(models.Counter(), inputs), passes=[InitializedMutableBufferPass(["total"])])
    save_record(case, program.get_etrecord())
    run_program(case, program.buffer, [("forward", inputs)] * 4)


def make_external_weights(case, models):
    import torch

    inputs = (torch.randn(2, 8),)
    program = lower(export(models.Mlp(), inputs), external_constants=lambda node: "model")
    save_record(case, program.get_etrecord())
    program.write_tensor_data_to_file(str(OUTPUT / case))
    data = (OUTPUT / case / "model.ptd").read_bytes()
    run_program(case, program.buffer, [("forward", inputs)] * 4, data=data)


def make_delegate_ids(case, models):
    """The program and its record are real, made by two pretend backends; the dump is serialized, for they have no
    runtime."""
    import torch

    inputs = (torch.randn(1, 2, 4, 4),)
    partitioners = [
        models.NamedOpsPartitioner(models.IntIdBackend, ("convolution", "relu")),
        models.NamedOpsPartitioner(models.StringIdBackend, ("tan",)),
    ]
    program = lower(export(models.FusedConvTan(), inputs), partitioners)
    save_record(case, program.get_etrecord())
    save_program(case, program.buffer)
    clock = Clock(seed=6)
    load = [clock.event("Method::init", 0), clock.event("Program::load_method", 0)]
    write_serialized_dump(case, [run_data("Default", load)] + [delegate_run(clock, index) for index in range(9)])


def delegate_run(clock, index):
    """Instruction 0 is the backend with int ids, 1 is cumsum, 2 the backend with string ids.

    Beyond the mapped identifiers it logs an int that is only *contained* in text (10 contains 1 and 0), a string with a
    mapped name inside, and ones nobody mapped."""
    printable = f"cycles={1000 + index}; 'fused'".encode()
    binary = bytes([index, 0, 9, 10, 34, 39, 92, 127, 128, 255])
    events = [
        clock.event(None, 0, 0, printable),
        clock.event(None, 0, 1, binary),
        clock.event(None, 0, 2, None if index % 2 else b"every other run"),
        clock.event(None, 0, 10),
        clock.event(None, 0, 7),
        clock.event("DELEGATE_CALL", 0),
        clock.event("native_call_cumsum.out", 1),
        clock.event("OPERATOR_CALL", 1),
    ]
    for kernel in ("sin", "cos", "div"):
        events.append(clock.event(None, 2, f"aten_tan_default.{kernel}", kernel.encode()))
    events += [
        clock.event(None, 2, "aten_tan_default.div, second half", b"it's \"both\""),
        clock.event(None, 2, "größe \"x\"\t'y'", "größe".encode()),
        clock.event("DELEGATE_CALL", 2),
        clock.event("Method::execute", 0),
    ]
    return run_data("Execute", events)


def make_allocation_events(case, models):
    """What a runtime with memory tracing would write. The Inspector gives up on such a dump."""
    from executorch.devtools.etdump.schema_flatcc import Allocator

    clock = Clock(seed=9)
    allocators = [Allocator("method allocator"), Allocator("temp")]
    runs = []
    for size in (256, 4096):
        events = [clock.event("native_call_add.out", 0), allocation_event(1, size), clock.event("Method::execute", -1)]
        runs.append(run_data("Execute", [allocation_event(0, 2 * size), *events], allocators))
    write_serialized_dump(case, runs)


MAKERS = {
    "mlp": make_mlp,
    "mlp-many-runs": make_mlp_many_runs,
    "bundled-inputs": make_bundled_inputs,
    "xnnpack-conv": make_xnnpack_conv,
    "multi-method": make_multi_method,
    "prefill-decode": make_prefill_decode,
    "transformer": make_transformer,
    "control-flow": make_control_flow,
    "control-flow-chains": make_control_flow_chains,
    "dynamic-batch": make_dynamic_batch,
    "dynamic-views": make_dynamic_views,
    "delegated-around": make_delegated_around,
    "layouts": make_layouts,
    "small": make_small,
    "state": make_state,
    "external-weights": make_external_weights,
    "delegate-ids": make_delegate_ids,
    "allocation-events": make_allocation_events,
}


def make_inputs(case, models):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    shutil.rmtree(OUTPUT / case, ignore_errors=True)
    (OUTPUT / case).mkdir()
    MAKERS[case](case, models)


def make_programs(case, models):
    """Makes the case elsewhere and takes its programs, for a run that is kept: exporting twice gives the same."""
    global OUTPUT
    with tempfile.TemporaryDirectory() as directory:
        OUTPUT = Path(directory)
        make_inputs(case, models)
        for record in sorted((HERE / case).glob("*.etrecord")):
            refuse_other_record(record, OUTPUT / case / record.name)
        for file in (OUTPUT / case).iterdir():
            if file.suffix in PROGRAMS or not (HERE / case / file.name).exists():
                shutil.copyfile(file, HERE / case / file.name)
    OUTPUT = HERE


def refuse_other_record(kept, made):
    with zipfile.ZipFile(kept) as one, zipfile.ZipFile(made) as other:
        for name in set(one.namelist()) - {"export_graph_id"}:  # an address
            if without_chance(one.read(name)) != without_chance(other.read(name)):
                sys.exit(f"{kept}: {name} is another one now: the run has to be made again too")


def without_chance(member):
    """Without addresses, numbers that count what one process made, and lines of models.py, to which models are added."""
    return re.sub(rb'graph_id[\\"]*: \d+|<eval_with_key>\.\d+|models\.py[\\"]*, line \d+', b"", member)


# ---------------------------------------------------------------- asking the Inspector


def observe(case, output_directory):
    """In a fresh process: what the Inspector shows depends on the operators its process has registered."""
    command = [sys.executable, str(HERE / "observe.py"), case, str(output_directory)]
    subprocess.run(command, check=True)


def check_goldens(case):
    """The names of the outputs that differ from what the Inspector says now."""
    with tempfile.TemporaryDirectory() as directory:
        observe(case, directory)
        return [file.name for file in Path(directory).iterdir() if not same_bytes(file, HERE / case / file.name)]


def same_bytes(one, other):
    return other.exists() and one.read_bytes() == other.read_bytes()


# ---------------------------------------------------------------- no path of this machine


def private_paths():
    """What must not be in a committed file: this checkout, this Python, this home, and the usual roots of all three."""
    places = [str(HERE.parent), os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix), str(Path.home())]
    return [place.encode() + b"/" for place in places] + [b"/home/", b"/root/"]


def unpack(data):
    """The data itself, and everything inside it: ZIP members and base64 text, to any depth."""
    yield data
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                yield from unpack(archive.read(member))
    for text in re.findall(rb"[A-Za-z0-9+/]{64,}={0,2}", data):
        yield from unpack(base64.b64decode(text[: len(text) // 4 * 4]))


def refuse_private_paths(case):
    for file in sorted((HERE / case).iterdir()):
        for data in unpack(file.read_bytes()):
            for place in private_paths():
                if place in data:
                    at = data.index(place)
                    sys.exit(f"{file} holds a path of this machine: {data[at : at + 80]!r}")


# ---------------------------------------------------------------- the command line


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(MAKERS))
    parser.add_argument("--programs", action="store_true", help="keep runs and records, rewrite the programs")
    parser.add_argument("--goldens", action="store_true", help="keep the inputs, rewrite the outputs")
    parser.add_argument("--check", action="store_true", help="write nothing, compare the outputs")
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(MAKERS)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    return arguments


def main():
    arguments = parse_arguments()
    check_versions()
    restart_at_neutral_path()
    models = None if arguments.check or arguments.goldens else import_models()
    different = []
    for case in arguments.cases or MAKERS:
        print(case, flush=True)
        if arguments.check:
            different += [f"{case}/{name}" for name in check_goldens(case)]
            continue
        if arguments.programs:
            make_programs(case, models)
            refuse_private_paths(case)
            continue
        if models:
            make_inputs(case, models)
        observe(case, HERE / case)
        refuse_private_paths(case)
    if different:
        sys.exit("these differ: " + " ".join(different))


if __name__ == "__main__":
    main()
