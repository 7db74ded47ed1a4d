"""Profiles of ExecuTorch models, without torch: a drop-in for executorch.devtools.Inspector, and more.

    from etinspect import Inspector
    Inspector(etdump_path="run.etdp", etrecord="model.etrecord").print_data_tabular()

The native library of the program etinspect reads all files. Names are loaded when they are first used, so importing the
package costs nothing.
"""

_HOMES = {
    "Inspector": "_inspector",
    "TimeScale": "_time_scale",
    "Event": "_events",
    "EventBlock": "_events",
    "PerfData": "_events",
    "Tensor": "_tensor",
    "Capture": "_capture",
    "compare_results": "_compare_results",
    "Error": "_errors",
    "Page": "_page",
    "Profile": "_compare",
    "GateResult": "_compare",
    "diff": "_compare",
    "gate": "_compare",
    "Report": "_tables",
    "Table": "_tables",
    "Record": "_rows",
    "Rows": "_rows",
    "rows": "_rows",
    "view_names": "_tables",
}

__all__ = list(_HOMES)


def __getattr__(name):
    # importlib is not used, since importing it takes longer.
    if name == "__version__":
        value = __import__("etinspect._etinspect", fromlist=["version"]).version
    elif name in _HOMES:
        value = getattr(__import__("etinspect." + _HOMES[name], fromlist=[name]), name)
    else:
        raise AttributeError(f"module 'etinspect' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_HOMES, "__version__"])
