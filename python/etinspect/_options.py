"""Options of the library, as keywords of Python: flags are bools, options that may be repeated take lists."""

import os


def pairs(options):
    """Writes options as the command line does."""
    written = []
    for name, value in options.items():
        if value is None:
            continue
        for one in value if isinstance(value, (list, tuple)) else (value,):
            written.append((name, _text_of(one)))
    return written


def _text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return str(getattr(value, "value", value))
