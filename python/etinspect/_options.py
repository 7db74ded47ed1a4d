"""Options of the library, as keywords of Python: flags are bools, options that may be repeated take lists."""

import os

from ._errors import _USAGE, argument_error, error_of

# Options that have an effect only when an Inspector is opened.
OPENING = frozenset(
    "clock_hz data debug_buffer_path delegate_time_scale etdump_path etrecord_path exact_time method no_attribution no_debug_data"
    " program_path reference_graph_name run_methods run_methods_from skip_first source_time_scale strict"
    " target_time_scale".split()
)


# Options with a list of columns, separated by commas.
_OF_COLUMNS = frozenset(["columns", "sort"])


def pairs(options):
    """Writes options as the command line does. Lists are values of an option that may be repeated, or columns."""
    written = []
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple)) and name in _OF_COLUMNS:
            value = b",".join(_bytes_of(name, one) for one in value)
        elif isinstance(value, (list, tuple)) and len(value) != 1 and not _is_repeated(name):
            raise error_of(_USAGE, f"{name}: expected one value, found {len(value)}")
        for one in value if isinstance(value, (list, tuple)) else (value,):
            written.append((name, _text_of(name, one)))
    return written


def _is_repeated(name):
    """Returns whether an option may be repeated; the library refuses names that are not options."""
    _, is_repeated = _types().get(name.replace("-", "_"), (None, True))
    return is_repeated


_known_types = []  # functools.cache takes longer to import than the extension


def _types():
    if not _known_types:
        from . import _etinspect

        _known_types.append(_etinspect.option_types())
    return _known_types[0]


def require_known(options):
    """Raises an Error for a name that no option has. The library checks names only when it is called."""
    for name in options:
        if name.replace("-", "_") not in _types():
            raise argument_error(name, _types())


def _bytes_of(name, value):
    text = _text_of(name, value)
    return text.encode() if isinstance(text, str) else text


def _text_of(name, value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (bytes, os.PathLike)):
        return path_bytes(value)
    try:
        # A str may be a path with bytes that are not UTF-8.
        return str(getattr(value, "value", value)).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise error_of(_USAGE, f"{name}: {value!r} is not a text: {error.reason}") from None


def path_bytes(path):
    """Returns the bytes of a path, which may be a str, bytes or an os.PathLike."""
    try:
        return os.fsencode(path)
    except UnicodeEncodeError as error:
        raise error_of(_USAGE, f"{path!r} is not a path: {error.reason}") from None


def refuse(options, names, made):
    """Raises an Error for an option that only has an effect when a `made` is, such as an Inspector."""
    for name, value in options.items():
        if value is not None and name.replace("-", "_") in names:
            article = "an" if made[0] in "AEIOU" else "a"
            raise error_of(_USAGE, f"{name} applies when {article} {made} is made: give it to {made}()")
