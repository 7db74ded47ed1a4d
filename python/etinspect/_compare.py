"""Comparisons of profiles: diff() and gate()."""

import os
from enum import Enum

from . import _etinspect, _options
from ._errors import file_error
from ._inspector import Inspector
from ._tables import Report


_BASELINE = b"etinspect-baseline,"


class GateResult(Enum):
    PASSED = 0
    FAILED = 1
    UNDECIDED = 2


class Profile:
    """One side of a comparison: the Events of one program in one or more processes.

    `source` is an Inspector each of whose ETDumps comes from one process, the path of an ETDump or a list of paths, or the
    path of a baseline written by `etinspect baseline` or save().
    """

    def __init__(self, source, **options):
        written = _options.pairs(options)
        if isinstance(source, Inspector):
            self._native = _of(source, written)
        elif isinstance(source, (str, bytes, os.PathLike)) and _is_baseline(source):
            self._native = _etinspect.Profile.read(_options.path_bytes(source), written)
        else:
            self._native = _of(Inspector(etdump_path=source), written)

    def save(self, path, **options):
        """Writes a baseline."""
        self._native.save(_options.path_bytes(path), _options.pairs(options))


def _of(inspector, options):
    with inspector._lock:
        return inspector._native.profile(options)


def _is_baseline(path):
    if _options.path_bytes(path) == b"-":
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_BASELINE)) == _BASELINE
    except OSError as error:
        raise file_error(error) from None


def _profile_of(source):
    return source if isinstance(source, Profile) else Profile(source)


def diff(base, new, **options):
    """Compares two profiles, or anything that Profile() accepts; returns the report of etinspect diff."""
    report = _etinspect.diff(_profile_of(base)._native, _profile_of(new)._native, _options.pairs(options))
    return Report(report, options)


def gate(base, new, rules=(), **options):
    """Applies rules such as "op:p50>+5%" to the changes from `base` to `new`; `base` may be None if all rules are limits.
    Returns a GateResult and the report of etinspect gate."""
    options = {"fail_on": [rules] if isinstance(rules, str) else list(rules), **options}
    base = None if base is None else _profile_of(base)._native
    outcome, report = _etinspect.gate(base, _profile_of(new)._native, _options.pairs(options))
    return GateResult(outcome), Report(report, options)
