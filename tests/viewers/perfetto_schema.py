"""Reads .pftrace files by Perfetto's own description of the format."""

import pathlib

from google.protobuf import unknown_fields
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace


def check_known(message):
    """Raises if the message or one inside has a field that the description lacks."""
    unknown = [field.field_number for field in unknown_fields.UnknownFieldSet(message)]
    assert not unknown, f"{message.DESCRIPTOR.full_name} has no field {unknown}"
    for field, value in message.ListFields():
        if field.message_type:
            for part in [value] if hasattr(value, "ListFields") else value:
                check_known(part)


def check_schema(path):
    """All fields are known; slices end in the order in which they began; everything that is referred to was described
    before."""
    trace = Trace()
    trace.ParseFromString(pathlib.Path(path).read_bytes())
    check_known(trace)
    described, names, opened = set(), set(), {}
    for packet in trace.packet:
        names.update(name.iid for name in packet.interned_data.event_names)
        if packet.HasField("track_descriptor"):
            described.add(packet.track_descriptor.uuid)
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        assert event.track_uuid in described, event.track_uuid
        stack = opened.setdefault(event.track_uuid, [])
        if event.type == event.TYPE_SLICE_BEGIN:
            assert event.name_iid in names, event.name_iid
            stack.append(packet.timestamp)
        elif event.type == event.TYPE_SLICE_END:
            assert stack.pop() <= packet.timestamp
    assert not any(opened.values()), "slices are open at the end"
