#!/usr/bin/env python3
"""mutants.py BUILD N SEED UNITS CASES SOURCE... - breaks sources on purpose and counts how many breaks the tests notice.

Draws N places of the SOURCEs, which may be folders, changes one thing at each ("<" to "<=", "a + b" to "a - b", a
statement left out ...), and runs the unit tests UNITS, a room or one of its tests ("numerics read/test_npz"), and the cases
CASES of the command line ("views/numerics"). A break that no test notices is printed as a line of the source and what became of it. A change that
the compiler makes the same code of, or refuses, is drawn again.

BUILD is made by "make mutants": libraries whose functions can be replaced. The changed source alone is compiled, as a
library that is preloaded, so that nothing is linked anew.
"""

import os
import pathlib
import random
import re
import resource
import subprocess
import sys

FLAGS = "-std=c17 -D_GNU_SOURCE -ffp-contract=off -fPIC -Isrc -Isrc/include -O1 -w".split()
SECONDS = 60  # for a test; a change may make a loop endless
MOST_MEMORY = 8 << 30  # and may ask for all memory there is

SWAPS = [
    (r"(?<![-<>=])<(?![<=])", "<="), (r"<=", "<"), (r"(?<![->=])>(?![>=])", ">="), (r"(?<![->])>=", ">"),
    (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"),
    (r"(?<=[\w)\]] )\*(?= [\w(])", "/"), (r"(?<= )/(?= )", "*"), (r"(?<= )%(?= )", "*"), (r"\+=", "-="), (r"-=", "+="),
    (r"\+\+", "--"), (r"(?<!-)--(?!>)", "++"), (r"<<", ">>"), (r">>", "<<"), (r"(?<= )&(?= )", "|"), (r"(?<= )\|(?= )", "&"),
    (r"(?<![\w.])0(?![\w.])", "1"), (r"(?<![\w.])1(?![\w.])", "0"), (r"(?<![\w.])([2-9]|[1-9][0-9]+)(?![\w.])", "+1"),
    (r"(?<![\w!])!(?=[\w(])", ""), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bbreak;", "continue;"),
    (r"\bcontinue;", "break;"), (r"\bif \((?=.)", "if (!("),
]  # fmt: skip
STATEMENT = re.compile(r"^\s+[A-Za-z_*(][^{}]*[^{};]\);$|^\s+[A-Za-z_*][^{}=]*[^=!<>]=[^={}]*;$|^\s+ETI_TRY\(.*\);$")
NO_CODE = re.compile(r"^\s*(#|/?\*|//|static_assert|[A-Z_]+\(|\S+ \w+;$|\}?$)|\b(const|static|struct|typedef|enum)\b")


def hide(line):
    """The line with texts, characters and comments blanked, so that nothing in them is changed."""
    line = re.sub(r'"(\\.|[^"\\])*"|' + r"'(\\.|[^'\\])*'", lambda found: "#" * len(found[0]), line)
    return re.sub(r"/\*.*?(\*/|$)", lambda found: " " * len(found[0]), line)


def places_of(path):
    """All changes of a file: (path, number of the line, the line, what it becomes)."""
    found, is_inside, in_comment = [], False, False
    for number, line in enumerate(path.read_text().splitlines()):
        in_comment = in_comment or line.lstrip().startswith("/*")
        skip, ends = in_comment, "*/" in line
        in_comment = in_comment and not ends
        if line.startswith("}"):
            is_inside = False
        if not skip and is_inside and not line.lstrip().startswith("#"):
            found += changes_of(path, number, line)
        if line.endswith("{") and not line.startswith((" ", "}")):
            is_inside = bool(re.search(r"\)\s*\{$", line))
        elif re.match(r"^\s{4,}.*\) \{$", line) and not is_inside:
            is_inside = True  # the end of a long head of a function
    return found


# Initial values are mostly replaced before they are read; missing frees are noticed by "make asan".
BEGINNING = re.compile(r"\{(\.\w+ = )?(0|NULL, 0)\}|^\s+[\w ]+ \*?\w+ = 0(, \w+ = 0)*;|\b(free|eti_\w+_(free|release))\(")


def changes_of(path, number, line):
    shown, changes = hide(line), []
    if BEGINNING.search(shown):
        return []
    for pattern, becomes in SWAPS:
        for at in re.finditer(pattern, shown):
            new = str(int(at[0]) + 1) if becomes == "+1" else becomes
            changed = line[: at.start()] + new + line[at.end() :]
            if becomes == "if (!(":
                if not shown.rstrip().endswith((")", ") {")):
                    continue
                changed = re.sub(r"\)( \{)?\s*$", r"))\1", changed)
            changes.append((path, number, line, changed))
    if STATEMENT.match(shown) and not NO_CODE.search(shown) and not re.match(r"^\s+(return|else|for|while)\b", shown):
        changes.append((path, number, line, re.sub(r"\S.*", ";", line)))
    return changes


def run(words, **options):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(
            words, timeout=SECONDS, preexec_fn=limit, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, check=False, **options
        )  # fmt: skip
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Tests:
    def __init__(self, build, words, cases):
        self.build = build
        self.cases = cases
        units = build / "units"
        self.units = [unit for word in words for unit in sorted(units.glob(word if "/" in word else word + "/test_*"))]

    def notice(self, library):
        """The first test that fails while the library is preloaded; None: no test does."""
        with_it = dict(os.environ, LD_PRELOAD=str(library), LD_LIBRARY_PATH=str(self.build))
        for unit in self.units:
            if not run([str(unit)], env=with_it):
                return f"{unit.parent.name}/{unit.name}"
        runner = f"env LD_PRELOAD={library} LD_LIBRARY_PATH={self.build}"
        for case in self.cases:
            if not run(["sh", "tests/cli/run.sh", str(self.build), case], env=dict(os.environ, RUNNER=runner)):
                return case
        return None


def compile_source(text, path, out):
    """The code of the changed file in the place of the source; None: the compiler refuses it."""
    source = out.with_suffix(".c")
    source.write_text(text)
    if not run(["cc", *FLAGS, f"-I{path.parent}", "-c", str(source), "-o", str(out)]):
        return None
    return subprocess.run(["objcopy", "-O", "binary", "--only-section=.text*", str(out), "/dev/stdout"],
                          stdout=subprocess.PIPE, check=False).stdout + \
        subprocess.run(["objdump", "-drs", str(out)], stdout=subprocess.PIPE, check=False).stdout.split(b"\n", 3)[-1]  # fmt: skip


def main():
    build, n, seed = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    tests = Tests(build, sys.argv[4].split(), sys.argv[5].split())
    sources = [pathlib.Path(word) for word in sys.argv[6:]]
    files = [file for source in sources for file in (sorted(source.glob("*.c")) if source.is_dir() else [source])]
    places = [place for file in files for place in places_of(file)]
    random.Random(seed).shuffle(places)
    work = build / f"mutant-{os.getpid()}.o"
    library = work.with_suffix(".so")
    before = {file: compile_source(file.read_text(), file, work) for file in files}
    print(f"{len(places)} possible changes of {len(files)} files; baseline ...", flush=True)
    noticed_without = tests.notice("")
    if noticed_without:
        sys.exit(f"mutants.py: {noticed_without} fails without any change")
    n_tried = n_noticed = 0
    by_file = {}
    for path, number, line, changed in places:
        if n_tried == n:
            break
        lines = path.read_text().splitlines(keepends=True)
        lines[number] = changed + "\n"
        code = compile_source("".join(lines), path, work)
        if code is None or code == before[path]:
            continue
        subprocess.run(["cc", "-shared", "-o", str(library), str(work)], check=True)
        killer = tests.notice(library)
        n_tried += 1
        n_noticed += killer is not None
        counts = by_file.setdefault(path, [0, 0])
        counts[0] += killer is not None
        counts[1] += 1
        if killer:
            print(f"{n_noticed}/{n_tried} {path}:{number + 1} noticed by {killer}", flush=True)
        else:
            print(f"{n_noticed}/{n_tried} {path}:{number + 1} NOT NOTICED\n    {line.strip()}\n    {changed.strip()}", flush=True)
    for file in (work, library, work.with_suffix(".c")):
        file.unlink(missing_ok=True)
    for path, (noticed, tried) in sorted(by_file.items()):
        print(f"{path}: {noticed} of {tried}")
    print(f"mutants: {n_noticed} of {n_tried} noticed, {100 * n_noticed // max(n_tried, 1)} %")


main()
