"""Comparisons of profiles: diff() and gate()."""

import os
from enum import Enum

from . import _etinspect, _options
from ._errors import _USAGE, error_of, file_error
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
    path of a baseline written by `etinspect baseline` or save(), alone or in a list. Options for opening, such as clock_hz, are for paths.
    """

    def __init__(self, source, **options):
        opening = {name: value for name, value in options.items() if _is_in(name, _OPENING)}
        source = _only_baseline(source)
        if isinstance(source, Inspector):
            _options.refuse(opening, _OPENING, "Inspector")
            self._native = _of(source, _options.pairs(options))
        elif isinstance(source, (str, bytes, os.PathLike)) and _is_baseline(source):
            self._native = _etinspect.Profile.read(_options.path_bytes(source), _options.pairs(options))
        else:
            of_profile = {name: value for name, value in options.items() if name not in opening}
            self._native = _of(_opened(source, **opening), _options.pairs(of_profile))

    def save(self, path, **options):
        """Writes a baseline."""
        _options.refuse(options, _OPENING | _MAKING, "Profile")
        self._native.save(_options.path_bytes(path), _options.pairs(options))


# Options of a Profile: those of its making, and those for opening its ETDumps. Both have skip_first.
_MAKING = frozenset(["skip_first", "block"])
_OPENING = _options.OPENING - _MAKING


def _is_in(name, names):
    return name.replace("-", "_") in names


def _opened(source, etrecord_path=None, program_path=None, **options):
    """Returns the Inspector of paths, with inputs by the names of the program."""
    return Inspector(etdump_path=source, etrecord=etrecord_path, program=program_path, **options)


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


def _only_baseline(source):
    """Returns the baseline of a list of one; refuses a longer list with a baseline."""
    if not isinstance(source, (list, tuple)):
        return source
    baselines = [one for one in source if isinstance(one, (str, bytes, os.PathLike)) and _is_baseline(one)]
    if baselines and len(source) > 1:
        raise error_of(_USAGE, f"{os.fsdecode(baselines[0])} is a baseline, which is a side of a comparison alone: give it without the"
                               f" {len(source) - 1} others")  # fmt: skip
    return source[0] if baselines else source


def _profile_of(source, making):
    if not isinstance(source, Profile):
        return Profile(source, **making)
    _options.refuse(making, making, "Profile")
    return source


def _split(options):
    """Returns the options with which sides are made, and those of the comparison."""
    making = {name: value for name, value in options.items() if _is_in(name, _OPENING | _MAKING)}
    return making, {name: value for name, value in options.items() if name not in making}


def diff(base, new, **options):
    """Compares two profiles, or anything that Profile() accepts, with the options of Profile(); returns the report of
    etinspect diff."""
    making, options = _split(options)
    sides = [_profile_of(side, making) for side in (base, new)]
    return Report(_etinspect.diff(*(side._native for side in sides), _options.pairs(options)), options)


def gate(base, new, rules=(), **options):
    """Applies rules such as "op:p50>+5%" to the changes from `base` to `new`; `base` may be None if all rules are limits.
    Returns a GateResult and the report of etinspect gate."""
    making, options = _split(options)
    options = {"fail_on": [rules] if isinstance(rules, str) else list(rules), **options}
    base = None if base is None else _profile_of(base, making)._native
    outcome, report = _etinspect.gate(base, _profile_of(new, making)._native, _options.pairs(options))
    return GateResult(outcome), Report(report, options)
