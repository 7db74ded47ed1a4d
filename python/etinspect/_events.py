"""PerfData, Event and EventBlock: the fields, properties and methods of executorch.devtools' classes."""

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _etinspect
from ._errors import Error, need
from ._tensor import Tensor
from ._time_scale import TimeScale

ProgramOutput = List[Union[Tensor, List[Tensor], int, float, bool, None]]


@dataclass
class PerfData:
    """The times of an Event, one per run, in the target time scale, and their statistics, which equal numpy's to the last
    bit."""

    def __init__(self, raw: List[float]):
        self.raw: List[float] = raw

    def _summary(self):
        if any(sample != sample for sample in self.raw):
            return (float("nan"),) * 6
        return _etinspect.summarize(self.raw)

    @property
    def p10(self) -> float:
        return self._summary()[0]

    @property
    def p50(self) -> float:
        return self._summary()[1]

    @property
    def p90(self) -> float:
        return self._summary()[2]

    @property
    def avg(self) -> float:
        return self._summary()[3]

    @property
    def min(self) -> float:
        return min(self.raw)

    @property
    def max(self) -> float:
        return max(self.raw)


@dataclass
class Event:
    """An operator, or a part of the runtime's own work, with its times in all runs of its EventBlock."""

    name: str
    perf_data: Optional[PerfData] = None
    op_types: List[str] = dataclasses.field(default_factory=list)
    delegate_debug_identifier: Optional[Union[int, str]] = None
    debug_handles: Optional[Union[int, Sequence[int]]] = None
    num_outputs: int = 1
    stack_traces: Dict[str, str] = dataclasses.field(default_factory=dict)
    module_hierarchy: Dict[str, Dict] = dataclasses.field(default_factory=dict)
    is_delegated_op: Optional[bool] = None
    delegate_backend_name: Optional[str] = None
    _delegate_debug_metadatas: List[str] = dataclasses.field(default_factory=list)

    debug_data: ProgramOutput = dataclasses.field(default_factory=list)
    _instruction_id: Optional[int] = None

    _delegate_metadata_parser: Optional[Callable[[List[str]], Dict[str, Any]]] = None
    _delegate_time_scale_converter: Optional[Callable[[Union[int, str], Union[int, float]], Union[int, float]]] = None
    _start_time: Optional[List[Union[int, float]]] = None

    @cached_property
    def delegate_debug_metadatas(self) -> Union[List[str], Dict[str, Any]]:
        """Returns the result of the Inspector's metadata parser; without one, the metadata."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> List[str]:
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> Optional[List[Union[int, float]]]:
        """The stamp at which the Event started in each run."""
        return self._start_time

    def to_dataframe(self, _units=""):
        """Returns a DataFrame with one row."""
        pandas = need("pandas")

        return pandas.DataFrame(self.asdict(_units=_units))

    def asdict(self, _units="") -> dict:
        """Returns the columns of to_dataframe(), with their single cell."""
        statistics = self.perf_data._summary()[:4] if self.perf_data else (None,) * 4
        p10, p50, p90, avg = statistics
        return {
            "event_name": self.name,
            "raw": [self.perf_data.raw if self.perf_data else None],
            "p10" + _units: p10,
            "p50" + _units: p50,
            "p90" + _units: p90,
            "avg" + _units: avg,
            "min" + _units: self.perf_data.min if self.perf_data else None,
            "max" + _units: self.perf_data.max if self.perf_data else None,
            "op_types": [_shown_op_types(self.op_types)],
            "delegate_debug_identifier": self.delegate_debug_identifier,
            "stack_traces": [self.stack_traces],
            "module_hierarchy": [self.module_hierarchy],
            "is_delegated_op": self.is_delegated_op,
            "delegate_backend_name": self.delegate_backend_name,
            "debug_data": [self.debug_data],
            "start_time": [self._start_time],
        }


def _shown_op_types(names):
    return names if len(names) < 5 else f"['{names[0]}', '{names[1]}' ... '{names[-1]}'] ({len(names)} total)"


@dataclass
class EventBlock:
    """Events of runs that recorded the same things in the same order."""

    name: str
    events: List[Event] = dataclasses.field(default_factory=list)
    source_time_scale: TimeScale = TimeScale.NS
    target_time_scale: TimeScale = TimeScale.MS
    bundled_input_index: Optional[int] = None
    run_output: Optional[ProgramOutput] = None
    reference_output: Optional[ProgramOutput] = None

    def to_dataframe(self, include_units: bool = False, include_delegate_debug_data: bool = False):
        """Returns a DataFrame with a row per Event. Rows called OPERATOR_CALL have the time of the operator before them,
        and the framework's overhead."""
        from ._dataframe import block_frame

        return block_frame(self, include_units, include_delegate_debug_data)


def blocks_of(blocks, settings):
    """Makes the EventBlocks from the extension's tuples."""
    return [_block_of(block, settings) for block in blocks]


def are_shown_alike(blocks, made, scale):
    """Returns whether printed tables of EventBlocks are those of the extension's columns, which take less time to make than Events.
    Compares only what tables show."""
    try:
        return len(blocks) == len(made) and all(map(_is_shown_alike, blocks, made, repeat(scale)))
    except Exception:  # of values that the user set: a comparison with an array gives no bool
        return False


def _is_shown_alike(block, made, scale):
    (name, names, raw, _, op_types, _, _, _, are_delegated, backends, _, _, metadata) = made
    events = block.events
    return (
        (type(block), block.name, block.target_time_scale, len(events)) == (EventBlock, name, scale, len(names))
        and set(map(type, events)) <= {Event}
        and raw == [event.perf_data and event.perf_data.raw for event in events]
        and names == [event.name for event in events]
        and op_types == [_shown_op_types(event.op_types) for event in events]
        and are_delegated == bytes([event.is_delegated_op for event in events])
        and backends == [event.delegate_backend_name for event in events]
        and metadata == [event._delegate_debug_metadatas for event in events]
    )


def _block_of(block, settings):
    name, events, bundled_input_index, run_output, reference_output = block
    return EventBlock(
        name=name,
        events=[_event_of(event, settings) for event in events],
        source_time_scale=settings.source_time_scale,
        target_time_scale=settings.target_time_scale,
        bundled_input_index=bundled_input_index,
        run_output=run_output,
        reference_output=reference_output or None,
    )


def _event_of(event, settings):
    (name, raw, op_types, identifier, handles, num_outputs, traces, hierarchy, is_delegated, backend, metadata, debug_data,
     instruction_id, start_time, end_time, is_timed_by_delegate) = event
    if is_timed_by_delegate and raw is not None and settings.delegate_time_scale_converter:
        raw = _converted(name, start_time, end_time, settings.delegate_time_scale_converter)
    return Event(
        name=name,
        perf_data=PerfData(raw) if raw is not None else None,
        op_types=op_types,
        delegate_debug_identifier=identifier,
        debug_handles=handles,
        num_outputs=num_outputs,
        stack_traces=traces,
        module_hierarchy=hierarchy,
        is_delegated_op=is_delegated,
        delegate_backend_name=backend,
        _delegate_debug_metadatas=metadata,
        debug_data=debug_data,
        _instruction_id=instruction_id,
        _delegate_metadata_parser=settings.delegate_metadata_parser,
        _delegate_time_scale_converter=settings.delegate_time_scale_converter,
        _start_time=start_time,
    )


MOST_UINT32 = 2**32 - 1


def _converted(name, starts, ends, convert):
    return [_elapsed(convert(name, start), convert(name, end)) for start, end in zip(starts, ends)]


def _elapsed(start, end):
    """Returns the time between two stamps. A clock that ran backwards is a 32-bit clock that wrapped around."""
    if start <= end:
        return end - start
    if start > MOST_UINT32 or end > MOST_UINT32:
        raise Error(
            f"Expected start_time ({start}) and end_time ({end}) to be less than {MOST_UINT32} for cases where there is "
            "wrap-around of time values."
        )
    return (MOST_UINT32 - start) + end
