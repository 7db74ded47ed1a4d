#!/usr/bin/env python3
"""same_output.py OLD NEW [--jobs N] [--only TEXT] [--first N] - runs two builds of etinspect with the same command lines and
compares standard output, standard error, exit status and written files.

A move or a merge of sources is proved by the old program: "make" before and after, then compare. The command lines are made
from the catalogue of OLD ("help --list"), so a new command or option is covered without a change here: each command with each
kind of input of testdata/, in each format, with each option, and with wrong use. --only keeps command lines that contain TEXT,
--first shows that many differences (10). Prints the number of command lines and of differences; exits with 1 if outputs
differ, with 2 if there is nothing to compare.

Each command line runs in a fresh folder of the same path for both builds, with `in`, a folder of inputs, which is compared
afterwards like written files are. Only one thing is masked: the word after "::stop-commands::" of gate --github, which is
random so that no text can end the block. No other output holds a time of day or a random name. "measure" prints times that
it measured, so it runs only with a command that fails.

TOP in the environment names another checkout, whose testdata/ is read. Journals are made by build/make_journal ("make tests-build"); without it they are left out, which is reported.
"""

import argparse
import base64
import concurrent.futures
import difflib
import gzip
import hashlib
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(os.environ.get("TOP", pathlib.Path(__file__).resolve().parents[2]))
TIMEOUT = 60  # seconds of one command line
SEPARATOR = "\x1f"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "COLUMNS": "100", "LINES": "40", "TZ": "UTC", "MANPATH": "/nonexistent"}

# Valid and wrong values of options without choices, by their name or the name of their value; other options get "x" and "7".
VALUES = {
    "N": ["0", "2", "-1", "1.5", "x"],
    "SHARE": ["10%", "0.5", "-3", "x"],
    "PERCENT": ["5", "0", "200"],
    "P": ["0.1", "2"],
    "NUMBER": ["0.5", "x"],
    "BYTES": ["4096", "2K"],
    "FREQUENCY": ["400MHz", "1e9", "x"],
    "SECONDS": ["1", "x"],
    "KEY=VALUE": ["device=pixel8", "device"],
    "FROM=TO": ["/=root", "x"],
    "DIR": [".", "in", "missing"],
    "FORMAT=FILE": ["json=report.json", "junit=report.xml", "html=report.html", "markdown=report.md", "x=y"],
    "RULE": ["op:p50>+10%", "total:p50>0.001ms", "op:native_call_add.out:p90>+1%", "op"],
    "LIST": ["0", "1-2", "0,3", "x"],
    "[BACKEND=]SCALE": ["us", "XnnpackBackend=cycles", "x"],
    "COMMAND": ["false"],
    "TEXT": ["A <title>"],
    "files_from": ["in/list.txt", "missing"],
    "output": ["out.csv", "out.tsv", "out.json", "out.ndjson", "out.md", "out.db", "out.html", "out.dot", "out.xml", "out.pftrace", "out.folded",
               "out.speedscope.json", "out.pb.gz", "out.bin", "missing/out.csv", "-"],
    "save": ["saved", "saved.npz", "saved.pt"],
    "tsv_path": ["out.tsv"],
    "csv_path": ["out.csv"],
    "etdump_path": ["in/mlp/run.etdp", "missing"],
    "etrecord_path": ["in/mlp/record.etrecord", "in/mlp/run.etdp", "missing"],
    "program_path": ["in/mlp/model.pte", "in/mlp/run.etdp", "missing"],
    "debug_buffer_path": ["in/mlp/debug_buffer.bin", "in/cut-200.etdp", "missing"],
    "reference": ["in/tensors.npz", "in/folder", "missing"],
    "inputs": ["in/tensors.npz", "in/folder", "in/mlp/run.etdp"],
    "expected": ["in/tensors.npz"],
    "data": ["in/external-weights/model.ptd", "missing"],
    "available": ["in/list.txt", "missing"],
    "budget": ["in/budget.csv", "in/list.txt"],
    "allow": ["in/allow.csv", "in/list.txt"],
    "base": ["in/base.csv", "in/mlp/run.etdp"],
    "new": ["in/slower.csv", "in/mlp/run.etdp"],
    "filter": ["p50 > 0", "p50 > 0.001 and event =~ 'add'", "name =~ 'a'", "calls >= 1", "share > 10%", "bytes > 100", "x"],
    "sort": ["p50", "p50:desc", "name", "calls:desc", "bytes:desc", "x"],
    "columns": ["all", "p50", "name", "event,p50", "x"],
    "block": ["Execute", "0", "7", "x"],
    "method": ["forward", "x"],
    "module": ["linear", "x"],
    "table": ["x"],
    "group": ["op", "module", "backend", "source", "module:1", "block", "method", "category", "node", "optype", "x"],
    "metric": ["p50", "avg", "x"],
    "key": ["name", "index", "x"],
    "reference_graph_name": ["before/forward", "x"],
    "graph": ["exported_program", "x"],
    "values": ["block", "columns", "format", "x"],
    "fail_on": ["op:p50>+10%", "nan > 0", "sqnr < 20", "x"],
    "width": ["60", "200", "x"],
}
PIECES = ("run.etdp", "record.etrecord", "model.pte", "model.ptd", "debug_buffer.bin", "bundle.bpte", "lowered.etrecord", "inline.pte",
          "record-forward.etrecord")
RANDOM = re.compile(rb"::stop-commands::([0-9a-f]{32})")


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, **options).stdout


def is_program(name):
    return name.endswith((".pte", ".bpte"))


class Inputs:
    """The folder `in`: testdata/ with what else a command may read, and the words of command lines that name its files."""

    def __init__(self, folder, old):
        self.folder = folder
        folder.mkdir()
        self.old = old
        self.cases = {}
        for case in sorted((TOP / "testdata").iterdir()):
            if (case / "run.etdp").exists():
                (folder / case.name).mkdir()
                self.cases[case.name] = [name for name in PIECES if (case / name).exists()]
                for name in self.cases[case.name]:
                    shutil.copy(case / name, folder / case.name / name)
        changes = TOP / "tests/cli/data/changes"
        self.changes = sorted(path.stem for path in changes.glob("*.etdp"))
        (folder / "changes").mkdir()
        for path in itertools.chain(changes.glob("*.etdp"), changes.glob("*.etrecord")):
            shutil.copy(path, folder / "changes" / path.name)
        self.others = []
        self.make_damaged()
        self.make_forms()
        self.make_tables()
        self.make_journals()

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        self.others.append("in/" + name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def make_damaged(self):
        for kind, suffix in (("run.etdp", "etdp"), ("record.etrecord", "etrecord"), ("model.pte", "pte")):
            whole = self.read("small/" + kind)
            for size in (0, 7, 200, len(whole) // 2, len(whole) - 1):
                self.write(f"cut-{size}.{suffix}", whole[:size])
            for at in (4, 12, len(whole) // 3, len(whole) * 2 // 3):
                self.write(f"flipped-{at}.{suffix}", whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1:])
        bundle = self.read("bundled-inputs/bundle.bpte")
        self.write("cut.bpte", bundle[:len(bundle) // 2])
        weights = self.read("external-weights/model.ptd")
        self.write("cut.ptd", weights[:len(weights) // 2])
        self.write("trailing.etdp", self.read("small/run.etdp") + bytes(16))

    def make_forms(self):
        for name in ("mlp/run.etdp", "mlp/record.etrecord", "mlp/model.pte"):
            packed = gzip.compress(self.read(name), mtime=0)
            self.write(name.replace("/", "-") + ".gz", packed)
        self.write("cut.etdp.gz", gzip.compress(self.read("mlp/run.etdp"), mtime=0)[:-20])
        log = b"I [executorch:arm_executor_runner.cpp:411] Model run: 1\r\n#[RUN THIS]\r\n"
        for source, target in (("debug_buffer.bin", b"debug_buffer.bin"), ("run.etdp", b"etdump.bin")):
            encoded = base64.b64encode(self.read("mlp/" + source))
            log += b"# Writing " + target + b" [base64]\r\necho \"" + encoded + b"\" | base64 -d >" + target + b"\r\n"
        self.write("uart.log", log + b"#[END]\r\n")
        self.write("cut.log", log[:3000])
        for name in ("mlp", "xnnpack-conv", "multi-method"):
            run(self.old, "baseline", "save", f"{name}.csv", f"{name}/run.etdp", f"{name}/record.etrecord", cwd=self.folder, env=ENVIRONMENT)
            self.others.append(f"in/{name}.csv")
        run(self.old, "baseline", "save", "base.csv", "mlp-many-runs/run.etdp", cwd=self.folder, env=ENVIRONMENT)
        self.others.append("in/base.csv")
        slower = run("sh", TOP / "tests/cli/bin/slower", "native_call_add.out", "1.5", input=self.read("base.csv"))
        self.write("slower.csv", slower)
        self.write("cut.csv", slower[:len(slower) // 2])

    def make_tables(self):
        self.write("list.txt", b"in/mlp/run.etdp\nin/small/run.etdp\n")
        self.write("budget.csv", b"what,metric,limit,comment\nop,p50,+10%,all\ntotal,p50,1ms,whole\n")
        self.write("allow.csv", b"pattern,reason,expires\nnative_call_*,known,2999-01-01\n")
        make = TOP / "tests/cli/bin/make-tensors"
        for target in ("tensors.npz", "tensors.pt", "folder"):
            run(sys.executable, make, target, "x=f4:2x6", "y=f4:2x3", cwd=self.folder)
            self.others.append("in/" + target)
        run(sys.executable, make, "code.npy", "y=f4:2x5:-1,0.5,0,0,0,0,0,0,0,1e30", cwd=self.folder)
        for device in ("pixel8", "pixel9"):
            (self.folder / f"fleet/device={device}").mkdir(parents=True)
            shutil.copy(self.folder / "small/run.etdp", self.folder / f"fleet/device={device}/run.etdp")
        self.write("fleet/bad.etdp", b"not an ETDump")
        self.others += ["in/fleet", "in/missing.etdp", "in"]

    def make_journals(self):
        make = next((path for path in (pathlib.Path(self.old).parent / "make_journal", TOP / "build/make_journal") if path.exists()), None)
        if not make:
            print("same_output.py: without journals: there is no build/make_journal (make tests-build)", file=sys.stderr)
            return
        for kind in ("runs", "ring", "open", "empty", "idle", "values"):
            run(make, kind, self.folder / f"{kind}.journal")
            self.others.append(f"in/{kind}.journal")
        self.write("cut.journal", self.read("runs.journal")[:900])

    def whole(self, case, *left_out):
        """Returns the words for all files of a case: the plain arguments, then the debug buffer."""
        names = [name for name in self.cases[case] if name in ("run.etdp", "record.etrecord", "model.pte") and name not in left_out]
        words = [f"in/{case}/{name}" for name in names]
        if "debug_buffer.bin" in self.cases[case] and "debug_buffer.bin" not in left_out:
            words += ["--debug_buffer_path", f"in/{case}/debug_buffer.bin"]
        return words

    def kinds(self):
        """Yields lists of words, each a kind of input: files alone, together, damaged, compressed, several dumps."""
        for case, names in self.cases.items():
            for name in names:
                yield [f"in/{case}/{name}"]
            yield self.whole(case, "model.pte", "debug_buffer.bin")
            yield self.whole(case, "record.etrecord", "debug_buffer.bin")
            yield self.whole(case, "debug_buffer.bin")
            yield self.whole(case)
        for name in self.others:
            yield [name]
        for name in ("in/cut-200.etrecord", "in/flipped-12.etrecord", "in/cut-200.pte", "in/mlp/record.etrecord", "in/mlp/model.pte"):
            yield ["in/small/run.etdp", name]
        yield ["in/mlp-run.etdp.gz", "in/mlp-record.etrecord.gz", "in/mlp-model.pte.gz"]
        yield ["in/uart.log", "in/mlp/record.etrecord"]
        yield ["in/mlp/run.etdp", "in/mlp/run.etdp"]
        yield ["in/mlp/run.etdp", "in/mlp-many-runs/run.etdp", "in/mlp/record.etrecord"]
        yield ["in/external-weights/model.pte", "in/external-weights/model.ptd"]
        yield ["in/multi-method/run.etdp", "in/multi-method/record-forward.etrecord"]
        yield ["-"]
        yield []

    def pairs(self):
        """Yields words for commands that compare."""
        for case in self.cases:
            yield self.whole(case, "debug_buffer.bin") * 2
            yield self.whole(case)[:2] * 2 + self.whole(case)[-2:] * 2
            yield [f"in/{case}/run.etdp", f"in/{case}/run.etdp"]
        for change in self.changes:
            words = ["in/changes/base.etdp", "in/changes/base.etrecord", f"in/changes/{change}.etdp", f"in/changes/{change}.etrecord"]
            yield words
            yield words[::2]
            yield words[2:] + words[:2]
        yield ["in/base.csv", "in/slower.csv"]
        yield ["in/slower.csv", "in/base.csv"]
        yield ["in/base.csv", "in/mlp/run.etdp"]
        yield ["in/mlp.csv", "in/mlp/run.etdp", "in/mlp/record.etrecord"]
        yield ["in/mlp.csv", "in/xnnpack-conv.csv"]
        yield ["in/base.csv", "in/cut.csv"]
        yield ["in/mlp/run.etdp", "in/small/run.etdp"]
        yield ["in/mlp/run.etdp", "in/cut-200.etdp"]
        yield ["in/mlp/model.pte", "in/small/model.pte"]
        yield ["in/mlp/run.etdp", "in/tensors.npz", "--debug_buffer_path", "in/mlp/debug_buffer.bin"]
        yield ["in/base.csv", "in/base.csv", "in/base.csv", "in/slower.csv", "in/slower.csv", "in/slower.csv"]


class Catalogue:
    """The commands of a build and their options, as "help --list" prints them."""

    def __init__(self, old):
        self.old = old
        self.commands = [fields[1] for fields in self.list() if fields[0] == "command"]
        self.commands.insert(0, "")  # the Inspector's form

    def list(self, *command):
        lines = run(self.old, "help", "--list", *command, env=ENVIRONMENT, text=True).splitlines()
        return [line.split(SEPARATOR) for line in lines]

    def options(self, command):
        """Returns the options of a command: (spelling, name of the value or "", choices)."""
        fields = self.list(command) if command else self.list()
        found = [(f[1], f[2], f[3].split(",") if f[3] else []) for f in fields if f[0] in ("option", "global")]
        return found

    def formats(self, command):
        return next((choices for name, _, choices in self.options(command) if name == "--format"), [])

    def values(self, command, name, files, folder):
        """Returns the values that completions offer for an option with these files."""
        words = [command] if command else []
        lines = run(self.old, "help", "--values", name, *words, "--", *files, cwd=folder, env=ENVIRONMENT, text=True,
                    stderr=subprocess.DEVNULL).splitlines()
        values = [line.split("  ")[0] for line in lines if line and not line.startswith(" ")]
        return [value.rsplit(" (", 1)[0] for value in values][:12]


# Inputs that a command needs besides, or in place of, a profile.
OWN = {
    "baseline": lambda words: ["save", "out.csv", *words],
    "bundle": lambda words: ["--inputs", "in/tensors.npz", "--expected", "in/code.npy", "-o", "out.bpte", *words],
}
COMPARE = ("diff", "gate", "noise", "trend", "numerics")


def usual_inputs(command, inputs):
    """Returns inputs that the command is meant for, for its formats and options."""
    if command in COMPARE:
        first = ["in/mlp/run.etdp", "in/mlp-many-runs/run.etdp", "in/mlp/record.etrecord"]
        buffers = inputs.whole("mlp")[:1] * 2 + inputs.whole("mlp")[-2:] * 2
        return [["in/base.csv", "in/slower.csv"], first if command != "numerics" else inputs.whole("multi-method"), buffers,
                ["in/changes/base.etdp", "in/changes/base.etrecord", "in/changes/inserted.etdp", "in/changes/inserted.etrecord"]]
    if command in ("program", "memory", "size", "bundle"):
        return [["in/multi-method/model.pte"], ["in/xnnpack-conv/model.pte", "in/xnnpack-conv/record.etrecord"], ["in/bundled-inputs/bundle.bpte"],
                ["in/external-weights/model.pte", "in/external-weights/model.ptd"]]
    if command == "recover":
        return [["in/values.journal"], ["in/ring.journal"]]
    if command == "rows":
        return [["in/fleet"], ["in/xnnpack-conv/run.etdp", "in/xnnpack-conv/record.etrecord"], ["in/mlp/run.etdp", "in/small/run.etdp"]]
    if command in ("help", "measure"):
        return [[]]
    return [inputs.whole(case) for case in ("xnnpack-conv", "multi-method", "transformer", "bundled-inputs")]


def help_lines(catalogue):
    yield ["--help"]
    yield ["-h"]
    yield ["--version"]
    yield ["-V"]
    for topic in ("options", "inputs", "formats", "database", "attribution", "comparisons", "x"):
        yield ["help", topic]
    for name in ("bash", "zsh", "fish"):
        yield ["completions", name]
    yield ["help"]
    yield ["help", "--list"]
    for command in catalogue.commands[1:]:
        yield [command, "--help"]
        yield [command, "-h"]
        yield [command, "--version"]
        yield ["help", command]
        yield ["help", "--list", command]
        yield [command + "x"]
        yield ["--ascii", "--no_pager", command, "--help"]
    for command in catalogue.commands:
        words = [command] if command else []
        for spelling, value, _ in catalogue.options(command):
            if not spelling.startswith("--"):
                continue
            if value:
                yield ["help", "--values", spelling[2:], *words, "--"]
                yield ["help", "--values", spelling[2:], *words, "--", "in/xnnpack-conv/run.etdp", "in/xnnpack-conv/record.etrecord"]
                yield [*words, spelling]
            else:
                yield [*words, spelling + "=x"]
            yield [*words, spelling[:-1] if len(spelling) > 4 else spelling, "in/missing.etdp"]
            yield [*words, "in/missing.etdp", spelling + "x"]


def values_of(catalogue, command, option, words, folder):
    spelling, value, choices = option
    name = spelling.lstrip("-")
    if not value:
        return [None]
    own = choices + ["x"] if choices else VALUES.get(name, VALUES.get(value, ["x", "7"]))
    if name in ("table", "block", "method", "columns", "graph", "reference_graph_name", "group", "module") and words:
        files = [word for word in words if not word.startswith("-")]
        own = own + [found for found in catalogue.values(command, name, files, folder) if found not in own]
    return own


def command_lines(catalogue, inputs):
    """Yields command lines, without their first word, the program; some more than once."""
    yield from help_lines(catalogue)
    for command in catalogue.commands:
        words = [command] if command else []
        if command == "measure":
            yield ["measure", "--new", "false"]
            continue
        extend = OWN.get(command, lambda given: given)
        kinds = [] if command == "help" else list(inputs.kinds())
        if command in COMPARE + ("check", "baseline"):
            kinds += inputs.pairs()
        for kind in kinds:
            yield words + extend(kind)
        if command == "baseline":
            for name in ("in/mlp.csv", "in/xnnpack-conv.csv", "in/slower.csv", "in/cut.csv", "in/mlp/run.etdp", "missing"):
                yield ["baseline", "show", name]
                yield ["baseline", "merge", "out.csv", "in/base.csv", name]
        usual = usual_inputs(command, inputs)
        for form in catalogue.formats(command):
            cases = usual if command in COMPARE + ("program", "memory", "size", "rows", "bundle", "recover") else \
                usual + [inputs.whole(case) for case in inputs.cases] + [["in/mlp-many-runs/run.etdp"], ["in/values.journal"]]
            for kind in cases:
                yield words + extend(kind) + ["-f", form]
                if form == "text":
                    yield words + extend(kind) + ["--color", "always"]
                    yield words + extend(kind) + ["--width", "60", "--ascii"]
        for option in catalogue.options(command):
            spelling = option[0]
            if spelling in ("-h", "-V", "--help", "--version") or command == "help":
                continue
            for kind in usual[:2]:
                for value in values_of(catalogue, command, option, kind, inputs.folder.parent):
                    given = words + extend(kind) + [spelling] + ([] if value is None else [value])
                    yield given
                    if spelling in ("--filter", "--sort", "--columns", "--top", "--no_include_units", "--fold_layers", "--all") and "tsv" in catalogue.formats(command):
                        yield given + ["-f", "tsv"]


class Runner:
    def __init__(self, programs, scratch, inputs):
        self.programs, self.scratch, self.inputs = programs, scratch, inputs

    def compare(self, number, words):
        """Runs both builds; returns None or the text of the first difference."""
        results = [self.run_one(program, number, words) for program in self.programs]
        for part in results[0]:
            if results[0][part] != results[1][part]:
                return describe(part, results[0][part], results[1][part])
        return None

    def run_one(self, program, number, words):
        room = self.scratch / str(number)
        room.mkdir()
        (room / "in").symlink_to(self.inputs)
        environment = dict(ENVIRONMENT, HOME=str(room), TMPDIR=str(room))
        with open(room.parent / f"{number}.out", "w+b") as out, open(room.parent / f"{number}.err", "w+b") as err:
            stdin = open(self.inputs / "mlp/run.etdp", "rb") if "-" in words else subprocess.DEVNULL
            try:
                # Both have the same name, which messages may contain.
                status = subprocess.run(["etinspect", *words], executable=program, cwd=room, env=environment, stdin=stdin, stdout=out,
                                        stderr=err, timeout=TIMEOUT).returncode
            except subprocess.TimeoutExpired:
                status = f"stopped after {TIMEOUT} s"
            finally:
                if stdin != subprocess.DEVNULL:
                    stdin.close()
            result = {"exit status": str(status).encode()}
            for name, stream in (("stderr", err), ("stdout", out)):
                stream.seek(0)
                result[name] = stream.read()
        for word in RANDOM.findall(result["stdout"]):
            result["stdout"] = result["stdout"].replace(word, b"RANDOM")
        (room / "in").unlink()
        files = {str(path.relative_to(room)): path.read_bytes() if path.is_file() else b"folder" for path in sorted(room.rglob("*"))}
        result["names of files"] = "\n".join(files).encode()
        result.update(files)
        shutil.rmtree(room)
        os.unlink(room.parent / f"{number}.out")
        os.unlink(room.parent / f"{number}.err")
        return result


def describe(part, old, new):
    try:
        texts = [content.decode().splitlines() for content in (old, new)]
    except UnicodeDecodeError:
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        return f"  {part}: {len(old)} and {len(new)} bytes, different from byte {at}"
    lines = list(itertools.islice(difflib.unified_diff(*texts, "old", "new", n=1, lineterm=""), 2, 14))
    return f"  {part}:\n" + "\n".join("    " + line[:160] for line in lines)


def digest(folder):
    """Returns the names and contents of a folder as a hash, to see that no command writes to its inputs."""
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        state.update(str(path).encode() + (path.read_bytes() if path.is_file() else b""))
    return state.hexdigest()


def main():
    parser = argparse.ArgumentParser(usage="same_output.py OLD NEW [--jobs N] [--only TEXT] [--first N]")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--first", type=int, default=10)
    options = parser.parse_args()
    programs = [str(pathlib.Path(name).resolve()) for name in (options.old, options.new)]
    with tempfile.TemporaryDirectory(prefix="same_output.") as name:
        scratch = pathlib.Path(name)
        inputs = Inputs(scratch / "in", programs[0])
        lines = list(dict.fromkeys(tuple(words) for words in command_lines(Catalogue(programs[0]), inputs)))
        lines = [words for words in lines if options.only in " ".join(words)]
        before = digest(inputs.folder)
        runner = Runner(programs, scratch, inputs.folder)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(runner.compare, range(len(lines)), lines))
        is_changed = digest(inputs.folder) != before
    differences = [(words, text) for words, text in zip(lines, found) if text]
    for words, text in differences[:options.first]:
        print("etinspect " + " ".join(f"'{word}'" if set(word) & set(" ><='*\"") or not word else word for word in words))
        print(text)
    if is_changed:
        print("a command line changed its inputs")
    print(f"{len(lines)} command lines, {len(differences)} differences")
    return 2 if not lines else int(bool(differences) or is_changed)


if __name__ == "__main__":
    sys.exit(main())
