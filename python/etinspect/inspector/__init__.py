"""The names of executorch.devtools.inspector, for programs that change only the line of their imports."""

from .._compare_results import compare_results
from .._events import Event, EventBlock, PerfData
from .._inspector import Inspector
from .._time_scale import TimeScale
from .._vgf import parse_vgf_neural_statistics_delegate_metadata, parse_vgf_neural_statistics_metadata

__all__ = ["Event", "EventBlock", "Inspector", "PerfData", "TimeScale", "compare_results",
           "parse_vgf_neural_statistics_delegate_metadata", "parse_vgf_neural_statistics_metadata"]  # fmt: skip
