"""readme.py BUILD [--export] - runs every block of code of README.md, in a folder with the files that it names.

By the language of the block:

    console   each line after "$ " is run; its output must be the lines that follow. A line "⋮" stands for any number of
              lines
    sh        each line must exit with 0, or with N where it ends in "exits with N"
    c, cpp    is put into main(), compiled and run; cpp with --export only
    python    must be lines of doc/tour/export.py; others are run with the package in BUILD/python
    (none)    the targets of make that it names exist

With --export, for which ExecuTorch must be in BUILD/peer (`make python`), the export is run as well, and the tour uses its
files. It also checks that links lead to files, that README.md has at most 180 lines, and that options and functions named
in it, in doc/ and in examples/ci exist. Prints "readme: N passed, N failed, N skipped".
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]).resolve()
EXPORT = "--export" in sys.argv
MOST_LINES = 180
EXECUTORCH = BUILD / "peer/lib"
counts = {"passed": 0, "failed": 0, "skipped": 0}


def passes(name, problem=None):
    counts["failed" if problem else "passed"] += 1
    if problem:
        print(f"FAILED {name}\n    " + str(problem).rstrip().replace("\n", "\n    "))


def skips(name, reason):
    counts["skipped"] += 1
    print(f"skipped: {name}: {reason}")


def run(command, folder, **more):
    """Returns the exit status and the output of a shell command."""
    words = ["sh", "-c", command] if isinstance(command, str) else command
    done = subprocess.run(words, cwd=folder, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=300, **more)
    return done.returncode, done.stdout


# ---- blocks --------------------------------------------------------------------------------------


def blocks(text):
    """Returns language, number of the first line, and text of each block of code."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match[1], text.count("\n", 0, match.start()) + 2, match[2]


def matches(expected, found):
    """Returns whether the lines match the expected ones, where "⋮" stands for any number of lines."""
    pattern = "".join("(?:.*\n)*?" if line == "⋮" else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def run_console(name, text, folder, same=matches):
    commands = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    for part in commands:
        command, *expected = part.rstrip("\n").split("\n")
        status, found = run(command, folder)
        lines = [line.rstrip() for line in found.rstrip("\n").split("\n")] if found else []
        good = status == 0 and same(expected, lines)
        passes(f"{name}: {command}", None if good else f"exit status {status}, it prints\n{found}")


def reason_not_to_run(command, folder):
    """Returns the reason why a shell line cannot be run here, or None."""
    if command.startswith("etinspect rows") and run("etinspect help rows", folder)[0] != 0:
        return "this build has no rows"
    if command.startswith("pip "):
        return "it needs a network"
    if command.startswith(("install ", "apt-get ", "docker ", "make ")):
        return "tests/release installs the files of a release"
    if command.startswith("etinspect record"):
        return missing_modules("executorch.version")
    if command.startswith("python3 -m etinspect"):
        return missing_modules("etinspect.fleet", "pyarrow")
    if command.startswith("duckdb"):
        if not (folder / "fleet.parquet").exists():
            return "fleet.parquet was not made"
        return None if shutil.which("duckdb") else missing_modules("duckdb")
    return None


def shell_lines(text):
    """Returns the commands: lines, and those that follow an open quotation mark together with it."""
    return [line for line in re.findall(r'(?:[^"\n]|"[^"]*")*', text) if line]


def run_record(command, folder):
    """Records in a folder without an ETDump, which record would not replace."""
    alone = folder / "alone"
    alone.mkdir()
    for name in ("model.pte", "model.etrecord"):
        shutil.copy(folder / name, alone)
    return run(command, alone, env={**os.environ, "VIRTUAL_ENV": str(Path(python()).parents[1])})


def run_shell(name, text, folder):
    for line in shell_lines(text):
        command = line.split("  #")[0].rstrip()
        wanted = int((re.search(r"exits with (\d)", line) or [0, "0"])[1])
        reason = reason_not_to_run(command, folder)
        if reason:
            skips(f"{name}: {command}", reason)
            continue
        if command.startswith("python3 "):
            command = f"{python()} {command[8:]}"
        elif command.startswith("duckdb ") and not shutil.which("duckdb"):
            # DuckDB's package has no program.
            command = f"{python()} -c 'import duckdb, sys; duckdb.sql(sys.argv[1]).show()' {command[10:]}"
        if command.startswith("etinspect record"):
            status, found = run_record(command, folder)
        else:
            status, found = run(command, folder)
        problem = f"exit status {status} instead of {wanted}\n{found[-2000:]}"
        passes(f"{name}: {command}", None if status == wanted else problem)


def wrapped(text, headers=()):
    """Returns the block as a complete program."""
    includes = [line for line in text.splitlines() if line.startswith("#include")]
    body = [line for line in text.splitlines() if not line.startswith("#include")]
    includes += [f"#include <{header}>" for header in headers]
    return "\n".join([*includes, "int main() {", *body, "return 0;", "}", ""])


def run_c(name, text, folder):
    (folder / "program.c").write_text(wrapped(text), encoding="utf-8")
    compiler = os.environ.get("CC", "cc")
    # Options of the library's build, such as those of a sanitizer.
    built = " ".join(os.environ.get(name, "") for name in ("CFLAGS", "LDFLAGS"))
    flags = f"{built} -Wall -Wextra -Werror -I{TOP}/src/include"
    status, found = run(f"{compiler} {flags} -o program program.c {BUILD}/libetcapture.a", folder)
    if status == 0:
        status, found = run("./program && etinspect --columns event_name -f csv capture.etdp", folder)
    passes(name, None if status == 0 and "conv\n" in found else found)


def run_cpp(name, text, folder):
    packages = sorted(EXECUTORCH.glob("python*/site-packages/executorch"))
    if not EXPORT or not packages:
        skips(name, "only make python runs it, with ExecuTorch")
        return
    root = packages[0]
    headers = ("executorch/devtools/etdump/etdump_flatcc.h", "executorch/extension/module/module.h",
               "executorch/extension/tensor/tensor_ptr_maker.h", "fstream")
    (folder / "device.cc").write_text(wrapped(text, headers), encoding="utf-8")
    names = "", "_etdump", "_kernels_optimized", "_backend_xnnpack", "_threadpool"
    libraries = " ".join("-lexecutorch" + name for name in names)
    status, found = run(
        f"{os.environ.get('CXX', 'c++')} -std=c++17 -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED "
        f"-isystem {root}/include -isystem {root}/include/executorch/runtime/core/portable_type/c10 -o device device.cc "
        f"-L{root}/lib -Wl,-rpath,{root}/lib -Wl,--no-as-needed {libraries}", folder)
    if status == 0:
        status, found = run("./device && etinspect runs -f csv --columns run device.etdp model.etrecord model.pte", folder)
    # Lines of a runtime that detects its processor come first.
    numbers = [line for line in found.splitlines() if line.isdigit()]
    passes(name, None if status == 0 and numbers == [str(i) for i in range(20)] else found)


# ---- Python --------------------------------------------------------------------------------------


def python():
    """Returns the Python of the examples: $README_PYTHON, else ExecuTorch's, which has pandas, if it exists."""
    if "README_PYTHON" in os.environ:
        return os.environ["README_PYTHON"]
    peer = BUILD / "peer/bin/python"
    return str(peer) if peer.exists() else sys.executable


def missing_modules(*modules):
    for module in modules:
        if run([python(), "-c", f"import {module}"], TOP, env={**os.environ, "PYTHONPATH": str(BUILD / "python")})[0] != 0:
            return f"Python has no {module}"
    return None


def run_python(name, text, folder):
    script = (TOP / "doc/tour/export.py").read_text(encoding="utf-8")
    if "to_executorch" in text:
        passes(f"{name} is a part of doc/tour/export.py", None if text in script else "it is not")
        return
    reason = missing_modules("etinspect._etinspect", "pandas")
    if reason:
        skips(name, reason)
        return
    check = "assert list(frame.columns)[:2] == ['event_block_name', 'event_name']\n"
    (folder / "block.py").write_text(text + check, encoding="utf-8")
    status, found = run([python(), "block.py"], folder, env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
    passes(name, None if status == 0 and "aten.convolution.default" in found else found)


def masked(lines):
    """Returns the lines without the parts that differ between runs: times, and the width that they take."""
    return [re.sub(r"[─\s]+", " ", re.sub(r"[\d.,]+", "0", line)).strip() for line in lines]


def same_shape(expected, found):
    """Returns whether the first words of the expected lines are in lines of the output: times decide the order and widths."""
    found = masked(found)
    first = [re.split(r"\s{2,}", line.strip())[0] for line in expected if line != "⋮"]
    parts = [line.split(" 0 ")[0] for line in masked(first)]
    return all(any(part in line for line in found) for part in parts)


def run_export(text, folder):
    """Exports as described in the README, and runs its tour with the results."""
    if not EXPORT or not (BUILD / "peer/bin/python").exists():
        skips("doc/tour/export.py", "only make python runs it, with ExecuTorch")
        return
    source = (TOP / "doc/tour/export.py").read_text(encoding="utf-8")
    was, fix = ".mean((2, 3))", re.search(r"`(\.mean\(.*?)` on that line", text)[1]
    passes("the line to fix is in doc/tour/export.py", None if source.count(was) == 1 else f"not one {was}")
    for name, script in ("model", source), ("fixed", source.replace(was, fix)):
        (folder / "export.py").write_text(script, encoding="utf-8")
        status, found = run([str(BUILD / "peer/bin/python"), "export.py", name], folder)
        passes(f"export.py {name}", None if status == 0 else found[-2000:])
    for language, line, block in blocks(text):
        # The path of the export differs, and names of kernels are those of this processor.
        if language == "console" and "/tmp/tour" not in block:
            run_console(f"README.md:{line}, exported anew", block, folder, same_shape)


# ---- names in documents --------------------------------------------------------------------------


def check_names(path, options):
    """Checks that links lead to files, and that options and public functions exist."""
    text = path.read_text(encoding="utf-8")
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)]*)\)", text) if "://" not in link]
    wrong = [link for link in links if link and not (path.parent / link).exists()]
    foreign = {"rm", "model_path", "num_executions", "etdump_path", "etdump", "cflags", "libs"}
    foreign |= set(re.findall(r'"--(\w+)"', (TOP / "python/etinspect/fleet.py").read_text(encoding="utf-8")))
    named = {option.replace("-", "_") for option in re.findall(r"(?<![-\w])--([a-z][a-z0-9_-]*)", text)}
    wrong += sorted("--" + option for option in named - options - foreign)
    header = "".join((TOP / f"src/include/{name}.h").read_text(encoding="utf-8") for name in ("etinspect", "etcapture"))
    wrong += sorted(call for call in set(re.findall(r"\b(et[ic]_\w+)\(", text)) if f"{call}(" not in header)
    passes(f"{path.relative_to(TOP)} names what is there", ", ".join(wrong) + " is not there" if wrong else None)


def all_options(folder):
    found = run("etinspect --help", folder)[1]
    for command in re.findall(r"^  ([a-z]+) ", run("etinspect help", folder)[1], re.MULTILINE):
        found += run(f"etinspect {command} --help", folder)[1]
    return set(re.findall(r"--([a-z][a-z0-9_]*)", found))


def check_targets(name, text):
    makefile = "".join(file.read_text(encoding="utf-8") for file in (TOP / "Makefile", *TOP.glob("mk/*.mk")))
    wrong = [target for target in re.findall(r"^make (\w+)", text, re.MULTILINE) if f"\n{target}:" not in makefile]
    passes(name, f"no target {wrong}" if wrong else None)


def check_version(text):
    """Checks that the lines that install a release have the version of the sources."""
    version = re.search(r"^VERSION := (\S+)", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    found = re.findall(r"etinspect[-_:](\d+\.\d+\.\d+)", text)
    wrong = [one for one in found if one != version]
    passes("README.md installs this version", None if found and not wrong else f"it has {wrong or 'no version'}, and the Makefile {version}")


# ---- the folder ----------------------------------------------------------------------------------


def make_folder(folder):
    """Makes the files that README.md names: those of doc/tour, a profile with recorded tensors, two builds of a program, a
    fleet."""
    for file in (TOP / "doc/tour").iterdir():
        shutil.copy(file, folder)
    for name in "cpu", "npu":
        shutil.copy(TOP / "testdata/mlp/run.etdp", folder / f"{name}.etdp")
        shutil.copy(TOP / "testdata/mlp/debug_buffer.bin", folder / f"{name}.bin")
    for device, build in ("a", "1"), ("b", "1"), ("a", "2"):
        place = folder / f"profiles/device={device}/build={build}"
        place.mkdir(parents=True)
        shutil.copy(folder / "model.etdp", place / "0.etdp")
    # Like its Makefile, which tests/examples calls with other compilers.
    status, found = run(
        f"make -s -C {TOP}/examples/tiny_cnn BUILD={folder} CC='{os.environ.get('CC', 'cc')}' "
        f"ETCAPTURE_FLAGS='-I{TOP}/src/include {BUILD}/libetcapture.a'", folder, env={**os.environ, "MAKEFLAGS": ""})
    passes("examples/tiny_cnn builds", found if status else None)


def make_program(folder):
    """Makes a program `etinspect` that comes first in PATH, and uses RUNNER."""
    programs = folder / "bin"
    programs.mkdir()
    file = programs / "etinspect"
    file.write_text(f'#!/bin/sh\nexec {os.environ.get("RUNNER", "")} "{BUILD}/etinspect" "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    os.environ.update(PYTHONUTF8="1", LC_ALL="C.UTF-8", CI="true", PYTHONPATH=str(BUILD / "python"))
    os.environ.pop("GITHUB_STEP_SUMMARY", None)


def main():
    text = (TOP / "README.md").read_text(encoding="utf-8")
    n_lines = text.count("\n")
    passes("length of README.md", f"{n_lines} lines, more than {MOST_LINES}" if n_lines > MOST_LINES else None)
    fences = [line for line in text.splitlines() if "```" in line]
    wrong = [line for i, line in enumerate(fences) if not re.fullmatch(r"```\w*" if i % 2 == 0 else "```", line)]
    passes("fences of README.md", f"{wrong}: one that is not closed, or text behind it" if wrong or len(fences) % 2 else None)
    with tempfile.TemporaryDirectory() as work:
        make_program(Path(work))
        folder = Path(work) / "tour"
        folder.mkdir()
        make_folder(folder)
        runners = {"console": run_console, "sh": run_shell, "c": run_c, "cpp": run_cpp, "python": run_python}
        for language, line, block in blocks(text):
            name = f"README.md:{line}"
            if language in runners:
                runners[language](name, block, folder)
            elif language == "":
                check_targets(name, block)
            else:
                passes(name, f"nothing runs blocks of {language}")
        check_version(text)
        options = all_options(folder)
        if reason_not_to_run("etinspect rows", folder):
            options |= {"labels_from_path"}
        for document in ("README.md", "doc/databases.md", "doc/inspector.md", "python/README.md", "examples/ci/README.md"):
            check_names(TOP / document, options)
        export = Path(work) / "export"
        export.mkdir()
        run_export(text, export)
    print(", ".join(f"{n} {word}" for word, n in counts.items()).join(("readme: ", "")))
    return counts["failed"] != 0


sys.exit(main())
