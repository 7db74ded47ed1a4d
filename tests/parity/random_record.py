"""Random ETRecords: graphs of real exported models with changed labels, and made-up maps.

Exporting a model takes a second and parsing its record 30 ms, so a parity run has a few dozen graphs and draws new maps
for every case.
"""

import io
import json
import random
import zipfile

import models
import nasty_text

EDGE = "edge_dialect_exported_program"
GROUP = ("", "_state_dict", "_constants", "_example_inputs")
MAPS = ("debug_handle_map", "delegate_map", "instruction_id_to_num_outs_map")

# Names in a module stack may hold neither ";" nor unbalanced brackets; those end an entry.
MODULE_STACKS = ("", "L__self__,,models.Mlp", "L__self__,,models.Mlp;L__self___fc1,fc1,torch.nn.modules.linear.Linear",
                 "a,b,list[int,str]", "k(1,2),p[3,4],t", "k,p,t;k,q,u", " k , p , t ", "钥匙,路径,型", "ключ,путь,тип;k,p,t")


def make_graphs(seed, count, directory):
    """Returns `count` edge programs as lists of (member name, bytes)."""
    rng = random.Random(f"graphs {seed}")
    originals = []
    for name in models.NAMES:
        models.export(name, seed, directory, runs=0)
        with zipfile.ZipFile(f"{directory}/record.etrecord") as record:
            originals.append([(f"{EDGE}/forward{part}", record.read(f"{EDGE}/forward{part}")) for part in GROUP])
    return originals + [relabelled(rng, rng.choice(originals)) for _ in range(count - len(originals))]


def relabelled(rng, graph):
    (name, text), *others = graph
    program = json.loads(text)
    for node in program["graph_module"]["graph"]["nodes"]:
        metadata = node["metadata"]
        if rng.random() < 0.5:
            metadata["debug_handle"] = str(rng.choice((0, 1, 2, 3, 4, 5, 12, 2**31)))
        if rng.random() < 0.1:
            metadata.pop("debug_handle", None)
        if rng.random() < 0.3:
            metadata["stack_trace"] = rng.choice((nasty_text.nasty(rng), 'File "m.py", line 1, in forward\n    return x'))
        if rng.random() < 0.1:
            metadata.pop("stack_trace", None)
        if rng.random() < 0.3:
            metadata["nn_module_stack"] = rng.choice(MODULE_STACKS)
        if rng.random() < 0.1:
            metadata.pop("nn_module_stack", None)
    renamed = [(member.replace(f"{EDGE}/forward", EDGE), data) for member, data in [(name, json.dumps(program).encode()), *others]]
    # Before 2026 a record had one program, without its method's name.
    return renamed if rng.random() < 0.2 else [(name, json.dumps(program).encode()), *others]


# ---------------------------------------------------------------- maps


INSTRUCTIONS = ("-1", "0", "1", "2", "3", "4", "5", "12")


def handles(rng):
    known = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 99, 2**31)
    if rng.random() < 0.3:
        return rng.choice(known)
    return rng.choices(known, k=rng.choice((0, 1, 1, 2, 3, 4, 5, 6, 9)))


def delegate(rng):
    entry = {"name": rng.choice(("XnnpackBackend", "XnnpackBackend", "CoreMLBackend", "", "3", "12", "nan", "True", nasty_text.nasty(rng)))}
    if rng.random() < 0.1:
        del entry["name"]
    if rng.random() < 0.8:
        keys = rng.sample(("1", "13", "3", "conv", "conv_13", "_1", "fused 1,3", "", "0", "11"), k=rng.randint(0, 6))
        entry["delegate_map"] = {key: handles(rng) for key in keys}
    elif rng.random() < 0.5:
        entry["delegate_map"] = None
    return entry


def some(rng, make, probability):
    return {key: make(rng) for key in rng.sample(INSTRUCTIONS, len(INSTRUCTIONS)) if rng.random() < probability}


def with_repeated_key(text, rng):
    """Repeats a top-level key of the method's map: the last value counts, at the place of the first."""
    at = text.find('": {"') + 4
    key = rng.choice(INSTRUCTIONS[:4])
    return text[:at] + f'"{key}": 7, ' + text[at:]


def random_maps(rng):
    maps = {
        "debug_handle_map": {"forward": some(rng, handles, 0.7)},
        "delegate_map": {"forward": some(rng, delegate, 0.6)},
        "instruction_id_to_num_outs_map": {"forward": some(rng, lambda rng: rng.randint(0, 5), 0.3)},
    }
    if rng.random() < 0.15:
        del maps["delegate_map"]
    if rng.random() < 0.02:
        del maps["instruction_id_to_num_outs_map"]  # as before 2025-09; the Inspector then fails
    if rng.random() < 0.1:
        maps = {name: {"other": {}, **methods} for name, methods in maps.items()}
    members = {name: json.dumps(methods, ensure_ascii=rng.random() < 0.5) for name, methods in maps.items()}
    if rng.random() < 0.1 and maps["debug_handle_map"]["forward"]:
        members["debug_handle_map"] = with_repeated_key(members["debug_handle_map"], rng)
    return members


# Names of additionally recorded programs; the edge program hides one with its name.
EXTRA_NAMES = ("before/forward", "after lowering/forward", "图/prefill", "edge_dialect_graph_module")


def extra_programs(rng, graphs):
    """Returns members of up to three programs beside the edge program, from other exports with different handles."""
    for name in rng.sample(EXTRA_NAMES, rng.choice((0, 0, 1, 2, 3))):
        for (_, data), part in zip(rng.choice(graphs), GROUP):
            yield name + part, data


def reference_graph_options(rng, record):
    """Requests one of the graphs, rarely a missing one."""
    with zipfile.ZipFile(io.BytesIO(record)) as file:
        names = [name for name in EXTRA_NAMES if name in file.namelist()]
    if not names or rng.random() < 0.2:
        return []
    return ["--reference_graph_name", rng.choice((*names, *names, "edge_dialect_graph_module", "before"))]


# ---------------------------------------------------------------- expected outputs


def expected_output(rng):
    """Returns a value as a model does. Tensors need not be dense."""
    import torch

    sizes = rng.choices((1, 2, 3, 5), k=rng.randint(0, 4))
    dtype = rng.choice((torch.float32, torch.float32, torch.float64, torch.float16, torch.int64, torch.uint8, torch.bool))
    tensor = torch.tensor([rng.randint(0, 9) for _ in range(torch.Size(sizes).numel())]).reshape(sizes).to(dtype)
    return rng.choice((tensor, tensor.permute(rng.sample(range(tensor.dim()), tensor.dim())), tensor.expand(2, *sizes)[1:],
                       rng.randint(-5, 2**40), rng.random() < 0.5, rng.randint(-8, 8) / 4, None))


def random_reference_outputs(rng):
    """Returns up to three test cases, each with outputs; rarely of another method."""
    import torch

    cases = [[expected_output(rng) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 3))]
    method = "forward" if rng.random() < 0.95 else "other"
    file = io.BytesIO()
    torch.save({method: cases}, file)
    return file.getvalue()


# ---------------------------------------------------------------- records


def random_record(rng, graphs):
    compression = zipfile.ZIP_DEFLATED if rng.random() < 0.1 else zipfile.ZIP_STORED
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as record:
        record.writestr("ETRECORD_V0", "")
        for name, data in rng.choice(graphs):
            record.writestr(name, data)
        for name, data in extra_programs(rng, graphs):
            record.writestr(name, data)
        for name, text in random_maps(rng).items():
            record.writestr(name, text)
        if rng.random() < 0.2:
            record.writestr("reference_outputs", random_reference_outputs(rng))
    return file.getvalue()


class RecordReader:
    """Reads ETRecords as parse_etrecord does, but parses the graphs of several cases only once."""

    def __init__(self):
        self.known = {}

    def read(self, path):
        from executorch.devtools import parse_etrecord
        from executorch.devtools.etrecord import ETRecord

        with zipfile.ZipFile(path) as file:
            graphs = tuple((member.filename, member.CRC) for member in file.infolist() if member.filename not in MAPS)
            if graphs not in self.known:
                self.known[graphs] = parse_etrecord(path)
            parsed = self.known[graphs]
            maps = {f"_{name}": json.loads(file.read(name)) if name in file.namelist() else None for name in MAPS}
        return ETRecord(
            exported_program=parsed.exported_program, edge_dialect_program=parsed.edge_dialect_program, graph_map=parsed.graph_map,
            _reference_outputs=parsed._reference_outputs, _representative_inputs=parsed._representative_inputs,
            export_graph_id=parsed.export_graph_id, **maps)
