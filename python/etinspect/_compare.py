"""Comparisons of profiles: diff() and gate()."""

import os
from enum import Enum

from . import _etinspect, _options
from ._errors import _USAGE, error_of, file_error
from ._inspector import Inspector
from ._tables import Report


_BASELINE = b"etinspect-baseline,"
_MARK = b"\xef\xbb\xbf"  # of the byte order, with which some editors begin a file


class GateResult(Enum):
    PASSED = 0
    FAILED = 1
    UNDECIDED = 2


class Profile:
    """One side of a comparison: the Events of one program in one or more processes.

    `source` is an Inspector each of whose ETDumps comes from one process, or a path or several paths: of ETDumps, and of
    baselines written by `etinspect baseline` or save(). Options for opening, such as clock_hz, are for paths.
    allow_unlike=True merges files with other labels. Whether all are of one program is checked by save(), diff() and gate(),
    which have the same option.
    """

    def __init__(self, source, *, allow_unlike=False, **options):
        opening = {name: value for name, value in options.items() if _is_in(name, _OPENING)}
        if isinstance(source, Inspector):
            _options.refuse(opening, _OPENING, "Inspector")
            self._native = _of(source, _options.pairs(options))
        else:
            self._native = _of_paths(_listed(source), opening, options, allow_unlike)

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


def _listed(source):
    """Returns a list of one or several paths."""
    if isinstance(source, (str, bytes, os.PathLike)):
        return [source]
    try:
        return list(source)
    except TypeError:
        kind = type(source).__name__
        raise TypeError(f"expected an Inspector, or paths of ETDumps or baselines, not an object of the type {kind}") from None


def _of_paths(paths, opening, options, allow_unlike):
    """Merges a profile of each baseline and one of all ETDumps, which takes the place of the first ETDump, as the program
    does."""
    are_baselines = [_is_baseline(path) for path in paths]
    dumps = [path for path, is_baseline in zip(paths, are_baselines) if not is_baseline]
    of_profile = _options.pairs({name: value for name, value in options.items() if name not in opening})
    parts, is_inspected = [], False
    for path, is_baseline in zip(paths, are_baselines):
        if is_baseline:
            parts.append(_etinspect.Profile.read(_options.path_bytes(path), _options.pairs(options)))
        elif not is_inspected:
            parts.append(_of(_opened(dumps, **opening), of_profile))
            is_inspected = True
    if not parts:
        raise error_of(_USAGE, "there is no file: give the path of an ETDump or a baseline")
    return parts[0] if len(parts) == 1 else _etinspect.Profile.merge(parts, _options.pairs({"allow_unlike": allow_unlike}))


def _is_baseline(path):
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"expected a path, not an object of the type {type(path).__name__}")
    if _options.path_bytes(path) == b"-":
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MARK + _BASELINE)).removeprefix(_MARK).startswith(_BASELINE)
    except OSError as error:
        raise file_error(error) from None


def _profile_of(source, making, options):
    if not isinstance(source, Profile):
        allow_unlike = any(value for name, value in options.items() if _is_in(name, ["allow_unlike"]))
        return Profile(source, allow_unlike=allow_unlike, **making)
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
    sides = [_profile_of(side, making, options) for side in (base, new)]
    return Report(_etinspect.diff(*(side._native for side in sides), _options.pairs(options)), options)


def gate(base, new, rules=(), **options):
    """Applies rules such as "op:p50>+5%" to the changes from `base` to `new`; `base` may be None if all rules are limits.
    Returns a GateResult and the report of etinspect gate."""
    making, options = _split(options)
    options = {"fail_on": [rules] if isinstance(rules, str) else list(rules), **options}
    base = None if base is None else _profile_of(base, making, options)._native
    outcome, report = _etinspect.gate(base, _profile_of(new, making, options)._native, _options.pairs(options))
    return GateResult(outcome), Report(report, options)
