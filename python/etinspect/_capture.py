"""Recording: Capture, which writes ETDumps of programs that do not use ExecuTorch, or beside it."""

import os

from . import _etinspect
from ._errors import file_error

_JOURNAL_BYTES = 16 << 20


class _Recorder:
    """What captures and their lanes record."""

    def span(self, name, *, handle=None, chain=0):
        """An event, for a with statement. `handle` is the debug handle of the instruction that it and the values in it belong to.

        A span may be used again after it ended, which saves looking up its name.
        """
        return self._native.span(name, handle, chain)

    def delegate(self, operator, *, metadata=None, handle=None, chain=0):
        """An event of a delegate's operator, a name or an id, for a with statement. `metadata` are bytes in a format of the delegate;
        they may also be set within, as attribute of the span."""
        name, number = _key(operator)
        span = self._native.delegate(name, number, handle, chain)
        span.metadata = metadata
        return span

    def log_event(self, name, start, end):
        """Records an event that happened, with times of time.monotonic_ns()."""
        self._native.log_event(name, start, end)

    def log_value(self, value, *, operator=None, output=False):
        """Records a value that the instruction made, or that an operator of a delegate did: a bool, an int, a float, a tensor, or a
        list of tensors, which are torch's or anything with a buffer, such as numpy's. `output` says that it is an output of the program.

        Returns whether all is recorded: not without an open run, and not where there is no memory; of tensors the
        contents need `debug_bytes`.
        """
        if isinstance(value, (list, tuple)):
            value = tuple(map(_array_of, value))
        else:
            value = _array_of(value)
        return self._native.log_value(value, *_key(operator), output)


class Capture(_Recorder):
    """Records events of this process, and saves them as an ETDump.

        with etinspect.Capture("run.etdp") as capture:
            for image in images:
                with capture.run("Execute"):
                    with capture.span("conv"):
                        ...

    A with statement saves to `path`, if it is given, and to `debug_path` contents of tensors, and closes the capture. Runs, events and
    names that are lost raise nothing; stats() counts them. Events belong to the run that is open when they end.

    ring=True keeps the last runs, and keep_runs at most so many of each name; otherwise the first are kept, up to `limit_bytes` (0: 1 GiB).
    The first skip_runs runs called `window_name` ("Execute") are left out, and max_runs recorded after them. Without a handle of
    their own, spans are numbered in each run, so that those with one name remain apart; auto_handles=False leaves that
    out. `debug_bytes` is how many bytes contents of tensors may have. A `journal` is a new file that survives the process; `etinspect recover`
    makes the ETDump of it.

    Times are those of time.monotonic_ns(). A capture belongs to one thread: others record through a lane().
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
        self._path, self._debug_path = path, debug_path
        if journal is not None:
            journal, limit_bytes = os.fspath(journal), limit_bytes or _JOURNAL_BYTES
        try:
            self._native = _etinspect.Capture.open(
                journal, (ring, keep_partial_runs, auto_handles), window_name, (limit_bytes, keep_runs, skip_runs, max_runs, debug_bytes)
            )
        except OSError as error:
            raise file_error(error) from None

    def run(self, name="Execute", *, bundled_input_index=None):
        """A run, for a with statement. Equal events of runs with one name become one Event with many samples."""
        return self._native.run(name, -1 if bundled_input_index is None else bundled_input_index)

    def lane(self, *, limit_bytes=0, debug_bytes=0):
        """A recorder for one more thread, whose events belong to the runs of this capture. Its memory grows to `limit_bytes` (0: as much
        as this capture has)."""
        return Lane(self._native.lane(limit_bytes, debug_bytes))

    def allocator(self, name):
        """Records an allocator in the open run, and returns its id there, or 0."""
        return self._native.allocator(name)

    def allocation(self, allocator, n_bytes):
        """Records an allocation by an allocator of this run."""
        self._native.allocation(allocator, n_bytes)

    def save(self, path, debug_path=None, **options):
        """Writes the ETDump of all complete runs, and to `debug_path` the contents of tensors. Files appear when they are complete.

        Options: last_runs=N saves the last N, run_name those of one name, partial_runs=True such that lost events, too; and
        no_allocations=True leaves out allocations, on which ExecuTorch's Inspector fails.
        """
        try:
            self._native.save(os.fspath(path), None if debug_path is None else os.fspath(debug_path), _save_options(**options))
        except OSError as error:
            raise file_error(error) from None

    def tobytes(self, **options):
        """The ETDump that save() would write: Inspector(etdump_data=capture.tobytes()) reads it."""
        return self._native.tobytes(_save_options(**options))

    def stats(self):
        """What was recorded and what was lost: {name: number}, by the names of etc_stats in etcapture.h."""
        return self._native.stats()

    def reset(self):
        """Forgets all runs."""
        self._native.reset()

    def sync(self):
        """Writes a journal to the disk."""
        self._native.sync()

    def close(self):
        """Frees the memory. Spans and lanes of the capture record nothing any more."""
        self._native.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            # An exception in the block says more than that there was nothing to save.
            if self._path is not None and not (error and self.stats()["runs"] == 0):
                self.save(self._path, self._debug_path)
        finally:
            self.close()


class Lane(_Recorder):
    """Records events of another thread into the runs of a capture: see Capture.lane()."""

    def __init__(self, native):
        self._native = native


def _save_options(last_runs=0, run_name=None, no_allocations=False, partial_runs=False):
    return last_runs, run_name, no_allocations, partial_runs


def _key(operator):
    if operator is None:
        return None, -1
    return (operator, -1) if isinstance(operator, str) else (None, operator)


def _array_of(value):
    """Something with a buffer, of a tensor of torch or of etinspect."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return value.numpy() if hasattr(value, "numpy") else value
