"""runner_commands.py BUILD - looks for commands of CI runners, and for bytes that are not UTF-8, in everything that etinspect
prints about names that have them.

A profile is written again with a command of GitHub (in both forms), Azure Pipelines and TeamCity in place of the names of
its modules, kernels, methods, inputs and files, and once more with bytes that are not UTF-8. Each command of the program runs on it in each format, with CI set; what
reaches standard output, standard error and the files that it writes in text and Markdown is searched. Prints "commands:
N passed, N failed, N skipped", a pass for each stream and file that was searched.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]).resolve()
PROGRAM = os.environ.get("RUNNER", "").split() + [str(BUILD / "etinspect")]

COMMANDS = [b"::error::", b"##[group]", b"##vso[a]", b"##teamcity[a]"]
NOT_UTF8 = b"\xff\xc3\xe2\x94"
TAKEN = re.compile(rb"(^|[\n\r])\s*::|##[a-z]*\[", re.IGNORECASE)
SEPARATORS = "\u00a0\u1680\u2003\u2028\u202f\u3000\ufeff\u0085"
# Names of doc/tour, which its dump, record and program share.
FORMATS = ["table", "text", "csv", "tsv", "json", "ndjson", "markdown", "dot", "folded", "chrome", "speedscope", "junit", "github",
           "benchmark", "codequality", "model-explorer", "model-explorer-data", "html"]
NAMES = [b"Execute", b"features", b"head", b"tour", b"export.py", b"forward", b"Convolution", b"Fully Connected", b"Transpose", b"Mean",
         b"native_call_mean.out", b"native_call_native_layer_norm.out", b"XnnpackBackend", b"Method::execute",
         b"aten.mean.dim", b"layer_norm", b"getitem", b"Multiply", b"Clamp"]
GROUPS = [NAMES[i::3] for i in range(3)]

counts = {"passed": 0, "failed": 0}
work = Path(tempfile.mkdtemp(prefix="runner_commands."))


def hostile(name, command):
    """Returns a text of the same length that begins with the command, as far as it fits, and ends as the name does."""
    return (command + name[len(command):])[: len(name)] if len(name) > len(command) else command[: len(name)]


def rename(data, command, names):
    for name in names:
        data = data.replace(name, hostile(name, command))
    return data


def rewrite(folder, command, names):
    """Writes the profile of doc/tour with other names, of the same lengths; returns the paths of dump, record and program."""
    folder.mkdir()
    tour = TOP / "doc/tour"
    for suffix in ("etdp", "pte"):
        (folder / f"model.{suffix}").write_bytes(rename((tour / f"model.{suffix}").read_bytes(), command, names))
    with zipfile.ZipFile(tour / "model.etrecord") as old, zipfile.ZipFile(folder / "model.etrecord", "w") as new:
        for member in old.infolist():
            data = old.read(member)
            new.writestr(member.filename, rename(data, command, names))
    return [str(folder / f"model.{suffix}") for suffix in ("etdp", "etrecord", "pte")]


def first_broken(data):
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def search(name, data):
    """Searches the text, without the commands that the format github consists of."""
    if " -f github" in name:
        data = re.sub(rb"(?m)^::(error|warning|notice) ", b"", data)
    found = TAKEN.search(data)
    begin = found.start() if found else first_broken(data)
    counts["passed" if begin is None else "failed"] += 1
    if begin is not None:
        print(f"FAILED {name}\n    {data[max(begin - 40, 0):begin + 60]!r}")


def run(name, arguments, folder):
    """Searches both streams. The program must not end by a signal."""
    environment = dict(os.environ, CI="true", COLUMNS="140")
    done = subprocess.run(PROGRAM + arguments, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    search(f"{name}: standard output", done.stdout)
    search(f"{name}: standard error", done.stderr)
    if done.returncode < 0 or done.returncode > 6:
        counts["failed"] += 1
        print(f"FAILED {name}: exit status {done.returncode}")
    return done


def each_command(dump, record, program):
    both, all_three = [dump, record], [dump, record, program]
    yield "", [*both]
    for verb in ("summary", "layers", "events", "runs", "alloc", "tree", "ops", "delegates", "graph", "source", "trace", "report", "check"):
        yield verb, all_three
    yield "events --all", both
    yield "events --columns event_name", both
    yield "events --columns stack_traces,event_name", both
    for group in ("op_type", "module", "kernel", "backend", "source"):
        yield f"events --group {group}", both
    yield "rows", all_three
    for verb in ("program", "memory", "size"):
        yield verb, [program]
    yield "tensors", both
    yield "numerics", both
    for verb in ("diff", "gate"):
        yield f"{verb} --all", ["--base", *[dump] * 5, "--new", *[dump] * 5, record]
    yield "noise", [dump] * 5
    yield "trend", [dump] * 11
    yield "baseline save --output -", [dump]
    yield "nosuchverb::error::", []


def compare(folder, command):
    """Comparisons need files that differ."""
    cases = sorted((TOP / "testdata/runner-commands").glob("*.etdp"), key=lambda path: int(path.stem[1:]))
    paths = [str(path) for path in cases]
    label = command.decode()
    for verb, options in (("diff", []), ("gate", ["--fail_on", "op:p50>+1%"]), ("gate", ["--fail_on", "p50>1us"])):
        for format in FORMATS:
            run(f"{verb} {options} -f {format} of {label}", [verb, *options, "-f", format, "--base", *paths[:5], "--new", *paths[5:]], folder)
    for verb, files in (("noise", paths[:5]), ("trend", [*paths, *paths[:1]])):
        for format in FORMATS:
            run(f"{verb} -f {format} of {label}", [verb, "-f", format, *files], folder)
    for format in FORMATS:
        run(f"events of commands -f {format}", ["events", "--columns", "event_name", "-f", format, paths[0]], folder)
        run(f"labels -f {format}", ["summary", "-f", format, "--label", f"a={label}", "--label", f"b=\n{label}", paths[0]], folder)


def wrong_use(folder, command):
    """Messages name what the user typed."""
    label = command.decode()
    for arguments in (["summary", label], ["summary", f"{label}.etdp"], [label], ["events", "--columns", label, "model.etdp"],
                      ["events", "--filter", label, "model.etdp"], ["events", "--filter", f"event_name ~ '{label}' @", "model.etdp"],
                      ["events", f"--{label}", "model.etdp"], ["events", "--sort", label, "model.etdp"],
                      ["events", "--filter", f"p50 > \n{label}", "model.etdp"],
                      ["gate", "--fail_on", label, "--base", "model.etdp", "--new", "model.etdp"],
                      ["events", "--format", label, "model.etdp"], ["summary", f"\n{label}"], ["help", label],
                      *([["summary", blank + label] for blank in SEPARATORS])):
        run(f"wrong use {arguments}", arguments, folder)


def saved(folder, verb, files):
    """Files for people are read in logs, too."""
    for suffix in ("txt", "md"):
        path = folder / f"saved.{suffix}"
        path.unlink(missing_ok=True)
        done = subprocess.run(PROGRAM + [*verb.split(), "--output", str(path), "--format", "text" if suffix == "txt" else "markdown", *files], capture_output=True)
        if done.returncode in (0, 1, 6) and path.exists():
            search(f"{verb} in a file .{suffix}", path.read_bytes())


def main():
    for (i, command), (k, names) in itertools.product(enumerate([*COMMANDS, NOT_UTF8]), enumerate(GROUPS)):
        folder = work / f"{i}{k}"
        paths = rewrite(folder, command, names)
        for verb, files in each_command(*paths):
            chosen = FORMATS if k == i % len(GROUPS) and " " not in verb and verb not in ("check",) else ["text", "csv"]
            for format in chosen:
                asked = [] if verb in ("check",) or verb.startswith(("nosuch", "baseline")) else ["-f", format]
                run(f"{verb or 'table'} -f {format} of {command!r}", [*verb.split(), *asked, *files], folder)
            saved(folder, verb, files)
        if k == 0 and command != NOT_UTF8:
            compare(folder, command)
            wrong_use(folder, command)
    shutil.rmtree(work)
    print(f"commands: {counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    return counts["failed"] > 0


sys.exit(main())
