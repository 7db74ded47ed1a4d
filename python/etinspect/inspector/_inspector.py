"""The classes of executorch.devtools.inspector._inspector that programs import."""

from .._events import Event, EventBlock, PerfData
from .._inspector import Inspector

__all__ = ["Event", "EventBlock", "Inspector", "PerfData"]
