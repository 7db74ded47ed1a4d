from enum import Enum


class TimeScale(Enum):
    """Units of time stamps. Cycles cannot be converted."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"


def name_of(scale):
    """Returns the name of a time scale of this class, of ExecuTorch's class, or given as its name."""
    name = getattr(scale, "value", scale)
    return TimeScale(name).value
