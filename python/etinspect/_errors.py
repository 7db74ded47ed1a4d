"""Exceptions. All are Errors, so they are ValueErrors; each is also an instance of the exception that ExecuTorch's
Inspector raises. Also imports packages that only some calls need; if one is missing, that is an Error, too."""

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


class MissingPackageError(ImportError, Error):
    """A package that only some calls need is not installed."""


# The extra of etinspect that installs a package.
_EXTRAS = {"pandas": "pandas", "tabulate": "pandas", "numpy": "numpy", "matplotlib": "plot", "pyarrow": "arrow", "duckdb": "fleet",
           "pyspark": "spark", "torch": "executorch", "executorch": "executorch"}  # fmt: skip


def need(module, extra=None, otherwise=""):
    """Imports a module of an optional package. Raises an Error that names the extra to install, and ends in `otherwise`, an alternative."""
    try:
        return __import__(module, fromlist=["__name__"])
    except ImportError as error:
        extra = extra or _EXTRAS[module.split(".")[0]]
        missing = MissingPackageError(f"{error}: pip install 'etinspect[{extra}]'{otherwise}", name=error.name, path=error.path)
        missing.status = _USAGE
        raise missing from error


class ArgumentError(Error, TypeError):
    """A call has no argument of this name."""

    status = _USAGE


# Arguments that are not options of the library.
_PARAMETERS = ("etdump_data", "etrecord", "program")


def argument_error(name, options):
    """Returns the exception for an unknown argument. Its message names the most similar option or parameter."""
    from difflib import get_close_matches

    nearest = get_close_matches(name.replace("-", "_"), [*options, *_PARAMETERS], 1)
    return ArgumentError(f"there is no argument {name}" + "".join(f": did you mean {one}?" for one in nearest))


def error_of(status, message, option=None):
    """Returns the exception for a failed call of the library. `option` is the option that the call set, or None."""
    if option is not None:
        from ._etinspect import option_types

        if option.replace("-", "_") not in option_types():
            return argument_error(option, option_types())
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
