"""Exceptions. All are Errors, so ValueErrors, and besides what the Inspector of ExecuTorch raises in their place."""

_USAGE, _READ, _DATA, _MEMORY, _CANCELLED = 1, 2, 5, 7, 8  # eti_status


class Error(ValueError):
    """An input or a request that the library refuses. `status` is the number of its eti_status, 0 where there is none."""

    status = 0


class DataError(Error, AssertionError):
    """Inputs contradict themselves: runs of one EventBlock have different values, or time stamps run backwards."""


class TimeScaleError(Error, RuntimeError):
    """Time scales do not convert to each other."""


class InputTypeError(Error, TypeError):
    """An argument is of a type that is not read."""


def error_of(status, message):
    """Makes the exception of a failed call of the library."""
    if status == _MEMORY:
        return MemoryError(message)
    error = (DataError if status == _DATA else Error)(message)
    error.status = status
    return error


def file_error(error):
    """Makes an Error of an OSError, which is also what it was: a FileNotFoundError, say."""
    kind = type(error)
    both = type(kind.__name__, (kind, Error), {"__module__": __name__, "status": _READ})
    return both(error.errno, error.strerror, error.filename, None, error.filename2)
