"""Exceptions. All are Errors, so they are ValueErrors; each is also an instance of the exception that ExecuTorch's
Inspector raises."""

_USAGE, _READ, _DATA, _MEMORY, _CANCELLED = 1, 2, 5, 7, 8  # eti_status


class Error(ValueError):
    """The library rejected an input or a request. `status` is the number of its eti_status, 0 if there is none."""

    status = 0


class DataError(Error, AssertionError):
    """Inputs contradict themselves: runs of one EventBlock have different values, or time stamps run backwards."""


class TimeScaleError(Error, RuntimeError):
    """Time scales do not convert to each other."""


class InputTypeError(Error, TypeError):
    """An argument has a type that cannot be read."""


def error_of(status, message):
    """Returns the exception for a failed call of the library."""
    if status == _MEMORY:
        return MemoryError(message)
    error = (DataError if status == _DATA else Error)(message)
    error.status = status
    return error


def file_error(error):
    """Returns an Error for an OSError that is also an instance of its class, such as FileNotFoundError."""
    arguments = (error.errno, error.strerror, error.filename, None, error.filename2)
    kind = type(error)
    members = {"__module__": __name__, "status": _READ, "__reduce__": lambda self: (_file_error_again, (kind, arguments))}
    return type(kind.__name__, (kind, Error), members)(*arguments)


def _file_error_again(kind, arguments):
    """Unpickles the result of file_error(), whose class has no name of its own."""
    return file_error(kind(*arguments))
