"""Compares the types in etinspect/__init__.pyi with the package: names of classes, functions, methods and parameters. With mypy,
also checks a sample of all calls, and that mistakes are found.

    annotations.py

Run it with the package in PYTHONPATH. Prints "annotations: N passed, N failed, N skipped".
"""

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import etinspect

HERE = Path(__file__).resolve().parent
STUB = Path(etinspect.__file__).with_suffix(".pyi")
MISTAKES = {
    'etinspect.Inspector(etdump="a")': "etdump",
    'etinspect.Inspector(etdump_path="a").to_datafram()': "to_datafram",
    'etinspect.gate("a", "b")[0] + 1': "GateResult",
    'etinspect.Capture().span(3)': "span",
}

n_passed = n_failed = n_skipped = 0


def expect(name, found, wanted):
    global n_passed, n_failed
    if found == wanted:
        n_passed += 1
    else:
        n_failed += 1
        print(f"FAILED {name}: found {found!r}, expected {wanted!r}")


def stub_parameters(function):
    """Returns the names of the parameters, each with whether it has a default."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    first_default = len(positional) - len(given.defaults)
    named = [(one.arg, i >= first_default) for i, one in enumerate(positional)]
    named += [(one.arg, default is not None) for one, default in zip(given.kwonlyargs, given.kw_defaults)]
    return named + ([("**" + given.kwarg.arg, False)] if given.kwarg else [])


def parameters(function):
    kinds = inspect.Parameter
    named = inspect.signature(function).parameters.values()
    return [("**" + one.name if one.kind is kinds.VAR_KEYWORD else one.name, one.default is not kinds.empty) for one in named]


def check_callable(name, stub, function):
    wanted = parameters(function)
    found = stub_parameters(stub)
    expanded = ("**options", False)
    if expanded in wanted and expanded not in found:  # the types list the options one by one
        wanted.remove(expanded)
        found = found[: len(wanted)]
    expect(f"parameters of {name}", found, wanted)


def check_class(stub, kind):
    methods = {one.name: one for one in stub.body if isinstance(one, ast.FunctionDef)}
    fields = {one.target.id for one in stub.body if isinstance(one, ast.AnnAssign)}
    for name, method in methods.items():
        found = inspect.getattr_static(kind, name, None)
        if inspect.isfunction(found):
            check_callable(f"{kind.__name__}.{name}", method, found)
        else:
            is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in method.decorator_list)
            expect(f"{kind.__name__}.{name}", type(found).__name__ in ("property", "cached_property"), is_property)
    public = {name for name in vars(kind) if not name.startswith("_")}
    bases = {name for base in kind.__mro__[1:] for name in vars(base)}
    inherited = {name for name in fields | set(methods) if name in bases}
    known = fields | set(methods) | inherited
    known |= {one.targets[0].id for one in stub.body if isinstance(one, ast.Assign)}
    expect(f"members of {kind.__name__} without types", sorted(public - known), [])


def check_stub():
    module = ast.parse(STUB.read_text(encoding="utf-8"))
    stubs = {one.name: one for one in module.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))}
    expect("names without types", sorted(set(etinspect.__all__) - set(stubs)), [])
    for name in etinspect.__all__:
        found = getattr(etinspect, name)
        if isinstance(stubs.get(name), ast.ClassDef):
            check_class(stubs[name], found)
        elif name in stubs:
            check_callable(name, stubs[name], found)


def run_mypy(path):
    environment = {**os.environ, "MYPYPATH": str(STUB.parents[1])}
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(path)]
    return subprocess.run(command, capture_output=True, text=True, env=environment).stdout.strip().splitlines()


def check_with_mypy():
    global n_skipped
    if importlib.util.find_spec("mypy") is None:
        print("skipped: annotations: mypy is not installed")
        n_skipped += 1
        return
    expect("a sample of all calls", run_mypy(HERE / "typed_use.py")[-1:], ["Success: no issues found in 1 source file"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mistakes.py"
        path.write_text("\n".join(["import etinspect", *MISTAKES]) + "\n", encoding="utf-8")
        lines = [line for line in run_mypy(path) if ": error:" in line]
        for number, (mistake, word) in enumerate(MISTAKES.items(), 2):
            expect(f"{mistake} is found", [word in line for line in lines if f"mistakes.py:{number}:" in line], [True])


def main():
    check_stub()
    check_with_mypy()
    print(f"annotations: {n_passed} passed, {n_failed} failed, {n_skipped} skipped")
    return n_failed > 0


if __name__ == "__main__":
    sys.exit(main())
