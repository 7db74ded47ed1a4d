#!/usr/bin/env python3
"""mutants.py BUILD N SEED JOBS ROOM... - breaks sources on purpose and counts how many of the breaks the tests notice.

For each ROOM, a room of ROOMS below or sources of one ("stats", "src/stats/summary.c"), draws N places, changes one thing at each
("<" to "<=", "a + b" to "a - b", a statement left out ...), and runs the tests of the room until one fails. A break that no
test notices is printed as the line of the source and its changed form. A change that compiles to the same code, or not at
all, is drawn again. Prints the share noticed in each room, and exits with 1 if it is below 80 % in one.

BUILD is made by "make mutants": libraries whose functions can be replaced. Only the changed source is compiled, as a
library to preload, so nothing is linked again except the few tests that wrap functions of libc.

All tests run once before, with calls of the room's functions recorded: tests that do not call the changed function are left
out. Of the others the likely ones run first: the unit test of the same name, tests that noticed another change of the
source, tests of its header, other tests of the room, of other rooms, cases of the command line; among equals the fast ones
first.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

BAR = 80  # percent

# The tests of a room besides its own unit tests: "room" or "room/test" of tests/unit, "room" or "room/case" of tests/cli.
ROOMS = {
    "stats": ("api/test_allocations model/test_block account profile compare series gate measure view/test_runs",
              "diff gate history views/runs views/summary programs/diff"),
    "account": ("api/test_allocations model/test_block places rollup timeline view view_events compare/test_diff profile report "
                "trace/test_trace",
                "views rollups tables selection programs upstream check"),
    "places": ("api/test_allocations account rollup timeline view view_events view_program profile report trace/test_trace "
               "write/test_dot write/test_model_explorer trace/test_stack_writers",
               "views rollups tables selection programs upstream check"),
    "rollup": ("api/test_allocations timeline view view_events view_program compare/test_diff profile report write/test_dot "
               "write/test_model_explorer trace/test_stack_writers",
               "views rollups tables selection programs upstream check"),
    "compare": ("api/test_allocations series gate measure view write/test_gate_writers report/test_page",
                "diff gate history programs/diff views/gaps"),
    "gate": ("api/test_allocations write/test_gate_writers measure compare/test_outcome report/test_page",
             "gate programs/gate history diff"),
    "program": ("api/test_allocations view view_program account places gate compare/test_program_diff",
                "programs check"),
    "numerics": ("api/test_allocations model/test_debug_data view view_events view_numerics tensors/test_tensor_file "
                 "report/test_data timeline/test_counters",
                 "views diff/gaps programs/bundle programs/bundle_refused check rollups"),
    "capture": ("nrt read/test_input", "recover"),
}  # fmt: skip
# Scripts that run a suite: SUITE BUILD.
SUITES = {"capture": ["tests/capture/run.sh"]}

FLAGS = "-std=c17 -D_GNU_SOURCE -ffp-contract=off -fPIC -Isrc -Isrc/include -O1 -w".split()
MOST_MEMORY = 8 << 30  # limit for a test: a change may allocate all available memory

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
HEAD = re.compile(r"^[A-Za-z_].*?\b(\w+)\(")


class Place:
    """A change of one line of a source, in a function."""

    def __init__(self, path, function, number, line, changed):
        self.path, self.function, self.number, self.line, self.changed = path, function, number, line, changed
        self.assembly = None

    def text(self):
        lines = self.path.read_text().splitlines(keepends=True)
        lines[self.number] = self.changed + "\n"
        return "".join(lines)


def hide(line):
    """Returns the line with strings, characters and comments blanked, so that nothing in them is changed."""
    line = re.sub(r'"(\\.|[^"\\])*"|' + r"'(\\.|[^'\\])*'", lambda found: "#" * len(found[0]), line)
    return re.sub(r"/\*.*?(\*/|$)", lambda found: " " * len(found[0]), line)


def places_of(path):
    """Returns all possible changes of a file."""
    found, is_inside, in_comment, function = [], False, False, None
    for number, line in enumerate(path.read_text().splitlines()):
        in_comment = in_comment or line.lstrip().startswith("/*")
        skip, ends = in_comment, "*/" in line
        in_comment = in_comment and not ends
        head = None if skip else HEAD.match(line)
        function = head[1] if head else function
        if line.startswith("}"):
            is_inside = False
        if not skip and is_inside and not line.lstrip().startswith("#"):
            found += [Place(path, function, number, line, changed) for changed in changes_of(line)]
        if line.endswith("{") and not line.startswith((" ", "}")):
            is_inside = bool(re.search(r"\)\s*\{$", line))
        elif re.match(r"^\s{4,}.*\) \{$", line) and not is_inside:
            is_inside = True  # the end of a function's head that spans several lines
    return found


# Initial values are mostly overwritten before they are read; "make asan" detects missing frees.
BEGINNING = re.compile(r"\{(\.\w+ = )?(0|NULL, 0)\}|^\s+[\w ]+ \*?\w+ = 0(, \w+ = 0)*;|\b(free|eti_\w+_(free|release))\(")


def changes_of(line):
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
            changes.append(changed)
    if STATEMENT.match(shown) and not NO_CODE.search(shown) and not re.match(r"^\s+(return|else|for|while)\b", shown):
        changes.append(re.sub(r"\S.*", ";", line))
    return changes


def assembly_of(text, path, work, flags=()):
    """Returns the assembly of the changed text; None: it does not compile."""
    work.with_suffix(".c").write_text(text)
    done = subprocess.run(["cc", *FLAGS, *flags, f"-I{path.parent}", "-S", "-o", "-", str(work.with_suffix(".c"))],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return done.stdout if done.returncode == 0 else None


def make_library(assemblies, work, build):
    """Links assemblies as a library to preload, with that of the unchanged sources: any program that a test starts loads
    it. Returns its name."""
    for i, assembly in enumerate(assemblies):
        work.with_suffix(f".{i}.s").write_bytes(assembly)
    sources = [str(work.with_suffix(f".{i}.s")) for i in range(len(assemblies))]
    rest = [f"-L{build}", "-Wl,--no-as-needed", "-lmutants", f"-Wl,-rpath,{build}"]
    subprocess.run(["cc", "-shared", "-o", str(work.with_suffix(".so")), *sources, *rest], check=True)
    return work.with_suffix(".so")


class Test:
    """A unit test, a case of the command line, or a suite."""

    def __init__(self, kind, name, build):
        self.kind, self.name, self.build = kind, name, build
        self.program = build / "units" / name
        self.link = self.program.with_suffix(".link")
        self.cpu_seconds = self.seconds = 0
        self.calls = None  # names of functions; None: unknown

    def passes(self, library, extra=None):
        """Returns whether it passes while the library is preloaded."""
        env = dict(os.environ, LD_LIBRARY_PATH=str(self.build), **(extra or {}))
        if self.kind == "unit":
            words, env["LD_PRELOAD"] = [str(self.program)], str(library)
        else:
            env["RUNNER"] = f"env LD_PRELOAD={library} LD_LIBRARY_PATH={self.build}"
            script = [self.name, str(self.build)] if self.kind == "suite" else ["tests/cli/run.sh", str(self.build), self.name]
            words = ["sh", *script]
        if self.kind == "unit" and self.link.exists() and library:
            words = [str(self.link_with(library))]
            del env["LD_PRELOAD"]
        # Limits CPU time, since the machine is shared; a test that waits for ever uses none.
        cpu, wall = 10 + 10 * self.cpu_seconds, 60 + 10 * self.seconds
        return run(words, int(cpu), wall, env)

    def link_with(self, library):
        """Links the test, which wraps functions of libc, with the assemblies of the library."""
        program = library.with_suffix("." + self.program.name)
        mutants = " ".join(str(source) for source in sorted(library.parent.glob(library.stem + ".*.s")))
        command = self.link.read_text().replace("MUTANTS", mutants).replace("PROGRAM", str(program))
        subprocess.run(["sh", "-c", command], check=True)
        return program

    def measure(self, recorder):
        """Runs it once without a change; returns whether it passes. Records its time, and the functions that it calls."""
        seen = recorder.library.with_name("seen")
        seen.write_bytes(b"")
        os.truncate(seen, 1 << 24)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        passes = self.passes("" if self.link.exists() else recorder.library, {"MUTANTS_SEEN": str(seen)})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu_seconds, self.seconds = after.ru_utime - before.ru_utime, time.monotonic() - start
        if not self.link.exists():
            bytes_seen = seen.read_bytes()
            self.calls = {name for name, at in recorder.functions if bytes_seen[at]}
        return passes

    def may_notice(self, place, functions):
        return self.calls is None or place.function not in functions or place.function in self.calls


def run(words, cpu_seconds, seconds, env):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))

    nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, preexec_fn=limit, start_new_session=True, env=env, **nothing) as process:
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # a script's programs too
            return False


RECORDER = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static unsigned char *seen;
__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("MUTANTS_SEEN");
    int file = name ? open(name, O_RDWR) : -1;
    void *map = file < 0 ? MAP_FAILED : mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    seen = map == MAP_FAILED ? NULL : map;
    if (file >= 0) close(file);
}
void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    if (seen) seen[(const char *)function - __ehdr_start] = 1;
}
void __cyg_profile_func_exit(void *function, void *caller) { (void)function; (void)caller; }
"""


class Recorder:
    """Makes a library of the room's unchanged sources, which records in the file MUTANTS_SEEN which of their functions are
    called."""

    def __init__(self, files, work, build):
        assemblies = [assembly_of(file.read_text(), file, work, ["-finstrument-functions"]) for file in files]
        self.library = make_library(assemblies + [assembly_of(RECORDER, pathlib.Path("recorder.c"), work)], work, build)
        names = subprocess.run(["nm", "--defined-only", str(self.library)], stdout=subprocess.PIPE, text=True, check=True)
        symbols = [line.split() for line in names.stdout.splitlines()]
        self.functions = [(name.split(".")[0], int(at, 16)) for at, kind, name in symbols if kind in "tT"]


class Room:
    def __init__(self, word, build, work):
        self.name = pathlib.Path(word).parts[1] if "/" in word else word
        if self.name not in ROOMS:
            sys.exit(f"mutants.py: no room {self.name}: {' '.join(ROOMS)}")
        path = pathlib.Path(word if "/" in word else f"src/{word}")
        self.build = build
        self.files = sorted(path.rglob("*.c")) if path.is_dir() else [path]
        recorder = Recorder(self.files, work, build)
        self.functions = {name for name, _ in recorder.functions}
        units, cases = ROOMS[self.name]
        self.tests = [Test("unit", name, build) for name in self.units_of(f"{self.name} {units}", build)]
        self.tests += [Test("case", name, build) for name in cases_of(cases)]
        self.tests += [Test("suite", name, build) for name in SUITES.get(self.name, [])]
        for test in self.tests:
            if not test.measure(recorder):
                sys.exit(f"mutants.py: {test.name} fails without any change")
        self.headers = {test: headers_of(test) for test in self.tests}
        self.noticed_by = {file: set() for file in self.files}

    @staticmethod
    def units_of(words, build):
        units = build / "units"
        found = [unit for word in words.split() for unit in glob(units, word if "/" in word else word + "/test_*")]
        return dict.fromkeys(f"{unit.parent.name}/{unit.name}" for unit in found if unit.suffix == "")

    def order(self, place):
        """Returns the tests that may notice the change, the likely and fast ones first."""
        name = place.path.stem

        def key(test):
            room, own = test.name.split("/")[0], test.kind == "unit"
            likely = [own and test.name.endswith(f"/test_{name}"), test in self.noticed_by[place.path],
                      f"/{name}.h" in self.headers[test], own and room in (self.name, place.path.parent.name), own]  # fmt: skip
            return (likely.index(True) if True in likely else len(likely), test.seconds)

        return sorted((test for test in self.tests if test.may_notice(place, self.functions)), key=key)


def glob(folder, pattern):
    found = sorted(folder.glob(pattern))
    return found if found else sys.exit(f"mutants.py: there is no {folder}/{pattern}")


def cases_of(words):
    cases = pathlib.Path("tests/cli")
    found = [case for word in words.split() for case in glob(cases, word + ".sh" if "/" in word else word + "/*.sh")]
    return dict.fromkeys(f"{case.parent.name}/{case.stem}" for case in found)


def headers_of(test):
    """Returns the headers that a unit test includes, as one text: "/stats/stats.h ..."."""
    source = pathlib.Path("tests/unit") / f"{test.name}.c"
    return " ".join("/" + name for name in re.findall(r'#include "(.*)"', source.read_text())) if source.exists() else ""


def draw(room, n, seed, pool, work):
    """Draws n places of the room whose changes alter its code, and sets their assembly; in the order drawn."""
    places = [place for file in room.files for place in places_of(file)]
    random.Random(seed).shuffle(places)
    print(f"{room.name}: {len(places)} possible changes of {len(room.files)} files, {len(room.tests)} tests", flush=True)
    before = dict(zip(room.files, pool.map(lambda file: assembly_of(file.read_text(), file, work()), room.files)))
    drawn, at = [], 0
    while len(drawn) < n and at < len(places):
        some = places[at : at + n - len(drawn)]
        at += len(some)
        for place, assembly in zip(some, pool.map(lambda place: assembly_of(place.text(), place.path, work()), some)):
            place.assembly = assembly
            if assembly not in (None, before[place.path]):
                drawn.append(place)
    return drawn


def noticing(room, place, work):
    """Returns the first test that fails with the change; None: no test does."""
    library = make_library([place.assembly], work, room.build)
    for test in room.order(place):
        if not test.passes(library):
            room.noticed_by[place.path].add(test)
            return test
    return None


def try_room(room, n, seed, pool, work):
    """Prints which changes are noticed, and the number of these and of all."""
    drawn, noticed, by_file = draw(room, n, seed, pool, work), 0, {}
    for place, test in zip(drawn, pool.map(lambda place: noticing(room, place, work()), drawn)):
        noticed += test is not None
        counts = by_file.setdefault(place.path, [0, 0])
        counts[0] += test is not None
        counts[1] += 1
        where = f"{place.path}:{place.number + 1}"
        if test:
            print(f"{where} noticed by {test.name}", flush=True)
        else:
            print(f"{where} NOT NOTICED\n    {place.line.strip()}\n    {place.changed.strip()}", flush=True)
    for path, (n_of_file, tried) in sorted(by_file.items()):
        print(f"    {path}: {n_of_file} of {tried}")
    return noticed, len(drawn)


def main():
    build, n, seed, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    folder = build / f"work-{os.getpid()}"
    folder.mkdir()

    def work():
        return folder / f"mutant{threading.get_ident()}"

    results = []
    try:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for word in sys.argv[5:] or ROOMS:
                room = Room(word, build, folder / "recorder")
                results.append((word, *try_room(room, n, seed, pool, work)))
                print(f"{word}: {results[-1][1]} of {results[-1][2]} noticed", flush=True)
    finally:
        shutil.rmtree(folder)
    print(f"\nseed {seed}")
    for word, noticed, tried in results:
        print(f"{word:<10} {noticed:>3} of {tried} noticed, {100 * noticed // max(tried, 1):>3} %")
    sys.exit(any(100 * noticed < BAR * tried for _, noticed, tried in results))


main()
