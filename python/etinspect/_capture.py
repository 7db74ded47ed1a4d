"""Recording: Capture, which writes ETDumps of programs that do not use ExecuTorch, or beside it."""

import os

from . import _etinspect
from ._errors import _USAGE, error_of, file_error

_JOURNAL_BYTES = 16 << 20


class _Recorder:
    """Recording methods that captures and their lanes share."""

    def span(self, name, *, handle=None, chain=0):
        """An event, for a with statement. `handle` is the debug handle of the instruction that the event and the values
        logged in it belong to; without one, they belong to the instruction of the innermost open span that has one. `chain`
        is the number of the program's chain with the instruction.

        A span may be used again after it has ended, which saves looking up its name. Its attribute `counters`, a dict such as
        {"cycles": 1200, "energy [uJ]": 3}, gives the event whole numbers.
        """
        return self._native.span(name, handle, chain)

    def delegate(self, operator, *, metadata=None, handle=None, chain=0):
        """An event of a delegate's operator, a name or an id, for a with statement. `metadata` are bytes in a format of the
        delegate, an attribute of the span that may also be set within the statement."""
        name, number = _key(operator)
        span = self._native.delegate(name, number, handle, chain)
        span.metadata = metadata
        return span

    def log_event(self, name, start, end):
        """Records a past event, with times of time.monotonic_ns()."""
        self._native.log_event(name, start, end)

    def mark(self, name, counters=None):
        """Marks the current time, with counters that have these values now: {"frequency [Hz]": 600_000_000}."""
        self._native.mark(name, {} if counters is None else counters)

    def log_value(self, value, *, operator=None, output=False):
        """Records a value that the instruction made, or that an operator of a delegate did: a bool, an int, a float, a
        tensor, or a list of tensors. Tensors are torch's, or anything with a buffer, such as arrays of numpy. `output` marks
        an output of the program.

        Returns whether everything was recorded. It was not if no run is open or memory is full; contents of tensors need
        `debug_bytes`.
        """
        value = tuple(map(_array_of, value)) if isinstance(value, (list, tuple)) else _array_of(value)
        return self._native.log_value(value, *_key(operator), output)


class Capture(_Recorder):
    """Records events of this process, and saves them as an ETDump.

        with etinspect.Capture("run.etdp") as capture:
            for image in images:
                with capture.run("Execute"):
                    with capture.span("conv"):
                        ...

    The with statement saves to `path`, if it is given, and the contents of tensors to `debug_path`, and closes the capture.
    An event belongs to the run that is open when it ends. Lost runs, events and names raise no exception: stats() counts
    them.

    A capture keeps the first runs, up to `limit_bytes` (0: 1 GiB); ring=True keeps the last runs, at most `keep_runs` of
    each name. Options without effect are refused. It leaves out the first `skip_runs` runs called `window_name` (None: "Execute"), and records the next
    `max_runs` (0: all). Spans that are neither given a handle nor within a span with one are numbered in each run, in a chain
    of their own, so that they stay separate from others with the same name or number, unless auto_handles is False. `debug_bytes` is the size of the memory for contents of tensors. `journal` is a new file
    for records, from which `etinspect recover` makes the ETDump if the process dies.

    Times are those of time.monotonic_ns(). A capture belongs to one thread; other threads record through lane().
    """

    def __init__(
        self,
        path=None,
        *,
        debug_path=None,
        ring=False,
        keep_runs=0,
        limit_bytes=0,
        skip_runs=0,
        max_runs=0,
        window_name=None,
        keep_partial_runs=False,
        auto_handles=True,
        debug_bytes=0,
        journal=None,
    ):
        _refuse_without("debug_path", debug_path is not None, path is not None, "path")
        _refuse_without("keep_runs", keep_runs > 0, ring, "ring=True")
        _refuse_without("window_name", window_name is not None, skip_runs or max_runs, "skip_runs or max_runs")
        self._path, self._debug_path = path, debug_path
        if journal is not None:
            journal, limit_bytes = os.fsencode(journal), limit_bytes or _JOURNAL_BYTES
        try:
            flags, numbers = (ring, keep_partial_runs, auto_handles), (limit_bytes, keep_runs, skip_runs, max_runs, debug_bytes)
            self._native = _etinspect.Capture.open(journal, flags, window_name, numbers)
        except OSError as error:
            raise file_error(error) from None

    def run(self, name="Execute", *, bundled_input_index=None):
        """Returns a run, for a with statement. Equal events of runs with one name become one Event with many samples."""
        return self._native.run(name, -1 if bundled_input_index is None else bundled_input_index)

    def name_queue(self, number, name):
        """Names a queue of a device, or the main thread (0), in the file."""
        self._native.name_lane(number, name)

    def lane(self, name=None, *, limit_bytes=0, debug_bytes=0):
        """Returns a recorder for another thread, whose events belong to the runs of this capture. The file has its `name`. Its
        memory grows to `limit_bytes` (0: the limit of this capture)."""
        native = self._native.lane(limit_bytes, debug_bytes)
        if name is not None:
            native.name_lane(0, name)
        return Lane(native)

    def allocator(self, name):
        """Records an allocator in the open run, and returns its id there, or 0."""
        return self._native.allocator(name)

    def allocation(self, allocator, n_bytes):
        """Records an allocation by an allocator of this run."""
        self._native.allocation(allocator, n_bytes)

    def save(self, path, debug_path=None, **options):
        """Writes the ETDump of all complete runs, and to `debug_path` the contents of tensors. Files appear when they are
        complete.

        Options: last_runs=N saves only the last N, run_name="…" only those with this name, partial_runs=True also those that
        lost events; no_allocations=True leaves out allocations, on which ExecuTorch's Inspector fails.
        """
        try:
            self._native.save(os.fsencode(path), None if debug_path is None else os.fsencode(debug_path), _save_options(**options))
        except OSError as error:
            raise file_error(error) from None

    def tobytes(self, **options):
        """Returns the ETDump that save() would write: Inspector(etdump_data=capture.tobytes()) reads it."""
        return self._native.tobytes(_save_options(**options))

    def stats(self):
        """Returns the counts of recorded and lost items: {name: number}, with the names of etc_stats in etcapture.h."""
        return self._native.stats()

    def reset(self):
        """Forgets all runs."""
        self._native.reset()

    def sync(self):
        """Writes a journal to the disk."""
        self._native.sync()

    def close(self):
        """Frees the memory. Spans and lanes of the capture record nothing from then on, and its other methods raise an Error."""
        self._native.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            # An exception in the block is more informative than one that says that there is nothing to save.
            if self._path is not None and not (error and self.stats()["runs"] == 0):
                self.save(self._path, self._debug_path)
        finally:
            self.close()


class Lane(_Recorder):
    """Records events of another thread into the runs of a capture: see Capture.lane()."""

    def __init__(self, native):
        self._native = native


def _refuse_without(name, is_given, has_effect, needed):
    """Raises an Error for an option that has no effect without another one."""
    if is_given and not has_effect:
        raise error_of(_USAGE, f"{name} has no effect without {needed}: leave it out")


def _save_options(last_runs=0, run_name=None, no_allocations=False, partial_runs=False):
    return last_runs, run_name, no_allocations, partial_runs


def _key(operator):
    if operator is None:
        return None, -1
    return (operator, -1) if isinstance(operator, str) else (None, operator)


def _array_of(value):
    """Returns an object with a buffer, for a tensor of torch or of etinspect."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return value.numpy() if hasattr(value, "numpy") else value
