"""Uses the installed package without any other package, to call functions that the limited API of an old Python may lack.

    use_package.py FOLDER

FOLDER is doc/tour.
"""

import array
import mmap
import pathlib
import sys
import tempfile

from etinspect import Capture, Inspector, diff
from etinspect.inspector._inspector_utils import TimeScale

folder = pathlib.Path(sys.argv[1])
dump, record, program = (folder / name for name in ("model.etdp", "model.etrecord", "model.pte"))

inspector = Inspector(etdump_path=str(dump), etrecord=str(record), target_time_scale=TimeScale.US)
names = [event.name for block in inspector.event_blocks for event in block.events]
assert "native_call_mean.out" in names, names

# Buffers: immutable, copied, mapped, and one whose memory is Python's.
with open(dump, "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
for data in (dump.read_bytes(), bytearray(dump.read_bytes()), memoryview(dump.read_bytes()), mapped):
    same = Inspector(etdump_data=data, etrecord=str(record))
    assert [event.name for block in same.event_blocks for event in block.events] == names

table = inspector.report("ops", top=3)
assert len(list(table.rows())) == 3
assert "arrow_array_stream" in repr(table.__arrow_c_stream__())
assert len(diff(str(dump), str(dump))["files"]) == 2

with tempfile.TemporaryDirectory() as work:
    path, debug_path = pathlib.Path(work) / "run.etdp", pathlib.Path(work) / "debug.bin"
    with Capture(path, debug_path=debug_path, debug_bytes=1 << 12) as capture:
        with capture.run("Execute"):
            with capture.span("conv", handle=0):
                assert capture.log_value(array.array("f", [1.0, 2.0]))
                assert capture.log_value(memoryview(b"12345678")[::2])
    (block,) = Inspector(path, debug_buffer_path=debug_path).event_blocks
    (event,) = [event for event in block.events if event.name == "conv"]
    assert [tensor.tobytes() for tensor in event.debug_data] == [array.array("f", [1.0, 2.0]).tobytes(), b"1357"]
print("used")
