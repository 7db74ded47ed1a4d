"""The names of executorch.devtools.inspector._inspector_utils that programs import."""

from .._compare_results import compare_results
from .._time_scale import TimeScale

__all__ = ["TimeScale", "compare_results"]
