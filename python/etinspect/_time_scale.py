from enum import Enum


class TimeScale(Enum):
    """Units of time stamps. Cycles convert to nothing else."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"


def name_of(scale):
    """The name of a time scale: of this class, of ExecuTorch's, or given as its name."""
    name = getattr(scale, "value", scale)
    return TimeScale(name).value
