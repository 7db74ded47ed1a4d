"""The Python reader's fields of a program, in the layout of program_fields.c."""

import struct
import zlib
from pathlib import Path

SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 8: 4, 9: 8, 10: 16, 11: 1, 12: 1, 13: 1, 14: 4, 15: 2, 22: 2, 23: 1,
         24: 1, 25: 1, 26: 1, 27: 2, 28: 4, 29: 8}  # bytes, by ScalarType
UNBOUND = 2


def program_bytes(path):
    """Returns the bytes of the .pte, or of the program inside a .bpte."""
    data = Path(path).read_bytes()
    if data[4:8] != b"BP08":
        return data
    from executorch.devtools.bundled_program.serialize import deserialize_from_flatbuffer_to_bundled_program

    return bytes(deserialize_from_flatbuffer_to_bundled_program(data).program)


def header_of(data):
    """Returns (length, program size, base of segments, size of their data) of the extended header."""
    if data[8:12] != b"eh00":
        return 0, len(data), 0, 0
    length, program_size, base = struct.unpack_from("<IQQ", data, 12)
    return length, program_size, base, struct.unpack_from("<Q", data, 32)[0] if length >= 32 else 0


def read(data):
    """Returns the Python reader's Program."""
    from executorch.exir._serialize._flatbuffer_program import _flatbuffer_to_program

    return _flatbuffer_to_program(data[:header_of(data)[1]])


def measured(data):
    data = bytes(data or b"")
    return [len(data), zlib.crc32(data)]


class File:
    def __init__(self, path):
        self.data = program_bytes(path)
        self.is_bundled = self.data != Path(path).read_bytes()
        self.program = read(self.data)
        self.length, self.program_size, self.base, self.data_size = header_of(self.data)

    def segment(self, i):
        segment = self.program.segments[i]
        return self.data[self.base + segment.offset:self.base + segment.offset + segment.size]

    # ---- values

    def tensor_bytes(self, tensor):
        count = 1
        for size in tensor.sizes:
            count *= size
        known = tensor.shape_dynamism != UNBOUND and int(tensor.scalar_type) in SIZES
        return count * SIZES[int(tensor.scalar_type)] if known else None

    def is_external(self, tensor):
        return tensor.extra_tensor_info is not None and int(tensor.extra_tensor_info.location) == 1

    def constant(self, tensor):
        """Returns the bytes of a constant in this file."""
        index, size = tensor.data_buffer_idx, self.tensor_bytes(tensor)
        if index == 0 or tensor.allocation_info is not None or self.is_external(tensor) or size is None:
            return None
        if self.program.constant_buffer:
            return bytes(self.program.constant_buffer[index].storage)[:size]
        slots = self.program.constant_segment
        start = slots.offsets[index]
        return self.segment(slots.segment_index)[start:start + size]

    def initial_bytes(self, tensor):
        size = self.tensor_bytes(tensor)
        if tensor.data_buffer_idx == 0 or tensor.allocation_info is None or self.is_external(tensor) or size is None:
            return None
        extra = tensor.extra_tensor_info
        slots = self.program.mutable_data_segments[extra.mutable_data_segments_idx if extra else 0]
        start = slots.offsets[tensor.data_buffer_idx]
        return measured(self.segment(slots.segment_index)[start:start + size])

    def tensor(self, tensor):
        extra, place = tensor.extra_tensor_info, tensor.allocation_info
        constant = self.constant(tensor)
        return {
            "sizes": list(tensor.sizes), "dim_order": list(tensor.dim_order or []), "scalar_type": int(tensor.scalar_type),
            "layout": int(tensor.layout), "dynamism": int(tensor.shape_dynamism), "requires_grad": int(tensor.requires_grad),
            "storage_offset": tensor.storage_offset, "data_buffer_idx": tensor.data_buffer_idx,
            "planned": [place.memory_id, place.memory_offset] if place else None, "external": int(self.is_external(tensor)),
            "initial": (extra.mutable_data_segments_idx if extra else 0) if place and tensor.data_buffer_idx > 0 else None,
            "device": [int(extra.device_type), extra.device_index] if extra else [0, 0],
            "name": extra.fully_qualified_name if extra else None, "bytes": self.tensor_bytes(tensor),
            "constant": None if constant is None else measured(constant), "initial_bytes": self.initial_bytes(tensor),
        }

    def value(self, value):
        found = {"kind": type(value).__name__}
        if found["kind"] == "Tensor":
            return {**found, **self.tensor(value)}
        if found["kind"] == "DoubleList":
            found["value"] = [float(item).hex() for item in value.items]
        elif found["kind"] == "BoolList":
            found["value"] = [int(item) for item in value.items]
        elif found["kind"].endswith("List"):
            found["value"] = list(value.items)
        elif found["kind"] == "Double":
            found["value"] = float(value.double_val).hex()
        elif found["kind"] != "Null":
            found["value"] = getattr(value, f"{found['kind'].lower()}_val")
        if found["kind"] == "Bool":
            found["value"] = int(found["value"])
        return found

    # ---- methods

    def instruction(self, instruction):
        call = instruction.instr_args
        kind = type(call).__name__
        fields = {"KernelCall": ("op_index", "args"), "DelegateCall": ("delegate_index", "args"),
                  "MoveCall": ("move_from", "move_to"), "JumpFalseCall": ("cond_value_index", "destination_instruction"),
                  "FreeCall": ("value_index",)}[kind]
        values = [getattr(call, name) for name in fields]
        return [kind, *(list(v) if isinstance(v, (list, tuple)) else v for v in values)]

    def delegate(self, delegate):
        is_segment, index = int(delegate.processed.location), delegate.processed.index
        payload = self.segment(index) if is_segment else self.program.backend_delegate_data[index].data
        return {"id": delegate.id, "processed": [is_segment, index], "payload": measured(payload),
                "specs": [[spec.key, measured(spec.value)] for spec in delegate.compile_specs]}

    def plan(self, plan):
        return {
            "name": plan.name, "inputs": list(plan.inputs), "outputs": list(plan.outputs),
            "nesting": [plan.container_meta_type.encoded_inp_str, plan.container_meta_type.encoded_out_str],
            "devices": [[d.buffer_idx, int(d.device_type), d.device_index] for d in plan.non_const_buffer_device or []],
            "arena_sizes": list(plan.non_const_buffer_sizes), "operators": [[o.name, o.overload] for o in plan.operators],
            "delegates": [self.delegate(d) for d in plan.delegates],
            "chains": [[self.instruction(i) for i in chain.instructions] for chain in plan.chains],
            "values": [self.value(v.val) for v in plan.values],
        }

    def slots(self, slots):
        return [slots.segment_index, list(slots.offsets)]

    def fields(self):
        program = self.program
        return {
            "version": program.version, "identifier": self.data[4:8].decode(), "header_length": self.length,
            "program_size": self.program_size, "segment_base": self.base, "segment_data_size": self.data_size,
            "bundled": int(self.is_bundled),
            "segments": [[self.base + s.offset, measured(self.segment(i))] for i, s in enumerate(program.segments)],
            "inline_constants": [measured(b.storage) for b in program.constant_buffer],
            "inline_delegates": [measured(d.data) for d in program.backend_delegate_data],
            "constants": self.slots(program.constant_segment) if program.constant_segment else None,
            "mutable_data": [self.slots(s) for s in program.mutable_data_segments or []],
            "named_data": [[n.key, n.segment_index] for n in program.named_data or []],
            "plans": [self.plan(p) for p in program.execution_plan],
        }


def data_file_fields(path):
    """Of a .ptd."""
    from executorch.extension.flat_tensor.serialize import serialize

    data = Path(path).read_bytes()
    header = serialize._get_extended_header(data)
    end = header.flatbuffer_offset + header.flatbuffer_size
    flat = serialize._deserialize_to_flat_tensor(data[:end])

    def contents(i):
        start = header.segment_base_offset + flat.segments[i].offset
        return data[start:start + flat.segments[i].size]

    def layout(tensor):
        if tensor is None:
            return None
        size = SIZES[int(tensor.scalar_type)]
        for dimension in tensor.sizes:
            size *= dimension
        return {"scalar_type": int(tensor.scalar_type), "bytes": size, "sizes": list(tensor.sizes),
                "dim_order": list(tensor.dim_order)}

    return {
        "version": flat.version, "header_length": header.length, "metadata_size": end, "segment_base": header.segment_base_offset,
        "segment_data_size": header.segment_data_size,
        "segments": [[header.segment_base_offset + s.offset, s.size] for s in flat.segments],
        "entries": [[n.key, n.segment_index, layout(n.tensor_layout),
                     measured(contents(n.segment_index)[:(layout(n.tensor_layout) or {}).get("bytes")])] for n in flat.named_data],
    }
