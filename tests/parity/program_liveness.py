"""Computes when each planned tensor of a method is in use, and the contents of an arena at its peak, from a program's
fields (program_fields.py).

Written from the rules alone, with sets and loops instead of the library's sweep: slow, and easy to read.
"""

import dataclasses

LISTS = ("TensorList", "OptionalTensorList")


@dataclasses.dataclass
class Planned:
    value: int
    dtype: int
    memory_id: int
    start: int
    end: int
    has_initial_data: bool
    name: str
    refs: list  # instructions
    writes: list  # for these kernels, the arguments that are written
    role: str = None
    first: int = None
    last: int = None
    alias_of: int = None
    home: object = None  # (memory id, first byte) of its bytes; None: its own place; "none": outside of the arenas, or moved there

    @property
    def size(self):
        return self.end - self.start

    def uses_memory(self):
        return self.role not in ("unused", "moved") and self.size > 0 and self.home in (None, (self.memory_id, self.start))


class Method:
    def __init__(self, plan, n_outputs=None):
        """`n_outputs`: {instruction: number of outputs of its delegate's call}, if an ETRecord has it."""
        self.values, self.inputs, self.outputs = plan["values"], plan["inputs"], plan["outputs"]
        self.operators = [".".join(filter(None, o)) for o in plan["operators"]]
        self.instructions = [i for chain in plan["chains"] for i in chain]
        self.starts = [sum(map(len, plan["chains"][:i])) for i in range(len(plan["chains"])) for _ in plan["chains"][i]]
        self.arena_sizes = plan["arena_sizes"]
        self.count = len(self.instructions)
        self.n_outputs = n_outputs or {}
        self.tensors = {i: self.planned(i, v) for i, v in enumerate(self.values)
                        if v["kind"] == "Tensor" and v["planned"] and v["bytes"] is not None}
        self.collect()
        self.work()

    def planned(self, i, value):
        memory_id, start = value["planned"]
        return Planned(i, value["scalar_type"], memory_id, start, start + value["bytes"], value["initial"] is not None,
                       value["name"], [], [])

    # ---- values that instructions refer to and write

    def items(self, value):
        return [i for i in self.values[value]["value"] if i >= 0] if self.values[value]["kind"] in LISTS else [value]

    def arguments(self, instruction):
        kind, rest = instruction[0], instruction[1:]
        if kind in ("KernelCall", "DelegateCall"):
            return [v for argument in rest[1] for v in self.items(argument)]
        return rest[:1] if kind in ("JumpFalseCall", "FreeCall") else rest

    def collect(self):
        for k, instruction in enumerate(self.instructions):
            for value in dict.fromkeys(self.arguments(instruction)):
                if value in self.tensors:
                    self.tensors[value].refs.append(k)
        for k, instruction in enumerate(self.instructions):
            for value in self.written(k, instruction):
                if value in self.tensors:
                    self.tensors[value].writes.append(k)

    def is_view(self, instruction):
        """Returns whether the instruction makes its last argument a view of its first."""
        return instruction[0] == "KernelCall" and len(instruction[2]) > 1 and self.operators[instruction[1]].startswith("executorch_prim::et_view")

    def written(self, k, instruction):
        kind = instruction[0]
        if self.is_view(instruction):
            return []
        if kind == "KernelCall" and instruction[2]:
            is_copy = self.operators[instruction[1]].startswith("executorch_prim::et_copy_index")
            return self.items(instruction[2][0 if is_copy else -1])
        if kind == "DelegateCall":
            return self.written_by_delegate(k, instruction[2])
        return []

    def written_by_delegate(self, k, arguments):
        if k in self.n_outputs:
            return arguments[len(arguments) - self.n_outputs[k]:]
        found = []
        for value in reversed(arguments):
            if self.values[value]["kind"] != "Tensor":
                continue
            tensor = self.tensors.get(value)
            if tensor is None or tensor.refs[0] < k or value in self.inputs:
                break
            found.append(value)
        return found

    # ---- roles, aliases, outputs, pairs, moves, loops

    def work(self):
        self.moves = [(k, i[1], i[2]) for k, i in enumerate(self.instructions) if i[0] == "MoveCall"]
        self.views = {k: (i[2][0], i[2][-1]) for k, i in enumerate(self.instructions) if self.is_view(i)}
        for tensor in self.tensors.values():
            self.give_role(tensor)
        for tensor in self.tensors.values():
            self.find_source(tensor)
        for k, (base, view) in self.views.items():
            if view in self.tensors and self.tensors[view].role == "made view" and self.tensors[view].refs[0] == k:
                self.show(self.tensors[view], self.tensors.get(base))
        for value in self.outputs:
            if value in self.tensors:
                self.stretch(self.tensors[value], self.count - 1, self.count - 1)
        for tensor in self.tensors.values():
            if tensor.alias_of is not None:
                source = self.tensors[tensor.alias_of]
                self.stretch(tensor, source.first, source.first)
                self.stretch(source, tensor.last, tensor.last)
        for _, source, target in sorted(self.moves + [(k, *pair) for k, pair in self.views.items()], reverse=True):
            if source in self.tensors and self.tensors[source].first is not None:
                self.keep_for(self.tensors[source], target)
        self.widen_over_loops()

    def show(self, view, base):
        """Makes a tensor, which an instruction makes a view of `base`, an alias."""
        view.role = "output" if view.value in self.outputs else "alias"
        view.home = "none"
        if base is None:
            return
        is_alias = base.role == "alias" or base.alias_of is not None
        view.alias_of = base.alias_of if is_alias else base.value
        view.home = "none" if base.role == "moved" else base.home or (base.memory_id, base.start)

    def keep_for(self, source, target):
        """Keeps the bytes of a tensor until the value that was moved or viewed from it is not needed any more."""
        if target in self.tensors:
            last = self.tensors[target].last
        else:
            last = max([k for k, i in enumerate(self.instructions) if target in self.arguments(i)])
        last = self.count - 1 if target in self.outputs else last
        self.stretch(source, last, last)
        if source.alias_of is not None:
            self.stretch(self.tensors[source.alias_of], last, last)

    def stretch(self, tensor, first, last):
        tensor.first = first if tensor.first is None else min(first, tensor.first)
        tensor.last = last if tensor.last is None else max(last, tensor.last)

    def is_only_moved_to(self, tensor):
        return not tensor.writes and any(target == tensor.value for _, _, target in self.moves)

    def give_role(self, tensor):
        refs, end = tensor.refs, self.count - 1
        if tensor.value in self.inputs:
            tensor.role, tensor.first, tensor.last = "input", 0, max(refs, default=0)
        elif tensor.has_initial_data or tensor.name:
            tensor.role, tensor.first, tensor.last = "state", 0, end
        elif self.is_only_moved_to(tensor):
            tensor.role, tensor.first, tensor.last = "moved", refs[0], refs[-1]
        elif not refs:
            tensor.role = "output" if tensor.value in self.outputs else "unused"
        elif self.views.get(refs[0], (None, None))[1] == tensor.value:
            tensor.role, tensor.first, tensor.last = "made view", refs[0], refs[-1]
        elif refs[0] in tensor.writes:
            tensor.role, tensor.first, tensor.last = "activation", refs[0], refs[-1]
        else:  # read before it is written: find_source() finds the source
            tensor.role, tensor.first, tensor.last = "alias", refs[0], refs[-1]
        if tensor.value in self.outputs and tensor.role == "activation":
            tensor.role = "output"

    def written_before(self, tensor, k):
        """Returns the last instruction before k that wrote it; -1: it has its value from the start; None: it has none."""
        writes = [w for w in tensor.writes if w < k]
        return max(writes) if writes else -1 if tensor.role in ("input", "state") else None

    def source_of(self, tensor, k):
        candidates = []
        for other in self.tensors.values():
            covers = other.start <= tensor.start and tensor.end <= other.end
            if other is tensor or not covers or (other.memory_id, other.dtype) != (tensor.memory_id, tensor.dtype):
                continue
            written = self.written_before(other, k)
            is_alias = other.role in ("alias", "made view") or (other.role == "output" and not other.writes)
            if written is not None and not is_alias:
                candidates.append(((other.start, other.end) == (tensor.start, tensor.end), written, other.value))
        return max(candidates)[2] if candidates else None

    def find_source(self, tensor):
        if tensor.role == "output" and not tensor.refs:
            tensor.alias_of = self.source_of(tensor, self.count)
            return
        if tensor.role != "alias":
            return
        tensor.alias_of = self.source_of(tensor, tensor.refs[0]) if tensor.size else None
        if tensor.alias_of is not None:
            if tensor.value in self.outputs:
                tensor.role = "output"
        elif tensor.size and (tensor.writes or len(tensor.refs) > 1):
            tensor.role, tensor.first, tensor.last = "state", 0, self.count - 1
        else:
            tensor.role = "scratch"

    def widen_over_loops(self):
        loops = [(self.starts[k] + i[2], k) for k, i in enumerate(self.instructions)
                 if i[0] == "JumpFalseCall" and self.starts[k] + i[2] <= k]
        changed = True
        while changed:
            changed = False
            for begin, end in loops:
                for tensor in self.tensors.values():
                    if tensor.first is None or tensor.last < begin or end < tensor.first:
                        continue
                    is_inside = begin <= tensor.first and tensor.last <= end
                    if not is_inside and not (tensor.first <= begin and end <= tensor.last):
                        self.stretch(tensor, begin, end)
                        changed = True

    # ---- arenas

    def live(self, k):
        return [t for t in self.tensors.values() if t.uses_memory() and t.first is not None and t.first <= k <= t.last]

    def in_use(self, memory_id, k):
        used, end = 0, 0
        for start, stop in sorted((t.start, t.end) for t in self.live(k) if t.memory_id == memory_id):
            used += max(0, stop - max(start, end))
            end = max(end, stop)
        return used

    def arenas(self):
        """Returns {memory id: size, highest byte, peak, its instruction, the tensors alive there}."""
        ids = sorted({t.memory_id for t in self.tensors.values()} | {i for i, size in enumerate(self.arena_sizes) if size})
        found = {}
        for i in ids:
            used = [self.in_use(i, k) for k in range(self.count)]
            peak = max(used, default=0)
            at = used.index(peak) if used else 0
            found[i] = {"size": self.arena_sizes[i] if i < len(self.arena_sizes) else 0, "peak": peak, "at": at,
                        "highest": max((t.end for t in self.tensors.values() if t.memory_id == i), default=0),
                        "alive": sorted(t.value for t in self.live(at) if t.memory_id == i)}
        return found

    def has_jumps_or_moves(self):
        return any(i[0] in ("JumpFalseCall", "MoveCall") for i in self.instructions)

    def overlaps(self):
        """Returns pairs of values that share bytes at an instruction, though neither is an alias of the other."""
        found = set()
        for k in range(self.count):
            live = self.live(k)
            for a in live:
                for b in live:
                    shares = a.value < b.value and a.memory_id == b.memory_id and a.start < b.end and b.start < a.end
                    if shares and self.origin(a) != self.origin(b):
                        found.add((a.value, b.value))
        return found

    def origin(self, tensor):
        return tensor.value if tensor.alias_of is None else tensor.alias_of
